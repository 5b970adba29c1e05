/** The built program: subscriptions, and their deliveries while a book is served. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openBook } from "../../../src/service/books/book.ts";
import type { Json } from "../../service/fixture.ts";
import { receiver, wellBehaved } from "../../service/webhooks/receiver.ts";
import { serveBuilt } from "../built.ts";
import { idsIn, key, subscriberDesk } from "../subscriber.ts";

const { at, acct, ok, run, contact } = subscriberDesk();
const allow = ["--allow", "http,private"];
const serving = ["--port", "0", "--webhook-allow", "http,private"];

test("a webhook is added, shown, gets events delivered and redelivered, and is removed", async () => {
  const shop = await receiver(key);
  const words = ["webhook", "add", shop.url, "--name", "Shop", "--events", "contact,invoice"];
  const refused = await run(...words);
  expect(refused).toMatchObject({
    code: 5,
    stderr: `acct: Deliveries go by https on port 443 to public addresses, and not to ${new URL(shop.url).origin}; --allow http,private changes that here, and --webhook-allow http,private where acct serve delivers.\n`,
  });
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
  const { process: server, ended } = await serveBuilt(serving, at.env);
  const id = contact("Ariki");
  await shop.until(() => shop.taken().length === 1);
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

test("a webhook whose receiver does not check signatures is added as disabled, and can be enabled later", async () => {
  const shop = await receiver(key, () => 200);
  const added = await run("webhook", "add", shop.url, "--name", "Shop", ...allow);
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("It is not in use yet") });
  // Where it may be sent was said when it was added.
  const failed = await run("webhook", "validate", "Shop");
  expect(failed.code).toBe(5);
  expect(failed.stderr).toContain(
    "a wrong signature with 200; it must be 401. Mend that, then run",
  );
  shop.behaviour = wellBehaved;
  expect(await run("webhook", "enable", "Shop")).toMatchObject({ code: 0 });
  expect(ok("webhook", "show", "Shop")).toContain("OK");
});

test.each([
  [["webhook", "add", "https://x.example/", "--events", "item"], 2, "--events takes invoice"],
  [["webhook", "add", "https://x.example/", "--allow", "all"], 2, "--allow takes http, private"],
  [
    ["webhook", "add", "https://10.0.0.1/"],
    5,
    "nothing is delivered; --allow private changes that",
  ],
  [["webhook", "show", "Nobody"], 3, "There is no subscription Nobody"],
  [["webhook", "resend", "x"], 3, "There is no delivery x"],
  [["webhook", "trigger", "item"], 2, "takes invoice, contact, credit-note, payment"],
  [["webhook", "trigger", "contact"], 5, "Nobody is told of CONTACT"],
  [["webhook", "deliveries", "--limit", "0"], 2, "--limit takes a number"],
  [["webhook", "listen", "--forward-to", "::"], 2, "--forward-to takes an address"],
  [["webhook", "list", "--base-url", "http://x.example/"], 2, "acct webhook is about a file"],
  [["serve", "--webhook-allow", "ftp"], 2, "--webhook-allow takes http, private"],
])("the command line %j is refused with its exit code", (words, code, said) => {
  const { status, stderr } = acct(...words);
  expect([status, stderr]).toEqual([code, expect.stringContaining(said)]);
});

/** As if the ten seconds had gone by in which nobody delivers for a process that may be alive. */
async function leaseOver(): Promise<void> {
  const { store, org, close } = await openBook(at.env.ACCT_BOOK ?? "");
  await store.write(org, async ({ db }) => {
    const { rows } = await sql`
      update webhook set leased_until = 1
      where org = ${org} and leased_by is not null returning id`.execute(db);
    expect(rows).toHaveLength(1);
  });
  await close();
}

test("webhook events of acknowledged writes are delivered also if the server is killed before the delivery", {
  timeout: 600_000,
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
    } = await serveBuilt([...serving, "--no-rate-limit"], at.env);
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
  await leaseOver();
  shop.behaviour = wellBehaved;
  await serveBuilt(serving, at.env);
  await shop.until(() => new Set(idsIn(shop)).size === acknowledged.length);
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
