/** Monthly depreciation runs of fixed assets, disposals, and the reversal of both. */

import {
  type AssetAccounts,
  type AssetBooks,
  type AssetLine,
  accumulatedAt,
  type Charge,
  depreciableOf,
  depreciationLines,
  disposalLines,
  firstDayOf,
  gainsOf,
  monthEnds,
  yearIn,
} from "../../ledger/assets.ts";
import {
  addDays,
  endOfMonth,
  longDate,
  monthYear,
  startOfMonth,
} from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../ledger/money.ts";
import type { Account } from "../../resources/account.ts";
import { type AssetDisposal, assetDisposal } from "../../resources/asset.ts";
import { amountFault, amountText, smallestAmount } from "../../resources/common.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import { asset, manualJournal } from "../../resources/index.ts";
import { validate } from "../../resources/validate.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import {
  addDepreciation,
  type Depreciation,
  type DepreciationSum,
  depreciationAfter,
  depreciationByAsset,
  depreciationJournals,
  depreciationOver,
  removeDepreciation,
} from "../../store/records/depreciation.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import {
  manualJournalsEndpoint,
  type StoredManualJournal,
} from "../manual-journals/manual-journal.ts";
import { answer } from "../request/answer.ts";
import {
  type OrganisationContext,
  organisationContext,
  type RequestContext,
} from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { withDefaults } from "../request/merge.ts";
import { readInputs, writeAll } from "../request/write.ts";
import {
  accumulatedOf,
  assets,
  liveAssets,
  type StoredAsset,
  withValues,
} from "./asset-register.ts";

interface AssetRequest extends OrganisationContext {
  readonly call: RequestContext;
  readonly tx: Tx;
  readonly books: AssetBooks;
}

async function assetRequest(call: RequestContext, tx: Tx): Promise<AssetRequest> {
  const context = await organisationContext(call, tx);
  const {
    FinancialYearEndDay: day,
    FinancialYearEndMonth: month,
    BaseCurrency,
  } = context.organisation;
  const books = { yearEnd: { day, month }, smallest: smallestAmount(BaseCurrency) };
  return { ...context, call, tx, books };
}

/**
 * A depreciating asset has both accounts; an asset that does not depreciate is never posted to
 * them.
 */
const accountsOf = (record: StoredAsset): AssetAccounts => ({
  AssetAccount: record.AssetAccount ?? {},
  AccumulatedAccount: record.AccumulatedAccount ?? record.AssetAccount ?? {},
  ExpenseAccount: record.ExpenseAccount ?? {},
});

// --- depreciation runs -----------------------------------------------------------------------

interface Run {
  readonly end: string;
  readonly charges: readonly (Charge & { readonly record: StoredAsset })[];
}

/** Returns the monthly runs up to a day that have depreciation to post. */
function loadRunsUntil(
  { books }: AssetRequest,
  records: readonly StoredAsset[],
  depreciationById: ReadonlyMap<string, DepreciationSum>,
  to: string,
): Run[] {
  const byMonth = new Map<string, (Charge & { readonly record: StoredAsset })[]>();
  for (const record of records) {
    if (record.Status !== "REGISTERED") continue;
    const lastDate = depreciationById.get(record.AssetID)?.last;
    let postedSum = accumulatedOf(record, depreciationById);
    const from = lastDate === undefined ? firstDayOf(record) : addDays(endOfMonth(lastDate), 1);
    for (const monthEnd of monthEnds(from, to)) {
      if (postedSum >= depreciableOf(record)) break;
      const reached = accumulatedAt(record, monthEnd, books);
      const amount = (reached - postedSum) as Cents;
      if (amount === 0) continue;
      postedSum = reached;
      const charges = byMonth.get(monthEnd) ?? [];
      charges.push({ asset: accountsOf(record), amount, record });
      byMonth.set(monthEnd, charges);
    }
  }
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([end, charges]) => ({ end, charges }));
}

/** Returns the month ends up to `to` whose depreciation is not posted yet. */
export async function monthsDue(call: RequestContext, tx: Tx, to: string): Promise<string[]> {
  const request = await assetRequest(call, tx);
  const runs = loadRunsUntil(request, await liveAssets(tx), await depreciationByAsset(tx), to);
  return runs.map(({ end }) => end);
}

/** POST /Extensions/Assets/Depreciate: posts one manual journal for each month ended by `to`. */
export async function depreciate(call: RequestContext): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const request = await assetRequest(call, tx);
    const { today, books } = request;
    const to = call.query.day("to") ?? addDays(startOfMonth(today), -1);
    const { to: yearEnd } = yearIn(today, books.yearEnd);
    if (to > yearEnd) {
      throw refusal(
        "Depreciation",
        `Depreciation is run up to the end of this financial year, ${longDate(yearEnd)}.`,
      );
    }
    const runs = loadRunsUntil(request, await liveAssets(tx), await depreciationByAsset(tx), to);
    const journals = await post(
      request,
      runs.map(({ end, charges }) => ({
        date: end,
        narration: `Depreciation of ${monthYear(end)}`,
        lines: depreciationLines(charges),
      })),
    );
    const rows = runs.flatMap(({ end, charges }, at) =>
      charges.map(
        ({ record, amount }): Depreciation => ({
          assetId: record.AssetID,
          journalId: journals[at]?.ManualJournalID ?? "",
          date: end,
          amount,
        }),
      ),
    );
    await addDepreciation(tx, rows);
    return answer(call, manualJournal, journals, "single");
  });
}

interface PostedDepreciation {
  readonly date: string;
  readonly narration: string;
  readonly lines: readonly AssetLine[];
}

/** Posts manual journals by the rules of `/ManualJournals`. */
async function post(
  request: AssetRequest,
  journals: readonly PostedDepreciation[],
): Promise<StoredManualJournal[]> {
  const writtenItems = await writeAll(
    request,
    manualJournalsEndpoint,
    journals.map(({ date, narration, lines }) => ({
      input: {
        Narration: narration,
        Date: date,
        Status: "POSTED",
        LineAmountTypes: "NoTax",
        JournalLines: lines.map(({ account, amount, description }) => ({
          AccountID: account,
          LineAmount: amount,
          Description: description,
        })),
      },
    })),
  );
  return isKeptRun(request, writtenItems);
}

async function isKeptRun(
  { call, tx }: AssetRequest,
  written: Awaited<ReturnType<typeof writeAll<StoredManualJournal, never>>>,
): Promise<StoredManualJournal[]> {
  const errors = written.flatMap((writeItem) => writeItem.errors);
  if (errors.length > 0) throw refusalFor(errors);
  for (const { record, history } of written) {
    await enter(call, tx, manualJournal, record?.ManualJournalID ?? "", ...history);
  }
  return written.flatMap(({ record }) => record ?? []);
}

// --- rollback --------------------------------------------------------------------------------

/**
 * POST /Extensions/Assets/Rollback: voids depreciation journals after the month end `to`, or only
 * those in `journals`.
 *
 * @throws RefusedError where later depreciation of an asset is posted
 */
export async function rollBack(call: RequestContext): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const request = await assetRequest(call, tx);
    const journals = await requestedJournals(request);
    const storedJournals = await fetch(tx, manualJournal, "ManualJournalID", journals);
    const disposed = (await liveAssets(tx)).filter(({ DisposalJournalID: id }) =>
      journals.includes(id ?? ""),
    );
    await restore(request, disposed);
    await removeDepreciation(tx, journals);
    const newest = storedJournals.toSorted((a, b) => (a.Date < b.Date ? 1 : -1));
    const voided = await writeAll(
      request,
      manualJournalsEndpoint,
      newest.map((journal) => ({ input: { Status: "VOIDED" }, existing: journal })),
    );
    return answer(call, manualJournal, await isKeptRun(request, voided), "single");
  });
}

async function requestedJournals({ call, tx }: AssetRequest): Promise<readonly string[]> {
  const day = call.query.day("to");
  const ids = call.query.list("journals");
  if (ids === undefined) {
    if (day === undefined)
      throw refusal("Required", "Say with `to` after which month end to roll back.");
    return depreciationAfter(tx, endOfMonth(day));
  }
  if (day !== undefined) throw refusal("Form", "Give `to` or `journals`, not both.");
  const knownIds = await depreciationJournals(tx, ids);
  const unknownId = ids.find((id) => !knownIds.has(id));
  if (unknownId !== undefined)
    throw refusal("Depreciation", `The journal ${unknownId} has no depreciation.`);
  const [later] = await depreciationOver(tx, ids);
  if (later !== undefined) {
    const [record] = await fetch(tx, asset, "AssetID", [later.assetId]);
    throw refusal(
      "Depreciation",
      `Depreciation of ${record?.AssetNumber} is posted up to ${longDate(later.date)}; roll back what is later first.`,
    );
  }
  return ids;
}

/** Reverses the disposal of assets. */
async function restore(
  { call, tx }: AssetRequest,
  disposed: readonly StoredAsset[],
): Promise<void> {
  const records = disposed.map(
    (record): StoredAsset => ({
      ...record,
      Status: "REGISTERED",
      DisposalDate: undefined,
      DisposalProceeds: undefined,
      CapitalGain: undefined,
      Gain: undefined,
      DisposalJournalID: undefined,
      UpdatedDateUTC: call.now(),
    }),
  );
  await save(tx, asset, records);
  for (const { AssetID, DisposalDate = "" } of disposed) {
    await enter(call, tx, asset, AssetID, {
      changes: "Restored",
      details: `The disposal of ${longDate(DisposalDate)} was undone.`,
    });
  }
}

// --- disposal --------------------------------------------------------------------------------

type DisposalAccount = "ProceedsAccount" | "GainAccount" | "CapitalGainAccount" | "LossAccount";

/** POST /Extensions/Assets/{AssetID}/Dispose. */
export async function dispose(call: RequestContext, key: string): Promise<ServiceResponse> {
  const [sent = {}] = readInputs(call, { resource: assetDisposal }, 1);
  const faults = new Faults();
  faults.addAll(validate(assetDisposal.fields, sent, { creating: true }));
  faults.check();
  const input = withDefaults<AssetDisposal>(assetDisposal.fields, sent);
  return call.write(async (tx) => {
    const request = await assetRequest(call, tx);
    const storedAsset = await locate(call, tx, assets, key);
    const depreciationById = await depreciationByAsset(tx);
    checkDisposal(request, storedAsset, input, depreciationById.get(storedAsset.AssetID)?.last);
    const chargedBefore = accumulatedOf(storedAsset, depreciationById);
    const accumulated = accumulatedOn(request, storedAsset, input);
    const { Proceeds: proceeds, Date: date } = input;
    const { capital, gain } = gainsOf(storedAsset.Cost, accumulated, proceeds);
    const chart = await loadChart(tx);
    const charge = (accumulated - chargedBefore) as Cents;
    const accountsUsed = disposalAccounts(storedAsset, input, chart, { proceeds, capital, gain });
    const lines = disposalLines({
      asset: { ...accountsOf(storedAsset), Cost: storedAsset.Cost },
      charge,
      accumulated,
      proceeds,
      accounts: accountsUsed,
    });
    const narration = `Disposal of ${storedAsset.AssetNumber} ${storedAsset.Name}`.slice(0, 4000);
    const [journal] = await post(request, [{ date, narration, lines }]);
    const journalId = journal?.ManualJournalID ?? "";
    await addDepreciation(tx, [{ assetId: storedAsset.AssetID, journalId, date, amount: charge }]);
    const record: StoredAsset = {
      ...storedAsset,
      Status: "DISPOSED",
      DisposalDate: date,
      DisposalProceeds: proceeds,
      CapitalGain: capital,
      Gain: gain,
      DisposalJournalID: journalId,
      UpdatedDateUTC: call.now(),
    };
    await save(tx, asset, [record]);
    await enter(call, tx, asset, storedAsset.AssetID, {
      changes: "Disposed",
      details: `The asset was disposed of on ${longDate(date)} for ${amountText(proceeds, chart.base)}.`,
    });
    return answer(call, asset, withValues([record], await depreciationByAsset(tx)), "single");
  });
}

function checkDisposal(
  { organisation }: AssetRequest,
  { AssetNumber, Status, PurchaseDate }: StoredAsset,
  { Date: date, Proceeds }: AssetDisposal,
  last: string | undefined,
): void {
  const faults = new Faults();
  if (Status !== "REGISTERED")
    faults.add("Status", `The asset ${AssetNumber} is ${Status.toLowerCase()}.`);
  if (date < PurchaseDate)
    faults.add("Depreciation", "An asset is not disposed of before it is bought.");
  if (last !== undefined && last > date) {
    faults.add(
      "Depreciation",
      `Depreciation is posted up to ${longDate(last)}; roll back what is after ${longDate(date)} first.`,
    );
  }
  const fault = amountFault("Proceeds", Proceeds, organisation.BaseCurrency);
  if (fault !== undefined) faults.add("Currency", fault);
  faults.check();
}

/**
 * Returns the depreciation accumulated by a day; with full months, the month of the disposal is
 * excluded.
 */
function accumulatedOn(
  { books }: AssetRequest,
  record: StoredAsset,
  { Date: date, Depreciation: how }: AssetDisposal,
): Cents {
  if (how === "NONE")
    return accumulatedAt(record, addDays(yearIn(date, books.yearEnd).from, -1), books);
  const isFullMonth = record.Averaging === "FullMonth";
  return accumulatedAt(record, isFullMonth ? addDays(startOfMonth(date), -1) : date, books);
}

const isResult = ({ Class }: Account) => Class === "REVENUE" || Class === "EXPENSE";

/** Returns the accounts that a disposal posts to: the named ones, else the chart's defaults. */
function disposalAccounts(
  record: StoredAsset,
  input: AssetDisposal,
  chart: Chart,
  { proceeds, capital, gain }: Readonly<Record<"proceeds" | "capital" | "gain", Cents>>,
) {
  const faults = new Faults();
  const own = accountsOf(record);
  const results = chart.accounts.filter((each) => each.Status === "ACTIVE" && isResult(each));
  const usualLoss = results.find(({ Name }) => /disposal|sale of .*assets/i.test(Name));
  const usualGain = usualLoss ?? results.find(({ Type }) => Type === "OTHERINCOME");
  const chooseAccount = (
    field: DisposalAccount,
    isNeeded: boolean,
    usualAccount: Partial<Account> | undefined,
    isSuitable: (account: Account) => boolean,
  ): Partial<Account> => {
    const key = input[field]?.AccountID || input[field]?.Code;
    if (key === undefined) {
      if (isNeeded && usualAccount?.AccountID === undefined)
        faults.add("Required", `Say which ${field} it is.`);
      return usualAccount ?? {};
    }
    const match = chart.account(key);
    if (match !== undefined && match.Status === "ACTIVE" && isSuitable(match)) return match;
    faults.add("Form", `The ${field} '${key}' is not an active account that takes it.`);
    return {};
  };
  const isAnother = ({ AccountID }: Account) =>
    AccountID !== own.AccumulatedAccount.AccountID && AccountID !== own.AssetAccount.AccountID;
  const gains = chooseAccount("GainAccount", gain > 0, usualGain ?? own.ExpenseAccount, isResult);
  const accounts = {
    proceeds: chooseAccount("ProceedsAccount", proceeds > 0, undefined, isAnother),
    gain: gains,
    capital: chooseAccount(
      "CapitalGainAccount",
      capital > 0,
      gains,
      (gain) => isResult(gain) || gain.Class === "EQUITY",
    ),
    loss: chooseAccount("LossAccount", gain < 0, usualLoss ?? own.ExpenseAccount, isResult),
  };
  faults.check();
  return accounts;
}
