import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { DiskError, type Trouble } from "../../src/platform/disk.ts";
import { sequenceOf, takeNumbers } from "../../src/store/chain/sequences.ts";
import { verify } from "../../src/store/maintenance/verify.ts";
import {
  createOrganisation,
  listBooks,
  organisationOf,
  updateOrganisation,
} from "../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Tx } from "../../src/store/tx/tx.ts";
import { latestVersion } from "../../src/store/upgrade/state.ts";
import { type Faults, faultyDialect } from "../simulation/store-faults.ts";
import { acted } from "../support/audit.ts";
import { builderOf, dump, enter } from "./books.ts";
import { guid, organisation } from "./samples.ts";
import { storeIn, worlds } from "./worlds.ts";

/** Ids from 1, for what must be the same in every run. */
function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return guid(0x50000 + count);
  };
}

/** Writes everything, and answers what the book holds then. */
async function entered(tx: Tx): Promise<string> {
  await enter(tx, counter());
  return dump(tx);
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("committed writes are read after the database is opened again", async () => {
    const database = await world.empty();
    const store = await storeIn(database);
    await store.write(1, (tx) => enter(tx, counter()));
    const before = await store.read(1, dump);
    await store.close();
    const again = await openStore(database.dialect());
    expect(await again.read(1, dump)).toBe(before);
    await again.close();
  });

  test("a failing transaction stores nothing, and throws its error", async () => {
    const store = await storeIn(await world.empty());
    const before = await store.read(1, dump);
    const work = store.write(1, async (tx) => {
      await enter(tx, counter());
      throw new Error("second thoughts");
    });
    await expect(work).rejects.toThrow("second thoughts");
    expect(await store.read(1, dump)).toBe(before);
    await store.close();
  });

  test("a dry run of a transaction returns its result and stores nothing", async () => {
    const store = await storeIn(await world.empty());
    const before = await store.read(1, dump);
    const after = await store.write(1, entered, { dryRun: true });
    expect(after).toContain("INV-1");
    expect(await store.read(1, dump)).toBe(before);
    await store.write(1, (tx) => enter(tx, counter()));
    expect(await store.read(1, dump)).toBe(after);
    await store.close();
  });

  test("writers in one process run one after another", async () => {
    const store = await storeIn(await world.empty());
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store
          .write(1, async (tx) => {
            const before = await sequenceOf(tx, "n");
            if (i % 3 === 0) await setImmediate();
            const number = await takeNumbers(tx, "n", 1);
            expect(number).toBe(before + 1);
            if (i % 5 === 4) throw new Error("never mind");
            return number;
          })
          .catch(() => 0),
      ),
    );
    expect(taken.filter((number) => number > 0).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, i) => i + 1),
    );
    await store.close();
  });

  test("writers of one group commit succeed or fail independently", async () => {
    const store = await storeIn(await world.empty());
    const taking = (name: string) => (tx: Tx) => takeNumbers(tx, name, 1);
    const refused = new Error("second thoughts");
    const outcomes = await Promise.allSettled([
      store.write(1, taking("first")),
      store.write(1, async (tx) => {
        await takeNumbers(tx, "refused", 1);
        throw refused;
      }),
      store.write(1, taking("dry"), { dryRun: true }),
      store.write(1, taking("last")),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: refused },
      { status: "fulfilled", value: 1 },
      { status: "fulfilled", value: 1 },
    ]);
    const names = ["first", "refused", "dry", "last"];
    const taken = store.read(1, (tx) => Promise.all(names.map((name) => sequenceOf(tx, name))));
    expect(await taken).toEqual([1, 0, 0, 1]);
    await store.close();
  });

  test("when any SQL statement of a group commit fails, no writer is committed in part or twice", async () => {
    const database = await world.empty();
    await (await storeIn(database)).close();
    const faults: Faults = { left: -1, error: () => new Error("the disk is full") };
    const store = await openStore(faultyDialect(database.dialect(), faults));
    let failures = 0;
    for (let isStruck = true; isStruck; failures += 1) {
      const name = `n${failures}`;
      faults.left = failures;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 3 }, () => store.write(1, (tx) => takeNumbers(tx, name, 1))),
      );
      isStruck = faults.left < 0;
      faults.left = -1;
      const kept = outcomes.filter(({ status }) => status === "fulfilled").length;
      expect(await store.read(1, (tx) => sequenceOf(tx, name))).toBe(kept);
    }
    expect(failures).toBeGreaterThan(5);
    await store.close();
  });

  test("when any SQL statement fails, the book is as before or as after the whole transaction", async () => {
    const database = await world.empty();
    await (await storeIn(database)).close();
    const faults: Faults = { left: -1, error: () => new Error("the disk is full") };
    const store = await openStore(faultyDialect(database.dialect(), faults));
    const before = await store.read(1, dump);
    const after = await store.write(1, entered, { dryRun: true });
    let failures = 0;
    for (;;) {
      faults.left = failures;
      const failed = await store
        .write(1, (tx) => enter(tx, counter()))
        .then(
          () => false,
          (error: Error) => {
            expect(error.message).toBe("the disk is full");
            return true;
          },
        );
      faults.left = -1;
      expect(await store.read(1, dump)).toBe(failed ? before : after);
      if (!failed) break;
      failures += 1;
    }
    expect(failures).toBeGreaterThan(15);
    expect((await store.read(1, verify)).faults).toEqual([]);
    await store.close();
  });

  const troubles: readonly (readonly [object, Trouble, string])[] =
    world.name === "SQLite"
      ? [
          [{ errcode: 13 }, "DiskFull", "no space is left on its disk"],
          [{ errcode: 4874 }, "DiskFull", "no space is left on its disk"],
          [{ errcode: 1544 }, "ReadOnly", "it or its disk is read-only"],
          [{ errcode: 778 }, "DiskFailing", "its disk reports a fault"],
          [{ errcode: 3 }, "NotPermitted", "that is not permitted"],
        ]
      : [
          [{ code: "53100" }, "DiskFull", "no space is left on its disk"],
          [{ code: "25006" }, "ReadOnly", "it or its disk is read-only"],
          [{ code: "58030" }, "DiskFailing", "its disk reports a fault"],
        ];
  test.each(troubles)(
    "a failing disk (%j) is reported as such, until a write succeeds again",
    async (error, code, why) => {
      const database = await world.empty();
      await (await storeIn(database)).close();
      const faults: Faults = { left: -1, error: () => Object.assign(new Error("driver"), error) };
      const dialect = faultyDialect(database.dialect(), faults);
      const store = await openStore(dialect);
      const write = () => store.write(1, (tx) => takeNumbers(tx, "n", 1));
      // Every statement fails, those of the probe too, but for one that reads.
      faults.seen = (text) => {
        faults.left = text.startsWith("begin write") ? 0 : -1;
      };
      const refused = await write().catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(DiskError);
      expect(refused).toMatchObject({ code, message: expect.stringContaining(`: ${why}; `) });
      expect((refused as DiskError).message).toContain(dialect.place);
      expect((refused as DiskError).message).not.toContain("driver");
      expect((await store.version()).trouble).toBe(why);
      faults.left = -1;
      faults.seen = () => undefined;
      // Nobody need write for it to be found well again.
      expect((await store.version()).trouble).toBe(undefined);
      expect(await write()).toBe(1);
      await store.close();
    },
  );

  test("a damaged book is reported as damaged, even where a write still succeeds", async () => {
    const database = await world.empty();
    await (await storeIn(database)).close();
    const error = world.name === "SQLite" ? { errcode: 779 } : { code: "XX001" };
    const faults: Faults = { left: -1, error: () => Object.assign(new Error("driver"), error) };
    const store = await openStore(faultyDialect(database.dialect(), faults));
    faults.left = 1;
    await expect(store.read(1, dump)).rejects.toMatchObject({
      name: "DiskError",
      code: "Damaged",
      message: expect.stringContaining("restore a backup"),
    });
    await store.write(1, (tx) => takeNumbers(tx, "n", 1));
    expect((await store.version()).trouble).toBe("it is damaged");
    await store.close();
  });

  test("a transaction blocked by another transaction is run again from the start", async () => {
    const database = await world.empty();
    await (await storeIn(database)).close();
    const error = world.name === "SQLite" ? { errcode: 261 } : { code: "40001" };
    const faults: Faults = { left: -1, error: () => Object.assign(new Error("busy"), error) };
    const store = await openStore(faultyDialect(database.dialect(), faults));
    let runs = 0;
    faults.left = 3;
    const number = await store.write(1, async (tx) => {
      runs += 1;
      await takeNumbers(tx, "n", 1);
      return takeNumbers(tx, "n", 2);
    });
    expect([number, runs]).toEqual([2, 2]);
    expect(store.figures()).toMatchObject({ retries: 1, waiting: 0 });
    await store.close();
  });

  test("opening a book of a later schema version is refused, and the book is unchanged", async () => {
    const database = await world.empty();
    const dialect = database.dialect();
    const store = await storeIn(database);
    expect(await store.version()).toMatchObject({ found: latestVersion, state: "current" });
    await store.write(1, ({ db }) => dialect.setSchemaVersion(builderOf(db), 99));
    expect(await store.version()).toMatchObject({ found: 99, state: "newer" });
    await store.close();
    await expect(openStore(dialect)).rejects.toMatchObject({
      name: "SchemaError",
      code: "BookTooNew",
    });
  });

  test("many connections that open an empty database at the same time create its tables once", async () => {
    const database = await world.empty();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(database.dialect())));
    await createOrganisation(stores[0] as Store, organisation());
    for (const store of stores) expect(await listBooks(store)).toHaveLength(1);
    for (const store of stores) await store.close();
  });

  test("a failed migration leaves no change behind, and is run again at the next opening", async () => {
    const database = await world.empty();
    for (const left of [3, 9, 40]) {
      const faults: Faults = { left, error: () => new Error("the disk is full") };
      await expect(openStore(faultyDialect(database.dialect(), faults))).rejects.toThrow(
        "the disk is full",
      );
    }
    await (await storeIn(database)).close();
  });

  test("each new organisation gets its own key, and its settings can be changed", async () => {
    const store = await openStore((await world.empty()).dialect());
    expect(await listBooks(store)).toEqual([]);
    const one = organisation({ OrganisationID: guid(1), Name: "One" });
    expect(await createOrganisation(store, one)).toBe(1);
    expect(
      await createOrganisation(store, organisation({ OrganisationID: guid(7), Name: "Seven" }), 7),
    ).toBe(7);
    expect(
      await createOrganisation(store, organisation({ OrganisationID: guid(8), Name: "Eight" })),
    ).toBe(8);
    await expect(createOrganisation(store, one)).rejects.toMatchObject({
      code: "OrganisationExists",
    });
    await expect(
      createOrganisation(store, organisation({ OrganisationID: guid(9) }), 7),
    ).rejects.toMatchObject({
      code: "OrganisationExists",
    });
    expect(await listBooks(store)).toEqual([
      { org: 1, OrganisationID: guid(1), Name: "One" },
      { org: 7, OrganisationID: guid(7), Name: "Seven" },
      { org: 8, OrganisationID: guid(8), Name: "Eight" },
    ]);
    await store.write(7, (tx) =>
      updateOrganisation(acted(tx), { PeriodLockDate: "2026-01-31", LegalName: "Seven Ltd" }),
    );
    await store.write(7, (tx) => updateOrganisation(acted(tx), { LegalName: undefined }));
    expect(await store.read(7, organisationOf)).toEqual(
      organisation({ OrganisationID: guid(7), Name: "Seven", PeriodLockDate: "2026-01-31" }),
    );
    expect(await store.read(1, organisationOf)).toEqual(one);
    await expect(store.read(2, organisationOf)).rejects.toThrow("no organisation 2");
    await store.close();
  });

  test("an organisation is created with all its initial records or not at all", async () => {
    const store = await openStore((await world.empty()).dialect());
    const seed = (tx: Tx) => enter(tx, counter());
    const failing = async (tx: Tx) => {
      await seed(tx);
      throw new Error("second thoughts");
    };
    await expect(createOrganisation(store, organisation(), 1, failing)).rejects.toThrow("second");
    expect(await listBooks(store)).toEqual([]);
    await createOrganisation(store, organisation(), 1, seed);
    expect((await store.read(1, verify)).checks).toContainEqual({ name: "documents", count: 2 });
    await store.close();
  });

  test("organisations created at the same moment get different keys", async () => {
    const store = await openStore((await world.empty()).dialect());
    const keys = await Promise.all(
      [1, 2, 3].map((n) => createOrganisation(store, organisation({ OrganisationID: guid(n) }))),
    );
    expect(keys.sort()).toEqual([1, 2, 3]);
    await store.close();
  });
});
