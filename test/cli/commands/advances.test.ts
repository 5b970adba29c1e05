/** Deposits, overpayments and credit notes at the terminal. */
import { beforeAll, describe, expect, test } from "vitest";
import { depositAccounts, regions } from "../../../src/ledger/regions/index.ts";
import { classOf } from "../../../src/ledger/regions/region.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

async function ran(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}

const read = async (line: string) => JSON.parse(await ran(`${line} -o json`));

beforeAll(async () => {
  await ran("init --name Heron --country NZ --no-input");
  await ran("account create --code 090 --name Cheque --type BANK --bank-account-number 12-090");
  await ran("contact create --name Kowhai");
});

describe("a prepayment from a locked month", () => {
  let deposit: string;
  const aged = () => ran("report aged-receivables --date 2026-03-31 -o csv");
  const invoice = (number: string) =>
    ran(
      `invoice create --contact Kowhai --invoice-number ${number} --date 2026-03-04 --status AUTHORISED ` +
        "--line 'description=Bowls,unit-amount=500,account=200'",
    );

  beforeAll(async () => {
    await invoice("INV-1");
    deposit = (
      await ran(
        "bank-transaction create --type RECEIVE-PREPAYMENT --bank-account 090 --contact Kowhai --date 2026-03-02 " +
          "--line 'description=Deposit,unit-amount=115,account=835' -o id",
      )
    ).trim();
    await ran("organisation update --period-lock-date 2026-03-31 --yes");
  });

  test("a prepayment from a locked month is allocated on the first open day, and the documents keep their dates", async () => {
    const before = await aged();
    const { code, stdout, stderr } = await acct(
      `prepayment allocate ${deposit} --invoice INV-1 --columns Date,AppliedAmount -o csv`,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Posted on 1 Apr 2026, the first open day: 4 Mar 2026 is locked.\n",
    });
    expect(stdout).toBe("Date,AppliedAmount\n2026-04-01,115.00\n");
    expect(await aged()).toBe(before);
    expect(await read(`prepayment show ${deposit}`)).toMatchObject({
      Date: "2026-03-02",
      FullyPaidOnDate: "2026-04-01",
      RemainingCredit: 0,
    });
    expect(await read("invoice show INV-1")).toMatchObject({
      Date: "2026-03-04",
      AmountDue: 460,
    });
  });
});

const columns = "Type,Contact.Name,SubTotal,TotalTax,Total,LineItems.AccountCode";

describe("prepayment create and overpayment create", () => {
  const received =
    "--type RECEIVE-PREPAYMENT --bank-account 090 --contact kowhai --date 2026-04-02";

  test("a prepayment by --amount is posted to the account of the country's chart, with a note, and includes tax", async () => {
    const { code, stdout, stderr } = await acct(
      `prepayment create ${received} --amount 115 --invoice-number INV-9 --columns ${columns},InvoiceNumber -o csv`,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "It stands on 835 Revenue Received in Advance.\n",
    });
    expect(stdout.trim().split("\n")[1]).toBe(
      "RECEIVE-PREPAYMENT,Kowhai,100.00,15.00,115.00,835,INV-9",
    );
    const paid = received.replace("RECEIVE", "SPEND");
    const spent = await acct(`prepayment create ${paid} --amount 40 --columns ${columns} -o csv`);
    expect(spent.stderr).toBe("It stands on 620 Prepayments.\n");
    expect(spent.stdout).toContain("SPEND-PREPAYMENT,Kowhai,40.00,0.00,40.00,620");
    const named = await acct(
      `prepayment create ${received} --amount 23 --account Sales --columns ${columns} -o csv`,
    );
    expect([named.stderr, named.stdout.trim().split("\n")[1]]).toEqual([
      "",
      "RECEIVE-PREPAYMENT,Kowhai,20.00,3.00,23.00,200",
    ]);
  });

  test("an overpayment is posted to accounts receivable, without tax", async () => {
    const made = await ran(
      `overpayment create --type RECEIVE-OVERPAYMENT --bank-account 090 --contact Kowhai --date 2026-04-02 --amount 50 --columns ${columns} -o csv`,
    );
    expect(made).toContain("RECEIVE-OVERPAYMENT,Kowhai,50.00,0.00,50.00,610");
  });

  test.each([
    [
      `${received} --amount 115 --account 090`,
      5,
      "is coded to an active account that is no bank account",
    ],
    [`${received} --amount 115 --account 610`, 5, "835 Revenue Received in Advance, for example"],
    [`${received} --amount 0`, 5, ""],
    [`${received}`, 2, "needs at least one --line"],
    [`--bank-account 090 --contact Kowhai --amount 5`, 2, "needs --type"],
    [`${received} --amount 5 --line unit-amount=5`, 2, "--amount is the one line"],
  ])("prepayment create %s is refused with exit code %i", async (line, code, words) => {
    const refused = await acct(`prepayment create ${line}`);
    expect(refused).toMatchObject({ code, stdout: "" });
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(words);
  });

  test("a prepayment in a book without an account for it is refused without --account", async () => {
    const env = { ACCT_BOOK: `${home}/au.acct` };
    const au = (line: string) => acct(line, { env });
    await au("init --name Wombat --country AU --no-input");
    await au("account create --code 090 --name Cheque --type BANK --bank-account-number 12-090");
    await au("contact create --name Kowhai");
    await au("account archive 835 --yes");
    const refused = await au(`prepayment create ${received} --amount 115`);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--account CODE. An advance stands on any account but bank");
    expect((await au(`prepayment create ${received} --amount 115 --account 850`)).code).toBe(0);
  });

  test.each(regions)(
    "a deposit in $countryCode stands on accounts that the help names",
    async ({ countryCode }) => {
      const { stdout } = await acct("prepayment create --help");
      for (const isReceived of [true, false]) {
        const accounts = depositAccounts(countryCode, isReceived);
        expect(accounts.map(({ type }) => classOf(type))).toEqual(
          accounts.map(() => (isReceived ? "LIABILITY" : "ASSET")),
        );
        expect(stdout).toContain(accounts[0]?.code);
      }
    },
  );

  test.each([
    ["DE", "RECEIVE", "", "119.00,19.00,3272"],
    ["DE", "RECEIVE", ",tax-type=OUTPUT7", "119.00,7.79,3260"],
    ["DE", "RECEIVE", ",tax-type=DRCHARGE", "119.00,0.00,3250"],
    ["DE", "SPEND", "", "119.00,19.00,1186"],
    ["DE", "SPEND", ",tax-type=INPUT7", "119.00,7.79,1181"],
    ["DE", "SPEND", ",tax-type=NONE", "119.00,0.00,1180"],
    ["FR", "RECEIVE", "", "119.00,19.83,419100"],
    ["FR", "RECEIVE", ",tax-type=OUTPUT55", "119.00,6.20,419100"],
    ["FR", "SPEND", "", "119.00,19.83,409100"],
  ])("in %s a deposit (%s%s) is posted with its tax as %s", async (country, way, tax, expected) => {
    const env = { ACCT_BOOK: `${home}/${country}.acct` };
    const there = (line: string) => acct(line, { env });
    await there(`init --name Heron --country ${country} --no-input`);
    await there(
      "account create --code 512300 --name Bank --type BANK --bank-account-number 12-090",
    );
    await there("contact create --name Kowhai");
    const { stdout } = await there(
      `prepayment create --type ${way}-PREPAYMENT --bank-account 512300 --contact Kowhai --allow-duplicate ` +
        `--line description=Deposit,unit-amount=119${tax} --columns Total,TotalTax,LineItems.AccountCode -o csv`,
    );
    expect(stdout.trim().split("\n")[1]).toBe(expected);
  });
});

test("a book without tax on sales charges none, and one that owes it later does", async () => {
  const env = { ACCT_BOOK: `${home}/small.acct` };
  const small = async (line: string) => (await acct(`${line} -o csv`, { env })).stdout.trim();
  await small("init --name Heron --country DE --tax-basis NONE --no-input");
  await small("account create --code 1800 --name Bank --type BANK --bank-account-number 12-090");
  await small("contact create --name Kowhai");
  const received =
    "prepayment create --type RECEIVE-PREPAYMENT --bank-account 1800 --contact Kowhai --amount 119 " +
    "--allow-duplicate --columns TotalTax,LineItems.AccountCode,LineItems.Description";
  const title = "TotalTax,LineItems.AccountCode,LineItems.Description";
  expect(await small(received)).toBe(`${title}\n0.00,3250,Anzahlung`);
  const update = "organisation update --columns PaysTax --sales-tax-basis";
  expect(await small(`${update} ACCRUALS`)).toBe("PaysTax\ntrue");
  expect(await small(received)).toBe(`${title}\n19.00,3272,Anzahlung`);
  expect(await small(`${update} NONE`)).toBe("PaysTax\nfalse");
});

describe("a refund of a prepayment", () => {
  test("a refund of a prepayment by the contact's name needs a bank account, and reports the remaining credit", async () => {
    await ran("contact create --name Totara");
    await ran(
      "prepayment create --type RECEIVE-PREPAYMENT --bank-account 090 --contact Totara --date 2026-04-02 --amount 115",
    );
    const without = await acct("prepayment refund Totara");
    expect([without.code, without.stderr]).toEqual([
      2,
      "acct: Say which bank account: --account NAME|CODE.\n",
    ]);
    const part = await acct("prepayment refund Totara --account 090 --amount 40 --date 2026-04-03");
    expect([part.code, part.stderr]).toEqual([0, "Left of the prepayment: NZD 75.00.\n"]);
    const [{ Handle }] = await read("prepayment list --contact Totara");
    const rest = await acct(`prepayment refund ${Handle} --account 090 --date 2026-04-03`);
    expect([rest.code, rest.stderr]).toEqual([0, "Left of the prepayment: NZD 0.00.\n"]);
    expect(rest.stdout).toMatch(new RegExp(`^Prepayment +${Handle}$`, "m"));
  });
});
