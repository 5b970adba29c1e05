/**
 * Tax on the accounts of a national chart. The book keeps one tax account; charts such as the plan
 * comptable have several, of tax collected, deducted, and owed in place of a supplier, which follow
 * from the tax types of the lines.
 */
import { regionAt } from "../ledger/regions/index.ts";
import type { Cents } from "../resources/decimal.ts";
import type { EntryLine } from "./ledger/entry.ts";
import type { Ledger } from "./ledger/read-ledger.ts";

/**
 * A journal line with its tax account of the national chart in `taxAccount`, where the chart has
 * one.
 */
export interface SplitLine extends EntryLine {
  readonly taxAccount?: string;
}

/** The tax accounts of a tax type: of tax collected or owed, and of tax deducted. */
interface TaxAccounts {
  readonly collected?: string;
  readonly deducted?: string;
  readonly isReverse: boolean;
}

/**
 * Divides what an entry posts to the tax account over the accounts of the national chart. Tax that
 * the lines of the entry do not explain stays where it is, as do payments to the tax office.
 */
export function taxSplitter({ organisation, accounts }: Ledger) {
  const { taxRates } = regionAt(organisation.CountryCode);
  const accountsByTaxType = new Map(
    taxRates().flatMap(({ taxType, taxAccounts: own, displayRate }) =>
      own === undefined ? [] : [[taxType, { ...own, isReverse: isBoth(own, displayRate) }]],
    ),
  );
  const isTax = ({ account }: EntryLine) => accounts.get(account)?.system === "GST";
  return (lines: readonly EntryLine[]): readonly SplitLine[] => {
    const taxed = lines.flatMap((line) => {
      const taxAccounts = accountsByTaxType.get(line.taxType ?? "");
      return taxAccounts === undefined || isTax(line) ? [] : [{ line, own: taxAccounts }];
    });
    const [pairs, whole] = pairsIn(lines.filter(isTax));
    const reversed = taxed.filter(({ own, line }) => own.isReverse && line.amount !== 0);
    const charged = chargedLines(
      taxed.filter(({ own }) => !own.isReverse),
      whole,
    );
    return [
      ...lines.filter((line) => !isTax(line)),
      ...(charged ?? whole),
      ...(pairs.length === reversed.length
        ? pairs.flatMap((pair, at) => pair.map((line) => reverseLine(line, reversed[at])))
        : pairs.flat()),
    ];
  };
}

/** Whether tax is owed and deducted at once; where it is owed alone, it is like tax collected. */
const isBoth = ({ deducted }: { readonly deducted?: string }, displayRate?: number): boolean =>
  displayRate !== undefined && deducted !== undefined;

type Taxed = { readonly line: EntryLine; readonly own: TaxAccounts };

/** Tax lines next to each other that cancel out, both sides of a reverse charge; and the others. */
function pairsIn(lines: readonly EntryLine[]): [pairs: EntryLine[][], others: EntryLine[]] {
  const [pairs, others]: [EntryLine[][], EntryLine[]] = [[], []];
  for (let at = 0; at < lines.length; at += 1) {
    const [line, next] = lines.slice(at, at + 2);
    if (line === undefined) continue;
    if (next?.amount === -line.amount) {
      pairs.push([line, next]);
      at += 1;
    } else others.push(line);
  }
  return [pairs, others];
}

/** The tax by account; undefined where the tax lines have another sum. */
function chargedLines(
  taxed: readonly Taxed[],
  taxLines: readonly EntryLine[],
): SplitLine[] | undefined {
  const [first] = taxLines;
  const sumOf = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const charged = taxed.map(({ line }) => line.taxAmount);
  if (first === undefined || sumOf(charged) !== sumOf(taxLines.map(({ amount }) => amount)))
    return undefined;
  const byAccount = Map.groupBy(taxed, ({ own }) => own.collected ?? own.deducted);
  return [...byAccount].flatMap(([taxAccount, own]) => {
    const amount = sumOf(own.map(({ line }) => line.taxAmount)) as Cents;
    return amount === 0 || taxAccount === undefined ? [] : [{ ...first, amount, taxAccount }];
  });
}

/** A side of a reverse charge: tax is deducted on the side of the purchase, and owed on the other. */
function reverseLine(line: EntryLine, taxed: Taxed | undefined): SplitLine {
  const isDeducted = Math.sign(line.amount) === Math.sign(taxed?.line.amount ?? 0);
  const taxAccount = isDeducted ? taxed?.own.deducted : taxed?.own.collected;
  return taxAccount === undefined ? line : { ...line, taxAccount };
}
