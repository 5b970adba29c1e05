/** Processes that serve one database need not know of each other. */
import type { Migration } from "./tools.ts";

export const noPeers: Migration = (db) => db.schema.dropTable("peer").execute();
