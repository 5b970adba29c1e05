import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const bill = "--invoice-number B-1 --line description=Clay,unit-amount=100,account=429";

beforeAll(async () => {
  await acct("init --name Kiln --country NZ");
  await acct("contact create --name Clayworks");
  await acct("account create --code 090 --name Bank --type BANK --bank-account-number 12-3456");
});

/** What a command says, without the names of fields and command lines that were typed. */
async function said(line: string, code = 0): Promise<string> {
  const done = await acct(line);
  expect({ line, code: done.code, stderr: code === done.code ? "" : done.stderr }).toEqual({
    line,
    code,
    stderr: "",
  });
  return `${done.stdout}${done.stderr}`.replace(/InvoiceID|InvoiceNumber|--invoice-number/g, "");
}

test("a bill is called a bill, and not an invoice, in plans, answers, histories, the log, refusals and undo", async () => {
  const [make, approve] = [join(home, "make.plan"), join(home, "approve.plan")];
  const texts: Record<string, string> = {
    planned: await said(`bill create --contact Clayworks ${bill} --plan ${make}`),
    shown: await said(`plan show ${make}`),
    made: await said(`apply ${make} --yes`),
    tried: await said("bill approve B-1 --dry-run"),
    approving: await said(`bill approve B-1 --plan ${approve}`),
    approvingShown: await said(`plan show ${approve}`),
    approved: await said(`apply ${approve} --yes`),
    noted: await said("bill note B-1 'As agreed'"),
    paid: await said("payment apply B-1 --account 090 -o id"),
    missing: await said("bill show B-9", 3),
    twice: await said(`bill create --contact Clayworks ${bill}`, 5),
    locked: await said("undo 4 --yes", 5),
    unpaid: await said("undo --yes"),
    history: await said("bill history B-1"),
    void: await said("bill void B-1 --yes"),
    undone: await said("undo --yes"),
    log: await said("log"),
  };
  for (const [what, text] of Object.entries(texts)) {
    expect(`${what}: ${text}`).not.toMatch(/invoice/i);
    expect(`${what}: ${text}`).not.toMatch(/(?<![\w-])1 \w+s\b/);
  }
  expect(texts.made).toBe("+ bill B-1\n");
  expect(texts.approved).toMatch(/^~ bill B-1$/m);
  expect(texts.unpaid).toMatch(/^~ bill B-1$/m);
});

test("an import of one record is reported in the singular", async () => {
  const file = join(home, "contacts.csv");
  writeFileSync(file, "Name\nMoa Coffee\n");
  const { code, stderr } = await acct(`import contacts ${file} --yes`);
  expect(code).toBe(0);
  expect(stderr).toContain("1 of 1 contact, 100%");
  expect(stderr).not.toMatch(/(?<![\w-])1 \w+s\b/);
});
