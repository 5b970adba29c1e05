/** People, roles, apps, keys and consents in the chain of the server: what was changed beside it is named. */
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { registerApp, registryIn, renewSecret } from "../../../src/service/auth/apps.ts";
import {
  addMember,
  changeRole,
  findMember,
  removeMember,
  staffIn,
} from "../../../src/service/auth/people.ts";
import {
  addConsent,
  connect,
  removeConnections,
} from "../../../src/store/directory/connections.ts";
import { recordOnServer } from "../../../src/store/directory/directory.ts";
import { verifyServerLog } from "../../../src/store/maintenance/chain-checks.ts";
import { serverKey } from "../../../src/store/tx/tx.ts";
import { guid } from "../../store/samples.ts";
import { tester } from "../../support/audit.ts";
import { firstOf } from "../../support/properties.ts";
import { giveSecondFactor } from "../auth/factors.ts";
import { keepTestKey } from "../auth/test-key.ts";
import { faultsIn, openedWorld, type World } from "../fixture.ts";

const [till, desk] = [guid(3), guid(4)];

/** A server with two people, two apps, a connection and a consent, all by what administers it. */
async function served(): Promise<World> {
  const given = await openedWorld("NZ", {}, "alone");
  onTestFinished(() => given.book.close());
  const { store, org, tenant } = given.book;
  const clock = () => given.now;
  const staff = staffIn(store, { org, OrganisationID: tenant }, clock, tester);
  for (const name of ["ana", "bo"]) {
    const password = "correct horse battery";
    await addMember(staff, { email: `${name}@heron.example`, name, role: "read-only", password });
  }
  const { id: personId } = await changeRole(staff, "ana@heron.example", "standard");
  await giveSecondFactor({ staff, given }, await findMember(staff, personId));
  const registry = registryIn(store, tenant, clock, tester);
  await keepTestKey(registry.directory);
  await registerApp(registry, { name: "Till" }, till);
  const redirectUris = ["https://desk.example/callback"];
  await registerApp(registry, { name: "Desk", kind: "web", redirectUris }, desk);
  await renewSecret(registry, "Till");
  await registry.directory.write(async (tx) => {
    const audited = await recordOnServer(tx, {
      kind: "connection.made",
      by: tester,
      at: given.now,
    });
    const pairing = { appId: desk, personId };
    await addConsent(audited, { ...pairing, id: guid(5), scopes: ["accounting.reports.read"] }, 0);
    for (const id of [guid(6), guid(7)]) {
      const made = { ...pairing, id, tenant, authEventId: guid(5) };
      await connect(audited, { ...made, createdAt: given.now, updatedAt: given.now });
    }
    await removeConnections(audited, { ...pairing, tenant: guid(8) });
  });
  return given;
}

const faultsOf = async ({ book }: World) =>
  (await book.store.read(serverKey, verifyServerLog)).faults;

test("administration of a server leaves its hash chain valid, even after users and apps are removed", async () => {
  const given = await served();
  expect(await faultsOf(given)).toEqual([]);
  const { store, org, tenant } = given.book;
  const staff = staffIn(store, { org, OrganisationID: tenant }, () => given.now, tester);
  await removeMember(staff, "ana@heron.example");
  expect(await faultsOf(given)).toEqual([]);
});

test.each(
  firstOf<readonly [string, string, RegExp]>(
    [
      [
        "a role",
        "update membership set role = 'adviser'",
        /^Of the server: The membership of the person ana@heron\.example/,
      ],
      [
        "a password",
        "update person set password_hash = 'scrypt$'",
        /^Of the server: Person (ana|bo)@heron\.example/,
      ],
      [
        "an address",
        "update person set email = 'eve@x.example', email_key = 'eve@x.example' where name = 'bo'",
        /^Of the server: Person eve@x\.example \(.*\): changed outside/,
      ],
      [
        "the secret of an app",
        "update app set secret_hash = 'x' where name = 'Till'",
        /^Of the server: App Till \(.*\): changed outside/,
      ],
      [
        "an address to return to",
        "update app set redirect_uris = '[\"https://eve.example\"]' where name = 'Desk'",
        /^Of the server: App Desk \(.*\): changed outside/,
      ],
      [
        "an app",
        `insert into app select '${guid(9)}', 'Eve', 'eve', kind, secret_hash, tenant, redirect_uris, created_at from app where name = 'Till'`,
        /^Of the server: App Eve \(.*\): added outside/,
      ],
      [
        "a key",
        `insert into directory_key values ('k', 'token', '{}', 0)`,
        /^Of the server: Key of the server token \(k\): added outside/,
      ],
      [
        "a second factor",
        "delete from directory_key where \"use\" = 'second-factor'",
        /^Of the server: Key of the server second-factor-.*: removed outside/,
      ],
      [
        "what was allowed",
        "update consent set scopes = 'accounting.settings'",
        /^Of the server: Consent to an app .*: changed outside/,
      ],
      [
        "a connection",
        "delete from connection",
        /^Of the server: Connection of an app .*: removed outside/,
      ],
    ],
    3,
  ),
)(
  "%s changed in the server's directory by SQL is reported by verification with its record",
  async (_, statement, sentence) => {
    const given = await served();
    await given.book.store.write(serverKey, (tx) => sql.raw(statement).execute(tx.db));
    expect(await faultsOf(given)).toEqual(
      expect.arrayContaining([expect.stringMatching(sentence)]),
    );
  },
);

test("directory rows of an organisation that are missing from its book file are reported with their table", async () => {
  const given = await served();
  const { store, org } = given.book;
  if (!(await store.read(org, async (tx) => tx.dialect.oneWriter))) return;
  await store.write(org, (tx) =>
    sql
      .raw(`insert into currency select 9, id, description from currency where org = ${org}`)
      .execute(tx.db),
  );
  expect(await faultsIn(given)).toEqual([
    "currency has 1 row of an organisation 9, which the book does not hold.",
  ]);
});
