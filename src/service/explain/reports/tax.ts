/** Figures of the tax summary and of the tax reconciliation. */
import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { negated, reportRange } from "../../../ledger/reports/rows.ts";
import type { TaxedDocument } from "../../../ledger/reports/tax/returns/form.ts";
import { mappingOf } from "../../../ledger/reports/tax/returns/index.ts";
import type { FiledTax, Tax } from "../../../ledger/reports/tax/tax-reconciliation.ts";
import { componentsOf, taxSections } from "../../../ledger/reports/tax/tax-summary.ts";
import { sourceWords } from "../../../resources/journal.ts";
import { taxAccountPostings } from "../../../store/queries/explained.ts";
import { placeOfOpening, type ReturnedTax } from "../../../store/queries/tax/tax-account.ts";
import { taxedSums } from "../../../store/queries/tax/tax-sums.ts";
import { dateOf, type Reading, yearOf } from "../../reports/frame.ts";
import { readTaxAccount, sidesOf } from "../../reports/tax/tax-reconciliation.ts";
import { ratesOf, summed, taxBasisOf } from "../../reports/tax/tax-sums.ts";
import type { FigureRow } from "../figures.ts";
import {
  documentAttributes,
  ledger,
  minus,
  type Origin,
  type Part,
  parts,
  plus,
  type Source,
  signedParts,
  single,
  sum,
} from "../origin.ts";
import { byMonth, postingParts } from "../postings.ts";
import type { Explainer } from "./explainer.ts";

/** A document as part of a figure of tax. */
export function taxedPart(document: TaxedDocument, amount: number): Part {
  const { contact, name, date, number, sourceType, documentId } = document;
  return {
    label: [contact || (sourceWords[sourceType] ?? sourceType), name].filter(Boolean).join(", "),
    date: date === "" ? undefined : date,
    number: number || undefined,
    amount,
    ...(documentId === undefined ? {} : { attributes: documentAttributes(documentId, null) }),
  };
}

export const taxSummary: Explainer = {
  usual: "last",
  async origins(reading, figures) {
    const { call, tx, chart, organisation, today } = reading;
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const asked = call.query.boolean("paymentsOnly");
    const basis = asked === undefined ? taxBasisOf(organisation.SalesTaxBasis) : reading.basis;
    const isDetailed = call.query.boolean("detail") === true;
    const form = mappingOf(organisation.CountryCode);
    const read = async (byDocument: boolean) => {
      const by = { rates: ratesOf(chart), byDocument, bySide: true };
      return taxSections(form, summed(chart, await taxedSums(tx, { basis, from, to }, by), false));
    };
    const told = await read(true);
    const shown = isDetailed ? told : await read(false);
    /** What each line of a section is of: one document, a rate, or a component of its tax. */
    const lines = new Map(
      shown.map(({ title, rates }) => [
        title,
        rates.flatMap((ofRate) => [
          ...(isDetailed ? ofRate.map((document) => ({ document })) : []),
          { taxType: ofRate[0]?.taxType },
          ...componentsOf(ofRate).map(([component]) => ({
            taxType: ofRate[0]?.taxType,
            component,
          })),
        ]),
      ]),
    );
    const ratesIn = (row: FigureRow) =>
      told.find(({ title }) => title === row.section)?.rates ?? [];
    return ({ row, column }) => {
      if (column === 4) return sum("Gross", plus(...[1, 2, 3].map((at) => ({ row, column: at }))));
      const amountOf = (each: TaxedDocument) =>
        [each.net, each.tax, each.notReclaimed][column - 1] ?? 0;
      const own = (documents: readonly TaxedDocument[], of = amountOf): Origin =>
        sum(
          column === 1 ? "TaxedNet" : column === 2 ? "TaxedTax" : "TaxNotReclaimed",
          parts((detail) =>
            byMonth(
              documents
                .map((each) => taxedPart(each, of(each)))
                .filter(({ amount }) => amount !== 0),
              detail,
            ),
          ),
        );
      if (row.isTotal) return own(ratesIn(row).flat());
      const line = lines.get(row.section)?.[figures.positionOf(row)];
      if (line === undefined) return undefined;
      if ("document" in line) return own([line.document]);
      const ofRate = ratesIn(row).find(([first]) => first?.taxType === line.taxType) ?? [];
      if (!("component" in line)) return own(ofRate);
      return own(ofRate, (each) => each.components.get(line.component) ?? (0 as never));
    };
  },
};

const net = ({ collected, paid }: Tax): number => collected - paid;
const filedName = ({ from, to }: FiledTax) => `Return of ${mediumDate(from)} to ${mediumDate(to)}`;

export const taxReconciliation: Explainer = {
  usual: "last",
  async origins(reading, figures) {
    const { call, today } = reading;
    const until = dateOf(call, "toDate") ?? today;
    const since = dateOf(call, "fromDate") ?? yearOf(reading, until).from;
    const range = reportRange(since, until, today);
    const { request, taxed, taxAccounts, asked } = await readTaxAccount(reading, range, true);
    const { returns } = request;
    const placeOf = (row: FigureRow): number => {
      const place = returns.findIndex((each) => filedName(each) === row.section);
      return place < 0 ? returns.length : place;
    };
    const onAccount = (what: Parameters<typeof taxAccountPostings>[1]): Source =>
      parts(async (detail) =>
        asked.accounts.length === 0
          ? []
          : signedParts(-1, await postingParts(reading, taxAccountPostings(asked, what), detail)),
      );
    const ofReturns = (amount: (each: FiledTax) => number): Source =>
      parts(() =>
        returns
          .map((each) => ({ label: filedName(each), date: each.to, amount: amount(each) }))
          .filter((part) => part.amount !== 0),
      );
    const ofLines = (fits: (each: ReturnedTax) => boolean, side?: "collected" | "paid"): Source =>
      parts(() => typeParts(reading, taxed.filter(fits), side));
    const [first] = figures.rows.filter(({ section }) => section === "Owed to the tax office");
    return ({ row, column }) => {
      const here = (at: number) => ({ row, column: at });
      const at = (label: string, section?: string) => figures.at(label, 3, section);
      const isOfReturn = first === undefined || row.line < first.line;
      if (isOfReturn) {
        if (column === 3) return sum("NetTax", plus(here(1)), minus(here(2)));
        if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
        const place = placeOf(row);
        const side = column === 1 ? "collected" : "paid";
        const cause = returns[place]?.causes.find(({ label }) => label === row.label);
        if (cause !== undefined) {
          return sum("FiledApart", single({ label: cause.label, amount: cause[side] }));
        }
        const isLate = row.label.startsWith("Late") ? 1 : 0;
        return sum(
          "PostedTax",
          ofLines((each) => each.place === place && each.is_late === isLate, side),
        );
      }
      if (row.isTotal && row.label === "Difference") {
        return sum("Difference", plus(at("Trial balance")), minus(at("Explained")));
      }
      if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
      switch (row.label) {
        case "Opening balance":
          return sum(
            "Balance",
            onAccount("opening"),
            ofLines(({ place }) => place === placeOfOpening),
          );
        case "Documents of before the first return":
          return sum(
            "PostedTax",
            ofLines(({ place }) => place === -1),
          );
        case "Filed":
          return sum(
            "FiledTax",
            ofReturns((each) => net(each.filed)),
          );
        case "Paid to the tax office, less refunds":
          return sum("PaidToOffice", onAccount("settled"));
        case "Manual journals and documents on the account":
          return sum("CodedOnTax", onAccount("coded"));
        case "Owed":
          return sum("SectionTotal", plus(at("Owed", "Owed to the tax office")));
        case "Not filed yet":
          return sum("NetTax", plus(at("Not filed yet")));
        case "Rounding line by line":
          return sum(
            "TaxRounding",
            onAccount("tax"),
            parts(() =>
              typeParts(reading, taxed).map((part) => ({ ...part, amount: -part.amount })),
            ),
          );
        case "Of what is not paid yet":
          return sum("UnpaidTax", ledger(-1, ...slices("accrual")), ledger(1, ...slices("cash")));
        case "Trial balance":
          return sum("Balance", ledger(-1, ...slices("accrual")));
        default:
          return sum(
            "FiledApart",
            ofReturns(({ causes }) =>
              causes
                .filter(({ label }) => `${label}, of the returns` === row.label)
                .reduce((all, each) => all - net(each), 0),
            ),
          );
      }
    };
    function slices(basis: "accrual" | "cash") {
      return taxAccounts.map((account) => ({
        ...{ account, basis, gains: false as const },
        ...{ since: yearOf(reading, range.to).from, to: range.to },
      }));
    }
  },
};

/** Tax by type and account: of one side, or net of both. */
function typeParts(
  reading: Reading,
  rows: readonly ReturnedTax[],
  side?: "collected" | "paid",
): Part[] {
  const found = sidesOf(reading, rows).filter((each) => side === undefined || each.side === side);
  const key = ({ name, accountId }: (typeof found)[number]) => `${name} ${accountId}`;
  return [...Map.groupBy(found, key).values()].flatMap((group): Part[] => {
    const [each] = group;
    const amount = group.reduce(
      (total, one) =>
        total + (side === undefined && one.side === "paid" ? negated(one.amount) : one.amount),
      0,
    );
    if (each === undefined || amount === 0) return [];
    const account = reading.chart.account(each.accountId);
    return [
      {
        label: `${each.name}, ${account?.Name ?? ""}`,
        number: account?.Code,
        amount,
        attributes: [{ Value: each.accountId, Id: "account" }],
      },
    ];
  });
}
