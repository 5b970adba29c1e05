/** `acct report account-transactions` and `acct report journal`: lists of postings. */
import { transactionsOf } from "../../client/journal-queries.ts";
import { account } from "../../resources/account.ts";
import { accountTransaction, ledgerParameters } from "../../resources/account-transaction.ts";
import { NotFoundError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { trackingOption, withoutUnset } from "./report-command.ts";
import { trackingOf } from "./report-tracking.ts";

interface LedgerOptions extends PeriodOptions {
  readonly trackingOption?: string[] | undefined;
  readonly paymentsOnly?: boolean | undefined;
  readonly undone?: boolean | undefined;
}

async function show(
  ctx: Context,
  options: LedgerOptions,
  ownParameters: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { from, to } = await periodOf(ctx, options);
  const [first, second] = await trackingOf(ctx, undefined, options.trackingOption);
  const parameters = withoutUnset({
    ...ownParameters,
    fromDate: from,
    toDate: to,
    paymentsOnly: options.paymentsOnly === true ? "true" : undefined,
    undone: options.undone === true ? "true" : undefined,
    trackingOptionID1: first?.optionId,
    trackingOptionID2: second?.optionId,
  });
  const client = await ctx.client();
  await ctx.out.records(accountTransaction, transactionsOf(client, parameters), async () => {
    const { postingReport } = await import("../export/posting-report.ts");
    return postingReport(client, parameters);
  });
}

const undoneHelp = ledgerParameters.undone.help;

export const accountTransactions = command(
  "account-transactions",
  "postings of accounts, between their opening and closing balances",
)
  .alias("account-ledger")
  .answers(accountTransaction)
  .arguments("ACCOUNT", "account, by its code or name; every one when none is named", {
    live: "account",
    optional: true,
  })
  .flags<LedgerOptions>(() => [...periodFlags, trackingOption])
  .switch("payments-only", "cash basis: only what was paid")
  .switch("undone", undoneHelp)
  .note(
    "The current month when nothing is said. The closing balance is that of the trial balance; what " +
      "that works out without a journal, currency gains of open items and the profit at a year's " +
      "end, is a row of its own. --columns shows more: JournalNumber, TaxType, TaxAmount, Tracking, " +
      "OtherAccount, CurrencyCode, CurrencyRate, ForeignAmount. An extension.",
  )
  .example("acct report account-transactions 200 --period 2026-03")
  .example("acct report account-transactions --period this-fy -o csv")
  .action(async (ctx, keys, options) => {
    const ids: string[] = [];
    for (const key of keys) ids.push((await namedAccount(ctx, key)).AccountID);
    await show(ctx, options, { accounts: ids.length === 0 ? undefined : ids.join(",") });
  });

async function namedAccount(ctx: Context, key: string) {
  const client = await ctx.client();
  const record = await client.find(account, key);
  if (record.Status !== "DELETED") return record;
  throw new NotFoundError("NotFound", `There is no account ${key}.`);
}

export const journalReport = command("journal", "journals as they were posted, posting by posting")
  .alias("journals")
  .answers(accountTransaction)
  .flags<LedgerOptions>(() => [...periodFlags, trackingOption])
  .switch("payments-only", "cash basis: only what was paid; it has numbers of its own")
  .switch("undone", undoneHelp)
  .note(
    "The current month when nothing is said. An extension; acct journal list works with any service.",
  )
  .example("acct report journal --period 2026-03 --undone")
  .action((ctx, options) => show(ctx, options, { order: "journal" }));
