/**
 * What each kind of document states of itself. All else about documents with lines is shared; a new
 * kind is a new row here, and an endpoint.
 */
import type { DocumentType } from "../../ledger/document-kinds.ts";
import {
  bankCreditLifeCycle,
  bankTransactionLifeCycle,
  creditNoteLifeCycle,
  deletedOrderNumber,
  invoiceLifeCycle,
  type LifeCycle,
  purchaseOrderLifeCycle,
  quoteLifeCycle,
  receiptLifeCycle,
  repeatingInvoiceLifeCycle,
} from "../../ledger/lifecycle.ts";
import { numbering, type Series } from "../../ledger/numbering.ts";
import type { Payment } from "../../resources/payment.ts";
import { type DocumentResource, documentResources } from "./document-resources.ts";
import { isLive, type StoredDocument } from "./stored.ts";

/** How a credit is applied to invoices or bills. */
export interface CreditRules {
  /** The type of what it may be applied to. */
  readonly to: "ACCREC" | "ACCPAY";
  /** What a journal of an allocation says that it comes from. */
  readonly sourceType: string;
  /** Where it stands until it is applied: on the control account, or on the accounts of its lines. */
  readonly standsOn: "control" | "lines";
  /** Its money moved when it was made, so the cash basis has it. */
  readonly isCash: boolean;
}

/** Fields that some kinds of document lack, though they share a description with one that has them. */
type Lackable = "Reference" | "InvoiceNumber" | "ExpectedPaymentDate" | "PlannedPaymentDate";

/** What a kind of bank transaction asks of its lines. */
export interface BankRules {
  /** Lines may name items. */
  readonly items: boolean;
  /** A tax amount may be sent that is not the one the rate makes. */
  readonly ownTax: boolean;
  /** The one line that it has is untaxed and on this account, whatever the caller says. */
  readonly coded?: "DEBTORS" | "CREDITORS";
}

export interface DocumentKind {
  readonly family: DocumentResource;
  /** What a person calls one. */
  readonly label: string;
  readonly side: "sales" | "purchases";
  /** The half of payment terms that gives a due date; undefined where none falls due. */
  readonly terms: "Sales" | "Bills" | undefined;
  /** What an approved one makes of its contact. */
  readonly role: "IsCustomer" | "IsSupplier" | undefined;
  readonly lifeCycle: LifeCycle<string>;
  /** What a new one is when nothing is said. */
  readonly firstStatus: string;
  /** What the ledger posts it as; undefined for documents that post nothing. */
  readonly posts: DocumentType | undefined;
  /** What a payment of it is; undefined for documents that take none. */
  readonly paymentType: Payment["PaymentType"] | undefined;
  /** Where its numbers come from; undefined where the number is the other side's, unique or not. */
  readonly series: Series | undefined;
  /** Why a document is refused whose number another bears. */
  readonly numberTaken: string;
  /** Whether a document of the series keeps its number from others. */
  readonly holdsNumber: (document: StoredDocument) => boolean;
  /** Why a document is refused whose number a deleted one holds; `numberTaken` if not given. */
  readonly deletedNumber?: readonly string[];
  /** Why SentToContact is refused on one that is not approved. */
  readonly sentTooEarly: string;
  /** Set for documents that can be applied to others. */
  readonly credits?: CreditRules;
  /** Other documents are made from it, for which nothing may be missing once it is approved. */
  readonly isTemplate?: true;
  /** It is that of a user, who must be named and stays the same, and who has numbers of their own. */
  readonly ofUser?: true;
  /** Keys by which alone the contact may be named; any of its keys when not given. */
  readonly contactBy?: readonly ("ContactID" | "ContactNumber")[];
  /** A line with a quantity must say what one of it costs; otherwise it may say what all do. */
  readonly pricesUnits?: true;
  /** What it becomes when a caller deletes it, where that is not DELETED. */
  readonly deletedAs?: "VOIDED";
  /** Lines may bear discounts. */
  readonly discounts: boolean;
  /** What is asked of it because its money moves on a bank account; undefined where none does. */
  readonly bank?: BankRules;
  readonly lacks: readonly Lackable[];
}

const invoiceRow = {
  family: documentResources.invoice,
  lifeCycle: invoiceLifeCycle as LifeCycle<string>,
  firstStatus: "DRAFT",
  numberTaken: "Invoice # must be unique.",
  sentTooEarly: "SentToContact can be set only on approved invoices.",
  holdsNumber: isLive,
} as const;

const creditNoteRow = {
  family: documentResources.creditNote,
  lifeCycle: creditNoteLifeCycle as LifeCycle<string>,
  firstStatus: "DRAFT",
  terms: undefined,
  numberTaken: "Credit Note # must be unique.",
  sentTooEarly: "SentToContact can be set only on approved credit notes.",
  holdsNumber: isLive,
  discounts: false,
} as const;

/** Of documents that post nothing. */
const unpostedRow = {
  terms: undefined,
  role: undefined,
  firstStatus: "DRAFT",
  posts: undefined,
  paymentType: undefined,
  discounts: true,
  lacks: [],
} as const;

const bankRow = {
  lifeCycle: bankTransactionLifeCycle,
  firstStatus: "AUTHORISED",
  terms: undefined,
  role: undefined,
  paymentType: undefined,
  series: undefined,
  numberTaken: "",
  sentTooEarly: "",
  holdsNumber: isLive,
  discounts: false,
} as const;

const prepaymentRow = {
  ...bankRow,
  family: documentResources.prepayment,
  lifeCycle: bankCreditLifeCycle("prepayment"),
  deletedAs: "VOIDED",
  label: "Prepayment",
  bank: { items: false, ownTax: true },
  lacks: [],
} as const;

const overpaymentRow = {
  ...bankRow,
  family: documentResources.overpayment,
  lifeCycle: bankCreditLifeCycle("overpayment"),
  deletedAs: "VOIDED",
  label: "Overpayment",
  lacks: ["InvoiceNumber"],
} as const;

const rows = {
  ACCREC: {
    ...invoiceRow,
    label: "Invoice",
    side: "sales",
    terms: "Sales",
    role: "IsCustomer",
    posts: "ACCREC",
    paymentType: "ACCRECPAYMENT",
    series: numbering.invoice,
    discounts: true,
    lacks: ["PlannedPaymentDate"],
  },
  ACCPAY: {
    ...invoiceRow,
    label: "Bill",
    side: "purchases",
    terms: "Bills",
    role: "IsSupplier",
    posts: "ACCPAY",
    paymentType: "ACCPAYPAYMENT",
    series: undefined,
    discounts: false,
    lacks: ["Reference", "ExpectedPaymentDate"],
  },
  ACCRECCREDIT: {
    ...creditNoteRow,
    label: "Credit note",
    side: "sales",
    role: "IsCustomer",
    posts: "ACCRECCREDIT",
    paymentType: "ARCREDITPAYMENT",
    series: numbering.creditNote,
    credits: { to: "ACCREC", sourceType: "ACCRECCREDIT", standsOn: "control", isCash: false },
    lacks: [],
  },
  ACCPAYCREDIT: {
    ...creditNoteRow,
    label: "Supplier credit note",
    side: "purchases",
    role: "IsSupplier",
    posts: "ACCPAYCREDIT",
    paymentType: "APCREDITPAYMENT",
    series: undefined,
    credits: { to: "ACCPAY", sourceType: "ACCPAYCREDIT", standsOn: "control", isCash: false },
    lacks: ["Reference"],
  },
  PURCHASEORDER: {
    ...unpostedRow,
    family: documentResources.purchaseOrder,
    label: "Purchase order",
    side: "purchases",
    lifeCycle: purchaseOrderLifeCycle as LifeCycle<string>,
    series: numbering.purchaseOrder,
    numberTaken: "Order number must be unique",
    holdsNumber: () => true,
    deletedNumber: deletedOrderNumber,
    sentTooEarly: "Only AUTHORISED and BILLED purchase orders may have SentToContact updated.",
    contactBy: ["ContactID", "ContactNumber"],
    pricesUnits: true,
  },
  QUOTE: {
    ...unpostedRow,
    family: documentResources.quote,
    label: "Quote",
    side: "sales",
    lifeCycle: quoteLifeCycle as LifeCycle<string>,
    series: numbering.quote,
    numberTaken: "Quote number must be unique",
    holdsNumber: isLive,
    sentTooEarly: "",
  },
  RECEIPT: {
    ...unpostedRow,
    family: documentResources.receipt,
    label: "Receipt",
    side: "purchases",
    lifeCycle: receiptLifeCycle as LifeCycle<string>,
    series: undefined,
    numberTaken: "",
    holdsNumber: () => true,
    sentTooEarly: "",
    discounts: false,
    ofUser: true,
  },
  RECEIVE: {
    ...bankRow,
    family: documentResources.bankTransaction,
    label: "Money received",
    side: "sales",
    posts: "CASHREC",
    bank: { items: true, ownTax: false },
    lacks: ["InvoiceNumber"],
  },
  SPEND: {
    ...bankRow,
    family: documentResources.bankTransaction,
    label: "Money spent",
    side: "purchases",
    posts: "CASHPAID",
    bank: { items: true, ownTax: false },
    lacks: ["InvoiceNumber"],
  },
  "RECEIVE-PREPAYMENT": {
    ...prepaymentRow,
    side: "sales",
    posts: "ARPREPAYMENT",
    paymentType: "ARPREPAYMENTPAYMENT",
    credits: { to: "ACCREC", sourceType: "ARPREPAYMENT", standsOn: "lines", isCash: true },
  },
  "SPEND-PREPAYMENT": {
    ...prepaymentRow,
    side: "purchases",
    posts: "APPREPAYMENT",
    paymentType: "APPREPAYMENTPAYMENT",
    credits: { to: "ACCPAY", sourceType: "APPREPAYMENT", standsOn: "lines", isCash: true },
  },
  "RECEIVE-OVERPAYMENT": {
    ...overpaymentRow,
    side: "sales",
    posts: "AROVERPAYMENT",
    paymentType: "AROVERPAYMENTPAYMENT",
    credits: { to: "ACCREC", sourceType: "AROVERPAYMENT", standsOn: "control", isCash: true },
    bank: { items: false, ownTax: false, coded: "DEBTORS" },
  },
  "SPEND-OVERPAYMENT": {
    ...overpaymentRow,
    side: "purchases",
    posts: "APOVERPAYMENT",
    paymentType: "APOVERPAYMENTPAYMENT",
    credits: { to: "ACCPAY", sourceType: "APOVERPAYMENT", standsOn: "control", isCash: true },
    bank: { items: false, ownTax: false, coded: "CREDITORS" },
  },
} as const satisfies Record<string, DocumentKind>;

const templateRow = {
  ...unpostedRow,
  family: documentResources.repeatingInvoice,
  label: "Repeating invoice",
  lifeCycle: repeatingInvoiceLifeCycle as LifeCycle<string>,
  series: undefined,
  numberTaken: "",
  holdsNumber: () => false,
  sentTooEarly: "",
  isTemplate: true,
} as const;

/** Of templates, by the type of what is made from them. */
const templates: Readonly<Record<string, DocumentKind>> = {
  ACCREC: { ...templateRow, side: "sales" },
  ACCPAY: { ...templateRow, label: "Repeating bill", side: "purchases", discounts: false },
};

const kinds: Readonly<Record<string, DocumentKind>> = rows;

/** Undefined for a type that is none of a document. */
export function kindOfType(type: string): DocumentKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** The kind of a family whose numbers are a series of our own; at most one has it. */
export function serialKind(family: DocumentResource): DocumentKind | undefined {
  return Object.values(kinds).find((kind) => kind.family === family && kind.series !== undefined);
}

/** What has a schedule is a template. @throws Error for a type that is none of a document */
export function kindOf({
  Type,
  Schedule,
}: Pick<StoredDocument, "Type" | "Schedule">): DocumentKind {
  const kind = Schedule === undefined ? kindOfType(Type) : templates[Type];
  if (kind === undefined) throw new Error(`There is no kind of document ${Type}.`);
  return kind;
}
