/** Typing answers on a real terminal, each when its question is on the screen. */

import { onTestFinished } from "vitest";
import { literalPattern } from "../../src/platform/literal-pattern.ts";
import type { Desk } from "./desk.ts";
import { Terminal, type TerminalOptions } from "./terminal.ts";

/**
 * The beginning of a question, what is typed, and what the screen shows of it before Enter is
 * pressed: of a list, the choice that it jumps to.
 */
export type Typed = readonly [question: string, typed: string, shown?: string];

/** A shell that waits for a command. */
export async function shellOn(desk: Desk, size: TerminalOptions = {}): Promise<Terminal> {
  const terminal = new Terminal(desk, ["sh", "-i"], { ...size, env: { PS1: "$ ", ENV: "" } });
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.error(`The last screen:\n${terminal.screen()}`);
    terminal.close();
  });
  await terminal.waitFor(/^\$$/m);
  return terminal;
}

/** Runs a command line. */
export function enter(terminal: Terminal, line: string): void {
  terminal.type(line);
  terminal.press("Enter");
}

export async function answer(terminal: Terminal, ...steps: readonly Typed[]): Promise<void> {
  for (const [at, [question, typed, shown]] of steps.entries()) {
    // The one that waits is the last on the screen, and the only one with a question mark.
    await terminal.waitFor(`? ${question}`);
    if (shown?.startsWith("❯") === true) {
      await choose(terminal, question, typed, shown);
    } else {
      if (typed !== "") terminal.type(typed);
      // What was typed is understood before Enter is pressed on it.
      if (shown !== undefined) await terminal.waitFor(shown);
    }
    terminal.press("Enter");
    // Ctrl-U mends what was refused; keys are lost until the refusal is on the screen.
    const [next, mended] = steps[at + 1] ?? [];
    if (next === question && mended?.startsWith("\u0015")) await terminal.waitFor(/^> \S/m);
  }
}

/**
 * Jumps to a choice of a list. Enter is lost while a search looks for its choices, so what the
 * list showed before is not taken for what it found: either the search shows what was typed, or
 * the choice was not the one pointed at before.
 */
async function choose(
  terminal: Terminal,
  question: string,
  typed: string,
  shown: string,
): Promise<void> {
  const before = await terminal.waitFor("❯");
  if (typed !== "") terminal.type(typed);
  if (typed !== "" && before.includes(shown)) {
    await terminal.waitFor(
      new RegExp(`^\\? ${literalPattern(question)}.* ${literalPattern(typed)}$`, "m"),
    );
  }
  await terminal.waitFor(shown);
}
