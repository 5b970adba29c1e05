/** /ContactGroups: named groups of contacts, and their members. */

import type { Contact } from "../../../resources/contact.ts";
import type { ContactGroup } from "../../../resources/contact-group.ts";
import { NotFoundError, refusal } from "../../../resources/errors.ts";
import { id, type Resource } from "../../../resources/field.ts";
import { contact, contactGroup } from "../../../resources/index.ts";
import { readId } from "../../../resources/scalar.ts";
import { fetch, filterFields, list, save } from "../../../store/mapping/records.ts";
import { addMembers, membersOf, removeMembers } from "../../../store/records/contact-groups.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import type { Where } from "../../../wire/query/tree.ts";
import { parseWhere } from "../../../wire/query/where.ts";
import { answer, noContent } from "../../request/answer.ts";
import type { RequestContext } from "../../request/context.ts";
import { type Endpoint, locate, type RecordWriter } from "../../request/endpoint.ts";
import { Faults, writtenAt } from "../../request/faults.ts";
import { enter } from "../../request/history.ts";
import { recordFrom } from "../../request/merge.ts";
import type { RouteHandler } from "../../request/route.ts";
import { unique } from "../../request/unique.ts";
import { readInputs } from "../../request/write.ts";

const groupsMax = 100;
const membersMax = 10_000;

interface ContactGroupContext {
  /** Active groups by folded name, including those already decided in the batch. */
  readonly activeByName: Map<string, ContactGroup>;
  /** Ids of the members of the groups that are sent with contacts, by the id of the group. */
  readonly members: ReadonlyMap<string, readonly (string | undefined)[]>;
}

const isActive = (): Where =>
  parseWhere('Status=="ACTIVE"', contactGroup.name, filterFields(contactGroup));

async function activeGroups(tx: Tx): Promise<Map<string, ContactGroup>> {
  const { records } = await list(tx, contactGroup, { where: isActive() });
  return new Map(records.map((record) => [fold(record.Name), record]));
}

export const contactGroups: Endpoint<ContactGroup, ContactGroupContext> = {
  resource: contactGroup,
  listOrder: "Name",
  defaultFilter: () => [isActive()],

  async expand(_call, tx, records, view) {
    if (view !== "single") return records;
    return Promise.all(
      records.map(async (contactGroup) => {
        checkLive(contactGroup);
        return { ...contactGroup, Contacts: await membersOf(tx, contactGroup.ContactGroupID) };
      }),
    );
  },

  writer: async () => groupWriting,
};

/** Refuses a deleted group. @throws NotFoundError */
function checkLive({ Status, Name }: ContactGroup): void {
  if (Status === "ACTIVE") return;
  throw new NotFoundError("NotFound", `The contact group ${Name} is deleted.`);
}

const groupWriting: RecordWriter<ContactGroup, ContactGroupContext> = {
  async alternates({ tx, entries }) {
    const activeByName = await activeGroups(tx);
    return entries.map(({ input }) => activeByName.get(fold(String(input.Name ?? ""))));
  },

  clash: (_input, stored) => ({ rule: "Unique", message: nameTaken(stored.Name) }),

  alsoAccepts: { Contacts: { ...contactGroup.fields.Contacts, readOnly: false } },

  async load({ tx, entries }) {
    const membersById = new Map<string, readonly (string | undefined)[]>();
    for (const { existing, input } of entries) {
      if (existing === undefined || input.Contacts === undefined) continue;
      const contacts = await membersOf(tx, existing.ContactGroupID);
      membersById.set(
        existing.ContactGroupID,
        contacts.map(({ ContactID }) => ContactID),
      );
    }
    return { activeByName: await activeGroups(tx), members: membersById };
  },

  decide({ call }, { activeByName, members }, entry) {
    const { existing } = entry;
    if (existing !== undefined) checkLive(existing);
    const faults = new Faults();
    const record = recordFrom<ContactGroup>(contactGroup, call, existing, entry.input);
    const { Contacts = [] } = entry.input as Partial<ContactGroup>;
    const knownMembers = members.get(record.ContactGroupID) ?? [];
    if (Contacts.some(({ ContactID }) => !knownMembers.includes(ContactID)))
      faults.add("Form", writtenAt("Contacts", "/ContactGroups/{ContactGroupID}/Contacts"));
    if (existing === undefined && record.Status !== "ACTIVE") {
      faults.add("Status", "A new contact group is ACTIVE.");
    }
    const holder = activeByName.get(fold(record.Name));
    if (holder !== undefined && holder.ContactGroupID !== record.ContactGroupID) {
      faults.add("Unique", nameTaken(record.Name));
    }
    if (existing === undefined && activeByName.size >= groupsMax) {
      faults.add("Limit", `You've reached the limit of ${groupsMax} contact groups.`);
    }
    faults.check();
    if (existing !== undefined) activeByName.delete(fold(existing.Name));
    if (record.Status === "ACTIVE") activeByName.set(fold(record.Name), record);
    entry.record = record;
    const verb =
      existing === undefined ? "Created" : record.Status === "DELETED" ? "Deleted" : "Edited";
    const details = `The contact group ${record.Name} was ${verb.toLowerCase()}.`;
    entry.history.push({ changes: verb, details });
  },

  async keep({ tx }, _work, decisions) {
    const records = decisions.flatMap((entry) => entry.record ?? []);
    await save(tx, contactGroup, records);
    for (const record of records) record.Contacts = await membersOf(tx, record.ContactGroupID);
  },
};

function nameTaken(name: string): string {
  return `The contact group name ${name} is already in use. The name must be unique across all active contact groups.`;
}

// --- members ---------------------------------------------------------------------------------

/** Members in requests and answers: contacts by their ids. */
const member: Resource = {
  ...contact,
  fields: { ContactID: id({ always: true }), Name: contactGroup.fields.Contacts.fields.Name },
};

/** History note of changed members. */
const changes = "Edited";

/** PUT /ContactGroups/{id}/Contacts: adds contacts, and answers the sent ones. */
export async function addToGroup(call: RequestContext, key: string): Promise<ServiceResponse> {
  const inputs = readInputs(call, { resource: member }, membersMax);
  return call.write(async (tx) => {
    const group = await liveGroup(call, tx, key);
    const contacts = await contactsNamed(tx, inputs);
    await addMembers(
      tx,
      group.ContactGroupID,
      contacts.map((contact) => contact.ContactID),
    );
    const verb = `was added to the contact group ${group.Name}.`;
    const edits = contacts.map((contact) => ({ changes, details: `${contact.Name} ${verb}` }));
    await enter(call, tx, contactGroup, group.ContactGroupID, ...edits);
    const members = contacts.map(({ ContactID, Name }) => ({ ContactID, Name }));
    return answer(call, member, members, "single");
  });
}

/** Returns the listed contacts, once each. @throws RefusedError for unknown ones */
async function contactsNamed(
  tx: Tx,
  inputs: readonly Readonly<Record<string, unknown>>[],
): Promise<Contact[]> {
  const faults = new Faults();
  if (inputs.length === 0) faults.add("Required", "Contacts needs at least one contact.");
  if (inputs.some((input) => input.ContactID === undefined)) {
    faults.add("Required", "Each contact must be identified by its ContactID.");
  }
  const ids = unique(inputs.map((input) => input.ContactID as string | undefined));
  const contacts = await fetch(tx, contact, "ContactID", ids);
  const byId = new Map(contacts.map((contact) => [contact.ContactID, contact]));
  for (const text of ids) {
    if (!byId.has(text)) faults.add("NotFound", `There is no contact ${text}.`);
  }
  faults.check();
  return ids.flatMap((text) => byId.get(text) ?? []);
}

/** DELETE /ContactGroups/{id}/Contacts: removes all contacts. */
export async function emptyGroup(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const group = await liveGroup(call, tx, key);
    if (await removeMembers(tx, group.ContactGroupID)) {
      const details = `All contacts were taken out of ${group.Name}.`;
      await enter(call, tx, contactGroup, group.ContactGroupID, { changes, details });
    }
    return noContent;
  });
}

/** DELETE /ContactGroups/{id}/Contacts/{ContactID}: removes one contact. */
export const removeFromGroup: RouteHandler = async (call, key, contactKey) => {
  return call.write(async (tx) => {
    const group = await liveGroup(call, tx, key);
    const contactId = readId(contactKey);
    const isRemoved =
      contactId !== undefined && (await removeMembers(tx, group.ContactGroupID, contactId));
    if (!isRemoved) {
      throw new NotFoundError(
        "NotFound",
        `The contact group ${group.Name} has no contact ${contactKey.slice(0, 60)}.`,
      );
    }
    const details = `The contact ${contactId} was taken out of ${group.Name}.`;
    await enter(call, tx, contactGroup, group.ContactGroupID, { changes, details });
    return noContent;
  });
};

async function liveGroup(call: RequestContext, tx: Tx, key: string): Promise<ContactGroup> {
  const contactGroup = await locate(call, tx, contactGroups, key);
  if (contactGroup.Status !== "ACTIVE")
    throw refusal("Status", `The contact group ${contactGroup.Name} is deleted.`);
  return contactGroup;
}
