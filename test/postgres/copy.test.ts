/** Organisations that move between a file and a server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { poolOf } from "../../src/store/dialects/postgres/pool.ts";
import { postgresDialect, postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { sqliteDialect } from "../../src/store/dialects/sqlite/sqlite.ts";
import {
  type Contents,
  copyOrganisation,
  tableContents,
} from "../../src/store/maintenance/copy-organisation.ts";
import { verify } from "../../src/store/maintenance/verify.ts";
import {
  createOrganisation,
  type Listing,
  listBooks,
} from "../../src/store/records/organisations.ts";
import { tables } from "../../src/store/schema/all-tables.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { type Faults, faultyDialect } from "../simulation/store-faults.ts";
import { attach, dump, enter } from "../store/books.ts";
import { guid, newId, organisation } from "../store/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-copy-"));
const { shared } = inject("postgres");
let server: Store;
let original: Store;
let owner: Listing;

const OrganisationID = guid(0xc0b1);
const fileStore = (name: string) => openStore(sqliteDialect(join(folder, `${name}.acct`)));
const inStore = (store: Store, org: number): Promise<Contents[]> => store.read(org, tableContents);
const countOn = async (store: Store) =>
  (await listBooks(store)).filter((each) => each.OrganisationID === OrganisationID).length;

beforeAll(async () => {
  server = await postgresStore(shared);
  original = await fileStore("original");
  const record = organisation({ OrganisationID, Name: "Überfahrt & Söhne" });
  const org = await createOrganisation(original, record, undefined, async (tx) => {
    await enter(tx, newId, "-mark");
    // More pieces than are in memory at a time, of bytes that text would not bear.
    await attach(tx, newId(), "large.bin", "\u0000ÿ€".repeat(900_000));
  });
  owner = { ...record, org };
});
afterAll(async () => {
  await server.close();
  await original.close();
  rmSync(folder, { recursive: true });
});

test("a book copied to a server and back is the same in every row and byte", async () => {
  const before = await inStore(original, 1);
  const there = await copyOrganisation(original, owner, server, verify);
  expect(there.tables).toEqual(before);
  expect(await inStore(server, there.org)).toEqual(before);
  // Each table that an organisation has is looked at, and those of `enter` are not empty.
  const filled = before.filter(({ rows }) => rows > 0).map(({ table }) => table);
  expect(before.map(({ table }) => table)).toEqual(expect.arrayContaining(Object.keys(tables)));
  expect(filled.length).toBeGreaterThan(30);
  const back = await fileStore("back");
  const returned = await copyOrganisation(server, { ...owner, org: there.org }, back, verify);
  expect(returned).toMatchObject({ org: 1, tables: before, verification: { faults: [] } });
  expect(await back.read(1, dump)).toBe(await original.read(1, dump));
  await back.close();
});

test("a book copied to a server does not overwrite an existing organisation of the same name", async () => {
  expect(await countOn(server)).toBe(1);
  await expect(copyOrganisation(original, owner, server, verify)).rejects.toMatchObject({
    name: "RefusedError",
    code: "OrganisationExists",
  });
  expect(await countOn(server)).toBe(1);
});

test("two simultaneous copies of a book to a server create one organisation", async () => {
  const other = organisation({ OrganisationID: guid(0xc0b2) });
  const source = await fileStore("twice");
  const org = await createOrganisation(source, other);
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => copyOrganisation(source, { ...other, org }, server, verify)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await source.close();
});

test("a copy to a server that fails midway leaves no organisation and no rows", async () => {
  const small = organisation({ OrganisationID: guid(0xc0b3) });
  const source = await fileStore("small");
  const org = await createOrganisation(source, small, undefined, (tx) => enter(tx, newId));
  const faults: Faults = { left: -1, error: () => new Error("the disk is full") };
  const target = await openStore(faultyDialect(postgresDialect(poolOf(shared)), faults));
  // Others make organisations beside it.
  const copies = async () =>
    (await listBooks(server)).filter((each) => each.OrganisationID === small.OrganisationID);
  for (const left of [2, 9, 30, 80]) {
    faults.left = left;
    await expect(copyOrganisation(source, { ...small, org }, target, verify)).rejects.toThrow(
      "disk",
    );
    faults.left = -1;
    expect(await copies()).toEqual([]);
  }
  await target.close();
  await source.close();
});

test("a book with faults is not copied to a server, and its faults are reported", async () => {
  const wrong = organisation({ OrganisationID: guid(0xc0b4) });
  const source = await fileStore("wrong");
  const org = await createOrganisation(source, wrong, undefined, (tx) => enter(tx, newId));
  await source.write(org, (tx) =>
    sql`update posting set amount = amount + 1 where org = ${org} and basis = 0`.execute(tx.db),
  );
  await expect(copyOrganisation(source, { ...wrong, org }, server, verify)).rejects.toMatchObject({
    code: "DoesNotAddUp",
    details: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
  });
  await source.close();
});
