/**
 * /Budgets: expected amounts of accounts by month.
 *
 * In similar services budgets are read-only; creating and changing them (PUT, POST) is an
 * extension. One budget is the organisation's own, of type OVERALL, which reports use; any number
 * of others are for one or two tracking options.
 */

import { addMonths, monthOf } from "../../ledger/dates/calendar.ts";
import type { Account } from "../../resources/account.ts";
import type { Budget, BudgetInput } from "../../resources/budget.ts";
import { refusal } from "../../resources/errors.ts";
import { budget } from "../../resources/index.ts";
import { counted, isDay } from "../../resources/scalar.ts";
import {
  type BudgetEntry,
  deleteEntries,
  entriesOf,
  type Months,
  saveEntries,
} from "../../store/ledger/budgets.ts";
import { list, remove, save } from "../../store/mapping/records.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import {
  activeAccount,
  activeOption,
  type Chart,
  loadChart,
} from "../lookups/chart-of-accounts.ts";
import { noContent } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { type Endpoint, locate, type RecordWriter, type WriteItem } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { recordFrom } from "../request/merge.ts";

const monthsMax = 24;

interface BudgetContext {
  readonly chart: Chart;
  readonly overall: Budget | undefined;
  /** Entries to save, by budget id. */
  readonly entriesById: Map<string, BudgetEntry[]>;
}

export const budgets: Endpoint<Budget, BudgetContext> = {
  resource: budget,
  listOrder: "UpdatedDateUTC",

  async expand(call, tx, records, view) {
    const months = windowOf(call, (await organisationContext(call, tx)).today);
    if (view !== "single") return records;
    const chart = await loadChart(tx);
    return Promise.all(
      records.map(async (budget) => ({
        ...budget,
        BudgetLines: linesOf(chart, await entriesOf(tx, budget.BudgetID, months)),
      })),
    );
  },

  writer: async () => budgetWriting,
};

/** DELETE /Budgets/{id}: removes a budget with its amounts. */
export async function deleteBudget(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const { BudgetID, Description } = await locate(call, tx, budgets, key);
    await deleteEntries(tx, BudgetID);
    await remove(tx, budget, [BudgetID]);
    const details = `The budget ${Description} was deleted.`;
    await enter(call, tx, budget, BudgetID, { changes: "Deleted", details });
    return noContent;
  });
}

/**
 * Returns the months of the answer: DateFrom to DateTo, three months if one is missing, else the
 * last, the current and the next month.
 */
function windowOf(call: RequestContext, today: string): Months {
  const firstMonth = monthFrom(call, "DateFrom");
  const last = monthFrom(call, "DateTo");
  const from = firstMonth ?? (last === undefined ? shifted(monthOf(today), -1) : shifted(last, -2));
  const to = last ?? shifted(from, 2);
  if (to < from) throw refusal("Parameter", "The parameter DateTo may not lie before DateFrom.");
  if (to >= shifted(from, monthsMax)) {
    throw refusal("Limit", `From DateFrom to DateTo there may be at most ${monthsMax} months.`);
  }
  return { from, to };
}

function monthFrom({ query }: RequestContext, name: string): string | undefined {
  const day = query.day(name, { orMonth: true });
  return day && monthOf(day);
}

const isMonth = (text: string) => /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`);
const shifted = (month: string, by: number) => monthOf(addMonths(`${month}-01`, by));

/** Returns budget entries as lines by account code. */
function linesOf(chart: Chart, entries: readonly BudgetEntry[]): Budget["BudgetLines"] {
  const byAccount = [...Map.groupBy(entries, (budgetEntry) => budgetEntry.accountId)];
  const lines = byAccount.map(([AccountID, months]) => ({
    AccountID,
    AccountCode: chart.account(AccountID)?.Code,
    BudgetBalances: months.map(({ month, amount, notes }) => ({
      Period: month,
      Amount: amount,
      Notes: notes,
    })),
  }));
  return lines.sort((a, b) => ((a.AccountCode ?? "") < (b.AccountCode ?? "") ? -1 : 1));
}

const budgetWriting: RecordWriter<Budget, BudgetContext> = {
  /** An OVERALL budget without an id means the existing one. */
  async alternates({ tx, entries }) {
    const overall = await overallOf(tx);
    return entries.map(({ input }) => {
      const { Type = "OVERALL" } = input as BudgetInput;
      return Type === "OVERALL" ? overall : undefined;
    });
  },

  clash: () => ({
    rule: "Unique",
    message: "There is an overall budget already; change it with POST.",
  }),

  async load({ tx }) {
    return { chart: await loadChart(tx), overall: await overallOf(tx), entriesById: new Map() };
  },

  decide({ call }, context, entry) {
    const faults = new Faults();
    const record = draftOf(call, entry);
    const { existing } = entry;
    if (existing !== undefined && record.Type !== existing.Type) {
      faults.add("ApprovedFields", "The Type of a budget cannot be changed.");
    }
    checkTracking(record, context.chart, faults);
    const entries = entriesFrom(entry.input as BudgetInput, context.chart, faults);
    faults.check();
    context.entriesById.set(record.BudgetID, entries);
    entry.record = { ...record, BudgetLines: linesOf(context.chart, entries) };
    const verb = existing === undefined ? "Created" : "Edited";
    const details = `The budget ${record.Description} was ${verb.toLowerCase()}: ${counted(entries.length, "amount")}.`;
    entry.history.push({ changes: verb, details });
  },

  async keep({ tx }, { entriesById }, decisions) {
    const records = decisions.flatMap((entry) => entry.record ?? []);
    await save(tx, budget, records);
    for (const { BudgetID } of records)
      await saveEntries(tx, BudgetID, entriesById.get(BudgetID) ?? []);
  },
};

async function overallOf(tx: Parameters<typeof list>[0]): Promise<Budget | undefined> {
  const { records } = await list(tx, budget, { in: [{ field: "Type", values: ["OVERALL"] }] });
  return records[0];
}

function draftOf(call: RequestContext, { existing, input }: WriteItem<Budget>): Budget {
  const { BudgetLines: _lines, ...sent } = input;
  const record = recordFrom<Budget>(budget, call, existing, sent);
  if (record.Type === "OVERALL") record.Description ??= "Overall Budget";
  return record;
}

/** Checks tracking: one option of one or two categories if TRACKING, none if OVERALL. */
function checkTracking(record: Budget, chart: Chart, faults: Faults): void {
  const named = record.Tracking ?? [];
  if (record.Type === "OVERALL") {
    if (named.length > 0) faults.add("Form", "Only a budget of type TRACKING has Tracking.");
    return;
  }
  if (named.length === 0) faults.add("Required", "A budget of type TRACKING needs Tracking.");
  if (!record.Description)
    faults.add("Required", "Description is required for a budget of type TRACKING.");
  const chosenOptions = named.map((record) => activeOption(chart, "Tracking", record, faults));
  if (faults.found.length > 0) return;
  record.Tracking = chosenOptions.filter((chosenOption) => chosenOption !== undefined);
  if (new Set(record.Tracking.map((each) => each.TrackingCategoryID)).size < chosenOptions.length) {
    faults.add("Form", "Tracking names each category once.");
  }
}

function entriesFrom(input: BudgetInput, chart: Chart, faults: Faults): BudgetEntry[] {
  const entries: BudgetEntry[] = [];
  const seenKeys = new Set<string>();
  for (const [index, line] of (input.BudgetLines ?? []).entries()) {
    const linePlace = `BudgetLine ${index + 1}`;
    const account = budgetAccount(chart, linePlace, line.AccountID ?? line.AccountCode, faults);
    for (const { Period = "", Amount, Notes } of line.BudgetBalances ?? []) {
      if (!isMonth(Period)) {
        faults.add("Form", `${linePlace}: Period must be a month, YYYY-MM, not '${Period}'.`);
      }
      const key = `${account?.AccountID} ${Period}`;
      if (account !== undefined && seenKeys.has(key)) {
        faults.add("Form", `${linePlace}: ${account.Code ?? account.Name} has ${Period} twice.`);
      }
      seenKeys.add(key);
      if (account === undefined || Amount === undefined) continue;
      entries.push({ accountId: account.AccountID, month: Period, amount: Amount, notes: Notes });
    }
  }
  return entries;
}

/**
 * Returns the account of a budget line; bank accounts and receivables are refused, since they are
 * not planned.
 */
function budgetAccount(
  chart: Chart,
  linePlace: string,
  key: string | undefined,
  faults: Faults,
): Account | undefined {
  if (key === undefined) {
    faults.add("Required", `${linePlace}: AccountCode or AccountID is required.`);
    return undefined;
  }
  const account = activeAccount(chart, linePlace, key, faults);
  const isControl = account?.SystemAccount === "DEBTORS" || account?.SystemAccount === "CREDITORS";
  if (account?.Type !== "BANK" && !isControl) return account;
  faults.add("Form", `${linePlace}: ${account.Name} cannot be budgeted.`);
  return undefined;
}
