/**
 * Where a figure comes from, before anything of it is read.
 *
 * An origin is a sum of sources: other figures, postings of an account, or parts of its own, such as
 * documents; or it is a quotient of two such sums. What is summed is counted at one scale.
 */
import type { SumPart } from "../../ledger/figures/counted.ts";
import type { Carries, Unit } from "../../ledger/figures/expression.ts";
import type { Account } from "../../resources/account.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import type { CellRef } from "./report-figures.ts";

export { documentAttributes, type SumPart } from "../../ledger/figures/counted.ts";

export type Sign = 1 | -1;

/** How much is told. */
export interface DetailLevel {
  /** Down to postings and documents, as long as there is room for them. */
  readonly all: boolean;
  /** How many more parts the answer takes one by one; what takes them counts it down. */
  readonly room?: { parts: number };
}

/** Postings of one account over some days. */
export interface LedgerSlice {
  readonly account: Account;
  /** From the beginning of the book when not given. */
  readonly from?: string | undefined;
  /** First day of which postings are told one by one; what was before is brought forward. */
  readonly since?: string | undefined;
  readonly to: string;
  readonly basis: "accrual" | "cash";
  /** Debits less credits when not given; gains of rates belong to these alone. */
  readonly measure?: "debit" | "credit" | "foreign" | undefined;
  readonly carries?: Carries | undefined;
  /** False where transfers between bank accounts are not among the postings. */
  readonly transfers?: boolean | undefined;
}

export type FigureSource =
  | { readonly kind: "figures"; readonly of: readonly (readonly [sign: Sign, place: CellRef])[] }
  | { readonly kind: "ledger"; readonly slices: readonly LedgerSlice[]; readonly sign: Sign }
  | {
      readonly kind: "parts";
      readonly load: (detail: DetailLevel) => Promise<readonly SumPart[]> | readonly SumPart[];
    };

/** A sum that is divided, or divides. */
export interface QuotientOperand {
  readonly label: string;
  readonly sources: readonly FigureSource[];
  /** What the sum is multiplied by: the days of a month, the months of a year. */
  readonly times?: number | undefined;
  /** Whether it counts without its sign. */
  readonly unsigned?: true | undefined;
  /** Money when not given. */
  readonly unit?: Unit | undefined;
}

export interface Quotient {
  readonly dividend: QuotientOperand;
  readonly divisor: QuotientOperand;
  /** Scale of the result: the quotient times this is rounded to a whole number. */
  readonly scale: number;
  /** How many digits of that stand after the point, and what follows it. */
  readonly digits: number;
  readonly suffix: "" | "%";
}

export interface FigureOrigin {
  readonly rule: RuleName;
  readonly unit?: Unit | undefined;
  readonly sources: readonly FigureSource[];
  readonly quotient?: Quotient | undefined;
}

/** The sum of sources, by a rule. */
export const sum = (rule: RuleName, ...sources: readonly FigureSource[]): FigureOrigin => ({
  rule,
  sources,
});

export const plus = (...places: readonly (CellRef | undefined)[]): FigureSource => ({
  kind: "figures",
  of: places.flatMap((place) => (place === undefined ? [] : [[1, place] as const])),
});

export const minus = (...places: readonly (CellRef | undefined)[]): FigureSource => ({
  kind: "figures",
  of: places.flatMap((place) => (place === undefined ? [] : [[-1, place] as const])),
});

export const ledger = (sign: Sign, ...slices: readonly LedgerSlice[]): FigureSource => ({
  kind: "ledger",
  slices,
  sign,
});

export const parts = (
  load: (detail: DetailLevel) => Promise<readonly SumPart[]> | readonly SumPart[],
): FigureSource => ({ kind: "parts", load });

/** One part of its own; none of nothing. */
export const single = (part: SumPart): FigureSource =>
  parts(() => (part.amount === 0 ? [] : [part]));

export const quotientOf = (rule: RuleName, quotient: Quotient): FigureOrigin => ({
  rule,
  sources: [],
  quotient,
});

/** The parts with each sign turned where the figure takes them off. */
export const signedParts = (sign: Sign, all: readonly SumPart[]): readonly SumPart[] =>
  sign === 1 ? all : all.map((each) => ({ ...each, amount: each.amount === 0 ? 0 : -each.amount }));
