/** The built program: a book on a port, and the command line against it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bin, builtDesk } from "../built.ts";

const { home, env, ok, acct, serving: servingAt } = builtDesk();
const book = join(home, "served.acct");
const serving = (...flags: string[]) => servingAt("--book", book, ...flags);

beforeAll(() => {
  ok(["init", "--name", "Served Ltd", "--country", "NZ", "--book", book]);
  ok(["app", "add", "Till", "--book", book]);
  ok(["contact", "create", "--name", "Ariki", "--book", book]);
  ok(["item", "create", "--code", "MUG", "--name", "Mug", "--book", book]);
});

const token = () => ok(["app", "token", "Till", "--book", book]).trim();

test("acct serve prints its base URL on stderr, and commands against it print the same as on the book", async () => {
  const { baseUrl, said, process: child, ended } = await serving();
  expect(said()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\.xro\/2\.0\n$/);
  const remote = { ACCT_TOKEN: token(), ACCT_BASE_URL: baseUrl };
  const both = (...words: string[]) => [ok([...words, "--book", book]), ok(words, remote)];
  for (const words of [
    ["contact", "list"],
    ["item", "show", "MUG", "-o", "json"],
    ["account", "list", "-o", "csv"],
    ["tax-rate", "list", "-o", "id"],
    ["organisation", "show"],
    ["report", "trial-balance", "--date", "2026-03-31"],
  ]) {
    const [embedded, served] = both(...words);
    expect(served, words.join(" ")).toBe(embedded);
  }
  ok(["item", "update", "MUG", "--name", "Stoneware mug"], remote);
  const [embedded, served] = both("item", "history", "MUG", "--columns", "User,Changes");
  expect(served).toBe(embedded);
  expect(served).toContain("ann");
  expect(ok(["item", "show", "MUG", "--columns", "Name", "--book", book])).toContain("Stoneware");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(said()).toBe(`${baseUrl}\n`);
});

test("a command with a wrong token is refused with exit code 4", async () => {
  const { baseUrl } = await serving();
  const { status, stderr } = acct(["item", "list", "--base-url", baseUrl], { ACCT_TOKEN: "x" });
  expect([status, stderr]).toEqual([4, "acct: The service does not accept the sign-in.\n"]);
});

test("SIGTERM lets serve finish the request under way", async () => {
  const { baseUrl, process: child, ended } = await serving();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('{"Code":'));
      await begun;
      controller.enqueue(Buffer.from('"LATE"}'));
      controller.close();
    },
  });
  const answering = fetch(`${baseUrl}/Items`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token()}`, "content-type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  // Another request on a connection of its own: when it is answered, the first has arrived.
  await fetch(`${baseUrl}/Items`);
  child.kill("SIGTERM");
  await refusing(baseUrl);
  begin();
  const answer = await answering;
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("LATE")]);
  expect(await ended).toBe(0);
  expect(ok(["item", "show", "LATE", "--book", book])).toContain("LATE");
});

/** Returns when the port takes no more connections. */
async function refusing(baseUrl: string): Promise<void> {
  for (;;) {
    const taken = await fetch(baseUrl, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    );
    if (!taken) return;
  }
}

test("serve generates due repeating invoices, and finishes them before it ends", async () => {
  const head = ["--contact", "Ariki", "--reference", "Rent", "--status", "AUTHORISED"];
  const when = ["--every", "1", "--unit", "WEEKLY", "--start-date", "yesterday"];
  const due = ["--due-date", "7", "--due-date-type", "DAYSAFTERBILLDATE"];
  const line = ["--line", "description=Rent,unit-amount=400,account=200"];
  const words = ["repeating-invoice", "create", ...head, ...when, ...due, ...line];
  ok([...words, "--book", book]);
  const { process: child, ended } = await serving();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const list = ["invoice", "list", "--where", 'Reference=="Rent"', "-o", "csv", "--book", book];
  expect(ok([...list, "--columns", "Status,Total"])).toBe("Status,Total\nAUTHORISED,460.00\n");
  const [made] = JSON.parse(ok([...list.slice(0, 4), "-o", "json", "--book", book]));
  const history = ["invoice", "history", made.InvoiceID, "-o", "csv", "--book", book];
  expect(ok([...history, "--columns", "User,Changes"])).toContain("System Generated,Approved");
});

test("Ctrl-C ends acct serve with exit code 130, and a second Ctrl-C ends it at once", async () => {
  const first = await serving();
  first.process.kill("SIGINT");
  expect(await first.ended).toBe(130);
  const second = await serving();
  const held = fetch(`${second.baseUrl}/Items`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token()}` },
    body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) }),
    duplex: "half",
  } as RequestInit).catch(() => undefined);
  await fetch(`${second.baseUrl}/Items`);
  second.process.kill("SIGTERM");
  await refusing(second.baseUrl);
  second.process.kill("SIGTERM");
  expect(await second.ended).toBe(143);
  await held;
});

test("a second acct serve of the same book is refused until the first has ended, also when killed", async () => {
  const first = await serving();
  const second = acct(["serve", "--port", "0", "--book", book]);
  const message = `acct: Another acct serve works on ${book}; end that one first.\n`;
  expect([second.status, second.stderr]).toEqual([5, message]);
  expect(ok(["contact", "list", "--book", book])).toContain("Ariki");
  first.process.kill("SIGKILL");
  await first.ended;
  const third = await serving();
  third.process.kill("SIGTERM");
  expect(await third.ended).toBe(0);
});

test("acct serve on a port in use is refused with exit code 6", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { status, stderr } = acct(["serve", "--book", book, "--port", String(port)]);
  expect([status, stderr]).toEqual([
    6,
    `acct: Port ${port} of 127.0.0.1 cannot be opened: another program has it; choose another with --port.\n`,
  ]);
});

test("apps of a served book are added, listed, get tokens and are removed", () => {
  const there = ["--book", book];
  const added = JSON.parse(ok(["app", "add", "Shop", "-o", "json", ...there]));
  expect(added).toMatchObject({ Name: "Shop", ClientSecret: expect.stringMatching(/^[\w-]{43}$/) });
  expect(acct(["app", "add", "SHOP", ...there])).toMatchObject({
    status: 5,
    stderr: "acct: There is an app SHOP already.\n",
  });
  expect(ok(["app", "list", "--columns", "Name", "-o", "csv", ...there])).toBe(
    "Name\nTill\nShop\n",
  );
  const { expires_in, ...given } = JSON.parse(ok(["app", "token", "shop", "-o", "json", ...there]));
  expect(given).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: "Bearer",
  });
  // Counted from the full second in which it was made.
  expect([1799, 1800]).toContain(expires_in);
  ok(["app", "remove", "Shop", "--dry-run", ...there]);
  ok(["app", "remove", added.ClientID, "--yes", ...there]);
  expect(acct(["app", "token", "Shop", ...there])).toMatchObject({
    status: 3,
    stderr: "acct: There is no app Shop.\n",
  });
  expect(ok(["app", "list", "-o", "csv", "--columns", "Name", ...there])).toBe("Name\nTill\n");
});

test("acct serve --log json prints JSON from the first line, which has the base URL", async () => {
  const {
    baseUrl,
    said,
    until,
    process: child,
    ended,
  } = await serving(...["--log", "json", "--metrics-port", "0"]);
  const [ready = ""] = said().split("\n");
  const { time, metrics, ...others } = JSON.parse(ready);
  expect(others).toEqual({ level: "info", ready: baseUrl });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  ok(["item", "list"], { ACCT_TOKEN: token(), ACCT_BASE_URL: baseUrl });
  await until(/"route"/);
  const figures = await (await fetch(metrics)).text();
  expect(figures).toContain('acct_http_requests_total{method="GET",route="/Items",status="200"} 1');
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  for (const line of said().trim().split("\n")) expect(JSON.parse(line).level).toBe("info");
});

test("a log pipe that nobody reads stops neither acct serve nor its shutdown", async () => {
  const words = ["serve", "--book", book, "--port", "0", "--no-rate-limit", "--log", "json"];
  const child = spawn(process.execPath, [bin, ...words], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const stderr = child.stderr as NonNullable<typeof child.stderr>;
  const [first] = await once(stderr, "data");
  stderr.pause();
  const { ready } = JSON.parse(String(first));
  // Some hundred KiB of log, more than the system keeps for a reader.
  for (let times = 0; times < 1_500; times += 1) {
    expect((await fetch(`${ready}/Items`)).status).toBe(401);
  }
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

test("acct serve accepts requests after SIGTERM until the time of --drain is over", async () => {
  const { baseUrl, process: child, ended } = await serving("--drain", "3");
  const allowed = { ACCT_TOKEN: token(), ACCT_BASE_URL: baseUrl };
  const ready = new URL("/ready", baseUrl);
  expect((await fetch(ready)).status).toBe(200);
  child.kill("SIGTERM");
  let answer = await fetch(ready);
  while (answer.ok) answer = await fetch(ready);
  expect(await answer.json()).toEqual({ status: "not ready", reason: "stopping" });
  ok(["item", "list"], allowed);
  await refusing(baseUrl);
  expect(await ended).toBe(0);
});

test("acct serve --chaos announces the injected faults, and a faulty answer names its fault", async () => {
  const { baseUrl, said, until } = await serving("--chaos", "42:503=1");
  await until(/Chaos/);
  expect(said()).toBe(`${baseUrl}\nChaos 42: 503=1\n`);
  const answer = await fetch(`${baseUrl}/Items`);
  expect([answer.status, answer.headers.get("x-chaos")]).toEqual([503, "503"]);
});

test("acct serve --chaos with an unknown kind of fault is refused", () => {
  const { status, stderr } = acct(["serve", "--book", book, "--port", "0", "--chaos", "42:boom"]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^acct: --chaos knows delay, /)]);
});

test.each([
  [["serve", "--log", "xml"], '--log takes json, text, off, not "xml"'],
  [["serve", "--drain", "2m"], "--drain takes a number of seconds from 0 to 3600"],
  [["serve", "--metrics-port", "-1"], "--metrics-port takes a number from 0 to 65535"],
  [["serve", "--port", "99999"], "--port takes a number from 0 to 65535"],
  [["serve", "--base-url", "http://x.example/"], "acct serve is about a file"],
  [["app", "list", "--base-url", "http://x.example/"], "acct app is about a file"],
])("the command line %j is refused as a usage error", (words, said) => {
  const { status, stderr } = acct(words);
  expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
});

test("a list command on a book does not load the web framework", () => {
  const script = `
    const { main } = require(${JSON.stringify(join(import.meta.dirname, "../../../dist/main.cjs"))});
    main(["item", "list", "--book", ${JSON.stringify(book)}]).then(() => {
      const loaded = Object.keys(require.cache).map((file) => require("path").basename(file));
      process.stderr.write(loaded.join(" "));
    });`;
  const { stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env });
  expect(stderr).toMatch(/\bservice-[0-9a-f]{8}\.cjs/);
  expect(stderr).not.toMatch(/http|hono|auth|served/);
});
