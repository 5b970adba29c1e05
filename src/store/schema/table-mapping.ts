/**
 * What the store keeps of each resource beyond its description: table, hidden fields, what of a
 * reference is shown, what must be unique. `tables.ts` makes tables and rows of it.
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

/** What a description does not say about how its records are kept. */
export interface Settings {
  readonly resource: Resource;
  readonly table: string;
  /**
   * Several resources share the table; this one's rows bear its name in `kind`, or, where it is a
   * view of some of the records of another, the name of that one and one of the types.
   */
  readonly shared?: true | { readonly kind: string; readonly types: readonly string[] };
  /** Kept with the record, though no caller ever sees it. */
  readonly hidden?: Fields;
  /** Fields that are set when a record is made, and never again. */
  readonly once?: readonly string[];
  /** Columns that are not called after their field. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Text fields kept a second time, folded, in the column named: by these records are found. */
  readonly folded?: Readonly<Record<string, string>>;
  /** What is shown of the records that a field refers to. */
  readonly shows?: Readonly<Record<string, readonly string[]>>;
  /** What must be unique: the index that sees to it, its columns, and the field as people know it. */
  readonly unique?: readonly { readonly index: string; readonly field: string }[];
  /** Its rows have a salt where one of these fields has a value (`chain/salt.ts`). */
  readonly salted?: readonly string[];
  /** Its version, where processes cache its records (`reference-cache.ts`). */
  readonly version?: ReferenceKind;
}

const made = { CreatedByApp: text(), CreatedDateUTC: timestamp({ always: true }) } as const;

// Of journals that were posted together, and are taken back together.
const manualJournalHidden = { SeriesID: id(), ...made } as const;
// Rates that came with the book; rates that are listed, but stand on no line.
const taxRateHidden = { System: boolean(), Unusable: boolean() } as const;
// The construction industry scheme, if it was ever enabled; the event categories with subscribers,
// separated by commas, which a write reads with the organisation; the day of the opening balances.
const organisationHidden = {
  ConversionDate: date(),
  EventCategories: text(),
  CISContractorEnabled: boolean(),
  CISSubContractorEnabled: boolean(),
  CISRate: percent(),
} as const;
// How the documents of a theme look, and what they say of paying.
const brandingThemeHidden = {
  Color: text(),
  BankDetails: text(),
  BankAccountID: id(),
  PaymentAdvice: text(),
  Terms: text(),
} as const;
// The first row of the operation, and what was written, as `store/operations/effects.ts` has it.
const operationHidden = { PartOf: id(), Effects: text({ always: true, verbatim: true }) } as const;
const contactHidden = { CISEnabled: boolean(), CISRate: percent() } as const;
const optionHidden = { TrackingCategoryID: id({ always: true }) } as const;
// Of every document, as far as its description does not have them.
const ofDocuments = {
  Type: text({ always: true }),
  // Receipts are always in the base currency.
  CurrencyCode: text({ always: true }),
  CurrencyRate: rate({ always: true }),
  AmountDue: money({ always: true }),
  // What payments and allocations have settled.
  AmountPaid: money({ always: true }),
  AmountCredited: money({ always: true }),
  CashCredited: money(),
  // The open amount in the base currency, and the digits in which unit amounts were given.
  BaseDue: money({ always: true }),
  UnitDecimals: integer(),
  // Of documents in a foreign currency, a day after which nothing of them was settled.
  LastSettled: date(),
  ...made,
} as const;
// A bank transaction that leaves a credit is a prepayment or an overpayment as well, which may be
// used up while the money stays where it is; one that leaves none is settled from the start, so
// that what is open is found without looking through the others.
const bankTransactionHidden = {
  SettledStatus: choice(["AUTHORISED", "PAID", "DELETED", "VOIDED"], { always: true }),
  RemainingCredit: money({ always: true }),
} as const;
// The bank account that the money came to or went from, and the status of its bank transaction.
const bankCreditHidden = {
  BankAccount: bankTransaction.fields.BankAccount,
  BankStatus: choice(["AUTHORISED", "DELETED", "VOIDED"], { always: true }),
} as const;
// What came to the other account, in its currency.
const bankTransferHidden = { ToAmount: money({ always: true }) } as const;
// By the dates a template is found when it is due; what keeps it from the next of them.
const repeatingHidden = {
  NextDate: date(),
  LastDate: date(),
  HeldBecause: text(),
  ...made,
} as const;
// The amount taken off the control account, in the base currency; and the bank statement fields of
// a payment in a batch, where `Code` is not an account code.
// What it was matched with, for suggestions.
const bankStatementLineHidden = {
  MatchedContactID: id(),
  MatchedAccountCode: text(),
} as const;
// Ids of lines that the file had too, with the fields as they were that it filled, as JSON.
const bankStatementHidden = { KnownLines: text() } as const;
const paymentHidden = { BaseAmount: money({ always: true }), Code: text(), ...made } as const;

/** A record as the store keeps it: what its description says, and what stands in `hidden`. */
export type StoredFields<T extends Fields> = ShapeOf<T> & Hidden<T>;

/** What stands in `hidden`, by the fields of the description. */
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
  | [typeof batchPayment.fields, typeof made]
  | [typeof contact.fields, typeof contactHidden]
  | [typeof operation.fields, typeof operationHidden]
  | [typeof brandingTheme.fields, typeof brandingThemeHidden]
  | [typeof organisation.fields, typeof organisationHidden];

type HiddenOf<T extends Fields, Pair = HiddenFields> = Pair extends [infer F, infer H]
  ? T extends F
    ? H
    : never
  : never;

/** Fields of every document that its description lacks. */
type HiddenOfDocument<T extends Fields> = T extends { LineItems: unknown; Contact: unknown }
  ? ShapeOf<
      Omit<typeof ofDocuments, keyof T | (T extends DocumentsWithCredit ? "AmountDue" : never)>
    >
  : unknown;

/** What is due of them is kept in the column of what remains. */
type DocumentsWithCredit = { RemainingCredit: unknown } | typeof bankTransaction.fields;

type Hidden<T extends Fields> = T extends typeof repeatingInvoice.fields
  ? ShapeOf<typeof repeatingHidden>
  : HiddenOfDocument<T> &
      ([HiddenOf<T>] extends [never] ? unknown : ShapeOf<Extract<HiddenOf<T>, Fields>>);

const contactShown = ["ContactID", "ContactNumber", "Name"];
const accountShown = ["AccountID", "Code", "Name"];
const userShown = ["UserID", "EmailAddress", "FirstName", "LastName"];
const madeOnce = ["CreatedByApp", "CreatedDateUTC"];

/** What bank transactions, and the credits that they leave, differ in from other documents. */
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

const others = [
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
      Prepayment: ["PrepaymentID", "Type", "CurrencyCode", "Contact.ContactID", "Contact.Name"],
      Overpayment: ["OverpaymentID", "Type", "CurrencyCode", "Contact.ContactID", "Contact.Name"],
      Account: accountShown,
    },
  },
  {
    resource: batchPayment,
    table: "batch_payment",
    hidden: made,
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
  // A contact shows its name.
  {
    resource: brandingTheme,
    table: "branding_theme",
    version: "contact_version",
    hidden: brandingThemeHidden,
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
  ...documents.filter((each) => each !== repeatingInvoice).map(documentSettings),
  ...others,
];

/** The settings of every resource but the documents, with all that the compiler knows of them. */
export type PlainSettings = (typeof masters)[number] | (typeof others)[number];
export type DocumentColumns = typeof ofDocuments;

/** How documents are kept, by what their description says of them. */
function documentSettings(resource: DocumentResource): Settings {
  const { fields, document } = resource;
  const { number } = document;
  const own = bankSettings[resource.name];
  const hasCredit = fields.RemainingCredit !== undefined || resource === bankTransaction;
  const common = Object.entries<Field>(ofDocuments).filter(
    ([name]) => fields[name] === undefined && !(hasCredit && name === "AmountDue"),
  );
  return {
    resource,
    table: "document",
    shared: own?.shared ?? true,
    hidden: { ...own?.hidden, ...Object.fromEntries(common) },
    once: madeOnce,
    columns: {
      ...(number === undefined ? {} : { [number]: "number" }),
      ...(hasCredit ? { RemainingCredit: "amount_due" } : {}),
      ...own?.columns,
    },
    folded: {
      ...(number === undefined ? {} : { [number]: "number_key" }),
      Reference: "reference_key",
    },
    shows: {
      Contact: contactShown,
      ...(own === undefined ? {} : { BankAccount: accountShown }),
      ...(fields.User === undefined ? {} : { User: userShown }),
    },
    unique: number === undefined ? [] : [{ index: numberIndexOf(resource), field: number }],
  };
}
