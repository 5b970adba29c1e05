/** The headings of the service document, in its order, with the rows under each. */
import type { Heading } from "./row.ts";
import { clients } from "./rows/clients.ts";
import { attachments, rateTables, reports } from "./rows/endpoints-beside.ts";
import { invoices, purchaseOrders } from "./rows/endpoints-documents.ts";
import { items, organisations, payments, taxRates } from "./rows/endpoints-money.ts";
import { general, versioning } from "./rows/general.ts";
import { invoice, invoiceLine } from "./rows/invoice.ts";
import { item, organisation, taxRate } from "./rows/masters.ts";
import { purchaseOrder } from "./rows/order.ts";
import { payment } from "./rows/payment.ts";
import { prepayment, prepayments } from "./rows/prepayment.ts";
import { authentication, commonRules, errors, limits } from "./rows/rules.ts";
import { invoiceStates, otherStates } from "./rows/states.ts";

export const fields: readonly Heading[] = [
  general,
  invoice,
  invoiceLine,
  prepayment,
  purchaseOrder,
  payment,
  item,
  organisation,
  taxRate,
];

export const states: readonly Heading[] = [invoiceStates, otherStates];

export const endpoints: readonly Heading[] = [
  invoices,
  prepayments,
  purchaseOrders,
  payments,
  items,
  organisations,
  taxRates,
  rateTables,
  attachments,
  reports,
];

export const rules: readonly Heading[] = [
  commonRules,
  authentication,
  errors,
  limits,
  versioning,
  clients,
];

export const headings: readonly Heading[] = [...fields, ...states, ...endpoints, ...rules];
