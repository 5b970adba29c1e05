/**
 * Runs the simulation: `npm run simulate -- --seed N --steps N --minutes M --database sqlite`.
 *
 * With `--minutes` one seed follows the other until the time is up; the first that fails ends it.
 */
import { parseArgs } from "node:util";
import { files, server } from "./databases.ts";
import { describeFailure, runSeed } from "./run.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    steps: { type: "string", default: "200" },
    minutes: { type: "string", default: "0" },
    database: { type: "string", default: "sqlite" },
    "no-shrink": { type: "boolean", default: false },
  },
});

const databases = values.database === "postgres" ? await server() : files();
const totals = { steps: 0, done: 0, refused: 0 };
const began = performance.now();
const until = began + Number(values.minutes) * 60_000;
const count = Number(values.steps);
let failed = false;
for (let seed = Number(values.seed); ; seed += 1) {
  const failure = await runSeed(databases, { seed, count, shrinks: !values["no-shrink"] }, totals);
  if (failure !== undefined) {
    process.stdout.write(`${describeFailure(failure, databases.name)}\n`);
    failed = true;
    break;
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `seed ${seed}: ${count} steps, nothing broke; ${totals.steps} steps in ${seconds} s, ` +
      `${totals.done} writes acknowledged, ${totals.refused} refused\n`,
  );
  if (performance.now() >= until) break;
}
await databases.close();
process.exitCode = failed ? 1 : 0;
