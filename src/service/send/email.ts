/** POST /Invoices/{id}/Email: sends invoices by email. */

import { invoiceLifeCycle, isApproved, mayEmail } from "../../ledger/documents/lifecycle.ts";
import type { Printed } from "../../output/pdf/printed.ts";
import {
  fileNameOf,
  isEmailAddress,
  type MailAttachment,
  type Message,
} from "../../platform/mail.ts";
import { type EmailInput, email, recipientsMax } from "../../resources/email.ts";
import { invoiceEmail } from "../../resources/email-words.ts";
import { refusal } from "../../resources/errors.ts";
import { contact, invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { validate } from "../../resources/validate.ts";
import { returnNumbers, takeNumbers } from "../../store/chain/sequences.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { contentTypeOf } from "../../wire/format.ts";
import { emailHeaders, type ServiceResponse } from "../../wire/http.ts";
import type { StoredInvoice } from "../documents/stored-documents.ts";
import { invoices } from "../records/documents.ts";
import { noContent } from "../request/answer.ts";
import { organisationContext, type RequestContext, systemUser } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { checkBuying } from "../request/permissions.ts";
import { unique } from "../request/unique.ts";
import { readOptional } from "../request/write.ts";
import { addressMaker } from "./address.ts";
import type { ToPrint } from "./print.ts";

/** Daily limit of emails of an organisation; lower for trials. */
const dailyEmailsMax = { full: 1000, trial: 20 } as const;

/** Options for sending an invoice. */
export interface EmailOptions {
  /** Whether the PDF is attached, in addition to the link to the online page. */
  readonly withPdf: boolean;
  /** Whether the sender gets a copy. */
  readonly withCopy: boolean;
  /** Returns the caller's message; the default text fills in the rest. */
  readonly own?: () => EmailInput;
}

/**
 * POST /Invoices/{id}/Email: sends the invoice with a PDF and without a copy. The body, empty in
 * the public API, may contain recipients and text of the message.
 */
export async function emailInvoice(call: RequestContext, key: string): Promise<ServiceResponse> {
  return sendInvoice(call, key, { withPdf: true, withCopy: false, own: () => readMessage(call) });
}

/** Reads the message in the body. @throws RefusedError */
export function readMessage(call: RequestContext): EmailInput {
  const own: EmailInput = readOptional(call, { resource: email });
  const faults = new Faults();
  faults.addAll(validate(email.fields, own, { creating: true }));
  const recipients = [...(own.To ?? []), ...(own.Cc ?? [])];
  if (recipients.length > recipientsMax) {
    faults.add(
      "Limit",
      `An email goes to at most ${recipientsMax} addresses, not ${recipients.length}.`,
    );
  }
  for (const each of recipients) {
    if (!isEmailAddress(each)) faults.add("Form", `'${each}' is no email address.`);
  }
  faults.check();
  return own;
}

/**
 * Emails a sales invoice to its contact, and to the contact persons included in emails.
 *
 * One email of the daily limit is reserved first, so that concurrent senders never exceed it. The
 * message is sent before the invoice is marked as sent: a failure releases the reservation and
 * changes nothing else. A message put into the outbox is not sent, so it does not mark the invoice.
 *
 * @throws RefusedError when it may not be emailed, UnavailableError when sending failed
 */
export async function sendInvoice(
  call: RequestContext,
  key: string,
  { withPdf, withCopy, own }: EmailOptions,
): Promise<ServiceResponse> {
  const { InvoiceID, message, paper } = await compose(call, key, own);
  const giveItBack = await reserveEmail(call);
  if (!call.dryRun) {
    try {
      const to = withCopy ? unique([...message.to, message.from.address]) : message.to;
      await call.mailer({ ...message, to, attachments: withPdf ? [await attached(paper)] : [] });
    } catch (error) {
      // A failed release costs one email of the day; the original error is thrown.
      await giveItBack().catch(() => undefined);
      throw error;
    }
  }
  return call.write((tx) =>
    call.mailer.outbox === undefined
      ? markSent(call, tx, InvoiceID, message)
      : noteStored(call, tx, InvoiceID, message),
  );
}

export async function attached(paper: ToPrint): Promise<MailAttachment> {
  const { fileOf } = await import("./print.ts");
  const { name, bytes } = await fileOf(paper);
  return { name, type: contentTypeOf("pdf"), bytes };
}

interface Composed {
  readonly InvoiceID: string;
  readonly message: Message;
  readonly paper: ToPrint;
}

async function compose(
  call: RequestContext,
  key: string,
  read: EmailOptions["own"] = () => ({}),
): Promise<Composed> {
  const addressOf = await addressMaker(call);
  return call.read((tx) => composeIn(call, tx, key, { read, addressOf }));
}

interface Composing {
  readonly read: NonNullable<EmailOptions["own"]>;
  readonly addressOf: Awaited<ReturnType<typeof addressMaker>>;
}

async function composeIn(
  call: RequestContext,
  tx: Tx,
  key: string,
  { read, addressOf }: Composing,
): Promise<Composed> {
  const invoice = (await locate(call, tx, invoices, key)) as unknown as StoredInvoice;
  checkBuying(call.principal, invoice.Type);
  const { organisation } = await organisationContext(call, tx);
  checkEmail(invoice);
  const own = read();
  const [buyer] = await fetch(tx, contact, "ContactID", [invoice.Contact?.ContactID ?? ""]);
  const to = unique(own.To ?? []);
  if (to.length === 0 && !buyer?.EmailAddress) {
    throw refusal(
      "Required",
      `The contact ${buyer?.Name ?? ""} has no EmailAddress to send the invoice to.`,
    );
  }
  const usual = invoiceEmail(invoice, buyer, organisation.Name);
  const address = await addressOf?.(tx, "Invoice", invoice.InvoiceID);
  const { toPrint } = await import("./print.ts");
  const paper = await toPrint(call, tx, invoices, invoice.InvoiceID);
  return {
    InvoiceID: invoice.InvoiceID,
    paper,
    message: {
      from: senderOf(organisation, call.principal),
      to: to.length > 0 ? to : usual.To,
      cc: unique(own.Cc ?? []),
      subject: own.Subject ?? usual.Subject,
      text: letter(own.Message ?? usual.Message, paper.printed, address),
      at: call.now(),
      id: call.newId(),
    },
  };
}

/** Returns the sender of customer email: the organisation's address, or else the person's. */
export function senderOf(
  { Name, EmailAddress }: Pick<Organisation, "Name" | "EmailAddress">,
  { user, email }: RequestContext["principal"],
): Message["from"] {
  if (EmailAddress) return { name: Name, address: EmailAddress };
  return { name: user === systemUser ? Name : user, address: email };
}

function checkEmail({ Type, Status }: Invoice): void {
  if (mayEmail(Type, Status)) return;
  throw refusal(
    "Status",
    Type === "ACCREC"
      ? `An invoice with status ${Status} cannot be emailed; submit or approve it first.`
      : "A bill cannot be emailed; only sales invoices can.",
  );
}

/**
 * Reserves one email of the daily limit in a separate transaction, since sending takes too long for
 * one. A killed process does not release its reservation.
 *
 * @returns the function that releases it
 * @throws RefusedError when the limit is reached
 */
export async function reserveEmail(call: RequestContext): Promise<() => Promise<void>> {
  const { store, principal, dryRun } = call;
  const work = async (tx: Tx) => {
    const { organisation, today } = await organisationContext(call, tx);
    const tries = organisation.IsDemoCompany || organisation.Class === "TRIAL";
    const most = dailyEmailsMax[tries ? "trial" : "full"];
    const counter = dayCounter(today);
    if ((await takeNumbers(tx, counter, 1)) <= most) return counter;
    throw refusal(
      "Limit",
      `An organisation sends at most ${most} invoice emails a day; go on tomorrow.`,
    );
  };
  const counter = await store.write(principal.org, work, { dryRun, at: call.now });
  return () => store.write(principal.org, (tx) => returnNumbers(tx, counter, 1));
}

/** Returns the name of the counter of a day's emails. */
function dayCounter(today: string): string {
  return `emails ${today}`;
}

/** Returns the text of the message: how to pay, the link to the invoice, and the sender. */
export function letter(
  words: string,
  { organisation, pay }: Pick<Printed, "organisation" | "pay">,
  address: string | undefined,
): string {
  const { bankDetails = [], advice = [], reference } = pay ?? {};
  const named = reference === undefined ? [] : [`Please quote ${reference} with your payment.`];
  const paragraphs = [
    [words],
    bankDetails.length === 0 ? [] : ["How to pay:", ...bankDetails, ...named],
    advice,
    address === undefined ? [] : [`See it online: ${address}`],
    [organisation.name, ...organisation.lines],
  ];
  const text = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${text.join("\n\n")}\n`;
}

/** Returns all recipients of a message as text. */
const recipientsOf = ({ to, cc = [] }: Message) => [...to, ...cc].join(", ");

async function markSent(
  call: RequestContext,
  tx: Tx,
  id: string,
  message: Message,
): Promise<ServiceResponse> {
  const stored = (await locate(call, tx, invoices, id)) as unknown as StoredInvoice;
  // A submitted invoice may be emailed, but only an approved one is marked as sent.
  const SentToContact = stored.SentToContact || isApproved(invoiceLifeCycle, stored.Status);
  await save(tx, invoice, [{ ...stored, SentToContact, UpdatedDateUTC: call.now() }]);
  await enter(call, tx, invoice, id, {
    changes: "Invoice sent",
    details: `This invoice has been sent to ${recipientsOf(message)}`,
  });
  return { ...noContent, headers: { [emailHeaders.status]: "sent" } };
}

/** Notes in the history, and in response headers, that a message was put into the outbox. */
async function noteStored(
  call: RequestContext,
  tx: Tx,
  id: string,
  message: Message,
): Promise<ServiceResponse> {
  await enter(call, tx, invoice, id, {
    changes: "Invoice not sent",
    details: `This invoice was written to the outbox for ${recipientsOf(message)}, and not sent: there is no mail server.`,
  });
  const headers = {
    [emailHeaders.status]: "outbox",
    [emailHeaders.to]: encodeURIComponent(recipientsOf(message)),
    [emailHeaders.file]: fileNameOf(message),
  };
  return { ...noContent, headers };
}
