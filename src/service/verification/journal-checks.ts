/** Verifies journals of bank transfers and manual journals by recomputing both ledgers. */

import { isApproved } from "../../ledger/documents/lifecycle.ts";
import type { Journal } from "../../ledger/journal.ts";
import { isBankAmount } from "../../ledger/postings/currency.ts";
import { manualJournalLifeCycle, manualJournals } from "../../ledger/postings/manual-journal.ts";
import { transferJournals } from "../../ledger/postings/transfer.ts";
import { figure } from "../../ledger/reports/report-rows.ts";
import { amountText } from "../../resources/common.ts";
import { bankTransfer, manualJournal, openingBalance } from "../../resources/index.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import type { Findings } from "../../store/maintenance/findings.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { list, pagesOf } from "../../store/mapping/records.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { journalLines, ledgerLines } from "../manual-journals/manual-lines.ts";
import { balancesIn, balancesOn } from "../opening/opening-balances.ts";
import { factsOf } from "../records/bank-transfer.ts";
import { compare, recompute, type SettlementCheck } from "./settlements.ts";

export interface Booked extends SettlementCheck {
  /** Whether the non-recoverable part of a tax rate may have changed since a line was posted. */
  readonly isUncertain: (taxType: string | undefined) => boolean;
}

/** Number of records that are verified together. */
const batchSize = 100;

/** @returns the number of transfers */
export async function check(findings: Findings, booked: Booked): Promise<number> {
  const { tx } = findings;
  const { chart, base } = booked;
  let count = 0;
  for await (const records of pagesOf(tx, bankTransfer, batchSize)) {
    const ids = records.map((record) => record.BankTransferID);
    const live = Map.groupBy(await liveJournals(tx, "source", ids), (journal) => journal.sourceId);
    for (const record of records) {
      const name = `Bank transfer ${record.BankTransferID}`;
      const [from, to] = [record.FromBankAccount, record.ToBankAccount].map((account) =>
        chart.account(account.AccountID ?? ""),
      );
      const recomputed = recompute(findings, name, () => {
        if (from === undefined || to === undefined) throw new Error("An account of it is missing.");
        const transfer = factsOf(record, from, to, { chart, currencies: booked });
        const currencies = { document: transfer.from.currency, bank: transfer.to.currency, base };
        const { amount, received, rate } = transfer;
        return {
          isAtRate: isBankAmount(amount, received, currencies, rate),
          journals: transferJournals(transfer, base, chart.smallest),
        };
      });
      if (recomputed === undefined) continue;
      if (!recomputed.isAtRate) {
        findings.fault("received", `${name}: what came to the other account is not what left one.`);
      }
      const expected = record.Status === "AUTHORISED" ? recomputed.journals : [];
      compare(findings, name, live.get(record.BankTransferID) ?? [], expected);
    }
    count += records.length;
  }
  return count;
}

/** @returns the number of manual journals */
export async function enteredJournals(findings: Findings, booked: Booked): Promise<number> {
  const { tx } = findings;
  const { chart, isUncertain } = booked;
  const taxAccount = chart.system("GST").AccountID;
  let count = 0;
  for await (const records of pagesOf(tx, manualJournal, batchSize)) {
    const ids = records.map((record) => record.ManualJournalID);
    const linesById = await linesOf(tx, ids);
    const live = Map.groupBy(await liveJournals(tx, "source", ids), (journal) => journal.sourceId);
    for (const record of records) {
      const { ManualJournalID: id, Date: date, LineAmountTypes: types } = record;
      const ownLines = journalLines(linesById.get(id) ?? []);
      if (ownLines.some(({ TaxType }) => isUncertain(TaxType))) continue;
      const expected: readonly Journal[] = isApproved(manualJournalLifeCycle, record.Status)
        ? manualJournals(
            {
              id,
              date,
              reference: record.Narration,
              onCashBasis: record.ShowOnCashBasisReports,
              lines: ledgerLines(ownLines, types, chart),
            },
            taxAccount,
          )
        : [];
      compare(findings, `Manual journal ${id}`, live.get(id) ?? [], expected);
    }
    count += records.length;
  }
  return count;
}

/**
 * Verifies the opening balances against the ledger of the conversion date. Receivables and payables
 * are excluded, since documents and exchange rates may change them.
 *
 * @returns the number of accounts
 */
export async function verifyOpeningBalances(findings: Findings, chart: Chart): Promise<number> {
  const { tx } = findings;
  const organisation = await organisationOf(tx);
  const [record] = (await list(tx, openingBalance)).records;
  if (record === undefined) return 0;
  const { wanted } = balancesIn(record, chart);
  const sums = await balancesOn(tx, chart, organisation, record.Date);
  for (const account of chart.accounts) {
    if (byRates.has(account.SystemAccount ?? "")) continue;
    const isHistorical = account.SystemAccount === "HISTORICAL";
    const extra = isHistorical ? record.HistoricalAdjustment : 0;
    const expected = figure(wanted, account) + extra;
    if (expected === figure(sums, account)) continue;
    findings.fault(
      "opening",
      `The opening balance of ${account.Name} is ${amountText(expected, chart.base)}, but the ledger of ${record.Date} has ${amountText(figure(sums, account), chart.base)}.`,
    );
  }
  return record.Accounts.length;
}

const byRates = new Set(["DEBTORS", "CREDITORS", "UNREALISEDCURRENCYGAIN"]);
