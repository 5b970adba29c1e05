/** Payments by the number of their document. */
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  await acct(
    "account create --code 090 --name Cheque --type BANK --bank-account-number 12-3456-7890123-00",
  );
  await acct("contact create --name Heron");
  for (const number of ["INV-1", "INV-2", "INV-3"]) {
    await acct(
      `invoice create --contact Heron --invoice-number ${number} --date 2026-01-10 --due-date +20d ` +
        "--status AUTHORISED --line description=Mug,unit-amount=100,account=200",
    );
  }
  await acct("payment apply INV-1 --account 090 --amount 40 --date 2026-01-12");
  await acct("payment apply INV-2 --account 090 --amount 10 --date 2026-01-12");
  await acct("payment apply INV-2 --account 090 --amount 20 --date 2026-01-13");
});

test("the only payment of an invoice is shown and reversed by the invoice number", async () => {
  const shown = await acct("payment show INV-1 -o csv --columns Amount");
  expect(shown.stdout).toBe("Amount\n40.00\n");
  const reversed = await acct("payment reverse INV-1 --yes -o csv --columns Amount,Status");
  expect([reversed.code, reversed.stdout]).toEqual([0, "Amount,Status\n40.00,DELETED\n"]);
  const again = await acct("payment reverse INV-1 --yes");
  expect([again.code, again.stderr]).toEqual([
    3,
    "acct: There is no payment of INV-1; acct payment list shows them.\n",
  ]);
});

test("the invoice number of several payments is refused, and the message names each payment", async () => {
  const { code, stderr } = await acct("payment reverse INV-2 --yes");
  expect(code).toBe(2);
  expect(stderr).toBe(
    "acct: INV-2 has 2 payments; say which: P-2 of 2026-01-12, 10.00; P-3 of 2026-01-13, 20.00.\n",
  );
});

test("the number of an invoice without payments, or an unknown number, is refused as not found", async () => {
  expect((await acct("payment show INV-3")).stderr).toContain("There is no payment of INV-3");
  const none = await acct("payment reverse INV-9 --yes");
  expect([none.code, none.stderr]).toEqual([
    3,
    "acct: There is no payment INV-9; acct payment list shows them.\n",
  ]);
});
