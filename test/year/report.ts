/** A report as its JSON has it: rows by name, figures in cents. */
import type { Bookkeeper, Words } from "./bookkeeper.ts";

interface Row {
  readonly section: string;
  readonly cells: readonly (string | number | null)[];
  /** AccountID, where the row is of an account. */
  readonly account: string | undefined;
}

export interface Answer {
  readonly Columns: readonly string[];
  readonly Sections: readonly {
    readonly Title: string;
    readonly Rows: readonly {
      readonly RowType: string;
      readonly Cells: Row["cells"];
      readonly Attributes?: { readonly account?: string };
    }[];
  }[];
}

export const cents = (cell: string | number | null | undefined) =>
  Math.round(Number(cell ?? 0) * 100);

export class Report {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];

  constructor({ Columns, Sections }: Answer) {
    this.columns = Columns;
    this.rows = Sections.flatMap(({ Title, Rows }) =>
      Rows.map(({ Cells, Attributes }) => ({
        section: Title,
        cells: Cells,
        account: Attributes?.account,
      })),
    );
  }

  static async of(keeper: Bookkeeper, words: Words): Promise<Report> {
    return new Report(await keeper.json(["report", ...words]));
  }

  /** Figures of a column by the name of the row, the last where several have it. */
  figures(column: string): ReadonlyMap<string, number> {
    const place = this.#place(column);
    return new Map(this.rows.map(({ cells }) => [String(cells[0]), cents(cells[place])]));
  }

  /** The figure of a row. @throws Error where there is none of its name */
  figure(name: string, column: string, section?: string): number {
    const own = this.rows.filter((row) => section === undefined || row.section === section);
    const row = own.findLast(({ cells }) => cells[0] === name);
    if (row === undefined) {
      const names = own.map(({ cells }) => cells[0]).join(", ");
      throw new Error(`The report has no row ${name}, but ${names}`);
    }
    return cents(row.cells[this.#place(column)]);
  }

  /** Figures of a column by AccountID. */
  byAccount(column: string): ReadonlyMap<string, number> {
    const place = this.#place(column);
    return new Map(
      this.rows.flatMap(({ account, cells }) =>
        account === undefined ? [] : [[account, cents(cells[place])] as const],
      ),
    );
  }

  /** By its heading; a column of days is the last or the one before by number. */
  #place(column: string): number {
    const place = /^\d+$/.test(column) ? Number(column) : this.columns.indexOf(column);
    if (place < 0) throw new Error(`The report has no column ${column}, but ${this.columns}`);
    return place;
  }
}
