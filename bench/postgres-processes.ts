/**
 * Several processes of the service on one database, measured against one as users run them: `acct
 * serve --processes` on a port, and the clients in a process of their own.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { writersAmong } from "../src/service/processes/placing.ts";
import type { Cluster } from "../test/postgres/cluster.ts";
import { cpuMs } from "./cpu.ts";
import { print } from "./measure.ts";
import type { Caller } from "./postgres-load.ts";
import { callersIn, endServer, type Server, serve } from "./postgres-servers.ts";
import { created, databaseIn, end, median, show, started, warmMs } from "./postgres-turns.ts";

export interface ProcessesOptions {
  /** How many organisations are worked on, one after the other. */
  readonly organisations: readonly number[];
  readonly seconds: number;
  /** In each round. */
  readonly turns: number;
  /**
   * How often new processes are started, at least twice. Two of the same program differ by a tenth or
   * more, for minutes: what a round says of them is one observation, and no more.
   */
  readonly rounds: number;
  /** Whether to tell how long each side worked for an invoice. */
  readonly tellsCpu: boolean;
}

/** Invoices per second of each server, one after the other. */
type Turn = number[];
/** Of each work. */
type Round = Turn[][];

interface Work {
  readonly name: string;
  /** Of the servers together. */
  readonly clients: number;
  /** Invoices in a request. */
  readonly batch: number;
}

/** How many processes each server has. The first ones are what the others are measured against. */
const counts = [1, 1, 2, 4];
const ones = 2;
/** Several are slower when they are by more than so many standard errors. */
const errorsMax = 2;
/** The database with the books; each server has a copy, since those of one database wait for each other. */
const books = "acct";
const copies = counts.map((_, at) => `${books}_${at}`);
const batches: Work = { name: "batches of 100, 4 clients", clients: 4, batch: 100 };
const works: readonly Work[] = [
  { name: "one by one, 16 clients", clients: 16, batch: 1 },
  { name: "one by one, 4 clients", clients: 4, batch: 1 },
  { name: "one by one, 1 client", clients: 1, batch: 1 },
  batches,
];
/** Batches come first, so that every server knows the customers of all organisations. */
const knownMs = 8_000;
const warmTurns = 5;

/** What works while something is measured. */
interface Workers {
  readonly server: Server;
  readonly load: ChildProcess;
  readonly cluster: Cluster;
}

export async function measureProcesses(cluster: Cluster, options: ProcessesOptions): Promise<void> {
  const load = await started("postgres-load.ts");
  for (const used of options.organisations) {
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      // Their tokens count for half an hour.
      const callers = await callersIn(databaseIn(cluster, books), used);
      await copyBooks(cluster);
      rounds.push(await measureRound({ load, cluster }, callers, options));
    }
    for (const [work, { name }] of works.entries()) {
      const turns = rounds.map((round) => round[work] as Turn[]);
      for (const at of counts.keys()) {
        if (at > 0) tell(`${counts[at]} processes, ${name}, ${used} organisations`, turns, at);
      }
    }
  }
  await end(load);
}

/**
 * Prints how fast a server was against one process, with the standard error of that over the rounds:
 * the second single process against the first, the others against both.
 */
function tell(name: string, rounds: readonly (readonly Turn[])[], at: number): void {
  const logs = rounds.map((turns) =>
    median(turns.map((turn) => Math.log(turn[at] as number) - reference(turn, at))),
  );
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const squares = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const all = rounds.flat();
  const holds = mean + errorsMax * error >= 0;
  if (at >= ones && !holds) process.exitCode = 1;
  const claimed = at < ones ? "" : `, no slower: ${holds ? "holds" : "MISSED"}`;
  print(
    `${name}, against one: ${show(median(all.map((turn) => turn[at] as number)))}/s; ` +
      `reference ${show(median(all.map((turn) => Math.exp(reference(turn, at)))))}/s; ` +
      `ratio ${Math.exp(mean).toFixed(2)} ± ${error.toFixed(2)}${claimed}`,
  );
}

/** The logarithm of the rate of those that come first: of both, or of the first for the second. */
function reference(turn: Turn, at: number): number {
  const logs = turn.slice(0, Math.min(at, ones)).map(Math.log);
  return logs.reduce((sum, each) => sum + each, 0) / logs.length;
}

/** Makes the copies, anew where there are any. */
async function copyBooks({ url }: Cluster): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const copy of copies) {
    await client.query(`drop database if exists ${copy}`);
    await client.query(`create database ${copy} template ${books}`);
  }
  await client.end();
}

/** The servers by their numbers, in any order: who comes before leaves something behind. */
function shuffled(): number[] {
  return [...counts.keys()]
    .map((at) => ({ at, by: Math.random() }))
    .sort((one, other) => one.by - other.by)
    .map(({ at }) => at);
}

/** Starts new processes, and measures them. */
async function measureRound(
  rest: Omit<Workers, "server">,
  callers: readonly Caller[],
  { seconds, turns, tellsCpu }: ProcessesOptions,
): Promise<Round> {
  const servers: Server[] = [];
  for (const at of shuffled()) {
    const database = databaseIn(rest.cluster, copies[at] as string);
    servers[at] = await serve(database, counts[at] as number);
  }
  const ask = (server: Server, { clients, batch }: Work, ms: number) => {
    const doing = () => created(rest.load, { clients, batch, server: server.url, callers, ms });
    return tellsCpu ? withCpu({ server, ...rest }, ms, doing) : doing();
  };
  const turn = async (work: Work, msOf: (at: number) => number = () => seconds * 1000) => {
    const rates: Turn = [];
    for (const at of shuffled()) rates[at] = await ask(servers[at] as Server, work, msOf(at));
    return rates;
  };
  await turn(batches, () => knownMs);
  // Before that, the luck of how far each has got would be measured.
  for (let time = 0; time < warmTurns; time += 1) {
    await turn(works[0] as Work, (at) => {
      const writers = writersAmong(counts[at] as number, availableParallelism());
      return (Math.min(writers, callers.length) * warmMs) / warmTurns;
    });
  }
  const measured: Round = [];
  for (const work of works) {
    // The first does not count.
    await turn(work);
    const rates: Turn[] = [];
    for (let time = 0; time < turns; time += 1) rates.push(await turn(work));
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
