/** Statements of account: outstanding, activity, and their agreement with the ageing. */
import { describe, expect, test } from "vitest";
import { firstOf } from "../../../support/properties.ts";
import { opened, simulate } from "../../business.ts";
import { contact, type Json, paid, world } from "../../fixture.ts";
import { drawn, report } from "../report-text.ts";
import { document } from "../tax/returns.ts";

const line = { Description: "x", Quantity: 1, UnitAmount: 40, AccountCode: "200", TaxType: "NONE" };

/** An invoice of February half paid, one of March, a credit note, and a prepayment that is applied. */
async function traded() {
  const given = await world();
  const party = await contact(given, { Name: "Moa Coffee" });
  const Contact = { ContactID: party.ContactID };
  const sold = (own: object, amount: number) =>
    document(given, party, own, [["200", amount, "NONE"]]);
  const first = await sold(
    { Date: "2026-02-10", DueDate: "2026-02-20", InvoiceNumber: "S-1", Reference: "PO 7" },
    100,
  );
  const second = await sold(
    { Date: "2026-03-05", DueDate: "2026-03-31", InvoiceNumber: "S-2" },
    300,
  );
  await paid(given, first, { Date: "2026-03-02", Amount: 50, Reference: "Thanks" });
  await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    CreditNoteNumber: "C-1",
    Contact,
    Date: "2026-03-10",
    Status: "AUTHORISED",
    LineItems: [line],
  });
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE-PREPAYMENT",
    Contact,
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineAmountTypes: "NoTax",
    LineItems: [{ ...line, AccountCode: "835", UnitAmount: 60 }],
  });
  await given.ok("PUT", `/Prepayments/${BankTransactions[0].PrepaymentID}/Allocations`, {
    Allocations: [{ Invoice: { InvoiceID: second.InvoiceID }, Amount: 60 }],
  });
  return { given, contactID: party.ContactID };
}

const ageing = (...amounts: string[]) =>
  ["Current", "1–30", "31–60", "61–90", "91+", "Credits", "Total"].map(
    (label, at) =>
      `${label === "Total" ? "T" : "R"} | ${label} | - | - | - | - | - | ${amounts[at]}`,
  );

describe("a statement", () => {
  test("a customer statement as at a day has the open documents, credits as negative amounts, and ageing of today where it is still to come", async () => {
    const { given, contactID } = await traded();
    const made = await report(given, "Statement", { contactID, date: "2026-03-31" });
    expect(made.ReportTitles).toEqual([
      "Statement",
      expect.any(String),
      "Moa Coffee",
      "As at 31 March 2026",
    ]);
    expect(drawn(made)).toEqual([
      "H | Date | Number | Reference | Due | Amount | Paid | Balance",
      'S "NZD"',
      "R | 10 Feb 2026 | S-1 | PO 7 | 20 Feb 2026 | 100.00 | 50.00 | 50.00",
      "R | 5 Mar 2026 | S-2 | - | 31 Mar 2026 | 300.00 | 60.00 | 240.00",
      "R | 10 Mar 2026 | C-1 | - | - | -40.00 | 0.00 | -40.00",
      "T | Due | - | - | - | - | - | 250.00",
      'S "Ageing in NZD at 1 Mar 2026"',
      ...ageing("240.00", "50.00", "0.00", "0.00", "0.00", "-40.00", "250.00"),
    ]);
  });

  test("a customer statement of a period goes from an opening to a closing balance", async () => {
    const { given, contactID } = await traded();
    const query = { contactID, fromDate: "2026-03-01", toDate: "2026-03-31" };
    expect(drawn(await report(given, "Statement", query)).slice(0, 9)).toEqual([
      "H | Date | Activity | Number | Reference | Due | Amount | Balance",
      'S "NZD"',
      "R | 1 Mar 2026 | Opening balance | - | - | - | - | 100.00",
      "R | 2 Mar 2026 | Payment | S-1 | Thanks | - | -50.00 | 50.00",
      "R | 5 Mar 2026 | Invoice | S-2 | - | 31 Mar 2026 | 300.00 | 350.00",
      "R | 5 Mar 2026 | Prepayment applied | - | - | - | -60.00 | 290.00",
      "R | 10 Mar 2026 | Credit note | C-1 | - | - | -40.00 | 250.00",
      "T | 31 Mar 2026 | Closing balance | - | - | - | - | 250.00",
      'S "Ageing in NZD at 1 Mar 2026"',
    ]);
  });

  test("a statement is refused without a contact, or with both a date and a period", async () => {
    const { given, contactID } = await traded();
    const refused = (query: Readonly<Record<string, string>>) =>
      given.refused("GET", "/Reports/Statement", undefined, { query });
    expect(await refused({})).toEqual(["The parameter contactID is required."]);
    expect(await refused({ contactID, date: "2026-03-31", toDate: "2026-03-31" })).toEqual([
      "A statement is as at a date, or of the days from fromDate to toDate.",
    ]);
  });
});

/** Balances by currency: the last rows of the sections that are named by one. */
function closing(made: Json, label: string): Record<string, string> {
  return Object.fromEntries(
    made.Rows.slice(1).flatMap(({ Title, Rows }: Json) => {
      const last = Rows.at(-1).Cells;
      const isOne = label === "Total" ? /^Ageing/.test(Title) : !/^Ageing/.test(Title);
      const amount = last.at(-1).Value;
      return isOne && amount !== "0.00"
        ? [[Title.replace(/^Ageing in (\w+) at .*$/, "$1"), amount]]
        : [];
    }),
  );
}

test.each(firstOf([1, 2, 3]))(
  "whatever a business records, statements agree with each other and with the ageing (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    await simulate(await opened(given), { from: "2026-02-15", to: "2026-06-20", count: 200, seed });
    const { Contacts } = await given.ok("GET", "/Contacts", undefined, {
      query: { includeArchived: "true" },
    });
    let compared = 0;
    for (const date of ["2026-03-10", "2026-04-30", "2026-12-31"]) {
      const aged = await report(given, "AgedReceivables", { date });
      const totals = new Map(
        aged.Rows[1].Rows.map(({ Cells }: Json) => [
          Cells[0].Attributes?.[0].Value,
          Cells.at(-1).Value,
        ]),
      );
      for (const { ContactID: contactID } of Contacts) {
        const open = await report(given, "Statement", { contactID, date });
        const moved = await report(given, "Statement", {
          contactID,
          fromDate: "2026-03-05",
          toDate: date,
        });
        expect(closing(moved, "Closing")).toEqual(closing(open, "Due"));
        expect(closing(open, "Total")).toEqual(closing(open, "Due"));
        const due = closing(open, "Due");
        if (Object.keys(due).some((currency) => currency !== "NZD")) continue;
        expect(due.NZD ?? "0.00").toBe(totals.get(contactID) ?? "0.00");
        if (due.NZD !== undefined) compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(2);
  },
);
