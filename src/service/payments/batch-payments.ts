/** The writer of batch payments: creates or reverses a batch with all its payments. */

import { checkLock } from "../../ledger/locks.ts";
import { sum } from "../../ledger/money.ts";
import type { BatchPayment } from "../../resources/batch-payment.ts";
import { amountText } from "../../resources/common.ts";
import { refusal } from "../../resources/errors.ts";
import { batchPayment, payment } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Payment } from "../../resources/payment.ts";
import { counted } from "../../resources/scalar.ts";
import { fetch, type StoredFields, save } from "../../store/mapping/records.ts";
import { addHistory } from "../../store/records/history.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { faultOf } from "../documents/coding.ts";
import { checkUnmatched } from "../documents/unmatched.ts";
import type { RequestContext } from "../request/context.ts";
import type { Endpoint, RecordWriter, WriteItem, WriteRequest } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { historyEntry } from "../request/history.ts";
import { withDefaults } from "../request/merge.ts";
import {
  loadPaymentContext,
  loadSettlementContext,
  noteOfPayment,
  type PaymentContext,
  type Prepared,
  paidAccount,
  pay,
  preparePayment,
  reversePayment,
  type SettlementContext,
  type StoredPayment,
  savePayments,
  saveReversedPayments,
} from "./payments.ts";

type BatchPaymentRequest = WriteRequest<StoredBatch>;
type BatchedPayment = Partial<BatchPayment["Payments"][number]>;

export interface BatchPaymentContext {
  readonly paying: PaymentContext;
  readonly preparedPayments: Prepared[];
  /** Payments of the batches to reverse, by batch id. */
  readonly paymentsByBatch: ReadonlyMap<string, StoredPayment[]>;
  /** Documents settled by these payments. */
  readonly settling: SettlementContext;
  readonly takenBack: StoredPayment[];
}

export const batchPaymentWriter: RecordWriter<StoredBatch, BatchPaymentContext> = {
  async load(batch) {
    const { tx, entries } = batch;
    const created = entries.filter((entry) => entry.existing === undefined);
    const inputs = created.flatMap(({ input }) => {
      const { Payments = [], Date: date } = input as Partial<BatchPayment>;
      return Payments.map((member) => paymentOf(member, { Date: date }));
    });
    const paymentsByBatch = await membersOf(
      tx,
      entries.flatMap((entry) => entry.existing?.BatchPaymentID ?? []),
    );
    return {
      paying: await loadPaymentContext(batch, inputs),
      preparedPayments: [],
      paymentsByBatch,
      settling: await loadSettlementContext(tx, [...paymentsByBatch.values()].flat()),
      takenBack: [],
    };
  },

  decide(batch, context, entry) {
    if (entry.existing === undefined) create(batch, context, entry);
    else remove(batch, context, entry, entry.existing);
  },

  async keep({ tx, call }, context, decisions) {
    await checkUnmatched(
      tx,
      decisions.flatMap(({ existing }) => existing?.BatchPaymentID ?? []),
    );
    const records = decisions.flatMap((entry) => entry.record ?? []);
    await save(tx, batchPayment, records);
    const payments = context.preparedPayments.map(({ record }) => record);
    await savePayments({ tx, call }, context.paying, payments);
    await addHistory(
      tx,
      context.preparedPayments.map((prepared) =>
        historyEntry(call, payment, prepared.record.PaymentID, noteOfPayment(prepared)),
      ),
    );
    await saveReversedPayments({ tx, call }, context.settling, context.takenBack);
  },
};

/** Returns the input of a member as a single payment. */
function paymentOf(
  { Invoice, Amount, BankAccountNumber, Particulars, Reference, Details }: BatchedPayment,
  shared: Pick<Partial<Payment>, "Date" | "Account">,
): Partial<Payment> {
  return {
    ...shared,
    ...(Invoice === undefined ? {} : { Invoice }),
    ...(Amount === undefined ? {} : { Amount }),
    BankAccountNumber,
    Particulars,
    Reference,
    Details,
  };
}

/** Creates a batch, and a payment for each member. @throws RefusedError */
function create(
  batch: BatchPaymentRequest,
  context: BatchPaymentContext,
  entry: WriteItem<StoredBatch>,
): void {
  const { call, today, organisation } = batch;
  if (batch.method === "POST") {
    throw refusal(
      "Form",
      "POST deletes the batch payment that BatchPaymentID names; PUT makes one.",
    );
  }
  const input = entry.input as Partial<BatchPayment>;
  const { Payments = [], Date: date = today } = input;
  const faults = new Faults();
  const Account = paidAccount(input, context.paying.chart, faults);
  faults.collect(() => checkLock(date, organisation));
  checkCountry(input, organisation, faults);
  if (Account?.CurrencyCode !== undefined && Account.CurrencyCode !== organisation.BaseCurrency) {
    faults.add(
      "Currency",
      `A batch payment is made in ${organisation.BaseCurrency} only, not from an account in ${Account.CurrencyCode}.`,
    );
  }
  if (Payments.length === 0) faults.add("Required", "One or more Payments must be specified.");
  const prepared = prepareMembers(batch, context, Payments, { Date: date, Account }, faults);
  checkMembers(prepared, organisation, faults);
  faults.check();
  const [first] = prepared;
  if (first === undefined) return;
  payAll(call, context.paying, prepared);
  const { AccountID, Code, Name } = first.record.Account ?? {};
  const record: StoredBatch = {
    ...withDefaults<StoredBatch>(batchPayment.fields, input),
    BatchPaymentID: call.newId(),
    Account: { AccountID, Code, Name },
    Date: date,
    Type: first.target.Type === "ACCREC" ? "RECBATCH" : "PAYBATCH",
    Status: "AUTHORISED",
    TotalAmount: sum(prepared.map((each) => each.record.Amount)),
    IsReconciled: false,
    UpdatedDateUTC: call.now(),
    CreatedByApp: call.principal.app,
    CreatedDateUTC: call.now(),
  };
  const payments = prepared.map((each) => each.record);
  for (const payment of payments) payment.BatchPaymentID = record.BatchPaymentID;
  context.preparedPayments.push(...prepared);
  entry.record = withMembers(record, payments);
  const count = counted(payments.length, "payment");
  const total = amountText(record.TotalAmount, first.target.CurrencyCode);
  entry.history.push({ changes: "Created", details: `A batch of ${count} of ${total} was made.` });
}

/** Prepares the payments of the members; faults name the member. */
function prepareMembers(
  batch: BatchPaymentRequest,
  context: BatchPaymentContext,
  members: readonly BatchedPayment[],
  shared: Parameters<typeof paymentOf>[1],
  faults: Faults,
): Prepared[] {
  return members.flatMap((member, index) => {
    const memberFaults = new Faults();
    const prepared = preparePayment(batch, context.paying, paymentOf(member, shared), memberFaults);
    const fault = faultOf(members, index, faults, "payment");
    for (const { rule = "Form", message } of memberFaults.found) {
      // Faults that concern the whole batch are reported only once.
      if (!faults.found.some((detail) => detail.message === message)) fault(rule, message);
    }
    if (prepared !== undefined) prepared.record.Code = member.Code;
    return prepared ?? [];
  });
}

/** Checks fields that only banks of some countries accept or refuse. */
function checkCountry(
  input: Partial<BatchPayment>,
  { CountryCode }: Organisation,
  faults: Faults,
): void {
  const isIn = { NZ: CountryCode === "NZ", GB: CountryCode === "GB" };
  const { Payments = [], Particulars, Code, Details, Narrative } = input;
  if (!isIn.NZ && (Particulars !== undefined || Code !== undefined)) {
    faults.add("Country", "Particulars and Code of a batch payment are for New Zealand only.");
  }
  if (!isIn.NZ && Payments.some((payment) => payment.Particulars || payment.Code)) {
    faults.add("Country", "Particulars and Code of its payments are for New Zealand only.");
  }
  if (isIn.NZ && Details !== undefined) {
    faults.add(
      "Form",
      "Details of a batch payment are not for New Zealand; it has Particulars and Code.",
    );
  }
  if (!isIn.GB && Narrative !== undefined) {
    faults.add("Country", "Narrative of a batch payment is for the United Kingdom only.");
  }
}

function checkMembers(
  prepared: readonly Prepared[],
  { BaseCurrency }: Organisation,
  faults: Faults,
): void {
  const documentTypes = new Set(prepared.map(({ target }) => target.Type));
  if (documentTypes.size > 1) {
    faults.add("Form", "A batch payment is of sales invoices or of bills, not of both.");
  }
  for (const { target } of prepared) {
    if (target.CurrencyCode === BaseCurrency) continue;
    faults.add(
      "Currency",
      `A batch payment is made in ${BaseCurrency} only, not on documents in ${target.CurrencyCode}.`,
    );
  }
}

/**
 * Makes all payments or none: after a refusal, documents and batch context are as before.
 *
 * @throws RefusedError
 */
function payAll(call: RequestContext, work: PaymentContext, prepared: readonly Prepared[]): void {
  const documents = [...new Set(prepared.map(({ target }) => target))];
  const copies = documents.map((document) => ({ ...document }));
  const { live, paid } = { live: new Map(work.liveJournalsById), paid: new Map(work.paidById) };
  const count = work.journals.length;
  try {
    for (const each of prepared) pay(call, work, each);
  } catch (error) {
    for (const [at, document] of documents.entries()) restore(document, copies[at] ?? document);
    work.journals.length = count;
    restoreMap(work.liveJournalsById, live);
    restoreMap(work.paidById, paid);
    throw error;
  }
}

function restore(document: object, original: object): void {
  for (const name of Object.keys(document)) {
    if (!Object.hasOwn(original, name)) Reflect.deleteProperty(document, name);
  }
  Object.assign(document, original);
}

function restoreMap<K, V>(map: Map<K, V>, original: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of original) map.set(key, value);
}

/** Reverses every payment of a batch. @throws RefusedError */
function remove(
  { call, organisation }: BatchPaymentRequest,
  context: BatchPaymentContext,
  entry: WriteItem<StoredBatch>,
  stored: StoredBatch,
): void {
  const { Status } = entry.input as Partial<BatchPayment>;
  if (Status !== "DELETED") {
    throw refusal("Status", "A batch payment cannot be changed; its Status can be set to DELETED.");
  }
  if (stored.Status === "DELETED") throw refusal("Status", "The batch payment is deleted already.");
  checkLock(stored.Date, organisation);
  const members = context.paymentsByBatch.get(stored.BatchPaymentID) ?? [];
  const payments = members.map((member) => reversePayment(call, context.settling, member));
  context.takenBack.push(...payments);
  const record: StoredBatch = { ...stored, Status, UpdatedDateUTC: call.now() };
  entry.record = withMembers(record, payments);
  entry.history.push({
    changes: "Deleted",
    details: `The batch and its ${counted(payments.length, "payment")} were deleted.`,
  });
}

/** The stored form of a batch payment. */
export type StoredBatch = StoredFields<typeof batchPayment.fields>;

/** Returns the payments of batches, by batch id. */
export async function membersOf(
  tx: Tx,
  batchIds: readonly string[],
): Promise<Map<string, StoredPayment[]>> {
  if (batchIds.length === 0) return new Map();
  const payments = await fetch(tx, payment, "BatchPaymentID", batchIds);
  return Map.groupBy(payments, (payment) => payment.BatchPaymentID ?? "");
}

/** Returns a batch with its members as shown in answers. */
export function withMembers(record: StoredBatch, members: readonly StoredPayment[]): StoredBatch {
  return {
    ...record,
    Payments: members.map(
      ({
        PaymentID,
        Invoice,
        Amount,
        BankAccountNumber,
        Particulars,
        Code,
        Reference,
        Details,
      }) => ({
        PaymentID,
        Invoice: {
          InvoiceID: Invoice?.InvoiceID ?? "",
          InvoiceNumber: Invoice?.InvoiceNumber,
        },
        Amount,
        BankAccountNumber,
        Particulars,
        Code,
        Reference,
        Details,
      }),
    ),
  };
}

/** Maximum length of a reference for banks in New Zealand. */
const referenceShown = 12;

export const batchPayments: Endpoint<StoredBatch, BatchPaymentContext> = {
  resource: batchPayment,

  async expand(_call, tx, records) {
    const paymentsByBatch = await membersOf(
      tx,
      records.map((record) => record.BatchPaymentID),
    );
    const { CountryCode } = await organisationOf(tx);
    const lengthMax = CountryCode === "NZ" ? referenceShown : undefined;
    return records.map((record) => ({
      ...withMembers(record, paymentsByBatch.get(record.BatchPaymentID) ?? []),
      Reference: record.Reference?.slice(0, lengthMax),
    }));
  },

  writer: async () => batchPaymentWriter,
};
