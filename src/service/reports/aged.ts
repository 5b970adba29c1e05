/** /Reports/Aged…ByContact: what one contact owes or is owed, as at a day. */
import { endOfMonth } from "../../ledger/dates/calendar.ts";
import { toBase } from "../../ledger/money.ts";
import { agedByContact } from "../../ledger/reports/aged.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { contact } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import { fetch } from "../../store/mapping/records.ts";
import { agedDocuments } from "../../store/queries/aged.ts";
import type { Tx } from "../../store/transactions/tx.ts";
import { invalid, type RequestContext } from "../request/context.ts";
import { dateOf, type MakeReport, type Reading } from "./frame.ts";

/** GET /Reports/AgedReceivablesByContact */
export const agedReceivablesByContact: MakeReport = (reading) => aged(reading, "receivables");

/** GET /Reports/AgedPayablesByContact */
export const agedPayablesByContact: MakeReport = (reading) => aged(reading, "payables");

async function aged({ call, tx, today }: Reading, side: "receivables" | "payables") {
  const party = await contactAsked(call, tx);
  const date = dateOf(call, "date") ?? endOfMonth(today);
  const from = dateOf(call, "fromDate");
  const to = dateOf(call, "toDate") ?? date;
  if (from !== undefined && to < from) {
    throw invalid(`The documents would begin on ${from}, after they end on ${to}.`);
  }
  const type = side === "receivables" ? "ACCREC" : "ACCPAY";
  const rows = await agedDocuments(tx, { contactId: party.ContactID, type, to, date });
  return agedByContact({
    side,
    contact: party.Name,
    date,
    from,
    to,
    documents: rows.map((row) => ({
      id: row.id,
      date: row.date,
      number: row.number ?? (side === "payables" ? row.reference : undefined) ?? "",
      dueDate: row.due_date ?? undefined,
      total: toBase(row.total, row.currency_rate),
      withheld: toBase(row.withheld, row.currency_rate),
      paid: row.paid,
      credited: row.credited,
    })),
  });
}

async function contactAsked(call: RequestContext, tx: Tx) {
  const asked = call.query.get("contactID");
  if (asked === undefined) throw invalid("The parameter contactID is required.");
  const id = readId(asked);
  if (id === undefined) {
    throw invalid(`The parameter contactID must be a GUID, not '${asked.slice(0, 40)}'.`);
  }
  const [party] = await fetch(tx, contact, "ContactID", [id]);
  if (party !== undefined) return party;
  throw new NotFoundError("NotFound", `There is no contact ${asked.slice(0, 60)}.`);
}
