/** Bank transactions: money received and spent, what it posts, and how it is read. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  reportRows,
  stocked,
  type World,
  world,
} from "../fixture.ts";

const line = { Description: "Work", Quantity: 1, UnitAmount: 115, AccountCode: "200" };

async function received(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE",
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineItems: [line],
    ...fields,
  });
  return answer.BankTransactions[0];
}

const spent = (given: World, fields: object = {}) =>
  received(given, {
    Type: "SPEND",
    LineItems: [{ Description: "Cleaning", UnitAmount: 46, AccountCode: "408" }],
    ...fields,
  });

async function refusedWith(given: World, fields: object): Promise<string[]> {
  return given.refused("PUT", "/BankTransactions", {
    Type: "RECEIVE",
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineItems: [line],
    ...fields,
  });
}

/** What the journals say, newest last. */
async function journals(given: World, query: Record<string, string> = {}): Promise<Json[]> {
  return (await given.ok("GET", "/Journals", undefined, { query })).Journals;
}

describe("a bank transaction of money received", () => {
  test("money received has tax-inclusive amounts by default, and is posted at once", async () => {
    const given = await world();
    const made = await received(given, { Reference: "Till 4", Url: "https://till.example/4" });
    expect(made).toMatchObject({
      Type: "RECEIVE",
      Status: "AUTHORISED",
      LineAmountTypes: "Inclusive",
      SubTotal: 100,
      TotalTax: 15,
      Total: 115,
      Reference: "Till 4",
      Url: "https://till.example/4",
      IsReconciled: false,
      HasAttachments: false,
      CurrencyCode: "NZD",
      CurrencyRate: 1,
      BankAccount: { Code: "090", Name: "Business Account" },
    });
    expect(made.PrepaymentID).toBeUndefined();
    expect(made.OverpaymentID).toBeUndefined();
    expect(await movements(given)).toEqual({
      "Business Account (090)": 115,
      "Sales (200)": -100,
      "GST (820)": -15,
      Total: 0,
    });
    const [journal] = await journals(given);
    expect(journal).toMatchObject({
      SourceID: made.BankTransactionID,
      SourceType: "CASHREC",
      Reference: "Till 4",
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("money received is posted the same on the cash basis", async () => {
    const given = await world();
    await received(given);
    await spent(given);
    const [accrual, cash] = await Promise.all(
      ["false", "true"].map((paymentsOnly) =>
        reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly }),
      ),
    );
    expect(cash).toEqual(accrual);
    expect(await journals(given, { paymentsOnly: "true" })).toHaveLength(2);
  });

  test("money received may have negative lines, as long as its total is above zero", async () => {
    const given = await world();
    const fee = { Description: "Fee", UnitAmount: -15, AccountCode: "404", TaxType: "NONE" };
    const made = await received(given, { LineItems: [line, fee] });
    expect(made).toMatchObject({ Total: 100, TotalTax: 15 });
    expect(await movements(given)).toMatchObject({
      "Business Account (090)": 100,
      "Bank Fees (404)": 15,
    });
    expect(await refusedWith(given, { LineItems: [{ ...line, UnitAmount: -1 }] })).toEqual([
      "The total of a bank transaction must be above zero.",
    ]);
  });

  test("money received for a tracked item takes it out of stock", async () => {
    const given = await world();
    await stocked(given, "LAMP", 10, 4);
    const lamps = { ItemCode: "LAMP", Description: "Lamp", Quantity: 4, UnitAmount: 11.5 };
    await received(given, { LineItems: [lamps] });
    const [item] = (await given.ok("GET", "/Items/LAMP")).Items;
    expect(item).toMatchObject({ QuantityOnHand: 6, TotalCostPool: 24 });
    expect(await movements(given)).toMatchObject({
      "Cost of Goods Sold (310)": 16,
      "Inventory (630)": 24,
      "Sales (200)": -40,
    });
    expect(await refusedWith(given, { LineItems: [{ ...lamps, Quantity: 7 }] })).toHaveLength(1);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("money received posts the tracking of its lines", async () => {
    const given = await world();
    await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
    await given.ok("PUT", "/TrackingCategories/Region/Options", { Name: "North" });
    const Tracking = [{ Name: "Region", Option: "North" }];
    await received(given, { LineItems: [{ ...line, Tracking }] });
    const [journal] = await journals(given);
    const sales = journal.JournalLines.find((each: Json) => each.AccountCode === "200");
    expect(sales.TrackingCategories).toMatchObject([{ Name: "Region", Option: "North" }]);
  });
});

describe("a bank transaction of money spent", () => {
  test("money spent is posted on the opposite sides from money received", async () => {
    const given = await world();
    await spent(given);
    expect(await movements(given)).toEqual({
      "Business Account (090)": -46,
      "Cleaning (408)": 40,
      "GST (820)": 6,
      Total: 0,
    });
    expect((await journals(given))[0].SourceType).toBe("CASHPAID");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("money spent on a tracked item increases its stock", async () => {
    const given = await world();
    await stocked(given, "LAMP", 10, 4);
    const lamps = { ItemCode: "LAMP", Description: "Lamp", Quantity: 5, UnitAmount: 5.5 };
    await spent(given, { LineAmountTypes: "Exclusive", LineItems: [lamps] });
    const [item] = (await given.ok("GET", "/Items/LAMP")).Items;
    expect(item).toMatchObject({ QuantityOnHand: 15, TotalCostPool: 67.5 });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("a bank transaction is refused", () => {
  test.each([
    [{ Contact: undefined }, "A Contact must be specified for this type of transaction"],
    [{ BankAccount: undefined }, "The BankAccount must be named by AccountID or Code."],
    [{ BankAccount: { Code: "999" } }, "There is no bank account '999'."],
    [{ BankAccount: { Code: "200" } }, "The account '200' is not a bank account."],
    [{ LineItems: [] }, "One or more line items must be specified"],
    [{ LineItems: [{ ...line, Quantity: 0 }] }, "The Quantity must be above zero."],
    [
      { LineItems: [{ ...line, Quantity: -1, UnitAmount: -115 }] },
      "The Quantity must be above zero.",
    ],
    [
      { LineItems: [line, { ...line, UnitAmount: 0 }] },
      "The UnitAmount must not be zero. (line 2)",
    ],
    [
      { LineItems: [{ ...line, TaxAmount: 14.99 }] },
      "The tax amount 14.99 does not match the expected tax amount 15.00",
    ],
    [
      { LineItems: [{ ...line, AccountCode: "610" }] },
      "Account code '610' is not a valid code for this document.",
    ],
    [
      { LineItems: [{ ...line, AccountCode: "091" }] },
      "Account code '091' is not a valid code for this document.",
    ],
    [{ Status: "DELETED" }, "A new bank transaction has the Status AUTHORISED, not DELETED."],
    [{ CurrencyCode: "EUR" }, "A bank transaction is in the currency of its bank account, NZD."],
    [
      { Type: "RECEIVE-TRANSFER" },
      "A bank transaction of the type RECEIVE-TRANSFER is made with its bank transfer.",
    ],
    [
      {
        Type: "RECEIVE-PREPAYMENT",
        LineItems: [{ ...line, ItemCode: "NONE" }],
      },
      "There is no item with code 'NONE'; create it first.",
    ],
  ])("a bank transaction with %j is refused", async (fields, sentence) => {
    const given = await world();
    expect(await refusedWith(given, fields)).toContain(sentence);
    expect(await journals(given)).toEqual([]);
    expect((await given.ok("GET", "/BankTransactions")).BankTransactions).toEqual([]);
  });
});

test("a bank transaction dated on or before the lock date can be neither created nor changed", async () => {
  const given = await world();
  const made = await received(given);
  await changeBook(given.book, { PeriodLockDate: "2026-03-01" });
  const path = `/BankTransactions/${made.BankTransactionID}`;
  expect(await refusedWith(given, {})).toHaveLength(1);
  for (const change of [{ Status: "DELETED" }, { Date: "2026-03-02" }]) {
    expect(await given.refused("POST", path, change)).toHaveLength(1);
  }
  await given.ok("POST", path, { Reference: "by card", IsReconciled: true });
  expect((await given.ok("GET", path)).BankTransactions[0].Status).toBe("AUTHORISED");
});

describe("an update of a bank transaction", () => {
  test("an update of a bank transaction reverses the old journals and posts new ones", async () => {
    const given = await world();
    const made = await received(given);
    const [changed] = (
      await given.ok("POST", `/BankTransactions/${made.BankTransactionID}`, {
        BankAccount: { Code: "091" },
        LineItems: [{ LineItemID: made.LineItems[0].LineItemID, UnitAmount: 230 }],
      })
    ).BankTransactions;
    expect(changed).toMatchObject({ Total: 230, TotalTax: 30, BankAccount: { Code: "091" } });
    expect(changed.LineItems).toMatchObject([
      { LineItemID: made.LineItems[0].LineItemID, Description: "Work", AccountCode: "200" },
    ]);
    expect(await movements(given)).toEqual({
      "Savings (091)": 230,
      "Sales (200)": -200,
      "GST (820)": -30,
      Total: 0,
    });
    expect(await journals(given)).toHaveLength(3);
    expect(await journals(given, { paymentsOnly: "true" })).toHaveLength(3);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an update of a bank transaction adds a new line for a line sent without its id", async () => {
    const given = await world();
    const made = await received(given);
    const [changed] = (
      await given.ok("POST", "/BankTransactions", {
        BankTransactionID: made.BankTransactionID,
        LineItems: [line, { ...line, UnitAmount: 23 }],
      })
    ).BankTransactions;
    expect(changed.Total).toBe(138);
    const ids = changed.LineItems.map((each: Json) => each.LineItemID);
    expect(ids).not.toContain(made.LineItems[0].LineItemID);
  });

  test("an update of only the texts of a bank transaction posts nothing", async () => {
    const given = await world();
    const { BankTransactionID } = await received(given);
    const [changed] = (
      await given.ok("POST", `/BankTransactions/${BankTransactionID}`, {
        IsReconciled: true,
        Reference: "Till 5",
      })
    ).BankTransactions;
    expect(changed).toMatchObject({ IsReconciled: true, Reference: "Till 5", Total: 115 });
    expect(await journals(given)).toHaveLength(1);
  });

  test("an update to DELETED reverses the bank transaction, and cannot be undone", async () => {
    const given = await world();
    const made = await received(given);
    const path = `/BankTransactions/${made.BankTransactionID}`;
    const [gone] = (await given.ok("POST", path, { Status: "DELETED" })).BankTransactions;
    expect(gone).toMatchObject({ Status: "DELETED", Total: 115 });
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(
      (await reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly: "true" })).Total,
    ).toEqual(["0.00", "0.00", "0.00", "0.00"]);
    expect(await given.refused("POST", path, { Reference: "Till 5" })).toEqual([
      "This bank transaction is deleted and cannot be changed.",
    ]);
    expect((await given.ok("GET", path)).BankTransactions[0].Status).toBe("DELETED");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an update of a bank transaction cannot change its type", async () => {
    const given = await world();
    const made = await received(given);
    expect(
      await given.refused("POST", "/BankTransactions", {
        BankTransactionID: made.BankTransactionID,
        Type: "SPEND-TRANSFER",
      }),
    ).toEqual(["A bank transaction of the type SPEND-TRANSFER is made with its bank transfer."]);
    expect(
      await given.refused("POST", `/BankTransactions/${made.BankTransactionID}`, { Type: "SPEND" }),
    ).toContain("The Type of a bank transaction cannot be changed.");
  });
});

describe("a list of bank transactions", () => {
  test("a list of bank transactions includes their lines only when it is paged", async () => {
    const given = await world();
    await received(given);
    const read = async (query: Record<string, string>) =>
      (await given.ok("GET", "/BankTransactions", undefined, { query })).BankTransactions;
    expect((await read({}))[0].LineItems).toEqual([]);
    expect((await read({ page: "1" }))[0].LineItems).toHaveLength(1);
    expect(await read({ page: "2" })).toEqual([]);
  });

  test("a list of bank transactions can be filtered, ordered and read with If-Modified-Since", async () => {
    const given = await world();
    const first = await received(given, { Date: "2026-03-05" });
    given.now += 60_000;
    const since = new Date(given.now).toISOString().slice(0, 19);
    const second = await spent(given, { Date: "2026-03-03", BankAccount: { Code: "091" } });
    const read = async (query: Record<string, string>, headers = {}) =>
      (
        await given.ok("GET", "/BankTransactions", undefined, { query, headers })
      ).BankTransactions.map((each: Json) => each.BankTransactionID);
    const [one, two] = [first.BankTransactionID, second.BankTransactionID];
    expect(await read({ where: 'Type=="SPEND"' })).toEqual([two]);
    expect(await read({ where: 'Status=="AUTHORISED"', order: "Date" })).toEqual([two, one]);
    expect(await read({ where: "Date>=DateTime(2026,3,4)" })).toEqual([one]);
    expect(await read({ where: `Contact.ContactID==Guid("${second.Contact.ContactID}")` })).toEqual(
      [two],
    );
    expect(await read({ where: 'BankAccount.Code=="091"' })).toEqual([two]);
    expect(await read({ order: "Date DESC" })).toEqual([one, two]);
    expect(await read({}, { "if-modified-since": since })).toEqual([two]);
  });

  test("a list of bank transactions does not contain the payments of invoices", async () => {
    const given = await world();
    const invoice = (
      await given.ok("PUT", "/Invoices", {
        Type: "ACCREC",
        Contact: await contact(given),
        Status: "AUTHORISED",
        Date: "2026-03-01",
        DueDate: "2026-03-20",
        LineItems: [{ ...line, UnitAmount: 100 }],
      })
    ).Invoices[0];
    await given.ok("PUT", "/Payments", {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Amount: 115,
    });
    expect((await given.ok("GET", "/BankTransactions")).BankTransactions).toEqual([]);
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  });
});

test("unit amounts of a bank transaction have two decimals, or four if the request asks for it", async () => {
  const given = await world();
  const precise = { ...line, Quantity: 100, UnitAmount: 1.2345 };
  const short = await received(given, { LineItems: [precise] });
  expect(short).toMatchObject({ Total: 123, LineItems: [{ UnitAmount: 1.23 }] });
  const [long] = (
    await given.ok(
      "PUT",
      "/BankTransactions",
      {
        Type: "RECEIVE",
        Contact: short.Contact,
        BankAccount: { Code: "090" },
        LineItems: [precise],
      },
      { query: { unitdp: "4" } },
    )
  ).BankTransactions;
  expect(long).toMatchObject({ Total: 123.45, LineItems: [{ UnitAmount: 1.2345 }] });
});

test("with SummarizeErrors=false, an invalid bank transaction in a batch is refused and the others are saved", async () => {
  const given = await world();
  const good = {
    Type: "RECEIVE",
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    LineItems: [line],
  };
  const bad = { ...good, BankAccount: { Code: "200" } };
  const body = { BankTransactions: [bad, good] };
  expect((await given.ask("PUT", "/BankTransactions", body)).status).toBe(400);
  const answer = await given.ok("PUT", "/BankTransactions", body, {
    query: { SummarizeErrors: "false" },
  });
  expect(answer.BankTransactions).toMatchObject([
    { StatusAttributeString: "ERROR" },
    { StatusAttributeString: "OK", Total: 115 },
  ]);
  expect((await given.ok("GET", "/BankTransactions")).BankTransactions).toHaveLength(1);
});

test("a bank transaction has a history, to which notes are added", async () => {
  const given = await world();
  const made = await received(given);
  const path = `/BankTransactions/${made.BankTransactionID}/History`;
  await given.ok("PUT", path, { HistoryRecords: [{ Details: "From the till" }] });
  const { HistoryRecords } = await given.ok("GET", path);
  expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual(["Note", "Created"]);
});

test("an account, item or tracking option used by a bank transaction counts as in use", async () => {
  const given = await world();
  const { AccountID } = (
    await given.ok("PUT", "/Accounts", {
      Code: "092",
      Name: "Till",
      Type: "BANK",
      BankAccountNumber: "01-0001-0001-00",
    })
  ).Accounts[0];
  const made = await received(given, { BankAccount: { AccountID } });
  await given.ok("POST", `/BankTransactions/${made.BankTransactionID}`, { Status: "DELETED" });
  expect((await given.ask("DELETE", `/Accounts/${AccountID}`)).status).toBe(400);
});

test("bank transactions are read and written as XML", async () => {
  const given = await world();
  const { Name } = await contact(given);
  const answer = await given.ask(
    "PUT",
    "/BankTransactions",
    `<BankTransactions><BankTransaction><Type>SPEND</Type><Contact><Name>${Name}</Name></Contact>
      <BankAccount><Code>090</Code></BankAccount><LineItems><LineItem>
      <Description>Cleaning</Description><UnitAmount>46.00</UnitAmount><AccountCode>408</AccountCode>
      </LineItem></LineItems></BankTransaction></BankTransactions>`,
    { headers: { "content-type": "text/xml", accept: "text/xml" } },
  );
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("<BankTransaction>");
  expect(answer.text).toContain("<Code>090</Code>");
  expect(answer.text).toContain("<Total>46.00</Total>");
  expect(answer.text).toContain("<IsReconciled>false</IsReconciled>");
});
