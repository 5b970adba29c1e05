/** A year of the company as tests: it begins, each month is kept and its reports agree, it is closed. */

import { afterAll, describe, expect, test } from "vitest";
import { regionOf } from "../../src/ledger/regions/index.ts";
import { mailServer } from "../support/mail-server.ts";
import { Bookkeeper, cli } from "./bookkeeper.ts";
import { checked } from "./checks.ts";
import { makeBook, openBooks, openingBalances } from "./company.ts";
import type { Country } from "./country.ts";
import { planOf } from "./events.ts";
import { Year } from "./month.ts";
import { inUnits, type Plan } from "./plan.ts";
import { cents, Report } from "./report.ts";
import { correction } from "./sales.ts";
import { banks } from "./statement-files.ts";

/** In this month statements of account are sent by a mail server, in the others to the outbox. */
const mailedMonth = 3;

export function keepsAYear(country: Country): void {
  const plan = planOf(country);
  const keeper = new Bookkeeper();
  afterAll(() => keeper.clear());
  let year: Year | undefined;
  /** What failed first; what comes after it would fail for no reason of its own. */
  let failed: string | undefined;
  let figures = 0;
  const step = (name: string, work: (year: Year) => Promise<void>) =>
    test(name, { timeout: 600_000 }, async ({ skip }) => {
      if (failed !== undefined) skip(`"${failed}" has failed`);
      failed = name;
      if (year === undefined) throw new Error("The books were not opened.");
      await work(year);
      failed = undefined;
    });

  test("the new book's trial balance equals the given one of the day before, to the cent", async () => {
    await makeBook(keeper, plan);
    const made = await openBooks(keeper, plan);
    expect(await trialBalance(keeper, country.conversion)).toEqual(openingBalances(plan));
    year = new Year(keeper, plan, made);
    await year.addRules();
  });

  const agree = async (own: Year, month: number) => {
    const found = await checked(own, month);
    figures += found.count;
    expect(found.differences).toEqual([]);
  };
  describe.each(Array.from({ length: 12 }, (_, month) => month))("month %i", (month) => {
    const period = plan.lastDay(month).slice(0, 7);
    step(`${period} is kept and closed`, async (own) => {
      const mail = month === mailedMonth ? await mailServer() : undefined;
      const before = own.emailed;
      await own.correct(month);
      if (month === correction.month) await agree(own, month - 1);
      await own.keep(month, {
        ...(mail && { env: { ACCT_SMTP_URL: mail.url } }),
      });
      if (mail !== undefined) expect(mail.messages).toBe(own.emailed - before);
    });
    step(`every report of ${period} agrees with the expected figures`, (own) => agree(own, month));
  });

  step("the year is closed, reopened with an entry in the audit log, and closed again", (own) =>
    closed(own),
  );

  step(
    "a bank balance that is one cent too high is reported with its month and its account",
    async (own) => {
      const other = planOf(country);
      const line = other.linesOf("current", 11)[0];
      Object.assign(line ?? {}, { amount: (line?.amount ?? 0) + 1 });
      const { differences } = await checked(new Year(keeper, other, {}), 11);
      const period = plan.lastDay(11).slice(0, 7);
      expect(differences).toEqual([
        expect.stringContaining(`${period}, bank reconciliation current, the bank: `),
      ]);
      console.log(`${country.code}: ${summaryOf(own)}, ${figures} figures compared`);
    },
  );
}

/** What stands on each account by its code, debit positive. */
async function trialBalance(keeper: Bookkeeper, date: string): Promise<Map<string, number>> {
  const report = await Report.of(keeper, cli`trial-balance --date ${date}`);
  return new Map(
    report.rows.flatMap(({ cells: [name, , , debit, credit] }) => {
      const code = /\((\w+)\)$/.exec(String(name))?.[1];
      return code === undefined ? [] : [[code, cents(debit) - cents(credit)] as const];
    }),
  );
}

async function closed({ keeper, plan }: Year): Promise<void> {
  const period = plan.lastDay(11).slice(0, 7);
  const profit = await Report.of(keeper, cli`pl --from ${plan.day(0, 1)} --to ${plan.lastDay(11)}`);
  const net = profit.figure("Net Profit", "1");
  const { accounts } = plan.country;
  const before = (await trialBalance(keeper, plan.lastDay(11))).get(accounts.retained) ?? 0;
  const close = await keeper.run(cli`close ${period} --year`);
  const retained = regionOf(plan.country.code)
    .accounts()
    .find(({ system }) => system === "RETAINEDEARNINGS")?.name;
  expect([close.code, close.stderr]).toEqual([
    0,
    expect.stringContaining(`: ${inUnits(net)}, in ${retained} from`),
  ]);
  // Not even a month of a closed year can be reopened alone.
  expect((await keeper.run(cli`close ${period} --reopen --yes`)).code).toBe(5);
  await keeper.ok(cli`close ${period} --year --reopen --yes`);
  await keeper.ok(cli`close ${period} --year`);
  const next = await trialBalance(keeper, plan.day(12, 31));
  expect(next.get(accounts.retained)).toBe(before - net);
  const ledger = await Report.of(
    keeper,
    cli`general-ledger --from ${plan.day(11, 1)} --to ${plan.day(12, 31)}`,
  );
  const closings = [...ledger.figures("Closing")].filter(
    ([code, figure]) => figure !== 0 && code !== "Total",
  );
  expect(new Map(closings)).toEqual(new Map([...next].filter(([, figure]) => figure !== 0)));
  const history = await keeper.ok(cli`organisation history --columns Details`);
  for (const trace of [
    `PeriodLockDate ${plan.lastDay(correction.month - 1)} → ${plan.lastDay(correction.month - 2)}`,
    `EndOfYearLockDate ${plan.lastDay(11)} → ${plan.lastDay(-1)}`,
  ]) {
    expect(history).toContain(trace);
  }
}

function summaryOf({ plan, emailed }: Year): string {
  const lines = banks.flatMap((account) =>
    Array.from({ length: 12 }, (_, month) => plan.linesOf(account, month)).flat(),
  );
  const explained = (by: (line: Plan["lines"][number]) => boolean) => lines.filter(by).length;
  return [
    `12 months and ${plan.deeds.flat().length} entries`,
    `${lines.length} lines of ${banks.length} bank accounts in 5 formats`,
    `${explained(({ by }) => by === "rule")} by rules`,
    `${explained(({ by }) => by === "auto")} by evidence`,
    `${explained(({ by }) => typeof by !== "string")} by a person`,
    `${emailed} statements of account sent`,
  ].join(", ");
}
