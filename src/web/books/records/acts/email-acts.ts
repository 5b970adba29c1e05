/** Emailing a document, a reminder, or a statement of account. */
import type { Client } from "../../../../client/client.ts";
import { html } from "../../../../output/markup.ts";
import { documentEmail, reminderEmail } from "../../../../output/words/emails.ts";
import { batchPayment } from "../../../../resources/batch-payment.ts";
import { contact } from "../../../../resources/contact.ts";
import { type Email, type EmailInput, email } from "../../../../resources/email.ts";
import {
  emailPath,
  isOverdue,
  receiversOf,
  reminderNote,
  whyNotEmailed,
} from "../../../../resources/email-words.ts";
import { UsageError } from "../../../../resources/errors.ts";
import { pathOf } from "../../../../resources/field.ts";
import { type Invoice, invoice } from "../../../../resources/invoice.ts";
import { isOfBill, type Remittance, remittance } from "../../../../resources/remittance.ts";
import { counted } from "../../../../resources/scalar.ts";
import { type Content, isolated } from "../../../frame/components.ts";
import { areaField, textField, typed } from "../../../frame/forms.ts";
import { ignoreForbidden } from "../../ledger/postings.ts";
import type { Act, AtRecord, DoneName } from "./act.ts";

const invoiceIn = ({ record }: AtRecord) => record as unknown as Invoice;
const isMailed = ({ list: { resource }, record }: AtRecord) =>
  whyNotEmailed(resource, record) === undefined;

/** The contact that a record is of, with its persons. */
async function partyOf({ ctx, record }: AtRecord) {
  const { ContactID = "" } = (record.Contact ?? record) as { readonly ContactID?: string };
  return (await ctx.client.find(contact, ContactID).catch(ignoreForbidden)) ?? {};
}

interface Mail {
  readonly name: string;
  readonly button: string;
  readonly asked: (at: AtRecord) => string;
  readonly isOpen: (at: AtRecord) => boolean;
  /** The usual email; a text that is undefined is written by the service. */
  readonly usualEmail: (at: AtRecord) => Promise<EmailInput>;
  readonly send: (at: AtRecord, client: Client, ownInput: EmailInput) => Promise<Email | undefined>;
}

function mailAct({ name, button, asked, isOpen, usualEmail: usual, send }: Mail): Act {
  return {
    ...{ name, button: () => button, isOpen, permissionPath: asked },
    async fields(at) {
      const { To = [], Subject, Message } = await usual(at);
      const { ctx } = at;
      const isWritten = Message === undefined;
      const hint = isWritten
        ? "The usual words when empty."
        : "How to pay, and the address online, follow it.";
      return html`${textField(ctx, {
        ...{ name: `${name}-to`, label: "To", value: To.join(", "), max: 4_000 },
        hint: "Addresses, with commas between them.",
      })}${textField(ctx, {
        ...{ name: `${name}-subject`, label: "Subject", value: Subject },
        ...(isWritten ? { isOptional: true } : {}),
      })}${areaField(ctx, { name: `${name}-text`, label: "Text", value: Message, hint, max: 4_000 })}`;
    },
    async question(at) {
      const { To, Subject } = inputOf(at, name);
      const subjectPart = Subject === undefined ? "" : html` with the subject ${isolated(Subject)}`;
      return { text: html`Send it to ${addresses(To)}${subjectPart}?`, button: "Send" };
    },
    async carryOut(at, client): Promise<DoneName> {
      const sentEmail = await send(at, client, inputOf(at, name));
      return sentEmail?.Status === "OUTBOX" ? "outbox" : "sent";
    },
  };
}

const addresses = (to: readonly string[]): Content =>
  html`${to.map((text, at) => html`${at === 0 ? "" : ", "}${isolated(text)}`)}`;

/** The email that was filled in. @throws UsageError */
function inputOf({ ctx }: AtRecord, name: string): EmailInput & { readonly To: string[] } {
  const read = (field: string) => typed(ctx, `${name}-${field}`).replaceAll("\r\n", "\n");
  const To = read("to")
    .split(/[,;\s]+/)
    .filter((text) => text !== "");
  if (To.length === 0) throw new UsageError("BadValue", "Say to which address it goes.");
  const invalid = To.find((text) => !/^[^\s@]+@[^\s@]+$/.test(text));
  if (invalid !== undefined) {
    throw new UsageError("BadValue", `\u201c${invalid.slice(0, 80)}\u201d is no email address.`);
  }
  const [Subject, Message] = [read("subject"), read("text")];
  return { To, ...(Subject && { Subject }), ...(Message && { Message }) };
}

const emailPathOf = ({ list }: AtRecord) => emailPath(list.resource);
const statementMails = "/Extensions/Statements/{ContactID}/Email";

const remittanceMails = `${pathOf(remittance)}/{PaymentID}/Email`;

/** Emails the paper of a record. */
async function emailRecord(
  client: Client,
  path: string,
  key: string,
  input: EmailInput,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Email | undefined> {
  const at = path.replace(/\{\w+\}/, encodeURIComponent(key));
  const [sent] = await client.act(email, at, { takes: email, input, parameters });
  return sent;
}

/** Remittance advices for the suppliers of a batch. @throws UsageError for one without an address */
async function advicesOf(client: Client, key: string): Promise<readonly Remittance[]> {
  const advices = await client.at(remittance, `${pathOf(remittance)}/${encodeURIComponent(key)}`);
  const silent = advices.find(({ Contact }) => !Contact?.EmailAddress);
  if (silent === undefined) return advices;
  const name = silent.Contact?.Name;
  throw new UsageError("BadValue", `${name} has no email address; nothing was sent.`);
}

/** Emails a letter to each supplier of a batch. */
const remittancesOfBatch: Act = {
  ...{ name: "remittances", button: () => "Email remittance advices" },
  permissionPath: () => remittanceMails,
  isOpen: ({ list, record: { Type, Status } }) =>
    list.resource === batchPayment && Type === "PAYBATCH" && Status === "AUTHORISED",
  async question({ ctx, key }) {
    const advices = await advicesOf(ctx.client, key);
    return {
      text: html`Send ${counted(advices.length, "letter")}, to ${addresses(
        advices.map(({ Contact }) => `${Contact?.Name} (${Contact?.EmailAddress})`),
      )}?`,
      button: "Send",
    };
  },
  async carryOut({ key }, client) {
    let lastEmail: Email | undefined;
    for (const { Contact } of await advicesOf(client, key)) {
      const parameters = { contactID: Contact?.ContactID ?? "" };
      lastEmail = await emailRecord(client, remittanceMails, key, {}, parameters);
    }
    return lastEmail?.Status === "OUTBOX" ? "outbox" : "sent";
  },
};

export const mails: readonly Act[] = [
  mailAct({
    ...{ name: "email", button: "Email", asked: emailPathOf },
    isOpen: isMailed,
    usualEmail: async (at) =>
      documentEmail(at.list.resource, at.record, await partyOf(at), at.ctx.organisation),
    send: ({ key, list }, client, emailInput) => client.email(list.resource, key, emailInput),
  }),
  mailAct({
    ...{ name: "remind", button: "Remind", asked: emailPathOf },
    isOpen: (at) =>
      at.list.resource === invoice && isMailed(at) && isOverdue(invoiceIn(at), at.ctx.today),
    async usualEmail(at) {
      const document = invoiceIn(at);
      const { InvoiceNumber, Handle, InvoiceID } = document;
      const name = InvoiceNumber || Handle || InvoiceID;
      return {
        To: receiversOf(await partyOf(at)),
        ...reminderEmail(document, name, at.ctx.today, at.ctx.organisation.CountryCode),
      };
    },
    async send(at, client, emailInput) {
      const sentEmail = await client.email(invoice, at.key, emailInput);
      if (sentEmail?.Status !== "OUTBOX") {
        await client.note(invoice, at.key, reminderNote(invoiceIn(at)));
      }
      return sentEmail;
    },
  }),
  mailAct({
    ...{ name: "statement", button: "Email a statement", asked: () => statementMails },
    isOpen: ({ list }) => list.resource === contact,
    usualEmail: async (at) => ({ To: receiversOf(await partyOf(at)) }),
    send: ({ ctx, key }, client, emailInput) =>
      emailRecord(client, statementMails, key, emailInput, { date: ctx.today }),
  }),
  mailAct({
    ...{ name: "remittance", button: "Email remittance advice", asked: () => remittanceMails },
    isOpen: ({ record }) => isOfBill(record),
    usualEmail: async (at) => ({ To: receiversOf(await partyOf(at)) }),
    send: ({ key }, client, emailInput) => emailRecord(client, remittanceMails, key, emailInput),
  }),
  remittancesOfBatch,
];
