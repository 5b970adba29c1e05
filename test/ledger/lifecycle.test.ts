import { describe, expect, test } from "vitest";
import {
  invoiceLifeCycle,
  invoiceTransitions,
  isApproved,
  mayEdit,
  move,
  settledStatus,
} from "../../src/ledger/documents/lifecycle.ts";
import { whyNotEmailed } from "../../src/resources/email-words.ts";
import type { RefusedError } from "../../src/resources/errors.ts";
import { type InvoiceStatus, invoice, invoiceStatuses } from "../../src/resources/invoice.ts";
import { cents } from "./amounts.ts";

type From = InvoiceStatus | undefined;

const creation = "Invoice not of valid status for creation";
const modification = "Invoice not of valid status for modification";
const applied = (to: InvoiceStatus) =>
  `The status ${to} cannot be applied to the invoice ` +
  "because it has payments or credit notes allocated to it.";
const undeletable = "An AUTHORISED invoice cannot be deleted; it can only be voided";

/** The rows of the service document that a caller triggers. */
const rows: [From, InvoiceStatus][] = [
  [undefined, "DRAFT"],
  [undefined, "SUBMITTED"],
  [undefined, "AUTHORISED"],
  ["DRAFT", "DRAFT"],
  ["DRAFT", "SUBMITTED"],
  ["DRAFT", "AUTHORISED"],
  ["DRAFT", "DELETED"],
  ["SUBMITTED", "SUBMITTED"],
  ["SUBMITTED", "AUTHORISED"],
  ["SUBMITTED", "DRAFT"],
  ["SUBMITTED", "DELETED"],
  ["AUTHORISED", "AUTHORISED"],
  ["AUTHORISED", "VOIDED"],
];

function outcome(from: From, to: InvoiceStatus, isApplied: boolean): string {
  try {
    return move(invoiceLifeCycle, from, to, { isApplied });
  } catch (error) {
    const { code, message } = error as RefusedError;
    expect(code).toBe("Status");
    return message;
  }
}

const name = (from: From) => from ?? "(new)";
const isRow = (from: From, to: InvoiceStatus) => rows.some(([f, t]) => f === from && t === to);
/** Moves of an invoice that is PAID because its total is zero, not because it was paid. */
const settledByApproval: [From, InvoiceStatus][] = [
  ["PAID", "AUTHORISED"],
  ["PAID", "VOIDED"],
];

describe("allowed status changes of invoices", () => {
  test.each(rows)("the status change of an invoice from %s to %s is allowed", (from, to) => {
    expect(move(invoiceLifeCycle, from, to, { isApplied: false })).toBe(to);
  });

  test("an AUTHORISED invoice becomes PAID only when payments settle it", () => {
    expect(settledStatus(cents("0"))).toBe("PAID");
    expect(settledStatus(cents("0.01"))).toBe("AUTHORISED");
    expect(invoiceTransitions).toContainEqual({
      from: "AUTHORISED",
      to: "PAID",
      trigger: "settlement",
    });
  });

  test("no other status change of invoices is defined, except those back from PAID", () => {
    const asked = invoiceTransitions.filter(({ trigger }) => trigger !== "settlement");
    expect(asked.map(({ from, to }) => [from, to])).toEqual([...rows, ...settledByApproval]);
    expect(invoiceTransitions.length - asked.length).toBe(2);
  });
});

describe("status changes of invoices that are refused", () => {
  const froms: From[] = [undefined, ...invoiceStatuses];
  const others = froms.flatMap((from) =>
    invoiceStatuses
      .filter((to) => !isRow(from, to))
      .filter((to) => !settledByApproval.some(([f, t]) => f === from && t === to))
      .map((to): [From, InvoiceStatus] => [from, to]),
  );

  test("exactly 27 status changes of invoices are refused", () => expect(others).toHaveLength(27));

  test.each(others.map(([from, to]) => [name(from), to, from] as const))(
    "the status change of an invoice from %s to %s is refused",
    (_name, to, from) => {
      const expected =
        from === undefined
          ? creation
          : from === "AUTHORISED" && to === "DELETED"
            ? undeletable
            : modification;
      expect(outcome(from, to, false)).toBe(expected);
    },
  );
});

test.each(settledByApproval)(
  "a zero invoice, PAID without any payment, may change status from %s to %s",
  (from, to) => {
    expect(move(invoiceLifeCycle, from, to, { isApplied: false })).toBe(to);
  },
);

describe("with a payment applied", () => {
  test.each<[InvoiceStatus, InvoiceStatus, string]>([
    ["AUTHORISED", "AUTHORISED", "AUTHORISED"],
    ["AUTHORISED", "DRAFT", applied("DRAFT")],
    ["AUTHORISED", "SUBMITTED", applied("SUBMITTED")],
    ["AUTHORISED", "VOIDED", applied("VOIDED")],
    ["AUTHORISED", "DELETED", undeletable],
    ["AUTHORISED", "PAID", modification],
    ["PAID", "DRAFT", applied("DRAFT")],
    ["PAID", "SUBMITTED", applied("SUBMITTED")],
    ["PAID", "AUTHORISED", applied("AUTHORISED")],
    ["PAID", "VOIDED", applied("VOIDED")],
    ["PAID", "DELETED", modification],
    ["PAID", "PAID", modification],
  ])("with a payment applied, the status change from %s to %s gives: %s", (from, to, expected) => {
    expect(outcome(from, to, true)).toBe(expected);
  });
});

describe("edits of documents by status", () => {
  const frozen =
    "This document cannot be edited as it has a payment or credit note allocated to it.";
  const free = [
    "Status",
    "Reference",
    "DueDate",
    "InvoiceNumber",
    "Contact",
    "BrandingThemeID",
    "Url",
    "SentToContact",
    "ExpectedPaymentDate",
    "PlannedPaymentDate",
    "LineItems.Description",
  ];

  function refusal(status: InvoiceStatus, isApplied: boolean, fields: string[]) {
    try {
      mayEdit(invoiceLifeCycle, status, isApplied, fields);
      return undefined;
    } catch (error) {
      return (error as RefusedError).message;
    }
  }

  test.each(["DRAFT", "SUBMITTED"] as const)(
    "every field of a %s document may be edited",
    (status) => {
      expect(refusal(status, false, ["Type", "CurrencyCode", "LineItems", "Date"])).toBeUndefined();
    },
  );

  test.each(["DELETED", "VOIDED"] as const)("no field of a %s document may be edited", (status) => {
    expect(refusal(status, false, ["Reference"])).toBe(modification);
    expect(refusal(status, false, [])).toBe(modification);
  });

  test("type and currency of an approved document cannot be edited", () => {
    expect(refusal("AUTHORISED", false, ["LineItems", "Date", ...free])).toBeUndefined();
    expect(refusal("PAID", false, ["LineItems", "Date", ...free])).toBeUndefined();
    expect(refusal("AUTHORISED", false, ["CurrencyCode"])).toBe(
      "The CurrencyCode of an approved document cannot be changed.",
    );
    expect(refusal("AUTHORISED", false, ["Type"])).toBe(
      "The Type of an approved document cannot be changed.",
    );
  });

  test.each([
    ["AUTHORISED", true],
    ["PAID", true],
  ] as const)(
    "a %s document with payments (%s) may be edited only in fields that change no posting",
    (status, isApplied) => {
      expect(refusal(status, isApplied, free)).toBeUndefined();
      for (const field of [
        "LineItems",
        "LineAmountTypes",
        "Date",
        "CurrencyCode",
        "CurrencyRate",
        "Type",
      ]) {
        expect(refusal(status, isApplied, ["Reference", field])).toBe(frozen);
      }
    },
  );
});

test.each([
  ["DRAFT", false, false],
  ["SUBMITTED", false, true],
  ["AUTHORISED", true, true],
  ["PAID", true, true],
  ["DELETED", false, false],
  ["VOIDED", false, false],
] as const)("a %s invoice can be marked as sent: %s, and emailed: %s", (status, sent, email) => {
  expect(isApproved(invoiceLifeCycle, status)).toBe(sent);
  expect(whyNotEmailed(invoice, { Type: "ACCREC", Status: status }) === undefined).toBe(email);
  expect(whyNotEmailed(invoice, { Type: "ACCPAY", Status: status })).toMatch(/^A bill cannot/);
});
