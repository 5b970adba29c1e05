import { afterAll, describe, expect, test } from "vitest";
import {
  type Basis,
  type Journal,
  type PostedJournal,
  reversalJournal,
  turnoverMax,
} from "../../../src/ledger/journal.ts";
import {
  appendJournals,
  type SumsQuery,
  type SumsRow,
  sums,
} from "../../../src/store/ledger/journals.ts";
import { journalsOf, liveJournals } from "../../../src/store/ledger/record-journals.ts";
import type { Store } from "../../../src/store/store.ts";
import { fc, runs } from "../../support/properties.ts";
import { faultsOfLedger } from "../ledger-faults.ts";
import { cents, guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

const accountIds = [1, 2, 3, 4].map((n) => guid(0xacc0 + n));
const optionIds = [undefined, guid(0xa1), guid(0xa2)];
const documentIds = [1, 2, 3].map((n) => guid(0xd0c0 + n));

const days = Array.from({ length: 400 }, (_, i) =>
  new Date(Date.UTC(2023, 11, 20) + i * 86_400_000).toISOString().slice(0, 10),
);

const anyJournal: fc.Arbitrary<Journal> = fc
  .record({
    basis: fc.constantFrom<Basis>("accrual", "cash"),
    date: fc.constantFrom(...days),
    sourceType: fc.constantFrom(undefined, "ACCREC", "ACCPAYPAYMENT"),
    sourceId: fc.constantFrom(...documentIds, guid(0x9a1)),
    documentId: fc.constantFrom(...documentIds),
    reference: fc.constantFrom(undefined, "INV-0001"),
    postings: fc.array(
      fc.record({
        account: fc.constantFrom(...accountIds),
        amount: fc
          .integer({ min: -9999, max: 9999 })
          .filter((amount) => amount !== 0)
          .map(cents),
        description: fc.constantFrom(undefined, "", "Mugs"),
        taxType: fc.constantFrom(undefined, "OUTPUT2"),
        taxAmount: fc.constantFrom(undefined, cents(0), cents(-15)),
        option1: fc.constantFrom(...optionIds),
        option2: fc.constantFrom(...optionIds),
        line: fc.constantFrom(undefined, 0, 7),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map((journal) => {
    const rest = journal.postings.reduce((sum, posting) => sum - posting.amount, 0);
    if (rest === 0) return journal;
    return {
      ...journal,
      postings: [...journal.postings, { account: guid(0xacc0), amount: cents(rest) }],
    };
  });

/** What is posted: new journals in batches, and the reversal of one of those before. */
const anySteps = fc.array(
  fc.oneof(fc.array(anyJournal, { minLength: 1, maxLength: 4 }), fc.nat()),
  { minLength: 1, maxLength: 12 },
);

const anyQuery: fc.Arbitrary<SumsQuery> = fc.record({
  basis: fc.constantFrom<Basis>("accrual", "cash"),
  from: fc.option(fc.constantFrom(...days, "2023-12-01", "2024-01-01", "2024-02-01"), {
    nil: undefined,
  }),
  to: fc.constantFrom(...days, "2023-12-31", "2024-01-31", "2024-02-29"),
  byOption: fc.constantFrom<SumsQuery["byOption"]>(undefined, 1, 2, true, false),
  option1: fc.constantFrom(undefined, undefined, "", ...optionIds),
  option2: fc.constantFrom(undefined, undefined, "", ...optionIds),
  accounts: fc.option(fc.subarray(accountIds), { nil: undefined, freq: 3 }),
});

/** The same sums, by looking at every posting. */
function bruteForce(journals: readonly PostedJournal[], query: SumsQuery): SumsRow[] {
  const rows = new Map<string, SumsRow>();
  for (const journal of journals) {
    const { basis, date, reverses } = journal;
    if (basis !== query.basis || date > query.to || date < (query.from ?? "")) continue;
    for (const { account, amount, option1 = "", option2 = "" } of journal.postings) {
      if (query.option1 !== undefined && query.option1 !== option1) continue;
      if (query.option2 !== undefined && query.option2 !== option2) continue;
      if (query.accounts !== undefined && !query.accounts.includes(account)) continue;
      const by1 = query.byOption === 1 || query.byOption === true ? option1 : "";
      const by2 = query.byOption === 2 || query.byOption === true ? option2 : "";
      const key = [account, by1, by2].join(" ");
      const before = rows.get(key) ?? { account, amount: 0, debit: 0, credit: 0 };
      const undoing = reverses !== undefined;
      const isDebit = amount > 0 !== undoing;
      rows.set(key, {
        account,
        ...(by1 === "" ? {} : { option1: by1 }),
        ...(by2 === "" ? {} : { option2: by2 }),
        amount: cents(before.amount + amount),
        debit: cents(before.debit + (isDebit ? amount : 0)),
        credit: cents(before.credit - (isDebit ? 0 : amount)),
      });
    }
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
    .filter((row) => row.debit !== 0 || row.credit !== 0);
}

/** Without the keys that say nothing, as the store answers. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  async function posted(
    store: Store,
    steps: readonly (Journal[] | number)[],
  ): Promise<PostedJournal[]> {
    const all: PostedJournal[] = [];
    const undone = new Set<PostedJournal>();
    for (const step of steps) {
      let journals: readonly Journal[];
      if (typeof step === "number") {
        const open = all.filter((each) => each.reverses === undefined && !undone.has(each));
        const chosen = open[step % open.length];
        if (chosen === undefined) continue;
        undone.add(chosen);
        journals = [reversalJournal(chosen)];
      } else {
        journals = step;
      }
      const ids = journals.map(() => newId());
      const at = 1000 + all.length;
      const numbers = await store.write(1, (tx) => {
        const left = [...ids];
        return appendJournals(tx, journals, at, () => left.shift() as string);
      });
      for (const [i, journal] of journals.entries()) {
        all.push({ ...journal, id: ids[i] as string, number: numbers[i] as number, createdAt: at });
      }
    }
    return all;
  }

  test("balances over any date range equal the sums of postings, and journals are read back as posted", async () => {
    const database = await world.empty();
    let store = await storeIn(database);
    await fc.assert(
      fc.asyncProperty(
        anySteps,
        fc.array(anyQuery, { minLength: 5, maxLength: 10 }),
        async (steps, queries) => {
          await store.close();
          const fresh = await world.empty();
          store = await storeIn(fresh);
          const all = await posted(store, steps);
          for (const basis of ["accrual", "cash"] as const) {
            const numbers = all.filter((each) => each.basis === basis).map((each) => each.number);
            expect(numbers).toEqual(numbers.map((_, i) => i + 1));
          }
          await store.read(1, async (tx) => {
            for (const query of queries) {
              expect(plain(await sums(tx, query))).toEqual(plain(bruteForce(all, query)));
            }
            const order = (a: PostedJournal, b: PostedJournal) =>
              a.basis.localeCompare(b.basis) || a.number - b.number;
            const wanted = documentIds.slice(0, 2);
            const bySource = all.filter((each) => wanted.includes(each.sourceId)).sort(order);
            const byDocument = all.filter((each) => wanted.includes(each.documentId)).sort(order);
            expect(plain(await journalsOf(tx, "source", wanted))).toEqual(plain(bySource));
            expect(plain(await journalsOf(tx, "document", wanted))).toEqual(plain(byDocument));
            const undone = new Set(all.map((each) => `${each.basis}${each.reverses}`));
            expect(plain(await liveJournals(tx, "document", wanted, "cash"))).toEqual(
              plain(
                byDocument.filter(
                  (each) =>
                    each.basis === "cash" &&
                    each.reverses === undefined &&
                    !undone.has(`cash${each.number}`),
                ),
              ),
            );
            expect(await faultsOfLedger(tx)).toEqual([]);
          });
        },
      ),
      { numRuns: runs(world.name === "SQLite" ? 160 : 32), interruptAfterTimeLimit: 60_000 },
    );
    await store.close();
  });

  test("a journal that does not balance is refused, and so is a second reversal", async () => {
    const store = await storeIn(await world.empty());
    const journal: Journal = {
      basis: "accrual",
      date: "2026-03-31",
      sourceType: "ACCREC",
      sourceId: guid(1),
      documentId: guid(1),
      postings: [
        { account: guid(2), amount: cents(100) },
        { account: guid(3), amount: cents(-99) },
      ],
    };
    const append = (journals: Journal[]) =>
      store.write(1, (tx) => appendJournals(tx, journals, 0, newId));
    await expect(append([journal])).rejects.toThrow("out of balance by 1 cents");
    const good = {
      ...journal,
      postings: [
        { account: guid(2), amount: cents(100) },
        { account: guid(3), amount: cents(-100) },
      ],
    };
    expect(await append([good, good])).toEqual([1, 2]);
    const [first] = await store.read(1, (tx) => journalsOf(tx, "source", [guid(1)]));
    expect(await append([reversalJournal(first as PostedJournal)])).toEqual([3]);
    await expect(append([reversalJournal(first as PostedJournal)])).rejects.toThrow();
    expect(await append([good])).toEqual([4]);
    expect(await store.read(1, faultsOfLedger)).toEqual([]);
    expect(await append([])).toEqual([]);
    await store.close();
  });

  test("a reversed receipt changes neither the total of debits nor of credits", async () => {
    const store = await storeIn(await world.empty());
    const journal: Journal = {
      basis: "accrual",
      date: "2026-03-31",
      sourceType: "ACCRECPAYMENT",
      sourceId: guid(1),
      documentId: guid(1),
      postings: [
        { account: guid(2), amount: cents(100) },
        { account: guid(3), amount: cents(-100) },
      ],
    };
    await store.write(1, async (tx) => {
      await appendJournals(tx, [journal, journal], 0, newId);
      const [first] = await journalsOf(tx, "source", [guid(1)]);
      await appendJournals(tx, [reversalJournal(first as PostedJournal)], 0, newId);
    });
    const query = { basis: "accrual", to: "2026-03-31", accounts: [guid(2)] } as const;
    for (const from of [undefined, "2026-03-01", "2026-03-30"]) {
      expect(await store.read(1, (tx) => sums(tx, { ...query, from }))).toEqual([
        { account: guid(2), amount: 100, debit: 100, credit: 0 },
      ]);
    }
    await store.close();
  });

  test("amounts whose sum exceeds exact integers are refused, until others are reversed", async () => {
    const store = await storeIn(await world.empty());
    const half = cents(Math.floor(turnoverMax / 4) + 1);
    const journal: Journal = {
      basis: "cash",
      date: "2026-03-31",
      sourceType: "MANJOURNAL",
      sourceId: guid(1),
      documentId: guid(1),
      postings: [
        { account: guid(2), amount: half },
        { account: guid(3), amount: cents(-half) },
      ],
    };
    const append = (journals: Journal[]) =>
      store.write(1, (tx) => appendJournals(tx, journals, 0, newId));
    await append([journal]);
    await expect(append([journal])).rejects.toMatchObject({ code: "Overflow" });
    await append([{ ...journal, basis: "accrual" }]);
    const [first] = await store.read(1, (tx) => journalsOf(tx, "source", [guid(1)], "cash"));
    await append([reversalJournal(first as PostedJournal), journal]);
    expect(await store.read(1, faultsOfLedger)).toEqual([]);
    await store.close();
  });
});
