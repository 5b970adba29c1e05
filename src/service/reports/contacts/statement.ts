/** /Reports/Statement: the statement of account of a customer; an extension of the API. */

import {
  type StatementMove,
  statementReport as statementRows,
} from "../../../ledger/reports/contacts/statement.ts";
import { reportRange } from "../../../ledger/reports/report-rows.ts";
import type { Contact } from "../../../resources/contact.ts";
import { refusal } from "../../../resources/errors.ts";
import { statementEvents } from "../../../store/queries/contacts/statement-events.ts";
import { controlPlaces } from "../../documents/document-registry.ts";
import { dateOf, type MakeReport, type ReportContext } from "../report-context.ts";
import { queriedContact } from "./aged.ts";

/** The query of a statement with its data. */
export interface StatementRead {
  readonly party: Contact;
  /** First day of an activity statement; undefined for a statement of outstanding items at `to`. */
  readonly from: string | undefined;
  readonly to: string;
  readonly today: string;
  readonly moves: readonly StatementMove[];
}

/** GET /Reports/Statement: outstanding items on a day, or activity with `fromDate` or `toDate`. */
export const statement: MakeReport = async (context) => {
  const data = await readStatement(context, context.call.query.get("contactID"));
  const currencies = [...new Set(data.moves.map(({ currency }) => currency))];
  const body = statementRows({
    ...data,
    organisation: context.organisation.Name,
    contact: data.party.Name,
  });
  return currencies.length === 0 ? body : { ...body, currency: currencies.join(" and ") };
};

/** Reads the data of a statement. @throws RefusedError, NotFoundError */
export async function readStatement(
  { call, tx, today }: ReportContext,
  contactId: string | undefined,
): Promise<StatementRead> {
  const party = await queriedContact(tx, contactId);
  const date = dateOf(call, "date");
  const [fromDate, toDate] = [dateOf(call, "fromDate"), dateOf(call, "toDate")];
  const isActivity = fromDate !== undefined || toDate !== undefined;
  if (isActivity && date !== undefined) {
    throw refusal(
      "Parameter",
      "A statement is as at a date, or of the days from fromDate to toDate.",
    );
  }
  const range = isActivity ? reportRange(fromDate, toDate, today) : undefined;
  const to = range?.to ?? date ?? today;
  const events = await statementEvents(tx, party.ContactID, receivableSides(), to);
  return { party, from: range?.from, to, today, moves: events };
}

/** Returns the document types of accounts receivable, with their sides. */
const receivableSides = () =>
  new Map(
    [...controlPlaces()].flatMap(([type, { control, side }]) =>
      control === "DEBTORS" ? [[type, side] as const] : [],
    ),
  );
