/** Which journals a published tax return knew, so that later ones are carried into the next. */
import { sql } from "kysely";
import { addColumns, type Migration } from "./tools.ts";

export const filed: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "published_report", {
    accrual_number: "integer?",
    cash_number: "integer?",
  });
  const last = (basis: number) => sql`coalesce((
    select max(j.number) from journal as j
    where j.org = published_report.org and j.basis = ${sql.lit(basis)}
      and j.created_at <= published_report.at), 0)`;
  await sql`update published_report set
    accrual_number = ${last(0)}, cash_number = ${last(1)}`.execute(db);
};
