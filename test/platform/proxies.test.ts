/** From where a request came: the word of trusted proxies, read from the last of them backwards. */
import { expect, test } from "vitest";
import { clientOf, nobody, readProxies } from "../../src/platform/proxies.ts";

const trusts = readProxies("10.0.0.0/8, 127.0.0.1, ::1, fd00::/8");

test.each([
  ["no proxy is trusted: the socket", nobody, "127.0.0.1", "198.51.100.7", "127.0.0.1"],
  ["the socket is none of them: the socket", trusts, "203.0.113.9", "198.51.100.7", "203.0.113.9"],
  ["one proxy: what it has noted", trusts, "127.0.0.1", "198.51.100.7", "198.51.100.7"],
  [
    "what the client wrote before it: passed over",
    trusts,
    "::1",
    "1.2.3.4, 198.51.100.7",
    "198.51.100.7",
  ],
  [
    "two proxies: before both",
    trusts,
    "127.0.0.1",
    "1.2.3.4, 198.51.100.7,10.1.2.3",
    "198.51.100.7",
  ],
  [
    "a socket of version 6 with an address of 4",
    trusts,
    "::ffff:10.0.0.1",
    "198.51.100.7",
    "198.51.100.7",
  ],
  ["a proxy of version 6", trusts, "fd00::5", "2001:db8::1", "2001:db8::1"],
  ["no header", trusts, "10.0.0.1", undefined, "10.0.0.1"],
  ["a header that is no address", trusts, "10.0.0.1", "1.2.3.4, unknown", "10.0.0.1"],
])("%s", (_what, proxies, socket, forwarded, client) => {
  expect(clientOf(socket, forwarded, proxies)).toBe(client);
});

test.each(["", "10.0.0.0/33", "books.example", "10.0.0.1/8/8", "10.0.0.1/x", "::1/129"])(
  "the text '%s' is no list of proxies",
  (text) => {
    expect(() => readProxies(text)).toThrow("--trusted-proxies takes addresses");
  },
);
