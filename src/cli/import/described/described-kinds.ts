/**
 * Kinds of records whose import follows from their description, such as accounts and documents. A
 * file has a column for every settable field, and a row for each line; `acct export` writes such
 * files.
 */
import { account } from "../../../resources/account.ts";
import { asset } from "../../../resources/asset.ts";
import { bankRule } from "../../../resources/bank-rule.ts";
import { bankStatement } from "../../../resources/bank-statement.ts";
import { bankTransaction } from "../../../resources/bank-transaction.ts";
import { bankTransfer } from "../../../resources/bank-transfer.ts";
import { budget } from "../../../resources/budget.ts";
import { contact } from "../../../resources/contact.ts";
import { creditNote } from "../../../resources/credit-note.ts";
import { currency, exchangeRate } from "../../../resources/currency.ts";
import type { Cents } from "../../../resources/decimal.ts";
import {
  date,
  type Fields,
  integer,
  many,
  money,
  one,
  type Resource,
  text,
} from "../../../resources/field.ts";
import { invoice } from "../../../resources/invoice.ts";
import { item } from "../../../resources/item.ts";
import { lineItemFields } from "../../../resources/line-item.ts";
import { journalLineFields, manualJournal } from "../../../resources/manual-journal.ts";
import { payment } from "../../../resources/payment.ts";
import { purchaseOrder } from "../../../resources/purchase-order.ts";
import { quote } from "../../../resources/quote.ts";
import { taxRate } from "../../../resources/tax-rate.ts";
import { trackingCategory, trackingOption } from "../../../resources/tracking-category.ts";
import type { ImportNoun } from "../options.ts";
import { paymentRowFields } from "../records/paid-documents.ts";

export interface DescribedKind {
  readonly resource: Resource;
  readonly one: string;
  readonly several: string;
  /** Fields of a record in a file; the list whose elements are rows is separate. */
  readonly fields: Fields;
  readonly lines?: {
    readonly name: string;
    readonly fields: Fields;
    /**
     * A list nested in each element whose elements become rows, each with the fields of its parent.
     */
    readonly nested?: string;
    /** Other fields that files may have, and how a line gets its own from them. */
    readonly typed?: {
      readonly fields: Fields;
      /** Replaces them in a line; returns the fault of the row, if any. */
      readonly settle: (line: Record<string, unknown>) => string | undefined;
    };
  };
  /** Fields that files cannot set. */
  readonly omit?: readonly string[];
  /** The field that the rows of one record share. */
  readonly groupedBy: string;
  /**
   * Alternative grouping fields, of which the first filled one counts; `groupedBy` and the keys
   * when not given.
   */
  readonly sharedBy?: readonly string[];
  /** Fields that rows without a group share; each is a record of its own when not given. */
  readonly alikeBy?: readonly string[];
  /** Whether rows of one key must agree; otherwise each row without lines is a record. */
  readonly isKeyed?: boolean;
  /** Objects that the service replaces as a whole. */
  readonly replaced?: readonly string[];
  /**
   * Key fields by which the book identifies a record. Without any, records are compared by the
   * identity fields of the resource, and as many equal records are created as the file has more
   * than the book.
   */
  readonly knownBy?: readonly string[];
  /** Date field by which records compared by content are queried; all are read when not given. */
  readonly dated?: string;
  /** Groups of fields, of each of which a file must give at least one. */
  readonly needs: readonly (readonly string[])[];
  /** For a status in the file: the status on creation, followed by the status changes. */
  readonly statuses?: Readonly<Record<string, readonly string[]>>;
  /** Whether missing contacts and items of the file's documents are created. */
  readonly makesRelated?: boolean;
  /** Whether the service takes the contact by id or number alone, so that its name is looked up. */
  readonly isContactLookedUp?: true;
  /**
   * Whether document numbers of a type are assigned by suppliers, so that they are unique per
   * supplier alone.
   */
  readonly isSuppliers?: (type: string) => boolean;
}

/** Lists that the service manages apart from the record, as JSON cells without ids. */
const options = many("Option", {
  Name: trackingOption.fields.Name,
  Status: trackingOption.fields.Status,
});
const allocations = many("Allocation", {
  AppliedAmount: money(),
  Date: date(),
  Posted: integer(),
  Invoice: one({ InvoiceNumber: text() }),
});

/** Replaces the debit and credit of a journal line by its signed amount. */
function settleSides(line: Record<string, unknown>): string | undefined {
  const { Debit, Credit, ...rest } = line as { readonly [side: string]: Cents | undefined };
  if (Debit === undefined && Credit === undefined) return undefined;
  if (rest.LineAmount !== undefined) return "The row has a LineAmount besides a debit or credit.";
  if (Debit && Credit) return "The row has a debit and a credit; give each a row.";
  for (const side of ["Debit", "Credit"]) delete line[side];
  line.LineAmount = (Debit ?? 0) - (Credit ?? 0);
  return undefined;
}

const lineItemList = { name: "LineItems", fields: lineItemFields };

const ofInvoice = {
  resource: invoice,
  fields: invoice.fields,
  omit: ["InvoiceID", "Contact", "LineItems"],
  lines: lineItemList,
  groupedBy: "InvoiceNumber",
  makesRelated: true,
  needs: [
    ["InvoiceNumber"],
    ["Contact.Name", "Contact.ContactNumber", "Contact.ContactID"],
    ["Date"],
    ["LineItems.Description", "LineItems.ItemCode", "LineItems.LineAmount", "LineItems.UnitAmount"],
  ],
} as const;

export const describedKinds: Readonly<Record<ImportNoun, DescribedKind>> = {
  invoice: { ...ofInvoice, one: "invoice", several: "invoices" },
  bill: { ...ofInvoice, one: "bill", several: "bills", isSuppliers: () => true },
  contact: {
    resource: contact,
    one: "contact",
    several: "contacts",
    fields: contact.fields,
    omit: ["ContactID"],
    groupedBy: "ContactNumber",
    sharedBy: ["ContactNumber", "Name"],
    isKeyed: true,
    knownBy: ["ContactNumber", "Name"],
    needs: [["Name"]],
  },
  item: {
    resource: item,
    one: "item",
    several: "items",
    fields: item.fields,
    omit: ["ItemID"],
    groupedBy: "Code",
    isKeyed: true,
    knownBy: ["Code"],
    replaced: ["SalesDetails", "PurchaseDetails"],
    needs: [["Code"]],
  },
  asset: {
    resource: asset,
    one: "asset",
    several: "assets",
    fields: asset.fields,
    omit: ["AssetID", "Status", "InvoiceID", "LineItemID"],
    groupedBy: "AssetNumber",
    isKeyed: true,
    knownBy: ["AssetNumber"],
    needs: [["AssetNumber"], ["Name"], ["PurchaseDate"], ["Cost"]],
  },
  payment: {
    resource: payment,
    one: "payment",
    several: "payments",
    fields: paymentRowFields,
    omit: ["PaymentID", "Status", "Prepayment", "Overpayment"],
    groupedBy: "Invoice",
    sharedBy: ["Invoice.InvoiceID", "Invoice.InvoiceNumber", "CreditNote.CreditNoteNumber"],
    needs: [
      ["Invoice.InvoiceNumber", "Invoice.InvoiceID", "CreditNote.CreditNoteNumber", "Credit.Date"],
      ["Account.Code", "Account.AccountID"],
      ["Date"],
      ["Amount"],
    ],
  },
  account: {
    resource: account,
    one: "account",
    several: "accounts",
    fields: account.fields,
    groupedBy: "Name",
    knownBy: ["Code", "Name"],
    needs: [["Name"], ["Type"]],
    statuses: { ARCHIVED: ["ACTIVE", "ARCHIVED"] },
  },
  "tax-rate": {
    resource: taxRate,
    one: "tax rate",
    several: "tax rates",
    fields: taxRate.fields,
    groupedBy: "Name",
    knownBy: ["Name"],
    needs: [["Name"], ["TaxComponents"]],
  },
  tracking: {
    resource: trackingCategory,
    one: "tracking category",
    several: "tracking categories",
    fields: { ...trackingCategory.fields, Options: options },
    groupedBy: "Name",
    knownBy: ["Name"],
    needs: [["Name"]],
  },
  currency: {
    resource: currency,
    one: "currency",
    several: "currencies",
    fields: { Code: currency.fields.Code },
    lines: { name: "Rates", fields: exchangeRate.fields },
    groupedBy: "Code",
    knownBy: ["Code"],
    needs: [["Code"]],
  },
  "credit-note": {
    resource: creditNote,
    one: "credit note",
    several: "credit notes",
    fields: {
      ...creditNote.fields,
      CreditNoteID: text(),
      Allocations: allocations,
    },
    lines: lineItemList,
    groupedBy: "CreditNoteID",
    isSuppliers: (type) => type.toUpperCase() === "ACCPAYCREDIT",
    dated: "Date",
    needs: [
      ["CreditNoteID", "CreditNoteNumber"],
      ["Type"],
      ["Contact.Name", "Contact.ContactNumber"],
      ["Date"],
    ],
  },
  quote: {
    resource: quote,
    one: "quote",
    several: "quotes",
    fields: quote.fields,
    lines: lineItemList,
    groupedBy: "QuoteNumber",
    knownBy: ["QuoteNumber"],
    needs: [["QuoteNumber"], ["Contact.Name", "Contact.ContactNumber"], ["Date"]],
    statuses: {
      ACCEPTED: ["SENT", "ACCEPTED"],
      DECLINED: ["SENT", "DECLINED"],
      INVOICED: ["SENT", "INVOICED"],
    },
  },
  "purchase-order": {
    resource: purchaseOrder,
    one: "purchase order",
    several: "purchase orders",
    fields: purchaseOrder.fields,
    lines: lineItemList,
    groupedBy: "PurchaseOrderNumber",
    knownBy: ["PurchaseOrderNumber"],
    needs: [["PurchaseOrderNumber"], ["Contact.Name", "Contact.ContactNumber"], ["Date"]],
    statuses: { BILLED: ["AUTHORISED", "BILLED"] },
    isContactLookedUp: true,
  },
  "bank-transaction": {
    resource: bankTransaction,
    one: "bank transaction",
    several: "bank transactions",
    fields: {
      ...bankTransaction.fields,
      BankTransactionID: text(),
      Allocations: allocations,
    },
    lines: lineItemList,
    groupedBy: "BankTransactionID",
    dated: "Date",
    needs: [["Type"], ["BankAccount.Code"], ["Date"]],
  },
  "bank-transfer": {
    resource: bankTransfer,
    one: "bank transfer",
    several: "bank transfers",
    fields: { ...bankTransfer.fields, BankTransferID: text() },
    groupedBy: "BankTransferID",
    dated: "Date",
    needs: [["FromBankAccount.Code"], ["ToBankAccount.Code"], ["Amount"], ["Date"]],
  },
  "manual-journal": {
    resource: manualJournal,
    one: "manual journal",
    several: "manual journals",
    fields: { ...manualJournal.fields, ManualJournalID: text() },
    lines: {
      name: "JournalLines",
      fields: journalLineFields,
      typed: { fields: { Debit: money(), Credit: money() }, settle: settleSides },
    },
    groupedBy: "ManualJournalID",
    alikeBy: ["Narration", "Date"],
    dated: "Date",
    needs: [
      ["Narration"],
      ["Date"],
      ["JournalLines.LineAmount", "JournalLines.Debit", "JournalLines.Credit"],
    ],
  },
  "bank-rule": {
    resource: bankRule,
    one: "bank rule",
    several: "bank rules",
    fields: bankRule.fields,
    groupedBy: "Name",
    knownBy: ["Name"],
    needs: [["Name"], ["Conditions"]],
  },
  budget: {
    resource: budget,
    one: "budget",
    several: "budgets",
    fields: { ...budget.fields, BudgetID: text() },
    lines: {
      name: "BudgetLines",
      nested: "BudgetBalances",
      fields: {
        AccountCode: text({ max: 10 }),
        Period: text({ max: 7 }),
        Amount: money(),
        Notes: text({ max: 255 }),
      },
    },
    groupedBy: "BudgetID",
    knownBy: ["Type", "Description"],
    needs: [["Type"], ["BudgetLines.AccountCode"], ["BudgetLines.Period"], ["BudgetLines.Amount"]],
  },
  "bank-statement": {
    resource: bankStatement,
    one: "bank statement",
    several: "bank statements",
    fields: { ...bankStatement.fields, BankStatementID: text() },
    lines: { name: "StatementLines", fields: bankStatement.fields.StatementLines.fields },
    groupedBy: "BankStatementID",
    needs: [
      ["BankStatementID"],
      ["BankAccount.Code"],
      ["StatementLines.Key"],
      ["StatementLines.Amount"],
    ],
  },
};
