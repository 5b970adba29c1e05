/**
 * The online page of a document: its paper form, its status, how to pay, its attachments, and the
 * answer to a quote.
 */
import { daysBetween } from "../../ledger/dates/calendar.ts";
import type { StatementMove } from "../../ledger/reports/contacts/statement.ts";
import { wordsOf } from "../../output/words/languages.ts";
import type { PaperLanguage } from "../../output/words/words.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
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
  const { today, organisation } = await organisationContext(call, tx);
  const paper = await toPrint(call, tx, endpoint, recordId);
  const isFinal = document.Status !== "SUBMITTED";
  return {
    ...paper,
    // What is not final yet asks nobody to pay.
    printed: isFinal ? paper.printed : { ...paper.printed, pay: undefined },
    kind,
    recordId,
    noun: resource.noun,
    standing: standings[kind](document as never, today, wordsOf(organisation.CountryCode)),
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
  const words = wordsOf(statement.organisation.CountryCode);
  const isLate = owed.some(({ overdue }) => overdue > 0);
  return {
    ...{ printed, parts, name, kind: "Contact", recordId: contactId, noun: "statement" },
    standing:
      owed.length === 0
        ? { text: words.say("Nothing is due."), tone: "done" }
        : { text: `${dueText(owed, words)}.`, tone: isLate ? "late" : "open" },
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

function invoiceStanding(document: Invoice, today: string, words: PaperLanguage): DocumentStatus {
  const { Status, AmountDue, CurrencyCode, DueDate, FullyPaidOnDate } = document;
  const { say, day } = words;
  if (Status === "VOIDED") {
    return { text: say("This invoice was cancelled. Nothing is due."), tone: "void" };
  }
  if (Status === "SUBMITTED") return { text: say("This invoice is not final yet."), tone: "open" };
  if (AmountDue <= 0) {
    const text =
      FullyPaidOnDate === undefined
        ? say("Paid. Thank you.")
        : say("Paid on %. Thank you.", day(FullyPaidOnDate));
    return { text, tone: "done" };
  }
  const open = words.sum(AmountDue, CurrencyCode);
  if (DueDate === undefined) return { text: say("% due", open), tone: "open" };
  const days = daysBetween(DueDate, today);
  if (days <= 0) return { text: say("% due on %", open, day(DueDate)), tone: "open" };
  const late = days === 1 ? "% due since %, % day late" : "% due since %, % days late";
  return { text: say(late, open, day(DueDate), String(days)), tone: "late" };
}

function creditNoteStanding(
  { Status, RemainingCredit, CurrencyCode }: CreditNote,
  _today: string,
  words: PaperLanguage,
): DocumentStatus {
  const { say } = words;
  if (Status === "VOIDED") return { text: say("This credit note was cancelled."), tone: "void" };
  if (Status === "SUBMITTED") {
    return { text: say("This credit note is not final yet."), tone: "open" };
  }
  const left = words.sum(RemainingCredit, CurrencyCode);
  return RemainingCredit > 0
    ? { text: say("% of credit remaining", left), tone: "open" }
    : { text: say("All of this credit has been used."), tone: "done" };
}

function quoteStanding(
  document: Quote,
  today: string,
  { say, day }: PaperLanguage,
): DocumentStatus {
  const { Status, ExpiryDate } = document;
  if (Status === "ACCEPTED") return { text: say("Accepted. Thank you."), tone: "done" };
  if (Status === "DECLINED") return { text: say("Declined."), tone: "void" };
  if (Status === "INVOICED")
    return { text: say("Accepted and invoiced. Thank you."), tone: "done" };
  if (ExpiryDate === undefined) return { text: say("Waiting for your answer"), tone: "open" };
  const on = day(ExpiryDate);
  return isOpen(document, today)
    ? { text: say("Valid until %", on), tone: "open" }
    : { text: say("This quote expired on %.", on), tone: "late" };
}

const standings = {
  Invoice: invoiceStanding,
  CreditNote: creditNoteStanding,
  Quote: quoteStanding,
} as const;

function isOpen({ Status, ExpiryDate }: Quote, today: string): boolean {
  return Status === "SENT" && (ExpiryDate === undefined || today <= ExpiryDate);
}
