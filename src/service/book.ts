/**
 * A book: the accounts of one organisation in one file, with the service on top of it.
 *
 * What is done to a book as a whole (making it, opening it, looking it over) is here; what is done
 * to the records in it goes through the service like every other request.
 */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, extname } from "node:path";
import { type Country, classOf, type Region } from "../ledger/regions/region.ts";
import { effectiveRate } from "../ledger/tax.ts";
import type { Account } from "../resources/account.ts";
import type { Percent } from "../resources/decimal.ts";
import { NotFoundError, RefusedError } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { account, contact, invoice, item, payment, taxRate } from "../resources/index.ts";
import type { Organisation } from "../resources/organisation.ts";
import {
  createOrganisation,
  type Listing,
  organisationOf,
  organisations,
  updateOrganisation,
} from "../store/organisations.ts";
import { list, save } from "../store/records.ts";
import { sqliteDialect } from "../store/sqlite.ts";
import { openStore, type Store } from "../store/store.ts";
import type { Verification } from "../store/verify.ts";
import type { Transport } from "../wire/http.ts";
import { createService, type Service, type ServiceOptions } from "./app.ts";
import { systemUser } from "./call.ts";
import type { StoredTaxRate } from "./chart.ts";
import type { CisSettings } from "./cis.ts";
import { idsFrom } from "./ids.ts";
import type { Limiter } from "./limits.ts";
import { type Mailer, outboxMailer, smtpMailer } from "./mail.ts";
import type { RateSource } from "./rates.ts";
import type { Owner } from "./seed.ts";

/** Where `acct serve` listens unless told otherwise; addresses in answers of a book begin so. */
export const defaultOrigin = "http://127.0.0.1:9320";
export const apiRoot = "/api.xro/2.0";

/** How a book is served to others, instead of to its owner in the same process. */
export interface Serving {
  /** Under which addresses in answers begin; asked for each time, since a port may be chosen late. */
  readonly origin: () => string;
  readonly callers: (store: Store, owner: Listing) => ServiceOptions["authenticate"];
  readonly limiter?: Limiter | undefined;
}

export interface BookOptions {
  readonly serving?: Serving | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock?: () => number;
  readonly newId?: () => string;
  readonly mailer?: Mailer;
  /** `smtp://…`: mail goes there instead of into the outbox folder. */
  readonly smtpUrl?: string | undefined;
  /** In whose name history is written and mail is sent. */
  readonly user?: string | undefined;
  readonly email?: string | undefined;
  /** Where exchange rates come from, besides the book's own table: daily rates as XML. */
  readonly ratesUrl?: string | undefined;
  /** Told of every failure that is a bug. */
  readonly report?: ServiceOptions["report"];
}

export interface Book extends Service {
  /** Answers what nobody asks for but the book itself, such as what is due. */
  readonly byItself: Transport;
  readonly store: Store;
  readonly org: number;
  readonly path: string;
}

/**
 * Opens the book in the file `path`.
 *
 * @throws NotFoundError when there is no such file
 * @throws RefusedError `NoBook` when the file holds none
 */
export async function openBook(path: string, options: BookOptions = {}): Promise<Book> {
  if (!existsSync(path)) throw new NotFoundError("NoBook", `There is no book at ${path}.`);
  const store = await openStore(sqliteDialect(path));
  const [owner] = await organisations(store);
  if (owner === undefined) {
    await store.close();
    throw new RefusedError("NoBook", `The file ${path} holds no book yet.`);
  }
  return serve(path, store, owner, options);
}

function serve(path: string, store: Store, owner: Listing, options: BookOptions): Book {
  const { clock, newId } = surroundings(options);
  const { org } = owner;
  const { origin, callers, limiter }: Partial<Serving> = options.serving ?? {};
  const given: ServiceOptions = {
    store,
    clock,
    newId,
    responseId: idsFrom(clock, plainChance),
    mailer:
      options.mailer ??
      (options.smtpUrl === undefined ? outboxMailer(outboxOf(path)) : smtpMailer(options.smtpUrl)),
    rates: options.ratesUrl === undefined ? undefined : feedLater(options.ratesUrl, clock),
    get baseUrl() {
      return `${origin?.() ?? defaultOrigin}${apiRoot}`;
    },
    get publicUrl() {
      return origin?.() ?? defaultOrigin;
    },
    limiter,
    ...(options.report === undefined ? {} : { report: options.report }),
    authenticate:
      callers?.(store, owner) ??
      (() => ({ org, app: "acct", appName: "acct", ...userFrom(options) })),
  };
  const itself = { ...userFrom(options), user: systemUser };
  const byItself: Transport = (request) =>
    createService({
      ...given,
      limiter: undefined,
      authenticate: () => ({ org, app: "acct", appName: "acct", ...itself }),
    }).handle(request);
  return { ...createService(given), byItself, store, org, path };
}

/** Whoever opens the file may do everything in it. */
function ownerFrom({ user, email }: Pick<BookOptions, "user" | "email">): Owner {
  return { name: user ?? "Bookkeeper", email: email ?? "bookkeeper@localhost" };
}

/** The owner as one of whom the service asks what they may do. */
export function userFrom(options: Pick<BookOptions, "user" | "email">) {
  const { name, email } = ownerFrom(options);
  return { user: name, email, reports: true, role: "FINANCIALADVISER" } as const;
}

function surroundings(options: BookOptions): { clock: () => number; newId: () => string } {
  const clock = options.clock ?? Date.now;
  return { clock, newId: options.newId ?? idsFrom(clock, secretChance) };
}

/** A source on the network, loaded when the first rate is asked for. */
function feedLater(url: string, clock: () => number): RateSource {
  let source: Promise<RateSource> | undefined;
  return {
    async ratesOn(tx, base, asked) {
      source ??= import("./rate-feed.ts").then(({ feedRates }) => feedRates(url, { clock }));
      return (await source).ratesOn(tx, base, asked);
    },
  };
}

/** Chance that nobody can guess. Loaded when the first id is made, since it costs 2.6 ms. */
function secretChance(bytes: Uint8Array): void {
  process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** Chance that is good enough to tell answers apart. */
function plainChance(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.random() * 256;
}

/** The folder beside a book into which its mail goes. */
function outboxOf(path: string): string {
  return `${path.slice(0, path.length - extname(path).length)}.outbox`;
}

export interface NewBook {
  readonly name: string;
  readonly country: Country;
  /** ISO 4217; that of the country when not given. */
  readonly currency?: string | undefined;
  /** Day 1 to 31 and month 1 to 12; that of the country when not given. */
  readonly yearEnd?: { readonly day: number; readonly month: number } | undefined;
  readonly demo?: boolean;
}

/**
 * Makes a book: the organisation, its country's chart of accounts and tax rates, and numbering.
 *
 * @throws RefusedError `BookExists` when the file is there already; it is left as it is
 */
export async function createBook(
  path: string,
  made: NewBook,
  options: BookOptions = {},
): Promise<Book> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  claim(path);
  const store = await openStore(sqliteDialect(path));
  const { clock, newId } = surroundings(options);
  // Read only here: the charts of all countries are more than a command should load.
  const { regionOf } = await import("../ledger/regions/index.ts");
  const { seedMasters } = await import("./seed.ts");
  const region = regionOf(made.country);
  const organisation = newOrganisation(made, region, clock(), newId);
  // In one transaction: a book without its chart would be no book.
  const org = await createOrganisation(store, organisation, undefined, async (tx) => {
    await save(tx, account, chartOf(made, region, organisation, clock(), newId));
    await save(tx, taxRate, taxRatesOf(region));
    await seedMasters(tx, organisation, ownerFrom(options), { now: clock(), newId });
  });
  return serve(path, store, { ...organisation, org }, options);
}

/** Makes the file, for its owner alone: what a business earns is nobody else's to read. */
function claim(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new RefusedError("BookExists", `There is a file at ${path} already.`);
  }
}

function newOrganisation(
  made: NewBook,
  region: Region,
  now: number,
  newId: () => string,
): Organisation {
  const yearEnd = made.yearEnd ?? region.yearEnd;
  const organisationId = newId();
  return {
    Name: made.name,
    LegalName: made.name,
    PaysTax: true,
    Version: region.version as Organisation["Version"],
    OrganisationType: "COMPANY",
    BaseCurrency: made.currency ?? region.baseCurrency,
    CountryCode: region.countryCode,
    IsDemoCompany: made.demo ?? false,
    OrganisationStatus: "ACTIVE",
    FinancialYearEndDay: yearEnd.day,
    FinancialYearEndMonth: yearEnd.month,
    SalesTaxBasis: region.salesTaxBasis as Organisation["SalesTaxBasis"],
    SalesTaxPeriod: region.salesTaxPeriod as Organisation["SalesTaxPeriod"],
    DefaultSalesTax: "Tax Exclusive",
    DefaultPurchasesTax: "Tax Exclusive",
    CreatedDateUTC: now,
    OrganisationEntityType: "COMPANY",
    Timezone: region.timezone,
    ShortCode: `!${organisationId.replaceAll("-", "").slice(-5)}`,
    OrganisationID: organisationId,
    Edition: "BUSINESS",
    Class: made.demo ? "DEMO" : "PREMIUM",
    Addresses: [],
    Phones: [],
    ExternalLinks: [],
    PaymentTerms: {
      Sales: { Day: 20, Type: "DAYSAFTERBILLDATE" },
      Bills: { Day: 20, Type: "OFFOLLOWINGMONTH" },
    },
  };
}

function chartOf(
  made: NewBook,
  region: Region,
  organisation: Organisation,
  now: number,
  newId: () => string,
): Account[] {
  const common = {
    Status: "ACTIVE",
    ShowInExpenseClaims: false,
    AddToWatchlist: false,
    HasAttachments: false,
    UpdatedDateUTC: now,
  } as const;
  const accounts: Account[] = region.accounts
    .filter((seed) => seed.multicurrency !== true)
    .map((seed) => ({
      ...common,
      AccountID: newId(),
      Code: seed.code,
      Name: seed.name,
      Type: seed.type as Account["Type"],
      Class: classOf(seed.type),
      TaxType: seed.tax,
      SystemAccount: seed.system,
      // Money drawn or put in by the owner settles documents without passing through a bank.
      EnablePaymentsToAccount: /^Owner|^Directors/.test(seed.name),
    }));
  if (made.demo !== true) return accounts;
  return [
    ...region.demoBankAccounts.map((seed) => ({
      ...common,
      AccountID: newId(),
      Code: seed.code,
      Name: seed.name,
      Type: "BANK" as const,
      Class: "ASSET" as const,
      TaxType: seed.tax,
      BankAccountNumber: seed.bankAccountNumber,
      BankAccountType: "BANK" as const,
      CurrencyCode: organisation.BaseCurrency as NonNullable<Account["CurrencyCode"]>,
      EnablePaymentsToAccount: false,
    })),
    ...accounts,
  ];
}

function taxRatesOf(region: Region): StoredTaxRate[] {
  return region.taxRates.map((seed) => {
    const components = seed.components.map((each) => ({
      Name: each.name,
      Rate: each.rate as Percent,
      IsCompound: each.compound ?? false,
      IsNonRecoverable: each.nonRecoverable ?? false,
    }));
    const effective = (seed.effectiveRate ?? effectiveRate(components)) as Percent;
    const [assets, equity, expenses, liabilities, revenue] = [...seed.flags].map((f) => f === "T");
    return {
      Name: seed.name,
      TaxType: seed.taxType,
      ReportTaxType: seed.reportTaxType as StoredTaxRate["ReportTaxType"],
      CanApplyToAssets: assets ?? false,
      CanApplyToEquity: equity ?? false,
      CanApplyToExpenses: expenses ?? false,
      CanApplyToLiabilities: liabilities ?? false,
      CanApplyToRevenue: revenue ?? false,
      DisplayTaxRate: (seed.displayRate ?? effective) as Percent,
      EffectiveRate: effective,
      Status: seed.status ?? "ACTIVE",
      TaxComponents: components,
      System: seed.system ?? false,
      Unusable: seed.unusable ?? false,
    };
  });
}

// --- looking a book over ---------------------------------------------------------------------

export interface BookInfo {
  readonly path: string;
  readonly bytes: number;
  readonly organisation: Organisation;
  /** How many records of each kind there are. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function bookInfo(book: Book): Promise<BookInfo> {
  return book.store.read(book.org, async (tx) => {
    const counts: Record<string, number> = {};
    const counted: readonly Resource[] = [account, contact, item, taxRate, invoice, payment];
    for (const resource of counted) {
      counts[resource.plural] = (await list(tx, resource, { limit: 0, count: true })).count ?? 0;
    }
    return {
      path: book.path,
      bytes: statSync(book.path).size,
      organisation: await organisationOf(tx),
      counts,
    };
  });
}

/** Checks that everything in the book adds up; says every place where it does not. */
export async function verifyBook(book: Book): Promise<Verification> {
  const { verify } = await import("../store/verify.ts");
  return book.store.read(book.org, verify);
}

export interface BookSettings {
  /** `YYYY-MM-DD`, or null to lift the lock. */
  readonly periodLockDate?: string | null | undefined;
  readonly endOfYearLockDate?: string | null | undefined;
  readonly legalName?: string | undefined;
  readonly taxNumber?: string | undefined;
  readonly registrationNumber?: string | undefined;
  /** Of the construction industry scheme; United Kingdom only. */
  readonly cis?: CisSettings | undefined;
}

/** Changes what the API only reads: lock dates and the particulars of the organisation. */
export async function changeBook(
  book: Book,
  settings: BookSettings,
  options: BookOptions = {},
): Promise<Organisation> {
  const { clock, newId } = surroundings(options);
  return book.store.write(book.org, async (tx) => {
    const { periodLockDate, endOfYearLockDate } = settings;
    await updateOrganisation(tx, {
      ...(periodLockDate === undefined ? {} : { PeriodLockDate: periodLockDate ?? undefined }),
      ...(endOfYearLockDate === undefined
        ? {}
        : { EndOfYearLockDate: endOfYearLockDate ?? undefined }),
      ...(settings.legalName === undefined ? {} : { LegalName: settings.legalName }),
      ...(settings.taxNumber === undefined ? {} : { TaxNumber: settings.taxNumber }),
      ...(settings.registrationNumber === undefined
        ? {}
        : { RegistrationNumber: settings.registrationNumber }),
    });
    if (settings.cis !== undefined) {
      const { changeCis } = await import("./cis.ts");
      await changeCis(tx, settings.cis, { now: clock(), newId });
    }
    return organisationOf(tx);
  });
}
