/**
 * `acct import DIR`: all files of a folder, as `acct export folder` writes them.
 *
 * Each file is imported as it is by itself, but documents go in by the order in which they were
 * posted, and so do payments and allocations after them: goods are on hand when they are sold, and
 * what settles a document on the cash basis is rounded as it was.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../client/client.ts";
import { AcctError, RefusedError, UsageError } from "../../resources/errors.ts";
import { item } from "../../resources/item.ts";
import { openingBalance } from "../../resources/opening-balance.ts";
import { counted } from "../../resources/scalar.ts";
import { describeTarget } from "../connection/target.ts";
import type { Context } from "../context/context.ts";
import { confirmed } from "../framework/confirm.ts";
import { inputsOf } from "../framework/input.ts";
import { csvRow, unguarded } from "../render/csv-row.ts";
import { PartlyDoneError } from "../render/error.ts";
import { didYouMean } from "../values/suggest.ts";
import {
  type ImportNoun,
  type ImportOptions,
  importNouns,
  openingFile,
  pluralOf,
} from "./options.ts";
import { openReader } from "./readers/reader.ts";
import { openSource } from "./readers/source.ts";
import { agrees, fold } from "./records/lookup.ts";
import { type Ordered, partsOf } from "./records/order.ts";
import { importFile } from "./run.ts";

const first: readonly ImportNoun[] = ["currency", "tax-rate", "account", "tracking", "contact"];
const next: readonly ImportNoun[] = ["quote", "purchase-order"];

/** Documents, and the columns by which rows are one of them. */
const documents: Partial<Record<ImportNoun, readonly string[]>> = {
  bill: ["InvoiceNumber", "Contact.Name"],
  invoice: ["InvoiceNumber"],
  "credit-note": ["CreditNoteID"],
  "bank-transaction": ["BankTransactionID"],
};

interface FileRows {
  readonly noun: ImportNoun;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly at: (name: string) => number;
}

type Cells = readonly string[];
type Counts = { imported: number; updated: number; existing: number };

/** @throws UsageError of a folder that has other files, PartlyDoneError where a later file is refused */
export async function importFolder(ctx: Context, folder: string): Promise<void> {
  const { nouns, hasOpening } = filesIn(folder);
  const files = new Map<ImportNoun, FileRows>();
  for (const noun of nouns) files.set(noun, await rowsOf(noun, join(folder, fileOf(noun))));
  const what = [...files.values()].map(({ noun, rows }) =>
    counted(rows.length, `row of ${pluralOf(noun)}`, `rows of ${pluralOf(noun)}`),
  );
  ctx.out.say(`${folder}: ${[...(hasOpening ? ["opening balances"] : []), ...what].join(", ")}`);
  if (ctx.flags.dryRun && ctx.flags.plan === undefined) {
    await ctx.out.value(
      { folder, files: nouns.map(fileOf) },
      "Nothing was imported: each record is checked once those before it are in.",
    );
    return;
  }
  await confirmed(ctx, `Import them into ${describeTarget(ctx.target())}?`);
  const scratch = mkdtempSync(join(tmpdir(), "acct-folder-"));
  const run = new FolderImport(ctx, files, scratch);
  try {
    await run.all(hasOpening ? join(folder, openingFile) : undefined);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  await ctx.out.value(run.counts, run.text());
}

const fileOf = (noun: ImportNoun) => `${pluralOf(noun)}.csv`;

/** @throws UsageError */
function filesIn(folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const meant = didYouMean(folder, importNouns.map(pluralOf));
    const message = `There is no folder "${folder}", and no records of that name.`;
    throw new UsageError(
      "UnknownCommand",
      `${message}${meant === "" ? " acct import --help lists them." : meant}`,
    );
  }
  const names = readdirSync(folder).filter((name) => !/^\.|\.rejected(?:-\d+)?\.csv$/.test(name));
  const known = [openingFile, ...importNouns.map(fileOf)];
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined || names.length === 0) {
    const said =
      other === undefined ? "is empty" : `holds ${other}, which is none of ${known.join(", ")}`;
    throw new UsageError("BadValue", `${folder} ${said}.`);
  }
  const nouns = importNouns.filter((noun) => names.includes(fileOf(noun)));
  return { nouns, hasOpening: names.includes(openingFile) };
}

async function rowsOf(noun: ImportNoun, path: string): Promise<FileRows> {
  const source = await openSource(path, () => {
    throw new Error("A file of a folder is no standard input.");
  });
  try {
    const all = [...openReader(source, {}).rows()].flat();
    const [heads = [], ...rows] = all.map(({ cells }) => cells.map(unguarded));
    const places = new Map(heads.map((name, at) => [name, at]));
    return { noun, heads, rows, at: (name) => places.get(name) ?? -1 };
  } finally {
    source.close();
  }
}

class FolderImport {
  readonly counts: Record<string, Counts> = {};
  readonly #ctx: Context;
  readonly #files: ReadonlyMap<ImportNoun, FileRows>;
  readonly #scratch: string;
  #parts = 0;

  constructor(ctx: Context, files: ReadonlyMap<ImportNoun, FileRows>, scratch: string) {
    this.#ctx = ctx;
    this.#files = files;
    this.#scratch = scratch;
  }

  text(): string {
    return Object.entries(this.counts)
      .map(
        ([name, { imported, updated, existing }]) =>
          `${name}: ${imported} imported${updated > 0 ? `, ${updated} completed` : ""}, ${existing} there already`,
      )
      .join("\n");
  }

  async all(opening: string | undefined): Promise<void> {
    const client = await this.#ctx.client();
    for (const noun of first) await this.#whole(noun);
    await this.#whole("item");
    if (opening !== undefined) await this.#open(client, opening);
    for (const noun of next) await this.#whole(noun);
    const tracked = await trackedItems(client);
    await this.#inOrder([...this.#files.values()].flatMap((file) => documentsOf(file, tracked)));
    await this.#inOrder([...this.#files.values()].flatMap(settlementsOf));
    const done = new Set<ImportNoun>([...first, "item", ...next, "payment"]);
    for (const noun of importNouns) {
      if (!done.has(noun) && documents[noun] === undefined) await this.#whole(noun);
    }
    const accounts = this.#files.get("account");
    if (accounts !== undefined) await this.#setArchived(accounts, "ARCHIVED");
  }

  async #open(client: Client, path: string): Promise<void> {
    const [input] = await inputsOf(this.#ctx, openingBalance, path, {});
    for await (const held of client.list(openingBalance)) {
      if (agrees(input, held)) {
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
    if (noun === "account") await this.#setArchived(file, "ACTIVE");
    else await this.#import(file, file.rows);
  }

  /** Accounts that are out of use are in use until everything is in. */
  async #setArchived(file: FileRows, status: string): Promise<void> {
    const at = file.at("Status");
    const [archived = [], others = []] = [true, false].map((isOut) =>
      file.rows.filter((cells) => (cells[at] === "ARCHIVED") === isOut),
    );
    if (status === "ACTIVE") await this.#import(file, others);
    await this.#import(
      file,
      archived.map((cells) => put(cells, at, status)),
      { onDuplicate: "update" },
    );
  }

  async #inOrder(records: readonly Ordered[]): Promise<void> {
    for (const part of partsOf(records)) {
      const file = this.#files.get(part.file as ImportNoun);
      if (file !== undefined) await this.#import(file, joined(file, part.records));
    }
  }

  async #import(
    file: FileRows,
    rows: readonly Cells[],
    options: ImportOptions = {},
  ): Promise<void> {
    if (rows.length === 0) return;
    const { noun, heads } = file;
    const kept = heads.flatMap((name, at) => (name === "Posted" ? [] : [at]));
    const folder = join(this.#scratch, String(this.#parts++));
    const path = join(folder, fileOf(noun));
    mkdirSync(folder);
    const lines = [heads, ...rows].map((cells) => csvRow(kept.map((at) => cells[at] ?? "")));
    writeFileSync(path, lines.join(""), { mode: 0o600 });
    const value = async (said: unknown) => this.#add(pluralOf(noun), countsOf(said));
    const ctx: Context = derived(this.#ctx, {
      ask: { confirm: async () => true },
      out: derived(this.#ctx.out, { value, say: () => undefined }),
    });
    const isDocument = noun === "bill" || noun === "invoice";
    try {
      await importFile(ctx, noun, path, { ...(isDocument ? { allowZero: true } : {}), ...options });
    } catch (error) {
      throw this.#refused(error, noun);
    }
  }

  #refused(error: unknown, noun: ImportNoun): unknown {
    if (!(error instanceof AcctError) || Object.keys(this.counts).length === 0) return error;
    this.#ctx.out.say(this.text());
    const goesOn = "What is told above is in the book; the same command goes on from there.";
    return new PartlyDoneError(`${fileOf(noun)}: ${error.message} ${goesOn}`, error.details);
  }

  #add(name: string, { imported, updated, existing }: Counts): void {
    const before = this.counts[name];
    this.counts[name] = {
      imported: imported + (before?.imported ?? 0),
      updated: updated + (before?.updated ?? 0),
      existing: existing + (before?.existing ?? 0),
    };
  }
}

/** The same but for some members, of an object whose members are its own or its prototype's. */
const derived = <T extends object>(from: T, members: Partial<T>): T =>
  Object.create(from, Object.getOwnPropertyDescriptors(members)) as T;

function countsOf(said: unknown): Counts {
  const summary = said as { records: string } & Record<string, Partial<Counts> | undefined>;
  const { imported = 0, updated = 0, existing = 0 } = summary[summary.records] ?? {};
  return { imported, updated, existing };
}

async function trackedItems(client: Client): Promise<ReadonlySet<string>> {
  const tracked = new Set<string>();
  for await (const { Code, IsTrackedAsInventory } of client.list(item)) {
    if (IsTrackedAsInventory) tracked.add(fold(Code));
  }
  return tracked;
}

const put = (cells: Cells, at: number, text: string): Cells =>
  at < 0 ? cells : cells.with(at, text);

/** Purchases come first within a day, and goods that come back before those that go out. */
const ranks = ["ACCPAY", "SPEND", "ACCRECCREDIT", "ACCREC", "RECEIVE", "ACCPAYCREDIT"];

function ordered({ noun, heads, at }: FileRows, rows: readonly Cells[]): Omit<Ordered, "touches"> {
  const [cells = []] = rows;
  const own = [
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
      .map((row) => row.filter((_, place) => !own.includes(heads[place] ?? "")).join("\0"))
      .join("\n"),
  };
}

/** Records of a file, each with its rows. */
function grouped({ noun, rows, at }: FileRows): Cells[][] {
  const by = documents[noun] ?? [];
  const keyOf = (cells: Cells) => fold(by.map((name) => cells[at(name)] ?? "").join("\0"));
  return [...Map.groupBy(rows, keyOf).values()];
}

function documentsOf(file: FileRows, tracked: ReadonlySet<string>): Ordered[] {
  if (documents[file.noun] === undefined) return [];
  const [allocations, code] = [file.at("Allocations"), file.at("LineItems.ItemCode")];
  return grouped(file).map((rows) => ({
    ...ordered(
      file,
      rows.map((cells) => put(cells, allocations, "")),
    ),
    touches: rows.map((cells) => cells[code] ?? "").filter((each) => tracked.has(fold(each))),
  }));
}

interface Allocated {
  readonly Posted?: number;
  readonly Date?: string;
  readonly Invoice?: { readonly InvoiceNumber?: string };
}

const allocationsIn = (cells: Cells, at: number): readonly Allocated[] =>
  JSON.parse(cells[at] || "[]") as readonly Allocated[];

/** Payments, and each allocation of a credit with the rows of the credit. */
function settlementsOf(file: FileRows): Ordered[] {
  const { noun, rows, at } = file;
  const named = (cells: Cells, ...names: readonly string[]) =>
    names.map((name) => cells[at(name)] ?? "").join("|");
  if (noun === "payment") {
    const number = (cells: Cells) =>
      cells[at("Invoice.InvoiceNumber")] || cells[at("CreditNote.CreditNoteNumber")];
    return rows.map((cells) => ({
      ...ordered(file, [cells]),
      touches: [number(cells) || named(cells, "Credit.Date", "Contact.Name")],
    }));
  }
  const place = at("Allocations");
  if (documents[noun] === undefined || place < 0) return [];
  return grouped(file).flatMap((own) =>
    allocationsIn(own[0] ?? [], place).map((each, index) => ({
      ...ordered(
        file,
        own.map((cells) => put(cells, place, JSON.stringify([each]))),
      ),
      posted: each.Posted,
      day: each.Date ?? "",
      touches: [
        each.Invoice?.InvoiceNumber ?? "",
        cells0(own, at("CreditNoteNumber")) || named(own[0] ?? [], "Date", "Contact.Name"),
      ],
      alike: `${named(own[0] ?? [], ...(documents[noun] ?? []))}|${index}`,
    })),
  );
}

const cells0 = (rows: readonly Cells[], at: number) => rows[0]?.[at] ?? "";

/** The rows of a part: of a credit that is in it several times, those of one with all that is allocated. */
function joined(file: FileRows, records: readonly Ordered[]): Cells[] {
  const place = file.at("Allocations");
  if (place < 0) return records.flatMap(({ rows }) => [...rows]);
  const id = file.at(documents[file.noun]?.[0] ?? "");
  const byCredit = Map.groupBy(records, ({ rows }) => cells0(rows, id));
  return [...byCredit.values()].flatMap((own) => {
    const all = own.flatMap(({ rows }) => allocationsIn(rows[0] ?? [], place));
    const text = all.length === 0 ? "" : JSON.stringify(all);
    return (own[0]?.rows ?? []).map((cells) => put(cells, place, text));
  });
}
