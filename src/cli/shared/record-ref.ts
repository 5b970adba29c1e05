/** Records of any kind by their names: `--on NOUN:KEY`, and what undo, explain and log take. */
import { AcctError, AuthError, NotFoundError, UsageError } from "../../resources/errors.ts";
import { idOf, isHandle, type Resource } from "../../resources/field.ts";
import {
  account,
  asset,
  contact,
  creditNote,
  invoice,
  item,
  purchaseOrder,
  quote,
  resources,
} from "../../resources/index.ts";
import { isGuid } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { wordOf } from "../framework/command.ts";
import { didYouMean } from "../values/suggest.ts";
import { findDocument } from "./find-document.ts";

/** A kind of record that a text may name. */
export interface RecordKind {
  readonly noun: string;
  readonly resource: Resource;
  readonly find: (ctx: Context, key: string) => Promise<object>;
}

/** A record with its kind. */
export interface NamedRecord extends Pick<RecordKind, "noun" | "resource"> {
  readonly id: string;
  readonly record: object;
}

const kindPrefix = /^(handle|number):(.*)$/i;

/** The kinds of a resource: one, but for invoices and bills. */
export function kindsOf(resource: Resource): RecordKind[] {
  if (resource.name !== "Invoice") {
    const find: RecordKind["find"] = async (ctx, key) =>
      (await ctx.client()).find(resource, key.replace(kindPrefix, "$2"));
    return [{ noun: wordOf(resource), resource, find }];
  }
  const bill = { ...invoice, noun: "bill" };
  return [
    { noun: "invoice", resource, find: (ctx, key) => findDocument(ctx, "ACCREC", key) },
    { noun: "bill", resource: bill, find: (ctx, key) => findDocument(ctx, "ACCPAY", key) },
  ];
}

/** Resources with history or attachments. */
const withHistory = resources.filter(
  ({ history, attachments, record }) =>
    (history === true || attachments !== undefined) && record.includes("GET"),
);

const kinds: readonly RecordKind[] = [
  ...kindsOf(invoice),
  ...withHistory.filter(({ name }) => name !== invoice.name).flatMap(kindsOf),
];

/** Resources whose number or name may stand without a noun. */
const handleNames: ReadonlySet<string> = new Set(
  [invoice, creditNote, purchaseOrder, quote, contact, item, account, asset].map(
    ({ name }) => name,
  ),
);

/** All nouns that `--on` accepts. */
export const recordNouns: readonly string[] = kinds.map(({ noun }) => noun);

/**
 * Finds the record that a text names: `NOUN:KEY`, an id, a handle, or a number or name. Where it is
 * the handle of one record and the number of another, `handle:` and `number:` say which.
 *
 * @param among  the kinds that are meant
 * @throws NotFoundError, UsageError `Ambiguous` where several records have the name
 */
export async function recordNamed(
  ctx: Context,
  text: string,
  among: readonly RecordKind[] = kinds,
): Promise<NamedRecord> {
  const colon = text.indexOf(":");
  const ofNoun = among.find(({ noun }) => noun === text.slice(0, Math.max(0, colon)).toLowerCase());
  if (ofNoun !== undefined) return toNamed(ofNoun, await ofNoun.find(ctx, text.slice(colon + 1)));
  const [, by = "", own = text] = kindPrefix.exec(text) ?? [];
  const matches: NamedRecord[] = [];
  for (const kind of among) {
    const { resource } = kind;
    const isByHandle = !/^number$/i.test(by) && isHandle(resource, own);
    const isByName = !/^handle$/i.test(by) && handleNames.has(resource.name);
    if (!isByHandle && !isByName && !isGuid(own)) continue;
    const record = await kind.find(ctx, text).catch(ignoreOtherKinds);
    if (record !== undefined) matches.push(toNamed(kind, record));
  }
  const [only, ...others] = matches;
  if (only === undefined) {
    throw new NotFoundError("NotFound", `There is no record ${text}; NOUN:KEY says of which kind.`);
  }
  if (others.length === 0) return only;
  const matchesText = matches.map(({ noun }) => `${noun} ${own}`).join(" and ");
  const waysToSay = matches.map(({ noun }) => `${noun}:${own}`).join(" or ");
  throw new UsageError("Ambiguous", `${own} is ${matchesText}; say ${waysToSay}.`);
}

const toNamed = ({ noun, resource }: RecordKind, record: object): NamedRecord => ({
  ...{ noun, resource, record },
  id: idOf(resource, record),
});

/** Ignores that a kind has no such record, may not be read, or has names of another form. */
function ignoreOtherKinds(error: unknown): undefined {
  const isOther =
    error instanceof NotFoundError || error instanceof AuthError || error instanceof UsageError;
  if (!isOther || (error instanceof AcctError && error.code === "Ambiguous")) throw error;
}

/**
 * Returns the id of the record that a handle names, of one of some kinds; another text as it is.
 *
 * @throws NotFoundError
 */
export async function idOfHandle(
  ctx: Context,
  candidates: readonly Resource[],
  text: string,
): Promise<string> {
  const resource = candidates.find((resource) => isHandle(resource, text));
  return resource === undefined
    ? text
    : idOf(resource, await (await ctx.client()).find(resource, text));
}

/** A record as typed, with the kinds that it may be of. */
export interface RecordRef {
  readonly key: string;
  readonly among: readonly RecordKind[];
}

/** Builds the flag `--on` for nouns whose resource satisfies a condition. */
export function recordRefFlag(isAllowed: (resource: Resource) => boolean) {
  const recordKinds = kinds.filter(({ resource }) => isAllowed(resource));
  const names = recordKinds.map(({ noun }) => noun);
  const flagOptions = {
    placeholder: "NOUN:KEY",
    live: "record",
    required: true,
    read: (text: string): RecordRef => {
      const [head = "", ...rest] = text.split(":");
      const isOfNoun = rest.join("").trim() !== "" && names.includes(head.toLowerCase());
      const key = text.replace(kindPrefix, "$2").trim();
      if (isOfNoun || recordKinds.some(({ resource }) => isHandle(resource, key))) {
        return { key: text.trim(), among: recordKinds };
      }
      throw new UsageError(
        "BadValue",
        `--on takes NOUN:KEY such as invoice:INV-0042, or a handle such as P-318, not "${text}".${didYouMean(head, names)}`,
      );
    },
  } as const;
  return [`the record, such as invoice:INV-0042; nouns: ${names.join(", ")}`, flagOptions] as const;
}

/** Finds the record of `--on`. */
export async function recordOn(ctx: Context, on: RecordRef | undefined): Promise<NamedRecord> {
  if (on === undefined) throw new UsageError("MissingValue", "--on says which record.");
  return recordNamed(ctx, on.key, on.among);
}
