/**
 * Runs the simulation: `npm run simulate -- --seed N --steps N --minutes M --database sqlite`.
 *
 * With `--minutes` one seed follows the other until the time is up; the first that fails ends it. It
 * runs itself once more, with a library that can have its disk fail.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildLibrary, Disk, lacking } from "./disk.ts";
import { plant } from "./plants.ts";
import type { Broken } from "./run.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    steps: { type: "string", default: "200" },
    minutes: { type: "string", default: "0" },
    database: { type: "string", default: "sqlite" },
    "no-shrink": { type: "boolean", default: false },
    /** Servers and command lines are programs of their own, and are killed. */
    processes: { type: "boolean", default: false },
    plant: { type: "string" },
  },
});

const { FAULTY_CONTROL: control, FAULTY_FOLDER: folder, LD_PRELOAD: library } = process.env;
// Programs that it starts are told; the server of a database is none of them.
delete process.env.LD_PRELOAD;

/** Whether there is a disk that can be told to fail, or programs whose clock can be put. */
const needsLibrary = values.database === "sqlite" || values.processes;

if (needsLibrary && lacking === undefined && control === undefined) {
  process.exitCode = runOnDisk();
} else {
  if (control === undefined && needsLibrary) {
    process.stdout.write(`left out, because ${lacking}: disks that fail, clocks that are put\n`);
  }
  process.exitCode = (await simulate()) ? 0 : 1;
}

/** @returns the exit code */
function runOnDisk(): number {
  const home = mkdtempSync(join(tmpdir(), "acct-simulate-"));
  try {
    const books = join(home, "books");
    mkdirSync(books);
    const disk = new Disk(buildLibrary(home), books, join(home, "control"));
    const env = { ...process.env, ...disk.env, FAULTY_SURVIVES: "1" };
    return (
      spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" }).status ?? 1
    );
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** @returns whether nothing broke */
async function simulate(): Promise<boolean> {
  if (values.plant !== undefined) plant(values.plant);
  // What it runs is loaded here, in the process whose disk can fail, with what was planted.
  const { files, server } = await import("./databases.ts");
  const { describeFailure, runSeed } = await import("./run.ts");
  const machine =
    control === undefined || folder === undefined || library === undefined
      ? undefined
      : new Disk(library, folder, control, true);
  const databases = values.database === "postgres" ? await server(machine) : files(machine);
  const flags = `--database ${databases.name}${values.processes ? " --processes" : ""}`;
  const totals = { steps: 0, done: 0, refused: 0, faults: 0 };
  const began = performance.now();
  const until = began + Number(values.minutes) * 60_000;
  const count = Number(values.steps);
  try {
    for (let seed = Number(values.seed); ; seed += 1) {
      const shrinks = !values["no-shrink"];
      const onBroken = ({ at, message }: Broken) => {
        if (!shrinks) return;
        const next = "Looking for the shortest list of steps that fails…";
        process.stdout.write(`Seed ${seed} fails at step ${at}:\n${message}\n${next}\n`);
      };
      const asked = { seed, count, shrinks, asPrograms: values.processes, onBroken };
      const failure = await runSeed(databases, asked, totals);
      if (failure !== undefined) {
        process.stdout.write(`${describeFailure(failure, flags)}\n`);
        return false;
      }
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(
        `seed ${seed}: ${count} steps, nothing broke; ${totals.steps} steps in ${seconds} s, ` +
          `${totals.done} writes acknowledged, ${totals.refused} refused, ${totals.faults} faults met\n`,
      );
      if (performance.now() >= until) return true;
    }
  } finally {
    await databases.close();
  }
}
