/** Records by the names that people type. */
import { beforeAll, describe, expect, test } from "vitest";
import { mailServer } from "../../support/mail-server.ts";
import { newDesk } from "../real.ts";

const { acct } = newDesk();

const kowhai = "'K\u014dwhai Homewares'";

/** What a command prints as CSV, without its heading. */
async function values(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await acct(`${line} -o csv`);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout.trim().split("\n").slice(1);
}

/** How a command is refused. */
async function refused(line: string) {
  const { code, stdout, stderr } = await acct(line);
  expect(stdout).toBe("");
  return [code, stderr.trim()];
}

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  await acct(
    "account create --code 090 --name 'Cheque Account' --type BANK --bank-account-number 12-3456",
  );
  await acct("account create --code 091 --name Savings --type BANK --bank-account-number 12-3457");
  for (const name of ["K\u014dwhai Homewares", "Moa Coffee", "Moana Cafe", "Ledger and Lamb"]) {
    await acct(`contact create --name '${name}'`);
  }
  await acct("item create --code MUG --name 'Stoneware mug' --unit-price 28 --sales-account 200");
  await acct("tracking create --name Region --option North --option South");
});

const columns = "--columns Contact.Name,LineItems.AccountCode,LineItems.TaxType,LineItems.ItemCode";

describe("names in the lines of a document", () => {
  test.each([
    [
      "a name in another letter case",
      "invoice",
      "'k\u014dwhai homewares'",
      "K\u014dwhai Homewares",
    ],
    ["a name with another kind of blank", "invoice", "'Ledger\u00a0and  Lamb'", "Ledger and Lamb"],
    ["a whole name that is the beginning of another name", "invoice", "'moa coffee'", "Moa Coffee"],
  ])("the contact of a document is found by %s", async (_how, noun, typed, name) => {
    const line = "--line description=Mug,unit-amount=5,account=200";
    const made = await values(`${noun} create --dry-run --contact ${typed} ${line} ${columns}`);
    expect(made).toEqual([`${name},200,OUTPUT2,`]);
  });

  test.each([
    ["invoice", "account=sales,tax=15%", "200,OUTPUT2"],
    ["bill", "account=cleaning,tax=15%", "408,INPUT2"],
    ["bill", "'account=motor vehicle expenses,tax=15% gst on expenses'", "449,INPUT2"],
    ["bill", "account=cleaning,tax=no gst", "408,NONE"],
    ["quote", "account=Sales,tax=15%", "200,OUTPUT2"],
    ["purchase-order", "account=Cleaning,tax=15%", "408,INPUT2"],
  ])("a line of a document (%s) accepts the names %s", async (noun, typed, meant) => {
    const line = `--line 'description=Mug,unit-amount=5,${typed.replaceAll("'", "")}'`;
    const made = await values(`${noun} create --dry-run --contact ${kowhai} ${line} ${columns}`);
    expect(made).toEqual([`K\u014dwhai Homewares,${meant},`]);
  });

  test("a document line accepts the names of an item and a tracking option", async () => {
    const line = "--line 'item=stoneware mug,tracking=region:north'";
    const shown = "--columns LineItems.ItemCode,LineItems.UnitAmount,LineItems.Tracking.Option";
    expect(await values(`invoice create --dry-run --contact ${kowhai} ${line} ${shown}`)).toEqual([
      "MUG,28.00,North",
    ]);
  });

  test("an added document line accepts names, and the existing lines stay unchanged", async () => {
    const line = "--line description=Mug,unit-amount=5,account=sales";
    await acct(`invoice create --contact ${kowhai} --invoice-number INV-7 ${line}`);
    const more = "--add-line 'description=Lid,unit-amount=5,account=other revenue'";
    const [after = ""] = await values(
      `invoice update INV-7 ${more} --columns LineItems.AccountCode`,
    );
    expect(after).toBe('"200, 260"');
  });
});

describe("flags that name a record", () => {
  test("a bank transfer accepts the names of its bank accounts", async () => {
    const transfer =
      "bank-transfer create --dry-run --from 'cheque account' --to savings --amount 5";
    const shown = "--columns FromBankAccount.Code,ToBankAccount.Code";
    expect(await values(`${transfer} ${shown}`)).toEqual(["090,091"]);
  });

  test("a list is filtered by the name of a bank account", async () => {
    await acct("bank-transfer create --from 'cheque account' --to savings --amount 5");
    const list = "bank-transfer list --columns Amount";
    expect(await values(`${list} --from-bank-account 'Cheque Account'`)).toEqual(["5.00"]);
    expect(await values(`${list} --from-bank-account savings`)).toEqual([]);
  });

  test("an item accepts the names of its accounts and tax rate", async () => {
    const made = "item create --dry-run --code POT --sales-account sales --sales-tax 'zero rated'";
    const shown = "--columns SalesDetails.AccountCode,SalesDetails.TaxType";
    expect(await values(`${made} ${shown}`)).toEqual(["200,ZERORATED"]);
  });

  test("an account or a contact is shown by its name", async () => {
    expect(await values("account show 'cheque account' --columns Code")).toEqual(["090"]);
    expect(await values(`contact show ${kowhai} --columns Name`)).toEqual([
      "K\u014dwhai Homewares",
    ]);
    expect(await values("item show 'stoneware mug' --columns Code")).toEqual(["MUG"]);
  });

  test("a manual journal accepts the names of its accounts", async () => {
    const lines = "--line account=insurance,debit=55 --line account=prepayments,credit=55";
    const made = `manual-journal create --dry-run --narration Kiln ${lines}`;
    expect(await values(`${made} --columns JournalLines.AccountCode`)).toEqual(['"433, 620"']);
  });
});

describe("a name that does not identify exactly one record", () => {
  const line = "--line description=Mug,unit-amount=5";
  test.each([
    [
      `bill create --contact ${kowhai} ${line},account=travel`,
      3,
      "acct: There is no account travel. Did you mean 493 Travel - National or 494 Travel - International?",
    ],
    [
      `invoice create --contact moa ${line}`,
      3,
      "acct: There is no contact moa. Did you mean Moa Coffee or Moana Cafe?",
    ],
    [
      `invoice create --contact lamb ${line}`,
      3,
      "acct: There is no contact lamb. Did you mean Ledger and Lamb?",
    ],
    [
      `invoice create --contact ${kowhai} ${line},account=Salse`,
      3,
      "acct: There is no account Salse. Did you mean 200 Sales?",
    ],
    [
      `invoice create --contact ${kowhai} ${line},tax=99%`,
      3,
      "acct: There is no tax rate 99%. acct tax-rate list shows them.",
    ],
    [
      `invoice create --contact kowhai ${line}`,
      3,
      "acct: There is no contact kowhai. Did you mean K\u014dwhai Homewares?",
    ],
    [
      `invoice create --contact ${kowhai} ${line},tracking=Region:Nor`,
      3,
      "acct: There is no option Nor. Did you mean North?",
    ],
    [
      "payment apply INV-7 --account chekue",
      3,
      "acct: There is no account chekue. Did you mean 090 Cheque Account?",
    ],
    ["item delete MU --yes", 3, "acct: There is no item MU. Did you mean Stoneware mug (MUG)?"],
    [
      "contact archive Ledger",
      3,
      "acct: There is no contact Ledger. Did you mean Ledger and Lamb?",
    ],
    ["contact show Ledger", 3, "acct: There is no contact Ledger. Did you mean Ledger and Lamb?"],
  ])(
    "acct %s, with an unknown name, is refused with the nearest names",
    async (command, code, message) => {
      expect(await refused(command)).toEqual([code, message]);
    },
  );

  test.each([
    ["payment list --account 999", "account 999"],
    ["payment list --invoice INV-9999", "invoice INV-9999"],
    ["payment list --credit-note CN-9999", "credit note CN-9999"],
    ["payment list --prepayment 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11", "prepayment 1c5d"],
    ["bank-transaction list --bank-account 999", "account 999"],
    ["batch-payment list --account 999", "account 999"],
    ["bank-transfer list --from-bank-account 999", "account 999"],
    ["invoice list --contact Nobody", "contact Nobody"],
    ["quote list --contact Nobody", "contact Nobody"],
  ])(
    "acct %s, whose filter matches no record, is refused instead of printing an empty list",
    async (command, what) => {
      const [code, message] = await refused(command);
      expect([code, message]).toEqual([3, expect.stringContaining(`There is no ${what}`)]);
    },
  );
});

describe("a copy of a document", () => {
  beforeAll(async () => {
    const line = "--line 'item=mug,quantity=2,discount=10,tracking=Region:South'";
    const dates = "--date 2026-01-10 --due-date +20d --reference 'PO 7' --status AUTHORISED";
    await acct(`invoice create --contact ${kowhai} --invoice-number INV-90 ${dates} ${line}`);
    await acct(
      `bill create --contact 'Moana Cafe' --invoice-number B-90 ${dates.replace(/--ref.*7'/, "")} --line description=Rent,unit-amount=9,account=rent`,
    );
  });

  test("the copy of an invoice is a draft dated today with the next number and the same lines", async () => {
    const shown =
      "--columns InvoiceNumber,Status,Date,DueDate,Reference,Contact.Name,Total,LineItems.Tracking.Option";
    expect(await values(`invoice copy INV-90 ${shown}`)).toEqual([
      "INV-0091,DRAFT,2026-03-06,2026-03-26,PO 7,K\u014dwhai Homewares,57.96,South",
    ]);
    expect(await values("invoice show INV-90 --columns Status,Total")).toEqual([
      "AUTHORISED,57.96",
    ]);
  });

  test("the copy of a bill has no number by default, and takes number and dates from flags", async () => {
    const shown = "--columns Type,InvoiceNumber,Date,DueDate,Total";
    const dates = "--date 2026-02-01 --due-date +5d --invoice-number B-91";
    expect(await values(`bill copy B-90 ${shown}`)).toEqual([
      "ACCPAY,,2026-03-06,2026-03-26,10.35",
    ]);
    expect(await values(`bill copy B-90 ${dates} ${shown}`)).toEqual([
      "ACCPAY,B-91,2026-02-01,2026-02-06,10.35",
    ]);
  });
});

describe("a reminder of an overdue invoice", () => {
  beforeAll(async () => {
    await acct(`contact update ${kowhai} --email-address k@kowhai.example`);
  });

  test("a reminder of an overdue invoice is written to the outbox where there is no mail server", async () => {
    const dry = await acct("invoice remind --all --dry-run");
    expect(dry.stderr).toContain("Would email INV-90");
    const first = await acct("invoice remind --all --yes");
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/^Written to the outbox, not sent: INV-90 to k@kowhai\.example/),
    ]);
  });

  test("a reminder with the given text is sent for overdue invoices, and again only a week later", async () => {
    const server = await mailServer();
    const remind = async (daysLater: number) => {
      const env = { ACCT_SMTP_URL: server.url };
      const { code, stderr } = await acct("invoice remind --all --yes", { env, daysLater });
      expect(code).toBe(0);
      return stderr;
    };
    expect(await remind(0)).toContain("Emailed INV-90 to K\u014dwhai Homewares.");
    expect(server.messages).toBe(1);
    // Long lines are broken in quoted-printable, and joined again by whoever reads them.
    const sent = server.said.join("").replaceAll("=\r\n", "");
    expect(sent).toContain("Subject: Reminder: invoice INV-90 was due on 30 January 2026");
    expect(sent).toContain("Invoice INV-90 was due on 30 January 2026, 35 days ago");
    const history = await acct("invoice history INV-90 -o csv --columns Details");
    expect(history.stdout).toContain("Reminded of 57.96 NZD");
    expect(await remind(6)).toContain("1 were reminded of in the last 7 days.");
    expect(server.messages).toBe(1);
    await remind(8);
    expect(server.messages).toBe(2);
  });

  test("a reminder is refused for an invoice that is not overdue, and without a named invoice", async () => {
    await acct(
      `invoice create --contact ${kowhai} --invoice-number INV-95 --due-date +9d --status AUTHORISED ` +
        "--line description=Mug,unit-amount=5,account=sales",
    );
    expect(await refused("invoice remind INV-95")).toEqual([
      5,
      "acct: INV-95 is not overdue: it is AUTHORISED and due on 2026-03-15; acct invoice email sends it.",
    ]);
    expect(await refused("invoice remind")).toEqual([
      2,
      "acct: Name the invoices to remind of, or give --all.",
    ]);
  });
});
