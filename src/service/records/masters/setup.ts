/**
 * POST /Setup: sets the chart of accounts and the conversion balances of an organisation.
 *
 * The balances are posted on both bases on the last day before the conversion month, with any
 * difference on Historical Adjustment. The source of the journal is the organisation: it has no
 * document and no SourceType. Balances sent again replace the earlier ones.
 */

import { addDays, dateOf } from "../../../ledger/dates/calendar.ts";
import { assertBalanced, type Journal, reversalJournal } from "../../../ledger/journal.ts";
import { checkLock } from "../../../ledger/locks.ts";
import { fromBase, sum } from "../../../ledger/money.ts";
import type { Account } from "../../../resources/account.ts";
import { amountFault, smallestAmount } from "../../../resources/common.ts";
import type { Cents, Rate } from "../../../resources/decimal.ts";
import {
  boolean,
  integer,
  many,
  money,
  one,
  type Resource,
  rate,
  resource,
  type Shape,
  text,
} from "../../../resources/field.ts";
import { account, organisation as organisationResource } from "../../../resources/index.ts";
import { counted } from "../../../resources/scalar.ts";
import { validate } from "../../../resources/validate.ts";
import { appendJournals } from "../../../store/ledger/journals.ts";
import { liveJournals } from "../../../store/ledger/record-journals.ts";
import { encodeObject } from "../../../wire/encode/encode.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { type Chart, loadChart } from "../../lookups/chart-of-accounts.ts";
import { ratesOn } from "../../lookups/currencies.ts";
import { answerWith, envelopeOf } from "../../request/answer.ts";
import { organisationContext, type RequestContext } from "../../request/context.ts";
import type { WriteRequest } from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { enter } from "../../request/history.ts";
import { checkEntries, decideEntries, entryOf, readInputs } from "../../request/write.ts";
import { accounts } from "./account.ts";

const { Type, BankAccountType, CurrencyCode } = account.fields;

const setup = resource(
  "Setup",
  () => ({
    ConversionDate: one({
      Month: integer({ required: true, min: 1, max: 12 }),
      Year: integer({ required: true, min: 2007, max: 2999 }),
    }),
    ConversionBalances: many("ConversionBalance", {
      AccountCode: text({ required: true, max: 10 }),
      Balance: money({ required: true, help: "debit above zero" }),
      BalanceDetails: many("BalanceDetail", {
        Balance: money({ currency: "other" }),
        CurrencyCode,
        CurrencyRate: rate(),
      }),
    }),
    // An existing account is identified by its code alone; a new one is validated as usual.
    Accounts: many("Account", {
      ...account.fields,
      Name: text({ max: 150 }),
      Type: { ...Type, required: false },
      BankAccountType,
    }),
  }),
  {
    plural: "Setups",
    id: "ConversionDate",
    columns: ["ConversionDate.Month", "ConversionDate.Year"],
    noun: "setup",
    summary: "the chart and the balances that an organisation comes with",
  },
);

type Setup = Partial<Shape<typeof setup>>;
type Balances = NonNullable<Setup["ConversionBalances"]>;

const count = integer({ always: true });
const summaryFields = {
  Accounts: one({
    Total: count,
    New: count,
    Updated: count,
    Deleted: count,
    Locked: count,
    System: count,
    Errored: count,
    Present: boolean({ always: true }),
    NewOrUpdated: count,
  }),
  Organisation: one({ Present: boolean({ always: true }) }),
} as const;

export async function writeSetup(call: RequestContext): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: setup as Resource }, 1);
  const faults = new Faults();
  faults.addAll(validate(setup.fields, input, { creating: true }));
  const sentSetup = input as Setup;
  const { ConversionDate, ConversionBalances = [] } = sentSetup;
  if (ConversionBalances.length > 0 && ConversionDate === undefined) {
    faults.add("Required", "ConversionDate is required with ConversionBalances.");
  }
  faults.check();
  return call.write(async (tx) => {
    const counts = await saveAccounts(
      { ...(await organisationContext(call, tx)), call, tx },
      sentSetup.Accounts ?? [],
    );
    if (ConversionDate !== undefined && sentSetup.ConversionBalances !== undefined) {
      const firstDay = dateOf(ConversionDate.Year, ConversionDate.Month, 1);
      await post(
        { ...(await organisationContext(call, tx)), call, tx },
        addDays(firstDay, -1),
        ConversionBalances,
      );
    }
    const summary = { Accounts: counts, Organisation: { Present: false } };
    return answerWith(
      call,
      encodeObject(call.format, "ImportSummary", summaryFields, summary, envelopeOf(call)),
    );
  });
}

type SetupContext = Pick<WriteRequest, "call" | "tx" | "organisation" | "today">;

/** Creates accounts or updates them by code, by the rules of /Accounts: all or none. */
async function saveAccounts(situation: SetupContext, inputs: readonly object[]) {
  const { tx } = situation;
  const chart = await loadChart(tx);
  const entries = inputs.map((input, index) => {
    const entry = entryOf(input as Record<string, unknown>, index);
    const { Code } = input as Partial<Account>;
    return { ...entry, existing: Code === undefined ? undefined : chart.account(Code) };
  });
  const batch: WriteRequest<Account> = {
    ...situation,
    method: "POST",
    unitDecimals: 2,
    entries: entries as WriteRequest<Account>["entries"],
  };
  checkEntries(
    account,
    batch.entries as WriteRequest["entries"],
    situation.organisation.BaseCurrency,
  );
  await decideEntries(
    account,
    batch as unknown as WriteRequest,
    (await accounts.writer()) as never,
  );
  const faults = new Faults();
  for (const { input, errors } of batch.entries) {
    const name = `Account ${String(input.Code ?? "")}`;
    faults.addAll(errors.map((error) => ({ ...error, message: `${name}: ${error.message}` })));
  }
  faults.check();
  for (const { record, history } of batch.entries) {
    await enter(situation.call, tx, account, record?.AccountID ?? "", ...history);
  }
  const updated = entries.filter((entry) => entry.existing !== undefined);
  return {
    Total: entries.length,
    New: entries.length - updated.length,
    Updated: updated.length,
    Deleted: 0,
    Locked: 0,
    System: updated.filter((entry) => entry.existing?.SystemAccount).length,
    Errored: 0,
    Present: entries.length > 0,
    NewOrUpdated: entries.length,
  };
}

/** Posts the balances, and reverses those posted before. */
async function post(
  { call, tx, organisation }: SetupContext,
  date: string,
  balances: Balances,
): Promise<void> {
  const { OrganisationID } = organisation;
  const former = await liveJournals(tx, "source", [OrganisationID]);
  checkLock(date, organisation);
  for (const journal of former) checkLock(journal.date, organisation);
  const chart = await loadChart(tx);
  const { BaseCurrency } = organisation;
  const rates = await ratesOn(
    call,
    tx,
    BaseCurrency,
    balances.map(({ AccountCode }) => ({
      currency: chart.account(AccountCode)?.CurrencyCode ?? BaseCurrency,
      date,
    })),
  );
  const postings = postingsOf(balances, rates, chart, BaseCurrency);
  const source = { sourceType: undefined, sourceId: OrganisationID, documentId: OrganisationID };
  const journals: Journal[] =
    postings.length === 0
      ? []
      : (["accrual", "cash"] as const).map((basis) =>
          assertBalanced({ basis, date, ...source, postings }),
        );
  await appendJournals(tx, [...former.map(reversalJournal), ...journals], call.now(), call.newId);
  const details = `Balances of ${counted(balances.length, "account")} were taken over as at ${date}.`;
  await enter(call, tx, organisationResource, OrganisationID, { changes: "Converted", details });
}

/**
 * Returns the balances as postings, and their difference; balances that follow from records are
 * refused.
 */
function postingsOf(
  balances: Balances,
  rates: readonly (Rate | undefined)[],
  chart: Chart,
  base: string,
): Journal["postings"] {
  const faults = new Faults();
  const amountById = new Map<string, Cents>();
  const add = (id: string, amount: Cents) =>
    amountById.set(id, sum([amountById.get(id) ?? (0 as Cents), amount]));
  const foreign = new Map<string, Cents>();
  for (const [at, { AccountCode, Balance, BalanceDetails = [] }] of balances.entries()) {
    const account = chart.account(AccountCode);
    const reason =
      account === undefined ? noAccount(AccountCode) : fault(account, BalanceDetails.length, base);
    if (reason !== undefined) faults.add("Opening", reason);
    if (reason !== undefined || account === undefined) continue;
    add(account.AccountID, Balance);
    const { CurrencyCode: code = base } = account;
    const parts = BalanceDetails.map(({ Balance: of = 0 }) => amountFault("Balance", of, code));
    for (const fault of [amountFault("Balance", Balance, base), ...parts]) {
      if (fault !== undefined) faults.add("Currency", fault);
    }
    if (!isForeign(account, base)) continue;
    const rate = rates[at];
    const inBase =
      BalanceDetails[0]?.Balance ??
      (rate && fromBase(Balance, rate, smallestAmount(account.CurrencyCode ?? base)));
    if (inBase !== undefined) {
      foreign.set(account.AccountID, sum([foreign.get(account.AccountID) ?? (0 as Cents), inBase]));
    } else {
      faults.add(
        "Required",
        `${account.Name} is in ${account.CurrencyCode}: say in BalanceDetails what its Balance is in that.`,
      );
    }
  }
  faults.check();
  const difference = sum([...amountById.values()]);
  add(chart.system("HISTORICAL").AccountID, -difference as Cents);
  return [...amountById]
    .filter(([, amount]) => amount !== 0)
    .map(([id, amount]) => ({ account: id, amount, foreign: foreign.get(id) }));
}

const noAccount = (code: string) => `There is no active account with code '${code}'.`;

/** Whether an account is a bank account in a foreign currency. */
const isForeign = ({ CurrencyCode }: Account, baseCurrency: string) =>
  CurrencyCode !== undefined && CurrencyCode !== baseCurrency;

function fault(account: Account, details: number, baseCurrency: string): string | undefined {
  const { Code, Name, SystemAccount, Status } = account;
  if (Status !== "ACTIVE") return noAccount(Code ?? Name);
  if (SystemAccount === "DEBTORS" || SystemAccount === "CREDITORS") {
    return `${Name} stands at what its open documents come to; enter those instead.`;
  }
  if (account.Type === "INVENTORY") {
    return `${Name} stands at what its items are worth; enter a bill that opens their stock instead.`;
  }
  if (details === 0 || (details === 1 && isForeign(account, baseCurrency))) return undefined;
  return `BalanceDetails are for receivables and payables only, not for ${Name}.`;
}
