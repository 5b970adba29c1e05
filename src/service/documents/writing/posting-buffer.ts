/**
 * Postings of a batch of documents: journals, stock movements, and the resulting stock.
 *
 * Each document is staged first, and committed only if nothing refused it, so that a sale without
 * stock leaves no trace in the batch.
 */

import type { DocumentType, SystemAccounts } from "../../../ledger/documents/document-kinds.ts";
import { isDescriptionOnly } from "../../../ledger/documents/totals.ts";
import {
  emptyStock,
  moveAt,
  purchase,
  returnIn,
  returnToSupplier,
  reversePurchase,
  reverseSale,
  type Stock,
  stockQuantity,
  takeOutSale,
} from "../../../ledger/inventory.ts";
import { type Journal, type PostedJournal, reversalJournal } from "../../../ledger/journal.ts";
import { type Smallest, toBase } from "../../../ledger/money.ts";
import {
  approvalJournals,
  type DocumentFacts,
  type DocumentLineFacts,
  type InventoryFacts,
  lineBase,
} from "../../../ledger/postings/posting.ts";
import { smallestAmount } from "../../../resources/common.ts";
import type { Cents, Quantity } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { idOf } from "../../../resources/field.ts";
import { item } from "../../../resources/index.ts";
import type { Item } from "../../../resources/item.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import { appendJournals } from "../../../store/ledger/journals.ts";
import { addMoves, type Move, type NewMove, netMoves } from "../../../store/ledger/stock-moves.ts";
import { save } from "../../../store/mapping/records.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import type { Chart } from "../../lookups/chart-of-accounts.ts";
import type { RequestContext } from "../../request/context.ts";
import { ledgerLine } from "../coding.ts";
import { kindOf } from "../document-registry.ts";
import { numberOf, type StoredDocument } from "../stored-documents.ts";
import type { ReturnedGoods, StockMoved } from "./returned-goods.ts";

/** Items by folded code, one object each. */
type Items = ReadonlyMap<string, Item>;

export class PostingBuffer {
  readonly #returned: ReturnedGoods;
  readonly #journals: Journal[] = [];
  readonly #moves: NewMove[] = [];
  readonly #moved = new Map<string, Item>();

  constructor(returned: ReturnedGoods) {
    this.#returned = returned;
  }

  stage(itemByCode: Items): Stage {
    return new Stage(itemByCode, this.#returned, (journals, newMoves, stockByCode) => {
      this.#journals.push(...journals);
      this.#moves.push(...newMoves);
      for (const [code, stock] of stockByCode) {
        const item = itemByCode.get(code);
        if (item === undefined) continue;
        item.QuantityOnHand = stock.quantity;
        item.TotalCostPool = stock.pool;
        this.#moved.set(item.ItemID, item);
      }
    });
  }

  async keep(tx: Tx, call: RequestContext): Promise<void> {
    if (this.#journals.length > 0) {
      await appendJournals(tx, this.#journals, call.now(), call.newId);
    }
    if (this.#moves.length > 0) {
      await addMoves(
        tx,
        this.#moves.map((move) => ({ ...move, id: call.newId(), at: call.now() })),
      );
    }
    if (this.#moved.size > 0) await save(tx, item, [...this.#moved.values()]);
  }
}

type Commit = (
  journals: readonly Journal[],
  moves: readonly NewMove[],
  stockByCode: ReadonlyMap<string, Stock>,
) => void;

class Stage {
  readonly #items: Items;
  readonly #returned: ReturnedGoods;
  readonly #commit: Commit;
  readonly #journals: Journal[] = [];
  readonly #moves: NewMove[] = [];
  readonly #stocks = new Map<string, Stock>();

  /** The document's former stock movements, reversed: an edit may take the same goods back. */
  #before: readonly StockMoved[] = [];

  constructor(itemByCode: Items, returned: ReturnedGoods, commit: Commit) {
    this.#items = itemByCode;
    this.#returned = returned;
    this.#commit = commit;
  }

  /**
   * Posts an approved document.
   *
   * @returns the amount on the control account, in the base currency
   * @throws RefusedError for lack of stock of a tracked item
   */
  approve(document: StoredDocument, chart: Chart): Cents {
    const documentFacts = factsOf(document, chart, this.#items);
    const lines = documentFacts.lines.map((line) =>
      this.#moveStock(documentFacts, line, document.Source, chart.base),
    );
    this.#journals.push(...approvalJournals({ ...documentFacts, lines }, systemAccounts(chart)));
    return owedInBase(document, chart);
  }

  /**
   * Reverses the postings of a document, at the costs they had.
   *
   * @throws RefusedError for lack of stock
   */
  reverse(documentId: string, journals: readonly PostedJournal[], moves: readonly Move[]): void {
    for (const move of netMoves(moves)) {
      const item = [...this.#items.values()].find((item) => item.ItemID === move.itemId);
      if (item === undefined) throw new Error(`Item ${move.itemId} of a document is not loaded.`);
      const quantity = Math.abs(move.quantity) as Quantity;
      const cost = Math.abs(move.cost) as Cents;
      const stock = this.#stockOf(item);
      const remaining =
        move.quantity > 0
          ? reversePurchase(stock, quantity, cost, item.Code)
          : reverseSale(stock, quantity, cost, item.Code);
      this.#stocks.set(fold(item.Code), remaining);
      this.#moves.push({ ...invertMove(move), documentId });
    }
    this.#journals.push(...journals.map(reversalJournal));
  }

  /**
   * Reverses the journals of an approved document and posts new ones.
   *
   * Incoming goods come first: a purchase is posted before the old one is reversed, and a sale
   * after, so that an edit needs no more stock than its result.
   *
   * @returns the amount on the control account, in the base currency
   */
  replace(
    document: StoredDocument,
    chart: Chart,
    liveJournals: readonly PostedJournal[],
    moves: readonly Move[],
  ): Cents {
    const id = idOf(kindOf(document).resource, document);
    if (stockMoves[typeOf(document)]?.direction === 1) {
      this.#before = moves.map(invertMove);
      const amountDue = this.approve(document, chart);
      this.reverse(id, liveJournals, moves);
      return amountDue;
    }
    this.reverse(id, liveJournals, moves);
    return this.approve(document, chart);
  }

  /** @param source  source of the document */
  commit(source: StoredDocument["Source"]): void {
    if (source !== undefined) this.#returned.take(source, this.#moves);
    this.#commit(this.#journals, this.#moves, this.#stocks);
  }

  #stockOf(item: Item): Stock {
    return (
      this.#stocks.get(fold(item.Code)) ?? {
        quantity: item.QuantityOnHand ?? emptyStock.quantity,
        pool: item.TotalCostPool ?? emptyStock.pool,
      }
    );
  }

  /** Moves the goods of a tracked line; for a sale this determines its cost. */
  #moveStock(
    documentFacts: DocumentFacts,
    line: DocumentLineFacts,
    source: StoredDocument["Source"],
    baseCurrency: string,
  ): DocumentLineFacts {
    const { inventory } = line;
    if (inventory === undefined) return line;
    const item = [...this.#items.values()].find((item) => item.ItemID === inventory.itemId);
    if (item === undefined) throw new Error(`Item ${inventory.itemId} is not loaded.`);
    const { quantity } = inventory;
    const { smallest } = documentFacts.rate;
    const pending = [...this.#moves, ...this.#before];
    const atCost =
      source?.Type === "INVOICE"
        ? (inventory.cost ?? this.#returned.costOf(source, item, { quantity, smallest }, pending))
        : inventory.cost;
    const move = stockMoveOf(documentFacts.type);
    const { move: take, direction } = move;
    const net = lineBase(line, documentFacts.rate).net;
    const stockBefore = this.#stockOf(item);
    if (atCost !== undefined && move === bought) {
      throw refusal(
        "Stock",
        "A StockCost is of goods that are sold or returned; a purchase costs its net.",
      );
    }
    const { stock, cost } =
      atCost === undefined
        ? take(stockBefore, quantity, net, item, smallest)
        : {
            stock: moveAt(stockBefore, direction, quantity, atCost, item.Code, baseCurrency),
            cost: atCost,
          };
    this.#stocks.set(fold(item.Code), stock);
    this.#moves.push({
      documentId: documentFacts.id,
      itemId: item.ItemID,
      line: line.line,
      quantity: (direction * quantity) as Quantity,
      cost: (cost === 0 ? 0 : direction * cost) as Cents,
    });
    return { ...line, inventory: { ...inventory, cost } };
  }
}

interface StockMove {
  /** 1 where goods come in, −1 where they go out. */
  readonly direction: 1 | -1;
  /**
   * @param net  net amount of the line in base currency
   * @returns the remaining stock, and the cost of the moved goods, not negative
   */
  readonly move: (
    stock: Stock,
    quantity: Quantity,
    net: Cents,
    item: Item,
    smallest: Smallest,
  ) => { readonly stock: Stock; readonly cost: Cents };
}

const sold: StockMove = {
  direction: -1,
  move: (stock, quantity, _net, { Code }, smallest) => takeOutSale(stock, quantity, smallest, Code),
};

const bought: StockMove = {
  direction: 1,
  move: (stock, quantity, net, { Code }) => ({
    stock: purchase(stock, quantity, net, Code),
    cost: net,
  }),
};

/**
 * The stock movement of each document type with a tracked item on a line; prepayments and
 * overpayments have no items.
 */
const stockMoves: Readonly<Partial<Record<DocumentType, StockMove>>> = {
  ACCREC: sold,
  ACCPAY: bought,
  CASHREC: sold,
  CASHPAID: bought,
  ACCRECCREDIT: {
    direction: 1,
    move: (stock, quantity, _net, { Code, PurchaseDetails }, smallest) =>
      returnIn(stock, quantity, PurchaseDetails?.UnitPrice, smallest, Code),
  },
  ACCPAYCREDIT: {
    direction: -1,
    move: (stock, quantity, net, { Code }) => returnToSupplier(stock, quantity, net, Code),
  },
};

function stockMoveOf(type: DocumentType): StockMove {
  const move = stockMoves[type];
  if (move === undefined) throw new Error(`A document of the kind ${type} names no items.`);
  return move;
}

const invertMove = <M extends StockMoved>(move: M): M => ({
  ...move,
  quantity: -move.quantity,
  cost: -move.cost,
});

/** Returns the ledger type of a document. @throws Error for a kind without postings */
function typeOf(document: StoredDocument): DocumentType {
  const { posts } = kindOf(document);
  if (posts === undefined) throw new Error(`A ${document.Type} posts nothing.`);
  return posts;
}

/** Returns the amount of an approved document on its control account, in the base currency. */
export function owedInBase(document: StoredDocument, chart: Chart): Cents {
  const exchange = chart.exchange(document.CurrencyRate);
  const withheld = toBase(document.CISDeduction ?? (0 as Cents), exchange);
  return (toBase(document.Total, exchange) - withheld) as Cents;
}

/** Converts a document to the facts that the ledger posts. */
export function factsOf(document: StoredDocument, chart: Chart, itemByCode: Items): DocumentFacts {
  const { resource } = kindOf(document);
  const unit = smallestAmount(document.CurrencyCode);
  return {
    id: idOf(resource, document),
    type: typeOf(document),
    // An expense claim has its day by another name.
    date: document.ReportingDate ?? document.Date,
    rate: chart.exchange(document.CurrencyRate),
    reference:
      resource.document.number === undefined ? document.Reference : numberOf(resource, document),
    bank: document.BankAccount?.AccountID,
    isForeign: document.LastSettled !== undefined,
    withheld: document.CISDeduction,
    lines: document.LineItems.flatMap((line, index) => {
      if (isDescriptionOnly(line)) return [];
      const posted = ledgerLine(line, index, document.LineAmountTypes, chart, unit);
      return { ...posted, inventory: inventoryOf(line, itemByCode, chart) };
    }),
  };
}

function inventoryOf(line: LineItem, itemByCode: Items, chart: Chart): InventoryFacts | undefined {
  const item = line.ItemCode === undefined ? undefined : itemByCode.get(fold(line.ItemCode));
  // A new item may have the code of a deleted one, which the line still refers to.
  if (item?.IsTrackedAsInventory !== true || item.ItemID !== line.Item?.ItemID) return undefined;
  return {
    itemId: item.ItemID,
    quantity: stockQuantity(line.Quantity ?? (0 as Quantity), item.Code),
    cost: line.StockCost,
    asset: chart.account(item.InventoryAssetAccountCode ?? "")?.AccountID ?? "",
    costOfSales: chart.account(item.PurchaseDetails?.COGSAccountCode ?? "")?.AccountID ?? "",
  };
}

export function systemAccounts(chart: Chart): SystemAccounts {
  const ids: Record<string, string> = {};
  for (const account of chart.accounts) {
    if (account.SystemAccount) ids[account.SystemAccount] = account.AccountID;
  }
  return ids;
}

/**
 * Returns all inputs of a document's postings as one text: documents with equal texts post the
 * same.
 */
export function postingInputs(document: StoredDocument, lines: readonly LineItem[]): string {
  return JSON.stringify([
    document.Date,
    document.Contact?.ContactID,
    document.BankAccount?.AccountID,
    document.CurrencyCode,
    String(document.CurrencyRate),
    document.LineAmountTypes,
    document.CISDeduction ?? 0,
    lines.filter((line) => !isDescriptionOnly(line)).map(postedLine),
  ]);
}

function postedLine(line: LineItem) {
  return [
    line.AccountID,
    String(line.Quantity),
    line.LineAmount,
    line.TaxType,
    line.TaxAmount,
    line.ItemCode,
    (line.Tracking ?? []).map((record) => record.TrackingOptionID).sort(),
  ];
}

/** Returns the names of changed fields of a document, for the life cycle's check of edits. */
export function changedFields(
  former: StoredDocument,
  linesBefore: readonly LineItem[],
  document: StoredDocument,
): string[] {
  const changed: string[] = [];
  for (const name of [
    "Type",
    "Date",
    "CurrencyCode",
    "CurrencyRate",
    "LineAmountTypes",
    "Total",
  ] as const) {
    if (former[name] !== document[name]) changed.push(name);
  }
  if ((former.CISDeduction ?? 0) !== (document.CISDeduction ?? 0)) changed.push("CISDeduction");
  const money = (lines: readonly LineItem[]) => JSON.stringify(lines.map(postedLine));
  const words = (lines: readonly LineItem[]) =>
    JSON.stringify(lines.map((line) => line.Description));
  if (money(linesBefore) !== money(document.LineItems)) changed.push("LineItems");
  else if (words(linesBefore) !== words(document.LineItems)) changed.push("LineItems.Description");
  return changed;
}
