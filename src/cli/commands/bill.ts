/** `acct bill`: purchase bills, which the service keeps as invoices of type ACCPAY. */
import { documentNoun } from "./document.ts";

export const billNoun = documentNoun({
  type: "ACCPAY",
  noun: "bill",
  aliases: ["bills"],
  summary: "purchase bills",
});
