/** GET and DELETE /connections: on which organisations an app works. */
import { NotFoundError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import {
  type Connection,
  connect,
  connectionsOf,
  disconnect,
} from "../../store/directory/connections.ts";
import type { Directory } from "../../store/directory/directory.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import { methodAbsent } from "../request/route.ts";
import type { Callers } from "./callers.ts";
import { connectionsPath } from "./paths.ts";
import type { NamesOf } from "./sign-in/sign-in.ts";

export interface ConnectionsOptions {
  readonly directory: Directory;
  readonly callers: Callers;
  readonly namesOf: NamesOf;
  readonly clock: () => number;
}

/**
 * @param request  its path begins with `/connections`, in any letter case
 * @throws AuthError, NotFoundError, RefusedError
 * @source spec of the API, section "Connections and the tenant header"
 */
export async function answerConnections(
  options: ConnectionsOptions,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const { claims, callers } = await options.callers.bearer(request);
  const pairing = { appId: claims.client_id, personId: claims.sub ?? "" };
  const id = request.path.slice(connectionsPath.length + 1);
  if (id === "" && request.method === "GET") {
    if (claims.sub === undefined) await connectItself(options, pairing, [...callers.keys()]);
    const event = queried(request, "autheventid");
    return listConnections(options, pairing, event);
  }
  if (id !== "" && request.method === "DELETE") {
    const known = readId(id);
    const isGone =
      known !== undefined &&
      (await options.directory.write((tx) => disconnect(tx, pairing, known)));
    if (!isGone) throw new NotFoundError("NotFound", "There is no such connection.");
    return { status: 204, headers: {}, body: "" };
  }
  throw methodAbsent();
}

interface Pairing {
  readonly appId: string;
  readonly personId: string;
}

/** A machine is connected by being registered, and is told so as others are. */
async function connectItself(
  { directory, clock }: ConnectionsOptions,
  pairing: Pairing,
  tenants: readonly string[],
): Promise<void> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const now = clock();
  await directory.write(async (tx) => {
    const known = new Set((await connectionsOf(tx, pairing)).map(({ tenant }) => tenant));
    for (const tenant of tenants.filter((each) => !known.has(each))) {
      const made = { ...pairing, tenant, createdAt: now, updatedAt: now };
      await connect(tx, { ...made, id: randomUUID(), authEventId: randomUUID() });
    }
  });
}

async function listConnections(
  { directory, namesOf }: ConnectionsOptions,
  pairing: Pairing,
  event: string | undefined,
): Promise<ServiceResponse> {
  const all = await directory.read((tx) => connectionsOf(tx, pairing));
  const made = event === undefined ? all : all.filter((each) => each.authEventId === readId(event));
  const names = await namesOf(made.map(({ tenant }) => tenant));
  const shown = made.flatMap((each) => {
    const name = names.get(each.tenant);
    return name === undefined ? [] : [shownOf(each, name)];
  });
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(shown),
  };
}

function shownOf({ id, authEventId, tenant, createdAt, updatedAt }: Connection, name: string) {
  return {
    id,
    authEventId,
    tenantId: tenant,
    tenantType: "ORGANISATION",
    tenantName: name,
    createdDateUtc: momentOf(createdAt),
    updatedDateUtc: momentOf(updatedAt),
  };
}

/** `2026-03-02T21:14:07.1130000` */
function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "0000");
}

function queried({ query }: ServiceRequest, name: string): string | undefined {
  return query.find(([each]) => each.toLowerCase() === name)?.[1];
}
