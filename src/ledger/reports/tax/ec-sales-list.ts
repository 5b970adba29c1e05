/**
 * The list of sales to businesses elsewhere in the EU, by VAT number, which the tax office compares
 * with their purchases. A document counts in the period of its date, whatever was listed before;
 * each amount is in whole euros, .50 up.
 *
 * @source Umsatzsteuergesetz, section 18a; Code général des impôts, articles 289 B and 289 C
 */
import { amountText } from "../../../resources/common.ts";
import type { reports } from "../../../resources/report.ts";
import { compareText } from "../../../wire/fold.ts";
import type { SumPart } from "../../figures/counted.ts";
import { counted, type Figure, sum } from "../../figures/expression.ts";
import { type Cents, sum as sumOf } from "../../money.ts";
import { headerRow, negated, type ReportRow, sectionRow, textRow } from "../report-rows.ts";
import { roundedIn, type TaxedDocument } from "./returns/form.ts";
import { documentedFigure } from "./tax-summary.ts";

/** A kind of sale, as the list of a country has it. */
interface ListedKind {
  readonly taxType: string;
  readonly name: string;
  /** Code on the form, and the code of negative amounts where it differs. */
  readonly code: string;
  readonly codeBelowZero?: string;
  /** The box of the tax return that has the same sales. */
  readonly box?: string;
}

type ListingCountry = (typeof reports)["ECSalesList"]["countries"][number];

export const listedKinds: Readonly<Record<ListingCountry, readonly ListedKind[]>> = {
  DE: [
    { taxType: "ECOUTPUT", name: "goods", code: "L", box: "41" },
    { taxType: "ECOUTPUTSERVICES", name: "services", code: "S", box: "21" },
    { taxType: "ECTRIANGULAR", name: "triangular sales", code: "D", box: "42" },
  ],
  FR: [
    { taxType: "ECOUTPUT", name: "goods", code: "21", codeBelowZero: "25", box: "F2" },
    { taxType: "ECOUTPUTSERVICES", name: "services", code: "DES" },
  ],
};

export const isListing = (country: string): country is ListingCountry => country in listedKinds;

/** A document with the VAT number of its customer, where that is one of another country of the EU. */
export interface ListedDocument extends TaxedDocument {
  readonly vatNumber: string | undefined;
}

/** The sales of a kind to a customer, positive. */
interface ListedLine {
  readonly label: string;
  readonly documents: readonly ListedDocument[];
  readonly net: Cents;
  /** In whole euros. */
  readonly whole: number;
}

function linesOf(
  documents: readonly ListedDocument[],
  labelOf: (document: ListedDocument) => string,
): ListedLine[] {
  return [...Map.groupBy(documents, labelOf)]
    .toSorted(([first], [second]) => compareText(first, second))
    .map(([label, documents]) => {
      const net = negated(sumOf(documents.map((document) => document.net)));
      return { label, documents, net, whole: roundedIn({ rounding: "half-up" }, net) / 100 };
    })
    .filter(({ net }) => net !== 0);
}

const netFigure = (id: string, { label, documents, net }: ListedLine): Figure =>
  documentedFigure(
    [`${id}.${label}`, label, "TaxedNet"],
    net,
    async () => documents,
    (document) => negated(document.net),
  );

const wholeFigure = (id: string, label: string, parts: readonly SumPart[]): Figure =>
  counted(
    [`${id}.whole`, label, "WholeEuros"],
    parts.reduce((total, { amount }) => total + amount, 0),
    { of: "parts", parts: () => parts },
    "count",
  );

/** The total of a section, beside the box of the return that has the same amount. */
function totalRow(
  id: string,
  [label, box]: readonly [label: string, box: string | undefined],
  nets: readonly Figure[],
  whole?: readonly SumPart[],
) {
  const total = sum([id, label, "SectionTotal"], nets);
  const cells = [total, whole ? wholeFigure(id, label, whole) : ""];
  return textRow("SummaryRow", [label, "", box ? `Box ${box}` : "", ...cells], undefined, id);
}

const sectionName = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function listedSection(kind: ListedKind, documents: readonly ListedDocument[]): ReportRow {
  const { name, code, codeBelowZero = code, box } = kind;
  const lines = linesOf(documents, ({ vatNumber = "" }) => vatNumber);
  const nets = lines.map((line) => netFigure(code, line));
  const rows = lines.map(({ label, documents, net, whole }, at) => {
    const parts = [{ label: `${amountText(net, "EUR")} in whole euros`, amount: whole }];
    const figures = [nets[at] ?? "", wholeFigure(`${code}.${label}`, label, parts)];
    const usedCode = net < 0 ? codeBelowZero : code;
    return textRow("Row", [label, documents[0]?.contact ?? "", usedCode, ...figures]);
  });
  const parts = lines.map(({ label, whole }) => ({ label, amount: whole }));
  const total = totalRow(`total-${code}`, [`Total ${name}`, box], nets, parts);
  return sectionRow(sectionName(name), [...rows, total]);
}

/** Customers that cannot be listed, since they have no VAT number of another country of the EU. */
function unlistedSection(kinds: readonly ListedKind[], documents: readonly ListedDocument[]) {
  const rows = kinds.flatMap(({ taxType, code }) => {
    const ofKind = documents.filter((document) => document.taxType === taxType);
    return linesOf(ofKind, ({ contact }) => contact).map((line) => {
      const net = netFigure(`without.${code}`, line);
      const { taxNumber = "" } = line.documents[0] ?? {};
      return { net, row: textRow("Row", [line.label, taxNumber, code, net, ""]) };
    });
  });
  const nets = rows.map(({ net }) => net);
  return sectionRow("Not listed: no VAT number of another country of the EU", [
    ...rows.map(({ row }) => row),
    totalRow("without", ["Total not listed", undefined], nets),
  ]);
}

/**
 * Rows of the list: a section for each kind of sale, and one for sales without a valid VAT number.
 */
export function ecSalesRows(
  kinds: readonly ListedKind[],
  documents: readonly ListedDocument[],
): ReportRow[] {
  const unlisted = documents.filter(({ vatNumber }) => vatNumber === undefined);
  const sections = kinds.flatMap((kind) => {
    const ownDocuments = documents.filter(
      ({ taxType, vatNumber }) => taxType === kind.taxType && vatNumber !== undefined,
    );
    return ownDocuments.length === 0 ? [] : [listedSection(kind, ownDocuments)];
  });
  return [
    headerRow(["VAT number", ["contact", "Customer"], ["code", "Code"], "Net", "Whole euros"]),
    ...sections,
    ...(unlisted.length === 0 ? [] : [unlistedSection(kinds, unlisted)]),
  ];
}
