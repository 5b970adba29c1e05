/**
 * /Reports: tax returns, those that are published and those that are made on the spot.
 *
 * PUT /Reports and the two returns that are not kept are extensions of the API. A return is made
 * from the ledger once; what was published never changes. What is posted later with a date of its days
 * is carried into the next return.
 */
import { addDays, addMonths, mediumDate } from "../../ledger/dates/calendar.ts";
import { sum } from "../../ledger/money.ts";
import {
  activityStatement,
  activityStatementEntries,
  turnover,
} from "../../ledger/reports/activity-statement.ts";
import { gstReturnEntries, gstReturn as gstReturnOf } from "../../ledger/reports/gst-return.ts";
import { reportRange } from "../../ledger/reports/rows.ts";
import type {
  Figure,
  TaxedSum,
  TaxReturn,
  TaxReturnRequest,
} from "../../ledger/reports/tax-return.ts";
import { type Cents, readDecimal } from "../../resources/decimal.ts";
import { NotFoundError } from "../../resources/errors.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { readId } from "../../resources/scalar.ts";
import { type TaxReport, taxReport } from "../../resources/tax-report.ts";
import { validate } from "../../resources/validate.ts";
import {
  type Filed,
  filedSoFar,
  type PublishedReport,
  publish,
  publishedReport,
  publishedReports,
} from "../../store/queries/published.ts";
import {
  lateSums,
  type TaxedRow,
  type TaxTypeRates,
  taxedSums,
} from "../../store/queries/tax-sums.ts";
import type { Tx } from "../../store/transactions/tx.ts";
import { encodeReports } from "../../wire/encode/report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { GivenReport } from "../../wire/report.ts";
import { type Chart, loadChart } from "../lookups/chart.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { refusal } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { readInputs } from "../request/write.ts";
import { dateOf } from "./frame.ts";

type ReturnKind = TaxReport["ReportType"];

/** The return of a country, and how it is made. */
interface Kind {
  readonly country: string;
  readonly name: string;
  readonly entries: readonly string[];
  readonly make: (request: TaxReturnRequest) => TaxReturn;
  /** Figure that decides whether a short form may be used; undefined where there is none. */
  readonly turnover?: Figure;
}

const kinds: Readonly<Record<ReturnKind, Kind>> = {
  GSTReturn: { country: "NZ", name: "GST Return", entries: gstReturnEntries, make: gstReturnOf },
  SalesTaxReturn: {
    country: "AU",
    name: "Activity Statement",
    entries: activityStatementEntries,
    make: activityStatement,
    turnover,
  },
};

/** GET /Reports: what was published, the latest first. */
export async function listReports(call: RequestContext): Promise<ServiceResponse> {
  const found = await call.read(publishedReports);
  const reports = found.map(({ id, name, type, dates, at }) => ({
    ReportID: id,
    ReportName: name,
    ReportType: type,
    ReportDate: dates,
    UpdatedDateUTC: at,
  }));
  return answerWith(call, encodeReports(call.format, reports, envelopeOf(call)));
}

/** GET /Reports/{ReportID} */
export async function readPublishedReport(
  call: RequestContext,
  asked: string,
): Promise<ServiceResponse> {
  const id = readId(asked);
  const found = id === undefined ? undefined : await call.read((tx) => publishedReport(tx, id));
  if (found !== undefined) return shown(call, found);
  throw new NotFoundError("NotFound", `There is no published report ${asked.slice(0, 60)}.`);
}

function shown(call: RequestContext, report: PublishedReport): ServiceResponse {
  const given: GivenReport = {
    ReportID: report.id,
    ReportName: report.name,
    ReportType: report.type,
    ReportTitles: report.titles,
    ReportDate: report.dates,
    UpdatedDateUTC: report.at,
    Attributes: report.attributes,
    Fields: report.fields,
  };
  return answerWith(call, encodeReports(call.format, [given], envelopeOf(call)));
}

/**
 * GET /Reports/GSTReturn: the return of a range of days, as the books stand; nothing is kept. Boxes
 * that the books do not fill may be given by their names, `9=12.50`; `simpler=true` asks for a short
 * form.
 */
export const gstReturn = (call: RequestContext) => draft(call, "GSTReturn");

/** GET /Reports/SalesTaxReturn: the same in Australia. */
export const salesTaxReturn = (call: RequestContext) => draft(call, "SalesTaxReturn");

async function draft(call: RequestContext, type: ReturnKind): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const { today } = await organisationContext(call, tx);
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const Fields = kinds[type].entries.flatMap((FieldID) => {
      const Value = call.query.get(FieldID);
      return Value === undefined ? [] : [{ FieldID, Value }];
    });
    const Simpler = call.query.boolean("simpler");
    const asked = { ReportType: type, FromDate: from, ToDate: to, Fields, Simpler };
    const made = await madeFrom(call, tx, asked);
    return shown(call, { ...made, id: type });
  });
}

/** PUT /Reports: makes a return and publishes it. */
export async function publishReport(call: RequestContext): Promise<ServiceResponse> {
  const [input] = readInputs(call, { resource: taxReport }, taxReport.batchMax);
  const faults = validate(taxReport.fields, input ?? {}, { creating: true });
  if (faults.length > 0) throw refusal(faults.map(({ message }) => message));
  return call.write(async (tx) => {
    const asked = input as unknown as TaxReport;
    const made = await madeFrom(call, tx, asked);
    checkOrder(asked, await filedSoFar(tx, asked.ReportType));
    await publish(tx, made);
    await enter(call, tx, taxReport, made.id, {
      changes: "Published",
      details: `${made.name} of ${made.dates} was published.`,
    });
    return shown(call, made);
  });
}

/**
 * Returns are published one after another, so that every day is in one of them, and what is posted
 * late in the next.
 *
 * @throws RefusedError when the days overlap those of a published return, or leave some out
 */
function checkOrder({ FromDate, ToDate }: TaxReport, filed: Filed | undefined): void {
  if (filed === undefined) return;
  const next = addDays(filed.to, 1);
  if (FromDate === next) return;
  const asked = `The return of ${mediumDate(FromDate)} to ${mediumDate(ToDate)}`;
  const published = `those published up to ${mediumDate(filed.to)}`;
  throw refusal([
    FromDate < next
      ? `${asked} overlaps ${published}; the next one begins on ${next}.`
      : `${asked} leaves out days after ${published}; the next one begins on ${next}.`,
  ]);
}

type Asked = Pick<TaxReport, "ReportType" | "FromDate" | "ToDate"> &
  Partial<Pick<TaxReport, "Fields" | "Simpler">>;

/** @throws RefusedError when the organisation makes no such return, or for a box it does not have */
async function madeFrom(call: RequestContext, tx: Tx, asked: Asked): Promise<PublishedReport> {
  const { organisation } = await organisationContext(call, tx);
  const { ReportType: type, FromDate: from, ToDate: to } = asked;
  const kind = kindFor(organisation, type);
  if (to < from) throw refusal(["The FromDate must not be after the ToDate."]);
  const basis = basisOf(organisation);
  const chart = await loadChart(tx);
  const rates = ratesOf(chart);
  const filed = await filedSoFar(tx, type);
  // Late entries belong to the return that follows the published ones.
  const isNext = filed !== undefined && from === addDays(filed.to, 1);
  const sums = [
    ...summed(chart, await taxedSums(tx, { basis, from, to }, rates), false),
    ...(isNext ? summed(chart, await lateSums(tx, basis, filed, rates), true) : []),
  ];
  const { turnover } = kind;
  if (asked.Simpler === true && turnover === undefined) {
    throw refusal([`There is no short form of the ${kind.name}.`]);
  }
  const year = { basis, from: addMonths(addDays(to, 1), -12), to };
  const shortFor =
    asked.Simpler === true && turnover !== undefined
      ? sum(summed(chart, await taxedSums(tx, year, rates), false).map(turnover))
      : undefined;
  const { attributes, fields } = kind.make({
    registration: organisation.TaxNumber ?? organisation.RegistrationNumber ?? "",
    basis,
    range: { from, to },
    sums,
    entered: enteredIn(kind, asked.Fields ?? []),
    shortFor,
  });
  const dates = `${mediumDate(from)} to ${mediumDate(to)}`;
  return {
    id: call.newId(),
    name: kind.name,
    type,
    titles: [kind.name, organisation.Name, dates],
    dates,
    to,
    at: call.now,
    attributes,
    fields,
  };
}

function kindFor({ CountryCode }: Organisation, type: ReturnKind): Kind {
  const kind = kinds[type];
  if (CountryCode === kind.country) return kind;
  const own = Object.entries(kinds).find(([, { country }]) => country === CountryCode)?.[0];
  throw refusal([
    own === undefined
      ? "Tax returns are made for organisations in Australia and New Zealand only."
      : `The organisation makes a ${own}, not a ${type}.`,
  ]);
}

const cashBases: ReadonlySet<string> = new Set(["PAYMENTS", "CASH", "FLATRATECASH"]);

/** @throws RefusedError when the organisation is not registered */
function basisOf({ SalesTaxBasis }: Organisation): "cash" | "accrual" {
  if (SalesTaxBasis === "NONE") {
    throw refusal(["The organisation is not registered for goods and services tax."]);
  }
  return cashBases.has(SalesTaxBasis) ? "cash" : "accrual";
}

function summed(chart: Chart, rows: readonly TaxedRow[], isLate: boolean): TaxedSum[] {
  return rows.map(({ tax_type, account_id, source, is_entered, net, tax }) => {
    const rate = chart.taxRate(tax_type);
    return {
      taxType: tax_type,
      name: rate?.Name ?? tax_type,
      reportTaxType: rate?.ReportTaxType,
      rate: rate?.EffectiveRate ?? 0,
      accountClass: chart.account(account_id)?.Class,
      source: source ?? undefined,
      isEntered: is_entered === 1,
      isLate,
      net,
      tax,
    };
  });
}

/** Of the tax types whose tax is what their rate makes of the net. */
function ratesOf({ taxRates }: Chart): TaxTypeRates {
  return new Map(
    taxRates
      .filter(({ TaxComponents = [] }) => !TaxComponents.some((each) => each.IsNonRecoverable))
      .map(({ TaxType = "", EffectiveRate }) => [TaxType, EffectiveRate]),
  );
}

/** Boxes that a caller fills, since the books do not. */
function enteredIn(
  { name, entries }: Kind,
  fields: NonNullable<TaxReport["Fields"]>,
): Map<string, Cents> {
  const entered = new Map<string, Cents>();
  for (const { FieldID, Value } of fields) {
    const id = entries.find((each) => each.toLowerCase() === FieldID.toLowerCase());
    if (id === undefined) {
      throw refusal([
        `Of the ${name} only ${entries.join(", ")} can be given, not ${FieldID.slice(0, 10)}.`,
      ]);
    }
    const amount = readDecimal(Value, 2);
    if (amount === undefined) {
      throw refusal([`Box ${id} takes an amount, not '${Value.slice(0, 40)}'.`]);
    }
    entered.set(id, amount as Cents);
  }
  return entered;
}
