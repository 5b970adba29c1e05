/** What quotes and orders were billed by, and what an invoice was made from. */
import { addColumns, type Migration } from "./tools.ts";

export const billing: Migration = (db, dialect) =>
  addColumns(db, dialect, "document", { source: "text?", billings: "text?" });
