/** Tax return forms by ReportType. */
import { type ReturnType, returnTypes, taxReturns } from "../../../../resources/tax-report.ts";
import { au } from "./au.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import type { Mapping, ReturnForm } from "./form.ts";
import { fr } from "./fr.ts";
import { gb } from "./gb.ts";
import { nz } from "./nz.ts";
import { sg } from "./sg.ts";
import { za } from "./za.ts";

export const returnForms = {
  GSTReturn: nz,
  SalesTaxReturn: au,
  VATReturn: gb,
  GSTHSTReturn: ca,
  GSTF5: sg,
  VAT201: za,
  UStVA: de,
  CA3: fr,
} as const satisfies Readonly<Record<ReturnType, ReturnForm>>;

/** The return form of a country; without one, sales and purchases are told apart by account. */
export function mappingOf(countryCode: string): Mapping {
  const type = returnTypes.find((returnType) => taxReturns[returnType].country === countryCode);
  return type === undefined ? { treatments: {} } : returnForms[type];
}
