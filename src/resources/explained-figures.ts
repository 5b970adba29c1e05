/** What can be explained: the address, and the names of figures that the API and the command line share. */
import { extensionRoot } from "./field.ts";

/** Explanations are below it, by what they explain: `/Reports/ProfitAndLoss`. */
export const explainRoot = `${extensionRoot}/Explain`;

/** Of a document. */
export const documentFigures = [
  "total",
  "sub-total",
  "tax",
  "discount",
  "withheld",
  "paid",
  "credited",
  "due",
  "base",
] as const;
export type DocumentFigure = (typeof documentFigures)[number];

/** Of a contact: what it owes, what it is owed, and one less the other. */
export const contactFigures = ["receivable", "payable", "net"] as const;

/** Of an item that is kept in stock. */
export const itemFigures = ["value", "quantity"] as const;
