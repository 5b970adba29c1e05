/**
 * Operating cash as an accountant's paper: receipts and payments by kind, or from the profit.
 *
 * @source IAS 7.14, 7.18, 7.20, 7.31 and 7.35
 */

import { type Figure, ledger, type Period, sum } from "../../figures/expression.ts";
import { type AccountInfo, hasAmount, isProfitAndLoss } from "../report-rows.ts";

/** Kinds of operating cash in the order of their rows. */
const kinds = [
  ["customers", "Receipts from customers"],
  ["suppliers", "Payments to suppliers"],
  ["employees", "Payments to employees"],
  ["interest-received", "Interest received"],
  ["interest-paid", "Interest paid"],
  ["income-tax", "Income tax"],
  ["other-taxes", "Other taxes"],
  ["other", "Other operating cash"],
] as const;
type Kind = (typeof kinds)[number][0];

const payrollTypes: ReadonlySet<string> = new Set([
  ...["WAGESEXPENSE", "WAGESPAYABLELIABILITY", "PAYGLIABILITY", "PAYG"],
  ...["SUPERANNUATIONEXPENSE", "SUPERANNUATIONLIABILITY"],
]);
const payroll = /\b(wages?|salar(y|ies)|payroll|paye|kiwisaver|superannuation|pensions?)\b/i;
const incomeTax = /\b(income|corporation|company|provisional) tax\b/i;

/** The kind of the cash of an account; wages, interest and income tax by the words of its name. */
function kindOf({ Class, Type, Name, SystemAccount }: AccountInfo): Kind {
  if (SystemAccount === "DEBTORS") return "customers";
  if (SystemAccount === "CREDITORS") return "suppliers";
  if (SystemAccount === "GST") return "other-taxes";
  if (payrollTypes.has(Type) || payroll.test(Name)) return "employees";
  if (incomeTax.test(Name)) return "income-tax";
  if (/\binterest\b/i.test(Name))
    return Class === "REVENUE" ? "interest-received" : "interest-paid";
  if (Class === "REVENUE") return "customers";
  return Class === "EXPENSE" || Type === "INVENTORY" || Type === "PREPAYMENT"
    ? "suppliers"
    : "other";
}

/**
 * Sums the flows of operating accounts by kind.
 *
 * @param flows  figures by column of each account, whose ids are AccountIDs
 */
export function receiptsAndPayments(
  flows: readonly (readonly Figure[])[],
  accounts: readonly AccountInfo[],
): Figure[][] {
  const kindById = new Map(accounts.map((account) => [account.AccountID, kindOf(account)]));
  const byKind = Map.groupBy(flows, ([first]) => kindById.get(first?.id ?? "") ?? "other");
  return kinds.flatMap(([kind, label]) => {
    const ownFigures = byKind.get(kind) ?? [];
    const columns = (ownFigures[0] ?? []).map((_, at) =>
      sum(
        [`cash-${kind}`, label, "Sum"],
        ownFigures.map((figures) => figures[at] as Figure),
      ),
    );
    return hasAmount(columns) ? [columns] : [];
  });
}

/** The balances before a column, and at its end. */
interface Balances {
  readonly before: Period;
  readonly period: Period;
}

/** The accounts and flows of a column, from which operating cash is derived. */
interface IndirectRequest {
  readonly columns: readonly Balances[];
  readonly accounts: readonly AccountInfo[];
  /** Flows by column of investing and financing accounts, whose ids are AccountIDs. */
  readonly others: readonly (readonly Figure[])[];
  readonly isOperating: (account: AccountInfo) => boolean;
  /** Figures of exchange gains of banks, and of opening balances put on them, by column. */
  readonly apart: (at: number) => readonly Figure[];
}

/** Operating cash from the profit: what moved no cash, and changes of receivables, stock and payables. */
export function cashFromProfit(request: IndirectRequest): Figure[][] {
  const { columns, accounts, others, isOperating, apart } = request;
  const held = accounts.filter((account) => !isProfitAndLoss(account) && account.Type !== "BANK");
  const operating = held.filter(isOperating);
  const isReceivable = ({ Type, Class, SystemAccount }: AccountInfo) =>
    SystemAccount === "DEBTORS" || (Class === "ASSET" && Type !== "INVENTORY");
  const groups = {
    receivables: operating.filter(isReceivable),
    stock: operating.filter(({ Type }) => Type === "INVENTORY"),
    payables: operating.filter((info) => !isReceivable(info) && info.Type !== "INVENTORY"),
    others: held.filter((accountInfo) => !isOperating(accountInfo)),
  };
  /** What accounts gave in a column: their balance before, less the balance at the end. */
  const figureAt = (id: string, label: string, of: readonly AccountInfo[], at: number): Figure => {
    const { before, period } = columns[at] as Balances;
    return sum(
      [id, label, "Sum"],
      [ledger([`${id}.before`, `${label}, before`, "Balance"], 1, "held", before, of)],
      [ledger([`${id}.after`, `${label}, at the end`, "Balance"], 1, "held", period, of)],
    );
  };
  const rows = columns.map((_, at) => [
    figureAt("profit", "Profit", accounts.filter(isProfitAndLoss), at),
    sum(
      ["non-cash", "Depreciation, disposals and other entries without cash", "Sum"],
      [figureAt("non-cash.given", "Changes of fixed assets, loans and equity", groups.others, at)],
      others.map((figures) => figures[at] as Figure),
    ),
    sum(["gains", "Exchange gains of banks, and opening balances", "Sum"], [], apart(at)),
    figureAt("receivables", "Change of receivables", groups.receivables, at),
    figureAt("stock", "Change of stock", groups.stock, at),
    figureAt("payables", "Change of payables", groups.payables, at),
  ]);
  const [first = []] = rows;
  return first
    .map((_, row) => rows.map((figures) => figures[row] as Figure))
    .filter((figures, row) => row === 0 || hasAmount(figures));
}
