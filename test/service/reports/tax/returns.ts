/** What tests of tax returns share: documents, the basis of the organisation, and boxes by their ids. */
import type { Organisation } from "../../../../src/resources/organisation.ts";
import { updateOrganisation } from "../../../../src/store/records/organisations.ts";
import { acted } from "../../../support/audit.ts";
import { type Json, sale, type World } from "../../fixture.ts";

export type Line = readonly [account: string, amount: number, taxType: string];

export async function document(given: World, party: Json, fields: object, lines: readonly Line[]) {
  const LineItems = lines.map(([AccountCode, UnitAmount, TaxType]) => ({
    Description: "x",
    Quantity: 1,
    UnitAmount,
    AccountCode,
    TaxType,
  }));
  const body = sale(party, {
    Date: "2026-03-05",
    DueDate: "2026-04-20",
    Status: "AUTHORISED",
    LineItems,
    ...fields,
  });
  return (await given.ok("PUT", "/Invoices", body)).Invoices[0] as Json;
}

/** Boxes of a return by their ids. */
export function boxes(report: Json): Record<string, string> {
  return Object.fromEntries(report.Fields.map((each: Json) => [each.FieldID, each.Value]));
}

export async function figures(given: World, type: string, query: Record<string, string> = march) {
  return boxes((await given.ok("GET", `/Reports/${type}`, undefined, { query })).Reports[0]);
}

export const march = { fromDate: "2026-03-01", toDate: "2026-03-31" };

export async function basis(given: World, SalesTaxBasis: Organisation["SalesTaxBasis"]) {
  const changed = { SalesTaxBasis, TaxNumber: "101-202-303" };
  await given.book.store.write(given.book.org, (tx) => updateOrganisation(acted(tx), changed));
}
