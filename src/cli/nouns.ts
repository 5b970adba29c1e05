/**
 * Nouns of the command line, by the sections of the main help.
 *
 * This table alone is loaded before a noun is resolved. Each noun's module has its verbs.
 */

import type { DeferredChild, Group } from "./context/context.ts";
import { deferred, group } from "./framework/command.ts";

/** Nouns by topic, in the order of help. */
export const sections: Readonly<Record<string, readonly DeferredChild[]>> = {
  Sales: [
    deferred("invoice", ["invoices"], "sales invoices").from(
      async () => (await import("./commands/invoice.ts")).invoiceVerbs,
    ),
    deferred("quote", ["quotes"], "quotes to customers").from(
      async () => (await import("./commands/quote.ts")).quoteVerbs,
    ),
    deferred("credit-note", ["credit-notes"], "credit notes, given and received").from(
      async () => (await import("./commands/credit-note.ts")).creditNoteVerbs,
    ),
    deferred(
      "repeating-invoice",
      ["repeating-invoices"],
      "invoices that repeat on a schedule",
    ).from(async () => (await import("./commands/repeating-invoice.ts")).repeatingInvoiceVerbs),
    deferred(
      "linked-transaction",
      ["linked-transactions"],
      "expenses that customers pay back",
    ).from(async () => (await import("./commands/linked-transaction.ts")).linkedTransactionVerbs),
  ],
  Purchases: [
    deferred("bill", ["bills"], "purchase bills").from(
      async () => (await import("./commands/invoice.ts")).billVerbs,
    ),
    deferred("purchase-order", ["purchase-orders", "po"], "orders to suppliers").from(
      async () => (await import("./commands/purchase-order.ts")).purchaseOrderVerbs,
    ),
    deferred("expense", ["expenses", "expense-claim"], "what people have spent, and get back", {
      otherwise: "add",
    }).from(async () => (await import("./commands/expense.ts")).expenseVerbs),
  ],
  "Contacts and items": [
    deferred("contact", ["contacts"], "customers and suppliers").from(
      async () => (await import("./commands/contact.ts")).contactVerbs,
    ),
    deferred("contact-group", ["contact-groups"], "contacts under a name of their own").from(
      async () => (await import("./commands/contact-group.ts")).contactGroupVerbs,
    ),
    deferred("item", ["items"], "things bought and sold").from(
      async () => (await import("./commands/item.ts")).itemVerbs,
    ),
  ],
  "Bank and payments": [
    deferred("bank", [], "statements of the bank, and reconciling them").from(
      async () => (await import("./commands/bank.ts")).bankVerbs,
    ),
    deferred("spend", [], "book money spent, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).spendCommand,
    ),
    deferred("receive", [], "book money received, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).receiveCommand,
    ),
    deferred("transfer", [], "move money between bank accounts, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).transferCommand,
    ),
    deferred("payment", ["payments"], "payments of invoices and bills").from(
      async () => (await import("./commands/payment.ts")).paymentVerbs,
    ),
    deferred("batch-payment", ["batch-payments"], "invoices or bills paid together").from(
      async () => (await import("./commands/batch-payment.ts")).batchPaymentVerbs,
    ),
    deferred("prepayment", ["prepayments"], "money paid before its invoice").from(
      async () => (await import("./commands/prepayment.ts")).prepaymentVerbs,
    ),
    deferred("overpayment", ["overpayments"], "money paid beyond what was owed").from(
      async () => (await import("./commands/overpayment.ts")).overpaymentVerbs,
    ),
    deferred("bank-transaction", ["bank-transactions"], "money received and spent").from(
      async () => (await import("./commands/bank-transaction.ts")).bankTransactionVerbs,
    ),
    deferred("bank-transfer", ["bank-transfers"], "money moved between bank accounts").from(
      async () => (await import("./commands/bank-transfer.ts")).bankTransferVerbs,
    ),
  ],
  Books: [
    deferred("account", ["accounts"], "accounts of the chart").from(
      async () => (await import("./commands/account.ts")).accountVerbs,
    ),
    deferred("tax-rate", ["tax-rates"], "tax rates and their components").from(
      async () => (await import("./commands/tax-rate.ts")).taxRateVerbs,
    ),
    deferred(
      "tracking",
      ["tracking-category", "tracking-categories"],
      "tracking categories and their options",
    ).from(async () => (await import("./commands/tracking.ts")).trackingVerbs),
    deferred("currency", ["currencies"], "currencies and their exchange rates").from(
      async () => (await import("./commands/currency.ts")).currencyVerbs,
    ),
    deferred("budget", ["budgets"], "what accounts are expected to come to, by month").from(
      async () => (await import("./commands/budget.ts")).budgetVerbs,
    ),
    deferred(
      "opening",
      ["openings", "opening-balance", "opening-balances"],
      "what the books begin with",
    ).from(async () => (await import("./commands/opening.ts")).openingVerbs),
    deferred(
      "asset",
      ["assets", "fixed-asset", "fixed-assets"],
      "fixed assets and their depreciation",
    ).from(async () => (await import("./commands/asset.ts")).assetVerbs),
    deferred("close", [], "check a period, and lock it").from(
      async () => (await import("./commands/close.ts")).closeCommand,
    ),
    deferred("manual-journal", ["manual-journals"], "journals posted by hand").from(
      async () => (await import("./commands/manual-journal.ts")).manualJournalVerbs,
    ),
    deferred("journal", ["journals"], "journals of the ledger").from(
      async () => (await import("./commands/journal.ts")).journalVerbs,
    ),
    deferred("attachment", ["attachments"], "files on a record").from(
      async () => (await import("./commands/attachment.ts")).attachmentVerbs,
    ),
    deferred("history", [], "what was done to a record, and notes").from(
      async () => (await import("./commands/history.ts")).historyVerbs,
    ),
    deferred("log", [], "what was done to the books, by whom and when", {
      usual: "list",
      otherwise: "show",
    }).from(async () => (await import("./commands/log.ts")).logVerbs),
    deferred("undo", [], "take back what an operation did").from(
      async () => (await import("./commands/undo.ts")).undoCommand,
    ),
    deferred("plan", ["plans"], "changes that wait to be applied").from(
      async () => (await import("./commands/plan.ts")).planVerbs,
    ),
    deferred("apply", [], "do what a plan shows").from(
      async () => (await import("./commands/apply.ts")).applyCommand,
    ),
  ],
  "Reports and files": [
    deferred("status", [], "the state of the company on one page").from(
      async () => (await import("./commands/status.ts")).statusCommand,
    ),
    deferred(
      "report",
      ["reports"],
      "financial statements, aged balances, summaries and tax returns",
    ).from(async () => (await import("./commands/report.ts")).reportVerbs),
    deferred("explain", ["why"], "where a figure comes from, and why something was refused", {
      otherwise: "document",
    }).from(async () => (await import("./commands/explain.ts")).explainVerbs),
    deferred("import", [], "records from CSV files", { otherwise: "folder" }).from(
      async () => (await import("./import/import-command.ts")).importVerbs,
    ),
    deferred("export", [], "the ledger, and records to be imported").from(
      async () => (await import("./commands/export.ts")).exportVerbs,
    ),
  ],
  "Setup and service": [
    deferred("init", [], "make a book").from(
      async () => (await import("./commands/init.ts")).initCommand,
    ),
    deferred("employee", ["employees"], "people whom the organisation employs").from(
      async () => (await import("./commands/employee.ts")).employeeVerbs,
    ),
    deferred(
      "organisation",
      ["organisations", "organization", "org"],
      "the organisation whose books these are",
    ).from(async () => (await import("./commands/organisation.ts")).organisationVerbs),
    deferred(
      "branding",
      ["branding-theme", "branding-themes"],
      "how printed documents look, and what they say of paying",
    ).from(async () => (await import("./commands/branding.ts")).brandingVerbs),
    deferred("user", ["users"], "people who work on the books").from(
      async () => (await import("./commands/user.ts")).userVerbs,
    ),
    deferred("audit", [], "who administered what, when and from where").from(
      async () => (await import("./commands/audit.ts")).auditVerbs,
    ),
    deferred("schema", [], "JSON Schema of a record").from(
      async () => (await import("./commands/schema.ts")).schemaCommand,
    ),
    deferred("api", [], "any request, signed in").from(
      async () => (await import("./commands/api.ts")).apiCommand,
    ),
    deferred("auth", [], "signing in to a service").from(
      async () => (await import("./commands/auth.ts")).authVerbs,
    ),
    deferred("profile", ["profiles"], "books and services, by names of your own").from(
      async () => (await import("./commands/profile.ts")).profileVerbs,
    ),
    deferred("book", ["books"], "the book file itself").from(
      async () => (await import("./commands/book.ts")).bookVerbs,
    ),
    deferred("view", [], "the books in your browser").from(
      async () => (await import("./commands/view.ts")).viewCommand,
    ),
    deferred("serve", [], "serve the book over HTTP").from(
      async () => (await import("./commands/serve.ts")).serveCommand,
    ),
    deferred("dev-cert", [], "a certificate of your own, for acct serve --as-cloud").from(
      async () => (await import("./commands/dev-cert.ts")).devCertCommand,
    ),
    deferred("mcp", [], "the books for agents, by the Model Context Protocol").from(
      async () => (await import("./commands/mcp.ts")).mcpCommand,
    ),
    deferred("record", [], "what a program and a service say to each other").from(
      async () => (await import("./commands/record.ts")).recordCommand,
    ),
    deferred("compare", [], "a recording, played against another service").from(
      async () => (await import("./commands/compare.ts")).compareCommand,
    ),
    deferred("server", [], "backups of all that is served together").from(
      async () => (await import("./commands/server.ts")).serverVerbs,
    ),
    deferred("database", [], "a database of many organisations").from(
      async () => (await import("./commands/database.ts")).databaseVerbs,
    ),
    deferred("app", ["apps"], "programs that may work on a served book").from(
      async () => (await import("./commands/app.ts")).appVerbs,
    ),
    deferred("policy", ["policies"], "what apps, people and agents may do").from(
      async () => (await import("./commands/policy.ts")).policyVerbs,
    ),
    deferred("webhook", ["webhooks"], "who is told of events").from(
      async () => (await import("./commands/webhook.ts")).webhookVerbs,
    ),
    deferred("completion", ["completions"], "completions for your shell").from(
      async () => (await import("./completion/completion-command.ts")).completionVerbs,
    ),
    deferred("doctor", [], "what is configured, reachable, permitted, and what is wrong").from(
      async () => (await import("./commands/doctor.ts")).doctorCommand,
    ),
  ],
};

export const root: Group = group(
  "acct",
  "bookkeeping at the terminal",
  Object.values(sections).flat(),
);
