/**
 * Whatever bytes come in, the answer is one of those that are documented, and the books hold.
 *
 * Requests are put together from what the service knows and what it does not: methods, segments,
 * parameters, headers, and bodies of records that are right in parts. `FUZZ` in the environment
 * multiplies the number of runs.
 */
import { expect, test } from "vitest";
import { pathOf } from "../../src/resources/field.ts";
import { resources } from "../../src/resources/index.ts";
import { allRoutes } from "../../src/service/api/routing.ts";
import { fc, runs } from "../support/properties.ts";
import {
  contact,
  faultsIn,
  invoiced,
  isOnPostgres,
  isOverPort,
  type Json,
  paid,
  type World,
  world,
} from "./fixture.ts";
import { ids, key, known, nasty, records, xmlOf } from "./fuzz-records.ts";

const documented = new Set([200, 204, 400, 401, 403, 404, 501, 503]);
/** Sequences, and requests in each: on a new book, which takes longer where it is no copy of a file. */
const sequences = runs(isOverPort || isOnPostgres ? 20 : 160) * Number(process.env.FUZZ ?? 1);
const lengths =
  isOverPort || isOnPostgres ? { minLength: 50, maxLength: 130 } : { minLength: 30, maxLength: 90 };
const segments = [...new Set(allRoutes().flatMap((route) => route.path.split("/")))].filter(
  (each) => each !== "" && !each.startsWith("{"),
);
const somePath = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...segments) }, key), { maxLength: 6 })
  .map((each) => `/${each.join("/")}`);
const knownPath = fc
  .constantFrom(...allRoutes())
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
  ...new Set(resources.flatMap(({ parameters = [] }) => parameters.map((each) => each.name))),
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

/** What is written under the address of something else. */
const nested: Readonly<Record<string, string>> = {
  Option: "Options",
  HistoryRecord: "HistoryRecords",
  Allocation: "Allocations",
};
const pluralOf = (name: string) =>
  resources.find((each) => each.name === name)?.plural ?? nested[name] ?? name;
const collectionOf = (name: string) => {
  const resource = resources.find((each) => each.name === name);
  return resource === undefined ? `/${pluralOf(name)}` : pathOf(resource);
};
const hasCollection = (name: string) => nested[name] === undefined;

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
        const plural = pluralOf(name);
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
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom("Invoice", "Invoice", "Payment", "BankTransaction") },
    { weight: 4, arbitrary: fc.constantFrom(...Object.keys(records).filter(hasCollection)) },
  )
  .chain((name) => {
    const collection = collectionOf(name);
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

/** The same below a record: credits that are applied, notes, options. */
const below = fc
  .constantFrom(...Object.entries(nested))
  .chain(([name, plural]) =>
    fc.record({
      route: fc.constantFrom(
        ...allRoutes().filter(
          ({ method, path }) =>
            method === "PUT" && path.endsWith(`}/${plural.replace("HistoryRecords", "History")}`),
        ),
      ),
      key: fc.oneof(fc.constantFrom(...known), fc.constantFrom(...ids.slice(95, 160))),
      value: records[name] as fc.Arbitrary<Json>,
    }),
  )
  .map(({ route: { method, path }, key: one, value }) => ({
    method,
    path: path.replace(/\{[^}]+\}/, encode(one)),
    query: [] as [string, string][],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(value)),
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
  const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 30, AccountCode: "200" }];
  const BankAccount = { Code: "090" };
  await given.ok("PUT", "/BankTransactions", [
    { Type: "RECEIVE-PREPAYMENT", Contact, BankAccount, LineItems },
    { Type: "RECEIVE", Contact, BankAccount, LineItems },
  ]);
  await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Status: "AUTHORISED",
    Contact,
    LineItems,
  });
  await given.ok("PUT", "/PurchaseOrders", { Contact, LineItems });
  return given;
}

test("the generator of random requests has bodies for every writable resource", () => {
  const writable = resources.filter(({ collection }) => collection.some((each) => each !== "GET"));
  expect(Object.keys(records)).toEqual(expect.arrayContaining(writable.map(({ name }) => name)));
});

test("any random request is answered as documented, and the books stay consistent", {
  timeout: 600_000,
}, async () => {
  const answered: Record<number, number> = {};
  const written: Record<string, number> = {};
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(request, below, { weight: 3, arbitrary: fitting }), {
        ...lengths,
        size: "max",
      }),
      async (requests) => {
        const given = await prepared();
        for (const { body: sent, ...each } of requests) {
          given.now += 1000;
          const response = await given.book.transport({
            ...each,
            ...(sent === undefined ? {} : { body: sent }),
          });
          const text = `${each.method} ${each.path} ${JSON.stringify(each.query)}: ${String(response.body).slice(0, 300)}`;
          expect(given.bugs, text).toEqual([]);
          expect(documented, text).toContain(response.status);
          answered[response.status] = (answered[response.status] ?? 0) + 1;
          if (response.status === 200 && each.method !== "GET") {
            changed += 1;
            const [, collection = "", , of = ""] = each.path.toLowerCase().split("/");
            const place = of === "" ? collection : `${collection}/${of}`;
            written[place] = (written[place] ?? 0) + 1;
          }
        }
        expect(await faultsIn(given)).toEqual([]);
        await given.book.close();
      },
    ),
    { numRuns: sequences },
  );
  if (process.env.FUZZ) console.log(answered, { changed }, written);
  // Were everything refused, this would show little.
  expect(changed).toBeGreaterThan(sequences);
});
