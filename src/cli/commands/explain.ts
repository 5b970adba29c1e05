/** `acct explain`: explains how a figure was computed, or why a command was refused. */
import { type ReportName, reports } from "../../resources/report.ts";
import type { Child } from "../context/context.ts";
import {
  explain1099,
  explainContact,
  explainDocument,
  explainItem,
  explainReturns,
  explainTaxReturn,
} from "./explain-record.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { explainBalance, explainReportCommand } from "./explain-report.ts";

export const explainVerbs: readonly Child[] = [
  explainDocument,
  explainBalance,
  explainContact,
  explainItem,
  explainRefusal,
  ...(Object.keys(reports) as ReportName[]).flatMap((name) => explainReportCommand(name) ?? []),
  explainTaxReturn,
  ...explainReturns,
  explain1099,
];
