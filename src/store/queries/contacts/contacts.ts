/**
 * Contacts in the form in which documents show them, and their receivable and payable balances.
 */
import { sql } from "kysely";
import type { Contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { contact } from "../../../resources/index.ts";
import { fold } from "../../../wire/fold.ts";
import { fetch } from "../../mapping/records.ts";
import { keyLists } from "../../operations/bulk.ts";
import { readCache, writeCache } from "../../transactions/reference-cache.ts";
import type { Tx } from "../../tx/tx.ts";

export type ContactBalances = NonNullable<Contact["Balances"]>;

/** The side of a contact's balance on which each document type counts; credits reduce it. */
const sides: Readonly<
  Record<string, { readonly on: keyof ContactBalances; readonly sign: 1 | -1 }>
> = {
  ACCREC: { on: "AccountsReceivable", sign: 1 },
  ACCPAY: { on: "AccountsPayable", sign: 1 },
  ACCRECCREDIT: { on: "AccountsReceivable", sign: -1 },
  ACCPAYCREDIT: { on: "AccountsPayable", sign: -1 },
  "RECEIVE-OVERPAYMENT": { on: "AccountsReceivable", sign: -1 },
  "SPEND-OVERPAYMENT": { on: "AccountsPayable", sign: -1 },
};

interface BalanceRow {
  readonly contact_id: string;
  readonly type: string;
  readonly outstanding: number;
  readonly overdue: number;
}

/**
 * Open amounts in the base currency, by contact; contacts without open documents are left out of
 * the map.
 * @param today  `YYYY-MM-DD`; documents due before it are overdue
 */
export async function contactBalances(
  tx: Tx,
  contactIds: readonly string[],
  today: string,
): Promise<Map<string, ContactBalances>> {
  const balanceById = new Map<string, ContactBalances>();
  for (const ids of keyLists(contactIds)) {
    const { rows } = await sql<BalanceRow>`
      select contact_id, type, sum(base_due) as outstanding,
        sum(case when due_date < ${today} then base_due else 0 end) as overdue
      from document
      where org = ${tx.org} and contact_id in (${sql.join(ids)}) and status = 'AUTHORISED'
      group by contact_id, type`.execute(tx.db);
    for (const { contact_id, type, outstanding, overdue } of rows) {
      const balanceSide = sides[type];
      if (balanceSide === undefined) continue;
      let balance = balanceById.get(contact_id);
      if (balance === undefined) {
        balance = { AccountsReceivable: noContacts(), AccountsPayable: noContacts() };
        balanceById.set(contact_id, balance);
      }
      const { Outstanding, Overdue } = balance[balanceSide.on] ?? noContacts();
      balance[balanceSide.on] = {
        Outstanding: (Outstanding + balanceSide.sign * outstanding) as Cents,
        Overdue: (Overdue + balanceSide.sign * overdue) as Cents,
      };
    }
  }
  return balanceById;
}

function noContacts() {
  return { Outstanding: 0 as Cents, Overdue: 0 as Cents };
}

type ContactKey = "ContactID" | "ContactNumber" | "Name";

/**
 * The contacts whose key equals one of the values.
 * @param values  ids exactly, text in any letter case and with any accents
 * @returns new objects, whose nested objects are shared with the cache
 */
export async function fetchContacts(
  tx: Tx,
  key: ContactKey,
  values: readonly string[],
): Promise<Contact[]> {
  const nameOf = (value: string) => `${key} ${key === "ContactID" ? value : fold(value)}`;
  const known = new Map<string, readonly Contact[]>();
  for (const value of values) {
    const cachedContacts = readCache(tx, "contact_version", nameOf(value));
    if (cachedContacts !== undefined) known.set(value, cachedContacts as readonly Contact[]);
  }
  const fetched = await fetch(
    tx,
    contact,
    key,
    values.filter((value) => !known.has(value)),
  );
  for (const [name, group] of Map.groupBy(fetched, (record) => nameOf(record[key] ?? ""))) {
    writeCache(tx, "contact_version", name, group);
  }
  return [...[...known.values()].flat(), ...fetched].map((contact) => ({ ...contact }));
}

/** Maximum names read, to be compared with an unknown name. */
const namesMax = 5000;

/** Names of active contacts. */
export async function activeNames({ db, org }: Tx): Promise<string[]> {
  const rows = await db
    .selectFrom("contact")
    .select("name")
    .where("org", "=", org)
    .where("contact_status", "=", "ACTIVE")
    .orderBy("id")
    .limit(namesMax)
    .execute();
  return rows.map(({ name }) => name);
}
