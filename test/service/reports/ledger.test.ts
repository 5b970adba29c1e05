/** The account ledger: rows of postings, and its agreement with the trial balance. */
import { describe, expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { contact, type Json, paid, reportRows, sale, type World, world } from "../fixture.ts";

const path = "/Extensions/AccountTransactions";

/** All pages, with rows of `pageSize` at a time. */
async function ledger(
  given: World,
  query: Readonly<Record<string, string>>,
  pageSize = "1000",
): Promise<Json[]> {
  const rows: Json[] = [];
  for (let after: string | undefined; ; ) {
    const asked = { ...query, pageSize, ...(after === undefined ? {} : { after }) };
    const page = (await given.ok("GET", path, undefined, { query: asked })).AccountTransactions;
    after = page.at(-1)?.Next;
    rows.push(...page.map(({ Next: _next, ...row }: Json) => row));
    if (after === undefined) return rows;
  }
}

const cents = (amount: number | string = 0) => Math.round(Number(amount || 0) * 100);

describe("the ledger report of an account", () => {
  const march = { fromDate: "2026-03-01", toDate: "2026-03-31" };
  const text = (row: Json) =>
    [row.Source, row.Number, row.Contact, row.Reference, row.OtherAccount, row.Debit, row.Credit]
      .map((each) => each ?? "")
      .join(" | ");

  test("the postings of one journal or one record are listed whatever their date, with their document", async () => {
    const given = await world();
    const party = await contact(given, { Name: "Moa Coffee" });
    const made = async (own: object) =>
      (await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED", ...own })))
        .Invoices[0];
    const first = await made({ Date: "2024-02-10", InvoiceNumber: "S-1" });
    await made({ Date: "2026-03-05", InvoiceNumber: "S-2" });
    const payment = await paid(given, first, { Date: "2025-03-20" });
    const rows = await ledger(given, { record: first.InvoiceID });
    expect(rows.map((row) => [row.JournalNumber, row.Source, row.DocumentKind])).toEqual([
      [1, "ACCREC", "Invoice"],
      [1, "ACCREC", "Invoice"],
      [1, "ACCREC", "Invoice"],
      [3, "ACCRECPAYMENT", "Invoice"],
      [3, "ACCRECPAYMENT", "Invoice"],
    ]);
    expect(new Set(rows.map(({ DocumentID }) => DocumentID))).toEqual(new Set([first.InvoiceID]));
    expect(new Set(rows.map(({ DocumentType }) => DocumentType))).toEqual(new Set(["ACCREC"]));
    const ofPayment = await ledger(given, { record: payment.PaymentID });
    expect(ofPayment).toEqual(rows.slice(3));
    expect(await ledger(given, { journal: "3" })).toEqual(rows.slice(3));
    expect(await ledger(given, { journal: "3" }, "1")).toEqual(rows.slice(3));
    expect(await ledger(given, { record: first.InvoiceID, fromDate: "2025-01-01" })).toEqual(
      rows.slice(3),
    );
    expect(await ledger(given, { journal: "99" })).toEqual([]);
    await given.ok("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" });
    expect(await ledger(given, { journal: "3" })).toEqual([]);
    expect(await ledger(given, { journal: "3", undone: "true" })).toHaveLength(2);
  });

  test.each([
    [{ journal: "0" }, "The parameter journal must be a whole number"],
    [{ record: "INV-1" }, "The parameter record must be a GUID, not 'INV-1'."],
    [{ journal: "1", order: "account" }, "are in the order of journals."],
    [{ journal: "1", accounts: "200" }, "every account is shown."],
  ])(
    "the postings of one journal or record are refused with the parameters %j",
    async (query, message) => {
      const given = await world();
      expect(await given.refused("GET", path, undefined, { query: query as never })).toEqual([
        expect.stringContaining(message),
      ]);
    },
  );

  test("the postings of an account are listed with their documents, between opening and closing balance", async () => {
    const given = await world();
    const party = await contact(given, { Name: "Moa Coffee" });
    const add = async (own: object) =>
      (await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED", ...own })))
        .Invoices[0];
    await add({ Date: "2026-02-10", InvoiceNumber: "S-1" });
    const second = await add({ Date: "2026-03-05", InvoiceNumber: "S-2", Reference: "PO 7" });
    const gone = await add({ Date: "2026-03-06", InvoiceNumber: "S-3" });
    await given.ok("POST", `/Invoices/${gone.InvoiceID}`, { Status: "VOIDED" });
    await paid(given, second, { Date: "2026-03-20", Reference: "Thanks" });
    const rows = await ledger(given, { ...march, accounts: "610" });
    expect(rows.map(text)).toEqual([
      "OPENING |  |  |  |  |  | ",
      "ACCREC | S-2 | Moa Coffee | PO 7 | Split | 115 | ",
      "ACCRECPAYMENT | S-2 | Moa Coffee | Thanks | 090 |  | 115",
      "CLOSING |  |  |  |  |  | ",
    ]);
    expect(rows.map(({ Balance }) => Balance)).toEqual([115, 230, 115, 115]);
    const undone = await ledger(given, { ...march, accounts: "610", undone: "true" });
    expect(undone.slice(2, 4).map(text)).toEqual([
      "ACCREC | S-3 | Moa Coffee | S-3 | Split | 115 | ",
      "ACCREC | S-3 | Moa Coffee | S-3 | Split | -115 | ",
    ]);
    const cash = await ledger(given, { ...march, accounts: "200", paymentsOnly: "true" });
    expect(cash.map(({ Source, Credit, Balance }) => [Source, Credit, Balance])).toEqual([
      ["OPENING", undefined, 0],
      ["ACCRECPAYMENT", 100, -100],
      ["CLOSING", undefined, -100],
    ]);
    const journals = await ledger(given, { ...march, order: "journal" }, "2");
    expect(
      journals.map(({ JournalNumber, AccountCode }) => `${JournalNumber} ${AccountCode}`),
    ).toEqual(["2 610", "2 200", "2 820", "5 090", "5 610"]);
  });

  test("the ledger report is refused for invalid parameters", async () => {
    const given = await world();
    const refused = (query: Readonly<Record<string, string>>) =>
      given.refused("GET", path, undefined, { query });
    expect(await refused({ accounts: "200,999" })).toEqual(["There is no account 999."]);
    expect(await refused({ after: "x|y" })).toEqual([
      "The parameter after must be the Next of a page before.",
    ]);
    expect(await refused({ accounts: "200", order: "journal" })).toEqual([
      "In the order of journals every account is shown.",
    ]);
    expect(await refused({ fromDate: "2026-04-01", toDate: "2026-03-01" })).toEqual([
      "The fromDate must not be after the toDate.",
    ]);
  });
});

/** Balances by account name, debit positive. */
async function trialBalance(given: World, query: Readonly<Record<string, string>>) {
  const rows = await reportRows(given, "TrialBalance", query);
  return new Map(
    Object.entries(rows).flatMap(([name, cells]) => {
      const amount = cents(cells.at(-2)) - cents(cells.at(-1));
      return name === "Total" || amount === 0 ? [] : [[name, amount] as const];
    }),
  );
}

const nameOf = ({ AccountName, AccountCode }: Json) =>
  AccountCode === undefined ? AccountName : `${AccountName} (${AccountCode})`;

test.each(
  firstOf([
    [1, "false"],
    [2, "true"],
  ] as const),
)(
  "whatever a business records, the ledger report closes as the trial balance (seed %i, cash basis %s)",
  { timeout: 600_000 },
  async (seed, paymentsOnly) => {
    const given = await world();
    const business = await opened(given);
    // The year ends in March: the range holds a year's end and rates of two days.
    await simulate(business, { from: "2026-02-15", to: "2026-06-20", count: 200, seed });
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-10", Rate: 0.7 });
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-05-20", Rate: 0.8 });
    for (const [fromDate, toDate] of [
      ["2026-03-12", "2026-06-30"],
      ["2026-04-01", "2026-04-30"],
      ["2026-02-01", "2026-03-31"],
    ] as const) {
      const query = { fromDate, toDate, paymentsOnly };
      const rows = await ledger(given, query, "7");
      expect(rows).toEqual(await ledger(given, query));
      const closing = rows.filter(({ Source }) => Source === "CLOSING");
      expect(
        new Map(
          closing.flatMap((row) =>
            row.Balance === 0 ? [] : [[nameOf(row), cents(row.Balance)] as const],
          ),
        ),
      ).toEqual(await trialBalance(given, { date: toDate, paymentsOnly }));
      const summary = await reportRows(given, "GeneralLedger", query);
      for (const [id, own] of Map.groupBy(rows, ({ AccountID }) => AccountID)) {
        let balance = 0;
        let [debit, credit] = [0, 0];
        for (const row of own) {
          if (row.Source === "OPENING") balance = cents(row.Balance);
          debit += cents(row.Debit);
          credit += cents(row.Credit);
          balance += cents(row.Debit) - cents(row.Credit);
          expect(cents(row.Balance), `${id} ${row.Date}`).toBe(balance);
        }
        const [, , , , net, last] = summary[own[0].AccountCode] ?? [];
        expect(cents(net)).toBe(debit - credit);
        expect(cents(last)).toBe(balance);
      }
      const days = rows.map(({ Date: day }) => day);
      expect(days.length).toBeGreaterThan(40);
    }
    // As posted: every journal once, each in balance.
    const all = { fromDate: "2026-01-01", toDate: "2026-12-31", paymentsOnly, undone: "true" };
    const posted = await ledger(given, { ...all, order: "journal" }, "100");
    const byJournal = Map.groupBy(posted, ({ JournalNumber }) => JournalNumber);
    expect([...byJournal.keys()]).toEqual([...byJournal.keys()].map((_, at) => at + 1));
    for (const own of byJournal.values()) {
      expect(own.reduce((sum, row) => sum + cents(row.Debit) - cents(row.Credit), 0)).toBe(0);
    }
    const hidden = await ledger(given, { ...all, undone: "false", order: "journal" });
    expect(hidden.length).toBeLessThan(posted.length);
  },
);
