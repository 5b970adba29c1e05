/**
 * Invoices created per second on PostgreSQL, against what the same server does at its simplest.
 *
 * A server of its own is started, with every commit on disk before it is answered. In turns with the
 * creates it runs pgbench (TPC-B-like) with as many clients, and, for batches, puts the same rows
 * into the same tables by plain inserts of many rows. The clients are in the processes that do the
 * work, without a port between. Medians of turns; only the ratios mean much.
 *
 * `node bench/postgres.ts --seconds 3 --turns 3`
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { createBookIn, openBookIn } from "../src/service/book.ts";
import { organisations as known } from "../src/store/organisations.ts";
import { postgresStore } from "../src/store/postgres.ts";
import { type Cluster, startCluster } from "../test/postgres/cluster.ts";
import { print, root } from "./measure.ts";
import type { Task } from "./postgres-client.ts";
import { customers, invoice, put } from "./postgres-invoices.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    turns: { type: "string", default: "3" },
    organisations: { type: "string", default: "100" },
  },
});
const seconds = Number(values.seconds);
const turns = Number(values.turns);
const organisations = Number(values.organisations);
/** New processes run slowly at first, each by itself; those that serve have run for long. */
const warmMs = 6000;
/** Of pgbench: a hundred thousand accounts each. */
const scale = 10;
const leastOfOnes = 0.3;
const leastOfBatches = 0.35;

const databaseIn = ({ url }: Cluster, name: string) => {
  const address = new URL(url);
  address.pathname = name;
  return address.href;
};

const median = (all: readonly number[]) =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
const show = (rate: number) => rate.toFixed(0).padStart(6);

function pgbench(cluster: Cluster, clients: number): number {
  const words = ["-c", String(clients), "-j", "2", "-T", String(seconds)];
  const said = execFileSync(
    join(cluster.programs, "pgbench"),
    [...words, databaseIn(cluster, "bench")],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  return Number(/tps = ([\d.]+)/.exec(said)?.[1]);
}

async function prepare(cluster: Cluster): Promise<void> {
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  for (const name of ["bench", "acct"]) await client.query(`create database ${name}`);
  await client.end();
  const words = ["-i", "-q", "-s", String(scale), databaseIn(cluster, "bench")];
  execFileSync(join(cluster.programs, "pgbench"), words, { stdio: "ignore" });
  const store = await postgresStore(databaseIn(cluster, "acct"));
  const Contacts = Array.from({ length: customers }, (_, at) => ({ Name: `Customer ${at + 1}` }));
  for (let at = 0; at < organisations; at += 1) {
    const book = await createBookIn(store, { name: `Organisation ${at + 1}`, country: "NZ" });
    await put(book, "/Contacts", { Contacts });
  }
  await store.close();
}

/** Lets every customer have had an invoice, since the first changes a contact and is not like others. */
async function acquaint(cluster: Cluster): Promise<void> {
  const store = await postgresStore(databaseIn(cluster, "acct"));
  const Invoices = Array.from({ length: customers }, (_, at) => invoice(at));
  for (const owner of (await known(store)).slice(0, organisations)) {
    await put(openBookIn(store, owner), "/Invoices", { Invoices });
  }
  await store.close();
}

async function processes(cluster: Cluster, count: number): Promise<ChildProcess[]> {
  const path = join(root, "bench", "postgres-client.ts");
  const started = Array.from({ length: count }, () =>
    fork(path, [databaseIn(cluster, "acct")], { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  for (const each of started) {
    each.once("exit", (code) => code === 0 || process.exit(1));
    await once(each, "message");
  }
  return started;
}

async function end(all: readonly ChildProcess[]): Promise<void> {
  for (const each of all) {
    each.disconnect();
    await once(each, "exit");
  }
}

/**
 * Invoices per second of all processes together, the clients shared out among them.
 *
 * @param isRouted  each organisation has its process, to which whoever writes to it goes
 */
async function created(
  among: readonly ChildProcess[],
  task: Omit<Task, "ms" | "share">,
  { ms = seconds * 1000, isRouted = false } = {},
): Promise<number> {
  const of = isRouted ? Math.min(among.length, task.organisations) : among.length;
  const rates = among.slice(0, of).map(async (each, at) => {
    const clients = Math.max(1, task.clients / of);
    each.send({ ...task, ...(isRouted ? { share: { of, at } } : {}), clients, ms } satisfies Task);
    const [{ made, ms: took }] = (await once(each, "message")) as [{ made: number; ms: number }];
    return (made * 1000) / took;
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

/** Runs both in turns, after one of the first that does not count. @returns the medians, and that of the ratios */
async function against(one: () => Promise<number>, other: () => Promise<number>) {
  const pairs: [number, number][] = [];
  await one();
  for (let turn = 0; turn < turns; turn += 1) pairs.push([await one(), await other()]);
  return {
    rate: median(pairs.map(([rate]) => rate)),
    reference: median(pairs.map(([, rate]) => rate)),
    ratio: median(pairs.map(([rate, reference]) => rate / reference)),
  };
}

function claim(name: string, figures: Awaited<ReturnType<typeof against>>, least: number): void {
  const { rate, reference, ratio } = figures;
  const holds = ratio >= least;
  if (!holds) process.exitCode = 1;
  print(
    `${name}: ${show(rate)}/s; reference ${show(reference)}/s; ratio ${ratio.toFixed(2)}, ` +
      `at least ${least}: ${holds ? "holds" : "MISSED"}`,
  );
}

/**
 * The rows that a batch of 100 leaves, put into the tables they are in by one insert for each table,
 * in one transaction; each time under another organisation, so that they are new.
 */
async function plainInserts(cluster: Cluster) {
  const client = new Client({ connectionString: databaseIn(cluster, "acct") });
  await client.connect();
  const { rows: filled } = await client.query<{ table: string; columns: string }>(`
    select table_name as "table", string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns where column_name <> 'org' and table_name in
    ('document', 'document_line', 'journal', 'posting', 'history', 'balance', 'sequence')
    group by table_name`);
  const statements: { text: string; values: unknown[] }[] = [];
  for (const { table, columns } of filled) {
    const { rows } = await client.query({
      text: `select ${columns} from "${table}" where org = 1`,
      rowMode: "array",
    });
    const width = rows[0]?.length ?? 0;
    const marks = rows.map((_, row) => {
      const own = Array.from({ length: width }, (_each, at) => `$${row * width + at + 2}`);
      return `($1, ${own.join(", ")})`;
    });
    const text = `insert into "${table}" (org, ${columns}) values ${marks.join(", ")}`;
    if (width > 0) statements.push({ text, values: rows.flat() });
  }
  let org = 1_000_000;
  const run = async () => {
    const began = performance.now();
    let made = 0;
    while (performance.now() - began < seconds * 1000) {
      org += 1;
      await client.query("begin");
      for (const [at, { text, values: row }] of statements.entries()) {
        await client.query({ name: `plain_${at}`, text, values: [org, ...row] });
      }
      await client.query("commit");
      made += 100;
    }
    return (made * 1000) / (performance.now() - began);
  };
  return { run, end: () => client.end() };
}

const cluster = await startCluster({ durable: true });
try {
  await prepare(cluster);
  print(`medians of ${turns} turns of ${seconds} s; commits on disk`);
  const [first] = await processes(cluster, 1);
  const one = [first as ChildProcess];
  // The first hundred are the rows that plain inserts repeat.
  await created(one, { clients: 1, batch: 100, organisations: 1 }, { ms: 1 });
  const plain = await plainInserts(cluster);
  const batches = { clients: 1, batch: 100, organisations: 1 };
  const batched = await against(() => created(one, batches), plain.run);
  await plain.end();
  claim("batches of 100, against the same rows by plain inserts", batched, leastOfBatches);
  await acquaint(cluster);
  await created(one, { clients: 16, batch: 1, organisations }, { ms: warmMs });
  for (const used of [1, organisations]) {
    for (const clients of [1, 4, 16]) {
      const task = { clients, batch: 1, organisations: used };
      const figures = await against(
        () => created(one, task),
        async () => pgbench(cluster, clients),
      );
      const name = `one by one, ${clients} clients, ${used} organisations, against pgbench`;
      claim(name, figures, leastOfOnes);
    }
  }
  for (const used of [1, organisations]) {
    const task = { clients: 16, batch: 1, organisations: used };
    for (const count of [2, 4]) {
      const several = await processes(cluster, count);
      for (const each of several) await created([each], task, { ms: warmMs });
      for (const isRouted of [false, true]) {
        const figures = await against(
          () => created(several, task, { isRouted }),
          () => created(one, task),
        );
        const way = isRouted ? "each organisation at one of them" : "any of them";
        claim(
          `${count} processes, 16 clients, ${used} organisations, ${way}, against one`,
          figures,
          1,
        );
      }
      await end(several);
    }
  }
  await end(one);
} finally {
  await cluster.stop();
}
process.exit();
