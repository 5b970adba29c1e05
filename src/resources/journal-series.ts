/** Manual journals posted together: a journal with its reversal, a spread cost, or a repetition. */
import { account } from "./account.ts";
import { choice, date, integer, many, ref, resource, type Shape } from "./field.ts";
import { journalLineFields, manualJournal } from "./manual-journal.ts";

/** Maximum number of repetitions in a series, and of months over which an amount is spread. */
export const seriesMax = 120;

const { Narration, Date: day, LineAmountTypes, ShowOnCashBasisReports, Url } = manualJournal.fields;

export const journalSeries = resource(
  "JournalSeries",
  () => ({
    Narration,
    Date: { ...day, help: "of the first of them; today when not given" },
    LineAmountTypes,
    JournalLines: many("JournalLine", journalLineFields, { always: true }),
    ShowOnCashBasisReports,
    Url,
    ReverseOn: date({ help: "post it backwards on this day" }),
    Months: integer({
      min: 2,
      max: seriesMax,
      help: "spread it: taken to prepayments at once, and back at the end of each of these months",
    }),
    PrepaymentAccount: ref("Account", ["AccountID", "Code"], account.fields, {
      help: "where a spread amount waits; the account Prepayments when not given",
    }),
    Every: choice(["WEEK", "MONTH", "QUARTER", "YEAR"], { help: "post it again and again" }),
    Times: integer({ min: 2, max: seriesMax, help: "how many of them there are" }),
    Until: date({ help: "the last day on which one may be" }),
  }),
  {
    plural: "JournalSeries",
    extension: true,
    id: "Date",
    columns: ["Date", "Narration"],
    noun: "series of manual journals",
    summary: "manual journals that are posted together",
  },
);

export type JournalSeries = Shape<typeof journalSeries>;
