/** Number format of the organisation, read by the commands that display them. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "../../client/client.ts";
import { readable } from "../../client/organisation-letterhead.ts";
import { AcctError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { cacheDir } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import type { Home } from "../render/output.ts";
import type { DayOrder } from "../values/date-flags.ts";
import { hasBook } from "./choose-target.ts";

type Remote = Target & { readonly kind: "remote" };

/** How long facts of a remote organisation are cached, in milliseconds. */
const rememberedMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns country, time zone and currency of the organisation. Those of a remote service are
 * cached, to save a request for the sake of number formats.
 */
export async function homeAt(ctx: Context, client: Client, mayAsk = true): Promise<Home> {
  const target = ctx.target();
  const read = async (): Promise<Home> => {
    const own = await readable(async () => (await client.at(organisation, "/Organisation"))[0]);
    const { CountryCode: country, Timezone: timezone, BaseCurrency: currency } = own ?? {};
    return { country, timezone, currency };
  };
  if (target.kind !== "remote") return read();
  const file = homeFile(ctx, target);
  const cachedOne = cachedHome(file, ctx.clock());
  if (cachedOne?.currency !== undefined || !mayAsk) return cachedOne ?? {};
  const home = await read();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(home), { mode: 0o600 });
  } catch {
    // A failure to cache is ignored: the facts are requested again.
  }
  return home;
}

/** Names of tax rates by TaxType; undefined where they may not be read. */
export function taxNamesAt(client: Client): Promise<ReadonlyMap<string, string> | undefined> {
  return readable(async () => {
    const rates = await Array.fromAsync(client.list(taxRate));
    return new Map(rates.map(({ TaxType = "", Name }) => [TaxType, Name]));
  });
}

function homeFile({ env }: Context, { baseUrl, tenant, token }: Remote): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  const name = hash("sha256", JSON.stringify([baseUrl, tenant ?? token ?? ""])).slice(0, 16);
  return join(cacheDir(env), "homes", name);
}

/**
 * Returns the order of day and month in the country of the organisation, where it is unambiguous.
 */
export async function dayOrderAt(ctx: Context): Promise<DayOrder | undefined> {
  const target = ctx.target();
  if (target.kind !== "demo" && !hasBook(target)) return undefined;
  const { country } = await homeAt(ctx, await ctx.client());
  const { usualOrder } = await import("../../bank-files/csv/date-order.ts");
  const order = usualOrder({ country, isOwnCurrency: true });
  return order === "ymd" ? undefined : order;
}

/** Returns today's date in the time zone of the organisation; undefined where it is not known. */
export async function todayAt(ctx: Context): Promise<string | undefined> {
  try {
    const target = ctx.target();
    if (target.kind !== "demo" && !hasBook(target)) return undefined;
    const { timezone = "" } = await homeAt(ctx, await ctx.client());
    const { ianaName, dayIn: today } = await import("../../ledger/dates/timezones.ts");
    return ianaName(timezone) === undefined ? undefined : today(ctx.clock(), timezone);
  } catch (error) {
    if (error instanceof AcctError) return undefined;
    throw error;
  }
}

/** Returns the time zone of the organisation as far as it is known locally, without a request. */
export async function timezoneOf(ctx: Context): Promise<string | undefined> {
  try {
    const target = ctx.target();
    if (target.kind === "remote") return cachedHome(homeFile(ctx, target), ctx.clock())?.timezone;
    return hasBook(target) ? (await homeAt(ctx, await ctx.client())).timezone : undefined;
  } catch (error) {
    if (error instanceof AcctError) return undefined;
    throw error;
  }
}

function cachedHome(file: string, now: number): Home | undefined {
  try {
    if (statSync(file).mtimeMs < now - rememberedMs) return undefined;
    return JSON.parse(readFileSync(file, "utf8")) as Home;
  } catch {
    return undefined;
  }
}
