/**
 * Every address of the service, derived from the resource descriptions, with the few that differ.
 *
 * The same table answers requests, tells `acct api` what there is to complete, and says 501 for a
 * method that an address does not have.
 */
import { NotFoundError, RefusedError } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import {
  account,
  bankTransaction,
  bankTransfer,
  batchPayment,
  brandingTheme,
  budget,
  contact,
  contactGroup,
  creditNote,
  currency,
  invoice,
  item,
  journal,
  linkedTransaction,
  manualJournal,
  organisation,
  overpayment,
  payment,
  paymentService,
  prepayment,
  purchaseOrder,
  quote,
  repeatingInvoice,
  taxRate,
  trackingCategory,
  user,
} from "../resources/index.ts";
import type { ServiceResponse } from "../wire/http.ts";
import type { Call } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { readCollection, readOne } from "./read.ts";

// What answers is loaded when it is asked: of a whole service, a command needs one or two endpoints.
const writes = () => import("./write.ts");
const allocations = () => import("./endpoints/allocation.ts");
const histories = () => import("./endpoints/history.ts");
const ofAccounts = () => import("./endpoints/account.ts");
const ofBankTransactions = () => import("./endpoints/bank-transaction.ts");
const ofBankTransfers = () => import("./endpoints/bank-transfer.ts");
const ofBatchPayments = () => import("./endpoints/batch-payment.ts");
const ofBranding = () => import("./endpoints/branding.ts");
const ofBudgets = () => import("./endpoints/budget.ts");
const ofCis = () => import("./endpoints/cis.ts");
const ofContactGroups = () => import("./endpoints/contact-group.ts");
const ofAttachments = () => import("./endpoints/attachment.ts");
const ofContacts = () => import("./endpoints/contact.ts");
const ofCurrencies = () => import("./endpoints/currency.ts");
const ofCreditNotes = () => import("./endpoints/credit-note.ts");
const ofEmails = () => import("./endpoints/email.ts");
const ofInvoices = () => import("./endpoints/invoice.ts");
const ofItems = () => import("./endpoints/item.ts");
const ofJournals = () => import("./endpoints/journal.ts");
const ofManualJournals = () => import("./endpoints/manual-journal.ts");
const ofLinkedTransactions = () => import("./endpoints/linked-transaction.ts");
const ofOrganisations = () => import("./endpoints/organisation.ts");
const ofPayments = () => import("./endpoints/payment.ts");
const ofPrinting = () => import("./printed/print.ts");
const ofPurchaseOrders = () => import("./endpoints/purchase-order.ts");
const ofQuotes = () => import("./endpoints/quote.ts");
const ofRepeating = () => import("./endpoints/repeating-invoice.ts");
const ofRepeatingRuns = () => import("./repeating/bring-forth.ts");
const ofReports = () => import("./endpoints/report.ts");
const ofAgedReports = () => import("./endpoints/report-aged.ts");
const of1099Reports = () => import("./endpoints/report-1099.ts");
const ofPublishedReports = () => import("./endpoints/report-published.ts");
const ofSummaries = () => import("./endpoints/report-summaries.ts");
const ofSetup = () => import("./endpoints/setup.ts");
const ofTaxRates = () => import("./endpoints/tax-rate.ts");
const ofTracking = () => import("./endpoints/tracking.ts");
const ofUsers = () => import("./endpoints/user.ts");

/** Answers one request; `parameters` are the segments that the braces of the path stand for. */
type Answer = (call: Call, ...parameters: string[]) => Promise<ServiceResponse>;

export interface Route {
  readonly method: string;
  /** `/Invoices/{InvoiceID}/History`; fixed segments match in any letter case. */
  readonly path: string;
  readonly answer: Answer;
  /** Its body is a file: no records, and larger than they may be. */
  readonly takesFile?: true;
  readonly resource?: Resource;
  /** Of one record: answers as PDF, or refuses to where there is no printed form of it. */
  readonly printed?: Answer | undefined;
}

interface Described {
  readonly resource: Resource;
  readonly endpoint: () => Promise<Endpoint>;
}

const described: readonly Described[] = [
  { resource: account, endpoint: async () => (await ofAccounts()).accounts },
  { resource: contact, endpoint: async () => (await ofContacts()).contacts },
  { resource: taxRate, endpoint: async () => (await ofTaxRates()).taxRates },
  { resource: trackingCategory, endpoint: async () => (await ofTracking()).trackingCategories },
  { resource: item, endpoint: async () => (await ofItems()).items },
  { resource: invoice, endpoint: async () => (await ofInvoices()).invoices },
  { resource: creditNote, endpoint: async () => (await ofCreditNotes()).creditNotes },
  {
    resource: purchaseOrder,
    endpoint: async () => (await ofPurchaseOrders()).purchaseOrders,
  },
  { resource: quote, endpoint: async () => (await ofQuotes()).quotes },
  {
    resource: bankTransaction,
    endpoint: async () => (await ofBankTransactions()).bankTransactions,
  },
  { resource: bankTransfer, endpoint: async () => (await ofBankTransfers()).bankTransfers },
  { resource: prepayment, endpoint: async () => (await ofBankTransactions()).prepayments },
  { resource: overpayment, endpoint: async () => (await ofBankTransactions()).overpayments },
  { resource: repeatingInvoice, endpoint: async () => (await ofRepeating()).repeatingInvoices },
  {
    resource: linkedTransaction,
    endpoint: async () => (await ofLinkedTransactions()).linkedTransactions,
  },
  { resource: payment, endpoint: async () => (await ofPayments()).payments },
  { resource: contactGroup, endpoint: async () => (await ofContactGroups()).contactGroups },
  { resource: currency, endpoint: async () => (await ofCurrencies()).currencies },
  { resource: brandingTheme, endpoint: async () => (await ofBranding()).brandingThemes },
  { resource: paymentService, endpoint: async () => (await ofBranding()).paymentServices },
  { resource: budget, endpoint: async () => (await ofBudgets()).budgets },
  { resource: batchPayment, endpoint: async () => (await ofBatchPayments()).batchPayments },
  { resource: manualJournal, endpoint: async () => (await ofManualJournals()).manualJournals },
  { resource: user, endpoint: async () => (await ofUsers()).users },
];

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
const own: readonly Route[] = [
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
  ...["/Organisation", "/Organisations"].flatMap((path) => [
    {
      method: "GET",
      path: `${path}/Actions`,
      answer: async (call: Call) => (await ofOrganisations()).readActions(call, hasRoute),
    },
    {
      method: "GET",
      path: `${path}/{OrganisationID}/CISSettings`,
      answer: later(ofCis, "readCisSettings"),
    },
  ]),
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

function printing(resource: Resource, endpoint: Described["endpoint"]): Answer {
  return async (call, key = "") => {
    if (resource.printed !== true) throw methodAbsent();
    return (await ofPrinting()).printOne(call, await endpoint(), key);
  };
}

function derived({ resource, endpoint: load }: Described): Route[] {
  let loaded: Endpoint | undefined;
  const endpoint = async () => {
    loaded ??= await load();
    return loaded;
  };
  const collection = `/${resource.plural}`;
  const record = `${collection}/{${resource.id}}`;
  const written =
    (method: "PUT" | "POST"): Answer =>
    async (call, key) =>
      (await writes()).write(call, await endpoint(), method, key);
  const routes: Route[] = [];
  for (const method of resource.collection) {
    const answer: Answer =
      method === "GET" ? async (call) => readCollection(call, await endpoint()) : written(method);
    routes.push({ method, path: collection, resource, answer });
  }
  for (const method of resource.record) {
    if (method === "DELETE") continue; // Each deletion has rules of its own, and stands above.
    const answer: Answer =
      method === "GET"
        ? async (call, key = "") => readOne(call, await endpoint(), key)
        : written("POST");
    const printed = method === "GET" ? printing(resource, endpoint) : undefined;
    routes.push({ method, path: record, resource, answer, printed });
  }
  if (resource.allocations === true) {
    const path = `${record}/Allocations`;
    routes.push(
      {
        method: "PUT",
        path,
        answer: async (call, key = "") =>
          (await allocations()).allocate(call, await endpoint(), key),
      },
      {
        method: "DELETE",
        path: `${path}/{AllocationID}`,
        answer: async (call, key = "", id = "") =>
          (await allocations()).deleteAllocation(call, await endpoint(), key, id),
      },
    );
  }
  if (resource.history === true) {
    const path = `${record}/History`;
    routes.push(
      {
        method: "GET",
        path,
        answer: async (call, key = "") =>
          (await histories()).readHistory(call, await endpoint(), key),
      },
      {
        method: "PUT",
        path,
        answer: async (call, key = "") => (await histories()).addNotes(call, await endpoint(), key),
      },
    );
  }
  if (resource.attachments !== undefined) routes.push(...attachmentRoutes(record, endpoint));
  return routes;
}

function attachmentRoutes(record: string, endpoint: Described["endpoint"]): Route[] {
  const path = `${record}/Attachments`;
  const written: Answer = async (call, key = "", name = "") =>
    (await ofAttachments()).writeAttachment(call, await endpoint(), key, name);
  return [
    {
      method: "GET",
      path,
      answer: async (call, key = "") =>
        (await ofAttachments()).listAttachments(call, await endpoint(), key),
    },
    {
      method: "GET",
      path: `${path}/{FileName}`,
      answer: async (call, key = "", name = "") =>
        (await ofAttachments()).readAttachment(call, await endpoint(), key, name),
    },
    { method: "PUT", path: `${path}/{FileName}`, answer: written, takesFile: true },
    { method: "POST", path: `${path}/{FileName}`, answer: written, takesFile: true },
  ];
}

const isOwn = new Set(own.map((route) => `${route.method} ${route.path}`));

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/openapi.json",
    answer: async (call) => (await import("./openapi/answer.ts")).answerDescription(call, routes),
  },
  ...own,
  ...described.flatMap(derived).filter((route) => !isOwn.has(`${route.method} ${route.path}`)),
];

/** Records of older times, whose addresses are known and answer 501 to every method. */
const legacy: readonly Route[] = ["Employees", "ExpenseClaims", "Receipts"].flatMap((name) =>
  ["", "/{ID}", "/{ID}/History", "/{ID}/Attachments"].map((rest) => ({
    method: "",
    path: `/${name}${rest}`,
    answer: () => Promise.reject(methodAbsent()),
  })),
);

/** Stands for any segment, in a pattern. */
const parameter = "{}";

const byFirstSegment = new Map<string, { route: Route; segments: string[] }[]>();
for (const route of [...routes, ...legacy]) {
  const segments = route.path.slice(1).split("/").map(patternOf);
  const first = segments[0] ?? "";
  const known = byFirstSegment.get(first) ?? [];
  known.push({ route, segments });
  byFirstSegment.set(first, known);
}

export interface Found {
  readonly route: Route;
  /** The segments that the braces of its path stand for. */
  readonly parameters: readonly string[];
  /** The path ended in `/pdf`. */
  readonly asPdf: boolean;
}

/**
 * The route that answers `method` on `path`.
 *
 * @throws NotFoundError when the path is none of the service's
 * @throws RefusedError `NotImplemented` when the path has no such method
 */
export function routeFor(method: string, path: string): Found {
  const segments = segmentsOf(path);
  const { candidates, asPdf } = candidatesFor(segments);
  const found = candidates.find((candidate) => candidate.route.method === method);
  if (found !== undefined) {
    const parameters = segments.filter((_, index) => found.segments[index] === parameter);
    return { route: found.route, parameters, asPdf };
  }
  throw methodAbsent();
}

/** Whether the service answers a method on a path. */
export function hasRoute(method: string, path: string): boolean {
  const segments = path.split("/").slice(1);
  return routes.some(
    (route) =>
      route.method === method && fits(route.path.slice(1).split("/").map(patternOf), segments),
  );
}

/** The methods that an address has. @throws NotFoundError when it is none of the service's */
export function methodsAt(path: string): readonly string[] {
  const { candidates } = candidatesFor(segmentsOf(path));
  return [...new Set(candidates.map(({ route }) => route.method))];
}

/** The routes of an address, and whether it asks for a printed form. @throws NotFoundError */
function candidatesFor(segments: readonly string[]) {
  const known = byFirstSegment.get((segments[0] ?? "").toLowerCase()) ?? [];
  const fitting = (wanted: readonly string[]) =>
    known.filter((candidate) => fits(candidate.segments, wanted));
  let candidates = fitting(segments);
  const asPdf = candidates.length === 0 && segments.at(-1)?.toLowerCase() === "pdf";
  if (asPdf) {
    candidates = fitting(segments.slice(0, -1)).filter(({ route }) => route.printed !== undefined);
  }
  if (candidates.length > 0) return { candidates, asPdf };
  throw new NotFoundError("NotFound", "The resource you're looking for cannot be found");
}

function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment, index, all) => decoded(segment, all[index - 1]));
}

/** 501: the address is known, and does not do that, or not yet. */
function methodAbsent(): RefusedError {
  return new RefusedError("NotImplemented", "The Api Method called is not implemented");
}

/** A segment of a route's path, to be compared with one in lower case. */
function patternOf(segment: string): string {
  return segment.startsWith("{") ? parameter : segment.toLowerCase();
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((each, index) => each === parameter || each === segments[index]?.toLowerCase())
  );
}

function decoded(segment: string, before: string | undefined): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Special characters of a file name are sent as they are, so a percent sign may be just that.
    if (before?.toLowerCase() === "attachments") return segment.replace(encodedRuns, decodedRun);
    throw new RefusedError("ValidationException", "The address is not properly percent-encoded.");
  }
}

const encodedRuns = /(?:%[0-9a-f]{2})+/gi;

function decodedRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
