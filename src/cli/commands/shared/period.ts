/** The stretch of time that `--from`, `--to` and `--period` mean together. */
import { UsageError } from "../../../resources/errors.ts";
import { organisation } from "../../../resources/organisation.ts";
import type { Context, Flag } from "../../framework/context.ts";
import { fieldFlag } from "../../framework/flags.ts";
import { type Period, parsePeriod, periodWords } from "../../values/dates.ts";

export interface PeriodOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly period?: string | undefined;
}

export const periodFlags: readonly Flag[] = [
  { ...fieldFlag("from", { kind: "date" }, { help: "from this day on" }), key: "from" },
  { ...fieldFlag("to", { kind: "date" }, { help: "up to this day, itself included" }), key: "to" },
  {
    name: "period",
    key: "period",
    placeholder: "PERIOD",
    help: `2026, 2026-Q1, 2026-03, ${periodWords.join(", ")} or FROM..TO`,
    negatable: false,
    repeat: false,
    required: false,
    commas: false,
    read: (text) => text,
  },
];

/**
 * @returns the ends that were given
 * @throws UsageError when a period and an end are given, or the end lies before the start
 */
export async function periodOf(ctx: Context, options: PeriodOptions): Promise<Partial<Period>> {
  const { from, to, period } = options;
  if (period === undefined) {
    if (from !== undefined && to !== undefined && from > to) {
      throw new UsageError("BadPeriod", `--from ${from} is after --to ${to}.`);
    }
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  }
  if (from !== undefined || to !== undefined) {
    throw new UsageError("BadFlags", "--period says both ends; leave --from and --to out.");
  }
  return parsePeriod(period, { today: ctx.today(), yearEnd: await yearEndOf(ctx, period) });
}

/** Only a financial year asks the organisation when its years end. */
async function yearEndOf(ctx: Context, period: string): Promise<{ day: number; month: number }> {
  if (!/fy$/i.test(period.trim())) return { day: 31, month: 12 };
  const client = await ctx.client();
  const [own] = await client.at(organisation, "/Organisation");
  return { day: own?.FinancialYearEndDay ?? 31, month: own?.FinancialYearEndMonth ?? 12 };
}
