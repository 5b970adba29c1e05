/**
 * Invoices created per second on PostgreSQL, against what the same server does at its simplest.
 *
 * A server of its own is started, with every commit on disk before it is answered. In turns with the
 * creates it runs pgbench (TPC-B-like) with as many clients, and, for batches, puts the same rows
 * into the same tables by plain inserts of many rows. There the clients are in the process that does
 * the work, without a port between.
 *
 * Medians of turns; only the ratios mean much. `node bench/postgres.ts --seconds 3 --turns 3`;
 * `--only batches` or `--only one` measures that part alone.
 */
import type { ChildProcess } from "node:child_process";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { createBookIn, openBookIn } from "../src/service/books/book.ts";
import { postgresStore } from "../src/store/dialects/postgres/postgres.ts";
import { listBooks as known } from "../src/store/records/organisations.ts";
import { type Cluster, startCluster } from "../test/postgres/cluster.ts";
import { inScratch, print } from "./measure.ts";
import { customers, invoice, put } from "./postgres-invoices.ts";
import {
  claim,
  created,
  databaseIn,
  end,
  inTurns,
  pgbench,
  preparePgbench,
  started,
  warmMs,
} from "./postgres-turns.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    turns: { type: "string", default: "3" },
    organisations: { type: "string", default: "100" },
    only: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const turns = Number(values.turns);
const organisations = Number(values.organisations);
const isAsked = (part: string) => values.only === undefined || values.only === part;
const leastOfOnes = 0.3;
const leastOfBatches = 0.35;

async function prepare(cluster: Cluster): Promise<void> {
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  for (const name of ["bench", "acct"]) await client.query(`create database ${name}`);
  await client.end();
  preparePgbench(cluster, "bench");
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
  const ours = () => created(client, { ...task, ms: seconds * 1000 });
  const rates = await inTurns(turns, ours, plain.run);
  await plain.end();
  claim("batches of 100, against the same rows by plain inserts", rates, leastOfBatches);
}

async function measureOnes(cluster: Cluster, client: ChildProcess): Promise<void> {
  await created(client, { clients: 16, batch: 1, organisations, ms: warmMs });
  for (const used of [1, organisations]) {
    for (const clients of [1, 4, 16]) {
      const task = { clients, batch: 1, organisations: used, ms: seconds * 1000 };
      const rates = await inTurns(
        turns,
        () => created(client, task),
        async () => pgbench(cluster, "bench", clients, seconds),
      );
      const name = `one by one, ${clients} clients, ${used} organisations, against pgbench`;
      claim(name, rates, leastOfOnes);
    }
  }
}

async function measure(cluster: Cluster): Promise<void> {
  await prepare(cluster);
  print(`medians of ${turns} turns of ${seconds} s; commits on disk`);
  const client = await started("postgres-client.ts", databaseIn(cluster, "acct"));
  if (isAsked("batches")) await measureBatches(cluster, client);
  if (isAsked("one")) {
    await acquaint(cluster);
    await measureOnes(cluster, client);
  }
  await end(client);
}

await inScratch(async () => {
  const cluster = await startCluster({ durable: true });
  try {
    await measure(cluster);
  } finally {
    await cluster.stop();
  }
});
process.exit();
