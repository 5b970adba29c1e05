/** /Reports/TaxReconciliation: the tax account explained from return to return; an extension. */
import type { DateRange } from "../../../ledger/dates/calendar.ts";

import { add, type Cents, sum } from "../../../ledger/money.ts";
import { negated, reportRange } from "../../../ledger/reports/rows.ts";
import { causesOf } from "../../../ledger/reports/tax/returns/causes.ts";
import { isSold, type ReturnForm } from "../../../ledger/reports/tax/returns/form.ts";
import { mappingOf, returnForms } from "../../../ledger/reports/tax/returns/index.ts";
import {
  both,
  type FiledTax,
  noTax,
  type PostedTax,
  type Tax,
  type TaxReconciliationRequest,
  taxReconciliation as taxReconciliationRows,
} from "../../../ledger/reports/tax/tax-reconciliation.ts";
import { readDecimal } from "../../../resources/decimal.ts";
import { returnTypes, taxReturns } from "../../../resources/tax-report.ts";
import { sums } from "../../../store/ledger/journals.ts";
import { type PublishedReturn, publishedReturns } from "../../../store/queries/published.ts";
import {
  placeOfOpening,
  type ReturnedTax,
  returnedTax,
  taxAccountSums,
} from "../../../store/queries/tax/tax-account.ts";
import { dateOf, type MakeReport, type Reading, yearOf } from "../frame.ts";
import { asPublished } from "./tax-returns.ts";
import { summed, taxBasisOf } from "./tax-sums.ts";

/** GET /Reports/TaxReconciliation: the financial year up to today unless told otherwise. */
export const taxReconciliation: MakeReport = async (reading) => {
  const { call, today } = reading;
  const until = dateOf(call, "toDate") ?? today;
  const since = dateOf(call, "fromDate") ?? yearOf(reading, until).from;
  const { request } = await readTaxAccount(reading, reportRange(since, until, today), true);
  return { ...taxReconciliationRows(request), basis: request.isCash ? "cash" : "accrual" };
};

/** What explains the tax account at the end of a range of days. */
export async function taxAccountIn(
  books: Reading,
  range: DateRange,
): Promise<TaxReconciliationRequest> {
  return (await readTaxAccount(books, range)).request;
}

/** The same, with the tax of documents that it is made of, and how the accounts were asked. */
export async function readTaxAccount(books: Reading, { from, to }: DateRange, causes = false) {
  const { tx, chart, organisation } = books;
  const basis = taxBasisOf(organisation.SalesTaxBasis);
  const taxAccounts = chart.accounts.filter(
    ({ SystemAccount }) => SystemAccount === "GST" || SystemAccount === "GSTONIMPORTS",
  );
  const accounts = taxAccounts.map(({ AccountID }) => AccountID);
  const asked = { basis, accounts, to, organisation: organisation.OrganisationID };
  const type = returnTypes.find((each) => taxReturns[each].country === organisation.CountryCode);
  const form = type === undefined ? undefined : returnForms[type];
  const published = type === undefined ? [] : await publishedReturns(tx, type);
  const returns = published.filter((each) => each.to <= to);
  const opened = basis === "accrual" ? organisation.ConversionDate : undefined;
  const taxed = await returnedTax(tx, asked, returns, opened);
  const postedIn = (place: number): PostedTax => {
    const of = taxed.filter((each) => each.place === place);
    return {
      inTime: taxOf(
        books,
        of.filter((each) => each.is_late === 0),
      ),
      late: taxOf(
        books,
        of.filter((each) => each.is_late === 1),
      ),
    };
  };
  const filedReturns: FiledTax[] = [];
  for (const [place, each] of returns.entries()) {
    const posted = postedIn(place);
    const filed = form === undefined ? noTax : filedIn(form, each);
    const isTold = causes && form !== undefined && type !== undefined;
    const request = isTold ? (await asPublished(books, type, each, published)).request : undefined;
    filedReturns.push({
      ...{ from: each.from, to: each.to, ...posted, filed },
      causes: isTold && request ? causesOf(form, request, filed, both(posted)) : [],
    });
  }
  const netAt = (at: number) =>
    net(
      taxOf(
        books,
        taxed.filter(({ place }) => place === at),
      ),
    );
  const posted = await taxAccountSums(tx, asked);
  const owedBy = (isTax: 0 | 1, isMeant: (sourceType: string | null) => boolean = () => true) => {
    const meant = posted.filter((each) => each.is_tax === isTax && isMeant(each.source_type));
    return negated(sum(meant.map(({ amount }) => amount)));
  };
  const ofLines = negated(sum(taxed.map(({ tax }) => tax)));
  const isMoney = (sourceType: string | null) => sourceType?.startsWith("CASH") === true;
  const balanceOn = async (on: typeof basis) =>
    negated(sum((await sums(tx, { basis: on, to, accounts })).map(({ amount }) => amount)));
  const balance = await balanceOn("accrual");
  const request: TaxReconciliationRequest = {
    organisation: organisation.Name,
    from,
    to,
    isCash: basis === "cash",
    returns: filedReturns,
    unfiled: postedIn(returns.length),
    before: netAt(-1),
    opening: add(
      owedBy(0, (sourceType) => sourceType === null),
      netAt(placeOfOpening),
    ),
    settled: owedBy(0, isMoney),
    coded: owedBy(0, (sourceType) => sourceType !== null && !isMoney(sourceType)),
    rounding: add(owedBy(1), negated(ofLines)),
    unpaid: basis === "accrual" ? (0 as Cents) : add(balance, negated(await balanceOn("cash"))),
    accounts: taxAccounts.map(({ Name, Code }) => `${Name} (${Code})`).join(", "),
    balance,
  };
  return { request, taxed, taxAccounts, asked };
}

const net = ({ collected, paid }: Tax): Cents => add(collected, negated(paid));

/** Tax on sales and tax on purchases, each positive in the usual case. */
function taxOf(books: Reading, rows: readonly ReturnedTax[]): Tax {
  const all = sidesOf(books, rows);
  const of = (side: "collected" | "paid") =>
    sum(all.filter((each) => each.side === side).map(({ amount }) => amount));
  return { collected: of("collected"), paid: of("paid") };
}

/** Tax of each tax type and account, on the side of a return that it is of. */
export function sidesOf({ chart, organisation }: Reading, rows: readonly ReturnedTax[]) {
  const form = mappingOf(organisation.CountryCode);
  return rows.flatMap(({ tax_type, account_id, source, tax }) => {
    const row = {
      ...{ tax_type, account_id, source, tax, net: 0 as Cents },
      ...{ is_entered: 0 as const, line_tax: null, line_amount: null, times: 1 },
    };
    return summed(chart, [row], false).map((each) => {
      const isSale = isSold(form, each);
      return {
        side: isSale ? ("collected" as const) : ("paid" as const),
        name: each.name,
        accountId: account_id,
        amount: isSale ? negated(each.tax) : each.tax,
      };
    });
  });
}

/** What a return declared. */
function filedIn({ declared }: ReturnForm, { fields }: PublishedReturn): Tax {
  const box = (id: string) => {
    const field = fields.find(({ FieldID }) => FieldID === id);
    return (readDecimal(field?.Value ?? "", 2) ?? 0) as Cents;
  };
  return { collected: box(declared.collected), paid: box(declared.paid) };
}
