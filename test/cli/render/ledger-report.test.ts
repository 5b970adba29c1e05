/** Postings as people read them: blocks with sums that are those of the postings. */
import { expect, test } from "vitest";
import { accountBlocks, journalBlocks } from "../../../src/cli/render/report/ledger-report.ts";
import type { AccountTransaction } from "../../../src/resources/account-transaction.ts";
import type { Row } from "../../../src/wire/report.ts";

const posting = (own: Partial<Record<keyof AccountTransaction, string | number>>) =>
  ({ AccountID: own.AccountCode, AccountName: "Sales", Date: "2026-03-05", ...own }) as never;

const drawn = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ Title, Cells, Rows }) => [
    ...(Title === undefined ? [] : [`# ${Title}`]),
    ...(Cells === undefined ? [] : [Cells.map(({ Value = "" }) => Value).join("|")]),
    ...drawn(Rows ?? []),
  ]);

test("an account is a block from its opening to its closing balance, with the sums of both sides", () => {
  const rows = accountBlocks([
    posting({ AccountCode: "200", Source: "OPENING", Date: "2026-03-01", Balance: -5000 }),
    posting({
      AccountCode: "200",
      Source: "ACCREC",
      Number: "INV-1",
      Contact: "Moa",
      Credit: 10_000,
      Balance: -15_000,
      Description: "Mugs",
    }),
    posting({
      AccountCode: "200",
      Source: "ACCRECCREDIT",
      Number: "CN-1",
      Contact: "Moa",
      Debit: 2500,
      Balance: -12_500,
      Description: "Moa",
    }),
    posting({ AccountCode: "200", Source: "CLOSING", Date: "2026-03-31", Balance: -12_500 }),
  ]);
  expect(drawn(rows)).toEqual([
    "Date|What|Number|Name|Description|Debit|Credit|Balance",
    "# 200 Sales",
    "2026-03-01|Opening||||||-50.00",
    "2026-03-05|Invoice|INV-1|Moa|Mugs||100.00|-150.00",
    "2026-03-05|Credit note|CN-1|Moa||25.00||-125.00",
    "|Closing||||25.00|100.00|-125.00",
  ]);
});

test("a journal is a block with equal sums, and the sums of all are below", () => {
  const own = {
    JournalNumber: 7,
    Source: "ACCREC",
    Number: "INV-1",
    Contact: "Moa",
    Reference: "INV-1",
  };
  const rows = journalBlocks([
    posting({
      ...own,
      AccountCode: "610",
      AccountName: "Receivable",
      Debit: 11_500,
      Description: "Moa",
    }),
    posting({ ...own, AccountCode: "200", Credit: 11_500, Description: "Mugs" }),
    posting({
      JournalNumber: 8,
      Source: "MANJOURNAL",
      Number: "8",
      AccountCode: "200",
      Debit: 100,
    }),
    posting({
      JournalNumber: 8,
      Source: "MANJOURNAL",
      Number: "8",
      AccountCode: "260",
      AccountName: "Other",
      Credit: 100,
    }),
  ]);
  expect(drawn(rows)).toEqual([
    "Code|Account|Description|Debit|Credit",
    "# J-7, 5 March 2026, Invoice INV-1, Moa",
    "610|Receivable||115.00|",
    "200|Sales|Mugs||115.00",
    "Total|||115.00|115.00",
    "# J-8, 5 March 2026, Journal",
    "200|Sales||1.00|",
    "260|Other|||1.00",
    "Total|||1.00|1.00",
    "# ",
    "Total of all journals|||116.00|116.00",
  ]);
});
