/** /Reports/FixedAssets: the asset register compared with the ledger; an extension of the API. */
import { addDays, longDate } from "../../ledger/dates/calendar.ts";
import { zeroCents } from "../../ledger/money.ts";
import {
  type FixedAssetsRequest,
  fixedAssetLayout,
  fixedAssetRows,
  type RegisteredAsset,
} from "../../ledger/reports/fixed-assets.ts";
import { assetNote } from "../../ledger/reports/layouts/asset-note.ts";
import { sums } from "../../store/ledger/journals.ts";
import { depreciationByAsset } from "../../store/records/depreciation.ts";
import { liveAssets } from "../assets/asset-register.ts";
import { dateOf, type MakeReport, type ReportContext, yearOf } from "./report-context.ts";

export const fixedAssets: MakeReport = async (context) => {
  const date = dateOf(context.call, "date") ?? context.today;
  const isNote = context.call.query.boolean("note") === true;
  const register = context.isAccountant ? fixedAssetLayout : fixedAssetRows;
  const rowsOf = isNote ? assetNote : register;
  return {
    titles: ["Fixed Assets", context.organisation.Name, `As at ${longDate(date)}`],
    rows: rowsOf(await registerAt(context, date)),
  };
};

/** Returns the asset register at the end of a day, and the ledger accounts to compare it with. */
export async function registerAt(
  context: ReportContext,
  date: string,
): Promise<FixedAssetsRequest> {
  const { tx, chart } = context;
  const year = yearOf(context, date);
  const earlierByAsset = await depreciationByAsset(tx, { to: addDays(year.from, -1) });
  const inYearByAsset = await depreciationByAsset(tx, { from: year.from, to: date });
  const postedSums = await sums(tx, { basis: "accrual", to: date });
  const assets = (await liveAssets(tx))
    .filter(({ PurchaseDate }) => PurchaseDate <= date)
    .filter(({ DisposalDate }) => DisposalDate === undefined || DisposalDate >= year.from)
    .toSorted((a, b) => (a.AssetNumber < b.AssetNumber ? -1 : 1))
    .map((asset): RegisteredAsset => {
      const { AssetID, DisposalDate = "9999", OpeningAccumulated, OpeningDate = "" } = asset;
      const brought = OpeningDate <= date ? OpeningAccumulated : zeroCents;
      return {
        asset,
        isDisposed: DisposalDate <= date,
        brought,
        earlier: earlierByAsset.get(AssetID)?.amount ?? zeroCents,
        year: inYearByAsset.get(AssetID)?.amount ?? zeroCents,
      };
    });
  return {
    assets,
    accounts: chart.accounts.filter(({ Status }) => Status !== "DELETED"),
    period: {
      ...{ from: year.from, to: date, basis: "accrual" },
      sums: { held: new Map(postedSums.map(({ account, amount }) => [account, amount])) },
    },
  };
}
