/**
 * Completions from the configuration and the book.
 *
 * Completion must be fast: every kind of value is one short list, queried by prefix, and a remote
 * service that does not answer at once is not waited for.
 */

import type { Client } from "../../client/client.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { build } from "../../platform/version.ts";
import { hasBook, targetOf } from "../connection/choose-target.ts";
import { readConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import { liveOf } from "../framework/flags.ts";
import { foldGlobals } from "../framework/global-flags.ts";
import { safeLine } from "../render/safe.ts";
import { after, begins, type CompletionLine, type Completions } from "./completion-line.ts";

/** Total time limit of a remote service, in milliseconds. */
const remoteMs = 250;

/** Returns the values of a kind that begin with the typed text. */
export async function liveValues(
  ctx: Context,
  line: CompletionLine,
  kind: string,
  start: string,
): Promise<Completions> {
  if (kind === "profile") return profileCompletions(ctx, start);
  if (kind === "line") return lineValues(ctx, line, start);
  if (kind === "record") return recordValues(ctx, line, start);
  const { sourceOf } = await import("./record-completions.ts");
  const source = sourceOf(kind);
  if (source === undefined) return { values: [] };
  const completions = await withClient(ctx, line, (client) => source(client, { line, start }));
  // Values with unsafe characters are left out, since they cannot be typed either.
  const values = completions.values.filter(
    ({ value }) => value !== "" && safeLine(value) === value,
  );
  return { values, more: completions.more === true || values.length < completions.values.length };
}

function profileCompletions({ env }: Context, start: string): Completions {
  const values = Object.entries(readConfig(env).profiles)
    .map(([value, { book, baseUrl }]) => ({ value, text: baseUrl ?? book }))
    .filter(({ value }) => begins(value, start));
  return { values };
}

/** Opens the book or service that the line names, if it exists; errors are ignored. */
async function withClient(
  ctx: Context,
  { globals }: CompletionLine,
  ask: (client: Client) => Promise<Completions>,
): Promise<Completions> {
  const flags = foldGlobals({ ...globals, noInput: true }, {});
  const bookTarget = targetOf(flags, ctx.env, build);
  if (!hasBook(bookTarget)) return { values: [] };
  const signals = [ctx.interrupted];
  if (bookTarget.kind === "remote") signals.push(AbortSignal.timeout(remoteMs));
  const { open } = await import("../connection/open.ts");
  await using client = closeAtBlockEnd(
    (
      await open(
        {
          ...ctx,
          flags,
          target: () => bookTarget,
          out: { ...ctx.out, say: () => undefined },
          interrupted: AbortSignal.any(signals),
        },
        { mayRenew: false },
      )
    ).client,
  );
  return await ask(client);
}

// --- compound values -----------------------------------------------------------------------

/** Completes `item=WIDGET,account=2…`: keys, and after a key its values. */
async function lineValues(ctx: Context, line: CompletionLine, start: string): Promise<Completions> {
  const { lineField, shortLineKeys } = await import("../values/line-flag.ts");
  // A comma inside quotes is text.
  const bare = start.replace(/"[^"]*("|$)/g, (quotedPart) => "x".repeat(quotedPart.length));
  const comma = bare.lastIndexOf(",") + 1;
  const [before, pair] = [start.slice(0, comma), start.slice(comma)];
  const equalsAt = pair.indexOf("=") + 1;
  if (equalsAt === 0) {
    const names = before.split(",").map((text) => text.split("=")[0]);
    const keys = shortLineKeys.filter((key) => !names.includes(key) && begins(key, pair));
    return { values: keys.map((key) => ({ value: `${before}${key}=` })) };
  }
  const field = lineField(pair.slice(0, equalsAt - 1));
  const kind = field === "Tracking" ? "tracking-option" : liveOf(field);
  if (kind === undefined) return { values: [] };
  const completions = await liveValues(ctx, line, kind, pair.slice(equalsAt));
  // Values are quoted as `--line` needs it, where they contain a separator.
  const values = completions.values.map(({ value, text }) => {
    return { value: value.replace(/[\\",]/g, "\\$&"), text };
  });
  return after(before + pair.slice(0, equalsAt), { ...completions, values });
}

/** Completes `invoice:INV-0042`, and handles without a noun. */
async function recordValues(
  ctx: Context,
  line: CompletionLine,
  start: string,
): Promise<Completions> {
  const { recordNouns } = await import("../shared/record-ref.ts");
  const colon = start.indexOf(":");
  if (colon < 0) {
    const { handleKind } = await import("./record-completions.ts");
    const kind = handleKind(start);
    if (kind !== undefined) return liveValues(ctx, line, kind, start);
    const nouns = recordNouns.filter((noun) => begins(noun, start));
    return { values: nouns.map((noun) => ({ value: `${noun}:` })) };
  }
  const kind = start.slice(0, colon).toLowerCase();
  if (!recordNouns.includes(kind)) return { values: [] };
  return after(`${kind}:`, await liveValues(ctx, line, kind, start.slice(colon + 1)));
}
