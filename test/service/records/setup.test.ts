/** Conversion: the chart and the balances that an organisation comes with. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { contact, faultsIn, invoiced, type Json, reportRows, world } from "../fixture.ts";

const ConversionDate = { Month: 1, Year: 2026 };
const balances = [
  { AccountCode: "090", Balance: 1500.5 },
  { AccountCode: "710", Balance: 4000 },
  { AccountCode: "900", Balance: -3000 },
];
const date = "2025-12-31";

test("conversion balances are posted on the day before the month, with the difference in Historical Adjustment", async () => {
  const given = await world();
  const answer = await given.ok("POST", "/Setup", { ConversionDate, ConversionBalances: balances });
  expect(answer.ImportSummary).toEqual({
    Accounts: {
      Total: 0,
      New: 0,
      Updated: 0,
      Deleted: 0,
      Locked: 0,
      System: 0,
      Errored: 0,
      Present: false,
      NewOrUpdated: 0,
    },
    Organisation: { Present: false },
  });
  for (const paymentsOnly of ["false", "true"]) {
    const rows = await reportRows(given, "TrialBalance", { date, paymentsOnly });
    expect(rows["Business Account (090)"]?.at(-2)).toBe("1500.50");
    expect(rows["Loan (900)"]?.at(-1)).toBe("3000.00");
    expect(rows["Historical Adjustment (840)"]?.at(-1)).toBe("2500.50");
    const earlier = await reportRows(given, "TrialBalance", { date: "2025-12-30", paymentsOnly });
    expect(earlier["Loan (900)"]).toBeUndefined();
  }
  expect(await faultsIn(given)).toEqual([]);
});

test("conversion balances sent again replace the earlier ones", async () => {
  const given = await world();
  await given.ok("POST", "/Setup", { ConversionDate, ConversionBalances: balances });
  const again = [
    { AccountCode: "090", Balance: 100 },
    { AccountCode: "090", Balance: 11 },
  ];
  const moved = { Month: 2, Year: 2026 };
  await given.ok("POST", "/Setup", { ConversionDate: moved, ConversionBalances: again });
  const rows = await reportRows(given, "TrialBalance", { date: "2026-01-31" });
  expect(rows["Business Account (090)"]?.at(-2)).toBe("111.00");
  expect(rows["Loan (900)"]).toBeUndefined();
  expect(rows["Historical Adjustment (840)"]?.at(-1)).toBe("111.00");
  await given.ok("POST", "/Setup", { ConversionDate, ConversionBalances: [] });
  const none = await reportRows(given, "TrialBalance", { date: "2026-01-31" });
  expect(none["Business Account (090)"]).toBeUndefined();
  expect(await faultsIn(given)).toEqual([]);
});

test("accounts in a Setup request are created, or changed if their codes exist", async () => {
  const given = await world();
  const Accounts = [
    { Code: "205", Name: "Web Sales", Type: "REVENUE", TaxType: "OUTPUT2" },
    { Code: "200", Name: "Shop Sales" },
    { Code: "820", Name: "Goods and Services Tax" },
  ];
  const ConversionBalances = [{ AccountCode: "205", Balance: -20 }];
  const body = { Accounts, ConversionDate, ConversionBalances };
  const { ImportSummary } = await given.ok("POST", "/Setup", body);
  expect(ImportSummary.Accounts).toMatchObject({
    Total: 3,
    New: 1,
    Updated: 2,
    System: 1,
    Present: true,
  });
  const chart = (await given.ok("GET", "/Accounts")).Accounts;
  const named = (code: string) => chart.find((each: Json) => each.Code === code);
  expect(named("205")).toMatchObject({ Name: "Web Sales", Class: "REVENUE" });
  expect(named("200")).toMatchObject({ Name: "Shop Sales", Type: "REVENUE" });
  expect(named("820")).toMatchObject({ SystemAccount: "GST" });
});

test("a Setup request in XML has one Setup element, and the answer is an ImportSummary", async () => {
  const given = await world();
  const body =
    "<Setup><ConversionDate><Month>1</Month><Year>2026</Year></ConversionDate><ConversionBalances>" +
    "<ConversionBalance><AccountCode>090</AccountCode><Balance>12.00</Balance></ConversionBalance>" +
    "</ConversionBalances></Setup>";
  const headers = { accept: "text/xml", "content-type": "text/xml" };
  const { text } = await given.ask("POST", "/Setup", body, { headers });
  expect(text).toContain("<ImportSummary><Accounts><Total>0</Total>");
});

describe("Setup requests that are refused", () => {
  test.each<[string, object, string]>([
    ["balances without a date", { ConversionDate: undefined }, "ConversionDate is required"],
    ["an invalid month", { ConversionDate: { Month: 13, Year: 2026 } }, "Month"],
    ["a year before 2007", { ConversionDate: { Month: 1, Year: 2006 } }, "Year"],
    [
      "an unknown account",
      { ConversionBalances: [{ AccountCode: "9999", Balance: 1 }] },
      "There is no active account with code '9999'.",
    ],
    [
      "a balance on receivables",
      { ConversionBalances: [{ AccountCode: "610", Balance: 1 }] },
      "Accounts Receivable stands at what its open documents come to",
    ],
    [
      "a balance on stock",
      { ConversionBalances: [{ AccountCode: "630", Balance: 1 }] },
      "Inventory stands at what its items are worth",
    ],
    [
      "details of an account that has none",
      {
        ConversionBalances: [{ AccountCode: "900", Balance: 1, BalanceDetails: [{ Balance: 1 }] }],
      },
      "BalanceDetails are for receivables and payables only",
    ],
    [
      "an account without a type, with the rest of the request",
      { Accounts: [{ Code: "206", Name: "Half" }] },
      "Account 206: Type is required.",
    ],
  ])(
    "a Setup request with %s is refused, and nothing is stored",
    async (_what, fields, sentence) => {
      const given = await world();
      const body = { ConversionDate, ConversionBalances: balances, ...fields };
      expect((await given.refused("POST", "/Setup", body)).join(" ")).toContain(sentence);
      const rows = await reportRows(given, "TrialBalance", { date });
      expect(rows["Loan (900)"]).toBeUndefined();
    },
  );

  test("conversion balances before a lock date are refused", async () => {
    const given = await world();
    await changeBook(given.book, { PeriodLockDate: date });
    const body = { ConversionDate, ConversionBalances: balances };
    expect((await given.refused("POST", "/Setup", body)).join(" ")).toContain("period lock date");
  });

  test("a Setup request by a method other than POST is answered as not implemented", async () => {
    const given = await world();
    expect((await given.ask("GET", "/Setup")).status).toBe(501);
  });
});

test("a sale after a Setup request is posted after the conversion balances", async () => {
  const given = await world();
  await given.ok("POST", "/Setup", { ConversionDate, ConversionBalances: balances });
  await contact(given);
  await invoiced(given, { Status: "AUTHORISED" });
  expect(await faultsIn(given)).toEqual([]);
});
