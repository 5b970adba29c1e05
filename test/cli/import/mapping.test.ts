/** What a field is made of, and which names fields go by. */
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../../src/cli/import/mapping/heading-row.ts";
import { targetNamed } from "../../../src/cli/import/mapping/targets.ts";
import { compileTemplate } from "../../../src/cli/import/mapping/template.ts";
import type { ImportNoun } from "../../../src/cli/import/options.ts";
import {
  DecimalSum,
  multiply,
  productOf,
  readExact,
  writeExact,
} from "../../../src/cli/import/records/decimal-sum.ts";
import { isEqual } from "../../../src/cli/import/records/lookup.ts";

describe("a template for an import field", () => {
  const columns = columnsOf(["No", "Name ", "First|Last", "a{b", "Amount"]);
  const made = (text: string, ...cells: string[]) =>
    compileTemplate(text, columns, "Field").read(cells);

  test.each<[template: string, cells: string[], text: string]>([
    ["No", [" 7 "], "7"],
    ["name", ["", "Acme"], "Acme"],
    ["First|Last", ["", "", "both"], "both"],
    ["a{b", ["", "", "", "odd"], "odd"],
    ["Customer {No}", ["7"], "Customer 7"],
    ["Customer {No}", [""], ""],
    ["Customer {No}|Walk-in", [""], "Walk-in"],
    ["Customer {No}|Name|Walk-in", ["", "Acme"], "Acme"],
    ["{Name|No}", ["7", ""], "7"],
    ["{Name|No}", ["7", "Acme"], "Acme"],
    ["{No}/{Name}", ["7", "Acme"], "7/Acme"],
    ["{No}/{Name}", ["7", ""], ""],
    ["{No:integer}", ["12923.0"], "12923"],
    ["{No:integer}", ["0012923"], "12923"],
    ["{No:integer}", ["-3.00"], "-3"],
    ["{No:integer}", [""], ""],
    ["{Name|No:integer}", ["5.0", ""], "5"],
    ["{Name:upper}-{Name:lower}", ["", "Acme"], "ACME-acme"],
    ["Name", ["", "'=1+1"], "=1+1"],
    ["Name", ["", "'quoted'"], "'quoted'"],
  ])('the import template %s with the cells %j gives "%s"', (template, cells, text) => {
    expect(made(template, ...cells)).toBe(text);
  });

  test("an import template for whole numbers refuses a cell with decimals", () => {
    expect(() => made("{No:integer}", "12.5")).toThrow("No must be a whole number, not '12.5'.");
  });

  test("an import template lists the columns that it uses", () => {
    expect(compileTemplate("{Name|No} x", columns, "F").columns).toEqual([1, 0]);
  });
});

describe("fields that a column can be mapped to", () => {
  test.each<[noun: ImportNoun, name: string, path: string]>([
    ["invoice", "*InvoiceNumber", "InvoiceNumber"],
    ["invoice", "invoice number", "InvoiceNumber"],
    ["invoice", "INVOICE_DATE", "Date"],
    ["invoice", "Due Date", "DueDate"],
    ["invoice", "*UnitAmount", "LineItems.UnitAmount"],
    ["invoice", "Line.Description", "LineItems.Description"],
    ["invoice", "lineitems.itemcode", "LineItems.ItemCode"],
    ["invoice", "InventoryItemCode", "LineItems.ItemCode"],
    ["invoice", "Discount", "LineItems.DiscountRate"],
    ["invoice", "TrackingOption2", "LineItems.Tracking.2.Option"],
    ["invoice", "Tracking.1.Name", "LineItems.Tracking.1.Name"],
    ["invoice", "ContactName", "Contact.Name"],
    ["invoice", "contact.contactnumber", "Contact.ContactNumber"],
    ["invoice", "POAddressLine1", "Contact.Addresses.POBOX.AddressLine1"],
    ["invoice", "Item.SalesDetails.UnitPrice", "Item.SalesDetails.UnitPrice"],
    ["invoice", "Currency", "CurrencyCode"],
    ["bill", "PlannedDate", "PlannedPaymentDate"],
    ["contact", "*ContactName", "Name"],
    ["contact", "SAPostalCode", "Addresses.STREET.PostalCode"],
    ["contact", "MobileNumber", "Phones.MOBILE.PhoneNumber"],
    ["contact", "ContactPersons.1.EmailAddress", "ContactPersons.1.EmailAddress"],
    ["contact", "PaymentTerms.Sales.Day", "PaymentTerms.Sales.Day"],
    ["item", "*ItemCode", "Code"],
    ["item", "SalesUnitPrice", "SalesDetails.UnitPrice"],
    ["payment", "InvoiceNumber", "Invoice.InvoiceNumber"],
    ["payment", "Account.Code", "Account.Code"],
  ])('in an import of type %s, the heading "%s" is taken for the field %s', (noun, name, path) => {
    expect(targetNamed(noun, name)?.path).toBe(path);
  });

  test.each<[noun: ImportNoun, name: string]>([
    ["invoice", "InvoiceID"],
    ["invoice", "TotalDiscount"],
    ["invoice", "Country"],
    ["invoice", "LineItems"],
    ["invoice", "Contact"],
    ["invoice", "Tracking.3.Name"],
    ["invoice", "LineItems.Item.Name"],
    ["contact", "Website"],
    ["contact", "Addresses.HOME.City"],
    ["payment", "Invoice.Total"],
    ["payment", "Status"],
  ])('in an import of type %s, the heading "%s" is unknown', (noun, name) => {
    expect(targetNamed(noun, name)).toBeUndefined();
  });

  test("a mapped nested field is set in the record, beside existing fields", () => {
    const line = {};
    targetNamed("invoice", "TrackingOption2")?.put(line, "North");
    targetNamed("invoice", "TrackingName1")?.put(line, "Project");
    targetNamed("invoice", "Quantity")?.put(line, 10_000);
    expect(line).toEqual({
      Tracking: [{ Name: "Project" }, { Option: "North" }],
      Quantity: 10_000,
    });
    const document = {};
    targetNamed("invoice", "POCity")?.put(document, "Leeds");
    targetNamed("invoice", "POCountry")?.put(document, "UK");
    expect(document).toEqual({
      Contact: { Addresses: [{ AddressType: "POBOX", City: "Leeds", Country: "UK" }] },
    });
  });
});

describe("exact products and sums of cells", () => {
  test.each([
    ["0.1", "0.2", "0.02"],
    ["-3", "4.15", "-12.45"],
    ["1.00005", "3", "3.00015"],
    ["9999999999999", "9999999999.9999", "99999999999989000000000.0001"],
    ["0", "-5", "0.00"],
  ])("the exact product of the cells %s and %s is %s", (left, right, text) => {
    const [a, b] = [readExact(left), readExact(right)];
    if (a === undefined || b === undefined) throw new Error("no decimal");
    const sum = new DecimalSum();
    sum.add(productOf(a, b));
    expect(writeExact(sum.exact)).toBe(text);
    sum.add(productOf({ value: -a.value, scale: a.scale }, b));
    expect(writeExact(sum.exact)).toBe("0.00");
  });

  test.each([
    ["191.1519958848", "191.15"],
    ["0.005", "0.01"],
    ["-0.005", "-0.01"],
    ["-12.3449", "-12.34"],
    ["3", "3.00"],
  ])("the sum %s is shown to people as %s", (text, shown) => {
    const sum = new DecimalSum();
    sum.add(readExact(text) ?? { value: 0n, scale: 0 });
    expect(sum.toString()).toBe(shown);
  });

  test("the product of two cells is exact for the largest numbers that a row can have", () => {
    expect(writeExact(multiply(9_007_199_254_740_991, 9_007_199_254_740_991))).toBe(
      "811296384146066636813904.95662081",
    );
    expect(readExact("1e5")).toBeUndefined();
    expect(readExact(".")).toBeUndefined();
  });
});

test("a field that is empty in the file is not counted as a difference from the existing record", () => {
  const held = {
    Name: "A",
    Addresses: [{ AddressType: "STREET" }, { AddressType: "POBOX", City: "L" }],
  };
  expect(isEqual({ Name: "A", Reference: "" }, held)).toBe(true);
  expect(isEqual({ Addresses: [{ AddressType: "POBOX", City: "L" }] }, held)).toBe(true);
  expect(isEqual({ Addresses: [{ AddressType: "POBOX", City: "M" }] }, held)).toBe(false);
  expect(isEqual({ Discount: 0, SentToContact: false, List: [] }, held)).toBe(true);
  expect(isEqual({ Discount: 1 }, held)).toBe(false);
});
