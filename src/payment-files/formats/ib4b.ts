/**
 * Direct credits of BNZ's Internet Banking for Business, in New Zealand.
 *
 * @source BNZ, IB4B file format guide
 */
import { newZealandAccount } from "../account-numbers.ts";
import { plainLetters } from "../letters.ts";
import type { OrderedPayment, PaymentFormat, PaymentOrder } from "../payment-order.ts";

/** Cleans a cell: cells are not quoted, so a comma becomes a space. */
const cell = (text: string | undefined, width: number) =>
  plainLetters(text ?? "")
    .replace(/,\s*/g, " ")
    .slice(0, width)
    .trimEnd();

const day = (date: string) => date.slice(2, 10).replaceAll("-", "");

function creditRecord(payment: OrderedPayment, { payer, advice: own }: PaymentOrder): string {
  const { account, amount, name, advice, text } = payment;
  return [
    "2",
    account,
    "50",
    amount,
    cell(name, 20),
    cell(advice.reference ?? text, 12),
    cell(advice.code, 12),
    "",
    cell(advice.particulars, 12),
    cell(payer.name, 20),
    cell(own.code, 12),
    cell(own.reference, 12),
    cell(own.particulars, 12),
  ].join(",");
}

/** Hash total: the last eleven digits of the sum of branch and base numbers. */
function hashTotal(payments: readonly OrderedPayment[]): string {
  const sum = payments.reduce((total, { account }) => total + Number(account.slice(2, 13)), 0);
  return String(sum).padStart(11, "0").slice(-11);
}

export const ib4b: PaymentFormat = {
  extension: "txt",
  contentType: "text/plain; charset=us-ascii",
  currency: "NZD",
  nameMax: 20,
  amountMax: () => 999_999_999_999,
  accountForm: () =>
    "bank, branch, base and suffix of New Zealand, 02-0100-1234567-000, with its check digits",
  account: newZealandAccount,

  write(order) {
    const { payer, payments, total } = order;
    const lines = [
      ["1", "", "", "", payer.account, "7", day(order.day), day(order.today), "I"].join(","),
      ...payments.map((payment) => creditRecord(payment, order)),
      ["3", total, payments.length, hashTotal(payments)].join(","),
    ];
    return lines.map((line) => `${line}\r\n`).join("");
  },
};
