/** What operations have done, record by record, with the names that people know records by. */
import { calledOf } from "../../resources/called.ts";
import { scaleOf } from "../../resources/decimal.ts";
import type { Field, Fields, Resource } from "../../resources/field.ts";
import { idOf, nounOf } from "../../resources/field.ts";
import { resources, trackingOption } from "../../resources/index.ts";
import type { LoggedRecord } from "../../resources/operation.ts";
import { counted } from "../../resources/scalar.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Former, RecordEffects, RowTable } from "../../store/operations/effects.ts";
import { formerRecord, type LoggedRequest } from "../../store/operations/log.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { writePlain } from "../../wire/plain.ts";
import { parsed } from "./reversal-requests.ts";

export type LoggedChange = LoggedRecord["Change"];

/** A record that an operation wrote. */
export interface Effect {
  readonly resource: Resource;
  readonly id: string;
  readonly change: LoggedChange;
  /** What was changed, as it was; all of it where the record was removed. */
  readonly former: Former;
  /** The lines of a document as they were. */
  readonly lines: readonly object[] | undefined;
  /** Of the request. */
  readonly path: string;
}

export const hasEnded = ({ change }: Pick<Effect, "change">): boolean =>
  change === "VOIDED" || change === "REMOVED";

/** Also those below a collection of another. */
const known = new Map([...resources, trackingOption].map((each) => [each.name, each]));

const changes = {
  created: "CREATED",
  changed: "CHANGED",
  ended: "VOIDED",
  removed: "REMOVED",
  touched: "TOUCHED",
} as const satisfies Record<keyof RecordEffects, LoggedChange>;

/** The records that requests wrote, each request in turn. */
export function effectsIn(requests: readonly Pick<LoggedRequest, "effects" | "path">[]): Effect[] {
  return requests.flatMap(({ path, effects: { records, lines } }) =>
    Object.entries(records).flatMap(([name, own]) => {
      const resource = known.get(name);
      if (resource === undefined) return [];
      return (Object.keys(changes) as (keyof RecordEffects)[]).flatMap((kind) => {
        const held = own[kind] ?? [];
        const entries: [string, Former][] = Array.isArray(held)
          ? held.map((id) => [id, {}])
          : Object.entries(held);
        return entries.map(([id, former]) => ({
          resource,
          id,
          change: changes[kind],
          former,
          lines: lines[id],
          path,
        }));
      });
    }),
  );
}

/** What became of each record in the end, with what it was before the first of the changes. */
export function merged(effects: readonly Effect[]): Effect[] {
  const found = new Map<string, Effect>();
  for (const each of effects) {
    const key = `${each.resource.name} ${each.id}`;
    const earlier = found.get(key);
    if (earlier === undefined || earlier.change === "TOUCHED") {
      found.set(key, each);
    } else if (earlier.change === "CREATED") {
      if (each.change === "REMOVED") found.delete(key);
    } else if (each.change !== "TOUCHED") {
      found.set(key, {
        ...each,
        change: earlier.change === "VOIDED" ? "VOIDED" : each.change,
        former: { ...each.former, ...earlier.former },
        lines: earlier.lines ?? each.lines,
      });
    }
  }
  return [...found.values()];
}

// --- names ---------------------------------------------------------------------------------------

/** What records are called, those that are gone as they were. */
export interface RecordNames {
  readonly nameIn: (effect: Pick<Effect, "resource" | "id">) => string | undefined;
  readonly nounIn: (effect: Pick<Effect, "resource" | "id">) => string;
}

export async function namesOf(tx: Tx, effects: readonly Effect[]): Promise<RecordNames> {
  const names = new Map<string, string | undefined>();
  const nouns = new Map<string, string>();
  const key = ({ resource, id }: Pick<Effect, "resource" | "id">) => `${resource.name} ${id}`;
  const add = (resource: Resource, id: string, record: object) => {
    names.set(key({ resource, id }), calledOf(resource, record, scaleOf.money));
    nouns.set(key({ resource, id }), nounOf(resource, record));
  };
  for (const [resource, own] of Map.groupBy(effects, (each) => each.resource)) {
    for (const each of own) {
      if (each.change === "REMOVED") add(resource, each.id, formerRecord(resource, each.former));
    }
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const record of await fetch(tx, resource, resource.id, ids)) {
      add(resource, idOf(resource, record), record);
    }
  }
  return {
    nameIn: (effect) => names.get(key(effect)),
    nounIn: (effect) => nouns.get(key(effect)) ?? effect.resource.noun,
  };
}

/** A record of an operation as its answer shows it. */
export function shownEffect(effect: Effect, name: string | undefined): LoggedRecord {
  const { resource, id, change } = effect;
  const before = change === "CREATED" ? {} : formerValues(effect);
  return {
    Resource: resource.name,
    RecordID: id,
    Name: name,
    Change: change,
    Before: Object.keys(before).length === 0 ? undefined : JSON.stringify(before),
  };
}

/** The fields of a record as they were, in the plain form of a body: what was empty as `""`. */
export function formerValues({
  resource,
  former,
  lines,
}: Pick<Effect, "resource" | "former" | "lines">): Record<string, unknown> {
  const record = formerRecord(resource, former);
  const own = "JournalLines" in resource.fields ? "JournalLines" : "LineItems";
  const whole = lines === undefined ? record : { ...record, [own]: lines };
  const written = writePlain(resource.fields, whole);
  const values: Record<string, unknown> = { ...parsed(written) };
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined && resource.fields[name] !== undefined) values[name] = "";
  }
  return values;
}

/**
 * The same as a body that restores it. Objects of a record are merged with what is sent, so that what
 * was empty in them is sent as nothing.
 */
export function formerInput(effect: Effect): Record<string, unknown> {
  const { fields } = effect.resource;
  return Object.fromEntries(
    Object.entries(formerValues(effect)).map(([name, value]) => {
      const field = fields[name];
      return [name, field === undefined ? value : whole(field, value)];
    }),
  );
}

function whole(field: Field, value: unknown): unknown {
  if (field.kind === "one") {
    return typeof value === "object" && value !== null ? filled(field.fields, value) : null;
  }
  if (field.kind === "many" && field.mergeBy !== undefined && Array.isArray(value)) {
    return value.map((each: object) => filled(field.fields, each));
  }
  if (field.kind === "many" && value === "") return null;
  return value;
}

/** An object with every field that may be sent, as null where it has none. */
function filled(fields: Fields, value: object): Record<string, unknown> {
  const held = value as Readonly<Record<string, unknown>>;
  const sent = Object.entries(fields).filter(([, field]) => field.readOnly !== true);
  return Object.fromEntries(sent.map(([name, field]) => [name, whole(field, held[name] ?? null)]));
}

// --- in words ------------------------------------------------------------------------------------

const verbs = {
  CREATED: "created",
  CHANGED: "changed",
  VOIDED: "voided",
  REMOVED: "removed",
  TOUCHED: "noted on",
} as const satisfies Record<LoggedChange, string>;

const verbsInOrder = [
  ...(["created", "changed", "voided", "reversed"] as const),
  ...(["deleted", "removed", "noted on"] as const),
] as const;

/**
 * The verb of a change. What ends is voided where its kind knows that, and reversed where it is in the
 * ledger from the first; drafts, and what is never in the ledger, are deleted.
 */
function verbOf({ change, former, resource }: Effect): (typeof verbsInOrder)[number] {
  if (change !== "VOIDED") return verbs[change];
  const { Status } = resource.fields;
  const known: readonly string[] = Status?.kind === "choice" ? Status.values : ["VOIDED"];
  if (former.Status === "DRAFT" || former.Status === "SUBMITTED") return "deleted";
  if (known.includes("VOIDED")) return "voided";
  return known[0] === "AUTHORISED" ? "reversed" : "deleted";
}

/** Rows that are no records of a resource. */
const rowNouns: Readonly<Record<RowTable, string>> = {
  allocation: "allocation",
  attachment: "file",
  bank_match: "match",
  box_1099: "1099 box",
  branding_logo: "logo",
  branding_theme_payment_service: "payment service of a theme",
  budget_balance: "budget amount",
  contact_group_member: "member",
  exchange_rate: "exchange rate",
  online_document: "online address",
  published_report: "published return",
};

/** Records that are named one by one. */
const namedMax = 2;

/** One line: `created invoice INV-0042, changed 3 contacts`. */
export function summaryOf(
  requests: readonly LoggedRequest[],
  effects: readonly Effect[],
  { nameIn, nounIn }: RecordNames,
): string {
  const isMain = effects.some(({ change }) => change !== "TOUCHED");
  const parts = verbsInOrder.flatMap((verb) => {
    // What follows from others is of interest where there is nothing else.
    if (verb === verbs.TOUCHED && isMain) return [];
    const own = effects.filter((each) => verbOf(each) === verb);
    const kinds = [...Map.groupBy(own, nounIn)].map(([noun, of]) =>
      of.length > namedMax
        ? counted(of.length, noun)
        : of.map((each) => [noun, nameIn(each)].filter(Boolean).join(" ")).join(", "),
    );
    return kinds.length === 0 ? [] : [`${verb} ${kinds.join(", ")}`];
  });
  const nothing = changedNothing(requests) ? "changed nothing" : "nothing that is shown";
  return [...parts, ...rowWords(requests)].join("; ") || nothing;
}

/** Whether some requests have left the books as they were. */
export function changedNothing(requests: readonly LoggedRequest[]): boolean {
  return requests.every(
    ({ effects: { records, rows } }) => Object.keys({ ...records, ...rows }).length === 0,
  );
}

function rowWords(requests: readonly LoggedRequest[]): string[] {
  return Object.entries(rowNouns).flatMap(([table, noun]) => {
    const own = requests.flatMap(({ effects }) => effects.rows[table] ?? []);
    const [added, removed] = (["added", "removed"] as const).map((kind) =>
      own.reduce((sum, each) => sum + (each[kind]?.length ?? 0), 0),
    ) as [number, number];
    if (added > 0) return [`${removed > 0 ? "replaced" : "added"} ${counted(added, noun)}`];
    return removed > 0 ? [`removed ${counted(removed, noun)}`] : [];
  });
}
