/** Lines that are run again: under an idempotency key nothing is done twice. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { home, acct } = newDesk();

async function done(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout;
}

const one = "--line description=Mug,unit-amount=100,account=200,tax=NONE";

/** A new approved document, by its id. */
async function made(noun: string, more = ""): Promise<string> {
  return (
    await done(
      `${noun} create --contact Acme --status AUTHORISED --allow-duplicate ${one} ${more} -o id`,
    )
  ).trim();
}

const credit = () => made("credit-note", "--type ACCRECCREDIT");

let count = 0;
const key = () => `run-${++count}`;

beforeAll(async () => {
  await done("init --name Kiln --country NZ");
  for (const code of ["090", "091"]) {
    const numbered = `--bank-account-number 12-${code}`;
    await done(`account create --code ${code} --name Bank${code} --type BANK ${numbered}`);
  }
  await done("contact create --name Acme");
  writeFileSync(join(home, "note.txt"), "noted");
});

describe("a command repeated under its idempotency key", () => {
  test.each<[what: string, line: () => Promise<string>, list: string]>([
    ["an invoice", async () => `invoice create --contact Acme ${one}`, "invoice list"],
    [
      "a payment of what is due",
      async () => `payment apply ${await made("invoice")} --account 090`,
      "payment list",
    ],
    [
      "a batch payment of what is due",
      async () => {
        const [first, second] = [await made("invoice"), await made("invoice")];
        return `batch-payment create --account 090 --pay ${first}=40 --pay ${second}`;
      },
      "payment list",
    ],
    [
      "a refund of what is left",
      async () => `credit-note refund ${await credit()} --account 090`,
      "payment list",
    ],
    [
      "an allocation of what is left",
      async () => `credit-note allocate ${await credit()} --invoice ${await made("invoice")}`,
      "credit-note list",
    ],
    [
      "a transfer",
      async () => "bank-transfer create --from 090 --to 091 --amount 250",
      "bank-transfer list",
    ],
    [
      "a manual journal",
      async () =>
        "manual-journal create --narration Wages --line account=477,debit=90 --line account=814,credit=90",
      "manual-journal list",
    ],
    [
      "a category and its options, in three requests",
      async () => "tracking create --name Region --option North --option South",
      "tracking list",
    ],
    [
      "several documents voided, in a request each",
      async () => `invoice void ${await made("invoice")} ${await made("invoice")} --yes`,
      "invoice list --any-status",
    ],
    [
      "a file",
      async () => `attachment add ${join(home, "note.txt")} --on invoice:${await made("invoice")}`,
      "invoice list",
    ],
  ])(
    "%s repeated under its idempotency key changes nothing more and prints the same answer",
    async (_what, line, list) => {
      const words = `${await line()} -o json --idempotency-key ${key()}`;
      const first = await done(words);
      const kept = await done(`${list} -o json --all`);
      expect(await done(words)).toBe(first);
      expect(await done(`${list} -o json --all`)).toBe(kept);
    },
  );

  test("a note repeated under its idempotency key is added to the history once", async () => {
    const id = await made("invoice");
    const line = `invoice note ${id} 'Rang, will call back' --idempotency-key ${key()}`;
    await done(line);
    await done(line);
    const { length } = (await done(`invoice history ${id} -o csv`)).split("Rang, will call back");
    expect(length).toBe(2);
  });

  test("a dry run under a used idempotency key prints the first result, and under a new key its own", async () => {
    const line = `invoice create --contact Acme ${one} --reference Dry -o id --idempotency-key ${key()}`;
    const trial = await done(`${line} --dry-run`);
    const first = await done(line);
    expect(trial).not.toBe(first);
    expect(await done(`${line} --dry-run`)).toBe(first);
  });

  test("a command repeated under its idempotency key with other arguments is refused", async () => {
    const own = key();
    await done(`contact create --name Heron --idempotency-key ${own}`);
    const { code, stdout, stderr } = await acct(
      `contact create --name Egret --idempotency-key ${own}`,
    );
    expect([code, stdout, stderr]).toEqual([
      5,
      "",
      "acct: This Idempotency-Key was used with a different request. Run the line as it was first " +
        "run, or give another --idempotency-key.\n",
    ]);
    expect((await acct("contact show Egret")).code).toBe(3);
  });
});
