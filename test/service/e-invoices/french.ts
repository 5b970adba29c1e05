/** A company in Honfleur and a business customer, whose e-invoices go through platforms in France. */
import { contact, type Json, type World, world } from "../fixture.ts";

const Addresses = [
  {
    ...{ AddressType: "POBOX", AddressLine1: "1 Quai", City: "Honfleur" },
    ...{ PostalCode: "14600", Country: "France" },
  },
];

export const business = { Name: "Galerie", CompanyNumber: "73282932000074" };

/** @param fields  of the customer */
export async function amongFrench(fields: object = business): Promise<[World, Json]> {
  const given = await world("FR");
  const own = { Name: "Atelier SARL", TaxNumber: "FR11123456782", Addresses, PaysTax: true };
  await given.ok("POST", "/Organisation/Settings", { ...own, RegistrationNumber: "123456782" });
  const party = { TaxNumber: "FR44732829320", Addresses, ...fields };
  return [given, await contact(given, party)];
}

/** The e-invoice of a document as XML. @param path  such as `/Invoices/…` */
export async function ciiOf({ book }: World, path: string, format = "cii"): Promise<string> {
  const { status, body } = await book.transport({
    ...{ method: "GET", path: `/Extensions/EInvoices${path}`, query: [["format", format]] },
    headers: { accept: "application/json" },
  });
  const text = Buffer.from(body as Uint8Array).toString();
  if (status !== 200) throw new Error(text);
  return text;
}
