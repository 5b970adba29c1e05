/**
 * Invoices created per second on PostgreSQL, against what the same server does at its simplest.
 *
 * A server of its own is started, with every commit on disk before it is answered. In turns with the
 * creates it runs pgbench (TPC-B-like) with as many clients, and, for batches, puts the same rows
 * into the same tables by plain inserts of many rows. There the clients are in the process that does
 * the work, without a port between.
 *
 * Several processes are measured against one as users run them: `acct serve` on ports, and the
 * clients in a process of their own. Medians of turns; only the ratios mean much.
 *
 * `node bench/postgres.ts --seconds 3 --turns 3`. `--only processes` measures that part alone:
 * batches, one or processes. `--cpu` also tells, on Linux, how long each server and PostgreSQL
 * worked for an invoice over a port.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { createBookIn, openBookIn } from "../src/service/book.ts";
import { organisations as known } from "../src/store/organisations.ts";
import { postgresStore } from "../src/store/postgres.ts";
import { type Cluster, startCluster } from "../test/postgres/cluster.ts";
import { cpuMs } from "./cpu.ts";
import { inScratch, print, root } from "./measure.ts";
import type { Task } from "./postgres-client.ts";
import { customers, invoice, put } from "./postgres-invoices.ts";
import type { Caller, Load } from "./postgres-load.ts";
import { callersIn, endServer, type Server, serve } from "./postgres-servers.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    turns: { type: "string", default: "3" },
    organisations: { type: "string", default: "100" },
    only: { type: "string" },
    cpu: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
const turns = Number(values.turns);
const organisations = Number(values.organisations);
const isAsked = (part: string) => values.only === undefined || values.only === part;
/** New processes run slowly at first, each by itself; those that serve have run for long. */
const warmMs = 6000;
/** Of pgbench: a hundred thousand accounts each. */
const scale = 10;
const leastOfOnes = 0.3;
const leastOfBatches = 0.35;
const leastOfProcesses = 1;
/** Of the servers together. */
const portClients = 16;

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

/** Starts a process of this folder, which says when it is ready. A fault in it ends this one too. */
async function started(file: string, ...words: string[]): Promise<ChildProcess> {
  const child = fork(join(root, "bench", file), words, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.once("exit", (code) => code === 0 || process.exit(1));
  await once(child, "message");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}

/** Has a process do something. @returns invoices per second */
async function created(by: ChildProcess, task: Task | Load): Promise<number> {
  by.send(task);
  const [{ made, ms }] = (await once(by, "message")) as [{ made: number; ms: number }];
  return (made * 1000) / ms;
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

async function measureBatches(cluster: Cluster, client: ChildProcess): Promise<void> {
  const task = { clients: 1, batch: 100, organisations: 1 };
  // The first hundred are the rows that plain inserts repeat.
  await created(client, { ...task, ms: 1 });
  const plain = await plainInserts(cluster);
  const figures = await against(() => created(client, { ...task, ms: seconds * 1000 }), plain.run);
  await plain.end();
  claim("batches of 100, against the same rows by plain inserts", figures, leastOfBatches);
}

async function measureOnes(cluster: Cluster, client: ChildProcess): Promise<void> {
  await created(client, { clients: 16, batch: 1, organisations, ms: warmMs });
  for (const used of [1, organisations]) {
    for (const clients of [1, 4, 16]) {
      const task = { clients, batch: 1, organisations: used, ms: seconds * 1000 };
      const figures = await against(
        () => created(client, task),
        async () => pgbench(cluster, clients),
      );
      const name = `one by one, ${clients} clients, ${used} organisations, against pgbench`;
      claim(name, figures, leastOfOnes);
    }
  }
}

/**
 * Servers of one database have to do with each other, so the one that several are measured against
 * has a copy of theirs.
 */
async function measureProcesses(cluster: Cluster): Promise<void> {
  const callers = await callersIn(databaseIn(cluster, "acct"), organisations);
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  await client.query("create database alone template acct");
  await client.end();
  const load = await started("postgres-load.ts");
  const ask = async (servers: readonly Server[], those: readonly Caller[], ms = seconds * 1000) => {
    const urls = servers.map(({ url }) => url);
    const task = { clients: portClients, servers: urls, callers: those, ms };
    const workers = { servers, load, cluster };
    return values.cpu ? withCpu(workers, ms, () => created(load, task)) : created(load, task);
  };
  for (const used of [1, organisations]) {
    const those = callers.slice(0, used);
    for (const count of [2, 4]) {
      const one = await serve(databaseIn(cluster, "alone"));
      const several: Server[] = [];
      while (several.length < count) several.push(await serve(databaseIn(cluster, "acct")));
      // The longer a process has run, the less an invoice costs it: all have the same behind them.
      for (const servers of [...several.map((each) => [each]), several]) {
        await ask(servers, those, warmMs);
        await ask([one], those, warmMs);
      }
      const figures = await against(
        () => ask(several, those),
        () => ask([one], those),
      );
      const name = `${count} processes, ${portClients} clients, ${used} organisations, against one`;
      claim(name, figures, leastOfProcesses);
      for (const each of [one, ...several]) await endServer(each);
    }
  }
  await end(load);
}

interface Workers {
  readonly servers: readonly Server[];
  readonly load: ChildProcess;
  readonly cluster: Cluster;
}

/** Does it, and prints how long each worked for one invoice. */
async function withCpu(
  { servers, load, cluster }: Workers,
  ms: number,
  rateOf: () => Promise<number>,
): Promise<number> {
  const all = [load.pid, postmaster(cluster), ...servers.map((each) => each.process.pid)];
  const now = () => all.map((pid) => cpuMs(pid as number));
  const before = now();
  const rate = await rateOf();
  const made = (rate * ms) / 1000;
  const [clients, postgres, ...each] = now().map((after, at) =>
    ((after - (before[at] as number)) / made).toFixed(2),
  );
  print(
    `  ${show(rate)}/s; ms of CPU for an invoice: ${each.join(" + ")}, ` +
      `PostgreSQL ${postgres}, clients ${clients}`,
  );
  return rate;
}

/** The process of the server that starts all others. */
function postmaster({ url }: Cluster): number {
  const folder = new URL(url).searchParams.get("host") ?? "";
  return Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10);
}

async function measure(cluster: Cluster): Promise<void> {
  await prepare(cluster);
  print(`medians of ${turns} turns of ${seconds} s; commits on disk`);
  const client = await started("postgres-client.ts", databaseIn(cluster, "acct"));
  if (isAsked("batches")) await measureBatches(cluster, client);
  if (isAsked("one") || isAsked("processes")) await acquaint(cluster);
  if (isAsked("one")) await measureOnes(cluster, client);
  await end(client);
  if (isAsked("processes")) await measureProcesses(cluster);
}

// What it says is shown when it fails.
if (isAsked("processes")) execFileSync("npm", ["run", "build"], { cwd: root, stdio: "pipe" });
await inScratch(async () => {
  const cluster = await startCluster({ durable: true });
  try {
    await measure(cluster);
  } finally {
    await cluster.stop();
  }
});
process.exit();
