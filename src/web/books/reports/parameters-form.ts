/**
 * Form for the parameters of a report: its fields, derived from the description of the parameters,
 * and the default values.
 */
import {
  addDays,
  addMonths,
  endOfMonth,
  financialYear,
  spanName,
  startOfMonth,
} from "../../../ledger/dates/calendar.ts";
import {
  areOverlapping,
  reportRange,
  type Timeframe,
  timeframeOf,
} from "../../../ledger/reports/report-rows.ts";
import { choiceText, labelOf } from "../../../output/field-labels.ts";
import type { Account } from "../../../resources/account.ts";
import { contact } from "../../../resources/contact.ts";
import type { Field } from "../../../resources/field.ts";
import { accountantLayout, presetsOf, timeframes } from "../../../resources/report.ts";
import { isDay, readId } from "../../../resources/scalar.ts";
import { taxReturns } from "../../../resources/tax-report.ts";
import { type TrackingCategory, trackingCategory } from "../../../resources/tracking-category.ts";
import type { FilterField } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { accountsOf, titleOf } from "../ledger/account-ledger.ts";
import type { ReportPage } from "./report-catalogue.ts";

export interface ReportQuery {
  readonly page: ReportPage;
  /** Values of the form fields, as given in the address of the page. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Parameters of the API request; undefined where a required one is missing. */
  readonly parameters: Readonly<Record<string, string>> | undefined;
  readonly fields: readonly FilterField[];
  readonly faults: readonly string[];
  readonly accounts: readonly Account[];
  readonly tracking: readonly TrackingCategory[];
}

/** Names of parameters in page addresses, where the API uses other names. */
const names: Readonly<Record<string, string>> = {
  fromDate: "from",
  toDate: "to",
  paymentsOnly: "basis",
  contactID: "contact",
  accountID: "account",
  trackingCategoryID: "by-tracking",
  trackingCategoryID2: "and-by-tracking",
  trackingOptionID: "tracking",
  trackingOptionID1: "tracking",
  trackingOptionID2: "and-tracking",
};

const labels: Readonly<Record<string, string>> = {
  fromDate: "From",
  toDate: "To",
  date: "As at",
  paymentsOnly: "Basis",
  periods: "Columns",
  timeframe: "Step",
  contactID: "Contact",
  accountID: "Bank account",
  trackingCategoryID: "A column for each",
  trackingCategoryID2: "combined with",
  trackingOptionID: "Tracking",
  trackingOptionID1: "Tracking",
  trackingOptionID2: "and tracking",
  by: "By",
  buckets: "Buckets",
  detail: "Documents behind it",
};

/** API parameters that the form does not offer. */
const unoffered: ReadonlySet<string> = new Set([
  "standardLayout",
  "operating",
  "investing",
  "financing",
  "trackingCategoryID2",
]);

export const nameIn = (parameter: string): string => names[parameter] ?? parameter;

export async function reportQuery(ctx: BooksContext, page: ReportPage): Promise<ReportQuery> {
  const accounts = await accountsOf(ctx);
  const tracking: TrackingCategory[] = [];
  for await (const record of ctx.client.list(trackingCategory)) tracking.push(record);
  const offered = Object.entries(page.parameters).filter(([name]) => !unoffered.has(name));
  const fields = offered.flatMap(([name, field]) =>
    fieldOf(name, field, { accounts, tracking, page }),
  );
  const faults: string[] = [];
  const usualValues = { ...usualOf(ctx, page), ...(await onlyChoice(ctx, page, accounts)) };
  const values: Record<string, string | undefined> = {};
  const parameters: Record<string, string> = {};
  let isWhole = true;
  for (const [name, field] of offered) {
    const parameterName = nameIn(name);
    const text = ctx.query.get(parameterName)?.trim() ?? "";
    const value = text === "" ? usualValues[name] : await readValue(ctx, name, field, text, faults);
    if (value === undefined) {
      if (field.required === true) isWhole = false;
      continue;
    }
    values[parameterName] = name === "contactID" && text !== "" ? text : shownAs(name, value);
    parameters[name] = value;
  }
  const isStepped = stepPeriod(ctx, page, parameters, faults);
  return {
    page,
    values,
    parameters:
      isWhole && isStepped ? { ...parameters, ...presetsOf(page), ...accountantLayout } : undefined,
    fields,
    faults,
    accounts,
    tracking,
  };
}

/**
 * Sets the interval between columns to compare, or the number of columns to zero.
 *
 * @returns whether the periods of the columns do not overlap
 */
function stepPeriod(
  { today }: BooksContext,
  { parameters: known }: ReportPage,
  parameters: Record<string, string>,
  faults: string[],
): boolean {
  if (known.fromDate === undefined || known.timeframe === undefined) return true;
  const { timeframe, periods, fromDate, toDate } = parameters;
  if (timeframe === "WEEK" || (timeframe ?? periods) === undefined) return true;
  const range = reportRange(fromDate, toDate, today);
  const step = (timeframe as Timeframe | undefined) ?? timeframeOf(range);
  if (step !== undefined && !areOverlapping(range, step)) {
    parameters.timeframe = step;
    return true;
  }
  const longer = timeframes.find((timeframe) => !areOverlapping(range, timeframe));
  const instead =
    longer === undefined ? "compare it with nothing" : `choose ${choiceText("timeframe", longer)}`;
  faults.push(`${spanName(range)} would share days with the columns beside it: ${instead}.`);
  return false;
}

/**
 * Default values of the fields. Dates are always explicit, so that links from figures use the same
 * period.
 */
function usualOf(
  { today, organisation, query }: BooksContext,
  { name, parameters }: ReportPage,
): Readonly<Record<string, string>> {
  const { FinancialYearEndDay: last, FinancialYearEndMonth: month } = organisation;
  const year = financialYear(today, last, month);
  const from = query.get("from") ?? "";
  const to = query.get("to") ?? "";
  const isFullYear = name === "TaxReconciliation";
  const isUndated = name === "BudgetSummary" || (name === "Statement" && `${from}${to}` !== "");
  // The default period of a tax return is the period that is due.
  const isDue = Object.hasOwn(taxReturns, name) && from === "" && to === "";
  const isRanged = parameters.fromDate !== undefined && parameters.date === undefined && !isDue;
  return {
    ...(isRanged
      ? {
          fromDate: isDay(to) ? startOfMonth(to) : isFullYear ? year.from : startOfMonth(today),
          toDate: isDay(from) ? endOfMonth(from) : isFullYear ? today : endOfMonth(today),
        }
      : {}),
    ...(parameters.date === undefined || isUndated ? {} : { date: today }),
  };
}

const banksIn = (accounts: readonly Account[]) =>
  accounts.filter(({ Type, Status }) => Type === "BANK" && Status === "ACTIVE");

/** The bank account or contact of a report that needs one, where there is no other. */
async function onlyChoice(
  { client }: BooksContext,
  { parameters }: ReportPage,
  accounts: readonly Account[],
): Promise<Readonly<Record<string, string>>> {
  const banks = banksIn(accounts);
  const [bank] = banks;
  if (parameters.accountID !== undefined && bank !== undefined && banks.length === 1) {
    return { accountID: bank.Code ?? bank.AccountID };
  }
  if (parameters.contactID?.required !== true) return {};
  const query = { limit: 2, fields: ["ContactID"], count: false };
  const [one, another] = await Array.fromAsync(client.list(contact, query));
  return one === undefined || another !== undefined ? {} : { contactID: one.ContactID };
}

/** Reads a field of the form. @returns the value in the form of the API */
async function readValue(
  ctx: BooksContext,
  name: string,
  field: Field,
  text: string,
  faults: string[],
): Promise<string | undefined> {
  const label = labels[name] ?? labelOf(name);
  const shownText = text.slice(0, 40);
  if (name === "paymentsOnly") return text === "cash" ? "true" : "false";
  if (name === "contactID") return contactNamed(ctx, text, faults);
  switch (field.kind) {
    case "date":
      if (isDay(text)) return text;
      faults.push(`${label} is a day such as 2026-03-31, not “${shownText}”.`);
      return undefined;
    case "integer": {
      const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
      const { min = 0, max = 9999 } = field;
      if (number >= min && number <= max) return text;
      faults.push(`${label} is a whole number from ${min} to ${max}, not “${shownText}”.`);
      return undefined;
    }
    case "choice":
      if (field.values.includes(text)) return text;
      faults.push(`${label} is one of ${field.values.join(", ")}, not “${shownText}”.`);
      return undefined;
    case "boolean":
      return text === "true" ? "true" : undefined;
    default:
      return text;
  }
}

async function contactNamed(
  { client }: BooksContext,
  text: string,
  faults: string[],
): Promise<string | undefined> {
  const id = readId(text);
  if (id !== undefined) return id;
  const ids: string[] = [];
  const names: string[] = [];
  const query = { searchTerm: text, limit: 5, fields: ["ContactID", "Name"] };
  for await (const { ContactID, Name } of client.list(contact, query)) {
    if (Name === text) return ContactID;
    ids.push(ContactID);
    names.push(Name);
  }
  if (ids.length === 1) return ids[0];
  const whichText = names.length === 0 ? "Nobody is" : `${names.join(", ")}: which one is`;
  faults.push(`${whichText} meant by “${text.slice(0, 60)}”.`);
  return undefined;
}

const shownAs = (name: string, value: string): string =>
  name === "paymentsOnly" ? (value === "true" ? "cash" : "accrual") : value;

interface OfferedChoices {
  readonly accounts: readonly Account[];
  readonly tracking: readonly TrackingCategory[];
  readonly page: ReportPage;
}

function fieldOf(
  parameter: string,
  field: Field,
  { accounts, tracking, page }: OfferedChoices,
): FilterField[] {
  const name = nameIn(parameter);
  const label = labels[parameter] ?? labelOf(parameter);
  const choice = (values: readonly (readonly [string, string])[], none?: string): FilterField[] => [
    { kind: "choice", name, label, values, none },
  ];
  if (parameter === "paymentsOnly") {
    return choice([
      ["accrual", "Accrual"],
      ["cash", "Cash"],
    ]);
  }
  if (parameter === "accountID") {
    return choice(
      banksIn(accounts).map((account) => [account.Code ?? account.AccountID, titleOf(account)]),
      "Choose one",
    );
  }
  if (parameter.startsWith("trackingCategoryID")) {
    if (tracking.length === 0) return [];
    return choice(
      tracking.map(({ TrackingCategoryID, Name }) => [TrackingCategoryID, Name]),
      "None",
    );
  }
  if (parameter.startsWith("trackingOptionID")) {
    const options = tracking.flatMap(({ Name, Options = [] }) =>
      Options.map((option) => [option.TrackingOptionID ?? "", `${Name}: ${option.Name}`] as const),
    );
    return options.length === 0 ? [] : choice(options, "All");
  }
  switch (field.kind) {
    case "date":
      return [{ kind: "date", name, label }];
    case "integer":
      return choice(
        Array.from({ length: (field.max ?? 12) - (field.min ?? 1) + 1 }, (_, at) => {
          const count = String((field.min ?? 1) + at);
          return [count, parameter === "periods" ? `${count} ${periodsWord(page)}` : count];
        }),
        parameter === "periods" ? (uncompared[page.name] ?? "Nothing") : "As usual",
      );
    case "choice": {
      const words = Object.entries(page.spelt?.[parameter] ?? {});
      const values = field.values.map((value) => {
        const optionWord = words.find(([, of]) => of === value)?.[0] ?? value;
        return [value, choiceText(parameter, optionWord)] as const;
      });
      const usual = parameter === "timeframe" ? usualStep(page) : "As usual";
      return choice(
        values.filter(([, label]) => label !== usual),
        usual,
      );
    }
    case "boolean":
      return [{ kind: "check", name, label, value: "true" }];
    default:
      return [
        { kind: "text", name, label: parameter === "buckets" ? "Buckets, 30,60,90 days" : label },
      ];
  }
}

const usualStep = ({ name, parameters }: ReportPage) =>
  name === "BudgetSummary" ? "Month" : parameters.fromDate ? "As long as these days" : "Month";

/** What a report shows where no number of periods is chosen; others compare with nothing. */
const uncompared: Readonly<Record<string, string>> = {
  BudgetSummary: "As usual",
  ProfitAndLoss: "The year so far and last year",
};

const periodsWord = ({ name }: ReportPage) => (name === "BudgetSummary" ? "columns" : "earlier");

// --- periods that are often asked for ----------------------------------------------------------------

interface NamedPeriod {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Frequently used dates for reports about balances on a day. */
export function namedDays(
  ctx: BooksContext,
): readonly { readonly name: string; readonly date: string }[] {
  const { today } = ctx;
  const endedPeriods = namedPeriods(ctx).filter(({ to }) => to < today);
  return [
    { name: "Today", date: today },
    ...endedPeriods.map(({ name, to }) => ({ name: `End of ${name.toLowerCase()}`, date: to })),
  ];
}

export function namedPeriods({ today, organisation }: BooksContext): readonly NamedPeriod[] {
  const { FinancialYearEndDay: last, FinancialYearEndMonth: month } = organisation;
  const lastMonth = addMonths(startOfMonth(today), -1);
  const quarter = addMonths(startOfMonth(today), -((Number(today.slice(5, 7)) - 1) % 3));
  const year = financialYear(today, last, month);
  const lastYear = financialYear(addDays(year.from, -1), last, month);
  return [
    { name: "This month", from: startOfMonth(today), to: endOfMonth(today) },
    { name: "Last month", from: lastMonth, to: endOfMonth(lastMonth) },
    { name: "This quarter", from: quarter, to: endOfMonth(addMonths(quarter, 2)) },
    { name: "This financial year", ...year },
    { name: "Last financial year", ...lastYear },
  ];
}
