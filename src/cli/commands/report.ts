/** `acct report`: profit and loss, balance sheet, trial balance. */
import type { Client } from "../../client/client.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { type TrackingCategory, trackingCategory } from "../../resources/tracking-category.ts";
import { command, type Flag, group } from "../command.ts";
import type { Context } from "../context.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../period.ts";
import { didYouMean } from "../values/suggest.ts";

const timeframes = ["MONTH", "QUARTER", "YEAR"] as const;
const periodsMax = 11;

const periods = { kind: "integer", min: 1, max: periodsMax } as const;
const timeframe = { kind: "choice", values: timeframes } as const;
const day = { kind: "date" } as const;

const comparison = "how many earlier periods stand beside it";
const step = "how far apart the periods are; MONTH when not given";
const cash = "cash basis: only what was paid";
const optionHelp = "only what carries this tracking option, by name or id";

/** What every report may be asked. */
interface Parameters {
  readonly [name: string]: string | undefined;
}

async function show(ctx: Context, name: string, parameters: Parameters): Promise<void> {
  const client = await ctx.client();
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  await ctx.out.report(
    await client.report(name, Object.fromEntries(given) as Record<string, string>),
  );
}

const flagged = (value: boolean | undefined) => (value === true ? "true" : undefined);
const counted = (value: number | undefined) => (value === undefined ? undefined : String(value));

const profitAndLoss = command("pl", "profit and loss of a period")
  .alias("profit-and-loss", "p-and-l", "income-statement")
  .flags<PeriodOptions>(periodFlags)
  .field("periods", periods, { help: comparison })
  .field("timeframe", timeframe, { help: step })
  .flag("tracking-category", {
    placeholder: "NAME|ID",
    help: "a column for each of its options; two categories combine them",
    repeat: true,
    live: "tracking",
  })
  .flag("tracking-option", { placeholder: "NAME|ID", help: optionHelp, repeat: true })
  .switch("standard-layout", "leave layouts of the organisation's own aside")
  .switch("payments-only", cash)
  .note("The current month when nothing is said.")
  .example("acct report pl --period this-fy")
  .example("acct report pl --period 2026-03 --periods 2 --timeframe MONTH -o csv")
  .action(async (ctx, options) => {
    const { from, to } = await periodOf(ctx, options);
    const tracking = await trackingOf(ctx, options.trackingCategory, options.trackingOption);
    const [first, second] = tracking;
    await show(ctx, "ProfitAndLoss", {
      fromDate: from,
      toDate: to,
      periods: counted(options.periods),
      timeframe: options.timeframe,
      trackingCategoryID: first?.categoryId,
      trackingOptionID: first?.optionId,
      trackingCategoryID2: second?.categoryId,
      trackingOptionID2: second?.optionId,
      standardLayout: flagged(options.standardLayout),
      paymentsOnly: flagged(options.paymentsOnly),
    });
  });

const [, , periodFlag] = periodFlags as readonly [Flag, Flag, Flag];
const endOfPeriod = { ...periodFlag, help: `the end of it: ${periodFlag.help}` };

/** The day that a report is as at. */
async function dayOf(
  ctx: Context,
  { date, period }: { readonly date?: string | undefined; readonly period?: string | undefined },
): Promise<string | undefined> {
  if (period === undefined) return date;
  if (date !== undefined)
    throw new UsageError("BadFlags", "--period says the day; leave --date out.");
  return (await periodOf(ctx, { period })).to;
}

const balanceSheet = command("balance-sheet", "what is owned and owed at the end of a month")
  .alias("bs")
  .field("date", day, { help: "a day of that month; today when not given" })
  .flags<Pick<PeriodOptions, "period">>([endOfPeriod])
  .field("periods", periods, { help: comparison })
  .field("timeframe", timeframe, { help: step })
  .flag("tracking-option", { placeholder: "NAME|ID", help: optionHelp, repeat: true })
  .switch("standard-layout", "leave layouts of the organisation's own aside")
  .switch("payments-only", cash)
  .example("acct report balance-sheet --date 2026-03-31")
  .action(async (ctx, options) => {
    const [first, second] = await trackingOf(ctx, undefined, options.trackingOption);
    await show(ctx, "BalanceSheet", {
      date: await dayOf(ctx, options),
      periods: counted(options.periods),
      timeframe: options.timeframe,
      trackingOptionID1: first?.optionId,
      trackingOptionID2: second?.optionId,
      standardLayout: flagged(options.standardLayout),
      paymentsOnly: flagged(options.paymentsOnly),
    });
  });

const trialBalance = command("trial-balance", "the balance of every account at a day")
  .alias("tb")
  .field("date", day, { help: "today when not given" })
  .flags<Pick<PeriodOptions, "period">>([endOfPeriod])
  .switch("payments-only", cash)
  .example("acct report trial-balance --date yesterday -o csv")
  .action(async (ctx, options) =>
    show(ctx, "TrialBalance", {
      date: await dayOf(ctx, options),
      paymentsOnly: flagged(options.paymentsOnly),
    }),
  );

// --- tracking --------------------------------------------------------------------------------

interface Tracked {
  readonly categoryId: string;
  readonly optionId?: string | undefined;
}

/** Most categories that an organisation uses at a time, and that a report can combine. */
const trackedMax = 2;

/** The categories and options that names or ids mean; an option brings its category along. */
async function trackingOf(
  ctx: Context,
  categories: readonly string[] = [],
  options: readonly string[] = [],
): Promise<Tracked[]> {
  if (categories.length === 0 && options.length === 0) return [];
  const known = await allCategories(await ctx.client());
  const tracked = new Map<string, Tracked>();
  for (const key of categories) {
    const { TrackingCategoryID } = categoryNamed(known, key);
    tracked.set(TrackingCategoryID, { categoryId: TrackingCategoryID });
  }
  for (const key of options) {
    const { categoryId, optionId } = optionOfAny(known, key);
    tracked.set(categoryId, { categoryId, optionId });
  }
  if (tracked.size > trackedMax) {
    throw new UsageError(
      "BadFlags",
      `A report combines at most ${trackedMax} tracking categories.`,
    );
  }
  return [...tracked.values()];
}

async function allCategories(client: Client): Promise<TrackingCategory[]> {
  const parameters = { includeArchived: "true" };
  const all: TrackingCategory[] = [];
  for await (const each of client.list(trackingCategory, { parameters })) all.push(each);
  return all;
}

function same(text: string | undefined, key: string): boolean {
  return text?.toLowerCase() === key.toLowerCase();
}

function categoryNamed(known: readonly TrackingCategory[], key: string): TrackingCategory {
  const found = known.find((each) => same(each.Name, key) || same(each.TrackingCategoryID, key));
  if (found !== undefined) return found;
  const meant = didYouMean(
    key,
    known.map(({ Name }) => Name),
  );
  throw new NotFoundError("NotFound", `There is no tracking category ${key}.${meant}`);
}

function optionOfAny(known: readonly TrackingCategory[], key: string): Required<Tracked> {
  for (const { TrackingCategoryID, Options = [] } of known) {
    const found = Options.find((each) => same(each.Name, key) || same(each.TrackingOptionID, key));
    if (found) return { categoryId: TrackingCategoryID, optionId: found.TrackingOptionID };
  }
  const names = known.flatMap(({ Options = [] }) => Options.map(({ Name }) => Name));
  throw new NotFoundError(
    "NotFound",
    `There is no tracking option ${key}.${didYouMean(key, names)}`,
  );
}

export const reportNoun = group(
  "report",
  "profit and loss, balance sheet, trial balance",
  [profitAndLoss, balanceSheet, trialBalance],
  { aliases: ["reports"] },
);
