/**
 * Verifies a book: the database checks the consistency of the tables, and documents are compared
 * with recomputed journals.
 *
 * A document is recomputed as if it were approved now, and compared with its journals in the
 * ledger. Values that other records may have changed since are excluded: accounts of items and, in
 * Canada, the non-recoverable part of a tax by the organisation's own rate.
 */

import { isApproved } from "../../ledger/documents/lifecycle.ts";
import {
  numberValue,
  receiptSeries,
  type Series,
  taxRateSeries,
} from "../../ledger/documents/numbering.ts";
import { agree, documentTotals } from "../../ledger/documents/totals.ts";
import type { PostedJournal, Posting } from "../../ledger/journal.ts";
import { approvalJournals } from "../../ledger/postings/posting.ts";
import { effectiveRate, lineTax } from "../../ledger/tax.ts";
import { smallestAmount } from "../../resources/common.ts";
import { type Cents, type Percent, writeDecimal } from "../../resources/decimal.ts";
import { type DocumentResource, idOf } from "../../resources/field.ts";
import {
  bankTransaction,
  documents,
  item,
  overpayment,
  prepayment,
  repeatingInvoice,
} from "../../resources/index.ts";
import type { Item } from "../../resources/item.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { counted } from "../../resources/scalar.ts";
import type { Head } from "../../store/chain/links.ts";
import { storedSequences } from "../../store/chain/sequences.ts";
import { inForce, journalsOf } from "../../store/ledger/record-journals.ts";
import { type Move, movesOf, netMoves } from "../../store/ledger/stock-moves.ts";
import { Findings } from "../../store/maintenance/findings.ts";
import { type Verification, verify } from "../../store/maintenance/verify.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { list, pagesOf } from "../../store/mapping/records.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { kindOf } from "../documents/document-registry.ts";
import { nameOf, numberOf, type StoredDocument } from "../documents/stored-documents.ts";
import { factsOf, systemAccounts } from "../documents/writing/posting-buffer.ts";
import { type Chart, readChart, type StoredTaxRate } from "../lookups/chart-of-accounts.ts";
import { type Booked, check, enteredJournals, verifyOpeningBalances } from "./journal-checks.ts";
import { textOf, verifySettlements } from "./settlements.ts";

/** Runs all checks of a book. @param since  a sealed link of the hash chain */
export async function verifyAll(tx: Tx, since?: Head): Promise<Verification> {
  const { checks, faults } = await verify(tx, since);
  const findings = new Findings(tx);
  try {
    await workedOut(findings);
  } catch (error) {
    // An earlier fault may be the reason why a document cannot be recomputed.
    if (faults.length === 0) throw error;
  }
  return { checks: [...checks, ...findings.checks], faults: [...faults, ...findings.faults] };
}

/** Number of documents that are verified together. */
const batchSize = 100;

interface VerificationContext extends Booked {
  readonly itemByCode: ReadonlyMap<string, Item>;
  readonly numbers: NumbersInUse;
}

async function workedOut(findings: Findings): Promise<void> {
  const { tx, checks } = findings;
  const chart = await readChart(tx);
  const { BaseCurrency: base, CountryCode } = await organisationOf(tx);
  const itemByCode = new Map((await list(tx, item)).records.map((each) => [fold(each.Code), each]));
  const numbers = new NumbersInUse();
  // Only in Canada may a tax be partly non-recoverable, by an own rate that can change.
  const isUncertain = (taxType = "NONE") =>
    CountryCode === "CA" && chart.taxRate(taxType)?.System !== true;
  const known = { chart, base, itemByCode, numbers, isUncertain };
  taxRates(findings, chart);
  for (const rate of chart.taxRates) numbers.ofTaxRate(rate);
  let count = 0;
  for (const resource of documents) {
    // A prepayment is verified as its bank transaction, and a template has no postings.
    const isView = resource === prepayment || resource === overpayment;
    if (isView || resource === repeatingInvoice) continue;
    count += await checkDocuments(findings, resource, known);
  }
  checks.push({ name: "documents worked out again", count });
  checks.push({ name: "bank transfers worked out again", count: await check(findings, known) });
  count = await enteredJournals(findings, known);
  checks.push({ name: "manual journals worked out again", count });
  count = await verifyOpeningBalances(findings, chart);
  checks.push({ name: "opening balances", count });
  await numbers.compare(findings);
}

/** @returns the number of documents */
async function checkDocuments(
  findings: Findings,
  resource: DocumentResource,
  context: VerificationContext,
): Promise<number> {
  const { tx } = findings;
  let count = 0;
  for await (const records of pagesOf(tx, resource, batchSize)) {
    const documents = records as unknown as StoredDocument[];
    const ids = documents.map((document) => idOf(resource, document));
    const [lines, moves, all] = [
      await linesOf(tx, ids),
      await movesOf(tx, ids),
      await journalsOf(tx, "source", ids),
    ];
    const bySource = (postedJournal: PostedJournal) => postedJournal.sourceId;
    const [journals, live] = [Map.groupBy(all, bySource), Map.groupBy(inForce(all), bySource)];
    for (const [at, document] of documents.entries()) {
      const id = ids[at] ?? "";
      document.LineItems = lines.get(id) ?? [];
      Object.assign(document, { [kindOf(document).resource.id]: id });
      context.numbers.ofDocument(document);
      checkFigures(findings, resource, document, context);
      const moved = netMoves(moves.get(id) ?? []);
      checkPostings(findings, resource, document, { ...context, moved, live: live.get(id) ?? [] });
    }
    await verifySettlements(findings, documents, { ...context, journals });
    count += documents.length;
  }
  return count;
}

/** Compares a document with its lines, and its status with its amounts. */
function checkFigures(
  findings: Findings,
  resource: DocumentResource,
  document: StoredDocument,
  { chart, base }: VerificationContext,
): void {
  const { LineItems, LineAmountTypes, Status, CurrencyCode, BankAccount } = document;
  const { bank } = kindOf(document);
  const smallest = smallestAmount(CurrencyCode);
  const fault = (kind: string, sentence: string) =>
    findings.fault(
      kind,
      `Document ${nameOf(resource, document)} (${idOf(resource, document)}): ${sentence}`,
    );
  for (const [at, line] of LineItems.entries()) {
    if (!isLineConsistent(line, CurrencyCode)) {
      fault("line", `the quantity and the price of line ${at + 1} do not make its amount.`);
    }
    const rate = chart.taxRate(line.TaxType ?? "");
    // Other documents may have a sent tax amount; and the organisation's own rates may have
    // changed.
    if (bank?.ownTax !== false || rate?.System !== true || line.LineAmount === undefined) continue;
    const tax = lineTax(line.LineAmount, rate.EffectiveRate, LineAmountTypes, smallest);
    if ((line.TaxAmount ?? 0) === tax) continue;
    fault("line tax", `the tax of line ${at + 1} is not what its rate makes.`);
  }
  if ((CurrencyCode === base) !== (document.LastSettled === undefined)) {
    fault("currency", `it is in ${CurrencyCode}, which is not as it was settled.`);
  }
  const account = chart.account(BankAccount?.AccountID ?? "");
  if (bank !== undefined && CurrencyCode !== (account?.CurrencyCode ?? base)) {
    fault("currency", `it is in ${CurrencyCode}, which is not the currency of its bank account.`);
  }
  const totals = documentTotals(LineItems, LineAmountTypes, smallest);
  for (const name of ["SubTotal", "TotalTax", "Total", "TotalDiscount"] as const) {
    if ((document[name] ?? 0) === totals[name]) continue;
    fault("totals", `the ${name} is not that of its lines.`);
  }
  const { open } = resource.document;
  if (open === undefined || resource === bankTransaction) return;
  const isPaid = Status === "PAID";
  if (isPaid !== (document.FullyPaidOnDate !== undefined)) {
    fault("paid", `it is ${Status}, and the day of its last payment says otherwise.`);
  }
  if (Status === "AUTHORISED" && document[open] === 0) {
    fault("open", "it is AUTHORISED, but nothing is due.");
  }
}

function isLineConsistent(line: LineItem, currency: string): boolean {
  const { Quantity, UnitAmount, LineAmount } = line;
  if (Quantity === undefined || UnitAmount === undefined || LineAmount === undefined) return true;
  return agree(line, Quantity, UnitAmount, LineAmount, { currency });
}

interface PostingContext extends VerificationContext {
  /** Stock movements that are not reversed. */
  readonly moved: readonly Pick<Move, "itemId" | "line" | "quantity" | "cost">[];
  /** Journals in both ledgers that are not reversed. */
  readonly live: readonly PostedJournal[];
}

/** Compares the recomputed postings of a document with its journals in the ledger. */
function checkPostings(
  findings: Findings,
  resource: DocumentResource,
  document: StoredDocument,
  context: PostingContext,
): void {
  const { chart, itemByCode, moved, live, isUncertain } = context;
  const { posts, lifeCycle } = kindOf(document);
  const fault = (sentence: string) =>
    findings.fault(
      "posted",
      `Document ${nameOf(resource, document)} (${idOf(resource, document)}): ${sentence}`,
    );
  if (posts === undefined || !isApproved(lifeCycle, document.Status)) {
    if (live.length > 0) fault(`it is ${document.Status}, but stands in the ledger.`);
    if (moved.length > 0) fault(`it is ${document.Status}, but has moved goods.`);
    return;
  }
  for (const { line = -1, itemId, quantity } of moved) {
    const { Item, Quantity: held = 0 } = document.LineItems[line] ?? {};
    if (Item?.ItemID === itemId && Math.abs(quantity) === Math.abs(Number(held))) continue;
    fault(`the goods of line ${line + 1} are not those that have moved.`);
  }
  const costs = new Map(moved.map(({ line, cost }) => [line, Math.abs(cost) as Cents]));
  const documentFacts = factsOf(document, chart, itemByCode);
  const lines = documentFacts.lines.map((line) =>
    line.inventory === undefined
      ? line
      : { ...line, inventory: { ...line.inventory, cost: costs.get(line.line) ?? (0 as Cents) } },
  );
  const [wanted, onCash] = approvalJournals({ ...documentFacts, lines }, systemAccounts(chart));
  const [first, ...others] = live.filter(({ basis }) => basis === "accrual");
  if (others.length > 0 || (wanted === undefined) !== (first === undefined)) {
    fault(
      `it stands ${counted(others.length + (first === undefined ? 0 : 1), "time")} in the ledger.`,
    );
    return;
  }
  // Cash transactions and documents of zero have equal journals in both ledgers; others have none
  // here.
  const cash = live.filter(({ basis }) => basis === "cash").map(dayAndText);
  const both = onCash === undefined || first === undefined ? [] : [dayAndText(first)];
  if (cash.join() !== both.join()) {
    fault("what is posted of it on cash basis is not what it comes to.");
  }
  if (wanted === undefined || first === undefined) return;
  if (first.sourceType !== posts || first.documentId !== wanted.documentId) {
    fault("its journal is not of it.");
  }
  const { date } = documentFacts;
  if (first.date !== date) {
    fault(`it is of ${date}, but posted on ${first.date}.`);
  }
  const trackedLines = new Set(
    lines.filter((lineFacts) => lineFacts.inventory !== undefined).map((facts) => facts.line),
  );
  const unmatched = first.postings.filter(isOfLine);
  for (const posting of wanted.postings.filter(isOfLine)) {
    const compared = { isTracked: trackedLines, isUncertain: isUncertain(posting.taxType) };
    const samePosting = unmatched.findIndex((each) => isSame(each, posting, compared));
    if (samePosting >= 0) unmatched.splice(samePosting, 1);
    else fault(`line ${(posting.line ?? 0) + 1} is not what is posted of it.`);
  }
  for (const { line } of unmatched) fault(`more is posted of line ${(line ?? 0) + 1} than it has.`);
  if (lines.some(({ taxType }) => isUncertain(taxType))) return;
  if (!haveSameSums(wanted.postings.filter(isTotal), first.postings.filter(isTotal))) {
    fault("its totals are not what is posted of them.");
  }
  if (costsKey(wanted.postings) !== costsKey(first.postings)) {
    fault("the cost of its goods is not what is posted of them.");
  }
}

const dayAndText = (journal: PostedJournal): string => `${journal.date} ${textOf(journal)}`;

/** Whether a posting is the charge of a line, and not its cost of goods. */
const isOfLine = ({ line, taxType }: Posting): boolean =>
  line !== undefined && taxType !== undefined;

const isTotal = ({ line }: Posting): boolean => line === undefined;

function isSame(
  posting: Posting,
  wanted: Posting,
  compared: { readonly isTracked: ReadonlySet<number>; readonly isUncertain: boolean },
): boolean {
  const { line = 0 } = wanted;
  const { isTracked, isUncertain } = compared;
  return (
    posting.line === wanted.line &&
    posting.taxType === wanted.taxType &&
    posting.option1 === wanted.option1 &&
    posting.option2 === wanted.option2 &&
    (posting.account === wanted.account || isTracked.has(line)) &&
    (isUncertain || (posting.amount === wanted.amount && posting.taxAmount === wanted.taxAmount))
  );
}

/** Whether two sets of postings have the same sum per account, in both currencies. */
function haveSameSums(expected: readonly Posting[], actual: readonly Posting[]): boolean {
  const left = new Map<string, number>();
  const add = (name: string, amount: number) => left.set(name, (left.get(name) ?? 0) + amount);
  for (const [postings, sign] of [[expected, 1] as const, [actual, -1] as const]) {
    for (const { account, amount, foreign } of postings) {
      add(account, sign * amount);
      if (foreign !== undefined) add(`${account} abroad`, sign * foreign);
    }
  }
  return [...left.values()].every((amount) => amount === 0);
}

/**
 * Returns as one text by line the postings of costs of goods, and of tax both owed and reclaimed;
 * without accounts, since those of an item may have changed.
 */
function costsKey(postings: readonly Posting[]): string {
  const costs = postings.filter(({ line, taxType }) => line !== undefined && taxType === undefined);
  return costs
    .map(({ line, amount }) => `${line} ${amount}`)
    .sort()
    .join();
}

/** The highest numbers in use, by series. */
class NumbersInUse {
  readonly #highest = new Map<string, { readonly number: string; readonly value: number }>();

  ofDocument(document: StoredDocument): void {
    const { resource, series } = kindOf(document);
    const numberSeries = resource.document.unique?.perUser
      ? receiptSeries(document.User?.UserID ?? "")
      : series;
    this.#use(numberSeries, numberOf(resource, document));
  }

  ofTaxRate({ System, TaxType }: StoredTaxRate): void {
    if (System !== true) this.#use(taxRateSeries, TaxType);
  }

  #use(series: Series | undefined, number: string | undefined): void {
    if (series === undefined || number === undefined) return;
    const value = numberValue(series, number) ?? 0;
    if (value <= (this.#highest.get(series.sequence)?.value ?? 0)) return;
    this.#highest.set(series.sequence, { number, value });
  }

  /** Finds counters that would issue a number in use again. */
  async compare(findings: Findings): Promise<void> {
    const numberBySequence = await storedSequences(findings.tx);
    for (const [sequence, { number, value }] of this.#highest) {
      const lastNumber = numberBySequence.get(sequence) ?? 0;
      if (lastNumber >= value) continue;
      findings.fault(
        "counter",
        `The counter ${sequence} stands at ${lastNumber}, but the number ${number} is in use.`,
      );
    }
    findings.checks.push({ name: "counters of numbers", count: this.#highest.size });
  }
}

/** Finds tax rates whose charged or shown percentage differs from their components. */
function taxRates(findings: Findings, chart: Chart): void {
  for (const rate of chart.taxRates) {
    const { TaxType, Name, System, DisplayTaxRate, EffectiveRate, TaxComponents = [] } = rate;
    const sumOfParts = percentOf(TaxComponents);
    // A system reverse charge shows a percentage, but charges nothing on the document.
    const isCharging = EffectiveRate === sumOfParts || (System === true && EffectiveRate === 0);
    if (isCharging && DisplayTaxRate === sumOfParts) continue;
    const [shown, charged] = [DisplayTaxRate, EffectiveRate].map((each) => writeDecimal(each, 4));
    findings.fault(
      "tax rate",
      `The tax rate ${Name} (${TaxType}) charges ${charged} % and shows ${shown} %, which is not ` +
        "what its components come to.",
    );
  }
  findings.checks.push({ name: "tax rates", count: chart.taxRates.length });
}

/** Returns the rate of components; undefined for an impossible combination. */
function percentOf(components: NonNullable<StoredTaxRate["TaxComponents"]>): Percent | undefined {
  try {
    return effectiveRate(components);
  } catch {
    return undefined;
  }
}
