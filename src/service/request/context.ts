/** One request on its way through the service: caller, route and time. */

import { today } from "../../ledger/dates/timezones.ts";
import type { Mailer } from "../../platform/mail.ts";
import { RefusedError, refusal } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import type { OrganisationRole } from "../../resources/user.ts";
import type { CurrencyOn, DatedRate } from "../../store/ledger/exchange-rates.ts";
import type { NamedOperation, WriteOrigin } from "../../store/operations/log.ts";
import { organisationOf, type StoredOrganisation } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { KeyOfApp, Tx } from "../../store/tx/tx.ts";
import { readDay } from "../../wire/dates.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import type { Spooled } from "../../wire/spool.ts";

/** Where daily rates come from, in units of a currency for one of the base currency. */
export interface RateSource {
  /**
   * The latest rate of each that is known on its day or before, in the order asked; undefined where
   * there is none.
   *
   * @param base  the currency of the books, which is never asked for
   * @throws UnavailableError when the source cannot be reached and nothing else is known
   */
  ratesOn(
    tx: Tx,
    base: string,
    wanted: readonly CurrencyOn[],
  ): Promise<readonly (DatedRate | undefined)[]>;
}

/** In whose name history is written of what a book does by itself. */
export const systemUser = "System Generated";

/** The caller: an app, connected to one organisation by a user. */
export interface Principal {
  /** Key of the organisation in the store. */
  readonly org: number;
  /** Its OrganisationID, where it is served to others. */
  readonly tenant?: string;
  /** Client id of the app; records remember which app made them. */
  readonly app: string;
  /** Name of the app, shown as the provider of every answer. */
  readonly appName: string;
  /** Display name of the user; history is written in it. */
  readonly user: string;
  /** The user's own address: the sender of invoice emails. */
  readonly email: string;
  /** False for the standard role without reports: 403 on reports and journals. */
  readonly reports: boolean;
  /** Role of the user in the organisation. */
  readonly role: OrganisationRole;
  /** Scopes of the app; all of them in an embedded book. */
  readonly scopes: ReadonlySet<string> | "all";
}

/** Dependencies from outside, so that a test can replay a year and get the same bytes. */
export interface ServiceDependencies {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** A new GUID, ordered by time. */
  readonly newId: () => string;
  readonly mailer: Mailer;
  /** Absolute address of the API root, without a slash at the end. */
  readonly baseUrl: string;
  /** Begins the addresses where customers see documents online; undefined where nobody serves them. */
  readonly publicUrl: string | undefined;
  /** The store of the directory of its server, and whether other organisations have the same server. */
  readonly server: { readonly store: () => Promise<Store>; readonly ofMany: boolean };
  /** Where exchange rates come from; the book's own table when not given. */
  readonly rates?: RateSource | undefined;
  /** What all requests are part of, and whence the ids of the log come; each its own when not given. */
  readonly operation?: (NamedOperation & Pick<WriteOrigin, "newId">) | undefined;
  /** Aborted when the service is about to end: what waits for something answers at once. */
  readonly stopping?: AbortSignal | undefined;
  readonly planKey: PlanKey;
  /** Counts calls of an app that a request holds. @throws LimitedError where they are too many */
  readonly admit?: ((app: string, calls: number) => Promise<void>) | undefined;
  /** How long one transaction may work, where others wait for it; as long as it takes when not given. */
  readonly bound?: WorkBound | undefined;
}

/** Gives the key that plans are signed with, made when it is first asked for: 256 bits, in base64. */
export type PlanKey = () => Promise<string>;

export interface WorkBound {
  /** Milliseconds, from a clock that is never put back. */
  readonly elapsed: () => number;
  readonly maxMs: number;
}

/** @throws RefusedError `TooMuch`, which says how many of its parts fit */
export type InTime = (done: number, all: number, what: string) => void;

/** Begins to measure. */
export function timed(bound: WorkBound | undefined): InTime {
  const begun = bound?.elapsed() ?? 0;
  return (done, all, what) => {
    if (bound === undefined || bound.elapsed() - begun <= bound.maxMs) return;
    throw new RefusedError(
      "TooMuch",
      `Others wait for the books, so that a request works on them for ${bound.maxMs / 1000} seconds at most: ` +
        `${done} of ${all} ${what} fit. Nothing was done; send fewer at a time.`,
    );
  };
}

/** A request whose body has arrived, and is not a file. */
export interface ReadRequest extends Omit<ServiceRequest, "body"> {
  readonly body?: Uint8Array;
}

/** Answers requests of one caller over dependencies of its own, such as the store of a transaction. */
export type ServeWith = (
  dependencies: ServiceDependencies,
  caller: { readonly principal: Principal; readonly responseId: () => string },
) => Transport;

/** Whether somebody may ask a method of a path. @throws as routing does */
export type Permits = (who: Principal, method: string, path: string) => boolean;

export interface RequestContext extends ServiceDependencies {
  /** For a request that holds others. */
  readonly serveWith: ServeWith;
  readonly request: ReadRequest;
  /** The body of a request whose route takes a file. */
  readonly file: Spooled | undefined;
  readonly principal: Principal;
  readonly query: Query;
  readonly format: "xml" | "json";
  /**
   * The moment of the request, in milliseconds since 1970 UTC: when it came, and from a write on
   * when that held the lock of its organisation, so that of two writes of a record the later one
   * bears the later moment.
   */
  readonly now: () => number;
  /** GUID of the answer, the same whenever it is asked for. */
  readonly responseId: () => string;
  /** Everything is checked and computed, and nothing kept. */
  readonly dryRun: boolean;
  /**
   * Does the one write of a request, whole or not at all. Its answer is remembered in the same
   * transaction when the caller gave an idempotency key, so a repeat gets the first answer.
   */
  write(work: (tx: Tx) => Promise<ServiceResponse>): Promise<ServiceResponse>;
  /**
   * Does one of several writes of a request, each whole or not at all, whose answer is not kept.
   *
   * @param key  the idempotency key whose first answer the work asks for
   */
  writePart<T>(work: (tx: Tx) => Promise<T>, key?: KeyOfApp): Promise<T>;
  readonly permits: Permits;
  /** Whether a path, however it is spelt, is one to which plans are posted. */
  readonly takesPlan: (path: string) => boolean;
  /** To be asked between the parts of a write. */
  readonly inTime: InTime;
  /** The same request within a transaction. @param store  which lasts as long as that */
  within(store: Store): RequestContext;
  /** Reads from one consistent state of the books. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same of text that may be given again under its key while the book is unchanged. */
  readCached(key: string, work: (tx: Tx) => Promise<string>): Promise<string>;
}

const emptyQuery: ReadonlyMap<string, readonly string[]> = new Map();

/** Query parameters by name in any letter case; an empty one counts as not given. */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(parameters: ServiceRequest["query"]) {
    if (parameters.length === 0) {
      this.#values = emptyQuery;
      return;
    }
    const values = new Map<string, string[]>();
    for (const [name, value] of parameters) {
      const key = name.toLowerCase();
      if (value !== "") values.set(key, [...(values.get(key) ?? []), value]);
    }
    this.#values = values;
  }

  /** @throws RefusedError when it is given several times, which only lists may be */
  get(name: string): string | undefined {
    if (this.#values.size === 0) return undefined;
    const [value, another] = this.#values.get(name.toLowerCase()) ?? [];
    if (another !== undefined) {
      throw refusal("Parameter", `The parameter ${name} is given several times; give it once.`);
    }
    return value;
  }

  /** `true`, `True`, `1` are true; `false`, `False`, `0` are false. @throws RefusedError otherwise */
  boolean(name: string): boolean | undefined {
    const value = this.get(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value === "true" || value === "1") return true;
    if (value === "false" || value === "0") return false;
    throw refusal(
      "Parameter",
      `The parameter ${name} must be true or false, not '${this.get(name)}'.`,
    );
  }

  /** @throws RefusedError when it is no whole number from `min` to `max` */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw refusal(
        "Parameter",
        `The parameter ${name} must be a whole number from ${min} to ${max}, not '${value}'.`,
      );
    }
    return number;
  }

  /**
   * A day as `YYYY-MM-DD`, whose month and day may have one digit here: `2026-3-1`.
   *
   * @param orMonth  whether `2026-3` is taken too, for the first day of the month
   * @throws RefusedError when it is no day of the calendar
   */
  day(name: string, { orMonth = false } = {}): string | undefined {
    const text = this.get(name)?.trim() ?? "";
    if (text === "") return undefined;
    const whole = orMonth && /^\d{4}-\d{1,2}$/.test(text) ? `${text}-1` : text;
    const day = readDay(whole.replace(/-(?=\d(?!\d))/g, "-0"));
    if (day !== undefined) return day;
    const wanted = orMonth ? "a date, YYYY-MM-DD, or a month" : "a date, YYYY-MM-DD";
    throw refusal(
      "Parameter",
      `The parameter ${name} must be ${wanted}, not '${text.slice(0, shownMax)}'.`,
    );
  }

  /** @throws RefusedError when it is none of `values`, which are compared in any letter case */
  choice<V extends string>(name: string, values: readonly V[]): V | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const known = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (known === undefined) {
      throw refusal(
        "Parameter",
        `The parameter ${name} must be one of ${values.join(", ")}, not '${value}'.`,
      );
    }
    return known;
  }

  /**
   * Entries of comma-separated lists, of all where it is repeated: trimmed, without the quotes
   * within which an entry may hold commas, empty ones left out; undefined when not given.
   */
  list(name: string): readonly string[] | undefined {
    const entries = this.#values.get(name.toLowerCase())?.flatMap(entriesOf);
    const given = entries?.filter((entry) => entry !== "");
    if (given !== undefined && given.length > listEntriesMax) {
      throw refusal("Parameter", `The parameter ${name} takes at most ${listEntriesMax} entries.`);
    }
    return given;
  }
}

const listEntriesMax = 10_000;

/** An entry in quotes, of which two stand for one inside, or one up to the next comma. */
const entryPattern = /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^,]*))\s*(?:,|$)/y;

function entriesOf(list: string): string[] {
  const entries: string[] = [];
  for (let at = 0; at < list.length; at = entryPattern.lastIndex) {
    entryPattern.lastIndex = at;
    const [, double, single, bare = ""] = entryPattern.exec(list) ?? [];
    entries.push(double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? bare.trim());
  }
  return entries;
}
/** Most characters of a value that a message shows. */
const shownMax = 60;

/**
 * Digits of unit amounts in this request: 4 with `unitdp=4` and where they always are. Any other
 * value means 2, as clients send 0, 1 and 3.
 */
export function unitDecimals(call: RequestContext, resource: Resource): 2 | 4 {
  if (resource.unitdp === "always") return 4;
  if (resource.unitdp !== true) return 2;
  return call.query.get("unitdp")?.trim() === "4" ? 4 : 2;
}

/** The organisation and the day it is there now. */
export interface OrganisationContext {
  readonly organisation: StoredOrganisation;
  /** `YYYY-MM-DD` in the organisation's time zone. */
  readonly today: string;
}

export async function organisationContext(
  call: RequestContext,
  tx: Tx,
): Promise<OrganisationContext> {
  const organisation = await organisationOf(tx);
  return { organisation, today: today(call.now(), organisation.Timezone) };
}
