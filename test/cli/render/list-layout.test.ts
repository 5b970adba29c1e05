import { expect, test } from "vitest";
import type { Resource } from "../../../src/resources/field.ts";
import { invoice, organisation, payment, taxRate } from "../../../src/resources/index.ts";
import type { Payment } from "../../../src/resources/payment.ts";
import { invoices, printed } from "./samples.ts";

const id = (last: number) => `1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d0${last}`;

const paid = (last: number, code: string, day: string): Payment =>
  ({
    PaymentID: id(last),
    Handle: `P-${last}`,
    Invoice: { InvoiceNumber: `INV-000${last}` },
    Contact: { Name: "Wharf Street Properties" },
    Direction: "RECEIVED",
    Account: { Code: code },
    Date: day,
    Amount: 100_00,
    Reference: "ref 7",
    Status: "AUTHORISED",
  }) as never;

const shown = async (records: readonly Payment[], width: number) =>
  (await printed({ width }, (out) => out.records(payment, records))).stdout.split("\n");

test("what all payments of a narrow list have in common is said above it, and names keep 16 letters", async () => {
  const lines = await shown([paid(1, "090", "2026-03-01"), paid(2, "090", "2025-01-02")], 64);
  expect(lines[0]).toBe("Account 090");
  expect(lines[1]).toMatch(/^Handle +Invoice +Contact +Date +Amount/);
  expect(lines[2]).toContain("Wharf Street Pr…");
  expect(lines[2]).toContain(" 1 Mar ");
  expect(lines[3]).toContain(" 2 Jan 25 ");
});

test("a value that differs between the rows of a list is not said above it", async () => {
  const lines = await shown([paid(1, "090", "2026-03-01"), paid(2, "091", "2026-03-01")], 80);
  expect(lines.join("\n")).not.toContain("Account 09");
  expect(lines.join("\n")).toMatch(/ 091 /);
});

test("on a wide terminal all columns of a list are shown, the handle in place of the id", async () => {
  const lines = await shown([paid(1, "090", "2026-03-01"), paid(2, "090", "2026-03-01")], 200);
  expect(lines[0]).toMatch(/^Handle +Invoice +Contact +Date +Account +Amount +Reference/);
  expect(lines[1]).toMatch(/^P-1 /);
});

test("a payment out is negative, and columns that hold nothing are left out", async () => {
  const out = { ...paid(1, "090", "2026-03-01"), Direction: "PAID", Reference: undefined } as never;
  const lines = await shown(
    [out, { ...paid(2, "090", "2026-03-01"), Reference: undefined } as never],
    80,
  );
  expect(lines[0]).not.toMatch(/Reference|Direction/);
  expect(lines[1]).toContain(" -100.00");
  expect(lines[2]).toContain("  100.00");
});

test("columns that were asked for keep the names of their fields, and their values", async () => {
  const columns = ["InvoiceNumber", "DueDate", "Status"];
  const { stdout } = await printed({ width: 80, columns }, (out) => out.records(invoice, invoices));
  expect(stdout).toMatch(/^InvoiceNumber +DueDate +Status$/m);
  expect(stdout).toMatch(/^INV-0008 +2026-03-20 +PAID$/m);
});

test("a tax rate and the organisation are shown in words: what a rate is for in a line, percent, the end of the year, the place of the time", async () => {
  const shownAlone = async (resource: Resource, record: object) =>
    (await printed({ width: 80 }, (out) => out.record(resource, record as never))).stdout;
  const rate = {
    ...{ Name: "15% GST on Income", TaxType: "OUTPUT2", ReportTaxType: "OUTPUT" },
    ...{ CanApplyToAssets: true, CanApplyToExpenses: false, CanApplyToRevenue: true },
    ...{ DisplayTaxRate: 150_000, EffectiveRate: 150_000, Status: "ACTIVE" },
  };
  expect(await shownAlone(taxRate, rate)).toBe(`Name         15% GST on Income
Code         OUTPUT2
Reported as  Tax on sales
For          assets, revenue
Rate         15%
Status       Active
`);
  const own = {
    ...{ APIKey: "0BBB", Name: "Quay Ltd", Version: "NZ", Edition: "BUSINESS" },
    ...{ FinancialYearEndDay: 31, FinancialYearEndMonth: 3, SalesTaxPeriod: "2MONTHLY" },
    ...{ Timezone: "NEWZEALANDSTANDARDTIME", ShortCode: "!afa91", OrganisationID: id(1) },
  };
  expect(await shownAlone(organisation, own)).toBe(`Name              Quay Ltd
Year ends         31 March
Sales tax period  Two months
Timezone          Pacific/Auckland
`);
});
