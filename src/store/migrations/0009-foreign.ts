/** What was open in foreign currencies on a day, for the gains that reports show. */
import { createIndex, type Migration } from "./tools.ts";

export const foreign: Migration = (db, dialect) =>
  createIndex(db, dialect, {
    name: "document_foreign",
    on: "document",
    columns: ["org", "fully_paid_on_date", "date"],
    where: "currency_rate <> 1000000 and status in ('AUTHORISED', 'PAID')",
    rows: [50_000, 50_000, 100, 2],
  });
