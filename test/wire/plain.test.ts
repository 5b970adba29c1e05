import { expect, test } from "vitest";
import {
  boolean,
  type Field,
  id,
  integer,
  money,
  percent,
  quantity,
  rate,
  text,
  texts,
  timestamp,
  unitAmount,
} from "../../src/resources/field.ts";
import { invoice, item, payment } from "../../src/resources/index.ts";
import {
  encodeInputs,
  plainJson,
  plainRecord,
  plainValue,
  writePlain,
} from "../../src/wire/plain.ts";

const sale = {
  Date: "2026-02-27",
  InvoiceNumber: "INV-1",
  Type: "ACCREC",
  Total: 9200,
  CurrencyRate: 1000000,
  HasAttachments: false,
  UpdatedDateUTC: 1772160011270,
  DueDate: undefined,
  Secret: 1,
  Contact: { Name: 'Blue "Kiln"', ContactID: "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01" },
  LineItems: [{ Quantity: 15000, UnitAmount: 400000, Tracking: [] }],
};

test("a record in plain JSON is one line, with its fields in the documented order", () => {
  expect(plainRecord(invoice, sale)).toBe(
    '{"Type":"ACCREC","InvoiceNumber":"INV-1","Contact":{"ContactID":"5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01","Name":"Blue \\"Kiln\\""},' +
      '"Date":"2026-02-27","LineItems":[{"Quantity":1.5,"UnitAmount":40.00,"Tracking":[]}],"Total":92.00,' +
      '"UpdatedDateUTC":"2026-02-27T02:40:11.27Z","CurrencyRate":1,"HasAttachments":false}',
  );
  expect(writePlain(invoice.fields, {})).toBe("{}");
});

test.each<[Field, unknown, string]>([
  [id(), "1f7f", "1f7f"],
  [text(), "a\nb", "a\nb"],
  [boolean(), false, "false"],
  [integer(), 5, "5"],
  [money(), 9200, "92.00"],
  [money(), -5, "-0.05"],
  [unitAmount(), 400000, "40.00"],
  [unitAmount(), 400050, "40.005"],
  [unitAmount(), 400001, "40.0001"],
  [quantity(), 10000, "1"],
  [quantity(), -15000, "-1.5"],
  [quantity(), 0, "0"],
  [quantity(), 1000000, "100"],
  [percent(), 150000, "15"],
  [percent(), 125000, "12.5"],
  [rate(), 651235, "0.651235"],
  [timestamp(), 1772160011270, "2026-02-27T02:40:11.27Z"],
  [texts("Word"), ["a", "b"], "a; b"],
  [invoice.fields.Contact, { ContactID: "x", Name: "Kiln" }, "Kiln"],
  [payment.fields.Account, { AccountID: "x" }, "x"],
  [payment.fields.Account, {}, ""],
  [item.fields.SalesDetails, { UnitPrice: 400000 }, '{"UnitPrice":40.00}'],
  [invoice.fields.LineItems, [{ Quantity: 10000 }], '[{"Quantity":1}]'],
  [money(), undefined, ""],
  [money(), null, ""],
])("a field of kind %o with the value %j is shown as %j", (field, value, shown) => {
  expect(plainValue(field, value)).toBe(shown);
});

test("a value in plain JSON is written by the kind of its field", () => {
  expect(plainJson(text(), 'a"')).toBe('"a\\""');
  expect(plainJson(money(), 100)).toBe("1.00");
  expect(plainJson(money(), undefined)).toBe("null");
});

test("a request in plain JSON has null for cleared fields, and no read-only fields", () => {
  const input = {
    InvoiceNumber: "INV-1",
    Reference: undefined,
    Total: 5,
    DueDate: "2026-03-20",
    Contact: { Name: "Kiln", ContactNumber: undefined },
    LineItems: [{ UnitAmount: 400001, ItemCode: undefined }],
  };
  expect(encodeInputs(invoice, [input, {}])).toBe(
    '{"Invoices":[{"InvoiceNumber":"INV-1","Reference":null,"DueDate":"2026-03-20","Contact":{"Name":"Kiln"},' +
      '"LineItems":[{"UnitAmount":40.0001,"ItemCode":null}]},{}]}',
  );
});
