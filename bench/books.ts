/** Books of a given size, made through the service. */
import { type Book, createBook } from "../src/service/books/book.ts";

/** As many invoices a request carries while a book is filled. */
const batch = 500;

/**
 * Makes a book of approved sales invoices of two lines each, spread evenly over the year 2025.
 *
 * @param count  of invoices
 */
export async function bookOf(path: string, count: number): Promise<void> {
  const book = await createBook(path, { name: "Bench Ltd", country: "NZ", demo: true });
  const contacts = Array.from({ length: 50 }, (_, index) => ({ Name: `Customer ${index + 1}` }));
  await put(book, "/Contacts", { Contacts: contacts });
  for (let made = 0; made < count; made += batch) {
    const Invoices = Array.from({ length: Math.min(batch, count - made) }, (_, index) => {
      const number = made + index;
      const day = new Date(Date.UTC(2025, 0, 1 + (number % 365))).toISOString().slice(0, 10);
      return {
        Type: "ACCREC",
        Contact: contacts[number % contacts.length],
        Date: day,
        Status: "AUTHORISED",
        LineItems: [
          { Description: "Goods", Quantity: 2, UnitAmount: 10 + (number % 90), AccountCode: "200" },
          { Description: "Delivery", Quantity: 1, UnitAmount: 4.5, AccountCode: "260" },
        ],
      };
    });
    await put(book, "/Invoices", { Invoices });
  }
  await book.close();
}

async function put(book: Book, path: string, body: object): Promise<void> {
  const answer = await book.handle({
    method: "PUT",
    path,
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  if (answer.status !== 200) throw new Error(String(answer.body));
}
