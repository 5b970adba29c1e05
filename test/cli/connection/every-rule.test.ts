/** Each rule that the API alone does not refuse by is one by which a command is refused. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type RuleName, ruleOfRefusal } from "../../../src/resources/refusal-rules.ts";
import { hashPassword } from "../../../src/service/auth/passwords.ts";
import { type Desk, newDesk } from "../real.ts";

const desk = newDesk();
beforeAll(() => desk.acct("init --name Heron --country NZ --no-input"));

/** A command that each rule refuses. */
const refusedBy = {
  File: async ({ home, acct }) => {
    const heading = "ContactName,InvoiceNumber,InvoiceDate,DueDate,Quantity,UnitAmount,AccountCode";
    const row = "Kowhai,I-1,nonsense,2026-03-20,1,10,200";
    writeFileSync(join(home, "invoices.csv"), `${heading}\n${row}\n`);
    return acct(`invoice import ${home}/invoices.csv --rejected ${home}/rejected.csv --no-input`);
  },
  BankStatement: async ({ home, acct }) => {
    await acct("account create --code 090 --name Bank --type BANK --bank-account-number 12-3141-0");
    writeFileSync(join(home, "statement.csv"), "Date,Amount,Payee\n2026-03-02,5.00,Kowhai\n");
    const balances = "--opening-balance 0 --closing-balance 999";
    return acct(`bank import ${home}/statement.csv --account 090 ${balances} --yes --no-input`);
  },
  ReadOnly: ({ acct }) => acct("contact create --name Kowhai", { env: { ACCT_READ_ONLY: "1" } }),
  Book: ({ home, acct }) => {
    writeFileSync(join(home, "letter.acct"), "Dear Ana,");
    return acct(`book verify --book ${home}/letter.acct`);
  },
  Backup: ({ home, acct }) => {
    mkdirSync(join(home, "backups"));
    writeFileSync(join(home, "backups", "acct-backups.json"), "[]");
    return acct(`book backup ${home}/backups --keep 2d`);
  },
  Signature: async ({ home, acct }) => {
    const { stdout } = await desk.acct("book seal");
    writeFileSync(join(home, "book.seal"), stdout);
    writeFileSync(join(home, "signers"), "");
    return acct(`book verify --since ${home}/book.seal --allowed-signers ${home}/signers`);
  },
  SignIn: ({ home, acct }) => {
    const office = { baseUrl: "https://books.example", signIn: "one" };
    mkdirSync(join(home, "config", "sign-ins"), { recursive: true });
    writeFileSync(join(home, "config", "config.json"), JSON.stringify({ profiles: { office } }));
    writeFileSync(join(home, "config", "sign-ins", "one.json"), "{");
    const env = { ACCT_CONFIG_DIR: join(home, "config"), ACCT_BOOK: "" };
    return acct("invoice list --profile office", { env });
  },
  Webhook: ({ acct }) => acct("webhook add ftp://heron.example --events invoice"),
} as const satisfies Partial<Record<RuleName, (desk: Desk) => ReturnType<Desk["acct"]>>>;

test.each(Object.entries(refusedBy))(
  "a command that breaks the rule %s is refused with the name of that rule",
  async (rule, refused) => {
    const { code, stderr } = await refused({
      ...desk,
      acct: (line, options) => desk.acct(`${line} -o json`, options),
    });
    expect(code, stderr).not.toBe(0);
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    expect(error.details[0]?.rule ?? ruleOfRefusal(error.code), stderr).toBe(rule);
  },
);

test("a password that is too short is refused with the rule People", async () => {
  await expect(hashPassword("short")).rejects.toMatchObject({ rule: "People" });
});
