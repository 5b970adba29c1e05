/**
 * Reports that have pages: those of the ledger, and the tax return of the organisation's country.
 */
import { boolean, date, type Fields } from "../../../resources/field.ts";
import { type ReportDescription, type ReportGroup, reports } from "../../../resources/report.ts";
import { returnTypes, taxReturns } from "../../../resources/tax-report.ts";

export interface ReportPage {
  /** Name of the report: the last segment of its path in the API. */
  readonly name: string;
  /** Last segment of the address of its page: `profit-and-loss`. */
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly parameters: Fields;
  /** API values of a parameter by the words that people use for them. */
  readonly spelt?: ReportDescription["spelt"];
  readonly sent?: ReportDescription["sent"];
  /** CountryCodes of organisations that have the report; undefined for all organisations. */
  readonly countries?: readonly string[] | undefined;
  readonly group: ReportGroup;
}

/** Summaries of reports that no command describes. */
const byContact: Readonly<Record<string, string>> = {
  AgedReceivablesByContact: "what one customer owes, invoice by invoice",
  AgedPayablesByContact: "what one supplier is owed, bill by bill",
  Statement: "what one customer is told: what is outstanding, or what moved it",
};

export const slugOf = (name: string): string =>
  name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();

const returnParameters: Fields = {
  fromDate: date({ help: "first day" }),
  toDate: date({ help: "last day" }),
  detail: boolean({ help: "the documents behind each box" }),
};

export const reportPages: readonly ReportPage[] = [
  ...Object.entries<ReportDescription>(reports).map(
    ([name, { title, summary, parameters, spelt, sent, group, countries }]): ReportPage => ({
      name,
      slug: slugOf(name),
      title,
      summary: summary ?? byContact[name] ?? "",
      parameters,
      spelt,
      sent,
      group,
      countries,
    }),
  ),
  ...returnTypes.map(
    (name): ReportPage => ({
      name,
      slug: slugOf(name),
      title: taxReturns[name].title,
      summary: taxReturns[name].summary,
      parameters: returnParameters,
      countries: [taxReturns[name].country],
      group: "tax",
    }),
  ),
];

const bySlug = new Map(reportPages.map((reportPage) => [reportPage.slug, reportPage]));

export const reportAt = (slug: string): ReportPage | undefined => bySlug.get(slug);
export const reportTitle = (slug: string): string | undefined => bySlug.get(slug)?.title;

/** Whether organisations of a country have the report. */
export const isOf = (country: string | undefined, { countries }: ReportPage): boolean =>
  countries?.includes(country ?? "") ?? true;

/** Path of the page of a report by its name in the API. */
export function reportPath(name: string): string {
  return `/reports/${slugOf(name)}`;
}
