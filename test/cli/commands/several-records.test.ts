/** Verbs that take several records, by name and from standard input. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct } = newDesk();
const ok = async (line: string) => {
  const { code, stdout, stderr } = await acct(line);
  expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
  return stdout;
};

beforeAll(async () => {
  await ok("init --demo --country NZ --no-input");
});

test("several invoices are paid at once, each by what is due, or none where nothing is due of one", async () => {
  const before = await ok("payment list -o id");
  const refused = await acct("payment apply INV-0218 INV-0206 --account 090");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    "acct: Nothing is due on INV-0206, which is PAID.\n",
  ]);
  expect((await acct("payment apply INV-0218 INV-0217 --account 090 --amount 5")).code).toBe(2);
  expect(await ok("payment list -o id")).toBe(before);
  const paid = await ok(
    "payment apply INV-0218 INV-0217 --account 090 -o csv --columns Invoice.InvoiceNumber,Amount",
  );
  expect(paid).toBe("Invoice.InvoiceNumber,Amount\nINV-0218,547.40\nINV-0217,294.40\n");
});

test("several items are deleted after one question, and an unknown one leaves all", async () => {
  await ok("item create --code A1 --name Jug");
  await ok("item create --code A2 --name Jar");
  expect((await acct("item delete A1 A9 --yes")).code).toBe(3);
  expect((await acct("item delete A1 A2 --no-input")).stderr).toContain("Delete the items A1, A2?");
  const { code, stderr } = await acct("item delete A1 A2 --yes");
  expect([code, stderr]).toEqual([0, "Deleted A1.\nDeleted A2.\n"]);
});

test.each([
  ["account archive 260 nosuch --yes", "account show 260", "ACTIVE"],
  ["account restore 269 nosuch", "account show 269", "ARCHIVED"],
  ["contact archive 'Kauri Hotel' nosuch --yes", "contact show 'Kauri Hotel'", "ACTIVE"],
])("of several keys one names no record: %s changes none", async (line, shown, status) => {
  expect((await acct(line)).code).toBe(3);
  expect(await ok(shown)).toContain(status);
});

test("a document that is named twice is paid once", async () => {
  const line = "--line 'description=Bowl,unit-amount=100,account=200' --invoice-number TWICE-1";
  await ok(`invoice create --contact 'Kauri Hotel' --due-date +20d --status AUTHORISED ${line}`);
  const paid = await ok("payment apply TWICE-1 TWICE-1 --account 090 -o csv --columns Amount");
  expect(paid).toBe("Amount\n115.00\n");
});

test.each([
  ["invoice void INV-0218 INV-0206 --yes", "invoice show INV-0218 -o json --jq .Status"],
  ["account archive 269 260 269 --yes", "account show 260 -o json --jq .Status"],
  ["account delete 425 200 --yes", "account show 425 -o json --jq .Status"],
])("of several records one is refused, and none is changed: %s", async (line, shown) => {
  const before = await ok(shown);
  const { code, stderr } = await acct(line);
  expect([code, stderr]).toEqual([5, expect.stringContaining("so that nothing is done.")]);
  expect(await ok(shown)).toBe(before);
});

test.each(["spend 5 x --from 090 --to 610 --yes", "receive 5 x --into 090 --to 610 --yes"])(
  "no contact is left by a line that is refused: %s",
  async (line) => {
    const before = await ok("contact list --all -o id");
    expect((await acct(line)).code).toBe(5);
    expect(await ok("contact list --all -o id")).toBe(before);
  },
);

test.each([
  ["--dry-run", "contacts"],
  ["--yes", "contacts"],
  ["--plan FILE", "contacts"],
  ["--dry-run", "items"],
  ["--yes", "items"],
])(
  "an import with %s whose new %s are tried too leaves nothing where a row is refused",
  async (flag, made) => {
    const folder = mkdtempSync(join(tmpdir(), "acct-"));
    const file = join(folder, "new.csv");
    const named = (at: number) => (made === "contacts" ? `New ${at},` : `Kauri Hotel,NEW${at}`);
    const rows = [200, 610].map(
      (account, at) => `${named(at)},N${at},2026-03-01,2026-03-20,x,1,9,${account}`,
    );
    writeFileSync(
      file,
      `Contact.Name,ItemCode,InvoiceNumber,Date,DueDate,Description,Quantity,UnitAmount,AccountCode\n${rows.join("\n")}\n`,
    );
    const before = await ok(`${made.slice(0, -1)} list --all -o id`);
    const line = `import invoices ${file} --create-${made} --rejected ${file}.rejected.csv --status AUTHORISED ${flag.replace("FILE", join(folder, "a.plan"))}`;
    const { code, stderr } = await acct(line);
    expect([code, stderr]).toEqual([5, expect.stringContaining("'610' is not a valid code")]);
    expect(await ok(`${made.slice(0, -1)} list --all -o id`)).toBe(before);
    expect((await acct("invoice show N0")).code).toBe(3);
  },
);

test.each([
  ["SubTotal", 5, "SubTotal of INV-T is 9.00, by its lines; 5.00 in the file is not read.\n"],
  ["Total", 100, "Total of INV-T is 10.35, by its lines; 100.00 in the file is not read.\n"],
  ["Total", 10.35, ""],
])("a file whose %s is %j is told where its lines come to another", async (name, amount, told) => {
  const file = join(mkdtempSync(join(tmpdir(), "acct-")), "invoice.json");
  const LineItems = [{ Description: "Cup", Quantity: 1, UnitAmount: 9, AccountCode: "200" }];
  const head = { Type: "ACCREC", InvoiceNumber: "INV-T", Contact: { Name: "Kauri Hotel" } };
  writeFileSync(file, JSON.stringify({ ...head, LineItems, [name]: amount }));
  const { code, stderr } = await acct(`invoice create --file ${file} --dry-run`);
  expect([code, stderr]).toEqual([0, `${told}Dry run: nothing was changed.\n`]);
});

test("a currency that the book lacks is refused with the command that adds it", async () => {
  const line = "--line 'description=Cup,unit-amount=9,account=200'";
  const { code, stderr } = await acct(
    `invoice create --contact 'Kauri Hotel' --currency-code CHF ${line}`,
  );
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining("currency CHF; acct currency add CHF adds it"),
  ]);
});

test.each([
  ["invoice void '' --yes", "INVOICE"],
  ["invoice update ' ' --reference foo", "INVOICE"],
  ["invoice void INV-0217 '' --yes", "INVOICE"],
  ["payment apply '' --account 090", "INVOICE"],
  ["credit-note show ''", "CREDIT-NOTE"],
  ["bank statement remove '' --yes", "BANK-STATEMENT"],
  ["undo ''", "OPERATION"],
  ["invoice list --status ''", "--status"],
  ["invoice list --invoice-number ''", "--invoice-number"],
  ["invoice list --invoice-number ,", "--invoice-number"],
  ["invoice list --book ''", "--book"],
  ["contact create --name Acme --idempotency-key ''", "--idempotency-key"],
])("a line with an empty text, as of an unset variable, is refused: %s", async (line, name) => {
  expect(await acct(line)).toMatchObject({ code: 2, stderr: `acct: ${name} must not be empty.\n` });
});

test.each(["--total 200..100", "--date 2026-03-01..2026-01-01"])(
  "a list is refused whose range ends before it begins: %s",
  async (range) => {
    const { code, stderr } = await acct(`invoice list ${range}`);
    expect([code, stderr]).toEqual([2, `acct: ${range} ends before it begins.\n`]);
  },
);

test("a field is cleared by an empty text", async () => {
  await ok("branding set --terms '' --color ''");
  await ok("invoice update INV-0218 --reference ''");
  expect(await ok("invoice show INV-0218 -o json --jq .Reference")).toMatch(/^(null|"")?\n$/);
});

test("a record that two keys name is changed once", async () => {
  await ok("account create --code 268 --name 'Hire of kilns' --type REVENUE");
  const { code, stdout } = await acct("account archive 268 'hire of kilns' -o id");
  expect([code, stdout.trim().split("\n")]).toEqual([0, [expect.any(String)]]);
});

test("a command that writes refuses a word that is the code of one record and the name of another", async () => {
  await ok("item create --code L2 --name lamp");
  const refused = await acct("item delete Lamp --yes");
  expect([refused.code, refused.stderr]).toEqual([
    5,
    'acct: "Lamp" fits Table lamp, ceramic base (LAMP), lamp (L2); say which.\n',
  ]);
  expect((await acct("item delete lamp --yes")).stderr).toBe("Deleted L2.\n");
});

test("of several contacts, none is erased where one is needed", async () => {
  const { code, stderr } = await acct("contact erase 'Harbour Lights Cafe' 'Kauri Hotel' --yes");
  expect([code, stderr]).toEqual([5, expect.stringContaining("Kauri Hotel cannot be erased")]);
  expect(await ok("contact show 'Harbour Lights Cafe'")).toContain("Harbour Lights Cafe");
});

test("payments and batches have a history that takes notes", async () => {
  await ok("payment note INV-0206 Late");
  expect(await ok("payment history INV-0206 -o csv")).toContain("Late");
  await ok("batch-payment note BP-1 Sent");
  expect(await ok("batch-payment history BP-1 -o csv")).toContain("Sent");
});

test("several invoices are emailed, and programs are shown what was sent and what was noted", async () => {
  const sent = JSON.parse(await ok("invoice email INV-0218 INV-0217 -o json"));
  expect(sent).toEqual([
    { Status: "OUTBOX", To: ["accounts@moa-coffee-roasters.example"], File: expect.any(String) },
    { Status: "OUTBOX", To: ["accounts@cuba-street-gifts.example"], File: expect.any(String) },
  ]);
  expect(JSON.parse(await ok("invoice note INV-0218 Rang -o json"))).toMatchObject({
    DateUTC: expect.any(String),
    Details: "Rang",
  });
});
