/**
 * Catalogue of the lists of records that have pages, and of the addresses of these pages.
 *
 * An entry gives title, resource and columns; filters, search, paging and the page of one record
 * are derived from the resource description.
 */

import type { DocumentResource, OneType, Resource } from "../../resources/field.ts";
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
  documents,
  invoice,
  item,
  manualJournal,
  type OneTypeName,
  overpayment,
  payment,
  prepayment,
  quote,
  repeatingInvoice,
  taxRate,
  trackingCategory,
} from "../../resources/index.ts";
import type { sourceTypes } from "../../resources/journal.ts";
import { compare } from "../../wire/query/condition.ts";

/** Sections of the books, in the order of the navigation. */
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
  /** Path of the list; the page of a record is below it, by id. */
  readonly path: string;
  readonly section: SectionName;
  /** Title of the list: `Supplier credit notes` */
  readonly title: string;
  /** Shorter title for the navigation of its section. */
  readonly shortTitle?: string;
  /** Singular for titles of record pages: `Supplier credit note`. */
  readonly noun: string;
  /** Types of records in the list, where the resource has further types. */
  readonly types?: readonly string[];
  /** Dotted paths of the columns; the first column links to the record. */
  readonly columns: readonly string[];
  /** API path that a reader must have permission for to see the list. */
  readonly asked: string;
}

/**
 * Permission for bills: they share the API path of sales invoices, so permission for purchase
 * orders decides.
 */
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

/** List of the documents of one type: `/purchase-orders`, `Purchase orders`. */
function ownList(resource: Resource & { readonly document: OneType }): RecordList {
  const noun = resource.noun.replace(/^./, (letter) => letter.toUpperCase());
  const path = `/${resource.noun.replaceAll(" ", "-")}s`;
  return listed(path, resource, { section: resource.document.side, title: `${noun}s`, noun });
}

/** Lists of documents; documents of one type have one of their own. */
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
  Quote: [ownList(quote)],
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
      shortTitle: "Credit notes",
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
  BankTransaction: [
    listed("/bank-transactions", bankTransaction, {
      section: "bank",
      title: "Bank transactions",
      shortTitle: "Transactions",
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
} as const satisfies Lists<Exclude<DocumentName, OneTypeName>> & Partial<Lists<OneTypeName>>;
type Lists<N extends string> = Readonly<Record<N, readonly RecordList[]>>;

const isOfOneType = (
  resource: DocumentResource,
): resource is DocumentResource & { readonly document: OneType } =>
  resource.document.type !== undefined;

/** All lists, in the order of the navigation within each section. */
export const recordLists: readonly RecordList[] = [
  ...Object.values(documentLists).flat(),
  ...documents
    .filter(isOfOneType)
    .flatMap((document) => (document.name in documentLists ? [] : ownList(document))),
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
    shortTitle: "Batches",
    noun: "Batch payment",
    columns: ["Date", "Reference", "Account.Code", "Type", "Status", "TotalAmount"],
  }),
  listed("/bank-transfers", bankTransfer, {
    section: "bank",
    title: "Bank transfers",
    shortTitle: "Transfers",
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
    shortTitle: "Statements",
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
    shortTitle: "Lines",
    noun: "Statement line",
    columns: ["Date", "Payee", "Description", "BankAccount.Code", "Status", "Amount"],
  }),
  listed("/bank-rules", bankRule, {
    section: "bank",
    title: "Bank rules",
    shortTitle: "Rules",
    noun: "Bank rule",
    columns: ["Name", "Position", "Status", "Contact.Name", "TransferAccount.Code"],
  }),
  listed("/contacts", contact, {
    section: "contacts",
    title: "Contacts",
    noun: "Contact",
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

/** List that a record belongs to, by its resource and, where several lists have that, its type. */
export function listOf(resource: Resource, record?: object): RecordList | undefined {
  const { Type } = (record ?? {}) as { readonly Type?: string };
  const of = recordLists.filter((recordList) => recordList.resource === resource);
  return of.find(({ types }) => Type !== undefined && types?.includes(Type)) ?? of[0];
}

/** Address of the page of a record; undefined for records without a page. */
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

/** Condition on the types that a list always has. */
export function onlyOf({ resource, types }: RecordList): string | undefined {
  if (types === undefined) return undefined;
  const typeConditions = types.map((type) => compare(resource.fields, "Type", "==", type));
  return typeConditions.length === 1 ? typeConditions[0] : `(${typeConditions.join(" OR ")})`;
}

type SourceType = (typeof sourceTypes)[number];

/** Path of the record page by source type of a journal; undefined for sources without a page. */
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
  EXPCLAIM: "/expense-claims",
  EXPPAYMENT: "/payments",
  MANJOURNAL: "/manual-journals",
  PAYSLIP: undefined,
  WAGEPAYABLE: undefined,
  INTEGRATEDPAYROLLPE: undefined,
  INTEGRATEDPAYROLLPT: undefined,
  EXTERNALSPENDMONEY: undefined,
  INTEGRATEDPAYROLLPTPAYMENT: undefined,
  INTEGRATEDPAYROLLCN: undefined,
} as const satisfies Record<SourceType, string | undefined>;

/** Address of the page of the source record of a journal. */
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
