/**
 * What answers, loaded when it is asked: of a whole service, a command needs one or two endpoints.
 */
import { loaded } from "../loaded.ts";

export const accounts = loaded(() => import("../endpoints/account.ts"));
export const agedReports = loaded(() => import("../endpoints/report-aged.ts"));
export const allocations = loaded(() => import("../endpoints/allocation.ts"));
export const attachments = loaded(() => import("../endpoints/attachment.ts"));
export const bankTransactions = loaded(() => import("../endpoints/bank-transaction.ts"));
export const billings = loaded(() => import("../endpoints/billing.ts"));
export const bankTransfers = loaded(() => import("../endpoints/bank-transfer.ts"));
export const batchPayments = loaded(() => import("../endpoints/batch-payment.ts"));
export const branding = loaded(() => import("../endpoints/branding.ts"));
export const brandingSettings = loaded(() => import("../endpoints/branding-settings.ts"));
export const budgets = loaded(() => import("../endpoints/budget.ts"));
export const cis = loaded(() => import("../endpoints/cis.ts"));
export const contactGroups = loaded(() => import("../endpoints/contact-group.ts"));
export const contacts = loaded(() => import("../endpoints/contact.ts"));
export const creditNotes = loaded(() => import("../endpoints/credit-note.ts"));
export const currencies = loaded(() => import("../endpoints/currency.ts"));
export const emails = loaded(() => import("../endpoints/email.ts"));
export const employees = loaded(() => import("../endpoints/employee.ts"));
export const expenseClaims = loaded(() => import("../endpoints/expense-claim.ts"));
export const histories = loaded(() => import("../endpoints/history.ts"));
export const items = loaded(() => import("../endpoints/item.ts"));
export const journals = loaded(() => import("../endpoints/journal.ts"));
export const linkedTransactions = loaded(() => import("../endpoints/linked-transaction.ts"));
export const listeners = loaded(() => import("../events/listeners.ts"));
export const manualJournals = loaded(() => import("../endpoints/manual-journal.ts"));
export const organisationSettings = loaded(() => import("../endpoints/organisation-settings.ts"));
export const organisations = loaded(() => import("../endpoints/organisation.ts"));
export const online = loaded(() => import("../endpoints/online.ts"));
export const payments = loaded(() => import("../endpoints/payment.ts"));
export const printing = loaded(() => import("../printed/print.ts"));
export const publishedReports = loaded(() => import("../endpoints/report-published.ts"));
export const purchaseOrders = loaded(() => import("../endpoints/purchase-order.ts"));
export const quotes = loaded(() => import("../endpoints/quote.ts"));
export const receipts = loaded(() => import("../endpoints/receipt.ts"));
export const repeating = loaded(() => import("../endpoints/repeating-invoice.ts"));
export const repeatingRuns = loaded(() => import("../repeating/bring-forth.ts"));
export const reports = loaded(() => import("../endpoints/report.ts"));
export const reports1099 = loaded(() => import("../endpoints/report-1099.ts"));
export const setup = loaded(() => import("../endpoints/setup.ts"));
export const summaries = loaded(() => import("../endpoints/report-summaries.ts"));
export const taxRates = loaded(() => import("../endpoints/tax-rate.ts"));
export const tracking = loaded(() => import("../endpoints/tracking.ts"));
export const users = loaded(() => import("../endpoints/user.ts"));
export const writes = loaded(() => import("../write.ts"));
