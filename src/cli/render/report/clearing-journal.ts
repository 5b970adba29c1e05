/** The manual journal that clears the tax account by a published return. */
import { header, row } from "../../../output/tax-return.ts";
import { readDecimal, writeDecimal } from "../../../resources/decimal.ts";
import { RefusedError } from "../../../resources/errors.ts";
import type { Cleared } from "../../../resources/tax-report.ts";
import type { Report } from "../../../wire/report.ts";

interface JournalLine {
  readonly account: string;
  readonly side: "debit" | "credit";
  /** In units, without sign. */
  readonly amount: string;
}

/** Cents of a figure; 0 where there is none. @throws RefusedError for text that is no amount */
function centsOf(value = "0"): number {
  const cents = readDecimal(value === "" ? "0" : value, 2);
  if (cents === undefined)
    throw new RefusedError("Form", `"${value}" is no amount in the return. Book it by hand.`);
  return Number(cents);
}

/**
 * Returns the lines: what is paid, what is carried over, and the rounding of the form.
 *
 * @param reconciliation  the tax reconciliation of the days of the return
 * @throws RefusedError where the return has amounts that are not in the books
 */
export function clearingLines(
  { Fields = [] }: Report,
  reconciliation: Report,
  { tax, paid, carried, rounding }: Cleared,
): JournalLine[] {
  const box = (id: string) => centsOf(Fields.find(({ FieldID }) => FieldID === id)?.Value);
  const section = reconciliation.Rows.find(({ Title }) => Title?.startsWith("Return of"));
  const rows = new Map(
    section?.Rows?.map(({ Cells = [] }) => [Cells[0]?.Value ?? "", centsOf(Cells.at(-1)?.Value)]),
  );
  const told = (name: string) => rows.get(name) ?? 0;
  const filed = told("Filed");
  const difference = told("Whole amounts of the form") + told("Rounding");
  const credit = box(carried[0]) - box(carried[1]);
  const other = [...rows.keys()].find(
    (name) => !/^(Posted|Late|Counted|Whole|Rounding|Filed)/.test(name),
  );
  if (other !== undefined || box(paid[0]) - credit !== filed) {
    const what = other ?? "all that was entered";
    throw new RefusedError(
      "Form",
      `What the return has and the books have not: ${what}. Book it by hand.`,
    );
  }
  const amounts = [
    [tax, filed - difference],
    [paid[1], -box(paid[0])],
    [carried[2], credit],
    [rounding[difference > 0 ? 0 : 1], difference],
  ] as const;
  return amounts
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({
      ...{ account, side: amount > 0 ? "debit" : "credit" },
      amount: writeDecimal(Math.abs(amount), 2),
    }));
}

export const journalReport = (published: Report, lines: readonly JournalLine[]): Report => ({
  ...published,
  Fields: [],
  ReportName: `Journal of ${published.ReportName}`,
  ReportTitles: [`Journal of ${published.ReportName}`, ...published.ReportTitles.slice(1, 3)],
  Rows: [
    header(["Account", "Debit", "Credit"]),
    {
      RowType: "Section",
      Title: "",
      Rows: lines.map(({ account, side, amount }) =>
        row([account, ...(side === "debit" ? [amount, ""] : ["", amount])]),
      ),
    },
  ],
});
