/** Trusted proxies, whose X-Forwarded-For header is believed; anybody else could forge it. */
import { BlockList, isIP } from "node:net";
import { UsageError } from "../resources/errors.ts";

/** Whether the proxy at an address is trusted. */
export type Trusts = (address: string) => boolean;

export const nobody: Trusts = () => false;

const loopback = "127.0.0.0/8,::1";

/**
 * Parses a list of trusted proxies.
 *
 * @param text  addresses and networks with commas, `10.0.0.0/8,::1`, and `loopback` for this machine
 * @throws UsageError `BadValue`
 */
export function readProxies(text: string): Trusts {
  const list = new BlockList();
  const parts = text.split(",").flatMap((proxyText) => {
    return proxyText.trim() === "loopback" ? loopback.split(",") : [proxyText.trim()];
  });
  for (const text of parts) {
    const [address = "", bits, ...more] = text.split("/");
    const family = isIP(address);
    const prefixMax = family === 6 ? 128 : 32;
    const prefixBits = bits === undefined ? prefixMax : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || prefixBits < 0 || prefixBits > prefixMax || more.length > 0) {
      const message = `--trusted-proxies takes addresses and networks such as loopback,10.0.0.0/8, not "${text}".`;
      throw new UsageError("BadValue", message);
    }
    list.addSubnet(address, prefixBits, family === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Converts an IPv4 address in IPv6 form (`::ffff:`) to plain IPv4. */
const plainAddress = (address: string) => address.trim().replace(/^::ffff:(?=[\d.]+$)/i, "");

/**
 * Address of the client of a request. The header is read from its end: the first address that is no
 * trusted proxy is the client, as anything before it may be forged.
 *
 * @param forwarded  X-Forwarded-For header
 */
export function clientOf(socket: string, forwarded: string | undefined, trusts: Trusts): string {
  let client = plainAddress(socket);
  const forwardedBy = forwarded?.split(",").map(plainAddress) ?? [];
  while (trusts(client)) {
    const lastAddress = forwardedBy.pop();
    if (lastAddress === undefined || isIP(lastAddress) === 0) break;
    client = lastAddress;
  }
  return client;
}
