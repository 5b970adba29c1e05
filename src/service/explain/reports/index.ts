/** The description of how figures come about, of every report. */
import { type ReportName, reports } from "../../../resources/report.ts";
import { lazy } from "../../request/route.ts";
import type { Explainer } from "./explainer.ts";

const figures = lazy(() => import("./of-figures.ts"));

/** A report without its row here does not compile. */
const explainers = {
  ProfitAndLoss: async () => (await figures()).ofFigures("first"),
  BalanceSheet: async () => (await figures()).ofFigures("first"),
  TrialBalance: async () => (await figures()).ofFigures("last"),
  GeneralLedger: async () => (await figures()).ofFigures("last"),
  Equity: async () => (await figures()).ofFigures("first"),
  AgedReceivables: async () => (await figures()).ofFigures("last"),
  AgedPayables: async () => (await figures()).ofFigures("last"),
  AgedReceivablesByContact: async () => (await figures()).ofFigures("last"),
  AgedPayablesByContact: async () => (await figures()).ofFigures("last"),
  Statement: async () => (await figures()).ofFigures("last"),
  BankSummary: async () => (await figures()).ofFigures("last"),
  CashFlow: async () => (await figures()).ofFigures("first"),
  BudgetSummary: async () => (await figures()).ofFigures("first"),
  BudgetVariance: async () => (await figures()).ofFigures("first"),
  ExecutiveSummary: async () => (await figures()).ofFigures("first"),
  Sales: async () => (await figures()).ofFigures("first"),
  Purchases: async () => (await figures()).ofFigures("first"),
  BankReconciliation: async () => (await figures()).ofFigures("last"),
  FixedAssets: async () => (await figures()).ofFigures("last"),
  TaxSummary: async () => (await figures()).ofFigures("last"),
  TaxReconciliation: async () => (await figures()).ofFigures("last"),
} as const satisfies Readonly<Record<ReportName, () => Promise<Explainer>>>;

export function explainerOf(name: ReportName): Promise<Explainer> {
  return explainers[name]();
}

export const isReportName = (name: string): name is ReportName => name in reports;
