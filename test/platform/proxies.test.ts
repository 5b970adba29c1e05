/** From where a request came: the word of trusted proxies, read from the last of them backwards. */
import { expect, test } from "vitest";
import { clientOf, nobody, readProxies } from "../../src/platform/proxies.ts";

const trusts = readProxies("10.0.0.0/8, 127.0.0.1, ::1, fd00::/8");

test.each([
  [
    "no proxy is trusted, so it is the socket's address",
    nobody,
    "127.0.0.1",
    "198.51.100.7",
    "127.0.0.1",
  ],
  [
    "the socket is no trusted proxy, so it is the socket's address",
    trusts,
    "203.0.113.9",
    "198.51.100.7",
    "203.0.113.9",
  ],
  [
    "one trusted proxy, so it is the address that the proxy added",
    trusts,
    "127.0.0.1",
    "198.51.100.7",
    "198.51.100.7",
  ],
  [
    "an address that the client itself added is ignored",
    trusts,
    "::1",
    "1.2.3.4, 198.51.100.7",
    "198.51.100.7",
  ],
  [
    "two trusted proxies, so it is the address before both",
    trusts,
    "127.0.0.1",
    "1.2.3.4, 198.51.100.7,10.1.2.3",
    "198.51.100.7",
  ],
  [
    "an IPv4 address on an IPv6 socket is recognised as a trusted proxy",
    trusts,
    "::ffff:10.0.0.1",
    "198.51.100.7",
    "198.51.100.7",
  ],
  ["a trusted proxy with an IPv6 address", trusts, "fd00::5", "2001:db8::1", "2001:db8::1"],
  [
    "no forwarding header, so it is the socket's address",
    trusts,
    "10.0.0.1",
    undefined,
    "10.0.0.1",
  ],
  [
    "an invalid address in the forwarding header, so it is the socket's address",
    trusts,
    "10.0.0.1",
    "1.2.3.4, unknown",
    "10.0.0.1",
  ],
])(
  "the client address behind proxies is found: %s",
  (_what, proxies, socket, forwarded, client) => {
    expect(clientOf(socket, forwarded, proxies)).toBe(client);
  },
);

test("the word loopback is the addresses of this machine in a list of trusted proxies", () => {
  const trusts = readProxies("loopback,10.0.0.0/8");
  const addresses = ["127.0.0.1", "127.8.9.1", "::1", "10.1.1.1", "192.0.2.1"];
  expect(addresses.map(trusts)).toEqual([true, true, true, true, false]);
});

test.each(["", "10.0.0.0/33", "books.example", "10.0.0.1/8/8", "10.0.0.1/x", "::1/129"])(
  "the text '%s' is refused as a list of trusted proxies",
  (text) => {
    expect(() => readProxies(text)).toThrow("--trusted-proxies takes addresses");
  },
);
