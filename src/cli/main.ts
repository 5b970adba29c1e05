/**
 * Entry point of the command line.
 *
 * Words are resolved to a command, the command sends requests, and every result becomes an exit
 * code. Large modules are imported where they are used, since loading takes most of the time of a
 * short command.
 */
import type { Client } from "../client/client.ts";
import { hasBlocks } from "../output/display-width.ts";
import { build, version } from "../platform/version.ts";
import { AcctError, UsageError } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { organisation } from "../resources/organisation.ts";
import type { Transport } from "../wire/http.ts";
import { type CommandRoute, resolveRoute } from "./command-route.ts";
import { describeTarget, hasBook, targetOf } from "./connection/choose-target.ts";
import type { OpenedClient } from "./connection/open.ts";
import type { Command, Context, GlobalFlags, ParseContext } from "./context/context.ts";
import { withSecrets } from "./context/secret-files.ts";
import type { Target } from "./context/target.ts";
import {
  foldGlobals,
  type GlobalOptions,
  hasColor,
  isTerminal,
  wantedFormat,
} from "./framework/global-flags.ts";
import type { Parsed } from "./framework/parse.ts";
import type { Topic } from "./framework/topics.ts";
import { root } from "./nouns.ts";
import {
  type ErrorOptions,
  exitCodeOf,
  InterruptedError,
  PartlyDoneError,
  renderError,
} from "./render/error.ts";
import { checkAnswer, createOut, type OutOptions } from "./render/out.ts";
import type { Out } from "./render/output.ts";
import { descriptorSink, memorySink, type Sink } from "./render/sinks/sink.ts";
import { findByOtherNames, tellOf } from "./shared/find-by-name.ts";
import { machineDayOf } from "./values/date-flags.ts";

/** The environment of the program; tests pass their own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Clock in milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly open: (ctx: Context) => Promise<OpenedClient>;
  /** Whether stdout is a terminal; false when not given. */
  readonly isTerminal?: () => boolean;
  /** Size of the terminal on stdout; the size that the process reports when not given. */
  readonly screen?: Pick<OutOptions, "width" | "height" | "pager"> | undefined;
  /** Called with the name of a completed command, `invoice list` or `help invoice`. */
  readonly done?: ((command: string) => void) | undefined;
  /** Called with the error of a failed command and its words. */
  readonly refused?: ((error: unknown, path: readonly string[]) => Promise<void>) | undefined;
  /** Called with the output that a command is about to write, and the output that it declares. */
  readonly writes?: (written: Resource | "report", outputKind: SettledOutputKind) => void;
  /** Target flags of the command that runs the line. */
  readonly globals?: GlobalOptions | undefined;
}

/** Output of a command for its given options. */
type SettledOutputKind = Exclude<Command["answer"], (options: object) => Resource>;

/** Runs one command line and returns the exit code. */
export function main(
  argv: readonly string[],
  onDone: (command: string) => void = () => undefined,
): Promise<number> {
  return run(argv, {
    env: process.env,
    stdout: descriptorSink(1),
    stderr: descriptorSink(2),
    clock: Date.now,
    isTerminal: () => isTerminal(1),
    open: async (ctx) => (await import("./connection/open.ts")).open(ctx),
    done: onDone,
    refused: async (error, path) => {
      if (!(error instanceof AcctError)) return;
      const { saveRefusal } = await import("./connection/last-refusal.ts");
      saveRefusal(process.env, error, path, Date.now());
    },
  });
}

/** Runs one command line in a given environment. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let path: readonly string[] = [];
  try {
    if (["--version", "-V", "version"].includes(argv[0] ?? "")) {
      await world.stdout.write(`${version}\n`);
      return 0;
    }
    const command = await resolveRoute(argv);
    path = command.path;
    const isHelp = command.asksHelp || command.declared.kind === "group";
    const env = isHelp ? world.env : withSecrets(world.env);
    const code = await follow(command, argv, { ...world, env });
    world.done?.([...(command.asksHelp ? ["help"] : []), ...command.path].join(" "));
    return code;
  } catch (error) {
    await world.refused?.(error, path);
    const { env, stderr } = world;
    const code = exitCodeOf(error);
    const look = stderrLook(env);
    const isSeen = (look.width ?? world.screen?.width) !== undefined;
    const remedy = isSeen ? await loadRemedy(error) : undefined;
    const options = { format: wantedFormat(argv, env), ...look, remedy };
    await stderr.write(renderError(error, options));
    // ACCT_DEBUG prints the stack trace of an unexpected error.
    if (code === 1 && env.ACCT_DEBUG) await stderr.write(`${(error as Error).stack}\n`);
    return code;
  }
}

/** Returns what to do about a refusal; nothing where the disk fails, which is told otherwise. */
async function loadRemedy(error: unknown): Promise<string | undefined> {
  if (exitCodeOf(error) !== 5) return undefined;
  try {
    return (await import("./render/remedy.ts")).remedyOf(error);
  } catch {
    return undefined;
  }
}

/** Writes the help, or the manual page, that a command line asks for or lacks a verb for. */
async function showHelp(
  { path, declared, rest, asksHelp, asksManual, topic }: CommandRoute,
  world: World,
): Promise<number> {
  if (asksManual === true) {
    const { manualPage } = await import("./man.ts");
    await world.stdout.write(await manualPage(path, declared));
    return 0;
  }
  const { helpText, topicText, wholeText } = await import("./help.ts");
  if (topic !== undefined) {
    const { topics } = await import("./framework/topics.ts");
    const text = topic === "all" ? wholeText(root) : topicText(topic, topics[topic] as Topic);
    await world.stdout.write(text);
    return 0;
  }
  // A noun without a verb is an error, so that a script with a missing verb fails.
  const isMistake = !asksHelp && path.length > 0;
  const inUse = path.length === 0 ? await targetInUse(rest, world) : undefined;
  await (isMistake ? world.stderr : world.stdout).write(helpText(path, declared, inUse));
  return isMistake ? 2 : 0;
}

async function follow(
  { path, declared, rest, asksHelp, asksManual = false, topic }: CommandRoute,
  argv: readonly string[],
  world: World,
): Promise<number> {
  if (path.length === 0 && !asksHelp && world.isTerminal?.()) {
    const target = await placeInUse(rest, world).catch(unlessRefused);
    // The sample company is created on first use.
    if (target !== undefined && (target.kind === "demo" || hasBook(target)))
      return showStatus(rest, world);
  }
  if (asksHelp || declared.kind === "group") {
    return showHelp({ path, declared, rest, asksHelp, asksManual, ...(topic && { topic }) }, world);
  }
  const { parse } = await import("./framework/parse.ts");
  const { reading, settled } = daysRead(world, (by) => parse(path, declared, rest, by));
  const globalsAlone = declared.wizard && onlyGlobals(parse, rest, reading);
  const alone = globalsAlone && foldGlobals(globalsAlone, world.env);
  const isQuestion = alone?.input === true && !(declared.unless && alone[declared.unless]);
  const flags = isQuestion ? undefined : parse(path, declared, rest, reading);
  const globals = { ...world.globals, ...(flags?.globals ?? globalsAlone) };
  const interruption = new AbortController();
  const stopListening = onInterrupt(interruption);
  const openWith = (to: World, extraOptions: GlobalOptions = {}) =>
    openSession(
      { ...globals, ...extraOptions },
      { declared, argv, options: flags?.options ?? {} },
      to,
      interruption.signal,
    );
  const session = await openWith(world);
  try {
    if (flags !== undefined) {
      await carryOut(session.ctx, declared, await settled(session.ctx, flags), world);
    } else {
      const { converse } = await import("./framework/conversation.ts");
      const parsed = (words: readonly string[]) => parse(path, declared, words, reading);
      await converse(session.ctx, {
        path,
        command: declared,
        carryOut: (words) => carryOut(session.ctx, declared, parsed(words), world),
        tryOut: async (words) => {
          // A wizard's dry run prints to stderr; stdout is for the result.
          const aside = { ...world, stdout: world.stderr };
          const ownOptions = { outputFile: undefined, plan: undefined };
          const trial = await openWith(aside, { ...ownOptions, dryRun: true, output: "table" });
          await carryOut(trial.ctx, declared, parsed(words), aside).finally(trial.close);
        },
      });
    }
    session.keepFile();
    await session.tellWhere();
    return 0;
  } catch (error) {
    if (error instanceof PartlyDoneError) {
      // A partly done command has already reported its results.
      session.keepFile();
      // Refused records are not part of a plan; the others are.
      if (session.ctx.flags.plan !== undefined) await session.tellWhere();
    }
    throw error;
  } finally {
    stopListening();
    await session.close();
  }
}

/**
 * Parses dates before the book is known, and again afterwards where its country decides their
 * order, or its time zone the day of today.
 */
function daysRead({ clock }: World, parsedBy: (by: ParseContext) => Parsed) {
  const noticeTexts = new Set<string>();
  let isOrderAsked = false;
  let isTodayAsked = false;
  const parseContext: ParseContext = {
    today: () => {
      isTodayAsked = true;
      return machineDayOf(clock());
    },
    order: () => {
      isOrderAsked = true;
      return "either";
    },
    tell: (sentence) => noticeTexts.add(sentence),
  };
  const settleParsed = async (ctx: Context, parsed: Parsed) => {
    if (!isOrderAsked && !isTodayAsked) return parsed;
    const order = isOrderAsked ? await ctx.dayOrder() : undefined;
    const today = isTodayAsked ? await ctx.today() : "";
    noticeTexts.clear();
    const parsedWords = parsedBy({ ...parseContext, order: () => order, today: () => today });
    for (const sentence of noticeTexts) ctx.out.say(sentence);
    return parsedWords;
  };
  return { reading: parseContext, settled: settleParsed };
}

/**
 * Runs `acct` alone on a terminal: shows the status page of the book; without a book, the reason
 * and the help.
 */
async function showStatus(restWords: readonly string[], world: World): Promise<number> {
  const words = ["status", ...restWords];
  try {
    return await follow(await resolveRoute(words), words, world);
  } catch (error) {
    if (!(error instanceof AcctError)) throw error;
    const { env, stderr } = world;
    const options = { format: "table", ...stderrLook(env) } as const;
    await stderr.write(renderError(error, options));
    const { path, declared } = await resolveRoute([]);
    await follow({ path, declared, rest: restWords, asksHelp: true }, restWords, world);
    return exitCodeOf(error);
  }
}

async function carryOut(
  ctx: Context,
  command: Command,
  { args, options }: Parsed,
  world: World,
): Promise<void> {
  const answer = answerOf(command, options);
  const { output: format, columns, outputFile } = ctx.flags;
  const isToFile = outputFile !== undefined && outputFile !== "-";
  checkAnswer(answer, { format, columns }, () => !isToFile && isTerminal(1));
  if (ctx.flags.plan !== undefined) await (await import("./plan/keep.ts")).checkPlanned(ctx);
  if (ctx.flags.fonts !== undefined) {
    (await import("./render/font-flag.ts")).takeFonts(ctx.flags.fonts);
  }
  if (command.alters) (await import("./connection/guard.ts")).refuseReadOnly(ctx);
  const namedOptions = await byName(ctx, command, options);
  const isPiped = args.some((arg) => Array.isArray(arg) && arg.includes("-"));
  const words = isPiped
    ? await (await import("./framework/input.ts")).keysFromInput(ctx, command.args, args)
    : args;
  await command.run(reportOutput(ctx, answer, world), words, namedOptions);
  await ctx.out.conclude();
}

/** Returns the global flags when the words are nothing else; otherwise undefined. */
function onlyGlobals(
  parse: typeof import("./framework/parse.ts").parse,
  words: readonly string[],
  parseContext: ParseContext,
): GlobalOptions | undefined {
  const noCommand = { name: "acct", flags: [], args: [] } as unknown as Command;
  try {
    return parse([], noCommand, words, parseContext).globals;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * Describes the current target; undefined where the settings are invalid, which commands report.
 */
async function targetInUse(rest: readonly string[], world: World): Promise<string | undefined> {
  const target = await placeInUse(rest, world).catch(unlessRefused);
  if (target === undefined) return undefined;
  const targetText = target.kind === "demo" ? "the sample company" : describeTarget(target);
  const profile = target.kind === "demo" ? undefined : target.profile;
  const bound = target.kind === "demo" ? undefined : target.boundBy;
  const by = [profile && `profile ${profile}`, bound && `by ${bound}`].filter(Boolean);
  const through = by.length === 0 ? "" : ` (${by.join(", ")})`;
  const isThere = target.kind === "demo" || hasBook(target);
  return `${targetText}${through}${isThere ? "" : ", where no book is yet: acct init makes one"}.`;
}

/** Returns the target that global flags alone choose; undefined where other words are present. */
async function placeInUse(
  restWords: readonly string[],
  { env, clock }: World,
): Promise<Target | undefined> {
  const { parse } = await import("./framework/parse.ts");
  const globals = onlyGlobals(parse, restWords, { today: () => machineDayOf(clock()) });
  return globals && targetOf(foldGlobals(globals, env), env, build);
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof AcctError)) throw error;
}

function answerOf({ answer }: Command, options: object): SettledOutputKind {
  return typeof answer === "function" ? answer(options) : answer;
}

/** Resolves record names in the options. */
async function byName(ctx: Context, { flags }: Command, options: Parsed["options"]) {
  const naming = flags.filter(({ key, refers }) => refers !== undefined && key in options);
  if (naming.length === 0) return options;
  const { resolveOptions: optionsSettled } = await import("./shared/reference.ts");
  return optionsSettled(ctx.client, naming, options, tellOf(ctx));
}

/** Returns a context that reports output to the environment. */
function reportOutput(ctx: Context, answer: SettledOutputKind, { writes }: World): Context {
  if (writes === undefined) return ctx;
  const watchedOut: Out = {
    ...ctx.out,
    record: (resource, record) => {
      writes(resource, answer);
      return ctx.out.record(resource, record);
    },
    records: (resource, records, laidOut) => {
      writes(resource, answer);
      return ctx.out.records(resource, records, laidOut);
    },
    report: (report) => {
      writes("report", answer);
      return ctx.out.report(report);
    },
  };
  return Object.assign(Object.create(ctx) as Context, { out: watchedOut });
}

/** A context, and the steps before and after the command. */
interface CommandSession {
  readonly ctx: Context;
  /** Reports that a run was a dry run, or the organisation that was changed. */
  tellWhere(): Promise<void>;
  /** Moves the output file to its final path, where there is one. */
  keepFile(): void;
  close(): Promise<void>;
}

/** A command with its path and options. */
interface AskedCommand {
  readonly declared: Command;
  readonly argv: readonly string[];
  readonly options: object;
}

async function openSession(
  globals: GlobalOptions,
  { declared: { writes, alters, putsFile }, argv, options }: AskedCommand,
  world: World,
  interrupted: AbortSignal,
): Promise<CommandSession> {
  const { env, clock } = world;
  const flags = foldGlobals(globals, env);
  const file = putsFile?.(options, flags) === true ? undefined : await fileOf(flags);
  let targetUsed: Target | undefined;
  let opening: Promise<OpenedClient> | undefined;
  let namedClient: Client | undefined;
  let day: Promise<string | undefined> | undefined;
  const machineToday = () => machineDayOf(clock());
  const loadHome = () => import("./connection/load-letterhead.ts");
  const output = await outOf(flags, file === undefined ? world : { ...world, stdout: file }, {
    isFile: file !== undefined,
    today: machineToday,
    letterhead: async () => {
      if (opening === undefined) return undefined;
      const { letterheadAt } = await import("../client/organisation-letterhead.ts");
      return letterheadAt((await opening).client);
    },
    home: async (asks) => opening && (await loadHome()).homeAt(ctx, (await opening).client, asks),
    taxNames: async () => opening && (await loadHome()).taxNamesAt((await opening).client),
  });
  const ctx: Context = {
    flags,
    root,
    argv,
    writes,
    out: output,
    env,
    clock,
    interrupted,
    today: async () => {
      // What alters a file of a book does not open it for the sake of a date.
      if (!alters) day ??= loadHome().then(({ todayAt }) => todayAt(ctx));
      return (await day) ?? machineToday();
    },
    dayOrder: async () => (await loadHome()).dayOrderAt(ctx),
    ask: {
      confirm: async (question, options) => {
        const { createAsk } = await import("./framework/ask.ts");
        return createAsk(flags, interrupted).confirm(question, options);
      },
    },
    target: () => {
      targetUsed ??= targetOf(flags, env, build);
      return targetUsed;
    },
    client: async () => {
      opening ??= world.open(ctx);
      namedClient ??= findByOtherNames(ctx, (await opening).client);
      return namedClient;
    },
    open: async (at) => (await world.open(at)).client,
    line: (words, environment, over) => runCaught(words, { ...world, globals }, environment, over),
  };
  return {
    ctx,
    tellWhere: async () => {
      const opened = await opening;
      if (flags.plan !== undefined) {
        return (await import("./plan/keep.ts")).keepPlan(ctx, await opened?.plan?.());
      }
      if (opened !== undefined && flags.dryRun) output.say("Dry run: nothing was changed.");
      if (opened?.changed()) await nameOrganisation(ctx, opened.client);
    },
    keepFile: () => {
      if (flags.dryRun && file !== undefined) output.say(`${flags.outputFile} would be written.`);
      else file?.keep();
    },
    close: async () => {
      file?.discard();
      const opened = await opening?.catch(() => undefined);
      await opened?.client.close();
    },
  };
}

/** Runs a line on the book or service of another, and catches what it prints; see `Context.line`. */
async function runCaught(
  words: readonly string[],
  { globals = {}, ...world }: World,
  env: World["env"] = {},
  transport?: Transport,
) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const { book, database, data, profile, baseUrl, tenant, demo, readOnly, maxWait } = globals;
  const placeFlags = { book, database, data, profile, baseUrl, tenant, demo, readOnly, maxWait };
  const { open } = await import("./connection/open.ts");
  const worldParts: Partial<World> =
    transport === undefined
      ? { globals: placeFlags, env: { ...world.env, ...env } }
      : {
          globals: { baseUrl: "http://localhost/api.xro/2.0" },
          env,
          open: (ctx) => open(ctx, { over: transport }),
          refused: undefined,
        };
  // The outer command saves the compile cache when it ends; saving after each inner line cost a
  // second.
  const code = await run(words, { ...world, ...worldParts, done: undefined, stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Opens the output file, under a temporary name. */
async function fileOf({ outputFile }: GlobalFlags) {
  if (outputFile === undefined || outputFile === "-") return undefined;
  return (await import("./render/sinks/file-sink.ts")).fileSink(outputFile);
}

async function outOf(
  flags: GlobalFlags,
  { stdout, stderr, env, clock, screen }: World,
  {
    isFile,
    ...own
  }: Pick<OutOptions, "today" | "letterhead" | "home" | "taxNames"> & {
    readonly isFile: boolean;
  },
): Promise<Out> {
  const { jq } = flags;
  return createOut({
    filter: jq === undefined ? undefined : await (await import("./render/jq.ts")).jqFilter(jq),
    format: flags.output,
    columns: flags.columns,
    wide: flags.wide,
    color: flags.color && !isFile,
    stdout,
    stderr,
    ...(isFile ? { width: undefined } : (screen ?? screenOf(env))),
    clock,
    blocks: async () => hasBlocks(env),
    ...own,
  });
}

/** Names the changed organisation, where the user chose it by a profile or an address. */
async function nameOrganisation(ctx: Context, client: Client): Promise<void> {
  const target = ctx.target();
  const profile = target.kind === "demo" ? undefined : target.profile;
  if (target.kind !== "remote" && profile === undefined) return;
  const [changed] = await client.at(organisation, "/Organisation").catch(() => []);
  if (changed === undefined) return; // The change is done; not being able to read more is no failure.
  const by = profile === undefined ? `at ${describeTarget(target)}` : `through profile ${profile}`;
  ctx.out.say(`Changed ${changed.Name}, ${by}.`);
}

/** Returns how a message on stderr looks: in colour or not, and wrapped on a terminal alone. */
function stderrLook(env: World["env"]): Pick<ErrorOptions, "color" | "width"> {
  // Accessed here alone, since `process.stderr` takes 2 ms to load.
  return { color: hasColor(env, 2), width: isTerminal(2) ? process.stderr.columns : undefined };
}

/** Returns the size of the terminal on stdout, if it is one. */
function screenOf(env: World["env"]): Pick<OutOptions, "width" | "height" | "pager"> {
  if (!isTerminal(1)) return { width: undefined };
  // Accessed here alone, since `process.stdout` takes 2 ms to load.
  const { columns = 80, rows = 24 } = process.stdout;
  return { width: columns, height: rows, pager: env.PAGER };
}

/**
 * Converts Ctrl-C to an abort signal, so that work ends cleanly; a second Ctrl-C exits at once.
 * While a pager or prompt listens too, they handle Ctrl-C.
 *
 * @returns the function that stops listening
 */
function onInterrupt(interruption: AbortController): () => void {
  const listener = () => {
    if (process.listenerCount("SIGINT") > 1) return;
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort(new InterruptedError());
  };
  process.on("SIGINT", listener);
  return () => process.removeListener("SIGINT", listener);
}
