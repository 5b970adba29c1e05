/** Which documents in foreign currencies were open on a day, however late they were paid. */
import { sql } from "kysely";
import { addColumns, createIndex, type Migration } from "./tools.ts";

export const currency: Migration = async (db, dialect) => {
  // Of foreign documents alone: a day after which nothing of it was settled.
  await addColumns(db, dialect, "document", { last_settled: "text?" });
  await sql`update document set last_settled = (
      select max(day) from (
        select document.date as day
        union all
        select p.date from payment as p where p.org = document.org and document.id in
          (p.invoice_id, p.credit_note_id, p.prepayment_id, p.overpayment_id)
        union all
        select a.date from allocation as a where a.org = document.org
          and document.id in (a.invoice_id, a.credit_id)
      ) as days)
    where currency_code <> (
      select base_currency from organisation where organisation.org = document.org)`.execute(db);
  await createIndex(db, dialect, {
    name: "document_foreign_open",
    on: "document",
    columns: ["org", "status", "last_settled"],
    where: "last_settled is not null",
    rows: [20_000, 20_000, 10_000, 10],
  });
  // Knew no document at a rate of exactly 1, and went by the day of the payment made last.
  await sql`drop index document_foreign`.execute(db);
};
