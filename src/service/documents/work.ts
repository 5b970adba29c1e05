/** What a batch of documents is decided from, looked up with one query per kind. */
import type { PostedJournal } from "../../ledger/journal.ts";
import { maySetSent as isApproved } from "../../ledger/lifecycle.ts";
import { numbering } from "../../ledger/numbering.ts";
import { contact, invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Item } from "../../resources/item.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { type Move, movesOf } from "../../store/inventory.ts";
import { liveJournals } from "../../store/journals.ts";
import { linesOf, saveLines } from "../../store/lines.ts";
import { save } from "../../store/records.ts";
import type { Tx } from "../../store/store.ts";
import { type Chart, loadChart } from "../chart.ts";
import type { Batch, Entry } from "../endpoint.ts";
import { grouped } from "../grouped.ts";
import { Numbers } from "./numbers.ts";
import { Posting } from "./posting.ts";
import { type Contacts, loadContacts, loadItems } from "./references.ts";
import { paymentsOf } from "./shown.ts";
import { isLive, liveSales, numbered, type StoredInvoice } from "./stored.ts";

export interface Work {
  readonly chart: Chart;
  readonly contacts: Contacts;
  readonly items: Map<string, Item>;
  /** Lines of the documents that are updated. */
  readonly lines: ReadonlyMap<string, LineItem[]>;
  /** What they have posted, and not taken back, by document. */
  readonly live: ReadonlyMap<string, PostedJournal[]>;
  readonly moves: ReadonlyMap<string, Move[]>;
  readonly numbers: Numbers;
  readonly posting: Posting;
}

export async function loadWork({ tx, entries }: Batch<StoredInvoice>): Promise<Work> {
  const inputs = entries.map(({ input }) => input as Partial<Invoice>);
  const existing = entries.flatMap((entry) => entry.existing ?? []);
  const ids = existing.map((each) => each.InvoiceID);
  const posted = existing.filter((each) => isApproved(each.Status)).map((each) => each.InvoiceID);
  const lines = ids.length === 0 ? new Map<string, LineItem[]>() : await linesOf(tx, ids);
  await showPayments(tx, existing);
  const taken = liveSales(
    await numbered(
      tx,
      inputs.map((input) => input.InvoiceNumber),
    ),
  );
  return {
    chart: await loadChart(tx),
    contacts: await loadContacts(tx, [
      ...inputs.map((input) => input.Contact),
      ...existing.map((each) => ({ ContactID: each.Contact?.ContactID })),
    ]),
    items: await loadItems(tx, [...inputs.map((input) => input.LineItems), ...lines.values()]),
    lines,
    live: grouped(
      posted.length === 0 ? [] : await liveJournals(tx, "source", posted, "accrual"),
      (journal) => journal.sourceId,
    ),
    moves: posted.length === 0 ? new Map() : await movesOf(tx, posted),
    numbers: await Numbers.load(
      tx,
      numbering.invoice,
      taken.map((each) => ({ number: each.InvoiceNumber ?? "", id: each.InvoiceID })),
    ),
    posting: new Posting(),
  };
}

async function showPayments(tx: Tx, existing: readonly StoredInvoice[]): Promise<void> {
  const paid = existing.filter((each) => each.AmountPaid !== 0);
  const payments = await paymentsOf(
    tx,
    paid.map((each) => each.InvoiceID),
  );
  for (const each of paid) each.Payments = payments.get(each.InvoiceID);
}

export async function keepWork(
  { tx, call }: Batch<StoredInvoice>,
  work: Work,
  decided: readonly Entry<StoredInvoice>[],
): Promise<void> {
  const records = decided.flatMap((entry) => entry.record ?? []);
  await save(tx, invoice, records);
  await saveLines(
    tx,
    records.filter(isLive).map((record) => ({ id: record.InvoiceID, lines: record.LineItems })),
  );
  await work.posting.keep(tx, call);
  await save(tx, contact, [...work.contacts.changed.values()]);
  await work.numbers.keep(tx);
}
