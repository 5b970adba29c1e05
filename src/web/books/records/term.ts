/** What a word that somebody types finds in a list: the same in the search of all and in that of one. */

import { readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { fieldAt, type Resource } from "../../../resources/field.ts";
import { anyOf, compare } from "../../../wire/query/condition.ts";
import { quoted } from "../../../wire/query/scanner.ts";

/** Numbers by which a person knows a record. */
const numbers = [
  "InvoiceNumber",
  "CreditNoteNumber",
  "QuoteNumber",
  "PurchaseOrderNumber",
  "ReceiptNumber",
  "AssetNumber",
  "Code",
] as const;

/** Texts of which a part is enough. */
const texts = [
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
  return texts.filter((path) => {
    const [head = ""] = path.split(".");
    const isStored = fields[head]?.computed !== true;
    return isStored && fieldAt(fields, path.split("."))?.field.kind === "text";
  });
}

/** The records with a term in a number, a reference, a name or a text, or with that very amount. */
export function termCondition(resource: Resource, term: string): string {
  const { fields } = resource;
  const cents = readDecimal(term.replaceAll(",", ""), scaleOf.money);
  const ofAmount = amounts.filter((name) => cents !== undefined && fields[name]?.kind === "money");
  return anyOf([
    ...textsOf(resource).map((path) => `${path}.Contains(${quoted(term)})`),
    ...ofAmount.flatMap((name) =>
      [cents ?? 0, -(cents ?? 0)].map((each) => compare(fields, name, "==", each)),
    ),
  ]);
}

/** Whether a record is known by that very number. */
export function isNumbered(record: object, term: string): boolean {
  const held = record as Readonly<Record<string, unknown>>;
  return numbers.some((name) => String(held[name] ?? "").toLowerCase() === term.toLowerCase());
}
