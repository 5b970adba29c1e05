/** Purchase orders: their states, their fields and limits, their numbers, and that they post nothing. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import {
  type AskOptions,
  contact,
  faultsIn,
  type Json,
  movements,
  stocked,
  type World,
  world,
} from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { testTransitions } from "./transitions.ts";

const line = { Description: "Clay", Quantity: 2, UnitAmount: 40, AccountCode: "300" };

async function order(given: World, fields: object = {}): Promise<object> {
  const { ContactID } = await contact(given);
  return { Contact: { ContactID }, Date: "2026-03-01", LineItems: [line], ...fields };
}

async function ordered(given: World, fields: object = {}, options?: AskOptions): Promise<Json> {
  const body = await order(given, fields);
  return (await given.ok("PUT", "/PurchaseOrders", body, options)).PurchaseOrders[0];
}

async function read(given: World, key: string): Promise<Json> {
  return (await given.ok("GET", `/PurchaseOrders/${key}`)).PurchaseOrders[0];
}

async function edited(given: World, key: string, fields: object): Promise<Json> {
  return (await given.ok("POST", `/PurchaseOrders/${key}`, fields)).PurchaseOrders[0];
}

const refusedEdit = (given: World, key: string, fields: object) =>
  given.refused("POST", `/PurchaseOrders/${key}`, fields);

const refusedOrder = async (given: World, fields: object, options?: AskOptions) =>
  given.refused("PUT", "/PurchaseOrders", await order(given, fields), options);

async function listed(given: World, query: Record<string, string>, headers = {}) {
  const { PurchaseOrders } = await given.ok("GET", "/PurchaseOrders", undefined, {
    query,
    headers,
  });
  return PurchaseOrders.map((each: Json) => each.PurchaseOrderNumber);
}

const states = ["DRAFT", "SUBMITTED", "AUTHORISED", "BILLED", "DELETED"] as const;
type State = (typeof states)[number];

async function inState(given: World, Status: State): Promise<Json> {
  if (Status !== "BILLED" && Status !== "DELETED") return ordered(given, { Status });
  const made = await ordered(given, { Status: Status === "BILLED" ? "AUTHORISED" : "DRAFT" });
  return edited(given, made.PurchaseOrderID, { Status });
}

describe("statuses of purchase orders", () => {
  const allowed: readonly (readonly [State, State])[] = [
    ["DRAFT", "DRAFT"],
    ["DRAFT", "SUBMITTED"],
    ["DRAFT", "AUTHORISED"],
    ["DRAFT", "DELETED"],
    ["SUBMITTED", "SUBMITTED"],
    ["SUBMITTED", "DRAFT"],
    ["SUBMITTED", "AUTHORISED"],
    ["SUBMITTED", "DELETED"],
    ["AUTHORISED", "AUTHORISED"],
    ["AUTHORISED", "BILLED"],
    ["AUTHORISED", "DELETED"],
    ["BILLED", "BILLED"],
    ["BILLED", "DELETED"],
  ];

  test.each(["DRAFT", "SUBMITTED", "AUTHORISED"])(
    "a purchase order created with the status %s has that status",
    async (Status) => {
      const given = await world();
      expect((await ordered(given, { Status })).Status).toBe(Status);
    },
  );

  test("a purchase order created without a status is a draft", async () => {
    expect((await ordered(await world())).Status).toBe("DRAFT");
  });

  test.each(["BILLED", "DELETED"])(
    "creating a purchase order with the status %s is refused",
    async (Status) => {
      expect(await refusedOrder(await world(), { Status })).toEqual([
        "PurchaseOrder status change is invalid",
      ]);
    },
  );

  testTransitions({
    states,
    allowed,
    inState: async (given, state) =>
      `/PurchaseOrders/${(await inState(given, state)).PurchaseOrderID}`,
    refusal: (from) => [
      from === "DELETED"
        ? "Deleted PurchaseOrders cannot be updated"
        : "PurchaseOrder status change is invalid",
    ],
  });

  test("a purchase order with an unknown status is refused", async () => {
    expect((await refusedOrder(await world(), { Status: "PAID" }))[0]).toMatch(
      /^Status must be one of DRAFT, SUBMITTED, AUTHORISED, BILLED, DELETED/,
    );
  });

  test("a deleted purchase order cannot be edited, by id or by number", async () => {
    const given = await world();
    const { PurchaseOrderID, PurchaseOrderNumber } = await inState(given, "DELETED");
    for (const key of [PurchaseOrderID, PurchaseOrderNumber]) {
      expect(await refusedEdit(given, key, { Reference: "x" })).toEqual([
        "Deleted PurchaseOrders cannot be updated",
      ]);
    }
  });

  test.each<[State, boolean]>([
    ["DRAFT", false],
    ["SUBMITTED", false],
    ["AUTHORISED", true],
    ["BILLED", true],
  ])("a purchase order with the status %s may be marked as sent: %s", async (state, may) => {
    const given = await world();
    const { PurchaseOrderID } = await inState(given, state);
    const sent = { SentToContact: true };
    if (may) {
      expect((await edited(given, PurchaseOrderID, sent)).SentToContact).toBe(true);
    } else {
      expect(await refusedEdit(given, PurchaseOrderID, sent)).toEqual([
        "Only AUTHORISED and BILLED purchase orders may have SentToContact updated.",
      ]);
    }
    expect((await read(given, PurchaseOrderID)).SentToContact).toBe(may);
  });
});

describe("numbers of purchase orders", () => {
  test("purchase orders have their own number series, which continues from a number that was sent", async () => {
    const given = await world();
    expect((await ordered(given)).PurchaseOrderNumber).toBe("PO-0001");
    await ordered(given, { PurchaseOrderNumber: "PO-0040" });
    await ordered(given, { PurchaseOrderNumber: "Kiln 7" });
    expect((await ordered(given)).PurchaseOrderNumber).toBe("PO-0041");
  });

  test("PUT with a purchase order number in use, in any letter case, is refused", async () => {
    const given = await world();
    await ordered(given);
    expect(await refusedOrder(given, { PurchaseOrderNumber: "po-0001" })).toEqual([
      "Order number must be unique",
    ]);
    const both = await order(given, { PurchaseOrderNumber: "X" });
    expect(
      await given.refused("PUT", "/PurchaseOrders", { PurchaseOrders: [both, both] }),
    ).toContain("Order number must be unique");
  });

  test("POST with the number of an existing purchase order updates it", async () => {
    const given = await world();
    const made = await ordered(given);
    const [after] = (
      await given.ok("POST", "/PurchaseOrders", {
        PurchaseOrderNumber: "PO-0001",
        Reference: "Spring",
      })
    ).PurchaseOrders;
    expect(after).toMatchObject({ PurchaseOrderID: made.PurchaseOrderID, Reference: "Spring" });
    expect(await listed(given, {})).toEqual(["PO-0001"]);
  });

  test.each(["PUT", "POST"])(
    "%s with the number of a deleted purchase order is refused with two faults",
    async (method) => {
      const given = await world();
      await inState(given, "DELETED");
      const body = await order(given, { PurchaseOrderNumber: "PO-0001" });
      const { status, json } = await given.ask(method, "/PurchaseOrders", body);
      expect(status).toBe(400);
      expect(json.Elements[0]).toMatchObject({
        PurchaseOrderID: "00000000-0000-0000-0000-000000000000",
        ValidationErrors: [
          { Message: "PurchaseOrder status change is invalid" },
          { Message: "Deleted PurchaseOrders cannot be updated" },
        ],
      });
    },
  );

  test("the number of a purchase order deleted in the same request is still in use, and never assigned again", async () => {
    const given = await world();
    const made = await ordered(given);
    const [deleted, made2] = (
      await given.ok(
        "POST",
        "/PurchaseOrders",
        {
          PurchaseOrders: [
            { PurchaseOrderID: made.PurchaseOrderID, Status: "DELETED" },
            await order(given),
          ],
        },
        { query: { SummarizeErrors: "false" } },
      )
    ).PurchaseOrders;
    expect([deleted.Status, made2.PurchaseOrderNumber]).toEqual(["DELETED", "PO-0002"]);
  });

  test("a purchase order's number can be changed to a free number, not to another order's", async () => {
    const given = await world();
    const { PurchaseOrderID } = await ordered(given);
    await ordered(given);
    const renumbered = await edited(given, PurchaseOrderID, { PurchaseOrderNumber: "PO-0009" });
    expect(renumbered.PurchaseOrderNumber).toBe("PO-0009");
    expect(await refusedEdit(given, PurchaseOrderID, { PurchaseOrderNumber: "PO-0002" })).toEqual([
      "Order number must be unique",
    ]);
  });
});

describe("the contact of a purchase order", () => {
  test("the contact of a purchase order is given by its id or its number", async () => {
    const given = await world();
    const { ContactID } = await contact(given, { Name: "Clay Supplies", ContactNumber: "S-1" });
    for (const Contact of [{ ContactID }, { ContactNumber: "s-1" }, { ContactID, Name: "Other" }]) {
      const made = await ordered(given, { Contact });
      expect(made.Contact).toMatchObject({ ContactID, Name: "Clay Supplies" });
    }
  });

  test.each<[object | undefined, string]>([
    [
      { Name: "Clay Supplies" },
      "The Contact of a purchase order is given by ContactID or ContactNumber; a Name alone is not enough.",
    ],
    [
      { Name: "Nobody" },
      "The Contact of a purchase order is given by ContactID or ContactNumber; a Name alone is not enough.",
    ],
    [{ ContactNumber: "S-9" }, "There is no active contact with the number S-9; create it first."],
    [
      { ContactID: "11111111-1111-1111-1111-111111111111" },
      "There is no active contact with the id 11111111-1111-1111-1111-111111111111; create it first.",
    ],
    [
      {},
      "The Contact must contain at least 1 of the following elements to identify the contact: Name, ContactID, ContactNumber",
    ],
    [undefined, "A Contact must be specified for this type of transaction"],
  ])(
    "a purchase order with the contact %j is refused, and no contact is created",
    async (Contact, sentence) => {
      const given = await world();
      await contact(given, { Name: "Clay Supplies", ContactNumber: "S-1" });
      const before = (await given.ok("GET", "/Contacts")).Contacts.length;
      const body = { Contact, Date: "2026-03-01", LineItems: [line] };
      expect(await given.refused("PUT", "/PurchaseOrders", body)).toEqual([sentence]);
      expect((await given.ok("GET", "/Contacts")).Contacts).toHaveLength(before);
    },
  );

  test("an edit without a contact keeps the order's contact, and does not mark it as a supplier", async () => {
    const given = await world();
    const { PurchaseOrderID, Contact } = await ordered(given, { Status: "AUTHORISED" });
    const after = await edited(given, PurchaseOrderID, { Reference: "x" });
    expect(after.Contact.ContactID).toBe(Contact.ContactID);
    const [read] = (await given.ok("GET", `/Contacts/${Contact.ContactID}`)).Contacts;
    expect(read.IsSupplier).toBe(false);
  });
});

describe("fields of a purchase order", () => {
  const fields = {
    DeliveryDate: "2026-03-20",
    ExpectedArrivalDate: "2026-03-19",
    Reference: "R-1",
    DeliveryAddress: "4 Heron Lane\nWellington 6011",
    AttentionTo: "Tess",
    Telephone: "+64 4 555 0142",
    DeliveryInstructions: "Ring the bell",
    LineAmountTypes: "Inclusive",
  };

  test("fields of a purchase order are stored as sent, and may be cleared", async () => {
    const given = await world();
    const [{ BrandingThemeID }] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
    const made = await ordered(given, { ...fields, BrandingThemeID });
    const { DeliveryDate, ExpectedArrivalDate, ...texts } = fields;
    expect(await read(given, made.PurchaseOrderID)).toMatchObject({
      ...texts,
      BrandingThemeID,
      Type: "PURCHASEORDER",
      DateString: "2026-03-01T00:00:00",
      DeliveryDateString: `${DeliveryDate}T00:00:00`,
      ExpectedArrivalDateString: `${ExpectedArrivalDate}T00:00:00`,
      CurrencyCode: "NZD",
      CurrencyRate: 1,
      IsDiscounted: false,
      HasAttachments: false,
      SentToContact: false,
      SubTotal: 69.57,
      TotalTax: 10.43,
      Total: 80,
    });
    const cleared = await edited(given, made.PurchaseOrderID, {
      DeliveryDate: null,
      AttentionTo: "",
    });
    expect(cleared.DeliveryDateString).toBeUndefined();
    expect(cleared.AttentionTo).toBeUndefined();
    expect(cleared.Telephone).toBe(fields.Telephone);
  });

  test("a purchase order without a date gets today's date in the organisation's time zone", async () => {
    const given = await world("US");
    given.now = Date.UTC(2026, 2, 1, 3);
    const { DateString } = await ordered(given, {
      Date: undefined,
      LineItems: [{ Description: "x" }],
    });
    expect(DateString).toBe("2026-02-28T00:00:00");
  });

  test.each([
    ["DeliveryInstructions", 500],
    ["PurchaseOrderNumber", 255],
    ["Reference", 255],
    ["AttentionTo", 255],
    ["Telephone", 255],
    ["DeliveryAddress", 2000],
  ])("the purchase order field %s accepts at most %i characters", async (name, max) => {
    const given = await world();
    expect((await ordered(given, { [name]: "x".repeat(max) }))[name]).toHaveLength(max);
    expect(await refusedOrder(given, { [name]: "y".repeat(max + 1) })).toEqual([
      `${name} may have at most ${max} characters, not ${max + 1}.`,
    ]);
  });

  test.each([
    ["Date", "2026-02-30"],
    ["DeliveryDate", "soon"],
    ["ExpectedArrivalDate", "31/12/2026"],
    ["CurrencyCode", "QQQ"],
    ["LineAmountTypes", "Gross"],
    ["BrandingThemeID", "Standard"],
    ["SentToContact", "perhaps"],
  ])("the purchase order field %s refuses the value %s", async (name, value) => {
    const [sentence] = await refusedOrder(await world(), { [name]: value });
    expect(sentence).toContain(name);
    expect(sentence).toContain(value);
  });

  test("read-only fields and fields of other documents sent with a purchase order are ignored", async () => {
    const given = await world();
    const made = await ordered(given, { Type: "NONSENSE", Total: 5, AmountDue: 7 });
    expect(made).toMatchObject({ Type: "PURCHASEORDER", Total: 92 });
    for (const name of ["AmountDue", "AmountPaid", "AmountCredited", "Payments", "DueDate"]) {
      expect(made).not.toHaveProperty(name);
    }
  });

  test("a purchase order in XML has an element for each of its fields", async () => {
    const given = await world();
    const { ContactID } = await contact(given);
    const body = `<PurchaseOrders><PurchaseOrder>
      <Contact><ContactID>${ContactID}</ContactID></Contact><Date>2026-03-01</Date>
      <DeliveryDate>2026-03-20T00:00:00</DeliveryDate><AttentionTo>Tess</AttentionTo>
      <LineItems><LineItem><Description>Clay</Description><Quantity>3</Quantity>
        <UnitAmount>1.23456</UnitAmount><DiscountRate>10</DiscountRate></LineItem></LineItems>
      </PurchaseOrder></PurchaseOrders>`;
    const { status, text } = await given.ask("PUT", "/PurchaseOrders", body, {
      headers: { accept: "text/xml", "content-type": "text/xml" },
    });
    expect(status).toBe(200);
    for (const part of [
      "<PurchaseOrders><PurchaseOrder>",
      "<PurchaseOrderNumber>PO-0001</PurchaseOrderNumber>",
      "<DeliveryDate>2026-03-20T00:00:00</DeliveryDate>",
      "<Type>PURCHASEORDER</Type>",
      "<UnitAmount>1.2346</UnitAmount>",
      "<LineAmount>3.33</LineAmount>",
      "<IsDiscounted>true</IsDiscounted>",
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe("lines of a purchase order", () => {
  const lines = (...LineItems: object[]) => ({ LineItems });

  test("purchase order lines round unit amounts to four decimals, whatever unitdp says, and amounts to two", async () => {
    const given = await world();
    for (const unitdp of ["", "2", "4"]) {
      const query = { unitdp };
      const { PurchaseOrderID, ...made } = await ordered(
        given,
        lines({ Description: "Nails", Quantity: 1000, UnitAmount: 0.01236 }),
        { query },
      );
      const { text } = await given.ask("GET", `/PurchaseOrders/${PurchaseOrderID}`, undefined, {
        query,
      });
      expect(text).toContain('"UnitAmount":0.0124,');
      expect(made).toMatchObject({ SubTotal: 12.4 });
    }
  });

  test("purchase order lines may have a discount, and the order shows the sum of discounts", async () => {
    const given = await world();
    const made = await ordered(given, lines({ ...line, DiscountRate: 12.5 }));
    expect(made).toMatchObject({
      IsDiscounted: true,
      TotalDiscount: 10,
      SubTotal: 70,
      TotalTax: 10.5,
      LineItems: [{ LineAmount: 70, DiscountRate: 12.5 }],
    });
  });

  test("a purchase order line with a quantity needs a unit amount, its own or its item's", async () => {
    const given = await world();
    const sentence = "UnitAmount is required on a line that has a Quantity.";
    for (const each of [
      { Description: "Clay", Quantity: 2 },
      { Description: "Clay", Quantity: 2, LineAmount: 80 },
    ]) {
      expect(await refusedOrder(given, lines(each))).toEqual([sentence]);
    }
    expect(await refusedOrder(given, lines(line, { Description: "Clay", Quantity: 2 }))).toEqual([
      `${sentence} (line 2)`,
    ]);
    await given.ok("PUT", "/Items", {
      Code: "GLAZE",
      PurchaseDetails: { UnitPrice: 12, AccountCode: "300" },
    });
    const made = await ordered(given, lines({ ItemCode: "GLAZE", Quantity: 2 }));
    expect(made.LineItems[0]).toMatchObject({ UnitAmount: 12, LineAmount: 24, AccountCode: "300" });
  });

  test("a purchase order line may have only a description, even when the order is approved", async () => {
    const given = await world();
    const made = await ordered(given, {
      Status: "AUTHORISED",
      ...lines({ Description: "As discussed" }, { ...line, AccountCode: undefined }),
    });
    expect(made).toMatchObject({ Status: "AUTHORISED", SubTotal: 80 });
  });

  test.each<[string, object, RegExp]>([
    ["no lines", lines(), /^One or more line items must be specified$/],
    ["no list of lines", { LineItems: undefined }, /^One or more line items must be specified$/],
    ["an unknown account", lines({ ...line, AccountCode: "9999" }), /'9999' is not a valid/],
    ["an unknown item", lines({ ...line, ItemCode: "NO" }), /no item with code 'NO'/],
    ["a tax type of sales", lines({ ...line, TaxType: "OUTPUT2" }), /'OUTPUT2' cannot be used/],
    [
      "three tracking categories",
      lines({ ...line, Tracking: [1, 2, 3].map((n) => ({ Name: `C${n}`, Option: "x" })) }),
      /at most 2 entries/,
    ],
    ["a long description", lines({ Description: "x".repeat(4001) }), /at most 4000 characters/],
    ["a long quantity", lines({ ...line, Quantity: "12345678901234" }), /Quantity/],
    [
      "an amount beyond the largest",
      lines({ ...line, Quantity: 1e6, UnitAmount: 1e6 }),
      /9999999999\.99/,
    ],
    ["a discount above 100 %", lines({ ...line, DiscountRate: 101 }), /[Dd]iscount/],
  ])("a purchase order with %s is refused", async (_name, fields, sentence) => {
    expect((await refusedOrder(await world(), fields))[0]).toMatch(sentence);
  });

  test("purchase order lines sent with their id are updated, lines without are created, lines left out are deleted", async () => {
    const given = await world();
    const made = await ordered(given, lines(line, { ...line, Description: "Glaze" }));
    const [first, second] = made.LineItems;
    const after = await edited(
      given,
      made.PurchaseOrderID,
      lines({ LineItemID: second.LineItemID, Quantity: 3 }, { ...line, Description: "New" }),
    );
    expect(
      after.LineItems.map((each: Json) => [each.LineItemID, each.Description, each.LineAmount]),
    ).toEqual([
      [second.LineItemID, "Glaze", 120],
      [expect.any(String), "New", 80],
    ]);
    expect(after.LineItems[1].LineItemID).not.toBe(first.LineItemID);
    expect((await read(given, "PO-0001")).LineItems).toEqual(after.LineItems);
    expect(after).toMatchObject({ SubTotal: 200, TotalTax: 30, Total: 230 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an edit without lines keeps the purchase order's lines; lines of an approved order can be replaced", async () => {
    const given = await world();
    const { PurchaseOrderID } = await ordered(given, { Status: "AUTHORISED" });
    expect((await edited(given, PurchaseOrderID, { Reference: "x" })).LineItems).toHaveLength(1);
    const after = await edited(given, PurchaseOrderID, lines({ ...line, UnitAmount: 50 }));
    expect(after).toMatchObject({ Status: "AUTHORISED", SubTotal: 100 });
  });
});

describe("purchase orders and the ledger", () => {
  test("a purchase order in any status has no journals and no stock moves", async () => {
    const given = await world();
    await stocked(given, "MUG", 10, 4);
    const before = [await movements(given), (await given.ok("GET", "/Journals")).Journals];
    const { PurchaseOrderID } = await ordered(given, {
      Status: "AUTHORISED",
      LineItems: [line, { ItemCode: "MUG", Quantity: 5, UnitAmount: 4 }],
    });
    await edited(given, PurchaseOrderID, { LineItems: [line] });
    await edited(given, PurchaseOrderID, { Status: "BILLED" });
    await edited(given, PurchaseOrderID, { Status: "DELETED" });
    expect([await movements(given), (await given.ok("GET", "/Journals")).Journals]).toEqual(before);
    const [item] = (await given.ok("GET", "/Items/MUG")).Items;
    expect(item.QuantityOnHand).toBe(10);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("lock dates do not apply to purchase orders, which post nothing", async () => {
    const given = await world();
    await changeBook(given.book, { PeriodLockDate: "2026-02-28" });
    const { PurchaseOrderID } = await ordered(given, { Date: "2026-01-10", Status: "AUTHORISED" });
    await edited(given, PurchaseOrderID, { Date: "2026-01-11" });
    expect((await edited(given, PurchaseOrderID, { Status: "DELETED" })).Status).toBe("DELETED");
  });

  test("a purchase order in a foreign currency has no journals", async () => {
    const given = await world();
    const foreign = { CurrencyCode: "USD", CurrencyRate: 0.6, Status: "AUTHORISED" };
    expect(await refusedOrder(given, foreign)).toEqual([
      "Users Organisation is not subscribed to currency USD",
    ]);
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    expect(await ordered(given, foreign)).toMatchObject({ ...foreign, Total: 92 });
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a payment of a purchase order is refused", async () => {
    const given = await world();
    const { PurchaseOrderID } = await ordered(given, { Status: "AUTHORISED" });
    const { status } = await given.ask("PUT", "/Payments", {
      Invoice: { InvoiceID: PurchaseOrderID },
      Account: { Code: "090" },
      Date: "2026-03-10",
      Amount: 1,
    });
    expect(status).toBe(400);
  });
});

describe("lists of purchase orders", () => {
  async function prepared(): Promise<World> {
    const given = await world();
    await ordered(given, { Date: "2026-01-31" });
    await ordered(given, { Date: "2026-02-01", Status: "SUBMITTED" });
    await ordered(given, { Date: "2026-02-28", Status: "AUTHORISED" });
    await ordered(given, { Date: "2026-03-01", Status: "AUTHORISED" });
    return given;
  }

  test.each<[Record<string, string>, number[]]>([
    [{ status: "AUTHORISED" }, [3, 4]],
    [{ Status: "draft,SUBMITTED" }, [1, 2]],
    [{ DateFrom: "2026-02-01" }, [2, 3, 4]],
    [{ DateTo: "2026-02-28" }, [1, 2, 3]],
    [{ dateFrom: "2026-02-01", dateTo: "2026-02-28T00:00:00" }, [2, 3]],
    [{ DateFrom: "2026-02-01", status: "AUTHORISED", order: "Date DESC" }, [4, 3]],
    [{ order: "PurchaseOrderNumber DESC" }, [4, 3, 2, 1]],
    [{ DateFrom: "", status: "" }, [1, 2, 3, 4]],
    [{ where: 'Status=="AUTHORISED"' }, [3, 4]],
    [{ page: "2" }, []],
    [{ page: "2", pageSize: "3" }, [4]],
  ])("the list of purchase orders is filtered by %j", async (query, numbers) => {
    expect(await listed(await prepared(), query)).toEqual(numbers.map((n) => `PO-000${n}`));
  });

  test("an invalid date in the filter of purchase orders is refused", async () => {
    const given = await world();
    expect(
      await given.refused("GET", "/PurchaseOrders", undefined, { query: { DateTo: "31/12/26" } }),
    ).toEqual(["The parameter DateTo must be a date, YYYY-MM-DD, not '31/12/26'."]);
  });

  test("purchase orders are listed with their lines in pages of a hundred, even without the page parameter", async () => {
    const given = await world();
    const { ContactID } = await contact(given);
    const PurchaseOrders = Array.from({ length: 101 }, () => ({
      Contact: { ContactID },
      LineItems: [line],
    }));
    await given.ok("PUT", "/PurchaseOrders", { PurchaseOrders });
    const first = await given.ok("GET", "/PurchaseOrders");
    expect(first.PurchaseOrders).toHaveLength(100);
    expect(first.PurchaseOrders[0].LineItems).toHaveLength(1);
    expect(first.pagination).toEqual({ page: 1, pageSize: 100, pageCount: 2, itemCount: 101 });
    expect(await listed(given, { page: "2" })).toEqual(["PO-0101"]);
  });

  test("If-Modified-Since lists purchase orders changed since, including deleted ones", async () => {
    const given = await prepared();
    given.now += 60_000;
    const since = new Date(given.now).toISOString().slice(0, 19);
    await edited(given, "PO-0002", { Status: "DELETED" });
    expect(await listed(given, {}, { "if-modified-since": since })).toEqual(["PO-0002"]);
  });
});

describe("history, PDF and files of a purchase order", () => {
  test("the history of a purchase order lists changes and notes", async () => {
    const given = await world();
    const { PurchaseOrderID } = await ordered(given, { Status: "SUBMITTED" });
    for (const fields of [
      { Reference: "x" },
      { Status: "DRAFT" },
      { Status: "AUTHORISED" },
      { Status: "BILLED" },
      { Status: "DELETED" },
    ]) {
      await edited(given, PurchaseOrderID, fields);
    }
    const path = `/PurchaseOrders/${PurchaseOrderID}/History`;
    await given.ok("PUT", path, { HistoryRecords: [{ Details: "Rang them" }] });
    const records = (await given.ok("GET", path)).HistoryRecords;
    expect(records.map(({ Changes, Details }: Json) => `${Changes}: ${Details}`).reverse()).toEqual(
      expect.arrayContaining([
        "Created: Purchase order PO-0001 was created.",
        "Submitted: Purchase order PO-0001 was submitted for approval.",
        "Edited: Purchase order PO-0001 was edited.",
        "Updated: Purchase order PO-0001 is a draft again.",
        "Approved: Purchase order PO-0001 was approved.",
        "Billed: Purchase order PO-0001 was marked as billed.",
        "Deleted: Purchase order PO-0001 was deleted.",
        "Note: Rang them",
      ]),
    );
  });

  test("the PDF of a purchase order has the delivery address", async () => {
    const given = await world();
    await ordered(given, {
      Status: "AUTHORISED",
      DeliveryAddress: "4 Heron Lane\nWellington",
      AttentionTo: "Tess",
      DeliveryInstructions: "Ring the bell",
    });
    for (const [path, headers] of [
      ["/PurchaseOrders/PO-0001", { accept: "application/pdf" }],
      ["/PurchaseOrders/PO-0001/pdf", {}],
    ] as const) {
      const { body } = await given.book.transport({ method: "GET", path, query: [], headers });
      const shown = readPdf(Buffer.from(body as Uint8Array)).pages.flat();
      for (const each of ["Purchase order", "PO-0001", "Deliver to", "Tess", "4 Heron Lane"]) {
        expect(shown).toContain(each);
      }
    }
  });

  test("a file attached to a purchase order is stored, and the order has HasAttachments", async () => {
    const given = await world();
    const { PurchaseOrderID } = await ordered(given);
    const path = `/PurchaseOrders/${PurchaseOrderID}/Attachments`;
    await given.ok("PUT", `${path}/quote.txt`, "From the supplier", {
      headers: { "content-type": "text/plain" },
    });
    expect((await given.ok("GET", path)).Attachments).toMatchObject([{ FileName: "quote.txt" }]);
    expect((await read(given, PurchaseOrderID)).HasAttachments).toBe(true);
  });

  test("with SummarizeErrors=false the valid purchase orders of a batch are stored", async () => {
    const given = await world();
    const good = await order(given);
    const bad = await order(given, { LineItems: [] });
    const { PurchaseOrders } = await given.ok(
      "PUT",
      "/PurchaseOrders",
      { PurchaseOrders: [bad, good] },
      { query: { SummarizeErrors: "false" } },
    );
    expect(PurchaseOrders.map((each: Json) => each.StatusAttributeString)).toEqual(["ERROR", "OK"]);
    expect(await listed(given, {})).toEqual(["PO-0001"]);
    expect(
      (await given.ask("PUT", "/PurchaseOrders", { PurchaseOrders: [bad, good] })).status,
    ).toBe(400);
    expect(await listed(given, {})).toEqual(["PO-0001"]);
  });

  test("an unknown purchase order is answered as not found", async () => {
    const given = await world();
    expect((await given.ask("GET", "/PurchaseOrders/PO-0009")).status).toBe(404);
    expect((await given.ask("POST", "/PurchaseOrders/PO-0009", { Reference: "x" })).status).toBe(
      404,
    );
    expect((await given.ask("DELETE", "/PurchaseOrders/PO-0009")).status).toBe(501);
  });
});
