/** Lines whose money is in another currency elsewhere: the bank's own amounts are kept to the cent. */
import { expect, test } from "vitest";
import { contact, faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

/** A book with a dollar account, 093, at 0.6 dollars for one of the book. */
async function withDollars(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "USD" });
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-03-01", Rate: 0.6 });
  await given.ok("PUT", "/Accounts", {
    Code: "093",
    Name: "Dollars",
    Type: "BANK",
    BankAccountNumber: "12-93",
    CurrencyCode: "USD",
  });
  return given;
}

async function line(given: World, account: string, Amount: number): Promise<string> {
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: account },
    StatementLines: [{ Key: `${account} ${Amount}`, Date: "2026-03-10", Amount, Payee: "Own" }],
  });
  const found = (await given.ok("GET", lines)).BankStatementLines;
  return found.find((each: Json) => each.Amount === Amount).BankStatementLineID;
}

const match = (given: World, id: string, body: object) =>
  given.ok("POST", `${lines}/${id}/Match`, body);

const transfers = async (given: World): Promise<Json[]> =>
  (await given.ok("GET", "/BankTransfers")).BankTransfers;

test("a transfer from a dollar account has the base amount that the bank gave, on both accounts", async () => {
  const given = await withDollars();
  const out = await line(given, "093", -600);
  await match(given, out, { TransferAccount: { Code: "090" }, TransferAmount: 978.36 });
  const [made] = await transfers(given);
  expect(made).toMatchObject({ Amount: 600, CurrencyRate: 0.613271, FromIsReconciled: true });
  expect(
    await reportRows(given, "BankSummary", { fromDate: "2026-03-01", toDate: "2026-03-31" }),
  ).toMatchObject({
    "Business Account": expect.arrayContaining(["978.36"]),
  });
  expect(await faultsIn(given)).toEqual([]);
});

test("a transfer between currencies has the same amounts when made from the receiving bank line", async () => {
  const given = await withDollars();
  const in_ = await line(given, "090", 978.36);
  await match(given, in_, { TransferAccount: { Code: "093" }, TransferAmount: 600 });
  const [made] = await transfers(given);
  expect(made).toMatchObject({ Amount: 600, CurrencyRate: 0.613271, ToIsReconciled: true });
  expect(await faultsIn(given)).toEqual([]);
});

test("a transfer without the amount in the other currency uses the exchange rate of the day", async () => {
  const given = await withDollars();
  await match(given, await line(given, "090", 1000), { TransferAccount: { Code: "093" } });
  expect(await transfers(given)).toMatchObject([{ Amount: 600, CurrencyRate: 0.6 }]);
  expect(await faultsIn(given)).toEqual([]);
});

test("a transfer between accounts of one currency has the same amount on both", async () => {
  const given = await withDollars();
  const id = await line(given, "090", -50);
  expect(
    await given.refused("POST", `${lines}/${id}/Match`, {
      TransferAccount: { Code: "091" },
      TransferAmount: 49,
    }),
  ).toEqual(["Both accounts are in NZD: what leaves one comes to the other."]);
  await match(given, id, { TransferAccount: { Code: "091" }, TransferAmount: 50 });
  expect(await transfers(given)).toMatchObject([{ Amount: 50, CurrencyRate: 1 }]);
});

test("a transfer at a rate far from the rate of the day is refused, unless that is the stored rate of the day", async () => {
  const given = await withDollars();
  await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    InvoiceNumber: "INV-0500",
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    CurrencyCode: "USD",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  });
  const id = await line(given, "090", 400);
  const sentence =
    "It would be at a rate of 0.25 USD, but that of 2026-03-10 is 0.6; where the line is right, keep its rate first (acct currency rate).";
  const paid = { Documents: [{ Number: "INV-0500" }] };
  expect(await given.refused("POST", `${lines}/${id}/Match`, paid)).toEqual([sentence]);
  const moved = { TransferAccount: { Code: "093" }, TransferAmount: 100 };
  expect(await given.refused("POST", `${lines}/${id}/Match`, moved)).toEqual([sentence]);
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-03-10", Rate: 0.25 });
  await match(given, id, paid);
});

test("the payment of a foreign document from an account in another foreign currency is refused", async () => {
  const given = await withDollars();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    InvoiceNumber: "INV-0500",
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    CurrencyCode: "EUR",
    CurrencyRate: 0.55,
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  });
  const id = await line(given, "093", 60);
  const [refused] = await given.refused("POST", `${lines}/${id}/Match`, {
    Documents: [{ Number: "INV-0500" }],
  });
  expect(refused).toContain("A document in EUR cannot be paid from an account in USD");
});

test.each([
  ["in dollars, on the account of the book", "USD", "090", 987_654.31],
  ["of the book, on the dollar account", undefined, "093", 345_678.9],
])(
  "a large invoice %s is paid by exactly the amount of the bank line",
  async (_what, currency, account, Amount) => {
    const given = await withDollars();
    const answer = await given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      InvoiceNumber: "INV-0500",
      Contact: await contact(given),
      Date: "2026-03-01",
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      LineAmountTypes: "NoTax",
      ...(currency && { CurrencyCode: currency }),
      LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 600_000.01, AccountCode: "200" }],
    });
    await match(given, await line(given, account, Amount), {
      Documents: [{ Number: "INV-0500" }],
    });
    const { InvoiceID } = answer.Invoices[0];
    const [paid] = (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices;
    expect(paid).toMatchObject({ Status: "PAID", AmountDue: 0 });
    const [{ PaymentID }] = paid.Payments;
    const [payment] = (await given.ok("GET", `/Payments/${PaymentID}`)).Payments;
    expect(payment).toMatchObject({ Amount: 600_000.01, BankAmount: Amount });
    expect(await faultsIn(given)).toEqual([]);
  },
);

test("a bank statement with fractions of a yen in a line or a balance is refused as a whole", async () => {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "JPY" });
  const yen = { Code: "094", Name: "Yen", Type: "BANK", BankAccountNumber: "12-94" };
  await given.ok("PUT", "/Accounts", { ...yen, CurrencyCode: "JPY" });
  const sent = (Amount: number, OpeningBalance: number) => ({
    BankAccount: { Code: "094" },
    OpeningBalance,
    StatementLines: [
      { Key: "a", Date: "2026-03-10", Amount: 200 },
      { Key: "b", Date: "2026-03-11", Amount },
    ],
  });
  const address = "/Extensions/BankStatements";
  for (const [body, field] of [
    [sent(100.55, 0), "Amount of 11 Mar 2026 100.55"],
    [sent(100, 0.5), "OpeningBalance 0.50"],
  ] as const) {
    const refused = await given.ask("PUT", address, body);
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([
      400,
      expect.stringContaining(
        `The ${field} has decimal places, which JPY has not; give a whole amount.`,
      ),
    ]);
  }
  expect((await given.ok("GET", lines)).BankStatementLines).toEqual([]);
  await given.ok("PUT", address, sent(100, 0));
});
