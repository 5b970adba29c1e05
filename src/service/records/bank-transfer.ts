/**
 * /BankTransfers: transfers between bank accounts, which can be created and deleted, but not
 * changed.
 */

import { type Journal, type PostedJournal, reversalJournal } from "../../ledger/journal.ts";
import { checkLock } from "../../ledger/locks.ts";
import { baseRate, rateBetween } from "../../ledger/money.ts";
import { bankAmount } from "../../ledger/postings/currency.ts";
import {
  type TransferFacts,
  type TransferSide,
  transferJournals,
} from "../../ledger/postings/transfer.ts";
import type { Account } from "../../resources/account.ts";
import type { BankTransfer } from "../../resources/bank-transfer.ts";
import { amountFault, amountText } from "../../resources/common.ts";
import type { Cents, UnitAmount } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import type { FieldValues } from "../../resources/field.ts";
import { bankTransfer } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { readId } from "../../resources/scalar.ts";
import { appendJournals } from "../../store/ledger/journals.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import { fetch, filterFields, type StoredFields, save } from "../../store/mapping/records.ts";
import { attachmentsOf } from "../../store/records/attachments.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import type { AddFault } from "../documents/coding.ts";
import { optionsOf, trackingNamed } from "../documents/coding.ts";
import type { StoredDocument } from "../documents/stored-documents.ts";
import { checkUnmatched } from "../documents/unmatched.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { Currencies, noRateMessage } from "../lookups/currencies.ts";
import type { Endpoint, RecordWriter, WriteItem, WriteRequest } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { withDefaults } from "../request/merge.ts";

/** The stored form of a transfer. */
export type StoredTransfer = StoredFields<typeof bankTransfer.fields>;

interface BankTransferContext {
  readonly chart: Chart;
  readonly currencies: Currencies;
  /** Journals of the transfers of the batch that are not reversed. */
  readonly live: ReadonlyMap<string, PostedJournal[]>;
  readonly journals: Journal[];
}

export const bankTransfers: Endpoint<StoredTransfer, BankTransferContext> = {
  resource: bankTransfer,

  async expand(_call, tx, records) {
    const chart = await loadChart(tx);
    return records.map((record) => ({
      ...record,
      CurrencyCode: chart.currencyOf(record.FromBankAccount),
    }));
  },

  defaultFilter(call) {
    if (call.query.boolean("includeDeleted") === true) return [];
    return [parseWhere('Status!="DELETED"', "BankTransfer", filterFields(bankTransfer))];
  },

  writer: async () => transferWriting,
};

const transferWriting: RecordWriter<StoredTransfer, BankTransferContext> = {
  async load(batch) {
    const { tx, entries, organisation } = batch;
    const chart = await loadChart(tx);
    const transfers = entries.flatMap((entry) => entry.existing ?? []);
    const ids = transfers.map((storedTransfer) => storedTransfer.BankTransferID);
    return {
      chart,
      currencies: await Currencies.load(
        batch.call,
        tx,
        organisation.BaseCurrency,
        entries.flatMap(({ input }) => currenciesIn(batch, chart, input)),
      ),
      live: Map.groupBy(
        ids.length === 0 ? [] : await liveJournals(tx, "source", ids),
        (journal) => journal.sourceId,
      ),
      journals: [],
    };
  },

  decide(batch, context, entry) {
    if (entry.existing !== undefined) remove(batch, context, entry, entry.existing);
    else makeTransfer(batch, context, entry);
  },

  async keep({ tx, call }, { journals }, decisions) {
    await checkUnmatched(
      tx,
      decisions.flatMap(({ existing }) => existing?.BankTransferID ?? []),
    );
    await save(
      tx,
      bankTransfer,
      decisions.flatMap((entry) => entry.record ?? []),
    );
    await appendJournals(tx, journals, call.now(), call.newId);
  },
};

/** Returns the currencies of a transfer's accounts, and its date, to load exchange rates. */
function currenciesIn(
  { organisation, today }: WriteRequest<StoredTransfer>,
  chart: Chart,
  input: Partial<BankTransfer> | FieldValues,
) {
  const { FromBankAccount, ToBankAccount, Date: date = today } = input as Partial<BankTransfer>;
  return [FromBankAccount, ToBankAccount].map((bankKey) => ({
    currency:
      chart.account(bankKey?.AccountID || bankKey?.Code || "")?.CurrencyCode ??
      organisation.BaseCurrency,
    date,
  }));
}

function makeTransfer(
  batch: WriteRequest<StoredTransfer>,
  work: BankTransferContext,
  entry: WriteItem<StoredTransfer>,
): void {
  const { call, today, method, organisation } = batch;
  if (method === "POST") {
    throw refusal(
      "Transfer",
      "A bank transfer is made with PUT; POST deletes the one that its BankTransferID names.",
    );
  }
  const faults = new Faults();
  const input = entry.input as Partial<BankTransfer>;
  const fault: AddFault = (rule, message) => faults.add(rule, message);
  const from = bankAccountNamed("FromBankAccount", input.FromBankAccount, work.chart, fault);
  const to = bankAccountNamed("ToBankAccount", input.ToBankAccount, work.chart, fault);
  const record: StoredTransfer = {
    ...withDefaults<StoredTransfer>(bankTransfer.fields, input),
    BankTransferID: call.newId(),
    FromBankTransactionID: call.newId(),
    ToBankTransactionID: call.newId(),
    Date: input.Date ?? today,
    CurrencyRate: baseRate,
    HasAttachments: false,
    CreatedDateUTC: call.now(),
    ToAmount: 0 as Cents,
  };
  if (record.Status !== "AUTHORISED")
    fault("Status", "A new bank transfer has the Status AUTHORISED.");
  if (from !== undefined && from === to)
    fault("Transfer", "A bank transfer is between two bank accounts.");
  const trackingOf = (Tracking: BankTransfer["FromTracking"]) =>
    trackingNamed({ Tracking }, work.chart.tracking, () => false, fault);
  record.FromTracking = trackingOf(input.FromTracking);
  record.ToTracking = trackingOf(input.ToTracking);
  faults.collect(() => checkLock(record.Date, organisation));
  if (from !== undefined && to !== undefined) {
    // The second amount is set from bank statements only: callers cannot send it.
    setAmounts(record, entry.input as SentAmounts, [from, to], work, faults);
  }
  faults.check();
  if (from === undefined || to === undefined) return;
  record.FromBankAccount = from;
  record.ToBankAccount = to;
  work.journals.push(
    ...transferJournals(factsOf(record, from, to, work), work.currencies.base, work.chart.smallest),
  );
  entry.record = record;
  entry.history.push({
    changes: "Created",
    details: `${transferSentence(record, organisation)} was made.`,
  });
}

/** Converts a transfer to the facts that the ledger posts. */
export function factsOf(
  record: StoredTransfer,
  from: Account,
  to: Account,
  { chart, currencies }: { readonly chart: Chart; readonly currencies: Pick<Currencies, "base"> },
): TransferFacts {
  const sideOf = (account: Account, Tracking: BankTransfer["FromTracking"]): TransferSide => {
    const [option1, option2] = optionsOf({ Tracking }, chart);
    const currency = account.CurrencyCode ?? currencies.base;
    return { account: account.AccountID, currency, option1, option2 };
  };
  return {
    id: record.BankTransferID,
    date: record.Date,
    reference: record.Reference,
    amount: record.Amount,
    received: record.ToAmount,
    rate: record.CurrencyRate,
    from: sideOf(from, record.FromTracking),
    to: sideOf(to, record.ToTracking),
  };
}

/** The amounts on the two accounts, each in the currency of its account. */
type SentAmounts = Partial<Pick<StoredTransfer, "Amount" | "ToAmount">>;

/**
 * Sets both amounts and the exchange rate: from the amounts if both are known, else the rate of the
 * day.
 */
function setAmounts(
  record: StoredTransfer,
  { Amount, ToAmount }: SentAmounts,
  [from, to]: readonly [Account, Account],
  context: BankTransferContext,
  faults: Faults,
): void {
  const { base } = context.currencies;
  const fromCurrency = from.CurrencyCode ?? base;
  const toCurrency = to.CurrencyCode ?? base;
  const check = (amount: Cents | undefined, currency: string) => {
    if (amount === undefined) return;
    if (amount <= 0)
      faults.add("NegativeTotal", "The Amount of a bank transfer must be above zero.");
    const decimals = amountFault("Amount", amount, currency);
    if (decimals !== undefined) faults.add("Currency", decimals);
  };
  check(Amount, fromCurrency);
  check(ToAmount, toCurrency);
  if (Amount === undefined || ToAmount === undefined || fromCurrency === toCurrency) {
    if (Amount !== undefined && ToAmount !== undefined && Amount !== ToAmount) {
      faults.add(
        "Form",
        `Both accounts are in ${fromCurrency}: what leaves one comes to the other.`,
      );
    }
    setRate(record, [from, to], context, faults);
  }
  if (faults.found.length > 0) return;
  const worth = (amount: Cents, document: string, bank: string) =>
    bankAmount(amount, { document, bank, base }, record.CurrencyRate);
  if (Amount !== undefined && ToAmount === undefined) {
    record.ToAmount = worth(Amount, fromCurrency, toCurrency);
  } else if (Amount === undefined && ToAmount !== undefined) {
    record.ToAmount = ToAmount;
    record.Amount = worth(ToAmount, toCurrency, fromCurrency);
  } else if (Amount !== undefined && ToAmount !== undefined) {
    record.ToAmount = ToAmount;
    if (fromCurrency === toCurrency) return;
    if (fromCurrency === base) record.CurrencyRate = rateBetween(ToAmount, Amount);
    else if (toCurrency === base) record.CurrencyRate = rateBetween(Amount, ToAmount);
    else worth(Amount, fromCurrency, toCurrency); // which refuses it
  }
}

/** Sets the rate of the day for the account in a foreign currency. */
function setRate(
  record: StoredTransfer,
  accounts: readonly Account[],
  { currencies }: BankTransferContext,
  faults: Faults,
): void {
  const foreign = accounts.find(
    ({ CurrencyCode }) => CurrencyCode !== undefined && CurrencyCode !== currencies.base,
  );
  if (foreign?.CurrencyCode === undefined) return;
  if (!currencies.check(foreign.CurrencyCode, faults)) return;
  const rate = currencies.rateOn(foreign.CurrencyCode, record.Date);
  if (rate === undefined) faults.add("Currency", noRateMessage(foreign.CurrencyCode, record.Date));
  else record.CurrencyRate = rate;
}

function remove(
  { organisation }: WriteRequest<StoredTransfer>,
  context: BankTransferContext,
  entry: WriteItem<StoredTransfer>,
  stored: StoredTransfer,
): void {
  if (stored.Status === "DELETED") throw refusal("Status", "The bank transfer is deleted already.");
  if (entry.input.Status !== "DELETED") {
    throw refusal("Status", "A bank transfer cannot be changed; its Status can be set to DELETED.");
  }
  checkLock(stored.Date, organisation);
  context.journals.push(...(context.live.get(stored.BankTransferID) ?? []).map(reversalJournal));
  entry.record = { ...stored, Status: "DELETED" };
  const details = `${transferSentence(stored, organisation)} was deleted.`;
  entry.history.push({ changes: "Deleted", details });
}

function transferSentence(
  { Amount, FromBankAccount, ToBankAccount }: StoredTransfer,
  { BaseCurrency }: Pick<Organisation, "BaseCurrency">,
): string {
  const sum = amountText(Amount, FromBankAccount.CurrencyCode ?? BaseCurrency);
  return `Bank transfer of ${sum} from ${FromBankAccount.Name} to ${ToBankAccount.Name}`;
}

// --- the two sides as bank transactions -----------------------------------------------------------

// Each side of a transfer can be read by its id, but is never listed. It is computed from the
// transfer, so that nothing is stored twice.

/** Returns the side of a transfer by the side's id; undefined where there is none. */
export async function transferSide(tx: Tx, key: string): Promise<StoredDocument | undefined> {
  const id = readId(key);
  if (id === undefined) return undefined;
  for (const direction of ["From", "To"] as const) {
    const [transfer] = await fetch(tx, bankTransfer, `${direction}BankTransactionID`, [id]);
    if (transfer === undefined) continue;
    const record = sideOf(transfer, direction, (await organisationOf(tx)).BaseCurrency);
    return { ...record, HasAttachments: (await attachmentsOf(tx, id)).length > 0 };
  }
  return undefined;
}

function sideOf(
  transfer: StoredFields<typeof bankTransfer.fields>,
  direction: "From" | "To",
  baseCurrency: string,
): StoredDocument {
  const isFrom = direction === "From";
  const { FromBankAccount: from, ToBankAccount: to } = transfer;
  const [own, other] = isFrom ? [from, to] : [to, from];
  const Total = isFrom ? transfer.Amount : transfer.ToAmount;
  const CurrencyCode = own.CurrencyCode ?? baseCurrency;
  const Tracking: BankTransfer["FromTracking"] = transfer[`${direction}Tracking`];
  const record = {
    BankTransactionID: transfer[`${direction}BankTransactionID`],
    Type: isFrom ? "SPEND-TRANSFER" : "RECEIVE-TRANSFER",
    BankAccount: own,
    Date: transfer.Date,
    Reference: transfer.Reference,
    Status: transfer.Status,
    LineAmountTypes: "NoTax" as const,
    LineItems: [
      {
        Description: `Bank transfer from ${from.Name} to ${to.Name}`,
        UnitAmount: (Total * 100) as UnitAmount,
        AccountCode: other.Code,
        AccountID: other.AccountID,
        TaxType: "NONE",
        TaxAmount: 0 as Cents,
        LineAmount: Total,
        Tracking,
      },
    ],
    SubTotal: Total,
    TotalTax: 0 as Cents,
    Total,
    CurrencyCode,
    CurrencyRate: CurrencyCode === baseCurrency ? baseRate : transfer.CurrencyRate,
    IsReconciled: transfer[`${direction}IsReconciled`],
    AmountPaid: 0 as Cents,
    AmountCredited: 0 as Cents,
    BaseDue: 0 as Cents,
    UpdatedDateUTC: transfer.CreatedDateUTC,
    CreatedDateUTC: transfer.CreatedDateUTC,
  };
  return record;
}
