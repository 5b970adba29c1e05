import { expect, test } from "vitest";
import { invoice } from "../../src/resources/invoice.ts";
import { payment } from "../../src/resources/payment.ts";
import { allOf, anyOf, compare, isGuid } from "../../src/wire/query/condition.ts";

const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";

test.each([
  ["InvoiceID", "==", id, `InvoiceID==Guid("${id}")`],
  ["InvoiceNumber", "==", 'A "quoted\\ one', 'InvoiceNumber=="A \\"quoted\\\\ one"'],
  ["Status", "!=", "PAID", 'Status!="PAID"'],
  ["DueDate", "<=", "2026-03-01", "DueDate<=DateTime(2026,03,01)"],
  [
    "UpdatedDateUTC",
    ">",
    Date.UTC(2026, 2, 1, 4, 5, 6),
    "UpdatedDateUTC>DateTime(2026,03,01,04,05,06)",
  ],
  ["AmountDue", ">", 9_007_199_254_740_991, "AmountDue>90071992547409.91"],
  ["CurrencyRate", "<", 500_000, "CurrencyRate<0.500000"],
  ["SentToContact", "==", false, "SentToContact==false"],
  ["contact.name", "==", "Acme", 'Contact.Name=="Acme"'],
] as const)(
  "the condition %s %s %j is written as a where clause",
  (path, comparison, value, written) => {
    expect(compare(invoice.fields, path, comparison, value)).toBe(written);
  },
);

test("a field without a single value cannot be compared in a condition", () => {
  expect(() => compare(invoice.fields, "LineItems", "==", "x")).toThrow(/LineItems/);
  expect(() => compare(payment.fields, "Nothing", "==", "x")).toThrow(/Nothing/);
});

test("conditions joined by AND and OR get the parentheses that they need", () => {
  expect(anyOf(["A==1"])).toBe("A==1");
  expect(allOf([anyOf(["A==1", "B==2"]), undefined, "", "C==3"])).toBe("(A==1 OR B==2) AND C==3");
  expect(allOf([undefined])).toBeUndefined();
});

test("an id in a condition is accepted in every spelling that the service accepts", () => {
  expect([id, id.toUpperCase(), `{${id}}`, id.replaceAll("-", "")].every(isGuid)).toBe(true);
  expect(["INV-0042", "", id.slice(1), `${id}0`].some(isGuid)).toBe(false);
});
