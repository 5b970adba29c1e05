/** Writes UBL 2.1: Invoice and CreditNote. @source EN 16931-3-2 */
import { writeDecimal } from "../../resources/decimal.ts";
import { type Element, element, writeDocument } from "../../wire/xml-writer.ts";
import { writeDecimalOf } from "../decimal.ts";
import type {
  Address,
  Allowance,
  Delivery,
  EInvoice,
  Identifier,
  Line,
  Party,
  Payment,
  TaxKey,
  TaxSubtotal,
} from "../model.ts";

const cbc = (
  name: string,
  content: string | undefined,
  attributes: Element["attributes"] = {},
): Element | undefined => element(`cbc:${name}`, content, attributes);
const cac = (name: string, content: readonly (Element | undefined)[]): Element | undefined =>
  element(`cac:${name}`, content);

const namespaceOf = (root: string) => `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`;

export function writeUbl(invoice: EInvoice): string {
  const { isCreditNote } = invoice;
  const root = isCreditNote ? "CreditNote" : "Invoice";
  const namespaces = {
    xmlns: namespaceOf(root),
    "xmlns:cac": namespaceOf("CommonAggregateComponents"),
    "xmlns:cbc": namespaceOf("CommonBasicComponents"),
  };
  return writeDocument(root, namespaces, new UblWriter(invoice).content());
}

/** Codes of UNTDID 2005. */
const taxPointCodes = { issue: "3", payment: "432" } as const;

class UblWriter {
  readonly #invoice: EInvoice;

  constructor(invoice: EInvoice) {
    this.#invoice = invoice;
  }

  content(): (Element | undefined)[] {
    const { isCreditNote, ...of } = this.#invoice;
    const typeCode = cbc(isCreditNote ? "CreditNoteTypeCode" : "InvoiceTypeCode", of.typeCode);
    return [
      cbc("CustomizationID", of.specification),
      cbc("ProfileID", of.process),
      cbc("ID", of.number),
      cbc("IssueDate", of.date),
      // A credit note has its due date in the payment means instead.
      isCreditNote ? undefined : cbc("DueDate", of.dueDate),
      typeCode,
      ...of.notes.map((note) => cbc("Note", note)),
      cbc("DocumentCurrencyCode", of.currency),
      cbc("TaxCurrencyCode", of.accountingTax?.currency),
      cbc("BuyerReference", of.buyerReference),
      cac("InvoicePeriod", [cbc("DescriptionCode", of.taxPoint && taxPointCodes[of.taxPoint])]),
      cac("OrderReference", [cbc("ID", of.orderReference)]),
      ...of.preceding.map(({ number, date }) =>
        cac("BillingReference", [
          cac("InvoiceDocumentReference", [cbc("ID", number), cbc("IssueDate", date)]),
        ]),
      ),
      cac("AccountingSupplierParty", [this.#party(of.seller)]),
      cac("AccountingCustomerParty", [this.#party(of.buyer)]),
      cac("PayeeParty", [cac("PartyName", [cbc("Name", of.payee)])]),
      this.#delivery(of.delivery),
      ...this.#payment(of.payment),
      cac("PaymentTerms", [cbc("Note", of.terms)]),
      ...of.allowances.map((each) => this.#allowance(each, this.#category("TaxCategory", each))),
      ...this.#taxes(),
      this.#totals(),
      ...of.lines.map((line) => this.#line(line)),
    ];
  }

  #amount(name: string, cents: number | undefined, currency = this.#invoice.currency) {
    return cbc(name, cents === undefined ? undefined : writeDecimal(cents, 2), {
      currencyID: currency,
    });
  }

  #party(party: Party): Element | undefined {
    const { taxScheme } = this.#invoice;
    const { electronicAddress, registration, contact, ids } = party;
    const taxed = (id: string | undefined, scheme: string) =>
      id === undefined
        ? undefined
        : cac("PartyTaxScheme", [cbc("CompanyID", id), cac("TaxScheme", [cbc("ID", scheme)])]);
    return cac("Party", [
      identifierElement("EndpointID", electronicAddress),
      ...ids.map((id) => cac("PartyIdentification", [identifierElement("ID", id)])),
      cac("PartyName", [cbc("Name", party.tradingName)]),
      addressElement("PostalAddress", party.address),
      taxed(party.taxId, taxScheme),
      taxed(party.localTaxId, "FC"),
      cac("PartyLegalEntity", [
        cbc("RegistrationName", party.name),
        identifierElement("CompanyID", registration),
      ]),
      cac("Contact", [
        cbc("Name", contact?.name),
        cbc("Telephone", contact?.phone),
        cbc("ElectronicMail", contact?.email),
      ]),
    ]);
  }

  #delivery(delivery: Delivery | undefined): Element | undefined {
    const to = delivery?.address;
    return cac("Delivery", [
      cbc("ActualDeliveryDate", delivery?.date),
      cac("DeliveryLocation", [to === undefined ? undefined : addressElement("Address", to)]),
    ]);
  }

  #payment(payment: Payment | undefined): (Element | undefined)[] {
    const { isCreditNote, dueDate } = this.#invoice;
    const due = isCreditNote ? dueDate : undefined;
    if (payment === undefined) {
      // Without payment means, an element with only the due date: UBL has no other place for it in
      // a credit note.
      if (due === undefined) return [];
      return [cac("PaymentMeans", [cbc("PaymentMeansCode", "1"), cbc("PaymentDueDate", due)])];
    }
    const accounts = payment.accounts.length === 0 ? [undefined] : payment.accounts;
    return accounts.map((account) =>
      cac("PaymentMeans", [
        cbc("PaymentMeansCode", payment.means),
        cbc("PaymentDueDate", due),
        cbc("PaymentID", payment.reference),
        account &&
          cac("PayeeFinancialAccount", [
            cbc("ID", account.id),
            cbc("Name", account.name),
            cac("FinancialInstitutionBranch", [cbc("ID", account.bic)]),
          ]),
      ]),
    );
  }

  #allowance(allowance: Allowance, category?: Element): Element | undefined {
    return cac("AllowanceCharge", [
      cbc("ChargeIndicator", String(allowance.isCharge)),
      cbc("AllowanceChargeReasonCode", allowance.reasonCode),
      cbc("AllowanceChargeReason", allowance.reason),
      cbc("MultiplierFactorNumeric", allowance.percent && writeDecimalOf(allowance.percent)),
      this.#amount("Amount", allowance.amount),
      this.#amount("BaseAmount", allowance.base),
      category,
    ]);
  }

  #category(
    name: string,
    { category, rate }: TaxKey,
    exemption: Pick<TaxSubtotal, "reason" | "reasonCode"> = {},
  ): Element | undefined {
    return cac(name, [
      cbc("ID", category),
      cbc("Percent", rate && writeDecimalOf(rate)),
      cbc("TaxExemptionReasonCode", exemption.reasonCode),
      cbc("TaxExemptionReason", exemption.reason),
      cac("TaxScheme", [cbc("ID", this.#invoice.taxScheme)]),
    ]);
  }

  #taxes(): (Element | undefined)[] {
    const { totals, taxes, accountingTax } = this.#invoice;
    return [
      cac("TaxTotal", [
        this.#amount("TaxAmount", totals.tax),
        ...taxes.map((tax) =>
          cac("TaxSubtotal", [
            this.#amount("TaxableAmount", tax.base),
            this.#amount("TaxAmount", tax.amount),
            this.#category("TaxCategory", tax, tax),
          ]),
        ),
      ]),
      accountingTax &&
        cac("TaxTotal", [this.#amount("TaxAmount", accountingTax.amount, accountingTax.currency)]),
    ];
  }

  #totals(): Element | undefined {
    const { totals } = this.#invoice;
    const nonZero = (cents: number) => (cents === 0 ? undefined : cents);
    return cac("LegalMonetaryTotal", [
      this.#amount("LineExtensionAmount", totals.lines),
      this.#amount("TaxExclusiveAmount", totals.net),
      this.#amount("TaxInclusiveAmount", totals.gross),
      this.#amount("AllowanceTotalAmount", nonZero(totals.allowances)),
      this.#amount("ChargeTotalAmount", nonZero(totals.charges)),
      this.#amount("PrepaidAmount", nonZero(totals.paid)),
      this.#amount("PayableRoundingAmount", nonZero(totals.rounding)),
      this.#amount("PayableAmount", totals.due),
    ]);
  }

  #line(line: Line): Element | undefined {
    const { isCreditNote, currency } = this.#invoice;
    const unit = { unitCode: line.unit };
    return cac(isCreditNote ? "CreditNoteLine" : "InvoiceLine", [
      cbc("ID", line.id),
      cbc("Note", line.note),
      cbc(
        isCreditNote ? "CreditedQuantity" : "InvoicedQuantity",
        writeDecimalOf(line.quantity),
        unit,
      ),
      this.#amount("LineExtensionAmount", line.net),
      ...line.allowances.map((allowance) => this.#allowance(allowance)),
      cac("Item", [
        cbc("Description", line.description),
        cbc("Name", line.name),
        cac("SellersItemIdentification", [cbc("ID", line.itemCode)]),
        this.#category("ClassifiedTaxCategory", line),
      ]),
      cac("Price", [
        cbc("PriceAmount", writeDecimalOf(line.price, 2), { currencyID: currency }),
        cbc("BaseQuantity", line.priceQuantity && writeDecimalOf(line.priceQuantity), unit),
      ]),
    ]);
  }
}

function identifierElement(name: string, id: Identifier | undefined): Element | undefined {
  return cbc(name, id?.id, { schemeID: id?.scheme });
}

function addressElement(name: string, { lines, city, postCode, region, country }: Address) {
  const [first, second, third] = lines;
  return cac(name, [
    cbc("StreetName", first),
    cbc("AdditionalStreetName", second),
    cbc("CityName", city),
    cbc("PostalZone", postCode),
    cbc("CountrySubentity", region),
    cac("AddressLine", [cbc("Line", third)]),
    cac("Country", [cbc("IdentificationCode", country)]),
  ]);
}
