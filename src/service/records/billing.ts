/**
 * POST /Quotes/{id}/Invoice and POST /PurchaseOrders/{id}/Bill: create the invoice or bill of a
 * quote or an order, wholly or in part, and record the billing in one transaction. Extensions.
 */

import { type BillingInput, billing } from "../../resources/billing.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { validate } from "../../resources/validate.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import {
  type BilledLine,
  type BilledType,
  billedKinds,
  billedOf,
  billingOf,
  checkRequested,
  isFullyBilled,
  linesFor,
  nameOfInvoice,
  sumOfQuantities,
  unbilledLines,
} from "../documents/billing.ts";
import { showBillings } from "../documents/expand.ts";
import { numberOf, type StoredDocument } from "../documents/stored-documents.ts";
import type { DocumentBatchContext } from "../documents/writing/batch-context.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { type Endpoint, locate } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { readOptional, writeOne } from "../request/write.ts";
import { invoices, purchaseOrders, quotes } from "./documents.ts";

export function billQuote(call: RequestContext, key: string): Promise<ServiceResponse> {
  return billDocument(call, quotes, "QUOTE", key);
}

export function billOrder(call: RequestContext, key: string): Promise<ServiceResponse> {
  return billDocument(call, purchaseOrders, "PURCHASEORDER", key);
}

async function billDocument(
  call: RequestContext,
  endpoint: Endpoint<StoredDocument, DocumentBatchContext>,
  type: BilledType,
  key: string,
): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const source = await locate(call, tx, endpoint, key);
    const { Lines, ...fields } = readBilling(call);
    const { resource, into, done } = billedKinds[type];
    checkStatus(source, type);
    const id = idOf(resource, source);
    const lines = (await linesOf(tx, [id])).get(id) ?? [];
    await showBillings(tx, [source]);
    const billedByLine = billedOf(source.Billings ?? []);
    const unbilled = unbilledLines(lines, billedByLine);
    if (isFullyBilled(unbilled)) throw refusal("Status", nothingLeftText(source, type));
    const faults = new Faults();
    const parts = Lines === undefined ? unbilled : checkRequested(Lines, lines, unbilled, faults);
    if (parts.length === 0 && Lines !== undefined)
      faults.add("Required", "Lines must name at least one line.");
    faults.check();
    const number = numberOf(resource, source);
    const input = {
      Contact: { ContactID: source.Contact?.ContactID },
      LineAmountTypes: source.LineAmountTypes,
      CurrencyCode: source.CurrencyCode,
      ...(source.BrandingThemeID === undefined ? {} : { BrandingThemeID: source.BrandingThemeID }),
      ...(into === "ACCREC" ? { Reference: (source.Reference ?? number)?.slice(0, 255) } : {}),
      ...fields,
      Type: into,
      LineItems: linesFor(parts, into === "ACCREC"),
    };
    const made = await makeInvoice(call, tx, input, { Type: type, SourceID: id, Number: number });
    // Invoice totals are not stored here: each read looks them up.
    const former = (source.Billings ?? []).map(({ InvoiceID, Lines }) => ({ InvoiceID, Lines }));
    const Billings = [...former, billingOf(made, parts)];
    const isBilled = isFullyBilled(unbilledAfter(unbilled, parts));
    const Status = isBilled ? done : source.Status;
    await save(tx, resource, [{ ...source, Billings, Status, UpdatedDateUTC: call.now() }]);
    const extent = isBilled ? "all that was left" : "a part";
    await enter(call, tx, resource, id, {
      changes: into === "ACCREC" ? "Invoiced" : "Billed",
      details: `${nameOfInvoice(made)} was made for ${extent} of it.`,
    });
    return answer(call, invoice, [made], "single");
  });
}

/** Reads the input of a billing. @throws RefusedError */
function readBilling(call: RequestContext): BillingInput {
  const input = readOptional(call, { resource: billing }) as BillingInput;
  const faults = new Faults();
  faults.addAll(validate(billing.fields, input, { creating: true }));
  faults.check();
  return input;
}

function checkStatus({ Status }: StoredDocument, type: BilledType): void {
  const { from, resource, notYet } = billedKinds[type];
  if ((from as readonly string[]).includes(Status)) return;
  const { noun } = resource;
  const remedy = Status === "DRAFT" || Status === "SUBMITTED" ? `; ${notYet}` : "";
  throw refusal("Status", `A ${noun} that is ${Status} cannot be billed${remedy}.`);
}

function nothingLeftText({ Billings = [], ...source }: StoredDocument, type: BilledType): string {
  const name = numberOf(billedKinds[type].resource, source) ?? "it";
  const by = Billings.filter(({ Status }) => Status !== "VOIDED" && Status !== "DELETED").map(
    ({ InvoiceNumber, InvoiceID }) => InvoiceNumber ?? InvoiceID,
  );
  const byInvoices = by.length === 0 ? "" : `, by ${by.join(", ")}`;
  return `Nothing is left to bill of ${name}${byInvoices}.`;
}

function unbilledAfter(left: readonly BilledLine[], parts: readonly BilledLine[]): BilledLine[] {
  return left.flatMap(({ line, quantity }) => {
    const now = parts.find((billedPart) => billedPart.line === line);
    if (now === undefined) return [{ line, quantity }];
    return now.quantity === quantity
      ? []
      : [{ line, quantity: sumOfQuantities(quantity, -now.quantity) }];
  });
}

/** Creates the document by the rules of /Invoices. @throws RefusedError */
async function makeInvoice(
  call: RequestContext,
  tx: Tx,
  input: object,
  Source: NonNullable<StoredDocument["Source"]>,
): Promise<Invoice & StoredDocument> {
  const entry = await writeOne({ call, tx }, invoices, { input, own: { Source } });
  const { record, errors, history } = entry;
  if (record === undefined || errors.length > 0) throw refusalFor(errors);
  const invoiceMade = record as unknown as Invoice & StoredDocument;
  const noun = Source.Type === "QUOTE" ? "quote" : "purchase order";
  await enter(call, tx, invoice, invoiceMade.InvoiceID, ...history, {
    changes: "Made",
    details: `It was made from the ${noun} ${Source.Number ?? Source.SourceID}.`,
  });
  return invoiceMade;
}
