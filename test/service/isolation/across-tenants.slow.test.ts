/**
 * Many organisations behind one port, each with an app of its own: what belongs to one is told to
 * none of the others, whatever they ask for, and whichever organisation their header names.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../src/client/transport/http.ts";
import { placeInFolder } from "../../../src/platform/book-address.ts";
import { allRoutes } from "../../../src/service/api/routing.ts";
import { issueToken, registerApp } from "../../../src/service/auth/apps.ts";
import { apiRoot, defaultOrigin } from "../../../src/service/books/book.ts";
import { openBooks } from "../../../src/service/server/books.ts";
import { listen } from "../../../src/service/server/listener.ts";
import { allowedBy } from "../../../src/service/webhooks/addresses.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { guid } from "../../store/samples.ts";
import { tester } from "../../support/audit.ts";
import { fc } from "../../support/properties.ts";
import { keepTestKey } from "../auth/test-key.ts";
import { faultsIn, isOnPostgres } from "../fixture.ts";
import { type Neighbour, neighbourIn, ownDatabase, rowsOf } from "./neighbours.ts";
import { answerOf, foreignIn, ourIds, spelt, theirIds } from "./neighbours-answered.ts";
import {
  type Asked,
  askedFor,
  drawsFrom,
  inGroups,
  knownOf,
  parametersOf,
} from "./neighbours-asked.ts";
import { doBusiness } from "./neighbours-business.ts";

const runs = Number(process.env.ACROSS ?? 1);
/** Requests for each route in a run. */
const each = 2;

/** What a port answers to anybody, since it is about no organisation. */
const open = "/openapi.json";

/** Where a server finds its organisations, and the store of each before it is served. */
interface Place {
  readonly place: string;
  storeOf(name: string): Promise<Store>;
}

async function place(): Promise<Place> {
  if (isOnPostgres) {
    const { store, url } = await ownDatabase();
    return { place: url, storeOf: async () => store };
  }
  const folder = mkdtempSync(join(tmpdir(), "acct-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const storeOf = async (name: string) => {
    const store = await openStore(sqliteDialect(join(folder, `${name}.acct`)));
    onTestFinished(() => store.close());
    return store;
  };
  return { place: placeInFolder({ folder, organisation: undefined }), storeOf };
}

const tenantOf = ({ given }: Neighbour) => given.book.tenant;

/** A server of both, and what sends a request to it in the name of one. */
async function served(where: string, ours: Neighbour, theirs: Neighbour) {
  const bugs: unknown[] = [];
  const clock = () => ours.given.now;
  const books = await openBooks(where, {
    clock,
    mailer: async () => undefined,
    report: (error) => void bugs.push(error),
    serving: { origin: () => defaultOrigin },
    limits: undefined,
    webhooks: { allowed: allowedBy([]) },
  });
  const port = await listen({
    host: "127.0.0.1",
    port: 0,
    service: books.service,
  });
  const client = await connect({ baseUrl: `${port.origin}${apiRoot}` });
  onTestFinished(async () => {
    await client.close();
    await port.close();
    await books.close();
  });
  await keepTestKey(books.directory);
  const tokenOf = async (neighbour: Neighbour, name: string, id: string) => {
    const registry = { directory: books.directory, tenant: tenantOf(neighbour), clock, by: tester };
    await registerApp(registry, { name }, id);
    const who = { user: name, email: `${name}@x.example`, role: "FINANCIALADVISER" } as const;
    return (await issueToken(registry, name, { ...who, reports: true })).token;
  };
  const tokens = new Map([
    [ours, await tokenOf(ours, "tui", guid(0xacc1))],
    [theirs, await tokenOf(theirs, "kiwi", guid(0xacc2))],
  ]);
  const ask = (whose: Neighbour, tenant: string | undefined, request: Asked) => {
    ours.given.now += 1;
    const authorization = `Bearer ${tokens.get(whose)}`;
    const named: Record<string, string> = tenant === undefined ? {} : { "xero-tenant-id": tenant };
    const headers = { ...request.headers, authorization, ...named };
    return answerOf(client.transport, { ...request, headers });
  };
  return { ask, bugs };
}

async function askedAcross(seed: number, statuses: Record<string, number>) {
  const draw = drawsFrom(seed);
  const where = await place();
  const begun = async (name: string, word: string, ids: string, own: number) => {
    const made = await neighbourIn(await where.storeOf(name), { country: "NZ", word, ids });
    await doBusiness(made, { seed: own, count: 15 });
    return made;
  };
  const theirs = await begun("theirs", "kiwi", theirIds, draw(1e6));
  const ours = await begun("ours", "tui", ourIds, draw(1e6));
  const sides = {
    theirs: await knownOf(theirs),
    ours: await knownOf(ours),
    parameters: await parametersOf(ours),
  };
  const before = await rowsOf(theirs);
  const { ask, bugs } = await served(where.place, ours, theirs);
  const sent = new Set<string>();
  const asked = async (whose: Neighbour, tenant: string | undefined, request: Asked) => {
    const answer = await ask(whose, tenant, request);
    const strange = foreignIn(JSON.stringify(answer)).filter((text) => !sent.has(text));
    expect(strange, `what is theirs in the answer to ${spelt(request)}`).toEqual([]);
    expect(bugs, spelt(request)).toEqual([]);
    return answer.status;
  };
  for (const group of inGroups(allRoutes())) {
    const requests = group.flatMap((route) => askedFor(draw, route, sides, each));
    for (const request of requests) {
      const told = spelt(request);
      for (const text of foreignIn(told)) sent.add(text);
      const status = await asked(ours, draw(1) === 0 ? tenantOf(ours) : undefined, request);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const refused = request.route.endsWith(` ${open}`) ? 200 : 403;
      expect(await asked(ours, tenantOf(theirs), request), `of theirs: ${told}`).toBe(refused);
      expect(await asked(theirs, tenantOf(ours), request), `by theirs: ${told}`).toBe(refused);
    }
    const told = `what is theirs after ${requests.map(spelt).join("\n")}`;
    expect(await rowsOf(theirs), told).toEqual(before);
  }
  for (const { given } of [ours, theirs]) expect(await faultsIn(given)).toEqual([]);
}

test("a token gives access only to its own organisation, for any request", {
  timeout: 600_000,
}, async () => {
  const statuses: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.nat(), (seed) => askedAcross(seed, statuses)),
    { numRuns: runs, endOnFailure: true },
  );
  const asked = runs * each * allRoutes().length;
  console.log(`${asked} requests by their own token`, statuses, `${2 * asked} by another: 403`);
  expect(Object.values(statuses).reduce((all, some) => all + some, 0)).toBe(asked);
  expect(statuses[200]).toBeGreaterThan(asked / 5);
});
