/** Money of a bank line that is kept for later documents, and paid back. */
import { expect, test } from "vitest";
import { contact, faultsIn, type Json, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

/** A world with INV-0042 of 100.00 and one bank line; the line is answered too. */
async function withLine(Amount: number, fields: object = {}): Promise<[World, Json]> {
  const given = await world();
  await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    InvoiceNumber: "INV-0042",
    Contact: await contact(given, { Name: "Hutt Cafe" }),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  });
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: [{ Key: "1", Date: "2026-03-10", Amount, Payee: "Hutt Cafe", ...fields }],
  });
  const [line] = (await given.ok("GET", lines)).BankStatementLines;
  return [given, line];
}

const acted = (given: World, line: Json, deed: string, input?: object) =>
  given.ok("POST", `${lines}/${line.BankStatementLineID}/${deed}`, input);

const refused = async (given: World, line: Json, input: object): Promise<string> =>
  JSON.stringify(
    (await given.ask("POST", `${lines}/${line.BankStatementLineID}/Match`, input)).json,
  );

test("what a bank line is larger than its invoice is kept as an overpayment of the customer, and goes when the line is unmatched", async () => {
  const [given, line] = await withLine(130.6);
  await acted(given, line, "Match", {
    Documents: [{ Number: "INV-0042" }],
    Lines: [{ KeptAs: "Overpayment" }],
  });
  const overpayments: Json[] = (await given.ok("GET", "/Overpayments")).Overpayments;
  expect(overpayments).toMatchObject([
    { Contact: { Name: "Hutt Cafe" }, RemainingCredit: 30.6, Type: "RECEIVE-OVERPAYMENT" },
  ]);
  expect(await faultsIn(given)).toEqual([]);
  await acted(given, line, "Unmatch");
  const [invoice] = (await given.ok("GET", "/Invoices/INV-0042")).Invoices;
  expect(invoice.AmountDue).toBe(100);
  const left: Json[] = (await given.ok("GET", "/Overpayments")).Overpayments;
  expect(left.filter(({ Status }) => Status === "AUTHORISED")).toEqual([]);
  expect(await faultsIn(given)).toEqual([]);
});

test("a bank line without a document is kept as a deposit with its tax, and paid back by a later line", async () => {
  const [given, line] = await withLine(230);
  const deposit = { KeptAs: "Prepayment", AccountCode: "200", TaxType: "OUTPUT2" };
  await acted(given, line, "Match", { Lines: [deposit] });
  const [made] = (await given.ok("GET", "/Prepayments")).Prepayments;
  expect(made).toMatchObject({ Total: 230, TotalTax: 30, Type: "RECEIVE-PREPAYMENT" });
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: [{ Key: "2", Date: "2026-03-12", Amount: -230, Description: "deposit back" }],
  });
  const found: Json[] = (await given.ok("GET", lines)).BankStatementLines;
  const back = found.find(({ Amount }) => Amount === -230);
  await acted(given, back, "Match", {
    Documents: [{ Kind: "Prepayment", DocumentID: made.PrepaymentID }],
  });
  const [paid] = (await given.ok("GET", `/Prepayments/${made.PrepaymentID}`)).Prepayments;
  expect(paid).toMatchObject({ RemainingCredit: 0, Status: "PAID" });
  expect(await faultsIn(given)).toEqual([]);
});

test("an overpaid bill is kept as money at the supplier", async () => {
  const [given, line] = await withLine(-50);
  await acted(given, line, "Match", { Lines: [{ KeptAs: "Overpayment" }] });
  expect((await given.ok("GET", "/Overpayments")).Overpayments).toMatchObject([
    { RemainingCredit: 50, Type: "SPEND-OVERPAYMENT" },
  ]);
});

test("money is not kept against the direction of its line, nor a deposit without an account", async () => {
  const [given, line] = await withLine(70);
  const against = { Lines: [{ KeptAs: "Overpayment", Amount: -30 }, { AccountCode: "200" }] };
  expect(await refused(given, line, against)).toContain("has the direction of the line");
  const bare = { Lines: [{ KeptAs: "Prepayment" }] };
  expect(await refused(given, line, bare)).toContain("has an AccountCode");
});
