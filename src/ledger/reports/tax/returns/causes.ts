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

/** Maximum difference on a side of a return that is reported as rounding. */
const roundingMax = 100;

interface Share {
  readonly of: TaxedSum | CauseName;
  /** Amount in cents, fractional where the form takes a share of a sum. */
  readonly amount: number;
}

/** The ultimate components of a box: taxed sums, entered amounts, profit and loss figures. */
function sharesIn(form: ReturnForm, request: TaxReturnRequest, id: string, times = 1): Share[] {
  const box = form.boxes.find((box) => box.id === id);
  if (box === undefined) return [];
  const own = request.sums.flatMap((of) =>
    sharesOf(form, of).flatMap(([at, amount]) => (at === id ? { of, amount: times * amount } : [])),
  );
  const entered = box.entered ? (request.entered.get(id) ?? 0) : 0;
  const ledger = box.ledger === undefined ? 0 : request.ledger[box.ledger];
  const others = [
    { of: { id: `entered.${id}`, label: `Entered in box ${id}` }, amount: times * entered },
    { of: { id: `profit.${id}`, label: `Profit and loss, in box ${id}` }, amount: times * ledger },
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
type NamedAmount = CauseName & { readonly amount: number };

/**
 * Causes on one side, by id; the rest is rounding or, if too large, an unexplained difference.
 */
function causesOfSide(
  form: ReturnForm,
  request: TaxReturnRequest,
  side: TaxSide,
  { filed, posted }: { readonly filed: Cents; readonly posted: Cents },
): Map<string, NamedAmount> {
  const shares = sharesIn(form, request, form.declared[side]);
  const own = (taxedSum: TaxedSum): Cents =>
    isSold(form, taxedSum) !== (side === "collected")
      ? (0 as Cents)
      : side === "collected"
        ? negated(taxedSum.tax)
        : taxedSum.tax;
  for (const sum of request.sums) shares.push({ of: sum, amount: -own(sum) });
  if (request.basis === "cash") {
    const all = sum(request.sums.map(own));
    const of = { id: "on-invoice", label: "Counted when it is invoiced" };
    shares.push({ of, amount: all - posted });
  }
  const bySum = [...Map.groupBy(shares, ({ of }) => of)].map(([of, group]) => ({
    of,
    amount: group.reduce((all, share) => all + share.amount, 0),
  }));
  const all = bySum.map(({ of, amount }) => ({ ...nameOf(form, of, amount), amount }));
  const causes = new Map<string, NamedAmount>();
  let rest = filed - posted;
  for (const [id, group] of Map.groupBy(all, (each) => each.id)) {
    const amount = Math.round(group.reduce((total, each) => total + each.amount, 0));
    if (amount === 0) continue;
    causes.set(id, { id, label: group[0]?.label ?? "", amount });
    rest -= amount;
  }
  // Fractions from the form's formulas count as rounding while their total is small.
  const smallFirst = [...causes.values()].sort((a, b) => Math.abs(a.amount) - Math.abs(b.amount));
  for (const { id, amount } of smallFirst) {
    if (!fractional.test(id)) continue;
    if (Math.abs(rest + amount) > roundingMax) break;
    rest += amount;
    causes.delete(id);
  }
  const last =
    Math.abs(rest) <= roundingMax
      ? { id: "rounding", label: "Rounding" }
      : { id: "difference", label: "Difference" };
  if (rest !== 0) causes.set(last.id, { ...last, amount: rest });
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
  return [...new Map([...collected, ...paid]).values()].map(({ id, label }) => ({
    ...{ id, label },
    collected: (collected.get(id)?.amount ?? 0) as Cents,
    paid: (paid.get(id)?.amount ?? 0) as Cents,
  }));
}
