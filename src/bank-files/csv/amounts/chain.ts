/** Chains of running balances: each balance equals the previous one plus the lines since. */
import type { DateText } from "../../../ledger/dates/calendar.ts";
import type { Cents } from "../../../ledger/money.ts";
import type { Amounts } from "./number-column.ts";

export interface Chain {
  /** Position of the newest row; undefined where rows of a day are in no particular order. */
  readonly newest: "first" | "last" | undefined;
  readonly opening: Cents;
  readonly closing: Cents;
  /** Number of balances confirmed by lines with a non-zero amount. */
  readonly checks: number;
  /** Index of a row whose sign no balance determines, for amounts without signs. */
  readonly openAt?: number;
}

/** First balance that contradicts the chain, with the index of its row. */
export interface Break {
  readonly at: number;
  readonly before: Cents;
  readonly moved: Cents;
  readonly stated: Cents;
}

/** Whether dates are sorted, in any order within a day. */
export function isSorted(days: readonly DateText[], newest: "first" | "last"): boolean {
  return days.every((day, at) => {
    const dayBefore = days[at - 1];
    return dayBefore === undefined || (newest === "last" ? day >= dayBefore : day <= dayBefore);
  });
}

/** Follows the balances through the rows from the oldest to the newest. */
export function followBalances(
  amounts: Amounts,
  balances: Amounts,
  newest: "first" | "last",
  isCounted?: (at: number) => boolean,
): Chain | Break | undefined {
  let [opening, before, moved, checks] = [
    undefined as number | undefined,
    undefined as number | undefined,
    0,
    0,
  ];
  for (let step = 0; step < amounts.length; step += 1) {
    const at = newest === "last" ? step : amounts.length - 1 - step;
    if (isCounted?.(at) === false) continue;
    moved += amounts[at] ?? 0;
    const statedBalance = balances[at];
    if (statedBalance === undefined) continue;
    if (before === undefined) opening = statedBalance - moved;
    else if (before + moved !== statedBalance) {
      return { at, before: before as Cents, moved: moved as Cents, stated: statedBalance };
    } else if (moved !== 0) checks += 1;
    before = statedBalance;
    moved = 0;
  }
  if (opening === undefined || before === undefined) return undefined;
  return { newest, opening: opening as Cents, closing: (before + moved) as Cents, checks };
}

export function isChain(result: Chain | Break | undefined): result is Chain {
  return result !== undefined && "checks" in result;
}

/**
 * Follows separate chains of parts of the rows, such as the currencies or pockets in one file;
 * their balances are summed.
 */
export function followParts(
  amounts: Amounts,
  balances: Amounts,
  newest: "first" | "last",
  parts: readonly string[],
): Chain | undefined {
  let [opening, closing, checks] = [0, 0, 0];
  for (const pageName of new Set(parts)) {
    const chain = followBalances(amounts, balances, newest, (at) => parts[at] === pageName);
    if (chain === undefined) continue;
    if (!isChain(chain)) return undefined;
    opening += chain.opening;
    closing += chain.closing;
    checks += chain.checks;
  }
  return { newest, opening: opening as Cents, closing: closing as Cents, checks };
}

/** Maximum number of opening balances that are tried for the first day. */
const beginningsMax = 40;

/**
 * Follows balances with the rows of each day in any order: either all rows of the day form a chain,
 * or its only balance is that at the end of the day.
 *
 * @param days  date of each row
 */
export function followDays(
  amounts: Amounts,
  balances: Amounts,
  days: readonly DateText[],
): Chain | undefined {
  const byDay = [...Map.groupBy(days.keys(), (at) => days[at] as DateText)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const firstDay = byDay.find(([, rows]) => rows.some((at) => balances[at] !== undefined));
  if (firstDay === undefined) return undefined;
  const possibleBeginnings = new Set(
    firstDay[1].flatMap((at) =>
      balances[at] === undefined ? [] : [balances[at] - (amounts[at] ?? 0)],
    ),
  );
  if (firstDay[1].filter((at) => balances[at] !== undefined).length === 1) {
    const total = firstDay[1].reduce((sum, at) => sum + (balances[at] ?? 0), 0);
    possibleBeginnings.clear();
    possibleBeginnings.add(total - firstDay[1].reduce((sum, at) => sum + (amounts[at] ?? 0), 0));
  }
  const earlierDays = byDay.slice(0, byDay.indexOf(firstDay));
  const skippedSum = earlierDays
    .flatMap(([, rows]) => rows)
    .reduce((sum, at) => sum + (amounts[at] ?? 0), 0);
  for (const beginningBalance of [...possibleBeginnings].slice(0, beginningsMax)) {
    let balance = beginningBalance;
    let checkCount = -1;
    const isHolding = byDay.slice(earlierDays.length).every(([, rows]) => {
      const movementSum = rows.reduce((sum, at) => sum + (amounts[at] ?? 0), 0);
      const stated = rows.flatMap((at) => balances[at] ?? []);
      const isConsistent =
        stated.length === 0 ||
        (stated.length === 1 && stated[0] === balance + movementSum) ||
        (stated.length === rows.length && hasOrder(balance, rows, amounts, balances));
      balance += movementSum;
      checkCount += stated.length;
      return isConsistent;
    });
    if (isHolding) {
      return {
        newest: undefined,
        opening: (beginningBalance - skippedSum) as Cents,
        closing: balance as Cents,
        checks: checkCount,
      };
    }
  }
  return undefined;
}

/**
 * Whether the rows of a day, each a step between two balances, can be ordered into one chain from a
 * balance.
 */
function hasOrder(
  balanceBefore: number,
  rows: readonly number[],
  amounts: Amounts,
  balances: Amounts,
): boolean {
  const surplusByBalance = new Map<number, number>();
  const rootByValue = new Map<number, number>();
  const rootOf = (value: number): number => {
    let root = value;
    while (rootByValue.has(root)) root = rootByValue.get(root) as number;
    return root;
  };
  let computedBalance = balanceBefore;
  for (const at of rows) {
    const balanceAfter = balances[at] as number;
    const balanceBefore = balanceAfter - (amounts[at] ?? 0);
    computedBalance += amounts[at] ?? 0;
    surplusByBalance.set(balanceBefore, (surplusByBalance.get(balanceBefore) ?? 0) + 1);
    surplusByBalance.set(balanceAfter, (surplusByBalance.get(balanceAfter) ?? 0) - 1);
    const [a, b] = [rootOf(balanceBefore), rootOf(balanceAfter)];
    if (a !== b) rootByValue.set(a, b);
  }
  const isJoined = rows.every((at) => rootOf(balances[at] as number) === rootOf(balanceBefore));
  surplusByBalance.set(balanceBefore, (surplusByBalance.get(balanceBefore) ?? 0) - 1);
  surplusByBalance.set(computedBalance, (surplusByBalance.get(computedBalance) ?? 0) + 1);
  return isJoined && [...surplusByBalance.values()].every((count) => count === 0);
}
