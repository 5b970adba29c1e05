/**
 * Postings of documents and payments.
 *
 * Two ledgers are kept. The accrual ledger recognises a document when it is approved: its total on
 * the control account (receivable or payable) against its lines and its tax; a payment then only
 * moves money from the control account to the bank. The cash ledger has no control account: it
 * recognises each of those postings, line by line, in the proportion in which the document is paid.
 *
 * A document in a foreign currency is posted at its own rate, each line's net and tax converted
 * separately; the difference from the converted total goes to the rounding account.
 *
 * All functions are pure. Voiding, deleting and editing reverse earlier journals (`reversed`).
 */
import { RefusedError } from "../../resources/errors.ts";
import {
  accountOf,
  controlOf,
  type DocumentType,
  foreignAmount,
  isMoneyMoved,
  kinds,
  onSide,
  type SystemAccounts,
} from "../documents/document-kinds.ts";
import { assertBalanced, type Basis, type Journal, type Posting } from "../journal.ts";
import { add, type Cents, type Exchange, type Quantity, toBase, zeroCents } from "../money.ts";
import { gainPostings, settleAmount } from "./currency.ts";
import { recognise } from "./recognition.ts";

/** The control account (or bank account) against which a document is posted. */
function controlAccountOf(
  { type, bank }: Pick<DocumentFacts, "type" | "bank">,
  accounts: SystemAccounts,
): string {
  if (!isMoneyMoved(type)) return accountOf(accounts, controlOf(type));
  if (bank === undefined) throw new Error(`A document of the kind ${type} has a bank account.`);
  return bank;
}

/** A tracked item on a line. */
export interface InventoryFacts {
  readonly itemId: string;
  readonly quantity: Quantity;
  /** AccountID of the item's inventory asset account, which a purchase debits. */
  readonly asset: string;
  /** AccountID of the item's account for the cost of goods sold. */
  readonly costOfSales: string;
  /**
   * Cost moved in the pool, in base currency, not negative; before the goods have moved, the
   * requested cost, or undefined for average cost. Needed for sold goods and customer returns; for
   * purchases it is the net of the line, and for returns to a supplier it may differ from the net,
   * which is a cost of sales.
   */
  readonly cost?: Cents | undefined;
}

/** A line with an amount; lines with only a description are left out. */
export interface DocumentLineFacts {
  /** Index of the line in the document, from 0. */
  readonly line: number;
  /** AccountID. */
  readonly account: string;
  /** Net amount without tax, in the currency of the document, signed as on the document. */
  readonly net: Cents;
  readonly tax: Cents;
  /**
   * Tax that is not reclaimed and so is posted to the line's account: part of `tax`, or owed in
   * place of the supplier.
   */
  readonly nonRecoverable?: Cents | undefined;
  /**
   * Reverse charge: tax that the buyer owes in place of the supplier, and reclaims; no part of
   * `tax` or `nonRecoverable`. A document of the supplier posts none of it.
   */
  readonly reverseCharge?: Cents | undefined;
  readonly taxType: string;
  readonly description?: string | undefined;
  /** TrackingOptionIDs of the first and the second tracking category. */
  readonly option1?: string | undefined;
  readonly option2?: string | undefined;
  readonly inventory?: InventoryFacts | undefined;
}

export interface DocumentFacts {
  readonly id: string;
  readonly type: DocumentType;
  readonly date: string;
  /** Exchange rate: foreign units for one unit of the base currency; 1 for the base currency. */
  readonly rate: Exchange;
  readonly reference?: string | undefined;
  /** AccountID of the bank account, for kinds that move money at once. */
  readonly bank?: string | undefined;
  /** Whether the document, and with it its bank account, is in a foreign currency. */
  readonly isForeign?: boolean | undefined;
  /**
   * Amount withheld under the construction industry scheme, in the currency of the document, not
   * negative and below the total; only for documents that are owed.
   */
  readonly withheld?: Cents | undefined;
  readonly lines: readonly DocumentLineFacts[];
}

/**
 * The journals of a document's approval.
 *
 * One accrual journal; none when all amounts are zero. A document that moves money at once has the
 * same journal in the cash ledger; so has one with a total of zero, which is settled at once,
 * without its control account. Sold goods leave the inventory at the given costs.
 *
 * @throws RefusedError `NegativeTotal`; `CurrencyRate`, `Overflow`
 */
export function approvalJournals(document: DocumentFacts, accounts: SystemAccounts): Journal[] {
  const { side } = kinds[document.type];
  const { lines, moved, total, linesBase, taxBase } = linePostings(document, accounts);
  if (total < 0) {
    throw new RefusedError(
      "NegativeTotal",
      "The total of an approved document must not be negative.",
    );
  }
  const totalBase = toBase(total, document.rate);
  const rounding = (totalBase - linesBase - taxBase) as Cents;
  if (taxBase !== 0) {
    lines.push({ account: accountOf(accounts, "GST"), amount: onSide(-side, taxBase) });
  }
  if (rounding !== 0) {
    lines.push({ account: accountOf(accounts, "ROUNDING"), amount: onSide(-side, rounding) });
  }
  if (totalBase !== 0) {
    const control = controlAccountOf(document, accounts);
    const foreign = isMoneyMoved(document.type) && document.isForeign ? total : undefined;
    const owed = {
      account: control,
      amount: onSide(side, totalBase),
      ...foreignAmount(side, foreign),
    };
    if (side === 1) lines.unshift(owed);
    else lines.push(owed);
  }
  lines.push(...withheldPostings(document, accounts));
  const postings = moved.length === 0 ? lines : [...lines, ...moved];
  if (postings.length === 0) return [];
  const journal = (basis: Basis): Journal =>
    assertBalanced({
      basis,
      date: document.date,
      sourceType: document.type,
      sourceId: document.id,
      documentId: document.id,
      reference: document.reference,
      postings,
    });
  const isSettled = total === 0 || isMoneyMoved(document.type);
  return isSettled ? [journal("accrual"), journal("cash")] : [journal("accrual")];
}

/**
 * The postings of a withheld amount, from the control account to the account with the tax office:
 * the contact never pays or receives it.
 */
function withheldPostings(
  { type, rate, withheld }: DocumentFacts,
  accounts: SystemAccounts,
): Posting[] {
  if (withheld === undefined || isMoneyMoved(type)) return [];
  const amount = toBase(withheld, rate);
  if (amount === 0) return [];
  const { side, goods } = kinds[type];
  const owed = { account: accountOf(accounts, controlOf(type)), amount: onSide(-side, amount) };
  const officePosting = {
    account: accountOf(accounts, goods === "in" ? "CISLIABILITY" : "CISASSETS"),
    amount: onSide(side, amount),
  };
  return side === 1 ? [officePosting, owed] : [owed, officePosting];
}

/**
 * The postings of a reverse charge, both owed and reclaimed. Both carry their line, so that they
 * stay separate and distinct from the document's own tax.
 */
function reverseCharged(
  { reverseCharge, line, description }: DocumentLineFacts,
  rate: Exchange,
  sign: 1 | -1,
  accounts: SystemAccounts,
): Posting[] {
  const tax = reverseCharge === undefined ? zeroCents : toBase(reverseCharge, rate);
  if (tax === 0) return [];
  const account = accountOf(accounts, "GST");
  return [sign, -sign].map((sign) => ({ account, amount: onSide(sign, tax), description, line }));
}

/**
 * The postings of the lines to their accounts, with cost of goods and both sides of reverse
 * charges; and their sums.
 */
function linePostings({ type, rate, lines: charged }: DocumentFacts, accounts: SystemAccounts) {
  const { side, goods } = kinds[type];
  const lines: Posting[] = [];
  const moved: Posting[] = [];
  let total = zeroCents;
  let linesBase = zeroCents;
  let taxBase = zeroCents;
  for (const line of charged) {
    total = add(total, add(line.net, line.tax));
    const { net, tax } = lineBase(line, rate);
    linesBase = add(linesBase, net);
    taxBase = add(taxBase, tax);
    const { inventory } = line;
    if (net !== 0) {
      lines.push({
        account: inventory !== undefined && goods === "in" ? inventory.asset : line.account,
        amount: onSide(-side, net),
        description: line.description,
        taxType: line.taxType,
        taxAmount: onSide(-side, tax),
        option1: line.option1,
        option2: line.option2,
        line: line.line,
      });
    }
    if (goods === "in") moved.push(...reverseCharged(line, rate, side, accounts));
    if (inventory !== undefined && goods === "out") addCostPostings(moved, line, inventory, side);
    if (inventory?.cost !== undefined && goods === "in" && inventory.cost !== net) {
      const cost = (net - inventory.cost) as Cents;
      addCostPostings(moved, line, { ...inventory, cost }, -side as 1 | -1);
    }
  }
  return { lines, moved, total, linesBase, taxBase };
}

/**
 * The net and tax that a line posts, in base currency, signed as on the document. For a purchase of
 * a tracked item, `net` is the amount added to the item's pool.
 */
export function lineBase(
  line: Pick<DocumentLineFacts, "net" | "tax" | "nonRecoverable">,
  rate: Exchange,
): { net: Cents; tax: Cents } {
  const nonRecoverable = line.nonRecoverable ?? 0;
  return {
    net: toBase((line.net + nonRecoverable) as Cents, rate),
    tax: toBase((line.tax - nonRecoverable) as Cents, rate),
  };
}

/**
 * Adds the postings of cost of goods sold against inventory, without tax; only the cost has
 * tracking.
 */
function addCostPostings(
  postings: Posting[],
  line: DocumentLineFacts,
  inventory: InventoryFacts,
  sideSign: 1 | -1,
): void {
  const { cost, costOfSales, asset } = inventory;
  if (cost === undefined) throw new Error(`No cost for the sale of item ${inventory.itemId}.`);
  if (cost === 0) return;
  const { description, option1, option2 } = line;
  postings.push(
    {
      account: costOfSales,
      amount: onSide(sideSign, cost),
      description,
      option1,
      option2,
      line: line.line,
    },
    { account: asset, amount: onSide(-sideSign, cost), description, line: line.line },
  );
}

export interface PaymentFacts {
  readonly id: string;
  readonly date: string;
  /** Amount in the currency of the document, positive. */
  readonly amount: Cents;
  /** Exchange rate of the document's currency on the day of payment; 1 in base currency. */
  readonly rate: Exchange;
  /** AccountID of the account that the money moves to or from. */
  readonly account: string;
  /** Amount on that account in its currency, positive, when that is foreign. */
  readonly foreign?: Cents | undefined;
  /** The bank's amount in base currency, if known; otherwise converted at the rate. */
  readonly worth?: Cents | undefined;
  readonly reference?: string | undefined;
}

/** An approved document before a payment. */
export interface PaidDocument {
  readonly id: string;
  readonly type: DocumentType;
  readonly rate: Exchange;
  /**
   * Total to be settled, without the withheld amount; in the currency of the document, positive.
   */
  readonly total: Cents;
  /** Outstanding before this payment: `total` less all payments and credits. */
  readonly due: Cents;
  /** Part of the total recognised on the cash basis before: live payments and credits. */
  readonly paid: Cents;
  /**
   * The document's balance on the control account before this payment, in base currency, not
   * negative.
   */
  readonly openBase: Cents;
  /** Postings of its live accrual journal of approval. */
  readonly approval: readonly Posting[];
}

/**
 * The journals of a payment of an invoice or a bill, or of the refund of a credit note.
 *
 * The accrual journal moves the money between the bank and the control account; a difference in
 * rates is a realised gain. The payment that leaves nothing outstanding clears the document's
 * control account to exactly 0.00. The cash journal recognises the document's postings in the
 * proportion now paid; a full payment recognises them fully.
 *
 * @param recognised  postings of all cash journals of the document so far, those of deleted
 *   payments with their reversals, in any order
 * @returns the accrual and the cash journal, each only when it has postings
 * @throws RefusedError `PaymentAmount` when it is not above zero or exceeds the amount outstanding,
 *   `PaymentAccount` when the account is one the document itself posts to; `CurrencyRate`
 */
export function paymentJournals(
  payment: PaymentFacts,
  document: PaidDocument,
  accounts: SystemAccounts,
  recognised: readonly Posting[] = [],
): Journal[] {
  const { amount } = payment;
  const { side, payment: sourceType } = kinds[document.type];
  const controlAccount = accountOf(accounts, controlOf(document.type));
  checkPayment(payment, document, controlAccount);
  const settlement = settleAmount({
    amount,
    due: document.due,
    openBase: document.openBase,
    documentRate: document.rate,
    settlementRate: payment.rate,
    worth: payment.worth,
  });
  const bank = {
    account: payment.account,
    amount: onSide(side, settlement.bank),
    ...foreignAmount(side, payment.foreign),
  };
  const owed = { account: controlAccount, amount: onSide(-side, settlement.control) };
  const gains = gainPostings(side, settlement.gain, accounts);
  const { total, rate } = document;
  const portion = { cumulative: add(document.paid, amount), total, smallest: rate.smallest };
  const lines = recognise(document.approval, controlAccount, portion, recognised, owed.amount);
  const journal = (basis: Basis, postings: readonly Posting[]): Journal =>
    assertBalanced({
      basis,
      date: payment.date,
      sourceType,
      sourceId: payment.id,
      documentId: document.id,
      reference: payment.reference,
      postings: postings.filter((posting) => posting.amount !== 0),
    });
  return [
    journal("accrual", side === 1 ? [bank, owed, ...gains] : [owed, bank, ...gains]),
    journal("cash", side === 1 ? [bank, ...lines, ...gains] : [...lines, bank, ...gains]),
  ].filter(({ postings }) => postings.length > 0);
}

function checkPayment(payment: PaymentFacts, document: PaidDocument, control: string): void {
  if (!(payment.amount > 0)) {
    throw new RefusedError("PaymentAmount", "The payment amount must be above zero.");
  }
  if (payment.amount > document.due) {
    throw new RefusedError(
      "PaymentAmount",
      "Payment amount exceeds the amount outstanding on this document",
    );
  }
  // A payment on the document's own tax, rounding or control account would be indistinguishable.
  const isOfDocument = (posting: Posting) =>
    posting.line === undefined && posting.account === payment.account;
  if (payment.account === control || document.approval.some(isOfDocument)) {
    throw new RefusedError(
      "PaymentAccount",
      "Account type is invalid for making a payment to/from",
    );
  }
}

/**
 * Whether two journals change the same balances alike, so that an edited document need not be
 * posted again. Descriptions and references are ignored.
 */
export function samePostings(a: Journal, b: Journal): boolean {
  if (a.date !== b.date || a.basis !== b.basis) return false;
  if (a.postings.length !== b.postings.length) return false;
  return a.postings.every((posting, index) => {
    const otherPosting = b.postings[index] as Posting;
    return (
      posting.account === otherPosting.account &&
      posting.amount === otherPosting.amount &&
      posting.foreign === otherPosting.foreign &&
      posting.taxType === otherPosting.taxType &&
      posting.taxAmount === otherPosting.taxAmount &&
      posting.option1 === otherPosting.option1 &&
      posting.option2 === otherPosting.option2 &&
      posting.line === otherPosting.line
    );
  });
}
