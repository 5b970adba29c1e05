/** /Journals: the ledger as it is read back. */
import { expect, test } from "vitest";
import { contact, invoiced, type Json, paid, sale, type World, world } from "../fixture.ts";

async function journals(
  given: World,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Json[]> {
  return (await given.ok("GET", "/Journals", undefined, { query, headers })).Journals;
}

const numbers = (found: readonly Json[]) => found.map((each) => each.JournalNumber);
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an approved invoice is listed as a journal of receivable, revenue and tax", async () => {
  const given = await world();
  await given.ok("PUT", "/TrackingCategories", { Name: "Studio" });
  await given.ok("PUT", "/TrackingCategories/Studio/Options", { Name: "North Quay" });
  const invoice = await invoiced(given, {
    Date: "2026-02-27",
    Status: "AUTHORISED",
    LineItems: [
      {
        Description: "Glaze test",
        Quantity: 2,
        UnitAmount: 40,
        AccountCode: "200",
        Tracking: [{ Name: "Studio", Option: "North Quay" }],
      },
    ],
  });
  const [journal] = await journals(given);
  expect(journal).toEqual({
    JournalID: expect.any(String),
    JournalDateString: "2026-02-27T00:00:00",
    JournalDate: "/Date(1772150400000+0000)/",
    JournalNumber: 1,
    CreatedDateUTC: expect.stringMatching(/^\/Date\(\d+\+0000\)\/$/),
    Reference: "INV-0001",
    SourceID: invoice.InvoiceID,
    SourceType: "ACCREC",
    JournalLines: [
      {
        JournalLineID: expect.stringMatching(guid),
        AccountID: expect.any(String),
        AccountCode: "610",
        AccountType: "CURRENT",
        AccountName: "Accounts Receivable",
        Description: "",
        NetAmount: 92,
        GrossAmount: 92,
        TaxAmount: 0,
        TrackingCategories: [],
      },
      {
        JournalLineID: expect.stringMatching(guid),
        AccountID: expect.any(String),
        AccountCode: "200",
        AccountType: "REVENUE",
        AccountName: "Sales",
        Description: "Glaze test",
        NetAmount: -80,
        GrossAmount: -92,
        TaxAmount: -12,
        TaxType: "OUTPUT2",
        TaxName: "15% GST on Income",
        TrackingCategories: [
          {
            Name: "Studio",
            Option: "North Quay",
            TrackingCategoryID: expect.any(String),
            TrackingOptionID: expect.any(String),
          },
        ],
      },
      {
        JournalLineID: expect.stringMatching(guid),
        AccountID: expect.any(String),
        AccountCode: "820",
        AccountType: "CURRLIAB",
        AccountName: "GST",
        Description: "",
        NetAmount: -12,
        GrossAmount: -12,
        TaxAmount: 0,
        TrackingCategories: [],
      },
    ],
  });
  const ids = journal.JournalLines.map((line: Json) => line.JournalLineID);
  expect(new Set(ids).size).toBe(3);
});

test("lists of journals in XML nest JournalLines > JournalLine > TrackingCategories", async () => {
  const given = await world();
  await invoiced(given, { Status: "AUTHORISED" });
  const { text } = await given.ask("GET", "/Journals", undefined, {
    headers: { accept: "text/xml" },
  });
  expect(text).toContain("<Journals><Journal><JournalID>");
  expect(text).toContain("<JournalLines><JournalLine><JournalLineID>");
  expect(text).toContain("<JournalNumber>1</JournalNumber>");
  expect(text).toContain("<NetAmount>-100.00</NetAmount><GrossAmount>-115.00</GrossAmount>");
});

test("a journal read by id or number equals the one in the list, but without its source", async () => {
  const given = await world();
  const invoice = await invoiced(given, { Status: "AUTHORISED" });
  await paid(given, invoice);
  const listed = (await journals(given))[1];
  const { SourceID, SourceType, ...rest } = listed;
  expect([SourceID === undefined, SourceType]).toEqual([false, "ACCRECPAYMENT"]);
  for (const key of [listed.JournalID, listed.JournalID.toUpperCase(), "2"]) {
    const { Journals } = await given.ok("GET", `/Journals/${key}`);
    expect(Journals).toEqual([rest]);
  }
  for (const key of ["3", "0", "-1", "x", "1.5", invoice.InvoiceID, "9".repeat(40)]) {
    expect((await given.ask("GET", `/Journals/${key}`)).status).toBe(404);
  }
});

test("a list of journals has at most 100, oldest first, and continues after the offset", async () => {
  const given = await world();
  const party = await contact(given);
  const batch = Array.from({ length: 130 }, () => sale(party, { Status: "AUTHORISED" }));
  await given.ok("PUT", "/Invoices", { Invoices: batch });
  const first = await journals(given);
  expect(numbers(first)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  const next = await journals(given, { offset: "100" });
  expect(numbers(next)).toEqual(Array.from({ length: 30 }, (_, at) => at + 101));
  expect(await journals(given, { offset: "130" })).toEqual([]);
  // Neither pages nor conditions are known here.
  const other = await journals(given, { page: "2", where: "JournalNumber>5", order: "x" });
  expect(numbers(other)).toEqual(numbers(first));
  for (const offset of ["-1", "x", "1e3", "99999999999"]) {
    const refused = await given.refused("GET", "/Journals", undefined, { query: { offset } });
    expect(refused[0]).toContain("offset must be a whole number");
  }
  await given.refused("GET", "/Journals", undefined, { query: { paymentsOnly: "maybe" } });
});

test("a reversal is a separate journal with the signs reversed and the same date", async () => {
  const given = await world();
  const invoice = await invoiced(given, { Status: "AUTHORISED" });
  await given.ok("POST", `/Invoices/${invoice.InvoiceID}`, { Status: "VOIDED" });
  const [posted, undone] = await journals(given);
  const amounts = (journal: Json) =>
    journal.JournalLines.map((line: Json) => [line.AccountCode, line.NetAmount, line.GrossAmount]);
  expect(amounts(posted)).toEqual([
    ["610", 115, 115],
    ["200", -100, -115],
    ["820", -15, -15],
  ]);
  expect(amounts(undone)).toEqual([
    ["610", -115, -115],
    ["200", 100, 115],
    ["820", 15, 15],
  ]);
  expect([undone.SourceID, undone.JournalDate]).toEqual([posted.SourceID, posted.JournalDate]);
});

test("the parameter paymentsOnly lists the journals of the cash basis, with their own numbers", async () => {
  const given = await world();
  await invoiced(given, { Status: "AUTHORISED" });
  const invoice = await invoiced(given, { Status: "AUTHORISED" });
  await paid(given, invoice, { Amount: 57.5 });
  expect(numbers(await journals(given))).toEqual([1, 2, 3]);
  const cash = await journals(given, { paymentsOnly: "true" });
  expect(
    cash.map((each) => [
      each.JournalNumber,
      each.SourceType,
      each.JournalLines.map((line: Json) => [line.AccountCode, line.NetAmount]),
    ]),
  ).toEqual([
    [
      1,
      "ACCRECPAYMENT",
      [
        ["090", 57.5],
        ["200", -50],
        ["820", -7.5],
      ],
    ],
  ]);
  const { Journals } = await given.ok("GET", "/Journals/1", undefined, {
    query: { paymentsOnly: "true" },
  });
  expect(Journals[0].JournalID).toBe(cash[0].JournalID);
});

test("If-Modified-Since lists journals posted since, whatever their date", async () => {
  const given = await world();
  const hour = 3_600_000;
  const moments: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    given.now += 10 * 24 * hour;
    moments.push(given.now);
    await invoiced(given, { Status: "AUTHORISED", Date: `2026-0${9 - count}-01` });
  }
  const since = (moment: number, query = {}) =>
    journals(given, query, { "if-modified-since": new Date(moment).toISOString() });
  expect(numbers(await since(moments[0]! - hour))).toHaveLength(9);
  expect(numbers(await since(moments[6]! - hour))).toEqual([7, 8, 9]);
  expect(numbers(await since(moments[6]! + hour, { offset: "8" }))).toEqual([9]);
  expect(await since(moments[8]! + hour)).toEqual([]);
  // A clock that was set back hides nothing.
  given.now = moments[8]! - 2 * hour;
  await invoiced(given, { Status: "AUTHORISED" });
  expect(numbers(await since(moments[8]! - hour))).toEqual([9]);
  expect(numbers(await since(moments[8]! - 3 * hour))).toEqual([9, 10]);
  await given.refused("GET", "/Journals", undefined, {
    headers: { "if-modified-since": "yesterday" },
  });
});

test("journals show a renamed or archived account or tracking option with its present name", async () => {
  const given = await world();
  await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  const made = await given.ok("PUT", "/TrackingCategories/Region/Options", { Name: "North" });
  const option = made.Options[0].TrackingOptionID;
  const invoice = await invoiced(given, {
    Status: "AUTHORISED",
    LineItems: [
      {
        Description: "Work",
        Quantity: 1,
        UnitAmount: 10,
        AccountCode: "200",
        Tracking: [{ Name: "Region", Option: "North" }],
      },
    ],
  });
  await given.ok("POST", `/Invoices/${invoice.InvoiceID}`, { Status: "VOIDED" });
  await given.ok("POST", "/Accounts/200", { Name: "Turnover" });
  await given.ok("DELETE", `/TrackingCategories/Region/Options/${option}`);
  await given.ok("DELETE", "/TrackingCategories/Region");
  const [journal] = await journals(given);
  const line = journal.JournalLines[1];
  expect(line.AccountName).toBe("Turnover");
  expect(line.TrackingCategories[0]).toMatchObject({ Option: "North", TrackingOptionID: option });
});

test("journals can be read, and any write is refused", async () => {
  const given = await world();
  for (const method of ["PUT", "POST", "DELETE"]) {
    expect((await given.ask(method, "/Journals", {})).status).toBe(501);
    expect((await given.ask(method, "/Journals/1", {})).status).toBe(501);
  }
  expect(await journals(given)).toEqual([]);
});

test("journals of conversion balances have no source", async () => {
  const given = await world();
  await given.ok("POST", "/Setup", {
    ConversionDate: { Month: 1, Year: 2026 },
    ConversionBalances: [{ AccountCode: "090", Balance: 10 }],
  });
  const [journal] = await journals(given);
  expect(journal.JournalLines.map((line: Json) => line.NetAmount)).toEqual([10, -10]);
  expect(Object.keys(journal)).not.toContain("SourceID");
  expect(Object.keys(journal)).not.toContain("SourceType");
});
