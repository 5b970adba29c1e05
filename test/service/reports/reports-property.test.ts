/**
 * Whatever is done to the books, the reports agree with each other.
 *
 * Random invoices, bills, payments and their undoing go through the service; then, at the ends of
 * three months, the identities hold that readers of the reports rely on.
 */
import { expect, test } from "vitest";
import { fc } from "../../support/properties.ts";
import { contact, type Json, reportRows, sale, type World, world } from "../fixture.ts";
import { drawn, report } from "./report-text.ts";

type Step =
  | { do: "document"; sales: boolean; party: number; day: number; lines: [number, string][] }
  | { do: "pay"; which: number; part: number; day: number }
  | { do: "unpay"; which: number }
  | { do: "void"; which: number };

const dayOf = (n: number) =>
  `2026-0${2 + Math.floor(n / 28)}-${String(1 + (n % 28)).padStart(2, "0")}`;
const days = fc.nat(83);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("document" as const),
      sales: fc.boolean(),
      party: fc.nat(1),
      day: days,
      lines: fc.array(
        fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.constantFrom("one", "two", "zero")),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      which: fc.nat(20),
      part: fc.integer({ min: 1, max: 100 }),
      day: days,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("unpay" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("void" as const), which: fc.nat(20) }) },
);

/** Accounts and tax of a line: two that are taxed and one that is not. */
const kinds = {
  sales: { one: ["200", "OUTPUT2"], two: ["260", "OUTPUT2"], zero: ["200", "ZERORATED"] },
  bills: { one: ["469", "INPUT2"], two: ["310", "INPUT2"], zero: ["429", "NONE"] },
} as const;

async function take(given: World, parties: Json[], each: Step, made: Json[], payments: string[]) {
  const found = (which: number) => made[which % Math.max(1, made.length)];
  switch (each.do) {
    case "document": {
      const lines = kinds[each.sales ? "sales" : "bills"];
      const body = sale(parties[each.party], {
        Type: each.sales ? "ACCREC" : "ACCPAY",
        Status: "AUTHORISED",
        Date: dayOf(each.day),
        DueDate: "2026-05-01",
        LineItems: each.lines.map(([cents, kind]) => {
          const [AccountCode, TaxType] = lines[kind as keyof typeof lines];
          const line = { Description: "x", Quantity: 1, AccountCode, TaxType };
          return { ...line, UnitAmount: cents / 100 };
        }),
      });
      made.push((await given.ok("PUT", "/Invoices", body)).Invoices[0]);
      return;
    }
    case "pay": {
      const id = found(each.which)?.InvoiceID ?? "none";
      const answer = await given.ask("GET", `/Invoices/${id}`);
      if (answer.status !== 200) return;
      const { AmountDue: due, DateString } = answer.json.Invoices[0];
      // What is paid in advance is on the control account before its document is due on it.
      const later = [DateString.slice(0, 10), dayOf(each.day)].sort()[1];
      const paid = await given.ask("PUT", "/Payments", {
        Invoice: { InvoiceID: id },
        Account: { Code: each.which % 2 === 0 ? "090" : "091" },
        Date: later,
        Amount: Math.round(due * each.part) / 100,
      });
      if (paid.status === 200) payments.push(paid.json.Payments[0].PaymentID);
      return;
    }
    case "unpay":
      await given.ask("POST", `/Payments/${payments[each.which % Math.max(1, payments.length)]}`, {
        Status: "DELETED",
      });
      return;
    case "void":
      await given.ask("POST", `/Invoices/${found(each.which)?.InvoiceID}`, { Status: "VOIDED" });
  }
}

const cents = (text: string | undefined) => Math.round(Number(text ?? "0") * 100);
const lastFigure = (made: Json) => cents(drawn(made).at(-1)?.split(" | ").at(-1));

async function checkMonth(given: World, parties: Json[], from: string, to: string): Promise<void> {
  for (const paymentsOnly of ["false", "true"]) {
    const trial = (await reportRows(given, "TrialBalance", { date: to, paymentsOnly })).Total;
    expect(trial?.[0]).toBe(trial?.[1]);
    expect(trial?.[2]).toBe(trial?.[3]);
    const sheet = await reportRows(given, "BalanceSheet", { date: to, paymentsOnly });
    expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"]);
    const profit = await reportRows(given, "ProfitAndLoss", {
      fromDate: to < "2026-04" ? "2025-04-01" : "2026-04-01",
      toDate: to,
      paymentsOnly,
    });
    expect(sheet["Current Year Earnings"]?.[0] ?? "0.00").toBe(profit["Net Profit"]?.[0]);
  }
  const sheet = await reportRows(given, "BalanceSheet", { date: to });
  const bank = await report(given, "BankSummary", { fromDate: from, toDate: to });
  expect(lastFigure(bank)).toBe(cents(sheet["Total Bank"]?.[0]));
  for (const [name, control] of [
    ["AgedReceivablesByContact", "Accounts Receivable"],
    ["AgedPayablesByContact", "Accounts Payable"],
  ] as const) {
    let due = 0;
    for (const { ContactID } of parties) {
      const query = { contactID: ContactID, date: to };
      const whole = lastFigure(await report(given, name, query));
      // Whatever day the documents begin on, opening and closing come to the same.
      const split = await report(given, name, { ...query, fromDate: from });
      expect(lastFigure(split)).toBe(whole);
      due += whole;
    }
    expect(due).toBe(cents(sheet[control]?.[0]));
    const all = name.replace("ByContact", "");
    for (const by of ["due", "invoice"]) {
      const rows = await reportRows(given, all, { date: to, by });
      expect(cents(rows.Total?.at(-1))).toBe(due);
      expect(rows.Difference?.at(-1)).toBe("0.00");
    }
  }
  await checkSummary(given, from, to, sheet);
  await checkReturn(given, from, to);
}

async function checkSummary(
  given: World,
  from: string,
  to: string,
  sheet: Record<string, string[]>,
) {
  const summary = await reportRows(given, "ExecutiveSummary", { date: to });
  const profit = await reportRows(given, "ProfitAndLoss", { fromDate: from, toDate: to });
  expect(summary["Profit (loss)"]?.[0]).toBe(profit["Net Profit"]?.[0]);
  expect(summary["Net assets"]?.[0]).toBe(sheet["Net Assets"]?.[0]);
  expect(summary.Debtors?.[0]).toBe(sheet["Accounts Receivable"]?.[0] ?? "0.00");
}

/** What is sold with tax less the tax in it is what the profit and loss earns. */
async function checkReturn(given: World, from: string, to: string): Promise<void> {
  const query = { fromDate: from, toDate: to };
  const [made] = (await given.ok("GET", "/Reports/GSTReturn", undefined, { query })).Reports;
  const box = (id: string) => cents(made.Fields.find(({ FieldID }: Json) => FieldID === id).Value);
  const profit = await reportRows(given, "ProfitAndLoss", {
    ...query,
    paymentsOnly: String(made.Fields[1].Value === "Payments"),
  });
  const earned = cents(profit["Total Income"]?.[0]);
  // The form takes 3/23 of the sum, the ledger 15 % of each line.
  const lines = 200;
  expect(Math.abs(box("5") - box("8") - earned)).toBeLessThan(lines);
  expect(box("7")).toBe(box("5") - box("6"));
  expect(box("15")).toBe(box("10") - box("14"));
}

test("after any operations, the reports agree with each other", { timeout: 600_000 }, async () => {
  let documents = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const given = await world();
      const parties = [await contact(given), await contact(given)];
      const made: Json[] = [];
      const payments: string[] = [];
      for (const each of steps) await take(given, parties, each, made, payments);
      documents += made.length;
      await checkMonth(given, parties, "2026-02-01", "2026-02-28");
      await checkMonth(given, parties, "2026-03-01", "2026-03-31");
      await checkMonth(given, parties, "2026-04-01", "2026-04-30");
      await given.book.close();
    }),
    { numRuns: 12 },
  );
  expect(documents).toBeGreaterThan(20);
});
