/**
 * References of a batch of documents, loaded with one query per kind.
 *
 * Composing a document then only reads and changes this data in memory: contacts by number, the
 * stock that an earlier document of the batch has used, the numbers it has taken.
 */

import type { Contact } from "../../resources/contact.ts";
import { employee, item, user } from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { nearest } from "../../resources/scalar.ts";
import type { User } from "../../resources/user.ts";
import { fetch } from "../../store/mapping/records.ts";
import { activeNames, fetchContacts } from "../../store/queries/contacts/contacts.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { type Faults, twoRecords } from "../request/faults.ts";
import { unique } from "../request/unique.ts";

/** Keys by which a document may name a contact. */
export interface ContactReference {
  readonly ContactID?: string | undefined;
  readonly ContactNumber?: string | undefined;
  readonly Name?: string | undefined;
}

export class Contacts {
  readonly #byId = new Map<string, Contact>();
  readonly #byNumber = new Map<string, Contact>();
  readonly #byName = new Map<string, Contact>();
  /** Contacts that documents of the batch have made customers or suppliers, to be saved. */
  readonly changed = new Map<string, Contact>();

  readonly #names: readonly string[];

  /**
   * @param names  names of active contacts, of which the nearest is suggested for an unknown name
   */
  constructor(contacts: readonly Contact[], names: readonly string[]) {
    this.#names = names;
    for (const each of contacts) {
      this.#byId.set(each.ContactID, each);
      if (each.ContactNumber !== undefined) this.#byNumber.set(fold(each.ContactNumber), each);
      // Names are unique among active contacts only.
      if (each.ContactStatus === "ACTIVE") this.#byName.set(fold(each.Name), each);
    }
  }

  byId(id: string): Contact | undefined {
    return this.#byId.get(id);
  }

  /** Finds a contact by the first of the given keys. */
  find({ ContactID, ContactNumber, Name }: ContactReference = {}): Contact | undefined {
    if (ContactID) return this.#byId.get(ContactID);
    if (ContactNumber) return this.#byNumber.get(fold(ContactNumber));
    return Name ? this.#byName.get(fold(Name)) : undefined;
  }

  /**
   * Returns the named contact, or undefined with the reason added to `faults`.
   *
   * @param formerId  id of the document's current contact, which may be archived
   */
  resolve(
    reference: ContactReference | undefined,
    faults: Faults,
    formerId?: string,
  ): Contact | undefined {
    if (reference === undefined) {
      faults.add("OneContact", "A Contact must be specified for this type of transaction");
      return undefined;
    }
    const { ContactID, ContactNumber, Name } = reference;
    if (!ContactID && !ContactNumber && !Name) {
      faults.add(
        "OneContact",
        "The Contact must contain at least 1 of the following elements to identify the contact: Name, ContactID, ContactNumber",
      );
      return undefined;
    }
    const contact = this.find(reference);
    if (contact === undefined) {
      const key = ContactID
        ? `id ${ContactID}`
        : ContactNumber
          ? `number ${ContactNumber}`
          : `name ${Name}`;
      const nearestName = ContactID || ContactNumber ? undefined : nearest(Name ?? "", this.#names);
      const hint = nearestName === undefined ? "" : ` The nearest name is ${nearestName}.`;
      faults.add("NotFound", `There is no active contact with the ${key}; create it first.${hint}`);
    } else if (contact.ContactStatus !== "ACTIVE" && contact.ContactID !== formerId) {
      faults.add("Status", `The contact ${contact.Name} is archived.`);
    } else {
      // A key that no contact has any more may be a former one.
      const isOwn = fold(Name ?? "") === fold(contact.Name);
      const otherContacts = [this.find({ ContactNumber }), isOwn ? contact : this.find({ Name })];
      const other = otherContacts.find((each) => each !== undefined && each !== contact);
      if (other !== undefined) faults.add("Form", twoRecords("Contact", contact.Name, other.Name));
    }
    return contact;
  }

  mark(contact: Contact, role: "IsCustomer" | "IsSupplier"): void {
    if (contact[role]) return;
    contact[role] = true;
    this.changed.set(contact.ContactID, contact);
  }
}

export async function loadContacts(
  tx: Tx,
  references: readonly (ContactReference | undefined)[],
): Promise<Contacts> {
  const contacts: Contact[] = [];
  for (const key of ["ContactID", "ContactNumber", "Name"] as const) {
    const values = unique(references.map((reference) => reference?.[key]));
    if (values.length > 0) contacts.push(...(await fetchContacts(tx, key, values)));
  }
  // A contact found by two keys must be one object, since documents of the batch change it.
  const distinct = [...new Map(contacts.map((contact) => [contact.ContactID, contact])).values()];
  const knownContacts = new Contacts(distinct, []);
  const isUnknown = references.some((each) => each?.Name && knownContacts.find(each) === undefined);
  return isUnknown ? new Contacts(distinct, await activeNames(tx)) : knownContacts;
}

/** Somebody who spends: a user, or an employee, whose id is then the EmployeeID. */
export type Person = Partial<User> & Pick<User, "UserID">;

/** Returns how a person is called: by name, else by email address. */
export function personName({ FirstName, LastName, EmailAddress = "" }: Person): string {
  return [FirstName, LastName].filter((text) => text).join(" ") || EmailAddress;
}

/** Loads users by their ids, and employees that are no users by theirs. */
export async function loadUsers(
  tx: Tx,
  references: readonly ({ readonly UserID?: string | undefined } | undefined)[],
): Promise<Map<string, Person>> {
  const ids = unique(references.map((reference) => reference?.UserID));
  const personById = new Map<string, Person>();
  for (const record of await fetch(tx, user, "UserID", ids)) personById.set(record.UserID, record);
  const otherIds = ids.filter((id) => !personById.has(id));
  if (otherIds.length === 0) return personById;
  for (const record of await fetch(tx, employee, "EmployeeID", otherIds)) {
    const { EmployeeID: UserID, FirstName, LastName, Status } = record;
    const OrganisationRole = Status === "ACTIVE" ? undefined : "REMOVED";
    personById.set(UserID, { UserID, FirstName, LastName, OrganisationRole });
  }
  return personById;
}

/** Loads items by folded code, one object each, since documents of the batch change their stock. */
export async function loadItems(
  tx: Tx,
  lines: readonly (readonly Partial<LineItem>[] | undefined)[],
): Promise<Map<string, Item>> {
  const codes = unique(lines.flatMap((each) => each ?? []).map((line) => line.ItemCode));
  const items = await fetch(tx, item, "Code", codes);
  return new Map(items.map((item) => [fold(item.Code), item]));
}

/** Returns the refusal of an unknown BrandingThemeID. */
export function unknownTheme(id: string): string {
  return `BrandingThemeID: there is no branding theme ${id}.`;
}
