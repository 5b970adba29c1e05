/** Verbs that are the same for every noun, declared from the description of its resource. */
import type { Input, Resource, Shape } from "../../../resources/field.ts";
import { historyRecord } from "../../../resources/history.ts";
import {
  type Command,
  command,
  type Deferred,
  deferred,
  type Live,
} from "../../framework/command.ts";
import type { Context } from "../../framework/context.ts";
import type { ImportNoun } from "../../import/command.ts";
import { confirmed, nameOfRecord, sayChanges } from "./confirm.ts";

/** Finds a record by what a person typed; the noun's own way where it has one. */
export type Find<R extends Resource> = (ctx: Context, key: string) => Promise<Shape<R>>;

export interface VerbOptions<R extends Resource> {
  readonly live?: Live;
  /** What a person calls one, where the noun is not the word for it. */
  readonly called?: string;
  readonly find?: Find<R>;
  readonly example?: string;
}

function finder<R extends Resource>(resource: R, { find }: VerbOptions<R>): Find<R> {
  return find ?? (async (ctx, key) => (await ctx.client()).find(resource, key));
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The noun as it stands on a command line. */
function typed(resource: Resource, { live }: { readonly live?: Live }): string {
  return live ?? resource.noun;
}

/** Of records that have no number, name or code. */
const sampleId = "1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11";

/** What examples name a record by, as a shell takes it. */
const samples: Readonly<Record<string, string>> = {
  bill: "B-1017",
  contact: "'Blue Kiln Pottery'",
  "credit-note": "CN-0002",
  invoice: "INV-0042",
  item: "WIDGET",
  "purchase-order": "PO-0007",
  quote: "QU-0003",
  "repeating-invoice": "Rent",
};

/** `acct invoice note INV-0042`, for examples. */
function exampleOf(resource: Resource, options: { readonly live?: Live }, verb: string): string {
  const noun = typed(resource, options);
  return `acct ${noun} ${verb} ${samples[noun] ?? sampleId}`;
}

function called(
  resource: Resource,
  options: { readonly live?: Live; readonly called?: string },
): string {
  return options.called ?? typed(resource, options);
}

/** `acct NOUN show KEY`. */
export function showCommand<R extends Resource>(
  resource: R,
  options: VerbOptions<R> = {},
): Command {
  const find = finder(resource, options);
  return command("show", `show one ${called(resource, options)}`)
    .alias("view", "get")
    .key(resource, options.live)
    .example(options.example ?? exampleOf(resource, options, "show"))
    .action(async (ctx, key) => ctx.out.record(resource, await find(ctx, key)));
}

/** `acct NOUN pdf KEY`, of what the service prints. */
export function pdfCommand<R extends Resource>(resource: R, options: VerbOptions<R> = {}): Command {
  const find = finder(resource, options);
  const noun = called(resource, options);
  return command("pdf", `save ${withArticle(noun)} as PDF`)
    .key(resource, options.live)
    .answers("nothing")
    .flag("output-file", {
      placeholder: "FILE",
      help: "where to, - for standard output; its number in this folder when not given",
      live: "file",
    })
    .switch("force", "write over a file that is there already")
    .note("Prints the name of the file.")
    .example(options.example ?? exampleOf(resource, options, "pdf"))
    .action(async (ctx, key, given) => {
      const { savePdf } = await import("./pdf.ts");
      await savePdf(ctx, resource, await find(ctx, key), given);
    });
}

/** `acct NOUN delete KEY`, by a request of that name. */
export function deleteCommand<R extends Resource>(
  resource: R,
  options: VerbOptions<R> = {},
): Command {
  const find = finder(resource, options);
  const noun = called(resource, options);
  return command("delete", `delete ${withArticle(noun)}`)
    .writes()
    .key(resource, options.live)
    .note("Asks first; without a terminal to ask on, --yes must be given.")
    .example(options.example ?? `${exampleOf(resource, options, "delete")} --yes`)
    .action(async (ctx, key) => {
      const found = await find(ctx, key);
      const name = nameOfRecord(resource, found);
      await confirmed(ctx, `Delete the ${noun} ${name}?`);
      const client = await ctx.client();
      const gone = await client.remove(resource, idOf(resource, found));
      if (gone === undefined) {
        ctx.out.say(ctx.flags.dryRun ? `${name} would be deleted.` : `Deleted ${name}.`);
      } else {
        sayChanges(ctx, resource, found, gone);
        await ctx.out.record(resource, { ...found, ...gone });
      }
    });
}

/** `acct NOUN url KEY` and `acct NOUN open KEY`, of documents that customers see online. */
export function onlineVerbs<R extends Resource>(resource: R, options: VerbOptions<R>): Command[] {
  const find = finder(resource, options);
  const noun = called(resource, options);
  const words = typed(resource, options);
  return [
    command("url", `print the address where a customer sees ${withArticle(noun)} online`)
      .writes()
      .key(resource, options.live)
      .answers("nothing")
      .switch("revoke", "take the address back, so that it leads nowhere, and print a new one")
      .note("Of a book that acct serve does not serve, --public-url says where it will be.")
      .example(`acct ${words} url KEY --public-url https://books.example`)
      .example(`acct ${words} url KEY --revoke`)
      .action(async (ctx, key, { revoke }) => {
        const client = await ctx.client();
        const found = await find(ctx, key);
        const id = idOf(resource, found);
        if (revoke === true) {
          const name = nameOfRecord(resource, found);
          await confirmed(ctx, `Take back the online address of ${name}? Links to it end.`);
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
    command("open", `open the page of ${withArticle(noun)} in the browser`)
      .key(resource, options.live)
      .answers("nothing")
      .note("It does not count as opened by the customer.")
      .example(`acct ${words} open KEY`)
      .action(async (ctx, key) => {
        const client = await ctx.client();
        const url = await client.onlineUrl(resource, idOf(resource, await find(ctx, key)));
        const { openInBrowser } = await import("../../connection/browser.ts");
        await openInBrowser(ctx, `${url}?preview`);
      }),
  ];
}

/** Changes a record that was found, and shows it. */
export async function updateFound<R extends Resource>(
  ctx: Context,
  resource: R,
  found: Shape<R>,
  input: Input<R>,
): Promise<void> {
  const client = await ctx.client();
  const updated = await client.update(resource, idOf(resource, found), input);
  sayChanges(ctx, resource, found, updated);
  await ctx.out.record(resource, updated);
}

/** `acct NOUN history KEY`. */
export function historyCommand<R extends Resource>(
  resource: R,
  options: VerbOptions<R> = {},
): Command {
  const find = finder(resource, options);
  const noun = called(resource, options);
  return command("history", `what was done to ${withArticle(noun)}, newest first`)
    .key(resource, options.live)
    .answers(historyRecord)
    .example(exampleOf(resource, options, "history"))
    .action(async (ctx, key) => {
      const client = await ctx.client();
      const id = idOf(resource, await find(ctx, key));
      await ctx.out.records(historyRecord, await client.history(resource, id));
    });
}

/** `acct NOUN note KEY TEXT`. */
export function noteCommand<R extends Resource>(
  resource: R,
  options: VerbOptions<R> = {},
): Command {
  const find = finder(resource, options);
  const noun = called(resource, options);
  return command("note", `add a note to the history of ${withArticle(noun)}`)
    .writes()
    .key(resource, options.live)
    .argument("TEXT", "what to note, at most 2500 characters")
    .answers("nothing")
    .example(`${exampleOf(resource, options, "note")} 'Rang, will call back on Friday'`)
    .action(async (ctx, key, text) => {
      const client = await ctx.client();
      const found = await find(ctx, key);
      await client.note(resource, idOf(resource, found), text);
      ctx.out.say(
        `${ctx.flags.dryRun ? "Would note" : "Noted"} on ${nameOfRecord(resource, found)}.`,
      );
    });
}

/** `acct NOUN import FILE`. */
export function importVerb(noun: ImportNoun): Deferred {
  return deferred("import", [], `import ${noun}s from a CSV file`, async () =>
    (await import("../../import/command.ts")).importCommand(noun),
  );
}

export function idOf(resource: Resource, record: object): string {
  return String((record as Record<string, unknown>)[resource.id]);
}
