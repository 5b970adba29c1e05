/** Writers that are committed together: what each sees, what each leaves, what each takes back. */
import { afterAll, describe, expect, test } from "vitest";
import { contact } from "../../../src/resources/index.ts";
import { sequenceOf, takeNumbers } from "../../../src/store/chain/sequences.ts";
import { appendJournals, sums } from "../../../src/store/ledger/journals.ts";
import { fetch, save } from "../../../src/store/mapping/records.ts";
import { addHistory, historyOf } from "../../../src/store/records/history.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import {
  deleteAnswers,
  findAnswer,
  saveAnswer,
} from "../../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { fc, runs } from "../../support/properties.ts";
import { faultsOfChain } from "../chain/faults.ts";
import { cents, guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

/** What the books hold, as far as the writers here change them. */
interface Held {
  readonly names: readonly [string, string];
  readonly debits: number;
  readonly taken: number;
  readonly notes: number;
  /** Keys to which an answer is kept. */
  readonly answered: readonly string[];
}

interface Step {
  /** @returns what it has seen */
  readonly run: (tx: Tx) => Promise<unknown>;
  /** Compares that with what was held before, and tells what is held then. */
  readonly left: (held: Held, seen: unknown) => Held;
}

const contacts = [guid(0xc0), guid(0xc1)] as const;
const [debtor, sales] = [guid(0xd0), guid(0xd1)];

const post = (amount: number): Step => ({
  run(tx) {
    const postings = [
      { account: debtor, amount: cents(amount) },
      { account: sales, amount: cents(-amount) },
    ];
    const source = { sourceType: undefined, sourceId: newId(), documentId: newId() };
    const journal = { ...source, basis: "accrual", date: "2026-03-04", postings } as const;
    return appendJournals(tx, [journal], 1, newId);
  },
  left: (held) => ({ ...held, debits: held.debits + amount }),
});

const rename = (at: 0 | 1, name: string): Step => ({
  run(tx) {
    const ContactID = contacts[at];
    const record = { ContactID, Name: name, ContactStatus: "ACTIVE", UpdatedDateUTC: 1 };
    const flags = { IsCustomer: false, IsSupplier: false, HasAttachments: false };
    return save(tx, contact, [{ ...record, ...flags }]);
  },
  left: (held) => ({ ...held, names: at === 0 ? [name, held.names[1]] : [held.names[0], name] }),
});

const take = (count: number): Step => ({
  run: (tx) => takeNumbers(tx, "taken", count),
  left(held, first) {
    expect(first).toBe(held.taken + 1);
    return { ...held, taken: held.taken + count };
  },
});

const annotate: Step = {
  run(tx) {
    const entry = { id: newId(), resource: "Contact", recordId: contacts[0], at: 1 };
    return addHistory(tx, [{ ...entry, user: "Ann", changes: "Note", details: "" }]);
  },
  left: (held) => ({ ...held, notes: held.notes + 1 }),
};

/** Those that a writer asks for as soon as it has to, and those for which a writer as a whole is done. */
const askedFor = ["k1", "k2"] as const;
const ofWriters = ["w1", "w2"] as const;

/** What is done once for a key. */
const once = (key: string, steps: readonly Step[]): Step => ({
  async run(tx) {
    if ((await findAnswer(tx, "app", key)) !== undefined) return undefined;
    const seen = await runAll(steps, tx);
    const answer = { status: 200, headers: {}, body: "" };
    await saveAnswer(tx, { app: "app", key, fingerprint: "p", at: 1, answer });
    return seen;
  },
  left(held, seen) {
    expect(held.answered.includes(key)).toBe(seen === undefined);
    if (seen === undefined) return held;
    const after = leftByAll(steps, held, seen as unknown[]);
    return { ...after, answered: [...after.answered, key].sort() };
  },
});

const all = (steps: readonly Step[]): Step => ({
  run: (tx) => runAll(steps, tx),
  left: (held, seen) => leftByAll(steps, held, seen as unknown[]),
});

async function runAll(steps: readonly Step[], tx: Tx): Promise<unknown[]> {
  const seen = [];
  for (const step of steps) seen.push(await step.run(tx));
  return seen;
}

function leftByAll(steps: readonly Step[], held: Held, seen: readonly unknown[]): Held {
  return steps.reduce((before, step, at) => step.left(before, seen[at]), held);
}

const forgetAll: Step = {
  run: (tx) => deleteAnswers(tx, 2),
  left: (held) => ({ ...held, answered: [] }),
};

/** Nobody forgets an answer while doing what it is for. */
const isOfOne = (step: Step) => step !== forgetAll;

async function answeredIn(tx: Tx): Promise<string[]> {
  const firsts = await Promise.all(
    [...askedFor, ...ofWriters].map((key) => findAnswer(tx, "app", key)),
  );
  return firsts.flatMap((first) => first?.key ?? []);
}

async function heldBy(tx: Tx): Promise<Held> {
  const found = await fetch(tx, contact, "ContactID", contacts);
  const nameOf = (id: string) => found.find((each) => each.ContactID === id)?.Name ?? "";
  const rows = await sums(tx, { basis: "accrual", to: "2026-12-31", accounts: [debtor] });
  return {
    names: [nameOf(contacts[0]), nameOf(contacts[1])],
    debits: rows[0]?.debit ?? 0,
    taken: await sequenceOf(tx, "taken"),
    notes: (await historyOf(tx, "Contact", contacts[0])).length,
    answered: await answeredIn(tx),
  };
}

const look: Step = {
  run: heldBy,
  left(held, seen) {
    expect(seen).toEqual(held);
    return held;
  },
};

const anyName = fc.integer({ min: 0, max: 999 }).map((number) => `Name ${number}`);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 900 }).map(post), weight: 3 },
  fc.tuple(fc.constantFrom(0 as const, 1 as const), anyName).map(([at, name]) => {
    return rename(at, `${name} ${at}`);
  }),
  { arbitrary: fc.integer({ min: 1, max: 3 }).map(take), weight: 3 },
  fc.constant(annotate),
  fc.constantFrom(...askedFor).map((key) => once(key, [])),
  fc.constant(forgetAll),
  { arbitrary: fc.constant(look), weight: 2 },
);
const anyWriter = fc.record({
  steps: fc.array(anyStep, { maxLength: 5 }),
  fate: fc.constantFrom("kept", "kept", "thrown", "dry"),
  key: fc.option(fc.constantFrom(...ofWriters), { nil: undefined }),
});

interface Writer {
  readonly steps: readonly Step[];
  readonly fate: string;
  /** Whose answer is asked for with the lock, before those before it have run. */
  readonly key: string | undefined;
}

/** Runs writers that come in one moment, so that they share transactions. */
async function runTogether(store: Store, writers: readonly Writer[]): Promise<void> {
  let held = await store.read(1, heldBy);
  const changedMind = new Error("second thoughts");
  const outcomes = writers.map(async ({ steps, fate, key }) => {
    const step = key === undefined ? all(steps) : once(key, steps.filter(isOfOne));
    let seen: unknown;
    const written = store.write(
      1,
      async (tx) => {
        // May be run again, where the transaction came to nothing.
        seen = await step.run(tx);
        if (fate === "thrown") throw changedMind;
      },
      { dryRun: fate === "dry", ...(key === undefined ? {} : { key: { app: "app", key } }) },
    );
    try {
      await written;
    } finally {
      // They are told in the order in which they wrote.
      const after = step.left(held, seen);
      if (fate === "kept") held = after;
    }
  });
  for (const [index, outcome] of (await Promise.allSettled(outcomes)).entries()) {
    const thrown = writers[index]?.fate === "thrown";
    expect(outcome).toEqual(
      thrown
        ? { status: "rejected", reason: changedMind }
        : { status: "fulfilled", value: undefined },
    );
  }
  expect(await store.read(1, heldBy)).toEqual(held);
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("a writer in a group commit sees committed writes and its own, and no writes that were rolled back", async () => {
    const database = await world.empty();
    // Of two processes, of which neither knows what the other has written.
    const stores = [await storeIn(database), await openStore(database.dialect())] as const;
    const anyGroup = fc.record({
      by: fc.oneof(
        { arbitrary: fc.constant(0 as const), weight: 5 },
        { arbitrary: fc.constant(1 as const), weight: 1 },
      ),
      writers: fc.array(anyWriter, { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyGroup, { maxLength: 12 }), async (groups) => {
        for (const { by, writers } of groups) await runTogether(stores[by], writers);
        expect(await stores[0].read(1, faultsOfChain)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
    for (const store of stores) await store.close();
  });
});
