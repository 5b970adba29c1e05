/** Amounts in a currency without decimal places, in every format that a person or a program reads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

test("yen are shown without decimal places, in lists, records, totals and files", async () => {
  const ok = async (line: string) => {
    const { code, stdout, stderr } = await acct(line);
    expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
    return stdout;
  };
  await ok("init --name Heron --country NZ --no-input");
  await ok("currency add JPY");
  await ok("contact create --name Kai");
  for (const number of ["Y-1", "Y-2"]) {
    const line =
      "--line 'description=Tea,quantity=3,unit-amount=1000,account=200,tax-type=OUTPUT2'";
    const of = `--contact Kai --currency-code JPY --currency-rate 90 --invoice-number ${number}`;
    await ok(`invoice create ${of} ${line} --status AUTHORISED`);
  }
  await ok("bank-transaction list");
  await ok(
    "account create --name Tokyo --type BANK --code 092 --currency-code JPY --bank-account-number 1",
  );
  await ok("payment apply Y-1 --account 092 --amount 450");
  expect(await ok("invoice list")).toMatch(/^Y-1 .*JPY +3450 +3000$/m);
  expect(await ok("invoice list -o csv --columns InvoiceNumber,Total")).toBe(
    "InvoiceNumber,Total\nY-2,3450\nY-1,3450\n",
  );
  const shown = await ok("invoice show Y-2");
  expect(shown).toMatch(/^Tea +3 +1000 +200 +OUTPUT2 +450 +3000$/m);
  expect(shown).toMatch(/^Total +3450$/m);
  const file = join(home, "list.html");
  await ok(`invoice list -o html --output-file ${file}`);
  expect(readFileSync(file, "utf8")).not.toMatch(/[34],?[04]50\.00/);
});
