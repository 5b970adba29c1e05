/** The verbs `allocate` and `unallocate`: apply a credit to an invoice or a bill, and undo that. */

import { allocateOn } from "../../../client/allocate-on.ts";
import { recordPath } from "../../../client/client.ts";
import { laterDate, mediumDate } from "../../../ledger/dates/calendar.ts";
import { allocation } from "../../../resources/allocation.ts";
import { amountText } from "../../../resources/common.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { UsageError } from "../../../resources/errors.ts";
import { idOf } from "../../../resources/field.ts";
import type { Command, Context } from "../../context/context.ts";
import { command, type Flags } from "../../framework/command.ts";
import { confirm } from "../../framework/confirm.ts";
import { findDocument } from "../find-document.ts";
import { type Noun, withArticle } from "../verbs.ts";
import { type Credit, findCredit } from "./find-credit.ts";

export type AllocateOptions = Flags<typeof allocation, "Invoice" | "AppliedAmount" | "Date">;

/** Declares `acct NOUN allocate CREDIT --invoice INV-0204`. */
export function allocateVerb(noun: Noun<Credit>): Command {
  const { resource, word, called, example } = noun;
  return command("allocate", `apply ${withArticle(called)} to an invoice or a bill`)
    .key(resource, word)
    .fields(allocation, ["Invoice", "AppliedAmount", "Date"], {
      Invoice: { required: true },
      AppliedAmount: {
        name: "amount",
        help: `as much as is left of the ${called} and due on the invoice when not given`,
      },
    })
    .example(`acct ${word} allocate ${example} --invoice INV-0204`)
    .example(`acct ${word} allocate ${example} --invoice INV-0204 --amount 40`)
    .action((ctx, key, options: AllocateOptions) => allocate(ctx, resource, key, options));
}

async function allocate(
  ctx: Context,
  resource: Credit,
  key: string,
  { Invoice, ...given }: AllocateOptions,
): Promise<void> {
  const client = await ctx.client();
  const credit = await findCredit(ctx, resource, key);
  const invoiceKey = Invoice?.InvoiceID ?? Invoice?.InvoiceNumber ?? "";
  const { InvoiceID, AmountDue, Date: invoiced } = await findDocument(ctx, undefined, invoiceKey);
  const both = credit.RemainingCredit < AmountDue ? credit.RemainingCredit : AmountDue;
  const applied = (credit.Allocations ?? [])
    .filter((allocation) => allocation.Invoice?.InvoiceID === InvoiceID)
    .map((allocation) => ({ amount: allocation.AppliedAmount as Cents, date: allocation.Date }));
  const maximum = remainingAmount(ctx, both, applied, given.Date);
  if (given.AppliedAmount === undefined && maximum === 0) {
    const dueOrLeft = AmountDue === 0 ? `due on ${invoiceKey}` : `left of the ${resource.noun}`;
    throw new UsageError("NothingDue", `Nothing is ${dueOrLeft}; say --amount.`);
  }
  const input = { AppliedAmount: maximum, ...given, Invoice: { InvoiceID } };
  const creditPath = recordPath(resource, idOf(resource, credit));
  const newAllocation = await allocateOn(client, resource, input, creditPath);
  const laterDay = laterDate(credit.Date, invoiced);
  const { Date: day = laterDay } = newAllocation;
  if (given.Date === undefined && day > laterDay) {
    ctx.out.say(
      `Posted on ${mediumDate(day)}, the first open day: ${mediumDate(laterDay)} is locked.`,
    );
  }
  await ctx.out.record(allocation, newAllocation);
}

/**
 * Declares `acct NOUN unallocate CREDIT --invoice INV-0204`, which removes the allocation from
 * both.
 */
export function unallocateVerb(noun: Noun<Credit>): Command {
  const { resource, word, called, applied } = noun;
  return command("unallocate", `take ${withArticle(called)} back from an invoice or a bill`)
    .key(resource, word)
    .fields(allocation, ["Invoice"], { Invoice: { required: true } })
    .answers(resource)
    .note("Asks first; without a terminal to ask on, --yes must be given.")
    .example(`acct ${word} unallocate ${applied} --invoice INV-0155 --yes`)
    .action(async (ctx, key, { Invoice }) => {
      const client = await ctx.client();
      const credit = await findCredit(ctx, resource, key);
      const named = Invoice?.InvoiceID ?? Invoice?.InvoiceNumber ?? "";
      const { InvoiceID } = await findDocument(ctx, undefined, named);
      const allocations = (credit.Allocations ?? []).filter(
        (allocation) => allocation.Invoice?.InvoiceID === InvoiceID,
      );
      if (allocations.length === 0) {
        throw new UsageError("NotAllocated", `Nothing of the ${called} is applied to ${named}.`);
      }
      const sum = allocations.reduce((total, { AppliedAmount = 0 }) => total + AppliedAmount, 0);
      const amount = amountText(sum, credit.CurrencyCode);
      await confirm(
        ctx,
        `Take ${amount} of the ${called} back from ${named}? ${amount} more is due of it, and left to apply.`,
      );
      const creditPath = recordPath(resource, idOf(resource, credit));
      for (const { AllocationID } of allocations) {
        await client.remove(allocation, AllocationID ?? "", { under: creditPath });
      }
      await ctx.out.record(resource, await client.find(resource, idOf(resource, credit)));
    });
}

interface AllocationShare {
  readonly amount: Cents;
  readonly date: string | undefined;
}

/**
 * Returns the remaining amount. For a command with an idempotency key it is the amount at the first
 * run: where nothing remains, the last part that was applied, so that the request is the same.
 *
 * @param parts  the applied parts, in order
 * @param date   the date given on the command line, if any
 */
export function remainingAmount(
  { flags }: Context,
  openAmount: Cents,
  parts: readonly AllocationShare[],
  date: string | undefined,
): Cents {
  if (openAmount !== 0 || flags.idempotencyKey === undefined) return openAmount;
  return parts.findLast((share) => date === undefined || share.date === date)?.amount ?? openAmount;
}

/** Returns the payments of a document as parts of its amount. */
export function paidParts({
  Payments = [],
}: {
  readonly Payments?: readonly { readonly Amount: Cents; readonly Date: string }[] | undefined;
}): AllocationShare[] {
  return Payments.map(({ Amount, Date: date }) => ({ amount: Amount, date }));
}
