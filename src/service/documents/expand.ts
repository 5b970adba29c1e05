/** Expands documents for a read: lines, payments and, for a single document, the whole contact. */

import type { Contact } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type DocumentResource, idOf } from "../../resources/field.ts";
import { contact, invoice, payment } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { allocationsOf, type ShownAllocation } from "../../store/ledger/allocations.ts";
import { movesOf, netMoves } from "../../store/ledger/stock-moves.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { View } from "../../wire/codec.ts";
import { compareText } from "../../wire/fold.ts";
import { unique } from "../request/unique.ts";
import { kindOfType } from "./document-registry.ts";
import { loadUsers } from "./load-references.ts";
import type { StoredDocument } from "./stored-documents.ts";

export async function withContents(
  tx: Tx,
  resource: DocumentResource,
  records: StoredDocument[],
  view: View,
  withCosts = false,
): Promise<StoredDocument[]> {
  const ids = records.map((record) => idOf(resource, record));
  if (view !== "list") await showBillings(tx, records);
  if (resource.fields.User !== undefined) await nameEmployees(tx, records);
  const linesById = view === "list" ? new Map<string, LineItem[]>() : await linesOf(tx, ids);
  if (withCosts) {
    const isBought = (at: number) => /^(?:ACCPAY|SPEND)$/.test(records[at]?.Type ?? "");
    await addCosts(
      tx,
      ids.filter((_, at) => !isBought(at)),
      linesById,
    );
  }
  const paid = ids.filter((_, index) => records[index]?.AmountPaid !== 0);
  const paymentsById = paid.length === 0 ? undefined : await paymentsOf(tx, resource, paid);
  const credited = ids.filter((_, index) => records[index]?.AmountCredited !== 0);
  const appliedById = credited.length === 0 ? undefined : await appliedTo(tx, resource, credited);
  const contactById = view === "single" ? await contactsOf(tx, records) : undefined;
  for (const [index, record] of records.entries()) {
    const id = ids[index] ?? "";
    record.LineItems = linesById.get(id) ?? [];
    record.Payments = paymentsById?.get(id);
    if (appliedById !== undefined) Object.assign(record, appliedById.get(id));
    record.Contact = contactById?.get(record.Contact?.ContactID ?? "") ?? record.Contact;
    record.IsDiscounted = (record.TotalDiscount ?? 0) !== 0;
  }
  return records;
}

/** Adds the names of people who are employees and no users, as which they are not stored. */
async function nameEmployees(tx: Tx, records: readonly StoredDocument[]): Promise<void> {
  const unnamed = records.flatMap(({ User }) =>
    User?.UserID !== undefined && User.EmailAddress === undefined ? [User] : [],
  );
  const personById = unnamed.length === 0 ? undefined : await loadUsers(tx, unnamed);
  for (const unnamedUser of unnamed) {
    const { FirstName, LastName } = personById?.get(unnamedUser.UserID ?? "") ?? {};
    Object.assign(unnamedUser, { FirstName, LastName });
  }
}

/** Adds to lines the cost of goods that they sold or returned. */
async function addCosts(
  tx: Tx,
  ids: readonly string[],
  linesById: ReadonlyMap<string, LineItem[]>,
): Promise<void> {
  for (const [id, moves] of await movesOf(tx, ids)) {
    for (const { line = -1, cost } of netMoves(moves)) {
      const lineItem = linesById.get(id)?.[line];
      if (lineItem !== undefined) lineItem.StockCost = Math.abs(cost) as Cents;
    }
  }
}

/** Adds to the billings of documents the current state of their invoices. */
export async function showBillings(tx: Tx, records: readonly StoredDocument[]): Promise<void> {
  const billings = records.flatMap((record) => record.Billings ?? []);
  const ids = unique(billings.map((billing) => billing.InvoiceID));
  if (ids.length === 0) return;
  const invoices = await fetch(tx, invoice, "InvoiceID", ids);
  const byId = new Map(invoices.map((record) => [record.InvoiceID, record]));
  for (const record of records) {
    record.Billings = record.Billings?.map((billing) => {
      const { InvoiceNumber, Status, Total } = byId.get(billing.InvoiceID ?? "") ?? {};
      return { ...billing, InvoiceNumber, Status, Total };
    });
  }
}

/** Returns the whole contacts of documents, by ids. */
async function contactsOf(
  tx: Tx,
  records: readonly StoredDocument[],
): Promise<Map<string, Contact>> {
  const ids = unique(records.map((record) => record.Contact?.ContactID));
  return new Map(
    (await fetch(tx, contact, "ContactID", ids)).map((record) => [record.ContactID, record]),
  );
}

/** Returns the credit list of an invoice that an allocation belongs to, and its entry there. */
function creditShown(allocation: ShownAllocation): readonly [string, object] {
  const resource = kindOfType(allocation.creditType)?.resource;
  if (resource === undefined)
    throw new Error(`There is no kind of credit ${allocation.creditType}.`);
  const { plural, id, document } = resource;
  const { creditId, creditDate, amount, creditTotal, creditNumber } = allocation;
  const number = document.number === undefined ? {} : { [document.number]: creditNumber };
  const applied = { Date: creditDate, AppliedAmount: amount, Total: creditTotal };
  return [plural, { [id]: creditId, ...number, ...applied }];
}

/** Returns by document the credits applied to an invoice, or the allocations of a credit. */
async function appliedTo(
  tx: Tx,
  resource: DocumentResource,
  ids: readonly string[],
): Promise<Map<string, Record<string, object[]>>> {
  const listsById = new Map<string, Record<string, object[]>>();
  const isInvoice = resource === invoice;
  for (const each of await allocationsOf(tx, isInvoice ? "invoice" : "credit", ids)) {
    const [name, value] = isInvoice ? creditShown(each) : ["Allocations", allocationShown(each)];
    const id = isInvoice ? each.invoiceId : each.creditId;
    const lists = listsById.get(id) ?? {};
    lists[name] = [...(lists[name] ?? []), value];
    listsById.set(id, lists);
  }
  return listsById;
}

function allocationShown({ id, amount, date, invoiceId, invoiceNumber }: ShownAllocation): object {
  return {
    AllocationID: id,
    AppliedAmount: amount,
    Date: date,
    Invoice: { InvoiceID: invoiceId, InvoiceNumber: invoiceNumber },
  };
}

type ShownPayment = NonNullable<Invoice["Payments"]>[number];

/** Returns the live payments of documents by the document's id, earliest first. */
export async function paymentsOf(
  tx: Tx,
  resource: DocumentResource,
  ids: readonly string[],
): Promise<Map<string, ShownPayment[]>> {
  const { paidAs } = resource.document;
  if (paidAs === undefined || ids.length === 0) return new Map();
  const livePayments = (await fetch(tx, payment, `${paidAs}.${resource.id}`, ids))
    .filter((record) => record.Status === "AUTHORISED")
    .sort((a, b) => compareText(a.Date, b.Date) || a.UpdatedDateUTC - b.UpdatedDateUTC);
  const targetOf = (record: (typeof livePayments)[number]) =>
    (record[paidAs] as Readonly<Record<string, string>> | undefined)?.[resource.id] ?? "";
  const byDocument = Map.groupBy(livePayments, targetOf);
  return new Map(
    [...byDocument].map(([id, payments]) => [
      id,
      payments.map((payment) => ({
        PaymentID: payment.PaymentID,
        Handle: payment.Handle,
        Date: payment.Date,
        Amount: payment.Amount,
        Reference: payment.Reference,
        CurrencyRate: payment.CurrencyRate,
        HasAccount: false,
        HasValidationErrors: false,
      })),
    ]),
  );
}
