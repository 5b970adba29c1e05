/** Signing in to `acct serve` itself, and staying so: many processes, lost answers, kills. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  type Office,
  openOffice,
  organisation,
  person,
  signInAt,
  TokenProxy,
  tryToSignIn,
} from "../office.ts";
import { Machine } from "../signed-in.ts";

let office: Office;
let machine: Machine;
let proxy: TokenProxy;

beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  machine = new Machine();
  proxy = new TokenProxy(office);
  await signInAt(office, machine);
  await proxy.before(machine);
});
afterEach(async () => {
  await proxy.close();
  machine.clear();
});

const list = ["invoice", "list", "--columns", "InvoiceNumber,Total", "-o", "csv"];
const listed = { code: 0, stdout: "InvoiceNumber,Total\nINV-0001,138.00\n", stderr: "" };
const many = (count: number) => Promise.all(Array.from({ length: count }, () => machine.run(list)));

test("a user signs in to acct serve, lists invoices, changes one, and signs out", async () => {
  expect(await machine.run(list)).toEqual(listed);
  const status = await machine.run(["auth", "status", "-o", "json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({
    profile: "heron-street-framing",
    organisation,
    person: person.email,
    scopes: expect.arrayContaining(["accounting.transactions", "offline_access"]),
  });
  const noted = await machine.run(["invoice", "note", "INV-0001", "by the proxy"]);
  expect(noted).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Changed ${organisation}, through profile heron-street`),
  });
  const token = machine.signIn().secrets.refreshToken ?? "";
  expect(await machine.run(["auth", "logout"])).toMatchObject({
    code: 0,
    stderr: "Signed out of the profile heron-street-framing.\n",
  });
  const refused = await fetch(`${office.origin}/connect/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: token,
      client_id: office.clientId,
    }),
  });
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
});

test("signing out on one machine does not end the sign-in on another machine", async () => {
  const other = new Machine();
  onTestFinished(() => other.clear());
  await signInAt(office, other);
  const { accessToken } = other.signIn().secrets;
  expect(await other.run(["auth", "logout"])).toMatchObject({ code: 0 });
  const headers = { authorization: `Bearer ${accessToken}` };
  const asked = () => fetch(`${office.baseUrl}/Organisation`, { headers });
  // An answer is believed for two seconds.
  while ((await asked()).status !== 401);
  expect(await machine.run(list)).toEqual(listed);
  expect(await machine.run(["auth", "refresh"])).toMatchObject({ code: 0 });
  expect(await machine.run(list)).toEqual(listed);
});

test("a failed sign-in leaves no tokens, and does not end sign-ins on other machines", async () => {
  const other = new Machine();
  onTestFinished(() => other.clear());
  const ran = await tryToSignIn(office, other, "--organisation", "Nowhere", "--verbose");
  expect([ran.code, ran.stderr]).toEqual([
    3,
    expect.stringMatching(/POST \/connect\/revocation.*There is no organisation Nowhere/s),
  ]);
  expect(await machine.run(list)).toEqual(listed);
  expect(await machine.run(["auth", "refresh"])).toMatchObject({ code: 0 });
});

test("fifty processes refresh an expired access token of acct serve exactly once", async () => {
  machine.expire();
  const before = machine.signIn().secrets;
  expect(await many(50)).toEqual(Array.from({ length: 50 }, () => listed));
  expect([proxy.asked, proxy.statuses]).toEqual([[before.refreshToken], [200]]);
  expect(machine.signIn().secrets.refreshToken).not.toBe(before.refreshToken);
});

test("a token refresh whose answer was lost is repeated with the old token, which acct serve still accepts", async () => {
  machine.expire();
  const { refreshToken } = machine.signIn().secrets;
  proxy.tricks.push("cut", "500");
  expect(await machine.run(list)).toEqual(listed);
  expect([proxy.asked, proxy.statuses]).toEqual([
    [refreshToken, refreshToken, refreshToken],
    [200, 200, 200],
  ]);
  machine.expire();
  expect(await machine.run(list)).toEqual(listed);
  expect(proxy.statuses).toEqual([200, 200, 200, 200]);
});

test("a process killed between the answer of a token refresh and its storage leaves the sign-in valid", async () => {
  machine.expire();
  const { refreshToken } = machine.signIn().secrets;
  const victim = machine.start(list);
  proxy.tricks.push(async () => {
    victim.child.kill("SIGKILL");
    await victim.done;
  });
  expect(await victim.done).toMatchObject({ code: "SIGKILL" });
  expect(machine.signIn().secrets.refreshToken).toBe(refreshToken);
  expect(await many(6)).toEqual(Array.from({ length: 6 }, () => listed));
  expect([proxy.asked, proxy.statuses]).toEqual([
    [refreshToken, refreshToken],
    [200, 200],
  ]);
});

test("an outage of the service keeps the sign-in", async () => {
  machine.expire();
  const there = machine.signIn();
  machine.change((signIn) => ({ ...signIn, tokenEndpoint: "http://127.0.0.1:9/connect/token" }));
  expect(await machine.run(list)).toMatchObject({
    code: 6,
    stderr: "acct: Cannot reach http://127.0.0.1:9: nothing listens there.\n",
  });
  machine.change(() => ({ ...there, expiresAt: 0 }));
  expect(await machine.run(list)).toEqual(listed);
});

test("a command whose refresh token was revoked is refused as signed out, and the next one too", async () => {
  const { secrets } = machine.signIn();
  await fetch(`${office.origin}/connect/revocation`, {
    method: "POST",
    body: new URLSearchParams({ token: secrets.refreshToken ?? "", client_id: office.clientId }),
  });
  machine.expire();
  const ended = {
    code: 4,
    stdout: "",
    stderr: "acct: Signed out: run acct auth login --profile heron-street-framing.\n",
  };
  expect(await machine.run(list)).toEqual(ended);
  expect(await machine.run(list)).toEqual(ended);
  expect(proxy.statuses).toEqual([400]);
});

test("an app signs in with its own secret, and gets new tokens when they expire", async () => {
  const { ClientID, ClientSecret } = JSON.parse(
    await office.ok(["app", "add", "Nightly", "--kind", "machine", "-o", "json"]),
  );
  const words = ["auth", "login", "--client-credentials", "--client-secret-stdin"];
  const own = new Machine();
  const where = ["--base-url", office.baseUrl, "--client-id", ClientID];
  const { child, done } = own.start([...words, ...where]);
  child.stdin?.end(ClientSecret);
  expect(await done).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Signed in to ${organisation} as the app.`),
  });
  const { accessToken } = own.signIn().secrets;
  own.expire();
  expect(await own.run(list)).toEqual(listed);
  expect(own.signIn().secrets.accessToken).not.toBe(accessToken);
  own.clear();
});
