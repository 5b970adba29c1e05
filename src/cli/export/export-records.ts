/**
 * `acct export invoices|…`: exports records for a new import, or as the service returns them.
 *
 * CSV has the format of `acct import`: a row for each line of a document, with field names as
 * headings. Records that no import can create (a voided invoice, a reversed payment) are left out
 * and reported. JSON leaves nothing out.
 */
import type { Client } from "../../client/types.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { UsageError } from "../../resources/errors.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  type FieldValues,
  isScalar,
} from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { counted } from "../../resources/scalar.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { fold } from "../../wire/fold.ts";
import { plainValue } from "../../wire/plain.ts";
import type { Context } from "../context/context.ts";
import { describedKinds } from "../import/described/described-kinds.ts";
import { rowsOfRecord } from "../import/described/record-rows.ts";
import { isCell, targetNamed } from "../import/mapping/targets.ts";
import type { ImportNoun } from "../import/options.ts";
import { csvRow } from "../render/csv-row.ts";
import { createOut } from "../render/out.ts";
import { sayWritten, writeTo } from "../render/sinks/file-sink.ts";
import { JoiningSink, memorySink, type Sink } from "../render/sinks/sink.ts";
import { didYouMean } from "../values/suggest.ts";
import { announceExport } from "./audit-export.ts";
import { openingIds } from "./export-opening.ts";
import type { ExportedKind } from "./exported.ts";
import { postedColumn, postedNumbers, postedOf, withPosted } from "./posted.ts";

export interface RecordExport {
  /** Name of the records in messages. */
  readonly called: string;
  readonly format: "csv" | "json" | "ndjson";
  readonly outputFile?: string | undefined;
}

export async function exportRecords(
  ctx: Context,
  exported: ExportedKind,
  { called, format, outputFile }: RecordExport,
  to = writeTo,
): Promise<void> {
  const { resource, where, importedAs } = exported;
  const isDocument = resource === invoice || resource === creditNote;
  await announceExport(ctx, `${called} as ${format}`);
  const client = await ctx.client();
  const tally = { taken: 0, left: 0, opening: 0, unnamed: 0, claims: 0 };
  const openingDocumentIds = isDocument ? await openingIds(client) : undefined;
  const order = resource.fields.Date === undefined ? resource.listOrder : "Date ASC";
  const records = client.list(resource, {
    where,
    order: resource.order === true ? order : undefined,
    parameters: {
      includeArchived: "true",
      ...(resource.movesStock === true && { stockCosts: "true" }),
    },
  });
  async function* count() {
    for await (const record of records as AsyncIterable<FieldValues>) {
      if (format === "csv" && isOver(record, exported)) {
        tally.left += 1;
        continue;
      }
      // No import makes the claim that it pays.
      if (format === "csv" && record.PaymentType === "EXPPAYMENT") {
        tally.claims += 1;
        continue;
      }
      if (format === "csv" && openingDocumentIds?.has(String(record[resource.id])) === true) {
        tally.opening += 1;
        continue;
      }
      tally.taken += 1;
      if (importedAs === "bill" && record.InvoiceNumber === undefined) tally.unnamed += 1;
      yield record;
    }
  }
  await to(ctx, outputFile, async (sink) => {
    if (format === "csv") return writeCsv(ctx, exported, enrich(client, exported, count()), sink);
    const { columns } = ctx.flags;
    const silent = memorySink();
    const silentOut = createOut({
      format,
      columns,
      color: false,
      stdout: sink,
      stderr: silent,
      width: undefined,
    });
    await silentOut.records(resource, count() as AsyncIterable<never>);
  });
  reportCounts(ctx, exported, tally, outputFile);
}

async function* enrich(
  client: Client,
  { whole }: ExportedKind,
  records: AsyncIterable<FieldValues>,
): AsyncGenerator<FieldValues> {
  for await (const record of records)
    yield whole === undefined ? record : await whole(client, record);
}

function reportCounts(
  ctx: Context,
  { one, several }: ExportedKind,
  {
    taken,
    left,
    opening,
    unnamed,
    claims,
  }: Record<"taken" | "left" | "opening" | "unnamed" | "claims", number>,
  outputFile: string | undefined,
): void {
  sayWritten(ctx, counted(taken, one, several), outputFile);
  if (left > 0) {
    const what = counted(left, one, several);
    ctx.out.say(
      `${what} left out, which no import could make: voided, deleted, disposed of or negative; --format json has what CSV has not.`,
    );
  }
  if (claims > 0) {
    const claimsText = counted(claims, one, several);
    ctx.out.say(`${claimsText} of expense claims left out, which no import takes.`);
  }
  if (opening > 0) {
    const openingText = counted(opening, one, several);
    ctx.out.say(`${openingText} of the opening balances left out; acct export opening has them.`);
  }
  if (unnamed > 0) {
    ctx.out.say(
      `${counted(unnamed, one, several)} without a number, by which an import would know them: give each one in the file.`,
    );
  }
}

/** Whether a record is void, or of a kind that no import creates. */
function isOver(record: FieldValues, { resource }: ExportedKind): boolean {
  const { Status, Total } = record;
  if (typeof Total === "number" && Total < 0) return true;
  if (Status === "VOIDED" || Status === "DISPOSED") return true;
  return Status === "DELETED" && resource.fields.Status !== undefined;
}

async function writeCsv(
  ctx: Context,
  exported: ExportedKind,
  records: AsyncIterable<FieldValues>,
  sink: Sink,
): Promise<void> {
  const columns = columnsOf(exported, ctx.flags.columns);
  const { resource, isPosted } = exported;
  const hasPosted = isPosted === true && ctx.flags.columns === undefined;
  const numbers = hasPosted ? await postedNumbers(await ctx.client()) : new Map<string, number>();
  const rateNames = await namesOfOwnRates(ctx);
  const joining = new JoiningSink(sink);
  // The first record is read before any output, so that an unsupported kind fails early.
  const iterator = records[Symbol.asyncIterator]();
  let nextRecord = await iterator.next();
  const heads = columns.map(({ name }) => name);
  await joining.write(csvRow(hasPosted ? [...heads, postedColumn] : heads));
  for (; nextRecord.done !== true; nextRecord = await iterator.next()) {
    const record = withPosted(numbers, nextRecord.value);
    const postedCells = hasPosted ? [String(postedOf(numbers, resource, record) ?? "")] : [];
    for (const row of rowsOf(exported, record)) {
      const cells = columns.map(({ name, field, read }) => {
        const text = plainValue(field, read(row));
        if (resource === taxRate) {
          return name === "Name" ? (rateNames.get(String(record.TaxType)) ?? text) : text;
        }
        return name.endsWith("TaxType") ? (rateNames.get(text) ?? text) : text;
      });
      await joining.write(csvRow([...cells, ...postedCells]));
    }
  }
  await joining.flush();
}

/**
 * Returns the names of custom tax rates, whose tax types are specific to one book. An archived rate
 * whose name another bears has its tax type in the name.
 */
async function namesOfOwnRates(ctx: Context): Promise<ReadonlyMap<string, string>> {
  const rates = await Array.fromAsync((await ctx.client()).list(taxRate));
  const kept = rates.filter(({ Status }) => Status !== "DELETED");
  const ratesByName = Map.groupBy(kept, ({ Name }) => fold(Name));
  const nameById = new Map<string, string>();
  for (const { TaxType = "", Name, Status } of rates) {
    if (!/^TAX\d+$/.test(TaxType)) continue;
    const isShared = Status === "ARCHIVED" && (ratesByName.get(fold(Name)) ?? []).length > 1;
    nameById.set(TaxType, isShared ? `${Name.slice(0, 85)} (${TaxType})` : Name);
  }
  return nameById;
}

/** Returns the rows of a document, one per line, each with all fields of the document head. */
function rowsOf({ importedAs }: ExportedKind, record: FieldValues): readonly FieldValues[] {
  // A paid document is exported as approved; its payments are records of their own.
  const status = record.Status === "PAID" ? { Status: "AUTHORISED" } : {};
  const headRecord = { ...record, ...status };
  return rowsOfRecord(describedKinds[importedAs], headRecord);
}

/**
 * Returns the columns of an export.
 *
 * @throws UsageError `UnknownColumn`
 */
function columnsOf({ importedAs }: ExportedKind, columns?: readonly string[]): Path[] {
  const allColumns = allPaths(importedAs).filter(
    ({ name }) => targetNamed(importedAs, name) !== undefined,
  );
  if (columns === undefined) return allColumns;
  return columns.map((column) => {
    const path = allColumns.find(({ name }) => name.toLowerCase() === column.trim().toLowerCase());
    if (path !== undefined) return path;
    const names = allColumns.map(({ name }) => name);
    throw new UsageError(
      "UnknownColumn",
      `The export has no column "${column}".${didYouMean(column, names)}`,
    );
  });
}

/** Returns all columns; a line of a record is a nested object of its row. */
function allPaths(importedAs: ImportNoun): Path[] {
  const { lines, groupedBy, fields, makesRelated } = describedKinds[importedAs];
  const line = lines && { [lines.name]: { kind: "one" as const, fields: lines.fields } };
  // The grouping column comes first, to show which rows belong together.
  const group = makesRelated ? {} : { [groupedBy]: fields[groupedBy] as Field };
  return pathsOf({ ...group, ...fields, ...line });
}

interface Path {
  /** Dotted column name, `Addresses.POBOX.City`. */
  readonly name: string;
  readonly field: Field;
  /** Reads the value from a record; undefined where it has none. */
  readonly read: (record: unknown) => unknown;
}

type PathReader = Path["read"];

/**
 * Returns the columns of an exported file: every importable value of a record, by its path in `acct
 * import`.
 *
 * Paths derive from the description: `Contact.Name`, `Addresses.POBOX.City`, `Tracking.1.Option`.
 * Ids are left out, since they are specific to one book, as are values that the service computes.
 */
function pathsOf(fields: Fields, prefix = "", read: PathReader = (record) => record): Path[] {
  return Object.entries(fields).flatMap(([own, field]) => {
    if (field.readOnly === true || field.kind === "id") return [];
    const name = prefix + own;
    const value: PathReader = (record) => memberOf(read(record), own);
    if (isScalar(field) || field.kind === "texts") return [{ name, field, read: value }];
    if (field.kind === "many") return elementsOf(field, name, value);
    const innerFields = field.kind === "ref" ? keysOf(field) : field.fields;
    return pathsOf(innerFields, `${name}.`, value);
  });
}

/** Returns the key fields of a referenced record: its numbers, codes and names. */
function keysOf({ by, fields }: FieldOf<"ref">): Fields {
  return Object.fromEntries(by.map((key) => [key, fields[key] as Field]));
}

/** Returns columns of list elements: by type where elements have one, otherwise by index. */
function elementsOf(field: FieldOf<"many">, name: string, list: PathReader): Path[] {
  const { fields, mergeBy } = field;
  const type = mergeBy === undefined ? undefined : fields[mergeBy];
  if (mergeBy === undefined || type?.kind !== "choice") {
    const elementsMax = field.max ?? 0;
    if (isCell(field)) return [{ name, field, read: list }];
    return Array.from({ length: elementsMax }, (_, at) =>
      pathsOf(fields, `${name}.${at + 1}.`, (record) => listIn(list(record))[at]),
    ).flat();
  }
  const otherFields = Object.fromEntries(Object.entries(fields).filter(([own]) => own !== mergeBy));
  return type.values.flatMap((value) =>
    pathsOf(otherFields, `${name}.${value}.`, (record) =>
      listIn(list(record)).find((element) => memberOf(element, mergeBy) === value),
    ),
  );
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
