/** What can be imported, and the flags of an import. */
export const importNouns = ["invoice", "bill", "contact", "item", "payment", "asset"] as const;
export type ImportNoun = (typeof importNouns)[number];

/** Whether rows of a file make documents with lines. */
export function isDocument(noun: ImportNoun): boolean {
  return noun === "invoice" || noun === "bill";
}

/** The flags as they were given; what is left out is decided by the mapping file or by default. */
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
  readonly createItems?: boolean;
  readonly status?: "DRAFT" | "SUBMITTED" | "AUTHORISED";
  readonly onDuplicate?: "skip" | "update" | "error";
  readonly onError?: "stop" | "skip";
  readonly partial?: boolean;
  readonly allowZero?: boolean;
  readonly recreate?: boolean;
  readonly rejected?: string;
}
