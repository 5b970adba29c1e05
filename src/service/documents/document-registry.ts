/**
 * Every kind of document, one row each. Everything else about documents with lines is shared:
 * routes, permissions, numbers, PDF, posting and checks follow from the resource description and
 * this row.
 */
import { kinds as ledgerKinds } from "../../ledger/documents/document-kinds.ts";
import {
  bankCreditLifeCycle,
  bankTransactionLifeCycle,
  creditNoteLifeCycle,
  expenseClaimLifeCycle,
  invoiceLifeCycle,
  type LifeCycle,
  type Moves,
  manualLifeCycle,
} from "../../ledger/documents/lifecycle.ts";
import type { transferTypes } from "../../resources/bank-transaction.ts";
import type { DocumentResource } from "../../resources/field.ts";
import {
  bankTransaction,
  creditNote,
  type DocumentName,
  expenseClaim,
  invoice,
  overpayment,
  prepayment,
  purchaseOrder,
  quote,
  type ResourceNamed,
  receipt,
  repeatingInvoice,
} from "../../resources/index.ts";
import type { Payment } from "../../resources/payment.ts";
import type { PurchaseOrderStatus } from "../../resources/purchase-order.ts";
import type { QuoteStatus } from "../../resources/quote.ts";
import type { ReceiptStatus } from "../../resources/receipt.ts";
import type { RepeatingInvoiceStatus } from "../../resources/repeating-invoice.ts";
import { access, transactions } from "../request/permissions.ts";
import type { DocumentKind } from "./kind.ts";
import type { StoredDocument } from "./stored-documents.ts";

const invoicing = [transactions, "accounting.invoices"] as const;

const printedKinds = () => import("../../output/documents/printed-kinds.ts");

// --- shared rows of resources with two kinds ---------------------------------------------------

const invoiceRow = {
  resource: invoice,
  access: access.sales(...invoicing),
  lifeCycle: invoiceLifeCycle as LifeCycle<string>,
  firstStatus: "DRAFT",
  numberTaken: "Invoice # must be unique.",
  sentTooEarly: "SentToContact can be set only on approved invoices.",
} as const;

const creditNoteRow = {
  resource: creditNote,
  access: access.reference(...invoicing),
  lifeCycle: creditNoteLifeCycle as LifeCycle<string>,
  firstStatus: "DRAFT",
  numberTaken: "Credit Note # must be unique.",
  sentTooEarly: "SentToContact can be set only on approved credit notes.",
  credits: "control",
} as const;

const bankRow = {
  resource: bankTransaction,
  access: access.books(transactions, "accounting.banktransactions"),
  lifeCycle: bankTransactionLifeCycle,
  firstStatus: "AUTHORISED",
  bank: { mayNameItems: true, ownTax: false },
  lacks: ["InvoiceNumber"],
} as const;

const bankCreditRow = {
  ...bankRow,
  access: access.books(transactions, "accounting.payments"),
  deletedAs: "VOIDED",
} as const;

const prepaymentRow = {
  ...bankCreditRow,
  resource: prepayment,
  lifeCycle: bankCreditLifeCycle("prepayment"),
  label: "Prepayment",
  credits: "lines",
  bank: { mayNameItems: false, ownTax: true },
  lacks: [],
} as const;

const overpaymentRow = {
  ...bankCreditRow,
  resource: overpayment,
  lifeCycle: bankCreditLifeCycle("overpayment"),
  label: "Overpayment",
  credits: "control",
} as const;

// --- life cycles of documents without postings -------------------------------------------------

/**
 * Allowed status changes of orders.
 *
 * @source the public API: an approved order has been sent to the supplier, so it cannot become a
 *   draft again
 */
const orderMoves: Moves<PurchaseOrderStatus> = {
  create: ["DRAFT", "SUBMITTED", "AUTHORISED"],
  DRAFT: ["DRAFT", "SUBMITTED", "AUTHORISED", "DELETED"],
  SUBMITTED: ["SUBMITTED", "DRAFT", "AUTHORISED", "DELETED"],
  AUTHORISED: ["AUTHORISED", "BILLED", "DELETED"],
  BILLED: ["BILLED", "DELETED"],
  DELETED: [],
};

const orderMoved = "PurchaseOrder status change is invalid";
const orderDeleted = "Deleted PurchaseOrders cannot be updated";

/** Allowed status changes of quotes: customers may change their minds until a quote is invoiced. */
const quoteMoves: Moves<QuoteStatus> = {
  create: ["DRAFT", "SENT"],
  DRAFT: ["DRAFT", "SENT", "DELETED"],
  SENT: ["SENT", "DRAFT", "ACCEPTED", "DECLINED", "INVOICED", "DELETED"],
  DECLINED: ["DECLINED", "DRAFT", "SENT", "ACCEPTED", "DELETED"],
  ACCEPTED: ["ACCEPTED", "SENT", "DECLINED", "INVOICED", "DELETED"],
  INVOICED: ["INVOICED"],
  DELETED: [],
};

const receiptMoves: Moves<ReceiptStatus> = {
  create: ["DRAFT", "SUBMITTED"],
  DRAFT: ["DRAFT", "SUBMITTED", "VOIDED"],
  SUBMITTED: ["SUBMITTED", "DRAFT", "VOIDED"],
  AUTHORISED: [],
  DECLINED: [],
  VOIDED: [],
};

const claimRefusal = (to: ReceiptStatus) =>
  to === "AUTHORISED" || to === "DECLINED"
    ? `A receipt becomes ${to} with the expense claim that it is part of, never by itself.`
    : undefined;

/** Allowed status changes of templates, whose status is the status of the invoices they make. */
const templateMoves: Moves<RepeatingInvoiceStatus> = {
  create: ["DRAFT", "AUTHORISED"],
  DRAFT: ["DRAFT", "AUTHORISED", "DELETED"],
  AUTHORISED: ["AUTHORISED", "DRAFT", "DELETED"],
  DELETED: [],
};

// --- the kinds ---------------------------------------------------------------------------------

const rows = {
  ACCREC: {
    ...invoiceRow,
    label: "Invoice",
    side: "sales",
    terms: "Sales",
    role: "IsCustomer",
    posts: "ACCREC",
    series: { sequence: "invoice", prefix: "INV-", width: 4 },
    discounts: true,
    lacks: ["PlannedPaymentDate"],
    printed: async () => (await printedKinds()).salesInvoice,
  },
  ACCPAY: {
    ...invoiceRow,
    label: "Bill",
    side: "purchases",
    terms: "Bills",
    role: "IsSupplier",
    posts: "ACCPAY",
    lacks: ["Reference", "BuyerReference", "ExpectedPaymentDate"],
    printed: async () => (await printedKinds()).bill,
  },
  ACCRECCREDIT: {
    ...creditNoteRow,
    label: "Credit note",
    side: "sales",
    role: "IsCustomer",
    posts: "ACCRECCREDIT",
    series: { sequence: "credit-note", prefix: "CN-", width: 4 },
    printed: async () => (await printedKinds()).creditNoteGiven,
  },
  ACCPAYCREDIT: {
    ...creditNoteRow,
    label: "Supplier credit note",
    side: "purchases",
    role: "IsSupplier",
    posts: "ACCPAYCREDIT",
    lacks: ["Reference", "BuyerReference"],
    printed: async () => (await printedKinds()).creditNoteReceived,
  },
  PURCHASEORDER: {
    resource: purchaseOrder,
    access: access.books(...invoicing),
    label: "Purchase order",
    side: purchaseOrder.document.side,
    lifeCycle: manualLifeCycle(orderMoves, {
      approved: ["AUTHORISED", "BILLED"],
      ended: ["DELETED"],
      notModified: orderDeleted,
      notCreated: () => orderMoved,
      notMoved: (from) => (from === "DELETED" ? orderDeleted : orderMoved),
    }),
    firstStatus: "DRAFT",
    series: { sequence: "purchase-order", prefix: "PO-", width: 4 },
    numberTaken: "Order number must be unique",
    deletedNumber: [orderMoved, orderDeleted],
    sentTooEarly: "Only AUTHORISED and BILLED purchase orders may have SentToContact updated.",
    contactBy: ["ContactID", "ContactNumber"],
    pricesUnits: true,
    discounts: true,
    printed: async () => (await printedKinds()).purchaseOrderKind,
  },
  QUOTE: {
    resource: quote,
    access: access.sales(...invoicing),
    label: "Quote",
    side: quote.document.side,
    lifeCycle: manualLifeCycle(quoteMoves, {
      approved: ["SENT", "DECLINED", "ACCEPTED", "INVOICED"],
      ended: ["DELETED"],
      notModified: "Quote not of valid status for modification",
      notCreated: () => "Quote not of valid status for creation",
      notMoved: (from, to) =>
        from === "DELETED"
          ? undefined
          : `The status ${to} cannot be applied to a quote that is ${from}.`,
    }),
    firstStatus: "DRAFT",
    series: { sequence: "quote", prefix: "QU-", width: 4 },
    numberTaken: "Quote number must be unique",
    discounts: true,
    printed: async () => (await printedKinds()).quoteKind,
  },
  RECEIPT: {
    resource: receipt,
    access: access.books(transactions, "accounting.classicexpenses"),
    label: "Receipt",
    side: receipt.document.side,
    lifeCycle: manualLifeCycle(receiptMoves, {
      approved: [],
      ended: ["VOIDED"],
      notModified: "Receipt not of valid status for modification",
      notCreated: (to) => claimRefusal(to) ?? "Receipt not of valid status for creation",
      notMoved: (from, to) => (from === "VOIDED" ? undefined : claimRefusal(to)),
    }),
    firstStatus: "DRAFT",
  },
  EXPCLAIM: {
    resource: expenseClaim,
    access: access.books(transactions, "accounting.classicexpenses"),
    label: "Expense claim",
    side: expenseClaim.document.side,
    lifeCycle: expenseClaimLifeCycle as LifeCycle<string>,
    firstStatus: "SUBMITTED",
    posts: "EXPCLAIM",
  },
  RECEIVE: { ...bankRow, label: "Money received", side: "sales", posts: "CASHREC" },
  SPEND: { ...bankRow, label: "Money spent", side: "purchases", posts: "CASHPAID" },
  "RECEIVE-PREPAYMENT": { ...prepaymentRow, side: "sales", posts: "ARPREPAYMENT" },
  "SPEND-PREPAYMENT": { ...prepaymentRow, side: "purchases", posts: "APPREPAYMENT" },
  "RECEIVE-OVERPAYMENT": {
    ...overpaymentRow,
    side: "sales",
    posts: "AROVERPAYMENT",
    bank: { mayNameItems: false, ownTax: false, coded: "DEBTORS" },
  },
  "SPEND-OVERPAYMENT": {
    ...overpaymentRow,
    side: "purchases",
    posts: "APOVERPAYMENT",
    bank: { mayNameItems: false, ownTax: false, coded: "CREDITORS" },
  },
} as const satisfies { readonly [T in DocumentTypeName]: DocumentKind & PrintedIf<T> };

/** The types in the descriptions of documents; each must have a row. */
type DocumentTypeName = Exclude<
  TypeOf<ResourceNamed<DocumentName>>,
  (typeof transferTypes)[number]
>;

type TypeOf<R> = R extends { readonly document: { readonly type: infer T extends string } }
  ? T
  : R extends {
        readonly fields: {
          readonly Type: { readonly values: readonly (infer V extends string)[] };
        };
      }
    ? V
    : never;

/** Requires a print layout for every kind whose description is marked as printed. */
type PrintedIf<T extends DocumentTypeName> =
  T extends TypeOf<PrintedResource> ? Required<Pick<DocumentKind, "printed">> : unknown;
type PrintedResource = Extract<ResourceNamed<DocumentName>, { readonly printed: true }>;

const templateRow = {
  resource: repeatingInvoice,
  access: access.reference(...invoicing),
  label: "Repeating invoice",
  lifeCycle: manualLifeCycle(templateMoves, {
    approved: [],
    ended: ["DELETED"],
    notModified: "Repeating invoice not of valid status for modification",
    notCreated: () => "Repeating invoice not of valid status for creation",
    notMoved: () => undefined,
  }),
  firstStatus: "DRAFT",
  isTemplate: true,
} as const;

/** Kinds of templates, by the type of the documents made from them. */
const templates: Readonly<Record<string, DocumentKind>> = {
  ACCREC: { ...templateRow, side: "sales", discounts: true },
  ACCPAY: { ...templateRow, label: "Repeating bill", side: "purchases" },
};

const kinds: Readonly<Record<string, DocumentKind>> = rows;

/** Returns the kind of a type; undefined for a type of other records. */
export function kindOfType(type: string): DocumentKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** Returns the types of documents that payments settle. */
export function payableTypes(): readonly string[] {
  return Object.entries(kinds).flatMap(([type, kind]) =>
    paymentType(kind) === undefined ? [] : [type],
  );
}

/** Returns the kind with unique numbers; undefined for a resource without a number series. */
export function serialKind({ document }: DocumentResource): DocumentKind | undefined {
  const kind = kindOfType(document.unique?.type ?? "");
  return kind?.series === undefined ? undefined : kind;
}

/** Returns the access rule of the documents of a resource. */
export function accessOf(resource: DocumentResource) {
  const kind = [...Object.values(kinds), templateRow].find((each) => each.resource === resource);
  if (kind === undefined) throw new Error(`There is no kind of document for ${resource.plural}.`);
  return kind.access;
}

/**
 * Returns the kind of a document; one with a schedule is a template.
 *
 * @throws Error for other types
 */
export function kindOf({
  Type,
  Schedule,
}: Pick<StoredDocument, "Type" | "Schedule">): DocumentKind {
  const kind = Schedule === undefined ? kindOfType(Type) : templates[Type];
  if (kind === undefined) throw new Error(`There is no kind of document ${Type}.`);
  return kind;
}

/** Returns the type of a document's payments; undefined for one that takes none. */
export function paymentType({ posts }: DocumentKind): Payment["PaymentType"] | undefined {
  return posts && ledgerKinds[posts].payment;
}

/** Returns the type of the invoices to which a credit may be allocated. */
export function creditedType({ side }: DocumentKind): "ACCREC" | "ACCPAY" {
  return side === "sales" ? "ACCREC" : "ACCPAY";
}

/** Whether a document reserves its number. */
export function reservesNumber(document: StoredDocument): boolean {
  const { unique } = kindOf(document).resource.document;
  return unique?.type === document.Type && !unique.freedBy.includes(document.Status);
}

/**
 * Returns the types of documents with an open balance on the account of customers or of suppliers,
 * with their side. An expense claim is owed to a person who works here: it is aged with neither.
 */
export function controlPlaces(): ReadonlyMap<string, ControlPlace> {
  return new Map(
    Object.entries(kinds).flatMap(([type, { posts, credits, bank }]) => {
      if (posts === undefined) return [];
      const { control, side } = ledgerKinds[posts];
      if (control === "UNPAIDEXPCLM") return [];
      if (control !== "bank") return [[type, { control, side }]];
      // The amount of an overpayment is owed back.
      if (credits !== "control" || bank?.coded === undefined) return [];
      return [[type, { control: bank.coded, side: -side as 1 | -1 }]];
    }),
  );
}

interface ControlPlace {
  readonly control: "DEBTORS" | "CREDITORS";
  /** 1 where the document debits its control account, −1 where it credits it. */
  readonly side: 1 | -1;
}
