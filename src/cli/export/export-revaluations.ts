/**
 * Revalues foreign balances and open foreign documents at each month end. The reports compute this,
 * and the ledger has no journal of it; here it becomes a journal, so that another program shows the
 * balances of the trial balance.
 */
import type { Client } from "../../client/client.ts";
import { transactionsOf } from "../../client/journal-queries.ts";
import { addDays, endOfMonth, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { Account } from "../../resources/account.ts";
import {
  type AccountTransaction,
  accountTransaction,
} from "../../resources/account-transaction.ts";
import type { Cents } from "../../resources/decimal.ts";
import { pathOf } from "../../resources/field.ts";
import type { Journal } from "../../resources/journal.ts";

export interface RevaluationQuery {
  /** First and last date; a month that the last date cuts short is revalued on that date. */
  readonly from: string;
  readonly to: string;
  readonly basis: "accrual" | "cash";
  readonly baseCurrency: string;
  readonly accounts: readonly Account[];
}

/** Yields a journal, with number 0, for each month with exchange differences. */
export async function* revaluationJournals(
  client: Client,
  { from, to, basis, baseCurrency, accounts }: RevaluationQuery,
): AsyncGenerator<Journal> {
  const accountsById = new Map(accounts.map((account) => [account.AccountID, account]));
  const revalued = accounts.filter(
    ({ Type, CurrencyCode = baseCurrency, SystemAccount = "" }) =>
      (Type === "BANK" && CurrencyCode !== baseCurrency) ||
      /^(?:DEBTORS|CREDITORS|.*CURRENCYGAIN)$/.test(SystemAccount),
  );
  if (!revalued.some(({ SystemAccount }) => SystemAccount === "UNREALISEDCURRENCYGAIN")) return;
  const parameters = {
    accounts: revalued.map(({ AccountID }) => AccountID).join(","),
    paymentsOnly: basis === "cash" ? "true" : "false",
  };
  for (let firstDay = from; firstDay <= to; firstDay = addDays(endOfMonth(firstDay), 1)) {
    const lastDay = endOfMonth(firstDay) < to ? endOfMonth(firstDay) : to;
    const lines: Journal["JournalLines"][number][] = [];
    const query = { ...parameters, fromDate: startOfMonth(firstDay), toDate: lastDay };
    for await (const row of transactionsOf(client, query)) {
      const account = accountsById.get(row.AccountID);
      if (row.Source === "REVALUATION" && account !== undefined) lines.push(lineOf(row, account));
    }
    if (lines.length === 0) continue;
    yield {
      JournalID: `revaluation-${lastDay}`,
      JournalDate: lastDay,
      JournalNumber: 0,
      CreatedDateUTC: 0,
      Reference: "Revaluation at the rates of the day",
      JournalLines: lines,
    };
  }
}

function lineOf(
  {
    AccountID,
    AccountCode,
    AccountName,
    Debit = 0 as Cents,
    Credit = 0 as Cents,
  }: AccountTransaction,
  { Type }: Account,
): Journal["JournalLines"][number] {
  const amount = (Debit - Credit) as Cents;
  return {
    JournalLineID: "",
    AccountID,
    AccountCode,
    AccountName,
    AccountType: Type,
    Description: "",
    NetAmount: amount,
    GrossAmount: amount,
    TaxAmount: 0 as Cents,
    TrackingCategories: [],
  };
}

/** Path of the report that the service must support. */
export const revaluationPath = pathOf(accountTransaction);
