/** Journals by their source record or document. */
import { sql } from "kysely";
import type { Basis, PostedJournal, Posting } from "../../ledger/journal.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Row } from "../connection/connection.ts";
import { keyLists, selectOnce } from "../operations/bulk.ts";
import { basisCode, basisOf, type Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/**
 * The journal column to search by: `source`, the record that made the journal; `document`, the
 * document whose money it moves.
 */
export type JournalKey = "source" | "document";

/** The journals of records, ordered by basis and number. */
export async function journalsOf(
  tx: Tx,
  by: JournalKey,
  ids: readonly string[],
  basis?: Basis,
): Promise<PostedJournal[]> {
  const column = sql.id(by === "source" ? "source_id" : "document_id");
  const postedJournals: PostedJournal[] = [];
  for (const list of keyLists(ids)) {
    const of = (kind: "journal" | "posting") => ({
      of: kind,
      by: `${by} ${basis ?? ""}`,
      count: list.length,
    });
    const code = basis === undefined ? [] : [basisCode[basis]];
    const ofJournals = () => sql`j.org = ${tx.org} and j.${column} in (${sql.join(list)})
      ${basis === undefined ? sql`` : sql`and j.basis = ${basisCode[basis]}`}`;
    const journals = () => sql`select ${listColumns("j", journalColumns)} from journal as j
      where ${ofJournals()}`;
    const postings = () => sql`select ${listColumns("p", postingColumns)}
      from journal as j join posting as p
        on p.org = j.org and p.basis = j.basis and p.number = j.number
      where ${ofJournals()}`;
    const parameters = [tx.org, ...list, ...code];
    const rows = [
      await selectOnce(tx, of("journal"), journals, parameters),
      await selectOnce(tx, of("posting"), postings, parameters),
    ] as const;
    for (const postedJournal of join(...rows)) postedJournals.push(postedJournal);
  }
  return postedJournals.sort(byBasisAndNumber);
}

const journalColumns = [
  "basis",
  "number",
  "id",
  "date",
  "source_type",
  "source_id",
  "document_id",
  "reference",
  "reverses",
  "created_at",
] as const satisfies readonly (keyof Tables["journal"])[];
const postingColumns = [
  "basis",
  "number",
  "ord",
  "account_id",
  "amount",
  "description",
  "tax_type",
  "tax_amount",
  "option1",
  "option2",
  "line",
  "foreign_amount",
] as const satisfies readonly (keyof Tables["posting"])[];

const listColumns = (alias: string, columns: readonly string[]) =>
  sql.raw(columns.map((name, at) => `${alias}."${name}" as c${at}`).join(", "));

/** Compares rows by basis and number and, for postings, by place: the first columns of both. */
function compareRows(a: Row, b: Row): number {
  return (
    Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]) || 0
  );
}

/** Joins journals with their postings, ordered by basis and number. */
function* join(journals: readonly Row[], unordered: readonly Row[]): Generator<PostedJournal> {
  const postings = unordered.toSorted(compareRows);
  let at = 0;
  for (const row of journals.toSorted(compareRows)) {
    const [basis, number, id, date, sourceType, sourceId, documentId, ...more] = row;
    const [reference, reverses, createdAt] = more;
    const ownPostings: Posting[] = [];
    for (; at < postings.length; at += 1) {
      const posting = postings[at] as Row;
      if (posting[0] !== basis || posting[1] !== number) break;
      ownPostings.push(postingIn(posting));
    }
    yield {
      id: id as string,
      basis: basisOf[basis as number] as Basis,
      number: number as number,
      date: date as string,
      sourceType: (sourceType ?? undefined) as PostedJournal["sourceType"],
      sourceId: sourceId as string,
      documentId: documentId as string,
      ...(reference === null ? {} : { reference: reference as string }),
      ...(reverses === null ? {} : { reverses: reverses as number }),
      createdAt: createdAt as number,
      postings: ownPostings,
    };
  }
}

function postingIn(row: Row): Posting {
  const [, , , account, amount, description, taxType, taxAmount, option1, option2, ...more] = row;
  const [line, foreign] = more;
  const posting: { -readonly [K in keyof Posting]: Posting[K] } = {
    account: account as string,
    amount: amount as Cents,
  };
  if (description !== null) posting.description = description as string;
  if (taxType !== null) posting.taxType = taxType as string;
  if (taxAmount !== null) posting.taxAmount = taxAmount as Cents;
  if (option1 !== "") posting.option1 = option1 as string;
  if (option2 !== "") posting.option2 = option2 as string;
  if (line !== null) posting.line = line as number;
  if (foreign !== null) posting.foreign = foreign as Cents;
  return posting;
}

function byBasisAndNumber(a: PostedJournal, b: PostedJournal): number {
  return basisCode[a.basis] - basisCode[b.basis] || a.number - b.number;
}

/** The journals of records that are in force: neither reversed nor reversals. */
export async function liveJournals(
  tx: Tx,
  by: JournalKey,
  ids: readonly string[],
  basis?: Basis,
): Promise<PostedJournal[]> {
  return inForce(await journalsOf(tx, by, ids, basis));
}

/**
 * Filters journals in force: neither reversed nor reversals. Needs all journals of the records.
 */
export function inForce(journals: readonly PostedJournal[]): PostedJournal[] {
  const reversedKeys = new Set(journals.map((journal) => `${journal.basis} ${journal.reverses}`));
  return journals.filter(
    (journal) =>
      journal.reverses === undefined && !reversedKeys.has(`${journal.basis} ${journal.number}`),
  );
}
