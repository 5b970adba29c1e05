/**
 * OFX 1 (SGML), OFX 2 (XML), and QFX, which is OFX.
 *
 * One reader handles all, since files of version 2 are often as malformed as those of version 1: a
 * tag with text is an element, closed or not; a tag without text is an empty element, or an
 * aggregate if its closing tag follows. The text is read one transaction at a time.
 */
import type { DateText } from "../../ledger/dates/calendar.ts";
import { type Cents, type Rate, toBase, zeroCents } from "../../ledger/money.ts";
import { hasFormOfIban } from "../../resources/common.ts";
import { readRate } from "../../resources/decimal.ts";
import {
  type AccountId,
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type LinePart,
  type Party,
  type ReadOptions,
  type StatementHead,
  type StatementLine,
  type StatementSummary,
  StatementTotals,
  type TextSource,
} from "../bank-statement.ts";
import {
  accountOf,
  cleanText,
  markOf,
  meaningful,
  negate,
  originalPart,
  readAmount,
  readCompactDate,
  unescapeEntities,
  withEntities,
} from "../bank-values.ts";
import { piecesOf } from "../split-stream.ts";
import { askSigns } from "./conventions.ts";

type OfxToken =
  | { readonly kind: "open"; readonly name: string }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** Element values by their path in the transaction: `MEMO`, `PAYEE.NAME`. */
type Elements = ReadonlyMap<string, string>;

/** Aggregates that contain transactions, so that they end in a later piece than they begin. */
const outerAggregates = new Set([
  "OFX",
  "BANKMSGSRSV1",
  "CREDITCARDMSGSRSV1",
  "STMTTRNRS",
  "CCSTMTTRNRS",
  "STMTRS",
  "CCSTMTRS",
  "BANKTRANLIST",
  "BANKTRANLISTP",
]);

/** Maximum nesting depth; OFX nests less than ten deep. */
const depthMax = 64;

export const ofx: BankFormat = {
  title: "OFX",
  recognise: (head) => /^\s*OFXHEADER\s*:/i.test(head) || /<\?OFX\b|<OFX>/i.test(head),
  read: (text, options) => new OfxReader(options).read(text),
};

/** The statement being read. */
class OpenStatement {
  readonly account: { -readonly [Key in keyof AccountId]: AccountId[Key] } = {};
  readonly totals = new StatementTotals();
  /** Whether the transaction list has no statement around it. */
  readonly isBare: boolean;
  currency: string | undefined;
  from: DateText | undefined;
  to: DateText | undefined;
  balanceAmount: string | undefined;
  balanceDate: string | undefined;
  hasHead = false;

  constructor(isBare: boolean) {
    this.isBare = isBare;
  }

  head(): StatementHead {
    const { account, currency, from, to } = this;
    return { format: "ofx", account, currency, from, to, isRepeat: false };
  }

  /** Ledger balance: the closing balance only if it is of the last day of the list. */
  balances(mark: ReadOptions["decimal"]): Pick<StatementSummary, "closing" | "otherBalance"> {
    const location = "ledger balance";
    if (this.balanceAmount === undefined || this.balanceDate === undefined) return {};
    const amount = readOfxAmount(this.balanceAmount, location, mark);
    const date = readCompactDate(this.balanceDate, location);
    const balance = { date, amount, isIntermediate: false };
    return date === this.to ? { closing: balance } : { otherBalance: balance };
  }
}

class OfxReader {
  readonly #options: ReadOptions;
  readonly #path: string[] = [];
  #transactions = 0;
  #statements = 0;
  #statement: OpenStatement | undefined;
  #lists = 0;
  /** Ids, behind the number of their list, of transactions that others of the file correct. */
  readonly #corrected = new Set<string>();
  /** Transactions by such ids; undefined where differing ones share an id, which then says nothing. */
  readonly #sources = new Map<string, string | undefined>();
  readonly #taken = new Set<string>();
  /** Error of the bank in place of a statement. */
  #failure: string | undefined;
  #isFailure = false;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  *read(text: TextSource): Generator<BankFilePart> {
    this.#survey(text());
    const chunks = text();
    for (const { text } of piecesOf(chunks, /<\/STMTTRNP?\s*>/gi, 16)) {
      const start = text.search(/<STMTTRNP?\s*>/i);
      yield* this.#around(start < 0 ? text : text.slice(0, start));
      if (start >= 0) yield* this.#transaction(text.slice(start));
    }
    const unclosed = this.#path.find((name) => outerAggregates.has(name));
    if (unclosed !== undefined) throw truncatedError(unclosed);
    if (this.#statements > 0) return;
    throw new BankFileError(
      "NotStatement",
      this.#failure === undefined
        ? "The file holds no statement of a bank account or card."
        : `The bank gave no statement, but an error: ${this.#failure}`,
    );
  }

  /** Reads the ids of the transactions of the file, and which of them others correct. */
  #survey(chunks: Iterable<string>): void {
    let listCount = 0;
    for (const { text } of piecesOf(chunks, /<\/STMTTRNP?\s*>/gi, 16)) {
      const source = text.slice(text.search(/<STMTTRN\s*>/i)).replace(/\s+/g, " ");
      const idIn = (name: string) =>
        new RegExp(`<${name}>\\s*([^<]+?)\\s*<`, "i").exec(source)?.[1];
      const [id, corrects] = [idIn("FITID"), idIn("CORRECTFITID")];
      listCount += text.match(/<BANKTRANLIST\s*>/gi)?.length ?? 0;
      if (corrects !== undefined) this.#corrected.add(`${listCount} ${corrects}`);
      if (id === undefined) continue;
      const key = `${listCount} ${id}`;
      const isDifferent = this.#sources.has(key) && this.#sources.get(key) !== source;
      this.#sources.set(key, isDifferent ? undefined : source);
    }
  }

  /** Whether a transaction is none of the account: corrected, or told before, as its id says. */
  #isVoid(valueByTag: Elements, { totals }: OpenStatement): boolean {
    const id = valueByTag.get("FITID")?.trim() ?? "";
    const key = `${this.#lists} ${id}`;
    if (this.#sources.get(key) === undefined) return false;
    const isRepeat = this.#taken.has(key) && this.#options.allowGap !== true;
    const isCorrected = this.#corrected.has(key);
    this.#taken.add(key);
    if (isCorrected) totals.warn(`The transaction ${id} is corrected in the file, and left out.`);
    else if (isRepeat)
      totals.warn(
        `The transaction ${id} comes twice in the file; it is taken once. --allow-gap takes both.`,
      );
    return isCorrected || isRepeat;
  }

  /** Reads text before, between and after transactions. */
  *#around(text: string): Generator<BankFilePart> {
    const closedTags = tagsThatClose(text);
    let element: string | undefined;
    for (const token of tokensOf(text)) {
      if (token.kind === "close") {
        element = undefined;
        if (this.#path.includes(token.name)) {
          for (let name = this.#path.pop(); ; name = this.#path.pop()) {
            yield* this.#closed(name as string);
            if (name === token.name) break;
          }
        }
      } else if (token.kind === "open") {
        element = token.name;
        if (element.startsWith("INVSTMT")) throw investmentsError();
        if (outerAggregates.has(token.name) || closedTags.has(token.name)) {
          this.#path.push(token.name);
          if (this.#path.length > depthMax) throw tooDeepError();
          this.#opened(token.name);
        }
      } else if (element !== undefined && token.text.trim() !== "") {
        if (this.#path.at(-1) === element) this.#path.pop();
        this.#element(element, token.text.trim());
        element = undefined;
      }
    }
  }

  #opened(name: string): void {
    if (name === "STATUS") this.#isFailure = false;
    if (name === "STMTRS" || name === "CCSTMTRS") this.#begin(false);
    if (name === "BANKTRANLIST") this.#lists += 1;
    if (name === "BANKTRANLIST" && this.#statement === undefined) this.#begin(true);
  }

  #begin(isBare: boolean): void {
    this.#statement = new OpenStatement(isBare);
    this.#statements += 1;
  }

  *#closed(name: string): Generator<BankFilePart> {
    const statement = this.#statement;
    if (statement === undefined) return;
    if (
      name !== "STMTRS" &&
      name !== "CCSTMTRS" &&
      !(statement.isBare && name === "BANKTRANLIST")
    ) {
      return;
    }
    yield* this.#told(statement);
    yield statement.totals.end(statement.head(), statement.balances(this.#options.decimal));
    this.#statement = undefined;
  }

  *#told(statement: OpenStatement): Generator<BankFilePart> {
    if (!statement.hasHead) yield { kind: "head", head: statement.head() };
    statement.hasHead = true;
  }

  #element(name: string, text: string): void {
    const inside = (aggregate: string) => this.#path.includes(aggregate);
    if (inside("STATUS")) {
      if (name === "SEVERITY") this.#isFailure = text.toUpperCase() === "ERROR";
      if (name === "MESSAGE" && this.#isFailure) this.#failure = text.slice(0, 300);
      return;
    }
    const statement = this.#statement;
    if (statement === undefined) return;
    if (inside("BANKACCTFROM") || inside("CCACCTFROM")) {
      if (name === "BANKID") statement.account.bank = text;
      else if (name === "BRANCHID") statement.account.branch = text;
      else if (name === "ACCTTYPE") statement.account.type = text;
      else if (name === "ACCTID") statement.account[hasFormOfIban(text) ? "iban" : "number"] = text;
    } else if (inside("LEDGERBAL")) {
      if (name === "BALAMT") statement.balanceAmount = text;
      else if (name === "DTASOF") statement.balanceDate = text;
    } else if (name === "CURDEF") statement.currency = text.toUpperCase();
    else if (inside("BANKTRANLIST")) {
      if (name === "DTSTART") statement.from = readCompactDate(text, "first day of the list");
      else if (name === "DTEND") statement.to = readCompactDate(text, "last day of the list");
    }
  }

  *#transaction(source: string): Generator<BankFilePart> {
    this.#transactions += 1;
    const place = `transaction ${this.#transactions}`;
    if (!/<\/STMTTRNP?\s*>$/i.test(source)) throw truncatedError(place);
    if (source.slice(9).search(/<STMTTRNP?\s*>/i) >= 0) {
      throw new BankFileError("BadFile", "A transaction begins before the last has ended.", place);
    }
    if (this.#statement === undefined) this.#begin(true);
    const statement = this.#statement as OpenStatement;
    yield* this.#told(statement);
    if (/^<STMTTRNP/i.test(source) || this.#path.includes("BANKTRANLISTP")) {
      statement.totals.pending += 1;
      return;
    }
    const valueByTag = elementsOf(source);
    const corrects = valueByTag.get("CORRECTFITID");
    // A line that the file does not have is in the book, or in none.
    if (corrects !== undefined && !this.#sources.has(`${this.#lists} ${corrects.trim()}`))
      statement.totals.withdrawn.push(corrects);
    if (valueByTag.get("CORRECTACTION")?.toUpperCase() === "DELETE") return;
    if (this.#isVoid(valueByTag, statement)) return;
    yield statement.totals.line(this.#line(valueByTag, source, place, statement));
  }

  #line(
    valueByTag: Elements,
    source: string,
    place: string,
    { currency, totals }: OpenStatement,
  ): StatementLine {
    const at = (name: string) => cleanText(valueByTag.get(name));
    const postedText = at("DTPOSTED");
    if (postedText === undefined) throw new BankFileError("BadDate", "A line has no date.", place);
    const written = at("TRNAMT") ?? "";
    const read = readOfxAmount(written, place, this.#options.decimal);
    const type = at("TRNTYPE")?.toUpperCase();
    const sign = { DEBIT: -1, CREDIT: 1 }[type ?? ""] ?? 0;
    const { isReversed } = this.#options;
    const isOpposite = sign * read < 0;
    if (isOpposite && isReversed === undefined)
      askSigns(
        `The type ${type} and the amount ${written} say different directions (${place}): the type is right, or the sign.`,
        written,
      );
    const amount = isOpposite && isReversed === true ? negate(read) : read;
    const available = at("DTAVAIL");
    const lineCurrency = at("CURRENCY.CURSYM")?.toUpperCase() ?? currency;
    if (currency !== undefined && lineCurrency !== currency) {
      totals.warn(`A line of an account in ${currency} is in ${lineCurrency}.`);
    }
    const parts: LinePart[] = [];
    const original = at("ORIGCURRENCY.CURSYM");
    const rate = readRate(at("ORIGCURRENCY.CURRATE") ?? "");
    if (original !== undefined && rate !== undefined && (rate as Rate) > 0) {
      parts.push(...originalPart(original, () => toBase(amount, { rate, smallest: 1 })));
    }
    return {
      date: readCompactDate(postedText, place),
      valueDate: available === undefined ? undefined : readCompactDate(available, place),
      amount,
      currency: lineCurrency,
      id: at("FITID"),
      replaces: at("CORRECTFITID"),
      type,
      isReturn: false,
      party: partyOf(at),
      references: { cheque: meaningful(at("CHECKNUM")), transaction: meaningful(at("REFNUM")) },
      text: at("MEMO") ?? "",
      parts,
      source,
    };
  }
}

/**
 * Parses an amount. OFX has no thousands separators, so a single point is the decimal mark:
 * `18.150`.
 */
function readOfxAmount(text: string, location: string, decimal: ReadOptions["decimal"]): Cents {
  if (/^null$/i.test(text)) return zeroCents;
  const isPoint = text.includes(".") && markOf(text) === "open";
  return readAmount(text, location, decimal ?? (isPoint ? "point" : undefined));
}

function partyOf(at: (name: string) => string | undefined): Party | undefined {
  const name = at("EXTDNAME") ?? at("NAME") ?? at("PAYEE.NAME");
  const account = at("BANKACCTTO.ACCTID") ?? at("CCACCTTO.ACCTID");
  if (name === undefined && account === undefined) return undefined;
  return { name, ...accountOf(account) };
}

/** Elements of one transaction; texts of repeated elements are joined. */
function elementsOf(source: string): Elements {
  const closedTags = tagsThatClose(source);
  const valueByTag = new Map<string, string>();
  const path: string[] = [];
  let element: string | undefined;
  for (const token of tokensOf(source)) {
    if (token.kind === "close") {
      element = undefined;
      if (path.includes(token.name)) path.length = path.lastIndexOf(token.name);
    } else if (token.kind === "open") {
      element = token.name;
      if (closedTags.has(token.name)) path.push(token.name);
      if (path.length > depthMax) throw tooDeepError();
    } else if (element !== undefined && token.text.trim() !== "") {
      const elementsAround = path.at(-1) === element ? path.slice(1, -1) : path.slice(1);
      const name = [...elementsAround, element].join(".");
      const textBefore = valueByTag.get(name);
      valueByTag.set(name, textBefore === undefined ? token.text : textBefore + token.text);
    }
  }
  return valueByTag;
}

function tagsThatClose(text: string): ReadonlySet<string> {
  const tagNames = new Set<string>();
  for (const [, name = ""] of text.matchAll(/<\/([\w.:-]+)/g)) tagNames.add(name.toUpperCase());
  return tagNames;
}

const markup = /<(!\[CDATA\[|!--)|<([?!][^<>]*)>|<(\/?)([A-Za-z][\w.:-]*)[^<>]*>|[^<]+|</g;

/** Splits a text into tokens. @throws BankFileError `Entities` for a document type, `Truncated` */
function* tokensOf(text: string): Generator<OfxToken> {
  markup.lastIndex = 0;
  let at = 0;
  for (;;) {
    // Another text may be tokenised between two steps of the generator.
    markup.lastIndex = at;
    const match = markup.exec(text);
    if (match === null) return;
    at = markup.lastIndex;
    const [whole, block, instruction, slash, name] = match;
    if (block !== undefined) {
      const [end, what] = block === "!--" ? ["-->", "a comment"] : ["]]>", "a CDATA section"];
      const closeAt = text.indexOf(end, at);
      if (closeAt < 0) throw truncatedError(what);
      if (block !== "!--") yield { kind: "text", text: text.slice(at, closeAt) };
      at = closeAt + 3;
    } else if (instruction !== undefined) {
      if (/^!(?:DOCTYPE|ENTITY)/i.test(instruction)) throw withEntities();
    } else if (name !== undefined) {
      yield { kind: slash === "/" ? "close" : "open", name: name.toUpperCase() };
    } else {
      // Some banks escape entities twice.
      yield { kind: "text", text: unescapeEntities(unescapeEntities(whole)) };
    }
  }
}

function truncatedError(partName: string): BankFileError {
  return new BankFileError("Truncated", `The file ends before ${partName} does.`);
}

function investmentsError(): BankFileError {
  return new BankFileError(
    "NotStatement",
    "The file is of an investment account; only bank accounts and cards have lines to reconcile.",
  );
}

function tooDeepError(): BankFileError {
  return new BankFileError("TooMuch", `Elements of the file nest deeper than ${depthMax} levels.`);
}
