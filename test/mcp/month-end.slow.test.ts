/**
 * A month from an imported statement to its close, by the tools alone: an agent over HTTP proposes, a
 * person on a machine of their own approves.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Office, openOffice, signInAt } from "../cli/office.ts";
import { Machine } from "../cli/signed-in.ts";
import { base64 } from "./calls.ts";

let office: Office;
const person = new Machine();
const agent = new Client({ name: "trial", version: "1.2" });

beforeAll(async () => {
  office = await openOffice("--mcp");
  await signInAt(office, person);
  const words = ["app", "add", "Helper", "--kind", "agent", "-o", "json"];
  const { ClientID, ClientSecret } = JSON.parse(await office.ok(words));
  await office.ok(["policy", "set", "Helper", "--may", "apply", "--per-document", "1"]);
  const headers = { authorization: `Basic ${base64(`${ClientID}:${ClientSecret}`)}` };
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const answered = await fetch(`${office.origin}/connect/token`, { method: "POST", headers, body });
  const { access_token: token } = (await answered.json()) as { access_token: string };
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const address = new URL(`${office.origin}/mcp`);
  await agent.connect(new StreamableHTTPClientTransport(address, { requestInit }));
});
afterAll(async () => {
  await agent.close();
  await office.close();
  person.clear();
});

// biome-ignore lint/suspicious/noExplicitAny: each tool answers with an object of its own
async function call(name: string, given: Record<string, unknown> = {}): Promise<any> {
  const { isError, structuredContent } = await agent.callTool({ name, arguments: given });
  expect(isError, `${name} ${JSON.stringify(structuredContent)}`).not.toBe(true);
  return structuredContent;
}

/**
 * Has the agent propose and apply; a person approves before what goes beyond its policy.
 *
 * @param isBeyond  whether it does
 */
async function done(name: string, given: Record<string, unknown>, isBeyond: boolean) {
  const proposed = await call(name, given);
  expect(proposed).toMatchObject({ state: "WAITING", handle: expect.stringMatching(/^plan:\d+$/) });
  const { handle: plan } = proposed;
  expect(proposed.needs !== undefined, `${name}: ${proposed.needs}`).toBe(isBeyond);
  if (isBeyond) {
    const early = await agent.callTool({ name: "apply", arguments: { plan } });
    expect(early.isError).toBe(true);
    const approving = ["plan", "approve", plan.replace("plan:", ""), "--yes"];
    expect(await person.run(approving)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes approves what was seen before"),
    });
    const shown = await person.run(["plan", "show", plan.replace("plan:", ""), "-o", "json"]);
    const stale = await person.run([...approving, "--digest=of-another"]);
    expect([stale.code, stale.stderr]).toEqual([5, expect.stringContaining("look at it again")]);
    const { Digest } = JSON.parse(shown.stdout);
    const approved = await person.run([...approving, `--digest=${Digest}`]);
    expect(approved.code, approved.stderr).toBe(0);
  }
  expect(await call("apply", { plan })).toMatchObject({ handle: plan, state: "APPLIED" });
}

const bill = {
  InvoiceNumber: "R-77",
  Contact: { Name: "Moa Coffee" },
  Date: "2026-10-06",
  DueDate: "2026-10-20",
  LineItems: [{ Description: "Rent", Quantity: 1, UnitAmount: 50, AccountCode: "469" }],
};
const sale = {
  InvoiceNumber: "INV-0900",
  Contact: { Name: "Moa Coffee" },
  Date: "2026-10-05",
  DueDate: "2026-10-20",
  Status: "AUTHORISED",
  LineItems: [{ Description: "Frame", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
};
const statement = `Date,Amount,Payee,Reference
2026-10-12,115.00,MOA COFFEE,INV-0900
2026-10-20,-57.50,RENT,R-77
2026-10-31,-9.20,BANK FEE,
`;

test("an agent takes a month to its close, and a person approves what goes beyond its policy", async () => {
  const account = {
    Code: "090",
    Name: "Cheque",
    Type: "BANK",
    BankAccountNumber: "12-3456-7890123-00",
  };
  await done("create", { kind: "account", records: [account] }, true);
  await done("create", { kind: "invoice", records: [sale] }, true);
  await done("create", { kind: "bill", records: [bill] }, true);
  const { rows } = await call("list", { kind: "bill", filter: { status: "DRAFT" } });
  expect(rows).toMatchObject([{ InvoiceNumber: "R-77", Total: 57.5 }]);
  await done("transition", { handle: rows[0].handle, verb: "approve" }, true);
  await done(
    "bank_import",
    { account: "090", name: "october.csv", content: base64(statement) },
    false,
  );
  const { lines, count } = await call("bank_suggest", { account: "090" });
  expect(count).toBe(3);
  const known = lines.filter(
    (line: { candidates?: { IsCertain: boolean }[] }) => line.candidates?.[0]?.IsCertain,
  );
  const fee = lines.find(({ Payee }: { Payee: string }) => Payee === "BANK FEE");
  const sold = lines.find(({ Amount }: { Amount: number }) => Amount === 115);
  const paid = lines.find(({ Amount }: { Amount: number }) => Amount === -57.5);
  expect(known).toContainEqual(sold);
  await done(
    "bank_reconcile_plan",
    {
      lines: [
        { line: sold.handle, documents: ["INV-0900"] },
        { line: paid.handle, documents: [rows[0].handle.replace("bill:", "")] },
        { line: fee.handle, flags: { account: "404" } },
      ],
    },
    true,
  );
  expect((await call("bank_suggest", { account: "090" })).count).toBe(0);
  const checked = await call("close_check", { period: "2026-10" });
  expect(checked.in_order).toContain("Bank lines reconciled");
  await done("close_plan", { period: "2026-10" }, true);
  expect((await call("books")).organisation.PeriodLockDate).toBe("2026-10-31");
  const late = await agent.callTool({
    name: "create",
    arguments: { kind: "invoice", records: [{ ...sale, InvoiceNumber: "INV-0901" }] },
  });
  expect(late).toMatchObject({ isError: true, structuredContent: { rule: "LockDate" } });
  const balance = await call("report", {
    name: "trial-balance",
    date: "2026-10-31",
    bytes: 16_384,
  });
  const figures = balance.sections.flatMap(({ rows = [] }: { rows?: unknown[][] }) =>
    rows.map((row) => row.filter((cell) => cell !== null)),
  );
  expect(figures).toEqual(
    expect.arrayContaining([
      ["Sales (200)", 100, 100],
      ["Rent (469)", 50, 50],
      ["Cheque (090)", 48.3, 48.3],
    ]),
  );
  const { plans } = await call("plans");
  expect(plans.length).toBe(7);
  expect(new Set(plans.map(({ State }: { State: string }) => State))).toEqual(new Set(["APPLIED"]));
  await office.ok(["book", "verify"]);
});
