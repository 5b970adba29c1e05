/**
 * Storage settings of each resource beyond its description: table, hidden fields, displayed fields
 * of references, unique fields. `tables.ts` derives tables and rows from them.
 */
import {
  boolean,
  choice,
  type DocumentResource,
  date,
  type Field,
  type Fields,
  id,
  integer,
  money,
  percent,
  type Resource,
  rate,
  type ShapeOf,
  text,
  timestamp,
} from "../../resources/field.ts";
import {
  account,
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
  currency,
  documents,
  employee,
  item,
  linkedTransaction,
  manualJournal,
  openingBalance,
  operation,
  organisation,
  type overpayment,
  payment,
  paymentService,
  type prepayment,
  repeatingInvoice,
  taxRate,
  trackingCategory,
  trackingOption,
  user,
} from "../../resources/index.ts";
import { overpaymentTypes, prepaymentTypes } from "../../resources/prepayment.ts";
import type { ReferenceKind } from "../connection/versions.ts";
import { numberIndexOf } from "./define.ts";

/** Storage settings of a resource. */
export interface Settings {
  readonly resource: Resource;
  readonly table: string;
  /**
   * Set when several resources share the table. With `true`, rows have the resource's name in
   * `kind`; a view of some records of another resource gives that resource's name and the types.
   */
  readonly shared?: true | { readonly kind: string; readonly types: readonly string[] };
  /** Fields stored with the record but not exposed in the API. */
  readonly hidden?: Fields;
  /** Fields set when a record is created, and never updated. */
  readonly once?: readonly string[];
  /** Names of columns that differ from their field's name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Text fields with an additional folded column, used for searches, by field. */
  readonly folded?: Readonly<Record<string, string>>;
  /** Displayed fields of the records that a field refers to. */
  readonly shows?: Readonly<Record<string, readonly string[]>>;
  /** Unique fields: the unique index, its columns, and the field's name in messages. */
  readonly unique?: readonly { readonly index: string; readonly field: string }[];
  /** Fields whose presence requires a salt in the row (`schema/salt.ts`). */
  readonly salted?: readonly string[];
  /** Version column for resources whose records are cached (`reference-cache.ts`). */
  readonly version?: ReferenceKind;
}

const origin = { CreatedByApp: text(), CreatedDateUTC: timestamp({ always: true }) } as const;

// The id of a series: journals that were posted together, and are reversed together.
const manualJournalHidden = { SeriesID: id(), ...origin } as const;
// `System`: a tax rate that came with the book. `Unusable`: a rate that is listed but not allowed
// on lines.
const taxRateHidden = { System: boolean(), Unusable: boolean() } as const;
// Hidden fields of the organisation: construction industry scheme, if it was ever enabled; event
// categories with subscribers, separated by commas, which a write reads with the organisation; day
// of the opening balances.
const organisationHidden = {
  ConversionDate: date(),
  EventCategories: text(),
  CISContractorEnabled: boolean(),
  CISSubContractorEnabled: boolean(),
  CISRate: percent(),
} as const;
// Layout and payment texts of documents with the branding theme.
const brandingThemeHidden = {
  Color: text(),
  BankDetails: text(),
  BankAccountID: id(),
  PaymentAdvice: text(),
  Terms: text(),
  CurrencyCode: text(),
} as const;
// Hidden fields of an operation: its first row, and the effects (`store/operations/effects.ts`).
const operationHidden = { PartOf: id(), Effects: text({ always: true, verbatim: true }) } as const;
const contactHidden = { CISEnabled: boolean(), CISRate: percent() } as const;
const optionHidden = { TrackingCategoryID: id({ always: true }) } as const;
// Hidden fields of all documents, unless their description has them.
const ofDocuments = {
  Type: text({ always: true }),
  // The currency of a receipt is always the base currency.
  CurrencyCode: text({ always: true }),
  CurrencyRate: rate({ always: true }),
  AmountDue: money({ always: true }),
  // Amounts settled by payments and allocations.
  AmountPaid: money({ always: true }),
  AmountCredited: money({ always: true }),
  CashCredited: money(),
  // Open amount in the base currency, and the number of decimals given in unit amounts.
  BaseDue: money({ always: true }),
  UnitDecimals: integer(),
  // For documents in a foreign currency: a day after which nothing was settled.
  LastSettled: date(),
  ...origin,
} as const;
// A bank transaction that leaves a credit is also a prepayment or overpayment, which may be used up
// while the bank transaction stays; one without a credit is settled from the start, so that open
// documents are found without scanning the others.
const bankTransactionHidden = {
  SettledStatus: choice(["AUTHORISED", "PAID", "DELETED", "VOIDED"], { always: true }),
  RemainingCredit: money({ always: true }),
} as const;
// The bank account of a prepayment or overpayment, and the status of its bank transaction.
const bankCreditHidden = {
  BankAccount: bankTransaction.fields.BankAccount,
  BankStatus: choice(["AUTHORISED", "DELETED", "VOIDED"], { always: true }),
} as const;
// Amount received on the target account, in its currency.
const bankTransferHidden = { ToAmount: money({ always: true }) } as const;
// Hidden fields of a template: its scheduled dates, and the error that blocks the next invoice.
const repeatingHidden = {
  NextDate: date(),
  LastDate: date(),
  HeldBecause: text(),
  ...origin,
} as const;
// Contact and account of the accepted match, for suggestions.
const bankStatementLineHidden = {
  MatchedContactID: id(),
  MatchedAccountCode: text(),
} as const;
// Ids of lines that the imported file repeated, with previous values of the fields it filled in, as
// JSON.
const bankStatementHidden = { KnownLines: text() } as const;
// Hidden fields of a payment: the amount taken off the control account, in the base currency; and
// the bank statement code of a payment in a batch, where `Code` is not an account code.
const paymentHidden = { BaseAmount: money({ always: true }), Code: text(), ...origin } as const;

/** A stored record: the fields of its description and its hidden fields. */
export type StoredFields<T extends Fields> = ShapeOf<T> & Hidden<T>;

/** The hidden fields of a resource, found by the fields of its description. */
type HiddenFields =
  | [typeof taxRate.fields, typeof taxRateHidden]
  | [typeof trackingOption.fields, typeof optionHidden]
  | [typeof bankTransaction.fields, typeof bankTransactionHidden]
  | [typeof bankTransfer.fields, typeof bankTransferHidden]
  | [typeof prepayment.fields, typeof bankCreditHidden]
  | [typeof overpayment.fields, typeof bankCreditHidden]
  | [typeof payment.fields, typeof paymentHidden]
  | [typeof bankStatement.fields, typeof bankStatementHidden]
  | [typeof bankStatementLine.fields, typeof bankStatementLineHidden]
  | [typeof manualJournal.fields, typeof manualJournalHidden]
  | [typeof batchPayment.fields, typeof origin]
  | [typeof contact.fields, typeof contactHidden]
  | [typeof operation.fields, typeof operationHidden]
  | [typeof brandingTheme.fields, typeof brandingThemeHidden]
  | [typeof organisation.fields, typeof organisationHidden];

type HiddenOf<T extends Fields, Pair = HiddenFields> = Pair extends [infer F, infer H]
  ? T extends F
    ? H
    : never
  : never;

/** Hidden fields of every document, unless its description has them. */
type HiddenOfDocument<T extends Fields> = T extends { LineItems: unknown; Contact: unknown }
  ? ShapeOf<
      Omit<typeof ofDocuments, keyof T | (T extends DocumentsWithCredit ? "AmountDue" : never)>
    >
  : unknown;

/** Documents with a remaining credit, which is stored in the column `amount_due`. */
type DocumentsWithCredit = { RemainingCredit: unknown } | typeof bankTransaction.fields;

type Hidden<T extends Fields> = T extends typeof repeatingInvoice.fields
  ? ShapeOf<typeof repeatingHidden>
  : HiddenOfDocument<T> &
      ([HiddenOf<T>] extends [never] ? unknown : ShapeOf<Extract<HiddenOf<T>, Fields>>);

const contactShown = ["ContactID", "ContactNumber", "Name"];
const accountShown = ["AccountID", "Code", "Name"];
const userShown = ["UserID", "EmailAddress", "FirstName", "LastName"];
// The days of an expense claim, by the names of the public API.
const claimColumns = { ReportingDate: "date", PaymentDueDate: "due_date" } as const;
const madeOnce = ["CreatedByApp", "CreatedDateUTC"];

/**
 * Settings in which bank transactions, and the credits they leave, differ from other documents.
 */
const bankSettings: Readonly<
  Record<string, Pick<Settings, "shared" | "hidden" | "columns"> | undefined>
> = {
  BankTransaction: {
    hidden: bankTransactionHidden,
    columns: { Status: "bank_status", SettledStatus: "status" },
  },
  Prepayment: {
    shared: { kind: bankTransaction.name, types: prepaymentTypes },
    hidden: bankCreditHidden,
    columns: { BankStatus: "bank_status" },
  },
  Overpayment: {
    shared: { kind: bankTransaction.name, types: overpaymentTypes },
    hidden: bankCreditHidden,
    columns: { BankStatus: "bank_status" },
  },
};

const masters = [
  { resource: organisation, table: "organisation", hidden: organisationHidden },
  {
    resource: account,
    table: "account",
    version: "chart_version",
    folded: { Code: "code_key", Name: "name_key" },
    unique: [
      { index: "account_code", field: "Code" },
      { index: "account_name", field: "Name" },
    ],
  },
  {
    resource: contact,
    table: "contact",
    version: "contact_version",
    hidden: contactHidden,
    salted: ["Name"],
    folded: { Name: "name_key", ContactNumber: "contact_number_key" },
    shows: { BrandingTheme: ["BrandingThemeID", "Name"] },
    unique: [
      { index: "contact_name", field: "Name" },
      { index: "contact_number", field: "ContactNumber" },
    ],
  },
  {
    resource: taxRate,
    table: "tax_rate",
    version: "chart_version",
    hidden: taxRateHidden,
    folded: { TaxType: "tax_type_key", Name: "name_key" },
    unique: [{ index: "tax_rate_name", field: "Name" }],
  },
  {
    resource: trackingCategory,
    table: "tracking_category",
    version: "chart_version",
    folded: { Name: "name_key" },
    unique: [{ index: "tracking_category_name", field: "Name" }],
  },
  {
    resource: trackingOption,
    table: "tracking_option",
    version: "chart_version",
    hidden: optionHidden,
    folded: { Name: "name_key" },
    unique: [{ index: "tracking_option_name", field: "Name" }],
  },
  {
    resource: item,
    table: "item",
    folded: { Code: "code_key" },
    unique: [{ index: "item_code", field: "Code" }],
  },
] as const satisfies readonly Settings[];

const otherSettings = [
  {
    resource: bankTransfer,
    table: "bank_transfer",
    hidden: bankTransferHidden,
    shows: {
      FromBankAccount: [...accountShown, "CurrencyCode"],
      ToBankAccount: [...accountShown, "CurrencyCode"],
    },
  },
  {
    resource: repeatingInvoice,
    table: "repeating_invoice",
    hidden: repeatingHidden,
    once: madeOnce,
    folded: { Reference: "reference_key" },
    shows: { Contact: contactShown },
  },
  { resource: linkedTransaction, table: "linked_transaction" },
  {
    resource: payment,
    table: "payment",
    hidden: paymentHidden,
    salted: ["BankAccountNumber", "Particulars", "Code", "Details"],
    once: madeOnce,
    folded: { Reference: "reference_key" },
    shows: {
      Invoice: [
        "InvoiceID",
        "InvoiceNumber",
        "Type",
        "CurrencyCode",
        "Contact.ContactID",
        "Contact.Name",
      ],
      CreditNote: [
        "CreditNoteID",
        "CreditNoteNumber",
        "Type",
        "CurrencyCode",
        "Contact.ContactID",
        "Contact.Name",
      ],
      Prepayment: [
        "PrepaymentID",
        "Handle",
        "Type",
        "CurrencyCode",
        "Contact.ContactID",
        "Contact.Name",
      ],
      Overpayment: [
        "OverpaymentID",
        "Handle",
        "Type",
        "CurrencyCode",
        "Contact.ContactID",
        "Contact.Name",
      ],
      ExpenseClaim: [
        "ExpenseClaimID",
        "Handle",
        "Type",
        "CurrencyCode",
        "Contact.ContactID",
        "Contact.Name",
      ],
      Account: [...accountShown, "CurrencyCode"],
    },
  },
  {
    resource: batchPayment,
    table: "batch_payment",
    hidden: origin,
    once: madeOnce,
    shows: { Account: accountShown },
  },
  {
    resource: manualJournal,
    table: "manual_journal",
    hidden: manualJournalHidden,
    once: madeOnce,
  },
  { resource: currency, table: "currency" },
  {
    resource: contactGroup,
    table: "contact_group",
    folded: { Name: "name_key" },
    unique: [{ index: "contact_group_name", field: "Name" }],
  },
  {
    resource: bankStatement,
    table: "bank_statement",
    hidden: bankStatementHidden,
    shows: { BankAccount: [...accountShown, "CurrencyCode"] },
  },
  {
    resource: bankStatementLine,
    table: "bank_statement_line",
    hidden: bankStatementLineHidden,
    once: ["LineKey"],
    columns: { References: "reference_texts" },
    shows: { BankAccount: [...accountShown, "CurrencyCode"] },
    unique: [{ index: "bank_statement_line_once", field: "LineKey" }],
  },
  {
    resource: bankRule,
    table: "bank_rule",
    folded: { Name: "name_key" },
    shows: { Contact: contactShown, TransferAccount: accountShown },
    unique: [{ index: "bank_rule_name", field: "Name" }],
  },
  { resource: openingBalance, table: "opening_balance" },
  {
    resource: asset,
    table: "asset",
    folded: { AssetNumber: "asset_number_key" },
    shows: {
      AssetAccount: accountShown,
      AccumulatedAccount: accountShown,
      ExpenseAccount: accountShown,
    },
    unique: [{ index: "asset_number", field: "AssetNumber" }],
  },
  {
    resource: operation,
    table: "operation",
    hidden: operationHidden,
    salted: ["OperationID"],
  },
  { resource: employee, table: "employee", folded: { LastName: "last_name_key" } },
  // Contact groups display the names of contacts.
  {
    resource: brandingTheme,
    table: "branding_theme",
    version: "contact_version",
    hidden: brandingThemeHidden,
    unique: [{ index: "branding_theme_currency", field: "CurrencyCode" }],
  },
  {
    resource: paymentService,
    table: "payment_service",
    folded: { PaymentServiceName: "payment_service_name_key" },
    unique: [{ index: "payment_service_name", field: "PaymentServiceName" }],
  },
  {
    resource: budget,
    table: "budget",
    unique: [{ index: "budget_overall", field: "Type" }],
  },
  {
    resource: user,
    table: "user_account",
    folded: { EmailAddress: "email_address_key" },
    unique: [{ index: "user_account_email", field: "EmailAddress" }],
  },
] as const satisfies readonly Settings[];

export const settings: readonly Settings[] = [
  ...masters,
  ...documents.filter((document) => document !== repeatingInvoice).map(documentSettings),
  ...otherSettings,
];

/** The settings of all resources except documents, with their precise types. */
export type PlainSettings = (typeof masters)[number] | (typeof otherSettings)[number];
export type DocumentColumns = typeof ofDocuments;
export type ClaimColumns = typeof claimColumns;

/** The settings of a document resource, derived from its description. */
function documentSettings(resource: DocumentResource): Settings {
  const { fields, document } = resource;
  const { number } = document;
  const bankSetting = bankSettings[resource.name];
  const hasCredit = fields.RemainingCredit !== undefined || resource === bankTransaction;
  const commonFields = Object.entries<Field>(ofDocuments).filter(
    ([name]) => fields[name] === undefined && !(hasCredit && name === "AmountDue"),
  );
  return {
    resource,
    table: "document",
    shared: bankSetting?.shared ?? true,
    hidden: { ...bankSetting?.hidden, ...Object.fromEntries(commonFields) },
    once: madeOnce,
    columns: {
      ...(number === undefined ? {} : { [number]: "number" }),
      ...(hasCredit ? { RemainingCredit: "amount_due" } : {}),
      ...(fields.ReportingDate === undefined ? {} : claimColumns),
      ...bankSetting?.columns,
    },
    folded: {
      ...(number === undefined ? {} : { [number]: "number_key" }),
      Reference: "reference_key",
    },
    shows: {
      Contact: contactShown,
      ...(bankSetting === undefined ? {} : { BankAccount: accountShown }),
      ...(fields.User === undefined ? {} : { User: userShown }),
      ...(fields.ExpenseClaim === undefined ? {} : { ExpenseClaim: ["ExpenseClaimID", "Handle"] }),
    },
    unique: number === undefined ? [] : [{ index: numberIndexOf(resource), field: number }],
  };
}
