/** Sales and purchases by item, contact and tracking, and what they leave of the profit and loss. */
import { expect, test } from "vitest";
import { firstOf } from "../../../support/properties.ts";
import { opened, simulate } from "../../business.ts";
import { faultsOfReport } from "../../explain/figures.ts";
import { contact, invoiced, reportRows, type World, world } from "../../fixture.ts";
import { drawn, report } from "../report-text.ts";

const march = { fromDate: "2026-03-01", toDate: "2026-03-31" };

/** Ten lamps bought for 20.00; three sold to Moa for 50.00 and one given back; mugs sold to Tui. */
async function traded(): Promise<World> {
  const given = await world();
  const moa = { ContactID: (await contact(given, { Name: "Moa" })).ContactID };
  const tui = { ContactID: (await contact(given, { Name: "Tui" })).ContactID };
  await given.ok("PUT", "/Items", [
    { Code: "MUG", SalesDetails: { UnitPrice: 5, AccountCode: "200" } },
    {
      Code: "LAMP",
      InventoryAssetAccountCode: "630",
      SalesDetails: { UnitPrice: 50, AccountCode: "200" },
      PurchaseDetails: { UnitPrice: 20, COGSAccountCode: "310" },
    },
  ]);
  const lamp = { ItemCode: "LAMP", Description: "Lamp", TaxType: "OUTPUT2", UnitAmount: 50 };
  const approved = { Status: "AUTHORISED", Date: "2026-03-05" };
  await invoiced(given, {
    ...approved,
    Contact: tui,
    Type: "ACCPAY",
    LineItems: [
      { ItemCode: "LAMP", Description: "Lamp", Quantity: 10, UnitAmount: 20, TaxType: "INPUT2" },
      { Description: "Post", Quantity: 1, UnitAmount: 30, AccountCode: "425", TaxType: "INPUT2" },
    ],
  });
  await invoiced(given, { ...approved, Contact: moa, LineItems: [{ ...lamp, Quantity: 3 }] });
  await invoiced(given, {
    ...approved,
    Contact: tui,
    LineItems: [
      { ItemCode: "MUG", Description: "Mug", Quantity: 4, UnitAmount: 5, TaxType: "OUTPUT2" },
      { Description: "Advice", Quantity: 1, UnitAmount: 7, AccountCode: "200", TaxType: "NONE" },
    ],
  });
  await given.ok("PUT", "/CreditNotes", {
    ...approved,
    Type: "ACCRECCREDIT",
    Contact: moa,
    LineItems: [{ ...lamp, Quantity: 1 }],
  });
  await given.ok("PUT", "/ManualJournals", {
    Narration: "Interest",
    Date: "2026-03-31",
    Status: "POSTED",
    JournalLines: [
      { AccountCode: "835", LineAmount: 11 },
      { AccountCode: "270", LineAmount: -11 },
    ],
  });
  return given;
}

test("sales by contact are net of credit notes, with the margin of tracked items", async () => {
  const given = await traded();
  expect(drawn(await report(given, "Sales", march))).toEqual([
    "H | Item | Quantity | Net | Tax | Gross | Cost | Margin | %",
    'S ""',
    "R | LAMP | 2 | 100.00 | 15.00 | 115.00 | 40.00 | 60.00 | 60.0%",
    "R | MUG | 4 | 20.00 | 3.00 | 23.00 | - | - | -",
    "R | Without an item | - | 7.00 | 0.00 | 7.00 | - | - | -",
    "T | Total | - | 127.00 | 18.00 | 145.00 | 40.00 | 60.00 | 60.0%",
    'S ""',
    "R | Other income | - | 11.00 | - | - | - | - | -",
    "T | Income of the profit and loss | - | 138.00 | - | - | - | - | -",
  ]);
  const before = { ...march, toDate: "2026-03-30" };
  expect(await reportRows(given, "Sales", before)).not.toHaveProperty("Other income");
  const byContact = await reportRows(given, "Sales", { ...march, by: "contact" });
  expect(byContact.Moa).toEqual(["100.00", "15.00", "115.00", "40.00", "60.00", "60.0%"]);
});

test("service lines do not change the margin of tracked items, however sales are grouped", async () => {
  const given = await traded();
  const advice = { Quantity: 1, UnitAmount: 900, AccountCode: "200", TaxType: "NONE" };
  const lamp = { ItemCode: "LAMP", Description: "Lamp", TaxType: "OUTPUT2", UnitAmount: 50 };
  const approved = { Status: "AUTHORISED", Date: "2026-03-06" };
  const made = await invoiced(given, {
    ...approved,
    Contact: { Name: "Tui" },
    LineItems: [
      { ...lamp, Quantity: 2 },
      { ...advice, Description: "Advice" },
    ],
  });
  await invoiced(given, {
    ...approved,
    Contact: { Name: "Tui" },
    LineItems: [{ ...advice, Description: "More advice" }],
  });
  // The lines change places: the first is kept in stock no more.
  await given.ok("POST", `/Invoices/${made.InvoiceID}`, {
    LineItems: [
      { ...advice, Description: "Advice" },
      { ...lamp, Quantity: 2 },
    ],
  });
  for (const by of ["item", "contact", "tracking"]) {
    const rows = await reportRows(given, "Sales", { ...march, by });
    expect(rows.Total?.slice(-3)).toEqual(["80.00", "120.00", "60.0%"]);
    if (by === "contact") expect(rows.Tui?.slice(-3)).toEqual(["40.00", "60.00", "60.0%"]);
    if (by === "tracking")
      expect(rows["Without tracking"]?.slice(-3)).toEqual(["80.00", "120.00", "60.0%"]);
    const { faults } = await faultsOfReport(given, "Sales", { ...march, by }, (all) => all);
    expect(faults).toEqual([]);
  }
});

test("purchases by contact include amounts posted to expenses and to stock", async () => {
  const given = await traded();
  expect(drawn(await report(given, "Purchases", { ...march, by: "contact" }))).toEqual([
    "H | Contact | Net | Tax | Gross",
    'S ""',
    "R | Tui | 230.00 | 34.50 | 264.50",
    "T | Total | 230.00 | 34.50 | 264.50",
    'S ""',
    "R | Other expenses | 40.00 | - | -",
    "T | Expenses, and goods to stock | 270.00 | - | -",
  ]);
});

const cents = (text = "0") => Math.round(Number(text || "0") * 100);

test.each(firstOf([1, 2]))(
  "sales by item, contact and tracking have equal totals, whatever a business records (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    await simulate(await opened(given), { from: "2026-02-15", to: "2026-06-20", count: 150, seed });
    for (const range of [
      { fromDate: "2026-02-01", toDate: "2026-06-30" },
      { fromDate: "2026-03-10", toDate: "2026-04-15" },
    ]) {
      const profit = await reportRows(given, "ProfitAndLoss", range);
      const income = cents(profit["Total Income"]?.[0]) + cents(profit["Total Other Income"]?.[0]);
      const totals = new Set<string>();
      for (const by of ["item", "contact", "tracking"]) {
        const rows = await reportRows(given, "Sales", { ...range, by });
        const at = by === "item" ? 1 : 0;
        expect(cents(rows["Income of the profit and loss"]?.[at])).toBe(income);
        // Net, tax, gross, cost, margin and its share.
        totals.add(`${rows.Total?.slice(at)}`);
        const bought = await reportRows(given, "Purchases", { ...range, by });
        totals.add(`bought ${bought.Total?.[at]}`);
      }
      expect(totals.size).toBe(2);
    }
  },
);
