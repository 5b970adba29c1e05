/** `acct prepayment create`, `acct overpayment create`: money paid before its invoice, or beyond it. */
import { regionAt } from "../../../ledger/regions/index.ts";
import { account } from "../../../resources/account.ts";
import { bankTransaction } from "../../../resources/bank-transaction.ts";
import type { Cents, UnitAmount } from "../../../resources/decimal.ts";
import { UsageError } from "../../../resources/errors.ts";
import type { Input } from "../../../resources/field.ts";
import { organisation } from "../../../resources/organisation.ts";
import { type overpayment, prepayment } from "../../../resources/prepayment.ts";
import type { Command, Context } from "../../context/context.ts";
import { fieldsOf } from "../../framework/flags.ts";
import {
  createBuilder,
  createDocuments,
  type DocumentKind,
  type DocumentOptions,
} from "../document-verbs.ts";
import { type Noun, nounOf } from "../verbs.ts";

const standsOn =
  "An advance stands on any account but bank accounts, receivables and payables: what a customer paid on income in " +
  "advance (835, 810 in the United Kingdom, 245 where the chart is American), what a supplier got on Prepayments " +
  "(620, or 130), unless --account says another.";

interface AdvanceOptions extends DocumentOptions {
  readonly Type?: string | undefined;
  readonly amount?: Cents | undefined;
  readonly account?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Moves the reference of a prepayment to its InvoiceNumber: a prepayment has no other reference,
 * and the service drops one.
 */
export function moveReference({
  Reference,
  ...input
}: Input<typeof bankTransaction>): Input<typeof bankTransaction> {
  const isPrepayment = input.Type?.endsWith("-PREPAYMENT") === true;
  if (Reference === undefined) return input;
  if (!isPrepayment) return { ...input, Reference };
  return input.InvoiceNumber === undefined ? { ...input, InvoiceNumber: Reference } : input;
}

/** Declares `acct NOUN create` of a credit that a bank transaction makes. */
export function createAdvanceVerb({
  resource,
  word,
  called,
}: Noun<typeof prepayment | typeof overpayment>): Command {
  const isPrepaid = resource.name === prepayment.name;
  const kind: DocumentKind<typeof bankTransaction> = {
    ...nounOf(bankTransaction),
    ...{ word, called },
    whose: "who paid, or was paid",
    fields: fieldsOf(bankTransaction, {
      except: ["Status", "CurrencyCode", isPrepaid ? "Reference" : "InvoiceNumber"],
    }),
    types: resource.fields.Type.values,
    newStatuses: [],
  };
  const [received] = resource.fields.Type.values;
  const made = `acct ${word} create --type ${received} --bank-account 090 --contact "Kauri Hotel"`;
  const builder = createBuilder(kind)
    .field("amount", { kind: "money" }, { help: "how much, tax included; instead of --line" })
    .flag("description", `what for; ${called} when not given`, { placeholder: "TEXT" });
  if (isPrepaid) {
    builder
      .flag("account", "what it stands on", { placeholder: "NAME|CODE", live: "account" })
      .note(standsOn)
      .example(`${made} --amount 115 --invoice-number INV-0204`);
  } else {
    builder.note("The account is receivables or payables, without tax.");
  }
  return builder
    .example(`${made} --amount 115 --date yesterday --dry-run`)
    .note(`It is a bank transaction too, as acct bank-transaction create --type makes it.`)
    .action(async (ctx, givenOptions) => {
      const { amount, account: on, description, ...options } = givenOptions as AdvanceOptions;
      if (amount !== undefined && options.line !== undefined) {
        throw new UsageError("BadFlags", "--amount is the one line; give it or --line.");
      }
      const Description = description ?? resource.name;
      const line =
        amount === undefined
          ? options.line
          : [{ Description, UnitAmount: (amount * 100) as UnitAmount }];
      const isLacking = isPrepaid && line?.some(({ AccountCode }) => AccountCode === undefined);
      const AccountCode = isLacking ? (on ?? (await usualAccount(ctx, options.Type))) : undefined;
      await createDocuments(ctx, kind, {
        ...options,
        line: line?.map((line) => (AccountCode === undefined ? line : { AccountCode, ...line })),
      });
    });
}

/**
 * Returns the code of the account that the chart of the country has for advances, if the books
 * have it too, and says so.
 *
 * @throws UsageError `MissingValue` where there is none
 */
async function usualAccount(ctx: Context, type = ""): Promise<string> {
  const client = await ctx.client();
  const isReceived = type.startsWith("RECEIVE");
  const isUsual = (name: string, of: string) =>
    isReceived
      ? of === "CURRLIAB" && /\bin advance$/i.test(name)
      : ["CURRENT", "PREPAYMENT"].includes(of) && name === "Prepayments";
  const [own] = await client.at(organisation, "/Organisation");
  const seed = regionAt(own?.CountryCode ?? "")
    .accounts()
    .find((account) => isUsual(account.name, account.type));
  const condition = 'Status=="ACTIVE"';
  const accounts = await Array.fromAsync(client.list(account, { where: condition }));
  const usual = accounts.find((each) => each.Code === seed?.code && isUsual(each.Name, each.Type));
  if (usual?.Code === undefined) {
    throw new UsageError("MissingValue", `Say what it stands on: --account CODE. ${standsOn}`);
  }
  ctx.out.say(`It stands on ${usual.Code} ${usual.Name}.`);
  return usual.Code;
}
