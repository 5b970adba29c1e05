/** Bills uploaded in the browser: drafts of e-invoices, and of any other file. */
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { answerPage } from "../../src/web/books/answer-page.ts";
import { german, issued, party, sold } from "../service/e-invoices/kinds.ts";
import { contact, type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

/** Sends the form with a file. */
async function uploaded(
  file: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array },
  fields: Readonly<Record<string, string>> = {},
  own: Browsing = pages,
) {
  const form = new URLSearchParams({ token: formToken, ...fields });
  const { status, headers, body } = await answerPage(
    own.site,
    {
      ...{ method: "POST", path: "/bills/upload", query: new URLSearchParams(), form },
      upload: async () => ({ form, files: [file] }),
    },
    (bug) => own.bugs.push(bug),
  );
  return { status, location: headers.location ?? "", text: textOf(String(body)) };
}

const drafts = async (): Promise<Json[]> => (await given.ok("GET", "/Invoices")).Invoices;
const pdf = { name: "scan.pdf", mimeType: "application/pdf", bytes: plainPdf() };

/** PDF of a page and no file within. */
function plainPdf(): Uint8Array {
  const text =
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n";
  const at = text.length;
  const entries = [9, text.indexOf("2 0 obj")].map(
    (each) => `${String(each).padStart(10, "0")} 00000 n \n`,
  );
  return Buffer.from(
    `${text}xref\n0 3\n0000000000 65535 f \n${entries.join("")}trailer<</Size 3/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
  );
}

test.each([
  ["ubl", "bill.xml", "application/xml", {}, 19],
  ["facturx", "bill.pdf", "application/pdf", { cost: "true" }, 0],
])(
  "an uploaded e-invoice, %s, becomes a draft bill with its lines and the file attached",
  async (format, name, mimeType, fields, TotalTax) => {
    const seller = await german();
    const buyer = await german();
    onTestFinished(() => Promise.all([seller.close(), buyer.close()]).then(() => undefined));
    const to = await party(seller.given, {
      Name: "Käufer AG",
      Addresses: [
        {
          AddressType: "POBOX",
          AddressLine1: "Weg 1",
          City: "Bonn",
          PostalCode: "53111",
          Country: "Deutschland",
        },
      ],
    });
    const TaxType = seller.rates.S19;
    const lines = [
      { Description: "Holz", Quantity: 2, UnitAmount: 50, AccountCode: "400", TaxType },
    ];
    const sale = await sold(seller.given, { to, lines, fields: { LineAmountTypes: "Exclusive" } });
    const bytes = await issued(seller.given, { of: "Invoices", id: sale.InvoiceID }, format);
    given = buyer.given;
    pages = browsing(given);
    const file = { name, mimeType, bytes: Buffer.from(bytes) };
    const refused = await uploaded(file);
    expect([refused.status, await drafts()]).toEqual([400, []]);
    expect(refused.text).toContain("or make it with “Make the supplier, where there is no");
    expect(refused.text).not.toMatch(/--[a-z]/);
    const sent = await uploaded(file, { new: "true", ...fields });
    const [draft] = await drafts();
    expect([sent.status, sent.location]).toEqual([303, `/bills/${draft.InvoiceID}`]);
    expect(draft).toMatchObject({ Status: "DRAFT", HasAttachments: true, Total: 119, TotalTax });
  },
);

test("an uploaded PDF without an e-invoice becomes an empty draft of the supplier that is named", async () => {
  const refused = await uploaded(pdf);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("name the supplier, and an empty draft is made"),
  ]);
  const unknown = await uploaded(pdf, { contact: "Kiln & Colour" });
  expect([unknown.status, await drafts()]).toEqual([400, []]);
  await contact(given, { Name: "Kiln & Colour" });
  const sent = await uploaded(pdf, { contact: "Kiln & Colour" });
  expect(sent.text).toBe("");
  const [draft] = await drafts();
  expect([sent.status, sent.location]).toEqual([303, `/bills/${draft.InvoiceID}`]);
  expect(draft).toMatchObject({ Status: "DRAFT", Total: 0, HasAttachments: true });
  const { Attachments } = await given.ok("GET", `/Invoices/${draft.InvoiceID}/Attachments`);
  expect(Attachments[0].FileName).toBe("scan.pdf");
});

test("readers who may not change the books are not offered the upload of bills, and are refused", async () => {
  const reading = browsing(given, { allows: (method) => method === "GET" });
  expect((await reading.see("/bills")).html).not.toContain("Upload a bill");
  expect((await pages.see("/bills")).html).toContain("Upload a bill");
  expect((await reading.see("/bills/upload")).status).toBe(403);
  expect((await uploaded(pdf, { contact: "X" }, reading)).status).toBe(403);
  expect(await drafts()).toEqual([]);
});
