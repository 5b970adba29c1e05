/** The ids by which examples of help name records without a number; the sample company has them. */
const exampleId = (last: string) => `1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d${last}`;

export const exampleIds = {
  payment: exampleId("11"),
  paymentOfBatch: exampleId("10"),
  batchPayment: exampleId("12"),
  bankTransaction: exampleId("13"),
  bankTransfer: exampleId("14"),
  prepayment: exampleId("15"),
  prepaymentApplied: exampleId("16"),
  overpayment: exampleId("17"),
  overpaymentApplied: exampleId("18"),
  linkedTransaction: exampleId("19"),
  manualJournal: exampleId("20"),
  manualJournalDraft: exampleId("21"),
  contactGroup: exampleId("27"),
  statementReconciled: exampleId("28"),
  bankStatement: exampleId("22"),
  /** A line that two invoices less a fee come to, one of a payment out, and one that is reconciled. */
  lineOfInvoices: exampleId("23"),
  bankStatementLine: exampleId("24"),
  lineReconciled: exampleId("25"),
  publishedReport: exampleId("26"),
} as const;
