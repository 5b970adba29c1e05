/** A book that is open for business, made once for all runs: each has a copy of it. */
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { createBookIn } from "../../src/service/books/book.ts";
import { openStore } from "../../src/store/store.ts";
import { type Business, opened } from "../service/business.ts";
import { asking, type Json } from "../service/fixture.ts";
import { Clock } from "./clock.ts";
import type { Databases } from "./databases.ts";
import { receiver } from "./processes.ts";
import { who } from "./server.ts";
import { subscribe } from "./webhooks.ts";

export interface Prepared {
  /** Its records by their ids, as business refers to them. */
  readonly business: Omit<Business, "given">;
  /** Percent by tax type. */
  readonly rates: ReadonlyMap<string, number>;
  readonly now: number;
  /** Who takes deliveries over a port. */
  readonly deliveries: { take(body: string): number | undefined };
}

/** What lets in whoever asks over the port of a program, for half an hour. */
export async function tokenOf(place: string): Promise<string> {
  return (await issueToken({ path: place, clock: Date.now, operator: who }, "Till")).token;
}

const prepared = new WeakMap<Databases, Promise<Prepared>>();

export function preparedIn(databases: Databases): Promise<Prepared> {
  const known = prepared.get(databases) ?? prepare(databases);
  prepared.set(databases, known);
  return known;
}

async function prepare(databases: Databases): Promise<Prepared> {
  const database = await databases.fresh();
  const clock = new Clock();
  const store = await openStore(database.dialect());
  const described = { name: "Heron Lane Ltd", country: "NZ", demo: true } as const;
  const options = { clock: clock.read, newId: clock.newIds(), ...who };
  const book = await createBookIn(store, described, options, database.place);
  const given = asking({ book, mail: [], bugs: [], now: clock.now });
  const { given: _, ...business } = await opened(given);
  // The first plan makes the key by which all are signed.
  const Requests = [
    { Method: "PUT", Path: "/Contacts", Body: JSON.stringify({ Name: "Planned" }) },
  ];
  await given.ok("POST", "/Extensions/Plans", { Requests });
  const found: Json[] = (await given.ok("GET", "/TaxRates")).TaxRates;
  const rates = new Map(found.map((each) => [each.TaxType, each.EffectiveRate]));
  const deliveries: Prepared["deliveries"] = { take: () => 200 };
  await subscribe(book, await receiver((body) => deliveries.take(body)));
  await store.close();
  await addApp({ path: database.place, clock: Date.now, operator: who }, { name: "Till" });
  await databases.keep(database);
  return { business, rates, now: given.now, deliveries };
}
