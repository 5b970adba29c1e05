/**
 * /Reports: published tax returns, and drafts made on request.
 *
 * PUT /Reports and the drafts are extensions of the API. A return is made from the ledger once; a
 * published one never changes. Later postings dated in its period are carried into the next return.
 */

import {
  addDays,
  addMonths,
  type DateRange,
  formatRange,
  mediumDate,
} from "../../../ledger/dates/calendar.ts";
import { dayIn as dayAt } from "../../../ledger/dates/timezones.ts";
import type { Basis } from "../../../ledger/journal.ts";
import { sum, zeroCents } from "../../../ledger/money.ts";
import { negated, type ReportRow, reportRange } from "../../../ledger/reports/report-rows.ts";
import {
  detailRows,
  entriesOf,
  fillReturn,
  type LedgerFigure,
  type ReturnForm,
  type TaxedDocument,
  type TaxedSum,
  type TaxReturnRequest,
  treatmentOf,
  valuesOf,
} from "../../../ledger/reports/tax/returns/form.ts";
import { returnForms } from "../../../ledger/reports/tax/returns/index.ts";
import {
  nextReturn,
  returnMonths,
  suggestedPeriod,
} from "../../../ledger/reports/tax/returns/periods.ts";
import type { Account } from "../../../resources/account.ts";
import { amountText, digitsFault } from "../../../resources/common.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { NotFoundError, refusal, refusalFor } from "../../../resources/errors.ts";
import { money } from "../../../resources/field.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import {
  type ReturnType,
  returnTypes,
  type TaxReport,
  taxReport,
  taxReturns,
} from "../../../resources/tax-report.ts";
import { parseField, validate } from "../../../resources/validate.ts";
import { sums as balances } from "../../../store/ledger/journals.ts";
import { recordAct } from "../../../store/operations/audit-log.ts";
import {
  type FiledRange,
  filedBy,
  filedSoFar,
  type LastJournals,
  markReturn,
  type PublishedReport,
  type PublishedReturn,
  publish,
  publishedReport,
  publishedReports,
  publishedReturns,
  reasonOf,
  sentName,
  withdrawn,
} from "../../../store/queries/published.ts";
import { lateSums, type TaxedBy, taxedSums } from "../../../store/queries/tax/tax-sums.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { encodeReports } from "../../../wire/encode/encode-report.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { type GivenReport, valueText } from "../../../wire/report.ts";
import { actorOf } from "../../audit/actors.ts";
import { type Chart, loadChart } from "../../lookups/chart-of-accounts.ts";
import { answerWith, envelopeOf, hasHandles } from "../../request/answer.ts";
import {
  type OrganisationContext,
  organisationContext,
  type RequestContext,
} from "../../request/context.ts";
import { enter } from "../../request/history.ts";
import type { RouteHandler } from "../../request/route.ts";
import { readInputs } from "../../request/write.ts";
import { dateOf, identifyRow, isLaidOutFor, notesOf, preparedLine } from "../report-context.ts";
import { detailMax, ratesOf, taxBasisOf, taxedDocuments, tooMuchDetail } from "./tax-sums.ts";

/** GET /Reports: the published reports, latest first. */
export async function listReports(call: RequestContext): Promise<ServiceResponse> {
  const storedReports = await call.read(publishedReports);
  const reports = storedReports.map(({ id, handle, name, type, dates, at, attributes }) => ({
    ReportID: id,
    ...handleAsked(call, handle),
    ReportName: nameOf(name, attributes),
    ReportType: type,
    ReportDate: dates,
    UpdatedDateUTC: at,
  }));
  return answerWith(call, encodeReports(call.format, reports, envelopeOf(call)));
}

/** The handle of a published report, where the caller asked for handles. */
const handleAsked = (call: RequestContext, Handle: string | undefined) =>
  hasHandles(call, taxReport) && Handle !== undefined ? { Handle } : {};

/** Returns the name of a report; the name of a withdrawn return has the reason. */
function nameOf(name: string, attributes: PublishedReport["attributes"]): string {
  const reason = reasonOf(attributes);
  return reason === undefined ? name : `${name}, withdrawn: ${reason}`;
}

/** GET /Reports/{ReportID}: one published report. */
export const readPublishedReport: RouteHandler = async (call, key) => {
  const published = await call.read(async (tx) => {
    const report = await publishedReport(tx, key);
    return (
      report &&
      addTitles(call, tx, report, `Published ${mediumDate(await dayOf(call, tx, report.at))}`)
    );
  });
  if (published !== undefined) return returnAnswer(call, published);
  throw new NotFoundError("NotFound", `There is no published report ${key.slice(0, 60)}.`);
};

function returnAnswer(
  call: RequestContext,
  report: PublishedReport & { readonly notes?: readonly string[] },
  rows?: readonly ReportRow[],
): ServiceResponse {
  const answer: GivenReport = {
    ReportID: report.id,
    ...handleAsked(call, report.handle),
    ReportName: nameOf(report.name, report.attributes),
    ReportType: report.type,
    ReportTitles: report.titles,
    ...(report.notes && { ReportNotes: report.notes }),
    ReportDate: report.dates,
    UpdatedDateUTC: report.at,
    Attributes: report.attributes,
    Fields: report.fields,
    ...(rows && { Rows: rows }),
  };
  return answerWith(call, encodeReports(call.format, [answer], envelopeOf(call)));
}

/** Returns the organisation's local date at a moment. */
const dayOf = async (call: RequestContext, tx: Tx, at: number) =>
  dayAt(at, (await organisationContext(call, tx)).organisation.Timezone);

/**
 * Adds titles to a return, if requested: basis, currency, date, lock date and publication. For
 * people, a form in whole units has no decimals.
 */
async function addTitles(
  call: RequestContext,
  tx: Tx,
  report: PublishedReport,
  state: string,
): Promise<PublishedReport & { readonly notes?: readonly string[] }> {
  const isAccountant = isLaidOutFor(call);
  if (!isAccountant && call.query.boolean("described") !== true) return report;
  const context = await organisationContext(call, tx);
  const { organisation } = context;
  const basis = report.fields.find(({ FieldID }) => /^(GST)?Basis$/.test(FieldID))?.Value ?? "";
  const isCash = /cash|payments|receipts/i.test(valueText(basis));
  const titles = [
    ...report.titles,
    `${isCash ? "Cash" : "Accrual"} basis, in ${organisation.BaseCurrency}`,
    ...(isAccountant ? [] : [preparedLine(organisation, dayAt(report.at, organisation.Timezone))]),
    state,
  ];
  if (!isAccountant) return { ...report, titles };
  const { boxes } = returnForms[report.type as ReturnType];
  const isRounded = boxes.every((box) => box.rounding);
  const fields = report.fields.map((field) =>
    isRounded && typeof field.Value === "object" && boxes.some(({ id }) => id === field.FieldID)
      ? { ...field, Value: { ...field.Value, isShort: true as const } }
      : field,
  );
  return { ...report, titles, fields, notes: await notesOf({ call, tx, ...context }, report.to) };
}

/**
 * GET /Reports/GSTReturn and similar: a draft return of a range of days from the current books;
 * nothing is stored. Boxes that the books do not fill may be sent by name, `9=12.50`;
 * `simpler=true` requests the short form, `detail=true` the documents behind each box.
 */
export async function draftReturn(
  call: RequestContext,
  type: ReturnType,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const { report, request, documents } = await draftIn(call, tx, type);
    const isDetailed = call.query.boolean("detail") === true;
    const rows = isDetailed
      ? limitedDetail(returnForms[type], request, await documents(detailMax))
      : undefined;
    const fromDate = report.attributes.find(({ Name }) => Name === "fromDate")?.Value ?? report.to;
    const state = await draftState(call, tx, type, { from: fromDate, to: report.to });
    const draft = await addTitles(call, tx, { ...report, id: type }, state);
    // Ids of columns are for the layout of people alone.
    return returnAnswer(call, draft, isLaidOutFor(call) ? rows?.map(identifyRow) : rows);
  });
}

/** Says whether a return of just these days is published, or that they are no period of one. */
async function draftState(
  call: RequestContext,
  tx: Tx,
  type: ReturnType,
  range: DateRange,
): Promise<string> {
  const returns = await publishedReturns(tx, type);
  const published = returns.find(({ from, to }) => from === range.from && to === range.to);
  if (published !== undefined) {
    const { handle } = (await publishedReport(tx, published.id)) ?? {};
    const day = mediumDate(await dayOf(call, tx, published.at));
    return `By the books of today; published on ${day}${handle ? ` as ${handle}` : ""}`;
  }
  const fault = await wrongPeriodFault(call, tx, type, range);
  return ["Draft, not published", ...(fault === undefined ? [] : [fault])].join("; ");
}

/** @throws RefusedError for more rows than an answer allows */
function limitedDetail(...[form, request, documents]: Parameters<typeof detailRows>): ReportRow[] {
  const rows = detailRows(form, request, documents);
  const count = rows.reduce((total, { Rows = [] }) => total + Rows.length, 0);
  if (count > detailMax) throw tooMuchDetail();
  return rows;
}

/** Returns the draft of the requested return, with the data it is made from. */
export async function draftIn(call: RequestContext, tx: Tx, type: ReturnType) {
  const { from, to } = await returnPeriod(call, tx, type);
  const Fields = entriesOf(returnForms[type]).flatMap((FieldID) => {
    const Value = call.query.get(FieldID);
    return Value === undefined ? [] : [{ FieldID, Value }];
  });
  const Simpler = call.query.boolean("simpler");
  return returnData(call, tx, { ReportType: type, FromDate: from, ToDate: to, Fields, Simpler });
}

/** Returns the requested period; by default the period of the next return. */
async function returnPeriod(call: RequestContext, tx: Tx, type: ReturnType): Promise<DateRange> {
  const { today, organisation } = await organisationContext(call, tx);
  const [from, to] = [dateOf(call, "fromDate"), dateOf(call, "toDate")];
  const isAsked = from !== undefined || to !== undefined;
  const duePeriod = isAsked
    ? undefined
    : nextReturn(organisation, today, await filedTo(tx, organisation, type));
  return duePeriod ?? reportRange(from, to, today);
}

/** Returns the last day of the published returns, or else the conversion date. */
const filedTo = async (
  tx: Tx,
  { ConversionDate }: OrganisationContext["organisation"],
  type: string,
) => (await filedSoFar(tx, type))?.to ?? ConversionDate;

/** PUT /Reports: publishes a return, or withdraws the last one. */
export async function publishReport(call: RequestContext): Promise<ServiceResponse> {
  const [input] = readInputs(call, { resource: taxReport }, taxReport.batchMax);
  const faults = validate(taxReport.fields, input ?? {}, { creating: true });
  if (faults.length > 0) throw refusalFor(faults);
  return call.write(async (tx) => {
    const request = input as unknown as TaxReport;
    if (request.Withdraw !== undefined || request.Sent !== undefined) {
      return markReport(call, tx, request);
    }
    if (request.OnlyPeriod === true) await checkPeriod(call, tx, request);
    const { report: made } = await returnData(call, tx, request);
    checkOrder(request, await filedSoFar(tx, request.ReportType));
    const published = await publish(tx, made);
    await enter(call, tx, taxReport, made.id, {
      changes: "Published",
      details: `${made.name} of ${made.dates} was published.`,
    });
    return returnAnswer(call, published);
  });
}

/**
 * Withdraws the last return, whose amounts go into the next one, or marks a return as sent.
 *
 * @throws RefusedError for a return that is not published, not the last one, or sent already
 */
async function markReport(
  call: RequestContext,
  tx: Tx,
  { ReportType, FromDate, ToDate, Withdraw, Sent }: TaxReport,
): Promise<ServiceResponse> {
  const { title } = taxReturns[ReportType];
  const returns = await publishedReturns(tx, ReportType);
  const last = returns.at(-1);
  const period = returns.find(({ from, to }) => from === FromDate && to === ToDate);
  const marked = Withdraw === undefined || period === last ? period : undefined;
  const days = `${mediumDate(FromDate)} to ${mediumDate(ToDate)}`;
  if (marked === undefined) {
    const message =
      Withdraw === undefined
        ? `No ${title} of ${days} is published.`
        : last === undefined
          ? `No ${title} was published that could be withdrawn.`
          : `Only the last return can be withdrawn, which is that of ${mediumDate(last.from)} to ${mediumDate(last.to)}.`;
    throw refusal("ReturnOrder", message);
  }
  if (Withdraw !== undefined && marked.sent !== undefined) {
    throw refusal(
      "ReturnOrder",
      `The ${title} of ${days} was sent to the tax office on ${mediumDate(marked.sent)} and stays; the next one has what is corrected.`,
    );
  }
  const [kind, changes, attribute] =
    Withdraw === undefined
      ? (["tax-return.sent", "Sent", { Name: sentName, Description: "Sent on" }] as const)
      : ([
          "tax-return.withdrawn",
          "Withdrawn",
          { Name: withdrawn, Description: "Withdrawn, for this reason" },
        ] as const);
  const newValue = Withdraw ?? Sent ?? "";
  const name = Withdraw === undefined ? "Sent" : "Reason";
  const auditAct = {
    ...{ by: actorOf(call), at: call.now(), kind },
    ...{ subject: `${title}, ${days}`, subjectId: marked.id },
    changes: [{ name, before: Withdraw === undefined ? marked.sent : undefined, after: newValue }],
  };
  await markReturn(await recordAct(tx, auditAct), marked.id, { ...attribute, Value: newValue });
  const report = await publishedReport(tx, marked.id);
  if (report === undefined) throw new Error(`The return ${marked.id} is gone.`);
  const how = Withdraw === undefined ? `sent on ${mediumDate(newValue)}` : `withdrawn: ${newValue}`;
  await enter(call, tx, taxReport, marked.id, {
    changes,
    details: `${report.name} of ${report.dates} was ${how}`,
  });
  return returnAnswer(call, report);
}

/**
 * @throws RefusedError for days that are no period of the organisation's returns; it names the
 *   period that is due
 */
async function checkPeriod(
  call: RequestContext,
  tx: Tx,
  { ReportType, FromDate, ToDate }: TaxReport,
): Promise<void> {
  const range = { from: FromDate, to: ToDate };
  const fault = await wrongPeriodFault(call, tx, ReportType, range);
  if (fault === undefined) return;
  const days = `${mediumDate(FromDate)} to ${mediumDate(ToDate)}`;
  throw refusal("Form", `${days} is ${fault}. --own-days publishes other days.`);
}

/** Says that days are no period of the organisation, and which is next; undefined where they are. */
async function wrongPeriodFault(
  call: RequestContext,
  tx: Tx,
  type: ReturnType,
  range: DateRange,
): Promise<string | undefined> {
  const { organisation } = await organisationContext(call, tx);
  const duePeriod = suggestedPeriod(organisation, range, await filedTo(tx, organisation, type));
  if (duePeriod === undefined) return undefined;
  const rhythm = rhythms[returnMonths(organisation) ?? 0] ?? "";
  return `not a period of this organisation (${rhythm}, next ${formatRange(duePeriod)})`;
}

/** Words for the length of a period, by its count of months. */
const rhythms: Readonly<Record<number, string>> = {
  1: "one month",
  2: "two months",
  3: "three months",
  6: "six months",
  12: "a year",
};

/**
 * Checks that returns are published in sequence, so that every day is in one return, and late
 * entries in the next.
 *
 * @throws RefusedError when the period overlaps a published return, or leaves a gap
 */
function checkOrder({ FromDate, ToDate }: TaxReport, filedReturn: FiledRange | undefined): void {
  if (filedReturn === undefined) return;
  const nextDay = addDays(filedReturn.to, 1);
  if (FromDate === nextDay) return;
  const query = `The return of ${mediumDate(FromDate)} to ${mediumDate(ToDate)}`;
  const published = `those published up to ${mediumDate(filedReturn.to)}`;
  throw refusal(
    "ReturnOrder",
    FromDate < nextDay
      ? `${query} overlaps ${published}; the next one begins on ${nextDay}.`
      : `${query} leaves out days after ${published}; the next one begins on ${nextDay}.`,
  );
}

type TaxReturnQuery = Pick<TaxReport, "ReportType" | "FromDate" | "ToDate"> &
  Partial<Pick<TaxReport, "Fields" | "Simpler">>;

/**
 * @returns the return, the data it is made from, and the documents behind its boxes
 * @throws RefusedError when the organisation has no such return, or the return no such box
 */
async function returnData(
  call: RequestContext,
  tx: Tx,
  query: TaxReturnQuery,
): Promise<{
  readonly report: PublishedReport;
  readonly request: TaxReturnRequest;
  readonly documents: (rowsMax?: number) => Promise<readonly TaxedDocument[]>;
}> {
  const { organisation } = await organisationContext(call, tx);
  const { ReportType: type, FromDate: from, ToDate: to } = query;
  checkCountry(organisation, type);
  const form: ReturnForm = returnForms[type];
  const { title } = taxReturns[type];
  if (to < from) throw refusal("Parameter", "The FromDate must not be after the ToDate.");
  const basis = basisOf(organisation, form);
  const chart = await loadChart(tx);
  const filedReturn = await filedSoFar(tx, type);
  const { ConversionDate } = organisation;
  const books = { tx, chart, form, basis, range: { from, to }, filed: filedReturn, ConversionDate };
  const { shortForm: short } = form;
  if (query.Simpler === true && short === undefined) {
    throw refusal("NotFound", `There is no short form of the ${title}.`);
  }
  const year = { basis, from: addMonths(addDays(to, 1), -12), to };
  const by: TaxedBy = { rates: ratesOf(chart), byDocument: false };
  const shortFor =
    query.Simpler === true && short !== undefined
      ? sum(taxedDocuments(chart, await taxedSums(tx, year, by), false).map(short.turnover))
      : undefined;
  const request = {
    registration: organisation.TaxNumber ?? organisation.RegistrationNumber ?? "",
    basis,
    range: { from, to },
    currency: organisation.BaseCurrency,
    sums: await taxSums(books),
    ledger: await ledgerFigures(tx, chart, form, { basis, from, to }),
    entered: enteredSums(title, form, query.Fields ?? [], organisation.BaseCurrency),
    shortFor,
  };
  if (filedReturn !== undefined && from === addDays(filedReturn.to, 1)) {
    await bringOver(tx, type, request.entered);
  }
  if (form.isNeverNegative) checkNotNegative(title, form, request);
  const { attributes, fields } = fillReturn(form, request);
  const dates = `${mediumDate(from)} to ${mediumDate(to)}`;
  return {
    report: {
      id: call.newId(),
      name: title,
      type,
      titles: [title, organisation.Name, dates],
      dates,
      to,
      at: call.now(),
      attributes,
      fields,
    },
    request,
    documents: (rowsMax) => taxSums(books, { byDocument: true, rowsMax }),
  };
}

/** The data that a return is made from. */
interface ReturnBooks {
  readonly tx: Tx;
  readonly chart: Chart;
  readonly form: ReturnForm;
  readonly basis: Basis;
  readonly range: DateRange;
  /** The returns published before it. */
  readonly filed: FiledRange | undefined;
  /** The last journals to include; all if omitted. */
  readonly until?: LastJournals;
  readonly ConversionDate: string | undefined;
}

/** Returns the sums by tax type, with late entries dated in earlier returns. */
function taxSums(
  { tx, chart, form, basis, range: { from, to }, filed, until, ConversionDate }: ReturnBooks,
  by: Partial<TaxedBy> = {},
): Promise<TaxedDocument[]> {
  // Late entries belong to the return that follows the last published one.
  const late = filed !== undefined && from === addDays(filed.to, 1) ? filed : undefined;
  const sumsQuery = { rates: ratesOf(chart), byDocument: false, ...by };
  return reportedSums(form, basis, async (on) => {
    // Amounts owed at the conversion date were in the returns of the former books.
    const opened = on === "accrual" ? ConversionDate : undefined;
    const firstDay = opened !== undefined && from <= opened ? addDays(opened, 1) : from;
    const days = { basis: on, from: firstDay, to };
    const bounds = { opened, ...(until === undefined ? {} : { until: until[on] }) };
    const postedRows = await taxedSums(tx, days, sumsQuery, until?.[on]);
    const postedLate = late === undefined ? [] : await lateSums(tx, on, late, sumsQuery, bounds);
    return [
      ...taxedDocuments(chart, postedRows, false, by.rowsMax),
      ...taxedDocuments(chart, postedLate, true, by.rowsMax),
    ];
  });
}

/** A published return, with its request and the taxed documents behind its figures. */
export interface FiledReturn {
  readonly published: PublishedReturn;
  readonly dates: string;
  readonly request: TaxReturnRequest;
  readonly documents: (rowsMax?: number) => Promise<readonly TaxedDocument[]>;
}

/**
 * Returns the published return of the requested period: recomputed from the journals of its time,
 * on the basis that gives its figures.
 *
 * @returns undefined where no return of exactly this period was published
 */
export async function filedIn(
  call: RequestContext,
  tx: Tx,
  type: ReturnType,
): Promise<FiledReturn | undefined> {
  const { organisation } = await organisationContext(call, tx);
  const range = await returnPeriod(call, tx, type);
  const returns = await publishedReturns(tx, type);
  const published = returns.find(({ from, to }) => from === range.from && to === range.to);
  if (published === undefined) return undefined;
  const chart = await loadChart(tx);
  const { books, request } = await asPublished(
    { tx, chart, organisation },
    type,
    published,
    returns,
  );
  return {
    published,
    dates: `${mediumDate(range.from)} to ${mediumDate(range.to)}`,
    request,
    documents: (rowsMax) => taxSums(books, { byDocument: true, rowsMax }),
  };
}

/**
 * Returns the data of a return, up to the journals of its time.
 *
 * @param returns  all returns that are not withdrawn
 */
export async function asPublished(
  {
    tx,
    chart,
    organisation,
  }: Pick<OrganisationContext, "organisation"> & Pick<ReturnBooks, "tx" | "chart">,
  type: ReturnType,
  published: PublishedReturn,
  returns: readonly PublishedReturn[],
): Promise<{ readonly books: ReturnBooks; readonly request: TaxReturnRequest }> {
  const range = { from: published.from, to: published.to };
  const form: ReturnForm = returnForms[type];
  const filed = filedBy(returns.filter(({ to }) => to < published.from));
  const { BaseCurrency: currency, ConversionDate, SalesTaxBasis, TaxNumber = "" } = organisation;
  const ownBasis = taxBasisOf(SalesTaxBasis);
  const versions: { readonly books: ReturnBooks; readonly request: TaxReturnRequest }[] = [];
  for (const basis of [ownBasis, ownBasis === "cash" ? "accrual" : "cash"] as const) {
    const books = { tx, chart, form, basis, range, filed, until: published.last, ConversionDate };
    const sums = await taxSums(books);
    const requestFacts = { registration: TaxNumber, basis, range, currency, sums };
    const request = asFiled(form, published, requestFacts);
    versions.push({ books, request });
    if (isFiled(form, request, published)) break;
  }
  const last = versions.at(-1);
  const found = last !== undefined && isFiled(form, last.request, published) ? last : versions[0];
  if (found === undefined) throw new Error("A return is made on a basis.");
  return found;
}

const filedAmount = ({ fields }: PublishedReturn, id: string): Cents | undefined => {
  const value = fields.find(({ FieldID }) => FieldID === id)?.Value;
  return typeof value === "object" ? (value.amount as Cents) : undefined;
};

/** Whether a request gives the same boxes as a published return. */
function isFiled(form: ReturnForm, request: TaxReturnRequest, published: PublishedReturn): boolean {
  const value = valuesOf(form, request);
  return form.boxes.every(({ id }) => (filedAmount(published, id) ?? value(id)) === value(id));
}

/** Derives entered boxes and profit-and-loss amounts from the published figures. */
function asFiled(
  form: ReturnForm,
  published: PublishedReturn,
  requestFacts: Omit<TaxReturnRequest, "entered" | "ledger">,
): TaxReturnRequest {
  const amountByField = new Map<string, Cents>();
  const ledger: Record<LedgerFigure, Cents> = { revenue: zeroCents, exchangeGain: zeroCents };
  const request = { ...requestFacts, entered: amountByField, ledger };
  for (const box of form.boxes) {
    if (box.entered !== true && box.ledger === undefined) continue;
    const filedValue = filedAmount(published, box.id);
    if (filedValue === undefined) continue;
    const remainder = (filedValue - valuesOf(form, request)(box.id)) as Cents;
    if (box.ledger !== undefined) ledger[box.ledger] = remainder;
    else if (remainder !== 0) amountByField.set(box.id, remainder);
  }
  return request;
}

function checkCountry({ CountryCode }: Organisation, type: ReturnType): void {
  if (CountryCode === taxReturns[type].country) return;
  const own = returnTypes.find((returnType) => taxReturns[returnType].country === CountryCode);
  if (own !== undefined) {
    const named = (value: ReturnType) =>
      `${taxReturns[value].title} of ${taxReturns[value].countryName}`;
    throw refusal(
      "Country",
      `The organisation makes the ${named(own)}, not the ${named(type)}: acct report ${taxReturns[own].command}.`,
    );
  }
  const names = returnTypes.map((returnType) => taxReturns[returnType].countryName).sort();
  throw refusal(
    "Country",
    `Tax returns are made for organisations in ${names.slice(0, -1).join(", ")} and ${names.at(-1)} only.`,
  );
}

/** @throws RefusedError when the organisation is not registered, or pays at a flat rate */
function basisOf(organisation: Organisation, { tax, notYearly }: ReturnForm): Basis {
  const { SalesTaxBasis } = organisation;
  if (notYearly !== undefined && returnMonths(organisation) === 12)
    throw refusal("NotOffered", notYearly);
  if (SalesTaxBasis === "NONE")
    throw refusal("Country", `The organisation is not registered for ${tax}.`);
  if (SalesTaxBasis.startsWith("FLATRATE")) {
    throw refusal("NotOffered", "Returns of the flat rate scheme are not supported.");
  }
  return taxBasisOf(SalesTaxBasis);
}

/** Returns the sums of an accounting basis, and of the other basis where the form requires it. */
async function reportedSums<T extends TaxedSum>(
  form: ReturnForm,
  basis: Basis,
  read: (basis: Basis) => Promise<T[]>,
): Promise<T[]> {
  const [other, when] =
    basis === "cash" ? (["accrual", "invoice"] as const) : (["cash", "payment"] as const);
  const isOtherBasis = (taxedSum: TaxedSum) => treatmentOf(form, taxedSum)?.when === when;
  const sums = await read(basis);
  if (!Object.values(form.treatments).some((treatment) => treatment.when === when)) return sums;
  const restSums = await read(other);
  return [...sums.filter((taxedSum) => !isOtherBasis(taxedSum)), ...restSums.filter(isOtherBasis)];
}

/** Returns revenue and realised exchange gain of the period, where the form has boxes for them. */
async function ledgerFigures(
  tx: Tx,
  chart: Chart,
  { boxes }: ReturnForm,
  range: { readonly basis: Basis; readonly from: string; readonly to: string },
): Promise<Record<LedgerFigure, Cents>> {
  if (!boxes.some(({ ledger }) => ledger)) return { revenue: zeroCents, exchangeGain: zeroCents };
  const rows = await balances(tx, range);
  const total = (isCounted: (account: Account | undefined) => boolean) =>
    sum(rows.filter((row) => isCounted(chart.account(row.account))).map(({ amount }) => amount));
  const gain = total((account) => account?.SystemAccount === "REALISEDCURRENCYGAIN");
  return {
    revenue: negated(total((account) => account?.Class === "REVENUE")),
    exchangeGain: Math.abs(gain) as Cents,
  };
}

/** Adds what the last published return carries over to the amounts entered, unless these have it. */
async function bringOver(tx: Tx, type: ReturnType, enteredById: Map<string, Cents>): Promise<void> {
  const { boxes }: ReturnForm = returnForms[type];
  for (const { id, brought } of boxes) {
    if (brought === undefined || enteredById.has(id)) continue;
    const lastReturn = (await publishedReturns(tx, type)).at(-1);
    const amount = lastReturn && filedAmount(lastReturn, brought);
    if (amount) enteredById.set(id, amount);
  }
}

/** @throws RefusedError when an amount that the caller gives makes a box less than zero */
function checkNotNegative(title: string, form: ReturnForm, request: TaxReturnRequest): void {
  const value = valuesOf(form, request);
  const below = form.boxes.find(({ id }) => value(id) < 0);
  if (below === undefined) return;
  const amount = amountText(value(below.id), request.currency);
  throw refusal(
    "Form",
    `No box of the ${title} is below zero, and ${below.id}, ${below.description}, would be ${amount}: give less.`,
  );
}

/** Returns the boxes that the caller fills, since the books cannot. */
function enteredSums(
  name: string,
  form: ReturnForm,
  fields: NonNullable<TaxReport["Fields"]>,
  baseCurrency: string,
): Map<string, Cents> {
  const amountByField = new Map<string, Cents>();
  const entries = entriesOf(form);
  for (const { FieldID, Value } of fields) {
    const id = entries.find((text) => text.toLowerCase() === FieldID.toLowerCase());
    if (id === undefined) {
      throw refusal(
        "Form",
        `Of the ${name} only ${entries.join(", ")} can be given, not ${FieldID.slice(0, 10)}.`,
      );
    }
    if (readDecimal(Value, scaleOf.money) === undefined) {
      throw refusal("Form", `Box ${id} takes an amount, not '${Value.slice(0, 40)}'.`);
    }
    const parsed = parseField(money(), Value.slice(0, 40));
    const fault =
      "fault" in parsed
        ? parsed.fault
        : digitsFault(Number(parsed.value ?? 0), scaleOf.money, baseCurrency);
    if (fault !== undefined) throw refusal("Form", `Box ${id} ${fault}.`);
    amountByField.set(id, (("value" in parsed && parsed.value) || 0) as Cents);
  }
  return amountByField;
}
