/**
 * Recognition on the cash basis: a document counts, line by line, in the proportion in which it is
 * paid, and rounding differences are distributed so that the whole is recognised in the end.
 */
import type { Posting } from "../journal.ts";
import { type Cents, type Smallest, share } from "../money.ts";

/** The recognised portion of a document: `cumulative` of `total`, in the document's currency. */
export interface Portion {
  /** Amount paid so far, 0 to `total`. */
  readonly cumulative: Cents;
  /** Total of the document, positive. */
  readonly total: Cents;
  /** Smallest amount of the base currency, in which the postings are. */
  readonly smallest: Smallest;
}

/**
 * The postings that bring the recognition of a document up to a portion.
 *
 * The target of each posting is its share of the portion, rounded; the target less the amount
 * recognised before is posted, so that rounding never accumulates and the whole portion recognises
 * the whole posting. The new postings sum to `sum` exactly: the cents left by rounding go one each
 * to the postings that it moved furthest the other way. Both sides of a cost of goods sold round
 * alike and take none of them.
 *
 * @param approval    postings of the document's accrual journal
 * @param control     AccountID of its control account, which the cash ledger does not use
 * @param recognised  postings of the document in the cash ledger so far
 * @param sum         base currency, debit positive
 * @returns postings in the order of `approval`, none of zero
 */
export function recognise(
  approval: readonly Posting[],
  control: string,
  portion: Portion,
  recognised: readonly Posting[],
  sum: Cents,
): Posting[] {
  const partByKey = partsOf(approval, control);
  for (const posting of recognised) {
    const recognisedPart = partByKey.get(keyOf(posting));
    if (recognisedPart === undefined) continue; // the bank's side, or a gain
    recognisedPart.amountBefore += posting.amount;
    recognisedPart.taxBefore += posting.taxAmount ?? 0;
  }
  let remainder: number = sum;
  for (const part of partByKey.values()) {
    part.target = share(part.amount, portion.cumulative, portion.total, portion.smallest);
    remainder -= part.target - part.amountBefore;
  }
  if (remainder !== 0) distributeRemainder(remainder, [...partByKey.values()], portion);
  const postings: Posting[] = [];
  for (const part of partByKey.values()) {
    const amount = part.target - part.amountBefore;
    if (amount === 0) continue;
    if (part.posting.taxAmount === undefined) {
      postings.push({ ...part.posting, amount: amount as Cents });
      continue;
    }
    // The tax of a line follows its amount, so that both are fully recognised at the same time.
    const magnitude = Math.abs(part.amount);
    const newShare = part.amount < 0 ? -part.target : part.target;
    const tax = magnitude === 0 ? part.tax : share(part.tax, newShare, magnitude, portion.smallest);
    postings.push({
      ...part.posting,
      amount: amount as Cents,
      taxAmount: (tax - part.taxBefore) as Cents,
    });
  }
  return postings;
}

/** A line, tax or rounding posting of an approval, with its recognised amount. */
interface RecognisedPosting {
  readonly posting: Posting;
  amount: number;
  tax: number;
  amountBefore: number;
  taxBefore: number;
  target: number;
}

/** Key of a posting within its document; the cost of goods sold of a line has no tax type. */
function keyOf({ account, line, taxType }: Posting): string {
  return line === undefined ? account : `${account}|${line}|${taxType === undefined ? "" : "t"}`;
}

function partsOf(approval: readonly Posting[], control: string): Map<string, RecognisedPosting> {
  const partByKey = new Map<string, RecognisedPosting>();
  for (const posting of approval) {
    if (posting.account === control && posting.line === undefined) continue;
    const key = keyOf(posting);
    const recognised = partByKey.get(key);
    if (recognised !== undefined) {
      recognised.amount += posting.amount;
      recognised.tax += posting.taxAmount ?? 0;
      continue;
    }
    partByKey.set(key, {
      posting,
      amount: posting.amount,
      tax: posting.taxAmount ?? 0,
      amountBefore: 0,
      taxBefore: 0,
      target: 0,
    });
  }
  return partByKey;
}

/**
 * Distributes `rest`, of either sign, over the targets that were rounded furthest the other way.
 */
function distributeRemainder(
  remainder: number,
  parts: readonly RecognisedPosting[],
  { cumulative, total, smallest }: Portion,
): void {
  const isCost = ({ posting }: RecognisedPosting) =>
    posting.line !== undefined && posting.taxType === undefined;
  const step = Math.sign(remainder);
  const openParts = parts
    .filter((recognised) => !isCost(recognised))
    .map((recognised, index) => ({
      part: recognised,
      index,
      missing: step * ((recognised.amount * cumulative) / total - recognised.target),
    }))
    .sort((a, b) => b.missing - a.missing || a.index - b.index);
  if (openParts.length === 0) throw new Error("A payment of a document that charges nothing.");
  const unitCount = Math.trunc(remainder / smallest);
  // More units than postings occur only when many foreign payments were each rounded separately.
  const unitsEach = Math.trunc(unitCount / openParts.length);
  const extraUnits = Math.abs(unitCount) - Math.abs(unitsEach) * openParts.length;
  openParts.forEach(({ part }, index) => {
    part.target += (unitsEach + (index < extraUnits ? step : 0)) * smallest;
    // Fractions of a unit occur for documents that an earlier version posted.
    if (index === 0) part.target += remainder - unitCount * smallest;
  });
}
