/**
 * /LinkedTransactions: billable expenses, which are lines of bills and bank transactions to be
 * charged to customers.
 */

import { linkedStatus } from "../../ledger/documents/linked.ts";
import type { Contact } from "../../resources/contact.ts";
import { refusal } from "../../resources/errors.ts";
import { contact, linkedTransaction } from "../../resources/index.ts";
import {
  type LinkedTransaction,
  linkedTransactionStatuses,
} from "../../resources/linked-transaction.ts";
import { zeroId } from "../../resources/scalar.ts";
import { fetch, list, remove } from "../../store/mapping/records.ts";
import { type LinkedDocument, linkedDocuments } from "../../store/queries/linked-documents.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { noContent } from "../request/answer.ts";
import { Query, type RequestContext } from "../request/context.ts";
import { type Endpoint, locate, type RecordWriter, type WriteItem } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { recordFrom } from "../request/merge.ts";
import { readCollection } from "../request/read-records.ts";
import type { RouteHandler } from "../request/route.ts";
import { unique } from "../request/unique.ts";

interface LinkedTransactionContext {
  readonly documentById: ReadonlyMap<string, LinkedDocument>;
  readonly contactById: ReadonlyMap<string, Contact>;
  /** Links by the id of their source line. */
  readonly linkByLine: ReadonlyMap<string, LinkedTransaction>;
}

type LinkedDocuments = LinkedTransactionContext["documentById"];

export const linkedTransactions: Endpoint<LinkedTransaction, LinkedTransactionContext> = {
  resource: linkedTransaction,
  expand: (_call, tx, records) => withStatus(tx, records),
  writer: async () => linkedWriting,
};

async function withStatus(
  tx: Tx,
  records: readonly LinkedTransaction[],
): Promise<LinkedTransaction[]> {
  const documentById = await linkedDocuments(tx, documentIds(records));
  return records.map((record) => ({ ...record, Status: statusOf(record, documentById) }));
}

function documentIds(records: readonly Partial<LinkedTransaction>[]): string[] {
  return unique(records.flatMap((each) => [each.SourceTransactionID, each.TargetTransactionID]));
}

function statusOf(record: Partial<LinkedTransaction>, linkedById: LinkedDocuments) {
  const { SourceTransactionID = "", SourceLineItemID = "", TargetTransactionID = "" } = record;
  const source = linkedById.get(SourceTransactionID);
  // A line removed from its bill is no longer an expense.
  const has = source?.lineIds.has(SourceLineItemID) === true;
  return linkedStatus(has ? source.status : undefined, linkedById.get(TargetTransactionID)?.status);
}

/** GET /LinkedTransactions; the status is derived, so it is filtered before the list query. */
export async function readLinkedTransactions(call: RequestContext): Promise<ServiceResponse> {
  const statuses = queriedStatuses(call);
  if (statuses === undefined) return readCollection(call, linkedTransactions);
  const fields = ["LinkedTransactionID", "SourceTransactionID", "ContactID", "TargetTransactionID"];
  const filters = fields.flatMap((field) => {
    const values = call.query.list(field);
    return values === undefined ? [] : [{ field, values: values.map((id) => id.toLowerCase()) }];
  });
  const ids = await call.read(async (tx) => {
    const { records } = await list(tx, linkedTransaction, { in: filters });
    const links = await withStatus(tx, records);
    return links.flatMap((link) => (statuses.has(link.Status) ? link.LinkedTransactionID : []));
  });
  const idFilter = ids.length === 0 ? zeroId : ids.join(",");
  const query = new Query([...call.request.query, ["LinkedTransactionID", idFilter]]);
  return readCollection({ ...call, query }, linkedTransactions);
}

/** Returns the requested statuses; undefined without a filter. @throws RefusedError */
function queriedStatuses({ query }: RequestContext): Set<string | undefined> | undefined {
  const statuses = query.list("Status");
  const knownStatuses: readonly string[] = linkedTransactionStatuses;
  const unknownStatus = statuses?.find((status) => !knownStatuses.includes(status.toUpperCase()));
  if (unknownStatus !== undefined) {
    throw refusal(
      "Parameter",
      `The parameter Status must be one of ${knownStatuses.join(", ")}, not '${unknownStatus}'.`,
    );
  }
  return statuses && new Set(statuses.map((status) => status.toUpperCase()));
}

/** DELETE /LinkedTransactions/{id}: the line ceases to be a billable expense. */
export const deleteLinkedTransaction: RouteHandler = async (call, key) => {
  return call.write(async (tx) => {
    const link = await locate(call, tx, linkedTransactions, key);
    checkOpen(link, await linkedDocuments(tx, documentIds([link])), "deleted");
    const { LinkedTransactionID } = link;
    await remove(tx, linkedTransaction, [LinkedTransactionID]);
    const details = "The expense is not billable any more.";
    await enter(call, tx, linkedTransaction, LinkedTransactionID, { changes: "Deleted", details });
    return noContent;
  });
};

/** Refuses changes once the customer has been billed. @throws RefusedError */
function checkOpen(
  linkedTransaction: LinkedTransaction,
  documentById: LinkedDocuments,
  verb: string,
): void {
  if (statusOf(linkedTransaction, documentById) !== "BILLED") return;
  throw refusal(
    "Applied",
    `A linked transaction that is BILLED cannot be ${verb}; void its invoice first.`,
  );
}

const linkedWriting: RecordWriter<LinkedTransaction, LinkedTransactionContext> = {
  async load({ tx, entries }) {
    const inputs = entries.flatMap(({ input, existing }) => [
      input as Partial<LinkedTransaction>,
      ...(existing === undefined ? [] : [existing]),
    ]);
    const contacts = unique(inputs.map((input) => input.ContactID));
    const lines = unique(inputs.map((input) => input.SourceLineItemID));
    return {
      documentById: await linkedDocuments(tx, documentIds(inputs)),
      contactById: new Map(
        (await fetch(tx, contact, "ContactID", contacts)).map((each) => [each.ContactID, each]),
      ),
      linkByLine: new Map(
        (await fetch(tx, linkedTransaction, "SourceLineItemID", lines)).map((record) => [
          record.SourceLineItemID,
          record,
        ]),
      ),
    };
  },

  decide({ call }, context, entry) {
    const { existing, input } = entry;
    if (existing !== undefined) checkOpen(existing, context.documentById, "changed");
    const record = recordFrom<LinkedTransaction>(linkedTransaction, call, existing, input);
    const faults = new Faults();
    checkSource(record, context, faults);
    checkTarget(record, context, faults);
    checkContact(record, context, entry, faults);
    faults.check();
    entry.record = { ...record, Status: statusOf(record, context.documentById) };
    const [changes, verb] = existing === undefined ? ["Created", "made"] : ["Edited", "edited"];
    entry.history.push({ changes, details: `The billable expense was ${verb}.` });
  },
};

function isSourceType(type: string): type is LinkedTransaction["SourceTransactionTypeCode"] {
  return type === "ACCPAY" || type === "SPEND";
}

function checkSource(
  record: LinkedTransaction,
  context: LinkedTransactionContext,
  faults: Faults,
): void {
  const { SourceTransactionID, SourceLineItemID, LinkedTransactionID } = record;
  const source = context.documentById.get(SourceTransactionID);
  if (source === undefined || !isSourceType(source.type)) {
    faults.add(
      "NotFound",
      `There is no bill and no spent money with the id ${SourceTransactionID}.`,
    );
    return;
  }
  record.SourceTransactionTypeCode = source.type;
  if (!source.lineIds.has(SourceLineItemID)) {
    faults.add("Form", "The SourceLineItemID and SourceTransactionID do not match");
  } else if (statusOf(record, context.documentById) === "VOIDED") {
    faults.add("Status", `The source transaction is ${source.status}, so it cannot be linked.`);
  }
  const otherLink = context.linkByLine.get(SourceLineItemID);
  if (otherLink !== undefined && otherLink.LinkedTransactionID !== LinkedTransactionID) {
    faults.add(
      "Applied",
      `The line is linked already, by the linked transaction ${otherLink.LinkedTransactionID}.`,
    );
  }
}

/** Checks that the customer of the invoice that bills an expense is the one to be charged. */
function checkTarget(
  record: LinkedTransaction,
  context: LinkedTransactionContext,
  faults: Faults,
): void {
  const { TargetTransactionID, TargetLineItemID, ContactID } = record;
  if (TargetTransactionID === undefined) {
    if (TargetLineItemID !== undefined) {
      faults.add("Required", "A TargetLineItemID needs its TargetTransactionID.");
    }
    return;
  }
  const targetInvoice = context.documentById.get(TargetTransactionID);
  if (targetInvoice?.type !== "ACCREC") {
    faults.add("NotFound", `There is no sales invoice with the id ${TargetTransactionID}.`);
    return;
  }
  if (targetInvoice.status === "VOIDED" || targetInvoice.status === "DELETED") {
    faults.add(
      "Form",
      `The target transaction is ${targetInvoice.status}, so nothing can be billed by it.`,
    );
  }
  if (TargetLineItemID !== undefined && !targetInvoice.lineIds.has(TargetLineItemID)) {
    faults.add("Form", "The TargetLineItemID and TargetTransactionID do not match");
  }
  if (ContactID !== undefined && ContactID !== targetInvoice.contactId) {
    faults.add("OneContact", "The ContactID and the TargetTransaction ContactID do not match");
  }
  record.ContactID ??= targetInvoice.contactId ?? undefined;
}

function checkContact(
  { ContactID }: LinkedTransaction,
  { contactById }: LinkedTransactionContext,
  { input }: WriteItem<LinkedTransaction>,
  faults: Faults,
): void {
  // An unchanged target stays valid, and so does the contact of its invoice.
  if (ContactID === undefined || input.ContactID === undefined) return;
  const contact = contactById.get(ContactID);
  if (contact === undefined) faults.add("NotFound", `There is no contact ${ContactID}.`);
  else if (contact.ContactStatus !== "ACTIVE")
    faults.add("Status", `The contact ${contact.Name} is archived.`);
}
