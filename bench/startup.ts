/**
 * What starting costs, against Node doing nothing: the version, help, and reads of the sample company.
 *
 * With `--modules`, the modules that each command runs and what the top level of each takes, slowest
 * first: `node bench/startup.ts --modules invoice list`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { modules: { type: "boolean", default: false } },
});

/** Commands, and how many times what Node takes they may take. */
const commands: readonly (readonly [words: string, most: number])[] = [
  ["--version", 1.1],
  ["help invoice", 1.4],
  ["--demo invoice list", 2.0],
  ["--demo invoice show INV-0115", 2.0],
  ["--demo account list", 2.0],
  ["--demo contact list", 2.0],
  ["--demo report pl", 2.0],
  ["--demo status", 2.0],
];

await inScratch(async (folder) => {
  print(`Node ${process.version}`);
  if (values.modules) return printModules(folder, positionals);
  const [bare, ...figures] = compare([
    { name: "node -e 0", args: ["-e", "0"] },
    ...commands.map(([words]) => ({ name: `acct ${words}`, args: [acct, ...words.split(" ")] })),
  ]);
  if (bare === undefined) return;
  for (const [index, figure] of figures.entries()) claim(figure, bare, commands[index]?.[1] ?? 0);
});

async function printModules(folder: string, words: readonly string[]): Promise<void> {
  const { markedProgram } = await import("./modules.ts");
  const run = await markedProgram(join(folder, "marked"));
  // The first run makes the sample company, the second keeps code that all others read back.
  const runs = Array.from({ length: 9 }, () => run(["--demo", ...words])).slice(2);
  const least = new Map<string, number>();
  for (const { name, ms } of runs.flatMap(({ modules }) => modules)) {
    least.set(name, Math.min(ms, least.get(name) ?? ms));
  }
  const sum = [...least.values()].reduce((sum, ms) => sum + ms, 0);
  print(`${runs[0]?.files.join(", ")}; ${least.size} modules, ${sum.toFixed(2)} ms`);
  for (const [name, ms] of [...least].sort(([, a], [, b]) => b - a)) {
    print(`${ms.toFixed(3)} ms  ${name}`);
  }
}
