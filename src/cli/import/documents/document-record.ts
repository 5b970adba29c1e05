/** An invoice or a bill as its rows say it, while they are read and when they have been. */
import type { Invoice } from "../../../resources/invoice.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import { shown } from "../../../resources/scalar.ts";
import type { Mapped } from "../mapping/mapping.ts";
import type { ContactDetails } from "../records/contact-book.ts";
import type { ExactDecimal } from "../records/decimal-sum.ts";
import type { ImportRecord } from "../records/import-record.ts";
import { fold } from "../records/lookup.ts";

export type Line = Partial<LineItem> & Record<string, unknown>;

/** A document of the file. */
export interface DocumentRecord extends ImportRecord {
  readonly number: string;
  readonly contact: ContactDetails;
  /** What the rows say of the items of the lines, where they say anything beyond the code. */
  readonly items: readonly (Record<string, unknown> | undefined)[];
  /** The document of the book that is updated. */
  updates: Pick<Invoice, "InvoiceID" | "Status"> | undefined;
  /** The number that `ContactBook.at` knows its contact by. */
  contactAt: number | undefined;
}

export function linesOf(candidate: DocumentRecord): readonly Line[] {
  return candidate.input.LineItems as readonly Line[];
}

/** A document while its rows are read. */
export class DocumentInProgress {
  readonly record: Record<string, unknown> = {};
  readonly contact: ContactDetails & Record<string, unknown> = {};
  rows: number[] = [];
  lines: Line[] = [];
  items: (Record<string, unknown> | undefined)[] = [];
  amounts: (ExactDecimal | undefined)[] = [];
  bytes = 200;
  /** Why rows are refused, by their number. */
  readonly reasons = new Map<number, string>();
  readonly #said = new Map<Mapped, { readonly value: unknown; readonly row: number }>();

  get isComplete(): boolean {
    return isComplete(this.record.Status);
  }

  /** @returns what is wrong when another row said something else */
  say(mapped: Mapped, value: unknown, row: number, object: object): string | undefined {
    const before = this.#said.get(mapped);
    if (before === undefined) {
      this.#said.set(mapped, { value, row });
      mapped.target.put(object, value);
      return undefined;
    }
    if (before.value === value || sameText(before.value, value)) return undefined;
    return `${mapped.shownAs} is ${shown(value)} here and ${shown(before.value)} in row ${before.row}, of the same number.`;
  }

  add(
    row: number,
    line: Line,
    item: Record<string, unknown> | undefined,
    amount: ExactDecimal | undefined,
    cells: readonly string[],
  ): void {
    this.rows.push(row);
    this.lines.push(line);
    this.items.push(item);
    this.amounts.push(amount);
    for (const cell of cells) this.bytes += cell.length;
    this.bytes += 120;
  }

  /** The same without the rows that are refused. */
  without(reasons: ReadonlyMap<number, string>): DocumentInProgress {
    const isKept = (_: unknown, at: number) => !reasons.has(this.rows[at] ?? 0);
    const { lines, items, amounts } = this;
    const kept = Object.assign(new DocumentInProgress(), {
      lines: lines.filter(isKept),
      items: items.filter(isKept),
      amounts: amounts.filter(isKept),
      bytes: this.bytes,
    });
    Object.assign(kept.record, this.record);
    Object.assign(kept.contact, this.contact);
    kept.rows = this.rows.filter((row) => !reasons.has(row));
    return kept;
  }
}

/** Whether a status is one in which every line must be complete. */
export function isComplete(status: unknown): boolean {
  return status === "AUTHORISED" || status === "SUBMITTED";
}

/** Whether two texts are one to the service, which minds neither letter case nor accents. */
function sameText(left: unknown, right: unknown): boolean {
  return typeof left === "string" && typeof right === "string" && fold(left) === fold(right);
}
