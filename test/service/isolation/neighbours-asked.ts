/**
 * What one organisation asks with what belongs to another: requests for every route of the table,
 * put together from what both answer about themselves, from what the description of the API says a
 * route takes, and from the writes that made them. A new route, resource or parameter comes in by
 * itself.
 */
import { allRoutes, type Route } from "../../../src/service/api/routing.ts";
import type { ServiceRequest } from "../../../src/wire/http.ts";
import type { Json } from "../fixture.ts";
import type { Neighbour, Sent } from "./neighbours.ts";

/** What is known of an organisation from its own answers. */
export interface Known {
  /** Texts by the name of the field that holds them: ids, numbers, codes, names. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Objects by the name of the list that holds them. */
  readonly lists: ReadonlyMap<string, readonly Json[]>;
  readonly sent: readonly Sent[];
}

/** How many records of a list are read one by one. */
const eachMax = 4;
const json = { accept: "application/json" };

const parameterIn = /\{(\w+)\}/g;

/** Asks an organisation for everything that can be read in it. */
export async function knownOf({ given, sent }: Neighbour): Promise<Known> {
  const texts = new Map<string, Set<string>>();
  const lists = new Map<string, Json[]>();
  const gather = (value: Json, name: string): void => {
    if (typeof value === "string") {
      if (value === "" || value.startsWith("/Date(")) return;
      texts.set(name, (texts.get(name) ?? new Set()).add(value));
    } else if (Array.isArray(value)) {
      for (const each of value) {
        gather(each, name);
        if (typeof each === "object") lists.set(name, [...(lists.get(name) ?? []), each]);
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [inner, each] of Object.entries(value)) gather(each, inner);
    }
  };
  const read = async (path: string) => {
    const answer = await given.ask("GET", path, undefined, { headers: json });
    if (answer.status === 200 && answer.json?.openapi === undefined) gather(answer.json, "");
  };
  // What takes more segments is asked with what was answered to fewer.
  const readable = allRoutes()
    .filter(({ method, path }) => method === "GET" && !path.endsWith("{FileName}"))
    .sort((one, other) => one.path.length - other.path.length);
  for (const { path } of readable) {
    const names = [...path.matchAll(parameterIn)].map(([, name = ""]) => name);
    const known = names.map((name) => [...(texts.get(name) ?? [])]);
    if (known.some((each) => each.length === 0)) continue;
    for (let at = 0; at < (names.length === 0 ? 1 : eachMax); at += 1) {
      let next = 0;
      const filled = path.replace(parameterIn, () => {
        const values = known[next] ?? [];
        next += 1;
        return encodeURIComponent(values.at(-1 - (at % values.length)) ?? "");
      });
      await read(filled);
    }
  }
  const sorted = new Map([...texts].map(([name, values]) => [name, [...values]]));
  return { texts: sorted, lists, sent };
}

/** The names of the parameters in the query of each route, `GET /Invoices`. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Reads them from the description of the API. */
export async function parametersOf({ given }: Neighbour): Promise<Parameters> {
  const { paths, components } = await given.ok("GET", "/openapi.json");
  const found = new Map<string, readonly string[]>();
  for (const { method, path } of allRoutes()) {
    const listed: Json[] = paths[path]?.[method.toLowerCase()]?.parameters ?? [];
    const full = listed.map(({ $ref, ...own }) =>
      $ref === undefined ? own : components.parameters[$ref.split("/").at(-1)],
    );
    found.set(
      `${method} ${path}`,
      full.filter((each) => each.in === "query").map(({ name }) => name),
    );
  }
  return found;
}

/** Draws a whole number from 0 to `max`. */
export type Draw = (max: number) => number;

/** The same draws for the same seed. */
export function drawsFrom(seed: number): Draw {
  let state = Math.imul(seed, 0x9e3779b1) || 1;
  return (max) => {
    // Xorshift: one number stands for thousands of draws in the report of a failure.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % (max + 1);
  };
}

export interface Asked extends Omit<ServiceRequest, "body"> {
  readonly route: string;
  readonly body?: Uint8Array;
}

export interface Sides {
  readonly theirs: Known;
  readonly ours: Known;
  readonly parameters: Parameters;
}

function oneOf<T>(draw: Draw, values: readonly T[]): T | undefined {
  return values.length === 0 ? undefined : values[draw(values.length - 1)];
}

const chance = (draw: Draw, percent: number): boolean => draw(99) < percent;

/** How much of the paths of requests is theirs, in percent: none of it, all of it, and some. */
const leanings = [0, 100, 65, 65];

/** Requests for a route, in which something belongs to them. */
export function askedFor(draw: Draw, route: Route, sides: Sides, count: number): Asked[] {
  return Array.from({ length: count }, (_, at) =>
    oneAsked(draw, route, { ...sides, leaning: leanings[at % leanings.length] ?? 0 }),
  );
}

/** Routes in groups, after each of which it is looked whether what is theirs is as it was. */
export function inGroups(all: readonly Route[]): readonly (readonly Route[])[] {
  const size = 10;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

interface Leaning extends Sides {
  readonly leaning: number;
}

function oneAsked(draw: Draw, route: Route, sides: Leaning): Asked {
  const { method, path } = route;
  const named = `${method} ${path}`;
  const replayed = chance(draw, 15) ? oneOf(draw, sentTo(sides.theirs, named)) : undefined;
  const writes = method !== "GET";
  const accept = chance(draw, 85)
    ? "application/json"
    : oneOf(draw, ["text/xml", "application/pdf"]);
  const headers: Record<string, string> = { accept: accept ?? "" };
  if (chance(draw, 3)) headers["x-dry-run"] = "true";
  // A key that they have used, with the request that they used it for, or with another.
  const key = replayed ?? (writes && chance(draw, 15) ? oneOf(draw, sides.theirs.sent) : undefined);
  if (key !== undefined) headers["idempotency-key"] = key.headers["idempotency-key"] ?? "";
  const body = writes ? (replayed?.body ?? bodyFor(draw, route, sides)) : undefined;
  if (body !== undefined) {
    const type = route.takes === "file" ? "text/plain" : "application/json";
    headers["content-type"] = replayed?.headers["content-type"] ?? type;
  }
  return {
    route: named,
    method,
    path: replayed?.path ?? pathFor(draw, route, sides),
    query: replayed === undefined ? queryFor(draw, route, sides) : [],
    headers,
    ...(body === undefined ? {} : { body: bytesOf(body) }),
  };
}

function bytesOf(body: unknown): Uint8Array {
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

const sentTo = ({ sent }: Known, named: string) => sent.filter(({ route }) => route === named);

/** Texts that may stand for a name of a parameter: of the field itself, in any letter case. */
function textsFor({ texts }: Known, name: string): readonly string[] {
  const wanted = name
    .replace(/(ID)\d$/, "$1")
    .replace(/s$/, "")
    .toLowerCase();
  return [...texts].flatMap(([field, values]) => (field.toLowerCase() === wanted ? values : []));
}

/** Keys of a record besides its id, in any list of such records. */
const keysToo = ["Name", "Code", "InvoiceNumber", "CreditNoteNumber", "PurchaseOrderNumber"];

function pathFor(
  draw: Draw,
  { path, resource }: Route,
  { theirs, ours, leaning }: Leaning,
): string {
  return path
    .split("/")
    .map((segment) => {
      if (!segment.startsWith("{")) return segment;
      const name = segment.slice(1, -1);
      const whose = chance(draw, leaning) ? theirs : ours;
      const others = [...(resource?.keys ?? []), ...keysToo];
      const field = chance(draw, 85) ? name : (oneOf(draw, others) ?? name);
      const values = textsFor(whose, field);
      const any = values.length > 0 ? values : textsFor(whose, "ContactID");
      return encodeURIComponent(oneOf(draw, any) ?? "none");
    })
    .join("/");
}

function queryFor(draw: Draw, route: Route, { theirs, parameters }: Sides): [string, string][] {
  const names = parameters.get(`${route.method} ${route.path}`) ?? [];
  return names.flatMap((name): [string, string][] => {
    if (!chance(draw, name === "where" ? 60 : 30)) return [];
    const value = valueFor(draw, name, route, theirs);
    return value === undefined ? [] : [[name, value]];
  });
}

function valueFor(
  draw: Draw,
  name: string,
  { resource }: Route,
  theirs: Known,
): string | undefined {
  if (name === "wait") return undefined; // Nothing comes that would be worth waiting for.
  if (name === "where") return conditionFor(draw, resource?.plural, theirs);
  if (name === "order") return resource?.columns[0];
  if (name === "searchTerm") return oneOf(draw, [...textsFor(theirs, "Name"), "-", "a"]);
  if (/^page$/i.test(name)) return oneOf(draw, ["1", "1", "2"]);
  if (/^(pageSize|periods)$/i.test(name)) return "3";
  if (/date/i.test(name)) return oneOf(draw, ["2026-03-01", "2026-03-31"]);
  if (/^(summaryOnly|includeArchived|createdByMyApp|paymentsOnly|standardLayout)$/i.test(name)) {
    return oneOf(draw, ["true", "false"]);
  }
  const known = name === "IDs" ? textsFor(theirs, resource?.id ?? "") : textsFor(theirs, name);
  if (known.length === 0) return undefined;
  return name.endsWith("s") ? `${oneOf(draw, known)},${oneOf(draw, known)}` : oneOf(draw, known);
}

/** A condition on what one of their records holds: its id, its number, its contact's name. */
function conditionFor(draw: Draw, plural: string | undefined, theirs: Known): string | undefined {
  const record = oneOf(draw, theirs.lists.get(plural ?? "") ?? []);
  if (record === undefined) return undefined;
  const places: [string, string][] = [];
  const walk = (value: Json, path: string): void => {
    if (typeof value === "string") places.push([path, value]);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, each] of Object.entries(value)) {
      walk(each, path === "" ? name : `${path}.${name}`);
    }
  };
  walk(record, "");
  const [path, value] = oneOf(draw, places) ?? ["Name", "x"];
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) {
    return chance(draw, 70) ? `${path}==Guid("${value}")` : `${path}!=Guid("${value}")`;
  }
  return chance(draw, 70) ? `${path}=="${value}"` : `${path}.Contains("${value}")`;
}

// --- bodies ----------------------------------------------------------------------------------

/** What was sent to a route, or a record that its list holds, with more or less of it theirs. */
function bodyFor(draw: Draw, route: Route, sides: Sides): unknown {
  const named = `${route.method} ${route.path}`;
  const whose = chance(draw, 50) ? sides.theirs : sides.ours;
  const fixed = route.path.split("/").filter((each) => each !== "" && !each.startsWith("{"));
  const list = fixed.at(-1) === "History" ? "HistoryRecords" : (fixed.at(-1) ?? "");
  const similar = whose.sent.filter((each) => each.route.split(" ")[1]?.endsWith(`/${list}`));
  const sent = [...sentTo(whose, named), ...similar].map(({ body }) => body);
  const records = whose.lists.get(list) ?? [];
  const from = chance(draw, 50) && records.length > 0 ? records : sent;
  const template = oneOf(draw, from.length > 0 ? from : records);
  if (template === undefined || route.takes === "file" || typeof template === "string") {
    return template;
  }
  const percent = oneOf(draw, [0, 10, 40, 100]) ?? 0;
  const mixed = replaced(draw, template, { theirs: sides.theirs, percent }) as Json;
  if (route.resource !== undefined && !Array.isArray(mixed) && chance(draw, 40)) {
    // Without what says which record it is, a new one is made of it.
    for (const name of [route.resource.id, ...(route.resource.keys ?? [])]) delete mixed[name];
  }
  return mixed;
}

interface Replacing {
  readonly theirs: Known;
  /** How many of the texts become theirs. */
  readonly percent: number;
}

/** Fields that would end what is asked before it comes to a reference. */
const kept = /Type$|^Type|Status|Date|Rate$|Currency|Email|^Form$|^Unit$/;

function replaced(draw: Draw, value: unknown, how: Replacing, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(draw, each, how, name));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([inner, each]) => [inner, replaced(draw, each, how, inner)]),
    );
  }
  if (typeof value !== "string" || kept.test(name) || !chance(draw, how.percent)) return value;
  return oneOf(draw, textsFor(how.theirs, name)) ?? value;
}
