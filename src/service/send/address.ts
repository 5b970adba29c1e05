/**
 * Links to the pages on which customers see documents.
 *
 * A link contains organisation, kind and record, with a keyed hash that proves that the
 * organisation's book made it: nothing is stored, a document always has the same link, and links
 * cannot be forged. Revoking increments the document's generation, which the hash covers, so that
 * all earlier links are invalid.
 */

import { refusal } from "../../resources/errors.ts";
import { type Resource, text } from "../../resources/field.ts";
import { contact, creditNote, invoice, type OnlineName, quote } from "../../resources/index.ts";
import type { StoredRecord } from "../../store/mapping/records.ts";
import {
  addSecret,
  onlineDocument,
  saveOnlineDocument,
  secretOf,
} from "../../store/records/online-documents.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { answerObjects, noContent } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import type { RecordHandler } from "../request/endpoint.ts";
import { type Endpoint, locate } from "../request/endpoint.ts";
import { enter } from "../request/history.ts";
import { checkBuying } from "../request/permissions.ts";

/** Path of the pages, followed by the token of a link. */
export const pagesPath = "/view";

/** What has a page: a document, or the statement of a contact. */
export type OnlineKindName = OnlineName | "Contact";

interface OnlineKind {
  readonly resource: Resource;
  /** Code of the kind in a link. */
  readonly code: number;
  /** Returns why a document has no page; undefined where it has one. */
  absent(document: StoredRecord): string | undefined;
}

/** What customers can see online. */
export const onlineKinds = {
  Invoice: {
    resource: invoice,
    code: 1,
    absent: ({ Type, Status }) => {
      if (Type !== "ACCREC") return "Only sales invoices have an online address.";
      if (Status === "DRAFT") return "A draft invoice has no online address; approve it first.";
      return Status === "DELETED" ? "A deleted invoice has no online address." : undefined;
    },
  },
  CreditNote: {
    resource: creditNote,
    code: 2,
    absent: ({ Type, Status }) => {
      if (Type !== "ACCRECCREDIT") return "Only sales credit notes have an online address.";
      if (Status === "DRAFT") return "A draft credit note has no online address; approve it first.";
      return Status === "DELETED" ? "A deleted credit note has no online address." : undefined;
    },
  },
  Quote: {
    resource: quote,
    code: 3,
    absent: ({ Status }) => {
      if (Status === "DRAFT") return "A draft quote has no online address; mark it as sent first.";
      return Status === "DELETED" ? "A deleted quote has no online address." : undefined;
    },
  },
  Contact: {
    resource: contact,
    code: 4,
    absent: ({ Name, ContactStatus }) =>
      ContactStatus === "ACTIVE" ? undefined : `${Name} is archived.`,
  },
} as const satisfies Record<OnlineKindName, OnlineKind>;

/** Contents of a link before its book has verified it. */
export interface OnlineAddress {
  /** OrganisationID. */
  readonly tenant: string;
  readonly kind: OnlineKindName;
  readonly recordId: string;
  readonly proof: Buffer;
}

/** Length of the hash in bytes: 192 bits cannot be guessed. */
const proofBytes = 24;
const idBytes = 16;
const tokenBytes = 1 + 2 * idBytes + proofBytes;

/** Parses the token of a link. @returns undefined for a malformed one */
export function readToken(token: string): OnlineAddress | undefined {
  const bytes = /^[\w-]{76}$/.test(token) ? Buffer.from(token, "base64url") : Buffer.alloc(0);
  if (bytes.length !== tokenBytes) return undefined;
  const kind = kindNames.find((name) => onlineKinds[name].code === bytes[0]);
  if (kind === undefined) return undefined;
  const ids = bytes.subarray(1, 1 + 2 * idBytes);
  return {
    kind,
    tenant: guidOf(ids.subarray(0, idBytes)),
    recordId: guidOf(ids.subarray(idBytes)),
    proof: bytes.subarray(1 + 2 * idBytes),
  };
}

const kindNames = Object.keys(onlineKinds) as OnlineKindName[];

/** Whether a link was made by this book and is not revoked. */
export async function isGenuine(tx: Tx, address: OnlineAddress): Promise<boolean> {
  const secret = await secretOf(tx, secretName);
  if (secret === undefined) return false;
  const { generation } = await onlineDocument(tx, address.recordId);
  const expected = proofOf(secret, headOf(address), generation);
  return process.getBuiltinModule("node:crypto").timingSafeEqual(expected, address.proof);
}

/** Makes the link of a record. */
export type AddressOf = (tx: Tx, kind: OnlineKindName, recordId: string) => Promise<string>;

/**
 * Returns the function that makes links; undefined where no server publishes documents, as for a
 * book file without a public URL.
 *
 * Must not run inside a transaction, since the first link adds a secret to the book.
 */
export async function addressMaker(call: RequestContext): Promise<AddressOf | undefined> {
  const { publicUrl } = call;
  if (publicUrl === undefined) return undefined;
  const secret = await secretFor(call, secretName);
  return async (tx, kind, recordId) => {
    const { OrganisationID: tenant } = await organisationOf(tx);
    const head = headOf({ tenant, kind, recordId });
    const { generation } = await onlineDocument(tx, recordId);
    const token = Buffer.concat([head, proofOf(secret, head, generation)]).toString("base64url");
    return `${publicUrl}${pagesPath}/${token}`;
  };
}

/** Returns the refusal where `addressMaker` returns none. */
export function notServedRefusal() {
  return refusal(
    "NotOffered",
    "This book is not served, so nobody could open an online address: serve it with " +
      "acct serve --public-url ADDRESS.",
  );
}

const secretName = "online addresses";

function headOf({ tenant, kind, recordId }: Omit<OnlineAddress, "proof">): Buffer {
  return Buffer.concat([
    Buffer.of(onlineKinds[kind].code),
    ...[tenant, recordId].map((id) => Buffer.from(id.replaceAll("-", ""), "hex")),
  ]);
}

function proofOf(secret: string, addressHead: Buffer, generation: number): Buffer {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  const hash = createHmac("sha256", Buffer.from(secret, "base64"));
  return hash.update(addressHead).update(`\n${generation}`).digest().subarray(0, proofBytes);
}

function guidOf(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const onlineFields = { OnlineInvoiceUrl: text({ always: true }) } as const;

/** GET: answers the link of a document, which is the same until it is revoked. */
export const readOnline: RecordHandler = async (call, endpoint, key) => {
  const addressOf = await addressMaker(call);
  const address = await call.read(async (tx) => {
    const { kind, recordId } = await onlineDocumentOf(call, tx, endpoint, key);
    if (addressOf === undefined) throw notServedRefusal();
    return { OnlineInvoiceUrl: await addressOf(tx, kind, recordId) };
  });
  return answerObjects(call, "OnlineInvoices", "OnlineInvoice", onlineFields, [address]);
};

/** DELETE: revokes all earlier links of a document, and answers a new one. */
export const revokeOnline: RecordHandler = async (call, endpoint, key) => {
  return call.write(async (tx) => {
    checkBuying(call.principal, (await locate(call, tx, endpoint, key)).Type);
    const { recordId } = await onlineDocumentOf(call, tx, endpoint, key);
    const { generation, openedAt } = await onlineDocument(tx, recordId);
    await saveOnlineDocument(tx, recordId, { generation: generation + 1, openedAt });
    await enter(call, tx, endpoint.resource, recordId, {
      changes: "Online address revoked",
      details: "The addresses under which this could be seen online lead nowhere any more.",
    });
    return noContent;
  });
};

/** @throws NotFoundError, RefusedError where the document has no page */
async function onlineDocumentOf(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint,
  key: string,
): Promise<{ kind: OnlineName; recordId: string }> {
  const { resource } = endpoint;
  const record: StoredRecord = await locate(call, tx, endpoint, key);
  const kind = resource.name as OnlineName;
  const reason = onlineKinds[kind].absent(record);
  if (reason !== undefined) throw refusal("Status", reason);
  return { kind, recordId: String(record[resource.id]) };
}

/**
 * Returns a named secret, created at first use.
 *
 * Must not run inside a transaction, since it may have to write.
 *
 * @returns 256 bits, in base64
 */
async function secretFor(
  { store, principal, newId, now }: Pick<RequestContext, "store" | "principal" | "newId" | "now">,
  name: string,
): Promise<string> {
  const storedSecret = await store.read(principal.org, (tx) => secretOf(tx, name));
  if (storedSecret !== undefined) return storedSecret;
  // Each id has 74 random bits; the id source is injected like the clock.
  const chance = Array.from({ length: 4 }, newId).join();
  const newSecret = process.getBuiltinModule("node:crypto").hash("sha256", chance, "base64");
  return store.write(
    principal.org,
    async (tx) => {
      await addSecret(tx, name, newSecret);
      return (await secretOf(tx, name)) ?? newSecret;
    },
    { at: now },
  );
}
