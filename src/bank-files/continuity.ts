/** Checks that a statement adds up, and that it follows the previous statement. */
import { addDays, mediumDate, yearOf } from "../ledger/dates/calendar.ts";
import { add, type Cents, sum } from "../ledger/money.ts";
import { amountText } from "../resources/common.ts";
import type { AccountId, StatementSummary } from "./bank-statement.ts";

export interface ContinuityFinding {
  readonly kind: "sum" | "balance" | "number" | "overlap" | "gap" | "currency" | "repeat";
  /** Finding in one sentence for the user. */
  readonly sentence: string;
  /** Excess of the bank's balance over the expected one, in cents. */
  readonly difference?: Cents | undefined;
}

function mismatchFindings(
  kind: "sum" | "balance",
  is: Cents,
  expected: Cents,
  currency: string | undefined,
): ContinuityFinding[] {
  if (is === expected) return [];
  const difference = add(is, -expected as Cents);
  const [held, wanted, by] = [is, expected, difference].map((cents) => amountText(cents, currency));
  return [
    {
      kind,
      sentence: `The closing balance is ${held}, not ${wanted}: ${by} apart.`,
      difference,
    },
  ];
}

/** Checks that opening balance plus lines equals the closing balance, where the file has both. */
export function checkStatement(statement: StatementSummary): ContinuityFinding[] {
  const { opening, closing, sum, currency } = statement;
  if (opening === undefined || closing === undefined) return [];
  return mismatchFindings("sum", closing.amount, add(opening.amount, sum), currency);
}

/** Facts of the previous statement that are compared. */
export type Predecessor = Pick<StatementSummary, "closing" | "number" | "currency" | "from" | "to">;

/** Facts of a statement that are compared with the previous one. */
export type Successor = Predecessor & Pick<StatementSummary, "opening" | "sum" | "isRepeat">;

/**
 * Checks that a statement follows the previous one of its account by its balance, number and
 * period; numbers may restart each year.
 */
export function checkSequence(last: Predecessor, next: Successor): ContinuityFinding[] {
  const findings: ContinuityFinding[] = [];
  if (
    last.currency !== undefined &&
    next.currency !== undefined &&
    last.currency !== next.currency
  ) {
    findings.push({
      kind: "currency",
      sentence: `The statement is in ${next.currency}, the last one in ${last.currency}.`,
    });
    return findings;
  }
  if (next.isRepeat || isSameOne(last, next)) {
    return [{ kind: "repeat", sentence: "The statement is the last one again." }];
  }
  findings.push(...checkBalance(last, next));
  const number = checkNumber(last, next);
  if (number !== undefined && !followsByBalance(last, next)) findings.push(number);
  if (last.to !== undefined && next.from !== undefined) {
    if (next.from <= last.to) {
      findings.push({
        kind: "overlap",
        sentence: `The statement begins on ${next.from}, the last one ends on ${last.to}.`,
      });
    } else if (next.from > addDays(last.to, 1) && findings.some(({ kind }) => kind === "balance")) {
      findings.push({
        kind: "gap",
        sentence: `Nothing is there from ${addDays(last.to, 1)} to ${addDays(next.from, -1)}.`,
      });
    }
  }
  return findings;
}

function checkBalance(
  { closing: last }: Predecessor,
  { opening, closing, sum, currency }: Successor,
): ContinuityFinding[] {
  if (last === undefined) return [];
  if (opening !== undefined) {
    if (opening.amount === last.amount) return [];
    const on = last.date === undefined ? "before that" : `on ${mediumDate(last.date)}`;
    return [
      {
        kind: "balance",
        sentence: `The statement begins at ${amountText(opening.amount, currency)}, but ${on} the account had ${amountText(last.amount, currency)}: lines between are missing.`,
        difference: add(opening.amount, -last.amount as Cents),
      },
    ];
  }
  if (closing === undefined) return [];
  return mismatchFindings("balance", closing.amount, add(last.amount, sum), currency);
}

/** Whether the balances meet. A missing statement without lines between them does no harm. */
function followsByBalance({ closing }: Predecessor, { opening }: Successor): boolean {
  return closing !== undefined && closing.amount === opening?.amount;
}

function isSameOne(previous: Predecessor, following: Successor): boolean {
  return (
    previous.number !== undefined &&
    previous.number === following.number &&
    previous.closing?.amount === following.closing?.amount &&
    previous.closing?.date === following.closing?.date
  );
}

function checkNumber(previous: Predecessor, following: Successor): ContinuityFinding | undefined {
  const [before, now] = [Number(previous.number), Number(following.number)];
  if (!Number.isSafeInteger(before) || !Number.isSafeInteger(now) || now === before + 1)
    return undefined;
  const [from, to] = [previous.closing?.date, following.closing?.date];
  const isNewYear = from !== undefined && to !== undefined && yearOf(to) > yearOf(from);
  if (isNewYear && now === 1) return undefined;
  return {
    kind: "number",
    sentence: `The statement has the number ${following.number}, the last one ${previous.number}.`,
  };
}

/**
 * Joins the pages of a statement: consecutive statements with the same number, of which the first
 * ends with an intermediate balance or announces a further page.
 */
export function joinPages(statements: readonly StatementSummary[]): StatementSummary[] {
  const statementsJoined: StatementSummary[] = [];
  for (const page of statements) {
    const previous = statementsJoined.at(-1);
    if (previous === undefined || !isNextPage(previous, page)) statementsJoined.push(page);
    else {
      statementsJoined[statementsJoined.length - 1] = {
        ...previous,
        page: page.page,
        isLastPage: page.isLastPage,
        to: page.to ?? previous.to,
        closing: page.closing,
        otherBalance: page.otherBalance,
        lineCount: previous.lineCount + page.lineCount,
        sum: sum([previous.sum, page.sum]),
        pending: previous.pending + page.pending,
        withdrawn: [...previous.withdrawn, ...page.withdrawn],
        warnings: [...new Set([...previous.warnings, ...page.warnings])],
      };
    }
  }
  return statementsJoined;
}

function isNextPage(last: StatementSummary, page: StatementSummary): boolean {
  if (last.number !== page.number || !isSameAccount(last.account, page.account)) return false;
  if (last.isLastPage === true) return false;
  const isIncomplete = last.closing?.isIntermediate === true || last.isLastPage === false;
  const follows = page.page === undefined || last.page === undefined || page.page === last.page + 1;
  return isIncomplete && follows;
}

function isSameAccount(a: AccountId, b: AccountId): boolean {
  return a.iban === b.iban && a.number === b.number && a.bank === b.bank;
}
