import { describe, expect, test } from "vitest";
import type { BankRule } from "../../../src/ledger/bank-matching/matching-types.ts";
import { cents, percent } from "../amounts.ts";
import { best, contacts, decided, type LineText, line, matched, open } from "./request.ts";

const kowhai = "KOWHAI DESIGN";
const inv42 = open({ number: "INV-0042", due: "115.00" });
const inv43 = open({ number: "INV-0043", due: "230.00", date: "2026-03-05" });

/** The best suggestion of one line. */
const bestOf = (given: Parameters<typeof matched>[0]) => best(matched(given))[0];
const decidedOf = (given: Parameters<typeof matched>[0]) => decided(matched(given))[0];

describe("matching a line with one document", () => {
  test("equal amount and the invoice number in the bank line match automatically", () => {
    const lines = [line({ amount: "115.00", text: "RechnungINV0042vom 1.3." })];
    expect(bestOf({ lines, documents: [inv42, inv43] })).toBe(
      "INV-0042 115 | the amount is equal; INV-0042 in the text; 19 days after the document | auto",
    );
  });

  test("equal amount and a clear contact name in the bank line match automatically", () => {
    const lines = [line({ amount: "115.00", payee: "KOWHAY DESIGN LIMITED" })];
    expect(bestOf({ lines, documents: [inv42, inv43] })).toBe(
      "INV-0042 115 | the amount is equal; name of Kowhai Design Ltd; 19 days after the document | auto",
    );
  });

  test("equal amount and a known bank account match automatically, whatever the payee is called", () => {
    const lines = [
      line({ amount: "115.00", payee: "K. Rangi", otherAccount: "de89370400440532013000" }),
    ];
    expect(bestOf({ lines, documents: [inv42, inv43] })).toBe(
      "INV-0042 115 | the amount is equal; bank account of Kowhai Design Ltd; 19 days after the document | auto",
    );
  });

  test.each([
    [
      "the reference of the document",
      { reference: "RF18 5390 0754 7034" },
      ["RF18539007547034"],
      "",
    ],
    [
      "a reference in the text",
      { reference: "RF18539007547034" },
      [],
      "ref RF18 5390 0754 7034 ok",
    ],
    ["a reference that carries the number", { number: "123456" }, ["1234561"], ""],
    ["a QR reference", { number: "3139471430" }, [], "000000000000000031394714302"],
    ["the number as end-to-end id", { number: "A/771-B" }, ["A771-B"], ""],
  ])(
    "an open invoice is matched automatically with a bank line by %s",
    (_, document, references, text) => {
      const known = open({ due: "115.00", id: "D", ...document });
      const lines = [line({ amount: "115.00", references, text })];
      expect(bestOf({ lines, documents: [known, inv43] })).toMatch(/^D 115 .*reference .* auto$/);
    },
  );

  test.each<[string, LineText, RegExp]>([
    ["amount alone", { amount: "115.00" }, /\| evidence$/],
    ["digits without letters", { amount: "115.00", text: "0042" }, /digits of INV-0042.*evidence$/],
    [
      "a typing error in the number",
      { amount: "115.00", text: "INV-OO42" },
      /INVOO42 in the text, nearly INV-0042.*evidence$/,
    ],
    [
      "an amount much below the amount due",
      { amount: "100.00", text: "INV-0042" },
      /^INV-0042 100 \| 15.00 less than is due.*amount$/,
    ],
    [
      "an amount a little below the amount due",
      { amount: "112.00", text: "INV-0042" },
      /^INV-0042 115, fee -3 .*amount$/,
    ],
    [
      "an amount above the amount due",
      { amount: "200.00", text: "INV-0042" },
      /^INV-0042 115, overpayment 85 .*amount$/,
    ],
    [
      "a payee that is another contact",
      { amount: "115.00", text: "INV-0042", payee: "Harbour Supplies North" },
      /contact$/,
    ],
    ["a number that is not open", { amount: "115.00", text: "INV-0041", payee: kowhai }, /number$/],
    [
      "the number of another invoice too",
      { amount: "115.00", text: "INV-0042 INV-0043" },
      /number$/,
    ],
    [
      "a date before the invoice",
      { amount: "115.00", text: "INV-0042", date: "2026-02-28" },
      /laterDate$/,
    ],
    [
      "a date long after the invoice, matched by name",
      { amount: "115.00", payee: kowhai, date: "2026-04-20" },
      /days$/,
    ],
    [
      "a line marked as a return",
      { amount: "115.00", text: "INV-0042", flags: ["return"] },
      /return$/,
    ],
    ["a line marked as cash", { amount: "115.00", text: "INV-0042", flags: ["cash"] }, /cash$/],
    [
      "a line unmatched before by a person",
      { amount: "115.00", text: "INV-0042", flags: ["manual"] },
      /manual$/,
    ],
    [
      "a batch payment",
      { amount: "115.00", text: "INV-0042", batch: [{ amount: cents("115.00"), text: "" }] },
      /batch$/,
    ],
  ])(
    'a match with an open invoice is only suggested, not made automatically, in the case "%s"',
    (_, given, expected) => {
      expect(bestOf({ lines: [line(given)], documents: [inv42, inv43] })).toMatch(expected);
    },
  );

  test("a receipt is never matched with a bill, nor a payment with an invoice", () => {
    expect(
      matched({ lines: [line({ amount: "-115.00", text: "INV-0042" })], documents: [inv42] })[0]
        ?.suggestions,
    ).toEqual([]);
    const bill = open({
      type: "ACCPAY",
      number: "INV-0042",
      id: "bill",
      due: "115.00",
      contactId: "north",
    });
    const lines = [line({ amount: "-115.00", text: "INV-0042" })];
    expect(decidedOf({ lines, documents: [inv42, bill] })).toBe("bill -115");
  });

  test("bank lines dated before the lock date, or for archived contacts, are not matched automatically", () => {
    const lines = [line({ amount: "115.00", text: "INV-0042" })];
    expect(bestOf({ lines, documents: [inv42], lockDate: "2026-03-20" })).toMatch(/lock$/);
    expect(decidedOf({ lines, documents: [inv42], lockDate: "2026-03-19" })).toBe("INV-0042 115");
    expect(bestOf({ lines, documents: [{ ...inv42, contactId: "old" }] })).toMatch(/archived$/);
  });

  test("a bill number used by two suppliers is taken as the bill of the supplier named as payee", () => {
    const bill = (contactId: string) =>
      open({ type: "ACCPAY", number: "R-1001", id: contactId, due: "80.00", contactId });
    const documents = [bill("north"), bill("muller")];
    expect(bestOf({ lines: [line({ amount: "-80.00", text: "R-1001" })], documents })).toMatch(
      /evidence$/,
    );
    const lines = [line({ amount: "-80.00", text: "R-1001", payee: "Mueller Soehne" })];
    expect(decidedOf({ lines, documents })).toBe("muller -80");
  });

  test("an invoice number truncated by the bank format is found; one that may be longer is only suggested", () => {
    const documents = [inv42];
    expect(
      decidedOf({ lines: [line({ amount: "115.00", text: "Payment INV-00\n42" })], documents }),
    ).toBe("INV-0042 115");
    const inLetters = [line({ amount: "115.00", text: "Payment IN\nV-0042" })];
    expect(decidedOf({ lines: inLetters, documents })).toBe("INV-0042 115");
    expect(
      bestOf({ lines: [line({ amount: "115.00", text: "Payment INV-0042\n7" })], documents }),
    ).toMatch(/evidence$/);
  });

  test("a contact name alone does not decide between documents or sums of equal amount", () => {
    const lines = [line({ amount: "115.00", payee: kowhai })];
    expect(
      bestOf({ lines, documents: [inv42, { ...inv42, id: "twin", number: "INV-0050" }] }),
    ).toMatch(/twin$/);
    const parts = [
      open({ number: "INV-0051", due: "100.00" }),
      open({ number: "INV-0052", due: "15.00" }),
    ];
    expect(bestOf({ lines, documents: [inv42, ...parts] })).toMatch(/sum$/);
    const many = Array.from({ length: 24 }, (_, n) =>
      open({ number: `INV-1${n}0`, due: "9000.00" }),
    );
    expect(bestOf({ lines, documents: [inv42, ...many] })).toMatch(/sum$/);
  });

  test("a payee that fits two contact names is only suggested", () => {
    const documents = [open({ number: "INV-7", due: "50.00", contactId: "north" })];
    expect(
      bestOf({ lines: [line({ amount: "50.00", payee: "HARBOUR SUPPLIES" })], documents }),
    ).toMatch(/evidence$/);
    expect(
      decidedOf({ lines: [line({ amount: "50.00", payee: "HARBOUR SUPPLIES NORTH" })], documents }),
    ).toBe("INV-7 50");
  });

  test("a contact inferred from earlier bank lines counts after two of them, and is in doubt if the payee is another", () => {
    const lines = [line({ amount: "50.00", otherAccount: "NL91 ABNA 0417 1643 00" })];
    const documents = [open({ number: "INV-7", due: "50.00", contactId: "north" })];
    const learnt = (count: number) => [
      { kind: "contact", otherAccount: "NL91ABNA0417164300", contactId: "north", count } as const,
    ];
    expect(bestOf({ lines, documents, learnt: learnt(1) })).not.toContain("lines of");
    expect(bestOf({ lines, documents, learnt: learnt(2) })).toMatch(
      /bank account of 2 lines of Harbour Supplies North Ltd.*evidence$/,
    );
    const named = lines.map((each) => ({ ...each, payee: kowhai }));
    const disputed = {
      lines: named,
      documents: [{ ...inv42, due: cents("50.00") }],
      learnt: learnt(2),
    };
    expect(bestOf(disputed)).toMatch(/contact$/);
  });
});

test("a bank account shared by two contacts identifies neither, and a match by payee name still works", () => {
  const iban = "NL91 ABNA 0417 1643 00";
  const shared = contacts.map((each) =>
    each.id === "north" || each.id === "kowhai" ? { ...each, accounts: [iban] } : each,
  );
  const given = { documents: [inv42], contacts: shared };
  const lineOf = (payee?: string) => [line({ amount: "115.00", otherAccount: iban, payee })];
  expect(decidedOf({ ...given, lines: lineOf() })).toBeUndefined();
  expect(decidedOf({ ...given, lines: lineOf(kowhai) })).toBe("INV-0042 115");
  expect(decidedOf({ ...given, lines: lineOf("Mueller Soehne") })).toBeUndefined();
});

describe("charges, fees and currencies", () => {
  test("bank charges given in the file are added to the amount", () => {
    const lines = [line({ amount: "112.00", charges: cents("3.00"), text: "INV-0042" })];
    expect(bestOf({ lines, documents: [inv42] })).toBe(
      "INV-0042 115, charges -3 | the amount is equal with the fee of 3.00; INV-0042 in the text; 19 days after the document | auto",
    );
    const bill = open({ type: "ACCPAY", number: "R-1500", due: "1500.00", contactId: "north" });
    const out = [line({ amount: "-1526.00", charges: cents("26.00"), text: "R-1500" })];
    expect(decidedOf({ lines: out, documents: [bill] })).toBe("R-1500 -1500, charges -26");
  });

  test("a payment agent's fee is computed from the bank rule's percentage and fixed amount, to the cent", () => {
    const rules: BankRule[] = [
      {
        id: "r",
        name: "Card payments",
        conditions: [{ field: "payee", test: "contains", value: "paywave" }],
        outcome: { kind: "fee", accountCode: "404", percent: percent("2.9"), fixed: cents("0.30") },
      },
    ];
    const paid = (amount: string) => [line({ amount, payee: "PAYWAVE", text: "INV-0042" })];
    expect(decidedOf({ lines: paid("111.36"), documents: [inv42], rules })).toBe(
      "INV-0042 115, fee -3.64",
    );
    expect(decidedOf({ lines: paid("111.35"), documents: [inv42], rules })).toBeUndefined();
  });

  test("an invoice in a foreign currency is found by the original amount in the bank line", () => {
    const documents = [open({ number: "INV-0090", due: "100.00", currency: "USD" })];
    const original = { amount: cents("100.00"), currency: "USD" };
    const lines = [line({ amount: "163.20", original, payee: kowhai })];
    expect(bestOf({ lines, documents })).toMatch(
      /^INV-0090 100, exchange 0 \| the amount is equal in USD, 100.00.*currency$/,
    );
    const named = [line({ amount: "163.20", text: "INV-0090" })];
    expect(bestOf({ lines: named, documents })).toMatch(
      /the document is in USD; INV-0090 in the text.*amount, currency$/,
    );
  });
});

describe("matching a line with several documents", () => {
  test("a bank line that names several invoices is matched automatically with all of them", () => {
    const lines = [line({ amount: "345.00", text: "INV-0042, INV-0043" })];
    expect(bestOf({ lines, documents: [inv42, inv43] })).toBe(
      "INV-0042 115 + INV-0043 230 | the amount is equal; the sum of 2 documents; INV-0042 in the text; INV-0043 in the text | auto",
    );
  });

  test("credit notes are subtracted from the sum of documents", () => {
    const credit = open({ type: "ACCRECCREDIT", number: "CN-0007", due: "15.00" });
    const lines = [line({ amount: "330.00", text: "INV 42, 43 less CN-0007" })];
    expect(decidedOf({ lines, documents: [inv42, inv43, credit] })).toBe(
      "INV-0042 115 + INV-0043 230 + CN-0007 -15",
    );
  });

  test("a line equal to the sum of all, the oldest or the only fitting documents of a contact is only suggested", () => {
    const inv44 = open({ number: "INV-0044", due: "77.77", date: "2026-03-06" });
    const documents = [inv42, inv43, inv44];
    const of = (amount: string) => bestOf({ lines: [line({ amount, payee: kowhai })], documents });
    expect(of("422.77")).toMatch(/^INV-0042 115 \+ INV-0043 230 \+ INV-0044 77.77 .*evidence$/);
    expect(of("345.00")).toMatch(/^INV-0042 115 \+ INV-0043 230 .*evidence$/);
    expect(of("307.77")).toMatch(/^INV-0043 230 \+ INV-0044 77.77 .*evidence$/);
  });

  test("a bank line whose amount fits only some of the numbers it names is only suggested", () => {
    const inv44 = open({ number: "INV-0044", due: "77.77" });
    const lines = [line({ amount: "307.77", text: "INV 42 43 44" })];
    expect(bestOf({ lines, documents: [inv42, inv43, inv44] })).toMatch(
      /^INV-0043 230 \+ INV-0044 77.77 .*number$/,
    );
  });

  test("a bank line that names the documents of two contacts, whose sum it is, pays both automatically", () => {
    const other = open({ number: "INV-0050", due: "10.00", contactId: "north" });
    const documents = [inv42, other];
    const of = (amount: string, text: string, payee?: string) =>
      bestOf({ lines: [line({ amount, text, payee })], documents });
    expect(of("125.00", "INV-0042 INV-0050")).toMatch(/^INV-0042 115 \+ INV-0050 10 .*auto$/);
    expect(of("125.00", "INV-0042 INV-0050", kowhai)).toMatch(/auto$/);
    // One number is missing, or a cent.
    expect(of("125.00", "INV-0042")).not.toMatch(/auto$/);
    expect(of("125.01", "INV-0042 INV-0050")).not.toMatch(/auto$/);
  });
});

describe("matching several lines", () => {
  test("two bank lines do not pay the same document twice", () => {
    const lines = [
      line({ amount: "115.00", text: "INV-0042" }),
      line({ amount: "115.00", payee: kowhai }),
      line({ amount: "230.00", text: "INV-0043" }),
    ];
    expect(decided(matched({ lines, documents: [inv42, inv43] }))).toEqual([
      undefined,
      undefined,
      "INV-0043 230",
    ]);
  });

  test("a document named by one bank line is not matched automatically with another line", () => {
    const lines = [
      line({ amount: "115.00", text: "INV-0042" }),
      line({ amount: "-115.00", text: "return of INV-0042", flags: ["return"] }),
    ];
    expect(best(matched({ lines, documents: [inv42] }))[0]).toMatch(/claim$/);
  });
});

test("a bank line with an amount of zero has no match suggestions", () => {
  expect(
    best(matched({ lines: [line({ amount: "0.00", text: "INV-0042" })], documents: [inv42] })),
  ).toEqual(["none"]);
});
