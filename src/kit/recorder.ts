/** The last requests of a test: what was sent, what was answered, why, and what it wrote. */
import { AcctError, type Detail, RefusedError } from "../resources/errors.ts";
import type { Book } from "../service/books/book.ts";
import { sequenceOf } from "../store/chain/sequences.ts";
import { journalSequence } from "../store/ledger/journals.ts";
import { journalsOf } from "../store/ledger/record-journals.ts";
import type { Effects } from "../store/operations/effects.ts";
import { type LoggedRequest, requestsAfter } from "../store/operations/log.ts";
import { type Chunks, isChunks } from "../wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import type { RefusalReason, RequestFilter, RequestRecord } from "./face.ts";

const keptMax = 1000;
const keptBytesMax = 64 * 1024 * 1024;
const textual = /json|xml|text|urlencoded/;
const secretHeaders = new Set(["authorization", "cookie", "proxy-authorization", "x-acct-test"]);

export interface RecorderOptions {
  readonly clock: () => number;
  /** Runs work on the book of an organisation. */
  readonly use: <T>(tenant: string, action: (book: Book) => Promise<T>) => Promise<T>;
}

/** How far the log and the journals of an organisation went. */
interface Mark {
  readonly operation: number;
  readonly journal: number;
}

/** LogMarks by OrganisationID, kept with a state. */
export type LogMarks = ReadonlyMap<string, Mark>;

/** What is known of an organisation: no journal is reported twice. */
interface KnownLog {
  operation: number;
  readonly journalBefore: number;
  readonly reportedJournals: Set<number>;
  /** Operations that no request was matched with yet. */
  readonly waiting: LoggedRequest[];
  reading: Promise<unknown>;
}

type WrittenByRequest = Pick<RequestRecord, "ids" | "journals">;

const nothingWritten: WrittenByRequest = { ids: [], journals: [] };

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #known = new Map<string, KnownLog>();
  #kept: RequestRecord[] = [];
  #bytes = 0;
  #last = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Follows organisations from where they are. */
  async follow(tenants: readonly string[]): Promise<LogMarks> {
    const marksByTenant = new Map<string, Mark>();
    for (const tenant of tenants) {
      const lastOperation = this.#known.get(tenant)?.operation ?? 0;
      const mark = await this.#options.use(tenant, ({ store, org }) =>
        store.read(org, async (tx) => ({
          operation: (await requestsAfter(tx, lastOperation)).at(-1)?.number ?? lastOperation,
          journal: await sequenceOf(tx, journalSequence("accrual")),
        })),
      );
      marksByTenant.set(tenant, mark);
    }
    this.#resume(marksByTenant);
    return marksByTenant;
  }

  /** Forgets all requests, and follows organisations from the marks that they were restored to. */
  restore(logMarks: LogMarks): void {
    this.#kept = [];
    this.#bytes = 0;
    this.#resume(logMarks);
  }

  #resume(logMarks: LogMarks): void {
    this.#known.clear();
    for (const [tenant, { operation, journal }] of logMarks) {
      const knownLog = {
        operation,
        journalBefore: journal,
        reportedJournals: new Set<number>(),
        waiting: [],
      };
      this.#known.set(tenant, { ...knownLog, reading: Promise.resolve() });
    }
  }

  /** Records the requests to a service. */
  around(transport: Transport): Transport {
    return async (request) => {
      const began = performance.now();
      const at = new Date(this.#options.clock()).toISOString();
      const parts: Uint8Array[] = [];
      const { body } = request;
      if (body !== undefined && !isChunks(body)) parts.push(body);
      const sentRequest = isChunks(body) ? { ...request, body: notedBody(body, parts) } : request;
      let answer: ServiceResponse | undefined;
      try {
        answer = await transport(sentRequest);
        return answer;
      } finally {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        const body = Buffer.concat(parts);
        this.#keep({ ...(await this.#recordOf(request, body, answer)), at, ms });
      }
    };
  }

  list({ method, path, since = 0 }: RequestFilter): readonly RequestRecord[] {
    return this.#kept.filter(
      (requestRecord) =>
        requestRecord.number > Number(since) &&
        (method === undefined || requestRecord.method === method.toUpperCase()) &&
        (path === undefined || path === requestRecord.path || path === requestRecord.route),
    );
  }

  async #recordOf(
    { method, path, query, headers, info }: ServiceRequest,
    body: Buffer,
    answer: ServiceResponse | undefined,
  ): Promise<Omit<RequestRecord, "at" | "ms">> {
    const tenant = info?.organisation;
    const isWrite = method !== "GET" && info?.error === undefined;
    const known = tenant === undefined || !isWrite ? undefined : this.#known.get(tenant);
    const written = known && (await this.#writtenBy(known, tenant ?? "", { method, path }, info));
    this.#last += 1;
    return {
      number: this.#last,
      app: info?.app,
      person: info?.user,
      tenant,
      method,
      path,
      route: info?.route,
      query,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !secretHeaders.has(name)),
      ),
      body: body.length > 0 && isText(headers) ? body.toString() : undefined,
      status: answer?.status ?? 0,
      answer:
        answer === undefined || isChunks(answer.body) || !isText(answer.headers)
          ? undefined
          : answer.body.toString(),
      why: reasonsOf(info?.error),
      ...(written ?? nothingWritten),
    };
  }

  /** Reads what the log of operations gained, one reading after the other. */
  async #writtenBy(
    knownLog: KnownLog,
    tenant: string,
    { method, path }: Pick<ServiceRequest, "method" | "path">,
    info: ServiceRequest["info"],
  ): Promise<WrittenByRequest> {
    const read = knownLog.reading.then(() =>
      this.#options.use(tenant, ({ store, org }) =>
        store.read(org, async (tx) => {
          knownLog.waiting.push(...(await requestsAfter(tx, knownLog.operation)));
          knownLog.operation = knownLog.waiting.at(-1)?.number ?? knownLog.operation;
          const at = knownLog.waiting.findIndex(
            (each) => each.method === method && each.path === path && each.app === info?.app,
          );
          const [own] = at < 0 ? [] : knownLog.waiting.splice(at, 1);
          if (own === undefined) return nothingWritten;
          const ids = idsIn(own.effects);
          const journals = (await journalsOf(tx, "source", ids, "accrual"))
            .map(({ number }) => number)
            .filter(
              (number) => number > knownLog.journalBefore && !knownLog.reportedJournals.has(number),
            );
          for (const number of journals) knownLog.reportedJournals.add(number);
          return { ids, journals };
        }),
      ),
    );
    knownLog.reading = read.catch(() => undefined);
    return read;
  }

  #keep(record: RequestRecord): void {
    this.#kept.push(record);
    this.#bytes += sizeOf(record);
    while (this.#kept.length > keptMax || this.#bytes > keptBytesMax) {
      this.#bytes -= sizeOf(this.#kept.shift() as RequestRecord);
    }
  }
}

async function* notedBody(body: Chunks, parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    parts.push(chunk);
    yield chunk;
  }
}

const isText = (headers: Readonly<Record<string, string>>) =>
  textual.test(headers["content-type"] ?? "");

const sizeOf = ({ body = "", answer = "" }: RequestRecord) => body.length + answer.length;

function reasonsOf(error: unknown): readonly RefusalReason[] {
  if (error === undefined) return [];
  const { message } = error as Error;
  const faults = error instanceof RefusedError ? error.faults : [];
  const details = error instanceof AcctError ? error.details : [];
  const reasons = faults.length > 0 ? faults : details.length > 0 ? details : [{ message }];
  return reasons.map(({ message, rule, field }: Detail) => ({ rule, field, message }));
}

function idsIn({ records }: Effects): string[] {
  const ids = Object.values(records).flatMap(({ created = [], touched = [], ...former }) => [
    ...created,
    ...touched,
    ...Object.values(former).flatMap((each) => Object.keys(each)),
  ]);
  return [...new Set(ids)];
}
