/**
 * The tax summary: what was sold and bought at each rate, its tax, and how that divides over the
 * components of the rate. What bears no tax stands apart.
 */

import type { Row } from "../../../wire/report.ts";
import { mediumDate } from "../../dates/calendar.ts";
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
import { grossOf, isSold, type Mapping, type TaxedDocument, treatmentOf } from "./returns/form.ts";

type Taxed = Pick<TaxedDocument, "net" | "tax" | "notReclaimed">;

const amountsOf = (each: Taxed): Cents[] => [each.net, each.tax, each.notReclaimed, grossOf(each)];

/** With sales as positive amounts. */
const turned = (each: TaxedDocument): TaxedDocument => ({
  ...each,
  net: negated(each.net),
  tax: negated(each.tax),
  notReclaimed: negated(each.notReclaimed),
  components: new Map([...each.components].map(([name, tax]) => [name, negated(tax)])),
});

const total = (each: readonly Taxed[]): Taxed => ({
  net: sum(each.map(({ net }) => net)),
  tax: sum(each.map(({ tax }) => tax)),
  notReclaimed: sum(each.map(({ notReclaimed }) => notReclaimed)),
});

/** A part of the summary: postings of each rate together, by the name of the rate. */
export interface TaxSection {
  readonly title: string;
  readonly total: string;
  readonly rates: readonly (readonly TaxedDocument[])[];
}

/**
 * Sales, as positive amounts, and purchases, taxed and not; parts without any are left out. A reverse
 * charge is on both sides at its rate. What bears no tax is told by the side of its document; journals
 * have none, and are left out.
 */
export function taxSections(form: Mapping, documents: readonly TaxedDocument[]): TaxSection[] {
  const parts: [title: string, total: string, TaxedDocument[]][] = [
    ["Collected on sales", "Total collected", []],
    ["Paid on purchases", "Total paid", []],
    ["Sales without tax", "Total sales without tax", []],
    ["Purchases without tax", "Total purchases without tax", []],
  ];
  for (const each of documents) {
    const [collected, paid, sold, bought] = parts.map(([, , found]) => found);
    const charged = treatmentOf(form, each)?.reverse?.(each) ?? zeroCents;
    if (charged !== 0) {
      const both = { ...each, tax: charged, components: new Map([["Tax", charged]]) };
      collected?.push(both);
      paid?.push(both);
    } else if (each.rate !== 0 || each.tax !== 0) {
      if (isSold(form, each)) collected?.push(turned(each));
      else paid?.push(each);
    } else if (each.side === "sales") sold?.push(turned(each));
    else if (each.side === "purchases") bought?.push(each);
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
    headerRow(["Tax rate", "Net", "Tax", "Not reclaimed", "Gross"]),
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
    plainRow(
      "Row",
      [date && mediumDate(date), number, contact].filter(Boolean).join(" "),
      amountsOf(amounts),
    );
  return [
    ...(detailed ? found.map(documentRow) : []),
    plainRow("Row", detailed ? `All at ${name}` : name, amountsOf(total(found))),
    ...componentsOf(found).map(([component, tax]) =>
      textRow("Row", [`of which ${component}`, "", amountText(tax), "", ""]),
    ),
  ];
}
