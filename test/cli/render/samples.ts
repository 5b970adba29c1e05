/** Records and reports to render. */
import { createOut, type OutOptions } from "../../../src/cli/render/out.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import type { Contact } from "../../../src/resources/contact.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import type { Cell, Report, Row } from "../../../src/wire/report.ts";
import { fc } from "../../support/properties.ts";

/** What a command printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs something against an output of its own. */
export async function printed(
  options: Partial<OutOptions>,
  run: (out: ReturnType<typeof createOut>) => Promise<void>,
): Promise<Printed> {
  const stdout = memorySink();
  const stderr = memorySink();
  const out = createOut({
    format: "table",
    color: false,
    width: undefined,
    stdout,
    stderr,
    clock: () => Date.UTC(2026, 3, 1),
    ...options,
  });
  await run(out);
  return { stdout: stdout.text, stderr: stderr.text };
}

const updated = Date.UTC(2026, 1, 27, 2, 40, 11);

export const kiln: Invoice = {
  Type: "ACCREC",
  InvoiceID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
  InvoiceNumber: "INV-0007",
  Reference: "Order 118",
  Contact: { ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01", Name: "Blue Kiln Pottery" },
  Date: "2026-02-27",
  DueDate: "2026-03-20",
  Status: "AUTHORISED",
  LineAmountTypes: "Exclusive",
  LineItems: [
    {
      LineItemID: "0c2b1c4e-6f0f-4d1d-9f5f-0c7d3c1a2b01",
      Description: "Glaze test\nwith a second line",
      Quantity: 20_000,
      UnitAmount: 400_000,
      ItemCode: "GLAZE",
      AccountCode: "200",
      TaxType: "OUTPUT2",
      TaxAmount: 1200,
      LineAmount: 8000,
      Tracking: [{ Name: "Region", Option: "North" }],
    },
    {
      LineItemID: "0c2b1c4e-6f0f-4d1d-9f5f-0c7d3c1a2b02",
      Description: "Carriage",
      Quantity: 10_000,
      UnitAmount: 0,
      AccountCode: "200",
      TaxType: "NONE",
      TaxAmount: 0,
      LineAmount: 0,
    },
  ],
  SubTotal: 8000,
  TotalTax: 1200,
  Total: 9200,
  UpdatedDateUTC: updated,
  CurrencyCode: "NZD",
  CurrencyRate: 1_000_000,
  SentToContact: false,
  HasAttachments: false,
  AmountDue: 9200,
  AmountPaid: 0,
  AmountCredited: 0,
} as unknown as Invoice;

const second = {
  ...kiln,
  InvoiceID: "2a7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b12",
  InvoiceNumber: "INV-0008",
  Contact: { Name: "日本陶器 株式会社" },
  Status: "PAID",
  Total: 123_456_789,
  AmountDue: 0,
} as Invoice;

const third = {
  ...kiln,
  InvoiceID: "3a7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b13",
  InvoiceNumber: "INV-0009",
  Contact: { Name: '=cmd|"/c calc"!A1, and a name that is much longer than the others' },
  DueDate: undefined,
  Status: "DRAFT",
  Total: -500,
  AmountDue: -500,
} as Invoice;

export const invoices: readonly Invoice[] = [kiln, second, third];

const cell = (Value: string, Id?: string): Cell =>
  Id === undefined ? { Value } : { Value, Attributes: [{ Value: Id, Id: "account" }] };

function row(RowType: Row["RowType"], values: readonly string[], id?: string): Row {
  return { RowType, Cells: values.map((value) => cell(value, id)) };
}

function section(Title: string, ...Rows: readonly Row[]): Row {
  return { RowType: "Section", Title, Rows };
}

export const profitAndLoss: Report = {
  ReportID: "ProfitAndLoss",
  ReportName: "Profit and Loss",
  ReportType: "ProfitAndLoss",
  ReportTitles: ["Profit & Loss", "Blue Kiln Ltd", "1 March 2026 to 31 March 2026"],
  ReportDate: "9 April 2026",
  UpdatedDateUTC: Date.UTC(2026, 3, 9),
  Rows: [
    row("Header", ["", "31 Mar 26", "28 Feb 26"]),
    section(
      "Income",
      row("Row", ["Sales", "1840.00", "1210.00"], "7c1e0000-0000-4000-8000-000000000001"),
      row("SummaryRow", ["Total Income", "1840.00", "1210.00"]),
    ),
    section(
      "Less Cost of Sales",
      row("Row", ["Clay and glaze", "402.10", "288.00"], "7c1e0000-0000-4000-8000-000000000002"),
      row("SummaryRow", ["Total Cost of Sales", "402.10", "288.00"]),
    ),
    section("", row("Row", ["Gross Profit", "1437.90", "922.00"])),
    section(
      "Less Operating Expenses",
      row("Row", ["Rent", "600.00", "600.00"], "7c1e0000-0000-4000-8000-000000000003"),
      row("SummaryRow", ["Total Operating Expenses", "600.00", "600.00"]),
    ),
    section("", row("Row", ["Net Profit", "837.90", "322.00"])),
  ],
};

export const agedReceivables: Report = {
  ReportID: "AgedReceivablesByContact",
  ReportName: "Aged Receivables By Contact",
  ReportType: "AgedReceivablesByContact",
  ReportTitles: ["Invoices", "Blue Kiln Pottery", "To 31 March 2026"],
  ReportDate: "9 April 2026",
  UpdatedDateUTC: Date.UTC(2026, 3, 9),
  Rows: [
    row("Header", ["Date", "Number", "Due Date", "", "Total", "Paid", "Credited", "Due"]),
    section(
      "",
      row(
        "Row",
        [
          "2026-02-27T00:00:00",
          "7",
          "2026-03-20T00:00:00",
          "11 days overdue",
          "92.00",
          "0.00",
          "0.00",
          "92.00",
        ],
        "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
      ),
      row("SummaryRow", ["Total", "", "", "", "92.00", "0.00", "0.00", "92.00"]),
    ),
  ],
};

/** A report of a year, by months. */
export const yearByMonth: Report = {
  ...profitAndLoss,
  Rows: [
    row("Header", ["", ...Array.from({ length: 12 }, (_, at) => `${12 - at} / 26`)]),
    section(
      "Income",
      row("Row", [
        "Sales of pottery and of lessons",
        ...Array.from({ length: 12 }, (_, at) => `${at}840.00`),
      ]),
      row("SummaryRow", ["Total Income", ...Array.from({ length: 12 }, (_, at) => `${at}840.00`)]),
    ),
  ],
};

export const harbour = {
  ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01",
  ContactStatus: "ACTIVE",
  Name: "Harbour Sync",
  FirstName: "",
  EmailAddress: "accounts@harbour.example",
  Addresses: [
    { AddressType: "POBOX", AddressLine1: "PO Box 10112", City: "Wellington", PostalCode: "6143" },
    {
      AddressType: "STREET",
      AddressLine1: "1 Long Quay, behind the old customs house",
      City: "Wellington",
    },
  ],
  Phones: [],
  IsSupplier: false,
  IsCustomer: true,
  PaymentTerms: { Sales: { Day: 20, Type: "OFFOLLOWINGMONTH" } },
  Balances: { AccountsReceivable: { Outstanding: 9200, Overdue: 0 } },
  HasAttachments: false,
  UpdatedDateUTC: updated,
} as unknown as Contact;

/** What must never reach a terminal from a record; line ends are the layout's own. */
export const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Text that means ill: controls, formulas, wide and joined characters, quotes, line ends. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        "a",
        "B ",
        "0",
        "=",
        "+",
        "-",
        "@",
        "'",
        '"',
        ",",
        ";",
        "\t",
        "\r",
        "\n",
        "\r\n",
        "\u001b[31m",
        "\u0007",
        "\u009b2J",
        "\u202e",
        "\u2066",
        "\u2028",
        "e\u0301",
        "\u0301",
        "漢",
        "한",
        "👩‍👩‍👧",
        "👍🏽",
        "❤️",
        "🇳🇿",
        "\u200b",
        "ﷺ",
        "\u1161",
      ),
      { minLength: 1, maxLength: 60 },
    )
    .map((pieces) => pieces.join("")),
);
