/** Books of a given size, made through the service. */
import { type Book, createBook } from "../src/service/books/book.ts";

/** As many records a request carries while a book is filled. */
const batch = 500;
const dayMs = 86_400_000;

interface Filling {
  /** The days of its documents, of which the last is this one, `YYYY-MM-DD`. */
  readonly to?: string;
  /** Whether invoices are paid after six weeks, bills come every day, and the bank sends its lines. */
  readonly isLived?: boolean;
}

/**
 * Makes a book of approved sales invoices of two lines each, spread evenly over the year 2025, or the
 * year that ends on a day.
 *
 * @param count  of invoices
 */
export async function bookOf(
  path: string,
  count: number,
  { to = "2025-12-31", isLived = false }: Filling = {},
): Promise<void> {
  const book = await createBook(path, { name: "Bench Ltd", country: "NZ", demo: true });
  const contacts = Array.from({ length: 50 }, (_, index) => ({ Name: `Customer ${index + 1}` }));
  await put(book, "/Contacts", { Contacts: contacts });
  const first = Date.parse(to) - 364 * dayMs;
  const dayOf = (day: number) => new Date(first + day * dayMs).toISOString().slice(0, 10);
  for (let made = 0; made < count; made += batch) {
    const Invoices = Array.from({ length: Math.min(batch, count - made) }, (_, index) => {
      const number = made + index;
      return {
        Type: "ACCREC",
        Contact: contacts[number % contacts.length],
        Date: dayOf(number % 365),
        ...(isLived && { DueDate: dayOf((number % 365) + 20) }),
        Status: isLived && number % 1_000 === 0 ? "DRAFT" : "AUTHORISED",
        LineItems: [
          { Description: "Goods", Quantity: 2, UnitAmount: 10 + (number % 90), AccountCode: "200" },
          { Description: "Delivery", Quantity: 1, UnitAmount: 4.5, AccountCode: "260" },
        ],
      };
    });
    const { Invoices: kept = [] } = await put(book, "/Invoices", { Invoices });
    if (!isLived) continue;
    const Payments = kept.flatMap(({ InvoiceID, Status, AmountDue }, index) => {
      const day = (made + index) % 365;
      if (Status !== "AUTHORISED" || day + 42 > 364) return [];
      return [
        {
          Invoice: { InvoiceID },
          Account: { Code: "090" },
          Date: dayOf(day + 42),
          Amount: AmountDue,
        },
      ];
    });
    if (Payments.length > 0) await put(book, "/Payments", { Payments });
  }
  if (isLived) await live(book, contacts, dayOf);
  await book.close();
}

/** A bill a day and ten lines of the bank, none of them reconciled. */
async function live(
  book: Book,
  contacts: readonly object[],
  dayOf: (day: number) => string,
): Promise<void> {
  const days = Array.from({ length: 365 }, (_, day) => day);
  await put(book, "/Invoices", {
    Invoices: days.map((day) => ({
      Type: "ACCPAY",
      InvoiceNumber: `B-${day}`,
      Contact: contacts[day % contacts.length],
      Date: dayOf(day),
      DueDate: dayOf(day + 14),
      Status: "AUTHORISED",
      LineItems: [{ Description: "Rent", Quantity: 1, UnitAmount: 90, AccountCode: "469" }],
    })),
  });
  await put(book, "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    Source: "bench.ofx",
    StatementLines: days.flatMap((day) =>
      Array.from({ length: 10 }, (_, at) => ({
        Key: `${day}-${at}`,
        Date: dayOf(day),
        Amount: 10 + at,
        Payee: `Customer ${at}`,
      })),
    ),
  });
}

interface Kept {
  readonly Invoices?: {
    readonly InvoiceID: string;
    readonly Status: string;
    readonly AmountDue: number;
  }[];
}

/** @param query  of the request, as pairs of name and value */
export async function put(
  book: Book,
  path: string,
  body: object,
  query: readonly (readonly [string, string])[] = [],
): Promise<Kept> {
  const answer = await book.transport({
    method: "PUT",
    path,
    query,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  if (answer.status !== 200) throw new Error(String(answer.body));
  return JSON.parse(String(answer.body)) as Kept;
}
