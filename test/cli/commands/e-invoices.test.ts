/** E-invoices at the terminal: what is written and where, what is taken in, and what is not. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { acct as asked } from "../line.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();
const at = (name: string) => join(home, name);

const done = async (line: string) => {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return { stdout: stdout.trim(), stderr };
};

beforeAll(async () => {
  await done("init --name Heron --country NZ --no-input");
  await done("organisation update --tax-number 123-456-789 --registration-number 9429041234563");
  await done(
    "contact create --name 'Moa Coffee' --postal-address 'street=1 Quay St,city=Wellington,postcode=6011,country=NZ'",
  );
  await done("contact update 'Moa Coffee' --company-number 9429000106078");
  await done(
    "item create --code ROAST --name Roasting --unit-price 40 --sales-account 200 --unit-code HUR",
  );
  await done(
    "invoice create --contact 'Moa Coffee' --date 2026-03-01 --due-date +20d --reference P-1 --status AUTHORISED --line 'item=ROAST,quantity=3'",
  );
});

test("an e-invoice is saved under the number of its document, and overwrites no file without confirmation", async () => {
  const file = at("INV-0001.xml");
  expect(await done(`invoice e-invoice INV-0001 --format ubl --output-file ${home}`)).toMatchObject(
    { stdout: file },
  );
  const xml = readFileSync(file, "utf8");
  expect(xml).toContain('<cbc:InvoicedQuantity unitCode="HUR">3</cbc:InvoicedQuantity>');
  const again = await acct(
    `invoice e-invoice INV-0001 --format cii --output-file ${file} --no-input`,
  );
  expect([again.code, readFileSync(file, "utf8")]).toEqual([2, xml]);
  const over = await done(`invoice e-invoice INV-0001 --format cii --output-file ${file} --force`);
  expect(over.stdout).toBe(file);
  expect(readFileSync(file, "utf8")).toContain("CrossIndustryInvoice");
  const piped = await done("invoice e-invoice INV-0001 --format pint-anz --output-file -");
  expect(piped.stdout).toContain("urn:peppol:pint:billing-1@aunz-1");
  const pdf = await done(`invoice e-invoice INV-0001 --format facturx --output-file ${home}`);
  expect(readFileSync(pdf.stdout).subarray(0, 5).toString()).toBe("%PDF-");
});

test("an e-invoice with missing data is refused with the commands that set it, and nothing is written", async () => {
  await done("contact create --name Tui");
  await done(
    "invoice create --contact Tui --date 2026-03-01 --due-date +20d --status AUTHORISED --line 'item=ROAST,quantity=1'",
  );
  const { code, stdout, stderr } = await acct(
    `invoice e-invoice INV-0002 --format peppol --output-file ${home}`,
  );
  expect([code, stdout]).toEqual([5, ""]);
  for (const said of [
    "BT-55, the country of the buyer: acct contact update Tui --postal-address",
    "BT-49, the electronic address of the buyer, which is no email address here: acct contact update Tui --electronic-address SCHEME:IDENTIFIER",
    "BT-10, the buyer's reference; or BT-13",
  ]) {
    expect(stderr).toContain(said);
  }
  expect(existsSync(at("INV-0002.xml"))).toBe(false);
});

test("the format of an e-invoice is required where none is usual, and an unknown one is refused with the known ones", async () => {
  const none = await acct("invoice e-invoice INV-0001");
  expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("ubl, cii, facturx")]);
  const odd = await acct("invoice e-invoice INV-0001 --format xrechnug");
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("xrechnung")]);
});

describe("an e-invoice of a supplier", () => {
  test("a supplier's e-invoice is imported as a bill, after a dry run, and refused the second time", async () => {
    const file = at("supplier.xml");
    await done(`invoice e-invoice INV-0001 --format ubl --output-file ${file}`);
    const other = `--book ${at("moa.acct")}`;
    await done(`init --name Moa --country NZ --no-input ${other}`);
    const unknown = await acct(`bill import-e-invoice ${file} ${other}`);
    expect([unknown.code, unknown.stderr]).toEqual([
      5,
      expect.stringContaining("--create-contact"),
    ]);
    const tried = await acct(
      `bill import-e-invoice ${file} ${other} --create-contact --account 429 --dry-run`,
    );
    expect([tried.code, tried.stderr]).toEqual([
      0,
      expect.stringContaining("The draft bill INV-0001 would be made."),
    ]);
    expect((await done(`contact list ${other} -o id`)).stdout).toBe("");
    const bill = await done(
      `bill import-e-invoice ${file} ${other} --create-contact --account 429 --columns Status,Total`,
    );
    expect(bill.stdout).toMatch(/Status +DRAFT\nTotal +138\.00/);
    const again = await acct(`bill import-e-invoice ${file} ${other}`);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("is there already")]);
    const files = await done(`attachment list --on bill:INV-0001 ${other} --columns FileName`);
    expect(files.stdout).toContain("supplier.xml");
  });

  test("a file that is no e-invoice is refused with the reason", async () => {
    const file = at("none.xml");
    writeFileSync(file, "<a/>");
    const { code, stderr } = await acct(`bill import-e-invoice ${file}`);
    expect([code, stderr]).toEqual([
      5,
      "acct: The file is no e-invoice in UBL or CII: its root is a; ask the supplier for XRechnung, Factur-X or Peppol BIS.\n",
    ]);
    expect((await acct(`bill import-e-invoice ${at("absent.xml")}`)).code).toBe(2);
  });
});

describe("a service that has no e-invoices", () => {
  const remote = { remote: true };
  const answers = { "GET /openapi.json": '{"paths":{},"components":{"schemas":{"Contact":{}}}}' };

  test("a service without e-invoices is not sent a request for one", async () => {
    const { code, stderr, lines } = await asked(
      ["invoice", "e-invoice", "INV-1", "--format", "ubl"],
      answers,
      remote,
    );
    expect([code, stderr]).toEqual([
      5,
      "acct: An e-invoice is an extension of acct's own service, which this service does not have.\n",
    ]);
    expect(lines).toEqual(["GET /openapi.json"]);
  });

  test("fields for e-invoices are not sent to a service without e-invoices, which would drop them", async () => {
    const line = [
      "contact",
      "create",
      "--name",
      "Acme",
      "--electronic-address",
      "0151:51824753556",
    ];
    const { code, stderr, lines } = await asked(line, answers, remote);
    expect([code, stderr]).toEqual([
      5,
      "acct: ElectronicAddress is an extension of acct's own service, which this service does not have.\n",
    ]);
    expect(lines).not.toContain("PUT /Contacts");
  });
});
