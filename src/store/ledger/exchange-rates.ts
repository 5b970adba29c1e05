/** What currencies were worth from day to day, in units of each for one of the base currency. */
import { sql } from "kysely";
import { type Rate, rateFrom } from "../../resources/decimal.ts";
import type { Insertion } from "../connection/connection.ts";
import { insertRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** A rate, and the day from which it holds until the next that is known. */
export interface DatedRate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly rate: Rate;
}

/** A currency on a day. */
export interface CurrencyOn {
  readonly currency: string;
  readonly date: string;
}

/** The latest rate of each that is known on its day or before, in the order asked. */
export async function latestRates(
  tx: Tx,
  wanted: readonly CurrencyOn[],
): Promise<(DatedRate | undefined)[]> {
  const found = new Map<string, DatedRate | undefined>();
  for (const each of wanted) {
    const key = keyOf(each);
    // One step down the index for each day of each currency, of which a batch has a few.
    if (!found.has(key)) found.set(key, await latestRate(tx, each));
  }
  return wanted.map((each) => found.get(keyOf(each)));
}

/** A rate may have more digits than a number holds. */
const rateText = sql<string>`cast(rate as text)`.as("rate");

const keyOf = ({ currency, date }: CurrencyOn) => `${currency} ${date}`;

async function latestRate(tx: Tx, { currency, date }: CurrencyOn): Promise<DatedRate | undefined> {
  const row = await tx.db
    .selectFrom("exchange_rate")
    .select(["date", rateText])
    .where("org", "=", tx.org)
    .where("currency", "=", currency)
    .where("date", "<=", date)
    .orderBy("date", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { date: row.date, rate: rateFrom(row.rate) };
}

export interface RateList {
  /** `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
}

/** The rates of a currency, the newest first. */
export async function ratesOf(
  tx: Tx,
  currency: string,
  { from, to, limit }: RateList = {},
): Promise<DatedRate[]> {
  const rows = await tx.db
    .selectFrom("exchange_rate")
    .select(["date", rateText])
    .where("org", "=", tx.org)
    .where("currency", "=", currency)
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

/** Keeps rates of a currency; one of the same day is replaced. */
export async function saveRates(
  tx: Tx,
  currency: string,
  rates: readonly DatedRate[],
): Promise<void> {
  // One statement may not touch a row twice.
  const byDate = new Map(rates.map((each) => [each.date, each.rate]));
  const rows = [...byDate].map(([date, rate]) => [
    tx.org,
    currency,
    date,
    // More digits than a number holds go as text.
    typeof rate === "bigint" ? String(rate) : rate,
  ]);
  await insertRows(tx, insertion, rows);
}
