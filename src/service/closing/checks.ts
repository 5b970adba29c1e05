/** /Extensions/ClosingChecks: the checks of an accountant before a period is closed. */

import { addDays, addMonths, mediumDate, startOfMonth } from "../../ledger/dates/calendar.ts";
import { figureValue } from "../../ledger/figures/expression.ts";
import { sum } from "../../ledger/money.ts";
import { compareAssets } from "../../ledger/reports/fixed-assets.ts";
import {
  nextReturn,
  returnFrom,
  returnMonths,
  returnTypeOf,
} from "../../ledger/reports/tax/returns/periods.ts";
import { taxOf, unexplainedTax } from "../../ledger/reports/tax/tax-reconciliation.ts";
import {
  type ClosingCheck,
  type ClosingCheckName,
  closingCheck,
  closingChecks,
} from "../../resources/closing-check.ts";
import { amountText } from "../../resources/common.ts";
import { type Cents, shortDecimal } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { sums } from "../../store/ledger/journals.ts";
import {
  closingUpTo,
  lineSumBetween,
  nextStatedBalance,
} from "../../store/queries/bank-balances.ts";
import {
  bankStandings,
  creditsBesideInvoices,
  loadUnapproved,
  stockStandings,
} from "../../store/queries/closing.ts";
import { foreignOpen } from "../../store/queries/foreign-balances.ts";
import { filedSoFar } from "../../store/queries/published.ts";
import { dueDates } from "../../store/queries/repeating.ts";
import { lacksBankDetails, themesOf } from "../../store/records/branding.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { monthsDue } from "../assets/depreciation.ts";
import { controlPlaces } from "../documents/document-registry.ts";
import { agedAt } from "../reports/contacts/aged.ts";
import { registerAt } from "../reports/fixed-assets.ts";
import { foreignBanks, loadKnownRates } from "../reports/gains.ts";
import { type ReportContext, readingOf, yearOf } from "../reports/report-context.ts";
import { taxAccountIn } from "../reports/tax/tax-reconciliation.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";

/** A finding of a check. */
type ClosingFinding = Omit<ClosingCheck, "Check" | "Name" | "Status">;

/** Runs one check for the end of a day, and returns its findings. */
type CheckRun = (context: ReportContext, date: string) => Promise<ClosingFinding[]>;

/** GET /Extensions/ClosingChecks: answers all checks, with a row for each finding. */
export async function readClosingChecks(call: RequestContext): Promise<ServiceResponse> {
  const date = call.query.day("date");
  if (date === undefined) throw refusal("Parameter", "The parameter date is required.");
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const rows: ClosingCheck[] = [];
    for (const [name, check] of Object.entries(checks) as [ClosingCheckName, CheckRun][]) {
      const findings = await check(context, date);
      const own = { Check: name, Name: closingChecks[name] };
      if (findings.length === 0) rows.push({ ...own, Status: "OK" });
      rows.push(...findings.map((each): ClosingCheck => ({ ...own, Status: "OPEN", ...each })));
    }
    return answer(call, closingCheck, rows, "list");
  });
}

/** Returns a finding where two amounts differ that should be equal. */
function ifGap({ chart }: ReportContext, amount: Cents, in_: string): ClosingFinding[] {
  if (amount === 0) return [];
  return [{ Found: `${amountText(amount, chart.base)} is ${in_}`, Amount: amount }];
}

const waitingWords: Readonly<Record<string, readonly [string, string]>> = {
  ACCREC: ["invoice", "invoices"],
  ACCPAY: ["bill", "bills"],
  ACCRECCREDIT: ["credit note", "credit notes"],
  ACCPAYCREDIT: ["supplier credit", "supplier credits"],
  MANJOURNAL: ["manual journal", "manual journals"],
};

const checks: Readonly<Record<ClosingCheckName, CheckRun>> = {
  async bankStatements({ tx, chart }, date) {
    return (await bankStandings(tx, date)).flatMap(({ accountId, last }) => {
      if (last >= date) return [];
      const { Name = "", Code } = chart.account(accountId) ?? {};
      const Found = `${Name}: statements end on ${mediumDate(last)}`;
      return [{ Subject: Code, SubjectID: accountId, Found, FromDate: last }];
    });
  },

  async bankBalances(context, date) {
    const { tx, chart, organisation } = context;
    const openingDate = organisation.ConversionDate;
    const banks = chart.accounts.filter(
      ({ Type, Status }) => Type === "BANK" && Status === "ACTIVE",
    );
    const accounts = banks.map(({ AccountID }) => AccountID);
    if (accounts.length === 0) return [];
    const from = openingDate && addDays(openingDate, 1);
    const movements = await sums(tx, { basis: "accrual", accounts, from, to: date });
    const findings: ClosingFinding[] = [];
    for (const { AccountID, Code, Name } of banks) {
      const hasPostings = movements.some(({ account }) => account === AccountID);
      if (!hasPostings && (await lineSumBetween(tx, AccountID, "", date)).last === null) continue;
      const last = await closingUpTo(tx, AccountID, date);
      if (last?.date === date || (last && (await nextStatedBalance(tx, AccountID, date)))) continue;
      findings.push({
        Subject: Code,
        SubjectID: AccountID,
        Found: `No balance of the bank for ${Code ?? Name} at ${mediumDate(date)}`,
        FromDate: last?.date,
      });
    }
    return findings;
  },

  async bankLines({ tx, chart }, date) {
    return (await bankStandings(tx, date)).flatMap(({ accountId, open, firstOpen }) => {
      if (open === 0) return [];
      const { Name = "", Code } = chart.account(accountId) ?? {};
      const since = firstOpen === null ? "" : `, the first of ${mediumDate(firstOpen)}`;
      return [
        {
          Subject: Code,
          SubjectID: accountId,
          Found: `${Name}: ${counted(open, "line")}${since}`,
          Count: open,
          FromDate: firstOpen ?? undefined,
        },
      ];
    });
  },

  async drafts({ tx }, date) {
    return (await loadUnapproved(tx, date)).map(({ type, status, count, first }) => {
      const [one, several] = waitingWords[type] ?? ["document", "documents"];
      const state = status === "DRAFT" ? "in draft" : "awaiting approval";
      const Found = `${counted(count, one, several)} ${state}, the first of ${mediumDate(first)}`;
      return { Subject: type, Found, Count: count, FromDate: first };
    });
  },

  async repeating({ tx }, date) {
    const due = await dueDates(tx, date);
    const [first] = due;
    if (first === undefined) return [];
    const Found = `${counted(due.length, "template")} due, the first on ${mediumDate(first.date)}`;
    return [{ Found, Count: due.length, FromDate: first.date }];
  },

  async depreciation({ call, tx }, date) {
    const missing = await monthsDue(call, tx, date);
    const [first] = missing;
    if (first === undefined) return [];
    const Found = `${counted(missing.length, "month")} from ${mediumDate(startOfMonth(first))} on`;
    return [{ Found, Count: missing.length, FromDate: startOfMonth(first) }];
  },

  async rates(context, date) {
    const { tx, organisation } = context;
    const foreignDocs = await foreignOpen(tx, [...controlPlaces().keys()], date);
    const usedCurrencies = new Set([
      ...foreignDocs.map(({ currency }) => currency),
      ...foreignBanks(context).map(({ CurrencyCode = organisation.BaseCurrency }) => CurrencyCode),
    ]);
    const knownRates = await loadKnownRates(context, date, [...usedCurrencies]);
    return [...usedCurrencies]
      .filter((currency) => !knownRates.has(currency))
      .sort()
      .map((currency) => ({ Subject: currency, Found: `none is known of ${currency}` }));
  },

  async bankDetails({ tx, organisation: { BaseCurrency } }, date) {
    const themes = await themesOf(tx);
    const openInvoices = await foreignOpen(tx, ["ACCREC"], date);
    return [...new Set(openInvoices.map(({ currency }) => currency))]
      .filter((currency) => lacksBankDetails(themes, currency, BaseCurrency))
      .map((Subject) => ({ Subject, Found: `invoices in ${Subject} name no account to pay to` }));
  },

  receivables: (context, date) => findAgedGap(context, "DEBTORS", date),
  payables: (context, date) => findAgedGap(context, "CREDITORS", date),

  async credits({ tx }, date) {
    // A deposit may be for an invoice that is still to come, beside others that are open.
    const credits = await creditsBesideInvoices(tx, date, {
      sales: ["ACCRECCREDIT", "RECEIVE-OVERPAYMENT"],
      purchases: ["ACCPAYCREDIT", "SPEND-OVERPAYMENT"],
    });
    return credits.map(({ contact, currency, amount }) => ({
      Subject: contact,
      Found: `${contact}: ${amountText(amount, currency)} ${currency}`,
      Amount: amount,
    }));
  },

  async stock({ tx }, date) {
    return (await stockStandings(tx, date))
      .filter(({ quantity }) => quantity < 0)
      .map(({ code, quantity }) => ({
        Subject: code,
        Found: `${code}: ${shortDecimal(quantity, 4)} on hand`,
      }));
  },

  async inventory(context, date) {
    const { tx, chart } = context;
    const accounts = chart.accounts
      .filter(({ Type }) => Type === "INVENTORY")
      .map(({ AccountID }) => AccountID);
    if (accounts.length === 0) return [];
    const postedSums = await sums(tx, { basis: "accrual", accounts, to: date });
    const value = sum((await stockStandings(tx, date)).map(({ cost }) => cost));
    const gapAmount = (sum(postedSums.map(({ amount }) => amount)) - value) as Cents;
    return ifGap(context, gapAmount, "on the accounts and in no item");
  },

  async fixedAssets(context, date) {
    const { off } = compareAssets(await registerAt(context, date));
    return [
      ...ifGap(context, figureValue(off.cost) as Cents, "the cost on the accounts and of no asset"),
      ...ifGap(
        context,
        figureValue(off.taken) as Cents,
        "the depreciation on the accounts and of no asset",
      ),
    ];
  },

  async suspense({ tx, chart }, date) {
    const suspects = chart.accounts.filter(
      ({ SystemAccount, Name, Type }) =>
        SystemAccount === "HISTORICAL" ||
        SystemAccount === "TRACKINGTRANSFERS" ||
        (Type !== "BANK" && /\b(suspense|clearing)\b/i.test(Name)),
    );
    const accounts = suspects.map(({ AccountID }) => AccountID);
    const postedSums = await sums(tx, { basis: "accrual", accounts, to: date });
    return postedSums
      .filter(({ amount }) => amount !== 0)
      .map(({ account, amount }) => {
        const { Name = "", Code } = chart.account(account) ?? {};
        return {
          Subject: Code,
          SubjectID: account,
          Found: `${Name}: ${amountText(amount, chart.base)}`,
          Amount: amount,
        };
      });
  },

  async taxReturns(context, date) {
    const { tx, organisation } = context;
    const type = returnTypeOf(organisation);
    const months = returnMonths(organisation);
    if (type === undefined || months === undefined) return [];
    // The first return begins at the conversion date: earlier periods are in the former books.
    const lastFiled = (await filedSoFar(tx, type))?.to ?? organisation.ConversionDate;
    if (lastFiled === undefined) {
      const own = nextReturn(organisation, date, undefined);
      if (own === undefined) return [];
      const endedPeriod = own.to <= date ? own : returnFrom(addMonths(own.from, -months), months);
      const { unfiled } = await taxAccountIn(context, { from: endedPeriod.to, to: endedPeriod.to });
      const { collected, paid } = taxOf(unfiled.inTime);
      const days = { FromDate: endedPeriod.from, ToDate: endedPeriod.to };
      return collected === 0 && paid === 0
        ? []
        : [{ Found: "none was published yet", Subject: type, ...days }];
    }
    const findings: ClosingFinding[] = [];
    for (let from = addDays(lastFiled, 1); ; ) {
      const { to } = returnFrom(from, months);
      if (to > date) return findings;
      const Found = `that of ${mediumDate(from)} to ${mediumDate(to)} is not`;
      findings.push({ Subject: type, Found, FromDate: from, ToDate: to });
      from = addDays(to, 1);
    }
  },

  async taxAccount(context, date) {
    const { from } = yearOf(context, date);
    const difference = unexplainedTax(await taxAccountIn(context, { from, to: date }));
    return ifGap(context, difference, "on the account and in no document, return or payment");
  },
};

async function findAgedGap(context: ReportContext, control: "DEBTORS" | "CREDITORS", date: string) {
  const { entries, balance } = await agedAt(context, control, date);
  const difference = (balance - sum(entries.map(({ amount }) => amount))) as Cents;
  return ifGap(context, difference, "on the account and of no document");
}
