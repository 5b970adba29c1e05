/** What is going to happen and what has happened, for people and for programs. */

import { padded } from "../../../output/display-width.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Reader } from "../readers/reader.ts";
import { writeExact } from "../records/decimal-sum.ts";
import type { Importer, Related } from "../records/import-record.ts";
import type { Refusals, RefusedRow } from "./refused-rows.ts";
import { type OutcomeCounts, outcomes, type RowOutcome } from "./row-counts.ts";

export interface ImportSummary {
  readonly file: string;
  readonly reader: Reader;
  readonly importer: Pick<Importer, "one" | "several">;
  readonly mapping: Mapping;
  readonly counts: OutcomeCounts;
  readonly refusals: Refusals;
  /** Related records, by what they are called: how many are to be made, or were. */
  readonly related: readonly Pick<Related, "one" | "several" | "count">[];
  readonly notes: readonly string[];
  readonly isDryRun: boolean;
  /** Where refused rows were written. */
  readonly rejected: string | undefined;
  /** Whether the person has seen these refusals already. */
  readonly isShown: boolean;
}

const planned: Readonly<Record<RowOutcome, string>> = {
  imported: "to import",
  updated: "to update",
  existing: "there already",
  refused: "refused",
  left: "not sent",
};

const done: Readonly<Record<RowOutcome, string>> = {
  ...planned,
  imported: "imported",
  updated: "updated",
};

/** The plan, before anybody is asked. */
export function planText(summary: ImportSummary): string {
  const { file, reader, counts, mapping } = summary;
  const read = counted(counts.rowsRead, "row");
  const lines = [`${file}: ${read}, ${reader.description}`];
  const fields = mapping.fields.map(({ target, from }) => [target.path, from] as const);
  const width = Math.max(...fields.map(([path]) => path.length), 0);
  lines.push(...fields.map(([path, from]) => `  ${padded(path, width, "left")}  ${from}`));
  if (mapping.unused.length > 0) lines.push(`  unused: ${mapping.unused.join(", ")}`);
  lines.push("", ...tableLines(summary, planned), ...storedLines(summary, "to be kept"));
  lines.push(...relatedLines(summary, "to make first"));
  return [...lines, ...endLines(summary)].join("\n");
}

/** The summary, when it is done. */
export function summaryText(summary: ImportSummary): string {
  const lines = [...tableLines(summary, done), ...storedLines(summary, "kept")];
  lines.push(...relatedLines(summary, "made"));
  return [...lines, ...endLines(summary)].join("\n");
}

function relatedLines({ related }: ImportSummary, what: string): string[] {
  return related
    .filter(({ count }) => count > 0)
    .map(({ one, several, count }) => `  ${counted(count, one, several)} ${what}`);
}

/** `                invoices   rows         GBP`, and a row for each outcome. */
function tableLines(
  { importer, counts }: ImportSummary,
  words: Readonly<Record<RowOutcome, string>>,
): string[] {
  const sums = counts.sums();
  const shown = outcomes.filter(
    (outcome) => counts.rows[outcome] > 0 || outcome === "imported" || outcome === "refused",
  );
  const rows = [
    ["", importer.several, "rows", ...sums.map(([currency]) => currency)],
    ...shown.map((outcome) => [
      words[outcome],
      String(counts.records[outcome]),
      String(counts.rows[outcome]),
      ...sums.map(([, each]) => each[outcome].toString()),
    ]),
    [
      "in the file",
      String(outcomes.reduce((sum, outcome) => sum + counts.records[outcome], 0)),
      String(counts.rowsRead),
      ...sums.map(([, each]) => each.read.toString()),
    ],
  ];
  return aligned(rows);
}

/** What is imported and updated comes to, by currency: discounts are off, and tax is told. */
function storedLines({ importer, counts, isDryRun }: ImportSummary, kept: string): string[] {
  const rows = counts.stored.rows();
  if (rows.length === 0) return [];
  const head = [isDryRun ? "to be kept" : kept, importer.several, "net", "tax", "gross"];
  return ["", ...aligned([head, ...rows.map((row) => row.map(String))])];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0, at === 0 ? "left" : "right"))
      .join("  ")
      .replace(/^/, "  ")
      .trimEnd(),
  );
}

/** Kinds of refusals that a person is shown. */
const kindsMax = 20;

function endLines({ refusals, notes, rejected, isShown }: ImportSummary): string[] {
  const lines = notes.map((note) => `  ${note}`);
  if (!isShown) lines.push(...refusedLines(refusals));
  if (rejected !== undefined)
    lines.push("", `  The refused rows are in ${rejected}, to be mended.`);
  return lines;
}

function refusedLines(refusals: Refusals): string[] {
  const kinds = new Map<string, { count: number; first: RefusedRow }>();
  for (const refused of refusals.inOrder()) {
    const kind = kindOf(refused);
    const held = kinds.get(kind);
    if (held === undefined) kinds.set(kind, { count: 1, first: refused });
    else held.count += 1;
  }
  if (kinds.size === 0) return [];
  const lines = ["", "  Refused rows:"];
  const all = [...kinds.values()].sort((left, right) => right.count - left.count);
  const width = String(all[0]?.count ?? 0).length;
  for (const { count, first } of all.slice(0, kindsMax)) {
    const others = count === 1 ? "" : " and others";
    const head = padded(String(count), width, "right");
    lines.push(`    ${head}  ${first.reason} (row ${first.row}${others})`);
  }
  if (all.length > kindsMax) lines.push(`    and ${all.length - kindsMax} more reasons`);
  return lines;
}

/** What refusals for the same reason have in common: all but numbers, names and quoted values. */
function kindOf({ record, reason }: RefusedRow): string {
  const nameless = record === "" ? reason : reason.replaceAll(record, "…");
  return nameless.replace(/'[^']*'/g, "'…'").replace(/\d+(?:[.,]\d+)*/g, "0");
}

/** Most refused rows that the JSON lists; the file of refused rows has them all. */
const listedMax = 10_000;

/** The same summary for programs. Amounts are exact numbers. */
export function summaryJson(summary: ImportSummary): object {
  const { file, importer, mapping, counts, refusals, related, notes, isDryRun, rejected } = summary;
  const refused: object[] = [];
  for (const { row, record, reason } of refusals.inOrder()) {
    if (refused.length === listedMax) break;
    refused.push({ row, ...(record === "" ? {} : { record }), reason });
  }
  return {
    records: importer.several,
    file,
    dryRun: isDryRun,
    columns: Object.fromEntries(mapping.fields.map(({ target, from }) => [target.path, from])),
    unused: mapping.unused,
    [importer.several]: counts.records,
    rows: { read: counts.rowsRead, ...counts.rows },
    ...Object.fromEntries(related.map(({ several, count }) => [several, { imported: count }])),
    amounts: Object.fromEntries(
      counts
        .sums()
        .map(([currency, sums]) => [
          currency,
          Object.fromEntries(
            Object.entries(sums).map(([name, sum]) => [name, exactNumber(sum.exact)]),
          ),
        ]),
    ),
    totals: Object.fromEntries(
      counts.stored
        .rows()
        .map(([currency, documents, net, tax, gross]) => [
          currency,
          { documents, net: Number(net), tax: Number(tax), gross: Number(gross) },
        ]),
    ),
    notes,
    refused,
    ...(rejected === undefined ? {} : { rejected }),
  };
}

/** A number that JSON writes with every digit it has. */
function exactNumber(exact: Parameters<typeof writeExact>[0]): unknown {
  const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };
  return rawJSON(writeExact(exact));
}
