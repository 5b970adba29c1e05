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
  invoice,
  item,
  organisation,
  payment,
  trackingCategory,
} from "../resources/index.ts";
import type { ServiceResponse } from "../wire/http.ts";
import type { Call } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { accounts, deleteAccount } from "./endpoints/account.ts";
import { contacts } from "./endpoints/contact.ts";
import { emailInvoice, onlineInvoice } from "./endpoints/email.ts";
import { addNotes, readHistory } from "./endpoints/history.ts";
import { invoices } from "./endpoints/invoice.ts";
import { deleteItem, items } from "./endpoints/item.ts";
import { readActions, readCisSettings, readOrganisation } from "./endpoints/organisation.ts";
import { payments, reversePayment, writePayment } from "./endpoints/payment.ts";
import {
  balanceSheet,
  listReports,
  profitAndLoss,
  readPublishedReport,
  trialBalance,
} from "./endpoints/report.ts";
import { taxRates } from "./endpoints/tax-rate.ts";
import {
  deleteOption,
  deleteTrackingCategory,
  trackingCategories,
  writeOptions,
} from "./endpoints/tracking.ts";
import { readCollection, readOne } from "./read.ts";
import { write } from "./write.ts";

/** Answers one request; `parameters` are the segments that the braces of the path stand for. */
type Answer = (call: Call, ...parameters: string[]) => Promise<ServiceResponse>;

export interface Route {
  readonly method: string;
  /** `/Invoices/{InvoiceID}/History`; fixed segments match in any letter case. */
  readonly path: string;
  readonly answer: Answer;
  readonly resource?: Resource;
}

const endpoints: readonly Endpoint[] = [
  accounts,
  contacts,
  taxRates,
  trackingCategories,
  items,
  invoices,
  payments,
];

/** What differs from the road that a description lays out; wins over it. */
const own: readonly Route[] = [
  { method: "GET", path: "/Organisation", answer: readOrganisation, resource: organisation },
  { method: "GET", path: "/Organisations", answer: readOrganisation, resource: organisation },
  ...["/Organisation", "/Organisations"].flatMap((path) => [
    { method: "GET", path: `${path}/Actions`, answer: readActions },
    {
      method: "GET",
      path: `${path}/{OrganisationID}/CISSettings`,
      answer: readCisSettings,
    },
  ]),
  {
    method: "DELETE",
    path: "/Accounts/{AccountID}",
    answer: deleteAccount,
    resource: account,
  },
  { method: "DELETE", path: "/Items/{ItemID}", answer: deleteItem, resource: item },
  {
    method: "POST",
    path: "/Invoices/{InvoiceID}/Email",
    answer: emailInvoice,
    resource: invoice,
  },
  {
    method: "GET",
    path: "/Invoices/{InvoiceID}/OnlineInvoice",
    answer: onlineInvoice,
    resource: invoice,
  },
  { method: "POST", path: "/Payments", answer: writePayment, resource: payment },
  {
    method: "POST",
    path: "/Payments/{PaymentID}",
    answer: reversePayment,
    resource: payment,
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}",
    answer: deleteTrackingCategory,
    resource: trackingCategory,
  },
  {
    method: "PUT",
    path: "/TrackingCategories/{TrackingCategoryID}/Options",
    answer: (call, key) => writeOptions(call, key ?? ""),
  },
  {
    method: "POST",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: writeOptions,
  },
  {
    method: "DELETE",
    path: "/TrackingCategories/{TrackingCategoryID}/Options/{TrackingOptionID}",
    answer: deleteOption,
  },
  { method: "GET", path: "/Reports", answer: listReports },
  { method: "GET", path: "/Reports/ProfitAndLoss", answer: profitAndLoss },
  { method: "GET", path: "/Reports/TrialBalance", answer: trialBalance },
  { method: "GET", path: "/Reports/BalanceSheet", answer: balanceSheet },
  { method: "GET", path: "/Reports/{ReportID}", answer: readPublishedReport },
];

function derived(endpoint: Endpoint): Route[] {
  const { resource } = endpoint;
  const collection = `/${resource.plural}`;
  const record = `${collection}/{${resource.id}}`;
  const routes: Route[] = [];
  for (const method of resource.collection) {
    routes.push({
      method,
      path: collection,
      resource,
      answer: (call) =>
        method === "GET" ? readCollection(call, endpoint) : write(call, endpoint, method),
    });
  }
  for (const method of resource.record) {
    if (method === "DELETE") continue; // Each deletion has rules of its own, and stands above.
    routes.push({
      method,
      path: record,
      resource,
      answer: (call, key = "") =>
        method === "GET" ? readOne(call, endpoint, key) : write(call, endpoint, "POST", key),
    });
  }
  if (resource.history === true) {
    const path = `${record}/History`;
    routes.push(
      { method: "GET", path, answer: (call, key = "") => readHistory(call, endpoint, key) },
      { method: "PUT", path, answer: (call, key = "") => addNotes(call, endpoint, key) },
    );
  }
  return routes;
}

const isOwn = new Set(own.map((route) => `${route.method} ${route.path}`));

export const routes: readonly Route[] = [
  ...own,
  ...endpoints.flatMap(derived).filter((route) => !isOwn.has(`${route.method} ${route.path}`)),
];

const byFirstSegment = new Map<string, { route: Route; segments: string[] }[]>();
for (const route of routes) {
  const segments = route.path.slice(1).split("/");
  const first = (segments[0] ?? "").toLowerCase();
  const known = byFirstSegment.get(first) ?? [];
  known.push({ route, segments });
  byFirstSegment.set(first, known);
}

/**
 * The route that answers `method` on `path`, with the values of its braces.
 *
 * @throws NotFoundError when the path is none of the service's
 * @throws RefusedError `NotImplemented` when the path has no such method
 */
export function routeFor(method: string, path: string): { route: Route; parameters: string[] } {
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded);
  const candidates = (byFirstSegment.get((segments[0] ?? "").toLowerCase()) ?? []).filter(
    (candidate) => fits(candidate.segments, segments),
  );
  const found = candidates.find((candidate) => candidate.route.method === method);
  if (found !== undefined) {
    return {
      route: found.route,
      parameters: segments.filter((_, index) => found.segments[index]?.startsWith("{")),
    };
  }
  if (candidates.length === 0) {
    throw new NotFoundError("NotFound", "The resource you're looking for cannot be found");
  }
  throw new RefusedError("NotImplemented", "The Api Method called is not implemented");
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every(
      (each, index) =>
        each.startsWith("{") || each.toLowerCase() === segments[index]?.toLowerCase(),
    )
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RefusedError("ValidationException", "The address is not properly percent-encoded.");
  }
}
