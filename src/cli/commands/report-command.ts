/** Builds the command of a report from the report's description. */
import { spanName } from "../../ledger/dates/calendar.ts";
import {
  areOverlapping,
  reportRange,
  type Timeframe,
  timeframeOf,
} from "../../ledger/reports/report-rows.ts";
import { account } from "../../resources/account.ts";
import { contact } from "../../resources/contact.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Field, idOf, isScalar, type Resource } from "../../resources/field.ts";
import {
  accountantLayout,
  layoutField,
  presetsOf,
  type ReportDescription,
  type ReportName,
  reports,
  timeframes,
} from "../../resources/report.ts";
import type { Report } from "../../wire/report.ts";
import type { Command, Context, Flag } from "../context/context.ts";
import { command, ownFlag, toCamel } from "../framework/command.ts";
import { fieldFlag } from "../framework/flags.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { trackingOf } from "./report-tracking.ts";

/** Parameters of a report, by their API names. */
type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the parameters that have a value. */
export function withoutUnset(parameters: Parameters): Record<string, string> {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

export interface ReportOptions extends PeriodOptions {
  readonly date?: string | undefined;
  readonly trackingCategory?: string[] | undefined;
  readonly trackingOption?: string[] | undefined;
  readonly chart?: boolean | undefined;
  readonly layout?: string | undefined;
  /** Parameters specific to the report, by flag. */
  readonly [name: string]: unknown;
}

/** Declares `acct report NAME`. */
export function reportCommand(name: ReportName): Command {
  const report: ReportDescription = reports[name];
  const oneContact: ReportDescription | undefined = reports[report.byContact as ReportName];
  const namedParameters = [
    ["contactID", contact],
    ["accountID", account],
  ] as const;
  const { command: word = name, summary = report.title, examples = [] } = report;
  const reference = namedParameters.find(([parameter]) => parameter in report.parameters);
  let builder = command(word, summary)
    .answers("report")
    .alias(...(report.aliases ?? []))
    .flags<ReportOptions>(() => [...reportFlags(name), ...chartFlags(report)]);
  if (report.note !== undefined) builder = builder.note(report.note);
  for (const example of examples) builder = builder.example(example);
  if (oneContact !== undefined) {
    return builder
      .optionalArgument("CONTACT", "one contact, by name, number or id", { live: "contact" })
      .action(async (ctx, key, options) => {
        if (key === undefined) {
          refuseFlags(report, oneContact, options);
          return show(ctx, name, report, options);
        }
        refuseFlags(oneContact, report, options);
        const { ContactID } = await (await ctx.client()).find(contact, key);
        await show(ctx, report.byContact as ReportName, oneContact, options, {
          contactID: ContactID,
        });
      });
  }
  if (reference === undefined)
    return builder.action((ctx, options) => show(ctx, name, report, options));
  const [parameter, resource] = reference;
  return builder.key(resource).action(async (ctx, key, options) => {
    const record = await (await ctx.client()).find<Resource>(resource, key);
    await show(ctx, name, report, options, { [parameter]: idOf(resource, record) });
  });
}

/** Returns the flags of a report, including those of its variant for a single contact. */
export function reportFlags(name: ReportName): Flag[] {
  const report: ReportDescription = reports[name];
  const oneContact: ReportDescription | undefined = reports[report.byContact as ReportName];
  return Object.entries({
    ...oneContact?.parameters,
    ...report.parameters,
    layout: layoutField,
  }).flatMap(([parameter, field]) => flagsOf(oneContact ?? report, parameter, field));
}

/** Returns the API parameters of a report from its flags. */
export async function reportParameters(
  ctx: Context,
  report: ReportDescription,
  options: ReportOptions,
): Promise<Record<string, string>> {
  const query = withoutUnset({
    ...(await dayParameters(ctx, report, options)),
    ...(await trackingParameters(ctx, report, options)),
    ...ownValues(report, options),
    layout: options.layout,
  });
  return { ...query, ...(await stepParameter(ctx, report, options, query)), ...presetsOf(report) };
}

/**
 * Returns the step between compared periods, which is their length.
 *
 * @throws UsageError where the days match no timeframe
 */
async function stepParameter(
  ctx: Context,
  { parameters }: ReportDescription,
  { period }: ReportOptions,
  query: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const isRanged = "fromDate" in parameters;
  if (!("timeframe" in parameters) || (!isRanged && (period === undefined || !query.periods))) {
    return {};
  }
  const days = isRanged
    ? { from: query.fromDate, to: query.toDate }
    : await periodOf(ctx, { period });
  const timeframe = query.timeframe as Timeframe | "WEEK" | undefined;
  if (days.from === undefined && days.to === undefined) return {};
  const range = reportRange(days.from, days.to, await ctx.today());
  const ofRange = timeframeOf(range);
  if (timeframe !== undefined || query.periods === undefined) return {};
  if (ofRange !== undefined) return { timeframe: ofRange };
  const longer = timeframes.find((timeframe) => !areOverlapping(range, timeframe));
  throw new UsageError(
    "BadFlags",
    longer === undefined
      ? `${spanName(range)} is longer than a year, and is compared with nothing; leave --periods out.`
      : `${spanName(range)} is no month, quarter or year to compare with the one before; --timeframe ${longer} compares it with the same days of the ${longer.toLowerCase()} before.`,
  );
}

function chartFlags({ chart }: ReportDescription): Flag[] {
  if (chart === undefined) return [];
  const steps =
    chart.steps === undefined
      ? ""
      : ` by ${chart.steps.toLowerCase()}, of the last twelve when no days are given`;
  return [ownFlag("chart", `bars instead of the table${steps}`)];
}

/**
 * Refuses flags that apply to the other report alone.
 *
 * @throws UsageError
 */
export function refuseFlags(
  { parameters, title }: ReportDescription,
  otherReport: ReportDescription,
  options: ReportOptions,
): void {
  for (const [parameter, field] of Object.entries(otherReport.parameters)) {
    if (parameter in parameters) continue;
    for (const { key, name } of flagsOf(otherReport, parameter, field)) {
      if (options[key] === undefined || name === "period") continue;
      throw new UsageError("BadFlags", `${title} takes no --${name}.`);
    }
  }
}

/**
 * Flags that set several parameters, by the first of them; undefined for a flag of one parameter.
 */
const commonFlags: Readonly<Record<string, readonly Flag[]>> = {
  contactID: [],
  accountID: [],
  fromDate: periodFlags,
  toDate: [],
  trackingCategoryID: [
    ownFlag("tracking-category", "a column for each of its options; two categories combine them", {
      placeholder: "NAME|ID",
      repeat: true,
      live: "tracking",
    }),
  ],
  trackingCategoryID2: [],
  trackingOptionID2: [],
};

export const trackingOption: Flag = ownFlag(
  "tracking-option",
  "only what carries this tracking option, by name or id",
  { placeholder: "NAME|ID", repeat: true },
);

const [, , periodFlag] = periodFlags as readonly [Flag, Flag, Flag];
/** `--period` for a report as at a single day. */
const endOfPeriod = { ...periodFlag, help: `the end of it: ${periodFlag.help}` };

function flagsOf({ isAsAt, spelt }: ReportDescription, parameter: string, field: Field): Flag[] {
  const knownFlags = commonFlags[parameter];
  if (knownFlags !== undefined) return [...knownFlags];
  if (/^trackingOptionID1?$/.test(parameter)) return [trackingOption];
  const name = parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { help = "" } = field;
  if (field.kind === "boolean") return [ownFlag(name, help)];
  const words = spelt?.[parameter];
  const read =
    words === undefined ? field : ({ kind: "choice", values: Object.keys(words) } as const);
  if (!isScalar(read)) throw new Error(`No flag can hold ${parameter}.`);
  const flag = { ...fieldFlag(name, read, { help, name }), key: toCamel(name) };
  return parameter === "date" && isAsAt ? [flag, endOfPeriod] : [flag];
}

/** Returns the layout of reports where none is asked for: the accountant's, in formats for people. */
export const layoutFor = ({ out }: Context): Parameters => (out.isLaidOut ? accountantLayout : {});

async function show(
  ctx: Context,
  name: ReportName,
  report: ReportDescription,
  options: ReportOptions,
  parameters: Parameters = {},
): Promise<void> {
  const charts = options.chart === true ? await import("./report-chart.ts") : undefined;
  charts?.checkChart(ctx, report);
  const query = withoutUnset({
    ...parameters,
    ...(await reportParameters(ctx, report, options)),
    ...(charts === undefined && options.layout === undefined ? layoutFor(ctx) : {}),
  });
  const client = await ctx.client();
  const read = async (of: Readonly<Record<string, string>>) =>
    withBasis(await client.report(name, of), of);
  if (charts !== undefined) return charts.showChart(ctx, report, query, read);
  await ctx.out.report(await read(query));
}

/**
 * Adds the title of the cash basis, which services that implement the public API alone leave out.
 */
function withBasis(report: Report, { paymentsOnly }: Readonly<Record<string, string>>): Report {
  const { ReportTitles } = report;
  const isSaid = paymentsOnly !== "true" || ReportTitles.some((title) => /cash basis/i.test(title));
  return isSaid ? report : { ...report, ReportTitles: [...ReportTitles, "Cash basis"] };
}

/** Returns the days of a range, or the as-at day of a report. */
async function dayParameters(
  ctx: Context,
  { parameters }: ReportDescription,
  options: ReportOptions,
): Promise<Parameters> {
  if ("fromDate" in parameters) {
    const { from, to } = await periodOf(ctx, options);
    const days = { date: options.date, fromDate: from, toDate: to };
    // From a day on is until today. A column compared with others is a whole month without an end.
    const isCompared = options.periods !== undefined || options.timeframe !== undefined;
    if (from === undefined || to !== undefined || isCompared || "date" in parameters) return days;
    const today = await ctx.today();
    return from > today ? days : { ...days, toDate: today };
  }
  return { date: await dayOf(ctx, options) };
}

async function dayOf(ctx: Context, { date, period }: ReportOptions): Promise<string | undefined> {
  if (period === undefined) return date;
  if (date !== undefined) {
    throw new UsageError("BadFlags", "--period says the day; leave --date out.");
  }
  return (await periodOf(ctx, { period })).to;
}

async function trackingParameters(
  ctx: Context,
  { parameters }: ReportDescription,
  { trackingCategory, trackingOption }: ReportOptions,
): Promise<Parameters> {
  const [first, second] = await trackingOf(ctx, trackingCategory, trackingOption);
  if (!("trackingCategoryID" in parameters)) {
    return { trackingOptionID1: first?.optionId, trackingOptionID2: second?.optionId };
  }
  return {
    trackingCategoryID: first?.categoryId,
    trackingOptionID: first?.optionId,
    trackingCategoryID2: second?.categoryId,
    trackingOptionID2: second?.optionId,
  };
}

/** Returns the parameters whose flags are passed on unchanged. */
function ownValues({ parameters, spelt }: ReportDescription, options: ReportOptions): Parameters {
  const ownParameters = Object.keys(parameters).filter(
    (name) => commonFlags[name] === undefined && name !== "date" && !name.startsWith("tracking"),
  );
  return Object.fromEntries(
    ownParameters.map((name) => {
      const value = options[name];
      const text = value === undefined ? undefined : String(value);
      return [name, text === undefined ? undefined : (spelt?.[name]?.[text] ?? text)];
    }),
  );
}
