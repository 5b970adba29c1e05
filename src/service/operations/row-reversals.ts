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
  readonly addedRows: readonly Row[];
  readonly removed: readonly Row[];
  /** Reads a decoded record; undefined where there is none. */
  readonly read: (resource: string, id: string) => Promise<FieldValues | undefined>;
}

/** Returns alternative requests that undo single rows; or why undo is impossible, as text. */
type RowRule = (situation: RowTaking) => Promise<readonly (readonly Requests[])[] | string>;

interface RowReversal {
  /** Order of undo, as for records (`reversals.ts`); removed rows are restored in reverse order. */
  readonly rank: number;
  readonly reverse: RowRule;
}

const money = (value: Value | undefined) => writeDecimal(Number(value ?? 0), 2);
const onlyWay = (request: Request): readonly Requests[] => [[request]];
const text = (value: Value | undefined) => String(value ?? "");

const stays =
  (reason: string): RowRule =>
  async () =>
    reason;

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
  let moreFields: FieldValues = {};
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
      const isSpent = String(record.Type).startsWith("SPEND");
      for (const { LineAmount, AccountCode, TaxType, Description, Tracking } of lineAmounts(
        record,
        LineItems,
      )) {
        const Amount = money(isSpent ? -LineAmount : LineAmount);
        parts.Lines.push({ Amount, AccountCode, TaxType, Description, Tracking });
      }
      moreFields = { ...moreFields, Contact };
    } else {
      const lineId = rows[0]?.[0];
      const line = await read("BankStatementLine", text(lineId));
      const account = (line?.BankAccount as FieldValues | undefined)?.AccountID;
      const sides = [record.FromBankAccount, record.ToBankAccount] as FieldValues[];
      const otherSide = sides.find((transferSide) => transferSide?.AccountID !== account);
      moreFields = { ...moreFields, TransferAccount: { AccountID: otherSide?.AccountID } };
    }
  }
  const filledLists = Object.entries(parts).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(filledLists), ...moreFields };
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
    async reverse(situation) {
      const requestLists: (readonly Requests[])[] = [];
      const removedIds = new Set(situation.removed.map(([id]) => id));
      for (const [id, credit] of situation.addedRows) {
        if (removedIds.has(id ?? null)) continue;
        const path = await creditPath(situation, text(credit));
        if (path === undefined) continue;
        requestLists.push(onlyWay({ method: "DELETE", path: `${path}/${id}` }));
      }
      const addedIds = new Set(situation.addedRows.map(([id]) => id));
      for (const [id, credit, invoice, amount, date] of situation.removed) {
        if (addedIds.has(id ?? null)) continue;
        const path = await creditPath(situation, text(credit));
        if (path === undefined) continue;
        const allocation = { Invoice: { InvoiceID: invoice }, Amount: money(amount), Date: date };
        requestLists.push(onlyWay({ method: "PUT", path, body: { Allocations: [allocation] } }));
      }
      return requestLists;
    },
  },
  bank_match: {
    rank: 0,
    async reverse(situation) {
      // Lines reconciled by the operation are unreconciled as records; here unreconciled ones are
      // matched again.
      const rowsByLine = Map.groupBy(situation.removed, ([line]) => text(line));
      const requestLists: (readonly Requests[])[] = [];
      for (const [line, rows] of rowsByLine) {
        if (situation.addedRows.some(([own]) => text(own) === line)) continue;
        const body = await matchOf(situation, rows);
        if (body === undefined) return "what the bank line was reconciled with is gone";
        const path = `${recordPath(bankStatementLine, line)}/Match`;
        requestLists.push(onlyWay({ method: "POST", path, body }));
      }
      return requestLists;
    },
  },
  contact_group_member: {
    rank: 63,
    async reverse({ addedRows: added, removed, read }) {
      const requestLists: (readonly Requests[])[] = [];
      for (const [group, contact] of added) {
        const record = await read("ContactGroup", text(group));
        if (record === undefined || record.Status !== "ACTIVE") continue;
        const path = `/ContactGroups/${group}/Contacts/${contact}`;
        requestLists.push(onlyWay({ method: "DELETE", path }));
      }
      for (const [group, own] of Map.groupBy(removed, ([id]) => text(id))) {
        const Contacts = own.map(([, contact]) => ({ ContactID: contact }));
        const path = `/ContactGroups/${group}/Contacts`;
        requestLists.push(onlyWay({ method: "PUT", path, body: { Contacts } }));
      }
      return requestLists;
    },
  },
  budget_balance: {
    rank: 59,
    async reverse({ addedRows: added, removed }) {
      const formerByKey = new Map(removed.map((row) => [row.slice(0, 3).join(" "), row]));
      const ways: (readonly Requests[])[] = [];
      for (const [id, own] of Map.groupBy(added, ([budgetId]) => text(budgetId))) {
        const BudgetLines = [...Map.groupBy(own, (row) => text(row[2]))].map(
          ([AccountID, rows]) => ({
            AccountID,
            BudgetBalances: rows.map((row) => {
              const [, month, , amount, notes] = formerByKey.get(row.slice(0, 3).join(" ")) ?? row;
              const wasThere = formerByKey.has(row.slice(0, 3).join(" "));
              const Amount = money(wasThere ? amount : 0);
              return { Period: month, Amount, ...(wasThere && notes ? { Notes: notes } : {}) };
            }),
          }),
        );
        ways.push(onlyWay({ method: "POST", path: recordPath(budget, id), body: { BudgetLines } }));
      }
      return ways;
    },
  },
  exchange_rate: {
    rank: 58,
    async reverse({ addedRows: added, removed }) {
      const removedKeys = new Set(removed.map(([currency, date]) => `${currency} ${date}`));
      const isNew = added.find(([currency, date]) => !removedKeys.has(`${currency} ${date}`));
      if (isNew !== undefined) {
        return `the ${text(isNew[0])} rate of ${text(isNew[1])} stays until another is given (acct currency rate)`;
      }
      return [...Map.groupBy(removed, ([currency]) => text(currency))].map(([currency, own]) => {
        const Rates = own.map(([, day, rate]) => ({
          Date: day,
          Rate: writeDecimal(BigInt(text(rate)) as never, scaleOf.rate),
        }));
        return onlyWay({ method: "PUT", path: `/Currencies/${currency}/Rates`, body: { Rates } });
      });
    },
  },
  box_1099: {
    rank: 87,
    async reverse({ addedRows: added, removed, read }) {
      const codeOf = async (id: Value | undefined) => (await read("Account", text(id)))?.Code;
      const isNew = added.filter(([id]) => !removed.some(([own]) => own === id));
      const Boxes: FieldValues[] = [];
      for (const [id] of isNew) Boxes.push({ AccountCode: await codeOf(id), Form: "NONE" });
      for (const [id, Form, Box] of removed) {
        Boxes.push({ AccountCode: await codeOf(id), Form, Box });
      }
      if (Boxes.length === 0) return [];
      return [onlyWay({ method: "PUT", path: "/Reports/TenNinetyNine/Boxes", body: { Boxes } })];
    },
  },
  attachment: {
    rank: 3,
    async reverse({ addedRows: added, removed, read }) {
      if (removed.length > 0)
        return "a file that was removed or replaced is not kept; attach it again (acct attachment add)";
      const requestLists: (readonly Requests[])[] = [];
      for (const [, recordId, name, resource] of added) {
        const match = resources.find((candidate) => candidate.name === resource);
        if (match === undefined) continue;
        if ((await read(match.name, text(recordId))) === undefined) continue;
        const file = encodeURIComponent(text(name));
        const path = `${recordPath(match, text(recordId))}/Attachments/${file}`;
        requestLists.push(onlyWay({ method: "DELETE", path }));
      }
      return requestLists;
    },
  },
  branding_logo: {
    rank: 88,
    async reverse({ addedRows: added, removed }) {
      if (removed.length > 0)
        return "a logo that was removed is not kept; set it again (acct branding set)";
      return added.map(([theme]) =>
        onlyWay({ method: "DELETE", path: `/BrandingThemes/${theme}/Logo` }),
      );
    },
  },
  branding_theme_payment_service: {
    rank: 89,
    reverse: stays("a payment service stays with its theme"),
  },
  online_document: {
    rank: 4,
    reverse: stays(
      "an address that was revoked is not given again (acct invoice url gives the new one)",
    ),
  },
  published_report: {
    rank: 5,
    async reverse({ addedRows: added, removed }) {
      const [[, ReportType, ToDate, attributes] = []] = added;
      if (removed.length > 0 || attributes === undefined) {
        return "what was said of a return stays (acct report list); one that was not sent is taken back by acct report RETURN --withdraw --reason TEXT";
      }
      const reportAttributes: ReportAttribute[] = JSON.parse(text(attributes));
      const FromDate = reportAttributes.find(({ Name }) => Name === "fromDate")?.Value;
      const body = { ReportType, FromDate, ToDate, Withdraw: "Undone" };
      return [onlyWay({ method: "PUT", path: "/Reports", body })];
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
