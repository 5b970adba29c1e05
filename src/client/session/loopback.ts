/**
 * Loopback redirect of a sign-in: a local port that is open while the user signs in.
 *
 * Any local program or web page can send requests to it. Only a request with the state of the
 * sign-in counts; others are rejected, and the wait continues.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../../resources/errors.ts";
import { messagePage, noticeMessage } from "../../web/frame/message.ts";

/** The page that the browser shows at the end of the sign-in. */
export interface LastPage {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
}

/** The redirect request of the browser. */
export interface Return {
  readonly parameters: URLSearchParams;
  /** Shows the result in the browser. */
  readonly show: (page: LastPage) => Promise<void>;
}

export interface Loopback {
  /** The redirect URI that is sent to the service. */
  readonly redirectUri: string;
  readonly returned: Promise<Return>;
  /** Closes the port at once. */
  close(): void;
}

/** Hosts of the loopback interface. */
const hosts: readonly string[] = ["127.0.0.1", "localhost"];
const urlLettersMax = 16_384;

/**
 * Opens the loopback port.
 *
 * @param wanted   `http://127.0.0.1:PORT/PATH`; port 0 takes a free one
 * @param belongs  whether parameters are those of the awaited sign-in
 * @throws UsageError `BadRedirect`, `PortTaken`
 */
export async function openLoopback(
  wanted: string,
  belongs: (parameters: URLSearchParams) => boolean,
): Promise<Loopback> {
  const url = URL.parse(wanted);
  if (url === null || url.protocol !== "http:" || !hosts.includes(url.hostname)) {
    throw new UsageError(
      "BadRedirect",
      `The browser can come back to this machine alone, such as http://127.0.0.1:8765/callback, not to "${wanted}".`,
    );
  }
  const { promise: returned, resolve } = Promise.withResolvers<Return>();
  const server = createServer({ maxHeaderSize: urlLettersMax }, (request, response) => {
    const requestedUrl = URL.parse(request.url ?? "/", url.origin);
    if (!isFor(request, server, url) || requestedUrl?.pathname !== url.pathname) {
      return void send(response, 404, notFound);
    }
    if (!belongs(requestedUrl.searchParams)) return void send(response, 400, stranger);
    resolve({
      parameters: requestedUrl.searchParams,
      show: (page) => send(response, page.isDone ? 200 : 400, page),
    });
  });
  const port = url.port === "" ? 80 : Number(url.port);
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "EADDRINUSE" ? "another program has it" : cause.message;
    throw new UsageError("PortTaken", `Port ${port} cannot be opened: ${reason}.`, [], { cause });
  });
  url.port = String((server.address() as AddressInfo).port);
  return {
    redirectUri: url.href,
    returned,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Checks the Host header: another host name that resolves here is a DNS rebinding attack. */
function isFor({ method, headers }: IncomingMessage, server: Server, url: URL): boolean {
  const { port } = server.address() as AddressInfo;
  return method === "GET" && headers.host === `${url.hostname}:${port}`;
}

const notFound: LastPage = {
  isDone: false,
  title: "Nothing here",
  text: "acct waits here for a sign-in to end.",
};

const stranger: LastPage = {
  isDone: false,
  title: "Not the sign-in that is waited for",
  text: "This address belongs to another sign-in, or to none. Open the address that acct printed.",
};

/** Sends a page, and returns when it is written completely. */
async function send(response: ServerResponse, status: number, page: LastPage): Promise<void> {
  const message = noticeMessage(page.title, page.text, `${page.title} – acct`);
  const { headers, body } = messagePage(status, message, { isSecret: true });
  response.writeHead(status, { ...headers, connection: "close" }).end(body);
  await Promise.race([once(response, "finish"), once(response, "close")]);
}
