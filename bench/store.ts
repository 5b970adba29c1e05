/**
 * What the store costs: an import of documents, and the opening of the book it makes.
 *
 * Run with `node bench/store.ts [documents] [batch]`. Each document has two lines, a journal
 * of three postings and an entry in its history; a batch is one transaction.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Journal } from "../src/ledger/journal.ts";
import type { Quantity, Rate, UnitAmount } from "../src/resources/decimal.ts";
import { account as accounts, contact as contacts, invoice } from "../src/resources/index.ts";
import type { LineItem } from "../src/resources/line-item.ts";
import { sqliteDialect } from "../src/store/dialects/sqlite/sqlite.ts";
import { appendJournals, sums } from "../src/store/ledger/journals.ts";
import { verify } from "../src/store/maintenance/verify.ts";
import { saveLines } from "../src/store/mapping/line-items.ts";
import { list, save } from "../src/store/mapping/records.ts";
import { addHistory } from "../src/store/records/history.ts";
import { createOrganisation, organisationOf } from "../src/store/records/organisations.ts";
import { openStore } from "../src/store/store.ts";
import type { Tx } from "../src/store/tx/tx.ts";
import { account, cents, guid, newId, organisation } from "../test/store/samples.ts";

const count = Number(process.argv[2] ?? 10_000);
const batch = Number(process.argv[3] ?? 100);
const folder = mkdtempSync(join(tmpdir(), "acct-bench-"));
const path = join(folder, "bench.acct");

const debtors = guid(1);
const tax = guid(2);
const incomes = Array.from({ length: 30 }, (_, i) => guid(100 + i));
const customers = Array.from({ length: 500 }, (_, i) => guid(1000 + i));

function dayOf(i: number): string {
  return new Date(Date.UTC(2025, 0, 1) + ((i * 7919) % 365) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}

function documents(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => {
    const i = from + at;
    const income = incomes[i % incomes.length] as string;
    const line = (ord: number): LineItem => ({
      LineItemID: newId(),
      Description: `Consulting, part ${ord} of ${i}`,
      Quantity: 10_000 as Quantity,
      UnitAmount: 500_000 as UnitAmount,
      AccountID: income,
      TaxType: "OUTPUT2",
      TaxAmount: cents(750),
      LineAmount: cents(5000),
    });
    return {
      InvoiceID: newId(),
      Type: "ACCREC",
      InvoiceNumber: `INV-${String(i).padStart(6, "0")}`,
      Reference: `PO ${i}`,
      Contact: { ContactID: customers[i % customers.length] },
      Date: dayOf(i),
      DueDate: dayOf(i + 20),
      Status: "AUTHORISED",
      LineAmountTypes: "Exclusive",
      LineItems: [line(1), line(2)],
      SubTotal: cents(10_000),
      TotalTax: cents(1500),
      Total: cents(11_500),
      UpdatedDateUTC: 1_772_000_000_000 + i,
      CurrencyCode: "NZD",
      CurrencyRate: 1_000_000 as Rate,
      SentToContact: false,
      HasAttachments: false,
      AmountDue: cents(11_500),
      AmountPaid: cents(0),
      AmountCredited: cents(0),
      BaseDue: cents(11_500),
      UnitDecimals: 2,
      CreatedByApp: "acct",
      CreatedDateUTC: 1_772_000_000_000,
    };
  });
}

type Document = ReturnType<typeof documents>[number];

function journalOf(document: Document): Journal {
  const income = document.LineItems[0]?.AccountID as string;
  return {
    basis: "accrual",
    date: document.Date,
    sourceType: "ACCREC",
    sourceId: document.InvoiceID,
    documentId: document.InvoiceID,
    reference: document.InvoiceNumber,
    postings: [
      { account: debtors, amount: cents(11_500) },
      {
        account: income,
        amount: cents(-10_000),
        taxType: "OUTPUT2",
        taxAmount: cents(-1500),
        line: 0,
      },
      { account: tax, amount: cents(-1500) },
    ],
  };
}

const spent = new Map<string, number>();

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  spent.set(name, (spent.get(name) ?? 0) + performance.now() - start);
  return result;
}

async function keep(tx: Tx, made: readonly Document[]): Promise<void> {
  await timed("  documents", () => save(tx, invoice, made));
  await timed("  lines", () =>
    saveLines(
      tx,
      made.map((each) => ({ id: each.InvoiceID, lines: each.LineItems })),
    ),
  );
  await timed("  journals", () =>
    appendJournals(tx, made.map(journalOf), 1_772_000_000_000, newId),
  );
  await timed("  history", () =>
    addHistory(
      tx,
      made.map((each) => ({
        id: newId(),
        resource: "Invoice",
        recordId: each.InvoiceID,
        at: 1_772_000_000_000,
        user: "Tess Tester",
        changes: "Created",
        details: `Invoice ${each.InvoiceNumber} was created.`,
      })),
    ),
  );
}

const store = await timed("new book", () => openStore(sqliteDialect(path)));
await createOrganisation(store, organisation());
await store.write(1, async (tx) => {
  await save(tx, accounts, [
    account({ AccountID: debtors, Name: "Receivable", SystemAccount: "DEBTORS" }),
    account({ AccountID: tax, Name: "GST", SystemAccount: "GST" }),
    ...incomes.map((AccountID, i) => account({ AccountID, Name: `Income ${i}` })),
  ]);
  await save(
    tx,
    contacts,
    customers.map((ContactID, i) => ({
      ContactID,
      ContactStatus: "ACTIVE",
      Name: `Customer ${i}`,
      IsSupplier: false,
      IsCustomer: true,
      HasAttachments: false,
      UpdatedDateUTC: 0,
    })),
  );
});
for (let from = 0; from < count; from += batch) {
  const made = documents(from, Math.min(count, from + batch));
  await timed("import", () => store.write(1, (tx) => keep(tx, made)));
}
const year = { basis: "accrual", from: "2025-01-01", to: "2025-12-31" } as const;
const part = { basis: "accrual", from: "2025-01-15", to: "2025-12-20" } as const;
for (let i = 0; i < 20; i += 1) {
  await timed("sums of a year, x20", () => store.read(1, (tx) => sums(tx, year)));
  await timed("sums with part months, x20", () => store.read(1, (tx) => sums(tx, part)));
  await timed("list of 100, x20", () =>
    store.read(1, (tx) => list(tx, invoice, { limit: 100, count: false })),
  );
  await timed("list of 100 at 5000, x20", () =>
    store.read(1, (tx) => list(tx, invoice, { limit: 100, offset: 5000 })),
  );
}
const verified = await timed("verify", () => store.read(1, verify));
await store.close();

const opens: number[] = [];
for (let i = 0; i < 20; i += 1) {
  const start = performance.now();
  const again = await openStore(sqliteDialect(path));
  const opened = performance.now();
  await again.read(1, organisationOf);
  opens.push(opened - start);
  await timed("first read after opening, x20", () => again.read(1, organisationOf));
  await again.close();
}

console.log(`${count} documents, ${batch} in a transaction, ${statSync(path).size / 1e6} MB`);
for (const [name, ms] of spent) console.log(`${name.padEnd(32)} ${ms.toFixed(1).padStart(9)} ms`);
console.log(
  `${"open, median".padEnd(32)} ${opens
    .sort((a, b) => a - b)[10]
    ?.toFixed(2)
    .padStart(9)} ms`,
);
console.log(
  `import: ${Math.round((count / (spent.get("import") ?? 1)) * 1000)} documents a second`,
);
if (verified.faults.length > 0) console.log(verified);
rmSync(folder, { recursive: true });
