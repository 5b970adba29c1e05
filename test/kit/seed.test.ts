/** Seeds: what a book begins with, in a file that the service tries. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ajv from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { afterAll, describe, expect, it } from "vitest";
import { seedSchema } from "../../src/kit/seed/seed-schema.ts";
import { startAcct } from "../../src/kit/start.ts";
import { openBook } from "../../src/service/books/book.ts";
import { acct as commandLine } from "../cli/line.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-seeds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string, name = "shop.yaml"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const shop = `
organisation: { name: Rimu Stores Ltd, country: NZ }
accounts:
  - { as: till, Code: "091", Name: Till, Type: BANK, BankAccountNumber: 01-0102-0123456-00 }
contacts:
  - { as: ann, Name: Ann, EmailAddress: ann@shop.example }
  - Name: Ben
items:
  - Code: MUG
    Name: Mug
    SalesDetails: { UnitPrice: 20, AccountCode: "200" }
documents:
  - invoice:
      as: first
      Contact: $ann
      Date: -30d
      DueDate: -10d
      Status: AUTHORISED
      LineItems:
        - { ItemCode: MUG, Description: Mugs, Quantity: 5, UnitAmount: 20, AccountCode: "200" }
  - payment: { Invoice: $first, Account: $till, Date: -5d, Amount: 115 }
  - bill:
      Contact: { Name: Ben }
      InvoiceNumber: B-7
      Date: -3d
      DueDate: +10d
      Status: AUTHORISED
      LineItems: [{ Description: Clay, Quantity: 1, UnitAmount: 40, AccountCode: "310" }]
  - bankTransaction:
      Type: SPEND
      Contact: $ann
      BankAccount: $till
      Date: -1d
      LineItems: [{ Description: Stamps, Quantity: 1, UnitAmount: 11.5, AccountCode: "425" }]
people:
  - { email: pat@shop.example, name: Pat, role: read-only, password: correct horse battery }
`;

describe("a seed", () => {
  it("gives a server for tests and a book of acct init the same books", async () => {
    const path = file(shop);
    await using acct = await startAcct({ seed: path, clock: "2026-03-31", ids: 1 });
    expect(await acct.ledger.verify()).toEqual([]);
    expect(await acct.ledger.balance("091")).toBe("103.50");
    expect(await acct.ledger.balance("800")).toBe("-46.00");
    const authorization = `Bearer ${await acct.token()}`;
    // biome-ignore lint/suspicious/noExplicitAny: an app reads answers as they come.
    const read = async (what: string): Promise<any> => {
      const headers = { authorization, accept: "application/json" };
      return (await fetch(`${acct.url}${what}`, { headers })).json();
    };
    const { Invoices } = await read("/Invoices?order=Date");
    expect(Invoices.map((each: { DateString: string }) => each.DateString.slice(0, 10))).toEqual([
      "2026-03-01",
      "2026-03-28",
    ]);
    expect(Invoices[0]).toMatchObject({ Status: "PAID", Contact: { Name: "Ann" } });
    expect((await read("/Users")).Users).toContainEqual(
      expect.objectContaining({ EmailAddress: "pat@shop.example" }),
    );
    await acct.restore();
    expect(await acct.ledger.balance("091")).toBe("103.50");

    const book = join(folder, "made.acct");
    const dry = await commandLine(["init", "--seed", path, "--book", book, "--dry-run"]);
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("2 contacts")]);
    expect(existsSync(book)).toBe(false);
    expect((await commandLine(["init", "--seed", path, "--book", book])).code).toBe(0);
    const made = await openBook(book);
    const balances = await made.transport({
      method: "GET",
      path: "/Reports/TrialBalance",
      query: [],
      headers: { accept: "application/json" },
    });
    await made.close();
    expect(String(balances.body)).toContain('"103.50"');
  });

  it("leaves a person the password that another organisation gave them", async () => {
    const email = "pat@shop.example";
    await using acct = await startAcct({ seed: file(shop) });
    const path = file(JSON.stringify({ people: [{ email, role: "standard" }] }), "second.json");
    const { tenant } = await acct.organisation("Second", { seed: path });
    expect(tenant).not.toBe(acct.tenant);
    expect(await acct.signIn({ email })).toMatchObject({ tokens: { token_type: "Bearer" } });
  });

  it("is read as JSON too", async () => {
    const path = file(JSON.stringify({ contacts: [{ Name: "Ann" }] }), "shop.json");
    await using acct = await startAcct({ seed: path });
    expect(await acct.ledger.verify()).toEqual([]);
  });

  it.each([
    ["contact:\n  - Name: Ann", "line 1: there is no contact; did you mean contacts?"],
    ["contacts:\n  - Name: Ann\n  - Nme: Ben", "line 3: there is no Nme; did you mean Name?"],
    [
      "documents:\n  - invoce: { Date: -1d }",
      "line 2: there is no kind invoce. Did you mean invoice?",
    ],
    [
      "documents:\n\n  - payment: { Invoice: $none, Amount: 1 }",
      "line 3: no earlier record is called $none.",
    ],
    ["contacts:\n  - Name: Ann\n  - Name: Ann", "line 3: contact 2: "],
    ["contacts: Ann", "line 1: contacts is a list."],
    ["contacts:\n  - &a { Name: Ann }\n  - *a", "line 3: aliases are not read"],
    ["contacts:\n  - Name: [", "line 2: unexpected end of the stream"],
    ["- Name: Ann", "line 1: a seed is one mapping of keys"],
    [
      shop.replace('AccountCode: "310"', 'AccountCode: "999"'),
      "line 22: bill 1: Account code '999' is not a valid code for this document.",
    ],
  ])("is refused with file, line and record, and leaves nothing: %j", async (text, sentence) => {
    const path = file(text, "bad.yaml");
    const before = readdirSync(tmpdir()).filter((each) =>
      each.startsWith(`acct-kit-${process.pid}-`),
    );
    await expect(startAcct({ seed: path })).rejects.toThrow(`${path}, ${sentence}`);
    expect(
      readdirSync(tmpdir()).filter((each) => each.startsWith(`acct-kit-${process.pid}-`)),
    ).toEqual(before);
    const book = join(folder, "none.acct");
    const words = ["init", "--seed", path, "--name", "N", "--country", "NZ", "--book", book];
    const { code, stderr } = await commandLine(words);
    expect([code, stderr]).toEqual([5, expect.stringContaining(sentence)]);
    expect(existsSync(book)).toBe(false);
  });
});

describe("the schema of seeds", () => {
  const valid = new ajv.default({ strict: false, validateFormats: false }).compile(seedSchema());

  it("takes what a seed may have, and refuses what is misspelt", () => {
    expect([valid(load(shop)), valid.errors]).toEqual([true, null]);
    for (const wrong of [
      "contact: []",
      "contacts: [{ Nme: Ann }]",
      "documents: [{ invoce: {} }]",
    ]) {
      expect(valid(load(wrong))).toBe(false);
    }
  });
});
