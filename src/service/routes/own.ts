/**
 * The routes that differ from what a description lays out, by area: the organisation, contacts,
 * currencies and themes, the chart, documents, the ledger, payments, tracking, reports.
 */
import { billing } from "../../resources/billing.ts";
import { brandingSetting } from "../../resources/branding-theme.ts";
import { email } from "../../resources/email.ts";
import {
  account,
  contact,
  historyRecord,
  invoice,
  item,
  journal,
  linkedTransaction,
  organisation,
  payment,
  trackingCategory,
} from "../../resources/index.ts";
import { organisationSetting } from "../../resources/organisation.ts";
import * as load from "./load.ts";
import type { Answer, Route } from "./route.ts";

/** The answer that a module has under a name, which is loaded with the first request for it. */
function later<N extends string>(
  loading: () => Promise<{ readonly [K in N]: Answer }>,
  name: N,
): Answer {
  return async (call, ...parameters) => {
    const answer: Answer = (await loading())[name];
    return answer(call, ...parameters);
  };
}

/** What differs from the road that a description lays out; wins over it. */
export const ownRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/Organisation",
    answer: later(load.organisations, "readOrganisation"),
    resource: organisation,
  },
  {
    method: "GET",
    path: "/Organisations",
    answer: later(load.organisations, "readOrganisation"),
    resource: organisation,
  },
  {
    method: "GET",
    path: "/Organisation/Settings",
    answer: later(load.organisationSettings, "readSettings"),
    message: organisationSetting,
  },
  {
    method: "POST",
    path: "/Organisation/Settings",
    answer: later(load.organisationSettings, "writeSettings"),
    message: organisationSetting,
  },
  {
    method: "GET",
    path: "/Organisation/History",
    answer: later(load.organisationSettings, "readOrganisationHistory"),
    message: historyRecord,
  },
  ...["/Organisation", "/Organisations"].map((path) => ({
    method: "GET",
    path: `${path}/{OrganisationID}/CISSettings`,
    answer: later(load.cis, "readCisSettings"),
  })),
  { method: "GET", path: "/ExpenseClaims", answer: later(load.expenseClaims, "listClaims") },
  { method: "POST", path: "/Setup", answer: later(load.setup, "writeSetup") },
  {
    method: "GET",
    path: "/InvoiceReminders/Settings",
    answer: later(load.organisations, "readReminders"),
  },
  {
    method: "GET",
    path: "/Contacts/{ContactID}/CISSettings",
    answer: later(load.cis, "readContactCis"),
  },
  {
    method: "POST",
    path: "/Contacts/{ContactID}/CISSettings",
    answer: later(load.cis, "writeContactCis"),
  },
  {
    method: "POST",
    path: "/Contacts/{ContactID}/Restore",
    answer: later(load.contacts, "restoreContact"),
    resource: contact,
  },
  {
    method: "PUT",
    path: "/ContactGroups/{ContactGroupID}/Contacts",
    answer: later(load.contactGroups, "addToGroup"),
  },
  {
    method: "DELETE",
    path: "/ContactGroups/{ContactGroupID}/Contacts",
    answer: later(load.contactGroups, "emptyGroup"),
  },
  {
    method: "DELETE",
    path: "/ContactGroups/{ContactGroupID}/Contacts/{ContactID}",
    answer: later(load.contactGroups, "removeFromGroup"),
  },
  { method: "GET", path: "/Currencies/{Code}/Rates", answer: later(load.currencies, "readRates") },
  { method: "PUT", path: "/Currencies/{Code}/Rates", answer: later(load.currencies, "writeRates") },
  {
    method: "GET",
    path: "/BrandingThemes/{BrandingThemeID}/Settings",
    answer: later(load.brandingSettings, "readBrandingSettings"),
    message: brandingSetting,
  },
  {
    method: "POST",
    path: "/BrandingThemes/{BrandingThemeID}/Settings",
    answer: later(load.brandingSettings, "writeBrandingSettings"),
    message: brandingSetting,
  },
  {
    method: "GET",
    path: "/BrandingThemes/{BrandingThemeID}/Logo",
    answer: later(load.brandingSettings, "readLogo"),
  },
  {
    method: "PUT",
    path: "/BrandingThemes/{BrandingThemeID}/Logo",
    answer: later(load.brandingSettings, "writeLogo"),
    takesFile: true,
    message: brandingSetting,
  },
  {
    method: "DELETE",
    path: "/BrandingThemes/{BrandingThemeID}/Logo",
    answer: later(load.brandingSettings, "deleteLogo"),
    message: brandingSetting,
  },
  {
    method: "GET",
    path: "/BrandingThemes/{BrandingThemeID}/PaymentServices",
    answer: later(load.branding, "readOffered"),
  },
  {
    method: "POST",
    path: "/BrandingThemes/{BrandingThemeID}/PaymentServices",
    answer: later(load.branding, "offerService"),
  },
  {
    method: "DELETE",
    path: "/Accounts/{AccountID}",
    answer: later(load.accounts, "deleteAccount"),
    resource: account,
  },
  {
    method: "DELETE",
    path: "/Items/{ItemID}",
    answer: later(load.items, "deleteItem"),
    resource: item,
  },
  {
    method: "POST",
    path: "/Invoices/{InvoiceID}/Email",
    answer: later(load.emails, "emailInvoice"),
    actsFirst: true,
    resource: invoice,
    message: email,
    answers: email,
  },
  {
    method: "POST",
    path: "/Quotes/{QuoteID}/Invoice",
    answer: later(load.billings, "invoiceQuote"),
    resource: invoice,
    message: billing,
    answers: invoice,
  },
  {
    method: "POST",
    path: "/PurchaseOrders/{PurchaseOrderID}/Bill",
    answer: later(load.billings, "billOrder"),
    resource: invoice,
    message: billing,
    answers: invoice,
  },
  {
    method: "GET",
    path: "/Journals",
    answer: later(load.journals, "readJournals"),
    resource: journal,
  },
  {
    method: "GET",
    path: "/Journals/{JournalID}",
    answer: later(load.journals, "readJournal"),
    resource: journal,
  },
  {
    method: "GET",
    path: "/LinkedTransactions",
    answer: later(load.linkedTransactions, "readLinkedTransactions"),
    resource: linkedTransaction,
  },
  {
    method: "DELETE",
    path: "/LinkedTransactions/{LinkedTransactionID}",
    answer: later(load.linkedTransactions, "deleteLinkedTransaction"),
    resource: linkedTransaction,
  },
  {
    method: "POST",
    path: "/RepeatingInvoices/Run",
    answer: later(load.repeatingRuns, "runRepeating"),
    actsFirst: true,
  },
  {
    method: "POST",
    path: "/Payments",
    answer: later(load.payments, "writePayment"),
    resource: payment,
  },
  {
    method: "POST",
    path: "/Payments/{PaymentID}",
    answer: later(load.payments, "reversePayment"),
    resource: payment,
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}",
    answer: later(load.tracking, "deleteTrackingCategory"),
    resource: trackingCategory,
  },
  {
    method: "PUT",
    path: "/TrackingCategories/{TrackingCategoryID}/Options",
    answer: async (call, key = "") => (await load.tracking()).writeOptions(call, key),
  },
  {
    method: "POST",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: later(load.tracking, "writeOptions"),
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: later(load.tracking, "deleteOption"),
  },
  {
    method: "POST",
    path: "/WebhookListeners",
    answer: later(load.listeners, "addListener"),
  },
  {
    method: "POST",
    path: "/WebhookListeners/{ListenerID}/Next",
    answer: later(load.listeners, "takeNext"),
  },
  {
    method: "DELETE",
    path: "/WebhookListeners/{ListenerID}",
    answer: later(load.listeners, "removeListener"),
  },
  { method: "GET", path: "/Reports", answer: later(load.publishedReports, "listReports") },
  { method: "PUT", path: "/Reports", answer: later(load.publishedReports, "publishReport") },
  { method: "GET", path: "/Reports/GSTReturn", answer: later(load.publishedReports, "gstReturn") },
  {
    method: "GET",
    path: "/Reports/SalesTaxReturn",
    answer: later(load.publishedReports, "salesTaxReturn"),
  },
  {
    method: "GET",
    path: "/Reports/TenNinetyNine",
    answer: later(load.reports1099, "tenNinetyNine"),
  },
  { method: "GET", path: "/Reports/TenNinetyNine/Boxes", answer: later(load.reports1099, "boxes") },
  {
    method: "PUT",
    path: "/Reports/TenNinetyNine/Boxes",
    answer: later(load.reports1099, "setBoxes"),
  },
  { method: "GET", path: "/Reports/ProfitAndLoss", answer: later(load.reports, "profitAndLoss") },
  { method: "GET", path: "/Reports/TrialBalance", answer: later(load.reports, "trialBalance") },
  { method: "GET", path: "/Reports/BalanceSheet", answer: later(load.reports, "balanceSheet") },
  {
    method: "GET",
    path: "/Reports/AgedReceivablesByContact",
    answer: later(load.agedReports, "agedReceivables"),
  },
  {
    method: "GET",
    path: "/Reports/AgedPayablesByContact",
    answer: later(load.agedReports, "agedPayables"),
  },
  { method: "GET", path: "/Reports/BankSummary", answer: later(load.summaries, "bankSummary") },
  { method: "GET", path: "/Reports/BudgetSummary", answer: later(load.summaries, "budgetSummary") },
  {
    method: "GET",
    path: "/Reports/ExecutiveSummary",
    answer: later(load.summaries, "executiveSummary"),
  },
  {
    method: "GET",
    path: "/Reports/{ReportID}",
    answer: later(load.publishedReports, "readPublishedReport"),
  },
];
