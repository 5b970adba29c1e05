/**
 * Index of the book's records by the data of a statement line: amount, number, reference, bank
 * account and name.
 *
 * Records are first sorted, so that the order of the request does not affect the result.
 */
import { compareText } from "../../wire/fold.ts";
import { addDays, type DateText } from "../dates/calendar.ts";
import { controlOf, isMoneyMoved, onSide, paymentSideOf } from "../documents/document-kinds.ts";
import type { Cents } from "../money.ts";
import { accountKey } from "./creditor-references.ts";
import { type LineRules, ruleFinder } from "./line-rules.ts";
import type {
  BookTransaction,
  LearntFact,
  MatchContact,
  MatchRequest,
  OpenDocument,
  OpenDocumentType,
  OwnAccount,
  StatementLine,
} from "./matching-types.ts";
import { type NameRanking, nameRanking } from "./names.ts";
import { compactText, type DocumentNumber, documentNumber } from "./numbers.ts";
import { type SumSearch, sumSearch } from "./sums.ts";

export interface IndexedDocument {
  readonly document: OpenDocument;
  /** Amount due, positive when its payment brings money in. */
  readonly value: Cents;
  readonly side: "sales" | "purchases";
  readonly number: DocumentNumber | undefined;
  readonly reference: DocumentNumber | undefined;
  readonly group: DocumentGroup;
}

/**
 * Open documents of a contact on one side and in one currency, which a single line may pay
 * together.
 */
export interface DocumentGroup {
  /** The documents, the oldest first. */
  readonly documents: IndexedDocument[];
  readonly search: SumSearch;
  /** The number of documents with a value. */
  readonly countOf: (value: Cents) => number;
  /**
   * The number of oldest documents whose sum is `sum`, the largest number when several fit; else 0.
   */
  readonly oldestWithSum: (sum: Cents) => number;
}

export interface IndexedTransaction {
  readonly transaction: BookTransaction;
  readonly numbers: readonly DocumentNumber[];
}

export interface OwnLine {
  readonly account: OwnAccount;
  readonly line: StatementLine;
}

export interface BookIndex {
  readonly request: MatchRequest;
  /** Documents in the account's currency, by value. */
  readonly byValue: ReadonlyMap<number, readonly IndexedDocument[]>;
  /** Documents in other currencies, by currency and value. */
  readonly byForeignValue: ReadonlyMap<string, readonly IndexedDocument[]>;
  /** Documents by the digits of number or reference, of all groups and of the last group. */
  readonly byDigits: ReadonlyMap<string, readonly IndexedDocument[]>;
  /** Documents by compact number or reference (letters and digits only). */
  readonly byCompact: ReadonlyMap<string, readonly IndexedDocument[]>;
  readonly groupsByContact: ReadonlyMap<string, readonly DocumentGroup[]>;
  /** Letter prefixes of document numbers, of two letters or more. */
  readonly prefixes: ReadonlySet<string>;
  readonly contacts: ReadonlyMap<string, MatchContact>;
  readonly contactsByAccount: ReadonlyMap<string, readonly string[]>;
  readonly learntContacts: ReadonlyMap<string, readonly LearntContact[]>;
  readonly learntAccounts: ReadonlyMap<string, readonly LearntAccount[]>;
  readonly rankNames: NameRanking;
  readonly rulesOf: (line: StatementLine) => LineRules;
  readonly transactionsByAmount: ReadonlyMap<number, readonly IndexedTransaction[]>;
  /** Transactions by `amountKey` with the contact id, empty for none. */
  readonly transactionsByContact: ReadonlyMap<string, readonly IndexedTransaction[]>;
  /** Transactions by `amountKey` with the digits of a number, or the compact reference. */
  readonly transactionsByNumber: ReadonlyMap<string, readonly IndexedTransaction[]>;
  readonly linesByAmount: ReadonlyMap<number, readonly StatementLine[]>;
  readonly ownAccounts: readonly OwnAccount[];
  readonly ownAccountsByNumber: ReadonlyMap<string, OwnAccount>;
  readonly ownLinesByAmount: ReadonlyMap<number, readonly OwnLine[]>;
}

export type LearntContact = Extract<LearntFact, { kind: "contact" }>;
export type LearntAccount = Extract<LearntFact, { kind: "account" }>;

/** Minimum lines behind a learnt fact before it is used for suggestions. */
const learntCountMin = 2;
/** Minimum characters of a compact text that counts as a reference. */
export const compactCharsMin = 5;

function sideOf(type: OpenDocumentType): "sales" | "purchases" {
  if (isMoneyMoved(type)) return type.startsWith("AR") ? "sales" : "purchases";
  return controlOf(type) === "DEBTORS" ? "sales" : "purchases";
}

export function bookIndex(request: MatchRequest): BookIndex {
  const documents = indexedDocuments(request.documents);
  const byDate = <T extends { readonly id: string; readonly date: string }>(all: readonly T[]) =>
    [...all].sort((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  const { currency } = request.account;
  const isHome = ({ document }: IndexedDocument) => document.currency === currency;
  const numbersOf = (document: IndexedDocument) => [document.number, document.reference];
  const learnt = request.learnt.filter(({ count }) => count >= learntCountMin);
  const transactions = byDate(request.transactions).map(indexedTransaction);
  const ownAccounts = [...request.ownAccounts].sort((a, b) => compareText(a.id, b.id));
  return {
    request,
    byValue: indexBy(documents.filter(isHome), ({ value }) => [value]),
    byForeignValue: indexBy(
      documents.filter((document) => !isHome(document)),
      (indexedDocument) => [`${indexedDocument.document.currency} ${indexedDocument.value}`],
    ),
    byDigits: indexBy(documents, (document) =>
      numbersOf(document).flatMap((number) => (number ? [number.digits, number.last] : [])),
    ),
    byCompact: indexBy(documents, ({ document }) =>
      [document.number, document.reference].flatMap((text) => compactKeys(text)),
    ),
    groupsByContact: indexBy([...new Set(documents.map(({ group }) => group))], ({ documents }) =>
      documents.slice(0, 1).map(({ document }) => document.contactId),
    ),
    prefixes: new Set(
      documents.flatMap(({ number }) =>
        number !== undefined && number.prefix.length >= 2 ? [number.prefix] : [],
      ),
    ),
    contacts: new Map(request.contacts.map((contact) => [contact.id, contact])),
    contactsByAccount: new Map(
      [...indexBy(request.contacts, ({ accounts = [] }) => accounts.map(accountKey))].map(
        ([account, contacts]) => [account, contacts.map(({ id }) => id)],
      ),
    ),
    learntContacts: indexBy(
      learnt.filter((fact) => fact.kind === "contact"),
      ({ otherAccount }) => [accountKey(otherAccount)],
    ),
    learntAccounts: indexBy(
      learnt.filter((fact) => fact.kind === "account"),
      ({ text }) => [text],
    ),
    rankNames: nameRanking(request.contacts),
    rulesOf: ruleFinder(request.rules, request.account.id),
    transactionsByAmount: indexBy(transactions, ({ transaction }) => [transaction.amount]),
    transactionsByContact: indexBy(transactions, ({ transaction: { amount, contactId } }) => [
      amountKey(amount, contactId ?? ""),
    ]),
    transactionsByNumber: indexBy(transactions, ({ transaction, numbers }) =>
      [...numbers.map(({ digits }) => digits), ...compactKeys(transaction.reference)].map((key) =>
        amountKey(transaction.amount, key),
      ),
    ),
    linesByAmount: indexBy(byDate(request.lines), ({ amount }) => [amount]),
    ownAccounts,
    ownAccountsByNumber: new Map(
      ownAccounts.flatMap((account) =>
        account.numbers.map((number) => [accountKey(number), account] as const),
      ),
    ),
    ownLinesByAmount: indexBy(
      ownAccounts
        .flatMap((account) => byDate(account.lines).map((line) => ({ account, line })))
        .sort((a, b) => compareText(a.line.date, b.line.date)),
      ({ line }) => [line.amount],
    ),
  };
}

function indexedDocuments(documents: readonly OpenDocument[]): IndexedDocument[] {
  const groupByKey = new Map<string, DocumentGroup>();
  const sortedOnes = [...documents].sort(
    (a, b) =>
      compareText(a.date, b.date) ||
      compareText(a.number ?? "", b.number ?? "") ||
      compareText(a.id, b.id),
  );
  return sortedOnes.map((document) => {
    const direction = sideOf(document.type);
    const key = `${direction} ${document.currency} ${document.contactId}`;
    const group = groupByKey.get(key) ?? emptyGroup();
    groupByKey.set(key, group);
    const indexedDocument: IndexedDocument = {
      document,
      value: onSide(paymentSideOf(document.type), document.due),
      side: direction,
      number: document.number === undefined ? undefined : documentNumber(document.number),
      reference: document.reference === undefined ? undefined : documentNumber(document.reference),
      group,
    };
    group.documents.push(indexedDocument);
    return indexedDocument;
  });
}

/** An empty group; its look-ups are built at first use, since most contacts are never searched. */
function emptyGroup(): DocumentGroup {
  const documents: IndexedDocument[] = [];
  const search = lazyValue(() => sumSearch(documents.map(({ value }) => value)));
  const counts = lazyValue(() => {
    const byValue = new Map<number, number>();
    for (const { value } of documents) byValue.set(value, (byValue.get(value) ?? 0) + 1);
    return byValue;
  });
  const oldest = lazyValue(() => {
    const bySum = new Map<number, number>();
    let sum = 0;
    for (const [place, { value }] of documents.entries()) {
      sum += value;
      bySum.set(sum, place + 1);
    }
    return bySum;
  });
  return {
    documents,
    search: (targetSum) => search()(targetSum),
    countOf: (value) => counts().get(value) ?? 0,
    oldestWithSum: (sum) => oldest().get(sum) ?? 0,
  };
}

function lazyValue<T extends object>(compute: () => T): () => T {
  let computed: T | undefined;
  return () => {
    computed ??= compute();
    return computed;
  };
}

function indexedTransaction(transaction: BookTransaction): IndexedTransaction {
  const numbers = (transaction.numbers ?? []).map(documentNumber);
  return { transaction, numbers: numbers.filter((number) => number !== undefined) };
}

function compactKeys(text: string | undefined): string[] {
  const compact = text === undefined ? "" : compactText(text);
  return compact.length >= compactCharsMin && /\d/.test(compact) ? [compact] : [];
}

/** Groups values by each of their keys, without duplicates, in the order of the values. */
function indexBy<K, V>(
  values: readonly V[],
  keysOf: (value: V) => readonly K[],
): Map<K, readonly V[]> {
  const valuesByKey = new Map<K, V[]>();
  for (const value of values) {
    for (const key of new Set(keysOf(value))) {
      const sameKey = valuesByKey.get(key);
      if (sameKey === undefined) valuesByKey.set(key, [value]);
      else sameKey.push(value);
    }
  }
  return valuesByKey;
}

export const amountKey = (amount: Cents, key: string): string => `${amount} ${key}`;

/** The records within a number of days before and after a date, from records sorted by date. */
export function nearDate<T>(
  records: readonly T[] | undefined,
  date: DateText,
  dayCount: number,
  dateOf: (record: T) => DateText,
): readonly T[] {
  if (records === undefined) return [];
  const startIndex = placeOfDate(records, addDays(date, -dayCount), dateOf);
  return records.slice(startIndex, placeOfDate(records, addDays(date, dayCount + 1), dateOf));
}

/** The index of the first record on or after a date, in records sorted by date. */
export function placeOfDate<T>(
  records: readonly T[],
  date: DateText,
  dateOf: (record: T) => DateText,
): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (dateOf(records[middleIndex] as T) < date) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}
