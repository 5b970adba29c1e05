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

test("undo, explain and --on refuse a text that is a payment and an invoice, and take either with its noun", async () => {
  for (const command of ["undo P-1 --yes", "explain P-1", "history list --on P-1"]) {
    expect((await acct(command)).code, command).not.toBe(2);
  }
  await acct(`invoice create --contact Acme --invoice-number P-3 --allow-duplicate ${line("200")}`);
  for (const command of ["undo P-3 --yes", "explain P-3", "history list --on P-3"]) {
    const { code, stderr } = await acct(command);
    expect([code, stderr], command).toEqual([
      2,
      expect.stringContaining("say invoice:P-3 or payment:P-3."),
    ]);
  }
  expect((await acct("history list --on handle:P-3")).stdout).toContain("Payment of");
  expect((await acct("history list --on number:P-3")).stdout).toContain("Invoice P-3 was created");
  expect((await acct("undo invoice:P-3 --yes")).code).toBe(0);
  expect(await shown("invoice show P-3")).toMatchObject({ Status: "DELETED" });
});

test("a record's name undoes the operation that wrote it last, unless that wrote others of its kind", async () => {
  await acct("payment apply INV-0002 --account 090 --amount 5 --date 2026-03-06");
  const [{ Handle }] = await shown("payment list --order 'Date DESC' --limit 1");
  expect((await acct(`undo ${Handle} --yes`)).code).toBe(0);
  expect(await shown(`payment show payment:${Handle}`)).toMatchObject({ Status: "DELETED" });
  await acct(
    "batch-payment create --account 090 --date 2026-03-07 --pay INV-0001=1 --pay INV-0002=1",
  );
  const [{ Handle: ofTwo }] = await shown("payment list --order 'Date DESC' --limit 1");
  const { code, stderr } = await acct(`undo ${ofTwo} --yes`);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/Operation \d+ wrote P-\d+ and 1 other payment; acct undo \d+/),
  ]);
});

test("a batch payment is named by a document that it pays, and a deposit by its contact", async () => {
  expect(await shown("batch-payment show INV-0001")).toMatchObject({ Handle: "BP-1" });
  expect((await acct("batch-payment show S-1")).stderr).toContain("No batch payment pays S-1");
  await acct(
    `prepayment create --type RECEIVE-PREPAYMENT --contact Clay --bank-account 090 --date 2026-03-08 --amount 30`,
  );
  expect((await acct("prepayment show clay")).code).toBe(0);
  expect((await acct("prepayment list -o json")).stdout).toContain("PP-1");
  expect(await shown("prepayment show Clay")).toMatchObject({ Handle: "PP-1" });
  const repaid = await acct("payment apply PP-1 --account 090 --amount 2 --date 2026-03-09");
  expect(repaid.stderr).toContain("PP-1 is a prepayment: it is paid back");
});

test("journals are named by J- and their number, published returns by R-", async () => {
  expect(await shown("journal show j-2")).toMatchObject({ JournalNumber: 2 });
  expect((await acct("journal show J-900")).code).toBe(3);
  const made = await acct(
    "report gst --from 2026-03-01 --to 2026-03-31 --publish --own-days --yes",
  );
  expect(made.stderr).toContain("Published GST 1 Mar to 31 Mar 2026 as R-1.");
  expect((await acct("report show r-1")).stdout).toContain("GST");
  expect((await shown("report list"))[0]).toMatchObject({ Handle: "R-1" });
  expect((await acct("report gst --withdraw R-1 --reason Typo --yes")).code).toBe(0);
  expect((await acct("report show R-2")).code).toBe(3);
});

test("the first eight digits of an id name a record, where no other has them", async () => {
  const [{ PaymentID }] = await shown("payment list --limit 1");
  expect(await shown(`payment show ${PaymentID.slice(0, 8)}`)).toMatchObject({ PaymentID });
  const [{ BatchPaymentID }] = await shown("batch-payment list");
  expect(await shown(`batch-payment show ${BatchPaymentID.slice(0, 8)}`)).toMatchObject({
    BatchPaymentID,
  });
  expect((await acct("payment show 0badcafe")).code).toBe(3);
});
