/**
 * The lines of a file compared with those of the book: known, in doubt, or new.
 *
 * Pairs are made one to one, rule by rule, the likest first, so that equal lines are counted: of n in
 * the file and m in the book n - m are new. Nothing is known by nearness of day or amount, and what two
 * readings are left of is neither added nor dropped: it is in doubt.
 */
import type { DateText } from "../ledger/dates/calendar.ts";
import type { Cents } from "../ledger/money.ts";
import { batchKey } from "./line-keys.ts";

/** What is compared of a line. */
export interface ComparedLine {
  readonly key: string;
  readonly date: DateText;
  readonly amount: Cents;
  /** The bank's own id. */
  readonly id?: string | undefined;
  /** Name of the other party, text, references. */
  readonly words: string;
  /** The cells of its row as they stand in the file. */
  readonly cells?: readonly string[] | undefined;
  /** Of the account after the line. */
  readonly balance?: Cents | undefined;
}

/** What is compared of a statement: its balances as its file tells them, its number, how it was read. */
export interface ComparedStatement {
  readonly format?: string | undefined;
  readonly number?: string | undefined;
  readonly opening?: Cents | undefined;
  readonly closing?: Cents | undefined;
  /** The same for files with the same headings. */
  readonly headingKey?: string | undefined;
}

/** A line of the book, with the statement that it came with. */
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
   * The same day and amount, and nothing that says whether the line is the one of the book, which may
   * be in several pairs: it is one of their lines at most.
   */
  readonly doubts: readonly Pair<F, B>[];
  /** For a person. */
  readonly sentences: readonly string[];
}

/** A day with day and month exchanged, as the other order reads it; undefined where it has no such. */
export function swappedDay(date: DateText): DateText | undefined {
  const [year, month = "", day = ""] = date.split("-");
  return Number(day) <= 12 && day !== month ? `${year}-${day}-${month}` : undefined;
}

/** Days of the book whose lines may be those of a file. */
export const daysToCompare = (lines: readonly ComparedLine[]): DateText[] => [
  ...new Set(lines.flatMap(({ date }) => [date, swappedDay(date) ?? date])),
];

/**
 * @param book  lines of the account of the days of `daysToCompare`, those that are ignored among them
 * @param file  lines of the account, under distinct keys
 */
export function compareLines<F extends ComparedLine, B extends BookLine>(
  book: readonly B[],
  file: readonly F[],
  statement: ComparedStatement,
): Comparison<F, B> {
  const pairing = new LinePairing(book, file, statement);
  pairing.bySame();
  pairing.byOtherReading();
  pairing.byLikeness();
  return pairing.result();
}

/** Most pairs of one day and amount that are looked at; beyond, lines are in doubt. */
const pairsMax = 250_000;

class LinePairing<F extends ComparedLine, B extends BookLine> {
  readonly #book: readonly B[];
  readonly #file: readonly F[];
  readonly #statement: ComparedStatement;
  readonly #open: { readonly file: Set<F>; readonly book: Set<B> };
  readonly #known: Pair<F, B>[] = [];
  readonly #doubts: Pair<F, B>[] = [];
  /** Lines of the book of each day and amount, and of the file. */
  readonly #groups: readonly { readonly file: readonly F[]; readonly book: readonly B[] }[];
  /** Statements of the book that a balance proves to have no line of the file. */
  readonly #apart: ReadonlySet<ComparedStatement>;
  #otherReadings = 0;

  constructor(book: readonly B[], file: readonly F[], statement: ComparedStatement) {
    this.#book = book;
    this.#file = file;
    this.#statement = statement;
    this.#open = { file: new Set(file), book: new Set(book) };
    const ofBook = Map.groupBy(book, placeOf);
    this.#groups = [...Map.groupBy(file, placeOf)].map(([place, own]) => ({
      file: own,
      book: ofBook.get(place) ?? [],
    }));
    this.#apart = this.#provenApart();
  }

  /** By key or row, by cells, by the balance behind the line. */
  bySame(): void {
    const days = new Set(this.#sameDays());
    this.#pair((line, book) => {
      const isId = hasOwnId(line);
      if (line.key === book.key && (isId || !contradicts(line, book) || days.has(line.date)))
        return isId || !this.#apart.has(book.statement);
      return isSameRow(line, book);
    });
    this.#batches();
    this.#pair((line, book) => !this.#apart.has(book.statement) && hasAllCells(line, book));
    this.#pair((line, book) => line.balance !== undefined && line.balance === book.balance);
  }

  /** A batch is known by its own key, split into its payments or not. */
  #batches(): void {
    const books = new Map(this.#book.map((each) => [batchKey(each.key), each]));
    const whole = new Set(this.#book.map(({ key }) => key));
    for (const line of [...this.#open.file]) {
      const book = books.get(batchKey(line.key));
      const isSplit = line.key.includes("/") ? whole.has(batchKey(line.key)) : !whole.has(line.key);
      if (book !== undefined && isSplit) this.#take(this.#known, line, book);
    }
  }

  /** The same row, read with another amount, or with day and month exchanged. */
  byOtherReading(): void {
    const books = Map.groupBy(
      this.#book.filter((each) => this.#open.book.has(each)),
      ({ cells }) => rowOf(cells),
    );
    for (const line of [...this.#open.file]) {
      const row = rowOf(line.cells);
      const book =
        row === undefined ? undefined : books.get(row)?.find((each) => this.#isOther(line, each));
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

  /** In another format, under other columns or ids: by the words of the lines. */
  byLikeness(): void {
    const isCommon = commonWords(this.#file, this.#book);
    const wordsOf = memo((line: ComparedLine) => significantWords(line, isCommon));
    const renumbered = this.#agreeing(({ amount, words }) => `${amount} ${plain(words)}`);
    const sameAmounts = this.#agreeing(({ amount }) => String(amount));
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
      return sharedPart(wordsOf(line), wordsOf(book)) || (sameAmounts.has(line.date) ? 0.1 : 0);
    };
    this.#pair(likeness);
    this.#pair(
      (line, book) =>
        mayBe(book) &&
        (plain(line.words) === plain(book.words) ? 2 : sharedPart(wordsOf(line), wordsOf(book))),
      this.#doubts,
    );
    const before = this.#doubts.length;
    this.#pair((_, book) => mayBe(book), this.#doubts);
    this.#rivals(this.#doubts.slice(before));
  }

  /** Lines of a file that may as well be the line of the book that another one is in doubt about. */
  #rivals(doubts: readonly Pair<F, B>[]): void {
    const books = new Map(doubts.map(({ line, book }) => [placeOf(line), book]));
    for (const line of [...this.#open.file]) {
      const book = books.get(placeOf(line));
      if (book === undefined) continue;
      this.#open.file.delete(line);
      this.#doubts.push({ line, book });
    }
  }

  result(): Comparison<F, B> {
    const ids = new Set(this.#book.flatMap(({ id }) => id ?? []));
    const added = this.#file.filter((line) => this.#open.file.has(line));
    const count = this.#otherReadings;
    return {
      added,
      known: this.#known,
      doubts: this.#doubts,
      sentences: [
        ...(count === 0
          ? []
          : [
              `${count === 1 ? "1 line is" : `${count} lines are`} in the book with another day or amount, read from the same row: nothing is added for that. Remove the statement that was read wrongly first (acct bank statement remove).`,
            ]),
        ...added
          .filter(({ id }) => id !== undefined && ids.has(id))
          .map(
            ({ id, date }) => `The bank's id ${id} of ${date} stands for another line in the book.`,
          ),
      ],
    };
  }

  /** Pairs lines of one day and amount, the likest first. @param likeness  none where it is 0 or false */
  #pair(likeness: (line: F, book: B) => number | boolean, taken: Pair<F, B>[] = this.#known): void {
    for (const group of this.#groups) {
      const file = group.file.filter((each) => this.#open.file.has(each));
      const book = group.book.filter((each) => this.#open.book.has(each));
      if (file.length * book.length > pairsMax && taken !== this.#doubts) continue;
      const found = file.flatMap((line) => {
        const ofLine = book.map((each) => ({
          line,
          book: each,
          rank: Number(likeness(line, each)),
        }));
        return ofLine.filter(({ rank }) => rank > 0).slice(0, pairsMax / Math.max(1, file.length));
      });
      const order = (each: Pair<F, B> & { rank: number }) =>
        each.rank * 4 +
        (contradicts(each.line, each.book) ? 0 : 2) +
        (isSameRow(each.line, each.book) ? 1 : 0);
      for (const each of found.toSorted((a, b) => order(b) - order(a))) {
        this.#take(taken, each.line, each.book);
      }
    }
  }

  #take(taken: Pair<F, B>[], line: F, book: B): void {
    const isPart = line.key !== book.key && batchKey(line.key) === batchKey(book.key);
    if (!this.#open.file.has(line) || !(isPart || this.#open.book.has(book))) return;
    this.#open.file.delete(line);
    this.#open.book.delete(book);
    taken.push({ line, book });
  }

  /** Days on which file and book have the same keys, two or more: rows may stand in another order. */
  #sameDays(): DateText[] {
    const keys = (lines: readonly ComparedLine[] = []) =>
      lines
        .map(({ key }) => key)
        .sort()
        .join();
    const book = Map.groupBy(this.#book, ({ date }) => date);
    return [...Map.groupBy(this.#file, ({ date }) => date)].flatMap(([date, own]) =>
      own.length > 1 && keys(own) === keys(book.get(date)) ? [date] : [],
    );
  }

  /**
   * Statements that the file follows or goes before by its balances. Were lines in both, they would
   * come to nothing: it is no proof where some that may be in both do.
   */
  #provenApart(): ReadonlySet<ComparedStatement> {
    const { opening, closing } = this.#statement;
    const shared = Map.groupBy(
      this.#groups.filter(({ file }) => file.length > 0).flatMap(({ book }) => book),
      ({ statement }) => statement,
    );
    const apart = [...shared].flatMap(([statement, lines]) => {
      const meets =
        (opening !== undefined && opening === statement.closing) ||
        (closing !== undefined && closing === statement.opening);
      return meets && !mayBeNothing(lines.map(({ amount }) => amount)) ? [statement] : [];
    });
    return new Set(apart);
  }

  #isLater({ format, number }: ComparedStatement): boolean {
    const own = this.#statement;
    const [before, now] = [Number(number || Number.NaN), Number(own.number || Number.NaN)];
    return own.format === format && Number.isSafeInteger(before) && now > before;
  }

  /** Whether nothing tells the lines apart but what they say: the same format and columns, ids or none. */
  #isSameForm(line: F, book: B): boolean {
    const { statement } = book;
    return (
      hasOwnId(line) === hasOwnId(book) &&
      this.#statement.format === statement.format &&
      (statement.format !== "csv" || this.#statement.headingKey === statement.headingKey)
    );
  }

  /** Days on which file and book have lines that say the same, where more than one day and two lines do. */
  #agreeing(sayingOf: (line: ComparedLine) => string): ReadonlySet<DateText> {
    const book = Map.groupBy(this.#open.book, ({ date }) => date);
    const sayings = (lines: readonly ComparedLine[] = []) => lines.map(sayingOf).sort().join("\n");
    const file = this.#file.filter((each) => this.#open.file.has(each));
    const same = [...Map.groupBy(file, ({ date }) => date)].filter(
      ([date, own]) => sayings(own) === sayings(book.get(date)),
    );
    const count = same.reduce((sum, [, own]) => sum + own.length, 0);
    return new Set(same.length > 1 && count > 2 ? same.map(([date]) => date) : []);
  }
}

/** Whether a line is known by the bank's own id, and not by what it says. */
const hasOwnId = ({ key }: ComparedLine) => /^\d+i:/.test(key);

const placeOf = ({ date, amount }: ComparedLine) => `${date} ${amount}`;
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

/** Whether all filled cells of the one are among those of the other. */
function hasAllCells({ cells }: ComparedLine, book: ComparedLine): boolean {
  if (cells === undefined || book.cells === undefined) return false;
  const [few = [], many = []] = [cells, book.cells]
    .map((each) => each.map(plain).filter((cell) => cell !== ""))
    .sort((a, b) => a.length - b.length);
  const left = [...many];
  return few.every((cell) => {
    const at = left.indexOf(cell);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Most sums that are followed; more lines than that are taken to come to nothing. */
const sumsMax = 4096;

/** Whether some of the amounts come to nothing. */
function mayBeNothing(amounts: readonly Cents[]): boolean {
  const sums = new Set<number>();
  for (const amount of amounts) {
    for (const sum of [...sums]) sums.add(sum + amount);
    sums.add(amount);
    if (sums.has(0) || sums.size > sumsMax) return true;
  }
  return false;
}

/** Words of banks, which say nothing of a line. */
const bankWords = new Set(
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

function significantWords(
  { words }: ComparedLine,
  isCommon: (word: string) => boolean,
): ReadonlySet<string> {
  return new Set(wordsIn(words).filter((word) => !bankWords.has(word) && !isCommon(word)));
}

/** Words that half the lines of file or book have, three at least. */
function commonWords(...sides: readonly (readonly ComparedLine[])[]): (word: string) => boolean {
  const counts = sides.map((lines) => {
    const found = new Map<string, number>();
    for (const { words } of lines) {
      for (const word of new Set(wordsIn(words))) found.set(word, (found.get(word) ?? 0) + 1);
    }
    return { found, least: Math.max(3, lines.length / 2) };
  });
  return (word) => counts.some(({ found, least }) => (found.get(word) ?? 0) >= least);
}

/** Which part of the words of the shorter text the other has, from a half on. */
function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length / Math.min(a.size, b.size);
  return shared >= 0.5 ? shared : 0;
}

function memo<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}
