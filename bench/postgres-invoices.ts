/** What is created on PostgreSQL: invoices of one line to one of some customers. */
import type { Book } from "../src/service/books/book.ts";

/** Contacts in each organisation. */
export const customers = 50;

/** @param number  any; those that follow each other are to customers that follow each other */
export function invoice(number: number): object {
  return {
    Type: "ACCREC",
    Contact: { Name: `Customer ${1 + (number % customers)}` },
    Date: "2026-06-01",
    DueDate: "2026-06-20",
    Status: "AUTHORISED",
    LineItems: [{ Description: "Goods", Quantity: 2, UnitAmount: 10, AccountCode: "200" }],
  };
}

const json = { accept: "application/json", "content-type": "application/json" };

/** @throws Error with the answer when it is not 200 */
export async function put(book: Book, path: string, records: object): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(records));
  const answer = await book.transport({ method: "PUT", path, query: [], headers: json, body });
  if (answer.status !== 200) throw new Error(String(answer.body).slice(0, 500));
}
