/** `acct export journal`: the whole ledger, page by page, in the form of another program. */
import { account } from "../../resources/account.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { counted } from "../../resources/scalar.ts";
import { type JournalQuery, journalsOf } from "../commands/journal.ts";
import type { Context } from "../framework/context.ts";
import { written } from "../render/file-sink.ts";
import { JoiningSink } from "../render/sink.ts";
import type { JournalFormat, Opening } from "./format.ts";
import type { Named } from "./places.ts";

const journalFormats = ["hledger", "beancount", "csv"] as const;
export type JournalFormatName = (typeof journalFormats)[number];

/** One of them is wanted at a time. */
const makers: Readonly<
  Record<JournalFormatName, () => Promise<(opening: Opening) => JournalFormat>>
> = {
  hledger: async () => (await import("./hledger.ts")).hledger,
  beancount: async () => (await import("./beancount.ts")).beancount,
  csv: async () => (await import("./postings.ts")).postings,
};

export interface JournalExport extends JournalQuery {
  readonly format: JournalFormatName;
  /** Standard output when not given. */
  readonly outputFile?: string | undefined;
}

export async function exportJournals(ctx: Context, asked: JournalExport): Promise<void> {
  const make = await makers[asked.format]();
  const client = await ctx.client();
  const [owner] = await client.at(organisation, "/Organisation");
  if (owner === undefined) {
    throw new NotFoundError("NotFound", "The service names no organisation.");
  }
  const accounts: Named[] = [];
  for await (const { AccountID, Code, Name, Type } of client.list(account)) {
    accounts.push({ id: AccountID, code: Code, name: Name, type: Type });
  }
  const { BaseCurrency, Name } = owner;
  const { basis = "accrual" } = asked;
  const format = make({ organisation: Name, currency: BaseCurrency, basis, accounts });
  let journals = 0;
  let postings = 0;
  await written(ctx, asked.outputFile, async (sink) => {
    const joining = new JoiningSink(sink);
    await joining.write(format.head);
    for await (const each of journalsOf(client, asked)) {
      journals += 1;
      postings += each.JournalLines.length;
      await joining.write(format.journal(each));
    }
    await joining.flush();
  });
  if (asked.outputFile === undefined || asked.outputFile === "-") return;
  const what = `${counted(journals, "journal")} with ${counted(postings, "posting")}`;
  ctx.out.say(`Wrote ${what} to ${asked.outputFile}.`);
}
