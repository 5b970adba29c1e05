/**
 * The control account of each kind of document, and its side, debit or credit.
 *
 * Everything that posts a document or its payment uses this table, so that a sale and a purchase,
 * an invoice and a credit note are one rule with another sign.
 */
import type { Posting } from "../journal.ts";
import type { Cents } from "../money.ts";
import type { SystemAccount } from "../regions/region.ts";

/** AccountIDs by marker of the system accounts that an organisation has. */
export type SystemAccounts = Readonly<Partial<Record<SystemAccount, string>>>;

/**
 * For each kind of document, its contra account and its side there: the control account on which it
 * is owed, or the bank account of its money.
 */
export const kinds = {
  ACCREC: { control: "DEBTORS", side: 1, goods: "out", payment: "ACCRECPAYMENT" },
  ACCPAY: { control: "CREDITORS", side: -1, goods: "in", payment: "ACCPAYPAYMENT" },
  ACCRECCREDIT: { control: "DEBTORS", side: -1, goods: "out", payment: "ARCREDITPAYMENT" },
  ACCPAYCREDIT: { control: "CREDITORS", side: 1, goods: "in", payment: "APCREDITPAYMENT" },
  EXPCLAIM: { control: "UNPAIDEXPCLM", side: -1, goods: "in", payment: "EXPPAYMENT" },
  CASHREC: { control: "bank", side: 1, goods: "out", payment: undefined },
  CASHPAID: { control: "bank", side: -1, goods: "in", payment: undefined },
  ARPREPAYMENT: { control: "bank", side: 1, goods: "out", payment: "ARPREPAYMENTPAYMENT" },
  APPREPAYMENT: { control: "bank", side: -1, goods: "in", payment: "APPREPAYMENTPAYMENT" },
  AROVERPAYMENT: { control: "bank", side: 1, goods: "out", payment: "AROVERPAYMENTPAYMENT" },
  APOVERPAYMENT: { control: "bank", side: -1, goods: "in", payment: "APOVERPAYMENTPAYMENT" },
} as const;

export type DocumentType = keyof typeof kinds;

/** System accounts on which documents are owed. */
type Control = Exclude<(typeof kinds)[DocumentType]["control"], "bank">;

/** Whether documents of this kind move money at once, so that nothing is owed. */
export function isMoneyMoved(type: DocumentType): boolean {
  return kinds[type].control === "bank";
}

/**
 * The control account of a kind of document.
 * @throws Error for a kind without one
 */
export function controlOf(type: DocumentType): Control {
  const { control } = kinds[type];
  if (control === "bank") throw new Error(`Nothing is owed on a document of the kind ${type}.`);
  return control;
}

/** The side of a document on its control account: 1 debits it, −1 credits it. */
export function sideOf(type: DocumentType): 1 | -1 {
  return kinds[type].side;
}

/** The sign of a document's payment: 1 brings money in, −1 takes money out. */
export function paymentSideOf(type: DocumentType): 1 | -1 {
  const { side } = kinds[type];
  return isMoneyMoved(type) ? (-side as 1 | -1) : side;
}

/** The AccountID of a system account. @throws Error where the organisation has none */
export function accountOf(accounts: SystemAccounts, marker: SystemAccount): string {
  const account = accounts[marker];
  if (account === undefined) throw new Error(`The organisation has no ${marker} account.`);
  return account;
}

/** The foreign amount of a posting, to be spread into it; empty when there is none. */
export function foreignAmount(sign: number, amount: Cents | undefined): Pick<Posting, "foreign"> {
  return amount === undefined ? {} : { foreign: onSide(sign, amount) };
}

/** `side × amount`, without −0. */
export function onSide(sideSign: number, amount: Cents): Cents {
  return (amount === 0 ? 0 : sideSign * amount) as Cents;
}
