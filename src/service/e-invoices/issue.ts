/** /Extensions/EInvoices/…: sales invoices and credit notes as e-invoices. */

import {
  type Demand,
  type EInvoice,
  facturXMetadata,
  facturXName,
  faultsIn,
  isLeitwegId,
  missingIn,
  type Profile,
  type ProfileSource,
  profileOf,
  writeEInvoice,
} from "../../e-invoices/index.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { fileName, inlineDisposition } from "../../platform/file-name.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import { type EInvoiceFormat, eInvoiceFormats } from "../../resources/e-invoice.ts";
import { refusal } from "../../resources/errors.ts";
import { type DocumentResource, idOf } from "../../resources/field.ts";
import {
  creditNote,
  type DocumentName,
  invoice as invoiceResource,
  item,
  taxRate,
} from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Unit } from "../../resources/unit.ts";
import { fetch } from "../../store/mapping/records.ts";
import { themeFor } from "../../store/records/branding.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { nameOf, openOf, type StoredDocument } from "../documents/stored-documents.ts";
import { isCmyk } from "../pdf/logo.ts";
import { bankAccountOf } from "../records/branding.ts";
import { documentEndpointOf } from "../records/documents.ts";
import type { RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { unique } from "../request/unique.ts";
import type { ToPrint } from "../send/print.ts";
import { type BookDocument, compose, type IssueContext } from "./compose-e-invoice.ts";

export const issueInvoice = (call: RequestContext, key: string): Promise<ServiceResponse> =>
  answerEInvoice(call, invoiceResource, key);
export const issueCreditNote = (call: RequestContext, key: string): Promise<ServiceResponse> =>
  answerEInvoice(call, creditNote, key);

/**
 * GET: answers in the format of the parameter `format`.
 *
 * @throws RefusedError with all missing data
 */
async function answerEInvoice(
  call: RequestContext,
  resource: DocumentResource,
  key: string,
): Promise<ServiceResponse> {
  const format = call.query.choice("format", eInvoiceFormats);
  const endpoint = documentEndpointOf(resource.name as DocumentName);
  const { invoice, name, paper, profile } = await call.read(async (tx) => {
    const document = await locate(call, tx, endpoint, key);
    const [record = document] = (await endpoint.expand?.(call, tx, [document], "single")) ?? [];
    checkIssued(resource, record);
    const profile = profileOf(format ?? usualFormat(await organisationOf(tx), record));
    const eInvoice = await invoiceOf(tx, resource, record, profile);
    const paper = profile.isPdf ? await paperFor(call, tx, resource, key) : undefined;
    return { ...eInvoice, paper, profile };
  });
  const xml = writeEInvoice(invoice, profile.syntax);
  if (paper !== undefined) return answerPaper(paper, xml);
  return {
    status: 200,
    headers: {
      "content-type": "application/xml; charset=utf-8",
      "content-disposition": inlineDisposition(name),
      "x-content-type-options": "nosniff",
    },
    body: Buffer.from(xml),
  };
}

/**
 * The usual format of the seller's country: in Germany XRechnung for a public body, whose reference
 * is a Leitweg-ID.
 *
 * @throws RefusedError for a country without one
 */
function usualFormat({ CountryCode }: Organisation, record: StoredDocument): EInvoiceFormat {
  const { eInvoice } = regionAt(CountryCode);
  if (eInvoice === undefined) {
    throw refusal(
      "Parameter",
      `No format of e-invoices is usual in the country of these books: give the one that the customer takes, ${eInvoiceFormats.join(", ")}.`,
    );
  }
  const { BuyerReference } = record as { readonly BuyerReference?: string };
  const reference = BuyerReference || record.Contact?.BuyerReference || "";
  return CountryCode === "DE" && isLeitwegId(reference) ? "xrechnung" : eInvoice;
}

const ownTypes: readonly string[] = ["ACCREC", "ACCRECCREDIT"];
const issued: readonly string[] = ["AUTHORISED", "PAID"];

function checkIssued({ noun }: DocumentResource, { Type, Status }: StoredDocument): void {
  if (!ownTypes.includes(Type)) {
    throw refusal(
      "EInvoice",
      `Only what goes to customers is made an e-invoice of; this ${noun} is a supplier's.`,
    );
  }
  if (!issued.includes(Status)) {
    throw refusal(
      "EInvoice",
      `Only an approved ${noun} is made an e-invoice of; this one is ${Status}.`,
    );
  }
}

/**
 * Composes the e-invoice.
 *
 * @throws RefusedError with all data that the profile needs and the book lacks
 */
async function invoiceOf(
  tx: Tx,
  resource: DocumentResource,
  record: StoredDocument,
  profile: Profile,
): Promise<{ readonly invoice: EInvoice; readonly name: string }> {
  const number = nameOf(resource, record);
  const context = await issueContextOf(tx, record);
  const book = await bookDocument(tx, resource, record, number);
  const { invoice, faults } = compose(book, context, profile);
  const commandOf = commandsFor(resource, number, record.Contact?.Name ?? "");
  const missing = missingIn(invoice, profile).map((demand) => sentence(demand, commandOf));
  const ruleFaults = missing.length + faults.length > 0 ? [] : faultsIn(invoice, profile);
  const allFaults = [...faults, ...missing, ...ruleFaults];
  if (allFaults.length > 0) throw refusal("EInvoice", allFaults);
  return { invoice, name: fileName(number, idOf(resource, record), "xml") };
}

const sentence = (
  { term, what, of, flags }: Demand,
  command: (of: ProfileSource) => string,
): string => `${term}, ${what}: ${command(of)} ${flags}`;

/** Returns the commands that set the missing data, for messages. */
function commandsFor({ noun }: DocumentResource, number: string, contact: string) {
  const shellQuoted = (text: string) =>
    /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const commands: Readonly<Record<ProfileSource, string>> = {
    organisation: "acct organisation update",
    contact: `acct contact update ${shellQuoted(contact)}`,
    document: `acct ${noun.replaceAll(" ", "-")} update ${shellQuoted(number)}`,
    branding: "acct branding set",
  };
  return (of: ProfileSource): string => commands[of];
}

async function bookDocument(
  tx: Tx,
  resource: DocumentResource,
  record: StoredDocument,
  number: string,
): Promise<BookDocument> {
  const isCreditNote = resource === creditNote;
  const credited = isCreditNote ? await creditedBy(tx, record) : [];
  return {
    ...record,
    isCreditNote,
    isAfterDeposit: ((record as Partial<Invoice>).Prepayments ?? []).length > 0,
    number,
    Contact: record.Contact ?? {},
    // A voided or fully allocated credit has no open amount.
    openAmount: openOf(resource, record),
    preceding: credited.flatMap(({ InvoiceNumber, Date: date }) =>
      InvoiceNumber === undefined ? [] : [{ number: InvoiceNumber, date }],
    ),
  };
}

/**
 * Invoices to which a credit note is allocated; without an allocation, the sales invoice of the same
 * customer whose number is the reference of the credit note.
 */
async function creditedBy(tx: Tx, note: StoredDocument) {
  const { Allocations = [], Reference = "", Contact } = note as Partial<CreditNote>;
  const ids = unique(Allocations.map(({ Invoice }) => Invoice?.InvoiceID));
  if (ids.length > 0) return fetch(tx, invoiceResource, "InvoiceID", ids);
  const named = await fetch(tx, invoiceResource, "InvoiceNumber", [Reference.trim()]);
  return named.filter(
    (each) => each.Type === "ACCREC" && each.Contact?.ContactID === Contact?.ContactID,
  );
}

async function issueContextOf(tx: Tx, record: StoredDocument): Promise<IssueContext> {
  const { LineItems, BrandingThemeID, Contact } = record;
  const types = unique(LineItems.map(({ TaxType }) => TaxType));
  const codes = unique(LineItems.map(({ ItemCode }) => ItemCode));
  const rates = await fetch(tx, taxRate, "TaxType", types);
  const items = await fetch(tx, item, "Code", codes);
  const organisation = await organisationOf(tx);
  const themeIds = [BrandingThemeID, Contact?.BrandingTheme?.BrandingThemeID];
  const theme = await themeFor(tx, themeIds, record.CurrencyCode);
  const account = await bankAccountOf(tx, theme);
  const isPaidIn = (account?.CurrencyCode ?? organisation.BaseCurrency) === record.CurrencyCode;
  return {
    organisation,
    rateByTaxType: new Map(rates.map((rate) => [rate.TaxType ?? "", rate])),
    unitByItem: new Map(
      items.flatMap(({ Code, UnitCode }) =>
        UnitCode === undefined ? [] : [[Code, UnitCode] as [string, Unit]],
      ),
    ),
    account: isPaidIn ? account : undefined,
    terms: theme.Terms,
  };
}

// --- embedding in a PDF ----------------------------------------------------------------------------

async function paperFor(
  call: RequestContext,
  tx: Tx,
  resource: DocumentResource,
  key: string,
): Promise<ToPrint> {
  const { toPrint } = await import("../send/print.ts");
  return toPrint(call, tx, documentEndpointOf(resource.name as DocumentName), key);
}

/**
 * Answers with PDF/A.
 *
 * @throws RefusedError for a character without a font or a logo in CMYK, which it forbids
 */
async function answerPaper({ printed, name }: ToPrint, xml: string): Promise<ServiceResponse> {
  const { logo } = printed.brand;
  if (logo !== undefined && isCmyk(logo)) {
    throw refusal(
      "EInvoice",
      "The logo has the four colours of a printing press (CMYK), which a PDF for archives may not have: set one in RGB (acct branding set --logo FILE).",
    );
  }
  const { paperOf } = await import("../pdf/print-document.ts");
  const embedded = {
    name: facturXName,
    mimeType: "text/xml",
    description: "Factur-X invoice",
    bytes: Buffer.from(xml),
    metadata: facturXMetadata(),
  };
  const { bytes, missing } = await paperOf({ ...printed, embedded });
  if (missing !== "") {
    throw refusal(
      "EInvoice",
      `No font has ${missing}, and a PDF for archives may lack none: install one that has, or name its file in ACCT_FONTS, where the service runs.`,
    );
  }
  return {
    status: 200,
    headers: {
      "content-type": "application/pdf",
      "content-disposition": inlineDisposition(name),
      "x-content-type-options": "nosniff",
    },
    body: bytes,
  };
}
