/**
 * A year of a company at its bank, with the truth.
 *
 * Customers and suppliers with invoices and bills, paid as people pay: with the number, with half of
 * it, with an old one, under a misspelt name, several at once, in part, too much, less a fee, twice; and
 * wages, card purchases, own transfers, returns, and money of strangers with the amount of an invoice.
 *
 * What was paid is drawn first, and what the line shows of it second. `may` is reasoned from these two
 * alone: a decision without a person is possible where somebody who sees all lines and all open
 * documents of the month could not doubt it.
 */
import type {
  BankRule,
  BookTransaction,
  MatchRequest,
  StatementLine,
} from "../../../src/ledger/bank-matching/matching-types.ts";
import { addDays, dateOf, daysBetween } from "../../../src/ledger/dates/calendar.ts";
import type { Cents } from "../../../src/ledger/money.ts";
import { lineOf, type Shown } from "./year-lines.ts";
import { type Draws, drawsOf, type Party, parties, shops, strangers } from "./year-parties.ts";
import {
  type Counters,
  drawnPayments,
  type Known,
  newDocuments,
  type Payment,
  signOf,
  truthOf,
} from "./year-payments.ts";

export interface KnownLine {
  readonly line: StatementLine;
  /** What the line is, as `actionText` writes it; undefined where it is none of what the book has. */
  readonly truth: string | undefined;
  /** Whether it may be decided without a person, and by what. */
  readonly may: "number" | "name" | "transaction" | "rule" | "transfer" | undefined;
}

export interface Month {
  readonly request: MatchRequest;
  readonly lines: readonly KnownLine[];
}

const days = 30;
const account = { id: "090", numbers: ["12-3456-0789012-00"], currency: "NZD" };
const savings = { id: "091", name: "Savings", numbers: ["12-3456-0789012-25"], currency: "NZD" };

const rules: BankRule[] = [
  ...shops.map(
    (shop): BankRule => ({
      id: shop,
      name: shop,
      conditions: [{ field: "payeeOrText", test: "contains", value: shop }],
      outcome: { kind: "transaction", split: [{ accountCode: "449" }] },
    }),
  ),
  {
    id: "wages",
    name: "Wages",
    conditions: [
      { field: "text", test: "contains", value: "wages" },
      { field: "direction", value: "out" },
    ],
    outcome: { kind: "transaction", split: [{ accountCode: "477" }] },
  },
];

export function yearOf(seed: number): Month[] {
  const draws = drawsOf(seed);
  const all = parties(draws);
  let open: Known[] = [];
  const settled: Known[] = [];
  const counters: Counters = { own: 0, credit: 0, id: 0 };
  const style = draws.below(4);
  const months: Month[] = [];
  for (let month = 1; month <= 12; month += 1) {
    open.push(...newDocuments(draws, all, month, style, counters));
    const drawn = monthOf(draws, all, open, settled, month, counters);
    months.push(drawn.month);
    for (const { paid, manner, amount, isAgain } of drawn.payments) {
      if (isAgain) continue;
      if (manner === "part") for (const each of paid) each.due -= Math.abs(amount);
      else for (const each of paid) each.due = 0;
    }
    settled.push(...open.filter(({ due }) => due === 0));
    open = open.filter(({ due }) => due > 0);
  }
  return months;
}

interface DrawnLine {
  readonly line: StatementLine;
  readonly truth: string | undefined;
  readonly payment?: { readonly of: Payment; readonly shown: Shown };
  /** For whom a rule is. */
  readonly isRuled?: boolean;
  /** The line of the other account, and whether one of the two names the account of the other. */
  readonly transfer?: { readonly there: StatementLine | undefined; readonly isNamed: boolean };
  readonly bookTransfer?: BookTransaction;
}

function monthOf(
  draws: Draws,
  all: readonly Party[],
  open: readonly Known[],
  settled: readonly Known[],
  month: number,
  counters: Counters,
): { readonly month: Month; readonly payments: readonly Payment[] } {
  const payments = drawnPayments(draws, open, month);
  const nextId = () => {
    counters.id += 1;
    return `l${counters.id}`;
  };
  const isCut = draws.chance(40);
  const lines: DrawnLine[] = [
    ...payments.map((payment): DrawnLine => {
      const shown = lineOf(payment, { draws, id: nextId(), settled, open, all, isCut });
      return { line: shown.line, truth: truthOf(payment), payment: { of: payment, shown } };
    }),
    ...otherLines(draws, month, nextId, open, payments),
  ];
  const book = [
    ...payments.flatMap(({ inBook }) => inBook ?? []),
    ...lines.flatMap(({ bookTransfer }) => bookTransfer ?? []),
  ];
  // What is paid in the book is no longer open.
  const isPaid = (known: Known) =>
    payments.some((each) => each.inBook && each.paid.includes(known));
  const stillOpen = open.filter((known) => !isPaid(known));
  const request: MatchRequest = {
    account,
    lines: lines.map(({ line }) => line),
    documents: stillOpen.map(({ document, due }) => ({ ...document, due: due as Cents })),
    transactions: book,
    contacts: all.map(({ contact }) => contact),
    rules,
    ownAccounts: [{ ...savings, lines: lines.flatMap(({ transfer }) => transfer?.there ?? []) }],
    learnt: [],
    days,
  };
  const known = lines.map((each) => ({
    line: each.line,
    truth: each.truth,
    may: mayBeDecided(each, lines, stillOpen, book),
  }));
  return { month: { request, lines: known }, payments };
}

// --- lines that pay no document ------------------------------------------------------------------

function* otherLines(
  draws: Draws,
  month: number,
  nextId: () => string,
  open: readonly Known[],
  payments: readonly Payment[],
): Generator<DrawnLine> {
  const { below, chance, one } = draws;
  const line = (amount: number, given: Partial<StatementLine>): StatementLine => ({
    id: nextId(),
    date: dateOf(2026, month, 1 + below(28)),
    amount: amount as Cents,
    currency: "NZD",
    text: "",
    ...given,
  });
  for (const wage of [312_050, 287_500, 287_500, 401_233]) {
    const text = one(["WAGES", "wages week 2", "Wa\nges"]);
    const each = line(-wage, { payee: one(strangers), text, date: dateOf(2026, month, 28) });
    yield { line: each, truth: `477 ${-wage / 100}`, isRuled: true };
  }
  for (let count = 0; count < 25; count += 1) {
    const amount = -(500 + below(20_000));
    const shop = one(shops);
    const text = `CARD ${4000 + below(1000)} ${chance(50) ? shop : ""} XXXX1234`;
    const payee = text.includes(shop) ? undefined : `${shop} ${one(["PETONE", "ALBANY", "7081"])}`;
    yield { line: line(amount, { payee, text }), truth: `449 ${amount / 100}`, isRuled: true };
  }
  for (let count = 0; count < 4; count += 1) yield transferOf(draws, line, nextId);
  const booked = line(-(10_000 + below(90_000)), { otherAccount: savings.numbers[0] });
  const bookTransfer: BookTransaction = {
    id: `t${booked.id}`,
    date: addDays(booked.date, below(4) - 2),
    amount: booked.amount,
    transferAccountId: savings.id,
  };
  yield { line: booked, truth: `reconcile ${bookTransfer.id}`, bookTransfer };
  // Money of strangers, interest, and payments that came back.
  for (let count = 0; count < 3; count += 1) {
    const known = one(open);
    const payee = one(strangers);
    yield { line: line(signOf(known) * known.due, { payee, text: "deposit" }), truth: undefined };
  }
  yield { line: line(17 + below(900), { text: "INTEREST" }), truth: undefined };
  const back = payments.find(({ amount, manner }) => amount > 0 && manner === "exact");
  if (back !== undefined && chance(50)) {
    const text = `RETURN ${back.paid[0]?.document.number}`;
    const each = line(-back.amount, { text, flags: ["return"], date: addDays(back.date, 2) });
    yield { line: each, truth: undefined };
  }
}

function transferOf(
  { below, chance, one }: Draws,
  line: (amount: number, given: Partial<StatementLine>) => StatementLine,
  nextId: () => string,
): DrawnLine {
  const amount = -one([50_000, 100_000, 12_345 + below(9999)]);
  const isNamedHere = chance(50);
  const isNamedThere = chance(50);
  const here = line(amount, {
    text: isNamedHere ? one([`to ${savings.numbers[0]}`, "to 12 3456 0789012 25"]) : "tfr savings",
  });
  const there: StatementLine = {
    ...here,
    id: nextId(),
    date: addDays(here.date, below(4)),
    amount: -amount as Cents,
    text: "tfr",
    otherAccount: isNamedThere ? account.numbers[0] : undefined,
  };
  const isThere = chance(80);
  return {
    line: here,
    truth: `transfer ${savings.id}${isThere ? ` ${there.id}` : ""}`,
    transfer: { there: isThere ? there : undefined, isNamed: isNamedHere || isNamedThere },
  };
}

// --- what may be decided ---------------------------------------------------------------------------

const isNear = (a: string, b: string): boolean => Math.abs(daysBetween(a, b)) <= 5;

function mayBeDecided(
  each: DrawnLine,
  lines: readonly DrawnLine[],
  open: readonly Known[],
  book: readonly BookTransaction[],
): KnownLine["may"] {
  const { line, payment, transfer, bookTransfer } = each;
  const others = lines.filter((other) => other !== each);
  const isInBook = book.some(
    ({ amount, date }) => amount === line.amount && isNear(date, line.date),
  );
  if (each.isRuled) return isInBook ? undefined : "rule";
  if (bookTransfer !== undefined) {
    const twins = [...others.map((other) => other.line), ...book].filter(
      (other) => other !== bookTransfer && other.amount === line.amount,
    );
    return twins.length === 0 ? "transaction" : undefined;
  }
  if (transfer !== undefined) {
    const there = lines.flatMap((other) => other.transfer?.there ?? []);
    const isAlone =
      others.every((other) => other.line.amount !== line.amount) &&
      there.filter(({ amount }) => amount === -line.amount).length === 1;
    return transfer.there !== undefined && transfer.isNamed && isAlone && !isInBook
      ? "transfer"
      : undefined;
  }
  return payment === undefined
    ? undefined
    : paymentMayBeDecided(payment.of, payment.shown, others, open, book);
}

function paymentMayBeDecided(
  { paid, manner, amount, charges, inBook, isAgain }: Payment,
  { line, numbers, party }: Shown,
  others: readonly DrawnLine[],
  open: readonly Known[],
  book: readonly BookTransaction[],
): KnownLine["may"] {
  const [first] = paid;
  if (first === undefined || isAgain || party === "other") return undefined;
  if (manner !== "exact" && manner !== "charges") return undefined;
  if (numbers === "damaged" || numbers === "old") return undefined;
  const contactId = first.party.contact.id;
  const isClaimed = others.some(
    (other) =>
      paid.some(({ document }) => standsIn(document.number ?? "", other.line.text)) ||
      (other.line.amount === amount && other.payment?.of.paid[0]?.party === first.party),
  );
  if (isClaimed) return undefined;
  const isWhole = numbers === "whole" && paid.every(({ document }) => tells(document.number ?? ""));
  const rivals = book.filter(
    (each) =>
      each !== inBook &&
      each.amount === amount &&
      each.contactId === contactId &&
      isNear(each.date, line.date),
  );
  if (inBook !== undefined) {
    const isOpenToo = open.some(
      (each) => each.party === first.party && signOf(each) * each.due === amount,
    );
    const isByName = party === "clear" && !isOpenToo;
    return rivals.length === 0 && (isWhole || isByName) ? "transaction" : undefined;
  }
  if (isWhole) {
    const isOneOf = ({ document }: Known, other: Known) =>
      other.document.id !== document.id &&
      signOf(other) === signOf(first) &&
      digitsOf(other.document.number) === digitsOf(document.number);
    return paid.some((each) => open.some((other) => isOneOf(each, other))) ? undefined : "number";
  }
  if (party !== "clear" || paid.length > 1 || rivals.length > 0) return undefined;
  if (line.date > addDays(first.document.dueDate ?? first.document.date, days)) return undefined;
  const dues = open
    .filter((each) => each.party === first.party)
    .map((each) => signOf(each) * each.due);
  const isOnlySum = waysTo(dues, amount + charges) === 1;
  return isOnlySum && (charges === 0 || waysTo(dues, amount) === 0) ? "name" : undefined;
}

const compact = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
const digitsOf = (number = ""): string => number.replace(/\D/g, "").replace(/^0+/, "");

const standsIn = (number: string, text: string): boolean =>
  tells(number) && compact(text).includes(compact(number));

/** Whether a number means a document wherever it stands: by its letters, or by six digits. */
const tells = (number: string): boolean => /[A-Z]/.test(number) || digitsOf(number).length >= 6;

/** In how many ways up to eight amounts come to a sum: each is in it or not. */
function waysTo(amounts: readonly number[], sum: number, parts = 8): number {
  const [first, ...rest] = amounts;
  if (first === undefined) return sum === 0 ? 1 : 0;
  return waysTo(rest, sum, parts) + (parts === 0 ? 0 : waysTo(rest, sum - first, parts - 1));
}
