/** Documents on paper: what stands on it. */
import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  bill,
  creditNoteGiven,
  type Printable,
  type PrintedKind,
  purchaseOrderKind,
  quoteKind,
  salesInvoice,
} from "../../../src/output/documents/printed-kinds.ts";
import type { Cents } from "../../../src/resources/decimal.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import type { Organisation } from "../../../src/resources/organisation.ts";
import { paperOf, pdfOf } from "../../../src/service/pdf/print-document.ts";
import { composeText } from "../../../src/service/send/print.ts";
import { readXml } from "../../../src/wire/xml.ts";
import { document, heron, line, papers, rates, theme } from "./papers.ts";
import { readPdf } from "./pdf-text.ts";

// The fonts of the machine are left aside, but for the tests that are about them.
vi.stubEnv("ACCT_FONTS", "none");

const invoiceKind = ({ Type }: Invoice) => (Type === "ACCREC" ? salesInvoice : bill);

function paper(printed: Invoice, organisation: Organisation = heron): Promise<Buffer> {
  return pdfOf(composeText(invoiceKind(printed), printed, { organisation, rates, theme }));
}

async function texts(printed: Invoice, organisation?: Organisation): Promise<string[]> {
  return readPdf(await paper(printed, organisation)).pages.flat();
}

const poppler = spawnSync("pdftotext", ["-v"]).error === undefined;
if (!poppler) console.warn("Layouts are not compared: there is no pdftotext (poppler-utils) here.");

test.runIf(poppler).each(Object.keys(papers))("the printed layout of %s", async (name) => {
  const input = await paper(papers[name] as Invoice);
  const read = spawnSync("pdftotext", ["-layout", "-enc", "UTF-8", "-", "-"], { input });
  expect(read.stderr.toString()).toBe("");
  await expect(read.stdout.toString().replaceAll(/[ \t]+$/gm, "")).toMatchFileSnapshot(
    `../../golden/printed-${name}.txt`,
  );
});

test("a printed invoice shows sender, recipient, lines and amount due", async () => {
  const shown = await texts(papers["one-line"] as Invoice);
  for (const each of [
    "Tax invoice",
    "Heron Lane Ltd",
    "GST number 123-456-789",
    "Bill to",
    "Quay Street Bikes",
    "PO Box 17",
    "INV-0042",
    "1 Mar 2026",
    "20 Mar 2026",
    "PO 7741",
    "Work on the website, March",
    "GST 15%",
    "Amount due NZD",
    "115.00",
    "Payment advice",
    "Heron Lane Limited \u00b7 Company number 9876543",
    "Page 1 of 1",
  ]) {
    expect(shown).toContain(each);
  }
});

test("a printed invoice sums tax by rate, and shows foreign totals in the base currency too", async () => {
  const shown = await texts(papers["three-rates"] as Invoice);
  expect(shown).toEqual(
    expect.arrayContaining([
      ...["GST 15% on 1,350.00", "202.50", "Zero Rated on 358.00", "0.00"],
      ...["GST 12.5% on 1,750.00", "218.75", "Total USD", "3,879.25"],
      ...["Payment, 12 Mar 2026", "\u22121,000.00", "Credit note CN-0003, 13 Mar 2026"],
      "At 1 NZD = 0.612345 USD: NZD 6,335.07, of which tax NZD 687.93",
    ]),
  );
});

test.each<[string, Partial<Invoice>, string[], string[]]>([
  ["a draft", { Status: "DRAFT" }, ["DRAFT"], ["VOID"]],
  ["a submitted invoice", { Status: "SUBMITTED" }, ["DRAFT"], ["VOID"]],
  ["a void invoice", { Status: "VOIDED" }, ["VOID"], ["DRAFT", "Payment advice"]],
  ["a deleted invoice", { Status: "DELETED" }, ["VOID"], ["DRAFT", "Payment advice"]],
  ["an approved invoice", {}, ["Payment advice"], ["DRAFT", "VOID"]],
  ["a paid invoice", { AmountDue: 0 as Cents, Status: "PAID" }, [], ["DRAFT", "Payment advice"]],
  ["a bill", { Type: "ACCPAY" }, ["Bill", "Supplier"], ["Bill to", "Payment advice"]],
])("the PDF of %s shows its type and status", async (_what, fields, there, missing) => {
  const shown = await texts(document([line("Work", 1, 100)], fields));
  for (const each of there) expect(shown).toContain(each);
  for (const each of missing) expect(shown).not.toContain(each);
});

const stages = {
  "credit-note": () => {
    const { InvoiceID: _id, ...shared } = document([line("Mug, returned", 2, 2800)]);
    return printedAs(() => creditNoteGiven, {
      ...shared,
      Type: "ACCRECCREDIT",
      CreditNoteID: "1",
      CreditNoteNumber: "CN-0003",
      RemainingCredit: 2_000 as Cents,
    });
  },
  "purchase-order": () =>
    printedAs(() => purchaseOrderKind, {
      ...document([line("Clay, white, 20 kg", 12, 4210, { ItemCode: "CLAY-W20" })]),
      PurchaseOrderID: "1",
      PurchaseOrderNumber: "PO-0007",
      DeliveryDate: "2026-03-12",
      DeliveryAddress: "Dock 3\n4 Heron Lane\nWellington 6011",
      AttentionTo: "Tess Tester",
      Telephone: "+64 4 555 0142",
      DeliveryInstructions: "Ring first.\nThe gate is on the left.",
    }),
  quote: () =>
    printedAs(() => quoteKind, {
      ...document([line("Bench", 1, 45_000)]),
      Status: "SENT",
      LineAmountTypes: "EXCLUSIVE",
      QuoteID: "1",
      QuoteNumber: "QU-0009",
      ExpiryDate: "2026-04-01",
      Title: "A bench for the hall",
      Summary: "Oak, oiled, as we discussed.",
      Terms: "Half is due on acceptance.",
    }),
} as const;

function printedAs<D extends Printable>(kindOf: (given: D) => PrintedKind<D>, given: D) {
  return pdfOf(composeText(kindOf(given), given, { organisation: heron, rates, theme }));
}

test.each<[keyof typeof stages, string[]]>([
  [
    "credit-note",
    ["Credit note", "CN-0003", "Credit used", "\u221244.40", "Credit remaining NZD", "20.00"],
  ],
  [
    "purchase-order",
    ["Purchase order", "PO-0007", "12 Mar 2026", "Deliver to", "Tess Tester", "Dock 3"].concat([
      "CLAY-W20",
      "Delivery instructions",
      "The gate is on the left.",
    ]),
  ],
  [
    "quote",
    ["Quote", "QU-0009", "Valid until", "1 Apr 2026", "A bench for the hall", "GST 15%"].concat([
      "Oak, oiled, as we discussed.",
      "Terms",
      "Half is due on acceptance.",
    ]),
  ],
])("the PDF of a %s shows its title, number and amounts", async (name, expected) => {
  const shown = readPdf(await stages[name]()).pages.flat();
  expect(shown).toEqual(expect.arrayContaining(expected));
  expect(shown).not.toContain("Payment advice");
});

test("names in Latin, Greek and Cyrillic are complete in the PDF, and a letter missing in the font is a visible sign", async () => {
  const { pages, actual, boxes } = readPdf(
    await paper(
      document([
        line(
          "\u0160koda \u0395\u03bb\u03bb\u03ac\u03b4\u03b1 \u0412\u043b\u0430\u0434\u0438\u043c\u0438\u0440",
          1,
          100,
        ),
        line("\u65e5\u672c and \u{1f469}\u200d\u{1f3ed}", 1, 100),
        line("e\u0301\u202e\u0007x", 1, 100),
      ]),
    ),
  );
  const shown = pages.flat();
  expect(shown).toContain(
    "\u0160koda \u0395\u03bb\u03bb\u03ac\u03b4\u03b1 \u0412\u043b\u0430\u0434\u0438\u043c\u0438\u0440",
  );
  expect(shown).toEqual(expect.arrayContaining(["\ufffd\ufffd", " and ", "\ufffd"]));
  // What is copied is what was typed.
  expect(actual).toEqual(["\u65e5\u672c", "\u{1f469}\u200d\u{1f3ed}"]);
  expect(boxes).toBe(0);
  expect(shown.some((each) => each.startsWith("\u00e9") && each.endsWith("x"))).toBe(true);
});

test("further pages of a PDF repeat the headings and the number of the document", async () => {
  const { pages } = readPdf(await paper(papers["sixty-lines"] as Invoice));
  expect(pages.length).toBe(3);
  pages.forEach((page, index) => {
    expect(page).toContain("Description");
    expect(page).toContain(`Page ${index + 1} of 3`);
    expect(page).toContain("DRAFT");
    if (index > 0) expect(page).toContain("Tax invoice INV-0042");
  });
});

test("the totals of a PDF are never alone on a page without a line", async () => {
  for (let count = 10; count < 32; count += 1) {
    const lines = Array.from({ length: count }, (_, index) => line(`Part ${index + 1}`, 1, 100));
    const { pages } = readPdf(await paper(document(lines)));
    const page = pages.find((each) => each.includes("Total NZD"));
    expect(page, `${count} lines`).toContain(`Part ${count}`);
    expect(page, `${count} lines`).toContain("Amount due NZD");
  }
});

test("a line description longer than a page continues over further pages of the PDF without loss", async () => {
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`);
  const { pages } = readPdf(await paper(document([line(words.join(" "), 1, 100)])));
  expect(pages.length).toBeGreaterThan(2);
  const seen = pages.flat().flatMap((each) => each.match(/\bw\d+\b/g) ?? []);
  expect(seen).toEqual(words);
});

test("an invoice without lines, contact name or address is printed", async () => {
  const bare = document([], { Contact: undefined, InvoiceNumber: undefined, DueDate: undefined });
  const { pages } = readPdf(await paper(bare, { ...heron, Addresses: [], Phones: [] }));
  expect(pages).toHaveLength(1);
  expect(pages[0]).toContain("Total NZD");
});

test("an invoice with a thousand lines is printed with all of them", async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => line(`Part ${index + 1}`, 2, 1999));
  const { pages } = readPdf(await paper(document(lines)));
  const seen = pages.flat().filter((each) => /^Part \d+$/.test(each));
  expect(seen).toEqual(lines.map(({ Description }) => Description));
});

test("the paper size of a PDF is A4, or Letter in countries that use it", async () => {
  const size = async (CountryCode: string) => {
    const { dictionaries } = readPdf(await paper(document([]), { ...heron, CountryCode }));
    return dictionaries.flatMap((each) => /\/MediaBox (\[.*\])/.exec(each)?.[1] ?? []);
  };
  expect(await size("NZ")).toEqual(["[0 0 595.28 841.89]"]);
  expect(await size("US")).toEqual(["[0 0 612 792]"]);
});

test("the PDF has a title, a language and tags for screen readers", async () => {
  const { dictionaries, tags } = readPdf(await paper(papers["one-line"] as Invoice));
  const all = dictionaries.join("\n");
  expect(all).toContain("(Tax invoice INV-0042)");
  expect(all).toContain("/Lang (en-NZ)");
  expect(all).toContain("/DisplayDocTitle true");
  expect(all).toContain("/Marked true");
  expect(tags).toEqual(expect.arrayContaining(["H1", "P", "TH", "TD", "H2"]));
});

test("a name with XML characters is escaped in the metadata of the PDF", async () => {
  const named = document([], { InvoiceNumber: "A<1>\u0007&2" });
  const { metadata } = readPdf(await paper(named, { ...heron, Name: "Fern & Fold" }));
  const found = readXml(metadata.replace(/<\?[\s\S]*?\?>/g, "").trim());
  expect(JSON.stringify(found)).toContain("Fern & Fold");
  expect(JSON.stringify(found)).toContain("Tax invoice A<1> &2");
});

test("the same document gives a PDF of the same bytes", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-02T09:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const one = await paper(papers["three-rates"] as Invoice);
  vi.setSystemTime(new Date("2027-11-30T23:59:59Z"));
  expect(one.equals(await paper(papers["three-rates"] as Invoice))).toBe(true);
  expect(one.toString("latin1")).toContain("D:20260301120000Z");
});

// --- other scripts -----------------------------------------------------------------------------

const others = document([
  line("\u9999\u6e2f\u306e\u8336\u7897", 1, 100),
  line("\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645", 1, 100),
]);
const made = () =>
  paperOf(composeText(invoiceKind(others), others, { organisation: heron, rates, theme }));

test("characters that no font has are reported, each once, when a PDF is printed", async () => {
  const { missing } = await made();
  expect(missing).toBe("\u9999\u6e2f\u306e\u8336\u7897\u0645\u0631\u062d\u0628\u0627\u0643");
});

const han = spawnSync("fc-list", [":charset=9999", "file"]).stdout?.toString() ?? "";
if (han === "")
  console.warn("Chinese is not printed: there is no font with it (fonts-droid-fallback) here.");

test.runIf(han !== "")(
  "Chinese and Japanese are printed with a font installed on the computer",
  async () => {
    vi.stubEnv("ACCT_FONTS", "");
    onTestFinished(() => void vi.stubEnv("ACCT_FONTS", "none"));
    const { bytes } = await made();
    expect(readPdf(bytes).pages.flat().join("")).toContain("\u9999\u6e2f\u306e\u8336\u7897");
  },
);

const arabic = spawnSync("fc-list", [":charset=645", "file"]).stdout?.toString() ?? "";
if (arabic === "")
  console.warn("Arabic is not printed: there is no font with it (fonts-dejavu-core) here.");

test.runIf(arabic !== "")("Arabic is printed with a font installed on the computer", async () => {
  vi.stubEnv("ACCT_FONTS", "");
  onTestFinished(() => void vi.stubEnv("ACCT_FONTS", "none"));
  const { missing } = await made();
  expect(missing).not.toMatch(/[\u0600-\u06ff]/);
});

const details = {
  ...theme,
  bankDetails: "Kiwi Bank\n38-9000-0123456-00",
  paymentAdvice: "Thanks.",
};
const terms = Array.from({ length: 40 }, (_, at) => `Term ${at + 1}.`).join("\n");

test.each([
  ["nothing below the totals", theme],
  ["bank details", details],
  ["bank details and long terms", { ...details, terms }],
])(
  "with %s, how to pay stays whole and the payment slip is alone on no page, wherever pages end",
  async (_what, own) => {
    const wrong: number[] = [];
    for (let count = 1; count <= 45; count += 1) {
      const lines = Array.from({ length: count }, () => line("Work", 1, 100));
      const printing = { organisation: heron, rates, theme: own };
      const { pages } = readPdf(await pdfOf(composeText(salesInvoice, document(lines), printing)));
      const isAlone = pages.at(-1)?.[0] === "Payment advice";
      const paying = pages.find((page) => page.includes("How to pay"));
      const isWhole = own === theme || paying?.includes("Thanks.") === true;
      if (isAlone || !isWhole) wrong.push(count);
    }
    expect(wrong).toEqual([]);
  },
);
