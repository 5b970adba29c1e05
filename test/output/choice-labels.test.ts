/** Labels of values in tables, which filters take too. */
import { expect, test } from "vitest";
import { regions } from "../../src/ledger/regions/index.ts";
import { choiceLabelled, choiceText } from "../../src/output/field-labels.ts";
import { invoice, payment } from "../../src/resources/index.ts";

const { values: statuses } = invoice.fields.Status;

test.each([
  ["Invoice", "awaiting payment", "AUTHORISED"],
  ["Invoice", "Approved", "AUTHORISED"],
  ["Invoice", " void ", "VOIDED"],
  ["Invoice", "Awaiting approval", "SUBMITTED"],
  ["CreditNote", "open", "AUTHORISED"],
  ["Invoice", "authorised", "authorised"],
  ["Invoice", "awaiting", "awaiting"],
  ["Invoice", "", ""],
])('of a record of kind %s the status "%s" is that of the API, %s', (resource, text, value) => {
  expect(choiceLabelled(resource, "Status", statuses, text)).toBe(value);
});

test("each kind of payment has words of its own, and none the capitals of the API", () => {
  const labels = payment.fields.PaymentType.values.map((each) => choiceText("PaymentType", each));
  expect(labels.filter((label) => /[A-Z]{2}/.test(label))).toEqual([]);
  expect(new Set(labels).size).toBe(labels.length);
});

test.each(regions)("no tax rate of $name is reported in capitals on a terminal", ({ taxRates }) => {
  const types = taxRates().flatMap(({ reportTaxType }) => reportTaxType ?? []);
  const labels = types.map((type) => choiceText("ReportTaxType", type));
  expect(labels.filter((label) => /[A-Z]{4}/.test(label))).toEqual([]);
});
