/** Reads UBL 2.1: Invoice and CreditNote. */

import type { Cents } from "../../ledger/money.ts";
import { requireCurrency } from "../../resources/common.ts";
import { one } from "../decimal.ts";
import {
  type Address,
  type Allowance,
  creditNoteCodes,
  type EInvoice,
  EInvoiceError,
  type Line,
  type Party,
  type Payment,
  type TaxKey,
  type TaxSubtotal,
} from "../model.ts";
import type { InvoiceNode } from "../read-xml.ts";

/**
 * Refuses invoices that also collect debts to third parties (XRechnung, BG-DEX-09), which are not
 * part of the seller's bill.
 */
function refuseForeignDebts(root: InvoiceNode): void {
  const [first] = root.all("PrepaidPayment");
  if (first?.textAt("InstructionID") === undefined) return;
  throw new EInvoiceError(
    "BadFile",
    `The e-invoice collects ${first.textAt("PaidAmount") ?? "amounts"} for others (PrepaidPayment); ask the supplier for an invoice of the own services alone.`,
  );
}

/**
 * Refuses amounts in a currency other than the document currency, except the tax total in the
 * accounting currency.
 *
 * @source PEPPOL-EN16931-R051
 */
function refuseForeignAmounts(nodes: readonly InvoiceNode[], currency: string): void {
  for (const node of nodes) {
    const own = node.attribute("currencyID") ?? currency;
    if (own !== currency) {
      throw new EInvoiceError(
        "BadFile",
        `The e-invoice is in ${currency}, but its ${node.name} in ${own}; ask the supplier for one in one currency.`,
      );
    }
    if (node.name !== "TaxTotal") refuseForeignAmounts(node.children, currency);
  }
}

/** Reads an Invoice, which may be a credit note by its code, or a CreditNote. @throws EInvoiceError */
export function readUbl(root: InvoiceNode): EInvoice {
  const isNamedCredit = root.name === "CreditNote";
  const lines = root.all(isNamedCredit ? "CreditNoteLine" : "InvoiceLine");
  const typeCode =
    root.textAt(isNamedCredit ? "CreditNoteTypeCode" : "InvoiceTypeCode") ??
    (isNamedCredit ? "381" : "380");
  const currency = requireCurrency(root.requiredText("DocumentCurrencyCode", "its currency"));
  const [taxTotal, accountingTax] = taxTotals(root, currency);
  const taxes = taxTotal.all("TaxSubtotal").map(readSubtotal);
  const scheme = taxTotal.textAt("TaxSubtotal/TaxCategory/TaxScheme/ID")?.toUpperCase();
  const totals = root.at("LegalMonetaryTotal");
  if (totals === undefined) {
    throw new EInvoiceError("BadFile", "The e-invoice lacks its totals (LegalMonetaryTotal).");
  }
  const allowances = root.all("AllowanceCharge");
  refuseForeignAmounts([totals, ...taxTotal.children, ...allowances, ...lines], currency);
  const net = totals.neededCents("TaxExclusiveAmount", "its total without tax");
  refuseForeignDebts(root);
  const accounting = root.textAt("TaxCurrencyCode");
  const zero = 0 as Cents;
  return {
    process: root.textAt("ProfileID"),
    specification: root.textAt("CustomizationID") ?? "",
    taxScheme: scheme === "GST" ? "GST" : "VAT",
    isCreditNote: isNamedCredit || creditNoteCodes.has(typeCode),
    typeCode,
    number: root.requiredText("ID", "its number"),
    date: neededDate(root, "IssueDate"),
    dueDate: root.date("DueDate") ?? root.date("PaymentMeans/PaymentDueDate"),
    currency,
    accountingTax:
      accounting === undefined || accountingTax === undefined
        ? undefined
        : { currency: accounting, amount: accountingTax.cents("TaxAmount") ?? zero },
    notes: root.all("Note").flatMap(({ value }) => value ?? []),
    buyerReference: root.textAt("BuyerReference"),
    orderReference: root.textAt("OrderReference/ID"),
    preceding: root.all("BillingReference/InvoiceDocumentReference").map((invoiceNode) => ({
      number: invoiceNode.requiredText("ID", "the number of the invoice before"),
      date: invoiceNode.date("IssueDate"),
    })),
    seller: readParty(root, "AccountingSupplierParty/Party", "the seller"),
    buyer: readParty(root, "AccountingCustomerParty/Party", "the buyer"),
    payee:
      root.textAt("PayeeParty/PartyName/Name") ??
      root.textAt("PayeeParty/PartyLegalEntity/RegistrationName"),
    delivery: readDelivery(root),
    payment: readPayment(root),
    terms: root.textAt("PaymentTerms/Note"),
    allowances: allowances.map((invoiceNode) => ({
      ...readAllowance(invoiceNode),
      ...taxKey(invoiceNode.at("TaxCategory") ?? invoiceNode),
    })),
    taxes,
    totals: {
      lines: totals.neededCents("LineExtensionAmount", "the sum of its lines"),
      allowances: totals.cents("AllowanceTotalAmount") ?? zero,
      charges: totals.cents("ChargeTotalAmount") ?? zero,
      net,
      tax: taxTotal.cents("TaxAmount") ?? zero,
      gross: totals.neededCents("TaxInclusiveAmount", "its total"),
      paid: totals.cents("PrepaidAmount") ?? zero,
      rounding: totals.cents("PayableRoundingAmount") ?? zero,
      due: totals.neededCents("PayableAmount", "the amount due"),
    },
    lines: lines.map((invoiceNode) => line(invoiceNode, isNamedCredit)),
  };
}

function neededDate(root: InvoiceNode, path: string): string {
  root.requiredText(path, "its date");
  return root.date(path) ?? "";
}

/** Tax total in the currency of the document, and in the accounting currency. */
function taxTotals(
  root: InvoiceNode,
  currency: string,
): readonly [InvoiceNode, InvoiceNode | undefined] {
  const all = root.all("TaxTotal");
  const inCurrency = (invoiceNode: InvoiceNode) =>
    (invoiceNode.at("TaxAmount")?.attribute("currencyID") ?? currency) === currency;
  const ownTotal = all.find((node) => node.at("TaxSubtotal") !== undefined) ?? all.find(inCurrency);
  if (ownTotal === undefined || !inCurrency(ownTotal)) {
    throw new EInvoiceError("BadFile", "The e-invoice lacks its tax (TaxTotal).");
  }
  return [ownTotal, all.find((invoiceNode) => !inCurrency(invoiceNode))];
}

function taxKey(node: InvoiceNode): TaxKey {
  const category = node.category("ID");
  return { category, rate: category === "O" ? undefined : node.decimal("Percent") };
}

function readSubtotal(node: InvoiceNode): TaxSubtotal {
  const category = node.at("TaxCategory") ?? node;
  return {
    category: category.category("ID"),
    rate: category.decimal("Percent"),
    base: node.neededCents("TaxableAmount", "the base of a tax"),
    amount: node.neededCents("TaxAmount", "the amount of a tax"),
    reason: category.textAt("TaxExemptionReason"),
    reasonCode: category.textAt("TaxExemptionReasonCode"),
  };
}

function readAllowance(node: InvoiceNode): Allowance {
  return {
    isCharge: node.textAt("ChargeIndicator") === "true",
    amount: node.neededCents("Amount", "the amount of an allowance"),
    percent: node.decimal("MultiplierFactorNumeric"),
    base: node.cents("BaseAmount"),
    reason: node.textAt("AllowanceChargeReason"),
    reasonCode: node.textAt("AllowanceChargeReasonCode"),
  };
}

function readParty(root: InvoiceNode, path: string, partyName: string): Party {
  const node = root.at(path);
  if (node === undefined)
    throw new EInvoiceError("BadFile", `The e-invoice lacks ${partyName} (${path}).`);
  const trading = node.textAt("PartyName/Name");
  const registered = node.textAt("PartyLegalEntity/RegistrationName");
  const name = registered ?? trading;
  if (name === undefined) {
    throw new EInvoiceError("BadFile", `The e-invoice lacks the name of ${partyName} (${path}).`);
  }
  const taxIds = node.all("PartyTaxScheme");
  const isTax = (node: InvoiceNode) => /^(?:VAT|GST)$/i.test(node.textAt("TaxScheme/ID") ?? "");
  return {
    name,
    tradingName: trading === name ? undefined : trading,
    ids: node.all("PartyIdentification").flatMap((invoiceNode) => {
      const id = invoiceNode.identifier("ID");
      // The SEPA creditor identifier is in the same element, but does not identify a party.
      return id === undefined || id.scheme === "SEPA" ? [] : [id];
    }),
    registration: node.identifier("PartyLegalEntity/CompanyID"),
    taxId: taxIds.find(isTax)?.textAt("CompanyID"),
    localTaxId: taxIds.find((taxId) => !isTax(taxId))?.textAt("CompanyID"),
    electronicAddress: node.identifier("EndpointID"),
    address: readAddress(node.at("PostalAddress")),
    contact: readContact(node.at("Contact")),
  };
}

function readContact(node: InvoiceNode | undefined): Party["contact"] {
  const person = {
    name: node?.textAt("Name"),
    phone: node?.textAt("Telephone"),
    email: node?.textAt("ElectronicMail"),
  };
  return Object.values(person).every((text) => text === undefined) ? undefined : person;
}

function readAddress(node: InvoiceNode | undefined): Address {
  const lines = ["StreetName", "AdditionalStreetName", "AddressLine/Line"];
  return {
    lines: lines.flatMap((path) => node?.textAt(path) ?? []),
    city: node?.textAt("CityName"),
    postCode: node?.textAt("PostalZone"),
    region: node?.textAt("CountrySubentity"),
    country: node?.textAt("Country/IdentificationCode"),
  };
}

function readDelivery(root: InvoiceNode): EInvoice["delivery"] {
  const date = root.date("Delivery/ActualDeliveryDate");
  const to = root.at("Delivery/DeliveryLocation/Address");
  if (date === undefined && to === undefined) return undefined;
  return { date, address: to && readAddress(to) };
}

function readPayment(root: InvoiceNode): Payment | undefined {
  const paymentMeans = root.all("PaymentMeans");
  const [first] = paymentMeans;
  if (first === undefined) return undefined;
  const accounts = paymentMeans.flatMap((invoiceNode) => {
    const id = invoiceNode.textAt("PayeeFinancialAccount/ID");
    if (id === undefined) return [];
    return {
      id,
      name: invoiceNode.textAt("PayeeFinancialAccount/Name"),
      bic: invoiceNode.textAt("PayeeFinancialAccount/FinancialInstitutionBranch/ID"),
    };
  });
  const means = first.textAt("PaymentMeansCode") ?? "1";
  const reference = first.textAt("PaymentID");
  const saysNothing = means === "1" && reference === undefined && accounts.length === 0;
  return saysNothing ? undefined : { means, reference, accounts };
}

function line(node: InvoiceNode, isNamedCredit: boolean): Line {
  const id = node.textAt("ID") ?? "";
  const quantity = isNamedCredit ? "CreditedQuantity" : "InvoicedQuantity";
  const description = node.textAt("Item/Description");
  const name = node.textAt("Item/Name") ?? description;
  if (name === undefined)
    throw new EInvoiceError("BadFile", `Line ${id} lacks the name of its item.`);
  const price = node.decimal("Price/PriceAmount");
  if (price === undefined) throw new EInvoiceError("BadFile", `Line ${id} lacks its price.`);
  const tax = node.at("Item/ClassifiedTaxCategory");
  if (tax === undefined) throw new EInvoiceError("BadFile", `Line ${id} lacks its tax category.`);
  return {
    id,
    note: node.textAt("Note"),
    name,
    description: node.textAt("Item/Name") === undefined ? undefined : description,
    itemCode: node.textAt("Item/SellersItemIdentification/ID"),
    quantity: node.decimal(quantity) ?? one,
    unit: node.at(quantity)?.attribute("unitCode") ?? "C62",
    price,
    priceQuantity: node.decimal("Price/BaseQuantity"),
    allowances: node.all("AllowanceCharge").map(readAllowance),
    net: node.neededCents("LineExtensionAmount", "the amount of a line"),
    ...taxKey(tax),
  };
}
