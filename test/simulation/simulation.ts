/** A run of the simulation: a book, two servers of it, clients and a subscriber, taken through steps. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Book, openBook } from "../../src/service/books/book.ts";
import { headOf } from "../../src/store/chain/stored.ts";
import { dueWebhooks } from "../../src/store/outbox/webhooks.ts";
import { type Business, take } from "../service/business.ts";
import { Acknowledged } from "./acknowledged.ts";
import {
  applyPlan,
  doWithAssets,
  lastOperation,
  lockBooks,
  makeDue,
  runSchedules,
  undo,
} from "./bookkeeping.ts";
import { clientOf, repeat } from "./clients.ts";
import { Clock } from "./clock.ts";
import { runCommand } from "./commands.ts";
import type { Database, Databases } from "./databases.ts";
import { type DiskFault, errno } from "./disk.ts";
import { Invariants } from "./invariants.ts";
import { reuseKey } from "./people.ts";
import { type Prepared, preparedIn, tokenOf } from "./prepared.ts";
import { startProgram } from "./processes.ts";
import { attach, creditPart, importStatement, sellSeveral, tryToSell } from "./sales.ts";
import { type Server, startServer } from "./server.ts";
import type { Client, ClockMove, Fate, Step } from "./steps.ts";
import { Subscriber } from "./webhooks.ts";

/** What broke, and at which step. */
export class InvariantError extends Error {}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Of moves of the clock that put it back. */
const hoursBack: Readonly<Partial<Record<ClockMove, number>>> = {
  "a second back": 1 / 3600,
  "an hour back": 1,
  "a day back": 24,
};
/** A time so long that deliveries are not left waiting for it. */
const longMs = 30 * minuteMs;
/** How often, and how long at a time, programs are waited for to deliver what waits. */
const waitsMax = 1200;
const waitMs = 50;
/** Steps from one thing that business seldom does to the next. */
const rareEvery = 20;
const timeZone = "Pacific/Auckland";

export class Simulation {
  readonly database: Database;
  readonly clock: Clock;
  readonly acknowledged = new Acknowledged();
  readonly subscriber = new Subscriber();
  /** Reads past the servers, and meets no fault. */
  readonly checker: Book;
  /** What servers have reported as bugs. */
  readonly bugs: unknown[] = [];
  /** What did not hold within the step, a sentence each. */
  readonly faults: string[] = [];
  /** By which clients are let in where servers and command lines are programs of their own. */
  #token: string | undefined;
  readonly #servers: Server[] = [];
  readonly #starting: Promise<Server>[] = [];
  readonly #business: Omit<Business, "given">;
  readonly #invariants: Invariants;
  #diskFault: DiskFault | undefined;
  #fate: Fate = "answer";
  #metBefore = 0;
  readonly #failedBefore: number;
  /** The number of the last operation before the first step. */
  firstOperation = 0;
  #keys = 0;
  /** The number of the step that is taken, from 1. */
  step = 0;

  private constructor(
    database: Database,
    clock: Clock,
    checker: Book,
    { business, rates }: Pick<Prepared, "business" | "rates">,
    token: string | undefined,
  ) {
    this.database = database;
    this.clock = clock;
    this.checker = checker;
    this.#business = structuredClone(business);
    this.#invariants = new Invariants(rates);
    this.#token = token;
    this.#failedBefore = database.disk?.get("failed") ?? 0;
  }

  /** @param asPrograms  servers and command lines are programs of their own */
  static async open(databases: Databases, asPrograms: boolean): Promise<Simulation> {
    const prepared = await preparedIn(databases);
    const database = await databases.copy();
    const clock = new Clock(asPrograms, database.machine);
    clock.now = prepared.now;
    clock.newIds();
    const token = asPrograms ? await tokenOf(database.place) : undefined;
    const checker = await openBook(database.place, { clock: clock.read });
    const made = new Simulation(database, clock, checker, prepared, token);
    Object.assign(prepared.deliveries, {
      take: (body: string) => made.subscriber.receive(body, made.#nextFate()),
    });
    await made.subscriber.begin(checker.store, checker.org);
    await made.#invariants.begin(made);
    made.firstOperation = await lastOperation(made);
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
    this.clock.end();
    await this.checker.close();
    await this.database.remove();
  }

  /** A server, started where it is not running. */
  async server(asked: 0 | 1): Promise<Server> {
    // A file has one program that serves it.
    const at = this.isOfPrograms && this.database.folder !== undefined ? 0 : asked;
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
    const start = () =>
      this.isOfPrograms
        ? startProgram(database, { at, book, token: () => this.token })
        : startServer(database, this.clock, (error) => this.bugs.push(error));
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
    this.step += 1;
    this.clock.now += 1;
    const { disk } = this.database;
    const fault = this.#diskFault;
    this.#diskFault = undefined;
    if (fault !== undefined) disk?.set(fault);
    await this.#do(step);
    disk?.set({});
    for (const server of this.running) await server.deliverLate();
    if (this.step % rareEvery === 0) await this.#doRareThings();
    await this.subscriber.observe(this.checker.store, this.checker.org, this.step);
    await this.check();
  }

  async #doRareThings(): Promise<void> {
    await reuseKey(this);
    await creditPart(this);
  }

  async check(): Promise<void> {
    const found = await this.#invariants.check(this, this.step);
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
    for (let times = 0; this.isOfPrograms; times += 1) {
      const { store, org } = this.checker;
      // A server may have made what was due since the step before, and have told of it.
      await this.subscriber.observe(store, org, this.step);
      if ((await store.read(org, dueWebhooks)).length === 0) break;
      if (times > waitsMax) throw new InvariantError("Deliveries still wait after a minute.");
      await sleep(waitMs);
    }
    while (!this.isOfPrograms) {
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

  /** InvoiceIDs of business. */
  get invoices(): readonly string[] {
    return this.#business.invoices;
  }

  get isOfPrograms(): boolean {
    return this.#token !== undefined;
  }

  /** By which command lines are let in over a port. */
  get token(): string {
    return this.#token ?? "token";
  }

  /** Has time go by; a subscriber that has taken nothing for a day would be told no more. */
  async #goTo(at: number): Promise<void> {
    if (!this.clock.canBePut) return;
    if (at - this.clock.now > longMs) await this.#deliverAll();
    await this.#putClock(Math.max(this.clock.now, at));
  }

  async #putClock(at: number): Promise<void> {
    this.clock.put(at);
    if (!this.isOfPrograms) return;
    // That of before may be over, or not have begun. It is issued on a sound disk.
    this.database.disk?.set({});
    this.#token = await tokenOf(this.database.place);
  }

  async #moveClock({ to, client }: Extract<Step, { does: "clock" }>): Promise<void> {
    if (!this.clock.canBePut) return;
    const { now } = this.clock;
    const hours = hoursBack[to];
    if (hours === undefined) {
      await this.#goTo(to === "an hour on" ? now + hourMs : this.#lastMinute(to === "midnight"));
    } else {
      await this.#deliverAll();
      this.subscriber.beginAnew();
      this.acknowledged.forgetMoments();
      await this.#putClock(now - hours * hourMs);
    }
    // Servers that are programs look for it in the next minute.
    await makeDue(await clientOf(this, client));
  }

  /** A minute before the day ends where the organisation is, or the last day of its month. */
  #lastMinute(ofDay: boolean): number {
    const length = ofDay ? "2026-01-01".length : "2026-01".length;
    const period = (at: number) => this.today(at).slice(0, length);
    const { now } = this.clock;
    let at = now - (now % minuteMs);
    for (const step of [dayMs, hourMs, minuteMs]) {
      while (period(at + step) === period(now)) at += step;
    }
    return at;
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case "business":
        return void (await take(await this.#businessOf(step.client), step.step, this.today()));
      case "together": {
        const asked = [];
        for (const { client, step: each } of step.asked) {
          asked.push({ business: await this.#businessOf(client), each });
        }
        const today = this.today();
        return void (await Promise.all(
          asked.map(({ business, each }) => take(business, each, today)),
        ));
      }
      case "midnight":
        return this.#sellAtMidnight(step.client, step.isAfter);
      case "statement":
        return importStatement(this, step.client, step.lines);
      case "reconcile": {
        const given = await clientOf(this, step.client);
        const path = "/Extensions/BankStatementLines/Reconcile";
        return void (await given.ask("POST", path, undefined, { query: { account: "090" } }));
      }
      case "batch":
        return sellSeveral(this, step.client, step.amounts);
      case "dry run":
        return tryToSell(this, step.client, step.cents);
      case "attach":
        return attach(this, step);
      case "plan":
        return applyPlan(this, step, `P-${this.step}`);
      case "undo":
        return undo(this, step);
      case "lock":
        return lockBooks(this, step, (client) => this.#businessOf(client));
      case "asset":
        return doWithAssets(this, step);
      case "schedule":
        return runSchedules(this, step);
      case "repeat":
        return repeat(this, step.client, step.which);
      case "command":
        return runCommand(this, step, `S-${this.step}`);
      case "deliver":
        return this.#deliver(step);
      case "wait":
        return this.#goTo(this.clock.now + step.minutes * minuteMs);
      case "clock":
        return this.#moveClock(step);
      case "network fault":
        (await this.server(step.server)).network.push(step.fault);
        return;
      case "store fault":
        if (this.isOfPrograms && this.database.disk !== undefined) {
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

  /** An idempotency key that no other request bears. */
  newKey(): string {
    this.#keys += 1;
    return `key ${this.#keys}`;
  }

  /** The day in the organisation. */
  today(at = this.clock.now): string {
    return new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
  }

  async #businessOf(client: Client): Promise<Business> {
    return { ...this.#business, given: await clientOf(this, client) };
  }

  async #sellAtMidnight(client: Client, isAfter: boolean): Promise<void> {
    if (!this.clock.canBePut) return;
    // To the minute before the day changes, or to that after.
    const at = this.#lastMinute(true);
    await this.#goTo(isAfter ? at + minuteMs : at);
    const given = await clientOf(this, client);
    const { status, json } = await given.ask("PUT", "/Invoices", this.sale(8000));
    const wanted = this.today();
    const [{ DateString = "" } = {}] = status === 200 ? json.Invoices : [];
    if (status === 200 && !DateString.startsWith(wanted)) {
      this.faults.push(`A sale of ${wanted} is of ${DateString}.`);
    }
  }

  sale(cents: number, fields: object = {}): object {
    const [party] = this.#business.parties;
    const line = { Description: "Work", Quantity: 1, UnitAmount: cents / 100, AccountCode: "200" };
    const Contact = { ContactID: party.ContactID };
    return { Type: "ACCREC", Status: "AUTHORISED", Contact, LineItems: [line], ...fields };
  }

  async links(): Promise<number> {
    const { store, org } = this.checker;
    return (await store.read(org, headOf)).number;
  }

  async #deliver({ server: at, fate }: Extract<Step, { does: "deliver" }>): Promise<void> {
    const server = await this.server(at);
    if (this.isOfPrograms) {
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
