/**
 * Postings as DATEV takes them: rows of one amount between two accounts.
 *
 * An entry of several postings is dealt out into such rows. Where a line's tax has a key, the row
 * bears the gross amount and DATEV posts the tax by itself; that is done only where what DATEV will
 * compute is, to the cent, what the ledger has. Otherwise net amounts and the tax go as they are,
 * with the key that keeps an automatic account from computing tax once more.
 */
import { taxInside } from "../../ledger/money.ts";
import type { Cents, Percent } from "../../resources/decimal.ts";

/** The key that switches the tax of an automatic account off. */
const withoutTax = "40";

/** A posting with what decides how it travels. */
export interface Leg {
  /** Number of the account. */
  readonly account: string;
  /** Debit positive. */
  readonly amount: number;
  readonly text: string;
  readonly costCentres: readonly string[];
  /** What the account computes by itself: the key of its tax. */
  readonly automatic?: string | undefined;
  /** The tax of the line, where its type has a key; sign as of the amount. */
  readonly tax?:
    | { readonly key: string; readonly rate: Percent; readonly amount: number }
    | undefined;
  /** Whether it is on the account where tax is collected. */
  readonly isTaxAccount: boolean;
}

export interface DatevRow {
  /** Cents, above zero. */
  readonly amount: number;
  /** Of the account; the contra account has the other. */
  readonly side: "S" | "H";
  readonly account: string;
  readonly contra: string;
  readonly taxKey: string;
  readonly text: string;
  readonly costCentres: readonly string[];
}

/** @param legs  of one entry, which balance */
export function rowsOf(legs: readonly Leg[]): DatevRow[] {
  const matches = grossMatches(legs) ?? matched(legs.map(netOf));
  if (matches === undefined) throw new Error("The postings of an entry do not balance.");
  return matches.map(rowOf);
}

/** A part of two legs that stand against each other; only the first may bear a key. */
interface Match {
  readonly leg: Leg;
  readonly other: Leg;
  /** Of `leg`: debit positive. */
  readonly amount: number;
}

function netOf(leg: Leg): Leg {
  return { ...leg, tax: undefined };
}

/** Undefined where DATEV would compute another tax than the ledger has. */
function grossMatches(legs: readonly Leg[]): Match[] | undefined {
  const taxed = legs.filter(isGross);
  if (taxed.length === 0) return undefined;
  const taxes = taxed.reduce((total, { tax }) => total + (tax?.amount ?? 0), 0);
  const others = withoutTaxes(legs.filter((leg) => !isGross(leg)).map(netOf), taxes);
  if (others === undefined) return undefined;
  const gross = taxed.map((leg) => ({ ...leg, amount: leg.amount + (leg.tax?.amount ?? 0) }));
  const matches = matched([...gross, ...others]);
  if (matches === undefined) return undefined;
  const isExact = gross.every((leg) => computedTax(leg, matches) === leg.tax?.amount);
  // A key is for the whole row: an automatic account across from it would lose its tax or gain one.
  const isPlain = matches.every(({ leg, other }) => leg.tax === undefined || !other.automatic);
  return isExact && isPlain ? matches : undefined;
}

/** An automatic account takes no key but its own. */
function isGross({ tax, automatic, amount, isTaxAccount }: Leg): boolean {
  if (tax === undefined || isTaxAccount) return false;
  const isOneSided = tax.amount === 0 || tax.amount < 0 === amount < 0;
  return isOneSided && (automatic === undefined || automatic === tax.key);
}

/** Takes the tax that DATEV will post off the posting of it; undefined where there is none so large. */
function withoutTaxes(legs: readonly Leg[], taxes: number): Leg[] | undefined {
  if (taxes === 0) return [...legs];
  const at = legs.findIndex(
    ({ isTaxAccount, amount }) =>
      isTaxAccount && amount < 0 === taxes < 0 && Math.abs(amount) >= Math.abs(taxes),
  );
  const leg = legs[at];
  if (leg === undefined) return undefined;
  return legs.with(at, { ...leg, amount: leg.amount - taxes });
}

function computedTax(leg: Leg, matches: readonly Match[]): number {
  const { rate = 0 as Percent } = leg.tax ?? {};
  return matches
    .filter((each) => each.leg === leg)
    .reduce((total, { amount }) => total + taxInside(amount as Cents, rate), 0);
}

/**
 * Deals the legs out against each other, in their order: those with a key against those without,
 * then what is left of these.
 *
 * @returns undefined where too little without a key stands against those that have one
 */
function matched(legs: readonly Leg[]): Match[] | undefined {
  const queue = (isMeant: (leg: Leg) => boolean) => new Queue(legs.filter(isMeant));
  const debit = queue(({ amount, tax }) => amount > 0 && tax === undefined);
  const credit = queue(({ amount, tax }) => amount < 0 && tax === undefined);
  const keyedDebit = queue(({ amount, tax }) => amount > 0 && tax !== undefined);
  const keyedCredit = queue(({ amount, tax }) => amount < 0 && tax !== undefined);
  const matches = [
    ...keyedDebit.against(credit),
    ...keyedCredit.against(debit),
    ...debit.against(credit),
  ];
  const isDone = [debit, credit, keyedDebit, keyedCredit].every((each) => each.isEmpty);
  return isDone ? matches : undefined;
}

class Queue {
  readonly #legs: readonly Leg[];
  #at = 0;
  /** Of the leg at `#at`, without sign. */
  #left: number;

  constructor(legs: readonly Leg[]) {
    this.#legs = legs;
    this.#left = Math.abs(legs[0]?.amount ?? 0);
  }

  get isEmpty(): boolean {
    return this.#at >= this.#legs.length;
  }

  *against(other: Queue): Generator<Match> {
    while (!this.isEmpty && !other.isEmpty) {
      const [leg, across] = [this.#head, other.#head];
      const part = Math.min(this.#left, other.#left);
      this.#take(part);
      other.#take(part);
      yield { leg, other: across, amount: leg.amount < 0 ? -part : part };
    }
  }

  get #head(): Leg {
    return this.#legs[this.#at] as Leg;
  }

  #take(part: number): void {
    this.#left -= part;
    if (this.#left > 0) return;
    this.#at += 1;
    this.#left = Math.abs(this.#legs[this.#at]?.amount ?? 0);
  }
}

/** The leg with a key is the contra account; otherwise the credit is. */
function rowOf({ leg, other, amount }: Match): DatevRow {
  const isKeyed = leg.tax !== undefined;
  const [account, contra] = isKeyed ? [other, leg] : [leg, other];
  const isDebit = isKeyed ? amount < 0 : amount > 0;
  const isAutomatic = leg.automatic !== undefined || other.automatic !== undefined;
  const ownKey = leg.automatic === undefined ? (leg.tax?.key ?? "") : "";
  return {
    amount: Math.abs(amount),
    side: isDebit ? "S" : "H",
    account: account.account,
    contra: contra.account,
    taxKey: isKeyed ? ownKey : isAutomatic ? withoutTax : "",
    text: contra.text || account.text,
    costCentres: [leg, other].find(({ costCentres }) => costCentres.length > 0)?.costCentres ?? [],
  };
}
