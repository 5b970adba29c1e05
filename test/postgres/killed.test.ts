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
import { afterAll, beforeAll, expect, test } from "vitest";
import { addApp, issueToken } from "../../src/client/served.ts";
import { createBook, openBook, verifyBook } from "../../src/service/book.ts";
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

beforeAll(async () => {
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
  await addApp(cluster.url, { name: "Till" }, Date.now);
  const { token } = await issueToken(cluster.url, "Till", { user: "Ann" }, Date.now);
  headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "content-type": "application/json",
  };
});
afterAll(() => cluster.stop());

/** One of the places for a process; whoever dies there is followed by another. */
class Seat {
  origin = "";
  #child: ChildProcess | undefined;

  async fill(): Promise<void> {
    const words = ["serve", "--database", cluster.url, "--port", "0", "--no-rate-limit"];
    // Under one address they are one server, and hand writes over.
    words.push("--public-url", "http://books.example");
    const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    let said = "";
    this.origin = await new Promise<string>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`acct serve ended with ${code}: ${said}`)));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const ready = /(http:\/\/[\d.:]+)\/api/.exec(said)?.[1];
        if (ready !== undefined) resolve(ready);
      });
    });
    child.removeAllListeners("exit");
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  }
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

/** What went wrong on the way, by kind, until an answer came. */
const troubles = new Map<string, number>();

class Load {
  readonly done: Acknowledged = { invoices: new Map(), payments: new Set(), voided: new Set() };
  readonly #seats: readonly Seat[];
  readonly #agent = new Agent({ headersTimeout: 30_000 });

  constructor(seats: readonly Seat[]) {
    this.#seats = seats;
  }

  /** Sends a write until it is acknowledged, to whoever answers, with the key of the first time. */
  async send(method: "PUT" | "POST", path: string, body: object): Promise<Answer> {
    const key = randomUUID();
    for (let tries = 0; ; tries += 1) {
      const seat = this.#seats[Math.floor(Math.random() * this.#seats.length)] as Seat;
      const trouble = await this.#try(seat, method, path, key, body);
      if (typeof trouble !== "string") return trouble;
      troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
      if (tries > 500) throw new Error(`${method} ${path} was never acknowledged: ${trouble}`);
      await wait(20 + Math.random() * 100);
    }
  }

  async #try(seat: Seat, method: "PUT" | "POST", path: string, key: string, body: object) {
    try {
      const answer = await request(`${seat.origin}/api.xro/2.0${path}`, {
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

test("nothing that was acknowledged is lost or doubled", { timeout: 180_000 }, async () => {
  const seats = Array.from({ length: processes }, () => new Seat());
  // All at once on a new database: whoever comes first makes the tables.
  await Promise.all(seats.map((seat) => seat.fill()));
  const load = new Load(seats);
  let isOver = false;
  const die = async () => {
    for (const [turn, who] of deaths.entries()) {
      await wait(aliveMs);
      if (who === "database") {
        await cluster.restart();
        continue;
      }
      const seat = seats[turn % processes] as Seat;
      await seat.kill();
      await seat.fill();
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
  await Promise.all(seats.map((seat) => seat.kill()));
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
    `${writes} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled; ` +
      `killed on the way: ${deaths.join(", ")}; what clients met: ` +
      `${[...troubles].map(([kind, count]) => `${count} ${kind}`).join(", ")}\n`,
  );
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(writes).toBeGreaterThan(100);
  // Every number was given once.
  const numbers = countOf(invoices, "InvoiceNumber");
  expect([...numbers].filter(([, count]) => count > 1)).toEqual([]);
  for (const [reference, { InvoiceNumber }] of done.invoices) {
    expect(invoices.find((each) => each.Reference === reference)).toMatchObject({ InvoiceNumber });
  }
  const book = await openBook(cluster.url);
  expect((await verifyBook(book)).faults).toEqual([]);
  await book.close();
});
