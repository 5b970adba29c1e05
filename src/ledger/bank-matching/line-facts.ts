/** Facts of a statement line: the documents that it names, and its contact. */
import type { BookIndex, IndexedDocument, LearntContact } from "./book-index.ts";
import { compactCharsMin } from "./book-index.ts";
import { accountKey, creditorReferences, findReferences } from "./creditor-references.ts";
import type { Evidence, Obstacle } from "./evidence.ts";
import type { LineRules } from "./line-rules.ts";
import type { OwnAccount, StatementLine } from "./matching-types.ts";
import type { NameScore } from "./names.ts";
import {
  compactText,
  type DocumentNumber,
  hasPrefix,
  isInCompact,
  type NumberRun,
  type NumberStrength,
  type NumberToken,
  normalText,
  numberRuns,
  readingsOf,
  strengthOf,
  tokensOf,
} from "./numbers.ts";

/** Minimum name score of a clear match, when no other exceeds `nextScoreMax`. */
const clearScoreMin = 0.8;
const nextScoreMax = 0.6;
/** Maximum documents with the same digits; of more, only those of the contact count. */
const hitsMax = 64;

export interface LineFacts {
  readonly line: StatementLine;
  /** Documents named by a reference, or by a number that fits no other. */
  readonly named: ReadonlyMap<IndexedDocument, Evidence>;
  /** Documents with some digits in the text. */
  readonly hinted: ReadonlyMap<IndexedDocument, Evidence>;
  /** Whether the line names a number like those of documents that matches no open document. */
  readonly namesUnknownNumber: boolean;
  readonly tokens: readonly NumberToken[];
  readonly words: readonly string[];
  /** Compact texts of references (letters and digits only). */
  readonly references: readonly string[];
  /** Name scores of contacts, from payee and text, the best first. */
  readonly scores: readonly NameScore[];
  /** The contact of the line, if certain. */
  readonly contactId: string | undefined;
  /** Whether bank account and name, or name and learnt facts, point to two different contacts. */
  readonly isContactDisputed: boolean;
  readonly isKnownAccount: boolean;
  readonly learntContact: LearntContact | undefined;
  /** Own accounts whose number is in the line. */
  readonly ownAccounts: readonly OwnAccount[];
  readonly rules: LineRules;
  /** Obstacles to any automatic decision on the line. */
  readonly obstacles: readonly Obstacle[];
}

export function lineFacts(index: BookIndex, line: StatementLine): LineFacts {
  const parts = [line, ...(line.batch ?? [])];
  const partTexts = parts.map(({ text }) => text);
  const references = parts.flatMap((batchPart) => batchPart.references ?? []);
  const sources = [...partTexts, ...references].map(
    (text): FieldReadings => ({ readings: readingsOf(text).map(readingOf) }),
  );
  const reach = (indexedDocument: IndexedDocument) => isInReach(indexedDocument, line);
  const contact = contactFacts(index, line);
  const named = new Map<IndexedDocument, Evidence>();
  const hinted = new Map<IndexedDocument, Evidence>();
  for (const source of sources) addNumbers(index, source, reach, contact.contactId, named, hinted);
  for (const indexedDocument of documentsOfReferences(index, partTexts, references).filter(reach)) {
    const { number, reference, id } = indexedDocument.document;
    named.set(indexedDocument, { code: "reference", reference: reference ?? number ?? id });
  }
  const account = line.otherAccount === undefined ? undefined : accountKey(line.otherAccount);
  return {
    line,
    named,
    hinted,
    namesUnknownNumber: sources.some(({ readings }) =>
      readings.every(({ runs }) => runs.some((run) => isUnknownNumber(index, run, reach))),
    ),
    tokens: sources.flatMap(({ readings }) => readings.flatMap(({ tokens }) => tokens)),
    words: sources.flatMap(({ readings }) => readings.flatMap(({ words }) => words)),
    references: references.map(compactText),
    ...contact,
    ownAccounts: ownAccountsOf(index, account, partTexts),
    rules: index.rulesOf(line),
    obstacles: [...obstaclesOf(index, line)],
  };
}

interface TextReading {
  readonly runs: readonly NumberRun[];
  readonly tokens: readonly NumberToken[];
  readonly compact: string;
  readonly words: readonly string[];
}

/** A field of the line, in all its possible readings. */
interface FieldReadings {
  readonly readings: readonly TextReading[];
}

function readingOf(text: string): TextReading {
  const runs = numberRuns(text);
  const words = normalText(text)
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\d]+/gu, ""));
  return { runs, tokens: runs.flatMap(tokensOf), compact: compactText(text), words };
}

/**
 * Whether a line can pay a document, or net it as a credit: incoming money pays invoices less their
 * credit notes. A returned payment may match either direction.
 */
function isInReach({ value, side }: IndexedDocument, { amount, flags = [] }: StatementLine) {
  if (flags.includes("return") || flags.includes("reversal")) return true;
  return amount > 0 ? value > 0 || side === "sales" : value < 0 || side === "purchases";
}

/**
 * Adds the documents with numbers in a field.
 *
 * Where the file broke the text, a number is strong evidence only if it occurs without the break:
 * `INV-0042`, break, `7` may be `INV-00427`. A number of several documents means the document of
 * the contact.
 */
function addNumbers(
  index: BookIndex,
  { readings }: FieldReadings,
  reach: (indexedDocument: IndexedDocument) => boolean,
  contactId: string | undefined,
  named: Map<IndexedDocument, Evidence>,
  hintedDocuments: Map<IndexedDocument, Evidence>,
): void {
  const strong = readings.map((parsed) => {
    const matchingDocuments = new Set<IndexedDocument>();
    for (const token of parsed.tokens) {
      const withPrefix: IndexedDocument[] = [];
      const long: IndexedDocument[] = [];
      for (const each of documentsWith(index, token, contactId)) {
        if (!reach(each)) continue;
        const strength = strengthIn(parsed, token, each.number);
        if (strength === "strong") withPrefix.push(each);
        else if (strength === "long") long.push(each);
        else if (strength === "weak" || strengthIn(parsed, token, each.reference) !== undefined) {
          hintedDocuments.set(each, weakNumber(each));
        }
      }
      const hits = withPrefix.length > 0 ? withPrefix : long;
      const ofContact = hits.filter(({ document }) => document.contactId === contactId);
      const [one, another] = hits.length > 1 ? ofContact : hits;
      if (one !== undefined && another === undefined) matchingDocuments.add(one);
      else for (const document of hits) hintedDocuments.set(document, weakNumber(document));
    }
    return matchingDocuments;
  });
  for (const indexedDocument of new Set(strong.flatMap((set) => [...set]))) {
    if (strong.at(-1)?.has(indexedDocument)) {
      named.set(indexedDocument, { code: "number", number: indexedDocument.document.number ?? "" });
    } else hintedDocuments.set(indexedDocument, weakNumber(indexedDocument));
  }
}

function documentsWith(
  { byDigits, groupsByContact }: BookIndex,
  { digits }: NumberToken,
  contactId: string | undefined,
): readonly IndexedDocument[] {
  const sameDigits = byDigits.get(digits) ?? [];
  if (sameDigits.length <= hitsMax) return sameDigits;
  const ofContact = contactId === undefined ? [] : (groupsByContact.get(contactId) ?? []);
  return ofContact.flatMap(({ documents }) => documents.slice(0, hitsMax));
}

const weakNumber = ({ document }: IndexedDocument): Evidence => ({
  code: "weakNumber",
  number: document.number ?? document.reference ?? "",
});

function strengthIn(
  { compact }: TextReading,
  token: NumberToken,
  number: DocumentNumber | undefined,
): NumberStrength | undefined {
  if (number === undefined) return undefined;
  const strength = strengthOf(token, number);
  return strength !== undefined && !number.isPlain && !isInCompact(compact, number)
    ? "weak"
    : strength;
}

/**
 * Whether a token has the letters of the book's document numbers, but digits of no open document.
 */
function isUnknownNumber(
  { prefixes, byDigits }: BookIndex,
  run: NumberRun,
  reach: (indexedDocument: IndexedDocument) => boolean,
): boolean {
  if (run.groups.join("").length < 3) return false;
  const { letters } = run;
  const isPrefix =
    prefixes.has(letters) ||
    Array.from(letters, (_, startIndex) => letters.slice(startIndex)).some(
      (suffix) => suffix.length >= 3 && prefixes.has(suffix),
    );
  if (!isPrefix) return false;
  return !tokensOf(run).some((token) =>
    byDigits
      .get(token.digits)
      ?.slice(0, hitsMax)
      .some(
        (indexedDocument) =>
          indexedDocument.number?.digits === token.digits &&
          hasPrefix(token, indexedDocument.number.prefix) &&
          reach(indexedDocument),
      ),
  );
}

/**
 * Documents whose reference or number equals a reference of the line, when only one document has
 * it.
 */
function documentsOfReferences(
  { byCompact, byDigits }: BookIndex,
  referenceTexts: readonly string[],
  references: readonly string[],
): IndexedDocument[] {
  const creditor = [
    ...references.flatMap(creditorReferences),
    ...referenceTexts.flatMap((text) => readingsOf(text).flatMap(findReferences)),
  ];
  const ofReference = references
    .map(compactText)
    .filter((text) => text.length >= compactCharsMin)
    .map((text) => byCompact.get(text) ?? []);
  const ofCreditor = creditor.flatMap(({ reference, body }) => {
    const ofBody = body.length < 4 ? [] : (byDigits.get(body) ?? []);
    return [
      byCompact.get(reference) ?? [],
      [
        ...ofBody.filter(({ number }) => number?.digits === body),
        ...(body.length < compactCharsMin ? [] : (byCompact.get(body) ?? [])),
      ],
    ];
  });
  return [...ofReference, ...ofCreditor].flatMap((hits) => {
    const documents = [...new Set(hits)];
    return documents.length === 1 ? documents : [];
  });
}

type ContactFacts = Pick<
  LineFacts,
  "scores" | "contactId" | "isContactDisputed" | "isKnownAccount" | "learntContact"
>;

function contactFacts(
  index: BookIndex,
  { payee, text, otherAccount }: StatementLine,
): ContactFacts {
  const ofText = readingsOf(text).flatMap(index.rankNames);
  const ofPayee = payee === undefined || payee === "" ? undefined : index.rankNames(payee);
  const scores = bestOf([...(ofPayee ?? []), ...ofText]);
  const byName = clearContact(ofPayee ?? bestOf(ofText));
  const account = otherAccount === undefined ? "" : accountKey(otherAccount);
  const known = index.contactsByAccount.get(account) ?? [];
  const byAccount = known.length === 1 ? known[0] : undefined;
  const learnt = index.learntContacts.get(account) ?? [];
  const learntContact = learnt.length === 1 ? learnt[0] : undefined;
  const contactId = byAccount ?? byName;
  const signs = [byName === undefined ? [] : [byName], known, learnt.map((fact) => fact.contactId)];
  return {
    scores,
    contactId,
    isContactDisputed:
      contactId !== undefined &&
      signs.some((contacts) => contacts.length > 0 && !contacts.includes(contactId)),
    isKnownAccount: byAccount !== undefined,
    learntContact,
  };
}

/** The best score of each contact. */
function bestOf(scores: readonly NameScore[]): NameScore[] {
  const best = new Map<string, NameScore>();
  for (const score of scores) {
    if (score.score > (best.get(score.contactId)?.score ?? 0)) best.set(score.contactId, score);
  }
  return [...best.values()].sort(
    (a, b) => b.score - a.score || (a.contactId < b.contactId ? -1 : 1),
  );
}

function clearContact([first, next]: readonly NameScore[]): string | undefined {
  if (first === undefined || first.score < clearScoreMin) return undefined;
  return (next?.score ?? 0) <= nextScoreMax ? first.contactId : undefined;
}

/**
 * Minimum characters of an own account number that is searched for: shorter ones occur in any text.
 */
const ownNumberCharsMin = 6;

function ownAccountsOf(
  { ownAccounts, ownAccountsByNumber }: BookIndex,
  otherAccount: string | undefined,
  lineTexts: readonly string[],
): OwnAccount[] {
  const accounts = new Set<OwnAccount>();
  const otherOwn = otherAccount === undefined ? undefined : ownAccountsByNumber.get(otherAccount);
  if (otherOwn !== undefined) accounts.add(otherOwn);
  if (ownAccounts.length > 0) {
    const compact = lineTexts.map(accountKey);
    for (const account of ownAccounts) {
      const keys = account.numbers.map(accountKey).filter((key) => key.length >= ownNumberCharsMin);
      if (keys.some((key) => compact.some((text) => text.includes(key)))) accounts.add(account);
    }
  }
  return [...accounts];
}

function* obstaclesOf({ request }: BookIndex, line: StatementLine): Generator<Obstacle> {
  const { flags = [], batch = [], date } = line;
  if (flags.includes("return") || flags.includes("reversal")) yield "return";
  if (flags.includes("cash")) yield "cash";
  if (flags.includes("manual")) yield "manual";
  if (batch.length > 0) yield "batch";
  if (line.currency !== request.account.currency) yield "currency";
  if (request.lockDate !== undefined && date <= request.lockDate) yield "lock";
}
