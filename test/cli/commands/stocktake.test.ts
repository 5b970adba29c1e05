/** Stock as counted, and adjusted: quantities, values, accounts, and what is refused. */
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

async function ran(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}

interface Held {
  QuantityOnHand: number;
  TotalCostPool: number;
}

const stock = async (code: string) => {
  const { QuantityOnHand, TotalCostPool }: Held = JSON.parse(
    await ran(`item show ${code} -o json`),
  );
  return [QuantityOnHand, TotalCostPool];
};

/** The account of stock is the sum of the items, on both bases, and the books verify. */
async function agrees(): Promise<void> {
  const items: Held[] = JSON.parse(await ran("item list -o json"));
  const sum = items.reduce((all, { TotalCostPool = 0 }) => all + TotalCostPool, 0).toFixed(2);
  for (const basis of ["", " --payments-only"]) {
    const rows = (await ran(`report trial-balance --date 2026-12-31${basis} -o csv`)).split("\n");
    const row = rows.find((each) => each.includes("Inventory (630)"));
    if (basis === "") expect(row).toContain(`,${sum},`);
  }
  await ran("book verify");
}

beforeAll(async () => {
  await ran("init --name Heron --country NZ --no-input");
  await ran("contact create --name Clay");
  for (const code of ["MUG", "BOWL", "JUG"]) {
    await ran(`item create --code ${code} --inventory-asset-account-code 630 --cogs-account 310`);
  }
  await ran("item create --code HOUR --unit-price 90");
  await ran(
    "bill create --contact Clay --invoice-number B-1 --date 2026-03-01 --due-date 2026-03-20 --status AUTHORISED " +
      "--line item=MUG,description=Mugs,quantity=40,unit-amount=12.5 --line item=BOWL,description=Bowls,quantity=3,unit-amount=3.3333",
  );
});

describe("a stocktake", () => {
  test("it is shown and needs a yes, then stock is what was counted, at average cost", async () => {
    writeFileSync(`${home}/count.csv`, "Code,Counted\nmug,42\nBOWL,1\n");
    const line = `item stocktake ${home}/count.csv --date 2026-03-31`;
    const asked = await acct(`${line} -o csv`);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain("--yes");
    expect(asked.stdout).toBe(
      "Code,Name,Book,Counted,Difference,Value,AccountCode\n" +
        "MUG,,40,42,2,25.00,310\nBOWL,,3,1,-2,-6.67,310\n",
    );
    const tried = await acct(`${line} --dry-run`);
    expect([tried.code, await stock("MUG")]).toEqual([0, [40, 500]]);
    const { code, stderr } = await acct(`${line} --yes`);
    expect([code, stderr]).toEqual([
      0,
      "The contact Stock adjustments is made for it.\nBooked as ST-1.\n",
    ]);
    expect([await stock("MUG"), await stock("BOWL")]).toEqual([
      [42, 525],
      [1, 3.33],
    ]);
    expect(JSON.parse(await ran("bill show ST-1 -o json"))).toMatchObject({
      Total: 0,
      AmountDue: 0,
    });
    await agrees();
  });

  test("undo takes it back with all its documents", async () => {
    await ran("item stocktake --count MUG=1 --count BOWL=9 --date 2026-04-01 --yes");
    expect([await stock("MUG"), await stock("BOWL")]).toEqual([
      [1, 12.5],
      [9, 29.97],
    ]);
    await ran("undo --yes");
    expect([await stock("MUG"), await stock("BOWL")]).toEqual([
      [42, 525],
      [1, 3.33],
    ]);
    await agrees();
  });

  test("every row that cannot be is named, and nothing is booked", async () => {
    writeFileSync(`${home}/bad.csv`, "Code,Counted\nCUP,1\nHOUR,2\nMUG,-1\nMUG,3\nJUG,4\nBOWL,2\n");
    const { code, stderr } = await acct(`item stocktake ${home}/bad.csv --yes`);
    expect(code).toBe(5);
    const words = stderr.replaceAll(/\s+/g, " ");
    for (const fault of [
      "row 2: There is no item CUP",
      "row 3: HOUR is not kept in stock",
      "row 4: MUG would be below zero: -1; the books have 42",
      "row 5: MUG is counted twice",
      "row 6: Nothing of JUG is on hand",
    ]) {
      expect(words).toContain(fault);
    }
    writeFileSync(`${home}/fine.csv`, "Code,Counted\nMUG,1.23456\n");
    const fine = await acct(`item stocktake ${home}/fine.csv --yes`);
    expect([fine.code, fine.stderr]).toEqual([5, expect.stringContaining("row 2: ")]);
    expect(await stock("MUG")).toEqual([42, 525]);
  });

  // Noon in UTC is after midnight in New Zealand.
  test("without a day a count and an expense are of the day where the organisation is", async () => {
    const { stderr } = await acct("item stocktake --count MUG=41 --no-input");
    expect(stderr).toMatch(/Book 1 item of \S+ on 2026-03-06\?/);
    await ran("employee create --first-name Mia --last-name Tui");
    const spent =
      "expense 5 Tea --by 'Mia Tui' --to 429 --contact Clay --yes --columns Date -o csv";
    expect(await acct(spent)).toMatchObject({ code: 0, stdout: "Date\n2026-03-06\n" });
  });

  test("a count that is what the books have books nothing", async () => {
    const { code, stderr } = await acct("item stocktake --count MUG=42 --yes");
    expect([code, stderr]).toEqual([
      0,
      "The count is what the books have; there is nothing to book.\n",
    ]);
  });
});

describe("an adjustment of one item", () => {
  test.each([
    ["--quantity -2 --account 310 --reason broken", [40, 500]],
    ["--value -30.00 --account 310 --reason chipped", [40, 470]],
    ["--value 30", [40, 500]],
    ["--quantity 10 --value 90", [50, 590]],
    ["--quantity -50", [0, 0]],
    ["--quantity 70000 --value 1234567.89", [70000, 1234567.89]],
  ])("item adjust MUG %s leaves %j", async (flags, left) => {
    await ran(`item adjust MUG ${flags} --date 2026-04-02`);
    expect(await stock("MUG")).toEqual(left);
    await agrees();
  });

  test.each([
    ["MUG --quantity -70001", 5, "below zero"],
    ["BOWL --value -3.34", 5, "leaves less than 0"],
    ["JUG --value 5", 5, "leaves less than 0"],
    ["MUG --quantity -2 --value 5", 2, "what came in"],
    ["MUG --quantity 1.23456", 2, "decimal"],
    ["MUG", 2, "--quantity or --value"],
    ["HOUR --quantity 1", 5, "is not kept in stock"],
    ["CUP --quantity 1", 3, ""],
    ["MUG --quantity 1 --account 999", 5, "999"],
  ])("item adjust %s is refused with exit code %i", async (line, code, words) => {
    const refused = await acct(`item adjust ${line}`);
    expect(refused.code).toBe(code);
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(words);
  });

  test("goods that none are on hand of come in at the cost that is said", async () => {
    await ran("item adjust JUG --quantity 4 --value 10 --date 2026-04-02");
    expect(await stock("JUG")).toEqual([4, 10]);
    await agrees();
  });
});
