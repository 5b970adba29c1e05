/**
 * A journal: a dated, balanced set of postings; the only thing that changes a balance.
 *
 * Journals are append-only. A reversal posts another journal with every sign inverted, on the same
 * date. There are two ledgers: `accrual`, which recognises a document when it is approved, and
 * `cash`, which recognises it as it is paid; each journal belongs to one and balances in itself.
 */
import { type Cents, isSafe, writeDecimal } from "../resources/decimal.ts";
import { RefusedError } from "../resources/errors.ts";

export type Basis = "accrual" | "cash";

export interface Posting {
  /** AccountID. */
  readonly account: string;
  /** Amount in base currency, debit positive, credit negative; never zero. */
  readonly amount: Cents;
  /** For a bank account in a foreign currency: amount in that currency, debit positive. */
  readonly foreign?: Cents | undefined;
  readonly description?: string | undefined;
  /** TaxType of the line, on revenue and expense postings; control and tax postings have none. */
  readonly taxType?: string | undefined;
  readonly taxAmount?: Cents | undefined;
  /** TrackingOptionIDs of the first and the second tracking category. */
  readonly option1?: string | undefined;
  readonly option2?: string | undefined;
  /** Index of the document line, from 0; none on control and bank postings. */
  readonly line?: number | undefined;
}

export interface Journal {
  readonly basis: Basis;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Source type: ACCREC, ACCPAY, ACCRECPAYMENT, …; absent for conversion balances. */
  readonly sourceType: string | undefined;
  /** Id of the source record: the document, the payment, the allocation. */
  readonly sourceId: string;
  /** Id of the document whose money the journal moves; for a payment, the document paid. */
  readonly documentId: string;
  readonly reference?: string | undefined;
  /** Number of the journal that this one reverses. */
  readonly reverses?: number | undefined;
  readonly postings: readonly Posting[];
}

/**
 * Asserts that a journal balances, has postings, and has no zero postings.
 *
 * @throws Error (a bug, never a refusal) when it does not
 */
export function assertBalanced(journal: Journal): Journal {
  let sum = 0;
  for (const posting of journal.postings) {
    if (!Number.isSafeInteger(posting.amount) || posting.amount === 0) {
      throw new Error(`A posting of ${posting.amount} in a journal of ${journal.sourceId}.`);
    }
    sum = isSafe(sum + posting.amount);
  }
  if (sum !== 0)
    throw new Error(`A journal of ${journal.sourceId} is out of balance by ${sum} cents.`);
  if (journal.postings.length > 100_000) {
    throw new RefusedError("TooManyPostings", "A document has too many lines to be posted.");
  }
  return journal;
}

/**
 * Maximum turnover of all journals of a basis, 90,071,992,547,409.91.
 *
 * No sum of their postings' amounts, taxes or foreign amounts exceeds it, whichever accounts, days
 * or documents a report adds up: so every such sum is exact.
 */
export const turnoverMax = Number.MAX_SAFE_INTEGER;

/**
 * The turnover of a journal: the sum of its postings' amounts without signs. A reversal has the
 * negative turnover of the reversed journal.
 *
 * @returns cents; beyond the safe integers the result is above `turnoverMax`
 */
export function turnoverOf({ postings, reverses }: Journal): number {
  let turnover = 0;
  for (const { amount, taxAmount = 0, foreign = 0 } of postings) {
    turnover += Math.abs(amount) + Math.abs(taxAmount) + Math.abs(foreign);
  }
  return reverses === undefined ? turnover : -turnover;
}

/**
 * Adds journals to the turnover of their basis.
 *
 * @param turnoverBefore  turnover so far, in cents
 * @throws RefusedError `Overflow` when it would exceed `turnoverMax`
 */
export function addTurnover(turnoverBefore: number, journals: readonly Journal[]): number {
  const turnovers = journals.map(turnoverOf);
  // Reversals first, which makes room for replacements and keeps every sum exact.
  let runningTotal = turnoverBefore;
  for (const turnover of turnovers) if (turnover < 0) runningTotal += turnover;
  for (const turnover of turnovers) {
    if (turnover < 0) continue;
    runningTotal += turnover;
    if (runningTotal <= turnoverMax) continue;
    throw new RefusedError(
      "Overflow",
      "The amounts are too large: all that is posted may come to " +
        `${writeDecimal(turnoverMax, 2)}, so that every sum in a report is exact.`,
    );
  }
  return Math.max(runningTotal, 0);
}

/** A journal as stored in the ledger. */
export interface PostedJournal extends Journal {
  /** JournalID. */
  readonly id: string;
  /** Journal number: 1, 2, 3, … without gaps, for each organisation and basis. */
  readonly number: number;
  /** Time of posting, in milliseconds since 1970 UTC. */
  readonly createdAt: number;
}

/** The reversal of `journal`: same date, same source, every sign inverted. */
export function reversalJournal(journal: PostedJournal): Journal {
  const { basis, date, sourceType, sourceId, documentId, reference } = journal;
  return assertBalanced({
    basis,
    date,
    sourceType,
    sourceId,
    documentId,
    reference,
    reverses: journal.number,
    postings: journal.postings.map((posting) => ({
      ...posting,
      amount: -posting.amount as Cents,
      ...(posting.foreign === undefined ? {} : { foreign: -posting.foreign as Cents }),
      ...(posting.taxAmount === undefined ? {} : { taxAmount: -posting.taxAmount as Cents }),
    })),
  });
}
