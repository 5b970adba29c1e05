/**
 * Runs the wizard of a command: the answers become a command line, which is then run normally.
 *
 * Nothing is written before the last answer. Until then the command is tried as a dry run, so that
 * Ctrl-C at any moment changes nothing.
 */
import { AcctError, AuthError, UsageError } from "../../resources/errors.ts";
import type { Answers, Choice, Command, Context, Question, Wizard } from "../context/context.ts";
import { InterruptedError, renderError } from "../render/error.ts";
import { quoteFor } from "../values/quote.ts";
import { flagWords, placeWords } from "./conversation-words.ts";
import { askInTurn, howToLeave, leavable, type Questions, terminalQuestions } from "./questions.ts";

/** The command of a wizard, and functions that run its words. */
export interface WizardCommand {
  readonly path: readonly string[];
  readonly command: Command;
  readonly carryOut: (words: readonly string[]) => Promise<void>;
  /** Shows the result of a dry run on stderr. */
  readonly tryOut: (words: readonly string[]) => Promise<void>;
  /** The prompts; of the terminal, except in tests with scripted answers. */
  readonly ask?: Questions;
}

interface WizardContext {
  readonly ctx: Context;
  readonly command: Command;
  readonly wizard: Wizard;
  readonly ask: Questions;
  readonly answers: Record<string, string | undefined>;
}

type WizardChoice = "deed" | "discard" | Question;

/** Asks for the words of a command without running it. */
export async function askWords(ctx: Context, command: Command): Promise<string[]> {
  const { wizard, answers } = await talkOf(ctx, command);
  return wordsOf(command, wizard, answers);
}

/** Asks all questions, then runs the command or discards it. */
export async function converse(ctx: Context, asking: WizardCommand): Promise<void> {
  const { command } = asking;
  const context = await talkOf(ctx, command, asking.ask);
  const { wizard, ask } = context;
  let words = wordsOf(command, wizard, context.answers);
  let isPossible = await isSuccess(context, () => asking.tryOut(words));
  for (;;) {
    const decision = await askWhatNow(context, isPossible);
    if (decision === "discard") return ctx.out.say("Discarded; nothing was done.");
    if (decision === "deed") {
      if (await isSuccess(context, () => asking.carryOut(words))) break;
      continue;
    }
    await leavable(ask, (leavable) => askAll({ ...context, ask: leavable }, [decision]));
    // An answer may make further questions apply that were not asked.
    const isNew = (question: Question) => !(keyOf(question) in context.answers);
    await askAll(context, wizard.questions.filter(isNew));
    words = wordsOf(command, wizard, context.answers);
    isPossible = await isSuccess(context, () => asking.tryOut(words));
  }
  const quote = quoteFor(ctx.env, process.platform);
  const line = ["acct", ...placeWords(ctx), ...asking.path, ...words].map(quote).join(" ");
  ctx.out.say(`\nThe same in one line:\n${line}`);
}

async function talkOf(
  ctx: Context,
  command: Command,
  questions?: Questions,
): Promise<WizardContext> {
  const wizard = await command.wizard?.();
  if (wizard === undefined) throw new Error(`${command.name} has no wizard`);
  const ask = questions ?? (await terminalQuestions(ctx));
  const context: WizardContext = { ctx, command, wizard, ask, answers: {} };
  ctx.out.say(howToLeave);
  await askAll(context, wizard.questions);
  return context;
}

function keyOf({ key, to }: Question): string {
  return key ?? to;
}

async function askAll(context: WizardContext, questions: readonly Question[]): Promise<void> {
  const { answers } = context;
  await askInTurn(
    context.ask,
    questions.map((question) => ({
      when: () => isAsked(question, answers),
      ask: async (ask) => {
        answers[keyOf(question)] = await answerTo({ ...context, ask }, question);
      },
    })),
  );
}

function isAsked({ when }: Question, answers: Answers): boolean {
  return when === undefined || when(answers);
}

async function answerTo(context: WizardContext, question: Question): Promise<string | undefined> {
  const { ctx, ask, answers } = context;
  const { choices, search, optional = false } = question;
  const message =
    typeof question.message === "string" ? question.message : question.message(answers);
  const noneChoice: Choice<string>[] = optional ? [{ name: "None", short: "none", value: "" }] : [];
  const initial = answers[keyOf(question)] ?? (await question.initial?.(ctx, answers));
  const source = async (term: string) => {
    if (search !== undefined) return [...(await search(ctx, term, answers)), ...noneChoice];
    return matching(term, [...noneChoice, ...((await choices?.(ctx, answers)) ?? [])], initial);
  };
  if (choices !== undefined || search !== undefined) {
    return (await ask.search({ message, source })) || undefined;
  }
  const reader = await textReader(context, question);
  return ask.text({
    message,
    initial,
    editable: optional && initial !== undefined,
    read: reader,
    shown: (text) => reader(text) ?? "",
  });
}

/**
 * Returns choices that contain a text, those beginning with it first; for an empty text, the
 * default first.
 */
function matching(term: string, all: readonly Choice<string>[], usual?: string): Choice<string>[] {
  const searchText = term.toLowerCase();
  const isFirst = ({ name, value }: Choice<string>) =>
    searchText === "" ? value === usual : name.toLowerCase().startsWith(searchText);
  const choices = all.filter(({ name }) => name.toLowerCase().includes(searchText));
  return [...choices.filter(isFirst), ...choices.filter((choice) => !isFirst(choice))];
}

/** Parses a text as the flag does, and returns its word: a date for `today`. */
async function textReader({ command, ctx }: WizardContext, question: Question) {
  const flag = command.flags.find(({ name }) => name === question.to);
  const order = flag?.placeholder === "DATE" ? await ctx.dayOrder() : undefined;
  const today = flag?.placeholder === "DATE" ? await ctx.today() : "";
  return (text: string): string | undefined => {
    const typedText = text.trim();
    if (typedText === "") {
      if (question.optional) return undefined;
      throw new UsageError("MissingValue", "An answer is needed.");
    }
    question.check?.(typedText);
    const value = flag?.read(typedText, { today: () => today, order: () => order });
    return typeof value === "string" ? value : typedText;
  };
}

/**
 * Returns the command line words of the answers: arguments first, then flags, in question order.
 */
function wordsOf(command: Command, { questions }: Wizard, answers: Answers): string[] {
  const isArgument = ({ to }: Question) => command.args.some(({ name }) => name === to);
  const words = (question: Question): string[] => {
    const answer = isAsked(question, answers) ? answers[keyOf(question)] : undefined;
    if (answer === undefined) return [];
    const answerWord = question.word?.(answer) ?? answer;
    return isArgument(question) ? [answerWord] : flagWords(question.to, answerWord);
  };
  const [args, flags] = [true, false].map((isWanted) =>
    questions.filter((question) => isArgument(question) === isWanted).flatMap(words),
  );
  return [...(args ?? []), ...(flags ?? [])];
}

function askWhatNow(
  { ask, wizard, answers }: WizardContext,
  isPossible: boolean,
): Promise<WizardChoice> {
  return ask.choose<WizardChoice>({
    message: "What now?",
    choices: [
      ...(isPossible ? [{ name: wizard.deed, value: "deed" as const }] : []),
      ...wizard.questions
        .filter((question) => isAsked(question, answers))
        .map((question) => ({ name: `Change ${question.called}`, value: question })),
      { name: "Discard", value: "discard" },
    ],
  });
}

/** Whether the work succeeded; otherwise the error is shown, and the user may answer again. */
async function isSuccess({ ctx }: WizardContext, action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    const isRefused = error instanceof AcctError && !(error instanceof AuthError);
    if (ctx.interrupted.aborted || !isRefused) throw error;
    // A declined confirmation returns to the questions.
    if (error instanceof InterruptedError) return false;
    const { color } = ctx.flags;
    ctx.out.sayPainted(renderError(error, { format: "table", color }).trimEnd().split("\n"));
    return false;
  }
}
