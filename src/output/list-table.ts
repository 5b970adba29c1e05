/** Converts lists of records to tables. */
import { daysBetween } from "../ledger/dates/calendar.ts";
import {
  type Field,
  type Fields,
  type FieldValues,
  isScalar,
  type Resource,
  type ScalarKind,
} from "../resources/field.ts";
import { counted, wordsOf } from "../resources/scalar.ts";
import { cellText, type FieldColumn, isNumeric, valueText } from "./columns.ts";
import { type Cell, type CellRow, type Column, type Row, type Table, textCell } from "./table.ts";

export type ListedRecords = AsyncIterable<object> | Iterable<object>;

export interface ListOptions {
  /** Formats values that are objects or lists; for people when not given. */
  readonly text?: ((field: Field, value: unknown) => string) | undefined;
  /** Adds overdue days and total rows to the table, for lists that people read. */
  readonly summed?: { readonly today: string; readonly isScreen?: boolean } | undefined;
}

/**
 * Converts a list to a table.
 *
 * @param columns  columns of the resource: its default ones, or those asked for
 * @param records  records of the list, as they arrive
 */
export function listTable(
  resource: Resource,
  columns: readonly FieldColumn[],
  records: ListedRecords,
  options: ListOptions = {},
): Table {
  const name = wordsOf(resource.plural);
  return {
    name,
    titles: [name],
    columns: columns.map(tableColumn),
    rows: rowsOf(resource, columns, records, options),
  };
}

async function* rowsOf(
  resource: Resource,
  columns: readonly FieldColumn[],
  records: ListedRecords,
  { text = valueText, summed }: ListOptions,
): AsyncGenerator<Row> {
  const sums = summed && isSummed(resource) ? new ListTotals(resource, columns) : undefined;
  for await (const listed of records) {
    const values = listed as FieldValues;
    const record = summed?.isScreen && isDue(resource) ? withoutDraftDue(values) : values;
    const row = recordRow(resource, columns, record, text);
    sums?.add(record);
    const overdueDays = summed && overdueOf(resource, record, summed.today);
    yield overdueDays === undefined ? row : { ...row, overdueDays };
  }
  if (sums !== undefined) yield* sums.rows();
}

/** A document as people read it: nothing is owed of one that is not approved yet. */
const withoutDraftDue = (record: FieldValues): FieldValues =>
  record.Status === "DRAFT" || record.Status === "SUBMITTED" ? { ...record, AmountDue: 0 } : record;

function recordRow(
  resource: Resource,
  columns: readonly FieldColumn[],
  record: object,
  text: (field: Field, value: unknown) => string,
): CellRow {
  const values = record as FieldValues;
  const id = values[resource.id];
  const currency = currencyOf(resource.fields, values);
  return {
    role: "line",
    cells: columns.map((column) => cellOf(column, record, currency, text)),
    record: typeof id === "string" ? { resource: resource.name, id } : undefined,
  };
}

/** Currency of the amounts of a record; the base currency for records without a currency field. */
export const currencyOf = (fields: Fields, values: FieldValues): string | undefined =>
  (values.CurrencyCode ?? ("CurrencyCode" in fields ? undefined : values.BaseCurrency)) as
    | string
    | undefined;

export function tableColumn({ path, field, listed }: Omit<FieldColumn, "read">): Column {
  return {
    path,
    heading: headingOf(path),
    align: isNumeric[field.kind] && !listed ? "right" : "left",
    kind: kindOf(field, listed),
    isStatus: field.kind === "choice" && path.endsWith("Status"),
  };
}

/** Kind of a cell: values that are objects or lists are shown as text. */
const kindOf = (field: Field, isListed: boolean): ScalarKind =>
  isListed || !isScalar(field) ? "text" : field.kind;

/** Cell of a column in one record. @param text  formats values that are objects or lists */
export function cellOf(
  column: FieldColumn,
  record: object,
  currency: string | undefined,
  text: (field: Field, value: unknown) => string = valueText,
): Cell | undefined {
  const { field, listed } = column;
  if (listed || !isScalar(field)) {
    const writtenCell = cellText(column, record, text);
    return writtenCell === "" ? undefined : textCell(writtenCell);
  }
  const value = column.read(record);
  if (value === undefined || value === null || value === "") return undefined;
  return {
    kind: field.kind,
    value: value as Cell["value"],
    currency: currencyOfAmount(field, record, currency),
  };
}

/** Currency of an amount of a record. @param ownCurrency  currency of the record */
export function currencyOfAmount(
  field: Field,
  record: object,
  ownCurrency: string | undefined,
): string | undefined {
  if (field.kind !== "money") return ownCurrency;
  const { Account, BaseCurrency } = record as RecordOfAccount;
  if (field.currency === "base") return BaseCurrency;
  if (field.currency === "account") return Account?.CurrencyCode ?? BaseCurrency;
  return field.currency === "other" ? undefined : ownCurrency;
}

interface RecordOfAccount {
  readonly Account?: { readonly CurrencyCode?: string };
  readonly BaseCurrency?: string;
}

/** Number of days that an unpaid document is overdue; undefined for any other record. */
export function overdueOf(
  { document }: Resource,
  record: FieldValues,
  today: string,
): number | undefined {
  const { DueDate, AmountDue, Status } = record;
  if (document?.open !== "AmountDue" || Status !== "AUTHORISED") return undefined;
  if (typeof DueDate !== "string" || typeof AmountDue !== "number") return undefined;
  return AmountDue > 0 && DueDate < today ? daysBetween(DueDate, today) : undefined;
}

// --- totals --------------------------------------------------------------------------------------

/** Statuses of records that totals leave out. */
const dead: readonly unknown[] = ["VOIDED", "DELETED"];

/** Fields by which totals are grouped, as amounts that differ in them must not be added. */
const differing = ["CurrencyCode", "Type", "Direction"] as const;

/** Fields, besides the visible columns, that totals and overdue days are computed from. */
export function fieldsSummed(resource: Resource): readonly string[] {
  const wanted = [...differing, "Status", ...(isDue(resource) ? ["DueDate", "AmountDue"] : [])];
  return isSummed(resource) ? wanted.filter((name) => resource.fields[name] !== undefined) : [];
}

const isDue = ({ document }: Resource) => document?.open === "AmountDue";

const isSummed = ({ document, sums }: Resource): boolean =>
  document !== undefined || sums !== undefined;

/** Whether a column holds amounts that can be summed. */
function isAmount({ sums, document }: Resource, { path, field, listed }: FieldColumn): boolean {
  if (sums !== undefined) return sums.includes(path);
  return document !== undefined && field.kind === "money" && !listed && !path.includes(".");
}

interface TotalsGroup {
  readonly of: Readonly<Partial<Record<(typeof differing)[number], string>>>;
  count: number;
  /** Totals by column; bigint, as the sum of many amounts may exceed a safe integer. */
  readonly totals: bigint[];
}

/** Accumulates the totals of a list, for each currency and each other grouping field. */
class ListTotals {
  readonly #resource: Resource;
  readonly #columns: readonly FieldColumn[];
  readonly #isAmount: readonly boolean[];
  readonly #groups = new Map<string, TotalsGroup>();
  #count = 0;
  #deadCount = 0;

  constructor(resource: Resource, columns: readonly FieldColumn[]) {
    this.#resource = resource;
    this.#columns = columns;
    this.#isAmount = columns.map((column) => isAmount(resource, column));
  }

  add(record: FieldValues): void {
    this.#count += 1;
    if (dead.includes(record.Status)) {
      this.#deadCount += 1;
      return;
    }
    const of = Object.fromEntries(
      differing.flatMap((name) => (typeof record[name] === "string" ? [[name, record[name]]] : [])),
    );
    const key = JSON.stringify(of);
    const group = this.#groups.get(key) ?? { of, count: 0, totals: this.#columns.map(() => 0n) };
    this.#groups.set(key, group);
    group.count += 1;
    for (const [at, column] of this.#columns.entries()) {
      const value = this.#isAmount[at] ? column.read(record) : undefined;
      if (typeof value === "number") group.totals[at] = (group.totals[at] ?? 0n) + BigInt(value);
    }
  }

  /**
   * Yields a total row for each group; none for fewer than two records or without amount columns.
   */
  *rows(): Generator<Row> {
    if (this.#count < 2 || !this.#isAmount.includes(true)) return;
    const [noun, nouns] = [wordsOf(this.#resource.name), wordsOf(this.#resource.plural)];
    const groups = [...this.#groups.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const differ = differing.filter((name) => new Set(groups.map(({ of }) => of[name])).size > 1);
    for (const { of, count, totals } of groups) {
      const shownPaths = new Set(this.#columns.map(({ path }) => path));
      // The label of a total names the grouping fields that no column shows, such as the currency.
      const unseen = differing.filter(
        (name) => !shownPaths.has(name) && (differ.includes(name) || name === "CurrencyCode"),
      );
      const name = [
        counted(count, noun.toLowerCase(), nouns.toLowerCase()),
        ...unseen.flatMap((value) => of[value] ?? []),
      ].join(" ");
      const deadNote = this.#deadCount > 0 ? `, without ${this.#deadCount} voided or deleted` : "";
      yield {
        role: "total",
        cells: this.#columns.map((column, at) => {
          const path = column.path as (typeof differing)[number];
          if (this.#isAmount[at]) {
            return { kind: "money", value: numberOf(totals[at] ?? 0n), currency: of.CurrencyCode };
          }
          if (at === 0) return textCell(name + deadNote);
          const isSaidApart = differ.includes(path) || path === "CurrencyCode";
          return isSaidApart && of[path] !== undefined ? textCell(of[path]) : undefined;
        }),
        sumOf: Object.fromEntries(differ.map((name) => [name, of[name] ?? ""])),
        ...(this.#deadCount > 0 ? { without: dead as readonly string[] } : {}),
      };
    }
  }
}

const keyOf = ({ of }: TotalsGroup) => differing.map((name) => of[name] ?? "").join(" ");

const numberOf = (total: bigint): number | bigint =>
  Number.isSafeInteger(Number(total)) ? Number(total) : total;

// --- words ---------------------------------------------------------------------------------------

/**
 * Heading of a column by its path: `Contact` for `Contact.Name`, `Amount due` for `AmountDue`,
 * `Line items description` for `LineItems.Description`.
 */
export function headingOf(path: string): string {
  // The suffix `UTC` is dropped, as documents show times in the time zone of the organisation.
  return wordsOf(path.replace(/\.Name$|UTC$/, "").replaceAll(".", " "));
}
