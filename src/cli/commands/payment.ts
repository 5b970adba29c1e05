/** `acct payment`: payments of invoices and bills. */

import { isShortId } from "../../client/find.ts";
import { longDate } from "../../ledger/dates/calendar.ts";
import { amountText } from "../../resources/common.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { isHandle } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { type Payment, type PaymentInput, payment } from "../../resources/payment.ts";
import { isGuid } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, nameOfRecord, sayChanges } from "../framework/confirm.ts";
import { createRecords, recordsOf } from "../shared/bulk-results.ts";
import { paidParts, remainingAmount } from "../shared/credits/allocate.ts";
import { creditNamed } from "../shared/credits/find-credit.ts";
import { type PaymentOptions, paymentFields, refund } from "../shared/credits/refund-verb.ts";
import { findDocument } from "../shared/find-document.ts";
import { listCommand } from "../shared/list-verb.ts";
import { remittanceVerb } from "../shared/remittance-verb.ts";
import {
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  showCommand,
  withArticle,
} from "../shared/verbs.ts";

/**
 * Declares `acct payment apply INVOICE`. Tests pass their own `run` to inspect the parsed values.
 */
function applyCommand(run = apply) {
  return command("apply", "pay an invoice or a bill")
    .keys(invoice) // INV-0042 or a GUID
    .creates(payment)
    .fields(payment, paymentFields, {
      Account: { required: true },
      Amount: { help: "what is due when not given; in the currency of the document" },
    })
    .asks(async () => (await import("../prompts/wizards/payment.ts")).paymentWizard)
    .note("A credit note is paid back by it, as by credit-note refund.")
    .example("acct payment apply INV-0204 --account 090")
    .example("acct payment apply S-1111 --account 090 --amount 100 --date yesterday")
    .action(run);
}

async function apply(
  ctx: Context,
  keys: readonly string[],
  options: PaymentOptions,
): Promise<void> {
  const [only = "", ...others] = keys;
  if (others.length === 0) {
    const input = await paymentOf(ctx, only, options);
    return input && createRecords(ctx, payment, [input]);
  }
  if (options.Amount !== undefined) {
    throw new UsageError("BadFlags", "--amount is of one document; several are paid what is due.");
  }
  const inputs: PaymentInput[] = [];
  const documentByKey = await recordsOf(invoice, keys, (key) => findDocument(ctx, undefined, key));
  for (const [key, { InvoiceID, Status, AmountDue }] of documentByKey) {
    if (AmountDue === 0) {
      throw new UsageError("NothingDue", `Nothing is due on ${key}, which is ${Status}.`);
    }
    inputs.push({ Amount: AmountDue, ...options, Invoice: { InvoiceID } });
  }
  await createRecords(ctx, payment, inputs);
}

/** Returns the payment of a document; undefined for a credit, which is refunded. */
async function paymentOf(
  ctx: Context,
  key: string,
  options: PaymentOptions,
): Promise<PaymentInput | undefined> {
  const document = await findDocument(ctx, undefined, key).catch((error: unknown) => {
    if (error instanceof NotFoundError) return error;
    throw error;
  });
  if (document instanceof NotFoundError) {
    await refundInstead(ctx, key, options, document);
    return undefined;
  }
  const { InvoiceID, Status } = document;
  const amountDue = remainingAmount(ctx, document.AmountDue, paidParts(document), options.Date);
  if (options.Amount === undefined && amountDue === 0) {
    throw new UsageError(
      "NothingDue",
      `Nothing is due on ${key}, which is ${Status}; say --amount.`,
    );
  }
  return { Amount: amountDue, ...options, Invoice: { InvoiceID } };
}

/**
 * Refunds a credit where the key names one, since credits cannot be paid.
 *
 * @throws NotFoundError where the key names no credit
 */
async function refundInstead(
  ctx: Context,
  key: string,
  options: PaymentOptions,
  notFoundError: NotFoundError,
): Promise<void> {
  const credit = await creditNamed(ctx, key);
  if (credit === undefined) throw notFoundError;
  const { resource, found } = credit;
  const { word, called } = nounOf(resource);
  const name = nameOfRecord(resource, found);
  const wouldOrIs = ctx.flags.dryRun ? "would be" : "is";
  ctx.out.say(
    `${name} is ${withArticle(called)}: it ${wouldOrIs} paid back, as by acct ${word} refund.`,
  );
  await refund(ctx, resource, found, options);
}

/**
 * Finds a payment by its id, or by the number of a document with a single payment.
 *
 * @throws NotFoundError, and UsageError `Ambiguous` where the document has several
 */
async function paymentNamed(ctx: Context, key: string): Promise<Payment> {
  const client = await ctx.client();
  const [, noun, own = key] = /^(payment|invoice):(.*)$/i.exec(key) ?? [];
  const isOwn = isHandle(payment, own) && noun?.toLowerCase() !== "invoice";
  if (isGuid(own)) return client.find(payment, own);
  const ifNotFound = (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    return undefined;
  };
  const handled = isOwn ? await client.find(payment, own).catch(ifNotFound) : undefined;
  if (handled !== undefined) {
    const otherInvoice =
      noun === undefined ? await findDocument(ctx, undefined, own).catch(ifNotFound) : undefined;
    if (otherInvoice === undefined) return handled;
    const name = own.toUpperCase();
    throw new UsageError(
      "Ambiguous",
      `${name} is payment ${name} and invoice ${name}; say payment:${name} or invoice:${name}.`,
    );
  }
  const document = await findDocument(ctx, undefined, own).catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    return (await creditNamed(ctx, own))?.found;
  });
  const { Payments = [] } = (document ?? {}) as Pick<Invoice, "Payments">;
  const [only, ...others] = Payments;
  if (document === undefined && isShortId(payment, own)) return client.find(payment, own);
  if (only === undefined) {
    const of = document === undefined ? `payment ${key}` : `payment of ${key}`;
    throw new NotFoundError("NotFound", `There is no ${of}; acct payment list shows them.`);
  }
  if (others.length === 0) return client.find(payment, only.PaymentID);
  const paymentTexts = Payments.map(
    ({ PaymentID, Handle = PaymentID, Date: day, Amount }) =>
      `${Handle} of ${day}, ${amountText(Amount, document?.CurrencyCode)}`,
  );
  throw new UsageError(
    "Ambiguous",
    `${key} has ${Payments.length} payments; say which: ${paymentTexts.join("; ")}.`,
  );
}

/** Declares `acct payment reverse PAYMENT`. */
const reverseCommand = command("reverse", "take a payment back")
  .writes()
  .alias("delete")
  .key(payment)
  .note("The number of a document names its payment, where it has one alone.")
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct payment reverse INV-0203 --yes")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const record = await paymentNamed(ctx, key);
    await confirm(ctx, reversalQuestion(record));
    const reversed = await client.update(payment, record.PaymentID, { Status: "DELETED" });
    sayChanges(ctx, payment, record, reversed);
    await ctx.out.record(payment, reversed);
  });

/** Returns the question before a payment is reversed, with its amount and its effect. */
function reversalQuestion({
  Handle,
  Amount,
  BankAmount,
  CurrencyCode,
  ...record
}: Payment): string {
  const { Account, Contact, CreditNote, Invoice, Date: day, Direction } = record;
  const amount = amountText(Amount, CurrencyCode);
  const name = Handle === undefined ? "the payment" : `payment ${Handle}`;
  const of = Invoice?.InvoiceNumber ?? CreditNote?.CreditNoteNumber ?? "its document";
  const ofContact = Contact?.Name === undefined ? "" : ` of ${Contact.Name}`;
  const left = Invoice === undefined ? "left of" : "due of";
  const moved = amountText(BankAmount ?? Amount, Account?.CurrencyCode ?? CurrencyCode);
  return (
    `Reverse ${name} of ${amount} ${CurrencyCode} for ${of}${ofContact} on ${longDate(day)}? ` +
    `${amount} more is ${left} ${of}, and ${Account?.Name} holds ${moved} ${Direction === "PAID" ? "more" : "less"}.`
  );
}

const paymentNoun = nounOf(payment, { find: paymentNamed });
/** A payment of a bill, in examples. */
const ofBill = { ...paymentNoun, example: "S-1108" };

export const paymentVerbs: readonly Child[] = [
  listCommand({
    resource: payment,
    examples: [
      "acct payment list --invoice INV-0204",
      "acct payment list --account 090 --period this-month -o csv",
    ],
  }),
  showCommand(paymentNoun),
  applyCommand(),
  reverseCommand,
  remittanceVerb(ofBill),
  historyCommand(paymentNoun),
  noteCommand(paymentNoun),
  importVerb("payment"),
];
