/**
 * The rate limit of a service, obeyed by all processes of one machine.
 *
 * A service counts the calls of an app on an organisation, whichever process makes them. So a process
 * that was refused writes down in a small file until when, and the others read that before they call.
 * The service is the judge: what the file does not tell, its next answer will.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Why a call is not made now. */
export interface Hold {
  readonly waitMs: number;
  /** The limit, as the service calls it: `minute`, `day`. */
  readonly limit: string;
  /** How long the service said to wait, where that is longer. */
  readonly inAllMs: number;
}

/** Leave to make one call. */
export interface Permit {
  /** The call was let in. */
  admitted(): void;
  /** @param retryAfterMs  as the service said; nothing is written down without it */
  refused(limit: string, retryAfterMs: number | undefined): void;
}

export interface RateLimiter {
  /** A call that is made now, or how long to wait before asking again. */
  acquire(): Permit | Hold;
}

export interface RateLimiterOptions {
  readonly file: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** 0 to 1, spreads those that wait for the same moment. */
  readonly random: () => number;
}

/** Nobody waits longer without asking the service again, which may have changed its mind. */
const heldMaxMs = 300_000;
const spreadMs = 100;
/** Clocks of processes that see the same file differ by no more. */
const clockDriftMs = 1_000;

/** What the service said when it last refused a call; moments in milliseconds since 1970 UTC. */
interface RateRefusal {
  readonly at: number;
  readonly until: number;
  readonly limit: string;
}

/** The limiter that all processes share which name the same file. */
export function rateLimiter({ file, clock, random }: RateLimiterOptions): RateLimiter {
  return {
    acquire() {
      const refusal = read(file);
      const begun = clock();
      if (refusal !== undefined) {
        const until = Math.min(refusal.until, refusal.at + heldMaxMs);
        if (until > begun && refusal.at <= begun + clockDriftMs) {
          const waitMs = until - begun + random() * spreadMs;
          const inAllMs = Math.max(refusal.until - begun, waitMs);
          return { waitMs, limit: refusal.limit, inAllMs };
        }
      }
      return {
        admitted() {
          // The answer to a call of before the refusal says nothing about it.
          if (refusal !== undefined && refusal.at < begun) remove(file, refusal);
        },
        refused(limit, retryAfterMs) {
          const at = clock();
          if (retryAfterMs !== undefined) write(file, { at, until: at + retryAfterMs, limit });
        },
      };
    },
  };
}

/**
 * The name of the file of those whose calls a service counts together: those of an app on an
 * organisation. Neither can be told from it.
 *
 * @param headers  of a request, by lower-case name
 */
export function limiterFileName(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): string {
  const { authorization: token = "", "xero-tenant-id": tenant = "" } = headers;
  const { client_id, sub } = claimsOf(token);
  // An opaque token stands for itself, unless the organisation is known at least.
  const app = client_id === undefined && tenant === "" ? token : String(client_id);
  const owner = tenant === "" ? String(sub) : tenant.toLowerCase();
  return process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(JSON.stringify([baseUrl, app, owner]))
    .digest("hex")
    .slice(0, 32);
}

/** The claims of a token, which are not verified: they only tell one from another. */
function claimsOf(token: string): { client_id?: unknown; sub?: unknown } {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** Undefined where nothing was refused, or the file holds something else. */
function read(file: string): RateRefusal | undefined {
  try {
    const { at, until, limit } = JSON.parse(readFileSync(file, "utf8"));
    return Number.isFinite(at) && Number.isFinite(until) && /^[a-z]+$/.test(limit)
      ? { at, until, limit }
      : undefined;
  } catch {
    return undefined;
  }
}

/** A full or read-only disk keeps nobody from calling. */
function write(file: string, refusal: RateRefusal): void {
  const limit = refusal.limit.replace(/[^a-z]/g, "") || "minute";
  const part = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(part, JSON.stringify({ ...refusal, limit }), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    removeFile(part);
  }
}

/** Unless another process has been refused since. */
function remove(file: string, refusal: RateRefusal): void {
  if (read(file)?.at === refusal.at) removeFile(file);
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A refusal of the past holds no call.
  }
}
