/**
 * The tax summary: what was sold and bought at each rate, its tax, and how that divides over the
 * components of the rate. What bears no tax stands apart.
 */
import type { Row } from "../../../wire/report.ts";
import { add, type Cents, sum, zeroCents } from "../../money.ts";
import {
  amountText,
  compareText,
  headerRow,
  negated,
  plainRow,
  section,
  textRow,
} from "../rows.ts";
import { isSold, type Mapping, type TaxedDocument } from "./returns/form.ts";

interface Taxed {
  readonly net: Cents;
  readonly tax: Cents;
}

const amountsOf = ({ net, tax }: Taxed): Cents[] => [net, tax, add(net, tax)];

/** With sales as positive amounts. */
const turned = (each: TaxedDocument): TaxedDocument => ({
  ...each,
  net: negated(each.net),
  tax: negated(each.tax),
  components: new Map([...each.components].map(([name, tax]) => [name, negated(tax)])),
});

const total = (each: readonly Taxed[]): Taxed => ({
  net: sum(each.map(({ net }) => net)),
  tax: sum(each.map(({ tax }) => tax)),
});

/** A part of the summary: postings of each rate together, by the name of the rate. */
export interface TaxSection {
  readonly title: string;
  readonly total: string;
  readonly rates: readonly (readonly TaxedDocument[])[];
}

/** Sales, as positive amounts, and purchases, taxed and not; parts without any are left out. */
export function taxSections(form: Mapping, documents: readonly TaxedDocument[]): TaxSection[] {
  const parts: [title: string, total: string, TaxedDocument[]][] = [
    ["Collected on sales", "Total collected", []],
    ["Paid on purchases", "Total paid", []],
    ["Sales without tax", "Total sales without tax", []],
    ["Purchases without tax", "Total purchases without tax", []],
  ];
  for (const each of documents) {
    const sold = isSold(form, each);
    const isTaxed = each.rate !== 0 || each.tax !== 0;
    parts[(isTaxed ? 0 : 2) + (sold ? 0 : 1)]?.[2].push(sold ? turned(each) : each);
  }
  return parts
    .filter(([, , found]) => found.length > 0)
    .map(([title, label, found]) => {
      const rates = [...Map.groupBy(found, ({ taxType }) => taxType).values()];
      rates.sort(([a], [b]) => compareText(a?.name ?? "", b?.name ?? ""));
      return { title, total: label, rates };
    });
}

/** What the postings of a rate divide into, by component; nothing where it has one alone. */
export function componentsOf(found: readonly TaxedDocument[]): [name: string, tax: Cents][] {
  const components = new Map<string, Cents>();
  for (const [component, part] of found.flatMap((each) => [...each.components])) {
    components.set(component, add(components.get(component) ?? zeroCents, part));
  }
  return components.size < 2 ? [] : [...components];
}

/**
 * @param form      of the country's return, which tells sales from purchases
 * @param documents postings by document, or by tax type alone
 * @param detailed  with a row for each of them
 */
export function taxSummaryRows(
  form: Mapping,
  documents: readonly TaxedDocument[],
  detailed: boolean,
): Row[] {
  return [
    headerRow(["Tax rate", "Net", "Tax", "Gross"]),
    ...taxSections(form, documents).map(({ title, total: label, rates }) =>
      section(title, [
        ...rates.flatMap((ofRate) => rateRows(ofRate, detailed)),
        plainRow("SummaryRow", label, amountsOf(total(rates.flat()))),
      ]),
    ),
  ];
}

function rateRows(found: readonly TaxedDocument[], detailed: boolean): Row[] {
  const name = found[0]?.name ?? "";
  const documentRow = ({ date, number, contact, ...amounts }: TaxedDocument) =>
    plainRow("Row", [date, number, contact].filter(Boolean).join(" "), amountsOf(amounts));
  return [
    ...(detailed ? found.map(documentRow) : []),
    plainRow("Row", detailed ? `All at ${name}` : name, amountsOf(total(found))),
    ...componentsOf(found).map(([component, tax]) =>
      textRow("Row", [`of which ${component}`, "", amountText(tax), ""]),
    ),
  ];
}
