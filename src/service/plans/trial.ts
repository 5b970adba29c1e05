/**
 * A trial: requests answered one after the other in a single transaction.
 *
 * The service is the usual one, over a store that lasts as long as the transaction. Ids are derived
 * from the id of the plan, so that an applied plan makes the records it showed. Messages are
 * collected instead of being sent.
 */

import type { Mailer, Message } from "../../platform/mail.ts";
import type { Resource } from "../../resources/field.ts";
import type { NamedOperation } from "../../store/operations/log.ts";
import type { Store } from "../../store/store.ts";
import type { RequestInfo, Transport } from "../../wire/http.ts";
import { idsFrom } from "../lookups/ids.ts";
import type { Principal, RequestContext, ServiceDependencies } from "../request/context.ts";

export interface TrialOptions {
  /** Seed for the ids of new records: equal plan ids give equal record ids. */
  readonly planId: string;
  /** Time at which the plan was made, in milliseconds since 1970 UTC. */
  readonly madeAt: number;
  readonly principal: Principal;
  /** Info of the request that runs the trial. */
  readonly info: RequestInfo | undefined;
  /** Whether the transaction is rolled back at the end. */
  readonly dryRun: boolean;
  /** The operation that the requests belong to. */
  readonly operation: NamedOperation;
}

export interface Trial {
  /** Answers a request with the permissions of the planning person. */
  readonly transport: Transport;
  /** Reads changed records with full permissions. */
  readonly read: Transport;
  readonly store: Store;
  /** Records written or removed so far, in the order of the first change. */
  readonly written: readonly WrittenRecord[];
  /** Whether a record id was made by a request of the trial. */
  isNew(id: string): boolean;
  readonly messages: readonly Message[];
  /** Addresses whose messages erasure must remove from the outbox. */
  readonly forgotten: readonly (readonly string[])[];
}

export interface WrittenRecord {
  readonly resource: Resource;
  readonly id: string;
}

/** Runs work in a trial. @param run  may run again after a conflict with another transaction */
export function runInTrial<T>(
  { serveWith, ...dependencies }: ServiceDependencies & Pick<RequestContext, "serveWith">,
  { planId, madeAt, principal, info, dryRun, operation }: TrialOptions,
  run: (trial: Trial) => Promise<T>,
): Promise<T> {
  const writtenByKey = new Map<string, WrittenRecord>();
  const onWrite = (resource: Resource, ids: readonly string[]) => {
    for (const id of ids) {
      const key = `${resource.name} ${id}`;
      if (!writtenByKey.has(key)) writtenByKey.set(key, { resource, id });
    }
  };
  return dependencies.store.transaction(
    principal.org,
    (store) => {
      writtenByKey.clear();
      const messages: Message[] = [];
      const forgotten: (readonly string[])[] = [];
      const { outbox, heldFor } = dependencies.mailer;
      const gather = async (message: Message) => void messages.push(message);
      const mailer: Mailer = Object.assign(gather, {
        outbox,
        heldFor,
        forget: async (addresses: readonly string[]) => void forgotten.push(addresses),
      });
      const requestPart = { ...operation, newId: dependencies.newId };
      const { stopping, clock, baseUrl, publicUrl, server, rates, planKey, bound } = dependencies;
      const options = { stopping, clock, baseUrl, publicUrl, server, rates, planKey, bound };
      const surroundings = { ...options, store, mailer, operation: requestPart, inPlan: true };
      const responseId = dependencies.newId;
      const ids = repeatableIds(idsFrom(() => madeAt, chanceOf(planId)));
      const planned = { ...surroundings, newId: ids.next };
      const everything = { reports: true, role: "FINANCIALADVISER", scopes: "all" } as const;
      return run({
        transport: serialiseRequests(
          keepIds(ids, withRequestInfo(info, serveWith(planned, { principal, responseId }))),
        ),
        read: serveWith(planned, { principal: { ...principal, ...everything }, responseId }),
        store,
        get written() {
          return [...writtenByKey.values()];
        },
        isNew: ids.has,
        messages,
        forgotten,
      });
    },
    { dryRun, onWrite },
  );
}

/** Returns pseudorandom bytes from a seed: SHA-256 of the seed and a counter. */
function chanceOf(seed: string): (bytes: Uint8Array) => void {
  const { createHash } = process.getBuiltinModule("node:crypto");
  let count = 0;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 32) {
      const block = createHash("sha256").update(`${seed}\n${count++}`).digest();
      bytes.set(block.subarray(0, bytes.length - at), at);
    }
  };
}

interface RepeatableIds {
  readonly next: () => string;
  readonly has: (id: string) => boolean;
  /** Number of ids drawn; resetting it repeats the same ids. */
  drawn: number;
}

function repeatableIds(newId: () => string): RepeatableIds {
  const knownIds: string[] = [];
  const madeIds = new Set<string>();
  const ids = {
    drawn: 0,
    has: (id: string) => madeIds.has(id),
    next() {
      const id = knownIds[ids.drawn] ?? newId();
      knownIds[ids.drawn] = id;
      madeIds.add(id);
      ids.drawn += 1;
      return id;
    },
  };
  return ids;
}

/** Restores the id counter after refused writes: a plan has only the accepted ones. */
function keepIds(ids: RepeatableIds, transport: Transport): Transport {
  return async (request) => {
    const { drawn } = ids;
    const response = await transport(request);
    const isRemembered = response.status < 300 && request.headers["x-dry-run"] !== "true";
    if (!isRemembered || request.method === "GET") ids.drawn = drawn;
    return response;
  };
}

/** Sets the request info to the info of the applying request, the only one in the log. */
function withRequestInfo(info: RequestInfo | undefined, transport: Transport): Transport {
  if (info === undefined) return transport;
  return (request) => transport({ ...request, info: { ...info } });
}

/** Runs requests one at a time, since savepoints of concurrent ones would overlap. */
function serialiseRequests(transport: Transport): Transport {
  let lastAnswer: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answering = lastAnswer.then(() => transport(request));
    lastAnswer = answering.catch(() => undefined);
    return answering;
  };
}
