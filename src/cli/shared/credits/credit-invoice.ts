/** `acct invoice credit INV-0204`: creates the credit note of a sale, in whole or in part. */
import { billedLine, quantityOf } from "../../../resources/billing.ts";
import { type CreditNoteInput, creditNote } from "../../../resources/credit-note.ts";
import { UsageError } from "../../../resources/errors.ts";
import type { invoice } from "../../../resources/invoice.ts";
import type { Command } from "../../context/context.ts";
import { command } from "../../framework/command.ts";
import { fieldsInOptions } from "../../framework/input.ts";
import { partFlag } from "../copy.ts";
import type { Noun } from "../verbs.ts";

export function creditVerb({ resource, word, find }: Noun<typeof invoice>): Command {
  return command("credit", "make the credit note of an invoice, wholly or in part")
    .key(resource, word)
    .fields(creditNote, ["CreditNoteNumber", "Reference", "Date", "Status", "CurrencyRate"], {
      Date: { help: "today when not given" },
      Status: { values: ["DRAFT", "SUBMITTED", "AUTHORISED"] },
    })
    .flag("line", "one line by its place from 1, and how much of it", { ...partFlag })
    .answers(creditNote)
    .note("Goods that are kept in stock come back at what this sale has cost.")
    .example(`acct ${word} credit INV-0204`)
    .example(`acct ${word} credit INV-0204 --line 1=2 --status AUTHORISED --dry-run`)
    .action(async (ctx, key, { line: asked, ...options }) => {
      const sold = await find(ctx, key);
      const { Contact, LineAmountTypes, CurrencyCode, InvoiceNumber, LineItems = [] } = sold;
      const parts =
        asked ?? LineItems.map((_, at) => ({ LineNumber: at + 1, Quantity: undefined }));
      const lines = parts.map(({ LineNumber = 0, Quantity }) => {
        const line = LineItems[LineNumber - 1];
        if (line === undefined) {
          throw new UsageError("BadValue", `${InvoiceNumber} has no line ${LineNumber}.`);
        }
        return billedLine(line, Quantity ?? quantityOf(line), true);
      });
      const input = {
        Type: "ACCRECCREDIT",
        Contact: { ContactID: Contact?.ContactID },
        ...{ LineAmountTypes, CurrencyCode, Source: { Number: InvoiceNumber } },
        Reference: InvoiceNumber,
        ...fieldsInOptions(creditNote, options),
        LineItems: lines,
      } as CreditNoteInput;
      const client = await ctx.client();
      await ctx.out.record(creditNote, await client.create(creditNote, input));
    });
}
