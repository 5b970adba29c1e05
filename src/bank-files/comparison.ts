/**
 * Compares the lines of a file with those of the book: known, in doubt, or new.
 *
 * Lines are paired one to one, rule by rule, the most similar first, so that equal lines are
 * counted: of n in the file and m in the book, n - m are new. A near date or amount never makes a
 * line known; where two interpretations remain, the line is in doubt, and neither added nor
 * dropped.
 */
import type { DateText } from "../ledger/dates/calendar.ts";
import type { Cents } from "../ledger/money.ts";
import { batchKey } from "./line-keys.ts";

/** Facts of a line that the comparison uses. */
export interface ComparedLine {
  readonly key: string;
  readonly date: DateText;
  readonly amount: Cents;
  /** Id of the line that the bank assigned. */
  readonly id?: string | undefined;
  /** Counterparty name, text and references of the line. */
  readonly words: string;
  /** Cells of the CSV row, as in the file. */
  readonly cells?: readonly string[] | undefined;
  /** Account balance after the line. */
  readonly balance?: Cents | undefined;
}

/**
 * Facts of a statement that the comparison uses: days and balances as in the file, number, and
 * interpretation.
 */
export interface ComparedStatement {
  readonly format?: string | undefined;
  readonly number?: string | undefined;
  readonly from?: DateText | undefined;
  readonly to?: DateText | undefined;
  readonly opening?: Cents | undefined;
  readonly closing?: Cents | undefined;
  /** Key of the headings, equal for files with the same headings. */
  readonly headingKey?: string | undefined;
}

/** A line of the book with its statement. */
export interface BookLine extends ComparedLine {
  readonly statement: ComparedStatement;
}

export interface Pair<F, B> {
  readonly line: F;
  readonly book: B;
}

export interface Comparison<F, B> {
  readonly added: readonly F[];
  readonly known: readonly Pair<F, B>[];
  /**
   * Pairs with the same day and amount, but without evidence whether both are the same line. A line
   * of the book may be in several pairs, and be at most one of their lines.
   */
  readonly doubts: readonly Pair<F, B>[];
  /** Notes for the user. */
  readonly sentences: readonly string[];
}

/**
 * Date with day and month swapped, as another date order would read it; undefined where there is
 * none.
 */
export function swappedDay(date: DateText): DateText | undefined {
  const [year, month = "", day = ""] = date.split("-");
  return Number(day) <= 12 && day !== month ? `${year}-${day}-${month}` : undefined;
}

/** Days whose lines in the book must be compared with lines of a file. */
export const daysToCompare = (lines: readonly ComparedLine[]): DateText[] => [
  ...new Set(lines.flatMap(({ date }) => [date, swappedDay(date) ?? date])),
];

/**
 * Compares lines.
 *
 * @param book lines of the account in the book, on the days of `daysToCompare`, ignored lines
 * included
 * @param file  lines of the account in the file, under distinct keys
 */
export function compareLines<F extends ComparedLine, B extends BookLine>(
  book: readonly B[],
  file: readonly F[],
  statement: ComparedStatement,
): Comparison<F, B> {
  const pairing = new LinePairing(book, file, statement);
  pairing.pairSame();
  pairing.pairOtherReadings();
  pairing.pairAlike();
  return pairing.result();
}

/** Maximum number of pairs per day and amount; with more, the lines are in doubt. */
const pairsMax = 250_000;

class LinePairing<F extends ComparedLine, B extends BookLine> {
  readonly #book: readonly B[];
  readonly #file: readonly F[];
  readonly #statement: ComparedStatement;
  readonly #open: { readonly file: Set<F>; readonly book: Set<B> };
  readonly #known: Pair<F, B>[] = [];
  readonly #doubts: Pair<F, B>[] = [];
  /** Lines of file and book grouped by day and amount. */
  readonly #groups: readonly { readonly file: readonly F[]; readonly book: readonly B[] }[];
  /** Statements of the book that, by their balances, contain no line of the file. */
  readonly #apart: ReadonlySet<ComparedStatement>;
  #otherReadings = 0;

  constructor(book: readonly B[], file: readonly F[], statement: ComparedStatement) {
    this.#book = book;
    this.#file = file;
    this.#statement = statement;
    this.#open = { file: new Set(file), book: new Set(book) };
    const bookByPlace = Map.groupBy(book, placeOf);
    this.#groups = [...Map.groupBy(file, placeOf)].map(([place, own]) => ({
      file: own,
      book: bookByPlace.get(place) ?? [],
    }));
    this.#apart = this.#provenApart();
  }

  /** Pairs lines with the same key, row, cells, or balance after the line. */
  pairSame(): void {
    const sameDays = new Set(this.#sameDays());
    this.#pair((line, book) => {
      const isId = hasOwnId(line);
      if (line.key === book.key && (isId || !contradicts(line, book) || sameDays.has(line.date)))
        return isId || !this.#apart.has(book.statement);
      return isSameRow(line, book);
    });
    this.#batches();
    this.#pair((line, book) => !this.#apart.has(book.statement) && hasAllCells(line, book));
    this.#pair((line, book) => line.balance !== undefined && line.balance === book.balance);
  }

  /** Pairs a batch with itself by key, where one side has it split into its payments. */
  #batches(): void {
    const lineByBatchKey = new Map(this.#book.map((each) => [batchKey(each.key), each]));
    const whole = new Set(this.#book.map(({ key }) => key));
    for (const line of [...this.#open.file]) {
      const book = lineByBatchKey.get(batchKey(line.key));
      const isSplit = line.key.includes("/") ? whole.has(batchKey(line.key)) : !whole.has(line.key);
      if (book !== undefined && isSplit) this.#take(this.#known, line, book);
    }
  }

  /**
   * Pairs lines from the same row that were read with another amount, or with day and month
   * swapped.
   */
  pairOtherReadings(): void {
    const books = Map.groupBy(
      this.#book.filter((bookLine) => this.#open.book.has(bookLine)),
      ({ cells }) => rowOf(cells),
    );
    for (const line of [...this.#open.file]) {
      const row = rowOf(line.cells);
      const book =
        row === undefined ? undefined : books.get(row)?.find((book) => this.#isOther(line, book));
      if (book === undefined) continue;
      this.#otherReadings += 1;
      this.#take(this.#known, line, book);
    }
  }

  #isOther({ date, cells = [] }: F, book: B): boolean {
    if (!this.#open.book.has(book)) return false;
    if (date === book.date) return true;
    const [, month, day] = date.split("-").map(Number);
    const written = new RegExp(`(?<!\\d)0?(?:${day}\\D+0?${month}|${month}\\D+0?${day})(?!\\d)`);
    return swappedDay(date) === book.date && cells.some((cell) => written.test(cell));
  }

  /** Pairs lines of different formats, columns or ids by the words of their text. */
  pairAlike(): void {
    const isCommon = isCommonWordOf(this.#file, this.#book);
    const wordsOf = memoiseByKey((line: ComparedLine) => significantWordsOf(line, isCommon));
    const renumbered = this.#agreeing(({ amount, words }) => `${amount} ${plain(words)}`);
    const sameAmountDays = this.#agreeing(({ amount }) => String(amount));
    const mayBe = (book: B) => !this.#apart.has(book.statement) && !this.#isLater(book.statement);
    const likeness = (line: F, book: B) => {
      if (!mayBe(book)) return 0;
      if (this.#isSameForm(line, book)) {
        const isRenumbered =
          hasOwnId(line) && renumbered.has(line.date) && plain(line.words) === plain(book.words);
        return isRenumbered ? 1 : 0;
      }
      const [own, other] = [plain(line.words), plain(book.words)];
      if (own === "" || other === "" || own === other) return 2;
      // Half of the words may be the goods alone, bought from another payee.
      const sharedShare = shareOfWords(wordsOf(line), wordsOf(book));
      return (sharedShare > 0.5 && sharedShare) || (sameAmountDays.has(line.date) ? 0.1 : 0);
    };
    this.#pair(likeness);
    this.#pair(
      (line, book) =>
        mayBe(book) &&
        (plain(line.words) === plain(book.words) ? 2 : shareOfWords(wordsOf(line), wordsOf(book))),
      this.#doubts,
    );
    this.#pairSums(mayBe);
    const doubtsBefore = this.#doubts.length;
    this.#pair((_, book) => mayBe(book), this.#doubts);
    this.#rivals(this.#doubts.slice(doubtsBefore));
  }

  /**
   * Pairs the payments of a batch with one line of their sum on the other side: known where both
   * statements have the same balances, else in doubt.
   */
  #pairSums(mayBe: (book: B) => boolean): void {
    const { file, book } = this.#open;
    const pair = (lines: readonly F[], books: readonly B[]) => {
      const { opening, closing } = this.#statement;
      const own = books[0]?.statement;
      const areEqual = opening !== undefined && own?.opening === opening && own.closing === closing;
      const pairs = lines.flatMap((line) => books.map((book) => ({ line, book })));
      if (areEqual && closing !== undefined) this.#known.push(...pairs);
      else this.#doubts.push(...pairs.slice(0, lines.length));
      for (const line of lines) file.delete(line);
      for (const bookLine of books) book.delete(bookLine);
    };
    for (const parts of batchesOf(file)) {
      const wholeLine = [...book].find((each) => placeOf(each) === sumPlace(parts) && mayBe(each));
      if (wholeLine !== undefined) pair(parts, [wholeLine]);
    }
    for (const parts of batchesOf([...book].filter(mayBe))) {
      const wholeLine = [...file].find((fileLine) => placeOf(fileLine) === sumPlace(parts));
      if (wholeLine !== undefined) pair([wholeLine], parts);
    }
  }

  /**
   * Puts further lines of the file in doubt that may be the same line of the book as a line in
   * doubt.
   */
  #rivals(doubts: readonly Pair<F, B>[]): void {
    const lineByPlace = new Map(doubts.map(({ line, book }) => [placeOf(line), book]));
    for (const line of [...this.#open.file]) {
      const book = lineByPlace.get(placeOf(line));
      if (book === undefined) continue;
      this.#open.file.delete(line);
      this.#doubts.push({ line, book });
    }
  }

  result(): Comparison<F, B> {
    const bookIds = new Set(this.#book.flatMap(({ id }) => id ?? []));
    const addedLines = this.#file.filter((line) => this.#open.file.has(line));
    const count = this.#otherReadings;
    return {
      added: addedLines,
      known: this.#known,
      doubts: this.#doubts,
      sentences: [
        ...(count === 0
          ? []
          : [
              `${count === 1 ? "1 line is" : `${count} lines are`} in the book with another day or amount, read from the same row: nothing is added for that. Remove the statement that was read wrongly first (acct bank statement remove).`,
            ]),
        ...addedLines
          .filter(({ id }) => id !== undefined && bookIds.has(id))
          .map(
            ({ id, date }) => `The bank's id ${id} of ${date} stands for another line in the book.`,
          ),
      ],
    };
  }

  /**
   * Pairs lines of one day and amount, the most similar first.
   *
   * @param likeness  similarity; 0 or false for no pair
   */
  #pair(likeness: (line: F, book: B) => number | boolean, pairs: Pair<F, B>[] = this.#known): void {
    for (const group of this.#groups) {
      const file = group.file.filter((fileLine) => this.#open.file.has(fileLine));
      const book = group.book.filter((bookLine) => this.#open.book.has(bookLine));
      if (file.length * book.length > pairsMax && pairs !== this.#doubts) continue;
      const ranked = file.flatMap((line) => {
        const ofLine = book.map((bookLine) => ({
          line,
          book: bookLine,
          rank: Number(likeness(line, bookLine)),
        }));
        return ofLine.filter(({ rank }) => rank > 0).slice(0, pairsMax / Math.max(1, file.length));
      });
      const weight = (pair: Pair<F, B> & { rank: number }) =>
        pair.rank * 4 +
        (contradicts(pair.line, pair.book) ? 0 : 2) +
        (isSameRow(pair.line, pair.book) ? 1 : 0);
      for (const pair of ranked.toSorted((a, b) => weight(b) - weight(a))) {
        this.#take(pairs, pair.line, pair.book);
      }
    }
  }

  #take(pairs: Pair<F, B>[], line: F, book: B): void {
    const isBatchPart = line.key !== book.key && batchKey(line.key) === batchKey(book.key);
    if (!this.#open.file.has(line) || !(isBatchPart || this.#open.book.has(book))) return;
    this.#open.file.delete(line);
    this.#open.book.delete(book);
    pairs.push({ line, book });
  }

  /** Days with the same keys in file and book, two or more; their rows may be in another order. */
  #sameDays(): DateText[] {
    const keys = (lines: readonly ComparedLine[] = []) =>
      lines
        .map(({ key }) => key)
        .sort()
        .join();
    const bookByDate = Map.groupBy(this.#book, ({ date }) => date);
    return [...Map.groupBy(this.#file, ({ date }) => date)].flatMap(([date, own]) =>
      own.length > 1 && keys(own) === keys(bookByDate.get(date)) ? [date] : [],
    );
  }

  /**
   * Statements of the book adjacent to the file by their balances and days: they have one day in
   * common at most. If they shared lines, some of that day would have to sum to zero: of the shared
   * ones, or of all where one statement lies within that day. Where some may, nothing is proven.
   */
  #provenApart(): ReadonlySet<ComparedStatement> {
    const sharedByStatement = Map.groupBy(
      this.#groups.filter(({ file }) => file.length > 0).flatMap(({ book }) => book),
      ({ statement }) => statement,
    );
    const ownStatement = this.#statement;
    const apartLines = [...sharedByStatement].filter(([other, lines]) => {
      const day = follows(ownStatement, other) ? ownStatement.from : other.from;
      const onDay = (all: readonly ComparedLine[]) => all.filter(({ date }) => date === day);
      const sums = [
        lines,
        ...(ownStatement.from === ownStatement.to ? [onDay(this.#book)] : []),
        ...(other.from === other.to ? [onDay(this.#file)] : []),
      ];
      return (
        (follows(ownStatement, other) || follows(other, ownStatement)) &&
        !sums.some((linesOfDay) => maySumToZero(linesOfDay.map(({ amount }) => amount)))
      );
    });
    return new Set(apartLines.map(([statement]) => statement));
  }

  #isLater({ format, number }: ComparedStatement): boolean {
    const ownStatement = this.#statement;
    const [before, now] = [Number(number || Number.NaN), Number(ownStatement.number || Number.NaN)];
    return ownStatement.format === format && Number.isSafeInteger(before) && now > before;
  }

  /**
   * Whether only the text tells lines apart: both have the same format and columns, and both or
   * neither have ids.
   */
  #isSameForm(line: F, book: B): boolean {
    const { statement } = book;
    return (
      hasOwnId(line) === hasOwnId(book) &&
      this.#statement.format === statement.format &&
      (statement.format !== "csv" || this.#statement.headingKey === statement.headingKey)
    );
  }

  /**
   * Days on which file and book have lines with the same text, if there are at least two such days
   * and three lines.
   */
  #agreeing(textOf: (line: ComparedLine) => string): ReadonlySet<DateText> {
    const bookByDate = Map.groupBy(this.#open.book, ({ date }) => date);
    const lineTexts = (lines: readonly ComparedLine[] = []) => lines.map(textOf).sort().join("\n");
    const file = this.#file.filter((fileLine) => this.#open.file.has(fileLine));
    const sameDays = [...Map.groupBy(file, ({ date }) => date)].filter(
      ([date, own]) => lineTexts(own) === lineTexts(bookByDate.get(date)),
    );
    const count = sameDays.reduce((sum, [, own]) => sum + own.length, 0);
    return new Set(sameDays.length > 1 && count > 2 ? sameDays.map(([date]) => date) : []);
  }
}

/** Whether the key of a line comes from an id of the bank rather than from its contents. */
const hasOwnId = ({ key }: ComparedLine) => /^\d+i:/.test(key);

const placeOf = ({ date, amount }: ComparedLine) => `${date} ${amount}`;
/** Day and sum of the payments of a batch, as of one line. */
const sumPlace = (parts: readonly ComparedLine[]) =>
  `${parts[0]?.date} ${parts.reduce((sum, { amount }) => sum + amount, 0)}`;

/** Lines that are payments of a batch, by batch. */
function batchesOf<L extends ComparedLine>(lines: Iterable<L>): L[][] {
  const parts = [...lines].filter(({ key }) => key.includes("/"));
  const batches = [...Map.groupBy(parts, ({ key }) => batchKey(key)).values()];
  return batches.filter(({ length }) => length > 1);
}

/** Whether a statement begins where another ends, by balance and by day. */
const follows = (later: ComparedStatement, earlier: ComparedStatement) =>
  later.opening !== undefined &&
  later.opening === earlier.closing &&
  (earlier.to ?? "9999-12-31") <= (later.from ?? "");

const plain = (text: string) => text.toUpperCase().replace(/\s+/g, "");

const contradicts = (line: ComparedLine, book: ComparedLine) =>
  line.balance !== undefined && book.balance !== undefined && line.balance !== book.balance;

function rowOf(cells: readonly string[] | undefined): string | undefined {
  return cells === undefined ? undefined : JSON.stringify(cells.map(plain));
}

function isSameRow({ cells }: ComparedLine, book: ComparedLine): boolean {
  if (cells === undefined || cells.length !== book.cells?.length) return false;
  return cells.every((cell, at) => plain(cell) === plain(book.cells?.[at] ?? ""));
}

/** Whether all filled cells of one row are among those of the other. */
function hasAllCells({ cells }: ComparedLine, book: ComparedLine): boolean {
  if (cells === undefined || book.cells === undefined) return false;
  const [few = [], many = []] = [cells, book.cells]
    .map((row) => row.map(plain).filter((cell) => cell !== ""))
    .sort((a, b) => a.length - b.length);
  const cellsLeft = [...many];
  return few.every((cell) => {
    const at = cellsLeft.indexOf(cell);
    if (at >= 0) cellsLeft.splice(at, 1);
    return at >= 0;
  });
}

/** Maximum number of sums that are tracked; with more, the answer is assumed to be yes. */
const sumsMax = 4096;

/** Whether some of the amounts may sum to zero. */
function maySumToZero(amounts: readonly Cents[]): boolean {
  const possibleSums = new Set<number>();
  for (const amount of amounts) {
    for (const sum of [...possibleSums]) possibleSums.add(sum + amount);
    possibleSums.add(amount);
    if (possibleSums.has(0) || possibleSums.size > sumsMax) return true;
  }
  return false;
}

/** Common words of banking that do not distinguish lines. */
const commonBankWords = new Set(
  "CARD VISA DEBIT CREDIT PAYMENT TRANSFER PURCHASE EFTPOS POS DIRECT DEPOSIT WITHDRAWAL FROM THE AND FOR REF KARTE KARTENZAHLUNG LASTSCHRIFT UEBERWEISUNG GUTSCHRIFT BETALING CARTE VIREMENT PRELEVEMENT".split(
    " ",
  ),
);

const wordsIn = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .match(/\p{L}{3,}|\d{3,}/gu) ?? [];

function significantWordsOf(
  { words }: ComparedLine,
  isCommon: (word: string) => boolean,
): ReadonlySet<string> {
  return new Set(wordsIn(words).filter((word) => !commonBankWords.has(word) && !isCommon(word)));
}

/** Words in at least half of the lines of file or book, and in at least three. */
function isCommonWordOf(...sides: readonly (readonly ComparedLine[])[]): (word: string) => boolean {
  const counts = sides.map((lines) => {
    const counts = new Map<string, number>();
    for (const { words } of lines) {
      for (const word of new Set(wordsIn(words))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return { found: counts, least: Math.max(3, lines.length / 2) };
  });
  return (word) => counts.some(({ found, least }) => (found.get(word) ?? 0) >= least);
}

/** Share of the words of the shorter text that the other has; 0 below one half. */
function shareOfWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const sharedShare = [...a].filter((word) => b.has(word)).length / Math.min(a.size, b.size);
  return sharedShare >= 0.5 ? sharedShare : 0;
}

function memoiseByKey<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const valuesByKey = new WeakMap<K, V>();
  return (key) => {
    const result = valuesByKey.get(key) ?? compute(key);
    valuesByKey.set(key, result);
    return result;
  };
}
