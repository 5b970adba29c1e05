/** Creates a book, for `acct init` and for commands that find none. */
import { existsSync } from "node:fs";
import { makeBook } from "../../admin/book.ts";
import { type Country, regionOf } from "../../ledger/regions/index.ts";
import { databaseAddress, withoutPassword } from "../../platform/book-address.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { type Organisation, taxBases } from "../../resources/organisation.ts";
import { defaultBook } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import type { YearEnd } from "../values/period-words.ts";
import { quoteFor } from "../values/quote.ts";
import { writeYearEnd } from "../values/year-end.ts";

type TaxBasis = Organisation["SalesTaxBasis"];

export interface NewBookOptions {
  readonly name?: string | undefined;
  readonly country?: Country | undefined;
  readonly currency?: string | undefined;
  readonly financialYearEnd?: YearEnd | undefined;
  readonly taxBasis?: TaxBasis | undefined;
  /** Path of a file with what the book begins with. */
  readonly seed?: string | undefined;
}

/** The options of a new book: name and country are required. */
export type NewBook = NewBookOptions & { readonly name: string; readonly country: Country };

/**
 * Checks and completes the options of a new book.
 *
 * @throws UsageError where they are invalid
 */
export function completeOptions({ name, country, ...others }: NewBookOptions): NewBook {
  if (name !== undefined && country !== undefined) {
    const { taxBasis } = others;
    const bases = basesIn(country);
    if (taxBasis === undefined || bases.includes(taxBasis)) return { ...others, name, country };
    throw new UsageError(
      "BadValue",
      `--tax-basis takes ${bases.join(", ")} in ${regionOf(country).name}, not ${taxBasis}.`,
    );
  }
  throw new UsageError(
    "MissingValue",
    "A new book needs --name and --country, such as acct init --name 'Blue Kiln Ltd' --country NZ.",
  );
}

/** Returns the tax bases that a country permits. */
export function basesIn(country: Country): readonly TaxBasis[] {
  return taxBases[regionOf(country).version as keyof typeof taxBases];
}

/**
 * Describes settings: `NZD, year end 31 March, tax on the basis INVOICE`: as given, else the
 * defaults of the country.
 */
export function habitsOf({ country, currency, financialYearEnd, taxBasis }: NewBook): string {
  const { baseCurrency, yearEnd, salesTaxBasis } = regionOf(country);
  const end = writeYearEnd(financialYearEnd ?? yearEnd);
  return `${currency ?? baseCurrency}, year end ${end}, tax on the basis ${taxBasis ?? salesTaxBasis}`;
}

/**
 * Creates the book file and closes it.
 *
 * @param fill  makes what the book begins with
 * @throws RefusedError `BookExists`
 */
export async function makeNewBook(
  ctx: Context,
  path: string,
  newBook: NewBook,
  fill?: Parameters<typeof makeBook>[3],
): Promise<void> {
  const { name, country, currency, financialYearEnd: yearEnd, taxBasis } = newBook;
  const bookInput = { name, country, currency, yearEnd, taxBasis };
  await makeBook(path, bookInput, { clock: ctx.clock, ...personOf(ctx) }, fill);
}

/**
 * Reports the path of the new book and the next steps.
 *
 * @param folder  the folder of books that holds it, if any
 */
export function reportNewBook(
  ctx: Context,
  path: string,
  { name }: NewBook,
  folder?: string | undefined,
): void {
  const isInDatabase = databaseAddress(path) !== undefined;
  const isFound = path === defaultBook(ctx.env) || path === ctx.env.ACCT_BOOK;
  const shownPath = withoutPassword(path);
  const quote = quoteFor(ctx.env, process.platform);
  const database = ctx.env.ACCT_DATABASE ? "" : ` --database ${quote(shownPath)}`;
  const data = folder === undefined || ctx.env.ACCT_DATA ? "" : ` --data ${quote(folder)}`;
  const isOneOfMany = isInDatabase || folder !== undefined;
  const tenantFlags = `${isInDatabase ? database : data} --tenant ${quote(name)}`;
  const elsewhere = isOneOfMany ? tenantFlags : ` --book ${quote(path)}`;
  const acct = isFound ? "acct" : `acct${elsewhere}`;
  ctx.out.say(`Made the book of ${name} ${isInDatabase ? "in the database" : "at"} ${shownPath}.`);
  ctx.out.say(
    `Next: ${acct} account create --type BANK, organisation update (address, tax number, period of returns), contact create, invoice create.`,
  );
}

/** Refuses an existing path, before any question or change; a book is never overwritten. */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new RefusedError(
    "BookExists",
    `There is a file at ${path} already; name another with --book.`,
  );
}
