/** `copy`: a new draft with what another document has, of today and with a number of its own. */
import type { Input, Resource } from "../../../resources/field.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import { command } from "../../framework/command.ts";
import type { Command } from "../../framework/context.ts";
import { type DocumentKind, followingDates } from "./document.ts";
import { datesSettled, fieldsGiven } from "./input.ts";
import { withArticle } from "./verbs.ts";

/** What is of the one document alone. */
const ownFields: readonly string[] = ["Status", "SentToContact", "Url", "CurrencyRate", "Date"];

/** Declares `acct NOUN copy NUMBER`. */
export function copyVerb<R extends Resource>(kind: DocumentKind<R>): Command {
  const { resource, word, called, example } = kind;
  const names = kind.fields.filter((name) => name !== "Type");
  return command("copy", `make ${withArticle(called)} with the lines of another`)
    .alias("duplicate")
    .key(resource, word)
    .fields(resource, names, {
      ...followingDates(resource),
      Date: { help: "today when not given" },
      Status: { values: kind.newStatuses },
    } as object)
    .note("It is a draft of today with the next number; what is due later is as many days later.")
    .example(`acct ${word} copy ${example}`)
    .example(`acct ${word} copy ${example} --date 2026-04-01`)
    .action(async (ctx, key, options) => {
      const found = (await kind.find(ctx, key)) as Readonly<Record<string, unknown>>;
      const given = fieldsGiven(resource, options) as { readonly Date?: string };
      const day = given.Date ?? ctx.today();
      const copied = { ...kept(kind, found, day), Date: day, ...given } as unknown as Input<R>;
      const input = datesSettled(resource, copied, { today: ctx.today() });
      const client = await ctx.client();
      await ctx.out.record(resource, await client.create(resource, { ...input, ...kind.fixed }));
    });
}

/** What a copy of a document has of it. */
function kept<R extends Resource>(
  { resource, fields }: DocumentKind<R>,
  found: Readonly<Record<string, unknown>>,
  day: string,
): object {
  const { Contact, LineItems = [] } = found as {
    Contact?: { ContactID?: string };
    LineItems?: readonly LineItem[];
  };
  const copied: Record<string, unknown> = {};
  for (const name of fields) {
    const field = resource.fields[name];
    const value = found[name];
    if (field === undefined || value === undefined || ownFields.includes(name)) continue;
    if (field.key === true || name === "Contact") continue;
    const follows = field.kind === "date" && field.follows !== undefined;
    copied[name] = follows ? later(String(value), String(found[field.follows ?? ""]), day) : value;
  }
  return {
    ...copied,
    Contact: { ContactID: Contact?.ContactID },
    LineItems: LineItems.map(lineOf),
  };
}

/** The day as long after another as it was before. */
function later(value: string, from: string, day: string): string {
  const distance = Date.parse(value) - Date.parse(from);
  return new Date(Date.parse(day) + (distance || 0)).toISOString().slice(0, 10);
}

/** A line as it is typed: what the service works out of it, it works out anew. */
function lineOf(line: LineItem) {
  const { Description, Quantity, UnitAmount, ItemCode, AccountCode, TaxType } = line;
  const { DiscountRate, DiscountAmount, Tracking = [] } = line;
  const own = { Description, Quantity, UnitAmount, ItemCode, AccountCode, TaxType };
  const discount = DiscountRate === undefined ? { DiscountAmount } : { DiscountRate };
  const options = Tracking.map(({ Name, Option }) => ({ Name, Option }));
  const all = { ...own, ...discount, ...(options.length === 0 ? {} : { Tracking: options }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
