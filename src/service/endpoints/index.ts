/**
 * The registry of endpoints: for each resource who may use it, where its module is, and the routes
 * that its description does not lay out. Routes, permissions and the description of the API are
 * derived from it; modules are loaded by the first request for them.
 */
import { assetDisposal } from "../../resources/asset.ts";
import { bankMatch, bankSuggestion } from "../../resources/bank-match.ts";
import { billing } from "../../resources/billing.ts";
import { brandingSetting } from "../../resources/branding-theme.ts";
import { email } from "../../resources/email.ts";
import * as field from "../../resources/field.ts";
import { pathOf, type Resource } from "../../resources/field.ts";
import {
  account,
  asset,
  bankRule,
  bankStatement,
  bankStatementLine,
  bankTransfer,
  batchPayment,
  brandingTheme,
  budget,
  contact,
  contactGroup,
  currency,
  type DocumentName,
  documents,
  employee,
  eventCategories,
  historyRecord,
  invoice,
  item,
  journal,
  linkedTransaction,
  manualJournal,
  openingBalance,
  organisation,
  payment,
  paymentService,
  taxRate,
  trackingCategory,
  user,
} from "../../resources/index.ts";
import { journalSeries } from "../../resources/journal-series.ts";
import { organisationSetting } from "../../resources/organisation.ts";
import { accessOf } from "../documents/kinds.ts";
import { reportRoutes } from "../reports/index.ts";
import { answerObjects } from "../request/answer.ts";
import { type AccessRule, access, settings, transactions } from "../request/permissions.ts";
import { type Answer, answerOf, type Route } from "../request/route.ts";
import { derivedRoutes } from "./derived.ts";
import { documentEndpointOf } from "./documents.ts";
import type { Endpoint } from "./endpoint.ts";

/** Registration of a resource. */
interface Registration {
  readonly access: AccessRule;
  /** Its endpoint on the common road; without it all its routes are its own. */
  readonly endpoint?: () => Promise<Endpoint>;
  /** Routes beside those of its description, or instead of them. */
  readonly routes?: readonly OwnRoute[];
}

/** The access rule and the resource of the registration, unless a route says otherwise. */
type OwnRoute = Omit<Route, "access"> & { readonly access?: AccessRule };

/** The routes of a resource: its own, and those of its description that these do not replace. */
function register(resource: Resource | undefined, registration: Registration): readonly Route[] {
  const { access, endpoint, routes = [] } = registration;
  const own = routes.map((route) => ({ access, ...route }));
  if (resource === undefined || endpoint === undefined) return own;
  const taken = new Set(own.map(({ method, path }) => `${method} ${path}`));
  const derived = derivedRoutes(resource, access, endpoint);
  return [...own, ...derived.filter(({ method, path }) => !taken.has(`${method} ${path}`))];
}

type Options = Omit<OwnRoute, "method" | "path" | "answer">;

const method =
  (method: Route["method"]) =>
  (path: string, answer: Answer, options: Options = {}): OwnRoute => ({
    method,
    path,
    answer,
    ...options,
  });
const get = method("GET");
const put = method("PUT");
const post = method("POST");
const del = method("DELETE");

const invoicing = [transactions, "accounting.invoices"] as const;

const organisationModule = () => import("./organisation.ts");
const cis = () => import("./cis.ts");

const readsOrganisation = answerOf(organisationModule, "readOrganisation");

const organisationRoutes = [
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
        answerOf(() => import("./setup.ts"), "writeSetup"),
      ),
    ],
  }),
  ...register(user, {
    access: access.reference(settings),
    endpoint: async () => (await import("./people.ts")).users,
  }),
  ...register(employee, {
    access: access.reference(settings),
    endpoint: async () => (await import("./people.ts")).employees,
  }),
];

const contacts = () => import("./contact.ts");
const contactGroups = () => import("./contact-group.ts");

const contactRoutes = [
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

const accounts = () => import("./account.ts");
const items = () => import("./item.ts");
const tracking = () => import("./tracking.ts");
const currencies = () => import("./currency.ts");
const branding = () => import("./branding.ts");

const optionPath = "/TrackingCategories/{TrackingCategoryID}/Options";
const themePath = "/BrandingThemes/{BrandingThemeID}";

const chartRoutes = [
  ...register(account, {
    access: access.reference(settings),
    endpoint: async () => (await accounts()).accounts,
    routes: [
      del("/Accounts/{AccountID}", answerOf(accounts, "deleteAccount"), {
        resource: account,
        answers: account,
      }),
    ],
  }),
  ...register(taxRate, {
    access: access.reference(settings),
    endpoint: async () => (await import("./tax-rate.ts")).taxRates,
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
    ],
  }),
  ...register(brandingTheme, {
    access: access.reference(settings),
    endpoint: async () => (await branding()).brandingThemes,
    routes: [
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

const billings = () => import("./billing.ts");
const linkedTransactions = () => import("./linked-transaction.ts");
const linkedPath = "/LinkedTransactions/{LinkedTransactionID}";

/** Routes of documents beside those of every document. */
const ownDocumentRoutes: Partial<Record<DocumentName, readonly OwnRoute[]>> = {
  Invoice: [
    post(
      "/Invoices/{InvoiceID}/Email",
      answerOf(() => import("./email.ts"), "emailInvoice"),
      { actsFirst: true, resource: invoice, takes: email, answers: email },
    ),
  ],
  PurchaseOrder: [
    post("/PurchaseOrders/{PurchaseOrderID}/Bill", answerOf(billings, "billOrder"), {
      resource: invoice,
      takes: billing,
      answers: invoice,
    }),
  ],
  Quote: [
    post("/Quotes/{QuoteID}/Invoice", answerOf(billings, "invoiceQuote"), {
      resource: invoice,
      takes: billing,
      answers: invoice,
    }),
  ],
  RepeatingInvoice: [
    post(
      "/RepeatingInvoices/Run",
      answerOf(() => import("../jobs/repeating-invoices.ts"), "runRepeating"),
      { actsFirst: true },
    ),
  ],
  // No claims are kept here, so that programs which read them find none and go on.
  Receipt: [
    get("/ExpenseClaims", async (call) =>
      answerObjects(call, "ExpenseClaims", "ExpenseClaim", {}, []),
    ),
  ],
};

const documentRoutes = [
  ...documents.flatMap((each) =>
    register(each, {
      access: accessOf(each),
      endpoint: async () => documentEndpointOf(each.name as DocumentName),
      routes: ownDocumentRoutes[each.name as DocumentName] ?? [],
    }),
  ),
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

const payments = () => import("./payment.ts");

const moneyRoutes = [
  ...register(bankTransfer, {
    access: access.books(transactions, "accounting.banktransactions"),
    endpoint: async () => (await import("./bank-transfer.ts")).bankTransfers,
  }),
  ...register(payment, {
    access: access.books(transactions, "accounting.payments"),
    endpoint: async () => (await payments()).payments,
    routes: [
      post("/Payments", answerOf(payments, "writePayment"), {
        resource: payment,
        takes: payment,
        answers: payment,
      }),
      post("/Payments/{PaymentID}", answerOf(payments, "reversePayment"), {
        resource: payment,
        takes: payment,
        answers: payment,
      }),
    ],
  }),
  ...register(batchPayment, {
    access: access.books(transactions, "accounting.payments"),
    endpoint: async () => (await import("../payments/batch-payments.ts")).batchPayments,
  }),
];

const bankLines = () => import("../bank/lines.ts");
const banking = access.books(transactions, "accounting.banktransactions");
const linesPath = pathOf(bankStatementLine);
const linePath = `${linesPath}/{BankStatementLineID}`;
const bankParameters = {
  account: field.text({ required: true, help: "the bank account, its code or AccountID" }),
  days: field.integer({
    min: 0,
    max: 366,
    help: "how many days after it is due a name still speaks for a document; 14 when not given",
  }),
} as const;
const ofLine = { resource: bankStatementLine, answers: bankStatementLine } as const;

const bankRoutes = [
  ...register(bankStatement, {
    access: banking,
    endpoint: async () => (await import("../bank/statements.ts")).bankStatements,
  }),
  ...register(bankRule, {
    access: banking,
    endpoint: async () => (await import("../bank/rules.ts")).bankRules,
  }),
  ...register(bankStatementLine, {
    access: banking,
    endpoint: async () => (await bankLines()).bankStatementLines,
    routes: [
      get(`${linesPath}/Suggestions`, answerOf(bankLines, "readSuggestions"), {
        answers: bankSuggestion,
        parameters: { ...bankParameters, line: field.id({ help: "one line alone" }) },
      }),
      post(`${linesPath}/Reconcile`, answerOf(bankLines, "reconcileCertain"), {
        ...ofLine,
        parameters: bankParameters,
      }),
      post(`${linePath}/Match`, answerOf(bankLines, "matchLine"), { ...ofLine, takes: bankMatch }),
      post(`${linePath}/Unmatch`, answerOf(bankLines, "unmatchLine"), ofLine),
      post(`${linePath}/Ignore`, answerOf(bankLines, "ignoreLine"), ofLine),
    ],
  }),
];

const opening = () => import("../opening/opening.ts");

const openingRoutes = register(openingBalance, {
  access: access.reference(settings),
  endpoint: async () => (await opening()).openings,
  routes: [
    del(`${pathOf(openingBalance)}/{OpeningBalanceID}`, answerOf(opening, "removeOpening"), {
      resource: openingBalance,
      answers: openingBalance,
    }),
  ],
});

const statements = () => import("../statements/statement.ts");
const statementPath = "/Extensions/Statements/{ContactID}";
const statementDays = {
  date: field.date({ help: "what is outstanding on this day; today when not given" }),
  fromDate: field.date({ help: "first day, for what moved it" }),
  toDate: field.date({ help: "last day" }),
} as const;

const statementRoutes = register(undefined, {
  access: access.books(...invoicing),
  routes: [
    get(statementPath, answerOf(statements, "printStatement"), {
      answers: "file",
      parameters: statementDays,
    }),
    post(`${statementPath}/Email`, answerOf(statements, "emailStatement"), {
      actsFirst: true,
      takes: email,
      answers: email,
      parameters: statementDays,
    }),
  ],
});

const depreciation = () => import("../assets/depreciation.ts");
const journalsUntil = (help: string) => ({
  resource: manualJournal,
  answers: manualJournal,
  parameters: { to: field.date({ help }) },
});

const assetRoutes = register(asset, {
  access: access.books(transactions, "accounting.manualjournals"),
  endpoint: async () => (await import("../assets/assets.ts")).assets,
  routes: [
    post(
      `${pathOf(asset)}/Depreciate`,
      answerOf(depreciation, "depreciate"),
      journalsUntil("months that have ended by this day; by the last month when not given"),
    ),
    post(
      `${pathOf(asset)}/Rollback`,
      answerOf(depreciation, "rollBack"),
      journalsUntil("a day of the last month that stays"),
    ),
    post(`${pathOf(asset)}/{AssetID}/Dispose`, answerOf(depreciation, "dispose"), {
      resource: asset,
      takes: assetDisposal,
      answers: asset,
    }),
  ],
});

const journals = () => import("./journal.ts");

const ledgerRoutes = [
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
    endpoint: async () => (await import("./budget.ts")).budgets,
  }),
];

const listeners = () => import("../webhooks/listeners.ts");
const listenerPath = "/WebhookListeners/{ListenerID}";

const listenerRoutes = register(undefined, {
  // A listener gets the events of changed documents: a scope that reads them is enough.
  access: {
    ...access.books(...invoicing),
    writeScopes: invoicing.flatMap((scope) => [scope, `${scope}.read`]),
  },
  routes: [
    post("/WebhookListeners", answerOf(listeners, "addListener"), {
      parameters: {
        events: field.text({
          help: `${[...eventCategories.keys()].join(", ")}; all of them when not given`,
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

/** Every route but those that tell of the routes themselves. */
export const registered: readonly Route[] = [
  ...organisationRoutes,
  ...contactRoutes,
  ...chartRoutes,
  ...documentRoutes,
  ...moneyRoutes,
  ...bankRoutes,
  ...openingRoutes,
  ...statementRoutes,
  ...assetRoutes,
  ...ledgerRoutes,
  ...listenerRoutes,
  ...reportRoutes,
];
