/**
 * `acct server`: backups of a folder or database of books, with the directory of users and apps.
 */
import {
  backUpServer,
  listSpareSets,
  newestSet,
  restoreServer,
  rotateKeys,
  type ServerPlace,
  serverPlace,
} from "../../admin/serve-book.ts";
import { type KeepRule, readKeepRule } from "../../platform/keep-rule.ts";
import { UsageError } from "../../resources/errors.ts";
import { servedPath } from "../connection/book-path.ts";
import type { Child, Context } from "../context/context.ts";
import { command, group } from "../framework/command.ts";
import { type Interval, readInterval, schedulers } from "../values/interval.ts";
import {
  backupEvery,
  deskOf,
  oneAtATime,
  printSchedule,
  refuseFaults,
  sayUnlogged,
  sentenceOf,
} from "./book-backup.ts";

/**
 * Returns the place of a whole server.
 *
 * @throws UsageError for a service, a single organisation, or the file of one book
 */
async function wholeServer(ctx: Context, verb: "backup" | "restore"): Promise<ServerPlace> {
  const what = `acct server ${verb}`;
  if (ctx.flags.tenant !== undefined) {
    const message = `${what} is about all organisations of a server: leave out --tenant.`;
    throw new UsageError("BadFlags", message);
  }
  const target = ctx.target();
  const server = target.kind === "remote" ? undefined : await serverPlace(target.path);
  if (server !== undefined) return server;
  const address = target.kind === "remote" ? target.baseUrl : target.path;
  const message = `${what} takes --data, a folder of books, or --database, and not ${address}; acct book ${verb} is for the file of one book, which has its people and apps in it.`;
  throw new UsageError("BadFlags", message);
}

interface BackupOptions {
  readonly every?: Interval | undefined;
  readonly keep?: KeepRule | undefined;
  readonly print?: (typeof schedulers)[number] | undefined;
}

const backupCommand = command(
  "backup",
  "copy all books with people and apps, while they are served",
)
  .argument("FOLDER", "of backups, each in a folder of its own with the time in its name", {
    live: "file",
  })
  .flag(
    "keep",
    "the newest backup of each of so many hours, days, weeks, months and years is kept: 7d,4w,12m",
    { placeholder: "RULE", read: readKeepRule },
  )
  .flag("every", "a backup at once and then every 15m, 1h, 6h or 1d, until it is told to end", {
    placeholder: "TIME",
    read: readInterval,
  })
  .field(
    "print",
    { kind: "choice", values: schedulers },
    {
      help: "print what has this program of the system start a backup --every so often, and make none",
    },
  )
  .note(
    "All books and the directory, which has people, roles, apps, consents and keys, are copied as " +
      "they are at one moment, whoever works on them meanwhile. Each is looked over, and the " +
      "backup gets its name when all of it is whole: one that was cut off is none, and those " +
      "before it stay. Passwords and secrets of apps are hashes in it. The key of plans is not in " +
      "it, nor are mails in outbox folders.",
  )
  .note(
    "A book that is damaged, or does not add up, is said by name: exit 5. The others are backed up " +
      "all the same, and nothing is removed.",
  )
  .example("acct server backup /mnt/backups --data books")
  .example("acct server backup /mnt/backups --database postgres://acct@localhost/books")
  .example("acct server backup /mnt/backups --data books --every 1h --keep 48h,7d,4w,12m")
  .action(async (ctx, folder, { every, keep: rule, print }: BackupOptions) => {
    const server = await wholeServer(ctx, "backup");
    if (print !== undefined) {
      const flag = server.folder === undefined ? "--database" : "--data";
      const placeFlags = [flag, server.said];
      return printSchedule(ctx, { noun: "server", place: placeFlags, folder, every, rule, print });
    }
    if (ctx.flags.dryRun) {
      const surplusNames = await listSpareSets(folder, server, { clock: ctx.clock, rule });
      ctx.out.say(`${server.said} would be copied into ${folder}.`);
      for (const name of surplusNames) ctx.out.say(`${name} would be removed.`);
      return;
    }
    const options = { ...deskOf(ctx), rule };
    const takeBackup = () => oneAtATime(folder, () => backUpServer(folder, server, options));
    if (every !== undefined) {
      return backupEvery(ctx, { path: server.said, folder, every, noLog: true, once: takeBackup });
    }
    const backup = await takeBackup();
    const { path, organisations, bytes, version, faults, removed } = backup;
    const value = { path, of: server.said, organisations, bytes, version, faults, removed };
    await ctx.out.value(value, path);
    ctx.out.say(sentenceOf(backup));
    sayUnlogged(ctx, backup);
    refuseFaults(
      "The server was copied as far as it goes, and nothing was removed; but it",
      faults,
    );
  });

const restoreCommand = command("restore", "make a server of a backup, where nothing is yet")
  .alters()
  .argument("BACKUP", "the folder of one, or of several, of which the newest is taken", {
    live: "file",
  })
  .switch("force", "also one with books that do not add up, or without some that were damaged")
  .note(
    "Every file is compared with the list of the backup and looked over first. --data names a folder " +
      "that is not there yet, or is empty, and --database an empty database: a backup of " +
      "either is restored to either. All of it is there at the end, or nothing.",
  )
  .note("People sign in as before, and apps call. Plans that were made before are made anew.")
  .example("acct server restore /mnt/backups --data books")
  .example("acct server restore /mnt/backups/books.2026-03-05T140000Z --data again")
  .example("acct server restore /mnt/backups --database postgres://acct@localhost/again")
  .action(async (ctx, source, { force }: { readonly force?: boolean | undefined }) => {
    const server = await wholeServer(ctx, "restore");
    const set = await newestSet(source);
    const moment = new Date(set.at).toISOString();
    ctx.out.say(
      `Takes the backup of ${moment.slice(0, 19)}Z: what was written later is not in it.`,
    );
    const { dryRun } = ctx.flags;
    const restored = await restoreServer(set, server, { ...deskOf(ctx), force, dryRun });
    const { faults, name, organisations } = restored;
    if (dryRun) return ctx.out.say(`${name} would be restored to ${server.said}.`);
    await ctx.out.value(
      { place: server.said, from: set.path, moment, organisations, faults },
      server.said,
    );
    ctx.out.say(`Restored ${name} to ${server.said}.`);
    for (const fault of faults) ctx.out.say(`It does not add up: ${fault}`);
    sayUnlogged(ctx, restored);
  });

const rotateCommand = command("rotate", "have tokens signed with a new key")
  .alters()
  .note(
    "The new key signs after two minutes, when every process of the server knows it. Tokens of the key " +
      "before are taken until the last of them is over, 34 minutes from now; nobody signs in again.",
  )
  .example("acct server keys rotate --data books")
  .action(async (ctx) => {
    const path = await servedPath(ctx, "acct server keys rotate");
    if (ctx.flags.dryRun) return ctx.out.say("A new key would be made.");
    const { kid, signsFrom, until } = await rotateKeys(path, deskOf(ctx));
    await ctx.out.value({ kid, signsFrom, until }, kid);
    const [from, to] = [signsFrom, until].map((at) => new Date(at).toISOString().slice(11, 16));
    ctx.out.say(
      `The new key signs from ${from} UTC; tokens of the one before are taken until ${to} UTC.`,
    );
  });

export const serverVerbs: readonly Child[] = [
  backupCommand,
  restoreCommand,
  group("keys", "the keys that tokens are signed with", [rotateCommand]),
];
