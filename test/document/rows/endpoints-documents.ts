/** Endpoints: Invoices, PurchaseOrders. */
import { expect } from "vitest";
import { textOf } from "../../../src/wire/body.ts";
import type { Json } from "../../service/fixture.ts";
import { at, type Heading, type Row } from "../row.ts";

type Desk = Parameters<Row["check"]>[0];

/** The InvoiceNumbers that a list holds, sorted. */
const numbers = async (desk: Desk, query: Record<string, string>) =>
  (await desk.read("/Invoices", query)).map((each) => each.InvoiceNumber).sort();

async function fourInvoices(desk: Desk) {
  const ada = await desk.contact({ Name: "Ada", ContactNumber: "A-1" });
  const made = [
    await desk.invoice({ Contact: ada, Reference: "spring", Date: "2026-01-05" }),
    await desk.invoice({ Contact: ada, Status: "SUBMITTED", Date: "2026-02-05" }),
    await desk.approved({ Date: "2026-03-05" }),
    await desk.put("/Invoices", await desk.bill({ InvoiceNumber: "B-9", Date: "2026-03-06" })),
  ];
  return { ada, made };
}

const text = { headers: { "content-type": "text/plain" } };

/** Of a record that keeps a history: reading it, and noting in it. */
export function histories(collection: string, make: (desk: Desk) => Promise<string>): Row[] {
  return [
    at(`GET /${collection}/{id}/History`, "lists what was done, by whom", async (desk) => {
      const records = await desk.read(`/${collection}/${await make(desk)}/History`);
      expect(records.length).toBeGreaterThan(0);
      expect(records.at(-1)).toMatchObject({ User: "Tess Tester", Changes: expect.anything() });
    }),
    at(`PUT /${collection}/{id}/History`, "adds a note, which then stands there", async (desk) => {
      const path = `/${collection}/${await make(desk)}/History`;
      const noted = await desk.put(path, { Details: "Rang & asked" });
      expect(noted.Details).toBe("Rang & asked");
      expect((await desk.read(path))[0]).toMatchObject({ Details: "Rang & asked" });
    }),
  ];
}

const optimised: readonly [field: string, value: (made: Json) => string][] = [
  ["Status", () => '"DRAFT"'],
  ["InvoiceID", (made) => `Guid("${made.InvoiceID}")`],
  ["InvoiceNumber", (made) => `"${made.InvoiceNumber}"`],
  ["Date", () => "DateTime(2026, 01, 05)"],
  ["Reference", () => '"spring"'],
  ["Contact.ContactID", (made) => `Guid("${made.Contact.ContactID}")`],
  ["Contact.Name", () => '"Ada"'],
  ["Contact.ContactNumber", () => '"A-1"'],
  ["Type", () => '"ACCREC"'],
];

export const invoices: Heading = {
  heading: "Endpoints: Invoices",
  rows: [
    at(
      "GET /Invoices",
      "takes IDs, InvoiceNumbers, ContactIDs and Statuses, in commas",
      async (desk) => {
        const { ada, made } = await fourInvoices(desk);
        const [first, second, third] = made;
        const two = [first, second].map((each) => each.InvoiceNumber).sort();
        expect(await numbers(desk, { IDs: `${first.InvoiceID},${second.InvoiceID}` })).toEqual(two);
        expect(await numbers(desk, { InvoiceNumbers: two.join() })).toEqual(two);
        expect(await numbers(desk, { ContactIDs: ada.ContactID })).toEqual(two);
        expect(await numbers(desk, { Statuses: "AUTHORISED" })).toEqual([third.InvoiceNumber]);
        expect(await numbers(desk, { Statuses: "DRAFT,SUBMITTED" })).toEqual(["B-9", ...two]);
      },
    ),
    at("GET /Invoices", "takes createdByMyApp", async (desk) => {
      const { made } = await fourInvoices(desk);
      expect(await numbers(desk, { createdByMyApp: "true" })).toHaveLength(made.length);
      expect(await numbers(desk, { createdByMyApp: "false" })).toHaveLength(made.length);
    }),
    at("GET /Invoices", "takes where, order, page and If-Modified-Since", async (desk) => {
      await fourInvoices(desk);
      const query = { where: 'Type=="ACCREC"', order: "Date DESC", page: "1" };
      const dates = (await desk.read("/Invoices", query)).map((each) => each.Date);
      expect(dates).toEqual(["2026-03-05", "2026-02-05", "2026-01-05"]);
      const headers = { "if-modified-since": "2030-01-01T00:00:00" };
      expect((await desk.well("GET", "/Invoices", undefined, { headers })).records).toEqual([]);
    }),
    ...optimised.map(([field, value]) =>
      at("GET /Invoices", `is filtered by ${field}`, async (desk) => {
        const { made } = await fourInvoices(desk);
        const found = await desk.read("/Invoices", { where: `${field}==${value(made[0])}` });
        expect(found.map((each) => each.InvoiceID)).toContain(made[0].InvoiceID);
        expect(found.length).toBeLessThan(made.length);
      }),
    ),
    at("GET /Invoices/{id or InvoiceNumber}", "is one invoice, by either", async (desk) => {
      const { InvoiceID, InvoiceNumber } = await desk.invoice();
      for (const key of [InvoiceID, InvoiceNumber]) {
        expect(await desk.one(`/Invoices/${key}`)).toMatchObject({ InvoiceID, InvoiceNumber });
      }
    }),
    at(
      "GET /Invoices/{id}/OnlineInvoice",
      "is the address of a sale that is no draft",
      async (desk) => {
        const { InvoiceID } = await desk.approved();
        const found = await desk.one(`/Invoices/${InvoiceID}/OnlineInvoice`);
        expect(found.OnlineInvoiceUrl).toMatch(/^https?:\/\//);
      },
    ),
    at("PUT /Invoices", "makes one or several, and only makes", async (desk) => {
      const two = [await desk.sale(), await desk.sale()];
      const { records } = await desk.well("PUT", "/Invoices", two);
      expect(records.map((each) => each.InvoiceNumber)).toEqual(["INV-0001", "INV-0002"]);
      const { InvoiceID } = records[0];
      await desk.refused("PUT", "/Invoices", { ...two[0], InvoiceID });
    }),
    at("POST /Invoices", "makes or updates", async (desk) => {
      const made = await desk.invoice();
      const { records } = await desk.well("POST", "/Invoices", [
        { InvoiceID: made.InvoiceID, Reference: "changed" },
        await desk.sale({ Reference: "made" }),
      ]);
      expect(records.map((each) => each.Reference)).toEqual(["changed", "made"]);
      expect(records[0].InvoiceID).toBe(made.InvoiceID);
    }),
    at(
      "POST /Invoices/{id or InvoiceNumber}",
      "updates, Status and SentToContact too",
      async (desk) => {
        const { InvoiceID, InvoiceNumber } = await desk.invoice();
        await desk.post(`/Invoices/${InvoiceNumber}`, { Status: "AUTHORISED" });
        const sent = await desk.post(`/Invoices/${InvoiceID}`, { SentToContact: "true" });
        expect(sent).toMatchObject({ Status: "AUTHORISED", SentToContact: "true" });
      },
    ),
    at(
      "POST /Invoices/{id}/Email",
      "sends it to the contact and those who are included",
      async (desk) => {
        const Contact = await desk.contact({
          EmailAddress: "first@x.example",
          ContactPersons: [
            { FirstName: "In", EmailAddress: "in@x.example", IncludeInEmails: "true" },
            { FirstName: "Out", EmailAddress: "out@x.example", IncludeInEmails: "false" },
          ],
        });
        const { InvoiceID } = await desk.approved({ Contact });
        const said = await desk.ask("POST", `/Invoices/${InvoiceID}/Email`, "");
        expect(said.status).toBe(204);
        const [message] = desk.given.mail;
        const to = JSON.stringify(message?.to);
        expect(to).toMatch(/first@x\.example/);
        expect(to).toMatch(/in@x\.example/);
        expect(to).not.toMatch(/out@x/);
        expect(JSON.stringify(message)).toMatch(/tess@heron\.example/);
        expect(message?.subject).toMatch(/./);
      },
    ),
    ...histories("Invoices", async (desk) => (await desk.invoice()).InvoiceID),
    at("GET /Invoices/{id}/Attachments", "lists its files", async (desk) => {
      const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments`;
      expect(await desk.read(path)).toEqual([]);
      await desk.well("PUT", `${path}/a.txt`, "x", text);
      expect((await desk.read(path)).map((each) => each.FileName)).toEqual(["a.txt"]);
    }),
    at("GET /Invoices/{id}/Attachments/{Filename}", "is the file as it was sent", async (desk) => {
      const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments/a.txt`;
      await desk.well("PUT", path, "the bytes", text);
      desk.asked.push(`GET ${path}`);
      const headers = { accept: desk.type };
      const file = await desk.given.book.transport({ method: "GET", path, query: [], headers });
      expect(await textOf(file.body)).toBe("the bytes");
      expect(file.headers["content-type"]).toMatch(/^text\/plain/);
    }),
    ...(["PUT", "POST"] as const).map((method) =>
      at(
        `${method} /Invoices/{id}/Attachments/{Filename}`,
        "keeps a file; IncludeOnline",
        async (desk) => {
          const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments/a.txt`;
          const query = { IncludeOnline: "true" };
          const { records } = await desk.well(method, path, "x", { ...text, query });
          expect(records).toMatchObject([{ FileName: "a.txt", IncludeOnline: "true" }]);
        },
      ),
    ),
    at("POST /Invoices/{id}", "makes lines anew that come without LineItemID", async (desk) => {
      const made = await desk.invoice();
      const changed = await desk.post(`/Invoices/${made.InvoiceID}`, { LineItems: [desk.line()] });
      expect(changed.LineItems).toHaveLength(1);
      expect(changed.LineItems[0].LineItemID).not.toBe(made.LineItems[0].LineItemID);
    }),
  ],
};

const orders = async (desk: Desk, query: Record<string, string>) =>
  (await desk.read("/PurchaseOrders", query)).map((each) => each.Date);

export const purchaseOrders: Heading = {
  heading: "Endpoints: PurchaseOrders",
  rows: [
    at("GET /PurchaseOrders", "takes status, DateFrom, DateTo, order and page", async (desk) => {
      await desk.order({ Date: "2026-01-05" });
      await desk.order({ Date: "2026-02-05", Status: "AUTHORISED" });
      await desk.order({ Date: "2026-03-05" });
      expect(await orders(desk, { status: "AUTHORISED" })).toEqual(["2026-02-05"]);
      expect(await orders(desk, { DateFrom: "2026-02-05", order: "Date DESC" })).toEqual([
        "2026-03-05",
        "2026-02-05",
      ]);
      expect(await orders(desk, { DateTo: "2026-02-04" })).toEqual(["2026-01-05"]);
      expect(await orders(desk, { page: "2" })).toEqual([]);
      const headers = { "if-modified-since": "2030-01-01T00:00:00" };
      const none = await desk.well("GET", "/PurchaseOrders", undefined, { headers });
      expect(none.records).toEqual([]);
    }),
    at("GET /PurchaseOrders", "comes in pages of 100, asked for or not", async (desk) => {
      const { Contact } = await desk.order();
      const one = { Contact, LineItems: [desk.line({ AccountCode: "429" })] };
      await desk.well(
        "PUT",
        "/PurchaseOrders",
        Array.from({ length: 100 }, () => one),
      );
      expect(await desk.read("/PurchaseOrders")).toHaveLength(100);
      const next = await desk.read("/PurchaseOrders", { page: "2" });
      expect(next).toHaveLength(1);
      expect(next[0].LineItems).toHaveLength(1);
    }),
    at(
      "GET /PurchaseOrders/{id or PurchaseOrderNumber}",
      "is one order, also as PDF",
      async (desk) => {
        const { PurchaseOrderID, PurchaseOrderNumber } = await desk.order();
        for (const key of [PurchaseOrderID, PurchaseOrderNumber]) {
          expect((await desk.one(`/PurchaseOrders/${key}`)).PurchaseOrderID).toBe(PurchaseOrderID);
        }
        const path = `/PurchaseOrders/${PurchaseOrderID}`;
        const said = await desk.ask("GET", path, undefined, {
          headers: { accept: "application/pdf" },
        });
        expect([said.status, said.headers["content-type"]]).toEqual([200, "application/pdf"]);
      },
    ),
    at("PUT /PurchaseOrders", "makes one or several, and only makes", async (desk) => {
      const { Contact, PurchaseOrderID } = await desk.order();
      const one = { Contact, LineItems: [desk.line({ AccountCode: "429" })] };
      expect((await desk.well("PUT", "/PurchaseOrders", [one, one])).records).toHaveLength(2);
      await desk.refused("PUT", "/PurchaseOrders", { ...one, PurchaseOrderID });
    }),
    at("POST /PurchaseOrders", "makes or updates; SummarizeErrors", async (desk) => {
      const { PurchaseOrderID, Contact } = await desk.order();
      const LineItems = [desk.line({ AccountCode: "429" })];
      const query = { SummarizeErrors: "false" };
      const { records } = await desk.well(
        "POST",
        "/PurchaseOrders",
        [{ PurchaseOrderID, Reference: "x" }, { Contact, LineItems }, { Contact }],
        { query },
      );
      expect(records.map((each) => each.StatusAttributeString)).toEqual(["OK", "OK", "ERROR"]);
      expect(records[0]).toMatchObject({ PurchaseOrderID, Reference: "x" });
    }),
    at("POST /PurchaseOrders/{id}", "updates, Status and SentToContact too", async (desk) => {
      const path = `/PurchaseOrders/${(await desk.order()).PurchaseOrderID}`;
      await desk.post(path, { Status: "AUTHORISED" });
      expect((await desk.post(path, { SentToContact: "true" })).SentToContact).toBe("true");
    }),
    ...histories("PurchaseOrders", async (desk) => (await desk.order()).PurchaseOrderID),
    at(
      "POST /PurchaseOrders/{id}",
      "updates a line by its id, makes others, and deletes what is left out",
      async (desk) => {
        const LineItems = [desk.line({ AccountCode: "429" }), desk.line({ AccountCode: "429" })];
        const made = await desk.order({ LineItems });
        const [kept, gone] = made.LineItems;
        const changed = await desk.post(`/PurchaseOrders/${made.PurchaseOrderID}`, {
          LineItems: [{ ...kept, Description: "Kept" }, LineItems[0]],
        });
        expect(changed.LineItems).toHaveLength(2);
        expect(changed.LineItems[0]).toMatchObject({
          LineItemID: kept.LineItemID,
          Description: "Kept",
        });
        expect(changed.LineItems[1].LineItemID).not.toBe(gone.LineItemID);
      },
    ),
  ],
};
