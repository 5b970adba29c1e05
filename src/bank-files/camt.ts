/**
 * CAMT.053, the statement of ISO 20022, in the versions 02 to 12; later ones are read with a warning.
 *
 * All versions are read by local names with one code. The text is taken apart at the end of each
 * entry, and a parser sees one entry, or the head of a statement, at a time.
 */
import { XMLParser } from "fast-xml-parser";
import { add, type Cents, sum, zeroCents } from "../ledger/money.ts";
import { pieceLengthMax, piecesOf } from "./pieces.ts";
import {
  type Balance,
  BankFileError,
  type BankFilePart,
  type Format,
  type LinePart,
  type Party,
  type References,
  type StatementHead,
  type StatementLine,
  StatementTotals,
} from "./statement.ts";
import { checkedDate, cleanText, meaningful, readAmount, unescapeEntities } from "./values.ts";

/** An element as the parser gives it: text, or its children by name. */
type Element = string | { readonly [name: string]: Element | readonly Element[] | undefined };

export const camt: Format = {
  title: "CAMT.053",
  recognise: (head) =>
    /camt\.05[2-4]\.\d{3}\.\d{2}|<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdt)/.test(head),
  read: (text) => new CamtReader().read(text()),
};

const latestKnownVersion = 12;
const lists = new Set([
  "Bal",
  "NtryDtls",
  "TxDtls",
  "Chrgs",
  "Rcrd",
  "Ustrd",
  "Strd",
  "RfrdDocInf",
]);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Those of XML are replaced below, and a document's own never are.
  processEntities: false,
  isArray: (name) => lists.has(name),
  maxNestedTags: 64,
});

const statementStart = /<((?:[\w.-]+:)?Stmt)[\s>]/;
const statementEnd = /<\/(?:[\w.-]+:)?Stmt\s*>$/;
const entryStart = /<(?:[\w.-]+:)?Ntry[\s>]/;

class CamtReader {
  #version = 0;
  #messagePages: Element | undefined;
  #entries = 0;
  #statements = 0;
  #statement: OpenStatement | undefined;

  *read(chunks: Iterable<string>): Generator<BankFilePart> {
    let isWhole = false;
    for (const { text } of piecesOf(chunks, /<\/(?:[\w.-]+:)?(?:Ntry|Stmt)\s*>/g, 80)) {
      if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw withEntities();
      isWhole = /<\/(?:[\w.-]+:)?Document\s*>/.test(text);
      const start = this.#statement === undefined ? text.search(statementStart) : 0;
      if (this.#statement === undefined) this.#around(start < 0 ? text : text.slice(0, start));
      if (start >= 0) yield* this.#piece(text.slice(start));
    }
    if (this.#statement !== undefined || !isWhole) {
      throw new BankFileError("Truncated", "The file ends before its last statement does.");
    }
    if (this.#statements === 0) {
      throw new BankFileError("NotStatement", "The file holds no statement.");
    }
  }

  /** What stands before the first statement, or between statements. */
  #around(text: string): void {
    if (/camt\.052\.|<(?:[\w.-]+:)?BkToCstmrAcctRpt/.test(text)) {
      throw notStatement(
        "CAMT.052",
        "an intraday report, whose entries come again in the statement",
      );
    }
    if (/camt\.054\.|<(?:[\w.-]+:)?BkToCstmrDbtCdtNtfctn/.test(text)) {
      throw notStatement("CAMT.054", "details of entries that stand in the statement");
    }
    const version = /camt\.053\.\d{3}\.(\d{2})/.exec(text)?.[1];
    if (version !== undefined) this.#version = Number(version);
    const page = /<(?:[\w.-]+:)?PgNb>\s*(\d{1,5})\s*</.exec(text)?.[1];
    const last = /<(?:[\w.-]+:)?LastPgInd>\s*(\w{1,5})\s*</.exec(text)?.[1];
    if (page !== undefined) this.#messagePages = { PgNb: page, LastPgInd: last };
  }

  *#piece(text: string): Generator<BankFilePart> {
    this.#statement ??= this.#begin(text);
    const statement = this.#statement;
    const start = text.search(entryStart);
    const outside = start < 0 ? text : text.slice(0, start);
    checkComments(outside);
    statement.outside += statement.isTold ? outside.trim() : outside;
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
    if (statement.isTold) return;
    const isClosed = statementEnd.test(statement.outside);
    const whole = isClosed ? statement.outside : `${statement.outside}</${statement.tag}>`;
    const { head, closing } = statement.read(parse(whole), this.#messagePages);
    statement.currency = head.currency;
    statement.closingDate = closing?.date;
    statement.isTold = true;
    yield { kind: "head", head };
  }

  *#entry(source: string, statement: OpenStatement): Generator<BankFilePart> {
    this.#entries += 1;
    statement.entries += 1;
    const place = `entry ${this.#entries}`;
    if (!/<\/(?:[\w.-]+:)?Ntry\s*>$/.test(source)) {
      throw new BankFileError("Truncated", "The file ends before an entry does.", place);
    }
    if (source.slice(5).search(entryStart) >= 0) {
      throw new BankFileError("BadFile", "An entry begins before the last has ended.", place);
    }
    const [entry] = at(parse(source), "Ntry");
    if (entry === undefined) throw new BankFileError("BadFile", "An entry is no XML.", place);
    const status = textAt(entry, "Sts.Cd") ?? textAt(entry, "Sts") ?? "BOOK";
    if (status.toUpperCase() !== "BOOK") {
      statement.totals.pending += 1;
      return;
    }
    for (const line of linesOfEntry(entry, source, place, statement)) {
      yield statement.totals.line(line);
    }
  }
}

/** The statement that is being read. */
class OpenStatement {
  /** The name of its element, with a prefix. */
  readonly tag: string;
  readonly totals = new StatementTotals();
  /** Its text without the entries. */
  outside = "";
  entries = 0;
  /** The entries that it says it has. */
  #saidEntries: number | undefined;
  currency: string | undefined;
  closingDate: string | undefined;
  isTold = false;

  constructor(tag: string) {
    this.tag = tag;
  }

  warnOfCount(): void {
    if (this.#saidEntries === undefined || this.#saidEntries === this.entries) return;
    this.totals.warn(
      `The statement says that it has ${this.#saidEntries} entries, and has ${this.entries}.`,
    );
  }

  read(
    root: Element,
    messagePages: Element | undefined,
  ): { head: StatementHead; closing: Balance | undefined } {
    const statement = at(root, "Stmt")[0] ?? "";
    const all = at(statement, "Bal");
    const currency =
      textAt(statement, "Acct.Ccy") ?? all.map((each) => textAt(each, "Amt.@Ccy")).find(Boolean);
    const said = Number(textAt(statement, "TxsSummry.TtlNtries.NbOfNtries"));
    this.#saidEntries = said > 0 ? said : undefined;
    const balances = all.filter((each) => {
      const other = textAt(each, "Amt.@Ccy");
      return other === undefined || other === currency;
    });
    const ofKind = (kind: string) => balances.filter((each) => balanceKind(each) === kind);
    const intermediate = ofKind("ITBD");
    const opening = ofKind("OPBD")[0] ?? ofKind("PRCD")[0] ?? intermediate[0];
    const last = intermediate.at(-1);
    const closing = ofKind("CLBD").at(-1) ?? (last === opening ? undefined : last);
    const pages = at(statement, "StmtPgntn")[0] ?? messagePages;
    const page = Number(pages === undefined ? undefined : textAt(pages, "PgNb"));
    const lastPage = pages === undefined ? undefined : textAt(pages, "LastPgInd");
    return {
      closing: closing === undefined ? undefined : balanceOf(closing),
      head: {
        format: "camt",
        account: {
          iban: textAt(statement, "Acct.Id.IBAN"),
          number: textAt(statement, "Acct.Id.Othr.Id"),
          bank:
            textAt(statement, "Acct.Svcr.FinInstnId.BICFI") ??
            textAt(statement, "Acct.Svcr.FinInstnId.BIC"),
          name: textAt(statement, "Acct.Ownr.Nm") ?? textAt(statement, "Acct.Nm"),
          type: textAt(statement, "Acct.Tp.Cd"),
        },
        currency,
        id: textAt(statement, "Id"),
        number: textAt(statement, "ElctrncSeqNb") ?? textAt(statement, "LglSeqNb"),
        page: Number.isInteger(page) && page > 0 ? page : undefined,
        isLastPage: lastPage === undefined ? undefined : isTrue(lastPage),
        isRepeat: textAt(statement, "CpyDplctInd") === "DUPL",
        from: dateAt(statement, "FrToDt.FrDtTm") ?? dateAt(statement, "FrToDt.FrDt"),
        to: dateAt(statement, "FrToDt.ToDtTm") ?? dateAt(statement, "FrToDt.ToDt"),
        opening: opening === undefined ? undefined : balanceOf(opening),
      },
    };
  }
}

function balanceKind(balance: Element): string | undefined {
  return textAt(balance, "Tp.CdOrPrtry.Cd") ?? textAt(balance, "Tp.CdOrPrtry.Prtry");
}

function balanceOf(balance: Element): Balance {
  const place = `balance ${balanceKind(balance)}`;
  const isPart = balanceKind(balance) === "ITBD" || textAt(balance, "Tp.SubTp.Cd") === "INTM";
  const date = dateAt(balance, "Dt.Dt") ?? dateAt(balance, "Dt.DtTm");
  return { date, amount: signedAmount(balance, place), isIntermediate: isPart };
}

/** One line for an entry; one for each payment of a batch where these make up the entry. */
function linesOfEntry(
  entry: Element,
  source: string,
  place: string,
  { closingDate, currency: accountCurrency, totals }: OpenStatement,
): StatementLine[] {
  const amount = signedAmount(entry, place);
  const currency = textAt(entry, "Amt.@Ccy") ?? accountCurrency;
  if (accountCurrency !== undefined && currency !== accountCurrency) {
    totals.warn(`A line of an account in ${accountCurrency} is in ${currency}.`);
  }
  const valueDate = dateAt(entry, "ValDt.Dt") ?? dateAt(entry, "ValDt.DtTm");
  const date =
    dateAt(entry, "BookgDt.Dt") ?? dateAt(entry, "BookgDt.DtTm") ?? valueDate ?? closingDate ?? "";
  const details = at(entry, "NtryDtls").flatMap((group) => at(group, "TxDtls"));
  const isReversal = isTrue(textAt(entry, "RvslInd"));
  const whole = {
    date: checkedDate(date, date, place),
    valueDate,
    currency,
    type: transactionCode(entry),
    source,
  };
  const entryId = meaningful(textAt(entry, "AcctSvcrRef"));
  const entryText = textAt(entry, "AddtlNtryInf");
  const [only] = details;
  if (details.length === 1 && only !== undefined) {
    const detail = detailAmount(only, amount, currency, place);
    const parts = [...chargesOf(entry, place), ...chargesOf(only, place)];
    if (parts.length > 0 && detail !== undefined && detail !== amount) {
      parts.unshift({ kind: "detail", amount: detail, currency });
    }
    const original =
      originalOf(only, amount, currency, place) ?? originalOf(entry, amount, currency, place);
    if (original !== undefined) parts.push(original);
    return [
      {
        ...whole,
        amount,
        id: entryId ?? meaningful(textAt(only, "Refs.AcctSvcrRef")),
        ...paymentOf(only, amount, isReversal, entryText),
        parts,
      },
    ];
  }
  const amounts = details.map((detail) => detailAmount(detail, amount, currency, place));
  const isWhole =
    amounts.length > 1 &&
    amounts.every((each) => each !== undefined) &&
    sum(amounts as Cents[]) === amount;
  if (isWhole) {
    return details.map((detail, index) => {
      const own = amounts[index] as Cents;
      const original = originalOf(detail, own, currency, place);
      return {
        ...whole,
        amount: own,
        id: meaningful(textAt(detail, "Refs.AcctSvcrRef")) ?? entryId,
        ...paymentOf(detail, own, isReversal, entryText),
        parts: [...chargesOf(detail, place), ...(original === undefined ? [] : [original])],
        batch: { id: entryId, amount, place: index + 1, count: details.length },
      };
    });
  }
  const original = originalOf(entry, amount, currency, place);
  return [
    {
      ...whole,
      amount,
      id: entryId,
      isReturn: isReversal,
      references: {},
      text: entryText ?? "",
      parts: [
        ...details.map((detail, index): LinePart => {
          const { party, references, text } = paymentOf(detail, amount, isReversal, undefined);
          return {
            kind: "detail",
            amount: amounts[index] ?? zeroCents,
            currency,
            party,
            references,
            text,
          };
        }),
        ...chargesOf(entry, place),
        ...(original === undefined ? [] : [original]),
      ],
    },
  ];
}

/** What one payment tells of itself. */
function paymentOf(
  detail: Element,
  amount: Cents,
  isReversal: boolean,
  entryText: string | undefined,
): Pick<StatementLine, "isReturn" | "party" | "references" | "text"> {
  const isReturn = isReversal || at(detail, "RtrInf").length > 0;
  return {
    isReturn,
    // Of what is returned the roles are those of the payment before.
    party: partyOf(detail, amount >= 0 === isReturn ? "Cdtr" : "Dbtr"),
    references: referencesOf(detail),
    text: textOf(detail, entryText),
  };
}

function partyOf(detail: Element, role: "Cdtr" | "Dbtr"): Party | undefined {
  const of = (path: string) => textAt(detail, path);
  const party = {
    name:
      of(`RltdPties.${role}.Nm`) ??
      of(`RltdPties.${role}.Pty.Nm`) ??
      of(`RltdPties.${role}.Agt.FinInstnId.Nm`),
    iban: of(`RltdPties.${role}Acct.Id.IBAN`),
    account: of(`RltdPties.${role}Acct.Id.Othr.Id`),
    bic: of(`RltdAgts.${role}Agt.FinInstnId.BICFI`) ?? of(`RltdAgts.${role}Agt.FinInstnId.BIC`),
    ultimate: of(`RltdPties.Ultmt${role}.Nm`) ?? of(`RltdPties.Ultmt${role}.Pty.Nm`),
  };
  return Object.values(party).some((value) => value !== undefined) ? party : undefined;
}

function referencesOf(detail: Element): References {
  const of = (path: string) => meaningful(textAt(detail, path));
  const structured = at(detail, "RmtInf").flatMap((info) => at(info, "Strd"));
  return {
    endToEnd: of("Refs.EndToEndId"),
    mandate: of("Refs.MndtId"),
    transaction: of("Refs.TxId") ?? of("Refs.UETR"),
    instruction: of("Refs.InstrId"),
    cheque: of("Refs.ChqNb"),
    creditor: of("RltdPties.Cdtr.Id.PrvtId.Othr.Id") ?? of("RltdPties.Cdtr.Pty.Id.PrvtId.Othr.Id"),
    structured: structured.map((each) => meaningful(textAt(each, "CdtrRefInf.Ref"))).find(Boolean),
    document: structured
      .flatMap((each) => at(each, "RfrdDocInf"))
      .map((each) => meaningful(textAt(each, "Nb")))
      .find(Boolean),
  };
}

/** Characters of a line of text; a line that is full may be cut inside a word or number. */
const textLineLength = 140;

function textOf(detail: Element, entryText: string | undefined): string {
  let text = "";
  for (const info of at(detail, "RmtInf")) {
    let isFull = false;
    for (const line of at(info, "Ustrd")) {
      const written = typeof line === "string" ? unescapeEntities(line) : "";
      text += (text === "" || isFull ? "" : " ") + written;
      isFull = written.length >= textLineLength;
    }
    for (const each of at(info, "Strd")) {
      const numbers = [textAt(each, "CdtrRefInf.Ref")];
      for (const document of at(each, "RfrdDocInf")) numbers.push(textAt(document, "Nb"));
      text = withText(text, [...numbers, textAt(each, "AddtlRmtInf")]);
    }
  }
  return cleanText(withText(text, [textAt(detail, "AddtlTxInf"), entryText])) ?? "";
}

/** Adds what the text does not yet say. */
function withText(text: string, more: readonly (string | undefined)[]): string {
  return more.reduce<string>(
    (said, each) => (each === undefined || said.includes(each) ? said : `${said} ${each}`),
    text,
  );
}

/** The amount of a payment in the account's currency; undefined where it does not tell one. */
function detailAmount(
  detail: Element,
  entryAmount: Cents,
  currency: string | undefined,
  place: string,
): Cents | undefined {
  const found = [...at(detail, "Amt"), ...at(detail, "AmtDtls.TxAmt.Amt")].find(
    (each) => textAt(each, "@Ccy") === currency,
  );
  if (found === undefined) return undefined;
  const amount = readAmount(textAt(found, "#text") ?? "", place, "point");
  const direction = textAt(detail, "CdtDbtInd");
  const isDebit = direction === undefined ? entryAmount < 0 : direction === "DBIT";
  return isDebit ? negated(amount) : amount;
}

function originalOf(
  detail: Element,
  booked: Cents,
  currency: string | undefined,
  place: string,
): LinePart | undefined {
  const paths = ["AmtDtls.InstdAmt.Amt", "AmtDtls.TxAmt.Amt", "AmtDtls.CntrValAmt.Amt", "Amt"];
  const found = paths
    .flatMap((path) => at(detail, path))
    .find((each) => (textAt(each, "@Ccy") ?? currency) !== currency);
  if (found === undefined) return undefined;
  const amount = readAmount(textAt(found, "#text") ?? "", place, "point");
  if (amount === 0) return undefined;
  return {
    kind: "original",
    amount: booked < 0 ? negated(amount) : amount,
    currency: textAt(found, "@Ccy"),
  };
}

/** Charges, which the account pays unless they say otherwise. */
function chargesOf(owner: Element, place: string): LinePart[] {
  return at(owner, "Chrgs").flatMap((charges) => {
    const records = at(charges, "Rcrd");
    return (records.length > 0 ? records : [charges]).flatMap((record): LinePart[] => {
      const written = textAt(record, "Amt");
      if (written === undefined) return [];
      const amount = readAmount(written, place, "point");
      if (amount === 0) return [];
      return [
        {
          kind: "charge",
          amount: textAt(record, "CdtDbtInd") === "CRDT" ? amount : negated(amount),
          currency: textAt(record, "Amt.@Ccy"),
          text: textAt(record, "Tp.Prtry.Id") ?? textAt(record, "Tp.Cd"),
        },
      ];
    });
  });
}

function transactionCode(entry: Element): string | undefined {
  const domain = ["Domn.Cd", "Domn.Fmly.Cd", "Domn.Fmly.SubFmlyCd"]
    .map((path) => textAt(entry, `BkTxCd.${path}`))
    .filter((code) => code !== undefined);
  return domain.length > 0 ? domain.join("-") : textAt(entry, "BkTxCd.Prtry.Cd");
}

/** The direction alone says the sign; `RvslInd` does not turn it. @throws BankFileError */
function signedAmount(owner: Element, place: string): Cents {
  const amount = readAmount(textAt(owner, "Amt") ?? "", place, "point");
  const direction = textAt(owner, "CdtDbtInd");
  if (direction === "CRDT") return amount;
  if (direction === "DBIT") return negated(amount);
  throw new BankFileError("BadFile", "An amount is neither a credit nor a debit.", place);
}

function negated(amount: Cents): Cents {
  return add(zeroCents, -amount as Cents);
}

function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

function parse(text: string): Element {
  try {
    return parser.parse(text) as Element;
  } catch {
    throw new BankFileError("BadFile", "The file is no well-formed XML.");
  }
}

/** The elements at a path: all of a list, none where a step is missing. */
function at(element: Element, path: string): readonly Element[] {
  let found: readonly Element[] = [element];
  for (const name of path.split(".")) {
    found = found.flatMap((each): Element | readonly Element[] => {
      return typeof each === "string" ? [] : (each[name] ?? []);
    });
  }
  return found;
}

/** The text of the first element at a path, its entities replaced; undefined where it is empty. */
function textAt(element: Element, path: string): string | undefined {
  if (typeof element === "string") return path === "#text" ? cleanText(element) : undefined;
  for (const found of at(element, path)) {
    const text = typeof found === "string" ? found : found["#text"];
    const clean = typeof text === "string" ? cleanText(unescapeEntities(text)) : undefined;
    if (clean !== undefined) return clean;
  }
  return undefined;
}

/** The calendar day at a path as it is written, whatever the zone. */
function dateAt(element: Element, path: string): string | undefined {
  const text = textAt(element, path);
  return text === undefined ? undefined : checkedDate(text.slice(0, 10), text, path);
}

/** An entry inside a comment or CDATA section would be taken for one. */
function checkComments(outside: string): void {
  const isOpen = (start: string, end: string) =>
    outside.lastIndexOf(start) > outside.lastIndexOf(end);
  if (isOpen("<!--", "-->") || isOpen("<![CDATA[", "]]>")) {
    throw new BankFileError("BadFile", "A comment of the file holds an entry.");
  }
}

function tooLong(): BankFileError {
  return new BankFileError("TooLong", "The head of a statement is longer than any bank's.");
}

function notStatement(name: string, what: string): BankFileError {
  return new BankFileError(
    "NotStatement",
    `The file is ${name}: ${what}; import the statement, CAMT.053.`,
  );
}

function withEntities(): BankFileError {
  return new BankFileError(
    "Entities",
    "The file declares a document type or entities of its own, which no bank does.",
  );
}
