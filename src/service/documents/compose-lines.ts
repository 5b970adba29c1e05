/**
 * The lines of a document: resolves their references, computes their amounts, and checks whether
 * they may be posted.
 */

import { completeLine, isDescriptionOnly } from "../../ledger/documents/totals.ts";
import { canApply } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import type { LineAmountTypes } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { prepayment } from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { fold } from "../../wire/fold.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import type { Faults } from "../request/faults.ts";
import { bankLineFaults, setSingleLine } from "./bank.ts";
import {
  type AddFault,
  accountNamed,
  faultOf,
  isKeptByLedger,
  noLineAccount,
  noPrepaidAccount,
  taxRateNamed,
  trackingNamed,
  untaxedTypes,
  untaxedWarning,
} from "./coding.ts";
import type { BankRules } from "./kind.ts";
import type { DocumentInProgress } from "./writing/document-in-progress.ts";

/** Pipeline stage: composes the lines of a document from its input and its current lines. */
export function composeLines(document: DocumentInProgress): void {
  const { batch, work, kind, record, existing, input, linesBefore, complete, faults } = document;
  const sent =
    input.LineItems === undefined ? linesBefore : mergeLines(linesBefore, input.LineItems, faults);
  if (sent.length === 0 && (existing === undefined || complete || input.LineItems !== undefined)) {
    faults.add("Required", "One or more line items must be specified");
  }
  setSingleLine(document, sent);
  const { coded } = kind.bank ?? {};
  const context: DocumentLineContext = {
    direction: kind.side,
    bank: kind.bank,
    coded: coded === undefined ? undefined : work.chart.system(coded),
    prepaid: kind.resource === prepayment,
    discounts: kind.discounts === true,
    pricesUnits: kind.pricesUnits === true,
    chart: work.chart,
    itemByCode: work.itemByCode,
    organisation: batch.organisation,
    date: record.Date,
    contact: document.contact,
    types: record.LineAmountTypes,
    currency: record.CurrencyCode,
    unitDecimals: batch.unitDecimals,
    isComplete: complete,
    isApproving: complete && !document.wasApproved,
    before: new Map(linesBefore.map((line) => [line.LineItemID, line])),
    isRetyped: existing !== undefined && existing.LineAmountTypes !== record.LineAmountTypes,
    newId: batch.call.newId,
  };
  record.LineItems = completeLines(sent, context, faults);
  const lost = record.LineAmountTypes === "NoTax" ? untaxedTypes(input.LineItems) : [];
  if (lost.length > 0) document.entry.warnings.push(untaxedWarning(lost));
}

interface DocumentLineContext {
  readonly direction: "sales" | "purchases";
  /** Line rules of bank transactions; undefined for other documents. */
  readonly bank: BankRules | undefined;
  /** The account of every line, where the service chooses it; undefined where the caller does. */
  readonly coded: Account | undefined;
  /** Whether the document is a prepayment. */
  readonly prepaid: boolean;
  readonly discounts: boolean;
  readonly pricesUnits: boolean;
  readonly chart: Chart;
  readonly itemByCode: ReadonlyMap<string, Item>;
  readonly organisation: Organisation;
  /** Date of the document; undefined for a template. */
  readonly date: string | undefined;
  readonly contact: Contact | undefined;
  readonly types: LineAmountTypes;
  /** Currency of the document. */
  readonly currency: string;
  readonly unitDecimals: 2 | 4;
  /** Whether the document is to be submitted or approved: every line must be complete. */
  readonly isComplete: boolean;
  /** Whether every line is checked again, changed or not, since the document gets approved. */
  readonly isApproving: boolean;
  /** Current lines of the document by their ids. */
  readonly before: ReadonlyMap<string | undefined, LineItem>;
  /** Whether the tax-inclusive setting of the amounts changes. */
  readonly isRetyped: boolean;
  readonly newId: () => string;
}

/** Inputs of a line's amounts: sending one of these recomputes the amounts. */
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
 * Merges sent lines into the lines of a document by LineItemID.
 *
 * A line with a known id is updated, a line without one is added, and a line that is not sent is
 * removed.
 */
function mergeLines(
  storedLines: readonly LineItem[],
  sentLines: readonly Partial<LineItem>[],
  faults: Faults,
): Partial<LineItem>[] {
  const linesById = new Map(storedLines.map((line) => [line.LineItemID, line]));
  const seen = new Set<string>();
  return sentLines.map((line, index) => {
    if (line.LineItemID === undefined || storedLines.length === 0)
      return { ...line, LineItemID: undefined };
    const storedLine = linesById.get(line.LineItemID);
    if (storedLine === undefined) {
      faults.add("NotFound", `LineItems[${index}]: the document has no line ${line.LineItemID}.`);
      return line;
    }
    if (seen.has(line.LineItemID))
      faults.add("Unique", `LineItems[${index}]: the line ${line.LineItemID} is given twice.`);
    seen.add(line.LineItemID);
    const merged: Partial<LineItem> = { ...storedLine };
    if (changesLineAmount(line, storedLine)) {
      merged.LineAmount = undefined;
      merged.TaxAmount = undefined;
      if (Object.hasOwn(line, "AccountCode")) merged.AccountID = undefined;
      if (Object.hasOwn(line, "AccountID")) merged.AccountCode = undefined;
      // Clients send back both names of the account with only one of them changed.
      const stale = unchangedAccountKey(line, storedLine);
      if (stale !== undefined) return { ...merged, ...line, [stale]: undefined };
      if (Object.hasOwn(line, "ItemCode")) merged.Item = undefined;
      if (line.DiscountAmount !== undefined) merged.DiscountRate = undefined;
      if (line.DiscountRate !== undefined) merged.DiscountAmount = undefined;
    }
    return { ...merged, ...line };
  });
}

/** Returns which of id and code of the account is unchanged, where the other has changed. */
function unchangedAccountKey(line: Partial<LineItem>, storedLine: LineItem) {
  const names = ["AccountID", "AccountCode"] as const;
  if (names.some((name) => line[name] === undefined)) return undefined;
  const stale = names.filter((name) => line[name] === storedLine[name]);
  return stale.length === 1 ? stale[0] : undefined;
}

/** Whether the sent fields of a line, including cleared ones, change the inputs of its amounts. */
function changesLineAmount(line: Partial<LineItem>, storedLine: LineItem): boolean {
  return moneyFields.some((name) => Object.hasOwn(line, name) && line[name] !== storedLine[name]);
}

/** Resolves, completes and checks every line; faults name the line. */
function completeLines(
  lines: readonly Partial<LineItem>[],
  context: DocumentLineContext,
  faults: Faults,
): LineItem[] {
  return lines.map((line, index) => complete(line, context, faultOf(lines, index, faults)));
}

function complete(
  sent: Partial<LineItem>,
  context: DocumentLineContext,
  fault: AddFault,
): LineItem {
  const { chart, isComplete, isRetyped } = context;
  const before = sent.LineItemID === undefined ? undefined : context.before.get(sent.LineItemID);
  const line: LineItem = { ...sent, LineItemID: sent.LineItemID ?? context.newId() };
  const isKeptOption = (optionId: string) =>
    before?.Tracking?.some((record) => record.TrackingOptionID === optionId) === true;
  const isUntouched =
    before !== undefined && !changesLineAmount(line, before) && line.TaxAmount === before.TaxAmount;
  if (isUntouched && !context.isApproving && !isRetyped) {
    // A line accepted earlier stays valid, whatever happened to its account, item or tax rate.
    const Tracking = trackingNamed(line, chart.tracking, isKeptOption, fault);
    return { ...before, Description: line.Description, Tracking };
  }
  if (isRetyped && sent.TaxAmount === before?.TaxAmount) line.TaxAmount = undefined;
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
  if (!line.Description && isComplete) fault("Required", "Description is required on every line.");
  const account = context.coded ?? accountOf(line, before, item, context, fault);
  if (account !== undefined) {
    line.AccountID = account.AccountID;
    line.AccountCode = account.Code;
  }
  const rate = taxRateOf(line, before, account, item, context, fault);
  line.Tracking = trackingNamed(line, chart.tracking, isKeptOption, fault);
  const finished = completeLine(line, {
    types: context.types,
    rate: rate?.EffectiveRate,
    unitDecimals: context.unitDecimals,
    discounts: context.discounts,
    currency: context.currency,
    stored: before?.UnitAmount,
  });
  for (const lineFault of finished.faults) fault(lineFault.rule, lineFault.message);
  const result = finished.line;
  if (context.bank !== undefined && finished.faults.length === 0) {
    const { bank, types, currency } = context;
    for (const bankFault of bankLineFaults(result, bank, types, rate?.EffectiveRate, currency)) {
      fault(bankFault.rule, bankFault.message);
    }
  }
  if (isComplete) checkWhole(line, result, account, rate, fault);
  return result;
}

/**
 * Checks that a line with an amount is complete, for approval.
 *
 * @param line  the sent line with the defaults of its item
 * @param result  the same line, computed
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
  lineBefore: LineItem | undefined,
  context: DocumentLineContext,
  fault: AddFault,
): Item | undefined {
  if (line.ItemCode === undefined) return undefined;
  const item = context.itemByCode.get(fold(line.ItemCode));
  if (item === undefined) {
    // The line may keep the code of a deleted item.
    if (line.ItemCode === lineBefore?.ItemCode) return undefined;
    fault("NotFound", `There is no item with code '${line.ItemCode}'; create it first.`);
    return undefined;
  }
  if (context.direction === "sales" ? !item.IsSold : !item.IsPurchased) {
    fault(
      "NotFound",
      `The item ${item.Code} is not ${context.direction === "sales" ? "sold" : "purchased"}.`,
    );
  }
  return item;
}

/** Applies the item's price, account and description as defaults of the line. */
function applyItem(line: LineItem, item: Item, { direction: side }: DocumentLineContext): void {
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

/** Applies the contact's default account, where neither the line nor its item has one. */
function applyContact(line: LineItem, { direction: side, contact }: DocumentLineContext): void {
  if (line.AccountCode !== undefined || line.AccountID !== undefined) return;
  line.AccountCode =
    side === "sales" ? contact?.SalesDefaultAccountCode : contact?.PurchasesDefaultAccountCode;
}

function accountOf(
  line: LineItem,
  lineBefore: LineItem | undefined,
  item: Item | undefined,
  { chart, direction: side, isApproving, prepaid }: DocumentLineContext,
  fault: AddFault,
): Account | undefined {
  const account = accountNamed(
    line,
    chart,
    ({ AccountID }) => AccountID === lineBefore?.AccountID && !isApproving,
    fault,
  );
  if (account === undefined) return undefined;
  const name = account.Code ?? account.Name;
  if (account.Type === "BANK" || isKeptByLedger(account)) {
    fault("SystemAccount", prepaid ? noPrepaidAccount(account, chart, side) : noLineAccount(name));
  }
  const isTracked = item?.IsTrackedAsInventory === true;
  const asset = isTracked && side === "purchases" ? item.InventoryAssetAccountCode : undefined;
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
 * Returns the tax rate of a line: its own, else the rate of the contact, the item or the account.
 *
 * @returns undefined where the line has none, or bears no tax at all
 */
function taxRateOf(
  line: LineItem,
  lineBefore: LineItem | undefined,
  account: Account | undefined,
  item: Item | undefined,
  context: DocumentLineContext,
  fault: AddFault,
): TaxRate | undefined {
  const { direction: side, contact } = context;
  const details = side === "sales" ? item?.SalesDetails : item?.PurchaseDetails;
  const fromContact =
    side === "sales" ? contact?.AccountsReceivableTaxType : contact?.AccountsPayableTaxType;
  const preferred = fromContact ?? details?.TaxType ?? stockPurchaseTax(account, item, context);
  return taxRateNamed(
    line,
    account,
    { ...context, preferred, isKept: (taxType) => taxType === lineBefore?.TaxType },
    fault,
  );
}

/**
 * Returns the tax rate of a purchase of stock: the default of the item's expense account, since
 * the tax type of the inventory account is meaningless for purchases.
 */
function stockPurchaseTax(
  account: Account | undefined,
  item: Item | undefined,
  { direction: side, chart }: DocumentLineContext,
): string | undefined {
  if (side === "sales" || item?.IsTrackedAsInventory !== true || account === undefined) {
    return undefined;
  }
  const expensed = chart.account(item.PurchaseDetails?.COGSAccountCode ?? "")?.TaxType;
  const rate = chart.taxRate(expensed ?? "");
  return rate !== undefined && canApply(rate, account.Class) ? rate.TaxType : undefined;
}
