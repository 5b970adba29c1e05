import { choiceText, labelOf, statusText } from "../../output/field-labels.ts";
import { currencyOf, currencyOfAmount } from "../../output/list-table.ts";
import { inDigitsOf } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { RefusedError } from "../../resources/errors.ts";
import { type FieldValues, isScalar, type Resource } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { nameOf } from "../../wire/codec.ts";
import { plainValue } from "../../wire/plain.ts";
import { allOf, compare } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { InterruptedError } from "../render/error.ts";

/**
 * Asks before an irreversible action. Without a terminal `--yes` is required: a script that voids
 * an invoice should do so on purpose.
 *
 * @param isPreset  whether Enter means yes, where what will be booked was shown
 * @throws InterruptedError when the answer is no, UsageError when prompting is not possible
 */
export async function confirm(ctx: Context, question: string, isPreset = false): Promise<void> {
  if (ctx.flags.dryRun) return;
  if (await ctx.ask.confirm(question, { flag: "--yes", default: isPreset })) return;
  throw new InterruptedError("Nothing was changed.");
}

/** Returns the display name of a record. */
export function nameOfRecord(resource: Resource, record: object): string {
  const { Name, Handle } = record as { Name?: string; Handle?: string };
  const hasKey = Object.values(resource.fields).some(({ key }) => key === true);
  const knownName = hasKey ? nameOf(resource, record as Record<string, unknown>) : (Name ?? Handle);
  return knownName ?? resource.noun;
}

/** In a dry run, prints which values would change. */
export function sayChanges<R extends Resource>(
  ctx: Context,
  resource: R,
  oldRecord: object,
  newRecord: object,
): void {
  if (!ctx.flags.dryRun) return;
  const changes = changesBetween(resource, oldRecord, newRecord, ctx.out.isScreen);
  const name = nameOfRecord(resource, { ...oldRecord, ...newRecord });
  ctx.out.say(
    changes.length === 0
      ? `${name} would stay as it is.`
      : `${name} would change: ${changes.join(", ")}.`,
  );
}

/**
 * Lists changes by field, `Status DRAFT → AUTHORISED`, or in words `Status Draft → Awaiting payment`;
 * nested values by name alone.
 */
function changesBetween(
  resource: Resource,
  oldRecord: object,
  newRecord: object,
  isInWords: boolean,
): string[] {
  const currency = currencyOf(resource.fields, oldRecord as FieldValues);
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.kind === "timestamp") return [];
    const [old, next] = [oldRecord, newRecord].map((record) => {
      const text = plainValue(field, (record as Record<string, unknown>)[name]);
      // What the service alone sets is left out of some answers where it does not hold.
      if (field.kind === "boolean" && field.readOnly) return text || "false";
      if (isInWords && field.kind === "choice" && text !== "")
        return (name === "Status" && statusText(resource.name, text)) || choiceText(name, text);
      const isAmount = field.kind === "money" || field.kind === "unitAmount";
      return isAmount ? inDigitsOf(currencyOfAmount(field, record, currency), text) : text;
    });
    if (old === next) return [];
    const label = isInWords ? labelOf(name) : name;
    if (!isScalar(field)) return [label];
    return [`${label} ${old || "nothing"} → ${next || "nothing"}`];
  });
}

/**
 * Requires that the service supports an extension of the public API.
 *
 * @param what  subject of the error sentence, `Choosing recipients`
 * @throws RefusedError `NotOffered`
 */
export async function requireExtension(
  ctx: Context,
  what: string,
  ...operation: readonly [method: string, path: string, schema?: string]
): Promise<void> {
  const client = await ctx.client();
  if (await client.offers(...operation)) return;
  const message = `${what} is an extension of acct's own service, which this service does not have.`;
  throw new RefusedError("NotOffered", message);
}

/**
 * Reports the doubts about archiving a record, and asks for confirmation where there are any.
 *
 * @param doubts  sentences
 * @throws InterruptedError when the answer is no, UsageError when prompting is not possible
 */
export async function confirmArchive(
  ctx: Context,
  doubts: readonly (string | undefined)[],
): Promise<void> {
  const sentences = doubts.filter((doubt) => doubt !== undefined);
  if (sentences.length === 0) return;
  for (const doubt of sentences) ctx.out.say(doubt);
  await confirm(ctx, "Archive all the same?");
}

const openStatuses = ["DRAFT", "SUBMITTED", "AUTHORISED"];

/** Returns a doubt where a contact has documents that are unpaid or not approved. */
export async function contactDoubt(
  ctx: Context,
  { ContactID, Name }: Contact,
): Promise<string | undefined> {
  const client = await ctx.client();
  const parameters = { ContactIDs: ContactID, Statuses: openStatuses.join(",") };
  const invoices = await Array.fromAsync(client.list(invoice, { parameters }));
  const { fields } = creditNote;
  const condition = allOf([
    compare(fields, "Contact.ContactID", "==", ContactID),
    compare(fields, "Status", "==", "AUTHORISED"),
  ]);
  const credits = await Array.fromAsync(client.list(creditNote, { where: condition }));
  const numbers = [
    ...invoices.map(({ InvoiceNumber, InvoiceID }) => InvoiceNumber ?? InvoiceID),
    ...credits.map(({ CreditNoteNumber, CreditNoteID }) => CreditNoteNumber ?? CreditNoteID),
  ];
  if (numbers.length === 0) return undefined;
  const [shown, rest] = [numbers.slice(0, 5), numbers.length - 5];
  const andMore = rest > 0 ? ` and ${rest} more` : "";
  const documents = numbers.length === 1 ? "an open document" : "open documents";
  return `${Name} has ${documents}: ${shown.join(", ")}${andMore}.`;
}
