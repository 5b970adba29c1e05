/** `--on NOUN:KEY`: a record of any kind as the subject of a command. */
import { UsageError } from "../../resources/errors.ts";
import { idOf, isHandle, type Resource } from "../../resources/field.ts";
import { invoice, resources } from "../../resources/index.ts";
import type { Context } from "../context/context.ts";
import { wordOf } from "../framework/command.ts";
import { didYouMean } from "../values/suggest.ts";
import { findDocument } from "./find-document.ts";

interface RecordKind {
  readonly resource: Resource;
  readonly find: (ctx: Context, key: string) => Promise<object>;
}

const byKey = (resource: Resource): RecordKind => ({
  resource,
  find: async (ctx, key) => (await ctx.client()).find(resource, key),
});

/** Resources with history or attachments. */
const withHistory = resources.filter(
  ({ history, attachments, record }) =>
    (history === true || attachments !== undefined) && record.includes("GET"),
);

/** Record kinds by noun, with invoices and bills separate. */
const targets: Readonly<Record<string, RecordKind>> = {
  invoice: { resource: invoice, find: (ctx, key) => findDocument(ctx, "ACCREC", key) },
  bill: {
    resource: { ...invoice, noun: "bill" },
    find: (ctx, key) => findDocument(ctx, "ACCPAY", key),
  },
  ...Object.fromEntries(
    withHistory
      .filter((resource) => resource !== invoice)
      .map((resource) => [wordOf(resource), byKey(resource)]),
  ),
};

/** The noun of the records that a handle such as `P-318` is of; empty text for another text. */
export const nounOfHandle = (text: string): string =>
  recordNouns.find((noun) => noun !== "invoice" && isHandle(targets[noun]!.resource, text)) ?? "";

/**
 * Returns the id of the record that a handle names, of one of some kinds; another text as it is.
 *
 * @throws NotFoundError
 */
export async function idOfHandle(
  ctx: Context,
  kinds: readonly Resource[],
  text: string,
): Promise<string> {
  const resource = kinds.find((each) => isHandle(each, text));
  return resource === undefined
    ? text
    : idOf(resource, await (await ctx.client()).find(resource, text));
}

/** All nouns that `--on` accepts. */
export const recordNouns: readonly string[] = Object.keys(targets);

export interface RecordRef {
  readonly target: RecordKind;
  readonly key: string;
}

/** Builds the flag `--on` for nouns whose resource satisfies a condition. */
export function recordRefFlag(has: (resource: Resource) => boolean) {
  const names = Object.keys(targets).filter((noun) => {
    const target = targets[noun];
    return target !== undefined && has(target.resource);
  });
  const own = {
    placeholder: "NOUN:KEY",
    live: "record",
    required: true,
    read: (text: string): RecordRef => {
      const colon = text.indexOf(":");
      const key = text.slice(colon + 1).trim();
      const noun = colon < 0 ? nounOfHandle(key) : text.slice(0, colon).toLowerCase();
      const target = names.includes(noun) ? targets[noun] : undefined;
      if (target !== undefined && key !== "") return { target, key };
      throw new UsageError(
        "BadValue",
        `--on takes NOUN:KEY such as invoice:INV-0042, or a handle such as P-318, not "${text}".${didYouMean(noun, names)}`,
      );
    },
  } as const;
  return [`the record, such as invoice:INV-0042; nouns: ${names.join(", ")}`, own] as const;
}

/** Finds the record of `--on`, and returns its id. */
export async function recordOn(
  ctx: Context,
  on: RecordRef | undefined,
): Promise<{ resource: Resource; id: string }> {
  if (on === undefined) throw new UsageError("MissingValue", "--on says which record.");
  const { resource, find } = on.target;
  return { resource, id: idOf(resource, await find(ctx, on.key)) };
}
