/** /Reports/Aged…: aged receivables and payables on a day. */

import { earlierDate, endOfMonth } from "../../../ledger/dates/calendar.ts";
import { documentAttributes } from "../../../ledger/figures/counted.ts";
import type { Period } from "../../../ledger/figures/expression.ts";
import { toBase } from "../../../ledger/money.ts";
import { unrealisedGain } from "../../../ledger/postings/currency.ts";
import { agedByContact } from "../../../ledger/reports/contacts/aged.ts";
import {
  type AgedEntry,
  agedContacts,
  agedOfContact,
} from "../../../ledger/reports/contacts/aged-contacts.ts";
import { negated } from "../../../ledger/reports/report-rows.ts";
import type { Account } from "../../../resources/account.ts";
import { amountText } from "../../../resources/common.ts";
import type { Contact } from "../../../resources/contact.ts";
import { type Cents, writeDecimal } from "../../../resources/decimal.ts";
import { NotFoundError, refusal } from "../../../resources/errors.ts";
import { contact } from "../../../resources/index.ts";
import { readId } from "../../../resources/scalar.ts";
import { sums } from "../../../store/ledger/journals.ts";
import { fetch } from "../../../store/mapping/records.ts";
import {
  agedDocuments,
  loadContactsInCredit,
  type OpenOnDay,
  openOnDay,
} from "../../../store/queries/contacts/aged.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { controlPlaces } from "../../documents/document-registry.ts";
import type { RequestContext } from "../../request/context.ts";
import { loadKnownRates } from "../gains.ts";
import { dateOf, type MakeReport, type ReportContext } from "../report-context.ts";

/** GET /Reports/AgedReceivablesByContact: the open invoices of a contact by age. */
export const agedReceivablesByContact: MakeReport = (context) => agedReport(context, "receivables");

/** GET /Reports/AgedPayablesByContact: the open bills of a contact by age. */
export const agedPayablesByContact: MakeReport = (context) => agedReport(context, "payables");

async function agedReport(context: ReportContext, owed: "receivables" | "payables") {
  const { call, tx, today, chart } = context;
  const party = await queriedContact(tx, call.query.get("contactID"));
  const from = dateOf(call, "fromDate");
  if (context.isAccountant && from === undefined && dateOf(call, "toDate") === undefined) {
    return loadAgedInBuckets(context, owed, party);
  }
  const date = dateOf(call, "date") ?? endOfMonth(today);
  const to = dateOf(call, "toDate") ?? date;
  if (from !== undefined && to < from) {
    throw refusal("Form", `The documents would begin on ${from}, after they end on ${to}.`);
  }
  const type = owed === "receivables" ? "ACCREC" : "ACCPAY";
  const rows = await agedDocuments(tx, { contactId: party.ContactID, type, to, date });
  return agedByContact({
    side: owed,
    contact: party.Name,
    date,
    from,
    to,
    documents: rows.map((row) => ({
      id: row.id,
      date: row.date,
      number: row.number ?? (owed === "payables" ? row.reference : undefined) ?? "",
      dueDate: row.due_date ?? undefined,
      total: toBase(row.total, chart.exchange(row.currency_rate)),
      withheld: toBase(row.withheld, chart.exchange(row.currency_rate)),
      paid: row.paid,
      credited: row.credited,
      part: {
        ...{ date: row.date, number: row.number ?? row.reference ?? undefined },
        attributes: documentAttributes(row.id, "Invoice"),
        ...(row.currency_rate === 1_000_000
          ? {}
          : {
              working: `${row.currency} ${amountText(row.total, row.currency)} / ${writeDecimal(row.currency_rate, 6)}`,
            }),
      },
    })),
  });
}

/** The open documents of a contact by age, which come to its row among all contacts. */
async function loadAgedInBuckets(
  context: ReportContext,
  owed: "receivables" | "payables",
  { ContactID, Name }: Contact,
) {
  const date = earlierDate(dateOf(context.call, "date") ?? context.today, context.today);
  const control = owed === "receivables" ? "DEBTORS" : "CREDITORS";
  const { entries } = await agedAt(context, control, date, { contactIds: [ContactID] });
  return agedOfContact({
    title: owed === "receivables" ? "Aged Receivables" : "Aged Payables",
    ...{ organisation: Name, date, isByDueDate: true, bounds: boundsUsual },
    entries: entries.map((entry) => {
      const { number, handle, kind } = entry.document;
      return {
        ...entry,
        document: { ...entry.document, number: number ?? handle?.toUpperCase() ?? kind },
      };
    }),
  });
}

export async function queriedContact(tx: Tx, key: string | undefined) {
  if (key === undefined) throw refusal("Parameter", "The parameter contactID is required.");
  const id = readId(key);
  if (id === undefined) {
    throw refusal(
      "Parameter",
      `The parameter contactID must be a GUID, not '${key.slice(0, 40)}'.`,
    );
  }
  const [party] = await fetch(tx, contact, "ContactID", [id]);
  if (party !== undefined) return party;
  throw new NotFoundError("NotFound", `There is no contact ${key.slice(0, 60)}.`);
}

// --- all contacts ------------------------------------------------------------------------------

/** GET /Reports/AgedReceivables: the receivables of all contacts by age. */
export const agedReceivables: MakeReport = (context) => agedSummary(context, "DEBTORS");

/** GET /Reports/AgedPayables: the payables of all contacts by age. */
export const agedPayables: MakeReport = (context) => agedSummary(context, "CREDITORS");

async function agedSummary(context: ReportContext, control: Control) {
  const { call, organisation } = context;
  const askedDay = dateOf(call, "date") ?? context.today;
  // Nothing is overdue on a day that is still to come.
  const date = context.isAccountant ? earlierDate(askedDay, context.today) : askedDay;
  const isByDueDate = call.query.choice("by", ["due", "invoice"]) !== "invoice";
  const { entries, account, sign, period } = await agedAt(context, control, date, { isByDueDate });
  return agedContacts({
    title: control === "DEBTORS" ? "Aged Receivables" : "Aged Payables",
    organisation: organisation.Name,
    date,
    isByDueDate,
    bounds: boundsOf(call),
    entries,
    control: { account, sign, period },
  });
}

export type Control = "DEBTORS" | "CREDITORS";

interface AgedOptions {
  /** False for ageing by the day of a document. */
  readonly isByDueDate?: boolean;
  /** Contacts whose documents are returned; all when not given. */
  readonly contactIds?: readonly string[];
}

/** An ageing entry with its open document. */
interface OpenEntry extends AgedEntry {
  readonly document: OpenOnDay;
}

/**
 * Returns the open documents at the end of a day, and the balance of their control account;
 * positive if owed.
 */
export async function agedAt(
  context: ReportContext,
  control: Control,
  date: string,
  { isByDueDate = true, contactIds }: AgedOptions = {},
): Promise<{
  entries: OpenEntry[];
  account: Account;
  balance: Cents;
  sign: 1 | -1;
  period: Period;
}> {
  const { tx, chart, organisation, gains } = context;
  const sign = control === "DEBTORS" ? 1 : -1;
  const controls = new Map([...controlPlaces()].filter(([, place]) => place.control === control));
  const openItems = await openOnDay(tx, [...controls.keys()], date, contactIds);
  const rateByCurrency = await loadKnownRates(
    context,
    date,
    openItems.map(({ currency }) => currency).filter((text) => text !== organisation.BaseCurrency),
  );
  const account = chart.system(control);
  const postedSums = await sums(tx, { basis: "accrual", accounts: [account.AccountID], to: date });
  const gainById = await gains.in(
    new Map(postedSums.map((sumsRow) => [sumsRow.account, sumsRow.amount])),
    undefined,
    date,
  );
  const balance = gainById.get(account.AccountID) ?? (0 as Cents);
  return {
    entries: openItems.map((each) => {
      const rate = rateByCurrency.get(each.currency);
      const direction = controls.get(each.type)?.side ?? 1;
      const gain =
        rate === undefined ? 0 : unrealisedGain(each.open, each.openBase, chart.exchange(rate));
      return {
        contactId: each.contactId,
        contact: each.contact,
        from: (isByDueDate ? each.dueDate : undefined) ?? each.date,
        amount: (direction * sign * (each.openBase + gain)) as Cents,
        document: each,
        part: {
          ...{ label: each.contact, date: each.date, number: each.number ?? each.type },
          ...(rate === undefined
            ? {}
            : {
                working: `${each.currency} ${amountText(each.open, each.currency)} / ${writeDecimal(rate, 6)}`,
              }),
          attributes: documentAttributes(each.id, each.kind),
        },
      };
    }),
    ...{ account, sign },
    period: { from: date, to: date, basis: "accrual", sums: { held: gainById } },
    balance: sign === 1 ? balance : negated(balance),
  };
}

/** Returns the open documents at the end of a day of contacts that may be in credit. */
export async function creditsAt(
  context: ReportContext,
  control: Control,
  date: string,
): Promise<readonly AgedEntry[]> {
  const controls = [...controlPlaces()].filter(([, place]) => place.control === control);
  const ownSide = control === "DEBTORS" ? 1 : -1;
  const types = controls.map(([type]) => type);
  const credits = controls.flatMap(([type, { side }]) => (side === ownSide ? [] : [type]));
  const contactIds = await loadContactsInCredit(context.tx, types, credits, date);
  if (contactIds.length === 0) return [];
  return (await agedAt(context, control, date, { contactIds })).entries;
}

const boundsUsual = [30, 60, 90];
const bucketsMax = 12;

/** @throws RefusedError unless the ageing bounds are increasing numbers of days */
export function boundsOf(call: RequestContext): readonly number[] {
  const words = call.query.list("buckets");
  if (words === undefined) return boundsUsual;
  const bounds = words.map(Number);
  const isRising = bounds.every(
    (bound, at) => Number.isSafeInteger(bound) && bound > (bounds[at - 1] ?? 0) && bound < 10_000,
  );
  if (isRising && bounds.length <= bucketsMax) return bounds;
  throw refusal(
    "Parameter",
    `The parameter buckets must be rising numbers of days, such as 30,60,90, not '${words.join(",").slice(0, 60)}'.`,
  );
}
