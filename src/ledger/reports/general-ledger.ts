/** General ledger, in sum: what stood on each account, what moved, what stands on it then. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";
import {
  type AccountInfo,
  accountAttribute,
  amountText,
  headerRow,
  negated,
  plainRow,
  type ReportBody,
  section,
} from "./rows.ts";

/** Amounts of balances, debit positive. */
export interface AccountMovement {
  readonly account: AccountInfo;
  readonly opening: Cents;
  /** Posted within the range. */
  readonly debit: Cents;
  readonly credit: Cents;
  /** As the trial balance of the last day has it. */
  readonly closing: Cents;
}

export interface GeneralLedgerRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  /** Tracking options; empty for none. */
  readonly filter: string;
  readonly accounts: readonly AccountMovement[];
}

/**
 * The report. What was not posted, currency gains of open items and the profit of a year that ended
 * within the range, is among the debits or the credits, as the row of it in the account ledger is.
 */
export function generalLedger(request: GeneralLedgerRequest): ReportBody {
  const { organisation, from, to, filter, accounts } = request;
  const columns: Cents[][] = [];
  const rows = accounts.flatMap(({ account, opening, debit, credit, closing }) => {
    const net = add(closing, negated(opening));
    const worked = add(net, add(credit, negated(debit)));
    const figures = [
      opening,
      worked > 0 ? add(debit, worked) : debit,
      worked < 0 ? add(credit, negated(worked)) : credit,
      net,
      closing,
    ];
    if (figures.every((each) => each === 0)) return [];
    columns.push(figures);
    const Attributes = [accountAttribute(account.AccountID)];
    const texts = [account.Code ?? "", account.Name, ...figures.map(amountText)];
    return [{ RowType: "Row" as const, Cells: texts.map((Value) => ({ Value, Attributes })) }];
  });
  const totals = [0, 1, 2, 3, 4].map((column) =>
    sum(columns.map((figures) => figures[column] ?? zeroCents)),
  );
  const total = plainRow("SummaryRow", "", totals);
  return {
    titles: [
      "General Ledger",
      organisation,
      `${longDate(from)} to ${longDate(to)}`,
      ...(filter === "" ? [] : [filter]),
    ],
    rows: [
      headerRow(["Code", "Account", "Opening", "Debit", "Credit", "Net", "Closing"]),
      section("", rows),
      section("", [{ ...total, Cells: [{ Value: "Total" }, ...(total.Cells ?? [])] }]),
    ],
  };
}
