/**
 * Where items and contacts name an account: by its code, which its owner may change.
 *
 * Lines and payments keep the id of an account, so they need none of this.
 */
import type { Contact } from "../../resources/contact.ts";
import { contact, item } from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import { list, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";

const ofContacts = ["SalesDefaultAccountCode", "PurchasesDefaultAccountCode"] as const;

/** Whether an item or a contact names the account of a code. */
export async function isCodeNamed(tx: Tx, code: string | undefined): Promise<boolean> {
  if (code === undefined) return false;
  return (await itemsNaming(tx, code)).length > 0 || (await contactsNaming(tx, code)).length > 0;
}

/** Lets items and contacts that name an account by its old code name it by its new one. */
export async function recode(
  tx: Tx,
  from: string,
  to: string | undefined,
  now: number,
): Promise<void> {
  const changed = (code: string | undefined) => (isSame(code, from) ? to : code);
  const items = (await itemsNaming(tx, from)).map(
    (each): Item => ({
      ...each,
      InventoryAssetAccountCode: changed(each.InventoryAssetAccountCode),
      SalesDetails: recoded(each.SalesDetails, changed),
      PurchaseDetails: recoded(each.PurchaseDetails, changed),
      UpdatedDateUTC: now,
    }),
  );
  await save(tx, item, items);
  const contacts = (await contactsNaming(tx, from)).map(
    (each): Contact => ({
      ...each,
      SalesDefaultAccountCode: changed(each.SalesDefaultAccountCode),
      PurchasesDefaultAccountCode: changed(each.PurchasesDefaultAccountCode),
      UpdatedDateUTC: now,
    }),
  );
  await save(tx, contact, contacts);
}

type Details = Item["SalesDetails"];

function recoded(
  details: Details,
  changed: (code: string | undefined) => string | undefined,
): Details {
  return (
    details && {
      ...details,
      AccountCode: changed(details.AccountCode),
      COGSAccountCode: changed(details.COGSAccountCode),
    }
  );
}

async function itemsNaming(tx: Tx, code: string): Promise<Item[]> {
  const { records } = await list(tx, item);
  return records.filter(({ InventoryAssetAccountCode, SalesDetails, PurchaseDetails }) =>
    [
      InventoryAssetAccountCode,
      SalesDetails?.AccountCode,
      PurchaseDetails?.AccountCode,
      PurchaseDetails?.COGSAccountCode,
    ].some((each) => isSame(each, code)),
  );
}

async function contactsNaming(tx: Tx, code: string): Promise<Contact[]> {
  const found = new Map<string, Contact>();
  for (const field of ofContacts) {
    const { records } = await list(tx, contact, { in: [{ field, values: [code] }] });
    for (const each of records) found.set(each.ContactID, each);
  }
  return [...found.values()];
}

function isSame(code: string | undefined, other: string): boolean {
  return code !== undefined && fold(code) === fold(other);
}
