/**
 * Nouns of the command line, by the sections of the main help.
 *
 * This table alone is loaded before a noun is resolved. Each noun's module has its verbs.
 */

import type { DeferredChild, Group } from "./context/context.ts";
import { deferLoading, group } from "./framework/command.ts";

/** Nouns by topic, in the order of help. */
export const sections: Readonly<Record<string, readonly DeferredChild[]>> = {
  Sales: [
    deferLoading("invoice", ["invoices"], "sales invoices").from(
      async () => (await import("./commands/invoice.ts")).invoiceVerbs,
    ),
    deferLoading("quote", ["quotes"], "quotes to customers").from(
      async () => (await import("./commands/quote.ts")).quoteVerbs,
    ),
    deferLoading("credit-note", ["credit-notes"], "credit notes, given and received").from(
      async () => (await import("./commands/credit-note.ts")).creditNoteVerbs,
    ),
    deferLoading(
      "repeating-invoice",
      ["repeating-invoices"],
      "invoices that repeat on a schedule",
    ).from(async () => (await import("./commands/repeating-invoice.ts")).repeatingInvoiceVerbs),
    deferLoading(
      "linked-transaction",
      ["linked-transactions"],
      "expenses that customers pay back",
    ).from(async () => (await import("./commands/linked-transaction.ts")).linkedTransactionVerbs),
  ],
  Purchases: [
    deferLoading("bill", ["bills"], "purchase bills").from(
      async () => (await import("./commands/invoice.ts")).billVerbs,
    ),
    deferLoading("purchase-order", ["purchase-orders", "po"], "orders to suppliers").from(
      async () => (await import("./commands/purchase-order.ts")).purchaseOrderVerbs,
    ),
    deferLoading("expense", ["expenses", "expense-claim"], "what people have spent, and get back", {
      otherwise: "add",
    }).from(async () => (await import("./commands/expense.ts")).expenseVerbs),
  ],
  "Contacts and items": [
    deferLoading("contact", ["contacts"], "customers and suppliers").from(
      async () => (await import("./commands/contact.ts")).contactVerbs,
    ),
    deferLoading("contact-group", ["contact-groups"], "contacts under a name of their own").from(
      async () => (await import("./commands/contact-group.ts")).contactGroupVerbs,
    ),
    deferLoading("item", ["items"], "things bought and sold").from(
      async () => (await import("./commands/item.ts")).itemVerbs,
    ),
  ],
  "Bank and payments": [
    deferLoading("bank", [], "statements of the bank, and reconciling them").from(
      async () => (await import("./commands/bank.ts")).bankVerbs,
    ),
    deferLoading("spend", [], "book money spent, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).spendCommand,
    ),
    deferLoading("receive", [], "book money received, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).receiveCommand,
    ),
    deferLoading("transfer", [], "move money between bank accounts, in one line").from(
      async () => (await import("./commands/quick-entry.ts")).transferCommand,
    ),
    deferLoading("payment", ["payments"], "payments of invoices and bills").from(
      async () => (await import("./commands/payment.ts")).paymentVerbs,
    ),
    deferLoading("batch-payment", ["batch-payments"], "invoices or bills paid together").from(
      async () => (await import("./commands/batch-payment.ts")).batchPaymentVerbs,
    ),
    deferLoading("prepayment", ["prepayments"], "money paid before its invoice").from(
      async () => (await import("./commands/prepayment.ts")).prepaymentVerbs,
    ),
    deferLoading("overpayment", ["overpayments"], "money paid beyond what was owed").from(
      async () => (await import("./commands/overpayment.ts")).overpaymentVerbs,
    ),
    deferLoading("bank-transaction", ["bank-transactions"], "money received and spent").from(
      async () => (await import("./commands/bank-transaction.ts")).bankTransactionVerbs,
    ),
    deferLoading("bank-transfer", ["bank-transfers"], "money moved between bank accounts").from(
      async () => (await import("./commands/bank-transfer.ts")).bankTransferVerbs,
    ),
  ],
  Books: [
    deferLoading("account", ["accounts"], "accounts of the chart").from(
      async () => (await import("./commands/account.ts")).accountVerbs,
    ),
    deferLoading("tax-rate", ["tax-rates"], "tax rates and their components").from(
      async () => (await import("./commands/tax-rate.ts")).taxRateVerbs,
    ),
    deferLoading(
      "tracking",
      ["tracking-category", "tracking-categories"],
      "tracking categories and their options",
    ).from(async () => (await import("./commands/tracking.ts")).trackingVerbs),
    deferLoading("currency", ["currencies"], "currencies and their exchange rates").from(
      async () => (await import("./commands/currency.ts")).currencyVerbs,
    ),
    deferLoading("budget", ["budgets"], "what accounts are expected to come to, by month").from(
      async () => (await import("./commands/budget.ts")).budgetVerbs,
    ),
    deferLoading(
      "opening",
      ["openings", "opening-balance", "opening-balances"],
      "what the books begin with",
    ).from(async () => (await import("./commands/opening.ts")).openingVerbs),
    deferLoading(
      "asset",
      ["assets", "fixed-asset", "fixed-assets"],
      "fixed assets and their depreciation",
    ).from(async () => (await import("./commands/asset.ts")).assetVerbs),
    deferLoading("close", [], "check a period, and lock it").from(
      async () => (await import("./commands/close.ts")).closeCommand,
    ),
    deferLoading("manual-journal", ["manual-journals"], "journals posted by hand").from(
      async () => (await import("./commands/manual-journal.ts")).manualJournalVerbs,
    ),
    deferLoading("journal", ["journals"], "journals of the ledger").from(
      async () => (await import("./commands/journal.ts")).journalVerbs,
    ),
    deferLoading("attachment", ["attachments"], "files on a record").from(
      async () => (await import("./commands/attachment.ts")).attachmentVerbs,
    ),
    deferLoading("history", [], "what was done to a record, and notes").from(
      async () => (await import("./commands/history.ts")).historyVerbs,
    ),
    deferLoading("log", [], "what was done to the books, by whom and when", {
      usual: "list",
      otherwise: "show",
    }).from(async () => (await import("./commands/log.ts")).logVerbs),
    deferLoading("undo", [], "take back what an operation did").from(
      async () => (await import("./commands/undo.ts")).undoCommand,
    ),
    deferLoading("plan", ["plans"], "changes that wait to be applied").from(
      async () => (await import("./commands/plan.ts")).planVerbs,
    ),
    deferLoading("apply", [], "do what a plan shows").from(
      async () => (await import("./commands/apply.ts")).applyCommand,
    ),
  ],
  "Reports and files": [
    deferLoading("status", [], "the state of the company on one page").from(
      async () => (await import("./commands/status.ts")).statusCommand,
    ),
    deferLoading(
      "report",
      ["reports"],
      "financial statements, aged balances, summaries and tax returns",
    ).from(async () => (await import("./commands/report.ts")).reportVerbs),
    deferLoading("explain", ["why"], "where a figure comes from, and why something was refused", {
      otherwise: "document",
    }).from(async () => (await import("./commands/explain.ts")).explainVerbs),
    deferLoading("import", [], "records from CSV files", { otherwise: "folder" }).from(
      async () => (await import("./import/import-command.ts")).importVerbs,
    ),
    deferLoading("export", [], "the ledger, and records to be imported").from(
      async () => (await import("./commands/export.ts")).exportVerbs,
    ),
  ],
  "Setup and service": [
    deferLoading("init", [], "make a book").from(
      async () => (await import("./commands/init.ts")).initCommand,
    ),
    deferLoading("employee", ["employees"], "people whom the organisation employs").from(
      async () => (await import("./commands/employee.ts")).employeeVerbs,
    ),
    deferLoading(
      "organisation",
      ["organisations", "organization", "org"],
      "the organisation whose books these are",
    ).from(async () => (await import("./commands/organisation.ts")).organisationVerbs),
    deferLoading(
      "branding",
      ["branding-theme", "branding-themes"],
      "how printed documents look, and what they say of paying",
    ).from(async () => (await import("./commands/branding.ts")).brandingVerbs),
    deferLoading("user", ["users"], "people who work on the books").from(
      async () => (await import("./commands/user.ts")).userVerbs,
    ),
    deferLoading("audit", [], "who administered what, when and from where").from(
      async () => (await import("./commands/audit.ts")).auditVerbs,
    ),
    deferLoading("schema", [], "JSON Schema of a record").from(
      async () => (await import("./commands/schema.ts")).schemaCommand,
    ),
    deferLoading("api", [], "any request, signed in").from(
      async () => (await import("./commands/api.ts")).apiCommand,
    ),
    deferLoading("auth", [], "signing in to a service").from(
      async () => (await import("./commands/auth.ts")).authVerbs,
    ),
    deferLoading("profile", ["profiles"], "books and services, by names of your own").from(
      async () => (await import("./commands/profile.ts")).profileVerbs,
    ),
    deferLoading("book", ["books"], "the book file itself").from(
      async () => (await import("./commands/book.ts")).bookVerbs,
    ),
    deferLoading("view", [], "the books in your browser").from(
      async () => (await import("./commands/view.ts")).viewCommand,
    ),
    deferLoading("serve", [], "serve the book over HTTP").from(
      async () => (await import("./commands/serve.ts")).serveCommand,
    ),
    deferLoading("dev-cert", [], "a certificate of your own, for acct serve --as-cloud").from(
      async () => (await import("./commands/dev-cert.ts")).devCertCommand,
    ),
    deferLoading("mcp", [], "the books for agents, by the Model Context Protocol").from(
      async () => (await import("./commands/mcp.ts")).mcpCommand,
    ),
    deferLoading("record", [], "what a program and a service say to each other").from(
      async () => (await import("./commands/record.ts")).recordCommand,
    ),
    deferLoading("compare", [], "a recording, played against another service").from(
      async () => (await import("./commands/compare.ts")).compareCommand,
    ),
    deferLoading("server", [], "backups of all that is served together").from(
      async () => (await import("./commands/server.ts")).serverVerbs,
    ),
    deferLoading("database", [], "a database of many organisations").from(
      async () => (await import("./commands/database.ts")).databaseVerbs,
    ),
    deferLoading("app", ["apps"], "programs that may work on a served book").from(
      async () => (await import("./commands/app.ts")).appVerbs,
    ),
    deferLoading("policy", ["policies"], "what apps, people and agents may do").from(
      async () => (await import("./commands/policy.ts")).policyVerbs,
    ),
    deferLoading("webhook", ["webhooks"], "who is told of events").from(
      async () => (await import("./commands/webhook.ts")).webhookVerbs,
    ),
    deferLoading("completion", ["completions"], "completions for your shell").from(
      async () => (await import("./completion/completion-command.ts")).completionVerbs,
    ),
    deferLoading("doctor", [], "what is configured, reachable, permitted, and what is wrong").from(
      async () => (await import("./commands/doctor.ts")).doctorCommand,
    ),
  ],
};

export const root: Group = group(
  "acct",
  "bookkeeping at the terminal",
  Object.values(sections).flat(),
);
