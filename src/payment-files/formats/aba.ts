/**
 * ABA (Cemtex), direct entry in Australia: lines of 120 characters.
 *
 * @source Direct Entry file format, Australian Payments Network (BECS Procedures)
 */
import { australianAccount } from "../account-numbers.ts";
import { plainLetters } from "../letters.ts";
import type { OrderedPayment, PaymentFormat, PaymentOrder } from "../payment-order.ts";

/** Bank abbreviations by the first two digits of a BSB. */
const banks: Readonly<Record<string, string>> = Object.fromEntries(
  "01ANZ 03WBC 06CBA 08NAB 11STG 12BQL 18MBL 19BOM 48MET 63BBL 73WBC 76CBA 78NAB"
    .split(" ")
    .map((text) => [text.slice(0, 2), text.slice(2)]),
);

const bankOf = ({ bank, payer }: PaymentOrder): string | undefined =>
  bank?.toUpperCase() ?? banks[payer.account.slice(0, 2)];

const left = (text: string, width: number) => plainLetters(text).slice(0, width).padEnd(width);
const zeros = (value: number | string, width: number) => String(value).padStart(width, "0");
const blank = (width: number) => " ".repeat(width);

function placeOf(account: string): string {
  const [bsb = "", number = ""] = account.split(" ");
  return `${bsb}${number.padStart(9)}`;
}

const detail = (
  { account, amount, name, advice, text }: OrderedPayment,
  { payer }: PaymentOrder,
) => {
  // A reference may not begin with spaces, zeros or hyphens.
  const reference = plainLetters(advice.reference ?? text).replace(/^[0 -]+/, "");
  return `1${placeOf(account)} 50${zeros(amount, 10)}${left(name, 32)}${left(reference, 18)}${placeOf(payer.account)}${left(payer.name, 16)}${zeros(0, 8)}`;
};

export const aba: PaymentFormat = {
  extension: "aba",
  contentType: "text/plain; charset=us-ascii",
  currency: "AUD",
  nameMax: 32,
  amountMax: () => 9_999_999_999,
  accountForm: () => "a BSB and an account number, 062-000 12345678",
  account: australianAccount,

  check(order, fault) {
    const bank = bankOf(order);
    if (bank === undefined || !/^[A-Z]{3}$/.test(bank)) {
      fault(
        "PaymentFile",
        "An ABA file names the bank that pays by three letters, such as CBA, which the BSB does not tell here: give them with --bank.",
      );
    }
    if (order.userNumber !== undefined && !/^\d{1,6}$/.test(order.userNumber)) {
      fault(
        "PaymentFile",
        "The user number of an ABA file, which the bank assigns, has up to six digits.",
      );
    }
  },

  write(order) {
    const { payer, payments, total, userNumber = "", advice } = order;
    const [year = "", month, day] = order.day.split("-");
    const date = `${day}${month}${year.slice(2)}`;
    const description = plainLetters(advice.particulars ?? advice.reference ?? "") || "PAYMENTS";
    const lines = [
      `0${blank(17)}01${bankOf(order)}${blank(7)}${left(payer.name, 26)}${zeros(userNumber, 6)}${left(description, 12)}${date}${blank(40)}`,
      ...payments.map((payment) => detail(payment, order)),
      `7999-999${blank(12)}${zeros(total, 10)}${zeros(total, 10)}${zeros(0, 10)}${blank(24)}${zeros(payments.length, 6)}${blank(40)}`,
    ];
    return lines.map((line) => `${line}\r\n`).join("");
  },
};
