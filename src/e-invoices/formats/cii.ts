/** Writes Cross Industry Invoice D16B of UN/CEFACT, also for Factur-X. @source EN 16931-3-3 */
import type { DateText } from "../../ledger/dates/calendar.ts";
import { isIban } from "../../resources/common.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { type Element, element, writeDocument } from "../../wire/xml-writer.ts";
import { writeDecimalOf } from "../decimal.ts";

import type {
  Address,
  Allowance,
  EInvoice,
  Identifier,
  Line,
  Party,
  Payment,
  TaxKey,
  TaxSubtotal,
} from "../model.ts";

const ram = (
  name: string,
  content: string | undefined | readonly (Element | undefined)[],
  attributes: Element["attributes"] = {},
): Element | undefined => element(`ram:${name}`, content, attributes);

const standard = "urn:un:unece:uncefact:data:standard";
const namespaces = {
  "xmlns:rsm": `${standard}:CrossIndustryInvoice:100`,
  "xmlns:qdt": `${standard}:QualifiedDataType:100`,
  "xmlns:ram": `${standard}:ReusableAggregateBusinessInformationEntity:100`,
  "xmlns:udt": `${standard}:UnqualifiedDataType:100`,
};

export function writeCii(invoice: EInvoice): string {
  return writeDocument("rsm:CrossIndustryInvoice", namespaces, contentElements(invoice));
}

function contentElements(invoice: EInvoice): (Element | undefined)[] {
  const { process, specification, number, typeCode, date, notes } = invoice;
  return [
    element("rsm:ExchangedDocumentContext", [
      ram("BusinessProcessSpecifiedDocumentContextParameter", [ram("ID", process)]),
      ram("GuidelineSpecifiedDocumentContextParameter", [ram("ID", specification)]),
    ]),
    element("rsm:ExchangedDocument", [
      ram("ID", number),
      ram("TypeCode", typeCode),
      ram("IssueDateTime", [dayOf(date)]),
      ...notes.map(noteElement),
    ]),
    element("rsm:SupplyChainTradeTransaction", [
      ...invoice.lines.map(lineItem),
      agreementElement(invoice),
      // The schema requires the group even when it is empty.
      deliveryElement(invoice) ?? {
        name: "ram:ApplicableHeaderTradeDelivery",
        attributes: {},
        content: [],
      },
      settlementElement(invoice),
    ]),
  ];
}

/** A note; a subject code stands before its text, as in UBL: `#PMT#Indemnité …`. */
function noteElement(note: string): Element | undefined {
  const [, code, text = note] = /^#([A-Z]{3})#(.*)$/s.exec(note) ?? [];
  return ram("IncludedNote", [ram("Content", text), ram("SubjectCode", code)]);
}

/** Formats a date as `YYYYMMDD`. */
function dayOf(date: DateText | undefined, prefix: "udt" | "qdt" = "udt"): Element | undefined {
  return element(`${prefix}:DateTimeString`, date?.replaceAll("-", ""), { format: "102" });
}

const amount = (name: string, cents: number | undefined): Element | undefined =>
  ram(name, cents === undefined ? undefined : writeDecimal(cents, 2));

function idElement(name: string, id: Identifier | undefined): Element | undefined {
  return ram(name, id?.id, { schemeID: id?.scheme });
}

const indicator = (isTrue: boolean): Element | undefined =>
  ram("ChargeIndicator", [element("udt:Indicator", String(isTrue))]);

function lineItem(line: Line): Element | undefined {
  const { priceQuantity, unit } = line;
  return ram("IncludedSupplyChainTradeLineItem", [
    ram("AssociatedDocumentLineDocument", [
      ram("LineID", line.id),
      ram("IncludedNote", [ram("Content", line.note)]),
    ]),
    ram("SpecifiedTradeProduct", [
      ram("SellerAssignedID", line.itemCode),
      ram("Name", line.name),
      ram("Description", line.description),
    ]),
    ram("SpecifiedLineTradeAgreement", [
      ram("NetPriceProductTradePrice", [
        ram("ChargeAmount", writeDecimalOf(line.price, 2)),
        ram("BasisQuantity", priceQuantity && writeDecimalOf(priceQuantity), { unitCode: unit }),
      ]),
    ]),
    ram("SpecifiedLineTradeDelivery", [
      ram("BilledQuantity", writeDecimalOf(line.quantity), { unitCode: unit }),
    ]),
    ram("SpecifiedLineTradeSettlement", [
      ram("ApplicableTradeTax", [
        ram("TypeCode", "VAT"),
        ram("CategoryCode", line.category),
        ram("RateApplicablePercent", line.rate && writeDecimalOf(line.rate)),
      ]),
      ...line.allowances.map((allowance) => allowanceElement(allowance)),
      ram("SpecifiedTradeSettlementLineMonetarySummation", [amount("LineTotalAmount", line.net)]),
    ]),
  ]);
}

function allowanceElement(deduction: Allowance, key?: TaxKey): Element | undefined {
  return ram("SpecifiedTradeAllowanceCharge", [
    indicator(deduction.isCharge),
    ram("CalculationPercent", deduction.percent && writeDecimalOf(deduction.percent)),
    amount("BasisAmount", deduction.base),
    amount("ActualAmount", deduction.amount),
    ram("ReasonCode", deduction.reasonCode),
    ram("Reason", deduction.reason),
    key &&
      ram("CategoryTradeTax", [
        ram("TypeCode", "VAT"),
        ram("CategoryCode", key.category),
        ram("RateApplicablePercent", key.rate && writeDecimalOf(key.rate)),
      ]),
  ]);
}

function agreementElement(invoice: EInvoice): Element | undefined {
  return ram("ApplicableHeaderTradeAgreement", [
    ram("BuyerReference", invoice.buyerReference),
    partyElement("SellerTradeParty", invoice.seller),
    partyElement("BuyerTradeParty", invoice.buyer),
    ram("BuyerOrderReferencedDocument", [ram("IssuerAssignedID", invoice.orderReference)]),
  ]);
}

function partyElement(name: string, of: Party): Element | undefined {
  const { ids, registration, tradingName, contact, electronicAddress } = of;
  const taxed = (id: string | undefined, scheme: string) =>
    ram("SpecifiedTaxRegistration", [ram("ID", id, { schemeID: scheme })]);
  return ram(name, [
    ...ids.filter(({ scheme }) => scheme === undefined).map((id) => ram("ID", id.id)),
    ...ids.filter(({ scheme }) => scheme !== undefined).map((id) => idElement("GlobalID", id)),
    ram("Name", of.name),
    ram("SpecifiedLegalOrganization", [
      idElement("ID", registration),
      ram("TradingBusinessName", tradingName),
    ]),
    ram("DefinedTradeContact", [
      ram("PersonName", contact?.name),
      ram("TelephoneUniversalCommunication", [ram("CompleteNumber", contact?.phone)]),
      ram("EmailURIUniversalCommunication", [ram("URIID", contact?.email)]),
    ]),
    addressElement(of.address),
    ram("URIUniversalCommunication", [idElement("URIID", electronicAddress)]),
    taxed(of.taxId, "VA"),
    taxed(of.localTaxId, "FC"),
  ]);
}

function addressElement({ lines, city, postCode, region, country }: Address): Element | undefined {
  const [first, second, third] = lines;
  return ram("PostalTradeAddress", [
    ram("PostcodeCode", postCode),
    ram("LineOne", first),
    ram("LineTwo", second),
    ram("LineThree", third),
    ram("CityName", city),
    ram("CountryID", country),
    ram("CountrySubDivisionName", region),
  ]);
}

function deliveryElement({ delivery }: EInvoice): Element | undefined {
  const to = delivery?.address;
  return ram("ApplicableHeaderTradeDelivery", [
    ram("ShipToTradeParty", [to === undefined ? undefined : addressElement(to)]),
    ram("ActualDeliverySupplyChainEvent", [ram("OccurrenceDateTime", [dayOf(delivery?.date)])]),
  ]);
}

function settlementElement(invoice: EInvoice): Element | undefined {
  const { payment, accountingTax, currency, totals, payee, terms, dueDate } = invoice;
  const nonZero = (cents: number) => (cents === 0 ? undefined : cents);
  return ram("ApplicableHeaderTradeSettlement", [
    ram("PaymentReference", payment?.reference),
    ram("TaxCurrencyCode", accountingTax?.currency),
    ram("InvoiceCurrencyCode", currency),
    ram("PayeeTradeParty", [ram("Name", payee)]),
    ...paymentMeansElements(payment),
    ...invoice.taxes.map((tax) => taxElement(tax, invoice)),
    ...invoice.allowances.map((allowance) => allowanceElement(allowance, allowance)),
    ram("SpecifiedTradePaymentTerms", [
      ram("Description", terms),
      ram("DueDateDateTime", [dayOf(dueDate)]),
    ]),
    ram("SpecifiedTradeSettlementHeaderMonetarySummation", [
      amount("LineTotalAmount", totals.lines),
      amount("ChargeTotalAmount", nonZero(totals.charges)),
      amount("AllowanceTotalAmount", nonZero(totals.allowances)),
      amount("TaxBasisTotalAmount", totals.net),
      ram("TaxTotalAmount", writeDecimal(totals.tax, 2), { currencyID: currency }),
      ram("TaxTotalAmount", accountingTax && writeDecimal(accountingTax.amount, 2), {
        currencyID: accountingTax?.currency,
      }),
      amount("RoundingAmount", nonZero(totals.rounding)),
      amount("GrandTotalAmount", totals.gross),
      amount("TotalPrepaidAmount", nonZero(totals.paid)),
      amount("DuePayableAmount", totals.due),
    ]),
    ...invoice.preceding.map(({ number, date }) =>
      ram("InvoiceReferencedDocument", [
        ram("IssuerAssignedID", number),
        ram("FormattedIssueDateTime", [dayOf(date, "qdt")]),
      ]),
    ),
  ]);
}

function paymentMeansElements(payment: Payment | undefined): (Element | undefined)[] {
  if (payment === undefined) return [];
  const accounts = payment.accounts.length === 0 ? [undefined] : payment.accounts;
  return accounts.map((account) =>
    ram("SpecifiedTradeSettlementPaymentMeans", [
      ram("TypeCode", payment.means),
      account &&
        ram("PayeePartyCreditorFinancialAccount", [
          ram("IBANID", isIban(account.id) ? account.id : undefined),
          ram("AccountName", account.name),
          ram("ProprietaryID", isIban(account.id) ? undefined : account.id),
        ]),
      ram("PayeeSpecifiedCreditorFinancialInstitution", [ram("BICID", account?.bic)]),
    ]),
  );
}

/** Codes of UNTDID 2475. */
const taxPointCodes = { issue: "5", payment: "72" } as const;

function taxElement(subtotal: TaxSubtotal, { taxPoint }: EInvoice): Element | undefined {
  return ram("ApplicableTradeTax", [
    amount("CalculatedAmount", subtotal.amount),
    ram("TypeCode", "VAT"),
    ram("ExemptionReason", subtotal.reason),
    amount("BasisAmount", subtotal.base),
    ram("CategoryCode", subtotal.category),
    ram("ExemptionReasonCode", subtotal.reasonCode),
    ram("DueDateTypeCode", taxPoint && taxPointCodes[taxPoint]),
    ram("RateApplicablePercent", subtotal.rate && writeDecimalOf(subtotal.rate)),
  ]);
}
