/**
 * Converts postings to DATEV rows, each of one amount between two accounts.
 *
 * An entry of several postings is split into such rows. Where DATEV computes the tax of a line, by
 * a tax key or an automatic account, the line goes gross and without its tax; this is done only if
 * DATEV's tax equals the tax in the ledger to the cent. Otherwise net amounts and tax are separate
 * rows, with the key that stops an automatic account from computing tax again.
 */
import { percentOf, taxInside } from "../../ledger/money.ts";
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
  /** Of an automatic account: whether it computes the tax of the line, or another. */
  readonly automatic?: "own" | "other" | undefined;
  /** Tax of the line, where a key or the account lets DATEV compute it. */
  readonly tax?: KeyedTax | undefined;
  /** Whether the posting is on a tax account. */
  readonly isTaxAccount: boolean;
  /** VAT number of the customer, on sales to businesses elsewhere in the EU. */
  readonly euNumber?: string | undefined;
}

/** A tax that DATEV computes by itself. */
export interface KeyedTax {
  /** Empty where only automatic accounts have the tax. */
  readonly key: string;
  readonly rate: Percent;
  /** Posted tax in cents, debit positive. */
  readonly amount: number;
  /**
   * Of a reverse charge, whose row has the net amount: the number of the account of the tax
   * deducted, or `line` where it is not, and stands on the account of the line.
   */
  readonly deducted?: string | undefined;
  /** Code of the tax account; with a reverse charge, of the output tax account. */
  readonly account: string;
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
  readonly euNumber?: string | undefined;
}

/** Splits the postings of an entry into rows. @param legs  postings of one entry, which balance */
export function rowsOf(legs: readonly Leg[]): DatevRow[] {
  const others = legs.filter((leg) => !isKeyed(leg));
  // Each keyed line goes against the largest of the others, so that its tax is of one amount.
  const [main] = others
    .filter(({ isTaxAccount, automatic }) => !isTaxAccount && automatic === undefined)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const taxes = new Map<string, Leg>();
  for (const leg of others.filter(({ isTaxAccount }) => isTaxAccount)) {
    const amount = leg.amount + (taxes.get(leg.account)?.amount ?? 0);
    taxes.set(leg.account, { ...leg, amount });
  }
  const keyed = main === undefined ? [] : legs.filter((leg) => isKeyed(leg) && takeTax(leg, taxes));
  if (main === undefined || keyed.length === 0) return pairsOf(legs).map(rowOf);
  const pairs = keyed.map((leg) => ({ leg, other: main, amount: rowAmount(leg), isKeyed: true }));
  const rest = main.amount + pairs.reduce((total, { amount }) => total + amount, 0);
  const left = [
    { ...main, amount: rest },
    ...legs.filter((leg) => leg !== main && !leg.isTaxAccount && !keyed.includes(leg)),
    ...taxes.values(),
  ].filter(({ amount }) => amount !== 0);
  return [...pairs, ...pairsOf(left)].map(rowOf);
}

/** An amount that two postings have in common. */
interface OpposedPostings {
  readonly leg: Leg;
  readonly other: Leg;
  /** Amount on `leg`, debit positive. */
  readonly amount: number;
  /** Whether DATEV computes the tax of `leg`. */
  readonly isKeyed?: boolean;
}

/** The amount of a row that DATEV computes the tax of: gross, or net of a reverse charge. */
const rowAmount = ({ amount, tax }: Leg): number =>
  tax?.deducted === undefined || tax.deducted === "line" ? amount + (tax?.amount ?? 0) : amount;

/** Whether DATEV computes the tax that the ledger has. */
function isKeyed(leg: Leg): boolean {
  const { tax, automatic, amount, isTaxAccount } = leg;
  if (tax === undefined || isTaxAccount || automatic === "other") return false;
  if (automatic === undefined && tax.key === "") return false;
  const sum = rowAmount(leg) as Cents;
  if (sum === 0 || Math.sign(sum) !== Math.sign(amount)) return false;
  if (tax.deducted === undefined) return taxInside(sum, tax.rate) === tax.amount;
  const owed = percentOf(sum, tax.rate);
  return owed === (tax.deducted === "line" ? -tax.amount : tax.amount);
}

/** Takes from the postings on tax accounts what DATEV posts there; false where they have none. */
function takeTax({ tax }: Leg, taxes: Map<string, Leg>): boolean {
  if (tax === undefined || tax.amount === 0) return true;
  const { account, amount, deducted } = tax;
  const posted: [account: string, amount: number][] =
    deducted === undefined || deducted === "line"
      ? [[account, amount]]
      : [
          [deducted, amount],
          [account, -amount],
        ];
  if (!posted.every(([number]) => taxes.has(number))) return false;
  for (const [number, taken] of posted) {
    const leg = taxes.get(number);
    if (leg !== undefined) taxes.set(number, { ...leg, amount: leg.amount - taken });
  }
  return true;
}

/** Pairs debits with credits in their order. */
function pairsOf(legs: readonly Leg[]): OpposedPostings[] {
  const [debits, credits] = [1, -1].map((sign) =>
    legs.filter(({ amount }) => amount * sign > 0).map((leg) => ({ leg, left: leg.amount * sign })),
  );
  const pairs: OpposedPostings[] = [];
  for (let [debit, credit] = [debits?.shift(), credits?.shift()]; debit && credit; ) {
    const amount = Math.min(debit.left, credit.left);
    pairs.push({ leg: debit.leg, other: credit.leg, amount });
    debit.left -= amount;
    credit.left -= amount;
    if (debit.left === 0) debit = debits?.shift();
    if (credit.left === 0) credit = credits?.shift();
    if ((debit === undefined) !== (credit === undefined)) {
      throw new Error("The postings of an entry do not balance.");
    }
  }
  return pairs;
}

/**
 * Converts a pair to a row. The posting with a tax key is the contra account; without a key, the
 * credit is.
 */
function rowOf({ leg, other, amount, isKeyed = false }: OpposedPostings): DatevRow {
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
    euNumber: contra.euNumber ?? account.euNumber,
  };
}
