/**
 * Postings of a manual journal.
 *
 * Debits and credits are posted as entered, with the tax of each line on the tax account on the
 * same side. The cash ledger gets them too, unless the journal is excluded from cash basis reports.
 *
 * All functions are pure.
 */
import { amountText } from "../../resources/common.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { ManualJournalStatus } from "../../resources/manual-journal.ts";
import type { LifeCycle } from "../documents/lifecycle.ts";
import {
  assertBalanced,
  type Basis,
  type Journal,
  type PostedJournal,
  type Posting,
  reversalJournal,
} from "../journal.ts";
import { add, type Cents, zeroCents } from "../money.ts";
import { type DocumentLineFacts, samePostings } from "./posting.ts";

const noun = "Manual Journal";
const notModified = `${noun} not of valid status for modification`;

/**
 * Statuses of a manual journal: a draft may be archived and restored; only a posted journal is in
 * the ledger.
 */
export const manualJournalLifeCycle: LifeCycle<ManualJournalStatus> = {
  transitions: [
    { from: undefined, to: "DRAFT", trigger: "create" },
    { from: undefined, to: "POSTED", trigger: "create" },
    { from: "DRAFT", to: "DRAFT", trigger: "update" },
    { from: "DRAFT", to: "POSTED", trigger: "update" },
    { from: "DRAFT", to: "DELETED", trigger: "update" },
    { from: "DRAFT", to: "ARCHIVED", trigger: "update" },
    { from: "ARCHIVED", to: "DRAFT", trigger: "update" },
    { from: "POSTED", to: "POSTED", trigger: "update" },
    { from: "POSTED", to: "VOIDED", trigger: "update" },
  ],
  approved: ["POSTED"],
  ended: ["DELETED", "VOIDED"],
  notCreated: () => `${noun} not of valid status for creation`,
  notMoved: (from, to) =>
    from === "POSTED" && to === "DELETED"
      ? "A POSTED manual journal cannot be deleted; it can only be voided"
      : notModified,
  notModified,
};

/** A line with an amount; base currency, debit positive. */
export type ManualLineFacts = Omit<DocumentLineFacts, "inventory">;

export interface ManualJournalFacts {
  readonly id: string;
  readonly date: string;
  readonly reference?: string | undefined;
  readonly onCashBasis: boolean;
  readonly lines: readonly ManualLineFacts[];
}

/**
 * Refuses lines whose debits and credits differ, tax included.
 *
 * @param amounts  of the lines with their tax, debit positive
 * @throws RefusedError `Unbalanced`; `Overflow`
 */
export function checkBalance(amounts: readonly Cents[], currency: string): void {
  let debits = zeroCents;
  let credits = zeroCents;
  for (const amount of amounts) {
    if (amount > 0) debits = add(debits, amount);
    else credits = add(credits, amount);
  }
  if (debits + credits === 0) return;
  throw new RefusedError(
    "Unbalanced",
    `The total debits (${amountText(debits, currency)}) must equal total credits (${amountText(credits, currency)})`,
  );
}

/**
 * The journals of a manual journal: one on each basis that it counts on, none when all amounts are
 * zero. The tax of a line carries the line's number, so that each line can be reconstructed.
 *
 * @param taxAccount  AccountID of the account that holds all tax
 */
export function manualJournals(manualJournal: ManualJournalFacts, taxAccount: string): Journal[] {
  const postings = manualJournal.lines.flatMap((line) => postingsOf(line, taxAccount));
  if (postings.length === 0) return [];
  const journal = (basis: Basis): Journal =>
    assertBalanced({
      basis,
      date: manualJournal.date,
      sourceType: "MANJOURNAL",
      sourceId: manualJournal.id,
      documentId: manualJournal.id,
      reference: manualJournal.reference,
      postings,
    });
  return manualJournal.onCashBasis ? [journal("accrual"), journal("cash")] : [journal("accrual")];
}

function postingsOf(lineFacts: ManualLineFacts, taxAccount: string): Posting[] {
  const { line, account, description, taxType, option1, option2 } = lineFacts;
  const nonRecoverable = lineFacts.nonRecoverable ?? zeroCents;
  const net = add(lineFacts.net, nonRecoverable);
  const taxAmount = (lineFacts.tax - nonRecoverable) as Cents;
  const own = { account, amount: net, description, taxType, taxAmount, option1, option2, line };
  const tax = { account: taxAccount, amount: taxAmount, line };
  return [own, tax].filter(({ amount }) => amount !== 0);
}

/**
 * The journals that replace the journals in force by the wanted ones. A basis with equal postings
 * is left as it is.
 */
export function correct(live: readonly PostedJournal[], target: readonly Journal[]): Journal[] {
  const stands = live.filter((posted) => target.some((journal) => samePostings(posted, journal)));
  const reversals = live.filter((posted) => !stands.includes(posted)).map(reversalJournal);
  const newJournals = target.filter((journal) => !stands.some((old) => samePostings(old, journal)));
  return [...reversals, ...newJournals];
}
