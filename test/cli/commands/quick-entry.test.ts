/** Money spent, received and moved, in one line. */
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  for (const [code, name] of [
    ["090", "Cheque"],
    ["091", "Savings"],
  ]) {
    await acct(
      `account create --code ${code} --name ${name} --type BANK --bank-account-number 12-${code}`,
    );
  }
  await acct("contact create --name 'Moa Coffee'");
  await acct("tracking create --name Region --option North --option South");
});

const columns = "Type,Contact.Name,Date,Reference,SubTotal,TotalTax,Total";

async function row(line: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await acct(`${line} -o csv`);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout.trim().split("\n").at(-1);
}

describe("money spent and received", () => {
  test("acct spend without a contact books on a default contact, which is created once with a message", async () => {
    const first = await acct("spend 42.50 Hosting --from 090 --to 404 --date 2026-03-02");
    expect([first.code, first.stderr]).toEqual([
      0,
      "The contact Cash sales and purchases is made for it.\n",
    ]);
    const second = await acct("receive 99 --into 090 --to 200 'Cash sale' --date 2026-03-03");
    expect([second.code, second.stderr]).toEqual([0, ""]);
    const contacts = await acct("contact list --columns Name -o csv");
    expect(contacts.stdout).toBe("Name\nCash sales and purchases\nMoa Coffee\n");
  });

  test("an amount may have the sign or code of its currency, and of no other", async () => {
    const total = (amount: string) =>
      row(
        `spend '${amount}' Tea --from 090 --to 404 --contact 'moa coffee' --allow-duplicate --columns Total`,
      );
    expect([await total("$42.50"), await total("NZD 42.50")]).toEqual(["42.50", "42.50"]);
    const { code, stderr } = await acct("spend '€42.50' Tea --from 090 --to 404");
    expect([code, stderr]).toEqual([
      2,
      'acct: AMOUNT is in NZD, the currency of 090, or without a currency, not "€42.50"; --from and --into name an account in another.\n',
    ]);
  });

  test("the sign of an amount is that of the bank account, not of the organisation", async () => {
    await acct("currency add GBP");
    await acct("currency rate GBP 0.5 --date 2026-01-01");
    await acct(
      "account create --code 093 --name Pounds --type BANK --bank-account-number 1 --currency-code GBP",
    );
    const pounds = "--into 093 --to 200 --date 2026-03-02 --columns CurrencyCode,Total";
    expect(await row(`receive £5 Tea ${pounds}`)).toBe("GBP,5.00");
    for (const line of [`receive $5 Tea ${pounds}`, "transfer NZD5 --from 093 --into 090"]) {
      const { code, stderr } = await acct(line);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("AMOUNT is in GBP, the currency of 093, or without a currency"),
      ]);
    }
  });

  test("acct spend takes the amount as including tax, at the account's rate or a given purchase rate", async () => {
    const base =
      "spend 115 Courier --from Cheque --to 425 --contact 'moa coffee' --date 2026-03-04";
    expect(await row(`${base} --reference C-7 --columns ${columns}`)).toBe(
      "SPEND,Moa Coffee,2026-03-04,C-7,100.00,15.00,115.00",
    );
    expect(await row(`${base} --no-tax-included --columns ${columns}`)).toBe(
      "SPEND,Moa Coffee,2026-03-04,,115.00,17.25,132.25",
    );
    const rate = "--tax 15% --tracking region:north --columns LineItems.TaxType,LineItems.Tracking";
    expect(await row(`${base} --reference C-8 ${rate}`)).toContain("INPUT2");
    expect(
      await row(`receive 23 Mugs --into 090 --to Sales --tax 15% --columns LineItems.TaxType`),
    ).toBe("OUTPUT2");
  });

  test.each([
    ["spend 0 Nothing --from 090 --to 404", 2, "AMOUNT must be more than 0"],
    ["spend -5 Nothing --from 090 --to 404", 2, ""],
    ["spend 4.505 Rounded --from 090 --to 404", 2, "at most 2 decimals"],
    ["spend 5 Fees --from Chequ --to 404", 3, "Did you mean 090 Cheque?"],
    ["spend 5 Fees --from 090 --to 404 --contact Moa", 3, "Moa Coffee"],
    ["spend 5 Fees --from 090 --to 404 --tracking region:west", 3, "no option west"],
    ["spend 5 Fees --from 404 --to 090", 5, ""],
    ["receive 5 Sale --into 090", 2, "--to"],
    ["transfer 5 --from 090 --into 090", 5, ""],
  ])("the quick entry %s is refused, and nothing is booked", async (line, code, message) => {
    const before = (await acct("journal list --count")).stdout;
    const refused = await acct(line);
    expect([refused.code, refused.stdout]).toEqual([code, ""]);
    expect(refused.stderr).toContain(message);
    expect((await acct("journal list --count")).stdout).toBe(before);
  });

  test("acct spend repeated with the same arguments is refused without --allow-duplicate", async () => {
    const line = "spend 7 Bread --from 090 --to 404 --date 2026-03-05";
    expect((await acct(line)).code).toBe(0);
    expect((await acct(line)).code).toBe(5);
    expect((await acct(`${line} --allow-duplicate`)).code).toBe(0);
  });
});

test("acct transfer books a transfer from one bank account into another", async () => {
  expect(
    await row(
      "transfer 500 --from 090 --into Savings --date 2026-03-06 --columns FromBankAccount.Code,ToBankAccount.Code,Amount",
    ),
  ).toBe("090,091,500.00");
});

test("acct spend in a dry run books nothing and creates no contact, and acct undo reverses a booked one", async () => {
  const desk = newDesk();
  await desk.acct("init --name Kiln --country NZ");
  await desk.acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-1");
  const line = "spend 42.50 Hosting --from 090 --to 404";
  const tried = await desk.acct(`${line} --dry-run --columns Total -o csv`);
  expect([tried.code, tried.stdout]).toEqual([0, "Total\n42.50\n"]);
  expect((await desk.acct("contact list --count")).stdout).toBe("0\n");
  await desk.acct(line);
  const undone = await desk.acct("undo --yes");
  expect(undone.code).toBe(0);
  expect((await desk.acct("bank-transaction list --count")).stdout).toBe("0\n");
});

test("acct receive --plan books nothing until the plan is applied", async () => {
  const desk = newDesk();
  await desk.acct("init --name Kiln --country NZ");
  await desk.acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-1");
  const plan = `${desk.home}/plan.json`;
  const kept = await desk.acct(`receive 99 Sale --into 090 --to 200 --plan ${plan}`);
  expect(kept.code).toBe(0);
  expect((await desk.acct("bank-transaction list --count")).stdout).toBe("0\n");
  expect((await desk.acct(`apply ${plan} --yes`)).code).toBe(0);
  expect(
    (await desk.acct("bank-transaction list --columns Type,Contact.Name,Total -o csv")).stdout,
  ).toBe("Type,Contact.Name,Total\nRECEIVE,Cash sales and purchases,99.00\n");
});
