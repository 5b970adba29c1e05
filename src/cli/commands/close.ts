/** `acct close`: the checks before a period is closed, and its lock date. */
import { addDays, longDate } from "../../ledger/dates/calendar.ts";
import { wrapText } from "../../output/display-width.ts";
import { account } from "../../resources/account.ts";
import {
  type ClosingCheck,
  type ClosingCheckName,
  closingCheck,
} from "../../resources/closing-check.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { pathOf, text } from "../../resources/field.ts";
import { type Organisation, organisationSetting } from "../../resources/organisation.ts";
import { counted } from "../../resources/scalar.ts";
import { returnTypes, taxReturns } from "../../resources/tax-report.ts";
import { figureIn } from "../../wire/report.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, requireExtension } from "../framework/confirm.ts";
import { PartlyDoneError } from "../render/error.ts";
import { safeLine } from "../render/safe.ts";
import { periodIn } from "../shared/filters.ts";
import { type Period, parsePeriod } from "../values/period-words.ts";
import { ownOrganisation } from "./organisation.ts";

/** A closing check with the command that fixes its finding. */
const shownCheck = {
  ...closingCheck,
  fields: { ...closingCheck.fields, Mend: text({ help: "the command that mends it" }) },
  columns: [...closingCheck.columns, "Mend"],
} as const;

const documentNouns: Readonly<Record<string, string>> = {
  ACCREC: "invoice",
  ACCPAY: "bill",
  ACCRECCREDIT: "credit-note",
  ACCPAYCREDIT: "credit-note",
  MANJOURNAL: "manual-journal",
};

/** Returns the command that fixes each kind of finding, in a period that ends on `to`. */
const mends: Readonly<Record<ClosingCheckName, (check: ClosingCheck, to: string) => string>> = {
  bankStatements: ({ Subject }) => `bank import FILE --account ${Subject}`,
  bankBalances: (_, to) => `bank statement update STATEMENT --closing-balance AMOUNT --to ${to}`,
  bankLines: ({ Subject }) => `bank reconcile ${Subject}`,
  drafts: ({ Subject = "" }, to) =>
    `${documentNouns[Subject] ?? "invoice"} list --status DRAFT,SUBMITTED --to ${to}`,
  repeating: () => "repeating-invoice run",
  depreciation: (_, to) => `asset depreciate --to ${to.slice(0, 7)}`,
  rates: ({ Subject }, to) => `currency rate ${Subject} RATE --date ${to}`,
  bankDetails: ({ Subject }) =>
    `branding set --theme THEME --currency ${Subject} --bank-details TEXT`,
  receivables: (_, to) => `report aged-receivables --date ${to}`,
  payables: (_, to) => `report aged-payables --date ${to}`,
  credits: ({ Subject }) => `contact show '${Subject}'`,
  stock: ({ Subject }) => `item show ${Subject}`,
  inventory: (_, to) => `report trial-balance --date ${to}`,
  fixedAssets: (_, to) => `report fixed-assets --date ${to}`,
  suspense: ({ Subject }, to) =>
    `report account-transactions ${Subject} --from ${to.slice(0, 8)}01 --to ${to}`,
  taxReturns: ({ Subject, FromDate, ToDate }) => {
    const type = returnTypes.find((returnType) => returnType === Subject) ?? returnTypes[0];
    const days = FromDate && ToDate ? `--from ${FromDate} --to ${ToDate}` : "--period PERIOD";
    return `report ${type === undefined ? "list" : taxReturns[type].command} ${days} --publish`;
  },
  taxAccount: (_, to) => `report tax-reconciliation --to ${to}`,
};

export const closeCommand = command("close", "check a period, and lock it")
  .writes()
  .answers(shownCheck)
  .optionalArgument(
    "PERIOD",
    "last-month when not given; acct help dates says what periods there are",
  )
  .switch("year", "close the financial year that the period ends in; the last one without a period")
  .switch("reopen", "take the lock back, to the day before the period")
  .flag("pack", "write the papers of the period into this new folder, once it is locked", {
    placeholder: "DIR",
    live: "file",
  })
  .note(
    "Shows what an accountant looks at: statements and reconciling, drafts, repeating invoices and " +
      "depreciation, rates, ageing, stock, registers, suspense, tax. Where all is in order the period " +
      "is locked: nothing in it can be posted or changed. Where something is open it asks first; " +
      "without a terminal it locks nothing and exits 7, and --yes locks nonetheless.",
  )
  .note(
    "A closed year needs no journal: its profit stands in the account of retained earnings from the first day of " +
      "the next. What was locked and reopened stands in acct organisation history.",
  )
  .example("acct close 2026-03 --yes")
  .example("acct close 2026-03 --dry-run --yes -o json")
  .example("acct close --year --yes")
  .note(
    "The pack has the reports of the period as PDF and spreadsheet, the ledger as CSV, the attachments " +
      "of the period's records, and index.html with links to them.",
  )
  .example("acct close 2026-03 --reopen")
  .example("acct close 2026-03 --yes --pack march-2026")
  .action(async (ctx, text, { year = false, reopen = false, pack }) => {
    const packing = pack === undefined ? undefined : await import("../export/close-pack.ts");
    if (packing !== undefined && reopen) {
      throw new UsageError("BadFlags", "--pack is of a period that is closed; leave --reopen out.");
    }
    await requireExtension(ctx, "Closing a period", "GET", pathOf(closingCheck));
    const ownRecord = await ownOrganisation(ctx);
    const period = await periodFrom(ctx, ownRecord, text, year);
    if (reopen) return reopenFrom(ctx, ownRecord, period, year);
    if (period.to >= (await ctx.today())) {
      throw new UsageError(
        "BadPeriod",
        `The period ends on ${period.to}; only one that has ended can be closed.`,
      );
    }
    if (pack !== undefined) packing?.checkPack(ctx, pack);
    const client = await ctx.client();
    const checks = await client.at(closingCheck, pathOf(closingCheck), { date: period.to });
    const rows = checks.map((check) => ({
      ...check,
      ...(check.Status === "OPEN" && { Mend: `acct ${mends[check.Check](check, period.to)}` }),
    }));
    if (ctx.out.isScreen) await ctx.out.page(({ width = 80 }) => checkLines(rows, width));
    else await ctx.out.records(shownCheck, rows);
    if (year) await reportProfit(ctx, period);
    const open = new Set(rows.filter(({ Status }) => Status === "OPEN").map(({ Check }) => Check))
      .size;
    const problem = await lock(ctx, ownRecord, period, { year, open });
    if (pack !== undefined) await packing?.writePack(ctx, pack, ownRecord, period);
    if (problem !== undefined) throw problem;
  });

/** Checks as people read them: below an open one each finding, and the whole command that settles it. */
function checkLines(
  rows: readonly (ClosingCheck & { readonly Mend?: string })[],
  width: number,
): string[] {
  return rows.flatMap(({ Status, Name, Found = "", Mend = "" }, at) => [
    ...(rows[at - 1]?.Name === Name ? [] : [`${Status === "OPEN" ? "Open" : "OK  "}  ${Name}`]),
    ...[Found, Mend].flatMap((text) => {
      const lines = text === "" ? [] : wrapText(safeLine(text), width - 6);
      return lines.map((line) => `      ${line}`);
    }),
  ]);
}

async function periodFrom(
  ctx: Context,
  ownRecord: Organisation,
  text: string | undefined,
  isYear: boolean,
) {
  if (!isYear) return periodIn(ctx, text ?? "last-month", ownRecord);
  if (text === undefined) return periodIn(ctx, "last-fy", ownRecord);
  const { to } = await periodIn(ctx, text, ownRecord);
  const yearEnd = { day: ownRecord.FinancialYearEndDay, month: ownRecord.FinancialYearEndMonth };
  return parsePeriod("this-fy", { today: to, yearEnd });
}

interface LockOptions {
  readonly year: boolean;
  /** Count of checks with findings. */
  readonly open: number;
}

const locksOf = ({ PeriodLockDate = "", EndOfYearLockDate = "" }: Organisation) => ({
  PeriodLockDate,
  EndOfYearLockDate,
});

/**
 * Locks the books up to the end of a period.
 *
 * @returns what is left open in a period that was locked before
 * @throws PartlyDoneError where checks are open and nothing was locked
 */
async function lock(
  ctx: Context,
  ownRecord: Organisation,
  { to }: Period,
  { year, open }: LockOptions,
): Promise<PartlyDoneError | undefined> {
  const day = longDate(to);
  const locks = locksOf(ownRecord);
  const lockName = year ? "EndOfYearLockDate" : "PeriodLockDate";
  const isLocked =
    (year
      ? locks.EndOfYearLockDate
      : ([locks.PeriodLockDate, locks.EndOfYearLockDate].sort().at(-1) ?? "")) >= to;
  const openText = `${counted(open, "check is", "checks are")} open`;
  if (isLocked) {
    ctx.out.say(`The books are locked up to ${day} already.`);
    return open > 0 ? new PartlyDoneError(`${openText}.`) : undefined;
  }
  if (open > 0 && !ctx.flags.yes) {
    if (ctx.flags.dryRun || !ctx.flags.input) {
      throw new PartlyDoneError(`${openText}; nothing was locked. --yes locks nonetheless.`);
    }
    await confirm(ctx, `${openText}. Lock the books up to ${day} nonetheless?`);
  }
  const settings = {
    [lockName]: to,
    ...(year && locks.PeriodLockDate < to && { PeriodLockDate: to }),
  };
  await setLocks(ctx, settings);
  const { dryRun } = ctx.flags;
  const { PeriodLockDate } = locks;
  ctx.out.say(
    PeriodLockDate > to
      ? `The financial year ${dryRun ? "would be" : "is"} closed up to ${day}; the books are locked up to ${longDate(PeriodLockDate)}.`
      : `The books ${dryRun ? "would be" : "are"} locked up to ${day}.`,
  );
  return undefined;
}

async function reopenFrom(
  ctx: Context,
  ownRecord: Organisation,
  { from }: Period,
  isYear: boolean,
): Promise<void> {
  const locks = locksOf(ownRecord);
  const dayBefore = addDays(from, -1);
  if (!isYear && locks.EndOfYearLockDate >= from) {
    throw new RefusedError(
      "LockDate",
      `The financial year is closed up to ${longDate(locks.EndOfYearLockDate)}; --year --reopen reopens it.`,
    );
  }
  const changedLocks = Object.entries(locks).filter(
    ([name, day]) => day >= from && (isYear || name === "PeriodLockDate"),
  );
  if (changedLocks.length === 0) {
    ctx.out.say(`Nothing from ${longDate(from)} on is locked.`);
    return;
  }
  await confirm(ctx, `Reopen the books from ${longDate(from)} on?`);
  await setLocks(ctx, Object.fromEntries(changedLocks.map(([name]) => [name, dayBefore])));
  const verb = ctx.flags.dryRun ? "would be" : "are";
  ctx.out.say(`The books ${verb} locked up to ${longDate(dayBefore)} only.`);
}

async function setLocks(
  ctx: Context,
  settings: { readonly PeriodLockDate?: string; readonly EndOfYearLockDate?: string },
): Promise<void> {
  const client = await ctx.client();
  await client.writeMany("POST", organisationSetting, [settings], { under: "/Organisation" });
}

/** Reports the profit of the year, which is carried forward without a journal. */
async function reportProfit(ctx: Context, { from, to }: Period): Promise<void> {
  const client = await ctx.client();
  const { Rows = [] } = await client.report("ProfitAndLoss", {
    ...{ fromDate: from, toDate: to, described: "true" },
  });
  const cells = Rows.flatMap(({ Rows: own = [] }) => own).find(
    (row) => figureIn(row) === "net-profit",
  )?.Cells;
  const amount = cells?.[1]?.Value ?? "0.00";
  const accounts = await Array.fromAsync(client.list(account));
  const retained = accounts.find(({ SystemAccount }) => SystemAccount === "RETAINEDEARNINGS");
  ctx.out.say(
    `Net profit of ${longDate(from)} to ${longDate(to)}: ${amount}, in ${retained?.Name ?? "Retained Earnings"} from ${longDate(addDays(to, 1))} on.`,
  );
}
