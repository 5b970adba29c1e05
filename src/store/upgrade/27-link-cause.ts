/** To version 27: links of the hash chain name what they were written for. */
import type { Kysely } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { addColumns } from "./add-columns.ts";

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await addColumns(db, dialect, "chain_link", { cause: "text?" });
}
