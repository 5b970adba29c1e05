/** The audit log as it is asked for: filters, pages, who may see it, and that nothing takes it back. */
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AuditEntry } from "../../../src/resources/audit-entry.ts";
import { verifyServerLog } from "../../../src/store/maintenance/chain-checks.ts";
import { append, recordAct } from "../../../src/store/operations/audit-log.ts";
import { deleteRows, updateRows } from "../../../src/store/operations/bulk.ts";
import { serverKey, type Tx } from "../../../src/store/tx/tx.ts";
import { tester } from "../../support/audit.ts";
import { faultsIn, openedWorld, type World, world } from "../fixture.ts";

const path = "/Extensions/AuditEntries";
const start = Date.UTC(2026, 2, 1);
const hour = 3_600_000;

const by = (name: string) => ({ ...tester, user: name, email: `${name}@heron.example` });

/** Changes of settings, an hour apart, by Ana and Bo in turn; and sign-ins of Ana in between. */
async function administered(count: number, given?: World): Promise<World> {
  given ??= await world();
  const { store, org, tenant } = given.book;
  for (let at = 0; at < count; at += 1) {
    const act = {
      by: by(at % 2 === 0 ? "ana" : "bo"),
      at: start + at * hour,
      subject: `Act ${at}`,
    };
    await store.write(org, (tx) => recordAct(tx, { ...act, kind: "organisation.changed" }));
    await store.write(serverKey, (tx) =>
      append(tx, { ...act, by: by("ana"), kind: "sign-in.succeeded", tenants: [tenant] }),
    );
  }
  return given;
}

async function listed(given: World, query: Record<string, string> = {}) {
  const { AuditEntries, pagination } = await given.ok("GET", path, undefined, { query });
  const entries = AuditEntries as AuditEntry[];
  return { entries, kinds: entries.map(({ Kind }) => Kind), pagination };
}

const settings = { kind: "organisation,sign-in", since: "2026-03-01", until: "2026-03-02" };

test("the audit logs of the book and the server are listed together, newest first, in pages", async () => {
  const given = await administered(5);
  const { entries, pagination } = await listed(given, { ...settings, pageSize: "4" });
  expect(pagination).toMatchObject({ page: 1, pageCount: 3, itemCount: 10 });
  const last = await listed(given, { ...settings, pageSize: "4", page: "3" });
  const all = (await listed(given, settings)).entries;
  expect([...entries.slice(0, 4), ...last.entries]).toEqual([...all.slice(0, 4), ...all.slice(8)]);
  const moments = all.map(({ DateUTC }) => Number(/\d+/.exec(String(DateUTC))?.[0]));
  expect(moments).toEqual(moments.toSorted((a, b) => b - a));
});

test("the audit log list is filtered by person, kind and time range", async () => {
  const given = await administered(4);
  expect((await listed(given, { ...settings, person: "BO@heron" })).entries).toHaveLength(2);
  expect((await listed(given, { ...settings, kind: "sign-in" })).kinds).toEqual(
    Array(4).fill("sign-in.succeeded"),
  );
  const since = new Date(start + 3 * hour).toISOString();
  expect((await listed(given, { ...settings, since })).entries).toHaveLength(2);
  expect((await listed(given, { ...settings, until: since })).entries).toHaveLength(6);
});

test.each([
  [{ kind: "sign" }, "There are no acts of the kind 'sign'."],
  [{ since: "March" }, "The parameter since must be a moment such as 2026-03-31T09:00:00Z"],
])("an invalid query of the audit log is refused: %j", async (query, sentence) => {
  const given = await world();
  const [said] = await given.refused("GET", path, undefined, { query });
  expect(said).toContain(sentence);
});

test.each(["X1", "O0", "S999", "O-", "%20"])(
  "the audit log answers not found for the entry id %s",
  async (id) => {
    const given = await world();
    expect((await given.ask("GET", `${path}/${id}`)).status).toBe(404);
  },
);

test.each(["PUT", "POST", "DELETE"])(
  "an audit entry cannot be changed by the method %s",
  async (method) => {
    const given = await world();
    for (const each of [path, `${path}/O1`]) {
      expect((await given.ask(method, each, method === "DELETE" ? undefined : {})).status).not.toBe(
        200,
      );
    }
  },
);

test("the update and delete functions for tables do not accept the append-only audit log", () => {
  const tx = {} as Tx;
  const attempts = () => [
    // @ts-expect-error entries of the audit log are only added
    updateRows(tx, "audit_entry", { kind: "x" }, sql`1 = 1`),
    // @ts-expect-error entries of the audit log are only added
    deleteRows(tx, "audit_entry", sql`1 = 1`),
  ];
  expect(attempts).toBeTypeOf("function");
});

test("an act that is rolled back leaves no audit log entry", async () => {
  const given = await world();
  const { store, org } = given.book;
  const before = (await listed(given)).entries.length;
  const failed = store.write(org, async (tx) => {
    await recordAct(tx, { kind: "webhook.removed", by: tester, at: start });
    throw new Error("and then it failed");
  });
  await expect(failed).rejects.toThrow("and then it failed");
  expect((await listed(given)).entries).toHaveLength(before);
});

test.each([
  ["changed", "update audit_entry set user_name = 'nobody' where number = 2"],
  ["removed", "delete from audit_entry where number = 2"],
])("an audit entry that was %s by SQL is detected by verification", async (_, statement) => {
  const given = await administered(3, await openedWorld("NZ", {}, "alone"));
  onTestFinished(() => given.book.close());
  const { store, org } = given.book;
  expect(await faultsIn(given)).toEqual([]);
  for (const key of [org, serverKey]) {
    await store.write(key, (tx) => sql.raw(`${statement} and org = ${key}`).execute(tx.db));
  }
  expect(await faultsIn(given)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Entry of the audit log 2/)]),
  );
  expect((await store.read(serverKey, verifyServerLog)).faults).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Of the server: Entry of the audit log 2/)]),
  );
});

describe("requests marked as an export", () => {
  const asExport = (what: string) => ({ headers: { "x-export": what } });

  test("a request marked as an export is entered in the audit log once, before its answer", async () => {
    const given = await world();
    await given.ok("GET", "/Organisation", undefined, asExport("invoices%20as%20csv"));
    const { entries } = await listed(given, { kind: "book.exported" });
    expect(entries).toMatchObject([{ Act: "exported invoices as csv", User: "Tess Tester" }]);
  });

  test.each([
    ["that is no text is refused", "GET", "%E0%A4%A", 400],
    ["of what may not be seen is not entered", "GET", "x", 404],
  ])("the mark of an export %s", async (name, method, what, status) => {
    const given = await world();
    const address = status === 404 ? "/Nothing" : "/Organisation";
    expect([name, (await given.ask(method, address, undefined, asExport(what))).status]).toEqual([
      name,
      status,
    ]);
    expect((await listed(given, { kind: "book.exported" })).entries).toEqual([]);
  });
});
