/**
 * Lookups of the invoice wizard: contacts by search; items, accounts and tax rates read once and
 * searched locally.
 */
import type { Client } from "../../../client/client.ts";
import { canApply } from "../../../ledger/tax.ts";
import { type Account, account } from "../../../resources/account.ts";
import { type Contact, contact } from "../../../resources/contact.ts";
import type { Resource } from "../../../resources/field.ts";
import type { Invoice } from "../../../resources/invoice.ts";
import { type Item, item } from "../../../resources/item.ts";
import { type TaxRate, taxRate } from "../../../resources/tax-rate.ts";

/** Maximum count of contacts shown. */
const contactsShown = 8;
/** Maximum count of contacts searched for a stand-in. */
const standInsTried = 100;

export class BookRecords {
  readonly #client: Client;
  readonly #isSale: boolean;
  readonly #read = new Map<Resource, Promise<unknown>>();

  constructor(client: Client, type: Invoice["Type"]) {
    this.#client = client;
    this.#isSale = type === "ACCREC";
  }

  /**
   * Returns active contacts with a text in name, number or email; those that begin with it first.
   */
  async contacts(term: string): Promise<Contact[]> {
    const query = { searchTerm: term, order: "Name ASC", limit: contactsShown };
    const contacts = await Array.fromAsync(this.#client.list(contact, query));
    const begins = ({ Name }: Contact) => Name.toLowerCase().startsWith(term.toLowerCase());
    return [...contacts.filter(begins), ...contacts.filter((contact) => !begins(contact))];
  }

  /**
   * Returns a contact that does not affect a document's totals. A document for a new contact is
   * tried before the contact is created, and the dry run needs an existing one without terms, tax
   * or currency of its own.
   */
  standIn(): Promise<Contact | undefined> {
    return this.#once(contact, async () => {
      const contacts = await Array.fromAsync(this.#client.list(contact, { limit: standInsTried }));
      return contacts.find(
        (contact) =>
          contact.PaymentTerms === undefined &&
          contact.DefaultCurrency === undefined &&
          contact.AccountsReceivableTaxType === undefined &&
          contact.AccountsPayableTaxType === undefined,
      );
    });
  }

  /** Returns the items usable on documents of this type, by code. */
  items(): Promise<Item[]> {
    return this.#once(item, async () => {
      const items = await Array.fromAsync(this.#client.list(item, { order: "Code ASC" }));
      return items.filter(({ IsSold, IsPurchased }) => (this.#isSale ? IsSold : IsPurchased));
    });
  }

  /** Returns all accounts: those usual for such documents first, then by code. */
  accounts(): Promise<Account[]> {
    const usualClasses = this.#isSale ? ["REVENUE"] : ["EXPENSE"];
    return this.#once(account, async () => {
      const all = await Array.fromAsync(this.#client.list(account, { order: "Code ASC" }));
      const active = all.filter(({ Status, Code }) => Status === "ACTIVE" && Code !== undefined);
      const usualFirst = active.filter((record) => usualClasses.includes(record.Class));
      return [...usualFirst, ...active.filter((record) => !usualFirst.includes(record))];
    });
  }

  taxRates(): Promise<TaxRate[]> {
    return this.#once(taxRate, async () => {
      const taxRates = await Array.fromAsync(this.#client.list(taxRate, { order: "Name ASC" }));
      return taxRates.filter(({ Status, TaxType }) => Status === "ACTIVE" && TaxType !== undefined);
    });
  }

  /** Returns the tax rates that an account permits. */
  async taxRatesFor(code: string): Promise<TaxRate[]> {
    const on = (await this.accounts()).find(({ Code }) => Code === code);
    const rates = await this.taxRates();
    return on === undefined ? rates : rates.filter((rate) => canApply(rate, on.Class));
  }

  #once<T>(resource: Resource, read: () => Promise<T>): Promise<T> {
    const cachedRead = this.#read.get(resource) as Promise<T> | undefined;
    if (cachedRead !== undefined) return cachedRead;
    const readPromise = read();
    this.#read.set(resource, readPromise);
    // A failed request is not cached, so that the next question repeats it.
    readPromise.catch(() => this.#read.delete(resource));
    return readPromise;
  }
}

/** Whether a search term matches an account or an item. */
export function fits(term: string, ...searchedTexts: readonly (string | undefined)[]): boolean {
  const searchWords = term.toLowerCase().split(/\s+/);
  const joinedTexts = searchedTexts.join(" ").toLowerCase();
  return searchWords.every((searchWord) => joinedTexts.includes(searchWord));
}
