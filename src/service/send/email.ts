/** Papers sent by email: to whom, with which words, how many a day, and what the history says. */

import type { PrintedDocument } from "../../output/pdf/printed.ts";
import { english } from "../../output/words/words.ts";
import {
  fileNameOf,
  isEmailAddress,
  type MailAttachment,
  type Message,
} from "../../platform/mail.ts";
import type { Contact } from "../../resources/contact.ts";
import { type Email, type EmailInput, email, recipientsMax } from "../../resources/email.ts";
import { receiversOf } from "../../resources/email-words.ts";
import { refusal } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { validate } from "../../resources/validate.ts";
import { returnNumbers, takeNumbers } from "../../store/chain/sequences.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext, systemUser } from "../request/context.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { unique } from "../request/unique.ts";
import { readOptional } from "../request/write.ts";
import type { ToPrint } from "./print.ts";

/** Daily limit of emails of an organisation; lower for trials. */
const dailyEmailsMax = { full: 1000, trial: 20 } as const;

/** A paper to be emailed. */
export interface Letter {
  /** Record whose history says that it was sent. */
  readonly resource: Resource;
  readonly id: string;
  /** Names it in the history, `Invoice`, and in a refusal, `the invoice`. */
  readonly noun: string;
  readonly named: string;
  /** Begins the sentence of the history: `This invoice`. */
  readonly title: string;
  readonly party: Partial<Contact>;
  readonly usualTexts: Required<Pick<EmailInput, "Subject" | "Message">>;
  /** Address where it is online; undefined where no server publishes it. */
  readonly address: string | undefined;
  readonly paper: ToPrint;
  readonly organisation: Organisation;
}

interface SendOptions {
  /** Returns the caller's message; the usual one fills in the rest. */
  readonly own?: (() => EmailInput) | undefined;
  /** Whether the PDF is attached, in addition to the link to the online page. */
  readonly withPdf?: boolean | undefined;
  /** Whether the sender gets a copy. */
  readonly withCopy?: boolean | undefined;
  /** Marks the record as sent. */
  readonly mark?: (tx: Tx) => Promise<void>;
  /** Answers what was sent; by the record of the email when not given. */
  readonly answered?: ((sent: Email) => ServiceResponse) | undefined;
}

/** Reads the message in the body. @throws RefusedError */
export function readMessage(call: RequestContext): EmailInput {
  const emailInput: EmailInput = readOptional(call, { resource: email });
  const faults = new Faults();
  faults.addAll(validate(email.fields, emailInput, { creating: true }));
  const recipients = [...(emailInput.To ?? []), ...(emailInput.Cc ?? [])];
  if (recipients.length > recipientsMax) {
    faults.add(
      "Limit",
      `An email goes to at most ${recipientsMax} addresses, not ${recipients.length}.`,
    );
  }
  for (const recipient of recipients) {
    if (!isEmailAddress(recipient)) faults.add("Form", `'${recipient}' is no email address.`);
  }
  faults.check();
  return emailInput;
}

/**
 * Emails a paper to its contact, and to the contact persons included in emails.
 *
 * One email of the daily limit is reserved first, so that concurrent senders never exceed it. The
 * message is sent before the record is marked as sent: a failure releases the reservation and
 * changes nothing else. A message put into the outbox is not sent, so it marks nothing.
 *
 * @throws RefusedError where there is no recipient, UnavailableError when sending failed
 */
export async function sendLetter(
  call: RequestContext,
  paper: Letter,
  { own: read = () => ({}), withPdf = true, withCopy = false, mark, answered }: SendOptions,
): Promise<ServiceResponse> {
  const message = messageOf(call, paper, read());
  const giveItBack = await reserveEmail(call);
  if (!call.dryRun) {
    try {
      const to = withCopy ? unique([...message.to, message.from.address]) : message.to;
      const attachments = withPdf ? [await toAttachment(paper.paper)] : [];
      await call.mailer({ ...message, to, attachments });
    } catch (error) {
      // A failed release costs one email of the day; the original error is thrown.
      await giveItBack().catch(() => undefined);
      throw error;
    }
  }
  const isInOutbox = call.mailer.outbox !== undefined;
  const { resource, id, noun: called, title } = paper;
  const { to, cc = [], subject: Subject } = message;
  const receivers = [...to, ...cc].join(", ");
  return call.write(async (tx) => {
    if (!isInOutbox) await mark?.(tx);
    await enter(call, tx, resource, id, {
      changes: isInOutbox ? `${called} not sent` : `${called} sent`,
      details: isInOutbox
        ? `${title} was written to the outbox for ${receivers}, and not sent: there is no mail server.`
        : `${title} has been sent to ${receivers}`,
    });
    const sentEmail: Email = {
      ...{ Status: isInOutbox ? "OUTBOX" : "SENT", To: [...to], Cc: [...cc], Subject },
      ...(isInOutbox ? { File: fileNameOf(message) } : {}),
    };
    return answered?.(sentEmail) ?? answer(call, email, [sentEmail], "single");
  });
}

/** @throws RefusedError where there is no recipient */
function messageOf(call: RequestContext, paper: Letter, emailInput: EmailInput): Message {
  const { party, named, usualTexts: usual, organisation, address } = paper;
  const to = unique(emailInput.To ?? []);
  if (to.length === 0 && !party.EmailAddress) {
    const message = `The contact ${party.Name ?? ""} has no EmailAddress to send ${named} to.`;
    throw refusal("Required", message);
  }
  return {
    from: senderOf(organisation, call.principal),
    to: to.length > 0 ? to : receiversOf(party),
    cc: unique(emailInput.Cc ?? []),
    subject: emailInput.Subject ?? usual.Subject,
    text: letterText(emailInput.Message ?? usual.Message, paper.paper.printed, address),
    at: call.now(),
    id: call.newId(),
  };
}

async function toAttachment(paper: ToPrint): Promise<MailAttachment> {
  const { fileOf } = await import("./print.ts");
  const { name, bytes } = await fileOf(paper);
  return { name, type: contentTypeOf("pdf"), bytes };
}

/** Returns the sender of customer email: the organisation's address, or else the person's. */
function senderOf(
  { Name, EmailAddress }: Pick<Organisation, "Name" | "EmailAddress">,
  { user, email }: RequestContext["principal"],
): Message["from"] {
  if (EmailAddress) return { name: Name, address: EmailAddress };
  return { name: user === systemUser ? Name : user, address: email };
}

/**
 * Reserves one email of the daily limit in a separate transaction, since sending takes too long for
 * one. A killed process does not release its reservation.
 *
 * @returns the function that releases it
 * @throws RefusedError when the limit is reached
 */
async function reserveEmail(call: RequestContext): Promise<() => Promise<void>> {
  const { store, principal, dryRun } = call;
  const takeNumber = async (tx: Tx) => {
    const { organisation, today } = await organisationContext(call, tx);
    const isTrial = organisation.IsDemoCompany || organisation.Class === "TRIAL";
    const most = dailyEmailsMax[isTrial ? "trial" : "full"];
    const counter = dayCounter(today);
    if ((await takeNumbers(tx, counter, 1)) <= most) return counter;
    throw refusal("Limit", `An organisation sends at most ${most} emails a day; go on tomorrow.`);
  };
  const counter = await store.write(principal.org, takeNumber, { dryRun, at: call.now });
  return () => store.write(principal.org, (tx) => returnNumbers(tx, counter, 1));
}

/** Returns the name of the counter of a day's emails. */
function dayCounter(today: string): string {
  return `emails ${today}`;
}

/**
 * Returns the text of the message, with how to pay, the link to the invoice, and the sender; in
 * German and French with a closing formula, unless the message has it.
 */
function letterText(
  message: string,
  { organisation, pay, words: { say, language } = english }: PrintedDocument,
  address: string | undefined,
): string {
  const { bankDetails = [], advice = [], reference } = pay ?? {};
  const named = reference === undefined ? [] : [say("Please pay with the reference %.", reference)];
  const closing = say("Kind regards,");
  const isClosed = language === undefined || message.includes(closing.replace(/,$/, ""));
  const paragraphs = [
    [message],
    bankDetails.length === 0 ? named : [say("How to pay:"), ...bankDetails, ...named],
    advice,
    address === undefined ? [] : [say("See it online: %", address)],
    [...(isClosed ? [] : [closing]), organisation.name, ...organisation.lines],
  ];
  const text = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${text.join("\n\n")}\n`;
}
