/**
 * What stands on a port beside the API so that apps may use it: signing in, tokens, connections.
 *
 * The authorisation server is loaded with the first request for it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AuthError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import type { Directory } from "../../store/directory/directory.ts";
import { encodeError } from "../../wire/errors.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { ServiceOptions } from "../request/service.ts";
import type { Callers } from "./callers.ts";
import {
  authorisePath,
  discoveryPath,
  keysPath,
  revocationPath,
  signInPath,
  tokenPath,
} from "./paths.ts";
import type { NamesOf } from "./sign-in/sign-in.ts";

export interface IdentityOptions {
  readonly directory: Directory;
  readonly callers: Callers;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly namesOf: NamesOf;
  /** `https://books.example`; asked for when it is needed, since a port may be chosen late. */
  readonly issuer: () => string;
  /** Whether a proxy stands before the port, which says from where it was asked. */
  readonly proxied: boolean;
  /** Whether web apps, which keep a secret, may do without PKCE. */
  readonly pkceOptional: boolean;
  /** Told of every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
}

/**
 * Answers a request for signing in.
 *
 * @returns undefined, with nothing done, when the request is for something else
 */
export type Identity = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<void> | undefined;

const exact: ReadonlySet<string> = new Set([
  authorisePath,
  tokenPath,
  revocationPath,
  discoveryPath,
  keysPath,
  "/.well-known/oauth-authorization-server",
]);

export function identityOf(options: IdentityOptions): Identity {
  let opening: Promise<Opened> | undefined;
  const opened = () => {
    opening ??= open(options).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return (incoming, outgoing) => {
    const path = pathOf(incoming);
    const isConnections = /^\/connections(\/|$)/i.test(path);
    const isAuthorisation = exact.has(path) || path.startsWith(`${authorisePath}/`);
    const isSignIn = path.startsWith(`${signInPath}/`);
    if (!isConnections && !isAuthorisation && !isSignIn) return undefined;
    const answered = isConnections
      ? answerConnectionsAt(options, incoming, outgoing)
      : opened().then(({ authorise, signIn }) =>
          isSignIn ? signIn(incoming, outgoing) : authorise(incoming, outgoing),
        );
    return answered.catch((error) => {
      options.report(error, requestOf(incoming));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { "cache-control": "no-store" }).end();
    });
  };
}

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

interface Opened {
  readonly authorise: Answer;
  readonly signIn: Answer;
}

async function open({ issuer: asked, ...options }: IdentityOptions): Promise<Opened> {
  const { authorisationServer } = await import("./sign-in/provider.ts");
  const { answerSignIn } = await import("./sign-in/sign-in.ts");
  const issuer = asked();
  const report = (error: unknown, path: string) =>
    options.report(error, { method: "GET", path, query: [], headers: {} });
  const server = await authorisationServer({ ...options, issuer, report });
  const handle = server.provider.callback();
  return {
    authorise: async (incoming, outgoing) => {
      const home = addressAtHome(incoming, issuer);
      if (home !== undefined) {
        outgoing.writeHead(302, { location: home }).end();
        return;
      }
      asAddressed(incoming, issuer);
      await handle(incoming, outgoing);
    },
    signIn: (incoming, outgoing) => {
      const place = placeOf(incoming, options.proxied);
      asAddressed(incoming, issuer);
      return answerSignIn({ ...options, server, issuer }, incoming, outgoing, place);
    },
  };
}

/** From where it was asked: of what came through a proxy, the proxy's own word is the last. */
function placeOf({ headers, socket }: IncomingMessage, proxied: boolean): string {
  const forwarded = proxied ? String(headers["x-forwarded-for"] ?? "") : "";
  return forwarded.split(",").at(-1)?.trim() || (socket.remoteAddress ?? "");
}

/** Says in an address that the browser has been sent there from another name. */
const sentOn = "sent_on";

/**
 * Where a browser goes on that begins under another name than the one to which it will be sent, as
 * `localhost` is one of 127.0.0.1 and a proxy may have several: its cookies would stay behind.
 *
 * @returns undefined where it is at home; or has been sent on once, since a proxy that hides the name
 *   it was called by would send it on for ever
 */
function addressAtHome(incoming: IncomingMessage, issuer: string): string | undefined {
  const { method, headers, url = "" } = incoming;
  const isBeginning = method === "GET" && pathOf(incoming) === authorisePath;
  if (!isBeginning || headers.host === new URL(issuer).host) return undefined;
  const address = new URL(url, issuer);
  if (address.searchParams.has(sentOn)) return undefined;
  address.searchParams.set(sentOn, "1");
  return address.href;
}

/** Whatever a client calls this server, it goes by the one name that its tokens bear. */
function asAddressed({ headers }: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  headers.host = host;
  headers["x-forwarded-proto"] = protocol.slice(0, -1);
  delete headers["x-forwarded-host"];
}

async function answerConnectionsAt(
  options: IdentityOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const answer = await connectionsAnswer(options, incoming);
  outgoing.writeHead(answer.status, { "cache-control": "no-store", ...answer.headers });
  outgoing.end(incoming.method === "HEAD" ? undefined : (answer.body as string));
}

async function connectionsAnswer(
  options: IdentityOptions,
  incoming: IncomingMessage,
): Promise<ServiceResponse> {
  const { headOf, targetBelow } = await import("../http/incoming.ts");
  const { answerConnections } = await import("./connections.ts");
  const target = targetBelow(incoming.url ?? "/", "") ?? { path: "/", search: "" };
  const path = target.path.replace(/\/+$/, "");
  const method = incoming.method === "HEAD" ? "GET" : (incoming.method ?? "GET");
  try {
    return await answerConnections(options, headOf(method, { ...target, path }, incoming.headers));
  } catch (error) {
    const isRefusal =
      error instanceof AuthError || error instanceof NotFoundError || error instanceof RefusedError;
    if (!isRefusal) options.report(error, requestOf(incoming));
    const { randomUUID } = process.getBuiltinModule("node:crypto");
    return encodeError("json", error, { instance: randomUUID() });
  }
}

/** What a report may tell of a request: nothing of what it bears. */
function requestOf(incoming: IncomingMessage): ServiceRequest {
  const { method = "GET" } = incoming;
  return { method, path: pathOf(incoming), query: [], headers: {} };
}

function pathOf({ url = "" }: IncomingMessage): string {
  const question = url.indexOf("?");
  return question < 0 ? url : url.slice(0, question);
}
