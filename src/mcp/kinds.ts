/** Kinds of records that tools work on: nouns of the command line, and those within nouns. */
import { type FieldValues, idOf, type Resource } from "../resources/field.ts";
import { bankRule, bankStatement, bankStatementLine, resources } from "../resources/index.ts";
import { invoice } from "../resources/invoice.ts";
import { LineError, type Noun, type Program } from "./program.ts";

export interface RecordNoun {
  readonly name: string;
  readonly noun: readonly string[];
  /** Verb that lists them. */
  readonly list: string;
  readonly resource: Resource;
}

/** Nouns that are no kind of records, and the tool by which each is reached. */
export const reachedBy: Readonly<Record<string, string>> = {
  bank: "bank_suggest",
  close: "close_check",
  explain: "explain",
  history: "history",
  log: "history",
  audit: "history",
  report: "report",
  schema: "schema",
  status: "books",
  organisation: "books",
  attachment: "attach",
  undo: "undo_plan",
  plan: "plans",
  apply: "apply",
};

/** Nouns that no tool reaches, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  spend: "create of a bank-transaction does the same",
  receive: "create of a bank-transaction does the same",
  transfer: "create of a bank-transfer does the same",
  opening: "begins books, which people do",
  import: "takes files of the machine",
  export: "writes files of the machine",
  init: "makes books",
  api: "any request, which no schema describes",
  auth: "signs in",
  profile: "settings of the machine",
  book: "files of books",
  view: "opens a browser",
  serve: "serves",
  "dev-cert": "a certificate of the machine",
  server: "backups of a server",
  database: "a database of many organisations",
  app: "keys of programs",
  policy: "what agents may do, which people decide",
  record: "what passes between a program and a service",
  compare: "what passes between a program and a service",
  webhook: "keys of subscribers",
  completion: "settings of a shell",
  doctor: "looks at the machine",
  mcp: "is this server",
};

/** Nouns within nouns. */
const within: readonly RecordNoun[] = [
  { name: "bank-line", noun: ["bank"], list: "lines", resource: bankStatementLine },
  { name: "bank-rule", noun: ["bank", "rule"], list: "list", resource: bankRule },
  { name: "bank-statement", noun: ["bank", "statement"], list: "list", resource: bankStatement },
];

const wordOf = ({ noun }: Resource) => noun.replaceAll(" ", "-");

/** Returns all kinds by name, in the order of help. */
export function kindsOf({ nouns }: Pick<Program, "nouns">): ReadonlyMap<string, RecordNoun> {
  const records = nouns.filter(({ name }) => !(name in reachedBy) && !(name in leftOut));
  const kinds = [...records.flatMap(kindOf), ...within];
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

function kindOf({ name, aliases }: Noun): RecordNoun[] {
  const words = [name, ...aliases];
  const resource =
    name === "bill" ? invoice : resources.find((resource) => words.includes(wordOf(resource)));
  return resource === undefined ? [] : [{ name, noun: [name], list: "list", resource }];
}

/** Fields by which a record may be named, those that are shortest first. */
function keyFields({ fields, id }: Resource): string[] {
  const named = Object.keys(fields).filter((name) => fields[name]?.key === true);
  return [...("Handle" in fields ? ["Handle"] : []), ...named, id];
}

/** Fields of a record in a list: its columns, and what its handle is made of. */
export function listedFields(resource: Resource): string[] {
  const { columns, fields } = resource;
  const currency = "CurrencyCode" in fields ? ["CurrencyCode"] : [];
  return [...new Set([...columns, ...currency, ...keyFields(resource)])];
}

/** Returns the handle of a record, `invoice:INV-0042`, which tools take in place of it. */
export function handleOf({ name, resource }: RecordNoun, record: object): string {
  const values = record as FieldValues;
  const key = keyFields(resource).find((field) => values[field] !== undefined);
  return `${name}:${values[key ?? ""] ?? idOf(resource, record)}`;
}

/**
 * Reads a handle.
 *
 * @throws LineError `BadHandle`
 */
export function readHandle(
  kinds: ReadonlyMap<string, RecordNoun>,
  handle: string,
): { readonly kind: RecordNoun; readonly key: string } {
  const [, name = "", key = ""] = /^([a-z0-9-]+):(.+)$/s.exec(handle) ?? [];
  const kind = kinds.get(name);
  if (kind !== undefined) return { kind, key };
  const names = [...kinds.keys()].join(", ");
  throw new LineError("BadHandle", `A handle is KIND:KEY such as invoice:INV-0042, of ${names}.`);
}
