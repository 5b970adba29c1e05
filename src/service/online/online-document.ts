/**
 * The online page of a document: its paper form, its status, how to pay, its attachments, and the
 * answer to a quote.
 */
import { daysBetween, mediumDate } from "../../ledger/dates/calendar.ts";
import type { StatementMove } from "../../ledger/reports/contacts/statement.ts";
import { amount } from "../../output/figures.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Quote } from "../../resources/quote.ts";
import { attachmentsOf, type KeptAttachment } from "../../store/records/attachments.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { CustomerDocument, DocumentStatus } from "../../web/customer/page.ts";
import { documentEndpointOf } from "../records/documents.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import {
  type AddressOf,
  isGenuine,
  type OnlineAddress,
  type OnlineKindName,
  onlineKinds,
} from "../send/address.ts";
import { type ToPrint, toPrint } from "../send/print.ts";
import { composeStatement, dueText } from "../statements/send-statement.ts";

export interface OnlineDocument extends ToPrint, CustomerDocument {
  readonly kind: OnlineKindName;
  readonly recordId: string;
  /** Noun of the document in a sentence: `credit note`. */
  readonly noun: string;
  readonly files: readonly KeptAttachment[];
}

/** Finds the document of a link. @returns undefined for any invalid link */
export async function findOnlineDocument(
  call: RequestContext,
  tx: Tx,
  address: OnlineAddress,
  addressOf?: AddressOf,
): Promise<OnlineDocument | undefined> {
  if (!(await isGenuine(tx, address))) return undefined;
  const { kind, recordId } = address;
  if (kind === "Contact") return onlineStatement(call, tx, recordId, addressOf);
  const { resource, absent } = onlineKinds[kind];
  const endpoint = documentEndpointOf(kind);
  const document = await locate(call, tx, endpoint, recordId);
  if (absent(document) !== undefined) return undefined;
  const { today } = await organisationContext(call, tx);
  return {
    ...(await toPrint(call, tx, endpoint, recordId)),
    kind,
    recordId,
    noun: resource.noun,
    standing: standings[kind](document as never, today),
    files: (await attachmentsOf(tx, recordId)).filter((file) => file.includeOnline),
    isAnswerable: kind === "Quote" && isOpen(document as unknown as Quote, today),
  };
}

/** The statement of a contact as of today, in which documents lead to their pages. */
async function onlineStatement(
  call: RequestContext,
  tx: Tx,
  contactId: string,
  addressOf: AddressOf | undefined,
): Promise<OnlineDocument | undefined> {
  const statement = await composeStatement(call, tx, contactId);
  const { party, due, documents, printed, parts, name } = statement;
  if (onlineKinds.Contact.absent({ ...party }) !== undefined) return undefined;
  const owed = due.filter(({ open }) => open > 0);
  const isLate = owed.some(({ overdue }) => overdue > 0);
  return {
    ...{ printed, parts, name, kind: "Contact", recordId: contactId, noun: "statement" },
    standing:
      owed.length === 0
        ? { text: "Nothing is due.", tone: "done" }
        : { text: `${dueText(owed)}.`, tone: isLate ? "late" : "open" },
    ...{ files: [], isAnswerable: false, links: await linksOf(tx, documents, addressOf) },
  };
}

/** Returns the addresses of documents that have a page, by number. */
async function linksOf(
  tx: Tx,
  documents: readonly StatementMove[],
  addressOf: AddressOf | undefined,
): Promise<ReadonlyMap<string, string>> {
  const linkByNumber = new Map<string, string>();
  for (const { number, documentId, type } of documents) {
    if (!number || addressOf === undefined || !/^ACCREC/.test(type)) continue;
    const kind = type === "ACCREC" ? "Invoice" : "CreditNote";
    linkByNumber.set(number, await addressOf(tx, kind, documentId));
  }
  return linkByNumber;
}

// --- status of documents -----------------------------------------------------------------------

const inCurrency = (code: string, cents: Cents) => `${code} ${amount(cents, code)}`;

function invoiceStanding(document: Invoice, today: string): DocumentStatus {
  const { Status, AmountDue, CurrencyCode, DueDate, FullyPaidOnDate } = document;
  if (Status === "VOIDED") {
    return { text: "This invoice was cancelled. Nothing is due.", tone: "void" };
  }
  if (Status === "SUBMITTED") return { text: "This invoice is not final yet.", tone: "open" };
  if (AmountDue <= 0) {
    const on = FullyPaidOnDate === undefined ? "" : ` on ${mediumDate(FullyPaidOnDate)}`;
    return { text: `Paid${on}. Thank you.`, tone: "done" };
  }
  const amountDue = `${inCurrency(CurrencyCode, AmountDue)} due`;
  if (DueDate === undefined) return { text: amountDue, tone: "open" };
  const dayCount = daysBetween(DueDate, today);
  if (dayCount <= 0) return { text: `${amountDue} on ${mediumDate(DueDate)}`, tone: "open" };
  const daysLate = `${dayCount} ${dayCount === 1 ? "day" : "days"} late`;
  return { text: `${amountDue} since ${mediumDate(DueDate)}, ${daysLate}`, tone: "late" };
}

function creditNoteStanding({ Status, RemainingCredit, CurrencyCode }: CreditNote): DocumentStatus {
  if (Status === "VOIDED") return { text: "This credit note was cancelled.", tone: "void" };
  if (Status === "SUBMITTED") return { text: "This credit note is not final yet.", tone: "open" };
  return RemainingCredit > 0
    ? { text: `${inCurrency(CurrencyCode, RemainingCredit)} of credit remaining`, tone: "open" }
    : { text: "All of this credit has been used.", tone: "done" };
}

function quoteStanding(document: Quote, today: string): DocumentStatus {
  const { Status, ExpiryDate } = document;
  if (Status === "ACCEPTED") return { text: "Accepted. Thank you.", tone: "done" };
  if (Status === "DECLINED") return { text: "Declined.", tone: "void" };
  if (Status === "INVOICED") return { text: "Accepted and invoiced. Thank you.", tone: "done" };
  if (ExpiryDate === undefined) return { text: "Waiting for your answer", tone: "open" };
  const on = mediumDate(ExpiryDate);
  return isOpen(document, today)
    ? { text: `Valid until ${on}`, tone: "open" }
    : { text: `This quote expired on ${on}.`, tone: "late" };
}

const standings = {
  Invoice: invoiceStanding,
  CreditNote: creditNoteStanding,
  Quote: quoteStanding,
} as const;

function isOpen({ Status, ExpiryDate }: Quote, today: string): boolean {
  return Status === "SENT" && (ExpiryDate === undefined || today <= ExpiryDate);
}
