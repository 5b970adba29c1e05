/** `acct book`: the book file itself. */
import { change, copy, lookAt, verify } from "../../client/embedded.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { databaseAddress, withoutPassword } from "../../wire/database-address.ts";
import { bookPath } from "../book-path.ts";
import { sayChanges } from "../change.ts";
import { command, group, type Reading } from "../command.ts";
import { readField } from "../flags.ts";

const infoCommand = command("info", "what is in the book, and where it is")
  .alias("show")
  .example("acct book info -o json")
  .action(async (ctx) => {
    const {
      path,
      bytes,
      organisation: own,
      counts,
    } = await lookAt(await bookPath(ctx, "acct book"));
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
            ["Size", `${(bytes / 1024 / 1024).toFixed(1)} MiB`],
          ]),
    ];
    const width = Math.max(...lines.map(([label = ""]) => label.length));
    const text = lines.map(([label = "", value]) => `${label.padEnd(width)}  ${value}`).join("\n");
    const { Name, CountryCode, BaseCurrency, PeriodLockDate, EndOfYearLockDate } = own;
    const shown = { Name, CountryCode, BaseCurrency, PeriodLockDate, EndOfYearLockDate };
    await ctx.out.value({ path, bytes, organisation: shown, counts }, text);
  });

const verifyCommand = command("verify", "check that everything in the book adds up")
  .note("Every journal sums to zero, control accounts equal their documents, sums equal postings.")
  .action(async (ctx) => {
    const path = await bookPath(ctx, "acct book");
    const { checks, faults } = await verify(path);
    const width = Math.max(...checks.map(({ count }) => String(count).length));
    const lines = checks.map(({ name, count }) => `${String(count).padStart(width)}  ${name}`);
    if (faults.length === 0) lines.push("Everything adds up.");
    const said = withoutPassword(path);
    await ctx.out.value({ path: said, checks, faults }, lines.join("\n"));
    if (faults.length === 0) return;
    throw new RefusedError(
      "DoesNotAddUp",
      `The book ${said} does not add up.`,
      faults.map((fault) => ({ message: fault })),
    );
  });

/** A day, or `none` to lift a lock. */
const lockDay = (flag: string) => (text: string, reading: Reading) =>
  text.toLowerCase() === "none"
    ? null
    : (readField({ kind: "date" }, text, flag, reading) as string);

const setCommand = command("set", "change what the books of the organisation go by")
  .flag("period-lock-date", {
    placeholder: "DATE|none",
    help: "nothing may change on or before it",
    read: lockDay("--period-lock-date"),
  })
  .flag("end-of-year-lock-date", {
    placeholder: "DATE|none",
    help: "as above, for years that are closed",
    read: lockDay("--end-of-year-lock-date"),
  })
  .field("legal-name", { kind: "text", max: 255 }, { help: "as it stands on documents" })
  .field("tax-number", { kind: "text", max: 50 }, { help: "its number with the tax office" })
  .field("registration-number", { kind: "text", max: 50 }, { help: "its number in the register" })
  .example("acct book set --period-lock-date 2026-03-31")
  .example("acct book set --period-lock-date none")
  .action(async (ctx, options) => {
    if (Object.keys(options).length === 0) {
      throw new UsageError(
        "MissingValue",
        "Nothing to change was given; see --help for what can be.",
      );
    }
    const path = await bookPath(ctx, "acct book");
    const before = (await lookAt(path)).organisation;
    if (ctx.flags.dryRun) {
      const { periodLockDate, endOfYearLockDate, legalName, taxNumber, registrationNumber } =
        options;
      const after = {
        ...before,
        ...(periodLockDate === undefined ? {} : { PeriodLockDate: periodLockDate ?? undefined }),
        ...(endOfYearLockDate === undefined
          ? {}
          : { EndOfYearLockDate: endOfYearLockDate ?? undefined }),
        ...(legalName === undefined ? {} : { LegalName: legalName }),
        ...(taxNumber === undefined ? {} : { TaxNumber: taxNumber }),
        ...(registrationNumber === undefined ? {} : { RegistrationNumber: registrationNumber }),
      };
      return sayChanges(ctx, organisation, before, after);
    }
    await ctx.out.record(organisation, await change(path, options));
  });

const copyCommand = command("copy", "copy a book into a database, out of one, or to another file")
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
  .action(async (ctx, from, to) => {
    const said = `${withoutPassword(from)} to ${withoutPassword(to)}`;
    if (databaseAddress(to)?.organisation !== undefined) {
      throw new UsageError(
        "BadValue",
        "A copy keeps its name: leave out what follows the # of TO.",
      );
    }
    if (ctx.flags.dryRun) {
      const { organisation: own } = await lookAt(from);
      return ctx.out.say(`${own.Name} would be copied from ${said}.`);
    }
    const { name, tables, checks } = await copy(from, to);
    const rows = tables.reduce((sum, each) => sum + each.rows, 0);
    const used = tables.filter((each) => each.rows > 0);
    const width = Math.max(...used.map((each) => String(each.rows).length));
    const lines = used.map((each) => `${String(each.rows).padStart(width)}  ${each.table}`);
    await ctx.out.value({ name, tables, checks }, lines.join("\n"));
    ctx.out.say(`Copied ${name} from ${said}: ${rows} rows, all equal, and everything adds up.`);
  });

export const bookNoun = group(
  "book",
  "the book file itself",
  [infoCommand, verifyCommand, setCommand, copyCommand],
  { aliases: ["books"] },
);
