/** /Reports/ECSalesList: sales to businesses elsewhere in the EU; an extension of the API. */
import { vatNumberAbroad } from "../../../e-invoices/countries.ts";
import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { reportRange } from "../../../ledger/reports/report-rows.ts";
import { ecSalesRows, isListing, listedKinds } from "../../../ledger/reports/tax/ec-sales-list.ts";
import { refusal } from "../../../resources/errors.ts";
import { taxedSums } from "../../../store/queries/tax/tax-sums.ts";
import { dateOf, type MakeReport } from "../report-context.ts";
import { ratesOf, taxedDocuments } from "./tax-sums.ts";

/** GET /Reports/ECSalesList: by default the current month; on invoices, whatever the tax basis. */
export const eCSalesList: MakeReport = async ({ call, tx, chart, organisation, today }) => {
  const { CountryCode: country } = organisation;
  if (!isListing(country)) {
    throw refusal(
      "Country",
      "The list of sales in the EU is made for organisations in Germany and France only.",
    );
  }
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const kinds = listedKinds[country];
  const taxTypes = kinds.map(({ taxType }) => taxType);
  const by = { rates: ratesOf(chart), byDocument: true, taxTypes };
  const basis = "accrual";
  const documents = taxedDocuments(chart, await taxedSums(tx, { basis, from, to }, by), false);
  return {
    basis,
    titles: [
      "Sales in the EU",
      organisation.Name,
      `${mediumDate(from)} to ${mediumDate(to)}`,
      "Accrual basis",
    ],
    rows: ecSalesRows(
      kinds,
      documents.map((document) => ({
        ...document,
        vatNumber: vatNumberAbroad(document.taxNumber, country),
      })),
    ),
  };
};
