/** Fixed assets: cost, depreciation and disposal. */
import { account } from "./account.ts";
import {
  choice,
  date,
  type Input,
  id,
  money,
  percent,
  quantity,
  readOnly,
  ref,
  resource,
  type Shape,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";

export const depreciationMethods = [
  "StraightLine",
  "DiminishingValue100",
  "DiminishingValue150",
  "DiminishingValue200",
  "NoDepreciation",
] as const;

const accountOf = (help: string) => ref("Account", ["AccountID", "Code"], account.fields, { help });

/** Options of fields that are computed from the journals of an asset. */
const worth = { ...readOnly, always: true, computed: true } as const;

export const asset = resource(
  "Asset",
  () => ({
    AssetID: id({ always: true }),
    AssetNumber: text({
      max: 50,
      key: true,
      always: true,
      filter: true,
      help: "the next of FA-0001, FA-0002 when not given",
    }),
    Name: text({ max: 255, always: true, filter: true, help: "what it is" }),
    Status: choice(["REGISTERED", "DISPOSED", "DELETED"], {
      default: "REGISTERED",
      always: true,
      filter: true,
    }),
    Description: text({ max: 4000 }),
    SerialNumber: text({ max: 255, filter: true }),
    PurchaseDate: date({ always: true, filter: true, help: "when it was bought" }),
    Cost: money({
      min: 1,
      always: true,
      filter: true,
      help: "without tax that is reclaimed, in the base currency",
    }),
    InvoiceID: id({ help: "the bill that it was bought with" }),
    LineItemID: id({ help: "the line of the bill, which gives its name, day, cost and account" }),
    Method: choice(depreciationMethods, { default: "StraightLine", always: true, filter: true }),
    Averaging: choice(["FullMonth", "ActualDays"], { default: "FullMonth", always: true }),
    Rate: percent({ help: "a year; or else its Life" }),
    Life: quantity({ min: 1, help: "in years, 3 or 2.5" }),
    DepreciationStartDate: date({ always: true, help: "the day of purchase when not given" }),
    ResidualValue: money({ min: 0, default: 0, always: true, help: "what it is never below" }),
    CostLimit: money({ min: 1, help: "most of the cost that depreciates" }),
    OpeningAccumulated: money({
      min: 0,
      default: 0,
      always: true,
      help: "its depreciation before these books",
    }),
    OpeningDate: date({ help: "up to when that was; the day of the opening balances" }),
    AssetAccount: accountOf("where its cost stands, of the type FIXED"),
    AccumulatedAccount: accountOf("where its accumulated depreciation stands"),
    ExpenseAccount: accountOf("where its depreciation is an expense"),
    AccumulatedDepreciation: money({
      ...worth,
      help: "what is posted, and that before these books",
    }),
    BookValue: money({ ...worth, help: "cost less depreciation; none when it is disposed of" }),
    DisposalDate: date({ ...readOnly, filter: true }),
    DisposalProceeds: money(readOnly),
    CapitalGain: money({ ...readOnly, help: "proceeds above the cost" }),
    Gain: money({
      ...readOnly,
      help: "the rest of the proceeds above the book value, a loss below zero",
    }),
    DisposalJournalID: id({ ...readOnly, help: "the manual journal of its disposal" }),
    UpdatedDateUTC: timestamp({ ...readOnly, always: true }),
  }),
  {
    plural: "Assets",
    extension: true,
    id: "AssetID",
    keys: ["AssetNumber"],
    ...usualAccess,
    paged: "asked",
    search: ["Name", "AssetNumber", "SerialNumber"],
    columns: [
      "AssetNumber",
      "Name",
      "Status",
      "PurchaseDate",
      "Cost",
      "AccumulatedDepreciation",
      "BookValue",
    ],
    listOrder: "AssetNumber ASC",
    alike: { fields: ["Name", "PurchaseDate", "Cost"] },
    noun: "asset",
    example: "FA-0001",
    summary: "fixed assets and their depreciation",
  },
);

/** Input for selling or scrapping an asset. */
export const assetDisposal = resource(
  "Disposal",
  () => ({
    Date: date({ required: true, help: "the day on which it went" }),
    Proceeds: money({ min: 0, default: 0, always: true, help: "without tax; none when not given" }),
    Depreciation: choice(["TODATE", "NONE"], {
      default: "TODATE",
      always: true,
      help: "up to the day, or none in its financial year",
    }),
    ProceedsAccount: accountOf("the account of the invoice that it was sold with; not a bank"),
    GainAccount: accountOf("of proceeds above the book value, up to the cost"),
    CapitalGainAccount: accountOf("of proceeds above the cost; the GainAccount when not given"),
    LossAccount: accountOf("of a book value above the proceeds"),
  }),
  {
    plural: "Disposals",
    id: "Date",
    columns: ["Date", "Proceeds"],
    noun: "disposal",
    summary: "how an asset is disposed of",
  },
);

export type Asset = Shape<typeof asset>;
export type AssetInput = Input<typeof asset>;
export type AssetDisposal = Shape<typeof assetDisposal>;
