/**
 * Making and reversing payments: a single payment, or the members of a batch.
 *
 * References of all payments are loaded together; each payment is prepared, which only collects
 * faults, and then made in memory, so that the next one sees its effect.
 */

import { paymentSideOf } from "../../ledger/documents/document-kinds.ts";
import { isApproved } from "../../ledger/documents/lifecycle.ts";
import type { Journal, PostedJournal } from "../../ledger/journal.ts";
import { checkLock } from "../../ledger/locks.ts";
import { baseRate } from "../../ledger/money.ts";
import type { Account } from "../../resources/account.ts";
import { amountFault, amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type DocumentResource, idOf, type PaymentTarget } from "../../resources/field.ts";
import { documents, payment } from "../../resources/index.ts";
import type { Payment } from "../../resources/payment.ts";
import { appendJournals } from "../../store/ledger/journals.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import { type StoredFields, save, saveNew } from "../../store/mapping/records.ts";
import { addHistory } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { isKeptByLedger } from "../documents/coding.ts";
import { kindOf, paymentType } from "../documents/document-registry.ts";
import {
  nameOf,
  openOf,
  type StoredDocument,
  saveDocuments,
} from "../documents/stored-documents.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { Currencies, noRateMessage } from "../lookups/currencies.ts";
import type { OrganisationContext, RequestContext } from "../request/context.ts";
import type { HistoryNote } from "../request/endpoint.ts";
import { type Faults, twoRecords } from "../request/faults.ts";
import { historyEntry } from "../request/history.ts";
import { withDefaults } from "../request/merge.ts";
import { unique } from "../request/unique.ts";
import { PaymentTargets, type TargetReference } from "./payment-targets.ts";
import { settleDocument, settleStatus, unsettle } from "./settlement.ts";

/** The stored form of a payment. */
export type StoredPayment = StoredFields<typeof payment.fields>;

/** The transaction and organisation context of payments. */
export interface PaymentRequest extends OrganisationContext {
  readonly call: RequestContext;
  readonly tx: Tx;
}

/** Documents that payments settle, with the changes made so far. */
export interface SettlementContext {
  readonly targets: ReadonlyMap<PaymentTarget, PaymentTargets>;
  /**
   * Journals not reversed, by document id: of its approval, and of cash-basis recognition by
   * payments.
   */
  readonly liveJournalsById: Map<string, PostedJournal[]>;
  readonly journals: Journal[];
  readonly paidById: Map<string, StoredDocument>;
}

/** Everything that deciding payments needs. */
export interface PaymentContext extends SettlementContext {
  readonly chart: Chart;
  readonly currencies: Currencies;
}

const targetNames = ["Invoice", "CreditNote", "Prepayment", "Overpayment", "ExpenseClaim"] as const;

/** Document resource of each payment target. */
const targets: Readonly<Partial<Record<PaymentTarget, DocumentResource>>> = Object.fromEntries(
  documents.flatMap((document) =>
    document.document.paidAs === undefined ? [] : [[document.document.paidAs, document]],
  ),
);

type PaymentReferences = Readonly<Partial<Record<PaymentTarget, TargetReference | undefined>>>;

/** Loads the documents that payments name. */
export async function loadSettlementContext(
  tx: Tx,
  paymentRefs: readonly PaymentReferences[],
): Promise<SettlementContext> {
  const byKind = new Map<PaymentTarget, PaymentTargets>();
  for (const [name, resource] of Object.entries(targets) as [PaymentTarget, DocumentResource][]) {
    const references = paymentRefs.map((reference) => reference[name]);
    byKind.set(name, await PaymentTargets.load(tx, resource, references));
  }
  const ids = [...byKind.values()].flatMap((paymentTargets) => paymentTargets.ids);
  return {
    targets: byKind,
    liveJournalsById: Map.groupBy(
      ids.length === 0 ? [] : await liveJournals(tx, "document", ids),
      (journal) => journal.documentId,
    ),
    journals: [],
    paidById: new Map(),
  };
}

/** Loads everything that deciding payments needs. */
export async function loadPaymentContext(
  { call, tx, today, organisation }: PaymentRequest,
  inputs: readonly Partial<Payment>[],
): Promise<PaymentContext> {
  const settling = await loadSettlementContext(tx, inputs);
  const chart = await loadChart(tx);
  const days = unique([today, ...inputs.map((input) => input.Date)]);
  const documents = [...settling.targets.values()].flatMap((ofKind) => ofKind.documents);
  const foreign = unique([
    ...documents.map((document) => document.CurrencyCode),
    ...chart.accounts.map((account) => account.CurrencyCode),
  ]);
  const pairs = foreign.flatMap((currency) => days.map((date) => ({ currency, date })));
  const currencies = await Currencies.load(call, tx, organisation.BaseCurrency, pairs);
  return { ...settling, chart, currencies };
}

/** A prepared payment without faults, before it is posted. */
export interface Prepared {
  readonly record: StoredPayment;
  readonly target: StoredDocument;
}

/** Prepares a payment without changing anything. @returns undefined when there are faults */
export function preparePayment(
  situation: PaymentRequest,
  context: PaymentContext,
  input: Partial<Payment>,
  faults: Faults,
): Prepared | undefined {
  const document = targetOf(input, context, faults);
  const account = paidAccount(input, context.chart, faults);
  const record = draftOf(situation, input);
  if (record.Status !== "AUTHORISED")
    faults.add("Status", "A new payment has the Status AUTHORISED.");
  if (record.Amount <= 0)
    faults.add("NegativeTotal", "The Amount of a payment must be above zero.");
  if (document !== undefined) {
    checkTarget(document, record, faults);
    checkSame(input, document, faults);
    if (account !== undefined) setRate(document, account, record, context.currencies, faults);
  }
  faults.collect(() => checkLock(record.Date, situation.organisation));
  if (faults.found.length > 0 || document === undefined || account === undefined) return undefined;
  const kind = kindOf(document);
  const { paidAs } = kind.resource.document;
  const type = paymentType(kind);
  if (paidAs === undefined || type === undefined) return undefined;
  record.PaymentType = type;
  Object.assign(record, { [paidAs]: document });
  record.Account = account;
  return { record, target: document };
}

/** Posts a payment, and reduces the open amount. @throws RefusedError before anything changes */
export function pay(
  call: RequestContext,
  context: PaymentContext,
  { record, target }: Prepared,
): void {
  const id = idOf(resourceOf(target), target);
  const journals = context.liveJournalsById.get(id) ?? [];
  const result = settleDocument(record, target, context.chart, context.currencies.base, journals);
  record.BaseAmount = result.baseAmount;
  record.BankAmount = result.bankAmount;
  target.AmountPaid = (target.AmountPaid + record.Amount) as Cents;
  target.BaseDue = (target.BaseDue - result.baseAmount) as Cents;
  settleStatus(target, record.Date, call.now());
  context.journals.push(...result.journals);
  // A later payment of the same request builds on the recognition by this one.
  const postedJournals = result.journals.map((journal) => ({
    ...journal,
    id: "",
    number: 0,
    createdAt: call.now(),
  }));
  context.liveJournalsById.set(id, [...journals, ...postedJournals]);
  context.paidById.set(id, target);
}

/** Reverses a payment, and increases the open amount again. */
export function reversePayment(
  call: RequestContext,
  context: SettlementContext,
  payment: StoredPayment,
): StoredPayment {
  const targetDocument = settledBy(context, payment);
  const resource = resourceOf(targetDocument);
  const id = idOf(resource, targetDocument);
  const journals = context.liveJournalsById.get(id) ?? [];
  const isOfPayment = ({ sourceId }: PostedJournal) => sourceId === payment.PaymentID;
  context.journals.push(...unsettle(journals.filter(isOfPayment)));
  context.liveJournalsById.set(
    id,
    journals.filter((journal) => !isOfPayment(journal)),
  );
  targetDocument.AmountPaid = (targetDocument.AmountPaid - payment.Amount) as Cents;
  targetDocument.BaseDue = (targetDocument.BaseDue + payment.BaseAmount) as Cents;
  settleStatus(targetDocument, undefined, call.now());
  context.paidById.set(id, targetDocument);
  return {
    ...payment,
    Status: "DELETED",
    [resource.document.paidAs ?? ""]: targetDocument,
    UpdatedDateUTC: call.now(),
    HasAccount: true,
    HasValidationErrors: false,
  };
}

/** Returns the document that a stored payment has settled. */
function settledBy({ targets: loaded }: SettlementContext, payment: StoredPayment): StoredDocument {
  for (const [name, resource] of Object.entries(targets) as [PaymentTarget, DocumentResource][]) {
    const reference = payment[name] as TargetReference | undefined;
    const id = reference?.[resource.id];
    const documents = loaded.get(name)?.documents ?? [];
    const document = documents.find((each) => id !== undefined && idOf(resource, each) === id);
    if (document !== undefined) return document;
  }
  throw new Error(`What the payment ${payment.PaymentID} has settled is gone.`);
}

/** Saves new payments, their documents and their journals. */
export async function savePayments(
  { tx, call }: Pick<PaymentRequest, "tx" | "call">,
  context: SettlementContext,
  records: readonly StoredPayment[],
): Promise<void> {
  await saveSettled(tx, context);
  await saveNew(tx, payment, records);
  await appendJournals(tx, context.journals, call.now(), call.newId);
  await addHistory(
    tx,
    records.map((record) => {
      const targetDocument = targetIn(record);
      const resource = resourceOf(targetDocument);
      return historyEntry(call, resource, idOf(resource, targetDocument), {
        changes: openOf(resource, targetDocument) === 0 ? "Paid" : "Part paid",
        details: paymentSentence(record, targetDocument),
      });
    }),
  );
}

/** Saves reversed payments. */
export async function saveReversedPayments(
  { tx, call }: Pick<PaymentRequest, "tx" | "call">,
  context: SettlementContext,
  records: readonly StoredPayment[],
): Promise<void> {
  await saveSettled(tx, context);
  await save(tx, payment, records);
  await appendJournals(tx, context.journals, call.now(), call.newId);
  await addHistory(
    tx,
    records.flatMap((record) => {
      const targetDocument = targetIn(record);
      const resource = resourceOf(targetDocument);
      const amount = amountText(record.Amount, targetDocument.CurrencyCode);
      const details = `Payment of ${amount} dated ${record.Date} was deleted.`;
      return [
        historyEntry(call, payment, record.PaymentID, { changes: "Deleted", details }),
        historyEntry(call, resource, idOf(resource, targetDocument), {
          changes: "Payment deleted",
          details,
        }),
      ];
    }),
  );
}

async function saveSettled(tx: Tx, context: SettlementContext): Promise<void> {
  for (const [resource, documents] of Map.groupBy([...context.paidById.values()], resourceOf)) {
    await saveDocuments(tx, resource, documents);
  }
}

/** Returns the document of a payment. */
function targetIn(record: StoredPayment): StoredDocument {
  const name = targetNames.find((targetName) => record[targetName] !== undefined) ?? "Invoice";
  return record[name] as unknown as StoredDocument;
}

const resourceOf = (document: StoredDocument): DocumentResource => kindOf(document).resource;

/** Returns the history note of a new payment. */
export function noteOfPayment({ record, target }: Prepared): HistoryNote {
  const amount = `${target.CurrencyCode} ${amountText(record.Amount, target.CurrencyCode)}`;
  return {
    changes: "Created",
    details: `Payment of ${amount} on ${nameOf(resourceOf(target), target)} was made.`,
  };
}

/** Describes the payment by the direction of its money. */
function paymentSentence(
  { Amount, Date: date, Account }: StoredPayment,
  targetDocument: StoredDocument,
): string {
  const { posts } = kindOf(targetDocument);
  const amount = amountText(Amount, targetDocument.CurrencyCode);
  const [verb, to] =
    posts !== undefined && paymentSideOf(posts) === 1 ? ["received", "into"] : ["made", "from"];
  return `Payment of ${amount} was ${verb} on ${date} ${to} ${Account?.Name}.`;
}

function draftOf({ call, today }: PaymentRequest, input: Partial<Payment>): StoredPayment {
  return {
    ...withDefaults<StoredPayment>(payment.fields, input),
    // Set from bank statements only: callers cannot send it.
    BankAmount: input.BankAmount,
    PaymentID: call.newId(),
    Date: input.Date ?? today,
    UpdatedDateUTC: call.now(),
    CreatedByApp: call.principal.app,
    CreatedDateUTC: call.now(),
    BaseAmount: 0 as Cents,
    HasAccount: true,
    HasValidationErrors: false,
  };
}

/** Checks that payment type and currency match the document. */
function checkSame(input: Partial<Payment>, target: StoredDocument, faults: Faults): void {
  const ofTarget = { PaymentType: paymentType(kindOf(target)), CurrencyCode: target.CurrencyCode };
  for (const name of ["PaymentType", "CurrencyCode"] as const) {
    const [own, sent] = [ofTarget[name], input[name]];
    if (sent !== undefined && sent !== own)
      faults.add("Form", `${name} is ${own} by the document that is paid, not ${sent}.`);
  }
}

function checkTarget(target: StoredDocument, paid: StoredPayment, faults: Faults): void {
  const { resource, lifeCycle, credits, label } = kindOf(target);
  const { Amount } = paid;
  if (credits !== undefined && paid.Date < target.Date) {
    faults.add(
      "SettlementDay",
      `A refund is dated on or after ${target.Date}, the day of the ${label.toLowerCase()}, not ${paid.Date}.`,
    );
  }
  if (!isApproved(lifeCycle, target.Status)) {
    faults.add("AuthorisedOnly", "Payments can only be made against Authorised documents");
  } else if (Amount > openOf(resource, target)) {
    faults.add(
      "AmountOutstanding",
      "Payment amount exceeds the amount outstanding on this document",
    );
  }
  const fault = amountFault("Amount", Amount, target.CurrencyCode);
  if (fault !== undefined) faults.add("Currency", fault);
}

/** Currency of the account that a payment is made on. */
const currencyOf = (account: Account, baseCurrency: string) => account.CurrencyCode ?? baseCurrency;

/**
 * Sets the exchange rate of a payment: for the document's currency, or for the bank account's if
 * only that is foreign. It is the given rate, else the day's, else the document's.
 */
function setRate(
  target: StoredDocument,
  account: Account,
  record: StoredPayment,
  currencies: Currencies,
  faults: Faults,
): void {
  const { base } = currencies;
  const bank = currencyOf(account, base);
  const foreign = target.CurrencyCode === base ? bank : target.CurrencyCode;
  if (bank !== base && target.CurrencyCode !== base && bank !== target.CurrencyCode) {
    faults.add(
      "Currency",
      `A document in ${target.CurrencyCode} cannot be paid from an account in ${bank}: one of the two must be in ${base}.`,
    );
    return;
  }
  if (foreign === base) {
    record.CurrencyRate ??= baseRate;
    currencies.checkBaseRate(record.CurrencyRate, faults);
    return;
  }
  const rate =
    record.CurrencyRate ??
    currencies.rateOn(foreign, record.Date) ??
    (target.CurrencyCode === base ? undefined : target.CurrencyRate);
  if (rate === undefined) faults.add("Currency", noRateMessage(foreign, record.Date));
  else if (rate <= 0) faults.add("NegativeTotal", "CurrencyRate must be above zero.");
  record.CurrencyRate = rate ?? baseRate;
}

function targetOf(
  input: Partial<Payment>,
  context: PaymentContext,
  faults: Faults,
): StoredDocument | undefined {
  const givenTargets = targetNames.filter((name) => input[name] !== undefined);
  const [name] = givenTargets;
  if (givenTargets.length !== 1 || name === undefined) {
    faults.add(
      "Form",
      "A payment names exactly one Invoice, CreditNote, Prepayment, Overpayment or ExpenseClaim.",
    );
    return undefined;
  }
  const paymentTargets = context.targets.get(name);
  if (paymentTargets === undefined) {
    faults.add("NotFound", `There is no such ${name}.`);
    return undefined;
  }
  return paymentTargets.resolve(input[name] as TargetReference, "a payment", faults);
}

/** Returns the account of a payment, if it accepts payments. */
export function paidAccount(
  input: Partial<Payment>,
  chart: Chart,
  faults: Faults,
): Account | undefined {
  const { AccountID, Code } = input.Account ?? {};
  const key = AccountID ?? Code;
  if (!key) {
    faults.add("Required", "The Account of a payment must be named by AccountID or Code.");
    return undefined;
  }
  const account = chart.account(key);
  if (account === undefined || account.Status !== "ACTIVE") {
    faults.add("NotFound", `There is no active account '${key}'.`);
  } else if (Code && chart.account(Code) !== account) {
    faults.add("Form", twoRecords("Account", `AccountID ${key}`, `Code ${Code}`));
  } else if (!takesPayments(account)) {
    faults.add("SystemAccount", "Account type is invalid for making a payment to/from");
  }
  return account;
}

/**
 * Excludes control and inventory accounts, whose balances are those of documents and items, even if
 * they are enabled for payments.
 */
function takesPayments(account: Account): boolean {
  if (account.Type === "BANK") return true;
  if (account.Type === "INVENTORY" || isKeptByLedger(account)) return false;
  return account.EnablePaymentsToAccount;
}
