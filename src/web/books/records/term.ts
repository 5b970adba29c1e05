/**
 * Search condition for a term in a list, shared by the global search and the search of one list.
 */

import { readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { fieldAt, isHandle, type Resource } from "../../../resources/field.ts";
import { anyOf, compare } from "../../../wire/query/condition.ts";
import { quotedText } from "../../../wire/query/scanner.ts";

/** Fields of numbers that identify a record to people. */
const numbers = [
  "InvoiceNumber",
  "CreditNoteNumber",
  "QuoteNumber",
  "PurchaseOrderNumber",
  "ReceiptNumber",
  "AssetNumber",
  "Code",
] as const;

/** Text fields that are searched for a part. */
const searchedPaths = [
  ...numbers,
  "Reference",
  "Invoice.InvoiceNumber",
  "Contact.Name",
  "Name",
  "FirstName",
  "LastName",
  "ContactNumber",
  "CompanyNumber",
  "EmailAddress",
  "SerialNumber",
  "Narration",
  "Payee",
  "Description",
];

const amounts = ["Total", "Amount", "TotalAmount", "Cost"];

export const isSearched = (resource: Resource): boolean =>
  resource.where !== undefined && textsOf(resource).length > 0;

function textsOf({ fields }: Resource): readonly string[] {
  return searchedPaths.filter((path) => {
    const [head = ""] = path.split(".");
    const isStored = fields[head]?.computed !== true;
    return isStored && fieldAt(fields, path.split("."))?.field.kind === "text";
  });
}

/**
 * Condition for records with the term in a number, reference, name or text, or with exactly that
 * amount or handle.
 */
export function termCondition(resource: Resource, term: string): string {
  const { fields } = resource;
  const cents = readDecimal(term.replaceAll(",", ""), scaleOf.money);
  const ofAmount = amounts.filter((name) => cents !== undefined && fields[name]?.kind === "money");
  return anyOf([
    ...(isHandle(resource, term) ? [compare(fields, "Handle", "==", term)] : []),
    ...textsOf(resource).map((path) => `${path}.Contains(${quotedText(term)})`),
    ...ofAmount.flatMap((name) =>
      [cents ?? 0, -(cents ?? 0)].map((number) => compare(fields, name, "==", number)),
    ),
  ]);
}

/** Whether a record has exactly that number, or that handle. */
export function isNumbered(record: object, term: string): boolean {
  const fields = record as Readonly<Record<string, unknown>>;
  return [...numbers, "Handle"].some(
    (name) => String(fields[name] ?? "").toLowerCase() === term.toLowerCase(),
  );
}
