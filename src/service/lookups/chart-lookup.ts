/** What records name by code, each looked up in the chart and kept as the chart spells it. */
import type { Account } from "../../resources/account.ts";
import { fold } from "../../wire/fold.ts";
import type { Faults } from "../request/faults.ts";
import type { Chart } from "./chart.ts";

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

/** A tracking option as records name it: the category and the option, by id or by name. */
export interface NamedOption {
  readonly TrackingCategoryID?: string | undefined;
  readonly TrackingOptionID?: string | undefined;
  readonly Name?: string | undefined;
  readonly Option?: string | undefined;
}

/** The active option with its category, spelt as they are kept; or undefined, with a fault. */
export function activeOption(
  { tracking }: Chart,
  field: string,
  { TrackingCategoryID, TrackingOptionID, Name, Option }: NamedOption,
  faults: Faults,
): Required<{ [K in keyof NamedOption]: string }> | undefined {
  const category = tracking.find(
    (each) =>
      each.Status === "ACTIVE" &&
      (TrackingCategoryID === undefined
        ? Name !== undefined && fold(each.Name) === fold(Name)
        : each.TrackingCategoryID === TrackingCategoryID),
  );
  if (category === undefined) {
    faults.add(`${field}: there is no tracking category '${Name ?? TrackingCategoryID ?? ""}'.`);
    return undefined;
  }
  const option = category.Options.find(
    (each) =>
      each.Status === "ACTIVE" &&
      (TrackingOptionID === undefined
        ? Option !== undefined && fold(each.Name) === fold(Option)
        : each.TrackingOptionID === TrackingOptionID),
  );
  if (option === undefined) {
    const named = Option ?? TrackingOptionID ?? "";
    faults.add(`${field}: the tracking category ${category.Name} has no option '${named}'.`);
    return undefined;
  }
  return {
    TrackingCategoryID: category.TrackingCategoryID,
    TrackingOptionID: option.TrackingOptionID,
    Name: category.Name,
    Option: option.Name,
  };
}
