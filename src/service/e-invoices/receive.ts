/**
 * POST /Extensions/EInvoices/…: imports suppliers' e-invoices as drafts, with the file attached.
 */

import {
  asSingleGrossLine,
  type EInvoice,
  linedByTotals,
  lineFaults,
  negateInvoice,
  plainAccount,
  plainTaxNumber,
  type ReadEInvoice,
  readEInvoice,
  toDecimal,
  totalsFaults,
  vatId,
  withoutLines,
} from "../../e-invoices/index.ts";
import type { Cents } from "../../ledger/money.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { runInSlices } from "../../platform/slices.ts";
import type { Account } from "../../resources/account.ts";
import { boundsOf } from "../../resources/bounds.ts";
import { amountText } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { scaleOf } from "../../resources/decimal.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import { type DocumentResource, idOf } from "../../resources/field.ts";
import {
  contact,
  creditNote,
  type DocumentName,
  invoice as invoiceResource,
} from "../../resources/index.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { counted, readScalar } from "../../resources/scalar.ts";
import { validate } from "../../resources/validate.ts";
import { list } from "../../store/mapping/records.ts";
import { chunkBytes, noteAttachments, saveAttachment } from "../../store/records/attachments.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { loadContacts } from "../documents/load-references.ts";
import { isLive, loadByNumber, type StoredDocument } from "../documents/stored-documents.ts";
import { activeAccount, loadChart } from "../lookups/chart-of-accounts.ts";
import { documentEndpointOf } from "../records/documents.ts";
import { contacts } from "../records/masters/contact.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { Faults } from "../request/faults.ts";
import { readFileName } from "../request/file-names.ts";
import { enter } from "../request/history.ts";
import { writeOne } from "../request/write.ts";
import { billLines } from "./bill.ts";
import { sellerCountry } from "./compose-e-invoice.ts";
import { accountsOf, contactOf, supplierAmong, unknownSupplier } from "./supplier.ts";

export const receiveBill = (call: RequestContext): Promise<ServiceResponse> =>
  receive(call, invoiceResource);
export const receiveCreditNote = (call: RequestContext): Promise<ServiceResponse> =>
  receive(call, creditNote);

/** A received file with its e-invoice. */
interface Received extends ReadEInvoice {
  readonly bytes: Buffer;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
  readonly name: string;
  /** Whether the total is negative, so that it is booked as the opposite kind of document. */
  readonly isBelow: boolean;
}

async function receive(call: RequestContext, resource: DocumentResource): Promise<ServiceResponse> {
  const sent = await readSent(call);
  checkKind(sent.invoice, resource, sent.isBelow);
  return call.write(async (tx) => {
    const invoice = sent.invoice.lines.length > 0 ? sent.invoice : await lined(call, tx, sent);
    const received = { ...sent, invoice };
    const uneven = [...lineFaults(invoice), ...totalsFaults(invoice)];
    if (uneven.length > 0) {
      const remedy = "the e-invoice does not agree with itself; ask the supplier for a right one.";
      throw refusal(
        "EInvoice",
        uneven.map((fault) => `${fault}: ${remedy}`),
      );
    }
    const { party, isNew } = await supplierOf(call, tx, invoice);
    if (!isNew) await refuseKnown(tx, resource, invoice, party);
    const bill = await makeDraft(call, tx, resource, received, party);
    await attach(call, tx, resource, bill, received);
    const warnings = await warningsOf(call, tx, invoice, party, bill.LineItems ?? []);
    const outcome = {
      status: warnings.length > 0 ? "WARNING" : "OK",
      errors: [],
      warnings,
    } as const;
    return answer(call, resource, [bill], "single", { outcomes: [outcome] });
  });
}

async function readSent(call: RequestContext): Promise<Received> {
  const { file, query } = call;
  if (file === undefined) throw new Error("The route of an e-invoice takes a file.");
  const filePieces: Buffer[] = [];
  // All pieces share one buffer, so each is copied.
  for await (const piece of file.pieces(boundsOf.pdf.bytes)) filePieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(filePieces);
  const result = await runInSlices(readEInvoice(bytes));
  const name = readFileName(query.get("fileName") ?? `e-invoice.${result.isPdf ? "pdf" : "xml"}`);
  const isNegative = result.invoice.totals.gross < 0;
  const invoice = isNegative ? negateInvoice(result.invoice) : result.invoice;
  return { ...result, invoice, isBelow: isNegative, bytes, sha256: file.sha256, name };
}

/**
 * Returns an e-invoice with lines. Where it has only totals, lines are made of them if the query
 * asks for it or names one account for all lines.
 *
 * @throws EInvoiceError `TotalsOnly`
 */
async function lined({ query }: RequestContext, tx: Tx, { invoice }: Received): Promise<EInvoice> {
  const isAsked = query.boolean("totalsOnly") ?? query.get("account") !== undefined;
  if (!isAsked) throw withoutLines();
  const isMinimum = invoice.taxes.length === 0;
  if (isMinimum && query.boolean("taxAsCost") === true) return asSingleGrossLine(invoice);
  const { taxRates } = await loadChart(tx);
  const rates = taxRates
    .filter(({ Status }) => Status === "ACTIVE")
    .map(({ EffectiveRate = 0 }) => toDecimal(EffectiveRate, scaleOf.percent));
  return linedByTotals(invoice, rates);
}

/** Checks that the file fits the endpoint, a bill or a credit note. @throws RefusedError */
function checkKind(
  { isCreditNote, typeCode }: EInvoice,
  resource: DocumentResource,
  isBelow: boolean,
): void {
  if (typeCode === "325")
    throw refusal(
      "EInvoice",
      "The e-invoice is a pro forma invoice (325), which is no invoice yet: wait for that of the supplier.",
    );
  const wantsCredit = resource === creditNote;
  if (isCreditNote === wantsCredit) return;
  const sinceBelow = isBelow ? ", since it comes to less than nothing" : "";
  throw refusal(
    "EInvoice",
    isCreditNote
      ? `The e-invoice is a credit note${sinceBelow}: use acct credit-note import-e-invoice.`
      : `The e-invoice is no credit note${sinceBelow}: use acct bill import-e-invoice.`,
  );
}

// --- the supplier ----------------------------------------------------------------------------------

interface Supplier {
  readonly party: Contact;
  readonly isNew: boolean;
}

async function supplierOf(call: RequestContext, tx: Tx, invoice: EInvoice): Promise<Supplier> {
  const contactKey = call.query.get("contact");
  if (contactKey !== undefined) {
    const keys = [{ ContactID: contactKey }, { ContactNumber: contactKey }, { Name: contactKey }];
    const found = await loadContacts(tx, keys);
    const contact = keys.map((key) => found.find(key)).find((contact) => contact !== undefined);
    if (contact === undefined)
      throw refusal("NotFound", `There is no contact ${contactKey.slice(0, 100)}.`);
    if (contact.ContactStatus !== "ACTIVE")
      throw refusal("Status", `The contact ${contact.Name} is archived.`);
    return { party: contact, isNew: false };
  }
  const { records } = await list(tx, contact);
  const match = supplierAmong(records, invoice);
  if (match !== undefined && "fault" in match) throw refusal("Ambiguous", match.fault);
  if (match !== undefined) return { party: match.contact, isNew: false };
  if (call.query.boolean("createContact") !== true)
    throw refusal("NotFound", unknownSupplier(invoice));
  const input = contactOf(invoice);
  const faults = validate(contact.fields, input, { creating: true });
  if (faults.length > 0) throw refusalFor(faults);
  const { record, errors, history } = await writeOne({ call, tx }, contacts, { input });
  if (record === undefined || errors.length > 0) throw refusalFor(errors);
  await enter(call, tx, contact, record.ContactID, ...history);
  return { party: record, isNew: true };
}

/** @throws RefusedError where the supplier's document is already in the book */
async function refuseKnown(
  tx: Tx,
  resource: DocumentResource,
  { number }: EInvoice,
  { ContactID, Name }: Contact,
): Promise<void> {
  const existingBill = (await loadByNumber(tx, resource, [number])).find(
    (bill) => bill.Contact?.ContactID === ContactID && isLive(bill) && isPurchase(bill),
  );
  if (existingBill === undefined) return;
  const { Date: date, Status } = existingBill;
  const total = amountText(existingBill.Total, existingBill.CurrencyCode);
  const noun = resource === creditNote ? "credit note" : "bill";
  throw refusal(
    "Form",
    `The ${noun} ${number} of ${Name} is there already (${date}, ${total}, ${Status}): nothing was made.`,
  );
}

const isPurchase = ({ Type }: StoredDocument): boolean =>
  Type === "ACCPAY" || Type === "ACCPAYCREDIT";

/** Returns warnings for a person to check before approving the draft. */
async function warningsOf(
  call: RequestContext,
  tx: Tx,
  { buyer, seller, payment, totals, currency, typeCode, preceding, lines }: EInvoice,
  party: Contact,
  made: readonly LineItem[],
): Promise<string[]> {
  const { organisation } = await organisationContext(call, tx);
  const ownNames =
    vatId(organisation.TaxNumber, sellerCountry(organisation)) ??
    plainTaxNumber(organisation.TaxNumber);
  const addressed = plainTaxNumber(buyer.taxId);
  const knownAccounts = accountsOf(party);
  const accounts = payment?.accounts.map(({ id }) => plainAccount(id)) ?? [];
  const other = accounts.find((account) => !knownAccounts.includes(account));
  const taxNumber = plainTaxNumber(party.TaxNumber);
  const vat = plainTaxNumber(seller.taxId ?? seller.localTaxId);
  const warnings: string[] = [];
  if (addressed !== "" && ownNames !== "") {
    if (!addressed.endsWith(ownNames) && !ownNames.endsWith(addressed))
      warnings.push(
        `It is addressed to ${buyer.name} (${buyer.taxId}), whose tax number is not this organisation's.`,
      );
  } else if (
    ![organisation.Name, organisation.LegalName].some((text) => isAlike(text, buyer.name))
  ) {
    warnings.push(`It is addressed to ${buyer.name}, which is not this organisation's name.`);
  }
  const { noTax } = regionAt(organisation.CountryCode);
  const untaxed = lines.find(
    ({ category }, at) => /^(Z|AE|K|G)$/.test(category) && made[at]?.TaxType === noTax,
  );
  if (untaxed !== undefined) {
    const { category } = untaxed;
    const means = category === "AE" ? "reverse charge, which the buyer owes" : "without tax";
    warnings.push(
      `No tax rate for purchases here is of category ${category} (${means}), and ${noTax} is taken: acct tax-rate update RATE --tax-category ${category} says which one is.`,
    );
  }
  if (typeCode === "384") {
    const before = preceding.map(({ number }) => number).join(", ");
    warnings.push(
      `It is a corrected invoice (384) for ${before || "one before"}: void or credit the bill that it replaces.`,
    );
  }
  if (typeCode === "386")
    warnings.push("It is an invoice of a prepayment (386), which the final invoice deducts.");
  if (knownAccounts.length > 0 && other !== undefined) {
    warnings.push(
      `It asks to be paid on ${other}, which is not the bank account of ${party.Name}: make sure that the supplier changed it.`,
    );
  }
  if (taxNumber !== "" && vat !== "" && !taxNumber.endsWith(vat) && !vat.endsWith(taxNumber)) {
    warnings.push(`It bears the tax number ${vat}, and ${party.Name} has ${party.TaxNumber}.`);
  }
  if (totals.paid !== 0) {
    const paid = `${currency} ${amountText(Math.abs(totals.paid), currency)}`;
    warnings.push(
      totals.paid > 0
        ? `It says that ${paid} is paid already: book the payment or the credit as well.`
        : `It asks for ${paid} of before besides: that is not booked with it.`,
    );
  }
  return warnings;
}

/** Whether one of two names contains the other, whatever the case and punctuation. */
function isAlike(one: string | undefined, other: string): boolean {
  const [own, theirs] = [one ?? "", other].map((text) => fold(text).replace(/[^\p{L}\d]/gu, ""));
  if (!own || !theirs) return false;
  return own.includes(theirs) || theirs.includes(own);
}

// --- the draft -------------------------------------------------------------------------------------

async function makeDraft(
  call: RequestContext,
  tx: Tx,
  resource: DocumentResource,
  { invoice, syntax, isPdf, name }: Received,
  party: Contact,
): Promise<StoredDocument> {
  const { organisation } = await organisationContext(call, tx);
  const chart = await loadChart(tx);
  const faults = new Faults();
  const code = call.query.get("account") ?? party.PurchasesDefaultAccountCode;
  const account: Account | undefined =
    code === undefined ? undefined : activeAccount(chart, "account", code, faults);
  const isTaxCost = call.query.boolean("taxAsCost") ?? false;
  const { lines, faults: taxFaults } = billLines(invoice, {
    organisation,
    chart,
    account,
    isTaxCost,
  });
  for (const fault of taxFaults) faults.add("EInvoice", fault);
  const rateText = call.query.get("currencyRate");
  const rate = readScalar.rate(creditNote.fields.CurrencyRate, rateText ?? "");
  if ("fault" in rate) throw refusal("Parameter", `The parameter currencyRate ${rate.fault}.`);
  faults.check();
  const isCredit = resource === creditNote;
  const input = {
    Type: isCredit ? "ACCPAYCREDIT" : "ACCPAY",
    Contact: { ContactID: party.ContactID },
    [resource.document.number ?? ""]: invoice.number,
    Date: invoice.date,
    ...(invoice.dueDate === undefined ? {} : { DueDate: invoice.dueDate }),
    ...(invoice.delivery?.date === undefined ? {} : { DeliveryDate: invoice.delivery.date }),
    LineAmountTypes: "Exclusive",
    CurrencyCode: invoice.currency,
    ...(rate.value === undefined ? {} : { CurrencyRate: rate.value }),
    LineItems: lines,
  };
  faults.addAll(validate(resource.fields, input, { creating: true }));
  faults.check();
  const endpoint = documentEndpointOf(resource.name as DocumentName);
  const { record, errors, history } = await writeOne({ call, tx }, endpoint, { input });
  if (record === undefined || errors.length > 0) throw refusalFor(errors);
  checkTotals(record, invoice);
  const form = `${isPdf ? "Factur-X, " : ""}${syntax.toUpperCase()}`;
  await enter(call, tx, resource, idOf(resource, record), ...history, {
    changes: "Imported",
    details: `It was made from the e-invoice ${name} (${form}).`,
  });
  return record;
}

/** @throws RefusedError where the draft's totals differ from the supplier's by a cent or more */
function checkTotals({ Total, CurrencyCode }: StoredDocument, { totals }: EInvoice): void {
  const wanted = (totals.gross + totals.rounding) as Cents;
  if (Total === wanted) return;
  throw refusal(
    "LineAmount",
    `The e-invoice comes to ${amountText(wanted, CurrencyCode)}, but what would be booked to ${amountText(Total, CurrencyCode)}: nothing was made.`,
  );
}

async function attach(
  call: RequestContext,
  tx: Tx,
  resource: DocumentResource,
  record: StoredDocument,
  { bytes, sha256, name, isPdf }: Received,
): Promise<void> {
  const recordId = idOf(resource, record);
  const attachment = {
    id: call.newId(),
    resource: resource.name,
    recordId,
    name,
    mimeType: isPdf ? "application/pdf" : "application/xml",
    size: bytes.length,
    sha256,
    contentId: call.newId(),
    includeOnline: false,
  };
  await saveAttachment(tx, attachment, piecesOf(bytes));
  await noteAttachments(tx, resource, recordId, true);
  record.HasAttachments = true;
  await enter(call, tx, resource, recordId, {
    changes: "Attached a file",
    details: `The file ${name} (${counted(bytes.length, "byte")}) was attached; its AttachmentID is ${attachment.id}.`,
  });
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
