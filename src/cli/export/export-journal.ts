/**
 * `acct export journal`: exports the whole ledger, page by page, in the format of another program.
 */

import type { NamedAccount } from "../../audit-files/account-tree.ts";
import type { JournalFormat, JournalHeader } from "../../audit-files/journal-format.ts";
import { type JournalQuery, journalsOf } from "../../client/journal-queries.ts";
import { account } from "../../resources/account.ts";
import { NotFoundError } from "../../resources/errors.ts";
import type { Journal } from "../../resources/journal.ts";
import { organisation } from "../../resources/organisation.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { requireExtension } from "../framework/confirm.ts";
import { sayWritten, writeTo } from "../render/sinks/file-sink.ts";
import { JoiningSink } from "../render/sinks/sink.ts";
import { announceExport } from "./audit-export.ts";

const journalFormats = ["hledger", "beancount", "csv"] as const;
export type JournalFormatName = (typeof journalFormats)[number];

/** Formats by name, each loaded when it is used. */
const makers: Readonly<
  Record<JournalFormatName, () => Promise<(opening: JournalHeader) => JournalFormat>>
> = {
  hledger: async () => (await import("../../audit-files/hledger.ts")).hledger,
  beancount: async () => (await import("../../audit-files/beancount.ts")).beancount,
  csv: async () => (await import("./export-postings.ts")).postingsFormat,
};

export interface JournalExport extends JournalQuery {
  readonly format: JournalFormatName;
  /** Output path; standard output when not given. */
  readonly outputFile?: string | undefined;
  /** Whether to add month-end revaluations of foreign balances. */
  readonly revaluation?: boolean | undefined;
}

export async function exportJournals(ctx: Context, options: JournalExport): Promise<void> {
  const makeFormat = await makers[options.format]();
  await announceExport(ctx, `the ledger as ${options.format}`);
  const client = await ctx.client();
  const [owner] = await client.at(organisation, "/Organisation");
  if (owner === undefined) {
    throw new NotFoundError("NotFound", "The service names no organisation.");
  }
  const chart = await Array.fromAsync(client.list(account));
  const accounts = chart.map(
    ({ AccountID: id, Code: code, Name: name, Type: type }): NamedAccount => ({
      id,
      code,
      name,
      type,
    }),
  );
  const { BaseCurrency, Name } = owner;
  const { basis = "accrual", revaluation = false } = options;
  const format = makeFormat({ organisation: Name, currency: BaseCurrency, basis, accounts });
  if (revaluation) {
    const { revaluationPath } = await import("./export-revaluations.ts");
    await requireExtension(ctx, "Revaluation", "GET", revaluationPath);
  }
  let journalCount = 0;
  let postings = 0;
  await writeTo(ctx, options.outputFile, async (sink) => {
    const joining = new JoiningSink(sink);
    await joining.write(format.head);
    let from = options.from;
    const write = async (journal: Journal) => {
      journalCount += 1;
      postings += journal.JournalLines.length;
      if (from === undefined || journal.JournalDate < from) from = journal.JournalDate;
      await joining.write(format.journal(journal));
    };
    for await (const journal of journalsOf(client, options)) await write(journal);
    if (revaluation && from !== undefined) {
      const { revaluationJournals: revaluations } = await import("./export-revaluations.ts");
      const days = { from, to: options.to ?? (await ctx.today()) };
      const journalQuery = { ...days, basis, baseCurrency: BaseCurrency, accounts: chart };
      for await (const revaluation of revaluations(client, journalQuery)) await write(revaluation);
    }
    await joining.flush();
  });
  const contentText = `${counted(journalCount, "journal")} with ${counted(postings, "posting")}`;
  sayWritten(ctx, contentText, options.outputFile);
}
