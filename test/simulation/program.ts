/** The simulation as people run it, for tests of what it finds. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const program = join(import.meta.dirname, "simulate.ts");

/** @returns its exit code and what it said */
export async function simulate(...flags: readonly string[]) {
  const child = spawn(process.execPath, [program, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, said: stdout + stderr };
}
