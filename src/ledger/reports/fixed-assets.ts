/**
 * Fixed asset register at the end of a day, reconciled with its accounts.
 *
 * Assets disposed of in the financial year are listed separately: their cost and depreciation are
 * no longer in the ledger.
 */
import type { Asset } from "../../resources/asset.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import { valueText } from "../../wire/report.ts";
import { addDays, type DateRange, mediumDate } from "../dates/calendar.ts";
import type { SumPart } from "../figures/counted.ts";
import {
  counted,
  type Figure,
  ledger,
  listedFigure,
  type Period,
  single,
  sum,
  unitForms,
} from "../figures/expression.ts";
import { add, type Cents, sum as sumOf, zeroCents } from "../money.ts";
import {
  type AccountInfo,
  byName,
  type ColumnHeading,
  figure,
  hasAmount,
  headerRow,
  type ReportRow,
  sectionRow,
  textRow,
} from "./report-rows.ts";

/** An asset as at the day of the report. */
export interface RegisteredAsset {
  readonly asset: Asset;
  readonly isDisposed: boolean;
  /** Accumulated depreciation in the opening balance, from former books. */
  readonly brought: Cents;
  /** Depreciation of earlier financial years in these books. */
  readonly earlier: Cents;
  /** Depreciation of the financial year of the report, up to its day. */
  readonly year: Cents;
}

export interface FixedAssetsRequest {
  readonly assets: readonly RegisteredAsset[];
  readonly accounts: readonly AccountInfo[];
  /** The financial year up to the day, with closing balances. */
  readonly period: Period;
}

/** Columns of the accountant's layout; what gives way on a narrow terminal comes last. */
const laidOut: readonly number[] = [0, 1, 4, 8, 9, 11, 6, 7, 2, 12, 13, 14];
const laidOutHeadings: Readonly<Record<number, ColumnHeading>> = {
  2: ["detail-bought", "Bought"],
  6: ["detail-method", "Method"],
  7: ["detail-rate", "Rate"],
  8: "Opening depreciation",
  9: "This year",
  12: ["detail-disposed", "Disposed"],
  13: ["detail-proceeds", "Proceeds"],
  14: ["detail-gain", "Gain"],
};

/** The register in the accountant's layout. */
export function fixedAssetLayout(request: FixedAssetsRequest): ReportRow[] {
  const [header, ...sections] = fixedAssetRows(request);
  const chosenCells = ({ Cells = [], ...row }: ReportRow): ReportRow => ({
    ...row,
    Cells: laidOut.map((at) => Cells[at] ?? {}),
  });
  const columnNames = laidOut.map((at) => laidOutHeadings[at] ?? headings[at] ?? "");
  return [
    ...(header === undefined ? [] : [headerRow(columnNames)]),
    ...sections.map((section) => ({ ...section, Rows: section.Rows?.map(chosenCells) ?? [] })),
  ];
}

const headings: ColumnHeading[] = [
  "Number",
  ["name", "Name"],
  "Bought",
  "Start",
  "Cost",
  "Residual",
  "Method",
  ["rate", "Rate"],
  "Opening accumulated",
  "Year",
  "Accumulated",
  "Book value",
  "Disposed",
  "Proceeds",
  "Gain",
];

export function fixedAssetRows(request: FixedAssetsRequest): ReportRow[] {
  const rowsOf = (isDisposed: boolean, id: string, label: string): ReportRow[] => {
    const shownAssets = request.assets
      .filter((asset) => asset.isDisposed === isDisposed)
      .map((asset) => ({ each: asset, figures: figuresOf(asset, request.period) }));
    const total = (name: keyof AssetFigures) =>
      sum(
        [id, label, "SectionTotal"],
        shownAssets.map(({ figures }) => figures[name]),
      );
    const totals = Object.fromEntries(columns.map((name) => [name, total(name)]));
    return [
      ...shownAssets.map(({ each, figures }) => assetRow(each, figures)),
      assetCells("SummaryRow", [label], totals as AssetFigures, isDisposed && "", id),
    ];
  };
  const isAnyDisposed = request.assets.some(({ isDisposed }) => isDisposed);
  const disposed = rowsOf(true, "total-disposed", "Total disposed of");
  return [
    headerRow(headings),
    sectionRow("In use", rowsOf(false, "total-in-use", "Total in use")),
    ...(isAnyDisposed ? [sectionRow("Disposed of in the year", disposed)] : []),
    sectionRow("Compared with the accounts", comparisonRows(compareAssets(request))),
  ];
}

const columns = [
  ...(["cost", "residual", "opening", "year", "accumulated", "bookValue"] as const),
  ...(["proceeds", "gain"] as const),
] as const;
type AssetFigures = Readonly<Record<(typeof columns)[number], Figure>>;

const accumulated = ({ brought, earlier, year }: RegisteredAsset): Cents =>
  sumOf([brought, earlier, year]);

const partOf = ({ asset }: RegisteredAsset, label: string, amount: number): SumPart => ({
  label,
  number: asset.AssetNumber,
  amount,
  attributes: [{ Value: asset.AssetID, Id: "assetID" }],
});

export function figuresOf(registered: RegisteredAsset, { from, to }: DateRange): AssetFigures {
  const { asset, isDisposed } = registered;
  const { Cost, DisposalProceeds, CapitalGain, Gain } = asset;
  const ownAmount = (name: string, label: string, rule: RuleName, amount: Cents = zeroCents) =>
    single([`${asset.AssetID}.${name}`, label, rule], partOf(registered, label, amount));
  const sumFigure = (name: string, rule: RuleName, plus: Figure[], minus?: Figure[]) =>
    sum([`${asset.AssetID}.${name}`, asset.AssetNumber, rule], plus, minus);
  const depreciated = (name: string, amount: Cents, days: DateRange) =>
    counted([`${asset.AssetID}.${name}`, asset.AssetNumber, "Depreciation"], amount, {
      ...{ of: "depreciation", asset, days },
    });
  const cost = ownAmount("cost", "Cost, as registered", "AssetRegister", Cost);
  const opening = sumFigure("opening", "Depreciation", [
    ownAmount("brought", "Accumulated before these books", "Depreciation", registered.brought),
    depreciated("earlier", registered.earlier, { from: "", to: addDays(from, -1) }),
  ]);
  const year = depreciated("year", registered.year, { from, to });
  const depreciation = sumFigure("accumulated", "Depreciation", [opening, year]);
  const goneAmount = isDisposed ? add(accumulated(registered), -Cost as Cents) : zeroCents;
  return {
    ...{ cost, opening, year, accumulated: depreciation },
    residual: ownAmount(
      "residual",
      "Residual value, as registered",
      "AssetRegister",
      asset.ResidualValue,
    ),
    bookValue: sumFigure(
      "book-value",
      "BookValue",
      [cost, ownAmount("gone", "Taken out of the books on disposal", "BookValue", goneAmount)],
      [depreciation],
    ),
    proceeds: ownAmount("proceeds", "Proceeds", "AssetRegister", DisposalProceeds),
    gain: sumFigure("gain", "DisposalGain", [
      ownAmount("capital-gain", "Above the cost, a capital gain", "DisposalGain", CapitalGain),
      ownAmount("book-gain", "Above the book value", "DisposalGain", Gain),
    ]),
  };
}

/**
 * The cells of an asset.
 * @param disposed  the day of the disposal; false for assets in use
 */
function assetCells(
  type: "Row" | "SummaryRow",
  [number = "", name = "", bought = "", start = "", method = "", rate = ""]: readonly string[],
  figures: AssetFigures,
  disposed: string | false,
  id?: string,
): ReportRow {
  const { cost, residual, opening, year, bookValue, proceeds, gain } = figures;
  const cells = [
    ...[number, name, bought, start, cost, residual, method, rate],
    ...[opening, year, figures.accumulated, bookValue],
    ...(disposed === false ? ["", "", ""] : [disposed, proceeds, gain]),
  ];
  return textRow(type, cells, undefined, id);
}

function assetRow({ asset, isDisposed }: RegisteredAsset, figures: AssetFigures): ReportRow {
  const { AssetNumber, Name, PurchaseDate, DepreciationStartDate, DisposalDate = "" } = asset;
  const dates = [mediumDate(PurchaseDate), mediumDate(DepreciationStartDate)];
  const cellTexts = [AssetNumber, Name, ...dates, methodWords(asset.Method), rateText(asset)];
  return assetCells("Row", cellTexts, figures, isDisposed && mediumDate(DisposalDate));
}

/** The method in words: `Straight line`, `Diminishing value 150`. */
const methodWords = (method: string): string =>
  method.replace(/(?<=[a-z])(?:[A-Z]|\d+)/g, (start) => ` ${start.toLowerCase()}`);

/** The rate or life in words: `20%`, or `3 years`. */
function rateText({ Rate, Life }: Asset): string {
  const shortText = (amount: number) => valueText({ amount, ...unitForms.quantity });
  if (Rate !== undefined) return `${shortText(Rate)}%`;
  return Life === undefined ? "" : `${shortText(Life)} years`;
}

/** Figures of the cost, and of the accumulated depreciation. */
interface Worth {
  readonly cost: Figure;
  readonly taken: Figure;
}

/**
 * Compares the assets in use with the fixed asset accounts: accounts less register, in total and by
 * account.
 */
export function compareAssets({ assets, accounts, period }: FixedAssetsRequest) {
  const inUse = assets.filter(({ isDisposed }) => !isDisposed);
  const accountOf = ({ asset }: RegisteredAsset, measure: keyof Worth) =>
    (measure === "cost" ? asset.AssetAccount : asset.AccumulatedAccount)?.AccountID;
  const [costs, depreciation] = (["cost", "taken"] as const).map(
    (measure) => new Set(inUse.map((registeredAsset) => accountOf(registeredAsset, measure))),
  ) as [Set<string | undefined>, Set<string | undefined>];
  const shown = accounts
    .filter(({ Type, AccountID: id }) => Type === "FIXED" || costs.has(id) || depreciation.has(id))
    .toSorted(byName);
  // Accounts used by no asset count as depreciation when they have a credit balance.
  const isOfDepreciation = (account: AccountInfo) =>
    depreciation.has(account.AccountID) ||
    (account.Type === "FIXED" && figure(period.sums.held ?? new Map(), account) < 0);
  const registered = (id: string, measure: keyof Worth, of: readonly AccountInfo[] = shown) => {
    const accountIds = new Set<string | undefined>(of.map(({ AccountID }) => AccountID));
    const parts = inUse
      .filter((registeredAsset) => accountIds.has(accountOf(registeredAsset, measure)))
      .map((asset) =>
        partOf(asset, asset.asset.Name, measure === "cost" ? asset.asset.Cost : accumulated(asset)),
      );
    const amount = parts.reduce((total, sumPart) => total + sumPart.amount, 0);
    return listedFigure([id, "Register", "AssetRegister"], amount, () => parts);
  };
  /** Whether depreciation is posted to the account of the cost itself, whose balance is both. */
  const isDirect = ({ AccountID: id }: AccountInfo) => costs.has(id) && depreciation.has(id);
  const postedFigure = (id: string, measure: keyof Worth, of: readonly AccountInfo[] = shown) => {
    const isTaken = (account: AccountInfo) => isOfDepreciation(account) && !isDirect(account);
    const balance = ledger(
      [id, "Accounts", "Balance"],
      ...([measure === "cost" ? 1 : -1, "held", period] as const),
      of.filter((account) => isTaken(account) === (measure === "taken")),
    );
    const direct = of.filter(isDirect);
    if (direct.length === 0) return balance;
    const takenFigure = registered(`${id}.direct`, "taken", direct);
    return sum([`${id}.whole`, "Accounts", "Balance"], [balance, takenFigure]);
  };
  const worth = (of: (measure: keyof Worth) => Figure): Worth => ({
    cost: of("cost"),
    taken: of("taken"),
  });
  const off = (id: string, label: string, of?: readonly AccountInfo[]) =>
    worth((measure) =>
      sum(
        [id, label, "Difference"],
        [postedFigure(`${id}.accounts`, measure, of)],
        [registered(`${id}.register`, measure, of)],
      ),
    );
  return {
    register: worth((measure) => registered("register", measure)),
    ledger: worth((measure) => postedFigure("accounts", measure)),
    off: off("difference", "Difference"),
    accounts: shown
      .map((account) => ({ account, off: off(account.AccountID, account.Code ?? "", [account]) }))
      .filter(({ off: own }) => hasAmount([own.cost, own.taken])),
  };
}

function comparisonRows(compared: ReturnType<typeof compareAssets>): ReportRow[] {
  return [
    pairRow("SummaryRow", "", compared.register),
    pairRow("SummaryRow", "", compared.ledger),
    ...compared.accounts.map(({ account, off }) => pairRow("Row", account.Name, off)),
    pairRow("SummaryRow", "", compared.off),
  ];
}

function pairRow(type: "Row" | "SummaryRow", name: string, { cost, taken }: Worth): ReportRow {
  const { id, label } = cost;
  const bookValue = sum([`${id}.book-value`, label, "BookValue"], [cost], [taken]);
  const cells = [label, name, "", "", cost, "", "", "", "", "", taken, bookValue, "", "", ""];
  return textRow(type, cells, undefined, type === "SummaryRow" ? id : undefined);
}
