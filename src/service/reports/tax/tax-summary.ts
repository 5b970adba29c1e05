/** /Reports/TaxSummary: tax by rate; an extension of the API. */
import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { reportRange } from "../../../ledger/reports/report-rows.ts";
import { mappingOf } from "../../../ledger/reports/tax/returns/index.ts";
import { taxSummaryRows } from "../../../ledger/reports/tax/tax-summary.ts";
import { taxedSums } from "../../../store/queries/tax/tax-sums.ts";
import { lazy } from "../../request/route.ts";
import { dateOf, type MakeReport } from "../report-context.ts";
import { detailMax, ratesOf, taxBasisOf, taxedDocuments } from "./tax-sums.ts";

/** GET /Reports/TaxSummary: by default on the basis of the organisation's returns. */
export const taxSummary: MakeReport = async ({
  call,
  tx,
  chart,
  organisation,
  today,
  ...reading
}) => {
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const paymentsOnly = call.query.boolean("paymentsOnly");
  const basis = paymentsOnly === undefined ? taxBasisOf(organisation.SalesTaxBasis) : reading.basis;
  const isDetailed = call.query.boolean("detail") === true;
  const read = async (isByDocument: boolean, rowsMax?: number) => {
    const by = { rates: ratesOf(chart), byDocument: isByDocument, bySide: true, rowsMax };
    return taxedDocuments(chart, await taxedSums(tx, { basis, from, to }, by), false, rowsMax);
  };
  const taxed = await read(isDetailed, isDetailed ? detailMax : undefined);
  const documentsBehind = lazy(async () => (isDetailed ? taxed : read(true)));
  return {
    basis,
    titles: [
      "Tax Summary",
      organisation.Name,
      `${mediumDate(from)} to ${mediumDate(to)}`,
      basis === "cash" ? "Cash basis" : "Accrual basis",
    ],
    rows: taxSummaryRows(mappingOf(organisation.CountryCode), taxed, isDetailed, documentsBehind),
  };
};
