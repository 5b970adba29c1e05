/** Files on records: over XML and JSON, whatever they are called and hold; whole, or not at all. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { resources } from "../../../src/resources/index.ts";
import { allRoutes } from "../../../src/service/api/routing.ts";
import { textOf } from "../../../src/wire/body.ts";
import type { ServiceRequest } from "../../../src/wire/http.ts";
import { fc, runs } from "../../support/properties.ts";
import {
  contact,
  faultsIn,
  invoiced,
  isOverPort,
  type Json,
  type World,
  world,
} from "../fixture.ts";

const encoder = new TextEncoder();
const nowhere = "11111111-1111-1111-1111-111111111111";
const MB = 1024 * 1024;

/** What is seen in the process alone; its name says why not over the port. */
const inProcess = test.skipIf(isOverPort);

interface Given extends World {
  /** Address of a sales invoice. */
  readonly on: string;
  readonly invoice: Json;
}

async function withInvoice(fields: object = {}): Promise<Given> {
  const given = await world();
  const invoice = await invoiced(given, fields);
  return Object.assign(given, { invoice, on: `/Invoices/${invoice.InvoiceID}` });
}

interface Sent {
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

type Body = string | NonNullable<ServiceRequest["body"]>;

/** Sends a file; the name stands in the address percent-encoded. */
async function send(given: Given, name: string, body: Body, sent: Sent = {}) {
  given.now += 1;
  const { type = "image/png", query = {}, headers = {}, method = "PUT" } = sent;
  const answer = await given.book.transport({
    method,
    path: `${given.on}/Attachments/${encodeURIComponent(name)}`,
    query: Object.entries(query),
    headers: {
      accept: "application/json",
      ...(type === "" ? {} : { "content-type": type }),
      ...headers,
    },
    body: typeof body === "string" ? encoder.encode(body) : body,
  });
  const text = await textOf(answer.body);
  return { status: answer.status, json: JSON.parse(text) as Json, text };
}

async function kept(given: Given, name: string, body: Body, sent: Sent = {}): Promise<Json> {
  const { status, json, text } = await send(given, name, body, sent);
  expect(status, text).toBe(200);
  expect(json.Attachments).toHaveLength(1);
  return json.Attachments[0];
}

async function refusal(given: Given, name: string, body: Body, sent: Sent = {}): Promise<string> {
  const { status, json, text } = await send(given, name, body, sent);
  expect(status, text).toBe(400);
  return sentence(json);
}

/** What a refusal says, whether of a record or of the whole request. */
function sentence({ Message, Elements = [] }: Json): string {
  return Elements[0]?.ValidationErrors[0]?.Message ?? Message;
}

async function get(given: World, path: string, headers: Record<string, string> = {}) {
  const answer = await given.book.transport({ method: "GET", path, query: [], headers });
  const parts: Uint8Array[] = [];
  if (typeof answer.body === "string") parts.push(encoder.encode(answer.body));
  else if (answer.body instanceof Uint8Array) parts.push(answer.body);
  else for await (const part of answer.body) parts.push(part);
  return { ...answer, bytes: Buffer.concat(parts) };
}

const listed = async (given: Given): Promise<Json[]> =>
  (await given.ok("GET", `${given.on}/Attachments`)).Attachments;

/** What stands in an address after the API root. */
const pathOf = (url: string) => url.slice(url.indexOf("/Invoices/"));

describe("attached files", () => {
  test("an attached file is returned with its summary, listed, and downloaded byte by byte", async () => {
    const given = await withInvoice();
    const bytes = randomBytes(3000);
    const file = await kept(given, "kiln photo.png", bytes);
    expect(file).toEqual({
      AttachmentID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      FileName: "kiln photo.png",
      Url: expect.stringMatching(
        `^https?://.+/Invoices/${given.invoice.InvoiceID}/Attachments/kiln%20photo\\.png$`,
      ),
      MimeType: "image/png",
      ContentLength: 3000,
    });
    expect(await listed(given)).toEqual([file]);
    for (const path of [
      pathOf(file.Url),
      `${given.on}/attachments/kiln%20photo.png`,
      `${given.on}/Attachments/${file.AttachmentID}`,
      `${given.on}/Attachments/${file.AttachmentID.toUpperCase()}`,
      `/Invoices/${given.invoice.InvoiceNumber}/Attachments/kiln%20photo.png`,
    ]) {
      const got = await get(given, path);
      expect(got.status).toBe(200);
      expect(got.bytes.equals(bytes)).toBe(true);
      expect(got.headers).toMatchObject({
        "content-type": "image/png",
        "content-length": "3000",
        "content-disposition": 'attachment; filename="kiln photo.png"',
        "x-content-type-options": "nosniff",
      });
    }
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an attached file is returned and listed in XML too", async () => {
    const given = await withInvoice();
    const { text } = await given.ask("PUT", `${given.on}/Attachments/a%26b.txt`, "abc", {
      headers: { accept: "text/xml", "content-type": "text/plain" },
      query: { IncludeOnline: "true" },
    });
    expect(text).toMatch(
      /<Attachments><Attachment><AttachmentID>[^<]+<\/AttachmentID><FileName>a&amp;b\.txt<\/FileName><Url>[^<]+\/a%26b\.txt<\/Url><MimeType>text\/plain<\/MimeType><ContentLength>3<\/ContentLength><IncludeOnline>true<\/IncludeOnline><\/Attachment><\/Attachments>/,
    );
    const list = await get(given, `${given.on}/Attachments/`, { accept: "text/xml" });
    expect(list.headers["content-type"]).toBe("text/xml; charset=utf-8");
    expect(String(list.bytes)).toContain("<FileName>a&amp;b.txt</FileName>");
  });

  test.each(["application/json", "text/xml", "application/pdf", "image/*"])(
    "an attached file is downloaded unchanged with Accept: %s",
    async (accept) => {
      const given = await withInvoice();
      await kept(given, "a.html", "<b>", { type: "text/html; charset=utf-8" });
      const got = await get(given, `${given.on}/Attachments/a.html`, { accept });
      expect(got.headers["content-type"]).toBe("text/html; charset=utf-8");
      // Never shown by a browser under the address of the service.
      expect(got.headers["content-disposition"]).toMatch(/^attachment;/);
      expect(String(got.bytes)).toBe("<b>");
    },
  );

  test("a file attached by PUT or POST under an existing name replaces that file and keeps its id", async () => {
    const given = await withInvoice();
    const first = await kept(given, "a.png", "first", { query: { IncludeOnline: "true" } });
    const second = await kept(given, "a.png", "the second", { type: "text/plain", method: "POST" });
    expect(first.IncludeOnline).toBe(true);
    expect(second).toEqual({
      AttachmentID: first.AttachmentID,
      FileName: "a.png",
      Url: first.Url,
      MimeType: "text/plain",
      ContentLength: 10,
    });
    expect(await listed(given)).toEqual([second]);
    expect(String((await get(given, pathOf(first.Url))).bytes)).toBe("the second");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a file attached again unchanged only updates its media type and flags", async () => {
    const given = await withInvoice();
    const first = await kept(given, "a.png", "same");
    const again = await kept(given, "a.png", "same", { query: { IncludeOnline: "true" } });
    expect(again).toEqual({ ...first, IncludeOnline: true });
    expect(String((await get(given, pathOf(first.Url))).bytes)).toBe("same");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a file attached without a Content-Type gets the type application/octet-stream", async () => {
    const given = await withInvoice();
    expect((await kept(given, "a", "x", { type: "" })).MimeType).toBe("application/octet-stream");
  });

  test.each(["png", "image/", "a b/c", "image/png\r\nset-cookie: a=b", `a/${"b".repeat(300)}`])(
    "a file attached with the media type %j is refused",
    async (type) => {
      const given = await withInvoice();
      expect(await refusal(given, "a.png", "x", { type })).toMatch(/must be a media type/);
    },
  );

  test("an empty file is refused as an attachment", async () => {
    const given = await withInvoice();
    expect(await refusal(given, "a.png", "")).toBe(
      "The file a.png is empty; send its bytes as the body of the request.",
    );
  });

  test("an attached file of more than 25 MB is refused and not stored", async () => {
    const given = await withInvoice();
    const most = 25 * MB;
    const message = "A file has at most 26214400 bytes.";
    expect((await kept(given, "a.bin", Buffer.alloc(most, 7))).ContentLength).toBe(most);
    expect(await refusal(given, "b.bin", Buffer.alloc(most + 1))).toBe(message);
    expect(await listed(given)).toHaveLength(1);
  });

  test("an attachment that does not exist, or belongs to another record, is answered as not found", async () => {
    const given = await withInvoice();
    const file = await kept(given, "a.png", "x");
    const other = await invoiced(given);
    for (const path of [
      `${given.on}/Attachments/b.png`,
      `${given.on}/Attachments/A.PNG`,
      `${given.on}/Attachments/${nowhere}`,
      `/Invoices/${other.InvoiceID}/Attachments/a.png`,
      `/Invoices/${other.InvoiceID}/Attachments/${file.AttachmentID}`,
      `/Invoices/${nowhere}/Attachments/a.png`,
      `/Invoices/${nowhere}/Attachments`,
    ]) {
      expect((await get(given, path)).status, path).toBe(404);
    }
    const on = `/Invoices/${nowhere}`;
    expect((await send({ ...given, on }, "a.png", "x")).status).toBe(404);
  });

  test("an attached file can be deleted by its name or id, with its stored bytes", async () => {
    const given = await withInvoice();
    const first = await kept(given, "a (1).png", "x");
    const second = await kept(given, "b.png", "yy");
    const removed = await given.ok("DELETE", `${given.on}/Attachments/a%20%281%29.png`);
    expect(removed.Attachments).toEqual([first]);
    expect(await listed(given)).toEqual([second]);
    expect((await given.ok("GET", given.on)).Invoices[0].HasAttachments).toBe(true);
    await given.ok("DELETE", `${given.on}/Attachments/${second.AttachmentID}`);
    const [after] = (await given.ok("GET", given.on)).Invoices;
    expect(after.HasAttachments).toBe(false);
    expect(after.UpdatedDateUTC).toBe(given.invoice.UpdatedDateUTC);
    expect((await get(given, `${given.on}/Attachments/b.png`)).status).toBe(404);
    const { HistoryRecords } = await given.ok("GET", `${given.on}/History`);
    expect(HistoryRecords.slice(0, 2)).toMatchObject([
      {
        Changes: "Removed a file",
        Details: expect.stringMatching(
          `^The file b\\.png \\(2 bytes\\) was removed; its AttachmentID was ${second.AttachmentID}, its SHA-256 [0-9a-f]{64}\\.$`,
        ),
      },
      { Changes: "Removed a file" },
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("deleting a missing attachment is answered as not found, and a dry run deletes no attachment", async () => {
    const given = await withInvoice();
    const file = await kept(given, "a.png", "x");
    expect((await given.ask("DELETE", `${given.on}/Attachments/b.png`)).status).toBe(404);
    await given.ok("DELETE", `${given.on}/Attachments/a.png`, undefined, {
      headers: { "x-dry-run": "true" },
    });
    expect(await listed(given)).toEqual([file]);
  });

  test("an attached file is shown with its record when read alone, and not in lists", async () => {
    const given = await withInvoice();
    expect((await given.ok("GET", given.on)).Invoices[0]).not.toHaveProperty("Attachments");
    const file = await kept(given, "a&b.png", "x", { query: { IncludeOnline: "true" } });
    const [read] = (await given.ok("GET", given.on)).Invoices;
    expect(read.Attachments).toEqual([file]);
    expect(file.IncludeOnline).toBe(true);
    const xml = String((await get(given, given.on, { accept: "text/xml" })).bytes);
    expect(xml).toContain(
      `<Attachments><Attachment><AttachmentID>${file.AttachmentID}</AttachmentID><FileName>a&amp;b.png</FileName>`,
    );
    for (const query of [undefined, { page: "1" }]) {
      const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query });
      expect(Invoices[0]).not.toHaveProperty("Attachments");
    }
    // What callers send back of it is ignored.
    await given.ok("POST", given.on, { Reference: "new", Attachments: [] });
    expect((await given.ok("GET", given.on)).Invoices[0].Attachments).toEqual([file]);
  });

  test("PUT, POST and DELETE on the list of attachments are answered as not implemented", async () => {
    const given = await withInvoice();
    await kept(given, "a.png", "x");
    for (const [method, path] of [
      ["DELETE", `${given.on}/Attachments`],
      ["PUT", `${given.on}/Attachments`],
      ["POST", `${given.on}/Attachments/`],
    ] as const) {
      expect((await given.ask(method, path)).status).toBe(501);
    }
    expect(await listed(given)).toHaveLength(1);
  });
});

describe("a record with attached files", () => {
  test("an eleventh attached file of a record is refused, but any of the ten can be replaced", async () => {
    const given = await withInvoice();
    for (let count = 1; count <= 10; count += 1) await kept(given, `${count}.png`, `${count}`);
    expect(await refusal(given, "11.png", "x")).toBe(
      "The invoice has 10 files, the most that it may have; " +
        "replace one of them by sending it under the same name.",
    );
    await kept(given, "3.png", "changed");
    expect((await listed(given)).map((file) => file.FileName)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1}.png`),
    );
  });

  test("attaching a file sets HasAttachments on the record without changing its modification time", async () => {
    const given = await withInvoice();
    expect(given.invoice.HasAttachments).toBe(false);
    await kept(given, "a.png", "x");
    const [after] = (await given.ok("GET", given.on)).Invoices;
    expect(after.HasAttachments).toBe(true);
    expect(after.UpdatedDateUTC).toBe(given.invoice.UpdatedDateUTC);
    // Nor does it forget them when it is changed.
    await given.ok("POST", given.on, { Reference: "new", HasAttachments: false });
    expect((await given.ok("GET", given.on)).Invoices[0].HasAttachments).toBe(true);
    const query = { where: "HasAttachments==true" };
    expect((await given.ok("GET", "/Invoices", undefined, { query })).Invoices).toHaveLength(1);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("attached and replaced files are listed in the history of their record", async () => {
    const given = await withInvoice();
    const { AttachmentID } = await kept(given, "a.png", "x", { query: { IncludeOnline: "true" } });
    await kept(given, "a.png", "longer");
    const { HistoryRecords } = await given.ok("GET", `${given.on}/History`);
    expect(HistoryRecords.slice(0, 2)).toMatchObject([
      {
        Changes: "Replaced a file",
        Details: `The file a.png (6 bytes) was replaced; its AttachmentID is ${AttachmentID}.`,
        User: "Tess Tester",
      },
      {
        Changes: "Attached a file",
        Details: `The file a.png (1 byte, shown with the invoice online) was attached; its AttachmentID is ${AttachmentID}.`,
      },
    ]);
  });

  test("a file can be attached to a void record", async () => {
    const given = await withInvoice({ Status: "AUTHORISED" });
    await given.ok("POST", given.on, { Status: "VOIDED" });
    await kept(given, "a.png", "x");
    expect(await listed(given)).toHaveLength(1);
  });

  test("every kind of record that is documented with attachments accepts them", async () => {
    const given = await withInvoice();
    const party = await contact(given);
    const account = (await given.ok("GET", "/Accounts")).Accounts[0];
    for (const on of [`/Contacts/${party.ContactID}`, `/Accounts/${account.AccountID}`]) {
      const there = { ...given, on, now: given.now + 1 };
      const file = await kept(there, "a.png", "x");
      expect(file.Url.endsWith(`${on}/Attachments/a.png`)).toBe(true);
      expect(String((await get(given, `${on}/Attachments/a.png`)).bytes)).toBe("x");
      const record = Object.values<Json>(await given.ok("GET", on)).find(Array.isArray)?.[0];
      expect(record.HasAttachments).toBe(true);
    }
    const expected = resources
      .filter((resource) => resource.attachments !== undefined)
      .flatMap(({ plural, id }) => [
        `DELETE /${plural}/{${id}}/Attachments/{FileName}`,
        `GET /${plural}/{${id}}/Attachments`,
        `GET /${plural}/{${id}}/Attachments/{FileName}`,
        `POST /${plural}/{${id}}/Attachments/{FileName}`,
        `PUT /${plural}/{${id}}/Attachments/{FileName}`,
      ]);
    const found = allRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .filter((line) => line.includes("/Attachments"));
    expect(found.sort()).toEqual(expected.sort());
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each([
    [
      "a bill",
      async (given: World) => `/Invoices/${(await invoiced(given, { Type: "ACCPAY" })).InvoiceID}`,
    ],
    ["a contact", async (given: World) => `/Contacts/${(await contact(given)).ContactID}`],
  ])(
    "a file attached to %s is refused with IncludeOnline, which is for sales documents",
    async (_name, address) => {
      const given = await withInvoice();
      const there = { ...given, on: await address(given) };
      const online = { query: { IncludeOnline: "true" } };
      expect(await refusal(there, "a.png", "x", online)).toMatch(/^IncludeOnline is for sales/);
      expect(await listed(there)).toEqual([]);
      await kept(there, "a.png", "x", { query: { IncludeOnline: "false" } });
      expect(await refusal(there, "a.png", "x", { query: { IncludeOnline: "maybe" } })).toMatch(
        /must be true or false/,
      );
    },
  );
});

test("IncludeOnline is accepted on files of a sales credit note, and refused on a purchase credit note", async () => {
  const given = await withInvoice();
  const party = await contact(given);
  const online = { query: { IncludeOnline: "true" } };
  const credit = async (Type: string) => {
    const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
      Type,
      CreditNoteNumber: Type,
      Contact: { ContactID: party.ContactID },
      Date: "2026-03-01",
      LineItems: [{ Description: "Back", Quantity: 1, UnitAmount: 10, AccountCode: "200" }],
    });
    return { ...given, on: `/CreditNotes/${CreditNotes[0].CreditNoteID}` };
  };
  const sales = await credit("ACCRECCREDIT");
  expect((await kept(sales, "a.png", "x", online)).IncludeOnline).toBe(true);
  expect((await given.ok("GET", sales.on)).CreditNotes[0].HasAttachments).toBe(true);
  const purchase = await credit("ACCPAYCREDIT");
  expect(await refusal(purchase, "a.png", "x", online)).toMatch(/^IncludeOnline is for sales/);
  expect(await faultsIn(given)).toEqual([]);
});

describe("names of attached files", () => {
  const awkward = [
    "a b.png",
    " a.png",
    "#1.png",
    "a&b=c.png",
    "100%.png",
    "100%25.png",
    "a+b.png",
    "(a)[b]{c}.png",
    "it's.png",
    ".hidden",
    "...",
    "a;b,c.png",
    "~$a`^!@.png",
    "résumé 日本 🏺.png",
    "A".repeat(255),
    nowhere,
  ];

  test.each(awkward)("the file name %j of an attachment is stored unchanged", async (name) => {
    const given = await withInvoice();
    const file = await kept(given, name, "x");
    expect(file.FileName).toBe(name);
    expect(file.Url).toMatch(/^[\w:/.%~-]+$/);
    const got = await get(given, pathOf(file.Url));
    expect(String(got.bytes)).toBe("x");
    expect(got.headers["content-disposition"]).toMatch(/^[\x20-\x7e]*$/);
  });

  test("a file name in another Unicode normalisation form (NFC or NFD) finds the same attachment", async () => {
    const given = await withInvoice();
    const [composed, taken] = ["café.png".normalize("NFC"), "café.png".normalize("NFD")];
    const file = await kept(given, taken, "first");
    expect(file.FileName).toBe(composed);
    await kept(given, composed, "second");
    expect(await listed(given)).toHaveLength(1);
    const got = await get(given, `${given.on}/Attachments/${encodeURIComponent(taken)}`);
    expect(String(got.bytes)).toBe("second");
    expect(got.headers["content-disposition"]).toBe(
      `attachment; filename="caf_.png"; filename*=UTF-8''caf%C3%A9.png`,
    );
  });

  test.each([
    ["raw Unicode", "é日.png", "é日.png"],
    ["characters sent as they are", "a&b+c'd,e.png", "a&b+c'd,e.png"],
    ["a percent sign that encodes nothing", "100%.png", "100%.png"],
    ["a percent sign beside what is encoded", "50%%20off%20%zz%C3%A9.png", "50% off %zzé.png"],
    ["what was encoded twice, decoded once", "a%2520b.png", "a%20b.png"],
  ])("an attachment's file name may be given in a URL as %s", async (_name, sent, name) => {
    const given = await withInvoice();
    const path = `${given.on}/Attachments/${sent}`;
    const { Attachments } = await given.ok("PUT", path, "x", {
      headers: { "content-type": "image/png" },
    });
    expect(Attachments[0].FileName).toBe(name);
    expect(String((await get(given, path)).bytes)).toBe("x");
  });

  test.each([
    ...'<>:"/\\|?*\0\n\x7f\x85\ufffe'.split("").map((character) => `a${character}.png`),
    ...(isOverPort ? [] : ["a\ud800.png"]), // which no address over HTTP can hold
    ".",
    "..",
    " ",
    "A".repeat(256),
    "é".repeat(128),
  ])("the file name %j of an attachment is refused", async (name) => {
    const given = await withInvoice();
    given.now += 1;
    const encoded = name.isWellFormed() ? encodeURIComponent(name) : name;
    const answer = await given.ask("PUT", `${given.on}/Attachments/${encoded}`, "x", {
      headers: { "content-type": "image/png" },
    });
    expect(answer.status, answer.text).toBe(400);
    expect(sentence(answer.json)).toMatch(/file/);
    expect(await listed(given)).toEqual([]);
    expect(given.bugs).toEqual([]);
  });

  test("any accepted file name of an attachment finds the same bytes again", async () => {
    const given = await withInvoice();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
          fc.string({
            unit: fc.constantFrom(..." .%+&#'()[];=é\u0301\u00a0\u200fA0"),
            minLength: 1,
          }),
        ),
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        async (name, bytes) => {
          // On an invoice of its own, since one takes ten.
          const invoice = await invoiced(given);
          const there = { ...given, on: `/Invoices/${invoice.InvoiceID}` };
          const { status, json } = await send(there, name, bytes);
          expect([200, 400]).toContain(status);
          if (status === 400) {
            expect(await listed(there)).toEqual([]);
            return;
          }
          const [file] = await listed(there);
          expect(file).toEqual(json.Attachments[0]);
          expect(file.FileName).toBe(name.normalize("NFC"));
          const got = await get(given, pathOf(file.Url));
          expect(got.bytes.equals(bytes)).toBe(true);
          const xml = await get(given, `${there.on}/Attachments`, { accept: "text/xml" });
          expect(xml.status).toBe(200);
        },
      ),
      { numRuns: runs(60) },
    );
    expect(given.bugs).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("uploading a file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "acct-test-"));
    vi.stubEnv("TMPDIR", folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  /** Besides the book of the test, which lies there too. */
  const left = () => readdirSync(folder).filter((name) => !name.startsWith("acct-test-"));

  async function* slow(parts: readonly string[], broken?: Error) {
    for (const part of parts) yield encoder.encode(part);
    if (broken !== undefined) throw broken;
  }

  test("an upload in several chunks is stored as one file", async () => {
    const given = await withInvoice();
    const headers = { "content-length": "6" };
    const file = await kept(given, "a.png", slow(["ab", "", "cdef"]), { headers });
    expect(file.ContentLength).toBe(6);
    expect(String((await get(given, pathOf(file.Url))).bytes)).toBe("abcdef");
    expect(left()).toEqual([]);
  });

  test("an upload that is still arriving does not block other writes", async () => {
    const given = await withInvoice();
    async function* waiting() {
      yield encoder.encode("first");
      expect((await contact(given)).ContactID).toBeDefined();
      yield encoder.encode("second");
    }
    expect((await kept(given, "a.png", waiting())).ContentLength).toBe(11);
  });

  inProcess.each([
    ["breaks off", slow(["abc"], new Error("reset")), {}, /broke off before its end/],
    ["is shorter than it said", slow(["abc"]), { "content-length": "9" }, /was to have 9 bytes/],
    ["is longer than it said", slow(["abc"]), { "content-length": "2" }, /but 3 arrived/],
  ])(
    "an upload that %s is refused and keeps the file stored before (run without HTTP)",
    async (_name, body, headers, message) => {
      const given = await withInvoice();
      const file = await kept(given, "a.png", "former");
      expect(await refusal(given, "a.png", body, { headers })).toMatch(message);
      expect(await listed(given)).toEqual([file]);
      expect(String((await get(given, pathOf(file.Url))).bytes)).toBe("former");
      expect(left()).toEqual([]);
      expect(given.bugs).toEqual([]);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("an upload repeated with its idempotency key returns the first answer, and is stored once", async () => {
    const given = await withInvoice();
    const headers = { "idempotency-key": "k1" };
    const first = await send(given, "a.png", slow(["ab", "c"]), { headers });
    const again = await send(given, "a.png", slow(["a", "bc"]), { headers });
    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
    const { HistoryRecords } = await given.ok("GET", `${given.on}/History`);
    expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual([
      "Attached a file",
      "Created",
    ]);
    expect(await refusal(given, "a.png", "other bytes", { headers })).toBe(
      "This Idempotency-Key was used with a different request.",
    );
  });

  test("an upload in a dry run is checked, and not stored", async () => {
    const given = await withInvoice();
    const headers = { "x-dry-run": "true" };
    expect((await kept(given, "a.png", "x", { headers })).ContentLength).toBe(1);
    expect(await refusal(given, "a*.png", "x", { headers })).toMatch(/file name/);
    expect(await listed(given)).toEqual([]);
    expect((await given.ok("GET", given.on)).Invoices[0].HasAttachments).toBe(false);
  });
});

describe("downloading a file", () => {
  const piece = 256 * 1024;

  const meanwhile =
    "a download of a file that is replaced meanwhile fails, and never mixes both files";
  inProcess(`${meanwhile} (run without HTTP)`, async () => {
    const given = await withInvoice();
    const { Url } = await kept(given, "a.bin", Buffer.alloc(3 * piece, "a"));
    const { body } = await given.book.transport({
      method: "GET",
      path: pathOf(Url),
      query: [],
      headers: {},
    });
    const got: Uint8Array[] = [];
    const reading = (async () => {
      for await (const part of body as AsyncIterable<Uint8Array>) {
        got.push(part);
        if (got.length === 1) await kept(given, "a.bin", Buffer.alloc(3 * piece, "b"));
      }
    })();
    await expect(reading).rejects.toThrow(/was replaced while it was read/);
    expect(Buffer.concat(got).includes("b")).toBe(false);
  });

  test("twenty aborted downloads release their database connections, and the next write succeeds", async () => {
    const given = await withInvoice();
    const { Url } = await kept(given, "a.bin", Buffer.alloc(3 * piece, "a"));
    // More than there are connections to a book.
    for (let count = 0; count < 20; count += 1) {
      const { body } = await given.book.transport({
        method: "GET",
        path: pathOf(Url),
        query: [],
        headers: {},
      });
      for await (const _ of body as AsyncIterable<Uint8Array>) break;
    }
    expect((await contact(given)).ContactID).toBeDefined();
  });
});

/** Removes what nobody holds any longer, so that what is measured is what is held. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

inProcess(
  "a large file is uploaded and downloaded with little memory (run without HTTP)",
  { timeout: 600_000 },
  async () => {
    const given = await withInvoice();
    const size = 24 * MB;
    const collect = collector();
    const held = () => {
      // Twice: the first leaves the memory of buffers to be freed beside.
      collect();
      collect();
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      return arrayBuffers + heapUsed;
    };
    const before = held();
    let most = Number.NEGATIVE_INFINITY;
    let samples = 0;
    const sample = () => {
      samples += 1;
      if (samples % 48 === 0) most = Math.max(most, held() - before);
    };
    async function* source() {
      const part = Buffer.alloc(64 * 1024);
      for (let sent = 0; sent < size; sent += part.length) {
        part.fill(sent / part.length);
        sample();
        yield part;
      }
    }
    const { Url } = await kept(given, "large.bin", source());
    const { body } = await given.book.transport({
      method: "GET",
      path: pathOf(Url),
      query: [],
      headers: {},
    });
    let bytes = 0;
    for await (const part of body as AsyncIterable<Uint8Array>) {
      sample();
      expect(part.length).toBeLessThanOrEqual(256 * 1024);
      for (let at = 0; at < part.length; at += 64 * 1024) {
        expect(part[at]).toBe(((bytes + at) / (64 * 1024)) % 256);
      }
      bytes += part.length;
    }
    expect(bytes).toBe(size);
    expect(samples).toBeGreaterThan(400);
    expect(most).toBeLessThan(12 * MB);
  },
);
