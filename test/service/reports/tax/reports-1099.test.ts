/** 1099 reports: which accounts stand in which box, and what was paid in a year. */
import { describe, expect, test } from "vitest";
import { account } from "../../../../src/resources/index.ts";
import { fetch, save } from "../../../../src/store/mapping/records.ts";
import { contact, type Json, paid, sale, type World, world } from "../../fixture.ts";
import { asKept } from "../report-text.ts";

const put = (given: World, ...boxes: object[]) =>
  given.ok("PUT", "/Reports/TenNinetyNine/Boxes", { Boxes: boxes });

async function bill(given: World, party: Json, fields: object, ...lines: [string, number][]) {
  const LineItems = lines.map(([AccountCode, UnitAmount]) => ({
    Description: "x",
    Quantity: 1,
    UnitAmount,
    AccountCode,
  }));
  const body = sale(party, {
    Type: "ACCPAY",
    Date: "2025-03-05",
    DueDate: "2025-04-20",
    Status: "AUTHORISED",
    LineItems,
    ...fields,
  });
  return (await given.ok("PUT", "/Invoices", body)).Invoices[0] as Json;
}

/**
 * Bank West is paid 600.00 for consulting and half of a bill of 400.00 consulting and 1,200.00 rent
 * in 2025; the other half in 2026. Advertising for 90.00 is in no box. Zed has no tax number.
 */
async function spent(): Promise<World> {
  const given = await world("US");
  const bank = await contact(given, {
    Name: "Bank West",
    TaxNumber: "234-22-2223",
    TaxNumberType: "SSN",
    EmailAddress: "jack@bowest.example",
    Addresses: [
      {
        AddressType: "POBOX",
        AddressLine1: "Procurement Services",
        AddressLine2: "GPO 1234",
        City: "Pinehaven",
        Region: "CA",
        PostalCode: "12345",
      },
    ],
  });
  const zed = await contact(given, { Name: "Zed" });
  await paid(given, await bill(given, bank, {}, ["612", 600], ["600", 90]), { Date: "2025-03-06" });
  const large = await bill(given, bank, {}, ["612", 400], ["660", 1200]);
  await paid(given, large, { Date: "2025-12-31", Amount: 800 });
  await paid(given, large, { Date: "2026-01-01", Amount: 800 });
  await paid(given, await bill(given, zed, {}, ["612", 5000]), { Date: "2025-06-01" });
  return given;
}

async function years(given: World, reportYear: string): Promise<Json[]> {
  return (await given.ok("GET", "/Reports/TenNinetyNine", undefined, { query: { reportYear } }))
    .Reports;
}

const boxed = async (given: World, year: string) =>
  (await years(given, year)).map(({ ReportName, Contacts }) => [
    ReportName,
    ...Contacts.map((each: Json) =>
      Object.entries(each)
        .filter(([name]) => /^Box|^Name$/.test(name))
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ),
  ]);

describe("an organisation without 1099 settings", () => {
  test("the 1099 report without settings has no contacts, on two forms since 2020 and on one form before", async () => {
    const given = await spent();
    expect(await years(given, "2025")).toEqual([
      {
        ReportName: "1099-NEC report",
        ReportDate: "1 Jan 2025 to 31 Dec 2025",
        Fields: [],
        Contacts: [],
      },
      {
        ReportName: "1099-MISC report",
        ReportDate: "1 Jan 2025 to 31 Dec 2025",
        Fields: [],
        Contacts: [],
      },
    ]);
    expect(await years(given, "2020")).toHaveLength(2);
    expect(await years(given, "2019")).toEqual([
      {
        ReportName: "1099 report",
        ReportDate: "1 Jan 2019 to 31 Dec 2019",
        Fields: [],
        Contacts: [],
      },
    ]);
  });
});

describe("the 1099 report with accounts in boxes", () => {
  const consulting = { AccountCode: "612", Form: "NEC", Box: 1 };
  const rent = { AccountCode: "660", Form: "MISC", Box: 1 };

  test("the 1099 report has payments of the year to contacts with a tax number, in proportion to 1099 accounts", async () => {
    const given = await spent();
    await put(given, consulting, rent);
    expect(await boxed(given, "2025")).toEqual([
      ["1099-NEC report", "Box1 800, Name Bank West"],
      ["1099-MISC report", "Box1 600, Name Bank West"],
    ]);
    // 200.00 and 600.00, of which 2026 asks for 2,000.00.
    expect(await boxed(given, "2026")).toEqual([["1099-NEC report"], ["1099-MISC report"]]);
    expect(await boxed(given, "2024")).toEqual([["1099-NEC report"], ["1099-MISC report"]]);
  });

  test("the 1099 report lists the paid contacts, with box amounts as numbers", async () => {
    const given = await spent();
    await put(given, consulting);
    const [{ ContactID }] = (
      await given.ok("GET", "/Contacts", undefined, { query: { where: 'Name=="Bank West"' } })
    ).Contacts;
    expect((await years(given, "2025"))[0].Contacts).toEqual([
      {
        Box1: 800,
        Name: "Bank West",
        FederalTaxIDType: "SSN",
        City: "Pinehaven",
        Zip: "12345",
        State: "CA",
        Email: "jack@bowest.example",
        StreetAddress: "Procurement Services\r\nGPO 1234",
        TaxID: "234-22-2223",
        ContactId: ContactID,
      },
    ]);
  });

  test("1099 reports before 2020 have all boxes on one form", async () => {
    const given = await world("US");
    const party = await contact(given, { Name: "Old", TaxNumber: "1" });
    const made = await bill(given, party, { Date: "2019-05-01" }, ["612", 1000], ["660", 630]);
    await paid(given, made, { Date: "2019-06-01" });
    await put(given, consulting, rent);
    expect(await boxed(given, "2019")).toEqual([["1099 report", "Box1 630, Box7 1000, Name Old"]]);
  });

  /** Pays a bill of one account, which stands in a box, on a day of a year. */
  async function paidIn(given: World, party: Json, year: number, account: string, amount: number) {
    const made = await bill(given, party, { Date: `${year}-05-01` }, [account, amount]);
    await paid(given, made, { Date: `${year}-06-01` });
  }

  test.each<[year: number, form: string, box: number, least: number]>([
    [2025, "NEC", 1, 600],
    [2026, "NEC", 1, 2000],
    [2025, "MISC", 1, 600],
    [2026, "MISC", 1, 2000],
    [2026, "MISC", 3, 2000],
    [2026, "MISC", 2, 10],
    [2026, "MISC", 8, 10],
    [2026, "NEC", 2, 5000],
    [2026, "MISC", 7, 5000],
    [2026, "MISC", 5, 0.01],
    [2026, "NEC", 3, 0.01],
  ])(
    "in %d, payments for form 1099-%s box %d are reported from an amount of %d",
    async (year, Form, Box, least) => {
      const given = await world("US");
      const [below, enough] = [
        await contact(given, { Name: "Below", TaxNumber: "1" }),
        await contact(given, { Name: "Enough", TaxNumber: "2" }),
      ];
      await put(given, { AccountCode: "612", Form, Box });
      if (least > 0.01) await paidIn(given, below, year, "612", least - 0.01);
      // What is paid in two parts counts together.
      if (least > 1) await paidIn(given, enough, year, "612", 1);
      await paidIn(given, enough, year, "612", least > 1 ? least - 1 : least);
      const lines = (await boxed(given, String(year))).flatMap(([, ...payees]) => payees);
      expect(lines).toEqual([`Box${Box} ${least}, Name Enough`]);
    },
  );

  test("a payee with tax withheld is in the 1099 report whatever amount was paid", async () => {
    const given = await world("US");
    const party = await contact(given, { Name: "Small", TaxNumber: "1" });
    await given.ok("PUT", "/Accounts", {
      Code: "228",
      Name: "Withheld",
      Type: "CURRLIAB",
      TaxType: "NONE",
    });
    await put(given, consulting, { AccountCode: "228", Form: "NEC", Box: 4 });
    await paid(given, await bill(given, party, {}, ["612", 100], ["228", -24]), {
      Date: "2025-06-01",
    });
    expect((await boxed(given, "2025"))[0]).toEqual([
      "1099-NEC report",
      "Box1 100, Box4 24, Name Small",
    ]);
  });

  test.each(["CREDITCARD", "PAYPAL"] as const)(
    "the 1099 report leaves out payments from a %s account",
    async (type) => {
      const given = await world("US");
      const party = await contact(given, { Name: "Card", TaxNumber: "1" });
      await put(given, consulting);
      await given.ok("PUT", "/Accounts", {
        Code: "095",
        Name: "Card",
        Type: "BANK",
        BankAccountType: "CREDITCARD",
        BankAccountNumber: "4111",
      });
      // The service makes no account of PayPal, but books have had them.
      await given.book.store.write(given.book.org, async (tx) => {
        const [card] = await fetch(tx, account, "Code", ["095"]);
        if (card !== undefined) await save(tx, account, [{ ...card, BankAccountType: type }]);
      });
      const made = await bill(given, party, {}, ["612", 5000]);
      await paid(given, made, { Date: "2025-06-01", Amount: 3000, Account: { Code: "095" } });
      await paid(given, made, { Date: "2025-06-02", Amount: 700 });
      const line = { Description: "x", Quantity: 1, UnitAmount: 900, AccountCode: "612" };
      const spend = (Type: string, AccountCode: string, LineItems: object[]) =>
        given.ok("PUT", "/BankTransactions", {
          Type,
          Contact: { ContactID: party.ContactID },
          BankAccount: { Code: AccountCode },
          Date: "2025-06-03",
          LineItems,
        });
      await spend("SPEND", "095", [line]);
      // An overpayment by card that settles part of the bill.
      const over = { Description: "x", Quantity: 1, UnitAmount: 1300 };
      const [credit] = (await spend("SPEND-OVERPAYMENT", "095", [over])).BankTransactions;
      await given.ok("PUT", `/Overpayments/${credit.OverpaymentID}/Allocations`, {
        Invoice: { InvoiceID: made.InvoiceID },
        Amount: 1300,
      });
      expect((await boxed(given, "2025"))[0]).toEqual(["1099-NEC report", "Box1 700, Name Card"]);
    },
  );

  test("the 1099 report leaves out documents in a foreign currency", async () => {
    const given = await world("US");
    await given.ok("PUT", "/Currencies", { Code: "CAD" });
    const party = await contact(given, { Name: "North", TaxNumber: "1" });
    await put(given, consulting);
    const foreign = { CurrencyCode: "CAD", CurrencyRate: 1.25 };
    const made = await bill(given, party, foreign, ["612", 5000]);
    await paid(given, made, { Date: "2025-06-01", CurrencyRate: 1.25 });
    expect((await boxed(given, "2025"))[0]).toEqual(["1099-NEC report"]);
  });

  test.each<[year: number, form: string, box: number, stands: string]>([
    [2019, "MISC", 7, "1099 report: Box9"],
    [2019, "MISC", 9, "1099 report: Box10"],
    [2019, "MISC", 10, "1099 report: Box14"],
    [2019, "NEC", 2, "1099 report: Box9"],
    [2020, "NEC", 2, "1099-MISC report: Box7"],
    [2019, "NEC", 3, "1099 report: Box13"],
    [2021, "NEC", 3, "1099-MISC report: Box13"],
    [2023, "NEC", 3, "1099-MISC report: Box14"],
    [2025, "MISC", 14, "1099-NEC report: Box3"],
  ])(
    "in the 1099 report of %d, the box %s %d of the current forms is shown as %s",
    async (year, Form, Box, stands) => {
      const given = await world("US");
      const party = await contact(given, { Name: "Old", TaxNumber: "1" });
      await put(given, { AccountCode: "612", Form, Box });
      await paidIn(given, party, year, "612", 9000);
      const found = (await boxed(given, String(year))).flatMap(([name, ...payees]) =>
        payees.map((payee: string) => `${name}: ${payee.split(" ")[0]}`),
      );
      expect(found).toEqual([stands]);
    },
  );

  test("the 1099 report leaves out a deleted payment", async () => {
    const given = await spent();
    await put(given, rent);
    const { Payments } = await given.ok("GET", "/Payments", undefined, {
      query: { where: "Amount==800" },
    });
    for (const { PaymentID } of Payments) {
      await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
    }
    expect(await boxed(given, "2025")).toEqual([["1099-NEC report"], ["1099-MISC report"]]);
  });

  test("the 1099 report is for last year by default", async () => {
    const { Reports } = await (await spent()).ok("GET", "/Reports/TenNinetyNine");
    expect(Reports[0].ReportDate).toBe("1 Jan 2025 to 31 Dec 2025");
  });

  test("the 1099 box of an account can be changed, and the account removed from it", async () => {
    const given = await spent();
    await put(given, consulting, rent);
    const listed = async () =>
      (await given.ok("GET", "/Reports/TenNinetyNine/Boxes")).Boxes.map(
        ({ AccountCode, Name, Form, Box }: Json) => [AccountCode, Name, Form, Box],
      );
    expect(await listed()).toEqual([
      ["612", "Consulting & Accounting", "NEC", 1],
      ["660", "Rent", "MISC", 1],
    ]);
    await put(given, { AccountCode: "612", Form: "MISC", Box: 3 });
    await put(given, { AccountCode: "660", Form: "NONE" });
    expect(await listed()).toEqual([["612", "Consulting & Accounting", "MISC", 3]]);
    await given.ok(
      "PUT",
      "/Reports/TenNinetyNine/Boxes",
      { AccountCode: "612", Form: "NONE" },
      { headers: { "x-dry-run": "true" } },
    );
    expect(await listed()).toHaveLength(1);
  });

  test.each<[object, string]>([
    [{ AccountCode: "999", Form: "NEC", Box: 1 }, "There is no account 999."],
    [{ AccountCode: "612", Form: "NEC", Box: 5 }, "there is no box 5"],
    [{ AccountCode: "612", Form: "MISC" }, "there is no box 0"],
    [{ AccountCode: "612", Form: "K", Box: 1 }, "Form"],
    [{ Form: "NEC", Box: 1 }, "AccountCode"],
  ])("the 1099 setting %j is refused", async (box, part) => {
    const given = await world("US");
    const sentences = await given.refused("PUT", "/Reports/TenNinetyNine/Boxes", {
      Boxes: [consulting, box],
    });
    expect(sentences.join(" ")).toContain(part);
    const { Boxes } = await given.ok("GET", "/Reports/TenNinetyNine/Boxes");
    expect(Boxes).toEqual([]);
  });

  test("the 1099 reports match their golden files, in JSON and XML", async () => {
    const given = await spent();
    await put(given, consulting, rent);
    await asKept(given, "/Reports/TenNinetyNine", { reportYear: "2025" }, "TenNinetyNine");
  });
});

test.each(["1800", "20255", "-1", "last"])(
  "a 1099 report for the year %s is refused",
  async (reportYear) => {
    const given = await world("US");
    await given.refused("GET", "/Reports/TenNinetyNine", undefined, { query: { reportYear } });
  },
);

test.each(["NZ", "AU", "GB", "CA"] as const)(
  "1099 reports of an organisation in %s are refused",
  async (country) => {
    const given = await world(country);
    const message = "1099 reports are made for organisations in the United States only.";
    expect(await given.refused("GET", "/Reports/TenNinetyNine")).toEqual([message]);
    expect(await given.refused("GET", "/Reports/TenNinetyNine/Boxes")).toEqual([message]);
    const box = { AccountCode: "429", Form: "NONE" };
    expect(await given.refused("PUT", "/Reports/TenNinetyNine/Boxes", box)).toEqual([message]);
  },
);
