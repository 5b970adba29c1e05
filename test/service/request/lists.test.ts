/** What a list may be asked: conditions, orders, pages, times, and every named parameter. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, paid, sale, type World, world } from "../fixture.ts";

const bill = {
  Type: "ACCPAY",
  LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "429" }],
};

/** Seven invoices: INV-0001 draft, -0002 submitted, -0003 approved, -0004 void, -0005 deleted, -0006 paid, and bill B-1. */
async function prepared(): Promise<{
  given: World;
  ada: Json;
  bo: Json;
  made: Record<string, Json>;
}> {
  const given = await world();
  const ada = await contact(given, { Name: "Ada", ContactNumber: "A1" });
  const bo = await contact(given, { Name: "Bö Kiln" });
  const made: Record<string, Json> = {};
  const add = async (party: Json, fields: object) => {
    const [each] = (await given.ok("PUT", "/Invoices", sale(party, fields))).Invoices;
    made[each.InvoiceNumber] = each;
    return each;
  };
  await add(ada, { Reference: "Spring kiln" });
  await add(ada, { Status: "SUBMITTED", Date: "2026-02-01", DueDate: "2026-02-20" });
  await add(bo, { Status: "AUTHORISED", Reference: "kiln 2" });
  const voided = await add(bo, { Status: "AUTHORISED" });
  const deleted = await add(bo, {});
  const settled = await add(ada, {
    Status: "AUTHORISED",
    LineItems: [{ Description: "x", Quantity: 2, UnitAmount: 300, AccountCode: "200" }],
  });
  await add(bo, { ...bill, InvoiceNumber: "B-1", Status: "AUTHORISED" });
  await given.ok("POST", `/Invoices/${voided.InvoiceID}`, { Status: "VOIDED" });
  await given.ok("POST", `/Invoices/${deleted.InvoiceID}`, { Status: "DELETED" });
  await paid(given, settled);
  return { given, ada, bo, made };
}

const numbers = async (given: World, query: Record<string, string>, headers = {}) =>
  (await given.ok("GET", "/Invoices", undefined, { query, headers })).Invoices.map((each: Json) =>
    each.InvoiceNumber.replace("INV-000", ""),
  );

describe("parameters of a list", () => {
  test("each parameter of a list filters it, and several together filter further", async () => {
    const { given, ada, bo, made } = await prepared();
    const all = await numbers(given, { order: "InvoiceNumber" });
    expect(all).toEqual(["B-1", "1", "2", "3", "4", "5", "6"]);
    const sorted = async (query: Record<string, string>) =>
      numbers(given, { order: "InvoiceNumber", ...query });
    expect(await sorted({ Statuses: "DRAFT,submitted,NONSENSE" })).toEqual(["1", "2"]);
    expect(await sorted({ invoicenumbers: "inv-0003, B-1 ,X" })).toEqual(["B-1", "3"]);
    expect(await sorted({ contactIDs: ada.ContactID })).toEqual(["1", "2", "6"]);
    expect(
      await sorted({ CONTACTIDS: `${ada.ContactID},${bo.ContactID}`, statuses: "AUTHORISED,PAID" }),
    ).toEqual(["B-1", "3", "6"]);
    expect(
      await sorted({
        IDs: `${made["INV-0001"].InvoiceID},${made["INV-0003"].InvoiceID}`,
        where: 'Status=="AUTHORISED"',
      }),
    ).toEqual(["3"]);
    expect(await sorted({ IDs: "nonsense" })).toEqual([]);
    expect(await sorted({ includeArchived: "false" })).toEqual(["B-1", "1", "2", "3", "6"]);
    expect(await sorted({ searchTerm: "KILN" })).toEqual(["1", "3"]);
    expect(await sorted({ searchterm: "b-" })).toEqual(["B-1"]);
    expect(await sorted({ searchTerm: "%" })).toEqual([]);
    expect(await sorted({ Statuses: "" })).toEqual(all);
    expect(await sorted({ nobodyKnows: "this" })).toEqual(all);
  });

  test("a page without a total count says only whether another page follows", async () => {
    const { given } = await prepared();
    const paging = async (page: string, pageSize: string) => {
      const query = { page, pageSize, count: "false", order: "InvoiceNumber" };
      const { Invoices, pagination } = await given.ok("GET", "/Invoices", undefined, { query });
      return [Invoices.map((each: Json) => each.InvoiceNumber), pagination];
    };
    const [first, third] = [["B-1", "INV-0001", "INV-0002"], ["INV-0006"]];
    expect(await paging("1", "3")).toEqual([first, { page: 1, pageSize: 3, pageCount: 2 }]);
    expect(await paging("3", "3")).toEqual([third, { page: 3, pageSize: 3, pageCount: 3 }]);
    expect((await paging("1", "7"))[1]).toEqual({ page: 1, pageSize: 7, pageCount: 1 });
    const query = { page: "1", count: "maybe" };
    expect(await given.refused("GET", "/Invoices", undefined, { query })).toEqual([
      "The parameter count must be true or false, not 'maybe'.",
    ]);
  });

  test("a list is ordered by latest change by default, and pages divide it", async () => {
    const { given } = await prepared();
    expect(await numbers(given, {})).toEqual(["1", "2", "3", "B-1", "4", "5", "6"]);
    const page = await given.ok("GET", "/Invoices", undefined, {
      query: { page: "2", PAGESIZE: "3", order: "InvoiceNumber" },
    });
    expect(page.pagination).toEqual({ page: 2, pageSize: 3, pageCount: 3, itemCount: 7 });
    expect(page.Invoices.map((each: Json) => each.InvoiceNumber)).toEqual([
      "INV-0003",
      "INV-0004",
      "INV-0005",
    ]);
    expect(
      (await given.ok("GET", "/Invoices", undefined, { query: { pageSize: "1000" } })).pagination
        .pageSize,
    ).toBe(1000);
    expect((await given.ok("GET", "/Invoices")).pagination).toBeUndefined();
  });

  test("paged reads have lines, every read has payments, and single reads have the whole contact", async () => {
    const { given, made } = await prepared();
    const where = 'InvoiceNumber=="INV-0006"';
    const read = async (path: string, query: Record<string, string> = {}) =>
      (await given.ok("GET", path, undefined, { query })).Invoices[0];
    const listed = await read("/Invoices", { where });
    expect(listed).toMatchObject({
      LineItems: [],
      Payments: [{ Amount: 690 }],
      Contact: { Name: "Ada" },
    });
    expect(listed.Contact.Phones).toEqual([]);
    expect((await read("/Invoices", { where, page: "1" })).LineItems).toHaveLength(1);
    const single = await read(`/Invoices/${made["INV-0006"].InvoiceID}`);
    expect(single.LineItems).toHaveLength(1);
    expect(single.Contact.Phones).toHaveLength(4);
    const summary = await given.ok("GET", "/Invoices", undefined, {
      query: { where, summaryonly: "1" },
    });
    expect(summary.pagination.itemCount).toBe(1);
    expect(summary.Invoices[0]).toMatchObject({ LineItems: [], Payments: [], Total: 690 });
  });
});

describe("the header If-Modified-Since", () => {
  test.each<[string, (iso: string) => string]>([
    ["as the service document has it", (iso) => iso.slice(0, 19)],
    ["with a zone", (iso) => `${iso.slice(0, 19)}Z`],
    ["with a fraction", (iso) => `${iso.slice(0, 19)}.999Z`],
    ["in quotes", (iso) => `"${iso.slice(0, 19)}"`],
    ["as in HTTP", (iso) => new Date(iso).toUTCString()],
  ])("If-Modified-Since is accepted %s", async (_name, written) => {
    const given = await world();
    await invoiced(given);
    given.now += 3_600_000;
    const later = await invoiced(given, { Status: "AUTHORISED" });
    const since = written(new Date(given.now).toISOString());
    const headers = { "if-modified-since": since };
    expect(await numbers(given, {}, headers)).toEqual(["2"]);
    given.now += 3_600_000;
    await paid(given, later);
    for (const [path, key] of [
      ["/Payments", "Payments"],
      ["/Invoices", "Invoices"],
    ] as const) {
      expect((await given.ok("GET", path, undefined, { headers }))[key]).toHaveLength(1);
    }
    const none = { "if-modified-since": new Date(given.now + 10_000).toISOString() };
    for (const path of ["/Invoices", "/Payments", "/Items", "/Contacts", "/Accounts"]) {
      const answer = await given.ok("GET", path, undefined, { headers: none });
      expect(answer[path.slice(1)]).toEqual([]);
    }
    // Where it is not supported it is passed over.
    expect((await given.ok("GET", "/TaxRates", undefined, { headers: none })).TaxRates).not.toEqual(
      [],
    );
  });

  test("an If-Modified-Since time that cannot be parsed is refused", async () => {
    const headers = { "if-modified-since": "yesterday" };
    expect((await (await world()).ask("GET", "/Invoices", undefined, { headers })).status).toBe(
      400,
    );
  });
});

describe("the where filter", () => {
  test.each<[string, string[]]>([
    ['Type=="ACCPAY"', ["B-1"]],
    ['Type=="ACCREC" AND Status=="AUTHORISED"', ["3"]],
    ['status = "authorised"', ["3", "B-1"]],
    ['InvoiceNumber == "inv-0002"', ["2"]],
    ["Date < DateTime(2026,2,15)", ["2"]],
    [
      'Date>=DateTime(2026, 03, 01) && date <= DateTime.Parse("2026-03-31") AND Type=="ACCREC"',
      ["1", "3", "4", "5", "6"],
    ],
    ['Reference=="spring kiln"', ["1"]],
    ['Contact.Name=="bo kiln"', ["3", "4", "5", "B-1"]],
    ['Contact.ContactNumber=="a1"', ["1", "2", "6"]],
    ['Contact.Name.StartsWith("a") OR Reference.Contains("2")', ["1", "2", "3", "6"]],
    ["AmountDue > 100.5 AND AmountPaid = 0", ["1", "2", "3"]], // nothing is due on 4 and 5
    ["Total==690", ["6"]],
    ['Reference==null AND Type=="ACCREC"', ["2", "4", "5", "6"]],
    ['Reference!=null&&Reference.ToLower().EndsWith("kiln")', ["1"]],
    ['NOT (Type=="ACCPAY" OR Status=="PAID")', ["1", "2", "3", "4", "5"]],
    ["SentToContact==false AND HasAttachments==false AND FullyPaidOnDate!=null", ["6"]],
    ['1==1 and Status<>"VOIDED" AND Status!="DELETED"', ["1", "2", "3", "6", "B-1"]],
  ])("the where filter %s selects the expected invoices", async (where, expected) => {
    const { given } = await prepared();
    expect((await numbers(given, { where })).sort()).toEqual(expected);
  });

  test("the where filter accepts ids in every form that clients send", async () => {
    const { given, ada, made } = await prepared();
    const { InvoiceID } = made["INV-0001"];
    for (const where of [
      `InvoiceID==Guid("${InvoiceID}")`,
      `InvoiceID==guid("${InvoiceID.toUpperCase()}")`,
      `InvoiceID.ToString()=="${InvoiceID}"`,
      `InvoiceID=="${InvoiceID}"`,
      `Contact.ContactID==Guid("${ada.ContactID}") AND Status=="DRAFT"`,
    ]) {
      expect(await numbers(given, { where }), where).toEqual(["1"]);
    }
  });

  test.each([
    '"; drop table document; --',
    'Status=="x" or 1=1; delete from document',
    "Status==\"a' or '1'='1\"",
    'Reference=="x\\" or \\"1\\"==\\"1"',
    'Reference.Contains("%")',
    'Reference.Contains("_")',
    `Reference=="${"x".repeat(3000)}"`,
    "(".repeat(2000),
    "NOT ".repeat(2000),
    `${"Total==1 OR ".repeat(500)}Total==2`,
    "Total==99999999999999999999999999999999999999999999",
    "Date==DateTime(99999,99,99)",
    'Reference=="\u0000"',
    "\u0000",
  ])("the where filter %.60s is answered without an internal error", async (where) => {
    const { given } = await prepared();
    for (const name of ["where", "order", "searchTerm", "IDs", "Statuses"]) {
      const answer = await given.ask("GET", "/Invoices", undefined, { query: { [name]: where } });
      expect([200, 400], answer.text.slice(0, 200)).toContain(answer.status);
      if (answer.status === 200 && name !== "order") expect(answer.json.Invoices).toEqual([]);
    }
    expect(await numbers(given, {})).toHaveLength(7);
  });
});

describe("the order parameter", () => {
  test.each([
    ["Contact.Name, InvoiceNumber DESC", ["6", "2", "1", "5", "4", "3", "B-1"]],
    ["Total DESC, InvoiceNumber", ["6", "1", "2", "3", "4", "5", "B-1"]],
    ["reference desc, invoicenumber", ["1", "3", "B-1", "2", "4", "5", "6"]],
    ["Reference, InvoiceNumber", ["B-1", "2", "4", "5", "6", "3", "1"]],
    ["DueDate ASC, InvoiceNumber ASC", ["2", "B-1", "1", "3", "4", "5", "6"]],
  ])("the order %s sorts the invoices as expected", async (order, expected) => {
    const { given } = await prepared();
    expect(await numbers(given, { order })).toEqual(expected);
  });

  test("the where filter accepts every single-valued field of each record", async () => {
    const { given } = await prepared();
    await given.ok("PUT", "/Items", { Code: "A" });
    await given.ok("PUT", "/TrackingCategories", { Name: "T" });
    for (const path of [
      "Invoices",
      "Payments",
      "Items",
      "Contacts",
      "Accounts",
      "TaxRates",
      "TrackingCategories",
    ]) {
      const [first] = (await given.ok("GET", `/${path}`))[path];
      for (const [name, value] of Object.entries(first)) {
        if (
          typeof value === "object" ||
          name.endsWith("String") ||
          /^(HasErrors|HasValidationErrors|IsDiscounted|HasAccount|Direction)$/.test(name) ||
          // What a payment has of its document.
          `${path}.${name}` === "Payments.CurrencyCode"
        )
          continue;
        const answer = await given.ask("GET", `/${path}`, undefined, {
          query: { order: `${name} DESC` },
        });
        expect(answer.status, `${path} by ${name}: ${answer.text}`).toBe(200);
      }
    }
  });
});
