/** The built program: a program at hand that is told of events, where nothing can be sent to it. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { receiver, wellBehaved } from "../../service/webhooks/receiver.ts";
import { serveBuilt } from "../built.ts";
import { idsIn, key, subscriberDesk } from "../subscriber.ts";

const { at, acct, ok, running, run, contact } = subscriberDesk();

test("acct webhook listen forwards the signed events of the book until Ctrl-C", async () => {
  const shop = await receiver(key);
  const words = ["webhook", "listen", "--forward-to", shop.url, "--events", "contact"];
  const listening = await running(...words);
  await listening.until(() => listening.said().includes(`Signing key: ${key}`));
  expect(listening.said()).toContain(`Listening to Quay Street Bikes for ${shop.url}.`);
  const id = contact("Ariki");
  await shop.until(() => shop.taken().length === 1);
  expect(shop.taken()[0]).toMatchObject({ isRight: true });
  await listening.until(() => listening.wrote().includes("\n"));
  expect(listening.wrote()).toMatch(
    new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z  CONTACT CREATE  ${id}  200 in \\d+ ms\n$`),
  );
  const triggered = await run("webhook", "trigger", "contact");
  expect(triggered.stderr).toBe(`CONTACT UPDATE ${id}: told to a listener.\n`);
  await shop.until(() => shop.taken().length === 2);
  expect(shop.taken()[1]?.json).toMatchObject({ firstEventSequence: 2, lastEventSequence: 2 });
  listening.child.kill("SIGINT");
  expect((await listening.ended).code).toBe(130);
  expect(acct("webhook", "trigger", "contact").stderr).toContain("Nobody is told of CONTACT");
});

test("acct webhook listen keeps events for a receiver that is not running yet, and loses none", async () => {
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
  await shop.until(() => shop.taken().length === 1);
  await listening.until(() => listening.wrote().includes("\n"));
  expect(JSON.parse(listening.wrote())).toMatchObject({
    eventCategory: "CONTACT",
    resourceId: id,
    answer: { status: 200 },
  });
});

test("acct webhook listen on a service continues after a restart of the service, and loses no event", async () => {
  ok("app", "add", "Till");
  const remote = { ...at.env, ACCT_TOKEN: ok("app", "token", "Till").trim() };
  const first = await serveBuilt(["--port", "0"], at.env);
  const { port } = new URL(first.baseUrl);
  const shop = await receiver(key);
  const book = at.env.ACCT_BOOK ?? "";
  at.env = { ...remote, ACCT_BOOK: "", ACCT_BASE_URL: first.baseUrl };
  const listening = await running("webhook", "listen", "--forward-to", shop.url);
  await listening.until(() => listening.said().includes("Signing key"));
  at.env = { ...remote, ACCT_BOOK: book };
  const ids = [contact("Ariki")];
  await shop.until(() => shop.taken().length === 1);
  first.process.kill("SIGTERM");
  // It does not wait for the listener, which would go on for most of a minute.
  expect(await first.ended).toBe(0);
  await listening.until(() => listening.said().includes("Listening again when it is there"));
  ids.push(contact("Bayside"));
  await serveBuilt(["--port", port], at.env);
  ids.push(contact("Cuba"));
  await shop.until(() => idsIn(shop).length === 3);
  expect(idsIn(shop)).toEqual(ids);
  expect(shop.taken().at(-1)?.json.lastEventSequence).toBe(3);
});
