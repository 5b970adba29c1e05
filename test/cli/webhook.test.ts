/** The built program: subscriptions, their deliveries while a book is served, and listening. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Receiver, receiver, wellBehaved } from "../service/events/receiver.ts";
import type { Json } from "../service/fixture.ts";
import { bin, runBuilt, serveBuilt } from "./built.ts";

const key = "a key of sixteen letters";
let env: Record<string, string>;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "acct-webhook-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  env = {
    HOME: folder,
    PATH: process.env.PATH ?? "",
    USER: "ann",
    TZ: "UTC",
    ACCT_BOOK: join(folder, "quay.acct"),
    ACCT_WEBHOOK_KEY: key,
  };
  ok("init", "--name", "Quay Street Bikes", "--country", "NZ");
});

const acct = (...words: string[]) => runBuilt(words, env);

function ok(...words: string[]): string {
  const { status, stdout, stderr } = acct(...words);
  expect({ words, status, stderr: status === 0 ? "" : stderr }).toEqual({
    words,
    status: 0,
    stderr: "",
  });
  return stdout;
}

/** `acct webhook add` waits for its receiver, which is in this process: it must not stand still. */
async function running(...words: string[]) {
  const child = spawn(process.execPath, [bin, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number, stdout, stderr }));
  const until = async (is: () => boolean) => {
    while (!is()) {
      if (child.exitCode !== null) throw new Error(`${words.join(" ")} ended: ${stdout}${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { child, ended, until, said: () => stderr, wrote: () => stdout };
}

async function run(...words: string[]) {
  return (await running(...words)).ended;
}

const allow = ["--allow", "http,private"];
const serving = ["--port", "0", "--webhook-allow", "http,private"];

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const idsIn = (shop: Receiver): string[] =>
  shop.taken().flatMap(({ json }) => json.events.map((each: Json) => each.resourceId));

const contact = (name: string) => ok("contact", "create", "--name", name, "-o", "id").trim();

test("an address is added, shown, told, told again and removed", async () => {
  const shop = await receiver(key);
  const words = ["webhook", "add", shop.url, "--name", "Shop", "--events", "contact,invoice"];
  const refused = await run(...words);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining("https on port 443") });
  const added = await run(...words, ...allow, "-o", "json");
  expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(added.stdout)).toMatchObject({
    Name: "Shop",
    Events: ["INVOICE", "CONTACT"],
    Status: "OK",
    SigningKey: key,
  });
  expect(ok("webhook", "key", "shop").trim()).toBe(key);
  expect(ok("webhook", "list", "-o", "csv")).toBe(
    `Name,Url,Events,Status\nShop,${shop.url},INVOICE; CONTACT,OK\n`,
  );
  expect(ok("webhook", "list", "-o", "json")).not.toContain(key);
  const { process: server, ended } = await serveBuilt(serving, env);
  const id = contact("Ariki");
  await until(() => shop.taken().length === 1);
  expect(idsIn(shop)).toEqual([id]);
  const [delivery] = JSON.parse(ok("webhook", "deliveries", "Shop", "-o", "json"));
  expect(delivery).toMatchObject({ Webhook: "Shop", Status: "DELIVERED", Answered: 200, Tries: 1 });
  const again = await run("webhook", "resend", delivery.DeliveryID, "-o", "json");
  expect(JSON.parse(again.stdout)).toMatchObject({ Status: "DELIVERED", Tries: 2 });
  expect(shop.taken().map(({ body }) => body)).toEqual([delivery.Body, delivery.Body]);
  const triggered = await run("webhook", "trigger", "contact", "Ariki", "--type", "create");
  expect(triggered).toMatchObject({ code: 0, stderr: `CONTACT CREATE ${id}: told to Shop.\n` });
  expect(shop.taken()).toHaveLength(3);
  server.kill("SIGTERM");
  expect(await ended).toBe(0);
  const late = await run("webhook", "trigger", "contact");
  expect(late.stderr).toContain("It is sent when acct serve runs.");
  ok("webhook", "disable", "Shop");
  expect(ok("webhook", "list", "-o", "csv", "--columns", "Status")).toBe("Status\nDISABLED\n");
  ok("webhook", "remove", "Shop", "--yes");
  expect(ok("webhook", "list", "-o", "json").trim()).toBe("[]");
});

test("a receiver that does not check signatures is told so, and can show it later", async () => {
  const shop = await receiver(key, () => 200);
  const added = await run("webhook", "add", shop.url, "--name", "Shop", ...allow);
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("It is not in use yet") });
  const failed = await run("webhook", "validate", "Shop", ...allow);
  expect(failed.code).toBe(5);
  expect(failed.stderr).toContain(
    "a wrong signature with 200; it must be 401. Mend that, then run",
  );
  shop.behaviour = wellBehaved;
  expect(await run("webhook", "enable", "Shop", ...allow)).toMatchObject({ code: 0 });
  expect(ok("webhook", "show", "Shop")).toContain("OK");
});

test.each([
  [["webhook", "add", "https://x.example/", "--events", "item"], 2, "--events takes invoice"],
  [["webhook", "add", "https://x.example/", "--allow", "all"], 2, "--allow takes http, private"],
  [["webhook", "add", "https://10.0.0.1/"], 5, "private network"],
  [["webhook", "show", "Nobody"], 3, "There is no subscription Nobody"],
  [["webhook", "resend", "x"], 3, "There is no delivery x"],
  [["webhook", "trigger", "item"], 2, "takes invoice, contact, credit-note, payment"],
  [["webhook", "trigger", "contact"], 5, "Nobody is told of CONTACT"],
  [["webhook", "deliveries", "--limit", "0"], 2, "--limit takes a number"],
  [["webhook", "listen", "--forward-to", "::"], 2, "--forward-to takes an address"],
  [["webhook", "list", "--base-url", "http://x.example/"], 2, "acct webhook is about a file"],
  [["serve", "--webhook-allow", "ftp"], 2, "--webhook-allow takes http, private"],
])("%j is a mistake", (words, code, said) => {
  const { status, stderr } = acct(...words);
  expect([status, stderr]).toEqual([code, expect.stringContaining(said)]);
});

test("nothing that was acknowledged is lost when the server is killed before it delivers", {
  timeout: 120_000,
}, async () => {
  const shop = await receiver(key);
  await run("webhook", "add", shop.url, "--events", "contact", ...allow);
  ok("app", "add", "Till");
  const token = ok("app", "token", "Till").trim();
  const acknowledged: string[] = [];
  for (const round of [1, 2, 3]) {
    const {
      process: server,
      baseUrl,
      ended,
    } = await serveBuilt([...serving, "--no-rate-limit"], env);
    // From here on deliveries arrive and are not answered.
    shop.behaviour = () => undefined;
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const answer = await fetch(`${baseUrl}/Contacts`, {
          method: "PUT",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            accept: "application/json",
          },
          body: JSON.stringify({ Name: `Contact ${round}.${index}` }),
        });
        acknowledged.push(((await answer.json()) as Json).Contacts[0].ContactID);
      }),
    );
    server.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
  }
  expect(shop.taken()).toEqual([]);
  shop.behaviour = wellBehaved;
  await serveBuilt(serving, env);
  await until(() => new Set(idsIn(shop)).size === acknowledged.length);
  expect(new Set(idsIn(shop))).toEqual(new Set(acknowledged));
  const numbers = shop.taken().map(({ json }) => json.firstEventSequence);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  const told = shop
    .taken()
    .flatMap(({ json }) =>
      json.events.map((each: Json, index: number) => [json.firstEventSequence + index, each]),
    );
  expect(told.map(([number]) => number)).toEqual(acknowledged.map((_, index) => index + 1));
});

test("listening hands on what happens in the book, signed, until Ctrl-C", async () => {
  const shop = await receiver(key);
  const words = ["webhook", "listen", "--forward-to", shop.url, "--events", "contact"];
  const listening = await running(...words);
  await listening.until(() => listening.said().includes(`Signing key: ${key}`));
  expect(listening.said()).toContain(`Listening to Quay Street Bikes for ${shop.url}.`);
  const id = contact("Ariki");
  await until(() => shop.taken().length === 1);
  expect(shop.taken()[0]).toMatchObject({ isRight: true });
  await listening.until(() => listening.wrote().includes("\n"));
  expect(listening.wrote()).toMatch(
    new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z  CONTACT CREATE  ${id}  200 in \\d+ ms\n$`),
  );
  const triggered = await run("webhook", "trigger", "contact");
  expect(triggered.stderr).toBe(`CONTACT UPDATE ${id}: told to a listener.\n`);
  await until(() => shop.taken().length === 2);
  expect(shop.taken()[1]?.json).toMatchObject({ firstEventSequence: 2, lastEventSequence: 2 });
  listening.child.kill("SIGINT");
  expect((await listening.ended).code).toBe(130);
  expect(acct("webhook", "trigger", "contact").stderr).toContain("Nobody is told of CONTACT");
});

test("listening waits for a program that is not there yet, and loses nothing", async () => {
  const place = createServer().listen(0, "127.0.0.1");
  await once(place, "listening");
  const { port } = place.address() as AddressInfo;
  place.close();
  const url = `http://127.0.0.1:${port}/hook`;
  const listening = await running("webhook", "listen", "--forward-to", url, "-o", "json");
  await listening.until(() => listening.said().includes("Signing key"));
  const id = contact("Ariki");
  await listening.until(() => listening.said().includes(`Nothing listens at ${url} yet`));
  const shop = await receiver(key, wellBehaved, port);
  await until(() => shop.taken().length === 1);
  await listening.until(() => listening.wrote().includes("\n"));
  expect(JSON.parse(listening.wrote())).toMatchObject({
    eventCategory: "CONTACT",
    resourceId: id,
    answer: { status: 200 },
  });
});

test("listening to a service goes on when it is started anew, and loses nothing", async () => {
  ok("app", "add", "Till");
  const remote = { ...env, ACCT_TOKEN: ok("app", "token", "Till").trim() };
  const first = await serveBuilt(["--port", "0"], env);
  const { port } = new URL(first.baseUrl);
  const shop = await receiver(key);
  const book = env.ACCT_BOOK ?? "";
  env = { ...remote, ACCT_BOOK: "", ACCT_BASE_URL: first.baseUrl };
  const listening = await running("webhook", "listen", "--forward-to", shop.url);
  await listening.until(() => listening.said().includes("Signing key"));
  env = { ...remote, ACCT_BOOK: book };
  const ids = [contact("Ariki")];
  await until(() => shop.taken().length === 1);
  first.process.kill("SIGTERM");
  // It does not wait for the listener, which would go on for most of a minute.
  expect(await first.ended).toBe(0);
  await listening.until(() => listening.said().includes("Listening again when it is there"));
  ids.push(contact("Bayside"));
  await serveBuilt(["--port", port], env);
  ids.push(contact("Cuba"));
  await until(() => idsIn(shop).length === 3);
  expect(idsIn(shop)).toEqual(ids);
  expect(shop.taken().at(-1)?.json.lastEventSequence).toBe(3);
});
