/**
 * Four processes on one database, under mixed load, while processes are killed and the database is
 * ended as by a power cut: what was acknowledged is there, once, and the books add up.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { createBook, openBook, verifyBook } from "../../src/service/books/book.ts";
import { startedBy } from "../cli/built.ts";
import { type Cluster, startCluster } from "./cluster.ts";

const bin = join(import.meta.dirname, "..", "..", "bin", "acct.js");
const processes = 4;
const clients = 8;
/** Who dies, one after the other, while the work goes on. */
const deaths = [
  "process",
  "process",
  "database",
  "process",
  "process",
  "process",
  "database",
  "process",
] as const;
/** Work between one death and the next. */
const aliveMs = 700;

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what is expected of them.
type Json = any;

let cluster: Cluster;
let headers: Record<string, string>;

beforeEach(async () => {
  // What a commit has promised must be on disk, or the power cut would take it.
  cluster = await startCluster({ durable: true });
  const book = await createBook(cluster.url, { name: "Quay", country: "NZ" });
  await book.handle({
    method: "PUT",
    path: "/Contacts",
    query: [],
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ Name: "Ariki" })),
  });
  await book.close();
  const given = { path: cluster.url, clock: Date.now, operator: { user: "Ann" } };
  await addApp(given, { name: "Till" });
  const { token } = await issueToken(given, "Till");
  headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "content-type": "application/json",
  };
});
afterEach(() => cluster.stop());

interface Place {
  /** Where a process is asked. */
  readonly origin: string;
  /** Has it die, and returns when another is in its place. */
  kill(): Promise<void>;
}

interface Arrangement {
  /** Starts the processes, on a database that may have no tables yet. */
  start(): Promise<Place[]>;
  stop(): Promise<void>;
}

interface Started {
  readonly child: ChildProcess;
  readonly origin: string;
}

async function started(...flags: string[]): Promise<Started> {
  const words = ["serve", "--database", cluster.url, "--port", "0", "--no-rate-limit", ...flags];
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const origin = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`acct serve ended with ${code}: ${said}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const ready = /(http:\/\/[\d.:]+)\/api/.exec(said)?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  child.removeAllListeners("exit");
  return { child, origin };
}

async function killed({ child }: Started): Promise<void> {
  const ended = once(child, "exit");
  if (child.exitCode === null && child.kill("SIGKILL")) await ended;
}

/** As on several machines. */
function apart(): Arrangement {
  let all: Started[] = [];
  return {
    async start() {
      // All at once on a new database: whoever comes first makes the tables.
      all = await Promise.all(Array.from({ length: processes }, () => started()));
      return all.map((_, at) => ({
        get origin() {
          return (all[at] as Started).origin;
        },
        async kill() {
          await killed(all[at] as Started);
          all[at] = await started();
        },
      }));
    },
    async stop() {
      await Promise.all(all.map(killed));
    },
  };
}

/** As on one machine. */
function together(): Arrangement {
  let primary: Started | undefined;
  const answering = () => (primary === undefined ? [] : startedBy(primary.child));
  return {
    async start() {
      primary = await started("--processes", String(processes));
      const { origin } = primary;
      expect(answering()).toHaveLength(processes);
      return Array.from({ length: processes }, (_, at) => ({
        origin,
        async kill() {
          // The one that has the writers, or one of those that read.
          const pid = answering()[at] as number;
          process.kill(pid, "SIGKILL");
          await expect.poll(answering, { timeout: 20_000 }).not.toContain(pid);
          await expect.poll(answering, { timeout: 20_000 }).toHaveLength(processes);
        },
      }));
    },
    async stop() {
      if (primary !== undefined) await killed(primary);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

interface Acknowledged {
  readonly invoices: Map<string, Json>;
  readonly payments: Set<string>;
  readonly voided: Set<string>;
}

class Load {
  /** What went wrong on the way, by kind, until an answer came. */
  readonly troubles = new Map<string, number>();
  readonly done: Acknowledged = { invoices: new Map(), payments: new Set(), voided: new Set() };
  readonly #places: readonly Place[];
  readonly #agent = new Agent({ headersTimeout: 30_000 });

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** Sends a write until it is acknowledged, to whoever answers, with the key of the first time. */
  async send(method: "PUT" | "POST", path: string, body: object): Promise<Answer> {
    const key = randomUUID();
    for (let tries = 0; ; tries += 1) {
      const place = this.#places[Math.floor(Math.random() * this.#places.length)] as Place;
      const trouble = await this.#try(place, method, path, key, body);
      if (typeof trouble !== "string") return trouble;
      this.troubles.set(trouble, (this.troubles.get(trouble) ?? 0) + 1);
      if (tries > 500) throw new Error(`${method} ${path} was never acknowledged: ${trouble}`);
      await wait(20 + Math.random() * 100);
    }
  }

  async #try(place: Place, method: "PUT" | "POST", path: string, key: string, body: object) {
    try {
      const answer = await request(`${place.origin}/api.xro/2.0${path}`, {
        dispatcher: this.#agent,
        method,
        headers: { ...headers, "idempotency-key": key },
        body: JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 503) return "503";
      return { status: answer.statusCode, body: JSON.parse(text) };
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      return code ?? name;
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

function invoice(reference: string): object {
  return {
    Type: "ACCREC",
    Status: "AUTHORISED",
    Contact: { Name: "Ariki" },
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Reference: reference,
    LineItems: [{ Description: "Clay", Quantity: 2, UnitAmount: 40, AccountCode: "200" }],
  };
}

/** One client: creates invoices one by one and in batches, pays in part, voids. */
async function work(load: Load, client: number, goesOn: () => boolean): Promise<void> {
  const own: Json[] = [];
  const keep = (answer: Answer) => {
    expect(answer).toMatchObject({ status: 200 });
    for (const each of answer.body.Invoices) {
      load.done.invoices.set(each.Reference, each);
      own.push(each);
    }
  };
  for (let turn = 0; goesOn(); turn += 1) {
    const reference = `${client}-${turn}`;
    const target = own.length > 4 ? own.shift() : undefined;
    if (turn % 10 === 9) {
      const Invoices = Array.from({ length: 10 }, (_, line) => invoice(`${reference}-${line}`));
      keep(await load.send("PUT", "/Invoices", { Invoices }));
    } else if (target !== undefined && turn % 5 === 1) {
      const { InvoiceID } = target;
      const voided = await load.send("POST", `/Invoices/${InvoiceID}`, { Status: "VOIDED" });
      expect(voided.body).toMatchObject({ Invoices: [{ Status: "VOIDED" }] });
      load.done.voided.add(InvoiceID);
    } else if (target !== undefined && turn % 2 === 0) {
      const payment = {
        Invoice: { InvoiceID: target.InvoiceID },
        Account: { Code: "980" },
        Date: "2026-03-05",
        Amount: 25,
        Reference: reference,
      };
      expect(await load.send("PUT", "/Payments", payment)).toMatchObject({ status: 200 });
      load.done.payments.add(reference);
    } else keep(await load.send("PUT", "/Invoices", invoice(reference)));
  }
}

async function everything(path: string, name: string): Promise<Json[]> {
  const book = await openBook(cluster.url);
  try {
    const found: Json[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await book.handle({
        method: "GET",
        path,
        query: [
          ["page", String(page)],
          ["pageSize", "1000"],
        ],
        headers: { accept: "application/json" },
      });
      const records = JSON.parse(String(body))[name] as Json[];
      found.push(...records);
      if (records.length < 1000) return found;
    }
  } finally {
    await book.close();
  }
}

const countOf = (all: readonly Json[], field: string) => {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(each[field], (counts.get(each[field]) ?? 0) + 1);
  return counts;
};

test.each([
  ["each at a port of its own", apart],
  ["behind one port", together],
])("no acknowledged write is lost or doubled, %s", { timeout: 180_000 }, async (how, by) => {
  const arrangement = by();
  const places = await arrangement.start();
  const load = new Load(places);
  let isOver = false;
  const die = async () => {
    for (const [turn, who] of deaths.entries()) {
      await wait(aliveMs);
      if (who === "database") {
        await cluster.restart();
        continue;
      }
      await places[turn % processes]?.kill();
    }
    await wait(aliveMs);
  };
  const clientsDone = Array.from({ length: clients }, (_, client) =>
    work(load, client, () => !isOver),
  );
  await die().finally(() => {
    isOver = true;
  });
  await Promise.all(clientsDone);
  await arrangement.stop();
  await load.close();

  const { done } = load;
  const invoices = await everything("/Invoices", "Invoices");
  const payments = await everything("/Payments", "Payments");
  const byReference = countOf(invoices, "Reference");
  const paid = countOf(payments, "Reference");
  const status = new Map(invoices.map((each) => [each.InvoiceID, each.Status]));
  const lost = [
    ...[...done.invoices.keys()].filter((reference) => !byReference.has(reference)),
    ...[...done.payments].filter((reference) => !paid.has(reference)),
    ...[...done.voided].filter((id) => status.get(id) !== "VOIDED"),
  ];
  const doubled = [...byReference, ...paid].filter(([, count]) => count > 1);
  const writes = done.invoices.size + done.payments.size + done.voided.size;
  process.stdout.write(
    `${processes} processes, ${how}: ${writes} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled; ` +
      `killed on the way: ${deaths.join(", ")}; what clients met: ` +
      `${[...load.troubles].map(([kind, count]) => `${count} ${kind}`).join(", ")}\n`,
  );
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(writes).toBeGreaterThan(100);
  // Every number was given once.
  const numbers = countOf(invoices, "InvoiceNumber");
  expect([...numbers].filter(([, count]) => count > 1)).toEqual([]);
  for (const [reference, { InvoiceNumber }] of done.invoices) {
    expect(invoices.find((each) => each.Reference === reference)).toMatchObject({
      InvoiceNumber,
    });
  }
  const book = await openBook(cluster.url);
  expect((await verifyBook(book)).faults).toEqual([]);
  await book.close();
});
