/**
 * What a file of a bank tells, in one form for all formats.
 *
 * A reader gives parts one after the other, so that a file of any length is read in constant memory:
 * the head of a statement, its lines, and the whole statement once its end was seen. Nothing of a
 * file may be kept before the last part came: a truncated file is told by its end.
 */
import type { DateText } from "../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../ledger/money.ts";
import { type Detail, RefusedError } from "../resources/errors.ts";

export const formatNames = ["ofx", "camt", "mt940", "qif", "csv"] as const;
export type FormatName = (typeof formatNames)[number];

export type BankFileFault =
  | "Truncated"
  | "BadEncoding"
  | "Entities"
  | "TooMuch"
  | "NotStatement"
  | "BadAmount"
  | "BadDate"
  | "Ambiguous"
  | "Balance"
  | "Spreadsheet"
  | "BadFile";

/** What a file leaves open, and the words of a command line that settle it. */
export interface Question extends Detail {
  /** One sentence for a person. */
  readonly question: string;
  /** `--date-order`, `--map`, … */
  readonly flag: string;
  /** The words of each answer, `--date-order dmy`; empty where any column may be the answer. */
  readonly choices: readonly string[];
}

/** A file that is refused: one sentence, and the place in the file where one can be named. */
export class BankFileError extends RefusedError {
  declare readonly code: BankFileFault;
  readonly place: string | undefined;

  constructor(code: BankFileFault, sentence: string, place?: string, details: Detail[] = []) {
    super(code, place === undefined ? sentence : `${sentence} (${place})`, details);
    this.place = place;
  }
}

/** An account as the bank names it; numbers may be masked. */
export interface AccountId {
  readonly iban?: string | undefined;
  /** Number of the bank, BIC or sort code. */
  readonly bank?: string | undefined;
  readonly branch?: string | undefined;
  readonly number?: string | undefined;
  /** Of the holder or of the account. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

export interface Balance {
  readonly date?: DateText | undefined;
  readonly amount: Cents;
  /** Of a page, not of the whole statement. */
  readonly isIntermediate: boolean;
}

/** The other party of a line. */
export interface Party {
  readonly name?: string | undefined;
  readonly iban?: string | undefined;
  readonly account?: string | undefined;
  readonly bic?: string | undefined;
  /** On whose behalf it acts. */
  readonly ultimate?: string | undefined;
}

/** Numbers that find a document again, by what they are. */
export interface References {
  readonly endToEnd?: string | undefined;
  readonly mandate?: string | undefined;
  readonly creditor?: string | undefined;
  /** Structured reference of the payee: RF, QRR, ISR, national ones. */
  readonly structured?: string | undefined;
  readonly document?: string | undefined;
  readonly cheque?: string | undefined;
  readonly transaction?: string | undefined;
  readonly instruction?: string | undefined;
  /** Reference of the account's holder in the bank's field for it. */
  readonly customer?: string | undefined;
}

export interface LinePart {
  /** `original`: the amount before conversion; `split`: a category of the payee's own books. */
  readonly kind: "detail" | "charge" | "original" | "split";
  readonly amount: Cents;
  readonly currency?: string | undefined;
  readonly text?: string | undefined;
  readonly party?: Party | undefined;
  readonly references?: References | undefined;
}

export interface StatementLine {
  /** Calendar day of booking, as written. */
  readonly date: DateText;
  readonly valueDate?: DateText | undefined;
  /** Above zero what came in. */
  readonly amount: Cents;
  readonly currency?: string | undefined;
  /** The bank's own id, where it gave one. */
  readonly id?: string | undefined;
  /** The id of the earlier line that this one corrects. */
  readonly replaces?: string | undefined;
  /** The bank's kind of transaction, as coded. */
  readonly type?: string | undefined;
  readonly isReturn: boolean;
  readonly party?: Party | undefined;
  readonly references: References;
  readonly text: string;
  readonly parts: readonly LinePart[];
  /** The entry of which this line is one payment. */
  readonly batch?:
    | {
        readonly id?: string | undefined;
        readonly amount: Cents;
        /** From 1. */
        readonly place: number;
        readonly count: number;
      }
    | undefined;
  /** The line as it stands in the file. */
  readonly source: string;
  /** Of CSV: the row in the file, from 1, the raw cells in its columns, the balance after the line. */
  readonly row?: number | undefined;
  readonly cells?: readonly string[] | undefined;
  readonly balance?: Cents | undefined;
}

/** A column of a CSV file, in the order of the file, and how it was read. */
export interface ColumnReading {
  /** As it stands; empty of a file without headings. */
  readonly heading: string;
  /** The first value that the column has. */
  readonly example: string;
  /** `date`, `amount`, …; `own` is the own side, `confirms` proves another column; undefined: not read. */
  readonly role: string | undefined;
  /** `balances`, `cells`, `form Kiwibank`, `heading`, `--map`, `as on 2 Apr 2026`, `not read`. */
  readonly because: string;
}

/** How a CSV file was read: to be shown, and to be kept with the account for the next file. */
export interface CsvReading {
  /** Under which the settled reading is kept: the same for each file with these headings. */
  readonly headingKey: string;
  readonly columns: readonly ColumnReading[];
  /** What has proven days and signs; undefined where headings alone say them. */
  readonly proof: "balances" | "form" | undefined;
  /** All that the reading came to, as flags would say it. */
  readonly settled: SettledReading;
  /** Rows that are no lines: pending, not booked, in other currencies. */
  readonly leftOut: readonly LeftOutRow[];
}

export interface LeftOutRow {
  readonly row: number;
  readonly reason: "pending" | "not booked" | "other currency";
  readonly date?: DateText | undefined;
  readonly amount?: Cents | undefined;
  readonly currency?: string | undefined;
  readonly name?: string | undefined;
}

/** How files with one row of headings are read, once a person or flags have said it. */
export interface SettledReading
  extends Pick<
    ReadOptions,
    "columns" | "dateOrder" | "decimal" | "delimiter" | "encoding" | "isReversed" | "fillDates"
  > {
  /** The day on which it was settled. */
  readonly on?: DateText | undefined;
}

/** What a reader is told of a bank account of the book. */
export interface AccountFacts {
  readonly currency?: string | undefined;
  /** Of the organisation, ISO 3166, and whether the account is in that country's own currency. */
  readonly country?: string | undefined;
  readonly isOwnCurrency?: boolean | undefined;
  readonly isCard?: boolean | undefined;
  /** Own number or IBAN, as kept. */
  readonly numbers?: readonly string[] | undefined;
  /** Of the organisation, its legal name, the account's name. */
  readonly names?: readonly string[] | undefined;
  /** Names, and numbers of accounts, of contacts. */
  readonly contacts?: ReadonlySet<string> | undefined;
  /** By `CsvReading.headingKey`. */
  readonly settled?: Readonly<Record<string, SettledReading>> | undefined;
}

/** What stands before the lines. */
export interface StatementHead {
  readonly format: FormatName;
  readonly account: AccountId;
  readonly currency?: string | undefined;
  /** The bank's id of the statement. */
  readonly id?: string | undefined;
  readonly number?: string | undefined;
  readonly page?: number | undefined;
  readonly isLastPage?: boolean | undefined;
  /** Sent before, by its own word. */
  readonly isRepeat: boolean;
  readonly from?: DateText | undefined;
  readonly to?: DateText | undefined;
  readonly opening?: Balance | undefined;
  /** Of CSV. */
  readonly reading?: CsvReading | undefined;
}

export interface StatementSummary extends StatementHead {
  readonly closing?: Balance | undefined;
  /** A balance of another day than the last of the lines: never checked against them. */
  readonly otherBalance?: Balance | undefined;
  readonly lineCount: number;
  readonly sum: Cents;
  /** Lines not yet booked, which are no lines here. */
  readonly pending: number;
  /** Ids of lines that the bank takes back. */
  readonly withdrawn: readonly string[];
  readonly warnings: readonly string[];
}

export interface BankStatement extends StatementSummary {
  readonly lines: readonly StatementLine[];
}

export type BankFilePart =
  | { readonly kind: "head"; readonly head: StatementHead }
  | { readonly kind: "line"; readonly line: StatementLine }
  | { readonly kind: "end"; readonly statement: StatementSummary };

/** What a person says about a file; the rest is found in it. */
export interface ReadOptions {
  /** As `TextDecoder` names it, or `cp852`. */
  readonly encoding?: string | undefined;
  readonly dateOrder?: DateOrder | undefined;
  readonly decimal?: "comma" | "point" | undefined;
  /**
   * Columns of a CSV file by role: headings or numbers from 1, several divided by `|`. An empty text
   * forgets the role; the roles that are not named are found.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** True: purchases of a card are positive in a CSV file; false: amounts are as written. */
  readonly isReversed?: boolean | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** The day of a row of a CSV file stands in a row above it, where it has none. */
  readonly fillDates?: boolean | undefined;
  /** Lines of a CSV file are taken although its balances do not follow from them. */
  readonly allowGap?: boolean | undefined;
  /** The account of the book that a statement is of, by what the file tells of its own account. */
  readonly accountOf?: ((told: AccountId) => AccountFacts | undefined) | undefined;
  /** Whether forms of known banks are used; they are, when not given. */
  readonly useForms?: boolean | undefined;
}

export const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
export type Delimiter = keyof typeof delimiters;

export const dateOrders = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** The text of a file from its beginning; called again for a reader that looks twice. */
export type TextSource = () => Iterable<string>;

/** A file that is opened as often as a reader needs it, each time from its beginning. */
export type BankFile = () => Iterable<Uint8Array>;

export interface BankFormat {
  /** What a person calls it. */
  readonly title: string;
  /** Told from the first characters of the text. */
  recognise(head: string): boolean;
  read(text: TextSource, options: ReadOptions): Generator<BankFilePart>;
}

/** Most sentences that a statement carries along. */
const warningsMax = 50;

/** Sums, counts and sentences of the statement that is being read. */
export class StatementTotals {
  #lineCount = 0;
  #sum: Cents = zeroCents;
  pending = 0;
  readonly withdrawn: string[] = [];
  readonly #warnings = new Set<string>();

  line(line: StatementLine): BankFilePart {
    this.#lineCount += 1;
    this.#sum = add(this.#sum, line.amount);
    return { kind: "line", line };
  }

  warn(sentence: string): void {
    if (this.#warnings.size < warningsMax) this.#warnings.add(sentence);
  }

  end(
    head: StatementHead,
    rest: Pick<StatementSummary, "closing" | "otherBalance"> = {},
  ): BankFilePart {
    return {
      kind: "end",
      statement: {
        ...head,
        ...rest,
        lineCount: this.#lineCount,
        sum: this.#sum,
        pending: this.pending,
        withdrawn: this.withdrawn,
        warnings: [...this.#warnings],
      },
    };
  }
}

/** Statements with all their lines in memory. */
export function collect(parts: Iterable<BankFilePart>): BankStatement[] {
  const statements: BankStatement[] = [];
  let lines: StatementLine[] = [];
  for (const part of parts) {
    if (part.kind === "head") lines = [];
    else if (part.kind === "line") lines.push(part.line);
    else statements.push({ ...part.statement, lines });
  }
  return statements;
}
