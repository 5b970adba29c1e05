/** The list of sales in the EU: a row for each VAT number and kind of sale. */
import { expect, test } from "vitest";
import type { Country } from "../../../../src/ledger/regions/index.ts";
import { browsing, linksIn } from "../../../web/browsing.ts";
import { faultsOfReport } from "../../explain/figures.ts";
import { contact, type World, world } from "../../fixture.ts";
import { drawn, report } from "../report-text.ts";
import { document, figures, march } from "./returns.ts";

/** A sale: its customer and VAT number, amount and tax type; on another day, or a credit note. */
type Sale = readonly [
  customer: string,
  vatNumber: string,
  amount: number,
  taxType: string,
  day?: string,
];

async function sold(country: Country, account: string, sales: readonly Sale[]): Promise<World> {
  const given = await world(country);
  for (const [Name, TaxNumber, amount, taxType, day = "2026-03-05"] of sales) {
    const { Contacts } = await given.ok("POST", "/Contacts", { Name, TaxNumber });
    const dates = { Date: day, DueDate: "2026-12-31" };
    if (amount > 0) {
      await document(given, Contacts[0], dates, [[account, amount, taxType]]);
      continue;
    }
    await given.ok("PUT", "/CreditNotes", {
      ...{ Type: "ACCRECCREDIT", Contact: { ContactID: Contacts[0].ContactID } },
      ...{ Date: day, Status: "AUTHORISED" },
      LineItems: [
        {
          ...{ Description: "x", Quantity: 1, UnitAmount: -amount },
          ...{ AccountCode: account, TaxType: taxType },
        },
      ],
    });
  }
  return given;
}

const heading = "H | VAT number | Customer | Code | Net | Whole euros";

test("a German company lists goods and services by VAT number in whole euros", async () => {
  const given = await sold("DE", "4400", [
    ["Lumière SARL", "FR44732829320", 2500.4, "ECOUTPUT"],
    ["Wiener Werk GmbH", "ATU12345678", 1200, "ECOUTPUTSERVICES"],
    ["Basel AG", "", 800, "EXPORT"],
    ["Basel AG", "", 300, "OSOUTPUT"],
  ]);
  expect(drawn(await report(given, "ECSalesList", march))).toEqual([
    heading,
    'S "Goods"',
    "R | FR44732829320 | Lumière SARL | L | 2500.40 | 2500",
    "T | Total goods | - | Box 41 | 2500.40 | 2500",
    'S "Services"',
    "R | ATU12345678 | Wiener Werk GmbH | S | 1200.00 | 1200",
    "T | Total services | - | Box 21 | 1200.00 | 1200",
  ]);
  expect(await figures(given, "UStVA")).toMatchObject({ 41: "2500.00", 21: "1200.00" });
});

test("a French company lists goods under 21, goods credited under 25, and services apart", async () => {
  const given = await sold("FR", "707000", [
    ["Export Ltd", "", 700, "EXPORT"],
    ["Kranich GmbH", "DE 123 456 789", 1900.3, "ECOUTPUT"],
    ["Hafen GmbH", "DE987654321", -100.5, "ECOUTPUT"],
    ["Brugge NV", "BE0123456789", 500, "ECOUTPUTSERVICES"],
  ]);
  expect(drawn(await report(given, "ECSalesList", march))).toEqual([
    heading,
    'S "Goods"',
    "R | DE123456789 | Kranich GmbH | 21 | 1900.30 | 1900",
    "R | DE987654321 | Hafen GmbH | 25 | -100.50 | -101",
    "T | Total goods | - | Box F2 | 1799.80 | 1799",
    'S "Services"',
    "R | BE0123456789 | Brugge NV | DES | 500.00 | 500",
    "T | Total services | - | - | 500.00 | 500",
  ]);
});

test("a credit note counts in its own month, and customers of one VAT number are one row", async () => {
  const given = await sold("DE", "4400", [
    ["Praha s.r.o.", "CZ12345678", 1000, "ECTRIANGULAR", "2026-02-27"],
    ["Brno s.r.o.", "CZ 12345678", 500, "ECTRIANGULAR"],
    ["Praha s.r.o.", "CZ12345678", -200, "ECTRIANGULAR"],
  ]);
  const row = async (fromDate: string) =>
    drawn(await report(given, "ECSalesList", { ...march, fromDate })).find((line) =>
      line.startsWith("R"),
    );
  expect([await row("2026-03-01"), await row("2026-02-01")]).toEqual([
    "R | CZ12345678 | Brno s.r.o. | D | 300.00 | 300",
    "R | CZ12345678 | Praha s.r.o. | D | 1300.00 | 1300",
  ]);
});

/** Numbers that are none of another country of the EU, of a German company. */
const unlisted = { "Lyon SA": "FR123", "Berlin GmbH": "DE123456789", "London Ltd": "GB123456789" };

test.each(Object.entries({ ...unlisted, "Athina AE": "" }))(
  "an invoice to %s within the EU is not approved with the VAT number '%s', and kept as a draft",
  async (Name, TaxNumber) => {
    const given = await world("DE");
    const party = await contact(given, { Name, TaxNumber });
    const { InvoiceID } = await document(given, party, { Status: "DRAFT" }, [
      ["4125", 100, "ECOUTPUT"],
    ]);
    const refused = await given.refused("POST", `/Invoices/${InvoiceID}`, { Status: "AUTHORISED" });
    expect(refused).toEqual([
      `ECOUTPUT needs the VAT number of a customer in another country of the EU${TaxNumber ? `, and ${TaxNumber} is none` : ""}: the TaxNumber of ${Name}.`,
    ]);
    await given.ok("POST", "/Contacts", { Name, TaxNumber: "ATU12345678" });
    await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "AUTHORISED" });
  },
);

test("customers whose VAT number is none of another country of the EU any more are named apart", async () => {
  const given = await sold("DE", "4400", [
    ["Roma Srl", "IT12345678901", 10, "ECOUTPUT"],
    ["Lyon SA", "ATU12345678", 20, "ECOUTPUT"],
    ["Berlin GmbH", "ATU12345679", 30, "ECOUTPUT"],
    ["London Ltd", "ATU12345670", 40, "ECOUTPUTSERVICES"],
    ["Athina AE", "ATU12345671", 50, "ECOUTPUTSERVICES"],
  ]);
  for (const [Name, TaxNumber] of Object.entries({ ...unlisted, "Athina AE": "" }))
    await given.ok("POST", "/Contacts", { Name, TaxNumber });
  const rows = drawn(await report(given, "ECSalesList", march));
  expect(rows.slice(4)).toEqual([
    'S "Not listed: no VAT number of another country of the EU"',
    "R | Berlin GmbH | DE123456789 | L | 30.00 | -",
    "R | Lyon SA | FR123 | L | 20.00 | -",
    "R | Athina AE | - | S | 50.00 | -",
    "R | London Ltd | GB123456789 | S | 40.00 | -",
    "T | Total not listed | - | - | 140.00 | -",
  ]);
  expect((await faultsOfReport(given, "ECSalesList", march)).faults).toEqual([]);
});

test("the page of sales in the EU is there for a French company, with its figures, and for no other", async () => {
  const given = await sold("FR", "707200", [["Kranich GmbH", "DE123456789", 1900.3, "ECOUTPUT"]]);
  const pages = browsing(given);
  expect((await pages.see("/reports")).html).toContain("Sales in the EU");
  const address = "/reports/ec-sales-list?from=2026-03-01&to=2026-03-31";
  const { html } = await pages.see(address);
  for (const text of ["DE123456789", "Kranich GmbH", "<td>21</td>", "Total goods"])
    expect(html).toContain(text);
  for (const figure of linksIn(html).filter((href) => href.startsWith("/figures")))
    expect((await pages.see(figure)).status, figure).toBe(200);
  const elsewhere = browsing(await world("NZ"));
  expect((await elsewhere.see("/reports")).html).not.toContain("Sales in the EU");
  expect((await elsewhere.see(address)).status).toBe(404);
});

test("a list of sales in the EU is refused outside Germany and France", async () => {
  expect(await (await world("NZ")).refused("GET", "/Reports/ECSalesList")).toEqual([
    "The list of sales in the EU is made for organisations in Germany and France only.",
  ]);
});
