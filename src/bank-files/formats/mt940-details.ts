/**
 * Parses the details of an MT940 line (`:86:`) in the structures of banks: German with numbered
 * parts, Dutch with tags between slashes, and plain text.
 *
 * Line and part breaks may split words and numbers, so a full line or part is joined to the next
 * without a space.
 */
import type { Party, References } from "../bank-statement.ts";
import { accountOf, cleanText, meaningful } from "../bank-values.ts";

export interface Money {
  readonly currency: string;
  /** Amount as written. */
  readonly amount: string;
}

export interface Details {
  /** Transaction code. */
  readonly code?: string | undefined;
  readonly text: string;
  readonly isReturn: boolean;
  readonly party?: Party | undefined;
  readonly references: References;
  readonly original?: Money | undefined;
  readonly charge?: Money | undefined;
}

/** German transaction codes of returns. */
const returnCodes = new Set(["108", "109", "159", "181", "899"]);

/**
 * Length of a full line; the next constant is the length of a full part. Shorter ones end at the
 * end of a word.
 */
const fullLine = 64;
const fullPart = 27;

export function readDetails(details: readonly string[], names: readonly string[]): Details {
  const joined = details.map((detail) => detail.replaceAll("\n", "")).join("");
  const german = /^\s*(\d{3})([?<>~^])(?=\d\d)/.exec(joined);
  if (german !== null) {
    return readGerman(german[1] as string, joined.slice(german[0].length - 1), german[2] as string);
  }
  const text = details.map(joinWrapped).join(" ");
  if (/^\s*\/[A-Z]{3,4}\//.test(text) && slashTags.test(text)) return readSlashed(text);
  if (/\b(?:IBAN|NAAM):/.test(text)) return readDutch(text);
  return { ...readNames(names), ...(details.length > 0 ? { text: cleanText(text) ?? "" } : {}) };
}

/** Joins plain text without its line breaks. */
function joinWrapped(text: string): string {
  return text
    .split("\n")
    .reduce((joined, line, at, lines) =>
      at > 0 && (lines[at - 1]?.length ?? 0) >= fullLine ? joined + line : `${joined} ${line}`,
    );
}

/** SEPA keys inside the text of the German structure and of similar ones. */
const sepaKeys = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)\+/;

function readGerman(code: string, coded: string, separator: string): Details {
  const parts = new Map<string, string>();
  // Other numbers after the separator belong to the text.
  const detailPieces = coded.split(
    new RegExp(`\\${separator}(0[0-9]|1[0-9]|2[0-9]|3[0-48]|6[0-9]|7[0-9])`),
  );
  for (let at = 1; at < detailPieces.length; at += 2) {
    const number = detailPieces[at] as string;
    parts.set(number, (parts.get(number) ?? "") + detailPieces[at + 1]);
  }
  const numbered = (startIndex: number, to: number) => {
    let text = "";
    let isFull = true;
    for (let number = startIndex; number <= to; number += 1) {
      const partText = parts.get(String(number));
      if (partText === undefined) continue;
      text += (isFull ? "" : " ") + partText;
      isFull = partText.length >= fullPart;
    }
    return text;
  };
  const long = numbered(20, 29) + numbered(60, 63);
  const [before = "", ...keyed] = long.split(sepaKeys);
  const valueByKey = new Map<string, string>();
  for (let at = 0; at < keyed.length; at += 2) {
    const key = keyed[at] as string;
    if (!valueByKey.has(key)) valueByKey.set(key, keyed[at + 1] ?? "");
  }
  const of = (key: string) => meaningful(valueByKey.get(key));
  const text =
    cleanText([before, valueByKey.get("SVWZ") ?? ""].join(" ")) ?? cleanText(parts.get("00"));
  const account = cleanText(parts.get("38")) ?? of("IBAN") ?? cleanText(parts.get("31"));
  return {
    code,
    text: text ?? "",
    isReturn: returnCodes.has(code),
    party: nonEmpty({
      name: cleanText(numbered(32, 33)),
      ...accountOf(account),
      bic: of("BIC") ?? cleanText(parts.get("30")),
      ultimate: of("ABWA") ?? of("ABWE"),
    }),
    references: {
      endToEnd: of("EREF"),
      mandate: of("MREF"),
      creditor: of("CRED"),
      instruction: of("KREF"),
    },
    original: moneyOf(valueByKey.get("OAMT")) ?? slashMoney("OCMT", long),
    charge: moneyOf(valueByKey.get("COAM")) ?? slashMoney("CHGS", long),
  };
}

/** Tags that end the preceding value; other slashes are part of values. */
const slashNames =
  "TRTP|IBAN|BIC|NAME|REMI|EREF|CSID|MARF|PREF|CNTP|BENM|ORDP|ISDT|RTRN|ULTB|ULTD|ULTC|PURP|ADDR|EXCH|OCMT|CHGS|SVCL|SWOC";
const slashTags = new RegExp(`/(${slashNames})(?=/)`);

function readSlashed(joinedDetails: string): Details {
  const valueByTag = new Map<string, string>();
  const detailPieces = joinedDetails.trim().split(slashTags);
  for (let at = 1; at < detailPieces.length; at += 2) {
    const tag = detailPieces[at] as string;
    const value = (detailPieces[at + 1] ?? "").slice(1);
    if (!valueByTag.has(tag) || valueByTag.get(tag) === "") valueByTag.set(tag, value);
  }
  const of = (tag: string) => meaningful(valueByTag.get(tag)?.replace(/\/+$/, ""));
  const isParty = ["NAME", "REMI", "CNTP"].some((tag) => valueByTag.has(tag));
  const [iban, bic, name] = valueByTag.get("CNTP")?.split("/").map(cleanText) ?? [];
  const remittanceText = valueByTag.get("REMI")?.replace(/\/+$/, "") ?? "";
  const structured = /^STRD\/(?:CUR|ISO)\/(.*)$/.exec(remittanceText)?.[1];
  const text = structured ?? remittanceText.replace(/^USTD\/\/?/, "");
  return {
    text: cleanText(text) ?? of("TRTP") ?? (isParty ? "" : (cleanText(joinedDetails) ?? "")),
    isReturn: valueByTag.has("RTRN"),
    party: nonEmpty({
      name: name ?? of("NAME"),
      ...accountOf(iban ?? of("IBAN")),
      bic: bic ?? of("BIC"),
      ultimate: of("ULTB") ?? of("ULTD") ?? of("ULTC"),
    }),
    references: {
      endToEnd: of("EREF"),
      mandate: of("MARF"),
      creditor: of("CSID"),
      instruction: of("PREF"),
      structured: cleanText(structured),
    },
    original: slashMoney("OCMT", joinedDetails),
    charge: slashMoney("CHGS", joinedDetails),
  };
}

/** Parses the format of ABN AMRO: `SEPA OVERBOEKING IBAN: … BIC: … NAAM: … OMSCHRIJVING: …` */
function readDutch(text: string): Details {
  const detailPieces = text.split(/\b(IBAN|BIC|NAAM|OMSCHRIJVING|KENMERK|MACHTIGING|INCASSANT):/);
  const valueByKey = new Map<string, string>();
  for (let at = 1; at < detailPieces.length; at += 2)
    valueByKey.set(detailPieces[at] as string, detailPieces[at + 1] ?? "");
  const of = (key: string) => cleanText(valueByKey.get(key));
  return {
    text: of("OMSCHRIJVING") ?? cleanText(detailPieces[0]) ?? "",
    isReturn: false,
    party: nonEmpty({ name: of("NAAM"), ...accountOf(of("IBAN")), bic: of("BIC") }),
    references: {
      endToEnd: meaningful(of("KENMERK")),
      mandate: of("MACHTIGING"),
      creditor: of("INCASSANT"),
    },
  };
}

/** Parses the older `:NS:` format: numbered lines of text, where 15 is the counterparty. */
function readNames(names: readonly string[]): Details {
  const lines = names.flatMap((name) => name.split("\n"));
  const text = lines.filter((line) => /^(?:0[1-9]|1[0-4])/.test(line)).map((line) => line.slice(2));
  const party = lines.find((line) => line.startsWith("15"))?.slice(2);
  return {
    text: cleanText(text.join(" ")) ?? "",
    isReturn: false,
    party: nonEmpty({ name: cleanText(party) }),
    references: {},
  };
}

function nonEmpty(party: Party): Party | undefined {
  return Object.values(party).some((value) => value !== undefined) ? party : undefined;
}

function moneyOf(text: string | undefined): Money | undefined {
  const match = /^\s*(?:([A-Z]{3})\s*([\d.,]{1,20})|([\d.,]{1,20})\s*([A-Z]{3}))/.exec(text ?? "");
  const [, currency, amount, amountFirst, currencyLast] = match ?? [];
  if (currency !== undefined && amount !== undefined) return { currency, amount };
  if (currencyLast !== undefined && amountFirst !== undefined) {
    return { currency: currencyLast, amount: amountFirst };
  }
  return undefined;
}

/** Parses the amount in `/OCMT/EUR4,5/`. */
export function slashMoney(tag: "OCMT" | "CHGS", text: string | undefined): Money | undefined {
  const start = text?.indexOf(`/${tag}/`) ?? -1;
  return start < 0 ? undefined : moneyOf(text?.slice(start + tag.length + 2));
}
