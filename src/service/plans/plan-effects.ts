/**
 * The effects of planned requests: records before and after, journals, balances, tax, messages.
 *
 * A plan depends on the records it changes and on its postings. Both are compared by digests of a
 * canonical form, without values that differ between runs: times, and numbers drawn by the book.
 */
import { calledOf } from "../../resources/called.ts";
import { readDecimal, scaleOf } from "../../resources/decimal.ts";
import { pathOf, type Shape } from "../../resources/field.ts";
import { journal } from "../../resources/index.ts";
import { organisation } from "../../resources/organisation.ts";
import type { Plan, PlannedJournal, PlannedRecord } from "../../resources/plan.ts";
import { sequenceOf } from "../../store/chain/sequences.ts";
import { journalSequence } from "../../store/ledger/journals.ts";
import type { Store } from "../../store/store.ts";
import { textOf } from "../../wire/body.ts";
import { decodeAnswer } from "../../wire/decode/decode-answer.ts";
import type { Transport } from "../../wire/http.ts";
import { writePlain } from "../../wire/plain.ts";
import { sha256 } from "../../wire/plan-digest.ts";
import type { Trial, WrittenRecord } from "./trial.ts";

/** JSON of records by resource and id; without an entry for missing records. */
export type Images = ReadonlyMap<string, string>;

export type Effects = Required<
  Pick<Plan, "Records" | "Journals" | "JournalsDigest" | "Accounts" | "Taxes" | "Messages">
>;

/** The read access that loading records needs. */
type TrialReader = Pick<Trial, "read">;

export const keyOf = ({ resource, id }: WrittenRecord) => `${resource.name} ${id}`;

/** Returns the path to read a record; undefined for records without a path of their own. */
function addressOf({ resource, id }: WrittenRecord): string | undefined {
  if (resource === organisation) return "/Organisation";
  if (!resource.record.includes("GET")) return undefined;
  return `${pathOf(resource)}/${encodeURIComponent(id)}`;
}

/** Returns the current JSON of records. */
export async function imagesOf(
  { read }: TrialReader,
  records: readonly WrittenRecord[],
): Promise<Images> {
  const imageByKey = new Map<string, string>();
  for (const each of records) {
    const path = addressOf(each);
    if (path === undefined) continue;
    const text = await readText(read, path, [
      ["unitdp", "4"],
      ["handles", "true"],
    ]);
    if (text === undefined) continue;
    const [record] = decodeAnswer(each.resource, text).records;
    if (record !== undefined) imageByKey.set(keyOf(each), writePlain(each.resource.fields, record));
  }
  return imageByKey;
}

/** @returns undefined where the path has no record */
async function readText(
  read: Transport,
  path: string,
  query: readonly (readonly [string, string])[],
): Promise<string | undefined> {
  const { status, body } = await read({
    method: "GET",
    path,
    query,
    headers: { accept: "application/json" },
  });
  if (status === 404) return undefined;
  const text = await textOf(body);
  if (status >= 400) throw new Error(`GET ${path} of a trial was answered with ${status}: ${text}`);
  return text;
}

/** Returns the number of the last journal. */
export function lastJournalNumber(store: Store, org: number): Promise<number> {
  return store.read(org, (tx) => sequenceOf(tx, journalSequence("accrual")));
}

type JournalRecord = Shape<typeof journal>;

async function journalsAfter({ read }: TrialReader, lastNumber: number): Promise<JournalRecord[]> {
  const journalRecords: JournalRecord[] = [];
  for (let offset = lastNumber; ; ) {
    const text = await readText(read, "/Journals", [["offset", String(offset)]]);
    const page = decodeAnswer(journal, text ?? "{}").records as unknown as JournalRecord[];
    if (page.length === 0) return journalRecords;
    journalRecords.push(...page);
    offset = page.at(-1)?.JournalNumber ?? offset;
  }
}

/** The observations that effects are computed from. */
export interface Observations {
  readonly written: readonly WrittenRecord[];
  readonly before: Images;
  readonly after: Images;
  readonly journals: readonly JournalRecord[];
  readonly messages: Trial["messages"];
  /** Bodies of the requests: a number that is in none of them was drawn by the book. */
  readonly bodies: readonly string[];
}

/** Reads what is visible only until the transaction of the trial ends. */
export async function observe(
  trial: Trial,
  lastNumber: number,
): Promise<Omit<Observations, "before" | "bodies">> {
  const { written, messages } = trial;
  return {
    written,
    messages: [...messages],
    after: await imagesOf(trial, written),
    journals: await journalsAfter(trial, lastNumber),
  };
}

/**
 * Returns written records in their current state, without their former one.
 *
 * @param nameIn  returns the name of a record that is gone
 */
export async function currentRecords(
  trial: Trial,
  nameIn: (removed: WrittenRecord) => string | undefined,
): Promise<PlannedRecord[]> {
  const { written } = trial;
  const imageAfterByKey = await imagesOf(trial, written);
  return written.map((record) => {
    const { resource, id } = record;
    const is = imageAfterByKey.get(keyOf(record));
    const isRemoved = is === undefined && addressOf(record) !== undefined;
    return {
      Resource: resource.name,
      RecordID: id,
      Name: is === undefined ? nameIn(record) : calledOf(resource, JSON.parse(is), 0),
      Change: isRemoved ? "REMOVED" : trial.isNew(id) ? "CREATED" : "CHANGED",
      After: is,
    };
  });
}

export function effectsOf(observed: Observations): Effects {
  const { written, before, after, messages } = observed;
  // Records without a visible change are included, since they were written.
  const changedRecords = written.map((record) => {
    const key = keyOf(record);
    return { ...record, was: before.get(key), is: after.get(key) };
  });
  const drawnNumbers = newNumbers(changedRecords, observed.bodies);
  const Journals = observed.journals.map(plannedJournal);
  const Messages = messages.map(({ to, cc = [], subject }) => ({
    To: [...to, ...cc].join(", "),
    Subject: subject,
  }));
  return {
    Records: changedRecords.map(({ resource, id, was, is }) => ({
      Resource: resource.name,
      RecordID: id,
      Name: calledOf(resource, JSON.parse(is ?? was ?? "{}"), 0),
      Change: changeOf(was, is),
      Before: was,
      After: is,
      Digest: sha256(`${toCanonical(was, drawnNumbers)}\n${toCanonical(is, drawnNumbers)}`),
    })),
    Journals,
    JournalsDigest: sha256(
      toCanonical(JSON.stringify([Journals, Messages.map(({ To }) => To)]), drawnNumbers),
    ),
    ...sumsOf(observed.journals),
    Messages,
  };
}

function changeOf(was: string | undefined, is: string | undefined): PlannedRecord["Change"] {
  if (was === undefined && is !== undefined) return "CREATED";
  return was !== undefined && is === undefined ? "REMOVED" : "CHANGED";
}

function plannedJournal({
  JournalDate,
  SourceType,
  JournalLines = [],
}: JournalRecord): PlannedJournal {
  return {
    Date: JournalDate,
    Source: SourceType,
    Lines: JournalLines.map(({ AccountCode, AccountName, Description, NetAmount, TaxAmount }) => ({
      AccountCode,
      AccountName,
      Description: Description || undefined,
      NetAmount,
      TaxAmount,
    })),
  };
}

/** Sums the journals by account and by tax rate. */
function sumsOf(journals: readonly JournalRecord[]): Pick<Effects, "Accounts" | "Taxes"> {
  const accountById = new Map<string, Effects["Accounts"][number]>();
  const taxByType = new Map<string, Effects["Taxes"][number]>();
  for (const line of journals.flatMap(({ JournalLines = [] }) => JournalLines)) {
    const { AccountID, AccountCode, AccountName, NetAmount, TaxAmount, TaxType, TaxName } = line;
    const account = accountById.get(AccountID) ?? { AccountCode, AccountName, Change: zero };
    account.Change = add(account.Change, NetAmount);
    accountById.set(AccountID, account);
    if (TaxType === undefined || TaxType === "") continue;
    const tax = taxByType.get(TaxType) ?? { TaxType, TaxName, Net: zero, Tax: zero };
    tax.Net = add(tax.Net, NetAmount);
    tax.Tax = add(tax.Tax, TaxAmount);
    taxByType.set(TaxType, tax);
  }
  const changedAccounts = [...accountById.values()].filter(({ Change }) => Change !== 0);
  return { Accounts: changedAccounts.sort(byCode), Taxes: [...taxByType.values()] };
}

type Amount = Effects["Accounts"][number]["Change"];
const zero = readDecimal("0", scaleOf.money) as Amount;
const add = (a: Amount, b: Amount | undefined) => (a + (b ?? 0)) as Amount;
const byCode = (
  a: { AccountCode?: string | undefined },
  b: { AccountCode?: string | undefined },
) => ((a.AccountCode ?? "~") < (b.AccountCode ?? "~") ? -1 : 1);

// --- the state a plan depends on -----------------------------------------------------------------

/** Fields that differ between runs, or are derived from other records. */
const passingFields: ReadonlySet<string> = new Set([
  "Handle",
  "UpdatedDateUTC",
  "CreatedDateUTC",
  "DateString",
  "JournalNumber",
  "Balances",
]);

/** Returns the numbers that the book drew for new records, with placeholders. */
function newNumbers(
  changedRecords: readonly (WrittenRecord & {
    readonly was?: string | undefined;
    is?: string | undefined;
  })[],
  bodies: readonly string[],
): ReadonlyMap<string, string> {
  const drawnNumbers = new Map<string, string>();
  for (const { resource, was, is } of changedRecords) {
    if (was !== undefined || is === undefined) continue;
    const record = JSON.parse(is) as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(resource.fields)) {
      const number = record[name];
      if (field.key !== true || typeof number !== "string") continue;
      const isGiven = bodies.some((body) => body.includes(JSON.stringify(number)));
      if (!isGiven) drawnNumbers.set(number, `${resource.name} ${drawnNumbers.size + 1}`);
    }
  }
  return drawnNumbers;
}

/** Returns the canonical form of a record. @param json  undefined for a missing record */
function toCanonical(json: string | undefined, drawnNumbers: ReadonlyMap<string, string>): string {
  if (json === undefined) return "";
  // Numbers keep their text: a double would lose digits of large ones.
  const numberText = (key: string, value: unknown, { source }: { readonly source?: string }) => {
    if (passingFields.has(key)) return undefined;
    if (typeof value === "number") return source ?? value;
    return typeof value === "string" ? (drawnNumbers.get(value) ?? value) : value;
  };
  return JSON.stringify(JSON.parse(json, numberText as Parameters<typeof JSON.parse>[1]));
}
