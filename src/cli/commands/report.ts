/** `acct report`: profit and loss, balance sheet, trial balance, and the nouns of the others. */
import { command, group } from "../command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../period.ts";
import { counted, day, dayOf, endOfPeriod, flagged, show, timeframes } from "./report-show.ts";
import {
  agedPayables,
  agedReceivables,
  bankSummary,
  budgetSummary,
  executiveSummary,
} from "./report-summaries.ts";
import {
  bas,
  gst,
  listPublished,
  showPublished,
  tenNinetyNine,
  tenNinetyNineBoxes,
} from "./report-tax.ts";
import { trackingOf } from "./report-tracking.ts";

const periodsMax = 11;

const periods = { kind: "integer", min: 1, max: periodsMax } as const;
const timeframe = { kind: "choice", values: timeframes } as const;

const comparison = "how many earlier periods stand beside it";
const step = "how far apart the periods are; MONTH when not given";
const cash = "cash basis: only what was paid";
const optionHelp = "only what carries this tracking option, by name or id";

const profitAndLoss = command("pl", "profit and loss of a period")
  .answers("report")
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

/** The last day of the month of a day, `YYYY-MM-DD` both. */
function endOfMonth(date: string): string {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

const balanceSheet = command("balance-sheet", "what is owned and owed at the end of a month")
  .answers("report")
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
    const date = await dayOf(ctx, options);
    const end = date === undefined ? undefined : endOfMonth(date);
    if (date !== end) {
      ctx.out.say(`As at ${end}: a balance sheet is for the end of the month, not for ${date}.`);
    }
    await show(ctx, "BalanceSheet", {
      date,
      periods: counted(options.periods),
      timeframe: options.timeframe,
      trackingOptionID1: first?.optionId,
      trackingOptionID2: second?.optionId,
      standardLayout: flagged(options.standardLayout),
      paymentsOnly: flagged(options.paymentsOnly),
    });
  });

const trialBalance = command("trial-balance", "the balance of every account at a day")
  .answers("report")
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

export const reportNoun = group(
  "report",
  "financial statements, aged balances, summaries and tax returns",
  [
    profitAndLoss,
    balanceSheet,
    trialBalance,
    agedReceivables,
    agedPayables,
    bankSummary,
    budgetSummary,
    executiveSummary,
    tenNinetyNine,
    tenNinetyNineBoxes,
    bas,
    gst,
    listPublished,
    showPublished,
  ],
  { aliases: ["reports"] },
);
