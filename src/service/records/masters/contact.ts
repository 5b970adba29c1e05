/** /Contacts: customers and suppliers, which can be archived but not deleted. */

import { electronicAddressFault } from "../../../e-invoices/identifiers.ts";
import { isEmailAddress } from "../../../platform/mail.ts";
import type { Contact } from "../../../resources/contact.ts";
import { refusal } from "../../../resources/errors.ts";
import { contact } from "../../../resources/index.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import { fetch, filterFields, save } from "../../../store/mapping/records.ts";
import { contactBalances } from "../../../store/queries/contacts/contacts.ts";
import { groupsOf } from "../../../store/records/contact-groups.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { parseWhere } from "../../../wire/query/where.ts";
import {
  activeAccount,
  activeOption,
  activeTaxType,
  type Chart,
  loadChart,
} from "../../lookups/chart-of-accounts.ts";
import { notSubscribed, subscribedCurrencies } from "../../lookups/currencies.ts";
import { answer } from "../../request/answer.ts";
import { organisationContext, type RequestContext } from "../../request/context.ts";
import {
  type Endpoint,
  type HistoryNote,
  locate,
  type RecordWriter,
  type WriteRequest,
} from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { enter } from "../../request/history.ts";
import { recordFrom } from "../../request/merge.ts";
import { maySeePurchases } from "../../request/permissions.ts";
import { unique } from "../../request/unique.ts";

interface ContactBatchContext {
  readonly chart: Chart;
  /** Contacts with a name or number of the batch, keyed by `name:` or `number:` and folded text. */
  readonly takenNames: Map<string, Contact>;
  readonly currencies: ReadonlySet<string>;
}

const addressTypes = ["STREET", "POBOX"] as const;
const phoneTypes = ["DDI", "DEFAULT", "FAX", "MOBILE"] as const;

/** Loads contacts with a name (if active) or a number that the batch contains. */
async function loadSharers({ tx, entries }: WriteRequest<Contact>): Promise<Map<string, Contact>> {
  const inputs = entries.map(({ input }) => input as Partial<Contact>);
  const sharerByKey = new Map<string, Contact>();
  const names = unique(inputs.map((input) => input.Name));
  for (const record of await fetch(tx, contact, "Name", names)) {
    if (record.ContactStatus === "ACTIVE") sharerByKey.set(nameKey(record.Name), record);
  }
  const numbers = unique(inputs.map((input) => input.ContactNumber));
  for (const record of numbers.length === 0
    ? []
    : await fetch(tx, contact, "ContactNumber", numbers)) {
    sharerByKey.set(numberKey(record.ContactNumber), record);
  }
  return sharerByKey;
}

const nameKey = (name: string | undefined) => `name:${fold(name ?? "")}`;
const numberKey = (number: string | undefined) => `number:${fold(number ?? "")}`;

export const contacts: Endpoint<Contact, ContactBatchContext> = {
  resource: contact,

  summaryView: "paged",
  summaryOmits: [
    "Addresses",
    "Balances",
    "ContactGroups",
    "ContactPersons",
    "IsCustomer",
    "IsSupplier",
    "SalesDefaultAccountCode",
    "PurchasesDefaultAccountCode",
    "SalesTrackingCategories",
    "PurchasesTrackingCategories",
  ],

  async byKey(tx, key) {
    const [match] = await fetch(tx, contact, "ContactNumber", [key]);
    return match;
  },

  defaultFilter(call) {
    return call.query.boolean("includeArchived")
      ? []
      : [parseWhere('ContactStatus!="ARCHIVED"', "Contact", filterFields(contact))];
  },

  async expand(call, tx, records, view) {
    if (view === "list") return records;
    await addBalances(call, tx, records, (await organisationContext(call, tx)).today);
    await addGroups(tx, records);
    return records;
  },

  writer: async () => contactWriting,
};

const contactWriting: RecordWriter<Contact, ContactBatchContext> = {
  async alternates(batch) {
    const sharerByKey = await loadSharers(batch);
    return batch.entries.map(({ input }) => {
      const { Name, ContactNumber } = input as Partial<Contact>;
      return sharerByKey.get(numberKey(ContactNumber)) ?? sharerByKey.get(nameKey(Name));
    });
  },

  clash: ({ Name }, stored) =>
    nameKey(String(Name ?? "")) === nameKey(stored.Name)
      ? { rule: "ContactName", message: nameTaken(stored.Name) }
      : { rule: "Unique", message: numberTaken(stored) },

  async load(batch) {
    const { tx } = batch;
    return {
      chart: await loadChart(tx),
      takenNames: await loadSharers(batch),
      currencies: await subscribedCurrencies(tx),
    };
  },

  decide({ call, organisation }, { chart, takenNames: taken, currencies }, entry) {
    const faults = new Faults();
    const { existing } = entry;
    const input = entry.input as Partial<Contact>;
    if (existing !== undefined && existing.ContactStatus !== "ACTIVE")
      throw refusal("Status", archived);
    const record: Contact = {
      ...recordFrom<Contact>(contact, call, existing, input),
      IsSupplier: existing?.IsSupplier ?? false,
      IsCustomer: existing?.IsCustomer ?? false,
      HasAttachments: existing?.HasAttachments ?? false,
    };
    completeAddresses(record, input, faults);
    checkUnique(record, taken, faults);
    checkNamed(record, input, chart, faults);
    checkEmails(record, faults);
    checkElectronicAddress(input, faults);
    checkTracking(record, input, chart, faults);
    checkBatchPayments(input, organisation, faults);
    const { DefaultCurrency: code } = input;
    if (code !== undefined && !currencies.has(code)) faults.add("Currency", notSubscribed(code));
    faults.check();
    taken.set(nameKey(record.Name), record);
    if (record.ContactNumber !== undefined) taken.set(numberKey(record.ContactNumber), record);
    entry.record = record;
    entry.history.push(entryNote(record, existing));
  },

  async keep({ call, tx, today }, _work, decisions) {
    const records = decisions.flatMap((entry) => entry.record ?? []);
    await save(tx, contact, records);
    // Only existing contacts can have balances.
    const saved = decisions.flatMap(({ existing, record }) => (existing && record ? [record] : []));
    await addBalances(call, tx, saved, today);
    await addGroups(tx, saved);
  },
};

/**
 * POST /Contacts/{ContactID}/Restore: reactivates an archived contact. An extension: in the public
 * API archived contacts stay archived.
 */
export async function restoreContact(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const record = await locate(call, tx, contacts, key);
    if (record.ContactStatus === "ACTIVE") throw refusal("Form", `${record.Name} is not archived.`);
    if (record.ContactStatus === "GDPRREQUEST") {
      throw refusal("Form", `${record.Name} was erased, which cannot be taken back.`);
    }
    for (const namesake of await fetch(tx, contact, "Name", [record.Name])) {
      if (namesake.ContactStatus === "ACTIVE") throw refusal("ContactName", nameTaken(record.Name));
    }
    const restored: Contact = { ...record, ContactStatus: "ACTIVE", UpdatedDateUTC: call.now() };
    await save(tx, contact, [restored]);
    const details = `${record.Name} was restored.`;
    await enter(call, tx, contact, record.ContactID, { changes: "Restored", details });
    await addBalances(call, tx, [restored], (await organisationContext(call, tx)).today);
    await addGroups(tx, [restored]);
    return answer(call, contact, [restored], "single");
  });
}

/** Adds balances by permission: callers who may not see bills do not see payables. */
async function addBalances(
  { principal }: RequestContext,
  tx: Tx,
  records: readonly Contact[],
  today: string,
): Promise<void> {
  const balanceById = await contactBalances(
    tx,
    records.map((record) => record.ContactID),
    today,
  );
  const seesAll = maySeePurchases(principal.role);
  for (const record of records) {
    const all = balanceById.get(record.ContactID);
    record.Balances = seesAll ? all : all && { AccountsReceivable: all.AccountsReceivable };
  }
}

async function addGroups(tx: Tx, records: readonly Contact[]): Promise<void> {
  const groupsById = await groupsOf(
    tx,
    records.map((record) => record.ContactID),
  );
  for (const record of records) record.ContactGroups = groupsById.get(record.ContactID) ?? [];
}

/** Completes the fixed set of addresses and phones, which every contact shows, even empty ones. */
function completeAddresses(record: Contact, input: Partial<Contact>, faults: Faults): void {
  record.Addresses = addressTypes.map(
    (AddressType) =>
      record.Addresses?.find((address) => address.AddressType === AddressType) ?? { AddressType },
  );
  record.Phones = phoneTypes.map(
    (PhoneType) => record.Phones?.find((phone) => phone.PhoneType === PhoneType) ?? { PhoneType },
  );
  if (input.Addresses?.some((address) => address.AddressType === "DELIVERY")) {
    faults.add("Form", "A contact has addresses of the types STREET and POBOX only.");
  }
  if (input.Phones?.some((phone) => phone.PhoneType === "OFFICE")) {
    faults.add("Form", "A contact has phones of the types DEFAULT, DDI, MOBILE and FAX only.");
  }
}

function checkUnique(record: Contact, sharers: ReadonlyMap<string, Contact>, faults: Faults): void {
  const namesake = sharers.get(nameKey(record.Name));
  const isDuplicate = (contact: Contact | undefined) =>
    contact !== undefined && contact.ContactID !== record.ContactID;
  if (record.ContactStatus === "ACTIVE" && isDuplicate(namesake))
    faults.add("ContactName", nameTaken(record.Name));
  const { ContactNumber } = record;
  const holder = ContactNumber === undefined ? undefined : sharers.get(numberKey(ContactNumber));
  if (holder !== undefined && isDuplicate(holder)) faults.add("Unique", numberTaken(holder));
}

/** Checks the default tax rates and accounts for lines of documents. */
function checkNamed(record: Contact, input: Partial<Contact>, chart: Chart, faults: Faults): void {
  for (const name of ["AccountsReceivableTaxType", "AccountsPayableTaxType"] as const) {
    const taxType = input[name];
    if (taxType !== undefined) record[name] = activeTaxType(chart, name, taxType, faults);
  }
  for (const name of ["SalesDefaultAccountCode", "PurchasesDefaultAccountCode"] as const) {
    const code = input[name];
    if (code !== undefined) record[name] = activeAccount(chart, name, code, faults)?.Code;
  }
}

/** Checks the default tracking for lines, and stores it in the spelling of category and option. */
function checkTracking(
  record: Contact,
  input: Partial<Contact>,
  chart: Chart,
  faults: Faults,
): void {
  for (const field of ["SalesTrackingCategories", "PurchasesTrackingCategories"] as const) {
    if (input[field] === undefined) continue;
    record[field] = input[field].flatMap((record) => {
      const { TrackingCategoryName: Name, TrackingOptionName: Option } = record;
      const match = activeOption(chart, field, { Name, Option }, faults);
      return match ? [{ TrackingCategoryName: match.Name, TrackingOptionName: match.Option }] : [];
    });
    const names = record[field].map((record) => record.TrackingCategoryName);
    if (new Set(names).size < names.length)
      faults.add("Form", `${field} names each category once.`);
  }
}

function checkBatchPayments(
  { BatchPayments }: Partial<Contact>,
  { CountryCode }: Organisation,
  faults: Faults,
): void {
  if (CountryCode === "NZ" || BatchPayments === undefined) return;
  if (BatchPayments.Code !== undefined || BatchPayments.Reference !== undefined) {
    faults.add(
      "Country",
      "BatchPayments.Code and BatchPayments.Reference are for New Zealand only.",
    );
  }
}

function checkEmails(record: Contact, faults: Faults): void {
  const { EmailAddress, ContactPersons = [] } = record;
  if (EmailAddress && !isEmailAddress(EmailAddress)) {
    faults.add("Form", `EmailAddress '${EmailAddress}' is no email address.`);
  }
  for (const [index, each] of ContactPersons.entries()) {
    each.IncludeInEmails ??= false;
    if (each.EmailAddress && !isEmailAddress(each.EmailAddress)) {
      faults.add(
        "Form",
        `ContactPerson ${index + 1}: EmailAddress '${each.EmailAddress}' is no email address.`,
      );
    }
  }
}

function checkElectronicAddress({ ElectronicAddress }: Partial<Contact>, faults: Faults): void {
  const fault = ElectronicAddress && electronicAddressFault(ElectronicAddress);
  if (fault) faults.add("Form", fault);
}

function entryNote(record: Contact, former: Contact | undefined): HistoryNote {
  const verb =
    former === undefined ? "Created" : record.ContactStatus === "ARCHIVED" ? "Archived" : "Edited";
  return { changes: verb, details: `${record.Name} was ${verb.toLowerCase()}.` };
}

const archived =
  "The specified contact details matched an archived contact. Archived contacts cannot currently be edited via the API.";

function nameTaken(name: string): string {
  return `The contact name ${name} is already assigned to another contact. The contact name must be unique across all active contacts.`;
}

function numberTaken({ ContactNumber, Name }: Contact): string {
  return `The contact number ${ContactNumber} is already assigned to ${Name}.`;
}
