/**
 * Reads facts above and below the lines: the account, its currency, balances, and period of the
 * statement.
 */
import type { Cents } from "../../ledger/money.ts";
import { hasFormOfIban } from "../../resources/common.ts";
import type { AccountId } from "../bank-statement.ts";
import { markOf } from "../bank-values.ts";
import { isDayLike } from "../days.ts";
import { cellAmount, type Row } from "./cells.ts";
import { plainHeading, plainWords } from "./columns/headings.ts";

export interface Preamble {
  readonly account: AccountId;
  readonly currency: string | undefined;
  readonly opening: Cents | undefined;
  readonly closing: Cents | undefined;
  /** Period as written, from a row with two dates. */
  readonly period: readonly string[];
}

/** Words of an opening balance; the next are of a closing one, of one that is not in the books. */
export const openingName =
  /\b(?:opening\w*|beginning|anterior|poczatkow\w*|precedente?|old|oud|alter|letzter|anfangs\w*|previous|start\w*|brought|b f|b d|bf|ancien|initial\w*|inicial|iniziale|begin\w*|vorig\w*|vortrag|saldovortrag|ouverture|depart|apertura|abertura|inn?gaende|primo|alku\w*|pocatecni|nyito)\b/;
export const closingName =
  /\b(?:closing|booked|current|new|nieuw|neuer|end\w*|eind\w*|schluss\w*|slut\w*|slot\w*|loppu\w*|final\w*|nouveau|carried|c f|c d|cf|cloture|cierre|chiusura|fecho|koncow\w*|konecny|utgaende|ultimo|zaro|actual|attuale|atual|actuel)\b/;
export const notHeldName = /avail|verfugbar|disponib|beschikbaar|tillganglig/;
const bareName = /\b(?:ledger|kontostand|saldo|solde)\b/;
const balanceName = /balance|saldo|solde|kontostand|stand\b/;
/** Whether a row is named a balance by its first cell, below the lines also with a day. */
export function isBalanceRow({ texts }: Row): boolean {
  return balanceName.test(plainHeading(texts.find((text) => text !== "") ?? ""));
}

const daysIn = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2} \p{L}{3,10} \d{4}/gu;

export function preambleOf(above: readonly Row[], footer: readonly Row[]): Preamble {
  let number: string | undefined;
  let iban: string | undefined;
  let currency: string | undefined;
  let [opening, closing] = [undefined as Cents | undefined, undefined as Cents | undefined];
  let period: readonly string[] = [];
  for (const row of [...above, ...footer]) {
    const cellTexts = row.isCommaParted ? withWholeAmount(row.texts) : row.texts;
    const [name = "", ...values] = cellTexts
      .flatMap((text) => text.split(/(?<=\p{L}.*?):\s+|:$/u))
      .filter((text) => text !== "");
    const bare = plainWords(name);
    const whole = cellTexts.join(" ");
    for (const text of whole.match(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g) ??
      []) {
      if (hasFormOfIban(text)) iban ??= text.replaceAll(" ", "");
    }
    const parts = /bank (\d+)[;,] *branch (\d+)[;,] *account ([\d-]+)/i.exec(whole);
    if (parts !== null) number ??= parts.slice(1).join("-");
    const [value = ""] = values;
    if (
      /\b(?:account|konto|kontonummer|rekening|compte|cuenta|conto|account number)\b/.test(bare)
    ) {
      const digits = /[\d*][\d -]{4,}[\dX]/.exec(value)?.[0];
      if (digits !== undefined && !isDayLike(value)) number ??= digits.trim();
    }
    if (
      /\b(?:currency|wahrung|valuta|munt|devise|moneda|divisa)\b/.test(bare) &&
      /^[A-Z]{3}$/.test(value)
    )
      currency ??= value;
    const days = whole.match(daysIn) ?? [];
    if (days.length === 2 && period.length === 0) period = days;
    if (!balanceName.test(bare) || notHeldName.test(bare)) continue;
    const amount = values.map(amountOf).find((cents) => cents !== undefined);
    if (amount === undefined) continue;
    if (openingName.test(bare)) opening ??= amount;
    else if (closingName.test(bare) || bareName.test(bare)) closing ??= amount;
  }
  return {
    account: {
      iban,
      number,
    },
    currency,
    opening,
    closing,
    period,
  };
}

/** Joins an amount without quotes, as `Balance : 1,917.50` or `Saldo: 917,50 vom …`, that commas have parted. */
function withWholeAmount(texts: readonly string[]): readonly string[] {
  const [first = "", second = "", ...others] = texts;
  const isThousands =
    /: \D*[1-9]\d{0,2}(?:,\d{3})*$/.test(first) &&
    /^\d{3}(?!\d)/.test(second) &&
    !isDayLike(second);
  const isDecimal =
    /: \D*\d{1,3}(?:\.\d{3})*$/.test(first) && /^\d{2} /.test(second) && dayBehind.test(second);
  return isThousands || isDecimal ? withWholeAmount([`${first},${second}`, ...others]) : texts;
}

const dayBehind = / (?:as (?:of|at|on)|at|on|per|vom|am|zum|au|al|op) [^a-z]*\d.*$/i;

/** Amount in a text, if its decimal mark is unambiguous; a day may follow, as in `9.50 as of …`. */
function amountOf(cell: string): Cents | undefined {
  const text = cell.replace(dayBehind, "");
  const decimalMark = markOf(text);
  if (decimalMark === "none" || decimalMark === "open" || isDayLike(text)) return undefined;
  const amount = cellAmount(text, decimalMark ?? "point");
  return typeof amount === "number" ? amount : undefined;
}
