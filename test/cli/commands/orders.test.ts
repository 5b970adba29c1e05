/** Purchase orders, quotes and credit notes at the terminal, on a real book. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { home, acct } = newDesk();

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name 'Clay Supplies' --contact-number S-1");
  await acct("contact create --name Acme");
  await acct("account create --code 090 --name Current --type BANK --bank-account-number 12-3456");
});

const list = async (line: string) => (await acct(`${line} -o id`)).stdout.split("\n").slice(0, -1);

const shown = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);

/** A record as it is shown, without what chance and the clock put into it. */
const lasting = (stdout: string) =>
  stdout.replace(/^(PurchaseOrderID|QuoteID|UpdatedDateUTC) .*\n/gm, "");

describe("purchase orders", () => {
  test("a purchase order is created, changed, approved, billed and deleted", async () => {
    const made = await acct(
      "po create --contact 'Clay Supplies' --date 2026-03-01 --delivery-date +14d " +
        "--line 'description=Clay,quantity=10,unit-amount=4.2575,account=300,discount=10' " +
        "--attention-to Tess --delivery-instructions 'Ring the bell'",
    );
    expect(made.stderr).toBe("");
    expect(lasting(made.stdout)).toMatchInlineSnapshot(`
      "PurchaseOrderNumber   PO-0001
      Contact               Clay Supplies
      Date                  2026-03-01
      DeliveryDate          2026-03-15
      Status                DRAFT
      Type                  PURCHASEORDER
      LineAmountTypes       Exclusive
      CurrencyCode          NZD
      CurrencyRate          1
      SentToContact         false
      AttentionTo           Tess
      DeliveryInstructions  Ring the bell
      IsDiscounted          true

      LineItems
      Description  Quantity  UnitAmount  AccountCode  TaxType  TaxAmount  LineAmount  DiscountRate
      Clay               10      4.2575  300          INPUT2        5.75       38.32            10

      SubTotal       38.32
      TotalTax        5.75
      Total          44.07
      TotalDiscount   4.26
      "
    `);
    await acct(
      "purchase-order update PO-0001 --add-line 'description=Glaze,quantity=1,unit-amount=9'",
    );
    const changed = await shown("po show PO-0001");
    expect(changed.LineItems).toMatchObject([{ UnitAmount: 4.2575 }, { Description: "Glaze" }]);
    const again = await acct("po approve PO-0001 --dry-run");
    expect(again.stderr).toContain("PO-0001 would change: Status DRAFT → AUTHORISED.");
    await acct("po approve PO-0001");
    expect((await acct("po submit PO-0001")).stderr).toBe(
      "acct: PurchaseOrder status change is invalid\n",
    );
    await acct("po bill PO-0001");
    expect((await acct("po delete PO-0001 --no-input")).code).toBe(2);
    expect((await shown("po show PO-0001")).Status).toBe("BILLED");
    await acct("po delete PO-0001 --yes");
    const refused = await acct("po update PO-0001 --reference x");
    expect([refused.code, refused.stderr]).toEqual([
      5,
      "acct: Deleted PurchaseOrders cannot be updated\n",
    ]);
  });

  test("purchase orders are filtered by status and days by the service", async () => {
    for (const day of ["2026-01-31", "2026-02-01", "2026-02-28"]) {
      const line = "--line 'description=Clay,quantity=1,unit-amount=1'";
      await acct(`po create --contact S-1 --date ${day} --purchase-order-number ${day} ${line}`);
    }
    const numbers = async (flags: string) =>
      (await acct(`po list ${flags} --columns PurchaseOrderNumber -o csv`)).stdout
        .split("\n")
        .slice(1, -1);
    expect(await numbers("--period 2026-02")).toEqual(["2026-02-28", "2026-02-01"]);
    expect(await numbers("--to 2026-02-01")).toEqual(["2026-02-01", "2026-01-31"]);
    expect(await numbers("--from 2026-02-01 --to 2026-02-01 --status DRAFT")).toEqual([
      "2026-02-01",
    ]);
    expect(await numbers("--status deleted,BILLED")).toEqual(["PO-0001"]);
    expect((await acct("po list --contact Acme")).code).toBe(2);
  });

  test("a purchase order with missing values is refused with the names of the flags", async () => {
    const bare = await acct("po create --no-input");
    expect([bare.code, bare.stderr]).toEqual([
      2,
      "acct: A new purchase order needs --contact, or --file with the whole record.\n",
    ]);
    expect((await acct("po create --contact Acme --no-input")).stderr).toBe(
      "acct: A new purchase order needs at least one --line.\n",
    );
    expect((await acct("po show PO-0099")).code).toBe(3);
  });

  test("purchase orders from a file are all created, or none where one is refused", async () => {
    const path = join(home, "orders.json");
    const LineItems = [{ Description: "Clay", Quantity: 1, UnitAmount: 40 }];
    const good = { Contact: { Name: "Clay Supplies" }, LineItems };
    const bad = { ...good, LineItems: [{ Description: "Clay", Quantity: 1 }] };
    writeFileSync(path, JSON.stringify({ PurchaseOrders: [good, bad] }));
    const before = (await acct("po list --count")).stdout;
    const { code, stderr } = await acct(`po create --file ${path}`);
    expect(code).toBe(5);
    expect((await acct("po list --count")).stdout).toBe(before);
    expect(stderr).toContain("UnitAmount is required on a line that has a Quantity.");
  });

  test("the PDF of a purchase order is saved, and its history shown", async () => {
    const path = join(home, "order.pdf");
    await acct(`po pdf 2026-02-01 --output-file ${path}`);
    expect(existsSync(path)).toBe(true);
    await acct("po note 2026-02-01 'Rang them'");
    const { stdout } = await acct(
      "history list --on purchase-order:2026-02-01 --columns Details -o csv",
    );
    expect(stdout).toBe("Details\nRang them\nPurchase order 2026-02-01 was created.\n");
  });
});

test("purchase orders and quotes are exported with their lines, deleted ones only in JSON", async () => {
  const columns = "--columns PurchaseOrderNumber,LineItems.Description,LineItems.UnitAmount";
  const { stdout } = await acct(`export purchase-orders ${columns}`);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "PurchaseOrderNumber,LineItems.Description,LineItems.UnitAmount",
    "2026-01-31,Clay,1.00",
  ]);
  expect(stdout).not.toContain("PO-0001");
  const whole = JSON.parse((await acct("export purchase-orders --format json")).stdout);
  expect(whole.map((each: { Status: string }) => each.Status)).toContain("DELETED");
  expect((await acct("export quotes")).stdout).toMatch(/^QuoteNumber,.*LineAmountTypes\n$/);
});

describe("quotes", () => {
  test("a quote is created, sent, accepted and invoiced", async () => {
    const made = await acct(
      "quote create --contact Acme --date 2026-03-01 --expiry-date 2026-04-01 --title 'A table' " +
        "--line-amount-types inclusive --line 'description=Table,quantity=1,unit-amount=1150,account=200'",
    );
    expect(made.stderr).toBe("");
    expect(lasting(made.stdout)).toMatchInlineSnapshot(`
      "QuoteNumber      QU-0001
      Contact          Acme
      Date             2026-03-01
      ExpiryDate       2026-04-01
      Status           DRAFT
      CurrencyCode     NZD
      CurrencyRate     1
      Title            A table
      LineAmountTypes  Inclusive

      LineItems
      Description  Quantity  UnitAmount  AccountCode  TaxType  TaxAmount  LineAmount
      Table               1     1150.00  200          OUTPUT2     150.00     1150.00

      SubTotal       1000.00
      TotalTax        150.00
      Total          1150.00
      TotalDiscount     0.00
      "
    `);
    await acct("quote send QU-0001");
    await acct("quote accept QU-0001");
    expect((await acct("quote list --status ACCEPTED --columns QuoteNumber -o csv")).stdout).toBe(
      "QuoteNumber\nQU-0001\n",
    );
    expect((await acct("quote invoice QU-0001")).code).toBe(0);
    expect((await acct("quote delete QU-0001 --yes")).stderr).toBe(
      "acct: The status DELETED cannot be applied to a quote that is INVOICED.\n",
    );
  });

  test("quotes are filtered by contact, number and days", async () => {
    await acct(
      "quote create --contact S-1 --date 2026-02-01 --expiry-date 2026-02-20 --line description=x",
    );
    const [first, second] = [
      await list("quote list --quote-number QU-0001"),
      await list("quote list --quote-number qu-0002"),
    ];
    expect([first.length, second.length]).toEqual([1, 1]);
    expect(await list("quote list --contact 'Clay Supplies'")).toEqual(second);
    expect(await list("quote list --expiry-date ..2026-03-01")).toEqual(second);
    expect(await list("quote list --expiry-date 2026-04-01")).toEqual(first);
    expect(await list("quote list --period 2026-03")).toEqual(first);
    expect(await list("quote list")).toEqual([...first, ...second]);
  });
});

describe("invoicing and billing in parts", () => {
  test("a quote is invoiced in parts, and the parts of a voided invoice can be invoiced again", async () => {
    const made = await acct(
      "quote create --contact Acme --date 2026-03-01 --status SENT -o json " +
        "--line 'description=Table,quantity=10,unit-amount=12.5,account=200,discount=10' " +
        "--line 'description=Delivered in May' " +
        "--line 'description=Chair,quantity=4,unit-amount=50,account=200'",
    );
    const { QuoteNumber: number, QuoteID } = JSON.parse(made.stdout);
    const invoiced = async (flags: string) =>
      JSON.parse((await acct(`quote invoice ${number} ${flags} -o json`)).stdout);
    const planned = await invoiced("--line 1=3 --dry-run");
    expect(planned).toMatchObject({ LineItems: [{ Description: "Table", Quantity: 3 }] });
    expect((await shown(`quote show ${number}`)).Billings).toEqual([]);

    const part = await invoiced("--line 1=3");
    expect(part).toMatchObject({
      Status: "DRAFT",
      Reference: number,
      Source: { Type: "QUOTE", SourceID: QuoteID, Number: number },
      LineItems: [{ Quantity: 3, DiscountRate: 10, LineAmount: 33.75 }],
    });
    const tooMuch = await acct(`quote invoice ${number} --line 1=8`);
    expect([tooMuch.code, tooMuch.stderr]).toEqual([
      5,
      "acct: Line 1: 7 is left to bill, not 8.\n",
    ]);
    expect((await shown(`quote show ${number}`)).Status).toBe("SENT");

    const rest = await invoiced("--status AUTHORISED --due-date +20d --reference 'As agreed'");
    expect(rest).toMatchObject({ Status: "AUTHORISED", Reference: "As agreed" });
    expect(rest.LineItems).toMatchObject([
      { Description: "Table", Quantity: 7 },
      { Description: "Delivered in May" },
      { Description: "Chair", Quantity: 4 },
    ]);
    expect(await shown(`quote show ${number}`)).toMatchObject({
      Status: "INVOICED",
      Billings: [
        { InvoiceNumber: part.InvoiceNumber, Status: "DRAFT" },
        { InvoiceNumber: rest.InvoiceNumber, Status: "AUTHORISED", Total: rest.Total },
      ],
    });
    const again = await acct(`quote invoice ${number}`);
    expect([again.code, again.stderr]).toEqual([
      5,
      `acct: Nothing is left to bill of ${number}, by ${part.InvoiceNumber}, ${rest.InvoiceNumber}.\n`,
    ]);

    await acct(`invoice void ${rest.InvoiceNumber} --yes`);
    expect(await shown(`quote show ${number}`)).toMatchObject({
      Status: "ACCEPTED",
      Billings: [{ Status: "DRAFT" }, { Status: "VOIDED" }],
    });
    const anew = await invoiced("--all-lines");
    expect(anew.LineItems).toHaveLength(3);
    expect((await acct(`invoice history ${anew.InvoiceNumber}`)).stdout).toContain(
      `It was made from the quote ${number}.`,
    );
    const told = (await acct(`quote history ${number}`)).stdout;
    expect(told).toContain(`Invoice ${part.InvoiceNumber} was made for a part of it.`);
    expect(told).toContain(`Invoice ${rest.InvoiceNumber} was voided`);
    expect(told).toContain(`Invoice ${anew.InvoiceNumber} was made for all that was left of it.`);
  });

  test("the part bills of a purchase order with discounts add up to its total", async () => {
    const made = await acct(
      "po create --contact 'Clay Supplies' -o json " +
        "--line 'description=Clay,quantity=10,unit-amount=4.2575,account=300,discount=10'",
    );
    const { PurchaseOrderNumber: number, Total } = JSON.parse(made.stdout);
    const early = await acct(`po bill ${number}`);
    expect([early.code, early.stderr]).toEqual([
      5,
      "acct: A purchase order that is DRAFT cannot be billed; approve it first.\n",
    ]);
    await acct(`po approve ${number}`);
    const billed = async (flags: string) =>
      JSON.parse((await acct(`po bill ${number} ${flags} -o json`)).stdout);
    const first = await billed("--line 1=4 --invoice-number 4711 --due-date +5d");
    expect(first).toMatchObject({ Type: "ACCPAY", InvoiceNumber: "4711", Total: 17.63 });
    expect((await shown(`po show ${number}`)).Status).toBe("AUTHORISED");
    const second = await billed("--invoice-number 4712");
    expect(first.Total + second.Total).toBeCloseTo(Total, 1);
    expect((await shown(`po show ${number}`)).Status).toBe("BILLED");
    expect((await acct(`po bill ${number} --line 2`)).code).toBe(5);
    expect((await acct(`po bill ${number} --line 1 --all-lines`)).code).toBe(2);
    await acct("bill delete 4712 --yes");
    expect((await shown(`po show ${number}`)).Status).toBe("AUTHORISED");
  });
});

describe("credit notes", () => {
  test("a credit note is created, approved and voided", async () => {
    const made = await acct(
      "credit-note create --type ACCRECCREDIT --contact Acme --date 2026-03-01 " +
        "--line 'description=Broken,quantity=1,unit-amount=20,account=200'",
    );
    expect(made.stderr).toBe("");
    await acct("credit-note update CN-0001 --reference 'Order 7'");
    await acct("credit-note approve CN-0001");
    expect(await shown("credit-note show CN-0001")).toMatchObject({
      Status: "AUTHORISED",
      Reference: "Order 7",
      RemainingCredit: 23,
    });
    expect(await list("credit-note list --contact Acme --remaining-credit 0.01..")).toHaveLength(1);
    expect((await acct("credit-note delete CN-0001 --yes")).code).toBe(5);
    await acct("credit-note void CN-0001 --yes");
    expect((await shown("credit-note show CN-0001")).Status).toBe("VOIDED");
    expect((await acct("credit-note create --contact Acme --no-input")).stderr).toBe(
      'acct: A new credit note needs --type ("Credit note" or "Supplier credit note"), or --file with the whole record.\n',
    );
  });

  test("on a terminal a document that was made, approved or voided is shown as its paper is", async () => {
    const screen = { width: 80 };
    const made = await acct(
      "credit-note create --type 'supplier credit note' --contact Acme --date 2026-03-02 " +
        "--credit-note-number S-9 --line 'description=Chipped,unit-amount=8,account=310'",
      screen,
    );
    expect(made.stdout).toMatch(/^Supplier credit note S-9, draft\n/);
    for (const verb of ["approve", "void --yes"]) {
      const { stdout } = await acct(`credit-note ${verb} S-9`, screen);
      expect(stdout).toBe((await acct("credit-note show S-9", screen)).stdout);
    }
  });

  test.each([
    ["invoice void INV-0001 --yes", "  A draft is deleted, what is approved is voided"],
    ["payment apply INV-0001 --account 090", "  Approve it first (acct invoice approve NUMBER)"],
    ["invoice approve INV-0001", "  Say account=CODE in --line, or give its item an account"],
  ])("on a terminal the refusal of `acct %s` says what to do", async (line, remedy) => {
    const book = `--book ${join(home, "remedy.acct")}`;
    if (line.startsWith("invoice void")) {
      await acct(`init --name Kiln --country NZ --no-input ${book}`);
      await acct(
        `account create --code 090 --name Bank --type BANK --bank-account-number 1 ${book}`,
      );
      await acct(`contact create --name Acme ${book}`);
      await acct(`invoice create --contact Acme --line 'description=x,unit-amount=5' ${book}`);
    }
    const { code, stderr } = await acct(`${line} ${book}`, { width: 80 });
    expect([code, stderr]).toEqual([5, expect.stringContaining(remedy)]);
  });

  test.each([
    ["invoice", "--due-date 2026-02-28", "is due on 28 February 2026"],
    ["bill", "--due-date 2026-02-28", "is due on 28 February 2026"],
    ["quote", "--expiry-date 2026-02-28", "expires on 28 February 2026"],
  ])("acct %s create says that a day is before the document's date", async (noun, flag, said) => {
    const line = "--line 'description=Early,quantity=1,unit-amount=20,account=200'";
    const made = await acct(`${noun} create --contact Acme --date 2026-03-01 ${flag} ${line}`);
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${said}, before its date, 1 March 2026.`),
    });
  });

  const credited = async (fields: string) => {
    const made = await acct(
      "credit-note create --type ACCRECCREDIT --status AUTHORISED --date 2026-03-01 -o json " +
        `--allow-duplicate --line 'description=Broken,quantity=1,unit-amount=20,account=200' ${fields}`,
    );
    return JSON.parse(made.stdout).CreditNoteNumber as string;
  };

  test("a credit note is refunded by its number, by its contact, or with payment apply", async () => {
    await acct("contact create --name Kowhai");
    const number = await credited("--contact Kowhai");
    const part = await acct(
      `credit-note refund ${number} --account 090 --amount 3 --date 2026-03-02 --reference Cash -o json`,
    );
    expect(JSON.parse(part.stdout)).toMatchObject({
      Amount: 3,
      Reference: "Cash",
      PaymentType: "ARCREDITPAYMENT",
      CreditNote: { CreditNoteNumber: number },
    });
    await acct("credit-note refund Kowhai --account 090 --amount 5");
    const planned = await acct(`payment apply ${number} --account 090 --dry-run`);
    expect(planned.stderr).toContain(
      `${number} is a credit note: it would be paid back, as by acct credit-note refund.`,
    );
    const rest = await acct(`payment apply ${number} --account 090`);
    expect(rest).toMatchObject({
      code: 0,
      stderr: [
        `${number} is a credit note: it is paid back, as by acct credit-note refund.\n`,
        "Left of the credit note: NZD 0.00.\n",
      ].join(""),
    });
    expect(await shown(`credit-note show ${number}`)).toMatchObject({
      Status: "PAID",
      RemainingCredit: 0,
    });
    const again = await acct(`credit-note refund ${number} --account 090`);
    expect([again.code, again.stderr]).toEqual([
      2,
      `acct: Nothing is left of the credit note ${number}, which is PAID; say --amount.\n`,
    ]);
    const nothing = await acct("credit-note refund Kowhai --account 090");
    expect([nothing.code, nothing.stderr]).toEqual([
      3,
      "acct: Kowhai has no credit note of which something is left.\n",
    ]);
  });

  test("a refund by a contact with several credit notes is refused with their numbers", async () => {
    await acct("contact create --name Totara");
    const numbers = [await credited("--contact Totara"), await credited("--contact Totara")];
    const several = await acct("credit-note refund Totara --account 090");
    expect(several.code).toBe(2);
    expect(several.stderr).toContain("Totara has 2 credit notes of which something is left");
    for (const number of numbers) expect(several.stderr).toContain(number);
    const none = await acct("prepayment refund Nobody --account 090");
    expect([none.code, none.stderr]).toEqual([
      3,
      "acct: There is no prepayment Nobody, and no contact of that name.\n",
    ]);
    expect((await acct("payment apply CN-9999 --account 090")).code).toBe(3);
  });
});
