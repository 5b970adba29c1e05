/** E-invoices between French businesses, by the rules of the platforms (CTC) and the standard. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { document, type Line } from "../reports/tax/returns.ts";
import { amongFrench, ciiOf } from "./french.ts";
import { broken, type RuleSet, rulesMissing } from "./rule-sets.ts";

const documents: Readonly<Record<string, readonly Line[]>> = {
  goods: [["707000", 100, "OUTPUT20"]],
  services: [["706000", 80.5, "OUTPUT20S"]],
  both: [
    ["707100", 33.33, "OUTPUT55"],
    ["706000", 12.34, "OUTPUT10S"],
  ],
  owed: [["706000", 1000, "DRCHARGE"]],
  exempt: [["707000", 10, "EXEMPTOUTPUT"]],
};

const rules: readonly RuleSet[] = [
  "EN 16931 1.3.16, CII",
  "Factur-X 1.08",
  "France CTC 1.4.0, CII",
];

describe.skipIf(rulesMissing() !== undefined)("official rules for France", () => {
  test("e-invoices between French businesses break no rule of the standard and of the platforms", async () => {
    const [given, party] = await amongFrench();
    const made = new Map<string, Buffer>();
    for (const [name, lines] of Object.entries(documents)) {
      const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, lines);
      made.set(name, Buffer.from(await ciiOf(given, `/Invoices/${InvoiceID}`)));
    }
    const [account, UnitAmount, TaxType] = documents.goods?.[0] ?? ["", 0, ""];
    const { InvoiceID } = await document(given, party, {}, documents.goods ?? []);
    const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
      ...{ Type: "ACCRECCREDIT", Contact: { ContactID: party.ContactID }, Status: "AUTHORISED" },
      ...{ Date: "2026-03-09", CreditNoteNumber: "AV-1" },
      LineItems: [{ Description: "x", Quantity: 1, UnitAmount, AccountCode: account, TaxType }],
    });
    const path = `/CreditNotes/${CreditNotes[0].CreditNoteID}`;
    await given.ok("PUT", `${path}/Allocations`, { Amount: 60, Invoice: { InvoiceID } });
    made.set("credit", Buffer.from(await ciiOf(given, path)));
    const folder = mkdtempSync(join(tmpdir(), "acct-french-"));
    for (const set of rules) expect(broken(set, folder, made)).toEqual([]);
  }, 300_000);
});
