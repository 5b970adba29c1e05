/** Whatever is changed in a record, added or taken away behind the program's back is found and named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kindsOf, type RecordKind } from "../../../src/store/chain/canonical.ts";
import { headOf } from "../../../src/store/chain/stored.ts";
import { TransactionWriteSet } from "../../../src/store/chain/write-set.ts";
import type { Value } from "../../../src/store/connection/connection.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { isEveryCase } from "../../support/properties.ts";
import { storeIn, type World, worlds } from "../worlds.ts";
import { faultsOfChain } from "./faults.ts";
import { fill, otherValue, rowOf, smuggle } from "./rows.ts";

const step = isEveryCase ? 1 : 24;
const golden = join(import.meta.dirname, "../../golden/store/tampering.txt");

/** All but the organisation, of which there is one. */
/** Those of a server: `test/service/audit/directory.test.ts`. */
const ofBooks = kindsOf(1);
const kinds = ofBooks.filter(({ table }) => table !== "organisation");

describe.each(worlds.map((make) => make()))("$name", (world: World) => {
  let store: Store;
  beforeAll(async () => {
    store = await storeIn(await world.empty());
    for (const kind of kinds)
      await store.write(1, (tx) => fill(tx, kind), { at: () => Date.UTC(2026, 2, 5) });
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  /** Faults once a book was tampered with, of which nothing is kept. */
  const faultsOnce = (tamper: (tx: Tx) => Promise<unknown>) =>
    store.write(1, (tx) => tamper(tx).then(() => faultsOfChain(tx)), { dryRun: true });

  const faultsAfter = (...statements: readonly RawBuilder<unknown>[]) =>
    faultsOnce(async (tx) => {
      for (const each of statements) await each.execute(tx.db);
    });

  test("verification of records that were not changed reports nothing", async () => {
    expect(await store.read(1, faultsOfChain)).toEqual([]);
  });

  test.each(ofBooks.map((kind) => [kind.table, kind] as const))(
    "verification reports a change by SQL of any column of the table %s",
    async (table, kind) => {
      const isOne = table === "organisation";
      // Every column in the long run, some of them in the short one.
      const columns = kind.columns.filter((_, at) => at % step === 0);
      for (const column of columns) {
        const set = sql`${sql.id(column)} = ${otherValue(table, column)}`;
        const row = isOne ? sql`org = 1` : rowOf(kind, 2);
        const faults = await faultsAfter(sql`update ${sql.id(table)} set ${set} where ${row}`);
        // A changed key is a record gone and another come, and so are rows of several.
        const isKey = kind.key.includes(column);
        expect(faults, `${table}.${column}`).toHaveLength(isKey ? 2 : 1);
        if (!isKey)
          expect(faults[0], `${table}.${column}`).toMatch(
            /: changed outside of the program since link \d+/,
          );
      }
    },
  );

  test("verification reports records changed, removed and added by SQL with their kind and number", async () => {
    const said: string[] = [];
    for (const kind of kinds.filter((_, at) => isEveryCase || at % 8 === 0)) {
      const { table, columns, key } = kind;
      const id = sql.id(table);
      const column = columns.findLast((name) => !key.includes(name)) ?? key[0] ?? "";
      const set = sql`${sql.id(column)} = ${otherValue(table, column)}`;
      for (const statement of [
        sql`update ${id} set ${set} where ${rowOf(kind, 2)}`,
        sql`delete from ${id} where ${rowOf(kind, 2, true)}`,
      ]) {
        said.push(...(await faultsAfter(statement)));
      }
      said.push(...(await faultsOnce((tx) => smuggle(tx, kind, 4))));
    }
    if (isEveryCase) {
      await expect(`${said.join("\n")}\n`).toMatchFileSnapshot(golden);
    } else expect(readFileSync(golden, "utf8").split("\n")).toEqual(expect.arrayContaining(said));
  });

  test.each([
    ["HAWAIIANSTANDARDTIME", "2026-03-04"],
    ["ofnowhere", "2026-03-05"],
  ])(
    "verification gives the date of a hash chain link in the organisation's time zone %s: %s",
    async (zone, day) => {
      const account = kinds.find(({ table }) => table === "account") as RecordKind;
      const faults = await faultsAfter(
        sql`update organisation set timezone = ${zone} where org = 1`,
        sql`update account set name = 'Otherwise' where ${rowOf(account, 2)}`,
      );
      expect(faults.find((fault) => fault.startsWith("Account"))).toContain(`of ${day}.`);
    },
  );

  test.each(["document", "history", "payment", "posting", "document_line"])(
    "verification reports both of two records whose values were swapped: %s",
    async (table) => {
      const kind = kinds.find((each) => each.table === table) as RecordKind;
      const column = sql.id(
        table === "posting"
          ? "description"
          : (kind.columns.filter((name) => name !== "handle").at(-1) ?? ""),
      );
      const faults = await faultsOnce(async (tx) => {
        const valueIn = async (record: number) => {
          const found = sql<{ value: string }>`select ${column} as value from ${sql.id(table)}
            where ${rowOf(kind, record)}`;
          return (await found.execute(tx.db)).rows[0]?.value;
        };
        const values = [await valueIn(2), await valueIn(1)];
        for (const record of [1, 2]) {
          await sql`update ${sql.id(table)} set ${column} = ${values[record - 1]}
            where ${rowOf(kind, record)}`.execute(tx.db);
        }
      });
      expect(faults).toHaveLength(2);
    },
  );

  test("a book that has grown since its seal passes verification, and a change of sealed records is reported", async () => {
    const seal = await store.read(1, headOf);
    const account = kinds.find(({ table }) => table === "account") as RecordKind;
    const faults = await store.write(
      1,
      async (tx) => {
        // The program's own way: the link says so.
        const later = new TransactionWriteSet();
        await sql`update account set name = 'Later' where ${rowOf(account, 2)}`.execute(tx.db);
        const { rows } = await sql<{ id: string }>`select id from account
          where ${rowOf(account, 2)}`.execute(tx.db);
        later.touch("account", [[rows[0]?.id ?? null]]);
        await later.append(tx);
        const grown = await faultsOfChain(tx, seal);
        await sql`update account set name = 'Otherwise' where ${rowOf(account, 1)}`.execute(tx.db);
        const { number } = await headOf(tx);
        return { grown, links: number - seal.number, changed: await faultsOfChain(tx, seal) };
      },
      { dryRun: true },
    );
    expect(faults).toEqual({
      grown: [],
      links: 1,
      changed: [expect.stringMatching(/^Account .*: changed outside of the program/)],
    });
  });

  test("a hash chain without its last links and their records is detected by comparison with a seal", async () => {
    const seal = await store.read(1, headOf);
    const faults = await faultsOnce(async (tx) => {
      await sql`delete from chain_link where org = 1 and number = ${seal.number}`.execute(tx.db);
    });
    expect(faults).not.toEqual([]);
    const cut = await store.write(
      1,
      async (tx) => {
        await sql`delete from chain_link where org = 1 and number = ${seal.number}`.execute(tx.db);
        await sql`delete from webhook where org = 1`.execute(tx.db);
        return [await faultsOfChain(tx), await faultsOfChain(tx, seal)];
      },
      { dryRun: true },
    );
    expect(cut).toEqual([
      [],
      [
        `The chain ends with link ${seal.number - 1}, but ${seal.number} were sealed: what was written last is gone.`,
      ],
    ]);
  });

  test("a hash chain rewritten as a whole is detected only by comparison with a seal", async () => {
    const seal = await store.read(1, headOf);
    const faults = await store.write(
      1,
      async (tx) => {
        const document = kinds.find(({ table }) => table === "document") as RecordKind;
        await sql`update document set total = 1 where ${rowOf(document, 2)}`.execute(tx.db);
        const count = seal.number + 3;
        await sql`delete from chain_link where org = 1`.execute(tx.db);
        for (let link = 0; link < count; link += 1) {
          const rewritten = new TransactionWriteSet();
          for (const { table, key } of ofBooks) {
            const columns = sql.join(["org", ...key].map((name) => sql.id(name)));
            const { rows } = await sql<Record<string, Value>>`select ${columns}
              from ${sql.id(table)} where org = 1`.execute(tx.db);
            rewritten.touch(
              table,
              rows.map((row) => key.map((name) => row[name] ?? null)),
            );
          }
          await rewritten.append(tx);
        }
        return [await faultsOfChain(tx), await faultsOfChain(tx, seal)];
      },
      { dryRun: true },
    );
    expect(faults).toEqual([
      [],
      [
        `Link ${seal.number} is not the one that was sealed: what was written before has changed since.`,
      ],
    ]);
  });

  describe("a damaged hash chain", () => {
    const changes: readonly (readonly [
      what: string,
      statement: RawBuilder<unknown>,
      fault: RegExp,
    ])[] = [
      [
        "whose link has another hash",
        sql`update chain_link set hash = ${"f".repeat(64)} where org = 1 and number = 5`,
        /Link 5 of the chain is not the one/,
      ],
      [
        "whose link has another moment",
        sql`update chain_link set at = at + 1 where org = 1 and number = 5`,
        /Link 5 of the chain is not the one/,
      ],
      [
        "whose link names other records",
        sql`update chain_link set records = (select records from chain_link where org = 1 and number = 6) where org = 1 and number = 5`,
        /Link 5 of the chain is not the one/,
      ],
      [
        "whose link holds no records",
        sql`update chain_link set records = ${Buffer.from("x")} where org = 1 and number = 5`,
        /Link 5 of the chain is not the one/,
      ],
      [
        "without one of its links",
        sql`delete from chain_link where org = 1 and number = 5`,
        /Link 5 of the chain, between 4 and 6, is gone/,
      ],
      [
        "without some of its links",
        sql`delete from chain_link where org = 1 and number between 5 and 8`,
        /4 links of the chain, between 4 and 9, are gone/,
      ],
      [
        "without its first link",
        sql`delete from chain_link where org = 1 and number = 1`,
        /Link 1 of the chain, between 0 and 2, is gone/,
      ],
    ];
    test.each(changes)("verification reports a hash chain %s", async (_what, statement, fault) => {
      const faults = await faultsAfter(statement);
      expect(
        faults.some((each) => fault.test(each)),
        faults.join("\n"),
      ).toBe(true);
    });

    test("a hash chain without its last link has records that verification reports as added", async () => {
      const last = sql`(select max(number) from chain_link where org = 1)`;
      const faults = await faultsAfter(
        sql`delete from chain_link where org = 1 and number = ${last}`,
      );
      expect(faults).toHaveLength(3);
      for (const each of faults) expect(each).toMatch(/^Webhook .*: added outside of the program/);
    });

    test("a hash chain with two links exchanged is reported by verification", async () => {
      const faults = await faultsAfter(
        sql`update chain_link set number = -5 where org = 1 and number = 5`,
        sql`update chain_link set number = 5 where org = 1 and number = 6`,
        sql`update chain_link set number = 6 where org = 1 and number = -5`,
      );
      expect(faults).toEqual([
        "Link 5 of the chain is not the one that was written.",
        "Link 6 of the chain is not the one that was written.",
        "Link 7 of the chain is not the one that was written.",
      ]);
    });
  });
});
