/** The tax summary: by rate and component, on the basis of the returns, with its documents. */
import { expect, test } from "vitest";
import { contact, paid, type World, world } from "../../fixture.ts";
import { asKept, drawn, report } from "../report-text.ts";
import { basis, document, march } from "./returns.ts";

/** Sales in Ontario and Quebec, a purchase in British Columbia of which the PST is a cost. */
async function traded(): Promise<{ given: World; pay: () => Promise<unknown> }> {
  const given = await world("CA");
  const party = await contact(given, { Name: "Marsh & Son" });
  const sold = await document(given, party, {}, [
    ["400", 1000, "CAN020"],
    ["400", 100, "CAN022"],
    ["400", 50, "CAN030"],
  ]);
  await document(given, party, { Type: "ACCPAY", InvoiceNumber: "B-7" }, [
    ["600", 100, "CAN002"],
    ["600", 20, "NONE"],
  ]);
  await basis(given, "ACCRUALS");
  return { given, pay: () => paid(given, sold, { Date: "2026-03-20", Amount: sold.Total / 2 }) };
}

const rows = [
  "H | Tax rate | Net | Tax | Gross",
  'S "Collected on sales"',
  "R | ON - HST on Sales | 1000.00 | 130.00 | 1130.00",
  "R | QC - GST/QST on Sales | 100.00 | 14.98 | 114.98",
  "R | of which GST | - | 5.00 | -",
  "R | of which QST | - | 9.98 | -",
  "T | Total collected | 1100.00 | 144.98 | 1244.98",
  'S "Paid on purchases"',
  "R | BC - GST/PST on Purchases | 107.00 | 5.00 | 112.00",
  "T | Total paid | 107.00 | 5.00 | 112.00",
  'S "Sales without tax"',
  "R | Exempt Sales | 50.00 | 0.00 | 50.00",
  "T | Total sales without tax | 50.00 | 0.00 | 50.00",
  'S "Purchases without tax"',
  "R | Tax Exempt | 20.00 | 0.00 | 20.00",
  "T | Total purchases without tax | 20.00 | 0.00 | 20.00",
];

test("each rate has its net, tax and gross, and its components where there are several", async () => {
  const { given } = await traded();
  expect(drawn(await report(given, "TaxSummary", march))).toEqual(rows);
  await asKept(given, "/Reports/TaxSummary", march, "TaxSummary");
});

test("a rate shows the documents behind it", async () => {
  const { given } = await traded();
  const found = drawn(await report(given, "TaxSummary", { ...march, detail: "true" }));
  expect(found).toEqual(
    expect.arrayContaining([
      "R | 2026-03-05 INV-0001 Marsh & Son | 1000.00 | 130.00 | 1130.00",
      "R | All at ON - HST on Sales | 1000.00 | 130.00 | 1130.00",
      "R | 2026-03-05 B-7 Marsh & Son | 107.00 | 5.00 | 112.00",
    ]),
  );
});

test("the basis is that of the returns, unless one is asked for", async () => {
  const { given, pay } = await traded();
  await basis(given, "CASH");
  await pay();
  const half = "R | ON - HST on Sales | 500.00 | 65.00 | 565.00";
  const shown = await report(given, "TaxSummary", march);
  expect(shown.ReportTitles.at(-1)).toBe("Cash basis");
  expect(drawn(shown)).toContain(half);
  const accrual = await report(given, "TaxSummary", { ...march, paymentsOnly: "false" });
  expect(accrual.ReportTitles.at(-1)).toBe("Accrual basis");
  expect(drawn(accrual)).toEqual(rows);
});

test("a country without returns tells sales from purchases by their accounts", async () => {
  const given = await world("US");
  const party = await contact(given);
  await document(given, party, {}, [["400", 10, "OUTPUT"]]);
  await document(given, party, { Type: "ACCPAY" }, [["600", 4, "INPUT"]]);
  expect(drawn(await report(given, "TaxSummary", march))).toEqual(
    expect.arrayContaining([
      "T | Total sales without tax | 10.00 | 0.00 | 10.00",
      "T | Total purchases without tax | 4.00 | 0.00 | 4.00",
    ]),
  );
});
