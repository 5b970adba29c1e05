/** What hledger makes of an exported ledger: figures per account and month, in cents. */
import { spawnSync } from "node:child_process";

export const hasHledger = spawnSync("hledger", ["--version"]).status === 0;
if (!hasHledger)
  console.log("left out, because hledger is not installed: its checks of the ledger");

/** Figures by account, one for each month. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** Runs hledger on a file. @throws Error with what it said */
export function hledger(file: string, ...words: readonly string[]): string {
  const ran = spawnSync("hledger", ["-f", file, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (ran.status !== 0) throw new Error(`hledger ${words.join(" ")}: ${ran.stderr || ran.stdout}`);
  return ran.stdout;
}

/** A balance report by month; accounts without a leading root are left as hledger names them. */
export function balances(file: string, ...words: readonly string[]): Figures {
  const text = hledger(file, "bal", "-M", "-E", "-N", "--flat", "-O", "csv", ...words);
  const [, ...rows] = text.trim().split("\n").map(cellsOf);
  return new Map(rows.map(([account = "", ...amounts]) => [account, amounts.map(centsOf)]));
}

/** hledger quotes every cell. */
function cellsOf(row: string): string[] {
  return [...row.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = ""]) => cell.replaceAll('""', '"'));
}

/** `-80.00 NZD`, or 0. */
function centsOf(amount: string): number {
  const match = /^(-?)(\d+)(?:\.(\d\d))?(?: [A-Z]{3})?$/.exec(amount);
  if (match === null) throw new Error(`hledger gave an amount that cannot be read: ${amount}`);
  const cents = Number(match[2]) * 100 + Number(match[3] ?? 0);
  return match[1] === "-" && cents !== 0 ? -cents : cents;
}
