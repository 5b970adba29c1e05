/** `refund`: what is left of a prepayment or an overpayment goes back to whom it came from. */
import { UsageError } from "../resources/errors.ts";
import { type PaymentInput, payment } from "../resources/payment.ts";
import type { overpayment, prepayment } from "../resources/prepayment.ts";
import { type Command, command, type Flags } from "./command.ts";
import { idOf } from "./verbs.ts";

export type RefundOptions = Flags<
  typeof payment,
  "Account" | "Amount" | "Date" | "Reference" | "CurrencyRate" | "IsReconciled"
>;

export function refundVerb(resource: typeof prepayment | typeof overpayment): Command {
  const noun = resource.name === "Prepayment" ? "prepayment" : "overpayment";
  return command("refund", `pay ${noun === "prepayment" ? "a" : "an"} ${noun} back`)
    .key(resource, noun)
    .fields(payment, ["Account", "Amount", "Date", "Reference", "CurrencyRate", "IsReconciled"], {
      Account: { required: true },
      Amount: { help: `what is left of it when not given; in the currency of the ${noun}` },
    })
    .example(`acct ${noun} refund 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11 --account 090`)
    .action(async (ctx, key, options: RefundOptions) => {
      const client = await ctx.client();
      const found = await client.find(resource, key);
      const { RemainingCredit, Status } = found;
      if (options.Amount === undefined && RemainingCredit === 0) {
        throw new UsageError(
          "NothingDue",
          `Nothing is left of the ${noun} ${key}, which is ${Status}; say --amount.`,
        );
      }
      const input: PaymentInput = {
        Amount: RemainingCredit,
        ...options,
        [resource.name]: { [resource.id]: idOf(resource, found) },
      };
      await ctx.out.record(payment, await client.create(payment, input));
    });
}
