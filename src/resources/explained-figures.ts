/** Figures that can be explained: path and names, shared by API and command line. */
import { extensionRoot } from "./field.ts";

/** Root path of explanations; the path of what is explained follows: `/Reports/ProfitAndLoss`. */
export const explainRoot = `${extensionRoot}/Explain`;

/** Figures of a document that can be explained. */
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

/** Figures of a contact that can be explained: receivables, payables, and the difference. */
export const contactFigures = ["receivable", "payable", "net"] as const;

/** Figures of a tracked item that can be explained. */
export const itemFigures = ["value", "quantity"] as const;
