/** What a test writes into a book, and all that a book holds. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Kysely, sql } from "kysely";
import type { Journal } from "../../src/ledger/journal.ts";
import type { Quantity, Rate } from "../../src/resources/decimal.ts";
import {
  account as accounts,
  brandingTheme,
  budget,
  contact,
  contactGroup,
  currency,
  employee,
  invoice,
  item,
  payment,
  paymentService,
  taxRate,
  user,
} from "../../src/resources/index.ts";
import type { LineItem } from "../../src/resources/line-item.ts";
import { flushSequences, raiseSequence } from "../../src/store/chain/sequences.ts";
import { saveEntries } from "../../src/store/ledger/budgets.ts";
import { saveRates } from "../../src/store/ledger/exchange-rates.ts";
import { appendJournals } from "../../src/store/ledger/journals.ts";
import { addMoves } from "../../src/store/ledger/stock-moves.ts";
import { saveLines } from "../../src/store/mapping/line-items.ts";
import { save } from "../../src/store/mapping/records.ts";
import { composeDelivery } from "../../src/store/outbox/deliveries.ts";
import { addEvent } from "../../src/store/outbox/events.ts";
import { addWebhook, takeLease } from "../../src/store/outbox/webhooks.ts";
import { publish } from "../../src/store/queries/published.ts";
import { saveBoxes } from "../../src/store/queries/tax/boxes-1099.ts";
import { noteAttachments, saveAttachment } from "../../src/store/records/attachments.ts";
import { offer, saveLogo } from "../../src/store/records/branding.ts";
import { addMembers } from "../../src/store/records/contact-groups.ts";
import { addHistory } from "../../src/store/records/history.ts";
import { tables } from "../../src/store/schema/all-tables.ts";
import type { Tables } from "../../src/store/schema/index.ts";
import { saveAnswer } from "../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../src/store/tx/tx.ts";
import { acted } from "../support/audit.ts";
import { account, cents, guid } from "./samples.ts";

/** Ids of what `enter` writes; the same in every book. */
export const ids = {
  debtors: guid(0xd1),
  creditors: guid(0xd2),
  sales: guid(0xd3),
  tax: guid(0xd4),
  bank: guid(0xd5),
  stock: guid(0xd6),
  cost: guid(0xd7),
  contact: guid(0xe1),
  item: guid(0xf1),
  invoice: guid(0x1001),
  bill: guid(0x1002),
  payment: guid(0x2001),
  attachment: guid(0x3001),
};

const day = "2026-02-14";

/** Ids of what stands beside the documents. */
export const masterIds = {
  group: guid(0x3a1),
  theme: guid(0x3a2),
  service: guid(0x3a3),
  budget: guid(0x3a4),
  user: guid(0x3a5),
  employee: guid(0x3a6),
};

/** One of everything that nothing is posted to. */
async function enterMasters(tx: Tx, mark: string): Promise<void> {
  await save(tx, currency, [{ Code: "EUR", Description: `Euro${mark}` }]);
  await saveRates(tx, "EUR", [{ date: day, rate: 615_300 as Rate }]);
  await save(tx, contactGroup, [
    { ContactGroupID: masterIds.group, Name: `Shops${mark}`, Status: "ACTIVE" },
  ]);
  await addMembers(tx, masterIds.group, [ids.contact]);
  await save(tx, employee, [
    {
      EmployeeID: masterIds.employee,
      Status: "ACTIVE",
      FirstName: "Ana",
      LastName: `Reid${mark}`,
      UpdatedDateUTC: 1,
    },
  ]);
  await save(tx, brandingTheme, [
    {
      BrandingThemeID: masterIds.theme,
      Name: `Standard${mark}`,
      Type: "INVOICE",
      SortOrder: 0,
      CreatedDateUTC: 1,
    },
  ]);
  await save(tx, paymentService, [
    {
      PaymentServiceID: masterIds.service,
      PaymentServiceName: `Till${mark}`,
      PaymentServiceUrl: "https://till.example",
      PayNowText: "Pay",
      PaymentServiceType: "CUSTOM",
    },
  ]);
  await offer(acted(tx), masterIds.theme, masterIds.service);
  await saveLogo(acted(tx), masterIds.theme, {
    mimeType: "image/png",
    width: 1,
    height: 1,
    bytes: Buffer.from(`picture${mark}`),
  });
  await save(tx, budget, [
    {
      BudgetID: masterIds.budget,
      Type: "OVERALL",
      Description: `Plan${mark}`,
      UpdatedDateUTC: 1,
    },
  ]);
  await saveEntries(tx, masterIds.budget, [
    { accountId: ids.sales, month: "2026-02", amount: cents(50_000), notes: `half${mark}` },
  ]);
  await save(tx, user, [
    {
      UserID: masterIds.user,
      EmailAddress: `ana${mark}@heron.example`,
      UpdatedDateUTC: 1,
      IsSubscriber: true,
      OrganisationRole: "STANDARD",
    },
  ]);
}

function document(more: Record<string, unknown>): Record<string, unknown> {
  return {
    Contact: { ContactID: ids.contact },
    Date: day,
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "Exclusive",
    UpdatedDateUTC: 1,
    CurrencyCode: "NZD",
    CurrencyRate: 1_000_000,
    SentToContact: false,
    HasAttachments: false,
    AmountPaid: 0,
    AmountCredited: 0,
    CreatedByApp: "acct",
    CreatedDateUTC: 1,
    ...more,
  };
}

function journal(
  sourceType: string,
  sourceId: string,
  documentId: string,
  ...postings: [string, number][]
): Journal {
  return {
    basis: "accrual",
    date: day,
    sourceType,
    sourceId,
    documentId,
    postings: postings.map(([each, amount]) => ({ account: each, amount: cents(amount) })),
  };
}

const line = (more: LineItem): LineItem => ({
  LineAmount: cents(10_000),
  TaxAmount: cents(1500),
  TaxType: "OUTPUT2",
  ...more,
});

/** A file of one piece on the invoice. */
export async function attach(tx: Tx, id: string, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const file = {
    id,
    resource: "Invoice",
    recordId: ids.invoice,
    name,
    mimeType: "text/plain",
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    contentId: id,
    includeOnline: false,
  };
  await saveAttachment(tx, file, Readable.from([bytes]));
  await noteAttachments(tx, invoice, ids.invoice, true);
}

/**
 * Writes a small set of books with one of everything: 10 mugs are bought for 100.00 and tax, 4 are
 * sold for 100.00 and tax, and 50.00 of that is paid.
 *
 * @param newId  makes the ids of journals, history and moves
 * @param mark   stands in every text, so that one book is told from another
 */
export async function enter(tx: Tx, newId: () => string, mark = ""): Promise<void> {
  await save(tx, accounts, [
    account({
      AccountID: ids.debtors,
      Name: `Receivable${mark}`,
      Code: "610",
      SystemAccount: "DEBTORS",
    }),
    account({
      AccountID: ids.creditors,
      Name: `Payable${mark}`,
      Code: "800",
      SystemAccount: "CREDITORS",
    }),
    account({ AccountID: ids.sales, Name: `Sales${mark}`, Code: "200" }),
    account({ AccountID: ids.tax, Name: `GST${mark}`, Code: "820" }),
    account({ AccountID: ids.bank, Name: `Bank${mark}`, Code: "090", Type: "BANK" }),
    account({ AccountID: ids.stock, Name: `Stock${mark}`, Code: "630", Type: "INVENTORY" }),
    account({ AccountID: ids.cost, Name: `Cost${mark}`, Code: "310" }),
  ]);
  await save(tx, contact, [
    {
      ContactID: ids.contact,
      ContactStatus: "ACTIVE",
      Name: `Ana${mark}`,
      IsSupplier: true,
      IsCustomer: true,
      HasAttachments: false,
      UpdatedDateUTC: 1,
    },
  ]);
  await save(tx, taxRate, [
    {
      Name: `GST${mark}`,
      TaxType: "OUTPUT2",
      Status: "ACTIVE",
      CanApplyToAssets: true,
      CanApplyToEquity: true,
      CanApplyToExpenses: true,
      CanApplyToLiabilities: true,
      CanApplyToRevenue: true,
      DisplayTaxRate: 150_000,
      EffectiveRate: 150_000,
      TaxComponents: [{ Name: "GST", Rate: 150_000, IsCompound: false, IsNonRecoverable: false }],
    },
  ]);
  await save(tx, item, [
    {
      ItemID: ids.item,
      Code: `mug${mark}`,
      IsSold: true,
      IsPurchased: true,
      IsTrackedAsInventory: true,
      InventoryAssetAccountCode: "630",
      QuantityOnHand: 60_000,
      TotalCostPool: 6000,
      UpdatedDateUTC: 1,
    },
  ]);
  await save(tx, invoice, [
    document({
      InvoiceID: ids.bill,
      Type: "ACCPAY",
      InvoiceNumber: `B${mark}`,
      SubTotal: 10_000,
      TotalTax: 1500,
      Total: 11_500,
      AmountDue: 11_500,
      BaseDue: 11_500,
    }),
    document({
      InvoiceID: ids.invoice,
      Type: "ACCREC",
      InvoiceNumber: `INV-1${mark}`,
      SubTotal: 10_000,
      TotalTax: 1500,
      Total: 11_500,
      AmountPaid: 5000,
      AmountDue: 6500,
      BaseDue: 6500,
    }),
  ]);
  const mug = { ItemCode: `mug${mark}`, Item: { ItemID: ids.item, Code: `mug${mark}` } };
  await saveLines(tx, [
    {
      id: ids.bill,
      lines: [
        line({
          ...mug,
          LineItemID: guid(0x3001),
          Description: `Mugs${mark}`,
          AccountID: ids.stock,
          AccountCode: "630",
        }),
      ],
    },
    {
      id: ids.invoice,
      lines: [
        line({
          ...mug,
          LineItemID: guid(0x3002),
          Description: `Mugs${mark}`,
          AccountID: ids.sales,
          AccountCode: "200",
        }),
      ],
    },
  ]);
  await addMoves(tx, [
    {
      id: newId(),
      itemId: ids.item,
      documentId: ids.bill,
      line: 0,
      quantity: 100_000 as Quantity,
      cost: cents(10_000),
      at: 1,
    },
    {
      id: newId(),
      itemId: ids.item,
      documentId: ids.invoice,
      line: 0,
      quantity: -40_000 as Quantity,
      cost: cents(-4000),
      at: 2,
    },
  ]);
  await appendJournals(
    tx,
    [
      journal(
        "ACCPAY",
        ids.bill,
        ids.bill,
        [ids.stock, 10_000],
        [ids.tax, 1500],
        [ids.creditors, -11_500],
      ),
      journal(
        "ACCREC",
        ids.invoice,
        ids.invoice,
        [ids.debtors, 11_500],
        [ids.sales, -10_000],
        [ids.tax, -1500],
        [ids.cost, 4000],
        [ids.stock, -4000],
      ),
      journal("ACCRECPAYMENT", ids.payment, ids.invoice, [ids.bank, 5000], [ids.debtors, -5000]),
    ],
    1,
    newId,
  );
  await save(tx, payment, [
    {
      PaymentID: ids.payment,
      Invoice: { InvoiceID: ids.invoice },
      Account: { AccountID: ids.bank },
      Date: day,
      Amount: 5000,
      BaseAmount: 5000,
      BankAmount: 5000,
      CurrencyRate: 1_000_000,
      IsReconciled: false,
      Status: "AUTHORISED",
      PaymentType: "ACCRECPAYMENT",
      Reference: `Thanks${mark}`,
      UpdatedDateUTC: 1,
      CreatedByApp: "acct",
      CreatedDateUTC: 1,
    },
  ]);
  await raiseSequence(tx, "INV-", 1);
  await addHistory(tx, [
    {
      id: newId(),
      resource: "Invoice",
      recordId: ids.invoice,
      at: 1,
      user: `Tess${mark}`,
      changes: "Created",
      details: `INV-1${mark}`,
    },
  ]);
  await attach(tx, ids.attachment, `slip${mark}.txt`, `Thank you${mark}`);
  await saveAnswer(tx, {
    app: "acct",
    key: "k1",
    fingerprint: `p${mark}`,
    at: 1000,
    answer: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: `{"ok":"${mark}"}`,
    },
  });
  await enterMasters(tx, mark);
  await publish(tx, {
    id: reportId,
    name: "GST Return",
    type: "GSTReturn",
    titles: [`GST Return${mark}`],
    dates: "1 Feb 2026 to 28 Feb 2026",
    to: "2026-02-28",
    at: 1,
    attributes: [],
    fields: [{ FieldID: "5", Description: "Total sales", Value: `1.00${mark}` }],
  });
  await saveBoxes(tx, [{ accountId: ids.sales, form: "NEC", box: 1 }]);
  await subscribe(tx, mark);
}

/** Subscriptions: one with a delivery and an event that wait, and a listener that is gone soon. */
async function subscribe(tx: Tx, mark: string): Promise<void> {
  const webhook = {
    id: eventIds.webhook,
    name: `Shop${mark}`,
    url: "https://shop.example/hook",
    categories: ["INVOICE"],
    app: undefined,
    signingKey: `key${mark}`,
    status: "OK",
    reason: undefined,
    createdAt: 1,
    lastSequence: 0,
    expiresAt: undefined,
  } as const;
  await addWebhook(acted(tx), webhook);
  await addWebhook(acted(tx), { ...webhook, id: eventIds.listener, expiresAt: 1000 });
  const event = {
    category: "INVOICE",
    type: "CREATE",
    resourceId: ids.invoice,
    at: 1,
    data: undefined,
  } as const;
  await addEvent(tx, eventIds.webhook, event);
  await composeDelivery(tx, eventIds.webhook, {
    id: () => eventIds.delivery,
    now: 1,
    eventsMax: 10,
    compose: () => `{}${mark}`,
  });
  await addEvent(tx, eventIds.webhook, { ...event, type: "UPDATE" });
  await takeLease(tx, eventIds.webhook, { holder: "here", now: 1, until: 5 });
}

/** Ids of subscriptions and of what is sent to them. */
export const eventIds = { webhook: guid(0x4a1), listener: guid(0x4a2), delivery: guid(0x4a3) };

/** Id of the published report that `enter` writes. */
export const reportId = guid(0x3b1);

/** The whole query builder, for a test that goes past the program. */
export const builderOf = (db: Tx["db"]) => db as Kysely<Tables>;

export const tablesIn = (db: Tx["db"]) => builderOf(db).introspection.getTables();

/** Every row of an organisation, as one text; but for the marks, which are drawn. */
export async function dump(tx: Tx, org = tx.org): Promise<string> {
  // A writer leaves that to the end.
  await flushSequences(tx);
  const lines: string[] = [];
  for (const table of Object.keys(tables)) {
    // Links are made when a transaction ends, of all that its writers have written.
    if (table === "chain_link") continue;
    const { rows } = await sql<object>`select * from ${sql.ref(table)} where org = ${org}`.execute(
      tx.db,
    );
    const drawn = { chart_version: undefined, contact_version: undefined, salt: undefined };
    const said = rows.map((row) => JSON.stringify({ ...row, ...drawn }));
    lines.push(...said.map((row) => `${table} ${row}`).sort());
  }
  return lines.join("\n");
}
