/** Shared by returns and reports of tax: what was posted under each tax type. */
import type { Basis } from "../../../ledger/journal.ts";
import { add, sum, zeroCents } from "../../../ledger/money.ts";
import { negated } from "../../../ledger/reports/rows.ts";
import type { TaxedDocument } from "../../../ledger/reports/tax/returns/form.ts";
import { componentTaxes, nonRecoverableInside } from "../../../ledger/tax.ts";
import type { Account } from "../../../resources/account.ts";
import type { Cents, Percent } from "../../../resources/decimal.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import type { TaxRate } from "../../../resources/tax-rate.ts";
import type { TaxedRow, TaxTypeRates } from "../../../store/queries/tax/tax-sums.ts";
import type { Chart } from "../../lookups/chart.ts";

const cashBases: ReadonlySet<string> = new Set(["PAYMENTS", "CASH", "FLATRATECASH"]);

/** Basis on which an organisation accounts for tax. */
export const taxBasisOf = (basis: Organisation["SalesTaxBasis"]): Basis =>
  cashBases.has(basis) ? "cash" : "accrual";

/** Rows of the store with what is known of their rates, their components split. */
export function summed(chart: Chart, rows: readonly TaxedRow[], isLate: boolean): TaxedDocument[] {
  const key = ({ line_tax, line_amount, times, net, tax, ...row }: TaxedRow) => JSON.stringify(row);
  return [...Map.groupBy(rows, key).values()].map((group) => {
    const [row] = group as [TaxedRow];
    const rate = chart.taxRate(row.tax_type);
    const components = new Map<string, Cents>();
    for (const each of group) {
      for (const [name, tax] of componentsOf(rate, each)) {
        components.set(name, ((components.get(name) ?? 0) + tax) as Cents);
      }
    }
    const account = chart.account(row.account_id);
    const notReclaimed = sum(group.map((each) => notReclaimedIn(rate, each)));
    return {
      taxType: row.tax_type,
      name: rate?.Name ?? row.tax_type,
      reportTaxType: rate?.ReportTaxType,
      rate: rate?.EffectiveRate ?? (0 as Percent),
      displayRate: rate?.DisplayTaxRate ?? (0 as Percent),
      components,
      accountClass: account?.Class,
      source: row.source ?? undefined,
      // What an overpayment puts on a control account is neither sold nor bought.
      side: isControl(account) ? undefined : (row.side ?? undefined),
      isEntered: row.is_entered !== 0,
      isLess: row.is_entered === 2,
      isLate,
      net: add(sum(group.map(({ net }) => net)), negated(notReclaimed)),
      notReclaimed,
      tax: sum(group.map(({ tax }) => tax)),
      date: row.date ?? "",
      documentId: row.document_id,
      sourceType: row.source_type ?? "",
      number: row.number ?? "",
      contact: row.contact ?? row.narration ?? "",
    };
  });
}

const isControl = (account: Account | undefined) =>
  account?.SystemAccount === "DEBTORS" || account?.SystemAccount === "CREDITORS";

/** Tax that the postings of a row have on their own accounts. */
function notReclaimedIn(rate: TaxRate | undefined, row: TaxedRow): Cents {
  const { line_tax, line_amount, times } = row;
  if (rate === undefined || line_amount === null || line_tax === null) return zeroCents;
  return (nonRecoverableInside(line_amount, line_tax, rate) * times) as Cents;
}

const reclaimed = ({ TaxComponents = [] }: Pick<TaxRate, "TaxComponents">) =>
  TaxComponents.filter((each) => !each.IsNonRecoverable);

/** What of the tax belongs to each component that is reclaimed, split posting by posting. */
function componentsOf(
  rate: TaxRate | undefined,
  { line_tax, times, tax }: TaxedRow,
): [name: string, tax: Cents][] {
  const components = rate === undefined ? [] : reclaimed(rate);
  if (line_tax === null) return [[components[0]?.Name ?? "Tax", tax]];
  return componentTaxes(line_tax, components).map((part, index) => [
    components[index]?.Name ?? "Tax",
    (part * times) as Cents,
  ]);
}

/** Tax types of the books, as sums of them are asked for. */
export function ratesOf({ taxRates }: Chart): TaxTypeRates {
  return new Map(
    taxRates.map((rate) => [
      rate.TaxType ?? "",
      {
        rate:
          reclaimed(rate).length === rate.TaxComponents?.length ? rate.EffectiveRate : undefined,
        isSplit: reclaimed(rate).length !== 1 || (rate.TaxComponents?.length ?? 0) > 1,
      },
    ]),
  );
}
