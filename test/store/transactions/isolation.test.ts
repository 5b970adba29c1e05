import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rate } from "../../../src/resources/decimal.ts";
import { account, contact, invoice, item, payment } from "../../../src/resources/index.ts";
import type { LineItem } from "../../../src/resources/line-item.ts";
import { raiseSequence, sequenceOf, takeNumbers } from "../../../src/store/chain/sequences.ts";
import {
  budgetBalances,
  entriesOf,
  isBudgeted,
  saveEntries,
} from "../../../src/store/ledger/budgets.ts";
import { latestRates, ratesOf, saveRates } from "../../../src/store/ledger/exchange-rates.ts";
import { appendJournals, sums } from "../../../src/store/ledger/journals.ts";
import { journalsOf, liveJournals } from "../../../src/store/ledger/record-journals.ts";
import { addMoves, movesOf } from "../../../src/store/ledger/stock-moves.ts";
import { verify } from "../../../src/store/maintenance/verify.ts";
import { linesOf, saveLines } from "../../../src/store/mapping/line-items.ts";
import { fetch, list, remove, save } from "../../../src/store/mapping/records.ts";
import {
  composeDelivery,
  type DeliveryAttempt,
  deliveriesOf,
  deliveryOf,
  forgetDeliveries,
  nextDelivery,
  noteTry,
  removeAcknowledged,
  reschedule,
  restartRetries,
} from "../../../src/store/outbox/deliveries.ts";
import {
  addEvent,
  addEvents,
  type RecordChange,
  removeEvents,
  waitingEvents,
} from "../../../src/store/outbox/events.ts";
import {
  addWebhook,
  dueWebhooks,
  hasWebhooks,
  holdsLease,
  keepListening,
  releaseLease,
  removeExpired,
  removeWebhook,
  setStatus,
  takeLease,
  takeSequence,
  webhookOf,
  webhooksOf,
} from "../../../src/store/outbox/webhooks.ts";
import { agedDocuments } from "../../../src/store/queries/contacts/aged.ts";
import { contactBalances } from "../../../src/store/queries/contacts/contacts.ts";
import { invoicesIssued } from "../../../src/store/queries/invoices-issued.ts";
import {
  filedSoFar,
  publish,
  publishedReport,
  publishedReports,
} from "../../../src/store/queries/published.ts";
import { isUsed } from "../../../src/store/queries/references.ts";
import {
  accountBoxes,
  payments1099,
  removeBoxes,
  saveBoxes,
} from "../../../src/store/queries/tax/boxes-1099.ts";
import { lateSums, taxedSums } from "../../../src/store/queries/tax/tax-sums.ts";
import {
  attachmentsOf,
  chunkOf,
  noteAttachments,
  saveAttachment,
} from "../../../src/store/records/attachments.ts";
import {
  logoOf,
  offer,
  removeLogo,
  saveLogo,
  servicesOf,
} from "../../../src/store/records/branding.ts";
import {
  addMembers,
  groupsOf,
  membersOf,
  removeMembers,
} from "../../../src/store/records/contact-groups.ts";
import { addHistory, historyOf } from "../../../src/store/records/history.ts";
import {
  createOrganisation,
  organisationOf,
  updateOrganisation,
} from "../../../src/store/records/organisations.ts";
import type { Store } from "../../../src/store/store.ts";
import { deleteAnswers, findAnswer } from "../../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { acted } from "../../support/audit.ts";
import { attach, dump, enter, eventIds, ids, masterIds, reportId } from "../books.ts";
import { cents, guid, newId, organisation } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

/** Every function that reads: what it answers for a book that holds what `enter` writes. */
const rates = new Map([["OUTPUT2", { rate: 150_000, isSplit: true }]]);

const reads: Record<string, (tx: Tx) => Promise<unknown>> = {
  organisationOf,
  verify,
  "fetch by id": (tx) => fetch(tx, invoice, "InvoiceID", [ids.invoice, ids.bill]),
  "fetch by number": (tx) => fetch(tx, payment, "Invoice.InvoiceID", [ids.invoice]),
  "fetch through a reference": (tx) => fetch(tx, invoice, "Contact.Name", ["ana-one", "ana-two"]),
  "list of accounts": (tx) => list(tx, account, { count: true }),
  "list of contacts": (tx) =>
    list(tx, contact, { search: { fields: ["Name"], text: "ana" }, count: true }),
  "list of invoices": (tx) => list(tx, invoice, { modifiedSince: 0, count: true }),
  "second page of invoices": (tx) => list(tx, invoice, { limit: 1, offset: 1, count: true }),
  "list of payments": (tx) => list(tx, payment, { count: true }),
  "list of items": (tx) => list(tx, item, { count: true }),
  linesOf: (tx) => linesOf(tx, [ids.invoice, ids.bill]),
  "journals by source": (tx) => journalsOf(tx, "source", [ids.invoice, ids.payment]),
  "journals by document": (tx) => journalsOf(tx, "document", [ids.invoice]),
  liveJournals: (tx) => liveJournals(tx, "document", [ids.invoice], "accrual"),
  "sums of all time": (tx) => sums(tx, { basis: "accrual", to: "2026-12-31", byOption: true }),
  "sums of part of a month": (tx) =>
    sums(tx, { basis: "accrual", from: "2026-02-02", to: "2026-02-20" }),
  attachmentsOf: async (tx) => (await attachmentsOf(tx, ids.invoice)).map((file) => file.name),
  chunkOf: async (tx) => Buffer.from((await chunkOf(tx, ids.attachment, 0)) ?? []).toString(),
  historyOf: (tx) => historyOf(tx, "Invoice", ids.invoice),
  sequenceOf: (tx) => sequenceOf(tx, "INV-"),
  recall: (tx) => findAnswer(tx, "acct", "k1"),
  movesOf: (tx) => movesOf(tx, [ids.invoice, ids.bill]),
  "isUsed of an account": (tx) => isUsed(tx, account, ids.bank),
  "isUsed of an item": (tx) => isUsed(tx, item, ids.item),
  contactBalances: (tx) => contactBalances(tx, [ids.contact], "2026-06-01"),
  latestRates: (tx) => latestRates(tx, [{ currency: "EUR", date: "2026-06-01" }]),
  ratesOf: (tx) => ratesOf(tx, "EUR"),
  membersOf: (tx) => membersOf(tx, masterIds.group),
  groupsOf: (tx) => groupsOf(tx, [ids.contact]),
  offeredBy: (tx) => servicesOf(tx, masterIds.theme),
  logoOf: async (tx) => Buffer.from((await logoOf(tx, masterIds.theme))?.bytes ?? []).toString(),
  budgetBalances: (tx) => budgetBalances(tx, { from: "2026-01", to: "2026-12" }),
  entriesOf: (tx) => entriesOf(tx, masterIds.budget, { from: "2026-01", to: "2026-12" }),
  isBudgeted: (tx) => isBudgeted(tx, [ids.sales]),
  agedDocuments: (tx) =>
    agedDocuments(tx, {
      contactId: ids.contact,
      type: "ACCREC",
      to: "2026-12-31",
      date: "2026-12-31",
    }),
  invoicesIssued: (tx) => invoicesIssued(tx, { from: "2026-01-01", to: "2026-12-31" }),
  taxedSums: (tx) =>
    taxedSums(
      tx,
      { basis: "cash", from: "2026-01-01", to: "2026-12-31" },
      { rates, byDocument: true },
    ),
  lateSums: (tx) => {
    const none = { accrual: 0, cash: 0 };
    const filed = { from: "2026-01-01", first: none, to: "2026-12-31", last: none };
    return lateSums(tx, "cash", filed, { rates, byDocument: true });
  },
  filedSoFar: (tx) => filedSoFar(tx, "GSTReturn"),
  publishedReports,
  publishedReport: (tx) => publishedReport(tx, reportId),
  accountBoxes,
  webhooksOf,
  webhookOf: (tx) => webhookOf(tx, eventIds.webhook),
  hasWebhooks,
  dueWebhooks,
  holdsLease: (tx) => holdsLease(tx, eventIds.webhook, "here"),
  waitingEvents: (tx) => waitingEvents(tx, eventIds.webhook, 10),
  nextDelivery: (tx) => nextDelivery(tx, eventIds.webhook),
  deliveryOf: (tx) => deliveryOf(tx, eventIds.delivery),
  deliveriesOf: (tx) => deliveriesOf(tx, { status: "WAITING", limit: 10 }),
  paidFor: (tx) => payments1099(tx, [ids.sales], { from: "2026-01-01", to: "2026-12-31" }, "NZD"),
};

/** What `enter` writes, and what was paid of it on the cash basis. */
async function entered(tx: Tx, newJournalId: () => string, mark: string): Promise<void> {
  await enter(tx, newJournalId, mark);
  const sold = {
    account: ids.sales,
    amount: cents(-5000),
    taxType: "OUTPUT2",
    taxAmount: cents(0),
  };
  const journal = {
    basis: "cash",
    date: "2026-02-14",
    sourceType: "ACCRECPAYMENT",
    sourceId: ids.payment,
    documentId: ids.invoice,
    postings: [{ account: ids.bank, amount: cents(5000) }, sold],
  } as const;
  await appendJournals(tx, [journal], 1, newJournalId);
}

const mug: LineItem = { LineItemID: guid(0x77), Description: "changed" };

async function replace(tx: Tx): Promise<void> {
  const [old] = await attachmentsOf(tx, ids.invoice);
  if (old === undefined) throw new Error("There is a file on the invoice.");
  const file = { ...old, size: 3, contentId: newId() };
  await saveAttachment(tx, file, Readable.from([Buffer.from("new")]), old);
}

const change: RecordChange = {
  category: "INVOICE",
  id: ids.bill,
  before: 1,
  at: 2,
  data: undefined,
};

const tried: DeliveryAttempt = {
  status: "DELIVERED",
  at: 3,
  nextTryAt: undefined,
  answered: 200,
  reason: undefined,
};

/** Every function that writes, on the ids that both organisations have. */
const writes: Record<string, (tx: Tx) => Promise<unknown>> = {
  updateOrganisation: (tx) => updateOrganisation(acted(tx), { Name: "Changed" }),
  "save of a record that is there": async (tx) => {
    const { records } = await list(tx, contact);
    await save(
      tx,
      contact,
      records.map((record) => ({ ...record, EmailAddress: "changed@example.com" })),
    );
  },
  "save of invoices": async (tx) => {
    const { records } = await list(tx, invoice);
    await save(
      tx,
      invoice,
      records.map((record) => ({ ...record, Reference: "changed" })),
    );
  },
  "remove of an item": (tx) => remove(tx, item, [ids.item]),
  "remove of invoices": (tx) => remove(tx, invoice, [ids.invoice, ids.bill]),
  saveLines: (tx) =>
    saveLines(tx, [
      { id: ids.invoice, lines: [mug, mug] },
      { id: ids.bill, lines: [] },
    ]),
  appendJournals: (tx) =>
    appendJournals(
      tx,
      [
        {
          basis: "accrual",
          date: "2026-02-14",
          sourceType: "ACCREC",
          sourceId: ids.invoice,
          documentId: ids.invoice,
          postings: [
            { account: ids.bank, amount: cents(7) },
            { account: ids.sales, amount: cents(-7) },
          ],
        },
      ],
      5,
      newId,
    ),
  addHistory: (tx) =>
    addHistory(tx, [
      {
        id: newId(),
        resource: "Invoice",
        recordId: ids.invoice,
        at: 9,
        user: "x",
        changes: "Note",
        details: "changed",
      },
    ]),
  "a new attachment": (tx) => attach(tx, newId(), "other.txt", "changed"),
  "an attachment replaced": (tx) => replace(tx),
  noteAttachments: (tx) => noteAttachments(tx, contact, ids.contact, true),
  takeNumbers: (tx) => takeNumbers(tx, "INV-", 3),
  raiseSequence: (tx) => raiseSequence(tx, "INV-", 500),
  forget: (tx) => deleteAnswers(tx, 5000),
  addMoves: async (tx) => {
    const [move] = (await movesOf(tx, [ids.bill])).get(ids.bill) ?? [];
    if (move !== undefined) await addMoves(tx, [{ ...move, id: newId() }]);
  },
  saveRates: (tx) => saveRates(tx, "EUR", [{ date: "2026-02-14", rate: 1 as Rate }]),
  addMembers: (tx) => addMembers(tx, masterIds.group, [guid(0xe2)]),
  removeMembers: (tx) => removeMembers(tx, masterIds.group),
  publish: async (tx) => {
    const found = await publishedReport(tx, reportId);
    if (found !== undefined) await publish(tx, { ...found, id: newId() });
  },
  addWebhook: async (tx) => {
    const known = await webhookOf(tx, eventIds.webhook);
    if (known !== undefined) await addWebhook(acted(tx), { ...known, id: guid(0x4b1) });
  },
  setStatus: (tx) => setStatus(acted(tx), eventIds.webhook, "DISABLED", "changed"),
  keepListening: (tx) => keepListening(tx, eventIds.listener, 9999),
  takeSequence: (tx) => takeSequence(tx, eventIds.webhook, 3),
  takeLease: (tx) => takeLease(tx, eventIds.webhook, { holder: "there", now: 9, until: 99 }),
  releaseLease: (tx) => releaseLease(tx, eventIds.webhook, "here"),
  removeExpired: (tx) => removeExpired(tx, 5000),
  removeWebhook: (tx) => removeWebhook(acted(tx), eventIds.webhook),
  addEvents: (tx) => addEvents(tx, [change]),
  addEvent: (tx) =>
    addEvent(tx, eventIds.webhook, { ...change, type: "UPDATE", resourceId: ids.bill }),
  removeEvents: async (tx) =>
    removeEvents(tx, eventIds.webhook, await waitingEvents(tx, eventIds.webhook, 10)),
  "removeEvents, all of them": (tx) => removeEvents(tx, eventIds.webhook),
  composeDelivery: (tx) =>
    composeDelivery(tx, eventIds.webhook, {
      id: newId,
      now: 2,
      eventsMax: 10,
      compose: () => "changed",
    }),
  noteTry: async (tx) => {
    const known = await deliveryOf(tx, eventIds.delivery);
    if (known !== undefined) await noteTry(tx, known, tried);
  },
  sendAgain: (tx) => reschedule(tx, eventIds.delivery, 77),
  tryAfresh: (tx) => restartRetries(tx, eventIds.webhook, 99),
  removeTaken: (tx) => removeAcknowledged(tx, eventIds.webhook, 10),
  forgetDeliveries: async (tx) => {
    const known = await deliveryOf(tx, eventIds.delivery);
    if (known !== undefined) await noteTry(tx, known, tried);
    await forgetDeliveries(tx, 5000);
  },
  saveBoxes: (tx) => saveBoxes(tx, [{ accountId: ids.sales, form: "MISC", box: 3 }]),
  removeBoxes: (tx) => removeBoxes(tx, [ids.sales]),
  saveLogo: (tx) =>
    saveLogo(acted(tx), masterIds.theme, {
      mimeType: "image/jpeg",
      width: 2,
      height: 2,
      bytes: Buffer.from("another"),
    }),
  removeLogo: (tx) => removeLogo(acted(tx), masterIds.theme),
  offer: (tx) => offer(acted(tx), masterIds.theme, guid(0x3b1)),
  saveEntries: (tx) =>
    saveEntries(tx, masterIds.budget, [
      { accountId: ids.sales, month: "2026-02", amount: cents(1), notes: undefined },
    ]),
};

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  let empty: Map<string, unknown>;
  let first: Map<string, unknown>;

  async function answers(org: number): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for (const [name, read] of Object.entries(reads)) found.set(name, await store.read(org, read));
    return found;
  }

  /** Ids of journals, history and moves; the same in every book. */
  function counter(): () => string {
    let count = 0;
    return () => guid(0x60000 + ++count);
  }

  beforeAll(async () => {
    store = await storeIn(await world.empty());
    for (const org of [2, 3]) {
      await createOrganisation(
        store,
        organisation({ OrganisationID: guid(org), Name: `Org ${org}` }),
        org,
      );
    }
    await store.write(1, (tx) => entered(tx, counter(), "-one"));
    first = await answers(1);
    empty = await answers(3);
    await store.write(2, (tx) => entered(tx, counter(), "-two"));
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  test.each(Object.keys(reads))(
    "the read function %s returns only data of its own organisation",
    async (name) => {
      const read = reads[name] as (tx: Tx) => Promise<unknown>;
      const text = (value: unknown) =>
        JSON.stringify(value, (_key, each) =>
          typeof each === "bigint" ? String(each) : each instanceof Map ? [...each] : each,
        );
      // The books of two organisations are the same but for the mark in their texts.
      const one = text(await store.read(1, read));
      const two = text(await store.read(2, read));
      expect(one).toBe(text(first.get(name)));
      expect(one).not.toContain("-two");
      expect(two).not.toContain("-one");
      if (name !== "organisationOf") expect(two.replaceAll("-two", "-one")).toBe(one);
      expect(text(await store.read(3, read))).toBe(text(empty.get(name)));
      expect(one).not.toBe(text(empty.get(name)));
    },
  );

  test.each(Object.keys(writes))(
    "the write function %s changes only data of its own organisation",
    async (name) => {
      const write = writes[name] as (tx: Tx) => Promise<unknown>;
      const before = await Promise.all([1, 3].map((org) => store.read(org, (tx) => dump(tx))));
      const own = await store.read(2, (tx) => dump(tx));
      // Rolled back by a failure of its own, so that the next starts from the same books.
      const seen = await store.write(
        2,
        async (tx) => {
          await write(tx);
          const others = [];
          for (const org of [1, 3]) others.push(await dump(tx, org));
          return { others, own: await dump(tx) };
        },
        { dryRun: true },
      );
      expect(seen.others).toEqual(before);
      expect(seen.own).not.toBe(own);
    },
  );
});
