/** Elements of an e-invoice in XML, with access to typed values. */
import { type DateText, isDate } from "../ledger/dates/calendar.ts";
import type { Cents } from "../ledger/money.ts";
import { taxCategories } from "../resources/tax-rate.ts";
import { textOfBytes } from "../wire/encoding.ts";
import { Unreadable } from "../wire/json.ts";
import { XmlNode, xmlSlices } from "../wire/xml.ts";
import { atScale, type Decimal, parseDecimal } from "./decimal.ts";
import { EInvoiceError, type Identifier, type TaxCategory } from "./model.ts";

/** Maximum length of a field in characters. */
const textMax = 10_000;
const shownMax = 40;

/** An element that returns typed values at paths below it. */
export class InvoiceNode extends XmlNode {
  /** Namespaces declared on the element. */
  get namespaces(): readonly string[] {
    return Object.values(this.attributes);
  }

  attribute(name: string): string | undefined {
    return this.attributes[name]?.trim() || undefined;
  }

  at(path: string): this | undefined {
    return this.all(path)[0];
  }

  /** Text of the element with whitespace collapsed; undefined where it is empty. */
  get value(): string | undefined {
    const text = this.text.trim();
    if (text.length > textMax) {
      throw new EInvoiceError(
        "TooMuch",
        `The text of ${this.name} is longer than ${textMax} characters.`,
      );
    }
    return text === "" ? undefined : text;
  }

  textAt(path: string): string | undefined {
    for (const node of this.all(path)) {
      const { value } = node;
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Text at a path. @throws EInvoiceError where there is none */
  requiredText(path: string, valueName: string): string {
    const text = this.textAt(path);
    if (text !== undefined) return text;
    throw new EInvoiceError("BadFile", `The e-invoice lacks ${valueName} (${path}).`);
  }

  identifier(path: string): Identifier | undefined {
    const invoiceNode = this.at(path);
    const id = invoiceNode?.value;
    return id === undefined ? undefined : { id, scheme: invoiceNode?.attribute("schemeID") };
  }

  /** Decimal at a path. @throws EInvoiceError `BadAmount` */
  decimal(path: string): Decimal | undefined {
    const text = this.textAt(path);
    if (text === undefined) return undefined;
    const value = parseDecimal(text);
    if (value !== undefined) return value;
    throw new EInvoiceError(
      "BadAmount",
      `"${text.slice(0, shownMax)}" is no number (${path || this.name}).`,
    );
  }

  /** Amount in cents at a path. @throws EInvoiceError `BadAmount` */
  cents(path: string): Cents | undefined {
    const value = this.decimal(path);
    if (value === undefined) return undefined;
    const cents = atScale(value, 2);
    if (cents !== undefined) return cents as Cents;
    const text = this.textAt(path) ?? "";
    const reason = value.scale > 2 ? "has parts of a cent" : "is too large";
    throw new EInvoiceError(
      "BadAmount",
      `The amount ${text.slice(0, shownMax)} ${reason} (${path || this.name}).`,
    );
  }

  /** Amount in cents at a path. @throws EInvoiceError where there is none */
  neededCents(path: string, valueName: string): Cents {
    const cents = this.cents(path);
    if (cents !== undefined) return cents;
    throw new EInvoiceError("BadFile", `The e-invoice lacks ${valueName} (${path}).`);
  }

  /**
   * Date at a path, from `2026-03-01` with any time zone, or `20260301`.
   *
   * @throws EInvoiceError `BadDate`
   */
  date(path: string): DateText | undefined {
    const text = this.textAt(path);
    if (text === undefined) return undefined;
    const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
    const day = compact ? compact.slice(1).join("-") : text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "");
    if (isDate(day)) return day;
    throw new EInvoiceError("BadDate", `"${text.slice(0, shownMax)}" is no date (${path}).`);
  }

  category(path: string): TaxCategory {
    const text = this.requiredText(path, "a tax category");
    const category = taxCategories.find((taxCategory) => taxCategory === text);
    if (category !== undefined) return category;
    throw new EInvoiceError(
      "BadFile",
      `The tax category ${text.slice(0, shownMax)} is none that is known (${path}); there is ${taxCategories.join(", ")}; ask the supplier for one of the European standard (EN 16931).`,
    );
  }
}

/**
 * Parses XML from bytes in its declared encoding; yields between slices of the work.
 *
 * @throws EInvoiceError; RefusedError `TooMuch`
 */
export function* parseXml(bytes: Uint8Array): Generator<void, InvoiceNode> {
  const text = decodeBytes(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new EInvoiceError(
      "Entities",
      "The file declares a document type or entities of its own, which no e-invoice does.",
    );
  }
  try {
    return (yield* xmlSlices(text, { attributes: true, node: InvoiceNode })) as InvoiceNode;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const isTruncated =
      /is not closed|does not end/.test(error.message) || /^\s*<[\s\S]*[^>\s]\s*$/.test(text);
    const code = isTruncated ? "Truncated" : "BadFile";
    const cutNote = isTruncated ? "The file was cut off: " : "The file cannot be read: ";
    throw new EInvoiceError(code, `${cutNote}${error.message}.`, { cause: error });
  }
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return textOfBytes(bytes);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new EInvoiceError("BadFile", `The file is no text that can be read: ${error.message}.`, {
      cause: error,
    });
  }
}
