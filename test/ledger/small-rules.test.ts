/** Terms, numbers, lock dates: rules of one table each. */
import { describe, expect, test } from "vitest";
import { nextNumber, numberValue, taxRateSeries } from "../../src/ledger/documents/numbering.ts";
import { dueDate } from "../../src/ledger/documents/terms.ts";
import { checkLock } from "../../src/ledger/locks.ts";
import type { RefusedError } from "../../src/resources/errors.ts";

describe("payment terms", () => {
  test.each([
    ["DAYSAFTERBILLDATE", 20, "2026-01-15", "2026-02-04"],
    ["DAYSAFTERBILLDATE", 0, "2026-01-15", "2026-01-15"],
    ["DAYSAFTERINVOICEDATE", 14, "2026-02-20", "2026-03-06"],
    ["DAYSAFTERBILLMONTH", 10, "2026-01-15", "2026-02-10"],
    ["DAYSAFTERBILLMONTH", 0, "2026-01-15", "2026-01-31"],
    ["DAYSAFTERINVOICEMONTH", 30, "2026-01-31", "2026-03-02"],
    ["OFCURRENTMONTH", 25, "2026-01-15", "2026-01-25"],
    ["OFCURRENTMONTH", 31, "2026-02-15", "2026-02-28"],
    ["OFFOLLOWINGMONTH", 20, "2026-01-31", "2026-02-20"],
    ["OFFOLLOWINGMONTH", 31, "2026-01-31", "2026-02-28"],
    ["OFFOLLOWINGMONTH", 20, "2025-12-05", "2026-01-20"],
  ])("payment terms %s %s from %s give the due date %s", (Type, Day, date, expected) => {
    expect(dueDate(date, { Day, Type })).toBe(expected);
  });

  test.each([undefined, {}, { Day: 5 }, { Type: "OFCURRENTMONTH" }, { Day: 5, Type: "SOMETIME" }])(
    "the payment terms %j give no due date",
    (term) => expect(dueDate("2026-01-15", term)).toBeUndefined(),
  );
});

describe("document numbers", () => {
  const invoices = { sequence: "invoice", prefix: "INV-", width: 4 };

  test.each([
    [0, "INV-0001"],
    [7, "INV-0008"],
    [9998, "INV-9999"],
    [9999, "INV-10000"],
  ])("the document number after %s is %s", (last, expected) => {
    expect(nextNumber(invoices, last)).toBe(expected);
  });

  test.each([
    ["INV-0100", 100],
    ["inv-7", 7],
    ["INV-10000", 10000],
    ["INV-999999999", 999_999_999],
    ["INV-1000000000", undefined],
    ["INV-", undefined],
    ["INV-12a", undefined],
    ["INV-1.5", undefined],
    ["INV--5", undefined],
    ["PO-0005", undefined],
    ["0042", undefined],
    ["", undefined],
  ])("the text %s has the invoice number value %s", (text, expected) => {
    expect(numberValue(invoices, text)).toBe(expected);
  });

  test("the next number of a document series has a value greater by one", () => {
    for (const series of [invoices, taxRateSeries]) {
      expect(numberValue(series, nextNumber(series, 41))).toBe(42);
    }
  });
});

describe("lock dates", () => {
  const locks = { PeriodLockDate: "2025-07-31", EndOfYearLockDate: "2025-03-31" };
  const period =
    "The document date cannot be before the period lock date, currently set at 31-Jul-2025";
  const year =
    "The document date cannot be before the end of year lock date, currently set at 31-Mar-2025";

  test.each([
    ["2025-08-01", []],
    ["2025-07-31", [period]],
    ["2025-04-01", [period]],
    ["2025-03-31", [period, year]],
  ])("a document dated %s gets the lock date refusals %j", (date, messages) => {
    let refusal: RefusedError | undefined;
    try {
      checkLock(date, locks);
    } catch (error) {
      refusal = error as RefusedError;
    }
    expect(refusal?.details.map(({ message }) => message) ?? []).toEqual(messages);
    expect(refusal?.code).toBe(messages.length > 0 ? "LockDate" : undefined);
    expect(refusal?.message).toBe(messages[0]);
  });

  test("a book without lock dates accepts any document date", () => {
    expect(() => checkLock("1999-01-01", {})).not.toThrow();
  });
});
