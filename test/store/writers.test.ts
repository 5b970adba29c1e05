/** When writers who come while a transaction is on its way to the disk are worked out. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection, StoreDialect } from "../../src/store/dialects/dialect.ts";
import type { Begun, Within } from "../../src/store/transactions/transactions.ts";
import { Writers } from "../../src/store/transactions/writers.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const nothing = () => Promise.resolve();

/** Writers on a server that is always as expected, and whose commits end when they are told to. */
function writersOn(workMs: number, commitMs: number) {
  const connection = { beginPart: nothing, keepPart: nothing, undoPart: nothing };
  const dialect = {
    oneWriter: false,
    mixesWriters: true,
    lockOrganisation: async () => ({ chart_mark: 1, contact_mark: 1 }),
    lockExpected: nothing,
    faultOf: () => undefined,
  };
  const begun = {
    connection: connection as unknown as Connection,
    use: async (_org, work) => work({ connection: {} } as never),
  } as Begun;
  /** Commits that were sent and not answered. */
  const sent: (() => void)[] = [];
  const within: Within = async (_settings, run) => {
    const result = await run(begun);
    await new Promise<void>((resolve) => sent.push(resolve));
    return result;
  };
  const writers = new Writers(within, dialect as unknown as StoreDialect);
  return {
    sent,
    write: (org: number) =>
      writers.write(org, async () => {
        vi.advanceTimersByTime(workMs);
      }),
    answer() {
      vi.advanceTimersByTime(commitMs);
      sent.shift()?.();
    },
  };
}

/** Returns when whatever was to happen at once has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

/** Two writers, one after the other, until it is known how long they and their commits take. */
async function known(workMs: number, commitMs: number, orgs: readonly number[]) {
  const on = writersOn(workMs, commitMs);
  for (let turn = 0; turn < 20; turn += 1) {
    for (const org of orgs) {
      const done = on.write(org);
      await settled();
      on.answer();
      await done;
    }
  }
  return on;
}

test.each([
  ["the same organisation", [1, 1]],
  ["another", [1, 2]],
])("who writes to %s is worked out meanwhile where that takes about as long", async (_, orgs) => {
  const { sent, write, answer } = await known(4, 5, orgs);
  const [first, second] = orgs as [number, number];
  const writing = [write(first)];
  await settled();
  expect(sent).toHaveLength(1);
  writing.push(write(second));
  await settled();
  expect(sent).toHaveLength(2);
  // No more than two at a time.
  writing.push(write(first));
  await settled();
  expect(sent).toHaveLength(2);
  for (const _each of writing) {
    answer();
    await settled();
  }
  await Promise.all(writing);
});

test("half of those who come together are worked out while the others are on their way", async () => {
  const { sent, write, answer } = await known(4, 5, [1]);
  const done: number[] = [];
  const writing = [1, 2, 3, 4, 5].map((each) => write(1).then(() => done.push(each)));
  await settled();
  expect(sent).toHaveLength(2);
  answer();
  await settled();
  expect(done).toEqual([1, 2, 3]);
  answer();
  await Promise.all(writing);
  expect(sent).toEqual([]);
});

test("where the way to the disk takes much longer, all share a commit", async () => {
  const { sent, write, answer } = await known(1, 20, [1]);
  const first = [write(1), write(1)];
  await settled();
  // As do those who come meanwhile.
  const others = [write(1), write(1), write(1)];
  await settled();
  expect(sent).toHaveLength(1);
  answer();
  await Promise.all(first);
  await settled();
  expect(sent).toHaveLength(1);
  answer();
  await Promise.all(others);
});
