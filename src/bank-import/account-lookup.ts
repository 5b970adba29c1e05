/**
 * Resolves the bank account of a statement: the account named by a flag, or the account whose bank
 * number the statement states.
 */

import type {
  AccountFacts,
  AccountId,
  SettledReading,
  StatementHead,
  StatementLine,
} from "../bank-files/index.ts";
import type { Client } from "../client/client.ts";
import { localDay } from "../ledger/dates/timezones.ts";
import { regionAt } from "../ledger/regions/index.ts";
import { type Account, account } from "../resources/account.ts";
import { bankStatement } from "../resources/bank-statement.ts";
import { requireCurrency } from "../resources/common.ts";
import { contact } from "../resources/contact.ts";
import { NotFoundError, RefusedError, UsageError } from "../resources/errors.ts";
import { type Organisation, organisation } from "../resources/organisation.ts";

/** The bank account to which a statement belongs. */
export interface BankAccount {
  readonly AccountID: string;
  readonly currency: string | undefined;
  /** A message for the user that says how the account was found. */
  readonly said?: string | undefined;
  /**
   * Whether a line is in the currency of the account; a CSV file may have lines in several
   * currencies.
   *
   * @throws RefusedError where it is not, in a statement of a single account
   */
  takes(line: StatementLine): boolean;
}

/** A statement whose account is not known. */
export interface OpenAccount {
  /** Half a sentence. */
  readonly reason: string;
  readonly fitting: readonly Account[];
}

/** Facts of the book that reading a file depends on. */
interface BookFacts {
  readonly accounts: readonly Account[];
  readonly organisation: Organisation | undefined;
  readonly contacts: ReadonlySet<string>;
  /** Settled CSV readings, by account id and then by key of the heading row. */
  readonly settled: ReadonlyMap<string, Readonly<Record<string, SettledReading>>>;
}

/** Bank accounts of the book, found by code, name or number. */
export class BankAccounts {
  readonly #known: BookFacts;
  readonly #named: Account | undefined;

  private constructor(bookFacts: BookFacts, namedAccount: Account | undefined) {
    this.#known = bookFacts;
    this.#named = namedAccount;
  }

  /**
   * Loads the bank accounts of the book.
   *
   * @param key     the account of every statement; when not given, each is found by its number
   * @param hasCsv  whether some file is CSV, whose reading depends on facts of the book
   */
  static async of(client: Client, key: string | undefined, hasCsv: boolean): Promise<BankAccounts> {
    const accounts = await Array.fromAsync(
      client.list(account, { where: 'Type=="BANK" AND Status=="ACTIVE"' }),
    );
    const named = key === undefined ? undefined : await client.find(account, key);
    if (named !== undefined && named.Type !== "BANK") {
      throw new UsageError("BadValue", `${named.Code} ${named.Name} is no bank account.`);
    }
    const [own] = await client.at(organisation, "/Organisation");
    const bookFacts = {
      accounts,
      organisation: own,
      contacts: hasCsv ? await namesOfContacts(client) : new Set<string>(),
      settled: hasCsv ? await settledReadings(client, own?.Timezone) : new Map<string, never>(),
    };
    return new BankAccounts(bookFacts, named);
  }

  /** Returns the facts of a file's account that its reader depends on. */
  readonly factsOf = (id: AccountId): AccountFacts | undefined => {
    const account = this.#named ?? this.#fitting(id)[0];
    const { organisation: own, contacts, settled } = this.#known;
    if (account === undefined) return undefined;
    const currency = account.CurrencyCode ?? own?.BaseCurrency;
    const country = own?.CountryCode;
    return {
      currency,
      country,
      isOwnCurrency: currency === (ownCurrencyOf(country) ?? own?.BaseCurrency),
      isCard: account.BankAccountType === "CREDITCARD",
      numbers: account.BankAccountNumber === undefined ? [] : [account.BankAccountNumber],
      names: [own?.Name, own?.LegalName, account.Name].filter((text) => text !== undefined),
      contacts,
      settled: settled.get(account.AccountID) ?? {},
    };
  };

  /**
   * Returns the bank account of a statement.
   *
   * @throws NotFoundError, RefusedError where the statement is of another account or currency
   */
  of(head: StatementHead): BankAccount {
    const { account: found, said } = this.#named
      ? this.#checked(this.#named, head)
      : this.#byNumber(head);
    const currency = found.CurrencyCode ?? this.#known.organisation?.BaseCurrency;
    const isForeign = (ownCurrency: string | undefined) =>
      ownCurrency !== undefined && currency !== undefined && ownCurrency !== currency;
    const refuseOther = (stated: string, ownValue: string | undefined) =>
      new RefusedError(
        "OtherCurrency",
        `${stated} is in ${ownValue}, but ${titleOf(found)} is in ${currency}.`,
      );
    if (isForeign(requireCurrency(head.currency))) throw refuseOther("It", head.currency);
    return {
      AccountID: found.AccountID,
      currency,
      said,
      takes: (line) => {
        if (!isForeign(line.currency)) return true;
        if (head.format === "csv") return false;
        throw refuseOther(`The line of ${line.date}`, line.currency);
      },
    };
  }

  #checked(account: Account, { account: told, format }: StatementHead) {
    const numbers = numbersOf(told);
    const own = digits(account.BankAccountNumber ?? "");
    const written = numbers[0] ?? told.number;
    const isMask = isMasked(told.number);
    const isMatch = isMask
      ? own === "" || fitsMask(told.number ?? "", own, 0)
      : own === "" || numbers.length === 0 || numbers.some((number) => isSameNumber(number, own));
    if (isMatch) return { account, said: undefined };
    const otherAccounts = this.#fitting(told);
    // An unknown number may be the number of a known account in another notation.
    if (format === "csv" && !isMask && otherAccounts.length === 0) {
      const notice = `It names the account ${written}, the number of no bank account here; it is taken for ${titleOf(account)}.`;
      return { account, said: notice };
    }
    throw new RefusedError(
      "OtherAccount",
      `It is of the account ${written}, not of ${titleOf(account)} (${account.BankAccountNumber}).`,
    );
  }

  /**
   * Returns why the account of a statement is not known, with the accounts whose number may be
   * meant; undefined where it is known.
   */
  openFor(statedAccount: AccountId): OpenAccount | undefined {
    const matching = this.#fitting(statedAccount);
    if (this.#named !== undefined || matching.length === 1) return undefined;
    const statedNumber = numbersOf(statedAccount)[0] ?? statedAccount.number;
    const isByName = statedNumber === undefined && statedAccount.name !== undefined;
    const named = matching.map((account) => `${titleOf(account)} (${account.BankAccountNumber})`);
    const reason =
      named.length > 0
        ? `The account ${statedNumber} may be ${named.join(" or ")}`
        : statedNumber === undefined
          ? isByName
            ? `It is of "${statedAccount.name}", the name of no bank account here`
            : "It does not say of which bank account it is"
          : `It is of the account ${statedNumber}, the number of no bank account here`;
    return { reason, fitting: matching };
  }

  #byNumber({ account: told }: StatementHead) {
    const openAccount = this.openFor(told);
    const [only] = this.#fitting(told);
    if (openAccount !== undefined || only === undefined) {
      const message = `${openAccount?.reason}; say --account CODE.`;
      throw only === undefined
        ? new NotFoundError("NotFound", message)
        : new RefusedError("OtherAccount", message);
    }
    const statedNumber = numbersOf(told)[0] ?? told.number;
    const notice = isMasked(told.number)
      ? `The account ${statedNumber} is taken for ${titleOf(only)} (${only.BankAccountNumber}).`
      : undefined;
    return { account: only, said: notice };
  }

  /** Accounts of the number that a file tells, or of its name where it tells no number. */
  #fitting(statedAccount: AccountId): Account[] {
    const { number: masked, name } = statedAccount;
    const numbers = numbersOf(statedAccount);
    const isByName = numbers.length === 0 && name !== undefined;
    return this.#known.accounts.filter(({ Name, BankAccountNumber = "" }) => {
      if (isByName) return Name.toLowerCase() === name.trim().toLowerCase();
      const ownDigits = digits(BankAccountNumber);
      if (ownDigits === "") return false;
      if (isMasked(masked) && fitsMask(masked ?? "", ownDigits)) return true;
      return numbers.some((number) => isSameNumber(number, ownDigits));
    });
  }
}

/** Returns the currency of a country; undefined for a country that is not known. */
function ownCurrencyOf(country = ""): string | undefined {
  const { countryCode, baseCurrency } = regionAt(country);
  return countryCode === country ? baseCurrency : undefined;
}

const titleOf = ({ Code = "", Name }: Account) => `${Code} ${Name}`.trim();

async function namesOfContacts(client: Client): Promise<ReadonlySet<string>> {
  const fields = ["Name", "BankAccountDetails"];
  const contactNames = new Set<string>();
  for await (const { Name, BankAccountDetails } of client.list(contact, { fields })) {
    contactNames.add(Name);
    if (BankAccountDetails !== undefined) contactNames.add(BankAccountDetails);
  }
  return contactNames;
}

/**
 * Returns the CSV readings settled by earlier imports: the latest for each account and heading row.
 */
async function settledReadings(client: Client, timezone: string | undefined) {
  const readingsByAccount = new Map<string, Record<string, SettledReading>>();
  const statements = client.list(bankStatement, { order: "CreatedDateUTC ASC" });
  for await (const { BankAccount, HeadingKey, Settled, CreatedDateUTC } of statements) {
    if (HeadingKey === undefined || Settled === undefined) continue;
    const id = BankAccount.AccountID ?? "";
    const ofAccount = readingsByAccount.get(id) ?? {};
    const on = localDay(CreatedDateUTC, timezone);
    ofAccount[HeadingKey] = { ...(JSON.parse(Settled) as SettledReading), on };
    readingsByAccount.set(id, ofAccount);
  }
  return readingsByAccount;
}

const digits = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Compares account numbers: banks leave out their own bank code, or pad numbers with zeros. */
function isSameNumber(stated: string, ownDigits: string): boolean {
  // An IBAN of France ends in a key of two digits, which files leave out.
  const withoutKey = ownDigits.replace(/^((?:FR|MC).{23})\d\d$/, "$1");
  return [ownDigits, withoutKey].some((own) => {
    const [a, b] = [stated, own].map((text) => text.replace(/^0+/, "")) as [string, string];
    return a !== "" && (a === b || a.endsWith(b) || b.endsWith(a));
  });
}

/** Whether digits of an account number are masked: `4835********1234`, `XXXX1234`. */
const isMasked = (number: string | undefined): boolean =>
  number !== undefined && /[X*•#]{2}/i.test(number);

/** Minimum count of visible digits by which a masked account number is recognised. */
const visibleMin = 4;

/** Whether an account number has the visible digits of a masked number in the same places. */
function fitsMask(masked: string, own: string, visibleLeast = visibleMin): boolean {
  const mask = masked.toUpperCase().replace(/[^A-Z0-9*•#]/g, "");
  if (mask.replace(/\D/g, "").length < visibleLeast) return false;
  if (mask.length === own.length) {
    return [...mask].every((mark, at) => /[X*•#]/.test(mark) || mark === own[at]);
  }
  const [, start = "", end = ""] = /^([^X*•#]*).*?([^X*•#]*)$/.exec(mask) ?? [];
  return own.length >= start.length + end.length && own.startsWith(start) && own.endsWith(end);
}

function numbersOf({ iban, bank = "", branch = "", number }: AccountId): string[] {
  const isHidden = isMasked(number);
  return [
    iban,
    number === undefined || isHidden ? undefined : `${bank}${number}`,
    number === undefined || isHidden ? undefined : `${bank}${branch}${number}`,
    isHidden ? undefined : number,
  ]
    .filter((text) => text !== undefined)
    .map(digits)
    .filter((text) => text.length >= 4);
}
