/** Aged receivables and payables of one contact: rows, days, as-at arithmetic, refusals. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { faultsOfReport } from "../../explain/figures.ts";
import { contact, type Json, paid, sale, type World, world } from "../../fixture.ts";
import { asKept, drawn, report } from "../report-text.ts";

/**
 * Three sales invoices of 115.00: of 27 February (due 20 March) open, of 5 March (due 31 March)
 * half paid on the 10th and the rest on 2 April, of 10 April; a bill and others that do not count.
 */
async function dealt(): Promise<{ given: World; party: Json }> {
  const given = await world();
  const party = await contact(given, { Name: "Moa Coffee" });
  const add = async (fields: object): Promise<Json> =>
    (await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED", ...fields })))
      .Invoices[0];
  await add({ Date: "2026-02-27", DueDate: "2026-03-20", InvoiceNumber: "S-1" });
  const second = await add({ Date: "2026-03-05", DueDate: "2026-03-31", InvoiceNumber: "S-2" });
  await paid(given, second, { Amount: 57.5, Date: "2026-03-10" });
  await paid(given, second, { Amount: 57.5, Date: "2026-04-02" });
  await add({ Date: "2026-04-10", DueDate: "2026-04-30", InvoiceNumber: "S-3" });
  await add({
    Type: "ACCPAY",
    Date: "2026-03-01",
    DueDate: "2026-03-02",
    InvoiceNumber: "B-9",
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 40, AccountCode: "429" }],
  });
  await add({ Status: "DRAFT", Date: "2026-03-03", InvoiceNumber: "D-1" });
  const gone = await add({ Date: "2026-03-04", InvoiceNumber: "V-1" });
  await given.ok("POST", `/Invoices/${gone.InvoiceID}`, { Status: "VOIDED" });
  const back = await add({ Date: "2026-03-06", DueDate: "2026-03-31", InvoiceNumber: "S-4" });
  const payment = await paid(given, back, { Date: "2026-03-08" });
  await given.ok("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" });
  const other = await contact(given);
  await given.ok("PUT", "/Invoices", sale(other, { Status: "AUTHORISED" }));
  return { given, party };
}

describe("aged receivables by contact", () => {
  test("aged receivables are as at the month's end, with payments until then and overdue amounts", async () => {
    const { given, party } = await dealt();
    const made = await report(given, "AgedReceivablesByContact", { contactID: party.ContactID });
    expect(made).toMatchObject({
      ReportID: "AgedReceivablesByContact",
      ReportName: "Aged Receivables By Contact",
      ReportType: "AgedReceivablesByContact",
      ReportTitles: [
        "Invoices",
        "Moa Coffee",
        "To 31 March 2026",
        "Showing payments to 31 March 2026",
      ],
      ReportDate: "1 March 2026",
    });
    expect(drawn(made)).toEqual([
      "H | Date | Number | Due Date | - | Total | Paid | Credited | Due",
      'S ""',
      "R | 2026-02-27T00:00:00 | S-1 | 2026-03-20T00:00:00 | 11 days overdue | 115.00 | 0.00 | 0.00 | 115.00",
      "R | 2026-03-05T00:00:00 | S-2 | 2026-03-31T00:00:00 | - | 115.00 | 57.50 | 0.00 | 57.50",
      "R | 2026-03-06T00:00:00 | S-4 | 2026-03-31T00:00:00 | - | 115.00 | 0.00 | 0.00 | 115.00",
      "T | Total | - | - | - | 345.00 | 57.50 | 0.00 | 287.50",
    ]);
  });

  test("aged receivables from a given day show an opening and a closing balance", async () => {
    const { given, party } = await dealt();
    const made = await report(given, "AgedReceivablesByContact", {
      contactid: party.ContactID,
      date: "2026-04-30",
      fromDate: "2026-03-06",
      toDate: "2026-4-30",
    });
    expect(made.ReportTitles.slice(2)).toEqual([
      "From 6 March 2026 to 30 April 2026",
      "Showing payments to 30 April 2026",
    ]);
    // Before the first day: 115.00 open of S-1; S-2 is fully paid by the end of April.
    expect(drawn(made)).toEqual([
      "H | Date | Number | Due Date | - | Total | Paid | Credited | Due",
      'S ""',
      "R | 2026-03-06T00:00:00 | Opening Balance | - | - | - | - | - | 115.00",
      'S ""',
      "R | 2026-03-06T00:00:00 | S-4 | 2026-03-31T00:00:00 | 30 days overdue | 115.00 | 0.00 | 0.00 | 115.00",
      "R | 2026-04-10T00:00:00 | S-3 | 2026-04-30T00:00:00 | - | 115.00 | 0.00 | 0.00 | 115.00",
      "T | Total | - | - | - | 230.00 | 0.00 | 0.00 | 230.00",
      'S ""',
      "T | Closing Balance | - | - | - | 230.00 | 0.00 | 0.00 | 345.00",
    ]);
  });

  test("each cell of a document in the aged report has the invoice id; totals and balances have none", async () => {
    const { given, party } = await dealt();
    const made = await report(given, "AgedReceivablesByContact", {
      contactID: party.ContactID,
      fromDate: "2026-02-01",
    });
    const [header, opening, documents, closing] = made.Rows;
    expect(header.Cells).toHaveLength(8);
    const [{ InvoiceID }] = (await given.ok("GET", "/Invoices/S-1")).Invoices;
    expect(documents.Rows[0].Cells).toHaveLength(8);
    for (const cell of documents.Rows[0].Cells) {
      expect(cell.Attributes).toEqual([{ Value: InvoiceID, Id: "invoiceID" }]);
    }
    for (const row of [opening.Rows[0], documents.Rows.at(-1), closing.Rows[0]]) {
      expect(row.Cells).toHaveLength(8);
      for (const cell of row.Cells) expect(cell.Attributes).toBeUndefined();
    }
  });

  test("a contact without documents has zero totals in the aged report", async () => {
    const given = await world();
    const party = await contact(given);
    const made = await report(given, "AgedPayablesByContact", { contactID: party.ContactID });
    expect(drawn(made).at(-1)).toBe("T | Total | - | - | - | 0.00 | 0.00 | 0.00 | 0.00");
  });

  test("the aged report's month end follows the day in the organisation's time zone", async () => {
    const given = await world();
    const party = await contact(given, { Name: "X" });
    // Noon of 31 March UTC is already April in Auckland.
    given.now = Date.UTC(2026, 2, 31, 12);
    const made = await report(given, "AgedReceivablesByContact", { contactID: party.ContactID });
    expect(made.ReportTitles[2]).toBe("To 30 April 2026");
  });
});

test("as accountants have it, the open documents of a contact stand in their buckets and come to its row among all contacts", async () => {
  const { given, party } = await dealt();
  given.now = Date.UTC(2026, 4, 2);
  const drawnOn = async (date: string) => {
    const days = { date, layout: "accountant" };
    const own = { ...days, contactID: party.ContactID };
    return {
      one: drawn(await report(given, "AgedReceivablesByContact", own)),
      row: drawn(await report(given, "AgedReceivables", days)).find((line) => /Moa/.test(line)),
    };
  };
  const { one, row } = await drawnOn("2026-04-30");
  expect(one).toEqual([
    "H | Date | Number | Due Date | Current | 1–30 | 31–60 | 61–90 | 91+ | Credits | Total",
    'S ""',
    "R | 2026-02-27T00:00:00 | S-1 | 2026-03-20T00:00:00 | 0.00 | 0.00 | 115.00 | 0.00 | 0.00 | 0.00 | 115.00",
    "R | 2026-03-06T00:00:00 | S-4 | 2026-03-31T00:00:00 | 0.00 | 115.00 | 0.00 | 0.00 | 0.00 | 0.00 | 115.00",
    "R | 2026-04-10T00:00:00 | S-3 | 2026-04-30T00:00:00 | 115.00 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 | 115.00",
    "T | Total | - | - | 115.00 | 115.00 | 115.00 | 0.00 | 0.00 | 0.00 | 345.00",
  ]);
  expect(row).toBe(one.at(-1)?.replace("T | Total | - | - |", "R | Moa Coffee |"));
  for (const date of ["2026-03-09", "2026-03-31", "2026-09-30"]) {
    const on = await drawnOn(date);
    expect(on.row).toBe(on.one.at(-1)?.replace("T | Total | - | - |", "R | Moa Coffee |"));
  }
});

test("a credit counts in aged receivables from the day of its allocation, unless that was reversed", async () => {
  const { given, party } = await dealt();
  const [{ InvoiceID }] = (await given.ok("GET", "/Invoices/S-1")).Invoices;
  given.isTampered = true;
  await given.book.store.write(given.book.org, async ({ db, org }) => {
    for (const [id, cents, date, status] of [
      ["a", 1500, "2026-03-10", "AUTHORISED"],
      ["b", 2000, "2026-04-01", "AUTHORISED"],
      ["c", 4000, "2026-03-10", "DELETED"],
    ] as const) {
      await sql`insert into allocation (org, id, credit_id, invoice_id, amount, date, credit_base,
          invoice_base, status, created_at)
        values (${org}, ${id}, 'x', ${InvoiceID}, ${cents}, ${date}, ${cents}, ${cents}, ${status}, 0)`.execute(
        db,
      );
    }
  });
  const first = async (date: string) =>
    drawn(
      await report(given, "AgedReceivablesByContact", { contactID: party.ContactID, date }),
    )[2]?.slice(-33);
  expect(await first("2026-03-09")).toContain("| 115.00 | 0.00 | 0.00 | 115.00");
  expect(await first("2026-03-31")).toContain("| 115.00 | 0.00 | 15.00 | 100.00");
  expect(await first("2026-04-30")).toContain("| 115.00 | 0.00 | 35.00 | 80.00");
});

describe("aged payables by contact", () => {
  test("aged payables show a bill by its number, or by its reference if it has none", async () => {
    const { given, party } = await dealt();
    const made = await report(given, "AgedPayablesByContact", { contactID: party.ContactID });
    expect(made.ReportName).toBe("Aged Payables By Contact");
    expect(drawn(made)).toEqual([
      "H | Date | Reference | Due Date | - | Total | Paid | Credited | Due",
      'S ""',
      "R | 2026-03-01T00:00:00 | B-9 | 2026-03-02T00:00:00 | 29 days overdue | 46.00 | 0.00 | 0.00 | 46.00",
      "T | Total | - | - | - | 46.00 | 0.00 | 0.00 | 46.00",
    ]);
  });
});

test.each<[number, Record<string, string>, string]>([
  [400, {}, "The parameter contactID is required."],
  [400, { contactID: "" }, "The parameter contactID is required."],
  [400, { contactID: "Moa" }, "The parameter contactID must be a GUID, not 'Moa'."],
  [
    404,
    { contactID: "11111111-1111-4111-8111-111111111111" },
    "There is no contact 11111111-1111-4111-8111-111111111111.",
  ],
])("the aged report is answered with %i for the parameters %j", async (status, query, message) => {
  const given = await world();
  for (const name of ["AgedReceivablesByContact", "AgedPayablesByContact"]) {
    const answer = await given.ask("GET", `/Reports/${name}`, undefined, { query });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
  }
});

test.each<Record<string, string>>([
  { date: "soon" },
  { fromDate: "2026-02-30" },
  { toDate: "1" },
  { fromDate: "2026-03-02", toDate: "2026-03-01" },
  { fromDate: "2026-05-01" },
])("the aged report is refused for the days %j", async (days) => {
  const given = await world();
  const { ContactID } = await contact(given);
  const query = { contactID: ContactID, ...days };
  await given.refused("GET", "/Reports/AgedReceivablesByContact", undefined, { query });
});

test("the aged receivables and payables reports match their golden files, in JSON and XML", async () => {
  const { given, party } = await dealt();
  const query = { contactID: party.ContactID, fromDate: "2026-03-01", toDate: "2026-03-31" };
  await asKept(given, "/Reports/AgedReceivablesByContact", query, "AgedReceivablesByContact");
  await asKept(given, "/Reports/AgedPayablesByContact", query, "AgedPayablesByContact");
});

test("a payment dated before its invoice counts from its own day, in both aged reports and the ledger", async () => {
  const given = await world();
  const party = await contact(given, { Name: "Moa Coffee" });
  const made = async (day: string, InvoiceNumber: string) =>
    (
      await given.ok(
        "PUT",
        "/Invoices",
        sale(party, { Status: "AUTHORISED", Date: day, DueDate: "2026-04-30", InvoiceNumber }),
      )
    ).Invoices[0];
  await made("2026-03-05", "S-1");
  await paid(given, await made("2026-04-10", "S-2"), { Amount: 100, Date: "2026-03-20" });
  const of = async (date: string) =>
    drawn(
      await report(given, "AgedReceivablesByContact", { contactID: party.ContactID, date }),
    ).slice(2);
  expect(await of("2026-03-31")).toEqual([
    "R | 2026-03-05T00:00:00 | S-1 | 2026-04-30T00:00:00 | - | 115.00 | 0.00 | 0.00 | 115.00",
    "R | 2026-04-10T00:00:00 | S-2 | 2026-04-30T00:00:00 | - | 0.00 | 100.00 | 0.00 | -100.00",
    "T | Total | - | - | - | 115.00 | 100.00 | 0.00 | 15.00",
  ]);
  for (const [date, due] of [
    ["2026-03-19", "115.00"],
    ["2026-03-31", "15.00"],
    ["2026-04-10", "130.00"],
  ] as const) {
    expect((await of(date)).at(-1)?.split(" | ").at(-1)).toBe(due);
    const all = drawn(await report(given, "AgedReceivables", { date }));
    expect(
      all
        .find((each) => each.startsWith("T | Total"))
        ?.split(" | ")
        .at(-1),
    ).toBe(due);
    const query = { contactID: party.ContactID, date };
    expect(await faultsOfReport(given, "AgedReceivablesByContact", query)).toMatchObject({
      faults: [],
    });
  }
});

test("the aged balances of all contacts sum to the receivables and payables control accounts", async () => {
  const { given } = await dealt();
  const { Contacts } = await given.ok("GET", "/Contacts");
  for (const date of ["2026-02-28", "2026-03-31", "2026-04-30"]) {
    const sheet = await report(given, "BalanceSheet", { date });
    for (const [name, account] of [
      ["AgedReceivablesByContact", "Accounts Receivable"],
      ["AgedPayablesByContact", "Accounts Payable"],
    ] as const) {
      let due = 0;
      for (const { ContactID } of Contacts) {
        const made = await report(given, name, { contactID: ContactID, date });
        due += Math.round(Number(drawn(made).at(-1)?.split(" | ").at(-1)) * 100);
      }
      const line = drawn(sheet).find((each) => each.startsWith(`R | ${account} |`));
      expect((due / 100).toFixed(2)).toBe(line?.split(" | ")[2] ?? "0.00");
    }
  }
});
