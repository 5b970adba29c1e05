/** Runs lists of steps, and looks for the shortest that fails. */
import type { Databases } from "./databases.ts";
import { shrink } from "./shrink.ts";
import { Simulation } from "./simulation.ts";
import { describeStep, type Step, stepsOf } from "./steps.ts";

export interface Failure {
  readonly seed: number;
  /** The number of the step that broke something, from 1. */
  readonly at: number;
  readonly message: string;
  /** The shortest list found that fails; undefined where none was looked for. */
  readonly steps: readonly Step[] | undefined;
}

export interface Totals {
  steps: number;
  done: number;
  refused: number;
}

interface Broken {
  readonly at: number;
  readonly message: string;
}

/** Takes the steps one after the other. @returns what broke; undefined when nothing did */
export async function runSteps(
  databases: Databases,
  steps: readonly Step[],
  totals?: Totals,
): Promise<Broken | undefined> {
  const simulation = await Simulation.open(databases);
  let at = 0;
  try {
    for (const step of steps) {
      at += 1;
      await simulation.take(step);
    }
    await simulation.finish();
    return undefined;
  } catch (error) {
    return { at, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    if (totals !== undefined) {
      totals.steps += at;
      totals.done += simulation.acknowledged.done;
      totals.refused += simulation.acknowledged.refused;
    }
    await simulation.close();
  }
}

/** Lists that are tried to find a shorter one. */
const triesMax = 150;

/** Runs the steps of a seed; what fails is made as short as it can be. */
export async function runSeed(
  databases: Databases,
  { seed, count, shrinks = true }: { seed: number; count: number; shrinks?: boolean },
  totals?: Totals,
): Promise<Failure | undefined> {
  const steps = stepsOf(seed, count);
  const broken = await runSteps(databases, steps, totals);
  if (broken === undefined) return undefined;
  const upTo = steps.slice(0, broken.at);
  const shortest = shrinks
    ? await shrink(
        upTo,
        async (fewer) => (await runSteps(databases, fewer)) !== undefined,
        triesMax,
      )
    : undefined;
  return { seed, ...broken, steps: shortest };
}

/** A failure for people: what broke, and how to see it again. */
export function describeFailure({ seed, at, message, steps }: Failure, database: string): string {
  return [
    `Seed ${seed} fails at step ${at}:`,
    message,
    ...(steps === undefined ? [] : [`The shortest list of steps that fails has ${steps.length}:`]),
    ...(steps ?? []).map((each, index) => `  ${index + 1}. ${describeStep(each)}`),
    `Again: npm run simulate -- --database ${database} --seed ${seed} --steps ${at}`,
  ].join("\n");
}
