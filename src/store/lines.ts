/**
 * The lines of documents.
 *
 * A line keeps the ids of its account, its item and its tracking options; their codes and names are
 * read from them, so that a rename shows on every line.
 */
import { sql } from "kysely";
import { isScalar } from "../resources/field.ts";
import { type LineItem, lineItemFields } from "../resources/line-item.ts";
import { insertRows, keyLists, selectOnce } from "./bulk.ts";
import type { Insertion, Value } from "./dialect.ts";
import type { Tx } from "./store.ts";
import { encoded, snakeCase } from "./tables.ts";

/** Fields kept as they are, with their columns; the code of the account is that of its id. */
const plain = Object.entries(lineItemFields)
  .filter(([name, field]) => isScalar(field) && name !== "AccountCode")
  .map(([name, field]) => ({
    name: name as "LineItemID",
    field,
    column: name === "LineItemID" ? "id" : snakeCase(name),
  }));

const insertion: Insertion = {
  table: "document_line",
  columns: [
    "org",
    "document_id",
    "ord",
    ...plain.map((each) => each.column),
    "item_id",
    "option1",
    "option2",
  ],
  tail: "",
};

const selected = sql.raw(plain.map(({ name, column }) => `l.${column} as "${name}"`).join(", "));

interface Row {
  readonly document_id: string;
  readonly account_code: string | null;
  readonly item_id: string | null;
  /** What the item of `item_id` is called now; null when it was deleted. */
  readonly code: string | null;
  readonly name: string | null;
  readonly option1: string | null;
  readonly option2: string | null;
  readonly [field: string]: Value;
}

type Tracked = NonNullable<LineItem["Tracking"]>[number];

/** Lines in their order, by document; a document without lines is not in the map. */
export async function linesOf(
  tx: Tx,
  documentIds: readonly string[],
): Promise<Map<string, LineItem[]>> {
  const rows: Row[] = [];
  for (const ids of keyLists(documentIds)) {
    const build = () => sql<Row>`
      select l.document_id, ${selected}, l.item_id, l.option1, l.option2,
        a.code as account_code, i.code as code, i.name as name
      from document_line as l
      left join account as a on a.org = l.org and a.id = l.account_id
      left join item as i on i.org = l.org and i.id = l.item_id
      where l.org = ${tx.org} and l.document_id in (${sql.join(ids)})
      order by l.document_id, l.ord`;
    const key = `lines ${ids.length}`;
    rows.push(...(await selectOnce(tx, key, build, [tx.org, ...ids])));
  }
  const options = await optionsOf(tx, rows);
  const lines = new Map<string, LineItem[]>();
  for (const row of rows) {
    const line = lineOf(row, options);
    const others = lines.get(row.document_id);
    if (others === undefined) lines.set(row.document_id, [line]);
    else others.push(line);
  }
  return lines;
}

function lineOf(row: Row, options: ReadonlyMap<string, Tracked>): LineItem {
  const line: Record<string, unknown> = {};
  for (const { name } of plain) {
    const value = row[name];
    if (value !== null && value !== undefined) line[name] = value;
  }
  if (row.account_code !== null) line.AccountCode = row.account_code;
  if (row.item_id !== null && row.code !== null) {
    line.ItemCode = row.code;
    line.Item = {
      ItemID: row.item_id,
      Code: row.code,
      ...(row.name === null ? {} : { Name: row.name }),
    };
  }
  const tracking = [row.option1, row.option2].flatMap((id) => options.get(id ?? "") ?? []);
  if (tracking.length > 0) line.Tracking = tracking;
  return line as LineItem;
}

/** The tracking options that rows name, with their categories. */
async function optionsOf(tx: Tx, rows: readonly Row[]): Promise<Map<string, Tracked>> {
  const wanted = rows.flatMap((row) => [row.option1, row.option2]).filter((id) => id !== null);
  const options = new Map<string, Tracked>();
  for (const ids of keyLists(wanted)) {
    const found = await tx.db
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
    for (const each of found) options.set(each.TrackingOptionID, each);
  }
  return options;
}

/** Replaces all lines of the documents named. */
export async function saveLines(
  tx: Tx,
  documents: readonly { readonly id: string; readonly lines: readonly LineItem[] }[],
): Promise<void> {
  for (const ids of keyLists(documents.map((document) => document.id))) {
    await sql`delete from document_line
      where org = ${tx.org} and document_id in (${sql.join(ids)})`.execute(tx.db);
  }
  const rows = documents.flatMap(({ id, lines }) =>
    lines.map((line, ord) => {
      const [option1, option2] = line.Tracking ?? [];
      return [
        tx.org,
        id,
        ord,
        ...plain.map(({ name, field }) => encoded(field, line[name], name)),
        line.Item?.ItemID ?? null,
        option1?.TrackingOptionID ?? null,
        option2?.TrackingOptionID ?? null,
      ];
    }),
  );
  await insertRows(tx, insertion, rows);
}
