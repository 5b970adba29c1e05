/**
 * Decides which of the possible layouts gives the amounts; asks the user where that stays
 * ambiguous.
 */
import { add, type Cents, zeroCents } from "../../../ledger/money.ts";
import type { BankFileError } from "../../bank-statement.ts";
import { type Questions, unsettledError } from "../open-questions.ts";
import { type Chain, followBalances, isChain, isSorted } from "./chain.ts";
import type { Amounts } from "./number-column.ts";
import type { AmountTask, Findings, Layout, Proof } from "./ways.ts";
import { isConstant, marksOf, proofsOf, waysOf } from "./ways.ts";

export interface AmountReading {
  readonly way: Layout;
  readonly amounts: Amounts;
  /** Column of running balances; undefined where there is none. */
  readonly balance: number | undefined;
  readonly balances: Amounts | undefined;
  readonly chain: Chain | undefined;
  readonly isProven: boolean;
}

/** Facts besides the columns that help to decide. */
export interface Circumstances {
  readonly isCard: boolean;
  /** Whether a known form of a bank defines the signs. */
  readonly hasForm: boolean;
  readonly allowGap: boolean;
  /**
   * Whether a column may be only money in or only money out, with an empty column for the other.
   */
  isHalf(columnIndex: number): boolean;
  /**
   * Columns of single-letter flags, the same letter in all rows, without a heading about direction.
   */
  readonly loneFlags: ReadonlySet<number>;
  /** Columns of flags with a heading about direction, or named by the user or a form. */
  readonly namedFlags: ReadonlySet<number>;
  /** Words, quoted, by which an unread column, or one of types, parts rows, as directions would. */
  partingWords(rows: readonly number[]): string | undefined;
  /** Number of a row in the file; the next function returns its text in a column. */
  row(at: number): number;
  text(at: number, columnIndex: number): string;
  /** Writes an amount of the account. */
  money(cents: number): string;
}

const column = (columnIndex: number) => String(columnIndex + 1);

/**
 * Decides the amounts of a table.
 *
 * @throws BankFileError `Balance` where a column named as balance contradicts the amounts
 */
export function settleAmounts(
  task: AmountTask,
  circumstances: Circumstances,
  questions: Questions,
): AmountReading | undefined {
  const layouts = [...waysOf(task)];
  const findings = proofsOf(task, layouts);
  const proof = decisiveProof(task, findings, circumstances, questions);
  if (proof !== undefined) {
    const { way, balance, balances } = proof;
    const chain = chooseChain(task, proof, findings.proofs);
    return { way, amounts: way.amounts, balance, balances, chain, isProven: true };
  }
  if (questions.isOpen) return undefined;
  if (findings.proofs.length === 0 && findings.broken !== undefined && !circumstances.allowGap) {
    throw balanceGapError(findings.broken, circumstances);
  }
  const layout = namedLayout(task, layouts, circumstances, questions);
  if (layout === undefined) return undefined;
  const [balance] = task.columns.balance;
  const balances = balance === undefined ? undefined : balancesInColumn(task, balance, findings);
  return {
    way: layout,
    amounts: layout.amounts,
    balance: balances && balance,
    balances,
    chain: endBalances(task, layout, balances),
    isProven: false,
  };
}

/**
 * Chain of a proof. Where the balances agree in both directions, dates decide the direction, and
 * without them the chain is unknown.
 */
function chooseChain(
  { days }: AmountTask,
  { way, balance, chain }: Proof,
  proofs: readonly Proof[],
): Chain | undefined {
  const turnedProof = proofs.find(
    (proof) =>
      proof.balance === balance && proof.chain.newest !== chain.newest && isEqual(proof.way, way),
  );
  if (turnedProof === undefined) return chain;
  const sure = [chain, turnedProof.chain].filter(
    ({ newest }) => newest !== undefined && days.every((day) => isSorted(day, newest)),
  );
  return sure.length === 1 ? sure[0] : undefined;
}

function balanceGapError(
  { at, before, moved, stated: told }: NonNullable<Findings["broken"]>,
  { row, money }: Circumstances,
): BankFileError {
  const made = before + moved;
  return unsettledError(
    "Balance",
    "--allow-gap",
    `Row ${row(at)}: ${money(before)} and ${money(moved)} make ${money(made)}, but the balance is ${money(told)}: ${money(Math.abs(told - made))} are missing.`,
    ["--allow-gap", "--map balance="],
  );
}

function balancesInColumn(
  task: AmountTask,
  columnIndex: number,
  { broken }: Findings,
): Amounts | undefined {
  const numbers = task.numbers.get(columnIndex);
  if (numbers === undefined || numbers.marks.length === 0) return undefined;
  const mark = broken?.place === columnIndex ? broken.way.marks[0] : undefined;
  const decimalMarks = marksOf(task, numbers);
  const balances = numbers.values(
    mark !== undefined && decimalMarks.includes(mark) ? mark : (decimalMarks[0] ?? "point"),
  );
  return isConstant(balances) ? undefined : balances;
}

/**
 * Balances at both ends of lines that no balance proves: of a single line, or with a gap between
 * lines.
 */
function endBalances(
  task: AmountTask,
  { amounts }: Layout,
  balances: Amounts | undefined,
): Chain | undefined {
  if (balances === undefined) return undefined;
  const isRunning = (to: "first" | "last") => task.days.some((days) => isSorted(days, to));
  const newest = isRunning("last") ? "last" : "first";
  const chain = followBalances(amounts, balances, newest);
  if (chain === undefined) return chain;
  if (isChain(chain)) {
    // For lines of one day, a balance may be that before or after them.
    const otherChain = isRunning("first") ? followBalances(amounts, balances, "first") : chain;
    const isSameChain = isChain(otherChain) && otherChain.opening === chain.opening;
    return isSameChain && otherChain.closing === chain.closing ? chain : undefined;
  }
  const order = [...amounts.keys()];
  if (newest === "first") order.reverse();
  const known = order.filter((at) => balances[at] !== undefined);
  const sumOf = (rowIndexes: readonly number[]) =>
    rowIndexes.reduce<Cents>((sum, at) => add(sum, amounts[at] ?? zeroCents), zeroCents);
  const [first, last] = [order.indexOf(known[0] as number), order.indexOf(known.at(-1) as number)];
  const opening = add(
    balances[known[0] as number] as Cents,
    -sumOf(order.slice(0, first + 1)) as Cents,
  );
  const closing = add(balances[known.at(-1) as number] as Cents, sumOf(order.slice(last + 1)));
  return { newest, opening, closing, checks: 0 };
}

/** Groups proofs by their amounts, keeping one of each; a proof with named columns is preferred. */
function distinctProofs(proofs: readonly Proof[]): Proof[] {
  const groups: Proof[] = [];
  const hasGap = (proof: Proof) => proof.chain.openAt !== undefined;
  const score = ({ way, chain }: Proof) =>
    (chain.openAt === undefined ? 0 : 2) + (way.isNamed ? 0 : 1);
  for (const proof of [...proofs].sort((a, b) => score(a) - score(b))) {
    const isEquivalent = (otherProof: Proof) =>
      proof.way.amounts.every(
        (amount, at) =>
          amount === otherProof.way.amounts[at] ||
          (hasGap(proof) && at === proof.chain.openAt) ||
          (hasGap(otherProof) && at === otherProof.chain.openAt) ||
          (!amount && !otherProof.way.amounts[at]),
      );
    if (!groups.some(isEquivalent)) groups.push(proof);
  }
  return groups;
}

function decisiveProof(
  task: AmountTask,
  { proofs }: Findings,
  facts: Circumstances,
  questions: Questions,
): Proof | undefined {
  let groups = distinctProofs(proofs);
  if (groups.length > 1) {
    const running = proofs.filter(
      ({ chain: { newest } }) =>
        newest === undefined || task.days.some((days) => isSorted(days, newest)),
    );
    groups = distinctProofs(running.length > 0 ? running : proofs);
  }
  if (groups.length > 1) {
    const knownProofs = groups.filter(({ way, balance }) =>
      [...way.places, balance].every((columnIndex) => !task.columns.unknown.includes(columnIndex)),
    );
    if (knownProofs.length > 0) groups = knownProofs;
  }
  if (task.isReversed !== undefined) {
    const proofs = groups.filter(({ way }) => way.kind !== "unsigned");
    if (proofs.length > 0) groups = proofs;
  }
  // Proofs with named columns take precedence over proofs by balances alone.
  const byHeading = groups.filter(({ way }) => way.isNamed);
  // Direction words confirmed by balances on some rows decide the other rows, where amounts have no
  // signs.
  const pool = byHeading.length > 0 ? byHeading : groups;
  const byWords = pool.filter(({ way }) => way.kind === "flag");
  const isUnsigned = pool.every(({ way }) => /flag|unsigned/.test(way.kind) || hasNoMinus(way));
  const isWorded = byWords.length > 0 && isUnsigned;
  const namedProofs = isWorded ? byWords : byHeading;
  const [first] = namedProofs;
  const isInverse = ({ way }: Proof) =>
    way.amounts.every((amount, at) => (amount ?? 0) === -(first?.way.amounts[at] ?? 0));
  if (namedProofs.length === 1 && first !== undefined && (isWorded || !groups.some(isInverse)))
    groups = [first];
  const [only, other] = groups;
  if (only === undefined) return undefined;
  const { openAt } = only.chain;
  if (other !== undefined) {
    askReading(task, groups, facts, questions);
    return undefined;
  }
  if (openAt === undefined) return only;
  const size = only.way.amounts[openAt] as Cents;
  if (task.isReversed === undefined) {
    questions.ask(
      "--reversed",
      `Row ${facts.row(openAt)} moves ${facts.money(size)}, in or out: the balances tell the signs of all other rows.`,
      ["--reversed", "--no-reversed"],
      { row: facts.row(openAt), example: facts.text(openAt, only.way.places[0] as number) },
    );
    return undefined;
  }
  const amounts = only.way.amounts.with(openAt, (task.isReversed ? -size : size) as Cents);
  const opening = ((only.balances[openAt] ?? 0) - (amounts[openAt] ?? 0)) as Cents;
  return { ...only, way: { ...only.way, amounts }, chain: { ...only.chain, opening } };
}

/**
 * Asks to choose between readings that all agree with the balances: by decimal mark, fee or sign.
 */
function askReading(
  task: AmountTask,
  groups: readonly Proof[],
  circumstances: Circumstances,
  questions: Questions,
): void {
  const [first, second] = groups as [Proof, Proof];
  const isInverse = first.way.amounts.every(
    (amount, at) => (amount ?? 0) === -(second.way.amounts[at] ?? 0),
  );
  if (groups.some(({ way }) => way.marks[0] !== first.way.marks[0])) {
    askDecimal(task, first.way.places[0] as number, circumstances, questions);
  } else if (task.columns.fee !== undefined && first.way.fee !== second.way.fee) {
    const fee = column(task.columns.fee);
    questions.ask("--map", `Fees of column ${fee} are in the amount or beside it.`, [
      `--map fee=${fee}`,
      "--map fee=",
    ]);
  } else if (isInverse && groups.length === 2 && first.way.kind !== "pair") {
    // Amounts with both signs are taken as written.
    const signedProof = groups.find(
      ({ way }) =>
        way.kind === "signed" && way.amounts.some((amount) => amount !== undefined && amount < 0),
    );
    if (signedProof === undefined || task.isReversed !== undefined) {
      questions.ask(
        "--reversed",
        "The balances follow whether amounts are money in or money out.",
        ["--reversed", "--no-reversed"],
      );
    }
  } else {
    questions.ask("--map", "The balances follow in several readings of the columns.", [
      ...new Set(
        groups.map(({ way, balance }) => `${mapOf(way)} --map balance=${column(balance)}`),
      ),
    ]);
  }
}

function mapOf({ kind, places, flag }: Layout): string {
  const [first = 0, second = 0] = places;
  return kind === "pair"
    ? `--map debit=${column(first)} --map credit=${column(second)}`
    : `--map amount=${column(first)}${kind === "flag" && flag !== undefined ? ` --map flag=${column(flag)}` : ""}`;
}

function askDecimal(
  task: AmountTask,
  index: number,
  { money }: Circumstances,
  questions: Questions,
): void {
  const values = task.numbers.get(index);
  const at =
    values?.values("point").findIndex((each, index) => each !== values.values("comma")[index]) ?? 0;
  const [small, large] = [values?.values("point")[at] ?? 0, values?.values("comma")[at] ?? 0];
  questions.ask(
    "--decimal",
    `An amount of column ${column(index)} is ${money(small)} or ${money(large)}, by its decimal mark.`,
    ["--decimal point", "--decimal comma"],
  );
}

const isEqual = (a: Layout, b: Layout) =>
  a.amounts.every((amount, at) => (amount ?? 0) === (b.amounts[at] ?? 0));
const hasNegative = ({ amounts }: Layout) =>
  amounts.some((amount) => amount !== undefined && amount < 0);

/** Whether all amounts of a column were written without a minus. */
const hasNoMinus = (way: Layout) =>
  way.kind === "reversed" ? way.amounts.every((amount) => (amount ?? 0) <= 0) : !hasNegative(way);

/** Layout that a user, a form, cells or headings name, where no balance proves one. */
function namedLayout(
  task: AmountTask,
  layouts: readonly Layout[],
  context: Circumstances,
  questions: Questions,
): Layout | undefined {
  const namedLayouts = layouts.filter(({ isNamed }) => isNamed);
  const pair = namedLayouts.filter(({ kind }) => kind === "pair");
  const flagged = flaggedLayouts(namedLayouts, context, questions);
  if (questions.isOpen) return undefined;
  const signedLayouts = namedLayouts.filter(({ kind }) => kind === "signed" || kind === "reversed");
  const singles = flagged.length > 0 ? flagged : signedLayouts;
  const chosenLayouts =
    pair.length > 0 && singles.length > 0
      ? reconcilePair(task, pair, singles, questions)
      : pair.length > 0
        ? pair
        : singles;
  const [first, ...others] = chosenLayouts;
  if (first === undefined) {
    if (!questions.isOpen) askColumns(task, layouts, questions);
    return undefined;
  }
  const differing = others.filter((layout) => !isEqual(layout, first));
  const otherMark = differing.find(({ marks }) => marks[0] !== first.marks[0]);
  if (otherMark !== undefined) askDecimal(task, first.places[0] as number, context, questions);
  const fee = task.columns.fee;
  if (fee !== undefined && differing.some((layout) => layout.fee !== first.fee)) {
    questions.ask("--map", `Fees of column ${column(fee)} are in the amount or beside it.`, [
      `--map fee=${column(fee)}`,
      "--map fee=",
    ]);
  }
  const turnedLayout = first.kind === "pair" ? differing.find(isOfSame(first)) : undefined;
  if (turnedLayout !== undefined) askDebts(turnedLayout, first, context, questions);
  if (first.kind === "signed" && flagged.length === 0) askSign(task, first, context, questions);
  return questions.isOpen ? undefined : first;
}

/** Layouts by direction words, if these leave no ambiguity. */
function flaggedLayouts(
  namedLayouts: readonly Layout[],
  facts: Circumstances,
  questions: Questions,
): readonly Layout[] {
  const layouts = namedLayouts.filter((layout) => {
    if (layout.kind !== "flag" || layout.flag === undefined) return false;
    const signedLayout = writtenOf(namedLayouts, layout);
    const amountSigns = new Set(
      layout.amounts.filter((amount) => amount).map((amount) => Math.sign(amount as number)),
    );
    const isConstant =
      amountSigns.size === 1 &&
      signedLayout !== undefined &&
      hasNegative(signedLayout) &&
      signedLayout.amounts.some((amount) => (amount ?? 0) > 0);
    return !isConstant || facts.namedFlags.has(layout.flag);
  });
  const [first] = layouts;
  if (first?.flag === undefined) return [];
  const written = writtenOf(namedLayouts, first);
  const flag = column(first.flag);
  if (written !== undefined && hasNegative(written) && !isEqual(written, first)) {
    const at = first.amounts.findIndex((amount, index) => amount !== written.amounts[index]);
    questions.ask(
      "--map",
      `Row ${facts.row(at)}: the sign of the amount and the word "${facts.text(at, first.flag)}" say different directions.`,
      ["--map flag=", `--map amount= --map flag=${flag}`].slice(0, 1),
      { row: facts.row(at), example: facts.text(at, first.flag) },
    );
  } else if (facts.loneFlags.has(first.flag) && !(written !== undefined && hasNegative(written))) {
    questions.ask(
      "--map",
      `Column ${flag} says "${facts.text(0, first.flag)}" in every row, which is a direction or not.`,
      [`--map flag=${flag}`, "--map flag="],
      { row: facts.row(0), example: facts.text(0, first.flag) },
    );
  } else {
    const otherLayout = layouts.find(
      (layout) =>
        layout.flag !== first.flag &&
        layout.marks[0] === first.marks[0] &&
        layout.fee === first.fee &&
        !isEqual(layout, first),
    );
    if (otherLayout?.flag !== undefined) {
      questions.ask(
        "--map",
        `Columns ${flag} and ${column(otherLayout.flag)} say different directions.`,
        [`--map flag=${flag}`, `--map flag=${column(otherLayout.flag)}`, "--map flag="],
      );
    }
  }
  return layouts;
}

function writtenOf(named: readonly Layout[], { places, marks, fee }: Layout): Layout | undefined {
  return named.find(
    (layout) =>
      layout.kind === "signed" &&
      layout.places[0] === places[0] &&
      layout.marks[0] === marks[0] &&
      layout.fee === fee,
  );
}

/**
 * Reconciles an amount column with columns of money out and money in: they must agree, or the user
 * is asked.
 */
function reconcilePair(
  task: AmountTask,
  pair: readonly Layout[],
  singles: readonly Layout[],
  questions: Questions,
): readonly Layout[] {
  const agreed = singles.filter((single) => pair.some((layout) => isEqual(layout, single)));
  if (agreed.length > 0) return agreed;
  const sized = pair.filter((layout) =>
    singles.some((single) =>
      single.amounts.every(
        (amount, at) => Math.abs(amount ?? 0) === Math.abs(layout.amounts[at] ?? 0),
      ),
    ),
  );
  if (sized.length > 0 && singles.every((single) => !hasNegative(single))) return sized;
  const [first] = pair;
  if (first !== undefined) {
    questions.ask(
      "--map",
      "The amount and the columns of money out and money in do not agree.",
      [
        `--map debit= --map credit=`,
        `--map amount= ${mapOf(first)}`,
        `--map amount=${column(task.columns.amount[0] ?? 0)} --map debit= --map credit=`,
      ].slice(0, 2),
    );
  }
  return [];
}

const isOfSame = (first: Layout) => (layout: Layout) =>
  layout.kind === first.kind && layout.marks[0] === first.marks[0] && layout.fee === first.fee;

/** Asks about money-in amounts that are negative. */
function askDebts(other: Layout, way: Layout, facts: Circumstances, questions: Questions): void {
  const at = way.amounts.findIndex((amount, index) => amount !== other.amounts[index]);
  questions.ask(
    "--reversed",
    `Money in is below zero (row ${facts.row(at)}: ${facts.text(at, way.places[1] as number)}): it is what was paid, or amounts are as written.`,
    ["--reversed", "--no-reversed"],
    { row: facts.row(at), example: facts.text(at, way.places[1] as number) },
  );
}

/**
 * Asks about amounts that may be positive for purchases: amounts that are never negative, and those
 * of a card.
 */
function askSign(task: AmountTask, way: Layout, facts: Circumstances, questions: Questions): void {
  if (task.isReversed !== undefined || facts.hasForm) return;
  const movedRows = [...way.amounts.keys()].filter((at) => way.amounts[at]);
  const worded = task.numbers.get(way.places[0] as number)?.isWorded ?? [];
  const openRows = movedRows.filter((at) => !worded[at]);
  if (openRows.length === 0) return;
  const isPartial = openRows.length < movedRows.length && !hasNegative(way);
  const words = hasNegative(way) ? undefined : facts.partingWords(movedRows);
  if (
    !facts.isCard &&
    !isPartial &&
    words === undefined &&
    (movedRows.length <= (facts.isHalf(way.places[0] as number) ? 0 : 2) || hasNegative(way))
  )
    return;
  const [at = 0] = openRows;
  const what = facts.isCard
    ? "Amounts of a card do not tell"
    : "No amount is negative, which does not tell";
  const wordsPart =
    words === undefined
      ? ""
      : ` ${words} may be directions, which "in" and "out" in their place would tell;`;
  questions.ask(
    "--reversed",
    `${what} money in from money out (row ${facts.row(at)}: ${facts.money(way.amounts[at] as number)}):${wordsPart} purchases are positive, or amounts are as written.`,
    ["--reversed", "--no-reversed"],
    { row: facts.row(at), example: facts.text(at, way.places[0] as number) },
  );
}

/** Asks which columns are the amounts, where no heading names them and several are possible. */
function askColumns(task: AmountTask, layouts: readonly Layout[], questions: Questions): void {
  const possibleChoices = new Set(
    layouts
      .filter(({ kind }) => kind === "signed" || kind === "reversed" || kind === "pair")
      .map(mapOf),
  );
  const { unknown } = task.columns;
  if (possibleChoices.size === 0 || unknown.length === 0) return;
  questions.ask("--map", `Several columns may be the amounts: ${unknown.map(column).join(", ")}.`, [
    ...possibleChoices,
  ]);
}
