/**
 * A seed: a file of YAML or JSON with the records that a book begins with. It is read here, with the
 * line of each record; `plant-seed.ts` sends them to the service.
 */
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from "js-yaml";
import { inputText } from "../../platform/input-file.ts";
import { type RefusedError, refusal } from "../../resources/errors.ts";
import type { Fields, Resource } from "../../resources/field.ts";
import {
  account,
  bankTransfer,
  contact,
  invoice,
  item,
  manualJournal,
  openingBalance,
  resources,
  taxRate,
  trackingCategory,
} from "../../resources/index.ts";
import { counted, nearest } from "../../resources/scalar.ts";

/** Kinds of records in a seed: their resource, and fields that the kind itself says. */
export interface SeedKind {
  readonly resource: Resource;
  readonly implied?: Readonly<Record<string, string>>;
}

/** Lists of one kind each, in the order in which they are made. */
export const seedLists: Readonly<Record<string, SeedKind>> = {
  accounts: { resource: account },
  taxRates: { resource: taxRate },
  tracking: { resource: trackingCategory },
  contacts: { resource: contact },
  items: { resource: item },
  opening: { resource: openingBalance },
};

const madeElsewhere = new Set(["Organisation", "Journal", "User", "Operation", "BrandingTheme"]);

/** Kinds of `documents`, which are made in the order of the file. */
export const seedDocuments: Readonly<Record<string, SeedKind>> = {
  ...Object.fromEntries(
    resources
      .filter(({ name }) => !madeElsewhere.has(name))
      .map((resource) => [
        `${resource.name[0]?.toLowerCase()}${resource.name.slice(1)}`,
        { resource },
      ]),
  ),
  invoice: { resource: invoice, implied: { Type: "ACCREC" } },
  bill: { resource: invoice, implied: { Type: "ACCPAY" } },
  transfer: { resource: bankTransfer },
  journal: { resource: manualJournal },
};

/** What is said of the organisation and of people, each by its keys. */
export const seedParts = {
  organisation: ["name", "country", "currency", "taxBasis"],
  people: ["email", "name", "role", "password"],
} as const;

// biome-ignore lint/suspicious/noExplicitAny: values as the file has them, which the service checks.
export type SeedValue = Readonly<Record<string, any>>;

export interface SeedRecord extends SeedKind {
  /** `invoice 2`, by its kind and number. */
  readonly called: string;
  readonly line: number;
  /** Name by which later records refer to it, as `$NAME`. */
  readonly as: string | undefined;
  readonly fields: SeedValue;
}

export interface Seed {
  readonly path: string;
  readonly organisation: SeedValue;
  readonly records: readonly SeedRecord[];
  readonly people: readonly SeedValue[];
}

const bytesMax = 64 * 1024 * 1024;
const recordsMax = 100_000;
const maxDepth = 32;

/** The refusal of a line of a seed. */
export function seedFault(path: string, line: number, problem: string): RefusedError {
  return refusal("Form", `${path}, line ${line}: ${problem}`);
}

/** @throws RefusedError with the line; UsageError `NoFile`, `FileTooLarge` */
export function readSeed(path: string): Seed {
  const source = inputText(path, { bytes: bytesMax });
  const { value, lineAt } = parsed(path, source);
  const knownKeys = [...Object.keys(seedParts), ...Object.keys(seedLists), "documents"];
  checkKeys(value, knownKeys, (what) => seedFault(path, lineAt(what.key), what.sentence));
  const list = (key: string): readonly SeedValue[] => {
    const givenList = value[key] ?? [];
    if (Array.isArray(givenList)) return givenList;
    throw seedFault(path, lineAt(key), `${key} is a list.`);
  };
  const records: SeedRecord[] = [];
  const counts = new Map<string, number>();
  const add = (kind: SeedKind | undefined, name: string, line: number, givenValue: unknown) => {
    if (kind === undefined) {
      const nearKind = nearest(name, Object.keys(seedDocuments));
      throw seedFault(
        path,
        line,
        `there is no kind ${name}.${nearKind ? ` Did you mean ${nearKind}?` : ""}`,
      );
    }
    if (typeof givenValue !== "object" || givenValue === null) {
      throw seedFault(path, line, `${name} has no fields.`);
    }
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    const { as, ...fields } = givenValue as SeedValue;
    checkFields(fields, kind.resource.fields, path, line);
    records.push({ ...kind, called: `${name} ${number}`, line, as, fields });
  };
  for (const [key, kind] of Object.entries(seedLists)) {
    for (const [at, given] of list(key).entries())
      add(kind, kind.resource.noun, lineAt(key, at), given);
  }
  for (const [at, document] of list("documents").entries()) {
    const line = lineAt("documents", at);
    const [[name, given] = ["", undefined], ...more] = Object.entries(document ?? {});
    if (more.length > 0) throw seedFault(path, line, "a document is one kind with its fields.");
    add(seedDocuments[name], name, line, given);
  }
  if (records.length > recordsMax) {
    throw refusal(
      "Limit",
      `${path} has ${counted(records.length, "record")}; at most ${recordsMax}.`,
    );
  }
  const people = list("people").map((value, at) => {
    const line = lineAt("people", at);
    checkKeys(value, seedParts.people, ({ sentence }) => seedFault(path, line, sentence));
    return value;
  });
  const organisation: SeedValue = value.organisation ?? {};
  checkKeys(organisation, seedParts.organisation, ({ sentence }) =>
    seedFault(path, lineAt("organisation"), sentence),
  );
  return { path, organisation, records, people };
}

interface UnknownKey {
  readonly key: string;
  readonly sentence: string;
}

function checkKeys(
  value: object,
  known: readonly string[],
  fault: (unknown: UnknownKey) => RefusedError,
): void {
  const key = Object.keys(value).find((key) => !known.includes(key));
  if (key === undefined) return;
  const near = nearest(key, known);
  const sentence = `there is no ${key}${near ? `; did you mean ${near}?` : `, but ${known.join(", ")}.`}`;
  throw fault({ key, sentence });
}

/** Checks the names of fields, also those of lines. */
function checkFields(value: object, fields: Fields, path: string, line: number): void {
  checkKeys(value, Object.keys(fields), ({ sentence }) => seedFault(path, line, sentence));
  for (const [name, given] of Object.entries(value)) {
    const field = fields[name];
    if (field === undefined || !("fields" in field)) continue;
    for (const value of [given].flat()) {
      if (typeof value === "object" && value !== null) checkFields(value, field.fields, path, line);
    }
  }
}

interface ParsedSeed {
  readonly value: SeedValue;
  /** Line of a key, or of the element of its list. */
  readonly lineAt: (key: string, element?: number) => number;
}

/** @throws RefusedError */
function parsed(path: string, source: string): ParsedSeed {
  const lineOf = (offset: number) => source.slice(0, offset).split(/\r\n?|\n/).length;
  let events: Event[];
  let values: unknown[];
  try {
    events = parseEvents(source, { maxDepth });
    const alias = events.find(({ type }) => type === EVENT_ID.ALIAS);
    if (alias !== undefined) {
      const { anchorStart } = alias as Event & { readonly anchorStart: number };
      const aliasFault = "aliases are not read; give a record a name with as, and write $NAME.";
      throw seedFault(path, lineOf(anchorStart), aliasFault);
    }
    values = constructFromEvents(events, { source });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw seedFault(path, (error.mark?.line ?? 0) + 1, `${error.reason}.`);
  }
  const [value = {}, ...more] = values;
  if (more.length > 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    throw seedFault(path, 1, "a seed is one mapping of keys, such as contacts and documents.");
  }
  const lines = linesOf(source, events, lineOf);
  return {
    value: value as SeedValue,
    lineAt: (key, element) => lines.get(element === undefined ? key : `${key} ${element}`) ?? 1,
  };
}

/** Depth of the keys of a seed, and of the elements of their lists, in the events of the parser. */
const keyDepth = 2;
const elementDepth = 3;

function linesOf(source: string, events: readonly Event[], lineOf: (offset: number) => number) {
  const lines = new Map<string, number>();
  let depth = 0;
  let key: string | undefined;
  let element = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth -= 1;
      if (depth === keyDepth) key = undefined;
      continue;
    }
    if (depth === keyDepth && event.type === EVENT_ID.SCALAR && key === undefined) {
      key = getScalarValue(source, event);
      element = 0;
      lines.set(key, lineOf(event.valueStart));
      continue;
    }
    if (depth === keyDepth && event.type === EVENT_ID.SCALAR) key = undefined;
    if (depth === elementDepth && "start" in event) {
      lines.set(`${key} ${element}`, lineOf(event.start));
      element += 1;
    }
    if (event.type !== EVENT_ID.SCALAR) depth += 1;
  }
  return lines;
}
