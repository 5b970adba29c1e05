/** Books that the pages are pictured on: the sample company, a large one, one of extremes, an empty one. */

import { bookOf, put } from "../../bench/books.ts";
import { makeDemo } from "../../src/admin/book.ts";
import { createBook } from "../../src/service/books/book.ts";

/** How each book is made at a path, by the name of its folder of pictures. */
export const pictureBooks: Readonly<Record<string, (path: string) => Promise<void>>> = {
  sample: (path) => makeDemo(path),
  large: (path) => bookOf(path, 10_000, { to: "2026-11-23", isLived: true }),
  extremes: extremesBook,
  empty: async (path) => {
    await (await createBook(path, { name: "New & Empty Ltd", country: "NZ" })).close();
  },
};

/** Names at the limits of what pages hold: long, of other scripts, written from right to left. */
const names = [
  "The Honourable Company of Potters, Glaziers, Kiln Builders and Clay Merchants of Wairarapa",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsverbund",
  "株式会社東京陶芸材料輸出入センター",
  "شركة الخزف والفخار الدولية للتجارة والمقاولات",
  '<b>Bold & "Quoted"</b> O\'Brien',
  'חברת הקרמיקה הגדולה (ירושלים) בע"מ 2026',
  "🏺 Emoji Pötterei 👩‍👩‍👧‍👦 GmbH",
];
const currencies = ["NZD", "EUR", "GBP", "USD"];

async function extremesBook(path: string): Promise<void> {
  const book = await createBook(path, { name: names[0] as string, country: "NZ", demo: true });
  for (const Code of currencies.slice(1)) await put(book, "/Currencies", { Code });
  await put(book, "/Contacts", {
    Contacts: names.map((Name, at) => ({
      Name,
      EmailAddress: `long.${"x".repeat(40)}${at}@example.com`,
    })),
  });
  const documentOf = (at: number) => ({
    Contact: { Name: names[at % names.length] },
    Date: `2026-${String(1 + (at % 11)).padStart(2, "0")}-17`,
    CurrencyCode: currencies[at % currencies.length],
    ...(at % currencies.length === 0 ? {} : { CurrencyRate: 0.5 + at / 100 }),
    Status: at % 7 === 0 ? "DRAFT" : "AUTHORISED",
    Reference: "R".repeat(40) + at,
    LineItems: Array.from({ length: at === 1 ? 60 : 3 }, (_, line) => ({
      Description: `${names[(at + line) % names.length]}\nsecond line of ${"w".repeat(30)}`,
      Quantity: 12_345.6789,
      UnitAmount: 1.0001 + line * 97.3333,
      AccountCode: line % 2 === 0 ? "200" : "260",
    })),
  });
  const twenty = Array.from({ length: 20 }, (_, at) => at);
  await put(
    book,
    "/Invoices",
    {
      Invoices: twenty.flatMap((at) => [
        { Type: "ACCREC", DueDate: "2026-10-20", ...documentOf(at) },
        {
          Type: "ACCPAY",
          InvoiceNumber: `SUPPLIER/2026/${"0".repeat(30)}${at}`,
          DueDate: "2026-11-30",
          ...documentOf(at),
        },
      ]),
    },
    [["unitdp", "4"]],
  );
  await put(book, "/Invoices", {
    ...documentOf(4),
    ...{ Type: "ACCREC", DueDate: "2026-11-15", CurrencyCode: "NZD", CurrencyRate: 1 },
    LineItems: Array.from({ length: 40 }, () => ({
      ...{ Description: "Everything", Quantity: 1, UnitAmount: 9_999_999_999.99 },
      AccountCode: "200",
    })),
  });
  await put(
    book,
    "/CreditNotes",
    { CreditNotes: twenty.slice(0, 5).map((at) => ({ Type: "ACCRECCREDIT", ...documentOf(at) })) },
    [["unitdp", "4"]],
  );
  await put(
    book,
    "/BankTransactions",
    {
      BankTransactions: twenty.map((at) => ({
        ...documentOf(at),
        ...{ Type: at % 2 === 0 ? "SPEND" : "RECEIVE", Status: "AUTHORISED" },
        ...{ BankAccount: { Code: "090" }, CurrencyCode: "NZD", CurrencyRate: 1 },
      })),
    },
    [["unitdp", "4"]],
  );
  await put(book, "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: twenty.map((at) => ({
      Key: String(at),
      Date: "2026-11-18",
      Amount: (at % 2 === 0 ? 1 : -1) * (1_234_567.89 + at),
      Payee: names[at % names.length],
      Description: names[(at + 1) % names.length],
    })),
  });
  await book.close();
}
