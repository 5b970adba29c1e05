/** Whatever comes in, by every way in: a documented answer, no failure, and nothing changed. */
import { afterAll, describe, expect, test } from "vitest";
import { type Fields, fieldAt, type Resource } from "../../src/resources/field.ts";
import { resources } from "../../src/resources/index.ts";
import { allRoutes } from "../../src/service/api/routing.ts";
import { textOf } from "../../src/wire/body.ts";
import { fc, isEveryCase, runs } from "../support/properties.ts";
import {
  faultsIn,
  invoiced,
  isOnPostgres,
  isOverPort,
  sale,
  sharedWorld,
  type World,
  world,
} from "./fixture.ts";
import { nasty } from "./fuzz-records.ts";

const documented = [200, 204, 400, 401, 403, 404, 501, 503];
const dry = { "x-dry-run": "true" };

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly query?: [string, string][];
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

/** Asks, expects an answer that is documented, and tells which. */
async function asks(given: World, asked: Asked): Promise<{ status: number; text: string }> {
  const { method = "GET", path = "/Invoices", query = [], headers = {}, body } = asked;
  const answer = await given.book.transport({
    method,
    path,
    query,
    headers: { accept: "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await textOf(answer.body);
  expect(documented, `${method} ${path}: ${text.slice(0, 300)}`).toContain(answer.status);
  expect(given.bugs).toEqual([]);
  return { status: answer.status, text };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const anyText = fc.oneof(nasty, fc.string(), fc.string({ unit: "grapheme" }));

/** Where only the way of asking, or the store, is another than in the process and on a file. */
const isElsewhere = isOverPort || isOnPostgres;
/** Whether a part of the conditions and orders is tried, which is another part for each field. */
const isPart = isElsewhere || !isEveryCase;
/** Texts in each place. */
const texts = runs(isElsewhere ? 75 : 150);

describe("any text in any part of a request", () => {
  const shared = sharedWorld(invoiced);
  afterAll(async () => expect(await faultsIn(await shared())).toEqual([]));
  const item = bytes('{"Code":"A"}');
  test.each<[string, (text: string) => Asked]>([
    ["where", (text) => ({ query: [["where", text]] })],
    ["a comparison of where", (text) => ({ query: [["where", `Reference=="${text}"`]] })],
    ["order", (text) => ({ query: [["order", text]] })],
    ["page", (text) => ({ query: [["page", text]] })],
    ["IDs", (text) => ({ query: [["IDs", text]] })],
    ["searchTerm", (text) => ({ query: [["searchTerm", text]] })],
    ["unitdp", (text) => ({ query: [["unitdp", text]] })],
    ["the name of a parameter", (text) => ({ query: [[text, "x"]] })],
    ["If-Modified-Since", (text) => ({ headers: { "if-modified-since": text } })],
    ["Accept", (text) => ({ headers: { accept: text } })],
    [
      "Content-Type",
      (text) => ({
        method: "PUT",
        path: "/Items",
        headers: { ...dry, "content-type": text },
        body: item,
      }),
    ],
    [
      "Idempotency-Key",
      (text) => ({
        method: "PUT",
        path: "/Items",
        headers: { ...dry, "idempotency-key": text },
        body: item,
      }),
    ],
    ["a segment of the path", (text) => ({ path: `/Invoices/${segment(text)}` })],
    ["a raw segment of the path", (text) => ({ path: `/Invoices/${text}` })],
    ["the path", (text) => ({ path: text })],
    ["the method", (text) => ({ method: text })],
    [
      "the name of an attachment",
      (text) => ({
        method: "PUT",
        path: `/Invoices/INV-0001/Attachments/${segment(text)}`,
        headers: { ...dry, "content-type": "text/plain" },
        body: item,
      }),
    ],
    [
      "the name of an attachment that is asked for",
      (text) => ({ path: `/Invoices/INV-0001/Attachments/${segment(text)}` }),
    ],
    ["a date of a report", (text) => ({ path: "/Reports/TrialBalance", query: [["date", text]] })],
    ["a note", (text) => ({ ...note, body: bytes(JSON.stringify({ Details: text })) })],
    ["a body of JSON", (text) => ({ ...note, body: bytes(text) })],
    ["a body of XML", (text) => ({ ...note, ...asXml, body: bytes(`<HistoryRecord>${text}`) })],
    ["a form", (text) => ({ ...note, ...asForm, body: bytes(`xml=${text}`) })],
  ])("any text sent as %s is answered without an internal error", async (_name, place) => {
    const given = await shared();
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => void (await asks(given, place(text)))),
      { numRuns: texts },
    );
  });
});

const note = { method: "PUT", path: "/Invoices/INV-0001/History", headers: { ...dry } };
const asXml = { headers: { ...dry, "content-type": "text/xml" } };
const asForm = { headers: { ...dry, "content-type": "application/x-www-form-urlencoded" } };

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

// -------------------------------------------------------------------------------------------------
// Bodies

const good = JSON.stringify({
  Invoices: [
    {
      Type: "ACCREC",
      Contact: { Name: "Zoë" },
      Date: "2026-03-01",
      LineItems: [{ Description: "a<b", Quantity: 1, UnitAmount: 2.5, AccountCode: "200" }],
    },
  ],
});
const goodXml =
  '<?xml version="1.0"?><Invoices><Invoice status="x"><Type>ACCREC</Type><Contact><Name>Zoë</Name></Contact><LineItems><LineItem><Description>a&lt;b</Description><Quantity>1</Quantity><UnitAmount>2.5</UnitAmount><AccountCode>200</AccountCode></LineItem></LineItems></Invoice></Invoices>';

const put = (body: Uint8Array | string, contentType = "application/json"): Asked => ({
  method: "PUT",
  path: "/Invoices",
  headers: { ...dry, "content-type": contentType },
  body: typeof body === "string" ? bytes(body) : body,
});

async function withZoe(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Zoë" });
  return given;
}

describe("a request body that is cut off or in another encoding", () => {
  test.each([
    ["application/json", good],
    ["text/xml", goodXml],
    ["application/x-www-form-urlencoded", `xml=${encodeURIComponent(goodXml)}`],
  ])("a request body of %s that is cut off at any byte is refused", async (type, text) => {
    const given = await withZoe();
    const whole = bytes(text);
    expect((await asks(given, put(whole, type))).status).toBe(200);
    for (let length = 0; length < whole.length; length += 1) {
      const { status } = await asks(given, put(whole.subarray(0, length), type));
      expect([length, status]).toEqual([length, 400]);
    }
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  });

  const utf16 = (text: string, { littleEndian = true, mark = true } = {}) => {
    const all = mark ? `\ufeff${text}` : text;
    const buffer = new DataView(new ArrayBuffer(all.length * 2));
    for (let at = 0; at < all.length; at += 1) {
      buffer.setUint16(at * 2, all.charCodeAt(at), littleEndian);
    }
    return new Uint8Array(buffer.buffer);
  };
  test.each<[string, number, (text: string) => Uint8Array]>([
    ["UTF-8 with a byte order mark", 200, (text) => bytes(`\ufeff${text}`)],
    ["UTF-16, little end first", 200, (text) => utf16(text)],
    ["UTF-16, big end first", 200, (text) => utf16(text, { littleEndian: false })],
    ["Latin-1", 400, (text) => Uint8Array.from(Buffer.from(text, "latin1"))],
    ["a byte that no text has", 400, (text) => Uint8Array.from([...bytes(text), 0xff])],
    ["an overlong letter", 400, (text) => Uint8Array.from([0xc0, 0xbc, ...bytes(text)])],
    ["half a surrogate", 400, (text) => Uint8Array.from([0xed, 0xa0, 0x80, ...bytes(text)])],
    [
      "UTF-16 for one without a mark",
      400,
      (text) => utf16(text.replace("<?", "<!"), { mark: false }),
    ],
  ])("a request body in %s is answered with %i", async (_name, status, encoded) => {
    const given = await withZoe();
    for (const [type, text] of [
      ["application/json", good],
      ["text/xml", goodXml],
    ] as const) {
      expect([type, (await asks(given, put(encoded(text), type))).status]).toEqual([type, status]);
    }
  });
});

const amounts = [
  "1e999",
  "-1e999",
  "1e-999",
  "9".repeat(401),
  `0.${"3".repeat(401)}`,
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "1_000",
  "1,000.00",
  "１２",
  "--1",
  "1e",
  ".",
  "-",
  "1 2",
];

describe("a number in a request", () => {
  test.each(amounts)("the number %s in a request is refused or read exactly", async (number) => {
    const given = await withZoe();
    for (const field of ["Quantity", "UnitAmount", "LineAmount", "TaxAmount", "DiscountRate"]) {
      const json = good.replace('"UnitAmount":2.5', `"UnitAmount":2.5,"${field}":${number}`);
      const text = good.replace('"UnitAmount":2.5', `"UnitAmount":2.5,"${field}":"${number}"`);
      const xml = goodXml.replace("</LineItem>", `<${field}>${number}</${field}></LineItem>`);
      for (const asked of [put(json), put(text), put(xml, "text/xml")]) await asks(given, asked);
    }
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  });
});

describe("hostile request bodies", () => {
  const nines = "[".repeat(100_000);
  const entities = Array.from(
    { length: 20 },
    (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};&e${n};">`,
  ).join("");
  test.each<[string, number, () => Asked]>([
    [
      "a bomb of entities",
      400,
      () => put(`<!DOCTYPE a [<!ENTITY e0 "x">${entities}]><Invoices>&e20;</Invoices>`, "text/xml"),
    ],
    [
      "a reference to a file",
      400,
      () =>
        put(
          '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><Invoice><Reference>&f;</Reference></Invoice>',
          "text/xml",
        ),
    ],
    ["a DOCTYPE alone", 400, () => put(`<!DOCTYPE Invoices>${goodXml.slice(21)}`, "text/xml")],
    [
      "an unknown entity",
      400,
      () => put("<Invoice><Reference>&nbsp;</Reference></Invoice>", "text/xml"),
    ],
    ["deep JSON", 400, () => put(nines)],
    ["deep XML", 400, () => put("<a>".repeat(100_000), "text/xml")],
    ["deeply nested fields", 400, () => put('{"Contact":'.repeat(1_000))],
    ["100,000 lines", 400, () => put(`{"LineItems":[${"{},".repeat(99_999)}{}]}`)],
    ["100,000 records", 400, () => put(`[${"{},".repeat(99_999)}{}]`)],
    ["10 MiB and a byte", 400, () => put(new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20))],
    ["10 MiB of one text", 400, () => put(`{"Reference":"${"x".repeat(10 * 1024 * 1024 - 17)}"}`)],
    ["the same key many times", 400, () => put(`{${'"Type":"ACCREC",'.repeat(50_000)}"Type":"X"}`)],
  ])("a request body with %s is answered with %i", async (_name, status, asked) => {
    const given = await withZoe();
    expect((await asks(given, asked())).status).toBe(status);
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"])(
    "a request full of the key %s changes no other record",
    async (key) => {
      const given = await withZoe();
      const inner = { Type: "ACCPAY", Reference: "polluted", [key]: { Reference: "polluted" } };
      const body = `{"${key}":${JSON.stringify(inner)},${good.slice(1)}`;
      await asks(given, put(body));
      const xml = goodXml.replace(
        "<Type>",
        `<${key}><Reference>polluted</Reference></${key}><Type>`,
      );
      await asks(given, put(xml, "text/xml"));
      await asks(given, {
        query: [
          [key, key],
          ["where", `${key}=="x"`],
        ],
      });
      await asks(given, { path: `/${key}` });
      await asks(given, { path: `/Invoices/${key}` });
      const [made] = (await given.ok("PUT", "/Invoices", good)).Invoices;
      expect([made.Reference, made.Type]).toEqual([undefined, "ACCREC"]);
      expect(({} as Record<string, unknown>).Reference).toBeUndefined();
    },
  );

  test("a request body with the same key twice uses one of the values or is refused, in JSON and XML", async () => {
    const given = await withZoe();
    const json = good.replace('"Type":"ACCREC"', '"Type":"ACCREC","Type":"ACCPAY"');
    const xml = goodXml.replace("</Type>", "</Type><Type>ACCPAY</Type>");
    for (const asked of [put(json), put(xml, "text/xml")]) {
      expect([200, 400]).toContain((await asks(given, asked)).status);
    }
  });
});

// -------------------------------------------------------------------------------------------------
// Conditions and orders

const filtered = resources.filter(
  (each) =>
    (each.where === true || each.order === true) &&
    allRoutes().some(({ method, path }) => method === "GET" && path === `/${each.plural}`),
);

/** Every path that a description has, kept or not, through at most two references. */
function pathsOf(fields: Fields, before: readonly string[] = []): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...before, name];
    const here = path.join(".");
    const inner = field.kind === "ref" || field.kind === "one" || field.kind === "many";
    return inner && path.length < 3 ? [here, ...pathsOf(field.fields, path)] : [here];
  });
}

const operators = ["==", "!=", "<", "<=", ">", ">="];
const operands = [
  '"x"',
  "1",
  "-1.5",
  "true",
  "null",
  'Guid("00000000-0000-7000-8000-000000000001")',
  "DateTime(2026,1,1)",
];

/**
 * Conditions on a field: with all operators and the values that a field may have, and with one and
 * the others. Elsewhere the same reader has them, so that a fifth of them is enough, which is
 * another fifth for each field.
 */
function conditionsOn(path: string, at: number): string[] {
  const isOwn = !path.includes(".");
  const all = operands.flatMap((operand, n) =>
    (n === 0 || isOwn ? operators : ["=="]).map((operator) => `${path}${operator}${operand}`),
  );
  return isPart ? all.filter((_, n) => (n + at) % 5 === 0) : all;
}

/** Either way; elsewhere one of them for each field. */
function ordersOf(path: string, at: number): string[] {
  const both = [path, `${path} DESC`];
  return isPart ? both.slice(at % 2, (at % 2) + 1) : both;
}

/** An address and its headers have 64 KiB on a port; what is longer comes in the process alone. */
const fitsPort = (text: string) => encodeURIComponent(text).length < 60_000;

const unreadable = [
  'Nothing=="x"',
  "Contact.Nothing==1",
  "1=1; drop table document",
  "') or 1=1 --",
  '" or "a"="a',
  'Status=="x" union select 1',
  "sqlite_version()",
  "t.org==1",
  "org==1",
  "kind==1",
  "Name.Contains(",
  'Name.Exec("x")',
  'Guid("x")==1',
  "DateTime(2026,13,1)==Date",
  "DateTime.Parse(1)",
  "/* */",
  "a".repeat(70_000),
  `${"(".repeat(10_000)}1==1${")".repeat(10_000)}`,
  Array.from({ length: 10_000 }, () => 'Status=="x"').join(" OR "),
].filter((text) => !isOverPort || fitsPort(text));

/** Refused as a query that cannot be read, or answered. */
async function query(given: World, { plural }: Resource, name: string, text: string) {
  const { status, text: said } = await asks(given, { path: `/${plural}`, query: [[name, text]] });
  if (status !== 200) {
    expect(status, `${plural} ${name} ${text}`).toBe(400);
    expect(said, `${plural} ${name} ${text}`).toContain("QueryParseException");
  }
  return status;
}

describe.each(filtered.map((each) => [each.plural, each] as const))(
  "where filters and orders of %s",
  (_name, resource) => {
    const shared = sharedWorld();

    if (resource.where === true) {
      test("a where filter on any field with any operator and value is answered", async () => {
        const given = await shared();
        let [read, refused] = [0, 0];
        for (const [at, path] of pathsOf(resource.fields).entries()) {
          for (const condition of conditionsOn(path, at)) {
            if ((await query(given, resource, "where", condition)) === 200) read += 1;
            else refused += 1;
          }
        }
        expect(read).toBeGreaterThan(0);
        expect(refused).toBeGreaterThan(0);
      });

      test.each(unreadable)("the where filter %.40s is refused", async (text) => {
        expect(await query(await shared(), resource, "where", text)).toBe(400);
      });
    }

    if (resource.order === true) {
      test("an order parameter on any field, in either direction, is answered", async () => {
        const given = await shared();
        let read = 0;
        for (const [at, path] of pathsOf(resource.fields).entries()) {
          for (const order of ordersOf(path, at)) {
            if ((await query(given, resource, "order", order)) === 200) read += 1;
          }
          expect(fieldAt(resource.fields, path.split("."))?.path ?? path).toBe(path);
        }
        expect(read).toBeGreaterThan(0);
      });

      test.each(["Nothing", "Name; drop table t", "1", "random()", "Name ASCENDING", ",", "t.id"])(
        "the order parameter %s is refused",
        async (text) => {
          expect(await query(await shared(), resource, "order", text)).toBe(400);
        },
      );
    }
  },
);

test("a request body of a hundred invoices with a hundred lines each is accepted", async () => {
  const given = await withZoe();
  const { Contacts } = await given.ok("GET", "/Contacts");
  const LineItems = Array.from({ length: 100 }, () => ({ Description: "x", UnitAmount: 1 }));
  const Invoices = Array.from({ length: 100 }, () => sale(Contacts[0], { LineItems }));
  const { status } = await asks(given, put(JSON.stringify({ Invoices })));
  expect(status).toBe(200);
});
