/** What the commands of reports share: asking for one and showing it, and the flags of its days. */
import { UsageError } from "../../resources/errors.ts";
import type { Flag } from "../command.ts";
import type { Context } from "../context.ts";
import { periodFlags, periodOf } from "../period.ts";

export const timeframes = ["MONTH", "QUARTER", "YEAR"] as const;

export const day = { kind: "date" } as const;

/** What every report may be asked. */
export interface Parameters {
  readonly [name: string]: string | undefined;
}

/** Those that were given. */
export function given(parameters: Parameters): Record<string, string> {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

export async function show(ctx: Context, name: string, parameters: Parameters): Promise<void> {
  const client = await ctx.client();
  await ctx.out.report(await client.report(name, given(parameters)));
}

export const flagged = (value: boolean | undefined) => (value === true ? "true" : undefined);
export const counted = (value: number | undefined) =>
  value === undefined ? undefined : String(value);

const [, , periodFlag] = periodFlags as readonly [Flag, Flag, Flag];
/** `--period` for a report of one day. */
export const endOfPeriod = { ...periodFlag, help: `the end of it: ${periodFlag.help}` };

/** The day that a report is as at. */
export async function dayOf(
  ctx: Context,
  { date, period }: { readonly date?: string | undefined; readonly period?: string | undefined },
): Promise<string | undefined> {
  if (period === undefined) return date;
  if (date !== undefined)
    throw new UsageError("BadFlags", "--period says the day; leave --date out.");
  return (await periodOf(ctx, { period })).to;
}
