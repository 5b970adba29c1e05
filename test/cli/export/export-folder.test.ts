/** A folder of all that a book holds comes to the same books, whatever the order of its files. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ordered, partsOf } from "../../../src/cli/import/records/import-order.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();
const [from, to, folder] = ["from.acct", "to.acct", "out"].map((name) => join(home, name)) as [
  string,
  string,
  string,
];

async function done(line: string, book = from): Promise<string> {
  const { code, stdout, stderr } = await acct(line, { env: { ACCT_BOOK: book } });
  expect([code, line, code === 0 ? "" : stderr]).toEqual([0, line, ""]);
  return stdout.trim();
}

const put = (name: string, text: string) => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

/** Openings, goods sold to zero, foreign money, and a credit that is allocated between two payments. */
async function company(): Promise<void> {
  await done("init --name Shop --country NZ", from);
  const bank = "--type BANK --bank-account-number";
  await done(`account create --code 090 --name Bank ${bank} 12-3456-7890123-00`);
  await done("currency add USD");
  await done("currency rate USD 0.6 --date 2026-01-01");
  await done(`account create --code 092 --name Dollars ${bank} 12-77-1 --currency-code USD`);
  await done("account create --code 299 --name 'Old income' --type REVENUE");
  for (const name of ["C", "D"]) await done(`contact create --name ${name}`);
  for (const code of ["LAMP", "VASE"]) {
    await done(`item create --code ${code} --inventory-asset-account-code 630 --cogs-account 310`);
  }
  const balances = put(
    "tb.csv",
    "Account,Debit,Credit\n090,1000,\n610,230,\n630,100,\n800,,115\n820,,15\n",
  );
  const open = put(
    "open.csv",
    "Type,Number,Contact,Date,Amount,Tax\ninvoice,OLD-1,C,2026-03-01,230,30\nbill,OLD-2,D,2026-03-02,115,15\n",
  );
  const stock = put("stock.csv", "Item,Quantity,Cost\nVASE,10,100\n");
  await done(`opening set ${balances} --date 2026-03-31 --documents ${open} --stock ${stock}`);
  const pay = (what: string, account: string, amount: number, day: string, more = "") =>
    done(
      `payment apply ${what} --account ${account} --amount ${amount} --date 2026-05-${day}${more}`,
    );
  await pay("OLD-1", "090", 100, "02");
  await pay("OLD-2", "090", 15, "12");
  const goods = (quantity: number, price: number, account: number) =>
    `--line description=x,item=LAMP,quantity=${quantity},unit-amount=${price},account=${account}`;
  const approved = "--status AUTHORISED -o id";
  const sold = (number: string, day: string, more: string) =>
    done(
      `invoice create --contact C --invoice-number ${number} --date 2026-05-${day} ${more} ${approved}`,
    );
  await done(
    `bill create --contact D --invoice-number B-1 --date 2026-05-01 ${goods(10, 5, 630)} ${approved}`,
  );
  await sold("I-1", "02", goods(10, 20, 200));
  await done(
    `bank-transaction create --type SPEND --contact D --bank-account 090 --date 2026-05-03 ${goods(3, 9.33, 630)}`,
  );
  await sold(
    "I-2",
    "02",
    `${goods(3, 20, 200)} --line description=v,item=VASE,quantity=4,unit-amount=30,account=200`,
  );
  const credit = "credit-note create --contact C --type ACCRECCREDIT --credit-note-number CN-1";
  await done(`${credit} --date 2026-05-04 ${goods(2, 20, 200)} ${approved}`);
  await sold("I-3", "04", goods(2, 22, 299));
  await done("account archive 299 --yes");
  await pay("I-1", "090", 33.33, "05");
  await done("credit-note allocate CN-1 --invoice I-1 --amount 12.34 --date 2026-05-06");
  await pay("I-1", "090", 50, "07");
  await done("credit-note refund CN-1 --account 090 --amount 10 --date 2026-05-08");
  await sold(
    "I-4",
    "09",
    "--currency-code USD --currency-rate 0.61 --line description=far,unit-amount=100,account=200",
  );
  await pay("I-4", "092", 33.33, "10", " --currency-rate 0.62");
  const prepaid = await done(
    "bank-transaction create --type RECEIVE-PREPAYMENT --contact C --bank-account 090 --date 2026-05-01 --line description=pre,unit-amount=20,account=200 -o id",
  );
  await done(`prepayment allocate ${prepaid} --invoice OLD-1 --amount 11`);
  await done("bank-transfer create --from 090 --to 092 --amount 60 --date 2026-05-09");
  await outOfUse(approved);
}

/** An invoice whose contact, items, rate, tracking and payment have gone out of use, and an order by a name. */
async function outOfUse(approved: string): Promise<void> {
  await done("contact create --name Gone");
  await done("item create --code OLD --name Old");
  await done("item create --code HELD --name Held");
  await done("tax-rate create --name Ten --component name=S,rate=10 --report-tax-type OUTPUT");
  await done("tracking create --name Region --option North --option South");
  await done("tracking create --name Team --option A");
  await done(
    "account create --code 899 --name Lender --type CURRLIAB --enable-payments-to-account",
  );
  const line = "unit-amount=100,account=200,tax=TAX001";
  await done(
    `invoice create --contact Gone --invoice-number I-5 --date 2026-05-11 --line description=x,item=OLD,${line},tracking=Region:South --line description=y,item=HELD,${line},tracking=Team:A ${approved}`,
  );
  await done("payment apply I-5 --account 899 --amount 10 --date 2026-05-12");
  await done(
    "purchase-order create --contact D --date 2026-05-11 --line description=q,unit-amount=10,account=400",
  );
  await done("contact archive Gone --yes");
  await done("tax-rate delete TAX001 --yes");
  await done("item delete OLD --yes");
  await done("item update HELD --no-is-sold");
  await done("tracking option remove Region South --yes");
  await done("tracking update Team --status ARCHIVED");
  await done("account update 899 --no-enable-payments-to-account");
}

async function expectSame(): Promise<void> {
  for (const day of ["2026-05-03", "2026-05-06", "2026-12-31"]) {
    for (const more of ["", " --payments-only"]) {
      const report = `report trial-balance --date ${day}${more} -o csv`;
      expect(await done(report, to)).toBe(await done(report));
    }
  }
  const stock = "item list --columns Code,QuantityOnHand,TotalCostPool -o csv";
  // An item that was deleted has to be there for the invoice that names it.
  expect((await done(stock, to)).replace("OLD,,\n", "")).toBe(await done(stock));
}

beforeAll(async () => {
  await company();
  await done(`export folder ${folder}`);
  await done("init --name Copy --country NZ", to);
});

test("an imported export folder gives the same book on both bases, and a second import changes nothing", async () => {
  const counts = JSON.parse(await done(`import ${folder} --yes -o json`, to));
  expect(counts["opening balances"]).toEqual({ imported: 1, updated: 0, existing: 0 });
  expect(counts.invoices).toMatchObject({ imported: 5 });
  await expectSame();
  const again = JSON.parse(await done(`import folder ${folder} --yes -o json`, to));
  for (const { imported } of Object.values(again) as { imported: number }[])
    expect(imported).toBe(0);
  await expectSame();
  expect(await done("account list --status ARCHIVED -o csv --columns Code", to)).toContain("299");
  for (const line of [
    "contact show Gone --columns ContactStatus",
    "tax-rate show TAX001 --columns Status",
    "item show HELD --columns IsSold",
    "tracking list --status ARCHIVED --columns Name",
    "account show 899 --columns EnablePaymentsToAccount",
    "report sales --by tracking --period 2026-05",
  ]) {
    expect(await done(`${line} -o csv`, to)).toBe(await done(`${line} -o csv`));
  }
  const regions = await done("tracking show Region -o json --jq .Options[].Status", to);
  expect(regions).toBe("ACTIVE\nARCHIVED");
  expect(await done("purchase-order list -o csv --columns Contact.Name", to)).toContain("D");
  expect(await done("book verify", to)).toContain("Everything adds up.");
});

describe("an archived tax rate whose name another rate bears", () => {
  const [old, copy, other, rates] = ["old.acct", "copy.acct", "other.acct", "rates"].map((name) =>
    join(home, name),
  ) as [string, string, string, string];
  const eco = (rate: number, book: string) =>
    done(
      `tax-rate create --name Eco --component name=S,rate=${rate} --report-tax-type OUTPUT`,
      book,
    );
  const columns = "-o csv --columns Name,EffectiveRate,Status";
  const ecoRates = async (book: string) =>
    (await done(`tax-rate list ${columns}`, book)).split("\n").filter((row) => /^Eco/.test(row));
  const sold = (number: number, taxType: string) =>
    done(
      `invoice create --contact C --invoice-number I-${number} --date 2026-05-1${number} --line description=x,unit-amount=100,account=200,tax=${taxType} --status AUTHORISED`,
      old,
    );
  const refusal = async (book: string) => {
    const { code, stderr } = await acct(`import folder ${rates} --yes`, {
      env: { ACCT_BOOK: book },
    });
    return [code, stderr];
  };

  beforeAll(async () => {
    for (const book of [old, copy, other]) await done("init --name Eco --country NZ", book);
    await done("contact create --name C", old);
    await eco(2.5, old);
    await sold(1, "TAX001");
    await done("tax-rate delete TAX001 --yes", old);
    await eco(5, old);
    await sold(2, "TAX002");
    await done(`export folder ${rates}`, old);
  });

  test("is exported with its tax type in the name, and imported beside the other", async () => {
    await done(`import folder ${rates} --yes`, copy);
    const both = ["Eco,5,ACTIVE", "Eco (TAX001),2.5,ARCHIVED"];
    expect((await ecoRates(copy)).toSorted()).toEqual(both.toSorted());
    const lineRate = "-o json --jq .LineItems[].TaxType";
    const typeOf = (name: string) => done(`tax-rate show '${name}' -o json --jq .TaxType`, copy);
    expect(await done(`invoice show I-1 ${lineRate}`, copy)).toBe(await typeOf("Eco (TAX001)"));
    expect(await done(`invoice show I-2 ${lineRate}`, copy)).toBe(await typeOf("Eco"));
    await done(`import folder ${rates} --yes`, copy);
    expect((await ecoRates(copy)).toSorted()).toEqual(both.toSorted());
  });

  test("is refused where the folder gives both the same name, or the book has another in use", async () => {
    const path = join(rates, "tax-rates.csv");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("Eco (TAX001)", "Eco"));
    const sameName = "The row has the name of another tax rate; give one of them another name";
    expect(await refusal(other)).toEqual([5, expect.stringContaining(sameName)]);
    writeFileSync(path, text.replace("Eco (TAX001)", "Eco").replace(/^Eco,TAX002.*\n/m, ""));
    await eco(5, other);
    const inUse = "The book has another tax rate Eco in use, and that of the file is archived";
    expect(await refusal(other)).toEqual([5, expect.stringContaining(inUse)]);
    expect(await ecoRates(other)).toEqual(["Eco,5,ACTIVE"]);
    writeFileSync(
      path,
      text.replace(/^Eco \(TAX001\).*\n/m, "").replace('""Rate"":5,', '""Rate"":7,'),
    );
    const differing =
      "The book has another tax rate Eco in use, and that of the file has other components";
    expect(await refusal(other)).toEqual([5, expect.stringContaining(differing)]);
    expect(await ecoRates(other)).toEqual(["Eco,5,ACTIVE"]);
  });
});

describe("a dry run of an export or import", () => {
  const third = join(home, "third.acct");
  const tried = (more = "") =>
    acct(`import folder ${folder} --dry-run ${more}`, { env: { ACCT_BOOK: third } });
  const changed = async (name: string, from: string, to: string, work: () => Promise<void>) => {
    const path = join(folder, name);
    const before = readFileSync(path, "utf8");
    writeFileSync(path, before.replace(from, to));
    await work().finally(() => writeFileSync(path, before));
  };

  beforeAll(async () => void (await done("init --name Third --country NZ", third)));

  test("a dry run of a folder import treats records of earlier files as created, and writes nothing", async () => {
    const { code, stdout, stderr } = await tried("-o json");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Dry run: nothing was changed.")]);
    expect(JSON.parse(stdout).invoices).toMatchObject({ imported: 5 });
    expect(await done("contact list -o csv --columns Name", third)).toBe("Name");
  });

  test("a dry run of a folder import reports each refused row by file and row", async () => {
    await changed("invoices.csv", ",I-4,", ",I-4X,", async () => {
      const { code, stdout, stderr } = await tried("-o json");
      expect([code, JSON.parse(stdout).payments.imported]).toEqual([5, 6]);
      const { details } = JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error;
      expect(details).toContainEqual({
        record: "payments.csv",
        message: expect.stringContaining("There is no invoice I-4"),
      });
    });
  });

  test("a dry run of a folder import refuses a row with too few cells, and allocations that are no list", async () => {
    await changed("items.csv", "LAMP,", "", async () => {
      const { code, stderr } = await tried();
      expect(code).toBe(5);
      expect(stderr).toMatch(
        /items\.csv, row 3: The row has \d+ cells, and there are \d+ headings/,
      );
    });
    await changed("credit-notes.csv", '"[{', '"{[', async () =>
      expect((await tried()).stderr).toContain("Allocations that are no list as JSON"),
    );
  });

  test("a dry run of a folder export reads all records, and creates no folder", async () => {
    const place = join(home, "new", "folder");
    const { code, stderr } = await acct(`export folder ${place} --dry-run`, {
      env: { ACCT_BOOK: from },
    });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("invoices.csv would be written: 5"),
    ]);
    expect(existsSync(join(home, "new"))).toBe(false);
    const file = join(home, "journal.txt");
    const journal = await acct(`export journal --output-file ${file} --dry-run`, {
      env: { ACCT_BOOK: from },
    });
    expect([journal.code, existsSync(file)]).toEqual([0, false]);
  });
});

test.each(["book.acct", "book.acct/below", "/proc/below/this"])(
  "an export to the folder %s, which cannot be created, is refused",
  async (name) => {
    const place = name.startsWith("/") ? name : join(home, name);
    writeFileSync(join(home, "book.acct"), "");
    const said = await acct(`export folder ${place}`, { env: { ACCT_BOOK: from } });
    expect([said.code, said.stderr]).toEqual([
      2,
      expect.stringMatching(/is a file, not a folder|No folder can be made/),
    ]);
  },
);

test("documents of the opening balances are exported in opening.json, and in no other file", async () => {
  expect(readFileSync(join(folder, "invoices.csv"), "utf8")).not.toContain("OLD-1");
  expect(readFileSync(join(folder, "opening.json"), "utf8")).toContain('"Number":"OLD-1"');
  const [head = ""] = readFileSync(join(folder, "invoices.csv"), "utf8").split("\n");
  expect(head.endsWith(",Posted")).toBe(true);
});

describe("refused folders", () => {
  test.each([
    ["nowhere", 2, /There is no folder "nowhere"/],
    ["invocies", 2, /Did you mean invoices\?/],
    [join(folder, "bills.csv"), 2, /bills\.csv is a file, not a folder/],
  ])("the import folder %s is refused", async (name, code, words) => {
    const said = await acct(`import ${name} --yes`, { env: { ACCT_BOOK: to } });
    expect(said.code).toBe(code);
    expect(said.stderr).toMatch(words);
  });

  test("the import of a folder with a file that no export writes is refused", async () => {
    writeFileSync(join(folder, "notes.txt"), "x");
    const said = await acct(`import ${folder} --yes`, { env: { ACCT_BOOK: to } });
    rmSync(join(folder, "notes.txt"));
    expect(said).toMatchObject({ code: 2 });
    expect(said.stderr).toContain("holds notes.txt, which is none of");
  });

  test("an export into a folder that contains files is refused", async () => {
    const said = await acct(`export folder ${folder}`, { env: { ACCT_BOOK: from } });
    expect(said).toMatchObject({ code: 2 });
  });
});

describe("the order in which a folder's records are imported", () => {
  const record = (file: string, more: Partial<Ordered>): Ordered => ({
    ...{ file, rows: [[file]], posted: undefined, day: "2026-01-01", rank: 0, touches: ["lamp"] },
    alike: `${file}${more.posted ?? more.day ?? ""}`,
    ...more,
  });
  const files = (records: readonly Ordered[]) => partsOf(records).map((part) => part.file);

  test("records of an export are imported in the order of posting, in as few batches as possible", () => {
    const bill = (posted: number) => record("bill", { posted });
    const sale = (posted: number) => record("invoice", { posted });
    expect(files([sale(2), sale(5), bill(1), bill(4), bill(3)])).toEqual([
      "bill",
      "invoice",
      "bill",
      "invoice",
    ]);
    const other = record("bill", { posted: 9, touches: ["vase"] });
    expect(files([sale(2), other, bill(1)])).toEqual(["bill", "invoice"]);
  });

  test("when the export has no journals, records are imported by date, and purchases before sales on the same day", () => {
    const sale = record("invoice", { day: "2026-01-02", rank: 3 });
    const bill = record("bill", { day: "2026-01-02" });
    const late = record("bill", { day: "2026-01-03" });
    expect(files([sale, late, bill])).toEqual(["bill", "invoice", "bill"]);
  });

  test("identical records without a number are imported in the same batch", () => {
    const fee = (posted: number) => record("bank-transaction", { posted, alike: "fee" });
    expect(files([fee(1), record("invoice", { posted: 2 }), fee(3)])).toEqual([
      "bank-transaction",
      "invoice",
    ]);
  });
});

test("payments of expense claims are left out, told, and a folder without them is taken", async () => {
  const [own, copy, claims] = ["claimed.acct", "unclaimed.acct", "claims"].map((name) =>
    join(home, name),
  ) as [string, string, string];
  for (const book of [own, copy])
    await done("init --name Shop --country NZ --bank-account 12-1", book);
  await done("employee create --first-name Ana --last-name Reid", own);
  const at = "--date 2026-03-02";
  const told = async (line: string) => {
    const { code, stderr } = await acct(line, { env: { ACCT_BOOK: own } });
    expect([line, code]).toEqual([line, 0]);
    return stderr;
  };
  await told(`expense 42.50 Taxi --by 'Ana Reid' --to 404 ${at}`);
  await told(`expense submit 'Ana Reid' ${at}`);
  await told("expense approve EC-1");
  await told(`expense pay EC-1 --account 090 ${at}`);
  expect(await told(`export folder ${claims}`)).toContain(
    "Wrote 0 payments to " +
      `${join(claims, "payments.csv")}.\n1 payment of expense claims left out, which no import takes.`,
  );
  expect(await acct(`import ${claims} --yes`, { env: { ACCT_BOOK: copy } })).toMatchObject({
    code: 0,
  });
});
