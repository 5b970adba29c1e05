/** Documents on paper: how they are asked for. */
import { expect, test } from "vitest";
import { contact, invoiced, sale, type World, world } from "../fixture.ts";
import { readPdf } from "./pdf-text.ts";

const pdf = { headers: { accept: "application/pdf" } };

async function printed(given: World, path: string, accept = "application/pdf") {
  const headers: Record<string, string> = accept === "" ? {} : { accept };
  return given.book.transport({ method: "GET", path, query: [], headers });
}

test.each<[string, (invoice: { InvoiceID: string; InvoiceNumber: string }) => string, string]>([
  ["Accept", ({ InvoiceID }) => `/Invoices/${InvoiceID}`, "application/pdf"],
  ["Accept and a number", ({ InvoiceNumber }) => `/Invoices/${InvoiceNumber}`, "application/pdf"],
  [
    "Accept with weights",
    ({ InvoiceID }) => `/Invoices/${InvoiceID}`,
    "application/json;q=0.5, application/pdf;q=0.9",
  ],
  ["the path", ({ InvoiceID }) => `/Invoices/${InvoiceID}/pdf`, "application/json"],
  ["the path in other letters", ({ InvoiceNumber }) => `/invoices/${InvoiceNumber}/PDF/`, ""],
])("the PDF of an invoice is returned when requested by %s", async (_how, path, accept) => {
  const given = await world();
  const made = await invoiced(given);
  const answer = await printed(given, path(made), accept);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": 'inline; filename="INV-0001.pdf"',
  });
  expect(Buffer.from(answer.body as Uint8Array).toString("latin1", 0, 5)).toBe("%PDF-");
  expect(readPdf(answer.body as Uint8Array).pages.flat()).toContain("Amount due NZD");
});

test("amounts of a currency without decimal places are printed without decimals", async () => {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "JPY" });
  const yen = {
    CurrencyCode: "JPY",
    CurrencyRate: 92,
    LineItems: [{ Description: "Tea", UnitAmount: 120_000, AccountCode: "200", TaxType: "NONE" }],
  };
  const { InvoiceID } = await invoiced(given, yen);
  const { body } = await printed(given, `/Invoices/${InvoiceID}/pdf`);
  const texts = readPdf(body as Uint8Array).pages.flat();
  expect(texts.filter((text) => text.startsWith("120,000"))).not.toContain("120,000.00");
  expect(texts).toContain("120,000");
  expect(texts.join(" ")).toContain("NZD 1,304.35");
});

test("the type preferred in the Accept header is returned, and a PDF only if it is preferred", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  const typeOf = async (accept: string) =>
    (await printed(given, `/Invoices/${InvoiceID}`, accept)).headers["content-type"];
  expect(await typeOf("application/pdf;q=0.2, application/json")).toMatch(/^application\/json/);
  expect(await typeOf("*/*")).toMatch(/^text\/xml/);
});

test("a bill, a draft and a void invoice can be printed as PDF", async () => {
  const given = await world();
  const supplier = await contact(given);
  const kinds = [{ Type: "ACCPAY", InvoiceNumber: "B/10:17" }, {}, { Status: "AUTHORISED" }];
  const names: (string | undefined)[] = [];
  for (const fields of kinds) {
    const [made] = (await given.ok("PUT", "/Invoices", sale(supplier, fields))).Invoices;
    if (made.Status === "AUTHORISED") {
      await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
    }
    const { body, headers } = await printed(given, `/Invoices/${made.InvoiceID}/pdf`);
    names.push(headers["content-disposition"]);
    const mark = made.Status === "AUTHORISED" ? "VOID" : "DRAFT";
    expect(readPdf(body as Uint8Array).pages.flat()).toContain(mark);
  }
  expect(names).toEqual([
    'inline; filename="B-10-17.pdf"',
    'inline; filename="INV-0001.pdf"',
    'inline; filename="INV-0002.pdf"',
  ]);
});

test.each([
  [404, "/Invoices/INV-9999"],
  [404, "/Invoices/00000000-0000-7000-8000-999999999999/pdf"],
  [404, "/Nothing/1/pdf"],
  [404, "/Contacts/CONTACT/pdf"],
  [404, "/Invoices/pdf"],
])("the answer is %i for the PDF of %s", async (status, path) => {
  const given = await world();
  const { ContactID } = await contact(given);
  const answer = await given.ask("GET", path.replace("CONTACT", ContactID), undefined, pdf);
  expect(answer.status).toBe(status);
  expect(given.bugs).toEqual([]);
});

test("a record that has no PDF is answered as XML where only a PDF is accepted", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  const { status, text } = await given.ask("GET", `/Contacts/${ContactID}`, undefined, pdf);
  expect([status, text]).toEqual([200, expect.stringContaining(`<ContactID>${ContactID}<`)]);
});

test("a credit note can be printed as PDF, by its number", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  const [made] = (
    await given.ok("PUT", "/CreditNotes", {
      Type: "ACCRECCREDIT",
      Contact: { ContactID },
      Date: "2026-03-01",
      LineItems: [{ Description: "Mug", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    })
  ).CreditNotes;
  const { status, body, headers } = await printed(given, `/CreditNotes/${made.CreditNoteNumber}`);
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toBe(`inline; filename="${made.CreditNoteNumber}.pdf"`);
  const shown = readPdf(body as Uint8Array).pages.flat();
  expect(shown).toEqual(expect.arrayContaining(["Credit note", "DRAFT", "Mug", "115.00"]));
});

test("only GET requests are answered with a PDF", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  expect((await given.ask("POST", `/Invoices/${InvoiceID}/pdf`, {})).status).toBe(501);
  const written = await given.ask("POST", `/Invoices/${InvoiceID}`, { Reference: "x" }, pdf);
  expect([written.status, written.headers["content-type"]]).toEqual([
    200,
    "text/xml; charset=utf-8",
  ]);
});
