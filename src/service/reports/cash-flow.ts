/** /Reports/CashFlow: the sources and uses of cash in the bank accounts. */

import { addDays, type DateRange } from "../../ledger/dates/calendar.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import {
  type Activity,
  activities,
  type CashFlowColumn,
  cashFlow as cashFlowRows,
  cashOf,
} from "../../ledger/reports/cash-flow.ts";
import {
  negated,
  reportPeriods,
  reportRange,
  reportWeeks,
} from "../../ledger/reports/report-rows.ts";
import { refusal } from "../../resources/errors.ts";
import { cashTimeframes, comparedPeriodsMax } from "../../resources/report.ts";
import { cashBegunWith, cashFlows } from "../../store/queries/cash-flows.ts";
import { balancesAt } from "./report-columns.ts";
import { dateOf, headingOf, type MakeReport, type ReportContext } from "./report-context.ts";

/** GET /Reports/CashFlow: by default the current month. */
export const cashFlow: MakeReport = async (context) => {
  const { call, organisation, chart, today } = context;
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const periodCount = call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = call.query.choice("timeframe", cashTimeframes);
  const activityOf = activitiesOf(context);
  const isIndirect = call.query.boolean("indirect") === true;
  if (timeframe === "WEEK" && periodCount !== undefined) {
    throw refusal(
      "Form",
      "With the timeframe WEEK there is a column for each week; leave periods out.",
    );
  }
  const ranges =
    timeframe === "WEEK" ? reportWeeks(from, to) : reportPeriods(from, to, periodCount, timeframe);
  const columns: CashFlowColumn[] = [];
  for (const range of ranges) columns.push(await columnOf(context, range));
  const body = cashFlowRows({
    organisation: organisation.Name,
    from,
    to,
    columns,
    accounts: chart.accounts,
    activityOf,
    layout: isIndirect ? "indirect" : context.isAccountant ? "direct" : undefined,
  });
  return { ...body, basis: "cash" };
};

async function columnOf(context: ReportContext, range: DateRange): Promise<CashFlowColumn> {
  const { tx, chart, organisation, gains } = context;
  const banks = chart.accounts.filter(({ Type }) => Type === "BANK");
  const query = {
    ...range,
    banks: banks.map(({ AccountID }) => AccountID),
    organisation: organisation.OrganisationID,
  };
  const flows = await cashFlows(tx, query);
  return {
    heading: headingOf(context, range),
    flowById: new Map(flows.map(({ account, amount }) => [account, negated(amount)])),
    begun: await cashBegunWith(tx, query),
    before: await balancesAt(context, addDays(range.from, -1)),
    period: { ...(await balancesAt(context, range.to)), ...range },
    gains: cashOf(banks, await gains.in(new Map(), range.from, range.to)),
  };
}

/**
 * Returns accounts whose activity differs from the default of their type: owners' accounts, and
 * those in the query.
 */
function activitiesOf({ call, chart, organisation }: ReportContext): ReadonlyMap<string, Activity> {
  const activityById = new Map<string, Activity>();
  for (const code of regionAt(organisation.CountryCode).ownersAccounts ?? []) {
    const account = chart.account(code);
    if (account?.Type === "CURRLIAB") activityById.set(account.AccountID, "financing");
  }
  const activityByAccount = new Map<string, Activity>();
  for (const activity of activities) {
    for (const code of call.query.list(activity) ?? []) {
      const account = chart.account(code);
      if (account === undefined) throw refusal("NotFound", `There is no account '${code}'.`);
      if (account.Type === "BANK")
        throw refusal("Form", `${account.Name} is a bank account: it is cash.`);
      const former = activityByAccount.get(account.AccountID);
      if (former !== undefined && former !== activity) {
        throw refusal("Parameter", `The account ${code} cannot be both ${former} and ${activity}.`);
      }
      activityByAccount.set(account.AccountID, activity);
    }
  }
  return new Map([...activityById, ...activityByAccount]);
}
