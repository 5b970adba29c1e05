/**
 * Tax returns. The form of a country is a table: the boxes of each tax type, and the boxes in order
 * with their formulas; one evaluator fills in the forms of all countries.
 */

import { amountText } from "../../../../resources/common.ts";
import { multiplyDivide } from "../../../../resources/decimal.ts";
import { RefusedError } from "../../../../resources/errors.ts";
import { sourceWords } from "../../../../resources/journal.ts";
import {
  type CellValue,
  moneyValue,
  type ReportAttribute,
  type ReportField,
} from "../../../../wire/report.ts";
import { type DateRange, mediumDate } from "../../../dates/calendar.ts";
import { add, type Cents, type Percent, sum, zeroCents } from "../../../money.ts";
import {
  type ColumnHeading,
  headerRow,
  negated,
  type ReportRow,
  sectionRow,
  textRow,
} from "../../report-rows.ts";

/** Postings of one tax type to accounts of one class. */
export interface TaxedSum {
  readonly taxType: string;
  /** Name of the tax rate. */
  readonly name: string;
  /** ReportTaxType of the rate, OUTPUT, INPUT, EXEMPTOUTPUT, …; absent in regions without it. */
  readonly reportTaxType: string | undefined;
  /** Charged rate in percent × 10⁴. */
  readonly rate: Percent;
  /** Displayed rate; for a reverse charge it is not charged on the document. */
  readonly displayRate: Percent;
  /** Reclaimed tax by component name; together they are the tax. */
  readonly components: ReadonlyMap<string, Cents>;
  /** Class of the accounts. */
  readonly accountClass: string | undefined;
  /** Source type of journals of sales invoices and sales credit notes; undefined for others. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | undefined;
  /**
   * Side of the documents and bank transactions, where grouped by side; undefined for journals.
   */
  readonly side: "sales" | "purchases" | undefined;
  /** Whether the tax differs from rate times net: it was entered. */
  readonly isEntered: boolean;
  /** Whether the entered tax is lower than that. */
  readonly isLess: boolean;
  /** Whether the posting is dated within a return that was published before it was posted. */
  readonly isLate: boolean;
  /** Net without any tax, debit positive. */
  readonly net: Cents;
  /** Tax that is not reclaimed, included on the lines' accounts as a cost; debit positive. */
  readonly notReclaimed: Cents;
  /** Tax on the tax account; debit positive. */
  readonly tax: Cents;
  /** Tax of a reverse charge, which the buyer owes, rounded line by line as posted. */
  readonly reverseTax: Cents;
}

/**
 * A figure of the profit and loss used by a form; the exchange gain is the realised one, without
 * sign.
 */
export type LedgerFigure = "revenue" | "exchangeGain";

export interface TaxReturnRequest {
  /** Tax registration number of the organisation. */
  readonly registration: string;
  /** Tax basis: `cash` counts payments, `accrual` counts invoices. */
  readonly basis: "cash" | "accrual";
  readonly range: DateRange;
  /** Base currency of the books. */
  readonly currency: string;
  readonly sums: readonly TaxedSum[];
  readonly ledger: Readonly<Record<LedgerFigure, Cents>>;
  /** Amounts entered by the preparer, by FieldID, in whole cents. */
  readonly entered: ReadonlyMap<string, Cents>;
  /**
   * Turnover without tax in the year to the end of the range; given when the short form is
   * requested.
   */
  readonly shortFor?: Cents | undefined;
}

export interface TaxReturn {
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField<CellValue>[];
}

// --- forms ------------------------------------------------------------------------------------

/** The amount that a sum adds to a box, debit positive. */
export type BoxShare = (taxedSum: TaxedSum) => Cents;

export const netOf: BoxShare = ({ net }) => net;
export const taxOf: BoxShare = ({ tax }) => tax;
export const grossOf = ({
  net,
  tax,
  notReclaimed,
}: Pick<TaxedSum, "net" | "tax" | "notReclaimed">): Cents => sum([net, tax, notReclaimed]);
export const reverseTaxOf: BoxShare = ({ reverseTax }) => reverseTax;

/** The boxes in which postings of a tax type are reported. */
export interface Treatment {
  /** Side of the return; sales are credits, and are positive in their boxes. */
  readonly side: "sales" | "purchases";
  /** Shares by FieldID; empty for tax types deliberately left out. */
  readonly boxes: Readonly<Record<string, BoxShare>>;
  /** For a reverse charge: the tax that the buyer owes in place of the supplier. */
  readonly reverse?: BoxShare;
  /** When it counts on either basis: when invoiced, or when paid; by the basis when left out. */
  readonly when?: "invoice" | "payment";
}

/**
 * The treatments of a form by key: `INPUT`. A treatment for some accounts or documents only has
 * them in its key: `INPUT EXPENSE`, `INPUT EXPENSE ACCREC`.
 */
export type Treatments = Readonly<Record<string, Treatment>>;

/** A sum of other boxes, or a share of it, rounded once. */
export interface Formula {
  readonly of: readonly (readonly [sign: 1 | -1, box: string])[];
  /** The share as factor and divisor: 3 and 23 for three twenty-thirds. */
  readonly share?: readonly [factor: number, divisor: number];
  /** Whether the result loses its sign. */
  readonly isUnsigned?: true;
  /** The result where it would be less. */
  readonly floor?: 0;
}

/**
 * Computes a formula.
 * @param box  returns the value of another box
 */
export function evaluate(
  { of, share, isUnsigned, floor }: Formula,
  box: (id: string) => Cents,
): Cents {
  const wholeAmount = sum(of.map(([sign, id]) => (sign === 1 ? box(id) : negated(box(id)))));
  const part = share === undefined ? wholeAmount : (multiplyDivide(wholeAmount, ...share) as Cents);
  if (floor !== undefined && part < floor) return zeroCents;
  return isUnsigned ? (Math.abs(part) as Cents) : part;
}

export interface Box {
  readonly id: string;
  readonly description: string;
  /** Formula of other boxes; added to the box's share of the treatments. */
  readonly formula?: Formula;
  /** Profit and loss figure that is added. */
  readonly ledger?: LedgerFigure;
  /** Whether the preparer may enter an amount, which is added. */
  readonly entered?: true;
  /** The box of the return published for the days before that it brings over, unless entered. */
  readonly brought?: string;
  /** How it becomes whole: cents are dropped, or 50 and more are rounded away from zero. */
  readonly rounding?: "cut" | "half-up";
  /** Whether the box is left out of the short form. */
  readonly isLong?: true;
}

/** A line of a return besides its boxes. */
export type ReturnLine = readonly [id: string, description: string, value: string | Cents];

export interface ReturnForm {
  /** Name of the tax, for use in a sentence. */
  readonly tax: string;
  /** Publisher and name of the form. */
  readonly source: string;
  /** The boxes for tax on sales (`collected`) and reclaimed tax on purchases (`paid`). */
  readonly declared: { readonly collected: string; readonly paid: string };
  /** Lines above the boxes. */
  readonly headLines: (request: TaxReturnRequest) => readonly ReturnLine[];
  readonly treatments: Treatments;
  /** The treatments where they follow from the sums of the return, in place of the usual ones. */
  readonly treatmentsFor?: (sums: readonly TaxedSum[]) => Treatments;
  /** The treatment key of a sum; by default its ReportTaxType, or else its tax type. */
  readonly keyOf?: (taxedSum: TaxedSum) => string;
  readonly boxes: readonly Box[];
  /** Whether amounts that would make a box less than zero are refused. */
  readonly isNeverNegative?: true;
  /** Lines below the boxes. */
  readonly extraLines?: (
    sums: readonly TaxedSum[],
    inBox: (box: string) => Cents,
  ) => readonly ReturnLine[];
  /** What is said to an organisation that makes one return a year, where that has another form. */
  readonly notYearly?: string;
  /** The short form for small businesses. */
  readonly shortForm?: {
    readonly name: string;
    /** Yearly turnover from which the whole form is required. */
    readonly below: Cents;
    readonly turnover: BoxShare;
  };
}

/** Boxes in which the preparer may enter amounts. */
export const entriesOf = ({ boxes }: ReturnForm): string[] =>
  boxes.filter(({ entered }) => entered).map(({ id }) => id);

export type Mapping = Pick<ReturnForm, "treatments" | "keyOf">;

export function treatmentOf({ treatments, keyOf }: Mapping, each: TaxedSum): Treatment | undefined {
  const { accountClass, source } = each;
  const key = keyOf?.(each) ?? each.reportTaxType ?? each.taxType;
  return (
    treatments[`${key} ${accountClass} ${source}`] ??
    treatments[`${key} ${accountClass}`] ??
    treatments[key]
  );
}

/** Whether a sum is on the sales side: by its treatment, or else by its account. */
export function isSold(form: Mapping, taxedSum: TaxedSum): boolean {
  const direction = treatmentOf(form, taxedSum)?.side;
  return direction === undefined ? taxedSum.accountClass === "REVENUE" : direction === "sales";
}

/** The amount that a sum adds to each box. */
export function sharesOf(form: Mapping, taxedSum: TaxedSum): [box: string, amount: Cents][] {
  const { side, boxes = {} } = treatmentOf(form, taxedSum) ?? {};
  return Object.entries(boxes).map(([box, figure]) => {
    const amount = figure(taxedSum);
    return [box, side === "sales" ? negated(amount) : amount];
  });
}

/** The total of the treatments for each box, by FieldID; zero when nothing is reported. */
export function boxTotals(form: Mapping, sums: readonly TaxedSum[]): (box: string) => Cents {
  const amountByBox = new Map<string, Cents>();
  for (const [box, amount] of sums.flatMap((sum) => sharesOf(form, sum))) {
    amountByBox.set(box, add(amountByBox.get(box) ?? zeroCents, amount));
  }
  return (box) => amountByBox.get(box) ?? zeroCents;
}

/**
 * Remarks below the boxes, for each tax type: amounts in the boxes that are dated within earlier
 * published returns; and amounts in no box, since the form has none for the tax type.
 */
export function remarkLines(form: Mapping, sums: readonly TaxedSum[]): ReturnLine[] {
  const remark = (sums: readonly TaxedSum[], id: string, description: string) =>
    [...Map.groupBy(sums, ({ taxType }) => taxType)].flatMap(([taxType, ofType]) =>
      (["net", "tax"] as const).map((amountKind): ReturnLine => {
        const amounts = ofType.map((taxedSum) =>
          isSold(form, taxedSum) ? negated(taxedSum[amountKind]) : taxedSum[amountKind],
        );
        return [
          `${id} ${amountKind} ${taxType}`,
          `${description}: ${amountKind} at ${ofType[0]?.name}`,
          sum(amounts),
        ];
      }),
    );
  const isUnmapped = (taxedSum: TaxedSum) => treatmentOf(form, taxedSum) === undefined;
  const isReported = (taxedSum: TaxedSum) =>
    Object.keys(treatmentOf(form, taxedSum)?.boxes ?? {}).length > 0;
  return [
    ...remark(
      sums.filter((sum) => sum.isLate && isReported(sum)),
      "Late",
      "Included, dated into earlier returns",
    ),
    ...remark(sums.filter(isUnmapped), "Unmapped", "In no box"),
  ];
}

/** The form with the treatments that follow from its sums. */
export const formFor = (form: ReturnForm, sums: readonly TaxedSum[]): ReturnForm =>
  form.treatmentsFor === undefined ? form : { ...form, treatments: form.treatmentsFor(sums) };

/** The amount as the box has it: whole, for either sign, where the form says so. */
export function roundedIn({ rounding }: Pick<Box, "rounding">, amount: Cents): Cents {
  if (rounding === undefined) return amount;
  const halfUnit = rounding === "cut" ? 0 : 50 * Math.sign(amount);
  return ((Math.trunc((amount + halfUnit) / 100) || 0) * 100) as Cents;
}

/** Amounts of a box, by source. */
interface BoxAmounts {
  readonly books: Cents;
  /** Amount from other boxes. */
  readonly formula: Cents;
  readonly ledger: Cents;
  readonly entered: Cents;
}

function evaluateForm(usual: ReturnForm, { sums, entered, ledger }: TaxReturnRequest) {
  const form = formFor(usual, sums);
  const inBox = boxTotals(form, sums);
  const boxById = new Map(form.boxes.map((box) => [box.id, box]));
  const valueById = new Map<string, Cents>();
  const partsOf = ({ id, formula, ledger: figure, entered: takes }: Box): BoxAmounts => ({
    books: inBox(id),
    formula: formula === undefined ? zeroCents : evaluate(formula, value),
    ledger: figure === undefined ? zeroCents : ledger[figure],
    entered: takes ? (entered.get(id) ?? zeroCents) : zeroCents,
  });
  const value = (id: string): Cents => {
    const knownValue = valueById.get(id);
    if (knownValue !== undefined) return knownValue;
    const box = boxById.get(id);
    if (box === undefined) throw new Error(`The form has no box ${id}.`);
    const amount = sum(Object.values(partsOf(box)));
    const boxAmount = roundedIn(box, amount);
    valueById.set(id, boxAmount);
    return boxAmount;
  };
  return { form, inBox, value, partsOf };
}

/** The values of the boxes of a form. */
export const valuesOf = (form: ReturnForm, request: TaxReturnRequest) =>
  evaluateForm(form, request).value;

/** A part of a box's amount, and its source. */
export interface BoxPart {
  readonly from: "document" | "box" | "share" | "ledger" | "entered" | "rounding" | "floor";
  /** The document of the part, or the other box. */
  readonly document?: TaxedDocument;
  readonly box?: string;
  /** For a share: the whole amount, and the fraction. */
  readonly whole?: Cents;
  readonly share?: NonNullable<Formula["share"]>;
  readonly amount: Cents;
}

/**
 * The parts of a box, without zeros: document amounts, other boxes, entered amounts. Cents dropped
 * by the form are one part, and so is the difference between a share of a sum and the sum of
 * rounded shares of its documents.
 */
export function boxParts(
  usual: ReturnForm,
  request: TaxReturnRequest,
  documents: readonly TaxedDocument[],
  box: Box,
): BoxPart[] {
  const { form, inBox, value, partsOf } = evaluateForm(usual, request);
  const shares = documents.flatMap((document) =>
    sharesOf(form, document)
      .filter(([id, amount]) => id === box.id && amount !== 0)
      .map(([, amount]): BoxPart => ({ from: "document", document, amount })),
  );
  const { formula, ledger, entered } = partsOf(box);
  const exact = sum([inBox(box.id), formula, ledger, entered]);
  const ofShares = add(inBox(box.id), negated(sum(shares.map(({ amount }) => amount))));
  const otherParts: BoxPart[] = [
    ...(box.formula === undefined ? [] : formulaParts(box.formula, value)),
    { from: "ledger", amount: ledger },
    { from: "entered", amount: entered },
    { from: "rounding", amount: ofShares },
    { from: "rounding", amount: add(roundedIn(box, exact), negated(exact)) },
  ];
  return [...shares, ...otherParts].filter(({ amount }) => amount !== 0);
}

function formulaParts(formula: Formula, value: (id: string) => Cents): BoxPart[] {
  const { of, share } = formula;
  const plainParts = of.map(
    ([sign, box]): BoxPart => ({
      from: "box",
      box,
      amount: sign === 1 ? value(box) : negated(value(box)),
    }),
  );
  const whole = sum(plainParts.map(({ amount }) => amount));
  const amount = evaluate(formula, value);
  if (share !== undefined) {
    return [{ from: "share", box: of.map(([, id]) => id).join(", "), whole, share, amount }];
  }
  if (amount === whole) return plainParts;
  if (formula.floor !== undefined)
    return [...plainParts, { from: "floor", amount: negated(whole) }];
  // When the sign is dropped, the parts of a negative sum are inverted.
  return plainParts.map((boxPart) => ({ ...boxPart, amount: negated(boxPart.amount) }));
}

/**
 * Fills in a form.
 *
 * @throws RefusedError `Simpler` when the turnover is too large for the short form
 */
export function fillReturn(usual: ReturnForm, request: TaxReturnRequest): TaxReturn {
  const { range, sums, shortFor, currency } = request;
  const { shortForm: short } = usual;
  if (shortFor !== undefined && short !== undefined && shortFor >= short.below) {
    throw new RefusedError(
      "Simpler",
      `${short.name} is for a turnover below ${amountText(short.below, currency)}; ` +
        `it was ${amountText(shortFor, currency)} in the year to ${range.to}.`,
    );
  }
  const { form, inBox, value } = evaluateForm(usual, request);
  const shownBoxes = form.boxes.filter(({ isLong }) => shortFor === undefined || !isLong);
  const lines: ReturnLine[] = [
    ...form.headLines(request),
    ...shownBoxes.map(({ id, description }): ReturnLine => [id, description, value(id)]),
    ...(form.extraLines?.(sums, inBox) ?? []),
    ...remarkLines(form, sums),
  ];
  return {
    attributes: [
      { Name: "fromDate", Description: "First day of the return", Value: range.from },
      { Name: "dateTo", Description: "Last day of the return", Value: range.to },
    ],
    fields: lines.map(([FieldID, Description, line]) => ({
      FieldID,
      Description,
      Value: typeof line === "string" ? line : moneyValue(line),
    })),
  };
}

/** The postings of a tax type by one document. */
export interface TaxedDocument extends TaxedSum {
  readonly date: string;
  readonly documentId: string | undefined;
  /** SourceType of the journal. */
  readonly sourceType: string;
  readonly number: string;
  /** Name of the contact, or the narration of a manual journal. */
  readonly contact: string;
  /** Tax number of the contact. */
  readonly taxNumber?: string | undefined;
}

/** Columns of the documents behind boxes; source and rate give way on a narrow terminal. */
const detailHeadings: readonly ColumnHeading[] = [
  "Date",
  ["detail-source", "Source"],
  "Number",
  "Contact",
  ["detail-rate", "Tax rate"],
  "Net",
  "Tax",
  "Amount",
];

/**
 * The documents behind each box: a section for each box, which ends with its value. Cents dropped
 * by the form, and rounding differences between a share of a sum and the sum of shares, get a row.
 */
export function detailRows(
  usual: ReturnForm,
  request: TaxReturnRequest,
  documents: readonly TaxedDocument[],
): ReportRow[] {
  const { form, value, partsOf } = evaluateForm(usual, request);
  const sharesByBox = Map.groupBy(
    documents.flatMap((document) =>
      sharesOf(form, document).map(([box, amount]) => ({ box, each: document, amount })),
    ),
    ({ box }) => box,
  );
  const shownBoxes = form.boxes.filter(({ isLong }) => request.shortFor === undefined || !isLong);
  return [
    headerRow(detailHeadings),
    ...shownBoxes.map((box) => {
      const entries = (sharesByBox.get(box.id) ?? []).filter(({ amount }) => amount !== 0);
      const { formula, ledger, entered } = partsOf(box);
      const otherRows: [string, Cents][] = [
        ["Other boxes", formula],
        ["Profit and loss", ledger],
        ["Entered", entered],
      ];
      const explainedSum = sum([...entries.map(({ amount }) => amount), formula, ledger, entered]);
      otherRows.push([
        box.rounding === "cut" ? "Cents left out" : "Rounding",
        add(value(box.id), negated(explainedSum)),
      ]);
      const label = (type: "Row" | "SummaryRow", text: string, amount: Cents) =>
        of("box", box.id, textRow(type, [text, "", "", "", "", "", "", moneyValue(amount)]));
      return sectionRow(`${box.id} ${box.description}`, [
        ...entries.map(({ each, amount }) => {
          const { date, sourceType, number, contact, name, net, tax, documentId } = each;
          const isSale = treatmentOf(form, each)?.side === "sales";
          const amounts = [...(isSale ? [negated(net), negated(tax)] : [net, tax]), amount];
          const source = sourceWords[sourceType] ?? sourceType;
          const values = [date, source, number, contact, name, ...amounts.map(moneyValue)];
          return of("documentID", documentId, textRow("Row", values));
        }),
        ...otherRows
          .filter(([, amount]) => amount !== 0)
          .map(([text, amount]) => label("Row", text, amount)),
        label("SummaryRow", `Box ${box.id}`, value(box.id)),
      ]);
    }),
  ];
}

/**
 * Adds an attribute that identifies a record to the row's first cell; unchanged without a value.
 */
function of(Id: string, Value: string | undefined, row: ReportRow): ReportRow {
  const [first, ...others] = row.Cells ?? [];
  if (first === undefined || Value === undefined) return row;
  return { ...row, Cells: [{ ...first, Attributes: [{ Value, Id }] }, ...others] };
}

/** Formula: a sum of boxes. */
export const sumOf = (...ids: readonly string[]): Formula => ({
  of: ids.map((id) => [1, id] as const),
});

/** Formula: one box less another. */
export const difference = (a: string, b: string): Formula => ({
  of: [
    [1, a],
    [-1, b],
  ],
});

/** Formula: a share of a box, factor ÷ divisor. */
export const shareOf = (id: string, factor: number, divisor: number): Formula => ({
  ...sumOf(id),
  share: [factor, divisor],
});

/** The head lines of most forms: registration number, basis and days. */
export const usualHead =
  (numberLabel: string, cashLabel: string, accrualLabel: string): ReturnForm["headLines"] =>
  ({ registration, basis, range }) => [
    ["Number", numberLabel, registration],
    ["Basis", "Accounting basis", basis === "cash" ? cashLabel : accrualLabel],
    ["Period", "Period", `${mediumDate(range.from)} to ${mediumDate(range.to)}`],
  ];
