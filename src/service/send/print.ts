/** Printing of single records as PDF, for GET requests and for email. */

import { share, zeroCents } from "../../ledger/money.ts";
import { invoiceTexts, regionAt } from "../../ledger/regions/index.ts";
import { definedFacts, documentText } from "../../output/documents/document-text.ts";
import { addressFor, addressLines, nonEmpty, toLetters } from "../../output/documents/parties.ts";
import type { Printable, PrintedKind } from "../../output/documents/printed-kinds.ts";
import { type Brand, imprintOf, languageOf, paperSizeOf } from "../../output/letterhead.ts";
import type { HowToPay, Note, PrintedDocument, PrintedFile } from "../../output/pdf/printed.ts";
import { registerLabel, wordsOf } from "../../output/words/languages.ts";
import type { PaperLanguage } from "../../output/words/words.ts";
import { fileName, inlineDisposition, missingHeader } from "../../platform/file-name.ts";
import type { PaymentService } from "../../resources/branding-theme.ts";
import { amountText, isIban, smallestAmount } from "../../resources/common.ts";
import { prepayment, taxRate } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { fetch } from "../../store/mapping/records.ts";
import {
  logoOf,
  type StoredTheme,
  servicesOf,
  themeFor,
  themeForPayment,
  themesOf,
} from "../../store/records/branding.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { bankAccountOf } from "../records/branding.ts";
import type { RequestContext } from "../request/context.ts";
import type { RecordHandler } from "../request/endpoint.ts";
import { type Endpoint, locate } from "../request/endpoint.ts";
import { unique } from "../request/unique.ts";
import { paymentCode } from "./payment-code.ts";

/** A document to print, fully loaded, so that no transaction is open during the layout. */
export interface ToPrint {
  readonly printed: PrintedDocument;
  /** Parts of the PDF, each from a page of its own: a statement has one for each currency. */
  readonly parts?: readonly PrintedDocument[] | undefined;
  readonly name: string;
}

/** Loads a document to print. @param key  id or number; its endpoint must have a print layout */
export async function toPrint<S extends object>(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint<S>,
  key: string,
): Promise<ToPrint> {
  const record = await locate(call, tx, endpoint, key);
  const [shown = record] = (await endpoint.expand?.(call, tx, [record], "single")) ?? [];
  const document = await withDepositTax(tx, shown as unknown as Printable);
  const kind = (await endpoint.printed?.(shown)) as PrintedKind | undefined;
  if (kind === undefined) throw new Error(`${endpoint.resource.name} has no printed form.`);
  const types = unique((document.LineItems ?? []).map(({ TaxType }) => TaxType));
  const rates = await fetch(tx, taxRate, "TaxType", types);
  const organisation = await organisationOf(tx);
  const { BrandingThemeID, Contact, CurrencyCode } = document;
  const themes = [BrandingThemeID, Contact?.BrandingTheme?.BrandingThemeID];
  const printed = composeText(kind, document, {
    organisation,
    rates: new Map(rates.map((rate) => [rate.TaxType ?? "", rate])),
    theme: await printedTheme(tx, themes, CurrencyCode, organisation),
  });
  return { printed, name: fileName(kind.number(document), kind.id(document), "pdf") };
}

/** Adds to the deposits that were applied to an invoice the tax that each part includes. */
async function withDepositTax(tx: Tx, document: Printable): Promise<Printable> {
  const { Prepayments = [] } = document as Partial<Invoice>;
  const ids = unique(Prepayments.map(({ PrepaymentID }) => PrepaymentID));
  if (ids.length === 0) return document;
  const deposits = await fetch(tx, prepayment, "PrepaymentID", ids);
  const byId = new Map(deposits.map((deposit) => [deposit.PrepaymentID, deposit]));
  const taxed = Prepayments.map((each) => {
    const { Total = zeroCents, TotalTax = zeroCents } = byId.get(each.PrepaymentID ?? "") ?? {};
    const smallest = smallestAmount(document.CurrencyCode);
    const TaxAmount = Total && share(TotalTax, each.AppliedAmount ?? zeroCents, Total, smallest);
    return { ...each, TaxAmount };
  });
  return { ...document, Prepayments: taxed } as Printable;
}

/**
 * Loads the branding theme of a document for printing. Bank details apply to one currency: a document
 * in another currency shows the details of the theme for that currency, or none.
 */
export async function printedTheme(
  tx: Tx,
  ids: readonly (string | undefined)[],
  currency: string,
  organisation: Organisation,
): Promise<Theme> {
  const theme = await themeFor(tx, ids, currency);
  const { BaseCurrency } = organisation;
  const where = themeForPayment(await themesOf(tx), theme, currency, BaseCurrency);
  const { Color, PaymentAdvice, Terms, LogoUrl, BrandingThemeID: id } = theme;
  return {
    color: Color,
    logo: LogoUrl === undefined ? undefined : await logoOf(tx, id),
    bankDetails: where?.BankDetails ?? (where && (await accountText(tx, where, organisation))),
    paymentAdvice: PaymentAdvice,
    terms: Terms,
    services: await servicesOf(tx, id),
  };
}

/** The bank account of a theme in the form of its country; undefined where it has none in the currency. */
async function accountText(
  tx: Tx,
  theme: StoredTheme,
  { Name, LegalName, BaseCurrency, CountryCode }: Organisation,
): Promise<string | undefined> {
  const account = await bankAccountOf(tx, theme);
  const { BankAccountNumber: number, CurrencyCode = BaseCurrency } = account ?? {};
  if (!number || CurrencyCode !== (theme.CurrencyCode ?? BaseCurrency)) return undefined;
  const label = isIban(number) ? "IBAN" : wordsOf(CountryCode).say("Account");
  return `${LegalName?.trim() || Name}\n${label} ${number}`;
}

export async function fileOf({ printed, parts, name }: ToPrint): Promise<PrintedFile> {
  const { paperOf } = await import("../pdf/print-document.ts");
  const [first = printed, ...others] = parts ?? [];
  return { name, ...(await paperOf(first, ...others)) };
}

export const printOne: RecordHandler = async (call, endpoint, key) => {
  return answerFile(await call.read((tx) => toPrint(call, tx, endpoint, key)));
};

export async function answerFile(paper: ToPrint): Promise<ServiceResponse> {
  const { name, bytes, missing } = await fileOf(paper);
  return {
    status: 200,
    headers: {
      "content-type": contentTypeOf("pdf"),
      "content-disposition": inlineDisposition(name),
      // A header lists the missing characters, for a warning by the client.
      ...(missing === ""
        ? {}
        : { [missingHeader]: encodeURIComponent([...missing].slice(0, 60).join("")) }),
    },
    body: bytes,
  };
}

/** Organisation data needed for printing. */
interface PrintData {
  readonly organisation: Organisation;
  /** Tax rates by TaxType. */
  readonly rates: ReadonlyMap<string, TaxRate>;
  readonly theme: Theme;
}

/** The branding theme for printing. */
export interface Theme extends Brand {
  readonly bankDetails: string | undefined;
  readonly paymentAdvice: string | undefined;
  readonly terms: string | undefined;
  readonly services: readonly PaymentService[];
}

/** @param document  the document with its lines and its whole contact */
export function composeText<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  { organisation, rates, theme }: PrintData,
): PrintedDocument {
  const words = wordsOf(organisation.CountryCode);
  const { marks } = words;
  return {
    ...documentText(kind, document, { organisation, rateByTaxType: rates, words, marks }),
    words,
    brand: { color: theme.color, logo: theme.logo },
    notes: [
      ...legalNotes(kind, document, organisation),
      ...notesOf(kind, document, theme, words, organisation),
    ],
    pay: kind.asksToPay?.(document) ? paymentTerms(kind, document, organisation, theme) : undefined,
    advice: definedFacts(kind.advice?.(document, words), words),
    returnTo: addressLines(addressFor(organisation.Addresses, toLetters), words),
    imprint: imprintOf(organisation, registerLabel(words, organisation.RegistrationNumber)),
    language: words.language ?? languageOf(organisation),
    paper: paperSizeOf(organisation),
    at: document.UpdatedDateUTC,
  };
}

/**
 * Returns the legally required texts of an invoice or credit note, in the language of its country.
 */
function legalNotes<D extends Printable>(
  { statesTax }: PrintedKind<D>,
  { LineItems = [], DeliveryDate }: D,
  { CountryCode, SalesTaxBasis }: Organisation,
): Note[] {
  if (statesTax === undefined) return [];
  const { supplyText, accrualText } = regionAt(CountryCode).paper;
  const noteTexts = [
    ...invoiceTexts(CountryCode, unique(LineItems.map(({ TaxType }) => TaxType))),
    ...(statesTax === "supplied" && !DeliveryDate && supplyText ? [supplyText] : []),
    ...(SalesTaxBasis.startsWith("ACCRUAL") && accrualText ? [accrualText] : []),
  ];
  return noteTexts.map((text) => ({ heading: undefined, text }));
}

/**
 * Returns the notes of the document; by default the terms of its theme, or else those that an
 * invoice in the country must state.
 */
function notesOf<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  theme: Theme,
  words: PaperLanguage,
  { CountryCode }: Organisation,
): Note[] {
  const ownNotes = kind.notes?.(document, words) ?? [];
  const usual = kind.asksToPay === undefined ? undefined : regionAt(CountryCode).paper.latePayment;
  const terms = theme.terms?.trim() ? theme.terms : Object.values(usual ?? {}).join(" ");
  if (ownNotes.length > 0 || kind.toCustomers !== true || !terms) return [...ownNotes];
  return [{ heading: words.say("Terms"), text: terms }];
}

function paymentTerms<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  { ShortCode, LegalName, Name }: Organisation,
  theme: Theme,
): HowToPay {
  const { CurrencyCode, AmountDue = document.Total } = document;
  const reference = kind.number(document);
  const bankDetails = linesOf(theme.bankDetails);
  const values: Readonly<Record<string, string>> = {
    INVOICENUMBER: reference ?? "",
    CURRENCY: CurrencyCode,
    AMOUNTDUE: amountText(AmountDue, CurrencyCode),
    SHORTCODE: ShortCode,
  };
  const links = theme.services.map(({ PayNowText, PaymentServiceUrl }) => ({
    text: PayNowText,
    url: PaymentServiceUrl.replace(/\[([A-Z]+)\]/g, (placeholder, name: string) =>
      values[name] === undefined ? placeholder : encodeURIComponent(values[name]),
    ),
  }));
  return {
    bankDetails,
    reference,
    code:
      CurrencyCode === "EUR"
        ? paymentCode({
            name: LegalName?.trim() || Name,
            bankDetails,
            amount: AmountDue,
            reference,
          })
        : undefined,
    advice: linesOf(theme.paymentAdvice),
    links,
  };
}

export function linesOf(text = ""): string[] {
  return nonEmpty(text.split(/\r?\n/));
}
