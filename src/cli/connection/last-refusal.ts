/**
 * The last command that was refused on this machine, for `acct explain refusal`.
 *
 * Its verb and the sentences are kept, and none of its words: they may hold secrets. What cannot be
 * kept is not: a command that failed has said why.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UsageError,
} from "../../resources/errors.ts";
import { type Env, stateDir } from "../context/config.ts";

export interface LastRefusal {
  /** `payment apply`. */
  readonly command: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly kind: RefusalKind;
  readonly code?: string | undefined;
  readonly message: string;
  /** Every fault by itself, where there are several. */
  readonly details: readonly string[];
  /** The details, or the message where there are none, without what was typed: it decides no rule. */
  readonly deciding?: readonly string[] | undefined;
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

/** Most sentences, and characters of each, that are kept. */
const detailsMax = 50;
const messageMax = 2_000;

const fileOf = (env: Env) => join(stateDir(env), "last-refusal.json");

/**
 * @param words  the nouns and verbs of the command, none of its arguments
 * @param typed  the command line, of which nothing is kept
 */
export function keepRefusal(
  env: Env,
  error: unknown,
  words: readonly string[],
  at: number,
  typed: readonly string[] = [],
): void {
  if (!(error instanceof AcctError) || words[0] === "explain" || words.length === 0) return;
  const kind = kinds.find(([type]) => error instanceof type)?.[1] ?? "refused";
  const kept: LastRefusal = {
    command: words.join(" "),
    at,
    kind,
    code: error.code,
    message: error.message.slice(0, messageMax),
    details: error.details.slice(0, detailsMax).map(({ message }) => message.slice(0, messageMax)),
  };
  const told = kept.details.length > 0 ? kept.details : [kept.message];
  const records = error.details.flatMap(({ record = "" }) => [record, ...record.split(", ")]);
  const deciding = told.map((sentence) => withoutTyped(sentence, words, [...typed, ...records]));
  const isSame = deciding.every((sentence, place) => sentence === told[place]);
  const file = fileOf(env);
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(stateDir(env), { recursive: true, mode: 0o700 });
    writeFileSync(written, `${JSON.stringify({ ...kept, ...(isSame ? {} : { deciding }) })}\n`, {
      mode: 0o600,
    });
    chmodSync(written, 0o600);
    renameSync(written, file);
  } catch {
    // A full or read-only disk: the sentence was told.
  }
}

/** A sentence in which an ellipsis stands for each argument, value of a flag and name of a record. */
function withoutTyped(
  sentence: string,
  words: readonly string[],
  typed: readonly string[],
): string {
  const values = typed
    .filter((word) => !words.includes(word))
    .map((word) => word.replace(/^--[\w-]+=?/, ""))
    .flatMap((word) => [word, ...word.split(/[,=]/)])
    .filter((value) => value.length > 1)
    .sort((a, b) => b.length - a.length);
  return values.reduce((left, value) => left.replace(wordsOf(value), "…"), sentence);
}

/** Finds a text where it stands by itself, in any letter case. */
const wordsOf = (text: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(text)}(?![\\p{L}\\p{N}])`, "giu");

/** @returns undefined where nothing is kept, or nothing that can be read */
export async function lastRefusal(env: Env): Promise<LastRefusal | undefined> {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(env), "utf8"));
    return isRefusal(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isRefusal(read: unknown): read is LastRefusal {
  if (typeof read !== "object" || read === null) return false;
  const {
    command,
    at,
    kind,
    code,
    message,
    details,
    deciding = [],
  } = read as Record<string, unknown>;
  return (
    Array.isArray(deciding) &&
    deciding.every((detail) => typeof detail === "string") &&
    typeof command === "string" &&
    ["string", "undefined"].includes(typeof code) &&
    Number.isSafeInteger(at) &&
    kinds.some(([, known]) => known === kind) &&
    typeof message === "string" &&
    Array.isArray(details) &&
    details.every((detail) => typeof detail === "string")
  );
}
