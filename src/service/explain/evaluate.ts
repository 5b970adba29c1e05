/**
 * Evaluates explanations of figures.
 *
 * A figure is broken down into postings or documents. A sum of other figures is broken down through
 * every subtotal to the lowest figures, each of which can be explained in turn; with `all` they
 * are, in the same answer. The parts add up to the figure; a remainder, which an intact book never
 * has, is shown as a difference.
 */
import type { Unit } from "../../ledger/figures/expression.ts";
import { multiplyDivide } from "../../resources/decimal.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import type { ReportContext } from "../reports/report-context.ts";
import {
  type DetailLevel,
  type FigureOrigin,
  type FigureSource,
  type LedgerSlice,
  type Quotient,
  type QuotientOperand,
  type Sign,
  type SumPart,
  signedParts,
} from "./origin.ts";
import { listedMax, partsOfSlice, tellableMax } from "./posting-parts.ts";
import { amountAt, type CellRef, valueAt } from "./report-figures.ts";

/** Returns the origin of a report cell's figure; undefined for one without a rule. */
export type Origins = (cell: CellRef) => FigureOrigin | undefined;

/** Returns the label of a report figure as a part of another figure. */
export type NameOf = (cell: CellRef) => string;

/** A figure with its parts. */
export interface ExplainedFigure {
  readonly rule: RuleName;
  readonly unit: Unit;
  /** Value at the scale of the unit; a quotient's at the scale of its digits. */
  readonly value: number;
  readonly parts: readonly SumPart[];
  /** The figure less the sum of its parts. */
  readonly difference: number;
  readonly quotient?: Division | undefined;
}

/** The worked-out division of a quotient. */
export interface Division {
  readonly of: Quotient;
  readonly dividend: number;
  readonly divisor: number;
}

/** A figure that is not broken down further, unless all detail is requested. */
interface Leaf {
  /** Heading of the group of its parts; `own` where the parts stand alone. */
  readonly group: string;
  readonly readPart: () => Promise<SumPart | undefined>;
  readonly expand: (detail: DetailLevel) => Promise<readonly SumPart[]>;
}

export class Evaluation {
  readonly #reading: ReportContext;
  readonly #detail: DetailLevel;
  readonly #origins: Origins;
  readonly #nameOf: NameOf;

  constructor(
    context: ReportContext,
    detail: DetailLevel,
    origins: Origins = () => undefined,
    nameOf: NameOf = ({ row }) => row.label,
  ) {
    this.#reading = context;
    this.#detail = { ...detail, room: { parts: tellableMax } };
    this.#origins = origins;
    this.#nameOf = nameOf;
  }

  /** Explains a figure. @param value  the figure as shown, at its scale */
  async explain(origin: FigureOrigin, value: number): Promise<ExplainedFigure> {
    const { rule, unit = "money", quotient } = origin;
    if (quotient !== undefined) return this.#divided(rule, quotient, value);
    const parts = await this.#partsOf(origin);
    return { rule, unit, value, parts, difference: value - total(parts) };
  }

  async #divided(rule: RuleName, of: Quotient, value: number): Promise<ExplainedFigure> {
    const [dividend, divisor] = [await this.#operand(of.dividend), await this.#operand(of.divisor)];
    const [above, below] = [dividend.amount, divisor.amount];
    const sign = below < 0 ? -1 : 1;
    const result = below === 0 ? 0 : multiplyDivide(above, of.scale * sign, Math.abs(below));
    const parts = [
      ...dividend.parts.map((sumPart) => ({ ...sumPart, group: of.dividend.label })),
      ...divisor.parts.map((sumPart) => ({ ...sumPart, group: of.divisor.label })),
    ];
    return {
      rule,
      unit: of.dividend.unit ?? "money",
      value,
      parts,
      difference: value - result,
      quotient: { of, dividend: above, divisor: below },
    };
  }

  /** @returns the parts of an operand, and its total with factor and sign applied */
  async #operand({ sources, times = 1, unsigned, unit }: QuotientOperand) {
    const parts = await this.#partsOf({ rule: "Sum", unit, sources }, false);
    const sum = total(parts) * times;
    return { parts, amount: unsigned ? Math.abs(sum) : sum };
  }

  /**
   * @param isOneTold  whether a figure made of a single other figure or account shows the parts of
   *   that
   */
  async #partsOf(origin: FigureOrigin, isOneTold = true): Promise<readonly SumPart[]> {
    const deep = await this.#leavesOf(origin, 1, undefined);
    // Beyond what a person reads, the direct operands of the figure are shown instead.
    const isLong = !this.#detail.all && deep.length > listedMax;
    const leaves = isLong ? this.#directLeaves(origin, deep) : deep;
    const pairs: { readonly leaf: Leaf; readonly part: SumPart | undefined }[] = [];
    for (const leaf of leaves) {
      const part = leaf.group === own || this.#detail.all ? undefined : await leaf.readPart();
      if (leaf.group === own || this.#detail.all || part !== undefined) pairs.push({ leaf, part });
    }
    const otherPairs = pairs.filter(({ leaf }) => leaf.group !== own);
    const isExpanded = this.#detail.all || (isOneTold && otherPairs.length === 1);
    const parts: SumPart[] = [];
    for (const { leaf, part } of pairs) {
      if (part !== undefined && !isExpanded) {
        parts.push(part);
        continue;
      }
      const group = otherPairs.length > 1 && leaf.group !== own ? { group: leaf.group } : {};
      for (const sumPart of await leaf.expand(this.#detail)) parts.push({ ...sumPart, ...group });
    }
    return parts;
  }

  /** Returns a leaf for each direct operand of a sum, with subtotals; `deep` without operands. */
  #directLeaves({ sources }: FigureOrigin, deep: readonly Leaf[]): readonly Leaf[] {
    if (!sources.some(({ kind }) => kind === "figures")) return deep;
    return sources.flatMap((source) => {
      if (source.kind === "parts") return [this.#leafOfParts(source, 1)];
      if (source.kind === "figures") {
        return source.of.map(([sign, place]) => this.#leafAt(place, sign));
      }
      return source.slices.map((slice) => this.#leafOfSlice(slice, source.sign, undefined));
    });
  }

  /** @param group  heading of figures that are not listed singly */
  async #leavesOf(origin: FigureOrigin, sign: Sign, group: string | undefined): Promise<Leaf[]> {
    const leaves: Leaf[] = [];
    for (const source of origin.sources) {
      if (source.kind === "figures") {
        for (const [turned, place] of source.of) {
          leaves.push(...(await this.#leavesAt(place, (sign * turned) as Sign)));
        }
      } else if (source.kind === "ledger") {
        const signed = (sign * source.sign) as Sign;
        leaves.push(...source.slices.map((slice) => this.#leafOfSlice(slice, signed, group)));
      } else leaves.push(this.#leafOfParts(source, sign));
    }
    return leaves;
  }

  async #leavesAt(cell: CellRef, sign: Sign): Promise<Leaf[]> {
    // Of a debit and a credit column, one cell is empty.
    if (valueAt(cell) === "") return [];
    const origin = this.#origins(cell);
    const isSubtotal =
      origin !== undefined &&
      origin.quotient === undefined &&
      origin.sources.every(({ kind }) => kind === "figures");
    return isSubtotal ? this.#leavesOf(origin, sign, undefined) : [this.#leafAt(cell, sign)];
  }

  #leafAt(cell: CellRef, sign: Sign): Leaf {
    const origin = this.#origins(cell);
    const amount = amountAt(cell);
    const { row } = cell;
    const name = this.#nameOf(cell);
    return {
      group: name,
      readPart: async () =>
        amount === 0
          ? undefined
          : {
              group: row.section === "" ? undefined : row.section,
              label: name,
              amount: sign * amount,
              attributes: row.cells[cell.column]?.Attributes ?? row.cells[0]?.Attributes,
            },
      expand: async (detail) => {
        if (origin === undefined || origin.quotient !== undefined) return [];
        const innerLeaves = await this.#leavesOf(origin, sign, name);
        return (await Promise.all(innerLeaves.map(({ expand }) => expand(detail)))).flat();
      },
    };
  }

  #leafOfSlice(slice: LedgerSlice, sign: Sign, outerGroup: string | undefined): Leaf {
    const { account } = slice;
    const group = account.Code === undefined ? account.Name : `${account.Name} (${account.Code})`;
    const expand = async (detail: DetailLevel) =>
      signedParts(sign, await partsOfSlice(this.#reading, slice, detail));
    return {
      group: outerGroup ?? group,
      readPart: async () => {
        const amount = total(await expand({ all: false }));
        if (amount === 0) return undefined;
        const attributes = [{ Value: account.AccountID, Id: "account" }];
        return { label: account.Name, number: account.Code, amount, attributes };
      },
      expand,
    };
  }

  #leafOfParts(source: Extract<FigureSource, { kind: "parts" }>, sign: Sign): Leaf {
    return {
      group: own,
      readPart: async () => undefined,
      expand: async (detail) => signedParts(sign, await source.load(detail)),
    };
  }
}

/** The group of parts that stand alone. */
const own = "";

const total = (parts: readonly SumPart[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);
