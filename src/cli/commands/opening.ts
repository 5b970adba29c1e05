/** `acct opening`: opening balances of a book that takes over from earlier books. */

import { type Account, account } from "../../resources/account.ts";
import { amountText } from "../../resources/common.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import {
  type OpeningBalance,
  type OpeningBalanceInput,
  openingBalance,
  stockContact,
} from "../../resources/opening-balance.ts";
import { counted } from "../../resources/scalar.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Child, Context } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { fileFlag, inputOf } from "../framework/input.ts";

async function currentBalances(ctx: Context): Promise<OpeningBalance | undefined> {
  const client = await ctx.client();
  for await (const balances of client.list(openingBalance)) return balances;
  return undefined;
}

async function requireOpening(ctx: Context): Promise<OpeningBalance> {
  const opening = await currentBalances(ctx);
  if (opening !== undefined) return opening;
  throw new NotFoundError(
    "NotFound",
    "The book has no opening balances; acct opening set sets them.",
  );
}

const setCommand = command(
  "set",
  "set the balances, open documents and stock that the book begins with",
)
  .writes()
  .answers(openingBalance)
  .asks(async () => (await import("../prompts/wizards/opening.ts")).openingWizard)
  .optionalArgument("FILE", "the trial balance of the day as CSV; - for standard input", {
    live: "file",
  })
  .fields(openingBalance, ["Date"])
  .flag("documents", "the invoices, bills and credit notes that were open, as CSV", {
    placeholder: "FILE",
    live: "file",
  })
  .flag("stock", "the tracked items on hand, as CSV", { placeholder: "FILE", live: "file" })
  .flag("date-format", "how the files write dates, such as DD/MM/YYYY")
  .flag("decimal", "comma or point", { values: ["comma", "point"] })
  .flags<{ readonly file?: string; readonly map?: readonly string[] }>([
    ownFlag("map", "which column of the files a field is, Debit='Closing Dr' say", {
      placeholder: "FIELD=COLUMN",
      repeat: true,
    }),
    fileFlag,
  ])
  .note(
    "The trial balance has the columns Account (code) or Name, Debit and Credit, or Balance, and for " +
      "bank accounts in another currency CurrencyBalance. Documents have Type (invoice, bill, credit " +
      "note, supplier credit), Number, Contact, Date, Amount with its tax, and may have DueDate, " +
      "AmountDue, Tax, Account, TaxType, Currency and Rate; rows of one number are its lines. Stock " +
      "has Item, Quantity, and Cost or UnitCost.",
  )
  .note(
    "What is not given stays as it was set before; a document that is not in the file any more is " +
      "voided. Nothing else can be posted on or before the day. Receivables, payables and inventory " +
      "must come to what their documents and items do; what the balances are out by stands on " +
      "Historical Adjustment.",
  )
  .example(
    "acct opening set trial-balance.csv --date 2026-03-31 --documents open.csv --stock stock.csv",
  )
  .example("acct opening set balances.csv --date 2026-03-31 --dry-run")
  .action(async (ctx, path, { Date: day, documents, stock, dateFormat, decimal, file, map }) => {
    const files = await import("../opening/opening-files.ts");
    const form = {
      dateFormat,
      decimal: decimal as "comma" | "point" | undefined,
      currency: await baseCurrency(ctx),
      map: files.namedColumns(map ?? []),
    };
    const tell = (sentence: string) => ctx.out.say(sentence);
    const openingBefore = await currentBalances(ctx);
    const overrides: OpeningBalanceInput = {
      ...(day === undefined ? {} : { Date: day }),
      ...(path === undefined
        ? {}
        : { Accounts: await files.readBalances({ path, tell }, await chart(ctx), form) }),
      ...(documents === undefined
        ? {}
        : { Documents: await files.readDocuments({ path: documents, tell }, form) }),
      ...(stock === undefined ? {} : { Stock: await files.readStock({ path: stock, tell }, form) }),
    };
    const input = await inputOf(ctx, openingBalance, file, overrides);
    if (openingBefore === undefined && (input.Date === undefined || input.Accounts === undefined)) {
      throw new UsageError(
        "MissingValue",
        "Opening balances need --date and a FILE with the trial balance of that day.",
      );
    }
    const client = await ctx.client();
    const { Documents = [], Stock = [] } = input;
    const contactNames = Documents.flatMap(({ ContactName }) => ContactName ?? []);
    const { watchContacts } = await import("../import/records/new-contacts.ts");
    const tellContacts = await watchContacts(
      ctx,
      Stock.length === 0 ? contactNames : [...contactNames, stockContact],
    );
    const opening =
      openingBefore === undefined
        ? await client.create(openingBalance, input)
        : await client.update(openingBalance, openingBefore.OpeningBalanceID, input);
    await ctx.out.record(openingBalance, opening);
    await tellContacts();
    const { HistoricalAdjustment: adjustment } = opening;
    if (adjustment !== 0) {
      const [more, less] = adjustment < 0 ? ["debits", "credits"] : ["credits", "debits"];
      const by = amountText(Math.abs(adjustment), await baseCurrency(ctx));
      ctx.out.say(`The ${more} are ${by} more than the ${less}; Historical Adjustment has that.`);
    }
  });

async function baseCurrency(ctx: Context): Promise<string | undefined> {
  return (await homeAt(ctx, await ctx.client())).currency;
}

async function chart(ctx: Context): Promise<Account[]> {
  const client = await ctx.client();
  const accounts = await Array.fromAsync(client.list(account));
  return accounts.filter(({ Status }) => Status === "ACTIVE");
}

const showCommand = command(
  "show",
  "show the balances, open documents and stock that the book begins with",
)
  .alias("view", "get")
  .answers(openingBalance)
  .example("acct opening show")
  .example("acct opening show -o json")
  .action(async (ctx) => ctx.out.record(openingBalance, await requireOpening(ctx)));

const removeCommand = command("remove", "take the opening balances back, with their documents")
  .writes()
  .alias("delete")
  .answers(openingBalance)
  .note(
    "Asks first; without a terminal to ask on, --yes must be given. A paid document stays in the way.",
  )
  .example("acct opening remove --yes")
  .action(async (ctx) => {
    const balances = await requireOpening(ctx);
    const { Date: day, OpeningBalanceID: id } = balances;
    const effect = await describeRemoval(ctx, balances);
    await confirm(ctx, `Take back the opening balances of ${day}? ${effect}`);
    const client = await ctx.client();
    await client.remove(openingBalance, id);
    const verb = ctx.flags.dryRun ? "would be taken back" : "are taken back";
    ctx.out.say(`The opening balances of ${day} ${verb}.`);
  });

/** Returns what a removal takes back: balances, the sum of their debits, and documents. */
async function describeRemoval(
  ctx: Context,
  { Accounts, Documents = [] }: OpeningBalance,
): Promise<string> {
  const debitSum = Accounts.reduce((sum, { Debit = 0 }) => sum + Debit, 0);
  const total = amountText(debitSum, await baseCurrency(ctx));
  const voided =
    Documents.length === 0 ? "" : `, and ${counted(Documents.length, "document")} voided`;
  return `${counted(Accounts.length, "balance")} with debits of ${total} are posted once more with every sign turned${voided}.`;
}

export const openingVerbs: readonly Child[] = [setCommand, showCommand, removeCommand];
