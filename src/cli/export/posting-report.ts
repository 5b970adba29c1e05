/** The postings of accounts, or of journals, as a report with the titles and notes of its days. */
import { transactionsOf } from "../../client/journal-queries.ts";
import type { Client } from "../../client/types.ts";
import type { AccountTransaction } from "../../resources/account-transaction.ts";
import { accountantLayout } from "../../resources/report.ts";
import type { Report } from "../../wire/report.ts";
import { accountBlocks, journalBlocks, ledgerReport } from "../render/report/ledger-report.ts";

/**
 * Reads postings as a report.
 *
 * @param ledgerQuery  parameters of the account transactions; by `order=journal` a block is a journal
 */
export async function postingReport(
  client: Client,
  ledgerQuery: Readonly<Record<string, string>>,
): Promise<Report> {
  const postings: AccountTransaction[] = [];
  for await (const posting of transactionsOf(client, ledgerQuery)) postings.push(posting);
  const { accounts: _, order, undone: __, ...days } = ledgerQuery;
  const of = await client.report("GeneralLedger", { ...days, ...accountantLayout });
  return order === "journal"
    ? ledgerReport(of, "Journal", journalBlocks(postings))
    : ledgerReport(of, "Account Transactions", accountBlocks(postings));
}
