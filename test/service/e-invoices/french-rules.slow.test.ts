/** E-invoices between French businesses, by the rules of the platforms (CTC) and the standard. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { World } from "../fixture.ts";
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

const rules = {
  cii: ["EN 16931 1.3.16, CII", "Factur-X 1.08", "France CTC 1.4.0, CII"],
  ubl: ["EN 16931 1.3.16, UBL", "France CTC 1.4.0, UBL"],
} as const satisfies Readonly<Record<string, readonly RuleSet[]>>;

describe.skipIf(rulesMissing() !== undefined)("official rules for France", () => {
  test.each(["CASH", "ACCRUALS"])(
    "e-invoices between French businesses (%s) break no rule of the standard and of the platforms",
    async (SalesTaxBasis) => {
      const [given, party] = await amongFrench();
      await given.ok("POST", "/Organisation/Settings", { SalesTaxBasis });
      const paths = new Map<string, string>();
      for (const [name, lines] of Object.entries(documents)) {
        const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, lines);
        paths.set(name, `/Invoices/${InvoiceID}`);
      }
      const { InvoiceID: odd } = await document(
        given,
        party,
        {
          ...{ DueDate: "2026-12-31", LineAmountTypes: "Inclusive" },
          LineItems: [{ Description: "x", Quantity: 7, UnitAmount: 33.37, AccountCode: "707000" }],
        },
        [],
      );
      paths.set("prices of many decimals", `/Invoices/${odd}`);
      const { InvoiceID } = await document(given, party, {}, documents.goods ?? []);
      await deposited(given, party.ContactID, InvoiceID);
      paths.set("after a deposit", `/Invoices/${InvoiceID}`);
      const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
        ...{ Type: "ACCRECCREDIT", Contact: { ContactID: party.ContactID }, Status: "AUTHORISED" },
        ...{ Date: "2026-03-09", CreditNoteNumber: "AV-1" },
        LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 60, AccountCode: "707000" }],
      });
      const path = `/CreditNotes/${CreditNotes[0].CreditNoteID}`;
      await given.ok("PUT", `${path}/Allocations`, { Amount: 60, Invoice: { InvoiceID } });
      paths.set("credit", path);
      for (const [format, sets] of Object.entries(rules)) {
        const made = new Map<string, Buffer>();
        for (const [name, each] of paths) {
          made.set(name, Buffer.from(await ciiOf(given, each, format)));
        }
        const folder = mkdtempSync(join(tmpdir(), "acct-french-"));
        for (const set of sets) expect(broken(set, folder, made)).toEqual([]);
      }
    },
    600_000,
  );
});

/** A deposit of a customer that is applied to an invoice. */
async function deposited(given: World, ContactID: string, InvoiceID: string): Promise<void> {
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    ...{ Type: "RECEIVE-PREPAYMENT", Contact: { ContactID }, BankAccount: { Code: "512100" } },
    ...{ Date: "2026-03-01", LineAmountTypes: "Inclusive" },
    LineItems: [{ Description: "Acompte", UnitAmount: 30, AccountCode: "419100" }],
  });
  const path = `/Prepayments/${BankTransactions[0].PrepaymentID}/Allocations`;
  await given.ok("PUT", path, { Amount: 30, Invoice: { InvoiceID } });
}
