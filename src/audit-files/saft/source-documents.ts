/**
 * Source documents of a SAF-T file: invoices and credit notes of sales and purchases, and payments.
 */
import { type Exchange, toBase } from "../../ledger/money.ts";
import { exchangeOf } from "../../ledger/postings/currency.ts";
import { ScratchLines } from "../../platform/scratch-file.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import type { Cents, Rate } from "../../resources/decimal.ts";
import { divideRounded, writeDecimal } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Payment } from "../../resources/payment.ts";
import type { Foreign, Side } from "../ledger/entry.ts";
import type { BankTransaction, Master, PartyDetails } from "../ledger/master.ts";
import type { Ledger, Party } from "../ledger/read-ledger.ts";
import { addressElement, amountElement, money, type SaftCodes } from "./codes.ts";
import { element, textElement } from "./saft-xml.ts";

interface Sources {
  readonly ledger: Ledger;
  readonly codes: SaftCodes;
  readonly master: Master;
  /** Details of contacts by ContactID. */
  readonly detailsById: ReadonlyMap<string, PartyDetails>;
}

export async function* documentSections(sources: Sources): AsyncGenerator<string> {
  yield "<SourceDocuments>\n";
  yield* section("SalesInvoices", invoicesOf(sources, "customer"));
  yield* section("PurchaseInvoices", invoicesOf(sources, "supplier"));
  yield* section("Payments", paymentsOf(sources));
  yield "</SourceDocuments>\n";
}

/** Element of a document, with the totals of its lines. */
interface DocumentElement {
  readonly xml: string;
  readonly debit: number;
  readonly credit: number;
}

/**
 * Writes a section. The schema puts totals before the documents, so these are spooled to a
 * temporary file.
 */
async function* section(name: string, all: AsyncIterable<DocumentElement>): AsyncGenerator<string> {
  using lines = new ScratchLines();
  let [count, debit, credit] = [0, 0, 0];
  for await (const documentElement of all) {
    lines.add(documentElement.xml);
    count += 1;
    debit += documentElement.debit;
    credit += documentElement.credit;
  }
  if (count === 0) return;
  yield `<${name}>${element("NumberOfEntries", String(count))}`;
  yield `${money("TotalDebit", debit)}${money("TotalCredit", credit)}\n`;
  for (const line of lines.read()) yield `${line}\n`;
  yield `</${name}>\n`;
}

/** Converts amounts of a document to base currency, keeping the foreign amounts beside them. */
class Converted {
  readonly #base: string;
  readonly #currency: string;
  readonly #exchange: Exchange;

  constructor(baseCurrency: string, currency: string, rate: Rate) {
    this.#base = baseCurrency;
    this.#currency = currency;
    this.#exchange = exchangeOf(rate, baseCurrency);
  }

  inBase(cents: number): number {
    return this.#currency === this.#base ? cents : toBase(cents as Cents, this.#exchange);
  }

  foreign(cents: number): Foreign | undefined {
    if (this.#currency === this.#base) return undefined;
    return { currency: this.#currency, amount: cents as Cents };
  }

  element(name: string, cents: number): string {
    return amountElement(name, this.inBase(cents), this.foreign(cents));
  }
}

// --- invoices ---------------------------------------------------------------------------------

async function* invoicesOf(sources: Sources, partySide: Side): AsyncGenerator<DocumentElement> {
  const { master } = sources;
  const isSale = partySide === "customer";
  for await (const invoice of master.invoices(isSale ? "ACCREC" : "ACCPAY")) {
    yield invoiceElement(sources, partySide, invoice, {
      number: invoice.InvoiceNumber || invoice.InvoiceID,
      type: "INV",
      isCredit: isSale,
    });
  }
  for await (const creditNote of master.creditNotes(isSale ? "ACCRECCREDIT" : "ACCPAYCREDIT")) {
    yield invoiceElement(sources, partySide, creditNote, {
      number: creditNote.CreditNoteNumber || creditNote.CreditNoteID,
      type: "CN",
      isCredit: !isSale,
    });
  }
}

interface InvoiceKind {
  readonly number: string;
  readonly type: "INV" | "CN";
  /** Whether the lines of the document are credits in the ledger. */
  readonly isCredit: boolean;
}

function invoiceElement(
  { ledger, codes, detailsById }: Sources,
  partySide: Side,
  document: Invoice | CreditNote,
  { number, type, isCredit }: InvoiceKind,
): DocumentElement {
  const { Contact, Date: date, LineItems, LineAmountTypes, SubTotal, Total } = document;
  const { BaseCurrency } = ledger.organisation;
  const converted = new Converted(BaseCurrency, document.CurrencyCode, document.CurrencyRate);
  const party = ledger.parties.get(Contact?.ContactID ?? "");
  let [debit, credit] = [0, 0];
  const lines = LineItems.map((line, at) => {
    const net = netOf(line, LineAmountTypes);
    const baseAmount = Math.abs(converted.inBase(net));
    // A line with a negative amount is on the opposite side.
    const isCreditLine = isCredit !== net < 0;
    if (isCreditLine) credit += baseAmount;
    else debit += baseAmount;
    return lineElement(line, { at, net, isCreditLine, date, converted, codes, ledger });
  });
  const xml = element(
    "Invoice",
    textElement("InvoiceNo", number, 70),
    partyInfo(party, partySide, codes, detailsById),
    element("InvoiceDate", date),
    element("InvoiceType", type),
    ...lines,
    element(
      "DocumentTotals",
      ...taxTotals(document, converted, codes),
      money("NetTotal", converted.inBase(SubTotal)),
      money("GrossTotal", converted.inBase(Total)),
    ),
  );
  return { xml, debit, credit };
}

function partyInfo(
  party: Party | undefined,
  partySide: Side,
  codes: SaftCodes,
  detailsById: ReadonlyMap<string, PartyDetails>,
): string {
  if (party === undefined) return "";
  return element(
    partySide === "customer" ? "CustomerInfo" : "SupplierInfo",
    codes.partyElement(party, partySide) || textElement("Name", party.name, 70),
    addressElement(detailsById.get(party.id)?.address, "BillingAddress"),
  );
}

interface LineFacts {
  readonly at: number;
  /** Net amount in cents, in the currency of the document. */
  readonly net: number;
  readonly isCreditLine: boolean;
  readonly date: string;
  readonly converted: Converted;
  readonly codes: SaftCodes;
  readonly ledger: Ledger;
}

function lineElement(line: LineItem, lineFacts: LineFacts): string {
  const { at, net, isCreditLine, date, converted, codes, ledger } = lineFacts;
  const { AccountID, AccountCode, Tracking = [], ItemCode, Item, Description } = line;
  const { Quantity, UnitAmount = 0, TaxType, TaxAmount = 0 } = line;
  const account = AccountID ?? ledger.byCode.get(AccountCode ?? "")?.id;
  const sign = net < 0 ? -1 : 1;
  return element(
    "Line",
    element("LineNumber", String(at + 1)),
    account === undefined ? "" : codes.account(account),
    codes.analysis(
      Tracking.map(({ Name = "", Option = "" }) => ({ category: Name, option: Option })),
    ),
    textElement("ProductCode", ItemCode, 70),
    textElement("ProductDescription", Item?.Name, 256),
    Quantity === undefined ? "" : element("Quantity", decimalText(Quantity)),
    money("UnitPrice", converted.inBase(divideRounded(UnitAmount, 100))),
    element("TaxPointDate", date),
    textElement("Description", Description || Item?.Name || ItemCode || "-", 256),
    converted.element("InvoiceLineAmount", Math.abs(net)),
    element("DebitCreditIndicator", isCreditLine ? "C" : "D"),
    codes.taxInformation(
      TaxType,
      converted.inBase(Math.abs(net)),
      converted.inBase(sign * TaxAmount),
    ),
  );
}

/** Formats a quantity, which is scaled by 10^4. */
function decimalText(quantity: number | bigint): string {
  return writeDecimal(quantity, 4).replace(/\.?0+$/, "");
}

function taxTotals(
  { LineItems, LineAmountTypes }: Invoice | CreditNote,
  converted: Converted,
  codes: SaftCodes,
): readonly string[] {
  const byType = Map.groupBy(
    LineItems.filter(({ TaxType }) => TaxType !== undefined),
    ({ TaxType = "" }) => TaxType,
  );
  return [...byType].map(([taxType, group]) => {
    const sum = (of: (line: LineItem) => number) =>
      converted.inBase(group.reduce((total, line) => total + of(line), 0));
    const tax = sum(({ TaxAmount = 0 }) => TaxAmount);
    const baseAmount = sum((line) => netOf(line, LineAmountTypes));
    return codes.taxInformation(taxType, baseAmount, tax, "TaxInformationTotals");
  });
}

/** Net amount of a line, without tax. */
function netOf({ LineAmount, TaxAmount }: LineItem, types: Invoice["LineAmountTypes"]): number {
  return (LineAmount ?? 0) - (types === "Inclusive" ? (TaxAmount ?? 0) : 0);
}

// --- payments -----------------------------------------------------------------------------------

async function* paymentsOf(sources: Sources): AsyncGenerator<DocumentElement> {
  for await (const payment of sources.master.payments()) yield paymentElement(sources, payment);
  for await (const each of sources.master.bankTransactions()) yield moneyElement(sources, each);
}

function paymentElement({ ledger, codes }: Sources, payment: Payment): DocumentElement {
  const { PaymentID, Invoice, CreditNote, Prepayment, Overpayment, Date: date } = payment;
  const { Amount, Reference, PaymentType } = payment;
  const paid = Invoice ?? CreditNote ?? Prepayment ?? Overpayment;
  const partySide: Side = /^(ACCREC|AR)/.test(PaymentType) ? "customer" : "supplier";
  // Receipts, which are credits here: payments by customers, and refunds from suppliers.
  const isIn = ["ACCRECPAYMENT", "APCREDITPAYMENT", "APPREPAYMENTPAYMENT", "APOVERPAYMENTPAYMENT"];
  const isCredit = isIn.includes(PaymentType);
  const { BaseCurrency } = ledger.organisation;
  const currency = payment.CurrencyCode ?? paid?.CurrencyCode ?? BaseCurrency;
  const converted = new Converted(BaseCurrency, currency, payment.CurrencyRate);
  const party = ledger.parties.get(paid?.Contact?.ContactID ?? payment.Contact?.ContactID ?? "");
  const number = Invoice?.InvoiceNumber ?? CreditNote?.CreditNoteNumber;
  const control = ledger.controls[partySide];
  const baseAmount = converted.inBase(Amount);
  const text = [party?.name, number, Reference].filter((part) => (part ?? "") !== "").join(" ");
  const xml = element(
    "Payment",
    textElement("PaymentRefNo", PaymentID.replaceAll("-", ""), 35),
    element("TransactionDate", date),
    element("PaymentMethod", "Bank"),
    textElement("Description", text || "Payment", 256),
    element(
      "Line",
      element("LineNumber", "1"),
      textElement("SourceDocumentID", number, 35),
      control === undefined ? "" : codes.account(control.id),
      codes.partyElement(party, partySide),
      element("DebitCreditIndicator", isCredit ? "C" : "D"),
      converted.element("PaymentLineAmount", Amount),
    ),
    element("DocumentTotals", money("GrossTotal", baseAmount)),
  );
  return { xml, debit: isCredit ? 0 : baseAmount, credit: isCredit ? baseAmount : 0 };
}

function moneyElement({ ledger, codes }: Sources, transaction: BankTransaction): DocumentElement {
  const { BankTransactionID, Type, Date: date, Contact, Reference, LineItems, Total } = transaction;
  const isReceived = Type.startsWith("RECEIVE");
  const { BaseCurrency } = ledger.organisation;
  const converted = new Converted(BaseCurrency, transaction.CurrencyCode, transaction.CurrencyRate);
  const party = ledger.parties.get(Contact?.ContactID ?? "");
  const partySide: Side = isReceived ? "customer" : "supplier";
  let [debit, credit] = [0, 0];
  const lines = LineItems.map((line, at) => {
    const { TaxAmount = 0, TaxType, Tracking = [], Description } = line;
    const net = netOf(line, transaction.LineAmountTypes);
    const gross = net + (transaction.LineAmountTypes === "NoTax" ? 0 : TaxAmount);
    const isCreditLine = isReceived !== gross < 0;
    const baseAmount = Math.abs(converted.inBase(gross));
    if (isCreditLine) credit += baseAmount;
    else debit += baseAmount;
    const account = line.AccountID ?? ledger.byCode.get(line.AccountCode ?? "")?.id;
    return element(
      "Line",
      element("LineNumber", String(at + 1)),
      account === undefined ? "" : codes.account(account),
      codes.analysis(
        Tracking.map(({ Name = "", Option = "" }) => ({ category: Name, option: Option })),
      ),
      codes.partyElement(party, partySide),
      element("TaxPointDate", date),
      textElement("Description", Description, 256),
      element("DebitCreditIndicator", isCreditLine ? "C" : "D"),
      converted.element("PaymentLineAmount", Math.abs(gross)),
      codes.taxInformation(
        TaxType,
        converted.inBase(Math.abs(net)),
        converted.inBase((net < 0 ? -1 : 1) * TaxAmount),
      ),
    );
  });
  const xml = element(
    "Payment",
    textElement("PaymentRefNo", BankTransactionID.replaceAll("-", ""), 35),
    element("TransactionDate", date),
    element("PaymentMethod", "Bank"),
    textElement("Description", [party?.name, Reference].filter(Boolean).join(" ") || Type, 256),
    ...lines,
    element("DocumentTotals", money("GrossTotal", converted.inBase(Total))),
  );
  return { xml, debit, credit };
}
