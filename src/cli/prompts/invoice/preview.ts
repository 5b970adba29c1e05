/** Formats the draft for the user before the final choice. */

import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { displayWidth, pad } from "../../../output/display-width.ts";
import { amountText } from "../../../resources/common.ts";
import { lineItemFields } from "../../../resources/line-item.ts";
import { plainValue } from "../../../wire/plain.ts";
import type { Paint } from "../../render/paint.ts";
import { safeLine } from "../../render/safe.ts";
import { Table, type TableColumn } from "../../render/table-layout.ts";
import { type Draft, type DraftTotals, partyName } from "../invoice/draft.ts";
import type { BookRecords } from "./book-records.ts";
import { taxName } from "./line-questions.ts";

const columns: readonly TableColumn[] = [
  { heading: "Line", align: "right", shrinks: "never" },
  { heading: "Item", align: "left", shrinks: "name" },
  { heading: "Description", align: "left", shrinks: "text" },
  { heading: "Quantity", align: "right", shrinks: "never" },
  { heading: "Price", align: "right", shrinks: "never" },
  { heading: "Account", align: "left", shrinks: "text" },
  { heading: "Tax", align: "left", shrinks: "text" },
  { heading: "Amount", align: "right", shrinks: "never" },
];

const taxWords = {
  Exclusive: "amounts are without tax",
  Inclusive: "amounts include tax",
  NoTax: "no tax",
} as const;

export interface PreviewOptions {
  readonly width: number;
  readonly paint: Paint;
}

/**
 * Formats the preview.
 *
 * @returns lines of text, safe for a terminal
 */
export async function previewLines(
  books: BookRecords,
  draft: Draft,
  trial: DraftTotals,
  { width, paint }: PreviewOptions,
): Promise<string[]> {
  const accountNameByCode = new Map((await books.accounts()).map(({ Code, Name }) => [Code, Name]));
  const rates = await books.taxRates();
  const rows = draft.lines.map(({ input: line }, at) => {
    const rate = rates.find(({ TaxType }) => TaxType === line.TaxType);
    return [
      String(at + 1),
      line.ItemCode ?? "",
      line.Description ?? "",
      plainValue(lineItemFields.Quantity, line.Quantity),
      plainValue(lineItemFields.UnitAmount, line.UnitAmount),
      `${line.AccountCode ?? ""} ${accountNameByCode.get(line.AccountCode) ?? ""}`.trim(),
      rate === undefined ? (line.TaxType ?? "") : taxName(rate),
      formatMoney(trial.amounts[at], trial.currency),
    ];
  });
  const shown = columns.map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ""));
  const table = new Table(
    shown.map((at) => columns[at] as TableColumn),
    { width, paint },
  ).lines(rows.map((row) => shown.map((at) => row[at] ?? "")));
  const sums = await formatTotals(trial);
  const rightWidth = Math.min(width, Math.max(...table.map(displayWidth)));
  return [
    "",
    paint.strong(safeLine(title(draft))),
    safeLine(draftParticulars(draft, trial)),
    "",
    ...table,
    "",
    ...sums.map((line) => pad(line, rightWidth, "right")),
    ...trial.faults.map((fault) => paint.bad(safeLine(`! ${fault}`))),
    "",
  ];
}

function title(draft: Draft): string {
  const titleText = draft.type === "ACCREC" ? "Invoice to" : "Bill from";
  return `${titleText} ${partyName(draft)}${draft.party.kind === "new" ? " (new contact)" : ""}`;
}

function draftParticulars(draft: Draft, trial: DraftTotals): string {
  const dueDate = draft.dueDate ?? trial.dueDate;
  return [
    `dated ${mediumDate(draft.date)}`,
    dueDate === undefined ? "due by the terms" : `due ${mediumDate(dueDate)}`,
    draft.reference === undefined ? undefined : `reference ${draft.reference}`,
    draft.number === undefined ? undefined : `number ${draft.number}`,
    taxWords[draft.types],
  ]
    .filter((text) => text !== undefined)
    .join(", ");
}

/** Formats names and sums in two right-aligned columns. */
async function formatTotals({ subTotal, tax, total, currency }: DraftTotals): Promise<string[]> {
  const { default: Grid } = await import("cli-table3");
  const grid = new Grid({
    chars: noBorders,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colAligns: ["right", "right"],
  });
  grid.push(
    ["Subtotal  ", formatMoney(subTotal, currency)],
    ["Tax  ", formatMoney(tax, currency)],
    [
      `${["Total", currency].filter((text) => text !== undefined).join(" ")}  `,
      formatMoney(total, currency),
    ],
  );
  return grid.toString().split("\n");
}

const noBorders = Object.fromEntries(
  ["top", "bottom", "left", "right"]
    .flatMap((sideName) => [sideName, `${sideName}-mid`, `${sideName}-left`, `${sideName}-right`])
    .concat("mid", "mid-mid", "middle")
    .map((name) => [name, ""]),
);

function formatMoney(cents: number | undefined, currency: string | undefined): string {
  return cents === undefined ? "" : amountText(cents, currency);
}
