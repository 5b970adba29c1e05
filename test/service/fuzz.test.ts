/**
 * Whatever bytes come in, the answer is one of those that are documented, and the books hold.
 *
 * Requests are put together from what the service knows and what it does not: methods, segments,
 * parameters, headers, and bodies of records that are right in parts. `FUZZ` in the environment
 * multiplies the number of runs.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { routes } from "../../src/service/routes.ts";
import { contact, faultsIn, invoiced, type Json, paid, type World, world } from "./fixture.ts";

const documented = new Set([200, 204, 400, 401, 403, 404, 501, 503]);
const runs = 60 * Number(process.env.FUZZ ?? 1);

const nasty = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "'",
  '"',
  "\\",
  "--",
  "%00",
  "%",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "-1e-400",
  "9".repeat(400),
  "0.".padEnd(60, "1"),
  "9007199254740993",
  "99999999999.99",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "/Date(99999999999999999)/",
  "\ud800",
  "\u202e",
  "x".repeat(5000),
  "ﬀİß",
  "]]>",
  "<!DOCTYPE x>",
  "&amp;&#0;",
  "00000000-0000-0000-0000-000000000000",
);

/** Ids, numbers and codes of what is there: filled in when a run begins. */
const known = [
  "090",
  "200",
  "429",
  "610",
  "630",
  "LAMP",
  "MUG",
  "INV-0001",
  "INV-0002",
  "Region",
  "OUTPUT2",
  "TAX001",
];
const ids = Array.from(
  { length: 160 },
  (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
);
const key = fc.oneof(fc.constantFrom(...known), fc.constantFrom(...ids), nasty, fc.string());

const segments = [...new Set(routes.flatMap((route) => route.path.split("/")))].filter(
  (each) => each !== "" && !each.startsWith("{"),
);
const somePath = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...segments) }, key), { maxLength: 6 })
  .map((each) => `/${each.join("/")}`);
const knownPath = fc
  .constantFrom(...routes)
  .chain(({ path }) =>
    fc
      .tuple(
        ...path
          .split("/")
          .map((each) => (each.startsWith("{") ? key.map(encode) : fc.constant(each))),
      )
      .map((each) => each.join("/")),
  );

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const conditions = fc.constantFrom(
  'Status=="AUTHORISED"',
  "Date>DateTime(2026,1,1)",
  'Contact.Name.Contains("a")',
  "Total>=1e9 OR Total<-1",
  "(((",
  "!!!Type",
  'Guid("x")==InvoiceID',
  'UpdatedDateUTC<DateTime.Parse("2026")',
  "Name.Length>0",
  "Name DESC, Code",
);
const parameterNames = fc.constantFrom(
  "where",
  "order",
  "page",
  "pageSize",
  "unitdp",
  "IDs",
  "InvoiceNumbers",
  "ContactIDs",
  "Statuses",
  "createdByMyApp",
  "summaryOnly",
  "searchTerm",
  "includeArchived",
  "TaxType",
  "SummarizeErrors",
  "date",
  "fromDate",
  "toDate",
  "periods",
  "timeframe",
  "trackingCategoryID",
  "trackingOptionID",
  "trackingCategoryID2",
  "trackingOptionID2",
  "trackingOptionID1",
  "paymentsOnly",
  "standardLayout",
);
const parameter = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: parameterNames }, nasty),
  fc.oneof(
    conditions,
    nasty,
    key,
    fc.constantFrom("true", "false", "1", "4", "MONTH", "YEAR", "2026-03-31", "DRAFT,PAID"),
  ),
) as fc.Arbitrary<[string, string]>;

const headers = fc.record(
  {
    accept: fc.oneof(
      fc.constantFrom("application/json", "text/xml", "*/*", "application/pdf", "a/b;q=x"),
      nasty,
    ),
    "content-type": fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          "application/json",
          "text/xml",
          "application/x-www-form-urlencoded",
          "image/png",
          "",
        ),
      },
      nasty,
    ),
    "if-modified-since": fc.oneof(
      fc.constantFrom("2026-01-01T00:00:00", "Sun, 01 Mar 2026 00:00:00 GMT"),
      nasty,
    ),
    "idempotency-key": fc.oneof(fc.constantFrom("a", "b"), nasty),
    "x-dry-run": fc.constantFrom("true", "false"),
  },
  { requiredKeys: [] },
);

// --- bodies ----------------------------------------------------------------------------------

const scalar = fc.oneof(
  nasty,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom<Json>([], {}, [[]], [null], { a: 1 }),
);
/** Mostly the value that belongs there. */
const mostly = (value: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: scalar });
const day = mostly(
  fc.integer({ min: 1, max: 28 }).map((n) => `2026-03-${String(n).padStart(2, "0")}`),
);
const amount = mostly(
  fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: -50, max: 0 }) },
    { weight: 1, arbitrary: fc.double({ min: -1e12, max: 1e12, noNaN: true }) },
  ),
);
const absent = fc.constant(undefined);
/** A value that is there now and then. */
const seldom = (value: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 15, arbitrary: absent }, { weight: 1, arbitrary: value });
/** An object that lacks a field now and then. */
const fields = (shape: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
  fc.record(
    Object.fromEntries(
      Object.entries(shape).map(([name, value]) => [
        name,
        fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: absent }),
      ]),
    ),
  );

const line = fields({
  LineItemID: seldom(fc.constantFrom(...ids)),
  Description: mostly(fc.string()),
  Quantity: amount,
  UnitAmount: amount,
  LineAmount: seldom(amount),
  TaxAmount: seldom(amount),
  DiscountRate: seldom(amount),
  DiscountAmount: seldom(amount),
  AccountCode: mostly(fc.constantFrom("404", "404", "404", "200", "429", "630", "610")),
  TaxType: seldom(fc.constantFrom("OUTPUT2", "INPUT2", "NONE", "TAX001")),
  ItemCode: seldom(fc.constantFrom("LAMP", "MUG")),
  Tracking: seldom(
    fc.array(fields({ Name: fc.constant("Region"), Option: fc.constantFrom("North", "Nil") }), {
      maxLength: 3,
    }),
  ),
});
const records: Record<string, fc.Arbitrary<Json>> = {
  Invoice: fields({
    InvoiceID: seldom(fc.constantFrom(...ids)),
    Type: mostly(fc.constantFrom("ACCREC", "ACCPAY")),
    Contact: mostly(
      fc.constantFrom(
        { Name: "Party" },
        { ContactNumber: "P" },
        { Name: "Other" },
        { Name: "Nobody" },
      ),
    ),
    Date: day,
    DueDate: day,
    Status: mostly(
      fc.constantFrom(
        "DRAFT",
        "AUTHORISED",
        "AUTHORISED",
        "SUBMITTED",
        "DELETED",
        "VOIDED",
        "PAID",
      ),
    ),
    LineAmountTypes: mostly(fc.constantFrom("Exclusive", "Inclusive", "NoTax")),
    InvoiceNumber: mostly(
      fc.constantFrom(undefined, undefined, "INV-0001", "INV-0002", "X-1", "INV-999999999"),
    ),
    LineItems: mostly(fc.array(line, { maxLength: 4 })),
    CurrencyCode: mostly(fc.constant("NZD")),
    CurrencyRate: seldom(amount),
    SentToContact: seldom(mostly(fc.boolean())),
    Reference: mostly(fc.string()),
  }),
  Payment: fields({
    PaymentID: seldom(fc.constantFrom(...ids)),
    Invoice: mostly(
      fc.constantFrom(
        { InvoiceNumber: "INV-0001" },
        { InvoiceNumber: "INV-0002" },
        { InvoiceID: ids[1] },
      ),
    ),
    Account: mostly(fc.constantFrom({ Code: "090" }, { Code: "970" }, { Code: "610" })),
    Date: day,
    Amount: amount,
    Status: mostly(fc.constantFrom("AUTHORISED", "DELETED")),
  }),
  Item: fields({
    Code: mostly(fc.constantFrom("LAMP", "MUG", "NEW", "NEWER")),
    Name: mostly(fc.string()),
    IsSold: mostly(fc.boolean()),
    IsPurchased: mostly(fc.boolean()),
    InventoryAssetAccountCode: seldom(fc.constantFrom("630", "200", null)),
    SalesDetails: mostly(
      fields({
        UnitPrice: amount,
        AccountCode: mostly(fc.constant("200")),
        TaxType: mostly(fc.constant("OUTPUT2")),
      }),
    ),
    PurchaseDetails: mostly(
      fields({ UnitPrice: amount, COGSAccountCode: seldom(fc.constant("310")) }),
    ),
  }),
  Contact: fields({
    Name: mostly(fc.constantFrom("Party", "New", "Newer")),
    ContactNumber: seldom(fc.constantFrom("P", "N")),
    ContactStatus: seldom(fc.constantFrom("ACTIVE", "ARCHIVED")),
    EmailAddress: mostly(fc.constant("a@x.example")),
    Addresses: mostly(
      fc.array(
        fields({
          AddressType: mostly(fc.constantFrom("STREET", "POBOX")),
          City: mostly(fc.string()),
        }),
      ),
    ),
    PaymentTerms: mostly(
      fields({
        Sales: mostly(
          fields({ Day: mostly(fc.nat(31)), Type: mostly(fc.constant("OFCURRENTMONTH")) }),
        ),
      }),
    ),
  }),
  Account: fields({
    Code: mostly(fc.constantFrom("490", "491", "200", "630")),
    Name: mostly(fc.string()),
    Type: mostly(fc.constantFrom("EXPENSE", "INVENTORY", "BANK", "REVENUE", "CURRENT")),
    Status: seldom(fc.constantFrom("ACTIVE", "ARCHIVED", "DELETED")),
    BankAccountNumber: seldom(fc.string()),
    EnablePaymentsToAccount: mostly(fc.boolean()),
    TaxType: mostly(fc.constantFrom("NONE", "OUTPUT2")),
  }),
  TaxRate: fields({
    Name: mostly(fc.string()),
    TaxType: seldom(fc.constantFrom("TAX001", "NONE", "OUTPUT2")),
    ReportTaxType: mostly(fc.constantFrom("INPUT", "OUTPUT")),
    Status: mostly(fc.constantFrom("ACTIVE", "DELETED")),
    TaxComponents: mostly(
      fc.array(
        fields({ Name: mostly(fc.string()), Rate: amount, IsCompound: mostly(fc.boolean()) }),
        { maxLength: 3 },
      ),
    ),
  }),
  TrackingCategory: fields({
    Name: mostly(fc.constantFrom("Region", "Team")),
    Status: mostly(fc.constantFrom("ACTIVE", "ARCHIVED")),
  }),
  Option: fields({
    Name: mostly(fc.constantFrom("North", "South", "East")),
    Status: mostly(fc.constantFrom("ACTIVE", "ARCHIVED")),
  }),
  HistoryRecord: fields({ Details: mostly(fc.string()) }),
};
const plurals: Record<string, string> = { TrackingCategory: "TrackingCategories" };

function xmlOf(name: string, value: Json): string {
  if (Array.isArray(value))
    return `<${name}>${value.map((each) => xmlOf(name.replace(/s$/, ""), each)).join("")}</${name}>`;
  if (value === null || value === undefined) return `<${name} />`;
  if (typeof value === "object")
    return `<${name}>${Object.entries(value)
      .map(([inner, each]) => xmlOf(inner, each))
      .join("")}</${name}>`;
  return `<${name}>${String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;")}</${name}>`;
}

const record = fc
  .constantFrom(...Object.keys(records))
  .chain((name) =>
    fc
      .array(records[name] as fc.Arbitrary<Json>, { minLength: 1, maxLength: 3 })
      .map((values) => ({ name, values })),
  );
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(record, fc.constantFrom("json", "bare", "xml"))
      .map(([{ name, values }, form]) => {
        const plural = plurals[name] ?? `${name}s`;
        if (form === "bare") return JSON.stringify(values[0]);
        if (form === "json") return JSON.stringify({ [plural]: values });
        return `<${plural}>${values.map((each) => xmlOf(name, each)).join("")}</${plural}>`;
      }),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: nasty },
  { weight: 1, arbitrary: fc.nat(3000).map((depth) => "[".repeat(depth)) },
  { weight: 1, arbitrary: fc.nat(3000).map((depth) => "<a>".repeat(depth)) },
);
const bytes = fc.oneof(
  { weight: 8, arbitrary: body.map((text) => new TextEncoder().encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);

const request = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("GET", "PUT", "POST", "PUT", "POST", "DELETE") },
    { weight: 1, arbitrary: fc.constantFrom("PATCH", "HEAD", "OPTIONS", "get", "", "__proto__") },
  ),
  path: fc.oneof(
    { weight: 6, arbitrary: knownPath },
    { weight: 1, arbitrary: somePath },
    { weight: 1, arbitrary: fc.string() },
  ),
  query: fc.array(parameter, { maxLength: 4 }),
  headers,
  body: fc.option(bytes, { nil: undefined }),
});

/** A request whose body is of the kind that its address takes, so that many are accepted. */
const fitting = fc
  .constantFrom(
    "Invoice",
    "Invoice",
    "Invoice",
    "Payment",
    "Payment",
    "Item",
    "Contact",
    "Account",
    "TaxRate",
  )
  .chain((name) => {
    const collection = `/${name}s`;
    return fc.record({
      target: fc.oneof(
        { weight: 3, arbitrary: fc.constant(["PUT", collection] as const) },
        { weight: 2, arbitrary: fc.constant(["POST", collection] as const) },
        {
          weight: 2,
          arbitrary: fc
            .constantFrom(...known, ...ids.slice(95, 140))
            .map((each) => ["POST", `${collection}/${each}`] as const),
        },
      ),
      query: fc.constantFrom<[string, string][]>(
        [],
        [["SummarizeErrors", "false"]],
        [["unitdp", "4"]],
      ),
      values: fc.array(records[name] as fc.Arbitrary<Json>, { minLength: 1, maxLength: 2 }),
    });
  })
  .map(({ target: [method, path], query, values }) => ({
    method,
    path,
    query,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(values.length === 1 ? values[0] : values)),
  }));

async function prepared(): Promise<World> {
  const given = await world();
  const party = await contact(given, {
    Name: "Party",
    ContactNumber: "P",
    EmailAddress: "p@x.example",
  });
  await contact(given, { Name: "Other" });
  await given.ok("PUT", "/Items", [
    { Code: "MUG", SalesDetails: { UnitPrice: 5, AccountCode: "200" } },
    {
      Code: "LAMP",
      InventoryAssetAccountCode: "630",
      SalesDetails: { UnitPrice: 50, AccountCode: "200" },
      PurchaseDetails: { UnitPrice: 20, COGSAccountCode: "310" },
    },
  ]);
  await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  await given.ok("PUT", "/TrackingCategories/Region/Options", { Name: "North" });
  await given.ok("PUT", "/TaxRates", {
    Name: "Levy",
    ReportTaxType: "OUTPUT",
    TaxComponents: [{ Name: "L", Rate: 3 }],
  });
  const Contact = { ContactID: party.ContactID };
  await invoiced(given, {
    Contact,
    Type: "ACCPAY",
    Status: "AUTHORISED",
    LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 9 }],
  });
  const made = await invoiced(given, {
    Contact,
    Status: "AUTHORISED",
    LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 2 }],
  });
  await paid(given, made, { Amount: 10 });
  await invoiced(given, { Contact });
  return given;
}

test("any request is answered as documented, and the books hold", {
  timeout: 600_000,
}, async () => {
  const answered: Record<number, number> = {};
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(request, { weight: 2, arbitrary: fitting }), {
        minLength: 20,
        maxLength: 60,
        size: "max",
      }),
      async (requests) => {
        const given = await prepared();
        for (const { body: sent, ...each } of requests) {
          given.now += 1000;
          const response = await given.book.handle({
            ...each,
            ...(sent === undefined ? {} : { body: sent }),
          });
          const text = `${each.method} ${each.path} ${JSON.stringify(each.query)}: ${String(response.body).slice(0, 300)}`;
          expect(given.bugs, text).toEqual([]);
          expect(documented, text).toContain(response.status);
          answered[response.status] = (answered[response.status] ?? 0) + 1;
          if (response.status === 200 && each.method !== "GET") changed += 1;
        }
        expect(await faultsIn(given)).toEqual([]);
        await given.book.close();
      },
    ),
    { numRuns: runs },
  );
  if (process.env.FUZZ) console.log(answered, { changed });
  // Were everything refused, this would show little.
  expect(changed).toBeGreaterThan(runs);
});
