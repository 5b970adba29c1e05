/**
 * Reads journals: page by page in the order of their numbers, or one.
 *
 * Journal numbers increase with time, apart from clock corrections. So the first journal since a
 * moment is found by binary search, without an index that every posting would have to maintain.
 */
import type { Basis, PostedJournal, Posting } from "../../ledger/journal.ts";
import type { Cents } from "../../resources/decimal.ts";
import { ownRows, padToPowerOfTwo } from "../operations/bulk.ts";
import { basisCode, basisOf, type Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

export interface JournalQuery {
  readonly basis: Basis;
  /** Returns only journals with numbers above this one. */
  readonly after: number;
  /** Milliseconds since 1970 UTC: only journals posted then or later. */
  readonly since?: number | undefined;
  readonly limit: number;
}

/** Tolerance in milliseconds for a clock set back between two journals, so that none is missed. */
const clockSlackMs = 86_400_000;

/** The next journals of a page, by number. */
export async function journalsAfter(tx: Tx, query: JournalQuery): Promise<PostedJournal[]> {
  const { basis, since, limit } = query;
  const numberBefore =
    since === undefined
      ? query.after
      : Math.max(query.after, (await firstJournalSince(tx, basis, since - clockSlackMs)) - 1);
  let journals = ownRows(tx, "journal", { basis: basisCode[basis] })
    .selectAll()
    .where("number", ">", numberBefore);
  if (since !== undefined) journals = journals.where("created_at", ">=", since);
  return withPostings(tx, basis, await journals.orderBy("number").limit(limit).execute());
}

/** The journal with a number, or undefined. */
export async function journalNumbered(
  tx: Tx,
  basis: Basis,
  number: number,
): Promise<PostedJournal | undefined> {
  const journals = await ownRows(tx, "journal", { basis: basisCode[basis], number })
    .selectAll()
    .execute();
  return (await withPostings(tx, basis, journals))[0];
}

/** The journal with an id, of either basis, or undefined. */
export async function journalWithId(tx: Tx, id: string): Promise<PostedJournal | undefined> {
  const [row] = await ownRows(tx, "journal", { id }).select(["basis", "number"]).execute();
  if (row === undefined) return undefined;
  return journalNumbered(tx, row.basis === basisCode.cash ? "cash" : "accrual", row.number);
}

async function withPostings(
  tx: Tx,
  basis: Basis,
  journals: readonly Tables["journal"][],
): Promise<PostedJournal[]> {
  if (journals.length === 0) return [];
  const postings = await ownRows(tx, "posting", {
    basis: basisCode[basis],
    number: padToPowerOfTwo(journals.map(({ number }) => number)),
  })
    .selectAll()
    .execute();
  return assemble(journals, postings);
}

/**
 * The number of the first journal posted at a moment or later; the last number plus one if none.
 */
async function firstJournalSince(tx: Tx, basis: Basis, sinceMs: number): Promise<number> {
  const rows = ownRows(tx, "journal", { basis: basisCode[basis] });
  const latest = await rows.select("number").orderBy("number", "desc").limit(1).executeTakeFirst();
  let [low, high] = [1, (latest?.number ?? 0) + 1];
  while (low < high) {
    const middleY = Math.floor((low + high) / 2);
    const row = await rows.select("created_at").where("number", "=", middleY).executeTakeFirst();
    // Numbers have no gaps, so a missing number lies beyond the last journal.
    if (row !== undefined && row.created_at < sinceMs) low = middleY + 1;
    else high = middleY;
  }
  return low;
}

/** Joins journals with their postings, in the order of `journals`. */
function assemble(
  journals: readonly Tables["journal"][],
  postings: readonly Tables["posting"][],
): PostedJournal[] {
  const byJournal = new Map<string, Tables["posting"][]>();
  for (const posting of postings) {
    const key = `${posting.basis} ${posting.number}`;
    const ownPostings = byJournal.get(key);
    if (ownPostings === undefined) byJournal.set(key, [posting]);
    else ownPostings.push(posting);
  }
  return journals.map((row) => ({
    id: row.id,
    basis: basisOf[row.basis] as Basis,
    number: row.number,
    date: row.date,
    sourceType: row.source_type ?? undefined,
    sourceId: row.source_id,
    documentId: row.document_id,
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...(row.reverses === null ? {} : { reverses: row.reverses }),
    createdAt: row.created_at,
    postings: (byJournal.get(`${row.basis} ${row.number}`) ?? [])
      .sort((a, b) => a.ord - b.ord)
      .map(postingOf),
  }));
}

function postingOf(row: Tables["posting"]): Posting {
  return {
    account: row.account_id,
    amount: row.amount as Cents,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.tax_type === null ? {} : { taxType: row.tax_type }),
    ...(row.tax_amount === null ? {} : { taxAmount: row.tax_amount as Cents }),
    ...(row.option1 === "" ? {} : { option1: row.option1 }),
    ...(row.option2 === "" ? {} : { option2: row.option2 }),
    ...(row.line === null ? {} : { line: row.line }),
    ...(row.foreign_amount === null ? {} : { foreign: row.foreign_amount as Cents }),
  };
}
