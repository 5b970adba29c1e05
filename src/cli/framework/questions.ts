/**
 * The ways in which a wizard asks.
 *
 * A conversation is written against `Questions`, so that a test can hold it without a terminal.
 * On a terminal the questions are drawn on stderr: stdout belongs to the record that comes of them.
 */
import { AcctError } from "../../resources/errors.ts";
import type { Choice, Context } from "../context/context.ts";

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
  /** Whether each offers to go back, and throws `BackRequest` then. */
  readonly offersBack?: true;
  text<T>(question: TextQuestion<T>): Promise<T>;
  choose<T>(question: ChoiceQuestion<T>): Promise<T>;
  search<T>(question: SearchQuestion<T>): Promise<T>;
}

/** The person wants the question before again. */
class BackRequest extends Error {}

const back = Symbol("back");
const backWord = "<";
const backChoice: Choice<typeof back> = { name: "Back", short: "back", value: back };

/** What a wizard says at its beginning. */
export const howToLeave = `Ctrl-C ends it, and nothing is made; ${backWord} goes a question back.`;

/** The same questions, each of which may be left for the one before. */
function withBack(ask: Questions): Questions {
  if (ask.offersBack) return ask;
  const orBack = <T>(answer: T | typeof back): T => {
    if (answer === back) throw new BackRequest();
    return answer as T;
  };
  const isBack = (text: string) => text.trim() === backWord;
  return {
    offersBack: true,
    text: async <T>({ read, shown, ...question }: TextQuestion<T>) =>
      orBack(
        await ask.text<T | typeof back>({
          ...question,
          read: (text) => (isBack(text) ? back : read(text)),
          ...(shown && { shown: (text) => (isBack(text) ? "back" : shown(text)) }),
        }),
      ),
    choose: async <T>({ choices, ...question }: ChoiceQuestion<T>) =>
      orBack(await ask.choose<T | typeof back>({ ...question, choices: [...choices, backChoice] })),
    search: async <T>({ source, ...question }: SearchQuestion<T>) =>
      orBack(
        await ask.search<T | typeof back>({
          ...question,
          source: async (term, signal) =>
            isBack(term) ? [backChoice] : [...(await source(term, signal)), backChoice],
        }),
      ),
  };
}

/** One of several things that are asked in turn. */
export interface QuestionStep {
  /** Whether there is anything to ask; always when not given. */
  readonly when?: () => boolean;
  readonly ask: (ask: Questions) => Promise<void>;
}

/**
 * Asks one thing after the other, each of which may be left for the one before.
 *
 * @throws BackAsked from the first, where `ask` itself offers to go back
 */
export async function inTurn(ask: Questions, steps: readonly QuestionStep[]): Promise<void> {
  const asked: number[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as QuestionStep;
    if (step.when?.() === false) continue;
    try {
      await step.ask(asked.length === 0 ? ask : withBack(ask));
      asked.push(at);
    } catch (error) {
      const before = asked.pop();
      if (before === undefined || !isBackRequest(error)) throw error;
      at = before - 1;
    }
  }
}

/** Asks something that may be left. @returns undefined where it was */
export async function leaving<T>(
  ask: Questions,
  work: (ask: Questions) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work(withBack(ask));
  } catch (error) {
    if (isBackRequest(error)) return undefined;
    throw error;
  }
}

export function isBackRequest(error: unknown): boolean {
  return error instanceof BackRequest;
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
