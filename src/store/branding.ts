/** Which payment services the documents of a branding theme offer. */
import type { PaymentService } from "../resources/branding-theme.ts";
import { paymentService } from "../resources/index.ts";
import { insertRows } from "./bulk.ts";
import type { Insertion } from "./dialect.ts";
import { fetch } from "./records.ts";
import type { Tx } from "./store.ts";

const insertion: Insertion = {
  table: "branding_theme_payment_service",
  columns: ["org", "branding_theme_id", "payment_service_id"],
  tail: "on conflict do nothing",
};

/** Offers a payment service on the documents of a theme; one that is offered already stays. */
export async function offer(tx: Tx, themeId: string, serviceId: string): Promise<void> {
  await insertRows(tx, insertion, [[tx.org, themeId, serviceId]]);
}

/** The payment services of a theme, in the order of their ids. */
export async function offeredBy(tx: Tx, themeId: string): Promise<PaymentService[]> {
  const rows = await tx.db
    .selectFrom("branding_theme_payment_service")
    .select("payment_service_id")
    .where("org", "=", tx.org)
    .where("branding_theme_id", "=", themeId)
    .execute();
  const ids = rows.map((row) => row.payment_service_id);
  return fetch(tx, paymentService, "PaymentServiceID", ids);
}
