/**
 * The books in the browser of their owner: pages at an address of this machine alone.
 *
 * The address that is printed bears a key, which is exchanged once for a cookie; nothing is shown
 * without one. Any page in the browser may send it to this port by another name, so the name that a
 * request calls is checked as well.
 */
import { createServer } from "node:http";
import type { Client } from "../client/client.ts";
import { answerBrowser, type BrowserRequest } from "../service/http/browser.ts";
import { CanonicalResponse } from "../service/http/header-names.ts";
import { openPort } from "../service/http/open-port.ts";
import type { ServiceResponse } from "../wire/http.ts";
import { answerPage } from "./books/answer-page.ts";
import type { Site } from "./books/context.ts";
import { privateHeaders, seeOther } from "./frame/headers.ts";
import { noticePage } from "./frame/message.ts";

export interface ViewOptions {
  readonly client: Client;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** 0 for any that is free. */
  readonly port: number;
  /** Whether lines of the bank may be reconciled. */
  readonly mayWrite: boolean;
  /** Told of every failure that is a bug. */
  readonly report: (error: unknown) => void;
}

export interface LocalPages {
  readonly origin: string;
  /** With the key, which is good once. */
  readonly url: string;
  close(): Promise<void>;
}

const host = "127.0.0.1";
/** How long a connection of the browser is kept for its next request. */
const keepAliveTimeoutMs = 30_000;
const secretBytes = 32;

const crypto = () => process.getBuiltinModule("node:crypto");
const newSecret = () => crypto().randomBytes(secretBytes).toString("base64url");

/** @throws PortError of the service when the port cannot be opened */
export async function openView(options: ViewOptions): Promise<LocalPages> {
  const { client, clock, mayWrite, report } = options;
  const session = newSecret();
  let key: string | undefined = newSecret();
  let origin = "";
  const site: Site = {
    client,
    base: "",
    clock,
    allows: (method) => method === "GET" || mayWrite,
    formToken: newSecret(),
  };
  const underWay = new Set<Promise<void>>();
  const settings = { ServerResponse: CanonicalResponse, keepAliveTimeout: keepAliveTimeoutMs };
  const server = createServer(settings, (incoming, outgoing) => {
    const answered = answerBrowser(incoming, outgoing, async (request) => {
      if (!isCalled(request, origin)) return refused(403, otherName);
      const cookie = cookieName(origin);
      if (isSame(request.cookies.get(cookie), session)) {
        if (request.method === "POST" && request.origin !== `http://${request.host}`) {
          return refused(403, otherOrigin);
        }
        const within = /^\/books\/[0-9a-f-]{36}(\/.*)$/i.exec(request.path)?.[1];
        return within === undefined
          ? answerPage(site, request, report)
          : goTo(request.query.size === 0 ? within : `${within}?${request.query}`);
      }
      const given = request.path === "/" ? request.query.get("key") : undefined;
      const isKey = given !== undefined && given !== null && isSame(given, key);
      if (!isKey || request.method !== "GET" || request.isAhead) return refused(403, withoutKey);
      key = undefined;
      return signedIn(`${cookie}=${session}`, request.isFromElsewhere);
    }).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  origin = await openPort(server, { host, port: options.port });
  return {
    origin,
    url: `${origin}/?key=${key}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await Promise.allSettled(underWay);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Cookies are not kept apart by ports: another view on this machine has one of another name. */
const cookieName = (origin: string) => `acct_view_${origin.split(":").at(-1)}`;

/** Whether a request calls this port by a name that cannot lead elsewhere. */
function isCalled({ host: called }: BrowserRequest, origin: string): boolean {
  const port = origin.split(":").at(-1);
  return called === `${host}:${port}` || called === `localhost:${port}`;
}

function isSame(given: string | undefined, wanted: string | undefined): boolean {
  if (given === undefined || wanted === undefined) return false;
  const { timingSafeEqual, hash } = crypto();
  const digest = (text: string) => Buffer.from(hash("sha256", text, "hex"));
  return timingSafeEqual(digest(given), digest(wanted));
}

/** The cookie ends with the browser, and is useless when the port is closed. */
function signedIn(cookie: string, isFromElsewhere: boolean): ServiceResponse {
  const kept = { "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Strict` };
  // From a file the browser would go on without the cookie: this page leads it on instead.
  return isFromElsewhere
    ? { status: 200, headers: { ...privateHeaders, ...kept, refresh: "0;url=/" }, body: "" }
    : seeOther("/", kept);
}

const refused = (status: 403, text: string): ServiceResponse =>
  noticePage(status, "The books are not open here", text);

/** An address of a served book is the same page here. */
const goTo = (location: string) => seeOther(location.replace(/^\/+/, "/"));

const withoutKey =
  "The address that acct view prints is good once, in one browser. Run acct view again for another.";
const otherName = "This port answers to 127.0.0.1 alone: open the address that acct view printed.";
const otherOrigin = "This form was sent from another page.";
