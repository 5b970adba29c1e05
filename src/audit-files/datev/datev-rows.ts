/**
 * Converts postings to DATEV rows, each of one amount between two accounts.
 *
 * An entry of several postings is split into such rows. Where the tax type of a line has a tax key,
 * the row has the gross amount and DATEV computes the tax; this is done only if DATEV's tax equals
 * the tax in the ledger to the cent. Otherwise net amounts and tax are separate rows, with the key
 * that stops an automatic account from computing tax again.
 */
import { taxInside } from "../../ledger/money.ts";
import type { Cents, Percent } from "../../resources/decimal.ts";

/** Tax key that switches off the tax computation of an automatic account. */
const withoutTax = "40";

/** A posting with the facts that decide how it is written to DATEV rows. */
export interface Leg {
  /** Number of the account. */
  readonly account: string;
  /** Amount in cents, debit positive. */
  readonly amount: number;
  readonly text: string;
  readonly costCentres: readonly string[];
  /** Tax key of an automatic account, which computes its tax by itself. */
  readonly automatic?: string | undefined;
  /** Tax of the line, if its tax type has a key; same sign as the amount. */
  readonly tax?:
    | { readonly key: string; readonly rate: Percent; readonly amount: number }
    | undefined;
  /** Whether the posting is on a tax account. */
  readonly isTaxAccount: boolean;
}

export interface DatevRow {
  /** Amount in cents, always positive. */
  readonly amount: number;
  /** Side of `account`, S for debit and H for credit; the contra account has the opposite side. */
  readonly side: "S" | "H";
  readonly account: string;
  readonly contra: string;
  readonly taxKey: string;
  readonly text: string;
  readonly costCentres: readonly string[];
}

/** Splits the postings of an entry into rows. @param legs  postings of one entry, which balance */
export function rowsOf(legs: readonly Leg[]): DatevRow[] {
  const matches = grossMatches(legs) ?? matchLegs(legs.map(netOf));
  if (matches === undefined) throw new Error("The postings of an entry do not balance.");
  return matches.map(rowOf);
}

/** An amount that two opposite postings have in common; only `leg` may have a tax key. */
interface Match {
  readonly leg: Leg;
  readonly other: Leg;
  /** Amount on `leg`, debit positive. */
  readonly amount: number;
}

function netOf(leg: Leg): Leg {
  return { ...leg, tax: undefined };
}

/**
 * Matches postings with gross amounts; undefined where DATEV would compute another tax than the
 * ledger has.
 */
function grossMatches(legs: readonly Leg[]): Match[] | undefined {
  const taxed = legs.filter(isGross);
  if (taxed.length === 0) return undefined;
  const taxes = taxed.reduce((total, { tax }) => total + (tax?.amount ?? 0), 0);
  const otherLegs = withoutTaxes(legs.filter((leg) => !isGross(leg)).map(netOf), taxes);
  if (otherLegs === undefined) return undefined;
  const gross = taxed.map((leg) => ({ ...leg, amount: leg.amount + (leg.tax?.amount ?? 0) }));
  const matches = matchLegs([...gross, ...otherLegs]);
  if (matches === undefined) return undefined;
  const isExact = gross.every((leg) => computedTax(leg, matches) === leg.tax?.amount);
  // A tax key applies to the whole row, so an automatic contra account would compute a wrong tax.
  const isSimple = matches.every(({ leg, other }) => leg.tax === undefined || !other.automatic);
  return isExact && isSimple ? matches : undefined;
}

/** Whether a posting can be written gross: an automatic account accepts only its own tax key. */
function isGross({ tax, automatic, amount, isTaxAccount }: Leg): boolean {
  if (tax === undefined || isTaxAccount) return false;
  const isOneSided = tax.amount === 0 || tax.amount < 0 === amount < 0;
  return isOneSided && (automatic === undefined || automatic === tax.key);
}

/**
 * Subtracts the tax that DATEV will post itself from the posting on the tax account; undefined
 * where no such posting is large enough.
 */
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
    .filter((match) => match.leg === leg)
    .reduce((total, { amount }) => total + taxInside(amount as Cents, rate), 0);
}

/**
 * Matches debits with credits in their order: first postings with a tax key against postings
 * without, then the remaining postings without a key.
 *
 * @returns undefined where the postings without a key do not cover those with one
 *
 * @returns undefined where too little without a key stands against those that have one
 */
function matchLegs(legs: readonly Leg[]): Match[] | undefined {
  const queue = (isWanted: (leg: Leg) => boolean) => new Queue(legs.filter(isWanted));
  const debit = queue(({ amount, tax }) => amount > 0 && tax === undefined);
  const credit = queue(({ amount, tax }) => amount < 0 && tax === undefined);
  const keyedDebit = queue(({ amount, tax }) => amount > 0 && tax !== undefined);
  const keyedCredit = queue(({ amount, tax }) => amount < 0 && tax !== undefined);
  const matches = [
    ...keyedDebit.against(credit),
    ...keyedCredit.against(debit),
    ...debit.against(credit),
  ];
  const isMatched = [debit, credit, keyedDebit, keyedCredit].every((queue) => queue.isEmpty);
  return isMatched ? matches : undefined;
}

class Queue {
  readonly #legs: readonly Leg[];
  #at = 0;
  /** Rest of the amount of the posting at `#at`, without sign. */
  #left: number;

  constructor(legs: readonly Leg[]) {
    this.#legs = legs;
    this.#left = Math.abs(legs[0]?.amount ?? 0);
  }

  get isEmpty(): boolean {
    return this.#at >= this.#legs.length;
  }

  *against(otherQueue: Queue): Generator<Match> {
    while (!this.isEmpty && !otherQueue.isEmpty) {
      const [leg, across] = [this.#head, otherQueue.#head];
      const partAmount = Math.min(this.#left, otherQueue.#left);
      this.#take(partAmount);
      otherQueue.#take(partAmount);
      yield { leg, other: across, amount: leg.amount < 0 ? -partAmount : partAmount };
    }
  }

  get #head(): Leg {
    return this.#legs[this.#at] as Leg;
  }

  #take(partAmount: number): void {
    this.#left -= partAmount;
    if (this.#left > 0) return;
    this.#at += 1;
    this.#left = Math.abs(this.#legs[this.#at]?.amount ?? 0);
  }
}

/**
 * Converts a match to a row. The posting with a tax key is the contra account; without a key, the
 * credit is.
 */
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
