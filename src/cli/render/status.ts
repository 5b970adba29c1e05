/**
 * The state of a company on one screen: a figure to a line, and the command that shows more of it.
 *
 * A command stands behind its line where there is room, in one column with those of its part; below
 * where there is none.
 */
import { mediumDate, shortDate } from "../../ledger/dates/calendar.ts";
import { sparkline } from "../../output/chart/terminal.ts";
import { displayWidth, padded, shortened, wrapped } from "../../output/display-width.ts";
import { amount, marksOf } from "../../output/figures.ts";
import type { Cents } from "../../resources/decimal.ts";
import { dueDays, type Overview, type Owed, type WaitingType } from "../../resources/overview.ts";
import { counted } from "../../resources/scalar.ts";
import { taxReturns } from "../../resources/tax-report.ts";
import type { RenderOptions } from "./answer.ts";
import type { Paint } from "./paint.ts";
import { safeLine } from "./safe.ts";

/** A line of a part with columns. */
interface StatusRow {
  readonly label: string;
  /** At the right of their columns. */
  readonly figures: readonly string[];
  /** What follows the figures; shorter where there is less room. */
  readonly notes?: readonly [string, string];
  /** Without `acct`. */
  readonly command?: string;
}

/** A line in words. */
interface Text {
  readonly label: string;
  readonly words: string;
  readonly command: string;
  readonly stroke?: keyof Paint | undefined;
}

type CentsText = (cents: Cents) => string;

/** Width where nothing says how wide the page is. */
const usualWidth = 100;
const gap = "  ";
const labelWidth = 32;
const textIndent = 15;
const hint = "acct followed by the words on the right shows more of a line.";

/** Nouns of what waits, in one and in several, and the command that lists them. */
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

/** The lines of the page. */
export function statusLines(of: Overview, options: RenderOptions): string[] {
  const { width = usualWidth, paint } = options;
  // Nothing is cut where no terminal is.
  const labelMax = options.width === undefined ? Number.POSITIVE_INFINITY : labelWidth;
  const marks = marksOf(of.CountryCode, "-");
  const figure: CentsText = (cents) => amount(cents, of.BaseCurrency, marks);
  const place = { width, labelMax, paint };
  const parts = isEmpty(of)
    ? [emptyLines(place)]
    : [
        partLines(cashRows(of, figure, options.blocks), place),
        owedLines(of, figure, place),
        [
          ...textRows(of, figure).flatMap((text) => textLines(text, place)),
          ...wrapped(hint, width).map((line) => paint.faint(line)),
        ],
      ];
  return [titleLine(of, place), ...parts.flatMap((lines) => ["", ...lines])];
}

interface FigureLayout {
  readonly width: number;
  /** Most columns of what a line begins with. */
  readonly labelMax: number;
  readonly paint: Paint;
}

function titleLine({ Name, Date: date, BaseCurrency }: Overview, place: FigureLayout): string {
  const { width, labelMax, paint } = place;
  const right = `${mediumDate(date)}, ${BaseCurrency}`;
  const room = Math.max(8, width - displayWidth(right) - gap.length);
  const name = shortened(safeLine(Name), labelMax > width ? labelMax : room);
  return `${paint.strong(name)}${" ".repeat(Math.max(0, room - displayWidth(name)))}${gap}${right}`;
}

// --- an empty book ---------------------------------------------------------------------------------

/** Whether nothing has been recorded that would show. */
function isEmpty(of: Overview): boolean {
  const { BankAccounts = [], Receivables, Payables, Waiting = [], Months = [] } = of;
  const amounts = [
    ...BankAccounts.flatMap(({ History = [] }) => History.map(({ Balance }) => Balance)),
    ...[Receivables, Payables].flatMap(({ Buckets = [], Credits }) => [
      Credits,
      ...Buckets.map(({ Amount }) => Amount),
    ]),
    ...Months.flatMap(({ Income, Expenses }) => [Income, Expenses]),
  ];
  const lines = BankAccounts.some(({ UnreconciledLines }) => UnreconciledLines > 0);
  return Waiting.length === 0 && !lines && amounts.every((each) => each === 0);
}

function emptyLines({ width, paint }: FigureLayout): string[] {
  const steps = [
    ["acct opening set FILE --date DAY", "balances from the books before"],
    ["acct import invoices FILE", "records of another program"],
    ["acct bank import FILE --account CODE", "a statement of the bank"],
    ["acct invoice create", "the first invoice"],
    ["acct --demo", "a company with a year behind it"],
  ] as const;
  const widest = Math.max(...steps.map(([command]) => command.length));
  return [
    ...wrapped("Nothing is recorded in this book yet. Begin with one of these:", width),
    ...steps.flatMap(([command, what]) => {
      const line = `${gap}${command.padEnd(widest)}${gap}`;
      return line.length + what.length <= width
        ? [line + paint.faint(what)]
        : [gap + command, `${gap}${gap}${paint.faint(what)}`];
    }),
  ];
}

// --- cash ----------------------------------------------------------------------------------------

function cashRows(
  { BankAccounts = [], Cash }: Overview,
  figure: CentsText,
  blocks: boolean,
): StatusRow[] {
  const notes = (balances: readonly Cents[]): [string, string] => {
    if (balances.every((each) => each === 0)) return ["", ""];
    const drawn = sparkline(balances, blocks);
    const [low, high] = [Math.min(...balances), Math.max(...balances)] as [Cents, Cents];
    return [
      `${drawn}${gap}${figure(low)} to ${figure(high)}`,
      `${drawn}${gap}${roughly(low)} to ${roughly(high)}`,
    ];
  };
  const histories = BankAccounts.map(({ History = [] }) => History.map(({ Balance }) => Balance));
  const all = (histories[0] ?? []).map(
    (_, at) => histories.reduce((sum, own) => sum + (own[at] ?? 0), 0) as Cents,
  );
  const command = "report bank-summary";
  const total = { label: "Cash", figures: [figure(Cash)], notes: notes(all), command };
  if (BankAccounts.length < 2) return [total];
  return [
    total,
    ...BankAccounts.map(({ Name, Balance, CurrencyCode, BalanceInCurrency }, at) => {
      const abroad =
        BalanceInCurrency === undefined ? "" : `, ${CurrencyCode} ${figure(BalanceInCurrency)}`;
      return {
        label: `${gap}${safeLine(Name)}${abroad}`,
        figures: [figure(Balance)],
        notes: notes(histories[at] ?? []),
      };
    }),
  ];
}

/** `57.6k`, for where an exact figure stands beside. */
function roughly(cents: Cents): string {
  const [unit, name] =
    Math.abs(cents) < 100_000 ? [1, ""] : Math.abs(cents) < 100_000_000 ? [1e3, "k"] : [1e6, "m"];
  const text = (cents / 100 / unit).toFixed(unit === 1 ? 0 : 1);
  return text.replace(/\.0$/, "") + name;
}

// --- owed ----------------------------------------------------------------------------------------

/** What is owed by age: a line for each side where the buckets fit beside each other. */
function owedLines(
  { Receivables, Payables }: Overview,
  figure: CentsText,
  place: FigureLayout,
): string[] {
  const hasCredits = Receivables.Credits !== 0 || Payables.Credits !== 0;
  const names = (Receivables.Buckets ?? []).map(({ Name }, at) => (at === 0 ? "Not due" : Name));
  const heads = [...names, ...(hasCredits ? ["Credits"] : []), "In all"];
  const figuresOf = ({ Buckets = [], Credits, Total }: Owed) =>
    [...Buckets.map(({ Amount }) => Amount), ...(hasCredits ? [Credits] : []), Total].map(figure);
  const [toUs, byUs] = [figuresOf(Receivables), figuresOf(Payables)];
  const commands = ["report aged-receivables", "report aged-payables"] as const;
  const beside: StatusRow[] = [
    { label: "Owed", figures: heads },
    { label: `${gap}to us`, figures: toUs, command: commands[0] },
    { label: `${gap}by us`, figures: byUs, command: commands[1] },
  ];
  if (widthOf(beside, place.labelMax) <= place.width) return partLines(beside, place);
  const days = (name: string, at: number) =>
    at > 0 && at < names.length ? `${gap}${name} days` : `${gap}${name.toLowerCase()}`;
  return partLines(
    [
      { label: "Owed", figures: ["to us", "by us"] },
      ...heads.map((name, at) => {
        const left = heads.length - at;
        const command = left <= 2 ? { command: commands[2 - left] as string } : {};
        return { label: days(name, at), figures: [toUs[at] ?? "", byUs[at] ?? ""], ...command };
      }),
    ],
    place,
  );
}

// --- in words --------------------------------------------------------------------------------------

function textRows(of: Overview, figure: CentsText): Text[] {
  return [
    ...dueTexts(of, figure),
    ...profitTexts(of, figure),
    ...(of.BankAccounts ?? [])
      .filter(({ UnreconciledLines }) => UnreconciledLines > 0)
      .map(({ Name, Code = "", UnreconciledLines, UnreconciledFrom }) => ({
        label: "To reconcile",
        words: `${counted(UnreconciledLines, "line")} of ${safeLine(Name)}${sinceOf(UnreconciledFrom)}`,
        command: `bank reconcile ${Code}`,
        stroke: "waiting" as const,
      })),
    ...waitingTexts(of),
    ...taxTexts(of, figure),
    lockText(of),
  ];
}

const sinceOf = (day: string | undefined) => (day === undefined ? "" : `, from ${shortDate(day)}`);

function dueTexts({ Receivables, Payables }: Overview, figure: CentsText): Text[] {
  const words = (amounts: readonly [Cents, Cents], counts: readonly [number, number]) =>
    amounts[0] === 0 && amounts[1] === 0
      ? "nothing"
      : `${figure(amounts[0])} to us (${counts[0]}), ${figure(amounts[1])} by us (${counts[1]})`;
  const listed = (counts: readonly [number, number], days: string) =>
    `${counts[0] === 0 && counts[1] > 0 ? "bill" : "invoice"} list --status AUTHORISED --due-date ${days}`;
  const overdue = [Receivables.Overdue, Payables.Overdue] as const;
  const late = [Receivables.OverdueCount, Payables.OverdueCount] as const;
  const soon = [Receivables.DueThisWeekCount, Payables.DueThisWeekCount] as const;
  return [
    {
      label: "Overdue",
      words: words(overdue, late),
      command: listed(late, "..yesterday"),
      stroke: overdue.some((each) => each !== 0) ? "bad" : undefined,
    },
    {
      label: "Due this week",
      words: words([Receivables.DueThisWeek, Payables.DueThisWeek], soon),
      command: listed(soon, `today..+${dueDays - 1}d`),
    },
  ];
}

function profitTexts({ Months = [] }: Overview, figure: CentsText): Text[] {
  const month = Months.at(-1);
  if (month === undefined) return [];
  const all = Months.reduce((sum, { Profit }) => sum + Profit, 0) as Cents;
  return [
    {
      label: "Profit",
      words: `${figure(month.Profit)} this month, ${figure(all)} in ${counted(Months.length, "month")}`,
      command: "report pl --chart",
    },
  ];
}

function waitingTexts({ Waiting = [] }: Overview): Text[] {
  return [...Map.groupBy(Waiting, ({ Type }) => Type)].map(([type, found]) => {
    const [one, several, list] = waitingWords[type];
    const count = found.reduce((sum, { Count }) => sum + Count, 0);
    const first = found.map(({ FromDate }) => FromDate).sort()[0];
    const isDraft = found.every(({ Status }) => Status === "DRAFT");
    return {
      label: isDraft ? "In draft" : "To approve",
      words: `${counted(count, one, several)}${sinceOf(first)}`,
      command: `${list}${found.map(({ Status }) => Status).join(",")}`,
      stroke: "waiting",
    };
  });
}

function taxTexts({ Tax, Date: today }: Overview, figure: CentsText): Text[] {
  if (Tax === undefined) return [];
  const { Amount, ReportType, FromDate, ToDate } = Tax;
  const { title, command } = taxReturns[ReportType];
  const isOneYear = FromDate.slice(0, 4) === ToDate.slice(0, 4);
  const first = isOneYear ? shortDate(FromDate).slice(0, -3) : shortDate(FromDate);
  const days = `${first} to ${shortDate(ToDate)}`;
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

function lockText({ PeriodLockDate, EndOfYearLockDate }: Overview): Text {
  const locks = [
    ...(PeriodLockDate === undefined ? [] : [`up to ${mediumDate(PeriodLockDate)}`]),
    ...(EndOfYearLockDate === undefined ? [] : [`the year up to ${mediumDate(EndOfYearLockDate)}`]),
  ];
  return { label: "Locked", words: locks.join(", ") || "nothing", command: "close --dry-run" };
}

// --- laying out ------------------------------------------------------------------------------------

/** Widths of the label and of each column. */
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

/** Without notes and commands. */
function widthOf(rows: readonly StatusRow[], labelMax: number): number {
  const { label, figures } = columnsOf(rows, labelMax);
  return figures.reduce((sum, each) => sum + gap.length + each, label);
}

/** Lines with their commands in a column; below all of them where that does not fit. */
function partLines(rows: readonly StatusRow[], place: FigureLayout): string[] {
  const { width, labelMax, paint } = place;
  const columns = columnsOf(rows, labelMax);
  const commands = rows.flatMap(({ command }) => (command === undefined ? [] : [command]));
  const longest = Math.max(0, ...commands.map((command) => command.length));
  const bare = widthOf(rows, labelMax);
  const noted = (at: 0 | 1) => {
    const widest = Math.max(...rows.map(({ notes }) => displayWidth(notes?.[at] ?? "")));
    return widest === 0 ? bare : bare + gap.length + widest;
  };
  const isBehind = (at: 0 | 1) => noted(at) + gap.length + longest <= width;
  const behind = ([0, 1] as const).find(isBehind);
  const at = behind ?? ([0, 1] as const).find((each) => noted(each) <= width);
  const lines = rows.map(({ label, figures, notes, command }) => {
    const head = padded(shortened(label, columns.label), columns.label, "left");
    const cells = figures.map((each, place) => padded(each, columns.figures[place] ?? 0, "right"));
    const note = at === undefined ? "" : (notes?.[at] ?? "");
    const text = [head, ...cells, note].join(gap).trimEnd();
    const shown = label.startsWith(gap) ? text : paint.strong(head) + text.slice(head.length);
    if (command === undefined || behind === undefined) return shown;
    const spaces = noted(behind) + gap.length - displayWidth(text);
    return `${shown}${" ".repeat(spaces)}${paint.faint(command)}`;
  });
  return behind !== undefined ? lines : [...lines, ...below(commands.join(", "), place)];
}

function textLines({ label, words, command, stroke }: Text, place: FigureLayout): string[] {
  const { width, paint } = place;
  const head = padded(label, textIndent, "left");
  const pieces = wrapped(words, Math.max(8, width - textIndent));
  const painted = (piece: string) => (stroke === undefined ? piece : paint[stroke](piece));
  const lines = pieces.map((piece, at) =>
    at === 0 ? paint.strong(head) + painted(piece) : " ".repeat(textIndent) + painted(piece),
  );
  const used = textIndent + displayWidth(pieces.at(-1) ?? "");
  const spaces = width - used - command.length;
  if (spaces < gap.length) return [...lines, ...below(command, place)];
  return [...lines.slice(0, -1), `${lines.at(-1)}${" ".repeat(spaces)}${paint.faint(command)}`];
}

/** At the right, as the commands behind lines are; over several lines where it is longer than one. */
function below(words: string, { width, paint }: FigureLayout): string[] {
  return wrapped(words, width).map(
    (line) => " ".repeat(Math.max(0, width - displayWidth(line))) + paint.faint(line),
  );
}
