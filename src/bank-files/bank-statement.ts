/**
 * Data model of bank statement files, common to all formats.
 *
 * A reader yields parts one by one, so that a file of any length is read in constant memory: the
 * head of a statement, its lines, and the complete statement at its end. Nothing of a file may be
 * stored before its last part, as only the end shows whether the file is truncated.
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

/** An ambiguity of a file, with the command-line flags that resolve it. */
export interface Question extends Detail {
  /** The question in one sentence. */
  readonly question: string;
  /** Flag that answers the question: `--date-order`, `--map`, … */
  readonly flag: string;
  /**
   * Flag with each possible answer, `--date-order dmy`; empty where any column may be the answer.
   */
  readonly choices: readonly string[];
}

/** Error of a refused file: one sentence, and the place in the file where that is known. */
export class BankFileError extends RefusedError {
  declare readonly code: BankFileFault;
  readonly place: string | undefined;

  constructor(code: BankFileFault, sentence: string, location?: string, details: Detail[] = []) {
    super(code, location === undefined ? sentence : `${sentence} (${location})`, details);
    this.place = location;
  }
}

/** An account as the bank identifies it; numbers may be masked. */
export interface AccountId {
  readonly iban?: string | undefined;
  /** Bank code, BIC or sort code. */
  readonly bank?: string | undefined;
  readonly branch?: string | undefined;
  readonly number?: string | undefined;
  /** Name of the account holder or of the account. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

export interface Balance {
  readonly date?: DateText | undefined;
  readonly amount: Cents;
  /** Whether the balance belongs to a page rather than to the whole statement. */
  readonly isIntermediate: boolean;
}

/** Counterparty of a statement line. */
export interface Party {
  readonly name?: string | undefined;
  readonly iban?: string | undefined;
  readonly account?: string | undefined;
  readonly bic?: string | undefined;
  /** Ultimate party on whose behalf the counterparty acts. */
  readonly ultimate?: string | undefined;
}

/** References that identify documents and payments, by kind. */
export interface References {
  readonly endToEnd?: string | undefined;
  readonly mandate?: string | undefined;
  readonly creditor?: string | undefined;
  /** Structured creditor reference: RF, QRR, ISR or a national one. */
  readonly structured?: string | undefined;
  readonly document?: string | undefined;
  readonly cheque?: string | undefined;
  readonly transaction?: string | undefined;
  readonly instruction?: string | undefined;
  /** Reference of the account holder, in the bank's field for it. */
  readonly customer?: string | undefined;
}

export interface LinePart {
  /**
   * Kind of the part; `original` is the amount before conversion, `split` a category in the books
   * of the payee.
   */
  readonly kind: "detail" | "charge" | "original" | "split";
  readonly amount: Cents;
  readonly currency?: string | undefined;
  readonly text?: string | undefined;
  readonly party?: Party | undefined;
  readonly references?: References | undefined;
}

export interface StatementLine {
  /** Booking date, as written. */
  readonly date: DateText;
  readonly valueDate?: DateText | undefined;
  /** Amount in cents; positive for money in. */
  readonly amount: Cents;
  readonly currency?: string | undefined;
  /** Id of the line that the bank assigned, if any. */
  readonly id?: string | undefined;
  /** Id of the earlier line that this line corrects. */
  readonly replaces?: string | undefined;
  /** Transaction type, as coded by the bank. */
  readonly type?: string | undefined;
  readonly isReturn: boolean;
  readonly party?: Party | undefined;
  readonly references: References;
  readonly text: string;
  readonly parts: readonly LinePart[];
  /** Batch entry of which this line is one payment. */
  readonly batch?:
    | {
        readonly id?: string | undefined;
        readonly amount: Cents;
        /** Number of the payment in the batch, from 1. */
        readonly place: number;
        readonly count: number;
      }
    | undefined;
  /** Text of the line in the file. */
  readonly source: string;
  /**
   * Row of the line in a CSV file, from 1; then the raw cells of its columns, and the balance after
   * the line.
   */
  readonly row?: number | undefined;
  readonly cells?: readonly string[] | undefined;
  readonly balance?: Cents | undefined;
}

/** A column of a CSV file and how it was interpreted; columns are listed in file order. */
export interface ColumnReading {
  /** Heading as written; empty in a file without headings. */
  readonly heading: string;
  /** First value in the column. */
  readonly example: string;
  /**
   * Role of the column: `date`, `amount`, …; `own` is the account holder's side, `confirms` a
   * column that confirms another; undefined where not read.
   */
  readonly role: string | undefined;
  /**
   * Reason for the role: `balances`, `cells`, `form Kiwibank`, `heading`, `--map`, `as on 2 Apr
   * 2026`, `not read`.
   */
  readonly because: string;
}

/**
 * Interpretation of a CSV file, shown to the user, and stored with the account for the next file.
 */
export interface CsvReading {
  /**
   * Key under which the settled interpretation is stored: equal for files with the same headings.
   */
  readonly headingKey: string;
  readonly columns: readonly ColumnReading[];
  /** Evidence for dates and signs; undefined where only headings support them. */
  readonly proof: "balances" | "form" | undefined;
  /** Complete interpretation in terms of flags. */
  readonly settled: SettledReading;
  /** Rows that are not statement lines: pending, not booked, or in other currencies. */
  readonly leftOut: readonly LeftOutRow[];
}

export interface LeftOutRow {
  readonly row: number;
  readonly reason: "pending" | "not booked" | "held" | "other currency";
  readonly date?: DateText | undefined;
  readonly amount?: Cents | undefined;
  readonly currency?: string | undefined;
  readonly name?: string | undefined;
}

/** Stored interpretation of files with the same headings, once confirmed by a user or by flags. */
export interface SettledReading
  extends Pick<
    ReadOptions,
    "columns" | "dateOrder" | "decimal" | "delimiter" | "encoding" | "isReversed" | "fillDates"
  > {
  /** Date on which the interpretation was settled. */
  readonly on?: DateText | undefined;
}

/** Facts about a bank account of the book that help a reader. */
export interface AccountFacts {
  readonly currency?: string | undefined;
  /**
   * Country of the organisation, ISO 3166; the next tells whether the account is in its currency.
   */
  readonly country?: string | undefined;
  readonly isOwnCurrency?: boolean | undefined;
  readonly isCard?: boolean | undefined;
  /** Account number or IBAN, as stored. */
  readonly numbers?: readonly string[] | undefined;
  /** Names of the organisation (also its legal name) and of the account. */
  readonly names?: readonly string[] | undefined;
  /** Names and account numbers of contacts. */
  readonly contacts?: ReadonlySet<string> | undefined;
  /** Stored interpretations by `CsvReading.headingKey`. */
  readonly settled?: Readonly<Record<string, SettledReading>> | undefined;
}

/** Facts of a statement that precede its lines. */
export interface StatementHead {
  readonly format: FormatName;
  readonly account: AccountId;
  readonly currency?: string | undefined;
  /** Id of the statement that the bank assigned. */
  readonly id?: string | undefined;
  readonly number?: string | undefined;
  readonly page?: number | undefined;
  readonly isLastPage?: boolean | undefined;
  /** Whether the file marks the statement as sent before. */
  readonly isRepeat: boolean;
  readonly from?: DateText | undefined;
  readonly to?: DateText | undefined;
  readonly opening?: Balance | undefined;
  /** Interpretation of a CSV file; undefined for other formats. */
  readonly reading?: CsvReading | undefined;
}

export interface StatementSummary extends StatementHead {
  readonly closing?: Balance | undefined;
  /** Balance of a day other than the last line's; it is not checked against the lines. */
  readonly otherBalance?: Balance | undefined;
  readonly lineCount: number;
  readonly sum: Cents;
  /** Number of pending lines, which are not imported. */
  readonly pending: number;
  /** Ids of lines that the bank withdraws. */
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

/** Options that the user gives for a file; whatever is not given is detected. */
export interface ReadOptions {
  /** Encoding, as named by `TextDecoder`, or `cp852`. */
  readonly encoding?: string | undefined;
  readonly dateOrder?: DateOrder | undefined;
  readonly decimal?: "comma" | "point" | undefined;
  /**
   * Columns of a CSV file by role: headings or numbers from 1, several separated by `|`. An empty
   * text removes the role; roles that are not listed are detected.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /**
   * True if card purchases are positive in a CSV or QIF file, and where the types of an OFX file
   * count against its signs; false if amounts count as written.
   */
  readonly isReversed?: boolean | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Whether rows of a CSV file without a date take the date of the row above. */
  readonly fillDates?: boolean | undefined;
  /**
   * Whether lines are accepted although the balances of a CSV file, or ids in an OFX file, do not
   * agree with them.
   */
  readonly allowGap?: boolean | undefined;
  /** Finds the account of the book for the account that a statement names. */
  readonly accountOf?: ((account: AccountId) => AccountFacts | undefined) | undefined;
  /** Today in the book, from which no line is far; not checked when not given. */
  readonly today?: string | undefined;
  /** Whether known forms of banks are used; true when not given. */
  readonly useForms?: boolean | undefined;
}

export const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
export type Delimiter = keyof typeof delimiters;

export const dateOrders = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Opens the text of a file from its beginning; a reader may call it more than once. */
export type TextSource = () => Iterable<string>;

/** Opens the bytes of a file from their beginning; a reader may call it more than once. */
export type BankFile = () => Iterable<Uint8Array>;

export interface BankFormat {
  /** Name of the format for users. */
  readonly title: string;
  /** Whether a text is of this format, by its first characters. */
  recognise(fileStart: string): boolean;
  read(text: TextSource, options: ReadOptions): Generator<BankFilePart>;
}

/** Maximum number of years between the lines of one statement. */
const yearsMax = 25;
/** Maximum number of warnings per statement. */
const warningsMax = 50;

/** Accumulates sums, counts and warnings of the statement being read. */
export class StatementTotals {
  #lineCount = 0;
  #sum: Cents = zeroCents;
  #first: DateText = "9999-12-31";
  #last: DateText = "0000-01-01";
  pending = 0;
  readonly withdrawn: string[] = [];
  readonly #warnings = new Set<string>();

  line(line: StatementLine): BankFilePart {
    this.#lineCount += 1;
    this.#sum = add(this.#sum, line.amount);
    const { date } = line;
    if (date < this.#first) this.#first = date;
    if (date > this.#last) this.#last = date;
    if (Number(this.#last.slice(0, 4)) - Number(this.#first.slice(0, 4)) > yearsMax)
      throw new BankFileError(
        "BadDate",
        `Lines of ${this.#first} and ${this.#last} are more than ${yearsMax} years apart: a day is wrong, or the file is to be given in parts.`,
      );
    return { kind: "line", line };
  }

  warn(sentence: string): void {
    if (this.#warnings.size < warningsMax) this.#warnings.add(sentence);
  }

  end(
    statementHead: StatementHead,
    ends: Pick<StatementSummary, "closing" | "otherBalance"> = {},
  ): BankFilePart {
    return {
      kind: "end",
      statement: {
        ...statementHead,
        ...ends,
        lineCount: this.#lineCount,
        sum: this.#sum,
        pending: this.pending,
        withdrawn: this.withdrawn,
        warnings: [...this.#warnings],
      },
    };
  }
}

/** Collects statements with all their lines in memory. */
export function collect(parts: Iterable<BankFilePart>): BankStatement[] {
  const statements: BankStatement[] = [];
  let lines: StatementLine[] = [];
  for (const filePart of parts) {
    if (filePart.kind === "head") lines = [];
    else if (filePart.kind === "line") lines.push(filePart.line);
    else statements.push({ ...filePart.statement, lines });
  }
  return statements;
}
