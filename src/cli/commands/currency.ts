/** `acct currency`: the currencies of the book, and their daily exchange rates. */

import { currencyCodes, requireCurrency } from "../../resources/common.ts";
import { type Currency, currency, exchangeRate } from "../../resources/currency.ts";
import type { Rate } from "../../resources/decimal.ts";
import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import type { Input } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import type { ValueForm } from "../import/mapping/cell-values.ts";
import type { TableFile } from "../import/readers/row-sheet.ts";
import { listCommand } from "../shared/list-verb.ts";
import { deleteCommand, nounOf, showCommand } from "../shared/verbs.ts";
import { parseValue } from "../values/value.ts";

/** Finds a currency in the list, since the service has no endpoint for a single one. */
async function find(ctx: Context, key: string): Promise<Currency> {
  const client = await ctx.client();
  const where = compare(currency.fields, "Code", "==", key.toUpperCase());
  const isKnown = currencyCodes.includes(key.toUpperCase());
  if (isKnown) for await (const currencies of client.list(currency, { where })) return currencies;
  requireCurrency(key.toUpperCase());
  const add = isKnown ? `; acct currency add ${key.toUpperCase()} adds it.` : ".";
  throw new NotFoundError("NotFound", `The books have no currency ${key}${add}`);
}

const noun = nounOf(currency, { find });
const ratesOf = (code: string) => `/Currencies/${encodeURIComponent(code.toUpperCase())}`;

const addCommand = command("add", "keep books in another currency too")
  .writes()
  .answers(currency)
  .alias("create", "new")
  .argument("CODE", "such as EUR")
  .note("The first one adds the accounts that gains and losses on currencies go to.")
  .example("acct currency add USD")
  .action(async (ctx, code) => {
    const Code = parseValue(currency.fields.Code, code, { name: "CODE" }) as Currency["Code"];
    const client = await ctx.client();
    await ctx.out.record(currency, await client.create(currency, { Code }));
  });

const rateCommand = command("rate", "say what a currency is worth, or show what it was")
  .writes()
  .key(currency)
  .answers(exchangeRate)
  .optionalArgument("RATE", "units of the currency for one of the base currency")
  .field("date", { kind: "date" }, { help: "from this day on; today when not given" })
  .note("A rate holds until the next day that has one. Without a rate those known are shown.")
  .example("acct currency rate EUR 0.6153 --date 2026-03-01")
  .example("acct currency rate EUR")
  .action(async (ctx, key, text, { date }) => {
    const client = await ctx.client();
    const under = ratesOf(key);
    if (text === undefined) {
      return ctx.out.records(exchangeRate, await client.at(exchangeRate, `${under}/Rates`));
    }
    const rate = parseValue(exchangeRate.fields.Rate, text, { name: "RATE" }) as Rate;
    const input = { Date: date ?? (await ctx.today()), Rate: rate };
    await ctx.out.record(exchangeRate, await client.create(exchangeRate, input, { under }));
  });

type RateInput = Input<typeof exchangeRate>;

const ratesCommand = command("rates", "take rates from a CSV file")
  .writes()
  .argument("FILE", "with the columns Currency, Date and Rate; - for standard input", {
    live: "file",
  })
  .flag("date-format", "how the file writes dates, such as DD/MM/YYYY")
  .flag("decimal", "comma or point", { values: ["comma", "point"] })
  .note("Every row is checked before any is kept; a rate of the same day is replaced.")
  .example("acct currency rates rates.csv")
  .example("acct currency rates kurse.csv --date-format DD.MM.YYYY --decimal comma")
  .action(async (ctx, path, { dateFormat, decimal }) => {
    const form = { dateFormat, decimal: decimal as "comma" | "point" | undefined };
    const byCode = await readRates({ path, tell: (sentence) => ctx.out.say(sentence) }, form);
    const client = await ctx.client();
    for (const code of byCode.keys()) await find(ctx, code);
    let count = 0;
    for (const [code, inputs] of byCode) {
      for (let startIndex = 0; startIndex < inputs.length; startIndex += exchangeRate.batchMax) {
        const batch = inputs.slice(startIndex, startIndex + exchangeRate.batchMax);
        await client.writeMany("PUT", exchangeRate, batch, { under: ratesOf(code) });
        count += batch.length;
      }
    }
    const verb = ctx.flags.dryRun ? "would be kept" : "kept";
    ctx.out.say(`${counted(count, "rate")} of ${[...byCode.keys()].sort().join(", ")} ${verb}.`);
  });

const columns = {
  Currency: { names: ["Currency", "Code", "CurrencyCode"], field: currency.fields.Code },
  Date: { names: ["Date"], field: exchangeRate.fields.Date },
  Rate: { names: ["Rate"], field: exchangeRate.fields.Rate },
};

/**
 * Parses a file of exchange rates, by currency.
 *
 * @throws RefusedError with every row that is invalid
 */
async function readRates(file: TableFile, form: ValueForm): Promise<Map<string, RateInput[]>> {
  const { readTable } = await import("../import/readers/row-sheet.ts");
  const byCode = new Map<string, RateInput[]>();
  for (const row of await readTable(file, columns, ["Currency", "Date", "Rate"], form)) {
    const { Currency: code = "", Date: day, Rate: rate } = row;
    const currencyRates = byCode.get(code) ?? [];
    currencyRates.push({ Date: day, Rate: rate });
    byCode.set(code, currencyRates);
  }
  if (byCode.size === 0) throw new RefusedError("BadFile", `${file.path} holds no rates.`);
  return byCode;
}

export const currencyVerbs: readonly Child[] = [
  listCommand({ resource: currency, examples: ["acct currency list"] }),
  showCommand(noun),
  addCommand,
  rateCommand,
  ratesCommand,
  deleteCommand(noun, { verb: "remove", summary: "remove a currency that nothing is in" }),
];
