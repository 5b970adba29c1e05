/** Tax returns: their boxes worked out by hand, publishing, and what is published staying as it is. */
import { describe, expect, test } from "vitest";
import { contact, type Json, paid, type World, world } from "../fixture.ts";
import { asKept } from "./report-text.ts";
import { basis, boxes, document, figures, type Line, march } from "./tax/returns.ts";

const whole = { ReportType: "GSTReturn", FromDate: "2026-03-01", ToDate: "2026-03-31" };

/**
 * In March, sales of 1,000.00 (1,150.00) and 200.00 zero rated; purchases of 300.00 (345.00) and
 * 80.00 without tax; travel abroad of 500.00, zero rated. In February a sale of 100.00 (115.00),
 * paid in March with half of the larger sale of March (575.00 of 1,350.00).
 */
async function tradedInNewZealand(): Promise<World> {
  const given = await world("NZ");
  const party = await contact(given);
  const before = await document(given, party, { Date: "2026-02-20" }, [["200", 100, "OUTPUT2"]]);
  const sold = await document(given, party, {}, [
    ["200", 1000, "OUTPUT2"],
    ["200", 200, "ZERORATED"],
  ]);
  await document(given, party, { Type: "ACCPAY" }, [
    ["429", 300, "INPUT2"],
    ["429", 80, "NONE"],
  ]);
  await paid(given, before, { Date: "2026-03-02" });
  await paid(given, sold, { Date: "2026-03-20", Amount: 675 });
  return given;
}

describe("the GST return of New Zealand", () => {
  test("the New Zealand GST return on the invoice basis has the invoices dated in its period", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    expect(await figures(given, "GSTReturn")).toEqual({
      1: "101-202-303",
      GSTBasis: "Invoice",
      PeriodCovered: "1 Mar 2026 to 31 Mar 2026",
      From: "2026-03-01",
      2: "2026-03-31",
      5: "1350.00",
      6: "200.00",
      7: "1150.00",
      8: "150.00",
      9: "0.00",
      10: "150.00",
      11: "345.00",
      12: "45.00",
      13: "0.00",
      14: "45.00",
      15: "105.00",
    });
  });

  test("the New Zealand GST return on the payments basis has amounts paid in its period, in proportion", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "PAYMENTS");
    // 115.00 of February, and half of 1,150.00 and 200.00.
    expect(await figures(given, "GSTReturn")).toMatchObject({
      GSTBasis: "Payments",
      5: "790.00",
      6: "100.00",
      7: "690.00",
      8: "90.00",
      11: "0.00",
      15: "90.00",
    });
  });

  test("a voided invoice is not in the GST return", async () => {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    const made = await document(given, await contact(given), {}, [["200", 1000, "OUTPUT2"]]);
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
    expect(await figures(given, "GSTReturn")).toMatchObject({ 5: "0.00", 15: "0.00" });
  });

  test("tax at a custom rate is corrected in the adjustment boxes of the GST return", async () => {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    const rate = (Name: string, ReportTaxType: string) =>
      given.ok("PUT", "/TaxRates", {
        Name,
        ReportTaxType,
        TaxComponents: [{ Name: "GST", Rate: 9 }],
      });
    const [long] = (await rate("Long stay", "OUTPUT")).TaxRates;
    const [part] = (await rate("Part", "INPUT")).TaxRates;
    const party = await contact(given);
    await document(given, party, {}, [["200", 1000, long.TaxType]]);
    await document(given, party, { Type: "ACCPAY" }, [["429", 100, part.TaxType]]);
    // 1,090.00 x 3/23 is 142.17, of which 90.00 is tax; of 109.00 tax is claimed on 69.00, 9.00 x 23/3.
    expect(await figures(given, "GSTReturn")).toMatchObject({
      5: "1090.00",
      8: "142.17",
      9: "-52.17",
      10: "90.00",
      11: "69.00",
      12: "9.00",
      13: "0.00",
      14: "9.00",
      15: "81.00",
    });
  });
});

test("a tax amount entered by hand is corrected in the adjustment boxes of the GST return, with a note", async () => {
  const given = await world("NZ");
  await basis(given, "INVOICE");
  const party = await contact(given);
  const line = { Description: "x", Quantity: 1, UnitAmount: 1000 };
  const bill = { ...line, AccountCode: "429", TaxType: "INPUT2", TaxAmount: 0 };
  const sold = { ...line, AccountCode: "200", TaxType: "OUTPUT2", TaxAmount: 160 };
  await document(given, party, { Type: "ACCPAY", LineItems: [bill] }, []);
  await document(given, party, { LineItems: [sold] }, []);
  // Of the 1,000.00 nothing is claimed; 1,160.00 x 3/23 is 151.30.
  expect(await figures(given, "GSTReturn")).toMatchObject({
    8: "151.30",
    9: "8.70",
    10: "160.00",
    "Entered 9": "8.70",
    11: "0.00",
    12: "0.00",
    13: "0.00",
    14: "0.00",
    15: "160.00",
  });
});

test("a rounding difference of tax is not treated as entered by hand", async () => {
  const given = await world("NZ");
  await basis(given, "INVOICE");
  const lines = [0.33, 19.99, 7.45, 0.03].map((amount): Line => ["200", amount, "OUTPUT2"]);
  await document(given, await contact(given), { LineAmountTypes: "Inclusive" }, lines);
  const shown = await figures(given, "GSTReturn");
  expect(shown).toMatchObject({ 5: "27.80", 8: "3.63", 9: "0.00" });
  expect(shown["Entered 9"]).toBeUndefined();
});

test("a bad debt is in the GST return's credit adjustments, and a recovered one in its adjustments", async () => {
  const given = await world("NZ");
  await basis(given, "INVOICE");
  await given.ok("PUT", "/Accounts", { Code: "496", Name: "Bad debts", Type: "EXPENSE" });
  const party = await contact(given);
  await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Contact: { ContactID: party.ContactID },
    Date: "2026-03-09",
    Status: "AUTHORISED",
    LineItems: [
      {
        Description: "Owed since 2024",
        Quantity: 1,
        UnitAmount: 200,
        AccountCode: "496",
        TaxType: "INPUT2",
      },
    ],
  });
  // 230.00 x 3/23; and 46.00 of it paid in the end.
  expect(await figures(given, "GSTReturn")).toMatchObject({ 5: "0.00", 11: "0.00", 13: "30.00" });
  await document(given, party, {}, [["496", 40, "INPUT2"]]);
  expect(await figures(given, "GSTReturn")).toMatchObject({
    5: "0.00",
    9: "6.00",
    11: "0.00",
    13: "30.00",
    15: "-24.00",
  });
});

/** Sales of every kind, capital and other purchases, wages that no statement knows. */
async function tradedInAustralia(): Promise<World> {
  const given = await world("AU");
  const party = await contact(given);
  await document(given, party, {}, [
    ["200", 1000, "OUTPUT"],
    ["200", 200, "EXEMPTOUTPUT"],
    ["200", 300, "EXEMPTEXPORT"],
    ["200", 50, "BASEXCLUDED"],
  ]);
  await document(given, party, { Type: "ACCPAY" }, [
    ["429", 400, "INPUT"],
    ["404", 30, "EXEMPTEXPENSES"],
    ["710", 600, "CAPEXINPUT"],
    ["477", 900, "BASEXCLUDED"],
  ]);
  await basis(given, "ACCRUAL");
  return given;
}

describe("the activity statement of Australia", () => {
  test("the Australian activity statement has the tax of the quarter in its boxes", async () => {
    expect(await figures(await tradedInAustralia(), "SalesTaxReturn")).toEqual({
      ABN: "101-202-303",
      GSTBasis: "Accruals",
      G1: "1600.00",
      G2: "300.00",
      G3: "200.00",
      G10: "660.00",
      G11: "470.00",
      "1A": "100.00",
      "1B": "100.00",
      "1C": "0.00",
      "1D": "0.00",
      "1E": "0.00",
      "1F": "0.00",
      W1: "0.00",
      W2: "0.00",
      W4: "0.00",
      W3: "0.00",
      W5: "0.00",
      4: "0.00",
      "5A": "0.00",
      "5B": "0.00",
      "6A": "0.00",
      "6B": "0.00",
      7: "0.00",
      "7A": "0.00",
      "7C": "0.00",
      "7D": "0.00",
      "8A": "100.00",
      "8B": "100.00",
      9: "0.00",
    });
  });

  test("amounts that are not in the books can be given when a return is published", async () => {
    const given = await tradedInAustralia();
    const [made] = (
      await given.ok("PUT", "/Reports", {
        ...whole,
        ReportType: "SalesTaxReturn",
        Fields: [
          { FieldID: "W1", Value: 5000 },
          { FieldID: "w2", Value: 1200 },
          { FieldID: "W4", Value: 30 },
          { FieldID: "7", Value: 25.5 },
          ...["1C", "1E", "5A", "6A", "7A", "7C"].map((FieldID) => ({ FieldID, Value: 10 })),
          ...["1D", "1F", "5B", "6B", "7D"].map((FieldID) => ({ FieldID, Value: 2.99 })),
        ],
      })
    ).Reports;
    expect(made).toMatchObject({ ReportName: "Activity Statement", ReportType: "SalesTaxReturn" });
    expect(boxes(made)).toMatchObject({
      W1: "5000.00",
      W2: "1200.00",
      W5: "1230.00",
      4: "1230.00",
      7: "25.00",
      // 100 of sales, 1,230 withheld, 25, and six labels of 10; 100 of purchases and five of 2.
      "8A": "1415.00",
      "8B": "110.00",
      9: "1305.00",
    });
  });

  test("labels of the activity statement drop cents, and the amount owed sums the whole dollars", async () => {
    const given = await world("AU");
    const party = await contact(given);
    await document(given, party, {}, [["200", 1009.9, "OUTPUT"]]);
    await document(given, party, { Type: "ACCPAY" }, [["429", 409.95, "INPUT"]]);
    await basis(given, "ACCRUAL");
    // 1,110.89 with tax of 100.99; 450.95 (rounded up) with tax of 41.00.
    expect(await figures(given, "SalesTaxReturn", { ...march, W2: "19.99" })).toMatchObject({
      G1: "1110.00",
      G11: "450.00",
      "1A": "100.00",
      "1B": "41.00",
      W5: "19.00",
      "8A": "119.00",
      9: "78.00",
    });
  });

  test("imported goods are on the activity statement with eleven times their tax", async () => {
    const given = await world("AU");
    const party = await contact(given);
    await document(given, party, { Type: "ACCPAY" }, [
      ["821", 120, "GSTONIMPORTS"],
      ["821", 30, "GSTONCAPIMPORTS"],
    ]);
    await basis(given, "ACCRUAL");
    expect(await figures(given, "SalesTaxReturn")).toMatchObject({
      G10: "330.00",
      G11: "1320.00",
      "1B": "150.00",
    });
  });

  test("input taxed amounts are reported as sales or purchases, except on balance sheet accounts", async () => {
    const given = await world("AU");
    const party = await contact(given);
    await document(given, party, {}, [["200", 500, "INPUTTAXED"]]);
    await document(given, party, { Type: "ACCPAY" }, [
      ["429", 70, "INPUTTAXED"],
      ["710", 900, "INPUTTAXED"],
      ["880", 40, "INPUTTAXED"],
      ["970", 60, "INPUTTAXED"],
    ]);
    await basis(given, "ACCRUAL");
    const shown = await figures(given, "SalesTaxReturn");
    expect(shown).toMatchObject({ G1: "500.00", G10: "0.00", G11: "70.00" });
    expect(Object.keys(shown).join()).not.toContain("Unmapped");
  });

  test("a Simpler BAS statement has three labels, and is refused for a turnover of ten million or more", async () => {
    const given = await tradedInAustralia();
    const simpler = { ...march, simpler: "true" };
    const shown = Object.keys(await figures(given, "SalesTaxReturn", simpler));
    expect(shown).toEqual(expect.arrayContaining(["G1", "1A", "1B", "8A", "9"]));
    expect(shown.filter((label) => ["G2", "G3", "G10", "G11"].includes(label))).toEqual([]);
    const earlier = { Date: "2025-04-01" };
    await document(given, await contact(given), earlier, [["200", 9_998_500, "OUTPUT"]]);
    expect(
      await given.refused("GET", "/Reports/SalesTaxReturn", undefined, { query: simpler }),
    ).toEqual([
      "Simpler BAS is for a turnover below 10000000.00; it was 10000000.00 in the year to 2026-03-31.",
    ]);
    // A day later, and the sale of a year ago is out of it.
    const april = { fromDate: "2026-04-01", toDate: "2026-04-01", simpler: "true" };
    expect(await figures(given, "SalesTaxReturn", april)).toMatchObject({ G1: "0.00" });
  });

  test("the short form is refused for a New Zealand return", async () => {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    const query = { ...march, simpler: "true" };
    expect(await given.refused("GET", "/Reports/GSTReturn", undefined, { query })).toEqual([
      "There is no short form of the GST Return.",
    ]);
  });
});

describe("publishing a tax return", () => {
  test("later postings do not change a published return", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    const [made] = (await given.ok("PUT", "/Reports", whole)).Reports;
    expect(made).toMatchObject({
      ReportName: "GST Return",
      ReportType: "GSTReturn",
      ReportTitles: ["GST Return", "Heron Lane Ltd", "1 Mar 2026 to 31 Mar 2026"],
      ReportDate: "1 Mar 2026 to 31 Mar 2026",
      Attributes: [
        { Name: "fromDate", Description: "First day of the return", Value: "2026-03-01" },
        { Name: "dateTo", Description: "Last day of the return", Value: "2026-03-31" },
      ],
    });
    expect(made.Rows).toBeUndefined();
    await document(given, await contact(given), {}, [["200", 100, "OUTPUT2"]]);
    const again = (await given.ok("GET", `/Reports/${made.ReportID}`)).Reports;
    expect(again).toEqual([made]);
    expect((await figures(given, "GSTReturn"))[5]).toBe("1465.00");
  });

  test("published returns are listed by name, latest first", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    const publish = async (FromDate: string, ToDate: string) =>
      (await given.ok("PUT", "/Reports", { ReportType: "GSTReturn", FromDate, ToDate })).Reports[0];
    const first = await publish("2026-02-01", "2026-02-28");
    const second = await publish("2026-03-01", "2026-03-31");
    const { Reports } = await given.ok("GET", "/Reports");
    expect(Reports).toEqual(
      [second, first].map(({ ReportID, ReportDate, UpdatedDateUTC }) => ({
        ReportID,
        ReportName: "GST Return",
        ReportType: "GSTReturn",
        ReportDate,
        UpdatedDateUTC,
      })),
    );
  });

  test("viewing a return or publishing it in a dry run stores nothing", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    await figures(given, "GSTReturn");
    await given.ok("PUT", "/Reports", whole, { headers: { "x-dry-run": "true" } });
    expect((await given.ok("GET", "/Reports")).Reports).toEqual([]);
  });

  test("amounts that are not in the books can also be given when a return is only viewed", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    const query = { ...march, 9: "10.00", 13: "2.50" };
    expect(await figures(given, "GSTReturn", query)).toMatchObject({ 10: "160.00", 14: "47.50" });
    await given.refused("GET", "/Reports/GSTReturn", undefined, { query: { 9: "much" } });
  });

  test("publishing a return again with the same idempotency key publishes nothing more", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    const headers = { "idempotency-key": "k" };
    const first = await given.ok("PUT", "/Reports", whole, { headers });
    expect(await given.ok("PUT", "/Reports", whole, { headers })).toEqual(first);
    expect((await given.ok("GET", "/Reports")).Reports).toHaveLength(1);
  });

  test("a return can be published in XML too", async () => {
    const given = await tradedInNewZealand();
    await basis(given, "INVOICE");
    const xml =
      "<Report><ReportType>GSTReturn</ReportType><FromDate>2026-03-01</FromDate><ToDate>2026-03-31</ToDate>" +
      "<Fields><ReportField><FieldID>9</FieldID><Value>12.50</Value></ReportField></Fields></Report>";
    const { text, status } = await given.ask("PUT", "/Reports", xml, {
      headers: { "content-type": "application/xml", accept: "text/xml" },
    });
    expect(status).toBe(200);
    expect(text).toContain(
      "<ReportField><FieldID>9</FieldID><Description>Adjustments</Description><Value>12.50</Value></ReportField>",
    );
    expect(text).toContain("<ReportAttribute><Name>fromDate</Name>");
  });

  test.each<[object, string]>([
    [{}, "The body holds no Report"],
    [{ FromDate: "2026-03-01", ToDate: "2026-03-31" }, "ReportType"],
    [{ ...whole, ReportType: "WealthReturn" }, "ReportType"],
    [
      { ...whole, ReportType: "SalesTaxReturn" },
      "The organisation makes the GST Return of New Zealand, not the Activity Statement",
    ],
    [{ ...whole, FromDate: "2026-04-01" }, "The FromDate must not be after the ToDate."],
    [{ ...whole, ToDate: "never" }, "ToDate"],
    [{ ...whole, Fields: [{ FieldID: "5", Value: 1 }] }, "only 9, 13 can be given, not 5"],
    [{ ...whole, Fields: [{ FieldID: "9", Value: "x" }] }, "Box 9 takes an amount, not 'x'."],
  ])("publishing a return with the body %j is refused", async (body, part) => {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    expect((await given.refused("PUT", "/Reports", body)).join(" ")).toContain(part);
    expect((await given.ok("GET", "/Reports")).Reports).toEqual([]);
  });

  test("an organisation that is not registered for tax has no return", async () => {
    const given = await world("NZ");
    await basis(given, "NONE");
    expect(await given.refused("PUT", "/Reports", whole)).toEqual([
      "The organisation is not registered for goods and services tax.",
    ]);
  });

  test.each(["US", "GLOBAL"] as const)(
    "an organisation in %s has no tax return, and an empty list of returns",
    async (country) => {
      const given = await world(country);
      for (const type of ["GSTReturn", "SalesTaxReturn", "VATReturn"]) {
        const message =
          "Tax returns are made for organisations in Australia, Canada, France, Germany, New Zealand, " +
          "Singapore, South Africa and the United Kingdom only.";
        expect(await given.refused("GET", `/Reports/${type}`)).toEqual([message]);
        expect(await given.refused("PUT", "/Reports", { ...whole, ReportType: type })).toEqual([
          message,
        ]);
      }
      expect((await given.ok("GET", "/Reports")).Reports).toEqual([]);
    },
  );
});

describe("postings after a published return", () => {
  const april = { fromDate: "2026-04-01", toDate: "2026-04-30" };

  async function published(): Promise<{ given: World; party: Json; sold: Json }> {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    const party = await contact(given);
    const sold = await document(given, party, {}, [["200", 1000, "OUTPUT2"]]);
    await given.ok("PUT", "/Reports", whole);
    return { given, party, sold };
  }

  test("postings dated in a published return are included in the next return, with a note", async () => {
    const { given, party } = await published();
    await document(given, party, {}, [["200", 100, "OUTPUT2"]]);
    await document(given, party, { Type: "ACCPAY" }, [["429", 40, "INPUT2"]]);
    await document(given, party, { Date: "2026-04-02" }, [["200", 300, "OUTPUT2"]]);
    const next = await figures(given, "GSTReturn", april);
    expect(next).toMatchObject({
      5: "460.00",
      8: "60.00",
      11: "46.00",
      15: "54.00",
      "Late net OUTPUT2": "100.00",
      "Late tax OUTPUT2": "15.00",
      "Late net INPUT2": "40.00",
      "Late tax INPUT2": "6.00",
    });
    // A return of other days, and the published one made again, have nothing to carry.
    const may = { fromDate: "2026-05-01", toDate: "2026-05-31" };
    expect((await figures(given, "GSTReturn", may))[5]).toBe("0.00");
    expect(Object.keys(await figures(given, "GSTReturn")).join()).not.toContain("Late");
  });

  test("late postings are included only in the next return, not in the one after it", async () => {
    const { given, party } = await published();
    await document(given, party, {}, [["200", 100, "OUTPUT2"]]);
    const publish = { ReportType: "GSTReturn", FromDate: "2026-04-01", ToDate: "2026-04-30" };
    const [made] = (await given.ok("PUT", "/Reports", publish)).Reports;
    expect(boxes(made)).toMatchObject({ 5: "115.00", "Late tax OUTPUT2": "15.00" });
    const may = { fromDate: "2026-05-01", toDate: "2026-05-31" };
    expect((await figures(given, "GSTReturn", may))[5]).toBe("0.00");
  });

  test("late postings of an edited or voided document are included with the difference", async () => {
    const { given, sold } = await published();
    const [line] = (await given.ok("GET", `/Invoices/${sold.InvoiceID}`)).Invoices[0].LineItems;
    await given.ok("POST", `/Invoices/${sold.InvoiceID}`, {
      LineItems: [{ LineItemID: line.LineItemID, UnitAmount: 1200 }],
    });
    expect(await figures(given, "GSTReturn", april)).toMatchObject({
      5: "230.00",
      "Late net OUTPUT2": "200.00",
    });
    await given.ok("POST", `/Invoices/${sold.InvoiceID}`, { Status: "VOIDED" });
    expect(await figures(given, "GSTReturn", april)).toMatchObject({
      5: "-1150.00",
      "Late net OUTPUT2": "-1000.00",
      "Late tax OUTPUT2": "-150.00",
    });
  });

  test("a document of a published return moved to the next period is not in both returns", async () => {
    const { given, sold } = await published();
    await given.ok("POST", `/Invoices/${sold.InvoiceID}`, { Date: "2026-04-05" });
    expect((await figures(given, "GSTReturn", april))[5]).toBe("0.00");
  });

  test("postings dated before the first return are not treated as late", async () => {
    const given = await world("NZ");
    await basis(given, "INVOICE");
    const party = await contact(given);
    const early = { Date: "2026-02-10" };
    const before = await document(given, party, early, [["200", 500, "OUTPUT2"]]);
    await given.ok("PUT", "/Reports", whole);
    await given.ok("POST", `/Invoices/${before.InvoiceID}`, { Status: "VOIDED" });
    expect((await figures(given, "GSTReturn", april))[5]).toBe("0.00");
    await document(given, party, early, [["200", 10, "OUTPUT2"]]);
    expect((await figures(given, "GSTReturn", april))[5]).toBe("11.50");
  });

  test("on the payments basis, a late posting is one with a late payment date", async () => {
    const given = await world("NZ");
    await basis(given, "PAYMENTS");
    const sold = await document(given, await contact(given), {}, [["200", 1000, "OUTPUT2"]]);
    await given.ok("PUT", "/Reports", whole);
    await paid(given, sold, { Date: "2026-03-30" });
    expect(await figures(given, "GSTReturn", april)).toMatchObject({
      5: "1150.00",
      "Late tax OUTPUT2": "150.00",
    });
  });

  test.each([
    ["2026-03-01", "2026-03-31", "overlaps those published up to 31 Mar 2026"],
    ["2026-03-31", "2026-04-30", "overlaps those published up to 31 Mar 2026"],
    ["2026-02-01", "2026-02-28", "overlaps those published up to 31 Mar 2026"],
    ["2026-04-02", "2026-04-30", "leaves out days after those published up to 31 Mar 2026"],
  ])(
    "after March has been published, a return from %s to %s is refused",
    async (FromDate, ToDate, part) => {
      const { given } = await published();
      const body = { ReportType: "GSTReturn", FromDate, ToDate };
      const [sentence] = await given.refused("PUT", "/Reports", body);
      expect(sentence).toContain(part);
      expect(sentence).toContain("; the next one begins on 2026-04-01.");
      expect((await given.ok("GET", "/Reports")).Reports).toHaveLength(1);
    },
  );
});

test("the GST return and the activity statement match their golden files, in JSON and XML", async () => {
  const nz = await tradedInNewZealand();
  await basis(nz, "INVOICE");
  await asKept(nz, "/Reports/GSTReturn", march, "GSTReturn");
  await asKept(await tradedInAustralia(), "/Reports/SalesTaxReturn", march, "SalesTaxReturn");
  await nz.ok("PUT", "/Reports", whole);
  await asKept(nz, "/Reports", {}, "Reports");
});
