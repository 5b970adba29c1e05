/** /Reports/TaxReconciliation: reconciles the tax account with the tax returns; an extension. */
import type { DateRange } from "../../../ledger/dates/calendar.ts";

import type { Period } from "../../../ledger/figures/expression.ts";
import { type Cents, sum } from "../../../ledger/money.ts";
import { negated, reportRange } from "../../../ledger/reports/report-rows.ts";
import { causesOf } from "../../../ledger/reports/tax/returns/causes.ts";
import { isSold, type ReturnForm } from "../../../ledger/reports/tax/returns/form.ts";
import { mappingOf, returnForms } from "../../../ledger/reports/tax/returns/index.ts";
import {
  type FiledTax,
  type PostedTax,
  type Tax,
  type TaxReconciliationRequest,
  type TypedTax,
  taxOf,
  taxReconciliation as taxReconciliationRows,
} from "../../../ledger/reports/tax/tax-reconciliation.ts";
import { returnTypes, taxReturns } from "../../../resources/tax-report.ts";
import { sums } from "../../../store/ledger/journals.ts";
import { type PublishedReturn, publishedReturns } from "../../../store/queries/published.ts";
import {
  placeOfOpening,
  type ReturnedTax,
  taxAccountSums,
  taxByReturn,
} from "../../../store/queries/tax/tax-account.ts";
import { amountOf } from "../../../wire/report.ts";
import { added } from "../report-columns.ts";
import { dateOf, type MakeReport, type ReportContext, yearOf } from "../report-context.ts";
import { asPublished } from "./tax-returns.ts";
import { taxBasisOf, taxedDocuments } from "./tax-sums.ts";

/** GET /Reports/TaxReconciliation: by default the financial year up to today. */
export const taxReconciliation: MakeReport = async (context) => {
  const { call, today } = context;
  const lastDay = dateOf(call, "toDate") ?? today;
  const since = dateOf(call, "fromDate") ?? yearOf(context, lastDay).from;
  const request = await taxAccountIn(context, reportRange(since, lastDay, today), true);
  return { ...taxReconciliationRows(request), basis: request.isCash ? "cash" : "accrual" };
};

/**
 * Reconciles the tax account at the end of a range of days.
 *
 * @param withCauses  whether to explain differences between declared and posted amounts
 */
export async function taxAccountIn(
  books: ReportContext,
  { from, to }: DateRange,
  withCauses = false,
): Promise<TaxReconciliationRequest> {
  const { tx, chart, organisation } = books;
  const basis = taxBasisOf(organisation.SalesTaxBasis);
  const taxAccounts = chart.accounts.filter(
    ({ SystemAccount }) => SystemAccount === "GST" || SystemAccount === "GSTONIMPORTS",
  );
  const accounts = taxAccounts.map(({ AccountID }) => AccountID);
  const query = { basis, accounts, to, organisation: organisation.OrganisationID };
  const type = returnTypes.find((type) => taxReturns[type].country === organisation.CountryCode);
  const form = type === undefined ? undefined : returnForms[type];
  const published = type === undefined ? [] : await publishedReturns(tx, type);
  const returns = published.filter((publishedReturn) => publishedReturn.to <= to);
  const opened = basis === "accrual" ? organisation.ConversionDate : undefined;
  const taxed = await taxByReturn(tx, query, returns, opened);
  const sided = (isMeant: (each: ReturnedTax) => boolean) => sidesOf(books, taxed.filter(isMeant));
  const postedIn = (at: number): PostedTax => ({
    inTime: sided(({ place, is_late }) => place === at && is_late === 0),
    late: sided(({ place, is_late }) => place === at && is_late === 1),
  });
  const filedReturns: FiledTax[] = [];
  for (const [place, each] of returns.entries()) {
    const postedTax = postedIn(place);
    const filedTax = form === undefined ? taxOf([]) : filedIn(form, each);
    const isShown = withCauses && form !== undefined && type !== undefined;
    const request = isShown ? (await asPublished(books, type, each, published)).request : undefined;
    filedReturns.push({
      ...{ from: each.from, to: each.to, ...postedTax, filed: filedTax },
      causes:
        isShown && request
          ? causesOf(form, request, filedTax, [...postedTax.inTime, ...postedTax.late])
          : [],
    });
  }
  const accountRows = await taxAccountSums(tx, query);
  const owedTax = (isTax: 0 | 1, isWanted: (sourceType: string | null) => boolean = () => true) => {
    const rows = accountRows.filter((row) => row.is_tax === isTax && isWanted(row.source_type));
    return negated(sum(rows.map(({ amount }) => amount)));
  };
  const isMoney = (sourceType: string | null) => sourceType?.startsWith("CASH") === true;
  const balancesOn = async (on: typeof basis): Promise<Period> => {
    const balanceById = added(await sums(tx, { basis: on, to, accounts }));
    return { from: to, to, basis: on, sums: { held: balanceById } };
  };
  return {
    organisation: organisation.Name,
    ...{ from, to, isCash: basis === "cash", returns: filedReturns },
    unfiled: postedIn(returns.length),
    before: sided(({ place }) => place === -1),
    opening: sided(({ place }) => place === placeOfOpening),
    allTaxes: sided(() => true),
    posted: {
      opening: owedTax(0, (sourceType) => sourceType === null),
      settled: owedTax(0, isMoney),
      coded: owedTax(0, (sourceType) => sourceType !== null && !isMoney(sourceType)),
      tax: owedTax(1),
    },
    ...{ query, accounts: taxAccounts },
    ...{ accrual: await balancesOn("accrual"), cash: await balancesOn("cash") },
  };
}

/** Returns the tax by tax type and account, with its side in the return. */
function sidesOf({ chart, organisation }: ReportContext, rows: readonly ReturnedTax[]): TypedTax[] {
  const form = mappingOf(organisation.CountryCode);
  return rows.flatMap(({ tax_type, account_id, source, tax, documents }) => {
    const row = {
      ...{ tax_type, account_id, source, tax, documents, net: 0 as Cents },
      ...{ is_entered: 0 as const, line_tax: null, line_amount: null, times: 1 },
    };
    return taxedDocuments(chart, [row], false).map((taxedDocument) => {
      const isSale = isSold(form, taxedDocument);
      return {
        side: isSale ? ("collected" as const) : ("paid" as const),
        ...{ name: taxedDocument.name, accountId: account_id, account: chart.account(account_id) },
        amount: isSale ? negated(taxedDocument.tax) : taxedDocument.tax,
        documents: row.documents,
      };
    });
  });
}

/** Returns the tax that a return declared. */
function filedIn({ declared }: ReturnForm, { fields }: PublishedReturn): Tax {
  const box = (id: string) =>
    amountOf(fields.find(({ FieldID }) => FieldID === id)?.Value) as Cents;
  return { collected: box(declared.collected), paid: box(declared.paid) };
}
