/**
 * What answers, loaded when it is asked: of a whole service, a command needs one or two endpoints.
 */
import { once } from "../../resources/once.ts";

export const accounts = once(() => import("../endpoints/account.ts"));
export const agedReports = once(() => import("../endpoints/report-aged.ts"));
export const allocations = once(() => import("../endpoints/allocation.ts"));
export const attachments = once(() => import("../endpoints/attachment.ts"));
export const bankTransactions = once(() => import("../endpoints/bank-transaction.ts"));
export const bankTransfers = once(() => import("../endpoints/bank-transfer.ts"));
export const batchPayments = once(() => import("../endpoints/batch-payment.ts"));
export const branding = once(() => import("../endpoints/branding.ts"));
export const budgets = once(() => import("../endpoints/budget.ts"));
export const cis = once(() => import("../endpoints/cis.ts"));
export const contactGroups = once(() => import("../endpoints/contact-group.ts"));
export const contacts = once(() => import("../endpoints/contact.ts"));
export const creditNotes = once(() => import("../endpoints/credit-note.ts"));
export const currencies = once(() => import("../endpoints/currency.ts"));
export const emails = once(() => import("../endpoints/email.ts"));
export const histories = once(() => import("../endpoints/history.ts"));
export const items = once(() => import("../endpoints/item.ts"));
export const journals = once(() => import("../endpoints/journal.ts"));
export const linkedTransactions = once(() => import("../endpoints/linked-transaction.ts"));
export const listeners = once(() => import("../events/listeners.ts"));
export const manualJournals = once(() => import("../endpoints/manual-journal.ts"));
export const organisations = once(() => import("../endpoints/organisation.ts"));
export const payments = once(() => import("../endpoints/payment.ts"));
export const printing = once(() => import("../printed/print.ts"));
export const publishedReports = once(() => import("../endpoints/report-published.ts"));
export const purchaseOrders = once(() => import("../endpoints/purchase-order.ts"));
export const quotes = once(() => import("../endpoints/quote.ts"));
export const receipts = once(() => import("../endpoints/receipt.ts"));
export const repeating = once(() => import("../endpoints/repeating-invoice.ts"));
export const repeatingRuns = once(() => import("../repeating/bring-forth.ts"));
export const reports = once(() => import("../endpoints/report.ts"));
export const reports1099 = once(() => import("../endpoints/report-1099.ts"));
export const setup = once(() => import("../endpoints/setup.ts"));
export const summaries = once(() => import("../endpoints/report-summaries.ts"));
export const taxRates = once(() => import("../endpoints/tax-rate.ts"));
export const tracking = once(() => import("../endpoints/tracking.ts"));
export const users = once(() => import("../endpoints/user.ts"));
export const writes = once(() => import("../write.ts"));
