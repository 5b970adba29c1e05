/** `acct report`: reports with a description, tax returns, and 1099 reports. */
import { type ReportName, reports } from "../../resources/report.ts";
import type { Child } from "../context/context.ts";
import { reportCommand } from "./report-command.ts";
import { accountTransactions, journalReport } from "./report-ledger.ts";
import { statementCommand } from "./report-statement.ts";
import {
  listPublished,
  returnCommands,
  showPublished,
  tenNinetyNine,
  tenNinetyNineBoxes,
} from "./report-tax.ts";

export const reportVerbs: readonly Child[] = [
  ...(Object.keys(reports) as ReportName[]).flatMap((name) =>
    "command" in reports[name] ? [reportCommand(name)] : [],
  ),
  statementCommand,
  accountTransactions,
  journalReport,
  tenNinetyNine,
  tenNinetyNineBoxes,
  ...returnCommands,
  listPublished,
  showPublished,
];
