/**
 * `acct import DIR`: imports all files of a folder, as `acct export folder` writes them.
 *
 * Each file is imported as it would be alone, except that documents, and then payments and
 * allocations, follow the order in which they were posted: so goods are on hand when sold, and cash
 * basis rounding of settlements is the same.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../client/client.ts";
import { unguardCell } from "../../output/csv-output.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { contact } from "../../resources/contact.ts";
import { readDecimal, scaleOf } from "../../resources/decimal.ts";
import {
  AcctError,
  type Detail,
  NotFoundError,
  RefusedError,
  UsageError,
} from "../../resources/errors.ts";
import { item } from "../../resources/item.ts";
import { openingBalance } from "../../resources/opening-balance.ts";
import { counted } from "../../resources/scalar.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { describeTarget } from "../connection/choose-target.ts";
import { open } from "../connection/open.ts";
import type { Context } from "../context/context.ts";
import { confirm } from "../framework/confirm.ts";
import { inputsOf } from "../framework/input.ts";
import { csvRow } from "../render/csv-row.ts";
import { PartlyDoneError } from "../render/error.ts";
import { didYouMean } from "../values/suggest.ts";
import { checkCellCount, importFile, usualTuning } from "./import-file.ts";
import {
  type ImportNoun,
  type ImportOptions,
  importNouns,
  openingFile,
  pluralOf,
} from "./options.ts";
import { openReader } from "./readers/reader.ts";
import { openSource } from "./readers/source.ts";
import { type Ordered, partsOf } from "./records/import-order.ts";
import { fold, isEqual } from "./records/lookup.ts";
import { namedIn, retiredNouns, rowsInUse } from "./records/out-of-use.ts";

const first: readonly ImportNoun[] = ["currency", "tax-rate", "account", "tracking", "contact"];
const nextNouns: readonly ImportNoun[] = ["quote", "purchase-order"];

/**
 * Document files, with the columns that group rows to one document; an id suffices where there is
 * one.
 */
const documents: Partial<Record<ImportNoun, readonly string[]>> = {
  bill: ["InvoiceNumber", "Contact.Name"],
  invoice: ["InvoiceNumber"],
  "credit-note": ["CreditNoteID", "CreditNoteNumber", "Contact.Name"],
  "bank-transaction": ["BankTransactionID"],
};

interface FileRows {
  readonly noun: ImportNoun;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly at: (name: string) => number;
}

type Cells = readonly string[];
type Files = ReadonlyMap<ImportNoun, FileRows>;
/** The refusals of a dry run, by message and file. */
type DryRunRefusals = { readonly refused: Map<string, string> };
type Counts = { imported: number; updated: number; existing: number };

/**
 * Imports a folder. A dry run tries all of it as one discarded plan, so that each record sees the
 * earlier ones.
 *
 * @throws UsageError where the folder has other files, RefusedError for invalid rows;
 *   PartlyDoneError where a later file is refused
 */
export async function importFolder(ctx: Context, folder: string): Promise<void> {
  const { nouns, hasOpening } = filesIn(folder);
  const rowsByNoun = new Map<ImportNoun, FileRows>();
  for (const noun of nouns) rowsByNoun.set(noun, await rowsOf(noun, join(folder, fileOf(noun))));
  const what = [...rowsByNoun.values()].map(({ noun, rows }) =>
    counted(rows.length, `row of ${pluralOf(noun)}`, `rows of ${pluralOf(noun)}`),
  );
  ctx.out.say(`${folder}: ${[...(hasOpening ? ["opening balances"] : []), ...what].join(", ")}`);
  const opening = hasOpening ? join(folder, openingFile) : undefined;
  if (ctx.flags.dryRun && ctx.flags.plan === undefined) return tryAll(ctx, rowsByNoun, opening);
  await confirm(ctx, `Import them into ${describeTarget(ctx.target())}?`);
  const run = await importFiles(ctx, rowsByNoun, opening);
  await ctx.out.value(run.counts, run.text());
}

async function importFiles(ctx: Context, files: Files, opening?: string, trial?: DryRunRefusals) {
  const scratch = mkdtempSync(join(tmpdir(), "acct-folder-"));
  try {
    const run = new FolderImport(ctx, files, scratch, trial);
    await run.all(opening);
    return run;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Tries the whole import.
 *
 * @throws RefusedError with all refusals
 */
async function tryAll(ctx: Context, rowsByNoun: Files, opening?: string): Promise<void> {
  const planning: Context = derived(ctx, { flags: { ...ctx.flags, plan: openingFile } });
  if (ctx.target().kind === "remote") {
    ctx.out.say(
      "The service tries each step with all before it, so that a large folder takes minutes.",
    );
  }
  const { client } = await open(planning);
  const trial: DryRunRefusals = { refused: new Map() };
  try {
    const run = await importFiles(
      derived(planning, { client: async () => client }),
      rowsByNoun,
      opening,
      trial,
    );
    await ctx.out.value(run.counts, run.text());
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== "NotOffered") throw error;
    const message = "A dry run of a folder tries it as a plan, which this service does not have";
    const [name] = [...rowsByNoun.keys()].map(pluralOf);
    throw new RefusedError(
      "NotOffered",
      `${message}; acct import ${name} FILE --dry-run checks one file.`,
    );
  } finally {
    await client.close();
  }
  ctx.out.say("Dry run: nothing was changed.");
  const details = [...trial.refused].map(([message, record]) => ({ record, message }));
  if (details.length === 0) return;
  const message = `${counted(details.length, "row")} would be refused, and the import would stop at the first.`;
  throw new RefusedError("RowsRefused", message, details);
}

const fileOf = (noun: ImportNoun) => `${pluralOf(noun)}.csv`;

/**
 * Returns the import files of a folder.
 *
 * @throws UsageError
 */
function filesIn(folder: string) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) {
    const suggestion = didYouMean(folder, importNouns.map(pluralOf));
    const message = stats
      ? `${folder} is a file, not a folder.`
      : `There is no folder "${folder}".`;
    const help = " acct import --help lists what is imported from single files.";
    throw new UsageError("NoFile", `${message}${suggestion === "" ? help : suggestion}`);
  }
  const names = readdirSync(folder).filter((name) => !/^\.|\.rejected(?:-\d+)?\.csv$/.test(name));
  const fileNames = [openingFile, ...importNouns.map(fileOf)];
  const other = names.find((name) => !fileNames.includes(name));
  if (other !== undefined || names.length === 0) {
    const state =
      other === undefined ? "is empty" : `holds ${other}, which is none of ${fileNames.join(", ")}`;
    throw new UsageError("BadValue", `${folder} ${state}.`);
  }
  const nouns = importNouns.filter((noun) => names.includes(fileOf(noun)));
  return { nouns, hasOpening: names.includes(openingFile) };
}

async function rowsOf(noun: ImportNoun, path: string): Promise<FileRows> {
  await using source = closeAtBlockEnd(await openSource(path));
  const [first, ...others] = [...openReader(source, {}).rows()].flat();
  if (first === undefined) throw new UsageError("EmptyFile", `${path} is empty.`);
  const heads = first.cells.map(unguardCell);
  const indexByHeading = new Map(heads.map((name, at) => [name, at]));
  const at = (name: string) => indexByHeading.get(name) ?? -1;
  const faults: Detail[] = [];
  const rateNames = new Set<string>();
  const rows = others.flatMap((csvRow) => {
    const cells = csvRow.cells.map(unguardCell);
    if (cells.every((cell) => cell.trim() === "")) return [];
    const name = noun === "tax-rate" ? fold(cells[at("Name")] ?? "") : "";
    const fault =
      checkCellCount(csvRow, heads.length).fault ??
      listFault(cells, at, "Allocations") ??
      listFault(cells, at, "TaxComponents") ??
      (rateNames.has(name) ? sameRateName : undefined);
    if (name !== "") rateNames.add(name);
    const record = `${fileOf(noun)}, row ${csvRow.row}`;
    if (fault !== undefined) faults.push({ record, message: `The row ${fault}.` });
    rowNumbers.set(cells, csvRow.row);
    return [cells];
  });
  if (faults.length === 0) return { noun, heads, rows, at };
  const message = `${path} has ${counted(faults.length, "row")} that cannot be read.`;
  throw new RefusedError("RowsRefused", message, faults);
}

/** Original row numbers in their files. */
const rowNumbers = new WeakMap<Cells, number>();

/** Rates are known by name, to documents also. */
const sameRateName =
  "has the name of another tax rate; give one of them another name, here and in the lines of its documents";

/** Checks a list in a cell that is used before its file is imported. */
function listFault(cells: Cells, at: FileRows["at"], name: string): string | undefined {
  try {
    if (Array.isArray(listIn(cells, at(name)))) return undefined;
  } catch {
    // The return below reports it.
  }
  return `has ${name} that are no list as JSON`;
}

class FolderImport {
  readonly counts: Record<string, Counts> = {};
  readonly #ctx: Context;
  readonly #files: Files;
  readonly #scratch: string;
  readonly #trial: DryRunRefusals | undefined;
  #parts = 0;

  constructor(ctx: Context, rowsByNoun: Files, scratch: string, trial: DryRunRefusals | undefined) {
    this.#ctx = ctx;
    this.#files = rowsByNoun;
    this.#scratch = scratch;
    this.#trial = trial;
  }

  text(): string {
    return Object.entries(this.counts)
      .map(
        ([name, { imported, updated, existing }]) =>
          `${name}: ${imported} ${this.#trial ? "to import" : "imported"}${updated > 0 ? `, ${updated} ${this.#trial ? "to complete" : "completed"}` : ""}, ${existing} there already`,
      )
      .join("\n");
  }

  async all(opening: string | undefined): Promise<void> {
    const client = await this.#ctx.client();
    await this.#checkRates(client);
    for (const noun of first) await this.#whole(noun);
    await this.#whole("item");
    await this.#deletedItems();
    if (opening !== undefined) {
      await this.#open(client, opening).catch((error) => this.#refuse(error, openingFile));
    }
    for (const noun of nextNouns) await this.#whole(noun);
    const tracked = await trackedItems(client);
    await this.#inOrder([...this.#files.values()].flatMap((file) => documentsOf(file, tracked)));
    await this.#inOrder([...this.#files.values()].flatMap(settlementsOf));
    const doneNouns = new Set<ImportNoun>([...first, "item", ...nextNouns, "payment"]);
    for (const noun of importNouns) {
      if (!doneNouns.has(noun) && documents[noun] === undefined) await this.#whole(noun);
    }
    await this.#retire(client);
  }

  /** Refuses rates whose name another rate of the book in use has. */
  async #checkRates(client: Client): Promise<void> {
    const file = this.#files.get("tax-rate");
    if (file === undefined) return;
    const { rows, left } = await this.#rowsOutOfUse(client, file);
    const byName = (rowCells: readonly Cells[]) =>
      new Map(rowCells.map((cells) => [fold(cells[file.at("Name")] ?? ""), cells]));
    const retired = new Set(rows.map(([cells]) => cells));
    const archivedByName = byName(left.map(([cells]) => cells));
    const usedByName = byName(file.rows.filter((cells) => !retired.has(cells)));
    for await (const { Status, Name, TaxComponents, ReportTaxType } of client.list(taxRate)) {
      if (Status !== "ACTIVE") continue;
      const [archived, used] = [archivedByName, usedByName].map((cells) => cells.get(fold(Name)));
      const cells = archived ?? used;
      if (cells === undefined) continue;
      const given = listIn<{ readonly Rate?: unknown }>(cells, file.at("TaxComponents")).map(
        (component) => ({
          ...component,
          Rate: readDecimal(String(component.Rate ?? ""), scaleOf.percent),
        }),
      );
      const hasSame = given.length === TaxComponents?.length && isEqual(given, TaxComponents);
      if (hasSame && (archived === undefined || cells[file.at("ReportTaxType")] === ReportTaxType))
        continue;
      const fault = archived === undefined ? "has other components" : "is archived";
      const message = `The book has another tax rate ${Name} in use, and that of the file ${fault}`;
      const help = "acct tax-rate update --name gives that of the book another name.";
      this.#refuse(new RefusedError("RowsRefused", `${message}; ${help}`), fileOf("tax-rate"));
    }
  }

  /** Takes records out of use that are so in the folder, once all documents are imported. */
  async #retire(client: Client): Promise<void> {
    for (const noun of retiredNouns) {
      const file = this.#files.get(noun);
      if (file === undefined) continue;
      const { left } = await this.#rowsOutOfUse(client, file);
      // A rate in use that is deleted becomes archived.
      const asTheyAre = left.map(([cells]) =>
        noun === "tax-rate" ? put(cells, file.at("Status"), "DELETED") : cells,
      );
      await this.#import(file, asTheyAre, update);
    }
  }

  /** Returns the rows of records out of use that the book has archived already, and the others. */
  async #rowsOutOfUse(client: Client, file: FileRows) {
    const rows = [...rowsInUse(file.noun, file, namedIn([...this.#files.values()]))];
    const names = rows.length === 0 ? new Set() : await archivedNames(client, file.noun);
    const isDone = ([cells]: readonly [Cells, Cells]) =>
      names.has(fold(cells[file.at("Name")] ?? ""));
    return { rows, done: rows.filter(isDone), left: rows.filter((row) => !isDone(row)) };
  }

  async #open(client: Client, path: string): Promise<void> {
    const [input] = await inputsOf(this.#ctx, openingBalance, path, {});
    for await (const balances of client.list(openingBalance)) {
      if (isEqual(input, balances)) {
        this.#add("opening balances", { imported: 0, updated: 0, existing: 1 });
        return;
      }
      throw new RefusedError(
        "OpeningSet",
        "The book has other opening balances; acct opening remove takes them back.",
      );
    }
    await client.create(openingBalance, input ?? {});
    this.#add("opening balances", { imported: 1, updated: 0, existing: 0 });
  }

  async #whole(noun: ImportNoun): Promise<void> {
    const file = this.#files.get(noun);
    if (file === undefined) return;
    const { rows, done, left } = await this.#rowsOutOfUse(await this.#ctx.client(), file);
    const retired = new Set(rows.map(([cells]) => cells));
    await this.#import(
      file,
      file.rows.filter((cells) => !retired.has(cells)),
    );
    if (done.length > 0) {
      this.#add(pluralOf(noun), { imported: 0, updated: 0, existing: done.length });
    }
    for (const [cells, cellsInUse] of left) {
      rowNumbers.set(cellsInUse, rowNumbers.get(cells) ?? 0);
    }
    await this.#import(
      file,
      left.map(([, cellsInUse]) => cellsInUse),
      update,
    );
  }

  /** Makes the items that were deleted after documents with them, by their codes alone. */
  async #deletedItems(): Promise<void> {
    const file = this.#files.get("item");
    if (file === undefined) return;
    const codesIn = ({ rows, at }: FileRows, column: string) =>
      rows.flatMap((cells) => cells[at(column)] || []);
    const knownCodes = new Set(codesIn(file, "Code").map(fold));
    const named = [...this.#files.values()].flatMap((each) => codesIn(each, "LineItems.ItemCode"));
    const codes = new Map(named.map((code) => [fold(code), code]));
    const missing = [...codes].flatMap(([folded, code]) => (knownCodes.has(folded) ? [] : code));
    if (missing.length === 0) return;
    this.#ctx.out.say(
      `Items that documents name and ${fileOf("item")} lacks: ${missing.join(", ")}.`,
    );
    await this.#import(
      file,
      missing.map((code) => file.heads.map((name) => (name === "Code" ? code : ""))),
    );
  }

  async #inOrder(records: readonly Ordered[]): Promise<void> {
    for (const importPart of partsOf(records)) {
      const file = this.#files.get(importPart.file as ImportNoun);
      if (file !== undefined) await this.#import(file, joinedRows(file, importPart.records));
    }
  }

  async #import(
    file: FileRows,
    rows: readonly Cells[],
    options: ImportOptions = {},
  ): Promise<void> {
    if (rows.length === 0) return;
    const { noun, heads } = file;
    const columns = heads.flatMap((name, at) => (name === "Posted" ? [] : [at]));
    const folder = join(this.#scratch, String(this.#parts++));
    const path = join(folder, fileOf(noun));
    mkdirSync(folder);
    const lines = [heads, ...rows].map((cells) => csvRow(columns.map((at) => cells[at] ?? "")));
    writeFileSync(path, lines.join(""), { mode: 0o600 });
    const value = async (summary: unknown) => this.#add(pluralOf(noun), countsOf(summary));
    const ctx: Context = derived(this.#ctx, {
      ask: { confirm: async () => true },
      out: derived(this.#ctx.out, { value, say: () => undefined }),
    });
    const isDocument = noun === "bill" || noun === "invoice";
    const onError = this.#trial === undefined ? "stop" : "skip";
    const asked = { ...(isDocument ? { allowZero: true } : {}), onError, ...options } as const;
    const tuning = { ...usualTuning, rowNumbers: rows.map((cells) => rowNumbers.get(cells) ?? 0) };
    try {
      await importFile(ctx, noun, path, asked, tuning);
    } catch (error) {
      this.#refuse(error, fileOf(noun), path);
    }
  }

  /**
   * Records a refusal in a dry run.
   *
   * @throws the error otherwise, as partly done where records were imported before
   */
  #refuse(error: unknown, name: string, path = name): void {
    if (!(error instanceof AcctError)) throw error;
    const message = error.message.replaceAll(path, name);
    if (this.#trial !== undefined && isOfFile(error)) {
      const sentences =
        error.details.length === 0 ? [message] : error.details.map((detail) => detail.message);
      for (const sentence of sentences) this.#trial.refused.set(sentence, name);
      return;
    }
    if (Object.keys(this.counts).length === 0) throw error;
    this.#ctx.out.say(this.text());
    const goesOn =
      this.#ctx.flags.plan === undefined
        ? "What is told above is in the book; the same command goes on from there."
        : "What is told above is in the plan.";
    throw new PartlyDoneError(`${name}: ${message} ${goesOn}`, error.details);
  }

  #add(name: string, { imported, updated, existing }: Counts): void {
    const countsBefore = this.counts[name];
    this.counts[name] = {
      imported: imported + (countsBefore?.imported ?? 0),
      updated: updated + (countsBefore?.updated ?? 0),
      existing: existing + (countsBefore?.existing ?? 0),
    };
  }
}

const isOfFile = (error: AcctError) =>
  error.code !== "NotOffered" &&
  [UsageError, NotFoundError, RefusedError, PartlyDoneError].some((kind) => error instanceof kind);

/** Returns an object with some members replaced, and the original as its prototype. */
const derived = <T extends object>(from: T, members: Partial<T>): T =>
  Object.create(from, Object.getOwnPropertyDescriptors(members)) as T;

function countsOf(result: unknown): Counts {
  const summary = result as { records: string } & Record<string, Partial<Counts> | undefined>;
  const { imported = 0, updated = 0, existing = 0 } = summary[summary.records] ?? {};
  return { imported, updated, existing };
}

async function trackedItems(client: Client): Promise<ReadonlySet<string>> {
  const trackedCodes = new Set<string>();
  for await (const { Code, IsTrackedAsInventory } of client.list(item)) {
    if (IsTrackedAsInventory) trackedCodes.add(fold(Code));
  }
  return trackedCodes;
}

/** Names of archived contacts or rates; other records are taken back into use for the import. */
async function archivedNames(client: Client, noun: ImportNoun): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  if (noun === "contact") {
    const query = { where: 'ContactStatus=="ARCHIVED"', parameters: { includeArchived: "true" } };
    for await (const { Name } of client.list(contact, query)) names.add(fold(Name));
  }
  if (noun === "tax-rate") {
    for await (const { Name, Status } of client.list(taxRate)) {
      if (Status === "ARCHIVED") names.add(fold(Name));
    }
  }
  return names;
}

function put(cells: Cells, at: number, text: string): Cells {
  if (at < 0) return cells;
  const newCells = cells.with(at, text);
  rowNumbers.set(newCells, rowNumbers.get(cells) ?? 0);
  return newCells;
}

const update: ImportOptions = { onDuplicate: "update" };

/** Order within a day: purchases first, and returned goods before sold goods. */
const ranks = ["ACCPAY", "SPEND", "ACCRECCREDIT", "ACCREC", "RECEIVE", "ACCPAYCREDIT"];

function orderOf({ noun, heads, at }: FileRows, rows: readonly Cells[]): Omit<Ordered, "touches"> {
  const [cells = []] = rows;
  const ownHeads = [
    "Posted",
    "Allocations",
    ...(documents[noun] ?? []).filter((name) => name.endsWith("ID")),
  ];
  const type = noun === "bill" ? "ACCPAY" : (cells[at("Type")] ?? "ACCREC");
  return {
    file: noun,
    rows,
    posted: Number(cells[at("Posted")]) || undefined,
    day: cells[at("Date")] ?? "",
    rank: ranks.indexOf(type.replace(/-.*/, "")),
    alike: rows
      .map((row) => row.filter((_, column) => !ownHeads.includes(heads[column] ?? "")).join("\0"))
      .join("\n"),
  };
}

/** Groups the rows of a file by record. */
function groupRows(file: FileRows): Cells[][] {
  return [...Map.groupBy(file.rows, (cells) => groupOf(file, cells)).values()];
}

/**
 * Returns the group key of a row's document; a row without id and number is a document of its own.
 */
function groupOf({ noun, at }: FileRows, cells: Cells): string {
  const by = documents[noun] ?? [];
  const [first = "", second = "", ...others] = by.map((name) => fold(cells[at(name)] ?? ""));
  if (by[0]?.endsWith("ID") !== true) return [first, second].join("\0");
  if (first !== "") return first;
  return ["", second || rowNumbers.get(cells), ...others].join("\0");
}

function documentsOf(file: FileRows, trackedCodes: ReadonlySet<string>): Ordered[] {
  if (documents[file.noun] === undefined) return [];
  const [allocations, code] = [file.at("Allocations"), file.at("LineItems.ItemCode")];
  return groupRows(file).map((rows) => ({
    ...orderOf(
      file,
      rows.map((cells) => put(cells, allocations, "")),
    ),
    touches: rows.map((cells) => cells[code] ?? "").filter((text) => trackedCodes.has(fold(text))),
  }));
}

interface AllocatedPart {
  readonly Posted?: number;
  readonly Date?: string;
  readonly Invoice?: { readonly InvoiceNumber?: string };
}

const listIn = <T = unknown>(cells: Cells, at: number): readonly T[] =>
  JSON.parse(cells[at] || "[]") as readonly T[];

const allocationsIn = listIn<AllocatedPart>;

/** Returns payments, and each allocation of a credit with the rows of the credit. */
function settlementsOf(file: FileRows): Ordered[] {
  const { noun, rows, at } = file;
  const cellNamed = (cells: Cells, ...names: readonly string[]) =>
    names.map((name) => cells[at(name)] ?? "").join("|");
  if (noun === "payment") {
    const number = (cells: Cells) =>
      cells[at("Invoice.InvoiceNumber")] || cells[at("CreditNote.CreditNoteNumber")];
    return rows.map((cells) => ({
      ...orderOf(file, [cells]),
      touches: [number(cells) || cellNamed(cells, "Credit.Date", "Contact.Name")],
    }));
  }
  const allocationsAt = at("Allocations");
  if (documents[noun] === undefined || allocationsAt < 0) return [];
  return groupRows(file).flatMap((own) =>
    allocationsIn(own[0] ?? [], allocationsAt).map((allocated, index) => ({
      ...orderOf(
        file,
        own.map((cells) => put(cells, allocationsAt, JSON.stringify([allocated]))),
      ),
      posted: allocated.Posted,
      day: allocated.Date ?? "",
      touches: [
        allocated.Invoice?.InvoiceNumber ?? "",
        cells0(own, at("CreditNoteNumber")) || cellNamed(own[0] ?? [], "Date", "Contact.Name"),
      ],
      alike: `${cellNamed(own[0] ?? [], ...(documents[noun] ?? []))}|${index}`,
    })),
  );
}

const cells0 = (rows: readonly Cells[], at: number) => rows[0]?.[at] ?? "";

/**
 * Returns the rows of a part; a credit that occurs several times is joined, with all its
 * allocations.
 */
function joinedRows(file: FileRows, records: readonly Ordered[]): Cells[] {
  const allocationsAt = file.at("Allocations");
  if (allocationsAt < 0) return records.flatMap(({ rows }) => [...rows]);
  const byCredit = Map.groupBy(records, ({ rows }) => groupOf(file, rows[0] ?? []));
  return [...byCredit.values()].flatMap((ofCredit) => {
    const allocations = ofCredit.flatMap(({ rows }) => allocationsIn(rows[0] ?? [], allocationsAt));
    const text = allocations.length === 0 ? "" : JSON.stringify(allocations);
    return (ofCredit[0]?.rows ?? []).map((cells) => put(cells, allocationsAt, text));
  });
}
