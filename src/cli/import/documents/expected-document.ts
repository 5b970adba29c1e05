/** Computes the totals of a document as the service will store it. */
import { completeLine, documentTotals } from "../../../ledger/documents/totals.ts";
import { canApply } from "../../../ledger/tax.ts";
import { smallestAmount } from "../../../resources/common.ts";
import { RefusedError } from "../../../resources/errors.ts";
import type { Invoice } from "../../../resources/invoice.ts";
import type { Item } from "../../../resources/item.ts";
import type { KnownContact } from "../records/contact-book.ts";
import type { ImportChart } from "../records/import-chart.ts";
import type { ItemList } from "../records/item-list.ts";
import type { StoredTotals } from "../records/stored-totals.ts";
import { type DocumentRecord, type Line, linesOf } from "./document-record.ts";

interface TotalsContext {
  readonly chart: ImportChart;
  readonly items: ItemList;
  readonly type: "ACCREC" | "ACCPAY";
}

/** Returns the totals; undefined where the service will refuse a line. */
export function documentStored(
  candidate: DocumentRecord,
  contact: KnownContact,
  { chart, items, type }: TotalsContext,
): StoredTotals | undefined {
  const { LineAmountTypes: types = "Exclusive", CurrencyCode } =
    candidate.input as Partial<Invoice>;
  const currency = CurrencyCode ?? contact.defaults.currency ?? chart.organisation.BaseCurrency;
  const smallest = smallestAmount(currency);
  const lines: Line[] = [];
  for (const line of linesOf(candidate)) {
    const knownItem = line.ItemCode === undefined ? undefined : items.find(line.ItemCode);
    const item = knownItem?.found ?? (knownItem?.input as Partial<Item> | undefined);
    const details = type === "ACCREC" ? item?.SalesDetails : item?.PurchaseDetails;
    const priced =
      line.LineAmount === undefined || line.Quantity === undefined
        ? { ...line, UnitAmount: line.UnitAmount ?? details?.UnitPrice }
        : line;
    const rate =
      types === "NoTax" ? undefined : rateOf(line, item, contact, { chart, items, type });
    const context = {
      types,
      rate,
      unitDecimals: 4,
      discounts: type === "ACCREC",
      currency,
    } as const;
    const { line: completed, faults } = completeLine(priced, context);
    if (faults.length > 0) return undefined;
    lines.push(completed);
  }
  try {
    const { SubTotal: net, TotalTax: tax, Total: gross } = documentTotals(lines, types, smallest);
    return { currency, net, tax, gross };
  } catch (error) {
    if (error instanceof RefusedError) return undefined; // too large, as the service will say
    throw error;
  }
}

/**
 * Returns the effective tax rate of a line: by its own tax type, else by the tax type of contact,
 * item or account.
 */
function rateOf(
  line: Line,
  item: Partial<Item> | undefined,
  { defaults: usual }: KnownContact,
  { chart, type }: TotalsContext,
) {
  const [details, contact] =
    type === "ACCREC"
      ? [item?.SalesDetails, usual.sales]
      : [item?.PurchaseDetails, usual.purchases];
  const isTracked = type === "ACCPAY" && item?.IsTrackedAsInventory === true;
  const code =
    line.AccountCode ??
    (isTracked ? item.InventoryAssetAccountCode : details?.AccountCode) ??
    contact.account;
  const account = code === undefined ? undefined : chart.account(code);
  const expensed = chart.account(item?.PurchaseDetails?.COGSAccountCode ?? "")?.TaxType;
  const stock = isTracked ? chart.rate(expensed ?? "") : undefined;
  const applies = stock !== undefined && account !== undefined && canApply(stock, account.Class);
  const preferred = contact.tax ?? details?.TaxType ?? (applies ? stock.TaxType : undefined);
  const usualType = chart.organisation.PaysTax ? (preferred ?? account?.TaxType) : undefined;
  return chart.rate(line.TaxType ?? usualType ?? "")?.EffectiveRate;
}
