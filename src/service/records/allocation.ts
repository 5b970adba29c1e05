/** /CreditNotes|Prepayments|Overpayments/{id}/Allocations: credits applied to invoices and bills. */

import { type Journal, type PostedJournal, reversalJournal } from "../../ledger/journal.ts";
import { checkLock, firstOpenDay, type LockDates } from "../../ledger/locks.ts";
import type { Allocation } from "../../resources/allocation.ts";
import { amountFault, amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { type DocumentResource, id, idOf, money } from "../../resources/field.ts";
import { allocation, creditNote, invoice, isDocument } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import {
  addAllocations,
  allocationsOf,
  endAllocation,
  type ShownAllocation,
  type StoredAllocation,
} from "../../store/ledger/allocations.ts";
import { appendJournals } from "../../store/ledger/journals.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { creditedType, kindOf } from "../documents/document-registry.ts";
import {
  fetchDocuments,
  nameOf,
  type StoredDocument,
  saveDocuments,
} from "../documents/stored-documents.ts";
import { labelOf } from "../documents/writing/history-texts.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { applyCredit, reverseCredit } from "../payments/apply-credit.ts";
import { PaymentTargets, type TargetReference } from "../payments/payment-targets.ts";
import { answerResult } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import type { RecordHandler } from "../request/endpoint.ts";
import {
  type Endpoint,
  locate,
  type RecordWriter,
  type WriteRequest,
} from "../request/endpoint.ts";
import { Faults, twoRecords } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { write } from "../request/write.ts";

/** Name of the field in an allocation that holds its credit. */
const creditNames = ["CreditNote", "Prepayment", "Overpayment"] as const;
type CreditName = (typeof creditNames)[number];

/** An allocation in progress, with its answered and its stored form. */
interface DraftedAllocation extends Record<string, unknown> {
  readonly AllocationID: string;
  readonly AppliedAmount: Cents;
  readonly Date: string;
  readonly invoice: StoredDocument;
  readonly creditBase: Cents;
  readonly invoiceBase: Cents;
  /** Whether the allocation existed before the request, which repeats it. */
  readonly isStanding: boolean;
}

type Input = Partial<Allocation> & { readonly Amount?: Cents };

interface AllocationContext {
  readonly credit: StoredDocument;
  readonly chart: Chart;
  readonly targets: PaymentTargets;
  readonly live: Map<string, PostedJournal[]>;
  readonly journals: Journal[];
  /** Allocations of the credit before this request that are not reversed. */
  readonly known: readonly ShownAllocation[];
}

/** Returns the resource of an endpoint whose records are credits. */
function resourceOf({ resource }: Pick<Endpoint, "resource">): DocumentResource {
  if (!isDocument(resource)) throw new Error(`A ${resource.noun} is no document.`);
  return resource;
}

/** Returns the credit of the path. @throws NotFoundError */
async function creditAt(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint,
  key: string,
): Promise<StoredDocument> {
  return (await locate(call, tx, endpoint, key)) as StoredDocument;
}

/** PUT …/Allocations: allocates parts of a credit to invoices of the same contact. */
export const allocate: RecordHandler = (call, endpoint, key) => {
  const writing = async () => allocationWriting(endpoint, key) as RecordWriter;
  return write(call, { resource: allocation, writer: writing }, "PUT");
};

function allocationWriting(
  endpoint: Endpoint,
  key: string,
): RecordWriter<DraftedAllocation, AllocationContext> {
  const resource = resourceOf(endpoint);
  return {
    // The public API's own JSON names the amount so. Clients may send existing allocations again.
    alsoAccepts: {
      Amount: money(),
      AllocationID: id(),
      ...Object.fromEntries(
        creditNames.map((name) => [name, { ...allocation.fields[name], readOnly: false }]),
      ),
    },
    findsIds: true,

    async load({ call, tx, entries }) {
      const credit = await creditAt(call, tx, endpoint, key);
      const references = entries.map(({ input }) => input.Invoice as TargetReference | undefined);
      const targets = await PaymentTargets.load(tx, invoice, references);
      const documents = [idOf(resource, credit), ...targets.ids];
      return {
        credit,
        chart: await loadChart(tx),
        targets,
        live: Map.groupBy(await liveJournals(tx, "document", documents), (each) => each.documentId),
        journals: [],
        known: await allocationsOf(tx, "credit", [idOf(resource, credit)]),
      };
    },

    decide(batch, context, entry) {
      const faults = new Faults();
      const input = entry.input as Input;
      const AppliedAmount = input.AppliedAmount ?? input.Amount;
      const { credit } = context;
      checkNamedTwice(input, credit, faults);
      const invoice = context.targets.resolve(
        (input.Invoice ?? {}) as TargetReference,
        "an allocation",
        faults,
      );
      if (AppliedAmount === undefined) faults.add("Required", "AppliedAmount is required.");
      else {
        const fault = amountFault("AppliedAmount", AppliedAmount, credit.CurrencyCode);
        if (fault !== undefined) faults.add("Currency", fault);
      }
      checkCredit(credit, faults);
      if (invoice !== undefined) checkPair(credit, invoice, faults);
      const current = existingOf(input, context, invoice, faults);
      const date =
        invoice &&
        dateOf(batch.call, input, { credit, invoice, locks: batch.organisation }, faults);
      faults.check();
      if (invoice === undefined || date === undefined || AppliedAmount === undefined) return;
      if (current !== undefined) {
        entry.record = draftOf(current, credit, invoice, true);
        return;
      }
      checkLock(date, batch.organisation);
      entry.record = apply(batch, context, AppliedAmount, date, invoice);
    },

    async keep({ tx, call }, context, decisions) {
      const made = decisions.flatMap(({ record }) => (record?.isStanding === false ? record : []));
      await saveAllocations(call, tx, resource, context, made);
    },
  };
}

/** Saves allocations, the changes of both documents, and their history notes. */
async function saveAllocations(
  call: RequestContext,
  tx: Tx,
  resource: DocumentResource,
  { credit, journals }: AllocationContext,
  drafts: readonly DraftedAllocation[],
): Promise<void> {
  await saveDocuments(tx, resource, [credit]);
  await saveDocuments(tx, invoice, [...new Set(drafts.map((drafted) => drafted.invoice))]);
  await appendJournals(tx, journals, call.now(), call.newId);
  const creditId = idOf(resource, credit);
  await addAllocations(
    tx,
    drafts.map((drafted) => ({
      id: drafted.AllocationID,
      creditId,
      invoiceId: idOf(invoice, drafted.invoice),
      amount: drafted.AppliedAmount,
      date: drafted.Date,
      creditBase: drafted.creditBase,
      invoiceBase: drafted.invoiceBase,
    })),
    call.now(),
  );
  for (const { AppliedAmount, invoice } of drafts) {
    const sum = `${credit.CurrencyCode} ${amountText(AppliedAmount, credit.CurrencyCode)}`;
    await noteHistory(call, tx, credit, "Credited", `${sum} was applied to ${labelOf(invoice)}.`);
    await noteHistory(call, tx, invoice, "Credited", `${sum} of ${labelOf(credit)} was applied.`);
  }
}

/** Applies an allocation in memory, so that the next of the batch sees smaller open amounts. */
function apply(
  { call }: WriteRequest<DraftedAllocation>,
  { credit, chart, live, journals }: AllocationContext,
  amount: Cents,
  date: string,
  invoice: StoredDocument,
): DraftedAllocation {
  const AllocationID = call.newId();
  const allocationFacts = { id: AllocationID, date, amount };
  const allocated = applyCredit(allocationFacts, credit, invoice, chart, live, call.now());
  journals.push(...allocated.journals);
  for (const journal of allocated.journals) {
    const postedJournal = { ...journal, id: "", number: 0, createdAt: call.now() };
    live.set(journal.documentId, [...(live.get(journal.documentId) ?? []), postedJournal]);
  }
  return draftOf({ ...allocationFacts, ...allocated }, credit, invoice, false);
}

type AllocationAmounts = Pick<
  StoredAllocation,
  "id" | "amount" | "date" | "creditBase" | "invoiceBase"
>;

function draftOf(
  { id, amount, date, creditBase, invoiceBase }: AllocationAmounts,
  credit: StoredDocument,
  invoice: StoredDocument,
  isStanding: boolean,
): DraftedAllocation {
  return {
    AllocationID: id,
    AppliedAmount: amount,
    Date: date,
    Invoice: invoice,
    [creditName(kindOf(credit).resource)]: credit,
    invoice,
    creditBase,
    invoiceBase,
    isStanding,
  };
}

/**
 * Returns the existing allocation that a caller names by its id: it stays unchanged, so that no
 * amount is allocated twice.
 */
function existingOf(
  { AllocationID, AppliedAmount, Amount, Date: date }: Input,
  { known, credit }: AllocationContext,
  invoice: StoredDocument | undefined,
  faults: Faults,
): ShownAllocation | undefined {
  if (AllocationID === undefined) return undefined;
  const allocation = known.find((shownAllocation) => shownAllocation.id === AllocationID);
  if (allocation === undefined) {
    faults.add(
      "Form",
      `The ${kindOf(credit).label.toLowerCase()} has no allocation ${AllocationID}.`,
    );
    return undefined;
  }
  const isUnchanged =
    allocation.amount === (AppliedAmount ?? Amount) &&
    allocation.invoiceId === (invoice && idOf(kindOf(invoice).resource, invoice)) &&
    (date === undefined || date === allocation.date || kindOf(credit).resource !== creditNote);
  if (!isUnchanged) {
    const sum = amountText(allocation.amount, credit.CurrencyCode);
    faults.add(
      "Applied",
      `The allocation ${allocation.id} applies ${sum} to ${allocation.invoiceNumber ?? allocation.invoiceId} on ${allocation.date} and cannot be changed; delete it and make another.`,
    );
  }
  return allocation;
}

function creditName({ document: { paidAs } }: DocumentResource): CreditName {
  const name = creditNames.find((creditName) => creditName === paidAs);
  if (name === undefined) throw new Error(`${paidAs} is no credit.`);
  return name;
}

interface DateContext {
  readonly credit: StoredDocument;
  readonly invoice: StoredDocument;
  readonly locks: LockDates;
}

/** Checks that the amounts of an allocation agree, and that its credit is the one of the path. */
function checkNamedTwice(input: Input, credit: StoredDocument, faults: Faults): void {
  const { AppliedAmount, Amount } = input;
  if (AppliedAmount !== undefined && Amount !== undefined && AppliedAmount !== Amount) {
    const [applied, other] = [AppliedAmount, Amount].map((cents) =>
      amountText(cents, credit.CurrencyCode),
    );
    faults.add("Form", twoRecords("The amount", `AppliedAmount ${applied}`, `Amount ${other}`));
  }
  const creditId = idOf(kindOf(credit).resource, credit);
  for (const name of creditNames) {
    const sentId = (input[name] as TargetReference | undefined)?.[`${name}ID`];
    if (sentId !== undefined && sentId !== creditId)
      faults.add("Form", twoRecords(name, `${creditId} of the path`, String(sentId)));
  }
}

function checkCredit(credit: StoredDocument, faults: Faults): void {
  const { label } = kindOf(credit);
  if (credit.Status !== "AUTHORISED" && credit.Status !== "PAID") {
    faults.add(
      "AuthorisedOnly",
      `${label} of status ${credit.Status} cannot be allocated; approve it first.`,
    );
  }
}

/** Checks that the credit may be allocated to the invoice. */
function checkPair(credit: StoredDocument, invoice: StoredDocument, faults: Faults): void {
  const wantedType = creditedType(kindOf(credit));
  const name = nameOf(kindOf(invoice).resource, invoice);
  if (invoice.Type !== wantedType) {
    const documents = wantedType === "ACCREC" ? "sales invoices" : "bills";
    faults.add("Form", `${kindOf(credit).label} can be allocated to ${documents} only.`);
  }
  if (invoice.Status !== "AUTHORISED" && invoice.Status !== "PAID") {
    faults.add(
      "AuthorisedOnly",
      `Credits can only be allocated to Authorised documents, and ${name} is none.`,
    );
  }
  if (invoice.Contact?.ContactID !== credit.Contact?.ContactID) {
    faults.add(
      "OneContact",
      `${name} is of another contact than the ${kindOf(credit).label.toLowerCase()}.`,
    );
  }
  if (invoice.CurrencyCode !== credit.CurrencyCode) {
    faults.add(
      "Form",
      `${name} is in ${invoice.CurrencyCode}, the credit in ${credit.CurrencyCode}.`,
    );
  }
}

/**
 * Returns the posting date: the date given in `onDate`, or for a credit note in `Date`, which is
 * read-only for other credits; else the later date of the two documents, or with `firstOpenDay`
 * the first day after it that is not locked.
 */
function dateOf(
  { query }: RequestContext,
  input: Input,
  { credit, invoice, locks }: DateContext,
  faults: Faults,
): string {
  const later = credit.Date > invoice.Date ? credit.Date : invoice.Date;
  const sentDate = kindOf(credit).resource === creditNote ? input.Date : undefined;
  const date = query.day("onDate") ?? sentDate;
  if (date !== undefined && sentDate !== undefined && date !== sentDate) {
    faults.add(
      "Form",
      `The Date ${sentDate} and the parameter onDate, ${date}, name two days; send one.`,
    );
  }
  if (date !== undefined && date < later && input.AllocationID === undefined) {
    faults.add(
      "SettlementDay",
      `An allocation is dated on or after ${later}, the later day of the two documents, not ${date}.`,
    );
  }
  return date ?? (query.boolean("firstOpenDay") ? firstOpenDay(later, locks) : later);
}

/** DELETE …/Allocations/{AllocationID}: reverses an allocation on both documents. */
export const deleteAllocation: RecordHandler = (call, endpoint, key, allocationKey) => {
  const resource = resourceOf(endpoint);
  return call.write(async (tx) => {
    const credit = await creditAt(call, tx, endpoint, key);
    const id = readId(allocationKey);
    const liveAllocations = await allocationsOf(tx, "credit", [idOf(resource, credit)]);
    const shownAllocation = liveAllocations.find((shownAllocation) => shownAllocation.id === id);
    if (shownAllocation === undefined) {
      throw new NotFoundError("NotFound", `There is no allocation ${allocationKey.slice(0, 60)}.`);
    }
    const [document] = await fetchDocuments(tx, invoice, [shownAllocation.invoiceId]);
    if (document === undefined)
      throw new Error(`The invoice of allocation ${shownAllocation.id} is gone.`);
    checkLock(shownAllocation.date, (await organisationContext(call, tx)).organisation);
    const journals = await liveJournals(tx, "source", [shownAllocation.id]);
    // An allocation of zero in the base currency has no journal on either basis.
    const isRecognised =
      shownAllocation.invoiceBase === 0 ||
      journals.some(
        ({ basis, documentId }) => basis === "cash" && documentId === shownAllocation.invoiceId,
      );
    reverseCredit({ ...shownAllocation, isRecognised }, credit, document, call.now());
    await appendJournals(tx, journals.map(reversalJournal), call.now(), call.newId);
    await endAllocation(tx, shownAllocation.id);
    await saveDocuments(tx, resource, [credit]);
    await saveDocuments(tx, invoice, [document]);
    const sum = `${credit.CurrencyCode} ${amountText(shownAllocation.amount, credit.CurrencyCode)}`;
    await noteHistory(
      call,
      tx,
      credit,
      "Credit removed",
      `${sum} is no longer applied to ${labelOf(document)}.`,
    );
    await noteHistory(
      call,
      tx,
      document,
      "Credit removed",
      `${sum} of ${labelOf(credit)} was taken back.`,
    );
    return answerResult(call, allocation, {
      AllocationID: shownAllocation.id,
      AppliedAmount: shownAllocation.amount,
      Date: shownAllocation.date,
      Invoice: {
        InvoiceID: shownAllocation.invoiceId,
        InvoiceNumber: shownAllocation.invoiceNumber,
      },
      IsDeleted: true,
    });
  });
};

async function noteHistory(
  call: RequestContext,
  tx: Tx,
  document: StoredDocument,
  changes: string,
  details: string,
): Promise<void> {
  const { resource } = kindOf(document);
  await enter(call, tx, resource, idOf(resource, document), { changes, details });
}
