/**
 * The routes that differ from what a description lays out, by area: the organisation, contacts,
 * currencies and themes, the chart, documents, the ledger, payments, tracking, reports.
 */
import {
  account,
  invoice,
  item,
  journal,
  linkedTransaction,
  organisation,
  payment,
  trackingCategory,
} from "../../resources/index.ts";
import type { Answer, Route } from "./route.ts";

// What answers is loaded when it is asked: of a whole service, a command needs one or two endpoints.
const ofAccounts = () => import("../endpoints/account.ts");
const ofBranding = () => import("../endpoints/branding.ts");
const ofCis = () => import("../endpoints/cis.ts");
const ofContactGroups = () => import("../endpoints/contact-group.ts");
const ofCurrencies = () => import("../endpoints/currency.ts");
const ofEmails = () => import("../endpoints/email.ts");
const ofItems = () => import("../endpoints/item.ts");
const ofJournals = () => import("../endpoints/journal.ts");
const ofLinkedTransactions = () => import("../endpoints/linked-transaction.ts");
const ofOrganisations = () => import("../endpoints/organisation.ts");
const ofPayments = () => import("../endpoints/payment.ts");
const ofRepeatingRuns = () => import("../repeating/bring-forth.ts");
const ofReports = () => import("../endpoints/report.ts");
const ofAgedReports = () => import("../endpoints/report-aged.ts");
const of1099Reports = () => import("../endpoints/report-1099.ts");
const ofPublishedReports = () => import("../endpoints/report-published.ts");
const ofSummaries = () => import("../endpoints/report-summaries.ts");
const ofSetup = () => import("../endpoints/setup.ts");
const ofTracking = () => import("../endpoints/tracking.ts");

/** The answer that a module has under a name, which is loaded with the first request for it. */
function later<N extends string>(
  load: () => Promise<{ readonly [K in N]: Answer }>,
  name: N,
): Answer {
  return async (call, ...parameters) => {
    const answer: Answer = (await load())[name];
    return answer(call, ...parameters);
  };
}

/** What differs from the road that a description lays out; wins over it. */
export const ownRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/Organisation",
    answer: later(ofOrganisations, "readOrganisation"),
    resource: organisation,
  },
  {
    method: "GET",
    path: "/Organisations",
    answer: later(ofOrganisations, "readOrganisation"),
    resource: organisation,
  },
  ...["/Organisation", "/Organisations"].map((path) => ({
    method: "GET",
    path: `${path}/{OrganisationID}/CISSettings`,
    answer: later(ofCis, "readCisSettings"),
  })),
  { method: "POST", path: "/Setup", answer: later(ofSetup, "writeSetup") },
  {
    method: "GET",
    path: "/InvoiceReminders/Settings",
    answer: later(ofOrganisations, "readReminders"),
  },
  {
    method: "GET",
    path: "/Contacts/{ContactID}/CISSettings",
    answer: later(ofCis, "readContactCis"),
  },
  {
    method: "POST",
    path: "/Contacts/{ContactID}/CISSettings",
    answer: later(ofCis, "writeContactCis"),
  },
  {
    method: "PUT",
    path: "/ContactGroups/{ContactGroupID}/Contacts",
    answer: later(ofContactGroups, "addToGroup"),
  },
  {
    method: "DELETE",
    path: "/ContactGroups/{ContactGroupID}/Contacts",
    answer: later(ofContactGroups, "emptyGroup"),
  },
  {
    method: "DELETE",
    path: "/ContactGroups/{ContactGroupID}/Contacts/{ContactID}",
    answer: later(ofContactGroups, "removeFromGroup"),
  },
  { method: "GET", path: "/Currencies/{Code}/Rates", answer: later(ofCurrencies, "readRates") },
  { method: "PUT", path: "/Currencies/{Code}/Rates", answer: later(ofCurrencies, "writeRates") },
  {
    method: "GET",
    path: "/BrandingThemes/{BrandingThemeID}/PaymentServices",
    answer: later(ofBranding, "readOffered"),
  },
  {
    method: "POST",
    path: "/BrandingThemes/{BrandingThemeID}/PaymentServices",
    answer: later(ofBranding, "offerService"),
  },
  {
    method: "DELETE",
    path: "/Accounts/{AccountID}",
    answer: later(ofAccounts, "deleteAccount"),
    resource: account,
  },
  {
    method: "DELETE",
    path: "/Items/{ItemID}",
    answer: later(ofItems, "deleteItem"),
    resource: item,
  },
  {
    method: "POST",
    path: "/Invoices/{InvoiceID}/Email",
    answer: later(ofEmails, "emailInvoice"),
    resource: invoice,
  },
  {
    method: "GET",
    path: "/Invoices/{InvoiceID}/OnlineInvoice",
    answer: later(ofEmails, "onlineInvoice"),
    resource: invoice,
  },
  {
    method: "GET",
    path: "/Journals",
    answer: later(ofJournals, "readJournals"),
    resource: journal,
  },
  {
    method: "GET",
    path: "/Journals/{JournalID}",
    answer: later(ofJournals, "readJournal"),
    resource: journal,
  },
  {
    method: "GET",
    path: "/LinkedTransactions",
    answer: later(ofLinkedTransactions, "readLinkedTransactions"),
    resource: linkedTransaction,
  },
  {
    method: "DELETE",
    path: "/LinkedTransactions/{LinkedTransactionID}",
    answer: later(ofLinkedTransactions, "deleteLinkedTransaction"),
    resource: linkedTransaction,
  },
  {
    method: "POST",
    path: "/RepeatingInvoices/Run",
    answer: later(ofRepeatingRuns, "runRepeating"),
  },
  {
    method: "POST",
    path: "/Payments",
    answer: later(ofPayments, "writePayment"),
    resource: payment,
  },
  {
    method: "POST",
    path: "/Payments/{PaymentID}",
    answer: later(ofPayments, "reversePayment"),
    resource: payment,
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}",
    answer: later(ofTracking, "deleteTrackingCategory"),
    resource: trackingCategory,
  },
  {
    method: "PUT",
    path: "/TrackingCategories/{TrackingCategoryID}/Options",
    answer: async (call, key = "") => (await ofTracking()).writeOptions(call, key),
  },
  {
    method: "POST",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: later(ofTracking, "writeOptions"),
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: later(ofTracking, "deleteOption"),
  },
  { method: "GET", path: "/Reports", answer: later(ofPublishedReports, "listReports") },
  { method: "PUT", path: "/Reports", answer: later(ofPublishedReports, "publishReport") },
  { method: "GET", path: "/Reports/GSTReturn", answer: later(ofPublishedReports, "gstReturn") },
  {
    method: "GET",
    path: "/Reports/SalesTaxReturn",
    answer: later(ofPublishedReports, "salesTaxReturn"),
  },
  { method: "GET", path: "/Reports/TenNinetyNine", answer: later(of1099Reports, "tenNinetyNine") },
  { method: "GET", path: "/Reports/TenNinetyNine/Boxes", answer: later(of1099Reports, "boxes") },
  { method: "PUT", path: "/Reports/TenNinetyNine/Boxes", answer: later(of1099Reports, "setBoxes") },
  { method: "GET", path: "/Reports/ProfitAndLoss", answer: later(ofReports, "profitAndLoss") },
  { method: "GET", path: "/Reports/TrialBalance", answer: later(ofReports, "trialBalance") },
  { method: "GET", path: "/Reports/BalanceSheet", answer: later(ofReports, "balanceSheet") },
  {
    method: "GET",
    path: "/Reports/AgedReceivablesByContact",
    answer: later(ofAgedReports, "agedReceivables"),
  },
  {
    method: "GET",
    path: "/Reports/AgedPayablesByContact",
    answer: later(ofAgedReports, "agedPayables"),
  },
  { method: "GET", path: "/Reports/BankSummary", answer: later(ofSummaries, "bankSummary") },
  { method: "GET", path: "/Reports/BudgetSummary", answer: later(ofSummaries, "budgetSummary") },
  {
    method: "GET",
    path: "/Reports/ExecutiveSummary",
    answer: later(ofSummaries, "executiveSummary"),
  },
  {
    method: "GET",
    path: "/Reports/{ReportID}",
    answer: later(ofPublishedReports, "readPublishedReport"),
  },
];
