/** Gross amounts of a plan in the base currency, by which policies bound it. */
import { readDecimal, scaleOf } from "../../resources/decimal.ts";
import type { Plan, PlannedRecord } from "../../resources/plan.ts";

interface PlanAmounts {
  /** Of the largest document or journal. */
  readonly largest: number;
  readonly total: number;
}

/** Counts what documents and payments come to, drafts included, and what is posted: the larger. */
export function amountsOf({
  Records = [],
  Journals = [],
}: Pick<Plan, "Records" | "Journals">): PlanAmounts {
  const ofRecords = Records.map(amountOf);
  const ofJournals = Journals.map(({ Lines = [] }) =>
    sum(Lines.map(({ NetAmount }) => Math.max(NetAmount, 0))),
  );
  return {
    largest: Math.max(0, ...ofRecords, ...ofJournals),
    total: Math.max(sum(ofRecords), sum(ofJournals)),
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Amount of a record that is new or has another amount; lines of a bank's statement move nothing. */
function amountOf({ Resource, Before, After }: PlannedRecord): number {
  if (Resource.startsWith("BankStatement")) return 0;
  const [was, is] = [grossIn(Before), grossIn(After)];
  return was === is ? 0 : Math.max(was, is);
}

function grossIn(json = "{}"): number {
  const { Total, Amount, CurrencyRate = 1 } = JSON.parse(json);
  const amount = readDecimal(String(Total ?? Amount ?? 0), scaleOf.money) ?? 0;
  return Math.round(Math.abs(amount) / Number(CurrencyRate));
}
