import { describe, expect, test } from "vitest";
import { contact, invoice, item, journal, organisation } from "../../src/resources/index.ts";
import { decodeAnswer, decodeReports } from "../../src/wire/decode/decode-answer.ts";
import { encodeCollection } from "../../src/wire/encode/encode.ts";
import { encodeReports } from "../../src/wire/encode/encode-report.ts";
import { ServiceFailedError } from "../../src/wire/errors.ts";
import type { Report } from "../../src/wire/report.ts";

const envelope = {
  id: "7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21",
  provider: "Harbour Sync",
  at: 1772486047113,
};

describe("records in an answer", () => {
  test("the answer of the specification's example is decoded", () => {
    const body = `{"Id":"7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21","Status":"OK","ProviderName":"Harbour Sync",
 "DateTimeUTC":"/Date(1772486047113)/",
 "pagination":{"page":1,"pageSize":100,"pageCount":1,"itemCount":1},
 "Invoices":[{"Type":"ACCREC","InvoiceID":"1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11","InvoiceNumber":"INV-0007",
   "Payments":[],"AmountDue":92.00,"CurrencyRate":1.0,"IsDiscounted":false,"HasErrors":false,
   "Contact":{"ContactID":"5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01","Name":"Blue Kiln Pottery","Addresses":[],"HasValidationErrors":false},
   "DateString":"2026-02-27T00:00:00","Date":"/Date(1772150400000+0000)/","Status":"AUTHORISED","LineItems":[],
   "UpdatedDateUTC":"\\/Date(1772160011270+0000)\\/","CurrencyCode":"NZD","InvoicePaymentServices":[]}]}`;
    expect(decodeAnswer(invoice, body)).toEqual({
      records: [
        {
          Type: "ACCREC",
          InvoiceID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
          InvoiceNumber: "INV-0007",
          Payments: [],
          AmountDue: 9200,
          CurrencyRate: 1000000,
          IsDiscounted: false,
          HasErrors: false,
          Contact: {
            ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01",
            Name: "Blue Kiln Pottery",
            HasValidationErrors: false,
          },
          Date: "2026-02-27",
          Status: "AUTHORISED",
          LineItems: [],
          UpdatedDateUTC: 1772160011270,
          CurrencyCode: "NZD",
        },
      ],
      outcomes: [{ status: "OK", errors: [] }],
      pagination: { page: 1, pageSize: 100, pageCount: 1, itemCount: 1 },
    });
  });

  test("ISO dates, numbers as text, nulls, placeholder years and unknown choices in an answer are decoded", () => {
    const body = JSON.stringify({
      invoices: [
        {
          Date: "2026-02-27T00:00:00",
          DueDate: null,
          FullyPaidOnDate: "0001-01-01T00:00:00",
          ExpectedPaymentDate: "/Date(-62135596800000)/",
          Total: "92.00",
          AmountDue: 92,
          CurrencyRate: "0.6512345678",
          Status: "NEWSTATUS",
          UpdatedDateUTC: "2026-02-27T02:40:11.27",
          SentToContact: "true",
          Reference: " kept \u0007as it is ",
          LineItems: null,
          Contact: null,
          InvoiceID: "00000000-0000-0000-0000-000000000000",
        },
      ],
    });
    expect(decodeAnswer(invoice, body).records).toStrictEqual([
      {
        Date: "2026-02-27",
        Total: 9200,
        AmountDue: 9200,
        CurrencyRate: 651235,
        Status: "NEWSTATUS",
        UpdatedDateUTC: 1772160011270,
        SentToContact: true,
        Reference: " kept \u0007as it is ",
        InvoiceID: "00000000-0000-0000-0000-000000000000",
      },
    ]);
  });

  test("the outcome of each record in an answer is decoded, in every form", () => {
    const body = JSON.stringify({
      Contacts: [
        { Name: "A", StatusAttributeString: "OK" },
        {
          Name: "B",
          StatusAttributeString: "ERROR",
          ValidationErrors: [{ Message: "No" }, { Message: "Nor this" }],
        },
        { Name: "C", StatusAttributeString: "WARNING", Warnings: [{ Message: "Mind" }] },
        { Name: "D", HasValidationErrors: true },
        { Name: "E", ValidationErrors: [{ Message: "No" }] },
        { Name: "F", ValidationErrors: [], HasValidationErrors: false },
      ],
    });
    expect(decodeAnswer(contact, body).outcomes).toEqual([
      { status: "OK", errors: [] },
      { status: "ERROR", errors: [{ message: "No" }, { message: "Nor this" }] },
      { status: "WARNING", errors: [], warnings: ["Mind"] },
      { status: "ERROR", errors: [] },
      { status: "ERROR", errors: [{ message: "No" }] },
      { status: "OK", errors: [] },
    ]);
  });

  test("the answer of acct serve to a batch is decoded", () => {
    const outcomes = [
      { status: "OK", errors: [] },
      { status: "ERROR", errors: [{ message: "a", rule: "Status" }, { message: "b" }] },
    ] as const;
    const body = encodeCollection("json", item, [{ Code: "A" }, { Code: "B" }], envelope, {
      view: "single",
      unitDecimals: 2,
      outcomes,
    });
    expect(decodeAnswer(item, body).outcomes).toEqual(outcomes);
  });

  test("an answer with a bare object, an alias, an object in place of a list, or no record is decoded", () => {
    const fields = {
      name: "Organisation",
      plural: "Organisations",
      aliases: ["Organisation"],
      fields: organisation.fields,
    };
    expect(decodeAnswer(fields, '{"Organisation":{"Name":"Kiln"}}').records).toEqual([
      { Name: "Kiln" },
    ]);
    expect(decodeAnswer(item, '{"Code":"A"}').records).toEqual([{ Code: "A" }]);
    expect(decodeAnswer(item, '{"Status":"OK","ProviderName":"x"}').records).toEqual([]);
    expect(decodeAnswer(invoice, '{"Id":"x","Status":"OK","ProviderName":"x"}').records).toEqual(
      [],
    );
    expect(decodeAnswer(item, "[]").records).toEqual([]);
    expect(decodeAnswer(item, '{"Items":[],"pagination":{"page":"x"}}')).toEqual({
      records: [],
      outcomes: [],
    });
  });

  test.each(["", "<html>", '{"Items":[', "nothing"])(
    "the body %j is refused as an answer",
    (body) => {
      expect(() => decodeAnswer(item, body)).toThrow(ServiceFailedError);
    },
  );

  test("an unreadable amount in an answer is an error", () => {
    const body = '{"Invoices":[{"InvoiceNumber":"INV-1","Total":"92,00"}]}';
    expect(() => decodeAnswer(invoice, body)).toThrow(
      "The service's answer holds a value that cannot be read: INV-1: Total must be a number such as 1234.50, not '92,00'.",
    );
  });
});

test("in an answer, empty text of a field that every record has is kept, and other empty text is dropped", () => {
  const JournalLines = [{ Description: "", TaxType: "", NetAmount: 1 }];
  const body = JSON.stringify({ Journals: [{ Reference: "", SourceType: "", JournalLines }] });
  const [record] = decodeAnswer(journal, body).records;
  expect(record).toMatchObject({ Reference: "", JournalLines: [{ Description: "" }] });
  expect(record).not.toHaveProperty("SourceType", "");
  expect(record).not.toHaveProperty("JournalLines.0.TaxType", "");
});

describe("reports in an answer", () => {
  const report: Report = {
    ReportID: "BankSummary",
    ReportName: "Bank Summary",
    ReportType: "BankSummary",
    ReportTitles: ["Bank Summary"],
    ReportDate: "9 April 2026",
    UpdatedDateUTC: 1775692800000,
    Rows: [
      { RowType: "Header", Cells: [{ Value: "" }, { Value: "Cash" }] },
      {
        RowType: "Section",
        Title: "Income",
        Rows: [
          {
            RowType: "Row",
            Cells: [{ Value: "Sales", Attributes: [{ Value: "7c1e", Id: "account" }] }],
          },
        ],
      },
      { RowType: "SummaryRow", Cells: [{ Value: "1.00" }] },
    ],
  };

  test("a report in an answer is decoded as it was encoded", () => {
    expect(decodeReports(encodeReports("json", [report], envelope))).toEqual([report]);
  });

  test("a report in the answer of another service is decoded", () => {
    const body =
      '{"Reports":[{"ReportID":7,"ReportName":null,"ReportTitles":["a",1],"UpdatedDateUTC":"/Date(5)/","Rows":[{"RowType":"Odd","Cells":[{"Value":1.5},{}]}]}]}';
    expect(decodeReports(body)).toEqual([
      {
        ReportID: "7",
        ReportName: "",
        ReportType: "",
        ReportTitles: ["a", "1"],
        ReportDate: "",
        UpdatedDateUTC: 5,
        Rows: [{ RowType: "Row", Cells: [{ Value: "1.5" }, {}] }],
      },
    ]);
    expect(decodeReports("{}")).toEqual([]);
    expect(() => decodeReports("x")).toThrow(ServiceFailedError);
  });
});
