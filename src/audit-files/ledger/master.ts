/**
 * Reads the records that audit files contain besides the ledger: contacts, tax rates, documents.
 */

import type { DateRange } from "../../ledger/dates/calendar.ts";
import { bankTransaction, isTransfer } from "../../resources/bank-transaction.ts";
import { contact } from "../../resources/contact.ts";
import { type CreditNote, creditNote } from "../../resources/credit-note.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { type Payment, payment } from "../../resources/payment.ts";
import { type TaxRate, taxRate } from "../../resources/tax-rate.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import type { AuditSource } from "../audit-source.ts";

export type BankTransaction = Shape<typeof bankTransaction>;

export interface PostalAddress {
  readonly street: string | undefined;
  readonly city: string | undefined;
  readonly postalCode: string | undefined;
  readonly region: string | undefined;
  readonly country: string | undefined;
}

export interface PartyDetails {
  readonly address: PostalAddress | undefined;
  readonly registrationNumber: string | undefined;
  readonly taxNumber: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
}

/** Postal address of a contact or company: the street address is preferred to the PO box. */
export function addressOf(addresses: Organisation["Addresses"] = []): PostalAddress | undefined {
  const hasPlace = ({ City, PostalCode, AddressLine1 }: (typeof addresses)[number]) =>
    (City ?? PostalCode ?? AddressLine1 ?? "") !== "";
  const filledOnes = addresses.filter(hasPlace);
  const address = filledOnes.find(({ AddressType }) => AddressType === "STREET") ?? filledOnes[0];
  if (address === undefined) return undefined;
  const { AddressLine1, AddressLine2, AddressLine3, AddressLine4 } = address;
  const lines = [AddressLine1, AddressLine2, AddressLine3, AddressLine4];
  return {
    street: lines.filter((line) => line !== undefined && line !== "").join(", "),
    city: address.City,
    postalCode: address.PostalCode,
    region: address.Region,
    country: address.Country,
  };
}

export function phoneOf(phones: Organisation["Phones"] = []): string | undefined {
  const phone = phones.find(({ PhoneNumber = "" }) => PhoneNumber !== "");
  if (phone === undefined) return undefined;
  const { PhoneCountryCode = "", PhoneAreaCode = "", PhoneNumber = "" } = phone;
  return [PhoneCountryCode, PhoneAreaCode, PhoneNumber].filter((text) => text !== "").join(" ");
}

/**
 * Reads records from the service on demand; documents are the approved or paid ones of the period.
 */
export class Master {
  readonly #source: AuditSource;
  readonly #period: DateRange;

  constructor(source: AuditSource, period: DateRange) {
    this.#source = source;
    this.#period = period;
  }

  async taxRates(): Promise<TaxRate[]> {
    const taxRates: TaxRate[] = [];
    for await (const record of this.#source.list(taxRate)) taxRates.push(record);
    return taxRates;
  }

  /** Details of the contacts that `isWanted` accepts, by ContactID. */
  async parties(isWanted: (id: string) => boolean): Promise<ReadonlyMap<string, PartyDetails>> {
    const detailsById = new Map<string, PartyDetails>();
    const parameters = { includeArchived: "true" };
    for await (const record of this.#source.list(contact, { parameters })) {
      if (!isWanted(record.ContactID)) continue;
      detailsById.set(record.ContactID, {
        address: addressOf(record.Addresses),
        registrationNumber: record.CompanyNumber,
        taxNumber: record.TaxNumber,
        email: record.EmailAddress,
        phone: phoneOf(record.Phones),
      });
    }
    return detailsById;
  }

  invoices(type: Invoice["Type"]): AsyncIterable<Invoice> {
    return this.#documents(invoice, type) as AsyncIterable<Invoice>;
  }

  creditNotes(type: CreditNote["Type"]): AsyncIterable<CreditNote> {
    return this.#documents(creditNote, type) as AsyncIterable<CreditNote>;
  }

  #documents(resource: Resource, type: string): AsyncIterable<object> {
    const inForce = ["AUTHORISED", "PAID"].map((status) =>
      compare(resource.fields, "Status", "==", status),
    );
    return this.#source.list(resource, {
      where: allOf([
        compare(resource.fields, "Type", "==", type),
        anyOf(inForce),
        ...this.#dated(resource),
      ]),
      order: "Date ASC",
      unitDecimals: 4,
    });
  }

  payments(): AsyncIterable<Payment> {
    return this.#authorised(payment) as AsyncIterable<Payment>;
  }

  /** Bank transactions of the period, without transfers between the company's own accounts. */
  async *bankTransactions(): AsyncGenerator<BankTransaction> {
    for await (const each of this.#authorised(bankTransaction) as AsyncIterable<BankTransaction>) {
      if (!isTransfer(each.Type)) yield each;
    }
  }

  #authorised(resource: Resource): AsyncIterable<object> {
    const condition = allOf([
      compare(resource.fields, "Status", "==", "AUTHORISED"),
      ...this.#dated(resource),
    ]);
    return this.#source.list(resource, { where: condition, order: "Date ASC", unitDecimals: 4 });
  }

  #dated({ fields }: Resource): string[] {
    const { from, to } = this.#period;
    return [compare(fields, "Date", ">=", from), compare(fields, "Date", "<=", to)];
  }
}
