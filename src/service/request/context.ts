/** The context of a request: caller, route, time and data access. */

import { dayIn } from "../../ledger/dates/timezones.ts";
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
import type { SpooledFile } from "../../wire/spool.ts";

/** A source of daily exchange rates, in units of a currency per unit of the base currency. */
export interface RateSource {
  /**
   * Returns, in the order of the input, the latest exchange rate known on or before each day;
   * undefined where there is none.
   *
   * @param baseCurrency  the base currency, which is never looked up
   * @throws UnavailableError when the source fails and nothing else is known
   */
  ratesOn(
    tx: Tx,
    baseCurrency: string,
    pairs: readonly CurrencyOn[],
  ): Promise<readonly (DatedRate | undefined)[]>;
}

/** The user named in histories for changes by a book's own jobs. */
export const systemUser = "System Generated";

/** The authenticated caller: an app that a user connected to one organisation. */
export interface Principal {
  /** Key of the organisation in the store. */
  readonly org: number;
  /** OrganisationID, for a served book. */
  readonly tenant?: string;
  /** Client id of the app; records store the app that made them. */
  readonly app: string;
  /** Name of the app, shown as the provider of every answer. */
  readonly appName: string;
  /** Display name of the user, as in histories. */
  readonly user: string;
  /** The user's own address: the sender of invoice emails. */
  readonly email: string;
  /** Whether a person is signed in, and no app works by itself or with a token of the owner. */
  readonly isPerson?: true;
  /** Whether the app is an agent. */
  readonly isAgent?: true;
  /** Whether the user may see reports and journals; false gives 403. */
  readonly reports: boolean;
  /** Role of the user in the organisation. */
  readonly role: OrganisationRole;
  /** OAuth scopes of the app; `all` in an embedded book. */
  readonly scopes: ReadonlySet<string> | "all";
}

/** External dependencies, injected so that a test can replay a year with identical bytes. */
export interface ServiceDependencies {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Returns a new GUID, ordered by time. */
  readonly newId: () => string;
  readonly mailer: Mailer;
  /** Base URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Base URL of online documents for customers; undefined where no server publishes them. */
  readonly publicUrl: string | undefined;
  /** The store of the server's directory, and whether the server has several organisations. */
  readonly server: { readonly store: () => Promise<Store>; readonly isOfMany: boolean };
  /** Source of exchange rates; the book's own table if omitted. */
  readonly rates?: RateSource | undefined;
  /** Whether the requests are those of a plan, which was checked against the policy as a whole. */
  readonly inPlan?: boolean;
  /**
   * The operation that all requests belong to, and the id source of the log; by default one
   * operation per request.
   */
  readonly operation?: (NamedOperation & Pick<WriteOrigin, "newId">) | undefined;
  /** Aborted when the service shuts down: waiting requests answer at once. */
  readonly stopping?: AbortSignal | undefined;
  readonly planKey: PlanKey;
  /**
   * Counts calls within a request for the rate limit.
   *
   * @throws LimitedError when there are too many
   */
  readonly admit?: ((app: string, callCount: number) => Promise<void>) | undefined;
  /** Time limit of a transaction that others wait for; unlimited if omitted. */
  readonly bound?: WorkBound | undefined;
  /** Whether a condition refuses a text where a date belongs, as the public cloud does. */
  readonly strictDates?: boolean | undefined;
  /**
   * Makes contacts of these names, within a write of documents that name them. Without it such a
   * document is refused.
   */
  readonly makeContacts?:
    | ((writing: WriteContext, names: readonly string[]) => Promise<void>)
    | undefined;
}

/** A write under way. */
export interface WriteContext {
  readonly call: RequestContext;
  readonly tx: Tx;
}

/** Returns the key that signs plans, created at first use: 256 bits, in base64. */
export type PlanKey = () => Promise<string>;

export interface WorkBound {
  /** Monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  readonly maxMs: number;
}

/** Checks the time limit. @throws RefusedError `TooMuch`, which says how many parts fit */
export type InTime = (doneCount: number, allCount: number, noun: string) => void;

/** Starts the time limit of a transaction. */
export function startTimeLimit(bound: WorkBound | undefined): InTime {
  const startedAt = bound?.elapsed() ?? 0;
  return (doneCount, allCount, noun) => {
    if (bound === undefined || bound.elapsed() - startedAt <= bound.maxMs) return;
    throw new RefusedError(
      "TooMuch",
      `Others wait for the books, so that a request works on them for ${bound.maxMs / 1000} seconds at most: ` +
        `${doneCount} of ${allCount} ${noun} fit. Nothing was done; send fewer at a time.`,
    );
  };
}

/** A request whose body was received, unless it is a file. */
export interface ReadRequest extends Omit<ServiceRequest, "body"> {
  readonly body?: Uint8Array;
}

/** Returns a service for one caller with other dependencies, such as the store of a transaction. */
export type ServeWith = (
  dependencies: ServiceDependencies,
  caller: { readonly principal: Principal; readonly responseId: () => string },
) => Transport;

/** A route as far as plans look at it. */
interface ReachedRoute {
  readonly method: string;
  readonly path: string;
  readonly resource?: Resource;
  readonly answers?: unknown;
}

/** Whether a caller is permitted a method on a path. @throws as routing does */
export type Permits = (principal: Principal, method: string, path: string) => boolean;

export interface RequestContext extends ServiceDependencies {
  /** Makes the service for requests within this request. */
  readonly serveWith: ServeWith;
  readonly request: ReadRequest;
  /** The body of a request to a route that takes a file. */
  readonly file: SpooledFile | undefined;
  readonly principal: Principal;
  readonly query: Query;
  readonly format: "xml" | "json";
  /**
   * Time of the request in milliseconds since 1970 UTC: its arrival, or for a write the time it got
   * the lock of the organisation, so that the later of two writes of a record has the later time.
   */
  readonly now: () => number;
  /** Returns the GUID of the answer, always the same. */
  readonly responseId: () => string;
  /** Whether to validate and compute everything without saving. */
  readonly dryRun: boolean;
  /**
   * Runs the single write transaction of a request. With an idempotency key, the response is stored
   * in the same transaction, so that a repeat gets the first response.
   */
  write(action: (tx: Tx) => Promise<ServiceResponse>): Promise<ServiceResponse>;
  /**
   * Runs one of several write transactions of a request, without storing a response.
   *
   * @param key  idempotency key whose first response the work reads
   */
  writePart<T>(action: (tx: Tx) => Promise<T>, key?: KeyOfApp): Promise<T>;
  readonly permits: Permits;
  /** Returns the route of a method on a path, in any spelling; undefined where there is none. */
  readonly routeAt: (method: string, path: string) => ReachedRoute | undefined;
  /** Checks the time limit; to be called between the parts of a write. */
  readonly inTime: InTime;
  /**
   * Returns the same request within a transaction.
   *
   * @param store  lasts as long as the transaction
   */
  within(store: Store): RequestContext;
  /** Reads in one consistent snapshot of the book. */
  read<T>(action: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `read`, for a text that is cached under its key while the book is unchanged. */
  readCached(key: string, action: (tx: Tx) => Promise<string>): Promise<string>;
}

const emptyQuery: ReadonlyMap<string, readonly string[]> = new Map();

/** Query parameters by name in any letter case; an empty value counts as missing. */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(parameters: ServiceRequest["query"]) {
    if (parameters.length === 0) {
      this.#values = emptyQuery;
      return;
    }
    const valuesByName = new Map<string, string[]>();
    for (const [name, value] of parameters) {
      const key = name.toLowerCase();
      valuesByName.set(key, [...(valuesByName.get(key) ?? []), value]);
    }
    this.#values = valuesByName;
  }

  #given(name: string): readonly string[] {
    return this.#values.get(name.toLowerCase())?.filter((value) => value !== "") ?? [];
  }

  /** Whether a parameter is given without a value. */
  isEmpty(name: string): boolean {
    return this.#values.has(name.toLowerCase()) && this.#given(name).length === 0;
  }

  /** Returns a value. @throws RefusedError when it is repeated, which only lists may be */
  get(name: string): string | undefined {
    if (this.#values.size === 0) return undefined;
    const [value, another] = this.#given(name);
    if (another !== undefined) {
      throw refusal("Parameter", `The parameter ${name} is given several times; give it once.`);
    }
    return value;
  }

  /**
   * Parses a boolean: `true`, `True`, `1`, or `false`, `False`, `0`.
   *
   * @throws RefusedError otherwise
   */
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

  /** Parses an integer. @throws RefusedError when it is not from `min` to `max` */
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
   * Parses a day `YYYY-MM-DD`, whose month and day may have one digit: `2026-3-1`.
   *
   * @param orMonth  whether `2026-3` is accepted for the first day of the month
   * @throws RefusedError when it is no calendar day
   */
  day(name: string, { orMonth = false } = {}): string | undefined {
    const text = this.get(name)?.trim() ?? "";
    if (text === "") return undefined;
    const wholeDate = orMonth && /^\d{4}-\d{1,2}$/.test(text) ? `${text}-1` : text;
    const day = readDay(wholeDate.replace(/-(?=\d(?!\d))/g, "-0"));
    if (day !== undefined) return day;
    const wantedForm = orMonth ? "a date, YYYY-MM-DD, or a month" : "a date, YYYY-MM-DD";
    throw refusal(
      "Parameter",
      `The parameter ${name} must be ${wantedForm}, not '${text.slice(0, shownMax)}'.`,
    );
  }

  /** Returns one of `values`, compared in any letter case. @throws RefusedError for others */
  choice<V extends string>(name: string, values: readonly V[]): V | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const match = values.find((choice) => choice.toLowerCase() === value.toLowerCase());
    if (match === undefined) {
      throw refusal(
        "Parameter",
        `The parameter ${name} must be one of ${values.join(", ")}, not '${value}'.`,
      );
    }
    return match;
  }

  /**
   * Parses comma-separated lists, all of them if repeated. Entries are trimmed, may be quoted to
   * contain commas, and are dropped if empty; undefined when missing.
   */
  list(name: string): readonly string[] | undefined {
    const givenTexts = this.#given(name);
    if (givenTexts.length === 0) return undefined;
    const filledEntries = givenTexts.flatMap(entriesOf).filter((entry) => entry !== "");
    if (filledEntries.length > listEntriesMax) {
      throw refusal("Parameter", `The parameter ${name} takes at most ${listEntriesMax} entries.`);
    }
    return filledEntries;
  }
}

const listEntriesMax = 10_000;

/** Pattern of a list entry: in quotes, which are doubled inside, or up to the next comma. */
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
/** Maximum length of a value shown in a message. */
const shownMax = 60;

/**
 * Returns the decimals of unit amounts: 4 with `unitdp=4` or for resources that always have 4. Any
 * other value means 2, since clients send 0, 1 and 3.
 */
export function unitDecimalsOf(call: RequestContext, resource: Resource): 2 | 4 {
  if (resource.unitdp === "always") return 4;
  if (resource.unitdp !== true) return 2;
  return call.query.get("unitdp")?.trim() === "4" ? 4 : 2;
}

/** The organisation and its current local date. */
export interface OrganisationContext {
  readonly organisation: StoredOrganisation;
  /** Today as `YYYY-MM-DD` in the organisation's time zone. */
  readonly today: string;
}

export async function organisationContext(
  call: RequestContext,
  tx: Tx,
): Promise<OrganisationContext> {
  const organisation = await organisationOf(tx);
  return { organisation, today: dayIn(call.now(), organisation.Timezone) };
}
