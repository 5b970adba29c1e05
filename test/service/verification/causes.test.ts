/** A program of somebody else appends links to the chain that hash as they should. */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { verifyAll } from "../../../src/service/verification/verification.ts";
import { recordKindOf } from "../../../src/store/chain/canonical.ts";
import {
  encodeRecords,
  type LinkedRecord,
  linkAfter,
  linkHashBefore,
} from "../../../src/store/chain/links.ts";
import { headOf, insertLinks, readRecords } from "../../../src/store/chain/stored.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { contact, openedWorld, sale, type World } from "../fixture.ts";

let given: World;
let contactId: string;

beforeAll(async () => {
  given = await openedWorld("NZ", {}, "alone");
  const made = await contact(given);
  contactId = made.ContactID;
  await given.ok("PUT", "/Invoices", sale(made, { Status: "AUTHORISED" }));
  return () => given.book.close();
});

/** The faults once a contact has another name and a link says so; nothing of it is kept. */
function faultsOfLink(
  causeOf: (tx: Tx) => Promise<string | null>,
  options: { readonly isOfBefore?: boolean; readonly holds?: string } = {},
): Promise<readonly string[]> {
  return given.book.store.write(
    given.book.org,
    async (tx) => {
      await sql`update contact set tax_number = ${"666"} where id = ${contactId}`.execute(tx.db);
      const records = new Map<NonNullable<ReturnType<typeof recordKindOf>>, LinkedRecord[]>();
      for (const table of ["contact", ...(options.holds === undefined ? [] : [options.holds])]) {
        const kind = recordKindOf(table);
        if (kind === undefined) throw new Error(`There are no records of ${table}.`);
        const key = table === "contact" ? contactId : await lastKey(tx, table);
        const hash = (await readRecords(tx, kind, [key])).get(key) ?? "";
        records.set(kind, [{ key, hash }]);
      }
      const head = await headOf(tx);
      const cause = await causeOf(tx);
      const link = linkAfter(head, { at: 1, records: encodeRecords(records), cause });
      const hash = options.isOfBefore ? linkHashBefore(head.hash, link) : link.hash;
      await insertLinks(tx, [{ ...link, hash }]);
      return (await verifyAll(tx)).faults.filter((fault) => number.test(fault));
    },
    { dryRun: true },
  );
}

const number = /Link \d+ of the chain/;

async function lastKey(tx: Tx, table: string): Promise<string> {
  const column = table === "operation" ? "id" : "number";
  const { rows } = await sql<{ key: string | number }>`select ${sql.id(column)} as key
    from ${sql.id(table)} where org = ${tx.org} order by number desc limit 1`.execute(tx.db);
  return String(rows[0]?.key);
}

const lastCause = (log: string) => async (tx: Tx) => {
  const { rows } = await sql<{ cause: string }>`select cause from chain_link
    where org = ${tx.org} and cause like ${`${log} %`} order by number desc limit 1`.execute(tx.db);
  return rows[0]?.cause ?? null;
};

const none = (): Promise<string | null> => Promise.resolve(null);

test("a book written only by the program passes verification", async () => {
  const { faults } = await given.book.store.read(given.book.org, (tx) => verifyAll(tx));
  expect(faults).toEqual([]);
});

test.each([
  ["without a cause", none, {}],
  ["in the form of earlier versions", none, { isOfBefore: true }],
] as const)(
  "a link of the hash chain %s is reported by verification",
  async (_, causeOf, options) => {
    expect(await faultsOfLink(causeOf, options)).toEqual([
      expect.stringMatching(/was written for no operation and no act of the audit log\.$/),
    ]);
  },
);

test.each([
  ["operation", "operation"],
  ["audit", "audit_entry"],
])(
  "a link of the hash chain changed to name the %s of another link is reported by verification",
  async (log, holds) => {
    expect(await faultsOfLink(lastCause(log), { holds })).toEqual([
      expect.stringMatching(/says that it was written for .* which it was not\.$/),
    ]);
  },
);

test("an operation in the log without a link in the hash chain is reported by verification", async () => {
  const faults = await given.book.store.write(
    given.book.org,
    async (tx) => {
      await sql`insert into operation (org, id, number, at_utc, "user", app, method, path, effects)
        select org, ${"f".repeat(36)}, number + 1, at_utc, "user", app, method, path, effects
        from operation where org = ${tx.org} order by number desc limit 1`.execute(tx.db);
      return (await verifyAll(tx)).faults;
    },
    { dryRun: true },
  );
  expect(faults).toContainEqual(
    expect.stringMatching(/^Operation \d+ of the log has no link of the chain\.$/),
  );
  expect(faults.filter((fault) => number.test(fault))).toEqual([]);
});
