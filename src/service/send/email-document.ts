/** Documents sent by email: POST /Invoices/{id}/Email, and extensions for other kinds. */

import { isApproved } from "../../ledger/documents/lifecycle.ts";
import { documentEmail } from "../../output/words/emails.ts";
import { type MailedName, whyNotEmailed } from "../../resources/email-words.ts";
import { refusal } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { contact } from "../../resources/index.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { emailHeaders, type ServiceResponse } from "../../wire/http.ts";
import { kindOf } from "../documents/document-registry.ts";
import type { StoredDocument } from "../documents/stored-documents.ts";
import { type DocumentEndpoint, documentEndpointOf, invoices } from "../records/documents.ts";
import { noContent } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { checkBuying } from "../request/permissions.ts";
import { addressMaker, onlineKinds } from "./address.ts";
import { type Letter, readMessage, sendLetter } from "./email.ts";

/** Options for sending a document. */
type EmailOptions = Omit<Parameters<typeof sendLetter>[2], "mark">;

/**
 * POST /Invoices/{id}/Email: sends the invoice with a PDF and without a copy. The body, empty in
 * the public API, may contain recipients and text of the message. The answer is empty too, so that
 * headers say where the message was put into the outbox.
 */
export function emailInvoice(call: RequestContext, key: string): Promise<ServiceResponse> {
  return sendInvoice(call, key, {
    own: () => readMessage(call),
    answered({ Status, To = [], Cc = [], File = "" }) {
      const mailHeaders = {
        [emailHeaders.to]: encodeURIComponent([...To, ...Cc].join(", ")),
        [emailHeaders.file]: File,
      };
      const isInOutbox = Status === "OUTBOX";
      const headers = {
        [emailHeaders.status]: isInOutbox ? "outbox" : "sent",
        ...(isInOutbox ? mailHeaders : undefined),
      };
      return { ...noContent, headers };
    },
  });
}

/** @throws RefusedError when it may not be emailed, UnavailableError when sending failed */
export const sendInvoice = (call: RequestContext, key: string, options: EmailOptions) =>
  sendDocument(call, invoices, key, options);

/** POST /Extensions/{Documents}/{id}/Email: sends a document of another kind, and answers the email. */
export const emailDocument = (call: RequestContext, name: MailedName, key: string) =>
  sendDocument(call, documentEndpointOf(name), key, { own: () => readMessage(call) });

async function sendDocument(
  call: RequestContext,
  endpoint: DocumentEndpoint,
  key: string,
  options: EmailOptions,
) {
  const addressOf = await addressMaker(call);
  const letter = await call.read((tx) =>
    compose(call, tx, { endpoint, key, addressOf, ...options }),
  );
  const markAsSent = (tx: Tx) => markSent(call, tx, endpoint, letter.id);
  return sendLetter(call, letter, { ...options, mark: markAsSent });
}

interface EmailComposition extends Pick<EmailOptions, "withPdf"> {
  readonly endpoint: DocumentEndpoint;
  readonly key: string;
  readonly addressOf: Awaited<ReturnType<typeof addressMaker>>;
}

async function compose(
  call: RequestContext,
  tx: Tx,
  { endpoint, key, addressOf, withPdf }: EmailComposition,
): Promise<Letter> {
  const { resource } = endpoint;
  const document = await locate(call, tx, endpoint, key);
  checkBuying(call.principal, document.Type);
  const { organisation } = await organisationContext(call, tx);
  const reason = whyNotEmailed(resource, document);
  if (reason !== undefined) throw refusal("Status", reason);
  const [party = {}] = await fetch(tx, contact, "ContactID", [document.Contact?.ContactID ?? ""]);
  const { toPrint } = await import("./print.ts");
  const id = idOf(resource, document);
  const { noun } = resource;
  const isOnline = resource.name in onlineKinds;
  return {
    ...{ resource, id, party, organisation, named: `the ${noun}`, title: `This ${noun}` },
    noun: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    usualTexts: documentEmail(resource, document, party, organisation, withPdf),
    address: isOnline
      ? await addressOf?.(tx, resource.name as keyof typeof onlineKinds, id)
      : undefined,
    paper: await toPrint(call, tx, endpoint, id),
  };
}

/** Marks a document as sent, where it is approved: one that is submitted may be emailed too. */
async function markSent(
  call: RequestContext,
  tx: Tx,
  endpoint: DocumentEndpoint,
  id: string,
): Promise<void> {
  const { resource } = endpoint;
  if (resource.fields.SentToContact === undefined) return;
  const stored: StoredDocument = await locate(call, tx, endpoint, id);
  const SentToContact =
    stored.SentToContact || isApproved(kindOf(stored).lifeCycle, stored.Status ?? "");
  await save(tx, resource, [{ ...stored, SentToContact, UpdatedDateUTC: call.now() }]);
}
