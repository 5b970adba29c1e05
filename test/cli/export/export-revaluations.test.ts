/** The exported ledger with what foreign balances are worth: the figures of the trial balance. */
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();
/** In July. */
const ok = async (line: string) => {
  const { code, stdout, stderr } = await acct(line, { daysLater: 120 });
  expect([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
  return stdout;
};

beforeAll(async () => {
  await ok("init --name Heron --country NZ --no-input");
  await ok("currency add USD");
  for (const [day, rate] of [
    ["2026-02-01", "0.6"],
    ["2026-02-28", "0.63"],
    ["2026-03-31", "0.58"],
    ["2026-04-30", "0.61"],
  ]) {
    await ok(`currency rate USD ${rate} --date ${day}`);
  }
  await ok(
    "account create --code 093 --name Dollars --type BANK --bank-account-number 1 --currency-code USD",
  );
  await ok("contact create --name Alder");
  const line = "--line description=Work,unit-amount=1000,account=200,tax-type=ZERORATED";
  const terms = "--contact Alder --due-date 2026-05-20 --currency-code USD --status AUTHORISED";
  await ok(`invoice create --date 2026-02-05 ${terms} ${line}`);
  await ok(`invoice create --date 2026-03-05 ${terms} ${line} --allow-duplicate`);
  await ok("payment apply INV-0001 --account 093 --date 2026-02-20");
});

type Row = Readonly<Record<string, string>>;

/** What is exported up to a day, by account, of profit and loss from the beginning of the year. */
async function exported(to: string, year: string, flags = "") {
  const rows: Row[] = parse(await ok(`export journal --format csv --to ${to} ${flags}`), {
    columns: true,
  });
  const found = new Map<string, number>();
  for (const { AccountCode = "", AccountType = "", JournalDate = "", NetAmount } of rows) {
    const isProfit = /REVENUE|EXPENSE|DIRECTCOSTS/.test(AccountType);
    const code = isProfit && JournalDate < year ? "960" : AccountCode;
    found.set(code, (found.get(code) ?? 0) + Math.round(Number(NetAmount) * 100));
  }
  return new Map([...found].filter(([, amount]) => amount !== 0));
}

async function trialBalance(date: string) {
  const { Sections } = JSON.parse(await ok(`report trial-balance --date ${date} -o json`));
  const rows: [string, number, number, number, number][] = Sections.flatMap(
    ({ Rows }: { Rows: { Cells: unknown }[] }) => Rows.map(({ Cells }) => Cells),
  );
  const figures = rows.flatMap(([name, , , debit, credit]) => {
    const code = /\((\w+)\)$/.exec(name)?.[1];
    return code === undefined ? [] : [[code, Math.round((debit - credit) * 100)] as const];
  });
  return new Map(figures.filter(([, amount]) => amount !== 0));
}

test.each([
  ["2026-02-28", "2025-04-01"],
  ["2026-03-31", "2025-04-01"],
  ["2026-04-30", "2026-04-01"],
  ["2026-05-15", "2026-04-01"],
])(
  "the ledger export with revaluations up to %s has the balances of the trial balance",
  async (day, year) => {
    expect(await exported(day, year, "--revaluation")).toEqual(await trialBalance(day));
  },
);

test("the ledger export without revaluations has only the posted journals", async () => {
  expect(await exported("2026-03-31", "2025-04-01")).not.toEqual(await trialBalance("2026-03-31"));
});
