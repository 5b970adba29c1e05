/** What programs read of commands that show no record: every verb says in the format what it did. */
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "./real.ts";

const { acct } = newDesk();

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  await acct("contact create --name Heron --email-address a@heron.example");
  const line = "--line description=Mug,unit-amount=5,account=200";
  await acct(
    `invoice create --contact Heron --date 2026-01-10 --due-date 2026-01-20 --status AUTHORISED ${line}`,
  );
});

describe("commands that have no record to show", () => {
  test.each([
    ["contact note Heron Rang --dry-run", "Would note on Heron."],
    ["invoice email INV-0001 --dry-run", "Would email INV-0001 to a@heron.example."],
    ["history add --on invoice:INV-0001 Rang", "Noted on"],
  ])("acct %s -o json prints a message that says what was done", async (line, message) => {
    const { code, stdout } = await acct(`${line} -o json`);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [{ Message: expect.stringContaining(message) }],
    ]);
  });

  test.each([
    ["csv", /^Message\nNoted on invoice:INV-0001\.\n$/],
    ["xml", /<Message>Noted on invoice:INV-0001\.<\/Message>/],
    ["ndjson", /^\{"Message":"Noted on invoice:INV-0001\."\}\n$/],
    ["table", /^$/],
    ["id", /^$/],
  ])("acct history add -o %s prints its message in that format", async (format, answer) => {
    const { stdout, stderr } = await acct(`history add --on invoice:INV-0001 Rang -o ${format}`);
    expect(stdout).toMatch(answer);
    expect(stderr).toContain("Noted on invoice:INV-0001.");
  });

  test("a command that shows a record prints the record and no message in JSON", async () => {
    const { stdout } = await acct("invoice void INV-0001 --yes --dry-run -o json");
    expect(JSON.parse(stdout)).toMatchObject({ InvoiceNumber: "INV-0001" });
  });
});

test.each([
  ["--name Kiln", "--name"],
  ["--currency EUR", "--currency"],
  ["--financial-year-end 06-30", "--financial-year-end"],
])(
  "acct init --demo %s is refused with the name of the flag, and creates no book",
  async (flags, name) => {
    const { code, stderr } = await acct(`init --demo --book x.acct ${flags}`, {
      env: { ACCT_BOOK: "" },
    });
    expect([code, stderr]).toEqual([
      2,
      `acct: The sample company has its own; leave ${name} out.\n`,
    ]);
  },
);
