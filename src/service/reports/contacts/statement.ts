/** /Reports/Statement: what a customer owes; an extension of the API. */

import {
  type StatementMove,
  statement as statementRows,
} from "../../../ledger/reports/contacts/statement.ts";
import { reportRange } from "../../../ledger/reports/report-rows.ts";
import type { Contact } from "../../../resources/contact.ts";
import { refusal } from "../../../resources/errors.ts";
import { statementEvents } from "../../../store/queries/contacts/statement-events.ts";
import { controlPlaces } from "../../documents/document-registry.ts";
import { dateOf, type MakeReport, type ReportContext } from "../report-context.ts";
import { queriedContact } from "./aged.ts";

/** A statement as it was asked for, and what it is made from. */
export interface StatementRead {
  readonly party: Contact;
  /** The first day of the activity; what is outstanding at `to` where it is not given. */
  readonly from: string | undefined;
  readonly to: string;
  readonly today: string;
  readonly moves: readonly StatementMove[];
}

/** What is outstanding on a day, or with `fromDate` or `toDate` what moved it. */
export const statement: MakeReport = async (reading) => {
  const read = await readStatement(reading, reading.call.query.get("contactID"));
  const currencies = [...new Set(read.moves.map(({ currency }) => currency))];
  const body = statementRows({
    ...read,
    organisation: reading.organisation.Name,
    contact: read.party.Name,
  });
  return currencies.length === 0 ? body : { ...body, currency: currencies.join(" and ") };
};

/** @throws RefusedError, NotFoundError */
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
  const moves = await statementEvents(tx, party.ContactID, receivableSides(), to);
  return { party, from: range?.from, to, today, moves };
}

/** The types of documents on accounts receivable, with their sides. */
const receivableSides = () =>
  new Map(
    [...controlPlaces()].flatMap(([type, { control, side }]) =>
      control === "DEBTORS" ? [[type, side] as const] : [],
    ),
  );
