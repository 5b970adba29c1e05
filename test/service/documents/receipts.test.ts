/** Receipts: whose they are and their numbers, their fields and states, and that they post nothing. */
import { describe, expect, test } from "vitest";
import { user } from "../../../src/resources/index.ts";
import type { OrganisationRole } from "../../../src/resources/user.ts";
import { changeBook } from "../../../src/service/books/book.ts";
import { save } from "../../../src/store/mapping/records.ts";
import { contact, faultsIn, type Json, movements, type World, world } from "../fixture.ts";

const line = { Description: "Taxi", Quantity: 2, UnitAmount: 57.5, AccountCode: "400" };
const noUser = ["A valid user should be identified using the UserID."];
const notModified = ["Receipt not of valid status for modification"];

/** Who made the book. */
async function userOf(given: World): Promise<Json> {
  const query = { where: 'EmailAddress=="tess@heron.example"' };
  return (await given.ok("GET", "/Users", undefined, { query })).Users[0];
}

async function spending(given: World, fields: object = {}): Promise<object> {
  const [{ ContactID }, { UserID }] = [await contact(given), await userOf(given)];
  const common = { Contact: { ContactID }, User: { UserID }, Date: "2026-03-01" };
  return { ...common, LineItems: [line], ...fields };
}

/** Another user of the book. */
async function colleague(given: World, OrganisationRole: OrganisationRole): Promise<string> {
  const UserID = "00000000-0000-7000-8000-0000000000aa";
  const record = {
    UserID,
    EmailAddress: "ida@heron.example",
    UpdatedDateUTC: given.now,
    IsSubscriber: false,
    OrganisationRole,
  };
  await given.book.store.write(given.book.org, (tx) => save(tx, user, [record]));
  return UserID;
}

async function received(given: World, fields: object = {}): Promise<Json> {
  return (await given.ok("PUT", "/Receipts", await spending(given, fields))).Receipts[0];
}

async function read(given: World, id: string): Promise<Json> {
  return (await given.ok("GET", `/Receipts/${id}`)).Receipts[0];
}

async function edited(given: World, id: string, fields: object): Promise<Json> {
  return (await given.ok("POST", `/Receipts/${id}`, fields)).Receipts[0];
}

const refusedReceipt = async (given: World, fields: object) =>
  given.refused("PUT", "/Receipts", await spending(given, fields));

describe("statuses of receipts", () => {
  const kept = ["DRAFT", "SUBMITTED"] as const;

  test("a new receipt is a draft, or is submitted if the request says so", async () => {
    const given = await world();
    expect((await received(given)).Status).toBe("DRAFT");
    expect((await received(given, { Status: "SUBMITTED" })).Status).toBe("SUBMITTED");
  });

  test.each(kept.flatMap((from) => [...kept, "VOIDED"].map((to) => [from, to] as const)))(
    "the status of a receipt may change from %s to %s",
    async (Status, to) => {
      const given = await world();
      const { ReceiptID } = await received(given, { Status });
      expect((await edited(given, ReceiptID, { Status: to })).Status).toBe(to);
      expect((await read(given, ReceiptID)).Status).toBe(to);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test.each(["AUTHORISED", "DECLINED"])(
    "the status %s of a receipt is refused, since only an expense claim sets it",
    async (Status) => {
      const given = await world();
      const why = [
        `A receipt becomes ${Status} with the expense claim that it is part of, never by itself.`,
      ];
      expect(await refusedReceipt(given, { Status })).toEqual(why);
      const { ReceiptID } = await received(given, { Status: "SUBMITTED" });
      expect(await given.refused("POST", `/Receipts/${ReceiptID}`, { Status })).toEqual(why);
    },
  );

  test("a new receipt cannot be VOIDED, and a VOIDED receipt cannot be edited", async () => {
    const given = await world();
    expect(await refusedReceipt(given, { Status: "VOIDED" })).toEqual([
      "Receipt not of valid status for creation",
    ]);
    const { ReceiptID } = await received(given);
    await edited(given, ReceiptID, { Status: "VOIDED" });
    for (const fields of [{ Status: "DRAFT" }, { Status: "AUTHORISED" }, { Reference: "x" }]) {
      expect(await given.refused("POST", `/Receipts/${ReceiptID}`, fields)).toEqual(notModified);
    }
    expect((await read(given, ReceiptID)).LineItems).toHaveLength(1);
  });
});

describe("users of receipts", () => {
  test("a receipt without an existing user is refused; a stored receipt shows its user", async () => {
    const given = await world();
    const unknown = "00000000-0000-0000-0000-0000000000ff";
    for (const User of [undefined, {}, { UserID: unknown }]) {
      expect(await refusedReceipt(given, { User })).toEqual(noUser);
    }
    const { UserID, EmailAddress } = await userOf(given);
    const { ReceiptID, User } = await received(given);
    expect(User).toMatchObject({ UserID, EmailAddress });
    expect((await read(given, ReceiptID)).User).toMatchObject({ UserID, EmailAddress });
    const another = { User: { UserID: unknown } };
    expect(await given.refused("POST", `/Receipts/${ReceiptID}`, another)).toEqual(noUser);
    expect((await edited(given, ReceiptID, { User: { UserID } })).User.UserID).toBe(UserID);
  });

  test("the receipts of each user are numbered separately, and cannot move to another user", async () => {
    const given = await world();
    const User = { UserID: await colleague(given, "STANDARD") };
    const Receipts = [await spending(given), await spending(given, { User })];
    const [mine, theirs] = (await given.ok("PUT", "/Receipts", { Receipts })).Receipts;
    expect([mine.ReceiptNumber, theirs.ReceiptNumber]).toEqual(["1", "1"]);
    expect((await received(given, { User })).ReceiptNumber).toBe("2");
    expect((await received(given)).ReceiptNumber).toBe("2");
    expect(await given.refused("POST", `/Receipts/${mine.ReceiptID}`, { User })).toEqual([
      "The User of a receipt cannot be changed.",
    ]);
    expect((await read(given, mine.ReceiptID)).User.EmailAddress).toBe("tess@heron.example");
  });

  test("a removed user cannot get new receipts, and the user's existing receipts can be edited", async () => {
    const given = await world();
    const User = { UserID: await colleague(given, "STANDARD") };
    const { ReceiptID } = await received(given, { User });
    await colleague(given, "REMOVED");
    expect(await refusedReceipt(given, { User })).toEqual(noUser);
    expect((await edited(given, ReceiptID, { User, Reference: "Bus" })).Reference).toBe("Bus");
  });

  test("receipt numbers count from 1; numbers of void receipts are not reused, and numbers sent are ignored", async () => {
    const given = await world();
    const [first, second] = (
      await given.ok("PUT", "/Receipts", {
        Receipts: [await spending(given), await spending(given, { ReceiptNumber: "77" })],
      })
    ).Receipts;
    expect([first.ReceiptNumber, second.ReceiptNumber]).toEqual(["1", "2"]);
    await edited(given, second.ReceiptID, { Status: "VOIDED" });
    await refusedReceipt(given, { LineItems: [] });
    expect((await received(given)).ReceiptNumber).toBe("3");
    expect((await edited(given, first.ReceiptID, { Reference: "x" })).ReceiptNumber).toBe("1");
  });
});

describe("fields of receipts", () => {
  test("fields of a receipt are stored as sent, with tax-inclusive amounts by default", async () => {
    const given = await world();
    const fields = { Reference: "Airport", Url: "https://till.example/1" };
    const { ReceiptID } = await received(given, fields);
    const shown = await read(given, ReceiptID);
    expect(shown).toMatchObject({
      ...fields,
      DateString: "2026-03-01T00:00:00",
      LineAmountTypes: "Inclusive",
      SubTotal: 100,
      TotalTax: 15,
      Total: 115,
      HasAttachments: false,
      LineItems: [{ LineAmount: 115, TaxType: "INPUT2" }],
    });
    for (const name of ["Type", "AmountDue", "AmountPaid", "CurrencyCode"]) {
      expect(shown).not.toHaveProperty(name);
    }
  });

  test.each([
    ["Exclusive", [115, 17.25, 132.25]],
    ["NoTax", [115, 0, 115]],
  ])(
    "a receipt with LineAmountTypes %s has the net, tax and total %j",
    async (LineAmountTypes, sums) => {
      const { SubTotal, TotalTax, Total } = await received(await world(), { LineAmountTypes });
      expect([SubTotal, TotalTax, Total]).toEqual(sums);
    },
  );

  test("a receipt without a required field is refused", async () => {
    const given = await world();
    expect(await refusedReceipt(given, { Date: undefined })).toEqual(["Date is required."]);
    expect(await refusedReceipt(given, { Contact: undefined })).toEqual([
      "A Contact must be specified for this type of transaction",
    ]);
    expect(await refusedReceipt(given, { LineItems: [] })).toEqual([
      "One or more line items must be specified",
    ]);
  });

  test("a receipt is in the base currency, whatever the currency of its contact", async () => {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    await given.ok("PUT", "/Contacts", { Name: "Boston Cabs", DefaultCurrency: "USD" });
    expect((await received(given, { Contact: { Name: "Boston Cabs" } })).Total).toBe(115);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("receipt unit amounts have two decimals, or four with unitdp=4", async () => {
    const given = await world();
    const LineItems = [{ Description: "Nails", Quantity: 1000, UnitAmount: 0.0123 }];
    const { ReceiptID, LineItems: short } = await received(given, { LineItems });
    expect(short[0]).toMatchObject({ UnitAmount: 0.01, LineAmount: 10 });
    const query = { unitdp: "4" };
    const [long] = (await given.ok("POST", `/Receipts/${ReceiptID}`, { LineItems }, { query }))
      .Receipts;
    expect(long.LineItems[0]).toMatchObject({ UnitAmount: 0.0123, LineAmount: 12.3 });
  });

  test("receipts have the same fields in XML as in JSON, read and written", async () => {
    const given = await world();
    const [{ ContactID }, { UserID }] = [await contact(given), await userOf(given)];
    const xml =
      `<Receipts><Receipt><Date>2026-03-01</Date><Contact><ContactID>${ContactID}</ContactID></Contact>` +
      `<User><UserID>${UserID}</UserID></User><LineItems><LineItem><Description>Taxi</Description>` +
      "<Quantity>2</Quantity><UnitAmount>57.50</UnitAmount><AccountCode>400</AccountCode>" +
      "</LineItem></LineItems></Receipt></Receipts>";
    const headers = { accept: "text/xml", "content-type": "text/xml" };
    const made = await given.ask("PUT", "/Receipts", xml, { headers });
    expect(made.status).toBe(200);
    const id = /<ReceiptID>(.+?)<\/ReceiptID>/.exec(made.text)?.[1] ?? "";
    const { text } = await given.ask("GET", `/Receipts/${id}`, undefined, { headers });
    for (const each of [
      "<ReceiptNumber>1</ReceiptNumber>",
      `<UserID>${UserID}</UserID>`,
      "<LineAmountTypes>Inclusive</LineAmountTypes>",
      "<Total>115.00</Total>",
    ]) {
      expect(text).toContain(each);
    }
    expect((await read(given, id)).LineItems[0].UnitAmount).toBe(57.5);
  });
});

test("lock dates do not apply to receipts, which post nothing", async () => {
  const given = await world();
  await changeBook(given.book, { PeriodLockDate: "2026-02-28" });
  const { ReceiptID } = await received(given, { Date: "2026-01-10", Status: "SUBMITTED" });
  await edited(given, ReceiptID, { Status: "VOIDED" });
  expect(await movements(given)).toEqual({ Total: 0 });
  expect((await given.ok("GET", "/Journals")).Journals).toEqual([]);
  expect(await faultsIn(given)).toEqual([]);
});

test("receipts can be filtered, ordered and read with If-Modified-Since", async () => {
  const given = await world();
  await received(given, { Date: "2026-01-31" });
  const { ReceiptID, User } = await received(given, { Status: "SUBMITTED" });
  const listed = async (query: Record<string, string>, headers = {}) =>
    (await given.ok("GET", "/Receipts", undefined, { query, headers })).Receipts.map(
      (each: Json) => each.ReceiptNumber,
    );
  expect(await listed({ order: "Date DESC" })).toEqual(["2", "1"]);
  expect(await listed({ where: 'Status=="SUBMITTED"' })).toEqual(["2"]);
  expect(await listed({ where: "Date<DateTime(2026,2,1)" })).toEqual(["1"]);
  expect(await listed({ where: `User.UserID==Guid("${User.UserID}")`, order: "Date" })).toEqual([
    "1",
    "2",
  ]);
  given.now += 60_000;
  const since = new Date(given.now).toISOString();
  await edited(given, ReceiptID, { Reference: "x" });
  expect(await listed({}, { "if-modified-since": since })).toEqual(["2"]);
});

test("POST /Receipts and DELETE of a receipt are answered with 501", async () => {
  const given = await world();
  const { ReceiptID } = await received(given);
  expect((await given.ask("POST", "/Receipts", await spending(given))).status).toBe(501);
  expect((await given.ask("DELETE", `/Receipts/${ReceiptID}`)).status).toBe(501);
});

test("a receipt has a history, and notes and files can be added to it", async () => {
  const given = await world();
  const { ReceiptID } = await received(given);
  for (const fields of [{ Status: "SUBMITTED" }, { Reference: "x" }, { Status: "VOIDED" }]) {
    await edited(given, ReceiptID, fields);
  }
  await given.ok("PUT", `/Receipts/${ReceiptID}/History`, {
    HistoryRecords: [{ Details: "Rang" }],
  });
  const { HistoryRecords } = await given.ok("GET", `/Receipts/${ReceiptID}/History`);
  expect(HistoryRecords.map((each: Json) => each.Details)).toEqual([
    "Rang",
    "Receipt 1 was voided.",
    "Receipt 1 was edited.",
    "Receipt 1 was submitted for approval.",
    "Receipt 1 was created.",
  ]);
  await given.ok("PUT", `/Receipts/${ReceiptID}/Attachments/taxi.txt`, "57.50", {
    headers: { "content-type": "text/plain" },
  });
  expect((await read(given, ReceiptID)).HasAttachments).toBe(true);
});
