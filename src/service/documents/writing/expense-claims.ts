/**
 * The writer of expense claims: a claim has the lines of its receipts, whose statuses follow its own.
 *
 * While a claim holds a receipt, nothing else does; the receipts of one that is deleted or voided
 * are drafts again, which may be corrected and claimed anew.
 */

import { isApproved } from "../../../ledger/documents/lifecycle.ts";
import { zeroCents } from "../../../ledger/money.ts";
import type { Contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import type { ExpenseClaim } from "../../../resources/expense-claim.ts";
import { contact, expenseClaim, receipt } from "../../../resources/index.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import { linesOf } from "../../../store/mapping/line-items.ts";
import { fetch, save } from "../../../store/mapping/records.ts";
import { addHistory } from "../../../store/records/history.ts";
import type { RecordWriter, WriteItem, WriteRequest } from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { enter, historyEntry } from "../../request/history.ts";
import { recordFrom } from "../../request/merge.ts";
import { unique } from "../../request/unique.ts";
import { kindOf } from "../document-registry.ts";
import { loadUsers, type Person, personName } from "../load-references.ts";
import {
  fetchDocuments,
  isLive,
  nameOf,
  type StoredDocument,
  saveDocuments,
} from "../stored-documents.ts";
import type { DocumentBatchContext } from "./batch-context.ts";

type Batch = WriteRequest<StoredDocument>;
type Entry = WriteItem<StoredDocument>;

/** The context of a batch of claims: the receipts that they name and hold, by id. */
interface ClaimBatchContext extends DocumentBatchContext {
  readonly receipts: ReadonlyMap<string, StoredDocument>;
}

export function claimWriter(
  shared: RecordWriter<StoredDocument, DocumentBatchContext>,
): RecordWriter<StoredDocument, ClaimBatchContext> {
  return {
    async load(batch) {
      const receiptById = await loadReceipts(batch);
      const personById = await loadUsers(
        batch.tx,
        batch.entries.map(({ input }) => (input as Partial<StoredDocument>).User),
      );
      for (const entry of batch.entries) {
        const { existing, input } = entry;
        if (existing !== undefined) existing.Date = existing.ReportingDate ?? existing.Date;
        const LineItems = linesFrom(receiptById, input.Receipts as ExpenseClaim["Receipts"]);
        if (LineItems !== undefined) Object.assign(input, { LineItems });
        if (existing === undefined) await nameContact(batch, input, personById);
      }
      return { ...(await shared.load(batch)), receipts: receiptById };
    },

    decide(batch, context, entry) {
      if (isLive({ Status: String(entry.input.Status) })) checkReceipts(context, entry);
      shared.decide(batch, context, entry);
      const { record } = entry;
      if (record === undefined) return;
      record.Receipts = heldBy(record).flatMap((id) => {
        const {
          ReceiptNumber,
          Date: date,
          Reference,
          Total,
        } = (context.receipts.get(id) ?? {}) as StoredDocument & { ReceiptNumber?: string };
        return { ReceiptID: id, ReceiptNumber, Date: date, Reference, Total: Total ?? zeroCents };
      });
    },

    async keep(batch, context, decisions) {
      await shared.keep?.(batch, context, decisions);
      for (const entry of decisions) await moveReceipts(batch, context, entry);
    },
  };
}

const heldBy = (claim: { readonly Receipts?: ExpenseClaim["Receipts"] | undefined } | undefined) =>
  unique((claim?.Receipts ?? []).map(({ ReceiptID }) => ReceiptID));

async function loadReceipts({ tx, entries }: Batch): Promise<Map<string, StoredDocument>> {
  const ids = unique(
    entries.flatMap(({ input, existing }) => [
      ...heldBy(input as Partial<StoredDocument>),
      ...heldBy(existing),
    ]),
  );
  if (ids.length === 0) return new Map();
  const [receipts, lines] = [await fetchDocuments(tx, receipt, ids), await linesOf(tx, ids)];
  return new Map(
    receipts.map((receipt) => {
      const { ReceiptID } = receipt as StoredDocument & { ReceiptID: string };
      return [ReceiptID, { ...receipt, LineItems: lines.get(ReceiptID) ?? [] }];
    }),
  );
}

/**
 * Returns the lines of receipts as those of a claim, whose amounts include the tax that each
 * receipt has; undefined where the claim keeps its receipts.
 */
function linesFrom(
  receiptById: ReadonlyMap<string, StoredDocument>,
  receiptIds: ExpenseClaim["Receipts"] | undefined,
): Partial<LineItem>[] | undefined {
  return receiptIds?.flatMap(({ ReceiptID }) => {
    const { LineItems = [], LineAmountTypes } = receiptById.get(ReceiptID) ?? {};
    return LineItems.map(({ LineItemID: _, ...line }) => {
      const { LineAmount, TaxAmount = zeroCents } = line;
      if (LineAmountTypes !== "Exclusive" || LineAmount === undefined) return line;
      return { ...line, UnitAmount: undefined, LineAmount: (LineAmount + TaxAmount) as Cents };
    });
  });
}

/** Sets the contact who is paid: that of the person's name, which is made with the first claim. */
async function nameContact(
  { call, tx }: Batch,
  input: Entry["input"],
  personById: ReadonlyMap<string, Person>,
): Promise<void> {
  const { Contact, User } = input as Partial<StoredDocument>;
  const person = personById.get(User?.UserID ?? "");
  if (Contact !== undefined || person === undefined) return;
  const Name = personName(person);
  const existingContact = (await fetch(tx, contact, "Name", [Name])).find(
    ({ ContactStatus }) => ContactStatus === "ACTIVE",
  );
  if (existingContact !== undefined) {
    Object.assign(input, { Contact: { ContactID: existingContact.ContactID } });
    return;
  }
  const { FirstName, LastName, EmailAddress } = person;
  const fields = { Name, FirstName, LastName, EmailAddress };
  const newContact: Contact = {
    ...recordFrom<Contact>(contact, call, undefined, fields),
    IsSupplier: false,
    IsCustomer: false,
    HasAttachments: false,
  };
  await save(tx, contact, [newContact]);
  const details = `${Name} was created, for what they claim.`;
  await enter(call, tx, contact, newContact.ContactID, { changes: "Created", details });
  Object.assign(input, { Contact: { ContactID: newContact.ContactID } });
}

/** Refuses receipts that the claim cannot hold, naming each. @throws RefusedError */
function checkReceipts({ receipts }: ClaimBatchContext, { input, existing }: Entry): void {
  const faults = new Faults();
  const { User = existing?.User, Receipts } = input as Partial<StoredDocument>;
  if (Receipts === undefined && existing !== undefined) return;
  const ids = heldBy({ Receipts });
  if (ids.length === 0)
    faults.add("Required", "An expense claim has at least one of the Receipts.");
  const ownIds = new Set(heldBy(existing));
  for (const id of ids) {
    const record = receipts.get(id);
    if (record === undefined) {
      faults.add("NotFound", `There is no receipt ${id}.`);
      continue;
    }
    const name = `Receipt ${nameOf(receipt, record)}`;
    const claim = record.ExpenseClaim;
    if (record.User?.UserID !== User?.UserID) {
      faults.add("OneContact", `${name} is of another person than the claim.`);
    } else if (claim?.ExpenseClaimID !== undefined && !ownIds.has(id)) {
      faults.add("Applied", `${name} is part of the expense claim ${claim.Handle} already.`);
    } else if (record.Status === "VOIDED") {
      faults.add("Status", `${name} is void and cannot be claimed.`);
    }
  }
  faults.check();
}

/** Gives the receipts of a claim the status that follows from its own, and frees former ones. */
async function moveReceipts(
  { call, tx }: Batch,
  { receipts }: ClaimBatchContext,
  { existing, record }: Entry,
): Promise<void> {
  if (record === undefined) return;
  const heldIds = new Set(isLive(record) ? heldBy(record) : []);
  const Status = isApproved(kindOf(record).lifeCycle, record.Status) ? "AUTHORISED" : "SUBMITTED";
  const { ExpenseClaimID } = record as StoredDocument & { ExpenseClaimID: string };
  const changedReceipts = unique([...heldBy(existing), ...heldBy(record)]).flatMap((id) => {
    const before = receipts.get(id);
    if (before === undefined) return [];
    const after = heldIds.has(id)
      ? { ExpenseClaim: { ExpenseClaimID }, Status }
      : { ExpenseClaim: undefined, Status: "DRAFT" };
    const isUnchanged =
      before.Status === after.Status &&
      before.ExpenseClaim?.ExpenseClaimID === after.ExpenseClaim?.ExpenseClaimID;
    return isUnchanged ? [] : [{ id, record: { ...before, ...after, UpdatedDateUTC: call.now() } }];
  });
  await saveDocuments(
    tx,
    receipt,
    changedReceipts.map((each) => each.record),
  );
  const [claimed] = await fetch(tx, expenseClaim, "ExpenseClaimID", [ExpenseClaimID]);
  await addHistory(
    tx,
    changedReceipts.map(({ id, record: { Status: status } }) => {
      const [changes, what] = changeOf[status] ?? changeOf.DRAFT;
      const details = `${what} the expense claim ${claimed?.Handle}.`;
      return historyEntry(call, receipt, id, { changes, details });
    }),
  );
}

const changeOf: Readonly<Record<string, readonly [string, string]>> & {
  readonly DRAFT: readonly [string, string];
} = {
  SUBMITTED: ["Submitted", "It became part of"],
  AUTHORISED: ["Approved", "It was approved with"],
  DRAFT: ["Updated", "It is a draft again, no longer part of"],
};
