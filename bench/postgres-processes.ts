/**
 * Several processes of the service on one database, measured against one as users run them: `acct
 * serve` on ports, and the clients in a process of their own.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { Cluster } from "../test/postgres/cluster.ts";
import { cpuMs } from "./cpu.ts";
import { print } from "./measure.ts";
import type { Caller } from "./postgres-load.ts";
import { callersIn, endServer, type Server, serve } from "./postgres-servers.ts";
import {
  claim,
  created,
  databaseIn,
  end,
  inTurns,
  show,
  started,
  type Turns,
} from "./postgres-turns.ts";

export interface ProcessesOptions {
  /** How many organisations are worked on, one after the other. */
  readonly organisations: readonly number[];
  readonly seconds: number;
  /** In each round. */
  readonly turns: number;
  /**
   * How often new processes are started: two of the same program differ by up to a third, for as long
   * as they run.
   */
  readonly rounds: number;
  /** Whether to tell how long each process worked for an invoice. */
  readonly tellsCpu: boolean;
}

interface Work {
  readonly name: string;
  /** Of the servers together. */
  readonly clients: number;
  /** Invoices in a request. */
  readonly batch: number;
}

/** Databases: with the books, and with a copy of them. */
const books = "acct";
const copy = "alone";
const leastOfProcesses = 1;
const works: readonly Work[] = [
  { name: "one by one, 16 clients", clients: 16, batch: 1 },
  { name: "one by one, 4 clients", clients: 4, batch: 1 },
  { name: "one by one, 1 client", clients: 1, batch: 1 },
  { name: "batches of 100, 4 clients", clients: 4, batch: 100 },
];
/** The longer a process has run, the less an invoice costs it: both sides have the same behind them. */
const warmMs = 20_000;
const warmTurns = 5;

/** What works while something is measured. */
interface Workers {
  readonly servers: readonly Server[];
  readonly load: ChildProcess;
  readonly cluster: Cluster;
}

/**
 * Servers of one database have to do with each other, so the one that several are measured against
 * has a copy of theirs.
 */
export async function measureProcesses(cluster: Cluster, options: ProcessesOptions): Promise<void> {
  const callers = await callersIn(databaseIn(cluster, books), Math.max(...options.organisations));
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`create database ${copy} template ${books}`);
  await client.end();
  const load = await started("postgres-load.ts");
  for (const used of options.organisations) {
    for (const count of [2, 4]) {
      const rates = works.map((): Turns[number][] => []);
      for (let round = 0; round < options.rounds; round += 1) {
        const those = callers.slice(0, used);
        const measured = await measureRound({ cluster, load, count }, those, options);
        for (const [at, turns] of measured.entries()) rates[at]?.push(...turns);
      }
      for (const [at, { name }] of works.entries()) {
        const full = `${count} processes, ${name}, ${used} organisations, against one`;
        claim(full, rates[at] as Turns, leastOfProcesses);
      }
    }
  }
  await end(load);
}

/** Starts new processes, and measures them. @returns the turns of each of the works */
async function measureRound(
  { count, ...rest }: Omit<Workers, "servers"> & { count: number },
  callers: readonly Caller[],
  { seconds, turns, tellsCpu }: ProcessesOptions,
): Promise<readonly Turns[]> {
  const one = [await serve(databaseIn(rest.cluster, copy))];
  const several: Server[] = [];
  while (several.length < count) several.push(await serve(databaseIn(rest.cluster, books)));
  const ask = async (servers: Server[], { clients, batch }: Work, ms = seconds * 1000) => {
    // Fewer clients than servers are each time at others.
    servers.push(...servers.splice(0, 1));
    const urls = servers.map(({ url }) => url);
    const doing = () => created(rest.load, { clients, batch, servers: urls, callers, ms });
    return tellsCpu ? withCpu({ servers, ...rest }, ms, doing) : doing();
  };
  for (let turn = 0; turn < warmTurns; turn += 1) {
    await ask(several, works[0] as Work, warmMs / warmTurns);
    await ask(one, works[0] as Work, warmMs / warmTurns);
  }
  const measured: Turns[] = [];
  for (const work of works) {
    measured.push(
      await inTurns(
        turns,
        () => ask(several, work),
        () => ask(one, work),
      ),
    );
  }
  for (const each of [...one, ...several]) await endServer(each);
  return measured;
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
