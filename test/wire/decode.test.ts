import { describe, expect, test } from "vitest";
import { RefusedError } from "../../src/resources/errors.ts";
import {
  boolean,
  date,
  id,
  integer,
  many,
  one,
  quantity,
  rate,
  ref,
  resource,
  text,
  texts,
  timestamp,
  unitAmount,
} from "../../src/resources/field.ts";
import {
  historyRecord,
  invoice,
  item,
  organisation,
  payment,
  taxRate,
} from "../../src/resources/index.ts";
import type { Collection } from "../../src/wire/codec.ts";
import { decodeBody, decodeFields, faultsMax, recordsMax } from "../../src/wire/decode/decode.ts";

const bytes = (body: string) => new TextEncoder().encode(body);

function read(collection: Collection, body: string, contentType?: string, unitDecimals: 2 | 4 = 2) {
  return decodeBody(collection, bytes(body), contentType, { unitDecimals });
}

function refusal(work: () => unknown): RefusedError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedError);
    return error as RefusedError;
  }
  throw new Error("nothing was refused");
}

const lamp = [{ Code: "LAMP-2" }];

describe("the shapes of a request body", () => {
  test.each<[string, string | undefined, string]>([
    ["XML list", "text/xml", "<Items><Item><Code>LAMP-2</Code></Item></Items>"],
    ["XML single", "application/xml; charset=utf-8", "<Item><Code>LAMP-2</Code></Item>"],
    ["XML in any letter case", "text/xml", "<ITEMS><item><code>LAMP-2</code></item></ITEMS>"],
    [
      "XML with a prolog and a byte order mark",
      "text/xml",
      '\ufeff<?xml version="1.0" encoding="utf-16"?>\n<Item><Code>LAMP-2</Code></Item>',
    ],
    [
      "XML with namespaces",
      "text/xml",
      '<i:Items xmlns:i="urn:x"><i:Item><i:Code>LAMP-2</i:Code></i:Item></i:Items>',
    ],
    [
      "a whole answer sent back",
      "text/xml",
      "<Response><Status>OK</Status><Items><Item><Code>LAMP-2</Code></Item></Items></Response>",
    ],
    [
      "XML in a form",
      "application/x-www-form-urlencoded",
      "xml=%3CItem%3E%3CCode%3ELAMP-2%3C%2FCode%3E%3C%2FItem%3E",
    ],
    [
      "XML in a form among other fields",
      "application/x-www-form-urlencoded; charset=UTF-8",
      "a=1&XML=%3CItem%3E%3CCode%3ELAMP-2%3C%2FCode%3E%3C%2FItem%3E&b=",
    ],
    ["a form that is XML", "application/x-www-form-urlencoded", "<Item><Code>LAMP-2</Code></Item>"],
    ["XML of no type", undefined, "\n <Item><Code>LAMP-2</Code></Item>"],
    ["JSON wrapped", "application/json", '{"Items":[{"Code":"LAMP-2"}]}'],
    ["JSON bare object", "application/json; charset=utf-8", '{"Code":"LAMP-2"}'],
    ["JSON bare array", "application/json", '[{"Code":"LAMP-2"}]'],
    ["JSON wrapped single", "application/json", '{"Item":{"Code":"LAMP-2"}}'],
    ["JSON single under the name of the list", "application/json", '{"Items":{"Code":"LAMP-2"}}'],
    ["JSON made of XML", "application/json", '{"Items":{"Item":[{"Code":"LAMP-2"}]}}'],
    ["JSON in any letter case", "application/json", '{"items":[{"CODE":"LAMP-2"}]}'],
    [
      "a whole JSON answer sent back",
      "application/json",
      '{"Id":"x","Status":"OK","Items":[{"Code":"LAMP-2"}]}',
    ],
    ["JSON of no type", undefined, ' {"Code":"LAMP-2"}'],
    ["JSON of unknown type", "text/plain", '[{"Code":"LAMP-2"}]'],
    ["JSON in a form", "application/x-www-form-urlencoded", "xml=%7B%22Code%22%3A%22LAMP-2%22%7D"],
  ])("a record is decoded from a request body of the form: %s", (_name, contentType, body) => {
    expect(read(item, body, contentType)).toEqual(lamp);
  });

  test("an alias of the collection name is accepted as the wrapper of a request body", () => {
    const readable = { ...organisation, fields: { Name: text() } };
    expect(read(readable, '{"Organisation":[{"Name":"Kiln"}]}')).toEqual([{ Name: "Kiln" }]);
    expect(read(readable, "<Organisation><Name>Kiln</Name></Organisation>")).toEqual([
      { Name: "Kiln" },
    ]);
  });

  test("in a form body a plus is decoded as a space, and a percent-encoded plus as a plus", () => {
    const body = "xml=<Item><Code>A+B%2BC</Code></Item>";
    expect(read(item, body, "application/x-www-form-urlencoded")).toEqual([{ Code: "A B+C" }]);
  });

  test("the records of a request body are decoded in their order", () => {
    const body =
      "<Items><Item><Code>B</Code></Item><Item><Code>A</Code></Item><Item><Code>C</Code></Item></Items>";
    expect(read(item, body).map((each) => each.Code)).toEqual(["B", "A", "C"]);
  });

  test.each([
    "{}",
    "[]",
    '{"Items":[]}',
    '{"Items":null}',
    '{"Foo":[{"Code":"A"}]}',
    '{"Invoices":[{"Code":"A"}]}',
    "<Items />",
    "<Items></Items>",
    "<Items><Invoice/></Items>",
    "<Invoices><Invoice/></Invoices>",
    "<Response><Items /></Response>",
    "<Foo/>",
  ])("the request body %s is decoded as containing no record", (body) => {
    const error = refusal(() => read(item, body));
    expect(error.code).toBe("NoDataProcessedException");
    expect(error.message).toBe("The body holds no Item; send one as Item, or several in Items.");
  });

  test.each<[string, string | undefined, string]>([
    ["", undefined, "it is empty"],
    ["  \n", "application/json", "it is empty"],
    ["hello", undefined, "it is neither XML nor JSON"],
    ["a=1&b=2", "application/x-www-form-urlencoded", "the form has no field xml"],
    ["xml=%E9%zz", "application/x-www-form-urlencoded", "the form is not percent-encoded UTF-8"],
    ["{", "application/json", "the JSON ends too early"],
    ["<Item>", "text/xml", "the XML is not correct: the element Item is not closed in line 1"],
    ["<Item/>", "application/json", "it is not JSON"],
    ["{}", "text/xml", "the XML is not correct: there is text outside the root element in line 1"],
  ])("the request body %j of type %j is refused as unreadable", (body, contentType, reason) => {
    const error = refusal(() => read(item, body, contentType));
    expect(error.code).toBe("PostDataInvalidException");
    expect(error.message).toBe(`The body cannot be read: ${reason}.`);
  });

  test("a request body that is not UTF-8 is refused", () => {
    const body = new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]);
    const error = refusal(() => decodeBody(item, body, "application/json", { unitDecimals: 2 }));
    expect(error.message).toBe("The body cannot be read: it is not UTF-8.");
  });

  test("a request body that is a single value, or a list of values, is refused", () => {
    expect(refusal(() => read(item, "12", "application/json")).code).toBe(
      "PostDataInvalidException",
    );
    expect(refusal(() => read(item, "[1]", "application/json")).message).toBe(
      "Record 1: It must be an object, not '1'.",
    );
    expect(refusal(() => read(item, "[null]", "application/json")).message).toBe(
      "Record 1: It must be an object, not null.",
    );
  });

  test("a request body with more records than the limit is refused", () => {
    const body = `[${Array.from({ length: recordsMax + 1 }, () => "{}").join(",")}]`;
    expect(refusal(() => read(item, body)).message).toBe(
      `The body holds more than ${recordsMax} Items; send them in parts.`,
    );
  });
});

describe("the fields of a record", () => {
  test("the id of a sent record is read, and read-only and unknown fields are skipped", () => {
    const body = JSON.stringify({
      ItemID: "{1F7F5B0E-0F8F-4F0B-8E52-7E7C0A0C5B11}",
      Code: "LAMP-2",
      QuantityOnHand: "many",
      TotalCostPool: 5,
      UpdatedDateUTC: "garbage",
      Foo: { Bar: 1 },
      ValidationErrors: [],
      HasErrors: true,
      __proto__x: 1,
    });
    expect(read(item, body)).toEqual([
      { ItemID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11", Code: "LAMP-2" },
    ]);
  });

  test.each(["", "00000000-0000-0000-0000-000000000000", null])(
    "the id %j of a sent record is refused as invalid",
    (ItemID) => {
      const [record = {}] = read(item, JSON.stringify({ ItemID, Code: "A" }));
      expect(Object.keys(record)).toEqual(["Code"]);
    },
  );

  test("a field sent empty is decoded as cleared, and a field not sent is left out", () => {
    const cleared = {
      Name: undefined,
      Description: undefined,
      IsSold: undefined,
      SalesDetails: undefined,
    };
    const json = read(item, '{"Name":null,"Description":"","IsSold":null,"SalesDetails":null}');
    expect(json).toStrictEqual([cleared]);
    const xml = read(
      item,
      '<Item xmlns:xsi="x"><Name/><Description></Description><IsSold xsi:nil="true"/><SalesDetails xsi:nil="1"/></Item>',
    );
    expect(xml).toStrictEqual([cleared]);
    const inside = read(item, '{"SalesDetails":{"UnitPrice":null}}');
    expect(inside).toStrictEqual([{ SalesDetails: { UnitPrice: undefined } }]);
  });

  test("a list sent empty is distinguished from a cleared list", () => {
    expect(read(invoice, '{"LineItems":[]}')).toStrictEqual([{ LineItems: [] }]);
    expect(read(invoice, "<Invoice><LineItems/></Invoice>")).toStrictEqual([{ LineItems: [] }]);
    expect(read(invoice, '{"LineItems":null}')).toStrictEqual([{ LineItems: undefined }]);
  });

  test("a reference to another record keeps only the ids and codes that identify it", () => {
    const body = JSON.stringify({
      Invoice: {
        InvoiceID: "1F7F5B0E0F8F4F0B8E527E7C0A0C5B11",
        InvoiceNumber: null,
        Type: "ACCREC",
        LineItems: [],
        Total: "x",
      },
      Account: { code: 90, Name: "Bank" },
    });
    expect(read(payment, body)).toStrictEqual([
      { Invoice: { InvoiceID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11" }, Account: { Code: "90" } },
    ]);
    expect(read(payment, "<Payment><Account/></Payment>")).toStrictEqual([{ Account: {} }]);
  });

  test("the minimal create of the specification is decoded", () => {
    const json = `{"Type":"ACCREC","Contact":{"ContactID":"5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01"},"DueDate":"2026-03-20",
 "LineItems":[{"Description":"Glaze test","Quantity":2,"UnitAmount":40,"AccountCode":"200"}],"Status":"AUTHORISED"}`;
    expect(read(invoice, json)).toEqual([
      {
        Type: "ACCREC",
        Contact: { ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01" },
        DueDate: "2026-03-20",
        LineItems: [
          { Description: "Glaze test", Quantity: 20000, UnitAmount: 400000, AccountCode: "200" },
        ],
        Status: "AUTHORISED",
      },
    ]);
  });

  test("lists inside lists of a record are decoded from XML", () => {
    const xml = `<Invoice>
  <InvoiceNumber>INV-0007</InvoiceNumber>
  <LineItems>
    <LineItem>
      <LineItemID>8d1a4c0e-93f7-4d7e-a1a4-0d1b2c3e4f50</LineItemID>
      <Quantity>2</Quantity><UnitAmount>40.00</UnitAmount>
      <Tracking>
        <TrackingCategory><Name>Studio</Name><Option>North Quay</Option></TrackingCategory>
      </Tracking>
    </LineItem>
  </LineItems>
</Invoice>`;
    expect(read(invoice, xml)).toEqual([
      {
        InvoiceNumber: "INV-0007",
        LineItems: [
          {
            LineItemID: "8d1a4c0e-93f7-4d7e-a1a4-0d1b2c3e4f50",
            Quantity: 20000,
            UnitAmount: 400000,
            Tracking: [{ Name: "Studio", Option: "North Quay" }],
          },
        ],
      },
    ]);
  });

  test("lists in JSON that was converted from XML are decoded", () => {
    const expected = [{ LineItems: [{ Description: "a" }] }];
    expect(read(invoice, '{"LineItems":{"LineItem":[{"Description":"a"}]}}')).toEqual(expected);
    expect(read(invoice, '{"LineItems":{"LineItem":{"Description":"a"}}}')).toEqual(expected);
    expect(read(invoice, '{"LineItems":{"Description":"a"}}')).toEqual(expected);
    expect(read(invoice, '{"LineItems":{}}')).toEqual([{ LineItems: [] }]);
  });

  test("the text of a sent note keeps its spaces and line breaks", () => {
    const body =
      "<HistoryRecords><HistoryRecord><Details> Rang\nclient </Details></HistoryRecord></HistoryRecords>";
    expect(read(historyRecord, body)).toEqual([{ Details: " Rang\nclient " }]);
  });

  test("fields named like JavaScript's built-in properties are skipped as unknown", () => {
    const [record] = read(item, '{"__proto__":{"Name":"x"},"constructor":{"Name":"x"},"Code":"A"}');
    expect(record).toStrictEqual({ Code: "A" });
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

const everything = resource(
  "Thing",
  {
    ThingID: id(),
    Note: text(),
    Exact: text({ verbatim: true }),
    Flag: boolean(),
    Count: integer(),
    Day: date(),
    At: timestamp(),
    Price: unitAmount(),
    Quantity: quantity(),
    Rate: rate(),
    Words: texts("Word"),
    Inner: one({ Flag: boolean() }),
    Parts: many("Part", { Count: integer() }),
    Other: ref("Other", ["Code"], { Code: text() }),
  },
  {
    plural: "Things",
    id: "ThingID",
    collection: [],
    record: [],
    batchMax: 1,
    columns: [],
    noun: "thing",
    summary: "",
  },
);

describe("values of fields", () => {
  test.each<[string, unknown, unknown]>([
    ["Note", "  a  b ", "a  b"],
    ["Note", 12.5, "12.5"],
    ["Note", true, "true"],
    ["Exact", " a ", " a "],
    ["Flag", true, true],
    ["Flag", "False", false],
    ["Flag", 1, true],
    ["Count", 12, 12],
    ["Count", "12", 12],
    ["Count", 12.0, 12],
    ["Day", "2026-02-27T00:00:00+13:00", "2026-02-27"],
    ["Day", "/Date(1772150400000+0000)/", "2026-02-27"],
    ["At", "2026-02-27T02:40:11", 1772160011000],
    ["At", "/Date(1772160011270)/", 1772160011270],
    ["Words", ["a", "b"], ["a", "b"]],
    ["Words", [], []],
    ["Inner", { flag: "1" }, { Flag: true }],
    ["Inner", [], {}],
    ["Parts", [{ Count: 1 }, {}], [{ Count: 1 }, {}]],
  ])("the field %s accepts the value %j, and decodes it as %j", (name, sent, value) => {
    expect(read(everything, JSON.stringify({ [name]: sent }))).toEqual([{ [name]: value }]);
  });

  test.each<[string, unknown, string]>([
    ["ThingID", "INV-1", "ThingID must be a GUID, not 'INV-1'."],
    ["Note", { a: 1 }, "Note must be a single value, not an object or a list."],
    ["Note", ["a"], "Note must be a single value, not an object or a list."],
    ["Note", "a\u0000", "Note holds the character U+0000, which cannot be kept: 'a�'."],
    ["Note", "\ud83d", "Note holds half a character: '\ufffd'."],
    ["Flag", "yes", "Flag must be true or false, not 'yes'."],
    ["Count", 1.5, "Count must be a whole number, not '1.5'."],
    ["Day", "2026-02-30", "Day must be a day of the calendar from 1900 to 2999, not '2026-02-30'."],
    ["Day", 20260227, "Day must be a day such as 2026-03-31, not '20260227'."],
    ["At", "noon", "At must be a moment such as 2026-03-31T09:00:00Z, not 'noon'."],
    [
      "Price",
      "1,000",
      "Price must be a number such as 1234.50 without thousands separators, not '1,000'.",
    ],
    ["Price", "1e400", "Price is too large to be kept exactly: '1e400'."],
    ["Price", "Infinity", "Price must be a number such as 1234.50, not 'Infinity'."],
    ["Words", "a", "Words must be a list of texts."],
    ["Words", [{}], "Words must be a list of texts."],
    ["Inner", "a", "Inner must be an object, not 'a'."],
    ["Inner", { Flag: "x" }, "Inner.Flag must be true or false, not 'x'."],
    ["Parts", "a", "Parts must be a list, not 'a'."],
    ["Parts", [1], "Part 1: It must be an object, not '1'."],
    ["Parts", [{}, null], "Part 2: It must be an object, not null."],
    ["Parts", [{}, { Count: "x" }], "Part 2: Count must be a whole number, not 'x'."],
    ["Other", [{}], "Other must be an object, not a list."],
    ["Other", "ABC", "Other must be an object, not 'ABC'."],
  ])("the field %s refuses the value %j", (name, sent, message) => {
    const error = refusal(() => read(everything, JSON.stringify({ [name]: sent })));
    expect(error.code).toBe("PostDataInvalidException");
    expect(error.message).toBe(`Record 1: ${message}`);
    expect(error.details).toHaveLength(1);
  });

  test("choices are decoded in their defined letter case, and unknown choices stay as sent", () => {
    expect(read(invoice, '{"Type":"accrec","Status":"Authorised","CurrencyCode":"nzd"}')).toEqual([
      { Type: "ACCREC", Status: "AUTHORISED", CurrencyCode: "NZD" },
    ]);
    expect(read(invoice, '{"Status":" Authorized "}')).toEqual([{ Status: "Authorized" }]);
  });

  test("a list of texts is decoded from XML, and elements of another name are skipped", () => {
    const xml = "<Thing><Words><Word>a</Word><Word/><Other>x</Other></Words></Thing>";
    expect(read(everything, xml)).toEqual([{ Words: ["a", ""] }]);
  });

  test("a field given twice in a request body is refused", () => {
    const twice = "Record 1: Note is given twice.";
    expect(refusal(() => read(everything, '{"Note":"a","NOTE":"b"}')).message).toBe(twice);
    expect(
      refusal(() => read(everything, "<Thing><Note>a</Note><Note>b</Note></Thing>")).message,
    ).toBe(twice);
  });

  test.each([
    ["Price", "40.12345", "four"],
    ["Quantity", "0.00001", "four"],
    ["Rate", "0.6123457", "six"],
  ])(
    "the field %s with the value %s, which has too many decimal places, is refused",
    (name, sent, count) => {
      for (const body of [
        `{"${name}":${sent}}`,
        `{"${name}":"${sent}"}`,
        `<Thing><${name}>${sent}</${name}></Thing>`,
      ]) {
        expect(refusal(() => read(everything, body)).message).toBe(
          `Record 1: ${name} has more than ${count} decimal places: '${sent}'.`,
        );
      }
    },
  );

  test.each<[string, 2 | 4, number]>([
    ["40", 2, 400000],
    ["40.005", 2, 400100],
    ["40.0049", 2, 400000],
    ["-40.005", 2, -400100],
    ["0.1235", 4, 1235],
    ["0.1235", 2, 1200],
    ["0.0149", 2, 100],
    ["30.599999999999998", 2, 306000],
  ])("a unit amount of %s at %d decimal places is stored as %d", (amount, unitDecimals, kept) => {
    for (const body of [
      `{"Price":${amount}}`,
      `{"Price":"${amount}"}`,
      `<Thing><Price>${amount}</Price></Thing>`,
    ]) {
      expect(read(everything, body, undefined, unitDecimals)).toEqual([{ Price: kept }]);
    }
  });

  test("a long number is decoded with all its digits", () => {
    const body =
      '{"LineItems":[{"LineAmount":90071992547409.91}],"Reference":12345678901234567890}';
    expect(read(invoice, body)).toEqual([
      { LineItems: [{ LineAmount: 9007199254740991 }], Reference: "12345678901234567890" },
    ]);
  });
});

describe("faults of a request body", () => {
  test("all faults of a request body are reported at once, each with its record, field and value", () => {
    const body = JSON.stringify([
      { InvoiceNumber: "INV-1", DueDate: "soon" },
      { InvoiceNumber: "INV-2" },
      { LineItems: [{}, { UnitAmount: "ten", Tracking: [{ TrackingOptionID: "North" }] }] },
    ]);
    const error = refusal(() => read(invoice, body));
    expect(error.message).toBe(
      "Record 1 (INV-1): DueDate must be a day such as 2026-03-31, not 'soon' (and 2 more faults).",
    );
    expect(error.details).toEqual([
      {
        message: "Record 1 (INV-1): DueDate must be a day such as 2026-03-31, not 'soon'.",
        field: "DueDate",
        record: "INV-1",
      },
      {
        message: "Record 3: LineItem 2: UnitAmount must be a number such as 1234.50, not 'ten'.",
        field: "LineItems[1].UnitAmount",
        record: "record 3",
      },
      {
        message:
          "Record 3: LineItem 2: TrackingCategory 1: TrackingOptionID must be a GUID, not 'North'.",
        field: "LineItems[1].Tracking[0].TrackingOptionID",
        record: "record 3",
      },
    ]);
  });

  test("the faults of a request body are reported up to a limit", () => {
    const body = JSON.stringify(Array.from({ length: 2000 }, () => ({ Rate: 1, Name: {} })));
    expect(refusal(() => read(taxRate, body)).details).toHaveLength(faultsMax);
  });

  test("the fields of one object are decoded, and their faults listed instead of thrown", () => {
    const { value, faults } = decodeFields(
      everything.fields,
      { count: "1", Flag: "x" },
      { unitDecimals: 2 },
    );
    expect(value).toEqual({ Count: 1, Flag: undefined });
    expect(faults).toMatchObject([
      { message: "Flag must be true or false, not 'x'.", field: "Flag" },
    ]);
  });
});
