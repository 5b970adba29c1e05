/**
 * Contacts that documents of the file are for: those of the book, and those to be made.
 *
 * A contact is known by its id, else by its number, else by its name. What the file says of a new
 * one is gathered from all rows that name it; where rows differ, the first of them counts.
 */
import type { Client } from "../../../client/client.ts";
import { type Contact, type ContactInput, contact } from "../../../resources/contact.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import { sendAll } from "../sender/send-batches.ts";
import type { Related } from "./import-record.ts";
import { fold, withAny } from "./lookup.ts";
import { NearNames } from "./near-names.ts";

/** What a row says of its contact. */
export type ContactDetails = ContactInput;

interface ContactDefaults {
  readonly currency: string | undefined;
  readonly sales: SideDefaults;
  readonly purchases: SideDefaults;
}

interface SideDefaults {
  readonly account: string | undefined;
  readonly tax: string | undefined;
}

function defaultsOf(said: Partial<Contact>): ContactDefaults {
  return {
    currency: said.DefaultCurrency,
    sales: { account: said.SalesDefaultAccountCode, tax: said.AccountsReceivableTaxType },
    purchases: { account: said.PurchasesDefaultAccountCode, tax: said.AccountsPayableTaxType },
  };
}

/** A contact of the book, or one that is to be made. */
export interface KnownContact {
  /** Its place in `ContactBook.at`. */
  readonly at: number;
  /** Undefined until it is made. */
  id: string | undefined;
  readonly name: string;
  readonly number: string | undefined;
  readonly isArchived: boolean;
  /** What stands in on its documents where they say nothing. */
  readonly usual: ContactDefaults;
  /** What it is made of, when it is new. */
  readonly input: Record<string, unknown> | undefined;
  /** Why the service would not make it. */
  error: string | undefined;
}

export interface ContactOptions {
  /** Whether contacts that are new are made. */
  readonly create: boolean;
  /** Whether those are made whose names are near others; the person is asked when not given. */
  readonly similar: boolean;
  /** Whether a name of the file is the contact that it is near; undefined when nobody can be asked. */
  readonly isSame: (name: string, near: string) => Promise<boolean | undefined>;
}

export class ContactBook {
  readonly #client: Client;
  readonly #bounds: LookupBounds;
  readonly #options: ContactOptions;
  /** All names, read when the first is not found. */
  #near: NearNames | undefined;
  /** Folded names of the file that are settled, with the folded name that each stands for. */
  readonly #settled = new Map<string, string>();
  /** Folded names of the file with a near match that no person has confirmed or rejected. */
  readonly #doubts = new Map<string, string>();
  readonly #byId = new Map<string, KnownContact>();
  readonly #byNumber = new Map<string, KnownContact>();
  readonly #byName = new Map<string, KnownContact>();
  readonly #asked = { number: new Set<string>(), name: new Set<string>() };
  readonly #all: KnownContact[] = [];
  readonly #new: KnownContact[] = [];
  readonly #renamed = new Set<KnownContact>();
  #isEmpty: boolean | undefined;

  constructor(client: Client, bounds: LookupBounds, options: ContactOptions) {
    this.#client = client;
    this.#bounds = bounds;
    this.#options = options;
  }

  /** Asks the book for all of these that are not known yet. */
  async lookUp(details: readonly ContactDetails[]): Promise<void> {
    const numbers = new Map<string, string>();
    const names = new Map<string, string>();
    for (const { ContactNumber, Name } of details) {
      if (ContactNumber !== undefined) numbers.set(fold(ContactNumber), ContactNumber);
      if (Name !== undefined) names.set(fold(Name), Name);
    }
    await this.#ask("ContactNumber", numbers, this.#asked.number);
    await this.#ask("Name", names, this.#asked.name);
    for (const each of details) await this.#settleName(each);
  }

  /** Finds a name that the book spells otherwise, or asks about one that is near. */
  async #settleName(details: ContactDetails): Promise<void> {
    const { Name, ContactNumber } = details;
    const key = fold(Name ?? "");
    if (Name === undefined || ContactNumber !== undefined || this.#settled.has(key)) return;
    if (this.find(details) !== undefined) return;
    this.#settled.set(key, key);
    this.#near ??= await this.#allNames();
    if (this.find(details) !== undefined) return;
    const near = this.#near.near(Name);
    this.#near.add(Name);
    if (near === undefined || this.#options.similar) return;
    const isSame = this.#options.create ? await this.#options.isSame(Name, near) : undefined;
    if (isSame === undefined) this.#doubts.set(key, near);
    else if (isSame) this.#settled.set(key, this.#settled.get(fold(near)) ?? fold(near));
  }

  async #allNames(): Promise<NearNames> {
    const names = new NearNames();
    if (await this.#hasNone()) return names;
    const parameters = { summaryOnly: "true" };
    for await (const found of this.#client.list(contact, { parameters })) {
      names.add(found.Name);
      if (!this.#byName.has(fold(found.Name))) this.#keep(found);
    }
    return names;
  }

  async #ask(
    field: "ContactNumber" | "Name",
    values: ReadonlyMap<string, string>,
    asked: Set<string>,
  ): Promise<void> {
    const unknown = [...values].filter(([folded]) => !asked.has(folded));
    if (unknown.length === 0) return;
    for (const [folded] of unknown) asked.add(folded);
    if (await this.#hasNone()) return;
    const wanted = unknown.map(([, value]) => value);
    const options = { summaryOnly: "true" };
    for await (const found of withAny(
      this.#client,
      contact,
      field,
      wanted,
      this.#bounds,
      options,
    )) {
      this.#keep(found);
    }
  }

  /** A new book has no contacts at all, and need not be asked for each. */
  async #hasNone(): Promise<boolean> {
    if (this.#isEmpty === undefined) {
      const parameters = { includeArchived: "true", summaryOnly: "true" };
      const any = this.#client.list(contact, { limit: 1, parameters });
      this.#isEmpty = true;
      for await (const _ of any) this.#isEmpty = false;
    }
    return this.#isEmpty;
  }

  at(index: number): KnownContact | undefined {
    return this.#all[index];
  }

  #enter(known: Omit<KnownContact, "at">): KnownContact {
    const entered = { at: this.#all.length, ...known };
    this.#all.push(entered);
    return entered;
  }

  #keep(contact: Contact): void {
    if (this.#byId.has(contact.ContactID)) return;
    const known = this.#enter({
      id: contact.ContactID,
      name: contact.Name,
      number: contact.ContactNumber,
      isArchived: contact.ContactStatus !== "ACTIVE",
      usual: defaultsOf(contact),
      input: undefined,
      error: undefined,
    });
    this.#byId.set(contact.ContactID, known);
    if (known.number !== undefined) this.#byNumber.set(fold(known.number), known);
    // Names are unique among active contacts alone.
    if (!known.isArchived) this.#byName.set(fold(known.name), known);
  }

  /**
   * The contact that is meant; call `lookUp` before.
   *
   * @returns undefined when there is none yet, a text when none can be told, which says why
   */
  find(details: ContactDetails): KnownContact | string | undefined {
    const { ContactID, ContactNumber, Name } = details;
    if (ContactID !== undefined) return this.#byId.get(ContactID) ?? this.#trusted(ContactID);
    if (ContactNumber !== undefined) {
      const numbered = this.#byNumber.get(fold(ContactNumber));
      if (numbered !== undefined) return numbered;
    }
    const key = fold(Name ?? "");
    const named = Name === undefined ? undefined : this.#byName.get(this.#settled.get(key) ?? key);
    if (named === undefined || ContactNumber === undefined || named.number === undefined) {
      return named;
    }
    return `The name ${named.name} is that of contact ${named.number} already, not of ${ContactNumber}; names are unique, so give this one another.`;
  }

  /** An id is taken as it is; the service will say if there is no such contact. */
  #trusted(id: string): KnownContact {
    const known = this.#enter({
      id,
      name: id,
      number: undefined,
      isArchived: false,
      usual: defaultsOf({}),
      input: undefined,
      error: undefined,
    });
    this.#byId.set(id, known);
    return known;
  }

  /** Why the contact can neither be used nor made; undefined when it can. */
  fault(details: ContactDetails): string | undefined {
    const found = this.find(details);
    if (typeof found === "string") return found;
    if (found !== undefined) {
      return found.isArchived ? `The contact ${found.name} is archived.` : undefined;
    }
    const { ContactNumber, Name } = details;
    const key = ContactNumber === undefined ? `called ${Name}` : `with the number ${ContactNumber}`;
    const near = this.#doubts.get(fold(Name ?? ""));
    if (!this.#options.create) {
      const meant = near === undefined ? "" : ` Did you mean ${near}?`;
      return `There is no contact ${key}; make it first, or give --create-contacts.${meant}`;
    }
    if (near !== undefined) {
      return `The new contact ${Name} may be ${near}: write that name, or make both with --similar-contacts.`;
    }
    return Name === undefined ? `A new contact ${key} needs a name; map Contact.Name.` : undefined;
  }

  /**
   * The contact that is meant, which becomes one to be made when there is none yet.
   *
   * @returns a text when that cannot be, which says why
   */
  obtain(details: ContactDetails): KnownContact | string {
    const fault = this.fault(details);
    if (fault !== undefined) return fault;
    const found = this.find(details);
    if (typeof found === "string") return found;
    if (found !== undefined) {
      if (found.input !== undefined) this.#addTo(found, details);
      return found;
    }
    const { ContactNumber, Name = "" } = details;
    const made = this.#enter({
      id: undefined,
      name: Name,
      number: ContactNumber,
      isArchived: false,
      usual: defaultsOf(details as Partial<Contact>),
      input: structuredClone(details) as Record<string, unknown>,
      error: undefined,
    });
    this.#new.push(made);
    this.#byName.set(this.#settled.get(fold(Name)) ?? fold(Name), made);
    if (ContactNumber !== undefined) this.#byNumber.set(fold(ContactNumber), made);
    return made;
  }

  #addTo(made: KnownContact, details: ContactDetails): void {
    const input = made.input ?? {};
    for (const [name, value] of Object.entries(details)) input[name] ??= value;
    if (details.Name !== undefined && fold(details.Name) !== fold(made.name)) {
      this.#renamed.add(made);
    }
  }

  notes(): readonly string[] {
    const count = this.#renamed.size;
    if (count === 0) return [];
    return [
      `${count} new ${count === 1 ? "contact bears" : "contacts bear"} several names in the file; the first of them is taken.`,
    ];
  }

  related(): Related {
    const waiting = () =>
      this.#new.filter(({ id, error }) => id === undefined && error === undefined);
    return {
      one: "contact",
      several: "contacts",
      count: this.#new.length,
      make: async (advance) => {
        const made = waiting();
        await sendAll(
          this.#client,
          "PUT",
          contact,
          made.map(({ input }) => input as ContactInput),
          (at, result) => {
            const entry = made[at];
            if (entry === undefined) return;
            if (typeof result === "string") entry.error = result;
            else entry.id = result.ContactID;
          },
          advance,
        );
      },
    };
  }
}
