/**
 * Puts the books of a test file on one port, and asks them over it.
 *
 * The real adapter answers and real tokens are checked. Which of the books a request is for is told
 * by its token; what is not known as a token of any goes to the latest.
 */
import { METHODS } from "node:http";
import { afterAll } from "vitest";
import { connect } from "../../src/client/transport/http.ts";
import { issueToken, registerApp, registryIn } from "../../src/service/auth/apps.ts";
import { callersFor, callersOf } from "../../src/service/auth/callers.ts";
import { apiRoot, type Book, defaultOrigin, type Serving } from "../../src/service/books/book.ts";
import { listen } from "../../src/service/server/listener.ts";
import { directoryIn } from "../../src/store/directory/directory.ts";
import type { ServiceRequest, Transport } from "../../src/wire/http.ts";
import { guid } from "../store/samples.ts";
import { tester } from "../support/audit.ts";
import { keepTestKey } from "./auth/test-key.ts";

const books = new Map<string, Book>();
let latest: Book | undefined;

function bookFor({ headers }: Pick<ServiceRequest, "headers">): Book {
  const found = books.get(headers.authorization ?? "") ?? latest;
  if (found === undefined) throw new Error("There is no book on the port.");
  return found;
}

const opening = listen({
  host: "127.0.0.1",
  port: 0,
  service: {
    transport: (request) => bookFor(request).transport(request),
    authenticate: (request) => bookFor(request).authenticate(request),
    refuse: (request, error) => bookFor(request).refuse(request, error),
  },
});
const connecting = opening.then(({ origin }) => connect({ baseUrl: `${origin}${apiRoot}` }));

afterAll(async () => {
  await (await connecting).close();
  await (await opening).close();
});

/** How a book recognises those who ask it over the port; addresses in answers stay what they are. */
export function servingWith(clock: () => number): Serving {
  const origin = () => defaultOrigin;
  return {
    origin,
    callers: (store, owner) => callersFor(callersOf(directoryIn(store), clock, origin), owner),
  };
}

/**
 * The book, asked over the port with a token that counts.
 *
 * @param user  in whose name it is asked
 * @param app   by which; of several organisations in one store each is asked by another
 */
export async function overPort(
  book: Book,
  clock: () => number,
  user: { readonly user: string; readonly email: string },
  app = { name: "acct", id: guid(0xacc7) },
): Promise<Transport> {
  const registry = registryIn(book.store, book.tenant, clock, tester);
  await keepTestKey(registry.directory);
  await registerApp(registry, { name: app.name }, app.id);
  let issued = { token: "", expiresAt: Number.NEGATIVE_INFINITY };
  let issuedAt = Number.POSITIVE_INFINITY;
  latest = book;
  return async (request) => {
    const now = clock();
    // Tests turn the clock by days, on and back.
    if (now < issuedAt || now >= issued.expiresAt) {
      const who = { ...user, role: "FINANCIALADVISER", reports: true } as const;
      issued = await issueToken(registry, app.name, who);
      issuedAt = now;
      books.set(`Bearer ${issued.token}`, book);
    }
    const authorization = `Bearer ${issued.token}`;
    const { transport: handle } = await connecting;
    const headers = { authorization, ...headersOf(request) };
    const query = request.query.map(
      ([name, value]) => [wellFormed(name), wellFormed(value)] as const,
    );
    const spelt = { method: methodOf(request), path: pathOf(request), query, headers };
    const { headers: told, ...answer } = await handle({ ...request, ...spelt });
    return { ...answer, headers: own(told) };
  };
}

const ofTheConnection = /^(cache-control|connection|date|keep-alive|transfer-encoding|vary)$/;

/** The headers of an answer that are the service's, and not its way's. */
function own(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofTheConnection.test(name));
  return Object.fromEntries(kept);
}

/** A method that HTTP does not have is refused before it comes to the service. */
function methodOf({ method }: ServiceRequest): string {
  return METHODS.includes(method) && method !== "CONNECT" ? method : "PROPFIND";
}

/** Half a letter has no bytes. */
const wellFormed = (text: string) => text.toWellFormed();

const controls = /\p{Cc}/gu;

/** What cannot stand in a request line is percent-encoded. */
function pathOf({ path }: ServiceRequest): string {
  return path.toWellFormed().replace(/[^!-~]+|[?#]/g, encodeURIComponent);
}

/** What cannot stand in a header is left out. */
function headersOf({ headers }: ServiceRequest): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, inBytes(value.replace(controls, ""))]),
  );
}

/** Letters beyond ASCII as the bytes of UTF-8, which is how they go over a wire. */
function inBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
