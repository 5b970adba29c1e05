/** Creates a book, for `acct init` and for commands that find none. */
import { existsSync } from "node:fs";
import { makeBook } from "../../admin/book.ts";
import { type Country, regionOf } from "../../ledger/regions/index.ts";
import { databaseAddress, withoutPassword } from "../../platform/book-address.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { type Organisation, taxBases, taxPeriods } from "../../resources/organisation.ts";
import { defaultBook } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import type { Address } from "../framework/party.ts";
import type { YearEnd } from "../values/period-words.ts";
import { quoteFor } from "../values/quote.ts";
import { writeYearEnd } from "../values/year-end.ts";

type TaxBasis = Organisation["SalesTaxBasis"];
type TaxPeriod = Organisation["SalesTaxPeriod"];

export interface NewBookOptions {
  readonly name?: string | undefined;
  readonly country?: Country | undefined;
  readonly currency?: string | undefined;
  readonly financialYearEnd?: YearEnd | undefined;
  readonly taxBasis?: TaxBasis | undefined;
  readonly taxPeriod?: TaxPeriod | undefined;
  readonly taxNumber?: string | undefined;
  readonly address?: Address | undefined;
  /** Number of the bank account that the book begins with. */
  readonly bankAccount?: string | undefined;
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
    refuseUnusual("--tax-basis", others.taxBasis, country, basesIn(country));
    refuseUnusual("--tax-period", others.taxPeriod, country, periodsIn(country));
    return { ...others, name, country };
  }
  throw new UsageError(
    "MissingValue",
    "A new book needs --name and --country, such as acct init --name 'Blue Kiln Ltd' --country NZ.",
  );
}

function refuseUnusual(
  flag: string,
  value: string | undefined,
  country: Country,
  values: readonly string[],
): void {
  if (value === undefined || values.includes(value)) return;
  throw new UsageError(
    "BadValue",
    `${flag} takes ${values.join(", ")} in ${regionOf(country).name}, not ${value}.`,
  );
}

/** Returns the tax bases that a country permits. */
export function basesIn(country: Country): readonly TaxBasis[] {
  return taxBases[regionOf(country).version as keyof typeof taxBases];
}

/** Returns the periods of tax returns that a country permits. */
export function periodsIn(country: Country): readonly TaxPeriod[] {
  return taxPeriods[regionOf(country).version as keyof typeof taxPeriods];
}

/**
 * Describes settings: `NZD, year end 31 March, tax on the basis INVOICE`: as given, else the
 * defaults of the country; and what else is given.
 */
export function habitsOf(newBook: NewBook): string {
  const { country, currency, financialYearEnd, taxBasis } = newBook;
  const { baseCurrency, yearEnd, salesTaxBasis } = regionOf(country);
  const end = writeYearEnd(financialYearEnd ?? yearEnd);
  const { taxPeriod, taxNumber, address, bankAccount } = newBook;
  return [
    `${currency ?? baseCurrency}, year end ${end}, tax on the basis ${taxBasis ?? salesTaxBasis}`,
    ...(taxPeriod === undefined ? [] : [`returns ${taxPeriod}`]),
    ...(taxNumber === undefined ? [] : [`tax number ${taxNumber}`]),
    ...(address === undefined ? [] : [`address ${Object.values(address).join(", ")}`]),
    ...(bankAccount === undefined ? [] : [`bank account ${bankAccount}`]),
  ].join(", ");
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
  const { financialYearEnd: yearEnd, bankAccount: bankAccountNumber, ...others } = newBook;
  const bookInput = { ...others, yearEnd, bankAccountNumber };
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
  { name, bankAccount, taxNumber }: NewBook,
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
  const next = [
    ...(bankAccount === undefined ? ["account create --type BANK"] : []),
    ...(taxNumber === undefined
      ? ["organisation update (address, tax number, period of returns)"]
      : []),
    ...["opening set (balances so far)", "contact create", "invoice create"],
  ];
  ctx.out.say(`Next: ${acct} ${next.join(", ")}.`);
}

/** Refuses an existing path, before any question or change; a book is never overwritten. */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new RefusedError(
    "BookExists",
    `There is a file at ${path} already; name another with --book.`,
  );
}
