/**
 * Tax returns. The form of a country is a table: which tax types stand in which box, and the boxes
 * in their order, with their formulas; one evaluator fills in the forms of all countries.
 */

import { amountText } from "../../../../resources/common.ts";
import { multiplyDivide } from "../../../../resources/decimal.ts";
import { RefusedError } from "../../../../resources/errors.ts";
import { sourceWords } from "../../../../resources/journal.ts";
import type { ReportAttribute, ReportField, Row } from "../../../../wire/report.ts";
import { type DateRange, mediumDate } from "../../../dates/calendar.ts";
import { add, type Cents, type Percent, percentOf, sum, zeroCents } from "../../../money.ts";
import { headerRow, negated, section, textRow } from "../../report-rows.ts";

/** Postings of one tax type to accounts of one class. */
export interface TaxedSum {
  readonly taxType: string;
  /** Of the rate. */
  readonly name: string;
  /** Absent where rates are not told apart so: OUTPUT, INPUT, EXEMPTOUTPUT, …. */
  readonly reportTaxType: string | undefined;
  /** In percent × 10⁴. */
  readonly rate: Percent;
  /** Rate that is shown; that of a reverse charge is not charged on the document. */
  readonly displayRate: Percent;
  /** Tax of each component that is reclaimed, by name; together they are the tax. */
  readonly components: ReadonlyMap<string, Cents>;
  /** Of the accounts. */
  readonly accountClass: string | undefined;
  /** What the journals say they come from where that is a sales invoice or a sales credit note. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | undefined;
  /** Of the documents and bank transactions, where these are told apart; undefined of journals. */
  readonly side: "sales" | "purchases" | undefined;
  /** The tax is not what the rate makes of the net: it was entered. */
  readonly isEntered: boolean;
  /** What was entered is less than that. */
  readonly isLess: boolean;
  /** It is dated into a return that was published before it was posted. */
  readonly isLate: boolean;
  /** Without any tax, debit positive. */
  readonly net: Cents;
  /** Tax that is a cost, as it is on the accounts of the lines; debit positive. */
  readonly notReclaimed: Cents;
  /** On the tax account; debit positive. */
  readonly tax: Cents;
}

/** Figure of the profit and loss that a form asks for; the exchange gain is the realised one, unsigned. */
export type LedgerFigure = "revenue" | "exchangeGain";

export interface TaxReturnRequest {
  /** Number that the organisation is registered under. */
  readonly registration: string;
  /** `cash` counts what is paid, `accrual` what is invoiced. */
  readonly basis: "cash" | "accrual";
  readonly range: DateRange;
  readonly sums: readonly TaxedSum[];
  readonly ledger: Readonly<Record<LedgerFigure, Cents>>;
  /** What the ledger cannot know, by FieldID, in whole cents. */
  readonly entered: ReadonlyMap<string, Cents>;
  /** Sold without tax in the year to the end of the range; given where the short form is asked for. */
  readonly shortFor?: Cents | undefined;
}

export interface TaxReturn {
  readonly attributes: readonly ReportAttribute[];
  readonly fields: readonly ReportField[];
}

// --- forms ------------------------------------------------------------------------------------

/** Share of a sum in a box, debit positive. */
export type BoxShare = (each: TaxedSum) => Cents;

export const netOf: BoxShare = ({ net }) => net;
export const taxOf: BoxShare = ({ tax }) => tax;
export const grossOf = ({
  net,
  tax,
  notReclaimed,
}: Pick<TaxedSum, "net" | "tax" | "notReclaimed">): Cents => sum([net, tax, notReclaimed]);
/** Tax of a reverse charge, which the buyer owes and reclaims. */
export const reverseTaxOf: BoxShare = ({ net, rate, displayRate }) =>
  rate === 0 ? percentOf(net, displayRate) : zeroCents;

/** Where postings of a tax type are reported. */
export interface Treatment {
  /** Sales are credits, and stand in their boxes as positive amounts. */
  readonly side: "sales" | "purchases";
  /** By FieldID; none for what is left out on purpose. */
  readonly boxes: Readonly<Record<string, BoxShare>>;
  /** Of a reverse charge: the tax that the buyer owes in place of the supplier. */
  readonly reverse?: BoxShare;
  /** Counted when it is invoiced, on the cash basis too. */
  readonly onInvoice?: true;
}

/**
 * The treatments of a form by key: `INPUT`. One that holds for some accounts or documents alone names
 * them: `INPUT EXPENSE`, `INPUT EXPENSE ACCREC`.
 */
export type Treatments = Readonly<Record<string, Treatment>>;

/** A sum of other boxes; a share of it, rounded once, where the form says so. */
export interface Formula {
  readonly of: readonly (readonly [sign: 1 | -1, box: string])[];
  /** Three twenty-thirds: 3 and 23. */
  readonly share?: readonly [factor: number, divisor: number];
  /** What it comes to without its sign. */
  readonly isUnsigned?: true;
}

/** What a formula comes to. @param box  the value of another box */
export function evaluate({ of, share, isUnsigned }: Formula, box: (id: string) => Cents): Cents {
  const whole = sum(of.map(([sign, id]) => (sign === 1 ? box(id) : negated(box(id)))));
  const part = share === undefined ? whole : (multiplyDivide(whole, ...share) as Cents);
  return isUnsigned ? (Math.abs(part) as Cents) : part;
}

export interface Box {
  readonly id: string;
  readonly description: string;
  /** Of other boxes; added to what the treatments put into the box. */
  readonly formula?: Formula;
  /** Figure of the profit and loss that is added. */
  readonly ledger?: LedgerFigure;
  /** Takes what the ledger cannot know, on top of what it does. */
  readonly entered?: true;
  /** Without cents. */
  readonly isWhole?: true;
  /** Left out of the short form. */
  readonly isLong?: true;
}

/** A line of a return beside its boxes. */
export type ReturnLine = readonly [id: string, description: string, value: string | Cents];

export interface ReturnForm {
  /** The tax, as a sentence names it. */
  readonly tax: string;
  /** Who published the form, and under which name. */
  readonly source: string;
  /** The boxes with the tax on sales, and with what of the tax on purchases is reclaimed. */
  readonly declared: { readonly collected: string; readonly paid: string };
  /** Lines above the boxes. */
  readonly head: (request: TaxReturnRequest) => readonly ReturnLine[];
  readonly treatments: Treatments;
  /** Key of a sum among the treatments; how the rate is reported, else its tax type, when absent. */
  readonly keyOf?: (each: TaxedSum) => string;
  readonly boxes: readonly Box[];
  /** Lines below the boxes. */
  readonly beside?: (
    sums: readonly TaxedSum[],
    inBox: (box: string) => Cents,
  ) => readonly ReturnLine[];
  /** The form for small businesses. */
  readonly short?: {
    readonly name: string;
    /** From this turnover of a year on the whole form is filled in. */
    readonly below: Cents;
    readonly turnover: BoxShare;
  };
}

/** Boxes that take what the ledger cannot know. */
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

/** Whether a sum is of sales: by its treatment, else by its account. */
export function isSold(form: Mapping, each: TaxedSum): boolean {
  const side = treatmentOf(form, each)?.side;
  return side === undefined ? each.accountClass === "REVENUE" : side === "sales";
}

/** Share of a sum in each box. */
export function sharesOf(form: Mapping, each: TaxedSum): [box: string, amount: Cents][] {
  const { side, boxes = {} } = treatmentOf(form, each) ?? {};
  return Object.entries(boxes).map(([box, figure]) => {
    const amount = figure(each);
    return [box, side === "sales" ? negated(amount) : amount];
  });
}

/** What the treatments put into each box, by its FieldID; zero where nothing is reported. */
export function boxed(form: Mapping, sums: readonly TaxedSum[]): (box: string) => Cents {
  const boxes = new Map<string, Cents>();
  for (const [box, amount] of sums.flatMap((each) => sharesOf(form, each))) {
    boxes.set(box, add(boxes.get(box) ?? zeroCents, amount));
  }
  return (box) => boxes.get(box) ?? zeroCents;
}

/**
 * Remarks beside the boxes, of each tax type: what is in them, but dated into returns that were
 * published before; and what is in none of them, since the form has no place for its tax type.
 */
export function remarks(form: Mapping, sums: readonly TaxedSum[]): ReturnLine[] {
  const told = (sums: readonly TaxedSum[], id: string, description: string) =>
    [...Map.groupBy(sums, ({ taxType }) => taxType)].flatMap(([taxType, ofType]) =>
      (["net", "tax"] as const).map((what): ReturnLine => {
        const amounts = ofType.map((each) =>
          isSold(form, each) ? negated(each[what]) : each[what],
        );
        return [
          `${id} ${what} ${taxType}`,
          `${description}: ${what} at ${ofType[0]?.name}`,
          sum(amounts),
        ];
      }),
    );
  const isUnmapped = (each: TaxedSum) => treatmentOf(form, each) === undefined;
  const isReported = (each: TaxedSum) =>
    Object.keys(treatmentOf(form, each)?.boxes ?? {}).length > 0;
  return [
    ...told(
      sums.filter((each) => each.isLate && isReported(each)),
      "Late",
      "Included, dated into earlier returns",
    ),
    ...told(sums.filter(isUnmapped), "Unmapped", "In no box"),
  ];
}

/** Without the cents, whichever sign. */
const wholePart = (amount: Cents): Cents => ((Math.trunc(amount / 100) || 0) * 100) as Cents;

/** Amount of a box, by where it comes from. */
interface BoxAmounts {
  readonly books: Cents;
  /** Of other boxes. */
  readonly formula: Cents;
  readonly ledger: Cents;
  readonly entered: Cents;
}

function evaluated(form: ReturnForm, { sums, entered, ledger }: TaxReturnRequest) {
  const inBox = boxed(form, sums);
  const boxes = new Map(form.boxes.map((each) => [each.id, each]));
  const values = new Map<string, Cents>();
  const partsOf = ({ id, formula, ledger: figure, entered: takes }: Box): BoxAmounts => ({
    books: inBox(id),
    formula: formula === undefined ? zeroCents : evaluate(formula, value),
    ledger: figure === undefined ? zeroCents : ledger[figure],
    entered: takes ? (entered.get(id) ?? zeroCents) : zeroCents,
  });
  const value = (id: string): Cents => {
    const known = values.get(id);
    if (known !== undefined) return known;
    const box = boxes.get(id);
    if (box === undefined) throw new Error(`The form has no box ${id}.`);
    const amount = sum(Object.values(partsOf(box)));
    const told = box.isWhole ? wholePart(amount) : amount;
    values.set(id, told);
    return told;
  };
  return { inBox, value, partsOf };
}

/** The values of the boxes of a form. */
export const valuesOf = (form: ReturnForm, request: TaxReturnRequest) =>
  evaluated(form, request).value;

/** A part of what stands in a box, and what it is of. */
export interface BoxPart {
  readonly from: "document" | "box" | "share" | "ledger" | "entered" | "rounding";
  /** Of a document; the other box. */
  readonly document?: TaxedDocument;
  readonly box?: string;
  /** Of a share: what it is a share of, and which. */
  readonly whole?: Cents;
  readonly share?: NonNullable<Formula["share"]>;
  readonly amount: Cents;
}

/**
 * What a box is made of, parts of zero left out: shares of documents, other boxes, what was entered.
 * Cents that the form leaves out are one part, and so is that by which a share of a sum differs from
 * the sum of the shares of its documents, each rounded.
 */
export function boxParts(
  form: ReturnForm,
  request: TaxReturnRequest,
  documents: readonly TaxedDocument[],
  box: Box,
): BoxPart[] {
  const { inBox, value, partsOf } = evaluated(form, request);
  const shares = documents.flatMap((document) =>
    sharesOf(form, document)
      .filter(([id, amount]) => id === box.id && amount !== 0)
      .map(([, amount]): BoxPart => ({ from: "document", document, amount })),
  );
  const { formula, ledger, entered } = partsOf(box);
  const exact = sum([inBox(box.id), formula, ledger, entered]);
  const ofShares = add(inBox(box.id), negated(sum(shares.map(({ amount }) => amount))));
  const others: BoxPart[] = [
    ...(box.formula === undefined ? [] : formulaParts(box.formula, value)),
    { from: "ledger", amount: ledger },
    { from: "entered", amount: entered },
    { from: "rounding", amount: ofShares },
    { from: "rounding", amount: box.isWhole ? add(wholePart(exact), negated(exact)) : zeroCents },
  ];
  return [...shares, ...others].filter(({ amount }) => amount !== 0);
}

function formulaParts(formula: Formula, value: (id: string) => Cents): BoxPart[] {
  const { of, share } = formula;
  const plain = of.map(
    ([sign, box]): BoxPart => ({
      from: "box",
      box,
      amount: sign === 1 ? value(box) : negated(value(box)),
    }),
  );
  const whole = sum(plain.map(({ amount }) => amount));
  const amount = evaluate(formula, value);
  if (share !== undefined) {
    return [{ from: "share", box: of.map(([, id]) => id).join(", "), whole, share, amount }];
  }
  // Without its sign, a sum below zero is that of its parts turned around.
  if (amount === whole) return plain;
  return plain.map((part) => ({ ...part, amount: negated(part.amount) }));
}

/**
 * Fills in a form.
 *
 * @throws RefusedError `Simpler` when the turnover is too large for the short form
 */
export function fillReturn(form: ReturnForm, request: TaxReturnRequest): TaxReturn {
  const { range, sums, shortFor } = request;
  const { short } = form;
  if (shortFor !== undefined && short !== undefined && shortFor >= short.below) {
    throw new RefusedError(
      "Simpler",
      `${short.name} is for a turnover below ${amountText(short.below, undefined)}; ` +
        `it was ${amountText(shortFor, undefined)} in the year to ${range.to}.`,
    );
  }
  const { inBox, value } = evaluated(form, request);
  const shown = form.boxes.filter(({ isLong }) => shortFor === undefined || !isLong);
  const lines: ReturnLine[] = [
    ...form.head(request),
    ...shown.map(({ id, description }): ReturnLine => [id, description, value(id)]),
    ...(form.beside?.(sums, inBox) ?? []),
    ...remarks(form, sums),
  ];
  return {
    attributes: [
      { Name: "fromDate", Description: "First day of the return", Value: range.from },
      { Name: "dateTo", Description: "Last day of the return", Value: range.to },
    ],
    fields: lines.map(([FieldID, Description, line]) => ({
      FieldID,
      Description,
      Value: typeof line === "string" ? line : amountText(line, undefined),
    })),
  };
}

/** Posting of a tax type by one document. */
export interface TaxedDocument extends TaxedSum {
  readonly date: string;
  readonly documentId: string | undefined;
  /** SourceType of the journal. */
  readonly sourceType: string;
  readonly number: string;
  /** Contact, or the narration of a manual journal. */
  readonly contact: string;
}

/**
 * The documents behind each box: a section for a box, which ends with its value. Cents that the form
 * leaves out, and those by which a sum of rounded shares differs from a share of the sum, are a row.
 */
export function detailRows(
  form: ReturnForm,
  request: TaxReturnRequest,
  documents: readonly TaxedDocument[],
): Row[] {
  const { value, partsOf } = evaluated(form, request);
  const shares = Map.groupBy(
    documents.flatMap((each) =>
      sharesOf(form, each).map(([box, amount]) => ({ box, each, amount })),
    ),
    ({ box }) => box,
  );
  const shown = form.boxes.filter(({ isLong }) => request.shortFor === undefined || !isLong);
  return [
    headerRow(["Date", "Source", "Number", "Contact", "Tax rate", "Net", "Tax", "Amount"]),
    ...shown.map((box) => {
      const found = (shares.get(box.id) ?? []).filter(({ amount }) => amount !== 0);
      const { formula, ledger, entered } = partsOf(box);
      const others: [string, Cents][] = [
        ["Other boxes", formula],
        ["Profit and loss", ledger],
        ["Entered", entered],
      ];
      const known = sum([...found.map(({ amount }) => amount), formula, ledger, entered]);
      others.push(["Rounding", add(value(box.id), negated(known))]);
      const label = (type: "Row" | "SummaryRow", text: string, amount: Cents) =>
        of(
          "box",
          box.id,
          textRow(type, [text, "", "", "", "", "", "", amountText(amount, undefined)]),
        );
      return section(`${box.id} ${box.description}`, [
        ...found.map(({ each, amount }) => {
          const { date, sourceType, number, contact, name, net, tax, documentId } = each;
          const isSale = treatmentOf(form, each)?.side === "sales";
          const amounts = [...(isSale ? [negated(net), negated(tax)] : [net, tax]), amount];
          const source = sourceWords[sourceType] ?? sourceType;
          const texts = [
            date,
            source,
            number,
            contact,
            name,
            ...amounts.map((each) => amountText(each, undefined)),
          ];
          return of("documentID", documentId, textRow("Row", texts));
        }),
        ...others
          .filter(([, amount]) => amount !== 0)
          .map(([text, amount]) => label("Row", text, amount)),
        label("SummaryRow", `Box ${box.id}`, value(box.id)),
      ]);
    }),
  ];
}

/** The row with an attribute on its first cell that identifies a record; unchanged without a value. */
function of(Id: string, Value: string | undefined, row: Row): Row {
  const [first, ...others] = row.Cells ?? [];
  if (first === undefined || Value === undefined) return row;
  return { ...row, Cells: [{ ...first, Attributes: [{ Value, Id }] }, ...others] };
}

/** Sum of boxes, for formulas. */
export const sumOf = (...ids: readonly string[]): Formula => ({
  of: ids.map((id) => [1, id] as const),
});

/** One box less another, for formulas. */
export const difference = (a: string, b: string): Formula => ({
  of: [
    [1, a],
    [-1, b],
  ],
});

/** A share of a box, for formulas: factor by divisor. */
export const shareOf = (id: string, factor: number, divisor: number): Formula => ({
  ...sumOf(id),
  share: [factor, divisor],
});

/** Head of most forms: the number of the registration, the basis and the days. */
export const plainHead =
  (number: string, cash: string, accrual: string): ReturnForm["head"] =>
  ({ registration, basis, range }) => [
    ["Number", number, registration],
    ["Basis", "Accounting basis", basis === "cash" ? cash : accrual],
    ["Period", "Period", `${mediumDate(range.from)} to ${mediumDate(range.to)}`],
  ];
