/**
 * The tax summary: sales and purchases at each rate, their tax, and its division over the
 * components of the rate. Untaxed amounts are listed separately.
 */

import type { RuleName } from "../../../resources/figure-rules.ts";
import { sourceWords } from "../../../resources/journal.ts";
import { compareText } from "../../../wire/fold.ts";
import { mediumDate } from "../../dates/calendar.ts";
import { documentAttributes, type SumPart } from "../../figures/counted.ts";
import { counted, type Figure, type Name, sum } from "../../figures/expression.ts";
import { add, type Cents, sum as sumOf, zeroCents } from "../../money.ts";
import { headerRow, negated, type ReportRow, sectionRow, textRow } from "../report-rows.ts";
import { isSold, type Mapping, type TaxedDocument, treatmentOf } from "./returns/form.ts";

/** Inverts the sign of a sale, so that sales are positive. */
const opposite = (taxedDocument: TaxedDocument): TaxedDocument => ({
  ...taxedDocument,
  net: negated(taxedDocument.net),
  tax: negated(taxedDocument.tax),
  notReclaimed: negated(taxedDocument.notReclaimed),
  reverseTax: negated(taxedDocument.reverseTax),
  components: new Map([...taxedDocument.components].map(([name, tax]) => [name, negated(tax)])),
});

/** A section of the summary: postings of each rate, by the name of the rate. */
interface TaxSection {
  readonly id: string;
  readonly title: string;
  readonly total: string;
  readonly rates: readonly (readonly TaxedDocument[])[];
}

/**
 * The sections: sales, as positive amounts, and purchases, taxed and untaxed; empty ones are left
 * out. A reverse charge is on both sides at its rate. Untaxed postings are assigned by the side of
 * their document; journals have none, and are left out.
 */
function taxSections(form: Mapping, documents: readonly TaxedDocument[]): TaxSection[] {
  const parts: [id: string, title: string, total: string, TaxedDocument[]][] = [
    ["collected", "Collected on sales", "Total collected", []],
    ["paid", "Paid on purchases", "Total paid", []],
    ["sales", "Sales without tax", "Total sales without tax", []],
    ["purchases", "Purchases without tax", "Total purchases without tax", []],
  ];
  for (const document of documents) {
    const [collected, paid, sold, bought] = parts.map(([, , , documents]) => documents);
    const charged = treatmentOf(form, document)?.reverse?.(document) ?? zeroCents;
    if (charged !== 0) {
      const taxed = (tax: Cents, notReclaimed: Cents) => ({
        ...{ ...document, tax, notReclaimed, components: new Map([["Tax", tax]]) },
      });
      collected?.push(taxed(charged, zeroCents));
      paid?.push(taxed(add(charged, negated(document.notReclaimed)), document.notReclaimed));
    } else if (document.rate !== 0 || document.tax !== 0) {
      if (isSold(form, document)) collected?.push(opposite(document));
      else paid?.push(document);
    } else if (document.side === "sales") sold?.push(opposite(document));
    else if (document.side === "purchases") bought?.push(document);
  }
  return parts
    .filter(([, , , documents]) => documents.length > 0)
    .map(([id, title, label, documents]) => {
      const rates = [...Map.groupBy(documents, ({ taxType }) => taxType).values()];
      rates.sort(([a], [b]) => compareText(a?.name ?? "", b?.name ?? ""));
      return { id, title, total: label, rates };
    });
}

/** The tax of a rate by component; empty for a rate with a single component. */
function componentsOf(documents: readonly TaxedDocument[]): [name: string, tax: Cents][] {
  const taxByComponent = new Map<string, Cents>();
  for (const [component, part] of documents.flatMap((document) => [...document.components])) {
    taxByComponent.set(component, add(taxByComponent.get(component) ?? zeroCents, part));
  }
  return taxByComponent.size < 2 ? [] : [...taxByComponent];
}

/** A document as part of a tax figure. */
export function taxedDocumentPart(document: TaxedDocument, amount: number): SumPart {
  const { contact, name, date, number, sourceType, documentId } = document;
  return {
    label: [contact || (sourceWords[sourceType] ?? sourceType), name].filter(Boolean).join(", "),
    date: date === "" ? undefined : date,
    number: number || undefined,
    amount,
    ...(documentId === undefined ? {} : { attributes: documentAttributes(documentId, null) }),
  };
}

type Behind = () => Promise<readonly TaxedDocument[]>;
type AmountOf = (taxedDocument: TaxedDocument) => Cents;

const columns: readonly (readonly [RuleName, AmountOf])[] = [
  ["TaxedNet", ({ net }) => net],
  ["TaxedTax", ({ tax }) => tax],
  ["TaxNotReclaimed", ({ notReclaimed }) => notReclaimed],
];

/** A figure whose parts are documents, which `behind` reads and `of` measures. */
export const documentedFigure = (name: Name, value: Cents, behind: Behind, of: AmountOf): Figure =>
  counted(name, value, {
    of: "documents",
    parts: async () =>
      (await behind())
        .map((taxedDocument) => taxedDocumentPart(taxedDocument, of(taxedDocument)))
        .filter(({ amount }) => amount !== 0),
  });

function taxedRow(
  type: "Row" | "SummaryRow",
  id: string,
  label: string,
  documents: readonly TaxedDocument[],
  documentsBehind: Behind,
): ReportRow {
  const figures = columns.map(([rule, of], at) =>
    documentedFigure([`${id}.${at}`, label, rule], sumOf(documents.map(of)), documentsBehind, of),
  );
  const gross = sum([`${id}.gross`, label, "Gross"], figures);
  const rowId = type === "SummaryRow" ? id : undefined;
  return textRow(type, [label, ...figures, gross], undefined, rowId);
}

/**
 * The rows of the tax summary.
 * @param form       of the country's return, which tells sales from purchases
 * @param documents  postings by document, or by tax type alone
 * @param isDetailed   whether each of them gets a row
 * @param behind     reads them by document
 */
export function taxSummaryRows(
  form: Mapping,
  documents: readonly TaxedDocument[],
  isDetailed: boolean,
  behind: Behind,
): ReportRow[] {
  return [
    headerRow(["Tax rate", "Net", "Tax", "Not reclaimed", "Gross"]),
    ...taxSections(form, documents).map(({ id, title, total, rates }) => {
      const ratesBehind = async () =>
        taxSections(form, await behind()).find((taxSection) => taxSection.id === id)?.rates ?? [];
      return sectionRow(title, [
        ...rates.flatMap((ofRate) => rateRows(ofRate, isDetailed, ratesBehind)),
        taxedRow("SummaryRow", `total-${id}`, total, rates.flat(), async () =>
          (await ratesBehind()).flat(),
        ),
      ]);
    }),
  ];
}

function rateRows(
  documents: readonly TaxedDocument[],
  isDetailed: boolean,
  ratesBehind: () => Promise<TaxSection["rates"]>,
): ReportRow[] {
  const { name = "", taxType: id = "" } = documents[0] ?? {};
  const behind = async () =>
    (await ratesBehind()).find(([first]) => first?.taxType === documents[0]?.taxType) ?? [];
  const documentRow = (document: TaxedDocument, at: number) => {
    const { date, number, contact } = document;
    const label = [date && mediumDate(date), number, contact].filter(Boolean).join(" ");
    return taxedRow("Row", `${id}.${at}`, label, [document], async () => [document]);
  };
  return [
    ...(isDetailed ? documents.map(documentRow) : []),
    taxedRow("Row", id, isDetailed ? `All at ${name}` : name, documents, behind),
    ...componentsOf(documents).map(([component, tax]) => {
      const label = `of which ${component}`;
      const of: AmountOf = ({ components }) => components.get(component) ?? zeroCents;
      const figure = documentedFigure([`${id}.${component}`, label, "TaxedTax"], tax, behind, of);
      return textRow("Row", [label, "", figure, "", ""]);
    }),
  ];
}
