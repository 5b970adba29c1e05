/** `acct asset`: fixed assets, their depreciation and their disposal. */

import {
  type AssetDisposal,
  type AssetInput,
  asset,
  assetDisposal,
} from "../../resources/asset.ts";
import { amountText } from "../../resources/common.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { type ManualJournal, manualJournal } from "../../resources/manual-journal.ts";
import { counted } from "../../resources/scalar.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputsOf } from "../framework/input.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { periodOf } from "../shared/filters.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  showCommand,
  updateFound,
} from "../shared/verbs.ts";

const noun = nounOf(asset);
const path = pathOf(asset);

const assetFields = fieldsOf(asset, { except: ["Status", "InvoiceID", "LineItemID"] });

const addCommand = command("add", "register an asset")
  .alias("create", "new")
  .creates(asset)
  .fields(asset, assetFields)
  .flag("bill", "the bill that it was bought with, which gives its name, day, cost and account", {
    placeholder: "BILL",
    live: "bill",
  })
  .field(
    "line",
    { kind: "integer", min: 1 },
    { help: "the line of --bill; the only one when not given" },
  )
  .flags<{ readonly file?: string }>([fileFlag])
  .note(
    "Nothing is posted: what was paid for it stands in the books already, by its bill or by the " +
      "opening balances. Accounts are found in the chart where there is but one of the kind.",
  )
  .note(
    "An asset that had depreciated before the books began: --opening-accumulated, and --opening-date " +
      "for up to when that was.",
  )
  .example(
    "acct asset add --name Laptop --purchase-date 2026-01-15 --cost 2400 --life 3 --asset-account 720",
  )
  .example("acct asset add --bill K-2041 --line 3 --method DiminishingValue100 --rate 40")
  .example(
    "acct asset add --name Land --purchase-date 2026-02-01 --cost 90000 --method NoDepreciation --asset-account 710",
  )
  .action(async (ctx, { bill, line, file, ...options }) => {
    if (bill === undefined && line !== undefined) {
      throw new UsageError("MissingValue", "--line is the line of a --bill.");
    }
    const overrides: AssetInput = {
      ...fieldsInOptions(asset, options),
      ...(bill === undefined ? {} : await lineOf(ctx, bill, line)),
    };
    await createRecords(ctx, asset, await inputsOf(ctx, asset, file, overrides));
  });

/** Returns the asset fields from the bill line with which the asset was bought. */
async function lineOf(ctx: Context, key: string, lineAt: number | undefined): Promise<AssetInput> {
  const { findDocument } = await import("../shared/find-document.ts");
  const { InvoiceID } = await findDocument(ctx, "ACCPAY", key);
  const { LineItems, InvoiceNumber = key } = await (await ctx.client()).find(invoice, InvoiceID);
  if (lineAt === undefined && LineItems.length > 1) {
    throw new UsageError(
      "MissingValue",
      `${InvoiceNumber} has ${LineItems.length} lines; say which with --line.`,
    );
  }
  const line = LineItems[(lineAt ?? 1) - 1];
  if (line?.LineItemID === undefined) {
    throw new NotFoundError("NotFound", `${InvoiceNumber} has no line ${lineAt ?? 1}.`);
  }
  return { InvoiceID, LineItemID: line.LineItemID };
}

const updateCommand = command("update", "change an asset")
  .alias("edit")
  .key(asset)
  .fields(asset, assetFields)
  .note("What depreciation follows from stays as it is while any is posted: roll it back first.")
  .example("acct asset update FA-0001 --serial-number C02X91")
  .action(async (ctx, key, options) => {
    const input = fieldsInOptions(asset, options);
    if (Object.keys(input).length === 0) {
      throw new UsageError("MissingValue", "Say what is to change.");
    }
    const client = await ctx.client();
    await updateFound(ctx, asset, await client.find(asset, key), input);
  });

const removeCommand = command("remove", "remove an asset that never depreciated")
  .writes()
  .alias("delete")
  .key(asset)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct asset remove FA-0001 --yes")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const record = await client.find(asset, key);
    const { currency } = await homeAt(ctx, client);
    const cost = amountText(record.Cost ?? 0, currency);
    await confirm(
      ctx,
      `Remove the asset ${record.AssetNumber} ${record.Name}, ${cost}? The register has it no more; the ledger stays as it is.`,
    );
    await updateFound(ctx, asset, record, { Status: "DELETED" });
  });

/** Parses a period, such as `2026-03`, or a day, and returns its last day. */
const endOf = async (ctx: Context, text: string) =>
  (await periodOf(ctx, { period: text })).to ?? "";

const depreciateCommand = command("depreciate", "post depreciation, month by month")
  .writes()
  .answers(manualJournal)
  .flag("to", "the last month; the one before this when not given", { placeholder: "MONTH" })
  .note(
    "A manual journal a month: debits the expense and credits the accumulated depreciation, a pair of " +
      "lines for each pair of accounts, which -o json shows. Safe to run again: what is posted stays as it is.",
  )
  .example("acct asset depreciate --to 2026-03 --dry-run")
  .example("acct asset depreciate --to last-month")
  .action(async (ctx, { to }) => {
    const client = await ctx.client();
    const newJournals = await client.act(manualJournal, `${path}/Depreciate`, {
      ...(to === undefined ? {} : { parameters: { to: await endOf(ctx, to) } }),
    });
    await ctx.out.records(manualJournal, newJournals);
    const total = newJournals.reduce((sum, record) => sum + debitsOf(record), 0);
    const { currency } = await homeAt(ctx, client);
    const verb = ctx.flags.dryRun ? "would be posted" : "posted";
    ctx.out.say(`${counted(newJournals.length, "month")} ${verb}: ${amountText(total, currency)}.`);
  });

const debitsOf = ({ JournalLines }: ManualJournal) =>
  JournalLines.reduce((sum, { LineAmount = 0 }) => sum + Math.max(0, LineAmount), 0);

const rollbackCommand = command("rollback", "void the depreciation and disposals after a month")
  .writes()
  .answers(manualJournal)
  .flag("to", "the last month that stays", { placeholder: "MONTH", required: true })
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct asset rollback --to 2026-01 --yes")
  .action(async (ctx, { to = "" }) => {
    const day = await endOf(ctx, to);
    await confirm(ctx, `Void the depreciation and undo the disposals after ${day}?`);
    const client = await ctx.client();
    const voided = await client.act(manualJournal, `${path}/Rollback`, { parameters: { to: day } });
    await ctx.out.records(manualJournal, voided);
    const journals = counted(voided.length, "manual journal");
    ctx.out.say(`${journals} ${ctx.flags.dryRun ? "would be voided" : "voided"}.`);
  });

const disposalFields = [
  "Date",
  "Proceeds",
  "Depreciation",
  "GainAccount",
  "CapitalGainAccount",
  "LossAccount",
] as const;

const disposeCommand = command("dispose", "sell or scrap an asset")
  .writes()
  .key(asset)
  .answers(asset)
  .fields(assetDisposal, disposalFields)
  .flag(
    "account",
    "where the proceeds stand: the account of the invoice that it was sold with, not a bank",
    { placeholder: "NAME|CODE", live: "account", refers: "account" },
  )
  .note(
    "Posts the depreciation up to the day, takes cost and accumulated depreciation out of the books, " +
      "and the gain or loss to its account; proceeds above the cost are a capital gain. The sale " +
      "itself, with its tax, is an invoice to --account.",
  )
  .example("acct asset dispose FA-0001 --date 2026-03-10 --proceeds 1500 --account 260")
  .example("acct asset dispose FA-0002 --date 2026-03-31 --depreciation NONE --dry-run")
  .action(async (ctx, key, { account, ...options }) => {
    const client = await ctx.client();
    const { AssetID } = await client.find(asset, key);
    const fieldsGiven = fieldsInOptions(assetDisposal, options);
    if (fieldsGiven.Date === undefined) {
      throw new UsageError("MissingValue", "A disposal needs --date.");
    }
    const input: Partial<AssetDisposal> = {
      ...fieldsGiven,
      ...(account === undefined ? {} : { ProceedsAccount: { Code: account } }),
    };
    const [disposed] = await client.act(asset, `${path}/${AssetID}/Dispose`, {
      takes: assetDisposal,
      input,
    });
    if (disposed !== undefined) await ctx.out.record(asset, disposed);
  });

export const assetVerbs: readonly Child[] = [
  listCommand({
    resource: asset,
    examples: ["acct asset list", "acct asset list --status DISPOSED -o csv"],
  }),
  showCommand(noun),
  addCommand,
  updateCommand,
  removeCommand,
  depreciateCommand,
  disposeCommand,
  rollbackCommand,
  historyCommand(noun),
  noteCommand(noun),
  importVerb("asset"),
];
