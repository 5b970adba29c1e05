/**
 * What applying a credit to an invoice posts: a credit note, an overpayment or a prepayment to what
 * a customer owes, or a supplier's to what we owe them.
 *
 * A credit note and an overpayment stand on the same control account as the invoice, so nothing
 * moves but what two rates of a currency gain or lose. A prepayment stands on the accounts it was
 * coded to, and leaves them in proportion, with its tax.
 *
 * On the cash basis an allocation settles like a payment: the invoice is recognised, line by line, in
 * the proportion in which it is settled, and so is a credit note; an overpayment is now known to be
 * for the invoice's lines, and a prepayment is relabelled. Once all is settled both bases agree on
 * every account, whatever rates and accounts the two documents have.
 */
import { RefusedError } from "../../resources/errors.ts";
import {
  accountOf,
  controlOf,
  type DocumentType,
  type SystemAccounts,
  sideOf,
} from "../documents/document-kinds.ts";
import { type Basis, balanced, type Journal, type Posting } from "../journal.ts";
import { add, type Cents, type Exchange } from "../money.ts";
import { gainPostings, shareOfBase } from "./currency.ts";
import { recognise } from "./recognition.ts";

export interface AllocationFacts {
  readonly id: string;
  readonly date: string;
  /** In the currency both documents share, above zero. */
  readonly amount: Cents;
}

/** A credit as an allocation finds it. */
export interface OpenCredit {
  readonly id: string;
  /** What its journals say they come from: `ACCRECCREDIT`, `ARPREPAYMENT`. */
  readonly sourceType: string;
  /** `control`: it stands on the control account. `lines`: on the accounts of its lines. */
  readonly standsOn: "control" | "lines";
  /** Whether its money moved when it was made, so that the cash basis has all of it. */
  readonly isCash: boolean;
  readonly rate: Exchange;
  /** In its currency, above zero. */
  readonly total: Cents;
  /** What is left before this allocation. */
  readonly remaining: Cents;
  /** The same in the base currency, not negative. */
  readonly openBase: Cents;
  /** What it posted to its lines and to tax; and what has left them since, where it stands there. */
  readonly coded: readonly Posting[];
  readonly released: readonly Posting[];
  /**
   * Of a credit that is not cash: of its total, what the cash basis has recognised, and the postings
   * of all its cash journals so far.
   */
  readonly recognisedTotal: Cents;
  readonly recognised: readonly Posting[];
}

/** The invoice or bill as an allocation finds it. */
export interface OpenInvoice {
  readonly id: string;
  readonly type: DocumentType;
  readonly rate: Exchange;
  readonly total: Cents;
  readonly due: Cents;
  readonly openBase: Cents;
  /** Of the total, what the cash basis has recognised: payments and credits. */
  readonly recognisedTotal: Cents;
  /** Postings of its live accrual journal of approval. */
  readonly approval: readonly Posting[];
  /** Postings of all its cash journals so far. */
  readonly recognised: readonly Posting[];
}

export interface Allocated {
  readonly journals: readonly Journal[];
  /** What leaves the credit, and what leaves the invoice's control account; base, not negative. */
  readonly creditBase: Cents;
  readonly invoiceBase: Cents;
}

/**
 * @throws RefusedError `AllocationAmount` when it is not above zero or more than either side has
 * @source worked examples of accountants for prepayments: the coded account and its tax go back in
 *   proportion against the control account, the last allocation takes what rounding leaves
 */
export function allocationJournals(
  allocation: AllocationFacts,
  credit: OpenCredit,
  invoice: OpenInvoice,
  accounts: SystemAccounts,
): Allocated {
  const { amount } = allocation;
  checkAmount(amount, credit, invoice);
  const side = sideOf(invoice.type);
  const control = accountOf(accounts, controlOf(invoice.type));
  const creditBase = shareOfBase(amount, credit.remaining, credit.openBase, credit.rate);
  const invoiceBase = shareOfBase(amount, invoice.due, invoice.openBase, invoice.rate);
  const gain = (creditBase - invoiceBase) as Cents;
  const gains = gainPostings(side, gain, accounts);
  const onControl = (base: Cents): Posting => ({
    account: control,
    amount: (side * base) as Cents,
  });
  const released = releaseOf(allocation, credit, side, creditBase);
  const { sourceType } = credit;
  const journal = (basis: Basis, documentId: string, postings: readonly Posting[]): Journal[] => {
    const moved = merged(postings);
    const { id: sourceId, date } = allocation;
    if (moved.length === 0) return [];
    return [balanced({ basis, date, sourceType, sourceId, documentId, postings: moved })];
  };
  const fromCredit = credit.standsOn === "lines" ? released : [onControl(creditBase)];
  const toInvoice = onControl(-invoiceBase as Cents);
  const lines = recognisedNow(allocation, invoice, control, toInvoice.amount);
  const creditLines = cashOf(allocation, credit, control, onControl(creditBase).amount, released);
  return {
    creditBase,
    invoiceBase,
    journals: [
      ...journal("accrual", credit.id, [...fromCredit, toInvoice, ...gains]),
      // Two journals, each of one document, so that either can be brought further by its own.
      ...(creditLines === undefined
        ? []
        : journal("cash", credit.id, [...creditLines, onControl(-creditBase as Cents)])),
      ...journal("cash", invoice.id, [onControl(creditBase), ...lines, ...gains]),
    ],
  };
}

function checkAmount(amount: Cents, credit: OpenCredit, invoice: OpenInvoice): void {
  if (!(amount > 0)) {
    throw new RefusedError("AllocationAmount", "The amount of an allocation must be above zero.");
  }
  if (amount > credit.remaining) {
    throw new RefusedError("AllocationAmount", "The amount exceeds the remaining credit.");
  }
  if (amount > invoice.due) {
    throw new RefusedError(
      "AllocationAmount",
      "The amount exceeds the amount outstanding on the invoice.",
    );
  }
}

/**
 * What leaves the lines of a prepayment, as postings that turn theirs round.
 *
 * @returns postings that sum to `side × base`
 */
export function release(
  credit: Pick<OpenCredit, "coded" | "released" | "total" | "remaining" | "rate">,
  amount: Cents,
  sum: Cents,
): Posting[] {
  const turned = ({ taxAmount, ...posting }: Posting): Posting => ({
    ...posting,
    amount: -posting.amount as Cents,
    ...(taxAmount === undefined ? {} : { taxAmount: -taxAmount as Cents }),
  });
  const before = (credit.total - credit.remaining) as Cents;
  const { total, rate } = credit;
  const portion = { cumulative: add(before, amount), total, smallest: rate.smallest };
  return recognise(
    credit.coded,
    "",
    portion,
    credit.released.map(turned),
    (sum === 0 ? 0 : -sum) as Cents,
  ).map(turned);
}

function releaseOf(
  { amount }: AllocationFacts,
  credit: OpenCredit,
  side: 1 | -1,
  base: Cents,
): Posting[] {
  return credit.standsOn === "lines" ? release(credit, amount, (side * base) as Cents) : [];
}

/**
 * What the credit's own lines come to in the cash ledger, against the control account.
 *
 * @returns undefined for an overpayment, which stands on the control account there as well
 */
function cashOf(
  allocation: AllocationFacts,
  credit: OpenCredit,
  control: string,
  sum: Cents,
  released: readonly Posting[],
): readonly Posting[] | undefined {
  if (credit.standsOn === "lines") return released;
  if (credit.isCash) return undefined;
  return recognisedNow(allocation, { ...credit, approval: credit.coded }, control, sum);
}

function recognisedNow(
  { amount }: AllocationFacts,
  settled: Pick<OpenInvoice, "recognisedTotal" | "total" | "approval" | "recognised" | "rate">,
  control: string,
  sum: Cents,
): Posting[] {
  const { recognisedTotal, total, rate } = settled;
  const portion = { cumulative: add(recognisedTotal, amount), total, smallest: rate.smallest };
  return recognise(settled.approval, control, portion, settled.recognised, sum);
}

/** Postings of one account that say nothing of themselves are one; what comes to nothing goes. */
function merged(postings: readonly Posting[]): Posting[] {
  const plain = new Map<string, Posting>();
  const others: Posting[] = [];
  for (const posting of postings) {
    const { account, amount, ...rest } = posting;
    if (Object.values(rest).some((value) => value !== undefined)) others.push(posting);
    else
      plain.set(account, {
        account,
        amount: add(plain.get(account)?.amount ?? (0 as Cents), amount),
      });
  }
  return [...plain.values(), ...others].filter(({ amount }) => amount !== 0);
}
