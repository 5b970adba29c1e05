/** Membership of contacts in groups. */
import { sql } from "kysely";
import type { Insertion } from "../connection/connection.ts";
import { deleteRows, insertRows, rowsFor } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface GroupMember {
  readonly ContactID: string;
  readonly Name: string;
}

/** The members of a group, ordered by name. */
export async function membersOf(tx: Tx, groupId: string): Promise<GroupMember[]> {
  const { rows } = await sql<GroupMember>`
    select c.id as "ContactID", c.name as "Name"
    from contact_group_member as m join contact as c on c.org = m.org and c.id = m.contact_id
    where m.org = ${tx.org} and c.org = ${tx.org} and m.group_id = ${groupId}
    order by c.name_key, c.id`.execute(tx.db);
  return rows;
}

export interface Membership {
  readonly ContactGroupID: string;
  readonly Name: string;
  readonly Status: "ACTIVE";
}

/** The active groups of contacts, ordered by name; contacts in none are left out of the map. */
export async function groupsOf(
  tx: Tx,
  contactIds: readonly string[],
): Promise<Map<string, Membership[]>> {
  const rows = await rowsFor(contactIds, (ids) =>
    sql<{ contact: string; id: string; name: string }>`
      select m.contact_id as contact, g.id as id, g.name as name
      from contact_group_member as m
        join contact_group as g on g.org = m.org and g.id = m.group_id and g.status = 'ACTIVE'
      where m.org = ${tx.org} and g.org = ${tx.org} and m.contact_id in (${sql.join(ids)})
      order by g.name_key`.execute(tx.db),
  );
  const groupsByContact = new Map<string, Membership[]>();
  for (const [contact, own] of Map.groupBy(rows, (row) => row.contact)) {
    const memberships = own.map(({ id, name }): Membership => {
      return { ContactGroupID: id, Name: name, Status: "ACTIVE" };
    });
    groupsByContact.set(contact, memberships);
  }
  return groupsByContact;
}

const insertion: Insertion = {
  table: "contact_group_member",
  columns: ["org", "group_id", "contact_id"],
  tail: "on conflict do nothing",
};

/** Adds contacts to a group; existing members stay. */
export async function addMembers(
  tx: Tx,
  groupId: string,
  contactIds: readonly string[],
): Promise<void> {
  const rows = [...new Set(contactIds)].map((contactId) => [tx.org, groupId, contactId]);
  await insertRows(tx, insertion, rows);
}

/**
 * Removes one contact from a group, or all of them.
 * @returns whether there was any
 */
export async function removeMembers(tx: Tx, groupId: string, contactId?: string): Promise<boolean> {
  const ofContact = contactId === undefined ? sql`` : sql` and contact_id = ${contactId}`;
  return (await deleteRows(tx, "contact_group_member", sql`group_id = ${groupId}${ofContact}`)) > 0;
}
