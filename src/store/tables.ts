/**
 * How records are kept: a table per resource, a column per field, derived from the description.
 *
 * A column is called as its field in lower case with underscores; a reference keeps the id of its
 * target in `…_id`; objects and lists are JSON; what is computed has no column. The record's own id
 * is always `id`. What the store keeps of a record beyond its description, stands here too.
 */
import {
  boolean,
  choice,
  date,
  type Field,
  type Fields,
  fieldAt,
  id,
  integer,
  type Kind,
  money,
  percent,
  type Resource,
  type ShapeOf,
  text,
  timestamp,
} from "../resources/field.ts";
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
  organisation,
  overpayment,
  payment,
  paymentService,
  prepayment,
  purchaseOrder,
  quote,
  repeatingInvoice,
  taxRate,
  trackingCategory,
  trackingOption,
  user,
} from "../resources/index.ts";
import { overpaymentTypes, prepaymentTypes } from "../resources/prepayment.ts";
import { fold } from "../wire/fold.ts";
import type { FilterField } from "../wire/where.ts";
import type { Value } from "./dialect.ts";

// -------------------------------------------------------------------------------------------------
// Kinds

/** How values of one kind are kept in a column. */
export interface Storage {
  readonly type: "text" | "integer";
  encode(value: unknown, field: string): Value;
  /** Absent where a column holds the value as records do. */
  readonly decode?: (value: Value) => unknown;
  /** What where and order may do with it; absent where they may do nothing. */
  readonly filter?: FilterField["kind"];
  /** Digits after the point of a decimal. */
  readonly scale?: number;
}

function encodeText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${field} must be text, not ${typeof value}.`);
}

/** Asserted again on the way to disk, since a column of integers would keep 0.1 as it is. */
function encodeInteger(value: unknown, field: string): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new TypeError(`${field} must be an integer, not ${String(value)}.`);
}

const decimal = (scale: number): Storage => ({
  type: "integer",
  encode: encodeInteger,
  filter: "decimal",
  scale,
});

const json: Storage = {
  type: "text",
  encode: (value) => JSON.stringify(value),
  decode: (value) => JSON.parse(value as string),
};

const storages = {
  id: { type: "text", encode: encodeText, filter: "id" },
  text: { type: "text", encode: encodeText, filter: "text" },
  choice: { type: "text", encode: encodeText, filter: "choice" },
  boolean: {
    type: "integer",
    encode: (value) => (value === true ? 1 : 0),
    decode: (value) => value === 1,
    filter: "boolean",
  },
  integer: { type: "integer", encode: encodeInteger, filter: "integer" },
  date: { type: "text", encode: encodeText, filter: "date" },
  timestamp: { type: "integer", encode: encodeInteger, filter: "timestamp" },
  money: decimal(2),
  unitAmount: decimal(4),
  quantity: decimal(4),
  percent: decimal(4),
  rate: decimal(6),
  // The column of a reference holds an id; `refColumn` says which.
  ref: { type: "text", encode: encodeText, filter: "id" },
  one: json,
  many: json,
  texts: json,
} satisfies Record<Kind, Storage>;

/** The value of a field as a column holds it; undefined and null are null. */
export function encoded(field: Field, value: unknown, name: string): Value {
  if (value === undefined || value === null) return null;
  return (storages[field.kind] as Storage).encode(value, name);
}

// -------------------------------------------------------------------------------------------------
// Settings

/** What a description does not say about how its records are kept. */
interface Settings {
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
}

const made = { CreatedByApp: text(), CreatedDateUTC: timestamp({ always: true }) } as const;

// Rates that came with the book; rates that are listed, but stand on no line.
const taxRateHidden = { System: boolean(), Unusable: boolean() } as const;
// The construction industry scheme, as far as it was ever enabled.
const organisationHidden = {
  CISContractorEnabled: boolean(),
  CISSubContractorEnabled: boolean(),
  CISRate: percent(),
} as const;
const contactHidden = { CISEnabled: boolean(), CISRate: percent() } as const;
const optionHidden = { TrackingCategoryID: id({ always: true }) } as const;
// The open amount in the base currency, and the digits in which unit amounts were given. Of documents
// in a foreign currency, a day after which nothing of them was settled.
const invoiceHidden = {
  CashCredited: money(),
  BaseDue: money({ always: true }),
  UnitDecimals: integer(),
  LastSettled: date(),
  ...made,
} as const;
// What payments and allocations have settled, of documents that show but what is left.
const creditNoteHidden = {
  AmountPaid: money({ always: true }),
  AmountCredited: money({ always: true }),
  ...invoiceHidden,
} as const;
// Nothing is due of documents that post nothing.
const orderHidden = { AmountDue: money({ always: true }), ...creditNoteHidden } as const;
const quoteHidden = { Type: text({ always: true }), ...orderHidden } as const;
// A bank transaction that leaves a credit is a prepayment or an overpayment as well, which may be
// used up while the money stays where it is; one that leaves none is settled from the start, so
// that what is open is found without looking through the others.
const bankTransactionHidden = {
  SettledStatus: choice(["AUTHORISED", "PAID", "DELETED", "VOIDED"], { always: true }),
  RemainingCredit: money({ always: true }),
  ...creditNoteHidden,
} as const;
// The bank account that the money came to or went from.
const bankCreditHidden = { BankAccount: bankTransaction.fields.BankAccount, ...creditNoteHidden };
// What came to the other account, in its currency.
const bankTransferHidden = { ToAmount: money({ always: true }) } as const;
// By the dates a template is found when it is due; what keeps it from the next of them.
const repeatingHidden = {
  NextDate: date(),
  LastDate: date(),
  HeldBecause: text(),
  ...made,
} as const;
// What it takes off the control account, in the base currency.
// And what the bank is told of one in a batch, where `Code` is not that of an account.
const paymentHidden = { BaseAmount: money({ always: true }), Code: text(), ...made } as const;

/** A record as the store keeps it: what its description says, and what stands in `hidden`. */
export type Kept<T extends Fields> = ShapeOf<T> & Hidden<T>;

/** What stands in `hidden`, by the fields of the description. */
type HiddenFields =
  | [typeof taxRate.fields, typeof taxRateHidden]
  | [typeof trackingOption.fields, typeof optionHidden]
  | [typeof invoice.fields, typeof invoiceHidden]
  | [typeof creditNote.fields, typeof creditNoteHidden]
  | [typeof purchaseOrder.fields, typeof orderHidden]
  | [typeof quote.fields, typeof quoteHidden]
  | [typeof bankTransaction.fields, typeof bankTransactionHidden]
  | [typeof bankTransfer.fields, typeof bankTransferHidden]
  | [typeof prepayment.fields, typeof bankCreditHidden]
  | [typeof overpayment.fields, typeof bankCreditHidden]
  | [typeof repeatingInvoice.fields, typeof repeatingHidden]
  | [typeof payment.fields, typeof paymentHidden]
  | [typeof manualJournal.fields, typeof made]
  | [typeof batchPayment.fields, typeof made]
  | [typeof contact.fields, typeof contactHidden]
  | [typeof organisation.fields, typeof organisationHidden];

type HiddenOf<T extends Fields, Pair = HiddenFields> = Pair extends [infer F, infer H]
  ? T extends F
    ? H
    : never
  : never;

type Hidden<T extends Fields> = [HiddenOf<T>] extends [never]
  ? unknown
  : ShapeOf<Extract<HiddenOf<T>, Fields>>;

const contactShown = ["ContactID", "ContactNumber", "Name"];
const accountShown = ["AccountID", "Code", "Name"];
const madeOnce = ["CreatedByApp", "CreatedDateUTC"];

const settings: readonly Settings[] = [
  { resource: organisation, table: "organisation", hidden: organisationHidden },
  {
    resource: account,
    table: "account",
    folded: { Code: "code_key", Name: "name_key" },
    unique: [
      { index: "account_code", field: "Code" },
      { index: "account_name", field: "Name" },
    ],
  },
  {
    resource: contact,
    table: "contact",
    hidden: contactHidden,
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
    hidden: taxRateHidden,
    folded: { TaxType: "tax_type_key", Name: "name_key" },
    unique: [{ index: "tax_rate_name", field: "Name" }],
  },
  {
    resource: trackingCategory,
    table: "tracking_category",
    folded: { Name: "name_key" },
    unique: [{ index: "tracking_category_name", field: "Name" }],
  },
  {
    resource: trackingOption,
    table: "tracking_option",
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
  {
    resource: invoice,
    table: "document",
    shared: true,
    hidden: invoiceHidden,
    once: madeOnce,
    columns: { InvoiceNumber: "number" },
    folded: { InvoiceNumber: "number_key", Reference: "reference_key" },
    shows: { Contact: contactShown },
    unique: [{ index: "document_sales_number", field: "InvoiceNumber" }],
  },
  {
    resource: creditNote,
    table: "document",
    shared: true,
    hidden: creditNoteHidden,
    once: madeOnce,
    columns: { CreditNoteNumber: "number", RemainingCredit: "amount_due" },
    folded: { CreditNoteNumber: "number_key", Reference: "reference_key" },
    shows: { Contact: contactShown },
    unique: [{ index: "document_credit_note_number", field: "CreditNoteNumber" }],
  },
  {
    resource: purchaseOrder,
    table: "document",
    shared: true,
    hidden: orderHidden,
    once: madeOnce,
    columns: { PurchaseOrderNumber: "number" },
    folded: { PurchaseOrderNumber: "number_key", Reference: "reference_key" },
    shows: { Contact: ["ContactID", "ContactNumber", "Name"] },
    unique: [{ index: "document_purchase_order_number", field: "PurchaseOrderNumber" }],
  },
  {
    resource: quote,
    table: "document",
    shared: true,
    hidden: quoteHidden,
    once: madeOnce,
    columns: { QuoteNumber: "number" },
    folded: { QuoteNumber: "number_key", Reference: "reference_key" },
    shows: { Contact: ["ContactID", "ContactNumber", "Name"] },
    unique: [{ index: "document_quote_number", field: "QuoteNumber" }],
  },
  {
    resource: bankTransaction,
    table: "document",
    shared: true,
    hidden: bankTransactionHidden,
    once: madeOnce,
    columns: { Status: "bank_status", SettledStatus: "status", RemainingCredit: "amount_due" },
    folded: { Reference: "reference_key" },
    shows: { Contact: contactShown, BankAccount: accountShown },
  },
  {
    resource: prepayment,
    table: "document",
    shared: { kind: bankTransaction.name, types: prepaymentTypes },
    hidden: bankCreditHidden,
    once: madeOnce,
    columns: { RemainingCredit: "amount_due" },
    folded: { Reference: "reference_key" },
    shows: { Contact: contactShown, BankAccount: accountShown },
  },
  {
    resource: overpayment,
    table: "document",
    shared: { kind: bankTransaction.name, types: overpaymentTypes },
    hidden: bankCreditHidden,
    once: madeOnce,
    columns: { RemainingCredit: "amount_due" },
    folded: { Reference: "reference_key" },
    shows: { Contact: contactShown, BankAccount: accountShown },
  },
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
    shows: { Account: ["AccountID", "Code", "Name"] },
  },
  { resource: manualJournal, table: "manual_journal", hidden: made, once: madeOnce },
  { resource: currency, table: "currency" },
  {
    resource: contactGroup,
    table: "contact_group",
    folded: { Name: "name_key" },
    unique: [{ index: "contact_group_name", field: "Name" }],
  },
  { resource: brandingTheme, table: "branding_theme" },
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
];

// -------------------------------------------------------------------------------------------------
// Tables

export interface Column {
  /** Name of the field. */
  readonly field: string;
  /** Name of the column. */
  readonly name: string;
  readonly description: Field;
  readonly storage: Storage;
  /** The column that holds the text folded. */
  readonly folded: string | undefined;
  /** Written when the record is made, and never again. */
  readonly once: boolean;
}

export interface Table {
  readonly resource: Resource;
  readonly name: string;
  /** What `kind` must be, in a table that several resources share. */
  readonly kind: string | undefined;
  /** What `type` must be one of, for a view of some of the records of a kind. */
  readonly types: readonly string[] | undefined;
  readonly columns: readonly Column[];
  /** The column of a field; undefined for one that is not kept. */
  column(field: string): Column | undefined;
  /** By the name of a reference: the paths in its target that are shown. */
  readonly shows: Readonly<Record<string, readonly string[]>>;
  readonly unique: NonNullable<Settings["unique"]>;
}

/** `DueDate` is `due_date`, `UpdatedDateUTC` is `updated_date_utc`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** Columns are derived when they are looked at: a list shows a few of them. */
function tableFrom(setting: Settings): Table {
  const { resource, shared } = setting;
  const derived = new Map<string, Column>();
  const column = (field: string): Column | undefined => {
    const known = derived.get(field);
    if (known !== undefined) return known;
    const description = resource.fields[field] ?? setting.hidden?.[field];
    if (description === undefined || description.computed === true) return undefined;
    const made = columnFrom(setting, field, description);
    derived.set(field, made);
    return made;
  };
  let columns: readonly Column[] | undefined;
  return {
    resource,
    name: setting.table,
    kind: shared === true ? resource.name : shared?.kind,
    types: shared === true ? undefined : shared?.types,
    get columns() {
      const fields = [...Object.keys(resource.fields), ...Object.keys(setting.hidden ?? {})];
      columns ??= fields.map(column).filter((each) => each !== undefined);
      return columns;
    },
    column,
    shows: setting.shows ?? {},
    unique: setting.unique ?? [],
  };
}

function columnFrom(setting: Settings, field: string, description: Field): Column {
  const named = setting.columns?.[field] ?? snakeCase(field);
  const isId = field === setting.resource.id;
  return {
    field,
    name: isId ? "id" : description.kind === "ref" ? `${named}_id` : named,
    description,
    storage: storages[description.kind],
    folded: setting.folded?.[field],
    once: setting.once?.includes(field) ?? false,
  };
}

const tables = new Map<string, Table>();

/** @throws Error for a resource that the store does not keep */
export function tableOf(resource: Pick<Resource, "name">): Table {
  const known = tables.get(resource.name);
  if (known !== undefined) return known;
  const setting = settings.find((each) => each.resource.name === resource.name);
  if (setting === undefined) throw new Error(`There is no table for ${resource.name}.`);
  const table = tableFrom(setting);
  tables.set(resource.name, table);
  return table;
}

/** Every resource that has a table. */
export const kept: readonly Resource[] = settings.map((each) => each.resource);

/** Turns a record into a row: its columns in order, then the folded ones. */
export function rowOf(table: Table, record: Readonly<Record<string, unknown>>): Value[] {
  const row: Value[] = [];
  for (const { field, description } of table.columns) {
    const value = record[field];
    if (description.kind !== "ref") row.push(encoded(description, value, field));
    else row.push(idOf(value, description.by[0] ?? "", field));
  }
  for (const { field, folded } of table.columns) {
    if (folded === undefined) continue;
    const value = record[field];
    row.push(value === undefined || value === null ? null : fold(String(value)));
  }
  return row;
}

/** The id of the record that `target` stands for. */
function idOf(target: unknown, by: string, field: string): Value {
  const value = (target as Readonly<Record<string, unknown>> | null | undefined)?.[by];
  return value === undefined || value === null ? null : encodeText(value, `${field}.${by}`);
}

/** The names of the columns of `rowOf`. */
export function columnNames(table: Table): string[] {
  return [
    ...table.columns.map((column) => column.name),
    ...table.columns.flatMap((column) => column.folded ?? []),
  ];
}

// -------------------------------------------------------------------------------------------------
// Paths

/** A column as a path of fields leads to it. */
export interface Place {
  /** The references on the way, each of which is a join: none, `Contact`, `Invoice.Contact`. */
  readonly through: readonly string[];
  readonly column: Column;
}

/**
 * Where the value of a dotted path is kept.
 *
 * The id of a reference is kept on this side of it, so that `Contact.ContactID` needs no join.
 *
 * @param path  canonical names
 * @returns undefined when the store keeps no single value for it
 */
export function placeOf(table: Table, path: string): Place | undefined {
  let known = places.get(table);
  if (known === undefined) {
    known = new Map();
    places.set(table, known);
  }
  let place = known.get(path);
  if (place === undefined) {
    place = placeFrom(table, path);
    if (place !== undefined) known.set(path, place);
  }
  return place;
}

const places = new WeakMap<Table, Map<string, Place>>();

function placeFrom(table: Table, path: string): Place | undefined {
  const [head = "", ...rest] = path.split(".");
  const column = table.column(head);
  if (column === undefined) return undefined;
  const { description } = column;
  if (description.kind !== "ref") return rest.length === 0 ? { through: [], column } : undefined;
  if (rest.length === 0) return undefined;
  if (rest.length === 1 && rest[0] === description.by[0]) return { through: [], column };
  const target = targetOf(description.to);
  const inner = target && placeOf(target, rest.join("."));
  return (
    inner && {
      through: [head, ...inner.through.map((each) => `${head}.${each}`)],
      column: inner.column,
    }
  );
}

/** The table that a reference leads to, where the resource it names is kept. */
export function targetOf(name: string): Table | undefined {
  return settings.some((each) => each.resource.name === name) ? tableOf({ name }) : undefined;
}

const filters = new Map<string, Map<string, FilterField | undefined>>();

/** Finds the fields of a resource that where and order may name, in any letter case. */
export function filterFields(
  resource: Resource,
): (path: readonly string[]) => FilterField | undefined {
  let known = filters.get(resource.name);
  if (known === undefined) {
    known = new Map();
    filters.set(resource.name, known);
  }
  const found = known;
  return (path) => {
    const named = fieldAt(resource.fields, path);
    if (named === undefined) return undefined;
    if (!found.has(named.path)) {
      found.set(named.path, filterField(tableOf(resource), named.path, named.field));
    }
    return found.get(named.path);
  };
}

function filterField(table: Table, path: string, field: Field): FilterField | undefined {
  const place = placeOf(table, path);
  const storage = storages[field.kind] as Storage;
  if (place === undefined || storage.filter === undefined) return undefined;
  return {
    path,
    kind: storage.filter,
    ...(storage.scale === undefined ? {} : { scale: storage.scale }),
    ...(field.kind === "choice" ? { choices: field.values } : {}),
  };
}
