/**
 * Candidates of open documents for a line: one, several together, a part payment, or one with a
 * fee.
 */
import { smallestAmount } from "../../resources/common.ts";
import { addDays } from "../dates/calendar.ts";
import { type Cents, type Percent, percentOf } from "../money.ts";
import {
  type BookIndex,
  type DocumentGroup,
  type IndexedDocument,
  placeOfDate,
} from "./book-index.ts";
import {
  type Candidate,
  contactEvidence,
  contactObstacles,
  daysFrom,
  namesOther,
} from "./candidates.ts";
import type { Evidence, Obstacle } from "./evidence.ts";
import type { LineFacts } from "./line-facts.ts";
import { expectedFeeOf } from "./line-rules.ts";
import type { Difference } from "./matching-types.ts";
import { findSimilarNumber } from "./numbers.ts";
import { sumItemsMax, sumSearch } from "./sums.ts";

/** Maximum difference, absolute and as a share of the amount due, that may be a fee. */
const feeMax = 500 as Cents;
const feeShareMax = 30_000 as Percent;
/** Minimum name score for which the contact's documents are searched. */
const scoreMin = 0.6;
const contactsMax = 2;
/** Maximum documents of a contact searched for a difference or a part payment. */
const groupDocumentsMax = 200;
const sameValueMax = 10;
/** Maximum of the oldest documents of a contact that are suggested together. */
const sumDocumentsMax = 200;
/** Maximum documents with some digits in the text, whatever their amount. */
const hintedMax = 20;
const nearValueMax = 5;

/** The relation between the amount of the line and the amount due. */
interface AmountFit {
  readonly isExact: boolean;
  readonly evidence: Evidence;
  /** Amount of the document that is paid. */
  readonly paid: Cents;
  readonly difference?: Difference | undefined;
}

export function documentCandidates(index: BookIndex, lineFacts: LineFacts): Candidate[] {
  const groups = contactGroups(index, lineFacts);
  const singles = [...documentsInQuestion(index, lineFacts, groups)].flatMap((indexedDocument) => {
    const candidate = singleCandidate(index, lineFacts, indexedDocument);
    return candidate === undefined ? [] : [candidate];
  });
  const isSettled = lineFacts.named.size < 2 && singles.some(({ isLikely }) => isLikely);
  return [
    ...singles,
    ...sumsOfNamed(index, lineFacts),
    ...(isSettled ? [] : groups.flatMap((group) => sumsOfGroup(index, lineFacts, group))),
  ];
}

/** Document groups of the possible contacts of the line, in the currency of the account. */
function contactGroups(index: BookIndex, { contactId, scores, learntContact }: LineFacts) {
  const { currency } = index.request.account;
  const named = scores.filter(({ score }) => score >= scoreMin).slice(0, contactsMax);
  const contacts = new Set([contactId, learntContact?.contactId, ...named.map((s) => s.contactId)]);
  return [...contacts]
    .flatMap((id) => (id === undefined ? [] : (index.groupsByContact.get(id) ?? [])))
    .filter(({ documents }) => documents[0]?.document.currency === currency);
}

function documentsInQuestion(
  { byValue, byForeignValue }: BookIndex,
  { line, named, hinted }: LineFacts,
  groups: readonly DocumentGroup[],
): Set<IndexedDocument> {
  const { amount, charges = 0, original } = line;
  const ofOriginal =
    original === undefined ? [] : byForeignValue.get(`${original.currency} ${original.amount}`);
  const equal = [amount, ...(charges > 0 ? [amount + charges] : [])].map((v) => byValue.get(v));
  const documents = new Set([...named.keys(), ...[...hinted.keys()].slice(0, hintedMax)]);
  for (const indexedDocuments of [...equal, ofOriginal]) {
    for (const document of nearest(indexedDocuments ?? [], line.date)) documents.add(document);
  }
  for (const group of groups) for (const each of nearValue(group, line.amount)) documents.add(each);
  return documents;
}

/**
 * The documents with the nearest dates, limited in number, since many customers may owe the same
 * amount.
 */
function nearest(documents: readonly IndexedDocument[], date: string): IndexedDocument[] {
  const position = placeOfDate(documents, date, ({ document }) => document.date);
  const distance = ({ document }: IndexedDocument) => Math.abs(daysFrom(document.date, date));
  return documents
    .slice(Math.max(0, position - sameValueMax), position + sameValueMax)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, sameValueMax);
}

/**
 * Documents that differ from the amount by at most a fee; else the oldest, for a part payment or an
 * overpayment.
 */
function nearValue({ documents }: DocumentGroup, amount: Cents): IndexedDocument[] {
  const payable = documents
    .slice(0, groupDocumentsMax)
    .filter(({ value }) => Math.sign(value) === Math.sign(amount));
  const nearby = payable.filter(({ value }) => mayBeFee(value, amount)).slice(0, nearValueMax);
  return nearby.length > 0 ? nearby : payable.slice(0, 1);
}

function mayBeFee(value: Cents, amount: Cents): boolean {
  const amountDue = Math.abs(value) as Cents;
  return Math.abs(value - amount) <= Math.max(feeMax, percentOf(amountDue, feeShareMax));
}

function fitAmount(
  index: BookIndex,
  lineFacts: LineFacts,
  candidate: IndexedDocument,
): AmountFit | undefined {
  const { amount, charges = 0 as Cents, original } = lineFacts.line;
  const { value, document } = candidate;
  if (Math.sign(value) !== Math.sign(amount)) return undefined;
  if (document.currency !== index.request.account.currency) {
    const isExact = original?.currency === document.currency && original.amount === value;
    const evidence: Evidence = isExact
      ? { code: "originalAmount", amount: document.due, currency: document.currency }
      : { code: "otherCurrency", currency: document.currency };
    return { isExact, evidence, paid: value, difference: { kind: "exchange", amount: 0 as Cents } };
  }
  if (value === amount) return { isExact: true, evidence: { code: "amount" }, paid: value };
  const difference = (amount - value) as Cents;
  if (charges > 0 && difference === -charges) {
    return withFee(value, charges, { kind: "charges", amount: difference });
  }
  const { fee } = lineFacts.rules;
  if (
    fee !== undefined &&
    difference === -expectedFeeOf(document.due, fee, smallestAmount(document.currency))
  ) {
    const { accountCode } = fee;
    return withFee(value, -difference as Cents, { kind: "fee", amount: difference, accountCode });
  }
  const by = (Math.abs(value) - Math.abs(amount)) as Cents;
  const evidence: Evidence = { code: "difference", by };
  if (mayBeFee(value, amount)) {
    return {
      isExact: false,
      evidence,
      paid: value,
      difference: { kind: "fee", amount: difference },
    };
  }
  if (by > 0) return { isExact: false, evidence, paid: amount };
  const overpayment: Difference = { kind: "overpayment", amount: difference };
  return { isExact: false, evidence, paid: value, difference: overpayment };
}

const withFee = (paid: Cents, fee: Cents, difference: Difference): AmountFit => ({
  isExact: true,
  evidence: { code: "amountWithFee", fee },
  paid,
  difference,
});

function singleCandidate(
  index: BookIndex,
  facts: LineFacts,
  candidate: IndexedDocument,
): Candidate | undefined {
  const fit = fitAmount(index, facts, candidate);
  if (fit === undefined) return undefined;
  const { document } = candidate;
  const isOfContact = facts.contactId === document.contactId;
  const isByNumber = facts.named.has(candidate);
  const obstacles = obstaclesOfDocuments(index, facts, [candidate]);
  if (!fit.isExact) obstacles.add("amount");
  if (!isByNumber && !isOfContact) obstacles.add("evidence");
  if (!isByNumber && isOfContact) {
    for (const obstacle of nameOnlyObstacles(index, facts, candidate)) obstacles.add(obstacle);
  }
  return {
    action: {
      kind: "pay",
      documents: [{ documentId: document.id, amount: fit.paid }],
      difference: fit.difference,
    },
    evidence: [
      fit.evidence,
      ...numberEvidence(facts, candidate),
      ...contactEvidence(index, facts, document.contactId),
      { code: "days", from: "document", days: daysFrom(document.date, facts.line.date) },
    ],
    obstacles,
    documents: [candidate],
    isLikely: fit.isExact && (isByNumber || isOfContact || facts.hinted.has(candidate)),
  };
}

function numberEvidence(lineFacts: LineFacts, candidate: IndexedDocument): Evidence[] {
  const evidence = lineFacts.named.get(candidate) ?? lineFacts.hinted.get(candidate);
  if (evidence !== undefined) return [evidence];
  const { number } = candidate;
  const writing = number === undefined ? undefined : findSimilarNumber(lineFacts.words, number);
  return writing === undefined || number === undefined
    ? []
    : [{ code: "nearNumber", number: number.text, writing }];
}

/**
 * Obstacles to paying documents without a person, whatever the evidence.
 *
 * One payer may settle documents of several contacts: where the text names every one, the name of
 * the payer speaks against none.
 */
function obstaclesOfDocuments(
  index: BookIndex,
  lineFacts: LineFacts,
  documents: readonly IndexedDocument[],
): Set<Obstacle> {
  const obstacles = new Set<Obstacle>(lineFacts.obstacles);
  const contactIds = new Set(documents.map(({ document }) => document.contactId));
  for (const { document } of documents) {
    const { contactId, currency, date } = document;
    for (const obstacle of contactObstacles(index, lineFacts, contactId)) obstacles.add(obstacle);
    if (currency !== lineFacts.line.currency) obstacles.add("currency");
    if (date > lineFacts.line.date) obstacles.add("laterDate");
  }
  if (contactIds.size > 1) {
    if (documents.every((document) => lineFacts.named.has(document))) obstacles.delete("contact");
    else obstacles.add("contact");
  }
  if (namesOther(lineFacts, documents)) obstacles.add("number");
  return obstacles;
}

/**
 * Obstacles when only the contact's name supports a document: no other document or sum may have the
 * amount.
 */
function* nameOnlyObstacles(
  index: BookIndex,
  lineFacts: LineFacts,
  candidate: IndexedDocument,
): Generator<Obstacle> {
  const { document, value, group } = candidate;
  const lastDay = addDays(document.dueDate ?? document.date, index.request.days);
  if (lineFacts.line.date > lastDay) yield "days";
  const isHintedAtAnother = [...lineFacts.hinted.keys()].some(
    (otherDocument) =>
      otherDocument !== candidate &&
      (otherDocument.document.contactId === document.contactId || otherDocument.value === value),
  );
  if (isHintedAtAnother) yield "number";
  if (group.countOf(value) > 1) yield "twin";
  else if (group.search(value).kind !== "one") yield "sum";
  const { amount } = lineFacts.line;
  if (amount !== value && group.search(amount).kind !== "none") yield "sum";
}

/** Candidates of all documents that the line names, or some of them. */
function sumsOfNamed(index: BookIndex, facts: LineFacts): Candidate[] {
  const { currency } = index.request.account;
  const named = [...facts.named.keys()].filter(({ document }) => document.currency === currency);
  if (named.length < 2) return [];
  const { amount, charges = 0 as Cents } = facts.line;
  for (const fee of charges > 0 ? [0 as Cents, charges] : [charges]) {
    const targetSum = (amount + fee) as Cents;
    const total = named.reduce((sum, { value }) => sum + value, 0);
    if (total === targetSum) return [sumCandidate(index, facts, named, fee, [])];
    if (named.length > sumItemsMax) continue;
    const sumResult = sumSearch(named.map(({ value }) => value))(targetSum);
    if ((sumResult.kind === "one" || sumResult.kind === "several") && sumResult.places.length > 1) {
      const documents = sumResult.places.flatMap((item) => named[item] ?? []);
      return [sumCandidate(index, facts, documents, fee, sumResult.kind === "one" ? [] : ["sum"])];
    }
  }
  return [];
}

/**
 * Candidates of a contact's open documents: all, the oldest, or the only selection with the amount.
 */
function sumsOfGroup(index: BookIndex, lineFacts: LineFacts, group: DocumentGroup): Candidate[] {
  const { amount, charges = 0 as Cents } = lineFacts.line;
  const { documents } = group;
  if (documents.length < 2) return [];
  for (const fee of charges > 0 ? [0 as Cents, charges] : [charges]) {
    const targetSum = (amount + fee) as Cents;
    const oldestCount = group.oldestWithSum(targetSum);
    if (oldestCount > 1 && oldestCount <= sumDocumentsMax) {
      return [sumCandidate(index, lineFacts, documents.slice(0, oldestCount), fee, ["evidence"])];
    }
    const sumResult = group.search(targetSum);
    if ((sumResult.kind === "one" || sumResult.kind === "several") && sumResult.places.length > 1) {
      const selected = sumResult.places.flatMap((item) => documents[item] ?? []);
      const obstacles: Obstacle[] = sumResult.kind === "one" ? ["evidence"] : ["evidence", "sum"];
      return [sumCandidate(index, lineFacts, selected, fee, obstacles)];
    }
  }
  return [];
}

function sumCandidate(
  index: BookIndex,
  lineFacts: LineFacts,
  documents: readonly IndexedDocument[],
  fee: Cents,
  obstacles: readonly Obstacle[],
): Candidate {
  const areNamed = documents.every((document) => lineFacts.named.has(document));
  return {
    action: {
      kind: "pay",
      documents: documents.map(({ document, value }) => ({
        documentId: document.id,
        amount: value,
      })),
      difference: fee > 0 ? { kind: "charges", amount: -fee as Cents } : undefined,
    },
    evidence: [
      fee > 0 ? { code: "amountWithFee", fee } : { code: "amount" },
      { code: "sum", documents: documents.length },
      ...documents.flatMap((document) => numberEvidence(lineFacts, document)),
      ...contactEvidence(index, lineFacts, documents[0]?.document.contactId),
    ],
    obstacles: new Set([...obstaclesOfDocuments(index, lineFacts, documents), ...obstacles]),
    documents,
    isLikely: areNamed || lineFacts.contactId === documents[0]?.document.contactId,
  };
}
