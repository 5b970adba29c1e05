/** Books of earlier versions, brought up to date when they are opened. */
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { brandingTheme, contact, currency, user } from "../../src/resources/index.ts";
import { turnoverSum } from "../../src/store/journals.ts";
import { books } from "../../src/store/migrations/0001-books.ts";
import { list, save } from "../../src/store/records.ts";
import type { Tables } from "../../src/store/schema.ts";
import { sequenceOf } from "../../src/store/sequences.ts";
import { openStore } from "../../src/store/store.ts";
import { type Database, worlds } from "./worlds.ts";

/** A sale of 10.00 with 1.50 of tax, and one of 7.00 that was undone. */
async function posted(tx: Kysely<Tables>): Promise<void> {
  const journals = [
    { number: 1, amount: 1000, tax: 150, reverses: null },
    { number: 2, amount: 700, tax: 0, reverses: null },
    { number: 3, amount: -700, tax: 0, reverses: 2 },
  ];
  for (const { number, amount, tax, reverses } of journals) {
    await sql`insert into journal
      (org, basis, number, id, date, source_id, document_id, reverses, created_at)
      values (1, 0, ${number}, ${`j${number}`}, '2026-03-01', 's', 's', ${reverses}, 1)`.execute(
      tx,
    );
    const postings = [
      ["a", amount + tax, 0],
      ["b", -amount, -tax],
      ["c", -tax, 0],
    ] as const;
    for (const [ord, [account, moved, taxed]] of postings.entries()) {
      if (moved === 0) continue;
      await sql`insert into posting
        (org, basis, number, ord, date, account_id, amount, debit, option1, option2, tax_amount)
        values (1, 0, ${number}, ${ord}, '2026-03-01', ${account}, ${moved}, 0, '', '', ${taxed})`.execute(
        tx,
      );
    }
  }
}

/** A book as the first version of the program left it. */
async function firstVersion(database: Database): Promise<void> {
  const dialect = database.dialect();
  const db = new Kysely<Tables>({ dialect });
  await dialect.prepare(db);
  await db.transaction().execute(async (tx) => {
    await dialect.lockSchema(tx);
    await books(tx, dialect);
    await sql`insert into organisation (org, id, name, base_currency, created_date_utc)
      values (1, 'a', 'Heron Lane Ltd', 'NZD', 7)`.execute(tx);
    await posted(tx);
    await dialect.setSchemaVersion(tx, 1);
  });
  await db.destroy();
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("a book of the first version gets its currency, its theme and its user", async () => {
    const database = await world.empty();
    await firstVersion(database);
    const store = await openStore(database.dialect());
    await store.read(1, async (tx) => {
      expect((await list(tx, currency)).records).toEqual([
        { Code: "NZD", Description: "New Zealand Dollar" },
      ]);
      expect((await list(tx, brandingTheme)).records).toMatchObject([
        { Name: "Standard", SortOrder: 0, CreatedDateUTC: 7 },
      ]);
      expect((await list(tx, user)).records).toMatchObject([
        { OrganisationRole: "FINANCIALADVISER", IsSubscriber: true },
      ]);
    });
    // 11.50 on one side, 10.00 and 1.50 on the other, and the tax of the line.
    expect(await store.read(1, (tx) => sequenceOf(tx, turnoverSum("accrual")))).toBe(2450);
    expect(await store.read(1, (tx) => sequenceOf(tx, turnoverSum("cash")))).toBe(0);
    // What a record gained since is kept as well.
    const id = "00000000-0000-7000-8000-000000000001";
    const kept = { ContactID: id, Name: "Ada", ContactStatus: "ACTIVE", UpdatedDateUTC: 1 };
    await store.write(1, (tx) => save(tx, contact, [{ ...kept, BatchPayments: { Code: "x" } }]));
    const { records } = await store.read(1, (tx) => list(tx, contact));
    expect(records[0]?.BatchPayments).toEqual({ Code: "x" });
    await store.close();
  });
});
