/** What records name by code, each looked up in the chart and kept as the chart spells it. */
import type { Account } from "../resources/account.ts";
import type { Chart } from "./chart.ts";
import type { Faults } from "./faults.ts";

/** The active account of a code, or undefined with the reason added to `faults`. */
export function activeAccount(
  chart: Chart,
  field: string,
  code: string,
  faults: Faults,
): Account | undefined {
  const found = chart.account(code);
  if (found?.Status === "ACTIVE") return found;
  faults.add(`${field}: there is no active account with code '${code}'.`);
  return undefined;
}

/** The TaxType of an active rate, or undefined with the reason added to `faults`. */
export function activeTaxType(
  chart: Chart,
  field: string,
  taxType: string,
  faults: Faults,
): string | undefined {
  const found = chart.taxRate(taxType);
  if (found?.Status === "ACTIVE") return found.TaxType;
  faults.add(`${field}: there is no tax rate of TaxType '${taxType}'.`);
  return undefined;
}
