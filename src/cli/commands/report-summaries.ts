/** `acct report`: what contacts owe and are owed, and the summaries. */
import { contact } from "../../resources/contact.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../period.ts";
import { counted, day, dayOf, endOfPeriod, show, timeframes } from "./report-show.ts";

/** The two aged reports differ in their name alone. */
const aged = (name: string, summary: string, report: string, example: string) =>
  command(name, summary)
    .key(contact)
    .answers("report")
    .field("date", day, {
      help: "the day that payments count up to; the end of this month when not given",
    })
    .flags<PeriodOptions>(periodFlags)
    .note("With a first day, documents before it come to an opening balance.")
    .example(`acct report ${name} '${example}' --date 2026-03-31`)
    .action(async (ctx: Context, key: string, options) => {
      const { from, to } = await periodOf(ctx, options);
      const { ContactID } = await (await ctx.client()).find(contact, key);
      await show(ctx, report, {
        contactID: ContactID,
        date: options.date,
        fromDate: from,
        toDate: to,
      });
    });

export const agedReceivables = aged(
  "aged-receivables",
  "what a customer owes, invoice by invoice",
  "AgedReceivablesByContact",
  "Cuba Street Gifts",
);

export const agedPayables = aged(
  "aged-payables",
  "what a supplier is owed, bill by bill",
  "AgedPayablesByContact",
  "Clay Merchants",
);

export const bankSummary = command("bank-summary", "what came into and went out of the bank")
  .answers("report")
  .alias("bank")
  .flags<PeriodOptions>(periodFlags)
  .note("The current month when nothing is said.")
  .example("acct report bank-summary --period last-month")
  .action(async (ctx, options) => {
    const { from, to } = await periodOf(ctx, options);
    await show(ctx, "BankSummary", { fromDate: from, toDate: to });
  });

/** Most columns of a budget summary. */
const columnsMax = 12;
const monthsIn = { MONTH: "1", QUARTER: "3", YEAR: "12" } as const;

export const budgetSummary = command("budget-summary", "what the overall budget plans")
  .answers("report")
  .alias("budget")
  .field("date", day, { help: "a day of the first month; today when not given" })
  .field(
    "periods",
    { kind: "integer", min: 1, max: columnsMax },
    { help: "how many columns there are; 12 when not given" },
  )
  .field(
    "timeframe",
    { kind: "choice", values: timeframes },
    { help: "how long each of them is; MONTH when not given" },
  )
  .example("acct report budget-summary --date 2026-04-01 --periods 4 --timeframe QUARTER")
  .action(async (ctx, { date, periods, timeframe }) =>
    show(ctx, "BudgetSummary", {
      date,
      periods: counted(periods),
      timeframe: timeframe === undefined ? undefined : monthsIn[timeframe],
    }),
  );

export const executiveSummary = command(
  "executive-summary",
  "a month in some twenty figures, beside the month before",
)
  .answers("report")
  .alias("summary")
  .field("date", day, { help: "a day of that month; today when not given" })
  .flags<Pick<PeriodOptions, "period">>([endOfPeriod])
  .example("acct report executive-summary --period 2026-03")
  .action(async (ctx, options) =>
    show(ctx, "ExecutiveSummary", { date: await dayOf(ctx, options) }),
  );
