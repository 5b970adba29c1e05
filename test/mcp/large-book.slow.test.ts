import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { agent, call, env, line } from "./agent.ts";
import { readCalls } from "./calls.ts";

const count = 10_000;
const batch = 500;

beforeAll(async () => {
  for (let from = 0; from < count; from += batch) {
    const Invoices = Array.from({ length: batch }, (_, at) => ({
      Type: "ACCREC",
      InvoiceNumber: `L-${from + at}`,
      Contact: { Name: "Kauri Hotel" },
      Date: "2026-03-02",
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      LineItems: [{ Description: "Mug", Quantity: 1, UnitAmount: 10, AccountCode: "200" }],
    }));
    const file = join(env.HOME, "invoices.json");
    writeFileSync(file, JSON.stringify({ Invoices }));
    const { code, stderr } = await line(["api", "PUT", "/Invoices", `--input=${file}`]);
    expect(code, stderr).toBe(0);
  }
});

test.each([
  ...readCalls,
  ["list", { kind: "invoice", filter: { contact: "Kauri Hotel" } }] as const,
  ["find", { words: "L-99" }] as const,
  ["explain", { of: "contact:Kauri Hotel" }] as const,
  ["explain", { of: "report:pl/2026-03#Sales" }] as const,
])("in a book of 10,000 invoices more %s %j answers in at most 4 KB", async (name, given) => {
  const { content, isError } = await agent.callTool({ name, arguments: given });
  expect(isError).not.toBe(true);
  const [{ text }] = content as unknown as [{ text: string }];
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
});

test("a list of them has the count and the sums of all, and its cursor leads on", async () => {
  const given = { kind: "invoice", filter: { search: "L-" }, order: "InvoiceNumber" };
  const { answer } = await call("list", given);
  expect(answer).toMatchObject({ count, sums: { NZD: { Total: 115_000, AmountDue: 115_000 } } });
  const shown = answer.rows.length;
  expect(answer.left_out.count).toBe(count - shown);
  const next = await call("list", { ...given, cursor: answer.cursor });
  expect(next.answer.rows[0].InvoiceNumber > answer.rows.at(-1).InvoiceNumber).toBe(true);
});
