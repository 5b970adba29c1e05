/** Colours and weights, by what they mean. */
import type { ChalkInstance } from "chalk";

type Stroke = (text: string) => string;

/** How a text may stand out; each stroke takes no columns. */
export interface Paint {
  /** Headings and section titles. */
  readonly strong: Stroke;
  /** What is there for completeness. */
  readonly faint: Stroke;
  /** Settled: paid, active. */
  readonly good: Stroke;
  /** Under way: approved, to be paid. */
  readonly open: Stroke;
  /** Waiting for somebody: drafts. */
  readonly waiting: Stroke;
  /** Undone: voided, deleted. */
  readonly bad: Stroke;
}

const asIs: Stroke = (text) => text;

/** No colour at all. */
export const plainPaint: Paint = {
  strong: asIs,
  faint: asIs,
  good: asIs,
  open: asIs,
  waiting: asIs,
  bad: asIs,
};

/** Whether there is colour was decided from flags and environment, so chalk is not asked again. */
export async function loadPaint(color: boolean): Promise<Paint> {
  if (!color) return plainPaint;
  const { Chalk } = await import("chalk");
  const chalk: ChalkInstance = new Chalk({ level: 1 });
  return {
    strong: (text) => chalk.bold(text),
    faint: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    open: (text) => chalk.cyan(text),
    waiting: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
  };
}

/** What each status of any record means to the person who reads it. */
const strokeOfStatus: Readonly<Record<string, keyof Paint>> = {
  ACTIVE: "good",
  ARCHIVED: "faint",
  AUTHORISED: "open",
  BILLED: "good",
  DELETED: "bad",
  DRAFT: "waiting",
  GDPRREQUEST: "bad",
  PAID: "good",
  PENDING: "waiting",
  POSTED: "good",
  SUBMITTED: "waiting",
  SUSPENDED: "bad",
  VOIDED: "bad",
};

/** The stroke for a status, undefined where it has no colour of its own. */
export function statusStroke(status: string): keyof Paint | undefined {
  if (status.endsWith("d late")) return "bad";
  return Object.hasOwn(strokeOfStatus, status) ? strokeOfStatus[status] : undefined;
}
