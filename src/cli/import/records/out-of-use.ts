/**
 * Records of a folder that went out of use after documents named them: archived, or closed to new
 * documents. Their rows are imported as if in use, and as they are once all documents are there.
 */
import type { ImportNoun } from "../options.ts";
import { fold } from "./lookup.ts";

type Cells = readonly string[];

interface ImportedRows {
  readonly rows: readonly Cells[];
  readonly at: (name: string) => number;
}

/** What documents and payments of a folder name, folded. */
interface Named {
  readonly items: ReadonlySet<string>;
  readonly tracking: ReadonlySet<string>;
  readonly paidFrom: ReadonlySet<string>;
}

type CellNamed = (name: string) => string;

/** A cell by which a record is out of use, and its text while it is imported. */
interface OutOfUseCell {
  readonly noun: ImportNoun;
  readonly column: string;
  readonly texts: readonly [outOfUse: string, inUse: string];
  /** Whether the record is needed; always when not given. */
  readonly isNeeded?: (cell: CellNamed, named: Named) => boolean;
}

const isItemNamed = (cell: CellNamed, { items }: Named) => items.has(fold(cell("Code")));
const archived = { column: "Status", texts: ["ARCHIVED", "ACTIVE"] } as const;

const outOfUseCells: readonly OutOfUseCell[] = [
  { noun: "account", ...archived },
  {
    noun: "account",
    column: "EnablePaymentsToAccount",
    texts: ["false", "true"],
    isNeeded: (cell, { paidFrom }) => cell("Type") !== "BANK" && paidFrom.has(fold(cell("Code"))),
  },
  { noun: "contact", ...archived, column: "ContactStatus" },
  { noun: "tax-rate", ...archived },
  { noun: "item", column: "IsSold", texts: ["false", "true"], isNeeded: isItemNamed },
  { noun: "item", column: "IsPurchased", texts: ["false", "true"], isNeeded: isItemNamed },
  {
    noun: "tracking",
    ...archived,
    isNeeded: (cell, { tracking }) => tracking.has(fold(cell("Name"))),
  },
  {
    noun: "tracking",
    column: "Options",
    texts: ['"Status":"ARCHIVED"', '"Status":"ACTIVE"'],
  },
];

export const retiredNouns: readonly ImportNoun[] = [
  ...new Set(outOfUseCells.map(({ noun }) => noun)),
];

/** Returns what the files of a folder name. */
export function namedIn(files: readonly (ImportedRows & { readonly heads: Cells })[]): Named {
  const texts = (isNamed: (head: string) => boolean) =>
    new Set(
      files.flatMap(({ heads, rows }) => {
        const columns = heads.flatMap((head, at) => (isNamed(head) ? [at] : []));
        return rows.flatMap((cells) => columns.map((at) => fold(cells[at] ?? "")));
      }),
    );
  return {
    items: texts((head) => head === "LineItems.ItemCode"),
    tracking: texts((head) => /Tracking\.\d\.Name$/.test(head)),
    paidFrom: texts((head) => head === "Account.Code"),
  };
}

/** Returns the rows of records out of use, each with its cells in use. */
export function rowsInUse(
  noun: ImportNoun,
  { rows, at }: ImportedRows,
  named: Named,
): Map<Cells, Cells> {
  const own = outOfUseCells.filter((each) => each.noun === noun);
  const retired = new Map<Cells, Cells>();
  for (const cells of rows) {
    const cell = (name: string) => cells[at(name)] ?? "";
    const changes = own.filter(
      ({ column, texts, isNeeded }) =>
        cell(column).includes(texts[0]) && isNeeded?.(cell, named) !== false,
    );
    if (changes.length === 0) continue;
    const cellsInUse = changes.reduce(
      (row, { column, texts }) => row.with(at(column), cell(column).replaceAll(...texts)),
      cells,
    );
    retired.set(cells, cellsInUse);
  }
  if (noun !== "contact") return retired;
  // An archived contact may bear the name of another, which stands for both.
  const nameOf = (cells: Cells) => fold(cells[at("Name")] ?? "");
  const namesInUse = new Set(rows.filter((cells) => !retired.has(cells)).map(nameOf));
  return new Map([...retired].filter(([cells]) => !namesInUse.has(nameOf(cells))));
}
