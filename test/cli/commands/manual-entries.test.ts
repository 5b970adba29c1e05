/** Lines of manual journals as they are typed. */
import { beforeAll, describe, expect, test } from "vitest";
import { parseJournalLine } from "../../../src/cli/commands/manual-journal.ts";
import { UsageError } from "../../../src/resources/errors.ts";
import { newDesk } from "../real.ts";

describe("a line of a manual journal", () => {
  test.each<[string, object]>([
    ["account=433,amount=55", { AccountCode: "433", LineAmount: 5500 }],
    ["account=433,amount=-55", { AccountCode: "433", LineAmount: -5500 }],
    ["account=433,debit=55", { AccountCode: "433", LineAmount: 5500 }],
    [
      'account=620,credit=55,description="Kiln, half",tax=NONE',
      { AccountCode: "620", LineAmount: -5500, Description: "Kiln, half", TaxType: "NONE" },
    ],
  ])("the manual journal line %s is parsed", (text, line) =>
    expect(parseJournalLine(text)).toEqual(line),
  );

  test.each(["account=433,debit=1,credit=1", "account=433,amount=1,debit=1", "quantity=2"])(
    "the manual journal line %s is refused",
    (text) => expect(() => parseJournalLine(text)).toThrow(UsageError),
  );
});

describe("a series of manual journals", () => {
  const desk = newDesk();
  const power = "--line account=445,debit=80 --line account=835,credit=80";
  const create = (flags: string) =>
    desk.acct(`manual-journal create --narration Power --date 2026-03-31 ${flags}`);

  beforeAll(async () => {
    await desk.acct("init --name Heron --country NZ --no-input");
  });

  test("a manual journal is posted with its reversal, spread over months, or repeated", async () => {
    const reversed = await create(`${power} --reverse-on 2026-04-01`);
    expect(reversed.stdout).toMatch(/2026-04-01 +Reversal: Power +POSTED/);
    const spread = await create("--line account=433,amount=1000 --over '3 months'");
    expect(spread.stdout).toMatch(/2026-05-31 +Power \(3 of 3\) +POSTED/);
    const repeated = await create(`${power} --every month --until 2026-06-30 --allow-duplicate`);
    expect(repeated.stdout).toMatch(/2026-04-30 .*2026-05-31 .*2026-06-30 /s);
    const [, second = ""] = reversed.stdout.split("\n");
    const id = second.split(" ")[0];
    await desk.acct(`manual-journal void ${id} --yes`);
    const left = await desk.acct("manual-journal list --status POSTED -o id");
    expect(left.stdout.trim().split("\n")).toHaveLength(4 + 4);
  });

  test("an impossible series of manual journals is refused before any request", async () => {
    for (const [flags, reason] of [
      [`${power} --over 2 --every month`, "Give one of --reverse-on, --over and --every."],
      [`${power} --over 1`, "--over is a number of months, from 2 to 120, not '1'."],
      ["--line account=433,amount=1 --reverse-on 2026-04-01", "It needs two --line or more."],
      [`${power} --over 2 --status DRAFT`, "A series of journals is posted, and takes no --file."],
    ] as const) {
      const { code, stderr } = await create(flags);
      expect([code, stderr]).toEqual([2, `acct: ${reason}\n`]);
    }
    const again = await create(`${power} --reverse-on 2026-04-02`);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("--allow-duplicate")]);
    const tried = await create(`${power} --reverse-on 2026-04-02 --dry-run --allow-duplicate`);
    expect(tried.stderr).toContain("Dry run: nothing was changed.");
    expect((await desk.acct("manual-journal list")).stdout).not.toContain("2026-04-02");
  });
});
