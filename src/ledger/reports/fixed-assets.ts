/**
 * The register of fixed assets at the end of a day, compared with its accounts.
 *
 * Assets that went in the financial year stand apart: their cost and depreciation are out of the ledger.
 */
import type { Asset } from "../../resources/asset.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Row } from "../../wire/report.ts";
import { mediumDate } from "../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";
import {
  type AccountInfo,
  amountText,
  byName,
  figure,
  headerRow,
  negated,
  type Sums,
  section,
  textRow,
} from "./rows.ts";

/** An asset as it stood on the day. */
export interface RegisteredAsset {
  readonly asset: Asset;
  readonly isDisposed: boolean;
  /** Accumulated depreciation before the financial year. */
  readonly opening: Cents;
  /** Depreciation of the year. */
  readonly year: Cents;
}

export interface FixedAssetsRequest {
  readonly assets: readonly RegisteredAsset[];
  readonly accounts: readonly AccountInfo[];
  /** What was posted up to the day. */
  readonly ledger: Sums;
}

const headings = [
  "Number",
  "Name",
  "Bought",
  "Start",
  "Cost",
  "Residual",
  "Method",
  "Rate",
  "Opening accumulated",
  "Year",
  "Accumulated",
  "Book value",
  "Disposed",
  "Proceeds",
  "Gain",
];

export function fixedAssetRows(request: FixedAssetsRequest): Row[] {
  const inUse = request.assets.filter(({ isDisposed }) => !isDisposed);
  const disposed = request.assets.filter(({ isDisposed }) => isDisposed);
  return [
    headerRow(headings),
    section("In use", [...inUse.map(assetRow), totalRow("Total in use", inUse)]),
    ...(disposed.length === 0
      ? []
      : [
          section("Disposed of in the year", [
            ...disposed.map(assetRow),
            totalRow("Total disposed of", disposed),
          ]),
        ]),
    section("Compared with the accounts", comparison(compareAssets(request))),
  ];
}

const accumulated = ({ opening, year }: RegisteredAsset): Cents => add(opening, year);
const bookValue = (each: RegisteredAsset): Cents =>
  each.isDisposed ? zeroCents : add(each.asset.Cost, negated(accumulated(each)));
const gainOf = ({ asset: { CapitalGain = zeroCents, Gain = zeroCents } }: RegisteredAsset): Cents =>
  add(CapitalGain, Gain);

function assetRow(each: RegisteredAsset): Row {
  const { asset, isDisposed, opening, year } = each;
  const { DisposalDate = "", DisposalProceeds = zeroCents } = asset;
  return textRow("Row", [
    asset.AssetNumber,
    asset.Name,
    mediumDate(asset.PurchaseDate),
    mediumDate(asset.DepreciationStartDate),
    amountText(asset.Cost),
    amountText(asset.ResidualValue),
    methodWords(asset.Method),
    rateText(asset),
    amountText(opening),
    amountText(year),
    amountText(accumulated(each)),
    amountText(bookValue(each)),
    ...(isDisposed
      ? [mediumDate(DisposalDate), amountText(DisposalProceeds), amountText(gainOf(each))]
      : ["", "", ""]),
  ]);
}

/** `Straight line`, `Diminishing value 150`. */
const methodWords = (method: string): string =>
  method.replace(/(?<=[a-z])(?:[A-Z]|\d+)/g, (start) => ` ${start.toLowerCase()}`);

const short = (value: number): string => writeDecimal(value, 4).replace(/\.?0+$/, "");

/** `20%`, or `3 years` */
function rateText({ Rate, Life }: Asset): string {
  if (Rate !== undefined) return `${short(Rate)}%`;
  return Life === undefined ? "" : `${short(Life)} years`;
}

function totalRow(label: string, assets: readonly RegisteredAsset[]): Row {
  const total = (of: (each: RegisteredAsset) => Cents) => amountText(sum(assets.map(of)));
  const isGone = assets.some(({ isDisposed }) => isDisposed);
  return textRow("SummaryRow", [
    label,
    "",
    "",
    "",
    total(({ asset }) => asset.Cost),
    total(({ asset }) => asset.ResidualValue),
    "",
    "",
    total(({ opening }) => opening),
    total(({ year }) => year),
    total(accumulated),
    total(bookValue),
    "",
    ...(isGone
      ? [total(({ asset }) => asset.DisposalProceeds ?? zeroCents), total(gainOf)]
      : ["", ""]),
  ]);
}

/** The register and the ledger, each account in which they differ, and the difference. */
/** Amounts of the register and of the accounts, of cost and of accumulated depreciation. */
interface Compared {
  readonly register: Worth;
  readonly ledger: Worth;
  /** Accounts less register, in all and account by account. */
  readonly off: Worth;
  readonly accounts: readonly { readonly account: AccountInfo; readonly off: Worth }[];
}

interface Worth {
  readonly cost: Cents;
  /** Accumulated depreciation. */
  readonly taken: Cents;
}

/** The assets in use beside the fixed asset accounts. */
export function compareAssets({ assets, accounts, ledger }: FixedAssetsRequest): Compared {
  const inUse = assets.filter(({ isDisposed }) => !isDisposed);
  const costs = new Map<string, Cents>();
  const depreciation = new Map<string, Cents>();
  const count = (sums: Map<string, Cents>, id: string | undefined, amount: Cents) => {
    if (id !== undefined) sums.set(id, add(sums.get(id) ?? zeroCents, amount));
  };
  for (const each of inUse) {
    const { AssetAccount, AccumulatedAccount, Cost } = each.asset;
    count(costs, AssetAccount?.AccountID, Cost);
    count(depreciation, AccumulatedAccount?.AccountID, accumulated(each));
  }
  const compared = accounts
    .filter(({ Type, AccountID: id }) => Type === "FIXED" || costs.has(id) || depreciation.has(id))
    .toSorted(byName)
    .map((account) => {
      const balance = figure(ledger, account);
      const isDepreciation =
        depreciation.has(account.AccountID) || isCreditBalance(account, balance);
      const cost = isDepreciation ? zeroCents : balance;
      const taken = isDepreciation ? negated(balance) : zeroCents;
      return {
        account,
        ledger: { cost, taken },
        off: {
          cost: add(cost, negated(figure(costs, account))),
          taken: add(taken, negated(figure(depreciation, account))),
        },
      };
    });
  const register = {
    cost: sum(costs.values()),
    taken: sum(depreciation.values()),
  };
  const inLedger = {
    cost: sum(compared.map((each) => each.ledger.cost)),
    taken: sum(compared.map((each) => each.ledger.taken)),
  };
  const off = {
    cost: add(inLedger.cost, negated(register.cost)),
    taken: add(inLedger.taken, negated(register.taken)),
  };
  return { register, ledger: inLedger, off, accounts: compared };
}

function comparison({ register, ledger, off, accounts }: Compared): Row[] {
  return [
    pairRow("SummaryRow", "Register", "", register),
    pairRow("SummaryRow", "Accounts", "", ledger),
    ...accounts
      .filter((each) => each.off.cost !== 0 || each.off.taken !== 0)
      .map(({ account, off: own }) => pairRow("Row", account.Code ?? "", account.Name, own)),
    pairRow("SummaryRow", "Difference", "", off),
  ];
}

/** Accounts of no asset are of depreciation where they are in credit. */
export const isCreditBalance = ({ Type }: AccountInfo, balance: Cents): boolean =>
  Type === "FIXED" && balance < 0;

function pairRow(
  type: "Row" | "SummaryRow",
  label: string,
  name: string,
  { cost, taken }: Worth,
): Row {
  const cells = [label, name, "", "", amountText(cost), "", "", "", "", ""];
  const worth = amountText(add(cost, negated(taken)));
  return textRow(type, [...cells, amountText(taken), worth, "", "", ""]);
}
