/**
 * Figures taken apart.
 *
 * A figure of postings or documents is told as these. One that is a sum of others is told as these,
 * through every subtotal, down to those that are sums of none; each of them can be explained in turn,
 * and with `all` they are, in the same answer. The parts add up to the figure; what they lack, which
 * no book that is whole lets happen, is told as a difference.
 */
import { scaleOfUnit, type Unit } from "../../ledger/figures/expression.ts";
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
import { listedMax, sliceParts, tellableMax } from "./posting-parts.ts";
import { type CellRef, textAt, valueAt } from "./report-figures.ts";

/** Where the figure of each cell of a report comes from; undefined for one that no rule makes. */
export type Origins = (place: CellRef) => FigureOrigin | undefined;

/** Label of a figure of a report as a part of another figure. */
export type NameOf = (place: CellRef) => string;

/** A figure with its parts. */
export interface Explained {
  readonly rule: RuleName;
  readonly unit: Unit;
  /** At the scale of the unit; of a quotient at the scale of its digits. */
  readonly value: number;
  readonly parts: readonly SumPart[];
  /** The figure less the sum of its parts. */
  readonly difference: number;
  readonly quotient?: Division | undefined;
}

/** A quotient that was worked out. */
export interface Division {
  readonly of: Quotient;
  readonly dividend: number;
  readonly divisor: number;
}

/** A figure that is not taken further, unless everything is told. */
interface Leaf {
  /** Heading of what it is taken apart to; `own` where its parts stand for themselves. */
  readonly group: string;
  readonly part: () => Promise<SumPart | undefined>;
  readonly expand: (detail: DetailLevel) => Promise<readonly SumPart[]>;
}

export class Evaluation {
  readonly #reading: ReportContext;
  readonly #detail: DetailLevel;
  readonly #origins: Origins;
  readonly #nameOf: NameOf;

  constructor(
    reading: ReportContext,
    detail: DetailLevel,
    origins: Origins = () => undefined,
    nameOf: NameOf = ({ row }) => row.label,
  ) {
    this.#reading = reading;
    this.#detail = { ...detail, room: { parts: tellableMax } };
    this.#origins = origins;
    this.#nameOf = nameOf;
  }

  /** @param value  the figure as it is shown, at its scale */
  async explain(origin: FigureOrigin, value: number): Promise<Explained> {
    const { rule, unit = "money", quotient } = origin;
    if (quotient !== undefined) return this.#divided(rule, quotient, value);
    const parts = await this.#partsOf(origin);
    return { rule, unit, value, parts, difference: value - total(parts) };
  }

  async #divided(rule: RuleName, of: Quotient, value: number): Promise<Explained> {
    const [dividend, divisor] = [await this.#operand(of.dividend), await this.#operand(of.divisor)];
    const [above, below] = [dividend.amount, divisor.amount];
    const sign = below < 0 ? -1 : 1;
    const result = below === 0 ? 0 : multiplyDivide(above, of.scale * sign, Math.abs(below));
    const parts = [
      ...dividend.parts.map((part) => ({ ...part, group: of.dividend.label })),
      ...divisor.parts.map((part) => ({ ...part, group: of.divisor.label })),
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

  /** @returns its parts, and what they come to once its factor and sign are minded */
  async #operand({ sources, times = 1, unsigned, unit }: QuotientOperand) {
    const parts = await this.#partsOf({ rule: "Sum", unit, sources }, false);
    const sum = total(parts) * times;
    return { parts, amount: unsigned ? Math.abs(sum) : sum };
  }

  /** @param tellsOne  whether a figure that is only one other, or of one account, is told by its parts */
  async #partsOf(origin: FigureOrigin, tellsOne = true): Promise<readonly SumPart[]> {
    const deep = await this.#leavesOf(origin, 1, undefined);
    // More lines than a person reads are told as the figures that the figure is made of itself.
    const isLong = !this.#detail.all && deep.length > listedMax;
    const leaves = isLong ? this.#directLeaves(origin, deep) : deep;
    const told: { readonly leaf: Leaf; readonly part: SumPart | undefined }[] = [];
    for (const leaf of leaves) {
      const part = leaf.group === own || this.#detail.all ? undefined : await leaf.part();
      if (leaf.group === own || this.#detail.all || part !== undefined) told.push({ leaf, part });
    }
    const others = told.filter(({ leaf }) => leaf.group !== own);
    const isTold = this.#detail.all || (tellsOne && others.length === 1);
    const parts: SumPart[] = [];
    for (const { leaf, part } of told) {
      if (part !== undefined && !isTold) {
        parts.push(part);
        continue;
      }
      const group = others.length > 1 && leaf.group !== own ? { group: leaf.group } : {};
      for (const each of await leaf.expand(this.#detail)) parts.push({ ...each, ...group });
    }
    return parts;
  }

  /** A leaf for each figure that a sum names, subtotals as they are; `deep` where it names none. */
  #directLeaves({ sources, unit }: FigureOrigin, deep: readonly Leaf[]): readonly Leaf[] {
    if (!sources.some(({ kind }) => kind === "figures")) return deep;
    return sources.flatMap((source) => {
      if (source.kind === "parts") return [this.#leafOfParts(source, 1)];
      if (source.kind === "figures") {
        return source.of.map(([sign, place]) => this.#leafAt(place, sign, unit));
      }
      return source.slices.map((slice) => this.#leafOfSlice(slice, source.sign, undefined));
    });
  }

  /** @param group  heading of figures that are not told one by one */
  async #leavesOf(origin: FigureOrigin, sign: Sign, within: string | undefined): Promise<Leaf[]> {
    const leaves: Leaf[] = [];
    for (const source of origin.sources) {
      if (source.kind === "figures") {
        for (const [turned, place] of source.of) {
          leaves.push(...(await this.#leavesAt(place, (sign * turned) as Sign, origin.unit)));
        }
      } else if (source.kind === "ledger") {
        const turned = (sign * source.sign) as Sign;
        leaves.push(...source.slices.map((slice) => this.#leafOfSlice(slice, turned, within)));
      } else leaves.push(this.#leafOfParts(source, sign));
    }
    return leaves;
  }

  async #leavesAt(place: CellRef, sign: Sign, unit: Unit = "money"): Promise<Leaf[]> {
    // Of a debit and a credit beside each other one is empty.
    if (textAt(place) === "") return [];
    const origin = this.#origins(place);
    const isSubtotal =
      origin !== undefined &&
      origin.quotient === undefined &&
      origin.sources.every(({ kind }) => kind === "figures");
    return isSubtotal ? this.#leavesOf(origin, sign, undefined) : [this.#leafAt(place, sign, unit)];
  }

  #leafAt(place: CellRef, sign: Sign, unit: Unit = "money"): Leaf {
    const origin = this.#origins(place);
    const amount = textAt(place) === "" ? 0 : valueAt(place, scaleOfUnit[unit]);
    const { row } = place;
    const name = this.#nameOf(place);
    return {
      group: name,
      part: async () =>
        amount === 0
          ? undefined
          : {
              group: row.section === "" ? undefined : row.section,
              label: name,
              amount: sign * amount,
              attributes: row.cells[place.column]?.Attributes ?? row.cells[0]?.Attributes,
            },
      expand: async (detail) => {
        if (origin === undefined || origin.quotient !== undefined) return [];
        const inner = await this.#leavesOf(origin, sign, name);
        return (await Promise.all(inner.map(({ expand }) => expand(detail)))).flat();
      },
    };
  }

  #leafOfSlice(slice: LedgerSlice, sign: Sign, within: string | undefined): Leaf {
    const { account } = slice;
    const group = account.Code === undefined ? account.Name : `${account.Name} (${account.Code})`;
    const expand = async (detail: DetailLevel) =>
      signedParts(sign, await sliceParts(this.#reading, slice, detail));
    return {
      group: within ?? group,
      part: async () => {
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
      part: async () => undefined,
      expand: async (detail) => signedParts(sign, await source.load(detail)),
    };
  }
}

/** The group of parts that stand for themselves. */
const own = "";

const total = (parts: readonly SumPart[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);
