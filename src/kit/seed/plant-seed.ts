/** Makes the records of a seed, through the service and in batches, as every program would. */
import { addDays, type DateText } from "../../ledger/dates/calendar.ts";
import { dayIn } from "../../ledger/dates/timezones.ts";
import { type Field, type Fields, pathOf } from "../../resources/field.ts";
import { nearest } from "../../resources/scalar.ts";
import { addMember, type NewMember, type RoleUser, staffIn } from "../../service/auth/people.ts";
import { type Book, operatorOf } from "../../service/books/book.ts";
import type { OperatorIdentity } from "../../service/books/operator.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import { type Seed, type SeedRecord, type SeedValue, seedFault } from "./seed-file.ts";

const batchMax = 50;
const relativeDay = /^([+-]\d{1,5})d$/;
const namePattern = /^\$(\w[\w-]*)$/;

/**
 * Makes the records.
 *
 * @param book  answers its owner, in whose name they are made
 * @returns the number of records made of each kind, by the name of the kind
 * @throws RefusedError with file, line and record
 */
export async function plantRecords(
  book: Book,
  { path, records }: Seed,
): Promise<ReadonlyMap<string, number>> {
  const { Timezone } = await book.store.read(book.org, organisationOf);
  const madeRecords = new Map<string, SeedValue & { readonly id: string }>();
  const day = dayIn(book.dependencies.clock(), Timezone);
  const counts = new Map<string, number>();
  let waitingRecords: SeedRecord[] = [];
  const send = async () => {
    if (waitingRecords.length === 0) return;
    const sentRecords = waitingRecords;
    waitingRecords = [];
    const answers = await sendBatch(book, path, sentRecords, (record) =>
      resolved(record, { path, made: madeRecords, day }),
    );
    for (const [at, { as, resource }] of sentRecords.entries()) {
      const answer = answers[at] ?? {};
      counts.set(resource.noun, (counts.get(resource.noun) ?? 0) + 1);
      if (as !== undefined) madeRecords.set(as, { ...answer, id: answer[resource.id] });
    }
  };
  for (const record of records) {
    const [first] = waitingRecords;
    const isOther = first !== undefined && first.resource !== record.resource;
    const names = new Set(waitingRecords.map(({ as }) => as));
    const refers = [...JSON.stringify(record.fields).matchAll(/"\$(\w[\w-]*)"/g)];
    const isNeeded = refers.some(([, name]) => names.has(name));
    if (isOther || isNeeded || waitingRecords.length >= batchMax) await send();
    waitingRecords.push(record);
  }
  await send();
  return counts;
}

/** Sends records of one kind; one by one where the service takes no batch of them. */
async function sendBatch(
  book: Book,
  path: string,
  sentRecords: readonly SeedRecord[],
  fieldsOf: (record: SeedRecord) => SeedValue,
): Promise<readonly SeedValue[]> {
  const [first] = sentRecords;
  if (first === undefined) return [];
  const { plural } = first.resource;
  const { status, body } = await book.transport({
    method: "PUT",
    path: pathOf(first.resource),
    query: [["summarizeErrors", "false"]],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ [plural]: sentRecords.map(fieldsOf) })),
  });
  const answer = JSON.parse(String(body));
  const answeredRecords: readonly SeedValue[] = answer[plural] ?? answer.Elements ?? [];
  if (status !== 200 && sentRecords.length > 1) {
    const all: SeedValue[] = [];
    for (const each of sentRecords) all.push(...(await sendBatch(book, path, [each], fieldsOf)));
    return all;
  }
  for (const [at, { line, called }] of sentRecords.entries()) {
    const errors: readonly SeedValue[] = answeredRecords[at]?.ValidationErrors ?? [];
    if (errors.length === 0 && status === 200) continue;
    const sentence =
      errors.map(({ Message }) => Message).join(" ") || answer.Message || answer.Detail;
    throw seedFault(path, line, `${called}: ${sentence}`);
  }
  return answeredRecords;
}

interface Resolving {
  readonly path: string;
  readonly made: ReadonlyMap<string, SeedValue & { readonly id: string }>;
  readonly day: DateText;
}

/** Puts what names and relative days stand for into the fields of a record. */
function resolved({ resource, implied, fields, line }: SeedRecord, context: Resolving): SeedValue {
  const recordNamed = (text: string) => {
    const [, name = ""] = namePattern.exec(text) ?? [];
    const record = context.made.get(name);
    if (record !== undefined) return record;
    const near = nearest(name, [...context.made.keys()]);
    const problem = `no earlier record is called ${text}.${near ? ` Did you mean $${near}?` : ""}`;
    throw seedFault(context.path, line, problem);
  };
  const resolvedValue = (name: string, field: Field | undefined, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((value) => resolvedValue(name, field, value));
    if (typeof value === "object" && value !== null && field !== undefined && "fields" in field) {
      return resolveAll(value as SeedValue, field.fields);
    }
    if (typeof value !== "string") return value;
    const [, days] = relativeDay.exec(value) ?? [];
    if (field?.kind === "date" && days !== undefined) return addDays(context.day, Number(days));
    if (!namePattern.test(value)) return value;
    const record = recordNamed(value);
    if (field?.kind === "ref")
      return { [field.by[0] ?? ""]: record[field.by[0] ?? ""] ?? record.id };
    return name.endsWith("ID") ? record.id : (record[name] ?? record[name.replace(/^Account/, "")]);
  };
  const resolveAll = (givenFields: SeedValue, described: Fields): SeedValue =>
    Object.fromEntries(
      Object.entries(givenFields).map(([name, value]) => [
        name,
        resolvedValue(name, described[name], value),
      ]),
    );
  return { ...implied, ...resolveAll(fields, resource.fields) };
}

/** Makes all that a seed has. @returns as `plantRecords`. @throws RefusedError */
export async function plantSeed(book: Book, seed: Seed, operator: OperatorIdentity) {
  const counts = await plantRecords(book, seed);
  await plantPeople(book, seed.people, operator);
  return counts;
}

/** Adds people. @throws RefusedError */
export async function plantPeople(
  book: Book,
  people: readonly object[],
  operator: OperatorIdentity,
): Promise<readonly RoleUser[]> {
  const { store, org, tenant, dependencies } = book;
  const { clock, newId } = dependencies;
  const by = operatorOf(operator);
  const directory = await book.directory();
  const staff = staffIn(store, { org, OrganisationID: tenant }, clock, by, directory);
  const added: RoleUser[] = [];
  for (const person of people)
    added.push(await addMember({ ...staff, newId }, person as NewMember));
  return added;
}
