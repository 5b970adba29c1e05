/** Mail in the language of the country: what customers and suppliers read, as forms set it before. */
import { expect, test } from "vitest";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { createClient } from "../../../src/client/client.ts";
import { browsing, formToken, unescaped } from "../../web/browsing.ts";
import { contact, type Json, paid, type World, world } from "../fixture.ts";

/** Accounts of sales, costs and the bank, with their taxes. */
const companies = {
  NZ: { sale: ["200", "OUTPUT2"], cost: ["400", "INPUT2"], bank: "090" },
  DE: { sale: ["4400", "OUTPUT19"], cost: ["6815", "INPUT19"], bank: "1800" },
  FR: { sale: ["707000", "OUTPUT20"], cost: ["606400", "INPUT20"], bank: "512100" },
} as const;

type Country = keyof typeof companies;
const countries = Object.keys(companies) as Country[];

interface Company {
  readonly given: World;
  readonly party: Json;
  make(plural: string, fields: object, side?: "sale" | "cost"): Promise<Json>;
}

async function company(country: Country): Promise<Company> {
  const given = await world(country);
  given.now = Date.parse("2026-03-10T00:00:00Z");
  const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
  const settings = `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Settings`;
  await given.ok("POST", settings, { BankDetails: "Tidal Bank\nIBAN XX00 0000 0000" });
  const party = await contact(given, {
    ...{ Name: "Moa Coffee", FirstName: "Ann", AccountNumber: "M-7" },
    EmailAddress: "ann@moa.example",
  });
  return {
    ...{ given, party },
    async make(plural, fields, side = "sale") {
      const [AccountCode, TaxType] = companies[country][side];
      const line = { Description: "x", Quantity: 1, UnitAmount: 1234.5, AccountCode, TaxType };
      const body = {
        ...{ Contact: { ContactID: party.ContactID }, Date: "2026-03-01", Status: "AUTHORISED" },
        ...{ LineItems: [line], ...fields },
      };
      return (await given.ok("PUT", `/${plural}`, body))[plural.split("/").at(-1) ?? ""][0];
    },
  };
}

const invoices = (InvoiceNumber: string, DueDate: string) => ({
  ...{ Type: "ACCREC", InvoiceNumber, DueDate },
});

/** Reminds of an invoice at the terminal. */
async function remind({ book, now }: World, number: string): Promise<void> {
  const client = createClient(book.transport, { unitDecimals: 4, rollsBack: true });
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(["invoice", "remind", number], {
    ...{ env: { ACCT_BOOK: book.path }, stdout, stderr, clock: () => now },
    open: async () => ({ client, changed: () => true }),
  });
  expect([code, stderr.text]).toEqual([0, expect.stringContaining(`Emailed ${number} to`)]);
}

/** Mails of every kind, in the order of what is made here. */
async function mails(country: Country): Promise<string> {
  const { given, party, make } = await company(country);
  const email = (path: string, query: Readonly<Record<string, string>> = {}) =>
    given.ok("POST", `${path}/Email`, {}, { query });
  const pay = (invoice: Json, fields: object = {}) =>
    paid(given, invoice, { Account: { Code: companies[country].bank }, ...fields });

  const open = await make("Invoices", invoices("R-1", "2026-12-20"));
  await email(`/Invoices/${open.InvoiceID}`);
  const settled = await make("Invoices", invoices("R-2", "2026-03-20"));
  await pay(settled);
  await email(`/Invoices/${settled.InvoiceID}`);

  const credit = { Type: "ACCRECCREDIT", CreditNoteNumber: "K-1" };
  const { CreditNoteID, Total: Amount } = await make("CreditNotes", credit);
  await email(`/Extensions/CreditNotes/${CreditNoteID}`);
  const { InvoiceID } = await make("Invoices", invoices("R-3", "2026-03-20"));
  const allocations = `/CreditNotes/${CreditNoteID}/Allocations`;
  await given.ok("PUT", allocations, { Amount, Invoice: { InvoiceID } });
  await email(`/Extensions/CreditNotes/${CreditNoteID}`);

  for (const DeliveryDate of ["2026-12-20", undefined]) {
    const { PurchaseOrderID } = await make("PurchaseOrders", { DeliveryDate }, "cost");
    await email(`/Extensions/PurchaseOrders/${PurchaseOrderID}`);
  }
  for (const ExpiryDate of ["2026-04-01", undefined]) {
    const { QuoteID } = await make("Quotes", { Status: "SENT", ExpiryDate });
    await email(`/Extensions/Quotes/${QuoteID}`);
  }

  const bill = { ...invoices("S-9", "2026-04-04"), Type: "ACCPAY" };
  const bought = await make("Invoices", bill, "cost");
  for (const BankAccountNumber of ["DE75512108001245126199", undefined]) {
    const fields = { Amount: 500, BankAccountNumber };
    const { PaymentID } = await pay(bought, fields);
    await email(`/Extensions/Remittances/${PaymentID}`);
  }

  const statement = `/Extensions/Statements/${party.ContactID}`;
  await email(statement, { date: "2026-03-10" });
  await make("Invoices", invoices("R-4", "2026-03-01"));
  await email(statement, { fromDate: "2026-03-01", toDate: "2026-03-10" });

  await make("Invoices", invoices("R-5", "2026-03-09"));
  await remind(given, "R-4");
  await remind(given, "R-5");

  const { ContactID } = party;
  const Schedule = {
    ...{ Period: 1, Unit: "MONTHLY", StartDate: "2026-03-10" },
    ...{ DueDate: 20, DueDateType: "OFFOLLOWINGMONTH" },
  };
  await make("RepeatingInvoices", {
    ...{ Type: "ACCREC", Contact: { ContactID }, Schedule, Date: undefined },
    ...{ ApprovedForSending: true, IncludePDF: false },
  });
  await given.ok("POST", "/RepeatingInvoices/Run", {});
  expect(given.mail.at(-1)?.attachments).toEqual([]);
  return given.mail
    .map(({ subject, text }) => `${subject}\n\n${text.replace(/https?:\S+/, "https://\u2026")}`)
    .join("\n--------\n\n");
}

test.each(countries)(
  "each mail of a company in %s is in the language of the country, with its days and figures",
  async (country) => {
    const golden = `../../golden/mail-${country}.txt`;
    await expect(await mails(country)).toMatchFileSnapshot(golden);
  },
);

/** What stands in a form of an act before anything is filled in. */
function presetIn(html: string, act: string): { subject: string; text: string } {
  const field = (pattern: string) => unescaped(new RegExp(pattern, "s").exec(html)?.[1] ?? "");
  return {
    subject: field(`name="${act}-subject"[^>]* value="([^"]*)"`),
    text: field(`<textarea[^>]* name="${act}-text"[^>]*>(.*?)</textarea>`),
  };
}

test.each(countries)(
  "the form for a mail of an invoice in %s has the words that the service sends",
  async (country) => {
    const { given, make } = await company(country);
    const { InvoiceID } = await make("Invoices", invoices("R-1", "2026-12-20"));
    const { html } = await browsing(given).see(`/invoices/${InvoiceID}`);
    const { subject, text } = presetIn(html, "email");
    await given.ok("POST", `/Invoices/${InvoiceID}/Email`, {});
    expect(text).not.toBe("");
    expect(given.mail[0]).toMatchObject({ subject, text: expect.stringContaining(`${text}\n\n`) });
  },
);

test.each(countries)(
  "a reminder of a company in %s has the same words from the page and the terminal",
  async (country) => {
    const { given, make } = await company(country);
    const { InvoiceID } = await make("Invoices", invoices("R-1", "2026-03-01"));
    const pages = browsing(given);
    const { subject, text } = presetIn((await pages.see(`/invoices/${InvoiceID}`)).html, "remind");
    const filled = { "remind-to": "a@b.example", "remind-subject": subject, "remind-text": text };
    const form = { do: "remind", ...filled, sure: "yes", token: formToken };
    await pages.send(`/invoices/${InvoiceID}`, form);
    await remind(given, "R-1");
    const [fromPage, fromTerminal] = given.mail.map(({ subject, text }) => ({ subject, text }));
    expect(fromTerminal).toEqual(fromPage);
    expect(fromPage).toEqual({ subject, text: expect.stringContaining(`${text}\n\n`) });
    const { HistoryRecords } = await given.ok("GET", `/Invoices/${InvoiceID}/History`);
    expect(HistoryRecords[0].Details).toMatch(/^Reminded of \d+\.\d\d [A-Z]{3}, due on 2026-03-/);
  },
);
