/**
 * Nothing of an organisation comes to light in another, and nothing there is changed from it.
 *
 * In one store are ours, theirs, whose ids are others, and a twin whose ids are the same as ours.
 * Alone in a second store is one that did all that ours did. Ours and the one alone are asked every
 * route with what is theirs: whatever they answer must be the same, byte for byte, since the one has
 * neighbours and the other has none. `ACROSS` in the environment multiplies the number of runs.
 */
import { expect, test } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { allRoutes } from "../../../src/service/api/routing.ts";
import type { Store } from "../../../src/store/store.ts";
import { fc } from "../../support/properties.ts";
import { faultsIn, isOnPostgres, isOverPort } from "../fixture.ts";
import { type Neighbour, neighbourIn, ownStore, rowsOf } from "./neighbours.ts";
import {
  type Answered,
  answerOf,
  differenceOf,
  foreignIn,
  ourIds,
  spelt,
  theirIds,
  twinTenant,
} from "./neighbours-answered.ts";
import {
  type Asked,
  askedFor,
  type Draw,
  drawsFrom,
  inGroups,
  knownOf,
  parametersOf,
} from "./neighbours-asked.ts";
import { doBusiness } from "./neighbours-business.ts";

const runs = Number(process.env.ACROSS ?? 1);
/** Requests for each route in a run: fewer where each takes several times as long. */
const each = isOnPostgres || isOverPort ? 2 : 4;

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

function answered({ given }: Neighbour, request: Asked): Promise<Answered> {
  given.now += 1;
  return answerOf(given.book.transport, request);
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
  for (const group of inGroups(allRoutes())) {
    const requests = group.flatMap((route) => askedFor(draw, route, sides, each));
    for (const request of requests) {
      const told = spelt(request);
      for (const text of foreignIn(told)) sent.add(text);
      const answer = await answered(ours, request);
      const difference = differenceOf(answer, await answered(alone, request));
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
  "plan_approval", // made in the session of another person
  ...(country === "US" ? [] : ["box_1099"]),
  ...(country === "NZ" ? [] : ["published_report"]),
];

/** One country with each way to ask, since it is the ways and not the countries that may differ. */
const country: Country = isOnPostgres ? "US" : isOverPort ? "GB" : "NZ";

test(`no request reads or changes records of another organisation in ${country}`, {
  timeout: 600_000,
}, async () => {
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
  console.log(`${country}: ${asked} requests to ${allRoutes().length} routes`, statuses);
  expect(asked).toBe(runs * each * allRoutes().length);
  // Were everything refused, this would show little.
  expect(reached.size).toBeGreaterThan(allRoutes().length / 3);
});

test("an organisation may have the same name as another organisation on the server", async () => {
  const store = await ownStore();
  const theirs = await neighbourIn(store, { country, word: "kiwi", ids: theirIds });
  const ours = await neighbourIn(store, { country, word: "tui", ids: ourIds });
  const { Name } = (await theirs.given.ok("GET", "/Organisation")).Organisations[0];
  const { Settings } = await ours.given.ok("POST", "/Organisation/Settings", { Name });
  expect(Settings[0].Name).toBe(Name);
});
