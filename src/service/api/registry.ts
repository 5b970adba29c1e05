/**
 * The registry of endpoints: for each resource its access rule, its module, and the routes that its
 * description does not derive. Routes, permissions and the OpenAPI document are derived from it;
 * the first request for a module loads it.
 */
import { billing } from "../../resources/billing.ts";
import { brandingSetting } from "../../resources/branding-theme.ts";
import { email } from "../../resources/email.ts";
import { emailPath, type MailedName } from "../../resources/email-words.ts";
import * as field from "../../resources/field.ts";
import { pathOf } from "../../resources/field.ts";
import {
  account,
  bankTransfer,
  batchPayment,
  brandingTheme,
  budget,
  contact,
  contactGroup,
  creditNote,
  currency,
  type DocumentName,
  documents,
  employee,
  historyRecord,
  invoice,
  item,
  journal,
  linkedTransaction,
  manualJournal,
  organisation,
  payment,
  paymentService,
  purchaseOrder,
  quote,
  resourceByCategory,
  taxRate,
  trackingCategory,
  user,
} from "../../resources/index.ts";
import { journalSeries } from "../../resources/journal-series.ts";
import { organisationSetting } from "../../resources/organisation.ts";
import { paymentFileFormats, paymentFilePath } from "../../resources/payment-file.ts";
import { accessOf } from "../documents/document-registry.ts";
import { documentEndpointOf } from "../records/documents.ts";
import { access, settings, transactions } from "../request/permissions.ts";
import { answerOf } from "../request/route.ts";
import { extensionRoutes } from "./extensions.ts";
import {
  del,
  firstSegment,
  get,
  group,
  invoicing,
  type OwnRoute,
  post,
  put,
  type RouteGroup,
  register,
} from "./registration.ts";
import { reportRoutes } from "./reports.ts";

const organisationModule = () => import("../records/masters/organisation.ts");
const cis = () => import("../records/cis.ts");

const readsOrganisation = answerOf(organisationModule, "readOrganisation");

const organisationRoutes = () => [
  ...register(organisation, {
    access: access.reference(settings),
    routes: [
      get("/Organisation", readsOrganisation, { resource: organisation, answers: organisation }),
      get("/Organisations", readsOrganisation, { resource: organisation, answers: organisation }),
      get("/Organisation/Settings", answerOf(organisationModule, "readSettings"), {
        answers: organisationSetting,
      }),
      post("/Organisation/Settings", answerOf(organisationModule, "writeSettings"), {
        takes: organisationSetting,
        answers: organisationSetting,
      }),
      get("/Organisation/History", answerOf(organisationModule, "readOrganisationHistory"), {
        answers: historyRecord,
      }),
      ...["/Organisation", "/Organisations"].map((path) =>
        get(`${path}/{OrganisationID}/CISSettings`, answerOf(cis, "readCisSettings")),
      ),
      get("/InvoiceReminders/Settings", answerOf(organisationModule, "readReminders")),
      post(
        "/Setup",
        answerOf(() => import("../records/masters/setup.ts"), "writeSetup"),
      ),
    ],
  }),
  ...register(user, {
    access: access.reference(settings),
    endpoint: async () => (await import("../records/masters/people.ts")).users,
  }),
  ...register(employee, {
    access: access.reference(settings),
    endpoint: async () => (await import("../records/masters/people.ts")).employees,
  }),
];

const contacts = () => import("../records/masters/contact.ts");
const contactGroups = () => import("../records/masters/contact-group.ts");

const contactRoutes = () => [
  ...register(contact, {
    access: access.sales("accounting.contacts"),
    endpoint: async () => (await contacts()).contacts,
    routes: [
      get("/Contacts/{ContactID}/CISSettings", answerOf(cis, "readContactCis"), {
        access: access.reference(settings),
      }),
      post("/Contacts/{ContactID}/CISSettings", answerOf(cis, "writeContactCis"), {
        access: access.reference(settings),
      }),
      post("/Contacts/{ContactID}/Restore", answerOf(contacts, "restoreContact"), {
        resource: contact,
      }),
    ],
  }),
  ...register(contactGroup, {
    access: access.reference("accounting.contacts"),
    endpoint: async () => (await contactGroups()).contactGroups,
    routes: [
      put("/ContactGroups/{ContactGroupID}/Contacts", answerOf(contactGroups, "addToGroup")),
      del("/ContactGroups/{ContactGroupID}/Contacts", answerOf(contactGroups, "emptyGroup")),
      del(
        "/ContactGroups/{ContactGroupID}/Contacts/{ContactID}",
        answerOf(contactGroups, "removeFromGroup"),
      ),
    ],
  }),
];

const accountWriting = () => import("../accounts/writing.ts");
const items = () => import("../records/masters/item.ts");
const tracking = () => import("../records/masters/tracking.ts");
const budgets = () => import("../records/budget.ts");
const currencies = () => import("../records/masters/currency.ts");
const branding = () => import("../records/branding.ts");

const optionPath = "/TrackingCategories/{TrackingCategoryID}/Options";
const themePath = "/BrandingThemes/{BrandingThemeID}";

const chartRoutes = () => [
  ...register(account, {
    access: access.reference(settings),
    endpoint: async () => (await import("../records/masters/account.ts")).accounts,
    routes: [
      del("/Accounts/{AccountID}", answerOf(accountWriting, "deleteAccount"), {
        resource: account,
        answers: account,
      }),
    ],
  }),
  ...register(taxRate, {
    access: access.reference(settings),
    endpoint: async () => (await import("../records/masters/tax-rate.ts")).taxRates,
  }),
  ...register(trackingCategory, {
    access: access.reference(settings),
    endpoint: async () => (await tracking()).trackingCategories,
    routes: [
      del(
        "/TrackingCategories/{TrackingCategoryID}",
        answerOf(tracking, "deleteTrackingCategory"),
        { resource: trackingCategory, answers: trackingCategory },
      ),
      put(optionPath, async (call, key = "") => (await tracking()).writeOptions(call, key)),
      post(`${optionPath}/{TrackingOptionID}`, answerOf(tracking, "writeOptions")),
      del(`${optionPath}/{TrackingOptionID}`, answerOf(tracking, "deleteOption")),
    ],
  }),
  ...register(item, {
    access: access.reference(settings, "accounting.invoices"),
    endpoint: async () => (await items()).items,
    routes: [
      del("/Items/{ItemID}", answerOf(items, "deleteItem"), { resource: item, answers: item }),
    ],
  }),
  ...register(currency, {
    access: access.reference(settings),
    endpoint: async () => (await currencies()).currencies,
    routes: [
      get("/Currencies/{Code}/Rates", answerOf(currencies, "readRates")),
      put("/Currencies/{Code}/Rates", answerOf(currencies, "writeRates")),
      del("/Currencies/{Code}", answerOf(currencies, "removeCurrency"), { resource: currency }),
    ],
  }),
];

const brandingRoutes = () => [
  ...register(brandingTheme, {
    access: access.reference(settings),
    endpoint: async () => (await branding()).brandingThemes,
    routes: [
      put("/Extensions/BrandingThemes", answerOf(branding, "makeTheme"), {
        takes: brandingTheme,
        answers: brandingTheme,
      }),
      del(themePath, answerOf(branding, "deleteTheme"), { resource: brandingTheme }),
      get(`${themePath}/Settings`, answerOf(branding, "readBrandingSettings"), {
        answers: brandingSetting,
      }),
      post(`${themePath}/Settings`, answerOf(branding, "writeBrandingSettings"), {
        takes: brandingSetting,
        answers: brandingSetting,
      }),
      get(`${themePath}/Logo`, answerOf(branding, "readLogo"), { answers: "file" }),
      put(`${themePath}/Logo`, answerOf(branding, "writeLogo"), {
        takes: "file",
        answers: brandingSetting,
      }),
      del(`${themePath}/Logo`, answerOf(branding, "deleteLogo"), {
        answers: brandingSetting,
      }),
      get(`${themePath}/PaymentServices`, answerOf(branding, "readOffered"), {
        access: access.reference("paymentservices"),
      }),
      post(`${themePath}/PaymentServices`, answerOf(branding, "offerService"), {
        access: access.reference("paymentservices"),
      }),
    ],
  }),
  ...register(paymentService, {
    access: access.reference("paymentservices"),
    endpoint: async () => (await branding()).paymentServices,
  }),
];

const billings = () => import("../records/billing.ts");
const linkedTransactions = () => import("../records/linked-transaction.ts");
const linkedPath = "/LinkedTransactions/{LinkedTransactionID}";

const emails = () => import("../send/email-document.ts");

/** The route of an extension that emails a document. */
const mails = (resource: field.Resource & { readonly name: MailedName }): OwnRoute =>
  post(
    emailPath(resource),
    async (call, key = "") => (await emails()).emailDocument(call, resource.name, key),
    { actsFirst: true, resource, takes: email, answers: email },
  );

/** Routes of single document kinds, beyond the routes that all documents share. */
const ownDocumentRoutes: Partial<Record<DocumentName, readonly OwnRoute[]>> = {
  Invoice: [
    post(emailPath(invoice), answerOf(emails, "emailInvoice"), {
      ...{ actsFirst: true, resource: invoice, takes: email, answers: email },
    }),
  ],
  CreditNote: [mails(creditNote)],
  PurchaseOrder: [
    mails(purchaseOrder),
    post("/PurchaseOrders/{PurchaseOrderID}/Bill", answerOf(billings, "billOrder"), {
      resource: invoice,
      takes: billing,
      answers: invoice,
    }),
  ],
  Quote: [
    mails(quote),
    post("/Quotes/{QuoteID}/Invoice", answerOf(billings, "billQuote"), {
      resource: invoice,
      takes: billing,
      answers: invoice,
    }),
  ],
  RepeatingInvoice: [
    post(
      "/RepeatingInvoices/Run",
      answerOf(() => import("../send/repeating-invoices.ts"), "runRepeating"),
      { actsFirst: true },
    ),
  ],
};

const documentRoutes = (documentResource: field.DocumentResource) =>
  register(documentResource, {
    access: accessOf(documentResource),
    endpoint: async () => documentEndpointOf(documentResource.name as DocumentName),
    routes: ownDocumentRoutes[documentResource.name as DocumentName] ?? [],
  });

const linkedRoutes = () => [
  ...register(linkedTransaction, {
    access: access.books(...invoicing),
    endpoint: async () => (await linkedTransactions()).linkedTransactions,
    routes: [
      get("/LinkedTransactions", answerOf(linkedTransactions, "readLinkedTransactions"), {
        resource: linkedTransaction,
        answers: linkedTransaction,
      }),
      del(linkedPath, answerOf(linkedTransactions, "deleteLinkedTransaction"), {
        resource: linkedTransaction,
        answers: linkedTransaction,
      }),
    ],
  }),
];

const payments = async () => (await import("../records/payment.ts")).payments;
const paymentWriting = () => import("../records/payment-writing.ts");

const paymentFileParameters = {
  format: field.choice(paymentFileFormats, {
    help: "that of the account that pays when not given",
  }),
  date: field.date({ help: "on which the bank pays; that of the batch when not given" }),
  bank: field.text({ help: "of an ABA file: three letters for the bank that pays" }),
  userNumber: field.text({ help: "of an ABA file: what the bank has assigned, six digits" }),
  again: field.boolean({ help: "although a file of the batch was written before" }),
} as const;

const moneyRoutes = () => [
  ...register(bankTransfer, {
    access: access.books(transactions, "accounting.banktransactions"),
    endpoint: async () => (await import("../records/bank-transfer.ts")).bankTransfers,
  }),
  ...register(payment, {
    access: access.books(transactions, "accounting.payments"),
    endpoint: payments,
    routes: [
      post(
        "/Payments",
        async (call) => (await paymentWriting()).writePayment(call, await payments()),
        {
          resource: payment,
          takes: payment,
          answers: payment,
        },
      ),
      post(
        "/Payments/{PaymentID}",
        async (call, key = "") =>
          (await paymentWriting()).postReversal(call, await payments(), key),
        {
          resource: payment,
          takes: payment,
          answers: payment,
        },
      ),
    ],
  }),
  ...register(batchPayment, {
    access: access.books(transactions, "accounting.payments"),
    endpoint: async () => (await import("../payments/batch-payments.ts")).batchPayments,
    routes: [
      post(
        `${paymentFilePath}/{BatchPaymentID}`,
        answerOf(() => import("../payments/file-for-bank.ts"), "writePaymentFile"),
        { answers: "file", parameters: paymentFileParameters },
      ),
    ],
  }),
];

const journals = () => import("../records/journal.ts");

const ledgerRoutes = () => [
  ...register(manualJournal, {
    access: access.books(transactions, "accounting.manualjournals"),
    endpoint: async () =>
      (await import("../manual-journals/manual-journal.ts")).manualJournalsEndpoint,
    routes: [
      post(
        pathOf(journalSeries),
        answerOf(() => import("../manual-journals/series.ts"), "postSeries"),
        { resource: manualJournal, takes: journalSeries, answers: manualJournal },
      ),
    ],
  }),
  ...register(journal, {
    access: access.reports("accounting.journals.read"),
    routes: [
      get("/Journals", answerOf(journals, "readJournals"), { resource: journal, answers: journal }),
      get("/Journals/{JournalID}", answerOf(journals, "readJournal"), {
        resource: journal,
        answers: journal,
      }),
    ],
  }),
  ...register(budget, {
    access: access.books("accounting.budgets"),
    endpoint: async () => (await budgets()).budgets,
    routes: [del("/Budgets/{BudgetID}", answerOf(budgets, "deleteBudget"), { resource: budget })],
  }),
];

const listeners = () => import("../send/event-listeners.ts");
const listenerPath = "/WebhookListeners/{ListenerID}";

const listenerRoutes = () =>
  register(undefined, {
    // Webhook events report changed documents: a scope that reads documents is enough.
    access: {
      ...access.books(...invoicing),
      writeScopes: invoicing.flatMap((scope) => [scope, `${scope}.read`]),
    },
    routes: [
      post("/WebhookListeners", answerOf(listeners, "addListener"), {
        parameters: {
          events: field.text({
            help: `${[...resourceByCategory.keys()].join(", ")}; all of them when not given`,
          }),
        },
      }),
      post(`${listenerPath}/Next`, answerOf(listeners, "takeNext"), {
        parameters: {
          after: field.integer({ min: 0, help: "the last event that was taken" }),
          wait: field.integer({
            min: 0,
            max: 50,
            help: "seconds to wait for a delivery where there is none",
          }),
        },
      }),
      del(listenerPath, answerOf(listeners, "removeListener")),
    ],
  });

/** Every route except those that describe the routes (OpenAPI). */
export const registered: readonly RouteGroup[] = [
  group(
    ["Organisation", "Organisations", "InvoiceReminders", "Setup", "Users", "Employees"],
    organisationRoutes,
  ),
  group(["Contacts", "ContactGroups"], contactRoutes),
  group(["Accounts", "TaxRates", "TrackingCategories", "Items", "Currencies"], chartRoutes),
  group(["BrandingThemes", "PaymentServices", "Extensions"], brandingRoutes),
  ...documents.map((document) => {
    const ownRoutes = ownDocumentRoutes[document.name as DocumentName] ?? [];
    const segments = [document.plural, ...ownRoutes.map(({ path }) => firstSegment(path))];
    return group(segments, () => documentRoutes(document));
  }),
  group(["LinkedTransactions"], linkedRoutes),
  group(["BankTransfers", "Payments", "BatchPayments", "Extensions"], moneyRoutes),
  group(["Extensions"], extensionRoutes),
  group(["ManualJournals", "Journals", "Budgets", "Extensions"], ledgerRoutes),
  group(["WebhookListeners"], listenerRoutes),
  group(["Reports", "Extensions"], reportRoutes),
];
