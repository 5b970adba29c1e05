/** Invoices and bills by what a person calls them. */

import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import { type Invoice, type InvoiceStatus, invoice } from "../../resources/invoice.ts";
import { allOf, compare, isGuid } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";

export type DocumentType = "ACCREC" | "ACCPAY";

const nouns = { ACCREC: "invoice", ACCPAY: "bill" } as const;

const goneStatuses: readonly InvoiceStatus[] = ["DELETED", "VOIDED"];

/**
 * The invoice or bill that a person means by a number or an id.
 *
 * Bills carry their supplier's numbers, so two may bear the same one, and so may an invoice and a
 * bill. What is deleted or voided is found only when nothing else bears the number.
 *
 * @param type  undefined for either
 * @throws NotFoundError, and RefusedError `Ambiguous`
 */
export async function findDocument(
  ctx: Context,
  type: DocumentType | undefined,
  key: string,
): Promise<Invoice> {
  const client = await ctx.client();
  const resource = { ...invoice, noun: type === undefined ? "invoice or bill" : nouns[type] };
  if (isGuid(key)) return ofType(await client.find(resource, key), type, key);
  const where = allOf([
    type && compare(invoice.fields, "Type", "==", type),
    compare(invoice.fields, "InvoiceNumber", "==", key),
  ]);
  const found = await Array.fromAsync(client.list(invoice, { where, limit: 100 }));
  const live = found.filter(({ Status }) => !goneStatuses.includes(Status));
  const fits = live.length > 0 ? live : found;
  const [only, ...others] = fits;
  // Found by other ways than the number, or by its number as the other type: said in so many words.
  if (only === undefined) return ofType(await client.find(resource, key), type, key);
  if (others.length > 0) {
    const each = fits.map(
      ({ Type, InvoiceID, Contact }) => `${InvoiceID} (${Type}, ${Contact?.Name})`,
    );
    throw new RefusedError(
      "Ambiguous",
      `${fits.length} documents bear the number ${key}; name one by its id: ${each.join(", ")}.`,
    );
  }
  return client.find(resource, only.InvoiceID);
}

function ofType(invoice: Invoice, type: DocumentType | undefined, key: string): Invoice {
  if (type === undefined || invoice.Type === type) return invoice;
  const [noun, other] = type === "ACCREC" ? ["invoice", "bill"] : ["bill", "invoice"];
  throw new NotFoundError(
    "NotFound",
    `There is no ${noun} ${key}; it is ${other === "bill" ? "a bill" : "an invoice"}: use acct ${other}.`,
  );
}
