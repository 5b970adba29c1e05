/** `acct batch-payment`: one payment of several invoices or bills. */

import { isShortId } from "../../client/find.ts";
import { longDate } from "../../ledger/dates/calendar.ts";
import {
  type BatchPayment,
  type BatchPaymentInput,
  batchPayment,
} from "../../resources/batch-payment.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { isHandle } from "../../resources/field.ts";
import { payment } from "../../resources/payment.ts";
import { paymentFileFormats, paymentFilePath } from "../../resources/payment-file.ts";
import { counted } from "../../resources/scalar.ts";
import { isGuid } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, nameOfRecord, requireExtension, sayChanges } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputOf, requireFields } from "../framework/input.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { paidParts, remainingAmount } from "../shared/credits/allocate.ts";
import { findDocument } from "../shared/find-document.ts";
import { listCommand } from "../shared/list-verb.ts";
import { remittanceVerb } from "../shared/remittance-verb.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";
import { parseValue } from "../values/value.ts";

const noun = nounOf(batchPayment, { find: batchNamed });

/**
 * Finds a batch payment by its handle or id, or by a document of which it has a payment.
 *
 * @throws NotFoundError, and UsageError `Ambiguous` where several batches pay the document
 */
async function batchNamed(ctx: Context, key: string): Promise<BatchPayment> {
  const client = await ctx.client();
  if (isGuid(key) || isHandle(batchPayment, key)) return client.find(batchPayment, key);
  const document = await findDocument(ctx, undefined, key).catch((error: unknown) => {
    if (!(error instanceof NotFoundError && isShortId(batchPayment, key))) throw error;
  });
  if (document === undefined) return client.find(batchPayment, key);
  const { Payments = [] } = document;
  const ids: string[] = [];
  for (const { PaymentID } of Payments) {
    const { BatchPaymentID } = await client.find(payment, PaymentID);
    if (BatchPaymentID !== undefined) ids.push(BatchPaymentID);
  }
  const [id, ...others] = new Set(ids);
  if (id === undefined) {
    const message = `No batch payment pays ${key}; acct batch-payment list shows them.`;
    throw new NotFoundError("NotFound", message);
  }
  if (others.length === 0) return client.find(batchPayment, id);
  const batches = await Promise.all([id, ...others].map((text) => client.find(batchPayment, text)));
  const names = batches.map((batch) => `${nameOfRecord(batchPayment, batch)} of ${batch.Date}`);
  throw new UsageError(
    "Ambiguous",
    `${key} is in several batches; say which: ${names.join("; ")}.`,
  );
}

/** A document with its amount, parsed from `INV-0042` or `INV-0042=100`. */
interface PaidPart {
  readonly key: string;
  /** Amount paid; the amount due when not given. */
  readonly amount: Cents | undefined;
}

/** Parses the amount after the last equals sign, since a document number may contain one too. */
function readPaid(text: string): PaidPart {
  const equalsAt = text.lastIndexOf("=");
  if (equalsAt <= 0) return { key: text.trim(), amount: undefined };
  const { Amount } = batchPayment.fields.Payments.fields;
  return {
    key: text.slice(0, equalsAt).trim(),
    amount: parseValue(Amount, text.slice(equalsAt + 1).trim(), {
      name: "the amount in --pay",
    }) as Cents,
  };
}

type BatchedPayment = NonNullable<BatchPaymentInput["Payments"]>[number];

async function memberOf(
  ctx: Context,
  { key, amount }: PaidPart,
  date: string | undefined,
): Promise<BatchedPayment> {
  const document = await findDocument(ctx, undefined, key);
  const { InvoiceID, Status } = document;
  const amountDue = remainingAmount(ctx, document.AmountDue, paidParts(document), date);
  if (amount === undefined && amountDue === 0) {
    throw new UsageError(
      "NothingDue",
      `Nothing is due on ${key}, which is ${Status}; say --pay ${key}=AMOUNT.`,
    );
  }
  return { Invoice: { InvoiceID }, Amount: amount ?? amountDue };
}

const createCommand = command("create", "pay several invoices, or several bills")
  .alias("new")
  .creates(batchPayment)
  .fields(batchPayment, fieldsOf(batchPayment, { except: ["Status"] }))
  .flag("pay", "an invoice or a bill, and what is paid of it; what is due when not given", {
    placeholder: "INVOICE[=AMOUNT]",
    repeat: true,
    read: readPaid,
  })
  .flags<{ readonly file?: string }>([fileFlag])
  .note("All of them are paid, or none.")
  .example("acct batch-payment create --account 090 --pay INV-0204 --pay INV-0203=100")
  .action(async (ctx, options) => {
    const { pay, file } = options;
    const Payments: BatchedPayment[] = [];
    for (const paid of pay ?? []) Payments.push(await memberOf(ctx, paid, options.Date));
    const overrides: BatchPaymentInput = {
      ...fieldsInOptions(batchPayment, options),
      ...(pay === undefined ? {} : { Payments }),
    };
    const input = await inputOf(ctx, batchPayment, file, overrides);
    requireFields(batchPayment, input);
    if ((input.Payments ?? []).length === 0) {
      throw new UsageError("MissingValue", "A new batch payment needs at least one --pay.");
    }
    await createRecords(ctx, batchPayment, [input]);
  });

const reverseCommand = command("reverse", "take every payment of a batch back")
  .writes()
  .alias("delete")
  .key(batchPayment)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example(`acct batch-payment reverse ${noun.example} --yes`)
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const batch = await batchNamed(ctx, key);
    const { Account, BatchPaymentID, Handle = BatchPaymentID, Payments, Type } = batch;
    const total = amountText(batch.TotalAmount, Account?.CurrencyCode);
    const moreOrLess = Type === "PAYBATCH" ? "more" : "less";
    await confirm(
      ctx,
      `Reverse batch ${Handle} of ${counted(Payments.length, "payment")}, ${total}, on ${longDate(batch.Date)}? ` +
        `What they paid is due again, and ${Account?.Name} holds ${total} ${moreOrLess}.`,
    );
    const gone = await client.update(batchPayment, batch.BatchPaymentID, { Status: "DELETED" });
    sayChanges(ctx, batchPayment, batch, gone);
    await ctx.out.record(batchPayment, gone);
  });

const outputFile = [
  "where to, - for standard output; by its day in this folder when not given",
  {
    placeholder: "FILE",
    live: "file",
  },
] as const;

const fileCommand = command("file", "write the file by which the bank pays a batch of bills")
  .writes({ isPlanned: false })
  .key(batchPayment)
  .answers("nothing")
  .field(
    "format",
    { kind: "choice", values: paymentFileFormats },
    { help: "what the bank takes; by the account that pays when not given" },
  )
  .field(
    "date",
    { kind: "date" },
    { help: "when the bank pays; the day of the batch when not given" },
  )
  .flag("bank", "aba: three letters of the bank that pays, where its BSB does not tell", {
    placeholder: "CODE",
  })
  .flag("user-number", "aba: what the bank has assigned to you, up to six digits", {
    placeholder: "NUMBER",
  })
  .flag("output-file", ...outputFile)
  .switch("force", "write over a file that is there already")
  .switch("again", "once more, although a file of the batch was written before")
  .note(
    "pain.001 is ISO 20022, for SEPA and Switzerland (an account with an IBAN); aba is for Australia, ib4b for New Zealand; csv is name, account, amount, reference and date.",
  )
  .note(
    "Goes to the bank account number of the payment, or else of the contact. Whatever a bank would refuse is named before anything is written. Prints the name of the file.",
  )
  .example(`acct batch-payment file ${noun.example} --output-file payments.txt`)
  .example(`acct batch-payment file ${noun.example} --format csv --output-file -`)
  .action(async (ctx, key, { format, date, bank, userNumber, again, outputFile, force }) => {
    await requireExtension(ctx, "A payment file", "POST", `${paymentFilePath}/{BatchPaymentID}`);
    const client = await ctx.client();
    const { BatchPaymentID } = await batchNamed(ctx, key);
    const path = `${paymentFilePath}/${BatchPaymentID}`;
    const said = { format, date, bank, userNumber, again: again === true ? "true" : undefined };
    const parameters = Object.fromEntries(
      Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const fileOf = (dryRun: boolean) => client.makeFile(batchPayment, path, parameters, { dryRun });
    // A dry run gives all faults and the name first; the history records a kept file alone.
    const { name, notes } = await fileOf(true);
    for (const note of notes) ctx.out.say(note);
    const { saveBytes } = await import("../shared/save-file.ts");
    await saveBytes(ctx, name, { outputFile, force }, async () => (await fileOf(false)).bytes);
  });

export const batchPaymentVerbs: readonly Child[] = [
  listCommand({
    resource: batchPayment,
    examples: ["acct batch-payment list --type PAYBATCH --period this-month"],
  }),
  showCommand(noun),
  createCommand,
  fileCommand,
  reverseCommand,
  remittanceVerb(noun),
  historyCommand(noun),
  noteCommand(noun),
];
