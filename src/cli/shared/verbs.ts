/** Verbs shared by all nouns, declared from the description of the resource. */
import { type Input, idOf, type Resource, type Shape } from "../../resources/field.ts";
import { historyRecord } from "../../resources/history.ts";
import { pluralOf } from "../../resources/scalar.ts";
import type {
  Command,
  Context,
  DeferredChild,
  FieldFlagOptions,
  Flag,
  Wizard,
} from "../context/context.ts";
import { command, deferLoading, wordOf } from "../framework/command.ts";
import { confirm, nameOfRecord, sayChanges } from "../framework/confirm.ts";

import {
  fieldsInOptions,
  inputOf,
  inputsOf,
  requireChange,
  requireFields,
  sayDoubts,
} from "../framework/input.ts";
import type { ImportNoun } from "../import/options.ts";
import { createRecords, forEachRecord, recordsOf, showWritten } from "./bulk-results.ts";

/** Finds a record by a typed key. */
export type Find<R extends Resource> = (ctx: Context, key: string) => Promise<Shape<R>>;

/** The records of a noun on the command line. */
export interface Noun<R extends Resource> {
  readonly resource: R;
  /** Word on the command line, `credit-note`. */
  readonly word: string;
  /** Name in messages, `credit note`. */
  readonly called: string;
  /** Key for examples, quoted for a shell. */
  readonly example: string;
  /** Key of a draft, and of an applied credit, for examples. */
  readonly draft?: string | undefined;
  readonly applied?: string | undefined;
  readonly find: Find<R>;
}

/** Builds the noun of a resource from its description. */
export function nounOf<R extends Resource>(
  resource: R,
  overrides: Partial<Omit<Noun<R>, "resource">> = {},
): Noun<R> {
  return {
    resource,
    word: wordOf(resource),
    called: resource.noun,
    example: resource.example ?? "",
    draft: resource.exampleDraft,
    applied: resource.exampleApplied,
    find: async (ctx, key) => (await ctx.client()).find(resource, key),
    ...overrides,
  };
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Declares `acct NOUN show KEY`. */
export function showCommand<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("show", `show one ${called}`)
    .alias("view", "get")
    .key(resource, word)
    .example(`acct ${word} show ${example}`)
    .action(async (ctx, key) => {
      const record = await find(ctx, key);
      if (resource.printed !== true) return ctx.out.record(resource, record);
      const { showDocument } = await import("./show-document.ts");
      await showDocument(ctx, resource, record);
    });
}

/** Declares `acct NOUN pdf KEY` for printable records. */
export function pdfCommand<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("pdf", `save ${withArticle(called)} as PDF`)
    .key(resource, word)
    .answers("nothing")
    .flag(
      "output-file",
      "where to, - for standard output; its number in this folder when not given",
      { placeholder: "FILE", live: "file" },
    )
    .switch("force", "write over a file that is there already")
    .note("Prints the name of the file.")
    .example(`acct ${word} pdf ${example}`)
    .action(async (ctx, key, options) => {
      const { savePdf } = await import("./save-file.ts");
      await savePdf(ctx, resource, await find(ctx, key), options);
    });
}

/** Arguments and flags of a verb that creates or updates a record. */
interface WriteVerb<R extends Resource, K extends keyof Input<R> & string> {
  readonly summary: string;
  /** Fields with flags. */
  readonly fields: readonly K[];
  readonly options?: { readonly [P in K]?: FieldFlagOptions };
  readonly flags?: readonly Flag[];
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  /** Converts flags to fields of the record; the given flags unchanged by default. */
  readonly said?: (options: object) => Input<R>;
}

type FileOption = { readonly file?: string | undefined };

function writingCommand<R extends Resource, const K extends keyof Input<R> & string>(
  builder: ReturnType<typeof command>,
  resource: R,
  { fields, options, flags = [], notes = [], examples }: WriteVerb<R, K>,
) {
  const writing = builder.fields(resource, fields, options).flags<FileOption>(flags);
  for (const note of notes) writing.note(note);
  for (const example of examples) writing.example(example);
  return writing;
}

/**
 * Declares `acct NOUN create`.
 *
 * @param given.check  refuses an incomplete record
 * @param given.asks   wizard for a terminal where no arguments are given
 */
export function createVerb<R extends Resource, const K extends keyof Input<R> & string>(
  { resource }: Noun<R>,
  written: WriteVerb<R, K> & {
    readonly check?: (input: Input<R>) => void;
    readonly asks?: () => Promise<Wizard>;
  },
): Command {
  const { said = (flags: object) => fieldsInOptions(resource, flags) } = written;
  const { check = (input: Input<R>) => requireFields(resource, input) } = written;
  const builder = command("create", written.summary).alias("new").creates(resource);
  if (written.asks !== undefined) builder.asks(written.asks);
  return writingCommand(builder, resource, written).action(async (ctx, flags) => {
    const flagFields = said(flags);
    const inputs =
      resource.batchMax > 1
        ? await inputsOf(ctx, resource, flags.file, flagFields)
        : [await inputOf(ctx, resource, flags.file, flagFields)];
    for (const input of inputs) check(input);
    await createRecords(ctx, resource, inputs);
  });
}

/**
 * Declares `acct NOUN update KEY`.
 *
 * @param given.sent  returns the request body; asks first where needed
 */
export function updateVerb<R extends Resource, const K extends keyof Input<R> & string>(
  { resource, find }: Noun<R>,
  written: WriteVerb<R, K> & {
    readonly sent?: (ctx: Context, record: Shape<R>, input: Input<R>) => Promise<Input<R>>;
  },
): Command {
  const { said = (flags: object) => fieldsInOptions(resource, flags), sent } = written;
  const builder = command("update", written.summary).alias("edit").key(resource);
  return writingCommand(builder as never, resource, written).action(
    async (ctx: Context, ...[key, flags]: unknown[]) => {
      const options = flags as FileOption;
      const input = await inputOf(ctx, resource, options.file, said(options));
      requireChange(input);
      const record = await find(ctx, key as string);
      await updateFound(ctx, resource, record, sent ? await sent(ctx, record, input) : input);
    },
  );
}

/**
 * Declares `acct NOUN delete KEY`.
 *
 * @param settings.change  deletes or archives the record; a DELETE request when not given
 */
export function deleteCommand<R extends Resource>(
  noun: Noun<R>,
  settings: {
    /** The word; `delete` when not given. */
    readonly verb?: string;
    readonly summary?: string;
    readonly example?: string;
    readonly change?: (record: Shape<R>) => Input<R>;
  } = {},
): Command {
  const { resource, word, called, find } = noun;
  const { verb = "delete", summary: about = `delete ${withArticle(called)}`, change } = settings;
  const { example = noun.example } = settings;
  return command(verb, about)
    .writes()
    .keys(resource, word)
    .note("Asks first; without a terminal to ask on, --yes must be given.")
    .example(`acct ${word} ${verb} ${example} --yes`)
    .action(async (ctx, keys) => {
      const recordByKey = await recordsOf(resource, keys, (key) => find(ctx, key));
      const nameOf = (record: Shape<R>) => nameOfRecord(resource, record);
      const recordsText = recordByKey.size === 1 ? called : pluralOf(called);
      await confirm(
        ctx,
        `Delete the ${recordsText} ${[...recordByKey.values()].map(nameOf).join(", ")}?`,
      );
      await forEachRecord(ctx, { ...resource, noun: called }, recordByKey, async (record, at) => {
        const client = await at.client();
        const id = idOf(resource, record);
        const recordAfter = change
          ? await client.update(resource, id, change(record))
          : await client.remove(resource, id);
        const name = nameOf(record);
        if (recordAfter === undefined)
          at.out.say(ctx.flags.dryRun ? `${name} would be deleted.` : `Deleted ${name}.`);
        else sayChanges(at, resource, record, recordAfter);
        return recordAfter && { ...record, ...recordAfter };
      });
    });
}

/**
 * Declares `acct NOUN url KEY` and `acct NOUN open KEY` for documents that customers see online.
 */
export function onlineVerbs<R extends Resource>(noun: Noun<R>): Command[] {
  const { resource, word, called, example, find } = noun;
  return [
    command("url", `print the address where a customer sees ${withArticle(called)} online`)
      .writes()
      .key(resource, word)
      .answers("value")
      .switch("revoke", "take the address back, so that it leads nowhere, and print a new one")
      .note("Of a book that acct serve does not serve, --public-url says where it will be.")
      .example(`acct ${word} url ${example} --public-url https://books.example`)
      .example(`acct ${word} url ${example} --revoke --public-url https://books.example --yes`)
      .action(async (ctx, key, { revoke }) => {
        const client = await ctx.client();
        const record = await find(ctx, key);
        const id = idOf(resource, record);
        if (revoke === true) {
          const name = nameOfRecord(resource, record);
          await confirm(ctx, `Take back the online address of ${name}? Links to it end.`);
          await client.revokeOnline(resource, id);
          ctx.out.say(
            ctx.flags.dryRun
              ? `The online address of ${name} would be taken back.`
              : `Took back the online address of ${name}.`,
          );
        }
        const url = await client.onlineUrl(resource, id);
        await ctx.out.value({ OnlineInvoiceUrl: url }, url);
      }),
    command("open", `open the page of ${withArticle(called)} in the browser`)
      .key(resource, word)
      .answers("nothing")
      .note("It does not count as opened by the customer.")
      .example(`acct ${word} open ${example}`)
      .action(async (ctx, key) => {
        const client = await ctx.client();
        const url = await client.onlineUrl(resource, idOf(resource, await find(ctx, key)));
        const { openInBrowser } = await import("../connection/open-browser.ts");
        await openInBrowser(ctx, `${url}?preview`);
      }),
  ];
}

/** Updates a record that was found, and shows it. */
export async function updateFound<R extends Resource>(
  ctx: Context,
  resource: R,
  record: Shape<R>,
  input: Input<R>,
): Promise<void> {
  const client = await ctx.client();
  const updated = await client.update(resource, idOf(resource, record), input);
  sayChanges(ctx, resource, record, updated);
  sayDoubts(ctx, resource, input, updated);
  await showWritten(ctx, resource, updated);
}

/** Declares `acct NOUN history KEY`. */
export function historyCommand<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("history", `what was done to ${withArticle(called)}, newest first`)
    .key(resource, word)
    .answers(historyRecord)
    .example(`acct ${word} history ${example}`)
    .action(async (ctx, key) => {
      const client = await ctx.client();
      const id = idOf(resource, await find(ctx, key));
      await ctx.out.records(historyRecord, await client.history(resource, id));
    });
}

/** Declares `acct NOUN note KEY TEXT`. */
export function noteCommand<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("note", `add a note to the history of ${withArticle(called)}`)
    .writes()
    .key(resource, word)
    .argument("TEXT", "what to note, at most 2500 characters")
    .answers(historyRecord)
    .example(`acct ${word} note ${example} 'Rang, will call back on Friday'`)
    .action(async (ctx, key, text) => {
      const client = await ctx.client();
      const record = await find(ctx, key);
      const id = idOf(resource, record);
      const noteMade = await client.note(resource, id, text);
      ctx.out.say(
        `${ctx.flags.dryRun ? "Would note" : "Noted"} on ${nameOfRecord(resource, record)}.`,
      );
      const isForPrograms = !ctx.out.isLaidOut && ctx.flags.output !== "id";
      if (isForPrograms && noteMade !== undefined && !ctx.flags.dryRun)
        await ctx.out.record(historyRecord, noteMade);
    });
}

/** Declares `acct NOUN import FILE`. */
export function importVerb(noun: ImportNoun): DeferredChild {
  return deferLoading("import", [], `import ${noun}s from a CSV file`).from(async () =>
    (await import("../import/import-command.ts")).importCommand(noun),
  );
}
