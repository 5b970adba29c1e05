/** To version 27: links of the hash chain name what they were written for. */
import type { Kysely } from "kysely";
import type { StoreDialect } from "../../dialects/dialect.ts";
import type { Tables } from "../index.ts";
import { addColumns } from "./complete.ts";

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await addColumns(db, dialect, "chain_link", { cause: "text?" });
}
