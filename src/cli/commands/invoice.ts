/** `acct invoice`: sales invoices. Bills are the same documents of the other type. */
import { documentNoun } from "./document.ts";

export const invoiceNoun = documentNoun({
  type: "ACCREC",
  noun: "invoice",
  aliases: ["invoices"],
  summary: "sales invoices",
});
