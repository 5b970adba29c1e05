/** The effects of operations, record by record, with the names of the records. */
import { calledOf, nameTogether } from "../../resources/called.ts";
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
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { parsed } from "./reversal-requests.ts";

export type LoggedChange = LoggedRecord["Change"];

/** The effect of an operation on a record. */
export interface Effect {
  readonly resource: Resource;
  readonly id: string;
  readonly change: LoggedChange;
  /** Former values of the changed fields; all fields of a removed record. */
  readonly former: Former;
  /** Former lines of a document. */
  readonly lines: readonly object[] | undefined;
  /** Path of the request. */
  readonly path: string;
}

export const hasEnded = ({ change }: Pick<Effect, "change">): boolean =>
  change === "VOIDED" || change === "REMOVED";

/** Resources by name, including those whose path is below another collection. */
const byName = new Map([...resources, trackingOption].map((resource) => [resource.name, resource]));

const changes = {
  created: "CREATED",
  changed: "CHANGED",
  ended: "VOIDED",
  removed: "REMOVED",
  touched: "TOUCHED",
} as const satisfies Record<keyof RecordEffects, LoggedChange>;

/** Returns the effects of requests, in the order of the requests. */
export function effectsIn(requests: readonly Pick<LoggedRequest, "effects" | "path">[]): Effect[] {
  return requests.flatMap(({ path, effects: { records, lines } }) =>
    Object.entries(records).flatMap(([name, own]) => {
      const resource = byName.get(name);
      if (resource === undefined) return [];
      return (Object.keys(changes) as (keyof RecordEffects)[]).flatMap((kind) => {
        const rows = own[kind] ?? [];
        const entries: [string, Former][] = Array.isArray(rows)
          ? rows.map((id) => [id, {}])
          : Object.entries(rows);
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

/** Merges the effects on each record: the final change, with the values before the first one. */
export function mergeEffects(effects: readonly Effect[]): Effect[] {
  const byRecord = new Map<string, Effect>();
  for (const effect of effects) {
    const key = `${effect.resource.name} ${effect.id}`;
    const earlierEffect = byRecord.get(key);
    if (earlierEffect === undefined || earlierEffect.change === "TOUCHED") {
      byRecord.set(key, effect);
    } else if (earlierEffect.change === "CREATED") {
      if (effect.change === "REMOVED") byRecord.delete(key);
    } else if (effect.change !== "TOUCHED") {
      byRecord.set(key, {
        ...effect,
        change: earlierEffect.change === "VOIDED" ? "VOIDED" : effect.change,
        former: { ...effect.former, ...earlierEffect.former },
        lines: earlierEffect.lines ?? effect.lines,
      });
    }
  }
  return [...byRecord.values()];
}

// --- names ---------------------------------------------------------------------------------------

/** Names of records; those of removed records are their last ones. */
export interface RecordNames {
  readonly nameIn: (effect: Pick<Effect, "resource" | "id">) => string | undefined;
  readonly nounIn: (effect: Pick<Effect, "resource" | "id">) => string;
}

export async function namesOf(tx: Tx, effects: readonly Effect[]): Promise<RecordNames> {
  const nameById = new Map<string, string | undefined>();
  const nounByKey = new Map<string, string>();
  const key = ({ resource, id }: Pick<Effect, "resource" | "id">) => `${resource.name} ${id}`;
  const chart = await loadChart(tx);
  const add = (resource: Resource, id: string, record: object) => {
    const CurrencyCode = currencyIn(record, chart);
    nameById.set(
      key({ resource, id }),
      calledOf(resource, { ...record, CurrencyCode }, scaleOf.money),
    );
    nounByKey.set(key({ resource, id }), nounOf(resource, record));
  };
  for (const [resource, own] of Map.groupBy(effects, (effect) => effect.resource)) {
    for (const each of own) {
      if (each.change === "REMOVED") add(resource, each.id, formerRecord(resource, each.former));
    }
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const record of await fetch(tx, resource, resource.id, ids)) {
      add(resource, idOf(resource, record), record);
    }
  }
  return {
    nameIn: (effect) => nameById.get(key(effect)),
    nounIn: (effect) => nounByKey.get(key(effect)) ?? effect.resource.noun,
  };
}

/** Returns the currency of a stored record: its own, or that of its document or bank account. */
function currencyIn(record: object, chart: Chart): string {
  const { Invoice, CreditNote, Prepayment, Overpayment, BankAccount, FromBankAccount } =
    record as Readonly<Record<string, { CurrencyCode?: string; AccountID?: string } | undefined>>;
  const invoice = Invoice ?? CreditNote ?? Prepayment ?? Overpayment ?? record;
  return (
    (invoice as { CurrencyCode?: string }).CurrencyCode ??
    chart.currencyOf(BankAccount ?? FromBankAccount ?? {})
  );
}

/** Returns an effect in the form of answers. */
export function shownEffect(effect: Effect, name: string | undefined): LoggedRecord {
  const { resource, id, change } = effect;
  const formerFields = change === "CREATED" ? {} : formerValues(effect);
  return {
    Resource: resource.name,
    RecordID: id,
    Name: name,
    Change: change,
    Before: Object.keys(formerFields).length === 0 ? undefined : JSON.stringify(formerFields),
  };
}

/** Returns the former fields of a record in the form of a request body; empty ones as `""`. */
export function formerValues({
  resource,
  former,
  lines,
}: Pick<Effect, "resource" | "former" | "lines">): Record<string, unknown> {
  const record = formerRecord(resource, former);
  const lineField = "JournalLines" in resource.fields ? "JournalLines" : "LineItems";
  const withLines = lines === undefined ? record : { ...record, [lineField]: lines };
  const writtenRecord = writePlain(resource.fields, withLines);
  const values: Record<string, unknown> = { ...parsed(writtenRecord) };
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined && resource.fields[name] !== undefined) values[name] = "";
  }
  return values;
}

/**
 * Returns the request body that restores a record. Objects are merged with sent ones, so their
 * empty fields are sent as null.
 */
export function inputToRestore(effect: Effect): Record<string, unknown> {
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
    return typeof value === "object" && value !== null ? filledRecord(field.fields, value) : null;
  }
  if (field.kind === "many" && field.mergeBy !== undefined && Array.isArray(value)) {
    return value.map((value: object) => filledRecord(field.fields, value));
  }
  if (field.kind === "many" && value === "") return null;
  return value;
}

/** Returns an object with every writable field, null where it has no value. */
function filledRecord(fields: Fields, value: object): Record<string, unknown> {
  const inner = value as Readonly<Record<string, unknown>>;
  const sent = Object.entries(fields).filter(([, field]) => field.readOnly !== true);
  return Object.fromEntries(sent.map(([name, field]) => [name, whole(field, inner[name] ?? null)]));
}

// --- descriptions --------------------------------------------------------------------------------

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
 * Returns the verb of a change. A record that ends is voided if its kind has that status, reversed
 * if it is posted from the start; drafts and records without postings are deleted.
 */
function verbOf({ change, former, resource }: Effect): (typeof verbsInOrder)[number] {
  if (change !== "VOIDED") return verbs[change];
  const { Status } = resource.fields;
  const statuses: readonly string[] = Status?.kind === "choice" ? Status.values : ["VOIDED"];
  if (former.Status === "DRAFT" || former.Status === "SUBMITTED") return "deleted";
  if (statuses.includes("VOIDED")) return "voided";
  return statuses[0] === "AUTHORISED" ? "reversed" : "deleted";
}

/** Nouns of rows that are no records of a resource. */
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

/** Maximum number of records that are named singly. */
const namedMax = 2;

/** Returns a summary in one line: `created invoice INV-0042, changed 3 contacts`. */
export function summaryOf(
  requests: readonly LoggedRequest[],
  effects: readonly Effect[],
  { nameIn, nounIn }: RecordNames,
): string {
  const isMain = effects.some(({ change }) => change !== "TOUCHED");
  const parts = verbsInOrder.flatMap((verb) => {
    // Touched records are mentioned only where nothing else was changed.
    if (verb === verbs.TOUCHED && isMain) return [];
    const ofVerb = effects.filter((effect) => verbOf(effect) === verb);
    const kinds = [...Map.groupBy(ofVerb, nounIn)].map(([noun, of]) =>
      of.length > namedMax
        ? `${counted(of.length, noun)} ${nameTogether(of.map(nameIn))}`.trimEnd()
        : of.map((effect) => [noun, nameIn(effect)].filter(Boolean).join(" ")).join(", "),
    );
    return kinds.length === 0 ? [] : [`${verb} ${kinds.join(", ")}`];
  });
  const noChange = isUnchanged(requests) ? "changed nothing" : "nothing that is shown";
  return [...parts, ...describeRows(requests)].join("; ") || noChange;
}

/** Whether requests left the books unchanged. */
export function isUnchanged(requests: readonly LoggedRequest[]): boolean {
  return requests.every(
    ({ effects: { records, rows } }) => Object.keys({ ...records, ...rows }).length === 0,
  );
}

function describeRows(requests: readonly LoggedRequest[]): string[] {
  return Object.entries(rowNouns).flatMap(([table, noun]) => {
    const tableRows = requests.flatMap(({ effects }) => effects.rows[table] ?? []);
    const [added, removed] = (["added", "removed"] as const).map((kind) =>
      tableRows.reduce((sum, rowEffects) => sum + (rowEffects[kind]?.length ?? 0), 0),
    ) as [number, number];
    if (added > 0) return [`${removed > 0 ? "replaced" : "added"} ${counted(added, noun)}`];
    return removed > 0 ? [`removed ${counted(removed, noun)}`] : [];
  });
}
