/** Billed quantities of a quote or an order, from the live invoices that were made from it. */

import { billedLine, isText, quantityOf } from "../../resources/billing.ts";
import { type LineQuantity, longFrom, quantityText } from "../../resources/decimal.ts";
import { invoice, purchaseOrder, quote } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "../request/context.ts";
import type { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { fetchDocuments, isLive, numberOf, type StoredDocument } from "./stored-documents.ts";

type Billings = NonNullable<StoredDocument["Billings"]>;

/** For each kind of source document its statuses before and after billing. */
export const billedKinds = {
  QUOTE: {
    resource: quote,
    into: "ACCREC",
    done: "INVOICED",
    open: "ACCEPTED",
    from: ["SENT", "ACCEPTED", "INVOICED"],
    notYet: "send it first",
  },
  PURCHASEORDER: {
    resource: purchaseOrder,
    into: "ACCPAY",
    done: "BILLED",
    open: "AUTHORISED",
    from: ["AUTHORISED", "BILLED"],
    notYet: "approve it first",
  },
} as const;

export type BilledType = keyof typeof billedKinds;

/** Returns the billed quantity of each line, in 10⁻⁴, also of billed lines without amount. */
export function billedOf(billings: Billings): Map<string, LineQuantity> {
  const billedByLine = new Map<string, LineQuantity>();
  for (const { Status = "", Lines = [] } of billings) {
    if (!isLive({ Status })) continue;
    for (const { LineItemID = "", Quantity = 0 } of Lines) {
      billedByLine.set(LineItemID, sumOfQuantities(billedByLine.get(LineItemID), Quantity));
    }
  }
  return billedByLine;
}

/** Adds quantities exactly, however long. */
export const sumOfQuantities = (...quantities: readonly (number | bigint | undefined)[]) =>
  longFrom(quantities.reduce<bigint>((sum, each) => sum + BigInt(each ?? 0), 0n)) as LineQuantity;

/** A line of the source, and the quantity of it that is billed now. */
export interface BilledLine {
  readonly line: LineItem;
  readonly quantity: LineQuantity;
}

/** Returns the unbilled rest of every line of a document. */
export function unbilledLines(
  lines: readonly LineItem[],
  billedByLine: ReadonlyMap<string, LineQuantity>,
): BilledLine[] {
  return lines.flatMap((line) => {
    const done = billedByLine.get(line.LineItemID ?? "");
    if (isText(line)) return done === undefined ? [{ line, quantity: sumOfQuantities() }] : [];
    const quantity = sumOfQuantities(quantityOf(line), -(done ?? 0));
    return !quantity ? [] : [{ line, quantity }];
  });
}

/** Whether only lines without an amount are left. */
export function isFullyBilled(parts: readonly BilledLine[]): boolean {
  return parts.every(({ line }) => isText(line));
}

interface RequestedLine {
  readonly LineItemID?: string | undefined;
  readonly LineNumber?: number | undefined;
  readonly Quantity?: LineQuantity | undefined;
}

/** Returns the lines and quantities named by a caller, each checked against its unbilled rest. */
export function checkRequested(
  requestedLines: readonly RequestedLine[],
  lines: readonly LineItem[],
  openLines: readonly BilledLine[],
  faults: Faults,
): BilledLine[] {
  const seenLines = new Set<LineItem>();
  return requestedLines.flatMap(({ LineItemID, LineNumber, Quantity }) => {
    const at =
      LineItemID === undefined
        ? (LineNumber ?? 0) - 1
        : lines.findIndex((line) => line.LineItemID === LineItemID);
    const line = lines[at];
    if (line === undefined) {
      faults.add("NotFound", `There is no line ${LineItemID ?? LineNumber ?? "without a number"}.`);
      return [];
    }
    const lineName = `Line ${at + 1}`;
    if (seenLines.has(line)) faults.add("Unique", `${lineName} is named twice.`);
    seenLines.add(line);
    const most = openLines.find((part) => part.line === line)?.quantity;
    if (most === undefined) {
      faults.add("Status", `${lineName} is billed already.`);
      return [];
    }
    const quantity = Quantity ?? most;
    const isWithin = most < 0 ? quantity < 0 && quantity >= most : quantity > 0 && quantity <= most;
    if (!isWithin) {
      const [available, wanted] = [most, quantity].map((quantity) => quantityText(quantity));
      faults.add("Form", `${lineName}: ${available} is left to bill, not ${wanted}.`);
    }
    return [{ line, quantity }];
  });
}

/** Returns the lines of the invoice or bill to create. */
export function linesFor(parts: readonly BilledLine[], hasDiscounts: boolean): Partial<LineItem>[] {
  return parts.map(({ line, quantity }) => billedLine(line, quantity, hasDiscounts));
}

/** Returns the entry in `Billings` of the source for a new invoice. */
export function billingOf({ InvoiceID }: Pick<Invoice, "InvoiceID">, parts: readonly BilledLine[]) {
  const Lines = parts.map(({ line, quantity }) => ({
    LineItemID: line.LineItemID,
    Quantity: quantity,
  }));
  return { InvoiceID, Lines };
}

/** Reopens the sources of voided or deleted invoices, so that they can be billed again. */
export async function reopenSources(
  call: RequestContext,
  tx: Tx,
  removed: readonly StoredDocument[],
): Promise<void> {
  for (const { Source, ...document } of removed) {
    if (Source?.Type === undefined || Source.SourceID === undefined) continue;
    if (Source.Type === "INVOICE") continue;
    const { resource, done, open } = billedKinds[Source.Type];
    const [source] = await fetchDocuments(tx, resource, [Source.SourceID]);
    if (source === undefined) continue;
    const isBilled = source.Status === done;
    if (isBilled) {
      await save(tx, resource, [{ ...source, Status: open, UpdatedDateUTC: call.now() }]);
    }
    const name = nameOfInvoice(document);
    const details = `${name} was ${document.Status.toLowerCase()}: what it billed can be billed again.`;
    await enter(call, tx, resource, Source.SourceID, {
      changes: isBilled ? "Reopened" : "Edited",
      details,
    });
  }
}

/** Returns the name of an invoice for people: `Invoice INV-0042`, `Bill 17`, `A bill`. */
export function nameOfInvoice(document: Pick<StoredDocument, "Type">): string {
  const number = numberOf(invoice, document);
  const noun = document.Type === "ACCREC" ? "Invoice" : "Bill";
  return number === undefined ? `A ${noun.toLowerCase()}` : `${noun} ${number}`;
}
