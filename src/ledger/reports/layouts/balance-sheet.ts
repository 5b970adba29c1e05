/**
 * Balance sheet as an accountant's paper: nothing is offset.
 *
 * Overdrawn banks are under liabilities, debit balances of suppliers and a tax to be refunded under
 * receivables, credit balances of customers under payables.
 *
 * @source IAS 1.32
 */
import type { SumPart } from "../../figures/counted.ts";
import { type Figure, figureValue, listed, sum } from "../../figures/expression.ts";
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
  readonly part: "Bank" | "Current Assets" | "Current Liabilities";
  readonly figures: readonly Figure[];
}

/** End of the ids of figures that are only a part of an account's balance. */
const apart = ".apart";
export const isApart = (id: string): boolean => id.endsWith(apart);

/**
 * Splits the balances of an account between assets and liabilities.
 *
 * @param figures  its balances by column, positive on the usual side of its class
 * @param others   the contacts on the other side, by column
 * @returns undefined for an account that is on one side in all columns
 */
export function splitLines(
  account: AccountInfo,
  figures: readonly Figure[],
  others: readonly OtherSides[],
): readonly SplitLine[] | undefined {
  const { AccountID: id, Name, Type, SystemAccount } = account;
  if (SystemAccount === "DEBTORS" || SystemAccount === "CREDITORS") {
    const isDebtors = SystemAccount === "DEBTORS";
    const label = isDebtors ? "Customers in credit" : "Suppliers in debit";
    const there = figures.map((_, at) => {
      const parts = others[at]?.[SystemAccount] ?? [];
      const amount = parts.reduce((total, part) => total + part.amount, 0);
      return listed([`${id}.other${apart}`, label, "Open"], amount, () => parts);
    });
    if (!hasAmount(there)) return undefined;
    const here = figures.map((figure, at) =>
      sum([`${id}${apart}`, Name, "SectionTotal"], [figure, there[at] as Figure]),
    );
    return isDebtors
      ? split("Current Assets", here, "Current Liabilities", there)
      : split("Current Liabilities", here, "Current Assets", there);
  }
  const isBank = Type === "BANK";
  const isOther = (figure: Figure) => (figureValue(figure) ?? 0) < 0;
  if ((!isBank && SystemAccount !== "GST") || !figures.some(isOther)) return undefined;
  const label = isBank ? `${Name}, overdrawn` : `${Name}, to be refunded`;
  const here = figures.map((figure) =>
    sum([`${id}${apart}`, Name, "SectionTotal"], isOther(figure) ? [] : [figure]),
  );
  const there = figures.map((figure) =>
    sum([`${id}.other${apart}`, label, "SectionTotal"], [], isOther(figure) ? [figure] : []),
  );
  return isBank
    ? split("Bank", here, "Current Liabilities", there)
    : split("Current Liabilities", here, "Current Assets", there);
}

const split = (
  part: SplitLine["part"],
  figures: readonly Figure[],
  otherPart: SplitLine["part"],
  others: readonly Figure[],
): readonly SplitLine[] => [
  { part, figures },
  { part: otherPart, figures: others },
];
