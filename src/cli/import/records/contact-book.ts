/**
 * Contacts of imported documents: existing ones, and those to be created.
 *
 * A contact is identified by id, else by number, else by name. The details of a new one are merged
 * from all rows that name it; where rows differ, the first counts.
 */
import type { Client } from "../../../client/client.ts";
import { type Contact, type ContactInput, contact } from "../../../resources/contact.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import { sendAll } from "../sender/send-batches.ts";
import type { RelatedRecords } from "./import-record.ts";
import { fold, withAny } from "./lookup.ts";
import { NearNames } from "./near-names.ts";

/** Contact details in a row. */
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

function defaultsOf(input: Partial<Contact>): ContactDefaults {
  return {
    currency: input.DefaultCurrency,
    sales: { account: input.SalesDefaultAccountCode, tax: input.AccountsReceivableTaxType },
    purchases: { account: input.PurchasesDefaultAccountCode, tax: input.AccountsPayableTaxType },
  };
}

/** A contact of the book, or one to be created. */
export interface KnownContact {
  /** Index in `ContactBook.at`. */
  readonly at: number;
  /** Contact id; undefined until it is created. */
  id: string | undefined;
  readonly name: string;
  readonly number: string | undefined;
  readonly isArchived: boolean;
  /** Defaults of its documents. */
  readonly defaults: ContactDefaults;
  /** Request body of a new contact. */
  readonly input: Record<string, unknown> | undefined;
  /** Reason why the service refused to create it. */
  error: string | undefined;
  /** Whether a record to be sent refers to it. */
  isNeeded: boolean;
}

export interface ContactOptions {
  /** Whether new contacts are created. */
  readonly create: boolean;
  /**
   * Whether contacts with a name near an existing one are created; the user is asked when not
   * given.
   */
  readonly maySimilar: boolean;
  /**
   * Asks whether a name means the contact with a near name; undefined when prompting is not
   * possible.
   */
  readonly isSame: (name: string, nearName: string) => Promise<boolean | undefined>;
}

export class ContactBook {
  readonly #client: Client;
  readonly #bounds: LookupBounds;
  readonly #options: ContactOptions;
  /** All contact names, read when a name is first not found. */
  #near: NearNames | undefined;
  /** Folded names of the file that are resolved, with the folded contact name of each. */
  readonly #settled = new Map<string, string>();
  /** Folded names of the file with a near match that the user has not decided. */
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

  /** Queries the book for the contacts that are not yet known. */
  async lookUp(details: readonly ContactDetails[]): Promise<void> {
    const nameByNumber = new Map<string, string>();
    const nameByFolded = new Map<string, string>();
    for (const { ContactNumber, Name } of details) {
      if (ContactNumber !== undefined) nameByNumber.set(fold(ContactNumber), ContactNumber);
      if (Name !== undefined) nameByFolded.set(fold(Name), Name);
    }
    await this.#ask("ContactNumber", nameByNumber, this.#asked.number);
    await this.#ask("Name", nameByFolded, this.#asked.name);
    for (const detail of details) await this.#settleName(detail);
  }

  /** Resolves a name that the book spells differently, or asks about a near one. */
  async #settleName(details: ContactDetails): Promise<void> {
    const { Name, ContactNumber } = details;
    const key = fold(Name ?? "");
    if (Name === undefined || ContactNumber !== undefined || this.#settled.has(key)) return;
    if (this.find(details) !== undefined) return;
    this.#settled.set(key, key);
    this.#near ??= await this.#allNames();
    if (this.find(details) !== undefined) return;
    const nearName = this.#near.near(Name);
    this.#near.add(Name);
    if (nearName === undefined || this.#options.maySimilar) return;
    const areSame = this.#options.create ? await this.#options.isSame(Name, nearName) : undefined;
    if (areSame === undefined) this.#doubts.set(key, nearName);
    else if (areSame) this.#settled.set(key, this.#settled.get(fold(nearName)) ?? fold(nearName));
  }

  async #allNames(): Promise<NearNames> {
    const names = new NearNames();
    if (await this.#hasNone()) return names;
    const parameters = { summaryOnly: "true" };
    for await (const contacts of this.#client.list(contact, { parameters })) {
      names.add(contacts.Name);
      if (!this.#byName.has(fold(contacts.Name))) this.#keep(contacts);
    }
    return names;
  }

  async #ask(
    field: "ContactNumber" | "Name",
    nameByKey: ReadonlyMap<string, string>,
    askedKeys: Set<string>,
  ): Promise<void> {
    const unknown = [...nameByKey].filter(([folded]) => !askedKeys.has(folded));
    if (unknown.length === 0) return;
    for (const [folded] of unknown) askedKeys.add(folded);
    if (await this.#hasNone()) return;
    const unknownNames = unknown.map(([, value]) => value);
    const options = { summaryOnly: "true" };
    for await (const contacts of withAny(
      this.#client,
      contact,
      field,
      unknownNames,
      this.#bounds,
      options,
    )) {
      this.#keep(contacts);
    }
  }

  /** Whether the book has no contacts, so that it need not be queried for each. */
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

  #enter(details: Omit<KnownContact, "at">): KnownContact {
    const entry = { at: this.#all.length, ...details };
    this.#all.push(entry);
    return entry;
  }

  #keep(contact: Contact): void {
    if (this.#byId.has(contact.ContactID)) return;
    const entry = this.#enter({
      id: contact.ContactID,
      name: contact.Name,
      number: contact.ContactNumber,
      isArchived: contact.ContactStatus !== "ACTIVE",
      defaults: defaultsOf(contact),
      input: undefined,
      error: undefined,
      isNeeded: true,
    });
    this.#byId.set(contact.ContactID, entry);
    if (entry.number !== undefined) this.#byNumber.set(fold(entry.number), entry);
    // Names are unique among active contacts alone; an archived one is told where none is active.
    const name = fold(entry.name);
    if (!entry.isArchived || !this.#byName.has(name)) this.#byName.set(name, entry);
  }

  /**
   * Returns the contact for details; `lookUp` must run before.
   *
   * @returns undefined when there is none yet; a text says why it is ambiguous
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

  /** Returns a contact by id without a check, as the service will report an unknown id. */
  #trusted(id: string): KnownContact {
    const trustedContact = this.#enter({
      id,
      name: id,
      number: undefined,
      isArchived: false,
      defaults: defaultsOf({}),
      input: undefined,
      error: undefined,
      isNeeded: true,
    });
    this.#byId.set(id, trustedContact);
    return trustedContact;
  }

  /** Returns ` Did you mean X?` for a name near to one of the book, else an empty text. */
  hint({ Name }: ContactDetails): string {
    const near = this.#doubts.get(fold(Name ?? ""));
    return near === undefined ? "" : ` Did you mean ${near}?`;
  }

  /** Returns why the contact can neither be used nor created; undefined when it can. */
  fault(details: ContactDetails): string | undefined {
    const match = this.find(details);
    if (typeof match === "string") return match;
    if (match !== undefined) {
      return match.isArchived
        ? `The contact ${match.name} is archived; acct contact restore takes it back into use.`
        : undefined;
    }
    const { ContactNumber, Name } = details;
    const key = ContactNumber === undefined ? `called ${Name}` : `with the number ${ContactNumber}`;
    if (!this.#options.create) {
      return `There is no contact ${key}; make it first, or give --create-contacts.${this.hint(details)}`;
    }
    const near = this.#doubts.get(fold(Name ?? ""));
    if (near !== undefined) {
      return `The new contact ${Name} may be ${near}: write that name, or make both with --similar-contacts.`;
    }
    return Name === undefined ? `A new contact ${key} needs a name; map Contact.Name.` : undefined;
  }

  /**
   * Returns the contact for details, or registers a new one for creation.
   *
   * @returns a text, which says why, when neither is possible
   */
  obtain(details: ContactDetails): KnownContact | string {
    const fault = this.fault(details);
    if (fault !== undefined) return fault;
    const match = this.find(details);
    if (typeof match === "string") return match;
    if (match !== undefined) {
      if (match.input !== undefined) this.#addTo(match, details);
      return match;
    }
    const { ContactNumber, Name = "" } = details;
    const newContact = this.#enter({
      id: undefined,
      name: Name,
      number: ContactNumber,
      isArchived: false,
      defaults: defaultsOf(details as Partial<Contact>),
      input: structuredClone(details) as Record<string, unknown>,
      error: undefined,
      isNeeded: true,
    });
    this.#new.push(newContact);
    this.#byName.set(this.#settled.get(fold(Name)) ?? fold(Name), newContact);
    if (ContactNumber !== undefined) this.#byNumber.set(fold(ContactNumber), newContact);
    return newContact;
  }

  #addTo(newContact: KnownContact, details: ContactDetails): void {
    const input = newContact.input ?? {};
    for (const [name, value] of Object.entries(details)) input[name] ??= value;
    if (details.Name !== undefined && fold(details.Name) !== fold(newContact.name)) {
      this.#renamed.add(newContact);
    }
  }

  notes(): readonly string[] {
    const count = this.#renamed.size;
    if (count === 0) return [];
    return [
      `${count} new ${count === 1 ? "contact bears" : "contacts bear"} several names in the file; the first of them is taken.`,
    ];
  }

  related(): RelatedRecords {
    const waitingContacts = () =>
      this.#new.filter(({ id, isNeeded, error }) => isNeeded && (id ?? error) === undefined);
    return {
      one: "contact",
      several: "contacts",
      count: this.#new.filter(({ isNeeded }) => isNeeded).length,
      forget: () => {
        for (const entry of this.#new) Object.assign(entry, { id: undefined, isNeeded: false });
      },
      make: async (client, advance) => {
        const contactsMade = waitingContacts();
        await sendAll(
          client,
          "PUT",
          contact,
          contactsMade.map(({ input }) => input as ContactInput),
          (at, result) => {
            const entry = contactsMade[at];
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
