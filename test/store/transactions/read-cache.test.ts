import { afterAll, describe, expect, test } from "vitest";
import { organisationOf, updateOrganisation } from "../../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { ReadCache } from "../../../src/store/transactions/read-cache.ts";
import { acted } from "../../support/audit.ts";
import { fc } from "../../support/properties.ts";
import { storeIn, worlds } from "../worlds.ts";

/** Reads that count how often they are done. */
function counted(text: (count: number) => string) {
  let count = 0;
  return {
    read: async () => {
      count += 1;
      return text(count);
    },
    count: () => count,
  };
}

/** Kept reads of which the first, that nothing is kept of, is past. */
async function begun(mark: () => number | undefined, bytesMax?: number): Promise<ReadCache> {
  const kept = new ReadCache(mark, bytesMax);
  await kept.get("first", async () => "");
  return kept;
}

describe("cached reads while the version is unchanged", () => {
  test("the second read of a value in a process is cached, the first is not", async () => {
    let asked = 0;
    const kept = new ReadCache(() => {
      asked += 1;
      return 1;
    });
    const { read, count } = counted(String);
    const key = "a";
    expect(await kept.get(key, read)).toBe("1");
    expect(asked).toBe(0);
    expect(await kept.get(key, read)).toBe("2");
    expect(await kept.get(key, read)).toBe("2");
    expect(count()).toBe(2);
  });

  test("each cache key has its own value", async () => {
    const kept = await begun(() => 1);
    const { read } = counted(String);
    const found = [];
    for (const key of ["a", "b", "a", "b"]) found.push(await kept.get(key, read));
    expect(found).toEqual(["1", "2", "1", "2"]);
  });

  test("a read that fails is not cached", async () => {
    const kept = await begun(() => 1);
    await expect(kept.get("a", () => Promise.reject(new Error("none")))).rejects.toThrow("none");
    expect(await kept.get("a", async () => "one")).toBe("one");
  });
});

test("a write to the book invalidates all cached reads", async () => {
  let mark = 1;
  const kept = await begun(() => mark);
  const { read } = counted(String);
  await kept.get("a", read);
  mark = 2;
  expect(await kept.get("a", read)).toBe("2");
  expect(await kept.get("a", read)).toBe("2");
});

test("reads are not cached if the database cannot tell its version", async () => {
  const kept = await begun(() => undefined);
  const { read } = counted(String);
  expect(await kept.get("a", read)).toBe("1");
  expect(await kept.get("a", read)).toBe("2");
});

test("a read that began before a commit is not cached after that commit", async () => {
  let mark = 1;
  const kept = await begun(() => mark);
  const late = Promise.withResolvers<string>();
  const slow = kept.get("a", () => late.promise);
  mark = 2;
  await kept.get("b", async () => "of the new mark");
  late.resolve("old");
  expect(await slow).toBe("old");
  expect(await kept.get("a", async () => "new")).toBe("new");
});

test("the oldest cached value is dropped when the cache is full", async () => {
  const kept = await begun(() => 1, 10);
  const { read, count } = counted((each) => String(each).padEnd(4, "é"));
  for (const key of ["a", "b", "a"]) await kept.get(key, read);
  // Each is seven bytes long, so that there is room for one.
  expect(count()).toBe(3);
  await kept.get("a", read);
  expect(count()).toBe(3);
});

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  const name = async (store: Store, text: string, dryRun = false) =>
    store.write(1, (tx) => updateOrganisation(acted(tx), { LegalName: text }), { dryRun });

  test("cached reads equal reads without the cache, whichever process writes", async () => {
    const database = await world.empty();
    const stores = [await storeIn(database), await openStore(database.dialect())] as const;
    const read = (store: Store) =>
      store.read(1, async (tx) => (await organisationOf(tx)).LegalName ?? "");
    const kept = (store: Store) =>
      store.readCached(1, "name", async (tx) => (await organisationOf(tx)).LegalName ?? "");
    const step = fc.record({
      by: fc.constantFrom(...stores),
      does: fc.constantFrom("read", "write", "try", "fail"),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        for (const { by, does } of steps) {
          count += 1;
          if (does === "write") await name(by, `Name ${count}`);
          if (does === "try") await name(by, `Name ${count}`, true);
          if (does === "fail") {
            const failing = by.write(1, async (tx) => {
              await updateOrganisation(acted(tx), { LegalName: "Nobody" });
              throw new Error("second thoughts");
            });
            await expect(failing).rejects.toThrow("second thoughts");
          }
          for (const store of stores) expect(await kept(store)).toBe(await read(store));
        }
      }),
      { numRuns: 30 },
    );
    for (const store of stores) await store.close();
  });

  test("a cached value is read from the database again only after a write", async () => {
    const database = await world.empty();
    const [store, other] = [await storeIn(database), await openStore(database.dialect())];
    let count = 0;
    const kept = () =>
      store.readCached(1, "name", async (tx) => {
        count += 1;
        return (await organisationOf(tx)).Name;
      });
    for (let time = 0; time < 5; time += 1) await kept();
    const tells = world.name === "SQLite";
    expect(count).toBe(tells ? 2 : 5);
    await name(other, "Another");
    for (let time = 0; time < 5; time += 1) await kept();
    expect(count).toBe(tells ? 3 : 10);
    await store.close();
    await other.close();
  });
});
