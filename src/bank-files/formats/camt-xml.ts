/** Reads CAMT elements by their local names. */
import type { Cents } from "../../ledger/money.ts";
import { foreignDepthMax, foreignXml } from "../../wire/foreign-xml.ts";
import type { XmlNode } from "../../wire/xml.ts";
import { BankFileError } from "../bank-statement.ts";
import { checkedDate, cleanText, negate, readAmount, unescapeEntities } from "../bank-values.ts";

/**
 * Signed amount; only the credit/debit indicator decides the sign, and `RvslInd` does not invert
 * it.
 *
 * @throws BankFileError
 */
export function signedAmount(owner: XmlNode, location: string): Cents {
  const amount = readAmount(textAt(owner, "Amt") ?? "", location, "point");
  const direction = textAt(owner, "CdtDbtInd");
  if (direction === "CRDT") return amount;
  if (direction === "DBIT") return negate(amount);
  throw new BankFileError("BadFile", "An amount is neither a credit nor a debit.", location);
}

export function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

export function parse(text: string): XmlNode {
  try {
    return foreignXml(text);
  } catch (error) {
    if (/nested tags/i.test((error as Error).message)) {
      throw new BankFileError(
        "TooMuch",
        `Elements of the file nest deeper than ${foreignDepthMax} levels.`,
      );
    }
    throw new BankFileError("BadFile", "The file is no well-formed XML.");
  }
}

/** Text of the first element at a path, entities decoded; undefined where it is empty. */
export function textAt(node: XmlNode, path: string): string | undefined {
  for (const { text } of node.all(path)) {
    const clean = cleanText(unescapeEntities(text));
    if (clean !== undefined) return clean;
  }
  return undefined;
}

/** Currency of the amount at a path. */
export function currencyAt(node: XmlNode, path: string): string | undefined {
  return cleanText(node.all(path)[0]?.attributes.Ccy ?? "");
}

/** Date at a path as written, whatever the time zone. */
export function dateAt(node: XmlNode, path: string): string | undefined {
  const text = textAt(node, path);
  return text === undefined ? undefined : checkedDate(text.slice(0, 10), text, path);
}
