/**
 * Exports the ledger of a period in a format that tax offices or advisers read: SAF-T, FEC, DATEV,
 * GoBD.
 *
 * Values that a format needs and the book lacks are reported before the ledger is read.
 */
import type { AuditFormat } from "../resources/audit-file.ts";
import type { AuditFile, PreparedFile } from "./audit-file.ts";
import type { AuditFacts } from "./audit-source.ts";
import { type Charset, Encoder } from "./charset.ts";
import type { DatevOptions } from "./datev/datev.ts";
import type { FecOptions } from "./fec.ts";
import type { GobdOptions } from "./gobd/gobd.ts";
import { Master } from "./ledger/master.ts";
import { readLedger } from "./ledger/read-ledger.ts";
import type { SaftOptions } from "./saft/saft.ts";

/** Options of the audit file formats, by format. */
export interface AuditOptions {
  readonly saft: SaftOptions;
  readonly fec: FecOptions;
  readonly datev: DatevOptions;
  readonly gobd: GobdOptions;
}

export type { AuditFormat };

/** Modules of the formats; only the requested one is loaded. */
const formats: {
  readonly [F in AuditFormat]: (
    auditFacts: AuditFacts & { readonly master: Master },
    options: AuditOptions[F],
  ) => Promise<AuditFile>;
} = {
  saft: async (auditFacts, options) => (await import("./saft/saft.ts")).saft(auditFacts, options),
  fec: async ({ organisation, period }, options) =>
    (await import("./fec.ts")).fecFile(organisation, period, options),
  datev: async (auditFacts, options) => {
    const taxes = await auditFacts.master.taxRates();
    const rateByType = new Map(taxes.map((taxRate) => [taxRate.TaxType ?? "", taxRate]));
    return (await import("./datev/datev.ts")).datev({ ...auditFacts, rates: rateByType }, options);
  },
  gobd: async (auditFacts, options) => (await import("./gobd/gobd.ts")).gobd(auditFacts, options),
};

export interface AuditExport {
  /** File name, as the law or the receiving program prescribes it. */
  readonly name: string;
  readonly charset: Charset;
  /** Whether the file is binary (an archive) rather than text. */
  readonly isBinary: boolean;
  /** Number of journals in the period; the next is the number of their postings. */
  readonly entryCount: number;
  readonly lineCount: number;
  /** Streams the content of the file. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Notes for the user about the file, complete once the content has been read. */
  notes(): readonly string[];
  /** Deletes the scratch files. */
  remove(): void;
}

/** Prepares an audit file. @throws UsageError for values that the book lacks */
export async function auditExport<F extends AuditFormat>(
  format: F,
  auditFacts: AuditFacts,
  options: AuditOptions[F],
): Promise<AuditExport> {
  const master = new Master(auditFacts.source, auditFacts.period);
  const { name, charset, prepare } = await formats[format]({ ...auditFacts, master }, options);
  const ledger = await readLedger(auditFacts);
  const remove = () => ledger.remove();
  try {
    const prepared = prepare(ledger);
    const { entryCount, lineCount } = ledger;
    const encoder = new Encoder(charset);
    return {
      ...{ name, charset, entryCount, lineCount, remove },
      isBinary: "bytes" in prepared,
      bytes: () => bytesOf(prepared, encoder),
      notes: () => [...encoder.notes(), ...(prepared.notes?.() ?? [])],
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Number of characters that are collected before they are encoded and yielded. */
const joinedMax = 16_384;

async function* bytesOf(prepared: PreparedFile, encoder: Encoder): AsyncGenerator<Uint8Array> {
  if ("bytes" in prepared) return yield* prepared.bytes();
  let waitingText = "";
  for await (const text of prepared.text()) {
    waitingText += text;
    if (waitingText.length < joinedMax) continue;
    yield encoder.encode(waitingText);
    waitingText = "";
  }
  yield encoder.encode(waitingText);
}
