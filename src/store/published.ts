/** Tax reports as they were published. Append-only: what was published never changes. */
import type { ReportAttribute, ReportField } from "../wire/report.ts";
import { insertRows } from "./bulk.ts";
import type { Insertion } from "./dialect.ts";
import type { Tx } from "./store.ts";

export interface PublishedReport {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly titles: readonly string[];
  /** The days it covers, as they are shown. */
  readonly dates: string;
  /** The last day it covers. */
  readonly to: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField[];
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
  ],
  tail: "",
};

/** Keeps a report as it is now; it never changes again. */
export async function publish(tx: Tx, report: PublishedReport): Promise<void> {
  const { id, name, type, titles, dates, to, at, attributes, fields } = report;
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
      JSON.stringify(fields),
    ],
  ]);
}

/** What a list shows of each, those of the latest days first. */
export async function publishedReports(
  tx: Tx,
): Promise<Pick<PublishedReport, "id" | "name" | "type" | "dates" | "at">[]> {
  return tx.db
    .selectFrom("published_report")
    .select(["id", "name", "type", "dates", "at"])
    .where("org", "=", tx.org)
    .orderBy("to_date", "desc")
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** The report of that id with all its figures; undefined when there is none. */
export async function publishedReport(tx: Tx, id: string): Promise<PublishedReport | undefined> {
  const row = await tx.db
    .selectFrom("published_report")
    .selectAll()
    .where("org", "=", tx.org)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    titles: JSON.parse(row.titles),
    dates: row.dates,
    to: row.to_date,
    at: row.at,
    attributes: JSON.parse(row.attributes),
    fields: JSON.parse(row.fields),
  };
}
