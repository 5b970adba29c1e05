/** The stages that fill in the head of a document: contact, dates, currency, and what it lacks. */
import { dueDate } from "../../ledger/terms.ts";
import type { Rate } from "../../resources/decimal.ts";
import type { Draft } from "./draft.ts";
import type { DocumentKind } from "./kinds.ts";
import { withArticle } from "./words.ts";

export function resolveContact(draft: Draft): void {
  const { input, existing, work, faults, record, kind } = draft;
  const reference = input.Contact === undefined ? existing?.Contact : input.Contact;
  const { contactBy, family } = kind;
  if (contactBy !== undefined && reference?.Name && !contactBy.some((key) => reference[key])) {
    const noun = withArticle(family.resource.noun);
    faults.add(
      `The Contact of ${noun} is given by ${contactBy.join(" or ")}; a Name alone is not enough.`,
    );
    return;
  }
  draft.contact = work.contacts.resolve(reference, faults, existing?.Contact?.ContactID);
  if (draft.contact !== undefined) record.Contact = draft.contact;
}

export function resolveDates(draft: Draft): void {
  const { record, batch, kind, complete, faults } = draft;
  record.Date ??= batch.today;
  if (kind.terms === undefined) return;
  record.DueDate ??= dueDateOf(draft, kind.terms);
  if (complete && record.DueDate === undefined) {
    faults.add("DueDate is required to submit or approve an invoice.");
  }
}

/** By the contact's payment terms, else the organisation's; without terms there is none. */
function dueDateOf(
  { record, contact, batch }: Draft,
  half: NonNullable<DocumentKind["terms"]>,
): string | undefined {
  const own = contact?.PaymentTerms?.[half];
  const term = own?.Type === undefined ? batch.organisation.PaymentTerms?.[half] : own;
  return dueDate(record.Date, term);
}

const baseRate = 1_000_000 as Rate;

export function resolveCurrency(draft: Draft): void {
  const { record, contact, batch, faults } = draft;
  const { BaseCurrency } = batch.organisation;
  record.CurrencyCode ??= contact?.DefaultCurrency ?? BaseCurrency;
  record.CurrencyRate ??= baseRate;
  if (record.CurrencyRate <= 0) faults.add("CurrencyRate must be above zero.");
  if (record.CurrencyCode === BaseCurrency) record.CurrencyRate = baseRate;
  else faults.add(`Users Organisation is not subscribed to currency ${record.CurrencyCode}`);
}

/** Drops what the kind of document does not have, and says so where a caller would miss it. */
export function dropWhatItLacks({ kind, record, input, entry }: Draft): void {
  for (const field of kind.lacks) {
    if (record[field] === undefined) continue;
    record[field] = undefined;
    if (field === "Reference" && input.Reference) {
      entry.warnings.push(
        `Reference is kept on sales ${kind.family.resource.noun}s only; ` +
          `${withArticle(kind.label.toLowerCase())} has its ${kind.family.number}.`,
      );
    }
  }
}
