/** What records can be exported, one row each. */
import { account } from "../../resources/account.ts";
import { asset } from "../../resources/asset.ts";
import { contact } from "../../resources/contact.ts";
import { creditNote } from "../../resources/credit-note.ts";
import type { Resource } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { item } from "../../resources/item.ts";
import { payment } from "../../resources/payment.ts";
import { purchaseOrder } from "../../resources/purchase-order.ts";
import { quote } from "../../resources/quote.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { trackingCategory } from "../../resources/tracking-category.ts";
import type { ImportNoun } from "../import/options.ts";

export interface Exported {
  readonly one: string;
  readonly several: string;
  readonly resource: Resource;
  /** A condition that always holds. */
  readonly where?: string;
  /** What `acct import` takes the file as; without it the file has every field that can be set. */
  readonly importedAs?: ImportNoun;
  /** A field without which an import could do nothing with the record. */
  readonly needs?: string;
}

export const exported = {
  invoices: {
    one: "invoice",
    several: "invoices",
    resource: invoice,
    where: 'Type=="ACCREC"',
    importedAs: "invoice",
  },
  bills: {
    one: "bill",
    several: "bills",
    resource: invoice,
    where: 'Type=="ACCPAY"',
    importedAs: "bill",
  },
  contacts: { one: "contact", several: "contacts", resource: contact, importedAs: "contact" },
  items: { one: "item", several: "items", resource: item, importedAs: "item" },
  payments: {
    one: "payment",
    several: "payments",
    resource: payment,
    importedAs: "payment",
    needs: "Invoice",
  },
  assets: { one: "asset", several: "assets", resource: asset, importedAs: "asset" },
  "credit-notes": { one: "credit note", several: "credit notes", resource: creditNote },
  quotes: { one: "quote", several: "quotes", resource: quote },
  "purchase-orders": { one: "purchase order", several: "purchase orders", resource: purchaseOrder },
  accounts: { one: "account", several: "accounts", resource: account },
  "tax-rates": { one: "tax rate", several: "tax rates", resource: taxRate },
  tracking: {
    one: "tracking category",
    several: "tracking categories",
    resource: trackingCategory,
  },
} as const satisfies Readonly<Record<string, Exported>>;

export type ExportedName = keyof typeof exported;
