/**
 * Search for a part of a text in a large table.
 *
 * No index finds a part within a text. But the indexes of folded texts have the ids and are a tenth
 * of their table in size, so that reading one through takes a tenth of the time.
 */
import { type RawBuilder, sql } from "kysely";
import type { Where } from "../../wire/query/tree.ts";
import { placeOf, type Table, targetOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";
import { anyOf, conditionOf } from "./conditions.ts";

/** Maximum number of records of a small table, which is read through itself. */
const smallMax = 1000;

/**
 * Maximum number of ids. Where more records match, a page of them is filled sooner by reading the
 * records in their order.
 */
const idsMax = 4096;

/**
 * Ids of the records with a part of a text in one of several fields.
 *
 * @param condition  on a text, or several joined by `or`
 * @returns undefined for conditions without a search for a part, and those that no index of folded
 *   texts serves; for small tables, and for more than 4096 records
 */
export async function findIds(
  tx: Tx,
  table: Table,
  condition: Where,
): Promise<string[] | undefined> {
  const tests = condition.op === "or" ? condition.args : [condition];
  if (!tests.some((test) => test.op === "text" && test.test === "contains")) return undefined;
  const selects: RawBuilder<unknown>[] = [];
  const unindexed: RawBuilder<unknown>[] = [];
  for (const test of tests) {
    const found = test.op === "text" ? idsWith(tx, table, test) : undefined;
    const { through, column } = (test.op === "compare" && placeOf(table, test.field.path)) || {};
    if (found !== undefined) selects.push(found);
    else if (column === undefined || through?.length !== 0) return undefined;
    else unindexed.push(passes(tx, sql.id("t", column.name), test));
  }
  if (await isSmall(tx, table)) return undefined;
  if (unindexed.length > 0) {
    selects.push(sql`select t.id from ${sql.id(table.name)} as t
      where t.org = ${tx.org} and ${anyOf(unindexed)}`);
  }
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(selects, sql` union all `)}) as found limit ${idsMax + 1}
    `.execute(tx.db);
  return rows.length > idsMax ? undefined : [...new Set(rows.map(({ id }) => id))];
}

/** Query of the ids of records `t` whose text, or that of what they refer to, passes a test. */
function idsWith(
  tx: Tx,
  table: Table,
  test: Extract<Where, { op: "text" }>,
): RawBuilder<unknown> | undefined {
  const [head = ""] = test.field.path.split(".");
  const { through = [], column } = placeOf(table, test.field.path) ?? {};
  if (column?.folded === undefined || through.length > 1) return undefined;
  const key = sql.id(through.length === 0 ? "t" : "r", column.folded);
  const holds = sql`t.org = ${tx.org} and ${key} is not null and ${passes(tx, key, test)}`;
  if (through.length === 0) return sql`select t.id from ${sql.id(table.name)} as t where ${holds}`;
  const { name = "", description } = table.column(head) ?? {};
  const target = description?.kind === "ref" ? targetOf(description.to)?.name : undefined;
  // SQLite reads the tables of a cross join in their order, so that a limit ends the search.
  return sql`select t.id from ${sql.id(target ?? "")} as r cross join ${sql.id(table.name)} as t
    where ${holds} and r.org = t.org and ${sql.id("t", name)} = r.id`;
}

function passes({ dialect }: Tx, column: RawBuilder<unknown>, test: Where): RawBuilder<unknown> {
  return conditionOf(test, { dialect, column: () => column, folded: () => column });
}

async function isSmall({ db, org }: Tx, { name, kind }: Table): Promise<boolean> {
  const ofKind = kind === undefined ? sql`` : sql`and kind = ${kind}`;
  const { rows } = await sql`
    select 1 from ${sql.id(name)} where org = ${org} ${ofKind} limit 1 offset ${smallMax}
    `.execute(db);
  return rows.length === 0;
}
