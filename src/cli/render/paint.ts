/** Text styles by meaning. */
import type { ChalkInstance } from "chalk";

type Stroke = (text: string) => string;

/** Text styles; none changes the width of a text. */
export interface Paint {
  /** Style of headings and section titles. */
  readonly strong: Stroke;
  /** Style of secondary text. */
  readonly faint: Stroke;
  /** Style of settled statuses: paid, active. */
  readonly good: Stroke;
  /** Style of open statuses: approved, to be paid. */
  readonly open: Stroke;
  /** Style of pending statuses: drafts. */
  readonly waiting: Stroke;
  /** Style of cancelled statuses: voided, deleted. */
  readonly bad: Stroke;
}

const asIs: Stroke = (text) => text;

/** Styles without any colour. */
export const plainPaint: Paint = {
  strong: asIs,
  faint: asIs,
  good: asIs,
  open: asIs,
  waiting: asIs,
  bad: asIs,
};

/** Loads the styles; colour is decided by flags and environment, not by chalk. */
export async function loadPaint(hasColor: boolean): Promise<Paint> {
  if (!hasColor) return plainPaint;
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

/** Styles of all record statuses, by the word of the API or its label, in capitals. */
const strokeOfStatus: Readonly<Record<string, keyof Paint>> = {
  ACTIVE: "good",
  APPROVED: "open",
  ARCHIVED: "faint",
  AUTHORISED: "open",
  "AWAITING APPROVAL": "waiting",
  "AWAITING PAYMENT": "open",
  BILLED: "good",
  DELETED: "bad",
  DRAFT: "waiting",
  GDPRREQUEST: "bad",
  OPEN: "open",
  PAID: "good",
  PENDING: "waiting",
  POSTED: "good",
  SUBMITTED: "waiting",
  SUSPENDED: "bad",
  VOID: "bad",
  VOIDED: "bad",
};

/** Returns the style of a status, undefined where it has none. */
export function statusStroke(status: string): keyof Paint | undefined {
  if (/ days? late$/.test(status)) return "bad";
  const statusWord = status.toUpperCase();
  return Object.hasOwn(strokeOfStatus, statusWord) ? strokeOfStatus[statusWord] : undefined;
}
