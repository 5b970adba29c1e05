/**
 * Stores the last refused command on this machine, for `acct explain refusal`.
 *
 * The verb and the messages are stored, but no argument, since arguments may be secrets. A failure
 * to store is ignored: the error was already reported.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AcctError,
  AuthError,
  type Detail,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UsageError,
} from "../../resources/errors.ts";
import { type Env, stateDir } from "../context/config.ts";

export interface LastRefusal {
  /** Noun and verb: `payment apply`. */
  readonly command: string;
  /** Time of the refusal, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly kind: RefusalKind;
  readonly code?: string | undefined;
  readonly message: string;
  /** The faults of the refusal, each with its rule where it has one. */
  readonly faults: readonly { readonly message: string; readonly rule?: string | undefined }[];
}

type RefusalKind = "usage" | "notFound" | "permission" | "refused" | "unavailable";

const kinds = [
  [UsageError, "usage"],
  [NotFoundError, "notFound"],
  [AuthError, "permission"],
  [UnavailableError, "unavailable"],
  [RefusedError, "refused"],
] as const satisfies readonly (readonly [
  abstract new (...values: never) => AcctError,
  RefusalKind,
])[];

/** Maximum count of stored messages. */
const detailsMax = 50;
const messageMax = 2_000;

const fileOf = (env: Env) => join(stateDir(env), "last-refusal.json");

/**
 * Stores a refusal.
 *
 * @param words  the nouns and verbs of the command, without arguments
 */
export function saveRefusal(env: Env, error: unknown, words: readonly string[], at: number): void {
  if (!(error instanceof AcctError) || words[0] === "explain" || words.length === 0) return;
  const { details, message } = error;
  const faults = error instanceof RefusedError ? error.faults : details;
  const list: readonly Detail[] = faults.length > 0 ? faults : [{ message }];
  const refusal: LastRefusal = {
    command: words.join(" "),
    at,
    kind: kinds.find(([type]) => error instanceof type)?.[1] ?? "refused",
    code: error.code,
    message: message.slice(0, messageMax),
    faults: list
      .slice(0, detailsMax)
      .map((fault) => ({ message: fault.message.slice(0, messageMax), rule: fault.rule })),
  };
  const file = fileOf(env);
  const writtenPath = `${file}.${process.pid}`;
  try {
    mkdirSync(stateDir(env), { recursive: true, mode: 0o700 });
    writeFileSync(writtenPath, `${JSON.stringify(refusal)}\n`, { mode: 0o600 });
    chmodSync(writtenPath, 0o600);
    renameSync(writtenPath, file);
  } catch {
    // A full or read-only disk is ignored: the error was already reported.
  }
}

/**
 * Returns the stored refusal.
 *
 * @returns undefined where there is none, or the file is not valid
 */
export async function lastRefusal(env: Env): Promise<LastRefusal | undefined> {
  try {
    const content: unknown = JSON.parse(readFileSync(fileOf(env), "utf8"));
    return isRefusal(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isRefusal(content: unknown): content is LastRefusal {
  if (typeof content !== "object" || content === null) return false;
  const { command, at, kind, code, message, faults } = content as Record<string, unknown>;
  return (
    typeof command === "string" &&
    ["string", "undefined"].includes(typeof code) &&
    Number.isSafeInteger(at) &&
    kinds.some(([, known]) => known === kind) &&
    typeof message === "string" &&
    Array.isArray(faults) &&
    faults.every((fault: unknown) => typeof (fault as Detail | null)?.message === "string")
  );
}
