/** A subscriber, and what it must be told: each change once or more, in order and without gaps. */

import type { Resource } from "../../src/resources/field.ts";
import { contact, creditNote, invoice, payment } from "../../src/resources/index.ts";
import { type DeliveriesInProgress, deliverDue } from "../../src/service/webhooks/deliver.ts";
import type { Post } from "../../src/service/webhooks/post.ts";
import { list } from "../../src/store/mapping/records.ts";
import { addWebhook } from "../../src/store/outbox/webhooks.ts";
import type { Store } from "../../src/store/store.ts";
import type { Json } from "../service/fixture.ts";
import { acted } from "../support/audit.ts";
import type { Clock } from "./clock.ts";
import type { Server } from "./server.ts";
import type { Fate } from "./steps.ts";

const watched: readonly Resource[] = [contact, invoice, creditNote, payment];
export const webhookId = "00000000-0000-7000-8000-000000009001";

/** Subscribes to all that is watched. */
export async function subscribe(
  { store, org }: Pick<Server["book"], "store" | "org">,
  url: string,
): Promise<void> {
  await store.write(org, (tx) =>
    addWebhook(acted(tx), {
      id: webhookId,
      name: "Shop",
      url,
      categories: ["INVOICE", "CONTACT", "CREDITNOTE", "PAYMENT"],
      app: undefined,
      signingKey: "key",
      status: "OK",
      reason: undefined,
      createdAt: 1,
      lastSequence: 0,
      expiresAt: undefined,
    }),
  );
}

/** A change of a record in a step. */
interface Expected {
  readonly step: number;
  readonly id: string;
  readonly type: "CREATE" | "UPDATE";
  readonly at: number;
}

interface Told {
  readonly id: string;
  readonly type: string;
  readonly at: number;
}

export class Subscriber {
  /** What was told, by its number. */
  readonly #told = new Map<number, Told>();
  readonly #expected: Expected[] = [];
  /** The last moment of each step that changed anything, and its number. */
  readonly #moments: { readonly at: number; readonly step: number }[] = [];
  readonly faults: string[] = [];
  #before = new Map<string, number>();
  #processes = 0;
  /** The number of the last event that was looked at before the clock was put back. */
  #completed = 0;

  /** Notes what changed since it was last called. */
  async observe(store: Store, org: number, step: number): Promise<void> {
    const after = await changesIn(store, org);
    for (const [id, at] of after) {
      const before = this.#before.get(id);
      if (before === at) continue;
      this.#expected.push({ step, id, at, type: before === undefined ? "CREATE" : "UPDATE" });
    }
    const since = this.#expected.filter((each) => each.step === step);
    if (since.length > 0) this.#moments.push({ step, at: Math.max(...since.map(({ at }) => at)) });
    this.#before = after;
  }

  /** Takes what was told for complete, since moments are not in their order once the clock was put back. */
  beginAnew(): void {
    this.#completed = this.#told.size;
    this.#expected.splice(0);
    this.#moments.splice(0);
  }

  /** Takes the book as it is for known. */
  async begin(store: Store, org: number): Promise<void> {
    this.#before = await changesIn(store, org);
  }

  /** Delivers what is due, by a server, and takes it as `fate` says. */
  async deliver({ book }: Server, clock: Clock, fate: Fate): Promise<number | undefined> {
    this.#processes += 1;
    const { store, org, dependencies: surroundings } = book;
    const busy: DeliveriesInProgress = new Map();
    const errors: unknown[] = [];
    const post: Post = async (_url, body) => {
      const status = this.receive(body, fate);
      if (fate === "die") throw new Died();
      return { status, hasBody: false, reason: "no answer", tookMs: 1 };
    };
    for (;;) {
      const next = await deliverDue(
        {
          store,
          org,
          clock: clock.read,
          newId: surroundings.newId,
          baseUrl: () => surroundings.baseUrl,
          post,
          holder: `process ${this.#processes}`,
          random: () => 0.5,
        },
        busy,
        (error) => {
          if (error !== undefined && !(error instanceof Died)) errors.push(error);
        },
      );
      const underWay = busy.size;
      await Promise.all(busy.values());
      if (errors.length > 0) throw errors[0];
      if (underWay === 0 || fate === "die") return next;
    }
  }

  /** Takes a delivery. @returns the status that it is answered with; undefined for none */
  receive(body: string, fate: Fate): number | undefined {
    const delivery: Json = JSON.parse(body);
    if (fate !== "refuse" && delivery.events.length > 0) this.#note(delivery);
    return { answer: 200, refuse: 500, "lose the answer": undefined, die: undefined }[fate];
  }

  #note({ firstEventSequence, lastEventSequence, events }: Json): void {
    const next = this.#told.size + 1;
    if (firstEventSequence > next) {
      this.faults.push(`Event ${firstEventSequence} came before event ${next}.`);
    }
    if (lastEventSequence !== firstEventSequence + events.length - 1) {
      this.faults.push(
        `Events ${firstEventSequence} to ${lastEventSequence} are ${events.length}.`,
      );
    }
    for (const [at, { resourceId, eventType, eventDateUtc }] of events.entries()) {
      const number = firstEventSequence + at;
      const told = { id: resourceId, type: eventType, at: Date.parse(`${eventDateUtc}Z`) };
      const before = this.#told.get(number);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(told)) {
        this.faults.push(`Event ${number} was another one when it came again.`);
      }
      this.#told.set(number, told);
    }
  }

  /** What is wrong when nothing waits any more. */
  complete(): string[] {
    const faults = [...this.faults];
    const inOrder = [...this.#told]
      .filter(([number]) => number > this.#completed)
      .sort(([a], [b]) => a - b)
      .map(([, told]) => told);
    const byRecord = Map.groupBy(inOrder, ({ id }) => id);
    let latest = 0;
    for (const { at } of inOrder) {
      const step = this.#stepAt(at);
      if (step < latest) faults.push(`An event of step ${step} came after one of step ${latest}.`);
      latest = Math.max(latest, step);
    }
    for (const [id, expected] of Map.groupBy(this.#expected, ({ id }) => id)) {
      const told = byRecord.get(id) ?? [];
      for (const { type, at, step } of expected) {
        const last = told.findLastIndex((each) => each.at === at);
        if (last === -1) faults.push(`Nothing told of the change of ${id} in step ${step}.`);
        else if (told[0]?.type !== type)
          faults.push(`${id} was told as ${told[0]?.type}, not ${type}.`);
        // Several clients may have changed it within the step; the last of them is what it is now.
        told.splice(0, last + 1);
      }
      if (told.length > 0) faults.push(`Events tell of changes of ${id} that were not made.`);
      byRecord.delete(id);
    }
    for (const id of byRecord.keys()) faults.push(`Events tell of ${id}, which was not changed.`);
    return faults;
  }

  #stepAt(at: number): number {
    return this.#moments.find((each) => each.at >= at)?.step ?? 0;
  }
}

/** Thrown where the process that delivers is killed. */
class Died extends Error {}

async function changesIn(store: Store, org: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  await store.read(org, async (tx) => {
    for (const resource of watched) {
      for (const record of (await list(tx, resource)).records as Json[]) {
        found.set(record[resource.id], record.UpdatedDateUTC);
      }
    }
  });
  return found;
}
