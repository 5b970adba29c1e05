/** Paper in the language of the country: what is read on it, and the texts that the law wants. */
import { expect, test } from "vitest";
import { french } from "../../../src/output/words/french.ts";
import { german } from "../../../src/output/words/german.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { basis, document, type Line } from "../reports/tax/returns.ts";
import { readPdf } from "./pdf-text.ts";

const companies = {
  DE: { PostalCode: "23552", City: "Lübeck", Country: "Deutschland", ...{ bank: "1800" } },
  FR: { PostalCode: "14600", City: "Honfleur", Country: "France", ...{ bank: "512100" } },
};

const lines: Readonly<Record<"DE" | "FR", readonly Line[]>> = {
  DE: [
    ["4400", 1234.5, "OUTPUT19"],
    ["4300", 100, "OUTPUT7"],
  ],
  FR: [
    ["707000", 1234.5, "OUTPUT20"],
    ["707100", 100, "OUTPUT55"],
  ],
};

async function trading(country: "DE" | "FR"): Promise<[given: World, party: Json]> {
  const given = await world(country);
  const { bank: _, ...place } = companies[country];
  const Addresses = [{ AddressType: "POBOX", AddressLine1: "Kai 4", ...place }];
  const settings = { Name: "Heron Lane", RegistrationNumber: "123456782", Addresses };
  await given.ok("POST", "/Organisation/Settings", settings);
  const party = { Name: "Moa Coffee", AccountNumber: "10007", Addresses };
  return [given, await contact(given, party)];
}

async function pagesOf({ book }: World, path: string): Promise<string> {
  const [bare = path, search = ""] = path.split("?");
  const { status, body } = await book.transport({
    ...{ method: "GET", path: bare, query: [...new URLSearchParams(search)] },
    headers: { accept: "application/pdf" },
  });
  expect(status, String(body)).toBe(200);
  const { pages, dictionaries } = readPdf(Buffer.from(body as Uint8Array));
  expect(dictionaries.join("\n")).toMatch(/\/Lang \((de|fr)\)/);
  return pages.map((texts) => texts.join("\n")).join("\n\n");
}

const dates = { Date: "2026-03-05", DeliveryDate: "2026-03-04", DueDate: "2026-04-04" };

/** An invoice paid in part, a credit note of it, a bill that is paid, and their papers. */
async function papers(country: "DE" | "FR"): Promise<string> {
  const [given, party] = await trading(country);
  const { bank } = companies[country];
  const numbered = (InvoiceNumber: string) => ({ ...dates, InvoiceNumber });
  const invoice = await document(given, party, numbered("R-1"), lines[country]);
  const bill = { ...numbered("S-9"), Type: "ACCPAY" };
  const bought = await document(given, party, bill, [
    country === "DE" ? ["6815", 50, "INPUT19"] : ["606400", 50, "INPUT20"],
  ]);
  const [account = "", amount = 0, taxType = ""] = lines[country][0] ?? [];
  const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
    ...{ Type: "ACCRECCREDIT", Contact: { ContactID: party.ContactID }, Date: "2026-03-09" },
    ...{ Status: "AUTHORISED", CreditNoteNumber: "K-1" },
    LineItems: [...[{ Description: "x", Quantity: 1, UnitAmount: amount / 10 }]].map((each) => ({
      ...each,
      AccountCode: account,
      TaxType: taxType,
    })),
  });
  const pay = async ({ InvoiceID }: Json, Amount: number) =>
    (
      await given.ok("PUT", "/Payments", {
        ...{ Invoice: { InvoiceID }, Account: { Code: bank } },
        ...{ Date: "2026-03-20", Amount },
      })
    ).Payments[0];
  await pay(invoice, 400);
  const { PaymentID } = await pay(bought, bought.Total);
  const paths = [
    `/Invoices/${invoice.InvoiceID}`,
    `/CreditNotes/${CreditNotes[0].CreditNoteID}`,
    `/Extensions/Remittances/${PaymentID}`,
    `/Extensions/Statements/${party.ContactID}?date=2026-05-31`,
    `/Extensions/Statements/${party.ContactID}?fromDate=2026-03-01&toDate=2026-03-31`,
  ];
  const read: string[] = [];
  for (const path of paths) read.push(await pagesOf(given, path));
  return read.join("\n\n--------\n\n");
}

test.each(["DE", "FR"] as const)(
  "paper of a company in %s is in the language of the country, with its days and figures",
  async (country) => {
    const golden = `../../golden/paper-${country}.txt`;
    await expect(`${await papers(country)}\n`).toMatchFileSnapshot(golden);
  },
);

test("a French invoice states the terms of late payment unless its theme has terms", async () => {
  const [given, party] = await trading("FR");
  const { InvoiceID } = await document(given, party, dates, lines.FR);
  const path = `/Invoices/${InvoiceID}`;
  const usual = "indemnité forfaitaire de 40 €";
  expect((await pagesOf(given, path)).replaceAll("\n", " ")).toContain(usual);
  const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
  const theme = `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Settings`;
  await given.ok("POST", theme, { Terms: "Escompte de 2 % sous 8 jours." });
  const own = await pagesOf(given, path);
  expect(own).toContain("Escompte de 2 % sous 8 jours.");
  expect(own).not.toContain("indemnité");
});

test("a French invoice says that tax is owed at its date where the company has chosen so", async () => {
  const [given, party] = await trading("FR");
  const { InvoiceID } = await document(given, party, dates, lines.FR);
  const option = "Option pour le paiement de la taxe d\u2019après les débits";
  expect(await pagesOf(given, `/Invoices/${InvoiceID}`)).not.toContain(option);
  await basis(given, "NONE");
  expect(await pagesOf(given, `/Invoices/${InvoiceID}`)).not.toContain(option);
  await basis(given, "ACCRUALS");
  expect(await pagesOf(given, `/Invoices/${InvoiceID}`)).toContain(option);
});

test("an address with a region keeps it, and the postcode last, on German paper", async () => {
  const [given] = await trading("DE");
  const address = { AddressLine1: "1 Elm St", City: "Springfield", Region: "IL", Country: "USA" };
  const Addresses = [{ AddressType: "POBOX", ...address, PostalCode: "62701" }];
  const abroad = await contact(given, { Name: "Prairie Cups", Addresses });
  const { InvoiceID } = await document(given, abroad, dates, [["4400", 10, "OUTPUT19"]]);
  expect(await pagesOf(given, `/Invoices/${InvoiceID}`)).toContain("Springfield IL 62701\nUSA");
});

test("each phrase of paper has the same places for values in each language", () => {
  const places = (phrase: string) => phrase.split("%").length;
  for (const language of [german, french]) {
    const wrong = Object.entries(language).filter(
      ([english, phrase]) => places(english) !== places(phrase),
    );
    expect(wrong).toEqual([]);
  }
});
