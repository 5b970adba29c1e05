/**
 * HTTP routes beside the API: sign-in, tokens, connections.
 *
 * The first such request loads the authorisation server.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Trusts } from "../../platform/proxies.ts";
import type { KindsIn } from "../../resources/audit-entry.ts";
import { AuthError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import {
  type Connection,
  connect,
  connectionsOf,
  disconnect,
} from "../../store/directory/connections.ts";
import { type Directory, recordOnServer } from "../../store/directory/directory.ts";
import type { Act, Actor } from "../../store/operations/audit-log.ts";
import { encodeError } from "../../wire/errors.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { ServiceOptions } from "../api/service.ts";
import { originOf, type RequestOrigin } from "../http/browser.ts";
import { noMethodError } from "../request/route.ts";
import type { Bearer, Caller, Callers } from "./callers.ts";
import type { Post } from "./password-links.ts";
import {
  authorisePath,
  connectionsPath,
  discoveryPath,
  keysPath,
  passwordPath,
  revocationPath,
  signInPath,
  tokenPath,
  userInfoPath,
} from "./paths.ts";
import type { SecondFactorRule } from "./second-factor.ts";
import type { NamesOf } from "./sign-in/sign-in.ts";
import { keysReadMs, signingKeys } from "./signing-keys.ts";

export interface IdentityOptions {
  readonly directory: Directory;
  readonly callers: Callers;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly namesOf: NamesOf;
  /** Base URL, such as `https://books.example`; a function, since the port may be chosen late. */
  readonly issuer: () => string;
  /** Whether to trust the proxy headers that state the client's address. */
  readonly trusts: Trusts;
  /** Whether web apps, which have a secret, may omit PKCE. */
  readonly pkceOptional: boolean;
  /** How mail goes to people; undefined for a server without mail. */
  readonly post: Post | undefined;
  /** Who must have a second factor; nobody if undefined. */
  readonly secondFactor: SecondFactorRule | undefined;
  /** Whether people sign in to pages of this server. */
  readonly hasPages: boolean;
  /** Receives every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
}

/**
 * Answers an identity request.
 *
 * @returns undefined, without any effect, for other requests
 */
export type Identity = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<void> | undefined;

const exactPaths: ReadonlySet<string> = new Set([
  authorisePath,
  tokenPath,
  revocationPath,
  discoveryPath,
  keysPath,
  "/.well-known/oauth-authorization-server",
]);

export function identityOf(options: IdentityOptions): Identity {
  const { directory, clock } = options;
  let opening: Promise<IdentityHandlers> | undefined;
  let keys = "";
  let readAt = Number.NEGATIVE_INFINITY;
  /** Opens the authorisation server, and anew when other keys sign or count. */
  const opened = async () => {
    const now = clock();
    if (opening !== undefined && Math.abs(now - readAt) < keysReadMs) return opening;
    const counting = (await signingKeys(directory, clock)).map(({ kid }) => kid).join(" ");
    readAt = now;
    if (opening !== undefined && counting === keys) return opening;
    keys = counting;
    opening = open(options).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return (incoming, outgoing) => {
    const path = pathOf(incoming);
    const isConnections = /^\/connections(\/|$)/i.test(path) || path === userInfoPath;
    const isAuthorisation = exactPaths.has(path) || path.startsWith(`${authorisePath}/`);
    const isSignIn = path.startsWith(`${signInPath}/`);
    if (path === passwordPath || path.startsWith(`${passwordPath}/`)) {
      return import("./sign-in/password-pages.ts").then(({ answerPasswordPages }) =>
        answerPasswordPages(options, incoming, outgoing),
      );
    }
    if (!isConnections && !isAuthorisation && !isSignIn) return undefined;
    const answerSent = isConnections
      ? answerConnectionsAt(
          { ...options, origin: originOf(incoming, options.trusts) },
          incoming,
          outgoing,
        )
      : opened().then(({ authorise, signIn }) =>
          isSignIn ? signIn(incoming, outgoing) : authorise(incoming, outgoing),
        );
    return answerSent.catch((error) => {
      options.report(error, requestOf(incoming));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { "cache-control": "no-store" }).end();
    });
  };
}

type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

interface IdentityHandlers {
  readonly authorise: NodeHandler;
  readonly signIn: NodeHandler;
}

async function open({ issuer: asked, ...options }: IdentityOptions): Promise<IdentityHandlers> {
  const { authorisationServer } = await import("./sign-in/provider.ts");
  const { answerSignIn } = await import("./sign-in/sign-in.ts");
  const issuer = asked();
  const report = (error: unknown, path: string) =>
    options.report(error, { method: "GET", path, query: [], headers: {} });
  const server = await authorisationServer({ ...options, issuer, report });
  const handleOidc = server.provider.callback();
  return {
    authorise: async (incoming, outgoing) => {
      const home = canonicalAddress(incoming, issuer);
      if (home !== undefined) {
        outgoing.writeHead(302, { location: home }).end();
        return;
      }
      setIssuerHost(incoming, issuer);
      await handleOidc(incoming, outgoing);
    },
    signIn: (incoming, outgoing) => {
      const origin = originOf(incoming, options.trusts);
      setIssuerHost(incoming, issuer);
      return answerSignIn({ ...options, server, issuer }, incoming, outgoing, origin);
    },
  };
}

/** Query parameter that marks a redirect from another host name. */
const sentOn = "sent_on";

/**
 * Returns the URL on the issuer's host for a browser that came by another host name, such as
 * `localhost` for 127.0.0.1 or another name of the proxy: cookies are bound to the host.
 *
 * @returns undefined on the right host, or after one redirect, since a proxy that rewrites the
 *   host would loop
 */
function canonicalAddress(incoming: IncomingMessage, issuer: string): string | undefined {
  const { method, headers, url = "" } = incoming;
  const isBeginning = method === "GET" && pathOf(incoming) === authorisePath;
  if (!isBeginning || headers.host === new URL(issuer).host) return undefined;
  const address = new URL(url, issuer);
  if (address.searchParams.has(sentOn)) return undefined;
  address.searchParams.set(sentOn, "1");
  return address.href;
}

/** Sets the Host header to the issuer's host, whatever host name the client used. */
function setIssuerHost({ headers }: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  headers.host = host;
  headers["x-forwarded-proto"] = protocol.slice(0, -1);
  delete headers["x-forwarded-host"];
}

async function answerConnectionsAt(
  options: ConnectionsRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const answer = await connectionsAnswer(options, incoming);
  outgoing.writeHead(answer.status, { "cache-control": "no-store", ...answer.headers });
  outgoing.end(incoming.method === "HEAD" ? undefined : (answer.body as string));
}

async function connectionsAnswer(
  options: ConnectionsRequest,
  incoming: IncomingMessage,
): Promise<ServiceResponse> {
  const { headOf, targetBelow } = await import("../http/incoming.ts");
  const url = targetBelow(incoming.url ?? "/", "") ?? { path: "/", search: "" };
  const path = url.path.replace(/\/+$/, "");
  const method = incoming.method === "HEAD" ? "GET" : (incoming.method ?? "GET");
  try {
    if (path === userInfoPath) {
      const { userInfo } = await import("./user-info.ts");
      return jsonAnswer(
        await userInfo(options, headOf(method, { ...url, path }, incoming.headers)),
      );
    }
    return await answerConnections(options, headOf(method, { ...url, path }, incoming.headers));
  } catch (error) {
    const isRefusal =
      error instanceof AuthError || error instanceof NotFoundError || error instanceof RefusedError;
    if (!isRefusal) options.report(error, requestOf(incoming));
    const { randomUUID } = process.getBuiltinModule("node:crypto");
    return encodeError("json", error, { instance: randomUUID() });
  }
}

/** Returns the request without its body, for fault reports. */
function requestOf(incoming: IncomingMessage): ServiceRequest {
  const { method = "GET" } = incoming;
  return { method, path: pathOf(incoming), query: [], headers: {} };
}

function pathOf({ url = "" }: IncomingMessage): string {
  const questionMarkAt = url.indexOf("?");
  return questionMarkAt < 0 ? url : url.slice(0, questionMarkAt);
}

// --- GET and DELETE /connections ------------------------------------------------------------------

type ConnectionsRequest = IdentityOptions & { readonly origin: RequestOrigin };

interface ConnectionsOptions
  extends Pick<ConnectionsRequest, "directory" | "callers" | "namesOf" | "clock" | "origin"> {}

/**
 * @param request  has a path that begins with `/connections`, in any letter case
 * @throws AuthError, NotFoundError, RefusedError
 * @source spec of the API, section "Connections and the tenant header"
 */
async function answerConnections(
  options: ConnectionsOptions,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const { claims, callers } = await options.callers.bearer(request);
  const pairing = { appId: claims.client_id, personId: claims.sub ?? "" };
  const id = request.path.slice(connectionsPath.length + 1);
  if (id === "" && request.method === "GET") {
    if (claims.sub === undefined) await connectMachine(options, pairing, callers);
    const event = queryValue(request, "autheventid");
    return listConnections(options, pairing, event);
  }
  if (id !== "" && request.method === "DELETE") {
    const knownId = readId(id);
    const wasRemoved =
      knownId !== undefined && (await removeConnection(options, pairing, callers, knownId));
    if (!wasRemoved) throw new NotFoundError("NotFound", "There is no such connection.");
    return { status: 204, headers: {}, body: "" };
  }
  throw noMethodError();
}

interface Pairing {
  readonly appId: string;
  readonly personId: string;
}

/** Adds the missing connections of a machine app, which its registration implies. */
async function connectMachine(
  { directory, clock, origin }: ConnectionsOptions,
  pairing: Pairing,
  callerByTenant: Bearer["callers"],
): Promise<void> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const now = clock();
  await directory.write(async (tx) => {
    const connectedIds = new Set((await connectionsOf(tx, pairing)).map(({ tenant }) => tenant));
    for (const [tenant, caller] of callerByTenant) {
      if (connectedIds.has(tenant)) continue;
      const connection = { ...pairing, tenant, createdAt: now, updatedAt: now };
      const act = auditAct(caller, { kind: "connection.made", at: now, origin });
      const audited = await recordOnServer(tx, act);
      await connect(audited, { ...connection, id: randomUUID(), authEventId: randomUUID() });
    }
  });
}

/** Makes the audit entry of an app's change to one of its own connections. */
function auditAct(
  { app: id, appName: name, user, email, tenant }: Caller,
  {
    kind,
    at,
    origin,
  }: { readonly kind: KindsIn<"SERVER">; readonly at: number; readonly origin: RequestOrigin },
): Act<"SERVER"> {
  const by: Actor = { user, email, app: { id, name }, through: "API", ...origin };
  return { kind, by, at, subject: name, subjectId: id, tenants: [tenant] };
}

async function removeConnection(
  { directory, clock, origin }: ConnectionsOptions,
  pairing: Pairing,
  callerByTenant: Bearer["callers"],
  id: string,
): Promise<boolean> {
  return directory.write(async (tx) => {
    const connection = (await connectionsOf(tx, pairing)).find((each) => each.id === id);
    if (connection === undefined) return false;
    // A person who left the organisation has no caller there, so any other caller names the actor.
    const [any] = callerByTenant.values();
    const caller = callerByTenant.get(connection.tenant) ?? any;
    const removal = { kind: "connection.removed", at: clock(), origin } as const;
    const act: Act<"SERVER"> =
      caller === undefined
        ? { ...removal, by: { ...nobody, ...origin }, subjectId: connection.appId }
        : auditAct(caller, removal);
    const audited = await recordOnServer(tx, { ...act, tenants: [connection.tenant] });
    return disconnect(audited, pairing, id);
  });
}

const nobody: Actor = { user: undefined, email: undefined, through: "API" };

async function listConnections(
  { directory, namesOf }: ConnectionsOptions,
  pairing: Pairing,
  event: string | undefined,
): Promise<ServiceResponse> {
  const all = await directory.read((tx) => connectionsOf(tx, pairing));
  const made = event === undefined ? all : all.filter((each) => each.authEventId === readId(event));
  const nameByTenant = await namesOf(made.map(({ tenant }) => tenant));
  const listing = made.flatMap((connection) => {
    const name = nameByTenant.get(connection.tenant);
    return name === undefined ? [] : [answerOf(connection, name)];
  });
  return jsonAnswer(listing);
}

function jsonAnswer(value: object): ServiceResponse {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  };
}

function answerOf({ id, authEventId, tenant, createdAt, updatedAt }: Connection, name: string) {
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

/** Formats a moment as `2026-03-02T21:14:07.1130000`. */
function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "0000");
}

function queryValue({ query }: ServiceRequest, name: string): string | undefined {
  return query.find(([each]) => each.toLowerCase() === name)?.[1];
}
