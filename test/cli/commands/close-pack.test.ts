/** The papers of a closed month in a folder: what is there, that they foot, and what they say. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { readXlsx } from "hucre";
import { beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../../shell/desk.ts";
import { newDesk } from "../real.ts";

const desk = newDesk();
/** In April. */
const acct = (line: string) => desk.acct(line, { daysLater: 30, env: { ACCT_FONTS: "none" } });
const done = async (line: string) => {
  const { code, stdout, stderr } = await acct(`${line} --no-input`);
  expect(code, `${line}: ${stderr}`).toBe(0);
  return stdout;
};
const folder = join(desk.home, "march");

beforeAll(async () => {
  await done("init --name 'Heron & Sons' --country NZ");
  await done("account create --code 090 --name Bank --type BANK --bank-account-number 12-3456");
  await done("contact create --name Kowhai");
  const line = (amount: string, code: string) =>
    `--line description=Mugs,unit-amount=${amount},account=${code}`;
  const days = "--date 2026-03-05 --due-date 2026-03-20 --status AUTHORISED --contact Kowhai";
  await done(`invoice create --invoice-number INV-1 ${days} ${line("100", "200")}`);
  await done(`invoice create --invoice-number INV-2 ${days} ${line("40", "200")}`);
  await done(`bill create --invoice-number B-1 ${days} ${line("250", "429")}`);
  await done("payment apply INV-1 --account 090 --date 2026-03-10");
  await done("payment apply B-1 --account 090 --date 2026-03-12");
  const receipt = join(desk.home, "receipt.txt");
  writeFileSync(receipt, "two boxes of mugs\n");
  await done(`attachment add ${receipt} --on bill:B-1`);
});

const words = (file: string) =>
  execFileSync("pdftotext", ["-layout", join(folder, file), "-"], { encoding: "utf8" })
    .replace(/, \d\d:\d\d, by/, ", HH:MM, by")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

describe("a pack", () => {
  test("a dry run writes nothing", async () => {
    const { stderr } = await acct(`close 2026-03 --yes --pack ${folder} --dry-run --no-input`);
    expect(stderr).toContain(`The papers would be written to ${folder}.`);
    expect(existsSync(folder)).toBe(false);
  });

  test("a folder with files, and reopening, are refused before anything is locked", async () => {
    const used = join(desk.home, "used");
    mkdirSync(used);
    writeFileSync(join(used, "letter.txt"), "x");
    const full = await acct(`close 2026-03 --yes --pack ${used} --no-input`);
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining("holds files already")]);
    expect((await acct(`close 2026-03 --reopen --yes --pack ${folder}`)).code).toBe(2);
    const own = JSON.parse(await done("organisation show -o json"));
    expect(own.PeriodLockDate).toBeUndefined();
  });

  test("the month is locked, and its papers, ledger and attachments are in the folder", async () => {
    const { code, stderr } = await acct(`close 2026-03 --yes --pack ${folder} --no-input`);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Wrote \d+ papers and 1 attachment/)]);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    const html = readFileSync(join(folder, "index.html"), "utf8");
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) =>
      decodeURIComponent(href),
    );
    const isFolder = (file: string) => !/\.\w+$/.test(file);
    expect(links.toSorted()).toEqual(
      files.filter((file) => !isFolder(file) && file !== "index.html"),
    );
    await expect(`${files.join("\n")}\n`).toMatchFileSnapshot("../../golden/papers/files.txt");
    expect(readFileSync(join(folder, "attachments", "bill B-1", "receipt.txt"), "utf8")).toBe(
      "two boxes of mugs\n",
    );
  });

  test("ledger and spreadsheets foot to the trial balance", async () => {
    const rows: Record<string, string>[] = parse(readFileSync(join(folder, "ledger.csv")), {
      columns: true,
    });
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name] || 0) * 100, 0);
    const sheet = async (file: string) => {
      const { sheets } = await readXlsx(readFileSync(join(folder, file)));
      return sheets[0]?.rows ?? [];
    };
    const total = (await sheet("trial-balance.xlsx")).find(([name]) => name === "Total") ?? [];
    expect(Math.round(sum("Debit"))).toBe(Math.round(Number(total[3]) * 100));
    expect(Math.round(sum("Credit"))).toBe(Math.round(Number(total[4]) * 100));
    const balance = await sheet("balance-sheet.xlsx");
    const named = (name: string) => balance.find(([first]) => first === name)?.[1];
    expect(named("Net Assets")).toBe(named("Total Equity"));
    expect(named("Bank, overdrawn")).toBeGreaterThan(0);
  });

  test.skipIf(!isInstalled("pdftotext", "the words of the papers"))(
    "the papers say what they are of, what stands in them, and by whom they were prepared",
    async () => {
      for (const name of [
        "trial-balance",
        "balance-sheet",
        "profit-and-loss",
        "cash-flow-statement",
        "account-transactions",
        "journal",
      ]) {
        await expect(`${words(`${name}.pdf`)}\n`).toMatchFileSnapshot(
          `../../golden/papers/${name}.txt`,
        );
      }
    },
  );

  test("of a month that is locked already the papers are written again", async () => {
    const again = join(desk.home, "again");
    const { stderr } = await acct(`close 2026-03 --pack ${again} --no-input`);
    expect(stderr).toContain("The books are locked up to 31 March 2026 already.");
    expect(existsSync(join(again, "trial-balance.pdf"))).toBe(true);
  });
});
