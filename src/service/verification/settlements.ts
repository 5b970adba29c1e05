/**
 * Works out again what payments and allocations have posted, in both ledgers, and what they leave
 * of the documents that they settle.
 *
 * Each is made once more as it was made: of a document with its approval and with the settlements
 * that stood at that time, also those reversed later. The numbers of the cash journals tell in
 * which order all that came. A settlement that is worth less than a cent of the base currency has
 * no journal; documents with one of these have their sums compared alone.
 */

import { laterDate } from "../../ledger/dates/calendar.ts";
import { isApproved } from "../../ledger/documents/lifecycle.ts";
import type { Journal, PostedJournal } from "../../ledger/journal.ts";
import { bankAmount, isBankAmount } from "../../ledger/postings/currency.ts";
import { type Cents, writeDecimal } from "../../resources/decimal.ts";
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
import { currenciesOf, settle } from "../payments/settlement.ts";

export interface SettlementCheck {
  readonly chart: Chart;
  /** The currency of the books. */
  readonly base: string;
}

/** A payment or an allocation. */
interface Settlement {
  readonly id: string;
  /** Its name in messages. */
  readonly name: string;
  readonly date: string;
  readonly amount: Cents;
  readonly isLive: boolean;
  readonly payment?: StoredPayment;
  readonly allocation?: KeptAllocation;
  /** Journals that reverse none, of both ledgers. */
  readonly journals: readonly PostedJournal[];
  /** The numbers of its first cash journal, and of the first that undid it; undefined for none. */
  readonly made: number | undefined;
  readonly undone: number | undefined;
}

/** A document with all that ever settled it, the earliest first. */
interface Settled {
  readonly id: string;
  readonly document: StoredDocument;
  /** Its journals of approval in the accrual ledger, those that were replaced among them. */
  readonly approvals: readonly PostedJournal[];
  readonly settlements: readonly Settlement[];
  /** Whether the order of its settlements is known. */
  readonly isOrdered: boolean;
}

/**
 * Compares documents with their settlements, and those with what stands in the ledger. Of an
 * allocation it is the invoice that must be among the documents.
 *
 * @param known.journals  all of the documents, those that were undone among them
 */
export async function settlements(
  findings: Findings,
  documents: readonly StoredDocument[],
  known: SettlementCheck & { readonly journals: Journals },
): Promise<void> {
  const settled = await loadSettled(findings.tx, documents.filter(isSettled), known.journals);
  for (const document of documents) {
    const found = settled.get(documentId(document)) ?? unsettled(document);
    sums(findings, found, known.chart);
    if (!found.isOrdered) continue;
    for (const each of found.settlements) {
      if (!each.isLive) continue;
      if (each.payment !== undefined) paymentOf(findings, found, each, each.payment, known);
      const credit = settled.get(each.allocation?.creditId ?? "");
      if (each.allocation === undefined || credit === undefined || credit === found) continue;
      if (credit.isOrdered) allocationOf(findings, found, credit, each, each.allocation, known);
    }
  }
}

const isSettled = ({ AmountPaid, AmountCredited }: StoredDocument): boolean =>
  AmountPaid !== 0 || AmountCredited !== 0;

const documentId = (document: StoredDocument): string => idOf(kindOf(document).resource, document);

const unsettled = (document: StoredDocument): Settled => ({
  id: documentId(document),
  document,
  approvals: [],
  settlements: [],
  isOrdered: true,
});

// --- loading -------------------------------------------------------------------------------------

/**
 * Documents with their settlements, and the credits that were applied to them with theirs.
 *
 * @param ofDocuments  their journals
 */
async function loadSettled(
  tx: Tx,
  documents: readonly StoredDocument[],
  ofDocuments: Journals,
): Promise<ReadonlyMap<string, Settled>> {
  const ids = documents.map(documentId);
  if (ids.length === 0) return new Map();
  const applied = await keptAllocationsOf(tx, "invoice", ids);
  const there = new Set(ids);
  const missing = [...new Set(applied.map((each) => each.creditId))].filter((id) => !there.has(id));
  const credits: StoredDocument[] = [];
  if (missing.length > 0) {
    for (const resource of [creditNote, prepayment, overpayment]) {
      credits.push(...(await fetchDocuments(tx, resource, missing)));
    }
  }
  const all = [...documents, ...credits];
  const allocations = [
    ...applied,
    ...(await keptAllocationsOf(tx, "credit", all.filter(isCredit).map(documentId))),
  ];
  const payments = await loadPayments(tx, all);
  const made = [...payments.values()].flat();
  const sources = [
    ...credits.map(documentId),
    ...made.map((each) => each.PaymentID),
    ...allocations.map((each) => each.id),
  ];
  const others = Map.groupBy(await journalsOf(tx, "source", sources), (each) => each.sourceId);
  const journals = { get: (id: string) => ofDocuments.get(id) ?? others.get(id) };
  const byInvoice = Map.groupBy(allocations, (each) => each.invoiceId);
  const byCredit = Map.groupBy(allocations, (each) => each.creditId);
  return new Map(
    all.map((document) => {
      const id = documentId(document);
      const allocated = isCredit(document) ? byCredit.get(id) : byInvoice.get(id);
      const own = new Map((allocated ?? []).map((each) => [each.id, each]));
      const settlements = [
        ...(payments.get(id) ?? []).map((each) => ofPayment(each, journals)),
        ...[...own.values()].map((each) => ofAllocation(each, journals)),
      ].sort((a, b) => (a.made ?? 0) - (b.made ?? 0));
      const approvals = (journals.get(id) ?? []).filter(
        ({ basis, reverses }) => basis === "accrual" && reverses === undefined,
      );
      const isOrdered = settlements.every(
        ({ made: first, undone, isLive }) =>
          first !== undefined && isLive === (undone === undefined),
      );
      return [id, { id, document, approvals, settlements: settlements, isOrdered }];
    }),
  );
}

const isCredit = (document: StoredDocument): boolean => kindOf(document).credits !== undefined;

/** Payments of documents of any resource, by document, with reversed ones. */
async function loadPayments(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<ReadonlyMap<string, StoredPayment[]>> {
  const found = new Map<string, StoredPayment[]>();
  for (const [resource, own] of Map.groupBy(documents, (each) => kindOf(each).resource)) {
    const { paidAs } = resource.document;
    if (paidAs === undefined) continue;
    const path = `${paidAs}.${resource.id}`;
    for (const each of await fetch(tx, payment, path, own.map(documentId))) {
      const id = (each[paidAs] as Readonly<Record<string, string>>)[resource.id] ?? "";
      const others = found.get(id);
      if (others === undefined) found.set(id, [each]);
      else others.push(each);
    }
  }
  return found;
}

/** By the record that made them. */
type Journals = Pick<ReadonlyMap<string, readonly PostedJournal[]>, "get">;

function ofPayment(record: StoredPayment, journals: Journals): Settlement {
  const { PaymentID: id, Date: date, Amount: amount, Status } = record;
  const isLive = Status === "AUTHORISED";
  const name = `Payment ${id}`;
  return { id, name, date, amount, isLive, payment: record, ...ordered(journals.get(id)) };
}

function ofAllocation(allocation: KeptAllocation, journals: Journals): Settlement {
  const { id, date, amount, isLive } = allocation;
  const name = `Allocation ${id}`;
  return { id, name, date, amount, isLive, allocation, ...ordered(journals.get(id)) };
}

function ordered(journals: readonly PostedJournal[] = []) {
  const cash = journals.filter(({ basis }) => basis === "cash");
  return {
    journals: journals.filter(({ reverses }) => reverses === undefined),
    made: cash.find(({ reverses }) => reverses === undefined)?.number,
    undone: cash.find(({ reverses }) => reverses !== undefined)?.number,
  };
}

// --- comparing -----------------------------------------------------------------------------------

/** Amount that a settlement took off a document, in the base currency. */
function baseOf({ payment: paid, allocation }: Settlement, id: string): Cents {
  if (paid !== undefined) return paid.BaseAmount;
  if (allocation === undefined) return 0 as Cents;
  return allocation.creditId === id ? allocation.creditBase : allocation.invoiceBase;
}

const total = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0) as Cents;

/** Compares what is left of a document with its settlements, whatever their order. */
function sums(
  findings: Findings,
  { id, document, settlements: found, isOrdered }: Settled,
  chart: Chart,
): void {
  const { resource, posts, lifeCycle, bank } = kindOf(document);
  if (posts === undefined) return;
  const fault = (kind: string, said: string) =>
    findings.fault(kind, `Document ${nameOf(resource, document)} (${id}): ${said}`);
  const live = found.filter((each) => each.isLive);
  const isOpen = resource.document.open !== undefined && isApproved(lifeCycle, document.Status);
  if (!isOpen && live.length > 0) {
    fault("settled", `it is ${document.Status}, but a payment or a credit is applied to it.`);
    return;
  }
  const owed = isOpen ? owedInBase(document, chart) : 0;
  const left = owed - total(live.map((each) => baseOf(each, id)));
  if (document.BaseDue !== left) {
    const [kept, made] = [document.BaseDue, left].map((each) => writeDecimal(each, 2));
    fault(
      "base due",
      `${kept} of it is open in the base currency, but its settlements leave ${made}.`,
    );
  }
  if (!isOpen) return;
  const allocated = live.filter((each) => each.allocation !== undefined);
  const credited = bank !== undefined ? 0 : total(allocated.map(({ amount }) => amount));
  if (isOrdered && (document.CashCredited ?? 0) !== credited) {
    fault("cash credited", "what is credited of it on cash basis is not what its allocations are.");
  }
  const { LastSettled: after, Date: date, FullyPaidOnDate: paidOn, SettledStatus } = document;
  // Of a bank transaction that leaves a credit; others say it in their own status.
  if (
    SettledStatus !== undefined &&
    (SettledStatus === "PAID") !== (openOf(resource, document) === 0)
  ) {
    fault("status", `it is ${SettledStatus}, and what is left of it says otherwise.`);
  }
  const latest = live.reduce((day, each) => laterDate(day, each.date), date);
  if (after !== undefined && after < latest) {
    fault("last settled", `it was settled on ${latest}, after the day that is kept as the last.`);
  }
  if (paidOn !== undefined && isOrdered && paidOn !== (live.at(-1)?.date ?? date)) {
    fault("paid on", `it is kept as paid on ${paidOn}, and was settled on ${live.at(-1)?.date}.`);
  }
}

/** The document as a settlement found it; what it is applied to may be changed. */
function found(
  { id, document, approvals, settlements: all }: Settled,
  settlement: Settlement,
  chart: Chart,
): { readonly document: StoredDocument; readonly live: PostedJournal[] } {
  const { resource, bank } = kindOf(document);
  const at = settlement.made ?? 0;
  const before = all.filter(
    ({ made = 0, undone }) => made < at && (undone === undefined || undone > at),
  );
  const paid = total(before.map(({ payment: each, amount }) => (each === undefined ? 0 : amount)));
  const credited = total(before.map(({ amount }) => amount)) - paid;
  const owed = owedOf(document);
  const base = owedInBase(document, chart);
  return {
    document: {
      ...document,
      Status: "AUTHORISED",
      AmountPaid: paid,
      AmountCredited: credited as Cents,
      CashCredited: bank !== undefined ? undefined : (credited as Cents),
      BaseDue: (base - total(before.map((each) => baseOf(each, id)))) as Cents,
      ...(resource.document.open === undefined
        ? {}
        : { [resource.document.open]: owed - paid - credited }),
    },
    live: [
      ...approvalAt(approvals, settlement),
      ...before.flatMap((each) => each.journals).filter((each) => each.documentId === id),
    ],
  };
}

/** The approval that stood when a settlement was made: the contact of a paid document may change. */
function approvalAt(
  approvals: readonly PostedJournal[],
  { journals }: Settlement,
): readonly PostedJournal[] {
  if (approvals.length <= 1) return approvals;
  const own = journals.find(({ basis }) => basis === "accrual");
  const at = journals[0]?.createdAt ?? 0;
  const stood = approvals.filter((each) =>
    own === undefined ? each.createdAt <= at : each.number < own.number,
  );
  return stood.slice(-1);
}

function paymentOf(
  findings: Findings,
  settled: Settled,
  settlement: Settlement,
  record: StoredPayment,
  { chart, base }: SettlementCheck,
): void {
  const { document, live } = found(settled, settlement, chart);
  const Account = chart.account(record.Account?.AccountID ?? "") ?? record.Account;
  const { Amount, BankAmount = 0 as Cents, CurrencyRate } = record;
  const currencies = currenciesOf({ Account }, document, base);
  const made = recompute(findings, settlement.name, () => ({
    ...settle({ ...record, Account }, document, chart, base, live),
    atRate: bankAmount(Amount, currencies, CurrencyRate),
    isAtRate: isBankAmount(Amount, BankAmount, currencies, CurrencyRate),
  }));
  if (made === undefined) return;
  const fault = faultsOf(findings, settlement);
  if (made.baseAmount !== record.BaseAmount)
    fault("base amount", record.BaseAmount, made.baseAmount);
  if (!made.isAtRate) fault("bank amount", BankAmount, made.atRate);
  if (paymentType(kindOf(document)) !== record.PaymentType) {
    findings.fault("payment type", `${settlement.name} is no ${record.PaymentType}.`);
  }
  compare(findings, settlement.name, settlement.journals, made.journals);
}

function allocationOf(
  findings: Findings,
  invoice: Settled,
  credit: Settled,
  settlement: Settlement,
  allocation: KeptAllocation,
  { chart }: SettlementCheck,
): void {
  const [taken, given] = [found(invoice, settlement, chart), found(credit, settlement, chart)];
  const { CurrencyCode } = credit.document;
  if (
    creditedType(kindOf(credit.document)) !== invoice.document.Type ||
    CurrencyCode !== invoice.document.CurrencyCode
  ) {
    findings.fault("allocation", `${settlement.name} is of documents that do not go together.`);
    return;
  }
  const made = recompute(findings, settlement.name, () => {
    const live = new Map([
      [invoice.id, taken.live],
      [credit.id, given.live],
    ]);
    return applyCredit(allocation, given.document, taken.document, chart, live, 0);
  });
  if (made === undefined) return;
  const fault = faultsOf(findings, settlement);
  const { creditBase, invoiceBase } = allocation;
  if (made.creditBase !== creditBase)
    fault("base amount of the credit", creditBase, made.creditBase);
  if (made.invoiceBase !== invoiceBase) {
    fault("base amount of the invoice", invoiceBase, made.invoiceBase);
  }
  compare(findings, settlement.name, settlement.journals, made.journals);
}

/** Recomputes a record; undefined, with a fault, where it could not have been made. */
export function recompute<T>(findings: Findings, name: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof AcctError ? error.message : String(error);
    findings.fault("settlement", `${name} cannot have been made as it stands: ${reason}`);
    return undefined;
  }
}

const faultsOf =
  (findings: Findings, { name }: Settlement) =>
  (what: string, kept: Cents, made: Cents): void =>
    findings.fault(
      what,
      `${name}: the ${what} is ${writeDecimal(kept, 2)}, but must be ${writeDecimal(made, 2)}.`,
    );

/** Compares what stands of a record in both ledgers with what it makes. */
export function compare(
  findings: Findings,
  name: string,
  journals: readonly Journal[],
  wanted: readonly Journal[],
): void {
  for (const basis of ["accrual", "cash"] as const) {
    const [found, made] = [journals, wanted].map((each) =>
      each
        .filter((journal) => journal.basis === basis)
        .map(textOf)
        .sort()
        .join(),
    );
    if (found === made) continue;
    findings.fault(
      `posted ${basis}`,
      `${name}: what is posted of it on ${basis} basis is not what it comes to.`,
    );
  }
}

/** All of a journal but its day and what only describes it. */
export function textOf({ sourceType, documentId: id, postings }: Journal): string {
  const texts = postings.map((each) =>
    JSON.stringify([
      each.account,
      each.amount,
      each.foreign,
      each.taxType,
      each.taxAmount,
      each.option1,
      each.option2,
      each.line,
    ]),
  );
  return JSON.stringify([sourceType, id, texts.sort()]);
}
