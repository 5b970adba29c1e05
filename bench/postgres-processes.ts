/**
 * Several processes of the service on one database, measured against one as users run them: `acct
 * serve --processes` on a port, and the clients in a process of their own.
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
  /** Whether to tell how long each side worked for an invoice. */
  readonly tellsCpu: boolean;
}

interface Work {
  readonly name: string;
  /** Of the servers together. */
  readonly clients: number;
  /** Invoices in a request. */
  readonly batch: number;
}

/** Of one against another one first: as far as those differ, several are no slower than one. */
const counts = [1, 2, 4];
/** Databases: with the books, and with a copy of them. */
const books = "acct";
const copy = "alone";
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
  readonly server: Server;
  readonly load: ChildProcess;
  readonly cluster: Cluster;
}

interface Round extends Omit<Workers, "server"> {
  readonly count: number;
  /** The one on which so many processes work, and that of the one they are measured against. */
  readonly databases: readonly [string, string];
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
    let least = 1;
    for (const count of counts) {
      const rates = works.map((): Turns[number][] => []);
      for (let round = 0; round < options.rounds; round += 1) {
        const those = callers.slice(0, used);
        // One database may be faster than its copy.
        const databases = round % 2 === 0 ? ([books, copy] as const) : ([copy, books] as const);
        const workers = { cluster, load, count, databases };
        const measured = await measureRound(workers, those, options);
        for (const [at, turns] of measured.entries()) rates[at]?.push(...turns);
      }
      const ratios = works.map(({ name }, at) => {
        const full = `${count} processes, ${name}, ${used} organisations, against one`;
        return claim(full, rates[at] as Turns, count === 1 ? undefined : least);
      });
      if (count === 1) least = Math.min(least, ...ratios);
    }
  }
  await end(load);
}

/** Starts new processes, and measures them. @returns the turns of each of the works */
async function measureRound(
  { count, databases: [own, other], ...rest }: Round,
  callers: readonly Caller[],
  { seconds, turns, tellsCpu }: ProcessesOptions,
): Promise<readonly Turns[]> {
  const one = await serve(databaseIn(rest.cluster, other), 1);
  const several = await serve(databaseIn(rest.cluster, own), count);
  const ask = async (server: Server, { clients, batch }: Work, ms = seconds * 1000) => {
    const doing = () => created(rest.load, { clients, batch, server: server.url, callers, ms });
    return tellsCpu ? withCpu({ server, ...rest }, ms, doing) : doing();
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
  for (const each of [one, several]) await endServer(each);
  return measured;
}

/** Does it, and prints how long each side worked for one invoice. */
async function withCpu(
  { server, load, cluster }: Workers,
  ms: number,
  rateOf: () => Promise<number>,
): Promise<number> {
  const all = [load.pid, postmaster(cluster), server.process.pid];
  const now = () => all.map((pid) => cpuMs(pid as number));
  const before = now();
  const rate = await rateOf();
  const made = (rate * ms) / 1000;
  const [clients, postgres, ours] = now().map((after, at) =>
    ((after - (before[at] as number)) / made).toFixed(2),
  );
  print(
    `  ${show(rate)}/s; ms of CPU for an invoice: ${ours}, ` +
      `PostgreSQL ${postgres}, clients ${clients}`,
  );
  return rate;
}

/** The process of the server that starts all others. */
function postmaster({ url }: Cluster): number {
  const folder = new URL(url).searchParams.get("host") ?? "";
  return Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10);
}
