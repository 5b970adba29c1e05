/** `acct report`: the reports that are described, tax returns, and 1099 reports. */
import { type ReportName, reports } from "../../resources/report.ts";
import { group } from "../framework/command.ts";
import { reportCommand } from "./report-command.ts";
import {
  bas,
  gst,
  listPublished,
  showPublished,
  tenNinetyNine,
  tenNinetyNineBoxes,
} from "./report-tax.ts";

export const reportNoun = group(
  "report",
  "financial statements, aged balances, summaries and tax returns",
  [
    ...(Object.keys(reports) as ReportName[]).map(reportCommand),
    tenNinetyNine,
    tenNinetyNineBoxes,
    bas,
    gst,
    listPublished,
    showPublished,
  ],
  { aliases: ["reports"] },
);
