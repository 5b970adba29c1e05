/** The routes that explain figures; each has the access rule of what it explains. */
import * as field from "../../resources/field.ts";
import { extensionRoot, type Fields } from "../../resources/field.ts";
import { type ReportDescription, reports } from "../../resources/report.ts";
import { reportAccess } from "../request/permissions.ts";
import { lazy, type Route } from "../request/route.ts";
import { isReportName } from "./reports/index.ts";

export const explainRoot = `${extensionRoot}/Explain`;

/** How much of a figure is told. */
const detail = {
  all: field.boolean({ help: "down to postings and documents, however many there are" }),
} as const satisfies Fields;

const reportFigures = lazy(() => import("./report-figure.ts"));

const ofReports = Object.entries<ReportDescription>(reports).map(
  ([name, { scope, parameters }]): Route => ({
    method: "GET",
    path: `${explainRoot}/Reports/${name}`,
    access: reportAccess(scope),
    parameters: {
      ...parameters,
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
      return (await reportFigures()).explainReport(call, name);
    },
  }),
);

export const explainRoutes: readonly Route[] = [...ofReports];
