/** Published tax reports. Append-only: a published report never changes. */
import { sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { readDecimal, scaleOf } from "../../resources/decimal.ts";
import { readId } from "../../resources/scalar.ts";
import { fold } from "../../wire/fold.ts";
import {
  type CellValue,
  moneyValue,
  type ReportAttribute,
  type ReportField,
  valueText,
} from "../../wire/report.ts";
import { takeHandles } from "../chain/sequences.ts";
import type { Insertion } from "../connection/connection.ts";
import type { Audited } from "../operations/audit-log.ts";
import { insertRows, ownRows } from "../operations/bulk.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

export interface PublishedReport {
  readonly id: string;
  /** Short name of a published report, `R-3`; a draft has none. */
  readonly handle?: string;
  readonly name: string;
  readonly type: string;
  readonly titles: readonly string[];
  /** The days that the report covers, as displayed. */
  readonly dates: string;
  /** The last day that the report covers. */
  readonly to: string;
  /** Time of publication, milliseconds since 1970 UTC. */
  readonly at: number;
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField<CellValue>[];
}

/**
 * Numbers of the last journals included in a return, by basis; later journals are in no return yet.
 */
export type LastJournals = Readonly<Record<Basis, number>>;

/** The range of days and journals covered by published returns. */
export interface FiledRange {
  /** The first day of the first return. */
  readonly from: string;
  /** The last journals before the first return was published. */
  readonly first: LastJournals;
  /** The last day of the last return. */
  readonly to: string;
  /** The last journals before the last return was published. */
  readonly last: LastJournals;
}

const insertion: Insertion = {
  table: "published_report",
  columns: [
    "org",
    "id",
    "name",
    "type",
    "titles",
    "dates",
    "to_date",
    "at",
    "attributes",
    "fields",
    "accrual_number",
    "cash_number",
    "handle",
  ],
};

/** Names of the attributes of a withdrawn return, with the reason, and of one sent, with the day. */
export const withdrawn = "withdrawn";
export const sentName = "sent";

const marking: Insertion = {
  ...insertion,
  tail: "on conflict (org, id) do update set attributes = excluded.attributes",
  replaces: true,
};

/** Marks a published return as withdrawn, so that later returns ignore it, or as sent. */
export async function markReturn(
  tx: Audited<Tx>,
  id: string,
  attribute: ReportAttribute,
): Promise<void> {
  const row = await ownRows(tx, "published_report", { id }).selectAll().executeTakeFirstOrThrow();
  const otherAttributes: ReportAttribute[] = JSON.parse(row.attributes);
  const attributes = JSON.stringify([
    ...otherAttributes.filter(({ Name }) => Name !== attribute.Name),
    attribute,
  ]);
  await insertRows(tx, marking, [
    marking.columns.map((name) =>
      name === "attributes" ? attributes : row[name as keyof typeof row],
    ),
  ]);
}

/** The reason why a return was withdrawn; undefined for a return in force. */
export const reasonOf = (attributes: readonly ReportAttribute[]): string | undefined =>
  attributes.find(({ Name }) => Name === withdrawn)?.Value;

/**
 * Stores a report as published, with all journals posted so far; its figures never change again.
 */
export async function publish(tx: Tx, report: PublishedReport): Promise<PublishedReport> {
  const { accrual, cash } = await lastJournals(tx);
  const { id, name, type, titles, dates, to, at, attributes, fields } = report;
  const [handle = ""] = await takeHandles(tx, "R", 1);
  await insertRows(tx, insertion, [
    [
      tx.org,
      id,
      name,
      type,
      JSON.stringify(titles),
      dates,
      to,
      at,
      JSON.stringify(attributes),
      JSON.stringify(fields.map((field) => ({ ...field, Value: valueText(field.Value) }))),
      accrual,
      cash,
      fold(handle),
    ],
  ]);
  return { ...report, handle };
}

async function lastJournals(tx: Tx): Promise<LastJournals> {
  const lastNumber = async (basis: Basis) => {
    const row = await ownRows(tx, "journal", { basis: basisCode[basis] })
      .select(({ fn }) => fn.max("number").as("number"))
      .executeTakeFirst();
    return row?.number ?? 0;
  };
  return { accrual: await lastNumber("accrual"), cash: await lastNumber("cash") };
}

/** A return that was published. */
export interface PublishedReturn {
  readonly id: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** First and last day that the return covers. */
  readonly from: string;
  readonly to: string;
  readonly last: LastJournals;
  /** The day on which it was sent to the tax office, if that is known. */
  readonly sent: string | undefined;
  readonly fields: readonly ReportField<CellValue>[];
}

/** Stored fields of a return, whose amounts have two decimals. */
const fieldsIn = (stored: string): ReportField<CellValue>[] =>
  (JSON.parse(stored) as ReportField[]).map((field) =>
    /^-?\d+\.\d\d$/.test(field.Value)
      ? { ...field, Value: moneyValue(readDecimal(field.Value, scaleOf.money) ?? 0) }
      : field,
  );

/** The returns of a type in force, in order of their days. */
export async function publishedReturns(tx: Tx, type: string): Promise<PublishedReturn[]> {
  const rows = await ownRows(tx, "published_report", { type })
    .select(["id", "at", "to_date", "attributes", "fields", "accrual_number", "cash_number"])
    .orderBy("to_date")
    .execute();
  return rows.flatMap(({ to_date: to, accrual_number: accrual, cash_number: cash, ...row }) => {
    const attributes: ReportAttribute[] = JSON.parse(row.attributes);
    if (reasonOf(attributes) !== undefined) return [];
    return {
      id: row.id,
      at: row.at,
      from: attributes.find(({ Name }) => Name === "fromDate")?.Value ?? to,
      to,
      last: { accrual: accrual ?? 0, cash: cash ?? 0 },
      sent: attributes.find(({ Name }) => Name === sentName)?.Value,
      fields: fieldsIn(row.fields),
    };
  });
}

/** The range covered by published returns of a type; undefined when none was published. */
export async function filedSoFar(tx: Tx, type: string): Promise<FiledRange | undefined> {
  return filedBy(await publishedReturns(tx, type));
}

/** The range covered by the given returns, in order of their days. */
export function filedBy(published: readonly PublishedReturn[]): FiledRange | undefined {
  const [first, last] = [published[0], published.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: first.from, first: first.last, to: last.to, last: last.last };
}

const handleIn = ({ handle }: { readonly handle: string | null }) => (handle ?? "").toUpperCase();

/** The published reports as rows of the list, latest period first. */
export async function publishedReports(
  tx: Tx,
): Promise<
  Pick<PublishedReport, "id" | "handle" | "name" | "type" | "dates" | "at" | "attributes">[]
> {
  const rows = await ownRows(tx, "published_report")
    .select(["id", "handle", "name", "type", "dates", "at", "attributes"])
    .orderBy("to_date", "desc")
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    ...row,
    handle: handleIn(row),
    attributes: JSON.parse(row.attributes),
  }));
}

/** The report of that id or handle with all its figures; undefined when there is none. */
export async function publishedReport(tx: Tx, key: string): Promise<PublishedReport | undefined> {
  const id = readId(key);
  const row = await ownRows(tx, "published_report")
    .selectAll()
    .where(id === undefined ? "handle" : "id", "=", id ?? fold(key))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    handle: handleIn(row),
    name: row.name,
    type: row.type,
    titles: JSON.parse(row.titles),
    dates: row.dates,
    to: row.to_date,
    at: row.at,
    attributes: JSON.parse(row.attributes),
    fields: fieldsIn(row.fields),
  };
}

/**
 * The last day and the publication time of the return published last; undefined when none is in
 * force.
 */
export async function lastPublished(
  tx: Tx,
): Promise<Pick<PublishedReport, "to" | "at"> | undefined> {
  return ownRows(tx, "published_report")
    .select(["to_date as to", "at"])
    .where("attributes", "not like", `%"${withdrawn}"%`)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
}

/** The last day of any published return in force; undefined when there is none. */
export async function lastPublishedDay(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select max(to_date) as day from published_report
    where org = ${tx.org} and attributes not like ${`%"${withdrawn}"%`}`.execute(tx.db);
  return rows[0]?.day ?? undefined;
}
