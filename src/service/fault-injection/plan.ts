/**
 * Which requests get an injected fault, and which fault.
 *
 * The seed decides, and nothing that differs from run to run: by the method, the route, and how
 * many requests of that method and route there were before. The same requests in the same order
 * meet the same faults, also with other ids in their addresses, and however those of different
 * routes come in between.
 */
import { UsageError } from "../../resources/errors.ts";

/** In the order in which they share the chance between them. */
export const kinds = [
  /** Answered late. */
  "delay",
  /** 500, and nothing was done. */
  "500-before",
  /** Done, and then 500. */
  "500-after",
  /** Done; the answer breaks off in the middle. */
  "cut",
  /** Done; the connection closes before the answer. */
  "drop",
  /** An outage: 503 without a word on when it ends. */
  "503",
  /** A rate limit as this service reports it. */
  "503-limit",
  /** A rate limit as a proxy in front of a service reports it: no header, no body. */
  "429",
  /** A rate limit as services of this shape report it today. */
  "429-limit",
  /** 401: the token counts no longer. */
  "revoked",
  /** 401: the token has expired. */
  "expired",
] as const;

export type FaultKind = (typeof kinds)[number];

export interface FaultPlan {
  readonly seed: string;
  /** How likely each is, 0 to 1, in the order of `kinds`; together at most 1. */
  readonly rates: ReadonlyMap<FaultKind, number>;
}

/** A fault of a request, and its strength from 0 to 1. */
export interface InjectedFault {
  readonly kind: FaultKind;
  readonly force: number;
}

/** Rate that the kinds without one of their own share. */
const sharedRate = 0.2;
const rateDigits = 4;

/**
 * Reads `SEED[:KINDS]`, `42:delay=0.2,cut`.
 *
 * Without kinds all of them strike. Those without a rate share one request in five.
 *
 * @throws UsageError `BadValue`
 */
export function readPlan(text: string): FaultPlan {
  const [, seed = "", , given] = /^([^:]*)(:(.*))?$/s.exec(text.trim()) ?? [];
  if (!/^[\w.-]{1,64}$/.test(seed)) {
    throw bad(`begins with a seed of letters and digits, not "${seed.slice(0, 64)}".`);
  }
  const asked = new Map<FaultKind, number | undefined>();
  for (const each of given === undefined ? kinds : given.split(",")) {
    const [name = "", rate] = each.trim().split("=", 2);
    const kind = kinds.find((known) => known === name);
    if (kind === undefined) throw bad(`knows ${kinds.join(", ")}, not "${name.slice(0, 64)}".`);
    if (asked.has(kind)) throw bad(`names ${kind} twice.`);
    asked.set(kind, rate === undefined ? undefined : readRate(kind, rate));
  }
  const sharing = [...asked.values()].filter((rate) => rate === undefined).length;
  const rates = new Map<FaultKind, number>();
  for (const kind of kinds) {
    if (asked.has(kind)) rates.set(kind, asked.get(kind) ?? sharedRate / sharing);
  }
  const sum = [...rates.values()].reduce((total, rate) => total + rate, 0);
  if (sum > 1 + 1e-9) throw bad(`has rates of more than 1 together: ${shown(sum)}.`);
  return { seed, rates };
}

function readRate(kind: FaultKind, text: string): number {
  const rate = /^(0?\.\d{1,4}|[01](\.0{1,4})?)$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0) return rate;
  throw bad(`takes ${kind} with a rate from 0 to 1, not "${text.slice(0, 64)}".`);
}

function bad(what: string): UsageError {
  return new UsageError("BadValue", `--chaos ${what}`);
}

const shown = (rate: number) => String(Number(rate.toFixed(rateDigits)));

/** `Chaos 42: delay=0.2, cut=0.2`. */
export function describePlan({ seed, rates }: FaultPlan): string {
  const each = [...rates].map(([kind, rate]) => `${kind}=${shown(rate)}`);
  return `Chaos ${seed}: ${each.join(", ")}`;
}

/**
 * Faults of the requests of a service, one after the other.
 *
 * The SHA-256 of `SEED METHOD ROUTE NUMBER` (`42 GET /Invoices/{InvoiceID} 17`) decides: its first
 * four bytes, as a fraction of 2^32, fall on a kind or beyond all of them; the next four say how hard.
 */
export function faultsFor({
  seed,
  rates,
}: FaultPlan): (method: string, route: string) => InjectedFault | undefined {
  const counts = new Map<string, number>();
  const { hash } = process.getBuiltinModule("node:crypto");
  return (method, route) => {
    const key = `${method} ${route}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const digest = hash("sha256", `${seed} ${key} ${number}`, "buffer");
    const chance = digest.readUInt32BE(0) / 2 ** 32;
    const force = digest.readUInt32BE(4) / 2 ** 32;
    let below = 0;
    for (const [kind, rate] of rates) {
      below += rate;
      if (chance < below) return { kind, force };
    }
    return undefined;
  };
}
