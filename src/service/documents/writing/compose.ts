/**
 * The pipeline for making, editing or approving a document: references, life cycle, totals,
 * postings. Each stage is a function of the document in progress.
 */

import { vatNumberAbroad } from "../../../e-invoices/countries.ts";
import { laterDate } from "../../../ledger/dates/calendar.ts";
import { mayEdit, settledStatus } from "../../../ledger/documents/lifecycle.ts";
import { dueDate } from "../../../ledger/documents/terms.ts";
import { documentTotals } from "../../../ledger/documents/totals.ts";
import { checkLock } from "../../../ledger/locks.ts";
import { baseRate } from "../../../ledger/money.ts";
import { unionTypes } from "../../../ledger/regions/index.ts";
import { smallestAmount } from "../../../resources/common.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { creditNote, expenseClaim, invoice } from "../../../resources/index.ts";
import { lacksBankDetails } from "../../../store/records/branding.ts";
import { noRateMessage } from "../../lookups/currencies.ts";
import type { WriteItem, WriteRequest } from "../../request/endpoint.ts";
import { currencyOfBank, nameInvoice, resolveBankAccount } from "../bank.ts";
import { composeLines } from "../compose-lines.ts";
import type { DocumentKind } from "../kind.ts";
import { unknownTheme } from "../load-references.ts";
import { hasCurrency, numberOf, owedOf, type StoredDocument } from "../stored-documents.ts";
import { applySchedule } from "../template-schedule.ts";
import {
  type DocumentBatchContext,
  isPurchase,
  laterSalesMax,
  type Numbers,
} from "./batch-context.ts";
import { withhold } from "./cis-deduction.ts";
import { type DocumentInProgress, documentInProgress } from "./document-in-progress.ts";
import { notesOfEdit, withArticle } from "./history-texts.ts";
import { changedFields, postingInputs } from "./posting-buffer.ts";

/** Runs the pipeline. @throws RefusedError with all faults of the document */
export function compose(
  batch: WriteRequest<StoredDocument>,
  context: DocumentBatchContext,
  entry: WriteItem<StoredDocument>,
  Status: string,
): void {
  const document = documentInProgress(batch, context, entry, Status);
  resolveContact(document);
  resolveSource(document);
  resolveUser(document);
  resolveBankAccount(document);
  resolveDates(document);
  resolveCurrency(document);
  resolveTheme(document);
  dropForeignFields(document);
  nameInvoice(document);
  applySchedule(document);
  composeLines(document);
  total(document);
  withhold(document);
  number(document);
  judge(document);
  document.faults.check();
  setDueAmount(document);
  post(document);
  setPaidStatus(document);
  setSettlement(document);
}

function total({ record, kind, complete, faults }: DocumentInProgress): void {
  const totals = faults.collect(() =>
    documentTotals(record.LineItems, record.LineAmountTypes, smallestAmount(record.CurrencyCode)),
  );
  if (totals === undefined) return;
  Object.assign(record, totals);
  if (record.TotalDiscount === 0 && !kind.discounts) record.TotalDiscount = undefined;
  record.IsDiscounted = (record.TotalDiscount ?? 0) !== 0;
  if (kind.bank !== undefined) {
    if (record.Total <= 0)
      faults.add("NegativeTotal", "The total of a bank transaction must be above zero.");
  } else if (complete && record.Total < 0) {
    faults.add(
      "NegativeTotal",
      kind.resource === invoice
        ? "The total of an invoice cannot be negative; use a credit note."
        : `The total of a ${kind.label.toLowerCase()} cannot be negative.`,
    );
  }
}

/** Returns the number series of a document; undefined for kinds without one. */
function numbersOf({ kind, record, work }: DocumentInProgress): Numbers | undefined {
  if (kind.resource.document.unique?.perUser)
    return work.userNumbers.get(record.User?.UserID ?? "");
  return kind.series === undefined ? undefined : work.numbers;
}

/** Numbers the document: from its series, or with the sent number. */
function number(document: DocumentInProgress): void {
  const { kind, record, existing, id, faults } = document;
  const { resource } = kind;
  if (resource.document.number === undefined) return;
  const ownNumber = numberOf(resource, record) ?? (existing && numberOf(resource, existing));
  const numbers = numbersOf(document);
  if (numbers !== undefined) {
    const assigned = ownNumber ?? numbers.next();
    Object.assign(record, { [resource.document.number]: assigned });
    numbers.check(assigned, id, faults);
  }
}

/** Adds faults of life cycle and lock dates; a document without postings is never locked. */
function judge(document: DocumentInProgress): void {
  const { record, existing, faults, batch, kind, approved, wasApproved, applied, linesBefore } =
    document;
  if (kind.sentTooEarly && record.SentToContact && !approved)
    faults.add("Status", kind.sentTooEarly);
  if (isPosting(document)) {
    const formerDate = wasApproved ? existing?.Date : undefined;
    for (const date of new Set([record.Date, formerDate ?? record.Date])) {
      faults.collect(() => checkLock(date, batch.organisation));
    }
    checkVatNumber(document);
  }
  if (existing === undefined) return;
  if (record.Type !== existing.Type) {
    faults.add(
      "ApprovedFields",
      `The Type of ${withArticle(kind.resource.noun)} cannot be changed.`,
    );
  }
  const changedNames = kind.posts === undefined ? [] : changedFields(existing, linesBefore, record);
  faults.collect(() => mayEdit(kind.lifeCycle, existing.Status, applied, changedNames));
}

/** Adds a fault for sales elsewhere in the EU to a customer without a VAT number of there. */
function checkVatNumber({ record, contact, faults, batch }: DocumentInProgress): void {
  const { CountryCode } = batch.organisation;
  const taxTypes = record.LineItems.flatMap(({ TaxType }) => TaxType ?? []);
  const [taxType] = unionTypes(CountryCode, taxTypes);
  if (taxType === undefined || contact === undefined) return;
  if (vatNumberAbroad(contact.TaxNumber, CountryCode) !== undefined) return;
  const number = contact.TaxNumber ? `, and ${contact.TaxNumber} is none` : "";
  faults.add(
    "Required",
    `${taxType} needs the VAT number of a customer in another country of the EU${number}: the TaxNumber of ${contact.Name}.`,
  );
}

function setDueAmount({ record, kind }: DocumentInProgress): void {
  const { open } = kind.resource.document;
  if (open === undefined) return;
  record[open] = (owedOf(record) - record.AmountPaid - record.AmountCredited) as Cents;
}

/** Whether the document gets approved, or was approved and its postings change. */
function isPosting({
  record,
  existing,
  kind,
  linesBefore,
  approved,
  wasApproved,
}: DocumentInProgress): boolean {
  if (!approved || kind.posts === undefined) return false;
  if (existing === undefined || !wasApproved) return true;
  return postingInputs(existing, linesBefore) !== postingInputs(record, record.LineItems);
}

/**
 * Posts the document to the ledger, replacing its former postings.
 *
 * @throws RefusedError for lack of stock
 */
function post(document: DocumentInProgress): void {
  const { record, id, kind, work, wasApproved, applied } = document;
  if (!isPosting(document)) return;
  const stage = work.posting.stage(work.itemByCode);
  if (wasApproved) {
    const liveJournals = work.liveJournalsById.get(id) ?? [];
    const stockMoves = work.movesById.get(id) ?? [];
    const amountDue = stage.replace(record, work.chart, liveJournals, stockMoves);
    // With settlements applied, the amounts are frozen, and so is the open amount.
    if (!applied) record.BaseDue = amountDue;
  } else {
    record.BaseDue = stage.approve(record, work.chart);
  }
  stage.commit(record.Source);
  warnOfLaterSales(document);
  if (!wasApproved) warnOfBankDetails(document);
  if (kind.resource.document.open === undefined) record.BaseDue = 0 as Cents;
}

/** Warns of later sales, whose posted cost the purchase does not change. */
function warnOfLaterSales({ record, kind, work, entry }: DocumentInProgress): void {
  if (!isPurchase(kind)) return;
  const bought = new Set(record.LineItems.map(({ Item }) => Item?.ItemID));
  const later = work.laterSales.filter((sale) => sale.date > record.Date && bought.has(sale.item));
  const count = new Set(later.map((laterSale) => laterSale.document)).size;
  if (count === 0) return;
  const more = work.laterSales.length === laterSalesMax ? " or more" : "";
  entry.warnings.push(
    count === 1
      ? "1 sale of a later day keeps its cost: goods cost the average of when they are posted."
      : `${count}${more} sales of later days keep their cost: goods cost the average of when they are posted.`,
  );
}

/** Warns where an invoice names no account to pay to, though invoices in other currencies do. */
function warnOfBankDetails({ record, kind, work, entry }: DocumentInProgress): void {
  const { CurrencyCode } = record;
  if (kind.posts !== "ACCREC" || !lacksBankDetails(work.themes, CurrencyCode, work.currencies.base))
    return;
  entry.warnings.push(
    `No branding theme has bank details for ${CurrencyCode}, so the invoice names no account to pay to.`,
  );
}

/** Sets the status PAID on approval of a zero total; otherwise settlements do. */
function setPaidStatus({ record, kind, approved, applied }: DocumentInProgress): void {
  if (!approved || applied || kind.posts === undefined || kind.resource.document.open === undefined)
    return;
  record.Status = settledStatus(record.Total);
  record.FullyPaidOnDate = record.Status === "PAID" ? record.Date : undefined;
}

function setSettlement(document: DocumentInProgress): void {
  const { record, existing, entry, id, work, kind, contact, approved } = document;
  if (approved && contact !== undefined && kind.role !== undefined) {
    work.contacts.mark(contact, kind.role);
  }
  const number = numberOf(kind.resource, record);
  if (number !== undefined) numbersOf(document)?.take(number, id);
  entry.record = record;
  entry.history.push(...notesOfEdit(record, existing));
}

function resolveContact(document: DocumentInProgress): void {
  const { input, existing, work, faults, record, kind } = document;
  const reference = input.Contact === undefined ? existing?.Contact : input.Contact;
  const { contactBy, resource } = kind;
  if (contactBy !== undefined && reference?.Name && !contactBy.some((key) => reference[key])) {
    const noun = withArticle(resource.noun);
    faults.add(
      "OneContact",
      `The Contact of ${noun} is given by ${contactBy.join(" or ")}; a Name alone is not enough.`,
    );
    return;
  }
  document.contact = work.contacts.resolve(reference, faults, existing?.Contact?.ContactID);
  if (document.contact !== undefined) record.Contact = document.contact;
}

/** Pipeline stage: sets the invoice that a credit note refers to by number. */
function resolveSource({
  record,
  input,
  existing,
  kind,
  work,
  faults,
  wasApproved,
}: DocumentInProgress): void {
  if (kind.resource !== creditNote) return;
  const formerSource = existing?.Source;
  const number = input.Source?.Number ?? formerSource?.Number;
  record.Source = formerSource;
  if (number === undefined || number === formerSource?.Number) return;
  if (wasApproved)
    faults.add("ApprovedFields", "The Source of a credit note that is approved cannot be changed.");
  record.Source = work.returned.resolve(record, number, faults);
}

/** Pipeline stage: sets the user, for documents that belong to users. */
function resolveUser({ input, existing, work, faults, record, kind }: DocumentInProgress): void {
  if (kind.resource.fields.User === undefined) return;
  const formerUser = existing?.User?.UserID;
  const UserID = input.User === undefined ? formerUser : input.User.UserID;
  const user = work.userById.get(UserID ?? "");
  const isRemoved = user?.OrganisationRole === "REMOVED" && UserID !== formerUser;
  if (user === undefined || isRemoved) {
    faults.add("NotFound", "A valid user should be identified using the UserID.");
  } else if (existing !== undefined && UserID !== formerUser) {
    faults.add(
      "ApprovedFields",
      `The User of ${withArticle(kind.resource.noun)} cannot be changed.`,
    );
  } else {
    const { EmailAddress, FirstName, LastName } = user;
    record.User = { UserID: user.UserID, EmailAddress, FirstName, LastName };
  }
}

function resolveDates(document: DocumentInProgress): void {
  const { record, batch, kind, complete, faults } = document;
  // An expense claim has its day by another name.
  if (kind.resource === expenseClaim) record.Date = record.ReportingDate ??= batch.today;
  record.Date ??= batch.today;
  if (kind.terms === undefined) return;
  record.DueDate ??= dueDateOf(document, kind.terms);
  if (complete && record.DueDate === undefined) {
    faults.add("Required", "DueDate is required to submit or approve an invoice.");
  }
}

/**
 * Returns the due date by the contact's payment terms, else the organisation's; undefined without
 * terms.
 */
function dueDateOf(
  { record, contact, batch }: DocumentInProgress,
  direction: NonNullable<DocumentKind["terms"]>,
): string | undefined {
  const own = contact?.PaymentTerms?.[direction];
  const term = own?.Type === undefined ? batch.organisation.PaymentTerms?.[direction] : own;
  return dueDate(record.Date, term);
}

function resolveTheme({ input, work, faults }: DocumentInProgress): void {
  const { BrandingThemeID } = input;
  if (
    BrandingThemeID !== undefined &&
    !work.themes.some((theme) => theme.BrandingThemeID === BrandingThemeID)
  ) {
    faults.add("NotFound", unknownTheme(BrandingThemeID));
  }
}

/**
 * Sets currency and exchange rate: a document keeps its rate, else takes the rate of its day, until
 * its currency changes.
 */
function resolveCurrency(document: DocumentInProgress): void {
  const { record, contact, input, existing, work, faults, kind } = document;
  const { currencies } = work;
  if (kind.bank !== undefined) record.CurrencyCode = currencyOfBank(document, currencies.base);
  else if (!hasCurrency(kind.resource)) record.CurrencyCode = currencies.base;
  else record.CurrencyCode ??= contact?.DefaultCurrency ?? currencies.base;
  const { CurrencyCode } = record;
  if ((input.CurrencyRate ?? 1) <= 0)
    faults.add("NegativeTotal", "CurrencyRate must be above zero.");
  if (CurrencyCode === currencies.base) {
    const { CurrencyRate = baseRate } = input;
    // A rate that is sent back may be of the currency that the document had before.
    if (CurrencyRate !== existing?.CurrencyRate) currencies.checkBaseRate(CurrencyRate, faults);
    record.CurrencyRate = baseRate;
    record.LastSettled = undefined;
    return;
  }
  record.LastSettled = laterDate(record.Date, record.LastSettled);
  record.CurrencyRate ??= baseRate;
  if (!currencies.check(CurrencyCode, faults)) return;
  // Each document made from a template takes the rate of its own day.
  if (kind.isTemplate) return;
  if (input.CurrencyRate === undefined && existing?.CurrencyCode !== CurrencyCode) {
    const rate = currencies.rateOn(CurrencyCode, record.Date);
    if (rate === undefined) faults.add("Currency", noRateMessage(CurrencyCode, record.Date));
    else record.CurrencyRate = rate;
  }
}

/** Drops fields that the kind of document lacks, with a warning of those that are sent. */
function dropForeignFields({ kind, record, input, entry }: DocumentInProgress): void {
  for (const field of kind.lacks ?? []) {
    if (record[field] === undefined) continue;
    record[field] = undefined;
    if (!input[field]) continue;
    const label = withArticle(kind.label.toLowerCase());
    entry.warnings.push(
      field === "Reference"
        ? `Reference is kept on sales ${kind.resource.noun}s only; ${label} has its ${kind.resource.document.number}.`
        : `${field} is not kept: ${label} has none.`,
    );
  }
}
