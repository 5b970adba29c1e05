/** What automatic reconciling leaves to people, and how a line is given back to it. */
import { expect, test } from "vitest";
import { type Json, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

async function imported(given: World, code: string, ...sent: readonly object[]): Promise<void> {
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: code },
    StatementLines: sent.map((line, at) => ({
      Key: `${code}:${JSON.stringify(line)}:${at}`,
      Date: "2026-03-10",
      ...line,
    })),
  });
}

const decided = async (given: World, query: Readonly<Record<string, string>> = {}) => {
  const { BankStatementLines: done } = await given.ok("POST", `${lines}/Reconcile`, undefined, {
    query,
  });
  return (done as Json[]).map(({ Amount }) => Amount).sort((a, b) => a - b);
};

const ruled = (given: World, rule: object) => given.ask("PUT", "/Extensions/BankRules", rule);

test("a rule with a fixed amount is left to people until it has booked a line of about that amount", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Kiwibank" });
  const loan = {
    Name: "Loan",
    Conditions: [{ Field: "payee", Test: "equals", Value: "Kiwibank" }],
    Lines: [{ AccountCode: "404", TaxType: "NONE", Amount: 142.5 }, { AccountCode: "900" }],
  };
  expect((await ruled(given, loan)).status).toBe(200);
  await imported(given, "090", { Amount: -390, Payee: "Kiwibank" });
  expect(await decided(given)).toEqual([]);
  const [line] = (await given.ok("GET", lines)).BankStatementLines;
  const [first] = (
    await given.ok("GET", `${lines}/Suggestions`, undefined, { query: { account: "090" } })
  ).BankSuggestions;
  expect(first).toMatchObject({ IsCertain: false, Obstacles: expect.stringContaining("fixed") });
  const { Lines, Contact } = first;
  await given.ok("POST", `${lines}/${line.BankStatementLineID}/Match`, { Lines, Contact });
  await imported(
    given,
    "090",
    { Amount: -400, Payee: "Kiwibank" },
    { Amount: -2000, Payee: "Kiwibank" },
  );
  expect(await decided(given)).toEqual([-400]);
});

test("a rule whose fixed amount is said to be certain decides lines of any amount", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Kiwibank" });
  await ruled(given, {
    Name: "Loan",
    Conditions: [{ Field: "payee", Value: "Kiwibank" }],
    Lines: [{ AccountCode: "404", Amount: 142.5, IsCertain: true }, { AccountCode: "900" }],
  });
  await imported(given, "090", { Amount: -390, Payee: "Kiwibank" });
  expect(await decided(given)).toEqual([-390]);
});

test("a rule is refused whose text has less than three letters", async () => {
  const given = await world();
  const of = (Value: string) => ({
    Name: Value,
    Conditions: [{ Field: "text", Value }],
    Lines: [{ AccountCode: "404" }],
  });
  const { status, json } = await ruled(given, of("a."));
  expect([status, JSON.stringify(json)]).toEqual([
    400,
    expect.stringContaining("would fit too many lines"),
  ]);
  expect((await ruled(given, of("gas"))).status).toBe(200);
});

test("a line whose payee is no contact is not decided by a rule that names none, and no contact is made", async () => {
  const given = await world();
  await ruled(given, {
    Name: "Stamps",
    Conditions: [{ Field: "text", Value: "stamps" }],
    Lines: [{ AccountCode: "404" }],
  });
  await imported(given, "090", { Amount: -7, Payee: "Post", Description: "stamps" });
  expect(await decided(given)).toEqual([]);
  await given.ok("PUT", "/Contacts", { Name: "Post" });
  expect(await decided(given)).toEqual([-7]);
});

test("a line that was unmatched is left to people until it is released", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Post" });
  await ruled(given, {
    Name: "Stamps",
    Conditions: [{ Field: "text", Value: "stamps" }],
    Lines: [{ AccountCode: "404" }],
  });
  await imported(given, "090", { Amount: -7, Payee: "Post", Description: "stamps" });
  expect(await decided(given)).toEqual([-7]);
  const [line] = (await given.ok("GET", lines)).BankStatementLines;
  const at = `${lines}/${line.BankStatementLineID}`;
  expect((await given.ask("POST", `${at}/Release`)).status).toBe(400);
  await given.ok("POST", `${at}/Unmatch`);
  expect(await decided(given)).toEqual([]);
  const [back] = (await given.ok("POST", `${at}/Release`)).BankStatementLines;
  expect(back.Flags ?? []).toEqual([]);
  expect(await decided(given)).toEqual([-7]);
});

test("without an account the lines of all bank accounts are decided, and a document that lines of two accounts pay is left", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Hutt Cafe" });
  for (const [number, amount] of [
    ["INV-0042", 100],
    ["INV-0043", 200],
  ] as const) {
    await given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      InvoiceNumber: number,
      Contact: { Name: "Hutt Cafe" },
      Date: "2026-03-01",
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      LineAmountTypes: "NoTax",
      LineItems: [{ Description: "W", Quantity: 1, UnitAmount: amount, AccountCode: "200" }],
    });
  }
  await imported(given, "090", { Amount: 100, Description: "INV-0042" });
  await imported(
    given,
    "091",
    { Amount: 100, Description: "INV-0042" },
    { Amount: 200, Description: "INV-0043" },
  );
  expect(await decided(given)).toEqual([200]);
});
