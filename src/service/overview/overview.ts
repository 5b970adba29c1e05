/**
 * GET /Extensions/Overview: the state of the company today.
 *
 * Every figure equals the figure of a report or a list, but is computed from stored sums and small
 * indexes, so that the cost does not depend on the size of the book.
 */
import {
  addDays,
  addMonths,
  type DateRange,
  endOfMonth,
  monthOf,
  startOfMonth,
} from "../../ledger/dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../../ledger/money.ts";
import { unrealisedGain } from "../../ledger/postings/currency.ts";
import {
  type AgedEntry,
  bucketAt,
  bucketNames,
  groupByBucket,
} from "../../ledger/reports/contacts/aged-contacts.ts";
import { figure, negated, netProfit, type Sums } from "../../ledger/reports/report-rows.ts";
import { nextReturn, returnTypeOf } from "../../ledger/reports/tax/returns/periods.ts";
import {
  dueDays,
  type Overview,
  type Owed,
  overview,
  overviewMonths,
} from "../../resources/overview.ts";
import { sums, taxSum } from "../../store/ledger/journals.ts";
import { loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import {
  loadDatedLater,
  monthSums,
  movementsLaterInMonth,
  openByDueDay,
  topDebtors,
  unreconciledLines,
  waitingDocuments,
} from "../../store/queries/overview-sums.ts";
import { filedSoFar } from "../../store/queries/published.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { controlPlaces } from "../documents/document-registry.ts";
import { foreignBanks, loadKnownRates } from "../reports/gains.ts";
import { type ReportContext, readingOf } from "../reports/report-context.ts";
import { taxBasisOf } from "../reports/tax/tax-sums.ts";
import { answer, answerFields } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";

export async function readOverview(call: RequestContext): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const records = [await overviewOf(await readingOf(call, tx))];
    if (call.request.wanted !== undefined) return answerFields(call, overview, records, undefined);
    return answer(call, overview, records, "single");
  });
}

async function overviewOf(context: ReportContext): Promise<Overview> {
  const { tx, organisation, today } = context;
  const months = await monthsOf(context);
  const [same] = await resultsOf(context, [await sameMonthLastYear(context)]);
  const banks = await banksOf(context, months);
  const { receivables, payables } = await owedOf(context);
  return {
    OrganisationID: organisation.OrganisationID,
    Name: organisation.Name,
    CountryCode: organisation.CountryCode,
    Date: today,
    BaseCurrency: organisation.BaseCurrency,
    BankAccounts: banks,
    Cash: sum(banks.map(({ Balance }) => Balance)),
    Receivables: receivables,
    Payables: payables,
    Waiting: (await waitingDocuments(tx)).map(({ type, status, count, first }) => ({
      Type: type,
      Status: status,
      Count: count,
      FromDate: first,
    })),
    Tax: await taxOf(context),
    PeriodLockDate: organisation.PeriodLockDate,
    EndOfYearLockDate: organisation.EndOfYearLockDate,
    Months: await resultsOf(context, months),
    SameMonthLastYear: same as Overview["SameMonthLastYear"],
    Debtors: (await topDebtors(tx, today, debtorsMax)).map(({ contact, name, amount, due }) => ({
      ContactID: contact,
      Name: name,
      Amount: amount,
      DueDate: due,
    })),
  };
}

/** Number of customers who are named. */
const debtorsMax = 5;

// --- months --------------------------------------------------------------------------------------

interface MonthMoved extends DateRange {
  /** Sums of the whole month, including future days. */
  readonly movedById: Sums;
}

/** Returns the months of the overview, the current one last. */
async function monthsOf({ tx, today }: ReportContext): Promise<MonthMoved[]> {
  const starts = Array.from({ length: overviewMonths }, (_, at) =>
    addMonths(startOfMonth(today), at - overviewMonths + 1),
  );
  const sums = await monthSums(tx, monthOf(starts[0] ?? today), monthOf(today));
  const byMonth = Map.groupBy(sums, ({ month }) => month);
  return starts.map((from) => ({
    from,
    to: endOfMonth(from),
    movedById: new Map((byMonth.get(monthOf(from)) ?? []).map((row) => [row.account, row.amount])),
  }));
}

async function sameMonthLastYear({ tx, today }: ReportContext): Promise<MonthMoved> {
  const from = addMonths(startOfMonth(today), -12);
  const rows = await monthSums(tx, monthOf(from), monthOf(from));
  return {
    from,
    to: endOfMonth(from),
    movedById: new Map(rows.map(({ account, amount }) => [account, amount])),
  };
}

/** Returns active bank accounts by name, and archived ones with a balance. */
async function banksOf(
  context: ReportContext,
  months: readonly MonthMoved[],
): Promise<NonNullable<Overview["BankAccounts"]>> {
  const { tx, chart, gains, organisation, today } = context;
  const banks = chart.accounts.filter(({ Type }) => Type === "BANK");
  const ids = banks.map(({ AccountID }) => AccountID);
  const firstDay = months[0]?.from ?? today;
  const before = await sums(tx, { basis: "accrual", accounts: ids, to: addDays(firstDay, -1) });
  const balanceById = new Map(before.map(({ account, amount }) => [account, amount]));
  const laterById = await movementsLaterInMonth(tx, ids, today);
  const monthEnds: { readonly date: string; readonly balances: Sums }[] = [];
  for (const { to, movedById } of months) {
    for (const id of ids) {
      balanceById.set(id, add(balanceById.get(id) ?? zeroCents, movedById.get(id) ?? zeroCents));
    }
    const isNow = monthOf(to) === monthOf(today);
    if (isNow) {
      for (const [id, amount] of laterById) {
        balanceById.set(id, add(balanceById.get(id) ?? zeroCents, negated(amount)));
      }
    }
    const date = isNow ? today : to;
    monthEnds.push({ date, balances: await gains.in(new Map(balanceById), undefined, date) });
  }
  const waitingById = await unreconciledLines(tx, ids);
  const foreign = foreignBanks(context).map(({ AccountID }) => AccountID);
  const holdings = foreign.length === 0 ? [] : await loadForeignHeld(tx, "accrual", foreign, today);
  return banks
    .map((account) => {
      const { AccountID, Code, Name, CurrencyCode = organisation.BaseCurrency } = account;
      const unreconciled = waitingById.get(AccountID);
      const History = monthEnds.map(({ date, balances }) => ({
        Date: date,
        Balance: figure(balances, account),
      }));
      const isListed = account.Status === "ACTIVE" || History.at(-1)?.Balance !== 0;
      const inCurrency = holdings.find((each) => each.account === AccountID)?.amount ?? zeroCents;
      return {
        isHere: isListed,
        bank: {
          AccountID,
          Code,
          Name,
          CurrencyCode,
          Balance: History.at(-1)?.Balance ?? zeroCents,
          BalanceInCurrency: foreign.includes(AccountID) ? inCurrency : undefined,
          UnreconciledLines: unreconciled?.count ?? 0,
          UnreconciledFrom: unreconciled?.first,
          History,
        },
      };
    })
    .filter(({ isHere }) => isHere)
    .map(({ bank }) => bank)
    .sort((a, b) => compareNames(a.Name, b.Name));
}

const compareNames = (a: string, b: string) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0;

/** Returns income and expenses of each month, as in its profit and loss. */
async function resultsOf(
  { chart, gains }: ReportContext,
  months: readonly MonthMoved[],
): Promise<NonNullable<Overview["Months"]>> {
  const revenue = chart.accounts.filter(({ Class }) => Class === "REVENUE");
  const results = [];
  for (const { from, to, movedById } of months) {
    const sumById = await gains.in(movedById, from, to);
    const Income = negated(sum(revenue.map((account) => figure(sumById, account))));
    const Profit = netProfit(chart.accounts, sumById);
    const Expenses = add(Income, negated(Profit));
    results.push({ FromDate: from, ToDate: to, Income, Expenses, Profit });
  }
  return results;
}

// --- owed to us and by us ------------------------------------------------------------------------

const bounds = [30, 60, 90];

/** Sum of documents in one ageing bucket, or a single document. */
interface OwedSum extends Pick<AgedEntry, "from" | "amount"> {
  readonly count: number;
}

/** Returns today's aged receivables and payables. */
async function owedOf(context: ReportContext): Promise<Record<"receivables" | "payables", Owed>> {
  const { tx, chart, organisation, today } = context;
  const placeByType = controlPlaces();
  const types = [...placeByType.keys()];
  const owed = { DEBTORS: [] as OwedSum[], CREDITORS: [] as OwedSum[] };
  const enter = (type: string, from: string, count: number, amount: Cents) => {
    const controlPlace = placeByType.get(type);
    if (controlPlace === undefined || amount === 0) return;
    const sign = controlPlace.side * (controlPlace.control === "DEBTORS" ? 1 : -1);
    owed[controlPlace.control].push({ from, count, amount: (sign * amount) as Cents });
  };
  const exact = await loadDatedLater(tx, types, today);
  const paidByKey = new Map<string, { count: number; amount: Cents }>();
  for (const exactDue of exact) {
    if (exactDue.counted === 0) continue;
    const key = `${exactDue.type} ${exactDue.due}`;
    const { count, amount } = paidByKey.get(key) ?? { count: 0, amount: zeroCents };
    paidByKey.set(key, { count: count + 1, amount: add(amount, exactDue.amount) });
  }
  for (const { type, due, count, amount } of await openByDueDay(tx, types, today)) {
    const less = paidByKey.get(`${type} ${due}`);
    paidByKey.delete(`${type} ${due}`);
    enter(type, due, count - (less?.count ?? 0), add(amount, negated(less?.amount ?? zeroCents)));
  }
  const foreign = exact.map(({ currency }) => currency);
  const rateByCurrency = await loadKnownRates(
    context,
    today,
    foreign.filter((currency) => currency !== organisation.BaseCurrency),
  );
  for (const { type, due, currency, open, openBase } of exact) {
    const rate = rateByCurrency.get(currency);
    const gain =
      rate === undefined ? zeroCents : unrealisedGain(open, openBase, chart.exchange(rate));
    enter(type, due, 1, add(openBase, gain));
  }
  return { receivables: sumOwed(owed.DEBTORS, today), payables: sumOwed(owed.CREDITORS, today) };
}

function sumOwed(entries: readonly OwedSum[], today: string): Owed {
  const ageing = { date: today, isByDueDate: true, bounds };
  const names = bucketNames(ageing).slice(0, -2);
  const amounts = groupByBucket(entries, ageing).map((own) => sum(own.map((each) => each.amount)));
  const counts = names.map(() => 0);
  const weekEnd = addDays(today, dueDays - 1);
  let [due, dueCount] = [zeroCents, 0];
  for (const { from, amount, count } of entries) {
    if (amount <= 0) continue;
    const at = bucketAt(from, ageing);
    counts[at] = (counts[at] ?? 0) + count;
    if (from < today || from > weekEnd) continue;
    due = add(due, amount);
    dueCount += count;
  }
  return {
    Buckets: names.map((Name, at) => ({
      Name,
      Amount: amounts[at] ?? zeroCents,
      Count: counts[at] ?? 0,
    })),
    Credits: amounts.at(-2) ?? zeroCents,
    Total: amounts.at(-1) ?? zeroCents,
    Overdue: sum(amounts.slice(1, -2)),
    OverdueCount: counts.slice(1).reduce((total, count) => total + count, 0),
    DueThisWeek: due,
    DueThisWeekCount: dueCount,
  };
}

// --- tax -----------------------------------------------------------------------------------------

/** Returns the tax so far of the next return, as in the tax summary. */
async function taxOf({ tx, organisation, today }: ReportContext): Promise<Overview["Tax"]> {
  const type = returnTypeOf(organisation);
  if (type === undefined) return undefined;
  const filedTo = (await filedSoFar(tx, type))?.to ?? organisation.ConversionDate;
  const range = nextReturn(organisation, today, filedTo);
  if (range === undefined) return undefined;
  const basis = taxBasisOf(organisation.SalesTaxBasis);
  const Amount = negated(await taxSum(tx, { basis, ...range }));
  return { ReportType: type, FromDate: range.from, ToDate: range.to, Amount };
}
