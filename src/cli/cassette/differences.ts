/** Where two answers to the same request differ in kind, and not in what they happen to say. */
import { readXml, type XmlNode } from "../../wire/xml.ts";
import type { KeptAnswer } from "./cassette.ts";

/** In what answers differ. */
export type DifferenceKind =
  | "status"
  | "header"
  | "missing"
  | "new"
  | "type"
  | "format"
  | "order"
  | "code"
  | "value";

export interface Difference {
  readonly kind: DifferenceKind;
  /** Path in the body, such as `Invoices[].Date`; name of a header; empty for the status. */
  readonly path: string;
  readonly recorded: string;
  readonly answered: string;
}

/** Ids of the recording, in lower case, with those that stand for them now. */
export type Ids = Map<string, string>;

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const guids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Puts the ids of now in the place of those of the recording. */
export function withIds(text: string, idByRecorded: Ids): string {
  return text.replace(guids, (id) => idByRecorded.get(id.toLowerCase()) ?? id);
}

/** Makes texts alike that differ in their ids alone. */
export const withoutIds = (text: string): string => text.replace(guids, "ID");

/** Forms of texts; anything else is a text. */
const formats: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["id", guid],
  ["/Date()/", /^\/Date\(-?\d+\)\/$/],
  ["/Date() with a zone/", /^\/Date\(-?\d+[+-]\d{4}\)\/$/],
  ["day", /^\d{4}-\d\d-\d\d$/],
  ["moment", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/],
  ["moment with a zone", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/],
  ["amount of two digits", /^-?\d+\.\d\d$/],
  ["amount of four digits", /^-?\d+\.\d{4}$/],
];

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "list" : typeof value;
}

const formatOf = (text: string) => formats.find(([, form]) => form.test(text))?.[0] ?? "text";

interface Comparing {
  readonly ids: Ids;
  /** Whether values are compared as well. */
  readonly values: boolean;
  readonly isError: boolean;
  readonly found: Map<string, Difference>;
}

/**
 * Compares an answer with the recorded one, and learns which ids stand for which.
 *
 * @param values  whether what they say is compared as well
 */
export function compareAnswers(
  recorded: KeptAnswer,
  answerNow: KeptAnswer,
  { ids, values }: { readonly ids: Ids; readonly values: boolean },
): Difference[] {
  const byPlace = new Map<string, Difference>();
  const comparing: Comparing = { ids, values, isError: recorded.status >= 400, found: byPlace };
  if (recorded.status !== answerNow.status) {
    note(comparing, "status", "", String(recorded.status), String(answerNow.status));
  }
  for (const name of new Set([
    ...Object.keys(recorded.headers),
    ...Object.keys(answerNow.headers),
  ])) {
    const [before, now] = [recorded.headers[name], answerNow.headers[name]];
    if (comparable(before) === comparable(now)) continue;
    note(comparing, "header", name, before ?? "not there", now ?? "not there");
  }
  walk(comparing, "", bodyOf(recorded), bodyOf(answerNow));
  return [...byPlace.values()];
}

/** Of a content type, spaces and case say nothing. */
const comparable = (header: string | undefined) => header?.toLowerCase().replaceAll(" ", "");

function note(
  { found }: Comparing,
  kind: DifferenceKind,
  path: string,
  recorded: string,
  answeredText: string,
): void {
  const key = `${kind} ${path}`;
  if (!found.has(key)) found.set(key, { kind, path, recorded, answered: answeredText });
}

/** The body as a tree of values; a text where it is none. */
function bodyOf({ body, headers }: KeptAnswer): unknown {
  if (typeof body !== "string") return "(bytes)";
  const type = headers["content-type"] ?? "";
  try {
    if (/json/.test(type)) return JSON.parse(body);
    if (/xml/.test(type)) return { [readXml(body).name]: treeOf(readXml(body)) };
  } catch {
    return "(unreadable)";
  }
  return body === "" ? undefined : "(text)";
}

/** An element: an object of its children, those of one name in a list; or its text. */
function treeOf({ children, text }: XmlNode): unknown {
  if (children.length === 0) return text;
  const byName = Map.groupBy(children, ({ name }) => name);
  return Object.fromEntries([...byName].map(([name, nodes]) => [name, nodes.map(treeOf)]));
}

const codeFields = new Set(["ErrorNumber", "Type", "Code"]);

function walk(comparing: Comparing, path: string, recorded: unknown, answeredValue: unknown): void {
  const [before, now] = [typeOf(recorded), typeOf(answeredValue)];
  if (before !== now) note(comparing, "type", path, before, now);
  else if (Array.isArray(recorded)) lists(comparing, path, recorded, answeredValue as unknown[]);
  else if (before === "object") objects(comparing, path, recorded as Tree, answeredValue as Tree);
  else leaves(comparing, path, recorded, answeredValue);
}

/** Compares two values of one type. */
function leaves(comparing: Comparing, path: string, recorded: unknown, valueNow: unknown): void {
  if (typeof recorded === "string") compareTexts(comparing, path, recorded, String(valueNow));
  const name = path.slice(path.lastIndexOf(".") + 1);
  const isCode = comparing.isError && codeFields.has(name);
  if (!isCode && !comparing.values) return;
  const [said, says] = [withIds(String(recorded), comparing.ids), String(valueNow)];
  if (said.toLowerCase() !== says.toLowerCase()) {
    note(comparing, isCode ? "code" : "value", path, said, says);
  }
}

type Tree = Readonly<Record<string, unknown>>;

function compareTexts(
  { ids, ...rest }: Comparing,
  path: string,
  recorded: string,
  answeredText: string,
): void {
  const [before, now] = [formatOf(recorded), formatOf(answeredText)];
  if (before !== now) note({ ids, ...rest }, "format", path, before, now);
  const id = recorded.toLowerCase();
  if (before === "id" && now === "id" && !ids.has(id)) ids.set(id, answeredText);
}

function objects(comparing: Comparing, path: string, recorded: Tree, answeredTree: Tree): void {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const [name, value] of Object.entries(recorded)) {
    if (Object.hasOwn(answeredTree, name)) walk(comparing, at(name), value, answeredTree[name]);
    else note(comparing, "missing", at(name), typeOf(value), "not there");
  }
  for (const [name, value] of Object.entries(answeredTree)) {
    if (!Object.hasOwn(recorded, name))
      note(comparing, "new", at(name), "not there", typeOf(value));
  }
}

/** Compares lists: records by their ids where these are known, all else by place. */
function lists(
  comparing: Comparing,
  path: string,
  recorded: readonly unknown[],
  listNow: readonly unknown[],
): void {
  const within = `${path}[]`;
  if (recorded.length > 0 && listNow.length === 0) {
    note(comparing, "missing", within, "some", "none");
  }
  if (recorded.length === 0 && listNow.length > 0) note(comparing, "new", within, "none", "some");
  const indexById = new Map(listNow.map((value, index) => [idIn(value), index]));
  let lastIndex = -1;
  for (const [place, value] of recorded.entries()) {
    const id = comparing.ids.get(idIn(value) ?? "")?.toLowerCase();
    const knownPlace = id === undefined ? undefined : indexById.get(id);
    if (knownPlace !== undefined && knownPlace < lastIndex) {
      note(comparing, "order", path, `place ${place + 1}`, `place ${knownPlace + 1}`);
    }
    lastIndex = Math.max(lastIndex, knownPlace ?? lastIndex);
    const partnerIndex = knownPlace ?? place;
    if (partnerIndex < listNow.length) walk(comparing, within, value, listNow[partnerIndex]);
  }
}

/** The id that a record begins with, in lower case; of XML its first. */
function idIn(value: unknown): string | undefined {
  if (typeOf(value) !== "object") return undefined;
  for (const [name, own] of Object.entries(value as Tree)) {
    const [text] = [own].flat();
    if (/ID$/.test(name) && typeof text === "string" && guid.test(text)) return text.toLowerCase();
  }
  return undefined;
}
