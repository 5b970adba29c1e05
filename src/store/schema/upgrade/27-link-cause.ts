/** To version 27: links of the hash chain name what they were written for. */
import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../../dialects/dialect.ts";
import { columnText } from "../create.ts";
import type { Tables } from "../index.ts";

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  const cause = columnText(dialect, "cause", "text?");
  await sql.raw(`alter table chain_link add column ${cause}`).execute(db);
}
