/** Days and periods in words, in the order of the organisation's country. */
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();
const american = newDesk();
const canadian = newDesk();

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  await acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-34");
  await acct("contact create --name 'Moa Coffee'");
  await american.acct("init --name Kiln --country US");
  await canadian.acct("init --name Kiln --country CA");
});

const bill = (date: string, more = "") =>
  acct(
    `bill create --contact 'Moa Coffee' --date '${date}' --line description=Beans,unit-amount=9,account=400 -o id ${more}`,
  );

describe("a date flag for one day", () => {
  test("a date in numbers is read in the country's order of day and month, and printed in words", async () => {
    const { code, stdout, stderr } = await bill("1/3/2026");
    expect([code, stderr]).toEqual([0, "1/3/2026 is Sunday 1 March 2026.\n"]);
    const shown = await acct(`bill show ${stdout.trim()} --columns Date -o csv`);
    expect(shown.stdout).toBe("Date\n2026-03-01\n");
  });

  test("a date impossible in the country's order is refused with the date that may be meant", async () => {
    const { code, stderr } = await bill("3/13/2026");
    expect([code, stderr]).toEqual([
      2,
      'acct: --date: "3/13/2026" is no day where the day stands first, as in the country of the organisation; give 2026-03-13.\n',
    ]);
  });

  test("a date in numbers is read month first in the United States", async () => {
    const { stderr } = await american.acct("invoice list --from 3/13/2026 --to 4/1/2026");
    expect(stderr).toBe(
      "3/13/2026 is Friday 13 March 2026.\n4/1/2026 is Wednesday 1 April 2026.\nNo invoices found.\n",
    );
  });

  test("a date in numbers is refused with both readings in a country that uses both orders", async () => {
    const { code, stderr } = await canadian.acct("invoice list --from 1/3/2026");
    expect([code, stderr]).toEqual([
      2,
      'acct: --from: "1/3/2026" is 1 March 2026 in some places and 3 January 2026 in others; give 2026-03-01 or 2026-01-03.\n',
    ]);
  });

  test("a date with a year of two digits is refused", async () => {
    const { code, stderr } = await bill("1/3/26");
    expect([code, stderr]).toEqual([
      2,
      'acct: --date: "1/3/26" has a year of two digits; give all four of them.\n',
    ]);
  });
});

describe("a period flag", () => {
  test("the period of a financial year is the year that ends in the named year, and its days are printed", async () => {
    const { stdout, stderr } = await acct("report pl --period FY2026 -o csv");
    expect(stdout).toContain("Apr 25–Mar 26");
    expect(stderr).toBe("FY2026 is 1 April 2025 to 31 March 2026.\n");
  });

  test("both days of a period in numbers are read in the country's order of day and month", async () => {
    const { stdout, stderr } = await acct(
      "bill list --period '1/3/2026..31 March 2026' --columns Date -o csv",
    );
    expect([stdout, stderr]).toEqual(["Date\n2026-03-01\n", "1/3/2026 is Sunday 1 March 2026.\n"]);
  });
});

// The clock is at noon UTC of 5 March: in New Zealand the next day has begun.
describe("today of an organisation where another day has begun", () => {
  test("a document is dated by its organisation's today, in words as without a date, and in a copy", async () => {
    const dates: string[] = [];
    for (const date of ["", "--date today", "--date +0d", "--date eom"]) {
      const made = await acct(
        `bill create --contact 'Moa Coffee' ${date} --allow-duplicate --line description=Beans,unit-amount=8,account=400 -o id`,
      );
      const shown = await acct(`bill show ${made.stdout.trim()} --columns Date -o csv`);
      dates.push(shown.stdout);
      if (date !== "") continue;
      const copied = await acct(`bill copy ${made.stdout.trim()} -o json`);
      expect(JSON.parse(copied.stdout)).toMatchObject({ Date: "2026-03-06" });
    }
    const days = ["2026-03-06", "2026-03-06", "2026-03-06", "2026-03-31"];
    expect(dates).toEqual(days.map((day) => `Date\n${day}\n`));
  });

  test.each([
    ["report aged-payables --date today", "As at 6 March 2026"],
    ["report aged-payables", "As at 6 March 2026"],
    ["report pl --from 2026-02-15", "15 February 2026 to 6 March 2026"],
    ["report pl --period ytd", "1 January 2026 to 6 March 2026"],
  ])("the line '%s' shows the organisation's day", async (line, day) => {
    const { stdout, stderr } = await acct(line);
    expect(stdout + stderr).toContain(day);
  });

  test("a weekday in words is told once, by the organisation's today", async () => {
    const { stderr } = await acct("bill list --date thursday");
    expect(stderr).toContain("thursday is Thursday 12 March 2026.");
  });
});
