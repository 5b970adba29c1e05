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
import { claim, created, databaseIn, end, show, started } from "./postgres-turns.ts";

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

/**
 * What others are measured against. Another one is, too: as far as these two of the same differ, more
 * or less, several are no slower.
 */
const one = 1;
const counts = [one, 2, 4];
/** The database with the books; each server has a copy, since those of one database wait for each other. */
const books = "acct";
const works: readonly Work[] = [
  { name: "one by one, 16 clients", clients: 16, batch: 1 },
  { name: "one by one, 4 clients", clients: 4, batch: 1 },
  { name: "one by one, 1 client", clients: 1, batch: 1 },
  { name: "batches of 100, 4 clients", clients: 4, batch: 100 },
];
/** The longer a process has run, the less an invoice costs it: all have the same behind them. */
const warmMs = 20_000;
const warmTurns = 5;

/** What works while something is measured. */
interface Workers {
  readonly server: Server;
  readonly load: ChildProcess;
  readonly cluster: Cluster;
}

export async function measureProcesses(cluster: Cluster, options: ProcessesOptions): Promise<void> {
  const callers = await callersIn(databaseIn(cluster, books), Math.max(...options.organisations));
  const copies = [one, ...counts].map((_, at) => `${books}_${at}`);
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  for (const copy of copies) await client.query(`create database ${copy} template ${books}`);
  await client.end();
  const load = await started("postgres-load.ts");
  for (const used of options.organisations) {
    /** Of each work, what each server made in each turn. */
    const rates = works.map((): number[][] => []);
    for (let round = 0; round < options.rounds; round += 1) {
      const measured = await measureRound(
        { load, cluster },
        callers.slice(0, used),
        copies,
        options,
      );
      for (const [at, turns] of measured.entries()) rates[at]?.push(...turns);
      // One database may be faster than its copy.
      copies.push(...copies.splice(0, 1));
    }
    let least = 1;
    for (const [at, count] of counts.entries()) {
      const ratios = works.map(({ name }, work) => {
        const pairs = rates[work]?.map((turn) => [turn[at + 1], turn[0]] as [number, number]);
        const full = `${count} processes, ${name}, ${used} organisations, against one`;
        return claim(full, pairs ?? [], count === one ? undefined : least);
      });
      if (count === one) least = Math.min(...ratios, ...ratios.map((ratio) => 1 / ratio));
    }
  }
  await end(load);
}

/** Starts new processes, and measures them. @returns of each work what each server made in each turn */
async function measureRound(
  rest: Omit<Workers, "server">,
  callers: readonly Caller[],
  copies: readonly string[],
  { seconds, turns, tellsCpu }: ProcessesOptions,
): Promise<readonly number[][][]> {
  const servers: Server[] = [];
  for (const [at, count] of [one, ...counts].entries()) {
    servers.push(await serve(databaseIn(rest.cluster, copies[at] as string), count));
  }
  const ask = (server: Server, { clients, batch }: Work, ms = seconds * 1000) => {
    const doing = () => created(rest.load, { clients, batch, server: server.url, callers, ms });
    return tellsCpu ? withCpu({ server, ...rest }, ms, doing) : doing();
  };
  /** One after the other, each time beginning with another. */
  const turn = async (number: number, work: Work, ms?: number) => {
    const rates: number[] = [];
    for (let next = 0; next < servers.length; next += 1) {
      const at = (number + next) % servers.length;
      rates[at] = await ask(servers[at] as Server, work, ms);
    }
    return rates;
  };
  for (let time = 0; time < warmTurns; time += 1) {
    await turn(time, works[0] as Work, warmMs / warmTurns);
  }
  const measured: number[][][] = [];
  for (const work of works) {
    // The first does not count.
    await turn(0, work);
    const rates: number[][] = [];
    for (let time = 0; time < turns; time += 1) rates.push(await turn(time, work));
    measured.push(rates);
  }
  for (const each of servers) await endServer(each);
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
