/**
 * /Currencies: the currencies of the organisation; and, as an extension, their daily exchange
 * rates.
 */

import { hyphenDate } from "../../../ledger/dates/calendar.ts";
import { lockedUntil } from "../../../ledger/locks.ts";
import { requireCurrency } from "../../../resources/common.ts";
import type { Currency, ExchangeRate } from "../../../resources/currency.ts";
import { NotFoundError, refusal } from "../../../resources/errors.ts";
import { currency, exchangeRate } from "../../../resources/index.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import { validate } from "../../../resources/validate.ts";
import { latestRates, ratesOf, saveRates } from "../../../store/ledger/exchange-rates.ts";
import { fetch, remove, save } from "../../../store/mapping/records.ts";
import { isUsed } from "../../../store/queries/references.ts";
import { organisationOf } from "../../../store/records/organisations.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { addCurrencyAccounts, currencyName } from "../../lookups/currencies.ts";
import { answer, noContent } from "../../request/answer.ts";
import type { RequestContext } from "../../request/context.ts";
import type { Endpoint, RecordWriter } from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { enter } from "../../request/history.ts";
import { readInputs } from "../../request/write.ts";

export const currencies: Endpoint<Currency, undefined> = {
  resource: currency,
  listOrder: "Code",
  writer: async () => currencyWriting,
};

const currencyWriting: RecordWriter<Currency, undefined> = {
  load: async () => undefined,

  decide(_batch, _work, entry) {
    const { Code } = entry.input as Pick<Currency, "Code">;
    entry.record = { Code, Description: currencyName(Code) };
    entry.history.push({ changes: "Created", details: `The currency ${Code} was added.` });
  },

  async keep({ call, tx, organisation }, _work, decisions) {
    await save(
      tx,
      currency,
      decisions.flatMap((entry) => entry.record ?? []),
    );
    if (decisions.length > 0)
      await addCurrencyAccounts({ newId: call.newId, now: call.now() }, tx, organisation);
  },
};

/** DELETE /Currencies/{Code}: refused where anything is in the currency; its rates stay. */
export async function removeCurrency(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const { Code } = await loadCurrency(tx, key);
    const { BaseCurrency } = await organisationOf(tx);
    if (Code === BaseCurrency) throw refusal("Currency", `${Code} is the base currency.`);
    if (await isUsed(tx, currency, Code)) {
      throw refusal(
        "HasTransactions",
        `The currency ${Code} is that of a document, a template, an account, a contact or a branding theme and cannot be removed.`,
      );
    }
    await remove(tx, currency, [Code]);
    const details = `The currency ${Code} was removed.`;
    await enter(call, tx, currency, Code, { changes: "Deleted", details });
    return noContent;
  });
}

/** Maximum number of rates in an answer: twenty years of days. */
const ratesMax = 8000;

/** GET /Currencies/{Code}/Rates: exchange rates, newest first, from DateFrom to DateTo if given. */
export async function readRates(call: RequestContext, key: string): Promise<ServiceResponse> {
  const from = call.query.day("DateFrom");
  const to = call.query.day("DateTo");
  const records = await call.read(async (tx) => {
    const { Code } = await loadCurrency(tx, key);
    return ratesOf(tx, Code, { from, to, limit: ratesMax });
  });
  const rates = records.map(({ date, rate }): ExchangeRate => ({ Date: date, Rate: rate }));
  return answer(call, exchangeRate, rates, "single");
}

/** PUT /Currencies/{Code}/Rates: stores exchange rates, replacing those of the same days. */
export async function writeRates(call: RequestContext, key: string): Promise<ServiceResponse> {
  const inputs = readInputs(call, { resource: exchangeRate }, exchangeRate.batchMax);
  const faults = new Faults();
  for (const [index, input] of inputs.entries()) {
    const prefix = inputs.length === 1 ? "" : `${exchangeRate.name} ${index + 1}: `;
    for (const { message } of validate(exchangeRate.fields, input, { creating: true })) {
      faults.add("Form", `${prefix}${message}`);
    }
    const { Rate } = input as Partial<ExchangeRate>;
    if (Rate !== undefined && Rate <= 0)
      faults.add("NegativeTotal", `${prefix}Rate must be above zero.`);
  }
  faults.check();
  const rates = inputs as unknown as ExchangeRate[];
  return call.write(async (tx) => {
    const { Code } = await loadCurrency(tx, key);
    const organisation = await organisationOf(tx);
    const { BaseCurrency } = organisation;
    if (Code === BaseCurrency)
      throw refusal("Currency", `${Code} is the base currency: its rate is always 1.`);
    await checkLocked(tx, Code, rates, organisation);
    await saveRates(
      tx,
      Code,
      rates.map((rate) => ({ date: rate.Date, rate: rate.Rate })),
    );
    await enter(call, tx, currency, Code, { changes: "Rates", details: sentenceOf(Code, rates) });
    return answer(call, exchangeRate, rates, "single");
  });
}

/**
 * Refuses rates in a locked period that differ from the current ones: they would change the value
 * of open items and bank balances in closed reports.
 *
 * @throws RefusedError with a sentence for each rate
 */
async function checkLocked(
  tx: Tx,
  code: string,
  rates: readonly ExchangeRate[],
  organisation: Organisation,
): Promise<void> {
  const locked = lockedUntil(organisation);
  if (locked === undefined) return;
  const early = rates.filter((rate) => rate.Date <= locked);
  const knownRates = await latestRates(
    tx,
    early.map((exchangeRate) => ({ currency: code, date: exchangeRate.Date })),
  );
  const faults = new Faults();
  for (const [index, each] of early.entries()) {
    if (knownRates[index]?.rate === each.Rate) continue;
    faults.add(
      "LockDate",
      `The rate of ${code} on ${each.Date} is in the period that is locked until ` +
        `${hyphenDate(locked)} and cannot be changed.`,
    );
  }
  faults.check();
}

function sentenceOf(code: string, rates: readonly ExchangeRate[]): string {
  const days = rates.map((rate) => rate.Date).sort();
  const [first] = days;
  const lastDay = days.at(-1);
  return first === lastDay
    ? `The rate of ${code} on ${first} was kept.`
    : `${days.length} rates of ${code} from ${first} to ${lastDay} were kept.`;
}

/** Returns a currency. @throws NotFoundError where the organisation has not added it */
async function loadCurrency(tx: Tx, key: string): Promise<Currency> {
  const [record] = await fetch(tx, currency, "Code", [key.toUpperCase()]);
  if (record === undefined) {
    requireCurrency(key.toUpperCase());
    throw new NotFoundError("NotFound", `There is no currency ${key.slice(0, 60)}; add it first.`);
  }
  return record;
}
