/** Causes of differences between the amounts of a return and the tax of its documents. */
import type { Cents } from "../../../money.ts";
import { sum } from "../../../money.ts";
import { negated } from "../../report-rows.ts";
import {
  evaluate,
  isSold,
  type ReturnForm,
  sharesOf,
  type TaxedSum,
  type TaxReturnRequest,
  treatmentOf,
  valuesOf,
} from "./form.ts";

/** A cause, with its amount on each side of the return. */
export interface Cause {
  readonly label: string;
  readonly collected: Cents;
  readonly paid: Cents;
}

/** Maximum difference on a side of a return that is reported as rounding. */
const roundingMax = 100;

interface Share {
  readonly of: TaxedSum | string;
  /** Amount in cents, fractional where the form takes a share of a sum. */
  readonly amount: number;
}

/** The ultimate components of a box: taxed sums, entered amounts, profit and loss figures. */
function sharesIn(form: ReturnForm, request: TaxReturnRequest, id: string, times = 1): Share[] {
  const box = form.boxes.find((each) => each.id === id);
  if (box === undefined) return [];
  const own = request.sums.flatMap((of) =>
    sharesOf(form, of).flatMap(([at, amount]) => (at === id ? { of, amount: times * amount } : [])),
  );
  const entered = box.entered ? (request.entered.get(id) ?? 0) : 0;
  const ledger = box.ledger === undefined ? 0 : request.ledger[box.ledger];
  const others = [
    { of: `Entered in box ${id}`, amount: times * entered },
    { of: `Profit and loss, in box ${id}`, amount: times * ledger },
  ];
  const { formula } = box;
  if (formula === undefined) return [...own, ...others];
  const plain = { of: formula.of };
  const isTurned = formula.isUnsigned && evaluate(plain, valuesOf(form, request)) < 0;
  const [factor, divisor] = formula.share ?? [1, 1];
  const inner = (times * (isTurned ? -factor : factor)) / divisor;
  return [
    ...own,
    ...others,
    ...formula.of.flatMap(([sign, other]) => sharesIn(form, request, other, sign * inner)),
  ];
}

function labelOf(form: ReturnForm, of: TaxedSum | string, amount: number): string {
  if (typeof of === "string") return of;
  if (treatmentOf(form, of)?.reverse !== undefined) return "Reverse charge";
  if (of.isEntered) return `Tax that was entered, ${of.name}`;
  return amount < 0 ? `Not in the return, ${of.name}` : `In the return alone, ${of.name}`;
}

type TaxSide = "collected" | "paid";

/**
 * Causes on one side, by label; the rest is rounding or, if too large, an unexplained difference.
 */
function causesOfSide(
  form: ReturnForm,
  request: TaxReturnRequest,
  side: TaxSide,
  { filed, posted }: { readonly filed: Cents; readonly posted: Cents },
): Map<string, number> {
  const shares = sharesIn(form, request, form.declared[side]);
  const own = (each: TaxedSum): Cents =>
    isSold(form, each) !== (side === "collected")
      ? (0 as Cents)
      : side === "collected"
        ? negated(each.tax)
        : each.tax;
  for (const each of request.sums) shares.push({ of: each, amount: -own(each) });
  if (request.basis === "cash") {
    const all = sum(request.sums.map(own));
    shares.push({ of: "Counted when it is invoiced", amount: all - posted });
  }
  const bySum = [...Map.groupBy(shares, ({ of }) => of)].map(([of, group]) => ({
    of,
    amount: group.reduce((all, each) => all + each.amount, 0),
  }));
  const causes = new Map<string, number>();
  let rest = filed - posted;
  for (const [label, group] of Map.groupBy(bySum, ({ of, amount }) => labelOf(form, of, amount))) {
    const amount = Math.round(group.reduce((all, each) => all + each.amount, 0));
    if (amount === 0) continue;
    causes.set(label, amount);
    rest -= amount;
  }
  // Fractions from the form's formulas count as rounding while their total is small.
  for (const [label, amount] of [...causes].sort(([, a], [, b]) => Math.abs(a) - Math.abs(b))) {
    if (!/^(Not in the return|In the return alone)/.test(label)) continue;
    if (Math.abs(rest + amount) > roundingMax) break;
    rest += amount;
    causes.delete(label);
  }
  if (rest !== 0) causes.set(Math.abs(rest) <= roundingMax ? "Rounding" : "Difference", rest);
  return causes;
}

/** The causes for which a filed return differs from the tax of its documents. */
export function causesOf(
  form: ReturnForm,
  request: TaxReturnRequest,
  filed: Readonly<Record<TaxSide, Cents>>,
  posted: Readonly<Record<TaxSide, Cents>>,
): Cause[] {
  const ofSide = (side: TaxSide) =>
    causesOfSide(form, request, side, { filed: filed[side], posted: posted[side] });
  const [collected, paid] = [ofSide("collected"), ofSide("paid")];
  return [...new Set([...collected.keys(), ...paid.keys()])].map((label) => ({
    label,
    collected: (collected.get(label) ?? 0) as Cents,
    paid: (paid.get(label) ?? 0) as Cents,
  }));
}
