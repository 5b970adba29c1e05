/**
 * Matches bank statement lines with the book, all lines together.
 *
 * Evidence and obstacles of each suggestion are first found for every line by itself. Only then are
 * automatic decisions made: when two lines claim one record, neither gets it, so that the order of
 * lines and records has no influence. Transactions in the book precede rules and documents, because
 * a line that is one of them would otherwise be booked twice.
 */
import { compareText } from "../../wire/fold.ts";
import { type BookIndex, bookIndex, type IndexedTransaction } from "./book-index.ts";
import {
  type Candidate,
  mayConcern,
  ruleCandidates,
  transactionCandidates,
  transactionsInQuestion,
  transactionsNamedEarlier,
  transactionsNear,
  transferCandidates,
  transferKey,
} from "./candidates.ts";
import { documentCandidates } from "./document-candidates.ts";
import type { Evidence } from "./evidence.ts";
import { type LineFacts, lineFacts } from "./line-facts.ts";
import type { LineSuggestions, MatchRequest, StatementLine } from "./matching-types.ts";

export const suggestionsMax = 8;

interface LineInQuestion {
  readonly lineFacts: LineFacts;
  readonly transactions: readonly Candidate[];
  readonly transfers: readonly Candidate[];
  readonly rules: readonly Candidate[];
  readonly documents: readonly Candidate[];
}

/**
 * Matches all lines of a request.
 * @param request  lines and records in any order, ids unique among each
 * @returns one result per line, in the order of the lines
 */
export function matchLines(request: MatchRequest): LineSuggestions[] {
  const index = bookIndex(request);
  const lines = request.lines
    .filter(({ amount }) => amount !== 0)
    .map((line): LineInQuestion => {
      const factsOfLine = lineFacts(index, line);
      return {
        lineFacts: factsOfLine,
        transactions: transactionCandidates(index, factsOfLine),
        transfers: transferCandidates(index, factsOfLine),
        rules: ruleCandidates(index, factsOfLine),
        documents: documentCandidates(index, factsOfLine),
      };
    });
  decide(index, lines);
  const suggestions = new Map(lines.map((line) => [line.lineFacts.line.id, suggestionsOf(line)]));
  return request.lines.map(({ id }) => suggestions.get(id) ?? { lineId: id, suggestions: [] });
}

const isCertain = ({ obstacles }: Candidate): boolean => obstacles.size === 0;

/** Adds the obstacles between lines, and between the suggestions of one line. */
function decide(index: BookIndex, lines: readonly LineInQuestion[]): void {
  pairEqualTransfers(lines);
  for (const { transactions, transfers } of lines) {
    if (transactions.some(isCertain))
      for (const transfer of transfers) transfer.obstacles.add("transaction");
    requireOneCertain([...transactions, ...transfers]);
  }
  requireOneLine(
    lines.map(({ transactions }) => transactions.filter(isCertain)),
    transactionOf,
  );
  requireOneLine(
    lines.map(({ transfers }) => transfers.filter(isCertain)),
    otherLineOf,
  );
  const used = new Set(
    lines.flatMap(({ transactions }) => transactions.filter(isCertain).flatMap(transactionOf)),
  );
  const openLines: LineInQuestion[] = [];
  for (const line of lines) {
    const { lineFacts: facts, transactions, transfers, rules, documents } = line;
    if ([...transactions, ...transfers].some(isCertain)) {
      for (const candidate of [...rules, ...documents]) candidate.obstacles.add("transaction");
      continue;
    }
    openLines.push(line);
    for (const candidate of [...rules, ...documents]) {
      if (isCertain(candidate)) {
        const contacts = candidate.documents.map(({ document }) => document.contactId);
        const nearby =
          candidate.action.kind === "pay"
            ? transactionsInQuestion(index, facts, contacts)
            : transactionsNear(index, facts);
        const inQuestion = [...nearby, ...transactionsNamedEarlier(index, facts)];
        if (inQuestion.some((rival) => !used.has(rival) && mayBeBooked(facts, candidate, rival))) {
          candidate.obstacles.add("transaction");
        }
      }
      if (facts.ownAccounts.length > 0 && candidate.action.kind !== "transfer") {
        candidate.obstacles.add("transfer");
      }
    }
    const isRuled = rules.some(({ isLikely }) => isLikely);
    if (facts.named.size > 0 || documents.some(({ isLikely }) => isLikely)) {
      for (const rule of rules) rule.obstacles.add("document");
    }
    if (isRuled) for (const document of documents) document.obstacles.add("rule");
    requireOneCertain(documents);
  }
  requireOneLine(
    openLines.map(({ documents }) => documents.filter(isCertain)),
    (candidate) => candidate.documents,
    openLines.map(({ lineFacts: facts }) => [...facts.named.keys()]),
  );
}

/** A line that may be one of several equal transfers. */
interface TransferClaim {
  readonly line: StatementLine;
  readonly candidates: readonly Candidate[];
}

/** Pairs equal transfers with lines by day, then by nearest day, unless more lines claim them. */
function pairEqualTransfers(lines: readonly LineInQuestion[]): void {
  const claims = lines.flatMap(({ lineFacts: { line }, transactions }) =>
    [...Map.groupBy(transactions.filter(isCertain), keyOf)].flatMap(([key, candidates]) =>
      key === undefined ? [] : [{ key, line, candidates }],
    ),
  );
  for (const group of Map.groupBy(claims, ({ key }) => key).values()) {
    const openClaims = group.toSorted(
      ({ line: a }, { line: b }) => compareText(a.date, b.date) || compareText(a.id, b.id),
    );
    const usedTransactions = new Set<IndexedTransaction | undefined>();
    const ofDay = [...Map.groupBy(openClaims, ({ line }) => line.date)].flatMap(([date, own]) =>
      pairUp(own, usedTransactions, ({ transaction }) => transaction?.transaction.date === date),
    );
    const otherClaims = openClaims.filter((claim) => !ofDay.includes(claim));
    const paired = [...ofDay, ...pairUp(otherClaims, usedTransactions, () => true)];
    for (const { candidates } of openClaims.filter((claim) => !paired.includes(claim))) {
      for (const candidate of candidates) candidate.obstacles.add("claim");
    }
  }
}

const keyOf = ({ transaction }: Candidate) => transferKey(transaction?.transaction);

/** Assigns one transfer to each claim; none when there are fewer transfers than claims. */
function pairUp<C extends TransferClaim>(
  claims: readonly C[],
  usedTransactions: Set<IndexedTransaction | undefined>,
  isAllowed: (candidate: Candidate) => boolean,
): C[] {
  const isUnused = (each: Candidate) => isAllowed(each) && !usedTransactions.has(each.transaction);
  const unusedTransactions = new Set(
    claims.flatMap(({ candidates }) => candidates.filter(isUnused).map((each) => each.transaction)),
  );
  if (unusedTransactions.size < claims.length) return [];
  return claims.filter(({ candidates }) => {
    const chosen = candidates.find(isUnused);
    if (chosen === undefined) return false;
    usedTransactions.add(chosen.transaction);
    for (const candidate of candidates) if (candidate !== chosen) candidate.obstacles.add("claim");
    return true;
  });
}

const transactionOf = ({ transaction }: Candidate): IndexedTransaction[] =>
  transaction === undefined ? [] : [transaction];

const otherLineOf = ({ action }: Candidate): string[] =>
  action.kind === "transfer" && action.lineId !== undefined
    ? [`${action.accountId} ${action.lineId}`]
    : [];

/** Adds an obstacle when a line has two certain suggestions. */
function requireOneCertain(candidates: readonly Candidate[]): void {
  const certainOnes = candidates.filter(isCertain);
  if (certainOnes.length > 1) for (const candidate of certainOnes) candidate.obstacles.add("twin");
}

/**
 * Adds an obstacle when two lines claim the same record.
 * @param candidates  the certain ones of each line
 * @param recordsOf   the records that a candidate claims
 * @param claims      further claims of each line: the documents that it names
 */
function requireOneLine<R>(
  candidates: readonly (readonly Candidate[])[],
  recordsOf: (candidate: Candidate) => readonly R[],
  claims: readonly (readonly R[])[] = [],
): void {
  const lines = new Map<R, number>();
  for (const [place, ofLine] of candidates.entries()) {
    for (const record of new Set([...ofLine.flatMap(recordsOf), ...(claims[place] ?? [])])) {
      lines.set(record, (lines.get(record) ?? 0) + 1);
    }
  }
  for (const each of candidates.flat()) {
    if (recordsOf(each).some((record) => (lines.get(record) ?? 0) > 1)) each.obstacles.add("claim");
  }
}

/**
 * Whether a transaction of the book may be the payment that a suggestion would book again.
 *
 * A transaction of another contact is not, and neither is one for other documents than those that
 * the line names, or a transfer when the line has a contact; digits of its number outweigh a name.
 */
function mayBeBooked(
  facts: LineFacts,
  { action, documents }: Candidate,
  { transaction, numbers }: IndexedTransaction,
): boolean {
  const { contactId, transferAccountId } = transaction;
  const areNamed = documents.length > 0 && documents.every((document) => facts.named.has(document));
  const isHinted = facts.tokens.some(
    ({ digits, written }) => written.length >= 3 && numbers.some((each) => each.digits === digits),
  );
  if (isHinted && !areNamed) return true;
  if (!mayConcern(facts, contactId)) return false;
  if (action.kind === "pay") {
    const [first] = documents;
    if (contactId !== undefined && contactId !== first?.document.contactId) return false;
    const areOthers = documents.every(
      ({ number }) => !numbers.some(({ digits }) => digits === number?.digits),
    );
    if (areNamed && areOthers && numbers.length > 0) return false;
    if (transferAccountId !== undefined) return false;
  }
  return true;
}

const kindOrder = ["transactions", "transfers", "rules", "documents"] as const;

function suggestionsOf(line: LineInQuestion): LineSuggestions {
  const ranked = kindOrder
    .flatMap((kind, order) =>
      line[kind].map((candidate) => ({ candidate, key: rank(candidate, order) })),
    )
    .sort((a, b) => compareKeys(a.key, b.key));
  const certainOnes = ranked.filter(({ candidate }) => isCertain(candidate));
  const otherOnes = ranked.filter(({ candidate }) => !isCertain(candidate));
  return {
    lineId: line.lineFacts.line.id,
    suggestions: [...certainOnes, ...otherOnes]
      .slice(0, suggestionsMax)
      .map(({ candidate: { action, evidence, obstacles } }) => ({
        action,
        evidence,
        obstacles: [...obstacles].sort(compareText),
      })),
  };
}

/** Weights of each kind of evidence, for the record and for the amount. */
const weights: Readonly<Record<Evidence["code"], readonly [record: number, amount: number]>> = {
  reference: [60, 0],
  number: [50, 0],
  rule: [45, 0],
  otherAccount: [42, 0],
  ownAccount: [42, 0],
  learntContact: [30, 0],
  learntAccount: [30, 0],
  nearNumber: [25, 0],
  weakNumber: [20, 0],
  name: [0, 0],
  days: [0, 0],
  amount: [0, 3],
  amountWithFee: [0, 3],
  originalAmount: [0, 2],
  difference: [0, 0],
  otherCurrency: [0, 0],
  sum: [0, -1],
};

type RankKey = readonly (number | string)[];

/**
 * Sort key of a suggestion: record, amount, name, days and kind; finally ids, so that no two are
 * equal.
 */
function rank({ action, evidence }: Candidate, order: number): RankKey {
  let recordScore = 0;
  let amount = 0;
  let nameScore = 0;
  let dayCount = 0;
  for (const item of evidence) {
    const [ofRecord, ofAmount] = weights[item.code];
    recordScore = Math.max(recordScore, ofRecord);
    amount += ofAmount;
    if (item.code === "name") nameScore = item.percent;
    if (item.code === "days") dayCount = Math.abs(item.days);
  }
  if (nameScore >= 80) recordScore = Math.max(recordScore, 40);
  else if (nameScore >= 50) recordScore = Math.max(recordScore, 10);
  return [-recordScore, -amount, -nameScore, dayCount, order, JSON.stringify(action)];
}

function compareKeys(a: RankKey, b: RankKey): number {
  for (const [place, left] of a.entries()) {
    const right = b[place] as number | string;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
