/** `acct explain refusal`: explains the rule behind the last refused command on this machine. */

import { localDay } from "../../ledger/dates/timezones.ts";
import { wrapText } from "../../output/display-width.ts";
import { NotFoundError } from "../../resources/errors.ts";
import type { Report } from "../../wire/report.ts";
import { lastRefusal } from "../connection/last-refusal.ts";
import { timezoneOf } from "../connection/load-letterhead.ts";
import { command } from "../framework/command.ts";
import { momentText } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";
import { safeLine } from "../render/safe.ts";

/** Width of text in columns, where the width of the terminal is not known. */
const usualWidth = 80;

export const explainRefusal = command(
  "refusal",
  "the rule behind the last command that was refused",
)
  .answers("report")
  .note(
    "Of what was refused its command, its sentence and its time are kept, in your state folder, and no " +
      "word of its arguments.",
  )
  .example("acct explain refusal")
  .example("acct explain refusal -o json")
  .action(async (ctx) => {
    const refusal = await lastRefusal(ctx.env);
    if (refusal === undefined) {
      throw new NotFoundError("NotFound", "Nothing was refused on this machine that is known of.");
    }
    const { nameOfRule, ruleNamed } = await import("../../resources/refusal-rules.ts");
    const { foreignRule } = await import("../../client/foreign-refusals.ts");
    const foreign = (message: string) =>
      refusal.kind === "refused" ? foreignRule(message) : undefined;
    const rules = refusal.faults.map(({ message, rule }) => ({
      message,
      rule: ruleNamed(nameOfRule(rule) ?? foreign(message), refusal.kind),
    }));
    const { isLaidOut } = formats[ctx.flags.output];
    const timezone = isLaidOut ? await timezoneOf(ctx) : undefined;
    const day = localDay(refusal.at, timezone);
    const when = isLaidOut ? momentText(refusal.at, timezone) : new Date(refusal.at).toISOString();
    const report: Report = {
      ReportID: "Refusal",
      ReportName: "Refusal",
      ReportType: "Refusal",
      ReportTitles: [`acct ${refusal.command}`, when],
      ReportDate: day,
      UpdatedDateUTC: refusal.at,
      Rows: [
        {
          RowType: "Header",
          Cells: ["What was said", "Rule", "What it says", "Source", "What to do"].map((Value) => ({
            Value,
          })),
        },
        {
          RowType: "Section",
          Title: "",
          Rows: rules.map(({ message, rule }) => ({
            RowType: "Row",
            Cells: [message, rule.id, rule.text, rule.source, rule.remedy].map((Value) => ({
              Value,
            })),
          })),
        },
      ],
    };
    if (ctx.flags.output !== "table") return ctx.out.report(report);
    await ctx.out.page(({ width, paint }) => {
      const text = (words: string) =>
        wrapText(safeLine(words), Math.min(width ?? usualWidth, usualWidth));
      return [
        paint.strong(safeLine(`acct ${refusal.command}, ${when}`)),
        ...rules.flatMap(({ message, rule }) => [
          "",
          ...text(message).map((line) => paint.bad(line)),
          "",
          ...text(`Rule: ${rule.text} (${rule.id})`),
          ...text(`Source: ${rule.source}.`),
          ...text(`What to do: ${rule.remedy}`),
        ]),
      ];
    });
  });
