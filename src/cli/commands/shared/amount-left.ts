/** An amount that is what is left of something, where a line does not say it. */
import type { Cents } from "../../../resources/decimal.ts";
import type { Context } from "../../framework/context.ts";

interface Part {
  readonly amount: Cents;
  readonly date: string | undefined;
}

/**
 * What is left. Of a line with an idempotency key that is what was left when it was first run: where
 * nothing is left now, the last part that was taken, so that the request is the same as then.
 *
 * @param parts  what was taken, in the order in which it was
 * @param date   the day that the line says, if it says one
 */
export function amountLeft(
  { flags }: Context,
  left: Cents,
  parts: readonly Part[],
  date: string | undefined,
): Cents {
  if (left !== 0 || flags.idempotencyKey === undefined) return left;
  return parts.findLast((part) => date === undefined || part.date === date)?.amount ?? left;
}

/** The payments of a document as parts of it. */
export function paidParts({
  Payments = [],
}: {
  readonly Payments?: readonly { readonly Amount: Cents; readonly Date: string }[] | undefined;
}): Part[] {
  return Payments.map(({ Amount, Date: date }) => ({ amount: Amount, date }));
}
