/** Formats plan and summary of an import, for people and for programs. */

import { pad } from "../../../output/display-width.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Reader } from "../readers/reader.ts";
import { writeExact } from "../records/decimal-sum.ts";
import type { Importer, RelatedRecords } from "../records/import-record.ts";
import type { Refusals, RefusedRow } from "./refused-rows.ts";
import { type OutcomeCounts, outcomes, type RowOutcome } from "./row-counts.ts";

export interface ImportSummary {
  readonly file: string;
  readonly reader: Reader;
  readonly importer: Pick<Importer, "one" | "several">;
  readonly mapping: Mapping;
  readonly counts: OutcomeCounts;
  readonly refusals: Refusals;
  /** Related records by name, with the count to create, or created. */
  readonly related: readonly Pick<RelatedRecords, "one" | "several" | "count">[];
  readonly notes: readonly string[];
  readonly isDryRun: boolean;
  /** Path of the file of rejected rows. */
  readonly rejected: string | undefined;
  /** Whether the user has already seen these refusals. */
  readonly isShown: boolean;
}

const planned: Readonly<Record<RowOutcome, string>> = {
  imported: "to import",
  updated: "to update",
  existing: "there already",
  refused: "refused",
  left: "not sent",
};

const doneVerbs: Readonly<Record<RowOutcome, string>> = {
  ...planned,
  imported: "imported",
  updated: "updated",
};

/** Returns the plan, which is shown before the confirmation. */
export function planText(summary: ImportSummary): string {
  const { file, reader, counts, mapping } = summary;
  const rows = counted(counts.rowsRead, "row");
  const lines = [`${file}: ${rows}, ${reader.description}`];
  const fields = mapping.fields.map(({ target, from }) => [target.path, from] as const);
  const width = Math.max(...fields.map(([path]) => path.length), 0);
  lines.push(...fields.map(([path, from]) => `  ${pad(path, width, "left")}  ${from}`));
  if (mapping.unused.length > 0) lines.push(`  unused: ${mapping.unused.join(", ")}`);
  lines.push("", ...tableLines(summary, planned), ...formatStored(summary, "to be kept"));
  lines.push(...formatRelated(summary, "to make first"));
  return [...lines, ...endLines(summary)].join("\n");
}

/** Returns the summary after the import. */
export function summaryText(summary: ImportSummary): string {
  const lines = [...tableLines(summary, doneVerbs), ...formatStored(summary, "kept")];
  lines.push(...formatRelated(summary, "made"));
  return [...lines, ...endLines(summary)].join("\n");
}

function formatRelated({ related }: ImportSummary, verbText: string): string[] {
  return related
    .filter(({ count }) => count > 0)
    .map(({ one, several, count }) => `  ${counted(count, one, several)} ${verbText}`);
}

/** Formats a table `                invoices   rows         GBP`, with a row for each outcome. */
function tableLines(
  { importer, counts }: ImportSummary,
  words: Readonly<Record<RowOutcome, string>>,
): string[] {
  const sums = counts.sums();
  const shownOutcomes = outcomes.filter(
    (outcome) => counts.rows[outcome] > 0 || outcome === "imported" || outcome === "refused",
  );
  const rows = [
    ["", importer.several, "rows", ...sums.map(([currency]) => currency)],
    ...shownOutcomes.map((outcome) => [
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
  return alignRows(rows);
}

/** Formats totals of imported and updated documents by currency, after discounts and with tax. */
function formatStored({ importer, counts, isDryRun }: ImportSummary, storedText: string): string[] {
  const rows = counts.stored.rows();
  if (rows.length === 0) return [];
  const heading = [isDryRun ? "to be kept" : storedText, importer.several, "net", "tax", "gross"];
  return ["", ...alignRows([heading, ...rows.map((row) => row.map(String))])];
}

function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0, at === 0 ? "left" : "right"))
      .join("  ")
      .replace(/^/, "  ")
      .trimEnd(),
  );
}

/** Maximum count of refusal reasons shown to people. */
const kindsMax = 20;

function endLines({ refusals, notes, rejected, isShown }: ImportSummary): string[] {
  const lines = notes.map((note) => `  ${note}`);
  if (!isShown) lines.push(...formatRefused(refusals));
  if (rejected !== undefined)
    lines.push("", `  The refused rows are in ${rejected}, to be mended.`);
  return lines;
}

function formatRefused(refusals: Refusals): string[] {
  const groupByKind = new Map<string, { count: number; first: RefusedRow }>();
  for (const refusedRow of refusals.inOrder()) {
    const kind = kindOf(refusedRow);
    const group = groupByKind.get(kind);
    if (group === undefined) groupByKind.set(kind, { count: 1, first: refusedRow });
    else group.count += 1;
  }
  if (groupByKind.size === 0) return [];
  const lines = ["", "  Refused rows:"];
  const all = [...groupByKind.values()].sort((left, right) => right.count - left.count);
  const width = String(all[0]?.count ?? 0).length;
  for (const { count, first } of all.slice(0, kindsMax)) {
    const andOthers = count === 1 ? "" : " and others";
    const countCell = pad(String(count), width, "right");
    lines.push(`    ${countCell}  ${first.reason} (row ${first.row}${andOthers})`);
  }
  if (all.length > kindsMax) lines.push(`    and ${all.length - kindsMax} more reasons`);
  return lines;
}

/** Returns the reason with numbers, names and quoted values removed, to group similar refusals. */
function kindOf({ record, reason }: RefusedRow): string {
  const nameless = record === "" ? reason : reason.replaceAll(record, "…");
  return nameless.replace(/'[^']*'/g, "'…'").replace(/\d+(?:[.,]\d+)*/g, "0");
}

/** Maximum count of refused rows in the JSON; the file of rejected rows has all. */
const listedMax = 10_000;

/** Returns the summary as JSON. Amounts are exact numbers. */
export function summaryJson(summary: ImportSummary): object {
  const { file, importer, mapping, counts, refusals, related, notes, isDryRun, rejected } = summary;
  const refusedRecords: object[] = [];
  for (const { row, record, reason } of refusals.inOrder()) {
    if (refusedRecords.length === listedMax) break;
    refusedRecords.push({ row, ...(record === "" ? {} : { record }), reason });
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
    refused: refusedRecords,
    rejected,
  };
}

/** Returns a number that JSON writes with all its digits. */
function exactNumber(exact: Parameters<typeof writeExact>[0]): unknown {
  const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };
  return rawJSON(writeExact(exact));
}
