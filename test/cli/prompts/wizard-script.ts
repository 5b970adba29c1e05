/** Holds the wizard's conversation by script, with the real service on a book of its own. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Choice, Context, GlobalFlags } from "../../../src/cli/context/context.ts";
import type { Questions } from "../../../src/cli/framework/questions.ts";
import { run } from "../../../src/cli/main.ts";
import { root } from "../../../src/cli/nouns.ts";
import { invoiceWizard } from "../../../src/cli/prompts/invoice/wizard.ts";
import { createOut } from "../../../src/cli/render/out.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { openEmbedded } from "../../../src/client/embedded.ts";
import { type Contact, contact } from "../../../src/resources/contact.ts";
import { AcctError } from "../../../src/resources/errors.ts";
import type { Resource, Shape } from "../../../src/resources/field.ts";
import { type Invoice, invoice } from "../../../src/resources/invoice.ts";
import { sampleDay, sampleNow } from "../../shell/sample.ts";
import { noHome } from "../../support/run-folder.ts";

/** What Ctrl-C becomes in a prompt. */
export class ExitPromptError extends Error {
  override name = "ExitPromptError";
}

/** Enter alone. */
export const enter = Symbol("enter");
/** Ctrl-C. */
export const interrupt = Symbol("interrupt");

/**
 * The answer to one question: text to type; a choice by the beginning of its name; in a search
 * `[term, choice]`; several where the first are refused.
 */
export type Answer = string | typeof enter | typeof interrupt | readonly [string, string];

/** The question's beginning, and its answer. */
export type Step = readonly [question: string, ...answers: Answer[]];

export interface Held {
  /** Every question with its answer, and what was refused. */
  readonly talk: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  /** What the wizard threw, if it did. */
  readonly error: unknown;
  /** What was made in the book by it. */
  readonly invoices: readonly Invoice[];
  readonly contacts: readonly Contact[];
  /** The command line that was printed at the end. */
  readonly line: string | undefined;
  readonly book: string;
}

export interface HoldOptions {
  readonly type?: Invoice["Type"];
  readonly flags?: Partial<GlobalFlags>;
  /** Does something to the book before. */
  readonly before?: (client: Client) => Promise<unknown>;
}

/** A copy of a book, thrown away after the test. */
function copyOf(book: string): string {
  const folder = mkdtempSync(join(tmpdir(), "acct-wizard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const path = join(folder, "book.acct");
  copyFileSync(book, path);
  return path;
}

export async function clientOf(book: string, dryRun = false): Promise<Client> {
  const { transport: handle, close } = await openEmbedded(book, { clock: () => sampleNow });
  return createClient(handle, { rollsBack: true, unitDecimals: 4, dryRun, close });
}

/** Everything there is of a resource, by id. */
async function everything<R extends Resource>(
  client: Client,
  resource: R,
): Promise<Map<string, Shape<R>>> {
  const all = new Map<string, Shape<R>>();
  for await (const each of client.list(resource)) {
    all.set(String((each as Record<string, unknown>)[resource.id]), each);
  }
  return all;
}

interface Desk {
  readonly path: string;
  readonly client: Context["client"];
  readonly stdout: ReturnType<typeof memorySink>;
  readonly stderr: ReturnType<typeof memorySink>;
}

/** As a command of this process has it, on one book. */
export function contextOf(
  { path, client, stdout, stderr }: Desk,
  flags: Partial<GlobalFlags> = {},
): Context {
  return {
    argv: [],
    flags: {
      demo: false,
      output: "json",
      dryRun: false,
      readOnly: false,
      yes: false,
      input: true,
      verbose: false,
      color: false,
      allowDuplicate: false,
      ...flags,
    },
    root,
    writes: true,
    target: () => ({ kind: "book", path, isDefault: false }),
    client,
    open: () => Promise.reject(new Error("no wizard tries its work")),
    line: () => Promise.reject(new Error("no wizard runs another line")),
    out: createOut({ format: "json", color: false, stdout, stderr, width: undefined }),
    ask: { confirm: async () => true },
    clock: () => sampleNow,
    today: async () => sampleDay,
    dayOrder: async () => "dmy",
    env: { SHELL: "/bin/sh" },
    interrupted: new AbortController().signal,
  };
}

/** Holds one conversation on a copy of `book`. */
export async function hold(
  book: string,
  steps: readonly Step[],
  { type = "ACCREC", flags = {}, before }: HoldOptions = {},
): Promise<Held> {
  const path = copyOf(book);
  const plain = await clientOf(path);
  await before?.(plain);
  const known = {
    invoices: await everything(plain, invoice),
    contacts: await everything(plain, contact),
  };
  const stdout = memorySink();
  const stderr = memorySink();
  const talk: string[] = [];
  const client = await clientOf(path, flags.dryRun);
  const ctx = contextOf({ path, client: async () => client, stdout, stderr }, flags);
  let error: unknown;
  try {
    await invoiceWizard(ctx, type, scripted(steps, talk));
  } catch (thrown) {
    error = thrown;
  }
  const made = async <R extends Resource>(resource: R, had: ReadonlyMap<string, unknown>) =>
    Promise.all(
      [...(await everything(plain, resource)).keys()]
        .filter((id) => !had.has(id))
        .map((id) => plain.find(resource, id)),
    );
  const held: Held = {
    talk,
    stdout: stdout.text,
    stderr: stderr.text,
    error,
    invoices: await made(invoice, known.invoices),
    contacts: await made(contact, known.contacts),
    line: /The same in one line:\n([\s\S]*)\n$/.exec(stderr.text)?.[1],
    book: path,
  };
  await client.close();
  await plain.close();
  return held;
}

/** Runs a command line on a book, in this process. */
export async function onBook(book: string, words: readonly string[]) {
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run([...words, "--book", book], {
    env: { HOME: noHome },
    stdout,
    stderr,
    clock: () => sampleNow,
    open: async (ctx) => ({
      client: await clientOf(book, ctx.flags.dryRun),
      changed: () => false,
    }),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Answers by the script, and refuses a question that it does not have next. */
export function scripted(steps: readonly Step[], talk: string[]): Questions {
  const left = [...steps];
  const next = (message: string): readonly Answer[] => {
    const [question, ...answers] = left.shift() ?? ["no more questions"];
    if (!message.startsWith(question)) {
      throw new Error(`Asked "${message}" where the script has "${question}".\n${talk.join("\n")}`);
    }
    return answers.length === 0 ? [enter] : answers;
  };
  const choice = <T>(message: string, choices: readonly Choice<T>[], name: string | symbol): T => {
    const found =
      name === enter
        ? choices[0]
        : choices.find((each) => each.name.startsWith(String(name)) && !each.disabled);
    if (found === undefined) {
      const names = choices.map((each) => each.name + (each.disabled ? " (disabled)" : ""));
      throw new Error(`"${message}" offers no "${String(name)}", but ${names.join(", ")}.`);
    }
    talk.push(`${message}: ${found.short ?? found.name}`);
    return found.value;
  };
  return {
    async text({ message, initial, read, shown }) {
      for (const answer of next(message)) {
        if (answer === interrupt) throw new ExitPromptError();
        const text = answer === enter ? (initial ?? "") : String(answer);
        try {
          const value = await read(text);
          talk.push(`${message}: ${shown === undefined ? text : shown(text)}`);
          return value;
        } catch (error) {
          if (!(error instanceof AcctError)) throw error;
          talk.push(`${message}: ${text} ! ${error.message}`);
        }
      }
      throw new Error(`Nothing was accepted for "${message}".\n${talk.join("\n")}`);
    },
    async choose({ message, choices, initial }) {
      const [answer = enter] = next(message);
      if (answer === interrupt) throw new ExitPromptError();
      const usual = choices.find(({ value }) => value === initial)?.name ?? enter;
      return choice(message, choices, answer === enter ? usual : String(answer));
    },
    async search({ message, source }) {
      const [answer = enter] = next(message);
      if (answer === interrupt) throw new ExitPromptError();
      const [term, name] = Array.isArray(answer)
        ? (answer as [string, string])
        : [answer === enter ? "" : String(answer), enter];
      return choice(message, await source(term, new AbortController().signal), name);
    },
  };
}
