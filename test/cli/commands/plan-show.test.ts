/** What is shown before it is done: plans with all that is in them, and the question of a void. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { contentDigest } from "../../../src/wire/plan-digest.ts";
import { noon } from "../line.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-plan-show-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
let home = "";
const at = (name: string) => join(home, name);

async function acct(line: string, book = "book.acct") {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run([...line.split(" "), "--book", at(book)], {
    env: { HOME: home },
    stdout,
    stderr,
    clock: () => noon,
    open,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

beforeEach(async () => {
  count += 1;
  home = mkdtempSync(join(folder, `${count}-`));
  await acct("init --name Quay --country NZ");
});

test("plan show prints the bank account of a planned contact, and checks the plan's signature", async () => {
  const bank = "--bank-account-details 12-3456-7890123-00";
  await acct(`contact create --name Rimu ${bank} --plan ${at("a.plan")}`);
  const { stdout } = await acct(`plan show ${at("a.plan")}`);
  expect(stdout).toContain("It says it was made by: acct contact create --name Rimu");
  expect(stdout).toContain("Signature: checked, the plan is as it was made.");
  expect(stdout).toContain("+ contact Rimu\n  ! BankAccountDetails: 12-3456-7890123-00\n");
});

test("a plan that the book keeps is shown with its state, and its approval is refused to --yes", async () => {
  await acct(`contact create --name Rimu --plan ${at("a.plan")}`);
  await acct(`plan submit ${at("a.plan")}`);
  const { stdout } = await acct("plan show 1");
  expect(stdout).toContain("Plan 1 is waiting, made by acct.");
  const { code, stderr } = await acct("plan approve 1 --yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("neither --yes nor a pipe")]);
  expect((await acct("plan list")).stdout).toContain("WAITING");
});

test("plan show prints every line of a planned draft, and only the changed line of a planned change", async () => {
  await acct("contact create --name Rimu");
  const line = (what: string) => `--line description=${what},unit-amount=7,account=200`;
  const lines = `${line("Tea")} ${line("Cake")}`;
  await acct(`invoice create --contact Rimu ${lines} --plan ${at("a.plan")}`);
  const made = (await acct(`plan show ${at("a.plan")}`)).stdout;
  expect(made).toContain("LineItems 1.Description: Tea\n");
  expect(made).toContain("LineItems 2.Description: Cake\n");
  expect(made).toContain("LineItems 2.AccountCode: 200\n");
  await acct(`apply ${at("a.plan")} --yes`);
  await acct(`invoice update INV-0001 ${line("Tea")} ${line("Buns")} --plan ${at("b.plan")}`);
  const changed = (await acct(`plan show ${at("b.plan")}`)).stdout;
  expect(changed).toContain("LineItems 2.Description: Cake → Buns\n");
  await acct(`invoice delete INV-0001 --yes --plan ${at("c.plan")}`);
  const gone = (await acct(`plan show ${at("c.plan")}`)).stdout;
  expect(gone).toContain("Status: DRAFT → DELETED");
});

test("plan show prints all records of a long plan, and with --summary a line a kind", async () => {
  const names = Array.from({ length: 41 }, (_, each) => `Party-${each + 1}`);
  writeFileSync(at("many.csv"), `Name\n${names.join("\n")}\n`);
  await acct(`contact import ${at("many.csv")} --yes --plan ${at("a.plan")}`);
  const { stdout } = await acct(`plan show ${at("a.plan")}`);
  expect(names.filter((name) => !stdout.includes(`+ contact ${name}\n`))).toEqual([]);
  const summary = (await acct(`plan show ${at("a.plan")} --summary`)).stdout;
  expect(summary).toContain("it creates 41 contacts.");
  expect(summary).toContain("+ 41 contacts Party-1 to Party-41");
  expect(summary).not.toContain("Party-7");
});

test("a plan changed together with its digest is refused, since its signature does not match", async () => {
  await acct(`contact create --name Rimu --plan ${at("a.plan")}`);
  const plan = JSON.parse(readFileSync(at("a.plan"), "utf8"));
  plan.Records[0].After = plan.Records[0].After.replace("Rimu", "Rata");
  plan.ContentDigest = contentDigest(plan);
  writeFileSync(at("b.plan"), JSON.stringify(plan));
  const own = await acct(`plan show ${at("b.plan")}`);
  expect([own.code, own.stderr]).toEqual([
    5,
    expect.stringContaining("not as this server made it"),
  ]);
  const nowhere = await acct(`plan show ${at("b.plan")}`, "none.acct");
  expect(nowhere.code).toBe(0);
  expect(nowhere.stdout).toContain("Signature: not checked: There is no book at hand");
  expect(existsSync(at("none.acct"))).toBe(false);
  await acct("init --name Other --country NZ", "other.acct");
  const other = await acct(`plan show ${at("b.plan")}`, "other.acct");
  expect(other.stdout).toContain("Signature: not checked: The plan is of other books than these.");
});

test("the key that signs plans is in the data folder, readable by its owner only, and in no backup", async () => {
  await acct(`contact create --name Rimu --plan ${at("a.plan")}`);
  const file = at(".local/share/acct/plans.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, "utf8").trim();
  await acct(`book backup ${at("copy.acct")}`);
  for (const name of ["book.acct", "copy.acct", "a.plan"]) {
    expect([name, readFileSync(at(name)).includes(key)]).toEqual([name, false]);
  }
});

test("voiding an invoice asks for a confirmation that shows its amount, its contact and the consequences", async () => {
  await acct("contact create --name Rimu");
  const line = "--line description=Tea,unit-amount=7,account=200";
  await acct(`invoice create --contact Rimu ${line} --status AUTHORISED`);
  const { code, stderr } = await acct("invoice void INV-0001 --no-input");
  expect(code).toBe(2);
  expect(stderr).toContain(
    "Void INV-0001 of Rimu, 8.05 NZD (Awaiting payment)? What it posted is posted once more with every sign turned, on the same date: Income \u22127.00, tax \u22121.05 in March 2026.",
  );
  await acct(`credit-note create --type ACCRECCREDIT --contact Rimu ${line} --status AUTHORISED`);
  const note = await acct("credit-note void CN-0001 --no-input");
  expect(note.stderr).toContain("on the same date: Income +7.00, tax +1.05 in March 2026.");
});
