/** What the service does: the rules that hold for all of it. */
import { expect } from "vitest";
import { nowhere } from "../desk.ts";
import { type Heading, row } from "../row.ts";

const iso = /\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z?)?/;

export const general: Heading = {
  heading: "What the service does",
  rows: [
    row("every address is below the API root, which holds the version", async (desk) => {
      const { InvoiceID } = await desk.invoice();
      const { records } = await desk.well("PUT", `/Invoices/${InvoiceID}/Attachments/a.txt`, "x", {
        headers: { "content-type": "text/plain" },
      });
      expect(records[0].Url).toMatch(/\/2\.0\/Invoices\/[0-9a-f-]+\/Attachments\/a\.txt$/);
    }),
    row("bodies are XML when nothing is asked for", async (desk) => {
      const said = await desk.well("GET", "/Invoices", undefined, { headers: { accept: "" } });
      expect(said.headers["content-type"]).toMatch(/^text\/xml/);
      const made = await desk.well("PUT", "/Items", "<Item><Code>A</Code></Item>", {
        headers: { accept: "", "content-type": "" },
      });
      expect(made.records[0].Code).toBe("A");
    }),
    row("JSON is to be had, and XML by the name text/xml", async (desk) => {
      const said = await desk.well("GET", "/Invoices");
      expect(said.headers["content-type"]).toBe(`${desk.type}; charset=utf-8`);
      expect(said.text).toMatch(desk.format === "XML" ? /^</ : /^\{/);
    }),
    row("PUT creates only", async (desk) => {
      const item = await desk.put("/Items", { Code: "A" });
      expect(await desk.refused("PUT", "/Items", { Code: "A", Name: "x" })).toMatch(/exists/);
      await desk.refused("PUT", "/Items", { ItemID: item.ItemID, Code: "B" });
      const made = await desk.invoice();
      await desk.refused("PUT", "/Invoices", { InvoiceID: made.InvoiceID, Reference: "x" });
    }),
    row("POST creates or updates", async (desk) => {
      const made = await desk.post("/Items", { Code: "A", Name: "first" });
      const updated = await desk.post("/Items", { Code: "A", Name: "second" });
      expect(updated).toMatchObject({ ItemID: made.ItemID, Name: "second" });
      const sale = await desk.post("/Invoices", await desk.sale());
      const changed = await desk.post("/Invoices", { InvoiceID: sale.InvoiceID, Reference: "r" });
      expect(changed).toMatchObject({ InvoiceNumber: sale.InvoiceNumber, Reference: "r" });
    }),
    row("timestamps and dates are written as ISO 8601, and read so", async (desk) => {
      const made = await desk.invoice({ Date: "2026-02-03", DueDate: "2026-02-20T00:00:00Z" });
      expect(made).toMatchObject({ Date: "2026-02-03", DueDate: "2026-02-20" });
      expect(made.UpdatedDateUTC).toMatch(/^2026-02-28T23:00:00Z$/);
      const { text } = await desk.ask("GET", `/Invoices/${made.InvoiceID}`);
      const field = desk.format === "XML" ? /<Date>([^<]*)/ : /"DateString":"([^"]*)/;
      expect(field.exec(text)?.[1]).toMatch(iso);
    }),
    row("no related record is made as a side effect", async (desk) => {
      const unknown = { Contact: { Name: "Nobody here" } };
      await desk.refused("PUT", "/Invoices", await desk.sale(unknown));
      const LineItems = [desk.line()];
      await desk.refused("PUT", "/PurchaseOrders", { ...unknown, LineItems });
      const lines = [desk.line({ ItemCode: "NOSUCH" })];
      await desk.refused("PUT", "/Invoices", await desk.sale({ LineItems: lines }));
      expect((await desk.read("/Contacts")).map((each) => each.Name)).not.toContain("Nobody here");
      expect(await desk.read("/Items")).toEqual([]);
    }),
    row("an order names a contact that exists, by its id or its number", async (desk) => {
      const { ContactID } = await desk.contact({ ContactNumber: "C-7" });
      const LineItems = [desk.line({ AccountCode: "429" })];
      for (const Contact of [{ ContactID }, { ContactNumber: "C-7" }]) {
        const made = await desk.put("/PurchaseOrders", { Contact, LineItems });
        expect(made.Contact.ContactID).toBe(ContactID);
      }
      const Contact = { ContactID: nowhere };
      const { status } = await desk.ask("PUT", "/PurchaseOrders", { Contact, LineItems });
      expect([400, 404]).toContain(status);
    }),
    row("identifiers are GUIDs, given by the service", async (desk) => {
      const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
      const made = await desk.approved();
      const payment = await desk.pay(made);
      const order = await desk.order();
      const item = await desk.put("/Items", { Code: "A" });
      for (const each of [made.InvoiceID, payment.PaymentID, order.PurchaseOrderID, item.ItemID]) {
        expect(each).toMatch(guid);
      }
    }),
  ],
};

export const versioning: Heading = {
  heading: "Versioning",
  rows: [
    row("2.0 is a segment of the API root", async (desk) => {
      const { InvoiceID } = await desk.invoice();
      await desk.well("PUT", `/Invoices/${InvoiceID}/Attachments/b`, "x", {
        headers: { "content-type": "text/plain" },
      });
      const [file] = await desk.read(`/Invoices/${InvoiceID}/Attachments`);
      expect(new URL(file.Url).pathname.split("/")).toContain("2.0");
    }),
    row(
      "the 1099 report has two forms from 2020 on, and one before",
      async (desk) => {
        const forms = async (reportYear: string) =>
          (await desk.read("/Reports/TenNinetyNine", { reportYear })).map((each) =>
            JSON.stringify(each),
          );
        const late = (await forms("2025")).join();
        const early = (await forms("2019")).join();
        expect(late).toMatch(/NEC/);
        expect(late).toMatch(/MISC/);
        expect(early).not.toMatch(/NEC/);
      },
      "US",
    ),
  ],
};
