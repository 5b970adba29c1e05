/** Reads the Cross Industry Invoice of UN/CEFACT, D16B and later. */

import type { Cents } from "../../ledger/money.ts";
import { requireCurrency } from "../../resources/common.ts";
import { one } from "../decimal.ts";
import {
  type Address,
  type Allowance,
  creditNoteCodes,
  type DocumentAllowance,
  type EInvoice,
  EInvoiceError,
  type Line,
  type Party,
  type Payment,
  type TaxKey,
  type TaxSubtotal,
} from "../model.ts";
import type { InvoiceNode } from "../read-xml.ts";

/** Reads an invoice in CII. @throws EInvoiceError */
export function readCii(root: InvoiceNode): EInvoice {
  const context = "ExchangedDocumentContext";
  const documentNode = requiredNode(root, "ExchangedDocument");
  const trade = requiredNode(root, "SupplyChainTradeTransaction");
  const agreement = requiredNode(trade, "ApplicableHeaderTradeAgreement");
  const settlement = requiredNode(trade, "ApplicableHeaderTradeSettlement");
  const lines = trade.all("IncludedSupplyChainTradeLineItem").filter(isDetail);
  const sums = requiredNode(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation");
  const typeCode = documentNode.textAt("TypeCode") ?? "380";
  const currency = requireCurrency(settlement.requiredText("InvoiceCurrencyCode", "its currency"));
  const terms = settlement.all("SpecifiedTradePaymentTerms");
  const zero = 0 as Cents;
  documentNode.requiredText("IssueDateTime/DateTimeString", "its date");
  const gross = sums.neededCents("GrandTotalAmount", "its total");
  const amountDue = sums.neededCents("DuePayableAmount", "the amount due");
  // The MINIMUM profile has no field for the amount already paid (BT-113).
  const isMinimum = lines.length === 0 && settlement.at("ApplicableTradeTax") === undefined;
  const guideline = `${context}/GuidelineSpecifiedDocumentContextParameter/ID`;
  const process = `${context}/BusinessProcessSpecifiedDocumentContextParameter/ID`;
  return {
    process: root.textAt(process),
    specification: root.textAt(guideline) ?? "",
    taxScheme: "VAT",
    isCreditNote: creditNoteCodes.has(typeCode),
    typeCode,
    number: documentNode.requiredText("ID", "its number"),
    date: documentNode.date("IssueDateTime/DateTimeString") ?? "",
    dueDate: terms.map((term) => term.date("DueDateDateTime/DateTimeString")).find(Boolean),
    currency,
    accountingTax: accountingTax(settlement, sums, currency),
    notes: documentNode.all("IncludedNote/Content").flatMap(({ value }) => value ?? []),
    buyerReference: agreement.textAt("BuyerReference"),
    orderReference: agreement.textAt("BuyerOrderReferencedDocument/IssuerAssignedID"),
    preceding: settlement.all("InvoiceReferencedDocument").flatMap((invoiceNode) => {
      const number = invoiceNode.textAt("IssuerAssignedID");
      const date = invoiceNode.date("FormattedIssueDateTime/DateTimeString");
      return number === undefined ? [] : [{ number, date }];
    }),
    seller: readParty(agreement, "SellerTradeParty", "the seller"),
    buyer: readParty(agreement, "BuyerTradeParty", "the buyer"),
    payee: settlement.textAt("PayeeTradeParty/Name"),
    delivery: readDelivery(trade.at("ApplicableHeaderTradeDelivery")),
    payment: readPayment(settlement),
    terms: terms.map((term) => term.textAt("Description")).find(Boolean),
    allowances: [
      ...settlement.all("SpecifiedTradeAllowanceCharge").map((invoiceNode) => ({
        ...readAllowance(invoiceNode),
        ...taxKey(invoiceNode.at("CategoryTradeTax") ?? invoiceNode),
      })),
      ...settlement.all("SpecifiedLogisticsServiceCharge").map(logisticsCharge),
    ],
    taxes: settlement.all("ApplicableTradeTax").map(readSubtotal),
    totals: {
      lines:
        lines.length === 0
          ? (sums.cents("LineTotalAmount") ?? zero)
          : sums.neededCents("LineTotalAmount", "the sum of its lines"),
      allowances: sums.cents("AllowanceTotalAmount") ?? zero,
      charges: sums.cents("ChargeTotalAmount") ?? zero,
      net: sums.neededCents("TaxBasisTotalAmount", "its total without tax"),
      tax: taxIn(sums, (sum) => sum === undefined || sum === currency) ?? zero,
      gross,
      paid: sums.cents("TotalPrepaidAmount") ?? (isMinimum ? ((gross - amountDue) as Cents) : zero),
      rounding: sums.cents("RoundingAmount") ?? zero,
      due: amountDue,
    },
    lines: lines.map(line),
  };
}

function requiredNode(node: InvoiceNode, path: string): InvoiceNode {
  const invoiceNode = node.at(path);
  if (invoiceNode === undefined) throw new EInvoiceError("BadFile", `The e-invoice lacks ${path}.`);
  return invoiceNode;
}

/** Tax total in the currency that `isIt` accepts. */
function taxIn(
  sums: InvoiceNode,
  isIt: (currency: string | undefined) => boolean,
): Cents | undefined {
  const taxTotals = sums.all("TaxTotalAmount");
  return taxTotals.find((invoiceNode) => isIt(invoiceNode.attribute("currencyID")))?.cents("");
}

function accountingTax(
  settlement: InvoiceNode,
  sums: InvoiceNode,
  currency: string,
): EInvoice["accountingTax"] {
  const taxCurrency = settlement.textAt("TaxCurrencyCode");
  if (taxCurrency === undefined || taxCurrency === currency) return undefined;
  const amount = taxIn(sums, (sum) => sum === taxCurrency);
  return amount === undefined ? undefined : { currency: taxCurrency, amount };
}

function taxKey(node: InvoiceNode): TaxKey {
  const category = node.category("CategoryCode");
  const rate = node.decimal("RateApplicablePercent");
  return { category, rate: category === "O" ? undefined : rate };
}

function readSubtotal(node: InvoiceNode): TaxSubtotal {
  return {
    category: node.category("CategoryCode"),
    rate: node.decimal("RateApplicablePercent"),
    base: node.neededCents("BasisAmount", "the base of a tax"),
    amount: node.neededCents("CalculatedAmount", "the amount of a tax"),
    reason: node.textAt("ExemptionReason"),
    reasonCode: node.textAt("ExemptionReasonCode"),
  };
}

function readAllowance(node: InvoiceNode): Allowance {
  return {
    isCharge: node.textAt("ChargeIndicator/Indicator") === "true",
    amount: node.neededCents("ActualAmount", "the amount of an allowance"),
    percent: node.decimal("CalculationPercent"),
    base: node.cents("BasisAmount"),
    reason: node.textAt("Reason"),
    reasonCode: node.textAt("ReasonCode"),
  };
}

/** Freight charge, which the extended profile of Factur-X lists separately. */
function logisticsCharge(node: InvoiceNode): DocumentAllowance {
  return {
    isCharge: true,
    amount: node.neededCents("AppliedAmount", "the amount of a charge"),
    reason: node.textAt("Description"),
    ...taxKey(node.at("AppliedTradeTax") ?? node),
  };
}

/** Whether a line counts: in the extended profile some lines are subtotals or information. */
function isDetail(node: InvoiceNode): boolean {
  const status = node.textAt("AssociatedDocumentLineDocument/LineStatusReasonCode");
  return status !== "GROUP" && status !== "INFORMATION";
}

function readParty(agreement: InvoiceNode, path: string, partyName: string): Party {
  const node = requiredNode(agreement, path);
  const trading = node.textAt("SpecifiedLegalOrganization/TradingBusinessName");
  const name = node.textAt("Name") ?? trading;
  if (name === undefined) {
    throw new EInvoiceError("BadFile", `The e-invoice lacks the name of ${partyName} (${path}).`);
  }
  const taxed = (scheme: string) =>
    node.all("SpecifiedTaxRegistration/ID").find((node) => node.attribute("schemeID") === scheme)
      ?.value;
  return {
    name,
    tradingName: trading === name ? undefined : trading,
    ids: [...node.all("ID"), ...node.all("GlobalID")].flatMap((node) => node.identifier("") ?? []),
    registration: node.identifier("SpecifiedLegalOrganization/ID"),
    taxId: taxed("VA"),
    localTaxId: taxed("FC"),
    electronicAddress: node.identifier("URIUniversalCommunication/URIID"),
    address: readAddress(node.at("PostalTradeAddress")),
    contact: readContact(node.at("DefinedTradeContact")),
  };
}

function readContact(node: InvoiceNode | undefined): Party["contact"] {
  const person = {
    name: node?.textAt("PersonName") ?? node?.textAt("DepartmentName"),
    phone: node?.textAt("TelephoneUniversalCommunication/CompleteNumber"),
    email: node?.textAt("EmailURIUniversalCommunication/URIID"),
  };
  return Object.values(person).every((text) => text === undefined) ? undefined : person;
}

function readAddress(node: InvoiceNode | undefined): Address {
  const lines = ["LineOne", "LineTwo", "LineThree"];
  return {
    lines: lines.flatMap((path) => node?.textAt(path) ?? []),
    city: node?.textAt("CityName"),
    postCode: node?.textAt("PostcodeCode"),
    region: node?.textAt("CountrySubDivisionName"),
    country: node?.textAt("CountryID"),
  };
}

function readDelivery(node: InvoiceNode | undefined): EInvoice["delivery"] {
  const date = node?.date("ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString");
  const to = node?.at("ShipToTradeParty/PostalTradeAddress");
  if (date === undefined && to === undefined) return undefined;
  return { date, address: to && readAddress(to) };
}

function readPayment(settlement: InvoiceNode): Payment | undefined {
  const paymentMeans = settlement.all("SpecifiedTradeSettlementPaymentMeans");
  const reference = settlement.textAt("PaymentReference");
  const [first] = paymentMeans;
  if (first === undefined) return undefined;
  const accounts = paymentMeans.flatMap((invoiceNode) => {
    const account = invoiceNode.at("PayeePartyCreditorFinancialAccount");
    const id = account?.textAt("IBANID") ?? account?.textAt("ProprietaryID");
    if (id === undefined) return [];
    const bic = invoiceNode.textAt("PayeeSpecifiedCreditorFinancialInstitution/BICID");
    return { id, name: account?.textAt("AccountName"), bic };
  });
  return { means: first.textAt("TypeCode") ?? "1", reference, accounts };
}

function line(node: InvoiceNode): Line {
  const id = node.textAt("AssociatedDocumentLineDocument/LineID") ?? "";
  const lacks = (what: string) => new EInvoiceError("BadFile", `Line ${id} lacks ${what}.`);
  const product = requiredNode(node, "SpecifiedTradeProduct");
  const name = product.textAt("Name") ?? product.textAt("Description");
  if (name === undefined) throw lacks("the name of its item");
  const net = "SpecifiedLineTradeAgreement/NetPriceProductTradePrice";
  const price = node.decimal(`${net}/ChargeAmount`);
  if (price === undefined) throw lacks("its price");
  const settlement = requiredNode(node, "SpecifiedLineTradeSettlement");
  const tax = settlement.at("ApplicableTradeTax");
  if (tax === undefined) throw lacks("its tax category");
  const quantity = "SpecifiedLineTradeDelivery/BilledQuantity";
  return {
    id,
    note: node.textAt("AssociatedDocumentLineDocument/IncludedNote/Content"),
    name,
    description: product.textAt("Name") === undefined ? undefined : product.textAt("Description"),
    itemCode: product.textAt("SellerAssignedID"),
    quantity: node.decimal(quantity) ?? one,
    unit: node.at(quantity)?.attribute("unitCode") ?? "C62",
    price,
    priceQuantity: node.decimal(`${net}/BasisQuantity`),
    allowances: settlement.all("SpecifiedTradeAllowanceCharge").map(readAllowance),
    net: settlement.neededCents(
      "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
      "the amount of a line",
    ),
    ...taxKey(tax),
  };
}
