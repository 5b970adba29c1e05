/** What a bank gives its customer: the lines of a month in each of five formats. */
import { csvRow } from "../../src/cli/render/csv-row.ts";
import { type BankCode, inUnits, type Line } from "./plan.ts";

/** A month of an account. */
export interface Statement {
  /** Of the account, at the bank. */
  readonly number: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  /** Counted from 1. */
  readonly sequence: number;
  readonly opening: number;
  readonly lines: readonly Line[];
}

const formats = ["ofx", "camt", "mt940", "qif", "csv"] as const;
export type FormatName = (typeof formats)[number];

export const banks: readonly BankCode[] = ["current", "savings", "dollars"];

/** Every account comes in another format than the others, and than the month before. */
export function formatOf(account: BankCode, month: number): FormatName {
  return formats[(month + banks.indexOf(account) * 2) % formats.length] ?? "ofx";
}

/** Whether the statement of a month tells what the bank has charged for a payment. */
export function chargesTold(account: BankCode, month: number): boolean {
  return ["camt", "mt940"].includes(formatOf(account, month));
}

/** Whether a file says of which account it is. */
export const saysAccount: Readonly<Record<FormatName, boolean>> = {
  ofx: true,
  camt: true,
  mt940: true,
  qif: false,
  csv: false,
};

export const writers: Readonly<Record<FormatName, (statement: Statement) => string>> = {
  ofx: writeOfx,
  camt: writeCamt,
  mt940: writeMt940,
  qif: writeQif,
  csv: writeCsv,
};

export const closingOf = ({ opening, lines }: Statement) =>
  lines.reduce((sum, { amount }) => sum + amount, opening);

/** An id of the bank, the same whenever it is asked for the month. */
const idOf = ({ number, to }: Statement, place: number) =>
  `${number.slice(-2)}${to.replaceAll("-", "").slice(0, 6)}${String(place + 1).padStart(3, "0")}`;

const compact = (date: string) => date.replaceAll("-", "");
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Version 1: SGML, of which values are not closed. */
function writeOfx(statement: Statement): string {
  const { number, currency, from, to, lines } = statement;
  const transactions = lines.map(({ date, amount, payee, text, reference, original }, place) => {
    const rate = original === undefined ? 0 : Math.abs(amount / original.amount);
    return [
      `<STMTTRN><TRNTYPE>${amount > 0 ? "CREDIT" : "DEBIT"}<DTPOSTED>${compact(date)}120000`,
      `<TRNAMT>${inUnits(amount)}<FITID>${idOf(statement, place)}`,
      ...(reference === undefined ? [] : [`<REFNUM>${xml(reference)}`]),
      `<NAME>${xml(payee)}`,
      ...(original === undefined
        ? []
        : [`<ORIGCURRENCY><CURRATE>${rate}<CURSYM>${original.currency}</ORIGCURRENCY>`]),
      `<MEMO>${xml(text)}</STMTTRN>`,
    ].join("\n");
  });
  return `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>${currency}
<BANKACCTFROM><BANKID>12<ACCTID>${number}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>${compact(from)}<DTEND>${compact(to)}
${transactions.join("\n")}
</BANKTRANLIST>
<LEDGERBAL><BALAMT>${inUnits(closingOf(statement))}<DTASOF>${compact(to)}</LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
}

function writeCamt(statement: Statement): string {
  const { number, currency, from, to, sequence, opening, lines } = statement;
  const signed = (amount: number) =>
    `<Amt Ccy="${currency}">${inUnits(Math.abs(amount))}</Amt>` +
    `<CdtDbtInd>${amount < 0 ? "DBIT" : "CRDT"}</CdtDbtInd>`;
  const balance = (code: string, amount: number, date: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${signed(amount)}<Dt><Dt>${date}</Dt></Dt></Bal>`;
  const entries = lines.map((line, place) => {
    const { date, amount, payee, text, reference, original, charge } = line;
    const charged =
      charge === undefined
        ? ""
        : `<Chrgs><Amt Ccy="${currency}">${inUnits(charge)}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Chrgs>`;
    const party = amount < 0 ? "Cdtr" : "Dbtr";
    const instructed =
      original === undefined
        ? ""
        : `<AmtDtls><InstdAmt><Amt Ccy="${original.currency}">${inUnits(Math.abs(original.amount))}</Amt></InstdAmt></AmtDtls>`;
    return [
      `<Ntry>${signed(amount)}<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt>`,
      `<AcctSvcrRef>${idOf(statement, place)}</AcctSvcrRef><NtryDtls><TxDtls>`,
      `<Refs><EndToEndId>${xml(reference ?? "NOTPROVIDED")}</EndToEndId></Refs>${instructed}${charged}`,
      `<RltdPties><${party}><Nm>${xml(payee)}</Nm></${party}></RltdPties>`,
      `<RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    ].join("");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Id>${number}-${sequence}</Id><ElctrncSeqNb>${sequence}</ElctrncSeqNb>
<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${number}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balance("OPBD", opening, from)}
${balance("CLBD", closingOf(statement), to)}
${entries.join("\n")}
</Stmt></BkToCstmrStmt></Document>
`;
}

const partLength = 27;

function writeMt940(statement: Statement): string {
  const { number, currency, from, to, sequence, opening, lines } = statement;
  const short = (date: string) => compact(date).slice(2);
  const money = (amount: number) => inUnits(Math.abs(amount)).replace(".", ",");
  const mark = (amount: number) => (amount < 0 ? "D" : "C");
  /** Numbered parts, each as long as the format lets it be. */
  const parts = (text: string, first: number) => {
    const count = Math.ceil(text.length / partLength);
    return Array.from(
      { length: count },
      (_, at) => `?${first + at}${text.slice(at * partLength, (at + 1) * partLength)}`,
    ).join("");
  };
  const rows = lines.map((line, place) => {
    const { date, amount, payee, text, reference, original, charge } = line;
    const day = `${short(date)}${compact(date).slice(4)}`;
    const end = reference === undefined ? "" : `EREF+${reference} `;
    const told = [
      ...(original === undefined ? [] : [`/OCMT/${original.currency}${money(original.amount)}/`]),
      ...(charge === undefined ? [] : [`/CHGS/${currency}${money(charge)}/`]),
    ];
    const below = told.length === 0 ? "" : `\n${told.join("")}`;
    return (
      `:61:${day}${mark(amount)}${money(amount)}NTRFNONREF//${idOf(statement, place)}${below}\n` +
      `:86:166?00TRANSFER${parts(`${end}SVWZ+${text}`, 20)}${parts(payee, 32)}`
    );
  });
  return `:20:STATEMENT
:25:${number}
:28C:${sequence}/1
:60F:${mark(opening)}${short(from)}${currency}${money(opening)}
${rows.join("\n")}
:62F:${mark(closingOf(statement))}${short(to)}${currency}${money(closingOf(statement))}
-
`;
}

/** Tells neither the account nor a balance. */
function writeQif({ lines }: Statement): string {
  const records = lines.map(({ date, amount, payee, text, reference }) => {
    const [year, month, day] = date.split("-");
    const number = reference === undefined ? [] : [`N${reference}`];
    const fields = [`D${day}/${month}'${year}`, `T${inUnits(amount)}`, ...number];
    return [...fields, `P${payee}`, `M${text}`, "^"].join("\n");
  });
  return ["!Type:Bank", ...records, ""].join("\n");
}

/** The newest first, with what was paid out and in apart. */
function writeCsv({ opening, lines }: Statement): string {
  let balance = opening;
  const rows = lines.map(({ date, amount, payee, text, reference = "" }) => {
    balance += amount;
    const [out, in_] = amount < 0 ? [inUnits(-amount), ""] : ["", inUnits(amount)];
    return [date, payee, text, reference, out, in_, inUnits(balance)];
  });
  const heading = ["Date", "Payee", "Details", "Reference", "Debit", "Credit", "Balance"];
  return [heading, ...rows.toReversed()].map((row) => csvRow(row)).join("");
}
