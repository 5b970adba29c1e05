/** Names a record in sentences for people. */
import { inDigitsOf } from "./common.ts";
import type { Resource } from "./field.ts";

interface DescribedRecord {
  readonly Handle?: string;
  readonly Reference?: string;
  readonly Description?: string;
  readonly Amount?: number;
  readonly Total?: number;
  readonly CurrencyCode?: string;
  readonly Invoice?: { readonly InvoiceNumber?: string };
  readonly CreditNote?: { readonly CreditNoteNumber?: string };
  readonly Contact?: { readonly Name?: string };
  readonly Payee?: string;
  readonly Date?: string;
}

/**
 * Number or name of a record; without these its handle with amount, document or contact, and date:
 * `P-318 of 57.50 for INV-0042 on 2026-03-12`.
 *
 * @param scale decimal places of the record's amounts as scaled integers; 0 where they are in units
 * of the currency
 *
 * @returns undefined where the record has none of these
 */
export function calledOf({ fields }: Resource, record: object, scale: number): string | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.key === true);
  const values = record as Readonly<Record<string, unknown>>;
  const own = [...names, "Name", "Narration"].map((name) => values[name]);
  const name = own.find((value): value is string => typeof value === "string" && value !== "");
  if (name !== undefined) return name.slice(0, 60).toWellFormed();
  const { Handle, Reference, Description, Amount, Total, CurrencyCode, ...facts } =
    record as DescribedRecord;
  const amount = Amount ?? Total;
  const settledNumber = facts.Invoice?.InvoiceNumber ?? facts.CreditNote?.CreditNoteNumber;
  const party = facts.Contact?.Name ?? facts.Payee;
  const parts = [
    Handle,
    Reference ?? Description,
    amount !== undefined &&
      `of ${inDigitsOf(CurrencyCode, (Number(amount) / 10 ** scale).toFixed(2))}`,
    (settledNumber && `for ${settledNumber}`) ?? (party && `with ${party}`),
    facts.Date && `${amount === undefined ? "of" : "on"} ${facts.Date}`,
  ];
  return parts.filter(Boolean).join(" ") || undefined;
}

/** Number of records of a kind that are named. */
const namedMax = 3;

/**
 * Names several records of a kind: `INV-0195, INV-0202, INV-0205 and 1 more`, a row of numbers
 * without gaps by its ends, `L-1042 to L-1066`; empty where one has neither number nor name.
 *
 * @param names  as `calledOf` returns them
 */
export function nameTogether(names: readonly (string | undefined)[]): string {
  const shortNames = names.flatMap((name = "of") =>
    /^of\b/.test(name) ? [] : (/^[A-Z]{1,3}-\d+(?= of )/.exec(name)?.[0] ?? name),
  );
  if (shortNames.length < names.length) return "";
  const numbers = shortNames
    .map((name) => /^(.*?)(\d+)$/.exec(name) ?? [name, name, "0"])
    .map(([name, head = "", number]) => ({ name, head, number: Number(number) }))
    .toSorted((a, b) => (a.head === b.head ? a.number - b.number : a.head < b.head ? -1 : 1));
  const [first] = numbers;
  const areAllNamed = numbers.every(
    ({ head, number }, at) => head === first?.head && number === first.number + at,
  );
  if (areAllNamed && numbers.length > namedMax) return `${first?.name} to ${numbers.at(-1)?.name}`;
  const shownNames = numbers.slice(0, namedMax).map(({ name }) => name);
  const moreCount = numbers.length - namedMax;
  return moreCount > 0 ? `${shownNames.join(", ")} and ${moreCount} more` : shownNames.join(", ");
}
