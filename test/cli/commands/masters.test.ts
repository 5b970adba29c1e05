/** Currencies, groups, budgets and people at the terminal, on a real book. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readMonth } from "../../../src/cli/commands/budget.ts";
import { newDesk } from "../real.ts";

const { home, acct } = newDesk();

function file(name: string, ...rows: string[]): string {
  const path = join(home, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

beforeAll(async () => {
  await acct("init --name Heron --country UK --no-input");
  await acct("contact create --name Acme");
  await acct("contact create --name 'Blue Kiln'");
});

test("the creator of a book is listed as its user", async () => {
  const { stdout } = await acct("user list -o csv --columns FirstName,LastName,EmailAddress");
  expect(stdout).toBe("FirstName,LastName,EmailAddress\nAna,Reid,ana@heron.example\n");
});

describe("a file with several records", () => {
  const two = (...records: object[]) => file("two.json", JSON.stringify(records));

  test.each([
    ["item", "Code", [{ Code: "CUP" }, { Code: "POT" }]],
    ["contact", "Name", [{ Name: "Elm" }, { Name: "Fir" }]],
  ])(
    "%s create with a file of several records creates each of them",
    async (noun, name, given: Record<string, string>[]) => {
      const { code, stdout } = await acct(`${noun} create --file ${two(...given)} -o json`);
      const made = (JSON.parse(stdout) as Record<string, string>[]).map((each) => each[name]);
      expect([code, made]).toEqual([0, given.map((each) => each[name])]);
    },
  );

  test.each([
    ["account create", "accounts"],
    ["tax-rate create", "tax rates"],
    ["budget create", "budgets"],
    ["bank rule add Sweets", "bank rules"],
    ["account update 200", "accounts"],
    ["contact update Elm", "contacts"],
    ["item update CUP", "items"],
  ])("acct %s, which writes one record, refuses a file of several %s", async (line, several) => {
    const name = line.startsWith("budget") ? "Description" : "Name";
    const path = two({ [name]: "Sweets" }, { [name]: "Sours" });
    const { code, stderr } = await acct(`${line} --file ${path}`);
    const message = `acct: ${path} holds 2 ${several}; give a file with one.\n`;
    expect([code, stderr]).toEqual([2, message]);
  });
});

describe("currencies", () => {
  test("a currency is added, gets a rate, and is listed", async () => {
    expect((await acct("currency list -o id")).stdout).toBe("GBP\n");
    expect((await acct("currency add eur -o id")).stdout).toBe("EUR\n");
    await acct("currency rate EUR 1.1535 --date 2026-03-01");
    await acct("currency rate eur 1.1601");
    const { stdout } = await acct("currency rate EUR");
    expect(stdout).toBe("Date          Rate\n2026-03-05  1.1601\n2026-03-01  1.1535\n");
    const chart = await acct("account list -o csv --columns Name --all");
    expect(chart.stdout).toContain("Realised Currency Gains\n");
  });

  test("exchange rates are imported from a file, all or none", async () => {
    const good = file("good.csv", "Date;Currency;Rate", "2026-02-01;EUR;1.1", "2026-02-02;eur;1.2");
    const kept = await acct(`currency rates ${good}`);
    expect([kept.code, kept.stderr]).toEqual([0, "2 rates of EUR kept.\n"]);
    const bad = file("bad.csv", "Currency,Date,Rate", "EUR,2026-02-03,1.3", "EUR,2026-02-30,", "");
    const refused = await acct(`currency rates ${bad}`);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("row 3: Date '2026-02-30' is no date written as YYYY-MM-DD");
    expect(refused.stderr).toContain("row 3: Rate is empty.");
    expect((await acct("currency rate EUR")).stdout).not.toContain("2026-02-03");
    const headless = file("headless.csv", "EUR,2026-02-03,1.3");
    expect((await acct(`currency rates ${headless}`)).stderr).toContain("has no column Currency");
    const other = file("other.csv", "Currency,Date,Rate", "USD,2026-02-03,1.3");
    const unknown = await acct(`currency rates ${other}`);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      "acct: The books have no currency USD; acct currency add USD adds it.\n",
    ]);
    const european = file("kurse.csv", "Currency;Date;Rate", "EUR;03.02.2026;1,3");
    const read = await acct(`currency rates ${european} --date-format DD.MM.YYYY --decimal comma`);
    expect([read.code, read.stderr]).toEqual([0, "1 rate of EUR kept.\n"]);
    expect((await acct("currency rate EUR")).stdout).toMatch(/2026-02-03 +1.3$/m);
  });

  test("a dry run of an import of exchange rates stores nothing", async () => {
    await acct("currency rate EUR 9 --date 2025-01-01 --dry-run");
    expect((await acct("currency rate EUR")).stdout).not.toContain("2025-01-01");
    await acct("currency add USD --dry-run");
    expect((await acct("currency list -o id")).stdout).toBe("EUR\nGBP\n");
  });

  test("an invalid exchange rate or an unknown currency is refused", async () => {
    expect((await acct("currency show NONE")).code).toBe(3);
    expect((await acct("currency add XUR")).stderr).toContain("CODE");
    expect((await acct("currency rate EUR much")).code).toBe(2);
  });
});

test("a contact group is created, filled, renamed, emptied and deleted", async () => {
  await acct("contact-group create --name Shops");
  const added = await acct("contact-group add Shops Acme 'Blue Kiln'");
  expect(added.stderr).toBe("2 contacts are in Shops.\n");
  const names = async () =>
    JSON.parse((await acct("contact-group show Stores -o json")).stdout).Contacts.map(
      (each: { Name: string }) => each.Name,
    );
  await acct("contact-group update Shops --name Stores");
  expect(await names()).toEqual(["Acme", "Blue Kiln"]);
  expect((await acct("contact-group remove Stores Acme --dry-run")).code).toBe(0);
  expect(await names()).toEqual(["Acme", "Blue Kiln"]);
  expect((await acct("contact-group remove Stores Acme Nobody")).code).toBe(3);
  expect(await names()).toEqual(["Acme", "Blue Kiln"]);
  await acct("contact-group remove Stores Acme");
  expect(await names()).toEqual(["Blue Kiln"]);
  expect((await acct("contact-group remove Stores Acme")).code).toBe(3);
  expect((await acct("contact-group delete Stores --yes")).code).toBe(0);
  expect((await acct("contact-group list -o id")).stdout).toBe("");
});

describe("budgets", () => {
  test("a CSV table of accounts by months is imported as the overall budget", async () => {
    expect((await acct("budget show")).stderr).toContain("acct budget import makes one");
    const plan = file(
      "plan.csv",
      "Code,Name,Jan-26,2026-02",
      '200,Sales,100,"1,200.50"',
      "400,Ads,,30",
    );
    const made = await acct(`budget import ${plan} --description 'Plan 2026'`);
    expect(made.code).toBe(0);
    const json = await acct("budget show 'plan 2026' --from 2026-01-01 --to 2026-12-31 -o json");
    const { BudgetLines } = JSON.parse(json.stdout);
    expect(BudgetLines).toMatchObject([
      { AccountCode: "200", BudgetBalances: [{ Amount: 100 }, { Amount: 1200.5 }] },
      { AccountCode: "400", BudgetBalances: [{ Period: "2026-02", Amount: 30 }] },
    ]);
    const more = file("more.csv", "Account,2026-02", "400,31");
    await acct(`budget import ${more}`);
    const again = await acct("budget show --from 2026-01-01 --to 2026-12-31 -o json");
    expect(JSON.parse(again.stdout).BudgetLines[1].BudgetBalances[0].Amount).toBe(31);
    expect((await acct("budget list")).stdout).toMatch(/^Description +Type.*\nPlan 2026 +OVERALL/);
  });

  test.each([
    ["with a column that is no month", ["Code,Sometime", "200,1"], '"Sometime" is no month'],
    [
      "with a cell that is no amount",
      ["Code,2026-01", "200,much"],
      'row 2, 2026-01: "much" is no amount.',
    ],
    ["with a row without an account", ["Code,2026-01", ",5"], "It has no account."],
    ["no column of accounts", ["2026-01", "5"], "has no column Account, AccountCode or Code."],
    ["an account that is none", ["Code,2026-01", "9999,5"], "no active account with code '9999'"],
  ])("a budget table %s is refused", async (_what, rows, sentence) => {
    const { code, stderr } = await acct(`budget import ${file("wrong.csv", ...rows)}`);
    expect(code).toBe(5);
    expect(stderr).toContain(sentence);
  });

  test.each([
    ["2026-01", "2026-01"],
    ["2026-01-31", "2026-01"],
    ["Jan 2026", "2026-01"],
    ["december-26", "2026-12"],
    ["Sep'26", "2026-09"],
    ["1/2026", "2026-01"],
    ["13/2026", undefined],
    ["Total", undefined],
    ["Smarch 2026", undefined],
    ["", undefined],
  ])("the budget column heading %j is read as the month %j", (text, month) =>
    expect(readMonth(text)).toBe(month),
  );
});

describe("the construction industry scheme", () => {
  test("settings of the construction industry scheme are stored for the book and for a contact", async () => {
    expect((await acct("organisation cis -o csv")).stdout).toContain("false,false,");
    const set = await acct("organisation cis --contractor --rate 20 -o csv");
    expect(set.stdout).toContain("true,false,20");
    await acct("organisation cis --no-contractor --rate none");
    expect((await acct("organisation cis -o csv")).stdout).toContain("false,false,");
    expect((await acct("contact cis Acme")).code).toBe(3);
    expect((await acct("contact cis Acme --rate 30 -o csv")).stdout).toContain("true,30");
    expect((await acct("contact cis Acme --no-enabled -o csv")).stdout).toContain("false,30");
    expect((await acct("contact cis Acme --rate 31")).code).toBe(5);
  });

  test("the deduction of the construction industry scheme is shown among the totals of a bill", async () => {
    await acct("organisation cis --contractor");
    await acct("contact cis Acme --rate 20");
    const { stdout } = await acct(
      "bill create --contact Acme --invoice-number CIS-1 --due-date 2026-12-20 --status AUTHORISED " +
        "--line description=Roof,amount=2200,account=322,tax=NONE " +
        "--line description=Slate,amount=367,account=323,tax=NONE -o table",
    );
    expect(stdout).toContain(`SubTotal        2567.00
TotalTax           0.00
Total           2567.00
AmountDue       2127.00
AmountPaid         0.00
AmountCredited     0.00
CISDeduction     440.00`);
    await acct("organisation cis --no-contractor");
    await acct("contact cis Acme --no-enabled");
  });
});

describe("archiving and restoring", () => {
  const status = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);

  test("an account with a balance is archived after a confirmation, and restored", async () => {
    await acct("account create --code 092 --name Till --type BANK --bank-account-number 1");
    await acct(
      "bank-transaction create --type RECEIVE --bank-account 092 --contact Acme " +
        "--line 'description=Cash,unit-amount=11980.98,account=200,tax=NONE'",
    );
    const doubt = "The account 092 Till has a balance of 11980.98.\n";
    const asked = await acct("account archive 092 --no-input");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(doubt);
    expect(asked.stderr).toContain("--yes");
    expect((await acct("account update 092 --status ARCHIVED --no-input")).code).toBe(2);
    expect(await status("account show 092")).toMatchObject({ Status: "ACTIVE" });
    const planned = await acct("account archive 092 --dry-run");
    expect([planned.code, planned.stderr]).toEqual([
      0,
      `${doubt}092 would change: Status ACTIVE → ARCHIVED.\nDry run: nothing was changed.\n`,
    ]);
    expect(await acct("account archive 092 --yes")).toMatchObject({ code: 0, stderr: doubt });
    expect(await status("account show 092")).toMatchObject({ Status: "ARCHIVED" });
    await acct("account restore 092");
    expect(await status("account show 092")).toMatchObject({ Status: "ACTIVE" });
    const again = await acct("account restore 092");
    expect([again.code, again.stderr]).toEqual([5, "acct: Till is in use already.\n"]);
    // What was earned on it is no balance.
    expect((await acct("account archive 200 --no-input")).code).toBe(0);
    await acct("account restore 200");
  });

  test("a contact with open documents is archived after a confirmation, and restored", async () => {
    await acct("contact create --name Quay");
    const line = "--line 'description=Work,quantity=1,unit-amount=10,account=200'";
    await acct(`invoice create --contact Quay --date 2026-03-01 --status AUTHORISED ${line}`);
    const [number] = (
      await acct("invoice list --contact Quay -o csv --columns InvoiceNumber")
    ).stdout
      .split("\n")
      .slice(1);
    const asked = await acct("contact archive Quay --no-input");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`Quay has an open document: ${number}.\n`);
    expect((await acct("contact archive Quay --yes")).code).toBe(0);
    expect(await status("contact show Quay")).toMatchObject({ ContactStatus: "ARCHIVED" });
    const planned = await acct("contact restore Quay --dry-run");
    expect(planned.stderr).toContain("Quay would change: ContactStatus ARCHIVED → ACTIVE.\n");
    await acct("contact restore Quay");
    expect(await status("contact show Quay")).toMatchObject({ ContactStatus: "ACTIVE" });
    expect((await acct("contact history Quay")).stdout).toContain("Quay was restored.");
    const again = await acct("contact restore Quay");
    expect([again.code, again.stderr]).toEqual([5, "acct: Quay is not archived.\n"]);
  });
});

describe("notes and default accounts", () => {
  beforeAll(async () => {
    await acct("account create --code 093 --name Current --type BANK --bank-account-number 2");
    await acct(
      "contact create --name Kowhai --sales-default-account-code 200 --purchases-default-account-code 400",
    );
  });

  test("a document line without an account takes the default account of its contact", async () => {
    for (const [noun, code] of [
      ["invoice", "200"],
      ["bill", "400"],
    ] as const) {
      const line =
        "--line 'description=Work,unit-amount=10' --due-date 2026-04-01 -o json --allow-duplicate";
      const made = await acct(`${noun} create --contact Kowhai --status AUTHORISED ${line}`);
      expect(JSON.parse(made.stdout).LineItems).toMatchObject([{ AccountCode: code }]);
      const named = line.replace("=10", "=10,account=260");
      const other = await acct(`${noun} create --contact Kowhai ${named}`);
      expect(JSON.parse(other.stdout).LineItems).toMatchObject([{ AccountCode: "260" }]);
    }
  });

  test("lists show the contact and direction of payments, and whether contacts are customers or suppliers", async () => {
    const line =
      "--line 'description=Work,unit-amount=10' --due-date 2026-04-01 -o json --allow-duplicate";
    const sold = JSON.parse(
      (await acct(`invoice create --contact Kowhai --status AUTHORISED ${line}`)).stdout,
    );
    const bought = JSON.parse(
      (await acct(`bill create --contact Kowhai --invoice-number K-1 --status AUTHORISED ${line}`))
        .stdout,
    );
    const columns = "Invoice.InvoiceNumber,Contact.Name,Direction";
    const [received, paid] = [sold, bought].map(async (each) => {
      const made = await acct(
        `payment apply ${each.InvoiceID} --account 093 -o csv --columns Contact.Name,Direction`,
      );
      return made.stdout;
    });
    expect(await received).toContain("Kowhai,RECEIVED\n");
    expect(await paid).toContain("Kowhai,PAID\n");
    const listed = (await acct(`payment list --account 093 -o csv --columns ${columns}`)).stdout;
    expect(listed.trim().split("\n").sort()).toEqual([
      `${sold.InvoiceNumber},Kowhai,RECEIVED`,
      columns,
      "K-1,Kowhai,PAID",
    ]);
    expect((await acct("payment list --account 093")).stdout).toMatch(/Contact\.Name +Direction/);
    const contacts = (await acct("contact list -o csv --columns Name,IsCustomer,IsSupplier"))
      .stdout;
    expect(contacts).toContain("Kowhai,true,true\n");
  });

  test("tables show currencies before amounts once the book has two currencies", async () => {
    const book = newDesk();
    const heading = async (line: string) => (await book.acct(line)).stdout.split("\n")[0];
    const currencies = async (noun: string) => {
      const { stdout } = await book.acct(`${noun} list -o csv --columns CurrencyCode`);
      return stdout.trim().split("\n").slice(1).sort();
    };
    const bank = (code: string, more = "") =>
      book.acct(
        `account create --code ${code} --name B${code} --type BANK ` +
          `--bank-account-number ${code} ${more}`,
      );
    const sell = async (currency: string) => {
      const { stdout } = await book.acct(
        `invoice create --contact Acme --status AUTHORISED --currency-code ${currency} ` +
          "--line 'description=Work,unit-amount=10,account=200' --due-date 2026-04-01 -o id",
      );
      await book.acct(`payment apply ${stdout.trim()} --account 090 --amount 5`);
    };
    await book.acct("init --name Kiwi --country NZ --no-input");
    await book.acct("contact create --name Acme");
    await bank("090");
    await bank("091");
    await sell("NZD");
    expect(await heading("invoice list")).toMatch(/Status +Total +AmountDue$/);
    expect(await heading("payment list")).toMatch(/Account.Code +Amount/);

    await book.acct("currency add EUR");
    await book.acct("currency rate EUR 0.5 --date 2026-01-01");
    await bank("093", "--currency-code EUR");
    await sell("EUR");
    expect(await heading("invoice list")).toMatch(/Status +CurrencyCode +Total +AmountDue$/);
    const { stdout } = await book.acct("invoice list");
    expect(stdout).toMatch(/ NZD +11\.50 +6\.50$/m);
    expect(stdout).toMatch(/ EUR +11\.50 +6\.50$/m);
    expect(await heading("payment list")).toMatch(/Account.Code +CurrencyCode +Amount/);
    expect(await currencies("payment")).toEqual(["EUR", "NZD"]);
    await book.acct("bank-transfer create --from 093 --to 090 --amount 3");
    await book.acct("bank-transfer create --from 090 --to 091 --amount 3");
    expect(await heading("bank-transfer list")).toMatch(/Code +CurrencyCode +Amount/);
    expect(await currencies("bank-transfer")).toEqual(["EUR", "NZD"]);
    await book.acct(
      "bank-transaction create --type SPEND --bank-account 093 --contact Acme " +
        "--line 'description=Fee,unit-amount=2,account=404'",
    );
    expect(await heading("bank-transaction list")).toMatch(/Status +CurrencyCode +Total$/);
    // What is asked for is what comes, and CSV keeps its columns.
    expect(await heading("invoice list --columns Total")).toMatch(/^ *Total$/);
    expect(await heading("invoice list -o csv")).not.toContain("CurrencyCode");
    const summary = (await book.acct("report bank-summary")).stdout;
    expect(summary).toMatch(/Closing Balance +Currency +Balance in Currency$/m);
    expect(summary).toMatch(/^ *B093 .* EUR +-5\.\d\d$/m);
  });

  test("a changed lock date is recorded in the history, with the user", async () => {
    await acct("book set --period-lock-date 2026-01-31");
    await acct("book set --period-lock-date none");
    const { stdout } = await acct("organisation history -o csv --columns User,Details");
    expect(stdout).toContain("Ana Reid,PeriodLockDate nothing → 2026-01-31.\n");
    expect(stdout).toContain("Ana Reid,PeriodLockDate 2026-01-31 → nothing.\n");
  });

  test("a balance sheet for a day within a month has the balances of that day", async () => {
    const { stdout, stderr } = await acct("report balance-sheet --date 2026-10-15");
    expect(stderr).toBe("");
    expect(stdout).toContain("As at 15 October 2026\n");
    expect(stdout).toMatch(/ 15 Oct 2026 +15 Oct 2025\n/);
  });

  test("acct app add -o id prints the secret of the app too", async () => {
    const { stdout, stderr } = await acct("app add Till -o id");
    expect(stdout).toMatch(/^[0-9A-Fa-f-]{32,36}\n$/);
    expect(stderr).toMatch(/^Its secret: \S{20,}\nKeep the secret: it is shown this once\.\n$/);
    expect((await acct("app add Other")).stderr).toBe("Keep the secret: it is shown this once.\n");
  });

  test("a refused record of a file that has no number is reported by its position", async () => {
    const line = { Description: "Work", Quantity: 1, UnitAmount: 1, AccountCode: "200" };
    const bill = { Contact: { Name: "Kowhai" }, LineItems: [line] };
    const bad = { ...bill, LineItems: [{ ...line, AccountCode: "999" }] };
    const path = file("bills.json", JSON.stringify({ Invoices: [bill, bad] }));
    const { code, stderr } = await acct(`bill create --file ${path}`);
    expect(code).toBe(5);
    expect(stderr).toContain("record 2");
    expect(stderr).not.toContain("00000000");
  });

  test("a prepayment shows the reference of its bank transaction", async () => {
    const made = await acct(
      "bank-transaction create --type RECEIVE-PREPAYMENT --bank-account 093 --contact Kowhai " +
        "--reference 'Order 7' --line 'description=Deposit,unit-amount=5,account=200' -o id",
    );
    const { stdout } = await acct(`prepayment show ${made.stdout.trim()} -o json`);
    expect(JSON.parse(stdout).Reference).toBe("Order 7");
  });
});
