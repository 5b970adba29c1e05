/** Whatever lines of a random business are reconciled with: taken back, the book is as before. */
import { expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

/** All that the book says, but for ids and moments. */
async function state(given: World): Promise<unknown> {
  const listed = async (path: string, query: Record<string, string>) =>
    (await given.ok("GET", path, undefined, { query })) as Json;
  const due = (await listed("/Invoices", { pageSize: "1000", page: "1" })).Invoices.map(
    ({ InvoiceID, Status, AmountDue, AmountPaid }: Json) =>
      [InvoiceID, Status, AmountDue, AmountPaid].join(),
  );
  const live = { where: 'Status=="AUTHORISED"' };
  const payments = (await listed("/Payments", live)).Payments.map(
    ({ PaymentID, IsReconciled }: Json) => [PaymentID, IsReconciled].join(),
  );
  const money = (await listed("/BankTransactions", live)).BankTransactions.map(
    ({ BankTransactionID, IsReconciled }: Json) => [BankTransactionID, IsReconciled].join(),
  );
  return {
    due: due.sort(),
    payments: payments.sort(),
    money: money.sort(),
    accrual: await reportRows(given, "TrialBalance", { date: "2026-12-31" }),
    cash: await reportRows(given, "TrialBalance", { date: "2026-12-31", paymentsOnly: "true" }),
  };
}

test.each(firstOf([3, 17]))(
  "reconciling all bank lines of a business and undoing it leaves the book as before, seed %i",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    const business = await opened(given);
    await simulate(business, { from: "2026-03-01", to: "2026-06-30", count: 150, seed });
    // What is paid in the book on this account, and what is still open, comes to the bank.
    const before = await state(given);
    const { BankTransactions } = await given.ok("GET", "/BankTransactions", undefined, {
      query: { where: 'Status=="AUTHORISED"' },
    });
    const money = BankTransactions.filter(
      ({ BankAccount, Type }: Json) => BankAccount.Code === "090" && !/TRANSFER/.test(Type),
    ).map(({ Type, Total, DateString, Contact }: Json) => ({
      Date: DateString.slice(0, 10),
      Amount: Type.startsWith("SPEND") ? -Total : Total,
      Payee: Contact.Name,
    }));
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      query: { where: 'Status=="AUTHORISED" AND CurrencyCode=="NZD"', page: "1" },
    });
    const open = Invoices.filter(({ AmountDue }: Json) => AmountDue > 0).map(
      ({ Type, AmountDue, InvoiceNumber, Contact }: Json) => ({
        Date: "2026-07-31",
        Amount: Type === "ACCREC" ? AmountDue : -AmountDue,
        Payee: Contact.Name,
        Description: InvoiceNumber,
      }),
    );
    const sent = [...money, ...open, { Date: "2026-07-31", Amount: -12, Payee: "Post" }];
    await given.ok("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      StatementLines: sent.map((line, place) => ({ ...line, Key: String(place) })),
    });
    await given.ok("POST", `${lines}/Reconcile`, undefined, { query: { account: "090" } });
    const listed = async (status: string): Promise<Json[]> =>
      (
        await given.ok("GET", lines, undefined, {
          query: { where: `Status=="${status}"`, page: "1", pageSize: "1000" },
        })
      ).BankStatementLines;
    // What no program decides, a person books to an account.
    for (const { BankStatementLineID } of (await listed("UNRECONCILED")).slice(0, 5)) {
      await given.ok("POST", `${lines}/${BankStatementLineID}/Match`, {
        Lines: [{ AccountCode: "429" }],
      });
    }
    const done = await listed("RECONCILED");
    expect(done.length).toBeGreaterThan(10);
    expect(await faultsIn(given)).toEqual([]);
    expect(await state(given)).not.toEqual(before);
    for (const { BankStatementLineID } of done) {
      await given.ok("POST", `${lines}/${BankStatementLineID}/Unmatch`);
    }
    expect(await state(given)).toEqual(before);
    expect(await faultsIn(given)).toEqual([]);
  },
);
