/** A journal: the postings of one event. Journals are read-only; a reversal is another journal. */
import { accountTypes } from "./account.ts";
import {
  choice,
  date,
  id,
  integer,
  many,
  money,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

/** Source types of journals; journals of opening (conversion) balances have none. */
export const sourceTypes = [
  "ACCREC",
  "ACCPAY",
  "ACCRECCREDIT",
  "ACCPAYCREDIT",
  "ACCRECPAYMENT",
  "ACCPAYPAYMENT",
  "ARCREDITPAYMENT",
  "APCREDITPAYMENT",
  "CASHREC",
  "CASHPAID",
  "TRANSFER",
  "ARPREPAYMENT",
  "APPREPAYMENT",
  "AROVERPAYMENT",
  "APOVERPAYMENT",
  "EXPCLAIM",
  "EXPPAYMENT",
  "MANJOURNAL",
  "PAYSLIP",
  "WAGEPAYABLE",
  "INTEGRATEDPAYROLLPE",
  "INTEGRATEDPAYROLLPT",
  "EXTERNALSPENDMONEY",
  "INTEGRATEDPAYROLLPTPAYMENT",
  "INTEGRATEDPAYROLLCN",
] as const;

export const journal = resource(
  "Journal",
  () => ({
    JournalID: id({ always: true }),
    JournalDate: date({ always: true }),
    JournalNumber: integer({ always: true, min: 1, help: "1, 2, 3, … without gaps" }),
    CreatedDateUTC: timestamp({ readOnly: true, always: true }),
    Reference: text({ always: true, help: "empty where there is none" }),
    SourceID: id({ help: "the record that made it; in lists alone" }),
    SourceType: choice(sourceTypes, { help: "what made it; in lists alone" }),
    JournalLines: many(
      "JournalLine",
      {
        JournalLineID: id({ always: true }),
        AccountID: id({ always: true }),
        AccountCode: text(),
        AccountType: choice(accountTypes, { always: true }),
        AccountName: text({ always: true }),
        Description: text({ always: true, verbatim: true }),
        NetAmount: money({ always: true, help: "in base currency, debit positive" }),
        GrossAmount: money({ always: true, help: "net and tax together" }),
        TaxAmount: money({ always: true }),
        TaxType: text({ help: "lines of revenue and expense alone" }),
        TaxName: text(),
        TrackingCategories: many(
          "TrackingCategory",
          {
            Name: text(),
            Option: text(),
            TrackingCategoryID: id(),
            TrackingOptionID: id({ always: true }),
          },
          { always: true },
        ),
      },
      { always: true },
    ),
  }),
  {
    plural: "Journals",
    id: "JournalID",
    keys: ["JournalNumber"],
    collection: ["GET"],
    record: ["GET"],
    batchMax: 0,
    offsetBy: "JournalNumber",
    modifiedSince: true,
    columns: ["JournalNumber", "JournalDate", "SourceType", "Reference", "CreatedDateUTC"],
    noun: "journal",
    summary: "journals of the ledger",
  },
);

export type Journal = Shape<typeof journal>;
export type JournalLine = Journal["JournalLines"][number];

/** The number of a journal that a text is, also with the prefix of its handle: `17`, `J-17`. */
export function numberOfJournal(text: string): number | undefined {
  const [, digits] = /^(?:j-)?(\d{1,9})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Source types of journals in words. */
export const sourceWords: Readonly<Record<string, string>> = {
  ACCREC: "Invoice",
  ACCPAY: "Bill",
  ACCRECCREDIT: "Credit note",
  ACCPAYCREDIT: "Supplier credit note",
  ACCRECPAYMENT: "Payment received",
  ACCPAYPAYMENT: "Payment made",
  ARCREDITPAYMENT: "Refund paid",
  APCREDITPAYMENT: "Refund received",
  CASHREC: "Money received",
  CASHPAID: "Money spent",
  TRANSFER: "Transfer",
  ARPREPAYMENT: "Deposit received",
  APPREPAYMENT: "Deposit paid",
  AROVERPAYMENT: "Overpayment received",
  APOVERPAYMENT: "Overpayment made",
  EXPCLAIM: "Expense claim",
  EXPPAYMENT: "Expense payment",
  MANJOURNAL: "Journal",
  CONVERSION: "Opening balances",
  OPENING: "Opening balance",
  CLOSING: "Closing balance",
  REVALUATION: "Revaluation",
  YEAREND: "Year end",
};
