/**
 * What the processes of one machine know together of how often they may call.
 *
 * A service lets an app call so often, whoever of it calls. So each process says in a small file
 * when it begins a call, how many are left by the answer, and until when it was told to wait; and
 * reads there what the others said before it calls. Lines are only added, each in one piece: nobody
 * holds a lock that could outlive him, and a line that was torn counts for nothing. The file is an
 * estimate and the service the judge: without it calls are refused and made again, and no more.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Why a call is not made now. */
export interface Hold {
  readonly waitMs: number;
  /** What the service calls the limit; undefined where the calls at hand are used up. */
  readonly told: string | undefined;
  /** How long the service said to wait, where that is longer. */
  readonly inAllMs: number;
}

/** A call that may be made. */
export interface Ticket {
  /** @param headers  of the answer, by lower-case name */
  answered(headers: Readonly<Record<string, string>>): void;
  /** It did not count. @param retryAfterMs  what the service said, if it did */
  refused(limit: string, retryAfterMs: number | undefined): void;
  /** No answer came. @param isSent  whether it may have arrived */
  lost(isSent: boolean): void;
}

export interface Budget {
  /** A call that is made now, or how long to wait before asking again. */
  take(): Ticket | Hold;
}

const windowMs = 60_000;
/** A service may count the calls of a second together. */
const grainMs = 1_000;
const rememberedMs = 2 * windowMs;
/** Nobody waits longer without asking the service again, which may have changed its mind. */
const heldMaxMs = 300_000;
/** With so many left nobody need take turns, and the file would only become long. */
const ampleFrom = 200;
/** How long too many at a time is remembered, and how many are then begun. @source published figures */
const crowdedMs = 10_000;
const crowdMax = 5;
const againMs = 100;
const fileBytesMax = 32_768;

export interface BudgetOptions {
  readonly file: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** 0 to 1, spreads those that wait for the same moment. */
  readonly random: () => number;
}

/** Calls of this process, so that each has a name of its own. */
let count = 0;

/** The budget that all processes share who know of the same file. */
export function budgetIn(options: BudgetOptions): Budget {
  const { file, clock } = options;
  return {
    take() {
      const known = read(file);
      const before = held(known, options);
      if (before !== undefined) return before;
      count += 1;
      const id = `${process.pid.toString(36)}-${count.toString(36)}-${mark(options.random())}`;
      if (isAmple(known, clock())) return ticketOf(options, id, known.left?.at);
      if (known.characters > fileBytesMax) tidy(file, clock());
      append(file, ["c", id, clock()]);
      // Others may have begun at the same moment: the file has an order, and the first go first.
      const hold = held(read(file), options, id);
      if (hold !== undefined) append(file, ["x", id, clock()]);
      return hold ?? ticketOf(options, id);
    },
  };
}

const mark = (random: number) => Math.floor(random * 36 ** 4).toString(36);

/** @param saidAt  when somebody last said that there are plenty of calls, which is not said often */
function ticketOf({ file, clock }: BudgetOptions, id: string, saidAt?: number): Ticket {
  const say = (...line: (string | number)[]) => append(file, line);
  return {
    answered: (headers) => {
      const told = headers["x-minlimit-remaining"] ?? "";
      const left = /^-?\d{1,9}$/.test(told) ? told : "-";
      const now = clock();
      const isKnown = saidAt !== undefined && now < saidAt + grainMs && Number(left) > ampleFrom;
      if (!isKnown) say("a", id, now, left);
    },
    refused: (limit, retryAfterMs) => {
      const now = clock();
      const until = retryAfterMs === undefined ? "-" : now + retryAfterMs;
      say("r", id, now, until, limit.replace(/[^a-z]/g, "") || "limit");
    },
    lost: (isSent) => (isSent ? say("a", id, clock(), "-") : say("x", id, clock())),
  };
}

/**
 * The name of the file of those whose calls a service counts together: those of an app on an
 * organisation. It tells nothing to whoever reads it.
 *
 * @param headers  of a request, by lower-case name
 */
export function fileOf(baseUrl: string, headers: Readonly<Record<string, string>>): string {
  const { authorization: token = "", "xero-tenant-id": tenant = "" } = headers;
  const { client_id, sub } = claimsOf(token);
  // A token that says nothing stands for itself, unless the organisation is known at least.
  const app = client_id === undefined && tenant === "" ? token : String(client_id);
  const whose = tenant === "" ? String(sub) : tenant.toLowerCase();
  return process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(JSON.stringify([baseUrl, app, whose]))
    .digest("hex")
    .slice(0, 32);
}

/** What a token says of itself; it is not believed, only told from others. */
function claimsOf(token: string): { client_id?: unknown; sub?: unknown } {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

// --- what the file says ----------------------------------------------------------------------

interface Call {
  readonly at: number;
  /** When it was answered, or lost. */
  endedAt?: number;
}

interface Known {
  /** Those that count or may count, in the order in which they were begun. */
  readonly calls: Map<string, Call>;
  left: { readonly at: number; readonly calls: number } | undefined;
  told: { readonly at: number; readonly until: number; readonly limit: string } | undefined;
  /** How many a minute has, at least: what was left by an answer, and what was used up before it. */
  limit: number;
  /** When it was last seen that others call too, of whom nothing is known here. */
  strangersAt: number;
  crowdedAt: number;
  readonly characters: number;
}

function read(file: string): Known {
  let text = "";
  try {
    text = readFileSync(file, "latin1");
  } catch {
    // Nobody has said anything yet, or nobody can.
  }
  const known: Known = {
    calls: new Map(),
    left: undefined,
    told: undefined,
    limit: 0,
    strangersAt: Number.NEGATIVE_INFINITY,
    crowdedAt: Number.NEGATIVE_INFINITY,
    characters: text.length,
  };
  for (const line of text.split("\n")) {
    const [kind = "", id = "", at = "", value = "", limit = ""] = line.split(" ");
    const reading = readings[kind];
    if (reading !== undefined && /^\d{13}$/.test(at)) reading(known, id, Number(at), value, limit);
  }
  return known;
}

type Reading = (known: Known, id: string, at: number, value: string, limit: string) => void;

const readings: Readonly<Record<string, Reading>> = {
  c: ({ calls }, id, at) => {
    calls.set(id, { at });
    // What is two minutes old matters to nobody; those that began first stand first.
    for (const [old, each] of calls) {
      if (each.at > at - rememberedMs) break;
      calls.delete(old);
    }
  },
  x: ({ calls }, id) => void calls.delete(id),
  a: (known, id, at, value) => {
    const call = known.calls.get(id);
    if (call !== undefined) call.endedAt = at;
    if (!/^-?\d+$/.test(value)) return;
    if (call !== undefined) compare(known, call, at, Number(value));
    // Of answers to calls that were under way together, the lower is the later.
    const { left } = known;
    const isOld = left !== undefined && call !== undefined && call.at <= left.at;
    if (isOld && Number(value) > left.calls) return;
    known.left = { at, calls: Number(value) };
    // Whoever was let in since knows better than whoever was not.
    const { told } = known;
    if (told !== undefined && Number(value) > 0 && (call?.at ?? 0) > told.at)
      known.told = undefined;
  },
  r: (known, id, at, value, limit) => {
    known.calls.delete(id);
    if (limit === "concurrent") known.crowdedAt = at;
    else if (limit === "minute") known.left = { at, calls: 0 };
    if (!/^\d+$/.test(value)) return;
    const told = { at, until: Number(value), limit };
    known.told = told;
    if (limit === "minute" && told.until < ownUntil(known, at) - grainMs) known.strangersAt = at;
  },
};

/**
 * Compares what an answer says is left with the calls that are known.
 *
 * Those that had ended before this one began, less than a minute ago, are among what was used up; so
 * a minute has no fewer than they and what is left. Where more was used up than there were calls from
 * here, the others are somebody else's.
 */
function compare(known: Known, call: Call, at: number, left: number): void {
  let surely = 1;
  let atMost = 0;
  for (const each of known.calls.values()) {
    if (isCounted(each, call.at) && each.at <= at) atMost += 1;
    if (each.at > at - windowMs && (each.endedAt ?? at) < call.at) surely += 1;
  }
  known.limit = Math.max(known.limit, left + surely);
  if (known.limit - left > atMost) known.strangersAt = at;
}

const hasEnded = ({ endedAt }: Call) => endedAt !== undefined;

/** When the first of the calls that are known is a minute old, so that the service forgets it. */
function ownUntil({ calls }: Known, now: number): number {
  const oldest = [...calls.values()].find((call) => hasEnded(call) && isCounted(call, now));
  return (oldest?.at ?? now) + windowMs;
}

/** @param id  of a call that is begun already: only those before it are in its way */
function held(known: Known, { clock, random }: BudgetOptions, id?: string): Hold | undefined {
  const now = clock();
  const { told } = known;
  if (told !== undefined) {
    const until = Math.min(told.until, told.at + heldMaxMs);
    // A clock that was put back says nothing.
    if (until > now && told.at <= now + grainMs) {
      const waitMs = until - now + random() * againMs;
      return { waitMs, told: told.limit, inAllMs: Math.max(told.until - now, waitMs) };
    }
  }
  const mine = id === undefined ? undefined : known.calls.get(id);
  const before = callsBefore(known.calls, mine).filter((call) => isCounted(call, now));
  const underWay = before.filter((call) => !hasEnded(call) && call.at > now - windowMs);
  if (now - known.crowdedAt < crowdedMs && underWay.length >= crowdMax) {
    return waiting(againMs * (1 + random()));
  }
  return heldForMinute(known, before, now, random);
}

/** @param before  the calls of this minute in whose order it is to wait */
function heldForMinute(
  known: Known,
  before: readonly Call[],
  now: number,
  random: () => number,
): Hold | undefined {
  const { left, told, limit, strangersAt } = known;
  if (left === undefined || !isFresh(left.at, now)) return undefined;
  const underWay = before.filter((call) => !hasEnded(call) && call.at > now - windowMs).length;
  const soon = waiting(againMs * (1 + random()));
  if (told?.limit === "minute" && told.until <= now) {
    // One is free since then, as the service said; the answer to the first will tell of more.
    const first = before.find(({ at }) => at >= told.until);
    if (first === undefined) return undefined;
    if (left.at < told.until) return hasEnded(first) ? undefined : soon;
  }
  const gone = now - windowMs - grainMs;
  // What was a minute old then may be among those that were left.
  const since = left.at - windowMs;
  const freed = [...known.calls.values()].filter(({ at }) => at > since && at <= gone).length;
  const free = left.calls + freed;
  if (free > underWay) return undefined;
  // Those under way leave none; how many there are really, their answers will tell.
  if (free > 0) return soon;
  // One is free when the oldest call is a minute old; where that is another's, the service knows.
  // So it is where those from here are not enough to use up a minute.
  const oldest = before.find(hasEnded);
  if (oldest === undefined) return undefined;
  const isAnothers = now - strangersAt < windowMs || before.length < limit;
  if (isAnothers) return underWay === 0 ? undefined : soon;
  return waiting(oldest.at - gone + random() * againMs);
}

/** Whether a service may count it among those of a minute. */
function isCounted({ at }: Call, now: number): boolean {
  return at > now - windowMs - grainMs;
}

function isFresh(at: number, now: number): boolean {
  return at > now - windowMs && at <= now + grainMs;
}

function isAmple({ left, crowdedAt }: Known, now: number): boolean {
  return (
    left !== undefined &&
    isFresh(left.at, now) &&
    left.calls > ampleFrom &&
    now - crowdedAt >= crowdedMs
  );
}

function waiting(waitMs: number): Hold {
  return { waitMs, told: undefined, inAllMs: waitMs };
}

function callsBefore(calls: ReadonlyMap<string, Call>, mine: Call | undefined): Call[] {
  const before: Call[] = [];
  for (const call of calls.values()) {
    if (call === mine) break;
    before.push(call);
  }
  return before;
}

// --- writing it ------------------------------------------------------------------------------

/** What cannot be said is not said: a command that could do its work does it. */
function append(file: string, line: readonly (string | number)[]): void {
  const text = `${line.join(" ")}\n`;
  try {
    appendFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // A full or a read-only disk.
    }
  }
}

/** Leaves out what no longer matters; what others say in the meantime may be lost. */
function tidy(file: string, now: number): void {
  const known = read(file);
  if (known.characters < fileBytesMax) return;
  const lines: (string | number)[][] = [];
  for (const [id, { at, endedAt }] of known.calls) {
    if (at <= now - rememberedMs) continue;
    lines.push(["c", id, at], ...(endedAt === undefined ? [] : [["a", id, endedAt, "-"]]));
  }
  if (known.left !== undefined) lines.push(["a", "-", known.left.at, known.left.calls]);
  const { told } = known;
  // What it said is of use for a while after that moment, too.
  if (told !== undefined && told.until > now - windowMs)
    lines.push(["r", "-", told.at, told.until, told.limit]);
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, lines.map((line) => `${line.join(" ")}\n`).join(""), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // The file stays as long as it is.
  }
}
