/** The context of a batch of documents, loaded with one query per kind. */

import { isApproved } from "../../../ledger/documents/lifecycle.ts";
import {
  nextNumber,
  numberValue,
  receiptSeries,
  type Series,
} from "../../../ledger/documents/numbering.ts";
import type { PostedJournal } from "../../../ledger/journal.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { type DocumentResource, idOf } from "../../../resources/field.ts";
import { contact, creditNote } from "../../../resources/index.ts";
import type { Item } from "../../../resources/item.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import { raiseSequence, sequenceOf, sequencesOf } from "../../../store/chain/sequences.ts";
import { journalCounters } from "../../../store/ledger/journals.ts";
import { liveJournals } from "../../../store/ledger/record-journals.ts";
import {
  type LaterSale,
  type Move,
  movesOf,
  salesAfter,
} from "../../../store/ledger/stock-moves.ts";
import { linesOf, saveLines } from "../../../store/mapping/line-items.ts";
import { save, saveNew } from "../../../store/mapping/records.ts";
import { type StoredTheme, themesOf } from "../../../store/records/branding.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import { type Chart, loadChart } from "../../lookups/chart-of-accounts.ts";
import { Currencies } from "../../lookups/currencies.ts";
import type { WriteItem, WriteRequest } from "../../request/endpoint.ts";
import type { Faults } from "../../request/faults.ts";
import { loadUses } from "../credit.ts";
import { kindOf, kindOfType, reservesNumber } from "../document-registry.ts";
import { paymentsOf } from "../expand.ts";
import type { DocumentKind } from "../kind.ts";
import {
  type ContactReference,
  type Contacts,
  loadContacts,
  loadItems,
  loadUsers,
  type Person,
} from "../load-references.ts";
import {
  hasCurrency,
  isLive,
  loadByNumber,
  numberOf,
  type StoredDocument,
} from "../stored-documents.ts";
import { PostingBuffer } from "./posting-buffer.ts";
import { ReturnedGoods } from "./returned-goods.ts";

export interface DocumentBatchContext {
  readonly resource: DocumentResource;
  readonly chart: Chart;
  readonly contacts: Contacts;
  readonly currencies: Currencies;
  readonly itemByCode: Map<string, Item>;
  readonly themes: readonly StoredTheme[];
  /** Current lines of the updated documents, by document id. */
  readonly linesById: ReadonlyMap<string, LineItem[]>;
  /** Journals that are not reversed, by document id. */
  readonly liveJournalsById: ReadonlyMap<string, PostedJournal[]>;
  readonly movesById: ReadonlyMap<string, Move[]>;
  /** Uses of prepayments and overpayments that prevent voiding, by their ids. */
  readonly usesById: ReadonlyMap<string, readonly string[]>;
  /** Number series; undefined for a resource without one. */
  readonly numbers: Numbers | undefined;
  /** Users of the documents, by id. */
  readonly userById: ReadonlyMap<string, Person>;
  /** Number series of each user, by user id. */
  readonly userNumbers: ReadonlyMap<string, Numbers>;
  /** Goods returned by credit notes of the batch. */
  readonly returned: ReturnedGoods;
  readonly posting: PostingBuffer;
  /** Posted sales of the batch's items on days after its earliest purchase. */
  readonly laterSales: readonly LaterSale[];
}

/** @param serial  kind of the resource with a number series */
export async function loadBatchContext(
  batch: WriteRequest<StoredDocument>,
  resource: DocumentResource,
  serial: DocumentKind | undefined,
): Promise<DocumentBatchContext> {
  const { tx, entries } = batch;
  const inputs = entries.map(({ input }) => input as Partial<StoredDocument>);
  const stored = entries.flatMap((entry) => entry.existing ?? []);
  const ids = stored.map((storedDocument) => idOf(resource, storedDocument));
  const postedIds = stored.filter(isPosted).map((storedDocument) => idOf(resource, storedDocument));
  const lines = ids.length === 0 ? new Map<string, LineItem[]>() : await linesOf(tx, ids);
  await showPayments(tx, resource, stored);
  const [contacts, chart, numbers, users] = await Promise.all([
    contactsOf(batch, [
      ...inputs.map((input) => input.Contact),
      ...stored.map((storedDocument) => ({ ContactID: storedDocument.Contact?.ContactID })),
    ]),
    loadChart(tx),
    serial && loadNumbers(tx, serial, inputs),
    loadUsers(
      tx,
      [...inputs, ...stored].map((document) => document.User),
    ),
  ]);
  const items = await loadItems(tx, [...inputs.map((input) => input.LineItems), ...lines.values()]);
  const credits = resource === creditNote ? [...inputs, ...stored] : [];
  const returned = await ReturnedGoods.load(
    tx,
    credits.map(({ Source }) => Source),
  );
  return {
    resource,
    chart,
    contacts,
    currencies: await loadCurrencies(batch, resource, contacts, chart),
    itemByCode: items,
    themes: await themesOf(tx),
    linesById: lines,
    liveJournalsById: Map.groupBy(
      postedIds.length === 0 ? [] : await liveJournals(tx, "source", postedIds),
      (journal) => journal.sourceId,
    ),
    movesById: postedIds.length === 0 ? new Map() : await movesOf(tx, postedIds),
    usesById: await loadUses(tx, stored),
    numbers,
    userById: users,
    userNumbers: await Numbers.loadEach(tx, receiptSeries, [...users.keys()]),
    returned,
    posting: new PostingBuffer(returned),
    laterSales: await findLaterSales(batch, items),
  };
}

/** Loads contacts; those named alone that are not there are made where the service does so. */
async function contactsOf(
  { call, tx }: WriteRequest<StoredDocument>,
  references: readonly (ContactReference | undefined)[],
): Promise<Contacts> {
  const contacts = await loadContacts(tx, references);
  if (call.makeContacts === undefined) return contacts;
  const nameByFolded = new Map<string, string>();
  for (const { ContactID, ContactNumber, Name } of references.flatMap((each) => each ?? [])) {
    if (ContactID || ContactNumber || !Name || contacts.find({ Name }) !== undefined) continue;
    nameByFolded.set(fold(Name), Name);
  }
  if (nameByFolded.size === 0) return contacts;
  await call.makeContacts({ call, tx }, [...nameByFolded.values()]);
  return loadContacts(tx, references);
}

/** Maximum number of later sales that are loaded. */
export const laterSalesMax = 1000;

/** Returns posted sales that are later than a purchase of the batch. */
async function findLaterSales(
  { tx, today, entries }: WriteRequest<StoredDocument>,
  itemByCode: ReadonlyMap<string, Item>,
): Promise<LaterSale[]> {
  const trackedItems = [...itemByCode.values()].filter((item) => item.IsTrackedAsInventory);
  const days = entries.flatMap(({ input, existing }) => {
    const sentDocument = input as Partial<StoredDocument>;
    const type = sentDocument.Type ?? existing?.Type ?? "";
    return isPurchase(kindOfType(type)) ? (sentDocument.Date ?? existing?.Date ?? today) : [];
  });
  const [first] = days.sort();
  if (trackedItems.length === 0 || first === undefined) return [];
  const ids = trackedItems.map(({ ItemID }) => ItemID);
  return salesAfter(tx, ids, first, laterSalesMax);
}

/** Whether documents of the kind bring goods into stock at their purchase price. */
export const isPurchase = (kind: DocumentKind | undefined) =>
  kind?.posts === "ACCPAY" || kind?.posts === "CASHPAID";

/** Returns the currency and date of each document after the write, to load exchange rates. */
function loadCurrencies(
  { call, tx, today, organisation, entries }: WriteRequest<StoredDocument>,
  resource: DocumentResource,
  contacts: Contacts,
  chart: Chart,
): Promise<Currencies> {
  const { BaseCurrency } = organisation;
  const pairs = entries.map(({ input, existing }) => {
    const sent = input as Partial<StoredDocument>;
    const buyer = contacts.find(sent.Contact ?? existing?.Contact);
    const bank = chart.account(sent.BankAccount?.AccountID || sent.BankAccount?.Code || "");
    return {
      currency:
        bank?.CurrencyCode ??
        sent.CurrencyCode ??
        existing?.CurrencyCode ??
        (hasCurrency(resource) ? buyer?.DefaultCurrency : undefined) ??
        BaseCurrency,
      date: sent.Date ?? existing?.Date ?? today,
    };
  });
  return Currencies.load(call, tx, BaseCurrency, pairs);
}

function isPosted({ Type, Status }: StoredDocument): boolean {
  // Sides of a bank transfer reach this code before they are refused.
  const kind = kindOfType(Type);
  return kind?.posts !== undefined && isApproved(kind.lifeCycle, Status);
}

/**
 * Sets the two statuses of a bank transaction, its own and its credit's: without a credit it
 * is settled at once. Both are voided together.
 */
function settleAtOnce(document: StoredDocument): void {
  const isSettled = kindOf(document).resource.document.open === undefined && isPosted(document);
  document.SettledStatus = isSettled ? "PAID" : document.Status;
  document.BankStatus = isLive(document) ? "AUTHORISED" : document.Status;
  document.RemainingCredit ??= 0 as Cents;
}

async function loadNumbers(
  tx: Tx,
  serial: DocumentKind,
  inputs: readonly object[],
): Promise<Numbers | undefined> {
  const { resource, series, numberTaken = "", deletedNumber = [numberTaken] } = serial;
  if (series === undefined) return undefined;
  // The sequences of document and journal numbers are locked together, in one query.
  if (serial.posts !== undefined)
    await sequencesOf(tx, [series.sequence, ...journalCounters("accrual")]);
  const numbers = inputs.map((input) => numberOf(resource, input));
  const documents = (await loadByNumber(tx, resource, numbers)).filter(
    (storedDocument) => kindOf(storedDocument) === serial && reservesNumber(storedDocument),
  );
  return Numbers.load(
    tx,
    series,
    numberTaken,
    documents.map((document) => ({
      number: numberOf(resource, document) ?? "",
      id: idOf(resource, document),
      taken: isLive(document) ? [numberTaken] : deletedNumber,
    })),
  );
}

async function showPayments(
  tx: Tx,
  resource: DocumentResource,
  storedDocuments: readonly StoredDocument[],
): Promise<void> {
  const paid = storedDocuments.filter((storedDocument) => storedDocument.AmountPaid !== 0);
  const paymentsById = await paymentsOf(
    tx,
    resource,
    paid.map((storedDocument) => idOf(resource, storedDocument)),
  );
  for (const document of paid) document.Payments = paymentsById.get(idOf(resource, document));
}

export async function saveBatch(
  { tx, call }: WriteRequest<StoredDocument>,
  context: DocumentBatchContext,
  decisions: readonly WriteItem<StoredDocument>[],
): Promise<void> {
  const { resource } = context;
  const records = decisions.flatMap((entry) => entry.record ?? []);
  for (const record of records) settleAtOnce(record);
  const existingIds = new Set(
    decisions.flatMap((entry) =>
      entry.existing === undefined ? [] : idOf(resource, entry.existing),
    ),
  );
  const isNew = (record: StoredDocument) => !existingIds.has(idOf(resource, record));
  await save(
    tx,
    resource,
    records.filter((record) => !isNew(record)),
  );
  await saveNew(tx, resource, records.filter(isNew));
  await saveLines(
    tx,
    records.filter(isLive).map((record) => ({
      id: idOf(resource, record),
      lines: record.LineItems,
      isNew: isNew(record),
    })),
  );
  await context.posting.keep(tx, call);
  await save(tx, contact, [...context.contacts.changed.values()]);
  await context.numbers?.keep(tx);
  for (const numbers of context.userNumbers.values()) await numbers.keep(tx);
}

/** A document that reserves a number. */
interface Holder {
  readonly id: string;
  /** Refusal of the number for another document. */
  readonly taken: readonly string[];
}

export class Numbers {
  readonly #series: Series;
  /** Holders by folded number. */
  readonly #holders: Map<string, Holder>;
  /** Refusal of a number that a live document has. */
  readonly #taken: readonly string[];
  /** The highest number in use. */
  #last: number;

  private constructor(series: Series, message: string, holders: Map<string, Holder>, last: number) {
    this.#series = series;
    this.#taken = [message];
    this.#holders = holders;
    this.#last = last;
  }

  /** @param stored  documents of the series with a number that is named in the batch */
  static async load(
    tx: Tx,
    series: Series,
    faultText: string,
    stored: readonly (Holder & { readonly number: string })[],
  ): Promise<Numbers> {
    const holderByNumber = new Map(stored.map((holder) => [fold(holder.number), holder]));
    return new Numbers(series, faultText, holderByNumber, await sequenceOf(tx, series.sequence));
  }

  /**
   * Loads the number series of several users, none of whose numbers a caller may choose.
   *
   * @param seriesOf  series by the id of the user
   */
  static async loadEach(
    tx: Tx,
    seriesOf: (id: string) => Series,
    ids: readonly string[],
  ): Promise<Map<string, Numbers>> {
    const seriesById = new Map(ids.map((id) => [id, seriesOf(id)]));
    const lastNumbers = await sequencesOf(
      tx,
      [...seriesById.values()].map(({ sequence }) => sequence),
    );
    return new Map(
      [...seriesById].map(([id, each]) => [
        id,
        new Numbers(each, "", new Map(), lastNumbers.get(each.sequence) ?? 0),
      ]),
    );
  }

  next(): string {
    return nextNumber(this.#series, this.#last);
  }

  /** Adds a fault where another document holds the number. */
  check(number: string, id: string, faults: Faults): void {
    const holder = this.#holders.get(fold(number));
    if (holder === undefined || holder.id === id) return;
    for (const message of holder.taken) faults.add("Unique", message);
  }

  take(number: string, id: string): void {
    this.#holders.set(fold(number), { id, taken: this.#taken });
    this.#last = Math.max(this.#last, numberValue(this.#series, number) ?? 0);
  }

  /** Releases the number of a voided document, so that a caller may use it again. */
  release(number: string, id: string): void {
    if (this.#holders.get(fold(number))?.id === id) this.#holders.delete(fold(number));
  }

  keep(tx: Tx): Promise<void> {
    return raiseSequence(tx, this.#series.sequence, this.#last);
  }
}
