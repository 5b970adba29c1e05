/** An entry of the ledger as audit files tell it: a journal with the document that it comes from. */
import type { Cents } from "../../resources/decimal.ts";
import type { sourceTypes } from "../../resources/journal.ts";

export type SourceType = (typeof sourceTypes)[number];

/** The books of original entry that files sort journals into. */
export const dayBooks = ["sales", "purchases", "bank", "payroll", "general"] as const;
export type DayBook = (typeof dayBooks)[number];

/** Whom the document of a journal is with. */
export type Side = "customer" | "supplier";

interface JournalOrigin {
  readonly book: DayBook;
  readonly side?: Side;
}

/** In which book a journal stands, and whom its document is with, by what made it. */
const origins = {
  ACCREC: { book: "sales", side: "customer" },
  ACCRECCREDIT: { book: "sales", side: "customer" },
  ACCPAY: { book: "purchases", side: "supplier" },
  ACCPAYCREDIT: { book: "purchases", side: "supplier" },
  ACCRECPAYMENT: { book: "bank", side: "customer" },
  ACCPAYPAYMENT: { book: "bank", side: "supplier" },
  ARCREDITPAYMENT: { book: "bank", side: "customer" },
  APCREDITPAYMENT: { book: "bank", side: "supplier" },
  CASHREC: { book: "bank", side: "customer" },
  CASHPAID: { book: "bank", side: "supplier" },
  TRANSFER: { book: "bank" },
  ARPREPAYMENT: { book: "bank", side: "customer" },
  APPREPAYMENT: { book: "bank", side: "supplier" },
  AROVERPAYMENT: { book: "bank", side: "customer" },
  APOVERPAYMENT: { book: "bank", side: "supplier" },
  EXPCLAIM: { book: "general" },
  EXPPAYMENT: { book: "bank" },
  MANJOURNAL: { book: "general" },
  PAYSLIP: { book: "payroll" },
  WAGEPAYABLE: { book: "payroll" },
  INTEGRATEDPAYROLLPE: { book: "payroll" },
  INTEGRATEDPAYROLLPT: { book: "payroll" },
  EXTERNALSPENDMONEY: { book: "bank" },
  INTEGRATEDPAYROLLPTPAYMENT: { book: "payroll" },
  INTEGRATEDPAYROLLCN: { book: "payroll" },
} as const satisfies Record<SourceType, JournalOrigin>;

/** @param type  undefined for balances taken over from other books */
export function originOf(type: SourceType | undefined): JournalOrigin {
  return type === undefined ? { book: "general" } : origins[type];
}

export interface Foreign {
  readonly currency: string;
  /** Sign as of the amount in base currency. */
  readonly amount: Cents;
}

export interface EntryLine {
  /** AccountID. */
  readonly account: string;
  /** Base currency, debit positive. */
  readonly amount: Cents;
  readonly description: string;
  readonly taxType?: string | undefined;
  /** Sign as of the amount. */
  readonly taxAmount: Cents;
  readonly tracking: readonly { readonly category: string; readonly option: string }[];
  /** Of control accounts and bank accounts alone: other lines are kept in base currency. */
  readonly foreign?: Foreign | undefined;
}

export interface Entry {
  /** Of its journal. */
  readonly number: number;
  /** JournalID. */
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The day on which it was posted, `YYYY-MM-DD` in UTC. */
  readonly posted: string;
  readonly dayBook: DayBook;
  readonly sourceType?: SourceType | undefined;
  readonly sourceId?: string | undefined;
  /** Number and date of the document; a document without a number bears the number of its journal. */
  readonly document: { readonly number: string; readonly date: string };
  /** ContactID, and on which side it stands. */
  readonly contact?: string | undefined;
  readonly side?: Side | undefined;
  /** What it is about; never empty. */
  readonly text: string;
  readonly lines: readonly EntryLine[];
}
