/**
 * The account ledger: opening balance, postings and closing balance of accounts.
 *
 * The closing balance equals the trial balance of the last day. Amounts that a trial balance
 * computes without a journal (exchange gains of open items, and the profit at a year's end) are
 * rows of their own. Rows are read in pages; a cursor says where the next page begins.
 */

import { addDays, type DateRange, mediumDate } from "../../ledger/dates/calendar.ts";
import type { SumPart } from "../../ledger/figures/counted.ts";
import { add, zeroCents } from "../../ledger/money.ts";
import {
  type GeneralLedgerRequest,
  generalLedger as generalLedgerRows,
} from "../../ledger/reports/general-ledger.ts";
import {
  type AccountInfo,
  byCode,
  closingBalances,
  figure,
  isProfitAndLoss,
  negated,
  netProfit,
  reportRange,
  type Sums,
} from "../../ledger/reports/report-rows.ts";
import type { Account } from "../../resources/account.ts";
import {
  type AccountTransaction,
  accountTransaction,
  documentKinds,
  workedOutRows,
} from "../../resources/account-transaction.ts";
import { yearMax, yearMin } from "../../resources/bounds.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import type { TrackingOption } from "../../resources/tracking-category.ts";
import { sums } from "../../store/ledger/journals.ts";
import {
  type PostingPlace,
  type PostingRow,
  postingRows,
} from "../../store/queries/account-postings.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { added, netSums, optionNamed, postingFilterOf } from "./report-columns.ts";
import {
  dateOf,
  type MakeReport,
  periodOf,
  type ReportContext,
  readingOf,
  yearOf,
} from "./report-context.ts";

/** The query of the account ledger. */
interface LedgerReportQuery {
  readonly from: string;
  readonly to: string;
  readonly options: readonly TrackingOption[];
}

/** Reads the query. @param usualRange  the default days; the current month if omitted */
function askedOf({ call, chart, today }: ReportContext, usualRange?: DateRange): LedgerReportQuery {
  const [from, to] = [dateOf(call, "fromDate"), dateOf(call, "toDate")];
  const range = reportRange(from ?? usualRange?.from, to ?? usualRange?.to, today);
  const options = ["trackingOptionID1", "trackingOptionID2"].flatMap((name) => {
    const id = call.query.get(name);
    return id === undefined ? [] : [optionNamed(chart, id)];
  });
  return { ...range, options };
}

/** Returns the balance of every account at the beginning or the end of a day. */
async function balancesOf(
  context: ReportContext,
  query: LedgerReportQuery,
  dayEnd: "opening" | "closing",
): Promise<Sums> {
  const { chart } = context;
  const day = dayEnd === "opening" ? addDays(query.from, -1) : query.to;
  const year = yearOf(context, dayEnd === "opening" ? query.from : query.to);
  const isNewYear = year.from > day;
  return closingBalances(
    chart.accounts,
    await netSums(context, undefined, day, query.options),
    isNewYear ? new Map() : await netSums(context, year.from, day, query.options),
  );
}

/** Returns the first days of financial years that begin within the range, after its first day. */
function yearsWithin(context: ReportContext, { from, to }: LedgerReportQuery): string[] {
  const starts: string[] = [];
  for (let start = addDays(yearOf(context, from).to, 1); start <= to; ) {
    starts.push(start);
    start = addDays(yearOf(context, start).to, 1);
  }
  return starts;
}

// --- the summary ------------------------------------------------------------------------------

/** GET /Reports/GeneralLedger: a summary of every account. */
export const generalLedger: MakeReport = async (context) =>
  generalLedgerRows(await generalLedgerOf(context, askedOf(context)));

/** Returns what a summary of every account needs, for a range of days. */
export async function generalLedgerOf(
  context: ReportContext,
  query: LedgerReportQuery,
): Promise<GeneralLedgerRequest> {
  const { from, to, options } = query;
  const carries = postingFilterOf(options);
  const days = { from: yearOf(context, from).from, to: addDays(from, -1) };
  const balanceById = await netSums(context, undefined, days.to, options);
  const isNewYear = days.from > days.to;
  const movements = isNewYear ? new Map() : await netSums(context, days.from, days.to, options);
  const rows = (
    await sums(context.tx, { basis: context.basis, from, to, byOption: options.length > 0 })
  ).filter((row) => carries?.(row) ?? true);
  return {
    organisation: context.organisation.Name,
    ...{ from, to },
    filter: options.map(({ Name }) => Name).join(", "),
    accounts: context.chart.accounts.toSorted(byCode),
    before: { ...periodOf(context, days, { held: balanceById, moved: movements }), carries },
    period: {
      ...periodOf(context, query, { debit: added(rows, "debit"), credit: added(rows, "credit") }),
      carries,
    },
    workedOut: await computedMovements(context, query),
  };
}

/** Returns movements without a journal: gains of open foreign items, and year-end profit. */
async function computedMovements(context: ReportContext, query: LedgerReportQuery) {
  const { chart, gains } = context;
  const { from, to, options } = query;
  const gainById = options.length > 0 ? undefined : await gains.in(new Map(), from, to);
  const yearEnds: { readonly start: string; readonly last: string; readonly sums: Sums }[] = [];
  for (const start of yearsWithin(context, query)) {
    const lastDay = addDays(start, -1);
    const yearSums = await netSums(context, yearOf(context, lastDay).from, lastDay, options);
    yearEnds.push({ start, last: lastDay, sums: yearSums });
  }
  return (account: AccountInfo): SumPart[] => [
    {
      label: "Gains of open foreign items, not realised",
      ...{ date: to, amount: gainById?.get(account.AccountID) ?? 0 },
    },
    ...yearEnds.map(({ start, last, sums: year }) => ({
      label: `Year that ended on ${mediumDate(last)}`,
      date: start,
      amount: isProfitAndLoss(account)
        ? negated(figure(year, account))
        : account.SystemAccount === "RETAINEDEARNINGS"
          ? negated(netProfit(chart.accounts, year))
          : 0,
    })),
  ];
}

// --- account rows -------------------------------------------------------------------------------

/** Returns the page size; the closing rows of an account are never split, and may exceed it. */
const pageSizeOf = ({ query }: RequestContext) => query.integer("pageSize", 1, 1_000) ?? 1_000;

/** Cursor of a page: a position in an account, or the beginning of an account. */
interface Cursor {
  readonly account: string;
  readonly place?: PostingPlace & { readonly balance: Cents };
}

/** The journal or record whose postings the query is limited to. */
interface Narrowing {
  readonly journal: number | undefined;
  readonly record: string | undefined;
}

const journalMax = 999_999_999;
const allTime: DateRange = { from: `${yearMin}-01-01`, to: `${yearMax}-12-31` };

function narrowedBy({ query }: RequestContext): Narrowing {
  const key = query.get("record");
  const record = key === undefined ? undefined : readId(key);
  if (key !== undefined && record === undefined) {
    throw refusal("Parameter", `The parameter record must be a GUID, not '${key.slice(0, 60)}'.`);
  }
  return { journal: query.integer("journal", 1, journalMax), record };
}

/** GET /Extensions/AccountTransactions: the postings of accounts in pages. */
export async function readAccountTransactions(call: RequestContext): Promise<ServiceResponse> {
  const narrowing = narrowedBy(call);
  const isNarrowed = narrowing.journal !== undefined || narrowing.record !== undefined;
  const order = call.query.choice("order", ["account", "journal"]);
  if (isNarrowed && order === "account") {
    throw refusal("Form", "The postings of a journal or a record are in the order of journals.");
  }
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const isInOrder = isNarrowed || order === "journal";
    const rows = isInOrder ? await journalPage(context, narrowing) : await accountPage(context);
    return answer(call, accountTransaction, rows, "list");
  });
}

async function accountPage(context: ReportContext): Promise<AccountTransaction[]> {
  const query = askedOf(context);
  const pageRows = pageSizeOf(context.call);
  const ends = new Ends(context, query);
  const rows: AccountTransaction[] = [];
  const start = cursorOf(context.call);
  if (start?.place !== undefined) {
    const account = accountNamed(context.chart, start.account);
    const cursor = await accountRows(context, query, { account, ends, place: start.place }, rows);
    if (cursor !== undefined) return goingOn(rows, cursor);
  }
  const accounts = await queriedAccounts(context, query, ends);
  const at = accounts.findIndex(({ AccountID }) => AccountID === start?.account);
  const isResumed = start?.place !== undefined;
  for (const account of accounts.slice(isResumed ? at + 1 : Math.max(at, 0))) {
    if (rows.length >= pageRows) return goingOn(rows, { account: account.AccountID });
    const cursor = await accountRows(context, query, { account, ends }, rows);
    if (cursor !== undefined) return goingOn(rows, cursor);
  }
  return rows;
}

/** The opening and closing balances of every account, computed when needed. */
class Ends {
  readonly #reading: ReportContext;
  readonly #asked: LedgerReportQuery;
  readonly #known = new Map<"opening" | "closing", Promise<Sums>>();
  readonly #onDays = new Map<string, Promise<Sums>>();

  constructor(context: ReportContext, query: LedgerReportQuery) {
    this.#reading = context;
    this.#asked = query;
  }

  at(point: "opening" | "closing"): Promise<Sums> {
    const balances = this.#known.get(point) ?? balancesOf(this.#reading, this.#asked, point);
    this.#known.set(point, balances);
    return balances;
  }

  async of(account: Account, point: "opening" | "closing"): Promise<Cents> {
    return figure(await this.at(point), account);
  }

  /** Returns the balance of an account at the end of a day within the range. */
  async on(account: Account, day: string): Promise<Cents> {
    const query = { ...this.#asked, to: day };
    const balances = this.#onDays.get(day) ?? balancesOf(this.#reading, query, "closing");
    this.#onDays.set(day, balances);
    return figure(await balances, account);
  }
}

function goingOn(rows: AccountTransaction[], { account, place }: Cursor): AccountTransaction[] {
  const lastRow = rows.at(-1);
  if (lastRow !== undefined) {
    lastRow.Next =
      place === undefined
        ? account
        : [account, place.date, place.number, place.ord, place.balance].join("|");
  }
  return rows;
}

function cursorOf({ query }: RequestContext): Cursor | undefined {
  const cursorText = query.get("after");
  if (cursorText === undefined) return undefined;
  const [account = "", date, ...numbers] = cursorText.split("|");
  if (date === undefined) return { account };
  const [number = Number.NaN, ord = Number.NaN, balance = Number.NaN] = numbers.map(Number);
  if (![number, ord, balance].every(Number.isSafeInteger)) {
    throw refusal("Parameter", "The parameter after must be the Next of a page before.");
  }
  return { account, place: { date, number, ord, balance: balance as Cents } };
}

/** Returns the named accounts, or all with a balance or movement. */
async function queriedAccounts(
  { call, chart, tx, basis }: ReportContext,
  { from, to }: LedgerReportQuery,
  balanceEnds: Ends,
): Promise<Account[]> {
  const accountKeys = call.query.list("accounts");
  if (accountKeys !== undefined) {
    return [...new Set(accountKeys.map((key) => accountNamed(chart, key)))];
  }
  const movedIds = new Set((await sums(tx, { basis, from, to })).map(({ account }) => account));
  const openingSums = await balanceEnds.at("opening");
  const closingSums = await balanceEnds.at("closing");
  const isShown = (account: Account) =>
    movedIds.has(account.AccountID) ||
    figure(openingSums, account) !== 0 ||
    figure(closingSums, account) !== 0;
  return chart.accounts.filter(isShown).toSorted(byCode);
}

function accountNamed(chart: Chart, key: string): Account {
  const account = chart.account(key);
  if (account === undefined) throw refusal("NotFound", `There is no account ${key.slice(0, 60)}.`);
  return account;
}

interface AccountStart {
  readonly account: Account;
  readonly ends: Ends;
  /** Position from which the account continues; its opening balance if omitted. */
  readonly place?: Cursor["place"];
}

/** Adds the rows of an account to a page. @returns the cursor when the page is full */
async function accountRows(
  context: ReportContext,
  query: LedgerReportQuery,
  { account, ends: balances, place }: AccountStart,
  rows: AccountTransaction[],
): Promise<Cursor | undefined> {
  const { tx, basis, call } = context;
  const pageRows = pageSizeOf(call);
  let at = place ?? {
    date: query.from,
    number: 0,
    ord: -1,
    balance: await balances.of(account, "opening"),
  };
  const worked = (Source: keyof typeof workedOutRows, day: string, amount?: Cents) => {
    if (amount !== undefined) at = { ...at, balance: add(at.balance, amount) };
    rows.push({
      ...ofAccount(account),
      Date: day,
      Source,
      Description: workedOutRows[Source],
      ...(amount === undefined ? {} : debitOrCredit(amount > 0 ? amount : zeroCents, amount)),
      Balance: at.balance,
    });
  };
  if (place === undefined) worked("OPENING", query.from);
  const yearStarts = yearsWithin(context, query).filter((start) => start > at.date);
  for (const nextDay of [...yearStarts, addDays(query.to, 1)]) {
    for (;;) {
      const limit = pageRows - rows.length;
      if (limit <= 0) return { account: account.AccountID, place: at };
      const postings = await postingRows(tx, {
        basis,
        account: account.AccountID,
        after: at,
        before: nextDay,
        options: query.options.map((option) => option.TrackingOptionID),
        undone: call.query.boolean("undone") === true,
        limit,
      });
      for (const row of postings) {
        at = { ...row, balance: add(at.balance, row.amount) };
        rows.push({ ...answerRow(row, context), Balance: at.balance });
      }
      if (postings.length < limit) break;
    }
    if (nextDay > query.to) break;
    // Revaluation at the rates of a year's last day belongs to that year.
    const lastDay = addDays(nextDay, -1);
    const gained = add(await balances.on(account, lastDay), negated(at.balance));
    if (gained !== 0) worked("REVALUATION", lastDay, gained);
    const profit = await yearEnd(context, query, account, nextDay, at.balance);
    if (profit !== 0) worked("YEAREND", nextDay, profit);
    at = { ...at, date: nextDay, number: 0, ord: -1 };
  }
  const remainder = add(await balances.of(account, "closing"), negated(at.balance));
  if (remainder !== 0) worked("REVALUATION", query.to, remainder);
  worked("CLOSING", query.to);
  return undefined;
}

/**
 * Returns the year-end transfer of an account: profit and loss accounts start at zero, Retained
 * Earnings take the profit.
 */
async function yearEnd(
  context: ReportContext,
  { options }: LedgerReportQuery,
  account: Account,
  start: string,
  balance: Cents,
): Promise<Cents> {
  if (isProfitAndLoss(account)) return negated(balance);
  if (account.SystemAccount !== "RETAINEDEARNINGS") return zeroCents;
  const lastDay = addDays(start, -1);
  const yearSums = await netSums(context, yearOf(context, lastDay).from, lastDay, options);
  return negated(netProfit(context.chart.accounts, yearSums));
}

// --- journal order --------------------------------------------------------------------------------

async function journalPage(
  context: ReportContext,
  { journal, record }: Narrowing,
): Promise<AccountTransaction[]> {
  const { tx, basis, call, chart } = context;
  const isOfAllTime = journal !== undefined || record !== undefined;
  const { from, to, options } = askedOf(context, isOfAllTime ? allTime : undefined);
  if (call.query.list("accounts") !== undefined)
    throw refusal("Form", "In the order of journals every account is shown.");
  const { place = { date: from, number: 0, ord: -1 } } = cursorOf(call) ?? {};
  const pageRows = pageSizeOf(call);
  const postings = await postingRows(tx, {
    basis,
    after: place,
    from,
    before: addDays(to, 1),
    journal,
    record,
    options: options.map((option) => option.TrackingOptionID),
    undone: call.query.boolean("undone") === true,
    limit: pageRows,
  });
  const rows = postings.map((row) => answerRow(row, context));
  const lastPosting = postings.at(-1);
  if (lastPosting === undefined || postings.length < pageRows) return rows;
  return goingOn(rows, {
    account: chart.system("DEBTORS").AccountID,
    place: { ...lastPosting, balance: zeroCents },
  });
}

// --- rows -----------------------------------------------------------------------------------------

const ofAccount = ({ AccountID, Code, Name }: Account) => ({
  AccountCode: Code,
  AccountName: Name,
  AccountID,
});

/** @param debit  the amount on the debit side; the rest of `amount` goes to the credit side */
function debitOrCredit(debit: Cents, amount: Cents): Pick<AccountTransaction, "Debit" | "Credit"> {
  const credit = (debit - amount) as Cents;
  return {
    ...(debit === 0 ? {} : { Debit: debit }),
    ...(credit === 0 ? {} : { Credit: credit }),
  };
}

function answerRow(row: PostingRow, { chart, organisation }: ReportContext): AccountTransaction {
  const account = chart.account(row.accountId);
  if (account === undefined) throw new Error(`A posting names no account: ${row.accountId}.`);
  const isForeign = row.currency !== null && row.currency !== organisation.BaseCurrency;
  return {
    ...ofAccount(account),
    Date: row.date,
    Source: row.sourceType ?? "CONVERSION",
    SourceID: row.sourceId,
    JournalNumber: row.number,
    ...documentOf(row),
    ...sourceDescription(row, chart),
    ...debitOrCredit(row.debit, row.amount),
    ...(row.taxType === null ? {} : { TaxType: row.taxType }),
    ...(row.taxAmount === null ? {} : { TaxAmount: row.taxAmount }),
    Tracking: trackingOf(row, chart),
    OtherAccount: contraAccount(row, chart),
    ...(row.foreign === null
      ? isForeign
        ? { CurrencyCode: row.currency as "EUR", CurrencyRate: row.rate }
        : {}
      : { CurrencyCode: account.CurrencyCode, ForeignAmount: row.foreign }),
  };
}

function documentOf({ documentKind, documentType, documentId }: PostingRow) {
  const DocumentKind = documentKinds.find((kind) => kind === documentKind);
  if (DocumentKind === undefined) return {};
  return { DocumentID: documentId, DocumentKind, DocumentType: documentType ?? undefined };
}

/** Returns number, contact, description and reference, as far as the record has them. */
function sourceDescription(
  row: PostingRow,
  chart: Chart,
): Pick<AccountTransaction, "Number" | "Contact" | "Description" | "Reference"> {
  const { sourceType, contact, documentNumber, description } = row;
  if (sourceType === null) return { Description: workedOutRows.OPENING };
  if (sourceType === "MANJOURNAL") {
    return {
      Number: String(row.number),
      Description: description ?? row.narration ?? undefined,
    };
  }
  if (sourceType === "TRANSFER") {
    const otherBank = row.fromBank === row.accountId ? row.toBank : row.fromBank;
    return {
      Number: otherBank === null ? undefined : chart.account(otherBank)?.Name,
      Description: description ?? undefined,
      Reference: row.reference ?? undefined,
    };
  }
  return {
    Number: documentNumber ?? undefined,
    Contact: contact ?? undefined,
    Description: description ?? contact ?? undefined,
    Reference:
      (row.sourceId === row.documentId ? row.documentReference : undefined) ??
      row.reference ??
      row.documentReference ??
      documentNumber ??
      undefined,
  };
}

function trackingOf({ option1, option2 }: PostingRow, chart: Chart): string | undefined {
  const ids = [option1, option2].filter((id) => id !== "");
  if (ids.length === 0) return undefined;
  const options = chart.tracking.flatMap(({ Options }) => Options);
  return ids
    .map((id) => options.find(({ TrackingOptionID }) => TrackingOptionID === id)?.Name ?? id)
    .join(", ");
}

function contraAccount({ otherFirst, otherLast }: PostingRow, chart: Chart): string | undefined {
  if (otherFirst === null) return undefined;
  if (otherFirst !== otherLast) return "Split";
  const account = chart.account(otherFirst);
  return account?.Code ?? account?.Name;
}
