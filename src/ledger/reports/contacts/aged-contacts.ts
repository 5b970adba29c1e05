/** Aged receivables and payables of every contact: what is owed, by how long it is overdue. */
import type { Row } from "../../../wire/report.ts";
import { type DateText, daysBetween, longDate } from "../../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../../money.ts";
import { amountText, headerRow, negated, type ReportBody, section, textRow } from "../rows.ts";

/** What stands on the control account of one document, in the base currency. */
export interface AgedEntry {
  readonly contactId: string;
  readonly contact: string;
  /** The day from which it ages: the due date or its own. */
  readonly from: DateText;
  /** Above zero what is owed; a credit, or what was paid before its document, below. */
  readonly amount: Cents;
}

export interface AgedContactsRequest {
  readonly title: string;
  readonly organisation: string;
  readonly date: DateText;
  /** Whether the day from which documents age is the one on which they are due. */
  readonly isByDueDate: boolean;
  /** Upper bounds of the buckets in days, rising: 30, 60, 90. */
  readonly bounds: readonly number[];
  readonly entries: readonly AgedEntry[];
  /** The name of the control account, and what it holds, above zero what is owed. */
  readonly control: { readonly name: string; readonly balance: Cents };
}

/** How entries are aged. */
type Ageing = Pick<AgedContactsRequest, "date" | "isByDueDate" | "bounds">;

/** Contacts in the order of the entries. */
export function agedContacts(request: AgedContactsRequest): ReportBody {
  const { title, organisation, date, entries, control, isByDueDate } = request;
  const headings = bucketNames(request);
  const rows = [...Map.groupBy(entries, ({ contactId }) => contactId)].map(([id, own]) => ({
    id,
    name: own[0]?.contact ?? "",
    amounts: agedAmounts(own, request),
  }));
  const totals = headings.map((_, column) =>
    sum(rows.map(({ amounts }) => amounts[column] ?? zeroCents)),
  );
  const total = totals.at(-1) ?? zeroCents;
  const single = (label: string, amount: Cents): Row =>
    textRow("SummaryRow", [label, ...headings.slice(1).map(() => ""), amountText(amount)]);
  return {
    titles: [
      title,
      organisation,
      `As at ${longDate(date)}`,
      `Ageing by ${isByDueDate ? "due date" : "invoice date"}`,
    ],
    rows: [
      headerRow(["Contact", ...headings]),
      section("", [
        ...rows.map(({ id, name, amounts }) =>
          textRow("Row", [name, ...amounts.map(amountText)], [{ Value: id, Id: "contactID" }]),
        ),
        { ...textRow("SummaryRow", ["Total", ...totals.map(amountText)]), id: "total" },
      ]),
      section("", [
        single(control.name, control.balance),
        single("Difference", add(total, negated(control.balance))),
      ]),
    ],
  };
}

/** `Current`, `1–30`, …, `91+`, `Credits`, `Total`; by invoice date `0–30` first. */
export function bucketNames({ bounds, isByDueDate }: Ageing): string[] {
  const first = isByDueDate ? 1 : 0;
  const ranges = bounds.map(
    (bound, at) => `${at === 0 ? first : (bounds[at - 1] ?? 0) + 1}–${bound}`,
  );
  const last = `${(bounds.at(-1) ?? -1) + 1}+`;
  return [...(isByDueDate ? ["Current"] : []), ...ranges, last, "Credits", "Total"];
}

/** Index of the bucket of what ages from a day. */
export function bucketAt(from: DateText, { bounds, date, isByDueDate }: Ageing): number {
  const days = from < date ? daysBetween(from, date) : 0;
  if (isByDueDate && days === 0) return 0;
  const place = bounds.findIndex((bound) => days <= bound);
  return (isByDueDate ? 1 : 0) + (place < 0 ? bounds.length : place);
}

/** What each bucket holds, then the credits and the total. */
export function agedAmounts(
  entries: readonly Pick<AgedEntry, "from" | "amount">[],
  request: Ageing,
): Cents[] {
  const { bounds, isByDueDate } = request;
  const skipped = isByDueDate ? 1 : 0;
  const buckets: Cents[] = Array.from({ length: bounds.length + 1 + skipped }, () => zeroCents);
  let credits = zeroCents;
  for (const { from, amount } of entries) {
    if (amount < 0) {
      credits = add(credits, amount);
      continue;
    }
    const at = bucketAt(from, request);
    buckets[at] = add(buckets[at] ?? zeroCents, amount);
  }
  return [...buckets, credits, add(sum(buckets), credits)];
}
