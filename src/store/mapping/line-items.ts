/**
 * The lines of documents.
 *
 * A line keeps the ids of its account, its item and its tracking options; their codes and names are
 * read from them, so that a rename shows on every line.
 */
import { sql } from "kysely";
import { type Field, isScalar } from "../../resources/field.ts";
import { type LineItem, lineItemFields } from "../../resources/line-item.ts";
import type { Insertion, Value } from "../connection/connection.ts";
import { executeDeferred, insertRows, keyLists, selectOnce } from "../operations/bulk.ts";
import { noteLines } from "../operations/effects.ts";
import { decoderOf } from "../schema/shapes.ts";
import { encodeColumn, snakeCase, storageOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";

/**
 * Fields stored unchanged, with their columns; the account code is derived from the account id.
 */
const plainColumns = Object.entries(lineItemFields)
  .filter(
    ([name, field]: [string, Field]) =>
      isScalar(field) && name !== "AccountCode" && field.computed !== true,
  )
  .map(([name, field]) => ({
    name: name as "LineItemID",
    field,
    column: name === "LineItemID" ? "id" : snakeCase(name),
    storage: storageOf(field),
  }));

const insertion: Insertion = {
  table: "document_line",
  columns: [
    "org",
    "document_id",
    "ord",
    ...plainColumns.map((plainColumn) => plainColumn.column),
    "item_id",
    "option1",
    "option2",
  ],
};

const selected = sql.raw(
  plainColumns
    .map(({ name, column, storage: { selectsText } }) =>
      selectsText ? `cast(l.${column} as text) as "${name}"` : `l.${column} as "${name}"`,
    )
    .join(", "),
);

/**
 * Columns read for a line: its document, its references and, from `plainFrom` on, the `plain`
 * fields.
 */
type LineRow = readonly [
  documentId: string,
  option1: string | null,
  option2: string | null,
  accountCode: string | null,
  itemId: string | null,
  /** Current code of the item; null when the item was deleted. */
  itemCode: string | null,
  itemName: string | null,
  ...Value[],
];
const plainFrom = 7;

let decoder: ReturnType<typeof decoderOf> | undefined;

/** The fields of a line that are stored unchanged. */
function plainOf(row: LineRow): Record<string, unknown> {
  decoder ??= decoderOf(
    plainColumns.map(({ name, storage: { decode } }) => ({ path: [name], decode })),
    plainFrom,
  );
  return decoder(row);
}

type LineTracking = NonNullable<LineItem["Tracking"]>[number];

/**
 * The lines of documents, in order, by document; documents without lines are left out of the map.
 */
export async function linesOf(
  tx: Tx,
  documentIds: readonly string[],
): Promise<Map<string, LineItem[]>> {
  const rows: LineRow[] = [];
  for (const ids of keyLists(documentIds)) {
    const build = () => sql`
      select l.document_id, l.option1, l.option2, a.code as account_code, l.item_id,
        i.code as item_code, i.name as item_name, ${selected}
      from document_line as l
      left join account as a on a.org = l.org and a.id = l.account_id
      left join item as i on i.org = l.org and i.id = l.item_id
      where l.org = ${tx.org} and l.document_id in (${sql.join(ids)})
      order by l.document_id, l.ord`;
    const key = { of: "lines", by: "document_id", count: ids.length };
    const result = selectOnce(tx, key, build, [tx.org, ...ids]);
    const lines = result instanceof Promise ? await result : result;
    rows.push(...(lines as unknown as readonly LineRow[]));
  }
  const trackingById = await optionsOf(tx, rows);
  const linesByDocument = new Map<string, LineItem[]>();
  for (const row of rows) {
    const line = lineOf(row, trackingById);
    const sameDocument = linesByDocument.get(row[0]);
    if (sameDocument === undefined) linesByDocument.set(row[0], [line]);
    else sameDocument.push(line);
  }
  return linesByDocument;
}

function lineOf(row: LineRow, trackingById: ReadonlyMap<string, LineTracking>): LineItem {
  const [, option1, option2, accountCode, ItemID, Code, Name] = row;
  const line = plainOf(row);
  if (accountCode !== null) line.AccountCode = accountCode;
  if (ItemID !== null && Code !== null) {
    line.ItemCode = Code;
    line.Item = Name === null ? { ItemID, Code } : { ItemID, Code, Name };
  }
  if (option1 !== null || option2 !== null) {
    const tracking = [option1, option2].flatMap((id) => trackingById.get(id ?? "") ?? []);
    if (tracking.length > 0) line.Tracking = tracking;
  }
  return line as LineItem;
}

/** The tracking options that the rows refer to, with their categories. */
async function optionsOf(tx: Tx, rows: readonly LineRow[]): Promise<Map<string, LineTracking>> {
  const optionIds = new Set<string>();
  for (const [, option1, option2] of rows) {
    if (option1 !== null) optionIds.add(option1);
    if (option2 !== null) optionIds.add(option2);
  }
  const trackingById = new Map<string, LineTracking>();
  for (const ids of keyLists(optionIds)) {
    const rows = await tx.db
      .selectFrom("tracking_option as o")
      .innerJoin("tracking_category as c", (join) =>
        join.onRef("c.org", "=", "o.org").onRef("c.id", "=", "o.tracking_category_id"),
      )
      .select([
        "c.name as Name",
        "o.name as Option",
        "c.id as TrackingCategoryID",
        "o.id as TrackingOptionID",
      ])
      .where("o.org", "=", tx.org)
      .where("o.id", "in", ids)
      .execute();
    for (const row of rows) trackingById.set(row.TrackingOptionID, row);
  }
  return trackingById;
}

/** A document and the lines to store for it. */
interface DocumentLines {
  readonly id: string;
  readonly lines: readonly LineItem[];
  /** Whether the document is new, so that no old lines need be read. */
  readonly isNew?: boolean;
}

/** Replaces all lines of the given documents. */
export async function saveLines(tx: Tx, documents: readonly DocumentLines[]): Promise<void> {
  const existing = documents.filter(({ isNew }) => isNew !== true);
  const linesBeforeById = await linesOf(
    tx,
    existing.map(({ id }) => id),
  );
  for (const { id, lines } of existing) {
    const had = linesBeforeById.get(id) ?? [];
    if (textOf(had) !== textOf(lines)) noteLines(tx, id, had);
  }
  tx.lock?.writeSet.remove(
    insertion.table,
    existing.map(({ id }) => [id]),
  );
  for (const ids of keyLists(existing.map((document) => document.id))) {
    const ofDocuments = sql`org = ${tx.org} and document_id in (${sql.join(ids)})`;
    await executeDeferred(tx, sql`delete from document_line where ${ofDocuments}`);
  }
  const rows = documents.flatMap(({ id, lines }) =>
    lines.map((line, ordinal) => [tx.org, id, ordinal, ...valuesOf(line)]),
  );
  await insertRows(tx, insertion, rows);
}

/** The column values of a line. */
function valuesOf(line: LineItem): Value[] {
  const [option1, option2] = line.Tracking ?? [];
  return [
    ...plainColumns.map(({ name, field }) => encodeColumn(field, line[name], name)),
    line.Item?.ItemID ?? null,
    option1?.TrackingOptionID ?? null,
    option2?.TrackingOptionID ?? null,
  ];
}

const idAt = plainColumns.findIndex(({ name }) => name === "LineItemID");

/** The lines as text without their ids, for comparison. */
const textOf = (lines: readonly LineItem[]): string =>
  JSON.stringify(lines.map((line) => valuesOf(line).toSpliced(idAt, 1)));
