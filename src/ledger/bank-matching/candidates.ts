/** Match candidates of a single line; decisions across lines are in `match.ts`. */

import { smallestAmount } from "../../resources/common.ts";
import { compareText } from "../../wire/fold.ts";
import { type DateText, dayNumber } from "../dates/calendar.ts";
import type { Cents } from "../money.ts";
import {
  amountKey,
  type BookIndex,
  compactCharsMin,
  type IndexedDocument,
  type IndexedTransaction,
  nearDate,
  type OwnLine,
} from "./book-index.ts";
import { accountKey } from "./creditor-references.ts";
import type { Evidence, Obstacle } from "./evidence.ts";
import type { LineFacts } from "./line-facts.ts";
import { learntText, ruleFinder, splitAmounts } from "./line-rules.ts";
import type { BookTransaction, MatchAction, RuleOutcome, StatementLine } from "./matching-types.ts";
import { compactText, hasPrefix, type NumberToken } from "./numbers.ts";

/** Days around a line in which book transactions and own transfers are candidates. */
export const transactionDaysMax = 5;
/**
 * Maximum days before its line of a transaction whose number the line names: a cheque may be
 * presented late.
 */
const namedDaysMax = 183;
/** Maximum suggested records with the same amount, the nearest days first. */
const sameAmountMax = 10;
/** Maximum transactions of the same amount and days that are compared with each other. */
const nearMax = 64;

export interface Candidate {
  readonly action: MatchAction;
  readonly evidence: Evidence[];
  readonly obstacles: Set<Obstacle>;
  /** Documents that the candidate pays. */
  readonly documents: readonly IndexedDocument[];
  /** The transaction that the candidate reconciles. */
  readonly transaction?: IndexedTransaction | undefined;
  /**
   * Whether the amount is exact and supported by contact, number or digits, whatever the obstacles.
   */
  readonly isLikely: boolean;
}

export const daysFrom = (date: DateText, line: DateText): number =>
  dayNumber(line) - dayNumber(date);

/** Whether a line may concern a contact: nothing points to another one. */
export const mayConcern = (lineFacts: LineFacts, contactId: string | undefined): boolean =>
  lineFacts.contactId === undefined || contactId === undefined || lineFacts.contactId === contactId;

/** Evidence for a contact: its bank account, its name, or earlier accepted lines. */
export function contactEvidence(
  { contacts }: BookIndex,
  lineFacts: LineFacts,
  contactId: string | undefined,
): Evidence[] {
  const contact = contactId === undefined ? undefined : contacts.get(contactId);
  if (contact === undefined) return [];
  const evidence: Evidence[] = [];
  const { learntContact, scores } = lineFacts;
  if (lineFacts.isKnownAccount && lineFacts.contactId === contactId) {
    evidence.push({ code: "otherAccount", contact: contact.name });
  }
  const percent = Math.round(
    100 * (scores.find((score) => score.contactId === contactId)?.score ?? 0),
  );
  if (percent >= 25) evidence.push({ code: "name", contact: contact.name, percent });
  if (learntContact !== undefined && learntContact.contactId === contactId) {
    evidence.push({ code: "learntContact", contact: contact.name, count: learntContact.count });
  }
  return evidence;
}

/** Obstacles of any candidate with this contact. */
export function contactObstacles(
  { contacts }: BookIndex,
  lineFacts: LineFacts,
  contactId: string | undefined,
): Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (lineFacts.isContactDisputed || !mayConcern(lineFacts, contactId)) obstacles.push("contact");
  if (contactId !== undefined && contacts.get(contactId)?.isArchived === true)
    obstacles.push("archived");
  return obstacles;
}

const dateOfTransaction = ({ transaction }: IndexedTransaction): DateText => transaction.date;

/** Book transactions with the amount of the line, at most five days away. */
export const transactionsNear = (
  { transactionsByAmount }: BookIndex,
  { line }: LineFacts,
): readonly IndexedTransaction[] =>
  nearDate(transactionsByAmount.get(line.amount), line.date, transactionDaysMax, dateOfTransaction);

/**
 * Of many transactions with one amount, those the line may be: with its numbers, of its contact, or
 * without contact. The others are neither candidates nor obstacles.
 * @param contacts  possible contacts of the line
 */
export function transactionsInQuestion(
  index: BookIndex,
  facts: LineFacts,
  contacts: readonly (string | undefined)[],
): readonly IndexedTransaction[] {
  const { amount, date } = facts.line;
  const sameAmount = index.transactionsByAmount.get(amount) ?? [];
  if (sameAmount.length <= nearMax) return transactionsNear(index, facts);
  const digitKeys = new Set([...facts.tokens.map(({ digits }) => digits), ...facts.references]);
  const lists = [
    ...["", ...contacts].map((id) => index.transactionsByContact.get(amountKey(amount, id ?? ""))),
    ...Array.from(digitKeys, (key) => index.transactionsByNumber.get(amountKey(amount, key))),
  ];
  const nearby = lists.flatMap((list) =>
    nearDate(list, date, transactionDaysMax, dateOfTransaction).slice(0, nearMax),
  );
  return [...new Set(nearby)];
}

/**
 * Transactions with the amount of the line whose number or reference it names, dated before the
 * usual days.
 */
export function transactionsNamedEarlier(
  { transactionsByNumber }: BookIndex,
  lineFacts: LineFacts,
): readonly IndexedTransaction[] {
  const { amount, date } = lineFacts.line;
  const keys = new Set([...lineFacts.tokens.map(({ digits }) => digits), ...lineFacts.references]);
  const transactions = Array.from(keys, (key) =>
    nearDate(
      transactionsByNumber.get(amountKey(amount, key)),
      date,
      namedDaysMax,
      dateOfTransaction,
    ).filter(({ transaction }) => daysFrom(transaction.date, date) > transactionDaysMax),
  );
  return [...new Set(transactions.flat())]
    .filter((indexedTransaction) => signsOf(lineFacts, indexedTransaction).isNamed)
    .slice(0, sameAmountMax);
}

export function transactionCandidates(index: BookIndex, facts: LineFacts): Candidate[] {
  const nearby = transactionsInQuestion(index, facts, [facts.contactId]);
  const namedEarlier = transactionsNamedEarlier(index, facts);
  const indexedTransactions = [...nearby, ...namedEarlier];
  const signs = indexedTransactions.map((indexedTransaction) => signsOf(facts, indexedTransaction));
  return indexedTransactions
    .map((indexedTransaction, place): Candidate => {
      const { transaction } = indexedTransaction;
      const { isNamed, isOfContact, isExcluded, evidence } = signs[place] as TransactionSigns;
      const own = transferKey(transaction);
      const isRival = (otherSigns: TransactionSigns, at: number) =>
        at !== place &&
        at < nearby.length &&
        !otherSigns.isExcluded &&
        (own === undefined || own !== transferKey(indexedTransactions[at]?.transaction)) &&
        (isNamed ? otherSigns.isNamed : true);
      const obstacles = new Set([
        ...facts.obstacles,
        ...contactObstacles(index, facts, transaction.contactId),
      ]);
      if (!isNamed && !isOfContact && (own === undefined || isExcluded)) obstacles.add("evidence");
      if (place >= nearby.length) obstacles.add("days");
      const isHintedAtDocument = [...facts.hinted.keys()].some(
        ({ value }) => value === transaction.amount,
      );
      if (!isNamed && (isHintedAtDocument || namesOther(facts, []))) obstacles.add("number");
      if (signs.some(isRival)) obstacles.add("twin");
      if (!isNamed && hasOpen(index, transaction)) obstacles.add("document");
      const dayCount = daysFrom(transaction.date, facts.line.date);
      return {
        action: { kind: "reconcile", transactionId: transaction.id },
        evidence: [
          { code: "amount" },
          ...evidence,
          ...contactEvidence(index, facts, transaction.contactId),
          { code: "days", from: "transaction", days: dayCount },
        ],
        obstacles,
        documents: [],
        transaction: indexedTransaction,
        isLikely: isNamed || isOfContact,
      };
    })
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, sameAmountMax);
}

/**
 * Key of equal transfers: account, amount and reference; undefined for other transactions. Equal
 * ones differ only by day.
 */
export function transferKey(transaction: BookTransaction | undefined): string | undefined {
  return transaction?.transferAccountId === undefined
    ? undefined
    : JSON.stringify([transaction.transferAccountId, transaction.amount, transaction.reference]);
}

/** Whether the contact of a transaction has an open document of the same amount. */
function hasOpen({ groupsByContact }: BookIndex, { contactId, amount }: BookTransaction): boolean {
  const groups = contactId === undefined ? undefined : groupsByContact.get(contactId);
  return groups?.some((group) => group.countOf(amount) > 0) ?? false;
}

interface TransactionSigns {
  readonly isNamed: boolean;
  readonly isOfContact: boolean;
  /** Whether the transaction has another contact, or other numbers than the line names. */
  readonly isExcluded: boolean;
  readonly evidence: readonly Evidence[];
}

function signsOf(facts: LineFacts, { transaction, numbers }: IndexedTransaction): TransactionSigns {
  const hasNumber = (token: NumberToken, { digits, prefix }: (typeof numbers)[number]) =>
    token.digits === digits && (hasPrefix(token, prefix) || digits.length >= 6);
  const number = numbers.find((number) => facts.tokens.some((token) => hasNumber(token, number)));
  const reference = compactText(transaction.reference ?? "");
  const isReferenced = reference.length >= compactCharsMin && facts.references.includes(reference);
  const transfer = facts.ownAccounts.find(({ id }) => id === transaction.transferAccountId);
  const { contactId } = transaction;
  const isByNumber = number !== undefined || isReferenced;
  const evidence: Evidence[] = [];
  if (isReferenced) evidence.push({ code: "reference", reference: transaction.reference ?? "" });
  if (number !== undefined) evidence.push({ code: "number", number: number.text });
  if (transfer !== undefined) evidence.push({ code: "ownAccount", account: transfer.name });
  return {
    isNamed: isByNumber,
    isOfContact:
      transfer !== undefined || (contactId !== undefined && contactId === facts.contactId),
    isExcluded:
      !mayConcern(facts, contactId) ||
      (!isByNumber && numbers.length > 0 && namesOther(facts, [])) ||
      (transaction.transferAccountId !== undefined &&
        transfer === undefined &&
        facts.contactId !== undefined),
    evidence,
  };
}

/** Whether the line names a further document, or a number that is not open. */
export function namesOther(
  { named, namesUnknownNumber }: LineFacts,
  documents: readonly IndexedDocument[],
): boolean {
  return namesUnknownNumber || [...named.keys()].some((key) => !documents.includes(key));
}

const distance = ({ evidence }: Candidate): number => {
  const days = evidence.find((evidence) => evidence.code === "days");
  return days === undefined ? 0 : Math.abs(days.days);
};

/** Candidates from a bank rule, or from earlier lines with the same text. */
export function ruleCandidates(index: BookIndex, facts: LineFacts): Candidate[] {
  const { learntAccounts } = index;
  const { line } = facts;
  const { rule } = facts.rules;
  if (rule !== undefined) {
    const { outcome } = rule;
    const action: MatchAction | undefined =
      outcome.kind === "transfer"
        ? { kind: "transfer", accountId: outcome.accountId, ruleId: rule.id }
        : spendOrReceive(line, outcome, rule.id);
    const contactId = outcome.kind === "transaction" ? outcome.contactId : undefined;
    if (action !== undefined) {
      const obstacles = new Set(facts.obstacles);
      // A rule overrides the payee's name as evidence; an archived contact remains an obstacle.
      if (contactObstacles(index, facts, contactId).includes("archived")) obstacles.add("archived");
      if (rule.booked?.some((amount) => isLike(line.amount, amount)) === false) {
        obstacles.add("fixedAmount");
      }
      const evidence: Evidence[] = [{ code: "rule", rule: rule.name }];
      return [{ action, evidence, obstacles, documents: [], isLikely: true }];
    }
  }
  return (learntAccounts.get(learntText(line)) ?? [])
    .toSorted((a, b) => b.count - a.count || compareText(a.accountCode, b.accountCode))
    .map(({ accountCode, count }) => ({
      action: {
        kind: "spendOrReceive" as const,
        contactId: facts.contactId,
        shares: [{ accountCode, amount: line.amount }],
      },
      evidence: [{ code: "learntAccount" as const, accountCode, count }],
      obstacles: new Set([...facts.obstacles, "evidence" as const]),
      documents: [],
      isLikely: false,
    }));
}

/** Whether an amount differs from one that was booked by at most a tenth of that. */
const isLike = (amount: Cents, booked: Cents) => 10 * Math.abs(amount - booked) <= Math.abs(booked);

function spendOrReceive(
  { amount, currency }: StatementLine,
  { contactId, split }: Extract<RuleOutcome, { kind: "transaction" }>,
  ruleId: string,
): MatchAction | undefined {
  const shares = splitAmounts(amount, split, smallestAmount(currency));
  return shares === undefined ? undefined : { kind: "spendOrReceive", ruleId, contactId, shares };
}

/**
 * Candidates for transfers: the opposite line on an own account, or the account alone without such
 * a line.
 */
export function transferCandidates(index: BookIndex, lineFacts: LineFacts): Candidate[] {
  const { line, ownAccounts } = lineFacts;
  const opposite = ownLinesNear(index, line).filter((each) => each.line.currency === line.currency);
  const candidates = opposite.slice(0, sameAmountMax).map((own): Candidate => {
    const isOwnAccount =
      ownAccounts.includes(own.account) ||
      namesOwnAccount(index, own.line) ||
      isTransferHere(index, own);
    const obstacles = new Set(lineFacts.obstacles);
    if (!isOwnAccount) obstacles.add("evidence");
    if (opposite.length > 1 || !isUniqueForOwnLine(index, own.line)) obstacles.add("twin");
    if (ownAccounts.some((account) => account !== own.account)) obstacles.add("transfer");
    if ((own.line.flags ?? []).length > 0 || own.line.batch !== undefined) obstacles.add("return");
    const dayCount = daysFrom(own.line.date, line.date);
    return {
      action: { kind: "transfer", accountId: own.account.id, lineId: own.line.id },
      evidence: [
        { code: "amount" },
        ...(isOwnAccount ? [{ code: "ownAccount" as const, account: own.account.name }] : []),
        { code: "days", from: "line", days: dayCount },
      ],
      obstacles,
      documents: [],
      isLikely: isOwnAccount,
    };
  });
  const withoutLine = ownAccounts.filter(
    ({ id }) =>
      !candidates.some(({ action }) => action.kind === "transfer" && action.accountId === id),
  );
  return [
    ...candidates,
    ...withoutLine.map(
      ({ id, name }): Candidate => ({
        action: { kind: "transfer", accountId: id },
        evidence: [{ code: "ownAccount", account: name }],
        obstacles: new Set([...lineFacts.obstacles, "evidence"]),
        documents: [],
        isLikely: false,
      }),
    ),
  ];
}

function namesOwnAccount(
  { request }: BookIndex,
  line: { readonly text: string; readonly otherAccount?: string | undefined },
): boolean {
  const keys = request.account.numbers.map(accountKey).filter((key) => key.length >= 6);
  const lineTexts = [line.otherAccount ?? "", line.text].map(accountKey);
  return keys.some((key) => lineTexts.some((text) => text.includes(key)));
}

/** Whether a rule makes a line of another account a transfer with this account. */
function isTransferHere({ request }: BookIndex, { account, line }: OwnLine): boolean {
  const outcome = ruleFinder(request.rules, account.id)(line).rule?.outcome;
  return outcome?.kind === "transfer" && outcome.accountId === request.account.id;
}

type DatedAmount = Pick<StatementLine, "amount" | "date">;

/** Lines of own accounts with the opposite amount, at most five days away. */
const ownLinesNear = ({ ownLinesByAmount }: BookIndex, { amount, date }: DatedAmount) =>
  nearDate(ownLinesByAmount.get(-amount), date, transactionDaysMax, ({ line }) => line.date);

/**
 * Whether a line of another account has only one opposite line, in this account and all others.
 */
function isUniqueForOwnLine(index: BookIndex, line: DatedAmount): boolean {
  const { amount, date } = line;
  const sameAmount = index.linesByAmount.get(-amount);
  return (
    nearDate(sameAmount, date, transactionDaysMax, (statementLine) => statementLine.date).length +
      ownLinesNear(index, line).length ===
    1
  );
}
