/** The pages on which customers see documents: their addresses, what they show, what they answer. */
import { describe, expect, test } from "vitest";
import { collect } from "../../../src/wire/body.ts";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  sale,
  type World,
  world,
} from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { addressOf, open, type Page } from "./opened.ts";

/** The words of a page, as they are read. */
function words({ text }: Page): string {
  return text
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

async function historyOf(given: World, path: string): Promise<readonly string[]> {
  const { HistoryRecords } = await given.ok("GET", `${path}/History`);
  return HistoryRecords.map(
    ({ Changes, User, Details }: Json) => `${Changes} | ${User} | ${Details}`,
  );
}

async function quoted(given: World, fields: object = {}): Promise<Json> {
  const { ContactID } = await contact(given, { Name: "Quay Café" });
  const body = {
    Contact: { ContactID },
    Date: "2026-03-01",
    ExpiryDate: "2026-03-10",
    Status: "SENT",
    LineItems: [{ Description: "Table", Quantity: 1, UnitAmount: 1200, AccountCode: "200" }],
    ...fields,
  };
  return (await given.ok("PUT", "/Quotes", body)).Quotes[0];
}

const form = (fields: Record<string, string>) => ({
  method: "POST" as const,
  form: new URLSearchParams(fields),
});

test("an online invoice is shown with its lines, the amount due and payment details", async () => {
  const given = await world();
  const customer = await contact(given, { Name: "Quay <b>Café</b>" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  const page = await open(given, await addressOf(given, `/Invoices/${made.InvoiceID}`));
  expect(page.status).toBe(200);
  expect(words(page)).toContain("NZD 115.00 due on 20 Mar 2026");
  expect(words(page)).toContain("Quay &#60;b&#62;Café&#60;/b&#62;");
  expect(words(page)).toContain("How to pay Amount due NZD 115.00 Reference INV-0001");
  expect(page.text.indexOf("How to pay")).toBeLessThan(page.text.indexOf("<header>"));
  expect(page.text).not.toContain("<script");
});

test.each([
  [
    "paid",
    "Paid on 10 Mar 2026. Thank you.",
    async (given: World, made: Json) => paid(given, made),
  ],
  [
    "voided",
    "This invoice was cancelled. Nothing is due.",
    (given: World, made: Json) =>
      given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" }),
  ],
  [
    "overdue",
    "NZD 115.00 due since 20 Mar 2026, 2 days late",
    async (given: World) => {
      given.now = Date.UTC(2026, 2, 21, 23);
    },
  ],
])("an online invoice that is %s says so on its page", async (_state, sentence, become) => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const url = await addressOf(given, `/Invoices/${made.InvoiceID}`);
  await become(given, made);
  const page = await open(given, url);
  expect(page.status).toBe(200);
  expect(words(page)).toContain(sentence);
  expect(words(page).includes("How to pay")).toBe(sentence.includes("due since"));
});

test.each([
  [20, false],
  [21, true],
])(
  "an online invoice of %i lines folds what is over 20 on a narrow screen: %s",
  async (count, folds) => {
    const given = await world();
    const line = { Description: "Work", Quantity: 1, UnitAmount: 1, AccountCode: "200" };
    const LineItems = Array.from({ length: count }, () => line);
    const made = await invoiced(given, { Status: "AUTHORISED", LineItems });
    const page = await open(given, await addressOf(given, `/Invoices/${made.InvoiceID}`));
    expect(words(page).includes(`Show all ${count} lines`)).toBe(folds);
  },
);

test("the page of a statement that was emailed has what is due and overdue, and leads to the pages of its invoices", async () => {
  const given = await world();
  const customer = await contact(given, { Name: "Quay", EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  given.now = Date.UTC(2026, 2, 21, 23);
  await given.ok("POST", `/Extensions/Statements/${customer.ContactID}/Email`, {});
  const [, url = ""] = /See it online: (\S+)/.exec(given.mail[0]?.text ?? "") ?? [];
  const page = await open(given, url);
  expect(page.status).toBe(200);
  expect(words(page)).toContain("NZD 115.00 is due, of which 115.00 is overdue.");
  const invoice = await addressOf(given, `/Invoices/${made.InvoiceID}`);
  expect(page.text).toContain(`<a href="${invoice}">INV-0001</a>`);
  const paper = await open(given, url, { part: "pdf" });
  expect(paper.headers["content-type"]).toBe("application/pdf");
  expect(await faultsIn(given)).toEqual([]);
  await given.ok("POST", `/Contacts/${customer.ContactID}`, { ContactStatus: "ARCHIVED" });
  expect((await open(given, url)).status).toBe(404);
});

test("the page of a statement in two currencies has a part for each: how to pay, lines and sums of that one alone", async () => {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-01", Rate: 0.5 });
  const customer = await contact(given, { Name: "Quay", EmailAddress: "pay@quay.example" });
  for (const CurrencyCode of ["NZD", "EUR"]) {
    await given.ok("PUT", "/Invoices", sale(customer, { Status: "AUTHORISED", CurrencyCode }));
  }
  const [theme] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  await given.ok("POST", `/BrandingThemes/${theme.BrandingThemeID}/Settings`, {
    BankDetails: "Kiwi Bank 38",
  });
  await given.ok("POST", `/Extensions/Statements/${customer.ContactID}/Email`, {});
  const [, url = ""] = /See it online: (\S+)/.exec(given.mail[0]?.text ?? "") ?? [];
  const page = await open(given, url);
  expect(page.text.match(/ id="[^"]*"/g)).toEqual([...new Set(page.text.match(/ id="[^"]*"/g))]);
  const [head = "", ...parts] = page.text.split('<section aria-labelledby="in-');
  expect(head).not.toMatch(/Currency|How to pay/);
  expect(parts).toHaveLength(2);
  for (const [part = "", own, other] of [
    [parts[0], "EUR", "NZD"],
    [parts[1], "NZD", "EUR"],
  ] as const) {
    expect(part).toContain(`How to pay ${own}`);
    expect(part).toContain(`Due in ${own}`);
    expect(part.split("<footer>")[0]).not.toContain(other);
    expect(part.includes("Kiwi Bank 38")).toBe(own === "NZD");
  }
});

test("payment services of the branding theme are shown on an online invoice only while an amount is due", async () => {
  const given = await world();
  const [service] = (
    await given.ok("PUT", "/PaymentServices", {
      PaymentServiceName: "Harbour Pay",
      PaymentServiceUrl: "https://pay.example/?no=[INVOICENUMBER]&amount=[AMOUNTDUE]&in=[CURRENCY]",
      PayNowText: "Pay by card",
    })
  ).PaymentServices;
  const [theme] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  const { BrandingThemeID } = theme;
  await given.ok("POST", `/BrandingThemes/${BrandingThemeID}/PaymentServices`, {
    PaymentServiceID: service.PaymentServiceID,
  });
  const made = await invoiced(given, { Status: "AUTHORISED", BrandingThemeID });
  const url = await addressOf(given, `/Invoices/${made.InvoiceID}`);
  const link = 'href="https://pay.example/?no=INV-0001&#38;amount=115.00&#38;in=NZD"';
  expect((await open(given, url)).text).toContain(link);
  await paid(given, made);
  expect((await open(given, url)).text).not.toContain("pay.example");
});

describe("online addresses of documents", () => {
  test("an online address with a changed letter, of another organisation or of a draft is answered as not found", async () => {
    const given = await world();
    const other = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    const url = await addressOf(given, `/Invoices/${made.InvoiceID}`);
    const nowhere = await open(given, `${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`);
    expect(nowhere.status).toBe(404);
    expect(words(nowhere)).toContain("There is nothing at this address");
    for (const token of ["", "x", "A".repeat(76), "../../etc", "%00".repeat(20)]) {
      const page = await open(given, "https://x/view/", { ...{ token } } as object);
      expect([page.status, page.text]).toEqual([404, nowhere.text]);
    }
    // The other book knows neither the record nor the secret.
    expect((await open(other, url)).status).toBe(404);
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
    expect((await open(given, url)).status).toBe(200);
    const draft = await invoiced(given);
    const path = `/Invoices/${draft.InvoiceID}`;
    await given.ok("POST", path, { Status: "SUBMITTED" });
    const submitted = await addressOf(given, path);
    const waiting = await open(given, submitted);
    expect([waiting.status, words(waiting).includes("How to pay")]).toEqual([200, false]);
    await given.ok("POST", path, { Status: "DRAFT" });
    expect((await open(given, submitted)).status).toBe(404);
  });

  test("a revoked online address is answered as not found, and the document's new address is served", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    const path = `/Invoices/${made.InvoiceID}`;
    const first = await addressOf(given, path);
    await given.ok("DELETE", `${path}/OnlineInvoice`);
    const second = await addressOf(given, path);
    expect(second).not.toBe(first);
    expect([(await open(given, first)).status, (await open(given, second)).status]).toEqual([
      404, 200,
    ]);
    expect(await historyOf(given, path)).toContain(
      "Online address revoked | Tess Tester | The addresses under which this could be seen online lead nowhere any more.",
    );
    expect(await faultsIn(given)).toEqual([]);
  });

  test("credit notes and quotes have online addresses, and supplier documents have none", async () => {
    const given = await world();
    const customer = await contact(given);
    const credit = async (Type: string) => {
      const note = sale(customer, { Type, Status: "AUTHORISED", CreditNoteNumber: Type });
      return (await given.ok("PUT", "/CreditNotes", note)).CreditNotes[0].CreditNoteID;
    };
    const url = await addressOf(given, `/CreditNotes/${await credit("ACCRECCREDIT")}`);
    expect(words(await open(given, url))).toContain("NZD 115.00 of credit remaining");
    expect(
      await given.refused("GET", `/CreditNotes/${await credit("ACCPAYCREDIT")}/OnlineInvoice`),
    ).toEqual(["Only sales credit notes have an online address."]);
    const draft = await quoted(given, { Status: "DRAFT" });
    expect(await given.refused("GET", `/Quotes/${draft.QuoteID}/OnlineInvoice`)).toEqual([
      "A draft quote has no online address; mark it as sent first.",
    ]);
  });
});

test("in a book that is not served, documents have no online addresses and emails no links", async () => {
  const given = await world("NZ", { publicUrl: undefined });
  // Over a port every book is served.
  if (process.env.SERVICE_WORLD === "port") return;
  const customer = await contact(given, { EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  expect(await given.refused("GET", `/Invoices/${made.InvoiceID}/OnlineInvoice`)).toEqual([
    "This book is not served, so nobody could open an online address: serve it with " +
      "acct serve --public-url ADDRESS.",
  ]);
  await given.ok("POST", `/Invoices/${made.InvoiceID}/Email`, {});
  expect(given.mail[0]?.text).not.toContain("http");
});

test("an invoice email contains the online address of the document", async () => {
  const given = await world();
  const customer = await contact(given, { EmailAddress: "pay@quay.example" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  await given.ok("POST", `/Invoices/${made.InvoiceID}/Email`, {});
  const [url = ""] = /https?:\/\/\S+\/view\/\S+/.exec(given.mail[0]?.text ?? "") ?? [];
  expect(url).toBe(await addressOf(given, `/Invoices/${made.InvoiceID}`));
  expect((await open(given, url)).status).toBe(200);
});

test("opening an online invoice is logged in its history once an hour, and prefetching it is not", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const path = `/Invoices/${made.InvoiceID}`;
  const url = await addressOf(given, path);
  const opened = async () =>
    (await historyOf(given, path)).filter((each) => each.startsWith("Opened online")).length;
  await open(given, url, { isCounted: false });
  await open(given, url, { method: "HEAD" });
  expect(await opened()).toBe(0);
  await open(given, url);
  await open(given, url);
  expect(await opened()).toBe(1);
  given.now += 60 * 60_000;
  await open(given, url);
  expect(await opened()).toBe(2);
  expect(await historyOf(given, path)).toContain(
    "Opened online | Customer | The page of this invoice was opened.",
  );
});

test("the PDF and files with IncludeOnline can be downloaded from the online page, other files cannot", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const path = `/Invoices/${made.InvoiceID}`;
  const attach = async (name: string, query: Record<string, string>) =>
    (
      await given.ok("PUT", `${path}/Attachments/${name}`, "<script>1</script>", {
        query,
        headers: { "content-type": "text/html" },
      })
    ).Attachments[0].AttachmentID;
  const shown = await attach("plan.html", { IncludeOnline: "true" });
  const hidden = await attach("margin.html", {});
  const url = await addressOf(given, path);
  expect(words(await open(given, url))).toContain("plan.html 18 bytes");
  expect(words(await open(given, url))).not.toContain("margin.html");
  const pdf = await open(given, url, { part: "pdf" });
  expect(readPdf(pdf.body as Uint8Array).pages.flat()).toContain("INV-0001");
  const file = await open(given, url, { part: { fileId: shown } });
  expect(Buffer.from(await collect(file.body as never, 100)).toString()).toBe("<script>1</script>");
  expect(file.headers).toMatchObject({
    "content-disposition": 'attachment; filename="plan.html"',
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  });
  expect((await open(given, url, { part: { fileId: hidden } })).status).toBe(404);
});

describe("online quotes", () => {
  test.each([
    ["accept", "ACCEPTED", "Accepted. Thank you.", "Accepted online"],
    ["decline", "DECLINED", "Declined.", "Declined online"],
  ])(
    "the answer %s on an online quote is stored as %s",
    async (answer, status, sentence, changes) => {
      const given = await world();
      const made = await quoted(given);
      const path = `/Quotes/${made.QuoteID}`;
      const url = await addressOf(given, path);
      expect((await open(given, url)).text).toContain("Accept this quote");
      const fields = { answer, name: " Ana Reid ", reason: "In blue,\r\nplease" };
      const answered = await open(given, url, form(fields));
      expect([answered.status, answered.headers.location]).toEqual([303, new URL(url).pathname]);
      expect((await given.ok("GET", path)).Quotes[0].Status).toBe(status);
      expect(await historyOf(given, path)).toContain(
        `${changes} | Ana Reid (customer) | Ana Reid has ${status.toLowerCase()} this quote: In blue,\nplease`,
      );
      const page = await open(given, url);
      expect(words(page)).toContain(sentence);
      expect(page.text).not.toContain("<form");
      // Sent again, or answered by another: nothing changes.
      const entries = (await historyOf(given, path)).length;
      const other = answer === "accept" ? "decline" : "accept";
      expect((await open(given, url, form({ answer: other, name: "Bo" }))).status).toBe(303);
      expect((await given.ok("GET", path)).Quotes[0].Status).toBe(status);
      expect(await historyOf(given, path)).toHaveLength(entries);
    },
  );

  test.each([
    [{ answer: "accept", name: " " }, "Enter your name, so that it is known who answers."],
    [{ answer: "accept", name: "A".repeat(256) }, "A name is one line of at most 255 characters."],
    [{ answer: "maybe", name: "Ana" }, "Choose whether you accept or decline."],
    [{ answer: "toString", name: "Ana" }, "Choose whether you accept or decline."],
    [
      { answer: "decline", name: "Ana", reason: "x".repeat(2001) },
      "What you want to say has at most 2000 characters.",
    ],
  ])(
    "the answer %j on an online quote is refused, and the typed text is kept",
    async (fields, sentence) => {
      const given = await world();
      const made = await quoted(given);
      const url = await addressOf(given, `/Quotes/${made.QuoteID}`);
      const page = await open(given, url, form(fields));
      expect(page.status).toBe(400);
      expect(words(page)).toContain(sentence);
      // Without a script the field has the focus, so that the message beside it is in sight.
      expect(page.text).toMatch(/<input id="name"[^>]* autofocus/);
      if (fields.name.trim() !== "") expect(page.text).toContain(`value="${fields.name}"`);
      expect((await given.ok("GET", `/Quotes/${made.QuoteID}`)).Quotes[0].Status).toBe("SENT");
    },
  );

  test("an expired online quote says so and cannot be answered", async () => {
    const given = await world();
    const made = await quoted(given);
    const url = await addressOf(given, `/Quotes/${made.QuoteID}`);
    given.now = Date.UTC(2026, 2, 10, 12);
    const page = await open(given, url);
    expect(words(page)).toContain("This quote expired on 10 Mar 2026.");
    expect(page.text).not.toContain("<form");
    expect((await open(given, url, form({ answer: "accept", name: "Ana" }))).status).toBe(303);
    expect((await given.ok("GET", `/Quotes/${made.QuoteID}`)).Quotes[0].Status).toBe("SENT");
  });
});

test.each([
  [
    "DE",
    "de",
    "4400",
    "OUTPUT19",
    "1.469,06 EUR zu zahlen seit 02.03.2026, ",
    "Zahlung Zu zahlen EUR",
  ],
  ["FR", "fr", "707000", "OUTPUT20", "à payer depuis le 02/03/2026, ", "Paiement Net à payer EUR"],
] as const)(
  "the online page of an invoice of %s is in the language of the country",
  async (country, language, AccountCode, TaxType, standing, howToPay) => {
    const given = await world(country);
    const line = { Description: "Tisch", Quantity: 1, UnitAmount: 1234.5, AccountCode, TaxType };
    const customer = await contact(given, { Name: "Café Lune" });
    const dates = { Date: "2026-03-01", DueDate: "2026-03-02" };
    const body = sale(customer, { ...dates, Status: "AUTHORISED", LineItems: [line] });
    const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    given.now = Date.parse("2026-03-10T12:00:00Z");
    const page = await open(given, await addressOf(given, `/Invoices/${made.InvoiceID}`));
    expect(page.text).toContain(`lang="${language}"`);
    expect(words(page)).toContain(standing);
    expect(words(page)).toContain(howToPay);
    expect(words(page)).not.toMatch(/How to pay|Save as|Amount due| late/);
  },
);
