/**
 * What a return of Germany or France comes to, worked out from what a year was, without the program:
 * from net amounts and taxes by what they are for, in cents.
 */
import type { Country } from "./country.ts";

export type TaxName = Exclude<keyof Country["tax"] & string, "percent">;

/** Sums of a return: net, tax on documents, and tax that the buyer owes, signed as on its side. */
export interface Sums {
  readonly net: number;
  readonly tax: number;
  readonly owed: number;
}

export type SumsOf = (...names: readonly TaxName[]) => Sums;
type Boxes = Readonly<Record<string, number>>;

const euros = (cents: number) => Math.trunc(cents / 100) * 100;
const rounded = (cents: number) => euros(cents + 50 * Math.sign(cents));

/** The USt-VA: bases in whole euros, cents dropped, and the tax of the two rates from these. */
function ustVa(sums: SumsOf): Boxes {
  const base = (...names: readonly TaxName[]) => euros(sums(...names).net);
  const [full, reduced, acquired] = [base("sales"), base("reduced"), base("acquisition")];
  const services = sums("reverse").owed;
  const owed = services + sums("owedAlone").owed;
  const lines = {
    ...{ 81: full, "81T": (full * 19) / 100, 86: reduced, "86T": (reduced * 7) / 100 },
    ...{ 41: base("union"), 43: base("exports"), 21: base("unionServices") },
    ...{ 89: acquired, "89T": (acquired * 19) / 100, 46: base("reverse", "owedAlone"), 47: owed },
    ...{ 61: sums("acquisition").owed, 62: sums("imports").tax, 67: services },
    66: sums("purchases", "capital").tax,
  };
  const USt = lines["81T"] + lines["86T"] + lines["89T"] + owed;
  const VSt = lines[66] + lines[61] + lines[62] + services;
  return { ...lines, USt, VSt, 83: USt - VSt };
}

/** The CA3: each line to the nearest euro, sums of rounded lines, and the credit of the one before. */
function ca3(sums: SumsOf, brought: number): Boxes {
  const base = (...names: readonly TaxName[]) => rounded(sums(...names).net);
  const owed = (...names: readonly TaxName[]) => rounded(sums(...names).owed);
  const inputs = sums("purchases", "servicesBought", "fuel").tax;
  const reversed = sums("acquisition", "reverse", "imports").owed;
  const lines = {
    ...{ A1: base("sales", "services", "reduced"), A3: base("reverse"), A4: base("imports") },
    ...{ B2: base("acquisition"), E1: base("exports"), E2: base("unionServices") },
    ...{ F2: base("union"), "08": base("sales", "services", "acquisition", "reverse") },
    "08T": rounded(sums("sales", "services").tax + sums("acquisition", "reverse").owed),
    ...{ "09": base("reduced"), "09T": rounded(sums("reduced").tax) },
    ...{ I1: base("imports"), I1T: owed("imports"), 17: owed("acquisition") },
    ...{ 19: rounded(sums("capital").tax), 20: rounded(inputs + reversed), 24: owed("imports") },
  };
  const gross = lines["08T"] + lines["09T"] + lines.I1T;
  const deducted = lines[19] + lines[20] + brought;
  const [due, credit] = [Math.max(gross - deducted, 0), Math.max(deducted - gross, 0)];
  const totals = { 16: gross, 22: brought, 23: deducted, "23-22": deducted - brought };
  return { ...lines, ...totals, 25: credit, 27: credit, TD: due, 28: due, 32: due };
}

/** The forms that are worked out box by box: the boxes, what is paid, and what is carried over. */
export const vatForms: Readonly<
  Record<string, { boxes: (sums: SumsOf, brought: number) => Boxes; due: string; credit?: string }>
> = {
  "ust-va": { boxes: ustVa, due: "83" },
  ca3: { boxes: ca3, due: "32", credit: "27" },
};
