/**
 * Runs an import: parse, validate every row, show the plan, ask, send in batches, report.
 *
 * Nothing is sent before the whole file is validated. Each batch is one request, which the service
 * executes as a whole or not at all. Records of an earlier, interrupted run are found in the book
 * by number, so the same command continues it.
 */

import { resolve } from "node:path";
import type { Client } from "../../client/client.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { inLittleMemory } from "../../platform/memory.ts";
import { UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import type { CsvRow } from "../../wire/csv.ts";
import { embeddedBounds, remoteBounds } from "../../wire/query/lookup-bounds.ts";
import { describeTarget } from "../connection/choose-target.ts";
import type { Context } from "../context/context.ts";
import { confirm } from "../framework/confirm.ts";
import { safeLine } from "../render/safe.ts";
import { DescribedImporter } from "./described/described-importer.ts";
import { describedKinds } from "./described/described-kinds.ts";
import {
  contactRules,
  type DescribedOptions,
  keyed,
  type LocalRules,
} from "./described/local-rules.ts";
import { paymentRules } from "./described/payment-rules.ts";
import { documentRules } from "./documents/document-rules.ts";
import { type Columns, columnsOf } from "./mapping/heading-row.ts";
import { type Mapping, mappingOf } from "./mapping/mapping.ts";
import { requireFields } from "./mapping/required-columns.ts";
import { keepSettings, type Settings, settingsOf } from "./mapping/settings.ts";
import { type ImportNoun, type ImportOptions, isDocument } from "./options.ts";
import { openReader, type Reader } from "./readers/reader.ts";
import { openSource, type SourceFile } from "./readers/source.ts";
import { loadChart } from "./records/import-chart.ts";
import type { Importer, ImportRecord } from "./records/import-record.ts";
import { breathe, sendWaiting, tryWaiting } from "./sender/batches.ts";
import {
  createGroups,
  createWaiting,
  type Groups,
  type RecordQueue,
} from "./sender/disk-groups.ts";
import { finish, keepRejected } from "./sender/finish.ts";
import { ImportProgress } from "./sender/import-progress.ts";
import { mayHoldRejected } from "./sender/rejected.ts";
import { batchMax } from "./sender/send-batches.ts";
import { type ImportSummary, planText, summaryText } from "./sender/summary.ts";

/** Limits that a test lowers. */
export interface Tuning {
  /** Maximum file size in bytes that is grouped in memory; a larger file is split into parts. */
  readonly memoryBytes: number;
  /** Maximum count of records in one request. */
  readonly batch: number;
  /**
   * Row numbers in the original file, of which this file is a part, without the heading row; its
   * own numbers when not given.
   */
  readonly rowNumbers?: readonly number[];
}

export const usualTuning: Tuning = { memoryBytes: 8 * 1024 * 1024, batch: batchMax };
/** Local rules of record kinds that are too many for a dry run of each record. */
const localRules: Partial<Record<ImportNoun, (options: DescribedOptions) => LocalRules>> = {
  invoice: (options) => documentRules("ACCREC", options),
  bill: (options) => documentRules("ACCPAY", options),
  contact: contactRules,
  item: keyed("Code", "The row has no code."),
  asset: keyed("AssetNumber", "The row has no number."),
  payment: paymentRules,
};
/** Maximum count of parts of a file; each needs an open file. */
const partsMax = 128;
/**
 * Runs one import, and reports the result.
 *
 * @throws the error that gives the exit code
 */
export async function importFile(
  ctx: Context,
  noun: ImportNoun,
  file: string,
  options: ImportOptions,
  tuning: Tuning = usualTuning,
): Promise<void> {
  keepOff(file, options);
  const settings = settingsOf(noun, options);
  await using source = closeAtBlockEnd(await openSource(file));
  const request = { ctx, noun, file, options, settings, source, tuning };
  const today = await ctx.today();
  await inLittleMemory(() => new Import(request, today).run());
}

/**
 * Refuses output flags that would overwrite the imported file or a foreign one.
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
  if (rejected === undefined || mayHoldRejected(rejected)) return;
  const message = `${rejected} is there, and is no file of refused rows; name another with --rejected.`;
  throw new UsageError("BadValue", message);
}

interface ImportRun {
  readonly ctx: Context;
  readonly noun: ImportNoun;
  readonly file: string;
  readonly options: ImportOptions;
  readonly settings: Settings;
  readonly source: SourceFile;
  readonly tuning: Tuning;
}

class Import {
  readonly #given: ImportRun;
  readonly #reader: Reader;
  readonly #columns: Columns;
  readonly #mapping: Mapping;
  readonly #progress = new ImportProgress();
  /** Count of refusals shown with the plan. */
  #refusalsShown = 0;

  constructor(run: ImportRun, today: string) {
    const { source, settings, noun, options } = run;
    this.#given = run;
    this.#reader = openReader(source, settings);
    this.#columns = columnsOf(headingsOf(source.name, this.#reader));
    const fixedByPath = new Map(options.status === undefined ? [] : [["Status", options.status]]);
    const { delimiter } = this.#reader.rejectedForm;
    const ofFile = { ...settings, delimiter };
    this.#mapping = mappingOf(noun, this.#columns, ofFile, fixedByPath, today);
    requireFields(noun, this.#mapping, this.#columns);
    if (options.saveMapping !== undefined) keepSettings(options.saveMapping, noun, settings);
  }

  async run(): Promise<void> {
    const { ctx, options, tuning } = this.#given;
    const { refusals, counts } = this.#progress;
    const client = await ctx.client();
    const importer = await this.#importer(client);
    const groups = this.#groups();
    const checked = createWaiting(this.#isLarge);
    const keptRecords = createWaiting(this.#isLarge);
    const batchSize = Math.min(tuning.batch, importer.resource.batchMax);
    const sending = { ctx, client, importer, progress: this.#progress, options, batch: batchSize };
    try {
      await this.#read(importer, groups);
      await this.#check(importer, groups, checked);
      const waitingRecords = await tryWaiting(sending, checked, keptRecords);
      if (refusals.count > 0 && options.onError !== "skip") this.#progress.leave(waitingRecords, 0);
      const { imported, updated, left } = counts.records;
      const isTrial = ctx.flags.dryRun && ctx.flags.plan === undefined;
      if (isTrial || left > 0) return await this.#end(importer, planText);
      if (imported + updated > 0) {
        ctx.out.say(planText(this.#summary(importer)));
        this.#refusalsShown = refusals.count;
        await confirm(ctx, question(importer, imported, updated, describeTarget(ctx.target())));
        await sendWaiting(sending, waitingRecords);
      }
      await this.#end(importer, summaryText);
    } finally {
      groups.remove();
      checked.remove();
      keptRecords.remove();
    }
  }

  get #isLarge(): boolean {
    const { source, tuning } = this.#given;
    return source.bytes > tuning.memoryBytes;
  }

  async #importer(client: Client): Promise<Importer> {
    const { noun, options, settings, ctx } = this.#given;
    const mapping = this.#mapping;
    const bounds = ctx.target().kind === "remote" ? remoteBounds : embeddedBounds;
    const isMapped = (part: RegExp) => mapping.fields.some(({ target }) => part.test(target.path));
    const chart = await loadChart(client, {
      wantsAccounts: isMapped(/Account/) || isDocument(noun),
      wantsTaxRates: isMapped(/Tax/) || isDocument(noun),
      wantsTracking: isMapped(/Tracking/),
      wantsCurrencies: isMapped(/^CurrencyCode$/),
    });
    const { onDuplicate = "skip", recreate = false } = options;
    const described: DescribedOptions = {
      client,
      bounds,
      chart,
      mapping,
      onDuplicate,
      recreate,
      decimal: settings.decimal,
      contacts: {
        create: options.createContacts ?? false,
        maySimilar: options.similarContacts ?? false,
        isSame: (name, nearName) => isSameContact(ctx, name, nearName),
      },
      createItems: options.createItems ?? false,
      partial: options.partial ?? false,
      allowZero: options.allowZero ?? false,
    };
    return new DescribedImporter(describedKinds[noun], described, localRules[noun]?.(described));
  }

  #groups(): Groups {
    const { source, tuning } = this.#given;
    return createGroups(Math.min(partsMax, Math.ceil(source.bytes / tuning.memoryBytes)));
  }

  async #read(importer: Importer, groups: Groups): Promise<void> {
    const width = this.#columns.headings.length;
    let isHeading = true;
    for (const rows of this.#reader.rows()) {
      for (const row of rows) {
        if (isHeading) isHeading = false;
        else if (row.cells.some((cell) => cell.trim() !== "")) {
          const { tuning } = this.#given;
          const ownRow = { ...row, row: tuning.rowNumbers?.[row.row - 2] ?? row.row };
          groups.add(importer.keyOf(row.cells), checkCellCount(ownRow, width));
        }
      }
      await breathe(this.#given.ctx);
    }
  }

  /** Validates records in chunks of a few hundred, and queues those to be sent. */
  async #check(importer: Importer, groups: Groups, waitingRecords: RecordQueue): Promise<void> {
    const { refuse } = this.#progress;
    let candidates: ImportRecord[] = [];
    const examine = async () => {
      await importer.examine(candidates, refuse);
      for (const candidate of candidates) {
        if (candidate.verdict === "refused") continue;
        this.#progress.expect(candidate);
        if (candidate.verdict !== "existing") waitingRecords.add(candidate);
      }
      candidates = [];
      await breathe(this.#given.ctx);
    };
    for (const rows of groups.each()) {
      candidates.push(...importer.build(rows, refuse));
      if (candidates.length >= this.#given.tuning.batch) await examine();
    }
    if (candidates.length > 0) await examine();
  }

  #summary(importer: Importer, rejected?: string): ImportSummary {
    const { file, ctx } = this.#given;
    const { refusals, counts } = this.#progress;
    return {
      file: file === "-" ? "standard input" : file,
      reader: this.#reader,
      importer,
      mapping: this.#mapping,
      counts,
      refusals,
      related: importer.related,
      notes: [...importer.notes(), ...counts.notes()],
      isDryRun: ctx.flags.dryRun,
      rejected,
      isShown: refusals.count === this.#refusalsShown,
    };
  }

  async #end(importer: Importer, textOf: (summary: ImportSummary) => string): Promise<void> {
    const { ctx, options, file, settings, tuning } = this.#given;
    const rejected = keepRejected(ctx, file, options.rejected, {
      reader: this.#reader,
      columns: this.#columns,
      refusals: this.#progress.refusals,
      decimal: settings.decimal,
      rowNumbers: tuning.rowNumbers,
    });
    await finish(ctx, this.#summary(importer, rejected), textOf);
  }
}

async function isSameContact(
  ctx: Context,
  name: string,
  nearName: string,
): Promise<boolean | undefined> {
  if (!ctx.flags.input) return undefined;
  const { terminalQuestions } = await import("../framework/questions.ts");
  const ask = await terminalQuestions(ctx);
  return ask.choose<boolean>({
    message: `Is ${safeLine(name)} of the file the contact ${safeLine(nearName)}?`,
    choices: [
      { name: "The same", value: true },
      { name: "Another: it is made", value: false },
    ],
  });
}

/**
 * Returns the cells of the first row.
 *
 * @throws UsageError `EmptyFile`
 */
function headingsOf(name: string, reader: Reader): readonly string[] {
  for (const [first] of reader.rows()) {
    if (first !== undefined) return first.cells;
  }
  throw new UsageError("EmptyFile", `${name} is empty.`);
}

/** Removes empty cells beyond the headings; any other count of cells is a fault. */
export function checkCellCount(row: CsvRow, width: number): CsvRow {
  const { cells, fault } = row;
  if (fault !== undefined || cells.length === width) return row;
  if (cells.length > width && cells.slice(width).every((cell) => cell.trim() === "")) return row;
  const cellsText = counted(cells.length, "cell");
  return { ...row, fault: `has ${cellsText}, and there are ${counted(width, "heading")}` };
}

function question(importer: Importer, imported: number, updated: number, bookName: string): string {
  const parts = [
    imported > 0 ? `import ${counted(imported, importer.one, importer.several)}` : "",
    updated > 0 ? `update ${counted(updated, importer.one, importer.several)}` : "",
    ...importer.related.map(({ one, several, count }) =>
      count > 0 ? `make ${counted(count, `new ${one}`, `new ${several}`)}` : "",
    ),
  ].filter((part) => part !== "");
  const lastPart = parts.pop() ?? "";
  const text = parts.length === 0 ? lastPart : `${parts.join(", ")} and ${lastPart}`;
  return `${text[0]?.toUpperCase()}${text.slice(1)} in ${bookName}?`;
}
