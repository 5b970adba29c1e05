/**
 * `/Extensions/AuditEntries`: administrative acts, newest first.
 *
 * The log of the organisation is in its book, the log of the server in the store of the directory;
 * both are merged into one list. On a server with several organisations an administrator sees the
 * entries of their own. Entries of no organisation, such as a sign-in with an unknown address, are
 * only for the operator of the server.
 */
import {
  type AuditEntry,
  type AuditKind,
  auditEntry,
  auditKinds,
} from "../../resources/audit-entry.ts";
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { readMoment } from "../../resources/scalar.ts";
import {
  type AuditQuery,
  auditEntries,
  auditEntryNumbered,
  auditIdOf,
} from "../../store/operations/audit-log.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import { serverKey } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { pageAsked, paginationOf } from "../request/read-records.ts";

/** GET: filters by `since`, `until`, `person` and `kind`, in pages. */
export async function readEntries(call: RequestContext): Promise<ServiceResponse> {
  const paging = pageAsked(call);
  const { page, pageSize } = paging;
  const { entries, count } = await entriesOf(call, queryOf(call), page * pageSize);
  const pageEntries = entries.slice((page - 1) * pageSize, page * pageSize);
  const pagination = paginationOf(paging, { records: pageEntries, count });
  return answer(call, auditEntry, pageEntries, "paged", { pagination });
}

/** Returns the newest entries of both logs, and their total number. */
async function entriesOf(call: RequestContext, query: AuditQuery, limit: number) {
  const ofBook = await call.read((tx) => auditEntries(tx, query, limit));
  const concerning = await concerningOf(call);
  const directory = await call.server.store();
  const ofServer = await directory.read(serverKey, (tx) =>
    auditEntries(tx, { ...query, concerning }, limit),
  );
  const entries = [...ofBook.entries, ...ofServer.entries].sort(compareNewestFirst);
  return { entries, count: ofBook.count + ofServer.count };
}

/** GET /Extensions/AuditEntries/{AuditEntryID}. */
export async function readEntry(call: RequestContext, key: string): Promise<ServiceResponse> {
  const id = auditIdOf(key);
  const entry = id && (await entryWith(call, id));
  if (entry) return answer(call, auditEntry, [entry], "single");
  throw new NotFoundError("NotFound", `There is no audit entry ${key.slice(0, 60)}.`);
}

async function entryWith(
  call: RequestContext,
  { log, number }: NonNullable<ReturnType<typeof auditIdOf>>,
): Promise<AuditEntry | undefined> {
  if (log === "ORGANISATION") return call.read((tx) => auditEntryNumbered(tx, number, {}));
  const concerning = await concerningOf(call);
  const directory = await call.server.store();
  return directory.read(serverKey, (tx) => auditEntryNumbered(tx, number, { concerning }));
}

/** Returns the filter for the server entries a caller may see; undefined for all. */
async function concerningOf(call: RequestContext): Promise<AuditQuery["concerning"]> {
  if (!call.server.isOfMany) return undefined;
  const { OrganisationID: tenant } = await call.read(organisationOf);
  // A request without a port comes from the owner of the books, who also sees entries of no
  // organisation.
  return { tenant, orNone: call.request.info === undefined };
}

function compareNewestFirst(a: AuditEntry, b: AuditEntry): number {
  return b.DateUTC - a.DateUTC || (a.AuditEntryID < b.AuditEntryID ? 1 : -1);
}

function queryOf({ query }: RequestContext): AuditQuery {
  return {
    since: momentOf("since", query.get("since")),
    until: momentOf("until", query.get("until")),
    person: query.get("person"),
    app: query.get("app"),
    kinds: kindsOf(query.list("kind")),
  };
}

/** Parses a timestamp, or a day, which stands for its midnight in UTC. @throws RefusedError */
function momentOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const momentMs = readMoment(text);
  if (momentMs !== undefined) return momentMs;
  throw refusal(
    "Parameter",
    `The parameter ${name} must be a moment such as 2026-03-31T09:00:00Z, not '${text.slice(0, 60)}'.`,
  );
}

/**
 * Returns the audit kinds for names of kinds or of subjects.
 *
 * @throws RefusedError for unknown names
 */
function kindsOf(words: readonly string[] | undefined): readonly AuditKind[] | undefined {
  const allKinds = Object.keys(auditKinds) as AuditKind[];
  return words?.flatMap((text) => {
    const wanted = text.toLowerCase();
    const kinds = allKinds.filter((kind) => kind === wanted || kind.startsWith(`${wanted}.`));
    if (kinds.length > 0) return kinds;
    throw refusal("NotFound", `There are no acts of the kind '${text.slice(0, 60)}'.`);
  });
}
