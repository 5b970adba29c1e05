/** All resources of the service, by name. */
import { account } from "./account.ts";
import { allocation } from "./allocation.ts";
import { asset } from "./asset.ts";
import { bankRule } from "./bank-rule.ts";
import { bankStatement, bankStatementLine } from "./bank-statement.ts";
import { bankTransaction } from "./bank-transaction.ts";
import { bankTransfer } from "./bank-transfer.ts";
import { batchPayment } from "./batch-payment.ts";
import { brandingTheme, paymentService } from "./branding-theme.ts";
import { budget } from "./budget.ts";
import { contact } from "./contact.ts";
import { contactGroup } from "./contact-group.ts";
import { creditNote } from "./credit-note.ts";
import { currency, exchangeRate } from "./currency.ts";
import { employee } from "./employee.ts";
import { expenseClaim } from "./expense-claim.ts";
import type { DocumentResource, OneType, Resource } from "./field.ts";
import { historyRecord } from "./history.ts";
import { invoice } from "./invoice.ts";
import { item } from "./item.ts";
import { journal } from "./journal.ts";
import { linkedTransaction } from "./linked-transaction.ts";
import { manualJournal } from "./manual-journal.ts";
import { openingBalance } from "./opening-balance.ts";
import { operation } from "./operation.ts";
import { organisation } from "./organisation.ts";
import { payment } from "./payment.ts";
import { overpayment, prepayment } from "./prepayment.ts";
import { purchaseOrder } from "./purchase-order.ts";
import { quote } from "./quote.ts";
import { receipt } from "./receipt.ts";
import { repeatingInvoice } from "./repeating-invoice.ts";
import { taxRate } from "./tax-rate.ts";
import { trackingCategory, trackingOption } from "./tracking-category.ts";
import { user } from "./user.ts";

export {
  account,
  allocation,
  asset,
  bankRule,
  bankStatement,
  bankStatementLine,
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
  exchangeRate,
  expenseClaim,
  historyRecord,
  invoice,
  item,
  journal,
  linkedTransaction,
  manualJournal,
  openingBalance,
  operation,
  organisation,
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
  trackingOption,
  user,
};

const served = [
  organisation,
  account,
  taxRate,
  trackingCategory,
  invoice,
  contact,
  item,
  creditNote,
  purchaseOrder,
  quote,
  receipt,
  expenseClaim,
  bankTransaction,
  bankTransfer,
  prepayment,
  overpayment,
  repeatingInvoice,
  linkedTransaction,
  payment,
  contactGroup,
  currency,
  brandingTheme,
  paymentService,
  budget,
  employee,
  user,
  journal,
  manualJournal,
  batchPayment,
  bankStatement,
  bankStatementLine,
  bankRule,
  openingBalance,
  asset,
  operation,
] as const;

/** Resources with a collection of their own under the API root. */
export const resources: readonly Resource[] = served;

type ServedResource = (typeof served)[number];
export type ResourceNamed<N extends string> = Extract<ServedResource, { readonly name: N }>;
/** Names of the resources whose records customers can see on a web page. */
export type OnlineName = Extract<ServedResource, { readonly online: true }>["name"];
/** Names of all served resources. */
export type ServedName = ServedResource["name"];
/** Names of the resources whose records are documents. */
export type DocumentName = Extract<ServedResource, DocumentResource>["name"];
/** Names of the document resources with a fixed Type, which callers may omit. */
export type OneTypeName = Extract<ServedResource, { readonly document: OneType }>["name"];

/** Resources whose records are documents. */
export const documents: readonly DocumentResource[] = resources.filter(isDocument);

export function isDocument(resource: Resource): resource is DocumentResource {
  return resource.document !== undefined;
}

/** Event categories, each with its resource. */
export const resourceByCategory: ReadonlyMap<string, Resource> = new Map(
  resources.flatMap((resource) =>
    resource.eventCategory === undefined ? [] : [[resource.eventCategory, resource] as const],
  ),
);

/** Resource of a path segment, in any letter case. */
export function resourceAt(segment: string): Resource | undefined {
  const lowerSegment = segment.toLowerCase();
  return resources.find(
    (r) =>
      r.plural.toLowerCase() === lowerSegment ||
      r.aliases?.some((alias) => alias.toLowerCase() === lowerSegment),
  );
}
