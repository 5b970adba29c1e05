/**
 * Restricts the addresses of webhook deliveries.
 *
 * The service calls the URL of a subscription from inside its network. To protect internal hosts,
 * deliveries go only by https to public addresses, unless the operator allows more. Host names are
 * checked when connecting, on the actual addresses of the connection, since DNS may have changed
 * after registration.
 */
import { BlockList, isIP, isIPv4 } from "node:net";
import { RefusedError } from "../../resources/errors.ts";
import { allowances } from "../../wire/webhook.ts";

type Allowance = (typeof allowances)[number];

/** Allowances of the operator beyond https to public addresses. */
export interface Allowances {
  /** Whether plain http and any port are allowed. */
  readonly http: boolean;
  /** Whether addresses of this machine and of private networks are allowed. */
  readonly private: boolean;
  /** Returns the remedy for a refusal, as the end of a sentence. */
  readonly remedy: Remedy;
}

/** @param words  such as `http,private` */
export type Remedy = (words: string) => string;

const serveRemedy: Remedy = (words) => `acct serve --webhook-allow ${words} changes that`;

/**
 * Parses allowances.
 *
 * @param words  some of `allowances`
 * @param remedy  the command that allows more; by default the option of `acct serve`
 */
export function allowedBy(words: readonly string[], remedy = serveRemedy): Allowances {
  return { http: words.includes("http"), private: words.includes("private"), remedy };
}

/** Returns the remedy for missing allowances, added to those already given. */
function remedyFor(allowed: Allowances, ...missing: readonly Allowance[]): string {
  return allowed.remedy(
    allowances.filter((allowance) => allowed[allowance] || missing.includes(allowance)).join(","),
  );
}

const urlMax = 2000;

/**
 * Parses the URL of a receiver.
 *
 * @throws RefusedError `BadAddress` for a forbidden URL, as far as it can be known without DNS
 */
export function readAddress(text: string, allowed: Allowances): URL {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > urlMax) {
    throw badAddress(
      `"${text.slice(0, 100)}" is no address; it looks like https://shop.example/hook.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw badAddress("The address of a receiver carries no name or password.");
  }
  const host = hostOf(url);
  const isClosed = isIP(host) !== 0 && !allowed.private && !isPublic(host);
  if (!allowed.http && (url.protocol !== "https:" || url.port !== "")) {
    const where = isClosed ? "on port 443 to public addresses" : "on port 443";
    const missing = isClosed ? allowances : (["http"] as const);
    throw badAddress(
      `Deliveries go by https ${where}, and not to ${url.origin}; ${remedyFor(allowed, ...missing)}.`,
    );
  }
  if (isClosed) throw badAddress(`${notPublicReason(host, host, allowed)}.`);
  url.hash = "";
  return url;
}

const badAddress = (message: string) => new RefusedError("BadAddress", message);

/** Returns the host name or address, an IPv6 one without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns why an address gets no deliveries, as a sentence without full stop. */
export function notPublicReason(host: string, address: string, allowed: Allowances): string {
  const stands = host === address ? address : `${host} stands for ${address}, which`;
  return `${stands} is an address of a private network or of this machine, to which nothing is delivered; ${remedyFor(allowed, "private")}`;
}

/** Non-public IPv4 networks: RFC 6890 and its successors. */
const closed4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by the customers of a provider
  ["127.0.0.0", 8], // this machine
  ["169.254.0.0", 16], // link-local; where clouds keep the credentials of their machines
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const) {
  closed4.addSubnet(network, bits, "ipv4");
}

/** Non-public IPv6 networks within 2000::/3; everything outside of it is non-public too. */
const open6 = new BlockList();
open6.addSubnet("2000::", 3, "ipv6");
const closed6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32], // documentation
  ["3fff::", 20], // documentation
  ["2002::", 16], // 6to4: any IPv4 address
] as const) {
  closed6.addSubnet(network, bits, "ipv6");
}

/** IPv6 networks whose last 32 bits are an IPv4 address: mapped, and translated by NAT64. */
const holding4 = new BlockList();
holding4.addSubnet("::ffff:0:0", 96, "ipv6");
holding4.addSubnet("64:ff9b::", 96, "ipv6");

/** Whether an address is public. @param address  IPv4 or IPv6, without brackets */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, "ipv4");
  const [plain = ""] = address.split("%");
  if (isIP(plain) !== 6) return false;
  const embedded = holding4.check(plain, "ipv6") ? embeddedIPv4(plain) : undefined;
  if (embedded !== undefined) return isPublic(embedded);
  return open6.check(plain, "ipv6") && !closed6.check(plain, "ipv6");
}

/** Returns the last 32 bits of an IPv6 address as an IPv4 address. */
function embeddedIPv4(address: string): string {
  const dotted = /[\d.]+$/.exec(address)?.[0] ?? "";
  if (isIPv4(dotted)) return dotted;
  // The canonical form ends in two groups, unless the omitted zeros include them.
  const canonical = hostOf(new URL(`http://[${address}]/`));
  const groups = canonical.replace(/::$/, "::0").split(":");
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  return [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join(".");
}
