/**
 * The road of an import: read, check every row, show the plan, ask, send in batches, report.
 *
 * Nothing is sent before all of the file has been looked at. Each batch is one request, which the
 * service does wholly or not at all; what was done by an earlier run, interrupted wherever, is found
 * in the book by its number, so the same command goes on from there.
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Client } from "../../client/client.ts";
import { type Detail, RefusedError, UsageError } from "../../resources/errors.ts";
import type { Input, Resource } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import { confirmed } from "../change.ts";
import type { Context } from "../context.ts";
import { isTerminal } from "../globals.ts";
import { describePlace } from "../place.ts";
import { PartlyDoneError } from "../render/error.ts";
import { createProgress, type Progress } from "../render/progress.ts";
import { descriptorSink } from "../render/sink.ts";
import { loadChart } from "./chart.ts";
import { type Columns, columnsOf } from "./columns.ts";
import type { ImportOptions } from "./command.ts";
import { type CsvForm, type CsvRow, formOf, rowsOf } from "./csv.ts";
import { DocumentImporter } from "./documents.ts";
import type { Draft, Importer, Refusal } from "./draft.ts";
import { embeddedBounds, remoteBounds } from "./lookup.ts";
import { type Mapped, type Mapping, mappingOf } from "./mapping.ts";
import { type ImportNoun, isDocument } from "./nouns.ts";
import { PaymentImporter } from "./payments.ts";
import { Refusals } from "./refusals.ts";
import { ContactImporter, ItemImporter } from "./registers.ts";
import { writeRejected } from "./rejected.ts";
import { type Account, accountJson, planText, summaryText } from "./report.ts";
import { batchMax, sendBatch } from "./send.ts";
import { keepSettings, type Settings, settingsOf } from "./settings.ts";
import { openSource, type Source } from "./source.ts";
import { createGroups, createWaiting, type Groups, type Waiting } from "./spill.ts";
import { type Fate, Tally } from "./tally.ts";

/** Bounds that a test lowers. */
export interface Tuning {
  /** A file up to this size is gathered in memory; a larger one in parts of it. */
  readonly memoryBytes: number;
  /** Most records in one request. */
  readonly batch: number;
}

const usual: Tuning = { memoryBytes: 8 * 1024 * 1024, batch: batchMax };
/** Most parts that a file is dealt into; each takes an open file. */
const partsMax = 128;
/** Most bytes of one request, of the 10 MiB that the service takes. */
const requestBytesMax = 4 * 1024 * 1024;
/** Most refused rows that an error lists for programs, and for people, who have the file of them. */
const detailsMax = 1_000;
const detailsShownMax = 20;

/** Runs one import, and shows what became of it. @throws as the command line's exit codes need it */
export async function importFile(
  ctx: Context,
  noun: ImportNoun,
  file: string,
  options: ImportOptions,
  tuning: Tuning = usual,
): Promise<void> {
  keepOff(file, options);
  holdMemoryDown();
  const settings = settingsOf(noun, options);
  const source = await openSource(file, () => process.stdin);
  try {
    await new Import({ ctx, noun, file, options, settings, source, tuning }).run();
  } finally {
    source.close();
  }
}

/**
 * A flag that would write over the file that is imported is a slip of the hand.
 *
 * @throws UsageError `BadValue`
 */
function keepOff(file: string, { rejected, saveMapping }: ImportOptions): void {
  const source = resolve(file);
  for (const [flag, path] of [
    ["--rejected", rejected],
    ["--save-mapping", saveMapping],
  ]) {
    if (path === undefined || file === "-" || resolve(path) !== source) continue;
    throw new UsageError("BadValue", `${flag} would write over ${file}; name another file.`);
  }
}

/**
 * Lets the heap grow with what is in it and not with what the machine has.
 *
 * On a machine with much memory the engine lets garbage lie: an import of 10,000 invoices peaked at
 * 320 MiB, of which 50 were in use. With these two settings it peaks at 180 and takes a tenth
 * longer. They hold for the rest of the process, which ends with the import.
 */
function holdMemoryDown(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}

interface Given {
  readonly ctx: Context;
  readonly noun: ImportNoun;
  readonly file: string;
  readonly options: ImportOptions;
  readonly settings: Settings;
  readonly source: Source;
  readonly tuning: Tuning;
}

class Import {
  readonly #given: Given;
  readonly #form: CsvForm;
  readonly #columns: Columns;
  readonly #mapping: Mapping;
  readonly #refusals = new Refusals();
  /** How many of them the plan has shown. */
  #refusalsShown = 0;
  readonly #tally = new Tally();

  constructor(given: Given) {
    const { source, settings, noun, options, ctx } = given;
    this.#given = given;
    this.#form = formOf(source, settings);
    this.#columns = columnsOf(headingsOf(source, this.#form));
    const fixed = new Map(options.status === undefined ? [] : [["Status", options.status]]);
    this.#mapping = mappingOf(noun, this.#columns, settings, fixed, ctx.today());
    requireFields(noun, this.#mapping, this.#columns);
    if (options.saveMapping !== undefined) keepSettings(options.saveMapping, noun, settings);
  }

  async run(): Promise<void> {
    const { ctx, options } = this.#given;
    const client = await ctx.client();
    const importer = await this.#importer(client);
    const groups = this.#groups();
    const waiting = createWaiting(this.#isLarge);
    try {
      await this.#read(importer, groups);
      await this.#check(importer, groups, waiting);
      if (this.#refusals.count > 0 && options.onError !== "skip") this.#leave(waiting, 0);
      const { imported, updated, left } = this.#tally.records;
      if (ctx.flags.dryRun || left > 0) return await this.#end(importer, planText);
      if (imported + updated > 0) {
        ctx.out.say(planText(this.#account(importer)));
        this.#refusalsShown = this.#refusals.count;
        await confirmed(ctx, question(importer, imported, updated, describePlace(ctx.place())));
        await this.#send(client, importer, waiting);
      }
      await this.#end(importer, summaryText);
    } finally {
      groups.remove();
      waiting.remove();
    }
  }

  get #isLarge(): boolean {
    const { source, tuning } = this.#given;
    return source.bytes > tuning.memoryBytes;
  }

  async #importer(client: Client): Promise<Importer> {
    const { noun, options, settings, ctx } = this.#given;
    const mapping = this.#mapping;
    const bounds = ctx.place().kind === "remote" ? remoteBounds : embeddedBounds;
    const isMapped = (part: RegExp) => mapping.fields.some(({ target }) => part.test(target.path));
    const chart = await loadChart(client, {
      accounts: isMapped(/Account/),
      taxRates: isMapped(/Tax/),
      tracking: isMapped(/Tracking/),
    });
    const common = { client, bounds, chart, mapping };
    const { onDuplicate = "skip", recreate = false } = options;
    if (noun === "contact") return new ContactImporter({ ...common, onDuplicate });
    if (noun === "item") return new ItemImporter({ ...common, onDuplicate });
    if (noun === "payment") {
      const onRepeat = onDuplicate === "error" ? "error" : "skip";
      return new PaymentImporter({ ...common, onDuplicate: onRepeat, recreate });
    }
    return new DocumentImporter({
      ...common,
      type: noun === "invoice" ? "ACCREC" : "ACCPAY",
      decimal: settings.decimal,
      createContacts: options.createContacts ?? false,
      createItems: options.createItems ?? false,
      onDuplicate,
      partial: options.partial ?? false,
      allowZero: options.allowZero ?? false,
      recreate,
    });
  }

  #groups(): Groups {
    const { source, tuning } = this.#given;
    return createGroups(Math.min(partsMax, Math.ceil(source.bytes / tuning.memoryBytes)));
  }

  /** Lets Ctrl-C in. @throws InterruptedError */
  async #breathe(): Promise<void> {
    await setImmediate();
    this.#given.ctx.interrupted.throwIfAborted();
  }

  // --- reading and checking ------------------------------------------------------------------

  async #read(importer: Importer, groups: Groups): Promise<void> {
    const width = this.#columns.headings.length;
    let isHeading = true;
    for (const rows of rowsOf(this.#given.source, this.#form)) {
      for (const row of rows) {
        if (isHeading) isHeading = false;
        else if (row.cells.some((cell) => cell.trim() !== "")) {
          groups.add(importer.keyOf(row.cells), checkedWidth(row, width));
        }
      }
      await this.#breathe();
    }
  }

  /** Checks what was read, a few hundred records at a time, and keeps what is to be sent. */
  async #check(importer: Importer, groups: Groups, waiting: Waiting): Promise<void> {
    let drafts: Draft[] = [];
    const examine = async () => {
      await importer.examine(drafts, this.#refuse);
      for (const draft of drafts) {
        if (draft.verdict === "refused") continue;
        this.#tally.add(fateOf(draft), draft);
        if (draft.verdict !== "existing") waiting.add(draft);
      }
      drafts = [];
      await this.#breathe();
    };
    for (const rows of groups.each()) {
      drafts.push(...importer.build(rows, this.#refuse));
      if (drafts.length >= this.#given.tuning.batch) await examine();
    }
    if (drafts.length > 0) await examine();
  }

  readonly #refuse = (refusal: Refusal): void => {
    this.#refusals.add(refusal.row, refusal.record, refusal.reason);
    this.#tally.refuse(refusal);
  };

  /** What waits is not sent, except for the first records, which were. */
  #leave(waiting: Waiting, sent: number): void {
    let at = 0;
    for (const draft of waiting.each()) {
      at += 1;
      if (at <= sent) continue;
      this.#tally.remove(fateOf(draft), draft);
      this.#tally.add("left", draft);
    }
  }

  // --- sending -------------------------------------------------------------------------------

  async #send(client: Client, importer: Importer, waiting: Waiting): Promise<void> {
    const { imported, updated } = this.#tally.records;
    const total = imported + updated;
    let sent = 0;
    try {
      for (const related of importer.related) {
        if (related.count === 0) continue;
        await this.#shown(related.several, related.count, (advance) => related.make(advance));
      }
      await this.#shown(importer.several, total, async (advance) => {
        for (const batch of this.#batches(waiting.each())) {
          const refusedBefore = this.#refusals.count;
          await this.#sendBatch(client, importer, batch);
          sent += batch.length;
          advance(batch.length);
          await this.#breathe();
          const isBad = this.#refusals.count > refusedBefore;
          if (isBad && this.#given.options.onError !== "skip") break;
        }
      });
    } catch (error) {
      this.#given.ctx.out.say(
        `${sent} of ${total} ${importer.several} were sent; the same command goes on from there.`,
      );
      throw error;
    }
    this.#leave(waiting, sent);
  }

  /** Records of one verdict, as many as one request takes. */
  *#batches(drafts: Iterable<Draft>): Generator<Draft[]> {
    let batch: Draft[] = [];
    let bytes = 0;
    for (const draft of drafts) {
      const isOther = batch.length > 0 && batch[0]?.verdict !== draft.verdict;
      const isFull =
        batch.length >= this.#given.tuning.batch || bytes + draft.bytes > requestBytesMax;
      if (batch.length > 0 && (isOther || isFull)) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(draft);
      bytes += draft.bytes;
    }
    if (batch.length > 0) yield batch;
  }

  async #sendBatch(client: Client, importer: Importer, batch: readonly Draft[]): Promise<void> {
    const { resource } = importer;
    const ready: { draft: Draft; input: Input<Resource> }[] = [];
    for (const draft of batch) {
      const input = importer.finish(draft);
      if (typeof input === "string") this.#refuseSent(importer, draft, input);
      else ready.push({ draft, input: input as Input<Resource> });
    }
    if (ready.length === 0) return;
    const outcomes = await sendBatch(
      client,
      batch[0]?.verdict === "update" ? "POST" : "PUT",
      resource,
      ready.map(({ input }) => input),
      resource.unitdp === true ? { unitDecimals: 4 } : {},
      this.#given.ctx.place().kind === "remote" ? (inputs) => this.#keyOf(inputs) : undefined,
    );
    for (const [at, outcome] of outcomes.entries()) {
      const sent = ready[at];
      if (sent !== undefined && typeof outcome === "string") {
        this.#refuseSent(importer, sent.draft, outcome);
      }
    }
  }

  /** From the content alone, so that the same records sent again are known as the same. */
  #keyOf(inputs: readonly object[]): string {
    const hash = createHash("sha256").update(JSON.stringify(inputs));
    // What is made again on purpose must not be taken for what was made the first time.
    if (this.#given.options.recreate === true) hash.update(String(this.#given.ctx.clock()));
    return `import-${hash.digest("hex").slice(0, 48)}`;
  }

  /** The service refused it: the row that it found fault with has the reason, the others follow. */
  #refuseSent(importer: Importer, draft: Draft, reason: string): void {
    this.#tally.remove(fateOf(draft), draft);
    const faulty = importer.rowAtFault?.(reason);
    const row = faulty === undefined ? undefined : draft.rows[faulty];
    for (const [at, each] of draft.rows.entries()) {
      const isOther = row !== undefined && row !== each;
      this.#refuse({
        row: each,
        record: draft.label,
        reason: isOther ? `Row ${row} of the same ${importer.one} is refused.` : reason,
        amount: draft.amounts[at],
        currency: draft.currency,
        counts: at === 0,
      });
    }
  }

  async #shown(
    unit: string,
    total: number,
    work: (advance: (count: number) => void) => Promise<void>,
  ): Promise<void> {
    const progress = this.#progress(unit, total);
    try {
      await work((count) => progress.advance(count));
    } finally {
      progress.end();
    }
  }

  #progress(unit: string, total: number): Progress {
    const { clock, out } = this.#given.ctx;
    if (!isTerminal(2)) {
      const write = (text: string) => out.say(text.trimEnd());
      return createProgress({ unit, total, width: undefined, write, clock });
    }
    const { write } = descriptorSink(2);
    const width = process.stderr.columns || 80; // 0 where the terminal has not said
    return createProgress({ unit, total, width, write: (text) => void write(text), clock });
  }

  // --- reporting -----------------------------------------------------------------------------

  #account(importer: Importer, rejected?: string): Account {
    const { file, ctx } = this.#given;
    return {
      file: file === "-" ? "standard input" : file,
      form: this.#form,
      importer,
      mapping: this.#mapping,
      tally: this.#tally,
      refusals: this.#refusals,
      related: importer.related,
      notes: [...importer.notes(), ...this.#tally.notes()],
      isDryRun: ctx.flags.dryRun,
      rejected,
      isShown: this.#refusals.count === this.#refusalsShown,
    };
  }

  /**
   * Shows the account, and fails if rows were refused.
   *
   * @throws PartlyDoneError when some of the file is in the book, RefusedError when nothing is
   */
  async #end(importer: Importer, textOf: (account: Account) => string): Promise<void> {
    const rejected = this.#writeRejected();
    const account = this.#account(importer, rejected);
    await this.#given.ctx.out.value(accountJson(account), textOf(account));
    if (this.#refusals.count === 0) return;
    const { rows, records } = this.#tally;
    const { several, one } = importer;
    const refused = `${counted(rows.refused, "row")} ${rows.refused === 1 ? "is" : "are"} refused`;
    const where = ` ${rejected === undefined ? "-o json lists" : `${rejected} holds`} each of them.`;
    const hint =
      rows.left > 0
        ? ` ${counted(records.left, one, several)} without fault ${records.left === 1 ? "was" : "were"} not sent; --on-error skip leaves out what is bad.`
        : "";
    const changed = records.imported + records.updated;
    if (changed === 0 && (records.existing === 0 || rows.left > 0)) {
      const message = `${refused}, and nothing was imported.${where}${hint}`;
      throw new RefusedError("RowsRefused", message, this.#details());
    }
    const would = this.#given.ctx.flags.dryRun ? "would be " : "";
    throw new PartlyDoneError(
      `${counted(changed, one, several)} ${would}imported, and ${refused}.${where}${hint}`,
      this.#details(),
    );
  }

  #details(): Detail[] {
    const isForPeople = this.#given.ctx.flags.output !== "json";
    if (isForPeople && this.#refusals.count > detailsShownMax) return [];
    const details: Detail[] = [];
    for (const { row, record, reason } of this.#refusals.inOrder()) {
      if (details.length === detailsMax) break;
      const name = record === "" ? `row ${row}` : `row ${row}, ${record}`;
      details.push({ record: name, message: `${name}: ${reason}` });
    }
    return details;
  }

  /** @returns where the refused rows are */
  #writeRejected(): string | undefined {
    const { ctx, options, file, source, settings } = this.#given;
    if (this.#refusals.count === 0) return undefined;
    if (ctx.flags.dryRun && options.rejected === undefined) return undefined;
    const path = options.rejected ?? `${file === "-" ? "stdin" : file}.rejected.csv`;
    try {
      const aside = writeRejected({
        path,
        source,
        form: this.#form,
        columns: this.#columns,
        refusals: this.#refusals,
        decimal: settings.decimal,
      });
      if (aside !== undefined) ctx.out.say(`The ${path} of before is kept as ${aside}.`);
      return path;
    } catch (error) {
      // What was imported is imported; only the list of the rest could not be kept.
      ctx.out.say(`The refused rows could not be written: ${(error as Error).message}.`);
      return undefined;
    }
  }
}

const fateByVerdict = {
  create: "imported",
  update: "updated",
  existing: "existing",
  refused: "refused",
} as const;

function fateOf({ verdict }: Draft): Fate {
  return fateByVerdict[verdict];
}

/** The cells of the first row. @throws UsageError `EmptyFile` */
function headingsOf(source: Source, form: CsvForm): readonly string[] {
  for (const [first] of rowsOf(source, form)) {
    if (first !== undefined) return first.cells;
  }
  throw new UsageError("EmptyFile", `${source.name} is empty.`);
}

/** Cells beyond the headings that are empty are passed over; any other difference is a fault. */
function checkedWidth(row: CsvRow, width: number): CsvRow {
  const { cells, fault } = row;
  if (fault !== undefined || cells.length === width) return row;
  if (cells.length > width && cells.slice(width).every((cell) => cell.trim() === "")) return row;
  const has = counted(cells.length, "cell");
  return { ...row, fault: `has ${has}, and there are ${counted(width, "heading")}` };
}

function question(importer: Importer, imported: number, updated: number, place: string): string {
  const parts = [
    imported > 0 ? `import ${counted(imported, importer.one, importer.several)}` : "",
    updated > 0 ? `update ${counted(updated, importer.one, importer.several)}` : "",
    ...importer.related.map(({ one, several, count }) =>
      count > 0 ? `make ${counted(count, `new ${one}`, `new ${several}`)}` : "",
    ),
  ].filter((part) => part !== "");
  const last = parts.pop() ?? "";
  const text = parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
  return `${text[0]?.toUpperCase()}${text.slice(1)} in ${place}?`;
}

// --- what a file must give -------------------------------------------------------------------

/** Fields of which a file must give at least one, by noun; the first is named when none is. */
const needed: Readonly<Record<ImportNoun, readonly (readonly string[])[]>> = {
  invoice: documentNeeds(),
  bill: documentNeeds(),
  contact: [["Name"]],
  item: [["Code"]],
  payment: [
    ["Invoice.InvoiceNumber", "Invoice.InvoiceID"],
    ["Account.Code", "Account.AccountID"],
    ["Date"],
    ["Amount"],
  ],
};

function documentNeeds(): string[][] {
  return [
    ["InvoiceNumber"],
    ["Contact.Name", "Contact.ContactNumber", "Contact.ContactID"],
    ["Date"],
    ["LineItems.Description", "LineItems.ItemCode", "LineItems.LineAmount", "LineItems.UnitAmount"],
  ];
}

/** @throws UsageError `MissingColumn`, `BadMap` */
function requireFields(noun: ImportNoun, mapping: Mapping, columns: Columns): void {
  const given = new Map(mapping.fields.map((mapped) => [mapped.target.path, mapped]));
  const missing = needed[noun].filter((names) => !names.some((name) => given.has(name)));
  if (missing.length > 0) {
    const names = missing.map((each) => each[0]).join(", ");
    const known = columns.headings.filter((each) => each !== "").join(", ");
    throw new UsageError(
      "MissingColumn",
      `No column gives ${names}; say which does, with --map ${missing[0]?.[0]}=COLUMN, or give one value for all with --set. The columns are ${known}.`,
    );
  }
  const type = given.get("Type");
  if (isDocument(noun) && type?.template === undefined && type !== undefined) checkType(noun, type);
}

function checkType(noun: ImportNoun, type: Mapped): void {
  const own = noun === "invoice" ? "ACCREC" : "ACCPAY";
  const said = type.read([]);
  if (said === undefined || said === own) return;
  const other = noun === "invoice" ? "bills" : "invoices";
  throw new UsageError("BadMap", `${String(said)} are not ${noun}s; use acct import ${other}.`);
}
