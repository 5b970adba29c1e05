/** What a line leaves for a person to say holds up that line alone, and not the others. */
import { expect, test } from "vitest";
import { contact, type Json, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

async function withInvoice(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    InvoiceNumber: "INV-0042",
    Contact: await contact(given, { Name: "Kowhai Ltd" }),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 115, AccountCode: "200" }],
  });
  return given;
}

async function imported(given: World, ...sent: readonly object[]): Promise<void> {
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: sent.map((line, at) => ({ Key: String(at), Date: "2026-03-10", ...line })),
  });
}

const asked = (query: Readonly<Record<string, string>> = {}) => ({
  query: { account: "090", ...query },
});

const suggested = async (given: World, query?: Readonly<Record<string, string>>): Promise<Json[]> =>
  (await given.ok("GET", `${lines}/Suggestions`, undefined, asked(query))).BankSuggestions;

const decided = async (given: World, query?: Readonly<Record<string, string>>): Promise<Json[]> =>
  (await given.ok("POST", `${lines}/Reconcile`, undefined, asked(query))).BankStatementLines;

const wired = { Amount: 113, Charges: 2, Payee: "Kowhai Ltd", Description: "INV-0042" };

test("a bank charge without an account is refused, and the other bank lines are still processed", async () => {
  const given = await withInvoice();
  await given.ok("PUT", "/Contacts", { Name: "Post" });
  await given.ok("PUT", "/Extensions/BankRules", {
    Name: "Stamps",
    Conditions: [{ Field: "payeeOrText", Value: "stamps" }],
    Lines: [{ AccountCode: "425" }],
  });
  await imported(given, wired, { Amount: -7, Payee: "Post", Description: "Stamps" });
  const [first] = await suggested(given);
  expect(first).toMatchObject({
    IsCertain: false,
    Obstacles: "no account is known for -2.00",
    Difference: -2,
  });
  expect((await decided(given)).map(({ Amount }) => Amount)).toEqual([-7]);
  const [known] = await suggested(given, { charges: "404" });
  expect(known).toMatchObject({ IsCertain: true, Lines: [{ AccountCode: "404", Amount: -2 }] });
  const [line] = await decided(given, { charges: "404" });
  expect(line.Matches.map(({ Kind, Amount }: Json) => [Kind, Amount])).toEqual([
    ["Payment", 115],
    ["BankTransaction", -2],
  ]);
});

test("a bank rule without a contact does not post a line without a payee, and other lines are still reconciled", async () => {
  const given = await withInvoice();
  await given.ok("PUT", "/Extensions/BankRules", {
    Name: "Fees",
    Conditions: [{ Field: "payeeOrText", Value: "fee" }],
    Lines: [{ AccountCode: "404" }],
  });
  await imported(
    given,
    { Amount: -5, Description: "Monthly fee" },
    { Amount: 115, Payee: "Kowhai Ltd", Description: "INV-0042" },
  );
  expect((await decided(given)).map(({ Amount }) => Amount)).toEqual([115]);
  expect(await suggested(given)).toMatchObject([
    { IsCertain: false, Obstacles: "neither the line nor the rule names a contact" },
  ]);
});

test("a bank fee guessed from the difference is only suggested, with its amount and the missing account", async () => {
  const given = await withInvoice();
  await imported(given, { ...wired, Amount: 112.5, Charges: undefined });
  expect(await suggested(given)).toMatchObject([
    { IsCertain: false, Difference: -2.5, Obstacles: expect.stringContaining("not exact") },
  ]);
});
