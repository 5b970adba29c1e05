/** Documents of a month, and how people pay them. */
import type {
  BookTransaction,
  OpenDocument,
} from "../../../src/ledger/bank-matching/matching-types.ts";
import { addDays, dateOf, daysBetween } from "../../../src/ledger/dates/calendar.ts";
import type { Cents } from "../../../src/ledger/money.ts";
import type { Draws, Party } from "./year-parties.ts";

/** With tax of 15 %, so that no round amount is among them. */
const prices = [115, 172.5, 230, 287.5, 345, 402.5, 460, 575, 690, 805, 1035, 1380];

export interface Known {
  readonly party: Party;
  readonly document: OpenDocument;
  due: number;
}

export type Manner = "exact" | "charges" | "fee" | "part" | "over";

/** What somebody paid. */
export interface Payment {
  readonly paid: readonly Known[];
  readonly manner: Manner;
  readonly date: string;
  /** Signed, as the bank has it. */
  readonly amount: number;
  readonly charges: number;
  readonly inBook: BookTransaction | undefined;
  /** The second time that the same is paid. */
  readonly isAgain: boolean;
}

export interface Counters {
  own: number;
  credit: number;
  id: number;
}

export const total = (known: readonly Known[]): number =>
  known.reduce((sum, each) => sum + signOf(each) * each.due, 0);
export const signOf = ({ document }: Known): 1 | -1 => (document.type === "ACCREC" ? 1 : -1);

// --- documents ---------------------------------------------------------------------------------

export function newDocuments(
  draws: Draws,
  all: readonly Party[],
  month: number,
  style: number,
  counters: Counters,
): Known[] {
  const { below, chance, one } = draws;
  const made: Known[] = [];
  const add = (party: Party, type: OpenDocument["type"], number: string, due: number) => {
    const date = dateOf(2026, month, 1 + below(26));
    counters.id += 1;
    const document: OpenDocument = {
      id: `d${counters.id}`,
      type,
      number,
      contactId: party.contact.id,
      date,
      dueDate: addDays(date, one([0, 7, 14, 20])),
      due: due as Cents,
      currency: "NZD",
    };
    made.push({ party, document, due });
  };
  const price = () => Math.round(100 * (chance(45) ? one(prices) : 20 + below(400_000) / 100));
  const customers = all.filter(({ isCustomer }) => isCustomer);
  const suppliers = all.filter(({ isCustomer }) => !isCustomer);
  for (const party of customers) {
    if (party.subscription === undefined) continue;
    counters.own += 1;
    add(party, "ACCREC", ownNumber(style, counters.own), party.subscription);
  }
  for (let count = 0; count < 30; count += 1) {
    counters.own += 1;
    add(one(customers), "ACCREC", ownNumber(style, counters.own), price());
  }
  for (let count = 0; count < 18; count += 1) {
    const party = one(suppliers);
    party.nextNumber += 1 + below(40);
    add(party, "ACCPAY", party.numberOf(party.nextNumber), price());
  }
  if (chance(70)) {
    counters.credit += 1;
    add(one(customers), "ACCRECCREDIT", `CN-${digits(counters.credit, 4)}`, price());
  }
  return made;
}

const digits = (value: number, width: number): string => String(value).padStart(width, "0");

/** Numbers of the company: four styles that companies have. */
function ownNumber(style: number, count: number): string {
  if (style === 0) return `INV-${digits(count, 4)}`;
  if (style === 1) return `RE-2026-${digits(count, 4)}`;
  return style === 2 ? `2026${digits(count, 5)}` : `KW/26/${digits(count, 4)}`;
}

// --- payments ----------------------------------------------------------------------------------

export function drawnPayments(draws: Draws, open: readonly Known[], month: number): Payment[] {
  const { below, chance, one } = draws;
  const last = dateOf(2026, month, 31);
  const first = dateOf(2026, month, 1);
  const payments: Payment[] = [];
  const used = new Set<Known>();
  for (const known of open) {
    const { dueDate = last, date } = known.document;
    const probability = dueDate < first ? 75 : dueDate <= last ? 60 : 30;
    if (used.has(known) || !chance(probability)) continue;
    const isCredit = known.document.type === "ACCRECCREDIT";
    const others = open.filter(
      (each) => each !== known && !used.has(each) && each.party === known.party && !isCredit,
    );
    const more = chance(20) ? others.slice(0, 1 + below(3)) : [];
    const kept = total([known, ...more]) * signOf(known) > 0 ? [known, ...more] : [known];
    for (const each of kept) used.add(each);
    const from = kept.reduce(
      (day, { document }) => (document.date > day ? document.date : day),
      date,
    );
    const start = from > first ? from : first;
    const paidOn = addDays(start, below(Math.max(1, daysBetween(start, last) + 1)));
    const due = total(kept);
    const sign = Math.sign(due);
    const draw = below(100);
    const canDiffer = kept.length === 1 && !isCredit;
    const manner: Manner =
      draw < 4
        ? "charges"
        : !canDiffer || draw < 84
          ? "exact"
          : one(["fee", "part", "part", "over"]);
    const charges = manner === "charges" ? one([300, 1500, 2600]) : 0;
    const part = 10_000 * (1 + below(4));
    if ((manner === "part" && part >= Math.abs(due)) || due - charges <= 0 !== due <= 0) continue;
    const fee = Math.round(Math.abs(due) * 0.029) + 30;
    const amount =
      manner === "part"
        ? sign * part
        : manner === "over"
          ? due + sign * (100 + 10 * below(90) + 3)
          : due - charges - (manner === "fee" ? fee : 0);
    const inBook =
      manner === "exact" && chance(12)
        ? {
            id: `t${known.document.id}`,
            date: addDays(paidOn, below(5) - 3),
            amount: amount as Cents,
            contactId: known.party.contact.id,
            numbers: kept.map(({ document }) => document.number ?? ""),
          }
        : undefined;
    const payment = { paid: kept, manner, date: paidOn, amount, charges, inBook, isAgain: false };
    payments.push(payment);
    if (manner === "exact" && inBook === undefined && chance(2)) {
      payments.push({ ...payment, date: addDays(paidOn, below(3)), isAgain: true });
    }
  }
  return payments;
}

/** How `actionText` writes it; of a document that is paid twice, either line may be its payment. */
export function truthOf({ paid, manner, amount, charges, inBook }: Payment): string | undefined {
  if (inBook !== undefined) return `reconcile ${inBook.id}`;
  const shares = paid.map((each) => {
    const share = manner === "part" ? amount : signOf(each) * each.due;
    return `${each.document.id} ${share / 100}`;
  });
  const due = total(paid);
  const rest =
    manner === "charges"
      ? `, charges ${-charges / 100}`
      : manner === "fee"
        ? `, fee ${(amount - due) / 100}`
        : manner === "over"
          ? `, overpayment ${(amount - due) / 100}`
          : "";
  return shares.sort().join(" + ") + rest;
}
