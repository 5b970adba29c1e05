/** Record kinds that can be imported, and the options of an import. */

/**
 * Plural by singular name of each record kind; in the order in which an empty book can import them.
 */
const plurals = {
  currency: "currencies",
  "tax-rate": "tax-rates",
  account: "accounts",
  tracking: "tracking",
  contact: "contacts",
  item: "items",
  quote: "quotes",
  "purchase-order": "purchase-orders",
  bill: "bills",
  invoice: "invoices",
  "credit-note": "credit-notes",
  "bank-transaction": "bank-transactions",
  payment: "payments",
  "bank-transfer": "bank-transfers",
  "manual-journal": "manual-journals",
  asset: "assets",
  budget: "budgets",
  "bank-rule": "bank-rules",
  "bank-statement": "bank-statements",
} as const;

export type ImportNoun = keyof typeof plurals;
export const importNouns = Object.keys(plurals) as ImportNoun[];
/** File name of the opening balances in an exported folder. */
export const openingFile = "opening.json";
export const pluralOf = (noun: ImportNoun): string => plurals[noun];

/** Whether the rows of a file form documents with lines. */
export function isDocument(noun: ImportNoun): boolean {
  return noun === "invoice" || noun === "bill";
}

/** Flags of an import; an omitted one is set by the mapping file or by default. */
export interface ImportOptions {
  readonly map?: readonly string[];
  readonly set?: readonly string[];
  readonly mapping?: string;
  readonly saveMapping?: string;
  readonly dateFormat?: string;
  readonly decimal?: "comma" | "point";
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly createContacts?: boolean;
  readonly similarContacts?: boolean;
  readonly createItems?: boolean;
  readonly status?: "DRAFT" | "SUBMITTED" | "AUTHORISED";
  readonly onDuplicate?: "skip" | "update" | "error";
  readonly onError?: "stop" | "skip";
  readonly partial?: boolean;
  readonly allowZero?: boolean;
  readonly recreate?: boolean;
  readonly rejected?: string;
}
