/** Converts a CAMT entry to lines: the entry itself, or the payments of a batch. */
import { type Cents, sum, zeroCents } from "../../ledger/money.ts";
import type { XmlNode } from "../../wire/xml.ts";
import type {
  LinePart,
  Party,
  References,
  StatementLine,
  StatementTotals,
} from "../bank-statement.ts";
import {
  checkedDate,
  cleanText,
  meaningful,
  negate,
  originalPart,
  readAmount,
  unescapeEntities,
} from "../bank-values.ts";
import { currencyAt, dateAt, isTrue, signedAmount, textAt } from "./camt-xml.ts";

/** Facts of the statement that its entries need. */
export interface EntryContext {
  readonly totals: StatementTotals;
  readonly currency: string | undefined;
  readonly closingDate: string | undefined;
}

/** Facts of an entry that all its lines share. */
interface EntryFacts {
  readonly entry: XmlNode;
  readonly location: string;
  readonly amount: Cents;
  readonly currency: string | undefined;
  /** Id of the entry that the bank assigned. */
  readonly id: string | undefined;
  readonly isReversal: boolean;
  readonly text: string | undefined;
  readonly whole: Pick<StatementLine, "date" | "valueDate" | "currency" | "type" | "source">;
}

/** One line for an entry, or one for each payment of a batch whose payments add up to it. */
export function linesOfEntry(
  entry: XmlNode,
  source: string,
  location: string,
  { closingDate, currency: accountCurrency, totals }: EntryContext,
): StatementLine[] {
  const amount = signedAmount(entry, location);
  const currency = currencyAt(entry, "Amt") ?? accountCurrency;
  if (accountCurrency !== undefined && currency !== accountCurrency) {
    totals.warn(`A line of an account in ${accountCurrency} is in ${currency}.`);
  }
  const valueDate = dateAt(entry, "ValDt/Dt") ?? dateAt(entry, "ValDt/DtTm");
  const date =
    dateAt(entry, "BookgDt/Dt") ?? dateAt(entry, "BookgDt/DtTm") ?? valueDate ?? closingDate ?? "";
  const entryFacts: EntryFacts = {
    entry,
    location,
    amount,
    currency,
    id: meaningful(textAt(entry, "AcctSvcrRef")),
    isReversal: isTrue(textAt(entry, "RvslInd")),
    text: textAt(entry, "AddtlNtryInf"),
    whole: {
      date: checkedDate(date, date, location),
      valueDate,
      currency,
      type: transactionCode(entry),
      source,
    },
  };
  const details = entry.all("NtryDtls").flatMap((group) => group.all("TxDtls"));
  const [only] = details;
  if (details.length === 1 && only !== undefined) return [singlePayment(entryFacts, only)];
  const amounts = details.map((detail) => detailAmount(detail, amount, currency, location));
  const isComplete =
    amounts.length > 1 &&
    amounts.every((amount) => amount !== undefined) &&
    sum(amounts as Cents[]) === amount;
  return isComplete
    ? details.map((detail, index) => ({
        ...batchPayment(entryFacts, detail, amounts[index] as Cents),
        batch: { id: entryFacts.id, amount, place: index + 1, count: details.length },
      }))
    : [entryOfParts(entryFacts, details, amounts)];
}

function singlePayment(entryFacts: EntryFacts, detail: XmlNode): StatementLine {
  const { entry, location: place, amount, currency } = entryFacts;
  const ownAmount = detailAmount(detail, amount, currency, place);
  const parts = [...chargesOf(entry, place), ...chargesOf(detail, place)];
  if (parts.length > 0 && ownAmount !== undefined && ownAmount !== amount) {
    parts.unshift({ kind: "detail", amount: ownAmount, currency });
  }
  const original =
    originalOf(detail, amount, currency, place) ?? originalOf(entry, amount, currency, place);
  if (original !== undefined) parts.push(original);
  return {
    ...entryFacts.whole,
    amount,
    id: entryFacts.id ?? meaningful(textAt(detail, "Refs/AcctSvcrRef")),
    ...paymentOf(detail, amount, entryFacts.isReversal, entryFacts.text),
    parts,
  };
}

function batchPayment(entryFacts: EntryFacts, detail: XmlNode, amount: Cents): StatementLine {
  const { location: place, currency } = entryFacts;
  const original = originalOf(detail, amount, currency, place);
  return {
    ...entryFacts.whole,
    amount,
    id: meaningful(textAt(detail, "Refs/AcctSvcrRef")) ?? entryFacts.id,
    ...paymentOf(detail, amount, entryFacts.isReversal, entryFacts.text),
    parts: [...chargesOf(detail, place), ...(original === undefined ? [] : [original])],
  };
}

/** Converts an entry whose payments do not add up to its amount; they become parts of one line. */
function entryOfParts(
  { entry, location: place, amount, currency, id, isReversal, text: entryText, whole }: EntryFacts,
  details: readonly XmlNode[],
  amounts: readonly (Cents | undefined)[],
): StatementLine {
  const original = originalOf(entry, amount, currency, place);
  const payments = details.map((detail, index): LinePart => {
    const { isReturn, ...payment } = paymentOf(detail, amount, isReversal, undefined);
    return { kind: "detail", amount: amounts[index] ?? zeroCents, currency, ...payment };
  });
  return {
    ...whole,
    amount,
    id,
    isReturn: isReversal,
    references: {},
    text: entryText ?? "",
    parts: [...payments, ...chargesOf(entry, place), ...(original === undefined ? [] : [original])],
  };
}

/** Facts of one payment in an entry. */
function paymentOf(
  detail: XmlNode,
  amount: Cents,
  isReversal: boolean,
  entryText: string | undefined,
): Pick<StatementLine, "isReturn" | "party" | "references" | "text"> {
  const isReturn = isReversal || detail.all("RtrInf").length > 0;
  return {
    isReturn,
    // In a return, creditor and debtor are those of the original payment.
    party: partyOf(detail, amount >= 0 === isReturn ? "Cdtr" : "Dbtr"),
    references: referencesOf(detail),
    text: textOf(detail, entryText),
  };
}

function partyOf(detail: XmlNode, role: "Cdtr" | "Dbtr"): Party | undefined {
  const of = (path: string) => textAt(detail, path);
  const party = {
    name:
      of(`RltdPties/${role}/Nm`) ??
      of(`RltdPties/${role}/Pty/Nm`) ??
      of(`RltdPties/${role}/Agt/FinInstnId/Nm`),
    iban: of(`RltdPties/${role}Acct/Id/IBAN`),
    account: of(`RltdPties/${role}Acct/Id/Othr/Id`),
    bic: of(`RltdAgts/${role}Agt/FinInstnId/BICFI`) ?? of(`RltdAgts/${role}Agt/FinInstnId/BIC`),
    ultimate: of(`RltdPties/Ultmt${role}/Nm`) ?? of(`RltdPties/Ultmt${role}/Pty/Nm`),
  };
  return Object.values(party).some((value) => value !== undefined) ? party : undefined;
}

function referencesOf(detail: XmlNode): References {
  const of = (path: string) => meaningful(textAt(detail, path));
  const structured = detail.all("RmtInf").flatMap((info) => info.all("Strd"));
  return {
    endToEnd: of("Refs/EndToEndId"),
    mandate: of("Refs/MndtId"),
    transaction: of("Refs/TxId") ?? of("Refs/UETR"),
    instruction: of("Refs/InstrId"),
    cheque: of("Refs/ChqNb"),
    creditor: of("RltdPties/Cdtr/Id/PrvtId/Othr/Id") ?? of("RltdPties/Cdtr/Pty/Id/PrvtId/Othr/Id"),
    structured: structured.map((node) => meaningful(textAt(node, "CdtrRefInf/Ref"))).find(Boolean),
    document: structured
      .flatMap((xmlNode) => xmlNode.all("RfrdDocInf"))
      .map((xmlNode) => meaningful(textAt(xmlNode, "Nb")))
      .find(Boolean),
  };
}

/** Length of a text line; a full line may be cut inside a word or number. */
const textLineLength = 140;

function textOf(detail: XmlNode, entryText: string | undefined): string {
  let text = "";
  for (const info of detail.all("RmtInf")) {
    let isFull = false;
    for (const line of info.all("Ustrd")) {
      const unescapedLine = unescapeEntities(line.text);
      text += (text === "" || isFull ? "" : " ") + unescapedLine;
      isFull = unescapedLine.length >= textLineLength;
    }
    for (const xmlNode of info.all("Strd")) {
      const numbers = [textAt(xmlNode, "CdtrRefInf/Ref")];
      for (const document of xmlNode.all("RfrdDocInf")) numbers.push(textAt(document, "Nb"));
      text = withText(text, [...numbers, textAt(xmlNode, "AddtlRmtInf")]);
    }
  }
  return cleanText(withText(text, [textAt(detail, "AddtlTxInf"), entryText])) ?? "";
}

/** Appends texts that the text does not contain yet. */
function withText(text: string, moreTexts: readonly (string | undefined)[]): string {
  return moreTexts.reduce<string>(
    (text, name) => (name === undefined || text.includes(name) ? text : `${text} ${name}`),
    text,
  );
}

/** Amount of a payment in the account's currency; undefined where it has none. */
function detailAmount(
  detail: XmlNode,
  entryAmount: Cents,
  currency: string | undefined,
  location: string,
): Cents | undefined {
  const node = [...detail.all("Amt"), ...detail.all("AmtDtls/TxAmt/Amt")].find(
    (xmlNode) => currencyAt(xmlNode, "") === currency,
  );
  if (node === undefined) return undefined;
  const amount = readAmount(textAt(node, "") ?? "", location, "point");
  const direction = textAt(detail, "CdtDbtInd");
  const isDebit = direction === undefined ? entryAmount < 0 : direction === "DBIT";
  return isDebit ? negate(amount) : amount;
}

function originalOf(
  detail: XmlNode,
  booked: Cents,
  currency: string | undefined,
  location: string,
): LinePart | undefined {
  const paths = ["AmtDtls/InstdAmt/Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt", "Amt"];
  const node = paths
    .flatMap((path) => detail.all(path))
    .find((xmlNode) => (currencyAt(xmlNode, "") ?? currency) !== currency);
  if (node === undefined) return undefined;
  return originalPart(currencyAt(node, ""), () => {
    const amount = readAmount(textAt(node, "") ?? "", location, "point");
    return booked < 0 ? negate(amount) : amount;
  })[0];
}

/** Charges of an entry, paid by the account unless they say otherwise. */
function chargesOf(owner: XmlNode, location: string): LinePart[] {
  return owner.all("Chrgs").flatMap((charges) => {
    const records = charges.all("Rcrd");
    return (records.length > 0 ? records : [charges]).flatMap((record): LinePart[] => {
      const amountText = textAt(record, "Amt");
      if (amountText === undefined) return [];
      const amount = readAmount(amountText, location, "point");
      if (amount === 0) return [];
      return [
        {
          kind: "charge",
          amount: textAt(record, "CdtDbtInd") === "CRDT" ? amount : negate(amount),
          currency: currencyAt(record, "Amt"),
          text: textAt(record, "Tp/Prtry/Id") ?? textAt(record, "Tp/Cd"),
        },
      ];
    });
  });
}

function transactionCode(entry: XmlNode): string | undefined {
  const domain = ["Domn/Cd", "Domn/Fmly/Cd", "Domn/Fmly/SubFmlyCd"]
    .map((path) => textAt(entry, `BkTxCd/${path}`))
    .filter((code) => code !== undefined);
  return domain.length > 0 ? domain.join("-") : textAt(entry, "BkTxCd/Prtry/Cd");
}
