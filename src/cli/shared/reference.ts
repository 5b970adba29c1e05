/**
 * Resolves codes, names and beginnings of names to records.
 *
 * The service accepts codes and ids. A command that writes accepts whole codes and names, in any
 * letter case and with outer blanks, since a beginning may match another record tomorrow.
 * Beginnings and single words of a name are accepted by commands that read on a terminal, where the
 * match is reported. A name without exactly one match is refused with near names as suggestions. A
 * text in the form of a code is sent as is, so that a command with codes alone needs no lookup.
 */
import type { Client, ListQuery } from "../../client/client.ts";
import { account } from "../../resources/account.ts";
import { brandingTheme } from "../../resources/branding-theme.ts";
import { contact } from "../../resources/contact.ts";
import { contactGroup } from "../../resources/contact-group.ts";
import { employee } from "../../resources/employee.ts";
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  UsageError,
} from "../../resources/errors.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import { item } from "../../resources/item.ts";
import { nearest } from "../../resources/scalar.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { trackingCategory } from "../../resources/tracking-category.ts";
import { user } from "../../resources/user.ts";
import { isGuid } from "../../wire/query/condition.ts";
import { quotedText } from "../../wire/query/scanner.ts";
import type { Flag, Refers } from "../context/context.ts";
import { parseValue } from "../values/value.ts";

/** Sale or purchase: decides which of two tax rates of 15 % is meant. */
export type TradeSide = "sale" | "purchase";

interface LookupKind {
  readonly resource: Resource;
  readonly called: string;
  /** Name fields; the first is the one that is sent. */
  readonly names: readonly string[];
  /** The command that lists the records. */
  readonly list?: string;
  /** Pattern of texts in the form of a code. */
  readonly code?: RegExp;
}

const digits = /^[^\s%]*\d[^\s%]*$/;
const capitals = /^[^\s\p{Ll}]+$/u;

const kinds = {
  account: {
    resource: account,
    called: "account",
    list: "acct account list",
    names: ["Code", "Name"],
    code: digits,
  },
  contact: {
    resource: contact,
    called: "contact",
    list: "acct contact list --all",
    names: ["Name", "ContactNumber"],
  },
  item: {
    resource: item,
    called: "item",
    list: "acct item list",
    names: ["Code", "Name"],
    code: capitals,
  },
  "tax-rate": {
    resource: taxRate,
    called: "tax rate",
    list: "acct tax-rate list",
    names: ["TaxType", "Name"],
    code: /^[A-Z][A-Z0-9]*$/,
  },
  theme: { resource: brandingTheme, called: "theme", names: ["BrandingThemeID", "Name"] },
  tracking: {
    resource: trackingCategory,
    called: "tracking category",
    list: "acct tracking list",
    names: ["Name"],
  },
  group: { resource: contactGroup, called: "contact group", names: ["Name"] },
} as const satisfies Record<Refers, LookupKind>;

/**
 * Reports the record that the beginning of a name matched. Beginnings are accepted only where it is
 * given.
 */
export type Tell = (sentence: string) => void;

/**
 * Returns the id of the record that a text names.
 *
 * @returns undefined where records of the kind have no names, or the text is an id
 * @throws NotFoundError, RefusedError and UsageError `Ambiguous`
 */
export async function resolveId(
  client: Client,
  resource: Resource,
  text: string,
  say?: Tell,
): Promise<string | undefined> {
  const lookupKind = Object.values(kinds).find(({ resource: { name } }) => name === resource.name);
  if (lookupKind === undefined || isGuid(text)) return undefined;
  const records = await loadCandidates(client, lookupKind, text).catch((error: unknown) => {
    if (error instanceof AcctError) return undefined; // It may not list them, or not at all.
    throw error;
  });
  return records && String(choose(lookupKind, text, records, { tell: say })[resource.id]);
}

/**
 * Whether a text could be the name of a record as well as the code of another, and is in no form
 * that settles it.
 */
export function isDoubtful({ name }: Resource, text: string): boolean {
  const kind: LookupKind | undefined = Object.values(kinds).find(
    ({ resource }) => resource.name === name,
  );
  return kind?.code !== undefined && !kind.code.test(text) && !isGuid(text);
}

const person = {
  resource: employee,
  called: "employee or user",
  names: ["Name", "EmailAddress"],
  list: "acct employee list",
} as const satisfies LookupKind;

/**
 * Returns the employee or the user that a text names: by whole name, or email address.
 *
 * @throws NotFoundError with near names, RefusedError `Ambiguous`
 */
export async function resolvePerson(
  client: Client,
  text: string,
): Promise<{ readonly UserID: string; readonly Name: string }> {
  const namedPerson = (value: FieldValues) => ({
    UserID: String(value.UserID ?? value.EmployeeID),
    Name: [value.FirstName, value.LastName].filter((name) => name).join(" "),
    EmailAddress: value.EmailAddress,
    Status: value.OrganisationRole === "REMOVED" ? "DELETED" : value.Status,
  });
  const users = (await recordList(client, user, {})).map(namedPerson);
  const userNames = new Set(users.map(({ Name }) => normaliseName(Name)));
  const employees = (await recordList(client, employee, {})).map(namedPerson);
  const people = [...users, ...employees.filter(({ Name }) => !userNames.has(normaliseName(Name)))];
  return choose(person, text, people, {}) as (typeof people)[number];
}

interface ChoiceOptions {
  readonly side?: TradeSide | undefined;
  readonly tell?: Tell | undefined;
}

/**
 * Chooses the record that a text names.
 *
 * @throws NotFoundError, RefusedError and UsageError `Ambiguous`, each with near names
 */
function choose(
  kind: LookupKind,
  text: string,
  records: readonly FieldValues[],
  { side, tell }: ChoiceOptions,
): FieldValues {
  const liveRecords = records.filter(
    ({ Status, ContactStatus }) => !goneStatuses.has(String(Status ?? ContactStatus)),
  );
  for (const isMatch of exactTests(kind, text)) {
    const onlyMatch = onlyOne(kind, text, onSide(liveRecords.filter(isMatch), side), RefusedError);
    if (onlyMatch !== undefined) return onlyMatch;
  }
  for (const isMatch of tell === undefined ? [] : looseTests(kind, text)) {
    const onlyMatch = onlyOne(kind, text, onSide(liveRecords.filter(isMatch), side), UsageError);
    if (onlyMatch === undefined) continue;
    tell?.(`${capitalised(kind.called)} "${text}": ${labelOf(kind, onlyMatch)}.`);
    return onlyMatch;
  }
  throw new NotFoundError(
    "NotFound",
    `There is no ${kind.called} ${text}.${adviceOn(kind, text, liveRecords)}`,
  );
}

function onlyOne(
  kind: LookupKind,
  text: string,
  matches: readonly FieldValues[],
  Refusal: typeof RefusedError | typeof UsageError,
): FieldValues | undefined {
  if (matches.length < 2) return matches[0];
  const few = listLabels(matches.map((record) => labelOf(kind, record)));
  throw new Refusal("Ambiguous", `"${text}" fits ${few}; say which.`);
}

function adviceOn(kind: LookupKind, text: string, liveRecords: readonly FieldValues[]): string {
  const begun = liveRecords.filter((record) => looseTests(kind, text).some((test) => test(record)));
  const slips = liveRecords.filter((record) => isNear(text, namesOf(kind, record)));
  const nearRecords = [...new Set([...begun, ...slips])].slice(0, nearMax);
  if (nearRecords.length > 0) {
    const labels = nearRecords.map((record) => labelOf(kind, record));
    const last = labels.pop();
    return ` Did you mean ${labels.length === 0 ? last : `${labels.join(", ")} or ${last}`}?`;
  }
  const newOne = kind.resource === contact ? ", acct contact create makes one" : "";
  return kind.list === undefined ? "" : ` ${kind.list} shows them${newOne}.`;
}

const capitalised = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const goneStatuses = new Set(["ARCHIVED", "DELETED"]);

/** Returns the records that may match. */
async function loadCandidates(
  client: Client,
  { resource }: LookupKind,
  text: string,
): Promise<FieldValues[]> {
  if (resource !== contact) return recordList(client, resource, {});
  const contacts = await recordList(client, contact, { searchTerm: text, limit: 100 });
  if (contacts.length > 0) return contacts;
  // For a possible typing error, contacts with the same first letter are compared.
  const condition = `Name.StartsWith(${quotedText(text.trim().slice(0, 1))})`;
  return recordList(client, contact, { where: condition, limit: 100 });
}

function recordList(client: Client, resource: Resource, query: ListQuery): Promise<FieldValues[]> {
  return Array.fromAsync(client.list(resource, query), (record) => record as FieldValues);
}

type RecordTest = (record: FieldValues) => boolean;

/** Returns tests for exact matches: the same text, then ignoring letter case and blanks. */
function exactTests(kind: LookupKind, text: string): RecordTest[] {
  const wantedName = normaliseName(text);
  return [
    testAnyName(kind, (name) => name === text),
    testAnyName(kind, (name) => normaliseName(name) === wantedName),
    ...(kind.resource === taxRate && /%\s*$/.test(text) ? [rateTest(text)] : []),
  ];
}

/** Returns tests for partial matches, the most reliable first. */
function looseTests(kind: LookupKind, text: string): RecordTest[] {
  const foldedText = foldText(text);
  return [
    testAnyName(kind, (name) => foldText(name) === foldedText),
    testAnyName(kind, (name) => foldText(name).startsWith(foldedText)),
    testAnyName(kind, (name) => hasWords(name, foldedText)),
  ];
}

function testAnyName(kind: LookupKind, isMatch: (name: string) => boolean): RecordTest {
  return (record) => namesOf(kind, record).some(isMatch);
}

/** Normalises a name: one letter case, one Unicode form, single blanks. */
function normaliseName(text: string): string {
  return text.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** Returns a test for a percentage such as `15%`. */
function rateTest(text: string): RecordTest {
  const rate = parseValue({ kind: "percent" }, text, { name: "A tax rate" });
  return ({ EffectiveRate }) => EffectiveRate === rate;
}

/** Keeps the tax rates for a sale or a purchase. */
function onSide(
  records: readonly FieldValues[],
  tradeSide: TradeSide | undefined,
): readonly FieldValues[] {
  if (tradeSide === undefined || records.length < 2) return records;
  const flag = tradeSide === "sale" ? "CanApplyToRevenue" : "CanApplyToExpenses";
  const onThisSide = records.filter((record) => record[flag] === true);
  return onThisSide.length === 0 ? records : onThisSide;
}

function namesOf({ names }: LookupKind, record: FieldValues): string[] {
  return names.flatMap((name) => (typeof record[name] === "string" ? [record[name]] : []));
}

const nearMax = 3;
const listedMax = 5;

function listLabels(labels: readonly string[]): string {
  const moreCount = labels.length - listedMax;
  return `${labels.slice(0, listedMax).join(", ")}${moreCount > 0 ? ` and ${moreCount} more` : ""}`;
}

/** Returns the label of a record with its names, `200 Sales`, `15% GST on Income (OUTPUT2)`. */
function labelOf({ names }: LookupKind, record: FieldValues): string {
  const [code, name] = [names[0] ?? "", "Name"].map((text) => record[text]);
  if (code === name || code === undefined || isGuid(String(code))) return String(name);
  return /^\d/.test(String(code)) ? `${code} ${name}` : `${name} (${code})`;
}

/** Removes letter case and accents, which people omit. */
function foldText(text: string): string {
  return text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}%]+/u).filter((word) => word !== "");

/** Whether each typed word begins a word of the name. */
function hasWords(name: string, wantedText: string): boolean {
  const nameWords = wordsOf(foldText(name));
  const words = wordsOf(wantedText);
  return words.length > 0 && words.every((word) => nameWords.some((text) => text.startsWith(word)));
}

/** Whether a text may be a typing error for a name, or for one of its longer words. */
function isNear(text: string, names: readonly string[]): boolean {
  const words = names.flatMap((name) => wordsOf(name).filter((word) => word.length > 3));
  return nearest(text, [...names, ...words]) !== undefined;
}

// --- flags and lines -------------------------------------------------------------------------

/**
 * Resolves names in the options of a command to codes and ids.
 *
 * @throws NotFoundError, RefusedError and UsageError `Ambiguous`
 */
export async function resolveOptions(
  client: () => Promise<Client>,
  flags: readonly Flag[],
  options: FieldValues,
  say?: Tell,
): Promise<FieldValues> {
  const settledOptions: Record<string, unknown> = { ...options };
  for (const { key, refers } of flags) {
    const value = settledOptions[key];
    if (refers === undefined || value === undefined) continue;
    settledOptions[key] = await resolveValue(await client(), kinds[refers], value, say);
  }
  return settledOptions;
}

/** Resolves a text, or a reference by one of its keys: `{ Code: "Sales" }`; or a list of these. */
async function resolveValue(
  client: Client,
  kind: LookupKind,
  value: unknown,
  say: Tell | undefined,
): Promise<unknown> {
  const keyName = kind.names[0] as string;
  if (Array.isArray(value)) {
    const allValues: unknown[] = [];
    for (const element of value) allValues.push(await resolveValue(client, kind, element, say));
    return allValues;
  }
  if (typeof value === "string") {
    return (await resolveReference(client, kind, value, { tell: say }))[keyName] ?? value;
  }
  const { [keyName]: text, ...others } = value as FieldValues;
  if (typeof text !== "string") return value;
  const record = await resolveReference(client, kind, text, { tell: say });
  const { id } = kind.resource;
  // A bank account may lack a code.
  const own = record[keyName] === undefined ? { [id]: record[id] } : { [keyName]: record[keyName] };
  return { ...own, ...others };
}

/** Resolves a text to a record; a text in the form of a code is used as is. */
async function resolveReference(
  client: Client,
  kind: LookupKind,
  text: string,
  choosing: ChoiceOptions,
): Promise<FieldValues> {
  const asTyped = { [kind.names[0] as string]: text };
  if (text === "" || isGuid(text) || kind.code?.test(text)) return asTyped;
  try {
    return choose(kind, text, await loadCandidates(client, kind, text), choosing);
  } catch (error) {
    // A user without permission to read the chart may still use codes.
    if (error instanceof AuthError) return asTyped;
    throw error;
  }
}

const lineNames = { AccountCode: "account", TaxType: "tax-rate", ItemCode: "item" } as const;

/** Line fields that may hold names, shared by documents and manual journals. */
interface TrackedLine {
  readonly Tracking?: readonly LineTracking[] | undefined;
}

interface LineTracking {
  readonly Name?: string;
  readonly Option?: string;
}

const option = { resource: trackingCategory, called: "option", names: ["Name"] } as const;

/** Resolves tracking categories and options by name. */
async function resolveTracking(
  client: Client,
  tracking: readonly LineTracking[],
): Promise<LineTracking[]> {
  try {
    const categories = await recordList(client, trackingCategory, {});
    return tracking.map((lineTracking) => {
      if (lineTracking.Name === undefined || lineTracking.Option === undefined) return lineTracking;
      const { Name, Options = [] } = choose(kinds.tracking, lineTracking.Name, categories, {});
      const { Name: Option } = choose(option, lineTracking.Option, Options as FieldValues[], {});
      return { ...lineTracking, Name, Option } as LineTracking;
    });
  } catch (error) {
    if (error instanceof AuthError) return [...tracking];
    throw error;
  }
}

/**
 * Resolves the accounts, tax rates, items and tracking options in lines.
 *
 * @throws NotFoundError, RefusedError `Ambiguous`
 */
export async function linesSettled<T extends TrackedLine>(
  client: Client,
  lines: readonly T[],
  tradeSide?: TradeSide,
): Promise<T[]> {
  const settledLines: T[] = [];
  for (const line of lines) {
    const own: Record<string, unknown> = { ...(line as object) };
    for (const [name, kind] of Object.entries(lineNames)) {
      const text = own[name];
      if (typeof text === "string") {
        own[name] = (await resolveReference(client, kinds[kind], text, { side: tradeSide }))[
          name.replace(/^(Account|Item)/, "")
        ];
      }
    }
    if (line.Tracking !== undefined) own.Tracking = await resolveTracking(client, line.Tracking);
    settledLines.push(own as unknown as T);
  }
  return settledLines;
}
