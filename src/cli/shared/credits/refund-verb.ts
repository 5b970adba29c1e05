/** The verb `refund`: pays back the remainder of a credit note, a prepayment or an overpayment. */

import { account } from "../../../resources/account.ts";
import { amountText } from "../../../resources/common.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { UsageError } from "../../../resources/errors.ts";
import { idOf, type Shape } from "../../../resources/field.ts";
import { type PaymentInput, payment } from "../../../resources/payment.ts";
import type { Command, Context } from "../../context/context.ts";
import { command, type Flags } from "../../framework/command.ts";
import { nameOfRecord } from "../../framework/confirm.ts";
import { fieldsOf } from "../../framework/flags.ts";
import { safeLine } from "../../render/safe.ts";
import { createRecords } from "../bulk-results.ts";
import { type Noun, withArticle } from "../verbs.ts";
import { paidParts, remainingAmount } from "./allocate.ts";
import { type Credit, findCredit } from "./find-credit.ts";

/** Fields with flags where one document is paid; those left out name the document, or a batch. */
export const paymentFields = fieldsOf(payment, {
  except: [
    ...(["Invoice", "CreditNote", "Prepayment", "Overpayment", "ExpenseClaim"] as const),
    ...(["Status", "BankAccountNumber", "Particulars", "Details"] as const),
  ],
});
export type PaymentOptions = Flags<typeof payment, (typeof paymentFields)[number]>;

/** Declares `acct NOUN refund CREDIT --account 090`. */
export function refundVerb(noun: Noun<Credit>): Command {
  const { resource, word, called, example } = noun;
  return command("refund", `pay ${withArticle(called)} back`)
    .key(resource, word)
    .creates(payment)
    .fields(payment, paymentFields, {
      Account: { help: "the bank account; asked for on a terminal" },
      Amount: { help: `what is left of it when not given; in the currency of the ${called}` },
    })
    .note(`The name of a contact stands for its one ${called} of which something is left.`)
    .example(`acct ${word} refund ${example} --account 090`)
    .example(`acct ${word} refund "Kauri Hotel" --account 090 --amount 40 --date yesterday`)
    .action(async (ctx, key, options: PaymentOptions) =>
      refund(ctx, resource, await findCredit(ctx, resource, key), options),
    );
}

/** Refunds a credit: its remaining amount unless another is given. */
export async function refund(
  ctx: Context,
  resource: Credit,
  record: Shape<Credit>,
  options: PaymentOptions,
): Promise<void> {
  const { RemainingCredit, Status } = record;
  const creditLeft = remainingAmount(ctx, RemainingCredit, paidParts(record), options.Date);
  if (options.Amount === undefined && creditLeft === 0) {
    const { noun: called } = resource;
    const name = nameOfRecord(resource, record);
    throw new UsageError(
      "NothingDue",
      `Nothing is left of the ${called} ${name}, which is ${Status}; say --amount.`,
    );
  }
  const { CurrencyCode = "" } = record;
  const amount = options.Amount ?? creditLeft;
  const input: PaymentInput = {
    ...options,
    Amount: amount,
    Account: options.Account ?? (await askBank(ctx, record, amount)),
    [resource.name]: { [resource.id]: idOf(resource, record) },
  };
  await createRecords(ctx, payment, [input]);
  if (ctx.flags.dryRun) return;
  const after = await (await ctx.client()).find(resource, idOf(resource, record));
  ctx.out.say(
    `Left of the ${resource.noun}: ${CurrencyCode} ${amountText(after.RemainingCredit, CurrencyCode)}.`,
  );
}

/**
 * Asks which account pays a credit back.
 *
 * @throws UsageError `MissingValue` where prompts are not possible
 */
async function askBank(
  ctx: Context,
  { Contact, CurrencyCode, RemainingCredit }: Shape<Credit>,
  amount: Cents,
): Promise<PaymentInput["Account"]> {
  if (!ctx.flags.input) {
    throw new UsageError("MissingValue", "Say which bank account: --account NAME|CODE.");
  }
  const { terminalQuestions } = await import("../../framework/questions.ts");
  const money = (cents: Cents) => amountText(cents, CurrencyCode);
  const ask = await terminalQuestions(ctx);
  const condition = 'Type=="BANK" AND Status=="ACTIVE"';
  const banks = await Array.fromAsync((await ctx.client()).list(account, { where: condition }));
  const AccountID = await ask.choose({
    message: `${CurrencyCode} ${money(amount)} of ${money(RemainingCredit)} left, ${Contact?.Name}: paid back by which account?`,
    choices: banks.map(({ Code, Name, AccountID: value }) => ({
      name: safeLine([Code, Name].filter((text) => text).join(" ")),
      value,
    })),
  });
  return { AccountID };
}
