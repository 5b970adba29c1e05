/** Daily exchange rates, in units of the currency for one unit of the base currency. */
import { sql } from "kysely";
import { type Rate, rateFrom } from "../../resources/decimal.ts";
import type { Insertion } from "../connection/connection.ts";
import { insertRows, ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** An exchange rate, and the day from which it holds until the next known rate. */
export interface DatedRate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly rate: Rate;
}

/** A currency and a day. */
export interface CurrencyOn {
  readonly currency: string;
  readonly date: string;
}

/** The latest exchange rate of each currency on its day or before, in the order asked. */
export async function latestRates(
  tx: Tx,
  wantedRates: readonly CurrencyOn[],
): Promise<(DatedRate | undefined)[]> {
  const rateByKey = new Map<string, DatedRate | undefined>();
  for (const currencyOn of wantedRates) {
    const key = keyOf(currencyOn);
    // One index lookup for each currency and day, of which a batch has a few.
    if (!rateByKey.has(key)) rateByKey.set(key, await latestRate(tx, currencyOn));
  }
  return wantedRates.map((currencyOn) => rateByKey.get(keyOf(currencyOn)));
}

/** The rate as text, since it may have more digits than a number holds. */
const rateText = sql<string>`cast(rate as text)`.as("rate");

const keyOf = ({ currency, date }: CurrencyOn) => `${currency} ${date}`;

async function latestRate(tx: Tx, { currency, date }: CurrencyOn): Promise<DatedRate | undefined> {
  const row = await ownRows(tx, "exchange_rate", { currency })
    .select(["date", rateText])
    .where("date", "<=", date)
    .orderBy("date", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { date: row.date, rate: rateFrom(row.rate) };
}

export interface RateList {
  /** First and last day, `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
}

/** The exchange rates of a currency, the newest first. */
export async function ratesOf(
  tx: Tx,
  currency: string,
  { from, to, limit }: RateList = {},
): Promise<DatedRate[]> {
  const rows = await ownRows(tx, "exchange_rate", { currency })
    .select(["date", rateText])
    .$if(from !== undefined, (query) => query.where("date", ">=", from ?? ""))
    .$if(to !== undefined, (query) => query.where("date", "<=", to ?? ""))
    .orderBy("date", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(({ date, rate }) => ({ date, rate: rateFrom(rate) }));
}

const insertion: Insertion = {
  table: "exchange_rate",
  columns: ["org", "currency", "date", "rate"],
  tail: "on conflict (org, currency, date) do update set rate = excluded.rate",
  replaces: true,
};

/** Upserts exchange rates of a currency by day. */
export async function saveRates(
  tx: Tx,
  currency: string,
  rates: readonly DatedRate[],
): Promise<void> {
  // An upsert statement may not touch a row twice.
  const byDate = new Map(rates.map((rate) => [rate.date, rate.rate]));
  const rows = [...byDate].map(([date, rate]) => [
    tx.org,
    currency,
    date,
    // Rates with more digits than a number holds are stored as text.
    typeof rate === "bigint" ? String(rate) : rate,
  ]);
  await insertRows(tx, insertion, rows);
}
