/** /Reports/Sales and /Reports/Purchases: trade by contact, item etc.; extensions of the API. */
import { type TradedBy, type TradedQuery, tradedBy } from "../../../ledger/figures/counted.ts";
import { type Cents, zeroCents } from "../../../ledger/money.ts";
import {
  type TradedLine,
  tradeReport as tradedRows,
} from "../../../ledger/reports/contacts/traded.ts";
import { negated, reportRange } from "../../../ledger/reports/report-rows.ts";
import type { Account } from "../../../resources/account.ts";
import {
  costOfSold,
  tradedQuantities,
  tradeSums as tradedSums,
} from "../../../store/queries/contacts/traded.ts";
import { netSums } from "../report-columns.ts";
import { dateOf, type MakeReport, periodOf, type ReportContext } from "../report-context.ts";

/** Sales or purchases: their document types, and the accounts of lines that count. */
interface Trade {
  readonly title: string;
  readonly sources: readonly string[];
  readonly types: readonly string[];
  readonly credits: readonly string[];
  readonly counts: (account: Account) => boolean;
  /** Sign of debits: 1 where they count as positive. */
  readonly sign: 1 | -1;
  readonly hasCosts: boolean;
  readonly rest: string;
  readonly whole: string;
}

const ofSales: Trade = {
  title: "Sales",
  sources: ["ACCREC", "ACCRECCREDIT", "CASHREC"],
  types: ["ACCREC", "ACCRECCREDIT", "RECEIVE"],
  credits: ["ACCRECCREDIT"],
  counts: ({ Class }) => Class === "REVENUE",
  sign: -1,
  hasCosts: true,
  rest: "Other income",
  whole: "Income of the profit and loss",
};

const ofPurchases: Trade = {
  title: "Purchases",
  sources: ["ACCPAY", "ACCPAYCREDIT", "CASHPAID"],
  types: ["ACCPAY", "ACCPAYCREDIT", "SPEND"],
  credits: ["ACCPAYCREDIT"],
  counts: ({ Class, Type }) => Class === "EXPENSE" || Type === "INVENTORY",
  sign: 1,
  hasCosts: false,
  rest: "Other expenses",
  whole: "Expenses, and goods to stock",
};

/** GET /Reports/Sales: by default the current month. */
export const sales: MakeReport = (context) => tradeReport(context, ofSales);

/** GET /Reports/Purchases: by default the current month. */
export const purchases: MakeReport = (context) => tradeReport(context, ofPurchases);

async function tradeReport(context: ReportContext, trade: Trade) {
  const { chart, organisation, tx } = context;
  const { range, by, query, lines } = await tradeQuery(context, trade);
  const stock = chart.accounts.filter(({ Type }) => Type === "INVENTORY");
  const accounts = trade.sign === 1 ? stock.map(({ AccountID }) => AccountID) : [];
  const stockQuery = { ...query, accounts };
  return tradedRows({
    title: `${trade.title} by ${by}`,
    organisation: organisation.Name,
    by: by.charAt(0).toUpperCase() + by.slice(1),
    ...{ query, lines, rest: trade.rest, whole: trade.whole },
    period: periodOf(context, range, { moved: await netSums(context, range.from, range.to) }),
    accounts: chart.accounts.filter((each) => trade.counts(each) && each.Type !== "INVENTORY"),
    toStock: { query: stockQuery, lines: await tradedSums(tx, stockQuery) },
  });
}

/** Returns the query of the report, and the matching lines with their group. */
async function tradeQuery(context: ReportContext, trade: Trade) {
  const { call, tx, chart, today } = context;
  const range = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const by = call.query.choice("by", tradedBy) ?? "item";
  const countedAccounts = chart.accounts.filter(trade.counts);
  const query: TradedQuery = {
    ...range,
    ...trade,
    by,
    accounts: countedAccounts.map(({ AccountID }) => AccountID),
  };
  const rows = await tradedSums(tx, query);
  const costs = trade.hasCosts ? await costOfSold(tx, query) : [];
  const hasItems = by === "item" && [...rows, ...costs].some(({ key }) => key !== "");
  const quantities = hasItems ? await tradedQuantities(tx, query) : [];
  const inSign = (amount: Cents) => (trade.sign === 1 ? amount : negated(amount));
  const rowKeys = new Set([...rows, ...costs].map(({ key }) => key));
  const of = <R extends { readonly key: string }>(entries: readonly R[], key: string) =>
    entries.find((entry) => entry.key === key);
  const lines = [...rowKeys].flatMap((key): TradedLine[] => {
    const row = of(rows, key);
    const cost = of(costs, key)?.cost ?? zeroCents;
    const [net, tax] = [inSign(row?.net ?? zeroCents), inSign(row?.tax ?? zeroCents)];
    const stock = { net: inSign(row?.stocked ?? zeroCents), cost };
    if (net === 0 && tax === 0 && cost === 0) return [];
    const stocked = stock.net === 0 && cost === 0 ? undefined : stock;
    const quantity = of(quantities, key)?.quantity;
    return [{ key, name: nameOf(context, by, key), quantity, net, tax, stocked }];
  });
  return { range, by, query, lines };
}

function nameOf({ chart }: ReportContext, by: TradedBy, key: string): string {
  if (by !== "tracking") return key;
  const ids = key.split("|").filter((id) => id !== "");
  const options = chart.tracking.flatMap((trackedCategory) => trackedCategory.Options ?? []);
  return ids
    .map((id) => options.find(({ TrackingOptionID }) => TrackingOptionID === id)?.Name ?? id)
    .join(", ");
}
