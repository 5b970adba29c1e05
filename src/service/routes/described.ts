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
  repeatingInvoice,
  taxRate,
  trackingCategory,
  user,
} from "../../resources/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { readCollection, readOne } from "../read.ts";
import { type Answer, methodAbsent, type Route } from "./route.ts";

// What answers is loaded when it is asked: of a whole service, a command needs one or two endpoints.
const writes = () => import("../write.ts");
const allocations = () => import("../endpoints/allocation.ts");
const histories = () => import("../endpoints/history.ts");
const ofAccounts = () => import("../endpoints/account.ts");
const ofBankTransactions = () => import("../endpoints/bank-transaction.ts");
const ofBankTransfers = () => import("../endpoints/bank-transfer.ts");
const ofBatchPayments = () => import("../endpoints/batch-payment.ts");
const ofBranding = () => import("../endpoints/branding.ts");
const ofBudgets = () => import("../endpoints/budget.ts");
const ofContactGroups = () => import("../endpoints/contact-group.ts");
const ofAttachments = () => import("../endpoints/attachment.ts");
const ofContacts = () => import("../endpoints/contact.ts");
const ofCurrencies = () => import("../endpoints/currency.ts");
const ofCreditNotes = () => import("../endpoints/credit-note.ts");
const ofInvoices = () => import("../endpoints/invoice.ts");
const ofItems = () => import("../endpoints/item.ts");
const ofManualJournals = () => import("../endpoints/manual-journal.ts");
const ofLinkedTransactions = () => import("../endpoints/linked-transaction.ts");
const ofPayments = () => import("../endpoints/payment.ts");
const ofPrinting = () => import("../printed/print.ts");
const ofPurchaseOrders = () => import("../endpoints/purchase-order.ts");
const ofQuotes = () => import("../endpoints/quote.ts");
const ofRepeating = () => import("../endpoints/repeating-invoice.ts");
const ofTaxRates = () => import("../endpoints/tax-rate.ts");
const ofTracking = () => import("../endpoints/tracking.ts");
const ofUsers = () => import("../endpoints/user.ts");

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

/** By the order of `described`; a deletion has rules of its own and is not among them. */
export const describedRoutes: readonly Route[] = described.flatMap(derived);
