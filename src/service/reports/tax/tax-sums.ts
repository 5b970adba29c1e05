/** Shared by tax returns and tax reports: sums of postings by tax type. */
import type { Basis } from "../../../ledger/journal.ts";
import { add, percentOf, sum, zeroCents } from "../../../ledger/money.ts";
import { negated } from "../../../ledger/reports/report-rows.ts";
import type { TaxedDocument } from "../../../ledger/reports/tax/returns/form.ts";
import { componentTaxes, isReverse, nonRecoverableInside } from "../../../ledger/tax.ts";
import type { Account } from "../../../resources/account.ts";
import type { Cents, Percent } from "../../../resources/decimal.ts";
import { RefusedError } from "../../../resources/errors.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import type { TaxRate } from "../../../resources/tax-rate.ts";
import type { TaxedRow, TaxTypeRates } from "../../../store/queries/tax/tax-sums.ts";
import type { Chart } from "../../lookups/chart-of-accounts.ts";

const cashTaxBases: ReadonlySet<string> = new Set(["PAYMENTS", "CASH", "FLATRATECASH"]);

/** The ledger basis of an organisation's tax basis. */
export const taxBasisOf = (basis: Organisation["SalesTaxBasis"]): Basis =>
  cashTaxBases.has(basis) ? "cash" : "accrual";

/** Maximum number of detail rows in an answer, which take 300 MB of memory until sent. */
export const detailMax = 12_000;

export const tooMuchDetail = () =>
  new RefusedError(
    "TooMuch",
    `The documents behind the figures of these days are more than the ${detailMax.toLocaleString("en")} rows that an answer takes. Ask for fewer days (--from, --to), a month or a week at a time.`,
  );

/**
 * Adds to stored rows the data of their rates, split by tax components.
 *
 * @throws RefusedError for more than `rowsMax` rows
 */
export function taxedDocuments(
  chart: Chart,
  rows: readonly TaxedRow[],
  isLate: boolean,
  rowsMax = Number.POSITIVE_INFINITY,
): TaxedDocument[] {
  if (rows.length > rowsMax) throw tooMuchDetail();
  return groupAlike(rows).map((group) => {
    const [row] = group;
    const rate = chart.taxRate(row.tax_type);
    const taxByComponent = new Map<string, Cents>();
    for (const taxedRow of group) {
      for (const [name, tax] of componentsOf(rate, taxedRow)) {
        taxByComponent.set(name, ((taxByComponent.get(name) ?? 0) + tax) as Cents);
      }
    }
    const account = chart.account(row.account_id);
    const notReclaimed = sum(group.map((taxedRow) => nonReclaimedTax(rate, taxedRow)));
    return {
      taxType: row.tax_type,
      name: rate?.Name ?? row.tax_type,
      reportTaxType: rate?.ReportTaxType,
      rate: rate?.EffectiveRate ?? (0 as Percent),
      displayRate: rate?.DisplayTaxRate ?? (0 as Percent),
      components: taxByComponent,
      accountClass: account?.Class,
      source: row.source ?? undefined,
      // An overpayment on a control account is neither a sale nor a purchase.
      side: isControl(account) ? undefined : (row.side ?? undefined),
      isEntered: row.is_entered !== 0,
      isLess: row.is_entered === 2,
      isLate,
      net: add(sum(group.map(({ net }) => net)), negated(notReclaimed)),
      notReclaimed,
      tax: sum(group.map(({ tax }) => tax)),
      reverseTax: sum(group.map((taxedRow) => reverseTax(rate, taxedRow))),
      date: row.date ?? "",
      documentId: row.document_id,
      sourceType: row.source_type ?? "",
      number: row.number ?? "",
      contact: row.contact ?? row.narration ?? "",
      taxNumber: row.tax_number ?? undefined,
    };
  });
}

/** Groups consecutive rows that differ only in amounts. */
function groupAlike(rows: readonly TaxedRow[]): (readonly [TaxedRow, ...TaxedRow[]])[] {
  const groups: [TaxedRow, ...TaxedRow[]][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group !== undefined && isAlike(group[0], row)) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

const isAlike = (row: TaxedRow, second: TaxedRow) => keys.every((key) => row[key] === second[key]);

/** Columns that rows of a group have in common. */
const keys = [
  "document_id",
  "tax_type",
  "account_id",
  "is_entered",
  "source",
  "side",
  "date",
  "source_type",
  "number",
  "contact",
  "narration",
] as const satisfies (keyof TaxedRow)[];

const isControl = (account: Account | undefined) =>
  account?.SystemAccount === "DEBTORS" || account?.SystemAccount === "CREDITORS";

/** Returns the tax that cannot be reclaimed, which is posted on the accounts of the lines. */
function nonReclaimedTax(rate: TaxRate | undefined, row: TaxedRow): Cents {
  const { line_tax, line_amount, times } = row;
  if (rate === undefined || line_amount === null || line_tax === null) return zeroCents;
  return (nonRecoverableInside(line_amount, line_tax, rate) * times) as Cents;
}

/** Returns the tax of a reverse charge, posting by posting. */
function reverseTax(rate: TaxRate | undefined, row: TaxedRow): Cents {
  if (rate === undefined || !isReverse(rate)) return zeroCents;
  const { net, times } = row;
  const lost = nonReclaimedTax(rate, row);
  if (reclaimShare(rate).length === 0) return lost;
  return (percentOf(((net - lost) / times) as Cents, rate.DisplayTaxRate) * times) as Cents;
}

const reclaimShare = ({ TaxComponents = [] }: Pick<TaxRate, "TaxComponents">) =>
  TaxComponents.filter((taxComponent) => !taxComponent.IsNonRecoverable);

/** Splits the tax by reclaimable component, posting by posting. */
function componentsOf(
  rate: TaxRate | undefined,
  { line_tax, times, tax }: TaxedRow,
): [name: string, tax: Cents][] {
  const components = rate === undefined ? [] : reclaimShare(rate);
  if (line_tax === null) return [[components[0]?.Name ?? "Tax", tax]];
  return componentTaxes(line_tax, components).map((componentTax, index) => [
    components[index]?.Name ?? "Tax",
    (componentTax * times) as Cents,
  ]);
}

/** Returns the tax types of the books, for queries of sums. */
export function ratesOf({ taxRates }: Chart): TaxTypeRates {
  return new Map(
    taxRates.map((rate) => [
      rate.TaxType ?? "",
      {
        rate:
          reclaimShare(rate).length === rate.TaxComponents?.length ? rate.EffectiveRate : undefined,
        isSplit:
          isReverse(rate) ||
          reclaimShare(rate).length !== 1 ||
          (rate.TaxComponents?.length ?? 0) > 1,
      },
    ]),
  );
}
