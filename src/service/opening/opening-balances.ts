/**
 * Opening balances of a book.
 *
 * They are set as a whole. Documents and stock are created, changed or removed until they match the
 * record, and one journal on both bases brings every account to its balance. Afterwards nothing is
 * posted on or before the conversion date, except by setting them again.
 */

import { financialYear } from "../../ledger/dates/calendar.ts";
import { type Journal, reversalJournal } from "../../ledger/journal.ts";
import { checkLock } from "../../ledger/locks.ts";
import { openingPostings } from "../../ledger/reports/opening-postings.ts";
import { closingBalances, type Sums } from "../../ledger/reports/report-rows.ts";
import { amountFault } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { openingBalance, organisation as organisationResource } from "../../resources/index.ts";
import { counted } from "../../resources/scalar.ts";
import { appendJournals, sums } from "../../store/ledger/journals.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import { list, remove, type StoredFields, save } from "../../store/mapping/records.ts";
import { type Audited, recordAct } from "../../store/operations/audit-log.ts";
import { loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import {
  organisationOf,
  type StoredOrganisation,
  updateOrganisation,
} from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { actorOf } from "../audit/actors.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { foreignBanks, Gains } from "../reports/gains.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { type Endpoint, locate, type RecordWriter } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { recordFrom } from "../request/merge.ts";
import { keepDocuments, keepStock, type OpeningRequest } from "./opening-documents.ts";

export type StoredOpening = StoredFields<typeof openingBalance.fields>;

export const openings: Endpoint<StoredOpening, Chart> = {
  resource: openingBalance,
  listOrder: "Date",
  writer: async () => openingWriter,
};

const openingWriter: RecordWriter<StoredOpening, Chart> = {
  async alternates({ tx, entries }) {
    const { records } = await list(tx, openingBalance);
    return entries.map(() => records[0]);
  },

  clash: () => ({
    rule: "Unique",
    message: "There are opening balances already; POST changes them.",
  }),

  load: ({ tx }) => loadChart(tx),

  decide({ call, organisation }, chart, entry) {
    const { existing, input } = entry;
    const record = recordFrom(openingBalance, call, existing, input) as StoredOpening;
    record.OpeningBalanceID = organisation.OrganisationID;
    checkLock(record.Date, withoutConversion(organisation));
    if (existing !== undefined) checkLock(existing.Date, withoutConversion(organisation));
    checkAccounts(record, chart, organisation.BaseCurrency);
    entry.record = record;
  },

  async keep({ call, tx }, _chart, [entry]) {
    const { record, existing } = entry ?? {};
    if (record === undefined) return;
    const { audited, ...request } = await unlockConversionDate(call, tx, record.Date);
    record.Documents = await keepDocuments(request, record, existing);
    record.StockDocumentID = await keepStock(request, record, existing);
    record.HistoricalAdjustment = await post(request, record);
    await save(tx, openingBalance, [record]);
    await updateOrganisation(audited, { ConversionDate: record.Date });
    const { Accounts, Documents = [], Stock = [] } = record;
    await enter(call, tx, organisationResource, record.OpeningBalanceID, {
      changes: "Converted",
      details:
        `The balances of ${counted(Accounts.length, "account")} as at ${record.Date}, ` +
        `${counted(Documents.length, "open document")} and ${counted(Stock.length, "item")} on hand were taken over.`,
    });
  },
};

/** DELETE: removes everything that the opening balances created. */
export async function removeOpening(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const opening = await locate(call, tx, openings, key);
    const request = await unlockConversionDate(call, tx, undefined);
    checkLock(opening.Date, request.organisation);
    await keepDocuments(request, { ...opening, Documents: [] }, opening);
    await keepStock(request, { ...opening, Stock: [] }, opening);
    await unpost(request);
    await remove(tx, openingBalance, [opening.OpeningBalanceID]);
    await enter(call, tx, organisationResource, opening.OpeningBalanceID, {
      changes: "Converted",
      details: `The opening balances as at ${opening.Date} were taken back.`,
    });
    return answer(call, openingBalance, [opening], "single");
  });
}

const withoutConversion = <O extends object>(organisation: O) => ({
  ...organisation,
  ConversionDate: undefined,
});

/** Unlocks the conversion date itself while the opening balances change. */
async function unlockConversionDate(
  call: RequestContext,
  tx: Tx,
  newDate: string | undefined,
): Promise<OpeningRequest & { readonly audited: Audited<Tx> }> {
  const { ConversionDate: before, OrganisationID, Name } = await organisationOf(tx);
  const audited = await recordAct(tx, {
    kind: "organisation.changed",
    by: actorOf(call),
    at: call.now(),
    subject: Name,
    subjectId: OrganisationID,
    changes: [{ name: "ConversionDate", before, after: newDate }],
  });
  await updateOrganisation(audited, { ConversionDate: undefined });
  return { ...(await organisationContext(call, tx)), call, tx, audited };
}

function checkAccounts(
  { Accounts = [] }: Partial<StoredOpening>,
  chart: Chart,
  base: string,
): void {
  const faults = new Faults();
  if (Accounts.length === 0) faults.add("Required", "Opening balances name at least one account.");
  const seenAccounts = new Set<string>();
  for (const { AccountCode, CurrencyBalance } of Accounts) {
    const account = chart.account(AccountCode);
    if (account === undefined || account.Status !== "ACTIVE") {
      faults.add("NotFound", `There is no active account with code '${AccountCode}'.`);
      continue;
    }
    if (seenAccounts.has(account.AccountID))
      faults.add("Unique", `The account ${AccountCode} is named twice.`);
    seenAccounts.add(account.AccountID);
    const isForeign = account.Type === "BANK" && (account.CurrencyCode ?? base) !== base;
    if (isForeign && CurrencyBalance === undefined) {
      faults.add(
        "Currency",
        `${account.Name} is in ${account.CurrencyCode}: say in CurrencyBalance what it holds in that.`,
      );
    }
    const fault = amountFault(
      "CurrencyBalance",
      CurrencyBalance ?? 0,
      account.CurrencyCode ?? base,
    );
    if (fault !== undefined) faults.add("Currency", fault);
    if (!isForeign && CurrencyBalance !== undefined) {
      faults.add("Currency", `${account.Name} is in ${base} and has no CurrencyBalance.`);
    }
  }
  faults.check();
}

// --- the journal ------------------------------------------------------------------------------

/** Reverses the journals of the balances, whose source is the organisation, as for `/Setup`. */
async function unpost({ call, tx, organisation }: OpeningRequest): Promise<void> {
  const openingJournals = await liveJournals(tx, "source", [organisation.OrganisationID]);
  for (const { date } of openingJournals) checkLock(date, organisation);
  await appendJournals(tx, openingJournals.map(reversalJournal), call.now(), call.newId);
}

/** Posts the balances. @returns the amount on Historical Adjustment, since they do not balance */
async function post(request: OpeningRequest, record: StoredOpening): Promise<Cents> {
  const { call, tx, organisation } = request;
  await unpost(request);
  const chart = await loadChart(tx);
  const books = { ...request, chart, basis: "accrual" } as const;
  const { Date: date } = record;
  const banks = foreignBanks(books).map(({ AccountID }) => AccountID);
  const inCurrency = banks.length === 0 ? [] : await loadForeignHeld(tx, "accrual", banks, date);
  const { postings, difference } = openingPostings({
    base: chart.base,
    accounts: chart.accounts,
    ...balancesIn(record, chart),
    held: await balancesOn(tx, chart, organisation, date),
    heldForeign: new Map(inCurrency.map(({ account, amount }) => [account, amount])),
    revaluation: await new Gains(books).at(date),
  });
  const source = {
    sourceType: undefined,
    sourceId: organisation.OrganisationID,
    documentId: organisation.OrganisationID,
  };
  if (postings.length === 0) return difference;
  const journals = (["accrual", "cash"] as const).map(
    (basis): Journal => ({ basis, date, ...source, postings }),
  );
  await appendJournals(tx, journals, call.now(), call.newId);
  return difference;
}

/** Returns the balances in the record by AccountID, debit positive. */
export function balancesIn(
  { Accounts }: StoredOpening,
  chart: Chart,
): { readonly wanted: Sums; readonly wantedForeign: Sums } {
  const wantedById = new Map<string, Cents>();
  const wantedForeign = new Map<string, Cents>();
  for (const { AccountCode, Debit = 0, Credit = 0, CurrencyBalance } of Accounts) {
    const account = chart.account(AccountCode);
    if (account === undefined) throw refusal("NotFound", `There is no account '${AccountCode}'.`);
    wantedById.set(account.AccountID, (Debit - Credit) as Cents);
    if (CurrencyBalance !== undefined) wantedForeign.set(account.AccountID, CurrencyBalance);
  }
  return { wanted: wantedById, wantedForeign };
}

/** Returns the trial balance of a day on the accrual basis, by AccountID. */
export async function balancesOn(
  tx: Tx,
  { accounts }: Chart,
  { FinancialYearEndDay, FinancialYearEndMonth }: StoredOrganisation,
  date: string,
): Promise<Sums> {
  const net = async (from?: string): Promise<Sums> => {
    const rows = await sums(tx, { basis: "accrual", to: date, ...(from && { from }) });
    return new Map(rows.map(({ account, amount }) => [account, amount]));
  };
  const year = financialYear(date, FinancialYearEndDay, FinancialYearEndMonth);
  return closingBalances(accounts, await net(), await net(year.from));
}
