/** The routes of reports: ledger reports, tax returns and 1099 reports. */

import { accountTransaction, ledgerParameters } from "../../resources/account-transaction.ts";
import { box1099 } from "../../resources/box-1099.ts";
import { closingCheck, closingParameters } from "../../resources/closing-check.ts";
import { boolean, date, type Fields, integer, pathOf, text } from "../../resources/field.ts";
import {
  allParametersOf,
  layoutField,
  type ReportDescription,
  type ReportName,
  type ReportsOf,
  reports,
} from "../../resources/report.ts";
import { returnTypes, taxReport } from "../../resources/tax-report.ts";
import type { MakeReport } from "../reports/report-context.ts";
import { reportAccess } from "../request/permissions.ts";
import { answerOf, lazy, type Route } from "../request/route.ts";

/** A report module exports one function per report, named as the report in lower camel case. */
type ReportMakers<N extends ReportName> = { readonly [K in N as Uncapitalize<K>]: MakeReport };

const modules = {
  ledger: lazy<ReportMakers<ReportsOf<"ledger">>>(() => import("../reports/ledger.ts")),
  statements: lazy<ReportMakers<ReportsOf<"statements">>>(
    () => import("../reports/financial-statements.ts"),
  ),
  aged: lazy<ReportMakers<ReportsOf<"aged">>>(() => import("../reports/contacts/aged.ts")),
  assets: lazy<ReportMakers<ReportsOf<"assets">>>(() => import("../reports/fixed-assets.ts")),
  bank: lazy<ReportMakers<ReportsOf<"bank">>>(() => import("../reports/bank-reconciliation.ts")),
  cash: lazy<ReportMakers<ReportsOf<"cash">>>(() => import("../reports/cash-flow.ts")),
  summaries: lazy<ReportMakers<ReportsOf<"summaries">>>(() => import("../reports/summaries.ts")),
  tax: lazy<ReportMakers<ReportsOf<"tax">>>(() => import("../reports/tax/tax-summary.ts")),
  statement: lazy<ReportMakers<ReportsOf<"statement">>>(
    () => import("../reports/contacts/statement.ts"),
  ),
  traded: lazy<ReportMakers<ReportsOf<"traded">>>(() => import("../reports/contacts/traded.ts")),
  taxAccount: lazy<ReportMakers<ReportsOf<"taxAccount">>>(
    () => import("../reports/tax/tax-reconciliation.ts"),
  ),
  ecSales: lazy<ReportMakers<ReportsOf<"ecSales">>>(() => import("../reports/tax/ec-sales.ts")),
} satisfies Record<ReportDescription["module"], unknown>;

const frame = lazy(() => import("../reports/report-context.ts"));

/** Loads the function that makes the rows of a report. */
export async function makerOf(name: ReportName): Promise<MakeReport> {
  const { module }: ReportDescription = reports[name];
  const makers: Readonly<Record<string, MakeReport>> = await modules[module]();
  return makers[name.charAt(0).toLowerCase() + name.slice(1)] as MakeReport;
}

const makeRoutes = () =>
  (Object.keys(reports) as ReportName[]).map((name): Route => {
    const description: ReportDescription = reports[name];
    return {
      method: "GET",
      path: `/Reports/${name}`,
      access: reportAccess(description.scope),
      parameters: allParametersOf(description),
      answers: "reports",
      answer: async (call) =>
        (await frame()).answerReport(call, name, description.title, await makerOf(name)),
    };
  });

const taxReturns = lazy(() => import("../reports/tax/tax-returns.ts"));
const form1099 = lazy(() => import("../reports/tax/form-1099.ts"));
const ofTax = { access: reportAccess("taxreports"), answers: "reports" } as const;
const of1099 = { access: reportAccess("tenninetynine"), answers: "reports" } as const;
const boxesPath = "/Reports/TenNinetyNine/Boxes";

const returnParameters: Fields = {
  fromDate: date({ help: "first day" }),
  toDate: date({ help: "last day" }),
  simpler: text({ help: "true for a short form, where there is one" }),
  detail: text({ help: "true for the documents behind each box, as rows" }),
  described: text({ help: "true for titles with basis, currency, day and locks" }),
  layout: layoutField,
};

export const reportRoutes = (): readonly Route[] => [
  {
    method: "GET",
    path: pathOf(accountTransaction),
    access: reportAccess("trialbalance"),
    parameters: ledgerParameters,
    answers: accountTransaction,
    answer: answerOf(() => import("../reports/ledger.ts"), "readAccountTransactions"),
  },
  {
    method: "GET",
    path: pathOf(closingCheck),
    access: reportAccess("balancesheet"),
    parameters: closingParameters,
    answers: closingCheck,
    answer: answerOf(() => import("../closing/checks.ts"), "readClosingChecks"),
  },
  { method: "GET", path: "/Reports", ...ofTax, answer: answerOf(taxReturns, "listReports") },
  {
    method: "PUT",
    path: "/Reports",
    ...ofTax,
    takes: taxReport,
    answer: answerOf(taxReturns, "publishReport"),
  },
  ...returnTypes.map(
    (type): Route => ({
      method: "GET",
      path: `/Reports/${type}`,
      ...ofTax,
      parameters: returnParameters,
      answer: async (call) => (await taxReturns()).draftReturn(call, type),
    }),
  ),
  {
    method: "GET",
    path: "/Reports/TenNinetyNine",
    ...of1099,
    parameters: {
      reportYear: integer({ help: "a calendar year; the last one when not given" }),
      described: boolean({ help: "with payees that have no tax number" }),
    },
    answer: answerOf(form1099, "tenNinetyNine"),
  },
  {
    method: "GET",
    path: boxesPath,
    ...of1099,
    answers: box1099,
    answer: answerOf(form1099, "answerBoxes"),
  },
  {
    method: "PUT",
    path: boxesPath,
    ...of1099,
    takes: box1099,
    answers: box1099,
    answer: answerOf(form1099, "setBoxes"),
  },
  ...makeRoutes(),
  // This pattern comes after the named reports, since their paths match it too.
  {
    method: "GET",
    path: "/Reports/{ReportID}",
    ...ofTax,
    answer: answerOf(taxReturns, "readPublishedReport"),
  },
];
