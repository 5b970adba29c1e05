/**
 * Goods returned by a credit note for an invoice: valued at the cost of their sale, in proportion,
 * so that a complete return takes back the whole cost.
 */

import { type Smallest, share } from "../../../ledger/money.ts";
import { type Cents, type Quantity, shortDecimal } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { idOf } from "../../../resources/field.ts";
import { invoice } from "../../../resources/index.ts";
import type { Item } from "../../../resources/item.ts";
import { creditNotesFrom, type Move, movesOf } from "../../../store/ledger/stock-moves.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import type { Faults } from "../../request/faults.ts";
import { isLive, loadByNumber, numberOf, type StoredDocument } from "../stored-documents.ts";

/** The invoice that a credit note was made from. */
export type Sold = NonNullable<StoredDocument["Source"]>;

/** A stock movement; positive for incoming goods. */
export type StockMoved = Pick<Move, "itemId" | "quantity" | "cost">;

export class ReturnedGoods {
  /** Sales invoices named by credit notes, by their folded numbers. */
  readonly #invoices = new Map<string, StoredDocument>();
  /** Stock movements of sales and of their credit notes, by invoice id. */
  readonly #moved = new Map<string, StockMoved[]>();

  /** @param sources  sources of the credit notes of a batch, both as sent and as stored */
  static async load(tx: Tx, sources: readonly StoredDocument["Source"][]): Promise<ReturnedGoods> {
    const loaded = new ReturnedGoods();
    const numbers = sources.map((source) => source?.Number);
    for (const storedDocument of await loadByNumber(tx, invoice, numbers)) {
      if (storedDocument.Type !== "ACCREC" || !isLive(storedDocument)) continue;
      const id = idOf(invoice, storedDocument);
      loaded.#invoices.set(fold(numberOf(invoice, storedDocument) ?? ""), storedDocument);
      const credits = await creditNotesFrom(tx, id, storedDocument.Contact?.ContactID ?? "");
      loaded.#moved.set(id, [...(await movesOf(tx, [id, ...credits])).values()].flat());
    }
    return loaded;
  }

  /**
   * Returns the approved invoice with a number, for a credit note of the same contact; else adds a
   * fault.
   */
  resolve({ Type, Contact }: StoredDocument, number: string, faults: Faults): Sold | undefined {
    const document = this.#invoices.get(fold(number));
    if (Type !== "ACCRECCREDIT" || document === undefined) {
      faults.add(
        "Stock",
        `Credit notes to customers are made from sales invoices; ${number} is none.`,
      );
    } else if (document.Status !== "AUTHORISED" && document.Status !== "PAID") {
      faults.add(
        "Form",
        `${number} is ${document.Status}: a credit note is made from an approved invoice.`,
      );
    } else if (document.Contact?.ContactID !== Contact?.ContactID) {
      faults.add("OneContact", `${number} is of another contact than the credit note.`);
    } else {
      return {
        Type: "INVOICE",
        SourceID: idOf(invoice, document),
        Number: numberOf(invoice, document),
      };
    }
    return undefined;
  }

  /**
   * Returns the cost of returned goods.
   *
   * @param smallest  smallest unit of the base currency
   * @param pending  staged movements of the credit note
   * @throws RefusedError where more come back than were sold and not yet returned
   */
  costOf(
    { SourceID = "", Number: number = "" }: Sold,
    { ItemID, Code }: Item,
    { quantity, smallest }: { readonly quantity: Quantity; readonly smallest: Smallest },
    pending: readonly StockMoved[],
  ): Cents {
    const movedStock = [...(this.#moved.get(SourceID) ?? []), ...pending].filter(
      ({ itemId }) => itemId === ItemID,
    );
    const remaining = movedStock.reduce((sum, stockMoved) => sum - stockMoved.quantity, 0);
    const cost = movedStock.reduce((sum, stockMoved) => sum - stockMoved.cost, 0);
    if (quantity > remaining) {
      const quantity = shortDecimal(remaining, 4);
      throw refusal(
        "Stock",
        `Of item '${Code}' ${quantity} can come back from ${number}, not more; other goods need a credit note of their own.`,
      );
    }
    return quantity === remaining ? (cost as Cents) : share(cost, quantity, remaining, smallest);
  }

  take({ SourceID = "" }: Sold, stockMoves: readonly StockMoved[]): void {
    this.#moved.get(SourceID)?.push(...stockMoves);
  }
}
