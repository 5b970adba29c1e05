/**
 * The effects of a request on records, as stored in the operation log.
 *
 * For a created record its id is stored; for a changed or removed one the previous values of the
 * fields that differ, since nothing else in the book has them: an undo restores them. Rows read in
 * the same transaction are not read again for that.
 */
import { sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import type { Tables } from "../schema/index.ts";
import type { RecordShape, StoredRecord } from "../schema/shapes.ts";
import type { Table } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";

/** Previous column values of a record, by field name. */
export type Former = Readonly<Record<string, Value>>;

/** The effects on records of one resource, by kind of effect. */
export interface RecordEffects {
  created?: string[];
  /** Changed records with previous values; includes voided or deleted records that still exist. */
  changed?: Record<string, Former>;
  ended?: Record<string, Former>;
  removed?: Record<string, Former>;
  /** Ids of records of which only derived values or the history changed. */
  touched?: string[];
}

/**
 * Effects on rows of a table that is no resource, as columns without `org` in the order of its
 * definition.
 */
export interface RowEffects {
  added?: Row[];
  /** Removed rows with their previous values. */
  removed?: Row[];
}

export interface Effects {
  /** Effects on records, by resource name. */
  readonly records: Record<string, RecordEffects>;
  /** Effects on rows, by table name. */
  readonly rows: Record<string, RowEffects>;
  /** Previous lines of documents and manual journals whose lines changed, by document id. */
  readonly lines: Record<string, readonly object[]>;
}

/**
 * How the log covers a table. `record`: its rows are records of a resource. `follows`: its contents
 * derive from other records, or are no records of the books. Otherwise its rows are inserted and
 * deleted as such, and these columns of them are logged; with `by`, a row may replace another with
 * equal values in those columns.
 */
type LogCoverage =
  | "record"
  | "follows"
  | { readonly rows: readonly string[]; readonly by?: readonly string[] };

const coverage = {
  account: "record",
  allocation: { rows: ["id", "credit_id", "invoice_id", "amount", "date"] },
  applied_plan: "follows",
  asset: "record",
  attachment: { rows: ["id", "record_id", "name", "resource"] },
  attachment_chunk: "follows",
  balance: "follows",
  audit_entry: "follows",
  bank_match: { rows: ["line_id", "record_id", "kind", "amount", "made"] },
  bank_rule: "record",
  bank_statement: "record",
  bank_statement_line: "record",
  bank_transfer: "record",
  batch_payment: "record",
  box_1099: { rows: ["account_id", "form", "box"], by: ["account_id"] },
  branding_logo: { rows: ["branding_theme_id"] },
  branding_theme: "record",
  branding_theme_payment_service: { rows: ["branding_theme_id", "payment_service_id"] },
  budget: "record",
  budget_balance: {
    rows: ["budget_id", "month", "account_id", "amount", "notes"],
    by: ["budget_id", "month", "account_id"],
  },
  call_count: "follows",
  chain_link: "follows",
  contact: "record",
  contact_group: "record",
  contact_group_member: { rows: ["group_id", "contact_id"] },
  currency: "record",
  delivery: "follows",
  depreciation: "follows",
  document: "record",
  document_line: "follows",
  employee: "record",
  event: "follows",
  exchange_rate: { rows: ["currency", "date", "rate"], by: ["currency", "date"] },
  history: "follows",
  idempotency: "follows",
  inventory_move: "follows",
  item: "record",
  journal: "follows",
  kept_plan: "follows",
  linked_transaction: "record",
  manual_journal: "record",
  online_document: { rows: ["record_id", "generation"] },
  opening_balance: "record",
  operation: "follows",
  organisation: "record",
  payment: "record",
  payment_service: "record",
  plan_approval: "follows",
  posting: "follows",
  published_report: { rows: ["id", "type", "to_date", "attributes"], by: ["id"] },
  repeating_invoice: "record",
  repeating_invoice_date: "follows",
  secret: "follows",
  sequence: "follows",
  tax_rate: "record",
  tracking_category: "record",
  tracking_option: "record",
  user_account: "follows",
  webhook: "follows",
} as const satisfies Record<keyof Tables, LogCoverage>;

/** Tables whose rows are logged as rows, with the logged columns. */
export type RowTable = {
  [T in keyof typeof coverage]: (typeof coverage)[T] extends string ? never : T;
}[keyof typeof coverage];

/**
 * The logging rule for rows of a table; undefined for tables logged in another way or not at all.
 */
function rowsOf(table: string): Exclude<LogCoverage, string> | undefined {
  const covered = (coverage as Readonly<Record<string, LogCoverage>>)[table];
  return typeof covered === "object" ? covered : undefined;
}

/** A map by resource name and record id. */
class ByRecord<V> {
  readonly #values = new Map<string, Map<string, V>>();

  of(name: string): Map<string, V> {
    let valuesOfName = this.#values.get(name);
    if (valuesOfName === undefined) {
      valuesOfName = new Map();
      this.#values.set(name, valuesOfName);
    }
    return valuesOfName;
  }
}

/** Collects what a transaction has read and written so far. */
class Recorder {
  readonly effects: Effects = { records: {}, rows: {}, lines: {} };
  readonly #read = new ByRecord<Row>();
  /** The kind of change of each written record. */
  readonly #written = new ByRecord<keyof RecordEffects>();
  readonly #noted = new ByRecord<true>();
  readonly #notedNames = new Set<string>();
  readonly #erased: { readonly name: string; readonly id: string }[] = [];
  /** Removes erased personal data from a command line. */
  redact = (text: string): string => text;

  read(name: string, id: string, row: Row): void {
    this.#read.of(name).set(id, row);
  }

  /** The stored columns of a record as read before; undefined unless all were read. */
  readBefore(table: Table, shape: RecordShape, id: string): Row | undefined {
    const row = this.#read.of(table.resource.name).get(id);
    const columnPlaces = row && placesOf(table, shape);
    return columnPlaces?.map((at) => row?.[at] ?? null);
  }

  isWritten(name: string, id: string): boolean {
    return this.#written.of(name).has(id);
  }

  /** Notes a record whose erased values the log must not contain either. */
  erase(name: string, id: string, redact: (text: string) => string): void {
    this.#erased.push({ name, id });
    this.redact = redact;
  }

  note(name: string, id: string): void {
    this.#noted.of(name).set(id, true);
    this.#notedNames.add(name);
  }

  write(name: string, id: string, change: keyof RecordEffects, former?: Former): void {
    const effectById = this.#written.of(name);
    const writtenAs = effectById.get(id);
    const own = this.#of(name);
    if (writtenAs === "created") {
      if (change !== "removed") return;
      own.created = own.created?.filter((text) => text !== id) ?? [];
      effectById.delete(id);
      return;
    }
    let formerFields: Former | undefined;
    if (writtenAs === "touched") own.touched = own.touched?.filter((text) => text !== id) ?? [];
    else if (writtenAs !== undefined) {
      formerFields = own[writtenAs]?.[id];
      // A void or deletion stays the kind of change, whatever else is changed later.
      if (writtenAs === "ended" && change !== "removed") {
        own.ended = { ...own.ended, [id]: { ...former, ...formerFields } };
        return;
      }
      delete own[writtenAs]?.[id];
    }
    const now = change === "touched" && formerFields !== undefined ? "changed" : change;
    effectById.set(id, now);
    if (now === "created" || now === "touched") {
      own[now] ??= [];
      own[now].push(id);
    } else {
      own[now] ??= {};
      own[now][id] = { ...former, ...formerFields };
    }
  }

  addRows(table: string, kind: keyof RowEffects, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.effects.rows[table] ??= {};
    const rowEffects = this.effects.rows[table];
    rowEffects[kind] ??= [];
    for (const row of rows) rowEffects[kind].push(row);
  }

  /**
   * The effects of the transaction.
   * @returns undefined when there are none to log
   */
  finished(): Effects | undefined {
    const { records, rows, lines } = this.effects;
    for (const name of this.#notedNames) {
      const effectById = this.#written.of(name);
      for (const id of this.#noted.of(name).keys()) {
        if (!effectById.has(id)) this.write(name, id, "touched");
      }
    }
    // A document of which only the lines changed counts as changed.
    for (const own of Object.values(records)) {
      const changedIds = own.touched?.filter((id) => id in lines) ?? [];
      if (changedIds.length === 0) continue;
      own.touched = own.touched?.filter((id) => !(id in lines)) ?? [];
      own.changed = { ...Object.fromEntries(changedIds.map((id) => [id, {}])), ...own.changed };
    }
    for (const { name, id } of this.#erased) {
      const { changed = {}, ended = {}, removed = {} } = records[name] ?? {};
      for (const formerById of [changed, ended, removed]) if (id in formerById) formerById[id] = {};
      delete rows.attachment;
    }
    for (const [name, own] of Object.entries(records)) {
      const isEmpty = Object.values(own).every((value) => Object.keys(value).length === 0);
      if (isEmpty) delete records[name];
    }
    const isEmpty = Object.keys(records).length === 0 && Object.keys(rows).length === 0;
    return isEmpty ? undefined : { records, rows, lines };
  }

  #of(name: string): RecordEffects {
    this.effects.records[name] ??= {};
    return this.effects.records[name];
  }
}

const positionsByShape = new WeakMap<RecordShape, readonly number[] | undefined>();

/** Positions of the table's columns in a row that was read; undefined when one is missing. */
function placesOf(table: Table, shape: RecordShape): readonly number[] | undefined {
  if (positionsByShape.has(shape)) return positionsByShape.get(shape);
  const indexes = table.columns.map(({ field, description }) =>
    shape.positions.get(description.kind === "ref" ? `${field}.${description.by[0]}` : field),
  );
  const positions = indexes.filter((at) => at !== undefined);
  const complete = positions.length === indexes.length ? positions : undefined;
  positionsByShape.set(shape, complete);
  return complete;
}

const recorderByTx = new WeakMap<Tx, Recorder>();

function recorderOf(tx: Tx): Recorder {
  let recorder = recorderByTx.get(tx);
  if (recorder === undefined) {
    recorder = new Recorder();
    recorderByTx.set(tx, recorder);
  }
  return recorder;
}

/** The effects of the transaction `tx`; undefined when there are none to log. */
export function effectsOf(tx: Tx): Effects | undefined {
  return recorderByTx.get(tx)?.finished();
}

/** The command line for the log, without erased personal data. */
export function redactCommand(tx: Tx, command: string | undefined): string | undefined {
  return command && (recorderByTx.get(tx)?.redact(command) ?? command);
}

// --- records -------------------------------------------------------------------------------------

/**
 * Logs a record as changed without its previous values.
 * @param redact  removes the erased personal data from the command line
 */
export function noteErased(
  tx: Tx,
  { name }: Resource,
  id: string,
  redact: (text: string) => string,
): void {
  recorderOf(tx).erase(name, id, redact);
}

/** Notes the row of a record that was read, as its previous values if it is changed. */
export function noteRead(tx: Tx, { id, name }: Resource, record: StoredRecord, row: Row): void {
  if (tx.lock !== undefined) recorderOf(tx).read(name, String(record[id]), row);
}

/** Notes a new history entry of a record, which may be its only change. */
export function noteHistory(tx: Tx, name: string, id: string): void {
  if (tx.lock !== undefined) recorderOf(tx).note(name, id);
}

/** Notes newly created records. */
export function noteCreated(tx: Tx, { name }: Resource, ids: readonly string[]): void {
  const recorder = recorderOf(tx);
  for (const id of ids) recorder.write(name, id, "created");
}

/**
 * Notes records before they are upserted.
 * @param rows    as `rowOf` makes them, in the order of `ids`
 * @param shape   shape of whole records, in which they were read
 * @param stored  reads the rows of records that were not read before
 */
export async function noteSaved(
  tx: Tx,
  table: Table,
  ids: readonly string[],
  rows: readonly Row[],
  { shape, stored }: { readonly shape: RecordShape; readonly stored: StoredRows },
): Promise<void> {
  const recorder = recorderOf(tx);
  const { resource } = table;
  const unknown: string[] = [];
  const rowBeforeById = new Map<string, Row>();
  for (const id of ids) {
    const row = recorder.isWritten(resource.name, id)
      ? undefined
      : recorder.readBefore(table, shape, id);
    if (row === undefined) unknown.push(id);
    else rowBeforeById.set(id, row);
  }
  for (const [id, row] of await stored(unknown)) rowBeforeById.set(id, row);
  for (const [at, id] of ids.entries()) {
    const [was, is] = [rowBeforeById.get(id), rows[at] ?? []];
    if (was === undefined) recorder.write(resource.name, id, "created");
    else noteChange(recorder, table, id, was, is);
  }
}

function noteChange(recorder: Recorder, table: Table, id: string, was: Row, is: Row): void {
  const formerValues: Record<string, Value> = {};
  let hasFormer = false;
  let hasEndedRecord = false;
  for (const [at, { field, description }] of table.columns.entries()) {
    if (isEqual(was[at], is[at])) continue;
    const isHidden = table.resource.fields[field] === undefined;
    if (field === "Status" && isEnd(is[at])) hasEndedRecord = true;
    // Read-only fields of the organisation are settings, not derived values, and so are logged.
    const isSetting = table.resource.name === "Organisation";
    const isIgnored =
      (description.readOnly === true && !isSetting) || (isHidden && table.kind !== undefined);
    if (field === "UpdatedDateUTC" || (isIgnored && field !== "Status")) continue;
    formerValues[field] = was[at] ?? null;
    hasFormer = true;
  }
  recorder.write(
    table.resource.name,
    id,
    hasEndedRecord ? "ended" : hasFormer ? "changed" : "touched",
    formerValues,
  );
}

const isEnd = (status: Value | undefined) => status === "VOIDED" || status === "DELETED";
/**
 * Compares values as text: an exchange rate with many digits may be text on one side, a number on
 * the other.
 */
const isEqual = (a: Value | undefined, b: Value | undefined) =>
  a === b || String(a ?? "") === String(b ?? "");

/** Notes records before they are deleted for good. */
export async function noteRemoved(
  tx: Tx,
  table: Table,
  ids: readonly string[],
  storedRows: StoredRows,
): Promise<void> {
  const recorder = recorderOf(tx);
  for (const [id, row] of await storedRows(ids)) {
    const formerEntries = table.columns.map(({ field }, at) => [field, row[at] ?? null] as const);
    recorder.write(table.resource.name, id, "removed", Object.fromEntries(formerEntries));
  }
}

/** Reads stored rows of records, as `rowOf` makes them, by their ids. */
export type StoredRows = (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

/** Notes the lines of a document before they are replaced. */
export function noteLines(tx: Tx, documentId: string, lines: readonly object[]): void {
  recorderOf(tx).effects.lines[documentId] ??= lines;
}

// --- rows of other tables -----------------------------------------------------------------------

/** Notes rows before they are inserted into a table that is no resource. */
export function noteInserted(
  tx: Tx,
  { table, columns }: Insertion,
  rows: readonly Row[],
): Promise<void> | undefined {
  const covered = rowsOf(table);
  if (covered === undefined) return undefined;
  const positions = covered.rows.map((name) => columns.indexOf(name));
  const addedRows = rows.map((row) => positions.map((at) => row[at] ?? null));
  recorderOf(tx).addRows(table, "added", addedRows);
  return covered.by && noteReplaced(tx, table, covered, addedRows);
}

/** The columns logged for removed rows of a table; empty when they are not logged. */
export function loggedColumns(table: string): readonly string[] {
  return rowsOf(table)?.rows ?? [];
}

/**
 * Notes removed rows.
 * @param rows  the columns of `loggedColumns`
 */
export function noteRemovedRows(tx: Tx, table: string, rows: readonly Row[]): void {
  if (rowsOf(table) !== undefined) recorderOf(tx).addRows(table, "removed", rows);
}

/** Notes the rows that an upsert is about to replace. */
async function noteReplaced(
  tx: Tx,
  table: string,
  { rows: columns, by = [] }: Exclude<LogCoverage, string>,
  rows: readonly Row[],
): Promise<void> {
  const selected = sql.join(columns.map((name) => sql.id(name)));
  for (const row of rows) {
    const conditions = by.map((name) => sql`${sql.id(name)} = ${row[columns.indexOf(name)]}`);
    const { sql: text, parameters } = sql`select ${selected} from ${sql.id(table)}
      where org = ${tx.org} and ${sql.join(conditions, sql` and `)}`.compile(tx.db);
    const replacedRows = await tx.connection.rows(text, parameters as Value[]);
    recorderOf(tx).addRows(table, "removed", replacedRows);
  }
}
