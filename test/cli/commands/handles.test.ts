/** Handles on the command line: first in tables, and taken wherever an id is. */
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

const line = (account: string) => `--line 'description=Work,unit-amount=100,account=${account}'`;

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("account create --code 090 --name Cheque --type BANK --bank-account-number 01-090");
  for (const name of ["Acme", "Clay"]) await acct(`contact create --name ${name}`);
  for (const amount of [40, 75]) {
    await acct(
      `invoice create --contact Acme --date 2026-03-01 --due-date 2026-03-20 --status AUTHORISED --allow-duplicate ${line("200")}`,
    );
    const number = `INV-000${amount === 40 ? 1 : 2}`;
    await acct(`payment apply ${number} --account 090 --amount ${amount} --date 2026-03-02`);
  }
  for (const [contact, number] of [
    ["Clay", "S-1"],
    ["Acme", "B-1"],
  ]) {
    await acct(
      `bill create --contact ${contact} --invoice-number ${number} --date 2026-03-01 --due-date 2026-03-20 --status AUTHORISED ${line("429")}`,
    );
  }
});

const shown = async (command: string) => JSON.parse((await acct(`${command} -o json`)).stdout);

test("handles come first in tables and CSV, where tables leave out the id", async () => {
  const table = (await acct("payment list -o table")).stdout.split("\n");
  expect(table[0]).toMatch(/^Handle +Invoice/);
  expect(table[0]).not.toContain("PaymentID");
  expect(table[1]).toMatch(/^P-2 +INV-0002/);
  const csv = (await acct("payment list -o csv")).stdout.split("\n");
  expect(csv[0]).toMatch(/^Handle,PaymentID,/);
  const [payment] = await shown("payment list");
  expect(payment.Handle).toBe("P-2");
  expect((await acct("payment show P-2 -o xml")).stdout).toContain("<Handle>P-2</Handle>");
});

test("a handle in any letter case names its record as an argument and on a flag", async () => {
  expect(await shown("payment show p-1")).toMatchObject({ Amount: 40, Handle: "P-1" });
  expect((await acct("history add 'Rang them' --on P-1")).code).toBe(0);
  expect((await acct("history list --on payment:p-1 -o json")).stdout).toContain("Rang them");
  expect(await shown("log --record P-1 --limit 1")).toHaveLength(1);
  expect((await acct("payment show P-9")).code).toBe(3);
});

test("a number that is also the handle of another bill is refused until it is said which", async () => {
  const clash = await acct("bill show B-1");
  expect([clash.code, clash.stderr]).toEqual([
    2,
    expect.stringContaining("say handle:B-1 or number:B-1"),
  ]);
  expect((await shown("bill show handle:B-1")).InvoiceNumber).toBe("S-1");
  expect((await shown("bill show number:B-1")).InvoiceNumber).toBe("B-1");
  expect((await shown("bill show b-2")).InvoiceNumber).toBe("B-1");
});

test("a text that is a payment and an invoice is refused until it is said which", async () => {
  await acct(
    `invoice create --contact Acme --invoice-number P-2 --date 2026-03-01 --due-date 2026-03-20 --status AUTHORISED --allow-duplicate ${line("200")}`,
  );
  const clash = await acct("payment reverse P-2 --yes");
  expect([clash.code, clash.stderr]).toEqual([
    2,
    expect.stringContaining("P-2 is payment P-2 and invoice P-2; say payment:P-2 or invoice:P-2."),
  ]);
  expect((await acct("payment reverse payment:P-2 --yes")).code).toBe(0);
  expect(await shown("payment show payment:P-2")).toMatchObject({ Status: "DELETED" });
  expect((await acct("payment show invoice:P-2")).code).toBe(3);
});

test("a document with several payments names them by handle, each with its amount", async () => {
  await acct("payment apply INV-0001 --account 090 --amount 20 --date 2026-03-05");
  const { code, stderr } = await acct("payment show INV-0001");
  expect(code).toBe(2);
  expect(stderr).toMatch(/P-1 of 2026-03-02.*P-3 of 2026-03-05/s);
});
