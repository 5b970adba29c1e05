/** Postings as people read them: a block an account with its balances, or a block a journal. */
import { longDate } from "../../../ledger/dates/calendar.ts";
import type { AccountTransaction } from "../../../resources/account-transaction.ts";
import { type Cents, scaleOf, writeDecimal } from "../../../resources/decimal.ts";
import { sourceWords } from "../../../resources/journal.ts";
import { figureId, type Report, type Row } from "../../../wire/report.ts";

type Posting = Omit<AccountTransaction, "Next">;

const money = (amount: number | undefined): string =>
  amount === undefined ? "" : writeDecimal(amount as Cents, scaleOf.money);

const row = (RowType: Row["RowType"], values: readonly string[]): Row => ({
  RowType,
  Cells: values.map((Value) => (Value === "" ? {} : { Value })),
});

const sumOf = (rows: readonly Posting[], postingSide: "Debit" | "Credit"): number =>
  rows.reduce((sum, row) => sum + (row[postingSide] ?? 0), 0);

const wordsOf = ({ Source }: Posting): string =>
  Source === "OPENING" ? "Opening" : (sourceWords[Source] ?? Source);

/** The totals of both sides of journals. */
const totals = (label: string, rows: readonly Posting[]): Row =>
  row("SummaryRow", [label, "", "", money(sumOf(rows, "Debit")), money(sumOf(rows, "Credit"))]);

/** Rows of accounts: a section each, from its opening to its closing balance. */
export function accountBlocks(postings: readonly Posting[]): Row[] {
  const blocks = [...Map.groupBy(postings, ({ AccountID }) => AccountID).values()];
  return [
    {
      RowType: "Header",
      Cells: [
        ...["Date", "What", "Number", "Name"].map((Value) => ({ Value })),
        { Value: "Description", Attributes: [{ Id: figureId, Value: "detail-description" }] },
        ...["Debit", "Credit", "Balance"].map((Value) => ({ Value })),
      ],
    },
    ...blocks.map((blockPostings): Row => {
      const [first] = blockPostings;
      const closing = blockPostings.find(({ Source }) => Source === "CLOSING");
      const lines = blockPostings.filter((posting) => posting !== closing);
      return {
        RowType: "Section",
        Title: [first?.AccountCode, first?.AccountName].filter(Boolean).join(" "),
        Rows: [
          ...lines.map((posting) => {
            const { Date: day, Number: number = "", Contact = "", Description = "" } = posting;
            const kindText = wordsOf(posting);
            const isTold = [Contact, sourceWords[posting.Source]].includes(Description);
            const toldText = isTold ? "" : Description;
            const sides = [money(posting.Debit), money(posting.Credit), money(posting.Balance)];
            return row("Row", [day, kindText, number, Contact, toldText, ...sides]);
          }),
          row("SummaryRow", [
            ...["", "Closing", "", "", "", money(sumOf(lines, "Debit"))],
            ...[money(sumOf(lines, "Credit")), money(closing?.Balance ?? lines.at(-1)?.Balance)],
          ]),
        ],
      };
    }),
  ];
}

/** Rows of journals: a section each, with equal sums, and the sums of all. */
export function journalBlocks(postings: readonly Posting[]): Row[] {
  const blocks = [...Map.groupBy(postings, ({ JournalNumber }) => JournalNumber).values()];
  return [
    row("Header", ["Code", "Account", "Description", "Debit", "Credit"]),
    ...blocks.map((block): Row => {
      const [first] = block;
      if (first === undefined) return row("Row", []);
      const { JournalNumber, Date: day, Contact, Reference } = first;
      const number = first.Source === "MANJOURNAL" ? undefined : first.Number;
      const sourceText = [wordsOf(first), number].filter(Boolean).join(" ");
      const reference = Reference === number ? undefined : Reference;
      return {
        RowType: "Section",
        Title: [`J-${JournalNumber}`, longDate(day), sourceText, Contact, reference]
          .filter(Boolean)
          .join(", "),
        Rows: [
          ...block.map(({ AccountCode = "", AccountName, Description = "", Debit, Credit }) =>
            row("Row", [
              ...[AccountCode, AccountName, Description === Contact ? "" : Description],
              ...[money(Debit), money(Credit)],
            ]),
          ),
          totals("Total", block),
        ],
      };
    }),
    { RowType: "Section", Title: "", Rows: [totals("Total of all journals", postings)] },
  ];
}

/** A report of postings under the titles and notes of another report of the same days. */
export const ledgerReport = (of: Report, name: string, Rows: readonly Row[]): Report => ({
  ...of,
  ReportID: name.replaceAll(" ", ""),
  ReportType: name.replaceAll(" ", ""),
  ReportName: name,
  ReportTitles: [name, ...of.ReportTitles.slice(1)],
  Rows,
});
