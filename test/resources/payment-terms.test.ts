/** Payment terms in words. */
import { expect, test } from "vitest";
import { contact, repeatingInvoice } from "../../src/resources/index.ts";
import { readTerm, termWords } from "../../src/resources/payment-terms.ts";

const { Type, Day } = contact.fields.PaymentTerms.fields.Sales.fields;

test("payment terms of every kind and day are read from the words and the name that they are shown by", () => {
  for (const type of Type.values) {
    for (let day = 0; day <= Day.max; day++) {
      if (day === 0 && type.startsWith("OF")) continue;
      const term = { Day: day, Type: type };
      expect(readTerm(termWords(day, type))).toEqual(term);
      expect(readTerm(`${day} ${type}`)).toEqual(term);
    }
  }
});

test.each([
  ["30 days", 30, "DAYSAFTERBILLDATE"],
  ["net 30", 30, "DAYSAFTERBILLDATE"],
  ["14 days after the invoice date", 14, "DAYSAFTERBILLDATE"],
  ["On receipt", 0, "DAYSAFTERBILLDATE"],
  ["20 month-end", 20, "DAYSAFTERBILLMONTH"],
  ["20 days after month end", 20, "DAYSAFTERBILLMONTH"],
  ["end of month", 31, "OFCURRENTMONTH"],
  ["eom", 31, "OFCURRENTMONTH"],
  ["1st of this month", 1, "OFCURRENTMONTH"],
  ["20th of next month", 20, "OFFOLLOWINGMONTH"],
  ["20 following-month", 20, "OFFOLLOWINGMONTH"],
  ["the end of the next month", 31, "OFFOLLOWINGMONTH"],
])("payment terms are read from the words %j", (text, day, type) => {
  expect(readTerm(text)).toEqual({ Day: day, Type: type });
});

test.each(["soon", "20", "days", "20 weeks", "20th of March", "-3 days", "1.5 days"])(
  "%j is no payment term",
  (text) => expect(readTerm(text)).toBeUndefined(),
);

test("every due date type of a repeating invoice has words", () => {
  const { DueDateType } = repeatingInvoice.fields.Schedule.fields;
  expect(DueDateType.values.map((type) => termWords(21, type))).toEqual([
    "21 days after the document",
    "21 days after the end of the month",
    "21 days after the document",
    "21 days after the end of the month",
    "21st of the month",
    "21st of the following month",
  ]);
});
