/** `acct explain`: figures of the sample company taken apart, and why something was refused. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveRefusal } from "../../../src/cli/connection/last-refusal.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { plainPaint } from "../../../src/cli/render/paint.ts";
import { explanationLines } from "../../../src/cli/render/report/explanation.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { createClient } from "../../../src/client/client.ts";
import { displayWidth } from "../../../src/output/display-width.ts";
import { marksOf } from "../../../src/output/figures.ts";
import { RefusedError, refusal } from "../../../src/resources/errors.ts";
import { explainRoot } from "../../../src/resources/explained-figures.ts";
import { type RuleName, refusalRules } from "../../../src/resources/refusal-rules.ts";
import { openBook } from "../../../src/service/books/book.ts";
import { createDemoBook } from "../../../src/service/books/demo.ts";

/** 24 November 2026 in Auckland, when the sample company has a year behind it. */
const now = Date.UTC(2026, 10, 23, 23);

const folder = mkdtempSync(join(tmpdir(), "acct-explain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const demo = join(folder, "demo.acct");
beforeAll(() => createDemoBook(demo));

const env = {
  HOME: folder,
  ACCT_BOOK: demo,
  LANG: "en_NZ.UTF-8",
  XDG_STATE_HOME: join(folder, "state"),
};

async function acct(...words: readonly string[]) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, { env, stdout, stderr, clock: () => now, open });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const march = ["--period", "2026-03"];

describe("explaining a figure of the sample company", () => {
  test.each([
    ["pl", "pl", "200", ...march],
    ["pl-year", "pl", "200", "--period", "2026-04-01..2026-10-31"],
    ["net-profit", "pl", "Net Profit", ...march],
    ["net-profit-all", "pl", "net profit", ...march, "--all"],
    ["balance", "balance", "610", "--date", "2026-03-31"],
    ["retained", "balance-sheet", "Retained Earnings", "--date", "2026-03-31"],
    ["tax", "INV-0140", "tax"],
    ["due", "INV-0137", "due"],
    ["contact", "contact", "Cuba Street Gifts"],
    ["item", "item", "LAMP", "quantity"],
    ["tax-return", "tax-return", "15", "--period", "2026-02", "--all"],
    ["margin", "executive-summary", "Gross profit margin", ...march],
    ["aged", "aged-receivables", "Total", "--date", "2026-03-31", "--column", "Current"],
    [
      "reconciliation",
      "bank-reconciliation",
      "Difference",
      "--account",
      "090",
      "--date",
      "2026-03-31",
    ],
  ])("the explanation of the figure %s matches the golden file", async (name, ...words) => {
    const { code, stdout, stderr } = await acct("explain", ...words);
    expect([code, stderr]).toEqual([0, ""]);
    await expect(stdout).toMatchFileSnapshot(`../../golden/explain-${name}.txt`);
  });

  test.each([80, 120])(
    "the explanation of any figure fits a terminal of %i columns",
    async (width) => {
      const book = await openBook(demo, { clock: () => now });
      const client = createClient(book.transport);
      for (const [path, query] of [
        ["Reports/ProfitAndLoss", { fromDate: "2026-03-01", toDate: "2026-03-31", row: "200" }],
        ["Reports/TrialBalance", { date: "2026-03-31", row: "610", all: "true" }],
        [
          "Reports/GSTReturn",
          { fromDate: "2026-02-01", toDate: "2026-02-28", row: "15", all: "true" },
        ],
        ["Invoices/INV-0140", { figure: "tax" }],
      ] as const) {
        const report = await client.reportAt(`${explainRoot}/${path}`, query);
        const lines = explanationLines(report, { width, paint: plainPaint }, marksOf("NZ", "-"));
        for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
        if (path === "Invoices/INV-0140") {
          await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
            `../../golden/explain-${width}.txt`,
          );
        }
      }
      await book.close();
    },
  );

  test.each(["json", "ndjson", "csv", "xml", "html"])(
    "the explanation of a figure in the format %s has its parts",
    async (format) => {
      const { code, stdout } = await acct("explain", "INV-0140", "tax", "-o", format);
      expect(code).toBe(0);
      expect(stdout).toContain("15% GST on Income");
    },
  );

  test.each(["pdf", "xlsx"])(
    "the explanation of a figure is saved as a %s file",
    async (format) => {
      const file = join(folder, `tax.${format}`);
      const { code } = await acct(
        "explain",
        "INV-0140",
        "tax",
        "-o",
        format,
        "--output-file",
        file,
      );
      expect([code, existsSync(file)]).toEqual([0, true]);
    },
  );
});

describe("explaining a figure that does not exist", () => {
  test.each([
    [3, "There is no figure 999 in the Profit and Loss", "pl", "999", ...march],
    [3, "Accounts Receivable (610) is not in the Profit and Loss", "pl", "610", ...march],
    [
      3,
      "The Profit and Loss has no column XX; it has Mar 26.",
      "pl",
      "200",
      ...march,
      "--column",
      "XX",
    ],
    [3, "There is no document and no report frob", "frob"],
    [3, "The GST Return has no box 99 with an amount", "tax-return", "99", ...march],
    [3, "The item MUG is not kept in stock", "item", "MUG"],
    [2, 'FIGURE cannot be "profit"', "INV-0140", "profit"],
    [2, "acct explain pl needs FIGURE", "pl"],
    [2, "--line takes the place of a row", "pl", "200", "--line", "0"],
    [2, "--field takes BOX=AMOUNT", "gst", "9", "--field", "x"],
  ])("acct explain is refused with exit code %i: %s", async (code, sentence, ...words) => {
    const ran = await acct("explain", ...words.map(String));
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toContain(sentence);
  });
});

test("an amount of a figure that no posting explains is reported, with the command that finds its cause", async () => {
  const damaged = join(folder, "damaged.acct");
  copyFileSync(demo, damaged);
  const file = new DatabaseSync(damaged);
  file.exec(`update posting set amount = amount - 100 where basis = 0 and ord = 1 and number in
    (select j.number from journal as j join document as d on d.id = j.document_id
      where d.number = 'INV-0140' and j.source_type = 'ACCREC' and j.basis = 0)`);
  file.close();
  const [stdout, stderr] = [memorySink(), memorySink()];
  const words = ["explain", "pl", "200", ...march];
  const own = { ...env, ACCT_BOOK: damaged };
  const code = await run(words, { env: own, stdout, stderr, clock: () => now, open });
  expect(code).toBe(0);
  expect(stdout.text).toMatch(/-?1\.00 of it is not explained by the books: acct book verify/);
});

describe("explaining a refusal", () => {
  const file = join(folder, "state/acct/last-refusal.json");

  test("acct explain refusal without a stored refusal, or with an unreadable one, ends with exit code 3", async () => {
    expect(await acct("explain", "refusal")).toMatchObject({ code: 3, stdout: "" });
    mkdirSync(join(folder, "state/acct"), { recursive: true });
    writeFileSync(file, "{ no json");
    expect((await acct("explain", "refusal")).code).toBe(3);
  });

  test("the last refusal is stored with its rule, without the command line, readable by its owner only", async () => {
    const message = "Payment amount exceeds the amount outstanding on this document";
    const refused = refusal("AmountOutstanding", message);
    saveRefusal(env, refused, ["payment", "apply"], now);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      ...{ command: "payment apply", at: now, kind: "refused", code: "ValidationException" },
      ...{ message, faults: [{ message, rule: "AmountOutstanding" }] },
    });
    const { code, stdout } = await acct("explain", "refusal");
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot("../../golden/explain-refusal.txt");
    expect((await acct("explain", "refusal", "-o", "json")).stdout).toContain("AmountOutstanding");
  });

  test("a refusal of acct explain, and an error that is no refusal, do not replace the stored refusal", () => {
    saveRefusal(env, refusal("Status", "Another."), ["explain", "pl"], now);
    saveRefusal(env, new Error("A bug."), ["payment", "apply"], now);
    expect(readFileSync(file, "utf8")).toContain("exceeds the amount outstanding");
  });

  test.each([
    [["contact", "show", "Discount Warehouse"], "NotFound"],
    [
      [
        "invoice",
        "create",
        "--contact",
        "Discount Warehouse",
        "--line",
        "description=Work,unit-amount=5,account=200",
      ],
      "NotFound",
    ],
    [["payment", "apply", "INV-LOCK DATE", "--account", "090"], "NotFound"],
    [["item", "show", "transfer"], "NotFound"],
    [["contact", "create", "--name", "Cuba Street Gifts"], "ContactName"],
  ])(
    "the refusal of the command %j is explained by the rule %s, whatever names were typed",
    async (words, rule) => {
      const [printed, stderr] = [memorySink(), memorySink()];
      const refused = async (error: unknown) => saveRefusal(env, error, words.slice(0, 2), now);
      const code = await run(words, {
        env,
        stdout: printed,
        stderr,
        clock: () => now,
        open,
        refused,
      });
      expect(code).toBeGreaterThan(0);
      const { stdout } = await acct("explain", "refusal", "-o", "json");
      expect(JSON.stringify(JSON.parse(stdout))).toContain(`"${rule}"`);
    },
  );

  test.each(Object.keys(refusalRules) as RuleName[])(
    "a refusal with the rule %s is explained by that rule, whatever words its message contains",
    async (rule) => {
      const words = `${rule} lock date discount status reconciled currency transfer plan`;
      const faults = [{ record: words, message: `Zzz '${words}' ${words}.` }];
      const foreign = { code: "ValidationException", rule: undefined };
      saveRefusal(env, new RefusedError(foreign, "1 row", faults), ["import", "items"], now);
      expect((await acct("explain", "refusal", "-o", "json")).stdout).toContain('"Refused"');
      saveRefusal(env, refusal(rule, `Zzz ${words}`), ["item", "show"], now);
      expect((await acct("explain", "refusal", "-o", "json")).stdout).toContain(`"${rule}"`);
    },
  );

  test.each([
    ["There is no contact Discount Warehouse.", "NotFound"],
    ["Payments can only be made against Authorised documents", "AuthorisedOnly"],
    ["A discount of the Lock Date Company", "Refused"],
  ])(
    'the refusal "%s" of another service is explained by the rule of its known sentence, %s',
    async (message, rule) => {
      const foreign = { code: "ValidationException", rule: undefined };
      saveRefusal(env, new RefusedError(foreign, message), ["contact", "show"], now);
      expect((await acct("explain", "refusal", "-o", "json")).stdout).toContain(`"${rule}"`);
    },
  );

  test("a refusal that cannot be stored does not fail the command", () => {
    writeFileSync(join(folder, "taken"), "");
    const blocked = { ...env, XDG_STATE_HOME: join(folder, "taken") };
    saveRefusal(blocked, refusal("Status", "Another."), ["payment", "apply"], now);
    expect(readFileSync(join(folder, "taken"), "utf8")).toBe("");
  });
});
