import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type App,
  addApp,
  apps,
  appWithId,
  appWithName,
  changeSecret,
  removeApp,
  secretHashOf,
} from "../../../src/store/directory/apps.ts";
import {
  artefactWith,
  consumeArtefact,
  forgetArtefacts,
  keepArtefact,
  removeArtefact,
} from "../../../src/store/directory/artefacts.ts";
import {
  addConsent,
  connect,
  connectionsOf,
  consentsOf,
  disconnect,
  forgetConsents,
  hasConsent,
  removeConsent,
  revoke,
} from "../../../src/store/directory/connections.ts";
import {
  type AuditedDirectoryTx,
  type Directory,
  directoryIn,
} from "../../../src/store/directory/directory.ts";
import { addKey, keysFor } from "../../../src/store/directory/keys.ts";
import {
  addAttempt,
  attemptsOf,
  forgetAttempts,
  forgetOldAttempts,
} from "../../../src/store/directory/password-attempts.ts";
import {
  addPerson,
  changePerson,
  membershipsOf,
  membersOf,
  personWithEmail,
  personWithId,
  removeMembership,
  removePerson,
  setMembership,
} from "../../../src/store/directory/people.ts";
import { directoryTables } from "../../../src/store/schema/definitions/directory-tables.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { acted } from "../../support/audit.ts";
import { tablesIn } from "../books.ts";
import { guid } from "../samples.ts";
import { worlds } from "../worlds.ts";

const web: App = {
  id: guid(1),
  name: "Till",
  kind: "web",
  withoutPkce: false,
  tenant: undefined,
  redirectUris: ["https://till.example/back"],
  createdAt: 5,
};
const ana = { id: guid(0xa), email: "Ana@Heron.example", name: "Ana Reid" };
const pairing = { appId: web.id, personId: ana.id };
const connection = {
  ...pairing,
  id: guid(0xc),
  tenant: guid(7),
  authEventId: guid(0xe),
  createdAt: 10,
  updatedAt: 10,
};
const consent = { ...pairing, id: guid(0xe), scopes: ["accounting.settings", "paymentservices"] };
const refresh = {
  kind: "RefreshToken",
  idHash: "h1",
  grantId: consent.id,
  uidHash: undefined,
  payload: '{"a":1}',
  expiresAt: 1000,
};

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  let directory: Directory;
  beforeAll(async () => {
    store = await openStore((await world.empty()).dialect());
    directory = directoryIn(store);
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  /** Does some work on an empty directory, of which nothing is kept. */
  async function on(work: (tx: AuditedDirectoryTx) => Promise<void>): Promise<void> {
    const done = new Error("done");
    const run = directory.write(async (tx) => {
      await work(acted(tx));
      throw done;
    });
    await expect(run).rejects.toBe(done);
  }

  test("the tables of users and apps have no column for an organisation's database key", async () => {
    const theirs = Object.keys(directoryTables);
    const actual = await store.read(1, ({ db }) => tablesIn(db));
    for (const { name, columns } of actual) {
      const hasOrg = columns.some((column) => column.name === "org");
      if (theirs.includes(name)) expect(hasOrg, name).toBe(false);
    }
    expect(actual.filter(({ name }) => theirs.includes(name))).toHaveLength(theirs.length);
  });

  test("an app is found by its id, and by its name in any letter case", () =>
    on(async (tx) => {
      expect(await addApp(tx, web, "hash")).toBe(true);
      const machine: App = {
        ...web,
        id: guid(2),
        name: "Robot",
        kind: "machine",
        tenant: guid(7),
        redirectUris: [],
        createdAt: 4,
      };
      expect(await addApp(tx, machine, undefined)).toBe(true);
      expect(await apps(tx)).toEqual([machine, web]);
      expect(await appWithId(tx, web.id)).toEqual(web);
      expect(await appWithName(tx, " TÍLL ")).toEqual(web);
      expect(await secretHashOf(tx, web.id)).toBe("hash");
      expect(await secretHashOf(tx, machine.id)).toBeUndefined();
      await changeSecret(tx, web.id, "other");
      expect(await secretHashOf(tx, web.id)).toBe("other");
    }));

  test("adding an app with a name or an id in use is refused", () =>
    on(async (tx) => {
      await addApp(tx, web, "hash");
      expect(await addApp(tx, { ...web, id: guid(2), name: "till" }, "x")).toBe(false);
      expect(await addApp(tx, { ...web, name: "Other" }, "x")).toBe(false);
      expect(await apps(tx)).toEqual([web]);
      expect(await secretHashOf(tx, web.id)).toBe("hash");
    }));

  test("an email address identifies one user, in any letter case", () =>
    on(async (tx) => {
      expect(await addPerson(tx, ana, "p1", 1)).toBe(true);
      expect(await addPerson(tx, { ...ana, id: guid(9) }, "p2", 1)).toBe(false);
      expect(await personWithEmail(tx, " ANA@heron.EXAMPLE")).toEqual({
        ...ana,
        password_hash: "p1",
      });
      await changePerson(tx, ana.id, { name: "Ana R." }, 2);
      expect(await personWithId(tx, ana.id)).toEqual({ ...ana, name: "Ana R." });
      await changePerson(tx, ana.id, { passwordHash: "p3" }, 2);
      expect(await personWithEmail(tx, ana.email)).toMatchObject({ password_hash: "p3" });
      expect(await personWithId(tx, guid(9))).toBeUndefined();
    }));

  test("a user's role is set and changed for one organisation", () =>
    on(async (tx) => {
      await addPerson(tx, ana, undefined, 1);
      await setMembership(tx, { personId: ana.id, tenant: guid(7), role: "standard" }, 1);
      await setMembership(tx, { personId: ana.id, tenant: guid(8), role: "adviser" }, 1);
      await setMembership(tx, { personId: ana.id, tenant: guid(7), role: "read-only" }, 2);
      expect(await membershipsOf(tx, ana.id)).toEqual([
        { personId: ana.id, tenant: guid(7), role: "read-only" },
        { personId: ana.id, tenant: guid(8), role: "adviser" },
      ]);
      expect(await membersOf(tx, guid(7))).toEqual([{ ...ana, role: "read-only" }]);
      await connect(tx, connection);
      await removeMembership(tx, ana.id, guid(7));
      expect(await membersOf(tx, guid(7))).toEqual([]);
      expect(await connectionsOf(tx, pairing)).toEqual([]);
      expect(await membershipsOf(tx, ana.id)).toHaveLength(1);
    }));

  test("a renewed app connection keeps its id and belongs to the later consent", () =>
    on(async (tx) => {
      await connect(tx, connection);
      await connect(tx, { ...connection, id: guid(0xd), tenant: guid(8), createdAt: 11 });
      const again = { ...connection, id: guid(0xf), authEventId: guid(0xee), updatedAt: 20 };
      await connect(tx, { ...again, createdAt: 20 });
      expect(await connectionsOf(tx, pairing)).toEqual([
        { ...again, id: connection.id },
        { ...connection, id: guid(0xd), tenant: guid(8), createdAt: 11 },
      ]);
      const stranger = { ...pairing, personId: guid(9) };
      expect(await connectionsOf(tx, stranger)).toEqual([]);
      expect(await disconnect(tx, stranger, connection.id)).toBe(false);
      expect(await disconnect(tx, pairing, connection.id)).toBe(true);
      expect(await disconnect(tx, pairing, connection.id)).toBe(false);
    }));

  test("revoking a consent removes its tokens and keeps the app connections", () =>
    on(async (tx) => {
      await addConsent(tx, consent, 1);
      await addConsent(tx, { ...consent, id: guid(0xef), scopes: [] }, 1);
      await connect(tx, connection);
      await keepArtefact(tx, refresh);
      await keepArtefact(tx, { ...refresh, idHash: "h2", grantId: guid(0xef) });
      expect(await hasConsent(tx, pairing, consent.id)).toBe(true);
      expect(await hasConsent(tx, { ...pairing, appId: guid(9) }, consent.id)).toBe(false);
      await removeConsent(tx, consent.id);
      expect(await hasConsent(tx, pairing, consent.id)).toBe(false);
      expect(await consentsOf(tx, pairing)).toEqual([{ ...consent, id: guid(0xef), scopes: [] }]);
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h1")).toBeUndefined();
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h2")).toBeDefined();
      expect(await connectionsOf(tx, pairing)).toHaveLength(1);
    }));

  test("a new password ends the user's sessions and consents, not the connections; a new name ends nothing", () =>
    on(async (tx) => {
      await addPerson(tx, ana, "p1", 1);
      const session = (accountId: string) => JSON.stringify({ accountId, uid: "u" });
      const mine = { ...refresh, kind: "Session", grantId: undefined };
      await keepArtefact(tx, { ...mine, idHash: "s1", payload: session(ana.id) });
      await keepArtefact(tx, { ...mine, idHash: "s2", payload: session(guid(0x52)) });
      const interaction = JSON.stringify({ session: { accountId: ana.id } });
      await keepArtefact(tx, { ...mine, kind: "Interaction", payload: interaction });
      await addConsent(tx, consent, 1);
      await connect(tx, connection);
      await keepArtefact(tx, refresh);
      const left = async () =>
        Promise.all([
          artefactWith(tx, "Session", "id_hash", "s1"),
          artefactWith(tx, "Interaction", "id_hash", "h1"),
          artefactWith(tx, "RefreshToken", "id_hash", "h1"),
          consentsOf(tx, pairing).then(([found]) => found),
        ]).then((all) => all.filter((each) => each !== undefined).length);
      await changePerson(tx, ana.id, { name: "Ana R." }, 2);
      expect(await left()).toBe(4);
      await changePerson(tx, ana.id, { passwordHash: "p2" }, 3);
      expect(await left()).toBe(0);
      expect(await artefactWith(tx, "Session", "id_hash", "s2")).toBeDefined();
      expect(await connectionsOf(tx, pairing)).toHaveLength(1);
    }));

  test.each([
    ["revoking a consent", (tx: AuditedDirectoryTx) => revoke(tx, pairing)],
    ["removing the app", (tx: AuditedDirectoryTx) => removeApp(tx, web.id)],
    ["removing the user", (tx: AuditedDirectoryTx) => removePerson(tx, ana.id)],
  ])("%s deletes only its own consents, connections and tokens", (_, remove) =>
    on(async (tx) => {
      await addApp(tx, web, "hash");
      await addPerson(tx, ana, undefined, 1);
      const others = { appId: guid(0x51), personId: guid(0x52) };
      for (const [at, of] of [pairing, others].entries()) {
        const id = guid(0x60 + at);
        await addConsent(tx, { ...consent, ...of, id }, 1);
        await connect(tx, { ...connection, ...of, id: guid(0x65 + at) });
        await keepArtefact(tx, { ...refresh, idHash: `h${at}`, grantId: id });
      }
      await remove(tx);
      expect(await consentsOf(tx, pairing)).toEqual([]);
      expect(await connectionsOf(tx, pairing)).toEqual([]);
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h0")).toBeUndefined();
      expect(await consentsOf(tx, others)).toHaveLength(1);
      expect(await connectionsOf(tx, others)).toHaveLength(1);
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h1")).toBeDefined();
    }),
  );

  test("an OAuth token or code can be used up only once", () =>
    on(async (tx) => {
      await keepArtefact(tx, refresh);
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h1")).toEqual({
        ...refresh,
        consumedAt: undefined,
      });
      expect(await artefactWith(tx, "Session", "id_hash", "h1")).toBeUndefined();
      expect(await consumeArtefact(tx, "RefreshToken", "h1", 7)).toBe(true);
      expect(await consumeArtefact(tx, "RefreshToken", "h1", 8)).toBe(false);
      await keepArtefact(tx, { ...refresh, payload: "{}" });
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h1")).toEqual({
        ...refresh,
        payload: "{}",
        consumedAt: 7,
      });
      await removeArtefact(tx, "RefreshToken", "h1");
      expect(await artefactWith(tx, "RefreshToken", "id_hash", "h1")).toBeUndefined();
    }));

  test("OAuth sessions are found by their uid, and removed after they expire", () =>
    on(async (tx) => {
      const session = { ...refresh, kind: "Session", uidHash: "u1", grantId: undefined };
      await keepArtefact(tx, session);
      await keepArtefact(tx, { ...session, idHash: "h2", uidHash: "u2", expiresAt: undefined });
      expect(await artefactWith(tx, "Session", "uid_hash", "u1")).toMatchObject({ idHash: "h1" });
      await forgetArtefacts(tx, 1001);
      expect(await artefactWith(tx, "Session", "uid_hash", "u1")).toBeUndefined();
      expect(await artefactWith(tx, "Session", "uid_hash", "u2")).toBeDefined();
    }));

  test("a consent without a refresh token is removed after a while, together with its grant", () =>
    on(async (tx) => {
      const grant = { ...refresh, kind: "Grant", expiresAt: undefined };
      for (const [at, more] of [
        [1, []],
        [2, [refresh]],
        [3, []],
      ] as const) {
        const id = guid(0x90 + at);
        await addConsent(tx, { ...consent, id }, at === 3 ? 500 : 5);
        for (const each of [grant, ...more]) {
          await keepArtefact(tx, { ...each, idHash: `${each.kind}${at}`, grantId: id });
        }
      }
      await forgetConsents(tx, 100);
      expect((await consentsOf(tx, pairing)).map(({ id }) => id).sort()).toEqual([
        guid(0x92),
        guid(0x93),
      ]);
      expect(await artefactWith(tx, "Grant", "id_hash", "Grant1")).toBeUndefined();
      expect(await artefactWith(tx, "Grant", "id_hash", "Grant3")).toBeDefined();
    }));

  test("wrong passwords are counted until the count is reset", () =>
    on(async (tx) => {
      for (const now of [10, 20]) await addAttempt(tx, "s", { now, since: 0 });
      expect(await attemptsOf(tx, "s")).toEqual({ failures: 2, lastAt: 20 });
      await addAttempt(tx, "s", { now: 100, since: 50 });
      expect(await attemptsOf(tx, "s")).toEqual({ failures: 1, lastAt: 100 });
      await addAttempt(tx, "t", { now: 200, since: 0 });
      await forgetOldAttempts(tx, 150, 1);
      expect((await attemptsOf(tx, "s")).failures).toBe(1);
      await forgetOldAttempts(tx, 150, 2);
      expect(await attemptsOf(tx, "s")).toEqual({ failures: 0, lastAt: 0 });
      await forgetAttempts(tx, "t");
      expect(await attemptsOf(tx, "t")).toEqual({ failures: 0, lastAt: 0 });
    }));

  test("wrong passwords sent simultaneously are all counted", async () => {
    const counted = await Promise.all(
      Array.from({ length: 20 }, () =>
        directory.write(async (tx) => {
          const { failures } = await attemptsOf(tx, "many");
          await addAttempt(tx, "many", { now: 1, since: 0 });
          return failures;
        }),
      ),
    );
    expect(counted.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  test("of many simultaneous uses of an authorisation code, only one succeeds", async () => {
    await directory.write((tx) => keepArtefact(tx, { ...refresh, kind: "AuthorizationCode" }));
    const firsts = await Promise.all(
      Array.from({ length: 20 }, () =>
        directory.write((tx) => consumeArtefact(tx, "AuthorizationCode", refresh.idHash, 7)),
      ),
    );
    expect(firsts.filter(Boolean)).toHaveLength(1);
  });

  test("signing keys are listed by their use, newest first", () =>
    on(async (tx) => {
      await addKey(tx, "token", { id: "a", material: "1" }, 1);
      await addKey(tx, "token", { id: "b", material: "2" }, 2);
      await addKey(tx, "cookie", { id: "c", material: "3" }, 3);
      expect(await keysFor(tx, "token")).toEqual([
        { id: "b", material: "2", createdAt: 2 },
        { id: "a", material: "1", createdAt: 1 },
      ]);
    }));
});
