/** Aged receivables and payables of all contacts: open amounts by days overdue. */
import { type DateText, daysBetween, longDate } from "../../dates/calendar.ts";
import type { SumPart } from "../../figures/counted.ts";
import {
  type Figure,
  ledger,
  listedFigure,
  type Name,
  type Period,
  sum,
} from "../../figures/expression.ts";
import { type Cents, sum as sumOf } from "../../money.ts";
import {
  type AccountInfo,
  type ColumnHeading,
  figureRow,
  headerRow,
  type ReportBody,
  sectionRow,
  textRow,
} from "../report-rows.ts";

/** The balance of one document on the control account, in the base currency. */
export interface AgedEntry {
  readonly contactId: string;
  readonly contact: string;
  /** The day from which it ages: the due date or the document date. */
  readonly from: DateText;
  /** Amount, positive when owed; a credit, or a payment before its document, is negative. */
  readonly amount: Cents;
  /** The document as a part of the figure. */
  readonly part: Omit<SumPart, "amount">;
}

/** An entry with the columns of its document in the report of one contact. */
interface AgedDocumentEntry extends AgedEntry {
  readonly document: {
    readonly id: string;
    readonly date: DateText;
    readonly dueDate: DateText | null;
    readonly number: string;
  };
}

export interface AgedContactsRequest {
  readonly title: string;
  /** The organisation, or the contact where the report is of one. */
  readonly organisation: string;
  readonly date: DateText;
  /** Whether documents age from the due date rather than the document date. */
  readonly isByDueDate: boolean;
  /** Upper bounds of the age buckets in days, ascending: 30, 60, 90. */
  readonly bounds: readonly number[];
  readonly entries: readonly AgedEntry[];
  /** The control account, its balance on the day, and the sign of amounts owed. */
  readonly control: {
    readonly account: AccountInfo;
    readonly sign: 1 | -1;
    readonly period: Period;
  };
}

/** The ageing parameters. */
type Ageing = Pick<AgedContactsRequest, "date" | "isByDueDate" | "bounds">;

/** The report of aged contacts, contacts in the order of the entries. */
export function agedContacts(request: AgedContactsRequest): ReportBody {
  const { entries } = request;
  const { account, sign, period } = request.control;
  const headings = bucketNames(request);
  const rows = [...Map.groupBy(entries, ({ contactId }) => contactId)].map(([id, own]) => ({
    id,
    figures: agedFigures([id, own[0]?.contact ?? "", "Open"], own, request),
  }));
  const totals = totalsOf(headings, rows);
  const control = ledger(["control", account.Name, "Balance"], sign, "held", period, [account]);
  const total = totals.at(-1) as Figure;
  const difference = sum(["difference", "Difference", "Difference"], [total], [control]);
  const single = (figure: Figure) => {
    const cells = [figure.label, ...headings.slice(1).map(() => ""), figure];
    return textRow("SummaryRow", cells, undefined, figure.id);
  };
  return {
    titles: titlesOf(request),
    rows: [
      headerRow(["Contact", ...bucketHeadings(headings)]),
      sectionRow("", [
        ...rows.map(({ id, figures }) =>
          textRow("Row", [figures[0]?.label ?? "", ...figures], [{ Value: id, Id: "contactID" }]),
        ),
        figureRow("SummaryRow", totals),
      ]),
      sectionRow("", [single(control), single(difference)]),
    ],
  };
}

/** The report of one contact, its open documents in the order of the entries. */
export function agedOfContact(
  request: Omit<AgedContactsRequest, "entries" | "control"> & {
    readonly entries: readonly AgedDocumentEntry[];
  },
): ReportBody {
  const headings = bucketNames(request);
  const rows = request.entries.map((entry) => ({
    ...entry.document,
    attributes: entry.part.attributes ?? [],
    figures: agedFigures([entry.document.id, entry.document.number, "Open"], [entry], request),
  }));
  const day = (date: DateText | null) => (date === null ? "" : `${date}T00:00:00`);
  return {
    titles: titlesOf(request),
    rows: [
      headerRow(["Date", ["number", "Number"], "Due Date", ...bucketHeadings(headings)]),
      sectionRow("", [
        ...rows.map(({ date, number, dueDate, figures, attributes }) =>
          textRow("Row", [day(date), number, day(dueDate), ...figures], attributes),
        ),
        textRow("SummaryRow", ["Total", "", "", ...totalsOf(headings, rows)], undefined, "total"),
      ]),
    ],
  };
}

const titlesOf = ({
  title,
  organisation,
  date,
  isByDueDate,
}: Omit<AgedContactsRequest, "entries" | "control">): string[] => [
  title,
  organisation,
  `As at ${longDate(date)}`,
  `Ageing by ${isByDueDate ? "due date" : "invoice date"}`,
];

const totalsOf = (
  headings: readonly string[],
  rows: readonly { readonly figures: readonly Figure[] }[],
): Figure[] =>
  headings.map((_, at) =>
    sum(
      ["total", "Total", "SectionTotal"],
      rows.map(({ figures }) => figures[at] as Figure),
    ),
  );

/**
 * Headings of the buckets: `Current`, `1–30`, …, `91+`, `Credits`, `Total`; by invoice date `0–30`
 * first.
 */
export function bucketNames({ bounds, isByDueDate }: Ageing): string[] {
  const firstDay = isByDueDate ? 1 : 0;
  const ranges = bounds.map(
    (bound, at) => `${at === 0 ? firstDay : (bounds[at - 1] ?? 0) + 1}–${bound}`,
  );
  const lastRange = `${(bounds.at(-1) ?? -1) + 1}+`;
  return [...(isByDueDate ? ["Current"] : []), ...ranges, lastRange, "Credits", "Total"];
}

/** Headings of the buckets with their ids. */
const bucketHeadings = (names: readonly string[]): ColumnHeading[] => {
  const ids = ["bucket-credits", "total"];
  return names.map((name, at) => [ids[at - names.length + 2] ?? `bucket-${at}`, name]);
};

/** Index of the bucket for an entry that ages from a day. */
export function bucketAt(from: DateText, { bounds, date, isByDueDate }: Ageing): number {
  const dayCount = from < date ? daysBetween(from, date) : 0;
  if (isByDueDate && dayCount === 0) return 0;
  const bucketIndex = bounds.findIndex((bound) => dayCount <= bound);
  return (isByDueDate ? 1 : 0) + (bucketIndex < 0 ? bounds.length : bucketIndex);
}

/** Groups entries by bucket, then credits and all entries. */
export function groupByBucket<E extends Pick<AgedEntry, "from" | "amount">>(
  entries: readonly E[],
  request: Ageing,
): E[][] {
  const columns = bucketNames(request).map((): E[] => []);
  for (const entry of entries) {
    columns.at(entry.amount < 0 ? -2 : bucketAt(entry.from, request))?.push(entry);
    columns.at(-1)?.push(entry);
  }
  return columns;
}

/** Amounts of the buckets, then credits and total. */
export const agedFigures = (
  name: Name,
  entries: readonly Omit<AgedEntry, "contactId" | "contact">[],
  request: Ageing,
): Figure[] =>
  groupByBucket(entries, request).map((bucket) =>
    listedFigure(name, sumOf(bucket.map(({ amount }) => amount)), () =>
      bucket.map(({ part, amount }) => ({ ...part, amount })),
    ),
  );
