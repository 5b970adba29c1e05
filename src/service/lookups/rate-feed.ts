/**
 * Daily exchange rates from a network feed.
 *
 * The feed is XML in the format of the European Central Bank: one day or many, each with the value
 * of a euro in other currencies. The rate between two of these is their quotient. The book's own
 * table has priority on the same day, and is the fallback where the feed cannot be reached.
 */
import type { Rate } from "../../resources/decimal.ts";
import { UnavailableError, UsageError } from "../../resources/errors.ts";
import { isDay } from "../../resources/scalar.ts";
import { type CurrencyOn, type DatedRate, latestRates } from "../../store/ledger/exchange-rates.ts";
import type { RateSource } from "../request/context.ts";

/** A day of the feed: value of the pivot currency in units of each currency (10⁻⁶). */
export interface FeedDay {
  readonly date: string;
  readonly rates: ReadonlyMap<string, bigint>;
}

export interface FeedOptions {
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Reads a URL; by default over the network. @throws UnavailableError */
  readonly read?: (url: URL) => Promise<string>;
}

/** Pivot currency, in which the feed quotes the others. */
const pivot = "EUR";
/** Cache time of the feed in milliseconds: it changes once a day. */
const freshMs = 3_600_000;
const answerTimeoutMs = 5_000;
/** Maximum size of the feed in bytes: twenty-five years of days are 8 MB. */
const bodyBytesMax = 16 * 1024 * 1024;
const scale = 6;
const unit = 10n ** BigInt(scale);

/**
 * Returns a rate source that combines the book's own table and the feed.
 *
 * @throws UsageError `BadRatesUrl` for an invalid URL
 */
export function feedRates(address: string, { clock, read = fetchFeed }: FeedOptions): RateSource {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError("BadRatesUrl", `"${address}" is no address of exchange rates.`);
  }
  let feed: { readonly at: number; readonly days: readonly FeedDay[] } | undefined;
  const days = async () => {
    if (feed === undefined || clock() - feed.at > freshMs) {
      feed = { at: clock(), days: readFeed(await read(url)) };
    }
    return feed.days;
  };
  return {
    async ratesOn(tx, base, pairs) {
      const stored = await latestRates(tx, pairs);
      const isKnown = pairs.every(({ date }, index) => stored[index]?.date === date);
      if (isKnown) return stored;
      const fed = await days().catch((error: unknown) => {
        // Rates of earlier days are better than none; without any, the failure is thrown.
        if (stored.includes(undefined)) throw error;
        return [];
      });
      return pairs.map((currencyOn, index) => newest(stored[index], rateIn(fed, base, currencyOn)));
    },
  };
}

/** Returns the rate of the later day; on the same day, the rate of the book's own table. */
function newest(ownRate: DatedRate | undefined, fed: DatedRate | undefined): DatedRate | undefined {
  if (ownRate === undefined || fed === undefined) return ownRate ?? fed;
  return fed.date > ownRate.date ? fed : ownRate;
}

function rateIn(
  days: readonly FeedDay[],
  baseCurrency: string,
  { currency, date }: CurrencyOn,
): DatedRate | undefined {
  const feedDay = days.find(
    (day) => day.date <= date && day.rates.has(baseCurrency) && day.rates.has(currency),
  );
  const [foreign, own] = [feedDay?.rates.get(currency), feedDay?.rates.get(baseCurrency)];
  if (feedDay === undefined || foreign === undefined || own === undefined) return undefined;
  const rate = Number((foreign * unit * 2n + own) / (own * 2n));
  // A rate that is zero at six decimals cannot be divided by.
  return rate > 0 && Number.isSafeInteger(rate)
    ? { date: feedDay.date, rate: rate as Rate }
    : undefined;
}

/**
 * Parses `<Cube time="…"><Cube currency="…" rate="…"/>…</Cube>`, and ignores all around it.
 *
 * @returns the days, latest first
 * @throws UnavailableError without any rate
 */
export function readFeed(text: string): FeedDay[] {
  const days: { date: string; rates: Map<string, bigint> }[] = [];
  for (const [, attributes = ""] of text.matchAll(/<(?:[\w.-]+:)?Cube\b([^<>]*)>/g)) {
    const date = attributeOf(attributes, "time");
    if (date !== undefined) {
      if (isDay(date)) days.push({ date, rates: new Map([[pivot, unit]]) });
      continue;
    }
    const code = attributeOf(attributes, "currency");
    const rate = rateFrom(attributeOf(attributes, "rate") ?? "");
    if (code !== undefined && rate !== undefined) days.at(-1)?.rates.set(code, rate);
  }
  if (!days.some((day) => day.rates.size > 1)) {
    throw new UnavailableError("RatesUnavailable", "The source of exchange rates gave none.");
  }
  return days.sort((a, b) => (a.date < b.date ? 1 : -1));
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`).exec(attributes)?.[2];
}

/** Parses a positive rate; undefined for other text. */
function rateFrom(text: string): bigint | undefined {
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) return undefined;
  const [whole = "", part = ""] = text.split(".");
  const value = BigInt(whole + part.slice(0, scale).padEnd(scale, "0"));
  return value > 0n ? value : undefined;
}

async function fetchFeed(url: URL): Promise<string> {
  const { request } = await import("undici");
  const unavailable = (problem: string, cause?: unknown) =>
    new UnavailableError("RatesUnavailable", `The exchange rates at ${url.host} ${problem}.`, {
      cause,
    });
  try {
    const { statusCode, body } = await request(url, {
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      signal: AbortSignal.timeout(2 * answerTimeoutMs),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw unavailable(`were answered with status ${statusCode}`);
    }
    return await readBounded(body, () => unavailable("are more than can be read"));
  } catch (error) {
    throw error instanceof UnavailableError ? error : unavailable("cannot be reached", error);
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>, tooMuch: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw tooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
