/**
 * A server for tests: books, people and apps in a folder of its own, with a clock, mail, faults and
 * requests in the hands of the test. `test-operations.ts` is what may be asked of it.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeBook, type NewBook } from "../admin/book.ts";
import { type LocalServerOptions, serve } from "../admin/serve-book.ts";
import { localDay } from "../ledger/dates/timezones.ts";
import { type Country, countries, regionOf } from "../ledger/regions/index.ts";
import { placeInFolder } from "../platform/book-address.ts";
import { NotFoundError, RefusedError, UsageError } from "../resources/errors.ts";
import { registerApp } from "../service/auth/apps.ts";
import { newSecret } from "../service/auth/secrets.ts";
import { signingKeys } from "../service/auth/signing-keys.ts";
import { apiRoot, type Book, operatorOf } from "../service/books/book.ts";
import { directoryName } from "../service/books/book-folder.ts";
import type { Tenants } from "../service/books/tenants.ts";
import { withFaults } from "../service/fault-injection/inject.ts";
import type { AnswerPages, ServedTenants } from "../service/server/serve.ts";
import { organisationIn } from "../store/dialects/book-file.ts";
import { copyPages } from "../store/dialects/file-care.ts";
import { dueWebhooks } from "../store/outbox/webhooks.ts";
import type { Transport } from "../wire/http.ts";
import type { Duration, Mail, StartOptions, WebhookOptions } from "./face.ts";
import { Arrivals, mailOf } from "./inbox.ts";
import { makeKitFolder, makeOrCopy } from "./kit-folder.ts";
import { Clock, durationOf, idsOf, momentIn } from "./moments.ts";
import { PlannedFaults } from "./planned-faults.ts";
import type { Receiver } from "./receiver.ts";
import { type LogMarks, Recorder } from "./recorder.ts";
import { plantPeople, plantRecords } from "./seed/plant-seed.ts";
import { readSeed, type Seed } from "./seed/seed-file.ts";
import { operator, registryOf, TestPeople } from "./test-people.ts";
import type { ServerAddresses } from "./visitor.ts";

const timers = () => import("node:timers/promises");

export interface KnownOrganisation {
  readonly url: string;
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a program needs to reach a server, beside its first organisation. */
export interface ConnectionDetails extends ServerAddresses {
  readonly webhookKey: string;
}

/** A kept state. */
interface State {
  /** Path of the folder with its files. */
  readonly folder: string;
  readonly moment: number | undefined;
  readonly ids: string;
  readonly mail: readonly Mail[];
  /** Ids of the webhooks that there were. */
  readonly webhooks: ReadonlySet<string>;
  readonly marks: LogMarks;
}

export class TestServer {
  readonly #options: StartOptions;
  readonly #serving: Partial<LocalServerOptions>;
  readonly #first: BeginningBook;
  readonly #receivers = new Map<string, Receiver>();
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #states = new Map<string, State>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly faults = new PlannedFaults();
  readonly people = new TestPeople(this, () => this.#newId());
  readonly inbox = new Arrivals<Mail>(({ to, subject }) => `"${subject}" to ${to.join(", ")}`);
  readonly recorder: Recorder;
  /** Resolves when requests may go on. */
  #paused = Promise.resolve();
  #served: ServedTenants | undefined;
  #newId: () => string;
  #saves = 0;
  readonly #webhookKey = newSecret();

  /** @param serving  settings of the server beyond those of tests */
  constructor(options: StartOptions, serving: Partial<LocalServerOptions> = {}) {
    this.#options = options;
    this.#serving = serving;
    this.#first = beginningOf(options);
    this.#clock = new Clock(
      options.clock === undefined ? undefined : momentIn(options.clock, this.#timezone),
    );
    this.#newId = idsOf(options.ids, "", this.now);
    this.#folder = makeKitFolder();
    this.recorder = new Recorder({ clock: this.now, use: (...useGiven) => this.use(...useGiven) });
  }

  get #timezone(): string {
    return regionOf(this.#first.made.country).timezone;
  }

  readonly now = (): number => this.#clock.read();

  get served(): ServedTenants {
    if (this.#served === undefined) throw new Error("The server does not answer yet, or any more.");
    return this.#served;
  }

  get connectionDetails(): ConnectionDetails {
    const { origin } = this.served;
    const { publicUrl: issuer = origin } = this.#serving;
    return { origin, issuer, webhookKey: this.#webhookKey };
  }

  get #tenants(): Tenants {
    return this.served.tenants as Tenants;
  }

  /** Runs work on the book of an organisation. @throws AuthError where there is none */
  use<T>(tenant: string, action: (book: Book) => Promise<T>): Promise<T> {
    return this.#tenants.use(tenant, action);
  }

  /**
   * Makes the first organisation and opens the port. A start that fails leaves nothing behind.
   *
   * @param pagesBeside  answers paths outside the API
   */
  async start(pagesBeside?: AnswerPages): Promise<KnownOrganisation> {
    try {
      const { limits = false } = this.#options;
      const add = await this.#makeBook(this.#first, makeOrCopy);
      this.#served = await serve(placeInFolder({ folder: this.#folder, organisation: "" }), {
        host: "127.0.0.1",
        port: 0,
        rateLimit: limits,
        operations: { write: (lines) => void process.stderr.write(`${lines}\n`) },
        webhookAllow: ["http", "private"],
        ...this.#serving,
        ...operator,
        ...this.#sources,
        mailer: async (message) => this.inbox.add(mailOf(message)),
        test: { around: (transport) => this.#around(transport), beside: pagesBeside },
      });
      const firstOrganisation = await add();
      // Tokens of the first state stay good: the key that signs them is part of it.
      await signingKeys(this.#served.directory, this.now);
      await this.save("start");
      return firstOrganisation;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** @throws RefusedError `NameTaken` */
  async addOrganisation(name: string, options: StartOptions): Promise<KnownOrganisation> {
    const names = this.#books().map((file) => organisationIn(join(this.#folder, file))?.Name);
    if (names.includes(name)) {
      throw new RefusedError("NameTaken", `There is an organisation ${name} already.`);
    }
    const add = await this.#makeBook(beginningOf(options, name));
    await this.#tenants.runJobs();
    return add();
  }

  get #sources() {
    const newId = () => this.#newId();
    return { clock: this.now, newId, responseId: newId };
  }

  /** Makes the file of a book. @returns what registers its app, once it is served */
  async #makeBook(
    { made, seed }: BeginningBook,
    once?: typeof makeOrCopy,
  ): Promise<() => Promise<KnownOrganisation>> {
    const path = join(this.#folder, `book-${this.#books().length + 1}.acct`);
    const options = { ...operator, ...this.#sources };
    const make = () =>
      makeBook(path, made, options, async (book) => {
        if (seed !== undefined) await plantRecords(book, seed);
      });
    if (seed === undefined || once === undefined) await make();
    else {
      const { ids } = this.#options;
      const moment = this.#clock.moment ?? localDay(this.now(), this.#timezone);
      const records = seed.records.map(({ called, as, fields }) => [called, as, fields]);
      await once(path, [made, records, moment, ids], make);
      // Ids go on from a fixed point, whether the book was made or copied.
      this.#newId = idsOf(ids, "seed", this.now);
    }
    const tenant = tenantOf(path);
    return () =>
      this.use(tenant, async (book) => {
        const registry = await registryOf(book);
        const machine = { name: `Test of ${made.name}`, kind: "machine" } as const;
        const { app, secret = "" } = await registerApp(registry, machine, this.#newId());
        await plantPeople(book, seed?.people ?? [], operator);
        for (const person of seed?.people ?? []) this.people.rememberPassword(person);
        const url = `${this.served.origin}${apiRoot}`;
        return { url, tenant, clientId: app.id, clientSecret: secret };
      });
  }

  /**
   * Subscribes the receiver at `url`, or one of the test, to events.
   *
   * @returns its id, address and key
   */
  async addWebhook(tenant: string, { events, url }: WebhookOptions) {
    const { addSubscription } = await import("../service/webhooks/subscriptions.ts");
    const { allowedBy } = await import("../service/webhooks/addresses.ts");
    const { createPoster } = await import("../service/webhooks/post.ts");
    const { openReceiver } = await import("./receiver.ts");
    const key = this.#webhookKey;
    const receiver = url === undefined ? await openReceiver(key) : undefined;
    const address = receiver?.url ?? String(url);
    const allowed = allowedBy(["http", "private"]);
    const poster = createPoster({ allowed });
    let isAdded = false;
    try {
      return await this.use(tenant, async (book) => {
        const { id, reason } = await addSubscription(
          { ...book, by: operatorOf(operator), ...poster, allowed },
          {
            url: address,
            name: address,
            categories: events?.map((event) => event.toUpperCase()),
            signingKey: key,
          },
        );
        if (receiver !== undefined) this.#receivers.set(id, receiver);
        isAdded = true;
        return { id, url: address, key, reason };
      });
    } finally {
      await poster.close();
      if (!isAdded) await receiver?.close();
    }
  }

  /** @throws NotFoundError */
  receiver(id: string): Receiver {
    const receiver = this.#receivers.get(id);
    if (receiver !== undefined) return receiver;
    const message = `${id} is no receiver of the test: with a url, the app takes events and answers.`;
    throw new NotFoundError("NotFound", message);
  }

  /** Records requests, lets them fail as planned, and stops them while a state is restored. */
  #around(transport: Transport): Transport {
    const sleep = async (ms: number) => (await timers()).setTimeout(ms);
    const answer = this.recorder.around(
      withFaults(transport, this.faults.choose, { sleep, clock: this.now }),
    );
    return async (request) => {
      // Another state may be asked for as soon as this one is there.
      for (let pause: unknown; pause !== this.#paused; await pause) pause = this.#paused;
      const answering = answer(request);
      const ended = answering.catch(() => undefined).finally(() => this.#underWay.delete(ended));
      this.#underWay.add(ended);
      return answering;
    };
  }

  /** Runs work while no request is under way; later ones wait. @returns its milliseconds */
  async #whileQuiet(action: () => Promise<void>): Promise<number> {
    const began = performance.now();
    let goOn: () => void = () => undefined;
    const pausedBefore = this.#paused;
    this.#paused = new Promise((resolve) => {
      goOn = resolve;
    });
    try {
      await pausedBefore;
      await Promise.all(this.#underWay);
      await action();
    } finally {
      goOn();
    }
    return Math.round(performance.now() - began);
  }

  #files(): string[] {
    return readdirSync(this.#folder).filter((name) => name.endsWith(".acct"));
  }

  /** @returns milliseconds */
  save(name: string): Promise<number> {
    return this.#whileQuiet(async () => {
      this.#saves += 1;
      const folder = join(this.#folder, "states", String(this.#saves));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const file of this.#files()) {
        await copyPages(join(this.#folder, file), join(folder, file));
      }
      const ids = `${name} ${this.#saves}`;
      const logMarks = await this.recorder.follow(this.#tenantIds());
      const webhooks = new Set(this.#receivers.keys());
      const mail = [...this.inbox.all];
      const before = this.#states.get(name);
      if (before !== undefined) rmSync(before.folder, { recursive: true });
      const { moment } = this.#clock;
      this.#states.set(name, { folder, moment, ids, mail, webhooks, marks: logMarks });
      this.#newId = idsOf(this.#options.ids, ids, this.now);
    });
  }

  /** @returns milliseconds. @throws NotFoundError with the names that there are */
  restore(name: string): Promise<number> {
    const state = this.#states.get(name);
    if (state === undefined) {
      const stateNames = [...this.#states.keys()].join(", ");
      throw new NotFoundError("NotFound", `No state is called ${name}; there are ${stateNames}.`);
    }
    return this.#whileQuiet(async () => {
      const keptFiles = new Set(readdirSync(state.folder));
      const fileCount = this.#files().length;
      for (const file of this.#files()) {
        const path = join(this.#folder, file);
        if (keptFiles.has(file)) await copyPages(join(state.folder, file), path);
        else rmSync(path);
      }
      // Books that were removed are closed, before others may take their place.
      if (this.#files().length < fileCount) await this.#tenants.runJobs();
      this.#clock.moment = state.moment;
      this.#newId = idsOf(this.#options.ids, state.ids, this.now);
      this.inbox.reset(state.mail);
      for (const [id, receiver] of this.#receivers) {
        receiver.events.reset();
        if (state.webhooks.has(id)) continue;
        this.#receivers.delete(id);
        await receiver.close();
      }
      this.recorder.restore(state.marks);
      this.faults.clear();
    });
  }

  #books(): string[] {
    return this.#files().filter((file) => file !== directoryName);
  }

  #tenantIds(): string[] {
    return this.#books().map((file) => tenantOf(join(this.#folder, file)));
  }

  /**
   * Moves the clock, and does what falls due on the way.
   *
   * @returns the moments at which deliveries to webhooks fell due, in milliseconds since 1970 UTC
   * @throws UsageError `BadValue`
   */
  async moveClock(to: Duration | string): Promise<readonly number[]> {
    const targetMs =
      typeof to === "string" ? momentIn(to, this.#timezone) : this.now() + durationOf(to);
    this.#clock.checkMove(targetMs);
    const ran: number[] = [];
    for (;;) {
      const dueMs = await this.#nextDue();
      if (dueMs === undefined || dueMs > targetMs) break;
      this.#clock.moment = dueMs;
      ran.push(dueMs);
      await this.#tenants.runJobs();
    }
    this.#clock.moment = targetMs;
    await this.#tenants.runJobs();
    return ran;
  }

  /** When the next delivery to a webhook falls due after now. */
  async #nextDue(): Promise<number | undefined> {
    const dueTimes: number[] = [];
    for (const tenant of this.#tenantIds()) {
      const waitingHooks = await this.use(tenant, ({ store, org }) => store.read(org, dueWebhooks));
      dueTimes.push(...waitingHooks.map(({ dueAt }) => dueAt).filter((at) => at > this.now()));
    }
    return dueTimes.length === 0 ? undefined : Math.min(...dueTimes);
  }

  /** Ends the server and removes its folder. */
  async close(): Promise<void> {
    await this.#served?.close();
    await Promise.all([...this.#receivers.values()].map((receiver) => receiver.close()));
    this.#served = undefined;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const tenantOf = (path: string) => organisationIn(path)?.OrganisationID ?? "";

/** A book that is to be made, and what it begins with. */
interface BeginningBook {
  readonly made: NewBook;
  readonly seed: Seed | undefined;
}

/** @throws UsageError `BadValue`; as `readSeed` */
function beginningOf({ country, seed: path }: StartOptions, name?: string): BeginningBook {
  const seed = path === undefined ? undefined : readSeed(path);
  const own = seed?.organisation ?? {};
  const bookName = name ?? own.name ?? "Test company";
  return { made: { ...own, name: bookName, country: countryIn(country ?? own.country) }, seed };
}

/** @throws UsageError `BadValue` */
function countryIn(country = "NZ"): Country {
  const code = country.toUpperCase() === "UK" ? "GB" : country.toUpperCase();
  const knownCountry = countries.find((country) => country === code);
  if (knownCountry !== undefined) return knownCountry;
  const message = `A country is one of ${countries.join(", ")}, not ${country}.`;
  throw new UsageError("BadValue", message);
}
