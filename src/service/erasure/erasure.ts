/**
 * /Extensions/Erasures/{ContactID}: erases the personal data of a contact, as far as no legal duty
 * to keep records prevents it.
 *
 * Amounts, numbers and dates of documents stay, and so does the contact, without a name. Data that
 * invoices must show stays for their retention period. The hash chain is unchanged: see
 * `store/schema/salt.ts`.
 */

import { addDays, addMonths, financialYear } from "../../ledger/dates/calendar.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { type Contact, contact } from "../../resources/contact.ts";
import { type Erasure, erasure } from "../../resources/erasure.ts";
import { refusal } from "../../resources/errors.ts";
import { resources } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { save } from "../../store/mapping/records.ts";
import { type Effects, type Former, noteErased } from "../../store/operations/effects.ts";
import {
  formerRecord,
  logRowsAbout,
  rewriteRow,
  type TellingRow,
} from "../../store/operations/log.ts";
import { attachmentsOf, removeAttachment } from "../../store/records/attachments.ts";
import { forgetPlans } from "../../store/records/kept-plans.ts";
import {
  countBankDetails,
  countDocumentFiles,
  countGroups,
  forgetAnswers,
  freeTextsWith,
  lastPostedDay,
  leaveGroups,
  openRecordsOf,
  type PersonalText,
  personalTextsOf,
  removeBankDetails,
  replaceText,
} from "../../store/records/personal-data.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { contacts } from "../records/masters/contact.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { enter } from "../request/history.ts";
import { type PersonalWords, personalWords } from "./personal-words.ts";

/**
 * What happens to each field: `stays`, since it is business data; `printed`, kept as long as
 * documents that must show it; `erased`.
 */
const fates = {
  ContactID: "stays",
  ContactNumber: "erased",
  AccountNumber: "erased",
  ContactStatus: "stays",
  Name: "printed",
  FirstName: "erased",
  LastName: "erased",
  EmailAddress: "erased",
  CompanyNumber: "printed",
  BankAccountDetails: "erased",
  TaxNumber: "printed",
  TaxNumberType: "printed",
  ElectronicAddress: "erased",
  BuyerReference: "erased",
  AccountsReceivableTaxType: "stays",
  AccountsPayableTaxType: "stays",
  ContactPersons: "erased",
  Addresses: "printed",
  Phones: "erased",
  IsSupplier: "stays",
  IsCustomer: "stays",
  DefaultCurrency: "stays",
  SalesDefaultLineAmountType: "stays",
  PurchasesDefaultLineAmountType: "stays",
  SalesDefaultAccountCode: "stays",
  PurchasesDefaultAccountCode: "stays",
  SalesTrackingCategories: "stays",
  PurchasesTrackingCategories: "stays",
  PaymentTerms: "stays",
  ContactGroups: "stays",
  Website: "erased",
  BrandingTheme: "stays",
  BatchPayments: "erased",
  Discount: "stays",
  Balances: "stays",
  XeroNetworkKey: "erased",
  MergedToContactID: "stays",
  HasAttachments: "stays",
  Attachments: "stays",
  UpdatedDateUTC: "stays",
  HasValidationErrors: "stays",
} as const satisfies Record<keyof typeof contact.fields, "stays" | "printed" | "erased">;

type ErasedField = keyof typeof fates;

/** Replacement for a personal text. */
const erasedText = "(erased)";

/** The kind of change in history entries of an erasure. */
const erasedChange = "Erased";

/** Maximum number of open records that a refusal names. */
const namedMax = 5;

/** GET: answers what would be erased. @throws RefusedError where the contact is still needed */
export async function readErasure(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const { erasure: shown } = await plan(call, tx, key);
    return answer(call, erasure, [shown], "single");
  });
}

/** POST: erases the contact. @throws as `readErasure` */
export async function erase(call: RequestContext, key: string): Promise<ServiceResponse> {
  const withFiles = call.query.boolean("files") ?? false;
  let addresses: readonly string[] = [];
  const response = await call.write(async (tx) => {
    const planned = await plan(call, tx, key);
    const { erasure: shown, contact: found, after, words, texts, operations, isWhole } = planned;
    addresses = words.addresses;
    // The contact is erased already; files beside the book, left by a killed process, are removed
    // below.
    if (isErased(shown, withFiles)) return answer(call, erasure, [shown], "single");
    if (withFiles) {
      for (const file of await attachmentsOf(tx, found.ContactID)) await removeAttachment(tx, file);
    }
    const hasFiles = !withFiles && (found.HasAttachments ?? false);
    await save(tx, contact, [{ ...after, HasAttachments: hasFiles, UpdatedDateUTC: call.now() }]);
    for (const { text, details } of texts) await replaceText(tx, text, details);
    for (const operation of operations) await rewriteRow(tx, operation);
    noteErased(tx, contact, found.ContactID, (text) => words.replaced(text, erasedText));
    if (isWhole) await removeBankDetails(tx, found.ContactID);
    await leaveGroups(tx, found.ContactID);
    await forgetAnswers(tx, found.ContactID);
    await forgetPlans(tx, found.ContactID);
    const details = isWhole
      ? "What was known of the person was erased."
      : `What was known of the person was erased, but for what documents must bear until ${shown.KeptUntil}.`;
    await enter(call, tx, contact, found.ContactID, { changes: erasedChange, details });
    return answer(call, erasure, [{ ...shown, FilesRemoved: withFiles }], "single");
  });
  if (!call.dryRun) {
    await call.mailer.forget?.(addresses);
    await call.store.compact();
  }
  return response;
}

function isErased({ Erased, Files, ...counts }: Erasure, withFiles: boolean): boolean {
  const { HistoryTexts, Operations, Payments, Groups } = counts;
  const fileCount = withFiles ? (Files?.length ?? 0) : 0;
  return (Erased?.length ?? 0) + HistoryTexts + Operations + Payments + Groups + fileCount === 0;
}

interface ErasurePlan {
  readonly contact: Contact;
  /** The contact after the erasure. */
  readonly after: Contact;
  readonly erasure: Erasure;
  readonly words: PersonalWords;
  readonly texts: readonly { readonly text: PersonalText; readonly details: string }[];
  /** Rows of the operation log after the erasure. */
  readonly operations: readonly TellingRow[];
  /** Whether no retention duty applies, so that everything is erased. */
  readonly isWhole: boolean;
}

async function plan(call: RequestContext, tx: Tx, key: string): Promise<ErasurePlan> {
  const record = await locate(call, tx, contacts, key);
  const { ContactID } = record;
  const { organisation, today } = await organisationContext(call, tx);
  await refuseOpen(tx, record);
  const duty = await retentionOf(tx, ContactID, organisation);
  const isWhole = duty === undefined || duty.until < today;
  const fields = fieldsToErase(record, isWhole);
  const erased = withoutFields(record, fields);
  const isGone = (name: string) => isToBeErased(name, isWhole);
  const formerContacts = (await logRowsAbout(tx, ContactID, [])).flatMap((row) =>
    formerValues(row, ContactID).map((each) => formerRecord(contact, each) as Partial<Contact>),
  );
  const versions = [record, ...formerContacts].map(
    (each) =>
      Object.fromEntries(Object.entries(each).filter(([name]) => isGone(name))) as Partial<Contact>,
  );
  const words = personalWords(versions, erased);
  const texts = replacementTexts(await personalTextsOf(tx, ContactID), ContactID, words);
  const operations = (await logRowsAbout(tx, ContactID, words.words.map(fold))).flatMap((row) =>
    redactRow(row, ContactID, isGone, words),
  );
  const files = await attachmentsOf(tx, ContactID);
  const remaining = isWhole ? [] : printed.filter((name) => hasValue(record, name));
  const shown: Erasure = {
    ContactID,
    Name: erased.Name,
    Erased: fields,
    Kept: remaining,
    KeptUntil: remaining.length === 0 ? undefined : duty?.until,
    KeptBecause: remaining.length === 0 ? undefined : duty?.because,
    HistoryTexts: texts.length,
    Operations: operations.length,
    Payments: isWhole ? await countBankDetails(tx, ContactID) : 0,
    Groups: await countGroups(tx, ContactID),
    Emails: (await call.mailer.heldFor?.(words.addresses))?.length ?? 0,
    Files: files.map(({ name }) => name),
    FilesRemoved: false,
    Mentions: await findMentions(tx, ContactID, words),
  };
  return { contact: record, after: erased, erasure: shown, words, texts, operations, isWhole };
}

/** @throws RefusedError with the contact's open records, and how to settle them */
async function refuseOpen(tx: Tx, { ContactID, Name }: Contact): Promise<void> {
  const open = await openRecordsOf(tx, ContactID, namedMax + 1);
  if (open.length === 0) return;
  const named = open.slice(0, namedMax).map(({ resource, name }) => `${nounOf(resource)} ${name}`);
  const more = open.length > namedMax ? " and more" : "";
  throw refusal(
    "HasTransactions",
    `${Name} cannot be erased while it is needed: ${named.join(", ")}${more}. Settle, void, decline or delete what is open first; until then "acct contact archive" puts it out of use.`,
  );
}

const nounOf = (name: string) => resources.find((resource) => resource.name === name)?.noun ?? name;

/** Returns the retention period of the contact's documents, and the reason for it. */
async function retentionOf(
  tx: Tx,
  contactId: string,
  { CountryCode = "", FinancialYearEndDay = 31, FinancialYearEndMonth = 12 }: Organisation,
): Promise<{ readonly until: string; readonly because: string } | undefined> {
  const lastDay = await lastPostedDay(tx, contactId);
  if (lastDay === undefined) return undefined;
  const { retention } = regionAt(CountryCode);
  const year = financialYear(lastDay, FinancialYearEndDay, FinancialYearEndMonth);
  // Computed from the day after, so that the last day of February stays the last.
  const until = addDays(addMonths(addDays(year.to, 1), 12 * retention.years), -1);
  const because = `records are kept for ${retention.years} years after the financial year: ${retention.source}`;
  return { until, because };
}

const names = Object.keys(fates) as ErasedField[];
const printed = names.filter((name) => fates[name] === "printed");

/** Whether a field is erased completely. */
function isToBeErased(name: string, isComplete: boolean): boolean {
  const fate = fates[name as ErasedField];
  return fate === "erased" || (isComplete && fate === "printed");
}

function fieldsToErase(contact: Contact, isComplete: boolean): ErasedField[] {
  return names.filter(
    (name) =>
      isToBeErased(name, isComplete) &&
      hasValue(contact, name) &&
      !(name === "Name" && contact.Name === anonymous(contact)),
  );
}

/**
 * Whether a field has a value; the addresses of a contact always exist, but may have only their
 * type.
 */
function hasValue(contact: Contact, name: ErasedField): boolean {
  const value = contact[name];
  if (name === "Addresses" || name === "Phones") {
    return ((value ?? []) as readonly object[]).some(
      (each) => Object.values(each).filter((part) => part !== undefined && part !== "").length > 1,
    );
  }
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

const anonymous = ({ ContactID }: Contact) => `Erased ${ContactID.slice(0, 8)}`;

function withoutFields(contact: Contact, fields: readonly ErasedField[]): Contact {
  const record = { ...contact, ContactStatus: "GDPRREQUEST" } as Record<string, unknown>;
  for (const name of fields) record[name] = undefined;
  for (const name of ["Addresses", "Phones"] as const) {
    if (!fields.includes(name)) continue;
    const type = name === "Addresses" ? "AddressType" : "PhoneType";
    record[name] = (contact[name] ?? []).map((record) => ({
      [type]: (record as Record<string, unknown>)[type],
    }));
  }
  if (fields.includes("Name")) record.Name = anonymous(contact);
  return record as unknown as Contact;
}

/** Returns the history texts to replace: the contact's own, and other texts that name it. */
function replacementTexts(
  personalTexts: readonly PersonalText[],
  contactId: string,
  words: PersonalWords,
): ErasurePlan["texts"] {
  return personalTexts.flatMap((text) => {
    const isItsOwnNote = text.recordId === contactId && text.changes !== erasedChange;
    const details = isItsOwnNote ? erasedText : words.replaced(text.details, erasedText);
    return details === text.details ? [] : [{ text, details }];
  });
}

/** Returns the contact's former values in a row of the operation log. */
function formerValues({ effects }: TellingRow, contactId: string): Former[] {
  const ofContacts = (JSON.parse(effects) as Effects).records[contact.name] ?? {};
  return [ofContacts.changed, ofContacts.ended, ofContacts.removed].flatMap((effect): Former[] => {
    const formerRow = effect?.[contactId];
    return formerRow === undefined ? [] : [formerRow];
  });
}

/**
 * Returns a row of the operation log without the contact's personal data; none where it is
 * unchanged.
 */
function redactRow(
  row: TellingRow,
  contactId: string,
  isErased: (name: string) => boolean,
  words: PersonalWords,
): TellingRow[] {
  // Effects on other records stay, as the records do: an undo needs them.
  const logged = JSON.parse(row.effects) as Effects;
  const ofContacts = logged.records[contact.name];
  for (const kind of ["changed", "ended", "removed"] as const) {
    const formerRow = ofContacts?.[kind]?.[contactId];
    if (formerRow === undefined || ofContacts === undefined) continue;
    const remaining = Object.entries(formerRow).filter(([name]) => !isErased(name));
    ofContacts[kind] = { ...ofContacts[kind], [contactId]: Object.fromEntries(remaining) };
  }
  const command = row.command && words.replaced(row.command, erasedText);
  const effects = JSON.stringify(logged);
  return command === row.command && effects === row.effects ? [] : [{ ...row, command, effects }];
}

/** Maximum number of mentions that are listed singly. */
const mentionsMax = 20;

async function findMentions(tx: Tx, contactId: string, words: PersonalWords): Promise<string[]> {
  const freeTexts = (await freeTextsWith(tx, contactId, words.words.map(fold))).filter(({ text }) =>
    words.isIn(text),
  );
  const lines = freeTexts.filter(({ resource }) => resource === "BankStatementLine").length;
  const placesFound = freeTexts
    .filter(({ resource }) => resource !== "BankStatementLine")
    .map(({ resource, name }) => `${nounOf(resource)} ${name}`);
  const files = await countDocumentFiles(tx, contactId);
  const distinct = [...new Set(placesFound)];
  return [
    ...distinct.slice(0, mentionsMax),
    ...(distinct.length > mentionsMax ? [`${distinct.length - mentionsMax} more documents`] : []),
    ...(lines === 0 ? [] : [`${lines === 1 ? "a line" : `${lines} lines`} of bank statements`]),
    ...(files === 0 ? [] : [`${files === 1 ? "a file" : `${files} files`} on its documents`]),
  ];
}
