/**
 * What the wizard looks up: contacts as they are typed, and items, accounts and tax rates, of which
 * there are few enough to be read once and searched here.
 */
import type { Client } from "../../../client/client.ts";
import { canApply } from "../../../ledger/tax.ts";
import { type Account, account } from "../../../resources/account.ts";
import { type Contact, contact } from "../../../resources/contact.ts";
import type { Resource } from "../../../resources/field.ts";
import type { Invoice } from "../../../resources/invoice.ts";
import { type Item, item } from "../../../resources/item.ts";
import { type TaxRate, taxRate } from "../../../resources/tax-rate.ts";

/** Contacts shown at a time. */
const contactsShown = 8;
/** Contacts among which one without terms of its own is looked for. */
const standInsTried = 100;

export class BookRecords {
  readonly #client: Client;
  readonly #isSale: boolean;
  readonly #read = new Map<Resource, Promise<unknown>>();

  constructor(client: Client, type: Invoice["Type"]) {
    this.#client = client;
    this.#isSale = type === "ACCREC";
  }

  /** Active contacts in whose names, numbers or address the text stands; those it begins first. */
  async contacts(term: string): Promise<Contact[]> {
    const query = { searchTerm: term, order: "Name ASC", limit: contactsShown };
    const found = await Array.fromAsync(this.#client.list(contact, query));
    const begins = ({ Name }: Contact) => Name.toLowerCase().startsWith(term.toLowerCase());
    return [...found.filter(begins), ...found.filter((each) => !begins(each))];
  }

  /**
   * A contact that changes nothing about a document by being on it.
   *
   * A document is tried out before its new contact is made, and the service wants to know whose it
   * is; terms, tax or currency of somebody else must not get into what it answers.
   */
  standIn(): Promise<Contact | undefined> {
    return this.#once(contact, async () => {
      const found = await Array.fromAsync(this.#client.list(contact, { limit: standInsTried }));
      return found.find(
        (each) =>
          each.PaymentTerms === undefined &&
          each.DefaultCurrency === undefined &&
          each.AccountsReceivableTaxType === undefined &&
          each.AccountsPayableTaxType === undefined,
      );
    });
  }

  /** The items that stand on documents of this type, by code. */
  items(): Promise<Item[]> {
    return this.#once(item, async () => {
      const all = await Array.fromAsync(this.#client.list(item, { order: "Code ASC" }));
      return all.filter(({ IsSold, IsPurchased }) => (this.#isSale ? IsSold : IsPurchased));
    });
  }

  /** The whole chart: accounts that such documents are usually booked to first, then by code. */
  accounts(): Promise<Account[]> {
    const usual = this.#isSale ? ["REVENUE"] : ["EXPENSE"];
    return this.#once(account, async () => {
      const all = await Array.fromAsync(this.#client.list(account, { order: "Code ASC" }));
      const active = all.filter(({ Status, Code }) => Status === "ACTIVE" && Code !== undefined);
      const first = active.filter((each) => usual.includes(each.Class));
      return [...first, ...active.filter((each) => !first.includes(each))];
    });
  }

  taxRates(): Promise<TaxRate[]> {
    return this.#once(taxRate, async () => {
      const all = await Array.fromAsync(this.#client.list(taxRate, { order: "Name ASC" }));
      return all.filter(({ Status, TaxType }) => Status === "ACTIVE" && TaxType !== undefined);
    });
  }

  /** The tax rates that may stand on an account. */
  async taxRatesFor(code: string): Promise<TaxRate[]> {
    const on = (await this.accounts()).find(({ Code }) => Code === code);
    const rates = await this.taxRates();
    return on === undefined ? rates : rates.filter((rate) => canApply(rate, on.Class));
  }

  #once<T>(resource: Resource, read: () => Promise<T>): Promise<T> {
    const before = this.#read.get(resource) as Promise<T> | undefined;
    if (before !== undefined) return before;
    const reading = read();
    this.#read.set(resource, reading);
    // A service that could not be reached now may answer the next question.
    reading.catch(() => this.#read.delete(resource));
    return reading;
  }
}

/** What a person would look for an account by, or for an item. */
export function fits(term: string, ...texts: readonly (string | undefined)[]): boolean {
  const wanted = term.toLowerCase().split(/\s+/);
  const within = texts.join(" ").toLowerCase();
  return wanted.every((word) => within.includes(word));
}
