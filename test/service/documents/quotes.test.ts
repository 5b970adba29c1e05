/** Quotes: their states, their fields and limits, their numbers, and that they post nothing. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { contact, faultsIn, type Json, movements, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { testTransitions } from "./transitions.ts";

const line = { Description: "Table", Quantity: 2, UnitAmount: 50, AccountCode: "200" };

async function offer(given: World, fields: object = {}): Promise<object> {
  const { ContactID } = await contact(given);
  return { Contact: { ContactID }, Date: "2026-03-01", LineItems: [line], ...fields };
}

async function quoted(given: World, fields: object = {}): Promise<Json> {
  return (await given.ok("PUT", "/Quotes", await offer(given, fields))).Quotes[0];
}

async function read(given: World, key: string): Promise<Json> {
  return (await given.ok("GET", `/Quotes/${key}`)).Quotes[0];
}

async function edited(given: World, key: string, fields: object): Promise<Json> {
  return (await given.ok("POST", `/Quotes/${key}`, fields)).Quotes[0];
}

const refusedQuote = async (given: World, fields: object) =>
  given.refused("PUT", "/Quotes", await offer(given, fields));

const states = ["DRAFT", "SENT", "DECLINED", "ACCEPTED", "INVOICED", "DELETED"] as const;
type State = (typeof states)[number];

async function inState(given: World, Status: State): Promise<Json> {
  if (Status === "DRAFT" || Status === "SENT") return quoted(given, { Status });
  const { QuoteID } = await quoted(given, { Status: Status === "DELETED" ? "DRAFT" : "SENT" });
  return edited(given, QuoteID, { Status });
}

describe("statuses of quotes", () => {
  const allowed: readonly (readonly [State, State])[] = [
    ["DRAFT", "DRAFT"],
    ["DRAFT", "SENT"],
    ["DRAFT", "DELETED"],
    ["SENT", "SENT"],
    ["SENT", "DRAFT"],
    ["SENT", "ACCEPTED"],
    ["SENT", "DECLINED"],
    ["SENT", "INVOICED"],
    ["SENT", "DELETED"],
    ["DECLINED", "DECLINED"],
    ["DECLINED", "DRAFT"],
    ["DECLINED", "SENT"],
    ["DECLINED", "ACCEPTED"],
    ["DECLINED", "DELETED"],
    ["ACCEPTED", "ACCEPTED"],
    ["ACCEPTED", "SENT"],
    ["ACCEPTED", "DECLINED"],
    ["ACCEPTED", "INVOICED"],
    ["ACCEPTED", "DELETED"],
    ["INVOICED", "INVOICED"],
  ];

  test("a quote created with a status has that status, and without one it is a draft", async () => {
    const given = await world();
    expect((await quoted(given)).Status).toBe("DRAFT");
    expect((await quoted(given, { Status: "SENT" })).Status).toBe("SENT");
  });

  test.each(["DECLINED", "ACCEPTED", "INVOICED", "DELETED"])(
    "creating a quote with %s is refused",
    async (Status) => {
      expect(await refusedQuote(await world(), { Status })).toEqual([
        "Quote not of valid status for creation",
      ]);
    },
  );

  testTransitions({
    states,
    allowed,
    inState: async (given, state) => `/Quotes/${(await inState(given, state)).QuoteID}`,
    refusal: (from, to) => [
      from === "DELETED"
        ? "Quote not of valid status for modification"
        : `The status ${to} cannot be applied to a quote that is ${from}.`,
    ],
  });

  test("a deleted quote cannot be edited", async () => {
    const given = await world();
    const { QuoteID } = await inState(given, "DELETED");
    expect(await given.refused("POST", `/Quotes/${QuoteID}`, { Title: "x" })).toEqual([
      "Quote not of valid status for modification",
    ]);
  });
});

describe("numbers of quotes", () => {
  test("quotes have their own number series", async () => {
    const given = await world();
    expect((await quoted(given)).QuoteNumber).toBe("QU-0001");
    await quoted(given, { QuoteNumber: "QU-0020" });
    expect((await quoted(given)).QuoteNumber).toBe("QU-0021");
  });

  test("quote numbers are unique among quotes that are not deleted", async () => {
    const given = await world();
    const { QuoteID } = await quoted(given);
    expect(await refusedQuote(given, { QuoteNumber: "qu-0001" })).toEqual([
      "Quote number must be unique",
    ]);
    await edited(given, QuoteID, { Status: "DELETED" });
    const again = await quoted(given, { QuoteNumber: "QU-0001" });
    expect((await read(given, "QU-0001")).QuoteID).toBe(again.QuoteID);
  });

  test("POST with the number of an existing quote updates it", async () => {
    const given = await world();
    const { QuoteID } = await quoted(given);
    const body = { QuoteNumber: "QU-0001", Title: "Spring" };
    const [after] = (await given.ok("POST", "/Quotes", body)).Quotes;
    expect(after).toMatchObject({ QuoteID, Title: "Spring" });
  });
});

describe("fields of a quote", () => {
  test("fields of a quote are stored as sent", async () => {
    const given = await world();
    const fields = {
      Title: "A table",
      Summary: "Of oak,\nwith two drawers",
      Terms: "Half in advance",
      Reference: "Visit in May",
    };
    const { QuoteID } = await quoted(given, { ...fields, ExpiryDate: "2026-04-01" });
    const shown = await read(given, QuoteID);
    expect(shown).toMatchObject({
      ...fields,
      DateString: "2026-03-01T00:00:00",
      ExpiryDateString: "2026-04-01T00:00:00",
      CurrencyCode: "NZD",
      SubTotal: 100,
      TotalTax: 15,
      Total: 115,
      HasAttachments: false,
    });
    for (const name of ["Type", "AmountDue", "AmountPaid", "SentToContact"]) {
      expect(shown).not.toHaveProperty(name);
    }
  });

  test.each([
    ["QuoteNumber", 255],
    ["Title", 100],
    ["Summary", 3000],
    ["Terms", 4000],
    ["Reference", 4000],
  ])("the quote field %s accepts at most %i characters", async (name, max) => {
    const given = await world();
    expect((await quoted(given, { [name]: "x".repeat(max) }))[name]).toHaveLength(max);
    expect(await refusedQuote(given, { [name]: "y".repeat(max + 1) })).toEqual([
      `${name} may have at most ${max} characters, not ${max + 1}.`,
    ]);
  });

  test.each([
    [undefined, "EXCLUSIVE", [100, 15, 115]],
    ["EXCLUSIVE", "EXCLUSIVE", [100, 15, 115]],
    ["inclusive", "INCLUSIVE", [86.96, 13.04, 100]],
    ["NoTax", "NOTAX", [100, 0, 100]],
  ])(
    "a quote sent with LineAmountTypes %s has %s, in JSON and in XML",
    async (sent, shown, sums) => {
      const given = await world();
      const made = await quoted(given, { LineAmountTypes: sent });
      expect([made.LineAmountTypes, made.SubTotal, made.TotalTax, made.Total]).toEqual([
        shown,
        ...sums,
      ]);
      expect((await read(given, made.QuoteID)).LineAmountTypes).toBe(shown);
      const { text } = await given.ask("GET", `/Quotes/${made.QuoteID}`, undefined, {
        headers: { accept: "text/xml" },
      });
      expect(text).toContain(`<LineAmountTypes>${shown}</LineAmountTypes>`);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test.each([
    ["ExpiryDate", "2026-02-30"],
    ["Status", "PAID"],
  ])("the quote field %s refuses the value %s", async (name, value) => {
    expect((await refusedQuote(await world(), { [name]: value }))[0]).toContain(value);
  });

  test("a quote with unknown LineAmountTypes is refused, and the message lists those of quotes", async () => {
    expect(await refusedQuote(await world(), { LineAmountTypes: "GROSS" })).toEqual([
      "LineAmountTypes must be one of EXCLUSIVE, INCLUSIVE, NOTAX, not 'GROSS'.",
    ]);
  });

  test("the contact of a quote is found by its name, and is never created", async () => {
    const given = await world();
    await contact(given, { Name: "Acme" });
    expect((await quoted(given, { Contact: { Name: "acme" } })).Contact.Name).toBe("Acme");
    expect(await refusedQuote(given, { Contact: { Name: "Nobody" } })).toEqual([
      "There is no active contact with the name Nobody; create it first.",
    ]);
    expect(await given.refused("PUT", "/Quotes", { LineItems: [line] })).toEqual([
      "A Contact must be specified for this type of transaction",
    ]);
  });

  test("quote lines may have discounts, and take the sales prices of their items", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", {
      Code: "VASE",
      SalesDetails: { UnitPrice: 118, AccountCode: "200" },
    });
    const made = await quoted(given, {
      LineItems: [{ ItemCode: "VASE", Quantity: 2, DiscountRate: 50 }],
    });
    expect(made).toMatchObject({
      IsDiscounted: true,
      TotalDiscount: 118,
      SubTotal: 118,
      LineItems: [{ UnitAmount: 118, LineAmount: 118, AccountCode: "200" }],
    });
  });

  test("quote lines sent with their id are updated, lines without are created, and lines left out are deleted", async () => {
    const given = await world();
    const made = await quoted(given, { LineItems: [line, { ...line, Description: "Chair" }] });
    const chair = { LineItemID: made.LineItems[1].LineItemID, Quantity: 4 };
    const after = await edited(given, made.QuoteID, { LineItems: [chair, line] });
    expect(after.LineItems.map((each: Json) => [each.Description, each.LineAmount])).toEqual([
      ["Chair", 200],
      ["Table", 100],
    ]);
    expect(after.LineItems[0].LineItemID).toBe(chair.LineItemID);
  });

  test("quote unit amounts have two decimals, or four with unitdp=4", async () => {
    const given = await world();
    const LineItems = [{ Description: "Nails", Quantity: 1000, UnitAmount: 0.0123 }];
    const { QuoteID, LineItems: short } = await quoted(given, { LineItems });
    expect(short[0]).toMatchObject({ UnitAmount: 0.01, LineAmount: 10 });
    const query = { unitdp: "4" };
    const body = { LineItems };
    const [long] = (await given.ok("POST", `/Quotes/${QuoteID}`, body, { query })).Quotes;
    expect(long.LineItems[0]).toMatchObject({ UnitAmount: 0.0123, LineAmount: 12.3 });
  });
});

test("lock dates do not apply to quotes, which post nothing", async () => {
  const given = await world();
  await changeBook(given.book, { PeriodLockDate: "2026-02-28" });
  const { QuoteID } = await quoted(given, { Date: "2026-01-10", Status: "SENT" });
  for (const Status of ["ACCEPTED", "INVOICED"]) await edited(given, QuoteID, { Status });
  expect(await movements(given)).toEqual({ Total: 0 });
  expect((await given.ok("GET", "/Journals")).Journals).toEqual([]);
  expect(await faultsIn(given)).toEqual([]);
});

describe("lists of quotes", () => {
  test("quotes are filtered by each parameter of the list", async () => {
    const given = await world();
    const acme = { ContactID: (await contact(given)).ContactID };
    await quoted(given, { Date: "2026-01-31", ExpiryDate: "2026-02-28" });
    await quoted(given, { Date: "2026-02-01", ExpiryDate: "2026-03-31", Contact: acme });
    await quoted(given, { Date: "2026-03-01", Status: "SENT", Contact: acme });
    const listed = async (query: Record<string, string>, headers = {}) =>
      (await given.ok("GET", "/Quotes", undefined, { query, headers })).Quotes.map((each: Json) =>
        Number(each.QuoteNumber.slice(-1)),
      );
    expect(await listed({})).toEqual([1, 2, 3]);
    expect(await listed({ Status: "SENT" })).toEqual([3]);
    expect(await listed({ ContactID: acme.ContactID })).toEqual([2, 3]);
    expect(await listed({ QuoteNumber: "qu-0002" })).toEqual([2]);
    expect(await listed({ DateFrom: "2026-02-01", DateTo: "2026-02-01" })).toEqual([2]);
    expect(await listed({ ExpiryDateFrom: "2026-03-01" })).toEqual([2]);
    expect(await listed({ ExpiryDateTo: "2026-03-31" })).toEqual([1, 2]);
    expect(await listed({ order: "Date DESC" })).toEqual([3, 2, 1]);
    expect(await listed({ page: "2" })).toEqual([]);
    given.now += 60_000;
    const since = new Date(given.now).toISOString();
    await edited(given, "QU-0001", { Title: "x" });
    expect(await listed({}, { "if-modified-since": since })).toEqual([1]);
  });
});

describe("history, PDF and files of a quote", () => {
  test("a quote has a history, and notes and files can be added to it", async () => {
    const given = await world();
    const { QuoteID } = await quoted(given);
    for (const Status of ["SENT", "DECLINED", "ACCEPTED", "INVOICED"]) {
      await edited(given, QuoteID, { Status });
    }
    await given.ok("PUT", `/Quotes/${QuoteID}/History`, { HistoryRecords: [{ Details: "Rang" }] });
    const { HistoryRecords } = await given.ok("GET", `/Quotes/${QuoteID}/History`);
    expect(HistoryRecords.map((each: Json) => each.Details)).toEqual([
      "Rang",
      "Quote QU-0001 was marked as invoiced.",
      "Quote QU-0001 was marked as accepted.",
      "Quote QU-0001 was marked as declined.",
      "Quote QU-0001 was marked as sent.",
      "Quote QU-0001 was created.",
    ]);
    await given.ok("PUT", `/Quotes/${QuoteID}/Attachments/plan.txt`, "Oak", {
      headers: { "content-type": "text/plain" },
    });
    expect((await read(given, QuoteID)).HasAttachments).toBe(true);
  });

  test("the PDF of a quote has the expiry date and the terms", async () => {
    const given = await world();
    await quoted(given, { Title: "A table", Terms: "Half in advance", ExpiryDate: "2026-04-01" });
    const { body } = await given.book.transport({
      method: "GET",
      path: "/Quotes/QU-0001",
      query: [],
      headers: { accept: "application/pdf" },
    });
    const shown = readPdf(Buffer.from(body as Uint8Array)).pages.flat();
    for (const each of ["Quote", "QU-0001", "A table", "Valid until", "1 Apr 2026", "Terms"]) {
      expect(shown).toContain(each);
    }
  });
});
