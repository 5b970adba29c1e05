/** 1099 payees at the terminal: those without a tax number have rows of their own, and a count. */
import { expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

test("payees without a tax number are marked in the 1099 report, and counted below it", async () => {
  const ok = async (line: string) => {
    const { code, stdout, stderr } = await acct(line);
    expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
    return stdout;
  };
  await ok("init --name Heron --country US --no-input");
  await ok("account create --name Checking --type BANK --code 091 --bank-account-number 12345678");
  for (const [name, number] of [
    ["Numbered", "--tax-number 12-3456789"],
    ["Zed", ""],
    ["Anon", ""],
    ["Small", ""],
  ]) {
    await ok(`contact create --name ${name} ${number}`);
    const amount = name === "Small" ? 10 : 5000;
    const line = `--line 'description=Work,unit-amount=${amount},account=400,tax-type=NONE'`;
    const dates = "--date 2025-05-01 --due-date 2025-05-31";
    const bill = `bill create --contact ${name} --invoice-number B-${name} ${line} ${dates}`;
    await ok(`${bill} --status AUTHORISED`);
    await ok(`payment apply B-${name} --account 091 --date 2025-06-01`);
  }
  await ok("report 1099-boxes --map 400=NEC:1");
  const shown = await ok("report 1099 --year 2025");
  expect(shown).toMatch(/^ +Numbered +12-3456789 +5,?000\.00$/m);
  expect(shown).toMatch(/^ +Zed +no tax number +5,?000\.00$/m);
  expect(shown).toMatch(/^ +Anon +no tax number +5,?000\.00$/m);
  expect(shown).toMatch(/^2 payees have no tax number$/m);
  expect(shown).not.toContain("Small");
});
