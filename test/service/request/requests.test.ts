/** What holds for every request: addresses, bodies, formats, errors, permission, repetition. */

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AuthError } from "../../../src/resources/errors.ts";
import { createService } from "../../../src/service/api/service.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import { serverOf } from "../../support/audit.ts";
import { contact, faultsIn, invoiced, type Json, sale, type World, world } from "../fixture.ts";

const nowhere = "11111111-1111-1111-1111-111111111111";
const zero = "00000000-0000-0000-0000-000000000000";
const xml = { accept: "text/xml", "content-type": "text/xml" };

describe("encodings of a request body", () => {
  const send = async (body: Buffer, headers: Readonly<Record<string, string>>) => {
    const given = await world();
    const { status, body: said } = await given.book.transport({
      method: "PUT",
      path: "/Contacts",
      query: [],
      headers: { accept: "application/json", ...headers },
      body,
    });
    const { Contacts = [], Message, Elements = [] } = JSON.parse(String(said));
    const [fault] = Elements[0]?.ValidationErrors ?? [];
    return { status, name: Contacts[0]?.Name, message: fault?.Message ?? Message };
  };
  const document =
    '<?xml version="1.0" encoding="iso-8859-1"?><Contact><Name>Käfé</Name></Contact>';
  const western = { "content-type": "application/xml" };

  test("an XML request body is read in the encoding that it declares, gzipped too", async () => {
    const body = Buffer.from(document, "latin1");
    const packed = { ...western, "content-encoding": "gzip" };
    const read = { status: 200, name: "Käfé", message: undefined };
    expect(await send(body, western)).toEqual(read);
    expect(await send(gzipSync(body), packed)).toEqual(read);
    expect(await send(body, { ...western, "content-encoding": "identity" })).toEqual(read);
  });

  test("a request body whose header and XML declaration give different encodings is refused with both named", async () => {
    const { status, message } = await send(Buffer.from(document, "latin1"), {
      "content-type": "text/xml; charset=utf-8",
    });
    expect([status, message]).toEqual([
      400,
      "The body cannot be read: its header says utf-8, but it declares iso-8859-1.",
    ]);
  });

  test.each<[name: string, body: Buffer, coding: string, status: number, reason: RegExp]>([
    ["another coding", Buffer.from(document), "br", 415, /br of the body is not taken/],
    ["two codings", Buffer.from(document), "gzip, gzip", 415, /gzip, gzip of the body/],
    ["no gzip", Buffer.from(document), "gzip", 400, /not gzip as/],
    ["gzip that was cut off", gzipSync(document).subarray(0, 30), "gzip", 400, /not whole/],
    ["gzip of 11 MB", gzipSync(Buffer.alloc(11 * 1024 * 1024)), "gzip", 400, /at most 10485760/],
  ])(
    "a request body in the encoding %s is refused",
    async (_name, body, coding, expected, reason) => {
      const { status, message } = await send(body, { ...western, "content-encoding": coding });
      expect([status, message]).toEqual([expected, expect.stringMatching(reason)]);
    },
  );
});

describe("request addresses", () => {
  test.each(["/Contacts", "/contacts", "/CONTACTS/", "//Contacts", "/Contacts//"])(
    "GET %s returns the list of contacts",
    async (path) => {
      const given = await world();
      expect((await given.ok("GET", path)).Contacts).toEqual([]);
    },
  );

  test("an id is accepted in every usual notation, in the path and in the query", async () => {
    const given = await world();
    const { ContactID } = await contact(given);
    for (const id of [
      ContactID,
      ContactID.toUpperCase(),
      ContactID.replaceAll("-", ""),
      `%7B${ContactID}%7D`,
    ]) {
      expect((await given.ok("GET", `/Contacts/${id}`)).Contacts[0].ContactID).toBe(ContactID);
    }
    const query = { ids: `${ContactID.replaceAll("-", "").toUpperCase()},nonsense,${nowhere}` };
    expect((await given.ok("GET", "/Contacts", undefined, { query })).Contacts).toHaveLength(1);
  });

  test("a document number with special characters is found when percent-encoded in the path", async () => {
    const given = await world();
    for (const InvoiceNumber of ["A/7 ü", "50%", "+1"]) {
      await invoiced(given, { InvoiceNumber });
      const path = `/Invoices/${encodeURIComponent(InvoiceNumber)}`;
      expect((await given.ok("GET", path)).Invoices[0].InvoiceNumber).toBe(InvoiceNumber);
    }
    expect((await given.ask("GET", "/Invoices/50%")).status).toBe(400);
  });

  test.each<[number, string, string]>([
    [404, "GET", "/"],
    [404, "GET", "/Nothing"],
    [404, "GET", `/Invoices/${nowhere}`],
    [404, "GET", "/Invoices/x/y/z"],
    [404, "GET", "/Accounts/090/History"],
    [404, "GET", "/Reports/Nothing"],
    [404, "POST", `/Invoices/${nowhere}/Email`],
    [404, "GET", `/Invoices/${nowhere}/OnlineInvoice`],
    [501, "DELETE", "/Invoices"],
    [501, "PATCH", `/Invoices/${nowhere}`],
    [501, "GET", `/Invoices/${nowhere}/Email`],
    [501, "POST", "/Reports/ProfitAndLoss"],
    [501, "POST", "/TrackingCategories"],
    [501, "PATCH", "/Items"],
  ])("the answer is %i for %s %s", async (status, method, path) => {
    const body = method === "GET" ? undefined : { Name: "x" };
    expect((await (await world()).ask(method, path, body)).status).toBe(status);
  });
});

describe("formats of answers", () => {
  test.each<[string | undefined, string]>([
    [undefined, "text/xml; charset=utf-8"],
    ["*/*", "text/xml; charset=utf-8"],
    ["text/xml", "text/xml; charset=utf-8"],
    ["application/xml", "application/xml; charset=utf-8"],
    ["application/json", "application/json; charset=utf-8"],
    ["application/json;q=0.5, text/xml", "text/xml; charset=utf-8"],
    ["text/html, application/json;q=0.9", "application/json; charset=utf-8"],
    ["text/html", "text/xml; charset=utf-8"],
    ["application/pdf", "text/xml; charset=utf-8"],
  ])("a request with the Accept header %s is answered as %s", async (accept, type) => {
    const given = await world();
    const answer = await given.ask("GET", "/Items", undefined, {
      headers: { accept: accept as string },
    });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, type]);
  });

  test("the envelope of an answer has the same members in JSON and XML", async () => {
    const given = await world();
    const json = await given.ok("GET", "/Contacts", undefined, { query: { page: "1" } });
    expect(json).toMatchObject({
      Status: "OK",
      ProviderName: "acct",
      pagination: { page: 1, pageSize: 100, pageCount: 1, itemCount: 0 },
    });
    expect(json.DateTimeUTC).toMatch(/^\/Date\(\d+\)\/$/);
    const { text } = await given.ask("GET", "/Contacts", undefined, {
      headers: xml,
      query: { page: "1" },
    });
    expect(text).toMatch(
      /^<Response [^>]*><Id>[0-9a-f-]{36}<\/Id><Status>OK<\/Status><ProviderName>acct<\/ProviderName><DateTimeUTC>2026-02-28T23:00:00\.\d{7}Z<\/DateTimeUTC><pagination>.*<\/pagination><Contacts \/><\/Response>$/,
    );
  });
});

describe("bodies of requests", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  test.each<[string, unknown, Record<string, string>]>([
    ["a JSON list under its name", { Items: [{ Code: "A" }] }, {}],
    ["its name in other letters", { iTEMS: [{ code: "A" }] }, {}],
    ["a bare JSON object", { Code: "A" }, {}],
    ["a bare JSON list", [{ Code: "A" }], {}],
    ["one JSON object under its name", { Item: { Code: "A" } }, {}],
    ["one JSON object under the list's", { Items: { Code: "A" } }, {}],
    [
      "an XML list",
      "<Items><Item><Code>A</Code></Item></Items>",
      { "content-type": "application/xml" },
    ],
    [
      "one XML element",
      "<?xml version='1.0' encoding='utf-16'?><Item><Code> A </Code></Item>",
      { "content-type": "text/xml" },
    ],
    ["XML without a type", "<Item><Code>A</Code></Item>", { "content-type": "" }],
    ["JSON without a type", '{"Code":"A"}', { "content-type": "" }],
    ["a byte order mark", '\ufeff{"Code":"A"}', {}],
    ["a form", `xml=${encodeURIComponent("<Item><Code>A</Code></Item>")}`, form],
    ["a form that is XML", "<Item><Code>A</Code></Item>", form],
    ["a form that is JSON", '{"Code":"A"}', form],
    [
      "fields nobody knows, and those the service sets",
      { Code: "A", Colour: "red", UpdatedDateUTC: "2020-01-01", TotalCostPool: 9, ItemID: zero },
      {},
    ],
    ["numbers as text", { Code: "A", SalesDetails: { UnitPrice: "5.50" } }, {}],
    [
      "an XML body and a JSON answer",
      "<Item><Code>A</Code></Item>",
      { "content-type": "text/xml", accept: "application/json" },
    ],
  ])("a request body is accepted as %s", async (_name, body, headers) => {
    const given = await world();
    const [made] = (await given.ok("PUT", "/Items", body, { headers })).Items;
    expect(made.Code).toBe("A");
    expect(made.ItemID).not.toBe(zero);
  });

  test.each<[number, string, unknown, Record<string, string>?]>([
    [14, "nothing", ""],
    [14, "no JSON", "{"],
    [14, "a number", "7"],
    [14, "XML that is cut off", "<Items><Item>", xml],
    [
      14,
      "an external entity",
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Item><Code>&e;</Code></Item>',
      xml,
    ],
    [14, "deep nesting", "[".repeat(5000)],
    [14, "a value of another type", { Code: { a: 1 } }],
    [14, "a list for text", { Code: ["a"] }],
    [14, "text for a boolean", { Code: "A", IsSold: "perhaps" }],
    [14, "a thousands separator", { Code: "A", SalesDetails: { UnitPrice: "1,000" } }],
    [14, "an object for a number", { Code: "A", SalesDetails: { UnitPrice: {} } }],
    [14, "a huge number", { Code: "A", SalesDetails: { UnitPrice: 1e300 } }],
    [14, "a NUL", { Code: "A\u0000" }],
    [17, "no record of the kind", { Contacts: [{ Name: "x" }] }],
    [17, "an empty list", { Items: [] }],
    [17, "an empty object", {}],
    [17, "the element of another kind", "<Contact><Name>x</Name></Contact>", xml],
  ])("error number %i for a request body with %s", async (number, _name, body, headers = {}) => {
    const given = await world();
    const answer = await given.ask("PUT", "/Items", body, {
      headers: { ...headers, accept: "application/json" },
    });
    expect([answer.status, answer.json.ErrorNumber]).toEqual([400, number]);
  });

  test("a request body beyond ten megabytes is refused", async () => {
    const answer = await (await world()).ask("PUT", "/Items", " ".repeat(10 * 1024 * 1024 + 1));
    expect(answer.status).toBe(400);
  });

  test.each<[string, unknown]>([
    ["Date", "tomorrow"],
    ["Date", "2026-02-30"],
    ["Date", 12],
    ["Contact", "someone"],
    ["LineItems", "some"],
    ["LineItem", [null]],
    ["LineItem", [{ Quantity: "many" }]],
    ["LineItem", [{ Tracking: "North" }]],
    ["SentToContact", "maybe"],
    ["CurrencyRate", "1/2"],
    ["BrandingThemeID", "no-guid"],
    ["Type", 5],
    ["Status", "authorized"],
    ["LineAmountTypes", "Both"],
    ["CurrencyCode", "NZ$"],
  ])("a field %s with a value of the wrong type is refused: %j", async (name, value) => {
    const given = await world();
    const answer = await given.ask("PUT", "/Invoices", {
      ...sale(await contact(given)),
      [name === "LineItem" ? "LineItems" : name]: value,
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json)).toContain(name);
  });

  test("dates in a request body are read in every accepted format", async () => {
    const given = await world();
    for (const day of [
      "2026-03-09",
      "2026-03-09T00:00:00",
      "2026-03-09T23:59:59Z",
      "2026-03-09T01:00:00+13:00",
      "/Date(1773014400000)/",
      "/Date(1773014400000+0000)/",
    ]) {
      expect((await invoiced(given, { Date: day })).DateString).toBe("2026-03-09T00:00:00");
    }
  });

  test("names of inherited JavaScript properties in a body, such as __proto__, are unknown fields", async () => {
    const given = await world();
    const body =
      '{"Code":"A","__proto__":{"Name":"x"},"constructor":{"prototype":{"Name":"y"}},"toString":1}';
    const [made] = (await given.ok("PUT", "/Items", body)).Items;
    expect(made.Name).toBeUndefined();
    expect(({} as Json).Name).toBeUndefined();
    for (const where of [
      "__proto__==null",
      "constructor.name==null",
      "toString==1",
      "hasOwnProperty()",
    ]) {
      expect((await given.ask("GET", "/Items", undefined, { query: { where } })).status).toBe(400);
    }
    for (const key of ["__proto__", "constructor", "toString"]) {
      expect((await given.ask("GET", `/Items/${key}`)).status).toBe(404);
      expect((await given.ask("GET", `/${key}`)).status).toBe(404);
    }
  });
});

describe("PUT against POST", () => {
  test("PUT with the id of an existing record is refused, and a body id other than the path's too", async () => {
    const given = await world();
    const made = await invoiced(given);
    const other = await invoiced(given);
    const body = sale(made.Contact, { InvoiceID: made.InvoiceID, Reference: "r" });
    expect(await given.refused("PUT", "/Invoices", body)).toEqual([
      `The invoice ${made.InvoiceID} exists already; PUT only creates.`,
    ]);
    expect((await given.ok("POST", "/Invoices", body)).Invoices[0]).toMatchObject({
      InvoiceID: made.InvoiceID,
      Reference: "r",
    });
    for (const method of ["PUT", "POST"]) {
      expect(await given.refused(method, "/Invoices", { ...body, InvoiceID: nowhere })).toEqual([
        `There is no invoice ${nowhere}.`,
      ]);
    }
    expect((await given.ask("POST", `/Invoices/${nowhere}`, { Reference: "r" })).status).toBe(404);
    expect((await given.refused("POST", `/Invoices/${other.InvoiceID}`, body))[0]).toMatch(
      /is not that of the address/,
    );
    const both = [
      { InvoiceID: made.InvoiceID, Status: "DELETED" },
      { InvoiceID: made.InvoiceID, Reference: "x" },
    ];
    expect(await given.refused("POST", "/Invoices", { Invoices: both })).toEqual([
      `The invoice ${made.InvoiceID} is named twice in the request.`,
    ]);
  });

  test("a request that voids the same approved invoice twice is refused, and the second time is an error", async () => {
    const given = await world();
    const { InvoiceID, InvoiceNumber } = await invoiced(given, { Status: "AUTHORISED" });
    const Invoices = [
      { InvoiceID, Status: "VOIDED" },
      { InvoiceNumber, Status: "VOIDED" },
    ];
    await given.refused("POST", "/Invoices", { Invoices });
    const query = { SummarizeErrors: "false" };
    const answer = await given.ok("POST", "/Invoices", { Invoices }, { query });
    expect(answer.Invoices.map((each: Json) => each.StatusAttributeString)).toEqual([
      "OK",
      "ERROR",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("error answers", () => {
  test("a refused record is answered in XML and in JSON with all its faults", async () => {
    const given = await world();
    const body = { Code: "x".repeat(31), Name: "y".repeat(51) };
    const json = await given.ask("PUT", "/Items", body);
    expect(json.json).toEqual({
      ErrorNumber: 10,
      Type: "ValidationException",
      Message: "A validation exception occurred",
      Elements: [
        {
          ItemID: zero,
          ...body,
          ValidationErrors: [
            { Message: "Code may have at most 30 characters, not 31.", Rule: "Form" },
            { Message: "Name may have at most 50 characters, not 51.", Rule: "Form" },
          ],
        },
      ],
    });
    const { text, headers, status } = await given.ask("PUT", "/Items", body, {
      headers: { accept: "text/xml" },
    });
    expect([status, headers["content-type"]]).toEqual([400, "text/xml; charset=utf-8"]);
    expect(text).toMatch(
      /^<ApiException [^>]*><ErrorNumber>10<\/ErrorNumber><Type>ValidationException<\/Type><Message>A validation exception occurred<\/Message><Elements><DataContractBase xsi:type="Item">/,
    );
    expect(text.match(/<ValidationError><Message>/g)).toHaveLength(2);
  });

  test("the answer to a partly refused batch contains only the refused records, with their ids", async () => {
    const given = await world();
    const made = await invoiced(given);
    const Invoices = [sale(made.Contact), { InvoiceID: made.InvoiceID, LineItems: [] }];
    const { json } = await given.ask("POST", "/Invoices", { Invoices });
    expect(json.Elements.map((each: Json) => each.InvoiceID)).toEqual([made.InvoiceID]);
  });

  test("SummarizeErrors=false in XML marks each record with a status attribute", async () => {
    const given = await world();
    const party = await contact(given);
    const Invoices = [
      sale(party),
      sale(party, { LineItems: [] }),
      sale(party, { Type: "ACCPAY", Reference: "dropped", LineItems: [{ Description: "x" }] }),
    ];
    const options = { query: { summarizeerrors: "False" }, headers: { accept: "text/xml" } };
    const { text, status } = await given.ask("PUT", "/Invoices", { Invoices }, options);
    expect(status).toBe(200);
    expect(text.match(/<Invoice status="(\w+)">/g)).toEqual([
      '<Invoice status="OK">',
      '<Invoice status="ERROR">',
      '<Invoice status="WARNING">',
    ]);
    expect(text).toContain(
      "<ValidationErrors><ValidationError><Message>One or more line items must be specified</Message>" +
        "<Rule>Required</Rule></ValidationError></ValidationErrors>",
    );
    expect(text).toContain("<Warnings><Warning><Message>Reference is kept on sales invoices only");
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(2);
  });

  test("answers with 404 or 501 give the reason, in the requested format", async () => {
    const given = await world();
    const missing = await given.ask("GET", "/Nothing");
    expect(missing.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(missing.json).toMatchObject({
      status: 404,
      title: "Not Found",
      detail: "The resource you're looking for cannot be found",
    });
    const plain = await given.ask("GET", "/Nothing", undefined, {
      headers: { accept: "text/xml" },
    });
    expect(plain.text).toBe("The resource you're looking for cannot be found");
    const absent = await given.ask("DELETE", "/Contacts");
    expect(absent.json).toMatchObject({
      ErrorNumber: 20,
      Type: "ApiMethodNotImplementedException",
      Message: "The Api Method called is not implemented",
    });
  });

  test.each<[string, string, Record<string, string>, number]>([
    ["/Invoices", "a field nobody knows", { where: "Foo==1" }, 16],
    ["/Invoices", "a condition that ends early", { where: "Status==" }, 16],
    ["/Invoices", "an order nobody knows", { order: "Foo" }, 16],
    ["/Invoices", "a line", { where: 'LineItems.Description=="x"' }, 16],
    ["/Invoices", "a page before the first", { page: "-1" }, 10],
    ["/Invoices", "a page that is no number", { page: "one" }, 10],
    ["/Invoices", "a page size of 1001", { pageSize: "1001" }, 10],
    ["/Invoices", "a boolean that is none", { createdByMyApp: "yes" }, 10],
    ["/Contacts", "a boolean that is none", { includeArchived: "2" }, 10],
    ["/Reports/ProfitAndLoss", "no date", { fromDate: "soon" }, 10],
  ])("%s with %s in its query is refused", async (path, _name, query, number) => {
    const answer = await (await world()).ask("GET", path, undefined, { query });
    expect([answer.status, answer.json.ErrorNumber]).toEqual([400, number]);
  });

  test("an unknown field in a where filter is reported by its name and record type", async () => {
    const answer = await (await world()).ask("GET", "/Invoices", undefined, {
      query: { where: "Foo==1" },
    });
    expect(answer.json.Message).toContain("No property or field 'Foo' exists in type 'Invoice'");
  });
});

// --- who asks --------------------------------------------------------------------------------

function serviceFor(given: World, principal: object | Error, store = given.book.store) {
  const { org } = given.book;
  return createService({
    store,
    clock: () => given.now,
    newId: () => nowhere,
    responseId: () => nowhere,
    mailer: async () => undefined,
    baseUrl: "http://x",
    publicUrl: "http://x",
    planKey: planKeyInMemory(),
    server: serverOf(store),
    authenticate: () => {
      if (principal instanceof Error) throw principal;
      return {
        org,
        app: "other",
        appName: "Other",
        user: "U",
        email: "u@x.example",
        reports: true,
        role: "STANDARD" as const,
        scopes: "all" as const,
        ...principal,
      };
    },
  });
}

const get = { method: "GET", query: [], headers: {} };

describe("permissions of callers", () => {
  test("answers with 401 and 403 are JSON for any Accept header, with keys in both letter cases", async () => {
    const given = await world();
    const signedOut = serviceFor(
      given,
      new AuthError("TokenExpired", "token expired at 03/02/2026 21:14:07"),
    );
    const answer = await signedOut.transport({ ...get, path: "/Invoices" });
    expect([answer.status, answer.headers["content-type"]]).toEqual([
      401,
      "application/json; charset=utf-8",
    ]);
    expect(JSON.parse(String(answer.body))).toMatchObject({
      Title: "Unauthorized",
      Status: 401,
      Detail: "TokenExpired: token expired at 03/02/2026 21:14:07",
      Instance: nowhere,
      title: "Unauthorized",
      status: 401,
    });
    const standard = serviceFor(given, { reports: false });
    for (const path of [
      "/Reports/ProfitAndLoss",
      "/reports",
      "/Reports/x",
      "/journals",
      "/Journals/1",
    ]) {
      const refused = await standard.transport({ ...get, path });
      expect(refused.status).toBe(403);
      expect(JSON.parse(String(refused.body)).Detail).toBe(
        "You are not permitted to access this resource without the reporting role or higher privileges",
      );
    }
    expect((await standard.transport({ ...get, path: "/Invoices" })).status).toBe(200);
  });

  test("the parameter createdByMyApp lists only the invoices created by the calling app", async () => {
    const given = await world();
    await invoiced(given);
    const query = { CREATEDBYMYAPP: "true" };
    expect((await given.ok("GET", "/Invoices", undefined, { query })).Invoices).toHaveLength(1);
    const other = serviceFor(given, {});
    const answer = await other.transport({
      ...get,
      path: "/Invoices",
      query: [["createdByMyApp", "True"]],
      headers: { accept: "application/json" },
    });
    expect(JSON.parse(String(answer.body)).Invoices).toEqual([]);
    // Elsewhere it means nothing.
    for (const path of [
      "/Contacts",
      "/Items",
      "/Payments",
      "/Accounts",
      "/TaxRates",
      "/TrackingCategories",
    ]) {
      await given.ok("GET", path, undefined, { query });
    }
  });

  test("an internal error is logged, and its answer has no details", async () => {
    const given = await world();
    const broken = createService({
      store: { ...given.book.store, read: () => Promise.reject(new Error("secret")) },
      clock: () => 0,
      newId: () => nowhere,
      responseId: () => nowhere,
      mailer: async () => undefined,
      baseUrl: "",
      publicUrl: "",
      planKey: planKeyInMemory(),
      server: serverOf(given.book.store),
      authenticate: () => ({
        org: 1,
        app: "a",
        appName: "a",
        user: "u",
        email: "e",
        reports: true,
        role: "STANDARD" as const,
        scopes: "all" as const,
      }),
      report: (error) => void seen.push(String(error)),
    });
    const seen: string[] = [];
    const answer = await broken.transport({ ...get, path: "/Items" });
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(seen).toEqual(["Error: secret"]);
  });
});

describe("two writes of one record", () => {
  test("the later of two writes to a record has the later modification time, whatever their request order", async () => {
    const given = await world();
    const { ContactID } = await contact(given);
    const { store } = given.book;
    const turn = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const slow = serviceFor(
      given,
      {},
      {
        ...store,
        write: async (...asked) => {
          waits.resolve();
          await turn.promise;
          return store.write(...asked);
        },
      },
    );
    const body = new TextEncoder().encode(JSON.stringify({ FirstName: "Asked for first" }));
    const headers = { "content-type": "application/json" };
    const path = `/Contacts/${ContactID}`;
    const first = slow.transport({ ...get, method: "POST", path, headers, body });
    await waits.promise;
    given.now += 60_000;
    await given.ok("POST", path, { LastName: "Done first" });
    const polled = new Date(given.now + 1000).toISOString();
    given.now += 60_000;
    turn.resolve();
    expect((await first).status).toBe(200);
    const since = { headers: { "if-modified-since": polled } };
    const { Contacts } = await given.ok("GET", "/Contacts", undefined, since);
    expect(Contacts).toMatchObject([{ FirstName: "Asked for first", LastName: "Done first" }]);
  });
});

describe("requests repeated with an idempotency key", () => {
  const headers = { "idempotency-key": "k" };

  test("a refused request repeated with its idempotency key is refused again, even if the cause is gone", async () => {
    const given = await world();
    const body = sale({ ContactID: nowhere });
    const first = await given.ask("PUT", "/Invoices", body, { headers });
    expect(first.status).toBe(400);
    const second = await given.ask("PUT", "/Invoices", body, { headers });
    expect([second.status, second.text]).toEqual([400, first.text]);
    const other = await given.ask("PUT", "/Invoices", sale(await contact(given)), { headers });
    expect(other.json.Elements[0].ValidationErrors[0].Message).toBe(
      "This Idempotency-Key was used with a different request.",
    );
    const missing = await given.ask(
      "POST",
      `/Invoices/${nowhere}`,
      { Reference: "x" },
      { headers: { "idempotency-key": "m" } },
    );
    expect(missing.status).toBe(404);
  });

  test("DELETE repeated with its idempotency key is answered as before; without a key it finds no record", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", { Code: "A" });
    const remove = (more = {}) => given.ask("DELETE", "/Items/A", undefined, more);
    expect([(await remove({ headers })).status, (await remove({ headers })).status]).toEqual([
      204, 204,
    ]);
    expect((await remove()).status).toBe(404);
    expect((await given.ask("DELETE", "/Items/B", undefined, { headers })).status).toBe(400);
  });

  test("an idempotency key can be used for another request after six minutes", async () => {
    const given = await world();
    const body = sale(await contact(given));
    await given.ok("PUT", "/Invoices", body, { headers });
    given.now += 6 * 60_000 + 1;
    await given.ok("PUT", "/Invoices", { ...body, Reference: "x" }, { headers });
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(2);
  });

  test("an expired idempotency key can be used again before its stored answer is removed", async () => {
    const given = await world();
    const body = sale(await contact(given));
    const ask = (reference: string, key: string) =>
      given.ok(
        "PUT",
        "/Invoices",
        { ...body, Reference: reference },
        { headers: { "idempotency-key": key } },
      );
    const [first] = (await ask("a", "k")).Invoices;
    given.now += 6 * 60_000 - 20_000;
    await ask("b", "other");
    given.now += 20_001;
    const [again] = (await ask("a", "k")).Invoices;
    expect(again.InvoiceID).not.toBe(first.InvoiceID);
    const [repeated] = (await ask("a", "k")).Invoices;
    expect(repeated.InvoiceID).toBe(again.InvoiceID);
  });

  test("simultaneous requests with one idempotency key are done once, and all get the same answer", async () => {
    const given = await world();
    const body = sale(await contact(given));
    const ask = () => given.ask("PUT", "/Invoices", body, { headers });
    const answers = await Promise.all([
      ask(),
      ask(),
      given.ask("PUT", "/Items", { Code: "A" }),
      ask(),
    ]);
    const [first, second, , last] = answers.map(({ text }) => text);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([second, last]).toEqual([first, first]);
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  });

  test("a dry run returns the answer stored for its idempotency key, and does not use up a new key", async () => {
    const given = await world();
    const body = sale(await contact(given));
    const ask = (more: object, own: object) =>
      given.ask("PUT", "/Invoices", { ...body, ...more }, { headers: { ...headers, ...own } });
    const dry = { "x-dry-run": "true" };
    expect((await ask({ Reference: "x" }, dry)).status).toBe(200);
    const first = await ask({}, {});
    expect(first.status).toBe(200);
    expect((await ask({}, dry)).text).toBe(first.text);
    expect((await ask({ Reference: "x" }, dry)).status).toBe(400);
    expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  });

  test("an idempotency key has 1 to 128 characters, and is ignored on a read", async () => {
    const given = await world();
    const body = { Code: "A" };
    const long = { "idempotency-key": "x".repeat(129) };
    expect((await given.ask("PUT", "/Items", body, { headers: long })).status).toBe(400);
    expect(
      (await given.ask("PUT", "/Items", body, { headers: { "idempotency-key": "" } })).status,
    ).toBe(400);
    expect((await given.ask("GET", "/Items", undefined, { headers: long })).status).toBe(200);
    await given.ok("PUT", "/Items", body, { headers: { "idempotency-key": "x".repeat(128) } });
  });

  test("a request to email repeated with its idempotency key sends one email", async () => {
    const given = await world();
    const made = await invoiced(given, {
      Status: "AUTHORISED",
      Contact: { ContactID: (await contact(given, { EmailAddress: "a@x.example" })).ContactID },
    });
    const path = `/Invoices/${made.InvoiceID}/Email`;
    for (let i = 0; i < 2; i += 1)
      expect((await given.ask("POST", path, {}, { headers })).status).toBe(204);
    expect(given.mail).toHaveLength(1);
  });
});
