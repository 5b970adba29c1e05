/**
 * Bank statement lines that wait for reconciliation: which of them a page shows, in which order, and
 * which are put behind the others until midnight.
 */
import type { Account } from "../../../resources/account.ts";
import { type BankSuggestion, bankSuggestion } from "../../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import { pathOf } from "../../../resources/field.ts";
import { isDay, readId } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import { pageIn } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { termCondition } from "../records/term.ts";

/** Lines on a page. */
export const linesMax = 50;

const { fields } = bankStatementLine;

export const linesPath = pathOf(bankStatementLine);
export const linePath = (id: string) => `${linesPath}/${encodeURIComponent(id)}`;

/** Tabs of the page besides the one of all lines. */
const tabNames = ["certain", "in", "out"] as const;
type TabName = (typeof tabNames)[number];

/** Filters in the address of the page. */
export interface LineFilters {
  readonly q: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly only: TabName | undefined;
  /** Id of the only line that is shown. */
  readonly line: string | undefined;
}

export function filtersIn({ query }: Pick<BooksContext, "query">): LineFilters {
  const filterText = (name: string, isGood: (text: string) => boolean) => {
    const text = query.get(name)?.trim() ?? "";
    return text !== "" && isGood(text) ? text : undefined;
  };
  return {
    q: filterText("q", () => true),
    from: filterText("from", isDay),
    to: filterText("to", isDay),
    only: tabNames.find((name) => name === query.get("only")),
    line: filterText("line", (text) => readId(text) !== undefined),
  };
}

export const ofBank = ({ AccountID }: Pick<Account, "AccountID">): string =>
  `BankAccount.AccountID==guid("${AccountID}")`;
const isWaiting = compare(fields, "Status", "==", "UNRECONCILED");

/** The waiting lines of an account, oldest first. */
export async function linesWaiting(
  { client }: BooksContext,
  bank: Pick<Account, "AccountID">,
  { q, from, to, line }: Partial<LineFilters> = {},
): Promise<BankStatementLine[]> {
  const condition = allOf([
    ofBank(bank),
    isWaiting,
    q && termCondition(bankStatementLine, q),
    from && compare(fields, "Date", ">=", from),
    to && compare(fields, "Date", "<=", to),
    line && compare(fields, "BankStatementLineID", "==", line),
  ]);
  return Array.fromAsync(
    client.list(bankStatementLine, { where: condition, order: "Date ASC", count: false }),
  );
}

/**
 * Suggestions of lines of an account, by line, the best first.
 *
 * @param lines  ids; of all waiting lines, but those alone that are certain, when not given
 */
export async function suggestionsAt(
  { client }: BooksContext,
  { AccountID }: Pick<Account, "AccountID">,
  lines?: readonly string[],
): Promise<ReadonlyMap<string, readonly BankSuggestion[]>> {
  const answer = await client.at(bankSuggestion, `${linesPath}/Suggestions`, {
    account: AccountID,
    ...(lines === undefined ? { certain: "true" } : { lines: lines.join(",") }),
  });
  return Map.groupBy(answer, (record) => record.BankStatementLineID);
}

/** A page of waiting lines. */
export interface LinePage {
  readonly lines: readonly BankStatementLine[];
  /** Number of the page; the last page if the requested one does not exist. */
  readonly page: number;
  /** Number of the first line of the page among those that the filters fit, from 1. */
  readonly first: number;
  /** Number of the lines that the filters and the tab fit. */
  readonly count: number;
  readonly isLast: boolean;
  /** Numbers of the lines that the filters fit, by tab. */
  readonly counts: Readonly<Record<TabName | "all", number>>;
}

/** @param lines  those that the filters fit @param isCertain  whether a line needs no decision */
export function pageOfLines(
  ctx: BooksContext,
  lines: readonly BankStatementLine[],
  onlyTab: LineFilters["only"],
  isCertain: (line: BankStatementLine) => boolean,
): LinePage {
  const laterLines = laterIn(ctx);
  const tabs = {
    all: lines,
    certain: lines.filter(isCertain),
    in: lines.filter(({ Amount }) => Amount > 0),
    out: lines.filter(({ Amount }) => Amount < 0),
  };
  const fittingLines = tabs[onlyTab ?? "all"].toSorted(
    (a, b) => Number(isLater(laterLines, a)) - Number(isLater(laterLines, b)),
  );
  const page = Math.min(pageIn(ctx), Math.max(1, Math.ceil(fittingLines.length / linesMax)));
  const start = (page - 1) * linesMax;
  return {
    lines: fittingLines.slice(start, start + linesMax),
    page,
    first: start + 1,
    count: fittingLines.length,
    isLast: start + linesMax >= fittingLines.length,
    counts: {
      all: tabs.all.length,
      certain: tabs.certain.length,
      in: tabs.in.length,
      out: tabs.out.length,
    },
  };
}

// --- left for later ----------------------------------------------------------------------------------

const laterCookie = "acct_later";
/** Lines that a cookie holds; the oldest decisions give way. */
const laterMax = 200;
const dayS = 86_400;

/** The end of an id tells lines apart, and is short enough for a cookie. */
const markOf = (id: string) => id.slice(-12);

/** Marks of the lines that the reader has put behind the others today. */
export function laterIn({ cookies, today }: BooksContext): readonly string[] {
  const [day, ...marks] = cookies.get(laterCookie)?.split(".") ?? [];
  return day === today ? marks.filter((mark) => /^[0-9a-f]{12}$/.test(mark)) : [];
}

export const isLater = (
  later: readonly string[],
  { BankStatementLineID }: Pick<BankStatementLine, "BankStatementLineID">,
): boolean => later.includes(markOf(BankStatementLineID));

/** Header that puts a line behind the others until midnight, or back among them. */
export function laterHeader(
  ctx: BooksContext,
  id: string,
  isPutBehind: boolean,
): Readonly<Record<string, string>> {
  const otherMarks = laterIn(ctx).filter((mark) => mark !== markOf(id));
  const laterMarks = isPutBehind ? [...otherMarks, markOf(id)].slice(-laterMax) : otherMarks;
  const value = [ctx.today, ...laterMarks].join(".");
  const scope = `Path=${ctx.base}/bank; Max-Age=${dayS}; HttpOnly; SameSite=Strict`;
  return { "set-cookie": `${laterCookie}=${value}; ${scope}` };
}
