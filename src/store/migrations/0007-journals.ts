/** Journals are found by their ids. */
import { createIndex, type Migration } from "./tools.ts";

export const journals: Migration = (db, dialect) =>
  createIndex(db, dialect, {
    name: "journal_by_id",
    on: "journal",
    columns: ["org", "id"],
    unique: true,
    rows: [2_000_000, 2_000_000, 1],
  });
