/** Additional pipeline stages of documents that move money on a bank account. */

import { isDescriptionOnly } from "../../ledger/documents/totals.ts";
import { lineTax } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import { isTransfer } from "../../resources/bank-transaction.ts";
import { amountText, type LineAmountTypes, smallestAmount } from "../../resources/common.ts";
import type { Percent } from "../../resources/decimal.ts";
import { type Fault, refusal } from "../../resources/errors.ts";
import { prepayment } from "../../resources/index.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { twoRecords } from "../request/faults.ts";
import type { AddFault } from "./coding.ts";
import type { BankRules } from "./kind.ts";
import type { DocumentInProgress } from "./writing/document-in-progress.ts";

/**
 * @throws RefusedError for one side of a bank transfer, which only the transfer makes and changes
 */
export function refuseTransfer(type: unknown): void {
  if (!isTransfer(type)) return;
  throw refusal(
    "Transfer",
    `A bank transaction of the type ${type} is made with its bank transfer.`,
  );
}

/** Sets the named bank account, whose currency becomes the document's. */
export function resolveBankAccount({
  kind,
  work,
  record,
  input,
  existing,
  faults,
}: DocumentInProgress): void {
  if (kind.bank === undefined) return;
  const bankKey = input.BankAccount ?? existing?.BankAccount;
  const fault: AddFault = (rule, message) => faults.add(rule, message);
  const formerId = existing?.BankAccount?.AccountID;
  const account = bankAccountNamed("BankAccount", bankKey, work.chart, fault, formerId);
  if (account !== undefined) record.BankAccount = account;
}

/**
 * Returns the bank account named in a field.
 *
 * @param formerId  id of the record's current account, which may be archived
 * @returns undefined where there is none, with the reason reported to `fault`
 */
export function bankAccountNamed(
  field: string,
  accountKey: Partial<Account> | undefined,
  chart: Chart,
  fault: AddFault,
  formerId?: string,
): Account | undefined {
  const { AccountID, Code } = accountKey ?? {};
  const key = AccountID || Code;
  if (!key) {
    fault("Required", `The ${field} must be named by AccountID or Code.`);
    return undefined;
  }
  const account = chart.account(key);
  if (account === undefined || account.Status === "DELETED") {
    fault("NotFound", `There is no bank account '${key}'.`);
  } else if (Code && chart.account(Code) !== account) {
    fault("Form", twoRecords(field, `AccountID ${key}`, `Code ${Code}`));
  } else if (account.Type !== "BANK") {
    fault("SystemAccount", `The account '${account.Code ?? account.Name}' is not a bank account.`);
  } else if (account.Status !== "ACTIVE" && account.AccountID !== formerId) {
    fault("Status", `The bank account ${account.Name} is archived.`);
  }
  return account;
}

/** Returns the currency of a bank account. @param baseCurrency  base currency, the default */
export function currencyOfBank(
  { record, input, faults }: DocumentInProgress,
  baseCurrency: string,
): string {
  const currency = record.BankAccount?.CurrencyCode ?? baseCurrency;
  if (input.CurrencyCode !== undefined && input.CurrencyCode !== currency) {
    faults.add(
      "Currency",
      `A bank transaction is in the currency of its bank account, ${currency}.`,
    );
  }
  return currency;
}

/** Sets the reference of a prepayment to the number of its invoice. */
export function nameInvoice({ kind, record, input, entry }: DocumentInProgress): void {
  if (kind.resource !== prepayment) return;
  if (input.Reference) {
    entry.warnings.push(
      "A prepayment has no Reference of its own: it shows its InvoiceNumber as that.",
    );
  }
  record.Reference = record.InvoiceNumber;
}

/** Sets a single untaxed line on a document whose account the service chooses. */
export function setSingleLine(
  { kind, record, faults }: DocumentInProgress,
  lines: readonly Partial<LineItem>[],
): void {
  if (kind.bank?.coded === undefined) return;
  record.LineAmountTypes = "NoTax";
  if (lines.length > 1) faults.add("Deposit", "An overpayment has exactly one line.");
  if (lines.some((line) => line.TaxAmount)) faults.add("Deposit", "An overpayment bears no tax.");
}

/**
 * Adds faults of a completed line of a bank transaction.
 *
 * @param rate  effective rate of its tax type; undefined where it bears no tax
 * @param currency  currency of the document
 */
export function bankLineFaults(
  line: LineItem,
  rules: BankRules,
  types: LineAmountTypes,
  rate: Percent | undefined,
  currency: string,
): Fault[] {
  if (isDescriptionOnly(line)) return [];
  const faults: Fault[] = [];
  const { Quantity, UnitAmount, LineAmount, TaxAmount, ItemCode } = line;
  const addNegative = (message: string) => faults.push({ rule: "NegativeTotal", message });
  if (Quantity !== undefined && Quantity <= 0) addNegative("The Quantity must be above zero.");
  if (UnitAmount === 0) addNegative("The UnitAmount must not be zero.");
  if (ItemCode !== undefined && !rules.mayNameItems) {
    const message = "Items can be on bank transactions of the types RECEIVE and SPEND only.";
    faults.push({ rule: "Deposit", message });
  }
  if (rules.ownTax || LineAmount === undefined || TaxAmount === undefined) return faults;
  const expected =
    types === "NoTax" ? 0 : lineTax(LineAmount, rate, types, smallestAmount(currency));
  if (TaxAmount !== expected) {
    const message =
      `The tax amount ${amountText(TaxAmount, currency)} does not match ` +
      `the expected tax amount ${amountText(expected, currency)}`;
    faults.push({ rule: "TaxAmount", message });
  }
  return faults;
}
