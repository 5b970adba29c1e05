import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { declaredBy, findChild } from "../../../src/cli/framework/command.ts";
import { converse } from "../../../src/cli/framework/conversation.ts";
import { run } from "../../../src/cli/main.ts";
import { root } from "../../../src/cli/nouns.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { sampleNow } from "../../shell/sample.ts";
import { contextOf, enter, type Step, scripted } from "./wizard-script.ts";

/** Answers the questions of `acct init`; the book is made where the script says so. */
async function asked(...steps: Step[]) {
  const folder = mkdtempSync(join(tmpdir(), "acct-new-book-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const path = join(folder, "book.acct");
  const stdout = memorySink();
  const stderr = memorySink();
  const client = () => Promise.reject(new Error("There is no book yet"));
  const clock = () => sampleNow;
  const init = findChild(root.children, "init");
  const command = init && (await declaredBy(init));
  if (command?.kind !== "command") throw new Error("There is no command init");
  const onBook = async (words: readonly string[], ...flags: string[]) => {
    const streams = { env: { HOME: folder }, stdout, stderr, clock, open: client };
    expect(await run(["init", ...words, "--book", path, ...flags], streams)).toBe(0);
  };
  const talk: string[] = [];
  await converse(contextOf({ path, client, stdout, stderr }), {
    path: ["init"],
    command,
    carryOut: (words) => onBook(words),
    tryOut: (words) => onBook(words, "--dry-run"),
    ask: scripted(steps, talk),
  });
  return { talk, told: stderr.text, isMade: existsSync(path) };
}

/** Enter at the questions after that of the tax basis. */
const restAsUsual: Step[] = [
  ["How often is a tax return made?", enter],
  ["Tax number", ""],
  ["Address", ""],
  ["Number of the bank account", ""],
];

const book: Step[] = [
  ["Whose books", "Kiln"],
  ["In which country", "United King"],
];

test("acct init asks for currency, year end and tax basis, with the country's usual values as defaults", async () => {
  const { talk, told, isMade } = await asked(
    ...book,
    ["Currency, if another than GBP", ""],
    ["Year end, if another than 31 March", ""],
    ["On which basis is tax owed?", enter],
    ...restAsUsual,
    ["What now?", "Make the book"],
  );
  expect(talk).toContain("On which basis is tax owed?: ACCRUAL: when it is invoiced, as is usual");
  expect(told).toContain("a book for Kiln (GB: GBP, year end 31 March, tax on the basis ACCRUAL)");
  expect(told).toMatch(/init --name Kiln --country GB\n$/);
  expect(isMade).toBe(true);
});

test("answers to acct init that differ from the defaults are in the dry run and the equivalent command line", async () => {
  const { told, isMade } = await asked(
    ...book,
    ["Currency", "EUR"],
    ["Year end", "5 April"],
    ["On which basis", "CASH"],
    ["How often", "MONTHLY: every month"],
    ["Tax number", "GB123456789"],
    ["Address", "street=4 Heron Lane,city=Leeds"],
    ["Number of the bank", "20-00-00 12345678"],
    ["What now?", "Make the book"],
  );
  expect(told).toContain(
    "(GB: EUR, year end 5 April, tax on the basis CASH, returns MONTHLY, tax number GB123456789, " +
      "address 4 Heron Lane, Leeds, bank account 20-00-00 12345678)",
  );
  expect(told).toContain(
    "init --name Kiln --country GB --currency EUR --financial-year-end '5 April' --tax-basis CASH " +
      "--tax-period MONTHLY --tax-number GB123456789 --address 'street=4 Heron Lane,city=Leeds' " +
      "--bank-account '20-00-00 12345678'\n",
  );
  expect(isMade).toBe(true);
});

test("a changed country in acct init replaces currency, year end and tax basis that were left at their defaults", async () => {
  const { told, isMade } = await asked(
    ...book,
    ["Currency", ""],
    ["Year end", ""],
    ["On which basis", enter],
    ...restAsUsual,
    ["What now?", "Change the country"],
    ["In which country", "Austral"],
    ["What now?", "Discard"],
  );
  expect(told).toContain("(AU: AUD, year end 30 June, tax on the basis ACCRUALS)");
  expect(isMade).toBe(false);
});
