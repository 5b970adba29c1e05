/**
 * What may be typed for a value, out of the book.
 *
 * Somebody has pressed Tab and waits: every kind of value is one short list, asked for by its
 * beginning. What goes wrong is no business of a person in the middle of a line, so it is never
 * said, and a service elsewhere that does not answer at once is not waited for.
 */

import { recordNouns } from "../commands/shared/record-ref.ts";
import { readConfig } from "../connection/config.ts";
import type { Context } from "../framework/context.ts";
import { safeLine } from "../render/safe.ts";
import { lineKeys } from "../values/lines.ts";
import { type Asked, all, begins, type Found, type Value } from "./asked.ts";
import { withClient } from "./place.ts";
import { sourceOf } from "./records.ts";

/** Most values that are answered. */
const valuesMax = 200;

/**
 * Answers what is asked, one value a line, its text after a tab.
 *
 * @returns no text where there is nothing to answer, whatever the reason
 */
export async function answerValues(ctx: Context, asked: Asked): Promise<string> {
  try {
    const { values, more } = await valuesOf(ctx, asked);
    const typeable = values.filter(({ value }) => value !== "" && safeLine(value) === value);
    const shown = typeable.slice(0, valuesMax);
    if (more || shown.length < typeable.length) shown.push(...stemOf(shown, asked.start));
    return shown.map(({ value, text }) => `${value}\t${safeLine(text ?? "")}\n`).join("");
  } catch {
    return "";
  }
}

/**
 * The text so far, as one value among others, for when there are more than are shown.
 *
 * Shells write out what all values have in common, which is too much where some were left out.
 */
function stemOf([first]: readonly Value[], start: string): Value[] {
  const value = first?.value.slice(0, start.length) ?? "";
  return value === "" ? [] : [{ value, text: "and more" }];
}

async function valuesOf(ctx: Context, asked: Asked): Promise<Found> {
  const { kind, start } = asked;
  if (kind === "profile") return all(profiles(ctx, start));
  if (kind === "line") return lineValues(ctx, asked);
  if (kind === "record") return recordValues(ctx, asked);
  const live = sourceOf(kind);
  if (live === undefined) return all([]);
  return withClient(ctx, asked.words, (client) => live(client, asked));
}

function profiles({ env }: Context, start: string): Value[] {
  return Object.entries(readConfig(env).profiles)
    .map(([value, { book, baseUrl }]) => ({ value, text: baseUrl ?? book }))
    .filter(({ value }) => begins(value, start));
}

// --- values of several parts ---------------------------------------------------------------

/** `item=WIDGET,account=2…`: keys, and after a key what belongs to it. */
async function lineValues(ctx: Context, { start, words }: Asked): Promise<Found> {
  const comma = lastCommaOutsideQuotes(start) + 1;
  const [before, pair] = [start.slice(0, comma), start.slice(comma)];
  const equals = pair.indexOf("=");
  if (equals < 0) {
    const given = new Set(before.split(",").map((each) => each.split("=")[0]));
    const keys = lineKeys.filter(
      (key) => !key.endsWith("-id") && !longForms.has(key) && !given.has(key) && begins(key, pair),
    );
    return all(keys.map((key) => ({ value: `${before}${key}=` })));
  }
  const kind = kindOfKey[pair.slice(0, equals)];
  if (kind === undefined) return all([]);
  const found = await valuesOf(ctx, { kind, start: pair.slice(equals + 1), words });
  const head = before + pair.slice(0, equals + 1);
  // As `--line` wants it: what would end the value is text.
  const escaped = (value: string) => value.replace(/[\\",]/g, "\\$&");
  const values = found.values.map(({ value, text }) => ({ value: head + escaped(value), text }));
  return { ...found, values };
}

/** Keys for which there is a shorter one. */
const longForms = new Set([
  "account-code",
  "discount-rate",
  "item-code",
  "line-amount",
  "tax-type",
]);

const kindOfKey: Readonly<Record<string, string>> = {
  account: "account",
  "account-code": "account",
  item: "item",
  "item-code": "item",
  tax: "tax-rate",
  "tax-type": "tax-rate",
  tracking: "tracking-option",
};

function lastCommaOutsideQuotes(text: string): number {
  let last = -1;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === "," && !isQuoted) last = at;
  }
  return last;
}

/** `invoice:INV-0042`. */
async function recordValues(ctx: Context, { start, words }: Asked): Promise<Found> {
  const colon = start.indexOf(":");
  if (colon < 0) {
    const nouns = recordNouns.filter((noun) => begins(noun, start));
    return all(nouns.map((noun) => ({ value: `${noun}:` })));
  }
  const kind = start.slice(0, colon).toLowerCase();
  if (!recordNouns.includes(kind)) return all([]);
  const found = await valuesOf(ctx, { kind, start: start.slice(colon + 1), words });
  const values = found.values.map(({ value, text }) => ({ value: `${kind}:${value}`, text }));
  return { ...found, values };
}
