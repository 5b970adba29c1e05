/** Lines in doubt as a person is asked about them. */
import { expect, test } from "vitest";
import type { Doubt } from "../../../src/bank-import/settle-doubts.ts";
import { askDoubts, doubtSentence } from "../../../src/cli/bank/doubts.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import type { Questions } from "../../../src/cli/framework/questions.ts";
import type { Client } from "../../../src/client/client.ts";
import type { BankStatementInput } from "../../../src/resources/bank-statement.ts";
import type { Cents } from "../../../src/resources/decimal.ts";

const doubt = (row: number, text: string, other: string): Doubt => ({
  statementId: "S1",
  row,
  line: { Key: `1c:${row}`, Date: "2026-03-17", Amount: -5750 as Cents, Description: text },
  other: { Key: `1c:${row}`, BankStatementLineID: other, Payee: "YARD NELSON" },
});

/** Settles doubts by answers that begin so. */
async function settled(doubts: readonly Doubt[], answers: readonly string[]) {
  const said: string[] = [];
  const sent: BankStatementInput[] = [];
  const left = [...answers];
  const ctx = { out: { say: (line: string) => said.push(line) } } as unknown as Context;
  const ask = {
    choose: async ({ choices }: { choices: readonly { name: string; value: unknown }[] }) => {
      const wanted = left.shift() ?? "no question was expected";
      return choices.find(({ name }) => name.startsWith(wanted))?.value;
    },
  } as unknown as Questions;
  const client = {
    writeMany: async (_method: string, _resource: unknown, inputs: BankStatementInput[]) => {
      sent.push(...inputs);
      return [{ record: { BankStatementID: "S1" } }];
    },
  } as unknown as Client;
  await askDoubts({ ctx, client, ask }, doubts);
  return { said, left, sent: sent.map(({ OnDuplicate }) => OnDuplicate) };
}

test("a line in doubt is shown beside the existing line, and the user's answer is sent", async () => {
  const { said, sent } = await settled(
    [doubt(9, "TIMBER", "L1"), doubt(10, "ROOF", "L2")],
    ["The same", "Two"],
  );
  expect(said.slice(2, 4)).toEqual([
    "In the file   17 Mar 2026, -57.50, TIMBER",
    "In the book   17 Mar 2026, -57.50, YARD NELSON",
  ]);
  expect(sent).toEqual(["skip", "add"]);
});

test("an existing line that matched one line in doubt is not offered for another line", async () => {
  const { sent, left } = await settled(
    [doubt(9, "TIMBER", "L1"), doubt(10, "ROOF", "L1")],
    ["The same"],
  );
  expect([sent, left]).toEqual([["skip", "add"], []]);
});

test("the JSON error of a line in doubt has its row, day and amount, and the texts of both lines", () => {
  expect(doubtSentence(doubt(9, "TIMBER", "L1"))).toBe(
    "Row 9, 17 Mar 2026, -57.50, TIMBER: is it L1, YARD NELSON?",
  );
});
