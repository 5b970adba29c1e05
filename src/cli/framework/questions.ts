/**
 * Prompts of wizards.
 *
 * Wizards use the interface `Questions`, so that a test can run them without a terminal. On a
 * terminal prompts are drawn on stderr, since stdout is for the resulting record.
 */
import { AcctError } from "../../resources/errors.ts";
import type { Choice, Context } from "../context/context.ts";
import { wrapWords } from "../render/wrap-words.ts";

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
  /** The choice that the key `/` takes. */
  readonly find?: T | undefined;
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

/** Thrown when the user leaves all questions by Esc. */
class LeaveRequest extends Error {}

/** Goes back to the previous question, as `<` does. */
export function goBack(): never {
  throw new BackRequest();
}

export const isLeaveRequest = (error: unknown): boolean => error instanceof LeaveRequest;

const back = Symbol("back");
const backWord = "<";
const backChoice: Choice<typeof back> = { name: "Back", short: "back", value: back };

/** Introduction of every wizard. */
export const howToLeave = `Ctrl-C ends it, and nothing is made; ${backWord} goes a question back.`;

/** Returns prompts that also offer to go back to the previous question. */
export function withBack(ask: Questions): Questions {
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
      const stepBefore = history.pop();
      if (stepBefore === undefined || !isBackRequest(error)) throw error;
      at = stepBefore - 1;
    }
  }
}

/**
 * Runs a question that the user may leave.
 *
 * @returns undefined where the user went back
 */
export async function leavable<T>(
  ask: Questions,
  action: (ask: Questions) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action(withBack(ask));
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

/** What keys do beside choosing, in the foot of a list. */
const footOfKeys =
  "\u2191\u2193 or letters choose, Enter takes, < back, / find, ? help, Esc leaves";

const helpOfKeys =
  "Enter takes what is marked; letters jump to a choice, and in a search they find by name or number (/ empties it). " +
  "< goes a question back with what was answered, at the first question of a line to the line before. Esc leaves; what is booked stays.";

interface KeyedPrompt {
  readonly signal: AbortSignal;
  readonly output: NodeJS.WriteStream;
  /** Whether the prompt is wiped from the screen when it ends. */
  readonly clearPromptOnDone?: boolean;
}

/**
 * Runs a prompt in which single keys go back, leave, or explain the keys.
 *
 * @param isList  whether the prompt takes no text, so that `<` and `?` are always keys
 * @param find    the answer of `/`
 * @throws BackRequest, LeaveRequest
 */
async function withKeys<T>(
  terminal: KeyedPrompt,
  { isList, find }: { readonly isList: boolean; readonly find?: T | undefined },
  prompt: (terminal: KeyedPrompt) => Promise<T>,
): Promise<T> {
  for (;;) {
    const ownAbort = new AbortController();
    let typedText = "";
    let pressed: "back" | "leave" | "help" | "find" | undefined;
    const press = (pressedKey: NonNullable<typeof pressed>) => {
      pressed = pressedKey;
      ownAbort.abort();
    };
    const onKey = (text: string | undefined, { name }: { readonly name?: string }) => {
      if (name === "escape") press("leave");
      else if (text === "<" && typedText === "") press("back");
      else if (text === "?" && typedText === "") press("help");
      else if (text === "/" && find !== undefined) press("find");
      else if (name === "backspace") typedText = typedText.slice(0, -1);
      else if (!isList && text !== undefined && text >= " ") typedText += text;
    };
    process.stdin.on("keypress", onKey);
    try {
      return await prompt({
        output: terminal.output,
        signal: AbortSignal.any([terminal.signal, ownAbort.signal]),
        // Read when the prompt ends: one that a key ended leaves nothing behind.
        get clearPromptOnDone() {
          return pressed !== undefined;
        },
      });
    } catch (error) {
      if (pressed === "back") throw new BackRequest();
      if (pressed === "leave") throw new LeaveRequest();
      if (pressed === "find" && find !== undefined) return find;
      if (pressed !== "help") throw error;
      terminal.output.write(`\n${wrapWords(helpOfKeys, terminal.output.columns)}\n`);
    } finally {
      process.stdin.off("keypress", onKey);
    }
  }
}

/** Returns prompts in which `<`, `?` and Esc are keys, named in the foot of each. */
export async function keyedQuestions(ctx: Context): Promise<Questions> {
  const plain = await terminalQuestions(ctx, footOfKeys);
  const terminal = { output: process.stderr, signal: ctx.interrupted };
  return {
    offersBack: true,
    text: (question) => withKeys(terminal, { isList: false }, (at) => plain.text(question, at)),
    choose: (question) =>
      withKeys(terminal, { isList: true, find: question.find }, (at) => plain.choose(question, at)),
    search: (question) => withKeys(terminal, { isList: false }, (at) => plain.search(question, at)),
  };
}

/** Prompts that run on a terminal of their own signal. */
interface TerminalQuestions {
  text<T>(question: TextQuestion<T>, at?: KeyedPrompt): Promise<T>;
  choose<T>(question: ChoiceQuestion<T>, at?: KeyedPrompt): Promise<T>;
  search<T>(question: SearchQuestion<T>, at?: KeyedPrompt): Promise<T>;
}

/**
 * Returns the prompts on the terminal of stdin and stderr.
 *
 * @param foot  help line below each list; the default of the prompt library when not given
 */
export async function terminalQuestions(
  { flags, interrupted }: Context,
  foot?: string,
): Promise<TerminalQuestions> {
  // The prompt library reads the environment alone.
  if (!flags.color) process.env.NO_COLOR = "1";
  const { input, search, select } = await import("@inquirer/prompts");
  const { styleText } = await import("node:util");
  const usualTerminal = { output: process.stderr, signal: interrupted };
  const theme = foot === undefined ? {} : { theme: { style: { keysHelpTip: () => foot } } };
  return {
    text: (question, terminal = usualTerminal) =>
      askText(
        question,
        (config) => input(config, terminal),
        (text) => styleText("cyan", text),
      ),
    choose: <T>({ message, choices, initial }: ChoiceQuestion<T>, terminal = usualTerminal) =>
      select<T>(
        {
          message,
          ...theme,
          choices: choices.map(({ disabled, ...choice }) => ({
            ...wrapChoice(choice),
            ...(disabled === undefined ? {} : { disabled: `(${disabled})` }),
          })),
          pageSize,
          loop: false,
          default: initial as NoInfer<T>,
        },
        terminal,
      ),
    search: <T>({ message, source }: SearchQuestion<T>, terminal = usualTerminal) =>
      search<T>(
        {
          message,
          ...theme,
          pageSize,
          source: async (term, { signal }) =>
            (await source(term?.replace(/^\//, "").trim() ?? "", signal)).map(wrapChoice) as T[],
        },
        terminal,
      ),
  };
}

/** Wraps the name of a choice between words, behind the mark of the one that is chosen. */
function wrapChoice<C extends Pick<Choice<unknown>, "name" | "short">>(choice: C): C {
  const { name, short = name } = choice;
  const { columns } = process.stderr;
  return { ...choice, short, name: wrapWords(name, columns && columns - 2, "    ") };
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
