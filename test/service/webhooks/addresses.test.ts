import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { allowedBy, isPublic, readAddress } from "../../../src/service/webhooks/addresses.ts";
import { createPoster, type Resolve } from "../../../src/service/webhooks/post.ts";
import { receiver } from "./receiver.ts";
import { deadlines } from "./subscribed.ts";

const nothing = allowedBy([]);
const all = allowedBy(["http", "private"]);

test.each([
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "223.255.255.255",
  "2606:4700::1111",
  "2a00:1450:4001::200e",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
])("the IP address %s counts as public", (address) => expect(isPublic(address)).toBe(true));

test.each([
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:10.0.0.1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b:1::1",
  "fc00::1",
  "fd12:3456:789a::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "100::1",
  "not an address",
])("the IP address %s counts as private, and not as public", (address) =>
  expect(isPublic(address)).toBe(false),
);

test.each([
  ["http://shop.example/hook", "https on port 443"],
  ["https://shop.example:8443/hook", "https on port 443"],
  ["https://ann:secret@shop.example/", "carries no name or password"],
  ["ftp://shop.example/", "is no address"],
  ["file:///etc/passwd", "is no address"],
  ["shop.example/hook", "is no address"],
  ["https://127.0.0.1/", "private network"],
  ["https://[::1]/", "private network"],
  ["https://[::ffff:127.0.0.1]/", "private network"],
  ["https://0x7f.1/", "127.0.0.1 is an address of a private network"],
  ["https://2130706433/", "127.0.0.1 is an address of a private network"],
  ["https://169.254.169.254/latest/", "private network"],
  [`https://shop.example/${"x".repeat(2000)}`, "is no address"],
])("the webhook address %s is refused", (address, sentence) => {
  expect(() => readAddress(address, nothing)).toThrow(sentence);
});

test("http, other ports and private addresses for webhooks can each be allowed by the operator", () => {
  const url = "http://10.0.0.1:8080/hook";
  expect(readAddress(url, all).href).toBe(url);
  expect(() => readAddress(url, allowedBy(["http"]))).toThrow("private network");
  expect(() => readAddress(url, allowedBy(["private"]))).toThrow("https on port 443");
  expect(readAddress("https://shop.example/hook?a=1#b", nothing).href).toBe(
    "https://shop.example/hook?a=1",
  );
});

test("a refused webhook address is answered with every option that would allow it", () => {
  const said = (address: string, allowed = nothing) => {
    try {
      return readAddress(address, allowed).href;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(said("http://shop.example/hook")).toBe(
    "Deliveries go by https on port 443, and not to http://shop.example; acct serve --webhook-allow http changes that.",
  );
  expect(said("http://127.0.0.1:3000/hook")).toBe(
    "Deliveries go by https on port 443 to public addresses, and not to http://127.0.0.1:3000; acct serve --webhook-allow http,private changes that.",
  );
  expect(
    said(
      "http://shop.example/",
      allowedBy(["private"], (words) => `say ${words}`),
    ),
  ).toMatch(/; say http,private\.$/);
  expect(
    said(
      "http://127.0.0.1/",
      allowedBy(["http"], (words) => `say ${words}`),
    ),
  ).toMatch(/^127\.0\.0\.1 is an address .*, to which nothing is delivered; say http,private\.$/);
});

/** Says that every name stands for these addresses. */
const standingFor =
  (...addresses: string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

async function listening() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function posting(options: Parameters<typeof createPoster>[0]) {
  const poster = createPoster(options);
  onTestFinished(() => poster.close());
  return poster.post;
}

test.each([
  [["127.0.0.1"]],
  [["10.1.2.3"]],
  [["::1"]],
  [["::ffff:127.0.0.1"]],
  // One of several is enough: nobody says which of them is connected to.
  [["8.8.8.8", "127.0.0.1"]],
])("a webhook host name that resolves to %j is refused on connecting", async (addresses) => {
  const there = await listening();
  const post = posting({ allowed: allowedBy(["http"]), resolve: standingFor(...addresses) });
  const posted = await post(`http://shop.example:${there.port}/`, "{}", "s");
  expect(posted.status).toBeUndefined();
  expect(posted.reason).toContain("shop.example stands for");
  expect(there.connections()).toBe(0);
});

test("a webhook host name is resolved again for each connection", async () => {
  const there = await listening();
  let isLater = false;
  const resolve: Resolve = (name, done) =>
    standingFor(isLater ? "127.0.0.1" : "8.8.8.8")(name, done);
  const url = `http://shop.example:${there.port}/`;
  readAddress(url, allowedBy(["http"]));
  isLater = true;
  const posted = await posting({ allowed: allowedBy(["http"]), resolve })(url, "{}", "s");
  expect(posted.reason).toContain("127.0.0.1, which is an address of a private network");
  expect(there.connections()).toBe(0);
});

test("a webhook host name that resolves to an allowed address is connected to", async () => {
  const shop = await receiver();
  const { port } = new URL(shop.url);
  const post = posting({ allowed: all, resolve: standingFor("127.0.0.1") });
  const posted = await post(`http://shop.example:${port}/hook`, '{"events":[]}', "s");
  expect(posted).toMatchObject({ status: 401, hasBody: false });
  expect(shop.received[0]?.headers).toMatchObject({
    host: `shop.example:${port}`,
    "content-type": "application/json; charset=utf-8",
    "x-xero-signature": "s",
  });
});

test("a redirect of a webhook receiver is not followed", async () => {
  const inside = await receiver();
  const shop = await receiver("key", (_delivery, response) => {
    response.writeHead(302, { location: inside.url }).end();
    return undefined;
  });
  const posted = await posting({ allowed: all })(shop.url, '{"events":[]}', "s");
  expect(posted.status).toBe(302);
  expect(inside.received).toEqual([]);
});

test("an endless response of a webhook receiver is not read to its end", async () => {
  const shop = await receiver("key", (_delivery, response) => {
    response.writeHead(200);
    const more = () => void (response.destroyed || response.write("x".repeat(65_536), more));
    more();
    return undefined;
  });
  const posted = await posting({ allowed: all })(shop.url, '{"events":[]}', "s");
  expect(posted).toMatchObject({ status: 200, hasBody: true });
});

test("a webhook receiver that is slow, cuts the connection or is missing is reported with the reason", async () => {
  const clock = deadlines();
  const slow = await receiver("key", () => {
    clock.pass();
    return undefined;
  });
  const post = posting({ allowed: all, timeoutMs: 120_000, deadline: clock.deadline });
  expect(await post(slow.url, '{"events":[]}', "s")).toMatchObject({
    status: undefined,
    reason: "no answer within 120 seconds",
  });
  const cutting = await listening();
  expect((await post(`http://127.0.0.1:${cutting.port}/`, "{}", "s")).reason).toBe(
    "the connection was cut",
  );
  expect((await post("http://127.0.0.1:1/", "{}", "s")).reason).toBe("the connection was refused");
});
