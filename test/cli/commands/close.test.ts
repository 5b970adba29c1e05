/** Closing a period at the terminal: checks, the lock, and taking it back. */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const desk = newDesk();
let books = 0;
/** In April. */
const acct = (line: string) =>
  desk.acct(line, { daysLater: 30, env: { ACCT_BOOK: join(desk.home, `${books}.acct`) } });

const line = "--line 'description=Mugs,unit-amount=100,account=200,tax-type=NONE'";
const invoice = (flags: string) =>
  acct(`invoice create --contact Kowhai --date 2026-03-05 --due-date 2026-03-20 ${line} ${flags}`);
const locks = async () => {
  const own = JSON.parse((await acct("organisation show -o json")).stdout);
  return [own.PeriodLockDateString ?? own.PeriodLockDate, own.EndOfYearLockDate].map(
    (day) => day?.slice(0, 10) ?? "",
  );
};

beforeEach(async () => {
  books += 1;
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Kowhai");
});

describe("closing a period whose checks all pass", () => {
  test("closing a year of which later months are locked says both days", async () => {
    await acct("close 2026-03");
    const { code, stderr } = await acct("close 2025-03 --year");
    expect([code, await locks()]).toEqual([0, ["2026-03-31", "2025-03-31"]]);
    expect(stderr).toContain(
      "The financial year is closed up to 31 March 2025; the books are locked up to 31 March 2026.",
    );
  });

  test("closing a period without findings locks it, and the period can be reopened", async () => {
    await invoice("--status AUTHORISED");
    const tried = await acct("close 2026-03 --dry-run");
    expect([tried.code, tried.stderr]).toEqual([
      0,
      "The books would be locked up to 31 March 2026.\nDry run: nothing was changed.\n",
    ]);
    expect(await locks()).toEqual(["", ""]);
    const done = await acct("close 2026-03");
    expect([done.code, done.stderr]).toEqual([0, "The books are locked up to 31 March 2026.\n"]);
    expect(done.stdout).toMatch(/^Receivables agree with ageing +OK$/m);
    expect(await locks()).toEqual(["2026-03-31", ""]);
    expect((await invoice("")).code).toBe(5);
    const again = await acct("close 2026-03");
    expect([again.code, again.stderr]).toEqual([
      0,
      "The books are locked up to 31 March 2026 already.\n",
    ]);
    expect((await acct("close 2026-03 --reopen --no-input")).code).toBe(2);
    expect((await acct("close 2026-03 --reopen --yes")).stderr).toBe(
      "The books are locked up to 28 February 2026 only.\n",
    );
    expect((await invoice("--allow-duplicate")).code).toBe(0);
    expect((await acct("organisation history")).stdout).toContain(
      "PeriodLockDate 2026-03-31 → 2026-02-28",
    );
    expect((await acct("close 2026-03 --reopen --yes")).stderr).toBe(
      "Nothing from 1 March 2026 on is locked.\n",
    );
  });

  test("a closed year is locked for all users, and reopened as a year", async () => {
    await invoice("--status AUTHORISED");
    const done = await acct("close 2026-02 --year");
    expect(done.stderr.split("\n")).toEqual([
      "Net profit of 1 April 2025 to 31 March 2026: 100.00, in Retained Earnings from 1 April 2026 on.",
      "The books are locked up to 31 March 2026.",
      "",
    ]);
    expect(await locks()).toEqual(["2026-03-31", "2026-03-31"]);
    const month = await acct("close 2026-03 --reopen --yes");
    expect([month.code, month.stderr]).toEqual([
      5,
      "acct: The financial year is closed up to 31 March 2026; --year --reopen reopens it.\n",
    ]);
    expect((await acct("close 2026-03 --year --reopen --yes")).code).toBe(0);
    expect(await locks()).toEqual(["2025-03-31", "2025-03-31"]);
  });
});

test("a change of a document before both lock dates is refused with one message, which names number and date", async () => {
  await invoice("--status AUTHORISED");
  await acct("close 2026-03");
  await acct("close --year");
  const told =
    "acct: INV-0001: The document date is on or before the lock date, 31 Mar 2026\n" +
    "  acct explain refusal tells the rule and the ways.\n";
  for (const words of ["update INV-0001 --date 2026-04-02", "void INV-0001 --yes"])
    expect(await acct(`invoice ${words}`)).toEqual({ code: 5, stdout: "", stderr: told });
  const { error } = JSON.parse((await acct("invoice void INV-0001 --yes -o json")).stderr);
  expect(error).toMatchObject({ code: "LockDate", details: [{ record: "INV-0001" }] });
});

describe("closing a period with findings", () => {
  test("closing a period with findings does not lock it, and each finding names its remedy", async () => {
    await invoice("");
    const refused = await acct("close 2026-03");
    expect([refused.code, refused.stderr]).toEqual([
      7,
      "acct: 1 check is open; nothing was locked. --yes locks nonetheless.\n",
    ]);
    expect(refused.stdout).toMatch(
      /No document waiting +OPEN +1 invoice in draft, the first of 5 Mar 2026 +acct invoice list --status DRAFT,SUBMITTED --to 2026-03-31$/m,
    );
    expect(await locks()).toEqual(["", ""]);
    expect(
      (await acct("invoice list --status DRAFT,SUBMITTED --to 2026-03-31 -o id")).stdout,
    ).not.toBe("");
    expect((await acct("close 2026-03 --yes")).code).toBe(0);
    expect(await locks()).toEqual(["2026-03-31", ""]);
    expect((await acct("close 2026-03")).code).toBe(7);
  });

  test("a check with several findings counts as one open check", async () => {
    await invoice("");
    await acct(`bill create --contact Kowhai --date 2026-03-06 --due-date 2026-03-20 ${line}`);
    const refused = await acct("close 2026-03");
    expect(refused.stdout.match(/^No document waiting +OPEN/gm)).toHaveLength(2);
    expect(refused.stderr).toContain("1 check is open");
  });

  test("acct close -o json prints each check", async () => {
    await invoice("");
    const rows = JSON.parse((await acct("close 2026-03 --dry-run -o json")).stdout);
    expect(rows).toContainEqual({
      Check: "drafts",
      Name: "No document waiting",
      Status: "OPEN",
      Subject: "ACCREC",
      Found: "1 invoice in draft, the first of 5 Mar 2026",
      Count: 1,
      FromDate: "2026-03-05",
      Mend: "acct invoice list --status DRAFT,SUBMITTED --to 2026-03-31",
    });
  });
});

test("closing a period that has not ended, or is no period, is refused", async () => {
  expect(await acct("close tomorrow")).toMatchObject({ code: 2 });
  const future = await acct("close 2099-01");
  expect([future.code, future.stderr]).toEqual([
    2,
    "acct: The period ends on 2099-01-31; only one that has ended can be closed.\n",
  ]);
  expect(await locks()).toEqual(["", ""]);
});
