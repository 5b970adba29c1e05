import { describe, expect, test } from "vitest";
import type { BankRule } from "../../../src/ledger/bank-matching/matching-types.ts";
import { percent } from "../amounts.ts";
import { best, booked, decided, type LineText, line, matched, open } from "./request.ts";

const kowhai = "KOWHAI DESIGN";
const inv42 = open({ number: "INV-0042", due: "115.00" });

/** The best suggestion of one line. */
const bestOf = (given: Parameters<typeof matched>[0]) => best(matched(given))[0];
const decidedOf = (given: Parameters<typeof matched>[0]) => decided(matched(given))[0];

describe("invoices of one amount for many contacts", () => {
  const members = Array.from({ length: 300 }, (_, n) => ({ id: `m${n}`, name: `Member M${n}` }));
  const documents = members.map(({ id }, n) =>
    open({ number: `INV-1${n}0`, due: "49.00", contactId: id }),
  );
  const transactions = members.map(({ id }, n) =>
    booked({ amount: "49.00", contactId: id, id: `T${n}`, numbers: [`INV-2${n}0`] }),
  );
  const of = (given: Omit<LineText, "amount">) => ({
    lines: [line({ amount: "49.00", ...given })],
    contacts: members,
  });

  test("among invoices of one amount, the number or the name in the bank line decides the contact", () => {
    expect(decidedOf({ ...of({ text: "INV-11230" }), documents })).toBe("INV-11230 49");
    expect(decidedOf({ ...of({ payee: "MEMBER M123" }), documents })).toBe("INV-11230 49");
    expect(decidedOf({ ...of({ text: "INV-21230" }), transactions })).toBe("reconcile T123");
    expect(decidedOf({ ...of({ payee: "MEMBER M123" }), transactions })).toBe("reconcile T123");
    expect(decidedOf({ ...of({ payee: "MEMBER" }), transactions, documents })).toBeUndefined();
  });

  test("a transaction without a contact can match a bank line of any payee", () => {
    const nobody = booked({ amount: "49.00" });
    const given = { ...of({ payee: "MEMBER M123" }), transactions: [...transactions, nobody] };
    expect(decidedOf(given)).toBeUndefined();
  });
});

describe("matching lines with transactions of the book", () => {
  const paid = booked({ amount: "115.00", id: "P", contactId: "kowhai", numbers: ["INV-0041"] });

  test("a bank line is matched with the transaction whose number or name it contains, not with a document", () => {
    const named = {
      lines: [line({ amount: "115.00", text: "INV-0041" })],
      transactions: [paid],
      documents: [inv42],
    };
    expect(bestOf(named)).toBe(
      "reconcile P | the amount is equal; INV-0041 in the text; 1 day after the transaction | auto",
    );
    const lines = [line({ amount: "115.00", payee: kowhai })];
    expect(decidedOf({ lines, transactions: [paid] })).toBe("reconcile P");
    expect(bestOf({ lines, transactions: [paid], documents: [inv42] })).toMatch(
      /^reconcile P .* document$/,
    );
  });

  test("a bank line whose text names a document is not matched with a transaction", () => {
    const lines = [line({ amount: "115.00", text: "INV-0042", payee: kowhai })];
    expect(decidedOf({ lines, transactions: [paid], documents: [inv42] })).toBe("INV-0042 115");
    const unnumbered = { ...paid, numbers: [] };
    expect(decidedOf({ lines, transactions: [unnumbered], documents: [inv42] })).toBeUndefined();
  });

  test("a transaction whose number is in the bank line is preferred to one whose contact name is", () => {
    const short = { ...paid, contactId: "north", numbers: ["408"] };
    const lines = [line({ amount: "115.00", text: "408", payee: kowhai })];
    expect(decidedOf({ lines, transactions: [short], documents: [inv42] })).toBeUndefined();
    const bill = open({ number: "408", due: "115.00", contactId: "north" });
    expect(decidedOf({ lines, documents: [inv42, bill] })).toBeUndefined();
    expect(decidedOf({ lines, transactions: [paid], documents: [bill] })).toBeUndefined();
    expect(decidedOf({ lines, documents: [inv42] })).toBe("INV-0042 115");
  });

  test("a bank line is not matched automatically by amount alone, between equal transactions, or on distant dates", () => {
    const lines = [line({ amount: "115.00" })];
    expect(bestOf({ lines, transactions: [paid] })).toMatch(/evidence$/);
    const named = [line({ amount: "115.00", payee: kowhai })];
    expect(bestOf({ lines: named, transactions: [paid, { ...paid, id: "Q" }] })).toMatch(/twin$/);
    expect(
      matched({ lines: named, transactions: [{ ...paid, date: "2026-03-14" }] })[0]?.suggestions,
    ).toEqual([]);
    const two = [...named, line({ amount: "115.00", payee: kowhai })];
    expect(decided(matched({ lines: two, transactions: [paid] }))).toEqual([undefined, undefined]);
  });
});

describe("a cheque that is presented weeks later", () => {
  const cheque = booked({
    amount: "-115.00",
    id: "C",
    date: "2026-02-10",
    contactId: undefined,
    reference: "000117",
  });
  const lines = [line({ amount: "-115.00", text: "CHEQUE", references: ["000117"] })];

  test("a cheque presented weeks later is suggested by its number, and not matched automatically", () => {
    expect(bestOf({ lines, transactions: [cheque] })).toMatch(
      /^reconcile C \| the amount is equal; reference 000117; \d+ days after the transaction \| days$/,
    );
    const other = [line({ amount: "-115.00", text: "CHEQUE", references: ["000118"] })];
    expect(bestOf({ lines: other, transactions: [cheque] })).toBe("none");
  });

  test("a suggested cheque keeps a bank rule from booking the line again", () => {
    const rule: BankRule = {
      id: "R",
      name: "Cheques",
      conditions: [{ field: "text", test: "contains", value: "cheque" }],
      outcome: { kind: "transaction", contactId: undefined, split: [{ accountCode: "429" }] },
    };
    expect(decidedOf({ lines, rules: [rule] })).toBeDefined();
    expect(decidedOf({ lines, rules: [rule], transactions: [cheque] })).toBeUndefined();
  });

  test("an old cheque is not suggested where a recent cheque has the same number", () => {
    const recent = { ...cheque, id: "D", date: "2026-03-18" };
    const near = [{ ...lines[0]!, date: "2026-03-20" }];
    expect(decidedOf({ lines: near, transactions: [cheque, recent] })).toBe("reconcile D");
  });
});

describe("transfers between own accounts", () => {
  const there = line({
    amount: "500.00",
    id: "T",
    text: "from 12-3456-0789012-00",
    date: "2026-03-22",
  });
  const savings = {
    id: "091",
    name: "Savings",
    numbers: ["12-3456-0789012-25"],
    currency: "NZD",
    lines: [there],
  };
  const here = line({ amount: "-500.00", otherAccount: "12-3456-0789012-25" });

  test("a bank line in one account and the opposite line in another account are matched as a transfer", () => {
    expect(bestOf({ lines: [here], ownAccounts: [savings] })).toBe(
      "transfer 091 T | the amount is equal; own account Savings; 2 days before the line | auto",
    );
    const unnamed = { ...here, otherAccount: undefined };
    expect(decidedOf({ lines: [unnamed], ownAccounts: [savings] })).toBe("transfer 091 T");
  });

  test("a transfer without a number, with two candidates or without its opposite line is not matched automatically", () => {
    const unnamed = { ...here, otherAccount: undefined };
    const silent = { ...savings, lines: [{ ...there, text: "" }] };
    expect(bestOf({ lines: [unnamed], ownAccounts: [silent] })).toMatch(/evidence$/);
    const twins = { ...savings, lines: [there, { ...there, id: "U" }] };
    expect(bestOf({ lines: [here], ownAccounts: [twins] })).toMatch(/twin$/);
    expect(
      decided(matched({ lines: [here, { ...here, id: "again" }], ownAccounts: [savings] })),
    ).toEqual([undefined, undefined]);
    expect(bestOf({ lines: [here], ownAccounts: [{ ...savings, lines: [] }] })).toMatch(
      /^transfer 091 \| own account Savings \| evidence$/,
    );
  });

  test("a transfer is not matched with a supplier's bill of the same amount", () => {
    const bill = open({ type: "ACCPAY", number: "R-500", due: "500.00", contactId: "north" });
    const lines = [{ ...here, text: "R-500" }];
    expect(
      decidedOf({ lines, documents: [bill], ownAccounts: [{ ...savings, lines: [] }] }),
    ).toBeUndefined();
  });
});

describe("bank rules in matching", () => {
  const fuel: BankRule = {
    id: "fuel",
    name: "Fuel",
    conditions: [{ field: "payee", test: "contains", value: "Z Energy" }],
    outcome: {
      kind: "transaction",
      split: [{ accountCode: "449", percent: percent("80") }, { accountCode: "880" }],
    },
  };
  const lines = [line({ amount: "-46.01", payee: "Z ENERGY PETONE" })];

  test("a bank rule that matches a line posts it automatically, with its split", () => {
    expect(bestOf({ lines, rules: [fuel] })).toBe("449 -36.81 + 880 -9.2 | rule Fuel | auto");
  });

  test("a bank rule can post a line as a transfer between bank accounts", () => {
    const rules: BankRule[] = [{ ...fuel, outcome: { kind: "transfer", accountId: "091" } }];
    expect(decidedOf({ lines, rules })).toBe("transfer 091");
  });

  test("a bank rule is not applied to a line that may match a document or a transaction", () => {
    const bill = open({ type: "ACCPAY", number: "ZE-4711", due: "46.01", contactId: "north" });
    const named = lines.map((each) => ({ ...each, text: "ZE-4711" }));
    expect(decidedOf({ lines: named, rules: [fuel], documents: [bill] })).toBeUndefined();
    expect(decidedOf({ lines, rules: [fuel], documents: [bill] })).toBe("449 -36.81 + 880 -9.2");
    const transactions = [booked({ amount: "-46.01" })];
    expect(decidedOf({ lines, rules: [fuel], transactions })).toBeUndefined();
  });

  test("the account of earlier lines with similar text is suggested for a new bank line", () => {
    const learnt = [
      { kind: "account", text: "Z ENERGY PETONE", accountCode: "449", count: 3 } as const,
    ];
    expect(bestOf({ lines, learnt })).toBe("449 -46.01 | 3 such lines went to 449 | evidence");
  });
});
