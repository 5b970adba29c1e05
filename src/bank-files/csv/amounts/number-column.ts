/**
 * A column of numbers: the decimal marks possible for all its cells, and the amounts under each
 * mark.
 */
import type { Cents } from "../../../ledger/money.ts";
import { type DecimalMark, markOf, rawAmount } from "../../bank-values.ts";
import { cellAmount, isDash } from "../cells.ts";

const allMarks = ["point", "comma"] as const;
/** Currencies without decimals, where any mark is a thousands separator. */
const withoutDecimals = /^(?:JPY|KRW|VND|CLP|ISK|PYG|UGX|XAF|XOF)$/;

/** Amounts in cents by row; undefined where the cell is empty. */
export type Amounts = readonly (Cents | undefined)[];

export class NumberColumn {
  readonly place: number;
  /** Decimal marks under which every cell is an amount; empty for columns of other data. */
  readonly marks: readonly DecimalMark[];
  readonly filled: number;
  /** Whether the decimal mark makes no difference for any cell. */
  readonly isBare: boolean;
  /** Whether the sign of each row is a word, CR or DR, or the plus that some rows alone have. */
  readonly isWorded: readonly boolean[];
  /**
   * Row of a cell such as `1.475`, where only parts of a cent speak against a point: all marked cells
   * have three digits behind a single mark.
   */
  readonly openAt: number | undefined;
  readonly #values: Readonly<Record<DecimalMark, Amounts>>;
  /**
   * Index of the first cell that is an amount under no mark, or else under a mark that others need.
   */
  readonly wrong: number | undefined;

  constructor(columnIndex: number, texts: readonly string[], currency: string | undefined) {
    this.place = columnIndex;
    const raws = texts.map(rawAmount);
    const isPlusSign =
      raws.some((raw) => raw && !raw.isPlus && /[1-9]/.test(raw.digits)) &&
      !raws.some((raw) => raw?.isNegative);
    this.isWorded = raws.map(
      (raw) => raw?.isWorded === true || (raw?.isPlus === true && isPlusSign),
    );
    const read = (mark: DecimalMark) =>
      texts.map((text) => (isDash(text) ? undefined : cellAmount(text, mark)));
    const byMark = { point: read("point"), comma: read("comma") };
    const isAmount = (value: unknown) => value === undefined || typeof value === "number";
    this.filled = texts.filter((text) => !isDash(text)).length;
    const possible = allMarks.filter((mark) => this.filled > 0 && byMark[mark].every(isAmount));
    const wrong = texts.findIndex((_, at) => allMarks.every((mark) => !isAmount(byMark[mark][at])));
    const mixed = texts.findIndex((_, at) => !isAmount(byMark.point[at]));
    this.wrong =
      possible.length > 0 ? undefined : wrong >= 0 ? wrong : mixed >= 0 ? mixed : undefined;
    const clean = (mark: DecimalMark): Amounts =>
      byMark[mark].map((value) => (typeof value === "number" ? value : undefined));
    this.#values = { point: clean("point"), comma: clean("comma") };
    this.isBare =
      this.filled === 0 ||
      (possible.length === 2 &&
        this.#values.point.every((value, at) => value === this.#values.comma[at]));
    const isOpen = texts.every((text) => [undefined, "none", "open"].includes(markOf(text)));
    const openAt = texts.findIndex((text) => markOf(text) === "open");
    const hasCents = currency === undefined || !withoutDecimals.test(currency);
    this.openAt = possible.length === 1 && isOpen && hasCents && openAt >= 0 ? openAt : undefined;
    this.marks = this.isBare ? ["point"] : this.#likely(possible, currency);
  }

  values(mark: DecimalMark): Amounts {
    return this.#values[mark];
  }

  /**
   * Marks that are likely: for a currency without decimals, the mark that yields larger amounts.
   */
  #likely(possible: readonly DecimalMark[], currency: string | undefined): readonly DecimalMark[] {
    if (possible.length < 2 || currency === undefined || !withoutDecimals.test(currency))
      return possible;
    const { point, comma } = this.#values;
    const size = (values: Amounts) =>
      values.reduce<number>((sum, cents) => sum + Math.abs(cents ?? 0), 0);
    return [size(point) > size(comma) ? "point" : "comma"];
  }
}
