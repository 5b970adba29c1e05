/**
 * Matches the lines of an imported file with the book's lines, and enriches those with new details
 * of the file.
 *
 * A statement remembers the lines that other statements had too, with their earlier fields:
 * removing the statement restores the fields, and passes lines that are also on another statement
 * to that one.
 */
import {
  type BookLine,
  type ComparedLine,
  type ComparedStatement,
  type Comparison,
  compareLines,
  daysToCompare,
} from "../../bank-files/comparison.ts";
import { bankStatementLine } from "../../resources/index.ts";
import { wordsOf } from "../../resources/scalar.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import {
  type ComparedRow,
  type LinesOf,
  linesToCompare,
} from "../../store/records/bank-matches.ts";
import { addHistory } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "../request/context.ts";
import { historyEntry } from "../request/history.ts";
import type { StoredLine, StoredStatement } from "./stored-statement.ts";

type StoredStatementLine = NonNullable<StoredStatement["StatementLines"]>[number];

/** A line as it was imported. */
export interface SentLine extends ComparedLine {
  readonly facts: Omit<StoredStatementLine, "Key">;
}

/** A stored line, with its name for people. */
export interface KnownLine extends BookLine {
  readonly lineId: string;
  readonly row: ComparedRow;
}

export type LineComparison = Comparison<SentLine, KnownLine>;

export function toSentLine({ Key = "", ...facts }: StoredStatementLine): SentLine {
  const { Payee, Description, References = [] } = facts;
  return {
    key: Key,
    date: facts.Date,
    amount: facts.Amount,
    id: facts.BankReference,
    words: [Payee, Description, ...References].filter(Boolean).join(" "),
    cells: facts.Cells,
    balance: facts.Balance,
    facts,
  };
}

/** Compares lines with those that the account has from other statements. */
export async function comparedLines(
  tx: Tx,
  of: LinesOf,
  lines: readonly SentLine[],
  statement: ComparedStatement,
): Promise<LineComparison> {
  const ids = lines.flatMap(({ id }) => id ?? []);
  const rows = [
    ...(await linesToCompare(tx, of, "date", daysToCompare(lines))),
    ...(await linesToCompare(tx, of, "bank_reference", ids)),
  ];
  const statementById = new Map<string, ComparedStatement>();
  const lineByKey = new Map(
    rows.map((row) => {
      const ownStatement = statementById.get(row.statementId) ?? statementOf(row);
      statementById.set(row.statementId, ownStatement);
      return [row.id, toKnownLine(row, ownStatement)] as const;
    }),
  );
  return compareLines([...lineByKey.values()], lines, statement);
}

function statementOf({
  format,
  number,
  from,
  to,
  opening,
  closing,
  headingKey,
}: ComparedRow): ComparedStatement {
  return {
    format: format ?? undefined,
    number: number ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    opening: opening ?? undefined,
    closing: closing ?? undefined,
    headingKey: headingKey ?? undefined,
  };
}

function toKnownLine(row: ComparedRow, statement: ComparedStatement): KnownLine {
  const { payee, description, references, cells, source } = row;
  const textsIn = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]));
  return {
    lineId: row.id,
    row,
    key: row.key,
    date: row.date,
    amount: row.amount,
    id: row.bankReference ?? undefined,
    words: [payee, description, ...textsIn(references)].filter(Boolean).join(" "),
    cells: cells === null ? source?.split("\t") : textsIn(cells),
    balance: row.balance ?? undefined,
    statement,
  };
}

// --- enrichment from a file ----------------------------------------------------------------------

/** Fields that a file may fill in or extend on a known line. */
const betterFields = ["Payee", "Description", "OtherAccount", "References", "Charges"] as const;

type BetterFields = Partial<StoredLine>;

/** Returns the fields of a file that extend those of the stored line. */
function betterFieldsOf(line: StoredLine, facts: SentLine["facts"]): BetterFields {
  const better: Record<string, unknown> = {};
  for (const name of betterFields) {
    const [own, sent] = [line[name], facts[name]];
    if (sent !== undefined && saysMoreThan(own, sent)) {
      better[name] = Array.isArray(own) ? [...new Set([...own, ...(sent as string[])])] : sent;
    }
  }
  if (line.OriginalAmount === undefined && facts.OriginalAmount !== undefined) {
    better.OriginalAmount = facts.OriginalAmount;
    better.OriginalCurrency = facts.OriginalCurrency;
  }
  return better as BetterFields;
}

function saysMoreThan(stored: unknown, sentValue: unknown): boolean {
  if (stored === undefined || stored === null) return true;
  if (Array.isArray(stored)) return (sentValue as string[]).some((text) => !stored.includes(text));
  if (typeof stored !== "string" || typeof sentValue !== "string") return false;
  const normal = (text: string) => text.toUpperCase().replace(/\s+/g, " ").trim();
  return normal(sentValue) !== normal(stored) && normal(sentValue).includes(normal(stored));
}

/** A known line of the file, and the former values of the fields that the file changed. */
export type FormerLine = readonly [
  lineId: string,
  before: Readonly<Record<string, unknown>> | null,
];

export const remembered = ({ KnownLines }: Pick<StoredStatement, "KnownLines">): FormerLine[] =>
  KnownLines === undefined ? [] : (JSON.parse(KnownLines) as FormerLine[]);

interface BetterLines {
  readonly lines: readonly StoredLine[];
  readonly remembered: readonly FormerLine[];
}

/** Returns the enriched lines, and the remembered former fields of all known lines. */
export async function enrichLines(
  call: RequestContext,
  tx: Tx,
  { known }: LineComparison,
): Promise<BetterLines> {
  // Lines of single payments in a batch describe only their part, so they pair with each other
  // alone.
  const pairs = known.filter(({ line, book }) => line.key.includes("/") === book.key.includes("/"));
  const telling = pairs.filter(({ line: { facts } }) =>
    [...betterFields, "OriginalAmount" as const].some((name) => facts[name] !== undefined),
  );
  const storedLines = await fetch(
    tx,
    bankStatementLine,
    "BankStatementLineID",
    telling.map(({ book }) => book.lineId),
  );
  const factsByLine = new Map(telling.map(({ line, book }) => [book.lineId, line.facts]));
  const formerById = new Map<string, Record<string, unknown>>();
  const lines = storedLines.flatMap((line) => {
    const id = line.BankStatementLineID;
    const better = betterFieldsOf(line, factsByLine.get(id) as SentLine["facts"]);
    const names = Object.keys(better) as (keyof StoredLine)[];
    if (names.length === 0) return [];
    formerById.set(id, Object.fromEntries(names.map((name) => [name, line[name] ?? null])));
    return [{ ...line, ...better, UpdatedDateUTC: call.now() }];
  });
  return {
    lines,
    remembered: known.map(({ book: { lineId } }) => [lineId, formerById.get(lineId) ?? null]),
  };
}

/** Saves enriched lines, with a history note for each. */
export async function saveBettered(
  call: RequestContext,
  tx: Tx,
  { lines, remembered: known }: BetterLines,
  source: string | undefined,
): Promise<void> {
  await save(tx, bankStatementLine, lines);
  const formerById = new Map(known);
  const entries = lines.map(({ BankStatementLineID: id }) => {
    const names = Object.keys(formerById.get(id) ?? {})
      .map((name) => wordsOf(name).toLowerCase())
      .join(", ");
    const details = `${source ?? "Another statement"} tells more of it: ${names}.`;
    return historyEntry(call, bankStatementLine, id, { changes: "Edited", details });
  });
  await addHistory(tx, entries);
}
