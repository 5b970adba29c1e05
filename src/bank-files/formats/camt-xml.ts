/** Elements of CAMT as the parser gives them, by local names, and what they hold. */
import { XMLParser } from "fast-xml-parser";
import type { Cents } from "../../ledger/money.ts";
import { BankFileError } from "../statement.ts";
import { checkedDate, cleanText, negated, readAmount, unescapeEntities } from "../values.ts";

/** An element as the parser gives it: text, or its children by name. */
export type Element =
  | string
  | { readonly [name: string]: Element | readonly Element[] | undefined };

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

const depthMax = 64;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Those of XML are replaced below, and a document's own never are.
  processEntities: false,
  isArray: (name) => lists.has(name),
  maxNestedTags: depthMax,
});

/** The direction alone says the sign; `RvslInd` does not turn it. @throws BankFileError */
export function signedAmount(owner: Element, place: string): Cents {
  const amount = readAmount(textAt(owner, "Amt") ?? "", place, "point");
  const direction = textAt(owner, "CdtDbtInd");
  if (direction === "CRDT") return amount;
  if (direction === "DBIT") return negated(amount);
  throw new BankFileError("BadFile", "An amount is neither a credit nor a debit.", place);
}

export function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

export function parse(text: string): Element {
  try {
    return parser.parse(text) as Element;
  } catch (error) {
    if (/nested tags/i.test((error as Error).message)) {
      throw new BankFileError(
        "TooMuch",
        `Elements of the file nest deeper than ${depthMax} levels.`,
      );
    }
    throw new BankFileError("BadFile", "The file is no well-formed XML.");
  }
}

/** The elements at a path: all of a list, none where a step is missing. */
export function at(element: Element, path: string): readonly Element[] {
  let found: readonly Element[] = [element];
  for (const name of path.split(".")) {
    found = found.flatMap((each): Element | readonly Element[] => {
      return typeof each === "string" ? [] : (each[name] ?? []);
    });
  }
  return found;
}

/** The text of the first element at a path, its entities replaced; undefined where it is empty. */
export function textAt(element: Element, path: string): string | undefined {
  if (typeof element === "string") return path === "#text" ? cleanText(element) : undefined;
  for (const found of at(element, path)) {
    const text = typeof found === "string" ? found : found["#text"];
    const clean = typeof text === "string" ? cleanText(unescapeEntities(text)) : undefined;
    if (clean !== undefined) return clean;
  }
  return undefined;
}

/** The calendar day at a path as it is written, whatever the zone. */
export function dateAt(element: Element, path: string): string | undefined {
  const text = textAt(element, path);
  return text === undefined ? undefined : checkedDate(text.slice(0, 10), text, path);
}
