/** What can be imported. */
export const importNouns = ["invoice", "bill", "contact", "item", "payment"] as const;
export type ImportNoun = (typeof importNouns)[number];

/** Whether rows of a file make documents with lines. */
export function isDocument(noun: ImportNoun): boolean {
  return noun === "invoice" || noun === "bill";
}
