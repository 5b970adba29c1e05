/** `acct book backup` and `acct book restore`: backups of a book file, single or scheduled. */
import { extname, join, resolve } from "node:path";
import {
  type ActLogged,
  backUp,
  backUpInto,
  expectLogs,
  type LogRecorder,
  type MadeBackup,
  makeSeries,
  newestBackup,
  type OperatorContext,
  occupantOf,
  recordLog,
  restore,
  spareAfter,
  versionIn,
} from "../../admin/book.ts";
import { type KeepRule, readKeepRule, writeKeepRule } from "../../platform/keep-rule.ts";
import { shutdownSignal } from "../../platform/shutdown.ts";
import { AcctError, RefusedError, UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { bookFile } from "../connection/book-path.ts";
import { type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { PartlyDoneError } from "../render/error.ts";
import { machineDayOf } from "../values/date-flags.ts";
import { type Interval, readInterval, scheduleLines, schedulers } from "../values/interval.ts";

/** Returns `quay.2026-03-05.backup` for `quay.acct`: a name that a folder of books ignores. */
function pathBeside(path: string, day: string, purpose: string): string {
  return `${stemOf(path)}.${day}.${purpose}`;
}

const stemOf = (path: string) => path.slice(0, path.length - extname(path).length);

export const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

export const deskOf = (ctx: Context): OperatorContext => ({
  operator: personOf(ctx),
  clock: ctx.clock,
});

/** Warns that the operation is missing from the log, as of a book on a read-only disk. */
export function sayUnlogged(ctx: Context, { unlogged }: ActLogged): void {
  if (unlogged !== undefined) ctx.out.say(`This is not in the audit log. ${unlogged}`);
}

/**
 * Refuses to continue where verification found faults.
 *
 * @throws RefusedError `DoesNotAddUp`
 */
export function refuseFaults(subject: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const details = faults.map((message) => ({ message }));
  throw new RefusedError("DoesNotAddUp", `${subject} does not add up.`, details);
}

interface BackupOptions {
  readonly force?: boolean | undefined;
  readonly every?: Interval | undefined;
  readonly keep?: KeepRule | undefined;
  readonly noLog?: boolean | undefined;
  readonly print?: (typeof schedulers)[number] | undefined;
}

export const backupCommand = command("backup", "copy the file of the book, also while it is in use")
  .optionalArgument("FILE", "where to; beside the book, with the date in its name, when not given")
  .switch("force", "write over a file that is there already")
  .flag(
    "keep",
    "FILE is a folder; in it the newest backup of each of so many hours, days, weeks, months and years is kept: 7d,4w,12m",
    { placeholder: "RULE", read: readKeepRule },
  )
  .flag(
    "every",
    "FILE is a folder; a backup at once and then every 15m, 1h, 6h or 1d, until it is told to end",
    { placeholder: "TIME", read: readInterval },
  )
  .switch("no-log", "with --every: whole backups alone, and not the log between them")
  .field(
    "print",
    { kind: "choice", values: schedulers },
    {
      help: "print what has this program of the system start a backup --every so often, and make none",
    },
  )
  .note(
    "The copy is the book of one moment, whoever works on it meanwhile. It is looked over before it " +
      "gets its name, and is for you alone to read. Attachments are in it; mails in the outbox " +
      "folder beside the book are not, nor people and apps of a folder of books: acct server backup " +
      "copies those.",
  )
  .note(
    "A book that does not add up is copied all the same, as it is, and then said to be one: exit 5.",
  )
  .note(
    "With --keep or --every the backups have the time in their names, in a folder of their own. What the rule does not keep " +
      "is removed once a new backup is whole and adds up; nothing that this command did not write " +
      "there is touched, nor is anything after a backup that failed.",
  )
  .note(
    "Between two backups --every keeps the log of the book, all that is committed, copied every ten seconds: " +
      "acct book restore --at goes back to any moment since the oldest backup that is kept with its " +
      "log. The log goes with its backup, so that 48h in the rule means any moment of two days. While " +
      "it is kept the book counts as in use, and cannot be restored.",
  )
  .example("acct book backup")
  .example("acct book backup /mnt/stick/quay.backup --book quay.acct")
  .example("acct book backup /mnt/backups --every 1h --keep 48h,7d,4w,12m")
  .example("acct book backup /mnt/backups --every 1h --keep 7d,4w,12m --print systemd")
  .action(async (ctx, file, options: BackupOptions) => {
    const path = await bookFile(ctx, "acct book backup").catch((error) => {
      throw withServerBackup(error);
    });
    if (options.keep !== undefined || options.every !== undefined) {
      return backupSeries(ctx, path, file ?? `${stemOf(path)}.backups`, options);
    }
    if (options.print !== undefined) {
      throw new UsageError("BadFlags", "--print goes with --every, which says how often.");
    }
    const to = file ?? pathBeside(path, machineDayOf(ctx.clock()), "backup");
    if (ctx.flags.dryRun) {
      await versionIn(path);
      return ctx.out.say(`${path} would be copied to ${to}.`);
    }
    const backedUp = await backUp(path, to, { ...deskOf(ctx), force: options.force });
    const { bytes, name, version, faults, path: made } = backedUp;
    await ctx.out.value({ path: made, of: path, organisation: name, bytes, version, faults }, made);
    ctx.out.say(`Backed up ${name}, ${mebibytes(bytes)}, to ${made}.`);
    sayUnlogged(ctx, backedUp);
    refuseFaults("The book was copied as it is, but it", faults);
  });

/** Adds a hint at `acct server backup` to an error about several organisations. */
function withServerBackup(error: unknown): unknown {
  if (!(error instanceof UsageError && /^(WhichOrganisation|BadFlags)$/.test(error.code)))
    return error;
  const message = `${error.message} acct server backup takes all of a folder or a database, with people and apps.`;
  return new UsageError(error.code, message, error.details);
}

// --- scheduled backups
// -----------------------------------------------------------------------------

/** Maximum wait for another backup of the same folder, in milliseconds. */
const waitMaxMs = 600_000;

async function backupSeries(
  ctx: Context,
  path: string,
  folder: string,
  { force, every, keep: rule, noLog = false, print }: BackupOptions,
): Promise<void> {
  if (force === true) {
    const message = "--force writes over one file; a folder of backups takes a new one each time.";
    throw new UsageError("BadFlags", message);
  }
  if (noLog && every === undefined) {
    throw new UsageError("BadFlags", "--no-log goes with --every, which keeps one.");
  }
  if (print !== undefined) {
    return printSchedule(ctx, {
      noun: "book",
      place: ["--book", resolve(path)],
      folder,
      every,
      rule,
      print,
    });
  }
  if (ctx.flags.dryRun) {
    await versionIn(path);
    const surplusNames = await spareAfter(folder, path, { clock: ctx.clock, rule });
    ctx.out.say(`${path} would be copied into ${folder}.`);
    for (const name of surplusNames) ctx.out.say(`${name} would be removed.`);
    return;
  }
  const once = (recorder?: LogRecorder) =>
    oneAtATime(folder, () => backUpInto(folder, path, { ...deskOf(ctx), rule, recorder }));
  if (every !== undefined) return backupEvery(ctx, { path, folder, every, noLog, once });
  const made = await once();
  const { bytes, name, version, faults, removed } = made;
  const value = { path: made.path, of: path, organisation: name, bytes, version, faults, removed };
  await ctx.out.value(value, made.path);
  ctx.out.say(sentenceOf(made));
  sayUnlogged(ctx, made);
  refuseFaults("The book was copied as it is, and nothing was removed; but it", faults);
}

export async function oneAtATime<T>(folder: string, action: () => Promise<T>): Promise<T> {
  await makeSeries(folder);
  const { whileLocked } = await import("../../client/session/lock.ts");
  return (await whileLocked(join(folder, ".lock"), { waitMaxMs }, action)) as T;
}

export function sentenceOf({ name, bytes, path, removed }: MadeBackup): string {
  const also = removed.length === 0 ? "" : ` Removed ${counted(removed.length, "older one")}.`;
  return `Backed up ${name}, ${mebibytes(bytes)}, to ${path}.${also}`;
}

/** Minimum pause between full backups, in milliseconds; a lost log is followed by a full backup. */
const pauseMinMs = 10_000;

interface ByTheClock {
  /** Path of the book whose log is archived. */
  readonly path: string;
  readonly folder: string;
  readonly every: Interval;
  readonly noLog: boolean;
  readonly once: (recorder?: LogRecorder) => Promise<MadeBackup & ActLogged>;
}

/**
 * Backs up at once and then at intervals, until SIGTERM or Ctrl-C; a running backup is completed.
 *
 * @throws PartlyDoneError where the last backup failed, InterruptedError
 */
export async function backupEvery(
  ctx: Context,
  { path, folder, every, noLog, once }: ByTheClock,
): Promise<void> {
  const { setTimeout: sleep } = await import("node:timers/promises");
  const shutdown = shutdownSignal(ctx.interrupted);
  const aborter = new AbortController();
  const stopped = shutdown.come.then(() => aborter.abort());
  let lost = new AbortController();
  const onEnd = (error: AcctError) => {
    const isLost = error.code === "LogLost";
    const nextBackup = isLost ? "A whole backup follows" : "The next whole backup begins another";
    sayAt(ctx, `The log is kept no longer: ${error.message} ${nextBackup}.`);
    if (isLost) lost.abort();
  };
  const list = expectedOf(ctx, folder);
  const onKept = list.expect;
  const recorder = noLog ? undefined : await recordLog(path, { clock: ctx.clock, onEnd, onKept });
  let failure: string | undefined;
  const waitUntil = async (at: number, ...signals: AbortSignal[]) => {
    const signal = AbortSignal.any(signals);
    const wait = sleep(Math.max(0, at - ctx.clock()), undefined, { signal });
    await wait.catch((error: Error) => {
      if (error.name !== "AbortError") throw error;
    });
  };
  try {
    while (!aborter.signal.aborted) {
      const beganAt = ctx.clock();
      lost = new AbortController();
      failure = await loggedBackup(ctx, () => once(recorder));
      await waitUntil(beganAt + every.ms, aborter.signal, lost.signal);
      if (lost.signal.aborted) await waitUntil(beganAt + pauseMinMs, aborter.signal);
    }
    await stopped;
  } finally {
    recorder?.close();
    shutdown.stopListening();
    await list.written();
  }
  if (failure !== undefined) {
    throw new PartlyDoneError(`The last backup failed: ${failure}`);
  }
  ctx.interrupted.throwIfAborted();
}

/**
 * Updates the manifest of a backup folder with the moment up to which its logs reach, after the
 * logs are written.
 */
function expectedOf(ctx: Context, folder: string) {
  let momentByPath = new Map<string, number>();
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (momentByPath.size > 0) {
      const logMomentByPath = momentByPath;
      momentByPath = new Map();
      await oneAtATime(folder, () => expectLogs(folder, logMomentByPath)).catch((error) => {
        if (!(error instanceof AcctError)) throw error;
        sayAt(ctx, `The list does not say how far the log leads: ${error.message}`);
      });
    }
    writing = undefined;
  };
  return {
    expect(path: string, at: number): void {
      momentByPath.set(path, at);
      writing ??= write();
    },
    written: async () => writing,
  };
}

/** Prints a message on its own line, with the time. */
function sayAt(ctx: Context, text: string): void {
  ctx.out.say(`${new Date(ctx.clock()).toISOString().slice(0, 19)}Z  ${text}`);
}

/**
 * Runs a backup and logs the result.
 *
 * @returns the reason of a failure
 */
async function loggedBackup(
  ctx: Context,
  takeBackup: () => Promise<MadeBackup & ActLogged>,
): Promise<string | undefined> {
  try {
    const backup = await takeBackup();
    sayAt(ctx, sentenceOf(backup));
    sayUnlogged(ctx, backup);
    if (backup.faults.length === 0) return undefined;
    const [first = ""] = backup.faults;
    const message = `The book does not add up: ${first}`;
    sayAt(ctx, `${message} Nothing was removed.`);
    return message;
  } catch (error) {
    if (!(error instanceof AcctError)) throw error;
    sayAt(ctx, `Backup failed: ${error.message} Nothing was removed.`);
    return error.message;
  }
}

interface BackupSchedule {
  readonly noun: "book" | "server";
  /** The flag that names the place being backed up, with its value. */
  readonly place: readonly string[];
  readonly folder: string;
  readonly every: Interval | undefined;
  readonly rule: KeepRule | undefined;
  readonly print: (typeof schedulers)[number];
}

export async function printSchedule(
  ctx: Context,
  { noun, place, folder, every, rule, print }: BackupSchedule,
): Promise<void> {
  if (every === undefined || rule === undefined) {
    throw new UsageError("BadFlags", "--print goes with --every and --keep.");
  }
  const words = ["acct", noun, "backup", resolve(folder), "--keep", writeKeepRule(rule)];
  const text = scheduleLines(print, every, [...words, ...place]);
  await ctx.out.value({ scheduler: print, text }, text);
}

// --- restore -------------------------------------------------------------------------------------

interface RestoreOptions {
  readonly force?: boolean | undefined;
  readonly at?: number | undefined;
  readonly acceptLoss?: boolean | undefined;
}

export const restoreCommand = command("restore", "put a backup in the place of the book")
  .alters()
  .argument("FILE", "the backup, or a folder of backups, of which the newest is taken", {
    live: "file",
  })
  .switch("force", "also one that does not add up")
  .switch("accept-loss", "of a folder: also where a backup or the end of its log is gone")
  .flag(
    "at",
    "of a folder: the book as it was at 2026-03-05T14:30Z, by the newest backup before and its log",
    { placeholder: "TIME", read: readMoment },
  )
  .note(
    "The backup is looked over first, and stays where it is. A book that is there already is kept " +
      "beside it, under a name that is then said. While anybody has that book open, a server " +
      "for one, nothing is changed.",
  )
  .example("acct book restore quay.2026-03-05.backup --book quay.acct")
  .example("acct book restore /mnt/backups --at 2026-03-05T14:30Z --book quay.acct")
  .action(async (ctx, source, { force, ...which }: RestoreOptions) => {
    const path = await bookFile(ctx, "acct book restore", true);
    const { file, log, until } = await backupAt(ctx, source, which);
    await versionIn(file);
    const isThere = (await occupantOf(path)) !== "nothing";
    if (ctx.flags.dryRun) {
      return ctx.out.say(
        `${file} would ${isThere ? "take the place of" : "be copied to"} ${path}.`,
      );
    }
    if (isThere) await confirm(ctx, `Put ${file} in the place of the book at ${path}?`);
    const options = {
      ...deskOf(ctx),
      kept: pathBeside(path, machineDayOf(ctx.clock()), "replaced"),
      force,
      log,
    };
    const restored = await restore(path, file, options);
    const { kept, bytes, name, version, faults } = restored;
    const moment = until === undefined ? undefined : new Date(until).toISOString();
    const value = { path, from: file, moment, kept, organisation: name, bytes, version, faults };
    await ctx.out.value(value, path);
    ctx.out.say(`Restored ${name}, ${mebibytes(bytes)}, to ${path}.`);
    if (kept !== undefined) ctx.out.say(`The book that was there is kept at ${kept}.`);
    sayUnlogged(ctx, restored);
  });

/** Returns the named backup file, or in a folder the backup that leads nearest to a moment. */
async function backupAt(ctx: Context, folder: string, { at, acceptLoss }: RestoreOptions) {
  const { statSync } = process.getBuiltinModule("node:fs");
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) {
    if (at === undefined && acceptLoss !== true) {
      return { file: folder, log: undefined, until: undefined };
    }
    const flag = at === undefined ? "--accept-loss" : "--at";
    throw new UsageError("BadFlags", `${flag} is for a folder of backups.`);
  }
  const { path, log, at: begun, until } = await newestBackup(folder, at ?? ctx.clock(), acceptLoss);
  const time = (momentMs: number) => `${new Date(momentMs).toISOString().slice(0, 19)}Z`;
  const andLog = time(until) === time(begun) ? "" : ` and its log up to ${time(until)}`;
  ctx.out.say(
    `Takes the backup of ${time(begun)}${andLog}: what was written to the book later is not in it.`,
  );
  return { file: path, log, until };
}

/**
 * Parses a moment, in milliseconds since 1970 UTC.
 *
 * @throws UsageError
 */
function readMoment(text: string): number {
  const [, day, time = "", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text.trim(),
    ) ?? [];
  // A day without a time means its end.
  const at = Date.parse(`${day}T${time === "" ? "23:59:59.999" : time}${zone}`);
  if (!Number.isNaN(at)) return at;
  const message = `--at takes a moment, 2026-03-05T14:00Z, or a day; not "${text}".`;
  throw new UsageError("BadValue", message);
}
