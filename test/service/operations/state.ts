/** What books say, so that two moments can be compared: postings, open documents, stock, and records. */
import { sql } from "kysely";
import type { Tx } from "../../../src/store/tx/tx.ts";
import type { World } from "../fixture.ts";

type Row = Readonly<Record<string, unknown>>;

/** Tables whose rows are as they were before, once a change of them is undone. */
export const restoredTables = [
  "account",
  "contact",
  "item",
  "tax_rate",
  "tracking_category",
  "tracking_option",
  "organisation",
  "branding_theme",
  "bank_rule",
  "employee",
  "contact_group",
  "contact_group_member",
  "budget_balance",
  "exchange_rate",
  "box_1099",
  "asset",
  "bank_statement_line",
] as const;

/** Columns that follow from other records, or say when and how often they changed. */
export const passingColumns =
  /^org$|_utc$|_version$|^salt$|^is_(customer|supplier)$|^flags$|^last_|^matched_|^cis_enabled$/;

/** A row as one that is made anew has it: with another id, also of its statement, and the next number that is free. */
export const withoutKey = (row: string): string =>
  row.replaceAll(
    /\["(id|handle|bank_statement_id|asset_number|asset_number_key|position|tax_type|tax_type_key)",[^\]]*\],?/g,
    "",
  );

export interface BookState {
  /** What reports are made of, by account, day and document: equal where no report differs. */
  readonly figures: string;
  /** Rows of records by table and key, without passing columns. */
  readonly records: ReadonlyMap<string, string>;
}

export const stateOf = ({ book }: World): Promise<BookState> =>
  book.store.read(book.org, async (tx) => ({
    figures: JSON.stringify(await figuresIn(tx)),
    records: await recordsIn(tx),
  }));

/** Counts of a database may be text. */
const numbers = (rows: readonly Row[]): unknown[] =>
  rows.map((row) =>
    Object.values(row).map((each) => (typeof each === "bigint" ? `${each}` : each)),
  );

async function figuresIn(tx: Tx): Promise<unknown> {
  const all = async (query: ReturnType<typeof sql<Row>>) =>
    numbers((await query.execute(tx.db)).rows);
  return {
    postings: await all(sql<Row>`
      select basis, date, account_id, option1, option2, tax_type,
        cast(sum(amount) as text) as amount, cast(sum(debit) as text) as debit,
        cast(sum(coalesce(tax_amount, 0)) as text) as tax,
        cast(sum(coalesce(foreign_amount, 0)) as text) as abroad
      from posting where org = ${tx.org}
      group by basis, date, account_id, option1, option2, tax_type
      having sum(amount) <> 0 or sum(debit) <> 0 or sum(coalesce(tax_amount, 0)) <> 0
      order by 1, 2, 3, 4, 5, 6`),
    documents: await all(sql<Row>`
      select kind, type, contact_id, date, due_date, status, currency_code, currency_rate,
        sub_total, total_tax, total, amount_due, amount_paid, amount_credited
      from document where org = ${tx.org} and status not in ('VOIDED', 'DELETED')
      order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14`),
    stock: await all(sql<Row>`
      select item_id, cast(sum(quantity) as text) as quantity, cast(sum(cost) as text) as cost
      from inventory_move where org = ${tx.org}
      group by item_id having sum(quantity) <> 0 or sum(cost) <> 0 order by 1`),
  };
}

async function recordsIn(tx: Tx): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const table of restoredTables) {
    const { rows } = await sql<Row>`
      select * from ${sql.id(table)} where org = ${tx.org}`.execute(tx.db);
    for (const [key, text] of keyed(table, rows)) found.set(key, text);
  }
  return found;
}

/** Rows of a table by its name and their key, without passing columns. */
export function* keyed(table: string, rows: Iterable<Row>): Generator<[key: string, text: string]> {
  for (const row of rows) {
    const own = Object.entries(row).filter(([name]) => !passingColumns.test(name));
    yield [`${table} ${row.id ?? JSON.stringify(own)}`, JSON.stringify(own)];
  }
}

/** Records that were there before, and are neither as they were nor made anew so. */
export function changedRecords(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): [key: string, before: string, after: string | undefined][] {
  const moved = [...before].filter(([key, row]) => after.get(key) !== row);
  if (moved.length === 0) return [];
  const anew = new Set([...after.values()].map(withoutKey));
  return moved
    .filter(([, row]) => !anew.has(withoutKey(row)))
    .map(([key, row]) => [key, row, after.get(key)]);
}

const keptTables = ["history", "journal", "posting", "operation", "audit_entry"] as const;

/** Everything that is only ever added to: of a table the rows, each as text. */
export const keptIn = ({ book }: World): Promise<ReadonlySet<string>> =>
  book.store.read(book.org, async (tx) => {
    const found = new Set<string>();
    for (const table of keptTables) {
      const { rows } = await sql<Row>`
        select * from ${sql.id(table)} where org = ${tx.org}`.execute(tx.db);
      for (const row of rows) found.add(`${table} ${JSON.stringify(Object.values(row))}`);
    }
    return found;
  });
