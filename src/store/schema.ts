/**
 * The tables as the queries see them.
 *
 * Every table is keyed by organisation first. Tables of described resources hold a column per
 * field (`tables.ts`) of which only those are named here that fixed queries use; the others are
 * whole here. Amounts are integers of their scale, days `YYYY-MM-DD`, moments milliseconds since
 * 1970 UTC, ids lower-case GUIDs.
 */

/** How a basis is kept: 0 and 1 take no room in a row of SQLite, and half the rows are postings. */
export const basisCode = { accrual: 0, cash: 1 } as const;
export const basisOf = ["accrual", "cash"] as const;

interface ByOrganisation {
  org: number;
}

export interface OrganisationTable extends ByOrganisation {
  id: string;
  name: string;
  /** With commas; null where nobody is told of events. */
  event_categories: string | null;
  /** Of what processes keep in memory (`standing.ts`); null before any of it changed. */
  chart_mark: number | null;
  contact_mark: number | null;
}

export interface AccountTable extends ByOrganisation {
  id: string;
  code: string | null;
  name: string;
  status: string;
  system_account: string | null;
}

export interface DocumentTable extends ByOrganisation {
  id: string;
  /** Name of the resource: Invoice. */
  kind: string;
  type: string;
  number: string | null;
  status: string;
  contact_id: string;
  due_date: string | null;
  sub_total: number;
  total_tax: number;
  total: number;
  amount_due: number;
  amount_paid: number;
  amount_credited: number;
  cis_deduction: number | null;
  line_amount_types: string;
  base_due: number | null;
}

export interface DocumentLineTable extends ByOrganisation {
  document_id: string;
  /** Place among the lines, from 0. */
  ord: number;
  id: string;
  account_id: string | null;
  item_id: string | null;
  tax_type: string | null;
  tax_amount: number | null;
  line_amount: number | null;
  option1: string | null;
  option2: string | null;
}

export interface PaymentTable extends ByOrganisation {
  id: string;
  invoice_id: string | null;
  account_id: string;
  amount: number;
  status: string;
}

export interface BatchPaymentTable extends ByOrganisation {
  id: string;
  type: string;
  status: string;
  total_amount: number;
}

export interface ManualJournalTable extends ByOrganisation {
  id: string;
  date: string;
  status: string;
  line_amount_types: string;
  show_on_cash_basis_reports: number;
}

export interface ItemTable extends ByOrganisation {
  id: string;
  code: string;
  is_tracked_as_inventory: number | null;
  inventory_asset_account_code: string | null;
  total_cost_pool: number | null;
  quantity_on_hand: number | null;
}

export interface TrackingCategoryTable extends ByOrganisation {
  id: string;
  name: string;
}

export interface TrackingOptionTable extends ByOrganisation {
  id: string;
  tracking_category_id: string;
  name: string;
}

export interface AllocationTable extends ByOrganisation {
  id: string;
  credit_id: string;
  invoice_id: string;
  amount: number;
  date: string;
  credit_base: number;
  invoice_base: number;
  status: string;
  created_at: number;
}

/** Append-only. */
export interface JournalTable extends ByOrganisation {
  /** `basisCode`. */
  basis: number;
  /** 1, 2, 3, … without gaps, for each organisation and basis. */
  number: number;
  id: string;
  date: string;
  source_type: string | null;
  source_id: string;
  document_id: string;
  reference: string | null;
  /** Number of the journal that this one undoes; no two undo the same. */
  reverses: number | null;
  created_at: number;
}

/** Append-only. */
export interface PostingTable extends ByOrganisation {
  basis: number;
  /** Of its journal. */
  number: number;
  /** Place in its journal, from 0. */
  ord: number;
  /** Of its journal. */
  date: string;
  account_id: string;
  /** Debit positive. */
  amount: number;
  /**
   * What it adds to the debits of its account; `debit - amount` goes to the credits. A reversal
   * takes back from the side it undoes, so that money that never moved swells neither.
   */
  debit: number;
  /** Tracking options; empty where there is none. */
  option1: string;
  option2: string;
  description: string | null;
  tax_type: string | null;
  tax_amount: number | null;
  line: number | null;
  /** On a bank account in a foreign currency, what moved there, debit positive. */
  foreign_amount: number | null;
}

/** The sums of the postings by month, kept up in the transaction that posts. */
export interface BalanceTable extends ByOrganisation {
  basis: number;
  /** `YYYY-MM`. */
  month: string;
  account_id: string;
  option1: string;
  option2: string;
  debit: number;
  credit: number;
  /** In the currency of a bank account in a foreign one, debits less credits. */
  foreign_amount: number | null;
}

/** Append-only. */
export interface HistoryTable extends ByOrganisation {
  resource: string;
  record_id: string;
  id: string;
  at: number;
  user: string;
  changes: string;
  details: string;
}

export interface SequenceTable extends ByOrganisation {
  name: string;
  /** The highest number taken. */
  last: number;
}

export interface IdempotencyTable extends ByOrganisation {
  app: string;
  key: string;
  fingerprint: string;
  status: number;
  headers: string;
  body: string;
  /** 1 where `body` is base64 of bytes. */
  binary: number;
  at: number;
}

/** Append-only. */
export interface InventoryMoveTable extends ByOrganisation {
  id: string;
  item_id: string;
  document_id: string;
  /** Which line of the document, from 0. */
  line: number | null;
  quantity: number;
  cost: number;
  at: number;
}

/** What a currency was worth on a day, in units of it for one of the base currency (10⁻⁶). */
export interface ExchangeRateTable extends ByOrganisation {
  currency: string;
  date: string;
  rate: number;
}

export interface ContactGroupTable extends ByOrganisation {
  id: string;
  name: string;
  status: string;
}

export interface ContactGroupMemberTable extends ByOrganisation {
  group_id: string;
  contact_id: string;
}

export interface BrandingThemePaymentServiceTable extends ByOrganisation {
  branding_theme_id: string;
  payment_service_id: string;
}

export interface BrandingLogoTable extends ByOrganisation {
  branding_theme_id: string;
  mime_type: string;
  /** In pixels. */
  width: number;
  height: number;
  bytes: Uint8Array;
}

export interface BudgetTable extends ByOrganisation {
  id: string;
  type: string;
}

export interface BudgetBalanceTable extends ByOrganisation {
  budget_id: string;
  /** `YYYY-MM`. */
  month: string;
  account_id: string;
  /** As a person plans it: income and costs both above zero. */
  amount: number;
  notes: string | null;
}

/** Append-only. */
export interface PublishedReportTable extends ByOrganisation {
  id: string;
  name: string;
  type: string;
  /** JSON. */
  titles: string;
  dates: string;
  to_date: string;
  at: number;
  /** JSON. */
  attributes: string;
  /** JSON. */
  fields: string;
  accrual_number: number | null;
  cash_number: number | null;
}

/** In which box of a 1099 report what is paid for an account stands. */
export interface Box1099Table extends ByOrganisation {
  account_id: string;
  form: string;
  box: number;
}

/** A file on a record. */
export interface AttachmentTable extends ByOrganisation {
  id: string;
  /** Name of the resource of its record. */
  resource: string;
  record_id: string;
  /** As composed characters (NFC); no two of one record have the same. */
  name: string;
  mime_type: string;
  size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: string;
  /** Of the pieces; a replaced file has another, so that nobody reads the half of each. */
  content_id: string;
  include_online: number;
}

/** The bytes of files, in pieces that are read and written one at a time. */
export interface AttachmentChunkTable extends ByOrganisation {
  content_id: string;
  /** Place in the file, from 0. */
  ord: number;
  bytes: Uint8Array;
}

export interface RepeatingInvoiceDateTable extends ByOrganisation {
  repeating_invoice_id: string;
  date: string;
  /** What was made for the date. */
  invoice_id: string;
  /** From when on it may be emailed; null when that is done, or not to be. */
  send_at: number | null;
}

/** A subscription to events. */
export interface WebhookTable extends ByOrganisation {
  id: string;
  name: string;
  url: string;
  /** With commas: `INVOICE,CONTACT`. */
  categories: string;
  app_id: string | null;
  signing_key: string;
  /** With commas: `http,private`; null for https to public addresses alone. */
  allowed: string | null;
  status: string;
  /** Why it is not in use. */
  reason: string | null;
  created_at: number;
  /** Of the last event that was put into a delivery; 0 before the first. */
  last_sequence: number;
  /** The process that delivers, and until when nobody else may. */
  leased_by: string | null;
  leased_until: number | null;
  /** Of a listener, which is gone when it does not ask any more. */
  expires_at: number | null;
}

/** An event that no delivery holds yet. */
export interface EventTable extends ByOrganisation {
  webhook_id: string;
  /** In the order in which they are told. */
  number: number;
  resource_id: string;
  category: string;
  type: string;
  at: number;
  /** JSON. */
  data: string | null;
}

/** Events under way to a subscriber, or there. */
export interface DeliveryTable extends ByOrganisation {
  webhook_id: string;
  first_sequence: number;
  last_sequence: number;
  id: string;
  /** The bytes that are sent, the same at each try. */
  body: string;
  status: string;
  tries: number;
  created_at: number;
  first_tried_at: number | null;
  tried_at: number | null;
  next_try_at: number | null;
  /** Status of the last answer; null where none came. */
  answered: number | null;
  reason: string | null;
}

/** What only this organisation's books know, by what it is for. */
export interface SecretTable extends ByOrganisation {
  name: string;
  value: string;
}

/** A document whose page was opened, or whose address was taken back. */
export interface OnlineDocumentTable extends ByOrganisation {
  record_id: string;
  /** How often its address was taken back. */
  generation: number;
  /** When that was last put into its history. */
  opened_at: number | null;
}

/** Calls of an app, which may be lost when the database fails. */
export interface CallCountTable extends ByOrganisation {
  app: string;
  /** How often it was written. */
  version: number;
  /** As the limiter writes them. */
  counts: string;
}

export interface Tables {
  organisation: OrganisationTable;
  account: AccountTable;
  contact: ByOrganisation & { id: string; name: string };
  tax_rate: ByOrganisation & { id: string };
  tracking_category: TrackingCategoryTable;
  tracking_option: TrackingOptionTable;
  item: ItemTable;
  document: DocumentTable;
  document_line: DocumentLineTable;
  payment: PaymentTable;
  allocation: AllocationTable;
  batch_payment: BatchPaymentTable;
  manual_journal: ManualJournalTable;
  journal: JournalTable;
  posting: PostingTable;
  balance: BalanceTable;
  history: HistoryTable;
  sequence: SequenceTable;
  idempotency: IdempotencyTable;
  inventory_move: InventoryMoveTable;
  currency: ByOrganisation & { id: string };
  exchange_rate: ExchangeRateTable;
  contact_group: ContactGroupTable;
  contact_group_member: ContactGroupMemberTable;
  employee: ByOrganisation & { id: string };
  branding_theme: ByOrganisation & { id: string };
  branding_logo: BrandingLogoTable;
  payment_service: ByOrganisation & { id: string };
  branding_theme_payment_service: BrandingThemePaymentServiceTable;
  budget: BudgetTable;
  budget_balance: BudgetBalanceTable;
  user_account: ByOrganisation & { id: string };
  published_report: PublishedReportTable;
  box_1099: Box1099Table;
  attachment: AttachmentTable;
  attachment_chunk: AttachmentChunkTable;
  repeating_invoice: ByOrganisation & { id: string };
  repeating_invoice_date: RepeatingInvoiceDateTable;
  linked_transaction: ByOrganisation & { id: string };
  webhook: WebhookTable;
  event: EventTable;
  delivery: DeliveryTable;
  call_count: CallCountTable;
  secret: SecretTable;
  online_document: OnlineDocumentTable;
}
