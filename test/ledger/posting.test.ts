import { describe, expect, test } from "vitest";
import {
  type DocumentType,
  type SystemAccounts,
  sideOf,
} from "../../src/ledger/documents/document-kinds.ts";
import {
  assertBalanced,
  type Journal,
  type Posting,
  reversalJournal,
} from "../../src/ledger/journal.ts";
import { add, type Cents, type Rate, sum, toBase, zeroCents } from "../../src/ledger/money.ts";
import {
  approvalJournals,
  type DocumentFacts,
  type DocumentLineFacts,
  lineBase,
  type PaidDocument,
  type PaymentFacts,
  paymentJournals,
  samePostings,
} from "../../src/ledger/postings/posting.ts";
import { recognise } from "../../src/ledger/postings/recognition.ts";
import { fc, runs } from "../support/properties.ts";
import { cents, exchange, quantity } from "./amounts.ts";
import "./journal-text.ts";

const accounts: SystemAccounts = {
  DEBTORS: "Accounts receivable",
  CREDITORS: "Accounts payable",
  GST: "GST",
  ROUNDING: "Rounding",
  REALISEDCURRENCYGAIN: "Realised currency gains",
  CISASSETS: "CIS asset",
  CISLIABILITY: "CIS liability",
};

/** A line of `net` and `tax` on an account. */
function line(account: string, net: string, tax = "0", more: Partial<DocumentLineFacts> = {}) {
  return { account, net: cents(net), tax: cents(tax), taxType: "OUTPUT2", ...more };
}

type SomeLine = ReturnType<typeof line>;

function document(
  type: DocumentType,
  lines: readonly SomeLine[],
  more: Partial<DocumentFacts> = {},
): DocumentFacts {
  const numbered = lines.map((each, index) => ({ ...each, line: index }));
  return { id: "doc", type, date: "2026-03-31", rate: exchange("1"), lines: numbered, ...more };
}

const totalOf = ({ lines }: DocumentFacts): Cents =>
  sum(lines.map(({ net, tax }) => add(net, tax)));

/** The document right after its approval, and what is needed to pay it. */
function opened(facts: DocumentFacts): PaidDocument {
  const approval = approvalJournals(facts, accounts)[0]?.postings ?? [];
  const total = totalOf(facts);
  const control = controlAccount(facts.type);
  const owed = sum(approval.filter((p) => p.account === control).map((p) => p.amount));
  return {
    id: facts.id,
    type: facts.type,
    rate: facts.rate,
    total,
    due: total,
    paid: zeroCents,
    openBase: (sideOf(facts.type) * owed || 0) as Cents,
    approval,
  };
}

const paymentOf = (amount: string, more: Partial<PaymentFacts> = {}): PaymentFacts => ({
  id: "pay",
  date: "2026-04-20",
  amount: cents(amount),
  rate: exchange("1"),
  account: "Bank",
  ...more,
});

/** What paying leaves to be paid. */
function afterPayment(
  open: PaidDocument,
  amount: Cents,
  journals: readonly Journal[],
): PaidDocument {
  const control = controlAccount(open.type);
  const accrual = journals.find(({ basis }) => basis === "accrual")?.postings ?? [];
  const moved = sum(accrual.filter((p) => p.account === control).map((p) => p.amount));
  return {
    ...open,
    due: (open.due - amount) as Cents,
    paid: add(open.paid, amount),
    openBase: (open.openBase + sideOf(open.type) * moved) as Cents,
  };
}

const controlAccount = (type: DocumentType) =>
  type.startsWith("ACCREC") ? "Accounts receivable" : "Accounts payable";

const accrualOf = (journals: readonly Journal[]) => journals.find((j) => j.basis === "accrual");
const cashOf = (journals: readonly Journal[]) => journals.find((j) => j.basis === "cash");

describe("approving a document", () => {
  test("approving a tax-inclusive sale posts its revenue and its GST separately", () => {
    const sale = document("ACCREC", [line("Sales", "100.00", "10.00")]);
    const journals = approvalJournals(sale, accounts);
    expect(journals).toHaveLength(1);
    expect(journals[0]).toRead(`
      Accounts receivable   110.00
      Sales                          100.00
      GST                             10.00`);
    expect(journals[0]).toMatchObject({
      basis: "accrual",
      date: "2026-03-31",
      sourceType: "ACCREC",
      sourceId: "doc",
      documentId: "doc",
    });
  });

  test("the tax of the New Zealand example is the sum of the rounded taxes of its three lines", () => {
    const sale = document("ACCREC", [
      line("Sales", "59.97", "9.00"),
      line("Sales", "7.45", "1.12"),
      line("Sales", "0.33", "0.05"),
    ]);
    expect(approvalJournals(sale, accounts)[0]).toRead(`
      Accounts receivable    77.92
      Sales                           59.97
      Sales                            7.45
      Sales                            0.33
      GST                             10.17`);
  });

  test.each<[DocumentType, string]>([
    [
      "ACCREC",
      `
      Accounts receivable   115.00
      Goods                          100.00
      GST                             15.00`,
    ],
    [
      "ACCPAY",
      `
      Goods                 100.00
      GST                    15.00
      Accounts payable               115.00`,
    ],
    [
      "ACCRECCREDIT",
      `
      Goods                 100.00
      GST                    15.00
      Accounts receivable            115.00`,
    ],
    [
      "ACCPAYCREDIT",
      `
      Accounts payable      115.00
      Goods                          100.00
      GST                             15.00`,
    ],
  ])(
    "approving a document of type %s posts its lines, its GST and the control account",
    (type, text) => {
      expect(
        approvalJournals(document(type, [line("Goods", "100.00", "15.00")]), accounts)[0],
      ).toRead(text);
    },
  );

  test("a document line with a negative amount is posted on the opposite side, debit or credit", () => {
    const sale = document("ACCREC", [
      line("Sales", "100.00", "15.00"),
      line("Discounts", "-20.00", "-3.00"),
    ]);
    expect(approvalJournals(sale, accounts)[0]).toRead(`
      Accounts receivable    92.00
      Sales                          100.00
      Discounts              20.00
      GST                             12.00`);
  });

  test("postings take description and tracking from their line; control account and tax postings have none", () => {
    const tracked = { description: "Bowl", option1: "North", option2: "Retail" };
    const sale = document("ACCREC", [line("Sales", "100.00", "15.00", tracked)], {
      reference: "PO 7",
    });
    const [journal] = approvalJournals(sale, accounts);
    expect(journal?.reference).toBe("PO 7");
    expect(journal?.postings).toEqual([
      { account: "Accounts receivable", amount: 11500 },
      {
        account: "Sales",
        amount: -10000,
        taxType: "OUTPUT2",
        taxAmount: -1500,
        line: 0,
        description: "Bowl",
        option1: "North",
        option2: "Retail",
      },
      { account: "GST", amount: -1500 },
    ]);
  });

  test("zero lines post nothing, and a document with only zero lines posts no journal", () => {
    const sale = document("ACCREC", [line("Sales", "0"), line("Sales", "10.00")]);
    expect(approvalJournals(sale, accounts)[0]?.postings.map((p) => p.line)).toEqual([
      undefined,
      1,
    ]);
    expect(approvalJournals(document("ACCREC", [line("Sales", "0")]), accounts)).toEqual([]);
    expect(approvalJournals(document("ACCREC", []), accounts)).toEqual([]);
  });

  test("a document with a total of zero is PAID on approval, without a posting to the control account", () => {
    const opening = document("ACCPAY", [line("Inventory", "40.00"), line("Opening", "-40.00")]);
    const journals = approvalJournals(opening, accounts);
    expect(journals.map(({ basis }) => basis)).toEqual(["accrual", "cash"]);
    for (const journal of journals) {
      expect(journal).toRead(`
        Inventory   40.00
        Opening             40.00`);
    }
  });

  test("a document with a negative total is refused", () => {
    const bad = document("ACCPAY", [line("Rent", "-0.01")]);
    expect(() => approvalJournals(bad, accounts)).toThrow(
      expect.objectContaining({ code: "NegativeTotal" }),
    );
  });

  test("tax that is not recoverable is posted to the line's account", () => {
    const bill = document("ACCPAY", [
      line("Rent", "100.00", "12.00", { nonRecoverable: cents("7.00"), taxType: "CAN002" }),
    ]);
    const [journal] = approvalJournals(bill, accounts);
    expect(journal).toRead(`
      Rent              107.00
      GST                 5.00
      Accounts payable           112.00`);
    expect(journal?.postings[0]?.taxAmount).toBe(cents("5.00"));
  });

  test("a posting for which the system account is missing throws an error, not a refusal to the user", () => {
    const sale = document("ACCREC", [line("Sales", "100.00", "15.00")]);
    expect(() => approvalJournals(sale, { DEBTORS: "x" })).toThrow("no GST account");
  });
});

describe("a foreign document", () => {
  test("a foreign document is converted line by line, and the difference is posted to the rounding account", () => {
    const sale = document(
      "ACCREC",
      [line("Sales", "0.50", "0.08"), line("Sales", "0.50", "0.08"), line("Sales", "0.50", "0.08")],
      { rate: exchange("1.3") },
    );
    // 0.3846 and 0.0615 each; the total of 1.74 is 1.3385
    expect(approvalJournals(sale, accounts)[0]).toRead(`
      Accounts receivable    1.34
      Sales                          0.38
      Sales                          0.38
      Sales                          0.38
      GST                            0.18
      Rounding                       0.02`);
  });

  test("a foreign document too small for a cent of base currency posts nothing", () => {
    const sale = document("ACCREC", [line("Sales", "0.30")], { rate: exchange("150") });
    expect(approvalJournals(sale, accounts)).toEqual([]);
    const open = opened(sale);
    expect(paymentJournals(paymentOf("0.30", { rate: exchange("150") }), open, accounts)).toEqual(
      [],
    );
    const better = paymentJournals(paymentOf("0.30", { rate: exchange("30") }), open, accounts);
    expect(accrualOf(better)).toRead(`
      Bank                     0.01
      Realised currency gains         0.01`);
    expect(cashOf(better)).toRead(`
      Bank                     0.01
      Realised currency gains         0.01`);
  });

  const sale = document("ACCREC", [line("Sales", "615.30")], { rate: exchange("0.6153") });

  test("a foreign document paid at another exchange rate posts a realised currency gain", () => {
    expect(approvalJournals(sale, accounts)[0]).toRead(`
      Accounts receivable   1000.00
      Sales                          1000.00`);
    const journals = paymentJournals(
      paymentOf("615.30", { rate: exchange("0.6") }),
      opened(sale),
      accounts,
    );
    expect(accrualOf(journals)).toRead(`
      Bank                     1025.50
      Accounts receivable               1000.00
      Realised currency gains             25.50`);
    expect(cashOf(journals)).toRead(`
      Bank                     1025.50
      Sales                             1000.00
      Realised currency gains             25.50`);
  });

  test("a foreign document half paid at another exchange rate posts half the realised currency gain", () => {
    const journals = paymentJournals(
      paymentOf("307.65", { rate: exchange("0.6") }),
      opened(sale),
      accounts,
    );
    expect(accrualOf(journals)).toRead(`
      Bank                     512.75
      Accounts receivable               500.00
      Realised currency gains            12.75`);
  });

  test("a foreign bill paid at a worse exchange rate posts a realised loss", () => {
    const bill = document("ACCPAY", [line("Rent", "615.30")], { rate: exchange("0.6153") });
    const journals = paymentJournals(
      paymentOf("615.30", { rate: exchange("0.6") }),
      opened(bill),
      accounts,
    );
    expect(accrualOf(journals)).toRead(`
      Accounts payable         1000.00
      Bank                              1025.50
      Realised currency gains    25.50`);
    expect(cashOf(journals)).toRead(`
      Rent                     1000.00
      Bank                              1025.50
      Realised currency gains    25.50`);
  });

  test("the last payment of a foreign document brings the control account to zero", () => {
    let open = opened(document("ACCREC", [line("Sales", "10.00")], { rate: exchange("0.7") }));
    expect(open.openBase).toBe(cents("14.29"));
    const recognised: Posting[] = [];
    for (const amount of ["3.33", "3.33", "3.34"]) {
      const payment = paymentOf(amount, { rate: exchange("0.7") });
      const journals = paymentJournals(payment, open, accounts, recognised);
      recognised.push(...(cashOf(journals)?.postings ?? []));
      open = afterPayment(open, cents(amount), journals);
    }
    expect(open).toMatchObject({ due: 0, openBase: 0 });
  });
});

describe("inventory", () => {
  const clay = {
    itemId: "clay",
    quantity: quantity("4"),
    asset: "Inventory",
    costOfSales: "Cost of goods sold",
  };

  test("a bill with a tracked inventory item posts the goods to the inventory asset account", () => {
    const bill = document("ACCPAY", [line("whatever", "40.00", "6.00", { inventory: clay })]);
    expect(approvalJournals(bill, accounts)[0]).toRead(`
      Inventory         40.00
      GST                6.00
      Accounts payable          46.00`);
    expect(lineBase({ net: cents("40.00"), tax: cents("6.00") }, exchange("0.8"))).toEqual({
      net: cents("50.00"),
      tax: cents("7.50"),
    });
  });

  const sold = { ...clay, cost: cents("18.00") };
  const sale = document("ACCREC", [
    line("Sales", "60.00", "9.00", { inventory: sold, option1: "North", description: "Clay" }),
    line("Freight", "10.00", "1.50"),
  ]);

  test("a sale of a tracked inventory item posts its average cost to cost of sales, without tax", () => {
    const [journal] = approvalJournals(sale, accounts);
    expect(journal).toRead(`
      Accounts receivable    80.50
      Sales                          60.00
      Freight                        10.00
      GST                            10.50
      Cost of goods sold     18.00
      Inventory                      18.00`);
    expect(journal?.postings.at(-2)).toEqual({
      account: "Cost of goods sold",
      amount: 1800,
      description: "Clay",
      option1: "North",
      line: 0,
    });
    expect(journal?.postings.at(-1)).toEqual({
      account: "Inventory",
      amount: -1800,
      description: "Clay",
      line: 0,
    });
  });

  test("a tracked inventory item sold at price zero still posts its cost of sales", () => {
    const free = document("ACCREC", [line("Sales", "0", "0", { inventory: sold })]);
    expect(approvalJournals(free, accounts).map(({ basis }) => basis)).toEqual(["accrual", "cash"]);
    expect(approvalJournals(free, accounts)[0]).toRead(`
      Cost of goods sold   18.00
      Inventory                    18.00`);
  });

  test("a credit note with a tracked inventory item returns the item to stock at its cost", () => {
    const credit = document("ACCRECCREDIT", [line("Sales", "60.00", "9.00", { inventory: sold })]);
    expect(approvalJournals(credit, accounts)[0]).toRead(`
      Sales                  60.00
      GST                     9.00
      Accounts receivable            69.00
      Cost of goods sold             18.00
      Inventory              18.00`);
  });

  test("posting a sale of a tracked inventory item without its cost throws an error", () => {
    const bad = document("ACCREC", [line("Sales", "1.00", "0", { inventory: clay })]);
    expect(() => approvalJournals(bad, accounts)).toThrow("No cost");
  });

  test("on the cash basis the cost of sales follows the payment", () => {
    const journals = paymentJournals(paymentOf("40.25"), opened(sale), accounts);
    expect(cashOf(journals)).toRead(`
      Bank                 40.25
      Sales                        30.00
      Freight                       5.00
      GST                           5.25
      Cost of goods sold    9.00
      Inventory                     9.00`);
  });
});

describe("construction industry scheme (CIS) deduction", () => {
  const withheld = cents("20.00");

  test.each<[DocumentType, string]>([
    [
      "ACCREC",
      `
      Accounts receivable   120.00
      Labour                         100.00
      GST                             20.00
      CIS asset              20.00
      Accounts receivable             20.00`,
    ],
    [
      "ACCPAY",
      `
      Labour                100.00
      GST                    20.00
      Accounts payable               120.00
      Accounts payable       20.00
      CIS liability                   20.00`,
    ],
    [
      "ACCPAYCREDIT",
      `
      Accounts payable      120.00
      Labour                         100.00
      GST                             20.00
      CIS liability          20.00
      Accounts payable                20.00`,
    ],
  ])(
    "a CIS deduction on a document of type %s is posted in the cash-basis ledger",
    (type, text) => {
      const facts = document(type, [line("Labour", "100.00", "20.00")], { withheld });
      expect(approvalJournals(facts, accounts)[0]).toRead(text);
    },
  );

  test("with a CIS deduction, a part payment recognises GST in proportion to the lines", () => {
    const facts = document("ACCREC", [line("Labour", "100.00", "20.00")], { withheld });
    const open = { ...opened(facts), total: cents("100.00"), due: cents("100.00") };
    expect(cashOf(paymentJournals(paymentOf("50.00"), open, accounts))).toRead(`
      Bank         50.00
      Labour                 50.00
      GST                    10.00
      CIS asset    10.00`);
  });
});

describe("a reverse charge", () => {
  const charged = { reverseCharge: cents("20.00") };

  test("reverse charge tax is posted as both owed and reclaimed, next to the tax of other lines", () => {
    const bill = document("ACCPAY", [
      line("Services", "100.00", "0.00", charged),
      line("Goods", "50.00", "10.00"),
    ]);
    expect(approvalJournals(bill, accounts)[0]).toRead(`
      Services              100.00
      Goods                  50.00
      GST                    10.00
      Accounts payable               160.00
      GST                             20.00
      GST                    20.00`);
  });

  test("reverse charge tax is posted only for the buyer, and not again on payment", () => {
    const sale = document("ACCREC", [line("Services", "100.00", "0.00", charged)]);
    expect(approvalJournals(sale, accounts)[0]).toRead(`
      Accounts receivable   100.00
      Services                       100.00`);
    const bill = document("ACCPAY", [line("Services", "100.00", "0.00", charged)]);
    expect(cashOf(paymentJournals(paymentOf("100.00"), opened(bill), accounts))).toRead(`
      Services    100.00
      Bank                 100.00`);
  });
});

describe("payments", () => {
  const rent = document("ACCPAY", [line("Rent", "100.00", "15.00")]);
  const sale = document("ACCREC", [line("Sales", "100.00", "15.00")]);

  test.each<[DocumentType, string, string]>([
    [
      "ACCREC",
      "ACCRECPAYMENT",
      `
      Bank                  115.00
      Accounts receivable            115.00`,
    ],
    [
      "ACCPAY",
      "ACCPAYPAYMENT",
      `
      Accounts payable      115.00
      Bank                           115.00`,
    ],
    [
      "ACCRECCREDIT",
      "ARCREDITPAYMENT",
      `
      Accounts receivable   115.00
      Bank                           115.00`,
    ],
    [
      "ACCPAYCREDIT",
      "APCREDITPAYMENT",
      `
      Bank                  115.00
      Accounts payable               115.00`,
    ],
  ])("the payment of a document of type %s is posted as a %s journal", (type, sourceType, text) => {
    const facts = document(type, [line("Goods", "100.00", "15.00")]);
    const payment = paymentOf("115.00", { reference: "T 1" });
    const journals = paymentJournals(payment, opened(facts), accounts);
    expect(accrualOf(journals)).toRead(text);
    for (const journal of journals) {
      expect(journal).toMatchObject({
        sourceType,
        sourceId: "pay",
        documentId: "doc",
        date: "2026-04-20",
        reference: "T 1",
      });
    }
  });

  test("a payment posts the lines of its document in the cash-basis ledger", () => {
    expect(cashOf(paymentJournals(paymentOf("115.00"), opened(sale), accounts))).toRead(`
      Bank    115.00
      Sales            100.00
      GST               15.00`);
    expect(cashOf(paymentJournals(paymentOf("115.00"), opened(rent), accounts))).toRead(`
      Rent    100.00
      GST      15.00
      Bank             115.00`);
  });

  test("part payments post parts of a document in the cash-basis ledger, and add up to the cent", () => {
    let open = opened(document("ACCREC", [line("A", "0.33", "0.05"), line("B", "7.45", "1.12")]));
    const recognised: Posting[] = [];
    const texts: string[] = [];
    for (const amount of ["1.00", "1.00", "6.95"]) {
      const journals = paymentJournals(paymentOf(amount), open, accounts, recognised);
      const cash = cashOf(journals);
      recognised.push(...(cash?.postings ?? []));
      texts.push((cash?.postings ?? []).map((p) => `${p.account} ${p.amount}`).join(", "));
      open = afterPayment(open, cents(amount), journals);
    }
    expect(texts).toEqual([
      "Bank 100, A -4, B -83, GST -13",
      "Bank 100, A -3, B -84, GST -13",
      "Bank 695, A -26, B -578, GST -91",
    ]);
  });

  test("the tax recognised by a part payment is in proportion to the recognised line amount", () => {
    const [half] = [cashOf(paymentJournals(paymentOf("57.50"), opened(sale), accounts))];
    expect(half?.postings[1]).toMatchObject({ amount: -5000, taxType: "OUTPUT2", taxAmount: -750 });
  });

  test("deleting a payment reverses the same amounts in the cash-basis ledger that the payment recognised", () => {
    const facts = document("ACCREC", [line("A", "33.33", "5.00"), line("B", "66.67", "10.00")]);
    const open = opened(facts);
    const first = cashOf(paymentJournals(paymentOf("10.01"), open, accounts)) as Journal;
    const undone = reversalJournal({ ...first, id: "1", number: 1, createdAt: 0 });
    const cash = [...first.postings, ...undone.postings];
    const again = cashOf(paymentJournals(paymentOf("115.00"), open, accounts, cash));
    expect(again).toRead(`
      Bank   115.00
      A               33.33
      B               66.67
      GST             15.00`);
  });

  test("a payment does not recognise in the cash-basis ledger amounts that a credit note settled", () => {
    const open = { ...opened(sale), due: cents("57.50"), openBase: cents("57.50") };
    expect(cashOf(paymentJournals(paymentOf("57.50"), open, accounts))).toRead(`
      Bank     57.50
      Sales            50.00
      GST               7.50`);
  });

  test("a document line on the bank account of its payment is posted separately from the payment", () => {
    const facts = document("ACCREC", [line("Clearing", "100.00"), line("Sales", "50.00")]);
    let open = opened(facts);
    const recognised: Posting[] = [];
    for (const amount of ["75.00", "75.00"]) {
      const journals = paymentJournals(
        paymentOf(amount, { account: "Clearing" }),
        open,
        accounts,
        recognised,
      );
      recognised.push(...(cashOf(journals)?.postings ?? []));
      expect(cashOf(journals)).toRead(`
        Clearing   75.00
        Clearing           50.00
        Sales              25.00`);
      open = afterPayment(open, cents(amount), journals);
    }
  });

  test.each([
    [
      "an amount of zero",
      { amount: cents("0") },
      "PaymentAmount",
      "The payment amount must be above zero.",
    ],
    [
      "a negative amount",
      { amount: cents("-1") },
      "PaymentAmount",
      "The payment amount must be above zero.",
    ],
    [
      "more than the amount outstanding",
      { amount: cents("115.01") },
      "PaymentAmount",
      "Payment amount exceeds the amount outstanding on this document",
    ],
    [
      "an amount paid from the document's tax account",
      { account: "GST" },
      "PaymentAccount",
      "Account type is invalid for making a payment to/from",
    ],
    [
      "an amount paid from the control account",
      { account: "Accounts receivable" },
      "PaymentAccount",
      "Account type is invalid for making a payment to/from",
    ],
  ])("an allocation of %s is refused", (_name, more, code, message) => {
    expect(() =>
      paymentJournals({ ...paymentOf("1.00"), ...more }, opened(sale), accounts),
    ).toThrow(expect.objectContaining({ code, message }));
  });
});

test("journals that differ only in descriptions count as equal", () => {
  const make = (more: Partial<DocumentLineFacts>, date = "2026-03-31") =>
    approvalJournals(
      document("ACCREC", [line("Sales", "10.00", "1.50", more)], { date }),
      accounts,
    )[0] as Journal;
  const first = make({});
  expect(samePostings(first, make({ description: "other" }))).toBe(true);
  expect(samePostings(first, make({ option1: "North" }))).toBe(false);
  expect(samePostings(first, make({ taxType: "NONE" }))).toBe(false);
  expect(samePostings(first, make({ account: "Other" }))).toBe(false);
  expect(samePostings(first, make({}, "2026-04-01"))).toBe(false);
  expect(samePostings(first, { ...first, postings: first.postings.slice(1) })).toBe(false);
});

// --- properties ------------------------------------------------------------------------------

const someLine = fc.record({
  account: fc.constantFrom("Sales", "Freight", "Other", "GST"),
  net: fc.integer({ min: -5_000, max: 50_000 }),
  tax: fc.integer({ min: -750, max: 7_500 }),
  lost: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  cost: fc.option(fc.integer({ min: 0, max: 30_000 }), { nil: undefined }),
});

const someDocument = fc
  .record({
    type: fc.constantFrom<DocumentType>("ACCREC", "ACCPAY", "ACCRECCREDIT", "ACCPAYCREDIT"),
    lines: fc.array(someLine, { minLength: 1, maxLength: 8 }),
    rate: fc.oneof(fc.constant(1_000_000), fc.integer({ min: 1_000, max: 200_000_000 })),
  })
  .map(({ type, lines, rate: documentRate }) =>
    document(
      type,
      lines.map(({ account, net, tax, lost, cost }) => ({
        account,
        net: net as Cents,
        tax: tax as Cents,
        nonRecoverable: lost as Cents | undefined,
        taxType: "OUTPUT2",
        inventory:
          cost === undefined
            ? undefined
            : {
                itemId: "i",
                quantity: quantity("1"),
                asset: "Inventory",
                costOfSales: "Cost of goods sold",
                cost: cost as Cents,
              },
      })),
      { rate: { rate: documentRate as Rate, smallest: 1 } },
    ),
  )
  .filter((facts) => totalOf(facts) >= 0);

function netByAccount(postings: readonly Posting[]): Map<string, number> {
  const nets = new Map<string, number>();
  for (const { account, amount } of postings) {
    nets.set(account, (nets.get(account) ?? 0) + amount);
  }
  for (const [account, net] of nets) if (net === 0) nets.delete(account);
  return nets;
}

const without = (nets: Map<string, number>, ...names: string[]) => {
  for (const name of names) nets.delete(name);
  return Object.fromEntries([...nets].sort());
};

test("the journal of any approved document balances and posts the document total to the control account", () => {
  fc.assert(
    fc.property(someDocument, (facts) => {
      const total = totalOf(facts);
      const journals = approvalJournals(facts, accounts);
      for (const journal of journals) assertBalanced(journal);
      const nets = netByAccount(journals[0]?.postings ?? []);
      const owed = sideOf(facts.type) * toBase(total, facts.rate);
      expect(nets.get(controlAccount(facts.type)) ?? 0).toBe(owed === 0 ? 0 : owed);
      if (facts.rate.rate === 1_000_000) expect(nets.has("Rounding")).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

test("when any payments have settled a document, its cash-basis postings equal its approval postings", () => {
  const steps = fc.array(
    fc.record({
      part: fc.integer({ min: 1, max: 100 }),
      rate: fc.integer({ min: 1_000, max: 200_000_000 }),
      deletes: fc.option(fc.nat(), { nil: undefined, freq: 4 }),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(someDocument, steps, (facts, run) => {
      const total = totalOf(facts);
      if (total === 0) return;
      const start = opened(facts);
      let open = start;
      let live: { amount: Cents; journals: Journal[] }[] = [];
      const all: Journal[] = [];
      const cash = () => all.filter((j) => j.basis === "cash").flatMap((j) => j.postings);
      const pay = (amount: Cents, at: number) => {
        const payment = paymentOf("0", {
          amount,
          rate: { rate: (facts.rate.rate === 1_000_000 ? 1_000_000 : at) as Rate, smallest: 1 },
        });
        const journals = paymentJournals(payment, open, accounts, cash());
        for (const journal of journals) assertBalanced(journal);
        all.push(...journals);
        live.push({ amount, journals });
        open = afterPayment(open, amount, journals);
        expect(open.openBase).toBeGreaterThanOrEqual(0);
      };
      for (const step of run) {
        if (open.due === 0) break;
        pay(Math.max(1, Math.floor((open.due * step.part) / 100)) as Cents, step.rate);
        const gone = step.deletes === undefined ? undefined : live[step.deletes % live.length];
        if (gone === undefined) continue;
        live = live.filter((each) => each !== gone);
        const back = gone.journals.map((j) =>
          reversalJournal({ ...j, id: "", number: 1, createdAt: 0 }),
        );
        all.push(...back);
        open = afterPayment(open, -gone.amount as Cents, back);
      }
      if (open.due > 0) pay(open.due, 1_234_567);

      const bank = ["Bank", "Realised currency gains"];
      const control = controlAccount(facts.type);
      expect(open).toMatchObject({ due: 0, openBase: 0, paid: total });
      expect(without(netByAccount(cash()), ...bank)).toEqual(
        without(netByAccount(start.approval), control),
      );
      const accrual = all.filter((j) => j.basis === "accrual").flatMap((j) => j.postings);
      for (const account of bank) {
        expect(netByAccount(accrual).get(account)).toBe(netByAccount(cash()).get(account));
      }
      // and all that a line says of its tax; a deletion may leave a cent of that on a line whose
      // amount is whole again, and then there is no posting to carry it
      const taxes = (postings: readonly Posting[]) =>
        postings.reduce((whole, posting) => whole + (posting.taxAmount ?? 0), 0);
      const off = Math.abs(taxes(cash()) - taxes(start.approval));
      expect(off).toBeLessThanOrEqual(all.some((j) => j.reverses !== undefined) ? 2 : 0);
    }),
    { numRuns: runs(500) },
  );
});

test("in a currency without cents, every posting is in whole units and a document is settled to zero", () => {
  const rates = fc.integer({ min: 1_000, max: 200_000 });
  const inYen = (rate: number) => ({ rate: rate as Rate, smallest: 100 }) as const;
  fc.assert(
    fc.property(
      someDocument,
      rates,
      rates,
      fc.integer({ min: 1, max: 99 }),
      (some, at, later, part) => {
        // What goods cost is in the base currency.
        const lines = some.lines.map((each) => ({ ...each, inventory: undefined }));
        const facts = { ...some, lines, rate: inYen(at) };
        const total = totalOf(facts);
        if (total < 200) return;
        const start = opened(facts);
        const first = Math.max(1, Math.floor((total * part) / 100)) as Cents;
        let open = start;
        const all: Posting[] = [...start.approval];
        const cash: Posting[] = [];
        for (const amount of [first, (total - first) as Cents]) {
          const payment = paymentOf("0", { amount, rate: inYen(later) });
          const journals = paymentJournals(payment, open, accounts, cash);
          all.push(...journals.flatMap(({ postings }) => postings));
          cash.push(...journals.filter((j) => j.basis === "cash").flatMap((j) => j.postings));
          open = afterPayment(open, amount, journals);
        }
        expect(open).toMatchObject({ due: 0, openBase: 0 });
        expect(all.filter((each) => each.amount % 100 !== 0)).toEqual([]);
        expect(all.filter((each) => (each.taxAmount ?? 0) % 100 !== 0)).toEqual([]);
      },
    ),
    { numRuns: runs(300) },
  );
});

test("amounts recognised on the cash basis are within a cent of their exact share", () => {
  fc.assert(
    fc.property(someDocument, fc.integer({ min: 1, max: 99 }), (facts, part) => {
      const { approval, total, type } = opened(facts);
      if (total < 100 || facts.rate.rate !== 1_000_000) return;
      const cumulative = Math.floor((total * part) / 100) as Cents;
      const owed = (-sideOf(type) * cumulative) as Cents;
      const control = controlAccount(type);
      const made = recognise(approval, control, { cumulative, total, smallest: 1 }, [], owed);
      expect(sum(made.map(({ amount }) => amount))).toBe(owed);
      for (const posting of approval) {
        if (posting.account === control) continue;
        const same = (p: Posting) =>
          p.account === posting.account && p.line === posting.line && p.taxType === posting.taxType;
        const share = (posting.amount * cumulative) / total;
        const got = made.find(same)?.amount ?? 0;
        expect(Math.abs(got - share)).toBeLessThan(1.000001);
      }
    }),
    { numRuns: runs(500) },
  );
});
