/**
 * CAMT.053, the statement of ISO 20022, in versions 02 to 12; later versions are read with a
 * warning.
 *
 * All versions are read by local names with the same code. The text is split after each entry, and
 * the parser gets one entry, or the head of a statement, at a time.
 */

import type { XmlNode } from "../../wire/xml.ts";
import {
  type Balance,
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type StatementHead,
  StatementTotals,
} from "../bank-statement.ts";
import { withEntities } from "../bank-values.ts";
import { pieceLengthMax, piecesOf } from "../split-stream.ts";
import { linesOfEntry } from "./camt-entry.ts";
import { currencyAt, dateAt, isTrue, parse, signedAmount, textAt } from "./camt-xml.ts";

export const camt: BankFormat = {
  title: "CAMT.053",
  recognise: (fileStart) =>
    /camt\.05[2-4]\.\d{3}\.\d{2}|<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdt)/.test(fileStart),
  read: (text) => new CamtReader().read(text()),
};

const latestKnownVersion = 12;
const statementStart = /<((?:[\w.-]+:)?Stmt)[\s>]/;
const statementEnd = /<\/(?:[\w.-]+:)?Stmt\s*>$/;
const entryStart = /<(?:[\w.-]+:)?Ntry[\s>]/;

/** Page number and last-page flag, as written. */
interface Pages {
  readonly page?: string | undefined;
  readonly last?: string | undefined;
}

class CamtReader {
  #version = 0;
  #messagePages: Pages = {};
  #entries = 0;
  #statements = 0;
  #statement: OpenStatement | undefined;

  *read(chunks: Iterable<string>): Generator<BankFilePart> {
    let isComplete = false;
    for (const { text } of piecesOf(chunks, /<\/(?:[\w.-]+:)?(?:Ntry|Stmt)\s*>/g, 80)) {
      if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw withEntities();
      isComplete = /<\/(?:[\w.-]+:)?Document\s*>/.test(text);
      const start = this.#statement === undefined ? text.search(statementStart) : 0;
      if (this.#statement === undefined) this.#around(start < 0 ? text : text.slice(0, start));
      if (start >= 0) yield* this.#piece(text.slice(start));
    }
    if (this.#statement !== undefined || !isComplete) {
      throw new BankFileError("Truncated", "The file ends before its last statement does.");
    }
    if (this.#statements === 0) {
      throw new BankFileError("NotStatement", "The file holds no statement.");
    }
  }

  /** Reads text before the first statement, or between statements. */
  #around(text: string): void {
    if (/camt\.052\.|<(?:[\w.-]+:)?BkToCstmrAcctRpt/.test(text)) {
      throw notStatementError(
        "CAMT.052",
        "an intraday report, whose entries come again in the statement",
      );
    }
    if (/camt\.054\.|<(?:[\w.-]+:)?BkToCstmrDbtCdtNtfctn/.test(text)) {
      throw notStatementError("CAMT.054", "details of entries that stand in the statement");
    }
    const version = /camt\.053\.\d{3}\.(\d{2})/.exec(text)?.[1];
    if (version !== undefined) this.#version = Number(version);
    const page = /<(?:[\w.-]+:)?PgNb>\s*(\d{1,5})\s*</.exec(text)?.[1];
    const lastPage = /<(?:[\w.-]+:)?LastPgInd>\s*(\w{1,5})\s*</.exec(text)?.[1];
    if (page !== undefined) this.#messagePages = { page, last: lastPage };
  }

  *#piece(text: string): Generator<BankFilePart> {
    this.#statement ??= this.#begin(text);
    const statement = this.#statement;
    const start = text.search(entryStart);
    const outside = start < 0 ? text : text.slice(0, start);
    checkComments(outside);
    statement.outside += statement.hasHead ? outside.trim() : outside;
    if (statement.outside.length > pieceLengthMax) throw tooLong();
    if (start >= 0) {
      yield* this.#told(statement);
      yield* this.#entry(text.slice(start), statement);
      return;
    }
    if (!statementEnd.test(text)) return;
    yield* this.#told(statement);
    const { head, closing } = statement.read(parse(statement.outside), this.#messagePages);
    statement.warnOfCount();
    yield statement.totals.end(head, { closing });
    this.#statement = undefined;
  }

  #begin(text: string): OpenStatement {
    this.#statements += 1;
    const statement = new OpenStatement(statementStart.exec(text)?.[1] ?? "Stmt");
    if (this.#version > latestKnownVersion) {
      statement.totals.warn(
        `The file is in version ${this.#version} of CAMT.053, which is newer than those known here.`,
      );
    }
    return statement;
  }

  *#told(statement: OpenStatement): Generator<BankFilePart> {
    if (statement.hasHead) return;
    const isClosed = statementEnd.test(statement.outside);
    const wholeXml = isClosed ? statement.outside : `${statement.outside}</${statement.tag}>`;
    const { head, closing } = statement.read(parse(wholeXml), this.#messagePages);
    statement.currency = head.currency;
    statement.closingDate = closing?.date;
    statement.hasHead = true;
    yield { kind: "head", head };
  }

  *#entry(source: string, statement: OpenStatement): Generator<BankFilePart> {
    this.#entries += 1;
    statement.entries += 1;
    const location = `entry ${this.#entries}`;
    if (!/<\/(?:[\w.-]+:)?Ntry\s*>$/.test(source)) {
      throw new BankFileError("Truncated", "The file ends before an entry does.", location);
    }
    if (source.slice(5).search(entryStart) >= 0) {
      throw new BankFileError("BadFile", "An entry begins before the last has ended.", location);
    }
    const [entry] = parse(source).all("Ntry");
    if (entry === undefined) throw new BankFileError("BadFile", "An entry is no XML.", location);
    const status = textAt(entry, "Sts/Cd") ?? textAt(entry, "Sts") ?? "BOOK";
    if (status.toUpperCase() !== "BOOK") {
      statement.totals.pending += 1;
      return;
    }
    for (const line of linesOfEntry(entry, source, location, statement)) {
      yield statement.totals.line(line);
    }
  }
}

/** The statement being read. */
class OpenStatement {
  /** Name of the statement element, with its prefix. */
  readonly tag: string;
  readonly totals = new StatementTotals();
  /** Text of the statement without its entries. */
  outside = "";
  entries = 0;
  /** Number of entries that the statement declares. */
  #saidEntries: number | undefined;
  currency: string | undefined;
  closingDate: string | undefined;
  hasHead = false;

  constructor(tag: string) {
    this.tag = tag;
  }

  warnOfCount(): void {
    if (this.#saidEntries === undefined || this.#saidEntries === this.entries) return;
    this.totals.warn(
      `The statement says that it has ${this.#saidEntries} entries, and has ${this.entries}.`,
    );
  }

  read(root: XmlNode, messagePages: Pages): { head: StatementHead; closing: Balance | undefined } {
    const statement = root.all("Stmt")[0] ?? root;
    const all = statement.all("Bal");
    const currency =
      textAt(statement, "Acct/Ccy") ?? all.map((node) => currencyAt(node, "Amt")).find(Boolean);
    const count = Number(textAt(statement, "TxsSummry/TtlNtries/NbOfNtries"));
    this.#saidEntries = count > 0 ? count : undefined;
    const balances = all.filter((xmlNode) => {
      const otherCurrency = currencyAt(xmlNode, "Amt");
      return otherCurrency === undefined || otherCurrency === currency;
    });
    const ofKind = (kind: string) => balances.filter((balance) => balanceKind(balance) === kind);
    const intermediate = ofKind("ITBD");
    const opening = ofKind("OPBD")[0] ?? ofKind("PRCD")[0] ?? intermediate[0];
    const lastBalance = intermediate.at(-1);
    const closing = ofKind("CLBD").at(-1) ?? (lastBalance === opening ? undefined : lastBalance);
    const [own] = statement.all("StmtPgntn");
    const pages = own
      ? { page: textAt(own, "PgNb"), last: textAt(own, "LastPgInd") }
      : messagePages;
    const page = Number(pages.page);
    return {
      closing: closing === undefined ? undefined : balanceOf(closing),
      head: {
        format: "camt",
        account: {
          iban: textAt(statement, "Acct/Id/IBAN"),
          number: textAt(statement, "Acct/Id/Othr/Id"),
          bank:
            textAt(statement, "Acct/Svcr/FinInstnId/BICFI") ??
            textAt(statement, "Acct/Svcr/FinInstnId/BIC"),
          name: textAt(statement, "Acct/Ownr/Nm") ?? textAt(statement, "Acct/Nm"),
          type: textAt(statement, "Acct/Tp/Cd"),
        },
        currency,
        id: textAt(statement, "Id"),
        number: textAt(statement, "ElctrncSeqNb") ?? textAt(statement, "LglSeqNb"),
        page: Number.isInteger(page) && page > 0 ? page : undefined,
        isLastPage: pages.last === undefined ? undefined : isTrue(pages.last),
        isRepeat: textAt(statement, "CpyDplctInd") === "DUPL",
        from: dateAt(statement, "FrToDt/FrDtTm") ?? dateAt(statement, "FrToDt/FrDt"),
        to: dateAt(statement, "FrToDt/ToDtTm") ?? dateAt(statement, "FrToDt/ToDt"),
        opening: opening === undefined ? undefined : balanceOf(opening),
      },
    };
  }
}

function balanceKind(balance: XmlNode): string | undefined {
  return textAt(balance, "Tp/CdOrPrtry/Cd") ?? textAt(balance, "Tp/CdOrPrtry/Prtry");
}

function balanceOf(balance: XmlNode): Balance {
  const location = `balance ${balanceKind(balance)}`;
  const isInterim = balanceKind(balance) === "ITBD" || textAt(balance, "Tp/SubTp/Cd") === "INTM";
  const date = dateAt(balance, "Dt/Dt") ?? dateAt(balance, "Dt/DtTm");
  return { date, amount: signedAmount(balance, location), isIntermediate: isInterim };
}

/** Refuses comments and CDATA sections, as an entry inside one would be read as a real one. */
function checkComments(outside: string): void {
  const isOpen = (start: string, endTag: string) =>
    outside.lastIndexOf(start) > outside.lastIndexOf(endTag);
  if (isOpen("<!--", "-->") || isOpen("<![CDATA[", "]]>")) {
    throw new BankFileError("BadFile", "A comment of the file holds an entry.");
  }
}

function tooLong(): BankFileError {
  return new BankFileError("TooMuch", "The head of a statement is longer than any bank's.");
}

function notStatementError(name: string, advice: string): BankFileError {
  return new BankFileError(
    "NotStatement",
    `The file is ${name}: ${advice}; ask the bank for that, as CAMT.053 or MT940.`,
  );
}
