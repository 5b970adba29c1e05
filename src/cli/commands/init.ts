/** `acct init`: creates a book. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDemo, refuseNameIn } from "../../admin/book.ts";
import { type Country, countries } from "../../ledger/regions/index.ts";
import { databaseAddress, folderAddress, withoutPassword } from "../../platform/book-address.ts";
import { build } from "../../platform/version.ts";
import { currencyCodes } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import { organisation, organisationSetting } from "../../resources/organisation.ts";
import { counted } from "../../resources/scalar.ts";
import { fold } from "../../wire/fold.ts";
import { targetOf } from "../connection/choose-target.ts";
import {
  completeOptions,
  habitsOf,
  makeNewBook,
  type NewBook,
  type NewBookOptions,
  refuseExisting,
  reportNewBook,
} from "../connection/make-book.ts";
import { defaultBook } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { toKebab } from "../framework/flags.ts";
import { readAddress } from "../framework/party.ts";
import { parseYearEnd } from "../values/year-end.ts";

export const initCommand = command("init", "make a book")
  .alters()
  .field(
    "name",
    { kind: "text", max: 255, oneLine: true },
    { help: "the organisation whose books these are" },
  )
  .flag("country", `${countries.join(", ")}; gives the chart of accounts and the tax rates`, {
    placeholder: "COUNTRY",
    values: countries,
    read: readCountry,
  })
  .field(
    "currency",
    { kind: "choice", values: currencyCodes },
    { help: "that of the country when not given" },
  )
  .flag("financial-year-end", "such as '31 March' or 03-31; that of the country when not given", {
    placeholder: "DAY",
    read: parseYearEnd,
  })
  .field(
    "tax-basis",
    { kind: "choice", values: organisation.fields.SalesTaxBasis.values },
    { help: "when tax is owed; as is usual in the country when not given" },
  )
  .field(
    "tax-period",
    { kind: "choice", values: organisation.fields.SalesTaxPeriod.values },
    { help: "how often a return is made; as is usual in the country when not given" },
  )
  .field("tax-number", organisationSetting.fields.TaxNumber)
  .flag("address", "where it is: street, line2, city, region, postcode, country", {
    placeholder: "street=...,city=...",
    read: readAddress("--address"),
  })
  .field(
    "bank-account",
    { kind: "text", max: 50, oneLine: true },
    { help: "number of its bank account, which the book then begins with" },
  )
  .flag("seed", "a file of YAML or JSON with what the book begins with: see docs/testing.md", {
    placeholder: "FILE",
    live: "file",
  })
  .example("acct init --name 'Blue Kiln Ltd' --country NZ --data books/")
  .note(
    "The book is made where --book, --database or --data says, or else in the data directory, where every " +
      "command finds it. With --demo it is the sample company, on the chart and at the rates of the country.",
  )
  .asks(async () => (await import("../prompts/wizards/init.ts")).initWizard, "demo")
  .example("acct init --name 'Blue Kiln Ltd' --country NZ")
  .example(
    "acct init --name Kiln --country NZ --tax-number 123-456-789 --bank-account 12-3456-7890123-00 --address 'street=4 Heron Lane,city=Wellington'",
  )
  .example("acct init --demo --country GB --book sample.acct")
  .example("acct init --name 'Blue Kiln Ltd' --country NZ --database postgres://localhost/books")
  .answers("value")
  .action(init);

/** Options that the sample company leaves no choice of. */
const ownOptions = [
  ...(["name", "currency", "financialYearEnd", "taxBasis", "taxPeriod", "taxNumber"] as const),
  ...(["address", "bankAccount", "seed"] as const),
];

function readCountry(text: string): Country {
  const countryWord = text.trim().toUpperCase();
  const code = countryWord === "UK" ? "GB" : countryWord;
  const country = countries.find((value) => value === code);
  if (country !== undefined) return country;
  throw new UsageError(
    "BadValue",
    `--country takes ${countries.join(", ")}, not "${text}"; GLOBAL stands for every other country.`,
  );
}

async function init(ctx: Context, options: NewBookOptions): Promise<void> {
  const place = pathOf(ctx);
  refuseExisting(place);
  const folder = folderAddress(place)?.folder;
  if (ctx.flags.demo) {
    const ownOption = ownOptions.find((name) => options[name] !== undefined);
    if (ownOption !== undefined) {
      const flag = `--${toKebab(ownOption)}`;
      throw new UsageError("BadFlags", `The sample company has its own; leave ${flag} out.`);
    }
    if (folder !== undefined) await refuseNameIn(folder);
    return makeSample(ctx, fileFor(folder, place, "demo"), options.country);
  }
  const seed = options.seed === undefined ? undefined : await seedOf(ctx, options.seed);
  const newBook = completeOptions({ ...seed?.organisation, ...options });
  if (folder !== undefined) await refuseNameIn(folder, newBook.name);
  const path = fileFor(folder, place, newBook.name);
  if (ctx.flags.dryRun) {
    ctx.out.say(
      `Dry run: a book for ${newBook.name} (${newBook.country}: ${habitsOf(newBook)}) would be made at ${withoutPassword(path)}${(await seed?.tried(newBook)) ?? ""}.`,
    );
    return;
  }
  if (seed !== undefined && databaseAddress(path) !== undefined) {
    throw new UsageError("BadFlags", "--seed makes a book in a file; leave --database out.");
  }
  await makeNewBook(ctx, path, newBook, seed?.fill);
  reportNewBook(ctx, path, newBook, folder);
  const shownPath = withoutPassword(path);
  await ctx.out.value({ path: shownPath, name: newBook.name, country: newBook.country }, shownPath);
}

/** Reads a seed, and what it says of the organisation. @throws RefusedError with the line */
async function seedOf(ctx: Context, file: string) {
  const { readSeed } = await import("../../kit/seed/seed-file.ts");
  const { plantSeed } = await import("../../kit/seed/plant-seed.ts");
  const seed = readSeed(file);
  const { country, ...organisation }: NewBookOptions = seed.organisation;
  const fill = async (book: Parameters<typeof plantSeed>[0]) =>
    plantSeed(book, seed, personOf(ctx));
  return {
    organisation:
      country === undefined ? organisation : { ...organisation, country: readCountry(country) },
    fill: async (book: Parameters<typeof plantSeed>[0]) => void (await fill(book)),
    /** Makes the book in a folder that is removed again. @returns the end of a sentence */
    tried: async (newBook: NewBook): Promise<string> => {
      const folder = mkdtempSync(join(tmpdir(), "acct-seed-"));
      let countByNoun: ReadonlyMap<string, number> = new Map();
      try {
        await makeNewBook(ctx, join(folder, "book.acct"), newBook, async (book) => {
          countByNoun = await fill(book);
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const counts = [...countByNoun].map(([noun, count]) => counted(count, noun));
      return counts.length === 0 ? "" : `, with ${counts.join(", ")}`;
    },
  };
}

/** Returns the path of a new book in a folder of books: a file named after the organisation. */
function fileFor(folder: string | undefined, bookPath: string, name: string): string {
  if (folder === undefined) return bookPath;
  const plainName = fold(name)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  const wantedName = plainName === "" ? "book" : plainName;
  for (let count = 1; ; count += 1) {
    const file = join(folder, `${wantedName}${count === 1 ? "" : `-${count}`}.acct`);
    // The directory of the server (users and apps) has that name.
    if (!existsSync(file) && !file.endsWith("/directory.acct")) return file;
  }
}

/** Returns the path of a new book. Here `--demo` chooses the content of the book, not its place. */
function pathOf(ctx: Context): string {
  const { demo, book, database, data, profile, baseUrl } = ctx.flags;
  if (baseUrl !== undefined || profile !== undefined) {
    throw new UsageError("BadFlags", "acct init makes a book in a file; name it with --book.");
  }
  if (demo && database === undefined && data === undefined) {
    return book ?? (ctx.env.ACCT_BOOK || defaultBook(ctx.env));
  }
  const target = demo ? targetOf({ ...ctx.flags, demo: false }, ctx.env, build) : ctx.target();
  if (target.kind === "remote") {
    throw new UsageError(
      "BadFlags",
      `A book is a file, and ${target.baseUrl} is a service; use --book.`,
    );
  }
  // In a database the organisation is new, so the address goes without one.
  return databaseAddress(target.path)?.url ?? target.path;
}

async function makeSample(ctx: Context, path: string, country?: Country): Promise<void> {
  if (ctx.flags.dryRun) {
    ctx.out.say(`Dry run: the sample company would be made at ${withoutPassword(path)}.`);
    return;
  }
  await makeDemo(path, country);
  const displayPath = withoutPassword(path);
  ctx.out.say(`Made the sample company at ${displayPath}.`);
  await ctx.out.value({ path: displayPath }, displayPath);
}
