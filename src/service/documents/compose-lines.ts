/**
 * The lines of a document: what each refers to, what it adds up to, and whether it may be posted.
 */

import { completeLine, isDescriptionOnly } from "../../ledger/documents/totals.ts";
import { canApply } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import { type LineAmountTypes, smallestAmount } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { prepayment } from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { fold } from "../../wire/fold.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import type { Faults } from "../request/faults.ts";
import { bankLineFaults, codeLine } from "./bank.ts";
import {
  type AddFault,
  accountNamed,
  faultOf,
  isKeptByLedger,
  noLineAccount,
  noPrepaidAccount,
  taxRateNamed,
  trackingNamed,
} from "./coding.ts";
import type { BankRules } from "./kind.ts";
import type { DocumentInProgress } from "./writing/document-in-progress.ts";

/** The stage that makes the lines of a document from what was sent and what it had. */
export function composeLines(document: DocumentInProgress): void {
  const { batch, work, kind, record, existing, input, linesBefore, complete, faults } = document;
  const sent =
    input.LineItems === undefined ? linesBefore : mergeLines(linesBefore, input.LineItems, faults);
  if (sent.length === 0 && (existing === undefined || complete || input.LineItems !== undefined)) {
    faults.add("Required", "One or more line items must be specified");
  }
  codeLine(document, sent);
  const { coded } = kind.bank ?? {};
  const context: DocumentLineContext = {
    side: kind.side,
    bank: kind.bank,
    coded: coded === undefined ? undefined : work.chart.system(coded),
    prepaid: kind.resource === prepayment,
    discounts: kind.discounts === true,
    pricesUnits: kind.pricesUnits === true,
    chart: work.chart,
    items: work.items,
    organisation: batch.organisation,
    date: record.Date,
    contact: document.contact,
    types: record.LineAmountTypes,
    currency: record.CurrencyCode,
    unitDecimals: batch.unitDecimals,
    complete,
    approving: complete && !document.wasApproved,
    before: new Map(linesBefore.map((line) => [line.LineItemID, line])),
    retyped: existing !== undefined && existing.LineAmountTypes !== record.LineAmountTypes,
    newId: batch.call.newId,
  };
  record.LineItems = completeLines(sent, context, faults);
}

interface DocumentLineContext {
  readonly side: "sales" | "purchases";
  /** Rules of bank transactions for their lines. */
  readonly bank: BankRules | undefined;
  /** The account of every line, which the service chooses; undefined where the caller does. */
  readonly coded: Account | undefined;
  /** Whether it is money paid before its invoice. */
  readonly prepaid: boolean;
  readonly discounts: boolean;
  readonly pricesUnits: boolean;
  readonly chart: Chart;
  readonly items: ReadonlyMap<string, Item>;
  readonly organisation: Organisation;
  /** Of the document; a template has none. */
  readonly date: string | undefined;
  readonly contact: Contact | undefined;
  readonly types: LineAmountTypes;
  /** Of the document. */
  readonly currency: string;
  readonly unitDecimals: 2 | 4;
  /** True for a document that is to be submitted or approved: every line must be complete. */
  readonly complete: boolean;
  /** Every line is looked at again, whether or not it is changed. */
  readonly approving: boolean;
  /** The lines of the document until now, by their ids. */
  readonly before: ReadonlyMap<string | undefined, LineItem>;
  /** Whether the amounts now include or exclude the tax where they did not before. */
  readonly retyped: boolean;
  readonly newId: () => string;
}

/** Inputs of a line; when one of these is sent, the computed amounts are made anew. */
const moneyFields = [
  "Quantity",
  "UnitAmount",
  "LineAmount",
  "DiscountRate",
  "DiscountAmount",
  "TaxType",
  "AccountCode",
  "AccountID",
  "ItemCode",
] as const;

/**
 * Lays sent lines over the lines of a document by their LineItemIDs.
 *
 * A line with a known id is updated, a line without one is new, and a line that is not sent goes.
 */
function mergeLines(
  existing: readonly LineItem[],
  sent: readonly Partial<LineItem>[],
  faults: Faults,
): Partial<LineItem>[] {
  const known = new Map(existing.map((line) => [line.LineItemID, line]));
  return sent.map((line, index) => {
    if (line.LineItemID === undefined || existing.length === 0)
      return { ...line, LineItemID: undefined };
    const old = known.get(line.LineItemID);
    if (old === undefined) {
      faults.add("NotFound", `LineItems[${index}]: the document has no line ${line.LineItemID}.`);
      return line;
    }
    known.delete(line.LineItemID);
    const kept: Partial<LineItem> = { ...old };
    if (changesMoney(line, old)) {
      kept.LineAmount = undefined;
      kept.TaxAmount = undefined;
      if (Object.hasOwn(line, "AccountCode")) kept.AccountID = undefined;
      if (Object.hasOwn(line, "AccountID")) kept.AccountCode = undefined;
      // Clients send back what they have read with one of the two changed.
      const stale = onlyChanged(line, old);
      if (stale !== undefined) return { ...kept, ...line, [stale]: undefined };
      if (Object.hasOwn(line, "ItemCode")) kept.Item = undefined;
      if (line.DiscountAmount !== undefined) kept.DiscountRate = undefined;
      if (line.DiscountRate !== undefined) kept.DiscountAmount = undefined;
    }
    return { ...kept, ...line };
  });
}

/** Of both names of its account the one that is the old account's, where the other is not. */
function onlyChanged(line: Partial<LineItem>, old: LineItem) {
  const names = ["AccountID", "AccountCode"] as const;
  if (names.some((name) => line[name] === undefined)) return undefined;
  const stale = names.filter((name) => line[name] === old[name]);
  return stale.length === 1 ? stale[0] : undefined;
}

/** Whether what was sent of a line changes what it is computed from, be it by clearing it. */
function changesMoney(line: Partial<LineItem>, old: LineItem): boolean {
  return moneyFields.some((name) => Object.hasOwn(line, name) && line[name] !== old[name]);
}

/** Resolves, completes and checks every line; faults name the line they belong to. */
function completeLines(
  lines: readonly Partial<LineItem>[],
  context: DocumentLineContext,
  faults: Faults,
): LineItem[] {
  return lines.map((line, index) => completed(line, context, faultOf(lines, index, faults)));
}

function completed(
  sent: Partial<LineItem>,
  context: DocumentLineContext,
  fault: AddFault,
): LineItem {
  const { chart, complete, retyped } = context;
  const before = sent.LineItemID === undefined ? undefined : context.before.get(sent.LineItemID);
  const line: LineItem = { ...sent, LineItemID: sent.LineItemID ?? context.newId() };
  const isKept = (optionId: string) =>
    before?.Tracking?.some((each) => each.TrackingOptionID === optionId) === true;
  const untouched =
    before !== undefined && !changesMoney(line, before) && line.TaxAmount === before.TaxAmount;
  if (untouched && !context.approving && !retyped) {
    // A line that was accepted once stands, whatever became of its account, its item or its tax rate.
    const Tracking = trackingNamed(line, chart.tracking, isKept, fault);
    return { ...before, Description: line.Description, Tracking };
  }
  if (retyped && sent.TaxAmount === before?.TaxAmount) line.TaxAmount = undefined;
  const item = itemOf(line, before, context, fault);
  if (item !== undefined) applyItem(line, item, context);
  if (isDescriptionOnly(line)) {
    if (!line.Description) fault("Required", "A line needs a Description, or an amount.");
    return { LineItemID: line.LineItemID, Description: line.Description };
  }
  if (context.pricesUnits && line.Quantity !== undefined && line.UnitAmount === undefined) {
    fault("Required", "UnitAmount is required on a line that has a Quantity.");
  }
  applyContact(line, context);
  if (!line.Description && complete) fault("Required", "Description is required on every line.");
  const account = context.coded ?? accountOf(line, before, item, context, fault);
  if (account !== undefined) {
    line.AccountID = account.AccountID;
    line.AccountCode = account.Code;
  }
  const rate = taxRateOf(line, before, account, item, context, fault);
  line.Tracking = trackingNamed(line, chart.tracking, isKept, fault);
  const finished = completeLine(line, {
    types: context.types,
    rate: rate?.EffectiveRate,
    unitDecimals: context.unitDecimals,
    discounts: context.discounts,
    currency: context.currency,
    stored: before?.UnitAmount,
  });
  for (const each of finished.faults) fault(each.rule, each.message);
  const result = finished.line;
  if (context.bank !== undefined && finished.faults.length === 0) {
    const { bank, types, currency } = context;
    const smallest = smallestAmount(currency);
    for (const each of bankLineFaults(result, bank, types, rate?.EffectiveRate, smallest)) {
      fault(each.rule, each.message);
    }
  }
  if (complete) checkWhole(line, result, account, rate, fault);
  return result;
}

/**
 * What a line with an amount must have before its document is approved.
 *
 * @param line    as it was sent, with what its item gives it
 * @param result  the same, computed
 */
function checkWhole(
  line: LineItem,
  result: LineItem,
  account: Account | undefined,
  rate: TaxRate | undefined,
  fault: AddFault,
): void {
  if (account === undefined && line.AccountCode === undefined) {
    fault("Required", "Account code or ID must be specified");
  }
  if (result.Quantity === undefined || result.UnitAmount === undefined) {
    fault("Required", "Quantity and UnitAmount are required on every line that has an amount.");
  }
  if (account !== undefined && rate === undefined && line.TaxType === undefined) {
    fault("Required", "A TaxType is required on every line that has an amount.");
  }
}

function itemOf(
  line: LineItem,
  before: LineItem | undefined,
  context: DocumentLineContext,
  fault: AddFault,
): Item | undefined {
  if (line.ItemCode === undefined) return undefined;
  const item = context.items.get(fold(line.ItemCode));
  if (item === undefined) {
    // The line keeps the code of an item that was deleted since.
    if (line.ItemCode === before?.ItemCode) return undefined;
    fault("NotFound", `There is no item with code '${line.ItemCode}'; create it first.`);
    return undefined;
  }
  if (context.side === "sales" ? !item.IsSold : !item.IsPurchased) {
    fault(
      "NotFound",
      `The item ${item.Code} is not ${context.side === "sales" ? "sold" : "purchased"}.`,
    );
  }
  return item;
}

/** An item's price, account and description stand in where the line has none of its own. */
function applyItem(line: LineItem, item: Item, { side }: DocumentLineContext): void {
  const details = side === "sales" ? item.SalesDetails : item.PurchaseDetails;
  line.ItemCode = item.Code;
  line.Item = { ItemID: item.ItemID, Name: item.Name, Code: item.Code };
  line.Description ??=
    (side === "sales" ? item.Description : item.PurchaseDescription) ?? item.Name;
  if (line.LineAmount === undefined || line.Quantity === undefined)
    line.UnitAmount ??= details?.UnitPrice;
  if (line.AccountCode === undefined && line.AccountID === undefined) {
    line.AccountCode =
      side === "purchases" && item.IsTrackedAsInventory
        ? item.InventoryAssetAccountCode
        : details?.AccountCode;
  }
}

/** The account that is usual for the contact, where neither the line nor its item names one. */
function applyContact(line: LineItem, { side, contact }: DocumentLineContext): void {
  if (line.AccountCode !== undefined || line.AccountID !== undefined) return;
  line.AccountCode =
    side === "sales" ? contact?.SalesDefaultAccountCode : contact?.PurchasesDefaultAccountCode;
}

function accountOf(
  line: LineItem,
  before: LineItem | undefined,
  item: Item | undefined,
  { chart, side, approving, prepaid }: DocumentLineContext,
  fault: AddFault,
): Account | undefined {
  const account = accountNamed(
    line,
    chart,
    ({ AccountID }) => AccountID === before?.AccountID && !approving,
    fault,
  );
  if (account === undefined) return undefined;
  const name = account.Code ?? account.Name;
  if (account.Type === "BANK" || isKeptByLedger(account)) {
    fault("SystemAccount", prepaid ? noPrepaidAccount(account, chart, side) : noLineAccount(name));
  }
  const tracked = item?.IsTrackedAsInventory === true;
  const asset = tracked && side === "purchases" ? item.InventoryAssetAccountCode : undefined;
  if (asset !== undefined && account.Code !== asset) {
    fault(
      "Stock",
      `The tracked item ${item?.Code} is bought on its inventory account ${asset}, not on '${name}'.`,
    );
  }
  if (asset === undefined && account.Type === "INVENTORY") {
    fault(
      "Stock",
      `Account code '${name}' is an inventory account: it takes purchases of tracked items only.`,
    );
  }
  return account;
}

/**
 * The tax rate of a line: its own, else the contact's default, the item's, the account's.
 *
 * @returns undefined where the line has none, or bears no tax at all
 */
function taxRateOf(
  line: LineItem,
  before: LineItem | undefined,
  account: Account | undefined,
  item: Item | undefined,
  context: DocumentLineContext,
  fault: AddFault,
): TaxRate | undefined {
  const { side, contact } = context;
  const details = side === "sales" ? item?.SalesDetails : item?.PurchaseDetails;
  const fromContact =
    side === "sales" ? contact?.AccountsReceivableTaxType : contact?.AccountsPayableTaxType;
  const preferred = fromContact ?? details?.TaxType ?? boughtStockTax(account, item, context);
  return taxRateNamed(
    line,
    account,
    { ...context, preferred, kept: (taxType) => taxType === before?.TaxType },
    fault,
  );
}

/**
 * The tax of stock that is bought: that of the account it is expensed to. The inventory account has
 * none, which says nothing about purchases.
 */
function boughtStockTax(
  account: Account | undefined,
  item: Item | undefined,
  { side, chart }: DocumentLineContext,
): string | undefined {
  if (side === "sales" || item?.IsTrackedAsInventory !== true || account === undefined) {
    return undefined;
  }
  const expensed = chart.account(item.PurchaseDetails?.COGSAccountCode ?? "")?.TaxType;
  const rate = chart.taxRate(expensed ?? "");
  return rate !== undefined && canApply(rate, account.Class) ? rate.TaxType : undefined;
}
