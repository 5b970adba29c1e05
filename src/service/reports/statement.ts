/** /Reports/Statement: what a customer owes; an extension of the API. */
import { reportRange } from "../../ledger/reports/rows.ts";
import { statement as statementRows } from "../../ledger/reports/statement.ts";
import { statementEvents } from "../../store/queries/statement.ts";
import { controlPlaces } from "../documents/kinds.ts";
import { invalid } from "../request/context.ts";
import { contactAsked } from "./aged.ts";
import { dateOf, type MakeReport } from "./frame.ts";

/** The types of documents on accounts receivable, with their sides. */
export const receivableSides = () =>
  new Map(
    [...controlPlaces()].flatMap(([type, { control, side }]) =>
      control === "DEBTORS" ? [[type, side] as const] : [],
    ),
  );

/** What is outstanding on a day, or with `fromDate` or `toDate` what moved it. */
export const statement: MakeReport = async ({ call, tx, organisation, today }) => {
  const party = await contactAsked(call, tx);
  const date = dateOf(call, "date");
  const [fromDate, toDate] = [dateOf(call, "fromDate"), dateOf(call, "toDate")];
  const isActivity = fromDate !== undefined || toDate !== undefined;
  if (isActivity && date !== undefined) {
    throw invalid("A statement is as at a date, or of the days from fromDate to toDate.");
  }
  const range = isActivity ? reportRange(fromDate, toDate, today) : undefined;
  const to = range?.to ?? date ?? today;
  return statementRows({
    organisation: organisation.Name,
    contact: party.Name,
    from: range?.from,
    to,
    moves: await statementEvents(tx, party.ContactID, receivableSides(), to),
  });
};
