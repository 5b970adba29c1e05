/** `acct spend`, `acct receive`, `acct transfer`: books bank money from a single command line. */

import { isOtherCurrency, rawAmount } from "../../bank-files/bank-values.ts";
import type { Client } from "../../client/client.ts";
import { account } from "../../resources/account.ts";
import { bankTransaction } from "../../resources/bank-transaction.ts";
import { bankTransfer } from "../../resources/bank-transfer.ts";
import { amountText } from "../../resources/common.ts";
import { contact } from "../../resources/contact.ts";
import type { Cents, UnitAmount } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Input, Resource, Shape } from "../../resources/field.ts";
import { compare } from "../../wire/query/condition.ts";
import { tryAsPlan } from "../connection/try-as-plan.ts";
import type { Command, Context, Flag } from "../context/context.ts";
import { command, type Flags, ownFlag } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { contactId } from "../shared/filters.ts";
import { linesSettled, type Tell } from "../shared/reference.ts";
import { longDay } from "../values/date-flags.ts";
import { trackingOf } from "../values/line-flag.ts";
import { parseValue } from "../values/value.ts";
import { ownOrganisation } from "./organisation.ts";

/** Name of the contact that stands for unnamed counterparties. */
export const unnamed = "Cash sales and purchases";

const looks = "On a terminal it shows what will be booked, and asks.";

/** Where an amount is booked to. */
export interface Coding {
  readonly to: string;
  readonly tax?: string | undefined;
  readonly tracking?: { Name: string; Option: string }[] | undefined;
}

export const codingFlags = (): readonly Flag[] => [
  ownFlag("to", "the account that it is booked to", {
    placeholder: "NAME|CODE",
    live: "account",
    required: true,
  }),
  ownFlag("tax", "tax rate; that of the account when not given", {
    placeholder: "NAME|TYPE",
    live: "tax-rate",
  }),
  ownFlag("tracking", "a tracking option", {
    placeholder: "CATEGORY:OPTION",
    repeat: true,
    read: trackingOf,
  }),
];

/** The one line of a document. */
export function toCodedLine(
  client: Client,
  tradeSide: "purchase" | "sale",
  Description: string,
  amount: Cents,
  { to, tax, tracking }: Coding,
) {
  const UnitAmount = (amount * 100) as UnitAmount;
  const line = { Description, UnitAmount, AccountCode: to, TaxType: tax, Tracking: tracking };
  return linesSettled(client, [line], tradeSide);
}

type EntryOptions = Flags<
  typeof bankTransaction,
  "BankAccount" | "Contact" | "Date" | "Reference"
> &
  Coding & { readonly taxIncluded?: boolean | undefined };

function entryBuilder(verb: string, summary: string, bank: string) {
  return command(verb, summary)
    .creates(bankTransaction)
    .argument("AMOUNT", "how much; tax included unless --no-tax-included is given")
    .argument("TEXT", "what for")
    .fields(bankTransaction, ["BankAccount", "Contact", "Date", "Reference"], {
      BankAccount: { name: bank, required: true, help: "the bank account" },
      Contact: { help: `the other party, by name, number or id; ${unnamed} when not given` },
    })
    .flags<Coding>(codingFlags)
    .field(
      "tax-included",
      { kind: "boolean" },
      { help: "whether the amount includes tax; it does when not given" },
    )
    .note(looks)
    .note("Lists, changes and takes back are those of acct bank-transaction.");
}

export const spendCommand: Command = entryBuilder("spend", "book money spent, in one line", "from")
  .example('acct spend 42.50 --from 090 --to 404 "Hosting"')
  .example('acct spend 115 "Courier" --from 090 --to 425 --contact "Kauri Hotel" --date yesterday')
  .action((ctx, amount, text, options) => enter(ctx, "SPEND", amount, text, options));

export const receiveCommand: Command = entryBuilder(
  "receive",
  "book money received, in one line",
  "into",
)
  .example('acct receive 99 --into 090 --to 200 "Cash sale"')
  .example('acct receive 99 "Cash sale" --into 090 --to 200 --no-tax-included')
  .action((ctx, amount, text, options) => enter(ctx, "RECEIVE", amount, text, options));

async function enter(
  ctx: Context,
  type: "SPEND" | "RECEIVE",
  amount: string,
  text: string,
  { to, tax, tracking, taxIncluded = true, Contact, ...fields }: EntryOptions,
): Promise<void> {
  const total = await amountOf(ctx, amount, fields.BankAccount);
  const client = await ctx.client();
  const tradeSide = type === "SPEND" ? "purchase" : "sale";
  const LineItems = await toCodedLine(client, tradeSide, text, total, { to, tax, tracking });
  const inputIn = async (at: Context, say: Tell): Promise<Input<typeof bankTransaction>> => ({
    ...fields,
    Type: type,
    Contact: {
      ContactID: await (Contact === undefined
        ? findOrCreateContact(at, unnamed, say)
        : contactId(client, Contact)),
    },
    LineAmountTypes: taxIncluded ? "Inclusive" : "Exclusive",
    LineItems,
  });
  await createAfterTrial(ctx, bankTransaction, inputIn, (trial) => {
    const { BankAccount, CurrencyCode, SubTotal, TotalTax, Total } = trial;
    const [line] = trial.LineItems;
    const money = (cents: number) => amountText(cents, CurrencyCode);
    return [
      `${type === "SPEND" ? "Spent from" : "Received into"} ${calledAccount(BankAccount)}, ${longDay(trial.Date)}: ${CurrencyCode} ${money(Total)}`,
      `  ${line?.AccountCode} ${text}: ${money(SubTotal)}, tax ${money(TotalTax)} (${line?.TaxType})`,
      `  ${trial.Contact?.Name ?? unnamed}`,
    ];
  });
}

export const transferCommand: Command = command(
  "transfer",
  "move money between bank accounts, in one line",
)
  .creates(bankTransfer)
  .argument("AMOUNT", "how much, in the currency of the account that it leaves")
  .fields(bankTransfer, ["FromBankAccount", "ToBankAccount", "Date", "Reference"], {
    FromBankAccount: { name: "from", required: true },
    ToBankAccount: { name: "into", required: true },
  })
  .note(looks)
  .note("Lists and takes back are those of acct bank-transfer.")
  .example("acct transfer 500 --from 090 --into 091")
  .action(async (ctx, amount, options) => {
    const Amount = await amountOf(ctx, amount, options.FromBankAccount);
    const input: Input<typeof bankTransfer> = { ...options, Amount };
    await createAfterTrial(
      ctx,
      bankTransfer,
      async () => input,
      ({ FromBankAccount, ToBankAccount, ...tried }) => [
        `From ${calledAccount(FromBankAccount)} into ${calledAccount(ToBankAccount)}, ${longDay(tried.Date)}: ${amountText(tried.Amount, tried.CurrencyCode)}`,
      ],
    );
  });

/**
 * Parses an amount, which may have the sign or code of the currency that it is in.
 *
 * @param bank  account whose currency that is; the base currency when not given
 * @throws UsageError `BadValue` for a text that is not an amount above zero
 */
export async function amountOf(
  ctx: Context,
  text: string,
  bank?: { readonly Code?: string | undefined; readonly AccountID?: string | undefined },
): Promise<Cents> {
  const raw = rawAmount(text);
  const isMarked = raw !== undefined && raw.currencies.length > 0;
  if (isMarked) {
    const { BaseCurrency } = await ownOrganisation(ctx);
    const key = bank?.Code ?? bank?.AccountID;
    const held = key === undefined ? undefined : await (await ctx.client()).find(account, key);
    const { Code = "", CurrencyCode = BaseCurrency } = held ?? {};
    if (isOtherCurrency(text, CurrencyCode)) {
      const what = [CurrencyCode, Code && `the currency of ${Code},`].filter(Boolean).join(", ");
      const message = `AMOUNT is in ${what} or without a currency, not "${text}"; --from and --into name an account in another.`;
      throw new UsageError("BadValue", message);
    }
  }
  const plainAmount = !isMarked ? text : `${raw.isNegative ? "-" : ""}${raw.digits}`;
  const amount = parseValue({ kind: "money" }, plainAmount, { name: "AMOUNT" }) as Cents;
  if (amount > 0) return amount;
  throw new UsageError("BadValue", "AMOUNT must be more than 0; the verb says the direction.");
}

/**
 * Creates a record, after a trial that leaves no contact of its own where the record is refused; on
 * a terminal what was tried is shown, and must be confirmed.
 *
 * @param saveRecord  creates and shows it
 */
export async function createAfterTrial<R extends Resource>(
  ctx: Context,
  resource: R,
  inputIn: (at: Context, say: Tell) => Promise<Input<R>>,
  shownLines: (triedRecord: Shape<R>) => readonly string[],
  saveRecord = (at: Context, input: Input<R>) => createRecords(at, resource, [input]),
): Promise<void> {
  const { input: isAsked, yes, dryRun, plan } = ctx.flags;
  const makeRecord = async (at: Context) => saveRecord(at, await inputIn(at, at.out.say));
  if (dryRun && plan === undefined) {
    if (!(await tryAsPlan(ctx, makeRecord))) await makeRecord(ctx);
    return;
  }
  const isAskedFirst = isAsked && !yes && !dryRun;
  await tryAsPlan(ctx, async (at) => {
    const trial = await (await at.client()).create(resource, await inputIn(at, () => undefined));
    if (isAskedFirst) for (const line of shownLines(trial)) ctx.out.say(line);
  });
  if (isAskedFirst) await confirm(ctx, "Book it?", true);
  await makeRecord(ctx);
}

/** Returns the id of a contact of the command line's own, which is created on first use. */
export async function findOrCreateContact(ctx: Context, name: string, say: Tell): Promise<string> {
  const client = await ctx.client();
  const where = compare(contact.fields, "Name", "==", name);
  for await (const { ContactID } of client.list(contact, { where, limit: 1 })) return ContactID;
  const newContact = await client.create(contact, { Name: name });
  say(`The contact ${name} is made for it.`);
  return newContact.ContactID;
}

const calledAccount = ({ Code, Name }: { readonly Code?: string; readonly Name?: string }) =>
  [Code, Name].filter((text) => text).join(" ");
