/** `acct journal`: reads the journals of the ledger. */

import { type JournalQuery, journalsOf } from "../../client/journal-queries.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Journal, journal } from "../../resources/journal.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";

/** Maximum count of journals shown without a limit flag. */
const shownMax = 100;
const numberMax = 999_999_999;

const count = { kind: "integer", min: 1, max: numberMax } as const;

const listCommand = command("list", `list ${journal.summary}, oldest first`)
  .alias("ls")
  .answers(journal)
  .flags<PeriodOptions>(periodFlags)
  .field("offset", { ...count, min: 0 }, { help: "only those after this number" })
  .switch("payments-only", "cash basis: only what was paid; it has numbers of its own")
  .field("modified-since", { kind: "timestamp" }, { help: "only those posted since" })
  .field("limit", count, { help: `at most so many; ${shownMax} when not given` })
  .switch("all", "every one")
  .example("acct journal list --period 2026-03")
  .example("acct journal list --all --payments-only -o json")
  .action(async (ctx, options) => {
    const { all = false, limit, offset, modifiedSince } = options;
    if (all && limit !== undefined) {
      throw new UsageError("BadFlags", "--all asks for every journal; leave --limit out.");
    }
    const query: JournalQuery = {
      ...(await periodOf(ctx, options)),
      basis: options.paymentsOnly === true ? "cash" : "accrual",
      offset,
      modifiedSince,
    };
    const maximum = all ? Number.POSITIVE_INFINITY : (limit ?? shownMax);
    let isCut = false;
    await ctx.out.records(
      journal,
      upTo(journalsOf(await ctx.client(), query), maximum, () => {
        isCut = true;
      }),
    );
    if (isCut && limit === undefined) {
      ctx.out.say(
        `These are the first ${shownMax}; --all shows every one, --limit N as many as you say.`,
      );
    }
  });

async function* upTo(
  journals: AsyncIterable<Journal>,
  maximum: number,
  onCut: () => void,
): AsyncGenerator<Journal> {
  let shownCount = 0;
  for await (const journal of journals) {
    if (shownCount === maximum) return onCut();
    shownCount += 1;
    yield journal;
  }
}

const showCommand = command("show", "show one journal with its lines")
  .answers(journal)
  .alias("view", "get")
  .argument("JOURNAL", "journal, by number or id")
  .switch("payments-only", "by its number in the cash basis")
  .example("acct journal show 17")
  .action(async (ctx: Context, key, { paymentsOnly }) => {
    const client = await ctx.client();
    const parameters = { paymentsOnly: paymentsOnly === true ? "true" : "false" };
    await ctx.out.record(journal, await client.find(journal, key, { parameters }));
  });

export const journalVerbs: readonly Child[] = [listCommand, showCommand];
