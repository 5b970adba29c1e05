/** Runs lists of steps, and looks for the shortest that fails. */
import type { Databases } from "./databases.ts";
import { shrink } from "./shrink.ts";
import { Simulation } from "./simulation.ts";
import { describeStep, type Step, stepsOf } from "./steps.ts";

/** What broke. */
export interface Broken {
  /** The number of the step, from 1. */
  readonly at: number;
  readonly message: string;
}

export interface Failure extends Broken {
  readonly seed: number;
  /** The shortest list found that fails; undefined where none was looked for. */
  readonly steps: readonly Step[] | undefined;
}

export interface Totals {
  steps: number;
  done: number;
  refused: number;
  /** Faults that have struck. */
  faults: number;
}

/** Takes the steps one after the other. @returns what broke; undefined when nothing did */
export async function runSteps(
  databases: Databases,
  { steps, asPrograms }: { readonly steps: readonly Step[]; readonly asPrograms: boolean },
  totals?: Totals,
): Promise<Broken | undefined> {
  const simulation = await Simulation.open(databases, asPrograms);
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
      totals.faults += simulation.faultsMet;
    }
    await simulation.close();
  }
}

/** Lists that are tried to find a shorter one. */
const triesMax = 150;

export interface Asked {
  readonly seed: number;
  /** Steps. */
  readonly count: number;
  /** Whether the shortest list that fails is looked for. */
  readonly shrinks: boolean;
  /** Whether servers and command lines are programs of their own. */
  readonly asPrograms: boolean;
  /** Is told what broke before a shorter list is looked for, which of programs takes an hour. */
  readonly onBroken?: (broken: Broken) => void;
}

/** Runs the steps of a seed; what fails is made as short as it can be. */
export async function runSeed(
  databases: Databases,
  { seed, count, shrinks, asPrograms, onBroken }: Asked,
  totals?: Totals,
): Promise<Failure | undefined> {
  const steps = stepsOf(seed, count);
  const broken = await runSteps(databases, { steps, asPrograms }, totals);
  if (broken === undefined) return undefined;
  onBroken?.(broken);
  const upTo = steps.slice(0, broken.at);
  const fails = async (fewer: readonly Step[]) =>
    (await runSteps(databases, { steps: fewer, asPrograms })) !== undefined;
  const shortest = shrinks ? await shrink(upTo, fails, triesMax) : undefined;
  return { seed, ...broken, steps: shortest };
}

/** A failure for people: what broke, and how to see it again. @param flags  of the program */
export function describeFailure({ seed, at, message, steps }: Failure, flags: string): string {
  return [
    `Seed ${seed} fails at step ${at}:`,
    message,
    ...(steps === undefined ? [] : [`The shortest list of steps that fails has ${steps.length}:`]),
    ...(steps ?? []).map((each, index) => `  ${index + 1}. ${describeStep(each)}`),
    `Again: npm run simulate -- ${flags} --seed ${seed} --steps ${at}`,
  ].join("\n");
}
