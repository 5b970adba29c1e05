/**
 * The ways in which the wizard asks.
 *
 * The conversation is written against `Questions`, so that a test can hold it without a terminal.
 * On a terminal the questions are drawn on stderr: stdout belongs to the record that comes of them.
 */
import { AcctError } from "../../resources/errors.ts";
import type { Context } from "../framework/context.ts";

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** What stands for it once it is chosen; the name when not given. */
  readonly short?: string;
  /** Why it cannot be chosen. */
  readonly disabled?: string | undefined;
}

export interface TextQuestion<T> {
  readonly message: string;
  /** What Enter alone answers. */
  readonly initial?: string | undefined;
  /** The initial text stands on the line to be edited, so that it can also be taken away. */
  readonly editable?: boolean;
  /** @throws AcctError whose message is shown, and the question asked again */
  readonly read: (text: string) => T | Promise<T>;
  /** How the answer is shown once it is given. @throws AcctError when it is not understood */
  readonly shown?: (text: string) => string;
}

export interface ChoiceQuestion<T> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  /** The choice that Enter alone takes; the first when not given. */
  readonly initial?: T | undefined;
}

export interface SearchQuestion<T> {
  readonly message: string;
  /** What fits the text typed so far, which is empty at first; Enter takes the first. */
  readonly source: (
    term: string,
    signal: AbortSignal,
  ) => Promise<readonly Choice<T>[]> | readonly Choice<T>[];
}

/** Each throws when the person presses Ctrl-C. */
export interface Questions {
  text<T>(question: TextQuestion<T>): Promise<T>;
  choose<T>(question: ChoiceQuestion<T>): Promise<T>;
  search<T>(question: SearchQuestion<T>): Promise<T>;
}

type InputConfig = Parameters<typeof import("@inquirer/prompts").input>[0];

/** Most choices on the screen at a time. */
const pageSize = 12;

/** Asks on the terminal that stdin and stderr are. */
export async function terminalQuestions({ flags, interrupted }: Context): Promise<Questions> {
  // The prompts look at the environment alone.
  if (!flags.color) process.env.NO_COLOR = "1";
  const { input, search, select } = await import("@inquirer/prompts");
  const { styleText } = await import("node:util");
  const terminal = { output: process.stderr, signal: interrupted };
  return {
    text: (question) =>
      askText(
        question,
        (config) => input(config, terminal),
        (text) => styleText("cyan", text),
      ),
    choose: <T>({ message, choices, initial }: ChoiceQuestion<T>) =>
      select<T>(
        {
          message,
          choices: choices.map(({ disabled, ...choice }) => ({
            ...choice,
            ...(disabled === undefined ? {} : { disabled: `(${disabled})` }),
          })),
          pageSize,
          loop: false,
          ...(initial === undefined ? {} : { default: initial as NoInfer<T> }),
        },
        terminal,
      ),
    search: <T>({ message, source }: SearchQuestion<T>) =>
      search<T>(
        {
          message,
          pageSize,
          source: async (term, { signal }) =>
            [...(await source(term?.trim() ?? "", signal))] as T[],
        },
        terminal,
      ),
  };
}

/** @param styled  an answer that is given, as it is shown */
async function askText<T>(
  { message, initial, editable = false, read, shown }: TextQuestion<T>,
  ask: (config: InputConfig) => Promise<string>,
  styled: (text: string) => string,
): Promise<T> {
  let outcome: { readonly value: T } | undefined;
  let failure: unknown;
  const validate = async (text: string) => {
    try {
      outcome = { value: await read(text) };
      return true;
    } catch (error) {
      if (error instanceof AcctError) return error.message;
      failure = error;
      return true;
    }
  };
  await ask({
    message,
    ...(initial === undefined ? {} : { default: initial }),
    prefill: editable ? "editable" : "tab",
    validate,
    ...(shown === undefined
      ? {}
      : { transformer: (text, { isFinal }) => (isFinal ? styled(shown(text)) : text) }),
  });
  if (outcome === undefined) throw failure;
  return outcome.value;
}
