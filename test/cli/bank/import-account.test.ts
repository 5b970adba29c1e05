/** The account of a bank file that does not say it, asked on a terminal. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importFiles } from "../../../src/cli/bank/import-files.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import type { ChoiceQuestion, Questions } from "../../../src/cli/framework/questions.ts";
import { createClient } from "../../../src/client/client.ts";
import { world } from "../../service/fixture.ts";

/** Takes a file in, on a terminal where each question is answered by the beginning of a name. */
async function imported(name: string, text: string, answers: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "acct-account-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const given = await world();
  for (const [Code, BankAccountNumber] of [
    ["096", "4835111122221234"],
    ["097", "4835333344441234"],
    ["098", "FR7630006000011234567890189"],
  ]) {
    const own = { Code, Name: `Card ${Code}`, Type: "BANK", BankAccountNumber };
    await given.ok("PUT", "/Accounts", own);
  }
  const client = createClient(given.book.transport);
  const flags = { dryRun: false, input: true };
  const out = { say: () => undefined };
  const ctx = { client: async () => client, flags, out, env: {}, today: async () => "2026-12-01" };
  const asked: (readonly [message: string, preset: unknown])[] = [];
  const left = [...answers];
  const choose = async <T>({ message, choices, initial }: ChoiceQuestion<T>): Promise<T> => {
    asked.push([message.replace(folder, ""), initial]);
    const wanted = left.shift() ?? "no question was expected";
    const found = choices.find((each) => each.name.includes(wanted));
    if (found === undefined) throw new Error(`${wanted} is none of the choices`);
    return found.value;
  };
  const path = join(folder, name);
  writeFileSync(path, text);
  const ask = { choose } as unknown as Questions;
  const { statements } = await importFiles(ctx as unknown as Context, [path], {}, ask);
  return { asked, codes: statements.map(({ BankAccount }) => BankAccount.Code) };
}

const ofx = (account: string) =>
  `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM>${account}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260201<TRNAMT>-5.00<FITID>1<NAME>Cafe</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

test("on a terminal, a bank file that names no account is taken for the one that is chosen", async () => {
  const { asked, codes } = await imported("m.qif", "!Type:Bank\nD15/02/2026\nT-5.00\nPCafe\n^\n", [
    "097",
  ]);
  expect(asked).toEqual([
    [
      "/m.qif: It does not say of which bank account it is. Of which bank account is it?",
      undefined,
    ],
  ]);
  expect(codes).toEqual(["097"]);
});

test("on a terminal, a bank CSV without an account asks for it before its columns are shown", async () => {
  const text = "Date,Details,Amount\n15/02/2026,Cafe,-5.00\n16/02/2026,Yard,7.50\n";
  const { asked, codes } = await imported("m.csv", text, ["096", "Take it in", "No"]);
  expect(asked[0]?.[0]).toContain("Of which bank account is it?");
  expect(codes).toEqual(["096"]);
});

test("on a terminal, the first of two accounts that a masked number fits is preset", async () => {
  const { asked, codes } = await imported("m.ofx", ofx("<BANKID>1<ACCTID>4835********1234"), [
    "097",
  ]);
  expect(asked).toEqual([
    [expect.stringMatching(/may be 096 .* or 097 .*\. Of which bank account is it\?/), "096"],
  ]);
  expect(codes).toEqual(["097"]);
});

test.each([
  ["whose number is that of one account", "<BANKID>1<ACCTID>4835333344441234", "097"],
  [
    "with bank, branch and number of an IBAN of France",
    "<BANKID>30006<BRANCHID>00001<ACCTID>12345678901",
    "098",
  ],
])("a bank file %s asks nothing", async (_, account, code) => {
  const { asked, codes } = await imported("m.ofx", ofx(account), []);
  expect([asked, codes]).toEqual([[], [code]]);
});
