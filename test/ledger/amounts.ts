/** Amounts in tests, written as decimals. */
import type {
  Cents,
  Exchange,
  Percent,
  Quantity,
  Rate,
  UnitAmount,
} from "../../src/ledger/money.ts";
import { readDecimal } from "../../src/resources/decimal.ts";

function read(text: string, scale: number): number {
  const value = readDecimal(text, scale);
  if (value === undefined) throw new Error(`No decimal: ${text}`);
  return value;
}

export const cents = (text: string): Cents => read(text, 2) as Cents;
export const unit = (text: string): UnitAmount => read(text, 4) as UnitAmount;
export const quantity = (text: string): Quantity => read(text, 4) as Quantity;
export const percent = (text: string): Percent => read(text, 4) as Percent;
export const rate = (text: string): Rate => read(text, 6) as Rate;
/** The conversion to a base currency of cents. */
export const exchange = (text: string): Exchange => ({ rate: rate(text), smallest: 1 });
