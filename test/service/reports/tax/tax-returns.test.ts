/** Returns of the United Kingdom, Canada, Singapore and South Africa: their boxes worked out by hand. */
import { describe, expect, test } from "vitest";
import type { Percent } from "../../../../src/ledger/money.ts";
import type { Country } from "../../../../src/ledger/regions/index.ts";
import { cellFigure } from "../../../../src/output/figures.ts";
import { reportTable } from "../../../../src/output/report-table.ts";
import { rowsOfFields } from "../../../../src/output/tax-return.ts";
import { changeBook } from "../../../../src/service/books/book.ts";
import { contact, type Json, paid, sale, type World, world } from "../../fixture.ts";
import { asKept, drawn } from "../report-text.ts";
import { basis, boxes, document, figures, type Line, march } from "./returns.ts";

const bill = { Type: "ACCPAY" };

async function traded(country: Country, sold: readonly Line[], bought: readonly Line[]) {
  const given = await world(country);
  const party = await contact(given);
  const sales = sold.length === 0 ? undefined : await document(given, party, {}, sold);
  const purchases = bought.length === 0 ? undefined : await document(given, party, bill, bought);
  await basis(given, "ACCRUALS");
  return { given, party, sales, purchases };
}

/** The sections of the rows that say what is behind each box, by box. */
async function behind(given: World, type: string, more: Record<string, string> = {}) {
  const query = { ...march, detail: "true", ...more };
  const [made] = (await given.ok("GET", `/Reports/${type}`, undefined, { query })).Reports;
  const values = ({ Cells }: Json) => Cells.map((each: Json) => each.Value ?? "");
  return Object.fromEntries(
    made.Rows.filter((each: Json) => each.RowType === "Section").map((each: Json) => [
      each.Title.split(" ")[0],
      each.Rows.map(values),
    ]),
  );
}

test("the activity statement of Australia is in whole dollars where people read it", async () => {
  const { given } = await traded("AU", [["200", 1200.9, "OUTPUT"]], [["400", 20, "INPUT"]]);
  const boxesIn = async (layout: string) => {
    const query = { ...{ fromDate: "2026-03-01", toDate: "2026-03-31" }, layout };
    const read = await given.ok("GET", "/Reports/SalesTaxReturn", undefined, { query });
    const { rows } = reportTable(rowsOfFields({ Rows: [], ...read.Reports[0] }, true));
    return rows.flatMap((row) =>
      row.role === "section" ? [] : [row.cells.map((cell) => cell && cellFigure(cell))],
    );
  };
  const sales = ["G1", "Total sales (including GST)"];
  expect(await boxesIn("accountant")).toContainEqual([...sales, "1,320"]);
  expect(await boxesIn("standard")).toContainEqual([...sales, "1,320.00"]);
});

describe("the VAT return of the United Kingdom", () => {
  test("the UK VAT return has sales and purchases at each rate", async () => {
    const { given } = await traded(
      "GB",
      [
        ["200", 1000.99, "OUTPUT2"],
        ["200", 200, "RROUTPUT"],
        ["200", 30, "ZERORATEDOUTPUT"],
        ["200", 40, "EXEMPTOUTPUT"],
        ["200", 50, "ECZROUTPUT"],
        ["200", 60, "ECZROUTPUTSERVICES"],
        ["200", 70, "NONE"],
        ["710", 500, "CAPEXOUTPUT2"],
      ],
      [
        ["429", 300, "INPUT2"],
        ["445", 100, "RRINPUT"],
        ["429", 20, "ZERORATEDINPUT"],
        ["433", 10, "EXEMPTINPUT"],
        ["710", 600.5, "CAPEXINPUT2"],
        ["429", 5, "ECZRINPUT"],
        ["821", 33, "GSTONIMPORTS"],
        ["477", 900, "NONE"],
      ],
    );
    expect(await figures(given, "VATReturn", { ...march, 4: "7.50" })).toEqual({
      Number: "101-202-303",
      Basis: "Standard accounting",
      Period: "1 Mar 2026 to 31 Mar 2026",
      // 200.20 + 10.00 + 100.00
      1: "310.20",
      2: "0.00",
      3: "310.20",
      // 60.00 + 5.00 + 120.10 + 33.00 of imports, and what is entered.
      4: "225.60",
      5: "84.60",
      6: "1880.00",
      7: "1035.00",
      8: "50.00",
      9: "5.00",
    });
  });

  test("the UK VAT return includes a reverse charge both as owed and as reclaimed", async () => {
    const { given } = await traded(
      "GB",
      [["200", 80, "DRCHARGE20"]],
      [
        ["429", 100, "REVERSECHARGES"],
        ["429", 300, "DRCHARGESUPPLY20"],
        ["429", 40, "DRCHARGESUPPLY5"],
        ["429", 200, "ECACQUISITIONS"],
        ["429", 10, "ECZRACQUISITIONS"],
      ],
    );
    expect(await figures(given, "VATReturn")).toMatchObject({
      // 20.00 + 60.00 + 2.00
      1: "82.00",
      2: "40.00",
      3: "122.00",
      4: "122.00",
      5: "0.00",
      // 80.00 sold, 100.00 of services from abroad.
      6: "180.00",
      7: "650.00",
      8: "0.00",
      9: "210.00",
    });
  });

  test("the UK VAT return deducts a credit note, and shows tax to be reclaimed without a minus sign", async () => {
    const { given, party } = await traded(
      "GB",
      [["200", 100, "OUTPUT2"]],
      [["429", 300, "INPUT2"]],
    );
    await given.ok("PUT", "/CreditNotes", {
      Type: "ACCRECCREDIT",
      Contact: { ContactID: party.ContactID },
      Date: "2026-03-09",
      Status: "AUTHORISED",
      LineItems: [
        { Description: "x", Quantity: 1, UnitAmount: 40, AccountCode: "200", TaxType: "OUTPUT2" },
      ],
    });
    expect(await figures(given, "VATReturn")).toMatchObject({
      1: "12.00",
      3: "12.00",
      4: "60.00",
      5: "48.00",
      6: "60.00",
      7: "300.00",
    });
  });

  test("the UK cash accounting VAT return counts payments, but reverse charges and imports when invoiced", async () => {
    const { given, purchases } = await traded(
      "GB",
      [["200", 1000, "OUTPUT2"]],
      [
        ["429", 300, "INPUT2"],
        ["429", 140, "REVERSECHARGES"],
        ["821", 30, "GSTONIMPORTS"],
      ],
    );
    await basis(given, "CASH");
    // Half of 360.00 + 140.00 + 30.00.
    await paid(given, purchases, { Date: "2026-03-20", Amount: 265 });
    expect(await figures(given, "VATReturn")).toMatchObject({
      Basis: "Cash accounting",
      1: "28.00",
      // 30.00 of what is paid, 28.00 and 30.00 of what is invoiced.
      4: "88.00",
      6: "140.00",
      7: "290.00",
    });
  });

  test("CIS deductions do not change any box of the UK VAT return", async () => {
    const given = await world("GB");
    await changeBook(given.book, {
      cis: { contractor: true, subContractor: false, rate: 200_000 as Percent },
    });
    const roofer = await contact(given, { Name: "Dale Roofing" });
    await given.ok("POST", `/Contacts/${roofer.ContactID}/CISSettings`, { Rate: 20 });
    await basis(given, "ACCRUALS");
    // Of 2,567.00 with materials of 367.00, 440.00 is withheld.
    const made = await document(given, roofer, bill, [
      ["322", 2200, "DRCHARGESUPPLY20"],
      ["323", 367, "DRCHARGESUPPLY20"],
    ]);
    expect([made.Total, made.CISDeduction]).toEqual([2567, 440]);
    expect(await figures(given, "VATReturn")).toMatchObject({
      1: "513.40",
      4: "513.40",
      5: "0.00",
      6: "0.00",
      7: "2567.00",
    });
  });

  test("a UK VAT return under the flat rate scheme is refused as unsupported", async () => {
    const given = await world("GB");
    for (const each of ["FLATRATECASH", "FLATRATEACCRUAL"] as const) {
      await basis(given, each);
      expect(await given.refused("GET", "/Reports/VATReturn")).toEqual([
        "Returns of the flat rate scheme are not supported.",
      ]);
    }
  });

  test("the documents listed for a box of the VAT return add up to it, with the rounding difference", async () => {
    const { given } = await traded("GB", [["200", 1000.99, "OUTPUT2"]], []);
    const party = await contact(given, { Name: "Marsh & Son" });
    const fields = { ...bill, Date: "2026-03-06", InvoiceNumber: "B-7" };
    await document(given, party, fields, [["429", 10, "INPUT2"]]);
    const sections = await behind(given, "VATReturn", { 4: "7.50" });
    expect(sections[4]).toEqual([
      [
        "2026-03-06",
        "Bill",
        "B-7",
        "Marsh & Son",
        "20% (VAT on Expenses)",
        "10.00",
        "2.00",
        "2.00",
      ],
      ["Entered", "", "", "", "", "", "", "7.50"],
      ["Box 4", "", "", "", "", "", "", "9.50"],
    ]);
    expect(sections[6].slice(-2)).toEqual([
      ["Cents left out", "", "", "", "", "", "", "-0.99"],
      ["Box 6", "", "", "", "", "", "", "1000.00"],
    ]);
    expect(sections[3]).toEqual([
      ["Other boxes", "", "", "", "", "", "", "200.20"],
      ["Box 3", "", "", "", "", "", "", "200.20"],
    ]);
  });
});

test("a return with the documents listed for its boxes matches its golden files", async () => {
  const given = await world("GB");
  const party = await contact(given, { Name: "Marsh & Son" });
  await basis(given, "ACCRUALS");
  await document(given, party, {}, [
    ["200", 1000.99, "OUTPUT2"],
    ["200", 30, "ZERORATEDOUTPUT"],
  ]);
  await document(given, party, bill, [["429", 100, "REVERSECHARGES"]]);
  await asKept(given, "/Reports/VATReturn", { ...march, detail: "true" }, "VATReturn");
});

describe("the GST return of Canada", () => {
  test("the Canadian return has GST and HST in its lines, and provincial taxes below them", async () => {
    const { given } = await traded(
      "CA",
      [
        ["400", 1000, "CAN020"], // Ontario: 13 % HST
        ["400", 200, "CAN015"], // British Columbia: 5 % GST, 7 % PST
        ["400", 100, "CAN022"], // Quebec: 5 % GST, 9.975 % QST
        ["400", 50.75, "CAN030"],
        ["150", 500, "CAN014"], // an asset: 5 % GST, no revenue
      ],
      [
        ["600", 300, "CAN007"],
        ["600", 100, "CAN002"],
        ["600", 40, "CAN027"],
        ["600", 10, "NONE"],
      ],
    );
    expect(
      await figures(given, "GSTHSTReturn", { ...march, 104: "1.00", 110: "20" }),
    ).toMatchObject({
      101: "1350.00",
      // 130.00 + 10.00 + 5.00 + 25.00
      103: "170.00",
      105: "171.00",
      // 39.00 + 5.00 + 2.00; the 7.00 of PST is part of the costs.
      106: "46.00",
      108: "46.00",
      109: "125.00",
      112: "20.00",
      "113A": "105.00",
      "113B": "0.00",
      "113C": "105.00",
      "PST collected": "14.00",
      "QST collected": "9.98",
      "QST paid": "3.99",
    });
  });

  test("the components of a Canadian tax rate are computed line by line", async () => {
    // 0.01 of GST and 0.01 of PST on each line, though 0.10 of 10 × 1.20 were 0.06 and 0.08.
    const sold = Array.from({ length: 10 }, (): Line => ["400", 0.15, "CAN015"]);
    const { given } = await traded("CA", sold, []);
    expect(await figures(given, "GSTHSTReturn")).toMatchObject({
      103: "0.10",
      "PST collected": "0.10",
    });
  });

  test("a custom Canadian tax rate is reported by its components and its account", async () => {
    const given = await world("CA");
    await basis(given, "ACCRUALS");
    const [own] = (
      await given.ok("PUT", "/TaxRates", {
        Name: "Island",
        TaxComponents: [
          { Name: "GST", Rate: 5 },
          { Name: "Island tax", Rate: 2 },
        ],
      })
    ).TaxRates;
    await document(given, await contact(given), {}, [["400", 100, own.TaxType]]);
    expect(await figures(given, "GSTHSTReturn")).toMatchObject({
      101: "100.00",
      103: "5.00",
      "Island tax collected": "2.00",
    });
  });
});

describe("the GST return of Singapore", () => {
  test("the Singapore GST return has each kind of supply and purchase", async () => {
    const { given } = await traded(
      "SG",
      [
        ["200", 1000, "OUTPUTY24"],
        ["200", 100, "DSOUTPUTY24"],
        ["200", 10, "SRCAS"],
        ["200", 20, "SRLVGY24"],
        ["200", 300, "ZERORATEDOUTPUT"],
        ["200", 40, "ES33OUTPUT"],
        ["200", 50, "OSOUTPUT2"],
      ],
      [
        ["429", 500, "INPUTY24"],
        ["429", 60, "TXREINPUTY24"],
        ["429", 70, "ZERORATEDINPUT"],
        ["429", 80, "IMY24"],
        ["429", 90, "MEINPUT"],
        ["429", 200, "TXCAY24"],
        ["429", 100, "TXRCTSY24"],
        ["429", 30, "IGDSINPUT2Y24"],
        ["429", 1000, "BLINPUT3Y24"],
        ["429", 11, "NRINPUT"],
        ["429", 5, "TOURISTREFUND"],
        ["429", 100, "BADDEBTRELIEFY24"],
      ],
    );
    expect(await figures(given, "GSTF5", { ...march, 7: "7.20", 19: "2.70" })).toEqual({
      Number: "101-202-303",
      Basis: "Accrual",
      Period: "1 Mar 2026 to 31 Mar 2026",
      // 1,130.00 sold, 300.00 that the buyer accounts for.
      1: "1430.00",
      2: "300.00",
      3: "40.00",
      4: "1770.00",
      5: "1130.00",
      // 90.00 + 9.00 + 1.80, and 27.00 as the buyer.
      6: "127.80",
      // 45.00 + 5.40 + 27.00, refunds of 5.00 and 9.00, and the import tax entered.
      7: "98.60",
      8: "29.20",
      9: "90.00",
      10: "5.00",
      11: "9.00",
      12: "0.00",
      13: "1520.00",
      14: "100.00",
      15: "0.00",
      16: "0.00",
      17: "20.00",
      18: "29.20",
      19: "2.70",
      20: "31.90",
      21: "30.00",
    });
  });

  test("Singapore tax codes of earlier years are reported with the tax rate of their years", async () => {
    const { given } = await traded(
      "SG",
      [
        ["200", 100, "OUTPUTY23"],
        ["200", 100, "OUTPUT"],
      ],
      [["429", 100, "TXCAY23"]],
    );
    expect(await figures(given, "GSTF5")).toMatchObject({ 1: "300.00", 6: "23.00", 7: "8.00" });
  });

  test("Singapore GST that cannot be reclaimed is posted as part of the cost", async () => {
    const { given } = await traded("SG", [], [["429", 1000, "BLINPUT3Y24"]]);
    expect(await figures(given, "GSTF5")).toMatchObject({ 5: "0.00", 7: "0.00" });
    const query = { date: "2026-03-31" };
    const trial = await given.ok("GET", "/Reports/TrialBalance", undefined, { query });
    expect(drawn(trial.Reports[0]).join("\n")).toContain("General Expenses (429) | 1090.00");
  });
});

describe("the return of South Africa", () => {
  test.each(["IMINPUT", "GSTONCAPIMPORTS"])(
    "in South Africa, the tax rate %s is allowed only on the tax accounts",
    async (type) => {
      const given = await world("ZA");
      const party = await contact(given);
      const line = { Description: "x", Quantity: 1, UnitAmount: 12, TaxType: type };
      const bill = (AccountCode: string) =>
        sale(party, { Type: "ACCPAY", LineItems: [{ ...line, AccountCode }] });
      for (const code of ["429", "850"]) {
        const refused = await given.ask("PUT", "/Invoices", bill(code));
        expect(refused.status).toBe(400);
        expect(refused.text).toContain(
          `The TaxType code '${type}' cannot be used with account code '${code}'. The whole line is tax: it stands on 820 or 821.`,
        );
      }
      await given.ok("PUT", "/Invoices", bill("820"));
    },
  );

  test("the South African return computes output tax by the form's fractions, and input tax as posted", async () => {
    const { given } = await traded(
      "ZA",
      [
        ["200", 1000, "OUTPUT3"],
        ["260", 400, "SROUTPUT2"],
        ["200", 30, "ZERORATED"],
        ["200", 40, "ZERORATEDOUTPUT"],
        ["200", 50, "EXEMPTOUTPUT"],
        ["200", 1000, "ACC28PLUS"],
        ["200", 200, "ACCUPTO28"],
        ["200", 100, "SHOUTPUT"],
        ["200", 7, "OTHEROUTPUT"],
      ],
      [
        ["710", 600, "CAPEXINPUT2"],
        ["429", 300, "INPUT3"],
        ["821", 12, "IMINPUT"],
        ["820", 8, "GSTONCAPIMPORTS"],
        ["429", 9000, "OTHERINPUT"],
        ["429", 20, "INPUT4"],
        ["429", 40, "BADDEBT"],
        ["429", 500, "EXEMPTINPUT"],
      ],
    );
    expect(await figures(given, "VAT201", { ...march, 18: "1.50" })).toMatchObject({
      1: "1150.00",
      "1A": "460.00",
      2: "30.00",
      "2A": "40.00",
      3: "50.00",
      4: "150.00",
      "4A": "60.00",
      5: "1000.00",
      6: "600.00",
      7: "200.00",
      8: "800.00",
      9: "120.00",
      10: "115.00",
      11: "15.00",
      12: "0.00",
      13: "345.00",
      14: "90.00",
      "14A": "8.00",
      15: "45.00",
      "15A": "12.00",
      16: "3.00",
      17: "6.00",
      18: "1.50",
      19: "165.50",
      20: "179.50",
    });
  });

  test("the South African return has no box for rates of 14 %", async () => {
    const { given, party } = await traded("ZA", [], []);
    const old = { Date: "2018-03-05", DueDate: "2018-04-20" };
    await document(given, party, old, [["200", 100, "OUTPUT"]]);
    const days = { fromDate: "2018-03-01", toDate: "2018-03-31" };
    expect(await figures(given, "VAT201", days)).toMatchObject({
      1: "0.00",
      "Unmapped net OUTPUT": "100.00",
      "Unmapped tax OUTPUT": "14.00",
    });
  });
});

test.each([
  ["GB", "VATReturn", "OUTPUT2", "200", "6"],
  ["CA", "GSTHSTReturn", "CAN020", "400", "101"],
  ["SG", "GSTF5", "OUTPUTY24", "200", "1"],
  ["ZA", "VAT201", "ACCUPTO28", "200", "7"],
] as const)(
  "in %s, the published return %s is followed by one that includes its late postings",
  async (country, type, tax, account, box) => {
    const { given, party } = await traded(country, [[account, 100, tax]], []);
    const whole = { ReportType: type, FromDate: "2026-03-01", ToDate: "2026-03-31" };
    const [made] = (await given.ok("PUT", "/Reports", whole)).Reports;
    expect(boxes(made)[box]).toBe("100.00");
    await document(given, party, {}, [[account, 30, tax]]);
    const april = { fromDate: "2026-04-01", toDate: "2026-04-30" };
    expect(await figures(given, type, april)).toMatchObject({
      [box]: "30.00",
      [`Late net ${tax}`]: "30.00",
    });
  },
);
