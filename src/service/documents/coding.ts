/**
 * Coding of a line: its account, tax rate and tracking options.
 *
 * The rules are the same for all records with lines. Current values of a record stay valid when
 * they are archived or deleted: `kept` tells which.
 */

import { lineNet } from "../../ledger/documents/totals.ts";
import type { Smallest } from "../../ledger/money.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import type { TaxRateSeed } from "../../ledger/regions/region.ts";
import { buyersTax, canApply, taxAccountRefusal } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import type { LineAmountTypes } from "../../resources/common.ts";
import { type Cents, scaleOf, shortDecimal } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { fold } from "../../wire/fold.ts";
import {
  type Chart,
  findContradictions,
  type TrackedCategory,
} from "../lookups/chart-of-accounts.ts";
import { type Faults, twoRecords } from "../request/faults.ts";
import { unique } from "../request/unique.ts";

/** Adds a fault of a line. */
export type AddFault = (rule: RuleName, message: string) => void;

/**
 * Returns the function that adds faults of one of several lines.
 *
 * @param lineName  word for a line in messages
 */
export function faultOf(
  lines: readonly unknown[],
  index: number,
  faults: Faults,
  lineName = "line",
): AddFault {
  if (lines.length === 1) return (rule, message) => faults.add(rule, message);
  return (rule, message) =>
    faults.add(rule, `${message}${message.endsWith(".") ? "" : "."} (${lineName} ${index + 1})`);
}

/** The fields of a line that code it. */
export type Coding = Pick<
  LineItem,
  "AccountCode" | "AccountID" | "TaxType" | "TaxAmount" | "Tracking"
>;

/** System accounts that only the ledger posts to: lines and payments must not use them. */
const keptByLedger = new Set([
  "DEBTORS",
  "CREDITORS",
  "RETAINEDEARNINGS",
  "TRACKINGTRANSFERS",
  "BANKCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
]);

export function isKeptByLedger(account: Account): boolean {
  return keptByLedger.has(account.SystemAccount ?? "");
}

/** Returns the refusal of an account that lines must not use. */
export function noLineAccount(name: string): string {
  return `Account code '${name}' is not a valid code for this document.`;
}

/** Returns the refusal of an account for a prepayment, with the nearest allowed account. */
export function noPrepaidAccount(
  { Code, Name }: Account,
  { accounts }: Chart,
  direction: "sales" | "purchases",
): string {
  const types = direction === "sales" ? ["CURRLIAB", "LIABILITY"] : ["PREPAYMENT", "CURRENT"];
  const prepaidAccounts = accounts.filter(
    (each) => each.Status === "ACTIVE" && types.includes(each.Type) && !isKeptByLedger(each),
  );
  const namePattern =
    direction === "sales" ? /in advance|deposits received/i : /prepa|deposits paid/i;
  const isSuitable = ({ Name, Description }: Account) => namePattern.test(`${Name} ${Description}`);
  const distanceOf = (account: Account) =>
    isSuitable(account)
      ? -1
      : types.indexOf(account.Type) * 1e9 + Math.abs(Number(account.Code) - Number(Code)) || 0;
  const [nearest] = prepaidAccounts.sort((left, right) => distanceOf(left) - distanceOf(right));
  const example = nearest === undefined ? "" : `: ${nearest.Code} ${nearest.Name}, for example`;
  return (
    `${noLineAccount(Code ?? Name)} A prepayment is coded to an active account that is no bank ` +
    `account and none that the ledger keeps itself, as receivables and payables${example}.`
  );
}

/**
 * Resolves the account that a line names, of any type, and sets its id and code on the line.
 *
 * @param mayKeep  whether the line may keep an archived account
 * @returns undefined where it names none, or an unknown one
 */
export function accountNamed(
  line: Coding,
  chart: Chart,
  mayKeep: (account: Account) => boolean,
  fault: AddFault,
): Account | undefined {
  const key = line.AccountCode ?? line.AccountID;
  if (key === undefined) return undefined;
  const account = chart.account(key);
  if (account === undefined || account.Status === "DELETED") {
    fault("NotFound", noLineAccount(key));
    return undefined;
  }
  if (account.Status === "ARCHIVED" && !mayKeep(account)) {
    const name = account.Code ?? account.Name;
    fault(
      "Status",
      `Account code '${name}' has been removed as it does not match a recognised account.`,
    );
  }
  if (line.AccountID !== undefined && chart.account(line.AccountID) !== account) {
    fault("Form", twoRecords("The account", `AccountCode ${key}`, `AccountID ${line.AccountID}`));
  }
  line.AccountID = account.AccountID;
  line.AccountCode = account.Code;
  return account;
}

export interface TaxContext {
  readonly chart: Chart;
  readonly organisation: Organisation;
  readonly types: LineAmountTypes;
  /** TaxType that comes before the account's default, where the line has none. */
  readonly preferred?: string | undefined;
  /** Date of the document, `YYYY-MM-DD`. */
  readonly date: string | undefined;
  /** Whether the line may keep a deleted tax rate. */
  readonly isKept: (taxType: string) => boolean;
}

/** Returns the last day of a tax rate that was abolished by law, and the refusal of later dates. */
function lastDayOfRate({ CountryCode }: Organisation, rate: TaxRate | undefined) {
  const taxRates = regionAt(CountryCode).taxRates();
  const seedOf = (code: string | undefined) => taxRates.find(({ taxType }) => taxType === code);
  const seed = seedOf(rate?.TaxType);
  if (seed?.ended === undefined) return undefined;
  const { lastDay, before, successor } = seed.ended;
  const message = `${seed.taxType} is the ${percentOf(seed)} of before ${before}; ${successor} is ${percentOf(seedOf(successor))}.`;
  return { lastDay, message };
}

const percentOf = (seed: TaxRateSeed | undefined): string => {
  const totalRate = seed?.components.reduce((sum, { rate }) => sum + rate, 0) ?? 0;
  return `${shortDecimal(totalRate, scaleOf.percent)}%`;
};

/**
 * Returns the tax rate of a line: its own, else the preferred one, else its account's default.
 *
 * @returns undefined where the line has none, or bears no tax at all
 */
export function taxRateNamed(
  line: Coding,
  account: Account | undefined,
  { chart, organisation, types, preferred, date, isKept: kept }: TaxContext,
  fault: AddFault,
): TaxRate | undefined {
  const noTaxType = organisation.Version === "AU" ? "BASEXCLUDED" : "NONE";
  if (types === "NoTax") {
    if (line.TaxAmount) fault("TaxAmount", "With LineAmountTypes NoTax a line has no TaxAmount.");
    line.TaxType = noTaxType;
    line.TaxAmount = undefined;
    return undefined;
  }
  const usualType = organisation.PaysTax
    ? (preferred ?? account?.TaxType)
    : unregisteredType(organisation, account, noTaxType);
  let taxType = line.TaxType ?? usualType;
  if (taxType === undefined) return undefined;
  if (taxType.toUpperCase() === "NONE") taxType = noTaxType;
  const rate = chart.taxRate(taxType);
  const rateEnd = lastDayOfRate(organisation, rate);
  if (rateEnd !== undefined && !(date !== undefined && date <= rateEnd.lastDay) && !kept(taxType)) {
    fault("Status", rateEnd.message);
    return undefined;
  }
  const isUsable = (rate?.Status === "ACTIVE" || rateEnd !== undefined) && rate?.Unusable !== true;
  if (rate === undefined || !(isUsable || kept(rate.TaxType ?? ""))) {
    fault("NotFound", `TaxType code '${taxType}' does not exist or cannot be used.`);
    return undefined;
  }
  line.TaxType = rate.TaxType;
  if (account !== undefined && !canApply(rate, account.Class)) {
    fault("TaxOnAccount", taxAccountRefusal(taxType, account.Code ?? account.Name));
  } else if (isMisplacedImport(rate, account, organisation)) {
    const taxes = chart.accounts.filter(isTaxAccount).map(({ Code, Name }) => Code ?? Name);
    const refusal = taxAccountRefusal(taxType, account?.Code ?? account?.Name ?? "");
    fault("TaxOnAccount", `${refusal} The whole line is tax: it stands on ${taxes.join(" or ")}.`);
  }
  return rate;
}

/** The tax type of a business that is not registered: of what it sells, where invoices must say why. */
function unregisteredType(
  { CountryCode }: Organisation,
  account: Account | undefined,
  noTaxType: string,
): string {
  const isSale = account?.Class === "REVENUE" && account.TaxType !== noTaxType;
  return (isSale ? regionAt(CountryCode).unregisteredSales : undefined) ?? noTaxType;
}

/** Returns the tax types of lines that bear no tax by their document, and so lose them. */
export function untaxedTypes(lines: readonly Coding[] = []): string[] {
  const isLost = (taxType = "NONE") => !/^(?:NONE|BASEXCLUDED)$/i.test(taxType);
  return unique(lines.map(({ TaxType }) => (isLost(TaxType) ? TaxType : undefined)));
}

/** Returns the warning of lost tax types. */
export function untaxedWarning(taxTypes: readonly string[]): string {
  return `TaxType ${taxTypes.join(", ")} is not kept: LineAmountTypes is NoTax.`;
}

const isTaxAccount = ({ SystemAccount }: Account) =>
  SystemAccount === "GST" || SystemAccount === "GSTONIMPORTS";

/**
 * Whether a tax rate for imports is used on another account than a tax account: its line is all
 * tax.
 */
function isMisplacedImport(
  { TaxType = "" }: TaxRate,
  account: Account | undefined,
  { CountryCode }: Organisation,
): boolean {
  const isImport = regionAt(CountryCode).importTaxes?.includes(TaxType) === true;
  return isImport && account !== undefined && !isTaxAccount(account);
}

/**
 * Resolves the tracking options of a line, each with its ids and names.
 *
 * @param mayKeep  whether the line may keep an archived option, by its id
 */
export function trackingNamed(
  line: Coding,
  categories: readonly TrackedCategory[],
  mayKeep: (optionId: string) => boolean,
  fault: AddFault,
): NonNullable<LineItem["Tracking"]> | undefined {
  if (line.Tracking === undefined) return undefined;
  const seenCategories = new Set<string>();
  return line.Tracking.flatMap((sent) => {
    const category = categories.find((category) =>
      isSameOption(category.TrackingCategoryID, category.Name, sent.TrackingCategoryID, sent.Name),
    );
    if (category === undefined) {
      fault(
        "NotFound",
        `There is no tracking category '${sent.Name ?? sent.TrackingCategoryID ?? ""}'.`,
      );
      return [];
    }
    const option = category.Options.find((option) =>
      isSameOption(option.TrackingOptionID, option.Name, sent.TrackingOptionID, sent.Option),
    );
    if (option === undefined) {
      fault(
        "NotFound",
        `The tracking category ${category.Name} has no option '${sent.Option ?? sent.TrackingOptionID ?? ""}'.`,
      );
      return [];
    }
    for (const message of findContradictions(sent, { category, option })) fault("Form", message);
    const isActive = category.Status === "ACTIVE" && option.Status === "ACTIVE";
    if (!isActive && !mayKeep(option.TrackingOptionID)) {
      fault("Status", `The tracking option ${category.Name}: ${option.Name} is archived.`);
    }
    if (seenCategories.has(category.TrackingCategoryID))
      fault("Form", `A line carries the tracking category ${category.Name} twice.`);
    seenCategories.add(category.TrackingCategoryID);
    return [
      {
        Name: category.Name,
        Option: option.Name,
        TrackingCategoryID: category.TrackingCategoryID,
        TrackingOptionID: option.TrackingOptionID,
      },
    ];
  });
}

/** Returns at most two options, ordered by category, so that equal sets compare equal. */
export function optionsOf(line: Coding, chart: Chart): (string | undefined)[] {
  const positionOf = (categoryId: string | undefined) =>
    chart.tracking.findIndex((category) => category.TrackingCategoryID === categoryId);
  return [...(line.Tracking ?? [])]
    .sort((a, b) => positionOf(a.TrackingCategoryID) - positionOf(b.TrackingCategoryID))
    .map((record) => record.TrackingOptionID);
}

/** Compares by id where one was sent, else by name. */
function isSameOption(
  id: string,
  name: string,
  sentId: string | undefined,
  sentName: string | undefined,
): boolean {
  if (sentId !== undefined) return id === sentId;
  return sentName !== undefined && fold(name) === fold(sentName);
}

/**
 * Converts a document line to a ledger line.
 *
 * @param at  its index among the lines, from 0
 * @param smallest  smallest unit of its currency
 */
export function ledgerLine(
  line: Coding & Pick<LineItem, "LineAmount" | "Description">,
  at: number,
  types: LineAmountTypes,
  chart: Chart,
  smallest: Smallest,
) {
  const tax = line.TaxAmount ?? (0 as Cents);
  const net = lineNet(line, types);
  const [option1, option2] = optionsOf(line, chart);
  return {
    line: at,
    account: line.AccountID ?? "",
    net,
    tax,
    ...buyersTax(net, tax, chart.taxRate(line.TaxType ?? ""), smallest),
    taxType: line.TaxType ?? "NONE",
    description: line.Description,
    option1,
    option2,
  };
}
