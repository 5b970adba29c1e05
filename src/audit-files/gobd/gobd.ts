/**
 * GoBD export for German tax auditors: CSV tables and the `index.xml` that describes them, in one
 * archive.
 *
 * With `--attachments` the archive also holds the attachments of the documents as received, among
 * them e-invoices.
 *
 * @source GoBD, BMF of 28 November 2019, on the handing over of data media
 */
import { createHash } from "node:crypto";
import { parse } from "node:path";
import { fileName } from "../../platform/file-name.ts";
import { ScratchLines } from "../../platform/scratch-file.ts";
import { type ZipEntry, zipEntries } from "../../platform/zip.ts";
import { counted } from "../../resources/scalar.ts";
import { csvLine } from "../../wire/csv.ts";
import type { AuditFile } from "../audit-file.ts";
import type { AuditFacts, AuditSource } from "../audit-source.ts";
import { addressOf, type Master } from "../ledger/master.ts";
import { type Ledger, standsOn } from "../ledger/read-ledger.ts";
import { type ArchivedFile, attachmentTable, tablesOf, type WithFiles } from "./gobd-tables.ts";
import { dtd, dtdName, indexXml } from "./index-xml.ts";
import type { Table } from "./table-definition.ts";

export interface GobdOptions {
  readonly attachments?: boolean | undefined;
}

export interface GobdFacts extends Omit<AuditFacts, "bounds"> {
  readonly master: Master;
}

export function gobd(input: GobdFacts, options: GobdOptions): AuditFile {
  const { from, to } = input.period;
  return {
    name: `GoBD_${from}_${to}.zip`,
    charset: "utf-8",
    prepare: (ledger) => {
      const files: ArchivedFile[] = [];
      return {
        notes: () =>
          files.length === 0 ? [] : [`With ${counted(files.length, "file")} of documents.`],
        bytes: () => zipEntries(filesOf(input, options, ledger, files), input.now),
      };
    },
  };
}

/**
 * Yields the files of the archive.
 *
 * @param archivedFiles  receives the attachments as they are written
 */
async function* filesOf(
  { source, organisation, period, master, version }: GobdFacts,
  { attachments = false }: GobdOptions,
  ledger: Ledger,
  archivedFiles: ArchivedFile[],
): AsyncGenerator<ZipEntry> {
  const details = await master.parties((id) => {
    const party = ledger.parties.get(id);
    return party !== undefined && (standsOn(party, "customer") || standsOn(party, "supplier"));
  });
  const taxRates = await master.taxRates();
  using lines = new ScratchLines();
  const documents: WithFiles[] = [];
  const withFiles = (document: WithFiles) => {
    if (attachments) documents.push(document);
  };
  const tables = tablesOf({ ledger, master, details, taxRates, lines, withFiles });
  const files = attachmentTable(archivedFiles);
  const { Name, LegalName, Addresses } = organisation;
  const { street, postalCode, city } = addressOf(Addresses) ?? {};
  const supplier = {
    name: LegalName ?? Name,
    location: [street, [postalCode, city].filter(Boolean).join(" ")].filter(Boolean).join(", "),
    comment: `Buchführung vom ${period.from} bis ${period.to}, acct ${version}`,
  };
  const allTables = attachments ? [...tables, files] : tables;
  yield { name: "index.xml", content: [indexXml(allTables, supplier, period)] };
  yield { name: dtdName, content: [dtd] };
  for (const table of tables) yield { name: table.file, content: csv(table) };
  if (!attachments) return;
  for (const document of documents) yield* copyFiles(source, document, archivedFiles);
  yield { name: files.file, content: csv(files) };
}

async function* csv({ columns, rows }: Table): AsyncGenerator<string> {
  const line = (cells: readonly string[]) => csvLine(cells, notNumberOrDate, ";", "\r\n");
  yield line(Object.keys(columns));
  for await (const cells of rows()) yield line(cells);
}

/** Characters that force a cell into quotes: all but those of numbers and dates. */
const notNumberOrDate = /[^\d,-]/;

// --- files of documents -------------------------------------------------------------------------

async function* copyFiles(
  source: AuditSource,
  { resource, id, number }: WithFiles,
  files: ArchivedFile[],
): AsyncGenerator<ZipEntry> {
  // Document numbers may repeat; the end of the id makes the folder name unique.
  const folder = fileName(number, "beleg", id.slice(-12));
  for (const { FileName, MimeType, ContentLength } of await source.attachments(resource, id)) {
    const { name: stem, ext } = parse(FileName);
    const path = `belege/${folder}/${fileName(stem, "datei", ext.slice(1) || "bin")}`;
    const hash = createHash("sha256");
    const chunks = await source.download(resource, id, FileName);
    async function* hashChunks() {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    }
    yield { name: path, content: hashChunks() };
    // The file has been written completely when the generator resumes, so the hash is final.
    const sha256 = hash.digest("hex");
    const bytes = ContentLength;
    files.push({ documentId: id, path, name: FileName, type: MimeType, bytes, sha256 });
  }
}
