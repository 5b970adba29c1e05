/**
 * Prompts of wizards.
 *
 * Wizards use the interface `Questions`, so that a test can run them without a terminal. On a
 * terminal prompts are drawn on stderr, since stdout is for the resulting record.
 */
import { AcctError } from "../../resources/errors.ts";
import type { Choice, Context } from "../context/context.ts";

export interface TextQuestion<T> {
  readonly message: string;
  /** Default answer, taken by Enter. */
  readonly initial?: string | undefined;
  /** Whether the default is put on the input line for editing, so that it can also be deleted. */
  readonly editable?: boolean;
  /**
   * Parses the answer.
   *
   * @throws AcctError whose message is shown before the question is repeated
   */
  readonly read: (text: string) => T | Promise<T>;
  /**
   * Returns the display text of the answer.
   *
   * @throws AcctError when it is not valid
   */
  readonly shown?: (text: string) => string;
}

export interface ChoiceQuestion<T> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  /** Default choice; the first when not given. */
  readonly initial?: T | undefined;
}

export interface SearchQuestion<T> {
  readonly message: string;
  /** Returns the choices for the typed text, which is empty at first; Enter takes the first. */
  readonly source: (
    term: string,
    signal: AbortSignal,
  ) => Promise<readonly Choice<T>[]> | readonly Choice<T>[];
}

/** Prompt functions; each throws when the user presses Ctrl-C. */
export interface Questions {
  /** Whether prompts offer to go back, and then throw `BackRequest`. */
  readonly offersBack?: true;
  text<T>(question: TextQuestion<T>): Promise<T>;
  choose<T>(question: ChoiceQuestion<T>): Promise<T>;
  search<T>(question: SearchQuestion<T>): Promise<T>;
}

/** Thrown when the user goes back to the previous question. */
class BackRequest extends Error {}

const back = Symbol("back");
const backWord = "<";
const backChoice: Choice<typeof back> = { name: "Back", short: "back", value: back };

/** Introduction of every wizard. */
export const howToLeave = `Ctrl-C ends it, and nothing is made; ${backWord} goes a question back.`;

/** Returns prompts that also offer to go back to the previous question. */
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

/** One question of a sequence. */
export interface QuestionStep {
  /** Condition for the step; always when not given. */
  readonly when?: () => boolean;
  readonly ask: (ask: Questions) => Promise<void>;
}

/**
 * Asks questions in sequence, each of which allows going back to the one before.
 *
 * @throws BackRequest from the first question, where `ask` itself offers to go back
 */
export async function askInTurn(ask: Questions, steps: readonly QuestionStep[]): Promise<void> {
  const history: number[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as QuestionStep;
    if (step.when?.() === false) continue;
    try {
      await step.ask(history.length === 0 ? ask : withBack(ask));
      history.push(at);
    } catch (error) {
      const before = history.pop();
      if (before === undefined || !isBackRequest(error)) throw error;
      at = before - 1;
    }
  }
}

/**
 * Runs a question that the user may leave.
 *
 * @returns undefined where the user went back
 */
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

/** Maximum count of visible choices. */
const pageSize = 12;

/** Returns the prompts on the terminal of stdin and stderr. */
export async function terminalQuestions({ flags, interrupted }: Context): Promise<Questions> {
  // The prompt library reads the environment alone.
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
          default: initial as NoInfer<T>,
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

/**
 * Asks for a text.
 *
 * @param styled  styles a given answer for display
 */
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
    default: initial,
    prefill: editable ? "editable" : "tab",
    validate,
    ...(shown === undefined
      ? {}
      : { transformer: (text, { isFinal }) => (isFinal ? styled(shown(text)) : text) }),
  });
  if (outcome === undefined) throw failure;
  return outcome.value;
}
