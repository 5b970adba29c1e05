/** `acct linked-transaction`: billable expenses, which are lines of bills assigned to customers. */
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Invoice } from "../../resources/invoice.ts";
import {
  type LinkedTransactionInput,
  linkedTransaction,
} from "../../resources/linked-transaction.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { type ContactKey, contactId } from "../shared/filters.ts";
import { findDocument } from "../shared/find-document.ts";
import { listCommand } from "../shared/list-verb.ts";
import { deleteCommand, nounOf, showCommand } from "../shared/verbs.ts";

const lineNumber = { kind: "integer", min: 1, max: 10_000 } as const;

/** Fields that other flags fill: the customer, and the invoice with its line. */
const targets = ["ContactID", "TargetTransactionID", "TargetLineItemID"] as const;

interface Ends {
  readonly bill?: string | undefined;
  readonly billLine?: number | undefined;
  readonly contact?: string | undefined;
  readonly invoice?: string | undefined;
  readonly invoiceLine?: number | undefined;
}

const createCommand = command("create", "have the line of a bill paid back by a customer")
  .alias("new")
  .flag("bill", "the bill, by number or id", { placeholder: "NUMBER", live: "bill" })
  .field("bill-line", lineNumber, { help: "its line, from 1; needed where it has several" })
  .flag("contact", "the customer", { placeholder: "NAME|ID", live: "contact" })
  .flag("invoice", "the invoice that bills it", { placeholder: "NUMBER", live: "invoice" })
  .field("invoice-line", lineNumber, { help: "its line, from 1" })
  .fields(linkedTransaction, fieldsOf(linkedTransaction, { except: targets }), {
    SourceTransactionID: { help: "instead of --bill, such as spent money" },
    SourceLineItemID: { help: "instead of --bill-line" },
  })
  .example('acct linked-transaction create --bill S-1111 --bill-line 2 --contact "Kauri Hotel"')
  .example(
    "acct linked-transaction create --bill S-1111 --bill-line 1 --invoice INV-0204 --invoice-line 1",
  )
  .action(async (ctx, { SourceTransactionID, SourceLineItemID, ...ends }) => {
    const client = await ctx.client();
    const source = { SourceTransactionID, SourceLineItemID, ...(await sourceOf(ctx, ends)) };
    if (source.SourceTransactionID === undefined) {
      throw new UsageError("MissingValue", "Say whose expense it is: --bill.");
    }
    const input = { ...source, ...(await targetOf(ctx, ends)) };
    await ctx.out.record(linkedTransaction, await client.create(linkedTransaction, input));
  });

async function sourceOf(ctx: Context, { bill, billLine }: Ends): Promise<LinkedTransactionInput> {
  if (bill === undefined) return {};
  const invoice = await findDocument(ctx, "ACCPAY", bill);
  return { SourceTransactionID: invoice.InvoiceID, SourceLineItemID: lineOf(invoice, billLine) };
}

async function targetOf(ctx: Context, targetOptions: Ends): Promise<LinkedTransactionInput> {
  const { contact, invoice, invoiceLine } = targetOptions;
  const key: ContactKey | undefined = contact === undefined ? undefined : { Name: contact };
  const ContactID = key && (await contactId(await ctx.client(), key));
  if (invoice === undefined) return ContactID === undefined ? {} : { ContactID };
  const document = await findDocument(ctx, "ACCREC", invoice);
  return {
    ...(ContactID === undefined ? {} : { ContactID }),
    TargetTransactionID: document.InvoiceID,
    ...(invoiceLine === undefined ? {} : { TargetLineItemID: lineOf(document, invoiceLine) }),
  };
}

/**
 * Returns a line of a bill by its number.
 *
 * @param number  from 1; required where there are several lines
 */
function lineOf({ InvoiceNumber, LineItems }: Invoice, number: number | undefined): string {
  if (number === undefined && LineItems.length > 1) {
    throw new UsageError(
      "MissingValue",
      `${InvoiceNumber} has ${LineItems.length} lines; say which with --bill-line.`,
    );
  }
  const line = LineItems[(number ?? 1) - 1];
  if (line?.LineItemID === undefined) {
    throw new RefusedError("NoLine", `${InvoiceNumber} has no line ${number ?? 1}.`);
  }
  return line.LineItemID;
}

const noun = nounOf(linkedTransaction);

export const linkedTransactionVerbs: readonly Child[] = [
  listCommand({
    resource: linkedTransaction,
    examples: ["acct linked-transaction list --status APPROVED"],
  }),
  showCommand(noun),
  createCommand,
  deleteCommand(noun),
];
