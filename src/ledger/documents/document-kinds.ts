/**
 * On which side of which account each kind of document stands.
 *
 * What posts a document or its payment asks here, so that a sale and a purchase, an invoice and a
 * credit note are one rule with another sign.
 */
import type { Posting } from "../journal.ts";
import type { Cents } from "../money.ts";
import type { SystemAccount } from "../regions/region.ts";

/** AccountID by marker; those that an organisation has. */
export type SystemAccounts = Readonly<Partial<Record<SystemAccount, string>>>;

/**
 * Against what each kind of document is posted, and on which side of that it stands: a system
 * account that it is owed on, or the bank account that its money came to or went from.
 */
export const kinds = {
  ACCREC: { control: "DEBTORS", side: 1, goods: "out", payment: "ACCRECPAYMENT" },
  ACCPAY: { control: "CREDITORS", side: -1, goods: "in", payment: "ACCPAYPAYMENT" },
  ACCRECCREDIT: { control: "DEBTORS", side: -1, goods: "out", payment: "ARCREDITPAYMENT" },
  ACCPAYCREDIT: { control: "CREDITORS", side: 1, goods: "in", payment: "APCREDITPAYMENT" },
  CASHREC: { control: "bank", side: 1, goods: "out", payment: undefined },
  CASHPAID: { control: "bank", side: -1, goods: "in", payment: undefined },
  ARPREPAYMENT: { control: "bank", side: 1, goods: "out", payment: "ARPREPAYMENTPAYMENT" },
  APPREPAYMENT: { control: "bank", side: -1, goods: "in", payment: "APPREPAYMENTPAYMENT" },
  AROVERPAYMENT: { control: "bank", side: 1, goods: "out", payment: "AROVERPAYMENTPAYMENT" },
  APOVERPAYMENT: { control: "bank", side: -1, goods: "in", payment: "APOVERPAYMENTPAYMENT" },
} as const;

export type DocumentType = keyof typeof kinds;

/** Whether the money of a document of this kind has moved with it, so that it owes none. */
export function isMoneyMoved(type: DocumentType): boolean {
  return kinds[type].control === "bank";
}

/** The system account that a kind of document is owed on. @throws Error for one that owes nothing */
export function controlOf(type: DocumentType): "DEBTORS" | "CREDITORS" {
  const { control } = kinds[type];
  if (control === "bank") throw new Error(`Nothing is owed on a document of the kind ${type}.`);
  return control;
}

/** 1 where the document debits its control account, −1 where it credits it. */
export function sideOf(type: DocumentType): 1 | -1 {
  return kinds[type].side;
}

/** 1 where a payment of the document brings money in, −1 where it takes money out. */
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

/** What a posting says of the foreign money that it moves; nothing where there is none. */
export function foreignly(side: number, amount: Cents | undefined): Pick<Posting, "foreign"> {
  return amount === undefined ? {} : { foreign: signed(side, amount) };
}

/** `side × amount`, and never −0. */
export function signed(side: number, amount: Cents): Cents {
  return (amount === 0 ? 0 : side * amount) as Cents;
}
