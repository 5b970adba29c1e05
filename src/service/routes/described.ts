/**
 * The routes that a description lays out, the same for every resource: the collection and the
 * record, and below the record its allocations, its history and its files.
 */
import type { Resource } from "../../resources/field.ts";
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
  employee,
  invoice,
  item,
  linkedTransaction,
  manualJournal,
  overpayment,
  payment,
  paymentService,
  prepayment,
  purchaseOrder,
  quote,
  receipt,
  repeatingInvoice,
  taxRate,
  trackingCategory,
  user,
} from "../../resources/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { invoices } from "../endpoints/invoice.ts";
import { loaded } from "../loaded.ts";
import { readCollection, readOne } from "../read.ts";
import * as load from "./load.ts";
import { type Answer, methodAbsent, type Route } from "./route.ts";

interface Described {
  readonly resource: Resource;
  readonly endpoint: () => Promise<Endpoint>;
}

const described: readonly Described[] = [
  { resource: account, endpoint: async () => (await load.accounts()).accounts },
  { resource: contact, endpoint: async () => (await load.contacts()).contacts },
  { resource: taxRate, endpoint: async () => (await load.taxRates()).taxRates },
  { resource: trackingCategory, endpoint: async () => (await load.tracking()).trackingCategories },
  { resource: item, endpoint: async () => (await load.items()).items },
  { resource: invoice, endpoint: async () => invoices },
  { resource: creditNote, endpoint: async () => (await load.creditNotes()).creditNotes },
  {
    resource: purchaseOrder,
    endpoint: async () => (await load.purchaseOrders()).purchaseOrders,
  },
  { resource: quote, endpoint: async () => (await load.quotes()).quotes },
  { resource: receipt, endpoint: async () => (await load.receipts()).receipts },
  {
    resource: bankTransaction,
    endpoint: async () => (await load.bankTransactions()).bankTransactions,
  },
  { resource: bankTransfer, endpoint: async () => (await load.bankTransfers()).bankTransfers },
  { resource: prepayment, endpoint: async () => (await load.bankTransactions()).prepayments },
  { resource: overpayment, endpoint: async () => (await load.bankTransactions()).overpayments },
  { resource: repeatingInvoice, endpoint: async () => (await load.repeating()).repeatingInvoices },
  {
    resource: linkedTransaction,
    endpoint: async () => (await load.linkedTransactions()).linkedTransactions,
  },
  { resource: payment, endpoint: async () => (await load.payments()).payments },
  { resource: contactGroup, endpoint: async () => (await load.contactGroups()).contactGroups },
  { resource: currency, endpoint: async () => (await load.currencies()).currencies },
  { resource: brandingTheme, endpoint: async () => (await load.branding()).brandingThemes },
  { resource: paymentService, endpoint: async () => (await load.branding()).paymentServices },
  { resource: budget, endpoint: async () => (await load.budgets()).budgets },
  { resource: batchPayment, endpoint: async () => (await load.batchPayments()).batchPayments },
  { resource: manualJournal, endpoint: async () => (await load.manualJournals()).manualJournals },
  { resource: employee, endpoint: async () => (await load.employees()).employees },
  { resource: user, endpoint: async () => (await load.users()).users },
];

function printing(resource: Resource, endpoint: Described["endpoint"]): Answer {
  return async (call, key = "") => {
    if (resource.printed !== true) throw methodAbsent();
    return (await load.printing()).printOne(call, await endpoint(), key);
  };
}

function derived({ resource, endpoint: loading }: Described): Route[] {
  const endpoint = loaded(loading);
  const collection = `/${resource.plural}`;
  const record = `${collection}/{${resource.id}}`;
  const written =
    (method: "PUT" | "POST"): Answer =>
    async (call, key) =>
      (await load.writes()).write(call, await endpoint(), method, key);
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
  if (resource.allocations === true) routes.push(...allocationRoutes(record, endpoint));
  if (resource.history === true) routes.push(...historyRoutes(record, endpoint));
  if (resource.attachments !== undefined) routes.push(...attachmentRoutes(record, endpoint));
  if (resource.online === true) routes.push(...onlineRoutes(resource, record, endpoint));
  return routes;
}

function allocationRoutes(record: string, endpoint: Described["endpoint"]): Route[] {
  const path = `${record}/Allocations`;
  return [
    {
      method: "PUT",
      path,
      answer: async (call, key = "") =>
        (await load.allocations()).allocate(call, await endpoint(), key),
    },
    {
      method: "DELETE",
      path: `${path}/{AllocationID}`,
      answer: async (call, key = "", id = "") =>
        (await load.allocations()).deleteAllocation(call, await endpoint(), key, id),
    },
  ];
}

function onlineRoutes(
  resource: Resource,
  record: string,
  endpoint: Described["endpoint"],
): Route[] {
  const path = `${record}/OnlineInvoice`;
  return [
    {
      method: "GET",
      path,
      resource,
      answer: async (call, key = "") =>
        (await load.online()).readOnline(call, await endpoint(), key),
    },
    {
      method: "DELETE",
      path,
      resource,
      answer: async (call, key = "") =>
        (await load.online()).revokeOnline(call, await endpoint(), key),
    },
  ];
}

function historyRoutes(record: string, endpoint: Described["endpoint"]): Route[] {
  const path = `${record}/History`;
  const noted: Answer = async (call, key = "") =>
    (await load.histories()).addNotes(call, await endpoint(), key);
  return [
    {
      method: "GET",
      path,
      answer: async (call, key = "") =>
        (await load.histories()).readHistory(call, await endpoint(), key),
    },
    { method: "PUT", path, answer: noted },
    { method: "POST", path, answer: noted },
  ];
}

function attachmentRoutes(record: string, endpoint: Described["endpoint"]): Route[] {
  const path = `${record}/Attachments`;
  const written: Answer = async (call, key = "", name = "") =>
    (await load.attachments()).writeAttachment(call, await endpoint(), key, name);
  return [
    {
      method: "GET",
      path,
      answer: async (call, key = "") =>
        (await load.attachments()).listAttachments(call, await endpoint(), key),
    },
    {
      method: "GET",
      path: `${path}/{FileName}`,
      answer: async (call, key = "", name = "") =>
        (await load.attachments()).readAttachment(call, await endpoint(), key, name),
    },
    { method: "PUT", path: `${path}/{FileName}`, answer: written, takesFile: true },
    { method: "POST", path: `${path}/{FileName}`, answer: written, takesFile: true },
    {
      method: "DELETE",
      path: `${path}/{FileName}`,
      answer: async (call, key = "", name = "") =>
        (await load.attachments()).deleteAttachment(call, await endpoint(), key, name),
    },
  ];
}

/** By the order of `described`; a deletion has rules of its own and is not among them. */
export const describedRoutes: readonly Route[] = described.flatMap(derived);
