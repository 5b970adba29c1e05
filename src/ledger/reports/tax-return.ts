/** What tax returns are made from, whichever country they are for. */
import type { ReportAttribute, ReportField } from "../../wire/report.ts";
import type { DateRange } from "../calendar.ts";
import { type Cents, sum } from "../money.ts";
import { amountText, negated } from "./rows.ts";

/** What was posted under one tax type to accounts of one class. */
export interface TaxedSum {
  readonly taxType: string;
  /** Of the rate. */
  readonly name: string;
  /** How the rate is reported: OUTPUT, INPUT, EXEMPTOUTPUT, … */
  readonly reportTaxType: string;
  /** In percent × 10⁴. */
  readonly rate: number;
  /** Of the accounts. */
  readonly accountClass: string | undefined;
  /** Without tax, debit positive. */
  readonly net: Cents;
  /** Debit positive. */
  readonly tax: Cents;
  /** It is dated into a return that was published before it was posted. */
  readonly isLate: boolean;
}

export interface TaxReturnRequest {
  /** Number that the organisation is registered under. */
  readonly registration: string;
  /** `cash` counts what is paid, `accrual` what is invoiced. */
  readonly basis: "cash" | "accrual";
  readonly range: DateRange;
  readonly sums: readonly TaxedSum[];
  /** What the ledger cannot know, by FieldID, in whole cents. */
  readonly entered: ReadonlyMap<string, Cents>;
}

export interface TaxReturn {
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField[];
}

/** The days that a return covers. */
export function rangeAttributes({ from, to }: DateRange): ReportAttribute[] {
  return [
    { Name: "fromDate", Description: "First day of the return", Value: from },
    { Name: "dateTo", Description: "Last day of the return", Value: to },
  ];
}

/** Boxes in the order in which they are named. */
export function fieldsOf(
  boxes: readonly (readonly [id: string, description: string, value: string | Cents])[],
): ReportField[] {
  return boxes.map(([FieldID, Description, value]) => ({
    FieldID,
    Description,
    Value: typeof value === "string" ? value : amountText(value),
  }));
}

/** Of each tax type what is in the boxes, but dated into returns that were published before. */
export function lateFields(sums: readonly TaxedSum[]): ReportField[] {
  const late = Map.groupBy(
    sums.filter(({ isLate }) => isLate),
    ({ taxType }) => taxType,
  );
  return [...late].flatMap(([taxType, found]) => {
    const [first] = found;
    const sold = first?.accountClass === "REVENUE";
    const field = (what: "net" | "tax", label: string): ReportField => {
      const amount = sum(found.map((each) => each[what]));
      return {
        FieldID: `Late ${what} ${taxType}`,
        Description: `Included, dated into earlier returns: ${label} at ${first?.name ?? taxType}`,
        Value: amountText(sold ? negated(amount) : amount),
      };
    };
    return [field("net", "net"), field("tax", "tax")];
  });
}

/** What was sold with tax, positive in the usual case. */
export const soldGross = (sums: readonly TaxedSum[]): Cents => negated(boughtGross(sums));

/** What was bought with tax, positive in the usual case. */
export const boughtGross = (sums: readonly TaxedSum[]): Cents =>
  sum(sums.flatMap(({ net, tax }) => [net, tax]));

/** The tax in what was bought, positive in the usual case. */
export const taxIn = (sums: readonly TaxedSum[]): Cents => sum(sums.map(({ tax }) => tax));
