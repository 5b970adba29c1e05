/** What records can be exported, by the words that people use; the rest is in `exported.ts`. */
import type { ExportedName } from "./exported.ts";

export const exportNouns = [
  "invoices",
  "bills",
  "contacts",
  "items",
  "payments",
  "credit-notes",
  "quotes",
  "purchase-orders",
  "accounts",
  "tax-rates",
  "tracking",
] as const satisfies readonly ExportedName[];
