/** Fixed assets at the terminal: from a bill, by flags and from a file; their months and disposals. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const json = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Supplier");
  await acct(
    "bill create --contact Supplier --invoice-number BILL-12 --date 2026-01-15 --due-date 2026-02-15 " +
      "--line description=Desk,unit-amount=1200,account=710 " +
      "--line description=Laptop,unit-amount=2400,account=720 --status AUTHORISED",
  );
});

test("an asset is created from a bill line; if the bill has several lines, the command must name one", async () => {
  const open = await acct("asset add --bill BILL-12 --life 3");
  expect(open.code).toBe(2);
  expect(open.stderr).toContain("BILL-12 has 2 lines; say which with --line.");
  expect((await acct("asset add --bill BILL-12 --line 3 --life 3")).code).toBe(3);
  expect((await acct("asset add --line 1 --life 3")).code).toBe(2);
  const made = await json("asset add --bill BILL-12 --line 2 --life 3");
  expect(made).toMatchObject({
    AssetNumber: "FA-0001",
    Name: "Laptop",
    PurchaseDate: "2026-01-15",
    Cost: 2400,
    AssetAccount: { Code: "720" },
  });
});

test("an asset with the same name, day and cost as an existing one needs a confirmation", async () => {
  const line =
    "asset add --name Chair --purchase-date 2026-01-15 --cost 300 --life 3 --asset-account 710";
  expect((await acct(line)).code).toBe(0);
  const again = await acct(line);
  expect([again.code, again.stderr]).toEqual([
    5,
    expect.stringContaining("The asset FA-0002 (Registered) looks the same"),
  ]);
  expect((await acct(`${line} --allow-duplicate`)).code).toBe(0);
  for (const number of ["FA-0002", "FA-0003"]) await acct(`asset remove ${number} --yes`);
});

test("monthly depreciation is shown in a dry run, posted once, and rolled back", async () => {
  const tried = await acct("asset depreciate --to 2026-03 --dry-run --columns Date,Narration");
  expect(tried.stdout).toBe(
    [
      "Date        Narration",
      "2026-01-31  Depreciation of January 2026",
      "2026-02-28  Depreciation of February 2026",
      "2026-03-31  Depreciation of March 2026",
      "",
    ].join("\n"),
  );
  expect(tried.stderr).toContain("3 months would be posted: 200.00.");
  expect((await acct("asset depreciate --to 2026-03")).stderr).toContain(
    "3 months posted: 200.00.",
  );
  expect((await acct("asset depreciate --to 2026-03")).stderr).toContain("0 months posted: 0.00.");
  expect((await acct("asset rollback --to 2026-01")).code).not.toBe(0);
  const back = await acct("asset rollback --to 2026-01 --yes --columns Date,Status");
  expect(back.stdout).toContain("2026-03-31  VOIDED\n2026-02-28  VOIDED");
  expect(back.stderr).toContain("2 manual journals voided.");
  expect(await json("asset show FA-0001")).toMatchObject({ AccumulatedDepreciation: 66.67 });
});

test("assets are imported and exported, and a second import finds them by their numbers", async () => {
  const path = join(home, "register.csv");
  const rows = [
    "Number,Asset Name,Purchase Date,Purchase Price,Life,Asset Account Code,Opening Accumulated,Opening Date",
    "V1,Van,15/06/2024,30000,5,710,9500.00,31/12/2025",
    "V2,Trailer,01/02/2026,4000,10,710,,",
  ];
  writeFileSync(path, `${rows.join("\n")}\n`);
  const flags = "--date-format DD/MM/YYYY --yes";
  const made = await acct(`asset import ${path} ${flags}`);
  expect(made.code, made.stderr).toBe(0);
  expect(await json("asset show V1")).toMatchObject({
    PurchaseDate: "2024-06-15",
    OpeningAccumulated: 9500,
    OpeningDate: "2025-12-31",
    BookValue: 20500,
    AccumulatedAccount: { Code: "711" },
  });
  expect((await acct(`import assets ${path} ${flags}`)).code).toBe(0);
  expect(await json("asset list")).toHaveLength(3);
  const out = join(home, "again.csv");
  expect((await acct(`export assets --output-file ${out}`)).code).toBe(0);
  expect(readFileSync(out, "utf8").split("\n")[0]).toContain("AssetNumber,Name,");
  await acct("asset remove V2 --yes");
  expect((await acct(`asset import ${out} --yes`)).code).toBe(0);
  expect(await json("asset show V2")).toMatchObject({ Name: "Trailer", Cost: 4000, Life: 10 });
});

test("an asset is disposed of, and a disposal with missing values is refused with the names of the flags", async () => {
  expect((await acct("asset dispose FA-0001")).stderr).toContain("A disposal needs --date.");
  const missing = await acct("asset dispose FA-0001 --date 2026-03-10 --proceeds 2500");
  expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("ProceedsAccount")]);
  const gone = await json("asset dispose FA-0001 --date 2026-03-10 --proceeds 2500 --account 260");
  expect(gone).toMatchObject({ Status: "DISPOSED", CapitalGain: 100, Gain: 133.33, BookValue: 0 });
  const register = await acct("report fixed-assets --date 2026-03-31");
  expect(register.stdout).toMatch(/FA-0001 .* 10 Mar 2026 +2500.00 +233.33/);
  expect((await acct("book verify")).code).toBe(0);
});
