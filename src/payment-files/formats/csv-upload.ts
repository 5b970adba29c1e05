/** CSV of five columns, for the upload pages of small banks. */
import { amountText, isIban } from "../../resources/common.ts";
import { csvLine } from "../../wire/csv.ts";
import { australianAccount, newZealandAccount } from "../account-numbers.ts";
import type { PaymentFormat } from "../payment-order.ts";

/** Parsers of account numbers by country, for countries without IBAN. */
const forms: Readonly<Record<string, (text: string) => string | undefined>> = {
  AU: australianAccount,
  NZ: newZealandAccount,
};

/**
 * Account number of a country, with its check digits verified where it has some; kept as it was
 * entered.
 */
function anyAccount(text: string, country: string): string | undefined {
  const isAccount = /^\s*[A-Z]{2}\s*\d\s*\d/i.test(text)
    ? isIban(text)
    : (forms[country]?.(text) ??
        (country in forms ? undefined : /\d{4}/.exec(text.replace(/\D/g, "")))) !== undefined;
  return isAccount ? text.trim() : undefined;
}

export const csv: PaymentFormat = {
  extension: "csv",
  contentType: "text/csv; charset=utf-8",
  anyLetters: true,
  amountMax: () => Number.MAX_SAFE_INTEGER,
  accountForm: () => "an account number with its check digits",
  account: (text, { country }) => anyAccount(text, country),

  write({ currency, day, payments }) {
    const rows = payments.map(({ name, account, amount, advice, text }) => [
      name,
      account,
      amountText(amount, currency),
      advice.reference ?? text,
      day,
    ]);
    return [["Name", "Account", "Amount", "Reference", "Date"], ...rows]
      .map((row) => csvLine(row, /[",\r\n]/))
      .join("");
  },
};
