/** Breaks down figures that are sums of postings into parts. */

import { addDays, longDate, mediumDate, monthYear } from "../../ledger/dates/calendar.ts";
import { sum } from "../../ledger/money.ts";
import { unrealisedGain } from "../../ledger/postings/currency.ts";
import { negated } from "../../ledger/reports/report-rows.ts";
import { amountText } from "../../resources/common.ts";
import { type Cents, type Rate, scaleOf, writeDecimal } from "../../resources/decimal.ts";
import { counted } from "../../resources/scalar.ts";
import { sums } from "../../store/ledger/journals.ts";
import {
  accountPostings,
  type ExplainedPosting,
  firstPostings,
  type PostingSet,
  postingSums,
} from "../../store/queries/explained.ts";
import { foreignOpen, loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import { controlPlaces } from "../documents/document-registry.ts";
import { foreignBanks, loadKnownRates } from "../reports/gains.ts";
import type { ReportContext } from "../reports/report-context.ts";
import { type DetailLevel, documentAttributes, type LedgerSlice, type SumPart } from "./origin.ts";

/** Maximum number of postings listed singly without `all`. */
export const listedMax = 60;
/** Maximum number of parts of a figure in an answer with `all`; beyond it, parts are months. */
export const tellableMax = 10_000;

/** Whether the answer has room to list `count` parts singly; reserves the room. */
function hasRoomFor(count: number, { all, room = { parts: tellableMax } }: DetailLevel): boolean {
  if (count > (all ? room.parts : listedMax)) return false;
  room.parts -= count;
  return true;
}

/** Returns postings as parts; if too many, their sums by month, and those of one month by day. */
export async function postingParts(
  context: Pick<ReportContext, "tx" | "chart" | "organisation">,
  set: PostingSet,
  detail: DetailLevel,
): Promise<SumPart[]> {
  const days = await postingSums(context.tx, set);
  const count = days.reduce((total, day) => total + day.count, 0);
  const isListed = hasRoomFor(count, detail);
  if (!isListed && days.length > 1) return partsByDate(days, "posting");
  const rows = await firstPostings(context.tx, set, isListed ? count : listedMax);
  const shownParts = rows.map((row) => postingPart(context, row));
  if (count <= shownParts.length) return shownParts;
  const remainder = shownParts.reduce((amount, part) => amount - part.amount, days[0]?.amount ?? 0);
  return [...shownParts, restPart(count - shownParts.length, "posting", remainder)];
}

/** Returns dated parts as they are; if too many, their sums by month, and those of one by day. */
export function monthParts(
  parts: readonly SumPart[],
  detail: DetailLevel,
  noun = "document",
): readonly SumPart[] {
  if (hasRoomFor(parts.length, detail)) return parts;
  if (new Set(parts.map(({ date }) => date)).size > 1) {
    const datedSums = parts.map(({ date = "", amount }) => ({ date, count: 1, amount }));
    return partsByDate(datedSums, noun);
  }
  const otherParts = parts.slice(listedMax);
  if (otherParts.length === 0) return parts;
  const amount = otherParts.reduce((sum, sumPart) => sum + sumPart.amount, 0);
  return [...parts.slice(0, listedMax), restPart(otherParts.length, noun, amount)];
}

/** A number of records, and the sum of their amounts. */
interface DatedSum {
  readonly date: string;
  readonly count: number;
  readonly amount: number;
}

/** Returns a part for each month; for each day, where all are of one month. */
function partsByDate(datedSums: readonly DatedSum[], noun: string): SumPart[] {
  const by = (length: number) => Map.groupBy(datedSums, ({ date }) => date.slice(0, length));
  const sumsByMonth = by(7);
  return [...(sumsByMonth.size > 1 ? sumsByMonth : by(10))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, own]) => ({
      label: `${dateLabel(date)}, ${counted(sumOf(own, "count"), noun)}`,
      amount: sumOf(own, "amount"),
    }));
}

const sumOf = (datedSums: readonly DatedSum[], member: "count" | "amount") =>
  datedSums.reduce((sum, datedSum) => sum + datedSum[member], 0);

/** Returns a month or a day in words; parts without a date have an empty one. */
function dateLabel(date: string): string {
  if (date === "") return "Without a day";
  return date.length === 7 ? monthYear(`${date}-01`) : mediumDate(date);
}

const restPart = (count: number, noun: string, amount: number): SumPart => ({
  label: `${counted(count, `more ${noun}`)} of that day`,
  amount,
});

const sourceNames: Readonly<Record<string, string>> = {
  ACCRECPAYMENT: "Payment",
  ACCPAYPAYMENT: "Payment",
  ARCREDITPAYMENT: "Refund",
  APCREDITPAYMENT: "Refund",
  EXPPAYMENT: "Payment",
  TRANSFER: "Transfer",
  MANJOURNAL: "Manual journal",
};

function postingPart(
  { organisation }: Pick<ReportContext, "organisation">,
  row: ExplainedPosting,
): SumPart {
  const { sourceType, sourceId, contact, description, narration, documentNumber, reference } = row;
  const isOpening = sourceId === organisation.OrganisationID;
  const name = sourceType === null ? undefined : sourceNames[sourceType];
  const words = isOpening
    ? ["Opening balance", description]
    : [name, contact, description ?? narration];
  const label = [
    ...new Set(words.filter((text) => text !== null && text !== undefined && text !== "")),
  ];
  return {
    label: label.length === 0 ? (reference ?? sourceType ?? "Posting") : label.join(", "),
    date: row.date,
    number: documentNumber ?? (isOpening ? undefined : reference) ?? `journal ${row.journal}`,
    amount: row.amount,
    attributes: [
      { Value: row.accountId, Id: "account" },
      { Value: String(row.journal), Id: "journal" },
      ...(row.documentKind === null ? [] : documentAttributes(row.documentId, row.documentKind)),
    ],
  };
}

/** Returns all parts of an account's slice, debit positive. */
export async function partsOfSlice(
  context: ReportContext,
  slice: LedgerSlice,
  detail: DetailLevel,
): Promise<SumPart[]> {
  const { tx } = context;
  const { account, basis, from, to, measure = "net", carries } = slice;
  const accounts = [account.AccountID];
  const parts: SumPart[] = [];
  let firstDay = from;
  if (firstDay === undefined) {
    firstDay = slice.since ?? to;
    const dayBefore = addDays(firstDay, -1);
    const amount =
      measure === "foreign"
        ? (await loadForeignHeld(tx, basis, accounts, dayBefore))[0]?.amount
        : sumCarried(await sums(tx, { basis, accounts, to: dayBefore, byOption: true }), carries);
    if (amount !== undefined && amount !== 0) {
      parts.push({
        label: `Brought forward, balance at ${mediumDate(dayBefore)}`,
        date: dayBefore,
        amount,
        attributes: [{ Value: account.AccountID, Id: "account" }],
      });
    }
  }
  if (firstDay <= to) {
    const pairs =
      carries === undefined
        ? undefined
        : (await sums(tx, { basis, accounts, from: firstDay, to, byOption: true }))
            .filter(carries)
            .map(({ option1 = "", option2 = "" }) => [option1, option2] as const);
    const set = accountPostings({
      basis,
      account: account.AccountID,
      from: firstDay,
      to,
      measure,
      pairs,
      transfers: slice.transfers,
    });
    parts.push(...(await postingParts(context, set, detail)));
  }
  const hasGains = measure === "net" && (carries?.({}) ?? true);
  if (hasGains) parts.push(...(await gainParts(context, slice)));
  return parts;
}

function sumCarried(
  rows: readonly { readonly amount: Cents; option1?: string; option2?: string }[],
  carries: LedgerSlice["carries"],
): Cents {
  return sum(rows.filter((row) => carries?.(row) ?? true).map(({ amount }) => amount));
}

// --- unrealised exchange gains --------------------------------------------------------------------

/** Returns the unrealised exchange gain of each open foreign item over the days of a slice. */
export async function gainParts(
  context: ReportContext,
  { account, from, to }: Pick<LedgerSlice, "account" | "from" | "to">,
): Promise<SumPart[]> {
  const atEnd = await gainsOn(context, to, account.AccountID);
  if (from === undefined) return atEnd;
  const gainsBefore = await gainsOn(context, addDays(from, -1), account.AccountID);
  return [
    ...atEnd,
    ...gainsBefore.map((sumPart) => ({
      ...sumPart,
      label: `Less what it was before: ${sumPart.label}`,
      amount: -sumPart.amount,
    })),
  ];
}

const placeByType = controlPlaces();

async function gainsOn(
  context: ReportContext,
  date: string,
  accountId: string,
): Promise<SumPart[]> {
  const { tx, chart, basis, organisation } = context;
  if (!chart.hasSystem("UNREALISEDCURRENCYGAIN")) return [];
  const named = (marker: string) => chart.hasSystem(marker) && chart.system(marker).AccountID;
  const ofDocuments = [named("DEBTORS"), named("CREDITORS"), named("UNREALISEDCURRENCYGAIN")];
  const banks = foreignBanks(context);
  const isBank = banks.some(({ AccountID }) => AccountID === accountId);
  const isBankGain = named("BANKCURRENCYGAIN") === accountId;
  const attributes = [{ Value: accountId, Id: "account" }];
  const calculation = (currency: string, amount: Cents, rate: Rate, baseAmount: Cents) => {
    const worthInBase = baseAmount + unrealisedGain(amount, baseAmount, chart.exchange(rate));
    const [now, held] = [worthInBase, baseAmount].map((number) => amountText(number, chart.base));
    return `${currency} ${amountText(amount, currency)} / ${writeDecimal(rate, scaleOf.rate)} = ${now}, in the books ${held}`;
  };
  const at = `Worth at the rate of ${longDate(date)}`;
  if (basis !== "cash" && ofDocuments.includes(accountId)) {
    const openDocuments = await foreignOpen(tx, [...placeByType.keys()], date);
    const rateByCurrency = await loadKnownRates(
      context,
      date,
      openDocuments.map(({ currency }) => currency),
    );
    return openDocuments.flatMap((each): SumPart[] => {
      const rate = rateByCurrency.get(each.currency);
      const controlPlace = placeByType.get(each.type);
      if (rate === undefined || controlPlace === undefined) return [];
      const gain = unrealisedGain(each.open, each.openBase, chart.exchange(rate));
      const debit = controlPlace.side === 1 ? gain : negated(gain);
      const isControl = named(controlPlace.control) === accountId;
      const isGain = named("UNREALISEDCURRENCYGAIN") === accountId;
      const amount = isControl ? debit : isGain ? negated(debit) : 0;
      if (amount === 0) return [];
      return [
        {
          label: at,
          date,
          number: each.number ?? undefined,
          working: calculation(each.currency, each.open, rate, each.openBase),
          amount,
          attributes: [...attributes, { Value: each.id, Id: "documentID" }],
        },
      ];
    });
  }
  if (!isBank && !isBankGain) return [];
  const ids = banks.map(({ AccountID }) => AccountID);
  const holdings = ids.length === 0 ? [] : await loadForeignHeld(tx, basis, ids, date);
  const rateByCurrency = await loadKnownRates(
    context,
    date,
    banks.map(({ CurrencyCode = "" }) => CurrencyCode),
  );
  return holdings.flatMap(({ account: id, amount: balance, base }): SumPart[] => {
    const bank = chart.account(id);
    const currency = bank?.CurrencyCode ?? organisation.BaseCurrency;
    const rate = rateByCurrency.get(currency);
    if (rate === undefined || (isBank && id !== accountId)) return [];
    const gain = unrealisedGain(balance, base, chart.exchange(rate));
    if (gain === 0) return [];
    return [
      {
        label: `${at}: ${bank?.Name ?? currency}`,
        date,
        working: calculation(currency, balance, rate, base),
        amount: isBankGain ? negated(gain) : gain,
        attributes,
      },
    ];
  });
}
