/** /Items: goods and services bought and sold; tracked items have quantity and value on hand. */

import { roundUnit } from "../../../ledger/documents/totals.ts";
import type { Account } from "../../../resources/account.ts";
import type { Cents, Quantity } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { item } from "../../../resources/index.ts";
import type { Item } from "../../../resources/item.ts";
import { fetch, remove } from "../../../store/mapping/records.ts";
import { isUsed } from "../../../store/queries/references.ts";
import { fold } from "../../../wire/fold.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import {
  activeAccount,
  activeTaxType,
  type Chart,
  loadChart,
} from "../../lookups/chart-of-accounts.ts";
import { noContent } from "../../request/answer.ts";
import type { RequestContext } from "../../request/context.ts";
import {
  type Endpoint,
  locate,
  type RecordWriter,
  type WriteRequest,
} from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { recordFrom } from "../../request/merge.ts";
import { unique } from "../../request/unique.ts";

interface ItemBatchContext {
  readonly chart: Chart;
  /** Items by folded code, including those already decided in the batch. */
  readonly byCode: Map<string, Item>;
  /** Ids of the batch's items that have transactions. */
  readonly usedIds: ReadonlySet<string>;
}

async function itemsByCode({ tx, entries }: WriteRequest<Item>): Promise<Map<string, Item>> {
  const codes = unique(entries.map(({ input }) => (input as Partial<Item>).Code));
  const items = await fetch(tx, item, "Code", codes);
  return new Map(items.map((item) => [fold(item.Code), item]));
}

export const items: Endpoint<Item, ItemBatchContext> = {
  resource: item,

  async byKey(tx, key) {
    const [match] = await fetch(tx, item, "Code", [key]);
    return match;
  },

  writer: async () => itemWriting,
};

const itemWriting: RecordWriter<Item, ItemBatchContext> = {
  async alternates(batch) {
    const byCode = await itemsByCode(batch);
    return batch.entries.map(({ input }) => byCode.get(fold((input as Partial<Item>).Code ?? "")));
  },

  clash: (_input, stored) => ({ rule: "Unique", message: codeTakenFault(stored.Code) }),

  async load(batch) {
    const used = new Set<string>();
    for (const { existing, input } of batch.entries) {
      const assetAccountCode = (input as Partial<Item>).InventoryAssetAccountCode;
      if (existing === undefined || assetAccountCode === existing.InventoryAssetAccountCode)
        continue;
      if (await isUsed(batch.tx, item, existing.ItemID)) used.add(existing.ItemID);
    }
    return { chart: await loadChart(batch.tx), byCode: await itemsByCode(batch), usedIds: used };
  },

  decide({ call, unitDecimals }, { chart, byCode, usedIds: used }, entry) {
    const faults = new Faults();
    const { existing } = entry;
    const input = entry.input as Partial<Item>;
    const record = recordFrom<Item>(item, call, existing, input);
    keepDigits(record, existing, unitDecimals);
    record.IsTrackedAsInventory = record.InventoryAssetAccountCode !== undefined;
    if (existing !== undefined && input.Code === undefined)
      faults.add("Required", "Code is required.");
    const holder = byCode.get(fold(record.Code));
    if (holder !== undefined && holder.ItemID !== record.ItemID)
      faults.add("Unique", codeTakenFault(record.Code));
    dropUnused(record);
    if (record.IsTrackedAsInventory) checkTracked(record, existing, chart, used, faults);
    else checkUntracked(record, existing, faults);
    checkDetails(record, existing, chart, faults);
    faults.check();
    byCode.set(fold(record.Code), record);
    entry.record = record;
    entry.history.push(
      existing === undefined
        ? { changes: "Created", details: `Item ${record.Code} was created.` }
        : { changes: "Edited", details: `Item ${record.Code} was edited.` },
    );
  },
};

function codeTakenFault(code: string): string {
  return `Price List Item with Code '${code}' already exists`;
}

/** Keeps the further digits of prices that are sent back as they are shown, with two decimals. */
function keepDigits(record: Item, stored: Item | undefined, unitDecimals: 2 | 4): void {
  for (const name of ["SalesDetails", "PurchaseDetails"] as const) {
    const [details, former] = [record[name], stored?.[name]?.UnitPrice];
    if (former !== undefined && details?.UnitPrice === roundUnit(former, unitDecimals))
      record[name] = { ...details, UnitPrice: former };
  }
}

/** Removes sales details of an item that is not sold, and likewise purchase details. */
function dropUnused(record: Item): void {
  if (!record.IsSold) {
    record.Description = undefined;
    record.SalesDetails = undefined;
  }
  if (!record.IsPurchased) {
    record.PurchaseDescription = undefined;
    record.PurchaseDetails = undefined;
  }
}

function checkTracked(
  record: Item,
  stored: Item | undefined,
  chart: Chart,
  usedIds: ReadonlySet<string>,
  faults: Faults,
): void {
  const { InventoryAssetAccountCode: assetAccountCode = "", PurchaseDetails: purchase } = record;
  const cost = purchase?.COGSAccountCode;
  const code = (field: string, value: string, types: readonly Account["Type"][]) => {
    const account = chart.account(value);
    if (account?.Status === "ACTIVE" && types.includes(account.Type)) return;
    faults.add(
      "Form",
      `${field} '${value}' must be the code of an active account of type ${types.join(" or ")}.`,
    );
  };
  if (assetAccountCode !== stored?.InventoryAssetAccountCode) {
    code("InventoryAssetAccountCode", assetAccountCode, ["INVENTORY"]);
  }
  if (cost === undefined) {
    faults.add("Required", "PurchaseDetails.COGSAccountCode is required for a tracked item.");
  } else if (cost !== stored?.PurchaseDetails?.COGSAccountCode) {
    code("PurchaseDetails.COGSAccountCode", cost, ["DIRECTCOSTS", "EXPENSE"]);
  }
  if (purchase?.AccountCode !== undefined) {
    faults.add("SystemAccount", "PurchaseDetails.AccountCode is not applicable to tracked items.");
  }
  if (stored !== undefined && assetAccountCode !== stored.InventoryAssetAccountCode) {
    if (usedIds.has(stored.ItemID)) faults.add("ApprovedFields", usedItemRefusal(stored));
  }
  record.QuantityOnHand ??= 0 as Quantity;
  record.TotalCostPool ??= 0 as Cents;
}

/** Returns the refusal to change tracking or inventory account of an item with transactions. */
function usedItemRefusal(stored: Item): string {
  return stored.IsTrackedAsInventory
    ? `The item ${stored.Code} has transactions and keeps its inventory account.`
    : `The item ${stored.Code} has transactions and cannot become tracked.`;
}

function checkUntracked(record: Item, stored: Item | undefined, faults: Faults): void {
  if (stored?.IsTrackedAsInventory) {
    faults.add("ApprovedFields", `The tracked item ${stored.Code} cannot become untracked.`);
  }
  if (record.PurchaseDetails?.COGSAccountCode !== undefined) {
    faults.add(
      "SystemAccount",
      "PurchaseDetails.COGSAccountCode is for tracked items only; they need InventoryAssetAccountCode.",
    );
  }
}

function checkDetails(record: Item, stored: Item | undefined, chart: Chart, faults: Faults): void {
  if (record.SalesDetails?.COGSAccountCode !== undefined) {
    faults.add("Form", "COGSAccountCode belongs to the purchase details.");
  }
  for (const name of ["SalesDetails", "PurchaseDetails"] as const) {
    const details = record[name];
    const formerDetails = stored?.[name];
    if (details === undefined) continue;
    const { AccountCode, TaxType } = details;
    if (AccountCode !== undefined && AccountCode !== formerDetails?.AccountCode) {
      activeAccount(chart, `${name}.AccountCode`, AccountCode, faults);
    }
    if (TaxType !== undefined && TaxType !== formerDetails?.TaxType) {
      const activeType = activeTaxType(chart, `${name}.TaxType`, TaxType, faults);
      record[name] = { ...details, TaxType: activeType };
    }
  }
}

/** DELETE /Items/{id}: refused for tracked items with transactions. */
export async function deleteItem(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const record = await locate(call, tx, items, key);
    if (record.IsTrackedAsInventory && (await isUsed(tx, item, record.ItemID))) {
      throw refusal(
        "HasTransactions",
        `The tracked item ${record.Code} has transactions and cannot be deleted.`,
      );
    }
    await remove(tx, item, [record.ItemID]);
    return noContent;
  });
}
