/** Where a subscription may be sent beyond https to public addresses, as whoever added it said. */
import { addColumns, type Migration } from "./tools.ts";

export const webhookAllowances: Migration = (db, dialect) =>
  addColumns(db, dialect, "webhook", { allowed: "text?" });
