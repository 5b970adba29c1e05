/**
 * An entry of the ledger as audit files present it: a journal with facts of its source document.
 */
import type { Cents } from "../../resources/decimal.ts";
import type { sourceTypes } from "../../resources/journal.ts";

export type SourceType = (typeof sourceTypes)[number];

/** Books of original entry that audit files sort journals into. */
export const dayBooks = ["sales", "purchases", "bank", "payroll", "general"] as const;
export type DayBook = (typeof dayBooks)[number];

/** Side of the contact of a document: customer or supplier. */
export type Side = "customer" | "supplier";

interface JournalOrigin {
  readonly book: DayBook;
  readonly side?: Side;
}

/** Book of original entry and side of the contact, by the source type of the journal. */
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

/**
 * Origin of a journal by its source type.
 *
 * @param type  undefined for opening balances taken over from other books
 */
export function originOf(type: SourceType | undefined): JournalOrigin {
  return type === undefined ? { book: "general" } : origins[type];
}

export interface Foreign {
  readonly currency: string;
  /** Foreign amount in cents; same sign as the amount in base currency. */
  readonly amount: Cents;
}

export interface EntryLine {
  /** AccountID of the posting. */
  readonly account: string;
  /** Amount in cents of base currency, debit positive. */
  readonly amount: Cents;
  readonly description: string;
  readonly taxType?: string | undefined;
  /** Tax in cents; same sign as the amount. */
  readonly taxAmount: Cents;
  readonly tracking: readonly { readonly category: string; readonly option: string }[];
  /**
   * Foreign amount; only on control accounts and bank accounts, as other postings are in base
   * currency.
   */
  readonly foreign?: Foreign | undefined;
}

export interface Entry {
  /** Number of the journal. */
  readonly number: number;
  /** JournalID of the entry. */
  readonly id: string;
  /** Date of the journal, `YYYY-MM-DD`. */
  readonly date: string;
  /** Day of posting, `YYYY-MM-DD` in UTC. */
  readonly posted: string;
  readonly dayBook: DayBook;
  readonly sourceType?: SourceType | undefined;
  readonly sourceId?: string | undefined;
  /** Number and date of the document; without a number, the number of the journal. */
  readonly document: { readonly number: string; readonly date: string };
  /** ContactID of the document; the next is the side of the contact. */
  readonly contact?: string | undefined;
  readonly side?: Side | undefined;
  /** Ids of the documents that the entry is of or settles. */
  readonly documents?: readonly string[] | undefined;
  /** Day of supply that the document states, `YYYY-MM-DD`. */
  readonly supplied?: string | undefined;
  /** Description of the entry; never empty. */
  readonly text: string;
  readonly lines: readonly EntryLine[];
}
