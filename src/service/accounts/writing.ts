/**
 * The `/Accounts` writes: one account per request; system accounts and accounts in use are
 * protected.
 */

import { hyphenDate } from "../../ledger/dates/calendar.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { classOf, usualTaxType } from "../../ledger/regions/region.ts";
import type { Account } from "../../resources/account.ts";
import type { Contact } from "../../resources/contact.ts";
import { refusal } from "../../resources/errors.ts";
import { account, contact, item } from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { isBudgeted } from "../../store/ledger/budgets.ts";
import { list, save } from "../../store/mapping/records.ts";
import { isPostedUntil, isUsed } from "../../store/queries/references.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import {
  accountByKey,
  activeTaxType,
  type Chart,
  loadChart,
} from "../lookups/chart-of-accounts.ts";
import { notSubscribed, subscribedCurrencies } from "../lookups/currencies.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import {
  locate,
  type RecordWriter,
  type WriteItem,
  type WriteRequest,
} from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { recordFrom } from "../request/merge.ts";

export interface AccountBatchContext {
  readonly chart: Chart;
  /** Ids of the accounts of the batch that have postings. */
  readonly used: ReadonlySet<string>;
  /** Ids of the accounts in `used` that have a posting on or before a lock date. */
  readonly closed: ReadonlySet<string>;
  readonly currencies: ReadonlySet<string>;
}

export const accountWriter: RecordWriter<Account, AccountBatchContext> = {
  async load({ tx, entries, organisation }) {
    const used = new Set<string>();
    const closed = new Set<string>();
    const locked = lockedUntil(organisation);
    for (const { existing, input } of entries) {
      if (existing === undefined || input.Type === undefined) continue;
      const { AccountID } = existing;
      if (await isUsed(tx, account, AccountID)) used.add(AccountID);
      if (await isPostedUntil(tx, account, AccountID, locked)) closed.add(AccountID);
    }
    return { chart: await loadChart(tx), used, closed, currencies: await subscribedCurrencies(tx) };
  },

  decide(batch, { chart, used, closed, currencies }, entry) {
    const faults = new Faults();
    const { existing } = entry;
    const record = draftOf(batch, entry);
    if (existing === undefined) {
      const usualType = usualTaxType(regionAt(batch.organisation.CountryCode), record.Type);
      if (chart.taxRate(usualType)?.Status === "ACTIVE") record.TaxType ??= usualType;
      if (record.Status !== "ACTIVE") faults.add("Status", "A new account is ACTIVE.");
    } else {
      checkChange(existing, record, used, faults);
      if (record.Type !== existing.Type && closed.has(existing.AccountID)) {
        faults.add("Country", closedType(existing, batch.organisation));
      }
    }
    if (record.Type === "BANK") checkBank(record, existing, batch.organisation, currencies, faults);
    else checkOther(record, entry.input, faults);
    if (record.TaxType !== undefined && record.TaxType !== existing?.TaxType) {
      record.TaxType = activeTaxType(chart, "TaxType", record.TaxType, faults);
    }
    checkUnique(record, chart, faults);
    faults.check();
    entry.record = record;
    const isArchiving = record.Status === "ARCHIVED" && existing?.Status !== "ARCHIVED";
    const isRestoring = record.Status === "ACTIVE" && existing?.Status === "ARCHIVED";
    const change = isArchiving ? "Archived" : isRestoring ? "Restored" : "Edited";
    const changes = existing === undefined ? "Created" : change;
    const details = `The account ${record.Name} was ${changes.toLowerCase()}.`;
    entry.history.push({ changes, details });
  },

  async keep({ tx, call }, _work, decisions) {
    await save(
      tx,
      account,
      decisions.flatMap((entry) => entry.record ?? []),
    );
    for (const { existing, record } of decisions) {
      if (existing?.Code === undefined || existing.Code === record?.Code) continue;
      await recode(tx, existing.Code, record?.Code, call.now());
    }
  },
};

function draftOf(
  { call }: WriteRequest<Account>,
  { existing, input }: WriteItem<Account>,
): Account {
  const record: Account = {
    ...recordFrom<Account>(
      account,
      call,
      existing,
      existing === undefined ? { Status: "ACTIVE", ...input } : input,
    ),
    HasAttachments: existing?.HasAttachments ?? false,
  };
  return { ...record, Class: classOf(record.Type) };
}

/** Refuses changes that an existing account does not allow. */
function checkChange(
  old: Account,
  after: Account,
  usedIds: ReadonlySet<string>,
  faults: Faults,
): void {
  if (old.Status === "DELETED") faults.add("Status", "A deleted account cannot be changed.");
  else if (after.Status === "DELETED") {
    faults.add("Status", "Delete an account with DELETE; an update may archive it.");
  }
  const isArchiving = after.Status === "ARCHIVED" && old.Status !== "ARCHIVED";
  if (isArchiving && changedFieldNames(old, after).length > 1) {
    faults.add("Status", "Archiving must be the only change in the request.");
  }
  if (old.SystemAccount && (after.Status !== "ACTIVE" || after.Type !== old.Type)) {
    faults.add(
      "ApprovedFields",
      `${old.Name} is a system account: it keeps its type and cannot be archived.`,
    );
  }
  if ((after.Type === "BANK") !== (old.Type === "BANK")) {
    faults.add("ApprovedFields", "An account cannot become or cease to be a bank account.");
  }
  // The balance of an inventory account is the value of its items, so it takes no other postings.
  const isTypeTurned = (after.Type === "INVENTORY") !== (old.Type === "INVENTORY");
  if (isTypeTurned && usedIds.has(old.AccountID)) {
    faults.add(
      "ApprovedFields",
      `${old.Name} has transactions: it cannot become or cease to be of type INVENTORY.`,
    );
  }
}

/**
 * Returns the refusal of a change of type: reports place an account by its type, also in locked
 * periods.
 */
function closedType({ Name, Type }: Account, organisation: Organisation): string {
  const locked = hyphenDate(lockedUntil(organisation) ?? "");
  return (
    `${Name} has transactions in the period that is locked until ${locked}, whose figures would ` +
    `change: it keeps the type ${Type}. Make another account for what comes after.`
  );
}

/** Returns the names of the fields that would change, without those that every update sets. */
function changedFieldNames(old: Account, after: Account): string[] {
  return Object.keys(account.fields).filter(
    (name) =>
      name !== "UpdatedDateUTC" && old[name as keyof Account] !== after[name as keyof Account],
  );
}

function checkBank(
  record: Account,
  former: Account | undefined,
  { BaseCurrency }: Organisation,
  currencies: ReadonlySet<string>,
  faults: Faults,
): void {
  if (!record.BankAccountNumber) {
    faults.add("Required", "BankAccountNumber is required for an account of type BANK.");
  }
  if (record.Description) faults.add("Form", "A bank account has no Description.");
  if (record.BankAccountType === "PAYPAL" && former?.BankAccountType !== "PAYPAL") {
    faults.add("Form", "An account of BankAccountType PAYPAL cannot be created.");
  }
  record.BankAccountType ??= "BANK";
  record.CurrencyCode ??= BaseCurrency;
  if (!currencies.has(record.CurrencyCode))
    faults.add("Currency", notSubscribed(record.CurrencyCode));
  if (former !== undefined && former.CurrencyCode !== record.CurrencyCode) {
    faults.add("ApprovedFields", "The CurrencyCode of a bank account cannot be changed.");
  }
}

function checkOther(record: Account, input: Partial<Account>, faults: Faults): void {
  if (!record.Code) faults.add("Required", "Code is required, except for an account of type BANK.");
  if (input.CurrencyCode) faults.add("Currency", "CurrencyCode is for bank accounts only.");
  if (input.BankAccountNumber) faults.add("Form", "BankAccountNumber is for bank accounts only.");
}

function checkUnique(record: Account, { accounts }: Chart, faults: Faults): void {
  for (const otherAccount of accounts) {
    if (otherAccount.AccountID === record.AccountID || otherAccount.Status === "DELETED") continue;
    if (record.Code && fold(otherAccount.Code ?? "") === fold(record.Code)) {
      faults.add("Unique", `Please enter a unique Code: ${record.Code} is ${otherAccount.Name}.`);
    }
    if (otherAccount.Status === "ACTIVE" && fold(otherAccount.Name) === fold(record.Name)) {
      faults.add("Unique", "Please enter a unique Name.");
    }
  }
}

/** DELETE /Accounts/{AccountID}: only for non-system accounts that nothing refers to. */
export async function deleteAccount(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const stored = await locate(call, tx, { resource: account, byKey: accountByKey }, key);
    if (stored.Status === "DELETED") throw refusal("Status", `${stored.Name} is deleted already.`);
    if (stored.SystemAccount) {
      throw refusal("SystemAccount", `${stored.Name} is a system account and cannot be deleted.`);
    }
    if (await isInUse(tx, stored)) {
      throw refusal(
        "HasTransactions",
        `${stored.Name} has transactions and cannot be deleted; archive it instead.`,
      );
    }
    if (await isBudgeted(tx, [stored.AccountID])) {
      throw refusal(
        "HasTransactions",
        `${stored.Name} stands in a budget and cannot be deleted; archive it instead.`,
      );
    }
    const deleted: Account = { ...stored, Status: "DELETED", UpdatedDateUTC: call.now() };
    await save(tx, account, [deleted]);
    const details = `The account ${stored.Name} was deleted.`;
    await enter(call, tx, account, stored.AccountID, { changes: "Deleted", details });
    return answer(call, account, [deleted], "single");
  });
}

/** Whether a posting, an item or a contact refers to the account. */
async function isInUse(tx: Tx, record: Account): Promise<boolean> {
  return (await isUsed(tx, account, record.AccountID)) || isCodeNamed(tx, record.Code);
}

// --- codes of accounts in items and contacts ------------------------------------------------------

const ofContacts = ["SalesDefaultAccountCode", "PurchasesDefaultAccountCode"] as const;

/** Whether an item or a contact refers to the account by its code. */
async function isCodeNamed(tx: Tx, code: string | undefined): Promise<boolean> {
  if (code === undefined) return false;
  return (await itemsUsingCode(tx, code)).length > 0 || (await contactsNaming(tx, code)).length > 0;
}

/** Replaces an account's old code by its new one in the items and contacts that refer to it. */
async function recode(tx: Tx, from: string, to: string | undefined, now: number): Promise<void> {
  const newCode = (code: string | undefined) => (areSameCodes(code, from) ? to : code);
  const items = (await itemsUsingCode(tx, from)).map(
    (item): Item => ({
      ...item,
      InventoryAssetAccountCode: newCode(item.InventoryAssetAccountCode),
      SalesDetails: recodeDetails(item.SalesDetails, newCode),
      PurchaseDetails: recodeDetails(item.PurchaseDetails, newCode),
      UpdatedDateUTC: now,
    }),
  );
  await save(tx, item, items);
  const contacts = (await contactsNaming(tx, from)).map(
    (contact): Contact => ({
      ...contact,
      SalesDefaultAccountCode: newCode(contact.SalesDefaultAccountCode),
      PurchasesDefaultAccountCode: newCode(contact.PurchasesDefaultAccountCode),
      UpdatedDateUTC: now,
    }),
  );
  await save(tx, contact, contacts);
}

type Details = Item["SalesDetails"];

function recodeDetails(
  details: Details,
  newCode: (code: string | undefined) => string | undefined,
): Details {
  return (
    details && {
      ...details,
      AccountCode: newCode(details.AccountCode),
      COGSAccountCode: newCode(details.COGSAccountCode),
    }
  );
}

async function itemsUsingCode(tx: Tx, code: string): Promise<Item[]> {
  const { records } = await list(tx, item);
  return records.filter(({ InventoryAssetAccountCode, SalesDetails, PurchaseDetails }) =>
    [
      InventoryAssetAccountCode,
      SalesDetails?.AccountCode,
      PurchaseDetails?.AccountCode,
      PurchaseDetails?.COGSAccountCode,
    ].some((text) => areSameCodes(text, code)),
  );
}

async function contactsNaming(tx: Tx, code: string): Promise<Contact[]> {
  const contactById = new Map<string, Contact>();
  for (const field of ofContacts) {
    const { records } = await list(tx, contact, { in: [{ field, values: [code] }] });
    for (const record of records) contactById.set(record.ContactID, record);
  }
  return [...contactById.values()];
}

function areSameCodes(code: string | undefined, otherCode: string): boolean {
  return code !== undefined && fold(code) === fold(otherCode);
}
