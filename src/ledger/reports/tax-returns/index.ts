/** Forms of tax returns, by the ReportType. */
import type { ReturnType } from "../../../resources/tax-report.ts";
import { au } from "./au.ts";
import { ca } from "./ca.ts";
import type { ReturnForm } from "./form.ts";
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
} as const satisfies Readonly<Record<ReturnType, ReturnForm>>;
