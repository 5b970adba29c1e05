/** Figures of the register of fixed assets, and of its comparison with the accounts. */
import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../../ledger/money.ts";
import { isCreditBalance, type RegisteredAsset } from "../../../ledger/reports/fixed-assets.ts";
import { byName, figure, negated } from "../../../ledger/reports/rows.ts";
import type { Account } from "../../../resources/account.ts";
import { smallestAmount } from "../../../resources/common.ts";
import { depreciationOf } from "../../../store/queries/explained.ts";
import { registerAt } from "../../reports/fixed-assets.ts";
import { dateOf, type Reading, yearOf } from "../../reports/frame.ts";
import { depreciationText } from "../depreciation-workings.ts";
import type { FigureRow } from "../figures.ts";
import {
  ledger,
  minus,
  type Origin,
  type Part,
  parts,
  plus,
  type Source,
  single,
  sum,
} from "../origin.ts";
import type { Explainer } from "./explainer.ts";

export const fixedAssets: Explainer = {
  usual: "last",
  async origins(reading, figures) {
    const date = dateOf(reading.call, "date") ?? reading.today;
    const register = await registerAt(reading, date);
    const year = yearOf(reading, date);
    const assetOf = (row: FigureRow) =>
      register.assets.find(
        ({ asset, isDisposed }) =>
          asset.AssetNumber === row.label &&
          isDisposed === (row.section === "Disposed of in the year"),
      );
    return ({ row, column }) => {
      const heading = figures.headings[column] ?? "";
      const here = (name: string) => ({ row, column: figures.headings.indexOf(name) });
      if (row.section === "Compared with the accounts") {
        if (heading === "Book value") {
          return sum("BookValue", plus(here("Cost")), minus(here("Accumulated")));
        }
        return compared(reading, register, row, heading, date);
      }
      if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
      const found = assetOf(row);
      if (found === undefined) return undefined;
      const { asset } = found;
      const posted = (within: (day: string) => boolean): Source =>
        parts(() => depreciationParts(reading, found, within));
      switch (heading) {
        case "Cost":
          return sum("AssetRegister", single(ofAsset(found, "Cost, as registered", asset.Cost)));
        case "Residual":
          return sum(
            "AssetRegister",
            single(ofAsset(found, "Residual value, as registered", asset.ResidualValue)),
          );
        case "Opening accumulated": {
          const { OpeningDate = "", OpeningAccumulated } = asset;
          const brought = OpeningDate <= date ? OpeningAccumulated : zeroCents;
          return sum(
            "Depreciation",
            single(ofAsset(found, "Accumulated before these books", brought)),
            posted((day) => day < year.from),
          );
        }
        case "Year":
          return sum(
            "Depreciation",
            posted((day) => day >= year.from && day <= date),
          );
        case "Accumulated":
          return sum("Depreciation", plus(here("Opening accumulated"), here("Year")));
        case "Book value": {
          const left = found.isDisposed
            ? add(negated(asset.Cost), add(found.opening, found.year))
            : zeroCents;
          return sum(
            "BookValue",
            plus(here("Cost")),
            minus(here("Accumulated")),
            single(ofAsset(found, "Taken out of the books on disposal", left)),
          );
        }
        case "Proceeds":
          return sum(
            "AssetRegister",
            single(ofAsset(found, "Proceeds", asset.DisposalProceeds ?? zeroCents)),
          );
        case "Gain":
          return sum(
            "DisposalGain",
            single(
              ofAsset(found, "Above the cost, a capital gain", asset.CapitalGain ?? zeroCents),
            ),
            single(ofAsset(found, "Above the book value", asset.Gain ?? zeroCents)),
          );
        default:
          return undefined;
      }
    };
  },
};

const ofAsset = ({ asset }: RegisteredAsset, label: string, amount: Cents): Part => ({
  label,
  number: asset.AssetNumber,
  amount,
  attributes: [{ Value: asset.AssetID, Id: "assetID" }],
});

/** What was posted of an asset, each with how it comes about. */
async function depreciationParts(
  { tx, organisation }: Reading,
  { asset }: RegisteredAsset,
  within: (day: string) => boolean,
): Promise<Part[]> {
  const { FinancialYearEndDay: day, FinancialYearEndMonth: month, BaseCurrency } = organisation;
  const books = { yearEnd: { day, month }, smallest: smallestAmount(BaseCurrency) };
  let posted: number = asset.OpeningAccumulated;
  const all = (await depreciationOf(tx, asset.AssetID)).map(({ date, amount, journalId }): Part => {
    const working = depreciationText(asset, { date, amount, before: posted as Cents }, books);
    posted += amount;
    return {
      label: `Up to ${mediumDate(date)}`,
      date,
      number: asset.AssetNumber,
      working,
      amount,
      attributes: [
        { Value: asset.AssetID, Id: "assetID" },
        { Value: journalId, Id: "manualJournalID" },
      ],
    };
  });
  return all.filter(({ date = "" }) => within(date));
}

/** A row of the comparison: what the register has, what the accounts have, and the difference. */
function compared(
  reading: Reading,
  { assets, accounts, ledger: balances }: Awaited<ReturnType<typeof registerAt>>,
  row: FigureRow,
  heading: string,
  date: string,
): Origin | undefined {
  if (heading !== "Cost" && heading !== "Accumulated") return undefined;
  const isCost = heading === "Cost";
  const inUse = assets.filter(({ isDisposed }) => !isDisposed);
  const accountOf = ({ asset }: RegisteredAsset) =>
    (isCost ? asset.AssetAccount : asset.AccumulatedAccount)?.AccountID;
  const registered = (sign: 1 | -1, account?: string): Source =>
    parts(() =>
      inUse
        .filter((each) => {
          const own = accountOf(each);
          return own !== undefined && (account === undefined || own === account);
        })
        .map((each) =>
          ofAsset(
            each,
            each.asset.Name,
            (sign * (isCost ? each.asset.Cost : add(each.opening, each.year))) as Cents,
          ),
        )
        .filter(({ amount }) => amount !== 0),
    );
  const ofRegister = new Set(
    inUse.flatMap(({ asset }) => [
      asset.AssetAccount?.AccountID,
      asset.AccumulatedAccount?.AccountID,
    ]),
  );
  const taken = new Set(inUse.map(({ asset }) => asset.AccumulatedAccount?.AccountID));
  const meant = (accounts as readonly Account[])
    .filter(({ Type, AccountID }) => Type === "FIXED" || ofRegister.has(AccountID))
    .toSorted(byName)
    .filter((account) => {
      const isDepreciation =
        taken.has(account.AccountID) || isCreditBalance(account, figure(balances, account));
      return isDepreciation !== isCost;
    });
  const posted = (some: readonly Account[]): Source => {
    const { from: since } = yearOf(reading, date);
    const slices = some.map((account) => ({
      ...{ account, since, to: date },
      ...{ basis: "accrual" as const, gains: false as const },
    }));
    return ledger(isCost ? 1 : -1, ...slices);
  };
  if (row.label === "Register" && row.isTotal) return sum("AssetRegister", registered(1));
  if (row.label === "Accounts" && row.isTotal) return sum("Balance", posted(meant));
  if (row.label === "Difference" && row.isTotal) {
    return sum("Difference", posted(meant), registered(-1));
  }
  const code = row.label;
  const account = accounts.find(
    ({ Code = "", Name }) => Code === code && Name === row.cells[1]?.Value,
  );
  if (account === undefined) return undefined;
  return sum(
    "Difference",
    posted(meant.filter(({ AccountID }) => AccountID === account.AccountID)),
    registered(-1, account.AccountID),
  );
}
