/** Two people on a served book: figures explained over its port, and an undo with four eyes. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Office, openOffice, person, signInAt } from "../office.ts";
import { Machine } from "../signed-in.ts";

const ben = { email: "ben@heron.example", password: "another horse and battery" };
let office: Office;
const [anas, bens] = [new Machine(), new Machine()];

beforeAll(async () => {
  office = await openOffice();
  const words = ["user", "add", ben.email, "--role", "adviser", "--name", "Ben Moa"];
  await office.ok([...words, "--password-stdin"], `${ben.password}\n`);
  await signInAt(office, anas);
  await signInAt(office, bens, ben);
  await ok(anas, "account create --code 090 --name Bank --type BANK --bank-account-number 12-345");
  await ok(anas, "payment apply INV-0001 --account 090 --amount 100");
});
afterAll(async () => {
  await office.close();
  anas.clear();
  bens.clear();
});

const wordsOf = (line: string) =>
  line.match(/(?:[^\s']|'[^']*')+/g)?.map((word) => word.replaceAll("'", "")) ?? [];

async function ok(machine: Machine, line: string): Promise<string> {
  const ran = await machine.run(wordsOf(line));
  expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.any(String)]);
  return ran.stdout;
}

const refused = async (machine: Machine, line: string) => {
  const { code, stderr } = await machine.run(wordsOf(line));
  return [code, stderr];
};

test.each([
  "explain pl 200 --period this-fy",
  "explain balance 610",
  "explain balance-sheet 'Net Assets' --all",
  "explain INV-0001 tax",
  "explain INV-0001 due -o json",
  "explain contact 'Moa Coffee' --all -o csv",
  "explain aged-receivables 'Moa Coffee'",
  "explain gst 5 --period this-month",
])("acct %s prints the same through the service as on the machine with the book", async (line) => {
  const told = await ok(anas, line);
  expect(told).toBe(await office.ok(wordsOf(line)));
  expect(told).toMatch(/Rule|Sum/);
});

test("a refusal of the service is explained on the machine of the user who was refused, and not on others", async () => {
  const [code] = await refused(anas, "payment apply INV-0001 --account 090 --amount 500");
  expect(code).toBe(5);
  expect(await ok(anas, "explain refusal")).toContain("No more is paid or credited than is open");
  expect((await refused(bens, "explain refusal"))[0]).toBe(3);
});

test("acct explain of an unknown figure through the service is refused with its name", async () => {
  expect(await refused(anas, "explain pl 999 --period this-fy")).toEqual([
    3,
    expect.stringContaining("There is no figure 999 in the Profit and Loss"),
  ]);
});

test("an undo that needs the approval of another user is refused before the approval, and carried out once", async () => {
  const file = join(anas.home, "undo.plan");
  expect(await refused(anas, `undo --plan ${file} --approve-by ${person.email}`)).toEqual([
    5,
    expect.stringContaining("another person than the one who makes it"),
  ]);
  await ok(anas, `undo --plan ${file} --approve-by ${ben.email}`);
  expect(await refused(anas, `apply ${file} --yes`)).toEqual([
    5,
    expect.stringContaining(`The plan waits for the approval of ${ben.email}.`),
  ]);
  expect(await refused(anas, `plan approve ${file} --yes`)).toEqual([
    5,
    expect.stringContaining(`is to be approved by ${ben.email}, and you are ${person.email}.`),
  ]);
  expect(await ok(bens, `plan show ${file}`)).toContain("takes back operation");
  await ok(bens, `plan approve ${file} --yes`);
  await ok(anas, `apply ${file} --yes`);
  expect(await ok(anas, "invoice show INV-0001 -o json")).toMatch(/"AmountPaid": ?0/);
  const [, again] = await refused(anas, `apply ${file} --yes`);
  expect(again).toContain("The plan was applied already");
  const numbers = await ok(anas, "log --columns Summary --limit 2 -o csv");
  expect(numbers).toMatch(/undid \d+: reversed payment P-1 of/);
  expect(await office.ok(["book", "verify"])).toContain("Everything adds up.");
});
