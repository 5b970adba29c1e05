/** Stock moves of tracked items. Append-only: a void adds the opposite move. */

import { sql } from "kysely";
import type { Cents, Quantity } from "../../resources/decimal.ts";
import { insertNew, keyLists, ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface Move {
  /** Id that sorts by time, the order in which moves are read. */
  readonly id: string;
  readonly itemId: string;
  readonly documentId: string;
  /** Index of the document line, from 0. */
  readonly line?: number | undefined;
  /** Quantity, positive for stock coming in. */
  readonly quantity: Quantity;
  /** Cost in base currency, with the sign of the quantity. */
  readonly cost: Cents;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** A move to be added; its id and time are assigned then. */
export type NewMove = Omit<Move, "id" | "at">;

export async function addMoves(tx: Tx, stockMoves: readonly Move[]): Promise<void> {
  await insertNew(
    tx,
    "inventory_move",
    stockMoves.map(({ id, itemId, documentId, line, quantity, cost, at }) => {
      return { id, item_id: itemId, document_id: documentId, line, quantity, cost, at };
    }),
  );
}

/** Stock moves by document, in the order made; documents without moves are left out of the map. */
export async function movesOf(
  tx: Tx,
  documentIds: readonly string[],
): Promise<Map<string, Move[]>> {
  const movesByDocument = new Map<string, Move[]>();
  for (const ids of keyLists(documentIds)) {
    const rows = await ownRows(tx, "inventory_move", { document_id: ids })
      .selectAll()
      .orderBy("id")
      .execute();
    for (const row of rows) {
      const move: Move = {
        id: row.id,
        itemId: row.item_id,
        documentId: row.document_id,
        ...(row.line === null ? {} : { line: row.line }),
        quantity: row.quantity as Quantity,
        cost: row.cost as Cents,
        at: row.at,
      };
      const movesOfDocument = movesByDocument.get(row.document_id);
      if (movesOfDocument === undefined) movesByDocument.set(row.document_id, [move]);
      else movesOfDocument.push(move);
    }
  }
  return movesByDocument;
}

/** Ids of a contact's credit notes that were made from an invoice, in any status. */
export async function creditNotesFrom(
  tx: Tx,
  invoiceId: string,
  contactId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from document
    where org = ${tx.org} and contact_id = ${contactId} and kind = 'CreditNote'
      and source like ${`%"${invoiceId}"%`}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

export interface LaterSale {
  /** ItemID. */
  readonly item: string;
  readonly document: string;
  readonly date: string;
}

/** Posted sales of items dated after a day, at most `max` of them. */
export async function salesAfter(
  tx: Tx,
  items: readonly string[],
  day: string,
  max: number,
): Promise<LaterSale[]> {
  const { rows } = await sql<LaterSale>`select distinct m.item_id as item, d.id as document, d.date
    from document as d
    join inventory_move as m on m.org = d.org and m.document_id = d.id
    where d.org = ${tx.org} and d.kind in ('Invoice', 'BankTransaction') and d.date > ${day}
      and d.type in ('ACCREC', 'RECEIVE') and d.status in ('AUTHORISED', 'PAID')
      and m.item_id in (${sql.join(items)})
    order by d.date, d.id limit ${sql.lit(max)}`.execute(tx.db);
  return rows;
}

/** Returns the stock movements of a document without pairs that cancel each other. */
export function netMoves(stockMoves: readonly Move[]): NewMove[] {
  const moveByKey = new Map<string, NewMove>();
  for (const { itemId, documentId, line, quantity, cost } of stockMoves) {
    const key = `${itemId}|${line}`;
    const netMove = moveByKey.get(key);
    moveByKey.set(key, {
      itemId,
      documentId,
      line,
      quantity: ((netMove?.quantity ?? 0) + quantity) as Quantity,
      cost: ((netMove?.cost ?? 0) + cost) as Cents,
    });
  }
  return [...moveByKey.values()].filter((move) => move.quantity !== 0);
}
