/** Exports the ledger as CSV, a row per posting. */

import { amountOf, type JournalFormat } from "../../audit-files/journal-format.ts";
import type { Journal, JournalLine } from "../../resources/journal.ts";
import { csvRow } from "../render/csv-row.ts";

const columns: Readonly<Record<string, (journal: Journal, line: JournalLine) => string>> = {
  JournalNumber: ({ JournalNumber }) => String(JournalNumber),
  JournalDate: ({ JournalDate }) => JournalDate,
  SourceType: ({ SourceType = "" }) => SourceType,
  SourceID: ({ SourceID = "" }) => SourceID,
  Reference: ({ Reference }) => Reference,
  AccountCode: (_, { AccountCode = "" }) => AccountCode,
  AccountName: (_, { AccountName }) => AccountName,
  AccountType: (_, { AccountType }) => AccountType,
  Description: (_, { Description }) => Description,
  NetAmount: (_, { NetAmount }) => amountOf(NetAmount),
  TaxAmount: (_, { TaxAmount }) => amountOf(TaxAmount),
  GrossAmount: (_, { GrossAmount }) => amountOf(GrossAmount),
  TaxType: (_, { TaxType = "" }) => TaxType,
  TaxName: (_, { TaxName = "" }) => TaxName,
  TrackingName1: (_, line) => line.TrackingCategories[0]?.Name ?? "",
  TrackingOption1: (_, line) => line.TrackingCategories[0]?.Option ?? "",
  TrackingName2: (_, line) => line.TrackingCategories[1]?.Name ?? "",
  TrackingOption2: (_, line) => line.TrackingCategories[1]?.Option ?? "",
  JournalID: ({ JournalID }) => JournalID,
  JournalLineID: (_, { JournalLineID }) => JournalLineID,
};

export function postingsFormat(): JournalFormat {
  const cells = Object.values(columns);
  return {
    head: csvRow(Object.keys(columns)),
    journal: (journal) =>
      journal.JournalLines.map((line) => csvRow(cells.map((cell) => cell(journal, line)))).join(""),
  };
}
