/**
 * Verifies the journals of payments and allocations by recomputing them, in both ledgers, and the
 * open amounts of the documents they settle.
 *
 * Each settlement is recomputed with the document's approval and the settlements of its time,
 * including later reversed ones. The numbers of cash journals give the order. A settlement worth
 * less than a cent of base currency has no journal; documents with such a one have only their sums
 * compared.
 */

import { laterDate } from "../../ledger/dates/calendar.ts";
import { isApproved } from "../../ledger/documents/lifecycle.ts";
import type { Journal, PostedJournal } from "../../ledger/journal.ts";
import { bankAmount, isBankAmount } from "../../ledger/postings/currency.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { AcctError } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { creditNote, overpayment, payment, prepayment } from "../../resources/index.ts";
import { type KeptAllocation, keptAllocationsOf } from "../../store/ledger/allocations.ts";
import { journalsOf } from "../../store/ledger/record-journals.ts";
import type { Findings } from "../../store/maintenance/findings.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { creditedType, kindOf, paymentType } from "../documents/document-registry.ts";
import {
  fetchDocuments,
  nameOf,
  openOf,
  owedOf,
  type StoredDocument,
} from "../documents/stored-documents.ts";
import { owedInBase } from "../documents/writing/posting-buffer.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { applyCredit } from "../payments/apply-credit.ts";
import type { StoredPayment } from "../payments/payments.ts";
import { currenciesOf, settleDocument } from "../payments/settlement.ts";

export interface SettlementCheck {
  readonly chart: Chart;
  /** Base currency. */
  readonly base: string;
}

/** A payment or an allocation. */
interface Settlement {
  readonly id: string;
  /** Name of the settlement in messages. */
  readonly name: string;
  readonly date: string;
  readonly amount: Cents;
  readonly isLive: boolean;
  readonly payment?: StoredPayment;
  readonly allocation?: KeptAllocation;
  /** Journals in both ledgers, except reversals. */
  readonly journals: readonly PostedJournal[];
  /** Numbers of its first cash journal and of the first reversal; undefined without. */
  readonly made: number | undefined;
  readonly undone: number | undefined;
}

/** A document with all its settlements, reversed ones included, earliest first. */
interface SettledDocument {
  readonly id: string;
  readonly document: StoredDocument;
  /** Approval journals in the accrual ledger, including replaced ones. */
  readonly approvals: readonly PostedJournal[];
  readonly settlements: readonly Settlement[];
  /** Whether the order of the settlements is known. */
  readonly isOrdered: boolean;
}

/**
 * Verifies settlements of documents against the documents and the ledger. For an allocation, the
 * invoice must be among the documents.
 *
 * @param known.journals  all journals of the documents, including reversed ones
 */
export async function verifySettlements(
  findings: Findings,
  documents: readonly StoredDocument[],
  context: SettlementCheck & { readonly journals: Journals },
): Promise<void> {
  const settledById = await loadSettled(findings.tx, documents.filter(isSettled), context.journals);
  for (const document of documents) {
    const result = settledById.get(documentId(document)) ?? unsettled(document);
    checkOpenAmount(findings, result, context.chart);
    if (!result.isOrdered) continue;
    for (const each of result.settlements) {
      if (!each.isLive) continue;
      if (each.payment !== undefined) paymentOf(findings, result, each, each.payment, context);
      const credit = settledById.get(each.allocation?.creditId ?? "");
      if (each.allocation === undefined || credit === undefined || credit === result) continue;
      if (credit.isOrdered) allocationOf(findings, result, credit, each, each.allocation, context);
    }
  }
}

const isSettled = ({ AmountPaid, AmountCredited }: StoredDocument): boolean =>
  AmountPaid !== 0 || AmountCredited !== 0;

const documentId = (document: StoredDocument): string => idOf(kindOf(document).resource, document);

const unsettled = (document: StoredDocument): SettledDocument => ({
  id: documentId(document),
  document,
  approvals: [],
  settlements: [],
  isOrdered: true,
});

// --- loading -------------------------------------------------------------------------------------

/**
 * Loads documents with their settlements, and the credits allocated to them with theirs.
 *
 * @param ofDocuments  journals of the documents
 */
async function loadSettled(
  tx: Tx,
  documents: readonly StoredDocument[],
  ofDocuments: Journals,
): Promise<ReadonlyMap<string, SettledDocument>> {
  const ids = documents.map(documentId);
  if (ids.length === 0) return new Map();
  const applied = await keptAllocationsOf(tx, "invoice", ids);
  const known = new Set(ids);
  const missing = [...new Set(applied.map((each) => each.creditId))].filter((id) => !known.has(id));
  const credits: StoredDocument[] = [];
  if (missing.length > 0) {
    for (const resource of [creditNote, prepayment, overpayment]) {
      credits.push(...(await fetchDocuments(tx, resource, missing)));
    }
  }
  const allDocuments = [...documents, ...credits];
  const allocations = [
    ...applied,
    ...(await keptAllocationsOf(tx, "credit", allDocuments.filter(isCredit).map(documentId))),
  ];
  const paymentsById = await loadPayments(tx, allDocuments);
  const allPayments = [...paymentsById.values()].flat();
  const sources = [
    ...credits.map(documentId),
    ...allPayments.map((storedPayment) => storedPayment.PaymentID),
    ...allocations.map((allocation) => allocation.id),
  ];
  const bySource = Map.groupBy(await journalsOf(tx, "source", sources), (each) => each.sourceId);
  const journals = { get: (id: string) => ofDocuments.get(id) ?? bySource.get(id) };
  const byInvoice = Map.groupBy(allocations, (allocation) => allocation.invoiceId);
  const byCredit = Map.groupBy(allocations, (allocation) => allocation.creditId);
  return new Map(
    allDocuments.map((document) => {
      const id = documentId(document);
      const allocated = isCredit(document) ? byCredit.get(id) : byInvoice.get(id);
      const byId = new Map((allocated ?? []).map((allocation) => [allocation.id, allocation]));
      const settlements = [
        ...(paymentsById.get(id) ?? []).map((payment) => settlementOfPayment(payment, journals)),
        ...[...byId.values()].map((keptAllocation) => ofAllocation(keptAllocation, journals)),
      ].sort((a, b) => (a.made ?? 0) - (b.made ?? 0));
      const approvals = (journals.get(id) ?? []).filter(
        ({ basis, reverses }) => basis === "accrual" && reverses === undefined,
      );
      const isOrdered = settlements.every(
        ({ made: first, undone, isLive }) =>
          first !== undefined && isLive === (undone === undefined),
      );
      return [id, { id, document, approvals, settlements, isOrdered }];
    }),
  );
}

const isCredit = (document: StoredDocument): boolean => kindOf(document).credits !== undefined;

/** Loads the payments of documents of any resource, by document id, including reversed ones. */
async function loadPayments(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<ReadonlyMap<string, StoredPayment[]>> {
  const paymentsById = new Map<string, StoredPayment[]>();
  for (const [resource, own] of Map.groupBy(documents, (document) => kindOf(document).resource)) {
    const { paidAs } = resource.document;
    if (paidAs === undefined) continue;
    const path = `${paidAs}.${resource.id}`;
    for (const record of await fetch(tx, payment, path, own.map(documentId))) {
      const id = (record[paidAs] as Readonly<Record<string, string>>)[resource.id] ?? "";
      const ofDocument = paymentsById.get(id);
      if (ofDocument === undefined) paymentsById.set(id, [record]);
      else ofDocument.push(record);
    }
  }
  return paymentsById;
}

/** Journals by the id of their source record. */
type Journals = Pick<ReadonlyMap<string, readonly PostedJournal[]>, "get">;

function settlementOfPayment(record: StoredPayment, journals: Journals): Settlement {
  const { PaymentID: id, Date: date, Amount: amount, Status } = record;
  const isLive = Status === "AUTHORISED";
  const name = `Payment ${id}`;
  return { id, name, date, amount, isLive, payment: record, ...inOrder(journals.get(id)) };
}

function ofAllocation(allocation: KeptAllocation, journals: Journals): Settlement {
  const { id, date, amount, isLive } = allocation;
  const name = `Allocation ${id}`;
  return { id, name, date, amount, isLive, allocation, ...inOrder(journals.get(id)) };
}

function inOrder(journals: readonly PostedJournal[] = []) {
  const cash = journals.filter(({ basis }) => basis === "cash");
  return {
    journals: journals.filter(({ reverses }) => reverses === undefined),
    made: cash.find(({ reverses }) => reverses === undefined)?.number,
    undone: cash.find(({ reverses }) => reverses !== undefined)?.number,
  };
}

// --- comparing -----------------------------------------------------------------------------------

/** Returns the reduction of a document's open amount by a settlement, in the base currency. */
function baseOf({ payment: paid, allocation }: Settlement, id: string): Cents {
  if (paid !== undefined) return paid.BaseAmount;
  if (allocation === undefined) return 0 as Cents;
  return allocation.creditId === id ? allocation.creditBase : allocation.invoiceBase;
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, one) => sum + one, 0) as Cents;

/** Compares the open amount of a document with its settlements, in any order. */
function checkOpenAmount(
  findings: Findings,
  { id, document, settlements: found, isOrdered }: SettledDocument,
  chart: Chart,
): void {
  const { resource, posts, lifeCycle, bank } = kindOf(document);
  if (posts === undefined) return;
  const fault = (kind: string, sentence: string) =>
    findings.fault(kind, `Document ${nameOf(resource, document)} (${id}): ${sentence}`);
  const active = found.filter((settlement) => settlement.isLive);
  const isOpen = resource.document.open !== undefined && isApproved(lifeCycle, document.Status);
  if (!isOpen && active.length > 0) {
    fault("settled", `it is ${document.Status}, but a payment or a credit is applied to it.`);
    return;
  }
  const owed = isOpen ? owedInBase(document, chart) : 0;
  const left = owed - total(active.map((settlement) => baseOf(settlement, id)));
  if (document.BaseDue !== left) {
    const [stored, made] = [document.BaseDue, left].map((number) => amountText(number, chart.base));
    fault(
      "base due",
      `${stored} of it is open in the base currency, but its settlements leave ${made}.`,
    );
  }
  if (!isOpen) return;
  const allocated = active.filter((settlement) => settlement.allocation !== undefined);
  const credited = bank !== undefined ? 0 : total(allocated.map(({ amount }) => amount));
  if (isOrdered && (document.CashCredited ?? 0) !== credited) {
    fault("cash credited", "what is credited of it on cash basis is not what its allocations are.");
  }
  const { LastSettled: after, Date: date, FullyPaidOnDate: paidOn, SettledStatus } = document;
  // For bank transactions that create a credit; other documents have their own status.
  if (
    SettledStatus !== undefined &&
    (SettledStatus === "PAID") !== (openOf(resource, document) === 0)
  ) {
    fault("status", `it is ${SettledStatus}, and what is left of it says otherwise.`);
  }
  const latest = active.reduce((day, settlement) => laterDate(day, settlement.date), date);
  if (after !== undefined && after < latest) {
    fault("last settled", `it was settled on ${latest}, after the day that is kept as the last.`);
  }
  if (paidOn !== undefined && isOrdered && paidOn !== (active.at(-1)?.date ?? date)) {
    fault("paid on", `it is kept as paid on ${paidOn}, and was settled on ${active.at(-1)?.date}.`);
  }
}

/** Returns a copy of the document at the time of a settlement, which recomputing may change. */
function asItWas(
  { id, document, approvals, settlements: all }: SettledDocument,
  settlement: Settlement,
  chart: Chart,
): { readonly document: StoredDocument; readonly live: PostedJournal[] } {
  const { resource, bank } = kindOf(document);
  const at = settlement.made ?? 0;
  const earlier = all.filter(
    ({ made = 0, undone }) => made < at && (undone === undefined || undone > at),
  );
  const paid = total(earlier.map(({ payment: each, amount }) => (each === undefined ? 0 : amount)));
  const creditedSum = total(earlier.map(({ amount }) => amount)) - paid;
  const owed = owedOf(document);
  const owedBase = owedInBase(document, chart);
  return {
    document: {
      ...document,
      Status: "AUTHORISED",
      AmountPaid: paid,
      AmountCredited: creditedSum as Cents,
      CashCredited: bank !== undefined ? undefined : (creditedSum as Cents),
      BaseDue: (owedBase - total(earlier.map((settlement) => baseOf(settlement, id)))) as Cents,
      ...(resource.document.open === undefined
        ? {}
        : { [resource.document.open]: owed - paid - creditedSum }),
    },
    live: [
      ...approvalAt(approvals, settlement),
      ...earlier.flatMap((each) => each.journals).filter((journal) => journal.documentId === id),
    ],
  };
}

/** Returns the approval at the time of a settlement: the contact of a paid document may change. */
function approvalAt(
  approvals: readonly PostedJournal[],
  { journals }: Settlement,
): readonly PostedJournal[] {
  if (approvals.length <= 1) return approvals;
  const ownJournal = journals.find(({ basis }) => basis === "accrual");
  const at = journals[0]?.createdAt ?? 0;
  const stood = approvals.filter((approval) =>
    ownJournal === undefined ? approval.createdAt <= at : approval.number < ownJournal.number,
  );
  return stood.slice(-1);
}

function paymentOf(
  findings: Findings,
  settledDocument: SettledDocument,
  settlement: Settlement,
  record: StoredPayment,
  { chart, base }: SettlementCheck,
): void {
  const { document, live } = asItWas(settledDocument, settlement, chart);
  const Account = chart.account(record.Account?.AccountID ?? "") ?? record.Account;
  const { Amount, BankAmount = 0 as Cents, CurrencyRate } = record;
  const currencies = currenciesOf({ Account }, document, base);
  const recomputed = recompute(findings, settlement.name, () => ({
    ...settleDocument({ ...record, Account }, document, chart, base, live),
    atRate: bankAmount(Amount, currencies, CurrencyRate),
    isAtRate: isBankAmount(Amount, BankAmount, currencies, CurrencyRate),
  }));
  if (recomputed === undefined) return;
  const fault = faultsOf(findings, settlement, chart);
  if (recomputed.baseAmount !== record.BaseAmount)
    fault("base amount", record.BaseAmount, recomputed.baseAmount);
  if (!recomputed.isAtRate) fault("bank amount", BankAmount, recomputed.atRate);
  if (paymentType(kindOf(document)) !== record.PaymentType) {
    findings.fault("payment type", `${settlement.name} is no ${record.PaymentType}.`);
  }
  compare(findings, settlement.name, settlement.journals, recomputed.journals);
}

function allocationOf(
  findings: Findings,
  invoice: SettledDocument,
  credit: SettledDocument,
  settlement: Settlement,
  allocation: KeptAllocation,
  { chart }: SettlementCheck,
): void {
  const [from, target] = [asItWas(invoice, settlement, chart), asItWas(credit, settlement, chart)];
  const { CurrencyCode } = credit.document;
  if (
    creditedType(kindOf(credit.document)) !== invoice.document.Type ||
    CurrencyCode !== invoice.document.CurrencyCode
  ) {
    findings.fault("allocation", `${settlement.name} is of documents that do not go together.`);
    return;
  }
  const recomputed = recompute(findings, settlement.name, () => {
    const liveJournals = new Map([
      [invoice.id, from.live],
      [credit.id, target.live],
    ]);
    return applyCredit(allocation, target.document, from.document, chart, liveJournals, 0);
  });
  if (recomputed === undefined) return;
  const fault = faultsOf(findings, settlement, chart);
  const { creditBase, invoiceBase } = allocation;
  if (recomputed.creditBase !== creditBase)
    fault("base amount of the credit", creditBase, recomputed.creditBase);
  if (recomputed.invoiceBase !== invoiceBase) {
    fault("base amount of the invoice", invoiceBase, recomputed.invoiceBase);
  }
  compare(findings, settlement.name, settlement.journals, recomputed.journals);
}

/** Recomputes a record; undefined, with a fault, where recomputing is refused. */
export function recompute<T>(findings: Findings, name: string, compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    const reason = error instanceof AcctError ? error.message : String(error);
    findings.fault("settlement", `${name} cannot have been made as it stands: ${reason}`);
    return undefined;
  }
}

const faultsOf =
  (findings: Findings, { name }: Settlement, { base }: Chart) =>
  (what: string, stored: Cents, made: Cents): void =>
    findings.fault(
      what,
      `${name}: the ${what} is ${amountText(stored, base)}, but must be ${amountText(made, base)}.`,
    );

/** Compares the journals of a record in both ledgers with the recomputed ones. */
export function compare(
  findings: Findings,
  name: string,
  journals: readonly Journal[],
  expected: readonly Journal[],
): void {
  for (const basis of ["accrual", "cash"] as const) {
    const [stored, made] = [journals, expected].map((each) =>
      each
        .filter((journal) => journal.basis === basis)
        .map(textOf)
        .sort()
        .join(),
    );
    if (stored === made) continue;
    findings.fault(
      `posted ${basis}`,
      `${name}: what is posted of it on ${basis} basis is not what it comes to.`,
    );
  }
}

/** Returns a journal as text, without its date and descriptive fields. */
export function textOf({ sourceType, documentId: id, postings }: Journal): string {
  const postingTexts = postings.map((posting) =>
    JSON.stringify([
      posting.account,
      posting.amount,
      posting.foreign,
      posting.taxType,
      posting.taxAmount,
      posting.option1,
      posting.option2,
      posting.line,
    ]),
  );
  return JSON.stringify([sourceType, id, postingTexts.sort()]);
}
