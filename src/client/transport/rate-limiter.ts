/**
 * Rate limiter of a service, shared by all processes of the machine.
 *
 * A service counts the calls per app and organisation, across processes. A refused process writes
 * the end of the wait to a small file, which the others read before they call. The service has the
 * last word: its next answer corrects what the file lacks.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Why a call has to wait. */
export interface WaitReason {
  readonly waitMs: number;
  /** Name of the limit in the service: `minute`, `day`. */
  readonly limit: string;
  /** Total wait that the service stated, where it is longer. */
  readonly inAllMs: number;
}

/** Permission for one call. */
export interface Permit {
  /** Reports that the call was admitted. */
  admitted(): void;
  /**
   * Reports that the call was refused.
   *
   * @param retryAfterMs  as the service stated; without it nothing is stored
   */
  refused(limit: string, retryAfterMs: number | undefined): void;
}

export interface RateLimiter {
  /** Returns a permit for a call, or how long to wait before asking again. */
  acquire(): Permit | WaitReason;
}

export interface RateLimiterOptions {
  readonly file: string;
  /** Clock in milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Returns 0 to 1, to spread processes that wait for the same moment. */
  readonly random: () => number;
}

/** Maximum wait before the service is called again, since its limit may have changed. */
const heldMaxMs = 300_000;
const spreadMs = 100;
/** Maximum clock difference of processes that share the file. */
const clockDriftMs = 1_000;

/** The last refusal by the service; times in milliseconds since 1970 UTC. */
interface RateRefusal {
  readonly at: number;
  readonly until: number;
  readonly limit: string;
}

/** Returns the limiter shared by all processes that use the same file. */
export function rateLimiter({ file, clock, random }: RateLimiterOptions): RateLimiter {
  return {
    acquire() {
      const refusal = read(file);
      const beginMs = clock();
      if (refusal !== undefined) {
        const untilMs = Math.min(refusal.until, refusal.at + heldMaxMs);
        if (untilMs > beginMs && refusal.at <= beginMs + clockDriftMs) {
          const waitMs = untilMs - beginMs + random() * spreadMs;
          const inAllMs = Math.max(refusal.until - beginMs, waitMs);
          return { waitMs, limit: refusal.limit, inAllMs };
        }
      }
      return {
        admitted() {
          // The answer to a call begun before the refusal says nothing about it.
          if (refusal !== undefined && refusal.at < beginMs) remove(file, refusal);
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
 * Returns a file name shared by all calls that a service counts together, per app and organisation.
 * It is a hash, which reveals neither.
 *
 * @param headers  request headers, by lower-case name
 */
export function limiterFileName(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): string {
  const { authorization: token = "", "xero-tenant-id": tenant = "" } = headers;
  const { client_id, sub } = claimsOf(token);
  // An opaque token identifies the app by itself, unless the organisation is known.
  const app = client_id === undefined && tenant === "" ? token : String(client_id);
  const owner = tenant === "" ? String(sub) : tenant.toLowerCase();
  return process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(JSON.stringify([baseUrl, app, owner]))
    .digest("hex")
    .slice(0, 32);
}

/** Decodes the claims of a token without verification, since they only distinguish apps. */
function claimsOf(token: string): { client_id?: unknown; sub?: unknown } {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** Reads the last refusal; undefined where there is none, or the file is invalid. */
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

/** Writes a refusal; a full or read-only disk is ignored. */
function write(file: string, refusal: RateRefusal): void {
  const limit = refusal.limit.replace(/[^a-z]/g, "") || "minute";
  const partFile = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(partFile, JSON.stringify({ ...refusal, limit }), { mode: 0o600 });
    renameSync(partFile, file);
  } catch {
    removeFile(partFile);
  }
}

/** Removes a refusal, unless another process has stored a newer one. */
function remove(file: string, refusal: RateRefusal): void {
  if (read(file)?.at === refusal.at) removeFile(file);
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // An old refusal delays no call.
  }
}
