/**
 * Serves the books to the browser of their owner, on this machine only.
 *
 * The printed address contains a key, which is exchanged once for a cookie; without the cookie
 * nothing is shown. A page of another site could send requests to this port under another host name
 * (DNS rebinding), so the host name is checked as well.
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
  /** Clock that returns milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Port; 0 for any free port. */
  readonly port: number;
  /** Whether the books may be changed. */
  readonly mayWrite: boolean;
  /** Called for each failure that is a bug. */
  readonly report: (error: unknown) => void;
}

export interface LocalPages {
  readonly origin: string;
  /** Address with the key, which can be used once. */
  readonly url: string;
  close(): Promise<void>;
}

const host = "127.0.0.1";
/** Time in milliseconds that an idle connection is kept open. */
const keepAliveTimeoutMs = 30_000;
const secretBytes = 32;

const crypto = () => process.getBuiltinModule("node:crypto");
const newSecret = () => crypto().randomBytes(secretBytes).toString("base64url");

/** Serves the pages. @throws PortError of the service when the port cannot be opened */
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
    const answering = answerBrowser(incoming, outgoing, async (request) => {
      if (!isCalled(request, origin)) return refused(403, otherName);
      const cookie = cookieName(origin);
      if (isSame(request.cookies.get(cookie), session)) {
        if (request.method === "POST" && request.origin !== `http://${request.host}`) {
          return refused(403, otherOrigin);
        }
        const pathWithin = /^\/books\/[0-9a-f-]{36}(\/.*)$/i.exec(request.path)?.[1];
        return pathWithin === undefined
          ? answerPage(site, request, report)
          : goTo(request.query.size === 0 ? pathWithin : `${pathWithin}?${request.query}`);
      }
      const sentKey = request.path === "/" ? request.query.get("key") : undefined;
      const isKey = sentKey !== undefined && sentKey !== null && isSame(sentKey, key);
      if (!isKey || request.method !== "GET" || request.isAhead) return refused(403, withoutKey);
      key = undefined;
      return signedIn(`${cookie}=${session}`, request.isFromElsewhere);
    }).finally(() => underWay.delete(answering));
    underWay.add(answering);
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

/**
 * Cookie name with the port: browsers share cookies between ports, so several views need different
 * names.
 */
const cookieName = (origin: string) => `acct_view_${origin.split(":").at(-1)}`;

/** Whether the host name of a request is one that only this machine answers to. */
function isCalled({ host: called }: BrowserRequest, origin: string): boolean {
  const port = origin.split(":").at(-1);
  return called === `${host}:${port}` || called === `localhost:${port}`;
}

function isSame(key: string | undefined, wantedKey: string | undefined): boolean {
  if (key === undefined || wantedKey === undefined) return false;
  const { timingSafeEqual, hash } = crypto();
  const digest = (text: string) => Buffer.from(hash("sha256", text, "hex"));
  return timingSafeEqual(digest(key), digest(wantedKey));
}

/**
 * Sets a session cookie, which the browser drops when it closes and which is useless once the port
 * is closed.
 */
function signedIn(cookie: string, isFromElsewhere: boolean): ServiceResponse {
  const header = { "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Strict` };
  // After a link from a file or another site, a redirect would not send the cookie; this page
  // reloads instead.
  return isFromElsewhere
    ? { status: 200, headers: { ...privateHeaders, ...header, refresh: "0;url=/" }, body: "" }
    : seeOther("/", header);
}

const refused = (status: 403, text: string): ServiceResponse =>
  noticePage(status, "The books are not open here", text);

/**
 * Redirects within the pages; several leading slashes, which would name another host, become one.
 */
const goTo = (location: string) => seeOther(location.replace(/^\/+/, "/"));

const withoutKey =
  "The address that acct view prints is good once, in one browser. Run acct view again for another.";
const otherName = "This port answers to 127.0.0.1 alone: open the address that acct view printed.";
const otherOrigin = "This form was sent from another page.";
