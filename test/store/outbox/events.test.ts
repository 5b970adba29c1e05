/** Events are there with the change that they tell of, or not at all; so are deliveries. */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { contact } from "../../../src/resources/index.ts";
import { fetch, save } from "../../../src/store/mapping/records.ts";
import { composeDelivery, deliveriesOf } from "../../../src/store/outbox/deliveries.ts";
import { waitingEvents } from "../../../src/store/outbox/events.ts";
import { addWebhook, webhookOf } from "../../../src/store/outbox/webhooks.ts";
import { createOrganisation } from "../../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { type Faults, faultyDialect } from "../../simulation/store-faults.ts";
import { acted } from "../../support/audit.ts";
import { guid, organisation } from "../samples.ts";
import { worlds } from "../worlds.ts";

const shop = guid(0x9001);
const party = guid(0x9002);

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());
  const faults: Faults = { left: -1, error: () => new Error("broken") };
  let store: Store;

  beforeEach(async () => {
    faults.left = -1;
    store = await openStore(faultyDialect((await world.empty()).dialect(), faults));
    await createOrganisation(store, organisation(), 1);
    await store.write(1, (tx) =>
      addWebhook(acted(tx), {
        id: shop,
        name: "Shop",
        url: "https://shop.example/",
        categories: ["CONTACT"],
        app: undefined,
        signingKey: "key",
        status: "OK",
        reason: undefined,
        createdAt: 1,
        lastSequence: 0,
        expiresAt: undefined,
      }),
    );
    return () => store.close();
  });

  const keep = (name: string, at: number) =>
    store.write(
      1,
      (tx) =>
        save(tx, contact, [
          {
            ContactID: party,
            ContactStatus: "ACTIVE",
            Name: name,
            IsSupplier: false,
            IsCustomer: false,
            HasAttachments: false,
            UpdatedDateUTC: at,
          },
        ]),
      { at: () => at },
    );

  const there = () =>
    store.read(1, async (tx) => {
      const [found] = await fetch(tx, contact, "ContactID", [party]);
      const events = await waitingEvents(tx, shop, 10);
      const deliveries = await deliveriesOf(tx, { limit: 10 });
      const last = (await webhookOf(tx, shop))?.lastSequence;
      return {
        name: found?.Name,
        events: events.map(({ type, at }) => `${type} ${at}`),
        deliveries: deliveries.map((each) => [each.firstSequence, each.lastSequence]),
        last,
      };
    });

  /** Fails the first statement, then the second, until the work survives. @returns how often */
  async function survived(work: () => Promise<unknown>): Promise<number> {
    const before = await there();
    for (let count = 0; ; count += 1) {
      faults.left = count;
      const failed = await work().then(
        () => false,
        () => true,
      );
      faults.left = -1;
      if (!failed) return count;
      expect(await there()).toEqual(before);
    }
  }

  test("a change and its webhook event are committed together or not at all", async () => {
    expect(await survived(() => keep("Ana", 5))).toBeGreaterThan(3);
    expect(await there()).toMatchObject({ name: "Ana", events: ["CREATE 5"] });
    await survived(() => keep("Ana Reid", 7));
    expect(await there()).toMatchObject({ name: "Ana Reid", events: ["CREATE 5", "UPDATE 7"] });
  });

  test("an unchanged record and a dry run store no webhook event", async () => {
    await keep("Ana", 5);
    await store.write(1, (tx) => save(tx, contact, []), { at: () => 6 });
    await store.write(
      1,
      async (tx) => {
        const [found] = await fetch(tx, contact, "ContactID", [party]);
        await save(tx, contact, [{ ...found, IsCustomer: true }]);
      },
      { at: () => 6 },
    );
    expect(await there()).toMatchObject({ events: ["CREATE 5"] });
  });

  test("several saves of a record in one transaction store one webhook event, with the last state", async () => {
    await store.write(
      1,
      async (tx) => {
        const record = {
          ContactID: party,
          ContactStatus: "ACTIVE",
          Name: "Ana",
          IsSupplier: false,
          IsCustomer: false,
          HasAttachments: false,
        };
        await save(tx, contact, [{ ...record, UpdatedDateUTC: 8 }]);
        await save(tx, contact, [{ ...record, UpdatedDateUTC: 9 }]);
      },
      { at: () => 9 },
    );
    expect(await there()).toMatchObject({ events: ["CREATE 9"] });
  });

  test("every stored webhook event is either in a delivery or waiting, and no sequence number is skipped", async () => {
    await keep("Ana", 5);
    await keep("Ana Reid", 7);
    const compose = (ids = 0) =>
      store.write(1, (tx) =>
        composeDelivery(tx, shop, {
          id: () => guid(0xa000 + ids),
          now: 10,
          eventsMax: 1,
          compose: () => "{}",
        }),
      );
    expect(await survived(() => compose(1))).toBeGreaterThan(3);
    expect(await there()).toMatchObject({ events: ["UPDATE 7"], deliveries: [[1, 1]], last: 1 });
    await survived(() => compose(2));
    const whole = [
      [1, 1],
      [2, 2],
    ];
    const now = await there();
    expect(now).toMatchObject({ events: [], last: 2 });
    expect(now.deliveries.toSorted()).toEqual(whole);
    expect(await compose(3)).toBeUndefined();
  });
});
