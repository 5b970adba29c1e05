/**
 * Bodies as a stranger's program writes and reads them, knowing nothing of the descriptions.
 *
 * A record is the same plain object in both formats: every value is text in its shortest form, a
 * list is a list, and what is empty is absent.
 */
import { XMLParser } from "fast-xml-parser";
import type { Json } from "../service/fixture.ts";

export type Format = "XML" | "JSON";

const singulars: Record<string, string> = {
  Tracking: "TrackingCategory",
  History: "HistoryRecord",
  Elements: "DataContractBase",
  Rates: "CurrencyRate",
};

/** The element of one entry of a list: `Invoice` of `Invoices`. */
function singularOf(list: string): string {
  const known = singulars[list];
  if (known !== undefined) return known;
  if (list.endsWith("ies")) return `${list.slice(0, -3)}y`;
  return list.replace(/sses$/, "sss").replace(/s$/, "");
}

/** A record, or a list of them, as the body of a request. */
export function written(format: Format, list: string, records: unknown): string {
  const all = Array.isArray(records) ? records : [records];
  if (format === "JSON") return JSON.stringify({ [list]: all });
  return element(list, all);
}

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    return `<${name}>${value.map((each) => element(singularOf(name), each)).join("")}</${name}>`;
  }
  if (value === null || value === undefined) return `<${name} />`;
  const content =
    typeof value === "object"
      ? Object.entries(value).map(([inner, each]) => element(inner, each))
      : [String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;")];
  return `<${name}>${content.join("")}</${name}>`;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  trimValues: false,
});

/** What an answer says; undefined when it is in neither format. */
export function readBack(text: string): Json {
  if (text.startsWith("{") || text.startsWith("[")) return plain(JSON.parse(text));
  if (!text.startsWith("<")) return undefined;
  const document = parser.parse(text);
  return plain(document[Object.keys(document)[0] ?? ""]) ?? {};
}

function plain(value: Json): Json {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const entries = value.map((each) => plain(each) ?? {});
    return entries.length === 0 ? undefined : entries;
  }
  if (typeof value !== "object") return shortest(String(value));
  const entries = Object.entries(value).flatMap(([name, each]) => {
    if (name === "@status") return [["StatusAttributeString", String(each)]];
    if (name.startsWith("@") || name.startsWith("?")) return [];
    const read = plain(listed(name, each));
    return read === undefined || read === "" ? [] : [[name, read]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** In XML a list is an element that holds nothing but the elements of its entries. */
function listed(name: string, value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const inner = Object.keys(value);
  if (inner.length !== 1 || inner[0] !== singularOf(name)) return value;
  return [value[inner[0]]].flat();
}

/** `92.00` is 92, and a date is its day, or its second, however it was written. */
function shortest(text: string): string {
  const stamp = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text);
  const iso = stamp ? new Date(Number(stamp[1])).toISOString() : text;
  const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(iso);
  if (moment) return moment[2] === "00:00:00" ? (moment[1] ?? "") : `${moment[1]}T${moment[2]}Z`;
  return /^-?(0|[1-9]\d*)\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}
