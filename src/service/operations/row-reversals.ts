/**
 * Undo rules for rows that are no records of a resource: matches, allocations, group members,
 * rates.
 */

import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { FieldValues } from "../../resources/field.ts";
import { bankStatementLine, budget, resources } from "../../resources/index.ts";
import type { Row, Value } from "../../store/connection/connection.ts";
import type { RowTable } from "../../store/operations/effects.ts";
import type { ReportAttribute } from "../../wire/report.ts";
import { inputOf, type Request, recordPath } from "./reversal-requests.ts";
import type { Requests } from "./reversals.ts";

/** Rows of one table that an operation added and removed. */
export interface RowTaking {
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
  /** Reads a decoded record; undefined where there is none. */
  readonly read: (resource: string, id: string) => Promise<FieldValues | undefined>;
}

/** Returns alternative requests that undo single rows; or why undo is impossible, as text. */
type RowRule = (taking: RowTaking) => Promise<readonly (readonly Requests[])[] | string>;

interface RowReversal {
  /** Order of undo, as for records (`reversals.ts`); removed rows are restored in reverse order. */
  readonly rank: number;
  readonly take: RowRule;
}

const money = (value: Value | undefined) => writeDecimal(Number(value ?? 0), 2);
const one = (request: Request): readonly Requests[] => [[request]];
const text = (value: Value | undefined) => String(value ?? "");

const stays =
  (why: string): RowRule =>
  async () =>
    why;

const credits = ["CreditNote", "Prepayment", "Overpayment"] as const;

/** Returns the path of an allocation's credit: only the path tells the kind of credit. */
async function creditPath({ read }: RowTaking, id: string): Promise<string | undefined> {
  for (const name of credits) {
    if ((await read(name, id)) !== undefined) return `/${name}s/${id}/Allocations`;
  }
  return undefined;
}

/** Returns the match of a reconciled bank line, to reconcile it again. */
async function matchOf(
  { read }: RowTaking,
  rows: readonly Row[],
): Promise<FieldValues | undefined> {
  const parts = {
    Records: [] as FieldValues[],
    Documents: [] as FieldValues[],
    Lines: [] as FieldValues[],
  };
  let more: FieldValues = {};
  for (const [, recordId, kind, , made] of rows) {
    const id = text(recordId);
    if (made === 0) {
      parts.Records.push({ Kind: kind, RecordID: id });
      continue;
    }
    const record = await read(text(kind), id);
    if (record === undefined) return undefined;
    if (kind === "Payment") {
      const paid = ["Invoice", ...credits].find((name) => record[name] !== undefined) ?? "";
      const DocumentID = (record[paid] as FieldValues)[`${paid}ID`];
      parts.Documents.push({ Kind: paid, DocumentID, Amount: money(record.Amount as number) });
    } else if (kind === "BankTransaction") {
      const resource = resources.find(({ name }) => name === kind);
      const { LineItems = [], Contact } = inputOf(resource as never, record) as {
        LineItems?: FieldValues[];
        Contact?: FieldValues;
      };
      const isOut = String(record.Type).startsWith("SPEND");
      for (const { LineAmount, AccountCode, TaxType, Description, Tracking } of lineAmounts(
        record,
        LineItems,
      )) {
        const Amount = money(isOut ? -LineAmount : LineAmount);
        parts.Lines.push({ Amount, AccountCode, TaxType, Description, Tracking });
      }
      more = { ...more, Contact };
    } else {
      const own = rows[0]?.[0];
      const line = await read("BankStatementLine", text(own));
      const account = (line?.BankAccount as FieldValues | undefined)?.AccountID;
      const sides = [record.FromBankAccount, record.ToBankAccount] as FieldValues[];
      const other = sides.find((side) => side?.AccountID !== account);
      more = { ...more, TransferAccount: { AccountID: other?.AccountID } };
    }
  }
  const filled = Object.entries(parts).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(filled), ...more };
}

/** Returns the lines with their amounts, as the match of a bank line needs them. */
function lineAmounts(record: FieldValues, inputs: readonly FieldValues[]) {
  const lines = (record.LineItems ?? []) as { LineAmount: number }[];
  return lines.map(({ LineAmount }, at) => ({ ...inputs[at], LineAmount })) as (FieldValues & {
    LineAmount: number;
  })[];
}

const rules = {
  allocation: {
    rank: 20,
    async take(taking) {
      const ways: (readonly Requests[])[] = [];
      const removedIds = new Set(taking.removed.map(([id]) => id));
      for (const [id, credit] of taking.added) {
        if (removedIds.has(id ?? null)) continue;
        const path = await creditPath(taking, text(credit));
        if (path === undefined) continue;
        ways.push(one({ method: "DELETE", path: `${path}/${id}` }));
      }
      const made = new Set(taking.added.map(([id]) => id));
      for (const [id, credit, invoice, amount, date] of taking.removed) {
        if (made.has(id ?? null)) continue;
        const path = await creditPath(taking, text(credit));
        if (path === undefined) continue;
        const own = { Invoice: { InvoiceID: invoice }, Amount: money(amount), Date: date };
        ways.push(one({ method: "PUT", path, body: { Allocations: [own] } }));
      }
      return ways;
    },
  },
  bank_match: {
    rank: 0,
    async take(taking) {
      // Lines reconciled by the operation are unreconciled as records; here unreconciled ones are
      // matched again.
      const again = Map.groupBy(taking.removed, ([line]) => text(line));
      const ways: (readonly Requests[])[] = [];
      for (const [line, rows] of again) {
        if (taking.added.some(([own]) => text(own) === line)) continue;
        const body = await matchOf(taking, rows);
        if (body === undefined) return "what the bank line was reconciled with is gone";
        const path = `${recordPath(bankStatementLine, line)}/Match`;
        ways.push(one({ method: "POST", path, body }));
      }
      return ways;
    },
  },
  contact_group_member: {
    rank: 63,
    async take({ added, removed, read }) {
      const ways: (readonly Requests[])[] = [];
      for (const [group, contact] of added) {
        const record = await read("ContactGroup", text(group));
        if (record === undefined || record.Status !== "ACTIVE") continue;
        const path = `/ContactGroups/${group}/Contacts/${contact}`;
        ways.push(one({ method: "DELETE", path }));
      }
      for (const [group, own] of Map.groupBy(removed, ([id]) => text(id))) {
        const Contacts = own.map(([, contact]) => ({ ContactID: contact }));
        const path = `/ContactGroups/${group}/Contacts`;
        ways.push(one({ method: "PUT", path, body: { Contacts } }));
      }
      return ways;
    },
  },
  budget_balance: {
    rank: 59,
    async take({ added, removed }) {
      const former = new Map(removed.map((row) => [row.slice(0, 3).join(" "), row]));
      const ways: (readonly Requests[])[] = [];
      for (const [id, own] of Map.groupBy(added, ([budgetId]) => text(budgetId))) {
        const BudgetLines = [...Map.groupBy(own, (row) => text(row[2]))].map(
          ([AccountID, rows]) => ({
            AccountID,
            BudgetBalances: rows.map((row) => {
              const [, month, , amount, notes] = former.get(row.slice(0, 3).join(" ")) ?? row;
              const wasThere = former.has(row.slice(0, 3).join(" "));
              const Amount = money(wasThere ? amount : 0);
              return { Period: month, Amount, ...(wasThere && notes ? { Notes: notes } : {}) };
            }),
          }),
        );
        ways.push(one({ method: "POST", path: recordPath(budget, id), body: { BudgetLines } }));
      }
      return ways;
    },
  },
  exchange_rate: {
    rank: 58,
    async take({ added, removed }) {
      const had = new Set(removed.map(([currency, date]) => `${currency} ${date}`));
      const isNew = added.find(([currency, date]) => !had.has(`${currency} ${date}`));
      if (isNew !== undefined) {
        return `the ${text(isNew[0])} rate of ${text(isNew[1])} stays until another is given (acct currency rate)`;
      }
      return [...Map.groupBy(removed, ([currency]) => text(currency))].map(([currency, own]) => {
        const Rates = own.map(([, day, rate]) => ({
          Date: day,
          Rate: writeDecimal(BigInt(text(rate)) as never, scaleOf.rate),
        }));
        return one({ method: "PUT", path: `/Currencies/${currency}/Rates`, body: { Rates } });
      });
    },
  },
  box_1099: {
    rank: 87,
    async take({ added, removed, read }) {
      const codeOf = async (id: Value | undefined) => (await read("Account", text(id)))?.Code;
      const isNew = added.filter(([id]) => !removed.some(([own]) => own === id));
      const Boxes: FieldValues[] = [];
      for (const [id] of isNew) Boxes.push({ AccountCode: await codeOf(id), Form: "NONE" });
      for (const [id, Form, Box] of removed) {
        Boxes.push({ AccountCode: await codeOf(id), Form, Box });
      }
      if (Boxes.length === 0) return [];
      return [one({ method: "PUT", path: "/Reports/TenNinetyNine/Boxes", body: { Boxes } })];
    },
  },
  attachment: {
    rank: 3,
    async take({ added, removed, read }) {
      if (removed.length > 0)
        return "a file that was removed or replaced is not kept; attach it again (acct attachment add)";
      const ways: (readonly Requests[])[] = [];
      for (const [, recordId, name, resource] of added) {
        const match = resources.find((each) => each.name === resource);
        if (match === undefined) continue;
        if ((await read(match.name, text(recordId))) === undefined) continue;
        const file = encodeURIComponent(text(name));
        const path = `${recordPath(match, text(recordId))}/Attachments/${file}`;
        ways.push(one({ method: "DELETE", path }));
      }
      return ways;
    },
  },
  branding_logo: {
    rank: 88,
    async take({ added, removed }) {
      if (removed.length > 0)
        return "a logo that was removed is not kept; set it again (acct branding set)";
      return added.map(([theme]) =>
        one({ method: "DELETE", path: `/BrandingThemes/${theme}/Logo` }),
      );
    },
  },
  branding_theme_payment_service: {
    rank: 89,
    take: stays("a payment service stays with its theme"),
  },
  online_document: {
    rank: 4,
    take: stays(
      "an address that was revoked is not given again (acct invoice url gives the new one)",
    ),
  },
  published_report: {
    rank: 5,
    async take({ added, removed }) {
      const [[, ReportType, ToDate, attributes] = []] = added;
      if (removed.length > 0 || attributes === undefined) {
        return "what was said of a return stays (acct report list); one that was not sent is taken back by acct report RETURN --withdraw --reason TEXT";
      }
      const all: ReportAttribute[] = JSON.parse(text(attributes));
      const FromDate = all.find(({ Name }) => Name === "fromDate")?.Value;
      const body = { ReportType, FromDate, ToDate, Withdraw: "Undone" };
      return [one({ method: "PUT", path: "/Reports", body })];
    },
  },
} as const satisfies Record<RowTable, RowReversal>;

/** Returns the undo rules of a table. */
export function rowReversalOf(table: string): RowReversal {
  const rowReversal = (rules as Readonly<Record<string, RowReversal>>)[table];
  if (rowReversal === undefined)
    throw new Error(`Nothing says how rows of ${table} are taken back.`);
  return rowReversal;
}
