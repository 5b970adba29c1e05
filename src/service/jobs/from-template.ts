/** What a template asks for on a date, as a caller would send it. */
import { filledIn } from "../../ledger/placeholders.ts";
import { dueDate } from "../../ledger/terms.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { StoredRepeatingInvoice } from "../documents/stored.ts";

const referenceMax = 255;
const descriptionMax = 4000;

/**
 * The invoice of one date.
 *
 * Tax is worked out anew, at the rate that is in force when it is made; all else is as it stands in
 * the template. Placeholders stand for the date.
 */
export function invoiceInput(
  template: StoredRepeatingInvoice,
  lines: readonly LineItem[],
  date: string,
): Record<string, unknown> {
  const { Type, Contact, Reference, Status, Schedule, MarkAsSent } = template;
  return {
    Type,
    Contact: { ContactID: Contact?.ContactID },
    Date: date,
    DueDate: dueDate(date, { Day: Schedule.DueDate, Type: Schedule.DueDateType }),
    Reference: Reference && filledIn(Reference, date).slice(0, referenceMax),
    Status,
    LineAmountTypes: template.LineAmountTypes,
    CurrencyCode: template.CurrencyCode,
    BrandingThemeID: template.BrandingThemeID,
    SentToContact: MarkAsSent && Status === "AUTHORISED" && Type === "ACCREC",
    LineItems: lines.map(({ LineItemID: _, Item: __, TaxAmount: ___, ...line }) => ({
      ...line,
      ...(line.Description && {
        Description: filledIn(line.Description, date).slice(0, descriptionMax),
      }),
    })),
  };
}

/**
 * What to try, one after the other, until something is accepted: the invoice as it should be, the
 * same as a draft, and a draft of today. Where its own date is closed, a draft of that date would be
 * taken, but could never be approved.
 *
 * @param locked  the last day that is locked, if any is
 */
export function attempts(
  input: Readonly<Record<string, unknown>>,
  today: string,
  locked: string | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const draft = { ...input, Status: "DRAFT", SentToContact: false };
  const isClosed = locked !== undefined && String(input.Date) <= locked;
  return [
    input,
    ...(input.Status === "DRAFT" || isClosed ? [] : [draft]),
    ...(input.Date === today ? [] : [{ ...draft, Date: today }]),
  ];
}
