/** Finds invoices and bills by number or id. */

import { NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { isHandle } from "../../resources/field.ts";
import { type Invoice, type InvoiceStatus, invoice } from "../../resources/invoice.ts";
import { allOf, anyOf, compare, isGuid } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";

export type DocumentType = "ACCREC" | "ACCPAY";

const nouns = { ACCREC: "invoice", ACCPAY: "bill" } as const;

const goneStatuses: readonly InvoiceStatus[] = ["DELETED", "VOIDED"];

/**
 * Finds an invoice or a bill by number or id. Bill numbers come from suppliers, so two bills, or an
 * invoice and a bill, may share one. Deleted and voided documents are found only when no other has
 * the number.
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
  if (isGuid(key)) return requireType(await client.find(resource, key), type, key);
  const [, by, own = key] = /^(handle|number):(.*)$/i.exec(key) ?? [];
  const names = [
    ...(by?.toLowerCase() === "handle" ? [] : ["InvoiceNumber"]),
    ...(by?.toLowerCase() !== "number" && isHandle(invoice, own) ? ["Handle"] : []),
  ];
  const condition = allOf([
    type && compare(invoice.fields, "Type", "==", type),
    anyOf(names.map((name) => compare(invoice.fields, name, "==", own))),
  ]);
  const documents = await Array.fromAsync(client.list(invoice, { where: condition, limit: 100 }));
  const liveDocuments = documents.filter(({ Status }) => !goneStatuses.includes(Status));
  const matches = liveDocuments.length > 0 ? liveDocuments : documents;
  const [only, ...others] = matches;
  // The key may match by other means than the number, or a document of the other type, which the
  // message explains.
  if (only === undefined) {
    if (by !== undefined) {
      throw new NotFoundError("NotFound", `There is no ${resource.noun} of the ${by} ${own}.`);
    }
    return requireType(await client.find(resource, own), type, own);
  }
  if (others.length > 0) {
    const each = matches.map(
      ({ Type, InvoiceID, Handle, Contact }) =>
        `${Handle ?? InvoiceID} (${nouns[Type]} of ${Contact?.Name})`,
    );
    if (names.length > 1 && matches.some(({ Handle }) => Handle === own.toUpperCase())) {
      const [noun] = type === "ACCREC" ? [nouns.ACCREC] : [nouns.ACCPAY];
      throw new UsageError(
        "Ambiguous",
        `${own} is the handle of one ${noun} and the number of another: ${each.join(", ")}; say handle:${own} or number:${own}.`,
      );
    }
    throw new RefusedError(
      "Ambiguous",
      `${matches.length} documents bear the number ${own}; say which: ${each.join(", ")}.`,
    );
  }
  return client.find(resource, only.InvoiceID);
}

function requireType(invoice: Invoice, type: DocumentType | undefined, key: string): Invoice {
  if (type === undefined || invoice.Type === type) return invoice;
  const [noun, other] = type === "ACCREC" ? ["invoice", "bill"] : ["bill", "invoice"];
  throw new NotFoundError(
    "NotFound",
    `There is no ${noun} ${key}; it is ${other === "bill" ? "a bill" : "an invoice"}: use acct ${other}.`,
  );
}
