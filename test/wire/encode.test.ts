import { describe, expect, test } from "vitest";
import { date, many, one, text, texts, timestamp, unitAmount } from "../../src/resources/field.ts";
import {
  account,
  contact,
  historyRecord,
  invoice,
  item,
  payment,
} from "../../src/resources/index.ts";
import type { InvoiceInput } from "../../src/resources/invoice.ts";
import {
  type EncodeOptions,
  encodeCollection,
  encodeObject,
  encodeObjects,
} from "../../src/wire/encode/encode.ts";
import { encodeReports } from "../../src/wire/encode/encode-report.ts";
import type { Report } from "../../src/wire/report.ts";
import { readXml } from "../../src/wire/xml.ts";

const envelope = {
  id: "7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21",
  provider: "Harbour & Sync",
  at: Date.UTC(2026, 2, 2, 21, 14, 7, 113),
};
const single: EncodeOptions = { view: "single", unitDecimals: 2 };

/** One invoice with everything a reader of the format may want to see. */
const sale = {
  Type: "ACCREC",
  InvoiceID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
  InvoiceNumber: "INV-0007",
  Contact: { ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01", Name: "Blue Kiln Pottery" },
  Date: "2026-02-27",
  DueDate: "2026-03-20",
  Status: "AUTHORISED",
  LineAmountTypes: "Exclusive",
  LineItems: [
    {
      LineItemID: "8d1a4c0e-93f7-4d7e-a1a4-0d1b2c3e4f50",
      Description: 'Glaze <test> & "more"\n two lines',
      Quantity: 20000,
      UnitAmount: 400050,
      AccountCode: "200",
      TaxType: "OUTPUT2",
      TaxAmount: 1200,
      LineAmount: 8000,
      Tracking: [{ Name: "Studio", Option: "North Quay" }],
    },
  ],
  SubTotal: 8000,
  TotalTax: 1200,
  Total: 9200,
  UpdatedDateUTC: 1772160011270,
  CurrencyCode: "NZD",
  CurrencyRate: 1000000,
  SentToContact: false,
  HasAttachments: false,
  Payments: [
    { PaymentID: "6a2b0c86-58a7-4e0f-8f39-2a9c6f6f1d01", Date: "2026-03-01", Amount: 100 },
  ],
  AmountDue: 9100,
  AmountPaid: 100,
  AmountCredited: 0,
};

const json = (
  records: readonly object[],
  options = single,
  resource: typeof invoice | object = invoice,
) => JSON.parse(encodeCollection("json", resource as typeof invoice, records, envelope, options));
const xml = (records: readonly object[], options = single) =>
  encodeCollection("xml", invoice, records, envelope, options);

describe("encoding of one invoice", () => {
  test("an invoice is encoded in XML", async () => {
    const lines = xml([sale]).replaceAll("><", ">\n<");
    await expect(`${lines}\n`).toMatchFileSnapshot("../golden/wire/invoice.xml");
  });

  test("an invoice is encoded in JSON", async () => {
    const body = encodeCollection("json", invoice, [sale], envelope, single);
    expect(() => JSON.parse(body)).not.toThrow();
    const lines = body.replaceAll(/,(?=["{])/g, ",\n");
    await expect(`${lines}\n`).toMatchFileSnapshot("../golden/wire/invoice.json");
  });
});

describe("encoding of the envelope", () => {
  test("the answer envelope is encoded in JSON", () => {
    const body = encodeCollection(
      "json",
      item,
      [],
      {
        ...envelope,
        warnings: ["Slow"],
        pagination: { page: 1, pageSize: 100, pageCount: 1, itemCount: 0 },
      },
      single,
    );
    expect(body).toBe(
      '{"Id":"7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21","Status":"OK","ProviderName":"Harbour & Sync",' +
        '"DateTimeUTC":"/Date(1772486047113)/","pagination":{"page":1,"pageSize":100,"pageCount":1,"itemCount":0},' +
        '"Warnings":[{"Message":"Slow"}],"Items":[]}',
    );
  });

  test("the answer envelope is encoded in XML", () => {
    const body = encodeCollection(
      "xml",
      item,
      [],
      {
        ...envelope,
        warnings: ["Slow"],
        pagination: { page: 1, pageSize: 100, pageCount: 1, itemCount: 0 },
      },
      single,
    );
    expect(body).toBe(
      '<Response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
        "<Id>7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21</Id><Status>OK</Status><ProviderName>Harbour &amp; Sync</ProviderName>" +
        "<DateTimeUTC>2026-03-02T21:14:07.1130000Z</DateTimeUTC><pagination><page>1</page><pageSize>100</pageSize>" +
        "<pageCount>1</pageCount><itemCount>0</itemCount></pagination>" +
        "<Warnings><Warning><Message>Slow</Message></Warning></Warnings><Items /></Response>",
    );
  });
});

describe("encoding of lists and views", () => {
  const customer = {
    ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01",
    Name: "Kiln",
    ContactPersons: [{ FirstName: "A" }],
    Website: "w",
  };
  test.each([
    ["list", false],
    ["paged", true],
    ["single", true],
  ] as const)(
    'the encoding of records as "%s" has summary fields only, or all fields: %s',
    (view, shown) => {
      const [record] = json([customer], { view, unitDecimals: 2 }, contact).Contacts;
      expect("ContactPersons" in record).toBe(shown);
      expect("Website" in record).toBe(shown);
      const [bill] = json([sale], { view, unitDecimals: 2 }).Invoices;
      expect(bill.LineItems).toHaveLength(view === "list" ? 0 : 1);
      expect(xml([sale], { view, unitDecimals: 2 }).includes("<LineItems>")).toBe(view !== "list");
    },
  );

  test("empty lists of a record are written in JSON, and in XML only if given", () => {
    const [record] = json([{ InvoiceID: sale.InvoiceID, LineItems: [] }]).Invoices;
    expect(record.Payments).toEqual([]);
    expect(record.LineItems).toEqual([]);
    const text = xml([{ InvoiceID: sale.InvoiceID, LineItems: [] }]);
    expect(text).toContain("<LineItems />");
    expect(text).not.toContain("<Payments");
  });

  test("a contact inside an invoice is written in JSON with its empty lists", () => {
    const [record] = json([sale]).Invoices;
    expect(record.Contact).toEqual({
      ...sale.Contact,
      ContactPersons: [],
      Addresses: [],
      Phones: [],
      ContactGroups: [],
      SalesTrackingCategories: [],
      PurchasesTrackingCategories: [],
      HasValidationErrors: false,
    });
  });
});

describe("encoding of values", () => {
  test("amounts, quantities and percentages are written in JSON with their decimal places", () => {
    const line = {
      Quantity: 12345678,
      UnitAmount: 123456,
      LineAmount: -5,
      DiscountRate: 125000,
      TaxAmount: 0,
    };
    const of = (unitDecimals: 2 | 4) =>
      encodeCollection("json", invoice, [{ LineItems: [line], CurrencyRate: 1 }], envelope, {
        view: "single",
        unitDecimals,
      });
    expect(of(2)).toContain(
      '{"Quantity":1234.5678,"UnitAmount":12.35,"TaxAmount":0.00,"LineAmount":-0.05,"DiscountRate":12.5000,"Tracking":[]}',
    );
    expect(of(4)).toContain('"UnitAmount":12.3456');
    expect(of(2)).toContain('"CurrencyRate":0.000001');
    const large = { LineItems: [{ LineAmount: Number.MAX_SAFE_INTEGER }] };
    expect(encodeCollection("json", invoice, [large], envelope, single)).toContain(
      '"LineAmount":90071992547409.91',
    );
    expect(xml([large])).toContain("<LineAmount>90071992547409.91</LineAmount>");
  });

  test("undefined, null and undescribed fields are left out of the encoding", () => {
    const record = {
      InvoiceID: sale.InvoiceID,
      Reference: undefined,
      DueDate: null,
      Url: null,
      Total: undefined,
      Secret: "x",
    };
    const body = encodeCollection("json", invoice, [record], envelope, single);
    expect(body).not.toMatch(/null|Secret|DueDate|Reference|Url|undefined/);
    expect(xml([record])).not.toMatch(/null|Secret|DueDate|Reference|Url|undefined|nil/);
  });

  test("a date is written in a second form (DateString) in JSON, and not in XML", () => {
    const [record] = json([{ Date: "2026-02-27", UpdatedDateUTC: 1772160011270 }]).Invoices;
    expect(record.DateString).toBe("2026-02-27T00:00:00");
    expect(record.Date).toBe("/Date(1772150400000+0000)/");
    expect(record.UpdatedDateUTCString).toBe("2026-02-27T02:40:11Z");
    expect(record.UpdatedDateUTC).toBe("/Date(1772160011270+0000)/");
    expect(xml([{ Date: "2026-02-27", UpdatedDateUTC: 1772160011270 }])).toContain(
      "<Invoice><Date>2026-02-27T00:00:00</Date><UpdatedDateUTC>2026-02-27T02:40:11.27Z</UpdatedDateUTC></Invoice>",
    );
  });

  test("special characters are escaped in XML", () => {
    const name = "a<b>&amp;]]>\u0000\u001b\r\n\"'é😀";
    const text = encodeCollection("xml", account, [{ Name: name }], envelope, single);
    const read = readXml(text).children.at(-1)?.children[0]?.children[0]?.text;
    expect(read).toBe(name.replaceAll("\u0000", "\ufffd").replaceAll("\u001b", "\ufffd"));
  });

  test("an object without members is empty in both formats", () => {
    expect(xml([{ Contact: {} }])).toContain("<Contact />");
    expect(json([{ PaymentTerms: {} }], single, contact).Contacts[0].PaymentTerms).toEqual({});
  });

  test("the field HasErrors of a record without errors is false in JSON, and absent in XML", () => {
    expect(json([{}]).Invoices[0].HasErrors).toBe(false);
    expect(json([{}], single, payment).Payments[0].HasValidationErrors).toBe(false);
    expect("HasErrors" in json([{}], single, item).Items[0]).toBe(false);
    expect(xml([{}])).not.toContain("HasErrors");
  });
});

describe("encoding of batch outcomes", () => {
  const options = {
    ...single,
    outcomes: [
      { status: "OK", errors: [] },
      {
        status: "ERROR",
        errors: [
          { message: "One or more line items must be specified", rule: "Required" },
          { message: "B <b>" },
        ],
      },
      { status: "WARNING", errors: [], warnings: ["W"] },
    ],
  } as const;
  const records = [
    { Type: "ACCREC", InvoiceID: sale.InvoiceID },
    { Type: "ACCREC" },
    { Type: "ACCPAY", InvoiceID: sale.InvoiceID },
  ];

  test("the outcomes of a batch are encoded in JSON", () => {
    const [good, bad, warned] = json(records, options).Invoices;
    expect(good).toMatchObject({
      InvoiceID: sale.InvoiceID,
      HasErrors: false,
      StatusAttributeString: "OK",
    });
    expect(good).not.toHaveProperty("ValidationErrors");
    expect(bad).toEqual({
      Type: "ACCREC",
      InvoiceID: "00000000-0000-0000-0000-000000000000",
      HasErrors: true,
      StatusAttributeString: "ERROR",
      ValidationErrors: [
        { Message: "One or more line items must be specified", Rule: "Required" },
        { Message: "B <b>" },
      ],
    });
    expect(warned).toMatchObject({
      HasErrors: false,
      StatusAttributeString: "WARNING",
      Warnings: [{ Message: "W" }],
    });
  });

  test("the status of a record's outcome is written as an attribute in XML", () => {
    const text = xml(records, options);
    expect(text).toContain(`<Invoice status="OK"><Type>ACCREC</Type>`);
    expect(text).toContain(
      `<Invoice status="ERROR"><ValidationErrors><ValidationError><Message>One or more line items must be specified</Message>` +
        `<Rule>Required</Rule></ValidationError><ValidationError><Message>B &lt;b&gt;</Message></ValidationError></ValidationErrors>` +
        `<Type>ACCREC</Type><InvoiceID>00000000-0000-0000-0000-000000000000</InvoiceID>`,
    );
    expect(text).toContain(
      `<Invoice status="WARNING"><Warnings><Warning><Message>W</Message></Warning></Warnings>`,
    );
  });
});

describe("encoding of answers without a resource", () => {
  const link = { OnlineInvoiceUrl: text() };
  test("a list of objects that are no resource is encoded", () => {
    const records = [{ OnlineInvoiceUrl: "https://books.example/view/k3Qp7?a&b" }];
    expect(
      JSON.parse(encodeObjects("json", "OnlineInvoices", "OnlineInvoice", link, records, envelope))
        .OnlineInvoices,
    ).toEqual(records);
    expect(
      encodeObjects("xml", "OnlineInvoices", "OnlineInvoice", link, records, envelope),
    ).toContain(
      "<OnlineInvoices><OnlineInvoice><OnlineInvoiceUrl>https://books.example/view/k3Qp7?a&amp;b</OnlineInvoiceUrl></OnlineInvoice></OnlineInvoices></Response>",
    );
  });

  test("an object that is no resource is encoded, bare or in an envelope", () => {
    expect(encodeObject("json", "OnlineInvoice", link, { OnlineInvoiceUrl: "u" })).toBe(
      '{"OnlineInvoiceUrl":"u"}',
    );
    expect(encodeObject("xml", "OnlineInvoice", link, { OnlineInvoiceUrl: "u" })).toBe(
      "<OnlineInvoice><OnlineInvoiceUrl>u</OnlineInvoiceUrl></OnlineInvoice>",
    );
    expect(encodeObject("xml", "OnlineInvoice", link, {})).toBe("<OnlineInvoice />");
    expect(
      JSON.parse(encodeObject("json", "ImportSummary", link, {}, envelope)).ImportSummary,
    ).toEqual({});
    expect(encodeObject("xml", "ImportSummary", link, {}, envelope)).toContain(
      "<ImportSummary /></Response>",
    );
  });

  test("every kind of field is encoded, also in nested objects and lists", () => {
    const fields = {
      Words: texts("Word"),
      At: timestamp({ twin: "AtString" }),
      Price: unitAmount(),
      Deep: one({ Days: many("Day", { Date: date() }) }),
    };
    const value = {
      Words: ["a", "<"],
      At: 0,
      Price: 1,
      Deep: { Days: [{ Date: "2026-02-27" }, {}] },
    };
    expect(encodeObject("json", "Thing", fields, value)).toBe(
      '{"Words":["a","<"],"AtString":"1970-01-01T00:00:00Z","At":"/Date(0+0000)/","Price":0.0001,' +
        '"Deep":{"Days":[{"DateString":"2026-02-27T00:00:00","Date":"/Date(1772150400000+0000)/"},{}]}}',
    );
    expect(encodeObject("xml", "Thing", fields, value)).toBe(
      "<Thing><Words><Word>a</Word><Word>&lt;</Word></Words><At>1970-01-01T00:00:00Z</At><Price>0.0001</Price>" +
        "<Deep><Days><Day><Date>2026-02-27T00:00:00</Date></Day><Day /></Days></Deep></Thing>",
    );
  });

  test("the history of a record is encoded", () => {
    const note = [{ DateUTC: 1772160011270, User: "Ana", Details: " a " }];
    expect(json(note, single, historyRecord).HistoryRecords).toEqual([
      {
        DateUTCString: "2026-02-27T02:40:11Z",
        DateUTC: "/Date(1772160011270+0000)/",
        User: "Ana",
        Details: " a ",
      },
    ]);
  });
});

describe("encoding of reports", () => {
  const report: Report = {
    ReportID: "BankSummary",
    ReportName: "Bank Summary",
    ReportType: "BankSummary",
    ReportTitles: ["Bank Summary", "Kiln & Co"],
    ReportDate: "9 April 2026",
    UpdatedDateUTC: 1775692800000,
    Rows: [
      { RowType: "Header", Cells: [{ Value: "" }, { Value: "Cash" }] },
      {
        RowType: "Section",
        Title: "",
        Rows: [
          {
            RowType: "Row",
            Cells: [{ Value: "Sales", Attributes: [{ Value: "7c1e", Id: "account" }] }, {}],
          },
        ],
      },
    ],
  };

  test("a report is encoded in JSON", () => {
    expect(JSON.parse(encodeReports("json", [report], envelope)).Reports).toEqual([
      {
        ...report,
        UpdatedDateUTC: "/Date(1775692800000)/",
        Fields: [],
        Rows: [
          report.Rows[0],
          {
            RowType: "Section",
            Title: "",
            Rows: [
              {
                RowType: "Row",
                Cells: [
                  { Value: "Sales", Attributes: [{ Value: "7c1e", Id: "account" }] },
                  { Value: "" },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test("a report is encoded in XML", () => {
    expect(encodeReports("xml", [report], envelope)).toContain(
      "<Reports><Report><ReportID>BankSummary</ReportID><ReportName>Bank Summary</ReportName><ReportType>BankSummary</ReportType>" +
        "<ReportTitles><ReportTitle>Bank Summary</ReportTitle><ReportTitle>Kiln &amp; Co</ReportTitle></ReportTitles>" +
        "<ReportDate>9 April 2026</ReportDate><UpdatedDateUTC>2026-04-09T00:00:00Z</UpdatedDateUTC><Rows>" +
        "<Row><RowType>Header</RowType><Cells><Cell><Value /></Cell><Cell><Value>Cash</Value></Cell></Cells></Row>" +
        "<Row><RowType>Section</RowType><Title /><Rows><Row><RowType>Row</RowType><Cells><Cell><Value>Sales</Value>" +
        "<Attributes><Attribute><Value>7c1e</Value><Id>account</Id></Attribute></Attributes></Cell><Cell /></Cells></Row></Rows></Row>" +
        "</Rows></Report></Reports></Response>",
    );
    expect(encodeReports("xml", [], envelope)).toContain("<Reports /></Response>");
  });
});

test("the input record of a request is encoded", () => {
  const input: InvoiceInput = { Type: "ACCREC", LineItems: [] };
  expect(json([input]).Invoices[0].Type).toBe("ACCREC");
});

test.each([
  ["json", "single"],
  ["json", "list"],
  ["xml", "single"],
  ["xml", "list"],
] as const)("an answer encoded a thousand times stays the same (%s, %s)", (format, view) => {
  const records = [sale, { InvoiceID: sale.InvoiceID }, {}, { Total: 5 }];
  const fields = { ...invoice.fields };
  const write = () =>
    encodeCollection(format, { ...invoice, fields }, records, envelope, { view, unitDecimals: 4 });
  const first = write();
  for (let count = 0; count < 1000; count += 1) write();
  expect(write()).toBe(first);
});

test("an unknown choice is escaped in the answer", () => {
  const body = encodeCollection("json", invoice, [{ Status: 'no "one"' }], envelope, single);
  expect(JSON.parse(body).Invoices[0].Status).toBe('no "one"');
});

test("an invalid id is escaped in the answer that repeats it", () => {
  const refused = { InvoiceID: 'no "id"', Status: 'no "status"' };
  const outcomes = [{ status: "ERROR", errors: [{ message: "It is refused." }] }] as const;
  const body = encodeCollection("json", invoice, [refused], envelope, { ...single, outcomes });
  expect(JSON.parse(body).Invoices[0]).toMatchObject(refused);
});
