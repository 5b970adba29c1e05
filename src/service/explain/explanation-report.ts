/**
 * Renders an explanation as a report of grouped parts, their sum and the rule, so that every format
 * can show it.
 */
import { longDate } from "../../ledger/dates/calendar.ts";
import { type Unit, unitForms } from "../../ledger/figures/expression.ts";
import { headerRow, sectionRow } from "../../ledger/reports/report-rows.ts";
import { rules } from "../../resources/figure-rules.ts";
import { encodeReports } from "../../wire/encode/encode-report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import {
  type Cell,
  type CellAmount,
  type CellValue,
  notKnown,
  type ReportField,
  type Row,
  valueText,
} from "../../wire/report.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import type { ExplainedFigure } from "./evaluate.ts";
import type { QuotientOperand, SumPart } from "./origin.ts";

/** Heading texts of an explanation. */
export interface ExplanationHeading {
  /** Name of the figure: `Sales (200)`. */
  readonly figure: string;
  /** Title of the report or document: `Profit and Loss, 1 March 2026 to 31 March 2026`. */
  readonly of: string;
  /** Report or document that shows the figure, in a sentence: `the profit and loss`, `INV-0042`. */
  readonly shownBy: string;
  /** The figure as shown there: `1840.00`, `78.1%`. */
  readonly shownValue: CellValue;
  readonly organisation: string;
  readonly today: string;
  /** Currency of the amounts, where not the base currency. */
  readonly currency?: string | undefined;
  /** Source of the rule, where the figure has a more precise one. */
  readonly source?: string | undefined;
}

export function answerExplained(
  call: RequestContext,
  heading: ExplanationHeading,
  explained: ExplainedFigure,
): ServiceResponse {
  const { figure, of, organisation, today, shownValue: shown } = heading;
  const { text, source } = rules[explained.rule];
  const fields: readonly (readonly [
    id: string,
    description: string,
    value: CellValue | undefined,
  ])[] = [
    ["Figure", "Figure", shown],
    ["ShownBy", "As shown by", heading.shownBy],
    ["Currency", "Currency", heading.currency],
    ["Rule", "Rule", text],
    ["Source", "Source", heading.source ?? source],
    [
      "Difference",
      "Not explained by the books",
      explained.difference === 0 ? undefined : amountIn(explained.unit, explained.difference),
    ],
  ];
  const report = {
    ReportID: "Explanation",
    ReportName: "Explanation",
    ReportType: "Explanation",
    ReportTitles: [figure, organisation, of],
    ReportDate: longDate(today),
    UpdatedDateUTC: call.now(),
    Rows: rowsOf(figure, explained, shown),
    Fields: fields.flatMap(([FieldID, Description, Value]): ReportField<CellValue>[] =>
      Value === undefined ? [] : [{ FieldID, Description, Value }],
    ),
  };
  return answerWith(call, encodeReports(call.format, [report], envelopeOf(call)));
}

/** Returns an amount with all decimals of its unit. */
export const amountIn = (unit: Unit, amount: number): CellAmount => ({
  amount,
  scale: unitForms[unit].scale,
});

type Heading = "Date" | "Number" | "Working";
const optional = {
  Date: ({ date }) => date ?? "",
  Number: ({ number }) => number ?? "",
  Working: ({ working }) => working ?? "",
} as const satisfies Record<Heading, (sumPart: SumPart) => string>;

/** Columns that are empty in all parts are left out. */
function rowsOf(figure: string, explained: ExplainedFigure, shown: CellValue): Row<CellValue>[] {
  const { parts, unit, quotient } = explained;
  const headings = (Object.keys(optional) as Heading[]).filter(
    (heading) =>
      (heading === "Working" && quotient !== undefined) ||
      parts.some((sumPart) => optional[heading](sumPart) !== ""),
  );
  const row = (
    type: "Row" | "SummaryRow",
    label: string,
    cells: readonly CellValue[],
    attributes?: Cell["Attributes"],
  ): Row<CellValue> => ({
    RowType: type,
    // Ids are on the first cell only: with thousands of parts they would fill most of the answer.
    Cells: [label, ...cells].map((Value, at) => ({
      ...(Value === "" ? {} : { Value }),
      ...(attributes === undefined || at > 0 ? {} : { Attributes: attributes }),
    })),
  });
  const partRow = (sumPart: SumPart, of: Unit) =>
    row(
      "Row",
      sumPart.label,
      [...headings.map((heading) => optional[heading](sumPart)), amountIn(of, sumPart.amount)],
      sumPart.attributes,
    );
  const total = (label: string, value: CellValue, working = "") =>
    row("SummaryRow", label, [
      ...headings.map((heading) => (heading === "Working" ? working : "")),
      value,
    ]);
  const partsByGroup = Map.groupBy(parts, ({ group }) => group ?? figure);
  const body: Row<CellValue>[] = [];
  if (quotient === undefined) {
    for (const [title, own] of partsByGroup) {
      const rows = own.map((sumPart) => partRow(sumPart, unit));
      const isSingle = partsByGroup.size === 1;
      const subtotal = own.reduce((sum, { amount }) => sum + amount, 0);
      body.push(
        sectionRow(
          title,
          isSingle ? rows : [...rows, total(`Sum of ${title}`, amountIn(unit, subtotal))],
        ),
      );
    }
    const sum = parts.reduce((soFar, { amount }) => soFar + amount, 0);
    body.push(sectionRow("", [total("Sum", shown === notKnown ? notKnown : amountIn(unit, sum))]));
  } else {
    const { of, dividend, divisor } = quotient;
    const operand = ({ label, unit: own = "money" }: QuotientOperand, amount: number) => {
      const rows = (partsByGroup.get(label) ?? []).map((sumPart) => partRow(sumPart, own));
      body.push(sectionRow(label, [...rows, total(label, amountIn(own, amount))]));
    };
    operand(of.dividend, dividend);
    operand(of.divisor, divisor);
    const exact = divisor === 0 ? "nothing to divide by" : divisionText(quotient);
    body.push(sectionRow("", [total("Quotient", shown === "" ? "0" : shown, exact)]));
  }
  return [headerRow(["Part", ...headings, "Amount"]), ...body];
}

/** Returns the division as text, truncated to six digits: `1437.90 / 1840.00 = 0.781467`. */
function divisionText({ of, dividend, divisor }: NonNullable<ExplainedFigure["quotient"]>): string {
  const [above, below] = [of.dividend.unit ?? "money", of.divisor.unit ?? "money"];
  const scaled = BigInt(dividend) * 1_000_000n * BigInt(10 ** unitForms[below].scale);
  const quotient = scaled / (BigInt(divisor) * BigInt(10 ** unitForms[above].scale));
  const sign = quotient < 0n ? "-" : "";
  const digits = String(quotient < 0n ? -quotient : quotient).padStart(7, "0");
  const [whole, by] = [amountIn(above, dividend), amountIn(below, divisor)].map(valueText);
  return `${whole} / ${by} = ${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
