/**
 * The origin of a figure: the rule of its calculation, before any data is read.
 *
 * An origin is a sum of sources (other figures, postings of an account, or parts such as
 * documents), or a quotient of two such sums. All sources of a sum have the same scale.
 */
import type { SumPart } from "../../ledger/figures/counted.ts";
import type { Carries, Unit } from "../../ledger/figures/expression.ts";
import type { Account } from "../../resources/account.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import type { CellRef } from "./report-figures.ts";

export { documentAttributes, type SumPart } from "../../ledger/figures/counted.ts";

export type Sign = 1 | -1;

/** Level of detail of an explanation. */
export interface DetailLevel {
  /** Whether to go down to postings and documents, as long as the answer has room. */
  readonly all: boolean;
  /** Number of further parts that the answer may list; listing decrements it. */
  readonly room?: { parts: number };
}

/** The postings of an account in a period. */
export interface LedgerSlice {
  readonly account: Account;
  /** First day; the beginning of the book if omitted. */
  readonly from?: string | undefined;
  /** First day of which postings are listed; the earlier ones are brought forward as a balance. */
  readonly since?: string | undefined;
  readonly to: string;
  readonly basis: "accrual" | "cash";
  /** Debits less credits if omitted; exchange gains count only in that default. */
  readonly measure?: "debit" | "credit" | "foreign" | undefined;
  readonly carries?: Carries | undefined;
  /** Whether transfers between bank accounts are included; true if omitted. */
  readonly transfers?: boolean | undefined;
}

export type FigureSource =
  | { readonly kind: "figures"; readonly of: readonly (readonly [sign: Sign, place: CellRef])[] }
  | { readonly kind: "ledger"; readonly slices: readonly LedgerSlice[]; readonly sign: Sign }
  | {
      readonly kind: "parts";
      readonly load: (detail: DetailLevel) => Promise<readonly SumPart[]> | readonly SumPart[];
    };

/** Dividend or divisor: a sum with a factor. */
export interface QuotientOperand {
  readonly label: string;
  readonly sources: readonly FigureSource[];
  /** Factor of the sum, such as the days of a month. */
  readonly times?: number | undefined;
  /** Whether the absolute value is used. */
  readonly unsigned?: true | undefined;
  /** Unit of the sum; money if omitted. */
  readonly unit?: Unit | undefined;
}

export interface Quotient {
  readonly dividend: QuotientOperand;
  readonly divisor: QuotientOperand;
  /** Scale of the result: quotient times scale is rounded to a whole number. */
  readonly scale: number;
  /** Number of decimals shown, and the suffix. */
  readonly digits: number;
  readonly suffix: "" | "%";
}

export interface FigureOrigin {
  readonly rule: RuleName;
  readonly unit?: Unit | undefined;
  readonly sources: readonly FigureSource[];
  readonly quotient?: Quotient | undefined;
}

/** Returns an origin that is the sum of sources by a rule. */
export const sum = (rule: RuleName, ...sources: readonly FigureSource[]): FigureOrigin => ({
  rule,
  sources,
});

export const plus = (...cells: readonly (CellRef | undefined)[]): FigureSource => ({
  kind: "figures",
  of: cells.flatMap((cell) => (cell === undefined ? [] : [[1, cell] as const])),
});

export const minus = (...cells: readonly (CellRef | undefined)[]): FigureSource => ({
  kind: "figures",
  of: cells.flatMap((cell) => (cell === undefined ? [] : [[-1, cell] as const])),
});

export const ledger = (sign: Sign, ...slices: readonly LedgerSlice[]): FigureSource => ({
  kind: "ledger",
  slices,
  sign,
});

export const parts = (
  load: (detail: DetailLevel) => Promise<readonly SumPart[]> | readonly SumPart[],
): FigureSource => ({ kind: "parts", load });

/** Returns a source of a single part; of no parts where its amount is zero. */
export const single = (sumPart: SumPart): FigureSource =>
  parts(() => (sumPart.amount === 0 ? [] : [sumPart]));

export const quotientOf = (rule: RuleName, quotient: Quotient): FigureOrigin => ({
  rule,
  sources: [],
  quotient,
});

/** Returns the parts, with turned signs where the figure subtracts them. */
export const signedParts = (sign: Sign, all: readonly SumPart[]): readonly SumPart[] =>
  sign === 1 ? all : all.map((each) => ({ ...each, amount: each.amount === 0 ? 0 : -each.amount }));
