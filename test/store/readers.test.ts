/** Reads that begin together, and what each of them sees of writes beside them. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { organisationOf, updateOrganisation } from "../../src/store/organisations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { storeIn, worlds } from "./worlds.ts";

const named = (store: Store, name: string) =>
  store.write(1, (tx) => updateOrganisation(tx, { LegalName: name }));
const nameIn = async (store: Store) => (await store.read(1, (tx) => organisationOf(tx))).LegalName;

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("a read sees every write that was done before it, also in the same turn", async () => {
    const store = await storeIn(await world.empty());
    for (let count = 0; count < 20; count += 1) {
      // Some of these reads begin while the write is under way, and may see it or not.
      const beside = Promise.all([nameIn(store), nameIn(store)]);
      await named(store, `Name ${count}`);
      expect(await nameIn(store)).toBe(`Name ${count}`);
      await beside;
    }
    await store.close();
  });

  test("what another program wrote is seen in the next turn", async () => {
    const database = await world.empty();
    const store = await storeIn(database);
    const other = await openStore(database.dialect());
    for (let count = 0; count < 20; count += 1) {
      await nameIn(store);
      await named(other, `Name ${count}`);
      await setImmediate();
      expect(await nameIn(store)).toBe(`Name ${count}`);
    }
    await other.close();
    await store.close();
  });

  test("a read that fails takes none of its turn with it", async () => {
    const store = await storeIn(await world.empty());
    await named(store, "Still there");
    const failing = () =>
      store.read(1, async () => {
        throw new Error("no such thing");
      });
    const [first, second, third] = await Promise.allSettled([
      failing(),
      nameIn(store),
      failing().catch(() => nameIn(store)),
    ]);
    expect(first).toMatchObject({ status: "rejected", reason: { message: "no such thing" } });
    expect(second).toMatchObject({ value: "Still there" });
    expect(third).toMatchObject({ value: "Still there" });
    await store.close();
  });

  test("a read goes on with what it saw, and those that begin meanwhile see what is new", async () => {
    const store = await storeIn(await world.empty());
    await named(store, "Before");
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const slow = store.read(1, async (tx) => {
      const before = (await organisationOf(tx)).LegalName;
      await written;
      return [before, (await organisationOf(tx)).LegalName];
    });
    await named(store, "After");
    expect(await nameIn(store)).toBe("After");
    resolve();
    expect(await slow).toEqual(["Before", "Before"]);
    await store.close();
  });

  test("a store that was read in this turn is closed, and lets go of its file", async () => {
    const database = await world.empty();
    const store = await storeIn(database);
    await nameIn(store);
    await store.close();
    // SQLite takes its log away when the last connection is closed, and not before.
    expect(existsSync(`${database.path}-wal`)).toBe(false);
    const again = await openStore(database.dialect());
    await nameIn(again);
    await again.close();
  });
});
