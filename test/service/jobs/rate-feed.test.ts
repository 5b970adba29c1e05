/** Daily rates from the network, beside the book's own table. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ratesOn } from "../../../src/service/lookups/currencies.ts";
import { feedRates, readFeed } from "../../../src/service/lookups/rate-feed.ts";
import { type World, world } from "../fixture.ts";

const daily = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
 xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='2026-03-03'><Cube currency='USD' rate='1.0800'/><Cube currency='NZD' rate='1.8000'/>
<Cube currency='JPY' rate='162.5'/></Cube><Cube time="2026-03-04"><Cube currency="USD" rate="1.0900"/>
<Cube currency="NZD" rate="1.8"/></Cube></Cube></gesmes:Envelope>`;

/** A server of rates, and how often it was asked. */
async function served(answer: { status?: number; body: string }) {
  const asked = { count: 0 };
  const server = createServer((_request, response) => {
    asked.count += 1;
    response.writeHead(answer.status ?? 200).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/daily.xml`, asked };
}

async function ask(given: World, rates: ReturnType<typeof feedRates>, pairs: string[]) {
  const asked = pairs.map((pair) => {
    const [currency = "", date = ""] = pair.split(" ");
    return { currency, date };
  });
  const { store, org } = given.book;
  return store.read(org, (tx) => ratesOn({ rates }, tx, "NZD", asked));
}

const clock = () => 0;

test("an exchange rate is the quotient of two quoted rates, of the day or the last day before", async () => {
  const given = await world();
  const { url, asked } = await served({ body: daily });
  const feed = feedRates(url, { clock });
  const rates = await ask(given, feed, [
    "EUR 2026-03-03",
    "USD 2026-03-03",
    "USD 2026-03-09",
    "JPY 2026-03-09",
    "USD 2026-03-02",
    "CHF 2026-03-09",
    "NZD 2026-03-03",
  ]);
  // 1 / 1.8; 1.08 / 1.8; 1.09 / 1.8; 162.5 / 1.8
  expect(rates).toEqual([555_556, 600_000, 605_556, 90_277_778, undefined, undefined, 1_000_000]);
  await ask(given, feed, ["USD 2026-03-03"]);
  expect(asked.count).toBe(1);
});

test("exchange rates are fetched again from the source after an hour", async () => {
  const given = await world();
  const { url, asked } = await served({ body: daily });
  let now = 0;
  const feed = feedRates(url, { clock: () => now });
  await ask(given, feed, ["USD 2026-03-03"]);
  now += 3_600_001;
  await ask(given, feed, ["USD 2026-03-03"]);
  expect(asked.count).toBe(2);
});

describe("the book's own table of rates", () => {
  async function keeping(given: World, day: string, Rate: number) {
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    await given.ok("PUT", "/Currencies/USD/Rates", { Rates: [{ Date: day, Rate }] });
  }

  test("an exchange rate stored in the book for the day is used without a request to the source", async () => {
    const given = await world();
    await keeping(given, "2026-03-04", 0.7);
    const { url, asked } = await served({ body: daily });
    const feed = feedRates(url, { clock });
    expect(await ask(given, feed, ["USD 2026-03-04"])).toEqual([700_000]);
    expect(asked.count).toBe(0);
    expect(await ask(given, feed, ["USD 2026-03-06"])).toEqual([700_000]);
  });

  test("for a later day, the rate of the source is used instead of the rate stored in the book", async () => {
    const given = await world();
    await keeping(given, "2026-03-01", 0.7);
    const { url } = await served({ body: daily });
    expect(await ask(given, feedRates(url, { clock }), ["USD 2026-03-04"])).toEqual([605_556]);
  });

  test("the rate stored in the book is used when the source fails; without a stored rate the failure is reported", async () => {
    const given = await world();
    await keeping(given, "2026-03-01", 0.7);
    const { url } = await served({ status: 503, body: "closed" });
    const feed = feedRates(url, { clock });
    expect(await ask(given, feed, ["USD 2026-03-04"])).toEqual([700_000]);
    await expect(ask(given, feed, ["EUR 2026-03-04"])).rejects.toThrow(
      /were answered with status 503/,
    );
    const nobody = feedRates("http://127.0.0.1:1/", { clock });
    await expect(ask(given, nobody, ["EUR 2026-03-04"])).rejects.toThrow(/cannot be reached/);
  });
});

test.each(["ftp://rates.example", "rates", ""])(
  "the text %j is refused as the address of an exchange rate source",
  (address) => {
    expect(() => feedRates(address, { clock })).toThrow("is no address of exchange rates");
  },
);

test.each([
  "",
  "<html>busy</html>",
  "<Cube time='2026-03-03'></Cube>",
  "<Cube currency='USD' rate='1'/>",
])("the answer %j of the exchange rate source is reported as containing no rates", (text) =>
  expect(() => readFeed(text)).toThrow("gave none"),
);

test("invalid entries in the answer of the exchange rate source are skipped", () => {
  const [day] = readFeed(
    "<Cube time='2026-03-03'><Cube currency='USD' rate='1.5'/><Cube currency='XXX' rate='-1'/>" +
      "<Cube currency='YYY' rate='1e9'/><Cube currency='ZZZ' rate='0'/></Cube><Cube time='2026-13-03'/>",
  );
  expect([...(day?.rates ?? [])]).toEqual([
    ["EUR", 1_000_000n],
    ["USD", 1_500_000n],
  ]);
});
