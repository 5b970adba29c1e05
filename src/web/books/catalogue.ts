/**
 * The lists of records that have pages, and where the pages of their records lie.
 *
 * A list says what it is called, which records it has and which columns; filters, search, paging and
 * the page of one record follow from the description of the resource.
 */

import type { Resource } from "../../resources/field.ts";
import {
  account,
  asset,
  bankRule,
  bankStatement,
  bankStatementLine,
  bankTransaction,
  bankTransfer,
  batchPayment,
  contact,
  contactGroup,
  creditNote,
  type DocumentName,
  invoice,
  item,
  manualJournal,
  overpayment,
  payment,
  prepayment,
  purchaseOrder,
  quote,
  receipt,
  repeatingInvoice,
  taxRate,
  trackingCategory,
} from "../../resources/index.ts";
import type { sourceTypes } from "../../resources/journal.ts";
import { compare } from "../../wire/query/condition.ts";

/** Parts of the books, as the navigation has them. */
export const sections = [
  "overview",
  "sales",
  "purchases",
  "bank",
  "contacts",
  "accounting",
  "reports",
] as const;
export type SectionName = (typeof sections)[number];

export interface RecordList {
  readonly resource: Resource;
  /** Path of the list; that of a record has its id below. */
  readonly path: string;
  readonly section: SectionName;
  /** `Supplier credit notes` */
  readonly title: string;
  /** What it is called in the navigation of its part, where that can be shorter. */
  readonly short?: string;
  /** What one of them is called at the beginning of its title: `Supplier credit note`. */
  readonly noun: string;
  /** The only types that the list has, where the resource has others. */
  readonly types?: readonly string[];
  /** Dotted paths; the first one is the link to the record. */
  readonly columns: readonly string[];
  /** An address of the API that the reader may see where they may see these records. */
  readonly asked: string;
}

/** Bills stand at the address of sales invoices: who may see orders may see them. */
const purchases = "/PurchaseOrders";

const listed = (
  path: string,
  resource: Resource,
  of: Partial<RecordList> & Pick<RecordList, "section" | "title" | "noun">,
): RecordList => ({
  resource,
  path,
  columns: resource.columns,
  asked: resource.extension === true ? `/Extensions/${resource.plural}` : `/${resource.plural}`,
  ...of,
});

/** At least one list for each kind of document. */
const documentLists = {
  Invoice: [
    listed("/invoices", invoice, {
      section: "sales",
      title: "Invoices",
      noun: "Invoice",
      types: ["ACCREC"],
    }),
    listed("/bills", invoice, {
      section: "purchases",
      title: "Bills",
      noun: "Bill",
      types: ["ACCPAY"],
      asked: purchases,
    }),
  ],
  Quote: [listed("/quotes", quote, { section: "sales", title: "Quotes", noun: "Quote" })],
  CreditNote: [
    listed("/credit-notes", creditNote, {
      section: "sales",
      title: "Credit notes",
      noun: "Credit note",
      types: ["ACCRECCREDIT"],
    }),
    listed("/supplier-credit-notes", creditNote, {
      section: "purchases",
      title: "Supplier credit notes",
      short: "Credit notes",
      noun: "Supplier credit note",
      types: ["ACCPAYCREDIT"],
      asked: purchases,
    }),
  ],
  RepeatingInvoice: [
    listed("/repeating-invoices", repeatingInvoice, {
      section: "sales",
      title: "Repeating invoices",
      noun: "Repeating invoice",
      columns: [
        "Contact.Name",
        "Reference",
        "Type",
        "Schedule.NextScheduledDate",
        "Status",
        "Total",
      ],
    }),
  ],
  PurchaseOrder: [
    listed("/purchase-orders", purchaseOrder, {
      section: "purchases",
      title: "Purchase orders",
      noun: "Purchase order",
    }),
  ],
  Receipt: [
    listed("/receipts", receipt, { section: "purchases", title: "Receipts", noun: "Receipt" }),
  ],
  BankTransaction: [
    listed("/bank-transactions", bankTransaction, {
      section: "bank",
      title: "Bank transactions",
      short: "Transactions",
      noun: "Bank transaction",
      columns: ["Date", "Contact.Name", "Reference", "BankAccount.Code", "Type", "Status", "Total"],
    }),
  ],
  Prepayment: [
    listed("/prepayments", prepayment, {
      section: "bank",
      title: "Prepayments",
      noun: "Prepayment",
      columns: ["Date", "Contact.Name", "Reference", "Type", "Status", "Total", "RemainingCredit"],
    }),
  ],
  Overpayment: [
    listed("/overpayments", overpayment, {
      section: "bank",
      title: "Overpayments",
      noun: "Overpayment",
      columns: ["Date", "Contact.Name", "Reference", "Type", "Status", "Total", "RemainingCredit"],
    }),
  ],
} as const satisfies Record<DocumentName, readonly RecordList[]>;

/** Every list, in the order in which the navigation has those of a section. */
export const recordLists: readonly RecordList[] = [
  ...Object.values(documentLists).flat(),
  listed("/items", item, { section: "sales", title: "Items", noun: "Item" }),
  listed("/payments", payment, {
    section: "bank",
    title: "Payments",
    noun: "Payment",
    columns: [
      "Date",
      "Contact.Name",
      "Invoice.InvoiceNumber",
      "Reference",
      "Account.Code",
      "Direction",
      "Status",
      "Amount",
    ],
  }),
  listed("/batch-payments", batchPayment, {
    section: "bank",
    title: "Batch payments",
    short: "Batches",
    noun: "Batch payment",
    columns: ["Date", "Reference", "Account.Code", "Type", "Status", "TotalAmount"],
  }),
  listed("/bank-transfers", bankTransfer, {
    section: "bank",
    title: "Bank transfers",
    short: "Transfers",
    noun: "Bank transfer",
    columns: [
      "Date",
      "FromBankAccount.Code",
      "ToBankAccount.Code",
      "Reference",
      "Status",
      "Amount",
    ],
  }),
  listed("/bank-statements", bankStatement, {
    section: "bank",
    title: "Bank statements",
    short: "Statements",
    noun: "Bank statement",
    columns: [
      "FromDate",
      "ToDate",
      "BankAccount.Code",
      "OpeningBalance",
      "ClosingBalance",
      "BalanceSource",
      "LinesAdded",
      "Source",
    ],
  }),
  listed("/bank-statement-lines", bankStatementLine, {
    section: "bank",
    title: "Statement lines",
    short: "Lines",
    noun: "Statement line",
    columns: ["Date", "Payee", "Description", "BankAccount.Code", "Status", "Amount"],
  }),
  listed("/bank-rules", bankRule, {
    section: "bank",
    title: "Bank rules",
    short: "Rules",
    noun: "Bank rule",
    columns: ["Name", "Position", "Status", "Contact.Name", "TransferAccount.Code"],
  }),
  listed("/contacts", contact, {
    section: "contacts",
    title: "Contacts",
    noun: "Contact",
    // Whether somebody is a customer or a supplier is found by looking through the documents.
    columns: ["Name", "ContactNumber", "EmailAddress", "ContactStatus"],
  }),
  listed("/contact-groups", contactGroup, {
    section: "contacts",
    title: "Contact groups",
    noun: "Contact group",
  }),
  listed("/accounts", account, { section: "accounting", title: "Accounts", noun: "Account" }),
  listed("/manual-journals", manualJournal, {
    section: "accounting",
    title: "Manual journals",
    noun: "Manual journal",
    columns: ["Date", "Narration", "Status"],
  }),
  listed("/assets", asset, { section: "accounting", title: "Fixed assets", noun: "Fixed asset" }),
  listed("/tax-rates", taxRate, {
    section: "accounting",
    title: "Tax rates",
    noun: "Tax rate",
    columns: ["Name", "TaxType", "EffectiveRate", "ReportTaxType", "Status"],
  }),
  listed("/tracking", trackingCategory, {
    section: "accounting",
    title: "Tracking",
    noun: "Tracking category",
  }),
];

/** The list that a record belongs to: of several of its resource, the one that has its type. */
export function listOf(resource: Resource, record?: object): RecordList | undefined {
  const { Type } = (record ?? {}) as { readonly Type?: string };
  const of = recordLists.filter((each) => each.resource === resource);
  return of.find(({ types }) => Type !== undefined && types?.includes(Type)) ?? of[0];
}

/** The page of a record; undefined for one that has none. */
export function recordAddress(
  resourceName: string,
  id: string | undefined,
  record?: object,
): string | undefined {
  if (id === undefined || id === "") return undefined;
  const recordList = recordLists.find(({ resource }) => resource.name === resourceName);
  const list = recordList && listOf(recordList.resource, record);
  return list && `${list.path}/${encodeURIComponent(id)}`;
}

/** The condition that a list always has. */
export function onlyOf({ resource, types }: RecordList): string | undefined {
  if (types === undefined) return undefined;
  const each = types.map((type) => compare(resource.fields, "Type", "==", type));
  return each.length === 1 ? each[0] : `(${each.join(" OR ")})`;
}

type SourceType = (typeof sourceTypes)[number];

/** Where the record is that made a journal; undefined for what no record of these books makes. */
const sourcePaths = {
  ACCREC: "/invoices",
  ACCPAY: "/bills",
  ACCRECCREDIT: "/credit-notes",
  ACCPAYCREDIT: "/supplier-credit-notes",
  ACCRECPAYMENT: "/payments",
  ACCPAYPAYMENT: "/payments",
  ARCREDITPAYMENT: "/payments",
  APCREDITPAYMENT: "/payments",
  CASHREC: "/bank-transactions",
  CASHPAID: "/bank-transactions",
  TRANSFER: "/bank-transfers",
  ARPREPAYMENT: "/prepayments",
  APPREPAYMENT: "/prepayments",
  AROVERPAYMENT: "/overpayments",
  APOVERPAYMENT: "/overpayments",
  EXPCLAIM: "/receipts",
  EXPPAYMENT: undefined,
  MANJOURNAL: "/manual-journals",
  PAYSLIP: undefined,
  WAGEPAYABLE: undefined,
  INTEGRATEDPAYROLLPE: undefined,
  INTEGRATEDPAYROLLPT: undefined,
  EXTERNALSPENDMONEY: undefined,
  INTEGRATEDPAYROLLPTPAYMENT: undefined,
  INTEGRATEDPAYROLLCN: undefined,
} as const satisfies Record<SourceType, string | undefined>;

/** The page of the record that made a journal. */
export function sourceAddress(
  sourceType: string | undefined,
  sourceId: string | undefined,
): string | undefined {
  if (sourceType === undefined || sourceId === undefined) return undefined;
  const path = Object.hasOwn(sourcePaths, sourceType)
    ? sourcePaths[sourceType as SourceType]
    : undefined;
  return path && `${path}/${encodeURIComponent(sourceId)}`;
}
