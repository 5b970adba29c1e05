/** Processes that find each other in a database, and agree on who has which organisation. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { addressAt } from "../../../src/service/peers/address.ts";
import { type Peer, Peers } from "../../../src/service/peers/peers.ts";
import { beat, forgetPeers } from "../../../src/store/directory/peers.ts";
import { type Directory, directoryIn } from "../../../src/store/directory.ts";
import { sqliteDialect } from "../../../src/store/sqlite.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { guid } from "../../store/samples.ts";

const beatMs = 10;
const watcher: Peer = { id: guid(0xff), address: "" };
const tenants = Array.from({ length: 300 }, (_, at) => guid(1000 + at));

const folder = mkdtempSync(join(tmpdir(), "acct-peers-"));
let store: Store;
let directory: Directory;
let begun: Peers[] = [];

beforeAll(async () => {
  store = await openStore(sqliteDialect(join(folder, "directory.acct")));
  directory = directoryIn(store);
});
afterEach(async () => {
  await Promise.all(begun.map((each) => each.leave()));
  begun = [];
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const peerOf = (number: number): Peer => ({
  id: guid(number),
  address: addressAt("one", `/socket/${number}`),
});

function begin(number: number, ownersMax = 3): Peers {
  const peers = new Peers({ directory, self: peerOf(number), ownersMax, beatMs });
  begun.push(peers);
  return peers;
}

/** Those that write of themselves in the table. */
const written = async () => {
  const rows = await directory.write((tx) => beat(tx, watcher));
  await directory.write((tx) => forgetPeers(tx, [watcher.id]));
  return rows;
};

const soon = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 2 });
const sees = (peers: Peers, ...numbers: number[]) =>
  soon(() => expect(peers.alive.map(({ id }) => id).sort()).toEqual(numbers.map(guid)));

/** By tenant the id of the process that has it, as one of them sees it. */
const owners = (peers: Peers, self: number) =>
  tenants.map((tenant) => peers.ownerOf(tenant)?.id ?? guid(self));

test("who is alone has everything", async () => {
  const one = begin(1);
  await soon(async () => expect(await written()).toHaveLength(1));
  expect(tenants.map((tenant) => one.ownerOf(tenant))).toEqual(tenants.map(() => undefined));
});

test("all agree on who has what, and each has a share", async () => {
  const all = [begin(1), begin(2), begin(3)] as const;
  await sees(all[0], 2, 3);
  await sees(all[1], 1, 3);
  await sees(all[2], 1, 2);
  const agreed = owners(all[0], 1);
  expect(owners(all[1], 2)).toEqual(agreed);
  expect(owners(all[2], 3)).toEqual(agreed);
  for (const number of [1, 2, 3]) {
    expect(agreed.filter((id) => id === guid(number)).length).toBeGreaterThan(60);
  }
});

test("organisations are shared out among as many as said, whoever is asked", async () => {
  const all = [begin(1, 2), begin(2, 2), begin(3, 2)] as const;
  await sees(all[0], 2, 3);
  await sees(all[1], 1, 3);
  await sees(all[2], 1, 2);
  const agreed = owners(all[2], 3);
  expect([owners(all[0], 1), owners(all[1], 2)]).toEqual([agreed, agreed]);
  expect(new Set(agreed)).toEqual(new Set([guid(1), guid(2)]));
});

test("where one leaves, only what it had changes hands", async () => {
  const [one, two, three] = [begin(1), begin(2), begin(3)];
  await sees(one, 2, 3);
  await sees(two, 1, 3);
  const before = owners(one, 1);
  const silent = vi.fn();
  one.onSilent = silent;
  await three.leave();
  expect(silent).not.toHaveBeenCalled();
  // Whoever has left is known to have by the time that its leaving is over.
  expect(one.alive.map(({ id }) => id)).toEqual([guid(2)]);
  expect(two.alive.map(({ id }) => id)).toEqual([guid(1)]);
  const after = owners(one, 1);
  expect(owners(two, 2)).toEqual(after);
  for (const [at, id] of before.entries()) {
    if (id === guid(3)) expect([guid(1), guid(2)]).toContain(after[at]);
    else expect(after[at]).toBe(id);
  }
});

test("who does not go on saying that it is there is no process, as after a copy of the database", async () => {
  await directory.write((tx) => beat(tx, peerOf(9)));
  const one = begin(1);
  const two = begin(2);
  await sees(one, 2);
  await sees(two, 1);
  // The row is removed in the end.
  await soon(async () => expect((await written()).map(({ id }) => id)).not.toContain(guid(9)));
  expect(one.alive.map(({ id }) => id)).toEqual([guid(2)]);
});

test.each([
  ["speaks otherwise", "acct-link-2/one/socket/8"],
  ["answers under another name", addressAt("two", "/socket/8")],
])("who %s is not asked", async (_what, address) => {
  const one = begin(1);
  begin(2);
  const other = { id: guid(8), address };
  await vi.waitFor(
    async () => {
      const rows = await directory.write((tx) => beat(tx, other));
      expect(rows.find(({ id }) => id === guid(2))?.beats).toBeGreaterThan(4);
    },
    { timeout: 5000, interval: 2 },
  );
  await sees(one, 2);
  await directory.write((tx) => forgetPeers(tx, [other.id]));
});

test("who falls silent is there no more, and is there again when it is heard of", async () => {
  const one = begin(1);
  const silent = vi.fn();
  one.onSilent = silent;
  const isHeard = (times: number) => async () => {
    for (let said = 0; said < times; said += 1) await directory.write((tx) => beat(tx, peerOf(7)));
  };
  await vi.waitFor(
    async () => {
      await isHeard(1)();
      expect(one.alive.map(({ id }) => id)).toEqual([guid(7)]);
    },
    { timeout: 5000, interval: 2 },
  );
  await sees(one);
  expect(silent).toHaveBeenCalledWith(peerOf(7));
  await vi.waitFor(
    async () => {
      await isHeard(1)();
      expect(one.alive.map(({ id }) => id)).toEqual([guid(7)]);
    },
    { timeout: 5000, interval: 2 },
  );
  await directory.write((tx) => forgetPeers(tx, [guid(7)]));
});

test("who does not answer has nothing for a while", async () => {
  const one = begin(1);
  const two = begin(2);
  await sees(one, 2);
  one.avoid(peerOf(2));
  expect(one.alive).toEqual([]);
  expect(tenants.every((tenant) => one.ownerOf(tenant) === undefined)).toBe(true);
  await sees(two, 1);
  await sees(one, 2);
});

test("a database that is away ends what was known, and not the process", async () => {
  const failing = { isAway: false };
  const shaky: Directory = {
    read: (work) => directory.read(work),
    write: (work) => (failing.isAway ? Promise.reject(new Error("away")) : directory.write(work)),
  };
  const one = new Peers({ directory: shaky, self: peerOf(1), beatMs });
  begun.push(one);
  begin(2);
  await sees(one, 2);
  failing.isAway = true;
  await sees(one);
  failing.isAway = false;
  await sees(one, 2);
});
