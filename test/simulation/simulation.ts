/** A run of the simulation: a book, two servers of it, clients and a subscriber, taken through steps. */
import { setTimeout as sleep } from "node:timers/promises";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { retrying } from "../../src/client/transport/retry.ts";
import { type Book, createBookIn, openBook } from "../../src/service/books/book.ts";
import { dueWebhooks } from "../../src/store/outbox/webhooks.ts";
import { openStore } from "../../src/store/store.ts";
import { textOf } from "../../src/wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../src/wire/http.ts";
import { type Business, opened, take } from "../service/business.ts";
import { asking, type Json, type World } from "../service/fixture.ts";
import { Acknowledged } from "./acknowledged.ts";
import { Clock } from "./clock.ts";
import { runCommand } from "./commands.ts";
import type { Database, Databases } from "./databases.ts";
import { type DiskFault, errno } from "./disk.ts";
import { Invariants } from "./invariants.ts";
import { receiver, startProgram } from "./processes.ts";
import { type Server, startServer, who } from "./server.ts";
import type { Client, Fate, Step } from "./steps.ts";
import { Subscriber, subscribe } from "./webhooks.ts";

/** What broke, and at which step. */
export class InvariantError extends Error {}

const minuteMs = 60_000;
const longMs = 30 * minuteMs;
/** How long the first answer to a key is given again; a little less than the service keeps it. */
const repeatMs = 5 * minuteMs;
/** Sendings of one request, of which each but the last met a fault. */
const triesMax = 20;
/** How often, and how long at a time, programs are waited for to deliver what waits. */
const waitsMax = 1200;
const waitMs = 50;
const timeZone = "Pacific/Auckland";

export class Simulation {
  readonly database: Database;
  readonly clock: Clock;
  readonly acknowledged = new Acknowledged();
  readonly subscriber = new Subscriber();
  /** Reads past the servers, and meets no fault. */
  checker: Book;
  readonly bugs: unknown[] = [];
  readonly faults: string[] = [];
  readonly #asPrograms: Programs | undefined;
  readonly #servers: Server[] = [];
  readonly #starting: Promise<Server>[] = [];
  readonly #business: Omit<Business, "given">;
  readonly #invariants: Invariants;
  #diskFault: DiskFault | undefined;
  #fate: Fate = "answer";
  #metBefore = 0;
  readonly #failedBefore: number;
  #keys = 0;
  #step = 0;

  private constructor(
    database: Database,
    clock: Clock,
    checker: Book,
    { business, rates }: Pick<Prepared, "business" | "rates">,
    asPrograms: Programs | undefined,
  ) {
    this.database = database;
    this.clock = clock;
    this.checker = checker;
    this.#business = structuredClone(business);
    this.#invariants = new Invariants(rates);
    this.#asPrograms = asPrograms;
    this.#failedBefore = database.disk?.get("failed") ?? 0;
  }

  /** @param asPrograms  servers and command lines are programs of their own */
  static async open(databases: Databases, asPrograms: boolean): Promise<Simulation> {
    const prepared = await preparedIn(databases);
    const database = await databases.copy();
    const clock = new Clock(asPrograms);
    clock.now = prepared.now;
    clock.newIds();
    const programs = asPrograms ? { token: await tokenOf(database.place) } : undefined;
    const checker = await openBook(database.place, { clock: clock.read });
    const made = new Simulation(database, clock, checker, prepared, programs);
    Object.assign(prepared.deliveries, {
      take: (body: string) => made.subscriber.receive(body, made.#nextFate()),
    });
    await made.subscriber.begin(checker.store, checker.org);
    await made.#invariants.begin(made);
    return made;
  }

  /** Faults that have struck: of the network, of stores and disks, and deaths. */
  get faultsMet(): number {
    const { disk } = this.database;
    const met = this.#servers.reduce((all, server) => all + (server?.met() ?? 0), this.#metBefore);
    return met + (disk?.get("failed") ?? 0) - this.#failedBefore;
  }

  async close(): Promise<void> {
    this.database.disk?.set({});
    for (const server of this.#servers.filter(Boolean)) await server.stop();
    await this.checker.close();
    await this.database.remove();
  }

  /** A server, started where it is not running. */
  async server(asked: 0 | 1): Promise<Server> {
    // A file has one program that serves it.
    const at = this.#asPrograms !== undefined && this.database.folder !== undefined ? 0 : asked;
    const known = this.#servers[at];
    if (known !== undefined && !known.isDead()) return known;
    // Several clients may find it dead at the same time.
    this.#starting[at] ??= this.#start(at);
    return this.#starting[at];
  }

  async #start(at: 0 | 1): Promise<Server> {
    await this.#servers[at]?.stop(true);
    this.#metBefore += this.#servers[at]?.met() ?? 0;
    const { checker: book, database } = this;
    const token = this.#asPrograms?.token;
    const start = () =>
      token === undefined
        ? startServer(database, this.clock, (error) => this.bugs.push(error))
        : startProgram(database, { at, book, token });
    // Where it does not start, it does when there is room again.
    const started = await start().catch((error: unknown) => {
      if (database.disk === undefined) throw error;
      database.disk.set({});
      return start();
    });
    this.#servers[at] = started;
    delete this.#starting[at];
    return started;
  }

  get running(): readonly Server[] {
    return this.#servers.filter((each) => each?.isDead() === false);
  }

  /** Takes a step and checks what must hold after it. @throws InvariantError */
  async take(step: Step): Promise<void> {
    this.#step += 1;
    this.clock.now += 1;
    const { disk } = this.database;
    const fault = this.#diskFault;
    this.#diskFault = undefined;
    if (fault !== undefined) disk?.set(fault);
    await this.#do(step);
    disk?.set({});
    for (const server of this.running) await server.deliverLate();
    await this.subscriber.observe(this.checker.store, this.checker.org, this.#step);
    await this.check();
  }

  async check(): Promise<void> {
    const found = await this.#invariants.check(this, this.#step);
    const bugs = this.bugs.map((error) => `A bug was reported: ${(error as Error).stack ?? error}`);
    const all = [...this.faults, ...bugs, ...found];
    if (all.length > 0) throw new InvariantError(all.join("\n"));
  }

  /** Delivers until nothing waits, and checks that all was told. @throws InvariantError */
  async finish(): Promise<void> {
    await this.#deliverAll();
    await this.check();
  }

  async #deliverAll(): Promise<void> {
    this.database.disk?.set({});
    const server = await this.server(0);
    server.disarm();
    this.#fate = "answer";
    for (let times = 0; this.#asPrograms !== undefined; times += 1) {
      const { store, org } = this.checker;
      if ((await store.read(org, dueWebhooks)).length === 0) break;
      if (times > waitsMax) throw new InvariantError("Deliveries still wait after a minute.");
      await sleep(waitMs);
    }
    while (this.#asPrograms === undefined) {
      const next = await this.subscriber.deliver(server, this.clock, "answer");
      if (next === undefined) break;
      this.clock.now = Math.max(this.clock.now, next);
    }
    this.faults.push(...this.subscriber.complete());
  }

  /** What becomes of the next delivery; those after it are taken. */
  #nextFate(): Fate {
    const fate = this.#fate;
    this.#fate = "answer";
    return fate;
  }

  get isOfPrograms(): boolean {
    return this.#asPrograms !== undefined;
  }

  /** By which command lines are let in over a port. */
  get token(): string {
    return this.#asPrograms?.token ?? "token";
  }

  /** Has time go by; a subscriber that has taken nothing for a day would be told no more. */
  async #goTo(at: number): Promise<void> {
    if (this.clock.isReal) return;
    if (at - this.clock.now > longMs) await this.#deliverAll();
    this.clock.now = Math.max(this.clock.now, at);
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case "business":
        return void (await take(await this.#businessOf(step.client), step.step, this.#today()));
      case "together": {
        const asked = [];
        for (const { client, step: each } of step.asked) {
          asked.push({ business: await this.#businessOf(client), each });
        }
        const today = this.#today();
        return void (await Promise.all(
          asked.map(({ business, each }) => take(business, each, today)),
        ));
      }
      case "midnight":
        return this.#sellAtMidnight(step.client, step.isAfter);
      case "statement":
        return this.#importStatement(step.client, step.lines);
      case "reconcile": {
        const given = await this.#clientOf(step.client);
        const path = "/Extensions/BankStatementLines/Reconcile";
        return void (await given.ask("POST", path, undefined, { query: { account: "090" } }));
      }
      case "repeat":
        return this.#repeat(step.client, step.which);
      case "command":
        return runCommand(this, step, `S-${this.#step}`);
      case "deliver":
        return this.#deliver(step);
      case "wait":
        return this.#goTo(this.clock.now + step.minutes * minuteMs);
      case "network fault":
        (await this.server(step.server)).network.push(step.fault);
        return;
      case "store fault":
        if (this.#asPrograms !== undefined && this.database.disk !== undefined) {
          // Whichever program comes first to that call dies of it.
          // A small write makes a few calls, an import thousands.
          const calls = step.after < 25 ? 1 + (step.after % 10) : 8 * step.after;
          const killAt = this.database.disk.get("calls") + calls;
          if (step.fault !== "busy") this.#diskFault = { killAt };
          return;
        }
        (await this.server(step.server)).arm(step.fault, step.after);
        return;
      case "disk fault":
        return this.#breakDisk(step);
      case "restart": {
        const server = await this.server(step.server);
        return server.stop(step.isKilled);
      }
      case "restart the database":
        return this.database.restart();
    }
  }

  /** What is wrong with the disk is so during the next step; where it cannot be told, a store is. */
  async #breakDisk({ fault, after }: Extract<Step, { does: "disk fault" }>): Promise<void> {
    const { disk } = this.database;
    if (disk === undefined) return (await this.server(0)).arm("full", after);
    const call = disk.get("calls") + Math.ceil(1.07 ** after);
    this.#diskFault = {
      // Anything from a byte to what the largest book takes.
      full: { bytesMax: disk.get("bytes") + Math.ceil(1.2 ** after) },
      failing: { callFrom: call, error: errno.EIO },
      "failing to sync": { syncFrom: disk.get("syncs") + 1 + (after % 8) },
      "read-only": { callFrom: call, error: errno.EROFS },
      short: { short: 1 },
    }[fault];
  }

  /** How many faults a server has met. */
  met(server: Server): number {
    return server.met() + (this.database.disk?.get("failed") ?? 0);
  }

  /** The day in the organisation. */
  #today(at = this.clock.now): string {
    return new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
  }

  async #businessOf(client: Client): Promise<Business> {
    return { ...this.#business, given: await this.#clientOf(client) };
  }

  /** The book as a client sees it. */
  async #clientOf(client: Client): Promise<World> {
    await this.server(client.server);
    const { clock } = this;
    const handle: Transport = async (request) => {
      const answer = await this.answered(client, request);
      return { ...answer, body: await textOf(answer.body) };
    };
    return asking({
      book: { ...this.checker, handle },
      mail: [],
      bugs: this.bugs,
      get now() {
        return clock.now;
      },
      set now(at) {
        clock.now = at;
      },
    });
  }

  /** Sends a request, a write under a key, until it is answered. */
  async answered(client: Client, plain: ServiceRequest): Promise<ServiceResponse> {
    const isWrite = plain.method !== "GET";
    this.#keys += 1;
    const key = { "idempotency-key": `key ${this.#keys}` };
    const request = isWrite ? { ...plain, headers: { ...plain.headers, ...key } } : plain;
    const answer = await this.sent(client, request);
    if (isWrite) {
      const { status } = answer;
      const text = await textOf(answer.body);
      this.acknowledged.note({ request, status, text, at: this.clock.now });
      return { ...answer, body: text };
    }
    return answer;
  }

  /** Sends a request as often as it takes. */
  async sent({ server: at, via }: Client, request: ServiceRequest): Promise<ServiceResponse> {
    for (let tries = 1; ; tries += 1) {
      const server = await this.server(at);
      const met = this.met(server);
      const transport = retrying(via === "port" ? server.overPort : server.inProcess, {
        sleep: async () => undefined,
        random: () => 0.5,
      });
      const said = await transport(request).catch((error: Error) => error);
      const name = `${request.method} ${request.path}`;
      if (!(said instanceof Error)) {
        const { status, headers } = said;
        if (status === 500 && headers["x-chaos"] === undefined && !server.isDead()) {
          this.faults.push(`${name} was answered 500.`);
          return said;
        }
        const isTroubled = status >= 500 || status === 429 || headers["x-chaos"] !== undefined;
        if (!isTroubled || (status === 200 && headers["x-chaos"] !== undefined)) return said;
      }
      const hasMet = met !== this.met(server) || server.isDead();
      // Somebody has made room.
      if (hasMet) this.database.disk?.set({});
      else {
        const what = said instanceof Error ? said.message : `it was answered ${said.status}`;
        this.faults.push(`${name} did not go through, and nothing was in the way: ${what}`);
        return said instanceof Error ? { status: 503, headers: {}, body: "" } : said;
      }
      if (tries === triesMax) throw new InvariantError(`${name} was sent ${tries} times in vain.`);
    }
  }

  async #sellAtMidnight(client: Client, isAfter: boolean): Promise<void> {
    if (this.clock.isReal) return;
    const day = this.#today();
    // To the minute before the day changes, or to that after.
    let at = this.clock.now - (this.clock.now % minuteMs);
    while (this.#today(at + minuteMs) === day) at += minuteMs;
    await this.#goTo(isAfter ? at + minuteMs : at);
    const given = await this.#clientOf(client);
    const [party] = this.#business.parties;
    const line = { Description: "Work", Quantity: 1, UnitAmount: 80, AccountCode: "200" };
    const sale = { Type: "ACCREC", Contact: { ContactID: party.ContactID }, LineItems: [line] };
    const { status, json } = await given.ask("PUT", "/Invoices", sale);
    const wanted = this.#today();
    const [{ DateString = "" } = {}] = status === 200 ? json.Invoices : [];
    if (status === 200 && !DateString.startsWith(wanted)) {
      this.faults.push(`A sale of ${wanted} is of ${DateString}.`);
    }
  }

  async #importStatement(client: Client, lines: readonly number[]): Promise<void> {
    const given = await this.#clientOf(client);
    const sent = lines.map((cents, at) => ({
      Key: `${this.#step} ${at}`,
      Date: this.#today(),
      Amount: cents === 0 ? 1 : cents * 2.5,
      Payee: "Own",
    }));
    const statement = { BankAccount: { Code: "090" }, StatementLines: sent };
    const { status } = await given.ask("PUT", "/Extensions/BankStatements", statement);
    if (status !== 200) return;
    for (const { Key } of sent) this.acknowledged.statementLines.add(Key);
  }

  async #repeat(client: Client, which: number): Promise<void> {
    const { clock, acknowledged } = this;
    const known = acknowledged.answered.filter(({ at }) => at > clock.now - repeatMs);
    const first = known[which % Math.max(1, known.length)];
    if (first === undefined) return;
    const { status, body } = await this.sent(client, first.request);
    const text = await textOf(body);
    if (status === first.status && (status !== 200 || text === first.text)) return;
    const { method, path } = first.request;
    this.faults.push(`${method} ${path} was answered otherwise when it came again: ${text}`);
    acknowledged.noteIds(text);
  }

  async #deliver({ server: at, fate }: Extract<Step, { does: "deliver" }>): Promise<void> {
    const server = await this.server(at);
    if (this.#asPrograms !== undefined) {
      this.#fate = fate;
      return;
    }
    const met = this.met(server);
    try {
      const next = await this.subscriber.deliver(server, this.clock, fate);
      const isComplete = fate === "answer" && next === undefined;
      if (isComplete) this.faults.push(...this.subscriber.complete());
    } catch (error) {
      if (met === this.met(server)) throw error;
    }
  }
}

interface Prepared {
  readonly business: Omit<Business, "given">;
  readonly rates: ReadonlyMap<string, number>;
  readonly now: number;
  /** Who takes deliveries over a port. */
  readonly deliveries: { take(body: string): number | undefined };
}

interface Programs {
  readonly token: string;
}

async function tokenOf(place: string): Promise<string> {
  return (await issueToken({ path: place, clock: Date.now, operator: who }, "Till")).token;
}

const prepared = new WeakMap<Databases, Promise<Prepared>>();

/** A book that is open for business, of which each run has a copy. */
function preparedIn(databases: Databases): Promise<Prepared> {
  const known = prepared.get(databases) ?? prepare(databases);
  prepared.set(databases, known);
  return known;
}

async function prepare(databases: Databases): Promise<Prepared> {
  const database = await databases.fresh();
  const clock = new Clock();
  const store = await openStore(database.dialect());
  const described = { name: "Heron Lane Ltd", country: "NZ", demo: true } as const;
  const options = { clock: clock.read, newId: clock.newIds(), ...who };
  const book = await createBookIn(store, described, options, database.place);
  const given = asking({ book, mail: [], bugs: [], now: clock.now });
  const { given: _, ...business } = await opened(given);
  const found: Json[] = (await given.ok("GET", "/TaxRates")).TaxRates;
  const rates = new Map(found.map((each) => [each.TaxType, each.EffectiveRate]));
  const deliveries: Prepared["deliveries"] = { take: () => 200 };
  await subscribe(book, await receiver((body) => deliveries.take(body)));
  await store.close();
  await addApp({ path: database.place, clock: Date.now, operator: who }, { name: "Till" });
  await databases.keep(database);
  return { business, rates, now: given.now, deliveries };
}
