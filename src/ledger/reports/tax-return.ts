/** What tax returns are made from, whichever country they are for. */
import type { ReportAttribute, ReportField } from "../../wire/report.ts";
import type { DateRange } from "../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";
import { amountText, negated } from "./rows.ts";

/** What was posted under one tax type to accounts of one class. */
export interface TaxedSum {
  readonly taxType: string;
  /** Of the rate. */
  readonly name: string;
  /** How the rate is reported: OUTPUT, INPUT, EXEMPTOUTPUT, …; absent where rates are not told apart so. */
  readonly reportTaxType: string | undefined;
  /** In percent × 10⁴. */
  readonly rate: number;
  /** Of the accounts. */
  readonly accountClass: string | undefined;
  /** What the journals say they come from where that is a sales invoice or a sales credit note. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | undefined;
  /** The tax is not what the rate makes of the net: it was entered. */
  readonly isEntered: boolean;
  /** It is dated into a return that was published before it was posted. */
  readonly isLate: boolean;
  /** Without tax, debit positive. */
  readonly net: Cents;
  /** Debit positive. */
  readonly tax: Cents;
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
  /** Sold without tax in the year to the end of the range; given where the short form is asked for. */
  readonly shortFor?: Cents | undefined;
}

export interface TaxReturn {
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField[];
}

// --- boxes ------------------------------------------------------------------------------------

/** What of a sum stands in a box, debit positive. */
export type Figure = (each: TaxedSum) => Cents;

export const taxOf: Figure = ({ tax }) => tax;
export const grossOf: Figure = ({ net, tax }) => add(net, tax);

/** Where what is posted under a tax type is reported. */
export interface Treatment {
  /** Sales are credits, and stand in their boxes as positive amounts. */
  readonly side: "sales" | "purchases";
  /** By FieldID; none for what is left out on purpose. */
  readonly boxes: Readonly<Record<string, Figure>>;
}

/**
 * The treatments of a form, by how the rate is reported or else by its tax type: `INPUT`. One that
 * holds for some accounts or documents alone names them: `INPUT EXPENSE`, `INPUT EXPENSE ACCREC`.
 */
export type Treatments = Readonly<Record<string, Treatment>>;

function treatmentOf(
  treatments: Treatments,
  { reportTaxType, taxType, accountClass, source }: TaxedSum,
): Treatment | undefined {
  const key = reportTaxType ?? taxType;
  return (
    treatments[`${key} ${accountClass} ${source}`] ??
    treatments[`${key} ${accountClass}`] ??
    treatments[key]
  );
}

/** What stands in each box, by its FieldID; zero in a box that nothing is reported in. */
export function boxed(treatments: Treatments, sums: readonly TaxedSum[]): (box: string) => Cents {
  const boxes = new Map<string, Cents>();
  for (const each of sums) {
    const { side, boxes: own = {} } = treatmentOf(treatments, each) ?? {};
    for (const [box, figure] of Object.entries(own)) {
      const amount = figure(each);
      boxes.set(box, add(boxes.get(box) ?? zeroCents, side === "sales" ? negated(amount) : amount));
    }
  }
  return (box) => boxes.get(box) ?? zeroCents;
}

/**
 * What is said beside the boxes: of each tax type what is in them, but dated into returns that were
 * published before; and what is in none of them, since the form has no place for its tax type.
 */
export function remarks(treatments: Treatments, sums: readonly TaxedSum[]): ReportField[] {
  const sold = (each: TaxedSum) => {
    const side = treatmentOf(treatments, each)?.side;
    return side === undefined ? each.accountClass === "REVENUE" : side === "sales";
  };
  const told = (found: readonly TaxedSum[], id: string, description: string) =>
    [...Map.groupBy(found, ({ taxType }) => taxType)].flatMap(([taxType, ofType]) =>
      (["net", "tax"] as const).map((what) => {
        const amounts = ofType.map((each) => (sold(each) ? negated(each[what]) : each[what]));
        return {
          FieldID: `${id} ${what} ${taxType}`,
          Description: `${description}: ${what} at ${ofType[0]?.name}`,
          Value: amountText(sum(amounts)),
        };
      }),
    );
  const isUnmapped = (each: TaxedSum) => treatmentOf(treatments, each) === undefined;
  const isReported = (each: TaxedSum) =>
    Object.keys(treatmentOf(treatments, each)?.boxes ?? {}).length > 0;
  return [
    ...told(
      sums.filter((each) => each.isLate && isReported(each)),
      "Late",
      "Included, dated into earlier returns",
    ),
    ...told(sums.filter(isUnmapped), "Unmapped", "In no box"),
  ];
}

// --- fields -----------------------------------------------------------------------------------

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
