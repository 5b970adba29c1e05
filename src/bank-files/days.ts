/**
 * Parses dates in the forms that banks write: digits in any order, month names in fourteen
 * languages, with a weekday before or a time after.
 */
import type { DateText } from "../ledger/dates/calendar.ts";
import type { DateOrder } from "./bank-statement.ts";
import { fullYear, isDay } from "./bank-values.ts";

/**
 * Month names, January to December, in English, German, French, Dutch, Spanish, Italian,
 * Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech and Hungarian.
 */
const months = [
  "january januar jaenner janvier januari enero gennaio janeiro tammikuuta styczen stycznia leden ledna",
  "february februar fevrier februari febrero febbraio fevereiro helmikuuta luty lutego unora",
  "march marz maerz mars maart mrt marzo marco marts maaliskuuta marzec marca brezen brezna marcius",
  "april avril abril aprile huhtikuuta kwiecien kwietnia duben dubna aprilis",
  "may mai mei mayo maggio maio maja toukokuuta kveten kvetna majus",
  "june juni juin junio giugno junho kesakuuta czerwiec czerwca cerven cervna junius",
  "july juli juillet julio luglio julho heinakuuta lipiec lipca cervenec cervence julius",
  "august aout augustus agosto augusti elokuuta sierpien sierpnia srpen srpna augusztus",
  "september septembre septiembre settembre setembro syyskuuta wrzesien wrzesnia zari szeptember",
  "october oktober octobre octubre ottobre outubro lokakuuta pazdziernika rijen rijna",
  "november novembre noviembre novembro marraskuuta listopada listopadu",
  "december dezember decembre diciembre dicembre dezembro desember joulukuuta grudzien grudnia prosinec prosince",
].map((names) => names.split(" "));

/** Month from 1 to 12 by a word of three or more letters that begins the name of only one month. */
function monthNamed(word: string): number | undefined {
  if (word === "mar") return 3; // also of the Finnish November
  const exactIndex = months.findIndex((names) => names.includes(word));
  if (exactIndex >= 0) return exactIndex + 1;
  const matches = months.flatMap((names, at) =>
    word.length >= 3 && names.some((name) => name.startsWith(word)) ? [at + 1] : [],
  );
  return matches.length === 1 ? matches[0] : undefined;
}

/** Serial date of a spreadsheet: days from 1899-12-30, for a cell that lost its date format. */
const serialPattern = /^[34]\d{4}$/;
/** Suffix of a date: a time with its zone, or a weekday. */
const zone = String.raw`(?:\(?[a-z]{1,5}\)?|[a-z]+/[a-z_]+)?\s*(?:[+-]\d{2}:?(?:\d{2})?)?`;
const time = String.raw`\d{1,2}[:.h]\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:[ap]\.?m\.?)?\s*${zone}`;
const behind = String.raw`\.?(?:[\sT,]+${time}|,?\s+[a-z]{2,10}\.?)?$`;
const ordinal = "(?:st|nd|rd|th|er|[.ºª])?";
const numbers = new RegExp(
  String.raw`^(\d{1,4})([/.\-'\u2019 ])(\d{1,2})[/.\-'\u2019 ](\d{4}|\d{1,2})${behind}`,
  "i",
);
const compact = new RegExp(`^((?:19|20)\\d{2})(\\d{2})(\\d{2})${behind}`);
const dayMonth = new RegExp(
  String.raw`^(\d{1,2})${ordinal}[\s./-]*(?:de\s+)?([a-z]{3,12})\.?[\s,./-]*(?:del?\s+)?['\u2019]?(\d{4}|\d{2})${behind}`,
);
const monthDay = new RegExp(
  String.raw`^([a-z]{3,12})\.?[\s./-]*(\d{1,2})${ordinal}[\s,./-]+(\d{4}|\d{2})${behind}`,
);
const yearMonth = new RegExp(String.raw`^(\d{4})[\s./-]([a-z]{3,12})[\s./-](\d{1,2})${behind}`);

/** Weekday names, short and long, before a date. */
const weekday =
  /^(?:mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|ma|wo|vr|za|zo|mie|jue|vie|sab|dom|gio|seg|ter|qua|qui|sex|man|tir|tis|ons|tor|fre|lor|son|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|lunedi|martedi|mercoledi|giovedi|venerdi|domenica|(?:maan|dins|woens|donder|vrij|zater|zon)dag|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:\.?,?\s+|\.)(?=\d)/;

/** Parts of a date whose order is open, or the date where the order is clear. */
type DateParts = readonly [first: string, second: string, third: string] | DateText;

/** Splits a date into its parts, or returns the date where it has only one meaning. */
function partsOf(text: string): DateParts | undefined {
  if (text.length > 60 || !/\d/.test(text)) return undefined;
  const bare = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .trim()
    .replace(/^\d{1,2}:\d{2}(?::\d{2})?,?\s+/, "")
    .replace(/\s+(?=\d{1,2}['’])/g, "")
    .replace(/([/.\-'’])\s+(?=\d)/g, "$1");
  if (serialPattern.test(bare)) {
    return new Date(Date.UTC(1899, 11, 30) + Number(bare) * 86_400_000).toISOString().slice(0, 10);
  }
  return namedParts(bare) ?? namedParts(bare.replace(weekday, ""));
}

function namedParts(bare: string): DateParts | undefined {
  const plain = compact.exec(bare) ?? undefined;
  if (plain !== undefined) return [plain[1], plain[2], plain[3]] as [string, string, string];
  const figures = numbers.exec(bare);
  const isShort = figures?.[1]?.length !== 4 && figures?.[4]?.length === 1 && !/['’]/.test(bare);
  if (figures !== null && !isShort)
    return [figures[1], figures[3], figures[4]] as [string, string, string];
  if (!/[a-z]{3}/.test(bare)) return undefined;
  const firstWord = /^[a-z]+/.exec(bare)?.[0];
  const worded =
    firstWord !== undefined && monthNamed(firstWord) === undefined
      ? bare.replace(/^[a-z]{2,10}(?:\.?,?\s+|\.)/, "")
      : bare;
  const dayFirst = dayMonth.exec(worded);
  if (dayFirst !== null) return dayOf(dayFirst[3], dayFirst[2], dayFirst[1]);
  const monthFirst = monthDay.exec(worded);
  if (monthFirst !== null) return dayOf(monthFirst[3], monthFirst[1], monthFirst[2]);
  const yearFirst = yearMonth.exec(worded);
  return yearFirst === null ? undefined : dayOf(yearFirst[1], yearFirst[2], yearFirst[3]);
}

function dayOf(year = "", word = "", day = ""): DateText | undefined {
  const month = monthNamed(word);
  return month === undefined ? undefined : dateFrom(year, String(month), day);
}

function dateFrom(year: string, month: string, day: string): DateText | undefined {
  if (year.length !== 4 && year.length > 2) return undefined;
  const full = year.length === 4 ? Number(year) : fullYear(Number(year));
  const date = `${String(full).padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(date) ? date : undefined;
}

/**
 * Parses `28.02'2009`, `1/ 2'26`, `2026-01-31T10:00`, `31 Jan 2026`, `20260131`; undefined for
 * other text.
 */
export function readDay(text: string, order: DateOrder): DateText | undefined {
  const parts = partsOf(text);
  if (parts === undefined || typeof parts === "string") return parts;
  const [first, second, third] = parts;
  if (first.length === 4 || order === "ymd") return dateFrom(first, second, third);
  return order === "dmy" ? dateFrom(third, second, first) : dateFrom(third, first, second);
}

/** Parses a date with only one meaning: year first, month by name, or a serial date. */
export function unambiguousDay(text: string): DateText | undefined {
  const parts = partsOf(text);
  if (parts === undefined || typeof parts === "string") return parts;
  const [first, second, third] = parts;
  return first.length === 4 ? dateFrom(first, second, third) : undefined;
}

/**
 * Parses a serial date of a spreadsheet, for a cell that lost its format, with or without a time.
 */
export function serialDay(text: string): DateText | undefined {
  const [whole = "", time = "0"] = text.split(".");
  return serialPattern.test(whole) && /^\d+$/.test(time) ? unambiguousDay(whole) : undefined;
}

/** Whether text has the form of a date, even one that does not exist; serial dates do not count. */
export function isDayLike(text: string): boolean {
  return !serialPattern.test(text) && partsOf(text) !== undefined;
}
