/**
 * The status page of a company: one figure per line, with the command that shows more of it.
 *
 * The command is at the end of its line, aligned within its section, where there is room; otherwise
 * below.
 */
import { mediumDate, shortDate } from "../../ledger/dates/calendar.ts";
import { sum } from "../../ledger/money.ts";
import { drawSparkline } from "../../output/chart/terminal.ts";
import { displayWidth, pad, truncate, wrapText } from "../../output/display-width.ts";
import { amount, marksOf } from "../../output/figures.ts";
import {
  firstSteps,
  isEmptyBook,
  type OverviewParts,
  type OwedPart,
  overviewParts,
} from "../../output/overview.ts";
import type { Cents } from "../../resources/decimal.ts";
import { dueDays, type Overview, type WaitingType } from "../../resources/overview.ts";
import { counted } from "../../resources/scalar.ts";
import type { RenderOptions } from "./output.ts";
import type { Paint } from "./paint.ts";
import { safeLine } from "./safe.ts";

/** A line of a section with columns. */
interface StatusRow {
  readonly label: string;
  /** Right-aligned figures, by column. */
  readonly figures: readonly string[];
  /** Text after the figures, in a long and a short form. */
  readonly notes?: readonly [string, string];
  /** Command without `acct`. */
  readonly command?: string;
}

/** A line of text. */
interface Text {
  readonly label: string;
  readonly words: string;
  readonly command: string;
  readonly stroke?: keyof Paint | undefined;
}

type CentsText = (cents: Cents) => string;

/** Width in columns, where the width of the terminal is not known. */
const usualWidth = 100;
const gap = "  ";
const labelWidth = 32;
const textIndent = 15;
const hint = "acct followed by the words on the right shows more of a line.";

/** Nouns of pending work, singular and plural, and the command that lists it. */
const waitingWords = {
  ACCREC: ["invoice", "invoices", "invoice list --status "],
  ACCPAY: ["bill", "bills", "bill list --status "],
  ACCRECCREDIT: ["credit note", "credit notes", "credit-note list --status "],
  ACCPAYCREDIT: ["supplier credit", "supplier credits", "credit-note list --status "],
  PURCHASEORDER: ["purchase order", "purchase orders", "purchase-order list --status "],
  QUOTE: ["quote", "quotes", "quote list --status "],
  RECEIPT: ["receipt", "receipts", "api GET /Receipts -q status="],
  MANJOURNAL: ["manual journal", "manual journals", "manual-journal list --status "],
} as const satisfies Record<WaitingType, readonly [string, string, string]>;

/** Returns the lines of the page. */
export function overviewLines(overview: Overview, options: RenderOptions): string[] {
  const { width = usualWidth, paint } = options;
  // Without a terminal nothing is truncated.
  const labelMax = options.width === undefined ? Number.POSITIVE_INFINITY : labelWidth;
  const numberMarks = marksOf(overview.CountryCode, "-");
  const figure: CentsText = (cents) => amount(cents, overview.BaseCurrency, numberMarks);
  const figureLayout = { width, labelMax, paint };
  const described = overviewParts(overview);
  const parts = isEmptyBook(overview)
    ? [emptyLines(figureLayout)]
    : [
        partLines(cashRows(overview, described, figure, options.blocks), figureLayout),
        owedLines(described, figure, figureLayout),
        [
          ...textRows(overview, described, figure).flatMap((text) => textLines(text, figureLayout)),
          ...wrapText(hint, width).map((line) => paint.faint(line)),
        ],
      ];
  return [titleLine(overview, figureLayout), ...parts.flatMap((lines) => ["", ...lines])];
}

interface FigureLayout {
  readonly width: number;
  /** Maximum width of labels, in columns. */
  readonly labelMax: number;
  readonly paint: Paint;
}

function titleLine({ Name, Date: date, BaseCurrency }: Overview, layout: FigureLayout): string {
  const { width, labelMax, paint } = layout;
  const right = `${mediumDate(date)}, ${BaseCurrency}`;
  const room = Math.max(8, width - displayWidth(right) - gap.length);
  const name = truncate(safeLine(Name), labelMax > width ? labelMax : room);
  return `${paint.strong(name)}${" ".repeat(Math.max(0, room - displayWidth(name)))}${gap}${right}`;
}

// --- empty book
// ------------------------------------------------------------------------------------

function emptyLines({ width, paint }: FigureLayout): string[] {
  const widestWidth = Math.max(...firstSteps.map(({ command }) => command.length));
  return [
    ...wrapText("Nothing is recorded in this book yet. Begin with one of these:", width),
    ...firstSteps.flatMap(({ command, what }) => {
      const line = `${gap}${command.padEnd(widestWidth)}${gap}`;
      return line.length + what.length <= width
        ? [line + paint.faint(what)]
        : [gap + command, `${gap}${gap}${paint.faint(what)}`];
    }),
  ];
}

// --- cash ----------------------------------------------------------------------------------------

function cashRows(
  { BankAccounts = [], Cash }: Overview,
  { cash }: OverviewParts,
  figure: CentsText,
  hasBlocks: boolean,
): StatusRow[] {
  const notes = (balances: readonly Cents[]): [string, string] => {
    if (balances.every((balance) => balance === 0)) return ["", ""];
    const chartText = drawSparkline(balances, hasBlocks);
    const [low, high] = [Math.min(...balances), Math.max(...balances)] as [Cents, Cents];
    return [
      `${chartText}${gap}${figure(low)} to ${figure(high)}`,
      `${chartText}${gap}${formatRoughly(low)} to ${formatRoughly(high)}`,
    ];
  };
  const total = {
    label: "Cash",
    figures: [figure(Cash)],
    notes: notes(cash.series.flatMap(({ amounts }) => amounts)),
    command: "report bank-summary",
  };
  if (BankAccounts.length < 2) return [total];
  return [
    total,
    ...BankAccounts.map(({ Name, Balance, CurrencyCode, BalanceInCurrency, History = [] }) => {
      const abroad =
        BalanceInCurrency === undefined ? "" : `, ${CurrencyCode} ${figure(BalanceInCurrency)}`;
      return {
        label: `${gap}${safeLine(Name)}${abroad}`,
        figures: [figure(Balance)],
        notes: notes(History.map((balanceAt) => balanceAt.Balance)),
      };
    }),
  ];
}

/** Formats an amount roughly, `57.6k`, beside an exact figure. */
function formatRoughly(cents: Cents): string {
  const [unit, name] =
    Math.abs(cents) < 100_000 ? [1, ""] : Math.abs(cents) < 100_000_000 ? [1e3, "k"] : [1e6, "m"];
  const text = (cents / 100 / unit).toFixed(unit === 1 ? 0 : 1);
  return text.replace(/\.0$/, "") + name;
}

// --- receivables and payables --------------------------------------------------------------------

/** Formats receivables and payables by age: a line for each side where the age buckets fit. */
function owedLines({ owed }: OverviewParts, figure: CentsText, layout: FigureLayout): string[] {
  const hasCredits = owed.in.credits !== 0 || owed.out.credits !== 0;
  const names = owed.in.ages.map(({ label }, at) => (at === 0 ? "Not due" : label));
  const heads = [...names, ...(hasCredits ? ["Credits"] : []), "In all"];
  const figuresOf = ({ ages, credits, total }: OwedPart) =>
    [...ages.map((age) => age.amount), ...(hasCredits ? [credits] : []), total].map(figure);
  const [toUs, byUs] = [figuresOf(owed.in), figuresOf(owed.out)];
  const commands = ["report aged-receivables", "report aged-payables"] as const;
  const rowsBeside: StatusRow[] = [
    { label: "Owed", figures: heads },
    { label: `${gap}to us`, figures: toUs, command: commands[0] },
    { label: `${gap}by us`, figures: byUs, command: commands[1] },
  ];
  if (widthOf(rowsBeside, layout.labelMax) <= layout.width) return partLines(rowsBeside, layout);
  const days = (name: string, at: number) =>
    at > 0 && at < names.length ? `${gap}${name} days` : `${gap}${name.toLowerCase()}`;
  return partLines(
    [
      { label: "Owed", figures: ["to us", "by us"] },
      ...heads.map((name, at) => {
        const partsLeft = heads.length - at;
        const command = partsLeft <= 2 ? { command: commands[2 - partsLeft] as string } : {};
        return { label: days(name, at), figures: [toUs[at] ?? "", byUs[at] ?? ""], ...command };
      }),
    ],
    layout,
  );
}

// --- text lines
// ------------------------------------------------------------------------------------

function textRows(overview: Overview, described: OverviewParts, figure: CentsText): Text[] {
  return [
    ...textsOfDue(described, figure),
    ...textsOfProfit(described, figure),
    ...(overview.BankAccounts ?? [])
      .filter(({ UnreconciledLines }) => UnreconciledLines > 0)
      .map(({ Name, Code = "", UnreconciledLines, UnreconciledFrom }) => ({
        label: "To reconcile",
        words: `${counted(UnreconciledLines, "line")} of ${safeLine(Name)}${sinceOf(UnreconciledFrom)}`,
        command: `bank reconcile ${Code}`,
        stroke: "waiting" as const,
      })),
    ...textsOfWaiting(overview),
    ...taxTexts(overview, described, figure),
    lockText(described),
  ];
}

const sinceOf = (day: string | undefined) => (day === undefined ? "" : `, from ${shortDate(day)}`);

/** Date filters of due documents, as list commands take them. */
const dueFilters = { overdue: "..yesterday", week: `today..+${dueDays - 1}d` } as const;

function textsOfDue({ owed }: OverviewParts, figure: CentsText): Text[] {
  return (["overdue", "week"] as const).map((name) => {
    const [toUs, byUs] = [owed.in.due[name], owed.out.due[name]];
    const isNothing = toUs.amount === 0 && byUs.amount === 0;
    const noun = toUs.count === 0 && byUs.count > 0 ? "bill" : "invoice";
    return {
      label: toUs.label,
      words: isNothing
        ? "nothing"
        : `${figure(toUs.amount)} to us (${toUs.count}), ${figure(byUs.amount)} by us (${byUs.count})`,
      command: `${noun} list --status AUTHORISED --due-date ${dueFilters[name]}`,
      stroke: name === "overdue" && !isNothing ? "bad" : undefined,
    };
  });
}

function textsOfProfit({ profit, results }: OverviewParts, figure: CentsText): Text[] {
  if (profit === undefined) return [];
  const all = sum(results.series[results.measure]?.amounts ?? []);
  return [
    {
      label: "Profit",
      words: `${figure(profit)} this month, ${figure(all)} in ${counted(results.points.length, "month")}`,
      command: "report pl --chart",
    },
  ];
}

function textsOfWaiting({ Waiting = [] }: Overview): Text[] {
  return [...Map.groupBy(Waiting, ({ Type }) => Type)].map(([type, documents]) => {
    const [one, several, list] = waitingWords[type];
    const count = documents.reduce((sum, { Count }) => sum + Count, 0);
    const firstDate = documents.map(({ FromDate }) => FromDate).sort()[0];
    const isDraft = documents.every(({ Status }) => Status === "DRAFT");
    return {
      label: isDraft ? "In draft" : "To approve",
      words: `${counted(count, one, several)}${sinceOf(firstDate)}`,
      command: `${list}${documents.map(({ Status }) => Status).join(",")}`,
      stroke: "waiting",
    };
  });
}

function taxTexts({ Date: today }: Overview, { tax }: OverviewParts, figure: CentsText): Text[] {
  if (tax === undefined) return [];
  const { Amount, FromDate, ToDate, title, command } = tax;
  const isOneYear = FromDate.slice(0, 4) === ToDate.slice(0, 4);
  const firstText = isOneYear ? shortDate(FromDate).slice(0, -3) : shortDate(FromDate);
  const days = `${firstText} to ${shortDate(ToDate)}`;
  const isEnded = ToDate < today;
  return [
    {
      label: "Tax",
      words: `${figure(Amount)}${isEnded ? "" : " so far"}, ${title}, ${days}`,
      command: `report ${command} --from ${FromDate} --to ${ToDate}`,
      stroke: isEnded ? "waiting" : undefined,
    },
  ];
}

function lockText({ locks }: OverviewParts): Text {
  const words = locks.map(({ date, what }) => `${what}up to ${mediumDate(date)}`);
  return { label: "Locked", words: words.join(", ") || "nothing", command: "close --dry-run" };
}

// --- layout
// ----------------------------------------------------------------------------------------

/** Returns the widths of the label and of each column. */
function columnsOf(
  rows: readonly StatusRow[],
  labelMax: number,
): { readonly label: number; readonly figures: number[] } {
  const count = Math.max(...rows.map(({ figures }) => figures.length));
  return {
    label: Math.min(labelMax, Math.max(...rows.map(({ label }) => displayWidth(label)))),
    figures: Array.from({ length: count }, (_, at) =>
      Math.max(...rows.map(({ figures }) => displayWidth(figures[at] ?? ""))),
    ),
  };
}

/** Returns the width of rows without notes and commands. */
function widthOf(rows: readonly StatusRow[], labelMax: number): number {
  const { label, figures } = columnsOf(rows, labelMax);
  return figures.reduce((sum, figureWidth) => sum + gap.length + figureWidth, label);
}

/** Formats lines with their commands in a column; below all lines where that does not fit. */
function partLines(rows: readonly StatusRow[], layout: FigureLayout): string[] {
  const { width, labelMax, paint } = layout;
  const columns = columnsOf(rows, labelMax);
  const commands = rows.flatMap(({ command }) => (command === undefined ? [] : [command]));
  const longestWidth = Math.max(0, ...commands.map((command) => command.length));
  const bareWidth = widthOf(rows, labelMax);
  const notedWidth = (at: 0 | 1) => {
    const widestWidth = Math.max(...rows.map(({ notes }) => displayWidth(notes?.[at] ?? "")));
    return widestWidth === 0 ? bareWidth : bareWidth + gap.length + widestWidth;
  };
  const isBehind = (at: 0 | 1) => notedWidth(at) + gap.length + longestWidth <= width;
  const noteColumn = ([0, 1] as const).find(isBehind);
  const at = noteColumn ?? ([0, 1] as const).find((each) => notedWidth(each) <= width);
  const lines = rows.map(({ label, figures, notes, command }) => {
    const head = pad(truncate(label, columns.label), columns.label, "left");
    const cells = figures.map((figure, index) => pad(figure, columns.figures[index] ?? 0, "right"));
    const note = at === undefined ? "" : (notes?.[at] ?? "");
    const text = [head, ...cells, note].join(gap).trimEnd();
    const shownText = label.startsWith(gap) ? text : paint.strong(head) + text.slice(head.length);
    if (command === undefined || noteColumn === undefined) return shownText;
    const spaceCount = notedWidth(noteColumn) + gap.length - displayWidth(text);
    return `${shownText}${" ".repeat(spaceCount)}${paint.faint(command)}`;
  });
  return noteColumn !== undefined ? lines : [...lines, ...linesBelow(commands.join(", "), layout)];
}

function textLines({ label, words, command, stroke }: Text, layout: FigureLayout): string[] {
  const { width, paint } = layout;
  const labelCell = pad(label, textIndent, "left");
  const textPieces = wrapText(words, Math.max(8, width - textIndent));
  const painted = (piece: string) => (stroke === undefined ? piece : paint[stroke](piece));
  const lines = textPieces.map((piece, at) =>
    at === 0 ? paint.strong(labelCell) + painted(piece) : " ".repeat(textIndent) + painted(piece),
  );
  const usedWidth = textIndent + displayWidth(textPieces.at(-1) ?? "");
  const spaceCount = width - usedWidth - command.length;
  if (spaceCount < gap.length) return [...lines, ...linesBelow(command, layout)];
  return [...lines.slice(0, -1), `${lines.at(-1)}${" ".repeat(spaceCount)}${paint.faint(command)}`];
}

/** Formats commands below the lines, right-aligned, wrapped where needed. */
function linesBelow(words: string, { width, paint }: FigureLayout): string[] {
  return wrapText(words, width).map(
    (line) => " ".repeat(Math.max(0, width - displayWidth(line))) + paint.faint(line),
  );
}
