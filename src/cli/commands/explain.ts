/** `acct explain`: a figure taken apart, and why something was refused. */
import type { ReportName } from "../../resources/report.ts";
import { reports } from "../../resources/report.ts";
import type { Child } from "../framework/context.ts";
import { explainBalance, explainReportCommand } from "./explain-report.ts";

export const explainVerbs: readonly Child[] = [
  ...(Object.keys(reports) as ReportName[]).flatMap((name) => explainReportCommand(name) ?? []),
  explainBalance,
];
