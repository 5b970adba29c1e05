/** Whatever a refusal of `acct undo` says to do instead is done, and works. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { reversalOf } from "../../../src/service/operations/reversals.ts";
import { storedResources } from "../../../src/store/schema/tables.ts";
import { firstOf } from "../../support/properties.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();
const folder = mkdtempSync(join(tmpdir(), "acct-remedies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const image = join(folder, "logo.png");
const other = join(folder, "other.txt");
writeFileSync(other, "another");
writeFileSync(
  image,
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

const sale = (more = "") =>
  `invoice create --contact Ann --date 2026-02-10 --due-date 2026-03-10 --line description=Work,unit-amount=100,account=200 --status AUTHORISED ${more}`;
const locked = "book set --period-lock-date 2026-02-28";
const after = "--date 2026-03-02";

interface Case {
  readonly before: readonly string[];
  /** The number of the operation from the last of `before`: 0 is that one. */
  readonly back?: number;
  readonly refusal: RegExp;
  /** What the refusal names in words is done by these; without them the commands in it are run. */
  readonly remedy?: readonly string[];
  /** An account whose balance is as before the operation. */
  readonly settles?: string;
  /** Where the operation can be undone in the end. */
  readonly isUndone?: true;
}

const cases: Readonly<Record<string, Case>> = {
  "a later operation depends on it": {
    before: [sale(), "payment apply INV-0001 --account 090 --date 2026-02-20"],
    back: 1,
    refusal: /undone before what was done later to invoice INV-0001: .*\(acct undo \d+\)/,
    isUndone: true,
  },
  "the operation is already undone": {
    before: [sale(), "undo --yes"],
    back: 1,
    refusal: /was undone by operation \d+; acct undo \d+ does it again/,
  },
  "the last operation is a note": {
    before: [sale(), "history add 'She rang' --on invoice:INV-0001"],
    refusal: /stays as a note in the history; acct undo \d+ takes back an earlier one/,
  },
  "the invoice is locked": {
    before: [sale(), locked],
    refusal: /a credit note dated after it \(acct credit-note create\) corrects it/,
    remedy: [
      `credit-note create --type ACCRECCREDIT --contact Ann ${after} --line description=Work,unit-amount=100,account=200 --status AUTHORISED`,
    ],
    settles: "200",
  },
  "the credit note is locked": {
    before: [
      "credit-note create --type ACCRECCREDIT --contact Ann --date 2026-02-10 --line description=Work,unit-amount=100,account=200 --status AUTHORISED",
      locked,
    ],
    refusal:
      /an invoice dated after it \(acct invoice create\), or a bill \(acct bill create\), corrects it/,
    remedy: [
      `invoice create --contact Ann ${after} --due-date 2026-03-10 --line description=Work,unit-amount=100,account=200 --status AUTHORISED`,
    ],
    settles: "200",
  },
  "the credit note of a supplier is locked": {
    before: [
      "credit-note create --type ACCPAYCREDIT --contact Ann --date 2026-02-10 --line description=Rent,unit-amount=100,account=469 --status AUTHORISED",
      locked,
    ],
    refusal: /or a bill \(acct bill create\), corrects it/,
    remedy: [
      `bill create --contact Ann --invoice-number B-1 ${after} --due-date 2026-03-10 --line description=Rent,unit-amount=100,account=469 --status AUTHORISED`,
    ],
    settles: "469",
  },
  "the journal is locked": {
    before: [
      "manual-journal create --narration Wrong --date 2026-02-10 --line account=200,amount=-50 --line account=469,amount=50 --status POSTED",
      locked,
    ],
    refusal: /a reversing journal dated after it \(acct manual-journal create\) corrects it/,
    remedy: [
      `manual-journal create --narration Right ${after} --line account=200,amount=50 --line account=469,amount=-50 --status POSTED`,
    ],
    settles: "200",
  },
  "the payment is locked": {
    before: [sale(), "payment apply INV-0001 --account 090 --date 2026-02-20", locked],
    refusal: /the money coming back, dated after it \(acct bank-transaction create\) corrects it/,
    remedy: [
      `bank-transaction create --type SPEND --contact Ann --bank-account 090 ${after} --line description=Back,unit-amount=115,account=469,tax-type=NONE`,
    ],
    settles: "090",
  },
  "bank money is locked": {
    before: [
      "bank-transaction create --type RECEIVE --contact Ann --bank-account 090 --date 2026-02-20 --line description=In,unit-amount=40,account=200",
      locked,
    ],
    refusal: /the money coming back, dated after it \(acct bank-transaction create\) corrects it/,
    remedy: [
      `bank-transaction create --type SPEND --contact Ann --bank-account 090 ${after} --line description=Back,unit-amount=40,account=200`,
    ],
    settles: "090",
  },
  "a rate was given": {
    before: ["currency add USD", "currency rate USD 0.61 --date 2026-02-10"],
    refusal: /the USD rate of 2026-02-10 stays until another is given \(acct currency rate\)/,
    remedy: ["currency rate USD 0.62 --date 2026-02-10"],
  },
  "a file was removed": {
    before: [
      sale(),
      `attachment add ${image} --on invoice:INV-0001`,
      "attachment remove logo.png --on invoice:INV-0001 --yes",
    ],
    refusal: /a file that was removed or replaced is not kept; attach it again/,
    remedy: [`attachment add ${image} --on invoice:INV-0001`],
  },
  "a file was replaced": {
    before: [
      sale(),
      `attachment add ${image} --on invoice:INV-0001`,
      `attachment add ${other} --name logo.png --on invoice:INV-0001 --yes`,
    ],
    refusal: /a file that was removed or replaced is not kept; attach it again/,
    remedy: [`attachment add ${image} --on invoice:INV-0001 --yes`],
  },
  "a file was shown online": {
    before: [
      sale(),
      `attachment add ${image} --on invoice:INV-0001`,
      `attachment add ${image} --include-online --on invoice:INV-0001 --yes`,
    ],
    refusal: /a file that was removed or replaced is not kept; attach it again/,
    remedy: [`attachment add ${image} --on invoice:INV-0001 --yes`],
  },
  "a logo was removed": {
    before: [`branding set --logo ${image}`, "branding set --logo none"],
    refusal: /a logo that was removed is not kept; set it again \(acct branding set\)/,
    remedy: [`branding set --logo ${image}`],
  },
  "an address was revoked": {
    before: [
      sale(),
      "invoice url INV-0001 --public-url https://books.example",
      "invoice url INV-0001 --revoke --yes --public-url https://books.example",
    ],
    refusal:
      /an address that was revoked is not given again \(acct invoice url gives the new one\)/,
    remedy: ["invoice url INV-0001 --public-url https://books.example"],
  },
  "a disposal was rolled back": {
    before: [
      "asset add --name Desk --purchase-date 2026-01-15 --cost 300 --life 3 --asset-account 710",
      "asset dispose FA-0001 --date 2026-03-03 --yes",
      "asset rollback --to 2026-01-31 --yes",
    ],
    refusal: /a disposal that was rolled back is entered again by acct asset dispose/,
    remedy: ["asset dispose FA-0001 --date 2026-03-03 --yes"],
  },
  "a return was withdrawn": {
    before: [
      "organisation update --sales-tax-basis INVOICE --tax-number 49-091-850 --pays-tax",
      sale(),
      "report gst --period 2026-02 --publish --own-days --yes",
      "report gst --withdraw --reason 'Too early' --yes",
    ],
    refusal: /what was said of a return stays/,
    remedy: ["report gst --period 2026-02 --publish --own-days --yes"],
  },
};

let count = 0;

test.each(firstOf(Object.entries(cases), 4))(
  "the remedy named by a refused undo can be carried out where %s",
  async (_, each) => {
    count += 1;
    const env = { ACCT_BOOK: join(home, `${count}.acct`) };
    const run = async (line: string) => {
      const { code, stdout, stderr } = await acct(line, { env });
      expect([line, code, stderr]).toEqual([line, 0, stderr]);
      return stdout;
    };
    const numberOf = async (back: number) => {
      const said = await run("log --limit 20 --columns Number -o csv");
      return said.trim().split("\n").slice(1)[back];
    };
    const balance = async () => {
      const report = await run("report trial-balance --date 2026-03-31 -o csv");
      return report.split("\n").find((line) => line.includes(`(${each.settles})`));
    };
    await run("init --name Quay --country NZ");
    await run(
      "account create --code 090 --name Bank --type BANK --bank-account-number 12-3456-7890123-00",
    );
    await run("contact create --name Ann");
    const { before, back = 0, refusal, remedy, settles, isUndone } = each;
    for (const line of before) await run(line);
    const number = await numberOf(back);
    const refused = await acct(`undo ${back === 0 ? "" : number} --yes`.replace("  ", " "), {
      env,
    });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(refusal)]);
    const named = [...refused.stderr.matchAll(/acct (undo \d+)/g)].map(
      ([, line]) => `${line} --yes`,
    );
    for (const line of remedy ?? named) {
      const [noun = "", verb = ""] = line.split(" ");
      expect(refused.stderr.toLowerCase()).toMatch(
        new RegExp(`acct ${noun}( ${verb}| return| \\d)`),
      );
      await run(line);
    }
    if (settles !== undefined) expect(await balance()).toSatisfy(isNothing);
    if (isUndone) await run(`undo ${number} --yes`);
    await run("book verify");
  },
);

/** A row of the trial balance without a figure for the year, or none. */
const isNothing = (row: string | undefined) =>
  row === undefined || !/[1-9]/.test(row.split(",").slice(-2).join());

test("each kind of record for which a refused undo names a correction has a test case", () => {
  const said = new Set(storedResources.flatMap((resource) => reversalOf(resource).instead ?? []));
  const tried = Object.values(cases).map(({ refusal }) => refusal);
  const untried = [...said].filter(
    (words) => !tried.some((each) => each.test(`${words} corrects it`)),
  );
  expect(untried).toEqual([]);
});
