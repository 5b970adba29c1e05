/**
 * Nothing of an organisation comes to light in another, and nothing there is changed from it.
 *
 * In one store are ours, theirs, whose ids are others, and a twin whose ids are the same as ours.
 * Alone in a second store is one that did all that ours did. Ours and the one alone are asked every
 * route with what is theirs: whatever they answer must be the same, byte for byte, since the one has
 * neighbours and the other has none. `ACROSS` in the environment multiplies the number of runs.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Country } from "../../src/ledger/regions/region.ts";
import { routes } from "../../src/service/routes.ts";
import type { Store } from "../../src/store/store.ts";
import type { ServiceResponse } from "../../src/wire/http.ts";
import { faultsIn } from "./fixture.ts";
import { type Neighbour, neighbourIn, ownStore, rowsOf } from "./neighbours.ts";
import {
  type Asked,
  askedFor,
  type Draw,
  drawsFrom,
  knownOf,
  parametersOf,
} from "./neighbours-asked.ts";
import { doBusiness } from "./neighbours-business.ts";

const runs = Number(process.env.ACROSS ?? 1);
/** Requests for each route in a run. */
const each = 4;

interface Answered {
  readonly status: number;
  readonly headers: ServiceResponse["headers"];
  /** Records as text; of a file its digest, and its letters as far as it has any. */
  readonly text: string;
}

/** What is chance in an answer: its own id, and the entropy of what listeners are sent. */
const chance = /("(?:Id|Instance)":"|<(?:Id|Instance)>|"entropy\\":\\")[\w-]{20,36}/gi;

async function answerOf({ given }: Neighbour, { route, ...request }: Asked): Promise<Answered> {
  given.now += 1;
  const { status, headers: told, body } = await given.book.handle(request);
  // Over a port each request has an id, and the length is that of what was compressed.
  const { "x-request-id": _id, "content-length": _length, ...headers } = told;
  const parts: Uint8Array[] = [];
  if (typeof body === "string") parts.push(Buffer.from(body));
  else if (body instanceof Uint8Array) parts.push(body);
  else for await (const part of body) parts.push(part);
  const bytes = Buffer.concat(parts);
  const isText = /json|xml|text/.test(headers["content-type"] ?? "text");
  const digest = isText ? "" : createHash("sha256").update(bytes).digest("hex");
  return { status, headers, text: `${digest}${bytes.toString("latin1").replace(chance, "$1")}` };
}

const ourIds = "aaaaaaaa";
const theirIds = "bbbbbbbb";
const twinTenant = "cccccccc";

async function organisations(country: Country, seed: number) {
  const [shared, apart] = [await ownStore(), await ownStore()];
  const count = 25;
  const begun = async (
    store: Store,
    ...described: [word: string, ids: string, tenant?: string]
  ) => {
    const [word, ids, tenant] = described;
    const made = await neighbourIn(store, { country, word, ids, ...(tenant ? { tenant } : {}) });
    await doBusiness(made, { seed: word === "kiwi" ? seed + 1 : seed, count });
    return made;
  };
  const theirs = await begun(shared, "kiwi", theirIds);
  const ours = await begun(shared, "tui", ourIds);
  const twin = await begun(shared, "moa", ourIds, twinTenant);
  const alone = await begun(apart, "tui", ourIds);
  return { theirs, ours, twin, alone };
}

/** What can only be theirs or the twin's. */
const foreign = new RegExp(
  `${theirIds}-[0-9a-f-]{27}|${twinTenant}-[0-9a-f-]{27}|(?:kiwi|moa)[- ]\\w+`,
  "g",
);
const foreignIn = (text: string) => text.match(foreign) ?? [];

function spelt({ method, path, query, headers, body }: Asked): string {
  const sent = body === undefined ? "" : ` ${Buffer.from(body).toString()}`;
  return `${method} ${decodeURIComponent(path)} ${JSON.stringify(query)} ${JSON.stringify(headers)}${sent}`;
}

/** Where two answers differ, with what stands around it. */
function differenceOf(one: Answered, other: Answered): readonly string[] | undefined {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  return [left, right].map((text) => text.slice(Math.max(0, at - 300), at + 300));
}

type Counts = Record<string, number>;
const count = (counts: Counts, name: string | number) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

async function askedAcross(draw: Draw, country: Country, statuses: Counts, reached: Set<string>) {
  const { theirs, ours, twin, alone } = await organisations(country, draw(1e6));
  const sides = {
    theirs: await knownOf(theirs),
    ours: await knownOf(ours),
    parameters: await parametersOf(ours),
  };
  // The same is asked of the one alone, since to read a report takes an id and time.
  await knownOf(alone);
  await parametersOf(alone);
  const before = { theirs: await rowsOf(theirs), twin: await rowsOf(twin) };
  const sent = new Set<string>();
  for (const route of routes) {
    const requests = Array.from({ length: each }, () => askedFor(draw, route, sides));
    for (const request of requests) {
      const told = spelt(request);
      for (const text of foreignIn(told)) sent.add(text);
      const answer = await answerOf(ours, request);
      const difference = differenceOf(answer, await answerOf(alone, request));
      expect(difference, `beside others and alone: ${told}`).toBeUndefined();
      const strange = foreignIn(JSON.stringify(answer)).filter((text) => !sent.has(text));
      expect(strange, `what is theirs in the answer to ${told}`).toEqual([]);
      expect(ours.given.bugs, told).toEqual([]);
      count(statuses, answer.status);
      if (answer.status === 200) reached.add(request.route);
    }
    const told = `what is theirs after ${requests.map(spelt).join("\n")}`;
    expect(await rowsOf(theirs), told).toEqual(before.theirs);
    expect(await rowsOf(twin), told).toEqual(before.twin);
  }
  expect(ours.given.mail).toEqual(alone.given.mail);
  for (const book of [ours, theirs, twin]) expect(await faultsIn(book.given)).toEqual([]);
  return before.theirs;
}

/** Tables that the business leaves empty, and why. */
const emptyIn = (country: Country): readonly string[] => [
  "call_count", // kept where a server limits calls
  ...(country === "US" ? [] : ["box_1099"]),
  ...(country === "NZ" ? [] : ["published_report"]),
];

test.each(["NZ", "GB", "US"] as const)(
  "nothing of another organisation is told or changed in %s",
  {
    timeout: 300_000,
  },
  async (country) => {
    const statuses: Counts = {};
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const rows = await askedAcross(drawsFrom(seed), country, statuses, reached);
        const empty = rows.filter((each) => each.rows === 0).map(({ table }) => table);
        expect(emptyIn(country)).toEqual(expect.arrayContaining(empty));
      }),
      { numRuns: runs, endOnFailure: true },
    );
    const asked = Object.values(statuses).reduce((all, some) => all + some, 0);
    console.log(`${country}: ${asked} requests to ${routes.length} routes`, statuses);
    expect(asked).toBe(runs * each * routes.length);
    // Were everything refused, this would show little.
    expect(reached.size).toBeGreaterThan(routes.length / 3);
  },
);
