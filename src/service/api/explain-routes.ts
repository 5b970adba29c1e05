/** The routes that explain figures; each has the access rule of the record or report explained. */

import {
  contactFigures,
  documentFigures,
  explainRoot,
  itemFigures,
} from "../../resources/explained-figures.ts";
import type { Fields } from "../../resources/field.ts";
import * as field from "../../resources/field.ts";
import { type DocumentName, documents } from "../../resources/index.ts";
import {
  allParametersOf,
  isReportName,
  type ReportDescription,
  reports,
} from "../../resources/report.ts";
import { returnTypes } from "../../resources/tax-report.ts";
import { accessOf } from "../documents/document-registry.ts";
import { access, reportAccess, settings } from "../request/permissions.ts";
import { answerOf, lazy, type Route } from "../request/route.ts";
import { invoicing } from "./registration.ts";
import { makerOf } from "./reports.ts";

/** Query parameters for the depth of an explanation. */
const detail = {
  all: field.boolean({
    help: "down to postings and documents, up to 10,000 of them, and months of more",
  }),
} as const satisfies Fields;

const reportFigures = lazy(() => import("../explain/report-figure.ts"));

const ofReports = () =>
  Object.entries<ReportDescription>(reports).map(
    ([name, description]): Route => ({
      method: "GET",
      path: `${explainRoot}/Reports/${name}`,
      access: reportAccess(description.scope),
      parameters: {
        ...allParametersOf(description),
        row: field.text({ help: "what the row is called, or the code of its account" }),
        line: field.integer({ min: 1, help: "the row by its place, where a name fits several" }),
        column: field.text({
          help: "heading of the column, or its place; the usual one when not given",
        }),
        ...detail,
      },
      answers: "reports",
      answer: async (call) => {
        if (!isReportName(name)) throw new Error(`There is no report ${name}.`);
        return (await reportFigures()).explainReport(call, name, await makerOf(name));
      },
    }),
  );

const returnFigures = lazy(() => import("../explain/tax-figures.ts"));
const box = {
  row: field.text({ help: "the box" }),
  ...detail,
} as const satisfies Fields;

const ofReturns = () =>
  returnTypes.map(
    (type): Route => ({
      method: "GET",
      path: `${explainRoot}/Reports/${type}`,
      access: reportAccess("taxreports"),
      parameters: {
        fromDate: field.date({ help: "first day" }),
        toDate: field.date({ help: "last day" }),
        simpler: field.text({ help: "true for a short form, where there is one" }),
        draft: field.boolean({ help: "as the books stand, also where a return was published" }),
        ...box,
      },
      answers: "reports",
      answer: async (call) => (await returnFigures()).explainReturn(call, type),
    }),
  );

const of1099: Route = {
  method: "GET",
  path: `${explainRoot}/Reports/TenNinetyNine`,
  access: reportAccess("tenninetynine"),
  parameters: {
    reportYear: field.integer({ help: "a calendar year; the last one when not given" }),
    contactID: field.text({ help: "the contact, a GUID" }),
    ...box,
  },
  answers: "reports",
  answer: answerOf(returnFigures, "explain1099"),
};

/** A repeating invoice only makes other documents: it has no figures in the books to explain. */
const explained = documents.filter(({ name }) => name !== "RepeatingInvoice");

const ofDocuments = () =>
  explained.map(
    (resource): Route => ({
      method: "GET",
      path: `${explainRoot}/${resource.plural}/{${resource.id}}`,
      access: accessOf(resource),
      parameters: {
        figure: field.choice(documentFigures, { help: "total when not given" }),
        ...detail,
      },
      answers: "reports",
      answer: async (call, key = "") =>
        (await import("../explain/document-figure.ts")).explainDocument(
          call,
          resource.name as DocumentName,
          key,
        ),
    }),
  );

const records = lazy(() => import("../explain/record-figures.ts"));

const ofRecords = () =>
  [
    {
      method: "GET",
      path: `${explainRoot}/Contacts/{ContactID}`,
      // A contact's explanation shows balances owed to and by it, so it needs more than invoice
      // scopes.
      access: access.books(...invoicing, "accounting.contacts"),
      parameters: {
        figure: field.choice(contactFigures, {
          help: "the one there is when not given, or the net",
        }),
        ...detail,
      },
      answers: "reports",
      answer: answerOf(records, "explainContact"),
    },
    {
      method: "GET",
      path: `${explainRoot}/Items/{ItemID}`,
      // The movements of a stock item name suppliers and their bills.
      access: access.books(settings),
      parameters: {
        figure: field.choice(itemFigures, { help: "value when not given" }),
        ...detail,
      },
      answers: "reports",
      answer: answerOf(records, "explainItem"),
    },
    {
      method: "GET",
      path: `${explainRoot}/Refusals`,
      access: access.sales(...invoicing, settings, "accounting.contacts"),
      parameters: { rule: field.text({ help: "the Rule of a refusal" }) },
      answers: "reports",
      answer: answerOf(() => import("../explain/refusals.ts"), "explainRefusal"),
    },
  ] as const satisfies readonly Route[];

export const explainRoutes = (): readonly Route[] => [
  ...ofReports(),
  ...ofReturns(),
  of1099,
  ...ofDocuments(),
  ...ofRecords(),
];
