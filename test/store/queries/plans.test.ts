/** Lists, sums and look-ups of large tables go through an index, whatever the table holds. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../../src/resources/field.ts";
import {
  bankTransfer,
  contact,
  invoice,
  overpayment,
  payment,
  prepayment,
} from "../../../src/resources/index.ts";
import { sequenceOf } from "../../../src/store/chain/sequences.ts";
import {
  journalNumbered,
  journalsAfter,
  journalWithId,
} from "../../../src/store/ledger/journal-list.ts";
import { sums } from "../../../src/store/ledger/journals.ts";
import { journalsOf } from "../../../src/store/ledger/record-journals.ts";
import { movesOf } from "../../../src/store/ledger/stock-moves.ts";
import { linesOf } from "../../../src/store/mapping/line-items.ts";
import { fetch, filterFields, list } from "../../../src/store/mapping/records.ts";
import { deliveriesOf, deliveryOf, nextDelivery } from "../../../src/store/outbox/deliveries.ts";
import { waitingEvents } from "../../../src/store/outbox/events.ts";
import { postingRows } from "../../../src/store/queries/account-postings.ts";
import { transferTurnover } from "../../../src/store/queries/cash-flows.ts";
import { agedDocuments } from "../../../src/store/queries/contacts/aged.ts";
import { contactBalances } from "../../../src/store/queries/contacts/contacts.ts";
import { foreignOpen, loadForeignHeld } from "../../../src/store/queries/foreign-balances.ts";
import { invoicesIssued } from "../../../src/store/queries/invoices-issued.ts";
import { openByDueDay } from "../../../src/store/queries/overview-sums.ts";
import { publishedReports } from "../../../src/store/queries/published.ts";
import { dueDates, invoicesToSend } from "../../../src/store/queries/repeating.ts";
import { accountBoxes, payments1099 } from "../../../src/store/queries/tax/boxes-1099.ts";
import { lateSums, taxedSums } from "../../../src/store/queries/tax/tax-sums.ts";
import { historyOf } from "../../../src/store/records/history.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { findAnswer } from "../../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { type OrderTerm, parseOrder } from "../../../src/wire/query/order.ts";
import { parseWhere } from "../../../src/wire/query/where.ts";
import { type Faults, faultyDialect } from "../../simulation/store-faults.ts";
import { enter, ids } from "../books.ts";
import { guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

const ordered = (resource: Resource, text: string): readonly OrderTerm[] =>
  parseOrder(text, resource.name, filterFields(resource));
const where = (text: string) => parseWhere(text, "Invoice", filterFields(invoice));

const journalOrder = {
  basis: "accrual",
  from: "2026-01-01",
  before: "2026-02-01",
  options: [],
  undone: false,
  limit: 100,
} as const;

/** The index that each query must go by, as SQLite names it, and whether it sorts besides. */
const queries: [name: string, index: string, sorts: boolean, work: (tx: Tx) => Promise<unknown>][] =
  [
    ["events that wait", "event", false, (tx) => waitingEvents(tx, ids.invoice, 100)],
    ["the delivery that is next", "delivery_waiting", false, (tx) => nextDelivery(tx, ids.invoice)],
    ["a delivery", "delivery_by_id", false, (tx) => deliveryOf(tx, ids.invoice)],
    ["the log of deliveries", "delivery_by_age", false, (tx) => deliveriesOf(tx, { limit: 50 })],
    [
      "what bank transfers have moved",
      "journal_by_source",
      true,
      (tx) => transferTurnover(tx, { from: "2026-01-01", to: "2026-01-31" }),
    ],
    ["templates that are due", "repeating_invoice_due", true, (tx) => dueDates(tx, "2026-03-31")],
    [
      "repeating invoices to send",
      "repeating_invoice_to_send",
      true,
      (tx) => invoicesToSend(tx, 5),
    ],
    [
      "a page of invoices",
      "sqlite_autoindex_document_1",
      false,
      (tx) => list(tx, invoice, { limit: 100 }),
    ],
    [
      "a later page",
      "sqlite_autoindex_document_1",
      true,
      (tx) => list(tx, invoice, { limit: 100, offset: 100 }),
    ],
    [
      "what changed since",
      "document_by_update",
      false,
      (tx) =>
        list(tx, invoice, {
          modifiedSince: 5,
          order: ordered(invoice, "UpdatedDateUTC"),
          limit: 100,
        }),
    ],
    [
      "invoices by their update",
      "document_by_update",
      false,
      (tx) => list(tx, invoice, { order: ordered(invoice, "UpdatedDateUTC ASC"), limit: 100 }),
    ],
    [
      "the latest invoices",
      "document_by_date",
      false,
      (tx) => list(tx, invoice, { order: ordered(invoice, invoice.listOrder ?? ""), limit: 100 }),
    ],
    [
      "invoices of a month",
      "document_by_date",
      false,
      (tx) =>
        list(tx, invoice, {
          where: where("Date >= DateTime(2026,2,1) AND Date < DateTime(2026,3,1)"),
          order: ordered(invoice, "Date"),
        }),
    ],
    [
      "approved invoices by date",
      "document_by_status",
      false,
      (tx) =>
        list(tx, invoice, {
          where: where('Status=="AUTHORISED"'),
          order: ordered(invoice, "Date"),
          limit: 100,
        }),
    ],
    [
      "invoices of a contact",
      "document_by_contact",
      true,
      (tx) => list(tx, invoice, { in: [{ field: "Contact.ContactID", values: [ids.contact] }] }),
    ],
    [
      "invoices of a contact by where",
      "document_by_contact",
      true,
      (tx) => list(tx, invoice, { where: where(`Contact.ContactID==Guid("${ids.contact}")`) }),
    ],
    [
      "prepayments by their update",
      "document_prepayment_by_update",
      false,
      (tx) => list(tx, prepayment, { order: ordered(prepayment, "UpdatedDateUTC"), limit: 100 }),
    ],
    [
      "the latest overpayments",
      "document_overpayment_by_date",
      true,
      (tx) => list(tx, overpayment, { order: ordered(overpayment, "Date DESC"), limit: 100 }),
    ],
    [
      "refunds of prepayments",
      "payment_by_prepayment",
      true,
      (tx) => fetch(tx, payment, "Prepayment.PrepaymentID", [ids.invoice, ids.contact]),
    ],
    [
      "the transfer of a bank transaction",
      "bank_transfer_by_from",
      true,
      (tx) => fetch(tx, bankTransfer, "FromBankTransactionID", [ids.invoice]),
    ],
    [
      "bank transfers by their creation",
      "bank_transfer_by_creation",
      false,
      (tx) =>
        list(tx, bankTransfer, {
          modifiedSince: 5,
          order: ordered(bankTransfer, "CreatedDateUTC"),
        }),
    ],
    [
      "invoices by number",
      "document_by_number",
      true,
      (tx) => fetch(tx, invoice, "InvoiceNumber", ["INV-1", "INV-2", "x"]),
    ],
    [
      "an invoice by where",
      "document_by_number",
      true,
      (tx) => list(tx, invoice, { where: where('InvoiceNumber=="INV-1"') }),
    ],
    [
      "invoices that start with",
      "document_by_number",
      true,
      (tx) => list(tx, invoice, { where: where('InvoiceNumber.StartsWith("INV-1")') }),
    ],
    [
      "invoices by id",
      "sqlite_autoindex_document_1",
      true,
      (tx) => fetch(tx, invoice, "InvoiceID", [ids.invoice, ids.bill, guid(1)]),
    ],
    [
      "payments of invoices",
      "payment_by_invoice",
      true,
      (tx) => fetch(tx, payment, "Invoice.InvoiceID", [ids.invoice, ids.bill]),
    ],
    [
      "payments by their update",
      "payment_by_update",
      false,
      (tx) => list(tx, payment, { order: ordered(payment, "UpdatedDateUTC"), limit: 100 }),
    ],
    [
      "the latest payments",
      "payment_by_date",
      false,
      (tx) =>
        list(tx, payment, {
          order: ordered(payment, "Date DESC, UpdatedDateUTC DESC"),
          limit: 100,
        }),
    ],
    [
      "contacts by name",
      "contact_by_name",
      false,
      (tx) => list(tx, contact, { order: ordered(contact, "Name"), limit: 100 }),
    ],
    [
      "contacts of names",
      "contact_by_name",
      true,
      (tx) => fetch(tx, contact, "Name", ["Ana", "Zoë"]),
    ],
    [
      "contacts of numbers",
      "contact_number",
      true,
      (tx) => fetch(tx, contact, "ContactNumber", ["1", "2"]),
    ],
    [
      "what contacts owe",
      "document_open",
      false,
      (tx) => contactBalances(tx, [ids.contact, guid(5)], "2026-01-01"),
    ],
    [
      "what is open by the day it is due",
      "COVERING INDEX document_due",
      true,
      (tx) => openByDueDay(tx, ["ACCREC", "ACCPAY"], "2026-01-01"),
    ],
    ["lines", "PRIMARY KEY", false, (tx) => linesOf(tx, [ids.invoice, ids.bill])],
    [
      "journals of a source",
      "journal_by_source",
      false,
      (tx) => journalsOf(tx, "source", [ids.invoice]),
    ],
    [
      "journals of a document",
      "journal_by_document",
      false,
      (tx) => journalsOf(tx, "document", [ids.invoice]),
    ],
    [
      "journals after a number",
      "PRIMARY KEY (org=? AND basis=? AND number>?)",
      false,
      (tx) => journalsAfter(tx, { basis: "accrual", after: 0, limit: 100 }),
    ],
    [
      "postings of a period in the order of journals",
      "PRIMARY KEY (org=? AND basis=? AND number>?)",
      false,
      (tx) => postingRows(tx, { ...journalOrder, after: { date: "", number: 0, ord: -1 } }),
    ],
    [
      "postings of a period after a place",
      "PRIMARY KEY (org=? AND basis=? AND (number,ord)>(?,?))",
      false,
      (tx) => postingRows(tx, { ...journalOrder, after: { date: "", number: 1, ord: 0 } }),
    ],
    [
      "journals since a moment",
      "PRIMARY KEY (org=? AND basis=? AND number=?)",
      false,
      (tx) => journalsAfter(tx, { basis: "accrual", after: 0, since: 1, limit: 100 }),
    ],
    [
      "a journal by its number",
      "PRIMARY KEY (org=? AND basis=? AND number=?)",
      false,
      (tx) => journalNumbered(tx, "accrual", 1),
    ],
    ["a journal by its id", "journal_by_id", false, (tx) => journalWithId(tx, guid(1))],
    [
      "sums of months",
      "PRIMARY KEY",
      true,
      (tx) => sums(tx, { basis: "accrual", from: "2026-01-01", to: "2026-12-31" }),
    ],
    [
      "sums of days",
      "COVERING INDEX posting_by_date",
      true,
      (tx) => sums(tx, { basis: "accrual", from: "2026-01-02", to: "2026-01-30", byOption: true }),
    ],
    [
      "aged documents of a contact",
      "document_by_contact",
      false,
      (tx) =>
        agedDocuments(tx, {
          contactId: ids.contact,
          type: "ACCREC",
          to: "2026-03-31",
          date: "2026-03-31",
        }),
    ],
    [
      "payments of aged documents",
      "payment_by_invoice",
      false,
      (tx) =>
        agedDocuments(tx, {
          contactId: ids.contact,
          type: "ACCPAY",
          to: "2026-03-31",
          date: "2026-03-31",
        }),
    ],
    [
      "allocations to aged documents",
      "allocation_by_invoice",
      false,
      (tx) =>
        agedDocuments(tx, {
          contactId: ids.contact,
          type: "ACCPAY",
          to: "2026-03-31",
          date: "2026-03-31",
        }),
    ],
    [
      "invoices issued in a month",
      "document_by_status",
      true,
      (tx) => invoicesIssued(tx, { from: "2026-03-01", to: "2026-03-31" }),
    ],
    [
      "sums by tax type",
      "posting_by_date",
      true,
      (tx) =>
        taxedSums(
          tx,
          { basis: "accrual", from: "2026-03-01", to: "2026-04-30" },
          { rates: new Map([["OUTPUT2", { rate: 150_000, isSplit: true }]]), byDocument: false },
        ),
    ],
    [
      "sums that are posted late",
      "PRIMARY KEY (org=? AND basis=? AND number>?)",
      true,
      (tx) => {
        const numbers = { accrual: 1, cash: 1 };
        const filed = { from: "2026-01-01", first: numbers, to: "2026-03-31", last: numbers };
        return lateSums(tx, "accrual", filed, { rates: new Map(), byDocument: true });
      },
    ],
    [
      "what was paid for accounts",
      "posting_by_account",
      true,
      (tx) => payments1099(tx, [ids.sales], { from: "2025-01-01", to: "2025-12-31" }, "NZD"),
    ],
    [
      "what foreign bank accounts hold",
      "posting_by_account (org=? AND account_id=? AND basis=? AND date>? AND date<?)",
      true,
      (tx) => loadForeignHeld(tx, "accrual", [ids.bank], "2026-03-15"),
    ],
    [
      "open foreign documents",
      "document_foreign_open (org=? AND status=? AND last_settled>?)",
      false,
      (tx) => foreignOpen(tx, ["ACCREC", "ACCRECCREDIT"], "2026-03-31"),
    ],
    [
      "what was paid of them since",
      "payment_by_invoice",
      false,
      (tx) => foreignOpen(tx, ["ACCREC", "ACCRECCREDIT"], "2026-03-31"),
    ],
    [
      "what was credited of them since",
      "allocation_by_invoice",
      false,
      (tx) => foreignOpen(tx, ["ACCREC", "ACCRECCREDIT"], "2026-03-31"),
    ],
    ["published reports", "sqlite_autoindex_published_report_1", true, publishedReports],
    ["accounts in boxes", "sqlite_autoindex_box_1099_1", true, accountBoxes],
    ["history", "PRIMARY KEY", true, (tx) => historyOf(tx, "Invoice", ids.invoice)],
    ["a number", "PRIMARY KEY", false, (tx) => sequenceOf(tx, "INV-")],
    ["an answer", "sqlite_autoindex_idempotency_1", false, (tx) => findAnswer(tx, "acct", "k1")],
    [
      "moves of documents",
      "inventory_move_by_document",
      true,
      (tx) => movesOf(tx, [ids.invoice, ids.bill]),
    ],
  ];

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  const faults: Faults = { left: -1, error: () => new Error() };
  beforeAll(async () => {
    const database = await world.empty();
    await (await storeIn(database)).close();
    store = await openStore(faultyDialect(database.dialect(), faults));
    await store.write(1, (tx) => enter(tx, newId));
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  /** The plans of every statement that `work` runs. */
  async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
    const seen: { text: string; parameters: readonly unknown[] }[] = [];
    faults.seen = (text, parameters) => {
      if (text.startsWith("select") || text.startsWith("\n")) seen.push({ text, parameters });
    };
    await store.read(1, work);
    delete faults.seen;
    expect(seen.length).toBeGreaterThan(0);
    return store.read(1, async ({ db }) => {
      const plans: string[] = [];
      for (const { text, parameters } of seen) {
        const marks = text.split(world.name === "SQLite" ? /\?/ : /\$\d+/);
        const explained = parameters.reduce<ReturnType<typeof sql>>(
          (before, value, i) => sql`${before}${sql.lit(value)}${sql.raw(marks[i + 1] ?? "")}`,
          sql.raw(`${world.name === "SQLite" ? "explain query plan" : "explain"} ${marks[0]}`),
        );
        if (world.name === "PostgreSQL") await sql`set local enable_seqscan = off`.execute(db);
        const { rows } = await explained.execute(db);
        plans.push(rows.map((row) => Object.values(row as object).at(-1)).join("\n"));
      }
      return plans;
    });
  }

  test.each(queries)(
    "the query for %s uses its index and scans no table",
    async (_name, index, sorts, work) => {
      const plans = await plansOf(work);
      for (const plan of plans) {
        // Every table is searched by its organisation and more, or is small and searched by that.
        if (world.name === "SQLite") {
          expect(plan).not.toMatch(/SCAN (?!CONSTANT ROW|moved|q\b|\(subquery)/);
          if (!sorts) expect(plan).not.toContain("TEMP B-TREE FOR ORDER BY");
        } else {
          expect(plan).not.toMatch(
            /Seq Scan on (document|payment|posting|journal|history|contact)/,
          );
        }
      }
      if (world.name === "SQLite") expect(plans.join("\n")).toContain(index);
    },
  );
});
