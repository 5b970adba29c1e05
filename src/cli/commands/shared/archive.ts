/** What speaks against putting an account or a contact out of use, and the question that follows. */
import { allOf, compare } from "../../../client/condition.ts";
import type { Account } from "../../../resources/account.ts";
import type { Contact } from "../../../resources/contact.ts";
import { creditNote } from "../../../resources/credit-note.ts";
import { readDecimal, scaleOf, writeDecimal } from "../../../resources/decimal.ts";
import { AuthError } from "../../../resources/errors.ts";
import { invoice } from "../../../resources/invoice.ts";
import type { Row } from "../../../wire/report.ts";
import type { Context } from "../../framework/context.ts";
import { confirmed } from "./confirm.ts";

/**
 * Says what speaks against it, and asks. Nothing is asked where nothing does.
 *
 * @param doubts  sentences
 * @throws InterruptedError when the answer is no, UsageError when nobody can be asked
 */
export async function confirmArchive(
  ctx: Context,
  doubts: readonly (string | undefined)[],
): Promise<void> {
  const said = doubts.filter((doubt) => doubt !== undefined);
  if (said.length === 0) return;
  for (const doubt of said) ctx.out.say(doubt);
  await confirmed(ctx, "Archive all the same?");
}

/** Money that stands on an account; what was earned or spent on it this year is none. */
export async function accountDoubt(
  ctx: Context,
  { AccountID, Code, Name, Class }: Account,
): Promise<string | undefined> {
  if (Class === "REVENUE" || Class === "EXPENSE") return undefined;
  const called = Code === undefined ? Name : `${Code} ${Name}`;
  try {
    const client = await ctx.client();
    const { Rows } = await client.report("TrialBalance", { date: ctx.today() });
    const balance = balanceOf(Rows, AccountID);
    if (balance === 0) return undefined;
    return `The account ${called} has a balance of ${writeDecimal(balance, scaleOf.money)}.`;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return `Whether the account ${called} has a balance cannot be seen: reports are not permitted.`;
  }
}

/** Debit less credit of the year to date, which for assets, liabilities and equity is all. */
function balanceOf(rows: readonly Row[], accountId: string): number {
  for (const { Cells = [], Rows = [] } of rows) {
    if (Cells[0]?.Attributes?.some(({ Value }) => Value === accountId)) {
      const [debit = 0, credit = 0] = Cells.slice(-2).map(({ Value = "" }) =>
        readDecimal(Value, scaleOf.money),
      );
      return debit - credit;
    }
    const balance = balanceOf(Rows, accountId);
    if (balance !== 0) return balance;
  }
  return 0;
}

const openStatuses = ["DRAFT", "SUBMITTED", "AUTHORISED"];

/** Documents of a contact that are still to be settled, or to be approved. */
export async function contactDoubt(
  ctx: Context,
  { ContactID, Name }: Contact,
): Promise<string | undefined> {
  const client = await ctx.client();
  const parameters = { ContactIDs: ContactID, Statuses: openStatuses.join(",") };
  const numbers: string[] = [];
  for await (const { InvoiceNumber, InvoiceID } of client.list(invoice, { parameters })) {
    numbers.push(InvoiceNumber ?? InvoiceID);
  }
  const { fields } = creditNote;
  const where = allOf([
    compare(fields, "Contact.ContactID", "==", ContactID),
    compare(fields, "Status", "==", "AUTHORISED"),
  ]);
  for await (const { CreditNoteNumber, CreditNoteID } of client.list(creditNote, { where })) {
    numbers.push(CreditNoteNumber ?? CreditNoteID);
  }
  if (numbers.length === 0) return undefined;
  const [shown, rest] = [numbers.slice(0, 5), numbers.length - 5];
  const more = rest > 0 ? ` and ${rest} more` : "";
  const documents = numbers.length === 1 ? "an open document" : "open documents";
  return `${Name} has ${documents}: ${shown.join(", ")}${more}.`;
}
