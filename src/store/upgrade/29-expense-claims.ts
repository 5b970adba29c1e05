/**
 * To version 29: expense claims, the receipts that they hold, and their payments; the currency that a
 * branding theme is for.
 */
import type { Kysely } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { complete } from "./add-columns.ts";

const key = ["org", "id"] as const;
const columns = { expense_claim_id: "text?" } as const;
const paid = {
  columns: ["org", "expense_claim_id"],
  where: "expense_claim_id is not null",
} as const;

const ofCurrency = {
  columns: ["org", "currency_code"],
  unique: true,
  where: "currency_code is not null",
} as const;

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await complete(db, dialect, {
    document: { key, columns: { receipts: "text?", ...columns } },
    payment: { key, columns, indexes: { payment_by_expense_claim: paid } },
    branding_theme: {
      key,
      columns: { currency_code: "text?" },
      indexes: { branding_theme_currency: ofCurrency },
    },
  });
}
