/** What is measured on PostgreSQL in turns, by this process and those it starts, and what is claimed of it. */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Cluster } from "../test/postgres/cluster.ts";
import { print, root } from "./measure.ts";

/** Of pgbench: a hundred thousand accounts each. */
const scale = 10;

/** A process that writes takes that long until an invoice costs it no less from then on. */
export const warmMs = 30_000;

/** The address of another database of a server. */
export function databaseIn({ url }: Cluster, name: string): string {
  const address = new URL(url);
  address.pathname = name;
  return address.href;
}

/** @param database  empty; pgbench makes its tables in it */
export function preparePgbench(cluster: Cluster, database: string): void {
  const words = ["-i", "-q", "-s", String(scale), databaseIn(cluster, database)];
  execFileSync(join(cluster.programs, "pgbench"), words, { stdio: "ignore" });
}

/** @returns its transactions per second, TPC-B-like */
export function pgbench(cluster: Cluster, database: string, clients: number, seconds: number) {
  const words = ["-c", String(clients), "-j", "2", "-T", String(seconds)];
  const said = execFileSync(
    join(cluster.programs, "pgbench"),
    [...words, databaseIn(cluster, database)],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  return Number(/tps = ([\d.]+)/.exec(said)?.[1]);
}

/**
 * Starts a process of this folder, with Node's code on large pages as `acct serve` has it; it says
 * when it is ready. A fault in it ends this one too.
 */
export async function started(file: string, ...words: string[]): Promise<ChildProcess> {
  const child = fork(join(root, "bench", file), words, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: ["--use-largepages=silent"],
  });
  child.once("exit", (code) => code === 0 || process.exit(1));
  await once(child, "message");
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}

/** Has a process do something. @returns invoices per second */
export async function created(by: ChildProcess, task: object): Promise<number> {
  by.send(task);
  const [{ made, ms }] = (await once(by, "message")) as [{ made: number; ms: number }];
  return (made * 1000) / ms;
}

/** Rates of one thing and of what it is measured against, for each turn. */
export type Turns = readonly (readonly [rate: number, reference: number])[];

/** Runs both in turns, after one of each that does not count. */
export async function inTurns(
  turns: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<Turns> {
  const pairs: [number, number][] = [];
  await one();
  await other();
  for (let turn = 0; turn < turns; turn += 1) pairs.push([await one(), await other()]);
  return pairs;
}

export function median(all: readonly number[]): number {
  const sorted = [...all].sort((a, b) => a - b);
  const [below = Number.NaN, above = below] = sorted.slice((all.length - 1) >> 1);
  return all.length % 2 === 0 ? (below + above) / 2 : below;
}

export const show = (rate: number) => rate.toFixed(0).padStart(6);

/**
 * Prints the medians of both, and that of their ratios in each turn.
 *
 * @param least  what that is to be at least
 */
export function claim(name: string, turns: Turns, least: number): void {
  const [rates, references] = [turns.map(([rate]) => rate), turns.map(([, rate]) => rate)];
  const ratio = median(turns.map(([rate, reference]) => rate / reference));
  const holds = ratio >= least;
  if (!holds) process.exitCode = 1;
  print(
    `${name}: ${show(median(rates))}/s; reference ${show(median(references))}/s; ` +
      `ratio ${ratio.toFixed(2)}, at least ${least.toFixed(2)}: ${holds ? "holds" : "MISSED"}`,
  );
}
