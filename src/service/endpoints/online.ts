/** /{Invoices, CreditNotes, Quotes}/{id}/OnlineInvoice: the address where a customer sees a document. */
import { text } from "../../resources/field.ts";
import type { StoredRecord } from "../../store/mapping/records.ts";
import { onlineDocument, saveOnlineDocument } from "../../store/records/online-documents.ts";
import type { Tx } from "../../store/store.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { addressMaker, notServed, type OnlineKindName, onlineKinds } from "../online/address.ts";
import { answerObjects, noContent } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { refusal } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { checkBuying } from "../request/permissions.ts";
import { type Endpoint, locate } from "./endpoint.ts";

export const onlineFields = { OnlineInvoiceUrl: text({ always: true }) } as const;

/** GET: the same address for the same document, until it is taken back. */
export async function readOnline(
  call: RequestContext,
  endpoint: Endpoint,
  key: string,
): Promise<ServiceResponse> {
  const addressOf = await addressMaker(call);
  const address = await call.read(async (tx) => {
    const { kind, recordId } = await findOnline(call, tx, endpoint, key);
    if (addressOf === undefined) throw notServed();
    return { OnlineInvoiceUrl: await addressOf(tx, kind, recordId) };
  });
  return answerObjects(call, "OnlineInvoices", "OnlineInvoice", onlineFields, [address]);
}

/** DELETE: all addresses that the document had lead nowhere from now on; it gets another. */
export async function revokeOnline(
  call: RequestContext,
  endpoint: Endpoint,
  key: string,
): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    checkBuying(call.principal, (await locate(call, tx, endpoint, key)).Type);
    const { recordId } = await findOnline(call, tx, endpoint, key);
    const { generation, openedAt } = await onlineDocument(tx, recordId);
    await saveOnlineDocument(tx, recordId, { generation: generation + 1, openedAt });
    await enter(call, tx, endpoint.resource, recordId, {
      changes: "Online address revoked",
      details: "The addresses under which this could be seen online lead nowhere any more.",
    });
    return noContent;
  });
}

/** @throws NotFoundError, RefusedError where the document has no page */
async function findOnline(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint,
  key: string,
): Promise<{ kind: OnlineKindName; recordId: string }> {
  const { resource } = endpoint;
  const found: StoredRecord = await locate(call, tx, endpoint, key);
  const kind = resource.name as OnlineKindName;
  const absent = onlineKinds[kind].absent(found);
  if (absent !== undefined) throw refusal([absent]);
  return { kind, recordId: String(found[resource.id]) };
}
