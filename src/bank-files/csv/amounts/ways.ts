/**
 * Enumerates the layouts of amounts in a file: which columns, decimal marks and signs yield them.
 *
 * Each possible layout is tried with each column that may be a running balance. A single layout
 * proven by balances takes precedence over all headings; where none is proven, the layout named by
 * user, form, cells or headings is used, if it is unambiguous.
 */

import type { DateText } from "../../../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../../ledger/money.ts";
import type { DecimalMark } from "../../bank-values.ts";
import {
  type Break,
  type Chain,
  followBalances,
  followDays,
  followParts,
  isChain,
  isSorted,
} from "./chain.ts";
import type { Amounts, NumberColumn } from "./number-column.ts";

/** Candidate columns by role, the most likely first. */
export interface AmountColumns {
  amount: readonly number[];
  /** Columns of money out and money in, by their headings. */
  readonly pair: readonly [debit: number, credit: number] | undefined;
  readonly flags: readonly { readonly place: number; readonly signs: readonly number[] }[];
  readonly fee: number | undefined;
  readonly balance: readonly number[];
  /** Columns of numbers with unknown meaning. */
  readonly unknown: readonly number[];
  /** Whether the user named the amount columns, so that no other column is tried. */
  readonly isChosen: boolean;
}

export interface AmountTask {
  readonly columns: AmountColumns;
  readonly numbers: ReadonlyMap<number, NumberColumn>;
  readonly decimal: DecimalMark | undefined;
  readonly isReversed: boolean | undefined;
  /** Whether the fee is included in the amount or comes in addition; undefined where unknown. */
  readonly feeIs: "in" | "beside" | undefined;
  /** Dates of the rows, one list for each possible date order. */
  readonly days: readonly (readonly DateText[])[];
  /** Keys that may split the rows into separate chains: currencies, accounts, pockets. */
  readonly parts: readonly (readonly string[])[];
}

export type WayKind = "signed" | "reversed" | "flag" | "pair" | "unsigned";

/** A possible layout: the columns, marks and signs that yield the amounts. */
export interface Layout {
  readonly kind: WayKind;
  readonly places: readonly number[];
  readonly flag?: number | undefined;
  readonly marks: readonly DecimalMark[];
  readonly fee: "in" | "beside" | undefined;
  readonly amounts: Amounts;
  /** Whether a heading, a form or the user names the columns, with the sign as they define it. */
  readonly isNamed: boolean;
}

export interface Proof {
  readonly way: Layout;
  readonly balance: number;
  readonly balances: Amounts;
  readonly chain: Chain;
}

/** Yields all layouts of the named columns, and of columns with unknown meaning. */
export function* waysOf(task: AmountTask): Generator<Layout> {
  const { fee, unknown } = task.columns;
  const feeColumns = fee === undefined ? unknown : [fee];
  for (const layout of layoutsWithoutHeadings(task)) {
    if (fee === undefined || task.feeIs !== "beside") yield { ...layout, fee: "in" };
    if (task.feeIs === "in") continue;
    for (const feeColumn of feeColumns) {
      const column = layout.places.includes(feeColumn) ? undefined : task.numbers.get(feeColumn);
      for (const mark of column === undefined ? [] : marksOf(task, column)) {
        yield* layoutsLessFee(layout, column?.values(mark) ?? [], feeColumn, fee !== undefined);
      }
    }
  }
}

/** Yields amounts less the fee of a separate column; none where that column is no plausible fee. */
function* layoutsLessFee(
  layout: Layout,
  fees: Amounts,
  feeColumn: number,
  isNamedFee: boolean,
): Generator<Layout> {
  const isFee = isNamedFee || (fees.some((fee) => fee) && fees.every((fee) => (fee ?? 0) >= 0));
  if (!isFee) return;
  const amounts = layout.amounts.map((amount, at) =>
    amount === undefined ? undefined : add(amount, -Math.abs(fees[at] ?? 0) as Cents),
  );
  yield {
    ...layout,
    fee: "beside",
    amounts,
    places: isNamedFee ? layout.places : [...layout.places, feeColumn],
    isNamed: layout.isNamed && isNamedFee,
  };
}

function* layoutsWithoutHeadings(task: AmountTask): Generator<Layout> {
  const { columns, numbers } = task;
  const { pair } = columns;
  const unknown = columns.isChosen ? [] : columns.unknown;
  if (pair !== undefined) yield* pairWays(task, pair, true);
  for (const place of [...columns.amount, ...unknown]) {
    const column = numbers.get(place);
    if (column === undefined) continue;
    const isNamed = columns.amount[0] === place;
    for (const mark of marksOf(task, column)) {
      yield* singleLayouts(task, column, { place, mark, values: column.values(mark), isNamed });
    }
  }
  if (pair !== undefined && !columns.isChosen) yield* pairWays(task, [pair[1], pair[0]], false);
  for (const out of unknown) {
    for (const into of unknown) if (out !== into) yield* pairWays(task, [out, into], false);
  }
}

export function marksOf({ decimal }: AmountTask, column: NumberColumn): readonly DecimalMark[] {
  const { marks } = column;
  return decimal !== undefined && marks.includes(decimal) ? [decimal] : marks;
}

interface Single {
  readonly place: number;
  readonly mark: DecimalMark;
  readonly values: Amounts;
  readonly isNamed: boolean;
}

function* singleLayouts(
  { columns, isReversed }: AmountTask,
  { isWorded }: NumberColumn,
  single: Single,
): Generator<Layout> {
  const { place, mark, values, isNamed } = single;
  const layout = { places: [place], marks: [mark], fee: undefined, isNamed };
  for (const { place: flag, signs } of columns.flags) {
    const isComplete = values.every((value, at) => !value || signs[at] !== 0);
    if (!isComplete) continue;
    const amounts = values.map((value, at) =>
      value === undefined ? undefined : withSign(Math.abs(value) as Cents, signs[at] ?? 0),
    );
    yield { ...layout, kind: "flag", flag, amounts };
  }
  if (isReversed !== true) yield { ...layout, kind: "signed", amounts: values };
  if (isReversed !== false) {
    const amounts = values.map((value, at) =>
      value === undefined || isWorded[at] ? value : withSign(value, -1),
    );
    yield { ...layout, kind: "reversed", amounts, isNamed: isNamed && isReversed === true };
  }
  if (!values.some((value) => value !== undefined && value < 0)) {
    yield { ...layout, kind: "unsigned", amounts: values, isNamed: false };
  }
}

const withSign = (amount: Cents, sign: number) => add(zeroCents, (sign * amount) as Cents);

/** Yields layouts of two columns, money out and money in, never both in one row. */
function* pairWays(
  task: AmountTask,
  [out, into]: readonly [number, number],
  isByName: boolean,
): Generator<Layout> {
  const [debit, credit] = [task.numbers.get(out), task.numbers.get(into)];
  if (debit === undefined || credit === undefined) return;
  const [first, second] = debit.isBare ? [credit, debit] : [debit, credit];
  const allowed = marksOf(task, first);
  const shared = allowed.filter((mark) => second.isBare || marksOf(task, second).includes(mark));
  const decimalMarks = shared.length > 0 || second.isBare ? shared : allowed;
  for (const mark of decimalMarks) {
    // Two columns without a common mark are each read with their own.
    const amountsOf = (column: NumberColumn) =>
      column.values(
        column.isBare || column.marks.includes(mark) ? mark : (column.marks[0] ?? mark),
      );
    const [outs, ins] = [amountsOf(debit), amountsOf(credit)];
    if (outs.some((value, at) => value && ins[at])) continue;
    const isSigned = outs.some((value) => value !== undefined && value < 0);
    const isMixed = isSigned && outs.some((value) => value !== undefined && value > 0);
    // Money in may be negative while money out is positive, either from the bank's point of view or
    // as a reversal.
    const isOwed =
      !isSigned && ins.some((value) => value) && ins.every((value) => (value ?? 0) <= 0);
    const { isReversed } = task;
    const owed = isReversed === undefined ? [1, -1] : [isReversed ? -1 : 1];
    const outSign = isReversed ? 1 : -1;
    const signs = !isMixed ? [isSigned ? 1 : -1] : isReversed === undefined ? [-1, 1] : [outSign];
    for (const [sign = 1, inSign = 1] of signs.flatMap((sign) =>
      (isOwed ? owed : [1]).map((creditSign) => [sign, creditSign]),
    )) {
      const amounts = outs.map((value, at) => {
        const input = ins[at];
        if (value === undefined && input === undefined) return undefined;
        return value ? withSign(value, sign) : withSign(input ?? zeroCents, inSign);
      });
      yield {
        kind: "pair",
        places: [out, into],
        marks: [mark],
        fee: undefined,
        amounts,
        isNamed: isByName && (!isMixed || isReversed !== undefined),
      };
    }
  }
}

/**
 * Proofs by running balances, and the first contradiction to a balance column named by its heading.
 */
export interface Findings {
  readonly proofs: readonly Proof[];
  readonly broken: (Break & { readonly way: Layout; readonly place: number }) | undefined;
}

export function proofsOf(task: AmountTask, layouts: readonly Layout[]): Findings {
  const { columns, numbers } = task;
  const proofs: Proof[] = [];
  let broken: Findings["broken"];
  for (const balanceColumn of new Set([...columns.balance, ...columns.unknown])) {
    const column = numbers.get(balanceColumn);
    if (column === undefined) continue;
    const isNamed = columns.balance.includes(balanceColumn);
    for (const decimalMark of marksOf(task, column)) {
      const values = column.values(decimalMark);
      if (isConstant(values) || (!isNamed && isSerial(values))) continue;
      for (const way of layouts) {
        if (way.places.includes(balanceColumn) || (!isNamed && isPlainBeside(column, way, numbers)))
          continue;
        const neededCount = neededChecks(columns, way, balanceColumn);
        let [balances, result] = [values, chainsOf(task, way, values)];
        if (way.isNamed && result.chains.every(({ chain }) => chain.checks < neededCount)) {
          const afterFee = values.map((cents, at) =>
            cents === undefined ? undefined : add(cents, way.amounts[at] ?? zeroCents),
          );
          const chains = chainBefore(task, way, afterFee);
          if (chains.length > 0) [balances, result] = [afterFee, { chains, broken: undefined }];
        }
        for (const { chain, amounts } of result.chains) {
          if (chain.checks < neededCount || (!way.isNamed && amounts.includes(undefined))) continue;
          proofs.push({ way: { ...way, amounts }, balance: balanceColumn, balances, chain });
        }
        if (isNamed && way.isNamed && result.broken !== undefined) {
          broken ??= { ...result.broken, way, place: balanceColumn };
        }
      }
    }
  }
  return { proofs, broken };
}

/**
 * Number of rows that must confirm a layout: two for columns of unknown meaning; one where no such
 * column is left over.
 */
function neededChecks({ balance, unknown }: AmountColumns, layout: Layout, index: number): 1 | 2 {
  const usedColumns = [...layout.places, index];
  const isByName = balance.includes(index) && !layout.places.some((each) => unknown.includes(each));
  return isByName || unknown.every((number) => usedColumns.includes(number)) ? 1 : 2;
}

/**
 * Tries balances as those before their lines, if dates are sorted one way and balances after lines
 * fail.
 */
function chainBefore(task: AmountTask, layout: Layout, balancesAfter: Amounts): Chains["chains"] {
  if (layout.kind === "reversed" || layout.kind === "unsigned") return [];
  const [newest, ...others] = directions.filter((direction) => !isInWrongOrder(task, direction));
  if (newest === undefined || others.length > 0) return [];
  const chain = followBalances(layout.amounts, balancesAfter, newest);
  return isChain(chain) ? [{ chain, amounts: layout.amounts }] : [];
}

/**
 * Whether all balances are equal: such a column holds the balance on the day of export, not a
 * running one.
 */
export function isConstant(balances: Amounts): boolean {
  const stated = balances.filter((balance) => balance !== undefined);
  return stated.length > 1 && new Set(stated).size === 1;
}

/**
 * Whether a column without decimals accompanies amounts with decimals: it then counts rows or
 * documents.
 */
function isPlainBeside(
  { isBare }: NumberColumn,
  layout: Layout,
  numbers: AmountTask["numbers"],
): boolean {
  return isBare && layout.places.some((columnIndex) => numbers.get(columnIndex)?.isBare === false);
}

/** Whether numbers change by a constant step: they are then row numbers, not balances. */
function isSerial(numbers: Amounts): boolean {
  const stated = numbers.filter((number) => number !== undefined);
  const steps = stated.slice(1).map((cents, at) => cents - (stated[at] as number));
  const [step = 0] = steps;
  return steps.every((each) => each === step) && (steps.length > 1 || Math.abs(step) === unitCents);
}

/** The number 1 in cents. */
const unitCents = 100;

interface Chains {
  readonly chains: readonly { readonly chain: Chain; readonly amounts: Amounts }[];
  readonly broken: Break | undefined;
}

const directions = ["last", "first"] as const;

/**
 * Whether dates are sorted only in the opposite direction, so that balances cannot follow in this
 * one.
 */
function isInWrongOrder({ days }: AmountTask, newest: "first" | "last"): boolean {
  const opposite = newest === "last" ? "first" : "last";
  return days.length > 0 && days.every((day) => isSorted(day, opposite) && !isSorted(day, newest));
}

function chainsOf(task: AmountTask, layout: Layout, balances: Amounts): Chains {
  const possible = directions.filter((newest) => !isInWrongOrder(task, newest));
  if (layout.kind === "unsigned")
    return { chains: unsignedChains(layout.amounts, balances, possible), broken: undefined };
  const { amounts } = layout;
  const chains = possible.map((newest) => followBalances(amounts, balances, newest));
  const linear = chains.filter(isChain).map((chain) => ({ chain, amounts }));
  if (linear.length > 0) return { chains: linear, broken: undefined };
  const breaks = chains.filter((chain) => chain !== undefined && !isChain(chain)) as Break[];
  // The direction in which more rows agree is the direction of the file.
  const size = amounts.length;
  const broken = [...breaks].sort((a, b) => reachOf(b, breaks, size) - reachOf(a, breaks, size))[0];
  const otherChains: Chain[] = [];
  for (const parts of task.parts) {
    for (const newest of possible) {
      const chain = followParts(amounts, balances, newest, parts);
      if (chain !== undefined) otherChains.push(chain);
    }
  }
  if (otherChains.length === 0 && layout.isNamed) {
    for (const days of task.days) {
      const chain = followDays(amounts, balances, days);
      if (chain !== undefined) otherChains.push(chain);
    }
  }
  return { chains: otherChains.map((chain) => ({ chain, amounts })), broken };
}

function reachOf(gap: Break, [last]: readonly Break[], size: number): number {
  return gap === last ? gap.at : size - 1 - gap.at;
}

/**
 * Signs of unsigned amounts by the changes of the balances; the sign of the first may stay unknown.
 */
function unsignedChains(
  sizes: Amounts,
  balances: Amounts,
  possible: readonly ("first" | "last")[],
): Chains["chains"] {
  return possible.flatMap((newest) => {
    const amounts: (Cents | undefined)[] = [...sizes];
    const order = [...sizes.keys()];
    if (newest === "first") order.reverse();
    let balanceBefore: Cents | undefined;
    let checkCount = 0;
    let isOpen = false;
    for (const at of order) {
      const [size, balance] = [sizes[at], balances[at]];
      if (balance === undefined) {
        if (size) return [];
        continue;
      }
      if (balanceBefore === undefined) {
        isOpen = (size ?? 0) !== 0;
      } else {
        const movement = (balance - balanceBefore) as Cents;
        if (Math.abs(movement) !== (size ?? 0)) return [];
        if (size !== undefined) amounts[at] = movement;
        if (movement !== 0) checkCount += 1;
      }
      balanceBefore = balance;
    }
    const [first] = order;
    if (balanceBefore === undefined || first === undefined || checkCount < 2) return [];
    const opening = ((balances[first] ?? 0) - (amounts[first] ?? 0)) as Cents;
    const chain = { newest, opening, closing: balanceBefore, checks: checkCount };
    return [{ chain: isOpen ? { ...chain, openAt: first } : chain, amounts }];
  });
}
