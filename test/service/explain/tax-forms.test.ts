/** Boxes of tax returns of every country, and of 1099 forms: their parts add up. */
import { describe, expect, test } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { type ReturnType, returnTypes, taxReturns } from "../../../src/resources/tax-report.ts";
import { firstOf } from "../../support/properties.ts";
import { contact, invoiced, type Json, paid, type World, world } from "../fixture.ts";
import { faultOf } from "./figures.ts";

const days = { fromDate: "2026-01-01", toDate: "2026-03-31" };

/** A sale and a purchase at each tax rate of the country, of amounts that round. */
async function traded(given: World, prefix = "B"): Promise<void> {
  const accounts: Json[] = (await given.ok("GET", "/Accounts")).Accounts;
  const codeOf = (type: string) => accounts.find(({ Type }) => Type === type)?.Code;
  const rates: Json[] = (await given.ok("GET", "/TaxRates")).TaxRates;
  const party = await contact(given);
  for (const [at, rate] of rates.entries()) {
    for (const [type, account, can] of [
      ["ACCREC", codeOf("REVENUE") ?? codeOf("SALES"), rate.CanApplyToRevenue],
      ["ACCPAY", codeOf("EXPENSE") ?? codeOf("OVERHEADS"), rate.CanApplyToExpenses],
    ]) {
      if (can !== true) continue;
      await given.ask("PUT", "/Invoices", {
        Type: type,
        Contact: { ContactID: party.ContactID },
        ...(type === "ACCPAY" ? { InvoiceNumber: `${prefix}-${at}` } : {}),
        Date: "2026-02-10",
        DueDate: "2026-03-10",
        Status: "AUTHORISED",
        LineItems: [33.33, 1234.57].map((UnitAmount) => ({
          ...{ Description: rate.Name, Quantity: 1, UnitAmount },
          ...{ AccountCode: account, TaxType: rate.TaxType },
        })),
      });
    }
  }
}

describe.each(firstOf(returnTypes, 2))("the explained tax return %s", (type: ReturnType) => {
  test("every box of a tax return is the sum of its documents, in the short and the full explanation", async () => {
    const given = await world(taxReturns[type].country as Country);
    await traded(given);
    const [report] = (await given.ok("GET", `/Reports/${type}`, undefined, { query: days }))
      .Reports;
    const amounts = report.Fields.filter(({ Value }: Json) => /^-?\d+\.\d\d$/.test(Value));
    expect(amounts.filter(({ Value }: Json) => Value !== "0.00").length).toBeGreaterThan(3);
    for (const { FieldID, Value } of amounts) {
      for (const all of ["true", "false"]) {
        const query = { ...days, row: FieldID, all };
        const path = `/Extensions/Explain/Reports/${type}`;
        const told = (await given.ok("GET", path, undefined, { query })).Reports[0];
        expect([FieldID, all, faultOf(told, Value)]).toEqual([FieldID, all, undefined]);
      }
    }
    const missing = { query: { ...days, row: "nothing" } };
    const path = `/Extensions/Explain/Reports/${type}`;
    expect((await given.ask("GET", path, undefined, missing)).status).toBe(404);
  });

  test("every box of a published tax return is explained as filed, whatever is posted later", async () => {
    const given = await world(taxReturns[type].country as Country);
    await traded(given);
    const sent = { ReportType: type, FromDate: days.fromDate, ToDate: days.toDate };
    const [report] = (await given.ok("PUT", "/Reports", sent)).Reports;
    await traded(given, "Late");
    const amounts = report.Fields.filter(({ Value }: Json) => /^-?\d+\.\d\d$/.test(Value));
    for (const { FieldID, Value } of amounts) {
      const query = { ...days, row: FieldID, all: "true" };
      const path = `/Extensions/Explain/Reports/${type}`;
      const told = (await given.ok("GET", path, undefined, { query })).Reports[0];
      expect([FieldID, faultOf(told, Value)]).toEqual([FieldID, undefined]);
    }
  });
});

describe("a published return", () => {
  const months = { January: ["2026-01-01", "2026-01-31"], February: ["2026-02-01", "2026-02-28"] };
  const daysOf = (month: keyof typeof months) => {
    const [fromDate = "", toDate = ""] = months[month];
    return { fromDate, toDate };
  };

  const billed = (given: World, party: Json, day: string, UnitAmount: number) =>
    given.ok("PUT", "/Invoices", {
      ...{
        Type: "ACCREC",
        Contact: { ContactID: party.ContactID },
        Date: day,
        DueDate: "2027-01-01",
      },
      Status: "AUTHORISED",
      LineItems: [{ Description: "Work", Quantity: 1, UnitAmount, AccountCode: "200" }],
    });

  async function published(basis: string) {
    const given = await world("NZ");
    await given.ok("POST", "/Organisation/Settings", {
      ...{ SalesTaxBasis: basis, TaxNumber: "49-091-850", PaysTax: true },
    });
    const party = await contact(given);
    const first = (await billed(given, party, "2026-01-10", 100.33)).Invoices[0];
    await paid(given, first, { Date: "2026-02-03", Amount: 60 });
    await billed(given, party, "2026-02-11", 40.5);
    const returned: Record<string, Json> = {};
    for (const month of ["January", "February"] as const) {
      const { fromDate: FromDate, toDate: ToDate } = daysOf(month);
      const Fields = month === "January" ? [{ FieldID: "9", Value: "1.50" }] : [];
      const sent = { ReportType: "GSTReturn", FromDate, ToDate, Fields };
      returned[month] = (await given.ok("PUT", "/Reports", sent)).Reports[0];
      // Late, into both.
      await billed(given, party, "2026-01-20", 70.1);
      await billed(given, party, "2026-02-20", 9.99);
    }
    return { given, returned };
  }

  const explained = async (given: World, query: Record<string, string>): Promise<Json> =>
    (await given.ok("GET", "/Extensions/Explain/Reports/GSTReturn", undefined, { query }))
      .Reports[0];

  test.each(["INVOICE", "PAYMENTS"])(
    "a published tax return is explained as it was filed, on the basis %s",
    async (basis) => {
      const { given, returned } = await published(basis);
      for (const month of ["January", "February"] as const) {
        const amounts = returned[month].Fields.filter(({ Value }: Json) =>
          /^-?\d+\.\d\d$/.test(Value),
        );
        expect(amounts.length).toBeGreaterThan(8);
        for (const { FieldID, Value } of amounts) {
          for (const all of ["true", "false"]) {
            const told = await explained(given, { ...daysOf(month), row: FieldID, all });
            expect([month, FieldID, all, faultOf(told, Value)]).toEqual([
              month,
              FieldID,
              all,
              undefined,
            ]);
            expect(told.ReportTitles[2]).toContain("published 1 Mar 2026");
          }
        }
      }
    },
  );

  test("a published tax return is explained from the current books on request, on its own basis", async () => {
    const { given, returned } = await published("INVOICE");
    const query = { ...daysOf("January"), row: "5" };
    const filed = returned.January.Fields.find(({ FieldID }: Json) => FieldID === "5").Value;
    const figure = ({ Fields }: Json) =>
      Fields.find(({ FieldID }: Json) => FieldID === "Figure").Value;
    expect(figure(await explained(given, query))).toBe(filed);
    const draft = await explained(given, { ...query, draft: "true" });
    expect(Number(figure(draft))).toBeGreaterThan(Number(filed));
    expect(faultOf(draft, figure(draft))).toBeUndefined();
    await given.ok("POST", "/Organisation/Settings", { SalesTaxBasis: "PAYMENTS" });
    expect(faultOf(await explained(given, query), filed)).toBeUndefined();
    const entered = await explained(given, { ...daysOf("January"), row: "9" });
    expect(JSON.stringify(entered.Rows)).toContain("Entered, not known to the books");
  });
});

test("an amount entered by hand for a tax return is explained as a part of its box", async () => {
  const given = await world("NZ");
  await traded(given);
  const query = { ...days, row: "9", 9: "12.50" };
  const told = (
    await given.ok("GET", "/Extensions/Explain/Reports/GSTReturn", undefined, { query })
  ).Reports[0];
  expect(JSON.stringify(told.Rows)).toContain("Entered, not known to the books");
  const shown = told.Fields.find(({ FieldID }: Json) => FieldID === "Figure").Value;
  expect(faultOf(told, shown)).toBeUndefined();
});

test("a box of a 1099 form is explained as the sum of payments on its accounts", async () => {
  const given = await world("US");
  await given.ok("PUT", "/Reports/TenNinetyNine/Boxes", {
    Boxes: [{ AccountCode: "612", Form: "NEC", Box: 1 }],
  });
  const party = await contact(given, { Name: "Iron Works", TaxNumber: "12-3456789" });
  for (const [at, UnitAmount] of [450.25, 300.1].entries()) {
    const bill = await invoiced(given, {
      ...{ Type: "ACCPAY", InvoiceNumber: `B-${at}`, Status: "AUTHORISED", Date: "2025-05-01" },
      Contact: { ContactID: party.ContactID },
      LineItems: [
        { Description: "Advice", Quantity: 1, UnitAmount, AccountCode: "612", TaxType: "NONE" },
      ],
    });
    await paid(given, bill, { Date: "2025-06-01" });
  }
  const query = { reportYear: "2025", contactID: party.ContactID, row: "NEC1" };
  const path = "/Extensions/Explain/Reports/TenNinetyNine";
  const told = (await given.ok("GET", path, undefined, { query })).Reports[0];
  expect(faultOf(told, "750.35")).toBeUndefined();
  const other = { query: { ...query, row: "MISC3" } };
  expect((await given.ask("GET", path, undefined, other)).status).toBe(404);
});
