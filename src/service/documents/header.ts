/** The stages that fill in the head of a document: contact, dates, currency, and what it lacks. */
import { laterDate } from "../../ledger/calendar.ts";
import { baseRate } from "../../ledger/money.ts";
import { dueDate } from "../../ledger/terms.ts";
import { noSuchTheme } from "../lookups/branding.ts";
import { currencyOfBank } from "./bank.ts";
import { noRate } from "./currencies.ts";
import { hasCurrency } from "./document-resources.ts";
import type { Draft } from "./draft.ts";
import { withArticle } from "./history-texts.ts";
import type { DocumentKind } from "./kinds.ts";

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

/** Whose it is, of a document that is somebody's. */
export function resolveUser({ input, existing, work, faults, record, kind }: Draft): void {
  if (kind.ofUser !== true) return;
  const before = existing?.User?.UserID;
  const UserID = input.User === undefined ? before : input.User.UserID;
  const found = work.users.get(UserID ?? "");
  const isGone = found?.OrganisationRole === "REMOVED" && UserID !== before;
  if (found === undefined || isGone) {
    faults.add("A valid user should be identified using the UserID.");
  } else if (existing !== undefined && UserID !== before) {
    faults.add(`The User of ${withArticle(kind.family.resource.noun)} cannot be changed.`);
  } else {
    const { EmailAddress, FirstName, LastName } = found;
    record.User = { UserID: found.UserID, EmailAddress, FirstName, LastName };
  }
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

export function resolveTheme({ input, work, faults }: Draft): void {
  const { BrandingThemeID } = input;
  if (BrandingThemeID !== undefined && !work.themes.has(BrandingThemeID)) {
    faults.add(noSuchTheme(BrandingThemeID));
  }
}

/** A document keeps the rate it was given, else that of its day, until its currency changes. */
export function resolveCurrency(draft: Draft): void {
  const { record, contact, input, existing, work, faults, kind } = draft;
  const { currencies } = work;
  if (kind.bank !== undefined) record.CurrencyCode = currencyOfBank(draft, currencies.base);
  else if (!hasCurrency(kind.family)) record.CurrencyCode = currencies.base;
  else record.CurrencyCode ??= contact?.DefaultCurrency ?? currencies.base;
  const { CurrencyCode } = record;
  if ((input.CurrencyRate ?? 1) <= 0) faults.add("CurrencyRate must be above zero.");
  if (CurrencyCode === currencies.base) {
    record.CurrencyRate = baseRate;
    record.LastSettled = undefined;
    return;
  }
  record.LastSettled = laterDate(record.Date, record.LastSettled);
  record.CurrencyRate ??= baseRate;
  if (!currencies.check(CurrencyCode, faults)) return;
  // Each document that is made from a template has the rate of its own day.
  if (kind.isTemplate) return;
  if (input.CurrencyRate === undefined && existing?.CurrencyCode !== CurrencyCode) {
    const rate = currencies.rateOn(CurrencyCode, record.Date);
    if (rate === undefined) faults.add(noRate(CurrencyCode, record.Date));
    else record.CurrencyRate = rate;
  }
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
