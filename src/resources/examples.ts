/** Ids of records of the sample company that examples of the help name by their handles. */
const exampleId = (lastDigits: string) => `1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d${lastDigits}`;

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
  /**
   * Ids of statement lines: of two invoices less a fee; then of a payment out, and of a reconciled
   * line.
   */
  lineOfInvoices: exampleId("23"),
  bankStatementLine: exampleId("24"),
  lineReconciled: exampleId("25"),
} as const;

/** Handles of these records, which the sample company gives in the order in which it makes them. */
export const exampleHandles = {
  payment: "P-304",
  batchPayment: "BP-1",
  bankTransaction: "T-1",
  bankTransfer: "TR-1",
  prepayment: "PP-1",
  prepaymentApplied: "PP-2",
  overpayment: "OP-1",
  overpaymentApplied: "OP-2",
  linkedTransaction: "LT-1",
  manualJournal: "MJ-1",
  manualJournalDraft: "MJ-2",
  bankStatement: "BS-1",
  lineOfInvoices: "L-1",
  bankStatementLine: "L-2",
  lineReconciled: "L-3",
} as const satisfies Partial<Record<keyof typeof exampleIds, string>>;
