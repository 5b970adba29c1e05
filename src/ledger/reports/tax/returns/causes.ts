/** Causes of differences between the amounts of a return and the tax of its documents. */
import type { Cents } from "../../../money.ts";
import { sum } from "../../../money.ts";
import { negated } from "../../report-rows.ts";
import {
  evaluate,
  formFor,
  isSold,
  type ReturnForm,
  sharesOf,
  type TaxedSum,
  type TaxReturnRequest,
  treatmentOf,
  valuesOf,
} from "./form.ts";

/** Id of a cause, which groups amounts, and its label for people. */
interface CauseName {
  readonly id: string;
  readonly label: string;
}

/** A cause, with its amount on each side of the return. */
export interface Cause extends CauseName {
  readonly collected: Cents;
  readonly paid: Cents;
}

/** Maximum difference that is reported as rounding: for each document, and on a side of a return. */
const roundingOfDocument = 5;
const roundingOfSide = 100;

interface Share {
  readonly of: TaxedSum | CauseName;
  /** Amount in cents, fractional where the form takes a share of a sum. */
  readonly amount: number;
}

/** The ultimate components of a box: taxed sums, entered amounts, profit and loss figures. */
function sharesIn(form: ReturnForm, request: TaxReturnRequest, id: string, times = 1): Share[] {
  const box = form.boxes.find((box) => box.id === id);
  if (box === undefined) return [];
  const ownShares = request.sums.flatMap((of) =>
    sharesOf(form, of).flatMap(([at, amount]) => (at === id ? { of, amount: times * amount } : [])),
  );
  const enteredAmount = box.entered ? (request.entered.get(id) ?? 0) : 0;
  const ledger = box.ledger === undefined ? 0 : request.ledger[box.ledger];
  const otherShares = [
    { of: { id: `entered.${id}`, label: `Entered in box ${id}` }, amount: times * enteredAmount },
    { of: { id: `profit.${id}`, label: `Profit and loss, in box ${id}` }, amount: times * ledger },
  ];
  const { formula } = box;
  if (formula === undefined) return [...ownShares, ...otherShares];
  const unsignedFormula = { of: formula.of };
  const isTurned = formula.isUnsigned && evaluate(unsignedFormula, valuesOf(form, request)) < 0;
  const [factor, divisor] = formula.share ?? [1, 1];
  const innerFactor = (times * (isTurned ? -factor : factor)) / divisor;
  return [
    ...ownShares,
    ...otherShares,
    ...formula.of.flatMap(([sign, other]) => sharesIn(form, request, other, sign * innerFactor)),
  ];
}

/** Prefixes of the ids of causes that may be fractions of cents. */
const fractional = /^(?:unreported|return-alone)\./;

function nameOf(form: ReturnForm, of: TaxedSum | CauseName, amount: number): CauseName {
  if ("id" in of) return of;
  const { taxType, name } = of;
  if (treatmentOf(form, of)?.reverse !== undefined)
    return { id: "reverse-charge", label: "Reverse charge" };
  if (of.isEntered) return { id: `own-tax.${taxType}`, label: `Tax that was entered, ${name}` };
  return amount < 0
    ? { id: `unreported.${taxType}`, label: `Not in the return, ${name}` }
    : { id: `return-alone.${taxType}`, label: `In the return alone, ${name}` };
}

type TaxSide = "collected" | "paid";

/** Posted tax of a tax type and account, with the number of its documents. */
interface PostedLine {
  readonly amount: Cents;
  readonly documents: number;
}

type NamedAmount = CauseName & { readonly amount: number };

/**
 * Causes on one side, by id; the rest is rounding or, if too large, an unexplained difference.
 */
function causesOnSide(
  form: ReturnForm,
  request: TaxReturnRequest,
  taxSide: TaxSide,
  filed: Cents,
  lines: readonly PostedLine[],
): Map<string, NamedAmount> {
  const posted = sum(lines.map(({ amount }) => amount));
  // There are no fewer documents than of one tax type and account.
  const documents = Math.max(1, ...lines.map((line) => line.documents));
  const roundingMax = Math.min(roundingOfSide, roundingOfDocument * documents);
  const shares = sharesIn(form, request, form.declared[taxSide]);
  const taxOf = (taxedSum: TaxedSum): Cents =>
    isSold(form, taxedSum) !== (taxSide === "collected")
      ? (0 as Cents)
      : taxSide === "collected"
        ? negated(taxedSum.tax)
        : taxedSum.tax;
  for (const sum of request.sums) shares.push({ of: sum, amount: -taxOf(sum) });
  const when = request.basis === "cash" ? "invoice" : "payment";
  if (
    when === "invoice" ||
    Object.values(form.treatments).some((treatment) => treatment.when === when)
  ) {
    const allTax = sum(request.sums.map(taxOf));
    const of = {
      id: `on-${when}`,
      label: `Counted when it is ${when === "invoice" ? "invoiced" : "paid"}`,
    };
    shares.push({ of, amount: allTax - posted });
  }
  const bySum = [...Map.groupBy(shares, ({ of }) => of)].map(([of, group]) => ({
    of,
    amount: group.reduce((total, share) => total + share.amount, 0),
  }));
  const allCauses = bySum.map(({ of, amount }) => ({ ...nameOf(form, of, amount), amount }));
  const causes = new Map<string, NamedAmount>();
  const whole = inWholeUnits(form, request, form.declared[taxSide]);
  if (whole !== 0)
    causes.set("whole", { id: "whole", label: "Whole amounts of the form", amount: whole });
  let difference = filed - posted - whole;
  for (const [id, group] of Map.groupBy(allCauses, (cause) => cause.id)) {
    const amount = Math.round(group.reduce((total, cause) => total + cause.amount, 0));
    if (amount === 0) continue;
    causes.set(id, { id, label: group[0]?.label ?? "", amount });
    difference -= amount;
  }
  // Fractions from the form's formulas count as rounding while their total is small.
  const smallFirst = [...causes.values()].sort((a, b) => Math.abs(a.amount) - Math.abs(b.amount));
  for (const { id, amount } of smallFirst) {
    if (!fractional.test(id)) continue;
    if (Math.abs(difference + amount) > roundingMax) break;
    difference += amount;
    causes.delete(id);
  }
  const lastCause =
    Math.abs(difference) <= roundingMax
      ? { id: "rounding", label: "Rounding" }
      : { id: "difference", label: "Difference" };
  if (difference !== 0) causes.set(lastCause.id, { ...lastCause, amount: difference });
  return causes;
}

/** What a box has more for amounts that the form has in whole units. */
function inWholeUnits(form: ReturnForm, request: TaxReturnRequest, id: string): number {
  const exactForm = { ...form, boxes: form.boxes.map((box) => ({ ...box, rounding: undefined })) };
  return valuesOf(form, request)(id) - valuesOf(exactForm, request)(id);
}

/** The causes for which a filed return differs from the tax of its documents. */
export function causesOf(
  usual: ReturnForm,
  request: TaxReturnRequest,
  filedTax: Readonly<Record<TaxSide, Cents>>,
  posted: readonly (PostedLine & { readonly side: TaxSide })[],
): Cause[] {
  const form = formFor(usual, request.sums);
  const ofSide = (taxSide: TaxSide) =>
    causesOnSide(
      form,
      request,
      taxSide,
      filedTax[taxSide],
      posted.filter(({ side }) => side === taxSide),
    );
  const [collected, paid] = [ofSide("collected"), ofSide("paid")];
  return [...new Map([...collected, ...paid]).values()].map(({ id, label }) => ({
    ...{ id, label },
    collected: (collected.get(id)?.amount ?? 0) as Cents,
    paid: (paid.get(id)?.amount ?? 0) as Cents,
  }));
}
