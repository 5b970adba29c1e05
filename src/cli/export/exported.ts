/** Declares the record kinds that can be exported, one row each. */
import type { Client } from "../../client/types.ts";
import { account } from "../../resources/account.ts";
import { asset } from "../../resources/asset.ts";
import { bankRule } from "../../resources/bank-rule.ts";
import { bankStatement, bankStatementLine } from "../../resources/bank-statement.ts";
import { bankTransaction } from "../../resources/bank-transaction.ts";
import { bankTransfer } from "../../resources/bank-transfer.ts";
import { budget } from "../../resources/budget.ts";
import { contact } from "../../resources/contact.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { currency, exchangeRate } from "../../resources/currency.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { type FieldValues, pathOf, type Resource } from "../../resources/field.ts";
import type { OneTypeName, ServedName } from "../../resources/index.ts";
import { invoice } from "../../resources/invoice.ts";
import { item } from "../../resources/item.ts";
import { manualJournal } from "../../resources/manual-journal.ts";
import { payment } from "../../resources/payment.ts";
import { overpayment, prepayment } from "../../resources/prepayment.ts";
import { purchaseOrder } from "../../resources/purchase-order.ts";
import { quote } from "../../resources/quote.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { trackingCategory } from "../../resources/tracking-category.ts";
import type { ImportNoun } from "../import/options.ts";

export interface ExportedKind {
  readonly one: string;
  readonly several: string;
  readonly resource: Resource;
  /** Filter that always applies. */
  readonly where?: string;
  /** Whether the rows have a column of their posting order. */
  readonly isPosted?: true;
  /** Kind of record as which `acct import` reads the file. */
  readonly importedAs: ImportNoun;
  /** Completes a record for CSV with fields that list answers omit. */
  readonly whole?: (client: Client, record: FieldValues) => Promise<FieldValues>;
}

/** Adds the exchange rates of a currency; none where the service keeps none. */
async function withRates(client: Client, record: FieldValues): Promise<FieldValues> {
  const path = `${pathOf(currency)}/${String(record.Code)}/Rates`;
  try {
    return { ...record, Rates: await client.at(exchangeRate, path) };
  } catch (error) {
    if (error instanceof NotFoundError) return record;
    throw error;
  }
}

/** Adds the allocations of a prepayment or overpayment, which its document lists. */
async function withAllocations(client: Client, record: FieldValues): Promise<FieldValues> {
  const credit = String(record.Type).endsWith("-PREPAYMENT")
    ? prepayment
    : String(record.Type).endsWith("-OVERPAYMENT")
      ? overpayment
      : undefined;
  if (credit === undefined) return record;
  const { Allocations } = await client.find(credit, String(record.BankTransactionID));
  return { ...record, Allocations };
}

/** Adds date and total of the credit to a refund, which identify a credit without a number. */
async function withCredit(client: Client, record: FieldValues): Promise<FieldValues> {
  for (const resource of [creditNote, prepayment, overpayment]) {
    const paid = record[resource.name] as FieldValues | undefined;
    if (paid !== undefined) {
      return { ...record, Credit: await client.find(resource, String(paid[resource.id])) };
    }
  }
  return record;
}

async function withLines(client: Client, record: FieldValues): Promise<FieldValues> {
  const where = `BankStatementID==guid("${String(record.BankStatementID)}")`;
  const lines = await Array.fromAsync(client.list(bankStatementLine, { where, order: "Date ASC" }));
  return { ...record, StatementLines: lines.map((line) => ({ ...line, Key: line.LineKey })) };
}

const findFull =
  (resource: Resource) =>
  (client: Client, record: FieldValues): Promise<FieldValues> =>
    client.find(resource, String(record[resource.id])) as Promise<FieldValues>;

export const exported = {
  currencies: {
    one: "currency",
    several: "currencies",
    resource: currency,
    importedAs: "currency",
    whole: withRates,
  },
  "tax-rates": {
    one: "tax rate",
    several: "tax rates",
    resource: taxRate,
    importedAs: "tax-rate",
  },
  accounts: { one: "account", several: "accounts", resource: account, importedAs: "account" },
  tracking: {
    one: "tracking category",
    several: "tracking categories",
    resource: trackingCategory,
    importedAs: "tracking",
  },
  contacts: { one: "contact", several: "contacts", resource: contact, importedAs: "contact" },
  items: { one: "item", several: "items", resource: item, importedAs: "item" },
  quotes: { one: "quote", several: "quotes", resource: quote, importedAs: "quote" },
  "purchase-orders": {
    one: "purchase order",
    several: "purchase orders",
    resource: purchaseOrder,
    importedAs: "purchase-order",
  },
  bills: {
    one: "bill",
    several: "bills",
    resource: invoice,
    where: 'Type=="ACCPAY"',
    importedAs: "bill",
    isPosted: true,
  },
  invoices: {
    one: "invoice",
    several: "invoices",
    resource: invoice,
    where: 'Type=="ACCREC"',
    importedAs: "invoice",
    isPosted: true,
  },
  "credit-notes": {
    one: "credit note",
    several: "credit notes",
    resource: creditNote,
    importedAs: "credit-note",
    isPosted: true,
  },
  "bank-transactions": {
    one: "bank transaction",
    several: "bank transactions",
    resource: bankTransaction,
    where: 'Type!="RECEIVE-TRANSFER" AND Type!="SPEND-TRANSFER"',
    importedAs: "bank-transaction",
    isPosted: true,
    whole: withAllocations,
  },
  payments: {
    one: "payment",
    several: "payments",
    resource: payment,
    importedAs: "payment",
    isPosted: true,
    whole: withCredit,
  },
  "bank-transfers": {
    one: "bank transfer",
    several: "bank transfers",
    resource: bankTransfer,
    importedAs: "bank-transfer",
    isPosted: true,
  },
  "manual-journals": {
    one: "manual journal",
    several: "manual journals",
    resource: manualJournal,
    importedAs: "manual-journal",
    isPosted: true,
    whole: findFull(manualJournal),
  },
  assets: { one: "asset", several: "assets", resource: asset, importedAs: "asset" },
  budgets: {
    one: "budget",
    several: "budgets",
    resource: budget,
    importedAs: "budget",
    whole: findFull(budget),
  },
  "bank-rules": {
    one: "bank rule",
    several: "bank rules",
    resource: bankRule,
    importedAs: "bank-rule",
  },
  "bank-statements": {
    one: "bank statement",
    several: "bank statements",
    resource: bankStatement,
    importedAs: "bank-statement",
    whole: withLines,
  },
} as const satisfies Readonly<Record<string, ExportedKind>>;

/** Names in the order in which an empty book can import them. */
export type ExportedName = keyof typeof exported;

/**
 * Resources without a file of their own: the exported file that contains them, or why there is
 * none.
 */
const unexported: Readonly<
  Record<UnexportedName, ExportedName | "opening" | "others" | "nowhere">
> = {
  Organisation: "nowhere",
  Prepayment: "bank-transactions",
  Overpayment: "bank-transactions",
  RepeatingInvoice: "nowhere",
  LinkedTransaction: "nowhere",
  ContactGroup: "nowhere",
  BrandingTheme: "nowhere",
  PaymentService: "nowhere",
  Employee: "nowhere",
  User: "nowhere",
  Journal: "others",
  BatchPayment: "payments",
  BankStatementLine: "bank-statements",
  OpeningBalance: "opening",
  Operation: "others",
};

type UnexportedName = Exclude<
  ServedName,
  (typeof exported)[ExportedName]["resource"]["name"] | OneTypeName
>;

const resourcesWithFile: ReadonlySet<string> = new Set(
  Object.values(exported).map(({ resource }) => resource.name),
);

/** Whether no file has the records of a resource. */
export const isNowhere = ({ name }: Resource): boolean =>
  !resourcesWithFile.has(name) && (unexported[name as UnexportedName] ?? "nowhere") === "nowhere";
