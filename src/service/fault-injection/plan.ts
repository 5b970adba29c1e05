/**
 * Chooses which requests get an injected fault, and which one.
 *
 * The choice depends only on the seed, the method, the route, and the number of earlier requests of
 * that method and route. The same requests in the same order get the same faults, even with other
 * ids in their paths or other interleaving of routes.
 */
import { UsageError } from "../../resources/errors.ts";

/** Kinds of faults, in the order in which they share the probability range. */
export const kinds = [
  /** A delayed answer. */
  "delay",
  /** Status 500, without executing the request. */
  "500-before",
  /** Status 500 after executing the request. */
  "500-after",
  /** Executes the request, and cuts the answer in the middle. */
  "cut",
  /** Executes the request, and closes the connection without an answer. */
  "drop",
  /** An outage: status 503 without Retry-After. */
  "503",
  /** A rate limit in the format of this service. */
  "503-limit",
  /** A rate limit in the format of a proxy: no headers, no body. */
  "429",
  /** A rate limit in today's format of the public API. */
  "429-limit",
  /** Status 401: a revoked token. */
  "revoked",
  /** Status 401: an expired token. */
  "expired",
] as const;

export type FaultKind = (typeof kinds)[number];

export interface FaultPlan {
  readonly seed: string;
  /** Probability of each kind, 0 to 1, in the order of `kinds`; the sum is at most 1. */
  readonly rateByKind: ReadonlyMap<FaultKind, number>;
}

/** The fault of a request, with a strength from 0 to 1. */
export interface InjectedFault {
  readonly kind: FaultKind;
  readonly force: number;
}

/** Total probability shared by the kinds without their own rate. */
const sharedRate = 0.2;
const rateDigits = 4;

/**
 * Parses `SEED[:KINDS]`, such as `42:delay=0.2,cut`.
 *
 * Without kinds all of them occur. Those without a rate share one request in five.
 *
 * @throws UsageError `BadValue`
 */
export function readPlan(text: string): FaultPlan {
  const [, seed = "", , list] = /^([^:]*)(:(.*))?$/s.exec(text.trim()) ?? [];
  if (!/^[\w.-]{1,64}$/.test(seed)) {
    throw badPlan(`begins with a seed of letters and digits, not "${seed.slice(0, 64)}".`);
  }
  const rateByKind = new Map<FaultKind, number | undefined>();
  for (const text of list === undefined ? kinds : list.split(",")) {
    const [name = "", rate] = text.trim().split("=", 2);
    const kind = kinds.find((faultKind) => faultKind === name);
    if (kind === undefined) throw badPlan(`knows ${kinds.join(", ")}, not "${name.slice(0, 64)}".`);
    if (rateByKind.has(kind)) throw badPlan(`names ${kind} twice.`);
    rateByKind.set(kind, rate === undefined ? undefined : readRate(kind, rate));
  }
  const sharingCount = [...rateByKind.values()].filter((rate) => rate === undefined).length;
  const rates = new Map<FaultKind, number>();
  for (const kind of kinds) {
    if (rateByKind.has(kind)) rates.set(kind, rateByKind.get(kind) ?? sharedRate / sharingCount);
  }
  const sum = [...rates.values()].reduce((total, rate) => total + rate, 0);
  if (sum > 1 + 1e-9) throw badPlan(`has rates of more than 1 together: ${rateText(sum)}.`);
  return { seed, rateByKind: rates };
}

function readRate(kind: FaultKind, text: string): number {
  const rate = /^(0?\.\d{1,4}|[01](\.0{1,4})?)$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0) return rate;
  throw badPlan(`takes ${kind} with a rate from 0 to 1, not "${text.slice(0, 64)}".`);
}

function badPlan(explanation: string): UsageError {
  return new UsageError("BadValue", `--chaos ${explanation}`);
}

const rateText = (rate: number) => String(Number(rate.toFixed(rateDigits)));

/** Describes a plan: `Chaos 42: delay=0.2, cut=0.2`. */
export function describePlan({ seed, rateByKind }: FaultPlan): string {
  const kindTexts = [...rateByKind].map(([kind, rate]) => `${kind}=${rateText(rate)}`);
  return `Chaos ${seed}: ${kindTexts.join(", ")}`;
}

/**
 * Returns the generator of faults for successive requests.
 *
 * The SHA-256 of `SEED METHOD ROUTE NUMBER` (`42 GET /Invoices/{InvoiceID} 17`) decides: its first
 * four bytes, as a fraction of 2^32, select a kind or none; the next four give the strength.
 */
export function faultsFor({
  seed,
  rateByKind,
}: FaultPlan): (method: string, route: string) => InjectedFault | undefined {
  const countByKey = new Map<string, number>();
  const { hash } = process.getBuiltinModule("node:crypto");
  return (method, route) => {
    const key = `${method} ${route}`;
    const number = (countByKey.get(key) ?? 0) + 1;
    countByKey.set(key, number);
    const digest = hash("sha256", `${seed} ${key} ${number}`, "buffer");
    const randomShare = digest.readUInt32BE(0) / 2 ** 32;
    const force = digest.readUInt32BE(4) / 2 ** 32;
    let cumulativeRate = 0;
    for (const [kind, rate] of rateByKind) {
      cumulativeRate += rate;
      if (randomShare < cumulativeRate) return { kind, force };
    }
    return undefined;
  };
}
