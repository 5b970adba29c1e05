/** Several reads and writes in one transaction: what they see of each other, and what is left of them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contact } from "../../../src/resources/index.ts";
import { takeNumbers } from "../../../src/store/chain/sequences.ts";
import { fetch, save } from "../../../src/store/mapping/records.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { guid } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

const ContactID = guid(0xc0);
const flags = { IsCustomer: false, IsSupplier: false, HasAttachments: false };

const rename = (Name: string) => async (tx: Tx) => {
  const record = { ContactID, Name, ContactStatus: "ACTIVE", UpdatedDateUTC: 1 };
  await save(tx, contact, [{ ...record, ...flags }]);
  return takeNumbers(tx, "renamed", 1);
};

const name = async (tx: Tx) =>
  (await fetch(tx, contact, "ContactID", [ContactID])).map(({ Name }) => Name)[0];

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  beforeAll(async () => {
    store = await storeIn(await world.empty());
    await store.write(1, rename("at first"));
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  test("a request in a shared transaction sees the writes of the requests before it", async () => {
    const seen = await store.transaction(1, async (within) => {
      await within.write(1, rename("second"));
      const second = await within.read(1, name);
      await within.write(1, rename("third"));
      return [second, await within.read(1, name)];
    });
    expect(seen).toEqual(["second", "third"]);
    expect(await store.read(1, name)).toBe("third");
  });

  test("a failed request in a shared transaction is rolled back, and the other requests are kept", async () => {
    const before = await store.write(1, rename("before"));
    await store.transaction(1, async (within) => {
      const failing = within.write(1, async (tx) => {
        await rename("refused")(tx);
        throw new Error("refused");
      });
      await expect(failing).rejects.toThrow("refused");
      expect(await within.read(1, name)).toBe("before");
      // The number that it had taken is free again.
      expect(await within.write(1, rename("after"))).toBe(before + 1);
    });
    expect(await store.read(1, name)).toBe("after");
  });

  test.each<[string, (run: Parameters<Store["transaction"]>[1]) => Promise<unknown>]>([
    ["a dry run", (run) => store.transaction(1, run, { dryRun: true })],
    [
      "an error at its end",
      (run) =>
        store
          .transaction(1, async (within) => {
            await run(within);
            throw new Error("all of it");
          })
          .catch((error: Error) => error.message),
    ],
  ])("a shared transaction ended by %s stores nothing", async (_name, transact) => {
    await store.write(1, rename("as it was"));
    await transact(async (within) => {
      await within.write(1, rename("tried"));
      await within.write(1, rename("tried again"), { dryRun: true });
      expect(await within.read(1, name)).toBe("tried");
    });
    expect(await store.read(1, name)).toBe("as it was");
  });

  test("other writers wait until a transaction of several requests has ended", async () => {
    const order: string[] = [];
    const long = store.transaction(1, async (within) => {
      await within.write(1, rename("long, at first"));
      await new Promise((resolve) => setImmediate(resolve));
      await within.write(1, rename("long, at last"));
      order.push("long");
    });
    const short = store.write(1, async (tx) => {
      order.push(`short after ${await name(tx)}`);
    });
    await Promise.all([long, short]);
    expect(order).toEqual(["long", "short after long, at last"]);
  });
});
