/** Which bank account of the book a statement is of: the one that is named, or the one of its number. */
import type {
  AccountFacts,
  AccountId,
  StatementHead,
  StatementLine,
} from "../../bank-files/index.ts";
import type { Client } from "../../client/client.ts";
import { type Account, account } from "../../resources/account.ts";
import { NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";

/** A bank account that a statement is of. */
export interface BankAccount {
  readonly AccountID: string;
  /**
   * Whether a line is in the currency of the account: a CSV file may have lines of several.
   *
   * @throws RefusedError where it is not, in a statement of one account
   */
  takes(line: StatementLine): boolean;
}

/** The bank accounts of the book, by code, name or number. */
export class BankAccounts {
  readonly #client: Client;
  readonly #key: string | undefined;
  #known: Promise<readonly Account[]> | undefined;
  #organisation: Organisation | undefined;

  /** @param key  the account of every statement; each is found by its number when not given */
  constructor(client: Client, key: string | undefined) {
    this.#client = client;
    this.#key = key;
  }

  /** @throws NotFoundError, RefusedError where the statement is of another account or currency */
  async of(head: StatementHead): Promise<BankAccount> {
    const found = await (this.#key === undefined ? this.#byNumber(head) : this.#named(this.#key));
    const numbers = numbersOf(head);
    const own = digits(found.BankAccountNumber ?? "");
    if (own !== "" && numbers.length > 0 && !numbers.some((each) => isSame(each, own))) {
      this.#known ??= this.#all();
      const other = head.format === "csv" ? accountOfNumber(await this.#known, numbers) : head;
      if (other !== undefined) {
        throw new RefusedError(
          "OtherAccount",
          `It is of the account ${numbers[0]}, not of ${found.Code} ${found.Name} (${found.BankAccountNumber}).`,
        );
      }
    }
    this.#organisation ??= (await this.#client.at(organisation, "/Organisation"))[0];
    const currency = found.CurrencyCode ?? this.#organisation?.BaseCurrency;
    const isOther = (own: string | undefined) =>
      own !== undefined && currency !== undefined && own !== currency;
    const other = (what: string, own: string | undefined) =>
      new RefusedError(
        "OtherCurrency",
        `${what} is in ${own}, but ${found.Code} ${found.Name} is in ${currency}.`,
      );
    if (isOther(head.currency)) throw other("It", head.currency);
    return {
      AccountID: found.AccountID,
      takes: (line) => {
        if (!isOther(line.currency)) return true;
        if (head.format === "csv") return false;
        throw other(`The line of ${line.date}`, line.currency);
      },
    };
  }

  /** What a reader is told of the account of a statement; all of it is looked up before. */
  async facts(): Promise<(told: AccountId) => AccountFacts | undefined> {
    this.#known ??= this.#all();
    const accounts = await this.#known;
    this.#organisation ??= (await this.#client.at(organisation, "/Organisation"))[0];
    const named = this.#key === undefined ? undefined : await this.#named(this.#key);
    const { Name, LegalName, CountryCode, BaseCurrency } = this.#organisation ?? {};
    return (told) => {
      const found = named ?? accountOfNumber(accounts, numbersOf({ account: told }));
      if (found === undefined) return undefined;
      const currency = found.CurrencyCode ?? BaseCurrency;
      const isTold = (text: string | undefined) => text !== undefined && text !== "";
      return {
        currency,
        country: CountryCode,
        isOwnCurrency: currency === BaseCurrency,
        isCard: found.BankAccountType === "CREDITCARD",
        numbers: [found.BankAccountNumber].filter(isTold) as string[],
        names: [Name, LegalName, found.Name].filter(isTold) as string[],
      };
    };
  }

  async #named(key: string): Promise<Account> {
    const found = await this.#client.find(account, key);
    if (found.Type === "BANK") return found;
    throw new UsageError("BadValue", `${found.Code} ${found.Name} is no bank account.`);
  }

  async #byNumber(head: StatementHead): Promise<Account> {
    this.#known ??= this.#all();
    const numbers = numbersOf(head);
    const only = accountOfNumber(await this.#known, numbers);
    if (only !== undefined) return only;
    const which = numbers[0] === undefined ? "no account" : `the account ${numbers[0]}`;
    throw new NotFoundError(
      "NotFound",
      `It names ${which}, which is that of no bank account here; say --account CODE.`,
    );
  }

  async #all(): Promise<readonly Account[]> {
    const found: Account[] = [];
    for await (const each of this.#client.list(account, { where: 'Type=="BANK"' })) {
      found.push(each);
    }
    return found;
  }
}

/** The one account that has one of these numbers. */
function accountOfNumber(
  accounts: readonly Account[],
  numbers: readonly string[],
): Account | undefined {
  const fitting = accounts.filter(({ BankAccountNumber = "" }) => {
    const own = digits(BankAccountNumber);
    return own !== "" && numbers.some((each) => isSame(each, own));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

const digits = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Banks leave out their own code, or write zeros before a number. */
function isSame(told: string, own: string): boolean {
  const [a, b] = [told, own].map((each) => each.replace(/^0+/, "")) as [string, string];
  return a !== "" && (a === b || a.endsWith(b) || b.endsWith(a));
}

function numbersOf({
  account: { iban, bank = "", number },
}: Pick<StatementHead, "account">): string[] {
  const isMasked = number !== undefined && /[X*]{2}/i.test(number);
  return [
    iban,
    number === undefined || isMasked ? undefined : `${bank}${number}`,
    isMasked ? undefined : number,
  ]
    .filter((each) => each !== undefined)
    .map(digits)
    .filter((each) => each.length >= 4);
}
