/**
 * Tax reconciliation: from the tax of documents, return by return, to the balance of the tax account.
 *
 * Amounts are positive where they are owed to the tax office.
 */
import type { Row } from "../../../wire/report.ts";
import { type DateRange, type DateText, mediumDate } from "../../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../../money.ts";
import {
  amountText,
  headerRow,
  negated,
  plainRow,
  type ReportBody,
  section,
  textRow,
} from "../rows.ts";
import type { Cause } from "./returns/causes.ts";

export interface Tax {
  /** On sales. */
  readonly collected: Cents;
  /** On purchases and imports, positive where it is reclaimed. */
  readonly paid: Cents;
}

/** What the documents of a return come to. */
export interface PostedTax {
  readonly inTime: Tax;
  /** Dated into earlier returns, and posted after they were published. */
  readonly late: Tax;
}

export interface FiledTax extends DateRange, PostedTax {
  /** As the return was published. */
  readonly filed: Tax;
  /** Why that is not what was posted. */
  readonly causes: readonly Cause[];
}

export interface TaxReconciliationRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  readonly isCash: boolean;
  /** Published returns that end up to `to`, one after another. */
  readonly returns: readonly FiledTax[];
  /** In no return yet. */
  readonly unfiled: PostedTax;
  /** Of before the first return. */
  readonly before: Cents;
  /** Opening balances of the tax accounts, with the tax of the documents that they have. */
  readonly opening: Cents;
  /** Spent and received on the tax accounts: what was paid to the tax office, and refunded. */
  readonly settled: Cents;
  /** Lines of other documents, and of manual journals, on the tax accounts. */
  readonly coded: Cents;
  /** What the tax of documents is on the accounts beyond that of their lines, each rounded. */
  readonly rounding: Cents;
  /** Tax that is on the accounts but not in the cash ledger, of what is not paid yet. */
  readonly unpaid: Cents;
  /** The tax accounts of the trial balance, as it names them. */
  readonly accounts: string;
  readonly balance: Cents;
}

const netOf = ({ collected, paid }: Tax): Cents => add(collected, negated(paid));

export const both = ({ inTime, late }: PostedTax): Tax => ({
  collected: add(inTime.collected, late.collected),
  paid: add(inTime.paid, late.paid),
});

const isNothing = ({ collected, paid }: Tax) => collected === 0 && paid === 0;

const taxRow = (type: "Row" | "SummaryRow", label: string, tax: Tax): Row =>
  plainRow(type, label, [tax.collected, tax.paid, netOf(tax)]);

function postedRows(posted: PostedTax): Row[] {
  return [
    taxRow("Row", "Posted within its days", posted.inTime),
    ...(isNothing(posted.late) ? [] : [taxRow("Row", "Late, of earlier days", posted.late)]),
  ];
}

function filedRows(each: FiledTax): Row[] {
  return [
    ...postedRows(each),
    ...each.causes.map((cause) => taxRow("Row", cause.label, cause)),
    taxRow("SummaryRow", "Filed", each.filed),
  ];
}

/** What is owed to the tax office, and what the tax account is explained to hold. */
export function explained(request: TaxReconciliationRequest) {
  const { returns, unfiled, before, opening, settled, coded, rounding, unpaid } = request;
  const filed = sum(returns.map((each) => netOf(each.filed)));
  const posted = sum(returns.map((each) => netOf(both(each))));
  const owing = sum([before, opening, filed, settled, coded]);
  const apart = add(posted, negated(filed));
  const total = sum([owing, apart, netOf(both(unfiled)), rounding, unpaid]);
  return { filed, owing, total };
}

/** The report; the last row is zero where every posting of the tax account is explained. */
export function taxReconciliation(request: TaxReconciliationRequest): ReportBody {
  const { organisation, from, to, isCash, returns, unfiled, accounts, balance } = request;
  const { filed, owing, total: whole } = explained(request);
  const last = returns.at(-1)?.to;
  const row = (label: string, amount: Cents) => textRow("Row", [label, "", "", amountText(amount)]);
  const total = (label: string, amount: Cents) =>
    textRow("SummaryRow", [label, "", "", amountText(amount)]);
  const unlessZero = (label: string, amount: Cents) => (amount === 0 ? [] : [row(label, amount)]);
  return {
    titles: [
      "Tax Reconciliation",
      organisation,
      `${mediumDate(from)} to ${mediumDate(to)}`,
      isCash ? "Cash basis" : "Accrual basis",
    ],
    rows: [
      headerRow(["", "Collected", "Paid", "Net"]),
      ...returns
        .filter((each) => each.to >= from)
        .map((each) =>
          section(`Return of ${mediumDate(each.from)} to ${mediumDate(each.to)}`, filedRows(each)),
        ),
      section(last === undefined ? `Up to ${mediumDate(to)}` : `After ${mediumDate(last)}`, [
        ...postedRows(unfiled),
        taxRow("SummaryRow", "Not filed yet", both(unfiled)),
      ]),
      section("Owed to the tax office", [
        ...unlessZero("Opening balance", request.opening),
        ...unlessZero("Documents of before the first return", request.before),
        row("Filed", filed),
        row("Paid to the tax office, less refunds", request.settled),
        ...unlessZero("Manual journals and documents on the account", request.coded),
        total("Owed", owing),
      ]),
      section(accounts, [
        row("Owed", owing),
        ...causesOfAll(returns).map(([label, amount]) => row(label, amount)),
        row("Not filed yet", netOf(both(unfiled))),
        ...unlessZero("Rounding line by line", request.rounding),
        ...unlessZero("Of what is not paid yet", request.unpaid),
        total("Explained", whole),
      ]),
      section("", [
        row("Trial balance", balance),
        total("Difference", add(balance, negated(whole))),
      ]),
    ],
  };
}

/** What each cause made of the returns, as the accounts have it. */
export function causesOfAll(returns: readonly FiledTax[]): [label: string, amount: Cents][] {
  const all = Map.groupBy(
    returns.flatMap(({ causes }) => causes),
    ({ label }) => label,
  );
  return [...all].flatMap(([label, causes]): [string, Cents][] => {
    const amount = negated(sum(causes.map(netOf)));
    return amount === 0 ? [] : [[`${label}, of the returns`, amount]];
  });
}

export const noTax: Tax = { collected: zeroCents, paid: zeroCents };
