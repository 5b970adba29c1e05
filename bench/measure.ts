/**
 * Whole processes timed against each other.
 *
 * Machines differ and drift, so no absolute time means much: the commands of one comparison take
 * turns, and what is claimed is the ratio of their medians in that run.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const acct = join(root, "bin", "acct.js");

export interface Command {
  readonly name: string;
  /** Arguments of this same Node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Timed {
  readonly name: string;
  /** Of one run, in milliseconds. */
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Median of what a run takes of the processor, which depends less on other work on the machine. */
  readonly processorMs: number;
}

const meter = join(root, "bench", "processor-time.cjs");

/** Runs the commands in turn, `runs` times each after two runs that do not count. */
export function compare(commands: readonly Command[], runs = 25): Timed[] {
  const times = commands.map((): number[] => []);
  const processor = commands.map((): number[] => []);
  for (let run = -2; run < runs; run += 1) {
    for (const [index, command] of commands.entries()) {
      const started = process.hrtime.bigint();
      const args = ["--require", meter, ...command.args];
      const { status, stderr, output } = spawnSync(process.execPath, args, {
        stdio: ["ignore", "pipe", "pipe", "pipe"],
        env: { ...process.env, ...command.env },
        maxBuffer: 1 << 28,
      });
      const elapsedMs = Number(process.hrtime.bigint() - started) / 1e6;
      if (status !== 0) throw new Error(`${command.name} failed: ${stderr}`);
      if (run < 0) continue;
      times[index]?.push(elapsedMs);
      processor[index]?.push(Number(output[3]));
    }
  }
  return commands.map(({ name }, index) => {
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    const used = (processor[index] ?? []).sort((a, b) => a - b);
    return {
      name,
      processorMs: used[used.length >> 1] ?? Number.NaN,
      medianMs: sorted[sorted.length >> 1] ?? Number.NaN,
      minMs: sorted[0] ?? Number.NaN,
      maxMs: sorted.at(-1) ?? Number.NaN,
    };
  });
}

/** A figure beside what it is measured against and what it may be at most. */
export function claim(figure: Timed, reference: Timed, most: number): void {
  const ratio = figure.medianMs / reference.medianMs;
  const used = figure.processorMs / reference.processorMs;
  print(
    `${figure.name}: ${show(figure)}; ${reference.name}: ${show(reference)}; ` +
      `of the processor ${figure.processorMs.toFixed(1)} to ${reference.processorMs.toFixed(1)} ms, ` +
      `ratio ${used.toFixed(2)}; ratio ${ratio.toFixed(2)}, at most ${most.toFixed(1)}: ${ratio <= most ? "holds" : "MISSED"}`,
  );
  if (ratio > most) process.exitCode = 1;
}

function show({ medianMs, minMs, maxMs }: Timed): string {
  return `${medianMs.toFixed(1)} ms (${minMs.toFixed(1)} to ${maxMs.toFixed(1)})`;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A folder of its own for one bench, with nothing of the user's in it. */
export async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "acct-bench-"));
  process.env.XDG_DATA_HOME = join(folder, "data");
  process.env.XDG_CONFIG_HOME = join(folder, "config");
  process.env.XDG_CACHE_HOME = join(folder, "cache");
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
