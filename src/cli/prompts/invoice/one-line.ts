/** Builds the command line equivalent to a wizard's answers. */

import { lineItemFields } from "../../../resources/line-item.ts";
import { plainValue } from "../../../wire/plain.ts";
import type { Context } from "../../context/context.ts";
import { flagWords, placeWords } from "../../framework/conversation-words.ts";
import type { Quote } from "../../values/quote.ts";
import {
  type Draft,
  type DraftLine,
  itemDescription,
  type NewContact,
  partyName,
} from "../invoice/draft.ts";

/** The user's final choice for the draft. */
export interface DraftDecision {
  readonly status: "DRAFT" | "AUTHORISED";
  readonly emails: boolean;
  /** The contact that was created, if any. */
  readonly made?: NewContact | undefined;
}

/**
 * Returns the command line that creates the same document.
 *
 * @param quote  quoting function of the user's shell
 */
export function oneLine(
  ctx: Pick<Context, "flags">,
  draft: Draft,
  { status, emails, made }: DraftDecision,
  quote: Quote,
): string {
  const acct = ["acct", ...placeWords(ctx)];
  const noun = draft.type === "ACCREC" ? "invoice" : "bill";
  const create = [
    ...acct,
    noun,
    "create",
    ...flagWords("contact", partyName(draft)),
    ...flagWords("date", draft.date),
    ...flagWords("due-date", draft.dueDate),
    ...flagWords("reference", draft.reference),
    ...flagWords("invoice-number", draft.number),
    ...flagWords("line-amount-types", draft.types === "Exclusive" ? undefined : draft.types),
    ...flagWords("status", status === "DRAFT" ? undefined : status),
    ...draft.lines.flatMap((line) => flagWords("line", lineText(line, draft.type))),
  ];
  const contact = made && [
    ...acct,
    "contact",
    "create",
    ...flagWords("name", made.Name),
    ...flagWords("email-address", made.EmailAddress),
  ];
  const write = (words: readonly string[]) => words.map(quote).join(" ");
  const creating = emails
    ? `${write([...acct, noun, "email"])} "$(${write([...create, "-o", "id"])})"`
    : write(create);
  return contact === undefined ? creating : `${write(contact)} && ${creating}`;
}

/** Formats a line for `--line`. */
export function lineText({ input, item }: DraftLine, type: Draft["type"]): string {
  const { ItemCode, Description, Quantity, UnitAmount, AccountCode, TaxType } = input;
  // The item adds its own description, which may have line breaks or outer spaces.
  const isOwn = item !== undefined && itemDescription(item, type) === Description;
  const pairs: readonly (readonly [key: string, value: string | undefined])[] = [
    ["item", ItemCode],
    ["description", isOwn ? undefined : Description],
    ["quantity", plainValue(lineItemFields.Quantity, Quantity)],
    ["unit-amount", plainValue(lineItemFields.UnitAmount, UnitAmount)],
    ["account", AccountCode],
    ["tax", TaxType],
  ];
  return pairs
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value = ""]) => `${key}=${pairValue(value)}`)
    .join(",");
}

/** Quotes a value that contains a comma, and escapes quotes by a backslash. */
function pairValue(value: string): string {
  const escaped = value.replace(/(["\\])/g, "\\$1");
  return /[,"\\]/.test(value) ? `"${escaped}"` : value;
}
