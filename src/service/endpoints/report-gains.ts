/** Unrealised gains in the sums of reports: what open foreign documents are worth on a day. */
import type { Cents } from "../../ledger/money.ts";
import { toBase } from "../../ledger/money.ts";
import { type OpenForeignDocument, revaluation } from "../../ledger/reports/revaluation.ts";
import type { Sums } from "../../ledger/reports/rows.ts";
import { type ForeignRow, foreignDocuments } from "../../store/foreign.ts";
import { ratesOn } from "../rates.ts";
import type { Reading } from "./report-frame.ts";

const none: Sums = new Map();

/** Which control account holds a document, and on which side. */
const places: Readonly<Record<string, Pick<OpenForeignDocument, "control" | "side">>> = {
  ACCREC: { control: "DEBTORS", side: 1 },
  ACCPAY: { control: "CREDITORS", side: -1 },
  ACCRECCREDIT: { control: "DEBTORS", side: -1 },
  ACCPAYCREDIT: { control: "CREDITORS", side: 1 },
};

/**
 * What the rates of a day change in the sums up to it.
 *
 * Nothing on the cash basis, which knows no open documents, and nothing in books of one currency. A
 * currency of which no rate is known is left at the rates of its documents.
 */
export async function gainsAt(reading: Reading, date: string): Promise<Sums> {
  const { call, tx, chart, basis, organisation } = reading;
  if (basis === "cash" || !chart.hasSystem("UNREALISEDCURRENCYGAIN")) return none;
  const rows = await foreignDocuments(tx, date);
  if (rows.length === 0) return none;
  const asked = rows.map(({ currency_code }) => ({ currency: currency_code, date }));
  const rates = await ratesOn(call, tx, organisation.BaseCurrency, asked);
  const open = rows.flatMap((row, index) => {
    const place = places[row.type];
    const rate = rates[index];
    return place === undefined || rate === undefined ? [] : [{ ...place, ...openOf(row), rate }];
  });
  return revaluation(chart.accounts, open, []);
}

function openOf({ total, currency_rate, ...row }: ForeignRow) {
  const base = toBase(total, currency_rate);
  return {
    open: (total - row.paid - row.allocated) as Cents,
    openBase: (base - row.paid_base - row.allocated_base) as Cents,
  };
}
