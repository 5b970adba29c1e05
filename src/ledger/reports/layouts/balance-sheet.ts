/**
 * Balance sheet as an accountant's paper: nothing is offset.
 *
 * Overdrawn banks are under liabilities, debit balances of suppliers and a tax to be refunded under
 * receivables, credit balances of customers under payables.
 *
 * @source IAS 1.32
 */
import type { SumPart } from "../../figures/counted.ts";
import { type Figure, figureValue, listedFigure, sum } from "../../figures/expression.ts";
import { type AccountInfo, hasAmount } from "../report-rows.ts";

/** Contacts whose balance is on the other side of a control account, each amount positive. */
export interface OtherSides {
  /** Customers that are owed money. */
  readonly DEBTORS: readonly SumPart[];
  /** Suppliers that owe money. */
  readonly CREDITORS: readonly SumPart[];
}

/** Section of a balance sheet with the figures of an account that is split, by column. */
export interface SplitLine {
  readonly section: "Bank" | "Current Assets" | "Current Liabilities";
  readonly figures: readonly Figure[];
}

/** End of the ids of figures that are only a part of an account's balance. */
const apartSuffix = ".apart";
export const isApart = (id: string): boolean => id.endsWith(apartSuffix);

/**
 * Splits the balances of an account between assets and liabilities.
 *
 * @param figures  its balances by column, positive on the usual side of its class
 * @param otherSides   the contacts on the other side, by column
 * @returns undefined for an account that is on one side in all columns
 */
export function splitLines(
  account: AccountInfo,
  figures: readonly Figure[],
  otherSides: readonly OtherSides[],
): readonly SplitLine[] | undefined {
  const { AccountID: id, Name, Type, SystemAccount } = account;
  if (SystemAccount === "DEBTORS" || SystemAccount === "CREDITORS") {
    const isDebtors = SystemAccount === "DEBTORS";
    const label = isDebtors ? "Customers in credit" : "Suppliers in debit";
    const onOtherSide = figures.map((_, at) => {
      const parts = otherSides[at]?.[SystemAccount] ?? [];
      const amount = parts.reduce((total, sumPart) => total + sumPart.amount, 0);
      return listedFigure([`${id}.other${apartSuffix}`, label, "Open"], amount, () => parts);
    });
    if (!hasAmount(onOtherSide)) return undefined;
    const onThisSide = figures.map((figure, at) =>
      sum([`${id}${apartSuffix}`, Name, "SectionTotal"], [figure, onOtherSide[at] as Figure]),
    );
    return isDebtors
      ? split("Current Assets", onThisSide, "Current Liabilities", onOtherSide)
      : split("Current Liabilities", onThisSide, "Current Assets", onOtherSide);
  }
  const isBank = Type === "BANK";
  const negative = (figure: Figure) => (figureValue(figure) ?? 0) < 0;
  if ((!isBank && SystemAccount !== "GST") || !figures.some(negative)) return undefined;
  const label = isBank ? `${Name}, overdrawn` : `${Name}, to be refunded`;
  const onThisSide = figures.map((figure) =>
    sum([`${id}${apartSuffix}`, Name, "SectionTotal"], negative(figure) ? [] : [figure]),
  );
  const onOtherSide = figures.map((figure) =>
    sum([`${id}.other${apartSuffix}`, label, "SectionTotal"], [], negative(figure) ? [figure] : []),
  );
  return isBank
    ? split("Bank", onThisSide, "Current Liabilities", onOtherSide)
    : split("Current Liabilities", onThisSide, "Current Assets", onOtherSide);
}

const split = (
  sectionName: SplitLine["section"],
  figures: readonly Figure[],
  otherPart: SplitLine["section"],
  otherFigures: readonly Figure[],
): readonly SplitLine[] => [
  { section: sectionName, figures },
  { section: otherPart, figures: otherFigures },
];
