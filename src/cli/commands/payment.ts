/** `acct payment`: money against invoices and bills. */
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { invoice } from "../../resources/invoice.ts";
import { type PaymentInput, payment } from "../../resources/payment.ts";
import { command, type Flags } from "../framework/command.ts";
import type { Child, Context } from "../framework/context.ts";
import { findDocument } from "./invoice.ts";
import { createRecords } from "./shared/bulk.ts";
import { confirmed, sayChanges } from "./shared/confirm.ts";
import { amountLeft, paidParts } from "./shared/credits/allocate.ts";
import { creditNamed, nameOfCredit, refund } from "./shared/credits/refund.ts";
import { listCommand } from "./shared/list.ts";
import { importVerb, nounOf, showCommand, withArticle } from "./shared/verbs.ts";

export type ApplyOptions = Flags<
  typeof payment,
  "Account" | "Amount" | "Date" | "Reference" | "CurrencyRate" | "IsReconciled"
>;

/** Declares `acct payment apply INVOICE`. A test passes its own `run` to see what was parsed. */
function applyCommand(run = apply) {
  return command("apply", "pay an invoice or a bill")
    .key(invoice) // INV-0042 or a GUID
    .creates(payment)
    .fields(payment, ["Account", "Amount", "Date", "Reference", "CurrencyRate", "IsReconciled"], {
      Account: { required: true },
      Amount: { help: "what is due when not given; in the currency of the document" },
    })
    .asks(async () => (await import("../prompts/wizards/payment.ts")).paymentWizard)
    .note("A credit note is paid back by it, as by credit-note refund.")
    .example("acct payment apply INV-0042 --account 090")
    .example("acct payment apply B-1017 --account 090 --amount 100 --date yesterday")
    .action(run);
}

async function apply(ctx: Context, key: string, options: ApplyOptions): Promise<void> {
  const document = await findDocument(ctx, undefined, key).catch((error: unknown) => {
    if (error instanceof NotFoundError) return error;
    throw error;
  });
  if (document instanceof NotFoundError) return refundInstead(ctx, key, options, document);
  const { InvoiceID, Status } = document;
  const due = amountLeft(ctx, document.AmountDue, paidParts(document), options.Date);
  if (options.Amount === undefined && due === 0) {
    throw new UsageError(
      "NothingDue",
      `Nothing is due on ${key}, which is ${Status}; say --amount.`,
    );
  }
  const input: PaymentInput = {
    Amount: due,
    ...options,
    Invoice: { InvoiceID },
  };
  await createRecords(ctx, payment, [input]);
}

/** What bears the number of a credit can only be paid back. @throws NotFoundError for what is none */
async function refundInstead(
  ctx: Context,
  key: string,
  options: ApplyOptions,
  absent: NotFoundError,
): Promise<void> {
  const credit = await creditNamed(ctx, key);
  if (credit === undefined) throw absent;
  const { resource, found } = credit;
  const { word, called } = nounOf(resource);
  const name = nameOfCredit(resource, found);
  const done = ctx.flags.dryRun ? "would be" : "is";
  ctx.out.say(
    `${name} is ${withArticle(called)}: it ${done} paid back, as by acct ${word} refund.`,
  );
  await refund(ctx, resource, found, options);
}

/** Declares `acct payment reverse PAYMENT`. */
const reverseCommand = command("reverse", "take a payment back")
  .writes()
  .alias("delete")
  .key(payment)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct payment reverse 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11 --yes")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const found = await client.find(payment, key);
    const of = found.Invoice?.InvoiceNumber ?? found.Invoice?.InvoiceID ?? "its document";
    await confirmed(ctx, `Reverse the payment of ${of} on ${found.Date}?`);
    const reversed = await client.update(payment, found.PaymentID, { Status: "DELETED" });
    sayChanges(ctx, payment, found, reversed);
    await ctx.out.record(payment, reversed);
  });

export const paymentVerbs: readonly Child[] = [
  listCommand({
    resource: payment,
    examples: [
      "acct payment list --invoice INV-0042",
      "acct payment list --account 090 --period this-month -o csv",
    ],
  }),
  showCommand(nounOf(payment)),
  applyCommand(),
  reverseCommand,
  importVerb("payment"),
];
