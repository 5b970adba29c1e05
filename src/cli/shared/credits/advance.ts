/** `acct prepayment create`, `acct overpayment create`: money paid before its invoice, or beyond it. */
import { depositAccounts } from "../../../ledger/regions/index.ts";
import { wordsOf } from "../../../output/words/languages.ts";
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
  "An advance stands on any account but bank accounts, receivables and payables. Unless --account says another: what " +
  "a customer paid on income in advance (835, 810 in the United Kingdom, 245 where the chart is American) or deposits " +
  "received (3272 in Germany, 3260 at 7 %; 419100 in France), what a supplier got on prepayments (620, or 130) or " +
  "deposits paid (1186, 1181 at 7 %; 409100).";

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
      const [own] = await (await ctx.client()).at(organisation, "/Organisation");
      const { CountryCode: country = "", PaysTax: paysTax = true } = own ?? {};
      const Description =
        description ?? wordsOf(country).say(isPrepaid ? "Prepayment" : "Overpayment");
      const line =
        amount === undefined
          ? options.line
          : [{ Description, UnitAmount: (amount * 100) as UnitAmount }];
      const codeFor =
        isPrepaid && on === undefined ? await usualAccounts(ctx, options.Type, country) : () => on;
      await createDocuments(ctx, kind, {
        ...options,
        line: line?.map((each) => {
          const AccountCode =
            each.AccountCode ?? codeFor(each.TaxType ?? (paysTax ? undefined : "NONE"));
          return AccountCode === undefined ? each : { ...each, AccountCode };
        }),
      });
    });
}

/**
 * Returns what finds the account of an advance by its tax: of those that the chart of the country
 * has for advances, and the books too. The account is said.
 *
 * @returns function of a TaxType, which throws UsageError `MissingValue` where there is none
 */
async function usualAccounts(ctx: Context, type: string | undefined, country: string) {
  const client = await ctx.client();
  const seeds = depositAccounts(country, type?.startsWith("RECEIVE") ?? false);
  const accounts = await Array.fromAsync(client.list(account, { where: 'Status=="ACTIVE"' }));
  const usual = seeds.flatMap(({ code, name }) =>
    accounts.filter(({ Code, Name }) => Code === code && Name === name),
  );
  const told = new Set<string>();
  return (taxType: string | undefined): string => {
    const ofTax = usual.find(({ TaxType }) => TaxType === taxType) ?? usual.at(-1);
    const found = taxType === undefined ? usual[0] : ofTax;
    if (found?.Code === undefined) {
      throw new UsageError("MissingValue", `Say what it stands on: --account CODE. ${standsOn}`);
    }
    if (!told.has(found.Code)) ctx.out.say(`It stands on ${found.Code} ${found.Name}.`);
    told.add(found.Code);
    return found.Code;
  };
}
