/**
 * Postings of an allocation: a credit note, overpayment or prepayment applied to an invoice or a
 * bill.
 *
 * A credit note and an overpayment are on the same control account as the invoice, so only the
 * exchange difference of two rates is posted. A prepayment is on the accounts of its lines, and is
 * released from them in proportion, with its tax.
 *
 * On the cash basis an allocation settles like a payment: the invoice is recognised, line by line,
 * in the proportion settled, and so is a credit note; an overpayment is reclassified to the
 * invoice's lines, as is a prepayment. Once all is settled both bases agree on every account,
 * whatever rates and accounts the two documents have.
 */
import { RefusedError } from "../../resources/errors.ts";
import {
  accountOf,
  controlOf,
  type DocumentType,
  type SystemAccounts,
  sideOf,
} from "../documents/document-kinds.ts";
import { assertBalanced, type Basis, type Journal, type Posting } from "../journal.ts";
import { add, type Cents, type Exchange } from "../money.ts";
import { baseShareOf, gainPostings } from "./currency.ts";
import { recognise } from "./recognition.ts";

export interface AllocationFacts {
  readonly id: string;
  readonly date: string;
  /** Amount in the currency that both documents share, positive. */
  readonly amount: Cents;
}

/** The credit before the allocation. */
export interface OpenCredit {
  readonly id: string;
  /** Source type of its journals: `ACCRECCREDIT`, `ARPREPAYMENT`. */
  readonly sourceType: string;
  /**
   * Where the credit is posted: `control` for the control account, `lines` for the accounts of its
   * lines.
   */
  readonly standsOn: "control" | "lines";
  /**
   * Whether its money moved when it was made, so that the cash basis already recognises all of it.
   */
  readonly isCash: boolean;
  readonly rate: Exchange;
  /** Total in its currency, positive. */
  readonly total: Cents;
  /** Remaining amount before this allocation. */
  readonly remaining: Cents;
  /** Remaining amount in the base currency, not negative. */
  readonly openBase: Cents;
  /** Its postings to lines and tax and, for `lines`, the postings that released them since. */
  readonly coded: readonly Posting[];
  readonly released: readonly Posting[];
  /**
   * For a credit without cash: the part of its total recognised on the cash basis, and the postings
   * of all its cash journals so far.
   */
  readonly recognisedTotal: Cents;
  readonly recognised: readonly Posting[];
}

/** The invoice or bill before the allocation. */
export interface OpenInvoice {
  readonly id: string;
  readonly type: DocumentType;
  readonly rate: Exchange;
  readonly total: Cents;
  readonly due: Cents;
  readonly openBase: Cents;
  /** Part of the total recognised on the cash basis: payments and credits. */
  readonly recognisedTotal: Cents;
  /** Postings of its live accrual journal of approval. */
  readonly approval: readonly Posting[];
  /** Postings of all its cash journals so far. */
  readonly recognised: readonly Posting[];
}

export interface AllocationJournals {
  readonly journals: readonly Journal[];
  /**
   * Reductions of the credit and of the invoice on the control account, in base currency, not
   * negative.
   */
  readonly creditBase: Cents;
  readonly invoiceBase: Cents;
}

/**
 * The journals of an allocation.
 * @throws RefusedError `AllocationAmount` when it is not above zero or exceeds either side
 * @source worked examples of accountants for prepayments: the coded account and its tax go back in
 * proportion against the control account, the last allocation takes what rounding leaves
 */
export function allocationJournals(
  allocation: AllocationFacts,
  credit: OpenCredit,
  invoice: OpenInvoice,
  accounts: SystemAccounts,
): AllocationJournals {
  const { amount } = allocation;
  checkAmount(amount, credit, invoice);
  const sideSign = sideOf(invoice.type);
  const control = accountOf(accounts, controlOf(invoice.type));
  const creditBase = baseShareOf(amount, credit.remaining, credit.openBase, credit.rate);
  const invoiceBase = baseShareOf(amount, invoice.due, invoice.openBase, invoice.rate);
  const gain = (creditBase - invoiceBase) as Cents;
  const gains = gainPostings(sideSign, gain, accounts);
  const onControl = (baseAmount: Cents): Posting => ({
    account: control,
    amount: (sideSign * baseAmount) as Cents,
  });
  const released = releaseOf(allocation, credit, sideSign, creditBase);
  const { sourceType } = credit;
  const journal = (basis: Basis, documentId: string, postings: readonly Posting[]): Journal[] => {
    const nonZero = mergePostings(postings);
    const { id: sourceId, date } = allocation;
    if (nonZero.length === 0) return [];
    return [assertBalanced({ basis, date, sourceType, sourceId, documentId, postings: nonZero })];
  };
  const fromCredit = credit.standsOn === "lines" ? released : [onControl(creditBase)];
  const toInvoice = onControl(-invoiceBase as Cents);
  const lines = recogniseNow(allocation, invoice, control, toInvoice.amount);
  const creditLines = cashOf(allocation, credit, control, onControl(creditBase).amount, released);
  return {
    creditBase,
    invoiceBase,
    journals: [
      ...journal("accrual", credit.id, [...fromCredit, toInvoice, ...gains]),
      // Two journals, one for each document, so that either document can be recognised further by
      // itself.
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
 * Releases a part of a prepayment from its lines: postings with inverted signs.
 *
 * @returns postings that sum to `side × base`
 */
export function release(
  credit: Pick<OpenCredit, "coded" | "released" | "total" | "remaining" | "rate">,
  amount: Cents,
  sum: Cents,
): Posting[] {
  const opposite = ({ taxAmount, ...posting }: Posting): Posting => ({
    ...posting,
    amount: -posting.amount as Cents,
    ...(taxAmount === undefined ? {} : { taxAmount: -taxAmount as Cents }),
  });
  const settledBefore = (credit.total - credit.remaining) as Cents;
  const { total, rate } = credit;
  const portion = { cumulative: add(settledBefore, amount), total, smallest: rate.smallest };
  return recognise(
    credit.coded,
    "",
    portion,
    credit.released.map(opposite),
    (sum === 0 ? 0 : -sum) as Cents,
  ).map(opposite);
}

function releaseOf(
  { amount }: AllocationFacts,
  credit: OpenCredit,
  sideSign: 1 | -1,
  base: Cents,
): Posting[] {
  return credit.standsOn === "lines" ? release(credit, amount, (sideSign * base) as Cents) : [];
}

/**
 * The credit's own lines in the cash ledger, to replace the control account.
 *
 * @returns undefined for an overpayment, which is on the control account in the cash ledger too
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
  return recogniseNow(allocation, { ...credit, approval: credit.coded }, control, sum);
}

function recogniseNow(
  { amount }: AllocationFacts,
  invoice: Pick<OpenInvoice, "recognisedTotal" | "total" | "approval" | "recognised" | "rate">,
  control: string,
  sum: Cents,
): Posting[] {
  const { recognisedTotal, total, rate } = invoice;
  const portion = { cumulative: add(recognisedTotal, amount), total, smallest: rate.smallest };
  return recognise(invoice.approval, control, portion, invoice.recognised, sum);
}

/** Merges postings of one account that have no other attributes, and drops zero sums. */
function mergePostings(postings: readonly Posting[]): Posting[] {
  const postingByAccount = new Map<string, Posting>();
  const otherPostings: Posting[] = [];
  for (const posting of postings) {
    const { account, amount, ...rest } = posting;
    if (Object.values(rest).some((value) => value !== undefined)) otherPostings.push(posting);
    else
      postingByAccount.set(account, {
        account,
        amount: add(postingByAccount.get(account)?.amount ?? (0 as Cents), amount),
      });
  }
  return [...postingByAccount.values(), ...otherPostings].filter(({ amount }) => amount !== 0);
}
