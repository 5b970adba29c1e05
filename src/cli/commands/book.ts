/** `acct book`: the book file itself. */
import { bookInfo, change, copy, verify } from "../../admin/book.ts";
import type { ReadSeal } from "../../admin/seal.ts";
import { databaseAddress, withoutPassword } from "../../platform/book-address.ts";
import { UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { bookPath, bookToVerify } from "../connection/book-path.ts";
import { upgradingOf } from "../connection/guard.ts";
import { type Child, type Flag, personOf } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { sayChanges } from "../framework/confirm.ts";
import { dayOrNone } from "../framework/flags.ts";
import { requireChange } from "../framework/input.ts";
import {
  backupCommand,
  deskOf,
  mebibytes,
  refuseFaults,
  restoreCommand,
  sayUnlogged,
} from "./book-backup.ts";
import { upgradeCommand } from "./book-upgrade.ts";

const infoCommand = command("info", "what is in the book, and where it is")
  .alias("show")
  .example("acct book info -o json")
  .answers("value")
  .action(async (ctx) => {
    const {
      path,
      bytes,
      organisation: own,
      counts,
      schema,
    } = await bookInfo(await bookPath(ctx, "acct book"));
    const lines = [
      ["Organisation", own.Name],
      ["Country", own.CountryCode],
      ["Currency", own.BaseCurrency],
      [
        "Lock dates",
        [own.PeriodLockDate, own.EndOfYearLockDate].filter(Boolean).join(", ") || "none",
      ],
      ...Object.entries(counts).map(([plural, count]) => [plural, String(count)]),
      ...(bytes === undefined
        ? [["Database", path]]
        : [
            ["File", path],
            ["Size", mebibytes(bytes)],
          ]),
    ];
    const width = Math.max(...lines.map(([label = ""]) => label.length));
    const text = lines.map(([label = "", value]) => `${label.padEnd(width)}  ${value}`).join("\n");
    const { Name, CountryCode, BaseCurrency, PeriodLockDate, EndOfYearLockDate } = own;
    const shownFields = { Name, CountryCode, BaseCurrency, PeriodLockDate, EndOfYearLockDate };
    const { version: SchemaVersion, fingerprint: SchemaFingerprint, state: SchemaState } = schema;
    const tables = { SchemaVersion, SchemaFingerprint, SchemaState };
    await ctx.out.value({ path, bytes, organisation: shownFields, counts, ...tables }, text);
  });

const verifyCommand = command("verify", "check that everything in the book adds up")
  .note(
    "The file is looked at first, by the checks of the database itself. Then every figure that follows " +
      "from others is worked out again and compared, on accrual and on cash basis: documents from " +
      "their lines, what they post, payments, allocations, transfers and manual journals, balances, " +
      "control accounts, stock, tax rates from their components, counters from the numbers in use, " +
      "and the bytes of files.",
  )
  .note(
    "Last, every record is compared with the hash chain that each write has extended: one that was " +
      "changed, added or taken away outside of the program is named with the link that wrote it, " +
      "also where nothing else in the book tells. What is wrong is said line by line: exit 5.",
  )
  .flag(
    "since",
    "prove that history has only grown since: a file of acct book seal, or the mark in it",
    { placeholder: "SEAL", live: "file" },
  )
  .flag("allowed-signers", "the seal must be signed by somebody on this list, as OpenSSH has it", {
    placeholder: "FILE",
    live: "file",
  })
  .example("acct book verify --book quay.acct")
  .example("acct book verify --since quay.seal --allowed-signers signers")
  .answers("value")
  .action(async (ctx, { since: named, allowedSigners }) => {
    if (named === undefined && allowedSigners !== undefined) {
      throw new UsageError(
        "MissingValue",
        "--allowed-signers is for a seal: name it with --since.",
      );
    }
    const path = await bookToVerify(ctx, "acct book");
    const since =
      named === undefined
        ? undefined
        : (await import("../../admin/seal.ts")).readSeal(named, allowedSigners);
    const { checks, faults } = await verify(
      path,
      since && { ...since, number: since.links, hash: since.head },
      { upgrading: upgradingOf(ctx) },
    );
    const width = Math.max(...checks.map(({ count }) => String(count).length));
    const lines = checks.map(({ name, count }) => `${String(count).padStart(width)}  ${name}`);
    if (faults.length === 0) lines.push(...sinceWords(since), "Everything adds up.");
    const displayPath = withoutPassword(path);
    await ctx.out.value({ path: displayPath, checks, faults }, lines.join("\n"));
    refuseFaults(`The book ${displayPath}`, faults);
  });

/** Describes the result of a verification against a seal, with the principal of its signature. */
function sinceWords(since: ReadSeal | undefined): readonly string[] {
  if (since === undefined) return [];
  const { sealed, signature } = since;
  const when = sealed === undefined ? "" : ` on ${sealed.slice(0, 10)}`;
  const sentence = `What was sealed${when} stands as it was.`;
  if (signature === undefined) return [sentence];
  const { signer, key } = signature;
  return signer === undefined
    ? [sentence, `The seal is signed with ${key}; whose that is, --allowed-signers tells.`]
    : [sentence, `The seal is signed by ${signer}, with ${key}.`];
}

const sealCommand = command("seal", "print the head of the hash chain, to be kept elsewhere")
  .flag(
    "sign",
    "sign it with a key of OpenSSH: the path of the private key, or of a public one of an agent",
    { placeholder: "KEY", live: "file" },
  )
  .note(
    "What is written later does not change what was sealed: acct book verify --since proves that " +
      "history has only grown. Keep seals where nobody who can write to the book can write to them.",
  )
  .example("acct book seal > quay.seal")
  .example("acct book seal --sign ~/.ssh/id_ed25519 > quay.seal")
  .answers("value")
  .action(async (ctx, { sign }) => {
    const path = await bookPath(ctx, "acct book");
    const { seal, markOf } = await import("../../admin/seal.ts");
    const madeSeal = await seal(path, { ...deskOf(ctx), sign });
    const { text, unlogged: _unlogged, ...facts } = madeSeal;
    await ctx.out.value({ ...facts, seal: markOf(madeSeal), text }, text.trimEnd());
    sayUnlogged(ctx, madeSeal);
  });

/** Lock dates as they are given; null lifts a lock. */
export interface LockDateOptions {
  readonly periodLockDate?: string | null | undefined;
  readonly endOfYearLockDate?: string | null | undefined;
}

export const lockDateFlags = (): readonly Flag[] => [
  ownFlag("period-lock-date", "nothing may change on or before it", {
    placeholder: "DATE|none",
    read: dayOrNone("--period-lock-date"),
  }),
  ownFlag("end-of-year-lock-date", "as above, for years that are closed", {
    placeholder: "DATE|none",
    read: dayOrNone("--end-of-year-lock-date"),
  }),
];

/** Returns the lock dates that were given as settings, in which undefined lifts a lock. */
export function lockDatesIn({ periodLockDate: period, endOfYearLockDate: year }: LockDateOptions) {
  return {
    ...(period === undefined ? {} : { PeriodLockDate: period ?? undefined }),
    ...(year === undefined ? {} : { EndOfYearLockDate: year ?? undefined }),
  };
}

const setCommand = command("set", "change what the books of the organisation go by")
  .alters()
  .answers(organisation)
  .flags<LockDateOptions>(lockDateFlags)
  .field(
    "legal-name",
    { kind: "text", max: 255, oneLine: true },
    { help: "as it stands on documents" },
  )
  .field(
    "tax-number",
    { kind: "text", max: 50, oneLine: true },
    { help: "its number with the tax office" },
  )
  .field(
    "registration-number",
    { kind: "text", max: 50, oneLine: true },
    { help: "its number in the register" },
  )
  .example("acct book set --period-lock-date 2026-03-31")
  .example("acct book set --period-lock-date none")
  .action(async (ctx, options) => {
    requireChange(options);
    const path = await bookPath(ctx, "acct book");
    const { legalName, taxNumber, registrationNumber } = options;
    const settings = {
      ...lockDatesIn(options),
      ...(legalName === undefined ? {} : { LegalName: legalName }),
      ...(taxNumber === undefined ? {} : { TaxNumber: taxNumber }),
      ...(registrationNumber === undefined ? {} : { RegistrationNumber: registrationNumber }),
    };
    const former = (await bookInfo(path)).organisation;
    if (ctx.flags.dryRun) return sayChanges(ctx, organisation, former, { ...former, ...settings });
    const organisationAfter = await change(path, settings, { ...personOf(ctx), clock: ctx.clock });
    await ctx.out.record(organisation, organisationAfter);
  });

const copyCommand = command("copy", "copy a book into a database, out of one, or to another file")
  .alters()
  .argument("FROM", "a file, or postgres://user@host/database#organisation")
  .argument("TO", "a file that is not there yet, or postgres://user@host/database")
  .note(
    "Everything in the book is copied, with its history and its files, in one piece: the copy is " +
      "compared with the original and looked over before it counts. An organisation that is there " +
      "already is left as it is, and nothing is copied.",
  )
  .note("People, apps and what they were allowed belong to the server, and stay behind.")
  .example("acct book copy quay.acct postgres://acct@localhost/books")
  .example("acct book copy 'postgres://acct@localhost/books#Quay Books' quay.acct")
  .answers("value")
  .action(async (ctx, from, to) => {
    const fromTo = `${withoutPassword(from)} to ${withoutPassword(to)}`;
    if (databaseAddress(to)?.organisation !== undefined) {
      throw new UsageError(
        "BadValue",
        "A copy keeps its name: leave out what follows the # of TO.",
      );
    }
    if (ctx.flags.dryRun) {
      const { organisation: own } = await bookInfo(from);
      return ctx.out.say(`${own.Name} would be copied from ${fromTo}.`);
    }
    const copyResult = await copy(from, to, deskOf(ctx));
    const { name, tables, checks } = copyResult;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const filledTables = tables.filter((table) => table.rows > 0);
    const width = Math.max(...filledTables.map((contents) => String(contents.rows).length));
    const lines = filledTables.map((each) => `${String(each.rows).padStart(width)}  ${each.table}`);
    await ctx.out.value({ name, tables, checks }, lines.join("\n"));
    ctx.out.say(`Copied ${name} from ${fromTo}: ${rows} rows, all equal, and everything adds up.`);
    sayUnlogged(ctx, copyResult);
  });

export const bookVerbs: readonly Child[] = [
  infoCommand,
  verifyCommand,
  sealCommand,
  setCommand,
  backupCommand,
  restoreCommand,
  copyCommand,
  upgradeCommand,
];
