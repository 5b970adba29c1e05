/** Contacts as documents name them, from memory while nobody has changed any (`standing.ts`). */
import type { Contact } from "../../resources/contact.ts";
import { contact } from "../../resources/index.ts";
import { fold } from "../../wire/fold.ts";
import { fetch } from "../mapping/records.ts";
import { keep, recall } from "../transactions/reference-cache.ts";
import type { Tx } from "../transactions/tx.ts";

type ContactKey = "ContactID" | "ContactNumber" | "Name";

/**
 * The contacts whose key has one of the values.
 *
 * @param values  ids exactly, text in any letter case and with any accents
 * @returns each an object of its own, as far as its own fields go
 */
export async function fetchContacts(
  tx: Tx,
  key: ContactKey,
  values: readonly string[],
): Promise<Contact[]> {
  const nameOf = (value: string) => `${key} ${key === "ContactID" ? value : fold(value)}`;
  const known = new Map<string, readonly Contact[]>();
  for (const value of values) {
    const found = recall(tx, "contact_version", nameOf(value));
    if (found !== undefined) known.set(value, found as readonly Contact[]);
  }
  const asked = await fetch(
    tx,
    contact,
    key,
    values.filter((value) => !known.has(value)),
  );
  for (const [name, found] of Map.groupBy(asked, (each) => nameOf(each[key] ?? ""))) {
    keep(tx, "contact_version", name, found);
  }
  return [...[...known.values()].flat(), ...asked].map((each) => ({ ...each }));
}
