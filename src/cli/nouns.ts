/**
 * The nouns, in the order in which help lists them.
 *
 * This table is all that is loaded before a noun is named. A noun's own module says the rest; a test
 * holds the names, aliases and summaries here against the ones there.
 */
import { deferred, type Group, group } from "./framework/command.ts";

export const root: Group = group("acct", "bookkeeping at the terminal", [
  deferred("init", [], "make a book", async () => (await import("./commands/init.ts")).initCommand),
  deferred(
    "invoice",
    ["invoices"],
    "sales invoices",
    async () => (await import("./commands/invoice.ts")).invoiceNoun,
  ),
  deferred(
    "bill",
    ["bills"],
    "purchase bills",
    async () => (await import("./commands/bill.ts")).billNoun,
  ),
  deferred(
    "credit-note",
    ["credit-notes"],
    "credit notes, given and received",
    async () => (await import("./commands/credit-note.ts")).creditNoteNoun,
  ),
  deferred(
    "quote",
    ["quotes"],
    "quotes to customers",
    async () => (await import("./commands/quote.ts")).quoteNoun,
  ),
  deferred(
    "purchase-order",
    ["purchase-orders", "po"],
    "orders to suppliers",
    async () => (await import("./commands/purchase-order.ts")).purchaseOrderNoun,
  ),
  deferred(
    "repeating-invoice",
    ["repeating-invoices"],
    "invoices that repeat on a schedule",
    async () => (await import("./commands/repeating-invoice.ts")).repeatingInvoiceNoun,
  ),
  deferred(
    "linked-transaction",
    ["linked-transactions"],
    "expenses that customers pay back",
    async () => (await import("./commands/linked-transaction.ts")).linkedTransactionNoun,
  ),
  deferred(
    "payment",
    ["payments"],
    "payments of invoices and bills",
    async () => (await import("./commands/payment.ts")).paymentNoun,
  ),
  deferred(
    "prepayment",
    ["prepayments"],
    "money paid before its invoice",
    async () => (await import("./commands/prepayment.ts")).prepaymentNoun,
  ),
  deferred(
    "overpayment",
    ["overpayments"],
    "money paid beyond what was owed",
    async () => (await import("./commands/overpayment.ts")).overpaymentNoun,
  ),
  deferred(
    "bank-transaction",
    ["bank-transactions"],
    "money received and spent",
    async () => (await import("./commands/bank-transaction.ts")).bankTransactionNoun,
  ),
  deferred(
    "bank-transfer",
    ["bank-transfers"],
    "money moved between bank accounts",
    async () => (await import("./commands/bank-transfer.ts")).bankTransferNoun,
  ),
  deferred(
    "batch-payment",
    ["batch-payments"],
    "invoices or bills paid together",
    async () => (await import("./commands/batch-payment.ts")).batchPaymentNoun,
  ),
  deferred(
    "contact",
    ["contacts"],
    "customers and suppliers",
    async () => (await import("./commands/contact.ts")).contactNoun,
  ),
  deferred(
    "contact-group",
    ["contact-groups"],
    "contacts under a name of their own",
    async () => (await import("./commands/contact-group.ts")).contactGroupNoun,
  ),
  deferred(
    "employee",
    ["employees"],
    "people whom the organisation employs",
    async () => (await import("./commands/employee.ts")).employeeNoun,
  ),
  deferred(
    "item",
    ["items"],
    "things bought and sold",
    async () => (await import("./commands/item.ts")).itemNoun,
  ),
  deferred(
    "account",
    ["accounts"],
    "accounts of the chart",
    async () => (await import("./commands/account.ts")).accountNoun,
  ),
  deferred(
    "tax-rate",
    ["tax-rates"],
    "tax rates and their components",
    async () => (await import("./commands/tax-rate.ts")).taxRateNoun,
  ),
  deferred(
    "tracking",
    ["tracking-category", "tracking-categories"],
    "tracking categories and their options",
    async () => (await import("./commands/tracking.ts")).trackingNoun,
  ),
  deferred(
    "currency",
    ["currencies"],
    "currencies and their exchange rates",
    async () => (await import("./commands/currency.ts")).currencyNoun,
  ),
  deferred(
    "budget",
    ["budgets"],
    "what accounts are expected to come to, by month",
    async () => (await import("./commands/budget.ts")).budgetNoun,
  ),
  deferred(
    "organisation",
    ["organisations", "organization", "org"],
    "the organisation whose books these are",
    async () => (await import("./commands/organisation.ts")).organisationNoun,
  ),
  deferred(
    "branding",
    ["branding-theme", "branding-themes"],
    "how printed documents look, and what they say of paying",
    async () => (await import("./commands/branding.ts")).brandingNoun,
  ),
  deferred(
    "user",
    ["users"],
    "people who work on the books",
    async () => (await import("./commands/user.ts")).userNoun,
  ),
  deferred(
    "manual-journal",
    ["manual-journals"],
    "journals posted by hand",
    async () => (await import("./commands/manual-journal.ts")).manualJournalNoun,
  ),
  deferred(
    "journal",
    ["journals"],
    "journals of the ledger",
    async () => (await import("./commands/journal.ts")).journalNoun,
  ),
  deferred(
    "report",
    ["reports"],
    "financial statements, aged balances, summaries and tax returns",
    async () => (await import("./commands/report.ts")).reportNoun,
  ),
  deferred(
    "attachment",
    ["attachments"],
    "files on a record",
    async () => (await import("./commands/attachment.ts")).attachmentNoun,
  ),
  deferred(
    "history",
    [],
    "what was done to a record, and notes",
    async () => (await import("./commands/history.ts")).historyNoun,
  ),
  deferred(
    "import",
    [],
    "records from CSV files",
    async () => (await import("./import/command.ts")).importNoun,
  ),
  deferred(
    "export",
    [],
    "the ledger, and records to be imported",
    async () => (await import("./commands/export.ts")).exportNoun,
  ),
  deferred(
    "api",
    [],
    "any request, signed in",
    async () => (await import("./commands/api.ts")).apiCommand,
  ),
  deferred(
    "auth",
    [],
    "signing in to a service",
    async () => (await import("./commands/auth.ts")).authNoun,
  ),
  deferred(
    "profile",
    ["profiles"],
    "books and services, by names of your own",
    async () => (await import("./commands/profile.ts")).profileNoun,
  ),
  deferred(
    "book",
    ["books"],
    "the book file itself",
    async () => (await import("./commands/book.ts")).bookNoun,
  ),
  deferred(
    "serve",
    [],
    "serve the book over HTTP",
    async () => (await import("./commands/serve.ts")).serveCommand,
  ),
  deferred(
    "app",
    ["apps"],
    "programs that may work on a served book",
    async () => (await import("./commands/app.ts")).appNoun,
  ),
  deferred(
    "webhook",
    ["webhooks"],
    "who is told of events",
    async () => (await import("./commands/webhook.ts")).webhookNoun,
  ),
  deferred(
    "completion",
    ["completions"],
    "completions for your shell",
    async () => (await import("./completion/command.ts")).completionNoun,
  ),
  deferred(
    "doctor",
    [],
    "what is configured, reachable, permitted, and what is wrong",
    async () => (await import("./commands/doctor.ts")).doctorCommand,
  ),
]);
