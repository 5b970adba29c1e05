/** `/Extensions/Assets`: the register of fixed assets. */

import { depreciableOf } from "../../ledger/assets.ts";
import { exchangeOf } from "../../ledger/postings/currency.ts";
import { lineBase } from "../../ledger/postings/posting.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import type { Account } from "../../resources/account.ts";
import { amountText, smallestAmount } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { asset, invoice } from "../../resources/index.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { fetch, filterFields, list, type StoredFields, save } from "../../store/mapping/records.ts";
import { type DepreciationSum, depreciationByAsset } from "../../store/records/depreciation.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { ledgerLine } from "../documents/coding.ts";
import type { StoredDocument } from "../documents/stored-documents.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import type { Endpoint, RecordWriter } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { recordFrom } from "../request/merge.ts";

export type StoredAsset = StoredFields<typeof asset.fields>;

type AssetAccount = Partial<Account> | undefined;

interface AssetContext {
  readonly chart: Chart;
  readonly sumByAsset: ReadonlyMap<string, DepreciationSum>;
  readonly billById: ReadonlyMap<string, StoredDocument>;
  readonly lines: ReadonlyMap<string, LineItem[]>;
  /** Registered cost of assets in base currency, by id of the bill line. */
  readonly costByLine: Map<string, number>;
  /** The highest asset number in use. */
  lastNumber: number;
}

const isLive = parseWhere('Status!="DELETED"', "Asset", filterFields(asset));
const numberSeries = /^FA-(\d{1,9})$/i;

export const assets: Endpoint<StoredAsset, AssetContext> = {
  resource: asset,
  listOrder: "AssetNumber",
  defaultFilter: () => [isLive],
  async byKey(tx, key) {
    return (await liveAssets(tx)).find(({ AssetNumber }) => fold(AssetNumber) === fold(key));
  },
  async expand(_call, tx, records) {
    return withValues(records, await depreciationByAsset(tx));
  },
  writer: async () => assetWriter,
};

export async function liveAssets(tx: Tx): Promise<StoredAsset[]> {
  return (await list(tx, asset, { where: isLive })).records;
}

/** Adds cost, accumulated depreciation and book value to assets. */
export function withValues(
  records: readonly StoredAsset[],
  depreciationById: ReadonlyMap<string, DepreciationSum>,
): StoredAsset[] {
  return records.map((record) => {
    const AccumulatedDepreciation = accumulatedOf(record, depreciationById);
    const isDisposed = record.Status === "DISPOSED";
    const BookValue = isDisposed ? 0 : record.Cost - AccumulatedDepreciation;
    return { ...record, AccumulatedDepreciation, BookValue: BookValue as Cents };
  });
}

export function accumulatedOf(
  { AssetID, OpeningAccumulated }: StoredAsset,
  depreciationById: ReadonlyMap<string, DepreciationSum>,
): Cents {
  return (OpeningAccumulated + (depreciationById.get(AssetID)?.amount ?? 0)) as Cents;
}

/** Fields that determine depreciation: they are fixed while any depreciation is posted. */
const terms = [
  "PurchaseDate",
  "Cost",
  "Method",
  "Averaging",
  "Rate",
  "Life",
  "DepreciationStartDate",
  "ResidualValue",
  "CostLimit",
  "OpeningAccumulated",
  "OpeningDate",
  "AssetAccount",
  "AccumulatedAccount",
  "ExpenseAccount",
] as const satisfies readonly (keyof StoredAsset)[];

const assetWriter: RecordWriter<StoredAsset, AssetContext> = {
  async load({ tx, entries }) {
    const inputs = entries.map(({ input }) => input as Partial<StoredAsset>);
    const billIds = inputs.flatMap(({ InvoiceID }) => InvoiceID ?? []);
    const bills = await fetch(tx, invoice, "InvoiceID", billIds);
    const costByLine = new Map<string, number>();
    let lastNumber = 0;
    for (const { AssetNumber, LineItemID, Cost } of await liveAssets(tx)) {
      lastNumber = Math.max(lastNumber, Number(numberSeries.exec(AssetNumber)?.[1] ?? 0));
      if (LineItemID) costByLine.set(LineItemID, (costByLine.get(LineItemID) ?? 0) + Cost);
    }
    return {
      chart: await loadChart(tx),
      sumByAsset: await depreciationByAsset(tx),
      billById: new Map(
        bills.map((bill) => [bill.InvoiceID, bill as unknown as StoredDocument] as const),
      ),
      lines: await linesOf(tx, billIds),
      costByLine,
      lastNumber,
    };
  },

  decide({ call, organisation }, context, entry) {
    const { existing, input } = entry;
    if (existing !== undefined && existing.Status !== "REGISTERED") {
      throw refusal(
        "Status",
        `The asset ${existing.AssetNumber} is ${existing.Status.toLowerCase()}.`,
      );
    }
    const faults = new Faults();
    const { BaseCurrency: base, ConversionDate } = organisation;
    const fields =
      existing === undefined
        ? { ...lineFacts(input as Partial<StoredAsset>, context, base, faults), ...input }
        : input;
    const record = recordFrom<StoredAsset>(asset, call, existing, fields);
    // `Rate` and `Life` exclude each other: setting one clears the other.
    const { Rate, Life, Method } = input as Partial<StoredAsset>;
    if (Rate === undefined && (Life !== undefined || Method === "NoDepreciation")) {
      record.Rate = undefined;
    }
    if (Life === undefined && (Rate !== undefined || Method === "NoDepreciation")) {
      record.Life = undefined;
    }
    if (!record.AssetNumber) record.AssetNumber = nextNumber(context);
    if (record.PurchaseDate !== undefined) record.DepreciationStartDate ??= record.PurchaseDate;
    if (record.OpeningAccumulated > 0) record.OpeningDate ??= ConversionDate;
    const { depreciatesDirectly: isDirect = false } = regionAt(organisation.CountryCode);
    nameAccounts(record, existing, { ...context, isDirect }, faults);
    checkTerms(record, faults);
    const isPosted = existing !== undefined && context.sumByAsset.has(existing.AssetID);
    if (isPosted) checkUnchanged(existing, record, faults);
    faults.check();
    entry.record = record;
    const changes =
      existing === undefined ? "Created" : record.Status === "DELETED" ? "Deleted" : "Edited";
    entry.history.push({
      changes,
      details: `The asset ${record.AssetNumber} was ${changes.toLowerCase()}.`,
    });
  },

  async keep({ tx }, context, decisions) {
    const records = decisions.flatMap(({ record }) => record ?? []);
    await save(tx, asset, records);
    for (const { record } of decisions) {
      if (record !== undefined) Object.assign(record, withValues([record], context.sumByAsset)[0]);
    }
  },
};

function nextNumber(context: AssetContext): string {
  context.lastNumber += 1;
  return `FA-${String(context.lastNumber).padStart(4, "0")}`;
}

/**
 * Derives the fields of an asset from the bill line that bought it. Its cost is what the line posts,
 * with tax that is not reclaimed.
 */
function lineFacts(
  { InvoiceID, LineItemID, Cost }: Partial<StoredAsset>,
  { billById, lines, costByLine, chart }: AssetContext,
  base: string,
  faults: Faults,
): Partial<StoredAsset> {
  if (InvoiceID === undefined && LineItemID === undefined) return {};
  const bill = billById.get(InvoiceID ?? "");
  const isBill = bill?.Type === "ACCPAY" && !["VOIDED", "DELETED"].includes(bill.Status);
  const line = lines.get(InvoiceID ?? "")?.find((lineItem) => lineItem.LineItemID === LineItemID);
  if (bill === undefined || !isBill || line === undefined) {
    faults.add(
      "NotFound",
      "There is no bill with that InvoiceID which has a line with that LineItemID.",
    );
    return {};
  }
  const { LineAmountTypes, CurrencyCode, CurrencyRate, Date: day } = bill;
  const charged = ledgerLine(line, 0, LineAmountTypes, chart, smallestAmount(CurrencyCode));
  const { net } = lineBase(charged, exchangeOf(CurrencyRate, base));
  const registeredCents = costByLine.get(LineItemID ?? "") ?? 0;
  const cost = Cost ?? ((net - registeredCents) as Cents);
  if (cost <= 0 || registeredCents + cost > net) {
    faults.add(
      "LineAmount",
      `The line of the bill comes to ${amountText(net, base)}, of which ${amountText(registeredCents, base)} is registered already.`,
    );
  }
  costByLine.set(LineItemID ?? "", registeredCents + cost);
  return {
    Name: line.Description?.slice(0, 255),
    PurchaseDate: day,
    Cost: cost,
    AssetAccount: line.AccountID === undefined ? undefined : { AccountID: line.AccountID },
  } as Partial<StoredAsset>;
}

const isAccumulated = ({ Name, Description }: Account) =>
  /accumulated/i.test(`${Name} ${Description ?? ""}`);

type AccountField = "AssetAccount" | "AccumulatedAccount" | "ExpenseAccount";

/** Rules of one account field: the accounts allowed in it, and the candidates for its default. */
interface AccountChoice {
  readonly kind: string;
  readonly isRight: (account: Account) => boolean;
  readonly usual: (account: Account) => boolean;
}

/**
 * Sets the accounts of an asset: the named ones, else the only candidate in the chart.
 *
 * @param given.isDirect  whether depreciation may be posted to the account of the asset itself
 */
function nameAccounts(
  record: StoredAsset,
  stored: StoredAsset | undefined,
  { chart, isDirect }: { readonly chart: Chart; readonly isDirect: boolean },
  faults: Faults,
): void {
  const active = chart.accounts.filter(({ Status }) => Status === "ACTIVE");
  const chooseAccount = (field: AccountField, { kind, isRight, usual }: AccountChoice): boolean => {
    const key = record[field]?.AccountID || record[field]?.Code;
    const right = active.filter(isRight);
    const [first, ...others] = key === undefined ? right.filter(usual) : [chart.account(key)];
    const isUnchanged = first !== undefined && stored?.[field]?.AccountID === first.AccountID;
    if (first !== undefined && others.length === 0 && (isUnchanged || right.includes(first))) {
      record[field] = first;
      return true;
    }
    const likely = right.filter(usual);
    const choices = (likely.length > 0 ? likely : right)
      .map(({ Code = "", Name }) => `${Code} ${Name}`.trim())
      .join(", ");
    faults.add(
      "Required",
      key === undefined
        ? `Say which ${field} it is, an account ${kind}: ${choices}.`
        : `The ${field} '${key}' is not an active account ${kind}.`,
    );
    return false;
  };
  const isFound = chooseAccount("AssetAccount", {
    kind: "of the type FIXED",
    isRight: ({ Type }) => Type === "FIXED",
    usual: (account) => !isAccumulated(account),
  });
  const isDepreciated = record.Method !== "NoDepreciation" || record.OpeningAccumulated > 0;
  const isWanted = (field: AccountField) => isDepreciated || record[field] !== undefined;
  const cost = record.AssetAccount;
  if (isFound && isWanted("AccumulatedAccount")) {
    const isForAsset = ({ Name }: Account) => Name.endsWith(cost?.Name ?? "");
    const hasOwn = active.some((account) => isAccumulated(account) && isForAsset(account));
    const isCost = ({ AccountID }: Account) => AccountID === cost?.AccountID;
    chooseAccount("AccumulatedAccount", {
      kind: isDirect ? "of the type FIXED" : "of the type FIXED, but not that of its cost",
      isRight: (account) => account.Type === "FIXED" && (isDirect || !isCost(account)),
      usual: (account) =>
        isDirect && !active.some(isAccumulated)
          ? isCost(account)
          : isAccumulated(account) && (!hasOwn || isForAsset(account)),
    });
  }
  if (isWanted("ExpenseAccount")) {
    const hasType = active.some(({ Type }) => Type === "DEPRECIATN");
    chooseAccount("ExpenseAccount", {
      kind: "of expenses",
      isRight: ({ Class }) => Class === "EXPENSE",
      usual: ({ Type, Name }) =>
        hasType ? Type === "DEPRECIATN" : /depreciation|amorti[sz]ation/i.test(Name),
    });
  }
}

function checkTerms(record: StoredAsset, faults: Faults): void {
  const { Method, Rate, Life, ResidualValue, OpeningAccumulated, OpeningDate } = record;
  if (!record.Name) faults.add("Required", "An asset has a Name.");
  if (record.Cost === undefined) faults.add("Required", "An asset has a Cost.");
  if (record.PurchaseDate === undefined) faults.add("Required", "An asset has a PurchaseDate.");
  if (record.Status === "DISPOSED")
    faults.add("Status", "An asset is disposed of at its Dispose address.");
  const count = [Rate, Life].filter((setting) => setting !== undefined).length;
  if (Method === "NoDepreciation") {
    if (count > 0)
      faults.add("Depreciation", "An asset without depreciation has neither a Rate nor a Life.");
  } else if (count !== 1) {
    faults.add("Depreciation", "An asset depreciates by a Rate or over a Life: give one of them.");
  }
  if (
    record.Cost !== undefined &&
    ResidualValue > Math.min(record.Cost, record.CostLimit ?? record.Cost)
  ) {
    faults.add("Depreciation", "The ResidualValue is more than what depreciates.");
  } else if (record.Cost !== undefined && OpeningAccumulated > depreciableOf(record)) {
    faults.add("Depreciation", "The OpeningAccumulated is more than the asset can depreciate by.");
  }
  if (OpeningAccumulated > 0 && OpeningDate === undefined) {
    faults.add("Required", "Say in OpeningDate up to which day the OpeningAccumulated is.");
  }
  const { PurchaseDate: bought, DepreciationStartDate: start } = record;
  if (bought !== undefined && start < bought) {
    faults.add("Depreciation", "An asset does not depreciate before it is bought.");
  }
}

function checkUnchanged(former: StoredAsset, after: StoredAsset, faults: Faults): void {
  const isEqual = (a: unknown, b: unknown) =>
    ((a as AssetAccount)?.AccountID ?? a) === ((b as AssetAccount)?.AccountID ?? b);
  const changedTerms = terms.filter((name) => !isEqual(former[name], after[name]));
  if (after.Status === "DELETED") changedTerms.unshift("Status" as never);
  if (changedTerms.length === 0) return;
  faults.add(
    "Depreciation",
    `${changedTerms.join(", ")} cannot change while depreciation is posted; roll it back first.`,
  );
}
