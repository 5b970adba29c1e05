/** How documents look: the settings and the logo of a branding theme. */
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkedLogo } from "../../../src/service/pdf/logo.ts";
import { invoiced, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { jpeg, png, pngChunk, pngHeader, pngSignature } from "../pdf/pictures.ts";

async function themeOf(given: World) {
  return (await given.ok("GET", "/BrandingThemes")).BrandingThemes[0];
}

async function put(given: World, path: string, body: Uint8Array, type = "image/png") {
  const headers = { accept: "application/json", "content-type": type };
  const { status, body: said } = await given.book.transport({
    method: "PUT",
    path,
    query: [],
    headers,
    body,
  });
  return { status, text: String(said) };
}

async function textsOf(given: World, path: string): Promise<string[]> {
  const headers = { accept: "application/pdf" };
  const { body } = await given.book.transport({ method: "GET", path, query: [], headers });
  return readPdf(body as Uint8Array).pages.flat();
}

test("the payment terms of a branding theme are printed only on invoices with an amount due", async () => {
  const given = await world();
  const { BrandingThemeID } = await themeOf(given);
  const settings = `/BrandingThemes/${BrandingThemeID}/Settings`;
  await given.ok("POST", settings, {
    Color: "#1D4F91",
    BankDetails: "Kiwi Bank\n38-9000-0123456-00",
    PaymentAdvice: "Please pay within a week.",
    Terms: "Goods stay ours until they are paid.",
  });
  expect((await given.ok("GET", settings)).Settings[0]).toEqual({
    BrandingThemeID,
    Name: "Standard",
    Color: "#1d4f91",
    BankDetails: "Kiwi Bank\n38-9000-0123456-00",
    PaymentAdvice: "Please pay within a week.",
    Terms: "Goods stay ours until they are paid.",
  });
  const due = await invoiced(given, { Status: "AUTHORISED" });
  const shown = await textsOf(given, `/Invoices/${due.InvoiceID}`);
  for (const each of [
    "How to pay",
    "Kiwi Bank",
    "38-9000-0123456-00",
    `Reference: ${due.InvoiceNumber}`,
    "Please pay within a week.",
    "Goods stay ours until they are paid.",
  ]) {
    expect(shown).toContain(each);
  }
  await given.ok("POST", `/Invoices/${due.InvoiceID}`, { Status: "VOIDED" });
  const voided = await textsOf(given, `/Invoices/${due.InvoiceID}`);
  expect(voided).not.toContain("How to pay");
  await given.ok("POST", settings, { BankDetails: "", PaymentAdvice: "", Terms: "", Color: "" });
  const next = await invoiced(given, { Status: "AUTHORISED" });
  expect(await textsOf(given, `/Invoices/${next.InvoiceID}`)).not.toContain("How to pay");
  const history = (await given.ok("GET", "/Organisation/History")).HistoryRecords;
  expect(history[0]).toMatchObject({ Changes: "Branding" });
});

test("a logo is stored, served at its address, printed on documents, and can be deleted", async () => {
  const given = await world();
  const { BrandingThemeID } = await themeOf(given);
  const path = `/BrandingThemes/${BrandingThemeID}/Logo`;
  expect((await given.ask("GET", path)).status).toBe(404);
  const plain = await given.book.transport({
    method: "GET",
    path: `/Invoices/${(await invoiced(given)).InvoiceID}/pdf`,
    query: [],
    headers: {},
  });
  expect(readPdf(plain.body as Uint8Array).dictionaries.join("")).not.toContain("/Subtype /Image");
  expect((await put(given, path, png(30, 20))).status).toBe(200);
  expect((await themeOf(given)).LogoUrl).toBe(`${given.book.dependencies.baseUrl}${path}`);
  const { headers, body } = await given.book.transport({
    method: "GET",
    path,
    query: [],
    headers: {},
  });
  expect(headers).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
  });
  expect(Buffer.from(body as Uint8Array).equals(png(30, 20))).toBe(true);
  const { InvoiceID } = await invoiced(given);
  const paper = await given.book.transport({
    method: "GET",
    path: `/Invoices/${InvoiceID}/pdf`,
    query: [],
    headers: {},
  });
  expect(readPdf(paper.body as Uint8Array).dictionaries.join("")).toContain("/Subtype /Image");
  await given.ok("DELETE", path);
  expect((await themeOf(given)).LogoUrl).toBeUndefined();
  expect((await given.ask("GET", path)).status).toBe(404);
});

test.each(["1d4f91", "#12", "red", "#1d4f9g"])("the theme colour %s is refused", async (Color) => {
  const given = await world();
  const { BrandingThemeID } = await themeOf(given);
  const path = `/BrandingThemes/${BrandingThemeID}/Settings`;
  expect(await given.refused("POST", path, { Color })).not.toEqual([]);
});

test("the metadata of a logo is removed when it is stored", () => {
  const whole = png(4, 3);
  const note = pngChunk("tEXt", Buffer.from("where I live"));
  const noted = Buffer.concat([whole.subarray(0, -12), note, whole.subarray(-12), note]);
  expect(checkedLogo(noted)).toEqual({
    mimeType: "image/png",
    width: 4,
    height: 3,
    bytes: whole,
  });
  const kept = checkedLogo(jpeg(7, 5));
  expect(kept).toMatchObject({ mimeType: "image/jpeg", width: 7, height: 5 });
  const text = Buffer.from(kept.bytes).toString("latin1");
  expect(text).not.toMatch(/Exif|what comes after/);
  expect(checkedLogo(Buffer.from(kept.bytes))).toEqual(kept);
});

const end = pngChunk("IEND", Buffer.alloc(0));
const filled = (bytes: number) => pngChunk("IDAT", deflateSync(Buffer.alloc(bytes)));
const flipped = (bytes: Buffer, at: number) => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

test.each<[string, Buffer, RegExp]>([
  ["a page", Buffer.from("<svg onload='alert(1)'/>"), /neither/],
  ["nothing", Buffer.alloc(0), /neither/],
  ["more than a mebibyte", Buffer.alloc(1024 * 1024 + 1), /1024 KiB/],
  ["one that breaks off", png(9, 9).subarray(0, -5), /damaged/],
  ["one with a changed byte", flipped(png(9, 9), 50), /damaged/],
  [
    "one that unpacks to more than it shows",
    Buffer.concat([pngSignature, pngHeader(10, 10), filled(50_000_000), end]),
    /damaged/,
  ],
  [
    "one that unpacks to less",
    Buffer.concat([pngSignature, pngHeader(10, 10), filled(30), end]),
    /damaged/,
  ],
  [
    "one of too many pixels",
    Buffer.concat([pngSignature, pngHeader(100_000, 100_000), filled(9), end]),
    /100000 by 100000 pixels/,
  ],
  [
    "one that is interlaced",
    Buffer.concat([pngSignature, pngHeader(1, 1, [8, 2, 0, 0, 1]), filled(4), end]),
    /interlaced/,
  ],
  [
    "one of a colour that there is not",
    Buffer.concat([pngSignature, pngHeader(1, 1, [8, 5, 0, 0, 0]), filled(4), end]),
    /damaged/,
  ],
  [
    "one of a filter that there is not",
    Buffer.concat([
      pngSignature,
      pngHeader(1, 1),
      pngChunk("IDAT", deflateSync(Buffer.from([9, 0, 0, 0]))),
      end,
    ]),
    /damaged/,
  ],
  ["a JPEG without a scan", jpeg(7, 5).subarray(0, 60), /damaged/],
  ["a JPEG that ends in its scan", jpeg(7, 5).subarray(0, -31), /damaged/],
  ["a JPEG of too many pixels", jpeg(60_000, 60_000), /60000 by 60000/],
])("a file is refused as a logo: %s", (_what, bytes, message) => {
  expect(() => checkedLogo(bytes)).toThrow(message);
});

test("any bytes sent as a logo are accepted or refused, without an internal error", () => {
  for (const whole of [png(5, 4), jpeg(7, 5)]) {
    for (let at = 0; at < whole.length; at += 1) {
      for (const bytes of [flipped(whole, at), whole.subarray(0, at)]) {
        try {
          checkedLogo(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: "ValidationException" });
        }
      }
    }
  }
});

test("a theme is made for a currency; invoices in it have its bank details, and none those of another currency", async () => {
  const given = await world();
  const standard = await themeOf(given);
  await given.ok("POST", `/BrandingThemes/${standard.BrandingThemeID}/Settings`, {
    BankDetails: "Kiwi Bank 38-9000",
    PaymentAdvice: "Please pay within a week.",
  });
  for (const Code of ["USD", "EUR"]) await given.ok("PUT", "/Currencies", { Code });
  const [dollars] = (await given.ok("PUT", "/Extensions/BrandingThemes", { Name: "In dollars" }))
    .BrandingThemes;
  const settings = `/BrandingThemes/${dollars.BrandingThemeID}/Settings`;
  await given.ok("POST", settings, { CurrencyCode: "USD", BankDetails: "Dollar Bank 1234" });
  expect((await given.ok("GET", settings)).Settings[0]).toMatchObject({ CurrencyCode: "USD" });
  const shownIn = async (CurrencyCode: string, fields: object = {}) => {
    const rate = CurrencyCode === "NZD" ? {} : { CurrencyRate: 0.5 };
    const sent = { Status: "AUTHORISED", CurrencyCode, ...rate, ...fields };
    const { InvoiceID } = await invoiced(given, sent);
    const shown = await textsOf(given, `/Invoices/${InvoiceID}`);
    return shown.filter((each) => /Bank \d|within a week/.test(each));
  };
  expect(await shownIn("NZD")).toEqual(["Kiwi Bank 38-9000", "Please pay within a week."]);
  expect(await shownIn("USD")).toEqual(["Dollar Bank 1234"]);
  expect(await shownIn("EUR")).toEqual(["Please pay within a week."]);
  const { BrandingThemeID } = standard;
  expect(await shownIn("USD", { BrandingThemeID })).toEqual([
    "Dollar Bank 1234",
    "Please pay within a week.",
  ]);
});

test("a theme is refused without a name or with that of another, and a currency with two themes or that is not used", async () => {
  const given = await world();
  const put = (fields: object) => given.refused("PUT", "/Extensions/BrandingThemes", fields);
  expect(await put({ Type: "INVOICE" })).toEqual(["Name is required."]);
  expect(await put({ Name: "standard" })).toEqual(["There is a branding theme standard already."]);
  const [made] = (await given.ok("PUT", "/Extensions/BrandingThemes", { Name: "In dollars" }))
    .BrandingThemes;
  const { BrandingThemeID } = await themeOf(given);
  const set = (id: string) => [`/BrandingThemes/${id}/Settings`, { CurrencyCode: "USD" }] as const;
  expect(await given.refused("POST", ...set(made.BrandingThemeID))).toEqual([
    "Users Organisation is not subscribed to currency USD",
  ]);
  await given.ok("PUT", "/Currencies", { Code: "USD" });
  await given.ok("POST", ...set(made.BrandingThemeID));
  expect(await given.refused("POST", ...set(BrandingThemeID))).toEqual([
    "The branding theme In dollars is that of USD already.",
  ]);
});

/** Two themes: the first with bank details, and one that is made for dollars. */
async function dollars() {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "USD" });
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-03-01", Rate: 0.6 });
  const first = `/BrandingThemes/${(await themeOf(given)).BrandingThemeID}`;
  await given.ok("POST", `${first}/Settings`, { BankDetails: "Kiwi Bank\n38-9000-0123456-00" });
  const made = await given.ok("PUT", "/Extensions/BrandingThemes", { Name: "In dollars" });
  const [{ BrandingThemeID }] = made.BrandingThemes;
  return { given, first, BrandingThemeID, second: `/BrandingThemes/${BrandingThemeID}` };
}

test("approving an invoice and closing say where no theme has bank details for its currency, until one has", async () => {
  const { given, second } = await dollars();
  const approved = async () => {
    const { InvoiceID } = await invoiced(given, { CurrencyCode: "USD" });
    const query = { SummarizeErrors: "false" };
    const body = { InvoiceID, Status: "AUTHORISED" };
    const { Invoices } = await given.ok("POST", "/Invoices", body, { query });
    const warnings = (Invoices[0].Warnings ?? []).map(
      ({ Message }: { Message: string }) => Message,
    );
    return { warnings, shown: await textsOf(given, `/Invoices/${InvoiceID}`) };
  };
  const check = async () => {
    const query = { date: "2026-03-31" };
    const { ClosingChecks } = await given.ok("GET", "/Extensions/ClosingChecks", undefined, {
      query,
    });
    return ClosingChecks.find(({ Check }: { Check: string }) => Check === "bankDetails");
  };
  const without = await approved();
  expect(without.warnings).toEqual([
    "No branding theme has bank details for USD, so the invoice names no account to pay to.",
  ]);
  expect(without.shown).not.toContain("38-9000-0123456-00");
  expect(await check()).toMatchObject({ Status: "OPEN", Subject: "USD" });
  await given.ok("POST", `${second}/Settings`, {
    CurrencyCode: "USD",
    BankDetails: "Coast Bank 7",
  });
  const withDetails = await approved();
  expect(withDetails.warnings).toEqual([]);
  expect(withDetails.shown).toContain("Coast Bank 7");
  expect(await check()).toMatchObject({ Status: "OK" });
});

test("a theme without bank details in words shows the number of its bank account", async () => {
  const given = await world();
  const { BrandingThemeID } = await themeOf(given);
  const { Accounts } = await given.ok("GET", "/Accounts", undefined, {
    query: { where: 'Code=="090"' },
  });
  const numbered = { BankAccountNumber: "12-3140-0171323-50" };
  await given.ok("POST", `/Accounts/${Accounts[0].AccountID}`, numbered);
  await given.ok("POST", `/BrandingThemes/${BrandingThemeID}/Settings`, {
    BankAccount: { Code: "090" },
  });
  const { InvoiceID } = await invoiced(given, { Status: "AUTHORISED" });
  const shown = await textsOf(given, `/Invoices/${InvoiceID}`);
  expect(shown).toContain("Account 12-3140-0171323-50");
});

test("a branding theme is deleted unless it is the only one or a document has it", async () => {
  const { given, first, second, BrandingThemeID } = await dollars();
  const { InvoiceID } = await invoiced(given, { BrandingThemeID });
  expect(await given.refused("DELETE", second)).toEqual([
    "Documents or contacts have the branding theme In dollars, so it stays; give them another first.",
  ]);
  const other = first.split("/").at(-1);
  await given.ok("POST", `/Invoices/${InvoiceID}`, { BrandingThemeID: other });
  await given.ok("DELETE", second);
  expect((await given.ok("GET", "/BrandingThemes")).BrandingThemes).toHaveLength(1);
  expect(await given.refused("DELETE", first)).toEqual([
    "Standard is the only branding theme; change it instead.",
  ]);
});
