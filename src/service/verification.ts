/**
 * Verifies a book: what its tables hold is compared among itself by the database, and its documents
 * with what the rules of the ledger make of them anew.
 *
 * A document is worked out again as if it were approved now, and compared with what stands in the
 * ledger. What another record may have changed meanwhile is left out: amounts by a tax rate of the
 * organisation's own, accounts and costs of items.
 */

import type { Posting } from "../ledger/journal.ts";
import { isApproved } from "../ledger/lifecycle.ts";
import { approvalJournals } from "../ledger/posting.ts";
import { agree, documentTotals } from "../ledger/totals.ts";
import { smallestAmount } from "../resources/common.ts";
import type { Cents } from "../resources/decimal.ts";
import { item } from "../resources/index.ts";
import type { Item } from "../resources/item.ts";
import type { LineItem } from "../resources/line-item.ts";
import { movesOf } from "../store/inventory.ts";
import { liveJournals } from "../store/journals.ts";
import { linesOf } from "../store/lines.ts";
import { list } from "../store/records.ts";
import type { Tx } from "../store/store.ts";
import { Looking, type Verification, verify } from "../store/verify.ts";
import { fold } from "../wire/fold.ts";
import { type Chart, loadChart } from "./chart.ts";
import { type Family, families, idOf, nameOf } from "./documents/family.ts";
import { kindOf } from "./documents/kinds.ts";
import { factsOf, netMoves, systemAccounts } from "./documents/posting.ts";
import type { StoredDocument } from "./documents/stored.ts";
import { grouped } from "./grouped.ts";

/** Everything that a book is checked for. */
export async function verifyAll(tx: Tx): Promise<Verification> {
  const { checks, faults } = await verify(tx);
  const looking = new Looking(tx);
  try {
    await documents(looking);
  } catch (error) {
    // What was found before may be what no document can be worked out from.
    if (faults.length === 0) throw error;
  }
  return { checks: [...checks, ...looking.checks], faults: [...faults, ...looking.faults] };
}

/** Documents that are looked at together. */
const batch = 250;

async function documents(looking: Looking): Promise<void> {
  const { tx } = looking;
  const chart = await loadChart(tx);
  const items = new Map((await list(tx, item)).records.map((each) => [fold(each.Code), each]));
  let count = 0;
  for (const family of Object.values(families)) {
    // A prepayment is a bank transaction too, and a template posts nothing.
    const isView = family === families.prepayment || family === families.overpayment;
    if (isView || family === families.repeatingInvoice) continue;
    count += await ofFamily(looking, family, { chart, items });
  }
  looking.checks.push({ name: "documents worked out again", count });
}

interface Known {
  readonly chart: Chart;
  readonly items: ReadonlyMap<string, Item>;
}

async function ofFamily(looking: Looking, family: Family, known: Known): Promise<number> {
  const { tx } = looking;
  const { resource } = family;
  let count = 0;
  for (let after = ""; ; ) {
    // A range has its ends in it, so the last one comes again.
    const ranges = after === "" ? [] : [{ field: resource.id, from: after }];
    const { records } = await list(tx, resource, { ranges, limit: batch + 1 });
    const found = (records as unknown as StoredDocument[]).filter(
      (each) => idOf(family, each) !== after,
    );
    const ids = found.map((each) => idOf(family, each));
    const [lines, moves, journals] = [
      await linesOf(tx, ids),
      await movesOf(tx, ids),
      grouped(await liveJournals(tx, "source", ids, "accrual"), (each) => each.sourceId),
    ];
    for (const [at, document] of found.entries()) {
      const id = ids[at] ?? "";
      const whole = { ...document, LineItems: lines.get(id) ?? [] };
      const { family: own } = kindOf(whole);
      Object.assign(whole, { [own.resource.id]: id });
      figures(looking, family, whole);
      const costs = new Map(
        netMoves(moves.get(id) ?? []).map(({ line, cost }) => [line, Math.abs(cost) as Cents]),
      );
      postings(looking, family, whole, { ...known, costs, live: journals.get(id) ?? [] });
    }
    count += found.length;
    const last = ids.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}

/** Compares a document with its lines, and its status with its amounts. */
function figures(looking: Looking, family: Family, document: StoredDocument): void {
  const { LineItems, LineAmountTypes, Status, CurrencyCode } = document;
  const smallest = smallestAmount(CurrencyCode);
  const fault = (kind: string, said: string) =>
    looking.fault(
      kind,
      `Document ${nameOf(family, document)} (${idOf(family, document)}): ${said}`,
    );
  for (const [at, line] of LineItems.entries()) {
    if (agrees(line, smallest)) continue;
    fault("line", `the quantity and the price of line ${at + 1} do not make its amount.`);
  }
  const totals = documentTotals(LineItems, LineAmountTypes, smallest);
  for (const name of ["SubTotal", "TotalTax", "Total", "TotalDiscount"] as const) {
    if ((document[name] ?? 0) === totals[name]) continue;
    fault("totals", `the ${name} is not that of its lines.`);
  }
  if (family.open === undefined || family === families.bankTransaction) return;
  const isPaid = Status === "PAID";
  if (isPaid !== (document.FullyPaidOnDate !== undefined)) {
    fault("paid", `it is ${Status}, and the day of its last payment says otherwise.`);
  }
  if (Status === "AUTHORISED" && document[family.open] === 0) {
    fault("open", "it is AUTHORISED, but nothing is due.");
  }
}

function agrees(line: LineItem, smallest: ReturnType<typeof smallestAmount>): boolean {
  const { Quantity, UnitAmount, LineAmount } = line;
  if (Quantity === undefined || UnitAmount === undefined || LineAmount === undefined) return true;
  return agree(line, Quantity, UnitAmount, LineAmount, { smallest });
}

interface Posted extends Known {
  /** What the goods of a line cost, by its place. */
  readonly costs: ReadonlyMap<number | undefined, Cents>;
  readonly live: readonly { readonly date: string; readonly postings: readonly Posting[] }[];
}

/** Compares what a document posts with what stands of it in the ledger. */
function postings(
  looking: Looking,
  family: Family,
  document: StoredDocument,
  { chart, items, costs, live }: Posted,
): void {
  const { posts, lifeCycle } = kindOf(document);
  const fault = (said: string) =>
    looking.fault(
      "posted",
      `Document ${nameOf(family, document)} (${idOf(family, document)}): ${said}`,
    );
  if (posts === undefined || !isApproved(lifeCycle, document.Status)) {
    if (live.length > 0) fault(`it is ${document.Status}, but stands in the ledger.`);
    return;
  }
  const facts = factsOf(document, chart, items);
  const lines = facts.lines.map((line) =>
    line.inventory === undefined
      ? line
      : { ...line, inventory: { ...line.inventory, cost: costs.get(line.line) ?? (0 as Cents) } },
  );
  const [wanted] = approvalJournals({ ...facts, lines }, systemAccounts(chart));
  const [found, ...others] = live;
  if (others.length > 0 || (wanted === undefined) !== (found === undefined)) {
    fault(`it stands ${live.length} times in the ledger.`);
    return;
  }
  if (wanted === undefined || found === undefined) return;
  if (found.date !== document.Date) {
    fault(`it is of ${document.Date}, but posted on ${found.date}.`);
  }
  const isTracked = new Set(
    lines.filter((each) => each.inventory !== undefined).map((each) => each.line),
  );
  const left = found.postings.filter(isOfLine);
  for (const posting of wanted.postings.filter(isOfLine)) {
    const same = left.findIndex((each) => isSame(each, posting, { chart, isTracked }));
    if (same >= 0) left.splice(same, 1);
    else fault(`line ${(posting.line ?? 0) + 1} is not what is posted of it.`);
  }
  for (const { line } of left) fault(`more is posted of line ${(line ?? 0) + 1} than it has.`);
  const own = wanted.postings.filter((each) => !isOfLine(each) && each.line === undefined);
  const kept = found.postings.filter((each) => !isOfLine(each) && each.line === undefined);
  const isOwnRate = lines.some(({ taxType }) => chart.taxRate(taxType)?.System !== true);
  if (!isOwnRate && sums(own) !== sums(kept)) fault("its totals are not what is posted of them.");
}

/** Whether it is what a line charges, not the cost of what it sells. */
const isOfLine = ({ line, taxType }: Posting): boolean =>
  line !== undefined && taxType !== undefined;

function isSame(
  found: Posting,
  wanted: Posting,
  { chart, isTracked }: { readonly chart: Chart; readonly isTracked: ReadonlySet<number> },
): boolean {
  const { line = 0, taxType = "" } = wanted;
  const isOwnRate = chart.taxRate(taxType)?.System !== true;
  return (
    found.line === wanted.line &&
    found.taxType === wanted.taxType &&
    found.option1 === wanted.option1 &&
    found.option2 === wanted.option2 &&
    (found.account === wanted.account || isTracked.has(line)) &&
    (isOwnRate || (found.amount === wanted.amount && found.taxAmount === wanted.taxAmount))
  );
}

/** What is posted to each account, as one text. */
function sums(postings: readonly Posting[]): string {
  const byAccount = new Map<string, number>();
  for (const { account, amount, foreign = 0 } of postings) {
    byAccount.set(account, (byAccount.get(account) ?? 0) + amount);
    byAccount.set(`${account} abroad`, (byAccount.get(`${account} abroad`) ?? 0) + foreign);
  }
  return JSON.stringify([...byAccount].filter(([, amount]) => amount !== 0).sort());
}
