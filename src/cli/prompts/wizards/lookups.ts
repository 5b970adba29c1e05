/** Choices of wizards. */

import { accessSync, constants, statSync } from "node:fs";
import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { amount } from "../../../output/figures.ts";
import { type Account, account } from "../../../resources/account.ts";
import { UsageError } from "../../../resources/errors.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import type { Choice, Context } from "../../context/context.ts";
import { safeLine } from "../../render/safe.ts";

/** Maximum count of documents shown. */
const documentsShown = 8;

/** Returns active accounts that satisfy a condition, by code. */
export async function accountChoices(
  ctx: Context,
  isWanted: (account: Account) => boolean,
): Promise<Choice<string>[]> {
  const client = await ctx.client();
  const accounts = await Array.fromAsync(client.list(account, { order: "Code ASC" }));
  const wanted = accounts.filter((record) => record.Status === "ACTIVE" && isWanted(record));
  return wanted.map(({ Code, Name, AccountID, CurrencyCode }) => {
    // The code is the word of the answer, where the account has one.
    const parts = [Code, Name].filter((text) => text);
    const currency = CurrencyCode === undefined ? "" : `  ${CurrencyCode}`;
    return {
      name: safeLine(`${parts.join("  ")}${currency}`),
      short: safeLine(parts.join(" ")),
      value: Code || AccountID,
    };
  });
}

export const isBankAccount = ({ Type }: Account) => Type === "BANK";

/** Returns invoices and bills with an amount due, by due date. */
export async function openDocuments(ctx: Context, term: string): Promise<Choice<string>[]> {
  const client = await ctx.client();
  const invoices: Invoice[] = [];
  const query = {
    where: 'Status=="AUTHORISED" AND AmountDue>0',
    order: "DueDate ASC",
    limit: documentsShown,
  };
  // The search of the service covers numbers and references; contact names need a filter.
  const byName = { ...query, where: `${query.where} AND Contact.Name.Contains(${inQuotes(term)})` };
  const searches = term === "" ? [query] : [{ ...query, searchTerm: term }, byName];
  for (const search of searches) {
    for await (const record of client.list(invoice, search)) {
      if (!invoices.some(({ InvoiceID }) => InvoiceID === record.InvoiceID)) invoices.push(record);
    }
  }
  const shownInvoices = invoices.slice(0, documentsShown);
  return shownInvoices.map((each) => {
    const { InvoiceNumber: number = "", InvoiceID, Contact, Type, AmountDue } = each;
    const isBill = Type === "ACCPAY";
    // Bill numbers come from suppliers, so two bills may have the same one.
    const isAmbiguous = invoices.filter(({ InvoiceNumber }) => InvoiceNumber === number).length > 1;
    const { CurrencyCode = "" } = each;
    const dueText = `${amount(AmountDue, CurrencyCode)} ${CurrencyCode}`.trim();
    const parts = [number, isBill ? "bill of" : "to", Contact?.Name ?? ""].join(" ").trim();
    return {
      name: safeLine(`${parts}, due ${mediumDate(each.DueDate ?? each.Date)}: ${dueText}`),
      short: safeLine(number || InvoiceID),
      value: number === "" || isAmbiguous ? InvoiceID : number,
    };
  });
}

function inQuotes(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/**
 * Checks that a path is a readable file.
 *
 * @throws UsageError
 */
export function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const message = isMissing ? `There is no file ${path}.` : `The file ${path} may not be read.`;
    throw new UsageError("NoFile", message);
  }
  if (statSync(path).isFile()) return;
  throw new UsageError("NoFile", `${path} is no file.`);
}
