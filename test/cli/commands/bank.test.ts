/** Money in the bank at the terminal, on a real book: received, spent, moved, and paid back. */
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  for (const [code, name] of [
    ["090", "Cheque"],
    ["091", "Savings"],
  ]) {
    await acct(
      `account create --code ${code} --name ${name} --type BANK --bank-account-number 01-${code}`,
    );
  }
  await acct("contact create --name Acme");
});

const shown = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);
const ids = async (line: string) => (await acct(`${line} -o id`)).stdout.split("\n").slice(0, -1);

/** A record as it is shown, without what chance and the clock put into it. */
const lasting = (stdout: string) => stdout.replace(/^(\w+ID|\w+DateUTC) .*\n/gm, "");

const deposit =
  "bank-transaction create --type RECEIVE-PREPAYMENT --bank-account 090 --contact Acme " +
  "--date 2026-03-01 --line 'description=Deposit,unit-amount=115,account=835'";

describe("bank transactions", () => {
  test("a bank transaction is created, changed and deleted", async () => {
    const made = await acct(
      "bank-transaction create --type SPEND --bank-account 090 --contact Acme --date 2026-03-01 " +
        "--line 'description=Cleaning,unit-amount=46,account=408'",
    );
    expect(made.stderr).toBe("");
    expect(lasting(made.stdout)).toMatchInlineSnapshot(`
      "Type               SPEND
      Handle             T-1
      BankAccount        090
      Contact            Acme
      Date               2026-03-01
      Status             AUTHORISED
      LineAmountTypes    Inclusive
      CurrencyCode       NZD
      CurrencyRate       1
      IsReconciled       false

      LineItems
      Description  Quantity  UnitAmount  AccountCode  TaxType  TaxAmount  LineAmount
      Cleaning            1       46.00  408          INPUT2        6.00       46.00

      SubTotal  40.00
      TotalTax   6.00
      Total     46.00
      "
    `);
    const [id] = await ids("bank-transaction list --type SPEND");
    await acct(`bank-transaction update ${id} --is-reconciled --reference 'Card 7'`);
    expect(await shown(`bank-transaction show ${id}`)).toMatchObject({
      IsReconciled: true,
      Reference: "Card 7",
      Total: 46,
    });
    expect((await acct(`bank-transaction void ${id} --no-input`)).code).toBe(2);
    await acct(`bank-transaction void ${id} --yes`);
    expect((await shown(`bank-transaction show ${id}`)).Status).toBe("DELETED");
    const again = await acct(`bank-transaction update ${id} --reference x`);
    expect([again.code, again.stderr]).toEqual([
      5,
      "acct: This bank transaction is deleted and cannot be changed.\n",
    ]);
    expect((await acct(`history list --on bank-transaction:${id}`)).stdout).toContain("Deleted");
  });

  test("bank transactions are listed by type, account and day", async () => {
    await acct(
      "bank-transaction create --type RECEIVE --bank-account 091 --contact Acme " +
        "--date 2026-02-01 --line 'description=Work,unit-amount=23,account=200'",
    );
    expect(await ids("bank-transaction list --type RECEIVE --bank-account 091")).toHaveLength(1);
    expect(await ids("bank-transaction list --type RECEIVE --period 2026-03")).toEqual([]);
  });

  test("missing flags of a bank transaction are reported before any request", async () => {
    const { code, stderr } = await acct("bank-transaction create --type SPEND --no-input");
    expect([code, stderr]).toEqual([
      2,
      "acct: A new bank transaction needs --bank-account and --contact, or --file with the whole record.\n",
    ]);
    expect((await acct("bank-transaction create --type SPEND-TRANSFER")).code).toBe(2);
  });
});

describe("prepayments and overpayments", () => {
  test("a prepayment is refunded in part, then whole", async () => {
    await acct(`${deposit} --invoice-number INV-0007`);
    const [id] = await ids("prepayment list");
    expect(await shown(`prepayment show ${id}`)).toMatchObject({
      Reference: "INV-0007",
      RemainingCredit: 115,
    });
    await acct(`prepayment refund ${id} --account 091 --amount 15 --date 2026-03-02`);
    expect((await shown(`prepayment show ${id}`)).RemainingCredit).toBe(100);
    expect(await ids("prepayment list --remaining-credit 0.01..")).toEqual([id]);
    const { stdout } = await acct(`prepayment refund ${id} --account 090 -o json`);
    expect(JSON.parse(stdout)).toMatchObject({ Amount: 100, PaymentType: "ARPREPAYMENTPAYMENT" });
    expect(await ids(`payment list --prepayment ${id}`)).toHaveLength(2);
    const more = await acct(`prepayment refund ${id} --account 090`);
    expect([more.code, more.stderr]).toEqual([
      2,
      "acct: Nothing is left of the prepayment PP-1, which is PAID; say --amount.\n",
    ]);
  });

  test("a prepayment is voided only once it has no refund", async () => {
    await acct(`${deposit} --invoice-number INV-0007 --allow-duplicate`);
    const [id] = await ids("prepayment list");
    const { stdout } = await acct(`prepayment refund ${id} --account 090 -o json`);
    const refused = await acct(`prepayment void ${id} --yes`);
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining("115.00 of this prepayment was refunded on "),
    ]);
    await acct(`payment delete ${JSON.parse(stdout).PaymentID} --yes`);
    expect((await acct(`prepayment void ${id} --yes`)).code).toBe(0);
    expect((await shown(`prepayment show ${id}`)).Status).toBe("VOIDED");
    expect((await shown(`bank-transaction show ${id}`)).Status).toBe("VOIDED");
    const again = await acct(`prepayment void ${id} --yes`);
    expect(again.stderr).toContain("This prepayment is void and cannot be changed.");
  });

  test("an overpayment is created without an account on its line", async () => {
    await acct(
      "bank-transaction create --type SPEND-OVERPAYMENT --bank-account 090 --contact Acme " +
        "--line 'description=Paid twice,unit-amount=80'",
    );
    const [id] = await ids("overpayment list");
    await acct("overpayment refund Acme --account 090");
    expect(await shown(`overpayment show ${id}`)).toMatchObject({ Status: "PAID", Total: 80 });
  });
});

test("a bank transfer is created and deleted", async () => {
  const made = await acct(
    "bank-transfer create --from 090 --to 091 --amount 250 --date 2026-03-02 --reference Tax",
  );
  expect(lasting(made.stdout)).toMatchInlineSnapshot(`
    "Handle                 TR-1
    FromBankAccount        090
    ToBankAccount          091
    Amount                 250.00
    Date                   2026-03-02
    Reference              Tax
    FromIsReconciled       false
    ToIsReconciled         false
    CurrencyRate           1
    Status                 AUTHORISED
    "
  `);
  const [id] = await ids("bank-transfer list");
  const missing = await acct("bank-transfer create --from 090 --no-input");
  expect([missing.code, missing.stderr]).toEqual([
    2,
    "acct: A new bank transfer needs --to and --amount, or --file with the whole record.\n",
  ]);
  await acct(`bank-transfer void ${id} --yes`);
  expect((await shown(`bank-transfer show ${id}`)).Status).toBe("DELETED");
  expect(await ids("bank-transfer list")).toEqual([]);
  expect((await acct("book verify")).code).toBe(0);
});

describe("allocating a credit note, prepayment or overpayment", () => {
  const line = (amount: number) => `--line 'description=Work,unit-amount=${amount},account=200'`;

  test("a credit note is allocated to an invoice up to its remaining credit, and the allocation removed", async () => {
    const terms = "--contact Acme --date 2026-03-02 --status AUTHORISED";
    await acct(`invoice create ${terms} --due-date 2026-03-20 ${line(100)}`);
    const [number] = await ids("invoice list --status AUTHORISED");
    await acct(`credit-note create --type ACCRECCREDIT ${terms} ${line(40)}`);
    const first = await acct(`credit-note allocate CN-0001 --invoice ${number} --amount 6`);
    expect(first.stderr).toBe("");
    expect(lasting(first.stdout)).toContain("AppliedAmount  6.00");
    expect(await shown(`credit-note allocate CN-0001 --invoice ${number}`)).toMatchObject({
      AppliedAmount: 40,
      CreditNote: { RemainingCredit: 0 },
    });
    const nothing = await acct(`credit-note allocate CN-0001 --invoice ${number}`);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      "acct: Nothing is left of the credit note; say --amount.\n",
    ]);
    const back = await acct(`credit-note unallocate CN-0001 --invoice ${number} --yes`);
    expect(back.stdout).toMatch(/RemainingCredit +46\.00/);
    const again = await acct(`credit-note unallocate CN-0001 --invoice ${number} --yes`);
    expect(again.code).toBe(2);
  });

  test("a prepayment is allocated to an invoice like a credit note", async () => {
    await acct(deposit);
    const [prepaid] = await ids("prepayment list --status AUTHORISED");
    const [number] = await ids("invoice list --status AUTHORISED");
    const made = await shown(`prepayment allocate ${prepaid} --invoice ${number} --amount 11.5`);
    expect(made).toMatchObject({ AppliedAmount: 11.5 });
    expect((await acct("book verify")).stdout).toContain("Everything adds up.");
  });
});
