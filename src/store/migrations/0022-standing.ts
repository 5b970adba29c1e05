/** Marks that change with what an organisation refers to again and again. */
import { addColumns, type Migration } from "./tools.ts";

export const standing: Migration = (db, dialect) =>
  addColumns(db, dialect, "organisation", { chart_mark: "integer?", contact_mark: "integer?" });
