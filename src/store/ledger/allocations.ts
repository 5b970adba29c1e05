/** Allocations of credits to invoices, with their amounts. Rows are never removed. */
import { sql } from "kysely";
import type { Cents } from "../../resources/decimal.ts";
import { insertNew, ownRows, rowsFor, updateRows } from "../operations/bulk.ts";
import { noteRemovedRows } from "../operations/effects.ts";
import type { Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

export interface StoredAllocation {
  readonly id: string;
  /** Id of the credit note, prepayment or overpayment. */
  readonly creditId: string;
  readonly invoiceId: string;
  /** Amount in the currency of credit and invoice. */
  readonly amount: Cents;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Reduction of the remaining credit and of the amount due, in the base currency. */
  readonly creditBase: Cents;
  readonly invoiceBase: Cents;
}

/**
 * Adds allocations.
 * @param at  time of the write in milliseconds since 1970 UTC
 */
export async function addAllocations(
  tx: Tx,
  allocations: readonly StoredAllocation[],
  at: number,
): Promise<void> {
  const rows = allocations.map((allocation) => ({
    id: allocation.id,
    credit_id: allocation.creditId,
    invoice_id: allocation.invoiceId,
    amount: allocation.amount,
    date: allocation.date,
    credit_base: allocation.creditBase,
    invoice_base: allocation.invoiceBase,
    status: "AUTHORISED",
    created_at: at,
  }));
  await insertNew(tx, "allocation", rows);
}

/** A live allocation with the displayed fields of its credit and its invoice. */
export interface ShownAllocation extends StoredAllocation {
  readonly creditType: string;
  readonly creditNumber: string | undefined;
  readonly creditDate: string;
  readonly creditTotal: Cents;
  readonly invoiceNumber: string | undefined;
}

type AllocationRow = Tables["allocation"] & {
  readonly credit_type: string;
  readonly credit_number: string | null;
  readonly credit_date: string;
  readonly credit_total: number;
  readonly invoice_number: string | null;
};

/** Live allocations that have one of the documents as credit or as invoice, the earliest first. */
export async function allocationsOf(
  tx: Tx,
  by: "credit" | "invoice",
  documentIds: readonly string[],
): Promise<ShownAllocation[]> {
  const column = sql.raw(by === "credit" ? "a.credit_id" : "a.invoice_id");
  const rows = await rowsFor(documentIds, (ids) =>
    sql<AllocationRow>`
      select a.*, c.type as credit_type, c.number as credit_number, c.date as credit_date,
        c.total as credit_total, i.number as invoice_number
      from allocation as a
      join document as c on c.org = a.org and c.id = a.credit_id
      join document as i on i.org = a.org and i.id = a.invoice_id
      where a.org = ${tx.org} and ${column} in (${sql.join(ids)}) and a.status = 'AUTHORISED'
      order by a.date, a.created_at, a.id`.execute(tx.db),
  );
  return rows.map(shownAllocation);
}

function allocationFrom(row: Tables["allocation"]): StoredAllocation {
  return {
    id: row.id,
    creditId: row.credit_id,
    invoiceId: row.invoice_id,
    amount: row.amount as Cents,
    date: row.date,
    creditBase: row.credit_base as Cents,
    invoiceBase: row.invoice_base as Cents,
  };
}

function shownAllocation(row: AllocationRow): ShownAllocation {
  return {
    ...allocationFrom(row),
    creditType: row.credit_type,
    creditNumber: row.credit_number ?? undefined,
    creditDate: row.credit_date,
    creditTotal: row.credit_total as Cents,
    invoiceNumber: row.invoice_number ?? undefined,
  };
}

/** A stored allocation, possibly deleted. */
export interface KeptAllocation extends StoredAllocation {
  readonly isLive: boolean;
}

/**
 * All allocations, deleted ones included, that have one of the documents as credit or as invoice.
 */
export async function keptAllocationsOf(
  tx: Tx,
  by: "credit" | "invoice",
  documentIds: readonly string[],
): Promise<KeptAllocation[]> {
  const rows = await rowsFor(documentIds, (ids) =>
    ownRows(tx, "allocation").selectAll().where(`${by}_id`, "in", ids).execute(),
  );
  return rows.map((row) => ({ ...allocationFrom(row), isLive: row.status === "AUTHORISED" }));
}

/** Marks an allocation as deleted: the row stays and no longer counts. */
export async function endAllocation(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<Tables["allocation"]>`
    select * from allocation where org = ${tx.org} and id = ${id}`.execute(tx.db);
  noteRemovedRows(
    tx,
    "allocation",
    rows.map((row) => [row.id, row.credit_id, row.invoice_id, row.amount, row.date]),
  );
  await updateRows(tx, "allocation", { status: "DELETED" }, sql`id = ${id}`);
}
