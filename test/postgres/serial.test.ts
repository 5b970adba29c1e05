/**
 * Writers of one organisation in several processes come out as if one had run after the other: what
 * they did, done again one by one in the order of the journals, leaves the same books.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import {
  type Book,
  createBook,
  createBookIn,
  openBookIn,
  verifyBook,
} from "../../src/service/books/book.ts";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { type Listing, listBooks } from "../../src/store/records/organisations.ts";
import { basisCode } from "../../src/store/schema/index.ts";
import type { Store } from "../../src/store/store.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what is expected of them.
type Json = any;

/** Each with connections and a memory of its own, as a process has. */
const processes = 3;
const clientsOfEach = 4;
const requestsOfEach = 25;
/** What clients pay at the same time. */
const wanted = 3;

const folder = mkdtempSync(join(tmpdir(), "acct-serial-"));
let stores: Store[];
let books: Book[];

beforeAll(async () => {
  const { shared } = inject("postgres");
  stores = await Promise.all(Array.from({ length: processes }, () => postgresStore(shared)));
  const made = await createBookIn(stores[0] as Store, { name: "In turn", country: "NZ" });
  const owner = (await listBooks(stores[0] as Store)).find(({ org }) => org === made.org);
  books = stores.map((store) => openBookIn(store, owner as Listing));
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function ask(book: Book, method: "GET" | "PUT", path: string, record?: object) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const body = record === undefined ? {} : { body: Buffer.from(JSON.stringify(record)) };
  const answer = await book.transport({ method, path, query: [], headers, ...body });
  return { status: answer.status, body: JSON.parse(String(answer.body)) as Json };
}

const invoice = (UnitAmount: number) => ({
  Type: "ACCREC",
  Status: "AUTHORISED",
  Contact: { Name: "Ariki" },
  Date: "2026-03-01",
  DueDate: "2026-03-20",
  LineItems: [{ Description: "Clay", Quantity: 1, UnitAmount, AccountCode: "200" }],
});

const payment = (InvoiceID: string, Amount: number) => ({
  Invoice: { InvoiceID },
  Account: { Code: "980" },
  Date: "2026-03-05",
  Amount,
});

/** Creates invoices, and pays a part of one that others pay as well. @returns what was refused */
async function work(book: Book, open: Json[]): Promise<number> {
  let refused = 0;
  for (let turn = 0; turn < requestsOfEach; turn += 1) {
    if (open.length < wanted || randomInt(4) === 0) {
      const { status, body } = await ask(book, "PUT", "/Invoices", invoice(100 + randomInt(50)));
      expect(status).toBe(200);
      open.push(body.Invoices[0]);
      continue;
    }
    const target = open.at(-1 - randomInt(wanted));
    const { status, body } = await ask(book, "PUT", "/Payments", payment(target.InvoiceID, 40));
    if (status === 200) continue;
    expect(JSON.stringify(body)).toContain("exceeds the amount outstanding");
    refused += 1;
  }
  return refused;
}

async function page(book: Book, path: string, name: string): Promise<Json[]> {
  const headers = { accept: "application/json" };
  const query: [string, string][] = [["pageSize", "1000"]];
  const { body } = await book.transport({ method: "GET", path, query, headers });
  return JSON.parse(String(body))[name];
}

async function leftBy(book: Book) {
  const invoices = await page(book, "/Invoices", "Invoices");
  const { body } = await ask(book, "GET", "/Reports/TrialBalance");
  return {
    invoices: invoices
      .map(({ InvoiceNumber, Total, AmountDue, Status }) => [
        InvoiceNumber,
        Total,
        AmountDue,
        Status,
      ])
      .sort(),
    balance: body.Reports[0].Rows.map((section: Json) =>
      section.Rows?.map((row: Json) => row.Cells.map(({ Value }: Json) => Value)),
    ),
  };
}

test("simultaneous writes to one organisation have the result of running one after the other in some order", async () => {
  const [book] = books as [Book];
  await ask(book, "PUT", "/Contacts", { Name: "Ariki" });
  const open: Json[] = [];
  const clients = books.flatMap((each) => Array.from({ length: clientsOfEach }, () => each));
  const refused = await Promise.all(clients.map((each) => work(each, open)));
  expect(refused.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
  expect((await verifyBook(book)).faults).toEqual([]);

  const invoices = new Map(
    (await page(book, "/Invoices", "Invoices")).map((each) => [each.InvoiceID, each]),
  );
  const payments = new Map(
    (await page(book, "/Payments", "Payments")).map((each) => [each.PaymentID, each]),
  );
  for (const { AmountDue } of invoices.values()) expect(AmountDue).toBeGreaterThanOrEqual(0);
  const order = await book.store.read(book.org, ({ connection, org }) =>
    Promise.resolve(
      connection.rows(
        "select source_id, number from journal where org = $1 and basis = $2 order by number",
        [org, basisCode.accrual],
      ),
    ),
  );
  expect(order.map(([, number]) => number)).toEqual(order.map((_, at) => at + 1));
  expect(order).toHaveLength(invoices.size + payments.size);

  const again = await createBook(join(folder, "again.acct"), { name: "In turn", country: "NZ" });
  await ask(again, "PUT", "/Contacts", { Name: "Ariki" });
  const ids = new Map<string, string>();
  for (const [source] of order as [string, number][]) {
    const made = invoices.get(source);
    if (made !== undefined) {
      const { body } = await ask(again, "PUT", "/Invoices", invoice(made.SubTotal));
      expect(body.Invoices[0].InvoiceNumber).toBe(made.InvoiceNumber);
      ids.set(source, body.Invoices[0].InvoiceID);
    } else {
      const { Invoice, Amount } = payments.get(source);
      const repeated = payment(ids.get(Invoice.InvoiceID) ?? "", Amount);
      expect(await ask(again, "PUT", "/Payments", repeated)).toMatchObject({ status: 200 });
    }
  }
  expect(await leftBy(again)).toEqual(await leftBy(book));
  await again.close();
});
